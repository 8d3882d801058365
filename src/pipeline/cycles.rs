//! Gives each cycle of the control flow one head, so that what a loop does can be encoded. A function that stays irreducible
//! is summarized as anything.

use crate::fault::{Fault, seeded};
use lockpair_ir::reduce::make_reducible;
use lockpair_ir::{Function, Module, Op};

/// So many instructions the copies of blocks in a function may have.
const COPIED: usize = 10_000;

/// Splits the blocks of cycles that are entered at several.
pub fn split(module: &mut Module) {
    for func in module.funcs.values_mut() {
        let blocks = func.blocks.len();
        make_reducible(func, COPIED);
        if seeded(Fault::SplitBlocksOnlyRead) {
            forget_stores(func, blocks);
        }
    }
}

/// The fault: what was copied stores nothing.
fn forget_stores(func: &mut Function, from: usize) {
    let Function { blocks, insts, .. } = func;
    for block in blocks.values_mut().skip(from) {
        block.insts.retain(|&i| !matches!(insts[i].op, Op::Store { .. }));
    }
}
