//! References to objects that count them (`kref`, `refcount_t`): who has one keeps the object, and who gives back the last
//! one has it for himself. A reference goes like a lock that is held shared, against the last one, at the word that counts.
//!
//! Who makes an object has its first reference, and who adds one to the count has that. A variable may have one, too: what it leads
//! to is lent to who reads it in the critical section in which the variable is written, and who then writes something
//! else there has taken it out. Who stores an object in a variable with a name leaves his reference there.
//!
//! Whether a word counts references depends on everybody who writes there, and whether a variable has one, on everybody who writes
//! that (`analysis/ownership/references.rs`). Only what a thread itself executes counts, as with other flags.

use super::exec::{Activation, Executor};
use super::flags::{self, Change, Flag, Free, Lender};
use super::state::State;
use super::thread::*;
use super::values::{self, Val};
use crate::analysis::declared;
use crate::analysis::points_to::static_path;
use crate::fault::{Fault, seeded};
use lockpair_ir::*;
use lockpair_smt::TermId;
use std::collections::{HashMap, HashSet};

/// The bits of a pointer.
const POINTER: u16 = 64;
/// The bits of a count.
const COUNT: u16 = 32;
/// In a key: the first of the references that an instruction gives.
const FIRST: usize = 256;

/// Where the structs of a module may count references: where code adds one or takes one away, if any code asks whether it has
/// taken away the last.
#[derive(Debug, Default)]
pub struct Counts(HashMap<TypeId, Vec<u64>>);

impl Counts {
    /// Looks through all code.
    pub fn new(module: &Module) -> Counts {
        let mut words = HashSet::new();
        let mut any_last = false;
        for func in module.funcs.values() {
            for &i in func.blocks.values().flat_map(|b| &b.insts) {
                let inst = &func.insts[i];
                let (Op::Rmw { addr, .. }, Some((COUNT, change))) = (&inst.op, flags::change(func, &inst.op))
                else {
                    continue;
                };
                let is_taken_away = change == Change::Add(flags::negative(1, COUNT));
                if is_taken_away || change == Change::Add(1) {
                    any_last |= is_taken_away && inst.result.is_some();
                    let of_declaration = || Some((declared::pointee(module, func, *addr)?, 0));
                    words.extend(static_path(module, func, *addr).or_else(of_declaration));
                }
            }
        }
        let mut counts = Counts::default();
        if any_last {
            module.types.keys().for_each(|ty| _ = counts.find(module, &words, ty));
        }
        counts
    }

    /// The counts in a type, with those of its members.
    fn find(&mut self, module: &Module, words: &HashSet<(TypeId, u64)>, ty: TypeId) -> Vec<u64> {
        let Some(def) = module.as_struct(ty) else { return Vec::new() };
        if let Some(known) = self.0.get(&ty) {
            return known.clone();
        }
        let mut found: Vec<u64> = words.iter().filter(|(of, _)| *of == ty).map(|(_, at)| *at).collect();
        for field in &def.fields {
            found.extend(self.find(module, words, field.ty).iter().map(|at| field.offset + at));
        }
        found.sort_unstable();
        found.dedup();
        self.0.insert(ty, found.clone());
        found
    }

    /// Those of a struct.
    fn of(&self, strukt: TypeId) -> &[u64] {
        self.0.get(&strukt).map_or(&[], Vec::as_slice)
    }
}

impl Executor<'_, '_> {
    /// What a write to a word does, if it counts references.
    pub(super) fn count_references(
        &mut self,
        (act, i): (&Activation, InstId),
        state: &mut State,
        (addr, p): (Operand, &Pointer),
        (bits, change): (u16, Change),
        old: Option<Val>,
    ) {
        if bits != COUNT || self.cx.counts.0.is_empty() {
            return;
        }
        let order = match act.func.insts[i].op {
            Op::Rmw { order, .. } => Some(order),
            _ => None,
        };
        let tru = self.thread.terms.tru();
        let (free, when) = match change {
            // What is added to garbage is no reference.
            Change::Add(1) if order.is_some() && !self.is_new(state, p) => (Free::Reference, tru),
            Change::Set(1..=0x7fff_ffff) if self.is_count(p) && self.is_new(state, p) => {
                (Free::Reference, tru)
            }
            // Who is to have the object for himself sees what those did who have given back theirs.
            Change::Add(v) if v == flags::negative(1, COUNT) && order.is_some_and(Ordering::acquires) => {
                let last = Flag::new(COUNT, Free::Last);
                let Some(is_last) = old.and_then(|old| self.is_free(&last, old)) else { return };
                (Free::Last, is_last)
            }
            _ => return,
        };
        self.take_flag((act, i), state, (addr, p), (Flag::new(COUNT, free), when), FIRST);
    }

    /// Whether it is in an object on the heap that the thread has made, and not freed, and nobody else can reach.
    fn is_new(&self, state: &State, p: &Pointer) -> bool {
        match self.objects(p.addr.obj) {
            (own, false) if own.len() == 1 => {
                let local = &self.locals[own[0]];
                !local.stack && !local.freed && self.is_private(state, own[0])
            }
            _ => false,
        }
    }

    /// The object is freed, and with it the references to it end.
    pub(super) fn end_references(&mut self, state: &mut State, object: TermId) {
        for own in self.objects(object).0 {
            self.locals[own].freed = true;
        }
        for n in 0..self.thread.locks.len() {
            if self.thread.locks[n].owns.as_ref().is_some_and(Flag::is_reference) {
                self.leave_reference(state, n, object);
            }
        }
    }

