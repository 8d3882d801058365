//! Calls: of functions, through pointers, of inline assembly, and of LLVM's own functions.

use super::convert::resolve_alias;
use super::function::Body;
use super::intrinsics::Intrinsic;
use super::llvm::{Opcode, TypeKind, Value, ValueKind};
use lockpair_ir::{Asm, Callee, Mark, Op, Operand, Ty};

/// The bytes of a `va_list` of x86-64.
const VA_LIST_BYTES: u128 = 24;

impl<'m> Body<'_, 'm> {
    /// Converts a call; one that may also jump ends its block.
    pub fn call(&mut self, inst: Value<'m>) {
        let callee = inst.callee().map(resolve_alias);
        let known = callee.and_then(|callee| self.cx.intrinsics.get(&callee).copied());
        match (known, callee) {
            (Some(known), Some(callee)) => self.intrinsic(inst, callee, known),
            (None, Some(callee)) => {
                let callee = self.callee(callee);
                self.plain_call(inst, callee);
            }
            (_, None) => self.cx.unsupported("call of nothing", self.loc),
        }
        if !matches!(inst.opcode(), Opcode::LLVMCall) {
            self.jump_anywhere(inst);
        }
    }

    /// Assembly with labels goes to any of them, or on.
    fn jump_anywhere(&mut self, inst: Value<'m>) {
        let mut targets = Vec::new();
        for block in inst.successors() {
            let id = self.block_id(block);
            if !targets.contains(&id) {
                targets.push(id);
            }
        }
        if let Some((first, rest)) = targets.split_first() {
            let term = self.any_of(*first, rest);
            self.terminate(term);
        }
    }

    fn callee(&mut self, callee: Value<'m>) -> Callee {
        if let ValueKind::LLVMInlineAsmValueKind = callee.kind() {
            let (template, constraints) = callee.asm();
            return Callee::Asm(Asm {
                template: template.into_owned(),
                constraints: constraints.into_owned(),
            });
        }
        match self.cx.function_id(callee) {
            Some(id) => Callee::Func(id),
            None => Callee::Indirect(self.operand(callee), None),
        }
    }

    fn plain_call(&mut self, inst: Value<'m>, callee: Callee) {
        let args = self.arguments(inst);
        let result = self.result_type(inst);
        if let Some(value) = self.emit(Op::Call { callee, args }, result) {
            let result = self.as_declared(inst, Operand::Value(value));
            self.define(inst, result);
        }
    }

    fn arguments(&mut self, inst: Value<'m>) -> Vec<Operand> {
        let is_value = |arg: &Value<'m>| !matches!(arg.ty().kind(), TypeKind::LLVMMetadataTypeKind);
        inst.arguments().into_iter().filter(is_value).map(|arg| self.operand(arg)).collect()
    }

    fn intrinsic(&mut self, inst: Value<'m>, callee: Value<'m>, known: Intrinsic) {
        let ty = self.result_type(inst);
        let result = match (known, ty) {
            (Intrinsic::Unknown, _) => {
                let id = self.cx.declare_intrinsic(callee);
                return self.plain_call(inst, Callee::Func(id));
            }
            (Intrinsic::Copy | Intrinsic::Fill | Intrinsic::CopyArguments | Intrinsic::StartArguments, _) => {
                return self.memory_intrinsic(inst, known);
            }
            (_, None) => return,
            (Intrinsic::Nothing, Some(ty)) => self.havoc(ty),
            (Intrinsic::Arbitrary, Some(ty)) => self.mixed(inst, ty),
            (Intrinsic::First, Some(ty)) => self.same_bits(inst, ty),
            (Intrinsic::Zero, Some(ty)) => self.integer(ty, 0),
            (Intrinsic::ObjectSize, Some(ty)) => {
                let smallest = inst.operand(1).and_then(Value::int_value) == Some(1);
                self.integer(ty, if smallest { 0 } else { u128::MAX })
            }
            (Intrinsic::Overflow(op, _), Some(_)) => {
                let (a, b) = (self.operand_at(inst, 0), self.operand_at(inst, 1));
                let ty = self.function.operand_ty(a);
                if matches!(ty, Ty::Int(_)) {
                    self.compute(Op::Bin(op, a, b), ty)
                } else {
                    self.mixed(inst, ty)
                }
            }
            (Intrinsic::Choose(op), Some(ty)) => {
                let (a, b) = (self.operand_at(inst, 0), self.operand_at(inst, 1));
                let cond = self.compute(Op::Cmp(op, a, b), Ty::Int(1));
                self.compute(Op::Select { cond, then: a, els: b }, ty)
            }
        };
        self.define(inst, result);
    }

    fn integer(&mut self, ty: Ty, value: u128) -> Operand {
        match ty {
            Ty::Int(bits) => Operand::int(bits, value),
            Ty::Ptr | Ty::Opaque(_) => self.havoc(ty),
        }
    }

    fn memory_intrinsic(&mut self, inst: Value<'m>, known: Intrinsic) {
        let va_list = Operand::int(64, VA_LIST_BYTES);
        let (first, second) = (self.operand_at(inst, 0), self.operand_at(inst, 1));
        let op = match known {
            Intrinsic::Copy => Op::MemCopy { dst: first, src: second, len: self.operand_at(inst, 2) },
            Intrinsic::Fill => Op::MemSet { dst: first, byte: second, len: self.operand_at(inst, 2) },
            Intrinsic::CopyArguments => Op::MemCopy { dst: first, src: second, len: va_list },
            _ => Op::Access { addr: first, len: va_list, write: true, mark: Mark::Plain },
        };
        self.emit(op, None);
    }
}
