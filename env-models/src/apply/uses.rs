//! That a function of the kernel's uses an object which it gets, though its row says nothing of it: what it does there is the kernel's
//! own business (a count, a list under a lock of its own), but it does it in memory that must not have ended, and that is ready.
//!
//! So it reads the first byte, as who uses a lock does: marked, so that only who makes or ends the object races with that.

use std::collections::{BTreeSet, HashSet};

use lockpair_ir::{Callee, EntityRef, Function, Mark, Module, Op, Operand, Ty, TypeDef, TypeId};

use super::emit::is_null;
use super::site::Site;
use super::{Pass, Target};
use crate::model::Model;
use crate::schema::{AddrExpr, Base, Effect, FunctionRow};

/// The types of objects that the module may make and end: what lies in structs of its own, and what functions end that it calls.
pub(super) fn endable(pass: &Pass<'_>) -> HashSet<TypeId> {
    let mut found = HashSet::new();
    for (id, _) in pass.module.types.iter().filter(|(_, ty)| is_private(ty)) {
        add_with_parts(&pass.module, id, &mut found);
    }
    for func in pass.module.funcs.values() {
        for inst in func.insts.values() {
            let Op::Call { callee: Callee::Func(callee), args } = &inst.op else { continue };
            let Target::Row(row) = pass.targets[callee.index()] else { continue };
            let declared = |n: u32| {
                let decl = pass.param_decls[callee.index()].get(n as usize).copied().flatten();
                let by_callee = decl.and_then(|decl| pass.module.pointee(decl));
                by_callee.or_else(|| stored_pointee(&pass.module, func, *args.get(n as usize)?))
            };
            let is_struct = |ty: &TypeId| pass.module.as_struct(*ty).is_some();
            found.extend(ended(row).into_iter().filter_map(declared).filter(is_struct));
        }
    }
    found
}

fn is_private(ty: &TypeDef) -> bool {
    matches!(ty, TypeDef::Struct(def) if def.module_private)
}

/// A struct of the module's own, and all that lies in it, as long as that is not in one of the kernel's.
fn add_with_parts(module: &Module, ty: TypeId, found: &mut HashSet<TypeId>) {
    match &module.types[ty] {
        TypeDef::Array { elem, .. } => add_with_parts(module, *elem, found),
        TypeDef::Struct(def) => {
            if found.insert(ty) && def.module_private {
                def.fields.iter().for_each(|field| add_with_parts(module, field.ty, found));
            }
        }
        _ => {}
    }
}

/// The arguments whose objects end by the call.
fn ended(row: &FunctionRow) -> Vec<u32> {
    let argument = |effect: &Effect| match effect {
        Effect::Free { ptr: AddrExpr { base: Base::Param(n), steps }, .. } if steps.is_empty() => Some(*n),
        _ => None,
    };
    row.effects.iter().filter_map(argument).collect()
}

/// Whether the function uses what it gets though its row does not say so. What was inferred says all; intrinsics of LLVM do nothing
/// besides.
pub(super) fn of(row: &FunctionRow, model: &Model) -> bool {
    !row.address_only && !row.name.starts_with("llvm.") && !model.inferred.contains(&row.name)
}

impl Site<'_> {
    /// Uses the objects among the arguments of which none of the effects says what happens to them.
    pub(super) fn uses(&mut self, effects: &[Effect], endable: &HashSet<TypeId>) {
        let said: BTreeSet<u32> = effects.iter().flat_map(said_of).collect();
        let all = u32::try_from(self.call.args.len()).expect("the number of arguments");
        for index in (0..all).filter(|index| !said.contains(index)) {
            let addr = self.call.args[index as usize];
            if self.is_object(addr, index, endable) {
                let len = Operand::int(64, 1);
                self.emit(Op::Access { addr, len, write: false, mark: Mark::Volatile });
            }
        }
    }

    fn is_object(&self, addr: Operand, index: u32, endable: &HashSet<TypeId>) -> bool {
        let is_variable = matches!(addr, Operand::Global(..));
        if self.func.operand_ty(addr) != Ty::Ptr || is_null(addr) || is_variable || addr.func().is_some() {
            return false;
        }
        // Untyped, it may be no more than a number to the function.
        let declared = self.declared_by_callee(index).map(|ty| self.module.pointee(ty));
        if declared.is_some_and(|to| to.is_none_or(|ty| self.module.as_struct(ty).is_none())) {
            return false;
        }
        let within = self.module.place_of(self.func, addr).map(|(strukt, _)| strukt);
        let declared = || self.declared_pointee(index);
        let stored = || stored_pointee(self.module, self.func, addr);
        within.or_else(declared).or_else(stored).is_some_and(|ty| endable.contains(&ty))
    }
}

/// What the member is declared to point to that the pointer was read from.
fn stored_pointee(module: &Module, func: &Function, pointer: Operand) -> Option<TypeId> {
    let Operand::Value(value) = pointer else { return None };
    let Op::Load { addr, .. } = func.insts[func.values[value].inst?].op else { return None };
    let (strukt, offset) = module.place_of(func, addr)?;
    module.pointee(module.type_at(strukt, offset)?)
}

/// The arguments of which the effect says what happens to what they lead to, or that the call computes an address from them alone.
fn said_of(effect: &Effect) -> Vec<u32> {
    match effect {
        Effect::Text { text, .. } => vec![*text],
        Effect::ReturnError(n) => vec![*n],
        Effect::Unknown(args) => args.clone(),
        Effect::Rest { from, .. } | Effect::Formatted { from, .. } => (*from..u32::MAX).take(64).collect(),
        Effect::Transfer(messages) => vec![messages.array],
        // What a callback will get is a number for who registers it.
        Effect::Register { argument, .. } => bases(effect).chain(argument.map(|(_, n)| n)).collect(),
        effect => bases(effect).collect(),
    }
}

/// The arguments that addresses in the effect begin with.
fn bases(effect: &Effect) -> impl Iterator<Item = u32> {
    effect.addresses().into_iter().filter_map(|addr| match addr.base {
        Base::Param(n) | Base::Own(n) => Some(n),
        _ => None,
    })
}
