//! Members that a module sets, where a row depends on that: a device that frees itself (`needs_free_netdev`).

use std::collections::{BTreeSet, HashMap};

use lockpair_ir::{Module, Op, Operand, TypeId};

use crate::model::Model;
use crate::schema::Effect;

/// The tag of a struct, and a member.
pub(super) type Member = (String, String);

/// Those members on which some row depends to which the module may store anything but zero, or whose address it takes. Of the others
/// it is assumed that nobody sets them.
pub(super) fn members(module: &Module, model: &Model) -> BTreeSet<Member> {
    let rows = model.functions.values().flat_map(|row| &row.effects);
    let asked: BTreeSet<Member> = rows
        .filter_map(|effect| match effect {
            Effect::Free { if_set, .. } => if_set.clone(),
            _ => None,
        })
        .collect();
    asked.into_iter().filter(|(tag, member)| sets(module, &module.members_named(tag, member))).collect()
}

/// Whether some function sets one of the members that lie there.
fn sets(module: &Module, members: &HashMap<TypeId, Vec<u64>>) -> bool {
    !members.is_empty()
        && module.funcs.values().any(|func| {
            let is_it = |at: &Operand| {
                let place = module.place_of(func, *at);
                place.is_some_and(|(ty, offset)| members.get(&ty).is_some_and(|all| all.contains(&offset)))
            };
            func.insts.values().any(|inst| match &inst.op {
                Op::Load { .. } | Op::PtrAdd { .. } | Op::Cmp(..) => false,
                Op::Store { addr, value, .. } => {
                    is_it(addr) && !matches!(value, Operand::Int { value: 0, .. }) || is_it(value)
                }
                op => op.operands().iter().any(is_it),
            })
        })
}
