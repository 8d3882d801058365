//! Regions: a unification-based points-to analysis over the whole module (Steensgaard's, with the
//! contents of module-private structs split by field, types unified as in DSA).
//!
//! Each pointer has a *node*, the class of objects that it may point into; two accesses whose nodes
//! differ cannot touch a common byte. One node is special: `external`, all that code outside of the
//! module can reach. A pointer that is cut into pieces falls into it, and so does what is put together from pieces
//! (`pieces.rs`). A pointer kept in a field of a struct that only the module declares stays apart
//! from it (assumption `private-struct`); everything else that escapes falls into it (rule 8).

use super::calls::CallTargets;
use super::declared;
use super::fields;
use super::layout::Layout;
use super::pieces;
use crate::fault::{Fault, seeded};
use lockpair_ir::*;
use std::collections::{HashMap, HashSet};

entity_id!(
    /// A class of objects that are not told apart.
    RegionId,
    "r"
);

type Node = usize;

/// The finished analysis.
pub struct PointsTo {
    values: HashMap<(FuncId, ValueId), RegionId>,
    globals: Vec<RegionId>,
    external: RegionId,
    count: usize,
}

impl PointsTo {
    /// The region that an address lies in.
    pub fn region(&self, func: FuncId, addr: Operand) -> RegionId {
        match addr {
            Operand::Value(v) => self.values.get(&(func, v)).copied().unwrap_or(self.external),
            Operand::Global(g, _) => self.globals[g.index()],
            Operand::Int { .. } | Operand::Null | Operand::Func(_) | Operand::Undef(_) => self.external,
        }
    }

    /// The region of a global.
    pub fn global(&self, g: GlobalId) -> RegionId {
        self.globals[g.index()]
    }

    /// The region of all that code outside of the module can reach.
    pub fn external(&self) -> RegionId {
        self.external
    }

    /// The number of regions.
    pub fn regions(&self) -> usize {
        self.count
    }
}

/// Runs the analysis. `outside` tells whether code outside of the module may call the function.
pub fn analyze(
    module: &Module,
    layout: &Layout,
    calls: &CallTargets,
    outside: &dyn Fn(FuncId) -> bool,
) -> PointsTo {
    let mut solver = Solver::new(module, layout, calls);
    solver.globals();
    for (id, func) in module.funcs.iter() {
        if outside(id) {
            for param in &func.params {
                solver.escape(id, Operand::Value(param.value));
            }
            if !seeded(Fault::ResultsStay) {
                let result = solver.ret(id);
                solver.unify(result, EXTERNAL);
            }
        }
        solver.function(id, func);
    }
    solver.finish()
}

struct Solver<'a> {
    module: &'a Module,
    layout: &'a Layout<'a>,
    calls: &'a CallTargets,
    parent: Vec<Node>,
    content: Vec<Option<Node>>,
    values: HashMap<(FuncId, ValueId), Node>,
    rets: HashMap<FuncId, Node>,
    cells: HashMap<(TypeId, u64), Node>,
    /// Objects whose pointers are reached by their member, with the member.
    typed: Vec<(Node, (TypeId, u64))>,
    /// Objects whose pointers are reached without knowing the member.
    raw: Vec<Node>,
    /// Objects of which pieces are read or written that may be pieces of pointers, without knowing the member.
    pieces: Vec<Node>,
    globals: Vec<Node>,
    /// The module's structs that code outside knows.
    known_outside: HashSet<TypeId>,
}

const EXTERNAL: Node = 0;

/// The lists of what no code names and the linker still keeps, for code outside that finds it by its section (`__param`).
const USED: [&str; 2] = ["llvm.used", "llvm.compiler.used"];

impl<'a> Solver<'a> {
    fn new(module: &'a Module, layout: &'a Layout<'a>, calls: &'a CallTargets) -> Self {
        let mut s = Solver {
            module,
            layout,
            calls,
            parent: vec![EXTERNAL],
            content: vec![Some(EXTERNAL)],
            values: HashMap::new(),
            rets: HashMap::new(),
            cells: HashMap::new(),
            typed: Vec::new(),
            raw: Vec::new(),
            pieces: Vec::new(),
            globals: Vec::new(),
            known_outside: HashSet::new(),
        };
        for _ in module.globals.keys() {
            let n = s.fresh();
            s.globals.push(n);
        }
        s
    }

