//! Places where objects are found under a lock: a variable, or lists that elements of a struct are in.
//!
//! Who finds an object there, while he holds the lock, has it until he gives back the lock: who takes it out, with the lock for
//! himself, does so before or afterwards. And if a reference is left to the place, which nobody gives back before he has
//! taken out the object, who finds it is lent that. Whether all that is so is found when all threads are known
//! (`analysis/places.rs`).

use super::exec::{Activation, Executor};
use super::flags::Free;
use super::references::{Found, Kept, of_count};
use super::state::State;
use super::thread::*;
use super::values::{self, Val};
use crate::analysis::fields::{self, FieldId};
use crate::analysis::layout::Shape;
use crate::analysis::points_to::RegionId;
use crate::fault::{Fault, seeded};
use lockpair_ir::*;
use lockpair_smt::TermId;

/// Where counted objects are found.
#[derive(Clone, PartialEq, Debug)]
pub struct Place {
    /// Where.
    pub at: Where,
    /// The lock under which they are put in, found and taken out.
    pub under: NamedLock,
    /// How far behind the pointer that is found the count is.
    pub distance: i128,
    /// The bits of the count.
    pub bits: u16,
    /// Its region.
    pub region: Option<RegionId>,
    /// What is known of its place by type.
    pub shape: Shape,
    /// For people, and to tell places apart.
    pub name: String,
    /// Whether who finds an object is lent a reference to it.
    pub lends: bool,
}

/// What leads to the objects of a place.
#[derive(Clone, PartialEq, Debug)]
pub enum Where {
    /// A pointer so far behind the start of an object with a name.
    Variable(i128, i128),
    /// Pointers to structs of the type, which has some itself: the links of a list.
    Links(TypeId),
}

/// A lock with a name.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NamedLock {
    /// The class.
    pub class: String,
    /// The object.
    pub object: i128,
    /// Where in it.
    pub offset: i128,
}

impl NamedLock {
    /// The lock of a thread, if it has a name.
    pub fn of(thread: &Thread, lock: &Lock) -> Option<NamedLock> {
        let terms = &thread.terms;
        let (object, offset) = (terms.as_int(lock.addr.obj)?, terms.as_int(lock.addr.off)?);
        (object > 0 && lock.owns.is_none()).then(|| NamedLock { class: lock.class.clone(), object, offset })
    }
}

/// In a key: what a place lends, what is found there, what was put in or taken out.
const LENT: u32 = 64;

/// The member with links that the bytes are, and the struct that it leads to.
pub fn link(module: &Module, layout: &crate::analysis::layout::Layout, shape: Shape) -> Option<FieldId> {
    let field = fields::of_shape(module, layout, shape)?;
    let pointee = fields::pointee(module, field)?;
    has_links(module, pointee).then_some(field)
}

/// Whether the struct, one of the kernel's, has a pointer to one of its type. Who clears such a link of an element has taken
/// that out; in a list of the module's own he may have cut off the rest.
pub fn has_links(module: &Module, ty: TypeId) -> bool {
    let leads_on = |field: &Field| module.pointee(field.ty) == Some(ty);
    module.as_struct(ty).is_some_and(|s| !s.module_private && s.fields.iter().any(leads_on))
}

impl Executor<'_, '_> {
    /// When the thread holds the lock of a place, for himself or not.
    fn holds(&mut self, state: &State, lock: &NamedLock, alone: bool) -> TermId {
        let held = |(i, own): (usize, &Lock)| {
            let counts = !alone || own.mode == LockMode::Exclusive;
            (counts && NamedLock::of(&self.thread, own).as_ref() == Some(lock))
                .then(|| state.held.taken(i, &self.thread.terms))
        };
        let held: Vec<TermId> = self.thread.locks.iter().enumerate().filter_map(held).collect();
        self.terms().or(&held)
    }

    /// A lock at a count of the place.
    fn lock_of_place(&mut self, n: usize, free: Free, class: String, addr: Addr, key: Key) -> usize {
        let place = &self.cx.places[n];
        let owns = of_count(self.cx.module, place.bits, place.shape, free);
        self.lock(Lock {
            class,
            mode: owns.mode(),
            addr,
            region: place.region,
            shape: place.shape,
            name: place.name.clone(),
            taken: Vec::new(),
            implicit: false,
            keeps_off: None,
            owns: Some(owns),
            key,
        })
    }

    fn count_at(&mut self, n: usize, from: Addr) -> Addr {
        let distance = self.cx.places[n].distance;
        let distance = self.terms().int(distance);
        Addr { obj: from.obj, off: self.terms().add2(from.off, distance) }
    }

