//! What each instruction does to the state, and the sites that it leaves.

use super::exec::{Activation, Executor, kind_fits};
use super::memory::{self, LocalId};
use super::state::State;
use super::thread::*;
use super::values::{self, Val};
use crate::analysis::layout::Shape;
use crate::analysis::points_to::RegionId;
use crate::fault::{Fault, seeded};
use lockpair_ir::*;
use lockpair_smt::{Sort, TermId};
use std::sync::Arc;

/// An access about to be recorded.
#[derive(Copy, Clone)]
pub(super) struct AccessOp {
    pub(super) ptr: Pointer,
    pub(super) extent: Extent,
    /// The number of bytes, if constant.
    pub(super) size: Option<u64>,
    pub(super) write: bool,
    pub(super) value: Option<Addr>,
    pub(super) mark: Mark,
    pub(super) region: RegionId,
    /// Whether it is to a block of memory, whatever is there, and not to one scalar.
    pub(super) block: bool,
}

impl AccessOp {
    /// Whether the types say nothing of it.
    fn is_raw_block(&self) -> bool {
        self.block && self.ptr.path.is_none() && !seeded(Fault::BlockIsScalar)
    }
}

/// So many objects of one access are told apart.
const MAX_ALTERNATIVES: usize = 4;

/// Where an access comes from.
#[derive(Copy, Clone)]
pub(super) struct Origin {
    pub(super) stack: StackId,
    pub(super) inst: (FuncId, InstId),
    pub(super) loc: Option<LocId>,
}

impl Executor<'_, '_> {
    /// The value of an operand.
    pub(super) fn operand(&mut self, act: &Activation, op: Operand) -> Val {
        match op {
            Operand::Value(v) => match act.values[v.index()] {
                Some(v) => v,
                None => values::fresh(self.terms(), "undef", act.func.values[v].ty),
            },
            Operand::Int { bits: 1, value } => Val::Bool(self.thread.terms.bool(value == 1)),
            Operand::Int { bits, value } if bits <= 64 => Val::Int(self.terms().int(value as i128), None),
            Operand::Int { .. } => Val::Opaque,
            Operand::Null => Val::Ptr(values::null(self.terms())),
            Operand::Global(g, off) => Val::Ptr(self.global_pointer(g, off)),
            Operand::Func(f) => {
                let obj = self.cx.module.globals.len() as i128 + 1 + f.index() as i128;
                let (obj, off) = (self.terms().int(obj), self.terms().int(0));
                Val::Ptr(Pointer { addr: Addr { obj, off }, path: None })
            }
            Operand::Undef(ty) => values::fresh(self.terms(), "undef", ty),
        }
    }

    /// A pointer into a global; what a global of struct type (or an array of them) holds there is known.
    pub(super) fn global_pointer(&mut self, g: GlobalId, off: i64) -> Pointer {
        let module = self.cx.module;
        let obj = self.terms().int(g.index() as i128 + 1);
        let offset = self.terms().int(i128::from(off));
        let mut elem = module.globals[g].ty;
        while let Some(ty) = elem
            && let TypeDef::Array { elem: e, .. } = &module.types[ty]
        {
            elem = Some(*e);
        }
        let path = elem.and_then(|ty| {
            let size = i64::try_from(module.as_struct(ty)?.size).ok().filter(|&s| s > 0)?;
            (off >= 0).then(|| (ty, self.terms().int(i128::from(off % size))))
        });
        Pointer { addr: Addr { obj, off: offset }, path }
    }

    /// An i1 operand as a proposition.
    pub(super) fn condition(&mut self, act: &Activation, op: Operand) -> TermId {
        match self.operand(act, op) {
            Val::Bool(t) => t,
            _ => self.terms().fresh("cond", Sort::Bool, None),
        }
    }

    fn pointer(&mut self, act: &Activation, op: Operand) -> Pointer {
        match self.operand(act, op) {
            Val::Ptr(p) => p,
            Val::Int(_, Some(p)) => p,
            Val::Int(t, None) => values::pointer_of(self.terms(), t),
            Val::Bool(_) | Val::Opaque => values::fresh_pointer(self.terms(), "ptr"),
        }
    }

    fn number(&mut self, act: &Activation, op: Operand) -> TermId {
        let v = self.operand(act, op);
        match values::as_int(self.terms(), v) {
            Some(t) => t,
            None => self.terms().fresh("number", Sort::Int, Some(values::range(64))),
        }
    }

    fn origin(&self, act: &Activation, i: InstId) -> Origin {
        Origin { stack: act.stack, inst: (act.id, i), loc: act.func.insts[i].loc }
    }

    /// Executes one instruction; none if control does not continue.
    pub(super) fn instruction(&mut self, act: &mut Activation, i: InstId, state: State) -> Option<State> {
        let inst = &act.func.insts[i];
        let mut state = state;
        let ty = inst.result.map(|v| act.func.values[v].ty);
        let value: Option<Val> = match &inst.op {
            Op::Phi(_) => return Some(state),
            Op::Bin(op, a, b) => {
                let (x, y) = (self.operand(act, *a), self.operand(act, *b));
                // The distance between two pointers is no pointer (assumption `in-bounds`).
                if !(*op == BinOp::Sub && is_number_of_pointer(x) && is_number_of_pointer(y)) {
                    self.arithmetic_escapes(&mut state, x);
                    self.arithmetic_escapes(&mut state, y);
                }
                let Some(Ty::Int(bits)) = ty else { return Some(state) };
                Some(values::binary(self.terms(), *op, x, y, bits))
            }
            Op::Cmp(op, a, b) => {
                let bits = match act.func.operand_ty(*a) {
                    Ty::Int(bits) => bits,
                    Ty::Ptr | Ty::Opaque(_) => 64,
                };
                let (x, y) = (self.operand(act, *a), self.operand(act, *b));
                let locals = &self.local_of;
                let object = |t: TermId| locals.contains_key(&t);
                Some(Val::Bool(values::compare(&mut self.thread.terms, *op, x, y, bits, &object)))
            }
            Op::Select { cond, then, els } => {
                let c = self.condition(act, *cond);
                let (x, y) = (self.operand(act, *then), self.operand(act, *els));
                Some(values::ite(self.terms(), c, x, y))
            }
            Op::Cast(op, a) => {
                if ty.is_some_and(|ty| ty != Ty::Ptr && ty.bytes() != 8) {
                    // A part of a pointer may be put together with the rest elsewhere; wider integers are
                    // not followed.
                    let whole = self.operand(act, *a);
                    self.cut(&mut state, whole);
                }
                self.cast(act, *op, *a, ty, inst.loc)
            }
            Op::PtrAdd { base, offset, scaled, within } => {
                let p = self.pointer(act, *base);
                Some(Val::Ptr(self.pointer_add(act, p, *offset, scaled, *within)))
            }
            Op::Alloca { size, count, .. } => {
                let size = match count {
                    Operand::Int { value, .. } => {
                        u64::try_from(*value).ok().and_then(|n| n.checked_mul(*size))
                    }
                    _ => None,
                };
                Some(self.fresh_object(&mut state, (act.id, i, 0), size, true, false))
            }
            Op::Alloc { size, zeroed, may_fail } => {
                let size = match size {
                    Operand::Int { value, .. } => u64::try_from(*value).ok(),
                    _ => None,
                };
                let v = self.fresh_object(&mut state, (act.id, i, 0), size, false, *zeroed);
                Some(if *may_fail { self.maybe_null(v) } else { v })
            }
            Op::Load { addr, mark } => ty.map(|ty| self.load(act, i, &mut state, *addr, *mark, ty)),
            Op::Store { addr, value, mark } => {
                self.store(act, i, &mut state, *addr, *value, *mark);
                None
            }
            Op::Rmw { addr, value, order, .. } => {
                let bytes = act.func.operand_ty(*value).bytes();
                let escaping = self.operand(act, *value);
                self.atomic(act, i, &mut state, *addr, bytes, *order, &[escaping]);
                ty.map(|ty| values::fresh(self.terms(), "old", ty))
            }
            Op::CmpXchg { addr, expected, new, order } => {
                let bytes = act.func.operand_ty(*new).bytes();
                let escaping = [self.operand(act, *expected), self.operand(act, *new)];
                self.atomic(act, i, &mut state, *addr, bytes, *order, &escaping);
                ty.map(|ty| values::fresh(self.terms(), "old", ty))
            }
            Op::MemSet { dst, byte, len } => {
                self.mem_set(act, i, &mut state, *dst, *byte, *len);
                None
            }
            Op::MemCopy { dst, src, len } => {
                self.mem_copy(act, i, &mut state, *dst, *src, *len);
                None
            }
            Op::Extract { .. } => ty.map(|ty| values::fresh(self.terms(), "component", ty)),
            Op::Havoc => ty.map(|ty| self.given("havoc", ty, None)),
            Op::Call { callee, args } => return self.call_inst(act, i, state, callee, args),
            Op::Free { ptr } => {
                self.free(act, i, &mut state, *ptr);
                None
            }
            Op::Access { addr, len, write, mark } => {
                self.external_access(act, i, &mut state, *addr, *len, *write, *mark);
                None
            }
            Op::Acquire { lock, class, mode, success } => {
                self.acquire(act, i, &mut state, *lock, class, *mode, *success, ty)
            }
            Op::Release { lock, class, mode } => {
                let p = self.pointer(act, *lock);
                self.thread.releases.insert(class.clone());
                if !seeded(Fault::ReleaseIgnored) && !self.callee_fault(act) {
                    let region = self.cx.points_to.region(act.id, *lock);
                    self.release(&mut state, class, *mode, p, region);
                }
                None
            }
            Op::Publish { ptr } => {
                let v = self.operand(act, *ptr);
                let tru = self.thread.terms.tru();
                self.publish(&mut state, v, tru);
                None
            }
            Op::Register { class, handle, argument, ok, .. } => {
                let ok = match ok {
                    Some(ok) => self.condition(act, *ok),
                    None => self.thread.terms.tru(),
                };
                self.register(act, i, &mut state, class, *handle, argument.map(|(_, v)| v), ok);
                None
            }
            Op::Unregister { class, handle, sync } => {
                self.unregister(act, i, &mut state, class, *handle, *sync);
                None
            }
            Op::External { name, args } => {
                self.external(act, i, &mut state, args);
                let callee = self.cx.module.func_named(name).map(|f| &self.cx.module.funcs[f]);
                let pointee = callee.and_then(|f| self.cx.module.pointee(f.ret_decl?));
                ty.map(|ty| self.given("external", ty, pointee))
            }
        };
        if let (Some(result), Some(v)) = (inst.result, value) {
            act.values[result.index()] = Some(v);
        }
        Some(state)
    }

