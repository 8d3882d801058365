//! Of what a member is one.
//!
//! A driver's object is often in one member of two structs: `platform_set_drvdata(pdev, demo)` and
//! `input_set_drvdata(input, demo)` both store it in the `driver_data` of a `struct device`. No two platform devices have one
//! such pointer, but a platform device and an input device do. So where a member is not distinct, it may be distinct in
//! the structs of one type: the devices that are parts of platform devices.
//!
//! The struct around a member is the one through which its address was computed (assumption `type-split`). Where that is not known, it may be
//! any that the object has room for.

use super::{Facts, View};
use crate::analysis::fields::{self, FieldId};
use crate::analysis::layout::Shape;
use crate::fault::{Fault, seeded};
use crate::instrument::thread::Addr;
use lockpair_ir::*;
use lockpair_smt::TermId;

/// A member, of all structs that have it or of those within structs of one type.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Slot {
    /// The member, of the innermost struct.
    pub field: FieldId,
    /// The struct around that, and where in it the member begins; none: whatever is around it.
    pub within: Option<(TypeId, u64)>,
}

impl Slot {
    /// The member wherever it is.
    pub fn anywhere(field: FieldId) -> Slot {
        Slot { field, within: None }
    }

    /// The slots that an access to the member may be told to be of: the member anywhere, and that of the struct around it.
    pub(super) fn of(field: FieldId, shape: Shape) -> impl Iterator<Item = Slot> {
        let within = around(field, shape).map(|around| Slot { field, within: Some(around) });
        std::iter::once(Slot::anywhere(field)).chain(within)
    }

    /// How people call it.
    pub fn name(self, module: &Module) -> String {
        let member = fields::name(module, self.field);
        match self.within.and_then(|(ty, _)| module.as_struct(ty)) {
            Some(def) => format!("{member} in {}", def.name),
            None => member,
        }
    }
}

/// The struct within which the member is, and where, if the access is to one of that.
fn around(field: FieldId, shape: Shape) -> Option<(TypeId, u64)> {
    match shape {
        Shape::In { strukt, lo, .. } => (strukt != field.strukt).then_some((strukt, lo)),
        Shape::Scalar(_) | Shape::Whole(_) | Shape::Wild | Shape::Outside => None,
    }
}

impl View<'_> {
    /// Whether a member at the address, which is accessed as that, may be one of the slot.
    pub(super) fn may_be_of(&self, facts: &Facts, slot: Slot, (at, shape): (Addr, Shape)) -> bool {
        let Some((strukt, begin)) = slot.within else { return true };
        match around(slot.field, shape) {
            _ if seeded(Fault::SlotsAlone) => false,
            Some((other, _)) if other != strukt && seeded(Fault::SlotsByName) => false,
            // Two structs that may lie in one union, or in one array of characters, may be one place.
            Some(_) => {
                let end = begin + fields::size(facts.module, slot.field);
                let member = Shape::In { strukt, lo: begin, hi: end };
                facts.layout.may_overlap(true, shape, member)
            }
            None => {
                let has_room =
                    |leaf: TermId| self.size(facts, leaf).is_none_or(|n| n >= facts.layout.size(strukt));
                self.thread.leaves(at.obj).into_iter().any(has_room)
            }
        }
    }

    /// Whether the object is stored at one place only of those that may be of the slot.
    pub(super) fn has_once(&self, facts: &Facts, n: usize, slot: Slot) -> bool {
        self.is_placed_once(n, |p| {
            p.field == Some(slot.field) && self.may_be_of(facts, slot, (p.at, p.shape))
        })
    }

    /// How many bytes an object has that has a name, or that the thread has made.
    fn size(&self, facts: &Facts, leaf: TermId) -> Option<u64> {
        let Some(&n) = self.local(leaf) else {
            let global = &facts.module.globals[self.thread.global(facts.module, leaf)?];
            return global.ty.filter(|_| global.defined).map(|ty| facts.module.size_of(ty));
        };
        let (func, inst, part) = self.thread.made_by[n];
        match facts.module.funcs[func].insts.get(inst)?.op {
            Op::Alloc { size: Operand::Int { value, .. }, .. } if part == 0 => u64::try_from(value).ok(),
            _ => None,
        }
    }
}
