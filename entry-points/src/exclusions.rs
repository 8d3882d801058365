//! Exclusions that a module does without: the kernel holds one lock per transmit queue, so a device with several queues
//! transmits several packets at a time.

use lockpair_env::schema::ExclusionRow;
use lockpair_ir::{BinOp, Callee, FuncId, Function, Module, Op, Operand};

/// Whether the module is seen to do what the exclusion does not hold for.
pub(crate) fn is_withdrawn(module: &Module, row: &ExclusionRow) -> bool {
    let does = |func: &Function, op: &Op| match op {
        Op::Call { callee: Callee::Func(f), args } => has_several(module, row, *f, args),
        Op::Store { addr, value, .. } => switches_off(module, row, func, *addr, *value),
        _ => false,
    };
    module.funcs.values().any(|func| {
        func.blocks.values().flat_map(|block| &block.insts).any(|&i| does(func, &func.insts[i].op))
    })
}

/// Whether it is a call with any other number than one.
fn has_several(module: &Module, row: &ExclusionRow, callee: FuncId, args: &[Operand]) -> bool {
    let name = &module.funcs[callee].name;
    let counts = row.single.iter().filter(|(function, _)| function == name);
    counts.filter_map(|(_, arg)| args.get(*arg as usize)).any(|n| !matches!(n, Operand::Int { value: 1, .. }))
}

/// Whether one of the bits is put into its member.
fn switches_off(module: &Module, row: &ExclusionRow, func: &Function, addr: Operand, value: Operand) -> bool {
    let Some(Op::PtrAdd { offset, within: Some(strukt), .. }) = made_by(func, addr) else { return false };
    let Some(def) = module.as_struct(*strukt) else { return false };
    row.off.iter().any(|(tag, member, bits)| {
        let at = module.field_named(*strukt, member).and_then(|(at, _)| i64::try_from(at).ok());
        def.name == *tag && at == Some(*offset) && may_have(func, value, u128::from(*bits), MOST)
    })
}

/// So many steps are looked back for a constant.
const MOST: usize = 16;

/// Whether a constant with such a bit is in a value.
fn may_have(func: &Function, value: Operand, bits: u128, steps: usize) -> bool {
    let Some(less) = steps.checked_sub(1) else { return true };
    if let Operand::Int { value, .. } = value {
        return value & bits != 0;
    }
    match made_by(func, value) {
        Some(Op::Bin(BinOp::Or | BinOp::Add | BinOp::Xor, a, b)) => {
            may_have(func, *a, bits, less) || may_have(func, *b, bits, less)
        }
        Some(Op::Bin(BinOp::And, a, b)) => may_have(func, *a, bits, less) && may_have(func, *b, bits, less),
        Some(Op::Select { then, els, .. }) => {
            may_have(func, *then, bits, less) || may_have(func, *els, bits, less)
        }
        Some(Op::Phi(edges)) => edges.iter().any(|(_, edge)| may_have(func, *edge, bits, less)),
        Some(Op::Cast(_, inner)) => may_have(func, *inner, bits, less),
        Some(Op::Call { .. }) => true,
        // What was there before has been put there by somebody.
        _ => false,
    }
}

fn made_by(func: &Function, value: Operand) -> Option<&Op> {
    match value {
        Operand::Value(v) => Some(&func.insts[func.values[v].inst?].op),
        _ => None,
    }
}
