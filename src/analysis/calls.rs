//! Whom an indirect call may call.
//!
//! The function pointer is traced back, inside its function, to the memory it was loaded from. If that
//! is a constant table of the module, the targets are the functions in it. If it is a field
//! of a struct, they are the functions stored in that field anywhere in the module (an assumption each
//! time), and code outside if there are none and the struct is not the module's own. Else they are all
//! functions of the module whose address is taken and that take as many parameters, and code outside as well.

use super::layout::Layout;
use super::points_to::static_path;
use lockpair_ir::*;
use std::collections::{BTreeSet, HashMap, HashSet};

/// The possible targets of one indirect call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Targets {
    /// Functions of the module.
    pub funcs: Vec<FuncId>,
    /// Whether there are no others.
    pub complete: bool,
}

/// The targets of all indirect calls of a module.
#[derive(Default)]
pub struct CallTargets {
    targets: HashMap<(FuncId, InstId), Targets>,
    unknown: Targets,
}

impl CallTargets {
    /// The targets of an indirect call.
    pub fn targets(&self, func: FuncId, inst: InstId) -> &Targets {
        self.targets.get(&(func, inst)).unwrap_or(&self.unknown)
    }

    /// The functions of the module that a function may call, directly or not.
    pub fn callees(&self, module: &Module, func: FuncId) -> Vec<FuncId> {
        let f = &module.funcs[func];
        let mut out = Vec::new();
        for block in f.blocks.values() {
            for &i in &block.insts {
                match &f.insts[i].op {
                    Op::Call { callee: Callee::Func(t), .. } => out.push(*t),
                    Op::Call { callee: Callee::Indirect(_), .. } => {
                        out.extend(self.targets(func, i).funcs.iter().copied());
                    }
                    _ => {}
                }
            }
        }
        out
    }
}

/// Resolves every indirect call of the module; what was assumed goes to the ledger.
pub fn resolve(module: &Module, layout: &Layout, ledger: &mut Ledger) -> CallTargets {
    let stored = Stored::collect(module, layout);
    let mut result = CallTargets::default();
    for (id, func) in module.funcs.iter() {
        for block in func.blocks.values() {
            for &i in &block.insts {
                if let Op::Call { callee: Callee::Indirect(target), args } = &func.insts[i].op {
                    let mut trace = Trace { module, layout, stored: &stored, func, seen: HashSet::new() };
                    let found = trace.targets(*target, args.len());
                    let what = if found.complete {
                        "resolved by its field"
                    } else {
                        "by signature; may also leave the module"
                    };
                    let subject = format!("{} targets, {what}", found.funcs.len());
                    ledger.record(AssumptionKind::IndirectCall, subject, func.insts[i].loc);
                    result.targets.insert((id, i), found);
                }
            }
        }
    }
    result
}

/// Where the addresses of functions are kept.
#[derive(Default)]
struct Stored {
    /// Functions stored in a field, in initializers and in code.
    fields: HashMap<(TypeId, u64), BTreeSet<FuncId>>,
    /// Functions put nobody knows where: by a store through a pointer of which the struct is not known, or by
    /// a copy of a constant without a type (`*p = (struct s) { ... }`).
    elsewhere: BTreeSet<FuncId>,
    /// Whether a pointer to a function of which it is not known which one it is is stored like that.
    unknown_elsewhere: bool,
    /// All functions whose address is taken.
    taken: BTreeSet<FuncId>,
}

impl Stored {
    fn collect(module: &Module, layout: &Layout) -> Stored {
        let mut s = Stored::default();
        for g in module.globals.values() {
            for cell in &g.init {
                let Operand::Func(f) = cell.value else { continue };
                s.taken.insert(f);
                match global_path(module, g, cell.offset) {
                    Some((strukt, offset)) => {
                        s.fields.entry(place(module, layout, strukt, offset)).or_default().insert(f);
                    }
                    None if g.ty.is_none() => {
                        s.elsewhere.insert(f);
                    }
                    None => {}
                }
            }
        }
        for func in module.funcs.values() {
            for block in func.blocks.values() {
                for &i in &block.insts {
                    s.instruction(module, layout, func, &func.insts[i].op);
                }
            }
        }
        s
    }

