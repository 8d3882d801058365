//! Which words count references (`instrument/references.rs`), and which variables have one.
//!
//! A word counts references if each write that may touch it adds one, by who surely has one or is lent one by a variable, or takes
//! one away, by who surely has one for himself, or makes it anew in an object that nobody else knows, and if who frees the
//! object has surely given back the last one. A variable has one if it is null at the beginning, and each write that may touch it
//! holds the lock that goes with it and stores null, or an object to which who stores it surely has a reference of his own,
//! which he leaves there.
//!
//! Then the count is at no time less than the number of threads and variables that have one, by induction over the writes. So when
//! it comes to zero nobody has any, and nobody gets one any more: what is added needs one that is there.

use super::{Doubted, Facts, holds, is_surely_held};
use crate::analysis::layout::Shape;
use crate::analysis::origins;
use crate::fault::{Fault, seeded};
use crate::instrument::flags::{self, Change, Flag, Free, negative};
use crate::instrument::thread::{Extent, HiddenWrite, Lock, Site, Thread};
use lockpair_ir::*;

impl Doubted {
    /// Whether a write to the word of a count leaves it at least as high as the number of references.
    pub(super) fn stays_counted(
        &self,
        facts: &Facts,
        (w, writer, site): (usize, &Thread, &Site),
        (bits, change): (u16, Change),
    ) -> bool {
        let has = |which: &dyn Fn(&Flag) -> bool| {
            let is_it = |j: &usize| {
                let lock = &writer.locks[*j];
                lock.owns.as_ref().is_some_and(which) && lock.addr == site.addr
            };
            let mut locks = (0..writer.locks.len()).filter(is_it);
            locks.any(|j| !self.doubted.contains(&(w, j)) && is_surely_held(writer, site, j))
        };
        let is_atomic = matches!(site.mark, Mark::Atomic(_));
        site.direct
            && is_atomic
            && match change {
                Change::Add(1) => has(&Flag::is_reference) || seeded(Fault::ReferenceAddedByAnybody),
                Change::Add(v) if v == negative(1, bits) => {
                    (has(&Flag::is_own_reference) || seeded(Fault::ReferenceTakenAwayByAnybody))
                        && super::is_ordered(facts, writer, site, None)
                }
                _ => false,
            }
    }

    /// Whether who frees an object surely has given back the last reference that the word of the count counts.
    pub(super) fn ends_counted(&self, (w, writer, site): (usize, &Thread, &Site), count: &Lock) -> bool {
        let at = match (count.shape, site.shape) {
            (Shape::In { strukt, lo, .. }, Shape::Whole(freed)) if strukt == freed => i128::from(lo),
            _ => return false,
        };
        let is_last = |j: &usize| {
            let lock = &writer.locks[*j];
            lock.owns.as_ref().is_some_and(|flag| flag.free == Free::Last)
                && writer.distance(lock.addr, site.addr) == Some(at)
        };
        let mut last = (0..writer.locks.len()).filter(is_last);
        last.any(|j| !self.doubted.contains(&(w, j)) && is_surely_held(writer, site, j))
    }

    /// Whether a write to a variable that has a reference leaves it with one, or null.
    pub(super) fn stays_lender(
        &self,
        (w, writer, site): (usize, &Thread, &Site),
        op: &Op,
        (holder, lender): (&Thread, &Lock),
        at: u64,
    ) -> bool {
        let number = |t| writer.terms.as_int(t);
        let place = (holder.terms.as_int(lender.addr.obj), holder.terms.as_int(lender.addr.off));
        let is_whole = matches!(site.extent, Extent::Bytes(size) if number(size) == Some(8));
        let is_exact = is_whole && (number(site.addr.obj), number(site.addr.off)) == place;
        let under = lender.owns.as_ref().and_then(|flag| flag.under.as_ref());
        let is_counted = || {
            let Some(value) = site.value else { return false };
            let is_its = |j: &usize| {
                let lock = &writer.locks[*j];
                lock.owns.as_ref().is_some_and(Flag::is_own_reference)
                    && writer.distance(lock.addr, value) == Some(at.into())
            };
            let mut references = (0..writer.locks.len()).filter(is_its);
            number(value.obj) == Some(0)
                || references.any(|j| !self.doubted.contains(&(w, j)) && is_surely_held(writer, site, j))
                || seeded(Fault::LenderWrittenByAnybody)
        };
        matches!(op, Op::Store { .. })
            && site.direct
            && is_exact
            && under.is_some_and(|under| holds(writer, site, under))
            && is_counted()
    }

