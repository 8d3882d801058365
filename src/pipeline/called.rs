//! What the kernel reads as it calls a function that stands in a struct.

use lockpair_entry_points::{EntryPoint, EntryPoints};
use lockpair_env::schema::{AddrExpr, Base};
use lockpair_ir::*;

/// The bytes of a pointer to a function.
const POINTER: u128 = 8;
/// So many calls deep the struct around a parameter is looked for.
const HELPERS: u32 = 3;

/// Lets each callback that the kernel keeps from running beside itself by the struct that holds it begin with the read of itself
/// there: who makes the timer anew, or gives it another function, while the old one may run, lets in a second one, as who makes a
/// lock anew lets in a second holder.
pub(super) fn note(module: &mut Module, entry_points: &EntryPoints) {
    let mut noted = Vec::new();
    for entry in entry_points.items.values() {
        for (param, field) in held_by(module, entry) {
            if !noted.contains(&(entry.func, param)) {
                noted.push((entry.func, param));
                read_at_begin(module, entry.func, param, field);
            }
        }
    }
}

/// The parameters that are structs which hold the function, and keep it from running beside itself; with the member.
fn held_by(module: &Module, entry: &EntryPoint) -> Vec<(ValueId, (TypeId, i64))> {
    let is_lock = |param: u32| {
        entry.locks.iter().any(|lock| {
            lock.mode == LockMode::Exclusive
                && lock.addr.base == Base::Param(param)
                && lock.addr.steps.is_empty()
        })
    };
    let itself = entry.same.iter().filter(|same| same.addr.base == Base::Function);
    let held = itself.filter_map(|same| {
        let AddrExpr { base: Base::Param(param), steps } = &same.other else { return None };
        let [step] = &steps[..] else { return None };
        let value = module.funcs[entry.func].params.get(*param as usize)?.value;
        Some((value, member(module, step.strukt.as_deref()?, &step.field)?)).filter(|_| is_lock(*param))
    });
    held.collect()
}

/// The member of a struct of the kernel's, by its names.
fn member(module: &Module, tag: &str, name: &str) -> Option<(TypeId, i64)> {
    module.types.keys().find_map(|strukt| {
        let def = module.as_struct(strukt).filter(|def| def.name == tag)?;
        let field = def.fields.iter().find(|field| field.name == name)?;
        Some((strukt, i64::try_from(field.offset).ok()?))
    })
}

/// The struct around what a parameter points to (`held`) that the function steps to, itself or in a helper that it is given to;
/// and how far back that begins.
fn container(
    module: &Module,
    (func, param): (FuncId, ValueId),
    held: TypeId,
    depth: u32,
) -> Option<(TypeId, i64)> {
    let func = &module.funcs[func];
    let steps = |from: ValueId| {
        func.insts.values().filter_map(move |inst| match &inst.op {
            Op::PtrAdd { base: Operand::Value(base), offset, scaled, within } => {
                (*base == from && scaled.is_empty()).then_some((inst.result?, *offset, *within))
            }
            _ => None,
        })
    };
    let is_outer = |within: Option<TypeId>| within.filter(|ty| *ty != held);
    let own = steps(param).find_map(|(result, offset, within)| {
        let at_start = is_outer(within).filter(|_| offset == 0).map(|outer| (outer, 0));
        let behind = || {
            let (_, _, outer) = steps(result).find(|(_, at, within)| *at == 0 && within.is_some())?;
            (offset <= 0 && within.is_none()).then_some((outer?, -offset))
        };
        at_start.or_else(behind)
    });
    let helpers = func.insts.values().filter_map(|inst| match &inst.op {
        Op::Call { callee: Callee::Func(f), args } => {
            let at = args.iter().position(|arg| *arg == Operand::Value(param))?;
            Some((*f, module.funcs[*f].params.get(at)?.value))
        }
        _ => None,
    });
    own.or_else(|| {
        let depth = depth.checked_sub(1)?;
        helpers.into_iter().find_map(|(f, param)| container(module, (f, param), held, depth))
    })
}

/// Puts the reads at the beginning of the function.
fn read_at_begin(module: &mut Module, func: FuncId, param: ValueId, (strukt, offset): (TypeId, i64)) {
    let around = container(module, (func, param), strukt, HELPERS);
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
    for (addr, len) in [(first, 1), (held, POINTER)] {
        let (addr, len) = (Operand::Value(addr), Operand::int(64, len));
        insts.push(func.add_inst(Op::Access { addr, len, write: false, mark: Mark::Volatile }, None, loc).0);
    }
    func.blocks[begin].insts.splice(0..0, insts);
}