    fn fresh(&mut self) -> Node {
        self.parent.push(self.parent.len());
        self.content.push(None);
        self.parent.len() - 1
    }

    fn find(&mut self, mut n: Node) -> Node {
        while self.parent[n] != n {
            self.parent[n] = self.parent[self.parent[n]];
            n = self.parent[n];
        }
        n
    }

    fn unify(&mut self, a: Node, b: Node) {
        let mut work = vec![(a, b)];
        while let Some((a, b)) = work.pop() {
            let (a, b) = (self.find(a), self.find(b));
            if a == b {
                continue;
            }
            // The external node stays the root of its class.
            let (root, child) = if b == EXTERNAL { (b, a) } else { (a, b) };
            self.parent[child] = root;
            match (self.content[root], self.content[child]) {
                (Some(x), Some(y)) => work.push((x, y)),
                (None, y) => self.content[root] = y,
                (Some(_), None) => {}
            }
        }
    }

    fn content(&mut self, n: Node) -> Node {
        let n = self.find(n);
        match self.content[n] {
            Some(c) => self.find(c),
            None => {
                let c = self.fresh();
                self.content[n] = Some(c);
                c
            }
        }
    }

    fn value(&mut self, func: FuncId, v: ValueId) -> Node {
        if let Some(&n) = self.values.get(&(func, v)) {
            return self.find(n);
        }
        let n = self.fresh();
        self.values.insert((func, v), n);
        n
    }

    /// The node of what an operand points to; none for operands that point to nothing we track.
    fn operand(&mut self, func: FuncId, op: Operand) -> Option<Node> {
        match op {
            Operand::Value(v) => Some(self.value(func, v)),
            Operand::Global(g, _) => Some(self.globals[g.index()]),
            Operand::Int { .. } | Operand::Null | Operand::Func(_) | Operand::Undef(_) => None,
        }
    }

    fn same(&mut self, func: FuncId, a: Operand, b: Operand) {
        if let (Some(a), Some(b)) = (self.operand(func, a), self.operand(func, b)) {
            self.unify(a, b);
        }
    }

    fn escape(&mut self, func: FuncId, op: Operand) {
        if let Some(n) = self.operand(func, op) {
            self.unify(n, EXTERNAL);
        }
    }

    fn ret(&mut self, func: FuncId) -> Node {
        if let Some(&n) = self.rets.get(&func) {
            return self.find(n);
        }
        let n = self.fresh();
        self.rets.insert(func, n);
        n
    }

    fn globals(&mut self) {
        for (id, g) in self.module.globals.iter() {
            let node = self.globals[id.index()];
            let symbol = format!("__ksymtab_{}", g.name);
            if !g.defined && self.is_scalar(g) {
                // Code outside hands out no pointers to its named scalars (jiffies): part of `type-split`.
                let content = self.content(node);
                self.unify(content, EXTERNAL);
            } else if !g.defined || self.module.global_named(&symbol).is_some() {
                self.unify(node, EXTERNAL);
            }
            if USED.contains(&g.name.as_str()) && !seeded(Fault::SectionsStay) {
                g.init.iter().for_each(|cell| self.found_by_section(cell.value));
            }
            for cell in &g.init {
                let Operand::Global(target, _) = cell.value else { continue };
                let target = self.globals[target.index()];
                let holder = match self.module.struct_at(g, cell.offset) {
                    Some((strukt, at)) => self.typed_cell(node, strukt, at),
                    None => self.content(node),
                };
                self.unify(holder, target);
            }
        }
    }

    /// Code outside finds it by its section, gives it to the functions of the module that it leads to (`kernel_param.ops`),
    /// and lets others name what it leads to if they can (EXPORT_SYMBOL). What functions of code outside do to it is not
    /// looked at (assumption `outside-callback`).
    fn found_by_section(&mut self, found: Operand) {
        let module = self.module;
        let Operand::Global(found, _) = found else { return };
        let lead_to = |g: GlobalId| module.globals[g].init.iter().map(|cell| cell.value);
        let is_function = |value: Operand| matches!(value, Operand::Func(_));
        let is_table = |value: Operand| matches!(value, Operand::Global(g, _) if lead_to(g).any(is_function));
        if lead_to(found).any(|value| is_function(value) || is_table(value)) {
            self.unify(self.globals[found.index()], EXTERNAL);
        }
        for value in lead_to(found) {
            if let Operand::Global(named, _) = value
                && module.globals[named].exported
            {
                self.unify(self.globals[named.index()], EXTERNAL);
            }
        }
    }

