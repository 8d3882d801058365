//! Lists of tables that code makes in a member of the module's own structs, to register them: `data->groups[n++] = &group`.

use super::fields::{self, FieldId};
use super::layout::{Layout, Shape};
use super::points_to::static_path;
use super::ways::is_step;
use lockpair_ir::*;
use std::collections::{HashMap, HashSet};

/// The lists, and who registers what is in them.
#[derive(Default)]
pub struct Lists {
    /// Per member: the variables whose address code puts there and nowhere else.
    tables: HashMap<FieldId, HashSet<GlobalId>>,
    /// From which member registrations take their list.
    registered: HashMap<(FuncId, InstId), FieldId>,
}

impl Lists {
    /// Of all code. With the address of a list nothing may be done but to store there, and to register what is there.
    pub fn new(module: &Module, layout: &Layout) -> Lists {
        let mut lists = Lists::default();
        let (mut open, mut elsewhere) = (HashSet::new(), HashSet::new());
        for (id, func) in module.funcs.iter() {
            let member = |op: Operand| {
                let (strukt, lo) = static_path(module, func, op)?;
                fields::of_shape(module, layout, Shape::In { strukt, lo, hi: lo + 8 })
                    .filter(|field| layout.is_private(field.strukt))
            };
            for &i in func.blocks.values().flat_map(|block| &block.insts) {
                let op = &func.insts[i].op;
                let rest = match op {
                    Op::Store { addr, value: Operand::Global(table, 0), .. } => {
                        match member(*addr) {
                            Some(list) => _ = lists.tables.entry(list).or_default().insert(*table),
                            None => _ = elsewhere.insert(*table),
                        }
                        vec![]
                    }
                    Op::Store { value, .. } => vec![*value],
                    Op::Register { through: Some(list), handle, argument, callback, .. } => {
                        lists.registered.extend(member(*list).map(|field| ((id, i), field)));
                        let rest = callback.iter().copied().chain(argument.map(|(_, value)| value));
                        rest.chain([*handle]).collect()
                    }
                    // Where a step leads is looked at there, if it stays in a struct.
                    Op::PtrAdd { base: Operand::Value(_), .. } if is_step(module, func, &func.insts[i]) => {
                        vec![]
                    }
                    op => op.operands(),
                };
                for operand in rest {
                    open.extend(member(operand));
                    elsewhere.extend(operand.global());
                }
            }
            let returned = func.blocks.values().filter_map(|block| block.term.operand());
            for operand in returned {
                open.extend(member(operand));
                elsewhere.extend(operand.global());
            }
        }
        for global in module.globals.values() {
            elsewhere.extend(global.init.iter().filter_map(|cell| cell.value.global()));
        }
        // What is in a list of which others know is known otherwise, too.
        elsewhere.extend(open.iter().filter_map(|list| lists.tables.get(list)).flatten());
        lists.tables.retain(|list, _| !open.contains(list));
        lists.tables.values_mut().for_each(|tables| tables.retain(|g| !elsewhere.contains(g)));
        lists
    }

    /// What is put into lists and is found nowhere else.
    pub fn tables(&self) -> impl Iterator<Item = GlobalId> {
        self.tables.values().flatten().copied()
    }

    /// The tables that a registration may find in its list, if they are found nowhere else.
    pub fn registered(&self, at: (FuncId, InstId)) -> impl Iterator<Item = GlobalId> {
        let list = self.registered.get(&at).and_then(|list| self.tables.get(list));
        list.into_iter().flatten().copied()
    }
}
