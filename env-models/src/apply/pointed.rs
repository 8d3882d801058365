//! Functions outside of the module whose address it has: `.unlock = mutex_unlock`. Where they are called through pointers, they do
//! what their rows say.
//!
//! Each gets a function of its own that calls it, to which all leads instead that led to it: so later stages see a call of one
//! function more.

use std::collections::{BTreeSet, HashMap};

use lockpair_ir::{FuncId, Module, Operand};

use super::{members, row_of};
use crate::model::Model;

/// Gives every function with effects of which the module has the address one that stands for it behind pointers.
pub fn stand_in(module: &mut Module, model: &Model) {
    let mut pointed: BTreeSet<FuncId> = BTreeSet::new();
    each_operand(module, &mut |operand| pointed.extend(operand.func()));
    pointed.retain(|&f| {
        let row = row_of(module, model, f);
        !module.funcs[f].is_defined() && row.is_some_and(|row| !row.effects.is_empty())
    });
    let of: HashMap<FuncId, FuncId> = pointed.into_iter().map(|f| (f, stand_in_of(module, f))).collect();
    each_operand(module, &mut |operand| {
        if let Some(&stand_in) = operand.func().and_then(|f| of.get(&f)) {
            *operand = Operand::Func(stand_in);
        }
    });
}

fn stand_in_of(module: &mut Module, f: FuncId) -> FuncId {
    let func = &module.funcs[f];
    let types: Vec<_> = func.params.iter().map(|param| param.ty).collect();
    let stand_in = members::calling(&format!("*{}", func.name), types.into_iter(), func.ret, f, func.loc);
    module.funcs.push(stand_in)
}

/// All operands of instructions and initial values; whom a call names is none.
fn each_operand(module: &mut Module, visit: &mut dyn FnMut(&mut Operand)) {
    for func in module.funcs.values_mut() {
        func.insts.values_mut().flat_map(|inst| inst.op.operands_mut()).for_each(&mut *visit);
        func.blocks.values_mut().filter_map(|block| block.term.operand_mut()).for_each(&mut *visit);
    }
    let cells = module.globals.values_mut().flat_map(|global| &mut global.init);
    cells.for_each(|cell| visit(&mut cell.value));
}
