//! Functions that are in nothing but tables that the kernel registers for a device once it has bound a driver to it, and ends before
//! it unbinds that: attributes in a driver's `dev_groups`.

use super::left::is_one_driver;
use crate::analysis::fields::FieldId;
use crate::analysis::layout::Layout;
use crate::analysis::tables::{self, Held, Tables};
use lockpair_ir::*;
use std::collections::BTreeSet;

/// What is registered for devices while a driver is bound to them.
pub struct WhileBound<'a> {
    module: &'a Module,
    layout: &'a Layout<'a>,
    tables: Tables<'a>,
    /// Members of drivers that lead to it.
    members: &'a BTreeSet<FieldId>,
    /// Whether no code reads or changes one of these members.
    by_kernel_alone: bool,
}

impl<'a> WhileBound<'a> {
    /// By way of these members.
    pub fn new(module: &'a Module, layout: &'a Layout<'a>, members: &'a BTreeSet<FieldId>) -> WhileBound<'a> {
        let by_kernel_alone = !members.is_empty() && !tables::are_used(module, layout, members);
        WhileBound { module, layout, tables: Tables::new(module), members, by_kernel_alone }
    }

    /// Whether the function runs for a device only while a driver is bound to that, and neither begins nor ends to be.
    pub fn only_while_bound(&self, func: FuncId) -> bool {
        let of_driver = |g: GlobalId, at: u64| self.is_of_driver(g, at);
        self.by_kernel_alone && self.tables.beginnings(Held::Func(func), of_driver).is_some()
    }

    /// Whether one of the members lies there, in a driver that nobody changes.
    fn is_of_driver(&self, global: GlobalId, at: u64) -> bool {
        tables::is_in(self.module, self.layout, self.members, (global, at))
            && is_one_driver(self.module, global)
    }
}