    /// From here on, under the condition, the thread has what it has found in the place.
    fn lend(
        &mut self,
        state: &mut State,
        n: usize,
        count: Addr,
        (func, inst): (FuncId, InstId),
        when: TermId,
    ) {
        let place = &self.cx.places[n];
        let (lends, found) = (place.lends, found_in(place));
        let key = (func, inst, LENT + 4 * n as u32);
        let lock = self.lock_of_place(n, Free::Found, found, count, key);
        state.held.set_taken(lock, when, &self.thread.terms);
        if lends {
            let place = &self.cx.places[n];
            let class = of_count(self.cx.module, place.bits, place.shape, Free::Lent).to_string();
            let lock = self.lock_of_place(n, Free::Lent, class, count, (func, inst, key.2 + 1));
            state.held.set_taken(lock, when, &self.thread.terms);
        }
    }

    /// A pointer was read: it may have been found in a place.
    pub(super) fn find_in_places(
        &mut self,
        inst: (FuncId, InstId),
        state: &mut State,
        (addr, shape): (Addr, Shape),
        v: Val,
    ) {
        let Val::Ptr(p) = v else { return };
        for n in 0..self.cx.places.len() {
            let place = &self.cx.places[n];
            if self.is_place(&place.at, addr, shape) {
                let when = self.holds(state, &place.under, false);
                let count = self.count_at(n, p.addr);
                self.lend(state, n, count, inst, when);
            }
        }
    }

    fn is_place(&self, at: &Where, addr: Addr, shape: Shape) -> bool {
        let terms = &self.thread.terms;
        match *at {
            Where::Variable(object, offset) => {
                (terms.as_int(addr.obj), terms.as_int(addr.off)) == (Some(object), Some(offset))
            }
            Where::Links(strukt) => {
                let link = link(self.cx.module, self.cx.layout, shape);
                link.is_some_and(|link| fields::pointee(self.cx.module, link) == Some(strukt))
            }
        }
    }

    /// What a loop carries was found in a place if what it begins with was, and all that it goes on with.
    pub(super) fn lend_in_any_iteration(
        &mut self,
        (func, head, inst): (FuncId, BlockId, InstId),
        state: &mut State,
        (first, any): (Val, Val),
    ) {
        let (Val::Ptr(first), Val::Ptr(any)) = (first, any) else { return };
        for n in 0..self.cx.places.len() {
            let key = (func, inst, LENT + 4 * n as u32);
            if self.is_changed_by_loop(func, head, key) {
                continue;
            }
            let found = found_in(&self.cx.places[n]);
            let was_found =
                self.thread.locks.iter().enumerate().filter(|(_, l)| l.class == found).find_map(|(i, l)| {
                    let distance = self.thread.distance_if_not_null(l.addr, first.addr)?;
                    Some((state.held.taken(i, &self.thread.terms), distance))
                });
            let Some((when, distance)) = was_found else { continue };
            let distance = self.terms().int(distance);
            let count = Addr { obj: any.addr.obj, off: self.terms().add2(any.addr.off, distance) };
            self.lend(state, n, count, (func, inst), when);
        }
    }

    /// At a back edge: what was not found in a place after all.
    pub(super) fn check_lent(
        &mut self,
        (func, head, inst): (FuncId, BlockId, InstId),
        state: &State,
        (any, next): (Option<Val>, Val),
    ) {
        let Some(Val::Ptr(any)) = any else { return };
        for n in 0..self.cx.places.len() {
            let key = (func, inst, LENT + 4 * n as u32);
            let found = found_in(&self.cx.places[n]);
            let of_loop = |l: &Lock| {
                (l.class == found && l.key == key).then(|| self.thread.distance(l.addr, any.addr)).flatten()
            };
            let Some(distance) = self.thread.locks.iter().find_map(of_loop) else { continue };
            let terms = &self.thread.terms;
            let is_found = next.pointer().is_some_and(|next| {
                self.thread.locks.iter().enumerate().any(|(i, l)| {
                    let held = state.held.taken(i, terms);
                    l.class == found
                        && self.thread.distance(l.addr, next.addr) == Some(distance)
                        && (terms.as_bool(held) == Some(true) || terms.shows(state.guard, held))
                })
            });
            if !is_found && !seeded(Fault::LoopsFindAll) {
                self.is_changed_in_loop(func, head, key);
            }
        }
    }

    /// A pointer is stored: objects may be put in a place or taken out.
    pub(super) fn stored_in_place(
        &mut self,
        (act, i): (&Activation, InstId),
        state: &mut State,
        addr: Operand,
        value: Operand,
    ) {
        if self.cx.places.is_empty() || act.func.operand_ty(value) != Ty::Ptr || self.procedure.is_some() {
            return;
        }
        let p = self.scalar_at(act, addr, 8);
        let size = self.terms().int(8);
        let (shape, _) = self.shape(&p, Extent::Bytes(size), Some(8));
        let value = self.operand(act, value);
        self.change_places((act, i), state, (p.addr, shape), value);
    }

