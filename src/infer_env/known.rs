//! Functions that were not given, and those in members that others fill in, as their hand-written rows describe them.

use lockpair_env::apply::members;
use lockpair_env::{ApplyOptions, Model};
use lockpair_ir::*;

/// The module with a body for each function that it only declares and that has a row, and one for each member that it calls
/// through and that has a row: what the row says. All else is dropped.
pub fn bodies(mut module: Module, rows: &Model) -> Module {
    let declared: Vec<FuncId> = module.funcs.keys().filter(|id| !module.funcs[*id].is_defined()).collect();
    let behind_members = members::called(&mut module, rows);
    for (id, func) in module.funcs.iter_mut() {
        if behind_members.contains(&id) {
            func.exported = true;
        } else {
            func.blocks = PrimaryMap::new();
        }
    }
    for id in declared {
        if rows.is_modelled(&module.funcs[id].name) {
            let twin = module.funcs.push(module.funcs[id].clone());
            forward(&mut module.funcs[id], twin);
        }
    }
    lockpair_env::apply(module, rows, &ApplyOptions::default()).module
}

/// Makes the function one that calls another with its own arguments.
fn forward(func: &mut Function, to: FuncId) {
    (func.values, func.insts) = (PrimaryMap::new(), PrimaryMap::new());
    for param in &mut func.params {
        param.value = func.values.push(ValueDef { ty: param.ty, inst: None });
    }
    let args = func.params.iter().map(|param| Operand::Value(param.value)).collect();
    let (call, result) = func.add_inst(Op::Call { callee: Callee::Func(to), args }, func.ret, None);
    let term = Terminator::Ret(result.map(Operand::Value));
    func.blocks.push(Block { insts: vec![call], term, term_loc: None });
    func.exported = true;
}
