//! What callbacks get of which code outside knows only what the module has registered: the handler of an interrupt, the
//! action of a managed device. Their argument is one of those that were registered with them (assumption `registered-here`).

use crate::fault::{Fault, seeded};
use lockpair_ir::*;
use std::collections::{BTreeMap, HashSet};

/// The functions whose address goes nowhere but into registrations that name the argument, each with the parameter that gets it.
pub fn arguments(module: &Module) -> BTreeMap<FuncId, u32> {
    let mut found: BTreeMap<FuncId, u32> = BTreeMap::new();
    let mut known_otherwise: HashSet<FuncId> = HashSet::new();
    for global in module.globals.values() {
        known_otherwise.extend(global.init.iter().filter_map(|cell| cell.value.func()));
    }
    for func in module.funcs.values() {
        for &i in func.blocks.values().flat_map(|block| &block.insts) {
            let op = &func.insts[i].op;
            let registered = registration(op);
            if let Some((f, n)) = registered
                && *found.entry(f).or_insert(n) != n
            {
                known_otherwise.insert(f);
            }
            let mut others: Vec<FuncId> = op.operands().into_iter().filter_map(Operand::func).collect();
            if let Some(at) = registered.and_then(|(f, _)| others.iter().position(|&other| other == f)) {
                others.swap_remove(at);
            }
            known_otherwise.extend(others);
        }
        known_otherwise.extend(func.blocks.values().filter_map(|block| block.term.operand()?.func()));
    }
    let is_known = |f: FuncId| known_otherwise.contains(&f) && !seeded(Fault::RegisteredOnly);
    found.retain(|&f, _| !is_known(f) && !module.funcs[f].exported);
    found
}

/// The function that is registered, with the parameter that gets the argument.
fn registration(op: &Op) -> Option<(FuncId, u32)> {
    let Op::Register { callback: Some(callback), argument: Some((n, _)), .. } = op else { return None };
    Some((callback.func()?, *n))
}
