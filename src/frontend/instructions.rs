//! Instructions other than calls.

use super::convert::resolve_alias;
use super::function::{Body, is_aggregate};
use super::intrinsics::Intrinsic;
use super::llvm::{AtomicBinOp, AtomicOrdering, Opcode, Predicate, Type, TypeKind, Value, ValueKind};
use super::types::Pointee;
use lockpair_ir::{BinOp, CmpOp, Mark, Op, Operand, Ordering, RmwOp, Ty, TypeId};

impl<'m> Body<'_, 'm> {
    /// Converts one instruction.
    pub fn instruction(&mut self, inst: Value<'m>) {
        let ty = self.result_type(inst).unwrap_or(Ty::Opaque(0));
        let opcode = inst.opcode();
        let result = match opcode {
            Opcode::LLVMBr
            | Opcode::LLVMSwitch
            | Opcode::LLVMIndirectBr
            | Opcode::LLVMRet
            | Opcode::LLVMUnreachable => return self.terminator(inst),
            Opcode::LLVMCall | Opcode::LLVMInvoke | Opcode::LLVMCallBr => return self.call(inst),
            Opcode::LLVMPHI => return self.phi(inst),
            Opcode::LLVMStore => return self.store(inst),
            Opcode::LLVMFence => return,
            // Looked at when a part of it is used.
            Opcode::LLVMInsertValue => return,
            Opcode::LLVMAdd
            | Opcode::LLVMSub
            | Opcode::LLVMMul
            | Opcode::LLVMUDiv
            | Opcode::LLVMSDiv
            | Opcode::LLVMURem
            | Opcode::LLVMSRem
            | Opcode::LLVMShl
            | Opcode::LLVMLShr
            | Opcode::LLVMAShr
            | Opcode::LLVMAnd
            | Opcode::LLVMOr
            | Opcode::LLVMXor => self.binary(opcode, inst, ty),
            Opcode::LLVMICmp => self.compare(inst, ty),
            Opcode::LLVMSelect => self.select(inst, ty),
            Opcode::LLVMTrunc
            | Opcode::LLVMZExt
            | Opcode::LLVMSExt
            | Opcode::LLVMPtrToInt
            | Opcode::LLVMIntToPtr => {
                let source = self.operand_at(inst, 0);
                self.cast(opcode, source, ty)
            }
            Opcode::LLVMBitCast | Opcode::LLVMAddrSpaceCast => self.same_bits(inst, ty),
            Opcode::LLVMFreeze => self.freeze(inst, ty),
            Opcode::LLVMAlloca => self.alloca(inst),
            Opcode::LLVMLoad => {
                let addr = self.operand_at(inst, 0);
                let mark = mark_of(inst);
                self.compute(Op::Load { addr, mark }, ty)
            }
            Opcode::LLVMAtomicRMW => self.atomic(inst, ty),
            Opcode::LLVMAtomicCmpXchg => self.compare_exchange(inst),
            Opcode::LLVMGetElementPtr => self.gep(inst),
            Opcode::LLVMExtractValue => self.extract(inst, ty),
            Opcode::LLVMFNeg
            | Opcode::LLVMFAdd
            | Opcode::LLVMFSub
            | Opcode::LLVMFMul
            | Opcode::LLVMFDiv
            | Opcode::LLVMFRem
            | Opcode::LLVMFCmp
            | Opcode::LLVMFPToUI
            | Opcode::LLVMFPToSI
            | Opcode::LLVMUIToFP
            | Opcode::LLVMSIToFP
            | Opcode::LLVMFPTrunc
            | Opcode::LLVMFPExt
            | Opcode::LLVMExtractElement
            | Opcode::LLVMInsertElement
            | Opcode::LLVMShuffleVector => self.mixed(inst, ty),
            // What is passed so was given away where the list begins.
            Opcode::LLVMVAArg => self.havoc(ty),
            Opcode::LLVMResume
            | Opcode::LLVMLandingPad
            | Opcode::LLVMCleanupRet
            | Opcode::LLVMCatchRet
            | Opcode::LLVMCatchPad
            | Opcode::LLVMCleanupPad
            | Opcode::LLVMCatchSwitch
            | Opcode::LLVMUserOp1
            | Opcode::LLVMUserOp2 => return self.unsupported(inst),
        };
        let result = self.as_declared(inst, result);
        self.define(inst, result);
    }

    /// A pointer, of which the variable that it is stored to says what it points to.
    pub fn as_declared(&mut self, inst: Value<'m>, pointer: Operand) -> Operand {
        let is_pointer = self.function.operand_ty(pointer) == Ty::Ptr;
        let declared = self.cx.llvm.attached(inst, self.cx.type_kind).filter(|_| is_pointer);
        let is_alloca = matches!(inst.opcode(), Opcode::LLVMAlloca);
        let Some(node) = declared.filter(|_| !is_alloca) else { return pointer };
        match (self.cx.layouts.types.pointee(&mut self.cx.sources, node), pointer) {
            (Pointee::Struct(strukt), _) => return self.declared_as(pointer, strukt),
            (Pointee::Data, Operand::Value(v)) => _ = self.function.as_data.insert(v),
            (Pointee::Data | Pointee::Void | Pointee::Other, _) => {}
        }
        pointer
    }

    /// The pointer as one to the struct.
    pub fn declared_as(&mut self, pointer: Operand, strukt: TypeId) -> Operand {
        let op = Op::PtrAdd { base: pointer, offset: 0, scaled: Vec::new(), within: Some(strukt) };
        let declared = self.compute(op, Ty::Ptr);
        if let Operand::Value(v) = declared {
            self.function.as_struct.insert(v);
        }
        declared
    }

    /// Something that C does not need.
    fn unsupported(&mut self, inst: Value<'m>) {
        let name = format!("{:?}", inst.opcode());
        if inst.successors().is_empty() {
            match self.result_type(inst) {
                Some(ty) => {
                    let value = self.give_up(name, ty);
                    self.define(inst, value);
                }
                None => self.cx.unsupported(name, self.loc),
            }
        } else {
            self.terminator(inst);
        }
    }

    /// Integer arithmetic.
    pub fn binary(&mut self, opcode: Opcode, inst: Value<'m>, ty: Ty) -> Operand {
        let op = match opcode {
            Opcode::LLVMAdd => BinOp::Add,
            Opcode::LLVMSub => BinOp::Sub,
            Opcode::LLVMMul => BinOp::Mul,
            Opcode::LLVMUDiv => BinOp::UDiv,
            Opcode::LLVMSDiv => BinOp::SDiv,
            Opcode::LLVMURem => BinOp::URem,
            Opcode::LLVMSRem => BinOp::SRem,
            Opcode::LLVMShl => BinOp::Shl,
            Opcode::LLVMLShr => BinOp::LShr,
            Opcode::LLVMAShr => BinOp::AShr,
            Opcode::LLVMAnd => BinOp::And,
            Opcode::LLVMOr => BinOp::Or,
            Opcode::LLVMXor => BinOp::Xor,
            _ => return self.mixed(inst, ty),
        };
        if !matches!(ty, Ty::Int(_)) {
            return self.mixed(inst, ty);
        }
        let (a, b) = (self.operand_at(inst, 0), self.operand_at(inst, 1));
        self.compute(Op::Bin(op, a, b), ty)
    }

    fn compare(&mut self, inst: Value<'m>, ty: Ty) -> Operand {
        let (a, b) = (self.operand_at(inst, 0), self.operand_at(inst, 1));
        if ty != Ty::Int(1) || matches!(self.function.operand_ty(a), Ty::Opaque(_)) {
            return self.havoc(ty);
        }
        let op = match inst.predicate() {
            Predicate::LLVMIntEQ => CmpOp::Eq,
            Predicate::LLVMIntNE => CmpOp::Ne,
            Predicate::LLVMIntUGT => CmpOp::Ugt,
            Predicate::LLVMIntUGE => CmpOp::Uge,
            Predicate::LLVMIntULT => CmpOp::Ult,
            Predicate::LLVMIntULE => CmpOp::Ule,
            Predicate::LLVMIntSGT => CmpOp::Sgt,
            Predicate::LLVMIntSGE => CmpOp::Sge,
            Predicate::LLVMIntSLT => CmpOp::Slt,
            Predicate::LLVMIntSLE => CmpOp::Sle,
        };
        self.compute(Op::Cmp(op, a, b), ty)
    }

    fn select(&mut self, inst: Value<'m>, ty: Ty) -> Operand {
        let cond = self.operand_at(inst, 0);
        if self.function.operand_ty(cond) != Ty::Int(1) {
            return self.mixed(inst, ty);
        }
        let (then, els) = (self.operand_at(inst, 1), self.operand_at(inst, 2));
        match cond {
            Operand::Int { value: 0, .. } => els,
            Operand::Int { .. } => then,
            _ if then == els => then,
            _ => self.compute(Op::Select { cond, then, els }, ty),
        }
    }

    /// An arbitrary value becomes one value, the same at each use.
    fn freeze(&mut self, inst: Value<'m>, ty: Ty) -> Operand {
        match self.operand_at(inst, 0) {
            Operand::Undef(_) => self.havoc(ty),
            operand => operand,
        }
    }

    fn alloca(&mut self, inst: Value<'m>) -> Operand {
        let allocated = inst.allocated_type();
        let declared = self.cx.llvm.attached(inst, self.cx.type_kind);
        let ty = match declared {
            Some(node) => Some(self.cx.declared_variable(allocated, node)),
            None => self.cx.layouts.known_type_of(allocated),
        };
        let size = self.cx.llvm.size_of(allocated);
        let count = self.operand_at(inst, 0);
        self.compute(Op::Alloca { size, count, ty }, Ty::Ptr)
    }

    fn store(&mut self, inst: Value<'m>) {
        let (value, addr) = (self.operand_at(inst, 0), self.operand_at(inst, 1));
        self.emit(Op::Store { addr, value, mark: mark_of(inst) }, None);
    }

    fn atomic(&mut self, inst: Value<'m>, ty: Ty) -> Operand {
        let (addr, value) = (self.operand_at(inst, 0), self.operand_at(inst, 1));
        let order = order_of(inst.ordering());
        let op = match inst.atomic_op() {
            AtomicBinOp::LLVMAtomicRMWBinOpXchg => RmwOp::Xchg,
            AtomicBinOp::LLVMAtomicRMWBinOpAdd => RmwOp::Add,
            AtomicBinOp::LLVMAtomicRMWBinOpSub => RmwOp::Sub,
            AtomicBinOp::LLVMAtomicRMWBinOpAnd => RmwOp::And,
            AtomicBinOp::LLVMAtomicRMWBinOpOr => RmwOp::Or,
            AtomicBinOp::LLVMAtomicRMWBinOpXor => RmwOp::Xor,
            _ => {
                let len = Operand::int(64, u128::from(ty.bytes()));
                self.emit(Op::Access { addr, len, write: true, mark: Mark::Atomic(order) }, None);
                return self.mixed(inst, ty);
            }
        };
        self.compute(Op::Rmw { op, addr, value, order }, ty)
    }

    /// The operand of the instruction is the old value; [`Body::extract`] makes the flag from it.
    fn compare_exchange(&mut self, inst: Value<'m>) -> Operand {
        let (addr, expected, new) =
            (self.operand_at(inst, 0), self.operand_at(inst, 1), self.operand_at(inst, 2));
        let ty = self.function.operand_ty(expected);
        self.compute(Op::CmpXchg { addr, expected, new, order: order_of(inst.success_ordering()) }, ty)
    }

    /// The address that a getelementptr, instruction or constant expression, computes: leading indices
    /// first, then the path into the first struct in one piece that says which struct.
    pub fn gep(&mut self, gep: Value<'m>) -> Operand {
        if !matches!(gep.ty().kind(), TypeKind::LLVMPointerTypeKind) {
            let ty = self.cx.value_type(gep.ty());
            return self.havoc(ty);
        }
        let mut path = Path { base: self.operand_at(gep, 0), ..Path::default() };
        let mut ty = gep.gep_source_type();
        for position in 1..gep.operand_count() {
            let Some(index) = gep.operand(position) else { continue };
            if position > 1 && matches!(ty.kind(), TypeKind::LLVMStructTypeKind) {
                self.enter_struct(&mut path, ty);
                ty = self.step_to_field(&mut path, ty, index);
            } else {
                if position > 1 {
                    ty = ty.array_element();
                }
                self.step_by_index(&mut path, ty, index);
            }
        }
        self.flush(path)
    }

    /// From here on the path stays within a struct. Structs without a name are the compiler's own.
    fn enter_struct(&mut self, path: &mut Path, ty: Type<'m>) {
        if path.within.is_none() && ty.struct_name().is_some() {
            let base = self.flush(std::mem::take(path));
            let within = self.cx.layouts.known_at(ty, self.place_in_struct(base));
            *path = Path { base, within, ..Path::default() };
        }
    }

    /// The struct and the offset in it that an address has just been computed from.
    fn place_in_struct(&self, address: Operand) -> Option<(TypeId, u64)> {
        let Operand::Value(value) = address else { return None };
        match &self.function.insts[self.function.values[value].inst?].op {
            Op::PtrAdd { within: Some(ty), offset, scaled, .. } if scaled.is_empty() => {
                Some((*ty, u64::try_from(*offset).ok()?))
            }
            _ => None,
        }
    }

    fn step_to_field(&mut self, path: &mut Path, ty: Type<'m>, index: Value<'m>) -> Type<'m> {
        let field = index.signed_value().and_then(|i| u32::try_from(i).ok()).unwrap_or(0);
        match ty.struct_element(field) {
            Some(element) => {
                path.offset = path.offset.wrapping_add(self.cx.llvm.offset_of(ty, field) as i64);
                element
            }
            None => ty,
        }
    }

    fn step_by_index(&mut self, path: &mut Path, element: Type<'m>, index: Value<'m>) {
        let scale = self.cx.llvm.size_of(element) as i64;
        if let Some(constant) = index.signed_value() {
            path.offset = path.offset.wrapping_add(constant.wrapping_mul(scale));
        } else {
            let index = self.operand(index);
            path.scaled.push((index, scale));
        }
    }

    /// The address at the end of a path. Without a struct, adding nothing is nothing.
    fn flush(&mut self, path: Path) -> Operand {
        let Path { base, offset, scaled, within } = path;
        if within.is_none() && scaled.is_empty() {
            match base {
                _ if offset == 0 => return base,
                Operand::Global(id, start) => return Operand::Global(id, start.wrapping_add(offset)),
                _ => {}
            }
        }
        self.compute(Op::PtrAdd { base, offset, scaled, within }, Ty::Ptr)
    }

    /// A part of an aggregate, found where it was put in if that can be seen.
    fn extract(&mut self, inst: Value<'m>, ty: Ty) -> Operand {
        match inst.operand(0) {
            Some(aggregate) => self.part(aggregate, inst.indices(), ty),
            None => self.havoc(ty),
        }
    }

    fn part(&mut self, aggregate: Value<'m>, path: &[u32], ty: Ty) -> Operand {
        let Some((&index, rest)) = path.split_first() else {
            return if is_aggregate(aggregate) { self.havoc(ty) } else { self.operand(aggregate) };
        };
        match aggregate.kind() {
            ValueKind::LLVMInstructionValueKind => match aggregate.opcode() {
                Opcode::LLVMInsertValue => self.inserted_part(aggregate, path, ty),
                Opcode::LLVMAtomicCmpXchg if index == 0 => self.operand(aggregate),
                Opcode::LLVMAtomicCmpXchg => {
                    let (old, expected) = (self.operand(aggregate), self.operand_at(aggregate, 1));
                    self.compute(Op::Cmp(CmpOp::Eq, old, expected), Ty::Int(1))
                }
                Opcode::LLVMCall if self.overflow_of(aggregate).is_some() => {
                    self.overflow_part(aggregate, index, ty)
                }
                _ => self.component(aggregate, index, ty),
            },
            ValueKind::LLVMArgumentValueKind => self.component(aggregate, index, ty),
            _ => match aggregate.element(index) {
                Some(element) => self.part(element, rest, ty),
                None => self.havoc(ty),
            },
        }
    }

    /// An arbitrary value out of an aggregate that was made elsewhere, at any depth of it.
    fn component(&mut self, aggregate: Value<'m>, index: u32, ty: Ty) -> Operand {
        let agg = self.operand(aggregate);
        self.compute(Op::Extract { agg, index }, ty)
    }

    fn inserted_part(&mut self, insert: Value<'m>, path: &[u32], ty: Ty) -> Operand {
        let (Some(outer), Some(inserted)) = (insert.operand(0), insert.operand(1)) else {
            return self.havoc(ty);
        };
        let at = insert.indices();
        match path.strip_prefix(at) {
            Some([]) => self.operand(inserted),
            Some(rest) => self.part(inserted, rest, ty),
            // A part that has parts of its own, of which one was put in.
            None if at.starts_with(path) => self.whole(insert, ty),
            None => self.part(outer, path, ty),
        }
    }

    /// The meaning of a call of an intrinsic that tells of overflow.
    fn overflow_of(&self, call: Value<'m>) -> Option<(BinOp, bool)> {
        match self.cx.intrinsics.get(&resolve_alias(call.callee()?)) {
            Some(Intrinsic::Overflow(op, signed)) => Some((*op, *signed)),
            _ => None,
        }
    }

    /// The wrapped result, or whether it wrapped: that is a comparison where it is simple.
    fn overflow_part(&mut self, call: Value<'m>, index: u32, ty: Ty) -> Operand {
        let result = self.operand(call);
        if index == 0 || ty != Ty::Int(1) {
            return result;
        }
        match self.overflow_of(call) {
            Some((BinOp::Add, false)) => {
                let a = self.operand_at(call, 0);
                self.compute(Op::Cmp(CmpOp::Ult, result, a), ty)
            }
            Some((BinOp::Sub, false)) => {
                let (a, b) = (self.operand_at(call, 0), self.operand_at(call, 1));
                self.compute(Op::Cmp(CmpOp::Ult, a, b), ty)
            }
            _ => self.havoc(ty),
        }
    }
}

