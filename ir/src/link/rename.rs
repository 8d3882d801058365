//! Everything in a unit that names something, by its new name.

use super::UnitId;
use super::symbols::{Kept, Symbols};
use crate::entity::PrimaryMap;
use crate::inst::{Callee, Op, Operand};
use crate::module::{FileId, FuncId, Function, Global, GlobalId};
use crate::types::TypeId;

/// What the ids of one unit are in the linked module.
pub struct Renaming<'s> {
    /// The unit.
    pub unit: UnitId,
    /// Functions and globals.
    pub symbols: &'s Symbols,
    /// Types.
    pub types: PrimaryMap<TypeId, TypeId>,
    /// Files.
    pub files: PrimaryMap<FileId, FileId>,
    /// The place that becomes of the unit's first one.
    pub first_loc: usize,
}

impl Renaming<'_> {
    fn ty(&self, ty: Option<TypeId>) -> Option<TypeId> {
        ty.map(|ty| self.types[ty])
    }

    /// An operand; values stay as they are, since each function has its own.
    pub fn operand(&self, operand: Operand) -> Operand {
        match operand {
            Operand::Global(id, offset) => {
                let (id, start) = self.symbols.global(self.unit, id);
                Operand::Global(id, start.wrapping_add(offset))
            }
            Operand::Func(id) => Operand::Func(self.symbols.func(self.unit, id)),
            Operand::Value(_) | Operand::Int { .. } | Operand::Null | Operand::Undef(_) => operand,
        }
    }

    /// Renames within a global that is kept.
    pub fn global(&self, kept: &Kept<GlobalId>, global: &mut Global) {
        global.name.clone_from(&kept.name);
        global.constant = kept.constant;
        global.ty = self.ty(global.ty);
        global.loc = self.loc(global.loc);
        for cell in &mut global.init {
            cell.value = self.operand(cell.value);
        }
    }

    /// Renames within a function that is kept.
    pub fn function(&self, kept: &Kept<FuncId>, function: &mut Function) {
        function.name.clone_from(&kept.name);
        function.ret_decl = self.ty(function.ret_decl);
        function.loc = self.loc(function.loc);
        for param in &mut function.params {
            param.decl = self.ty(param.decl);
        }
        for inst in function.insts.values_mut() {
            inst.loc = self.loc(inst.loc);
            self.op(&mut inst.op);
        }
        for block in function.blocks.values_mut() {
            block.term_loc = self.loc(block.term_loc);
            if let Some(operand) = block.term.operand_mut() {
                *operand = self.operand(*operand);
            }
        }
    }

    fn op(&self, op: &mut Op) {
        for operand in op.operands_mut() {
            *operand = self.operand(*operand);
        }
        match op {
            Op::PtrAdd { within: ty, .. } | Op::Alloca { ty, .. } => *ty = self.ty(*ty),
            Op::Call { callee, .. } => self.callee(callee),
            Op::Bin(..)
            | Op::Cmp(..)
            | Op::Select { .. }
            | Op::Cast(..)
            | Op::Phi(_)
            | Op::Load { .. }
            | Op::Store { .. }
            | Op::Rmw { .. }
            | Op::CmpXchg { .. }
            | Op::MemSet { .. }
            | Op::MemCopy { .. }
            | Op::Extract { .. }
            | Op::Havoc
            | Op::Data
            | Op::Cpu
            | Op::Alloc { .. }
            | Op::Free { .. }
            | Op::Access { .. }
            | Op::Acquire { .. }
            | Op::Release { .. }
            | Op::Publish { .. }
            | Op::Register { .. }
            | Op::Unregister { .. }
            | Op::External { .. } => {}
        }
    }

    fn callee(&self, callee: &mut Callee) {
        match callee {
            Callee::Func(id) => *id = self.symbols.func(self.unit, *id),
            Callee::Indirect(_, Some(id)) => *id = self.symbols.func(self.unit, *id),
            // Its operand is among those of the operation.
            Callee::Indirect(_, None) | Callee::Asm(_) => {}
        }
    }
}
