//! Calls through members of structs whose functions are the kernel's (`adap->algo->functionality(adap)`): a row named
//! `struct.member` says what such a function does, and one named `typedef.name` (`typedef.se_io_cb_t`) the same of all members that
//! are declared so and have no row of their own. The functions of the module that are in the member are called as ever; the row is
//! for those that are not of the module.
//!
//! Each such call gets a function of its own that does what the row says, so that all later stages see a call of one
//! function more. Its accesses are where the call is.

use lockpair_ir::{
    Block, Callee, Field, FuncId, Function, InstId, LocId, Module, Op, Operand, Param, StructDef, Terminator,
    Ty, ValueDef,
};
use std::collections::{HashMap, HashSet};

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
                && let Some(row) =
                    rows(module, func, *pointer).into_iter().find(|row| model.exact(row).is_some())
            {
                found.push(MemberCall { func: id, inst, row });
            }
        }
    }
    found
}

/// For each row that speaks of a member which the module calls through, a function that does what the row says: it calls one that is
/// declared under the row's name, with the parameters of the first of these calls.
pub fn called(module: &mut Module, model: &Model) -> Vec<FuncId> {
    let mut known = HashSet::new();
    let mut found = Vec::new();
    for call in calls(module, model).into_iter().filter(|call| known.insert(call.row.clone())) {
        let row = module.funcs.push(Function::declaration(&call.row));
        let function = function(&module.funcs[call.func], call.inst, &call.row, row);
        found.push(module.funcs.push(function));
    }
    found
}

/// The rows that may speak of the functions behind a pointer that was read from a member, by name, the best first.
fn rows(module: &Module, func: &Function, pointer: Operand) -> Vec<String> {
    let Some((strukt, field)) = member(module, func, pointer) else { return Vec::new() };
    // A struct of one file that shares the name is another one; one of a header may be that of a driver in several modules.
    let by_member = (!strukt.opaque).then(|| format!("{}.{}", strukt.name, field.name));
    let by_typedef = (!field.alias.is_empty()).then(|| format!("typedef.{}", field.alias));
    by_member.into_iter().chain(by_typedef).collect()
}

/// The member that a pointer was read from.
fn member<'m>(module: &'m Module, func: &Function, pointer: Operand) -> Option<(&'m StructDef, &'m Field)> {
    let defined = |operand: Operand| match operand {
        Operand::Value(value) => func.values[value].inst.map(|inst| &func.insts[inst].op),
        _ => None,
    };
    let Op::Load { addr, .. } = defined(pointer)? else { return None };
    let Op::PtrAdd { offset, scaled, within: Some(strukt), .. } = defined(*addr)? else { return None };
    let def = module.as_struct(*strukt)?;
    let field = def.fields.iter().find(|field| i64::try_from(field.offset) == Ok(*offset))?;
    scaled.is_empty().then_some((def, field))
}

/// A function with the parameters and the result of a call, that calls `row` with them.
fn function(caller: &Function, call: InstId, name: &str, row: FuncId) -> Function {
    let Op::Call { args, .. } = &caller.insts[call].op else { unreachable!("a call was found there") };
    let types = args.iter().map(|arg| caller.operand_ty(*arg));
    let result = caller.insts[call].result.map(|value| caller.values[value].ty);
    calling(name, types, result, row, caller.insts[call].loc)
}

/// A function that calls another one, with parameters of these types.
pub(super) fn calling(
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
