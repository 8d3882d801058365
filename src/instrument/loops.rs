//! Loops: what their bodies change is arbitrary at their heads.

use super::exec::{Activation, Executor};
use super::memory::{Memory, Ranges, WHOLE};
use super::state::State;
use super::thread::*;
use super::values::{self, Val};
use crate::fault::{Fault, seeded};
use lockpair_ir::cfg::{Cfg, Loop};
use lockpair_ir::*;
use lockpair_smt::{Sort, TermId};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What the body of a loop was seen to change.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct Modified {
    /// The bytes of objects; none: all of them.
    contents: BTreeMap<Key, Option<Ranges>>,
    /// Of such an object, those from before the loop to which it points at the end of the body: the next iteration may
    /// find them there, under another name.
    stored: BTreeMap<Key, BTreeSet<Key>>,
    /// The objects that unknown code may find through it then.
    found: BTreeMap<Key, BTreeSet<Found>>,
    held: BTreeSet<Key>,
    /// In a procedure: locks that the body mentioned first, once, and again when it knew those of the first time:
    /// their addresses are made in the body.
    mentioned: BTreeSet<Key>,
    remade: BTreeSet<Key>,
    events: BTreeSet<Key>,
    published: BTreeSet<Key>,
    /// Whether the thread may run on another CPU then.
    cpu: bool,
    /// Whether others may run then that could not before.
    lets_others: bool,
}

/// An object, as it can be told in another iteration.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Found {
    /// An own one, from before the loop.
    Own(Key),
    /// One of others.
    Other {
        /// The object, if it is the same in each.
        object: Option<TermId>,
        /// The struct and the offset in it, if that is so of these.
        path: Option<(TypeId, TermId)>,
    },
}

impl Executor<'_, '_> {
    /// At a back edge: what the phis of the loop's head get from the body. Of what the body has made
    /// nobody knows the name in the next iteration, but of what was there before.
    pub(super) fn unfollow_phis(
        &mut self,
        act: &Activation,
        from: BlockId,
        around: Option<&Loop>,
        state: &mut State,
    ) {
        let Some(around) = around else { return };
        for &i in &act.func.blocks[around.head].insts {
            let inst = &act.func.insts[i];
            let (Op::Phi(sources), Some(result)) = (&inst.op, inst.result) else { break };
            let is_pointer = act.func.values[result].ty == Ty::Ptr;
            let steps = is_pointer && steps(act.func, result, sources, &around.body).is_some();
            if let Some((_, op)) = sources.iter().find(|(b, _)| *b == from).filter(|_| !steps) {
                let v = self.operand(act, *op);
                self.unfollow(state, v);
                self.carry_on(act.values[result.index()], v);
            }
        }
    }

    /// The value of a phi at a loop head: arbitrary, but a pointer that the body only moves (from where it starts, by these
    /// steps) stays in its object (assumption `in-bounds`).
    pub(super) fn in_any_iteration(&mut self, ty: Ty, moved: Option<(Val, Steps)>) -> Val {
        let any = values::fresh(&mut self.thread.terms, "phi", ty);
        match any {
            Val::Ptr(p) => self.moving.extend([p.addr.obj, p.addr.off]),
            Val::Int(t, _) => self.moving.extend([t]),
            Val::Bool(_) | Val::Opaque => {}
        }
        match (any, moved) {
            (Val::Ptr(any), Some((Val::Ptr(first), steps))) => {
                Val::Ptr(self.moved(first, &steps, any.addr.off))
            }
            _ => any,
        }
    }

    /// Where a loop moves a pointer: it stays in the array, or in the part that is a struct, where it has begun, as one to
    /// which an index is added.
    fn moved(&mut self, first: Pointer, steps: &Steps, any: TermId) -> Pointer {
        let Some(((strukt, at), span)) = first.path.zip(self.moves_between(first, steps)) else {
            return Pointer { addr: Addr { obj: first.addr.obj, off: any }, path: None, span: None };
        };
        let addr = values::advance(self.terms(), first.addr, any);
        let at = self.terms().add2(at, any);
        Pointer { addr, path: Some((strukt, at)), span: Some(span) }
    }

