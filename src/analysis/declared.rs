//! What the source declares of a value: the type that a pointer points to, where no address computation
//! tells. Opaque pointers have lost it, but parameters, struct members and results still have it.

use super::points_to::static_path;
use crate::fault::{Fault, seeded};
use lockpair_ir::*;
use std::collections::BTreeSet;

/// The bytes of a pointer.
const POINTER: i64 = 8;

/// How many values a chain of definitions may have.
const DEPTH: u32 = 16;

/// The declared type that an operand points to.
pub fn pointee(module: &Module, func: &Function, op: Operand) -> Option<TypeId> {
    of(module, func, op, DEPTH)
}

/// The struct that a value is declared to point to, by the variable of the source that it is put in, if by nothing else.
pub fn strukt<'m>(module: &'m Module, func: &Function, value: ValueId) -> Option<&'m StructDef> {
    module.as_struct(struct_type(module, func, value)?)
}

/// The same as a type.
pub fn struct_type(module: &Module, func: &Function, value: ValueId) -> Option<TypeId> {
    let by_variable = || match func.insts[func.values[value].inst?].op {
        Op::PtrAdd { within, .. } if func.as_struct.contains(&value) => within,
        _ => None,
    };
    let ty = pointee(module, func, Operand::Value(value)).or_else(by_variable)?;
    module.as_struct(ty).is_some().then_some(ty)
}

fn of(module: &Module, func: &Function, op: Operand, depth: u32) -> Option<TypeId> {
    match op {
        Operand::Global(g, 0) => module.globals[g].ty,
        Operand::Value(v) => of_value(module, func, v, depth.checked_sub(1)?),
        _ => None,
    }
}

fn of_value(module: &Module, func: &Function, v: ValueId, depth: u32) -> Option<TypeId> {
    if let Some(param) = func.params.iter().find(|p| p.value == v) {
        return module.pointee(param.decl?);
    }
    match &func.insts[func.values[v].inst?].op {
        Op::Load { addr, .. } => stored(module, func, *addr, depth),
        Op::Call { callee: Callee::Func(f), .. } => module.pointee(module.funcs[*f].ret_decl?),
        Op::External { name, .. } => module.pointee(module.funcs[module.func_named(name)?].ret_decl?),
        Op::Phi(edges) => {
            let objects = edges.iter().filter(|(_, op)| !matches!(op, Operand::Null | Operand::Undef(_)));
            let mut types = objects.map(|(_, op)| of(module, func, *op, depth));
            let first = types.next()??;
            types.all(|t| t == Some(first)).then_some(first)
        }
        Op::Select { then, els, .. } => {
            let (a, b) = (of(module, func, *then, depth), of(module, func, *els, depth));
            if a == b { a } else { None }
        }
        _ => None,
    }
}

/// The struct that the variables and members of the source into which the value goes are declared to point to, if they agree.
pub fn struct_of_uses(module: &Module, func: &Function, value: ValueId) -> Option<TypeId> {
    let (mut same, mut work, mut found) = (BTreeSet::from([value]), vec![value], BTreeSet::new());
    while let Some(value) = work.pop() {
        let operand = Operand::Value(value);
        for inst in func.insts.values().filter(|inst| inst.op.operands().contains(&operand)) {
            match &inst.op {
                Op::PtrAdd { within, .. } if inst.result.is_some_and(|v| func.as_struct.contains(&v)) => {
                    found.extend(*within);
                }
                Op::Store { addr, value, .. } if *value == operand => {
                    found.extend(stored_pointee(module, func, *addr));
                }
                Op::Select { .. } | Op::Phi(_) => {
                    work.extend(inst.result.filter(|v| same.insert(*v)));
                }
                _ => {}
            }
        }
    }
    let mut structs = found.into_iter().filter(|ty| module.as_struct(*ty).is_some_and(|def| def.size > 0));
    structs.next().filter(|_| structs.next().is_none())
}

/// The type that a pointer stored at the address is declared to point to.
pub fn stored_pointee(module: &Module, func: &Function, addr: Operand) -> Option<TypeId> {
    stored(module, func, addr, DEPTH)
}

fn stored(module: &Module, func: &Function, addr: Operand, depth: u32) -> Option<TypeId> {
    let first_member = || {
        // Where helpers are inlined, the step to the first member is lost, since adding nothing is nothing.
        let Operand::Value(_) = addr else { return None };
        let strukt = of(module, func, addr, depth)?;
        module.as_struct(strukt).map(|_| (strukt, 0))
    };
    match static_path(module, func, addr).or_else(first_member) {
        Some((strukt, offset)) => module.pointee(member_type(module, strukt, offset)?),
        // What code outside has behind a name alone may be anything.
        None => module.pointee(element(module, func, addr)?).filter(|&to| !is_name(module, to)),
    }
}

