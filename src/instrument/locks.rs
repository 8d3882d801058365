//! Taking locks and giving them back.

use super::exec::{Activation, Executor};
use super::state::State;
use super::thread::*;
use super::values::{self, Val};
use crate::analysis::layout::Shape;
use crate::analysis::points_to::RegionId;
use crate::fault::{Fault, seeded};
use lockpair_ir::*;
use lockpair_smt::TermId;

impl Executor<'_, '_> {
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