    /// The offsets in its struct that tell in which members it stays. Who goes back may have begun behind the end of the member
    /// before, unless it is known from where that was computed.
    fn moves_between(&self, first: Pointer, steps: &Steps) -> Option<(i128, i128)> {
        let (strukt, _) = first.path?;
        let (from, to) = first.offsets(&self.thread.terms)?;
        let before = || {
            let fields = self.cx.module.as_struct(strukt).into_iter().flat_map(|def| &def.fields);
            let ends = fields.map(|f| i128::from(f.offset + self.cx.module.size_of(f.ty)));
            ends.filter(|&end| 0 < end && end <= from).max().map_or(from, |end| end - 1)
        };
        let is_start = |member: &Field| i128::from(member.offset) == from;
        let starts = || u64::try_from(from).is_ok_and(|at| self.member_at(strukt, at).is_some_and(is_start));
        let from_behind = steps.may_go_back && first.span.is_none() && !seeded(Fault::LoopsGoForward);
        // What moves by whole structs is in another one then.
        let size = self.cx.module.size_of(strukt);
        let inside = !steps.within && steps.by.iter().all(|by| by.unsigned_abs() < size);
        let stays = inside && self.indexes_array(first, 0, steps.by.iter().copied(), false);
        stays.then(|| (if from_behind && starts() { before() } else { from }, to))
    }

    /// Notes that a loop carries a pointer, which is `first` in the beginning and `any` in any iteration.
    pub(super) fn carry(&mut self, any: Val, first: Val) {
        if let (Val::Ptr(any), Val::Ptr(first)) = (any, first)
            && let Some(var) = self.object_var(Val::Ptr(any))
        {
            self.thread.carried.push(Carried { var, first: first.addr.obj, again: Vec::new() });
        }
    }

    /// Notes with what it goes on.
    fn carry_on(&mut self, any: Option<Val>, next: Val) {
        let var = any.and_then(|any| self.object_var(any));
        let mut carried = self.thread.carried.iter_mut();
        if let Some(one) = carried.rfind(|one| Some(one.var) == var) {
            match next {
                Val::Ptr(next) => one.again.push(next.addr.obj),
                // Nobody knows to what it leads; neither does anybody of the variable itself.
                Val::Bool(_) | Val::Int(..) | Val::Opaque => one.first = self.thread.terms.var_term(one.var),
            }
        }
    }

    /// At a loop head: everything that the body changes becomes arbitrary.
    pub(super) fn forget_modified(&mut self, id: FuncId, head: BlockId, state: &mut State) {
        state.globals = Memory::default();
        state.looked = Default::default();
        let Some(modified) = self.learned.get(&(id, head)).cloned() else { return };
        if modified.cpu && !seeded(Fault::LoopStaysOnCpu) {
            state.cpu = self.some_cpu();
        }
        if modified.lets_others && !seeded(Fault::LoopStaysAlone) {
            state.alone = self.thread.terms.fals();
        }
        for local in 0..self.locals.len() {
            let key = self.locals[local].key;
            if let Some(changed) = modified.contents.get(&key).filter(|_| !seeded(Fault::LoopMemoryKept))
                && state.memory.object(local).is_some()
            {
                match changed {
                    Some(ranges) => ranges.iter().for_each(|&bytes| self.blur(state, local, bytes)),
                    None => self.forget_content(state, local),
                }
                self.remember_stored(&modified, state, local, changed.as_ref());
            }
            if modified.published.contains(&key) && !seeded(Fault::LoopPublishedKept) {
                let maybe = self.thread.terms.fresh("published", Sort::Bool, None);
                self.publish_local(state, local, maybe);
            }
        }
        for i in 0..self.thread.locks.len() {
            if !seeded(Fault::LoopHeldKept) && modified.held.contains(&self.thread.locks[i].key) {
                let still = self.thread.terms.fresh("still", Sort::Bool, None);
                self.held_only_if(&mut state.held, i, still);
            }
        }
        for &key in &modified.remade {
            let remade: Vec<Lock> = self.thread.locks.iter().filter(|l| l.key == key).cloned().collect();
            remade.into_iter().for_each(|lock| self.give_back_anywhere(state, lock));
        }
        self.forget_events(&modified, state);
    }

