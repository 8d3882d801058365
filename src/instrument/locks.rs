//! Taking locks and giving them back.

use super::exec::{ANYWHERE, Activation, Executor};
use super::state::State;
use super::thread::*;
use super::values::{self, Val};
use crate::analysis::layout::Shape;
use crate::analysis::points_to::RegionId;
use crate::fault::{Fault, seeded};
use lockpair_ir::*;
use lockpair_smt::{Sort, TermId};
use std::sync::Arc;

impl Executor<'_, '_> {
    /// The lock of that class, address and mode, made on first use.
    pub(super) fn lock(&mut self, new: Lock) -> usize {
        let identity = (new.class.clone(), new.addr, new.mode);
        if let Some(&i) = self.lock_index.get(&identity) {
            return i;
        }
        let i = self.thread.locks.len();
        self.lock_index.insert(identity, i);
        self.thread.locks.push(new);
        let before = match self.procedure {
            None => self.thread.terms.fals(),
            Some(_) => self.terms().fresh("held", Sort::Bool, None),
        };
        self.entry_held.push(before);
        i
    }

    /// The same where code mentions the lock. In a procedure, one that a loop around mentions in each iteration
    /// may be at an address of which an earlier iteration has given back the lock.
    pub(super) fn mentioned_lock(&mut self, state: &mut State, new: Lock) -> usize {
        let (known, key) = (self.thread.locks.len(), new.key);
        let i = self.lock(new);
        if i == known && self.procedure.is_some() && self.is_remade(key) {
            let fals = self.thread.terms.fals();
            self.set_held(state, i, fals);
        }
        i
    }

    /// Whether a lock is held.
    pub(super) fn held(&self, state: &State, i: usize) -> TermId {
        state.held.get(i).copied().unwrap_or(self.entry_held[i])
    }

    /// Notes whether a lock is held.
    pub(super) fn set_held(&self, state: &mut State, i: usize, value: TermId) {
        self.fill_held(state, i + 1);
        Arc::make_mut(&mut state.held)[i] = value;
    }

    /// Locks that were mentioned first since then are as they were on entry.
    pub(super) fn fill_held(&self, state: &mut State, len: usize) {
        if state.held.len() < len {
            let known = state.held.len();
            Arc::make_mut(&mut state.held).extend_from_slice(&self.entry_held[known..len]);
        }
    }

    /// In a procedure: what stands for all locks of this kind.
    pub(super) fn lock_anywhere(&mut self, lock: Lock) -> usize {
        let key = (lock.key.0, lock.key.1, ANYWHERE);
        let lock = Lock { taken: Vec::new(), key, ..lock };
        let terms = &mut self.thread.terms;
        let name = self
            .locks_anywhere
            .entry(lock.kind())
            .or_insert_with(|| values::fresh_pointer(terms, "anywhere").addr);
        let addr = *name;
        self.lock(Lock { addr, ..lock })
    }

    #[allow(clippy::too_many_arguments)]
    pub(super) fn acquire(
        &mut self,
        act: &Activation,
        i: InstId,
        state: &mut State,
        lock: Operand,
        class: &str,
        mode: LockMode,
        success: Option<Success>,
        ty: Option<Ty>,
    ) -> Option<Val> {
        let p = self.pointer(act, lock);
        let name = self.describe(act, lock, &p);
        let (shape, _) = self.lock_shape(&p);
        let new = Lock {
            class: class.to_owned(),
            mode,
            addr: p.addr,
            region: Some(self.cx.points_to.region(act.id, lock)),
            shape,
            name,
            taken: Vec::new(),
            implicit: false,
            key: (act.id, i, 0),
        };
        let id = self.mentioned_lock(state, new);
        let loc = act.func.insts[i].loc;
        if !self.thread.locks[id].taken.contains(&loc) {
            self.thread.locks[id].taken.push(loc);
        }
        let result = ty.map(|ty| values::fresh(self.terms(), "taken", ty));
        let success = match success {
            Some(Success::Zero) if seeded(Fault::TrylockConvention) => Some(Success::NonZero),
            Some(Success::NonZero) if seeded(Fault::TrylockConvention) => Some(Success::Zero),
            Some(_) if seeded(Fault::TrylockSucceeds) => None,
            other => other,
        };
        let taken = match (success, result) {
            (None, _) => self.thread.terms.tru(),
            (Some(s), Some(Val::Int(t, _))) => {
                let zero = self.terms().int(0);
                let is_zero = self.terms().eq(t, zero);
                if s == Success::Zero { is_zero } else { self.terms().not(is_zero) }
            }
            (Some(s), Some(Val::Bool(b))) => {
                if s == Success::Zero {
                    self.terms().not(b)
                } else {
                    b
                }
            }
            (Some(_), _) => self.thread.terms.fals(),
        };
        let before = self.held(state, id);
        let after = self.terms().or2(before, taken);
        self.set_held(state, id, after);
        result
    }

