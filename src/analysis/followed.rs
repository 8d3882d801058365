//! Reads of memory that others may see, of which a thread knows what it has stored there itself.
//!
//! Who runs once, a program's `main`, keeps the handles of its threads in arrays, in structs that the threads get, and in
//! globals, and reads them back to wait for the threads. While threads are encoded, what was read is taken to be what was
//! stored last, by the thread itself. Whether somebody else may write there, or the thread itself under another name, is
//! known only when all are encoded; then the reads of which that was wrong are not believed any more, and all is encoded
//! again.

use super::layout::Layout;
use super::points_to::PointsTo;
use crate::fault::{Fault, seeded};
use crate::instrument::thread::{Extent, Followed, Site, Thread};
use lockpair_ir::{FuncId, InstId, Module, Op};
use std::collections::BTreeSet;

/// A read, by its place in the code.
pub type Read = (FuncId, InstId);

/// What the decision needs.
pub struct Facts<'a> {
    /// The module.
    pub module: &'a Module,
    /// Its layouts.
    pub layout: &'a Layout<'a>,
    /// Its regions.
    pub points_to: &'a PointsTo,
}

/// The reads that were believed, and that are not what the thread itself has stored.
pub fn wrong(facts: &Facts, threads: &[Thread]) -> BTreeSet<Read> {
    let mut out = BTreeSet::new();
    for (t, thread) in threads.iter().enumerate() {
        for read in &thread.followed {
            let is_changed =
                || threads.iter().enumerate().any(|(w, other)| changes(facts, read, other, w == t));
            if !out.contains(&read.inst) && (code_outside_may(facts, read) || is_changed()) {
                out.insert(read.inst);
            }
        }
    }
    out
}

/// Whether code outside of the module may write there.
fn code_outside_may(facts: &Facts, read: &Followed) -> bool {
    use super::layout::Shape;
    let private = match read.shape {
        Shape::In { strukt, lo, .. } => {
            let (inner, _) = facts.layout.innermost(strukt, lo);
            facts.module.as_struct(inner).is_some_and(|s| s.module_private)
        }
        Shape::Scalar(_) | Shape::Whole(_) | Shape::Wild | Shape::Outside => false,
    };
    !private && read.region == facts.points_to.external()
}

/// Whether the thread may write there otherwise than by a store that was followed; `own` if it is the reader.
fn changes(facts: &Facts, read: &Followed, thread: &Thread, own: bool) -> bool {
    let external = read.region == facts.points_to.external();
    let sites = thread.sites.iter().filter(|s| s.write && s.region == read.region);
    let mut sites = sites.filter(|s| facts.layout.may_overlap(external, read.shape, s.shape));
    sites.any(|site| {
        let is_followed =
            own && is_followed(facts, read, site) || !own && seeded(Fault::FollowedDespiteOthers);
        match (thread.terms.as_int(site.addr.obj), read.global) {
            (Some(object), Some(global)) => object == global && meets(thread, site, read) && !is_followed,
            // A global is no object that a thread makes, and neither is one thread's another's.
            (Some(_), None) => false,
            (None, None) if thread.makes(site.addr.obj) => own && !is_followed,
            (None, _) if thread.makes(site.addr.obj) => false,
            (None, _) => !seeded(Fault::FollowedDespiteOthers) || own,
        }
    })
}

/// Whether the executor follows such a write, if its object is known.
fn is_followed(facts: &Facts, read: &Followed, site: &Site) -> bool {
    match facts.module.funcs[site.inst.0].insts[site.inst.1].op {
        Op::Store { .. } => true,
        // Nothing is read from an object that has ended, or it is a race of its own.
        Op::Rmw { .. }
        | Op::CmpXchg { .. }
        | Op::MemSet { .. }
        | Op::MemCopy { .. }
        | Op::Access { .. }
        | Op::Free { .. } => read.global.is_none(),
        _ => false,
    }
}

/// Whether the bytes meet, as far as constant offsets tell.
fn meets(thread: &Thread, site: &Site, read: &Followed) -> bool {
    let len = match site.extent {
        Extent::Bytes(len) => thread.terms.as_int(len),
        Extent::Object => None,
    };
    match (thread.terms.as_int(site.addr.off), len) {
        (Some(at), Some(len)) => at < read.bytes.1 && read.bytes.0 < at + len,
        _ => true,
    }
}