    /// A value that code outside gives.
    fn given(&mut self, hint: &str, ty: Ty, pointee: Option<TypeId>) -> Val {
        let v = values::fresh(self.terms(), hint, ty);
        self.thread.given.extend(self.object_var(v).map(|var| (var, pointee)));
        v
    }

    /// A pointer of which only a part is kept.
    fn cut(&mut self, state: &mut State, v: Val) {
        if let Val::Ptr(_) | Val::Int(_, Some(_)) = v {
            let tru = self.thread.terms.tru();
            self.publish(state, v, tru);
        }
    }

    /// A pointer that takes part in integer arithmetic may come back as any number: who holds the
    /// number may reach the object.
    fn arithmetic_escapes(&mut self, state: &mut State, v: Val) {
        if let Val::Int(_, Some(_)) = v {
            let tru = self.thread.terms.tru();
            self.publish(state, v, tru);
        }
    }

    fn cast(
        &mut self,
        act: &Activation,
        op: CastOp,
        a: Operand,
        ty: Option<Ty>,
        loc: Option<LocId>,
    ) -> Option<Val> {
        let to = ty?;
        let v = self.operand(act, a);
        if op == CastOp::IntToPtr && matches!(v, Val::Int(t, None) if self.thread.terms.as_int(t).is_none()) {
            self.thread.ledger.record(AssumptionKind::IntToPointer, act.func.name.clone(), loc);
        }
        let locals = &self.local_of;
        let object = |t: TermId| locals.contains_key(&t);
        Some(values::cast(&mut self.thread.terms, op, v, act.func.operand_ty(a), to, &object))
    }

    /// A signed index; constants and sign-extended values come out without a case distinction.
    fn signed_index(&mut self, v: Val, bits: u16) -> TermId {
        let terms = &mut self.thread.terms;
        let Some(t) = values::as_int(terms, v) else { return terms.fresh("index", Sort::Int, None) };
        signed_branches(terms, t, bits)
    }

    fn pointer_add(
        &mut self,
        act: &Activation,
        base: Pointer,
        offset: i64,
        scaled: &[(Operand, i64)],
        within: Option<TypeId>,
    ) -> Pointer {
        let module = self.cx.module;
        let struct_size = base.path.map(|(s, _)| module.size_of(s) as i64).unwrap_or(0);
        let mut delta = self.terms().int(i128::from(offset));
        // What moves by whole structs changes which struct it is, not where in it.
        let mut inside = delta;
        for (index, scale) in scaled {
            let bits = match act.func.operand_ty(*index) {
                Ty::Int(bits) => bits,
                Ty::Ptr | Ty::Opaque(_) => 64,
            };
            let v = self.operand(act, *index);
            let index = self.signed_index(v, bits);
            let step = self.terms().mul_const(i128::from(*scale), index);
            delta = self.terms().add2(delta, step);
            if within.is_some() || struct_size == 0 || scale % struct_size != 0 {
                inside = self.terms().add2(inside, step);
            }
        }
        let addr = values::advance(self.terms(), base.addr, delta);
        let path = self.new_path(base.path, inside, within);
        Pointer { addr, path }
    }

    fn new_path(
        &mut self,
        base: Option<(TypeId, TermId)>,
        delta: TermId,
        within: Option<TypeId>,
    ) -> Option<(TypeId, TermId)> {
        let module = self.cx.module;
        if let Some((outer, at)) = base {
            let (_, k) = self.thread.terms.split_offset(at);
            let moved = self.terms().add2(at, delta);
            let (_, to) = self.thread.terms.split_offset(moved);
            let size = i128::from(module.size_of(outer));
            let embedded = match within {
                None => true,
                Some(s) => s == outer && k == 0 || self.embeds_at(outer, k, s),
            };
            if embedded && (0..size.max(1)).contains(&to) {
                return Some((outer, moved));
            }
        }
        within.map(|s| (s, delta))
    }

    /// Whether a struct of the inner type begins at that offset of the outer one.
    fn embeds_at(&self, outer: TypeId, offset: i128, inner: TypeId) -> bool {
        let Ok(offset) = u64::try_from(offset) else { return false };
        let size = self.cx.module.size_of(inner).max(1);
        let inner = Shape::In { strukt: inner, lo: 0, hi: size };
        let outer = Shape::In { strukt: outer, lo: offset, hi: offset + 1 };
        outer == inner || self.cx.layout.may_overlap(true, outer, inner)
    }

    pub(super) fn fresh_object(
        &mut self,
        state: &mut State,
        key: Key,
        size: Option<u64>,
        stack: bool,
        zero: bool,
    ) -> Val {
        let id = self.new_local(state, key, size, stack, zero);
        let off = self.terms().int(0);
        Val::Ptr(Pointer { addr: Addr { obj: self.local_term(id), off }, path: None })
    }

    fn maybe_null(&mut self, v: Val) -> Val {
        let failed = self.terms().fresh("alloc_failed", Sort::Bool, None);
        let null = Val::Ptr(values::null(self.terms()));
        values::ite(self.terms(), failed, null, v)
    }

