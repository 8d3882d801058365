//! Which types the operands and the result of each operation have.

use super::Errors;
use crate::inst::{Callee, CastOp, CmpOp, Inst, Op, Operand, RmwOp};
use crate::module::Function;
use crate::types::Ty;

/// What an operation says of its result.
enum Gives {
    Nothing,
    /// A value of any type.
    Any,
    /// Perhaps a value of any type.
    Maybe,
    /// A value of this type.
    Exactly(Ty),
    /// An integer of any width.
    Int,
}

pub(super) fn check(func: &Function, inst: &Inst, errors: &mut Errors) {
    let result = inst.result.map(|v| func.values[v].ty);
    let ty = |operand: Operand| func.operand_ty(operand);
    check_operands(&inst.op, ty, result, errors);
    check_result(gives(&inst.op, ty), result, errors);
}

fn check_result(gives: Gives, result: Option<Ty>, errors: &mut Errors) {
    let presence_fits = match gives {
        Gives::Nothing => result.is_none(),
        Gives::Maybe => true,
        Gives::Any | Gives::Exactly(_) | Gives::Int => result.is_some(),
    };
    errors.require(presence_fits, 13, || "a result too many or too few".to_owned());
    if let Some(found) = result {
        let type_fits = match gives {
            Gives::Exactly(ty) => found == ty,
            Gives::Int => is_int(found),
            Gives::Nothing | Gives::Any | Gives::Maybe => true,
        };
        errors.require(type_fits, 14, || format!("a result of type {found}"));
    }
}

fn gives(op: &Op, ty: impl Fn(Operand) -> Ty) -> Gives {
    match op {
        Op::Bin(_, a, _) => Gives::Exactly(ty(*a)),
        Op::Cmp(..) => Gives::Exactly(Ty::Int(1)),
        Op::Select { then, .. } => Gives::Exactly(ty(*then)),
        Op::Cast(CastOp::IntToPtr, _) => Gives::Exactly(Ty::Ptr),
        Op::Cast(CastOp::Error, _) => Gives::Any,
        Op::Cast(_, _) | Op::Cpu => Gives::Int,
        Op::PtrAdd { .. } | Op::Alloca { .. } | Op::Alloc { .. } | Op::Data => Gives::Exactly(Ty::Ptr),
        Op::Rmw { value, .. } => Gives::Exactly(ty(*value)),
        Op::CmpXchg { new, .. } => Gives::Exactly(ty(*new)),
        Op::Phi(_) | Op::Load { .. } | Op::Extract { .. } | Op::Havoc => Gives::Any,
        Op::Call { .. } | Op::External { .. } => Gives::Maybe,
        Op::Acquire { success: Some(_), .. } => Gives::Int,
        Op::Acquire { success: None, .. }
        | Op::Release { .. }
        | Op::Store { .. }
        | Op::MemSet { .. }
        | Op::MemCopy { .. }
        | Op::Free { .. }
        | Op::Access { .. }
        | Op::Publish { .. }
        | Op::Register { .. }
        | Op::Unregister { .. } => Gives::Nothing,
    }
}

fn is_int(ty: Ty) -> bool {
    matches!(ty, Ty::Int(_))
}

