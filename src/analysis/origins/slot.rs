//! Of what a member is one.
//!
//! A driver's object is often in one member of two structs: `platform_set_drvdata(pdev, demo)` and
//! `input_set_drvdata(input, demo)` both store it in the `driver_data` of a `struct device`. No two platform devices have one
//! such pointer, but a platform device and an input device do. So where a member is not distinct, it may be distinct in
//! the structs of one type: the devices that are parts of platform devices.
//!
//! The struct around a member is the one through which its address was computed (assumption `type-split`).

use super::{Facts, View};
use crate::analysis::fields::{self, FieldId};
use crate::analysis::layout::Shape;
use crate::analysis::objects::Whole;
use crate::fault::{Fault, seeded};
use crate::instrument::thread::Addr;
use lockpair_ir::*;
use lockpair_smt::TermId;

/// A member, of all structs that have it or of those within structs of one type.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Slot {
    /// The member, of the innermost struct.
    pub field: FieldId,
    /// The struct around that; none: whatever is around it.
    pub within: Option<TypeId>,
}

impl Slot {
    /// The member wherever it is.
    pub fn anywhere(field: FieldId) -> Slot {
        Slot { field, within: None }
    }

    /// How people call it.
    pub fn name(self, module: &Module) -> String {
        let member = fields::name(module, self.field);
        match self.within.and_then(|ty| module.as_struct(ty)) {
            Some(def) => format!("{member} in {}", def.name),
            None => member,
        }
    }
}

/// The struct within which the member is, if the access is to one of that.
fn around(field: FieldId, shape: Shape) -> Option<TypeId> {
    match shape {
        Shape::In { strukt, .. } => Some(strukt).filter(|&strukt| strukt != field.strukt),
        Shape::Scalar(_) | Shape::Whole(_) | Shape::Wild | Shape::Outside => None,
    }
}

impl Slot {
    /// The slots that an access to the member may be told to be of: the member anywhere, and that of the struct around it.
    pub(super) fn of(field: FieldId, shape: Shape) -> impl Iterator<Item = Slot> {
        let within = around(field, shape).map(|strukt| Slot { field, within: Some(strukt) });
        std::iter::once(Slot::anywhere(field)).chain(within)
    }
}

impl View<'_> {
    /// Whether a member at the address, which is accessed as that, may be one of the slot.
    pub(super) fn may_be_of(&self, facts: &Facts, slot: Slot, (at, shape): (Addr, Shape)) -> bool {
        let Some(strukt) = slot.within else { return true };
        let may_be = |leaf: TermId| {
            let whole = self.whole(facts, leaf);
            whole.is_none_or(|whole| facts.objects.may_hold(facts.layout, whole, strukt))
        };
        match around(slot.field, shape) {
            _ if seeded(Fault::SlotsAlone) => false,
            Some(around) => facts.layout.related(around, strukt),
            None => self.thread.leaves(at.obj).into_iter().any(may_be),
        }
    }

    /// Whether the object is stored at one place only of those that may be of the slot.
    pub(super) fn has_once_in(&self, facts: &Facts, n: usize, slot: Slot) -> bool {
        self.is_placed_once(n, |p| {
            p.field == Some(slot.field) && self.may_be_of(facts, slot, (p.at, p.shape))
        })
    }

    /// An object that has a name, or that the thread has made.
    fn whole(&self, facts: &Facts, leaf: TermId) -> Option<Whole> {
        match self.local(leaf) {
            Some(&n) => Whole::made_by(facts.module, self.thread.made_by[n]),
            None => self.thread.global(facts.module, leaf).map(Whole::Global),
        }
    }
}
