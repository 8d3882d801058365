//! Values and arithmetic: registers of the IR as terms.
//!
//! Integers of up to 64 bits are their unsigned value, `0 <= v < 2^bits`; what wraps is reduced
//! exactly or replaced by a function of the operands that is otherwise unknown (design, rule 1). One-bit
//! integers are propositions. Everything wider, and all floating point, is opaque.

use super::thread::{Addr, Pointer};
use crate::fault::{Fault, seeded};
use lockpair_ir::{BinOp, CastOp, CmpOp, Module, Ty};
use lockpair_smt::{Sort, Term, TermId, Terms};

/// What a register holds.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Val {
    /// An i1.
    Bool(TermId),
    /// An integer of 2 to 64 bits; with the pointer that it was made from, if it was.
    Int(TermId, Option<Pointer>),
    /// A pointer.
    Ptr(Pointer),
    /// Not looked into.
    Opaque,
}

impl Val {
    /// The pointer that it is, or was made from.
    pub fn pointer(self) -> Option<Pointer> {
        match self {
            Val::Ptr(p) => Some(p),
            Val::Int(_, p) => p,
            Val::Bool(_) | Val::Opaque => None,
        }
    }
}

/// 2^bits.
pub fn pow2(bits: u16) -> i128 {
    1i128 << bits
}

/// The range of an integer of that many bits.
pub fn range(bits: u16) -> (i128, i128) {
    (0, pow2(bits) - 1)
}

/// An arbitrary value of the type.
pub fn fresh(terms: &mut Terms, hint: &str, ty: Ty) -> Val {
    match ty {
        Ty::Int(1) => Val::Bool(terms.fresh(hint, Sort::Bool, None)),
        Ty::Int(bits) if bits <= 64 => Val::Int(terms.fresh(hint, Sort::Int, Some(range(bits))), None),
        Ty::Ptr => Val::Ptr(fresh_pointer(terms, hint)),
        Ty::Int(_) | Ty::Opaque(_) => Val::Opaque,
    }
}

/// Zero, null or false.
pub fn zero(terms: &mut Terms, ty: Ty) -> Val {
    match ty {
        Ty::Int(1) => Val::Bool(terms.fals()),
        Ty::Int(bits) if bits <= 64 => Val::Int(terms.int(0), None),
        Ty::Ptr => Val::Ptr(null(terms)),
        Ty::Int(_) | Ty::Opaque(_) => Val::Opaque,
    }
}

/// An arbitrary pointer.
pub fn fresh_pointer(terms: &mut Terms, hint: &str) -> Pointer {
    let obj = terms.fresh(hint, Sort::Int, None);
    let off = terms.fresh(&format!("{hint}.off"), Sort::Int, None);
    Pointer { addr: Addr { obj, off }, path: None, span: None }
}

/// The object is none that has a name in the module.
pub fn has_no_name(terms: &mut Terms, module: &Module, obj: TermId) -> TermId {
    let named = module.globals.len() + module.funcs.len();
    let (first, last) = (terms.int(1), terms.int(named as i128));
    let (before, after) = (terms.lt(obj, first), terms.lt(last, obj));
    terms.or2(before, after)
}

/// The null pointer.
pub fn null(terms: &mut Terms) -> Pointer {
    let zero = terms.int(0);
    Pointer { addr: Addr { obj: zero, off: zero }, path: None, span: None }
}

/// The address plus an amount.
pub fn advance(terms: &mut Terms, addr: Addr, by: TermId) -> Addr {
    Addr { obj: addr.obj, off: terms.add2(addr.off, by) }
}

/// How deep choices between objects are looked into for the offsets in them.
const MAX_CHOICES: usize = 6;

/// The offset in the object that the address leads to. Of choices, those that are null or an error lead nowhere: what
/// the offset would be there is left out.
pub fn offset_in_object(terms: &mut Terms, addr: Addr) -> TermId {
    offset_below(terms, addr, MAX_CHOICES)
}

