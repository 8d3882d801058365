//! Functions that are in nothing but tables that the kernel registers for a device once it has bound a driver to it, and ends before
//! it unbinds that: attributes in a driver's `dev_groups`.

use super::left::is_one_driver;
use crate::analysis::fields::{self, FieldId};
use crate::analysis::layout::{Layout, Shape};
use crate::analysis::points_to::static_path;
use crate::fault::{Fault, seeded};
use lockpair_ir::*;
use std::collections::{BTreeSet, HashMap, HashSet};

/// The tables of a module: which global holds the address of which other, or of a function, from the beginning.
pub struct Tables<'a> {
    module: &'a Module,
    layout: &'a Layout<'a>,
    /// Members of drivers that lead to what is registered while they are bound.
    members: &'a BTreeSet<FieldId>,
    /// Who holds it, and where.
    holders: HashMap<Held, Vec<(GlobalId, u64)>>,
    /// What code names.
    named: HashSet<Held>,
    /// Whether no code reads or changes one of these members.
    by_kernel_alone: bool,
}

#[derive(Copy, Clone, PartialEq, Eq, Hash)]
enum Held {
    Func(FuncId),
    Global(GlobalId),
}

impl<'a> Tables<'a> {
    /// Of all globals.
    pub fn new(module: &'a Module, layout: &'a Layout<'a>, members: &'a BTreeSet<FieldId>) -> Tables<'a> {
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
        let by_kernel_alone = !members.is_empty() && !are_used(module, layout, members);
        Tables { module, layout, members, holders, named, by_kernel_alone }
    }

    /// Whether the function runs for a device only while a driver is bound to that, and neither begins nor ends to be.
    pub fn only_while_bound(&self, func: FuncId) -> bool {
        self.by_kernel_alone && self.leads_from_drivers(Held::Func(func), &mut Vec::new())
    }

    /// Whether all ways to it begin at these members of drivers. `below` is on the way: a circle is no beginning.
    fn leads_from_drivers(&self, held: Held, below: &mut Vec<Held>) -> bool {
        let is_own = match held {
            Held::Func(_) => true,
            Held::Global(g) => self.module.globals[g].defined && !self.module.globals[g].exported,
        };
        if !is_own || self.named.contains(&held) && !seeded(Fault::GroupsNamedByCode) || below.contains(&held)
        {
            return false;
        }
        below.push(held);
        let leads = self.holders.get(&held).is_some_and(|holders| {
            holders
                .iter()
                .all(|&(g, at)| self.is_of_driver(g, at) || self.leads_from_drivers(Held::Global(g), below))
        });
        below.pop();
        leads
    }

    /// Whether one of the members lies there, in a driver that nobody changes.
    fn is_of_driver(&self, global: GlobalId, at: u64) -> bool {
        let Some(strukt) = self.module.globals[global].ty else { return false };
        let member = Shape::In { strukt, lo: at, hi: at + 8 };
        let field = fields::of_shape(self.module, self.layout, member);
        field.is_some_and(|field| self.members.contains(&field)) && is_one_driver(self.module, global)
    }
}

/// Whether code reads or changes one of the members itself.
fn are_used(module: &Module, layout: &Layout, members: &BTreeSet<FieldId>) -> bool {
    module.funcs.values().any(|func| {
        let uses = |op: &Op| match op {
            Op::Load { addr, .. } | Op::Store { addr, .. } => {
                let place = static_path(module, func, *addr);
                let bytes = place.map(|(strukt, lo)| Shape::In { strukt, lo, hi: lo + 8 });
                let member = bytes.and_then(|b| fields::of_shape(module, layout, b));
                member.is_some_and(|m| members.contains(&m))
            }
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
