//! Tables to which code outside comes by way of other objects alone, and what these say of their functions (`kernel_param.perm`).

use lockpair_env::schema::Holder;
use lockpair_ir::{Function, Global, GlobalId, InitCell, Module, Operand};

/// Whether nobody calls a function of the table: all that leads there are constant variables of the module of which none has one of
/// the bits.
pub(crate) fn none_calls(module: &Module, table: GlobalId, holder: &Holder) -> bool {
    let is_shared = module.globals[table].exported || module.funcs.values().any(|func| names(func, table));
    let mut leaders =
        module.globals.values().filter(|global| leads(global, table) && !global.name.starts_with("llvm."));
    !is_shared && leaders.all(|global| is_silent(module, global, table, holder))
}

fn leads(global: &Global, table: GlobalId) -> bool {
    global.init.iter().any(|cell| cell.value.global() == Some(table))
}

/// Whether it is a holder that leads to the table by the member alone, and has none of the bits.
fn is_silent(module: &Module, global: &Global, table: GlobalId, holder: &Holder) -> bool {
    let Some(ty) = global.ty.filter(|_| global.defined && global.constant) else { return false };
    let place = |member: &str| module.field_named(ty, member).map(|(at, _)| at);
    let (Some(leads_at), Some(bits_at)) = (place(&holder.member), place(&holder.bits.0)) else {
        return false;
    };
    let is_fine = |cell: &InitCell| match cell.value {
        Operand::Global(to, _) if to == table => cell.offset == leads_at,
        Operand::Int { value, .. } if cell.offset == bits_at => value & u128::from(holder.bits.1) == 0,
        _ => cell.offset != bits_at,
    };
    module.as_struct(ty).is_some_and(|def| def.name == holder.strukt) && global.init.iter().all(is_fine)
}

/// Whether code names the table.
fn names(func: &Function, table: GlobalId) -> bool {
    let is_table = |operand: Operand| operand.global() == Some(table);
    func.blocks.values().any(|block| {
        block.term.operand().is_some_and(is_table)
            || block.insts.iter().any(|&i| func.insts[i].op.operands().into_iter().any(is_table))
    })
}
