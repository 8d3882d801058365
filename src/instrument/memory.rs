//! Private memory: the content of objects that the thread itself made and that nobody else can reach.
//!
//! Content is kept per (offset, size) cell as it was stored. What is read otherwise than it was
//! written, or after a write that could not be placed, is arbitrary.

use super::thread::Pointer;
use super::values::Val;
use crate::fault::{Fault, seeded};
use indexmap::IndexSet;
use lockpair_smt::{TermId, Terms};
use rustc_hash::FxBuildHasher;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// An object that the thread made: index into [`super::Thread::locals`].
pub type LocalId = usize;

/// Bytes of an object: where they begin, and how many.
pub type Range = (u64, u64);

/// Several of them.
pub type Ranges = BTreeSet<Range>;

/// All bytes of an object.
pub const WHOLE: Range = (0, u64::MAX);

/// What changes in more places is forgotten as a whole.
const MOST_RANGES: usize = 64;

/// The content of all own objects.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    objects: Arc<BTreeMap<LocalId, Arc<Content>>>,
}

/// What the bytes of an object hold that no cell covers.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Rest {
    /// Zero.
    Zero,
    /// Nobody has written there yet, nor got the address who might. What a variable holds before it is written no program goes by
    /// (C11 6.3.2.1), so it may be taken for anything.
    Unwritten,
    /// Anything.
    #[default]
    Arbitrary,
}

/// The content of one object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Content {
    cells: BTreeMap<(u64, u64), Val>,
    rest: Rest,
    /// Own objects to which arbitrary bytes may point: what was stored at an index, or in earlier iterations of a loop.
    lurking: Pointers,
    /// Pointers that were there when bytes became arbitrary, and may be so still, for unknown code to find. The thread itself
    /// does not find them: what it reads there is arbitrary.
    left: Pointers,
}

/// Several pointers that may lie somewhere: thousands, in a buffer that is filled in a hundred places.
type Pointers = IndexSet<Lurking, FxBuildHasher>;

/// A pointer that may lie in these bytes, where they are arbitrary.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lurking {
    /// The pointer.
    pub pointer: Pointer,
    /// The bytes.
    pub bytes: Range,
}

impl Lurking {
    /// Whether it may lie there, at least in part.
    fn may_be_in(&self, at: u64, size: u64) -> bool {
        self.bytes.0 < at.saturating_add(size) && at < self.bytes.0.saturating_add(self.bytes.1)
    }
}

impl Memory {
    /// All objects with their content.
    pub fn objects(&self) -> impl Iterator<Item = (&LocalId, &Arc<Content>)> {
        self.objects.iter()
    }

    /// The content of an object.
    pub fn object(&self, id: LocalId) -> Option<&Arc<Content>> {
        self.objects.get(&id)
    }

    /// Puts the content of an object.
    pub fn insert(&mut self, id: LocalId, content: Arc<Content>) {
        Arc::make_mut(&mut self.objects).insert(id, content);
    }

    /// Leaves out objects from `first` on that have ended.
    pub fn end(&mut self, first: LocalId, has_ended: impl Fn(LocalId) -> bool) {
        if self.objects.range(first..).any(|(&id, _)| has_ended(id)) {
            Arc::make_mut(&mut self.objects).retain(|&id, _| id < first || !has_ended(id));
        }
    }

    /// The content of an object, to be changed.
    pub fn object_mut(&mut self, id: LocalId) -> &mut Content {
        Arc::make_mut(Arc::make_mut(&mut self.objects).entry(id).or_default())
    }
}

impl Content {
    /// A fresh object.
    pub fn new(rest: Rest) -> Content {
        Content { rest, ..Content::default() }
    }

    /// The content of two objects as far as they agree on the bytes outside of all cells.
    pub fn joined(a: &Content, b: &Content) -> Content {
        let mut lurking = a.lurking.clone();
        lurking.extend(&b.lurking);
        let rest = if a.rest == b.rest { a.rest } else { Rest::Arbitrary };
        let mut left = a.left.clone();
        left.extend(&b.left);
        Content { rest, lurking, left, ..Content::default() }
    }

    /// All cells.
    pub fn cells(&self) -> impl Iterator<Item = (&(u64, u64), &Val)> {
        self.cells.iter()
    }

    /// The cell of exactly those bytes.
    pub fn cell(&self, at: u64, size: u64) -> Option<Val> {
        self.cells.get(&(at, size)).copied()
    }

    /// The value of those bytes, of the kind of `like`; none if it is arbitrary.
    pub fn read(&self, terms: &mut Terms, at: u64, size: u64, like: Val) -> Option<Val> {
        if let Some(v) = self.cell(at, size) {
            return same_kind(v, like).then_some(v);
        }
        let overlapped = self.overlapping(at, size).next().is_some();
        if overlapped || self.rest != Rest::Zero {
            return None;
        }
        match like {
            Val::Bool(_) => Some(Val::Bool(terms.fals())),
            Val::Int(..) => Some(Val::Int(terms.int(0), None)),
            Val::Ptr(_) => Some(Val::Ptr(super::values::null(terms))),
            Val::Opaque => None,
        }
    }

