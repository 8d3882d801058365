//! Calls: through pointers, and of code that nobody modelled.

use super::exec::{Activation, Executor, kind_fits};
use super::sites::{AccessOp, through};
use super::state::State;
use super::thread::*;
use super::values::{self, Val};
use crate::fault::{Fault, seeded};
use lockpair_ir::*;
use lockpair_smt::TermId;

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
        self.hand_out(act, i, state, callee, args);
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
                match param.is_some_and(|p| p.constant) {
                    // It does not change what it gets, but may keep what that leads to.
                    true if seeded(Fault::ConstantsKeepNothing) => {}
                    true => self.lose_pointers(state, id),
                    false => self.forget_content(state, id),
                }
                if !self.locals[id].stack {
                    self.publish_local(state, id, tru);
                }
            }
            self.external_argument(act, i, state, (a, param), p);
        }
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
