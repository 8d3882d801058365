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
use super::points_to::taken_operands;
use super::ways::{self, Ways};
use crate::fault::{Fault, seeded};
use lockpair_ir::*;
use std::collections::HashSet;

/// What is exposed.
#[derive(Default)]
pub struct Exposed {
    fields: HashSet<FieldId>,
    /// With all structs that are parts of others here.
    structs: HashSet<TypeId>,
    /// Structs that are copied as a block, with their parts.
    copied: HashSet<TypeId>,
    /// An untyped pointer became one to data: it may have pointed to anything.
    all: bool,
    /// Globals that are reached by who does not name their members.
    pointed: HashSet<GlobalId>,
}

/// The members whose address goes somewhere.
pub fn taken_members(module: &Module, layout: &Layout) -> HashSet<FieldId> {
    let mut taken = HashSet::new();
    for func in module.funcs.values() {
        for block in func.blocks.values() {
            for inst in block.insts.iter().map(|&i| &func.insts[i]) {
                // A step to an element is no use of the address: what is done with the element's is.
                if !ways::is_step(module, func, inst) {
                    let operands = taken_operands(&inst.op).into_iter();
                    taken.extend(operands.filter_map(|op| address(module, layout, func, op)));
                }
            }
            if let Terminator::Ret(Some(v)) = block.term {
                taken.extend(address(module, layout, func, v));
            }
        }
    }
    let anywhere = Function::declaration("initial values");
    for cell in module.globals.values().flat_map(|g| &g.init) {
        taken.extend(address(module, layout, &anywhere, cell.value));
    }
    taken
}

/// The member whose address it is.
fn address(module: &Module, layout: &Layout, func: &Function, op: Operand) -> Option<FieldId> {
    if is_whole(func, op) { None } else { ways::member(module, layout, func, op) }
}

impl Exposed {
    /// By these ways, and by members whose address goes somewhere.
    pub fn new(module: &Module, layout: &Layout, taken: &HashSet<FieldId>, ways: &Ways) -> Exposed {
        if seeded(Fault::ExposedByNothing) {
            return Exposed::default();
        }
        let with_parts = |outer: &HashSet<TypeId>| {
            let is_part = |ty: &TypeId| outer.iter().any(|&o| o == *ty || layout.contains(o, *ty));
            module.types.keys().filter(|ty| module.as_struct(*ty).is_some()).filter(is_part).collect()
        };
        let (structs, all) = ways.converted();
        Exposed {
            fields: taken.iter().copied().chain(ways.firsts()).collect(),
            structs: with_parts(&structs),
            copied: with_parts(ways.copied()),
            all,
            pointed: ways.pointed(),
        }
    }

    /// Whether bytes of a struct of the module's own are out of reach of pointers to data.
    pub fn is_hidden(&self, module: &Module, layout: &Layout, shape: Shape) -> bool {
        if self.all {
            return false;
        }
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
            Shape::Scalar(_) | Shape::Wild => false,
        }
    }

    /// Whether pointers to the struct become pointers to data, or the other way round.
    pub fn is_converted(&self, strukt: TypeId) -> bool {
        self.all || self.structs.contains(&strukt)
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

/// Whether the address is known to be that of a struct, not of the first member: it is used as one.
fn is_whole(func: &Function, addr: Operand) -> bool {
    let Operand::Value(v) = addr else { return false };
    let Some(Op::PtrAdd { offset: 0, scaled, within: Some(strukt), .. }) =
        func.values[v].inst.map(|i| &func.insts[i].op)
    else {
        return false;
    };
    let is_base = |inst: &Inst| match inst.op {
        Op::PtrAdd { base, within, .. } => base == addr && within == Some(*strukt),
        _ => false,
    };
    scaled.is_empty() && func.insts.values().any(is_base)
}
