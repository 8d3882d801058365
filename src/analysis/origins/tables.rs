//! What belongs to one table of functions for good.
//!
//! A USB serial device has one driver, so it has one `usb_serial_driver`: whatever the core makes for the device (its ports, their
//! URBs and buffers, the terminals) belongs to that table, and only functions of that table get it. The makers of what belongs to
//! a table are a *family*: one for each group of members that hold objects of their own (`apart`), and one for all else.
//!
//! What must hold is that whatever the heap (`made.rs`) says of an object is true of it at any time. By induction over what is done:
//!
//! - Code outside makes an object, for one table, before anybody sees it. Into its members with `same-table` it puts only what it has made
//!   for the same table, or nothing. That is what rows say (`Families::puts`).
//! - Code outside calls a function with objects of the table in which the function stands (`of-table`). It finds out which that is by members
//!   with `table-by`, on the way from the object to the table; they hold what the core has put there as long as no module stores to them. If this one
//!   does, no object belongs to anything (`stays`): whoever sets `port->serial` may move a port to another table. Functions may be
//!   stored, for who puts its own into an URB is not called as one of a table; but not what was read from some other URB. And each
//!   function must be called through the tables only that are seen to have it: `entry-points` says of which that is known, as of locks
//!   `by="table"`.
//! - The module stores in such a member. That is a store like each to a followed member: it is put in all objects that the base may be, and
//!   if it is not known which these are, in any object. If the value is not followed, it may be anything.
//! - Code outside that has a row reads and writes members, but moves no pointers between them, other than within one table. If
//!   nobody knows what it does, and the member may be reached, that is not followed either.
//!
//! What is reached in any other way belongs to anybody: variables, lists, the device and its interface (`usb_set_intfdata`), parameters of exported functions,
//! and members with `same-table` of objects that are of no family (`urb.context` of an URB that came from somewhere).

use super::made::Made;
use super::makers::{Makers, bit, leaves_room};
use super::stored::Write;
use super::{Facts, View};
use crate::analysis::fields::{self, FieldId};
use crate::fault::{Fault, seeded};
use lockpair_entry_points::EntryPointId;
use lockpair_ir::*;
use lockpair_smt::{TermId, VarId};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What the environment says of objects that belong to tables.
#[derive(Default)]
pub struct OfTables {
    /// The parameters that belong to the table in which their function stands.
    pub params: HashMap<(EntryPointId, u32), GlobalId>,
    /// The members into which code outside puts, in an object of a table, what belongs to the same one.
    pub same: BTreeSet<FieldId>,
    /// The members by which code outside finds to which table an object belongs.
    pub found_by: BTreeSet<FieldId>,
}

/// The makers of what belongs to a table.
struct Family {
    /// Of what has no maker of its own.
    rest: Makers,
    /// Of what is in a member with objects of its own.
    apart: BTreeMap<FieldId, Makers>,
    all: Makers,
}

/// Those of all tables.
#[derive(Default)]
pub(super) struct Families {
    of: BTreeMap<GlobalId, Family>,
    same: BTreeSet<FieldId>,
    /// All makers of families.
    pub(super) all: Makers,
}

impl Families {
    /// Numbers the makers of each table's family, from `next` on.
    pub(super) fn new(facts: &Facts, writes: &[Write], next: &mut usize) -> Families {
        let said = facts.tables;
        let tables: BTreeSet<GlobalId> = said.params.values().copied().collect();
        let is_same = |group: &&Vec<FieldId>| group.iter().all(|field| said.same.contains(field));
        let groups: Vec<&Vec<FieldId>> = facts.apart.iter().filter(is_same).collect();
        let end = *next + tables.len() * (1 + groups.len());
        if !leaves_room(end) || !said.found_by.iter().all(|&field| stays(facts, writes, field)) {
            return Families::default();
        }
        let mut families = Families::default();
        // Between the members of a group code outside copies.
        let halves = facts.apart.iter().filter(|group| !is_same(group)).flatten();
        let halves: BTreeSet<FieldId> = halves.copied().collect();
        families.same.extend(said.same.difference(&halves));
        for table in tables {
            let family = Family::new(&groups, next);
            families.all = families.all.with(family.all);
            families.of.insert(table, family);
        }
        families
    }

    /// Whether code outside leaves what is in the member in one family.
    pub(super) fn is_same(&self, field: FieldId) -> bool {
        self.same.contains(&field)
    }

    /// All such members.
    pub(super) fn members(&self) -> impl Iterator<Item = FieldId> {
        self.same.iter().copied()
    }

    /// Who made the object of a parameter.
    pub(super) fn of_parameter(&self, view: &View, var: VarId) -> Option<Made> {
        Some(Made::By(self.of.get(view.tables.get(&var)?)?.rest))
    }

    /// What code outside may put in the member, per family of the object that has it.
    pub(super) fn puts(&self, field: FieldId) -> impl Iterator<Item = (Made, Makers)> {
        let families = self.of.values().filter(move |_| self.is_same(field));
        families.map(move |family| (Made::By(family.all), *family.apart.get(&field).unwrap_or(&family.all)))
    }

    /// The objects within which code outside copies between the members of a group.
    pub(super) fn within(&self, group: &[FieldId]) -> Vec<Made> {
        if !group.iter().all(|&field| self.is_same(field)) {
            return vec![Made::Unknown];
        }
        let families = self.of.values().map(|family| family.all);
        families.chain([Makers::ALL.without(self.all)]).map(Made::By).collect()
    }
}

impl Family {
    fn new(groups: &[&Vec<FieldId>], next: &mut usize) -> Family {
        let mut make = || {
            *next += 1;
            Makers::of(bit(*next - 1))
        };
        let rest = make();
        let mut family = Family { rest, apart: BTreeMap::new(), all: rest };
        for group in groups {
            let made = make();
            family.all = family.all.with(made);
            family.apart.extend(group.iter().map(|field| (*field, made)));
        }
        family
    }
}

/// Whether the module puts nothing in the member but null and its own functions.
fn stays(facts: &Facts, writes: &[Write], field: FieldId) -> bool {
    let is_function = |view: &View, leaf: TermId| {
        let number = view.thread.terms.as_int(leaf);
        number.is_some_and(|n| n > facts.module.globals.len() as i128)
            || is_initial_value(facts, writes, view, leaf)
    };
    let mut to = writes.iter().filter(|write| !write.is_by_kernel() && write.may_change(facts, field));
    to.all(|write| write.puts_only(field, |leaf| is_function(write.view, leaf)))
        || seeded(Fault::TablesFoundByAnything)
}

/// Whether it was read from a member for functions, of a struct of the module's own, that has its initial value for good.
fn is_initial_value(facts: &Facts, writes: &[Write], view: &View, leaf: TermId) -> bool {
    let Some((field, _)) = view.read_from(leaf) else { return false };
    let is_private = facts.module.as_struct(field.strukt).is_some_and(|def| def.module_private);
    let pointee = fields::pointee(facts.module, field);
    let is_for_functions = pointee.is_some_and(|ty| matches!(facts.module.types[ty], TypeDef::Func { .. }));
    let changes = |write: &Write| !write.frees() && write.may_change(facts, field);
    is_private && is_for_functions && !writes.iter().any(changes)
}
