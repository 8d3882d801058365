//! References to counted objects: who has one keeps the object, and who has given back the last one has it for himself.
//!
//! In the locksets a reference is a shared lock of the count, and the end of the object an exclusive one. What a thread has
//! made counts one when it says so; each that it adds is one more; what it takes away it must have had. A reference may go to
//! others: with a callback that it registers for the object, or to the session that it begins. Whether all that is so is
//! found when all threads are known (`analysis/references.rs`, `analysis/ownership.rs`).

use super::exec::{Activation, Executor};
use super::flags::{Change, Flag, Free, negative};
use super::state::State;
use super::thread::*;
use super::values::{self, Val};
use crate::analysis::layout::Shape;
use crate::analysis::points_to::RegionId;
use crate::fault::{Fault, seeded};
use lockpair_ir::*;
use lockpair_smt::TermId;

/// A reference that others leave to an entry point.
#[derive(Clone, PartialEq, Debug)]
pub struct Received {
    /// Where the object is found.
    pub kept: Kept,
    /// How far behind what is found there the count is.
    pub distance: i128,
    /// The bits of the count.
    pub bits: u16,
    /// Its region.
    pub region: Option<RegionId>,
    /// What is known of its place by type.
    pub shape: Shape,
    /// For people.
    pub name: String,
    /// Whether who left it has made the object, or has got it from who did.
    pub made: bool,
}

/// Where an entry point finds the object to which it has a reference.
#[derive(Clone, PartialEq, Debug)]
pub enum Kept {
    /// Around the handle of that class: the reference is the callback's own.
    Handle(String),
    /// Through the pointer so far behind the kernel's lock of that class. It is that of a session, and who is the `last` in it
    /// may give it back.
    Member {
        /// The class.
        class: String,
        /// How far.
        behind: i128,
        /// Whether it is the last.
        last: bool,
    },
}

/// A member through which a session finds its object.
#[derive(Clone, Debug)]
pub(super) struct Found {
    place: Addr,
    /// The lock that says that the reference was not given back.
    there: usize,
    pub(super) received: Received,
    last: bool,
    /// The counts of the objects that were found.
    pub(super) counts: Vec<Addr>,
}

/// A reference that may go to a callback, as the thread registers it.
#[derive(Clone, Debug)]
pub struct LeftTo {
    /// The registration, among the thread's events.
    pub event: usize,
    /// The reference, among its locks.
    pub lock: usize,
    /// Whether it may be the only one that the thread has.
    pub only: bool,
    /// How far behind the handle the count is.
    pub distance: i128,
    /// When it is registered without a reference to go with it.
    pub without: TermId,
}

/// What a reference of the thread was received as.
pub fn received_as<'t>(thread: &'t Thread, lock: &Lock) -> Option<&'t Received> {
    thread.received.get(lock.key.1.index()).filter(|_| lock.key.2 == RECEIVED)
}

/// In a key: a reference that was received.
const RECEIVED: u32 = u32::MAX - 2;

/// In a key: the references that an instruction takes.
const TAKEN: u32 = 32;

impl Flag {
    /// Whether it is a reference, or the last one.
    pub fn is_reference(&self) -> bool {
        match self.free {
            Free::Reference { .. } | Free::Lent | Free::Ended { .. } => true,
            Free::Found | Free::TakenOut | Free::PutIn => true,
            Free::Bit(..) | Free::Word(_) | Free::Count { .. } | Free::Added { .. } => false,
        }
    }

    /// Whether it only tells what the thread has done, and excludes nobody.
    pub fn is_mark(&self) -> bool {
        matches!(self.free, Free::PutIn | Free::Reference { more: true })
    }

    /// Of a reference: the one that the thread has besides.
    fn besides(&self) -> Flag {
        Flag { free: Free::Reference { more: true }, ..self.clone() }
    }
}

/// What somebody has of a count, by the place of that.
pub(super) fn of_count(module: &Module, bits: u16, shape: Shape, free: Free) -> Flag {
    let Shape::In { strukt, lo, .. } = shape else { return Flag::new(bits, free) };
    let tag = module.as_struct(strukt).map_or("", |s| &s.name);
    let name = format!("{tag}.{}", module.path_at(strukt, lo));
    // Of two structs with one tag it tells which.
    let name = if module.struct_named(tag) == Some(strukt) { name } else { format!("{name} ({strukt})") };
    Flag { count: Some(name.into()), ..Flag::new(bits, free) }
}

