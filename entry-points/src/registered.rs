//! Ops tables that code does nothing with but to register them, so that each of their functions is called through the tables that
//! are seen to hold it from the beginning.
//!
//! Whoever reaches a table through what code outside keeps of it (`serial->type`) is looked at in `flow/copies.rs`.

use std::collections::HashSet;

use lockpair_env::schema::Effect;
use lockpair_ir::{Callee, FuncId, Function, Global, GlobalId, Module, Op, Operand, TypeDef, TypeId};

use crate::environment::Environment;

/// The globals that are tables of this kind, alone or in lists of pointers, and go nowhere else.
pub(crate) fn only_registered(module: &Module, env: &dyn Environment) -> HashSet<GlobalId> {
    let taken = taken_elsewhere(module, env);
    let is_kept = |g: GlobalId, global: &Global| global.defined && !global.exported && !taken.contains(&g);
    let holders = || module.globals.iter().filter(|(_, global)| !global.name.starts_with("llvm."));
    let held = |(_, global): (GlobalId, &Global)| {
        global.init.iter().filter_map(|cell| cell.value.global()).collect::<Vec<_>>()
    };
    let held_anywhere: HashSet<GlobalId> = holders().flat_map(held).collect();
    let is_kept_list = |(g, global): &(GlobalId, &Global)| {
        is_kept(*g, global) && is_list(module, global) && !held_anywhere.contains(g)
    };
    let held_elsewhere: HashSet<GlobalId> =
        holders().filter(|holder| !is_kept_list(holder)).flat_map(held).collect();
    // One that others name may be a second name of a table.
    let named: HashSet<TypeId> = module
        .globals
        .values()
        .filter(|global| !global.defined)
        .filter_map(|global| element(module, global))
        .collect();
    let is_table = |(g, global): &(GlobalId, &Global)| {
        let strukt = element(module, global).filter(|ty| module.as_struct(*ty).is_some());
        is_kept(*g, global) && !held_elsewhere.contains(g) && strukt.is_some_and(|ty| !named.contains(&ty))
    };
    module.globals.iter().filter(is_table).map(|(g, _)| g).collect()
}

/// Globals that code uses for anything but to register or unregister them, to compare their addresses, or to give them to functions
/// that do nothing to them.
fn taken_elsewhere(module: &Module, env: &dyn Environment) -> HashSet<GlobalId> {
    let registers = |f: FuncId| {
        let is_fine = |effect: &Effect| matches!(effect, Effect::Register { .. } | Effect::Unregister { .. });
        env.row_of(module, f).is_some_and(|row| row.effects.iter().all(is_fine))
    };
    let of_function = |func: &Function| {
        let mut taken = Vec::new();
        for block in func.blocks.values() {
            taken.extend(block.term.operand().and_then(Operand::global));
            for &i in &block.insts {
                let op = &func.insts[i].op;
                let is_fine = match op {
                    Op::Cmp(..) => true,
                    Op::Call { callee: Callee::Func(f), .. } => registers(*f),
                    _ => false,
                };
                if !is_fine {
                    taken.extend(op.operands().into_iter().filter_map(Operand::global));
                }
            }
        }
        taken
    };
    module.funcs.values().flat_map(of_function).collect()
}

/// Whether it is an array of pointers to structs of one kind.
fn is_list(module: &Module, global: &Global) -> bool {
    let array = global.ty.filter(|&ty| matches!(module.types[ty], TypeDef::Array { .. }));
    let pointee = array.and_then(|ty| module.pointee(module.element(ty)));
    pointee.is_some_and(|to| module.as_struct(to).is_some())
}

/// The type of a global, or of its elements.
fn element(module: &Module, global: &Global) -> Option<TypeId> {
    global.ty.map(|ty| module.element(ty))
}
