//! Structs of which an allocation has at most one.
//!
//! Who frees an object ends all of it, so whether a callback of one of its members is over is known only if there is no
//! other such member. A struct of the module's own lies once in its allocation if nothing steps from one to the next: no
//! struct, union or array has it, no address computation goes by a multiple of its size, or in bytes by more than that, none with an
//! index leads to one, and it is not made of bytes. Who goes from a struct of the kernel's, to what lies behind it or around it, goes
//! from no such struct. What went through memory in between is not followed: assumption `one-in-allocation`.

use super::declared;
use super::exposed::Exposed;
use crate::fault::{Fault, seeded};
use lockpair_ir::*;
use std::collections::HashSet;

/// How many values a chain of definitions may have.
const DEPTH: u32 = 16;

/// All of the module.
pub fn find(module: &Module, exposed: &Exposed) -> HashSet<TypeId> {
    let own = |&ty: &TypeId| {
        module.as_struct(ty).is_some_and(|s| s.module_private && !s.is_union && s.size > 1)
            && !exposed.is_converted(ty)
    };
    let mut single: HashSet<TypeId> = module.types.keys().filter(own).collect();
    if seeded(Fault::AllocationsHaveOne) {
        return single;
    }
    for def in module.types.values() {
        match *def {
            TypeDef::Struct(ref def) => def.fields.iter().for_each(|f| {
                single.remove(&f.ty);
            }),
            TypeDef::Array { elem, .. } => {
                single.remove(&elem);
            }
            TypeDef::Void
            | TypeDef::Int { .. }
            | TypeDef::Float(_)
            | TypeDef::Ptr(_)
            | TypeDef::Func { .. } => {}
        }
    }
    for func in module.funcs.values() {
        for inst in func.insts.values() {
            single.retain(|&ty| !steps(module, func, &inst.op, ty));
        }
    }
    single
}

/// Whether the operation may lead from one struct of the type to another, or makes several.
fn steps(module: &Module, func: &Function, op: &Op, ty: TypeId) -> bool {
    let size = i128::from(module.size_of(ty));
    match op {
        Op::Alloca { count, ty: of, .. } => {
            *of == Some(ty) && !matches!(count, Operand::Int { value: 1, .. })
        }
        Op::PtrAdd { base, offset, scaled, within } => {
            let is_multiple = |k: i64| k != 0 && i128::from(k) % size == 0;
            let inside = *within == Some(ty);
            let in_bytes =
                || i128::from(*offset).abs() >= size && within.is_none() && !is_kernels(module, func, *base);
            scaled.iter().any(|&(_, scale)| is_multiple(scale))
                || is_multiple(*offset) && (within.is_none() || inside)
                || in_bytes()
                || inside && is_indexed(func, *base, DEPTH)
        }
        _ => false,
    }
}

/// Whether the pointer is declared to point to a struct of the kernel's.
fn is_kernels(module: &Module, func: &Function, pointer: Operand) -> bool {
    let Operand::Value(value) = pointer else { return false };
    declared::strukt(module, func, value).is_some_and(|strukt| !strukt.module_private)
}

/// Whether an index without a struct is on the way to the pointer.
fn is_indexed(func: &Function, pointer: Operand, depth: u32) -> bool {
    let Operand::Value(v) = pointer else { return false };
    let Some(depth) = depth.checked_sub(1) else { return true };
    let Some(inst) = func.values[v].inst else { return false };
    match &func.insts[inst].op {
        Op::PtrAdd { base, scaled, within, .. } => {
            within.is_none() && (!scaled.is_empty() || is_indexed(func, *base, depth))
        }
        Op::Phi(edges) => edges.iter().any(|(_, v)| is_indexed(func, *v, depth)),
        Op::Select { then, els, .. } => is_indexed(func, *then, depth) || is_indexed(func, *els, depth),
        Op::Cast(_, v) => is_indexed(func, *v, depth),
        _ => false,
    }
}