    fn is_scalar(&self, g: &Global) -> bool {
        g.ty.is_some_and(|ty| self.has_only_scalars(ty))
    }

    /// Numbers, pointers, and arrays and structs of nothing else (`jiffies`, `cpu_possible_mask`).
    fn has_only_scalars(&self, ty: TypeId) -> bool {
        match &self.module.types[ty] {
            TypeDef::Int { .. } | TypeDef::Float(_) | TypeDef::Ptr(_) => true,
            TypeDef::Array { elem, .. } => self.has_only_scalars(*elem),
            TypeDef::Struct(def) => {
                def.fields.len() == 1 && def.fields.iter().all(|f| self.has_only_scalars(f.ty))
            }
            TypeDef::Void | TypeDef::Func { .. } => false,
        }
    }

    /// What a pointer stored at that byte of the struct points to.
    fn typed_cell(&mut self, object: Node, strukt: TypeId, offset: u64) -> Node {
        let (inner, at) = self.layout.innermost(strukt, offset);
        let private = self.module.as_struct(inner).is_some_and(|s| s.module_private && !s.is_union);
        if !private {
            return if self.module.as_struct(inner).is_some_and(|s| s.is_union) {
                self.content(object)
            } else {
                EXTERNAL
            };
        }
        // Which element of an array it is does not matter.
        let at = if seeded(Fault::ElementsApart) {
            at
        } else {
            fields::begin(self.module, inner, at).unwrap_or(at)
        };
        self.typed.push((object, (inner, at)));
        if let Some(&n) = self.cells.get(&(inner, at)) {
            return self.find(n);
        }
        let n = self.fresh();
        self.cells.insert((inner, at), n);
        n
    }

    /// What pointers stored at the address point to.
    fn cell(&mut self, id: FuncId, func: &Function, addr: Operand) -> Option<Node> {
        let object = self.operand(id, addr)?;
        if let Some((strukt, offset)) = static_path(self.module, func, addr) {
            return Some(self.typed_cell(object, strukt, offset));
        }
        self.raw.push(object);
        let content = self.content(object);
        if let Some((strukt, offset)) = path_on_stack(self.module, func, addr) {
            let member = self.typed_cell(object, strukt, offset);
            self.unify(member, content);
        }
        Some(self.find(content))
    }

    fn function(&mut self, id: FuncId, func: &Function) {
        self.pieces_of(id, func);
        for block in func.blocks.values() {
            for &i in &block.insts {
                self.instruction(id, func, &func.insts[i], i);
            }
            if let Terminator::Ret(Some(v)) = block.term
                && let Some(n) = self.operand(id, v)
            {
                let ret = self.ret(id);
                self.unify(ret, n);
            }
        }
    }

