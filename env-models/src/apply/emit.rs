//! One effect of a row -> instructions, and the conservative ones where it cannot be resolved.

use lockpair_ir::{AssumptionKind, Callee, CastOp, CmpOp, LockMode, Mark, Op, Operand, Success, Ty};

use super::site::{Site, Unresolved};
use crate::schema::{AddrExpr, Amount, Base, CallArg, Effect, Failure, Through};

/// The error number in a failed allocation's error pointer: -ENOMEM.
const ENOMEM_POINTER: u64 = 12u64.wrapping_neg();

impl Site<'_> {
    /// Emits an effect.
    pub(super) fn effect(&mut self, effect: &Effect) {
        if let Err(why) = self.try_effect(effect) {
            // Unknown code does at least what a row says of memory whose struct the module's headers do not show.
            let stands_in = match effect {
                Effect::Access { addr: AddrExpr { base: Base::Param(index), .. }, .. } => {
                    self.pointer(*index).is_ok()
                }
                _ => false,
            };
            self.note(&why, stands_in);
            self.conservative(effect);
        }
    }

    fn try_effect(&mut self, effect: &Effect) -> Result<(), Unresolved> {
        match effect {
            // Where no CPU has a copy of anything, it does not matter who is kept off one.
            Effect::Acquire { class, .. } | Effect::Release { class, .. }
                if self.model.masks.contains_key(class) && !self.masks =>
            {
                Ok(())
            }
            Effect::Acquire { class, mode, lock, success, ignorable } => {
                let success = success.filter(|_| !ignorable || self.result_is_used());
                self.acquire(class, *mode, lock, success)
            }
            Effect::Release { class, mode, lock } => {
                let lock = self.lock(lock)?;
                self.emit(Op::Release { lock, class: class.clone(), mode: *mode });
                Ok(())
            }
            Effect::Alloc { size, zeroed, failure, resizes } => self.alloc(size, *zeroed, *failure, *resizes),
            Effect::AllocInto { into, size, zeroed, from } => {
                self.alloc_into(into, size, *zeroed, from.as_ref())
            }
            Effect::Call { function, args } => self.call_back(function, args),
            Effect::Free { ptr, until, .. } => self.free(ptr, until.as_ref()),
            Effect::Rest { from, write, mark } => self.rest(*from, *write, *mark),
            Effect::Formatted { text, from } => self.formatted(*text, *from),
            Effect::Text { text, .. } if self.is_kept_text(self.arg(*text)?) => Ok(()),
            Effect::Text { text, len } => self.try_effect(&Effect::Access {
                addr: AddrExpr { base: Base::Param(*text), steps: Vec::new() },
                len: len.clone(),
                write: false,
                mark: Mark::Plain,
                with: None,
            }),
            Effect::Transfer(messages) => self.transfer(messages),
            Effect::Access { with: Some(strukt), .. } if !self.fills_in(strukt) => Ok(()),
            // An optional argument that is not there.
            Effect::Access { addr, .. } | Effect::Store { addr, .. } | Effect::Move { addr }
                if self.begins_at_null(addr) =>
            {
                Ok(())
            }
            Effect::Access { addr, len, write, mark, .. } => {
                let address = self.address(addr)?;
                let address = match len {
                    Amount::Object => self.somewhere_in(address),
                    _ => address,
                };
                let member = match len {
                    Amount::Member => self.rest_of_member(address),
                    _ => None,
                };
                let (addr, len) = match member {
                    Some((addr, rest)) => (addr, Operand::int(64, u128::from(rest))),
                    None => (address, self.amount(len, 64)?),
                };
                self.emit(Op::Access { addr, len, write: *write, mark: *mark });
                Ok(())
            }
            Effect::Store { arg, unless_null: true, .. } if self.arg(*arg).is_ok_and(is_null) => Ok(()),
            Effect::Store { addr, arg, mark, unless_null } => {
                let addr = self.address(addr)?;
                let value = if *unless_null {
                    let pointer = self.pointer(*arg)?;
                    self.or_what_lies_there(pointer, addr)
                } else {
                    self.arg(*arg)?
                };
                self.emit(Op::Store { addr, value, mark: *mark });
                Ok(())
            }
            Effect::Atomic { addr, bits, op, mark } => self.atomic(addr, *bits, op, *mark),
            Effect::Copy { dst, src, len: Amount::Pointer } => {
                let (to, addr) = (self.address(dst)?, self.address(src)?);
                let value = self.temp(Op::Load { addr, mark: Mark::Plain }, Ty::Ptr);
                self.emit(Op::Store { addr: to, value, mark: Mark::Plain });
                Ok(())
            }
            Effect::Copy { dst, src, len } => {
                let (to, from) = (self.address(dst)?, self.address(src)?);
                let len = self.amount(len, 64)?;
                self.emit(Op::MemCopy { dst: to, src: from, len });
                Ok(())
            }
            Effect::Move { addr } => {
                let addr = self.address(addr)?;
                let base = self.temp(Op::Load { addr, mark: Mark::Plain }, Ty::Ptr);
                let value = self.somewhere_in(base);
                self.emit(Op::Store { addr, value, mark: Mark::Plain });
                Ok(())
            }
            Effect::Fill { dst, byte, len } => {
                let to = self.address(dst)?;
                let byte = self.amount(byte, 8)?;
                let len = self.amount(len, 64)?;
                self.emit(Op::MemSet { dst: to, byte, len });
                Ok(())
            }
            Effect::Unknown(args) => {
                // Each in its place: the declaration says which are constants.
                let mut all = Vec::new();
                for &index in args {
                    let value = self.arg(index)?;
                    all.resize(all.len().max(index as usize + 1), Operand::Null);
                    all[index as usize] = value;
                }
                self.unknown(all);
                Ok(())
            }
            Effect::Unsupported => Err(Unresolved("the analysis does not follow it".to_owned())),
            Effect::Publish { ptr, if_zero, unwatched } => {
                if *unwatched {
                    self.ledger.record(AssumptionKind::OutsideCallback, self.name, self.call.loc);
                }
                let ptr = self.address(ptr)?;
                let ok = if *if_zero { self.result_is_zero() } else { None };
                self.emit(Op::Publish { ptr, ok });
                Ok(())
            }
            Effect::Register { class, handle, into, callback, argument, through, stays, until, if_zero } => {
                let counts = (*stays, until.as_ref(), *if_zero);
                self.register(class, (handle, into.as_ref()), *callback, *argument, *through, counts)
            }
            Effect::Unregister { class, handle, sync, through } => {
                let handle = self.address(handle)?;
                let through = through.map(|index| self.arg(index)).transpose()?;
                self.emit(Op::Unregister { class: class.clone(), handle, sync: *sync, through });
                Ok(())
            }
            Effect::ReturnArg(index) => {
                let value = self.arg(*index)?;
                self.define_operand(value);
                Ok(())
            }
            Effect::ReturnAddr(AddrExpr { base: Base::Cpu, .. }) => {
                self.define(Op::Cpu, Ty::Int(64));
                Ok(())
            }
            Effect::ReturnAddr(addr) => self.return_addr(addr),
            Effect::ReturnInto { addr, failure } => self.return_into(addr, *failure),
            Effect::ReturnError(index) => {
                let mut value = self.arg(*index)?;
                if self.func.operand_ty(value) != Ty::Ptr {
                    value = self.int(value, 64, true);
                }
                let ty = if self.dest_ty() == Some(Ty::Ptr) { Ty::Ptr } else { Ty::Int(64) };
                self.define(Op::Cast(CastOp::Error, value), ty);
                Ok(())
            }
            Effect::ReturnData => {
                self.define(Op::Data, Ty::Ptr);
                Ok(())
            }
            Effect::ReturnConst(value) => {
                self.return_const(*value);
                Ok(())
            }
        }
    }

    fn begins_at_null(&self, addr: &AddrExpr) -> bool {
        matches!(addr.base, Base::Param(index) if self.arg(index).is_ok_and(is_null))
    }

    fn acquire(
        &mut self,
        class: &str,
        mode: LockMode,
        lock: &AddrExpr,
        success: Option<Success>,
    ) -> Result<(), Unresolved> {
        let lock = self.lock(lock)?;
        let op = Op::Acquire { lock, class: class.to_owned(), mode, success };
        match (success, self.dest_ty()) {
            (None, _) => self.emit(op),
            (Some(_), Some(Ty::Int(bits))) => self.define(op, Ty::Int(bits)),
            (Some(_), Some(Ty::Ptr | Ty::Opaque(_)) | None) => self.define(op, Ty::Int(32)),
        }
        Ok(())
    }

    /// The result of an allocation. Effects on `ret` that follow mean the fresh object, whether or not
    /// the caller gets it: nobody sees what happens to an object that did not come about.
    fn alloc(
        &mut self,
        size: &Amount,
        zeroed: bool,
        failure: Failure,
        resizes: Option<u32>,
    ) -> Result<(), Unresolved> {
        let size = self.amount(size, 64)?;
        if let Some(index) = resizes.filter(|index| !self.arg(*index).is_ok_and(is_null)) {
            return self.resize(index, size, zeroed, failure);
        }
        let may_fail = failure == Failure::Null && !self.uses_ret;
        let op = Op::Alloc { size, zeroed, may_fail };
        match self.failed(failure).filter(|_| !may_fail) {
            None => self.define(op, Ty::Ptr),
            Some(failed) => {
                let fresh = self.temp(op, Ty::Ptr);
                let ok = self.temp(Op::Havoc, Ty::Int(1));
                self.define(Op::Select { cond: ok, then: fresh, els: failed }, Ty::Ptr);
                self.fresh = Some(fresh);
            }
        }
        Ok(())
    }

    /// What is resized stays where it is, or there is a fresh object, or neither.
    fn resize(
        &mut self,
        index: u32,
        size: Operand,
        zeroed: bool,
        failure: Failure,
    ) -> Result<(), Unresolved> {
        let old = self.pointer(index)?;
        let fresh = self.temp(Op::Alloc { size, zeroed, may_fail: false }, Ty::Ptr);
        let other = match self.failed(failure) {
            None => fresh,
            Some(failed) => {
                let ok = self.temp(Op::Havoc, Ty::Int(1));
                self.temp(Op::Select { cond: ok, then: fresh, els: failed }, Ty::Ptr)
            }
        };
        let stays = self.temp(Op::Havoc, Ty::Int(1));
        self.define(Op::Select { cond: stays, then: old, els: other }, Ty::Ptr);
        self.fresh = Some(fresh);
        self.resized = Some((index, stays));
        Ok(())
    }

    /// What comes back of an allocation that fails, if it can.
    fn failed(&mut self, failure: Failure) -> Option<Operand> {
        match failure {
            Failure::Never => None,
            Failure::Null => Some(Operand::Null),
            Failure::ErrPtr => Some(self.error_pointer()),
        }
    }

    /// What ends later is known by the name that the caller has for it.
    fn free(&mut self, ptr: &AddrExpr, until: Option<&AddrExpr>) -> Result<(), Unresolved> {
        let until = until.map(|device| self.address(device)).transpose()?;
        if until.is_some() {
            self.fresh = None;
        }
        let mut address = self.address(ptr)?;
        if let Some((index, stays)) = self.resized
            && ptr.base == Base::Param(index)
            && ptr.steps.is_empty()
        {
            address = self.temp(Op::Select { cond: stays, then: Operand::Null, els: address }, Ty::Ptr);
        }
        self.emit(Op::Free { ptr: address, until });
        Ok(())
    }

    fn alloc_into(
        &mut self,
        into: &[AddrExpr],
        size: &Amount,
        zeroed: bool,
        from: Option<&AddrExpr>,
    ) -> Result<(), Unresolved> {
        let size = self.amount(size, 64)?;
        let places = into.iter().map(|addr| self.address(addr)).collect::<Result<Vec<_>, _>>()?;
        let from = from.map(|addr| self.address(addr)).transpose()?;
        let value = self.temp(Op::Alloc { size, zeroed, may_fail: false }, Ty::Ptr);
        if let Some(src) = from {
            self.emit(Op::MemCopy { dst: value, src, len: size });
        }
        for addr in places {
            self.emit(Op::Store { addr, value, mark: Mark::Plain });
        }
        Ok(())
    }

    fn call_back(&mut self, function: &AddrExpr, args: &[CallArg]) -> Result<(), Unresolved> {
        let function = self.address(function)?;
        if is_null(function) {
            // An optional function that is not there.
            return Ok(());
        }
        let from = self.emitted();
        let mut values = Vec::new();
        for arg in args {
            values.push(match arg {
                CallArg::Any => self.temp(Op::Havoc, Ty::Int(32)),
                CallArg::At(AddrExpr { base: Base::Param(index), steps }) if steps.is_empty() => {
                    self.arg(*index)?
                }
                CallArg::At(addr) => self.address(addr)?,
                CallArg::Into(addr) => {
                    let base = self.address(addr)?;
                    self.somewhere_in(base)
                }
            });
        }
        let callee = match function {
            Operand::Func(id) => Callee::Func(id),
            pointer => Callee::Indirect(pointer, None),
        };
        self.emit(Op::Call { callee, args: values });
        self.repeats_since(from);
        Ok(())
    }

    fn register(
        &mut self,
        class: &str,
        (handle, into): (&AddrExpr, Option<&AddrExpr>),
        callback: Option<u32>,
        argument: Option<(u32, u32)>,
        through: Option<Through>,
        (stays, until, if_zero): (bool, Option<&AddrExpr>, Option<bool>),
    ) -> Result<(), Unresolved> {
        if let Some(index) = callback
            && is_null(self.arg(index)?)
        {
            return Ok(());
        }
        let callback = callback.map(|index| self.pointer(index)).transpose()?;
        let argument = argument.map(|(param, index)| Ok((param, self.arg(index)?))).transpose()?;
        let through = through.map(|through| self.through(through)).transpose()?;
        let into = into.map(|into| self.address(into)).transpose()?;
        let handle = self.address(handle)?;
        let until = until.map(|device| self.address(device)).transpose()?;
        let (ok, class) = (self.registered_if(class, if_zero), class.to_owned());
        if let (true, Some(addr)) = (self.exact, into) {
            // As all C libraries of Linux do.
            self.name_handle(addr, handle);
        }
        self.emit(Op::Register { class, handle, callback, argument, through, ok, stays, until });
        if let (false, Some(addr)) = (self.exact, into) {
            // The callback may run already.
            self.name_handle(addr, handle);
        }
        Ok(())
    }

    /// Handles are numbers to the program.
    fn name_handle(&mut self, addr: Operand, handle: Operand) {
        let value = self.temp(Op::Cast(CastOp::PtrToInt, handle), Ty::Int(64));
        self.emit(Op::Store { addr, value, mark: Mark::Plain });
    }

    /// Through what a handle is registered. A result is defined here, if nothing else has said what it is.
    fn through(&mut self, through: Through) -> Result<Operand, Unresolved> {
        match through {
            Through::Arg(index) => self.arg(index),
            Through::Result => {
                if self.result.is_none() {
                    let result = self.temp(Op::Havoc, Ty::Ptr);
                    self.define_operand(result);
                }
                self.result.ok_or_else(|| Unresolved("the call has no result".to_owned()))
            }
        }
    }

    /// Whether a registration succeeded: by the kernel's convention an integer result is zero then. What
    /// may be armed again at any time (timers, work) says something else by its result.
    fn registered_if(&mut self, class: &str, if_zero: Option<bool>) -> Option<Operand> {
        let by_class = || self.model.handle(class).is_some_and(|row| !row.rearmable);
        if if_zero.unwrap_or_else(by_class) { self.result_is_zero() } else { None }
    }

    /// Whether the call succeeds: an integer that is arbitrary, the same for all effects that ask.
    fn result_is_zero(&mut self) -> Option<Operand> {
        let ty @ Ty::Int(bits) = self.dest_ty()? else { return None };
        if bits < 32 || self.is_zero.is_none() && self.result.is_some() {
            return None;
        }
        if self.is_zero.is_none() {
            let result = self.temp(Op::Havoc, ty);
            self.define_operand(result);
            self.is_zero = Some(self.temp(Op::Cmp(CmpOp::Eq, result, Operand::int(bits, 0)), Ty::Int(1)));
        }
        self.is_zero
    }

    fn return_addr(&mut self, addr: &AddrExpr) -> Result<(), Unresolved> {
        let (place, reads) = self.place(addr)?;
        if reads {
            let ty = self.dest_ty().unwrap_or(Ty::Ptr);
            self.define(Op::Load { addr: place, mark: Mark::Plain }, ty);
        } else {
            self.define_operand(place);
        }
        Ok(())
    }

    fn return_into(&mut self, addr: &AddrExpr, failure: Failure) -> Result<(), Unresolved> {
        let base = self.address(addr)?;
        let mut value = self.somewhere_in(base);
        let failed = match failure {
            Failure::Never => None,
            Failure::Null => Some(Operand::Null),
            Failure::ErrPtr => Some(self.error_pointer()),
        };
        if let Some(failed) = failed {
            let found = self.temp(Op::Havoc, Ty::Int(1));
            value = self.temp(Op::Select { cond: found, then: value, els: failed }, Ty::Ptr);
        }
        self.define_operand(value);
        Ok(())
    }

    /// One of the pointers that are errors.
    fn error_pointer(&mut self) -> Operand {
        let error = Operand::int(64, u128::from(ENOMEM_POINTER));
        self.temp(Op::Cast(CastOp::Error, error), Ty::Ptr)
    }

    /// A pointer into the object that a pointer points into.
    fn somewhere_in(&mut self, base: Operand) -> Operand {
        let offset = self.temp(Op::Havoc, Ty::Int(64));
        self.temp(Op::PtrAdd { base, offset: 0, scaled: vec![(offset, 1)], within: None }, Ty::Ptr)
    }

    /// The pointer, or what lies at the address if it is null.
    fn or_what_lies_there(&mut self, value: Operand, addr: Operand) -> Operand {
        let old = self.temp(Op::Load { addr, mark: Mark::Plain }, Ty::Ptr);
        let is_null = self.temp(Op::Cmp(CmpOp::Eq, value, Operand::Null), Ty::Int(1));
        self.temp(Op::Select { cond: is_null, then: old, els: value }, Ty::Ptr)
    }

    fn return_const(&mut self, value: u64) {
        match self.dest_ty() {
            Some(Ty::Int(bits)) => self.define_operand(Operand::int(bits, u128::from(value))),
            Some(Ty::Ptr) if value == 0 => self.define_operand(Operand::Null),
            Some(Ty::Ptr | Ty::Opaque(_)) | None => self.define_operand(Operand::int(64, u128::from(value))),
        }
    }

    /// What stands for an effect that cannot be resolved. The result, if it would have given one, is
    /// arbitrary. A lock that cannot be told is not taken; any lock of its class may have been given
    /// back; callbacks of any handle may run, and none stops; memory is accessed as by code outside.
    fn conservative(&mut self, effect: &Effect) {
        match effect {
            Effect::Acquire { .. }
            | Effect::Unregister { .. }
            | Effect::ReturnArg(_)
            | Effect::ReturnAddr(_)
            | Effect::ReturnInto { .. }
            | Effect::ReturnConst(_)
            | Effect::ReturnData
            | Effect::ReturnError(_)
            | Effect::Alloc { .. } => {}
            Effect::Release { class, mode, .. } => {
                let lock = self.temp(Op::Havoc, Ty::Ptr);
                self.emit(Op::Release { lock, class: class.clone(), mode: *mode });
            }
            Effect::Free { .. } => {
                let ptr = self.temp(Op::Havoc, Ty::Ptr);
                self.emit(Op::Free { ptr, until: None });
            }
            Effect::Register { class, callback, argument, through, stays, .. } => {
                let handle = self.temp(Op::Havoc, Ty::Ptr);
                let callback = callback.and_then(|index| self.pointer(index).ok());
                let argument = argument.and_then(|(param, index)| Some((param, self.arg(index).ok()?)));
                let through = through.and_then(|through| self.through(through).ok());
                let (class, stays) = (class.clone(), *stays);
                let (ok, until) = (None, None);
                self.emit(Op::Register { class, handle, callback, argument, through, ok, stays, until });
            }
            Effect::Access { .. }
            | Effect::Rest { .. }
            | Effect::Formatted { .. }
            | Effect::Text { .. }
            | Effect::Transfer(_)
            | Effect::Store { .. }
            | Effect::AllocInto { .. }
            | Effect::Move { .. }
            | Effect::Call { .. }
            | Effect::Atomic { .. }
            | Effect::Copy { .. }
            | Effect::Fill { .. }
            | Effect::Publish { .. }
            | Effect::Unknown(_)
            | Effect::Unsupported => self.external(),
        }
    }

    /// The call as one of unknown code, once.
    pub(super) fn external(&mut self) {
        if !std::mem::replace(&mut self.external, true) {
            self.unknown(self.call.args.clone());
        }
    }

    /// Unknown code that gets these pointers.
    fn unknown(&mut self, args: Vec<Operand>) {
        self.ledger.record(AssumptionKind::UnknownExternal, self.name, self.call.loc);
        self.emit(Op::External { name: self.name.to_owned(), args });
    }
}

pub(super) fn is_null(value: Operand) -> bool {
    matches!(value, Operand::Null | Operand::Int { value: 0, .. })
}
