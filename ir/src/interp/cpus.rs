//! CPUs: which threads stay on which, and whom they keep off there.
//!
//! A thread that keeps nobody off is on any CPU and may move at any time; there is always a further one for it to run on. So
//! it is in no list here, and on a certain CPU only at the moment when it asks for the number. What keeps it there, a *mask*
//! (preemption or interrupts are off), also keeps others off, up to a level. The threads that stay on a CPU are a stack:
//! each has come in between what the one below does, and that goes on only when the one above has left.

use std::collections::BTreeMap;

use super::scenario::Level;

/// The CPUs of which anybody asks for the number.
pub(super) const CPUS: usize = 2;

/// Who stays where, and keeps whom off.
#[derive(Clone, Default, PartialEq, Eq, Hash, Debug)]
pub(super) struct Cpus {
    /// The threads that stay on each CPU, the lowest first.
    staying: [Vec<usize>; CPUS],
    /// The masks of each thread, by class: up to which level they keep others off, and how often they were taken.
    masks: BTreeMap<(usize, u32), (Level, u32)>,
}

impl Cpus {
    /// Where the thread stays, if it does.
    pub(super) fn of(&self, thread: usize) -> Option<usize> {
        self.staying.iter().position(|threads| threads.contains(&thread))
    }

    /// Whether another thread has come in between what it does, and is not done.
    pub(super) fn is_interrupted(&self, thread: usize) -> bool {
        self.of(thread).is_some_and(|cpu| self.staying[cpu].last() != Some(&thread))
    }

    /// The CPUs off which nobody keeps a thread of this level.
    pub(super) fn open_to(&self, level: Level) -> Vec<u128> {
        let lets_in = |t: &usize| self.keeps_off(*t).is_none_or(|highest| highest < level);
        (0..CPUS).filter(|&cpu| self.staying[cpu].iter().all(lets_in)).map(|cpu| cpu as u128).collect()
    }

    fn keeps_off(&self, thread: usize) -> Option<Level> {
        self.masks.range((thread, 0)..=(thread, u32::MAX)).map(|(_, (level, _))| *level).max()
    }

    /// The thread stays on a CPU from now on, as long as it has a mask.
    pub(super) fn enter(&mut self, thread: usize, cpu: u128) {
        if let Some(threads) = self.staying.get_mut(cpu as usize) {
            threads.push(thread);
        }
    }

    /// The thread, which stays somewhere, keeps others off up to a level.
    pub(super) fn mask(&mut self, thread: usize, class: u32, level: Level) {
        self.masks.entry((thread, class)).or_insert((level, 0)).1 += 1;
    }

    /// It no longer does: if the class is counted, when this has been said as often. One that was not taken may be ended.
    pub(super) fn unmask(&mut self, thread: usize, class: u32, counted: bool) {
        if let Some((_, count)) = self.masks.get_mut(&(thread, class)) {
            *count = if counted { *count - 1 } else { 0 };
            if *count == 0 {
                self.masks.remove(&(thread, class));
            }
        }
        if self.keeps_off(thread).is_none() {
            self.leave(thread);
        }
    }

    /// The thread is at its end.
    pub(super) fn leave(&mut self, thread: usize) {
        self.masks.retain(|(t, _), _| *t != thread);
        self.staying.iter_mut().for_each(|threads| threads.retain(|t| *t != thread));
    }
}