fn offset_below(terms: &mut Terms, addr: Addr, depth: usize) -> TermId {
    let Term::Ite(cond, a, b) = terms.get(addr.obj) else { return addr.off };
    if depth == 0 || terms.as_int(addr.off).is_some() {
        return addr.off;
    }
    let sides = [(a, true), (b, false)].map(|(obj, holds)| {
        let leads_somewhere = terms.as_int(obj) != Some(0);
        leads_somewhere.then(|| {
            let off = decided(terms, addr.off, cond, holds);
            offset_below(terms, Addr { obj, off }, depth - 1)
        })
    });
    match sides {
        [Some(x), Some(y)] => terms.ite(cond, x, y),
        [Some(off), None] | [None, Some(off)] => off,
        [None, None] => addr.off,
    }
}

/// A choice by the condition plus a constant, where it is known whether the condition holds.
fn decided(terms: &mut Terms, t: TermId, cond: TermId, holds: bool) -> TermId {
    let (base, constant) = terms.split_offset(t);
    match base.map(|base| terms.get(base)) {
        Some(Term::Ite(c, a, b)) if c == cond => {
            let constant = terms.int(constant);
            terms.add2(if holds { a } else { b }, constant)
        }
        _ => t,
    }
}

/// Whether two addresses are equal.
pub fn same_addr(terms: &mut Terms, a: Addr, b: Addr) -> TermId {
    let obj = terms.eq(a.obj, b.obj);
    let off = terms.eq(a.off, b.off);
    terms.and2(obj, off)
}

/// The value if the condition holds, else the other.
pub fn ite(terms: &mut Terms, cond: TermId, a: Val, b: Val) -> Val {
    if a == b {
        return a;
    }
    match (a, b) {
        (Val::Bool(a), Val::Bool(b)) => Val::Bool(terms.ite(cond, a, b)),
        (Val::Int(x, p), Val::Int(y, q)) => {
            let n = terms.ite(cond, x, y);
            // Where one of the numbers is a pointer's, so may be the other.
            let pointer = (p.is_some() || q.is_some()).then(|| {
                let (p, q) =
                    (p.unwrap_or_else(|| pointer_of(terms, x)), q.unwrap_or_else(|| pointer_of(terms, y)));
                ite_pointer(terms, cond, p, q)
            });
            Val::Int(n, pointer)
        }
        (Val::Ptr(a), Val::Ptr(b)) => Val::Ptr(ite_pointer(terms, cond, a, b)),
        _ => Val::Opaque,
    }
}

fn ite_pointer(terms: &mut Terms, cond: TermId, a: Pointer, b: Pointer) -> Pointer {
    let obj = terms.ite(cond, a.addr.obj, b.addr.obj);
    let off = terms.ite(cond, a.addr.off, b.addr.off);
    let path = match (a.path, b.path) {
        (Some((s, x)), Some((t, y))) if s == t => Some((s, terms.ite(cond, x, y))),
        // Null points into nothing: the other side's struct is the only one.
        (Some(p), None) if terms.as_int(b.addr.obj) == Some(0) => Some(p),
        (None, Some(p)) if terms.as_int(a.addr.obj) == Some(0) => Some(p),
        _ => None,
    };
    let span = match (a.path, b.path) {
        (Some(_), None) => a.offsets(terms),
        (None, _) => b.offsets(terms),
        _ => match (a.offsets(terms), b.offsets(terms)) {
            (Some((x, y)), Some((z, w))) => Some((x.min(z), y.max(w))),
            _ => None,
        },
    };
    Pointer { addr: Addr { obj, off }, path, span }
}

/// An integer as a term, whatever its width.
pub fn as_int(terms: &mut Terms, v: Val) -> Option<TermId> {
    match v {
        Val::Int(t, _) => Some(t),
        Val::Bool(b) => {
            let (one, zero) = (terms.int(1), terms.int(0));
            Some(terms.ite(b, one, zero))
        }
        Val::Ptr(_) | Val::Opaque => None,
    }
}

/// The signed value of an unsigned one.
pub fn signed(terms: &mut Terms, t: TermId, bits: u16) -> TermId {
    let half = terms.int(pow2(bits - 1));
    let negative = terms.ge(t, half);
    let wrapped = {
        let m = terms.int(-pow2(bits));
        terms.add2(t, m)
    };
    terms.ite(negative, wrapped, t)
}

