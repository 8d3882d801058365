//! Which members of the module's own structs can be reached through pointers that are declared to point to
//! numbers or characters, or used so.
//!
//! Only code of the module can make such a pointer: by taking the address of the member, or by turning a
//! pointer to the struct into one (or the other way round). Where it does neither, data behind such pointers
//! and the member are apart (Diwan, McKinley, Moss, PLDI 1998, "address taken"; assumption `private-struct`).
//!
//! A pointer is turned into another by going from where it is one to where it is the other, whatever is on
//! the way. So all code is searched for ways that pointers go: what comes from a place from where a pointer
//! to data comes too, and gets where one to a struct is expected, exposes the struct and its parts.

use super::fields::{self, FieldId};
use super::layout::{Layout, Shape};
use super::ways::Ways;
use crate::fault::{Fault, seeded};
use lockpair_ir::*;
use std::collections::HashSet;

/// What is exposed.
#[derive(Default)]
pub struct Exposed {
    fields: HashSet<FieldId>,
    /// Those among them whose address goes somewhere.
    taken: HashSet<FieldId>,
    /// With all structs that are parts of others here.
    structs: HashSet<TypeId>,
    /// Structs that are copied as a block, with their parts.
    copied: HashSet<TypeId>,
    /// Globals that are reached by who does not name their members.
    pointed: HashSet<GlobalId>,
}

impl Exposed {
    /// By these ways, and by members whose address goes somewhere.
    pub fn new(layout: &Layout, taken: &HashSet<FieldId>, ways: &Ways) -> Exposed {
        if seeded(Fault::ExposedByNothing) {
            return Exposed::default();
        }
        // What lies in an array of characters gets there through a pointer to it, which is on one of the ways.
        let with_parts = |outer: &HashSet<TypeId>| {
            let parts = outer.iter().flat_map(|&ty| layout.parts(ty));
            outer.iter().copied().chain(parts).collect()
        };
        let structs = ways.converted();
        Exposed {
            fields: taken.iter().copied().chain(ways.firsts()).collect(),
            taken: taken.clone(),
            structs: with_parts(&structs),
            copied: with_parts(ways.copied()),
            pointed: ways.pointed(),
        }
    }

    /// Whether bytes of a struct of the module's own are out of reach of pointers to data.
    pub fn is_hidden(&self, module: &Module, layout: &Layout, shape: Shape) -> bool {
        match shape {
            Shape::In { strukt, lo, .. } => {
                let (inner, _) = layout.innermost(strukt, lo);
                let private = module.as_struct(inner).is_some_and(|s| s.module_private);
                let field = fields::of_shape(module, layout, shape);
                private
                    && !self.structs.contains(&inner)
                    && !self.structs.contains(&strukt)
                    && field.is_some_and(|f| !self.fields.contains(&f))
            }
            Shape::Whole(ty) => {
                let private = module.as_struct(ty).is_some_and(|s| s.module_private);
                private
                    && self.structs.iter().all(|&s| !layout.related(s, ty))
                    && self.fields.iter().all(|f| !layout.related(f.strukt, ty))
            }
            Shape::Scalar(_) | Shape::Wild | Shape::Outside => false,
        }
    }

    /// The same of an allocation of the kernel's, of which code outside keeps no pointers to data. The module itself may keep the
    /// address of a member.
    pub fn is_hidden_alone(&self, module: &Module, layout: &Layout, shape: Shape) -> bool {
        if !layout.is_alone(shape) {
            return false;
        }
        // The address of a part is that of its first member, too.
        let part = match shape {
            Shape::In { strukt, lo, .. } => Some(layout.innermost(strukt, lo).0).filter(|&ty| ty != strukt),
            _ => None,
        };
        let first = part.map(|strukt| FieldId { strukt, offset: 0 });
        let mut members = fields::in_shape(module, layout, shape).chain(first);
        seeded(Fault::AloneIsHidden) || !members.any(|member| self.taken.contains(&member))
    }

    /// Whether the addresses of the members that have the bytes go nowhere, from where they might come back as ones to characters.
    /// Not so of bytes of which no member is known.
    pub fn is_untaken(&self, module: &Module, layout: &Layout, shape: Shape) -> bool {
        let mut members = fields::in_shape(module, layout, shape).peekable();
        seeded(Fault::MembersAsDeclared)
            || members.peek().is_some() && members.all(|member| !self.taken.contains(&member))
    }

    /// Whether code outside does not know the bytes, and no pointer to data leads there: they are of a struct that a C file of
    /// the module declares.
    pub fn is_unknown_outside(&self, module: &Module, layout: &Layout, shape: Shape) -> bool {
        let Shape::In { strukt, lo, .. } = shape else { return false };
        let (inner, _) = layout.innermost(strukt, lo);
        let hidden = self.is_hidden(module, layout, shape) || seeded(Fault::OutsideHasNoData);
        module.as_struct(inner).is_some_and(|s| s.opaque) && hidden
    }

    /// The structs that are turned into data, or the other way round.
    pub fn converted(&self) -> &HashSet<TypeId> {
        &self.structs
    }

    /// Whether pointers to the struct become pointers to data, or the other way round.
    pub fn is_converted(&self, strukt: TypeId) -> bool {
        self.structs.contains(&strukt)
    }

    /// Whether the module may access the member without naming it: it takes its address, turns a pointer to a
    /// struct around it into one to data, or copies such a struct.
    pub fn is_taken(&self, field: FieldId) -> bool {
        self.fields.contains(&field) || self.is_converted(field.strukt) || self.copied.contains(&field.strukt)
    }

    /// Whether the module may access the global through pointers to data, or as a block of bytes.
    pub fn is_pointed(&self, global: GlobalId) -> bool {
        self.pointed.contains(&global)
    }
}