    /// Whether nobody has written there yet.
    pub fn is_unwritten(&self, at: u64, size: u64) -> bool {
        self.rest == Rest::Unwritten
            && self.overlapping(at, size).next().is_none()
            && self.pointers_lurking_in(at, size).next().is_none()
    }

    /// Others may write there from here on.
    pub fn give_away(&mut self) {
        if self.rest == Rest::Unwritten {
            self.rest = Rest::Arbitrary;
        }
    }

    /// Stores a value; what it overlaps partly becomes arbitrary.
    pub fn write(&mut self, at: u64, size: u64, value: Val) {
        self.forget(at, size);
        self.cells.insert((at, size), value);
    }

    /// Puts a cell without looking at others; only for cells known to overlap none.
    pub fn set(&mut self, at: u64, size: u64, value: Val) {
        self.cells.insert((at, size), value);
    }

    /// Those bytes become arbitrary.
    pub fn forget(&mut self, at: u64, size: u64) {
        let gone: Vec<(u64, u64)> = self.overlapping(at, size).collect();
        for cell in gone {
            // A cell that is hit only partly leaves bytes that are neither like the rest nor known.
            if cell.0 < at || cell.0 + cell.1 > at.saturating_add(size) {
                self.rest = Rest::Arbitrary;
            }
            self.cells.remove(&cell);
        }
        let stays = self.rest == Rest::Unwritten && seeded(Fault::ForgottenIsUnwritten);
        if self.rest != Rest::Arbitrary && !stays {
            // What is said of the rest stays true if an opaque cell covers the arbitrary bytes.
            self.cells.insert((at, size), Val::Opaque);
        }
    }

    /// The bytes in which the other content differs; none if that may be anywhere.
    pub fn changed_in(&self, other: &Content) -> Option<Ranges> {
        let differs = |cell: &&Range| self.cells.get(*cell) != other.cells.get(*cell);
        let cells = self.cells.keys().chain(other.cells.keys()).filter(differs).copied();
        let one_has = |l: &&Lurking| self.lurking.contains(*l) != other.lurking.contains(*l);
        let lurking = self.lurking.iter().chain(&other.lurking).filter(one_has).map(|l| l.bytes);
        let changed: Ranges = cells.chain(lurking).collect();
        let is_known = self.rest == other.rest && !changed.contains(&WHOLE) && changed.len() <= MOST_RANGES;
        is_known.then_some(changed)
    }

    /// All bytes become zero.
    pub fn clear(&mut self) {
        *self = Content::new(Rest::Zero);
    }

    /// All bytes become arbitrary.
    pub fn forget_all(&mut self) {
        self.leave_all(WHOLE.0, WHOLE.1);
        *self = Content { left: std::mem::take(&mut self.left), ..Content::default() };
    }

    /// Those bytes may change now, and may not.
    pub fn leave_all(&mut self, at: u64, size: u64) {
        let there: Vec<Pointer> = self.pointers_in(at, size).collect();
        there.into_iter().for_each(|p| self.leave(p, (at, size)));
    }

    /// Notes a pointer that may have been left in those bytes.
    pub fn leave(&mut self, pointer: Pointer, bytes: Range) {
        if !seeded(Fault::ForgottenIsGone) {
            self.left.insert(Lurking { pointer, bytes });
        }
    }

    /// The pointers that unknown code may find there.
    pub fn pointers_to_find(&self, at: u64, size: u64) -> impl Iterator<Item = Pointer> {
        self.pointers_in(at, size).chain(self.pointers_left_in(at, size))
    }

    /// Those that were there when something became arbitrary.
    pub fn pointers_left_in(&self, at: u64, size: u64) -> impl Iterator<Item = Pointer> {
        self.left.iter().filter(move |l| l.may_be_in(at, size)).map(|l| l.pointer)
    }

    /// Those bytes become arbitrary; the pointers that lie there may still do so.
    pub fn blur(&mut self, (at, size): Range) {
        let pointers: Vec<Pointer> = self.pointers_in(at, size).collect();
        self.forget(at, size);
        pointers.into_iter().for_each(|p| self.lurk(p, (at, size)));
    }

    /// Notes a pointer that may lie in those bytes, where they are arbitrary.
    pub fn lurk(&mut self, pointer: Pointer, bytes: Range) {
        self.lurking.insert(Lurking { pointer, bytes });
    }

    /// The pointers that are stored in the object.
    pub fn pointers(&self) -> impl Iterator<Item = Pointer> {
        self.pointers_in(0, u64::MAX)
    }

    /// The pointers that are stored there, in part or as a whole, or may be.
    pub fn pointers_in(&self, at: u64, size: u64) -> impl Iterator<Item = Pointer> {
        let known = self.overlapping(at, size).filter_map(|cell| self.cells[&cell].pointer());
        known.chain(self.pointers_lurking_in(at, size))
    }

