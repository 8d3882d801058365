//! Locks that are used wrongly, whatever they protect: taken twice by one thread, still held when an entry point
//! returns, taken in opposite orders by two (`--check deadlock`).
//!
//! Each finding is an execution of the encoding, as far as one thread is concerned: the solver has been asked. Where it
//! gives up, and of locks of which nobody knows which they are, nothing is said; a proof of freedom from deadlocks this
//! is not. Locks are told apart by global and by member of a struct, as in the kernel's own lockdep: two locks that
//! are the same member of two objects are one here, and are not compared with each other.

use crate::analysis::layout::Shape;
use crate::instrument::Thread;
use crate::instrument::thread::{FixedPlace, Lock, Site, StateClasses};
use lockpair_entry_points::EntryPointId;
use lockpair_ir::{LockMode, Module, Op, Success, TypeId};
use lockpair_smt::{Answer, Limits, Session, TermId};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashSet};

/// What a question may cost, in the solver's own measure: some 50 ms.
const WORK: u32 = 200_000;

/// What is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Problem {
    /// A thread waits for a lock that it holds.
    TakenTwice {
        /// The thread.
        thread: usize,
        /// Where it takes the lock again: a site.
        site: usize,
        /// The lock.
        lock: usize,
    },
    /// An entry point returns with a lock that it has taken.
    LeftHeld {
        /// The thread.
        thread: usize,
        /// The lock.
        lock: usize,
    },
    /// Two threads each hold a lock that the other waits for.
    Inverted([Nested; 2]),
}

/// A lock that is taken while another one is held.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Nested {
    /// The thread.
    pub thread: usize,
    /// Where the inner lock is taken: a site.
    pub site: usize,
    /// The outer lock.
    pub outer: usize,
    /// The inner one.
    pub inner: usize,
}

/// Which locks are one: a global, or a member of a struct.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Which {
    Fixed(String),
    Member(TypeId, u64),
}

/// Looks at all threads; `meet` says which may run at the same time.
pub fn look(
    module: &Module,
    threads: &[Thread],
    states: &StateClasses,
    meet: &HashSet<(EntryPointId, EntryPointId)>,
    limits: &Limits,
) -> Vec<Problem> {
    let of_threads: Vec<OfThread> = threads
        .par_iter()
        .enumerate()
        .map(|(n, thread)| Search { module, threads, states, n, thread, limits }.run())
        .collect();
    let mut orders = Orders::new();
    let mut problems = Vec::new();
    for found in of_threads {
        problems.extend(found.problems);
        for (order, nested) in found.nested {
            let known = orders.entry(order).or_default();
            // One of each thread will do.
            if known.iter().all(|other| other.thread != nested.thread) {
                known.push(nested);
            }
        }
    }
    problems.extend(inversions(threads, &orders, meet));
    problems
}

/// Outer and inner lock, and who takes them in this order.
type Orders = BTreeMap<(Which, Which), Vec<Nested>>;

fn inversions(
    threads: &[Thread],
    orders: &Orders,
    meet: &HashSet<(EntryPointId, EntryPointId)>,
) -> Vec<Problem> {
    let mut found = Vec::new();
    for ((outer, inner), some) in orders.iter().filter(|((outer, inner), _)| outer < inner) {
        let Some(others) = orders.get(&(inner.clone(), outer.clone())) else { continue };
        let meeting = some.iter().flat_map(|a| others.iter().map(move |b| [*a, *b])).find(|[a, b]| {
            let [x, y] = [a, b].map(|nested| threads[nested.thread].entry);
            (meet.contains(&(x, y)) || meet.contains(&(y, x))) && !is_gated(threads, [a, b])
        });
        found.extend(meeting.map(Problem::Inverted));
    }
    found
}

/// Whether both surely hold a third lock of which there is one, so that they cannot be at it at once.
fn is_gated(threads: &[Thread], nested: [&Nested; 2]) -> bool {
    let surely = nested.map(|nested| {
        let thread = &threads[nested.thread];
        let held = &thread.sites[nested.site].held;
        let held = (0..thread.locks.len()).filter(|&i| i != nested.outer && held.surely(i, &thread.terms));
        held.filter_map(|i| {
            let lock = &thread.locks[i];
            let place = thread.fixed_place(lock.addr)?;
            (lock.mode == LockMode::Exclusive && lock.keeps_off.is_none())
                .then(|| (lock.class.clone(), place))
        })
        .collect::<Vec<(String, FixedPlace)>>()
    });
    surely[0].iter().any(|gate| surely[1].contains(gate))
}