    fn instruction(&mut self, id: FuncId, func: &Function, inst: &Inst, iid: InstId) {
        let result = inst.result.map(Operand::Value);
        self.taken_global_fields(func, &inst.op);
        match &inst.op {
            // The distance between two pointers is no pointer.
            Op::Bin(BinOp::Sub, a, b) if [a, b].iter().all(|x| is_number_of_pointer(func, **x)) => {}
            Op::Bin(_, a, b) => {
                if let Some(r) = result {
                    self.carry(id, func, r, *a);
                    self.carry(id, func, r, *b);
                }
            }
            Op::Cmp(..)
            | Op::Cpu
            | Op::Alloca { .. }
            | Op::Alloc { .. }
            | Op::Acquire { .. }
            | Op::Release { .. } => {}
            Op::Select { then, els, .. } => {
                if let Some(r) = result {
                    self.same(id, r, *then);
                    self.same(id, r, *els);
                }
            }
            Op::Cast(CastOp::Error, _) => {}
            Op::Cast(_, a) | Op::Extract { agg: a, .. } | Op::PtrAdd { base: a, .. } => {
                if let Some(r) = result {
                    self.same(id, r, *a);
                    if matches!(inst.op, Op::Cast(CastOp::IntToPtr, _)) && !is_number_of_pointer(func, *a) {
                        self.escape(id, r);
                    }
                }
                self.taken_field(id, func, inst);
            }
            Op::Phi(edges) => {
                if let Some(r) = result {
                    for (_, v) in edges {
                        self.same(id, r, *v);
                    }
                }
            }
            Op::Load { addr, .. } => {
                if let Some(r) = inst.result
                    && !matches!(func.values[r].ty, Ty::Int(bits) if bits < 64)
                    && let Some(cell) = self.cell(id, func, *addr)
                {
                    let n = self.value(id, r);
                    self.unify(n, cell);
                }
            }
            Op::Store { addr, value, .. } => self.store(id, func, *addr, *value),
            Op::Rmw { addr, value, .. } => {
                self.store(id, func, *addr, *value);
                if let (Some(r), Some(cell)) = (inst.result, self.cell(id, func, *addr)) {
                    let n = self.value(id, r);
                    self.unify(n, cell);
                }
            }
            Op::CmpXchg { addr, new, expected, .. } => {
                self.store(id, func, *addr, *new);
                self.store(id, func, *addr, *expected);
                if let (Some(r), Some(cell)) = (inst.result, self.cell(id, func, *addr)) {
                    let n = self.value(id, r);
                    self.unify(n, cell);
                }
            }
            Op::MemSet { .. } | Op::Free { .. } | Op::Access { write: false, .. } | Op::Unregister { .. } => {
            }
            Op::Access { addr, len, .. } => self.written_outside(id, func, *addr, *len),
            Op::MemCopy { .. } if seeded(Fault::RegionsIgnoreCopies) => {}
            Op::MemCopy { dst, src, .. } => {
                if let (Some(d), Some(s)) = (self.operand(id, *dst), self.operand(id, *src)) {
                    self.raw.extend([d, s]);
                    let (d, s) = (self.content(d), self.content(s));
                    self.unify(d, s);
                }
            }
            Op::Call { callee, args } => self.call(id, inst, iid, callee, args),
            Op::Havoc | Op::Data => {
                if let Some(r) = result {
                    self.escape(id, r);
                }
            }
            Op::Publish { ptr, .. } => self.escape(id, *ptr),
            Op::Register { handle, argument, .. } => {
                self.escape(id, *handle);
                if let Some((_, v)) = argument {
                    self.escape(id, *v);
                }
            }
            Op::External { name, args } => {
                for a in args.iter().copied().chain(result) {
                    self.escape(id, a);
                }
                let params = self.module.func_named(name).map(|f| &self.module.funcs[f].params);
                for ty in params.into_iter().flatten().filter_map(|param| self.module.pointee(param.decl?)) {
                    self.known_outside(ty);
                }
            }
        }
    }

    /// Code outside whose parameter leads to such a struct knows it, if it is the module's, and those that it leads to.
    fn known_outside(&mut self, ty: TypeId) {
        let module = self.module;
        let mut work = vec![ty];
        while let Some(ty) = work.pop() {
            let Some(def) = module.as_struct(ty).filter(|def| def.module_private) else { continue };
            if !self.known_outside.insert(ty) {
                continue;
            }
            for field in &def.fields {
                if !self.may_be_pointer(ty, field.offset) {
                    continue;
                }
                let element = module.element(field.ty);
                work.push(module.pointee(element).unwrap_or(element));
                let cell = self.typed_cell(EXTERNAL, ty, field.offset);
                self.unify(cell, EXTERNAL);
            }
        }
    }

    /// Pointers that are cut into pieces, or put together from them, may be anything.
    fn pieces_of(&mut self, id: FuncId, func: &Function) {
        if seeded(Fault::RegionsIgnorePieces) {
            return;
        }
        for piece in pieces::find(func) {
            match piece {
                pieces::Piece::Of(whole) => self.escape(id, whole),
                pieces::Piece::At(addr) if !self.is_in_private_struct(func, addr) => {
                    let object = self.operand(id, addr);
                    self.pieces.extend(object);
                    let named = static_path(self.module, func, addr);
                    let member = named.or_else(|| path_on_stack(self.module, func, addr));
                    if let (Some(object), Some((strukt, offset))) = (object, member)
                        && !seeded(Fault::MembersAreWhole)
                    {
                        let cell = self.typed_cell(object, strukt, offset);
                        self.unify(cell, EXTERNAL);
                    }
                }
                pieces::Piece::At(_) => {}
            }
        }
    }

