//! Whom an indirect call may call.
//!
//! The function pointer is traced back to where it was taken: through parameters and results of functions that
//! only the module calls, and through memory. Of a constant table of the module, the targets are the functions in it.
//! Of a field of a struct, or of a global, they are those stored there anywhere in the module (an assumption each
//! time), and code outside if there are none and the struct is not the module's own ([`flow`]). Where that leads
//! nowhere they are all functions of the module whose address is taken and that may be called so, and code outside as
//! well. Where the environment model has a row for the member, a function with what the row says stands for
//! the code outside.

mod flow;

use super::declared;
use super::layout::Layout;
use crate::fault::{Fault, seeded};
use flow::{Flow, Pointees};
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
                    Op::Call { callee: Callee::Indirect(..), .. } => {
                        out.extend(self.targets(func, i).funcs.iter().copied());
                    }
                    _ => {}
                }
            }
        }
        out
    }
}

/// The functions that a function calls directly, once for each call.
pub fn direct_callees(module: &Module, func: FuncId) -> Vec<FuncId> {
    let f = &module.funcs[func];
    let called = f.blocks.values().flat_map(|b| &b.insts).filter_map(|&i| match &f.insts[i].op {
        Op::Call { callee: Callee::Func(t), .. } => Some(*t),
        _ => None,
    });
    called.collect()
}

/// Resolves every indirect call of the module; what was assumed goes to the ledger. `outside` are the functions that
/// others may call: entry points, and all whose address is taken.
pub fn resolve(
    module: &Module,
    layout: &Layout,
    outside: &HashSet<FuncId>,
    ledger: &mut Ledger,
) -> CallTargets {
    let flow = Flow::solve(module, layout, outside);
    let mut result = CallTargets::default();
    for (id, func) in module.funcs.iter() {
        for &i in func.blocks.values().flat_map(|b| &b.insts) {
            if let Op::Call { callee: Callee::Indirect(target, outside), args } = &func.insts[i].op {
                let gives = func.insts[i].result.map(|value| func.values[value].ty);
                let prototype = declared::prototype(module, func, *target);
                let call = Call { module, args: args.len(), result: gives, prototype };
                let found = targets(&call, &flow, flow.pointees(id, *target)).or_else(*outside);
                ledger.record(AssumptionKind::IndirectCall, found.subject(), func.insts[i].loc);
                result.targets.insert((id, i), found.targets);
            }
        }
    }
    result
}

/// The targets of a call, and how they were found.
struct Found {
    targets: Targets,
    by_signature: bool,
}

impl Found {
    /// With what the environment model says of the code outside in place of that code. Where the module has functions
    /// of its own in a member, others may still have theirs.
    fn or_else(mut self, outside: Option<FuncId>) -> Found {
        self.targets.funcs.extend(outside);
        self.targets.complete |= outside.is_some();
        self
    }

    fn subject(&self) -> String {
        let count = self.targets.funcs.len();
        match (self.by_signature, self.targets.complete) {
            (true, false) => format!("{count} targets, by signature; may also leave the module"),
            (true, true) => format!("{count} targets, by signature"),
            (false, false) => format!("{count} targets, by what is stored; may also leave the module"),
            (false, true) => format!("{count} targets, by what is stored"),
        }
    }
}

/// How a function is called.
struct Call<'m> {
    module: &'m Module,
    /// The number of arguments.
    args: usize,
    /// What it gives.
    result: Option<Ty>,
    /// What the pointer's functions are declared to take.
    prototype: Option<&'m [TypeId]>,
}

impl Call<'_> {
    /// Whether the function may be called so: it takes as many parameters, and none that is declared to be something else,
    /// and gives no pointer for a number, or a number of another size. (The kernel checks prototypes at calls, kCFI.)
    fn suits(&self, f: FuncId) -> bool {
        let func = &self.module.funcs[f];
        if func.variadic {
            return true;
        }
        let other_result = func.ret.zip(self.result).is_some_and(|(a, b)| a != b);
        let declared = func.params.iter().map(|p| p.decl);
        let mut pairs = declared.zip(self.prototype.unwrap_or_default());
        func.params.len() == self.args
            && !other_result
            && pairs.all(|(a, &b)| a.is_none_or(|a| self.may_stand_for(a, b)))
    }

    /// Whether who passes the one may mean the other: anything may be a pointer to characters or to nothing.
    fn may_stand_for(&self, a: TypeId, b: TypeId) -> bool {
        let types = &self.module.types;
        match (&types[a], &types[b]) {
            (TypeDef::Ptr(x), TypeDef::Ptr(y)) => match (&types[*x], &types[*y]) {
                (TypeDef::Struct(_), TypeDef::Struct(_)) => x == y,
                _ => !seeded(Fault::PrototypesExact) || x == y,
            },
            (TypeDef::Ptr(_), TypeDef::Int { bits, .. }) | (TypeDef::Int { bits, .. }, TypeDef::Ptr(_)) => {
                *bits == 64
            }
            _ => true,
        }
    }
}

fn targets(call: &Call, flow: &Flow, pointees: Pointees) -> Found {
    let module = call.module;
    let takes = |f: &FuncId| call.suits(*f);
    let by_signature = pointees.unknown;
    let mut all: BTreeSet<FuncId> =
        if by_signature { flow.taken().iter().copied().filter(takes).collect() } else { pointees.funcs };
    if pointees.elsewhere {
        all.extend(flow.elsewhere().iter().copied().filter(takes));
    }
    // Those that have a body; any other is code outside.
    let (funcs, declared): (Vec<_>, Vec<_>) = all.into_iter().partition(|f| module.funcs[*f].is_defined());
    let complete = !by_signature && !pointees.outside && declared.is_empty();
    Found { targets: Targets { funcs, complete }, by_signature }
}
