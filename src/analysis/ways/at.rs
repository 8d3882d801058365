//! What an address is the address of, as the code around it says.

use super::Place;
use crate::analysis::declared;
use crate::analysis::fields::{self, FieldId};
use crate::analysis::layout::{Layout, Shape};
use crate::analysis::points_to::static_path;
use crate::fault::{Fault, seeded};
use lockpair_ir::*;
use rustc_hash::FxHashSet;

/// The pointers through which an instruction, or unknown code that it calls, reads or writes.
pub(in crate::analysis) fn accessed(op: &Op) -> Vec<Operand> {
    match op {
        Op::Load { addr, .. }
        | Op::Store { addr, .. }
        | Op::Rmw { addr, .. }
        | Op::CmpXchg { addr, .. }
        | Op::Access { addr, .. } => vec![*addr],
        Op::Free { ptr, .. } => vec![*ptr],
        Op::MemSet { dst, .. } => vec![*dst],
        Op::MemCopy { dst, src, .. } => vec![*dst, *src],
        Op::Acquire { lock, .. } | Op::Release { lock, .. } => vec![*lock],
        Op::External { args, .. } | Op::Call { args, .. } => args.clone(),
        Op::Bin(..)
        | Op::Cmp(..)
        | Op::Select { .. }
        | Op::Cast(..)
        | Op::Phi(_)
        | Op::PtrAdd { .. }
        | Op::Alloca { .. }
        | Op::Extract { .. }
        | Op::Havoc
        | Op::Data
        | Op::Cpu
        | Op::Alloc { .. }
        | Op::Publish { .. }
        | Op::Register { .. }
        | Op::Unregister { .. } => vec![],
    }
}

/// Whether it computes the address of a member or an element from another.
pub(in crate::analysis) fn is_step(module: &Module, func: &Function, inst: &Inst) -> bool {
    matches!(inst.op, Op::PtrAdd { .. })
        && inst.result.is_some_and(|v| static_path(module, func, Operand::Value(v)).is_some())
}

/// The member that code outside accesses, and nothing else.
pub(in crate::analysis) fn named_member(
    module: &Module,
    layout: &Layout,
    func: &Function,
    op: &Op,
) -> Option<FieldId> {
    let Op::Access { addr, len: Operand::Int { value: len, .. }, .. } = op else { return None };
    let (strukt, lo) = static_path(module, func, *addr)?;
    let field = fields::of_shape(
        module,
        layout,
        Shape::In { strukt, lo, hi: lo.checked_add(u64::try_from(*len).ok()?)? },
    )?;
    fields::element(module, field)
        .filter(|&ty| !matches!(module.types[ty], TypeDef::Struct(_)))
        .map(|_| field)
}

/// Whether one of the kernel's structs begins there: to code outside goes its address, not that of its first member
/// (assumption `type-split`).
pub(in crate::analysis) fn begins_kernels(
    module: &Module,
    layout: &Layout,
    (func, addr): (&Function, Operand),
) -> bool {
    static_path(module, func, addr).is_some_and(|(strukt, at)| {
        let (inner, at) = layout.innermost(strukt, at);
        at == 0 && !layout.is_private(inner)
    })
}

/// The values that something is done with.
pub(super) fn used_values(func: &Function) -> FxHashSet<ValueId> {
    let insts = func.blocks.values().flat_map(|block| &block.insts);
    let operands = insts.flat_map(|&i| func.insts[i].op.operands());
    let ends = func.blocks.values().filter_map(|block| block.term.operand());
    let value = |op| if let Operand::Value(v) = op { Some(v) } else { None };
    operands.chain(ends).filter_map(value).collect()
}

/// The variable whose address the operand is.
pub(super) fn variable(id: FuncId, func: &Function, op: Operand) -> Option<Place> {
    match op {
        Operand::Global(g, _) => Some(Place::Variable(g)),
        Operand::Value(v) if is_slot(func, v) => Some(Place::Slot(id, v)),
        _ => None,
    }
}

/// Whether an instruction accesses just what lies at the address, which goes nowhere.
pub(super) fn is_content(op: &Op, addr: Operand) -> bool {
    match op {
        Op::MemSet { dst, .. } => *dst == addr,
        Op::MemCopy { dst, src, len: Operand::Int { .. } } => *dst == addr || *src == addr,
        Op::Access { addr: place, len: Operand::Int { .. }, .. } => *place == addr,
        _ => false,
    }
}

/// Whether the value is a number that is taken for a pointer.
pub(super) fn is_from_number(func: &Function, op: Operand) -> bool {
    let Operand::Value(v) = op else { return false };
    func.values[v].inst.is_some_and(|i| matches!(func.insts[i].op, Op::Cast(CastOp::IntToPtr, _)))
}

/// Whether the value is the address of a variable on the stack.
pub(super) fn is_slot(func: &Function, v: ValueId) -> bool {
    func.values[v].inst.is_some_and(|i| matches!(func.insts[i].op, Op::Alloca { .. }))
}

/// The member at an address.
pub(super) fn member(module: &Module, layout: &Layout, func: &Function, addr: Operand) -> Option<FieldId> {
    let (strukt, offset) = static_path(module, func, addr)?;
    fields::of_shape(module, layout, Shape::In { strukt, lo: offset, hi: offset + 1 })
}

/// The struct that a pointer is declared to point to, and its first member, if that has so many bytes: where
/// helpers are inlined, the step to the first member is lost, since adding nothing is nothing.
pub fn first_member(
    module: &Module,
    layout: &Layout,
    func: &Function,
    addr: Operand,
    bytes: u64,
) -> Option<(TypeId, FieldId)> {
    let strukt = declared_type(module, func, addr)?;
    let field = fields::of_shape(module, layout, Shape::In { strukt, lo: 0, hi: bytes })?;
    Some((strukt, field))
}

/// The type that a pointer was declared to point to where it was read, passed, or put in a variable of the source; of one that
/// is one of several, if all agree.
fn declared_type(module: &Module, func: &Function, addr: Operand) -> Option<TypeId> {
    let (mut seen, mut work, mut found) = (FxHashSet::default(), vec![addr], None);
    while let Some(op) = work.pop() {
        let v = match op {
            Operand::Value(v) => v,
            Operand::Null | Operand::Undef(_) => continue,
            _ => return None,
        };
        if !seen.insert(v) {
            continue;
        }
        let inst = func.values[v].inst.map(|i| &func.insts[i].op);
        let declared = match inst {
            Some(Op::Phi(edges)) => {
                work.extend(edges.iter().map(|(_, op)| *op));
                continue;
            }
            Some(&Op::Select { then, els, .. }) => {
                work.extend([then, els]);
                continue;
            }
            // An address that is such a step itself has a path, by which its members are found.
            Some(Op::PtrAdd { within, .. }) if op != addr && func.as_struct.contains(&v) => *within,
            // Parameters have no instruction.
            None | Some(Op::Load { .. }) => declared::pointee(module, func, op),
            _ => None,
        };
        match (declared?, found) {
            (ty, Some(other)) if ty != other && !seeded(Fault::ChoicesAsRead) => return None,
            (ty, _) => found = Some(ty),
        }
    }
    found
}

/// Whether the address is known to be that of a struct, not of the first member: it is declared or used as one.
pub(in crate::analysis) fn is_whole(func: &Function, addr: Operand) -> bool {
    let Operand::Value(v) = addr else { return false };
    if func.as_struct.contains(&v) {
        return true;
    }
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
