//! Which variables hold the address of which others, and of functions, from the beginning.

use super::fields::{self, FieldId};
use super::layout::{Layout, Shape};
use super::points_to::static_path;
use crate::fault::{Fault, seeded};
use lockpair_ir::*;
use std::collections::{BTreeSet, HashMap, HashSet};

/// What a variable may hold the address of.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub enum Held {
    /// A function.
    Func(FuncId),
    /// Another variable.
    Global(GlobalId),
}

/// The tables of a module.
pub struct Tables<'a> {
    module: &'a Module,
    /// Who holds it, and where.
    holders: HashMap<Held, Vec<(GlobalId, u64)>>,
    /// What code names.
    named: HashSet<Held>,
}

impl<'a> Tables<'a> {
    /// Of all globals.
    pub fn new(module: &'a Module) -> Tables<'a> {
        let mut holders: HashMap<Held, Vec<(GlobalId, u64)>> = HashMap::new();
        for (g, global) in module.globals.iter() {
            for cell in &global.init {
                if let Some(held) = held(&cell.value) {
                    holders.entry(held).or_default().push((g, cell.offset));
                }
            }
        }
        let mut named = HashSet::new();
        for func in module.funcs.values() {
            let insts = func.blocks.values().flat_map(|b| &b.insts);
            named.extend(insts.flat_map(|&i| func.insts[i].op.operands()).filter_map(|op| held(&op)));
            named.extend(func.blocks.values().filter_map(|b| held(&b.term.operand()?)));
        }
        Tables { module, holders, named }
    }

    /// The places from which all ways to it come that begin in memory: each way through variables that no code names and no
    /// other module knows; none if there is another way, or none at all.
    pub fn beginnings(
        &self,
        held: Held,
        is_one: impl Fn(GlobalId, u64) -> bool,
    ) -> Option<Vec<(GlobalId, u64)>> {
        let mut found = Vec::new();
        self.leads_from(held, &is_one, &mut Vec::new(), &mut found).then_some(found)
    }

    /// Whether all ways to it begin at such places. `below` is on the way: a circle is no beginning.
    fn leads_from(
        &self,
        held: Held,
        is_one: &dyn Fn(GlobalId, u64) -> bool,
        below: &mut Vec<Held>,
        found: &mut Vec<(GlobalId, u64)>,
    ) -> bool {
        let is_own = match held {
            Held::Func(_) => true,
            Held::Global(g) => self.module.globals[g].defined && !self.module.globals[g].exported,
        };
        if !is_own || self.named.contains(&held) && !seeded(Fault::GroupsNamedByCode) || below.contains(&held)
        {
            return false;
        }
        let Some(holders) = self.holders.get(&held) else { return false };
        below.push(held);
        let all = holders.iter().all(|&(g, at)| match is_one(g, at) {
            true => {
                found.push((g, at));
                true
            }
            false => self.leads_from(Held::Global(g), is_one, below, found),
        });
        below.pop();
        all
    }
}

/// Whether a pointer that lies there from the beginning is in one of the members.
pub fn is_in(
    module: &Module,
    layout: &Layout,
    members: &BTreeSet<FieldId>,
    (global, at): (GlobalId, u64),
) -> bool {
    let Some(strukt) = module.globals[global].ty.map(|ty| module.element(ty)) else { return false };
    let lo = at % module.size_of(strukt).max(1);
    let member = fields::of_shape(module, layout, Shape::In { strukt, lo, hi: lo + 8 });
    member.is_some_and(|member| members.contains(&member))
}

/// Whether code reads or changes one of the members, or copies a struct that has one.
pub fn are_used(module: &Module, layout: &Layout, members: &BTreeSet<FieldId>) -> bool {
    let member_at = |(strukt, lo): (TypeId, u64)| {
        let member = fields::of_shape(module, layout, Shape::In { strukt, lo, hi: lo + 8 });
        member.is_some_and(|member| members.contains(&member))
    };
    let has_one = |strukt: TypeId| {
        members.iter().any(|member| member.strukt == strukt || layout.contains(strukt, member.strukt))
    };
    module.funcs.values().any(|func| {
        let around = |operand: Operand| match operand {
            Operand::Global(g, _) => module.globals[g].ty.map(|ty| module.element(ty)),
            _ => static_path(module, func, operand).map(|(strukt, _)| strukt),
        };
        let uses = |op: &Op| match op {
            Op::Load { addr, .. } | Op::Store { addr, .. } => {
                static_path(module, func, *addr).is_some_and(member_at)
            }
            Op::MemCopy { dst, src, .. } => [*dst, *src].into_iter().filter_map(around).any(has_one),
            _ => false,
        };
        func.blocks.values().flat_map(|b| &b.insts).any(|&i| uses(&func.insts[i].op))
    })
}

fn held(operand: &Operand) -> Option<Held> {
    match operand {
        Operand::Func(f) => Some(Held::Func(*f)),
        Operand::Global(g, _) => Some(Held::Global(*g)),
        _ => None,
    }
}
