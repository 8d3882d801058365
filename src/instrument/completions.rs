//! Completions: a callback says that it is over, and who has started it waits for that. What the waiter has then goes like a
//! lock, against the one that the callback has from its beginning until it completes. Whether a completion means that, is
//! found when all threads are known (`analysis/completed.rs`).

use super::exec::{Activation, Executor};
use super::flags::{Flag, Free};
use super::state::State;
use super::thread::*;
use crate::fault::{Fault, seeded};
use lockpair_ir::*;

impl Executor<'_, '_> {
    /// What is held, where what happens is about a callback that runs once, or its end.
    pub(super) fn holding(&self, state: &State, class: &str) -> Option<Holding> {
        let kinds = self.cx.kinds;
        if self.procedure.is_some()
            || !kinds.runs_once.contains(class) && !kinds.completes.contains_key(class)
        {
            return None;
        }
        let terms = &self.thread.terms;
        let own = |lock: &Lock| !lock.implicit && lock.owns.is_none() && lock.keeps_off.is_none();
        let is_free = |i: usize| terms.as_bool(state.held.taken(i, terms)) == Some(false);
        let locks = self.thread.locks.iter().enumerate();
        let none = locks.filter(|(_, lock)| own(lock)).all(|(i, _)| is_free(i));
        Some(Holding { surely: self.surely_held(state), none })
    }

    /// Notes what is registered and what has completed, if anything that runs once was registered.
    pub(super) fn checkpoint(&mut self, state: &State, what: Step) {
        let runs_once = |e: &Event| e.registers && self.cx.kinds.runs_once.contains(&e.class);
        if self.procedure.is_none() && self.thread.events.iter().any(runs_once) {
            let (guard, events, held) = (state.guard, state.events.clone(), state.held.clone());
            self.thread.checkpoints.push(Checkpoint { what, guard, events, held });
        }
    }

    /// The thread has waited for the completion: forever, and in the section of each lock that it holds.
    pub(super) fn take_completed(
        &mut self,
        (act, i): (&Activation, InstId),
        state: &mut State,
        (addr, p): (Operand, &Pointer),
    ) {
        if self.procedure.is_some() {
            return;
        }
        let sections = self.surely_held(state).into_iter().filter_map(|lock| self.under(lock, p.addr));
        let under: Vec<_> = std::iter::once(None).chain(sections.map(Some)).collect();
        for (n, under) in under.into_iter().enumerate() {
            let flag = Flag { under, ..Flag::new(0, Free::Completed) };
            let tru = self.thread.terms.tru();
            self.take_flag((act, i), state, (addr, p), (flag, tru), n);
        }
    }

    /// What has completed may run again, where it goes with such a lock.
    pub(super) fn end_completed(&mut self, state: &mut State, which: &dyn Fn(&Flag) -> bool) {
        if !seeded(Fault::CompletedForGood) {
            self.end_flags(state, &|flag| flag.free == Free::Completed && which(flag));
        }
    }
}
