//! Locks that an interrupt takes, and that are taken elsewhere while it may come: on the same CPU, it waits for ever.
//!
//! That is asked for each lock and two threads, as far as the first one is concerned: nothing keeps the other one off
//! its CPU where it takes the lock, and if it is the one that registers or unregisters such handlers, it has one
//! registered there. What the thread does between taking the lock and giving it back is not looked at.

use super::{Asker, Facts, Problem, Taken, TakenHere, Which};
use crate::instrument::Thread;
use lockpair_env::schema::Context;
use lockpair_smt::TermId;
use std::collections::{BTreeMap, HashSet};

/// Looks at all locks that are taken anywhere.
pub fn look(facts: &Facts, taken: &[TakenHere]) -> Vec<Problem> {
    let mut by_lock: BTreeMap<&Which, Vec<(Taken, bool)>> = BTreeMap::new();
    for (which, at, waits) in taken {
        by_lock.entry(which).or_default().push((*at, *waits));
    }
    by_lock.into_values().flat_map(|all| of_lock(facts, &all)).collect()
}

/// For each thread that takes the lock, the first interrupt that may come then.
fn of_lock(facts: &Facts, all: &[(Taken, bool)]) -> Vec<Problem> {
    let context = |at: &Taken| facts.entry_points.items[facts.threads[at.thread].entry].context;
    let mut found = Vec::new();
    let mut known = HashSet::new();
    let waiting: Vec<Taken> = all.iter().filter(|(_, waits)| *waits).map(|(at, _)| *at).collect();
    for (at, _) in all {
        let comes = |by: &&Taken| {
            context(by) > context(at)
                && facts.may_meet([at.thread, by.thread])
                && may_interrupt(facts, at, by, context(by))
        };
        if known.contains(&at.thread) {
            continue;
        }
        if let Some(by) = waiting.iter().find(comes) {
            known.insert(at.thread);
            found.push(Problem::Interrupted([*at, *by]));
        }
    }
    found
}

/// Whether the second thread, which runs in that context, may come in between where the first takes the lock.
fn may_interrupt(facts: &Facts, at: &Taken, by: &Taken, context: Context) -> bool {
    let (thread, other) = (&facts.threads[at.thread], &facts.threads[by.thread]);
    let site = &thread.sites[at.site];
    let is_off = |n: &usize| {
        let lock = &thread.locks[*n];
        let is_masked = lock.keeps_off.is_some_and(|highest| highest >= context);
        let is_stopped = facts.states.contains_key(&lock.class)
            && other.locks.iter().any(|l| l.implicit && l.class == lock.class);
        is_masked || !lock.implicit && is_stopped
    };
    let off = (0..thread.locks.len()).filter(is_off).map(|n| site.held.taken(n, &thread.terms));
    let [registered, over] = [true, false].map(|registers| events(thread, other, at.site, registers));
    let mut asker = Asker::new(&facts.threads[at.thread], &facts.renamings[at.thread], facts.limits);
    let never: Vec<TermId> = off.chain(over).collect();
    let mut asked = |condition: &[TermId]| asker.possible(condition, &never);
    match registered.as_slice() {
        [] => asked(&[site.guard]),
        some => some.iter().any(|&one| asked(&[site.guard, one])),
    }
}

/// Whether the thread has registered handles of the classes that the other one needs, or has unregistered them: one term for
/// each place where it does.
fn events(thread: &Thread, other: &Thread, site: usize, registers: bool) -> Vec<TermId> {
    let is_handle = |class: &str| other.handles.iter().any(|handle| handle.class == class);
    let events = thread.events.iter().enumerate();
    let wanted = events.filter(|(_, event)| event.registers == registers && is_handle(&event.class));
    let at = &thread.sites[site].events;
    wanted.map(|(n, _)| at.get(n).copied().unwrap_or(thread.terms.fals())).collect()
}
