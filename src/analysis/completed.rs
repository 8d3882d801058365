//! Which completions say that a callback is over (`instrument/completions.rs`): then who has waited for one excludes the
//! callback, which has not completed it yet.
//!
//! A callback *runs until it completes* if each registration runs it at most once, it completes one completion, which lies
//! at one distance from its handle or is in a global, once and at its end, holding no lock; and if nobody else completes that. So as many
//! runs are over as have been waited for. That is all of them
//!
//! - if a handle is registered once ever: by who has just made it, or at one place that runs once;
//! - or in the critical section of a lock under which everybody registers the handle, and waits before he gives back the lock or
//!   registers it again. Then nothing runs when somebody gets that lock, until he registers the handle himself.

mod counts;

use super::layout::{Layout, Shape};
use super::origins;
use super::ownership::{amend, forget, is_never, is_of_several};
use crate::fault::{Fault, seeded};
use crate::instrument::Kinds;
use crate::instrument::flags::{self, Flag, Free, Under};
use crate::instrument::thread::{Addr, Checkpoint, Event, Handle, Lock, Step, Thread};
use lockpair_entry_points::EntryPoints;
use lockpair_ir::*;
use lockpair_smt::TermId;
use std::collections::{BTreeSet, HashSet};

/// What the decision needs.
pub struct Facts<'a> {
    /// What tells pointers apart.
    pub origins: &'a origins::Facts<'a>,
    /// The entry points.
    pub entry_points: &'a EntryPoints,
    /// What is known of classes of handles.
    pub kinds: &'a Kinds,
    /// Classes of handles that code outside may register.
    pub outside: &'a HashSet<String>,
    /// Classes of which a handle may be registered several times at once.
    pub several: &'a BTreeSet<String>,
}

/// A callback that runs until it completes.
struct Runner {
    thread: usize,
    /// For people.
    name: String,
    /// What completes.
    completes: (FuncId, InstId),
    /// The completion, in the callback's terms.
    at: Addr,
    shape: Shape,
    from_handle: FromHandle,
    /// All that may register its handle: thread and event.
    registrations: Vec<(usize, usize)>,
    /// Whether a handle is registered once ever.
    once: bool,
    /// The locks, as seen from the completion, in whose sections nothing runs but what was registered there and not waited for.
    sections: Vec<Under>,
}

/// Where a completion is.
#[derive(Copy, Clone, PartialEq)]
enum FromHandle {
    /// So far behind the handle.
    Behind(i128),
    /// So far from the start of a global, wherever the handle is.
    Global(i128, i128),
}

/// In a key: a lock that is found here.
const FOUND: u32 = u32::MAX - 2;

/// Gives those callbacks what they have until they complete, and takes out of all locksets what waiting does not mean.
pub fn keep_believed(facts: &Facts, threads: &mut [Thread]) {
    for thread in threads.iter_mut() {
        // Of an earlier run, of a program that was changed since.
        let found = numbers(thread, |lock| lock.key.2 == FOUND);
        forget(thread, &found);
    }
    let completes = |e: &Event| e.registers && facts.kinds.completes.contains_key(&e.class);
    let any_completes = threads.iter().any(|t| t.events.iter().any(completes));
    let runners: Vec<Runner> = match any_completes && !counts::may_change(facts) {
        true => (0..threads.len()).filter_map(|b| runner(facts, threads, b)).collect(),
        false => Vec::new(),
    };
    for thread in threads.iter_mut() {
        let doubted =
            numbers(thread, |lock| is_completed(lock) && !is_believed(facts, thread, lock, &runners));
        forget(thread, &doubted);
    }
    for runner in &runners {
        runs(facts, &mut threads[runner.thread], runner);
        for (t, thread) in threads.iter_mut().enumerate().filter(|(t, _)| *t != runner.thread) {
            nothing_runs_in_sections((t, thread), runner);
        }
    }
}

fn numbers(thread: &Thread, which: impl Fn(&Lock) -> bool) -> HashSet<usize> {
    (0..thread.locks.len()).filter(|&n| which(&thread.locks[n])).collect()
}

fn is_completed(lock: &Lock) -> bool {
    lock.owns.as_ref().is_some_and(|flag| flag.free == Free::Completed)
}

