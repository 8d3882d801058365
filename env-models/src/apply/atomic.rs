//! Atomic and bit operations -> instructions that keep their values.

use lockpair_ir::{BinOp, CastOp, CmpOp, Mark, Op, Operand, RmwOp, Ty};

use super::site::{Site, Unresolved};
use crate::schema::{AddrExpr, Amount, AtomicOp, AtomicResult, Base, CmpXchgResult, Expected, VariableIs};

/// The bits of a `long`, the unit of bit operations.
const LONG: u16 = 64;

impl Site<'_> {
    /// Whether an argument points to the variable of which each CPU's copy is its number.
    fn is_cpu_number(&self, index: u32) -> bool {
        let Ok(Operand::Global(global, 0)) = self.arg(index) else { return false };
        self.model.variable_is(&self.module.globals[global].name, VariableIs::CpuNumber)
    }

    /// Emits an operation on `bits` bits at the address.
    pub(super) fn atomic(
        &mut self,
        addr: &AddrExpr,
        bits: u16,
        op: &AtomicOp,
        mark: Mark,
    ) -> Result<(), Unresolved> {
        if let (Base::Own(index), AtomicOp::Read) = (&addr.base, op)
            && self.is_cpu_number(*index)
        {
            self.define(Op::Cpu, Ty::Int(64));
            return Ok(());
        }
        let addr = self.address(addr)?;
        match op {
            AtomicOp::Read => {
                // A pointer read keeps its type: cmpxchg and xchg work on pointers, too.
                let ty =
                    self.dest_ty().filter(|ty| ty.bytes() * 8 == u64::from(bits)).unwrap_or(Ty::Int(bits));
                self.define(Op::Load { addr, mark }, ty);
            }
            AtomicOp::Set(value) => {
                let value = self.scalar(value, bits)?;
                self.emit(Op::Store { addr, value, mark });
            }
            AtomicOp::Rmw { op, operand, returns } => {
                let operand = match op {
                    RmwOp::Xchg => self.scalar(operand, bits)?,
                    _ => self.amount(operand, bits)?,
                };
                let wanted = *returns == AtomicResult::Old;
                let old = self.read_modify_write(*op, addr, operand, mark, wanted);
                self.rmw_result(*op, old, operand, *returns);
            }
            AtomicOp::CmpXchg { expected, new, returns } => {
                self.compare_exchange(addr, bits, expected, new, *returns, mark)?;
            }
            AtomicOp::Bit { op, nr, returns } => self.change_bit(addr, *op, nr, *returns, mark)?,
            AtomicOp::TestBit { nr } => {
                let (addr, bit) = self.bit(addr, nr)?;
                let word = self.temp(Op::Load { addr, mark }, Ty::Int(LONG));
                self.define_bit(word, bit);
            }
        }
        Ok(())
    }

    /// `*addr = *addr op operand`; gives the old value, and makes it the result if `is_result`.
    fn read_modify_write(
        &mut self,
        op: RmwOp,
        addr: Operand,
        operand: Operand,
        mark: Mark,
        is_result: bool,
    ) -> Operand {
        let ty = self.func.operand_ty(operand);
        let Mark::Atomic(order) = mark else {
            let old = self.temp(Op::Load { addr, mark }, ty);
            let value = self.apply_rmw(op, old, operand);
            self.emit(Op::Store { addr, value, mark });
            if is_result {
                self.define_operand(old);
            }
            return old;
        };
        let rmw = Op::Rmw { op, addr, value: operand, order };
        if is_result {
            self.define(rmw, ty);
            return self.result.unwrap_or(operand);
        }
        self.temp(rmw, ty)
    }

    /// The value after a read-modify-write.
    fn apply_rmw(&mut self, op: RmwOp, old: Operand, operand: Operand) -> Operand {
        let op = match op {
            RmwOp::Xchg => return operand,
            RmwOp::Add => BinOp::Add,
            RmwOp::Sub => BinOp::Sub,
            RmwOp::And => BinOp::And,
            RmwOp::Or => BinOp::Or,
            RmwOp::Xor => BinOp::Xor,
        };
        let bits = u16::try_from(self.func.operand_ty(operand).bytes() * 8).unwrap_or(LONG);
        self.bin(op, old, operand, bits)
    }

    /// An amount as what a scalar of the width in memory holds: a pointer argument stays one.
    fn scalar(&mut self, amount: &Amount, bits: u16) -> Result<Operand, Unresolved> {
        match amount {
            Amount::Arg(index) if bits == 64 && self.func.operand_ty(self.arg(*index)?) == Ty::Ptr => {
                self.arg(*index)
            }
            _ => self.amount(amount, bits),
        }
    }

    /// The operand, a 64-bit scalar, as a pointer.
    fn as_pointer(&mut self, value: Operand) -> Operand {
        match (value, self.func.operand_ty(value)) {
            (Operand::Int { value: 0, .. }, _) => Operand::Null,
            (_, Ty::Ptr) => value,
            (_, Ty::Int(_) | Ty::Opaque(_)) => self.temp(Op::Cast(CastOp::IntToPtr, value), Ty::Ptr),
        }
    }

    fn rmw_result(&mut self, op: RmwOp, old: Operand, operand: Operand, returns: AtomicResult) {
        match returns {
            AtomicResult::None | AtomicResult::Old => {}
            AtomicResult::New => {
                let new = self.apply_rmw(op, old, operand);
                self.define_operand(new);
            }
            AtomicResult::NewIsZero | AtomicResult::NewIsNegative => {
                let new = self.apply_rmw(op, old, operand);
                let (new, zero) = match self.func.operand_ty(new) {
                    Ty::Int(bits) => (new, Operand::int(bits, 0)),
                    Ty::Ptr | Ty::Opaque(_) => (self.int(new, LONG, false), Operand::int(LONG, 0)),
                };
                let cmp = if returns == AtomicResult::NewIsZero { CmpOp::Eq } else { CmpOp::Slt };
                self.define_cmp(cmp, new, zero);
            }
        }
    }

    fn compare_exchange(
        &mut self,
        addr: Operand,
        bits: u16,
        expected: &Expected,
        new: &Amount,
        returns: CmpXchgResult,
        mark: Mark,
    ) -> Result<(), Unresolved> {
        let mut new = self.scalar(new, bits)?;
        let (mut expected, at) = match expected {
            Expected::Value(amount) => (self.scalar(amount, bits)?, None),
            Expected::At(index) => {
                let (at, ty) = (self.pointer(*index)?, self.func.operand_ty(new));
                (self.temp(Op::Load { addr: at, mark: Mark::Plain }, ty), Some(at))
            }
        };
        if self.func.operand_ty(new) != self.func.operand_ty(expected) {
            (new, expected) = (self.as_pointer(new), self.as_pointer(expected));
        }
        let ty = self.func.operand_ty(new);
        let old = match mark {
            Mark::Atomic(order) => self.temp(Op::CmpXchg { addr, expected, new, order }, ty),
            Mark::Plain | Mark::Volatile => {
                let old = self.temp(Op::Load { addr, mark }, ty);
                let equal = self.temp(Op::Cmp(CmpOp::Eq, old, expected), Ty::Int(1));
                let value = self.temp(Op::Select { cond: equal, then: new, els: old }, ty);
                self.emit(Op::Store { addr, value, mark });
                old
            }
        };
        if let Some(addr) = at {
            self.emit(Op::Store { addr, value: old, mark: Mark::Plain });
        }
        match returns {
            CmpXchgResult::Old => self.define_operand(old),
            CmpXchgResult::Success => self.define_cmp(CmpOp::Eq, old, expected),
            CmpXchgResult::SuccessAndOld => {
                let success = self.temp(Op::Cmp(CmpOp::Eq, old, expected), Ty::Int(1));
                self.define_aggregate(vec![success, old]);
            }
        }
        Ok(())
    }

    fn change_bit(
        &mut self,
        addr: Operand,
        op: RmwOp,
        nr: &Amount,
        returns: bool,
        mark: Mark,
    ) -> Result<(), Unresolved> {
        let (addr, bit) = self.bit(addr, nr)?;
        let mask = self.bin(BinOp::Shl, Operand::int(LONG, 1), bit, LONG);
        let ones = Operand::int(LONG, u128::MAX);
        let operand = if op == RmwOp::And { self.bin(BinOp::Xor, mask, ones, LONG) } else { mask };
        let old = self.read_modify_write(op, addr, operand, mark, false);
        if returns {
            self.define_bit(old, bit);
        }
        Ok(())
    }

    /// The address of the long that has bit `nr` of an array of longs, and the bit's number in it.
    fn bit(&mut self, addr: Operand, nr: &Amount) -> Result<(Operand, Operand), Unresolved> {
        let nr = match nr {
            Amount::Arg(index) => {
                let value = self.arg(*index)?;
                self.int(value, LONG, true)
            }
            other => self.amount(other, LONG)?,
        };
        let (offset, scaled) = match nr {
            Operand::Int { value, .. } => (word_offset(value), Vec::new()),
            _ => {
                let six = Operand::int(LONG, 6);
                let word = self.temp(Op::Bin(BinOp::AShr, nr, six), Ty::Int(LONG));
                if let Operand::Value(v) = word {
                    self.func.words_of_bits.insert(v);
                }
                (0, vec![(word, 8)])
            }
        };
        let place = if offset == 0 && scaled.is_empty() {
            addr
        } else {
            self.temp(Op::PtrAdd { base: addr, offset, scaled, within: None }, Ty::Ptr)
        };
        let bit = self.bin(BinOp::And, nr, Operand::int(LONG, 63), LONG);
        Ok((place, bit))
    }

    /// Makes a bit of a long the result.
    fn define_bit(&mut self, word: Operand, bit: Operand) {
        let shifted = self.temp(Op::Bin(BinOp::LShr, word, bit), Ty::Int(LONG));
        let low = self.temp(Op::Bin(BinOp::And, shifted, Operand::int(LONG, 1)), Ty::Int(LONG));
        self.define_cmp(CmpOp::Ne, low, Operand::int(LONG, 0));
    }
}

/// The offset in bytes of the long that has a constant bit number, which is signed.
fn word_offset(nr: u128) -> i64 {
    let nr = u64::try_from(nr & u128::from(u64::MAX)).unwrap_or(0).cast_signed();
    (nr >> 6) * 8
}