    /// Whether an address is known to be that of a member of a struct of the module's own, and of no union, that is no pointer
    /// and not as wide as one.
    fn is_in_private_struct(&self, func: &Function, addr: Operand) -> bool {
        static_path(self.module, func, addr).is_some_and(|(strukt, offset)| {
            let inner = self.module.as_struct(self.layout.innermost(strukt, offset).0);
            inner.is_some_and(|s| s.module_private && !s.is_union) && !self.may_be_pointer(strukt, offset)
        })
    }

    /// Integer arithmetic carries a pointer on only where an operand already is one.
    fn carry(&mut self, id: FuncId, func: &Function, result: Operand, a: Operand) {
        if let Operand::Value(v) = a
            && matches!(func.values[v].ty, Ty::Int(64..) | Ty::Opaque(_))
        {
            self.same(id, result, a);
        }
    }

    fn store(&mut self, id: FuncId, func: &Function, addr: Operand, value: Operand) {
        if seeded(Fault::RegionsIgnoreStores) || matches!(func.operand_ty(value), Ty::Int(bits) if bits < 64)
        {
            return;
        }
        let Some(v) = self.operand(id, value) else { return };
        match self.cell(id, func, addr) {
            Some(cell) => self.unify(cell, v),
            None => self.unify(v, EXTERNAL),
        }
    }

    /// Code outside writes there: if that is as long as a pointer, it may be one, to what that code can reach (where
    /// `pthread_join` puts what a thread has returned). Longer ones are taken to hold none.
    fn written_outside(&mut self, id: FuncId, func: &Function, addr: Operand, len: Operand) {
        let is_long = matches!(len, Operand::Int { value: 8, .. });
        if !is_long || declared::is_number(self.module, func, addr) || seeded(Fault::WritesOutsideAreNumbers)
        {
            return;
        }
        if let Some(cell) = self.cell(id, func, addr) {
            self.unify(cell, EXTERNAL);
        }
    }

    /// The address of a pointer field that is used for anything but a direct access: the field is then
    /// also reached without its type, so its content is that of the object.
    fn taken_field(&mut self, id: FuncId, func: &Function, inst: &Inst) {
        let (Op::PtrAdd { base, .. }, Some(v)) = (&inst.op, inst.result) else { return };
        if !address_is_taken(self.module, func, v) || seeded(Fault::RegionsIgnoreTakenFields) {
            return;
        }
        let Some((strukt, offset)) = static_path(self.module, func, Operand::Value(v)) else { return };
        if !self.may_be_pointer(strukt, offset) {
            return;
        }
        if let Some(object) = self.operand(id, *base) {
            let typed = self.typed_cell(object, strukt, offset);
            let raw = self.content(object);
            self.unify(typed, raw);
        }
    }

    /// The same for members of globals, whose addresses are constants.
    fn taken_global_fields(&mut self, func: &Function, op: &Op) {
        for taken in taken_operands(op) {
            let Operand::Global(g, _) = taken else { continue };
            let Some((strukt, offset)) = static_path(self.module, func, taken) else { continue };
            if seeded(Fault::RegionsIgnoreTakenFields) || !self.may_be_pointer(strukt, offset) {
                continue;
            }
            let object = self.globals[g.index()];
            let (typed, raw) = (self.typed_cell(object, strukt, offset), self.content(object));
            self.unify(typed, raw);
        }
    }

    fn may_be_pointer(&self, strukt: TypeId, offset: u64) -> bool {
        let (inner, at) = self.layout.innermost(strukt, offset);
        let Some(def) = self.module.as_struct(inner) else { return true };
        def.fields.iter().any(|f| {
            let ty = self.module.innermost_element(f.ty);
            let covers = f.offset <= at && at < f.offset + self.module.size_of(f.ty).max(1);
            covers
                && matches!(
                    self.module.types[ty],
                    TypeDef::Ptr(_) | TypeDef::Int { bits: 64, .. } | TypeDef::Struct(_)
                )
        })
    }