struct OfThread {
    problems: Vec<Problem>,
    nested: Vec<((Which, Which), Nested)>,
}

/// The search in one thread. Nothing but the variables' ranges binds its terms, so that every assignment within them is
/// an execution.
struct Search<'a> {
    module: &'a Module,
    threads: &'a [Thread],
    states: &'a StateClasses,
    n: usize,
    thread: &'a Thread,
    limits: &'a Limits,
}

impl Search<'_> {
    fn run(&self) -> OfThread {
        let mut session = Session::new(&Limits { rlimit: self.limits.rlimit.or(Some(WORK)), ..*self.limits });
        let mut terms = self.threads[self.n].terms.clone();
        let mut possible = |conditions: &[TermId]| {
            let all = terms.and(conditions);
            match terms.as_bool(all) {
                Some(constant) => constant,
                None => matches!(session.check(&terms, &[all]), Answer::Sat(_)),
            }
        };
        let thread = self.thread;
        let mut found = OfThread { problems: Vec::new(), nested: Vec::new() };
        let mut known = HashSet::new();
        for (site, at) in thread.sites.iter().enumerate() {
            let Some(inner) = self.waits_for(at) else { continue };
            for outer in (0..at.held.known()).filter(|&lock| self.is_lock(&thread.locks[lock])) {
                let held = at.held.taken(outer, &thread.terms);
                if thread.terms.as_bool(held) == Some(false) {
                    continue;
                }
                let (one, other) = (&thread.locks[outer], &thread.locks[inner]);
                if one.class == other.class && one.addr == other.addr {
                    if exclude(one, other) && possible(&[at.guard, held]) {
                        found.problems.push(Problem::TakenTwice { thread: self.n, site, lock: outer });
                    }
                } else if let (Some(a), Some(b)) = (self.which(one), self.which(other))
                    && a != b
                    && !known.contains(&(a.clone(), b.clone()))
                    && possible(&[at.guard, held])
                {
                    known.insert((a.clone(), b.clone()));
                    found.nested.push(((a, b), Nested { thread: self.n, site, outer, inner }));
                }
            }
        }
        for &(lock, when) in &thread.left {
            if self.is_lock(&thread.locks[lock]) && possible(&[when]) {
                found.problems.push(Problem::LeftHeld { thread: self.n, lock });
            }
        }
        found
    }

    /// The lock that is waited for at a site. Who only tries waits for nothing.
    fn waits_for(&self, site: &Site) -> Option<usize> {
        let (func, inst) = site.inst;
        let Op::Acquire { class, mode, success, .. } = &self.module.funcs[func].insts[inst].op else {
            return None;
        };
        let waits = !matches!(success, Some(Success::NonZero));
        let same = |lock: &Lock| lock.class == *class && lock.mode == *mode && lock.addr == site.addr;
        let found = self.thread.locks.iter().position(|lock| !lock.implicit && same(lock));
        found.filter(|&lock| waits && self.is_lock(&self.thread.locks[lock]))
    }

    /// Whether somebody may have to wait for it: not a state of the kernel, and nothing that all may hold at once.
    fn is_lock(&self, lock: &Lock) -> bool {
        let alone = |lock: &Lock| lock.mode == LockMode::Exclusive;
        let same = |other: &Lock| other.class == lock.class && alone(other);
        !self.states.contains_key(&lock.class)
            && lock.keeps_off.is_none()
            && (alone(lock) || self.threads.iter().flat_map(|thread| &thread.locks).any(same))
    }

    fn which(&self, lock: &Lock) -> Option<Which> {
        match (self.thread.fixed_place(lock.addr), lock.shape) {
            (Some(place), _) => Some(Which::Fixed(format!("{} {place:?}", lock.class))),
            (None, Shape::In { strukt, lo, .. }) => Some(Which::Member(strukt, lo)),
            _ => None,
        }
    }
}

/// Whether one thread cannot hold both at once.
fn exclude(a: &Lock, b: &Lock) -> bool {
    a.mode == LockMode::Exclusive || b.mode == LockMode::Exclusive
}
