//! Calls: through pointers, and of code that nobody modelled.

use super::exec::{Activation, Executor, kind_fits};
use super::memory::{self, LocalId};
use super::sites::{AccessOp, through};
use super::state::State;
use super::thread::*;
use super::values::{self, Val};
use crate::fault::{Fault, seeded};
use lockpair_ir::*;
use lockpair_smt::TermId;
use std::collections::HashSet;

impl Executor<'_, '_> {
    /// A call of code that nobody modelled: it reads and writes the objects that its arguments point into, but for
    /// those that it is declared to get as constants, and what is found through objects of the thread's own there; it keeps
    /// the pointers (those to the stack excepted).
    pub(super) fn external(
        &mut self,
        act: &Activation,
        i: InstId,
        state: &mut State,
        callee: Option<&Function>,
        args: &[Operand],
    ) {
        let tru = self.thread.terms.tru();
        for (n, &a) in args.iter().enumerate() {
            let v = self.operand(act, a);
            let Val::Ptr(p) = v else {
                self.publish(state, v, tru);
                continue;
            };
            self.lose(v);
            let param = callee.and_then(|f| f.params.get(n));
            let (own, _) = self.objects(p.addr.obj);
            let declared = param.and_then(|param| self.cx.module.pointee(param.decl?));
            let lent = self.reach(act, a, p, declared).0;
            // A struct that is declared to be its parameter's it knows, and so those that this leads to.
            let knows = declared.is_some_and(|ty| self.is_module_private(ty));
            self.external_behind(act, i, state, lent, knows);
            for id in own {
                if !param.is_some_and(|p| p.constant) {
                    self.forget_content(state, id);
                }
                if !self.locals[id].stack {
                    self.publish_local(state, id, tru);
                }
            }
            self.external_argument(act, i, state, (a, param), p);
        }
    }

    /// What unknown code finds through objects of the thread's own: a message on the stack leads to buffers. It does not
    /// look into structs that only the module knows (assumption `private-struct`), unless it `knows` them.
    fn external_behind(&mut self, act: &Activation, i: InstId, state: &State, arg: Pointer, knows: bool) {
        if seeded(Fault::ExternalWritesNothing) {
            return;
        }
        for p in self.found_behind(state, arg, knows) {
            self.external_through(act, i, state, p);
        }
    }

    /// The pointers to what is no own object that unknown code finds there.
    pub(super) fn found_behind(&mut self, state: &State, arg: Pointer, knows: bool) -> Vec<Pointer> {
        let mut all = Vec::new();
        let (mut seen, mut constants, mut work) = (HashSet::new(), HashSet::new(), vec![arg]);
        while let Some(p) = work.pop() {
            let lent = if knows { Some(memory::WHOLE) } else { self.lent(p) };
            let Some(bytes) = lent else { continue };
            if constants.insert(p.addr.obj) {
                let found = self.constants_behind(p);
                all.extend(found.iter().copied());
                work.extend(found);
            }
            for id in self
                .own_or_lost(state, p.addr)
                .into_iter()
                .filter(|&id| seen.insert((id, bytes)))
                .collect::<Vec<_>>()
            {
                let content = state.memory.object(id);
                let found: Vec<Pointer> = content
                    .map(|content| content.pointers_to_find(bytes.0, bytes.1).collect())
                    .unwrap_or_default();
                for p in found {
                    let (own, other) = self.objects(p.addr.obj);
                    if other || own.is_empty() {
                        all.push(p);
                    }
                    work.push(p);
                }
            }
        }
        all
    }

    /// Whether the unknown code that an instruction calls is declared to get a struct which only the module knows otherwise.
    pub(super) fn knows_struct(&self, (func, inst): (FuncId, InstId), strukt: TypeId) -> bool {
        let module = self.cx.module;
        let callee = match &module.funcs[func].insts[inst].op {
            Op::External { name, .. } => module.func_named(name),
            Op::Call { callee: Callee::Func(f), .. } => Some(*f),
            _ => None,
        };
        let params = callee.into_iter().flat_map(|f| &module.funcs[f].params);
        params.filter_map(|param| module.pointee(param.decl?)).any(|ty| ty == strukt)
    }

    /// Whether an access is what unknown code does that the instruction calls.
    pub(super) fn is_of_unknown_code(&self, (func, inst): (FuncId, InstId)) -> bool {
        matches!(self.cx.module.funcs[func].insts[inst].op, Op::External { .. } | Op::Call { .. })
    }

    /// The bytes of an object of the thread's own that unknown code looks at which gets this pointer: where they begin, and
    /// how many.
    fn lent(&self, p: Pointer) -> Option<(u64, u64)> {
        let Some((strukt, at)) = p.path else {
            return (!self.may_be_private(p)).then_some(memory::WHOLE);
        };
        if !self.is_module_private(strukt) {
            return Some((0, u64::MAX));
        }
        // Of such a struct, a member of the kernel's.
        let (_, size) = self.reach_by_path(p)?;
        let at = u64::try_from(self.thread.terms.as_int(at)?).ok()?;
        let begins = u64::try_from(self.thread.terms.as_int(p.addr.off)?).ok()?;
        (!self.is_module_private(self.cx.layout.innermost(strukt, at).0)).then_some((begins, size))
    }