    fn choices(&mut self, obj: TermId) -> (Vec<(TermId, LocalId)>, bool) {
        let mut terms = std::mem::take(&mut self.thread.terms);
        let out = memory::choices(&mut terms, obj, &|t| self.local_id(t));
        self.thread.terms = terms;
        out
    }

    fn published(&self, state: &State, id: LocalId) -> TermId {
        State::flag(&state.published, id, &self.thread.terms)
    }

    fn is_private(&self, state: &State, id: LocalId) -> bool {
        self.thread.terms.as_bool(self.published(state, id)) == Some(false)
    }

    /// From here on others may reach what the value points to, if the condition holds; the value itself
    /// is not followed any further.
    pub(super) fn publish(&mut self, state: &mut State, v: Val, cond: TermId) {
        self.lose(v);
        self.publish_target(state, v, cond);
    }

    /// Notes that the value goes where nobody follows it.
    pub(super) fn lose(&mut self, v: Val) {
        let (Val::Ptr(p) | Val::Int(_, Some(p))) = v else { return };
        let (own, other) = self.choices(p.addr.obj);
        for (_, id) in own {
            self.thread.lost[id] = true;
        }
        if other {
            self.thread.kept.push(p.addr.obj);
        }
    }

    /// From here on the value may be in the hands of the thread itself under another name: what it points to
    /// is not private any more, and may be stored anywhere.
    pub(super) fn unfollow(&mut self, state: &mut State, v: Val) {
        let (Val::Ptr(p) | Val::Int(_, Some(p))) = v else { return };
        let (own, _) = self.choices(p.addr.obj);
        for (_, id) in own {
            self.thread.lost[id] = true;
        }
        let tru = self.thread.terms.tru();
        self.publish_target(state, v, tru);
    }

    /// From here on others may reach what the value points to, if the condition holds.
    fn publish_target(&mut self, state: &mut State, v: Val, cond: TermId) {
        let (Val::Ptr(p) | Val::Int(_, Some(p))) = v else { return };
        let (own, _) = self.choices(p.addr.obj);
        for (when, id) in own {
            let cond = self.thread.terms.and2(cond, when);
            self.publish_local(state, id, cond);
        }
    }