impl Executor<'_, '_> {
    /// What an instruction does to the thread's references: it sets a count, adds to it or takes one away.
    pub(super) fn change_references(
        &mut self,
        (act, i): (&Activation, InstId),
        state: &mut State,
        (addr, p): (Operand, &Pointer),
        (bits, change): (u16, Change),
        old: Option<Val>,
    ) {
        if !self.cx.takers.counts_references || self.thread.terms.as_int(p.addr.obj).is_some() {
            return;
        }
        let size = self.terms().int(i128::from(bits / 8));
        let (shape, _) = self.shape(p, Extent::Bytes(size), Some(u64::from(bits / 8)));
        let flag = of_count(self.cx.module, bits, shape, Free::Reference { more: false });
        let tru = self.thread.terms.tru();
        match change {
            Change::Set(n) if n > 0 && self.is_marked_store(act, i) && self.is_own_and_private(state, p) => {
                self.take_reference((act, i), state, (addr, p), (flag.clone(), tru));
                if n > 1 {
                    self.take_reference((act, i), state, (addr, p), (flag, tru));
                }
            }
            Change::Add(v) if flag.is_taken_by(v) => {
                self.take_reference((act, i), state, (addr, p), (flag, tru));
            }
            Change::MayAdd(v) if flag.is_taken_by(v) => {
                if let Some(when) = self.is_added(act, i, v) {
                    self.take_reference((act, i), state, (addr, p), (flag, when));
                }
            }
            Change::Add(v) if v == negative(1, bits) => {
                self.give_reference(state, p.addr, tru);
                if let Some(last) = self.was_last((act, i), old, bits) {
                    for (n, lent) in [false, true].into_iter().enumerate() {
                        let ended = Flag { free: Free::Ended { lent }, ..flag.clone() };
                        self.take_flag((act, i), state, (addr, p), (ended, last), TAKEN as usize + n);
                    }
                }
            }
            Change::Set(_) | Change::Or(_) | Change::And(_) | Change::Swap(..) => {}
            Change::Add(_) | Change::MayAdd(_) => {}
        }
    }

    fn is_marked_store(&self, act: &Activation, i: InstId) -> bool {
        matches!(act.func.insts[i].op, Op::Store { mark: Mark::Atomic(_), .. })
    }

    /// Whether nobody else can see the object, of which the thread has made the only one that it may be.
    fn is_own_and_private(&self, state: &State, p: &Pointer) -> bool {
        let (own, other) = self.objects(p.addr.obj);
        !other && own.len() == 1 && own.iter().all(|&id| self.is_private(state, id))
    }

    /// When the number is added that may be.
    fn is_added(&mut self, act: &Activation, i: InstId, number: u128) -> Option<TermId> {
        let Op::Rmw { value, .. } = act.func.insts[i].op else { return None };
        let added = self.number(act, value);
        let number = self.terms().int(i128::try_from(number).ok()?);
        Some(self.terms().eq(added, number))
    }

    /// When one taken away was the last, if somebody asks: the very term that code gets that asks.
    fn was_last(&mut self, (act, i): (&Activation, InstId), old: Option<Val>, bits: u16) -> Option<TermId> {
        if !self.cx.takers.asks_for_last((act.id, i)) {
            return None;
        }
        let terms = &mut self.thread.terms;
        let [zero, one] = [0, 1].map(|k| Val::Int(terms.int(k), None));
        let new = values::binary(terms, BinOp::Sub, old?, one, bits);
        Some(values::compare(terms, CmpOp::Eq, new, zero, bits, &|_| false))
    }

    fn take_reference(
        &mut self,
        (act, i): (&Activation, InstId),
        state: &mut State,
        at: (Operand, &Pointer),
        (flag, when): (Flag, TermId),
    ) {
        let fals = self.thread.terms.fals();
        let first = self.take_flag((act, i), state, at, (flag.clone(), fals), TAKEN as usize + 2);
        let had = state.held.taken(first, &self.thread.terms);
        let besides = self.thread.terms.and2(had, when);
        let more = flag.besides();
        self.take_flag((act, i), state, at, (more, besides), TAKEN as usize + 3);
        let terms = &mut self.thread.terms;
        let has = terms.or2(had, when);
        state.held.set_taken(first, has, terms);
    }

    /// Of each reference that may be one to the count at the address, the thread has one less, under the condition.
    fn give_reference(&mut self, state: &mut State, at: Addr, when: TermId) {
        for n in 0..self.found.len() {
            if self.found[n].last && !seeded(Fault::ReferenceGivenTwice) {
                let fals = self.thread.terms.fals();
                state.held.set_taken(self.found[n].there, fals, &self.thread.terms);
            }
        }
        for n in 0..self.thread.locks.len() {
            let Some(flag) = &self.thread.locks[n].owns else { continue };
            let Free::Reference { more: false } = flag.free else { continue };
            let more = flag.besides().to_string();
            let addr = self.thread.locks[n].addr;
            let had = state.held.taken(n, &self.thread.terms);
            if self.thread.terms.as_bool(had) == Some(false) || seeded(Fault::ReferenceKept) {
                continue;
            }
            let besides = self.lock_index.get(&(more, addr, LockMode::Shared)).copied();
            let terms = &mut self.thread.terms;
            let same = values::same_addr(terms, addr, at);
            let same = terms.and2(same, when);
            let other = terms.not(same);
            let had_more = besides.map_or(terms.fals(), |besides| state.held.taken(besides, terms));
            let stays = terms.or2(other, had_more);
            let has = terms.and2(had, stays);
            state.held.set_taken(n, has, terms);
            if let Some(besides) = besides {
                let has_more = terms.and2(had_more, other);
                state.held.set_taken(besides, has_more, terms);
            }
        }
    }