    /// Doubts what was lent by variables that are doubted.
    pub(super) fn doubt_what_is_lent(&mut self, threads: &[Thread]) {
        let of_doubted = |&(t, n): &(usize, usize)| {
            let thread = &threads[t];
            let Some(flag) = &thread.locks[n].owns else { return false };
            let Free::Lent { by, .. } = flag.free else { return false };
            let is_lender = |other: &Lock| {
                other.owns.as_ref().is_some_and(|lender| {
                    lender.free == Free::Lends { at: by.at } && lender.under == flag.under
                }) && thread.terms.as_int(other.addr.obj) == Some(by.object)
                    && thread.terms.as_int(other.addr.off) == Some(by.offset)
            };
            let lender = thread.locks.iter().position(is_lender);
            lender.is_none_or(|lender| self.doubted.contains(&(t, lender)))
        };
        let more: Vec<(usize, usize)> = self.flags.iter().copied().filter(of_doubted).collect();
        self.doubted.extend(more);
    }
}

/// Whether a variable is null at the beginning, and no other module writes it.
pub(super) fn begins_null(module: &Module, thread: &Thread, lender: &Lock) -> bool {
    let Some(global) = thread.global(module, lender.addr.obj).map(|g| &module.globals[g]) else {
        return false;
    };
    let Some(at) = thread.terms.as_int(lender.addr.off).and_then(|at| u64::try_from(at).ok()) else {
        return false;
    };
    let is_set = |cell: &InitCell| {
        cell.offset < at + 8 && at < cell.offset + cell.size && !matches!(cell.value, Operand::Null)
    };
    global.defined && !global.exported && !global.init.iter().any(is_set)
}

/// Whether a thread sets the count in an object that nobody else can reach yet, but not to a number of references.
pub(super) fn is_set_otherwise(facts: &Facts, threads: &[Thread], count: &Lock) -> bool {
    let mut hidden = threads.iter().flat_map(|thread| &thread.hidden);
    hidden.any(|hidden| may_set(facts, hidden, count) && !leaves_references(facts, hidden, count))
}

/// Whether a write that nobody else sees may be one to the count.
fn may_set(facts: &Facts, hidden: &HiddenWrite, count: &Lock) -> bool {
    let origins::Facts { layout, points_to, .. } = *facts.origins;
    let external = hidden.region == points_to.external();
    count.region.is_none_or(|region| region == hidden.region)
        && layout.may_overlap(external, count.shape, hidden.shape)
}

/// Whether the count is one of references after the write. What a summary takes away, or frees, is not noticed by the thread.
fn leaves_references(facts: &Facts, hidden: &HiddenWrite, count: &Lock) -> bool {
    let func = &facts.origins.module.funcs[hidden.inst.0];
    let op = &func.insts[hidden.inst.1].op;
    let bits = count.owns.as_ref().map_or(0, |flag| flag.bits);
    match flags::change(func, op) {
        Some((of, Change::Set(1..=0x7fff_ffff) | Change::Add(1))) => of == bits,
        Some((of, Change::Add(v))) => of == bits && v == negative(1, bits) && hidden.direct,
        _ => matches!(op, Op::Free { .. }) && hidden.direct,
    }
}
