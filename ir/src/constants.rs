//! Puts constants in the place of numbers that never change: globals that no code writes, and parameters that are the same
//! at every call. Nothing else changes: the reads stay.
//!
//! It is for the bounds of loops ([`crate::unroll`]), so only integers are looked at.

use std::collections::{HashMap, HashSet};

use crate::inst::{Callee, Mark, Op, Operand, ValueId};
use crate::module::{FuncId, Function, Global, GlobalId, Module};
use crate::types::Ty;

/// Does so until nothing changes. `is_called_elsewhere` says which functions others than direct calls of the module call.
pub fn propagate(module: &mut Module, is_called_elsewhere: &dyn Fn(FuncId) -> bool) {
    let kept = never_written(module);
    let funcs: Vec<FuncId> = module.funcs.keys().collect();
    for &f in &funcs {
        let known = loaded(module, f, &kept);
        replace(&mut module.funcs[f], &known);
    }
    // A call tree is at most as deep as there are functions.
    for _ in 0..funcs.len() {
        let known = parameters(module, is_called_elsewhere);
        if known.is_empty() {
            return;
        }
        let mut any = false;
        for (f, known) in known {
            any |= replace(&mut module.funcs[f], &known);
        }
        if !any {
            return;
        }
    }
}

/// The globals that code only reads, by their names.
fn never_written(module: &Module) -> HashSet<GlobalId> {
    let is_kept = |(_, g): &(GlobalId, &Global)| g.defined && !g.thread_local;
    let mut kept: HashSet<GlobalId> = module.globals.iter().filter(is_kept).map(|(id, _)| id).collect();
    let mut lose = |operand: &Operand| {
        if let Operand::Global(g, _) = operand {
            kept.remove(g);
        }
    };
    for global in module.globals.values() {
        global.init.iter().for_each(|cell| lose(&cell.value));
    }
    for func in module.funcs.values() {
        for block in func.blocks.values() {
            for &i in &block.insts {
                if !matches!(func.insts[i].op, Op::Load { addr: Operand::Global(..), mark: Mark::Plain }) {
                    func.insts[i].op.operands().iter().for_each(&mut lose);
                }
            }
            block.term.operand().iter().for_each(&mut lose);
        }
    }
    kept
}

/// The results of loads of such globals.
fn loaded(module: &Module, f: FuncId, kept: &HashSet<GlobalId>) -> HashMap<ValueId, Operand> {
    let func = &module.funcs[f];
    let mut out = HashMap::new();
    for inst in func.insts.values() {
        let (Op::Load { addr: Operand::Global(g, at), mark: Mark::Plain }, Some(result)) =
            (&inst.op, inst.result)
        else {
            continue;
        };
        let (Ty::Int(bits), true) = (func.values[result].ty, kept.contains(g)) else { continue };
        let cell = module.globals[*g].init.iter().find(|c| i128::from(c.offset) == i128::from(*at));
        if let Some(Operand::Int { bits: of, value }) = cell.map(|c| c.value)
            && of == bits
        {
            out.insert(result, Operand::int(bits, value));
        }
    }
    out
}

/// Per function: the parameters that are one constant at every call.
fn parameters(
    module: &Module,
    is_called_elsewhere: &dyn Fn(FuncId) -> bool,
) -> Vec<(FuncId, HashMap<ValueId, Operand>)> {
    let mut taken: HashSet<FuncId> = module.funcs.keys().filter(|&f| is_called_elsewhere(f)).collect();
    let mut calls: HashMap<FuncId, Vec<&[Operand]>> = HashMap::new();
    let mut escape = |operand: &Operand| {
        if let Operand::Func(f) = operand {
            taken.insert(*f);
        }
    };
    for global in module.globals.values() {
        global.init.iter().for_each(|cell| escape(&cell.value));
    }
    for func in module.funcs.values() {
        for block in func.blocks.values() {
            for &i in &block.insts {
                if let Op::Call { callee: Callee::Func(f), args } = &func.insts[i].op {
                    calls.entry(*f).or_default().push(args);
                }
                func.insts[i].op.operands().iter().for_each(&mut escape);
            }
            block.term.operand().iter().for_each(&mut escape);
        }
    }
    let constants = |func: &Function, calls: &[&[Operand]]| -> HashMap<ValueId, Operand> {
        let same = |n: usize| {
            let first = *calls.first()?.get(n)?;
            let all =
                matches!(first, Operand::Int { .. }) && calls.iter().all(|args| args.get(n) == Some(&first));
            all.then_some(first)
        };
        func.params.iter().enumerate().filter_map(|(n, p)| Some((p.value, same(n)?))).collect()
    };
    let wanted = calls.iter().filter(|(f, _)| !taken.contains(f) && module.funcs[**f].is_defined());
    let found = wanted.map(|(&f, calls)| (f, constants(&module.funcs[f], calls)));
    found.filter(|(_, known)| !known.is_empty()).collect()
}

/// Puts the constants where the values are used; tells whether one was.
fn replace(func: &mut Function, known: &HashMap<ValueId, Operand>) -> bool {
    let mut any = false;
    let mut swap = |operand: &mut Operand| {
        if let Operand::Value(v) = operand
            && let Some(&constant) = known.get(v)
        {
            (*operand, any) = (constant, true);
        }
    };
    for inst in func.insts.values_mut() {
        inst.op.operands_mut().into_iter().for_each(&mut swap);
    }
    for block in func.blocks.values_mut() {
        block.term.operand_mut().into_iter().for_each(&mut swap);
    }
    any
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{parse_module, verify};

    fn text(module: &str, elsewhere: &str) -> String {
        let mut module = parse_module(module).unwrap();
        let named: HashSet<FuncId> =
            module.funcs.iter().filter(|(_, f)| f.name == elsewhere).map(|(id, _)| id).collect();
        propagate(&mut module, &|f| named.contains(&f));
        assert_eq!(verify(&module), Ok(()), "{module}");
        module.to_string()
    }

    const CALLS: &str = "module \"m\"\nfunc f0 \"f\" (v0: i32) -> i32 {\nb0:\nv1: i32 = add v0, 1:i32\nret v1\n}\n\
                         func f1 \"g\" () -> i32 {\nb0:\nv0: i32 = call f0(4:i32)\nv1: i32 = call f0(4:i32)\nret v0\n}\n";

    #[test]
    fn parameters_that_never_change_are_constants() {
        assert!(text(CALLS, "g").contains("add 4:i32, 1:i32"));
    }

    #[test]
    fn others_may_call_with_anything() {
        assert!(text(CALLS, "f").contains("add v0, 1:i32"));
        assert!(text(&CALLS.replacen("(4:i32)", "(5:i32)", 1), "g").contains("add v0, 1:i32"));
    }
}
