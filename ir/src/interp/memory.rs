//! Memory: numbered objects of bytes at fixed fake addresses.
//!
//! Object `n` occupies the addresses from `n << 32`, so an address names its object and offset, and no
//! in-bounds arithmetic leads from one object to another. Number 0 is the null page.
//!
//! An object that a thread made is *private* to it (has an owner) until its address may be known elsewhere.
//! The address of a private object is found only in pointer registers of its owner and, as eight whole bytes,
//! in private memory of its owner. Whatever could break that makes the object shared, and with it
//! everything that its bytes lead to.
//!
//! The copy that another CPU has of a global is an object of its own, which begins as the global does. So is that of memory
//! that was allocated, which is zero at first; it ends with the first copy.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::StuckReason;
use super::cpus::CPUS;
use super::scenario::HEADROOM;
use crate::inst::{COPY_DISTANCE, InstId};
use crate::module::{FuncId, GlobalId};

const SHIFT: u32 = 32;
/// Objects of one thread are numbered from a multiple of this, whatever other threads do.
const THREAD_NUMBERS: u32 = 1 << 24;
/// Those that were there before, and found, from this one on: behind the copies of globals.
const FOUND_NUMBERS: u32 = THREAD_NUMBERS / 2;
/// How far the numbers of the copies that two neighbouring CPUs have of an object are apart.
const COPY_NUMBERS: u32 = (COPY_DISTANCE >> SHIFT) as u32;

/// How an object came to be.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Origin {
    Global(GlobalId),
    Func(FuncId),
    Env(usize),
    Stack(FuncId, InstId),
    Heap(FuncId, InstId),
    /// What a pointer led to when it was first read: the object with that number held it, at that byte.
    Found(u32, u64),
    /// What code outside has given.
    Given,
}

/// A piece of memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Object {
    pub(super) bytes: Vec<u8>,
    /// Those whose values are not known: code outside has written them, or nobody has.
    pub(super) unknown: Vec<std::ops::Range<usize>>,
    pub(super) alive: bool,
    pub(super) constant: bool,
    /// The thread that alone can reach it.
    pub(super) owner: Option<usize>,
    pub(super) origin: Origin,
}

/// By what is known of it.
impl Hash for Object {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.alive, self.constant, self.owner, self.origin, &self.unknown).hash(state);
        let begins = std::iter::once(0).chain(self.unknown.iter().map(|range| range.end));
        let ends = self.unknown.iter().map(|range| range.start).chain(std::iter::once(self.bytes.len()));
        begins.zip(ends).for_each(|(begin, end)| self.bytes[begin..end].hash(state));
    }
}

impl Object {
    /// A live object of zeros.
    pub(super) fn new(size: usize, origin: Origin) -> Object {
        let bytes = vec![0; size];
        Object { bytes, unknown: Vec::new(), alive: true, constant: false, owner: None, origin }
    }

    /// Writes where there is room; for initial contents.
    pub(super) fn put(&mut self, offset: u64, bytes: &[u8]) {
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        if let Some(end) = start.checked_add(bytes.len())
            && let Some(place) = self.bytes.get_mut(start..end)
        {
            place.copy_from_slice(bytes);
            self.learn(start, end);
        }
    }

    /// The same of an initial value, as far as there is room.
    pub(super) fn forget_at(&mut self, offset: u64, size: u64) {
        let place = |n: u64| usize::try_from(n).unwrap_or(usize::MAX).min(self.bytes.len());
        self.forget(place(offset), place(offset.saturating_add(size)));
    }

    /// The values of these bytes are not known any more.
    pub(super) fn forget(&mut self, start: usize, end: usize) {
        self.learn(start, end);
        self.unknown.push(start..end);
        self.unknown.sort_by_key(|range| range.start);
    }

    /// The values of these bytes are what they happen to be.
    pub(super) fn learn(&mut self, start: usize, end: usize) {
        let rest = |known: &std::ops::Range<usize>| {
            [known.start..known.end.min(start), known.start.max(end)..known.end]
        };
        self.unknown = self.unknown.iter().flat_map(rest).filter(|range| !range.is_empty()).collect();
    }

    fn is_known(&self, start: usize, end: usize) -> bool {
        self.unknown.iter().all(|range| range.end <= start || end <= range.start)
    }

    fn is_unknown(&self, start: usize, end: usize) -> bool {
        self.unknown.iter().any(|range| range.start <= start && end <= range.end)
    }
}

/// A range of bytes of one live object.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Range {
    pub(super) object: u32,
    pub(super) start: usize,
    pub(super) len: usize,
}