fn check_operands(op: &Op, ty: impl Fn(Operand) -> Ty, result: Option<Ty>, errors: &mut Errors) {
    let mut require = |holds: bool, what: &str| errors.require(holds, 14, || what.to_owned());
    let int = |operand: &Operand| is_int(ty(*operand));
    let ptr = |operand: &Operand| ty(*operand) == Ty::Ptr;
    match op {
        Op::Bin(_, a, b) => require(int(a) && ty(*a) == ty(*b), "operands must be integers of one width"),
        Op::Cmp(op, a, b) => {
            let signed = matches!(op, CmpOp::Slt | CmpOp::Sle | CmpOp::Sgt | CmpOp::Sge);
            let comparable = int(a) || ptr(a) && !signed;
            require(comparable && ty(*a) == ty(*b), "operands must be integers or pointers of one type");
        }
        Op::Select { cond, then, els } => {
            require(ty(*cond) == Ty::Int(1), "the condition must be an i1");
            require(ty(*then) == ty(*els), "both values must have one type");
        }
        Op::Cast(op, a) => require(cast_fits(*op, ty(*a), result), "no such conversion"),
        Op::Phi(edges) => {
            let fits = edges.iter().all(|(_, v)| Some(ty(*v)) == result || result.is_none());
            require(fits, "all operands must have the result's type");
        }
        Op::PtrAdd { base, scaled, .. } => {
            require(ptr(base) && scaled.iter().all(|(i, _)| int(i)), "a pointer and integers expected");
        }
        Op::Alloca { count: amount, .. } | Op::Alloc { size: amount, .. } => {
            require(int(amount), "the amount must be an integer");
        }
        Op::Load { addr, .. } | Op::Store { addr, .. } => require(ptr(addr), "the address must be a pointer"),
        Op::Rmw { op, addr, value, .. } => {
            let operand = int(value) || ptr(value) && *op == RmwOp::Xchg;
            require(ptr(addr) && operand, "a pointer and an integer expected");
        }
        Op::CmpXchg { addr, expected, new, .. } => {
            let one_type = ty(*expected) == ty(*new) && (int(new) || ptr(new));
            require(ptr(addr) && one_type, "a pointer and two scalars of one type expected");
        }
        Op::MemSet { dst, byte, len } => {
            require(ptr(dst) && ty(*byte) == Ty::Int(8) && int(len), "pointer, i8 and length expected");
        }
        Op::MemCopy { dst, src, len } => {
            require(ptr(dst) && ptr(src) && int(len), "two pointers and a length expected");
        }
        Op::Access { addr, len, .. } => require(ptr(addr) && int(len), "pointer and length expected"),
        Op::Extract { agg, .. } => {
            require(matches!(ty(*agg), Ty::Opaque(_)), "an opaque aggregate expected");
        }
        Op::Call { callee: Callee::Indirect(target, _), .. } => {
            require(ptr(target), "the callee must be a pointer")
        }
        Op::Call { .. } | Op::External { .. } | Op::Havoc | Op::Data | Op::Cpu => {}
        Op::Free { ptr: p, until } => {
            require([p].into_iter().chain(until).all(ptr), "a pointer expected");
        }
        Op::Publish { ptr: p, ok } => {
            let is_number = matches!(ty(*p), Ty::Int(64..));
            require(is_number || ptr(p), "a pointer expected");
            require(ok.is_none_or(|ok| ty(ok) == Ty::Int(1)), "an i1 expected");
        }
        Op::Acquire { lock: p, .. } | Op::Release { lock: p, .. } | Op::Unregister { handle: p, .. } => {
            require(ptr(p), "a pointer expected");
        }
        Op::Register { handle, callback, ok, until, .. } => {
            require([callback, until].into_iter().flatten().chain([handle]).all(ptr), "pointers expected");
            require(ok.is_none_or(|ok| ty(ok) == Ty::Int(1)), "an i1 expected");
        }
    }
}

fn cast_fits(op: CastOp, from: Ty, to: Option<Ty>) -> bool {
    match (op, from, to) {
        (CastOp::Trunc, Ty::Int(from), Some(Ty::Int(to))) => to < from,
        (CastOp::ZExt | CastOp::SExt, Ty::Int(from), Some(Ty::Int(to))) => to > from,
        (CastOp::PtrToInt, Ty::Ptr, Some(Ty::Int(_))) => true,
        (CastOp::IntToPtr, Ty::Int(_), Some(Ty::Ptr)) => true,
        // A missing or wrong result is an error of its own.
        (CastOp::PtrToInt, Ty::Ptr, _) | (CastOp::IntToPtr, Ty::Int(_), _) => true,
        (CastOp::Trunc | CastOp::ZExt | CastOp::SExt, Ty::Int(_), None) => true,
        (CastOp::Error, Ty::Ptr | Ty::Int(64), None | Some(Ty::Ptr | Ty::Int(64))) => true,
        _ => false,
    }
}