    fn instruction(&mut self, module: &Module, layout: &Layout, func: &Function, op: &Op) {
        if let Op::Store { addr, value: Operand::Func(f), .. } = op {
            self.taken.insert(*f);
            match static_path(module, func, *addr) {
                Some((strukt, offset)) => {
                    self.fields.entry(place(module, layout, strukt, offset)).or_default().insert(*f);
                }
                None => {
                    self.elsewhere.insert(*f);
                }
            }
            return;
        }
        if let Op::Store { addr, value, .. } = op
            && may_be_function(module, layout, func, *value)
            && static_path(module, func, *addr).is_none()
        {
            self.unknown_elsewhere = true;
        }
        for operand in op.operands() {
            if let Operand::Func(f) = operand {
                self.taken.insert(f);
            }
        }
    }

    /// Whether the module stores a function pointer in the field of which it is not known what it is.
    fn stores_unknown(&self, module: &Module, layout: &Layout, strukt: TypeId, offset: u64) -> bool {
        module.funcs.values().any(|func| {
            func.blocks.values().flat_map(|b| &b.insts).any(|&i| match &func.insts[i].op {
                Op::Store { addr, value, .. } if !matches!(value, Operand::Func(_) | Operand::Null) => {
                    let path = static_path(module, func, *addr);
                    path.is_some_and(|(s, at)| place(module, layout, s, at) == (strukt, offset))
                }
                _ => false,
            })
        })
    }
}

/// Whether the value is a pointer to a function by its declaration, or chosen among functions.
fn may_be_function(module: &Module, layout: &Layout, func: &Function, value: Operand) -> bool {
    let Operand::Value(v) = value else { return matches!(value, Operand::Func(_)) };
    let points_to_function =
        |ty: TypeId| module.pointee(ty).is_some_and(|to| matches!(module.types[to], TypeDef::Func { .. }));
    let Some(inst) = func.values[v].inst else {
        let param = func.params.iter().find(|p| p.value == v);
        return param.and_then(|p| p.decl).is_some_and(points_to_function);
    };
    match &func.insts[inst].op {
        Op::Phi(edges) => edges.iter().any(|(_, op)| matches!(op, Operand::Func(_))),
        Op::Select { then, els, .. } => [then, els].into_iter().any(|op| matches!(op, Operand::Func(_))),
        Op::Load { addr, .. } => {
            let from = static_path(module, func, *addr).map(|(s, at)| layout.innermost(s, at));
            let field = from.and_then(|(s, at)| module.as_struct(s)?.fields.iter().find(|f| f.offset == at));
            field.is_some_and(|f| points_to_function(f.ty))
        }
        _ => false,
    }
}

/// The innermost struct and the offset of the field in it; all elements of an array, and all members of a
/// union, are one.
fn place(module: &Module, layout: &Layout, strukt: TypeId, offset: u64) -> (TypeId, u64) {
    let (inner, at) = layout.innermost(strukt, offset);
    let Some(def) = module.as_struct(inner) else { return (inner, at) };
    let size = |f: &Field| module.size_of(f.ty);
    let field = def.fields.iter().find(|f| f.offset <= at && at < f.offset + size(f));
    (inner, if def.is_union { 0 } else { field.map_or(at, |f| f.offset) })
}

fn global_path(module: &Module, g: &Global, offset: u64) -> Option<(TypeId, u64)> {
    let mut ty = g.ty?;
    while let TypeDef::Array { elem, .. } = &module.types[ty] {
        ty = *elem;
    }
    let size = module.as_struct(ty)?.size.max(1);
    Some((ty, offset % size))
}