impl Range {
    /// Whether the two have a byte in common.
    pub(super) fn overlaps(self, other: Range) -> bool {
        self.object == other.object
            && self.start < other.start + other.len
            && other.start < self.start + self.len
    }

    fn bytes(self) -> std::ops::Range<usize> {
        self.start..self.start + self.len
    }
}

/// All objects: those that existed at first, and what became of them and came after.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    first: Arc<Vec<Object>>,
    changed: BTreeMap<u32, Arc<Object>>,
    /// What the pointers in objects of a kind led to, by (kind, byte).
    found: BTreeMap<(u32, u64), u32>,
}

/// The address of the first byte of an object.
pub(super) fn address_of(number: u32) -> u64 {
    u64::from(number) << SHIFT
}

/// The number of a thread's `nth` own object, beside which there is room for its copies; none when it has made too many.
pub(super) fn thread_number(thread: usize, nth: u32) -> Option<u32> {
    let base = u32::try_from(thread + 1).ok()?.checked_mul(THREAD_NUMBERS)?;
    let (row, place) = (nth / COPY_NUMBERS, nth % COPY_NUMBERS);
    let own = row.checked_mul(COPY_NUMBERS * CPUS as u32)? + place;
    (own < THREAD_NUMBERS).then(|| base + own)
}

/// The numbers of the copies that the other CPUs have of an object.
pub(super) fn copies_of(number: u32) -> impl Iterator<Item = u32> {
    (1..CPUS as u32).map(move |cpu| number + cpu * COPY_NUMBERS)
}

impl Memory {
    /// A memory of these objects, numbered from 1.
    pub(super) fn new(first: Vec<Object>) -> Memory {
        Memory { first: Arc::new(first), changed: BTreeMap::new(), found: BTreeMap::new() }
    }

    /// What is not as it was at first, for hashing.
    pub(super) fn changed(&self) -> &BTreeMap<u32, Arc<Object>> {
        &self.changed
    }

    /// How many bytes these have.
    pub(super) fn changed_bytes(&self) -> u64 {
        self.changed.values().map(|object| object.bytes.len() as u64).sum()
    }

    pub(super) fn get(&self, number: u32) -> Option<&Object> {
        match self.changed.get(&number) {
            Some(object) => Some(object),
            None => self.at_first(number),
        }
    }

    /// What an object was at first.
    fn at_first(&self, number: u32) -> Option<&Object> {
        let first = |number: u32| self.first.get((number as usize).checked_sub(1)?);
        first(number).or_else(|| first(self.copied(number)?.0))
    }

    /// Of which object, and which CPU's, an object is a copy beside that object itself.
    pub(super) fn copied(&self, number: u32) -> Option<(u32, u32)> {
        let cpu = (number / COPY_NUMBERS) % CPUS as u32;
        let object = number.checked_sub(cpu * COPY_NUMBERS)?;
        let is_copied = match object.checked_sub(1).and_then(|n| self.first.get(n as usize)) {
            Some(first) => {
                matches!(first.origin, Origin::Global(_)) && self.first.len() < COPY_NUMBERS as usize
            }
            None => self.changed.get(&object).is_some_and(|made| matches!(made.origin, Origin::Heap(..))),
        };
        (cpu > 0 && is_copied).then_some((object, cpu))
    }

    pub(super) fn get_mut(&mut self, number: u32) -> Option<&mut Object> {
        if !self.changed.contains_key(&number) {
            let object = self.at_first(number)?.clone();
            self.changed.insert(number, Arc::new(object));
        }
        self.changed.get_mut(&number).map(Arc::make_mut)
    }

    pub(super) fn insert(&mut self, number: u32, object: Object) {
        self.changed.insert(number, Arc::new(object));
    }

    /// The object and offset of an address, dead or alive, in bounds or not.
    pub(super) fn split(&self, address: u64) -> (u32, u64) {
        ((address >> SHIFT) as u32, address & u64::from(u32::MAX))
    }

    /// Whether the address is in the first page, where no object is.
    pub(super) fn is_null(&self, address: u64) -> bool {
        self.split(address).0 == 0
    }