fn fits(terms: &Terms, t: TermId, bits: u16) -> bool {
    terms.bounds(t).is_some_and(|(lo, hi)| lo >= 0 && hi < pow2(bits))
}

/// The sum modulo 2^bits of two values below 2^bits.
fn add(terms: &mut Terms, a: TermId, b: TermId, bits: u16) -> TermId {
    let sum = terms.add2(a, b);
    if fits(terms, sum, bits) || seeded(Fault::AddDoesNotWrap) {
        return sum;
    }
    let m = terms.int(pow2(bits));
    let over = terms.ge(sum, m);
    let wrapped = terms.sub(sum, m);
    terms.ite(over, wrapped, sum)
}

fn sub(terms: &mut Terms, a: TermId, b: TermId, bits: u16) -> TermId {
    let diff = terms.sub(a, b);
    if fits(terms, diff, bits) || seeded(Fault::SubDoesNotWrap) {
        return diff;
    }
    let under = terms.lt(a, b);
    let m = terms.int(pow2(bits));
    let wrapped = terms.add2(diff, m);
    terms.ite(under, wrapped, diff)
}

/// A function of two integers of which only the range is known.
fn opaque_op(terms: &mut Terms, name: &str, a: TermId, b: TermId, bits: u16) -> TermId {
    let f = terms.func(&format!("{name}{bits}"), 2, Sort::Int, Some(range(bits)));
    terms.app(f, &[a, b])
}

/// A binary operation on integers of `bits` bits.
pub fn binary(terms: &mut Terms, op: BinOp, a: Val, b: Val, bits: u16) -> Val {
    if let (Val::Bool(x), Val::Bool(y)) = (a, b) {
        return Val::Bool(boolean(terms, op, x, y));
    }
    if bits > 64 {
        return Val::Opaque;
    }
    let (Some(x), Some(y)) = (as_int(terms, a), as_int(terms, b)) else { return Val::Opaque };
    Val::Int(integer(terms, op, x, y, bits), None)
}

fn boolean(terms: &mut Terms, op: BinOp, a: TermId, b: TermId) -> TermId {
    match op {
        BinOp::And | BinOp::Mul => terms.and2(a, b),
        BinOp::Or => terms.or2(a, b),
        BinOp::Xor | BinOp::Add | BinOp::Sub => {
            let same = terms.eq(a, b);
            terms.not(same)
        }
        BinOp::UDiv | BinOp::SDiv => a,
        BinOp::URem | BinOp::SRem => terms.fals(),
        BinOp::Shl | BinOp::LShr => {
            let keep = terms.not(b);
            terms.and2(a, keep)
        }
        BinOp::AShr => a,
    }
}

fn integer(terms: &mut Terms, op: BinOp, a: TermId, b: TermId, bits: u16) -> TermId {
    let (ka, kb) = (terms.as_int(a), terms.as_int(b));
    if let (Some(x), Some(y)) = (ka, kb)
        && let Some(v) = fold(op, x, y, bits)
    {
        return terms.int(v);
    }
    match (op, ka, kb) {
        (BinOp::Add, _, _) => add(terms, a, b, bits),
        (BinOp::Sub, _, _) => sub(terms, a, b, bits),
        (BinOp::Mul, Some(k), _) => scaled(terms, k, b, bits),
        (BinOp::Mul, _, Some(k)) => scaled(terms, k, a, bits),
        (BinOp::Shl, _, Some(k)) if k < i128::from(bits) => scaled(terms, 1i128 << k, a, bits),
        (BinOp::LShr, _, Some(k)) if k < i128::from(bits) => terms.div(a, 1i128 << k),
        (BinOp::UDiv, _, Some(k)) if k > 0 => terms.div(a, k),
        (BinOp::URem, _, Some(k)) if k > 0 => terms.modulo(a, k),
        (BinOp::And, Some(k), _) => masked(terms, k, b, bits),
        (BinOp::And, _, Some(k)) => masked(terms, k, a, bits),
        (BinOp::Or | BinOp::Xor, Some(0), _) => b,
        (BinOp::Or | BinOp::Xor, _, Some(0)) => a,
        (BinOp::Xor, _, Some(k)) if k == pow2(bits) - 1 => terms.sub(b, a),
        _ => {
            let (a, b) = if commutes(op) && b < a { (b, a) } else { (a, b) };
            opaque_op(terms, &format!("{op:?}").to_lowercase(), a, b, bits)
        }
    }
}