/// The callback, if it runs until it completes and who waits may know that it is over.
fn runner(facts: &Facts, threads: &[Thread], number: usize) -> Option<Runner> {
    let thread = &threads[number];
    let (last, from_handle) = completes_last(facts, thread)?;
    let [handle] = &thread.handles[..] else { return None };
    let event = &thread.events[last];
    let name = format!("the end of {}", facts.entry_points.items[thread.entry].name);
    if completes_elsewhere(facts, threads, number, event) {
        return None;
    }
    let registrations = registrations(facts, threads, handle, (event.shape, &from_handle));
    let mut runner = Runner {
        thread: number,
        name,
        completes: (event.key.0, event.key.1),
        at: event.handle,
        shape: event.shape,
        from_handle,
        registrations,
        once: false,
        sections: Vec::new(),
    };
    runner.once = is_registered_once(facts, threads, &runner);
    runner.sections = sections(facts, threads, handle, &runner);
    (runner.once || !runner.sections.is_empty()).then_some(runner)
}

/// The event with which the thread completes, and where, if it does so at its end, once, and holds no lock then: who waits may
/// free that.
fn completes_last(facts: &Facts, thread: &Thread) -> Option<(usize, FromHandle)> {
    let [handle] = &thread.handles[..] else { return None };
    let runs_once = facts.kinds.runs_once.contains(&handle.class) && !facts.outside.contains(&handle.class);
    let is_of_completion = |e: &Event| facts.kinds.completes.contains_key(&e.class);
    let events: Vec<usize> =
        (0..thread.events.len()).filter(|&n| is_of_completion(&thread.events[n])).collect();
    let is_last = |n: usize| {
        let done_at =
            |flags: &[TermId]| flags.get(n).is_some_and(|&f| thread.terms.as_bool(f) != Some(false));
        let ends = thread.events.iter().filter(|e| !e.registers);
        let after = thread.sites.iter().any(|site| done_at(&site.events))
            || ends.into_iter().any(|e| done_at(&e.before));
        !after || seeded(Fault::CompletesAtAnyTime)
    };
    let ends = |&n: &usize| {
        let e = &thread.events[n];
        let holds_none = e.holding.as_ref().is_some_and(|held| held.none);
        e.registers && !e.anywhere && holds_none && !thread.several.contains(&e.class) && is_last(n)
    };
    if !runs_once || !events.iter().all(ends) {
        return None;
    }
    let places: Option<Vec<FromHandle>> =
        events.iter().map(|&n| from_handle(thread, handle, thread.events[n].handle)).collect();
    let (places, &first) = (places?, events.first()?);
    places.windows(2).all(|two| two[0] == two[1]).then(|| (first, places[0]))
}

fn from_handle(thread: &Thread, handle: &Handle, at: Addr) -> Option<FromHandle> {
    let behind = || thread.distance(at, handle.addr).map(FromHandle::Behind);
    global_place(thread, at).map(|(object, offset)| FromHandle::Global(object, offset)).or_else(behind)
}

/// The number of a global, and where in it the address is.
fn global_place(thread: &Thread, at: Addr) -> Option<(i128, i128)> {
    let object = thread.terms.as_int(at.obj).filter(|&object| object > 0)?;
    Some((object, thread.terms.as_int(at.off)?))
}

/// Whether another thread may complete that.
fn completes_elsewhere(facts: &Facts, threads: &[Thread], number: usize, event: &Event) -> bool {
    let layout = facts.origins.layout;
    let own = &threads[number];
    let is_other = |(t, thread): (usize, &Thread)| {
        let completes = |e: &&Event| e.registers && facts.kinds.completes.contains_key(&e.class);
        t != number
            && thread.events.iter().filter(completes).any(|e| {
                e.anywhere
                    || may_be_one(layout, (own, event.handle, event.shape), (thread, e.handle, e.shape))
            })
    };
    threads.iter().enumerate().any(is_other) && !seeded(Fault::CompletedByAnybody)
}

fn may_be_one(layout: &Layout, a: (&Thread, Addr, Shape), b: (&Thread, Addr, Shape)) -> bool {
    match (a.0.fixed_place(a.1), b.0.fixed_place(b.1)) {
        (Some(x), Some(y)) => x == y,
        _ => layout.may_overlap(true, a.2, b.2),
    }
}

/// What may register the handle to run this callback.
fn registrations(
    facts: &Facts,
    threads: &[Thread],
    handle: &Handle,
    (completion, from_handle): (Shape, &FromHandle),
) -> Vec<(usize, usize)> {
    let place = handle_shape(completion, from_handle);
    let is_of_handle = |e: &Event| {
        e.class == handle.class
            && e.callback.is_none_or(|callback| callback == handle.func)
            && (e.anywhere || facts.origins.layout.may_overlap(true, place, e.shape))
    };
    let of_thread = |(t, thread): (usize, &Thread)| {
        let events = thread.events.iter().enumerate();
        let registers = events.filter(|(_, e)| e.registers && is_of_handle(e));
        registers.map(|(n, _)| (t, n)).collect::<Vec<_>>()
    };
    threads.iter().enumerate().flat_map(of_thread).collect()
}