/// An address that is being put together.
struct Path {
    base: Operand,
    offset: i64,
    scaled: Vec<(Operand, i64)>,
    within: Option<TypeId>,
}

impl Default for Path {
    fn default() -> Path {
        Path { base: Operand::Null, offset: 0, scaled: Vec::new(), within: None }
    }
}

/// How a load or store is marked.
fn mark_of(inst: Value<'_>) -> Mark {
    match inst.ordering() {
        AtomicOrdering::LLVMAtomicOrderingNotAtomic if inst.is_volatile() => Mark::Volatile,
        AtomicOrdering::LLVMAtomicOrderingNotAtomic => Mark::Plain,
        order => Mark::Atomic(order_of(order)),
    }
}

fn order_of(order: AtomicOrdering) -> Ordering {
    match order {
        AtomicOrdering::LLVMAtomicOrderingNotAtomic
        | AtomicOrdering::LLVMAtomicOrderingUnordered
        | AtomicOrdering::LLVMAtomicOrderingMonotonic => Ordering::Relaxed,
        AtomicOrdering::LLVMAtomicOrderingAcquire => Ordering::Acquire,
        AtomicOrdering::LLVMAtomicOrderingRelease => Ordering::Release,
        AtomicOrdering::LLVMAtomicOrderingAcquireRelease => Ordering::AcqRel,
        AtomicOrdering::LLVMAtomicOrderingSequentiallyConsistent => Ordering::SeqCst,
    }
}
