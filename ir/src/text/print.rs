//! Module to text.

use std::fmt::{self, Display, Formatter};

use super::words::{self, word_of};
use crate::entity::{EntityRef, SecondaryMap};
use crate::inst::{Callee, Inst, InstId, Mark, Op, Operand, Terminator};
use crate::module::{Function, Global, Loc, LocId, Module, Param};
use crate::types::{Field, StructDef, Ty, TypeDef};

impl Display for Module {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "module {}", Quoted(&self.name))?;
        for (id, file) in self.files.iter() {
            writeln!(f, "{id} = {}", Quoted(&file.path))?;
        }
        for (id, loc) in self.locs.iter() {
            writeln!(f, "{id} = {loc}")?;
        }
        for (id, ty) in self.types.iter() {
            writeln!(f, "{id} = {ty}")?;
        }
        for (id, global) in self.globals.iter() {
            writeln!(f, "{id} = {global}")?;
        }
        for (id, func) in self.funcs.iter() {
            write!(f, "\nfunc {id} ")?;
            print_func(f, self, func)?;
        }
        Ok(())
    }
}

impl Display for Loc {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{} in {}", self.file, self.line, self.column, Quoted(&self.function))?;
        match self.inlined_at {
            Some(outer) => write!(f, " at {outer}"),
            None => Ok(()),
        }
    }
}

impl Display for Ty {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Int(bits) => write!(f, "i{bits}"),
            Ty::Ptr => f.write_str("ptr"),
            Ty::Opaque(bytes) => write!(f, "opaque{bytes}"),
        }
    }
}

impl Display for TypeDef {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            TypeDef::Void => f.write_str("void"),
            TypeDef::Int { bits, is_char: false } => write!(f, "int {bits}"),
            TypeDef::Int { bits, is_char: true } => write!(f, "char {bits}"),
            TypeDef::Float(bits) => write!(f, "float {bits}"),
            TypeDef::Ptr(to) => write!(f, "ptr {to}"),
            TypeDef::Struct(def) => write!(f, "{def}"),
            TypeDef::Array { elem, count } => write!(f, "array {elem} x {count}"),
            TypeDef::Func { params, ret, variadic } => {
                write!(f, "func({}", List(params))?;
                write!(f, "){} -> {ret}", if *variadic { " variadic" } else { "" })
            }
        }
    }
}

impl Display for StructDef {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let kind = if self.is_union { "union" } else { "struct" };
        let private = if self.module_private { " private" } else { "" };
        let opaque = if self.opaque { " opaque" } else { "" };
        writeln!(f, "{kind} {} size {}{private}{opaque} {{", Quoted(&self.name), self.size)?;
        for field in &self.fields {
            writeln!(f, "  {field}")?;
        }
        f.write_str("}")
    }
}

impl Display for Field {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.offset, self.ty)?;
        if let Some(bits) = self.bits {
            write!(f, " bits {bits}")?;
        }
        if !self.alias.is_empty() {
            write!(f, " as {}", Quoted(&self.alias))?;
        }
        write!(f, " {}", Quoted(&self.name))
    }
}

impl Display for Global {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "global {} size {}", Quoted(&self.name), self.size)?;
        if let Some(ty) = self.ty {
            write!(f, " {ty}")?;
        }
        for (flag, word) in [
            (self.constant, "constant"),
            (self.thread_local, "threadlocal"),
            (!self.defined, "extern"),
            (self.exported, "exported"),
        ] {
            if flag {
                write!(f, " {word}")?;
            }
        }
        print_loc(f, self.loc)?;
        if self.init.is_empty() {
            return Ok(());
        }
        writeln!(f, " {{")?;
        for cell in &self.init {
            writeln!(f, "  {}: {} = {}", cell.offset, cell.size, cell.value)?;
        }
        f.write_str("}")
    }
}

impl Display for Operand {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Operand::Value(v) => write!(f, "{v}"),
            Operand::Int { bits, value } => write!(f, "{value}:i{bits}"),
            Operand::Null => f.write_str("null"),
            Operand::Global(g, 0) => write!(f, "{g}"),
            Operand::Global(g, offset) => write!(f, "{g}{offset:+}"),
            Operand::Func(func) => write!(f, "{func}"),
            Operand::Undef(ty) => write!(f, "undef:{ty}"),
        }
    }
}

fn print_func(f: &mut Formatter<'_>, module: &Module, func: &Function) -> fmt::Result {
    write!(f, "{}", Quoted(&func.name))?;
    for (flag, word) in [(func.exported, "exported"), (func.weak, "weak"), (func.variadic, "variadic")] {
        if flag {
            write!(f, " {word}")?;
        }
    }
    write!(f, " ({})", List(&func.params))?;
    match (func.ret, func.ret_decl) {
        (None, None) => {}
        (None, Some(decl)) => write!(f, " -> void {decl}")?,
        (Some(ty), None) => write!(f, " -> {ty}")?,
        (Some(ty), Some(decl)) => write!(f, " -> {ty} {decl}")?,
    }
    print_loc(f, func.loc)?;
    if func.blocks.is_empty() && func.insts.is_empty() {
        return writeln!(f);
    }
    writeln!(f, " {{")?;
    let mut body = Body { module, func, next: 0 };
    body.print(f)?;
    writeln!(f, "}}")
}

