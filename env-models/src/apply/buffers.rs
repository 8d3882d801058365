//! Effects on memory that no single address leads to: what the last arguments point to, and the buffers behind an array
//! of messages.

use lockpair_ir::{BinOp, CastOp, CmpOp, Mark, Op, Operand, Ty, TypeId};

use super::emit::is_null;
use super::site::{Site, Unresolved};
use crate::schema::{Amount, Messages};

/// How many messages of an array are told apart: `I2C_RDWR_IOCTL_MAX_MSGS` is 42, drivers have up to four.
const MAX_MESSAGES: u128 = 16;

/// One message of an array.
struct Message {
    /// The address of the first.
    array: Operand,
    /// How far from there this one is.
    offset: i64,
    /// The same, where it may be any.
    scaled: Vec<(Operand, i64)>,
    /// The type of its struct.
    ty: TypeId,
}

impl Site<'_> {
    /// Reads or writes what each pointer among the arguments from this one on leads to. Nobody writes constants.
    pub(super) fn rest(&mut self, from: u32, write: bool, mark: Mark) -> Result<(), Unresolved> {
        let rest: Vec<Operand> = self.call.args.iter().skip(from as usize).copied().collect();
        if self.exact {
            // Nobody knows what the format makes of the pointers (`%n`).
            let may_lead_on = |arg: &Operand| {
                self.func.operand_ty(*arg) == Ty::Ptr && !is_null(*arg) && !self.is_constant(*arg)
            };
            if rest.iter().any(may_lead_on) {
                self.external();
            }
            return Ok(());
        }
        for addr in rest {
            if self.func.operand_ty(addr) == Ty::Ptr && !is_null(addr) && !(write && self.is_constant(addr)) {
                let len = self.amount(&Amount::Any, 64)?;
                self.emit(Op::Access { addr, len, write, mark });
            }
        }
        Ok(())
    }

    pub(super) fn is_constant(&self, addr: Operand) -> bool {
        matches!(addr, Operand::Global(global, _) if self.module.globals[global].constant)
    }

    /// Reads or writes the buffer of each message. If their number is no small constant, the call is one of unknown code
    /// before that, which forgets what private messages lead to, and the message may be any.
    pub(super) fn transfer(&mut self, messages: &Messages) -> Result<(), Unresolved> {
        let ty = self.struct_named(&messages.strukt)?;
        let array = self.pointer(messages.array)?;
        let size = i64::try_from(self.module.size_of(ty)).unwrap_or(0);
        match self.arg(messages.count)? {
            Operand::Int { value: count @ 0..=MAX_MESSAGES, .. } => {
                for offset in (0..i64::try_from(count).unwrap_or(0)).map(|index| index * size) {
                    self.transfer_one(&Message { array, offset, scaled: Vec::new(), ty }, messages)?;
                }
            }
            _ => {
                self.external();
                let scaled = vec![(self.temp(Op::Havoc, Ty::Int(64)), size)];
                self.transfer_one(&Message { array, offset: 0, scaled, ty }, messages)?;
            }
        }
        Ok(())
    }

    /// One message: of the accesses to its buffer, those that do not happen have the length zero.
    fn transfer_one(&mut self, message: &Message, of: &Messages) -> Result<(), Unresolved> {
        let zero = Operand::int(64, 0);
        let flags = self.load_member(message, &of.flags, Ty::Int(16))?;
        let (written, grows) = (self.any_set(flags, of.write), self.any_set(flags, of.grows));
        let addr = self.load_member(message, &of.buffer, Ty::Ptr)?;
        let len = self.load_member(message, &of.len, Ty::Int(16))?;
        let len = self.temp(Op::Cast(CastOp::ZExt, len), Ty::Int(64));
        let read = self.choose(written, zero, len);
        self.emit(Op::Access { addr, len: read, write: false, mark: Mark::Plain });
        let any = self.amount(&Amount::Any, 64)?;
        let len = self.choose(grows, any, len);
        let len = self.choose(written, len, zero);
        self.emit(Op::Access { addr, len, write: true, mark: Mark::Plain });
        let addr = self.member_of(message, &of.len)?;
        let len = self.choose(grows, Operand::int(64, 2), zero);
        self.emit(Op::Access { addr, len, write: true, mark: Mark::Plain });
        Ok(())
    }

    fn any_set(&mut self, flags: Operand, bits: u16) -> Operand {
        let set = self.bin(BinOp::And, flags, Operand::int(16, u128::from(bits)), 16);
        self.temp(Op::Cmp(CmpOp::Ne, set, Operand::int(16, 0)), Ty::Int(1))
    }

    fn choose(&mut self, cond: Operand, then: Operand, els: Operand) -> Operand {
        self.temp(Op::Select { cond, then, els }, Ty::Int(64))
    }

    fn load_member(&mut self, message: &Message, name: &str, ty: Ty) -> Result<Operand, Unresolved> {
        let addr = self.member_of(message, name)?;
        Ok(self.temp(Op::Load { addr, mark: Mark::Plain }, ty))
    }

    fn member_of(&mut self, message: &Message, name: &str) -> Result<Operand, Unresolved> {
        let missing = || Unresolved(format!("a message has no member `{name}`"));
        let (offset, _) = self.module.field_named(message.ty, name).ok_or_else(missing)?;
        let offset = i64::try_from(offset).unwrap_or(0);
        let Message { array: base, offset: from, ref scaled, .. } = *message;
        let op = Op::PtrAdd { base, offset: from, scaled: scaled.clone(), within: None };
        let start = self.temp(op, Ty::Ptr);
        Ok(self.member(start, offset, message.ty))
    }
}