    /// What earlier iterations have stored in the object may be there.
    fn remember_stored(
        &mut self,
        modified: &Modified,
        state: &mut State,
        local: usize,
        changed: Option<&Ranges>,
    ) {
        let Some(stored) =
            modified.stored.get(&self.locals[local].key).filter(|_| !seeded(Fault::LoopStoresNothing))
        else {
            return;
        };
        let whole = Ranges::from([WHOLE]);
        for &found in modified.found.get(&self.locals[local].key).into_iter().flatten() {
            let any = self.anywhere_in(found);
            let (objects, path) = match found {
                Found::Own(key) => {
                    let own = (0..self.locals.len()).filter(|&id| self.locals[id].key == key);
                    (own.map(|id| self.local_term(id)).collect(), None)
                }
                Found::Other { object, path } => (vec![object.unwrap_or(any.obj)], path),
            };
            for obj in objects {
                let pointer = Pointer { addr: Addr { obj, off: any.off }, path, span: None };
                state.memory.object_mut(local).leave(pointer, WHOLE);
            }
        }
        for target in (0..self.locals.len()).filter(|&id| stored.contains(&self.locals[id].key)) {
            let addr = Addr { obj: self.local_term(target), off: self.thread.terms.int(0) };
            for &bytes in changed.unwrap_or(&whole) {
                state.memory.object_mut(local).lurk(Pointer { addr, path: None, span: None }, bytes);
            }
        }
    }

    /// Some address in what loops have stored. What unknown code does with what it finds is one access of a condition, never two,
    /// so all loops can have one address: with one for each, nested calls that have loops would leave thousands.
    fn anywhere_in(&mut self, found: Found) -> Addr {
        let terms = &mut self.thread.terms;
        *self.found_anywhere.entry(found).or_insert_with(|| values::fresh_pointer(terms, "stored").addr)
    }

    /// In a procedure: locks of this kind, nobody knows which, were given back.
    pub(super) fn give_back_anywhere(&mut self, state: &mut State, lock: Lock) {
        let i = self.lock_anywhere(lock);
        state.held.forget(i, &self.thread.terms);
    }

    /// Registrations made in earlier iterations were of handles that have no name any more.
    fn forget_events(&mut self, modified: &Modified, state: &mut State) {
        for i in 0..self.thread.events.len() {
            let event = &self.thread.events[i];
            if modified.events.contains(&event.key) {
                let value = if event.registers {
                    self.thread.terms.fresh("registered", Sort::Bool, None)
                } else {
                    self.thread.terms.fals()
                };
                State::set_flag(&mut state.events, i, value, &self.thread.terms);
            }
        }
        for &key in &modified.events {
            let class = match &self.cx.module.funcs[key.0].insts[key.1].op {
                Op::Register { class, .. } => class,
                Op::External { .. } | Op::Call { .. } => HANDED_OUT,
                _ => continue,
            };
            let handle = values::fresh_pointer(&mut self.thread.terms, "handle").addr;
            let flag = self.thread.terms.fresh("registered", Sort::Bool, None);
            let key = (key.0, key.1, 1);
            self.thread.events.push(Event::anywhere(class, handle, key));
            let last = self.thread.events.len() - 1;
            State::set_flag(&mut state.events, last, flag, &self.thread.terms);
        }
    }