    /// Whether a count may be there.
    fn is_count(&self, p: &Pointer) -> bool {
        let at = |offset| u64::try_from(self.thread.terms.as_int(offset)?).ok();
        p.path.is_some_and(|(strukt, offset)| {
            at(offset).is_some_and(|at| self.cx.counts.of(strukt).contains(&at))
        })
    }

    /// What a variable lends that was read in a critical section: the references of what it leads to.
    pub(super) fn borrow_references(
        &mut self,
        (act, i): (&Activation, InstId),
        state: &mut State,
        (addr, p): (Operand, &Pointer),
        (found, strukt): (Val, Option<TypeId>),
    ) {
        let (None, Val::Ptr(object), Some((from, variable)), Some(strukt)) =
            (&self.procedure, found, act.func.insts[i].result.zip(self.variable_at(p.addr)), strukt)
        else {
            return;
        };
        let sections =
            self.surely_held(state).into_iter().filter(|&n| self.is_section(&self.thread.locks[n]));
        let locks: Vec<flags::Under> = sections.filter_map(|n| self.under(n, p.addr)).collect();
        let mut number = FIRST;
        for &at in self.cx.counts.of(strukt) {
            let by = self.terms().int(at.into());
            let place = values::advance(self.terms(), object.addr, by);
            let count = Pointer { addr: place, path: Some((strukt, by)), span: None };
            for under in &locks {
                let flag = |bits, free| Flag { under: Some(under.clone()), ..Flag::new(bits, free) };
                let lends = flag(POINTER, Free::Lends { at });
                let lent = flag(COUNT, Free::Lent { by: Lender { at, ..variable }, out: false });
                let tru = self.thread.terms.tru();
                self.take_flag((act, i), state, (addr, p), (lends, tru), number);
                let behind = (Operand::Value(from), &count);
                self.take_flag((act, i), state, behind, (lent, tru), number + 1);
                number += 2;
            }
        }
    }

    /// A place that has a name.
    fn variable_at(&self, at: Addr) -> Option<Lender> {
        let (object, offset) = (self.thread.terms.as_int(at.obj)?, self.thread.terms.as_int(at.off)?);
        (object > 0).then_some(Lender { object, offset, at: 0 })
    }

    /// A pointer was stored in a variable: that gets the reference of who has stored it, and who knows what it has led to before
    /// has taken that out.
    pub(super) fn hand_over_references(
        &mut self,
        act: &Activation,
        i: InstId,
        state: &mut State,
        addr: Operand,
        value: Operand,
    ) {
        let Val::Ptr(stored) = self.operand(act, value) else { return };
        let p = self.scalar_at(act, addr, u64::from(POINTER / 8));
        let (None, Some(variable)) = (&self.procedure, self.variable_at(p.addr)) else { return };
        let references = |which: &dyn Fn(&Flag) -> bool| -> Vec<usize> {
            let locks = self.thread.locks.iter().enumerate();
            locks.filter(|(_, lock)| lock.owns.as_ref().is_some_and(which)).map(|(n, _)| n).collect()
        };
        let is_lent_here = |flag: &Flag| match flag.free {
            Free::Lent { by, out: false } => Lender { at: 0, ..by } == variable,
            _ => false,
        };
        let (own, lent) = (references(&Flag::is_own_reference), references(&is_lent_here));
        if self.thread.terms.as_int(stored.addr.obj) != Some(0) && !seeded(Fault::ReferenceStaysWithThread) {
            own.into_iter().for_each(|n| self.leave_reference(state, n, stored.addr.obj));
        }
        lent.into_iter().for_each(|n| self.take_out((act, i), state, n));
    }

    /// What a variable has lent it has no more: the thread has it.
    fn take_out(&mut self, (act, i): (&Activation, InstId), state: &mut State, lent: usize) {
        let when = state.held.taken(lent, &self.thread.terms);
        if self.thread.terms.as_bool(when) == Some(false) {
            return;
        }
        state.held.set_taken(lent, self.thread.terms.fals(), &self.thread.terms);
        let lock = self.thread.locks[lent].clone();
        let Some(Flag { free: Free::Lent { by, .. }, .. }) = lock.owns else { return };
        let flag = Flag { free: Free::Lent { by, out: true }, ..lock.owns.clone().expect("a reference") };
        let key = (act.id, i, (FIRST + lent) as u32);
        let taken = vec![act.func.insts[i].loc];
        let out = self.lock(Lock { class: flag.to_string(), owns: Some(flag), taken, key, ..lock });
        let terms = &mut self.thread.terms;
        let after = terms.or2(state.held.taken(out, terms), when);
        state.held.set_taken(out, after, terms);
    }

    /// The reference is the thread's no more, if it is one to that object.
    fn leave_reference(&mut self, state: &mut State, n: usize, stored: TermId) {
        let held = state.held.taken(n, &self.thread.terms);
        if self.thread.terms.as_bool(held) == Some(false) {
            return;
        }
        let object = self.thread.locks[n].addr.obj;
        let terms = &mut self.thread.terms;
        let same = terms.eq(object, stored);
        let other = terms.not(same);
        let after = terms.and2(held, other);
        state.held.set_taken(n, after, terms);
    }
}
