//! Calls through members of structs whose functions are the kernel's (`adap->algo->functionality(adap)`): a row named
//! `struct.member` says what such a function does. The functions of the module that are in the member are called as ever;
//! the row is for those that are not of the module.
//!
//! Each such call gets a function of its own that does what the row says, so that all later stages see a call of one
//! function more. Its accesses are where the call is.

use lockpair_ir::{
    Block, Callee, FuncId, Function, InstId, LocId, Module, Op, Operand, Param, Terminator, Ty, ValueDef,
};
use std::collections::HashMap;

use crate::model::Model;

/// A call through a member that a row speaks of.
struct MemberCall {
    func: FuncId,
    inst: InstId,
    row: String,
}

/// Gives every call through a member with a row a function that stands for what is called outside of the module.
pub(super) fn stand_in(module: &mut Module, model: &Model) {
    if model.functions.keys().all(|name| !name.contains('.')) {
        return;
    }
    let mut declared = HashMap::new();
    for call in calls(module, model) {
        let row = *declared
            .entry(call.row.clone())
            .or_insert_with(|| module.funcs.push(Function::declaration(&call.row)));
        let stand_in = function(&module.funcs[call.func], call.inst, &call.row, row);
        let stand_in = module.funcs.push(stand_in);
        if let Op::Call { callee: Callee::Indirect(_, outside), .. } =
            &mut module.funcs[call.func].insts[call.inst].op
        {
            *outside = Some(stand_in);
        }
    }
}

fn calls(module: &Module, model: &Model) -> Vec<MemberCall> {
    let mut found = Vec::new();
    for (id, func) in module.funcs.iter() {
        for &inst in func.blocks.values().flat_map(|block| &block.insts) {
            if let Op::Call { callee: Callee::Indirect(pointer, None), .. } = &func.insts[inst].op
                && let Some(row) = member(module, func, *pointer)
                && model.exact(&row).is_some()
            {
                found.push(MemberCall { func: id, inst, row });
            }
        }
    }
    found
}

/// The member that a pointer was read from, as `struct.member`.
fn member(module: &Module, func: &Function, pointer: Operand) -> Option<String> {
    let defined = |operand: Operand| match operand {
        Operand::Value(value) => func.values[value].inst.map(|inst| &func.insts[inst].op),
        _ => None,
    };
    let Op::Load { addr, .. } = defined(pointer)? else { return None };
    let Op::PtrAdd { offset, scaled, within: Some(strukt), .. } = defined(*addr)? else { return None };
    // A struct of one file that shares the name is another one; one of a header may be that of a driver in several modules.
    let def = module.as_struct(*strukt).filter(|def| !def.opaque)?;
    let field = def.fields.iter().find(|field| i64::try_from(field.offset) == Ok(*offset))?;
    scaled.is_empty().then(|| format!("{}.{}", def.name, field.name))
}

/// A function with the parameters and the result of a call, that calls `row` with them.
fn function(caller: &Function, call: InstId, name: &str, row: FuncId) -> Function {
    let Op::Call { args, .. } = &caller.insts[call].op else { unreachable!("a call was found there") };
    let types = args.iter().map(|arg| caller.operand_ty(*arg));
    let result = caller.insts[call].result.map(|value| caller.values[value].ty);
    calling(name, types, result, row, caller.insts[call].loc)
}

fn calling(
    name: &str,
    types: impl Iterator<Item = Ty>,
    result: Option<Ty>,
    row: FuncId,
    loc: Option<LocId>,
) -> Function {
    let mut func = Function { exported: false, ret: result, loc, ..Function::declaration(name) };
    for ty in types {
        let value = func.values.push(ValueDef { ty, inst: None });
        func.params.push(Param { value, ty, decl: None, constant: false, name: String::new() });
    }
    let args = func.params.iter().map(|param| Operand::Value(param.value)).collect();
    let (inst, value) = func.add_inst(Op::Call { callee: Callee::Func(row), args }, result, loc);
    let term = Terminator::Ret(value.map(Operand::Value));
    func.blocks.push(Block { insts: vec![inst], term, term_loc: loc });
    func
}
