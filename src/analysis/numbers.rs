//! Which numbers that are read are pointers: drivers keep their objects in `unsigned long` members of structs of the kernel's.

use lockpair_ir::*;
use std::collections::{BTreeSet, HashMap};

/// How wide a pointer is.
const POINTER_BITS: u16 = 64;

/// The reads of numbers as wide as a pointer that are used as one, and as nothing else.
pub fn read_as_pointers(module: &Module) -> BTreeSet<(FuncId, InstId)> {
    let of_function = |(id, func): (FuncId, &Function)| {
        let uses = uses(func);
        let is_pointer = |v: &ValueId| uses.get(v) == Some(&Use::Pointer);
        let reads = func.blocks.values().flat_map(|block| &block.insts).filter(|&&i| {
            let is_number = |v: &ValueId| func.values[*v].ty == Ty::Int(POINTER_BITS);
            let inst = &func.insts[i];
            matches!(inst.op, Op::Load { .. })
                && inst.result.filter(is_number).as_ref().is_some_and(is_pointer)
        });
        reads.map(|&i| (id, i)).collect::<Vec<_>>()
    };
    module.funcs.iter().flat_map(of_function).collect()
}

/// What a value is used as.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Use {
    /// It is made a pointer, wherever it is used.
    Pointer,
    Other,
}

fn uses(func: &Function) -> HashMap<ValueId, Use> {
    let mut uses = HashMap::new();
    let mut note = |operand: Operand, here: Use| {
        if let Operand::Value(v) = operand {
            let known = uses.entry(v).or_insert(here);
            *known = if *known == here { here } else { Use::Other };
        }
    };
    for block in func.blocks.values() {
        for op in block.insts.iter().map(|&i| &func.insts[i].op) {
            let here = if matches!(op, Op::Cast(CastOp::IntToPtr, _)) { Use::Pointer } else { Use::Other };
            op.operands().into_iter().for_each(|operand| note(operand, here));
        }
        block.term.operand().into_iter().for_each(|operand| note(operand, Use::Other));
    }
    uses
}
