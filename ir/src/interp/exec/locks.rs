//! Locks, what keeps others off a CPU, and handles.

use super::{Halt, Turn};
use crate::inst::{Inst, Op, Success};
use crate::interp::value::Val;
use crate::interp::{Action, Site, StuckReason};

impl Turn<'_, '_, '_> {
    pub(super) fn lock(&mut self, site: Site, inst: &Inst) -> Result<Option<Val>, Halt> {
        match &inst.op {
            Op::Acquire { lock, class, mode, success } => {
                let address = self.eval_u64(*lock)?;
                if self.state.memory.is_null(address) {
                    return Err(StuckReason::NullDereference.into());
                }
                let key = self.engine.key_at(class, address);
                let free = self.state.locks.is_free_for(key, *mode);
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
                Ok(success.map(|s| Val::Int(outcome(s, obtained))))
            }
            Op::Release { lock, class, mode } => {
                let address = self.eval_u64(*lock)?;
                if !self.state.locks.release(self.engine.key_at(class, address), *mode, self.t) {
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

    /// The CPU that the thread is on, if it is on any: one where it stays, or one that nobody keeps it off.
    pub(super) fn cpu(&mut self, site: Site) -> Result<u128, Halt> {
        let cpu = match self.state.cpus.of(self.t) {
            Some(cpu) => cpu as u128,
            None => self.io.picks.pick(&self.state.cpus.open_to(self.engine.level(self.t)), None)?,
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
            let cpu = self.io.picks.pick(&self.state.cpus.open_to(self.engine.level(self.t)), None)?;
            self.state.cpus.enter(self.t, cpu);
            masks.iter().for_each(|class| self.keep_off(class));
            self.log(None, |_, _| Action::OnCpu(cpu));
        }
        Ok(())
    }

    /// Whether a conditional acquisition of a free lock succeeds.
    pub(super) fn pick_success(&mut self) -> Result<bool, Halt> {
        let alternatives: &[u128] = if self.engine.bounds.spurious_failure { &[1, 0] } else { &[1] };
        Ok(self.io.picks.pick(alternatives, Some(1))? != 0)
    }

    pub(super) fn handle(&mut self, site: Site, inst: &Inst) -> Result<(), Halt> {
        match &inst.op {
            Op::Publish { ptr } => {
                let address = self.eval_u64(*ptr)?;
                self.state.memory.expose(address);
            }
            Op::Register { ok: Some(ok), .. } if self.eval_u64(*ok)? == 0 => {}
            Op::Register { class, handle, argument, .. } => {
                let address = self.eval_u64(*handle)?;
                self.state.memory.expose(address);
                if let Some((_, argument)) = argument {
                    let argument = self.eval_u64(*argument)?;
                    self.state.memory.expose(argument);
                }
                self.state.registered.insert(self.engine.key_at(class, address));
                let class = class.clone();
                self.log(Some(site), |engine, state| Action::Register {
                    class,
                    handle: engine.address_name(state, address),
                });
            }
            Op::Unregister { class, handle, sync, .. } => {
                let address = self.eval_u64(*handle)?;
                self.state.registered.remove(&self.engine.key_at(class, address));
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

/// The result of a conditional acquisition. Failures come as -1, the sign of an error number.
fn outcome(success: Success, obtained: bool) -> u128 {
    match (success, obtained) {
        (Success::Zero | Success::NoError, true) | (Success::NonZero, false) => 0,
        (Success::NonZero, true) => 1,
        (Success::Zero | Success::NoError, false) => u128::MAX,
    }
}
