//! Taking locks and giving them back.

use super::exec::{ANYWHERE, Activation, Executor};
use super::flags::Flag;
use super::lockset::Lockset;
use super::sites::AccessOp;
use super::state::State;
use super::thread::*;
use super::values::{self, Val};
use crate::analysis::layout::Shape;
use crate::analysis::points_to::RegionId;
use crate::fault::{Fault, seeded};
use lockpair_ir::*;
use lockpair_smt::{Sort, TermId};

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
        i
    }

    /// The same where code mentions the lock. In a procedure, one that a loop around mentions in each iteration
    /// may be at an address of which an earlier iteration has given back the lock.
    pub(super) fn mentioned_lock(&mut self, state: &mut State, new: Lock) -> usize {
        let (known, key) = (self.thread.locks.len(), new.key);
        let i = self.lock(new);
        if i == known && self.procedure.is_some() && self.is_remade(key) {
            state.held.forget(i, &self.thread.terms);
        }
        i
    }

    /// The exclusive locks that are surely held.
    pub(super) fn surely_held(&self, state: &State) -> Vec<usize> {
        let terms = &self.thread.terms;
        let is_surely_held = |i: usize| {
            let taken = state.held.taken(i, terms);
            terms.as_bool(taken) == Some(true) || terms.shows(state.guard, taken)
        };
        let locks = 0..self.thread.locks.len();
        locks.filter(|&i| self.lets_in_one(&self.thread.locks[i]) && is_surely_held(i)).collect()
    }

    /// Locks of the class are perhaps given back, and with them ends what goes with them.
    pub(super) fn gives_back(&mut self, state: &mut State, class: &str) {
        self.checkpoint(state, Step::GivesBack(class.to_owned()));
        state.gave_back(class, &self.thread.locks);
        let goes_with = |flag: &Flag| flag.under.as_ref().is_some_and(|under| under.is_of(class));
        if !seeded(Fault::TurnOutlivesLock) {
            self.end_flags(state, &|flag| flag.turn().is_some() && goes_with(flag));
        }
        if !seeded(Fault::LentForever) {
            self.end_flags(state, &|flag| flag.is_lent() && goes_with(flag));
        }
        self.end_completed(state, &goes_with);
    }

    /// A lock is not held, by the thread or by a caller, unless this holds.
    pub(super) fn held_only_if(&mut self, held: &mut Lockset, i: usize, cond: TermId) {
        let terms = &mut self.thread.terms;
        let taken = terms.and2(held.taken(i, terms), cond);
        held.set_taken(i, taken, terms);
        if self.procedure.is_some() {
            let kept = terms.and2(held.kept(i, terms), cond);
            held.set_kept(i, kept, terms);
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
        let mode = if seeded(Fault::SharedTakenExclusive) { LockMode::Exclusive } else { mode };
        let p = self.followed(act, lock);
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
            table: None,
            implicit: false,
            keeps_off: None,
            state: false,
            owns: None,
            key: (act.id, i, 0),
        };
        let typed = self.typed_by_declaration(act, lock, p);
        self.looks_at_lock((act, i), state, typed, new.region);
        let id = self.mentioned_lock(state, new);
        let loc = act.func.insts[i].loc;
        if !self.thread.locks[id].taken.contains(&loc) {
            self.thread.locks[id].taken.push(loc);
        }
        let success = match success {
            Some(Success::Zero | Success::NoError) if seeded(Fault::TrylockConvention) => {
                Some(Success::NonZero)
            }
            Some(Success::NonZero) if seeded(Fault::TrylockConvention) => Some(Success::Zero),
            Some(_) if seeded(Fault::TrylockSucceeds) => None,
            other => other,
        };
        // Nobody gets a lock that he holds himself.
        let holds = match mode {
            LockMode::Exclusive => state.held.taken(id, &self.thread.terms),
            LockMode::Shared => self.thread.terms.fals(),
        };
        let result = ty.map(|ty| self.outcome(success, holds, ty));
        let terms = &mut self.thread.terms;
        let taken = match (success, result) {
            (None, _) => terms.tru(),
            (Some(s), Some(Val::Int(t, _))) => {
                let zero = terms.int(0);
                let is_zero = terms.eq(t, zero);
                if s == Success::NonZero { terms.not(is_zero) } else { is_zero }
            }
            (Some(Success::NonZero), Some(Val::Bool(b))) => b,
            (Some(Success::Zero | Success::NoError), Some(Val::Bool(b))) => terms.not(b),
            (Some(_), _) => terms.fals(),
        };
        let terms = &mut self.thread.terms;
        let after = terms.or2(state.held.taken(id, terms), taken);
        state.held.set_taken(id, after, terms);
        result
    }

    /// Who takes a lock reads it: who makes it anew meanwhile lets in a second holder, and that is a race.
    fn looks_at_lock(
        &mut self,
        (act, i): (&Activation, InstId),
        state: &State,
        ptr: Pointer,
        region: Option<RegionId>,
    ) {
        let Some(region) = region else { return };
        let one = self.terms().int(1);
        let access = AccessOp {
            ptr,
            extent: Extent::Bytes(one),
            size: Some(1),
            write: false,
            value: None,
            mark: Mark::Atomic(Ordering::Relaxed),
            region,
            block: false,
            through: None,
        };
        let origin = self.origin(act, i);
        self.record(state, access, origin);
    }

    /// The result of taking a lock that the thread `holds` already under a condition. Of results that are no errors
    /// only that much is known; errors are negative.
    fn outcome(&mut self, success: Option<Success>, holds: TermId, ty: Ty) -> Val {
        let terms = &mut self.thread.terms;
        let any = values::fresh(terms, "taken", ty);
        let zero = terms.int(0);
        match (success, any, ty) {
            (Some(Success::NoError), Val::Int(..), Ty::Int(bits)) => {
                let errors = (values::pow2(bits - 1), values::pow2(bits) - 1);
                let error = terms.fresh("error", Sort::Int, Some(errors));
                let fails = terms.fresh("fails", Sort::Bool, None);
                let fails = terms.or2(fails, holds);
                Val::Int(terms.ite(fails, error, zero), None)
            }
            (Some(Success::NonZero), Val::Int(taken, _), _) => Val::Int(terms.ite(holds, zero, taken), None),
            (Some(Success::NonZero), Val::Bool(taken), _) => {
                let free = terms.not(holds);
                Val::Bool(terms.and2(free, taken))
            }
            _ => any,
        }
    }

    /// Gives back a lock: the thread's own if it has taken that, else any of the class that may be at the address
    /// (design, rule 4). Regions and types tell some apart, addresses the rest.
    ///
    /// Who takes a lock that he holds does not come back, or holds it twice. So one that was taken, at this very
    /// address, is no other that is held; and one that a procedure has taken itself is none that its caller holds.
    pub(super) fn release(
        &mut self,
        (act, i): (&Activation, InstId),
        state: &mut State,
        lock: Operand,
        class: &str,
        mode: LockMode,
    ) {
        if mode == LockMode::Shared && seeded(Fault::SharedReleaseIgnored) {
            return;
        }
        let p = self.followed(act, lock);
        let (shape, _) = self.lock_shape(&p);
        let region = self.cx.points_to.region(act.id, lock);
        let own = match self.procedure {
            Some(_) => {
                let (name, key) = (self.describe(act, lock, &p), (act.id, i, 0));
                let (class, region, taken) = (class.to_owned(), Some(region), Vec::new());
                let new = Lock {
                    class,
                    mode,
                    addr: p.addr,
                    region,
                    shape,
                    name,
                    taken,
                    table: None,
                    implicit: false,
                    keeps_off: None,
                    state: false,
                    owns: None,
                    key,
                };
                Some(self.mentioned_lock(state, new))
            }
            None => self.lock_index.get(&(class.to_owned(), p.addr, mode)).copied(),
        };
        let taken = own.map_or(self.thread.terms.fals(), |own| self.give_back_own(state, own));
        if self.thread.terms.as_bool(taken) == Some(true) {
            return;
        }
        if self.cx.kinds.states.contains_key(class) {
            self.note_end(state, class, p.addr);
        }
        let mut found = vec![taken];
        for other in (0..self.thread.locks.len()).filter(|&other| Some(other) != own) {
            let lock = &self.thread.locks[other];
            let held = state.held.taken(other, &self.thread.terms);
            if lock.class != class || self.thread.terms.as_bool(held) == Some(false) {
                continue;
            }
            let external = region == self.cx.points_to.external();
            let apart = lock.region.is_some_and(|r| r != region)
                || lock.region.is_some() && !self.cx.layout.may_overlap(external, lock.shape, shape);
            if apart {
                continue;
            }
            let at = lock.addr;
            let same = match seeded(Fault::ReleaseSyntactic) {
                true => self.terms().bool(at == p.addr),
                false => values::same_addr(self.terms(), at, p.addr),
            };
            let terms = self.terms();
            let its_own = terms.and2(held, same);
            found.push(its_own);
            let not = terms.not(same);
            let unless = terms.or2(taken, not);
            let after = terms.and2(held, unless);
            state.held.set_taken(other, after, terms);
        }
        let held = self.terms().or(&found);
        let loc = self.cx.module.funcs[act.id].insts[i].loc;
        self.note_stray(state.guard, held, (class, mode), loc);
    }

    /// Notes that a lock is given back where it may not be held. In a procedure, the caller may hold it.
    pub(super) fn note_stray(
        &mut self,
        guard: TermId,
        held: TermId,
        (class, mode): (&str, LockMode),
        loc: Option<LocId>,
    ) {
        let kinds = &self.cx.kinds;
        let is_lock = !kinds.states.contains_key(class) && !kinds.masks.contains_key(class);
        // What gives back a lock however it is held says so twice.
        let is_said = mode == LockMode::Exclusive && kinds.either.contains(class);
        let terms = &mut self.thread.terms;
        if self.procedure.is_some() || !is_lock || is_said || terms.shows(guard, held) {
            return;
        }
        let not = terms.not(held);
        let when = terms.and2(guard, not);
        if terms.as_bool(when) != Some(false) {
            self.thread.strays.push(Stray { class: class.to_owned(), loc, when });
        }
    }

    /// Notes what is held when the entry point returns.
    pub(super) fn note_left(&mut self, state: &State) {
        for lock in 0..self.thread.locks.len() {
            if self.thread.locks[lock].implicit || self.thread.locks[lock].owns.is_some() {
                continue;
            }
            let taken = state.held.taken(lock, &self.thread.terms);
            let left = self.terms().and2(state.guard, taken);
            if self.thread.terms.as_bool(left) != Some(false) {
                let all = [&[left], self.left_loops.as_slice()].concat();
                let left = self.thread.terms.and(&all);
                self.thread.left.push((lock, left));
            }
        }
    }

    /// Notes that a state of the kernel ends that the thread is not seen to have brought about.
    fn note_end(&mut self, state: &State, class: &str, at: Addr) {
        let terms = &self.thread.terms;
        let own = |(i, lock): (usize, &Lock)| {
            let taken = state.held.taken(i, terms);
            let surely = terms.as_bool(taken) == Some(true) || terms.shows(state.guard, taken);
            (lock.class == class && !lock.implicit && surely).then_some(lock.addr)
        };
        let own = self.thread.locks.iter().enumerate().filter_map(own).collect();
        let end = End { class: class.to_owned(), at, own };
        if !self.thread.ends.contains(&end) {
            self.thread.ends.push(end);
        }
    }

    /// Gives back the lock at an address that code mentions; tells whether it was taken. Where it was not, the lock is
    /// one of the caller's.
    fn give_back_own(&mut self, state: &mut State, own: usize) -> TermId {
        let terms = &mut self.thread.terms;
        let taken = state.held.taken(own, terms);
        let taken = if terms.shows(state.guard, taken) { terms.tru() } else { taken };
        state.held.set_taken(own, terms.fals(), terms);
        let is_forgotten = seeded(Fault::SummaryReleaseForgotten);
        if self.procedure.is_some() && terms.as_bool(taken) != Some(true) && !is_forgotten {
            let kept = terms.and2(state.held.kept(own, terms), taken);
            state.held.set_kept(own, kept, terms);
            self.note_given_back(own);
        }
        taken
    }

    pub(super) fn callee_fault(&self, act: &Activation) -> bool {
        seeded(Fault::CalleeReleaseIgnored) && self.thread.stacks[act.stack.index()].parent.is_some()
    }

    /// What is known of the place of a lock by type.
    pub(super) fn lock_shape(&mut self, p: &Pointer) -> (Shape, Option<TermId>) {
        let one = self.terms().int(1);
        self.shape(p, Extent::Bytes(one), Some(1))
    }
}
