//! Locks, what keeps others off a CPU, and handles.

use super::{Halt, Turn};
use crate::inst::{Inst, LockMode, Op, Operand, Success};
use crate::interp::locks::LockKey;
use crate::interp::scenario::Ends;
use crate::interp::states::{Registration, Spawn, runs_for};
use crate::interp::value::Val;
use crate::interp::{Action, Site, StuckReason};

impl Turn<'_, '_, '_> {
    pub(super) fn lock(&mut self, site: Site, inst: &Inst) -> Result<Option<Val>, Halt> {
        match &inst.op {
            Op::Acquire { lock, class, mode, success } => {
                let address = self.eval_u64(*lock)?;
                if self.state.memory.is_null(address) && !self.engine.scenario.numbered.contains(class) {
                    return Err(StuckReason::NullDereference.into());
                }
                let key = self.engine.key_at(class, address);
                let free = self.state.locks.is_free_for(key, *mode);
                // What comes of it if it is his own depends on the kind of lock.
                self.must_be_known(free || !self.state.locks.is_held_by(key, self.t))?;
                let obtained = match (success, free) {
                    (None, _) => true,
                    (Some(_), false) => false,
                    (Some(_), true) => self.pick_success()?,
                };
                if obtained {
                    self.state.locks.take(key, *mode, self.t);
                }
                let (class, mode) = (class.clone(), *mode);
                self.log(Some(site), |engine, state| Action::Acquire {
                    class,
                    lock: engine.address_name(state, address),
                    mode,
                    obtained,
                });
                Ok(success.map(|s| Val::Int(outcome(s, obtained, self.engine.busy()))))
            }
            Op::Release { lock, class, mode } => {
                let address = self.eval_u64(*lock)?;
                let key = self.engine.key_at(class, address);
                let other = if *mode == LockMode::Shared { LockMode::Exclusive } else { LockMode::Shared };
                let is_given_back = self.state.locks.release(key, *mode, self.t)
                    || self.engine.is_either(class) && self.state.locks.release(key, other, self.t);
                if !is_given_back {
                    return Err(StuckReason::NotHeld.into());
                }
                let (class, mode) = (class.clone(), *mode);
                self.log(Some(site), |engine, state| Action::Release {
                    class,
                    lock: engine.address_name(state, address),
                    mode,
                });
                Ok(None)
            }
            _ => Err(StuckReason::Malformed.into()),
        }
    }

    /// Brings a state about, or ends it.
    pub(super) fn change_state(&mut self, site: Site, inst: &Inst) -> Result<(), Halt> {
        let (class, of, lasts) = match &inst.op {
            Op::Acquire { lock, class, .. } => (class, self.eval_u64(*lock)?, true),
            Op::Release { lock, class, .. } => (class, self.eval_u64(*lock)?, false),
            _ => return Err(StuckReason::Malformed.into()),
        };
        let key = self.engine.key_at(class, of);
        match self.engine.state_ends(class) {
            _ if lasts => self.state.states.begin(key),
            Some(Ends::Counted(_)) => self.state.states.end(key, true),
            _ => self.state.states.end(key, false),
        }
        if !self.state.states.lasts(key) {
            self.end_with(class, of);
        }
        let class = class.clone();
        self.log(Some(site), |_, _| Action::State { class, of, lasts });
        Ok(())
    }

    /// Who registers the first handle through something ends the states that this one says.
    fn begin_anew(&mut self, class: &str, through: u64) {
        let engine = self.engine;
        let registered = engine.key_at(class, 0).0;
        if self.state.registered.of_class(registered).any(|r| r.through == Some(through)) {
            return;
        }
        for (state, ends) in &engine.scenario.states {
            if *ends == Ends::Counted(class.to_owned()) {
                self.state.states.clear(engine.key_at(state, through));
                self.end_with(state, through);
            }
        }
    }

    /// Ends what ends with a state.
    fn end_with(&mut self, class: &str, of: u64) {
        let engine = self.engine;
        let with = |ends: &Ends| *ends == Ends::With(class.to_owned());
        for (state, _) in engine.scenario.states.iter().filter(|(_, ends)| with(ends)) {
            self.state.states.clear(engine.key_at(state, of));
        }
    }

    /// The CPU that the thread is on, if it is on any: one where it stays, or one that nobody keeps it off.
    pub(super) fn cpu(&mut self, site: Site) -> Result<u128, Halt> {
        let cpu = match self.state.cpus.of(self.t) {
            Some(cpu) => cpu as u128,
            None => self.pick(&self.state.cpus.open_to(self.engine.level(self.t)), None)?,
        };
        self.log(Some(site), |_, _| Action::OnCpu(cpu));
        Ok(cpu)
    }

    /// Keeps others off the CPU, or lets them come again.
    pub(super) fn mask(&mut self, site: Site, inst: &Inst) -> Result<(), Halt> {
        match &inst.op {
            Op::Acquire { class, .. } => {
                if self.state.cpus.of(self.t).is_none() {
                    let cpu = self.cpu(site)?;
                    self.state.cpus.enter(self.t, cpu);
                }
                self.keep_off(class);
            }
            Op::Release { class, .. } => {
                let counted = self.engine.mask(class).is_some_and(|mask| mask.counted);
                self.state.cpus.unmask(self.t, self.engine.key_at(class, 0).0, counted);
            }
            _ => return Err(StuckReason::Malformed.into()),
        }
        Ok(())
    }

    fn keep_off(&mut self, class: &str) {
        if let Some(mask) = self.engine.mask(class) {
            self.state.cpus.mask(self.t, self.engine.key_at(class, 0).0, mask.keeps_off);
        }
    }

    /// Puts a thread that keeps others off from its start on a CPU.
    pub(super) fn mask_on_entry(&mut self) -> Result<(), Halt> {
        let masks = self.engine.masks_on_entry(self.t);
        if !masks.is_empty() {
            let cpu = self.pick(&self.state.cpus.open_to(self.engine.level(self.t)), None)?;
            self.state.cpus.enter(self.t, cpu);
            masks.iter().for_each(|class| self.keep_off(class));
            self.log(None, |_, _| Action::OnCpu(cpu));
        }
        Ok(())
    }

    /// Whether a thread has run, or runs, for the handle.
    fn is_of_a_thread(&self, handle: LockKey) -> bool {
        self.state.threads.iter().any(|thread| runs_for(thread.handle, handle, None))
    }

    /// The thread that a registration starts.
    fn spawn(
        &self,
        callback: Option<Operand>,
        argument: Option<(u32, Operand)>,
    ) -> Result<Spawn, StuckReason> {
        let value = |operand| self.engine.eval_optional(self.frame()?, operand);
        let function = value(callback)?.ok_or(StuckReason::NotAFunction)?;
        Ok(Spawn { function, argument: value(argument.map(|(_, value)| value))?.unwrap_or(0) })
    }

    /// Whether a conditional acquisition of a free lock succeeds.
    pub(super) fn pick_success(&mut self) -> Result<bool, Halt> {
        let alternatives: &[u128] = if self.engine.bounds.spurious_failure { &[1, 0] } else { &[1] };
        Ok(self.pick(alternatives, Some(1))? != 0)
    }

    pub(super) fn handle(&mut self, site: Site, inst: &Inst) -> Result<(), Halt> {
        match &inst.op {
            Op::Publish { ok: Some(ok), .. } if self.eval_u64(*ok)? == 0 => {}
            Op::Publish { ptr, .. } => {
                let address = self.eval_u64(*ptr)?;
                self.state.memory.expose(address);
            }
            Op::Register { ok: Some(ok), .. } if self.eval_u64(*ok)? == 0 => {}
            Op::Register { class, handle, callback, argument, through, .. } => {
                self.must_be_known(self.engine.runs(class))?;
                let address = self.eval_u64(*handle)?;
                let spawn = match self.engine.spawns(class) {
                    true => Some(self.spawn(*callback, *argument)?),
                    false => None,
                };
                self.state.memory.expose(address);
                if let Some((_, argument)) = argument {
                    let argument = self.eval_u64(*argument)?;
                    self.state.memory.expose(argument);
                }
                let through = self.engine.eval_optional(self.frame()?, *through)?;
                if let Some(through) = through {
                    self.begin_anew(class, through);
                }
                let handle = self.engine.key_at(class, address);
                self.state.registered.add(Registration { handle, through, spawn });
                let class = class.clone();
                self.log(Some(site), |engine, state| Action::Register {
                    class,
                    handle: engine.address_name(state, address),
                });
            }
            Op::Unregister { class, handle, sync, through } => {
                let address = self.eval_u64(*handle)?;
                let through = self.engine.eval_optional(self.frame()?, *through)?;
                let key = self.engine.key_at(class, address);
                self.must_be_known(self.is_of_a_thread(key))?;
                if self.engine.is_lazy() && self.engine.is_of_another(self.state, key, self.t) {
                    return Err(StuckReason::Unknown.into());
                }
                self.state.registered.remove(self.engine.key_at(class, address), through);
                let (class, sync) = (class.clone(), *sync);
                self.log(Some(site), |engine, state| Action::Unregister {
                    class,
                    handle: engine.address_name(state, address),
                    sync,
                });
            }
            _ => return Err(StuckReason::Malformed.into()),
        }
        Ok(())
    }
}

/// The result of a conditional acquisition; `busy` is an error.
fn outcome(success: Success, obtained: bool, busy: u128) -> u128 {
    match (success, obtained) {
        (Success::Zero | Success::NoError, true) | (Success::NonZero, false) => 0,
        (Success::NonZero, true) => 1,
        (Success::Zero | Success::NoError, false) => busy,
    }
}
