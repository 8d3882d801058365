//! What the kernel reads as it calls a function that stands in a struct.

use crate::analysis::remade::{self, Itself, POINTER};
use lockpair_entry_points::EntryPoints;
use lockpair_ir::*;
use std::collections::BTreeSet;

/// So many calls deep the struct around a parameter is looked for.
const HELPERS: u32 = 3;

/// Lets each callback that the kernel keeps from running beside itself by the struct that holds it begin with the read of itself
/// there: who makes the timer anew, or gives it another function, while the old one may run, lets in a second one, as who makes a
/// lock anew lets in a second holder.
pub(super) fn note(module: &mut Module, entry_points: &EntryPoints) {
    let mut noted = Vec::new();
    for entry in entry_points.items.values() {
        for itself in remade::held_by(module, entry) {
            let key = (entry.func, itself.param);
            if !noted.contains(&key) {
                noted.push(key);
                read_at_begin(module, entry.func, itself);
            }
        }
    }
}

/// What a parameter points to lies in, and how far back that begins.
type Around = (TypeId, i64);

/// The structs around what a parameter points to (`held`) that the function steps to, itself or in helpers that it is given to.
/// None if it may step to others: not all is seen that becomes of the pointer.
fn containers(
    module: &Module,
    (func, param): (FuncId, ValueId),
    held: TypeId,
    depth: u32,
) -> Option<BTreeSet<Around>> {
    let func = &module.funcs[func];
    let mut found = BTreeSet::new();
    if func.blocks.values().any(|block| block.term.operand() == Some(Operand::Value(param))) {
        return None;
    }
    for inst in func.insts.values().filter(|inst| inst.op.operands().contains(&Operand::Value(param))) {
        match &inst.op {
            Op::PtrAdd { base, offset, scaled, within }
                if *base == Operand::Value(param) && scaled.is_empty() =>
            {
                found.extend(stepped_to(func, inst.result?, (*offset, *within), held)?);
            }
            Op::Call { callee: Callee::Func(f), args } => {
                let given = args.iter().enumerate().filter(|(_, arg)| **arg == Operand::Value(param));
                for (at, _) in given {
                    let param = module.funcs[*f].params.get(at)?.value;
                    found.extend(containers(module, (*f, param), held, depth.checked_sub(1)?)?);
                }
            }
            Op::Store { value, .. } if *value == Operand::Value(param) => return None,
            Op::PtrAdd { .. }
            | Op::Call { .. }
            | Op::Select { .. }
            | Op::Phi(_)
            | Op::Cast(..)
            | Op::Rmw { .. }
            | Op::CmpXchg { .. } => return None,
            // Whatever else is done with it gives no other name to it.
            _ => {}
        }
    }
    Some(found)
}

/// The structs around it that a step leads to: none from one that stays in what is held; None if nobody knows.
fn stepped_to(
    func: &Function,
    result: ValueId,
    (offset, within): (i64, Option<TypeId>),
    held: TypeId,
) -> Option<BTreeSet<Around>> {
    let at = |back: i64, outer: BTreeSet<TypeId>| Some(outer.into_iter().map(|ty| (ty, back)).collect());
    match within {
        Some(ty) if ty == held => return Some(BTreeSet::new()),
        Some(ty) if offset == 0 => return at(0, taken_for(func, result, ty)),
        Some(_) => return None,
        None if offset > 0 => return None,
        None => {}
    }
    let mut outer = BTreeSet::new();
    for inst in func.insts.values().filter(|inst| inst.op.operands().contains(&Operand::Value(result))) {
        match &inst.op {
            Op::PtrAdd { offset: 0, scaled, within: Some(ty), .. } if scaled.is_empty() => {
                outer.extend(taken_for(func, inst.result?, *ty));
            }
            _ => return None,
        }
    }
    at(-offset, outer).filter(|outer: &BTreeSet<Around>| !outer.is_empty())
}

/// What a pointer to a struct is taken for: that, and what it is cast to.
fn taken_for(func: &Function, pointer: ValueId, strukt: TypeId) -> BTreeSet<TypeId> {
    let steps = func.insts.values().filter_map(|inst| match &inst.op {
        Op::PtrAdd { base, within, .. } if *base == Operand::Value(pointer) => *within,
        _ => None,
    });
    steps.chain([strukt]).collect()
}

/// Puts the reads at the beginning of the function.
fn read_at_begin(module: &mut Module, func: FuncId, Itself { param, strukt, offset }: Itself) {
    let Some(param) = module.funcs[func].params.get(param as usize).map(|param| param.value) else { return };
    let offset = i64::try_from(offset).expect("the offset of a member");
    // Where there are several, each member of that type may be meant.
    let around = containers(module, (func, param), strukt, HELPERS).filter(|found| found.len() == 1);
    let around = around.and_then(|found| found.into_iter().next());
    let func = &mut module.funcs[func];
    let (begin, loc) = (func.entry(), func.loc);
    let mut insts = Vec::new();
    let mut step = |func: &mut Function, base: ValueId, offset: i64, within: Option<TypeId>| {
        let op = Op::PtrAdd { base: Operand::Value(base), offset, scaled: Vec::new(), within };
        let (inst, result) = func.add_inst(op, Some(Ty::Ptr), loc);
        insts.push(inst);
        result.expect("a pointer")
    };
    // As the code itself goes, so that it is known in what the member lies.
    let mut member = |func: &mut Function, offset: i64| match around {
        Some((outer, back)) => {
            let back_there = step(func, param, -back, None);
            let outer_there = step(func, back_there, 0, Some(outer));
            func.as_struct.insert(outer_there);
            step(func, outer_there, back + offset, Some(outer))
        }
        None => step(func, param, offset, Some(strukt)),
    };
    // Who makes the struct anew writes its first byte, as rows say it.
    let (first, held) = (member(func, 0), member(func, offset));
    for (addr, len) in [(first, 1), (held, u128::from(POINTER))] {
        let (addr, len) = (Operand::Value(addr), Operand::int(64, len));
        // Who changes either by a marked access lets in a second one as well.
        insts.push(func.add_inst(Op::Access { addr, len, write: false, mark: Mark::Plain }, None, loc).0);
    }
    func.blocks[begin].insts.splice(0..0, insts);
}