    /// In a procedure: the lock that is given back is one of its caller's, if it is none of its own.
    pub(super) fn given_back(
        &mut self,
        (act, i): (&Activation, InstId),
        state: &mut State,
        lock: Operand,
        class: &str,
        mode: LockMode,
    ) {
        if self.procedure.is_none() || seeded(Fault::SummaryReleaseForgotten) {
            return;
        }
        let p = self.pointer(act, lock);
        let name = self.describe(act, lock, &p);
        let (shape, _) = self.lock_shape(&p);
        let region = Some(self.cx.points_to.region(act.id, lock));
        let (class, key) = (class.to_owned(), (act.id, i, 0));
        let new =
            Lock { class, mode, addr: p.addr, region, shape, name, taken: vec![], implicit: false, key };
        let id = self.mentioned_lock(state, new);
        self.note_given_back(id);
    }

    pub(super) fn callee_fault(&self, act: &Activation) -> bool {
        seeded(Fault::CalleeReleaseIgnored) && self.thread.stacks[act.stack.index()].parent.is_some()
    }

    /// What is known of the place of a lock by type.
    pub(super) fn lock_shape(&mut self, p: &Pointer) -> (Shape, Option<TermId>) {
        let one = self.terms().int(1);
        self.shape(p, Extent::Bytes(one), Some(1))
    }

    /// Every lock of the class that may be at the address is given back (design, rule 4): regions and
    /// types tell some apart, addresses the rest.
    pub(super) fn release(
        &mut self,
        state: &mut State,
        class: &str,
        mode: LockMode,
        p: Pointer,
        region: RegionId,
    ) {
        let (shape, _) = self.lock_shape(&p);
        for i in 0..self.thread.locks.len() {
            let lock = &self.thread.locks[i];
            let held = self.held(state, i);
            if lock.class != class || self.thread.terms.as_bool(held) == Some(false) {
                continue;
            }
            // In a procedure: whether a caller's lock may be the one that is given back, its instances ask.
            if self.procedure.is_some() && held == self.entry_held[i] && lock.addr != p.addr {
                continue;
            }
            let external = region == self.cx.points_to.external();
            let apart = lock.region.is_some_and(|r| r != region)
                || lock.region.is_some() && !self.cx.layout.may_overlap(external, lock.shape, shape);
            if apart || self.is_other_mode(state, i, mode) {
                continue;
            }
            let at = self.thread.locks[i].addr;
            let same = match seeded(Fault::ReleaseSyntactic) {
                true => self.terms().bool(at == p.addr),
                false => values::same_addr(self.terms(), at, p.addr),
            };
            let other = self.terms().not(same);
            let after = self.terms().and2(held, other);
            self.set_held(state, i, after);
        }
    }

    /// Whether the release is of another mode of the same lock, which is surely held too (downgrade_write).
    pub(super) fn is_other_mode(&self, state: &State, i: usize, mode: LockMode) -> bool {
        let lock = &self.thread.locks[i];
        lock.mode != mode
            && self.thread.locks.iter().enumerate().any(|(j, l)| {
                let held = self.held(state, j);
                l.mode == mode
                    && l.class == lock.class
                    && l.addr == lock.addr
                    && self.thread.terms.as_bool(held) == Some(true)
            })
    }
}
