//! Start, calls, returns and jumps.

use super::{Halt, Turn, prune};
use crate::inst::{BlockId, Callee, Inst, Op, Operand, Terminator, ValueId};
use crate::interp::scenario::{ArgSpec, Of, Then};
use crate::interp::state::{Frame, Phase};
use crate::interp::states::Registration;
use crate::interp::value::Val;
use crate::interp::{Action, Callback, Site, StuckReason};
use crate::module::{FuncId, Function};
use crate::types::Ty;

impl Turn<'_, '_, '_> {
    pub(super) fn start(&mut self) -> Result<(), Halt> {
        for &(key, mode) in self.engine.implicit_locks(self.t) {
            self.state.locks.take(key, mode, self.t);
        }
        self.state.threads[self.t].phase = Phase::Running;
        self.log(None, |_, _| Action::Start);
        self.mask_on_entry()?;
        self.begin_next()?;
        Ok(())
    }

    /// Begins the next call that the scenario asks of the thread; false if there is none.
    pub(super) fn begin_next(&mut self) -> Result<bool, Halt> {
        let scenario = self.engine.scenario;
        let begun = self.state.threads[self.t].begun;
        let Some(call) = self.engine.nth_call(self.t, begun) else { return Ok(false) };
        self.state.threads[self.t].begun += 1;
        let mut args = Vec::new();
        for (n, spec) in call.args.iter().enumerate() {
            let param = self.engine.module.funcs[call.func].params.get(n).map(|param| param.value);
            args.push(match spec {
                ArgSpec::Any { bits } => {
                    let alternatives = self.engine.integers(call.func, param, *bits);
                    Val::Int(self.pick(&alternatives, None)?)
                }
                _ => self.engine.argument(spec),
            });
        }
        if let Some(callback) = scenario.threads.get(self.t).and_then(|spec| spec.callback.as_ref()) {
            let runs = self.pick_handle(callback)?;
            for &(param, of) in &callback.args {
                *args.get_mut(param).ok_or(StuckReason::Malformed)? = Val::Int(u128::from(runs.address(of)));
            }
        }
        self.push_frame(call.func, args)?;
        Ok(true)
    }

    /// What the thread runs for from now on, with the locks that it has because of that.
    fn pick_handle(&mut self, callback: &Callback) -> Result<Registration, Halt> {
        let free = self.engine.free_handles(self.state, self.t, callback);
        let name = |r: &Registration| {
            u128::from(r.address(Of::Through)) << u64::BITS | u128::from(r.address(Of::Handle))
        };
        let picked = self.pick(&free.iter().map(name).collect::<Vec<_>>(), None)?;
        let runs = free.into_iter().find(|r| name(r) == picked).ok_or(Halt::BadPick)?;
        self.state.registered.started(runs);
        for (key, mode) in self.engine.locks_of(callback, runs) {
            self.state.locks.take(key, mode, self.t);
        }
        self.state.threads[self.t].handle = Some(runs);
        Ok(runs)
    }

    pub(super) fn push_frame(&mut self, func: FuncId, args: Vec<Val>) -> Result<(), Halt> {
        let body = self.engine.module.funcs.get(func).ok_or(StuckReason::Malformed)?;
        if !body.is_defined() {
            return Err(StuckReason::Malformed.into());
        }
        if self.state.threads[self.t].frames.len() >= self.engine.bounds.max_depth {
            return Err(Halt::Bound);
        }
        let given = args.into_iter().chain(std::iter::repeat(Val::Int(0)));
        let values = body.params.iter().zip(given).map(|(p, v)| (p.value, v.coerce(p.ty))).collect();
        self.state.threads[self.t].frames.push(Frame {
            func,
            block: body.entry(),
            index: 0,
            values,
            stack: Vec::new(),
            trips: Default::default(),
        });
        Ok(())
    }

    pub(super) fn terminator(&mut self) -> Result<(), Halt> {
        let frame = self.frame()?;
        let block = self.engine.func(frame).blocks.get(frame.block).ok_or(StuckReason::Malformed)?;
        match &block.term {
            Terminator::Br(to) => self.jump(*to),
            Terminator::CondBr(cond, then, els) => {
                let to = if self.number(*cond)? != 0 { *then } else { *els };
                self.jump(to)
            }
            Terminator::Switch { value, cases, default } => {
                let value = self.number(*value)?;
                let case = cases.iter().find(|(c, _)| *c == value);
                self.jump(case.map_or(*default, |(_, to)| *to))
            }
            Terminator::Ret(value) => {
                let value = value.map(|v| self.eval(v)).transpose()?;
                self.ret(value)
            }
            Terminator::Unreachable => Err(StuckReason::Unreachable.into()),
        }
    }

    /// Goes to a block and through its phis, which all read before any writes.
    pub(super) fn jump(&mut self, to: BlockId) -> Result<(), Halt> {
        let engine = self.engine;
        let from = self.frame()?.block;
        let func = engine.func(self.frame()?);
        let block = func.blocks.get(to).ok_or(StuckReason::Malformed)?;
        let mut results: Vec<(ValueId, Option<Val>)> = Vec::new();
        for &inst in &block.insts {
            let Op::Phi(edges) = &func.insts[inst].op else { break };
            let edge = edges.iter().find(|(b, _)| *b == from).ok_or(StuckReason::Malformed)?;
            let result = func.insts[inst].result.ok_or(StuckReason::Malformed)?;
            let is_nothing = engine.is_exact() && matches!(edge.1, Operand::Undef(_));
            results.push((result, if is_nothing { None } else { Some(self.eval(edge.1)?) }));
        }
        self.count_trip(from, to)?;
        let frame = self.frame_mut()?;
        frame.block = to;
        frame.index = results.len();
        for (result, value) in results {
            match value {
                Some(value) => frame.values.insert(result, value),
                None => frame.values.remove(&result),
            };
        }
        Ok(())
    }

    pub(super) fn count_trip(&mut self, from: BlockId, to: BlockId) -> Result<(), Halt> {
        let engine = self.engine;
        let code = engine.code(self.frame()?);
        let frame = self.frame_mut()?;
        if code.cfg.is_back_edge(from, to) {
            let trips = frame.trips.entry(to).or_insert(0);
            *trips += 1;
            if *trips > engine.bounds.max_iterations {
                return Err(Halt::Bound);
            }
        } else {
            frame.trips.remove(&to);
        }
        Ok(())
    }

    pub(super) fn ret(&mut self, value: Option<Val>) -> Result<(), Halt> {
        let frame = self.state.threads[self.t].frames.pop().ok_or(StuckReason::Malformed)?;
        for number in frame.stack {
            self.state.memory.kill(number);
        }
        if self.state.threads[self.t].frames.is_empty() {
            self.end_call(value)?;
            if !self.begin_next()? {
                self.finish();
            }
            return Ok(());
        }
        self.take_result(self.engine.module.funcs[frame.func].ret, value)
    }

    /// What the end of the call that the scenario asked for means to its caller.
    fn end_call(&mut self, value: Option<Val>) -> Result<(), Halt> {
        let call =
            self.state.threads[self.t].begun.checked_sub(1).and_then(|n| self.engine.nth_call(self.t, n));
        match &call.ok_or(StuckReason::Malformed)?.then {
            Some(Then::Registers(class, handle)) if value.is_some_and(|v| v.number() == 0) => {
                let handle = self.engine.key(class, handle);
                self.state.registered.add(Registration { handle, through: None, spawn: None });
            }
            Some(Then::Unregisters(class, handle)) => {
                self.state.registered.remove(self.engine.key(class, handle), None);
            }
            Some(Then::Registers(..)) | None => {}
        }
        Ok(())
    }

    /// Gives what a callee returned to the call before the caller's position.
    pub(super) fn take_result(&mut self, returned: Option<Ty>, value: Option<Val>) -> Result<(), Halt> {
        let frame = self.frame()?;
        let func = self.engine.func(frame);
        let at = frame.index.checked_sub(1).ok_or(StuckReason::Malformed)?;
        let call = func.blocks[frame.block].insts.get(at).ok_or(StuckReason::Malformed)?;
        if let Some(result) = func.insts[*call].result {
            let ty = func.values[result].ty;
            let value = value.unwrap_or(Val::Int(0));
            if returned == Some(Ty::Ptr) && ty != Ty::Ptr {
                self.state.memory.expose(value.address());
            }
            self.frame_mut()?.values.insert(result, value.coerce(ty));
        }
        Ok(())
    }

    pub(super) fn finish(&mut self) {
        for &(key, mode) in self.engine.implicit_locks(self.t) {
            // The thread may have released it itself.
            self.state.locks.release(key, mode, self.t);
        }
        if let Some((callback, runs)) = self.engine.callback(self.t).zip(self.state.threads[self.t].handle) {
            for (key, mode) in self.engine.locks_of(callback, runs) {
                self.state.locks.release(key, mode, self.t);
            }
        }
        self.state.cpus.leave(self.t);
        self.state.threads[self.t].phase = Phase::Finished;
        self.log(None, |_, _| Action::End);
    }

    pub(super) fn call(
        &mut self,
        site: Site,
        inst: &Inst,
        callee: &Callee,
        args: &[Operand],
    ) -> Result<(), Halt> {
        let engine = self.engine;
        let target = match callee {
            Callee::Func(id) => Some(*id),
            Callee::Indirect(operand, _) => {
                let address = self.eval_u64(*operand)?;
                let target = engine.func_at(address);
                // Where a pointer leads of which nothing is known is code outside.
                if target.is_none() && !(engine.is_lazy() && engine.is_address(self.state, address.into())) {
                    return Err(StuckReason::NotAFunction.into());
                }
                target
            }
            Callee::Asm(_) => None,
        };
        match target.filter(|id| engine.module.funcs.get(*id).is_some_and(Function::is_defined)) {
            Some(id) => self.enter(id, args),
            None => self.outside(site, inst, args),
        }
    }

    pub(super) fn enter(&mut self, id: FuncId, args: &[Operand]) -> Result<(), Halt> {
        let engine = self.engine;
        let mut values = Vec::new();
        for (i, &arg) in args.iter().enumerate() {
            let value = self.eval(arg)?;
            let param = engine.module.funcs[id].params.get(i).map(|p| p.ty);
            if self.operand_ty(arg)? == Ty::Ptr && param != Some(Ty::Ptr) {
                self.state.memory.expose(value.address());
            }
            values.push(value);
        }
        let frame = self.frame_mut()?;
        frame.index += 1;
        prune(engine, frame);
        self.push_frame(id, values)
    }

    /// Code that nobody modelled: touches nothing here, but may know its arguments from now on.
    pub(super) fn outside(&mut self, site: Site, inst: &Inst, args: &[Operand]) -> Result<(), Halt> {
        self.must_be_known(false)?;
        for &arg in args {
            let address = self.eval(arg)?.address();
            self.state.memory.expose(address);
        }
        let value = self.havoc(site, inst)?;
        self.finish_instruction(inst, value)
    }
}
