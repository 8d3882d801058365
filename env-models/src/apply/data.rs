//! Untyped pointer members of the kernel's structs that lead to data alone are declared so.
//!
//! `void *` may point to anything. Where the model says that a member only ever holds buffers, it becomes
//! `unsigned char *`, and is treated as if the kernel had declared it so: what the module itself stores there
//! is still followed.

use lockpair_ir::{AssumptionKind, Ledger, Module, TypeDef, TypeId};

use crate::model::Model;

/// Declares the members that the model names; those that the module's structs have untyped are recorded.
pub(super) fn declare(module: &mut Module, model: &Model, ledger: &mut Ledger) {
    let mut bytes = None;
    for row in model.structs.values().filter(|row| !row.data.is_empty()) {
        let Some(strukt) = module.struct_named(&row.name) else { continue };
        for name in &row.data {
            let Some(i) = untyped_member(module, strukt, name) else { continue };
            let ty = *bytes.get_or_insert_with(|| pointer_to_bytes(module));
            let TypeDef::Struct(def) = &mut module.types[strukt] else { continue };
            def.fields[i].ty = ty;
            let what = if row.buffers.contains(name) { "buffers of its own" } else { "data" };
            let subject = format!("struct {}.{name} leads to {what}", row.name);
            ledger.record(AssumptionKind::Environment, subject, None);
        }
    }
}

/// The index of the member of that name, if it is declared `void *` in a struct that is not the module's own.
fn untyped_member(module: &Module, strukt: TypeId, name: &str) -> Option<usize> {
    let def = module.as_struct(strukt).filter(|def| !def.module_private)?;
    let untyped = |ty| module.pointee(ty).is_some_and(|to| matches!(module.types[to], TypeDef::Void));
    def.fields.iter().position(|f| f.name == name && untyped(f.ty))
}

/// The type `unsigned char *`.
fn pointer_to_bytes(module: &mut Module) -> TypeId {
    let byte = module.types.push(TypeDef::Int { bits: 8, is_char: true });
    module.types.push(TypeDef::Ptr(byte))
}