fn commutes(op: BinOp) -> bool {
    matches!(op, BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Mul)
}

fn scaled(terms: &mut Terms, k: i128, a: TermId, bits: u16) -> TermId {
    // Values are below 2^64, so the product of two fits in neither; huge factors are left alone.
    if k > pow2(62) {
        let k = terms.int(k);
        return opaque_op(terms, "mul", k, a, bits);
    }
    let product = terms.mul_const(k, a);
    if fits(terms, product, bits) || seeded(Fault::MulDoesNotWrap) {
        product
    } else {
        terms.modulo(product, pow2(bits))
    }
}

fn masked(terms: &mut Terms, mask: i128, a: TermId, bits: u16) -> TermId {
    if mask == 0 {
        return terms.int(0);
    }
    if mask == pow2(bits) - 1 {
        return a;
    }
    if (mask + 1) & mask == 0 {
        return terms.modulo(a, mask + 1);
    }
    let f = terms.func(&format!("and{bits}_{mask:x}"), 1, Sort::Int, Some((0, mask)));
    terms.app(f, &[a])
}

/// The exact result for constants; none where it is undefined (division by zero, wide shifts).
fn fold(op: BinOp, a: i128, b: i128, bits: u16) -> Option<i128> {
    let m = pow2(bits);
    let s = |v: i128| if v >= m / 2 { v - m } else { v };
    let wide = b >= i128::from(bits);
    let value = match op {
        BinOp::Add => a + b,
        BinOp::Sub => a - b,
        BinOp::Mul => a.checked_mul(b)?,
        BinOp::UDiv => a.checked_div(b)?,
        BinOp::URem => a.checked_rem(b)?,
        BinOp::SDiv => s(a).checked_div(s(b))?,
        BinOp::SRem => s(a).checked_rem(s(b))?,
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
        BinOp::Shl if !wide => ((a as u128) << b & (m as u128 - 1)) as i128,
        BinOp::LShr if !wide => a >> b,
        BinOp::AShr if !wide => s(a) >> b,
        BinOp::Shl | BinOp::LShr | BinOp::AShr => return None,
    };
    Some(value.rem_euclid(m))
}

/// Tells whether a term is the identity of an object that exists (and so is neither null nor an error).
pub type IsObject<'a> = &'a dyn Fn(TermId) -> bool;

/// The number that stands for a pointer: some function of its address. Null is 0; what was made from a
/// number is that number; objects lie neither on the first page nor among the error values.
pub fn number_of(terms: &mut Terms, p: Pointer, object: IsObject) -> TermId {
    number(terms, p.addr.obj, p.addr.off, object)
}

fn number(terms: &mut Terms, obj: TermId, off: TermId, object: IsObject) -> TermId {
    if terms.as_int(obj) == Some(0) {
        let in_range = terms.bounds(off).is_some_and(|(lo, hi)| lo >= 0 && hi < pow2(64));
        return if in_range { off } else { terms.modulo(off, pow2(64)) };
    }
    if let (Term::App(f, x), Term::App(g, y)) = (terms.get(obj), terms.get(off)) {
        let (f, g) = (terms.func_info(f), terms.func_info(g));
        if &*f.name == OBJECT_OF_NUMBER && &*g.name == "pointer_off" && x == y {
            return x[0];
        }
    }
    if let Term::Ite(c, x, y) = terms.get(obj) {
        let (ox, oy) = match terms.get(off) {
            Term::Ite(d, ox, oy) if c == d => (ox, oy),
            _ => (off, off),
        };
        let (a, b) = (number(terms, x, ox, object), number(terms, y, oy, object));
        return terms.ite(c, a, b);
    }
    let f = if object(obj) || terms.as_int(obj).is_some_and(|k| k != 0) {
        terms.func("number_of_object", 2, Sort::Int, Some((4096, pow2(64) - 4097)))
    } else {
        terms.func("number", 2, Sort::Int, Some(range(64)))
    };
    terms.app(f, &[obj, off])
}