    /// The pointers that may lie there where the bytes are arbitrary.
    pub fn pointers_lurking_in(&self, at: u64, size: u64) -> impl Iterator<Item = Pointer> {
        self.lurking.iter().filter(move |l| l.may_be_in(at, size)).map(|l| l.pointer)
    }

    /// The pointers of which a part is stored there, and a part is not.
    pub fn pointers_cut_by(&self, at: u64, size: u64) -> impl Iterator<Item = Pointer> {
        let end = at.saturating_add(size);
        let cut = self.overlapping(at, size).filter(move |(o, n)| *o < at || o + n > end);
        cut.filter_map(|cell| self.cells[&cell].pointer())
    }

    fn overlapping(&self, at: u64, size: u64) -> impl Iterator<Item = (u64, u64)> {
        let end = at.saturating_add(size);
        self.cells.keys().copied().filter(move |&(o, n)| o < end && at < o + n)
    }
}

fn same_kind(a: Val, b: Val) -> bool {
    matches!((a, b), (Val::Bool(_), Val::Bool(_)) | (Val::Int(..), Val::Int(..)) | (Val::Ptr(_), Val::Ptr(_)))
}

/// The objects among which a pointer's object is, when its term is a choice between own objects and
/// other things: (condition, object) for the own ones, and whether it may be something else.
///
/// Choices share parts, so each part is looked at once; the number of ways to it is exponential.
pub fn choices(
    terms: &mut Terms,
    obj: TermId,
    locals: &dyn Fn(TermId) -> Option<LocalId>,
) -> (Vec<(TermId, LocalId)>, bool) {
    let mut own = Vec::new();
    let mut other = false;
    let mut open = BTreeMap::from([(obj, terms.tru())]);
    // A term is made after its parts: all that leads to the last one has been looked at.
    while let Some((t, cond)) = open.pop_last() {
        if let Some(id) = locals(t) {
            own.push((cond, id));
        } else if let lockpair_smt::Term::Ite(c, a, b) = terms.get(t) {
            for (branch, part) in [(c, a), (terms.not(c), b)] {
                let way = terms.and2(cond, branch);
                let ways = open.get(&part).map_or(way, |&before| terms.or2(before, way));
                open.insert(part, ways);
            }
        } else {
            // Null is nobody's object.
            other |= terms.as_int(t) != Some(0);
        }
    }
    (own, other)
}

/// The same without the conditions.
pub fn objects(
    terms: &Terms,
    obj: TermId,
    locals: &dyn Fn(TermId) -> Option<LocalId>,
) -> (Vec<LocalId>, bool) {
    let mut own = Vec::new();
    let mut other = false;
    let mut open = BTreeSet::from([obj]);
    while let Some(t) = open.pop_last() {
        if let Some(id) = locals(t) {
            own.push(id);
        } else if let lockpair_smt::Term::Ite(_, a, b) = terms.get(t) {
            open.extend([a, b]);
        } else {
            other |= terms.as_int(t) != Some(0);
        }
    }
    (own, other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lockpair_smt::Sort;

    /// Choices between choices that share their parts: 2^64 ways, each of the parts looked at once.
    #[test]
    fn shared_choices_are_looked_at_once() {
        let mut terms = Terms::new();
        let own = [0, 1].map(|n| terms.fresh(&format!("own{n}"), Sort::Int, None));
        let locals = |t: TermId| own.iter().position(|&o| o == t);
        let [mut a, mut b] = own;
        for n in 0..64 {
            let c = terms.fresh(&format!("c{n}"), Sort::Bool, None);
            (a, b) = (terms.ite(c, a, b), terms.ite(c, b, a));
        }
        let mut only = objects(&terms, a, &locals);
        only.0.sort_unstable();
        assert_eq!(only, (vec![0, 1], false));
        let (chosen, other) = choices(&mut terms, a, &locals);
        let mut ids: Vec<LocalId> = chosen.iter().map(|&(_, id)| id).collect();
        ids.sort_unstable();
        assert_eq!((ids, other), (vec![0, 1], false));
    }

    /// What is neither null nor an own object is something else.
    #[test]
    fn null_is_nobodys_object() {
        let mut terms = Terms::new();
        let (own, foreign) = (terms.fresh("own", Sort::Int, None), terms.fresh("foreign", Sort::Int, None));
        let (null, c) = (terms.int(0), terms.fresh("c", Sort::Bool, None));
        let locals = |t: TermId| (t == own).then_some(0);
        for (with, other) in [(null, false), (foreign, true)] {
            let choice = terms.ite(c, own, with);
            assert_eq!(objects(&terms, choice, &locals), (vec![0], other));
            assert_eq!(choices(&mut terms, choice, &locals), (vec![(c, 0)], other));
        }
    }
}
