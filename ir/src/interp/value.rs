//! Concrete values and the arithmetic on them.
//!
//! A pointer is the 64-bit address that [`super::memory`] gives to a byte, so conversions between pointers
//! and integers are exact.

use super::StuckReason;
use crate::inst::{BinOp, CastOp, CmpOp, RmwOp};
use crate::types::Ty;

/// What a register holds.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Val {
    /// An integer, or an address.
    Int(u128),
    /// The bytes of an opaque value.
    Bytes(Vec<u8>),
}

/// The low bits of the value.
pub(super) fn truncate(value: u128, bits: u16) -> u128 {
    if bits >= 128 { value } else { value & ((1 << bits) - 1) }
}

/// The value as a two's complement number of `bits` bits.
pub(super) fn signed(value: u128, bits: u16) -> i128 {
    if bits == 0 {
        return 0;
    }
    let shift = 128 - u32::from(bits.min(128));
    ((value << shift) as i128) >> shift
}

/// Whether the operation has a result that does not depend on the machine.
pub(super) fn is_defined(op: BinOp, a: u128, b: u128, bits: u16) -> bool {
    match op {
        BinOp::Shl | BinOp::LShr | BinOp::AShr => b < u128::from(bits),
        BinOp::SDiv | BinOp::SRem => {
            signed(b, bits) != -1 || bits == 0 || signed(a, bits) != signed(1 << (bits - 1), bits)
        }
        _ => true,
    }
}

/// The width of the integers that stand for the type; 128 for an opaque one.
pub(crate) fn width(ty: Ty) -> u16 {
    match ty {
        Ty::Int(bits) => bits,
        Ty::Ptr => 64,
        Ty::Opaque(_) => 128,
    }
}

impl Val {
    /// The value of the type whose bytes are these, lowest first.
    pub(super) fn from_bytes(bytes: &[u8], ty: Ty) -> Val {
        match ty {
            Ty::Opaque(_) => Val::Bytes(bytes.to_vec()),
            Ty::Int(_) | Ty::Ptr => {
                let value = bytes.iter().take(16).rev().fold(0, |v, &b| (v << 8) | u128::from(b));
                Val::Int(truncate(value, width(ty)))
            }
        }
    }

    /// The bytes in memory of the value as one of the type.
    pub(super) fn to_bytes(&self, ty: Ty) -> Vec<u8> {
        let mut bytes = match self {
            Val::Int(value) => value.to_le_bytes().to_vec(),
            Val::Bytes(bytes) => bytes.clone(),
        };
        bytes.resize(usize::try_from(ty.bytes()).unwrap_or(0), 0);
        bytes
    }

    /// The value as one of the type: calls through pointers need not agree on types.
    pub(super) fn coerce(self, ty: Ty) -> Val {
        match (&self, ty) {
            (Val::Int(value), Ty::Int(_) | Ty::Ptr) => Val::Int(truncate(*value, width(ty))),
            _ => Val::from_bytes(&self.to_bytes(ty), ty),
        }
    }

    /// The value as a number.
    pub(crate) fn number(&self) -> u128 {
        match self {
            Val::Int(value) => *value,
            Val::Bytes(bytes) => bytes.iter().take(16).rev().fold(0, |v, &b| (v << 8) | u128::from(b)),
        }
    }

    /// The value as an address.
    pub(super) fn address(&self) -> u64 {
        self.number() as u64
    }
}

/// `a op b` on `bits` bits. Shifts by too much shift everything out.
pub(crate) fn binary(op: BinOp, a: u128, b: u128, bits: u16) -> Result<u128, StuckReason> {
    let (sa, sb) = (signed(a, bits), signed(b, bits));
    let divides = matches!(op, BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem);
    if divides && truncate(b, bits) == 0 {
        return Err(StuckReason::DivisionByZero);
    }
    let shift = if b < u128::from(bits) { b as u32 } else { 128 };
    let result = match op {
        BinOp::Add => a.wrapping_add(b),
        BinOp::Sub => a.wrapping_sub(b),
        BinOp::Mul => a.wrapping_mul(b),
        BinOp::UDiv => a / b,
        BinOp::URem => a % b,
        BinOp::SDiv => sa.wrapping_div(sb) as u128,
        BinOp::SRem => sa.wrapping_rem(sb) as u128,
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
        BinOp::Shl => a.checked_shl(shift).unwrap_or(0),
        BinOp::LShr => a.checked_shr(shift).unwrap_or(0),
        BinOp::AShr => (sa >> shift.min(127)) as u128,
    };
    Ok(truncate(result, bits))
}

