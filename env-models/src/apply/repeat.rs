//! What a function of the kernel calls of the driver it calls any number of times: for each child of a device, for each resource, or
//! not at all. So each call that a row makes gets a loop of its own, and nobody knows how often that is gone through.

use lockpair_ir::{Block, BlockId, Function, InstId, Op, Operand, Terminator, Ty};

/// Puts a loop around instructions that follow each other in one block, and define nothing that others use.
pub(super) fn repeat(func: &mut Function, insts: &[InstId]) {
    let start = |block: &Block| block.insts.windows(insts.len()).position(|window| window == insts);
    let found = func.blocks.iter().find_map(|(id, block)| Some((id, start(block)?)));
    let (block, at) = found.expect("what was emitted is in a block");
    let old = func.blocks[block].clone();
    let loc = func.insts[insts[0]].loc;
    let (asks, again) = func.add_inst(Op::Havoc, Some(Ty::Int(1)), loc);
    let again = Operand::Value(again.expect("a result was asked for"));

    let tail = func.blocks.push(Block { insts: old.insts[at + insts.len()..].to_vec(), ..old.clone() });
    let mut goes_to = |insts: Vec<InstId>, term| func.blocks.push(Block { insts, term, term_loc: loc });
    let body = goes_to(insts.to_vec(), Terminator::Unreachable);
    let head = goes_to(vec![asks], Terminator::CondBr(again, body, tail));
    func.blocks[body].term = Terminator::Br(head);
    let before = old.insts[..at].to_vec();
    func.blocks[block] = Block { insts: before, term: Terminator::Br(head), term_loc: loc };
    for next in old.term.successors() {
        come_from(func, next, (block, tail));
    }
}

/// The block is entered from another one now.
fn come_from(func: &mut Function, block: BlockId, (old, new): (BlockId, BlockId)) {
    for i in func.blocks[block].insts.clone() {
        if let Op::Phi(edges) = &mut func.insts[i].op {
            edges.iter_mut().filter(|(from, _)| *from == old).for_each(|(from, _)| *from = new);
        }
    }
}
