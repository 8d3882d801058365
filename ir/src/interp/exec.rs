//! One step of one thread: what each operation and terminator does to the state.

mod control;
mod locks;
mod memory;

use super::engine::{Engine, Readiness};
use super::memory::{Origin, address_of};
use super::scenario::HEADROOM;
use super::state::{Frame, Phase, State};
use super::value::{Val, binary, compare, convert, is_defined, signed, truncate, width};
use super::{Action, Event, Site, StuckReason};
use crate::inst::{BinOp, CastOp, CmpOp, Inst, Op, Operand, ValueId};
use crate::types::Ty;

/// Why a thread does not go on.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Halt {
    /// An error of the program.
    Stuck(StuckReason),
    /// A bound of the exploration.
    Bound,
    /// A replayed schedule has no or no possible value for a choice.
    BadPick,
}

impl From<StuckReason> for Halt {
    fn from(reason: StuckReason) -> Halt {
        Halt::Stuck(reason)
    }
}

/// Who decides what is not determined.
pub(super) trait Picker {
    /// One of the alternatives; or, when replaying, any value of `free_bits` bits.
    fn pick(&mut self, alternatives: &[u128], free_bits: Option<u16>) -> Result<u128, Halt>;
}

/// What goes in and out beside the state.
pub(super) struct Io<'a> {
    pub(super) picks: &'a mut dyn Picker,
    /// Where events go, if somebody wants them.
    pub(super) events: Option<&'a mut Vec<Event>>,
}

/// A thread's turn in a state.
pub(super) struct Turn<'e, 's, 'i> {
    pub(super) engine: &'e Engine<'e>,
    pub(super) state: &'s mut State,
    pub(super) t: usize,
    pub(super) io: Io<'i>,
    /// Whether it has chosen among several.
    has_chosen: bool,
}

impl<'e, 's, 'i> Turn<'e, 's, 'i> {
    pub(super) fn new(engine: &'e Engine<'e>, state: &'s mut State, t: usize, io: Io<'i>) -> Self {
        Turn { engine, state, t, io, has_chosen: false }
    }
}

impl Turn<'_, '_, '_> {
    /// Executes one step, and with `merge` all steps after it that nobody can notice: where much is to choose, up to the next
    /// choice.
    pub(super) fn run(&mut self, merge: bool) -> Result<(), Halt> {
        let result = loop {
            let result = self.step();
            let goes_on = result.is_ok()
                && self.state.threads[self.t].phase == Phase::Running
                && merge
                && !(self.has_chosen && self.engine.is_lazy())
                && self.engine.readiness(self.state, self.t) == Readiness::Local;
            if !goes_on {
                break result;
            }
        };
        if result.is_err() {
            self.state.threads[self.t].phase = Phase::Stopped;
        }
        self.forget_dead_values();
        result
    }

    fn step(&mut self) -> Result<(), Halt> {
        if self.state.threads[self.t].phase == Phase::Idle {
            return self.start();
        }
        let thread = &mut self.state.threads[self.t];
        thread.steps += 1;
        if thread.steps > self.engine.bounds.max_steps {
            return Err(Halt::Bound);
        }
        match self.engine.inst(self.frame()?) {
            Some((site, inst)) => self.instruction(site, inst),
            None => self.terminator(),
        }
    }

    fn pick(&mut self, alternatives: &[u128], free_bits: Option<u16>) -> Result<u128, Halt> {
        self.has_chosen |= alternatives.len() > 1;
        self.io.picks.pick(alternatives, free_bits)
    }

    fn frame(&self) -> Result<&Frame, StuckReason> {
        self.state.threads[self.t].frames.last().ok_or(StuckReason::Malformed)
    }

    fn frame_mut(&mut self) -> Result<&mut Frame, StuckReason> {
        self.state.threads[self.t].frames.last_mut().ok_or(StuckReason::Malformed)
    }

    fn eval(&self, operand: Operand) -> Result<Val, StuckReason> {
        self.engine.eval(self.frame()?, operand)
    }

    fn eval_u64(&self, operand: Operand) -> Result<u64, StuckReason> {
        self.engine.eval_u64(self.frame()?, operand)
    }

    fn number(&self, operand: Operand) -> Result<u128, StuckReason> {
        self.eval(operand).map(|v| v.number())
    }

    fn operand_ty(&self, operand: Operand) -> Result<Ty, StuckReason> {
        Ok(self.engine.func(self.frame()?).operand_ty(operand))
    }

    fn log(&mut self, site: Option<Site>, action: impl FnOnce(&Engine, &State) -> Action) {
        if let Some(events) = &mut self.io.events {
            let action = action(self.engine, self.state);
            events.push(Event { thread: self.t, site, action });
        }
    }

    /// Equal futures must look equal: what is not used any more is dropped.
    fn forget_dead_values(&mut self) {
        let engine = self.engine;
        if let Some(frame) = self.state.threads[self.t].frames.last_mut() {
            prune(engine, frame);
        }
    }
}

