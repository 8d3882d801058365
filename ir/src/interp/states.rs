//! States of what the environment does: a line that is off, a queue that is stopped. A thread brings one about, and anybody may
//! end it. And handles, as they are registered: a callback runs for one of these, and not while such a state lasts.

use std::collections::{BTreeMap, BTreeSet};

use super::locks::LockKey;
use super::scenario::Of;

/// The states that last, and how often they were brought about since.
#[derive(Clone, Default, PartialEq, Eq, Hash, Debug)]
pub(super) struct States {
    lasting: BTreeMap<LockKey, u32>,
}

impl States {
    pub(super) fn lasts(&self, key: LockKey) -> bool {
        self.lasting.contains_key(&key)
    }

    pub(super) fn begin(&mut self, key: LockKey) {
        *self.lasting.entry(key).or_default() += 1;
    }

    /// Ends it once, if it counts, or altogether. What does not last may be ended, too.
    pub(super) fn end(&mut self, key: LockKey, counts: bool) {
        match self.lasting.get_mut(&key) {
            Some(count) if counts && *count > 1 => *count -= 1,
            _ => self.clear(key),
        }
    }

    pub(super) fn clear(&mut self, key: LockKey) {
        self.lasting.remove(&key);
    }
}

/// A handle that is registered: its class and address, through what, and the thread that it starts.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Registration {
    pub(super) handle: LockKey,
    pub(super) through: Option<u64>,
    pub(super) spawn: Option<Spawn>,
}

/// The thread that a registration starts: the address of its function, and the argument.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Spawn {
    pub(super) function: u64,
    pub(super) argument: u64,
}

impl Registration {
    /// The address or number of a part of it.
    pub(super) fn address(&self, of: Of) -> u64 {
        match of {
            Of::Handle => self.handle.1,
            Of::Through => self.through.unwrap_or(0),
            Of::Argument => self.spawn.map_or(0, |spawn| spawn.argument),
        }
    }

    /// Whether it is one of the handle, through this if that is said.
    fn is_of(&self, handle: LockKey, through: Option<u64>) -> bool {
        self.handle == handle && (through.is_none() || self.through == through)
    }
}

/// All handles that are registered.
#[derive(Clone, Default, PartialEq, Eq, Hash, Debug)]
pub(super) struct Registered {
    all: BTreeSet<Registration>,
}

impl Registered {
    pub(super) fn has(&self, handle: LockKey) -> bool {
        self.of_class(handle.0).any(|r| r.handle == handle)
    }

    pub(super) fn of_class(&self, class: u32) -> impl Iterator<Item = Registration> {
        self.all.iter().copied().filter(move |r| r.handle.0 == class)
    }

    pub(super) fn add(&mut self, registration: Registration) {
        self.all.insert(registration);
    }

    /// Whether a thread is to start for the handle.
    pub(super) fn is_to_start(&self, handle: LockKey) -> bool {
        self.of_class(handle.0).any(|r| r.handle == handle && r.spawn.is_some())
    }

    /// The thread has started.
    pub(super) fn started(&mut self, registration: Registration) {
        if registration.spawn.is_some() {
            self.all.remove(&registration);
        }
    }

    pub(super) fn remove(&mut self, handle: LockKey, through: Option<u64>) {
        self.all.retain(|r| !r.is_of(handle, through));
    }
}

/// Whether a thread that runs for a registration runs for this handle.
pub(super) fn runs_for(registration: Option<Registration>, handle: LockKey, through: Option<u64>) -> bool {
    registration.is_some_and(|r| r.is_of(handle, through))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: LockKey = (0, 7);

    #[test]
    fn what_counts_lasts_until_it_was_ended_as_often() {
        let mut states = States::default();
        states.begin(LINE);
        states.begin(LINE);
        states.end(LINE, true);
        assert!(states.lasts(LINE) && !states.lasts((0, 8)));
        states.end(LINE, true);
        assert!(!states.lasts(LINE));
        states.end(LINE, true);
        assert_eq!(states, States::default(), "to end what does not last changes nothing");
    }

    #[test]
    fn what_does_not_count_ends_at_once() {
        let mut states = States::default();
        states.begin(LINE);
        states.begin(LINE);
        states.end(LINE, false);
        assert!(!states.lasts(LINE));
    }

    #[test]
    fn a_handle_is_registered_through_several_things() {
        let mut registered = Registered::default();
        let handle = (3, 64);
        for line in [1, 2] {
            registered.add(Registration { handle, through: Some(line), spawn: None });
        }
        registered.remove(handle, Some(1));
        assert!(registered.has(handle) && registered.of_class(4).next().is_none());
        registered.remove(handle, None);
        assert!(!registered.has(handle));
    }
}