/// What is known of the handle's place, if the completion lies so far behind it.
fn handle_shape(completion: Shape, from_handle: &FromHandle) -> Shape {
    match (completion, from_handle) {
        (Shape::In { strukt, lo, .. }, FromHandle::Behind(by)) => match u64::try_from(i128::from(lo) - by) {
            Ok(lo) => Shape::In { strukt, lo, hi: lo + 1 },
            Err(_) => Shape::Wild,
        },
        _ => Shape::Wild,
    }
}

/// Whether no handle is registered twice: its object is made by who registers it, with the completion in it; or there is one
/// place that registers any, and that runs once.
fn is_registered_once(facts: &Facts, threads: &[Thread], runner: &Runner) -> bool {
    let event = |&(t, n): &(usize, usize)| (&threads[t], &threads[t].events[n]);
    let is_one = |(_, e): &(&Thread, &Event)| !e.anywhere && e.holding.is_some();
    let all: Vec<(&Thread, &Event)> = runner.registrations.iter().map(event).collect();
    let runs_once = |thread: &Thread| facts.entry_points.items[thread.entry].once;
    let by_maker = matches!(runner.from_handle, FromHandle::Behind(_))
        && all.iter().all(|(thread, e)| e.fresh && thread.makes(e.handle.obj));
    let at_one_place = matches!(all[..], [(thread, _)] if runs_once(thread));
    // Where none is seen, others register it.
    !all.is_empty() && all.iter().all(is_one) && (by_maker || at_one_place || seeded(Fault::StartedOnce))
}

/// The locks in whose sections everybody registers the handle and waits for its completion.
fn sections(facts: &Facts, threads: &[Thread], handle: &Handle, runner: &Runner) -> Vec<Under> {
    let locks = |&(t, n): &(usize, usize)| {
        let (thread, e) = (&threads[t], &threads[t].events[n]);
        let surely = e.holding.iter().filter(|_| !e.anywhere).flat_map(|held| &held.surely);
        let usable = surely.filter(|&&j| !is_of_several(thread, &thread.locks[j], facts.several));
        let under = usable.filter_map(|&j| flags::under(thread, j, e.handle));
        under.filter_map(|under| runner.seen_from_completion(under)).collect::<Vec<_>>()
    };
    let mut all = runner.registrations.iter().map(locks);
    let Some(mut common) = all.next() else { return Vec::new() };
    all.for_each(|other| common.retain(|under| other.contains(under)));
    common.retain(|under| {
        let waits = |&(t, n): &(usize, usize)| waits(facts, &threads[t], n, handle, (runner, under));
        runner.registrations.iter().all(waits) || seeded(Fault::NobodyWaits)
    });
    common
}

/// Whether the thread has waited for what it registers wherever that must be over, and does not cancel it instead: then it may
/// have completed nevertheless.
fn waits(
    facts: &Facts,
    thread: &Thread,
    event: usize,
    handle: &Handle,
    (runner, under): (&Runner, &Under),
) -> bool {
    let place = handle_shape(runner.shape, &runner.from_handle);
    let may_be_it = |e: &Event| facts.origins.layout.may_overlap(true, place, e.shape);
    let cancels = |e: &Event| !e.registers && e.class == handle.class && may_be_it(e);
    let at = thread.events[event].handle;
    let is_it = |lock: &Lock| match &runner.from_handle {
        FromHandle::Behind(by) => thread.distance(lock.addr, at) == Some(*by),
        FromHandle::Global(object, offset) => global_place(thread, lock.addr) == Some((*object, *offset)),
    };
    let goes_with = |lock: &Lock| lock.owns.as_ref().and_then(|flag| flag.under.as_ref()) == Some(under);
    let completed: Vec<usize> =
        numbers(thread, |lock| is_completed(lock) && goes_with(lock) && is_it(lock)).into_iter().collect();
    let is_over = |at: &Checkpoint| {
        let registered = at.events.get(event).copied().unwrap_or(thread.terms.fals());
        let mut terms = thread.terms.clone();
        let taken: Vec<TermId> = completed.iter().map(|&n| at.held.taken(n, &terms)).collect();
        let completed = terms.or(&taken);
        let pending = terms.not(completed);
        // When the lock was given back before, that was asked there.
        let in_section = match at.what {
            Step::Returns => {
                let locks = numbers(thread, |lock| lock.owns.is_none() && under.is_of(&lock.class));
                let taken: Vec<TermId> = locks.into_iter().map(|j| at.held.taken(j, &terms)).collect();
                terms.or(&taken)
            }
            Step::GivesBack(_) | Step::Registers => terms.tru(),
        };
        let unfinished = terms.and(&[at.guard, registered, pending, in_section]);
        match terms.as_bool(unfinished) {
            Some(known) => !known,
            None => is_never(&terms, &[unfinished], None),
        }
    };
    let matters = |at: &&Checkpoint| match &at.what {
        Step::GivesBack(class) => under.is_of(class),
        Step::Registers | Step::Returns => true,
    };
    !thread.events.iter().any(cancels) && thread.checkpoints.iter().filter(matters).all(is_over)
}

