//! The state of an execution, and its hash.
//!
//! Counters that only serve bounds are not part of what is hashed: two states that differ in them alone have
//! the same future, up to the bounds.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use super::cpus::Cpus;
use super::locks::Locks;
use super::memory::Memory;
use super::states::{Registered, Registration, States};
use super::value::Val;
use crate::inst::{BlockId, ValueId};
use crate::module::FuncId;

/// How far a thread is.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Phase {
    /// Not started.
    Idle,
    /// In the middle.
    Running,
    /// At its end.
    Finished,
    /// Stopped by an error or a bound; it keeps its locks.
    Stopped,
}

/// An activation of a function.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) func: FuncId,
    pub(super) block: BlockId,
    /// The position in the block; the number of its instructions stands for the terminator.
    pub(super) index: usize,
    pub(super) values: BTreeMap<ValueId, Val>,
    /// The stack objects that end with the frame.
    pub(super) stack: Vec<u32>,
    /// How often the current loops went round. For the bound only.
    pub(super) trips: BTreeMap<BlockId, u32>,
}

impl Hash for Frame {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.func, self.block, self.index, &self.values, &self.stack).hash(state);
    }
}

/// A thread.
#[derive(Clone, Debug)]
pub(super) struct Thread {
    pub(super) phase: Phase,
    pub(super) frames: Vec<Frame>,
    /// How many of its invocations have begun.
    pub(super) begun: usize,
    /// The handle for which it runs, if it is a callback of any.
    pub(super) handle: Option<Registration>,
    /// How many objects it has made.
    pub(super) made: u32,
    /// How many instructions it has executed. For the bound only.
    pub(super) steps: u64,
}

impl Thread {
    /// A thread before its start.
    pub(super) fn idle() -> Thread {
        Thread { phase: Phase::Idle, frames: Vec::new(), begun: 0, handle: None, made: 0, steps: 0 }
    }
}

impl Hash for Thread {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.phase, &self.frames, self.begun, self.handle, self.made).hash(state);
    }
}

/// Everything that the future depends on. The last thread is the setup.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) memory: Memory,
    pub(super) threads: Vec<Thread>,
    pub(super) locks: Locks,
    pub(super) cpus: Cpus,
    pub(super) states: States,
    pub(super) registered: Registered,
}

impl State {
    /// 128 bits that differ for different states, for all practical purposes.
    pub(super) fn fingerprint(&self) -> u128 {
        let mut hasher = Hasher128(SEED);
        self.memory.changed().hash(&mut hasher);
        (&self.threads, &self.locks, &self.cpus, &self.states, &self.registered).hash(&mut hasher);
        hasher.0
    }
}

const SEED: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
/// Odd, and with bits all over, so that each step is a bijection that mixes upwards.
const FACTOR: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;

/// Multiply and shift down, a word at a time: fast, and nobody chooses the input to collide.
struct Hasher128(u128);

impl Hasher128 {
    fn word(&mut self, word: u64) {
        let mixed = (self.0 ^ u128::from(word)).wrapping_mul(FACTOR);
        self.0 = mixed ^ (mixed >> 67);
    }
}

impl Hasher for Hasher128 {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let word = chunk.iter().rev().fold(0, |v, &b| (v << 8) | u64::from(b));
            self.word(word);
        }
    }

    fn write_u8(&mut self, n: u8) {
        self.word(u64::from(n));
    }

    fn write_u32(&mut self, n: u32) {
        self.word(u64::from(n));
    }

    fn write_u64(&mut self, n: u64) {
        self.word(n);
    }

    fn write_usize(&mut self, n: usize) {
        self.word(n as u64);
    }

    fn finish(&self) -> u64 {
        (self.0 >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn state() -> State {
        State {
            memory: Memory::new(Vec::new()),
            threads: vec![Thread::idle(), Thread::idle()],
            locks: Locks::default(),
            cpus: Cpus::default(),
            states: States::default(),
            registered: Registered::default(),
        }
    }

    #[test]
    fn bound_counters_do_not_tell_states_apart() {
        let mut other = state();
        other.threads[0].steps = 7;
        assert_eq!(state().fingerprint(), other.fingerprint());
    }

    #[test]
    fn what_matters_tells_states_apart() {
        let base = state();
        let mut phase = state();
        phase.threads[0].phase = Phase::Finished;
        let mut swapped = state();
        swapped.threads[1].phase = Phase::Finished;
        let mut handle = state();
        handle.registered.add(Registration { handle: (0, 1), through: None, spawn: None });
        let mut off = state();
        off.states.begin((0, 1));
        let all = [base, phase, swapped, handle, off].map(|state| state.fingerprint());
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
    }
}
