//! What each instruction does to the state: operands, the dispatch, conversions.

use super::exec::{Activation, Executor};
use super::memory::Rest;
use super::sites::Origin;
use super::state::State;
use super::thread::*;
use super::values::{self, Val};
use crate::fault::{Fault, seeded};
use lockpair_ir::*;
use lockpair_smt::{Sort, TermId};

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
            Operand::Func(f) => Val::Ptr(self.function_pointer(f)),
            Operand::Undef(ty) => values::fresh(self.terms(), "undef", ty),
        }
    }

    /// An i1 operand as a proposition.
    /// Whether an effect comes about that a call has only if it succeeds.
    fn comes_about(&mut self, act: &Activation, ok: Option<Operand>) -> TermId {
        match ok {
            Some(ok) => self.condition(act, ok),
            None => self.thread.terms.tru(),
        }
    }

    pub(super) fn condition(&mut self, act: &Activation, op: Operand) -> TermId {
        match self.operand(act, op) {
            Val::Bool(t) => t,
            _ => self.terms().fresh("cond", Sort::Bool, None),
        }
    }

    pub(super) fn pointer(&mut self, act: &Activation, op: Operand) -> Pointer {
        match self.operand(act, op) {
            Val::Ptr(p) => p,
            Val::Int(_, Some(p)) => p,
            Val::Int(t, None) => values::pointer_of(self.terms(), t),
            Val::Bool(_) | Val::Opaque => values::fresh_pointer(self.terms(), "ptr"),
        }
    }

    pub(super) fn number(&mut self, act: &Activation, op: Operand) -> TermId {
        let v = self.operand(act, op);
        match values::as_int(self.terms(), v) {
            Some(t) => t,
            None => self.terms().fresh("number", Sort::Int, Some(values::range(64))),
        }
    }

    pub(super) fn origin(&self, act: &Activation, i: InstId) -> Origin {
        Origin { stack: act.stack, inst: (act.id, i), loc: act.func.insts[i].loc }
    }

    /// Executes one instruction; none if control does not continue.
    pub(super) fn instruction(&mut self, act: &mut Activation, i: InstId, state: State) -> Option<State> {
        let inst = &act.func.insts[i];
        let mut state = state;
        if self.lets_others(act, &inst.op, &state) {
            state.alone = self.thread.terms.fals();
        }
        let ty = inst.result.map(|v| act.func.values[v].ty);
        let value: Option<Val> = match &inst.op {
            Op::Phi(_) => return Some(state),
            Op::Bin(op, a, b) => {
                let (x, y) = (self.operand(act, *a), self.operand(act, *b));
                // The distance between two pointers is no pointer (assumption `in-bounds`).
                if !(*op == BinOp::Sub && is_number_of_pointer(x) && is_number_of_pointer(y)) {
                    self.becomes_number(&mut state, x);
                    self.becomes_number(&mut state, y);
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
                    self.becomes_number(&mut state, whole);
                }
                self.cast(act, *op, *a, ty, inst.loc)
            }
            Op::PtrAdd { base, offset, scaled, within } => {
                let p = self.pointer(act, *base);
                Some(Val::Ptr(self.pointer_add(act, p, *offset, scaled, *within)))
            }
            Op::Alloca { size, count, ty: declared } => {
                let size = match count {
                    Operand::Int { value, .. } => {
                        u64::try_from(*value).ok().and_then(|n| n.checked_mul(*size))
                    }
                    _ => None,
                };
                let v = self.fresh_object(&mut state, (act.id, i, 0), size, true, Rest::Unwritten);
                Some(match v {
                    Val::Ptr(p) => Val::Ptr(self.start_of(p, *declared)),
                    Val::Int(..) | Val::Bool(_) | Val::Opaque => v,
                })
            }
            Op::Alloc { size, zeroed, may_fail } => {
                let size = match size {
                    Operand::Int { value, .. } => u64::try_from(*value).ok(),
                    _ => None,
                };
                // What a cache gives has been made ready, perhaps.
                let rest = if *zeroed { Rest::Zero } else { Rest::Arbitrary };
                let v = self.fresh_object(&mut state, (act.id, i, 0), size, false, rest);
                Some(if *may_fail { self.maybe_null(v) } else { v })
            }
            Op::Load { addr, mark } => ty.map(|ty| self.load(act, i, &mut state, *addr, *mark, ty)),
            Op::Store { addr, value, mark } => {
                self.store(act, i, &mut state, *addr, *value, *mark);
                self.change_flags(act, i, &mut state, *addr, None);
                self.hand_over_references(act, i, &mut state, *addr, *value);
                None
            }
            Op::Rmw { addr, value, order, .. } => {
                let bytes = act.func.operand_ty(*value).bytes();
                let escaping = self.operand(act, *value);
                self.atomic(act, i, &mut state, *addr, bytes, *order, &[escaping]);
                let old = ty.map(|ty| values::fresh(self.terms(), "old", ty));
                self.change_flags(act, i, &mut state, *addr, old);
                old
            }
            Op::CmpXchg { addr, expected, new, order } => {
                let bytes = act.func.operand_ty(*new).bytes();
                let escaping = [self.operand(act, *expected), self.operand(act, *new)];
                self.atomic(act, i, &mut state, *addr, bytes, *order, &escaping);
                let old = ty.map(|ty| values::fresh(self.terms(), "old", ty));
                self.change_flags(act, i, &mut state, *addr, old);
                old
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
            Op::Havoc | Op::Data => ty.map(|ty| self.given("havoc", ty, None)),
            Op::Call { callee, args } => return self.call_inst(act, i, state, callee, args),
            Op::Free { ptr, until: None } => {
                self.free(act, i, &mut state, *ptr);
                None
            }
            Op::Free { ptr, until: Some(device) } => {
                self.ends_later(act, i, &mut state, *ptr, *device);
                None
            }
            Op::Access { addr, len, write, mark } => {
                self.external_access(act, i, &mut state, *addr, *len, *write, *mark);
                None
            }
            Op::Cpu => {
                let cpu = self.cpu(&mut state);
                Some(Val::Int(cpu, None))
            }
            Op::Acquire { class, .. } if self.cx.kinds.masks.contains_key(class) => {
                self.mask((act, i), &mut state, class);
                None
            }
            Op::Acquire { lock, class, mode, success } => {
                self.acquire(act, i, &mut state, *lock, class, *mode, *success, ty)
            }
            Op::Release { lock, class, mode } => {
                self.thread.releases.insert(class.clone());
                self.gives_back(&mut state, class);
                if !seeded(Fault::ReleaseIgnored) && !self.callee_fault(act) {
                    match self.cx.kinds.masks.contains_key(class) {
                        true => self.unmask((act, i), &mut state, class),
                        false => self.release((act, i), &mut state, *lock, class, *mode),
                    }
                }
                None
            }
            Op::Publish { ptr, ok } => {
                let v = self.operand(act, *ptr);
                let ok = self.comes_about(act, *ok);
                self.publish(&mut state, v, ok);
                None
            }
            Op::Register { class, handle, callback, argument, through, ok, stays, until } => {
                let ok = self.comes_about(act, *ok);
                self.register(
                    act,
                    i,
                    &mut state,
                    class,
                    *handle,
                    *callback,
                    *argument,
                    *through,
                    (ok, *stays, *until),
                );
                None
            }
            Op::Unregister { class, handle, sync, through } => {
                self.unregister(act, i, &mut state, class, *handle, *sync, *through);
                None
            }
            Op::External { name, args } => {
                let module = self.cx.module;
                let callee = module.func_named(name).map(|f| &module.funcs[f]);
                self.external(act, i, &mut state, callee, args);
                let pointee = callee.and_then(|f| self.cx.module.pointee(f.ret_decl?));
                ty.map(|ty| self.given("external", ty, pointee))
            }
        };
        if let (Some(result), Some(v)) = (inst.result, value) {
            act.values[result.index()] = Some(v);
        }
        Some(state)
    }

    /// Whether others of the module may run from here on who could not before: something is registered, handed out, or put
    /// where code outside may look for it.
    fn lets_others(&mut self, act: &Activation, op: &Op, state: &State) -> bool {
        if state.alone == self.thread.terms.fals() || seeded(Fault::AloneToTheEnd) {
            return false;
        }
        match op {
            Op::Register { .. } | Op::Publish { .. } | Op::External { .. } => true,
            Op::Call { callee: Callee::Func(f), .. } => !self.cx.module.funcs[*f].is_defined(),
            Op::Call { .. } => true,
            // A number leads to nobody.
            Op::Store { value, .. } if matches!(act.func.operand_ty(*value), Ty::Int(bits) if bits < 64) => {
                false
            }
            Op::Store { addr, .. } | Op::Rmw { addr, .. } | Op::CmpXchg { addr, .. } => {
                !self.is_of_module(act, *addr)
            }
            Op::MemCopy { dst, .. } => !self.is_of_module(act, *dst),
            _ => false,
        }
    }

    /// Whether the address is surely in a variable that code outside cannot find, or in what the thread has made.
    fn is_of_module(&mut self, act: &Activation, addr: Operand) -> bool {
        let obj = self.pointer(act, addr).addr.obj;
        let module = self.cx.module;
        self.thread.leaves(obj).into_iter().all(|leaf| {
            let found = |g: GlobalId| self.cx.alone.is_some_and(|alone| alone.found.contains(&g));
            let is_hidden = |g: GlobalId| {
                let global = &module.globals[g];
                global.defined && !global.exported && (!found(g) || seeded(Fault::FoundByNobody))
            };
            self.local_of.contains_key(&leaf) || self.thread.global(module, leaf).is_some_and(is_hidden)
        })
    }

    /// A value that code outside gives.
    pub(super) fn given(&mut self, hint: &str, ty: Ty, pointee: Option<TypeId>) -> Val {
        let v = values::fresh(self.terms(), hint, ty);
        self.give(v, pointee, (None, None));
        v
    }

    pub(super) fn cast(
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

    pub(super) fn constant(&self, t: TermId) -> Option<u64> {
        self.thread.terms.as_int(t).and_then(|k| u64::try_from(k).ok())
    }
}

fn is_number_of_pointer(v: Val) -> bool {
    matches!(v, Val::Int(_, Some(_)))
}