impl Runner {
    /// A lock as seen from the completion, that is seen so from the handle.
    fn seen_from_completion(&self, under: Under) -> Option<Under> {
        match self.from_handle {
            FromHandle::Behind(by) => Some(under.moved(by)),
            FromHandle::Global(..) => under.behind().is_none().then_some(under),
        }
    }
}

/// Whether who has waited so excludes all callbacks that may complete this.
fn is_believed(facts: &Facts, thread: &Thread, lock: &Lock, runners: &[Runner]) -> bool {
    let under = lock.owns.as_ref().and_then(|flag| flag.under.as_ref());
    let concerns = |runner: &&Runner| facts.origins.layout.may_overlap(true, lock.shape, runner.shape);
    let is_fixed_elsewhere = |runner: &&Runner| match (runner.from_handle, global_place(thread, lock.addr)) {
        (FromHandle::Global(object, offset), Some(own)) => (object, offset) != own,
        _ => false,
    };
    let mut all = runners.iter().filter(concerns).filter(|runner| !is_fixed_elsewhere(runner)).peekable();
    let any = all.peek().is_some();
    any && all.all(|runner| runner.once || under.is_some_and(|under| runner.sections.contains(under)))
}

/// The callback has not completed wherever it is.
fn runs(facts: &Facts, thread: &mut Thread, runner: &Runner) {
    thread.locks.push(found(Free::Running, LockMode::Exclusive, (runner, runner.at), None));
    let number = thread.locks.len() - 1;
    let (func, inst) = runner.completes;
    let loc = facts.origins.module.funcs[func].insts[inst].loc;
    thread.ledger.record(AssumptionKind::OwnedFlag, runner.name.clone(), loc);
    amend(thread, &mut |held, _, terms| held.set_taken(number, terms.tru(), terms));
}

/// Who holds such a lock knows that nothing runs but what he has registered himself.
fn nothing_runs_in_sections((t, thread): (usize, &mut Thread), runner: &Runner) {
    let own: Vec<usize> =
        runner.registrations.iter().filter(|(registrar, _)| *registrar == t).map(|(_, n)| *n).collect();
    for j in 0..thread.locks.len() {
        let lock = &thread.locks[j];
        let is_lock = lock.owns.is_none() && lock.keeps_off.is_none() && !lock.state;
        let class = lock.class.clone();
        for under in runner.sections.iter().filter(|under| is_lock && under.is_of(&class)) {
            let Some(at) = completion_of(thread, j, under, runner) else { continue };
            thread.locks.push(found(Free::Completed, LockMode::Shared, (runner, at), Some(under.clone())));
            let number = thread.locks.len() - 1;
            amend(thread, &mut |held, events, terms| {
                let registered: Vec<TermId> =
                    own.iter().map(|&n| events.get(n).copied().unwrap_or(terms.fals())).collect();
                let registered = terms.or(&registered);
                let nothing = terms.not(registered);
                let holds = terms.and2(held.taken(j, terms), nothing);
                held.set_taken(number, holds, terms);
            });
        }
    }
}

/// Where the completion is that goes with the lock.
fn completion_of(thread: &mut Thread, lock: usize, under: &Under, runner: &Runner) -> Option<Addr> {
    let at = thread.locks[lock].addr;
    match (runner.from_handle, under.behind()) {
        (FromHandle::Behind(_), Some(by)) => {
            let by = thread.terms.int(by);
            Some(Addr { off: thread.terms.sub(at.off, by), ..at })
        }
        (FromHandle::Global(object, offset), None) => {
            let is_it = flags::under(thread, lock, at).as_ref() == Some(under);
            is_it.then(|| Addr { obj: thread.terms.int(object), off: thread.terms.int(offset) })
        }
        _ => None,
    }
}

fn found(free: Free, mode: LockMode, (runner, addr): (&Runner, Addr), under: Option<Under>) -> Lock {
    let flag = Flag { bits: 0, free, under, ordered_by: None };
    Lock {
        class: flag.to_string(),
        mode,
        addr,
        region: None,
        shape: runner.shape,
        name: runner.name.clone(),
        taken: Vec::new(),
        table: None,
        implicit: false,
        keeps_off: None,
        state: false,
        owns: Some(flag),
        key: (FuncId::new(0), InstId::new(0), FOUND),
    }
}
