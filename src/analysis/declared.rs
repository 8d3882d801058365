//! What the source declares of a value: the type that a pointer points to, where no address computation
//! tells. Opaque pointers have lost it, but parameters, struct members and results still have it.

use super::points_to::static_path;
use lockpair_ir::*;

/// How many values a chain of definitions may have.
const DEPTH: u32 = 16;

/// The declared type that an operand points to.
pub fn pointee(module: &Module, func: &Function, op: Operand) -> Option<TypeId> {
    of(module, func, op, DEPTH)
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
        Op::Load { addr, .. } => stored_pointee(module, func, *addr),
        Op::Call { callee: Callee::Func(f), .. } => module.pointee(module.funcs[*f].ret_decl?),
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

/// The type that a pointer stored at the address is declared to point to.
pub fn stored_pointee(module: &Module, func: &Function, addr: Operand) -> Option<TypeId> {
    let (strukt, offset) = static_path(module, func, addr)?;
    module.pointee(member_type(module, strukt, offset)?)
}

/// The type of the scalar member that begins at the offset.
fn member_type(module: &Module, strukt: TypeId, offset: u64) -> Option<TypeId> {
    let (mut ty, mut at) = (strukt, offset);
    loop {
        match &module.types[ty] {
            TypeDef::Struct(def) => {
                let size =
                    |f: &Field| f.bits.map_or(module.size_of(f.ty), |b| u64::from(b).div_ceil(8)).max(1);
                let field = def.fields.iter().find(|f| f.offset <= at && at < f.offset + size(f))?;
                (ty, at) = (field.ty, at - field.offset);
            }
            TypeDef::Array { elem, .. } => (ty, at) = (*elem, at % module.size_of(*elem).max(1)),
            _ => return (at == 0).then_some(ty),
        }
    }
}
