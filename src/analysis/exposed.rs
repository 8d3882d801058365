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

use super::declared;
use super::fields::{self, FieldId};
use super::layout::{Layout, Shape};
use super::points_to::{static_path, taken_operands};
use super::uses;
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
        let compared = uses::only_compared(func);
        for block in func.blocks.values() {
            for inst in block.insts.iter().map(|&i| &func.insts[i]) {
                // A step to an element is no use of the address: what is done with the element's is. Who accesses just
                // the member names it.
                let named = || ways::named_member(module, layout, func, &inst.op).is_some();
                if ways::is_step(module, func, inst)
                    || inst.result.is_some_and(|v| compared.contains(&v))
                    || named()
                {
                    continue;
                }
                for op in taken_operands(&inst.op) {
                    let member = address(module, layout, func, op);
                    taken.extend(member.filter(|_| !goes_as_struct(module, layout, func, (&inst.op, op))));
                }
            }
            if let Terminator::Ret(Some(v)) = block.term {
                taken.extend(address(module, layout, func, v));
            }
        }
    }
    let anywhere = Function::declaration("initial values");
    for (id, global) in module.globals.iter() {
        for cell in &global.init {
            let place = Operand::Global(id, i64::try_from(cell.offset).unwrap_or(i64::MAX));
            let declared = declared::stored_pointee(module, &anywhere, place)
                .or_else(|| module.pointee(element(module, global.ty?)));
            let addr = (&anywhere, cell.value);
            let as_kernels = || declared.is_none() && ways::begins_kernels(module, layout, addr);
            if !begins_there(module, layout, addr, declared) && !as_kernels() {
                taken.extend(address(module, layout, &anywhere, cell.value));
            }
        }
    }
    taken
}

/// What an array is made of.
fn element(module: &Module, mut ty: TypeId) -> TypeId {
    while let TypeDef::Array { elem, .. } = module.types[ty] {
        ty = elem;
    }
    ty
}

/// Whether an instruction takes an address for that of a struct, which is that of its first member, too, or hands it on so.
fn goes_as_struct(module: &Module, layout: &Layout, func: &Function, (op, addr): (&Op, Operand)) -> bool {
    let callee = match op {
        Op::Call { callee: Callee::Func(f), args } => Some((*f, args)),
        Op::External { name, args } => module.func_named(name).map(|f| (f, args)),
        _ => None,
    };
    let everywhere = |declared: Vec<Option<TypeId>>| {
        !declared.is_empty() && declared.into_iter().all(|ty| begins_there(module, layout, (func, addr), ty))
    };
    let to_outside = |declared: Option<TypeId>| match declared {
        Some(_) => everywhere(vec![declared]),
        None => ways::begins_kernels(module, layout, (func, addr)),
    };
    match (op, callee) {
        (Op::Unregister { .. }, _) => true,
        (Op::Publish { .. }, _) => to_outside(None),
        (Op::Register { callback, argument, .. }, _) => {
            *callback != Some(addr) && argument.is_none_or(|(_, v)| v != addr)
        }
        (Op::Store { addr: place, value, .. }, _) if *value == addr => {
            everywhere(vec![declared::stored_pointee(module, func, *place)])
        }
        (_, Some((f, args))) => {
            let declared = |n: usize| module.pointee(module.funcs[f].params.get(n)?.decl?);
            let mut here = args.iter().enumerate().filter(|(_, arg)| **arg == addr).map(|(n, _)| declared(n));
            match module.funcs[f].is_defined() {
                true => everywhere(here.collect()),
                false => here.all(to_outside),
            }
        }
        (Op::External { .. }, None) => to_outside(None),
        _ => false,
    }
}

/// Whether a struct of the type begins at the address.
fn begins_there(
    module: &Module,
    layout: &Layout,
    (func, addr): (&Function, Operand),
    ty: Option<TypeId>,
) -> bool {
    let Some((strukt, at)) = static_path(module, func, addr) else { return false };
    ty.filter(|&ty| module.as_struct(ty).is_some())
        .is_some_and(|ty| at == 0 && ty == strukt || layout.begin_at(strukt, at).contains(&ty))
}

/// The member whose address it is.
fn address(module: &Module, layout: &Layout, func: &Function, op: Operand) -> Option<FieldId> {
    if ways::is_whole(func, op) { None } else { ways::member(module, layout, func, op) }
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
