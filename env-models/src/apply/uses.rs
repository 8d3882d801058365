//! That a function of the kernel's uses an object which it gets, though its row says nothing of it: what it does there is the kernel's
//! own business (a count, a list under a lock of its own), but it does it in memory that must not have ended, and that is ready.
//!
//! So it reads the first byte, as who uses a lock does: marked, so that only who makes or ends the object races with that. Of a variable of
//! the caller's it reads nothing (no byte), but from then on that is not unwritten any more (`memory::Rest`).

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
            let is_struct = |ty: &TypeId| pass.module.as_struct(*ty).is_some();
            let pointee = |decl: TypeId| pass.module.pointee(decl).filter(is_struct);
            let declared = |base: &Base| match *base {
                Base::Param(n) => {
                    let decl = pass.param_decls[callee.index()].get(n as usize).copied().flatten();
                    let stored = || stored_pointee(&pass.module, func, *args.get(n as usize)?);
                    decl.and_then(pointee).or_else(stored).filter(is_struct)
                }
                Base::Ret => pass.module.funcs[*callee].ret_decl.and_then(pointee),
                _ => None,
            };
            found.extend(ended(row).filter_map(declared));
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
        TypeDef::Struct(def) if found.insert(ty) && def.module_private => {
            def.fields.iter().for_each(|field| add_with_parts(module, field.ty, found));
        }
        _ => {}
    }
}

/// What leads to objects that end by the call, or by what it asks for.
fn ended(row: &FunctionRow) -> impl Iterator<Item = &Base> {
    row.effects.iter().filter_map(|effect| match effect {
        Effect::Free { ptr: AddrExpr { base, steps }, .. } if steps.is_empty() => Some(base),
        _ => None,
    })
}

/// Whether it counts that the function uses what it gets though its row does not say so. What was inferred says all; intrinsics of LLVM do nothing
/// besides.
pub(super) fn count(row: &FunctionRow, model: &Model) -> bool {
    !row.name.starts_with("llvm.") && !model.inferred.contains(&row.name)
}

impl Site<'_> {
    /// Uses the objects among the arguments of which none of the effects says what happens to them.
    pub(super) fn uses(&mut self, row: &FunctionRow, endable: &HashSet<TypeId>) {
        let all = u32::try_from(self.call.args.len()).expect("the number of arguments");
        let said = row
            .effects
            .iter()
            .flat_map(|effect| said_of(effect, all))
            .chain(row.address_only.iter().copied());
        let said: BTreeSet<u32> = said.collect();
        for index in (0..all).filter(|index| !said.contains(index)) {
            let addr = self.call.args[index as usize];
            if self.func.operand_ty(addr) != Ty::Ptr {
                continue;
            }
            let bytes = match self.is_object(addr, index, endable) {
                true => 1,
                // Whoever gets a variable may fill it in, though the row forgets to say so.
                false if self.is_of_caller(addr) => 0,
                false => continue,
            };
            let len = Operand::int(64, bytes);
            self.emit(Op::Access { addr, len, write: false, mark: Mark::Volatile });
        }
    }

    fn is_object(&self, addr: Operand, index: u32, endable: &HashSet<TypeId>) -> bool {
        let is_variable = matches!(addr, Operand::Global(..));
        if is_null(addr) || is_variable || addr.func().is_some() {
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

    /// Whether the address leads to a variable on the stack, or to what the caller of the function has given it, not as a constant.
    fn is_of_caller(&self, mut addr: Operand) -> bool {
        while let Operand::Value(value) = addr {
            addr = match self.func.values[value].inst.map(|inst| &self.func.insts[inst].op) {
                None => return self.func.params.iter().any(|param| param.value == value && !param.constant),
                Some(Op::PtrAdd { base, .. }) => *base,
                Some(op) => return matches!(op, Op::Alloca { .. }),
            };
        }
        false
    }
}

/// What the member is declared to point to that the pointer was read from.
pub(super) fn stored_pointee(module: &Module, func: &Function, pointer: Operand) -> Option<TypeId> {
    let Operand::Value(value) = pointer else { return None };
    let Op::Load { addr, .. } = func.insts[func.values[value].inst?].op else { return None };
    let (strukt, offset) = module.place_of(func, addr)?;
    module.pointee(module.type_at(strukt, offset)?)
}

/// The arguments of which the effect says what happens to what they lead to, or that the call computes an address from them alone.
fn said_of(effect: &Effect, count: u32) -> Vec<u32> {
    match effect {
        Effect::Text { text, .. } => vec![*text],
        Effect::ReturnError(n) => vec![*n],
        Effect::Unknown(args) => args.clone(),
        Effect::Rest { from, .. } | Effect::Formatted { from, .. } => (*from..count).collect(),
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