    /// Code outside keeps a pointer to the start of an object, and may hand that on as the driver's data of something else:
    /// the references are no more the thread's.
    pub(super) fn hand_out_references(&mut self, state: &mut State, v: Val) {
        let Some(p) = v.pointer() else { return };
        let start = self.thread.if_not_null(p.addr);
        if self.thread.terms.split_offset(start.off).1 != 0 {
            return;
        }
        for (n, lock) in self.thread.locks.iter().enumerate() {
            let is_one = lock.owns.as_ref().is_some_and(|flag| matches!(flag.free, Free::Reference { .. }));
            if is_one && self.thread.if_not_null(lock.addr).obj == start.obj {
                state.held.set_taken(n, self.thread.terms.fals(), &self.thread.terms);
            }
        }
    }

    /// The references that others have left to the entry point.
    pub(super) fn references_on_entry(&mut self, state: &mut State, all: &[Received]) {
        let tru = self.thread.terms.tru();
        self.thread.received = all.to_vec();
        for (n, received) in all.iter().enumerate() {
            match &received.kept {
                Kept::Handle(class) => {
                    let handle = self.thread.handles.iter().find(|h| h.class == *class).map(|h| h.addr);
                    let Some(handle) = handle else { continue };
                    let free = Free::Reference { more: false };
                    let flag = of_count(self.cx.module, received.bits, received.shape, free);
                    let class = flag.to_string();
                    self.receive(state, (received, flag, class), (handle, received.distance), (n, tru));
                }
                Kept::Member { class, behind, last } => {
                    let mut locks = self.thread.locks.iter();
                    let Some(lock) = locks.find(|l| l.implicit && l.class == *class) else { continue };
                    let at = (lock.addr, *behind);
                    let flag = Flag::new(received.bits, Free::PutIn);
                    let there =
                        self.receive(state, (received, flag, format!("left reference {n}")), at, (n, tru));
                    let place = self.thread.locks[there].addr;
                    let (received, last, counts) = (received.clone(), *last, Vec::new());
                    self.found.push(Found { place, there, received, last, counts });
                }
            }
        }
    }

    fn receive(
        &mut self,
        state: &mut State,
        (received, flag, class): (&Received, Flag, String),
        (from, distance): (Addr, i128),
        (n, when): (usize, TermId),
    ) -> usize {
        let distance = self.terms().int(distance);
        let addr = Addr { obj: from.obj, off: self.terms().add2(from.off, distance) };
        let lock = self.lock(Lock {
            class,
            mode: LockMode::Shared,
            addr,
            region: received.region,
            shape: received.shape,
            name: received.name.clone(),
            taken: Vec::new(),
            implicit: false,
            keeps_off: None,
            owns: Some(flag),
            key: (FuncId::new(0), InstId::new(n), RECEIVED),
        });
        state.held.set_taken(lock, when, &self.thread.terms);
        lock
    }

    /// A pointer was read: where the session keeps its object, the thread has the session's reference, unless it may have
    /// given that back.
    pub(super) fn find_reference(&mut self, state: &mut State, addr: Addr, v: Val) {
        let Val::Ptr(p) = v else { return };
        for n in 0..self.found.len() {
            let Found { place, there, received, last, .. } = self.found[n].clone();
            if place != addr {
                continue;
            }
            let when = state.held.taken(there, &self.thread.terms);
            let free = if last { Free::Reference { more: false } } else { Free::Lent };
            let flag = of_count(self.cx.module, received.bits, received.shape, free);
            let class = flag.to_string();
            let lock = self.receive(state, (&received, flag, class), (p.addr, received.distance), (n, when));
            self.found[n].counts.push(self.thread.locks[lock].addr);
        }
    }

    /// References that go to the callback that was just registered, if those of the class get some.
    pub(super) fn leave_references(&mut self, state: &mut State, event: usize, ok: TermId) {
        if !self.cx.takers.counts_references || self.procedure.is_some() {
            return;
        }
        let (class, handle) = (self.thread.events[event].class.clone(), self.thread.events[event].handle);
        for lock in 0..self.thread.locks.len() {
            let Some(flag) = self.thread.locks[lock].owns.clone() else { continue };
            let Free::Reference { more: false } = flag.free else { continue };
            let Some(distance) = self.thread.distance(self.thread.locks[lock].addr, handle) else { continue };
            let terms = &mut self.thread.terms;
            let has_none = terms.not(state.held.taken(lock, terms));
            let without = terms.and(&[state.guard, ok, has_none]);
            let more = flag.besides().to_string();
            let more = self.lock_index.get(&(more, self.thread.locks[lock].addr, LockMode::Shared)).copied();
            let only = !more.is_some_and(|more| {
                let terms = &self.thread.terms;
                let has_more = state.held.taken(more, terms);
                terms.as_bool(has_more) == Some(true) || terms.shows(state.guard, has_more)
            });
            self.thread.left_to.push(LeftTo { event, lock, only, distance, without });
            let gets = |r: &Received| r.kept == Kept::Handle(class.clone()) && r.distance == distance;
            if self.cx.received.values().flatten().any(gets) {
                let at = self.thread.locks[lock].addr;
                self.give_reference(state, at, ok);
            }
        }
    }
}
