//! Members that a module sets, where a row depends on that: a device that frees itself (`needs_free_netdev`).

use std::collections::BTreeSet;

use lockpair_ir::{Function, Module, Op, Operand};

use crate::model::Model;
use crate::schema::Effect;

/// The tag of a struct, and a member.
pub(super) type Member = (String, String);

/// Those members on which some row depends to which the module may store anything but zero, or whose address it takes.
pub(super) fn members(module: &Module, model: &Model) -> BTreeSet<Member> {
    let rows = model.functions.values().flat_map(|row| &row.effects);
    let asked = rows.filter_map(|effect| match effect {
        Effect::Free { if_set, .. } => if_set.clone(),
        _ => None,
    });
    asked.filter(|member| module.funcs.values().any(|func| sets(module, func, member))).collect()
}

fn sets(module: &Module, func: &Function, member: &Member) -> bool {
    let is_it = |at: &Operand| is_address_of(module, func, *at, member);
    func.insts.values().any(|inst| match &inst.op {
        Op::Load { .. } | Op::PtrAdd { .. } | Op::Cmp(..) => false,
        Op::Store { addr, value, .. } => {
            is_it(addr) && !matches!(value, Operand::Int { value: 0, .. }) || is_it(value)
        }
        op => op.operands().iter().any(is_it),
    })
}

fn is_address_of(module: &Module, func: &Function, at: Operand, (tag, field): &Member) -> bool {
    let (strukt, offset) = match at {
        Operand::Global(global, offset) => (module.globals[global].ty, offset),
        Operand::Value(value) => match func.values[value].inst.map(|inst| &func.insts[inst].op) {
            Some(Op::PtrAdd { offset, within, .. }) => (*within, *offset),
            _ => return false,
        },
        _ => return false,
    };
    let Some(strukt) = strukt.filter(|ty| module.as_struct(*ty).is_some_and(|def| def.name == *tag)) else {
        return false;
    };
    module.field_named(strukt, field).is_some_and(|(at, _)| i64::try_from(at) == Ok(offset))
}
