//! Locks that are used wrongly, whatever they protect: taken twice by one thread, still held when an entry point
//! returns, taken in opposite orders by two, taken with interrupts on where an interrupt takes it (`--check deadlock`).
//!
//! Each finding is an execution of the encoding, as far as one thread is concerned: the solver has been asked. What the
//! thread reads twice at one address is taken to be one value if it is not seen, by type, to write there itself: else each
//! lock behind a pointer would be given back as perhaps another one. Where the solver gives up, and of locks of which nobody
//! knows which they are, nothing is said; a proof of freedom from deadlocks this is not. Locks are told apart by global and by member of a struct, as in the kernel's own lockdep: two locks that
//! are the same member of two objects are one here, and are not compared with each other.

mod interrupts;

use crate::analysis::layout::{Layout, Shape};
use crate::analysis::points_to::RegionId;
use crate::analysis::stability::Read;
use crate::instrument::Thread;
use crate::instrument::thread::{Addr, FixedPlace, Lock, SharedLoad, Site, StateClasses};
use crate::report;
use crate::vcgen::Renaming;
use crate::vcgen::through::Told;
use lockpair_entry_points::{EntryPointId, EntryPoints};
use lockpair_ir::{LockMode, Module, Op, Success, TypeId};
use lockpair_smt::{Answer, Import, Limits, Session, TermId, Terms};
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
    /// The first takes a lock, and the second may interrupt it then, on its CPU, and wait for the lock.
    Interrupted([Taken; 2]),
}

/// Where a thread takes a lock.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Taken {
    /// The thread.
    pub thread: usize,
    /// Where: a site.
    pub site: usize,
    /// Which of its locks.
    pub lock: usize,
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

/// What is looked at.
pub struct Facts<'a> {
    /// The module.
    pub module: &'a Module,
    /// Its threads.
    pub threads: &'a [Thread],
    /// Per thread, what becomes of its variables: see [`renamings`].
    pub renamings: &'a [Renaming],
    /// Their entry points.
    pub entry_points: &'a EntryPoints,
    /// Locks that are states of the kernel.
    pub states: &'a StateClasses,
    /// Which may run at the same time.
    pub meet: &'a HashSet<(EntryPointId, EntryPointId)>,
    /// What the solver may use.
    pub limits: &'a Limits,
}

impl Facts<'_> {
    /// Whether two threads may run at the same time.
    fn may_meet(&self, threads: [usize; 2]) -> bool {
        let [x, y] = threads.map(|thread| self.threads[thread].entry);
        self.meet.contains(&(x, y)) || self.meet.contains(&(y, x))
    }
}

/// Looks at all threads.
pub fn look(facts: &Facts) -> Vec<Problem> {
    let Facts { threads, .. } = *facts;
    let of_threads: Vec<OfThread> =
        threads.par_iter().enumerate().map(|(n, thread)| Search { facts, n, thread }.run()).collect();
    let mut orders = Orders::new();
    let mut problems = Vec::new();
    let mut taken = Vec::new();
    for found in of_threads {
        problems.extend(found.problems);
        taken.extend(found.taken);
        for (order, nested) in found.nested {
            let known = orders.entry(order).or_default();
            // One of each thread will do.
            if known.iter().all(|other| other.thread != nested.thread) {
                known.push(nested);
            }
        }
    }
    problems.extend(inversions(facts, &orders));
    problems.extend(interrupts::look(facts, &taken));
    problems
}

/// Per thread, what becomes of its variables if what it reads at one address is one value, unless it is seen to write there itself.
/// `external` is the memory that code outside can reach.
pub fn renamings(
    layout: &Layout,
    external: RegionId,
    threads: &mut [Thread],
    reads: &[Vec<Read>],
    told: &[Vec<Told>],
) -> Vec<Renaming> {
    let of_thread = |((thread, reads), told): ((&mut Thread, &Vec<Read>), &Vec<Told>)| {
        let loads = thread.loads.iter().zip(reads);
        let reads: Vec<Read> =
            loads.map(|(load, &read)| own_read(layout, external, thread, load, read)).collect();
        Renaming::new(thread, &reads, told)
    };
    threads.iter_mut().zip(reads).zip(told).map(of_thread).collect()
}

fn own_read(layout: &Layout, external: RegionId, thread: &Thread, load: &SharedLoad, read: Read) -> Read {
    let is_written = || {
        thread.sites.iter().any(|site| {
            site.write
                && !site.shape.is_unknown()
                && site.region == load.region
                && layout.may_overlap(site.region == external, site.shape, load.shape)
        })
    };
    if read != Read::Arbitrary || load.private || is_written() { read } else { Read::Stable }
}

/// Outer and inner lock, and who takes them in this order.
type Orders = BTreeMap<(Which, Which), Vec<Nested>>;

