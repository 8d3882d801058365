//! What is done with values: which are pointers to structs wherever they are used.
//!
//! Pointers have no types in the code that we get, so that one value may be taken for a struct in one branch and for
//! something else in another.

use crate::fault::{Fault, seeded};
use lockpair_ir::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// The values of which a member is named before everything else that is done with them, whichever way that is reached.
pub fn as_struct_throughout(func: &Function) -> FxHashSet<ValueId> {
    let mut named: FxHashMap<ValueId, Vec<BlockId>> = FxHashMap::default();
    for (block, inst) in instructions(func) {
        if let Op::PtrAdd { base: Operand::Value(v), within: Some(_), .. } = inst.op {
            named.entry(v).or_default().push(block);
        }
    }
    let mut sure: FxHashSet<ValueId> = named.keys().copied().collect();
    if sure.is_empty() || seeded(Fault::UsedOnceUsedAlways) {
        return sure;
    }
    let cfg = Cfg::new(func);
    let mut used = |block: BlockId, op: Operand| {
        if let Operand::Value(v) = op
            && sure.contains(&v)
            && !named[&v].iter().any(|&at| at == block || cfg.dominates(at, block))
        {
            sure.remove(&v);
        }
    };
    for (block, inst) in instructions(func) {
        match &inst.op {
            Op::Phi(edges) => edges.iter().for_each(|&(from, op)| used(from, op)),
            // Nothing is reached by comparing.
            Op::Cmp(..) => {}
            op => op.operands().into_iter().for_each(|op| used(block, op)),
        }
    }
    for (id, block) in func.blocks.iter() {
        block.term.operand().into_iter().for_each(|op| used(id, op));
    }
    sure
}

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
