//! What is done with values.

use lockpair_ir::*;
use rustc_hash::FxHashSet;

/// The numbers that pointers were turned into for nothing but to be compared.
pub fn only_compared(func: &Function) -> FxHashSet<ValueId> {
    let casts = instructions(func).filter(|(_, inst)| matches!(inst.op, Op::Cast(CastOp::PtrToInt, _)));
    let mut compared: FxHashSet<ValueId> = casts.filter_map(|(_, inst)| inst.result).collect();
    let mut used = |op: Operand| _ = matches!(op, Operand::Value(v) if compared.remove(&v));
    for (_, inst) in instructions(func).filter(|(_, inst)| !matches!(inst.op, Op::Cmp(..))) {
        inst.op.operands().into_iter().for_each(&mut used);
    }
    func.blocks.values().filter_map(|block| block.term.operand()).for_each(used);
    compared
}

fn instructions(func: &Function) -> impl Iterator<Item = (BlockId, &Inst)> {
    func.blocks.iter().flat_map(move |(id, block)| block.insts.iter().map(move |&i| (id, &func.insts[i])))
}