fn inversions(facts: &Facts, orders: &Orders) -> Vec<Problem> {
    let mut found = Vec::new();
    for ((outer, inner), some) in orders.iter().filter(|((outer, inner), _)| outer < inner) {
        let Some(others) = orders.get(&(inner.clone(), outer.clone())) else { continue };
        let meeting = some
            .iter()
            .flat_map(|a| others.iter().map(move |b| [*a, *b]))
            .find(|[a, b]| facts.may_meet([a.thread, b.thread]) && !is_gated(facts.threads, [a, b]));
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

/// A lock that is taken, with whether the thread waits for it.
type TakenHere = (Which, Taken, bool);

struct OfThread {
    problems: Vec<Problem>,
    nested: Vec<((Which, Which), Nested)>,
    taken: Vec<TakenHere>,
}

/// Asks whether something can happen in one thread. Nothing but the variables' ranges and what is known of reads binds its
/// terms, so that every assignment within them is an execution.
pub(crate) struct Asker<'a> {
    session: Session,
    renaming: &'a Renaming,
    import: Import<'a>,
    terms: Terms,
}

impl<'a> Asker<'a> {
    /// Of a thread, as its renaming sees it.
    pub(crate) fn new(thread: &'a Thread, renaming: &'a Renaming, limits: &Limits) -> Asker<'a> {
        Asker {
            session: Session::new(&Limits { rlimit: limits.rlimit.or(Some(WORK)), ..*limits }),
            renaming,
            import: Import::new(&thread.terms),
            terms: Terms::new(),
        }
    }

    fn term(&mut self, t: TermId) -> TermId {
        self.renaming.term(&mut self.import, &mut self.terms, t, 0)
    }

    fn addr(&mut self, at: Addr) -> Addr {
        Addr { obj: self.term(at.obj), off: self.term(at.off) }
    }

    /// Whether the conditions of the thread can hold together, and the others not hold.
    fn possible(&mut self, conditions: &[TermId], negated: &[TermId]) -> bool {
        let mut all: Vec<TermId> = conditions.iter().map(|&t| self.term(t)).collect();
        for &t in negated {
            let t = self.term(t);
            all.push(self.terms.not(t));
        }
        let all = self.terms.and(&all);
        match self.terms.as_bool(all) {
            Some(constant) => constant,
            None => matches!(self.session.check(&self.terms, &[all]), Answer::Sat(_)),
        }
    }

    /// Whether a condition of the thread surely never holds.
    pub(crate) fn never(&mut self, condition: TermId) -> bool {
        let condition = self.term(condition);
        match self.terms.as_bool(condition) {
            Some(constant) => !constant,
            None => matches!(self.session.check(&self.terms, &[condition]), Answer::Unsat),
        }
    }
}

/// The search in one thread.
struct Search<'a> {
    facts: &'a Facts<'a>,
    n: usize,
    thread: &'a Thread,
}

impl Search<'_> {
    fn run(&self) -> OfThread {
        let mut asker = Asker::new(self.thread, &self.facts.renamings[self.n], self.facts.limits);
        let thread = self.thread;
        let mut found = OfThread { problems: Vec::new(), nested: Vec::new(), taken: Vec::new() };
        let mut known = HashSet::new();
        for (site, at) in thread.sites.iter().enumerate() {
            let Some((inner, waits)) = self.takes(at) else { continue };
            // Who sleeps in an interrupt has made another mistake.
            if let Some(which) =
                self.which(&thread.locks[inner]).filter(|_| report::spins(&thread.locks[inner].class))
            {
                found.taken.push((which, Taken { thread: self.n, site, lock: inner }, waits));
            }
            if !waits {
                continue;
            }
            for outer in (0..at.held.known()).filter(|&lock| self.is_lock(&thread.locks[lock])) {
                let held = at.held.taken(outer, &thread.terms);
                if thread.terms.as_bool(held) == Some(false) {
                    continue;
                }
                let (one, other) = (&thread.locks[outer], &thread.locks[inner]);
                if one.class == other.class && asker.addr(one.addr) == asker.addr(other.addr) {
                    if exclude(one, other) && asker.possible(&[at.guard, held], &[]) {
                        found.problems.push(Problem::TakenTwice { thread: self.n, site, lock: outer });
                    }
                } else if let (Some(a), Some(b)) = (self.which(one), self.which(other))
                    && a != b
                    && !known.contains(&(a.clone(), b.clone()))
                    && asker.possible(&[at.guard, held], &[])
                {
                    known.insert((a.clone(), b.clone()));
                    found.nested.push(((a, b), Nested { thread: self.n, site, outer, inner }));
                }
            }
        }
        for &(lock, when) in &thread.left {
            if self.is_lock(&thread.locks[lock]) && asker.possible(&[when], &[]) {
                found.problems.push(Problem::LeftHeld { thread: self.n, lock });
            }
        }
        found
    }

    /// The lock that is taken at a site, and whether it is waited for. Who only tries waits for nothing.
    fn takes(&self, site: &Site) -> Option<(usize, bool)> {
        let (func, inst) = site.inst;
        let Op::Acquire { class, mode, success, .. } = &self.facts.module.funcs[func].insts[inst].op else {
            return None;
        };
        let waits = !matches!(success, Some(Success::NonZero));
        let same = |lock: &Lock| lock.class == *class && lock.mode == *mode && lock.addr == site.addr;
        let found = self.thread.locks.iter().position(|lock| !lock.implicit && same(lock));
        let lock = found.filter(|&lock| self.is_lock(&self.thread.locks[lock]))?;
        Some((lock, waits))
    }

    /// Whether somebody may have to wait for it: not a state of the kernel, and nothing that all may hold at once.
    fn is_lock(&self, lock: &Lock) -> bool {
        let alone = |lock: &Lock| lock.mode == LockMode::Exclusive;
        let same = |other: &Lock| other.class == lock.class && alone(other);
        !self.facts.states.contains_key(&lock.class)
            && lock.keeps_off.is_none()
            && (alone(lock) || self.facts.threads.iter().flat_map(|thread| &thread.locks).any(same))
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