fn prune(engine: &Engine, frame: &mut Frame) {
    let code = engine.code(frame);
    match code.live_at(frame.block, frame.index) {
        Some(live) => frame.values.retain(|v, _| live.contains(v)),
        None => frame.values.clear(),
    }
}

/// Instructions.
impl Turn<'_, '_, '_> {
    fn instruction(&mut self, site: Site, inst: &Inst) -> Result<(), Halt> {
        self.log_accesses(site);
        match &inst.op {
            Op::Call { callee, args } => self.call(site, inst, callee, args),
            Op::External { args, .. } => self.outside(site, inst, args),
            _ => {
                let value = self.value_of(site, inst)?;
                self.finish_instruction(inst, value)
            }
        }
    }

    fn log_accesses(&mut self, site: Site) {
        if self.io.events.is_none() {
            return;
        }
        for access in self.engine.pending(self.state, self.t) {
            if !self.state.memory.is_local(access.range)
                && let Some(access) = self.engine.describe(self.state, self.t, &access)
            {
                self.log(Some(site), |_, _| Action::Access(access));
            }
        }
    }

    fn finish_instruction(&mut self, inst: &Inst, value: Option<Val>) -> Result<(), Halt> {
        let ty = self.result_ty(inst)?;
        let frame = self.frame_mut()?;
        if let (Some(result), Some(ty)) = (inst.result, ty) {
            frame.values.insert(result, value.unwrap_or(Val::Int(0)).coerce(ty));
        }
        frame.index += 1;
        Ok(())
    }

    fn result_ty(&self, inst: &Inst) -> Result<Option<Ty>, StuckReason> {
        let func = self.engine.func(self.frame()?);
        Ok(inst.result.and_then(|v| func.values.get(v)).map(|d| d.ty))
    }

    /// Executes an instruction that is no call and gives its result.
    fn value_of(&mut self, site: Site, inst: &Inst) -> Result<Option<Val>, Halt> {
        match &inst.op {
            Op::Bin(..)
            | Op::Cmp(..)
            | Op::Select { .. }
            | Op::Cast(..)
            | Op::PtrAdd { .. }
            | Op::Phi(_)
            | Op::Call { .. }
            | Op::External { .. } => self.compute(inst).map(Some),
            Op::Havoc | Op::Data | Op::Extract { .. } => self.havoc(site, inst),
            Op::Cpu => self.cpu(site).map(|cpu| Some(Val::Int(cpu))),
            Op::Alloca { size, count, .. } => self.alloca(site, *size, *count).map(Some),
            Op::Alloc { size, zeroed, may_fail } => self.alloc(site, *size, *zeroed, *may_fail).map(Some),
            Op::Load { .. }
            | Op::Store { .. }
            | Op::Rmw { .. }
            | Op::CmpXchg { .. }
            | Op::MemSet { .. }
            | Op::MemCopy { .. }
            | Op::Access { .. }
            | Op::Free { .. } => self.access(site, inst),
            Op::Acquire { class, .. } | Op::Release { class, .. } if self.engine.mask(class).is_some() => {
                self.mask(site, inst)?;
                Ok(None)
            }
            Op::Acquire { class, .. } | Op::Release { class, .. }
                if self.engine.state_ends(class).is_some() =>
            {
                self.change_state(site, inst)?;
                Ok(None)
            }
            Op::Acquire { .. } | Op::Release { .. } => self.lock(site, inst),
            Op::Publish { .. } | Op::Register { .. } | Op::Unregister { .. } => {
                self.handle(site, inst)?;
                Ok(None)
            }
        }
    }

    /// Computation without memory.
    fn compute(&mut self, inst: &Inst) -> Result<Val, Halt> {
        let value = match &inst.op {
            Op::Bin(op, a, b) => {
                self.must_be_numbers(*a, *b, *op == BinOp::Sub)?;
                let bits = width(self.operand_ty(*a)?);
                self.must_be_known(is_defined(*op, self.number(*a)?, self.number(*b)?, bits))?;
                Val::Int(binary(*op, self.number(*a)?, self.number(*b)?, bits)?)
            }
            Op::Cmp(op, a, b) => {
                match op {
                    CmpOp::Eq | CmpOp::Ne => self.must_not_be_over(*a, *b)?,
                    _ => self.must_be_numbers(*a, *b, true)?,
                }
                let bits = width(self.operand_ty(*a)?);
                Val::Int(u128::from(compare(*op, self.number(*a)?, self.number(*b)?, bits)))
            }
            Op::Select { cond, then, els } => {
                self.eval(if self.number(*cond)? != 0 { *then } else { *els })?
            }
            Op::Cast(op, operand) => self.cast(inst, *op, *operand)?,
            Op::PtrAdd { base, offset, scaled, .. } => self.ptr_add(*base, *offset, scaled)?,
            // Phis are executed with the jump to their block, calls elsewhere.
            _ => return Err(StuckReason::Malformed.into()),
        };
        Ok(value)
    }

    fn cast(&mut self, inst: &Inst, op: CastOp, operand: Operand) -> Result<Val, Halt> {
        let value = self.eval(operand)?;
        if !matches!(op, CastOp::PtrToInt | CastOp::IntToPtr) {
            self.must_be_numbers(operand, operand, false)?;
        }
        if op == CastOp::PtrToInt {
            self.state.memory.expose(value.address());
        }
        let to = self.result_ty(inst)?.ok_or(StuckReason::Malformed)?;
        Ok(convert(op, value, self.operand_ty(operand)?, to))
    }

    fn ptr_add(&self, base: Operand, offset: i64, scaled: &[(Operand, i64)]) -> Result<Val, StuckReason> {
        let mut address = self.eval(base)?.address().wrapping_add_signed(offset);
        for &(index, scale) in scaled {
            let index = signed(self.number(index)?, width(self.operand_ty(index)?)) as i64;
            address = address.wrapping_add_signed(index.wrapping_mul(scale));
        }
        Ok(Val::Int(u128::from(address)))
    }

    /// Which numbers addresses are is not known; only, perhaps, how far two are apart in one object.
    fn must_be_numbers(&self, a: Operand, b: Operand, or_of_one_object: bool) -> Result<(), StuckReason> {
        if !self.engine.is_exact() {
            return Ok(());
        }
        let (a, b) = (self.number(a)?, self.number(b)?);
        let is_address = |value| self.engine.is_address(self.state, value);
        let object = |value: u128| self.state.memory.split(value as u64).0;
        self.must_be_known(!is_address(a) && !is_address(b) || or_of_one_object && object(a) == object(b))
    }

    /// Where an object was that has ended, another one may be.
    fn must_not_be_over(&self, a: Operand, b: Operand) -> Result<(), StuckReason> {
        let is_over = |value: u128| {
            let object = u64::try_from(value).map(|value| self.state.memory.split(value).0);
            object.is_ok_and(|object| self.state.memory.get(object).is_some_and(|object| !object.alive))
        };
        match self.engine.is_exact() {
            true => self.must_be_known(!is_over(self.number(a)?) && !is_over(self.number(b)?)),
            false => Ok(()),
        }
    }

    /// Where nothing may rest on what is not known, the thread goes no further than what is.
    fn must_be_known(&self, is_known: bool) -> Result<(), StuckReason> {
        if self.engine.is_exact() && !is_known { Err(StuckReason::Unknown) } else { Ok(()) }
    }

    /// A value of which nothing is known, where threads begin in any state.
    fn choose(&mut self, site: Site, result: ValueId, ty: Ty) -> Result<Val, Halt> {
        let alternatives = match ty {
            Ty::Opaque(_) => return Ok(Val::Int(0)),
            Ty::Int(bits) => self.engine.integers(site.func, Some(result), bits),
            Ty::Ptr => vec![1, 0],
        };
        let value = self.pick(&alternatives, None)?;
        self.log_found(site, None, value, ty);
        if ty == Ty::Ptr && value != 0 {
            let number = self.make(2 * HEADROOM, Origin::Given)?;
            self.leave_uninitialized(number);
            return Ok(Val::Int(u128::from(address_of(number) + HEADROOM)));
        }
        Ok(Val::Int(value))
    }

    /// An arbitrary value for the result. A value that nobody uses needs no choice.
    fn havoc(&mut self, site: Site, inst: &Inst) -> Result<Option<Val>, Halt> {
        let (Some(result), Some(ty)) = (inst.result, self.result_ty(inst)?) else { return Ok(None) };
        let engine = self.engine;
        if !engine.code(self.frame()?).is_used(result) {
            return Ok(Some(Val::Int(0)));
        }
        self.must_be_known(engine.is_arbitrary(site))?;
        if engine.is_lazy() {
            return self.choose(site, result, ty).map(Some);
        }
        let mut alternatives: Vec<u128> = match ty {
            Ty::Opaque(_) => return Ok(Some(Val::Int(0))),
            Ty::Int(bits) => engine.bounds.havoc_ints.iter().map(|v| truncate(*v, bits)).collect(),
            Ty::Ptr => {
                let objects = if engine.bounds.havoc_objects { engine.scenario.objects.len() } else { 0 };
                let starts = (0..objects).map(|i| u128::from(address_of(engine.env_number(i))));
                std::iter::once(0).chain(starts).collect()
            }
        };
        alternatives.sort_unstable();
        alternatives.dedup();
        self.pick(&alternatives, Some(width(ty))).map(|v| Some(Val::Int(v)))
    }
}
