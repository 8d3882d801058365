//! Copies the rounds of loops that make threads, or wait for them, so that each is a thread of its own; and of those that
//! register or end the parts of a variable, an array of attributes, so that it is seen that all have ended.

use crate::fault::{Fault, seeded};
use lockpair_env::Model;
use lockpair_ir::constants;
use lockpair_ir::unroll::{Element, Limits, unroll as unroll_loops};
use lockpair_ir::{
    BlockId, Callee, FuncId, Function, Global, GlobalId, InstId, Module, Op, Operand, PrimaryMap, ValueId,
};
use std::collections::HashSet;

type Globals = PrimaryMap<GlobalId, Global>;

/// What is copied at most.
const LIMITS: Limits = Limits { rounds: 32, instructions: 20_000 };
/// The same of what registers parts of a variable.
const PARTS: Limits = Limits { rounds: 128, ..LIMITS };

/// Where registering makes a handle, rounds are told apart; other handles are known by their addresses, but not what they are
/// registered through.
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
        let wanted = |_: &Function, op: &Op| (is_own(op) || calls(op, &within)).then_some(None);
        let copied = unroll_loops(&mut module.funcs[f], LIMITS, &wanted);
        if copied && seeded(Fault::LastRoundForgotten) {
            forget_last(&mut module.funcs[f]);
        }
    }
    let Module { funcs, globals, .. } = module;
    for func in funcs.values_mut() {
        unroll_loops(func, PARTS, &|func, op| registered_part(globals, func, through(op)?));
    }
}

/// Whether the value is a part of a variable, by an index, or what a constant variable has there; which one, if that is one index.
fn registered_part(globals: &Globals, func: &Function, v: ValueId) -> Option<Option<Element>> {
    match func.values[v].inst.map(|i| &func.insts[i].op) {
        Some(Op::PtrAdd { .. }) => indexed_part(globals, func, v, 0),
        Some(Op::Load { addr: Operand::Value(addr), .. }) => {
            constants::root(globals, func, Operand::Value(*addr))?;
            indexed_part(globals, func, *addr, 0)
        }
        _ => None,
    }
}

/// The same of an address at an offset in a part.
fn indexed_part(globals: &Globals, func: &Function, v: ValueId, offset: i64) -> Option<Option<Element>> {
    let Op::PtrAdd { base, offset: own, scaled, .. } = &func.insts[func.values[v].inst?].op else {
        return None;
    };
    let offset = offset + own;
    match (base, &scaled[..]) {
        (Operand::Value(base), []) => indexed_part(globals, func, *base, offset),
        (Operand::Value(base), _) => indexed_part(globals, func, *base, offset).map(|_| None),
        (Operand::Global(..), []) => None,
        (Operand::Global(g, from), [(index, stride)]) => {
            let left =
                u64::try_from(i128::from(globals[*g].size) - i128::from(*from) - i128::from(offset)).ok();
            let stride = u64::try_from(*stride).ok().filter(|stride| *stride > 0);
            Some(
                left.zip(stride)
                    .map(|(left, stride)| Element { index: *index, count: left.div_ceil(stride) }),
            )
        }
        (Operand::Global(..), _) => Some(None),
        _ => None,
    }
}

/// Through what the operation registers or ends something, if that is computed.
fn through(op: &Op) -> Option<ValueId> {
    match op {
        Op::Register { through: Some(Operand::Value(v)), .. }
        | Op::Unregister { through: Some(Operand::Value(v)), .. } => Some(*v),
        _ => None,
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