    /// The own objects where an address may be. One that is not followed may be in any of which it is not known any more what
    /// leads there. (Those that were allocated are left out: they may be structs that only the module knows.)
    pub(super) fn own_or_lost(&self, state: &State, addr: Addr) -> Vec<LocalId> {
        let (mut own, other) = self.objects(addr.obj);
        if other && self.thread.global(self.cx.module, addr.obj).is_none() && !seeded(Fault::LostLeadNowhere)
        {
            let is_lost = |id: LocalId| self.thread.lost[id] || !self.is_private(state, id);
            let may_be = |id: &LocalId| {
                self.locals[*id].stack && is_lost(*id) && !self.is_private_struct(*id) && !own.contains(id)
            };
            let lost: Vec<LocalId> = (0..self.locals.len()).filter(may_be).collect();
            own.extend(lost);
        }
        own
    }

    /// The pointers in a constant variable.
    fn constants_behind(&mut self, p: Pointer) -> Vec<Pointer> {
        let global = self.constant_global(p.addr.obj);
        let cells = global.into_iter().flat_map(|global| &global.init);
        let values = cells.map(|cell| cell.value).filter(|value| matches!(value, Operand::Global(..)));
        let values: Vec<Operand> = values.collect();
        values.into_iter().filter_map(|value| self.initial(value, Ty::Ptr)?.pointer()).collect()
    }

    /// Whether an own object may be a struct that only the module knows; of what was allocated the type is not known.
    fn may_be_private(&self, p: Pointer) -> bool {
        self.objects(p.addr.obj).0.into_iter().any(|id| self.is_private_struct(id))
    }

    fn is_private_struct(&self, id: LocalId) -> bool {
        let (func, inst, _) = self.locals[id].key;
        match self.cx.module.funcs[func].insts.get(inst).map(|inst| &inst.op) {
            Some(Op::Alloca { ty: Some(ty), .. }) => self.is_module_private(self.cx.module.element(*ty)),
            _ => true,
        }
    }

    fn is_module_private(&self, ty: TypeId) -> bool {
        self.cx.module.as_struct(ty).is_some_and(|s| s.module_private)
    }

    fn external_through(&mut self, act: &Activation, i: InstId, state: &State, p: Pointer) {
        let access = self.access_through(p);
        self.record(state, access, self.origin(act, i));
    }

    /// What unknown code may do through a pointer that it finds.
    pub(super) fn access_through(&mut self, p: Pointer) -> AccessOp {
        let (ptr, size) = self.reach_by_path(p).map_or((p, None), |(p, size)| (p, Some(size)));
        let extent = size.map_or(Extent::Object, |n| Extent::Bytes(self.terms().int(i128::from(n))));
        let (value, mark, through) = (None, Mark::Plain, None);
        let region = self.cx.points_to.external();
        AccessOp { ptr, extent, size, write: true, value, mark, region, block: true, through }
    }

    pub(super) fn external_argument(
        &mut self,
        act: &Activation,
        i: InstId,
        state: &State,
        (arg, param): (Operand, Option<&Param>),
        p: Pointer,
    ) {
        if matches!(arg, Operand::Func(_) | Operand::Null) || seeded(Fault::ExternalWritesNothing) {
            return;
        }
        let region = self.cx.points_to.region(act.id, arg);
        let origin = self.origin(act, i);
        let declared = param.and_then(|param| self.cx.module.pointee(param.decl?));
        let (ptr, size) = self.reach(act, arg, p, declared);
        let extent = match size {
            Some(n) => Extent::Bytes(self.terms().int(i128::from(n))),
            None => Extent::Object,
        };
        let write = !param.is_some_and(|param| param.constant);
        let (value, mark, through) = (None, Mark::Plain, through(act.id, arg));
        let access = AccessOp { ptr, extent, size, write, value, mark, region, block: true, through };
        self.record(state, access, origin);
    }

    pub(super) fn call_inst(
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
            Callee::Indirect(pointer, _) => self.indirect(act, i, state, *pointer, args, values)?,
            // The environment model leaves none of these; whatever is left is unknown code.
            Callee::Func(_) | Callee::Asm(_) => {
                let mut state = state;
                let declared = match callee {
                    Callee::Func(f) => Some(&self.cx.module.funcs[*f]),
                    Callee::Indirect(..) | Callee::Asm(_) => None,
                };
                self.external(act, i, &mut state, declared, args);
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
    pub(super) fn indirect(
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
            self.external(act, i, &mut branch, None, args);
            ends.push((branch, None));
        }
        self.join_calls(ends)
    }

    pub(super) fn join_calls(&mut self, ends: Vec<(State, Option<Val>)>) -> Option<(State, Option<Val>)> {
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
}