    /// The bytes that an access touches, if it may.
    pub(super) fn range(&self, address: u64, len: u64, write: bool) -> Result<Range, StuckReason> {
        let (number, offset) = self.split(address);
        if self.is_null(address) {
            return Err(StuckReason::NullDereference);
        }
        let object = self.get(number).ok_or(StuckReason::WildPointer)?;
        if !object.alive {
            return Err(StuckReason::UseAfterFree);
        }
        if len > object.bytes.len() as u64 || offset > object.bytes.len() as u64 - len {
            return Err(StuckReason::OutOfBounds);
        }
        if write && object.constant {
            return Err(StuckReason::ReadOnly);
        }
        // Both fit: they are at most the length of a vector.
        Ok(Range { object: number, start: offset as usize, len: len as usize })
    }

    /// Whether nobody but one thread can notice an access to the object.
    pub(super) fn is_local(&self, range: Range) -> bool {
        self.get(range.object).is_some_and(|o| o.owner.is_some() || o.constant)
    }

    /// The bytes of a range that [`Memory::range`] gave.
    pub(super) fn read(&self, range: Range) -> Vec<u8> {
        self.get(range.object).and_then(|o| o.bytes.get(range.bytes())).unwrap_or_default().to_vec()
    }

    /// Writes to a range that [`Memory::range`] gave. Addresses that it tears apart become known to all.
    pub(super) fn write(&mut self, range: Range, bytes: &[u8]) {
        self.expose_range(range, false);
        if let Some(object) = self.get_mut(range.object) {
            object.put(range.start as u64, bytes);
        }
    }

    /// The values of a range that [`Memory::range`] gave are not known any more.
    pub(super) fn forget(&mut self, range: Range) {
        if let Some(object) = self.get_mut(range.object) {
            object.forget(range.start, range.start + range.len);
        }
    }

    /// The values of a range are what they happen to be.
    pub(super) fn learn(&mut self, range: Range) {
        if let Some(object) = self.get_mut(range.object) {
            object.learn(range.start, range.start + range.len);
        }
    }

    /// Whether none of these values is known.
    pub(super) fn is_unknown(&self, range: Range) -> bool {
        self.get(range.object).is_some_and(|object| object.is_unknown(range.start, range.start + range.len))
    }

    /// The unknown parts of a range, counted from its beginning.
    pub(super) fn unknown_in(&self, range: Range) -> Vec<std::ops::Range<usize>> {
        let unknown = self.get(range.object).map_or(&[][..], |object| &object.unknown);
        let end = range.start + range.len;
        let inside = unknown.iter().map(|part| part.start.max(range.start)..part.end.min(end));
        inside
            .filter(|part| !part.is_empty())
            .map(|part| part.start - range.start..part.end - range.start)
            .collect()
    }

    /// The object that a pointer in one of that kind leads to, made if nobody has come to it yet: the pointer lies in the object
    /// `holder`. It leads [`HEADROOM`] behind the beginning.
    pub(super) fn found(&mut self, kind: u32, holder: u32, at: u64) -> u32 {
        let next = FOUND_NUMBERS + self.found.len() as u32;
        let number = *self.found.entry((kind, at)).or_insert(next);
        if number == next {
            let mut object = Object::new(2 * HEADROOM as usize, Origin::Found(holder, at));
            object.forget(0, object.bytes.len());
            self.insert(number, object);
        }
        number
    }

    /// Whether all of these values are known.
    pub(super) fn is_known(&self, range: Range) -> bool {
        self.get(range.object).is_some_and(|object| object.is_known(range.start, range.start + range.len))
    }

    /// The object ends; its bytes are forgotten.
    pub(super) fn kill(&mut self, number: u32) {
        if let Some(object) = self.get_mut(number) {
            object.alive = false;
            object.owner = None;
            object.bytes = Vec::new();
            object.unknown = Vec::new();
        }
    }

    /// Whoever can reach the object's address: all others may have it from now on.
    pub(super) fn expose(&mut self, address: u64) {
        let mut work = vec![self.split(address).0];
        while let Some(number) = work.pop() {
            if self.get(number).is_some_and(|o| o.owner.is_some())
                && let Some(object) = self.get_mut(number)
            {
                object.owner = None;
                work.extend(numbers_in(&object.bytes));
            }
        }
    }

    /// Exposes the addresses of which some byte is in the range: those that stick out of it, or all.
    pub(super) fn expose_range(&mut self, range: Range, all: bool) {
        let Some(object) = self.get(range.object) else { return };
        if object.owner.is_none() || range.len == 0 {
            return;
        }
        let end = (range.start + range.len + 7).min(object.bytes.len());
        let begin = range.start.saturating_sub(7);
        let sticks_out = |at: usize| at < range.start || at + 8 > range.start + range.len;
        let found: Vec<u64> = (begin..end.saturating_sub(7))
            .filter(|&at| all || sticks_out(at))
            .map(|at| word(&object.bytes[at..at + 8]))
            .collect();
        for address in found {
            self.expose(address);
        }
    }
}