/// A pointer that was made from that number, and is in a place where others see it, is that number again.
pub fn is_number(terms: &mut Terms, p: Addr, k: i128) -> Option<TermId> {
    if k < 0 || k >= pow2(64) || terms.as_int(p.obj).is_some() {
        return None;
    }
    let f = terms.func("number", 2, Sort::Int, Some(range(64)));
    let (number, k) = (terms.app(f, &[p.obj, p.off]), terms.int(k));
    Some(terms.eq(number, k))
}

/// The function that gives the object of the pointer that a number stands for.
pub const OBJECT_OF_NUMBER: &str = "pointer_obj";

/// The pointer of that number, which is null or an error: it lies in null's object.
fn nowhere(number: TermId, terms: &mut Terms) -> Pointer {
    Pointer { addr: Addr { obj: terms.int(0), off: number }, path: None, span: None }
}

/// The pointer that a number stands for: some function of the number. What fits in 32 bits, with or
/// without a sign, is null or an error, and lies in null's object.
pub fn pointer_of(terms: &mut Terms, t: TermId) -> Pointer {
    if is_small(terms, t) {
        return nowhere(t, terms);
    }
    let obj = terms.func(OBJECT_OF_NUMBER, 1, Sort::Int, None);
    let off = terms.func("pointer_off", 1, Sort::Int, None);
    Pointer { addr: Addr { obj: terms.app(obj, &[t]), off: terms.app(off, &[t]) }, path: None, span: None }
}

/// Whether a number of 64 bits comes from one of at most 32.
fn is_small(terms: &Terms, t: TermId) -> bool {
    match (terms.bounds(t), terms.get(t)) {
        (Some((lo, hi)), _) if lo >= 0 && hi < pow2(32) => true,
        (Some((lo, hi)), _) if lo >= pow2(64) - pow2(32) && hi < pow2(64) => true,
        (_, Term::Ite(_, a, b)) => is_small(terms, a) && is_small(terms, b),
        _ => false,
    }
}

/// A conversion between the two types.
pub fn cast(terms: &mut Terms, op: CastOp, v: Val, from: Ty, to: Ty, object: IsObject) -> Val {
    match (op, v, to) {
        (CastOp::PtrToInt, Val::Ptr(p), Ty::Int(bits)) if bits <= 64 => {
            let n = number_of(terms, p, object);
            let n = if bits == 64 { n } else { terms.modulo(n, pow2(bits)) };
            to_width(terms, n, (bits == 64).then_some(p), bits)
        }
        (CastOp::Error, Val::Ptr(p), Ty::Int(64)) => Val::Int(number_of(terms, p, object), None),
        (CastOp::Error, Val::Ptr(p), Ty::Ptr) => Val::Ptr(nowhere(number_of(terms, p, object), terms)),
        (CastOp::Error, Val::Int(t, _), Ty::Ptr) => Val::Ptr(nowhere(t, terms)),
        (CastOp::IntToPtr, Val::Int(_, Some(p)), Ty::Ptr) => Val::Ptr(p),
        (CastOp::IntToPtr, Val::Int(t, None), Ty::Ptr) => Val::Ptr(pointer_of(terms, t)),
        (CastOp::Trunc, Val::Int(t, p), Ty::Int(bits)) if bits <= 64 => {
            let fitting = fits(terms, t, bits) || seeded(Fault::TruncKeeps);
            let t = if fitting { t } else { terms.modulo(t, pow2(bits)) };
            to_width(terms, t, p.filter(|_| bits == 64), bits)
        }
        (CastOp::ZExt, Val::Int(..) | Val::Bool(_), Ty::Int(bits)) if bits <= 64 => {
            let t = as_int(terms, v).expect("an integer");
            Val::Int(t, None)
        }
        (CastOp::SExt, Val::Int(..) | Val::Bool(_), Ty::Int(bits)) if bits <= 64 => {
            let Ty::Int(width) = from else { return Val::Opaque };
            let t = as_int(terms, v).expect("an integer");
            Val::Int(sign_extend(terms, t, width, bits), None)
        }
        _ => fresh(terms, "cast", to),
    }
}