    fn call(&mut self, id: FuncId, inst: &Inst, iid: InstId, callee: &Callee, args: &[Operand]) {
        let targets = match callee {
            Callee::Func(f) => vec![*f],
            Callee::Indirect(..) => {
                let t = self.calls.targets(id, iid);
                if !t.complete {
                    for a in args.iter().copied().chain(inst.result.map(Operand::Value)) {
                        self.escape(id, a);
                    }
                }
                t.funcs.clone()
            }
            Callee::Asm(_) => vec![],
        };
        if targets.is_empty() {
            for a in args.iter().copied().chain(inst.result.map(Operand::Value)) {
                self.escape(id, a);
            }
        }
        for target in targets {
            let callee = &self.module.funcs[target];
            if !callee.is_defined() {
                for a in args.iter().copied().chain(inst.result.map(Operand::Value)) {
                    self.escape(id, a);
                }
                continue;
            }
            for (i, a) in args.iter().enumerate() {
                let Some(n) = self.operand(id, *a) else { continue };
                match callee.params.get(i) {
                    Some(_) if seeded(Fault::RegionsIgnoreCalls) => {}
                    Some(p) => {
                        let p = self.value(target, p.value);
                        self.unify(p, n);
                    }
                    // Variable arguments: read back through memory that we do not follow.
                    None => self.unify(n, EXTERNAL),
                }
            }
            if let Some(r) = inst.result {
                let (r, ret) = (self.value(id, r), self.ret(target));
                self.unify(r, ret);
            }
        }
    }

    /// A pointer that is stored without knowing the member may be loaded by its member, and the other way
    /// round. What code outside can reach is left out: that is the assumption `private-struct`.
    fn unify_views(&mut self) {
        let typed = std::mem::take(&mut self.typed);
        let mut raw: Vec<Node> = std::mem::take(&mut self.raw);
        loop {
            raw.iter_mut().for_each(|n| *n = self.find(*n));
            raw.sort_unstable();
            raw.dedup();
            let before = self.united();
            for (object, member) in &typed {
                let object = self.find(*object);
                if self.find(EXTERNAL) != object && raw.binary_search(&object).is_ok() {
                    let content = self.content(object);
                    self.unify(self.cells[member], content);
                }
            }
            self.open_pieces();
            if self.united() == before {
                return;
            }
        }
    }

    /// Where pieces are read or written, the pointers that are there may come from anywhere and go anywhere.
    fn open_pieces(&mut self) {
        for n in 0..self.pieces.len() {
            let object = self.find(self.pieces[n]);
            if let Some(content) = self.content[object] {
                self.unify(content, EXTERNAL);
            }
        }
    }

    /// How many nodes have been united with another.
    fn united(&self) -> usize {
        self.parent.iter().enumerate().filter(|(n, p)| n != *p).count()
    }

    fn finish(mut self) -> PointsTo {
        if !seeded(Fault::RegionsIgnoreCopies) {
            self.unify_views();
        }
        let mut ids: HashMap<Node, RegionId> = HashMap::new();
        let external = self.find(EXTERNAL);
        let mut number = |n: Node| {
            let next = RegionId::new(ids.len());
            *ids.entry(n).or_insert(next)
        };
        let external = number(external);
        let globals: Vec<Node> = (0..self.globals.len()).map(|i| self.find(self.globals[i])).collect();
        let globals = globals.into_iter().map(&mut number).collect();
        let mut keys: Vec<_> = self.values.iter().map(|(k, n)| (*k, *n)).collect();
        // Numbers must not depend on the order of a hash table.
        keys.sort_unstable();
        let values = keys.into_iter().map(|(k, n)| (k, number(self.find(n)))).collect();
        PointsTo { values, globals, external, count: ids.len() }
    }
}

