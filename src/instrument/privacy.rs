//! Which of the thread's own objects others may reach, and where their addresses go.

use super::exec::Executor;
use super::memory::{self, LocalId, Range, Rest};
use super::state::State;
use super::thread::*;
use super::values::{self, Val};
use lockpair_smt::{Sort, TermId};
use std::collections::HashSet;

impl Executor<'_, '_> {
    /// A pointer that takes part in integer arithmetic, or of which only a part is kept, may come back as any
    /// number: who holds the number may reach the object.
    pub(super) fn becomes_number(&mut self, state: &mut State, v: Val) {
        let tru = self.thread.terms.tru();
        self.publish(state, v, tru);
    }

    pub(super) fn fresh_object(
        &mut self,
        state: &mut State,
        key: Key,
        size: Option<u64>,
        stack: bool,
        rest: Rest,
    ) -> Val {
        let id = self.new_local(state, key, size, stack, rest);
        let off = self.terms().int(0);
        Val::Ptr(Pointer { addr: Addr { obj: self.local_term(id), off }, path: None, span: None })
    }

    pub(super) fn maybe_null(&mut self, v: Val) -> Val {
        let failed = self.terms().fresh("alloc_failed", Sort::Bool, None);
        let null = Val::Ptr(values::null(self.terms()));
        values::ite(self.terms(), failed, null, v)
    }

    pub(super) fn choices(&mut self, obj: TermId) -> (Vec<(TermId, LocalId)>, bool) {
        let mut terms = std::mem::take(&mut self.thread.terms);
        let out = memory::choices(&mut terms, obj, &|t| self.local_id(t));
        self.thread.terms = terms;
        out
    }

    /// The same without the conditions.
    pub(super) fn objects(&self, obj: TermId) -> (Vec<LocalId>, bool) {
        memory::objects(&self.thread.terms, obj, &|t| self.local_id(t))
    }

    pub(super) fn published(&self, state: &State, id: LocalId) -> TermId {
        State::flag(&state.published, id, &self.thread.terms)
    }

    pub(super) fn is_private(&self, state: &State, id: LocalId) -> bool {
        self.thread.terms.as_bool(self.published(state, id)) == Some(false)
    }

    /// Where the condition holds: what others would reach only if it did not is private.
    pub(super) fn stay_private(&mut self, state: &mut State, cond: TermId) {
        for id in 0..state.published.len() {
            let published = state.published[id];
            if self.thread.terms.as_bool(published).is_none() && self.is_never(cond, published) {
                let fals = self.thread.terms.fals();
                State::set_flag(&mut state.published, id, fals, &self.thread.terms);
            }
        }
    }

    /// From here on others may reach what the value points to, if the condition holds; the value itself
    /// is not followed any further.
    pub(super) fn publish(&mut self, state: &mut State, v: Val, cond: TermId) {
        self.lose(v);
        self.publish_target(state, v, cond);
    }

    /// The same of a handle that is registered: nobody gets it who does anything else with it.
    pub(super) fn publish_handle(&mut self, state: &mut State, handle: Pointer, cond: TermId) {
        self.forget_name(handle);
        self.publish_target(state, Val::Ptr(handle), cond);
    }

    /// Notes that the value goes where nobody follows it.
    pub(super) fn lose(&mut self, v: Val) {
        let (Val::Ptr(p) | Val::Int(_, Some(p))) = v else { return };
        self.thread.spread.extend(self.thread.leaves(p.addr.obj));
        self.forget_name(p);
    }

    /// Notes that the object may be known by a name that nobody follows.
    fn forget_name(&mut self, p: Pointer) {
        for leaf in self.thread.leaves(p.addr.obj) {
            match self.local_id(leaf) {
                Some(own) => self.thread.lost[own] = true,
                None => _ = self.thread.kept.insert(leaf),
            }
        }
    }