impl Display for Param {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.value, self.ty)?;
        if let Some(decl) = self.decl {
            write!(f, " {decl}")?;
        }
        if self.constant {
            f.write_str(" const")?;
        }
        if !self.name.is_empty() {
            write!(f, " {}", Quoted(&self.name))?;
        }
        Ok(())
    }
}

/// A function's body on its way out.
struct Body<'a> {
    module: &'a Module,
    func: &'a Function,
    /// The number of the instruction that needs no number in front.
    next: usize,
}

impl Body<'_> {
    fn print(&mut self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut attached: SecondaryMap<InstId, bool> = SecondaryMap::new();
        for (id, block) in self.func.blocks.iter() {
            writeln!(f, "{id}:")?;
            for &inst in &block.insts {
                attached[inst] = true;
                self.print_inst(f, inst)?;
            }
            write!(f, "  {}", block.term)?;
            print_loc(f, block.term_loc)?;
            writeln!(f)?;
        }
        let detached: Vec<InstId> = self.func.insts.keys().filter(|&i| !attached[i]).collect();
        if !detached.is_empty() {
            writeln!(f, "detached:")?;
        }
        detached.into_iter().try_for_each(|inst| self.print_inst(f, inst))
    }

    fn print_inst(&mut self, f: &mut Formatter<'_>, id: InstId) -> fmt::Result {
        let Some(inst) = self.func.insts.get(id) else { return writeln!(f, "  ; no such instruction: {id}") };
        f.write_str("  ")?;
        if id.index() != self.next {
            write!(f, "{id}: ")?;
        }
        self.next = id.index() + 1;
        if let Some(result) = inst.result {
            match self.func.values.get(result) {
                Some(def) => write!(f, "{result}: {} = ", def.ty)?,
                None => write!(f, "{result}: ? = ")?,
            }
        }
        print_op(f, &inst.op)?;
        print_loc(f, inst.loc)?;
        self.print_callee_name(f, inst)?;
        writeln!(f)
    }

    /// Ids say little to people.
    fn print_callee_name(&self, f: &mut Formatter<'_>, inst: &Inst) -> fmt::Result {
        match &inst.op {
            Op::Call { callee: Callee::Func(id), .. } => match self.module.funcs.get(*id) {
                Some(func) => write!(f, " ; {}", Quoted(&func.name)),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }
}

fn print_op(f: &mut Formatter<'_>, op: &Op) -> fmt::Result {
    match op {
        Op::Bin(op, a, b) => write!(f, "{} {a}, {b}", word_of(words::BIN, op)),
        Op::Cmp(op, a, b) => write!(f, "cmp.{} {a}, {b}", word_of(words::CMP, op)),
        Op::Select { cond, then, els } => write!(f, "select {cond}, {then}, {els}"),
        Op::Cast(op, a) => write!(f, "{} {a}", word_of(words::CAST, op)),
        Op::Phi(edges) => {
            f.write_str("phi")?;
            for (i, (block, value)) in edges.iter().enumerate() {
                write!(f, "{} {block}: {value}", if i > 0 { "," } else { "" })?;
            }
            Ok(())
        }
        Op::PtrAdd { base, offset, scaled, within } => {
            write!(f, "ptradd {base}, {offset}")?;
            for (index, scale) in scaled {
                write!(f, ", {index} * {scale}")?;
            }
            within.map_or(Ok(()), |ty| write!(f, " within {ty}"))
        }
        Op::Alloca { size, count, ty } => {
            write!(f, "alloca {size} x {count}")?;
            ty.map_or(Ok(()), |ty| write!(f, " of {ty}"))
        }
        Op::Extract { agg, index } => write!(f, "extract {agg}, {index}"),
        Op::Call { callee, args } => print_call(f, callee, args),
        _ => print_effect(f, op),
    }
}

fn print_call(f: &mut Formatter<'_>, callee: &Callee, args: &[Operand]) -> fmt::Result {
    match callee {
        Callee::Func(id) => write!(f, "call {id}")?,
        Callee::Indirect(target, None) => write!(f, "call *{target}")?,
        Callee::Indirect(target, Some(outside)) => write!(f, "call *{target} else {outside}")?,
        Callee::Asm(asm) => {
            write!(f, "call asm {} {} ", Quoted(&asm.template), Quoted(&asm.constraints))?;
        }
    }
    write!(f, "({})", List(args))
}

/// Memory and what comes from the environment model.
fn print_effect(f: &mut Formatter<'_>, op: &Op) -> fmt::Result {
    match op {
        Op::Load { addr, mark } => write!(f, "load{} {addr}", Marked(*mark)),
        Op::Store { addr, value, mark } => write!(f, "store{} {value} to {addr}", Marked(*mark)),
        Op::Rmw { op, addr, value, order } => {
            let (op, order) = (word_of(words::RMW, op), word_of(words::ORDER, order));
            write!(f, "rmw.{op}.{order} {addr}, {value}")
        }
        Op::CmpXchg { addr, expected, new, order } => {
            write!(f, "cmpxchg.{} {addr}, {expected}, {new}", word_of(words::ORDER, order))
        }
        Op::MemSet { dst, byte, len } => write!(f, "memset {dst}, {byte}, {len}"),
        Op::MemCopy { dst, src, len } => write!(f, "memcopy {dst}, {src}, {len}"),
        Op::Havoc => f.write_str("havoc"),
        Op::Data => f.write_str("data"),
        Op::Cpu => f.write_str("cpu"),
        Op::Alloc { size, zeroed, may_fail } => {
            let zeroed = if *zeroed { " zeroed" } else { "" };
            write!(f, "alloc {size}{zeroed}{}", if *may_fail { " may_fail" } else { "" })
        }
        Op::Free { ptr, until } => {
            write!(f, "free {ptr}")?;
            until.map_or(Ok(()), |device| write!(f, " until {device}"))
        }
        Op::Access { addr, len, write, mark } => {
            write!(f, "access.{}{} {addr}, {len}", if *write { "write" } else { "read" }, Marked(*mark))
        }
        Op::Acquire { lock, class, mode, success } => {
            write!(f, "acquire.{}", word_of(words::MODE, mode))?;
            if let Some(success) = success {
                write!(f, ".{}", word_of(words::SUCCESS, success))?;
            }
            write!(f, " {} {lock}", Quoted(class))
        }
        Op::Release { lock, class, mode } => {
            write!(f, "release.{} {} {lock}", word_of(words::MODE, mode), Quoted(class))
        }
        Op::Publish { ptr, ok } => {
            write!(f, "publish {ptr}")?;
            ok.map_or(Ok(()), |ok| write!(f, " if {ok}"))
        }
        Op::Register { class, handle, callback, argument, through, ok, stays, until } => {
            write!(f, "register {} {handle}", Quoted(class))?;
            callback.map_or(Ok(()), |c| write!(f, " callback {c}"))?;
            argument.map_or(Ok(()), |(i, a)| write!(f, " argument {i} {a}"))?;
            through.map_or(Ok(()), |t| write!(f, " through {t}"))?;
            ok.map_or(Ok(()), |ok| write!(f, " if {ok}"))?;
            f.write_str(if *stays { " stays" } else { "" })?;
            until.map_or(Ok(()), |device| write!(f, " until {device}"))
        }
        Op::Unregister { class, handle, sync, through } => {
            write!(f, "unregister{} {} {handle}", if *sync { ".sync" } else { "" }, Quoted(class))?;
            through.map_or(Ok(()), |t| write!(f, " through {t}"))
        }
        Op::External { name, args } => write!(f, "external {} ({})", Quoted(name), List(args)),
        // Printed by `print_op`, which sends only the rest here.
        Op::Bin(..)
        | Op::Cmp(..)
        | Op::Select { .. }
        | Op::Cast(..)
        | Op::Phi(_)
        | Op::PtrAdd { .. }
        | Op::Alloca { .. }
        | Op::Extract { .. }
        | Op::Call { .. } => Ok(()),
    }
}

impl Display for Terminator {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Terminator::Br(to) => write!(f, "br {to}"),
            Terminator::CondBr(cond, then, els) => write!(f, "brif {cond}, {then}, {els}"),
            Terminator::Switch { value, cases, default } => {
                write!(f, "switch {value}, {default}")?;
                cases.iter().try_for_each(|(case, to)| write!(f, ", {case}: {to}"))
            }
            Terminator::Ret(None) => f.write_str("ret"),
            Terminator::Ret(Some(value)) => write!(f, "ret {value}"),
            Terminator::Unreachable => f.write_str("unreachable"),
        }
    }
}

fn print_loc(f: &mut Formatter<'_>, loc: Option<LocId>) -> fmt::Result {
    loc.map_or(Ok(()), |loc| write!(f, " @{loc}"))
}

/// A mark as a suffix; plain accesses have none.
struct Marked(Mark);

impl Display for Marked {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Mark::Plain => Ok(()),
            mark => write!(f, ".{}", word_of(words::MARK, &mark)),
        }
    }
}

/// Items with commas between them.
struct List<'a, T>(&'a [T]);

impl<T: Display> Display for List<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (i, item) in self.0.iter().enumerate() {
            write!(f, "{}{item}", if i > 0 { ", " } else { "" })?;
        }
        Ok(())
    }
}

/// A string in quotes, on one line whatever it contains.
struct Quoted<'a>(&'a str);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        for c in self.0.chars() {
            match c {
                '"' | '\\' => write!(f, "\\{c}")?,
                c if c.is_control() => write!(f, "\\u{{{:x}}}", u32::from(c))?,
                c => write!(f, "{c}")?,
            }
        }
        f.write_str("\"")
    }
}
