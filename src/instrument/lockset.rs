//! The locks held at a point of a thread.

use lockpair_smt::{TermId, Terms};
use std::sync::Arc;

/// Which locks are held at a point, each under a condition; cheap to clone.
///
/// A procedure does not know what its caller holds: of each lock it says whether it has taken it, and whether, if the
/// caller held it, that is still so. A lock is held where it was taken, or held on entry and kept.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Lockset {
    /// Missing entries are false.
    taken: Arc<Vec<TermId>>,
    /// Missing entries are true.
    kept: Arc<Vec<TermId>>,
}

impl Lockset {
    /// Whether the thread has taken the lock and not given it back.
    pub fn taken(&self, lock: usize, terms: &Terms) -> TermId {
        self.taken.get(lock).copied().unwrap_or(terms.fals())
    }

    /// The same of all locks; entries beyond the end are false.
    pub fn all_taken(&self) -> &[TermId] {
        &self.taken
    }

    /// Whether the lock was not given back that a caller has held.
    pub fn kept(&self, lock: usize, terms: &Terms) -> TermId {
        self.kept.get(lock).copied().unwrap_or(terms.tru())
    }

    /// Whether the lock is held whatever happened before, on entry of a thread.
    pub fn surely(&self, lock: usize, terms: &Terms) -> bool {
        terms.as_bool(self.taken(lock, terms)) == Some(true)
    }

    /// The locks of which anything is known but that they are as they were on entry: those below this number.
    pub fn known(&self) -> usize {
        self.taken.len().max(self.kept.len())
    }

    /// Whether a lock that a caller has held may not be held here.
    pub fn is_given_back(&self, lock: usize, terms: &Terms) -> bool {
        terms.as_bool(self.kept(lock, terms)) != Some(true)
    }

    /// Whether a lock may be held or not held other than on entry.
    pub fn is_changed(&self, lock: usize, terms: &Terms) -> bool {
        self.is_given_back(lock, terms) || terms.as_bool(self.taken(lock, terms)) != Some(false)
    }

    /// Notes whether the lock was taken.
    pub fn set_taken(&mut self, lock: usize, value: TermId, terms: &Terms) {
        set(&mut self.taken, lock, value, terms.fals());
    }

    /// Notes whether a caller's lock was kept.
    pub fn set_kept(&mut self, lock: usize, value: TermId, terms: &Terms) {
        set(&mut self.kept, lock, value, terms.tru());
    }

    /// Nobody holds the lock any more.
    pub fn forget(&mut self, lock: usize, terms: &Terms) {
        self.set_taken(lock, terms.fals(), terms);
        self.set_kept(lock, terms.fals(), terms);
    }

    /// Makes of each entry of two locksets one.
    pub fn combine(
        &self,
        other: &Lockset,
        terms: &mut Terms,
        mut entry: impl FnMut(&mut Terms, TermId, TermId) -> TermId,
    ) -> Lockset {
        let (fals, tru) = (terms.fals(), terms.tru());
        let mut both = |a: &Arc<Vec<TermId>>, b: &Arc<Vec<TermId>>, missing: TermId| {
            if Arc::ptr_eq(a, b) || a == b {
                return Arc::clone(a);
            }
            let at = |list: &[TermId], i: usize| list.get(i).copied().unwrap_or(missing);
            let one = |i| match (at(a, i), at(b, i)) {
                (x, y) if x == y => x,
                (x, y) => entry(terms, x, y),
            };
            Arc::new((0..a.len().max(b.len())).map(one).collect())
        };
        Lockset { taken: both(&self.taken, &other.taken, fals), kept: both(&self.kept, &other.kept, tru) }
    }

    /// The same with other lists of terms in the place of its own; they end before the last entries that say nothing.
    pub fn map(&self, terms: &Terms, mut new: impl FnMut(&[TermId]) -> Arc<Vec<TermId>>) -> Lockset {
        let mut said = |list: &[TermId], missing: TermId| {
            let len = list.iter().rposition(|&t| t != missing).map_or(0, |last| last + 1);
            new(&list[..len])
        };
        Lockset { taken: said(&self.taken, terms.fals()), kept: said(&self.kept, terms.tru()) }
    }

    /// Tells locksets apart that were not made from each other, quickly; equal ones may have several.
    pub fn address(&self) -> (*const Vec<TermId>, *const Vec<TermId>) {
        (Arc::as_ptr(&self.taken), Arc::as_ptr(&self.kept))
    }
}

fn set(table: &mut Arc<Vec<TermId>>, index: usize, value: TermId, missing: TermId) {
    if table.len() <= index {
        if value == missing {
            return;
        }
        Arc::make_mut(table).resize(index + 1, missing);
    }
    if table[index] != value {
        Arc::make_mut(table)[index] = value;
    }
}