struct Trace<'a> {
    module: &'a Module,
    layout: &'a Layout<'a>,
    stored: &'a Stored,
    func: &'a Function,
    seen: HashSet<ValueId>,
}

impl Trace<'_> {
    fn targets(&mut self, pointer: Operand, args: usize) -> Targets {
        match pointer {
            Operand::Func(f) => self.known(BTreeSet::from([f]), true),
            Operand::Null | Operand::Undef(_) => Targets { funcs: vec![], complete: true },
            Operand::Value(v) => self.value(v, args),
            Operand::Int { .. } | Operand::Global(..) => self.by_signature(args),
        }
    }

    fn value(&mut self, v: ValueId, args: usize) -> Targets {
        if !self.seen.insert(v) {
            return Targets { funcs: vec![], complete: true };
        }
        let Some(inst) = self.func.values[v].inst else { return self.by_signature(args) };
        match &self.func.insts[inst].op {
            Op::Phi(edges) => {
                let all = edges.iter().map(|(_, op)| self.targets(*op, args)).collect::<Vec<_>>();
                join(all)
            }
            Op::Select { then, els, .. } => {
                let all = vec![self.targets(*then, args), self.targets(*els, args)];
                join(all)
            }
            Op::Load { addr, .. } => self.loaded(*addr, args),
            _ => self.by_signature(args),
        }
    }

    fn loaded(&self, addr: Operand, args: usize) -> Targets {
        if let Some(g) = self.constant_root(addr) {
            let functions = self.module.globals[g].init.iter().filter_map(|c| match c.value {
                Operand::Func(f) => Some(f),
                _ => None,
            });
            return self.known(functions.filter(|f| self.takes(*f, args)).collect(), true);
        }
        if let Some((strukt, offset)) = static_path(self.module, self.func, addr) {
            let (inner, at) = place(self.module, self.layout, strukt, offset);
            let private = self.module.as_struct(inner).is_some_and(|s| s.module_private);
            let unknown = self.stored.unknown_elsewhere;
            if !unknown && !self.stored.stores_unknown(self.module, self.layout, inner, at) {
                let mut set = self.stored.fields.get(&(inner, at)).cloned().unwrap_or_default();
                let complete = private || !set.is_empty();
                set.extend(self.stored.elsewhere.iter().filter(|f| self.takes(**f, args)));
                return self.known(set, complete);
            }
        }
        self.by_signature(args)
    }

    /// The constant global that the address lies in, whatever the indices.
    fn constant_root(&self, addr: Operand) -> Option<GlobalId> {
        match addr {
            Operand::Global(g, _) => {
                let def = &self.module.globals[g];
                (def.constant && def.defined).then_some(g)
            }
            Operand::Value(v) => match &self.func.insts[self.func.values[v].inst?].op {
                Op::PtrAdd { base, .. } => self.constant_root(*base),
                _ => None,
            },
            Operand::Int { .. } | Operand::Null | Operand::Func(_) | Operand::Undef(_) => None,
        }
    }

    fn by_signature(&self, args: usize) -> Targets {
        self.known(self.stored.taken.iter().copied().filter(|f| self.takes(*f, args)).collect(), false)
    }

    /// Those of the functions that have a body; any other is code outside.
    fn known(&self, all: BTreeSet<FuncId>, complete: bool) -> Targets {
        let (funcs, outside): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|f| self.module.funcs[*f].is_defined());
        Targets { funcs, complete: complete && outside.is_empty() }
    }

    fn takes(&self, f: FuncId, args: usize) -> bool {
        let func = &self.module.funcs[f];
        func.params.len() == args || func.variadic
    }
}

fn join(all: Vec<Targets>) -> Targets {
    let complete = all.iter().all(|t| t.complete);
    let set: BTreeSet<FuncId> = all.into_iter().flat_map(|t| t.funcs).collect();
    Targets { funcs: set.into_iter().collect(), complete }
}