/// The (struct, offset) of an address by the instructions of its function alone: the outermost struct
/// known, with constant offsets only. Variable indices stay within their array, so they do not matter here; where there is no
/// array of that step, nobody knows where they lead.
pub fn static_path(module: &Module, func: &Function, addr: Operand) -> Option<(TypeId, u64)> {
    match addr {
        Operand::Global(g, off) => module.struct_at(&module.globals[g], u64::try_from(off).ok()?),
        Operand::Value(v) => {
            let inst = func.values[v].inst?;
            let Op::PtrAdd { base, offset, scaled, within } = &func.insts[inst].op else { return None };
            let offset = u64::try_from(*offset).ok()?;
            let path = match (static_path(module, func, *base), within) {
                (Some((outer, at)), _) if at + offset < module.size_of(outer) => (outer, at + offset),
                (_, Some(strukt)) => (*strukt, offset),
                (_, None) => return None,
            };
            let stays = |&(_, stride): &(Operand, i64)| {
                let among_structs = stride.unsigned_abs().is_multiple_of(module.size_of(path.0).max(1));
                among_structs || has_elements(module, path, stride.unsigned_abs())
            };
            (scaled.iter().all(stays) || seeded(Fault::IndicesStay)).then_some(path)
        }
        Operand::Int { .. } | Operand::Null | Operand::Func(_) | Operand::Undef(_) => None,
    }
}

/// The same for an address in a variable on the stack, by the type of the variable: the compiler puts a struct there in pieces that it
/// had in registers, without naming its members.
fn path_on_stack(module: &Module, func: &Function, addr: Operand) -> Option<(TypeId, u64)> {
    let Operand::Value(v) = addr else { return None };
    match &func.insts[func.values[v].inst?].op {
        Op::Alloca { ty, .. } if !seeded(Fault::RegistersAreRaw) => {
            let strukt = module.element((*ty)?);
            module.as_struct(strukt).map(|_| (strukt, 0))
        }
        Op::PtrAdd { base, offset, scaled, .. } if scaled.is_empty() => {
            let (strukt, at) = path_on_stack(module, func, *base)?;
            let at = at.checked_add_signed(*offset)?;
            (at < module.size_of(strukt)).then_some((strukt, at))
        }
        _ => None,
    }
}

/// Whether at the offset there is an array with elements at so many bytes from each other.
fn has_elements(module: &Module, (ty, at): (TypeId, u64), stride: u64) -> bool {
    match &module.types[ty] {
        TypeDef::Struct(def) => def.fields.iter().any(|f| {
            let len = module.size_of(f.ty);
            let covers = f.offset <= at && (len == 0 || at < f.offset + len);
            covers && has_elements(module, (f.ty, at - f.offset), stride)
        }),
        TypeDef::Array { elem, .. } => {
            let size = module.size_of(*elem).max(1);
            stride.is_multiple_of(size) || has_elements(module, (*elem, at % size), stride)
        }
        TypeDef::Void | TypeDef::Int { .. } | TypeDef::Float(_) | TypeDef::Ptr(_) | TypeDef::Func { .. } => {
            false
        }
    }
}

/// The operands that are used as values: not only as the address of a load, a store, or a further field.
pub(super) fn taken_operands(op: &Op) -> Vec<Operand> {
    match op {
        Op::Load { .. } | Op::Acquire { .. } | Op::Release { .. } | Op::Cmp(..) => vec![],
        Op::Store { value, .. } | Op::Rmw { value, .. } => vec![*value],
        Op::PtrAdd { within: Some(_), .. } => vec![],
        other => other.operands(),
    }
}

/// Whether the operand is a pointer turned into a number, and nothing else done to it.
fn is_number_of_pointer(func: &Function, op: Operand) -> bool {
    let Operand::Value(v) = op else { return false };
    let inst = func.values[v].inst.map(|i| &func.insts[i].op);
    matches!(inst, Some(Op::Cast(CastOp::PtrToInt, _)))
}

/// Whether the address flows anywhere but into the address of a load, a store, or a further field.
fn address_is_taken(module: &Module, func: &Function, v: ValueId) -> bool {
    let me = Operand::Value(v);
    let taken = |inst: &Inst| match (&inst.op, inst.result) {
        // A step to an element or a further member is followed, unless it leaves the struct.
        (Op::PtrAdd { base, .. }, Some(next)) if *base == me => {
            static_path(module, func, Operand::Value(next)).is_none()
        }
        (op, _) => taken_operands(op).contains(&me),
    };
    func.blocks.values().any(|b| {
        b.insts.iter().any(|&i| taken(&func.insts[i]))
            || matches!(b.term, Terminator::Ret(Some(r)) if r == me)
    })
}
