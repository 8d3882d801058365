//! Where pointers may be cut into pieces, or put together from them: by numbers of fewer bits than a pointer has, which
//! nobody follows. What is only compared, or is an index, goes nowhere and is no piece.

use lockpair_ir::*;
use std::collections::HashSet;

/// A place where a pointer may be cut into pieces or put together.
pub enum Piece {
    /// The number, or pointer, is made narrower.
    Of(Operand),
    /// A number narrower than a pointer is read from the address or written to it.
    At(Operand),
}

/// All in the function.
pub fn find(func: &Function) -> Vec<Piece> {
    let used = used(func);
    let is_used = |inst: &Inst| inst.result.is_some_and(|v| used.contains(&v));
    let insts = func.blocks.values().flat_map(|b| b.insts.iter().map(|&i| &func.insts[i]));
    let piece = |inst: &Inst| match &inst.op {
        Op::Cast(_, whole) if is_used(inst) && is_narrow(func, inst.result?) => {
            (!is_narrow_operand(func, *whole)).then_some(Piece::Of(*whole))
        }
        Op::Load { addr, .. } if is_used(inst) && is_narrow(func, inst.result?) => Some(Piece::At(*addr)),
        Op::Store { addr, value: value @ Operand::Value(_), .. }
        | Op::Rmw { addr, value: value @ Operand::Value(_), .. }
        | Op::CmpXchg { addr, new: value @ Operand::Value(_), .. }
            if is_narrow_operand(func, *value) =>
        {
            Some(Piece::At(*addr))
        }
        _ => None,
    };
    insts.filter_map(piece).collect()
}

/// The values that get anywhere, or become a pointer again: all but those that are only compared, and indices.
fn used(func: &Function) -> HashSet<ValueId> {
    let insts = func.blocks.values().flat_map(|b| b.insts.iter().map(|&i| &func.insts[i]));
    let (computed, others): (Vec<&Inst>, Vec<&Inst>) = insts.partition(|inst| is_computed(func, inst));
    let ends = others.iter().flat_map(|inst| match &inst.op {
        Op::Cmp(..) => vec![],
        Op::PtrAdd { base, .. } => vec![*base],
        op => op.operands(),
    });
    let returned = func.blocks.values().filter_map(|b| match b.term {
        Terminator::Ret(value) => value,
        _ => None,
    });
    let mut used: HashSet<ValueId> = ends.chain(returned).filter_map(value).collect();
    // What is computed from others comes after them, but for phis.
    let mut before = usize::MAX;
    while before != used.len() {
        before = used.len();
        for inst in computed.iter().rev() {
            if !inst.result.is_some_and(|v| used.contains(&v)) {
                continue;
            }
            let operands = match &inst.op {
                Op::Select { then, els, .. } => vec![*then, *els],
                op => op.operands(),
            };
            used.extend(operands.into_iter().filter_map(value));
        }
    }
    used
}

/// Whether it only makes a number from others.
fn is_computed(func: &Function, inst: &Inst) -> bool {
    let number = inst.result.is_some_and(|v| func.values[v].ty != Ty::Ptr);
    number && matches!(inst.op, Op::Bin(..) | Op::Cast(..) | Op::Select { .. } | Op::Phi(_))
}

fn value(operand: Operand) -> Option<ValueId> {
    match operand {
        Operand::Value(v) => Some(v),
        _ => None,
    }
}

fn is_narrow(func: &Function, v: ValueId) -> bool {
    matches!(func.values[v].ty, Ty::Int(2..64))
}

fn is_narrow_operand(func: &Function, operand: Operand) -> bool {
    matches!(func.operand_ty(operand), Ty::Int(..64))
}
