//! States of the kernel that a thread brings about: a line that is off, a queue that is stopped. They are taken and ended
//! like locks, but not only by who has taken them. Found once for all pairs.

use crate::analysis::stability::{Read, Reads};
use crate::fault::{Fault, seeded};
use crate::instrument::thread::{Addr, LoadVars, Lock, StateClasses, StateKind, Thread};
use lockpair_smt::{Term, TermId};
use std::collections::HashSet;

/// Which of the states exclude what the kernel does only while they are not.
pub struct States<'a> {
    kinds: &'a StateClasses,
    /// Those that somebody may end while the thread relies on them: thread and class.
    void: HashSet<(usize, &'a str)>,
}

impl<'a> States<'a> {
    /// Of all threads of a module.
    pub fn new(threads: &[Thread], reads: &[Reads], kinds: &'a StateClasses) -> States<'a> {
        let mut void = HashSet::new();
        let ends = threads.iter().zip(reads).flat_map(|(t, r)| t.ends.iter().map(move |e| (t, r, e)));
        let others = ends.filter(|(t, r, e)| !e.own.iter().any(|&own| is_one(t, r, own, e.at)));
        let ended_by_others: HashSet<&str> = others.map(|(_, _, e)| e.class.as_str()).collect();
        for (class, kind) in kinds {
            let is_ended = |holder: &Thread| {
                // Who gives back what he has taken leaves the others theirs.
                let ends = |t: &Thread| t.releases.contains(class) && !holder.is_serialized_with(t);
                if kind.counted { ended_by_others.contains(class.as_str()) } else { threads.iter().any(ends) }
            };
            let is_void = |t: &Thread| {
                !seeded(Fault::StatesEndedByOwner) && is_ended(t)
                    || !seeded(Fault::StatesOutliveRegistration) && begins_anew(t, kind)
            };
            let void_in = threads.iter().enumerate().filter(|(_, t)| is_void(t));
            void.extend(void_in.map(|(n, _)| (n, class.as_str())));
        }
        States { kinds, void }
    }

    /// Whether the class is a state.
    pub fn is_state(&self, class: &str) -> bool {
        self.kinds.contains_key(class)
    }

    /// Whether two locks of one class, of the threads at these positions, exclude each other if they are at one address:
    /// locks do. Of a state, one must be what the kernel does, and the other be relied on; or the kernel calls the one only in
    /// that state, shared, and the other only where it is not.
    pub fn exclude(&self, (a, p): (usize, &Lock), (b, q): (usize, &Lock)) -> bool {
        let holds =
            |thread: usize, lock: &Lock| lock.implicit || !self.void.contains(&(thread, lock.class.as_str()));
        let by_kernel = p.implicit && q.implicit && p.excludes(q);
        !self.is_state(&p.class) || by_kernel || p.implicit != q.implicit && holds(a, p) && holds(b, q)
    }
}

/// Whether the thread registers what ends states of the class, if it is the first one: before or after it has brought one
/// about, through this or another thing.
fn begins_anew(thread: &Thread, kind: &StateKind) -> bool {
    thread.events.iter().any(|e| e.registers && kind.ended_by.as_ref() == Some(&e.class))
}

/// Whether two addresses are the same: the same terms, or read from one place that nobody changes.
fn is_one(thread: &Thread, reads: &Reads, a: Addr, b: Addr) -> bool {
    is_one_value(thread, reads, a.obj, b.obj) && is_one_value(thread, reads, a.off, b.off)
}

fn is_one_value(thread: &Thread, reads: &Reads, a: TermId, b: TermId) -> bool {
    let place = |t: TermId| {
        let Term::Var(v) = thread.terms.get(t) else { return None };
        let mut loads = thread.loads.iter().zip(reads).filter(|(_, read)| **read == Read::Stable);
        loads.find_map(|(load, _)| match load.vars {
            LoadVars::Int(number, bits) => (number == v).then_some((load.addr, u32::from(bits))),
            LoadVars::Ptr(obj, off) => (obj == v || off == v).then_some((load.addr, u32::from(off == v))),
        })
    };
    a == b || place(a).is_some() && place(a) == place(b)
}
