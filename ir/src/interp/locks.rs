//! Locks: who holds which, and how. A lock is named by its class and address.

use std::collections::BTreeMap;

use crate::inst::LockMode;

/// A lock: class number and address.
pub(super) type LockKey = (u32, u64);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Holder {
    thread: usize,
    mode: LockMode,
    count: u32,
}

/// The locks that are held.
#[derive(Clone, Default, PartialEq, Eq, Hash, Debug)]
pub(super) struct Locks {
    held: BTreeMap<LockKey, Vec<Holder>>,
}

impl Locks {
    /// Whether the thread would get the lock at once. Nobody gets a lock exclusively that somebody, itself
    /// included, holds.
    pub(super) fn is_free_for(&self, key: LockKey, mode: LockMode) -> bool {
        let shared = |h: &Holder| h.mode == LockMode::Shared && mode == LockMode::Shared;
        self.held.get(&key).is_none_or(|holders| holders.iter().all(shared))
    }

    /// Whether the thread holds the lock, however.
    pub(super) fn is_held_by(&self, key: LockKey, thread: usize) -> bool {
        self.held.get(&key).is_some_and(|holders| holders.iter().any(|holder| holder.thread == thread))
    }

    /// Records an acquisition.
    pub(super) fn take(&mut self, key: LockKey, mode: LockMode, thread: usize) {
        let holders = self.held.entry(key).or_default();
        match holders.iter_mut().find(|h| h.thread == thread && h.mode == mode) {
            Some(holder) => holder.count += 1,
            None => {
                holders.push(Holder { thread, mode, count: 1 });
                // Equal states must look equal, in whatever order the holders came.
                holders.sort_by_key(|h| (h.thread, h.mode));
            }
        }
    }

    /// Records a release; false if the thread does not hold the lock in this mode.
    pub(super) fn release(&mut self, key: LockKey, mode: LockMode, thread: usize) -> bool {
        let Some(holders) = self.held.get_mut(&key) else { return false };
        let Some(at) = holders.iter().position(|h| h.thread == thread && h.mode == mode) else {
            return false;
        };
        holders[at].count -= 1;
        if holders[at].count == 0 {
            holders.remove(at);
        }
        if holders.is_empty() {
            self.held.remove(&key);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::LockMode::{Exclusive, Shared};
    use super::*;

    const KEY: LockKey = (0, 64);

    #[test]
    fn exclusive_excludes_everybody() {
        let mut locks = Locks::default();
        locks.take(KEY, Exclusive, 0);
        assert!(!locks.is_free_for(KEY, Exclusive) && !locks.is_free_for(KEY, Shared));
        assert!(locks.is_free_for((1, 64), Exclusive), "another class at the address is another lock");
        assert!(locks.release(KEY, Exclusive, 0));
        assert!(locks.is_free_for(KEY, Exclusive));
    }

    #[test]
    fn shared_holders_count() {
        let mut locks = Locks::default();
        locks.take(KEY, Shared, 0);
        locks.take(KEY, Shared, 0);
        locks.take(KEY, Shared, 1);
        assert!(locks.is_free_for(KEY, Shared) && !locks.is_free_for(KEY, Exclusive));
        assert!(locks.release(KEY, Shared, 0) && locks.release(KEY, Shared, 1));
        assert!(!locks.is_free_for(KEY, Exclusive));
        assert!(locks.release(KEY, Shared, 0));
        assert_eq!(locks, Locks::default());
    }

    #[test]
    fn only_what_is_held_can_be_released() {
        let mut locks = Locks::default();
        locks.take(KEY, Exclusive, 0);
        assert!(!locks.release(KEY, Exclusive, 1));
        assert!(!locks.release(KEY, Shared, 0));
    }
}