fn to_width(terms: &mut Terms, t: TermId, p: Option<Pointer>, bits: u16) -> Val {
    if bits == 1 {
        let one = terms.int(1);
        return Val::Bool(terms.eq(t, one));
    }
    Val::Int(t, p)
}

fn sign_extend(terms: &mut Terms, t: TermId, from: u16, to: u16) -> TermId {
    let half = terms.int(pow2(from - 1));
    let negative = terms.ge(t, half);
    let gap = terms.int(pow2(to) - pow2(from));
    let high = terms.add2(t, gap);
    terms.ite(negative, high, t)
}

/// A comparison of two values of `bits` bits (64 for pointers), as a proposition.
pub fn compare(terms: &mut Terms, op: CmpOp, a: Val, b: Val, bits: u16, object: IsObject) -> TermId {
    match (a, b) {
        (Val::Ptr(p), Val::Ptr(q)) => compare_pointers(terms, op, p, q, object),
        (Val::Opaque, _) | (_, Val::Opaque) => terms.fresh("cmp", Sort::Bool, None),
        _ => match (as_int(terms, a), as_int(terms, b)) {
            (Some(x), Some(y)) => compare_ints(terms, op, x, y, bits),
            _ => terms.fresh("cmp", Sort::Bool, None),
        },
    }
}

fn compare_pointers(terms: &mut Terms, op: CmpOp, p: Pointer, q: Pointer, object: IsObject) -> TermId {
    match op {
        CmpOp::Eq => may_be_same(terms, p.addr, q.addr, object),
        CmpOp::Ne => {
            let same = may_be_same(terms, p.addr, q.addr, object);
            terms.not(same)
        }
        CmpOp::Ult
        | CmpOp::Ule
        | CmpOp::Ugt
        | CmpOp::Uge
        | CmpOp::Slt
        | CmpOp::Sle
        | CmpOp::Sgt
        | CmpOp::Sge => {
            let (x, y) = (number_of(terms, p, object), number_of(terms, q, object));
            compare_ints(terms, op, x, y, 64)
        }
    }
}

/// Whether the program finds the two equal. Where an offset is known of an object that is not, it is known by what pointers of
/// the type lead to. But what is compared may be none: the head of a ring, or a number that stands for something.
fn may_be_same(terms: &mut Terms, a: Addr, b: Addr, object: IsObject) -> TermId {
    let is_said = |terms: &Terms, addr: Addr| {
        terms.as_int(addr.off).is_some() && terms.as_int(addr.obj).is_none() && !object(addr.obj)
    };
    let is_exact = a.obj == b.obj || a.off == b.off || seeded(Fault::ComparedAsDeclared);
    if is_exact || !is_said(terms, a) && !is_said(terms, b) {
        return same_addr(terms, a, b);
    }
    let (obj, off) = (terms.eq(a.obj, b.obj), terms.fresh("same", Sort::Bool, None));
    terms.and2(obj, off)
}

fn compare_ints(terms: &mut Terms, op: CmpOp, a: TermId, b: TermId, bits: u16) -> TermId {
    let (a, b) = match op {
        _ if seeded(Fault::SignIgnored) => (a, b),
        CmpOp::Slt | CmpOp::Sle | CmpOp::Sgt | CmpOp::Sge => (signed(terms, a, bits), signed(terms, b, bits)),
        _ => (a, b),
    };
    match op {
        CmpOp::Eq => terms.eq(a, b),
        CmpOp::Ne => terms.ne(a, b),
        CmpOp::Ult | CmpOp::Slt => terms.lt(a, b),
        CmpOp::Ule | CmpOp::Sle => terms.le(a, b),
        CmpOp::Ugt | CmpOp::Sgt => terms.gt(a, b),
        CmpOp::Uge | CmpOp::Sge => terms.ge(a, b),
    }
}