/// Whether what begins at the address is declared to be a number, or a text.
pub fn is_number(module: &Module, func: &Function, addr: Operand) -> bool {
    let begin = |ty: TypeId| member_type(module, module.element(ty), 0);
    let declared = match (variable(func, addr), static_path(module, func, addr)) {
        (Some(ty), _) => begin(ty),
        (None, Some((strukt, offset))) => member_type(module, strukt, offset),
        (None, None) => pointee(module, func, addr).and_then(begin),
    };
    declared.is_some_and(|ty| matches!(module.types[ty], TypeDef::Int { .. } | TypeDef::Float(_)))
}

/// The declared type of the variable on the stack whose address it is.
fn variable(func: &Function, addr: Operand) -> Option<TypeId> {
    let Operand::Value(v) = addr else { return None };
    match func.insts[func.values[v].inst?].op {
        Op::Alloca { ty, .. } => ty,
        _ => None,
    }
}

/// Whether the module has only the name of the struct.
fn is_name(module: &Module, ty: TypeId) -> bool {
    module.as_struct(ty).is_some_and(|def| def.fields.is_empty())
}

/// The type of a variable that is no struct, or of the element of an array that begins at the address.
fn element(module: &Module, func: &Function, addr: Operand) -> Option<TypeId> {
    let (g, at) = match addr {
        Operand::Global(g, at) => (g, at),
        Operand::Value(v) => match &func.insts[func.values[v].inst?].op {
            Op::PtrAdd { base: Operand::Global(g, at), offset, scaled, within: None } => {
                let whole = scaled.iter().all(|(_, stride)| stride % POINTER == 0);
                (*g, whole.then_some(at.checked_add(*offset)?)?)
            }
            _ => return None,
        },
        _ => return None,
    };
    let ty = module.innermost_element(module.globals[g].ty?);
    (at % POINTER == 0 && module.as_struct(ty).is_none()).then_some(ty)
}

/// The type of the pointer or number that begins at the offset. Of a union, that of its pointers, if they are all of one.
fn member_type(module: &Module, strukt: TypeId, offset: u64) -> Option<TypeId> {
    match &module.types[strukt] {
        TypeDef::Struct(def) => {
            let covers = |f: &&Field| f.offset <= offset && offset < f.offset + size(module, f);
            let mut members = def.fields.iter().filter(covers);
            let of = |f: &Field| member_type(module, f.ty, offset - f.offset);
            if !def.is_union || seeded(Fault::FirstOfUnion) {
                return of(members.next()?);
            }
            let mut pointers = members.filter_map(of).filter(|&ty| module.pointee(ty).is_some());
            let first = pointers.next()?;
            pointers.all(|ty| module.pointee(ty) == module.pointee(first)).then_some(first)
        }
        TypeDef::Array { elem, .. } => member_type(module, *elem, offset % module.size_of(*elem).max(1)),
        _ => (offset == 0).then_some(strukt),
    }
}

/// What the functions that a pointer leads to are declared to take.
pub fn prototype<'m>(module: &'m Module, func: &Function, pointer: Operand) -> Option<&'m [TypeId]> {
    match &module.types[pointee(module, func, pointer)?] {
        TypeDef::Func { params, .. } => Some(params),
        _ => None,
    }
}

/// The types of the scalar members that begin at the offset: in a union there may be several.
pub fn members(module: &Module, strukt: TypeId, offset: u64) -> Vec<TypeId> {
    let (mut found, mut work) = (Vec::new(), vec![(strukt, offset)]);
    while let Some((ty, at)) = work.pop() {
        match &module.types[ty] {
            TypeDef::Struct(def) => {
                let covers = |f: &&Field| f.offset <= at && at < f.offset + size(module, f);
                work.extend(def.fields.iter().filter(covers).map(|f| (f.ty, at - f.offset)));
            }
            TypeDef::Array { elem, .. } => work.push((*elem, at % module.size_of(*elem).max(1))),
            _ if at == 0 => found.push(ty),
            _ => {}
        }
    }
    found
}

/// The bytes of a member.
fn size(module: &Module, field: &Field) -> u64 {
    field.bits.map_or(module.size_of(field.ty), |bits| u64::from(bits).div_ceil(8)).max(1)
}
