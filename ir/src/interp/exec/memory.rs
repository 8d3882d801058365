//! Making, accessing and ending objects.

use super::{Halt, Turn};
use crate::inst::{Inst, Op, Operand, RmwOp};
use crate::interp::memory::{Object, Origin, Range, address_of, copies_of, thread_number};
use crate::interp::scenario::HEADROOM;
use crate::interp::value::{Val, modify, width};
use crate::interp::{Action, Found, Site, StuckReason};
use crate::types::Ty;

impl Turn<'_, '_, '_> {
    pub(super) fn alloca(&mut self, site: Site, size: u64, count: Operand) -> Result<Val, Halt> {
        let size = size.saturating_mul(self.eval_u64(count)?);
        if size > self.engine.bounds.max_object {
            return Err(StuckReason::OutOfMemory.into());
        }
        let number = self.make(size, Origin::Stack(site.func, site.inst))?;
        self.leave_uninitialized(number);
        self.frame_mut()?.stack.push(number);
        Ok(Val::Int(u128::from(address_of(number))))
    }

    pub(super) fn alloc(
        &mut self,
        site: Site,
        size: Operand,
        zeroed: bool,
        may_fail: bool,
    ) -> Result<Val, Halt> {
        let size = self.eval_u64(size)?;
        let fits = size <= self.engine.bounds.max_object;
        self.must_be_known(fits)?;
        if !fits && !may_fail {
            return Err(StuckReason::OutOfMemory.into());
        }
        // Recorded even where nothing is left to choose, so that schedules hold under other bounds.
        let alternatives: &[u128] = if fits { &[1, 0] } else { &[0] };
        let succeeds = !may_fail || self.pick(alternatives, None)? != 0;
        let address = match succeeds {
            true => {
                let number = self.make_with_copies(size, Origin::Heap(site.func, site.inst))?;
                if !zeroed {
                    self.leave_uninitialized(number);
                }
                address_of(number)
            }
            false => 0,
        };
        Ok(Val::Int(u128::from(address)))
    }

    /// Nobody knows what is in an object that was just made.
    pub(super) fn leave_uninitialized(&mut self, number: u32) {
        if (self.engine.is_exact() || self.engine.is_lazy())
            && let Some(object) = self.state.memory.get_mut(number)
        {
            object.forget(0, object.bytes.len());
        }
    }

    /// A fresh object; if it matters who runs on which CPU, it may be one of which each has a copy.
    fn make_with_copies(&mut self, size: u64, origin: Origin) -> Result<u32, Halt> {
        let number = self.make(size, origin)?;
        if !self.engine.scenario.masks.is_empty() {
            let copy = self.state.memory.get(number).ok_or(StuckReason::Malformed)?.clone();
            for other in copies_of(number) {
                // Nobody follows who knows the address of a copy.
                self.state.memory.insert(other, Object { owner: None, ..copy.clone() });
            }
        }
        Ok(number)
    }

    /// A fresh object that only this thread knows.
    pub(super) fn make(&mut self, size: u64, origin: Origin) -> Result<u32, Halt> {
        let thread = &mut self.state.threads[self.t];
        let number = thread_number(self.t, thread.made).ok_or(Halt::Bound)?;
        thread.made += 1;
        let size = usize::try_from(size).map_err(|_| StuckReason::OutOfMemory)?;
        let object = Object { owner: Some(self.t), ..Object::new(size, origin) };
        self.state.memory.insert(number, object);
        Ok(number)
    }

    pub(super) fn access(&mut self, site: Site, inst: &Inst) -> Result<Option<Val>, Halt> {
        match &inst.op {
            Op::Load { addr, .. } => {
                let ty = self.result_ty(inst)?.ok_or(StuckReason::Malformed)?;
                self.load(site, *addr, ty).map(Some)
            }
            Op::Store { addr, value: Operand::Undef(ty), .. } if self.engine.is_exact() => {
                let range = self.range(*addr, ty.bytes(), true)?;
                self.state.memory.forget(range);
                Ok(None)
            }
            Op::Store { addr, value, .. } => {
                let (ty, value) = (self.operand_ty(*value)?, self.eval(*value)?);
                self.store(*addr, &value, ty)?;
                Ok(None)
            }
            Op::Rmw { op, addr, value, .. } => {
                let (ty, operand) = (self.operand_ty(*value)?, self.eval(*value)?);
                if matches!(op, RmwOp::Add | RmwOp::Sub) {
                    self.count_both(*addr, ty)?;
                }
                let old = self.load(site, *addr, ty)?;
                let new = modify(*op, old.number(), operand.number(), width(ty));
                self.store(*addr, &Val::Int(new), ty)?;
                Ok(Some(old))
            }
            Op::CmpXchg { addr, expected, new, .. } => {
                let (ty, expected, new) = (self.operand_ty(*new)?, self.eval(*expected)?, self.eval(*new)?);
                let old = self.load(site, *addr, ty)?;
                let put = if old.number() == expected.number() { new } else { old.clone() };
                self.store(*addr, &put, ty)?;
                Ok(Some(old))
            }
            Op::MemSet { dst, byte, len } => {
                let (byte, len) = (self.number(*byte)? as u8, self.eval_u64(*len)?);
                self.fill(*dst, byte, len)?;
                Ok(None)
            }
            Op::MemCopy { dst, src, len } => self.copy(*dst, *src, *len).map(|()| None),
            Op::Access { addr, len, write, .. } => self.outside_access(*addr, *len, *write).map(|()| None),
            // Drivers are not unbound here.
            Op::Free { until: Some(_), .. } => Ok(None),
            Op::Free { ptr, until: None } => self.free(*ptr).map(|()| None),
            _ => Err(StuckReason::Malformed.into()),
        }
    }

    pub(super) fn range(&self, addr: Operand, len: u64, write: bool) -> Result<Range, StuckReason> {
        self.state.memory.range(self.eval_u64(addr)?, len, write)
    }

    pub(super) fn load(&mut self, site: Site, addr: Operand, ty: Ty) -> Result<Val, Halt> {
        let range = self.range(addr, ty.bytes(), false)?;
        if self.engine.is_lazy() && !self.state.memory.is_known(range) {
            self.find_out(site, range, ty)?;
        }
        self.must_be_known(self.state.memory.is_known(range))?;
        self.state.memory.expose_range(range, ty != Ty::Ptr);
        let bytes = self.state.memory.read(range);
        if self.engine.is_lazy() && self.is_outside(range) {
            self.state.memory.forget(range);
        }
        Ok(Val::from_bytes(&bytes, ty))
    }

    /// Whether code outside may change it at any time, as the kernel does `jiffies`.
    fn is_outside(&self, range: Range) -> bool {
        let origin = self.state.memory.get(range.object).map(|object| object.origin);
        matches!(origin, Some(Origin::Global(id)) if !self.engine.module.globals[id].defined)
    }

    /// Chooses what memory held before. What it holds in part stays.
    fn find_out(&mut self, site: Site, range: Range, ty: Ty) -> Result<(), Halt> {
        if !self.state.memory.is_unknown(range) {
            self.state.memory.learn(range);
            return Ok(());
        }
        let value = match ty {
            Ty::Opaque(_) => 0,
            Ty::Int(bits) => {
                let result = self.engine.module.funcs[site.func].insts[site.inst].result;
                let alternatives = self.engine.integers(site.func, result, bits);
                self.pick(&alternatives, None)?
            }
            Ty::Ptr => match self.pick(&[1, 0], None)? {
                0 => 0,
                _ => {
                    let kind = self.engine.kind(range.object, range.start as u64);
                    let found = self.state.memory.found(kind, range.object, range.start as u64);
                    u128::from(address_of(found) + HEADROOM)
                }
            },
        };
        self.state.memory.write(range, &Val::Int(value).to_bytes(ty));
        self.log_found(site, Some(range), value, ty);
        Ok(())
    }

    /// What is counted, and was counted before, may be the threads: each holds a reference.
    fn count_both(&mut self, addr: Operand, ty: Ty) -> Result<(), Halt> {
        let range = self.range(addr, ty.bytes(), true)?;
        if self.engine.is_lazy() && self.state.memory.is_unknown(range) {
            let threads = self.engine.setup_thread() as u128;
            self.state.memory.write(range, &Val::Int(threads).to_bytes(ty));
        }
        Ok(())
    }

    pub(super) fn log_found(&mut self, site: Site, range: Option<Range>, value: u128, ty: Ty) {
        let value = match (ty, value) {
            (Ty::Ptr, 0) => Found::Null,
            (Ty::Ptr, _) => Found::Object,
            (Ty::Int(_) | Ty::Opaque(_), number) => Found::Number(number),
        };
        self.log(Some(site), |engine, state| Action::Find {
            at: range.map(|range| engine.place_name(state, range.object, range.start as u64)),
            value,
        });
    }

    pub(super) fn store(&mut self, addr: Operand, value: &Val, ty: Ty) -> Result<(), Halt> {
        let range = self.range(addr, ty.bytes(), true)?;
        if ty == Ty::Ptr && !self.is_private(range) {
            self.state.memory.expose(value.address());
        }
        self.state.memory.write(range, &value.to_bytes(ty));
        Ok(())
    }

    pub(super) fn is_private(&self, range: Range) -> bool {
        self.state.memory.get(range.object).is_some_and(|o| o.owner.is_some())
    }

    pub(super) fn fill(&mut self, dst: Operand, byte: u8, len: u64) -> Result<(), Halt> {
        if len > 0 {
            let range = self.range(dst, len, true)?;
            self.state.memory.write(range, &vec![byte; range.len]);
        }
        Ok(())
    }

    pub(super) fn copy(&mut self, dst: Operand, src: Operand, len: Operand) -> Result<(), Halt> {
        let len = self.eval_u64(len)?;
        if len > 0 {
            let (from, to) = (self.range(src, len, false)?, self.range(dst, len, true)?);
            self.must_be_known(self.state.memory.is_known(from))?;
            let shared = !self.is_private(to);
            self.state.memory.expose_range(from, shared);
            let bytes = self.state.memory.read(from);
            let unknown = self.state.memory.unknown_in(from);
            self.state.memory.write(to, &bytes);
            for part in unknown {
                self.state.memory.forget(Range { start: to.start + part.start, len: part.len(), ..to });
            }
        }
        Ok(())
    }

    pub(super) fn outside_access(&mut self, addr: Operand, len: Operand, write: bool) -> Result<(), Halt> {
        let len = self.eval_u64(len)?;
        if len == 0 {
            return Ok(());
        }
        let range = self.range(addr, len, write)?;
        self.state.memory.expose_range(range, true);
        if write {
            let fills: Vec<u128> = self.engine.bounds.fill_bytes.iter().map(|b| u128::from(*b)).collect();
            let byte = self.pick(&fills, Some(8))?;
            self.fill(addr, byte as u8, len)?;
            if self.engine.is_exact() || self.engine.is_lazy() {
                self.state.memory.forget(range);
            }
        }
        Ok(())
    }

    pub(super) fn free(&mut self, ptr: Operand) -> Result<(), Halt> {
        let address = self.eval_u64(ptr)?;
        for whole in self.engine.freed(self.state, address)? {
            self.state.memory.kill(whole.range.object);
        }
        Ok(())
    }
}
