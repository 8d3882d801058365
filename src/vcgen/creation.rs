//! Threads that a program makes: who makes which, with what argument, and which of them are over before others begin.
//! Found once for all pairs.

use super::teardown::Registrations;
use crate::fault::{Fault, seeded};
use crate::instrument::thread::{Addr, Event, Handle, Thread};
use lockpair_smt::{Term, TermId, Terms};
use std::collections::HashSet;

/// The event of a thread that makes a callback run: positions of both.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Creation {
    /// The thread that has the event.
    pub maker: usize,
    /// The event.
    pub event: usize,
}

/// Who makes the callbacks whose handles are made when they are registered.
pub struct Creations {
    /// Per thread: all events that may make it; none if it has no such handle.
    makers: Vec<Option<Vec<Creation>>>,
    /// Per thread: whether it runs once at most.
    once: Vec<bool>,
    /// The first's callback is over when the second's is made.
    ordered: HashSet<(Creation, Creation)>,
}

impl Creations {
    /// Of all threads of a module; `once` are those that others than the module run, once.
    pub fn new(threads: &[Thread], rows: &Registrations, once: &[bool]) -> Creations {
        let makers: Vec<_> = threads.iter().map(|t| Some(makers_of(threads, own_handle(t, rows)?))).collect();
        let once = run_once(threads, &makers, once);
        let all: Vec<Creation> = makers.iter().flatten().flatten().copied().collect();
        let after = |a: &Creation| {
            all.iter().filter(|b| is_over_before(threads, *a, **b)).map(|b| (*a, *b)).collect()
        };
        let ordered = all.iter().flat_map(|a| -> Vec<_> { after(a) }).collect();
        Creations { makers, once, ordered }
    }

    /// All events that may make the thread; none if it may run without.
    pub fn makers(&self, thread: usize) -> Option<&[Creation]> {
        self.makers[thread].as_deref()
    }

    /// The same, if each of them happens once at most, so that each stands for one thread.
    pub fn each_once(&self, threads: &[Thread], thread: usize) -> Option<&[Creation]> {
        let single = |c: &&Creation| {
            seeded(Fault::CallsMakeOneThread) || self.once[c.maker] && !event(threads, **c).anywhere
        };
        self.makers(thread).filter(|makers| makers.iter().filter(single).count() == makers.len())
    }

    /// Whether the thread runs once at most.
    pub fn runs_once(&self, thread: usize) -> bool {
        self.once[thread]
    }

    /// Whether what one of the two makes is over before what the other makes begins.
    pub fn are_ordered(&self, a: Creation, b: Creation) -> bool {
        self.ordered.contains(&(a, b)) || self.ordered.contains(&(b, a))
    }
}

/// The handle of a thread that is made when it is registered.
pub fn own_handle<'t>(thread: &'t Thread, rows: &Registrations) -> Option<&'t Handle> {
    thread.handles.iter().find(|h| rows.fresh.contains(&h.class))
}

fn event(threads: &[Thread], c: Creation) -> &Event {
    &threads[c.maker].events[c.event]
}

fn makers_of(threads: &[Thread], handle: &Handle) -> Vec<Creation> {
    let makes = |e: &Event| {
        e.registers && e.class == handle.class && e.callback.is_none_or(|callback| callback == handle.func)
    };
    let of_thread = |(maker, thread): (usize, &Thread)| -> Vec<Creation> {
        let events = thread.events.iter().enumerate().filter(|(_, e)| makes(e));
        events.map(|(event, _)| Creation { maker, event }).collect()
    };
    let most = if seeded(Fault::OneMaker) { 1 } else { usize::MAX };
    threads.iter().enumerate().flat_map(of_thread).take(most).collect()
}

/// Who is made once, by one who runs once, runs once.
fn run_once(threads: &[Thread], makers: &[Option<Vec<Creation>>], roots: &[bool]) -> Vec<bool> {
    let mut once = roots.to_vec();
    loop {
        let more = (0..threads.len()).find(|&t| {
            let only = |list: &Vec<Creation>| match list[..] {
                [] => true,
                [c] if once[c.maker] && !event(threads, c).anywhere => true,
                _ => seeded(Fault::ThreadsRunOnce),
            };
            !once[t] && makers[t].as_ref().is_some_and(only)
        });
        match more {
            Some(t) => once[t] = true,
            None => return once,
        }
    }
}

/// Whether the thread that makes both has waited for the end of the first before it made the second.
fn is_over_before(threads: &[Thread], first: Creation, second: Creation) -> bool {
    let maker = &threads[first.maker];
    let (made, then) = (event(threads, first), event(threads, second));
    let waited = |(n, e): (usize, &Event)| {
        let flag = then.before.get(n).and_then(|&flag| maker.terms.as_bool(flag));
        let before = flag == Some(true) || seeded(Fault::JoinedAtAnyTime);
        let same = e.handle == made.handle || seeded(Fault::JoinOfAnyThread);
        !e.registers && !e.anywhere && same && before
    };
    first.maker == second.maker && !made.anywhere && maker.events.iter().enumerate().any(waited)
}

/// A number for the handle that a creation makes, as others see it: it is neither an object of theirs nor of the module.
pub fn handle_number(c: Creation) -> i128 {
    -(1 << 60) - ((c.maker as i128) << 24) - c.event as i128
}

/// An argument that may be in more objects is arbitrary.
const MOST_OBJECTS: usize = 16;

/// An address of a thread that runs once, as others see it: the objects that it may be in, if they are known, and its
/// offset. What the thread loads or computes is arbitrary to them.
pub fn seen_by_others(
    terms: &mut Terms,
    threads: &[Thread],
    maker: usize,
    at: Addr,
) -> (Option<Vec<TermId>>, Option<TermId>) {
    let thread = &threads[maker];
    let mut objects = Vec::new();
    let known = numbers_of(thread, maker, at.obj, &mut objects);
    let objects = known.map(|()| objects.into_iter().map(|object| terms.int(object)).collect());
    let offset = thread.terms.as_int(at.off).map(|off| terms.int(off));
    (objects, offset)
}

/// Numbers for the objects that a term of the maker chooses among, if others can tell what they are.
fn numbers_of(thread: &Thread, maker: usize, obj: TermId, out: &mut Vec<i128>) -> Option<()> {
    if out.len() >= MOST_OBJECTS {
        return None;
    }
    match thread.terms.get(obj) {
        Term::Int(object) => out.push(object),
        Term::Var(v) => {
            let n = thread.locals.iter().position(|&l| l == v).filter(|&n| thread.repeated[n].is_empty())?;
            out.push(-(1 << 61) - ((maker as i128) << 24) - n as i128);
        }
        Term::Ite(_, a, b) => {
            numbers_of(thread, maker, a, out)?;
            if !seeded(Fault::ArgumentOfOneWay) {
                numbers_of(thread, maker, b, out)?;
            }
        }
        _ => return None,
    }
    Some(())
}
