//! The words for the closed enumerations, in one table each for both directions.

use crate::inst::{BinOp, CastOp, CmpOp, LockMode, Mark, Ordering, RmwOp, Success};

pub(super) const BIN: &[(&str, BinOp)] = &[
    ("add", BinOp::Add),
    ("sub", BinOp::Sub),
    ("mul", BinOp::Mul),
    ("udiv", BinOp::UDiv),
    ("sdiv", BinOp::SDiv),
    ("urem", BinOp::URem),
    ("srem", BinOp::SRem),
    ("and", BinOp::And),
    ("or", BinOp::Or),
    ("xor", BinOp::Xor),
    ("shl", BinOp::Shl),
    ("lshr", BinOp::LShr),
    ("ashr", BinOp::AShr),
];

pub(super) const CMP: &[(&str, CmpOp)] = &[
    ("eq", CmpOp::Eq),
    ("ne", CmpOp::Ne),
    ("ult", CmpOp::Ult),
    ("ule", CmpOp::Ule),
    ("ugt", CmpOp::Ugt),
    ("uge", CmpOp::Uge),
    ("slt", CmpOp::Slt),
    ("sle", CmpOp::Sle),
    ("sgt", CmpOp::Sgt),
    ("sge", CmpOp::Sge),
];

pub(super) const CAST: &[(&str, CastOp)] = &[
    ("trunc", CastOp::Trunc),
    ("zext", CastOp::ZExt),
    ("sext", CastOp::SExt),
    ("ptrtoint", CastOp::PtrToInt),
    ("error", CastOp::Error),
    ("inttoptr", CastOp::IntToPtr),
];

pub(super) const RMW: &[(&str, RmwOp)] = &[
    ("xchg", RmwOp::Xchg),
    ("add", RmwOp::Add),
    ("sub", RmwOp::Sub),
    ("and", RmwOp::And),
    ("or", RmwOp::Or),
    ("xor", RmwOp::Xor),
];

pub(super) const ORDER: &[(&str, Ordering)] = &[
    ("relaxed", Ordering::Relaxed),
    ("acquire", Ordering::Acquire),
    ("release", Ordering::Release),
    ("acqrel", Ordering::AcqRel),
    ("seqcst", Ordering::SeqCst),
];

pub(super) const MARK: &[(&str, Mark)] = &[
    ("plain", Mark::Plain),
    ("volatile", Mark::Volatile),
    ("relaxed", Mark::Atomic(Ordering::Relaxed)),
    ("acquire", Mark::Atomic(Ordering::Acquire)),
    ("release", Mark::Atomic(Ordering::Release)),
    ("acqrel", Mark::Atomic(Ordering::AcqRel)),
    ("seqcst", Mark::Atomic(Ordering::SeqCst)),
];

pub(super) const MODE: &[(&str, LockMode)] =
    &[("shared", LockMode::Shared), ("exclusive", LockMode::Exclusive)];

pub(super) const SUCCESS: &[(&str, Success)] =
    &[("if_zero", Success::Zero), ("if_no_error", Success::NoError), ("if_nonzero", Success::NonZero)];

/// The word for a value. Tables are total, which a test checks; a missing entry prints as `?`.
pub(super) fn word_of<T: PartialEq>(table: &[(&'static str, T)], value: &T) -> &'static str {
    table.iter().find(|(_, v)| v == value).map_or("?", |(word, _)| word)
}

/// The value of a word.
pub(super) fn value_of<T: Copy>(table: &[(&str, T)], word: &str) -> Option<T> {
    table.iter().find(|(w, _)| *w == word).map(|(_, v)| *v)
}
