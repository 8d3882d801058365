//! What else than `complete` may change how often something was completed: addresses of completions that go somewhere, and writes
//! to the number, by its name or as a part of a block.

use super::Facts;
use crate::analysis::layout::Shape;
use crate::analysis::origins;
use crate::analysis::points_to::{RegionId, static_path};
use crate::fault::{Fault, seeded};
use lockpair_ir::*;
use std::collections::HashSet;

/// Whether code outside may complete something, or the module does so otherwise than by calling who does: the address of a
/// completion goes somewhere, or one may begin with another number than zero, or get one.
pub(super) fn may_change(facts: &Facts) -> bool {
    facts.kinds.completes.values().any(|&place| may_change_in(facts, place))
}

/// The same of completions of one struct, with where in it they are counted.
fn may_change_in(facts: &Facts, (completion, at): (TypeId, u64)) -> bool {
    let origins::Facts { module, layout, .. } = *facts.origins;
    let counts = Counts { facts, completion, at, regions: regions(facts) };
    let at = |strukt: TypeId, at: u64| {
        strukt == completion && at == 0 || layout.begin_at(strukt, at).contains(&completion)
    };
    let in_global = |operand: &Operand| match *operand {
        Operand::Global(g, off) => {
            module.globals[g].ty.zip(u64::try_from(off).ok()).is_some_and(|(ty, off)| at(ty, off))
        }
        _ => false,
    };
    let is_address = |func: &Function, operand: Operand| {
        in_global(&operand) || static_path(module, func, operand).is_some_and(|(strukt, off)| at(strukt, off))
    };
    let goes = |func: &Function, op: &Op| match op {
        Op::Register { .. }
        | Op::Unregister { .. }
        | Op::Load { .. }
        | Op::Cmp(..)
        | Op::PtrAdd { .. }
        | Op::Access { .. }
        | Op::MemSet { .. } => false,
        Op::Store { value, .. } => is_address(func, *value),
        op => op.operands().iter().any(|&operand| is_address(func, operand)),
    };
    let in_code = |(id, func): (FuncId, &Function)| {
        let ends = func.blocks.values().filter_map(|b| b.term.operand());
        let ops = func.blocks.values().flat_map(|b| &b.insts).map(|&i| &func.insts[i].op);
        ops.into_iter().any(|op| goes(func, op) || counts.may_write(id, op))
            || ends.into_iter().any(|operand| is_address(func, operand))
    };
    let globals = || module.globals.values().filter(|g| !g.name.starts_with("llvm."));
    globals().flat_map(|g| &g.init).any(|cell| in_global(&cell.value))
        || globals().any(|g| counts.begins_with_some(g))
        || module.funcs.iter().any(in_code)
}

/// Where completions are counted.
struct Counts<'a> {
    facts: &'a Facts<'a>,
    completion: TypeId,
    at: u64,
    /// Of all completions.
    regions: HashSet<RegionId>,
}

fn regions(facts: &Facts) -> HashSet<RegionId> {
    let origins::Facts { module, points_to, .. } = *facts.origins;
    let completion = |op: &Op| match op {
        Op::Register { class, handle, .. } | Op::Unregister { class, handle, .. } => {
            facts.kinds.completes.contains_key(class).then_some(*handle)
        }
        _ => None,
    };
    let of_func = |(id, func): (FuncId, &Function)| {
        let ops = func.blocks.values().flat_map(|b| &b.insts).map(|&i| &func.insts[i].op);
        ops.filter_map(completion).map(|handle| points_to.region(id, handle)).collect::<Vec<_>>()
    };
    module.funcs.iter().flat_map(of_func).collect()
}

impl Counts<'_> {
    /// The bytes of the number.
    fn shape(&self) -> Shape {
        Shape::In { strukt: self.completion, lo: self.at, hi: self.at + 4 }
    }

    /// Whether a variable has a completion that something has completed at the beginning.
    fn begins_with_some(&self, global: &Global) -> bool {
        let layout = self.facts.origins.layout;
        // The cell may be one of a struct around it.
        let is_count = |cell: &InitCell| {
            let at =
                Shape::In { strukt: self.completion, lo: cell.offset, hi: cell.offset + cell.size.max(1) };
            match global.ty {
                Some(ty) if ty == self.completion => layout.may_overlap(true, at, self.shape()),
                Some(ty) => cell
                    .offset
                    .checked_sub(self.at)
                    .is_some_and(|begin| layout.begin_at(ty, begin).contains(&self.completion)),
                None => false,
            }
        };
        let is_zero = |v: Operand| matches!(v, Operand::Int { value: 0, .. } | Operand::Null);
        let mut counts = global.init.iter().filter(|cell| is_count(cell));
        counts.any(|cell| !is_zero(cell.value)) && !seeded(Fault::CompletionsCountFromZero)
    }

    /// Whether the operation may write another number than zero there, in an object that may have a completion.
    fn may_write(&self, func: FuncId, op: &Op) -> bool {
        let origins::Facts { module, layout, points_to, .. } = *self.facts.origins;
        let is_zero = |v: Operand| matches!(v, Operand::Int { value: 0, .. } | Operand::Null);
        let function = &module.funcs[func];
        let bytes = |v: Operand| Some(function.operand_ty(v).bytes());
        let (dst, len) = match op {
            Op::Store { addr, value, .. } if !is_zero(*value) => (*addr, bytes(*value)),
            Op::MemSet { dst, byte, len } if !is_zero(*byte) => (*dst, constant(*len)),
            Op::MemCopy { dst, len, .. } => (*dst, constant(*len)),
            Op::Access { addr, len, write: true, .. } => (*addr, constant(*len)),
            Op::Rmw { addr, value, .. } | Op::CmpXchg { addr, new: value, .. } => (*addr, bytes(*value)),
            _ => return false,
        };
        let place = match (static_path(module, function, dst), len) {
            (Some((strukt, lo)), Some(len)) => Shape::In { strukt, lo, hi: lo + len.max(1) },
            // A number that is stored through a pointer to one is no completion (`type-split`); a block may hold one.
            (None, _) if matches!(op, Op::Store { .. } | Op::Rmw { .. } | Op::CmpXchg { .. }) => {
                return false;
            }
            _ => Shape::Wild,
        };
        self.regions.contains(&points_to.region(func, dst))
            && layout.may_overlap(true, self.shape(), place)
            && !seeded(Fault::CompletionsCountFromZero)
    }
}

fn constant(len: Operand) -> Option<u64> {
    match len {
        Operand::Int { value, .. } => u64::try_from(value).ok(),
        _ => None,
    }
}