/// Whether `a op b` holds on `bits` bits.
pub(crate) fn compare(op: CmpOp, a: u128, b: u128, bits: u16) -> bool {
    let (sa, sb) = (signed(a, bits), signed(b, bits));
    match op {
        CmpOp::Eq => a == b,
        CmpOp::Ne => a != b,
        CmpOp::Ult => a < b,
        CmpOp::Ule => a <= b,
        CmpOp::Ugt => a > b,
        CmpOp::Uge => a >= b,
        CmpOp::Slt => sa < sb,
        CmpOp::Sle => sa <= sb,
        CmpOp::Sgt => sa > sb,
        CmpOp::Sge => sa >= sb,
    }
}

/// The value of type `from`, converted to type `to`.
pub(crate) fn convert(op: CastOp, value: Val, from: Ty, to: Ty) -> Val {
    match op {
        CastOp::SExt => Val::Int(truncate(signed(value.number(), width(from)) as u128, width(to))),
        CastOp::Trunc | CastOp::ZExt | CastOp::PtrToInt | CastOp::IntToPtr | CastOp::Error => {
            value.coerce(to)
        }
    }
}

/// What a read-modify-write puts.
pub(super) fn modify(op: RmwOp, old: u128, operand: u128, bits: u16) -> u128 {
    let result = match op {
        RmwOp::Xchg => operand,
        RmwOp::Add => old.wrapping_add(operand),
        RmwOp::Sub => old.wrapping_sub(operand),
        RmwOp::And => old & operand,
        RmwOp::Or => old | operand,
        RmwOp::Xor => old ^ operand,
    };
    truncate(result, bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_wraps_at_its_width() {
        assert_eq!(binary(BinOp::Add, 0xff, 1, 8), Ok(0));
        assert_eq!(binary(BinOp::Sub, 0, 1, 16), Ok(0xffff));
        assert_eq!(binary(BinOp::Mul, u128::MAX, 2, 128), Ok(u128::MAX - 1));
    }

    #[test]
    fn signed_operations_see_the_sign() {
        assert_eq!(binary(BinOp::SDiv, 0xfe, 2, 8), Ok(0xff), "-2 / 2 == -1");
        assert_eq!(binary(BinOp::SRem, 0xfd, 2, 8), Ok(0xff), "-3 % 2 == -1");
        assert_eq!(binary(BinOp::AShr, 0x80, 1, 8), Ok(0xc0));
        assert_eq!(binary(BinOp::SDiv, 0x80, 0xff, 8), Ok(0x80), "the least number has no negation");
        assert!(compare(CmpOp::Slt, 0xff, 0, 8) && !compare(CmpOp::Ult, 0xff, 0, 8));
        assert_eq!(convert(CastOp::SExt, Val::Int(0xff), Ty::Int(8), Ty::Int(16)), Val::Int(0xffff));
        assert_eq!(convert(CastOp::ZExt, Val::Int(0xff), Ty::Int(8), Ty::Int(16)), Val::Int(0xff));
    }

    #[test]
    fn too_large_shifts_shift_everything_out() {
        assert_eq!(binary(BinOp::Shl, 1, 8, 8), Ok(0));
        assert_eq!(binary(BinOp::LShr, 0x80, 200, 8), Ok(0));
        assert_eq!(binary(BinOp::AShr, 0x80, 8, 8), Ok(0xff));
        assert_eq!(binary(BinOp::Shl, 1, 127, 128), Ok(1 << 127));
    }

    #[test]
    fn division_by_zero_is_an_error() {
        for op in [BinOp::UDiv, BinOp::SDiv, BinOp::URem, BinOp::SRem] {
            assert_eq!(binary(op, 1, 0, 32), Err(StuckReason::DivisionByZero));
        }
    }

    #[test]
    fn bytes_round_trip() {
        for (value, ty) in [(0x1234, Ty::Int(32)), (1, Ty::Int(1)), (7 << 32, Ty::Ptr)] {
            assert_eq!(Val::from_bytes(&Val::Int(value).to_bytes(ty), ty), Val::Int(value));
        }
    }
}