    /// At a back edge: what differs from the head and was not forgotten there must be forgotten next time.
    pub(super) fn learn(
        &mut self,
        id: FuncId,
        head: BlockId,
        before: &State,
        [locals, locks]: [usize; 2],
        after: &State,
    ) {
        let (cpu, lets_others) = (before.cpu != after.cpu, before.alone != after.alone);
        let mut found = Modified { cpu, lets_others, ..Modified::default() };
        for local in 0..locals {
            let key = self.locals[local].key;
            if let (Some(x), Some(y)) = (before.memory.object(local), after.memory.object(local))
                && !Arc::ptr_eq(x, y)
                && x != y
            {
                let changed = x.changed_in(y);
                let pointers: Vec<Pointer> = match &changed {
                    Some(ranges) => ranges.iter().flat_map(|&(at, size)| y.pointers_in(at, size)).collect(),
                    None => y.pointers().collect(),
                };
                add_ranges(&mut found.contents, key, changed);
                let to_find: Vec<Pointer> = y.pointers_to_find(WHOLE.0, WHOLE.1).collect();
                found.found.entry(key).or_default().extend(self.found_again(to_find, locals, after));
                let targets = self.reached_from_before(locals, pointers, after);
                found.stored.entry(key).or_default().extend(targets);
            }
            if self.flags_differ(&before.published, &after.published, local) {
                found.published.insert(key);
            }
        }
        for (i, lock) in self.thread.locks.iter().enumerate() {
            let terms = &self.thread.terms;
            // A lock that is not held at the head may be held at the back edge: forgetting it is safe.
            let is_less = |held: TermId, then: TermId| {
                held != then && terms.as_bool(held) != Some(false) && terms.as_bool(then) != Some(true)
            };
            // One that was given back and taken again is held if it was held on entry, which is all that is said.
            let given_back = is_less(before.held.kept(i, terms), after.held.kept(i, terms))
                && !after.held.surely(i, terms);
            if given_back || is_less(before.held.taken(i, terms), after.held.taken(i, terms)) {
                found.held.insert(lock.key);
            }
            if given_back && i >= locks {
                found.remade.insert(lock.key);
            }
        }
        for (i, event) in self.thread.events.iter().enumerate() {
            if self.flags_differ(&before.events, &after.events, i) {
                found.events.insert((event.key.0, event.key.1, 0));
            }
        }
        let known = self.learned.entry((id, head)).or_default();
        for (key, changed) in found.contents {
            add_ranges(&mut known.contents, key, changed);
        }
        for (key, targets) in found.stored {
            known.stored.entry(key).or_default().extend(targets);
        }
        for (key, objects) in found.found {
            known.found.entry(key).or_default().extend(objects);
        }
        known.held.extend(found.held);
        for key in found.remade {
            if !known.mentioned.insert(key) {
                known.remade.insert(key);
            }
        }
        known.events.extend(found.events);
        known.published.extend(found.published);
        known.cpu |= found.cpu;
        known.lets_others |= found.lets_others;
    }

    /// The objects from before the loop that these pointers lead to, also through what the body has made: nobody knows
    /// the name of that in the next iteration.
    fn reached_from_before(&self, locals: usize, pointers: Vec<Pointer>, after: &State) -> BTreeSet<Key> {
        let (mut seen, mut work) = (BTreeSet::new(), pointers);
        while let Some(p) = work.pop() {
            for id in self.objects(p.addr.obj).0 {
                let is_new = seen.insert(id) && id >= locals && !seeded(Fault::LoopMakesEmpty);
                let content = after.memory.object(id).filter(|_| is_new);
                work.extend(content.into_iter().flat_map(|content| content.pointers()));
            }
        }
        seen.into_iter().filter(|&id| id < locals).map(|id| self.locals[id].key).collect()
    }

    /// What these pointers lead to that was there before the loop, also through what the body has made.
    fn found_again(&self, pointers: Vec<Pointer>, locals: usize, after: &State) -> BTreeSet<Found> {
        let (mut seen, mut work, mut found) = (BTreeSet::new(), pointers, BTreeSet::new());
        if seeded(Fault::LoopStoresForItself) {
            return found;
        }
        while let Some(p) = work.pop() {
            let (own, other) = self.objects(p.addr.obj);
            if other {
                let terms = &self.thread.terms;
                let object = Some(p.addr.obj).filter(|obj| terms.as_int(*obj).is_some());
                let path = p.path.filter(|(_, at)| terms.as_int(*at).is_some());
                found.insert(Found::Other { object, path });
            }
            for id in own {
                if id < locals {
                    found.insert(Found::Own(self.locals[id].key));
                } else if seen.insert(id) {
                    let content = after.memory.object(id);
                    work.extend(content.into_iter().flat_map(|c| c.pointers_to_find(WHOLE.0, WHOLE.1)));
                }
            }
        }
        found
    }

