//! Copies the rounds of loops that make threads, or wait for them, so that each is a thread of its own.

use crate::fault::{Fault, seeded};
use lockpair_env::Model;
use lockpair_ir::constants;
use lockpair_ir::unroll::{Limits, unroll as unroll_loops};
use lockpair_ir::{BlockId, Callee, FuncId, Function, InstId, Module, Op};
use std::collections::HashSet;

/// What is copied at most.
const LIMITS: Limits = Limits { rounds: 32, instructions: 20_000 };

/// Where registering makes a handle, rounds are told apart; other handles are known by their addresses.
/// `is_entry` says which functions are entry points.
pub fn unroll(module: &mut Module, model: &Model, is_entry: &dyn Fn(FuncId) -> bool) {
    let is_own = |op: &Op| match op {
        Op::Register { class, .. } | Op::Unregister { class, .. } => {
            model.handle(class).is_some_and(|row| row.fresh)
        }
        _ => false,
    };
    let within = with_callers(module, &is_own);
    if !within.is_empty() {
        constants::propagate(module, is_entry);
    }
    for &f in &within {
        let copied = unroll_loops(&mut module.funcs[f], LIMITS, &|op| is_own(op) || calls(op, &within));
        if copied && seeded(Fault::LastRoundForgotten) {
            forget_last(&mut module.funcs[f]);
        }
    }
}

/// The fault: what the function registers last is not registered.
fn forget_last(func: &mut Function) {
    let is_registration = |&i: &InstId| matches!(func.insts[i].op, Op::Register { .. });
    let has = |&b: &BlockId| func.blocks[b].insts.iter().any(is_registration);
    let Some(block) = func.blocks.keys().rfind(has) else { return };
    let at = func.blocks[block].insts.iter().position(is_registration);
    at.map(|at| func.blocks[block].insts.remove(at));
}

/// The functions with such an instruction, and those that call them directly.
fn with_callers(module: &Module, is_own: &dyn Fn(&Op) -> bool) -> HashSet<FuncId> {
    let has = |func: &Function, wanted: &dyn Fn(&Op) -> bool| {
        func.blocks.values().flat_map(|b| &b.insts).any(|&i| wanted(&func.insts[i].op))
    };
    let own = module.funcs.iter().filter(|(_, func)| has(func, is_own)).map(|(f, _)| f);
    let mut within: HashSet<FuncId> = own.collect();
    let mut before = 0;
    while within.len() > before {
        before = within.len();
        let callers = module.funcs.iter().filter(|(_, func)| has(func, &|op| calls(op, &within)));
        let callers: Vec<FuncId> = callers.map(|(f, _)| f).collect();
        within.extend(callers);
    }
    within
}

fn calls(op: &Op, of: &HashSet<FuncId>) -> bool {
    matches!(op, Op::Call { callee: Callee::Func(f), .. } if of.contains(f))
}
