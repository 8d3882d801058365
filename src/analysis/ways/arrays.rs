//! Variables that are arrays of pointers of which the module only reads and writes elements: what it has put in one is what it
//! reads from one, and nothing else.

use crate::fault::{Fault, seeded};
use lockpair_ir::*;
use rustc_hash::FxHashSet;

/// Those arrays. What others can name, or have the address of, is none; and neither is what is read or written as a block.
pub(super) fn of_pointers(module: &Module) -> FxHashSet<GlobalId> {
    let has_pointers = |global: &Global| {
        global.ty.is_some_and(|ty| matches!(module.types[ty], TypeDef::Array { .. }))
            && global
                .ty
                .is_some_and(|ty| matches!(module.types[module.innermost_element(ty)], TypeDef::Ptr(_)))
    };
    let is_own = |global: &Global| global.defined && !global.exported;
    let candidates = module.globals.iter().filter(|(_, global)| is_own(global) && has_pointers(global));
    let mut arrays: FxHashSet<GlobalId> = candidates.map(|(id, _)| id).collect();
    if arrays.is_empty() || seeded(Fault::ArraysAreOwn) {
        return arrays;
    }
    let cells = module.globals.values().filter(|g| !g.name.starts_with("llvm.")).flat_map(|g| &g.init);
    let mut others: FxHashSet<GlobalId> = cells.filter_map(|cell| global(cell.value)).collect();
    for func in module.funcs.values() {
        let parts = constants::addresses(func);
        let part = |op: Operand| match op {
            Operand::Value(v) => parts.get(&v).copied(),
            op => global(op),
        };
        let insts = func.blocks.values().flat_map(|block| &block.insts).map(|&i| &func.insts[i].op);
        others.extend(insts.flat_map(handed_on).filter_map(part));
        let ends = func.blocks.values().filter_map(|block| block.term.operand());
        others.extend(ends.filter_map(part));
    }
    arrays.retain(|array| !others.contains(array));
    arrays
}

/// The operands of which an instruction does more than to read or write an element there, to step to one, or to compare.
fn handed_on(op: &Op) -> Vec<Operand> {
    match op {
        Op::Load { .. } | Op::Cmp(..) => vec![],
        Op::Store { value, .. } | Op::Rmw { value, .. } => vec![*value],
        Op::CmpXchg { expected, new, .. } => vec![*expected, *new],
        Op::PtrAdd { scaled, .. } => scaled.iter().map(|(index, _)| *index).collect(),
        op => op.operands(),
    }
}

fn global(op: Operand) -> Option<GlobalId> {
    match op {
        Operand::Global(g, _) => Some(g),
        _ => None,
    }
}