    fn change_places(
        &mut self,
        (act, i): (&Activation, InstId),
        state: &mut State,
        (at, shape): (Addr, Shape),
        value: Val,
    ) {
        for n in 0..self.cx.places.len() {
            let place = &self.cx.places[n];
            if !self.is_place(&place.at, at, shape) {
                continue;
            }
            let is_number = value.pointer().is_none_or(|p| self.thread.terms.as_int(p.addr.obj) == Some(0));
            let key = (act.id, i, LENT + 4 * n as u32 + 2);
            let alone = self.holds(state, &place.under, true);
            match place.at {
                Where::Variable(..) if is_number => self.empty_variable(state, n, key, alone),
                Where::Variable(..) => {
                    if let Some(p) = value.pointer() {
                        let count = self.count_at(n, p.addr);
                        self.put_in(state, n, count, key);
                    }
                }
                Where::Links(_) => {
                    let Some(link) = link(self.cx.module, self.cx.layout, shape) else { continue };
                    let back = self.terms().int(-i128::from(link.offset));
                    let element = Addr { obj: at.obj, off: self.terms().add2(at.off, back) };
                    let count = self.count_at(n, element);
                    let is_own = value.pointer().is_some_and(|p| p.addr == element);
                    match is_number || is_own {
                        true => self.take_out(state, n, count, key, alone),
                        false => self.put_in(state, n, count, key),
                    }
                }
            }
        }
    }

    /// Nothing is in the variable any more: neither the object that the thread has ended, nor the one that who made it has
    /// left to the thread.
    fn empty_variable(&mut self, state: &mut State, n: usize, key: Key, alone: TermId) {
        for other in 0..self.thread.locks.len() {
            let lock = &self.thread.locks[other];
            let was_in = match lock.owns.as_ref().map(|flag| flag.free) {
                Some(Free::Ended { lent: false }) => true,
                Some(Free::Reference { more: false }) => self.is_left_by_maker(lock.addr),
                _ => false,
            };
            if was_in {
                let (count, has) = (lock.addr, state.held.taken(other, &self.thread.terms));
                let when = self.terms().and2(has, alone);
                self.take_out(state, n, count, key, when);
            }
        }
    }

    fn is_left_by_maker(&self, count: Addr) -> bool {
        let is_member = |found: &&Found| {
            found.received.made && matches!(found.received.kept, Kept::Member { last: true, .. })
        };
        self.found.iter().filter(is_member).any(|found| found.counts.contains(&count))
    }

    fn take_out(&mut self, state: &mut State, n: usize, count: Addr, key: Key, when: TermId) {
        let class = found_in(&self.cx.places[n]);
        let lock = self.lock_of_place(n, Free::TakenOut, class, count, key);
        let terms = &mut self.thread.terms;
        let out = terms.or2(state.held.taken(lock, terms), when);
        state.held.set_taken(lock, out, terms);
    }

    fn put_in(&mut self, state: &mut State, n: usize, count: Addr, key: Key) {
        let class = found_in(&self.cx.places[n]);
        for other in 0..self.thread.locks.len() {
            let lock = &self.thread.locks[other];
            let is_out = lock.owns.as_ref().is_some_and(|flag| flag.free == Free::TakenOut);
            if lock.class == class && is_out {
                let (addr, was) = (lock.addr, state.held.taken(other, &self.thread.terms));
                let terms = &mut self.thread.terms;
                let same = values::same_addr(terms, addr, count);
                let others = terms.not(same);
                let is = terms.and2(was, others);
                state.held.set_taken(other, is, terms);
            }
        }
        let class = format!("put in {}", self.cx.places[n].name);
        let lock = self.lock_of_place(n, Free::PutIn, class, count, (key.0, key.1, key.2 + 1));
        let tru = self.thread.terms.tru();
        state.held.set_taken(lock, tru, &self.thread.terms);
    }

    /// Locks of the class were perhaps given back, or any: what was found under one may be taken out.
    pub(super) fn leave_places(&mut self, state: &mut State, class: Option<&str>) {
        if seeded(Fault::FoundForEver) {
            return;
        }
        for n in 0..self.cx.places.len() {
            let place = &self.cx.places[n];
            if class.is_some_and(|class| class != place.under.class) {
                continue;
            }
            for (i, lock) in self.thread.locks.iter().enumerate() {
                let is_of_place = lock.key.2 >> 2 == (LENT >> 2) + n as u32;
                let free = lock.owns.as_ref().map(|flag| flag.free);
                if is_of_place && matches!(free, Some(Free::Found | Free::Lent)) {
                    state.held.set_taken(i, self.thread.terms.fals(), &self.thread.terms);
                }
            }
        }
    }
}

/// The class of what is found in a place, and of what is taken out.
pub fn found_in(place: &Place) -> String {
    format!("found in {}", place.name)
}