/// The objects to which some eight bytes in a row point.
fn numbers_in(bytes: &[u8]) -> Vec<u32> {
    bytes.windows(8).map(|w| (word(w) >> SHIFT) as u32).filter(|&n| n != 0).collect()
}

fn word(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |v, &b| (v << 8) | u64::from(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entity::EntityRef;

    fn memory() -> Memory {
        let global = Origin::Global(GlobalId::new(0));
        let mut memory = Memory::new(vec![Object::new(16, global), Object::new(4, global)]);
        for number in [10, 11, 12] {
            memory.insert(number, Object { owner: Some(0), ..Object::new(16, global) });
        }
        memory
    }

    fn store_pointer(memory: &mut Memory, object: u32, offset: u64, to: u32) {
        let range = memory.range(address_of(object) + offset, 8, true).unwrap();
        memory.write(range, &address_of(to).to_le_bytes());
    }

    fn owned(memory: &Memory, number: u32) -> bool {
        memory.get(number).unwrap().owner.is_some()
    }

    #[test]
    fn accesses_are_checked() {
        let mut memory = memory();
        assert_eq!(memory.range(8, 1, false), Err(StuckReason::NullDereference));
        assert_eq!(memory.range(address_of(7), 1, false), Err(StuckReason::WildPointer));
        assert_eq!(memory.range(address_of(2) + 1, 4, false), Err(StuckReason::OutOfBounds));
        assert_eq!(memory.range(address_of(2), u64::MAX, false), Err(StuckReason::OutOfBounds));
        assert!(memory.range(address_of(2) + 4, 0, false).is_ok());
        memory.kill(2);
        assert_eq!(memory.range(address_of(2), 1, false), Err(StuckReason::UseAfterFree));
    }

    #[test]
    fn exposing_follows_pointers() {
        let mut memory = memory();
        store_pointer(&mut memory, 10, 3, 11);
        store_pointer(&mut memory, 11, 8, 12);
        assert!(owned(&memory, 11), "a pointer in private memory exposes nothing");
        memory.expose(address_of(10) + 5);
        assert!(!owned(&memory, 10) && !owned(&memory, 11) && !owned(&memory, 12));
    }

    #[test]
    fn tearing_a_pointer_exposes_its_target() {
        let mut memory = memory();
        store_pointer(&mut memory, 10, 0, 11);
        let half = memory.range(address_of(10) + 4, 2, true).unwrap();
        memory.write(half, &[0, 0]);
        assert!(!owned(&memory, 11));
        store_pointer(&mut memory, 10, 0, 12);
        store_pointer(&mut memory, 10, 0, 10);
        assert!(owned(&memory, 12), "overwriting a whole pointer forgets it");
    }

    #[test]
    fn first_objects_stay_as_they_were_for_others() {
        let mut one = memory();
        let two = one.clone();
        let range = one.range(address_of(1), 1, true).unwrap();
        one.write(range, &[9]);
        assert_eq!((one.read(range), two.read(range)), (vec![9], vec![0]));
    }

    #[test]
    fn numbers_of_copies_are_numbers_of_nothing_else() {
        let made = |nth| thread_number(0, nth).unwrap();
        let numbers: std::collections::BTreeSet<u32> = (0..1000).map(made).collect();
        assert!((0..1000).flat_map(|nth| copies_of(made(nth))).all(|copy| !numbers.contains(&copy)));
        let mut memory = memory();
        let heap = Origin::Heap(crate::module::FuncId::new(0), crate::inst::InstId::new(0));
        memory.insert(made(300), Object::new(8, heap));
        for copy in copies_of(made(300)) {
            assert_eq!(memory.copied(copy).map(|(object, _)| object), Some(made(300)));
        }
        assert_eq!((memory.copied(made(300)), memory.copied(made(301) + COPY_NUMBERS)), (None, None));
        assert_eq!(memory.copied(1 + COPY_NUMBERS), Some((1, 1)));
    }

    #[test]
    fn numbers_of_threads_do_not_meet() {
        let last = THREAD_NUMBERS / CPUS as u32 - 1;
        assert!(thread_number(0, last + 1).is_none() && thread_number(0, u32::MAX).is_none());
        assert!(copies_of(thread_number(0, last).unwrap()).max() < thread_number(1, 0));
        assert!(thread_number(1000, 0).is_none());
    }
}