    /// From here on the value may be in the hands of the thread itself under another name: what it points to
    /// is not private any more, and may be stored anywhere.
    pub(super) fn unfollow(&mut self, state: &mut State, v: Val) {
        let (Val::Ptr(p) | Val::Int(_, Some(p))) = v else { return };
        let (own, other) = self.objects(p.addr.obj);
        self.thread.spread.extend(self.thread.leaves(p.addr.obj));
        for id in own {
            self.thread.lost[id] = true;
        }
        if other {
            self.unfollowed.push(p.addr.obj);
        }
        let tru = self.thread.terms.tru();
        self.publish_target(state, v, tru);
    }

    /// From here on others may reach what the value points to, if the condition holds.
    pub(super) fn publish_target(&mut self, state: &mut State, v: Val, cond: TermId) {
        let (Val::Ptr(p) | Val::Int(_, Some(p))) = v else { return };
        let (own, _) = self.choices(p.addr.obj);
        for (when, id) in own {
            let cond = self.thread.terms.and2(cond, when);
            self.publish_local(state, id, cond);
        }
    }

    /// From here on others may reach the object and what it points to, if the condition holds.
    pub(super) fn publish_local(&mut self, state: &mut State, id: LocalId, cond: TermId) {
        let mut work = vec![id];
        // Objects may point to each other, and a condition added twice need not be seen to be the same.
        let mut seen = HashSet::new();
        while let Some(id) = work.pop() {
            let before = self.published(state, id);
            let after = self.thread.terms.or2(before, cond);
            if after == before || !seen.insert(id) {
                continue;
            }
            State::set_flag(&mut state.published, id, after, &self.thread.terms);
            state.memory.object_mut(id).give_away();
            let pointers: Vec<Pointer> =
                state.memory.object(id).map(|c| c.pointers().collect()).unwrap_or_default();
            for p in pointers {
                if self.locals[id].stack {
                    // What is stored on the stack is no site that others could look at.
                    self.lose(Val::Ptr(p));
                }
                let (own, _) = self.objects(p.addr.obj);
                work.extend(own);
            }
        }
    }

    /// The content of an own object becomes arbitrary; what it pointed to can then be reached by
    /// pointers that nobody follows.
    pub(super) fn forget_content(&mut self, state: &mut State, id: LocalId) {
        self.lose_pointers(state, id);
        state.memory.object_mut(id).forget_all();
    }

    /// The same for some bytes of it, as far as it is known which.
    pub(super) fn forget_bytes(
        &mut self,
        state: &mut State,
        id: LocalId,
        at: Option<u64>,
        bytes: Option<u64>,
    ) {
        let (Some(at), Some(bytes)) = (at, bytes) else { return self.forget_content(state, id) };
        self.lose_pointers_in(state, id, at, bytes);
        let content = state.memory.object_mut(id);
        content.leave_all(at, bytes);
        content.forget(at, bytes);
    }

    /// Those bytes become arbitrary, and pointers that lie there may still do so.
    pub(super) fn blur(&mut self, state: &mut State, id: LocalId, bytes: Range) {
        self.lose_parts(state, id, bytes.0, bytes.1);
        state.memory.object_mut(id).blur(bytes);
    }

    pub(super) fn lose_pointers(&mut self, state: &mut State, id: LocalId) {
        self.lose_pointers_in(state, id, 0, u64::MAX);
    }

    pub(super) fn lose_pointers_in(&mut self, state: &mut State, id: LocalId, at: u64, bytes: u64) {
        let pointers: Vec<Pointer> =
            state.memory.object(id).map(|c| c.pointers_in(at, bytes).collect()).unwrap_or_default();
        let tru = self.thread.terms.tru();
        for p in pointers {
            self.publish(state, Val::Ptr(p), tru);
        }
    }

    /// The pointers at the edges of bytes that are overwritten: what is left of them may come back whole.
    pub(super) fn lose_parts(&mut self, state: &mut State, id: LocalId, at: u64, bytes: u64) {
        let Some(content) = state.memory.object(id) else { return };
        let parts: Vec<Pointer> = content.pointers_cut_by(at, bytes).collect();
        let tru = self.thread.terms.tru();
        for p in parts {
            self.publish(state, Val::Ptr(p), tru);
        }
    }
}
