//! LLVM's own functions: what each family means in the IR.

use lockpair_ir::BinOp;

/// What a call of an intrinsic becomes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Intrinsic {
    /// Nothing at all.
    Nothing,
    /// Its first argument.
    First,
    /// An arbitrary value of its result type.
    Arbitrary,
    /// Zero.
    Zero,
    /// The largest size, or zero if its second argument asks for the smallest.
    ObjectSize,
    /// A copy: destination, source, length.
    Copy,
    /// A fill: destination, byte, length.
    Fill,
    /// Arithmetic whose result has a second part that tells of overflow; whether it is signed.
    Overflow(BinOp, bool),
    /// The smaller or larger argument.
    Choose(lockpair_ir::CmpOp),
    /// An arbitrary value is written to the list of arguments that the first argument points to.
    StartArguments,
    /// A copy of a list of arguments.
    CopyArguments,
    /// Not known here: a call of a function with that name.
    Unknown,
}

/// Families by the beginning of the name, without `llvm.`; the first that fits counts.
const FAMILIES: &[(&str, Intrinsic)] = {
    use Intrinsic::*;
    use lockpair_ir::CmpOp::*;
    &[
        ("dbg.", Nothing),
        ("lifetime.", Nothing),
        ("invariant.end", Nothing),
        ("invariant.start", Arbitrary),
        ("assume", Nothing),
        ("experimental.noalias.scope", Nothing),
        ("sideeffect", Nothing),
        ("donothing", Nothing),
        ("pseudoprobe", Nothing),
        ("prefetch", Nothing),
        ("var.annotation", Nothing),
        ("stackrestore", Nothing),
        ("write_register", Nothing),
        ("va_end", Nothing),
        ("va_start", StartArguments),
        ("va_copy", CopyArguments),
        ("debugtrap", Nothing),
        ("ubsantrap", Nothing),
        ("trap", Nothing),
        ("instrprof", Nothing),
        ("expect", First),
        ("annotation", First),
        ("ptr.annotation", First),
        ("launder.invariant.group", First),
        ("strip.invariant.group", First),
        ("threadlocal.address", First),
        ("ssa.copy", First),
        ("arithmetic.fence", First),
        ("is.constant", Zero),
        ("objectsize", ObjectSize),
        ("memcpy", Copy),
        ("memmove", Copy),
        ("memset", Fill),
        ("uadd.with.overflow", Overflow(BinOp::Add, false)),
        ("usub.with.overflow", Overflow(BinOp::Sub, false)),
        ("umul.with.overflow", Overflow(BinOp::Mul, false)),
        ("sadd.with.overflow", Overflow(BinOp::Add, true)),
        ("ssub.with.overflow", Overflow(BinOp::Sub, true)),
        ("smul.with.overflow", Overflow(BinOp::Mul, true)),
        ("umin.i", Choose(Ult)),
        ("umax.i", Choose(Ugt)),
        ("smin.i", Choose(Slt)),
        ("smax.i", Choose(Sgt)),
    ]
};

/// Families without access to memory, whose result is not looked into.
const PURE: &[&str] = &[
    "stacksave",
    "read_register",
    "read_volatile_register",
    "readcyclecounter",
    "readsteadycounter",
    "returnaddress",
    "addressofreturnaddress",
    "frameaddress",
    "sponentry",
    "localaddress",
    "thread.pointer",
    "bswap",
    "bitreverse",
    "ctpop",
    "ctlz",
    "cttz",
    "fshl",
    "fshr",
    "abs",
    "uadd.sat",
    "usub.sat",
    "sadd.sat",
    "ssub.sat",
    "ushl.sat",
    "sshl.sat",
    "umin.",
    "umax.",
    "smin.",
    "smax.",
    "scmp",
    "ucmp",
    "ptrmask",
    "vscale",
    "vector.reduce",
    "fabs",
    "fma",
    "fmuladd",
    "sqrt",
    "floor.",
    "ceil.",
    "round",
    "trunc.",
    "rint",
    "nearbyint",
    "copysign",
    "minnum",
    "maxnum",
    "minimum",
    "maximum",
    "pow.",
    "powi.",
    "exp.",
    "exp2.",
    "exp10.",
    "ldexp.",
    "log.",
    "log2.",
    "log10.",
    "sin.",
    "cos.",
    "tan.",
    "canonicalize",
    "is.fpclass",
    "get.rounding",
    "flt.rounds",
    "fptosi.sat",
    "fptoui.sat",
    "lround",
    "llround",
    "lrint",
    "llrint",
    "allow.runtime.check",
    "allow.ubsan.check",
    "type.test",
    "public.type.test",
    "x86.rdtsc",
    "x86.rdrand",
    "x86.rdseed",
    "x86.rdpmc",
    "x86.flags.read",
    "x86.rdfsbase",
    "x86.rdgsbase",
];

/// What the intrinsic of that name means.
pub fn classify(name: &str) -> Intrinsic {
    let Some(rest) = name.strip_prefix("llvm.") else { return Intrinsic::Unknown };
    let family = FAMILIES.iter().find(|(prefix, _)| rest.starts_with(prefix)).map(|(_, meaning)| *meaning);
    let pure = || PURE.iter().any(|prefix| rest.starts_with(prefix)).then_some(Intrinsic::Arbitrary);
    family.or_else(pure).unwrap_or(Intrinsic::Unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families() {
        assert_eq!(classify("llvm.memcpy.p0.p0.i64"), Intrinsic::Copy);
        assert_eq!(classify("llvm.memset.inline.p0.i64"), Intrinsic::Fill);
        assert_eq!(classify("llvm.expect.with.probability.i64"), Intrinsic::First);
        assert_eq!(classify("llvm.ctlz.i64"), Intrinsic::Arbitrary);
        assert_eq!(classify("llvm.masked.store.v4i32.p0"), Intrinsic::Unknown);
        assert_eq!(classify("llvm.umin.v4i32"), Intrinsic::Arbitrary);
        assert_eq!(classify("llvm.trap"), Intrinsic::Nothing);
    }
}
