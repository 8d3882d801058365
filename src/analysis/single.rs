//! Structs of which an allocation has at most one.
//!
//! Who frees an object ends all of it, so whether a callback of one of its members is over is known only if there is no
//! other such member. A struct of the module's own lies once in its allocation if nothing steps from one to the next: no
//! struct, union or array has it, no address computation goes by a multiple of its size, or in bytes by more than that, none with an
//! index leads to one, and it is not made of bytes. Who goes from a struct of the kernel's, to what lies behind it or around it, goes
//! from no such struct. What went through memory in between is not followed: assumption `one-in-allocation`.

use super::declared;
use super::exposed::Exposed;
use super::layout::Layout;
use crate::fault::{Fault, seeded};
use lockpair_ir::*;
use std::collections::{HashMap, HashSet};

/// All of the module.
pub fn find(module: &Module, layout: &Layout, exposed: &Exposed) -> HashSet<TypeId> {
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
    let indexed = indexed(module);
    for (id, func) in module.funcs.iter() {
        for inst in func.insts.values() {
            single.retain(|&ty| !steps((module, layout), (id, func), &inst.op, ty, &indexed));
        }
    }
    single
}

/// Whether the operation may lead from one struct of the type to another, or makes several.
fn steps(
    (module, layout): (&Module, &Layout),
    (id, func): (FuncId, &Function),
    op: &Op,
    ty: TypeId,
    indexed: &HashSet<(FuncId, ValueId)>,
) -> bool {
    let size = i128::from(module.size_of(ty));
    match op {
        Op::Alloca { count, ty: of, .. } => {
            *of == Some(ty) && !matches!(count, Operand::Int { value: 1, .. })
        }
        Op::PtrAdd { base, offset, scaled, within } => {
            let is_multiple = |k: i64| k != 0 && i128::from(k) % size == 0;
            let inside = *within == Some(ty);
            // From a struct that is no part of it no step leads from one of it to the next (`netdev_priv`).
            let is_other =
                |base| kernels(module, func, base).is_some_and(|outer| !layout.contains(ty, outer));
            let in_bytes = || {
                i128::from(*offset).abs() >= size
                    && within.is_none()
                    && kernels(module, func, *base).is_none()
            };
            scaled.iter().any(|&(_, scale)| is_multiple(scale))
                || is_multiple(*offset) && (within.is_none() && !is_other(*base) || inside)
                || in_bytes()
                || inside && matches!(base, Operand::Value(base) if indexed.contains(&(id, *base)))
        }
        _ => false,
    }
}

/// The struct of the kernel's that the pointer is declared to point to.
fn kernels(module: &Module, func: &Function, pointer: Operand) -> Option<TypeId> {
    let Operand::Value(value) = pointer else { return None };
    declared::struct_type(module, func, value)
        .filter(|&ty| module.as_struct(ty).is_some_and(|s| !s.module_private))
}

/// The values that may be pointers on the way to which there is an index without a struct: also from callers and callees.
fn indexed(module: &Module) -> HashSet<(FuncId, ValueId)> {
    let mut flows: HashMap<(FuncId, ValueId), Vec<(FuncId, ValueId)>> = HashMap::new();
    let mut work = Vec::new();
    for (id, func) in module.funcs.iter() {
        for inst in func.insts.values() {
            let mut flow = |from: FuncId, value: Operand, to: (FuncId, Option<ValueId>)| {
                if let (Operand::Value(value), (into, Some(result))) = (value, to) {
                    flows.entry((from, value)).or_default().push((into, result));
                }
            };
            let here = (id, inst.result);
            match &inst.op {
                Op::PtrAdd { scaled, within: None, .. } if !scaled.is_empty() => {
                    work.extend(inst.result.map(|result| (id, result)));
                }
                Op::PtrAdd { base, within: None, .. } => flow(id, *base, here),
                Op::Phi(edges) => edges.iter().for_each(|(_, value)| flow(id, *value, here)),
                Op::Select { then, els, .. } => [*then, *els].into_iter().for_each(|v| flow(id, v, here)),
                Op::Cast(_, value) => flow(id, *value, here),
                Op::Call { callee: Callee::Func(callee), args } => {
                    let called = &module.funcs[*callee];
                    for (arg, param) in args.iter().zip(&called.params) {
                        flow(id, *arg, (*callee, Some(param.value)));
                    }
                    let returned = called.blocks.values().filter_map(|block| match block.term {
                        Terminator::Ret(value) => value,
                        _ => None,
                    });
                    returned.for_each(|value| flow(*callee, value, here));
                }
                _ => {}
            }
        }
    }
    let mut found = HashSet::new();
    while let Some(value) = work.pop() {
        if found.insert(value) {
            work.extend(flows.get(&value).into_iter().flatten().copied());
        }
    }
    found
}