    /// From here on others may reach the object and what it points to, if the condition holds.
    pub(super) fn publish_local(&mut self, state: &mut State, id: LocalId, cond: TermId) {
        let mut work = vec![(id, cond)];
        while let Some((id, cond)) = work.pop() {
            let before = self.published(state, id);
            let after = self.thread.terms.or2(before, cond);
            if after == before {
                continue;
            }
            State::set_flag(&mut state.published, id, after, &self.thread.terms);
            let pointers: Vec<Pointer> =
                state.memory.object(id).map(|c| c.pointers().collect()).unwrap_or_default();
            for p in pointers {
                if self.locals[id].stack {
                    // What is stored on the stack is no site that others could look at.
                    self.lose(Val::Ptr(p));
                }
                let (own, _) = self.choices(p.addr.obj);
                work.extend(own.into_iter().map(|(_, id)| (id, cond)));
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
    fn forget_bytes(&mut self, state: &mut State, id: LocalId, at: Option<u64>, bytes: Option<u64>) {
        let (Some(at), Some(bytes)) = (at, bytes) else { return self.forget_content(state, id) };
        self.lose_pointers_in(state, id, at, bytes);
        state.memory.object_mut(id).forget(at, bytes);
    }

    fn lose_pointers(&mut self, state: &mut State, id: LocalId) {
        self.lose_pointers_in(state, id, 0, u64::MAX);
    }

    fn lose_pointers_in(&mut self, state: &mut State, id: LocalId, at: u64, bytes: u64) {
        let pointers: Vec<Pointer> =
            state.memory.object(id).map(|c| c.pointers_in(at, bytes).collect()).unwrap_or_default();
        let tru = self.thread.terms.tru();
        for p in pointers {
            self.publish(state, Val::Ptr(p), tru);
        }
    }

    /// The pointers at the edges of some bytes that are overwritten: what is left of them may come back whole.
    fn lose_parts(&mut self, state: &mut State, id: LocalId, at: u64, bytes: u64) {
        let Some(content) = state.memory.object(id) else { return };
        let parts: Vec<Pointer> = content.pointers_cut_by(at, bytes).collect();
        let tru = self.thread.terms.tru();
        for p in parts {
            self.publish(state, Val::Ptr(p), tru);
        }
    }

    /// Records an access, unless only this thread can see it; where a condition chooses between objects, one
    /// access for each, so that it is known of each where it comes from.
    pub(super) fn record(&mut self, state: &State, access: AccessOp, origin: Origin) {
        let alternatives = self.alternatives(access.ptr);
        if let [(_, ptr)] = alternatives.as_slice() {
            return self.record_one(state, AccessOp { ptr: *ptr, ..access }, origin);
        }
        for (when, ptr) in alternatives {
            let guard = self.thread.terms.and2(state.guard, when);
            self.record_one(&State { guard, ..state.clone() }, AccessOp { ptr, ..access }, origin);
        }
    }

    /// What a pointer may be, each under its condition: the branches of its object's term. The pointer itself
    /// if there are too many.
    fn alternatives(&mut self, whole: Pointer) -> Vec<(TermId, Pointer)> {
        let tru = self.thread.terms.tru();
        let (mut out, mut work) = (Vec::new(), vec![(tru, whole)]);
        while let Some((when, p)) = work.pop() {
            let lockpair_smt::Term::Ite(c, a, b) = self.thread.terms.get(p.addr.obj) else {
                out.push((when, p));
                continue;
            };
            if out.len() + work.len() >= MAX_ALTERNATIVES {
                return vec![(tru, whole)];
            }
            let not = self.thread.terms.not(c);
            for (cond, obj, taken) in [(not, b, false), (c, a, true)] {
                let off = self.branch(p.addr.off, c, taken);
                let path = p.path.map(|(strukt, at)| (strukt, self.branch(at, c, taken)));
                work.push((self.thread.terms.and2(when, cond), Pointer { addr: Addr { obj, off }, path }));
            }
        }
        out
    }

    /// A term where it is known how a condition came out.
    fn branch(&self, t: TermId, cond: TermId, taken: bool) -> TermId {
        match self.thread.terms.get(t) {
            lockpair_smt::Term::Ite(c, a, b) if c == cond => {
                if taken {
                    a
                } else {
                    b
                }
            }
            _ => t,
        }
    }

    fn record_one(&mut self, state: &State, access: AccessOp, origin: Origin) {
        let obj = access.ptr.addr.obj;
        if let Some(id) = self.thread.terms.as_int(obj) {
            let global =
                usize::try_from(id - 1).ok().map(GlobalId::new).and_then(|g| self.cx.module.globals.get(g));
            let constant = global.is_some_and(|g| g.constant);
            if id == 0 || (constant && !access.write) {
                return;
            }
        }
        let visible = self.visible(state, obj);
        let guard = self.thread.terms.and2(state.guard, visible);
        if self.thread.terms.as_bool(guard) == Some(false) {
            self.hide(&access, origin.inst);
            return;
        }
        let (shape, base) =
            self.shape(&access.ptr, access.extent, access.size.filter(|_| !access.is_raw_block()));
        self.thread.sites.push(Site {
            guard,
            addr: access.ptr.addr,
            extent: access.extent,
            base,
            write: access.write,
            value: access.value,
            mark: access.mark,
            region: access.region,
            shape,
            held: state.held.clone(),
            events: state.events.clone(),
            stack: origin.stack,
            inst: origin.inst,
            loc: origin.loc,
        });
    }

    /// Notes a write to an object of the heap that is not published.
    fn hide(&mut self, access: &AccessOp, inst: (FuncId, InstId)) {
        let (own, _) = self.choices(access.ptr.addr.obj);
        if !access.write || own.iter().all(|(_, id)| self.locals[*id].stack) {
            return;
        }
        let (shape, _) =
            self.shape(&access.ptr, access.extent, access.size.filter(|_| !access.is_raw_block()));
        let (addr, value, region) = (access.ptr.addr, access.value, access.region);
        self.thread.hidden.push(HiddenWrite { addr, value, region, shape, inst });
    }

    /// Whether others can reach the object.
    fn visible(&mut self, state: &State, obj: TermId) -> TermId {
        let (own, other) = self.choices(obj);
        let terms = &mut self.thread.terms;
        if own.is_empty() {
            return terms.bool(other);
        }
        let mut hidden = Vec::new();
        for (when, id) in own {
            let published = if seeded(Fault::PublishedPrivate) {
                terms.fals()
            } else {
                State::flag(&state.published, id, terms)
            };
            let not = terms.not(published);
            hidden.push(terms.and2(when, not));
        }
        let hidden = terms.or(&hidden);
        terms.not(hidden)
    }

    /// What is known of the bytes by type, and where the struct begins.
    fn shape(&mut self, p: &Pointer, extent: Extent, size: Option<u64>) -> (Shape, Option<TermId>) {
        if let Extent::Object = extent {
            return (p.path.map_or(Shape::Wild, |(strukt, _)| Shape::Whole(strukt)), None);
        }
        let Some(size) = size else { return (Shape::Wild, None) };
        let Some((strukt, at)) = p.path else {
            return (if size > 1 { Shape::Scalar(size) } else { Shape::Wild }, None);
        };
        let (variable, constant) = self.thread.terms.split_offset(at);
        let variable = variable.filter(|_| !seeded(Fault::IndexIgnored));
        let Ok(constant) = u64::try_from(constant) else { return (Shape::Wild, None) };
        let whole = self.cx.module.size_of(strukt);
        let (lo, hi) = if variable.is_none() {
            (constant, constant + size)
        } else {
            self.member_range(strukt, constant)
        };
        let flexible = self.cx.layout.innermost(strukt, lo).0 == strukt && lo >= whole;
        if hi > whole && variable.is_none() && !flexible {
            return (Shape::Wild, None);
        }
        let hi = if seeded(Fault::BitFieldNarrow) && self.is_bit_field(strukt, lo) { lo + 1 } else { hi };
        let base = self.thread.terms.sub(p.addr.off, at);
        (Shape::In { strukt, lo, hi }, Some(base))
    }

    /// Whether a bit-field begins at that byte of the struct or of a struct in it.
    fn is_bit_field(&self, strukt: TypeId, at: u64) -> bool {
        let module = self.cx.module;
        let fields = module.as_struct(strukt).map(|d| d.fields.as_slice()).unwrap_or_default();
        let inside = |f: &&Field| f.offset <= at && at < f.offset + module.size_of(f.ty).max(1);
        fields.iter().filter(inside).any(|f| f.bits.is_some() || self.is_bit_field(f.ty, at - f.offset))
    }

    /// The bytes of the member that an address with a variable index lies in.
    fn member_range(&self, strukt: TypeId, at: u64) -> (u64, u64) {
        let module = self.cx.module;
        let Some(def) = module.as_struct(strukt) else { return (0, u64::MAX) };
        let member = def.fields.iter().rev().find(|f| {
            f.offset <= at && {
                let size = module.size_of(f.ty);
                size == 0 || at < f.offset + size
            }
        });
        match member {
            Some(f) if def.is_union => (f.offset, def.size),
            Some(f) => {
                let size = module.size_of(f.ty);
                if size == 0 { (f.offset, u64::MAX) } else { (f.offset, f.offset + size) }
            }
            None => (0, u64::MAX),
        }
    }

    fn load(
        &mut self,
        act: &Activation,
        i: InstId,
        state: &mut State,
        addr: Operand,
        mark: Mark,
        ty: Ty,
    ) -> Val {
        let p = self.pointer(act, addr);
        let bytes = ty.bytes();
        if let Some(v) = self.constant_load(&p, ty) {
            return v;
        }
        let (own, other) = self.choices(p.addr.obj);
        if !other && !own.is_empty() && own.iter().all(|(_, id)| self.is_private(state, *id)) {
            let place = (self.cx.points_to.region(act.id, addr), (act.id, i));
            return self.private_load(state, &own, &p, ty, place);
        }
        self.unfollow_loaded(state, &own, &p, bytes);
        let origin = self.origin(act, i);
        let region = self.cx.points_to.region(act.id, addr);
        let size = self.terms().int(i128::from(bytes));
        let extent = Extent::Bytes(size);
        self.record(
            state,
            AccessOp {
                ptr: p,
                extent,
                size: Some(bytes),
                write: false,
                value: None,
                mark,
                region,
                block: false,
            },
            origin,
        );
        let (shape, _) = self.shape(&p, extent, Some(bytes));
        let pointee = crate::analysis::declared::stored_pointee(self.cx.module, act.func, addr);
        let v = self.shared_load(p.addr, region, shape, ty, origin.inst, false);
        self.at_start(v, pointee)
    }

    /// What is read from an object that may still be private, or from another, has a name of its own.
    fn unfollow_loaded(&mut self, state: &mut State, own: &[(TermId, LocalId)], p: &Pointer, bytes: u64) {
        let (at, size) = self.constant(p.addr.off).map_or((0, u64::MAX), |at| (at, bytes));
        for &(_, id) in own {
            let content = state.memory.object(id);
            let is_public = self.thread.terms.as_bool(self.published(state, id)) == Some(true);
            let pointers: Vec<Pointer> = match content {
                Some(c) if !is_public => c.pointers_in(at, size).collect(),
                _ => continue,
            };
            for p in pointers {
                match self.locals[id].stack {
                    true => self.unfollow(state, Val::Ptr(p)),
                    // Stores to the heap are hidden writes, and its reads are of them.
                    false => {
                        let tru = self.thread.terms.tru();
                        self.publish_target(state, Val::Ptr(p), tru);
                    }
                }
            }
        }
    }

    /// An arbitrary value, noted with its address, which may turn out to be stable.
    pub(super) fn shared_load(
        &mut self,
        addr: Addr,
        region: RegionId,
        shape: Shape,
        ty: Ty,
        inst: (FuncId, InstId),
        private: bool,
    ) -> Val {
        let v = values::fresh(self.terms(), "read", ty);
        let var = |t: TermId| match self.thread.terms.get(t) {
            lockpair_smt::Term::Var(v) => v,
            _ => unreachable!("a fresh variable"),
        };
        let vars = match v {
            Val::Int(t, _) => match ty {
                Ty::Int(bits) => LoadVars::Int(var(t), bits),
                Ty::Ptr | Ty::Opaque(_) => return v,
            },
            Val::Ptr(p) => LoadVars::Ptr(var(p.addr.obj), var(p.addr.off)),
            Val::Bool(_) | Val::Opaque => return v,
        };
        self.thread.loads.push(SharedLoad { vars, addr, region, shape, inst, private });
        v
    }

    /// What an own object holds. Where that is not known, pointers that were there before are lost: it may
    /// be anything that code outside or nobody has put into that member.
    fn private_load(
        &mut self,
        state: &mut State,
        own: &[(TermId, LocalId)],
        p: &Pointer,
        ty: Ty,
        (region, inst): (RegionId, (FuncId, InstId)),
    ) -> Val {
        let at = self.constant(p.addr.off);
        let like = values::zero(self.terms(), ty);
        let mut out: Option<Val> = None;
        for (when, id) in own {
            let content = state.memory.object(*id).cloned();
            let found = match (content, at) {
                (Some(c), Some(at)) => c.read(&mut self.thread.terms, at, ty.bytes(), like),
                _ => None,
            };
            let v = match found {
                Some(v) => v,
                None => {
                    // A part of a pointer, or more than one: we do not follow it there.
                    self.lose_pointers(state, *id);
                    let size = self.terms().int(i128::from(ty.bytes()));
                    let (shape, _) = self.shape(p, Extent::Bytes(size), Some(ty.bytes()));
                    let addr = Addr { obj: self.local_term(*id), off: p.addr.off };
                    self.shared_load(addr, region, shape, ty, inst, true)
                }
            };
            out = Some(match out {
                None => v,
                Some(rest) => values::ite(self.terms(), *when, v, rest),
            });
        }
        out.unwrap_or_else(|| values::fresh(&mut self.thread.terms, "read", ty))
    }

    /// The value of a load from a constant global at a known place.
    fn constant_load(&mut self, p: &Pointer, ty: Ty) -> Option<Val> {
        let id = usize::try_from(self.thread.terms.as_int(p.addr.obj)? - 1).ok()?;
        let global = self.cx.module.globals.get(GlobalId::new(id))?;
        let at = u64::try_from(self.thread.terms.as_int(p.addr.off)?).ok()?;
        if !global.constant || !global.defined {
            let (cx, g) = (self.cx, GlobalId::new(id));
            let value = cx.fixed.pointer(cx.module, cx.layout, g, at).filter(|_| ty == Ty::Ptr)?;
            let subject = format!("the kernel does not change pointers in {}", global.name);
            self.thread.ledger.record(AssumptionKind::Environment, subject, None);
            return self.initial(value, ty);
        }
        let end = at + ty.bytes();
        let mut hit = global.init.iter().filter(|c| c.offset < end && at < c.offset + c.size);
        match (hit.next(), ty) {
            (Some(c), _) if c.offset == at && c.size == ty.bytes() => self.initial(c.value, ty),
            (Some(_), _) => None,
            (None, Ty::Ptr) => Some(Val::Ptr(values::null(self.terms()))),
            // Long strings have no cells: only pointers are sure to be listed.
            (None, _) => None,
        }
    }

    fn initial(&mut self, value: Operand, ty: Ty) -> Option<Val> {
        let v = match value {
            Operand::Global(g, off) => Val::Ptr(self.global_pointer(g, off)),
            Operand::Int { bits, value } if bits > 1 && bits <= 64 => {
                Val::Int(self.terms().int(value as i128), None)
            }
            Operand::Func(f) => {
                let obj = self.cx.module.globals.len() as i128 + 1 + f.index() as i128;
                let (obj, off) = (self.terms().int(obj), self.terms().int(0));
                Val::Ptr(Pointer { addr: Addr { obj, off }, path: None })
            }
            Operand::Null => Val::Ptr(values::null(self.terms())),
            _ => return None,
        };
        kind_fits(v, ty).then_some(v)
    }

    fn store(
        &mut self,
        act: &Activation,
        i: InstId,
        state: &mut State,
        addr: Operand,
        value: Operand,
        mark: Mark,
    ) {
        let p = self.pointer(act, addr);
        let v = self.operand(act, value);
        let bytes = act.func.operand_ty(value).bytes();
        let (own, other) = self.choices(p.addr.obj);
        let at = self.thread.terms.as_int(p.addr.off).and_then(|k| u64::try_from(k).ok());
        if let ([(_, id)], false, Some(at)) = (own.as_slice(), other, at) {
            self.lose_parts(state, *id, at, bytes);
            state.memory.object_mut(*id).write(at, bytes, v);
        } else {
            for (_, id) in &own {
                self.weak_store(state, *id, at, bytes);
            }
        }
        self.follow_store(&own, other, at, v);
        self.store_escapes(state, &own, other || at.is_none(), v);
        let size = self.terms().int(i128::from(bytes));
        let region = self.cx.points_to.region(act.id, addr);
        let access = AccessOp {
            ptr: p,
            extent: Extent::Bytes(size),
            size: Some(bytes),
            write: !seeded(Fault::WriteAsRead),
            value: stored(v),
            mark,
            region,
            block: false,
        };
        let origin = self.origin(act, i);
        self.record(state, access, origin);
    }

    /// A write that may or may not hit the object.
    fn weak_store(&mut self, state: &mut State, id: LocalId, at: Option<u64>, bytes: u64) {
        self.forget_bytes(state, id, at, Some(bytes));
    }

    /// A pointer that is stored where others look, or where we cannot find it again, is published.
    fn store_escapes(&mut self, state: &mut State, own: &[(TermId, LocalId)], elsewhere: bool, v: Val) {
        if seeded(Fault::StorePublishesNothing) {
            return;
        }
        match own {
            [(_, id)] if !elsewhere => {
                let cond = self.published(state, *id);
                self.publish_target(state, v, cond);
            }
            _ => {
                let tru = self.thread.terms.tru();
                self.publish_target(state, v, tru);
            }
        }
    }

    /// A pointer can be found again after a store if that is to one place, once.
    fn follow_store(&mut self, own: &[(TermId, LocalId)], other: bool, at: Option<u64>, v: Val) {
        let followed = match own {
            [] => true,
            [(_, id)] => !other && at.is_some() && !self.locals[*id].callers,
            _ => false,
        };
        if !followed {
            self.lose(v);
        }
        let (Val::Ptr(p) | Val::Int(_, Some(p))) = v else { return };
        let (stored, _) = self.choices(p.addr.obj);
        for (_, id) in stored {
            // In a loop that the object was not made in, it may be stored at several places.
            let repeated = !self.locals[id].loops.starts_with(&self.loops);
            self.thread.lost[id] |= repeated;
            self.thread.repeated[id] |= repeated;
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn atomic(
        &mut self,
        act: &Activation,
        i: InstId,
        state: &mut State,
        addr: Operand,
        bytes: u64,
        order: Ordering,
        escaping: &[Val],
    ) {
        let p = self.pointer(act, addr);
        let (own, _) = self.choices(p.addr.obj);
        let at = self.constant(p.addr.off);
        for (_, id) in own {
            self.forget_bytes(state, id, at, Some(bytes));
        }
        let tru = self.thread.terms.tru();
        for v in escaping {
            self.publish(state, *v, tru);
        }
        let size = self.terms().int(i128::from(bytes));
        let region = self.cx.points_to.region(act.id, addr);
        let mark = Mark::Atomic(order);
        let access = AccessOp {
            ptr: p,
            extent: Extent::Bytes(size),
            size: Some(bytes),
            write: !seeded(Fault::AtomicAsRead),
            value: None,
            mark,
            region,
            block: false,
        };
        let origin = self.origin(act, i);
        self.record(state, access, origin);
    }

    fn constant(&self, t: TermId) -> Option<u64> {
        self.thread.terms.as_int(t).and_then(|k| u64::try_from(k).ok())
    }

    fn mem_set(
        &mut self,
        act: &Activation,
        i: InstId,
        state: &mut State,
        dst: Operand,
        byte: Operand,
        len: Operand,
    ) {
        let p = self.pointer(act, dst);
        let p = self.typed_by_declaration(act, dst, p);
        let len = self.number(act, len);
        let zero = matches!(byte, Operand::Int { value: 0, .. });
        let (own, other) = self.choices(p.addr.obj);
        let whole = match own.as_slice() {
            [(_, id)] if !other && zero => {
                let size = self.locals[*id].size;
                size.is_some() && size == self.constant(len) && self.constant(p.addr.off) == Some(0)
            }
            _ => false,
        };
        for (_, id) in own {
            if whole {
                state.memory.object_mut(id).clear();
            } else {
                let (at, bytes) = (self.constant(p.addr.off), self.constant(len));
                self.forget_bytes(state, id, at, bytes);
            }
        }
        if seeded(Fault::FillNotRecorded) {
            return;
        }
        self.block_access(act, i, state, p, len, true, self.cx.points_to.region(act.id, dst));
    }

    #[allow(clippy::too_many_arguments)]
    fn block_access(
        &mut self,
        act: &Activation,
        i: InstId,
        state: &State,
        p: Pointer,
        len: TermId,
        write: bool,
        region: RegionId,
    ) {
        let size = self.constant(len);
        if size == Some(0)
            || (seeded(Fault::CopyNotRecorded) && matches!(act.func.insts[i].op, Op::MemCopy { .. }))
        {
            return;
        }
        let origin = self.origin(act, i);
        let access = AccessOp {
            ptr: p,
            extent: Extent::Bytes(len),
            size,
            write,
            value: None,
            mark: Mark::Plain,
            region,
            block: true,
        };
        self.record(state, access, origin);
    }

    fn mem_copy(
        &mut self,
        act: &Activation,
        i: InstId,
        state: &mut State,
        dst: Operand,
        src: Operand,
        len: Operand,
    ) {
        let (d, s) = (self.pointer(act, dst), self.pointer(act, src));
        let (d, s) = (self.typed_by_declaration(act, dst, d), self.typed_by_declaration(act, src, s));
        let len = self.number(act, len);
        self.block_access(act, i, state, s, len, false, self.cx.points_to.region(act.id, src));
        let (from, elsewhere) = self.choices(s.addr.obj);
        let (to, other) = self.choices(d.addr.obj);
        // What the source points to is reachable from the destination too, and we do not follow it there.
        for (_, id) in &from {
            let private = !other && to.iter().all(|(_, id)| self.is_private(state, *id));
            if !private || elsewhere || !self.copy_cells(state, &to, other, *id, &d, &s, len, from.len()) {
                self.lose_pointers(state, *id);
            }
        }
        if from.is_empty() || elsewhere || other || to.len() != 1 || from.len() != 1 {
            for (_, id) in to {
                self.forget_content(state, id);
            }
        }
        self.block_access(act, i, state, d, len, true, self.cx.points_to.region(act.id, dst));
    }

    /// Copies cell by cell between two private objects; false if that cannot be done exactly, and then
    /// the destination is forgotten.
    #[allow(clippy::too_many_arguments)]
    fn copy_cells(
        &mut self,
        state: &mut State,
        to: &[(TermId, LocalId)],
        other: bool,
        from: LocalId,
        d: &Pointer,
        s: &Pointer,
        len: TermId,
        sources: usize,
    ) -> bool {
        let ([(_, to)], false, 1) = (to, other, sources) else { return false };
        let places = (self.constant(d.addr.off), self.constant(s.addr.off), self.constant(len));
        let exact = self.is_private(state, from);
        let (Some(at), Some(start), Some(n), true) = (places.0, places.1, places.2, exact) else {
            self.forget_content(state, *to);
            return false;
        };
        self.lose_parts(state, *to, at, n);
        let source = state.memory.object(from).cloned().unwrap_or_default();
        for p in source.pointers_in(start, n) {
            self.lose(Val::Ptr(p));
        }
        let target = state.memory.object_mut(*to);
        target.forget(at, n);
        let mut exact = true;
        for (&(o, size), &v) in source.cells() {
            if o >= start && o + size <= start + n {
                target.write(at + (o - start), size, v);
            } else if o < start + n && start < o + size {
                exact = false;
            }
        }
        exact
    }

    fn free(&mut self, act: &Activation, i: InstId, state: &mut State, ptr: Operand) {
        let p = self.pointer(act, ptr);
        let p = self.typed_by_declaration(act, ptr, p);
        let region = self.cx.points_to.region(act.id, ptr);
        let origin = self.origin(act, i);
        let null = {
            let zero = self.terms().int(0);
            self.terms().eq(p.addr.obj, zero)
        };
        let not_null = self.terms().not(null);
        // Who frees an object has a pointer to its start.
        let starts = match self.thread.terms.as_int(p.addr.off) {
            Some(_) => self.thread.terms.tru(),
            None => {
                let zero = self.terms().int(0);
                self.terms().eq(p.addr.off, zero)
            }
        };
        let on_heap = self.is_no_global(p.addr.obj);
        let guard = self.terms().and(&[state.guard, not_null, starts, on_heap]);
        let here = State { guard, ..state.clone() };
        let access = AccessOp {
            ptr: p,
            extent: Extent::Object,
            size: None,
            write: true,
            value: None,
            mark: Mark::Plain,
            region,
            block: true,
        };
        if !seeded(Fault::FreeNotRecorded) {
            self.record(&here, access, origin);
        }
    }

    /// The object is none that has a name in the module.
    fn is_no_global(&mut self, obj: TermId) -> TermId {
        let named = self.cx.module.globals.len() + self.cx.module.funcs.len();
        let (first, last) = (self.terms().int(1), self.terms().int(named as i128));
        let (before, after) = (self.terms().lt(obj, first), self.terms().lt(last, obj));
        self.terms().or2(before, after)
    }

    #[allow(clippy::too_many_arguments)]
    fn external_access(
        &mut self,
        act: &Activation,
        i: InstId,
        state: &mut State,
        addr: Operand,
        len: Operand,
        write: bool,
        mark: Mark,
    ) {
        let p = self.pointer(act, addr);
        let p = self.typed_by_declaration(act, addr, p);
        let len = self.number(act, len);
        if write {
            let (own, _) = self.choices(p.addr.obj);
            let (at, bytes) = (self.constant(p.addr.off), self.constant(len));
            for (_, id) in own {
                self.forget_bytes(state, id, at, bytes);
            }
        }
        let region = self.cx.points_to.region(act.id, addr);
        let origin = self.origin(act, i);
        let size = self.constant(len);
        if size == Some(0) || seeded(Fault::OutsideNotRecorded) {
            return;
        }
        let access = AccessOp {
            ptr: p,
            extent: Extent::Bytes(len),
            size,
            write,
            value: None,
            mark,
            region,
            block: true,
        };
        self.record(state, access, origin);
    }

    #[allow(clippy::too_many_arguments)]
    fn acquire(
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
        let id = self.lock(Lock {
            class: class.to_owned(),
            mode,
            addr: p.addr,
            region: Some(self.cx.points_to.region(act.id, lock)),
            shape,
            name,
            taken: Vec::new(),
            implicit: false,
            key: (act.id, i, 0),
        });
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
        let before = State::flag(&state.held, id, &self.thread.terms);
        let after = self.terms().or2(before, taken);
        State::set_flag(&mut state.held, id, after, &self.thread.terms);
        result
    }

    fn callee_fault(&self, act: &Activation) -> bool {
        seeded(Fault::CalleeReleaseIgnored) && self.thread.stacks[act.stack.index()].parent.is_some()
    }

    /// What is known of the place of a lock by type.
    fn lock_shape(&mut self, p: &Pointer) -> (Shape, Option<TermId>) {
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
            let held = State::flag(&state.held, i, &self.thread.terms);
            if lock.class != class || self.thread.terms.as_bool(held) == Some(false) {
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
            State::set_flag(&mut state.held, i, after, &self.thread.terms);
        }
    }

    /// Whether the release is of another mode of the same lock, which is surely held too (downgrade_write).
    fn is_other_mode(&self, state: &State, i: usize, mode: LockMode) -> bool {
        let lock = &self.thread.locks[i];
        lock.mode != mode
            && self.thread.locks.iter().enumerate().any(|(j, l)| {
                let held = State::flag(&state.held, j, &self.thread.terms);
                l.mode == mode
                    && l.class == lock.class
                    && l.addr == lock.addr
                    && self.thread.terms.as_bool(held) == Some(true)
            })
    }

    /// A name of the object that a pointer points to, for people.
    pub(super) fn describe(&self, act: &Activation, op: Operand, p: &Pointer) -> String {
        let module = self.cx.module;
        if let Operand::Global(g, off) = op {
            let global = &module.globals[g];
            let path = match global.ty {
                Some(ty) if off > 0 => member_name(module, ty, off as u64),
                _ => String::new(),
            };
            return if path.is_empty() { global.name.clone() } else { format!("{}.{path}", global.name) };
        }
        if let Some((strukt, at)) = p.path {
            let (_, k) = self.thread.terms.split_offset(at);
            if let (Some(def), Ok(k)) = (module.as_struct(strukt), u64::try_from(k)) {
                return format!("{}.{}", def.name, member_name(module, strukt, k));
            }
        }
        match op {
            Operand::Value(v) => match act.func.params.iter().find(|p| p.value == v) {
                Some(p) if !p.name.is_empty() => format!("*{}", p.name),
                _ => "a lock".to_owned(),
            },
            _ => "a lock".to_owned(),
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn register(
        &mut self,
        act: &Activation,
        i: InstId,
        state: &mut State,
        class: &str,
        handle: Operand,
        argument: Option<Operand>,
        ok: TermId,
    ) {
        let p = self.pointer(act, handle);
        let tru = self.thread.terms.tru();
        self.publish(state, Val::Ptr(p), tru);
        if let Some(arg) = argument {
            let v = self.operand(act, arg);
            self.publish(state, v, tru);
        }
        if !seeded(Fault::RegisterAgainIgnored) {
            self.stop_unregistrations(state, class, p.addr);
        }
        self.event(state, class, p.addr, ok, true, (act.id, i, 0));
    }

    fn stop_unregistrations(&mut self, state: &mut State, class: &str, addr: Addr) {
        self.end_events(state, class, addr, false);
    }

    fn end_events(&mut self, state: &mut State, class: &str, addr: Addr, registers: bool) {
        for e in 0..self.thread.events.len() {
            let event = &self.thread.events[e];
            if event.class != class || event.registers != registers {
                continue;
            }
            let flag = State::flag(&state.events, e, &self.thread.terms);
            if self.thread.terms.as_bool(flag) == Some(false) {
                continue;
            }
            let at = event.handle;
            let same = values::same_addr(self.terms(), at, addr);
            let other = self.terms().not(same);
            let after = self.terms().and2(flag, other);
            State::set_flag(&mut state.events, e, after, &self.thread.terms);
        }
    }

    /// Notes an event, which happens only if `ok`.
    #[allow(clippy::too_many_arguments)]
    fn event(&mut self, state: &mut State, class: &str, handle: Addr, ok: TermId, registers: bool, key: Key) {
        let guard = self.thread.terms.and2(state.guard, ok);
        let event = Event { class: class.to_owned(), handle, guard, registers, key };
        self.thread.events.push(event);
        let last = self.thread.events.len() - 1;
        State::set_flag(&mut state.events, last, ok, &self.thread.terms);
    }

    fn unregister(
        &mut self,
        act: &Activation,
        i: InstId,
        state: &mut State,
        class: &str,
        handle: Operand,
        sync: bool,
    ) {
        let p = self.pointer(act, handle);
        if !sync && !seeded(Fault::UnregisterWaits) {
            // Running callbacks are not waited for: nothing is gained.
            return;
        }
        self.end_events(state, class, p.addr, true);
        let tru = self.thread.terms.tru();
        self.event(state, class, p.addr, tru, false, (act.id, i, 0));
    }

    /// A call of code that nobody modelled: it reads and writes the objects that its arguments point
    /// into and keeps the pointers (those to the stack excepted).
    fn external(&mut self, act: &Activation, i: InstId, state: &mut State, args: &[Operand]) {
        let tru = self.thread.terms.tru();
        for &a in args {
            let v = self.operand(act, a);
            let Val::Ptr(p) = v else {
                self.publish(state, v, tru);
                continue;
            };
            self.lose(v);
            let (own, _) = self.choices(p.addr.obj);
            for (_, id) in own {
                self.forget_content(state, id);
                if !self.locals[id].stack {
                    self.publish_local(state, id, tru);
                }
            }
            self.external_argument(act, i, state, a, p);
        }
    }

    fn external_argument(&mut self, act: &Activation, i: InstId, state: &State, arg: Operand, p: Pointer) {
        if matches!(arg, Operand::Func(_) | Operand::Null) || seeded(Fault::ExternalWritesNothing) {
            return;
        }
        let region = self.cx.points_to.region(act.id, arg);
        let origin = self.origin(act, i);
        let (ptr, size) = self.reach(act, arg, p);
        let extent = match size {
            Some(n) => Extent::Bytes(self.terms().int(i128::from(n))),
            None => Extent::Object,
        };
        let access =
            AccessOp { ptr, extent, size, write: true, value: None, mark: Mark::Plain, region, block: true };
        self.record(state, access, origin);
    }

    /// How far code that gets the pointer may reach: the struct or member that it points to the start
    /// of, as far as the types tell, else the whole object.
    fn reach(&mut self, act: &Activation, arg: Operand, p: Pointer) -> (Pointer, Option<u64>) {
        let module = self.cx.module;
        if let Some((strukt, at)) = p.path {
            let (variable, k) = self.thread.terms.split_offset(at);
            if let (None, Ok(k)) = (variable, u64::try_from(k)) {
                if k == 0 {
                    return (p, Some(module.size_of(strukt)));
                }
                let (lo, hi) = self.member_range(strukt, k);
                if lo == k && hi != u64::MAX {
                    return (p, Some(hi - lo));
                }
            }
        }
        let typed = self.typed_by_declaration(act, arg, p);
        if let Some((strukt, _)) = typed.path.filter(|_| p.path.is_none()) {
            return (typed, Some(module.size_of(strukt)));
        }
        (p, None)
    }

    /// A pointer of which no path is known, to the struct that its declaration says it points to.
    fn typed_by_declaration(&mut self, act: &Activation, op: Operand, p: Pointer) -> Pointer {
        let module = self.cx.module;
        if p.path.is_some() {
            return p;
        }
        match crate::analysis::declared::pointee(module, act.func, op) {
            Some(ty) if module.as_struct(ty).is_some_and(|s| s.size > 0) => {
                let zero = self.terms().int(0);
                Pointer { addr: p.addr, path: Some((ty, zero)) }
            }
            _ => p,
        }
    }

    fn call_inst(
        &mut self,
        act: &mut Activation,
        i: InstId,
        state: State,
        callee: &Callee,
        args: &[Operand],
    ) -> Option<State> {
        let inst = &act.func.insts[i];
        let values: Vec<Val> = args.iter().map(|a| self.operand(act, *a)).collect();
        let (state, value) = match callee {
            Callee::Func(f) if self.cx.module.funcs[*f].is_defined() => {
                self.call(*f, values, state, Some(act.stack), inst.loc)?
            }
            Callee::Indirect(pointer) => self.indirect(act, i, state, *pointer, args, values)?,
            // The environment model leaves none of these; whatever is left is unknown code.
            Callee::Func(_) | Callee::Asm(_) => {
                let mut state = state;
                self.external(act, i, &mut state, args);
                (state, None)
            }
        };
        if let Some(result) = inst.result {
            let ty = act.func.values[result].ty;
            let value = match value {
                Some(v) if kind_fits(v, ty) => v,
                _ => values::fresh(self.terms(), "result", ty),
            };
            act.values[result.index()] = Some(value);
        }
        Some(state)
    }

    /// A call through a pointer: one branch per target, and one for unknown code if there may be others.
    fn indirect(
        &mut self,
        act: &Activation,
        i: InstId,
        state: State,
        pointer: Operand,
        args: &[Operand],
        values: Vec<Val>,
    ) -> Option<(State, Option<Val>)> {
        let p = self.pointer(act, pointer);
        let targets = self.cx.calls.targets(act.id, i).clone();
        let loc = act.func.insts[i].loc;
        let mut rest = state.guard;
        let mut ends: Vec<(State, Option<Val>)> = Vec::new();
        for (n, &f) in targets.funcs.iter().enumerate() {
            if n == 0 && seeded(Fault::IndirectTargetDropped) {
                continue;
            }
            let last = targets.complete && n + 1 == targets.funcs.len();
            let guard = if last {
                rest
            } else {
                let target = self.operand(act, Operand::Func(f));
                let Val::Ptr(t) = target else { unreachable!("a function's address is a pointer") };
                let is = values::same_addr(self.terms(), p.addr, t.addr);
                let guard = self.terms().and2(rest, is);
                let not = self.terms().not(is);
                rest = self.terms().and2(rest, not);
                guard
            };
            if self.thread.terms.as_bool(guard) == Some(false) {
                continue;
            }
            let branch = State { guard, ..state.clone() };
            ends.extend(self.call(f, values.clone(), branch, Some(act.stack), loc));
        }
        if !targets.complete || targets.funcs.is_empty() {
            let mut branch = State { guard: rest, ..state };
            self.external(act, i, &mut branch, args);
            ends.push((branch, None));
        }
        self.join_calls(ends)
    }

    fn join_calls(&mut self, ends: Vec<(State, Option<Val>)>) -> Option<(State, Option<Val>)> {
        if ends.len() <= 1 {
            return ends.into_iter().next();
        }
        let states: Vec<State> = ends.iter().map(|(s, _)| s.clone()).collect();
        let all: Vec<TermId> = states.iter().map(|s| s.guard).collect();
        let guard = self.terms().or(&all);
        let mut value = ends.last().and_then(|(_, v)| *v);
        for (s, v) in ends.iter().rev().skip(1) {
            value = match (*v, value) {
                (Some(v), Some(rest)) => Some(values::ite(self.terms(), s.guard, v, rest)),
                _ => None,
            };
        }
        Some((self.join(&states, guard), value))
    }

    /// The empty summary: the call tree accesses anything that it mentions, at any address, under no
    /// lock; gives back every lock that it releases anywhere; publishes and registers what it may.
    pub(super) fn summarize(
        &mut self,
        id: FuncId,
        args: &[Val],
        state: State,
        caller: Option<StackId>,
        at: Option<LocId>,
    ) -> (State, Option<Val>) {
        let module = self.cx.module;
        self.thread.ledger.record(AssumptionKind::EmptySummary, module.funcs[id].name.clone(), at);
        let mut state = state;
        let tru = self.thread.terms.tru();
        for v in args {
            self.publish(&mut state, *v, tru);
        }
        for local in 0..self.locals.len() {
            if !self.is_private(&state, local) {
                self.forget_content(&mut state, local);
            }
        }
        let summary = crate::infer::mod_ref(module, self.cx.calls, id);
        for class in &summary.releases {
            self.thread.releases.insert(class.clone());
        }
        for i in 0..self.thread.locks.len() {
            if summary.releases.contains(&self.thread.locks[i].class)
                && !seeded(Fault::SummaryReleasesNothing)
            {
                let fals = self.thread.terms.fals();
                State::set_flag(&mut state.held, i, fals, &self.thread.terms);
            }
        }
        // A registration in the tree is of a handle that has no name here.
        for (func, inst) in &summary.registrations {
            if let Op::Register { class, .. } = &module.funcs[*func].insts[*inst].op {
                let handle = values::fresh_pointer(self.terms(), "handle").addr;
                self.event(&mut state, class, handle, tru, true, (*func, *inst, 2));
            }
        }
        for e in 0..self.thread.events.len() {
            if !self.thread.events[e].registers && !summary.registrations.is_empty() {
                let fals = self.thread.terms.fals();
                State::set_flag(&mut state.events, e, fals, &self.thread.terms);
            }
        }
        if !seeded(Fault::SummaryAccessesNothing) {
            self.summary_sites(&state, &summary, caller, at);
        }
        let value = module.funcs[id].ret.map(|ty| values::fresh(self.terms(), "summary", ty));
        (state, value)
    }

    fn summary_sites(
        &mut self,
        state: &State,
        summary: &crate::infer::ModRef,
        caller: Option<StackId>,
        at: Option<LocId>,
    ) {
        let mut inner = state.clone();
        inner.held = {
            // Locks that the tree never releases stay held inside it.
            let mut held = (*inner.held).clone();
            for (i, lock) in self.thread.locks.iter().enumerate() {
                if i < held.len() && summary.releases.contains(&lock.class) {
                    held[i] = self.thread.terms.fals();
                }
            }
            Arc::new(held)
        };
        for &(func, inst) in &summary.accesses {
            self.thread.stacks.push(StackFrame { parent: caller, func, call: at });
            let stack = StackId::new(self.thread.stacks.len() - 1);
            let origin =
                Origin { stack, inst: (func, inst), loc: self.cx.module.funcs[func].insts[inst].loc };
            for (addr, size, write, mark) in crate::infer::accesses(&self.cx.module.funcs[func], inst) {
                self.summary_site(&inner, func, addr, size, write, mark, origin);
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn summary_site(
        &mut self,
        state: &State,
        func: FuncId,
        addr: Operand,
        size: Option<u64>,
        write: bool,
        mark: Mark,
        origin: Origin,
    ) {
        let region = self.cx.points_to.region(func, addr);
        let mut ptr = values::fresh_pointer(self.terms(), "anywhere");
        let function = &self.cx.module.funcs[func];
        if region != self.cx.points_to.external() && crate::infer::is_on_stack(function, addr) {
            return;
        }
        if let Operand::Global(g, _) = addr {
            ptr.addr.obj = self.terms().int(g.index() as i128 + 1);
        }
        if let Some((strukt, at)) = crate::analysis::points_to::static_path(self.cx.module, function, addr)
            && size.is_some()
            && !crate::infer::has_variable_index(function, addr)
        {
            ptr.path = Some((strukt, self.terms().int(i128::from(at))));
        }
        let extent = match size {
            Some(n) => Extent::Bytes(self.terms().int(i128::from(n))),
            None => Extent::Object,
        };
        let block = !matches!(
            function.insts[origin.inst.1].op,
            Op::Load { .. } | Op::Store { .. } | Op::Rmw { .. } | Op::CmpXchg { .. }
        );
        self.record(state, AccessOp { ptr, extent, size, write, value: None, mark, region, block }, origin);
    }
}

fn is_number_of_pointer(v: Val) -> bool {
    matches!(v, Val::Int(_, Some(_)))
}

/// The address that a stored value is, if it is a pointer.
fn stored(v: Val) -> Option<Addr> {
    match v {
        Val::Ptr(p) | Val::Int(_, Some(p)) => Some(p.addr),
        Val::Int(_, None) | Val::Bool(_) | Val::Opaque => None,
    }
}

/// `a.b[]` for the outermost member that begins at the offset; the offset itself if the layout does not tell.
pub(super) fn member_name(module: &Module, strukt: TypeId, offset: u64) -> String {
    let mut name = String::new();
    let (mut ty, mut at) = (strukt, offset);
    loop {
        match &module.types[ty] {
            TypeDef::Struct(def) => {
                let size =
                    |f: &Field| f.bits.map_or(module.size_of(f.ty), |b| u64::from(b).div_ceil(8)).max(1);
                let covers = |f: &&Field| f.offset <= at && at < f.offset + size(f);
                let Some(field) = def.fields.iter().find(covers) else { break };
                if !field.name.is_empty() {
                    name.push_str(if name.is_empty() { "" } else { "." });
                    name.push_str(&field.name);
                }
                (ty, at) = (field.ty, at - field.offset);
            }
            TypeDef::Array { elem, .. } => {
                name.push_str("[]");
                (ty, at) = (*elem, at % module.size_of(*elem).max(1));
            }
            _ => break,
        }
        if at == 0 && !name.is_empty() {
            break;
        }
    }
    if name.is_empty() { format!("+{offset}") } else { name }
}

fn signed_branches(terms: &mut lockpair_smt::Terms, t: TermId, bits: u16) -> TermId {
    let half = values::pow2(bits - 1);
    match terms.bounds(t) {
        Some((lo, hi)) if lo >= 0 && hi < half => t,
        Some((lo, hi)) if lo >= half && hi < values::pow2(bits) => {
            let m = terms.int(-values::pow2(bits));
            terms.add2(t, m)
        }
        _ => {
            if let lockpair_smt::Term::Ite(c, a, b) = terms.get(t) {
                let (a, b) = (signed_branches(terms, a, bits), signed_branches(terms, b, bits));
                return terms.ite(c, a, b);
            }
            values::signed(terms, t, bits)
        }
    }
}