    /// How much is known of what the body of a loop changes.
    pub(super) fn known_of(&self, id: FuncId, head: BlockId) -> usize {
        self.learned.get(&(id, head)).map_or(0, Modified::size)
    }

    fn flags_differ(&self, a: &[TermId], b: &[TermId], i: usize) -> bool {
        State::flag(a, i, &self.thread.terms) != State::flag(b, i, &self.thread.terms)
    }

    pub(super) fn is_remade(&self, key: Key) -> bool {
        self.loops.iter().any(|&(stack, head)| {
            let func = self.thread.stacks[stack.index()].func;
            self.learned.get(&(func, head)).is_some_and(|l| l.remade.contains(&key))
        })
    }
}

impl Modified {
    fn size(&self) -> usize {
        let locks = self.held.len() + self.mentioned.len() + self.remade.len();
        let stored: usize = self.stored.values().map(BTreeSet::len).sum();
        let found: usize = self.found.values().map(BTreeSet::len).sum();
        // All bytes of an object are more than any of them.
        let of_object =
            |changed: &Option<Ranges>| changed.as_ref().map_or(1 << 16, |ranges| 1 + ranges.len());
        self.contents.values().map(of_object).sum::<usize>()
            + stored
            + found
            + locks
            + self.events.len()
            + self.published.len()
            + usize::from(self.cpu)
            + usize::from(self.lets_others)
    }
}

/// Further bytes of an object.
fn add_ranges(contents: &mut BTreeMap<Key, Option<Ranges>>, key: Key, more: Option<Ranges>) {
    let known = contents.entry(key).or_insert_with(|| Some(Ranges::new()));
    *known = match (known.take(), more) {
        (Some(known), Some(more)) => Some(&known | &more),
        _ => None,
    };
}

/// How a loop moves a pointer.
#[derive(Default)]
pub(super) struct Steps {
    /// By what: distances, and the units of others.
    by: BTreeSet<i64>,
    /// Whether one may lead back.
    may_go_back: bool,
    /// Whether one leads to a member of a struct.
    within: bool,
}

/// The steps of what a phi at a loop head gets from the loop's body, if that is the phi itself, moved: through address
/// computations, choices between such pointers, and phis of inner loops.
pub(super) fn steps(
    func: &Function,
    phi: ValueId,
    sources: &[(BlockId, Operand)],
    body: &BTreeSet<BlockId>,
) -> Option<Steps> {
    let (mut seen, mut steps) = (BTreeSet::from([phi]), Steps::default());
    let from_body = sources.iter().filter(|(b, _)| body.contains(b));
    let mut work: Vec<Operand> = from_body.map(|(_, op)| *op).collect();
    while let Some(op) = work.pop() {
        let Operand::Value(v) = op else { return None };
        if !seen.insert(v) {
            continue;
        }
        match func.values[v].inst.map(|i| &func.insts[i].op) {
            Some(Op::PtrAdd { base, offset, scaled, within }) => {
                steps.by.extend([*offset].into_iter().filter(|&by| by != 0));
                steps.by.extend(scaled.iter().map(|&(_, scale)| scale));
                steps.may_go_back |= *offset < 0 || !scaled.is_empty();
                steps.within |= within.is_some();
                work.push(*base);
            }
            Some(Op::Select { then, els, .. }) => work.extend([*then, *els]),
            Some(Op::Phi(edges)) => work.extend(edges.iter().map(|(_, op)| *op)),
            _ => return None,
        }
    }
    Some(steps)
}

pub(super) fn same_loops(cfg: &Cfg, a: BlockId, b: BlockId) -> bool {
    cfg.loops.iter().all(|l| l.body.contains(&a) == l.body.contains(&b))
}
