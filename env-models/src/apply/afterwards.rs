//! What the kernel reads of what a callback has handed out by reference (`iio_info.read_avail`): a row named `after.struct.member` says
//! what who calls the functions in that member does with their parameters and their result, when they have returned.
//!
//! It happens in the thread that called, under the locks that it holds: so each such function does it before it returns,
//! in a function of its own that is called there.

use std::collections::{BTreeMap, BTreeSet};

use lockpair_ir::{
    Block, BlockId, Callee, CmpOp, EntityRef, FuncId, Function, InstId, LocId, Module, Op, Operand, Param,
    Terminator, Ty, ValueDef,
};

use crate::model::Model;

/// How the names of these rows begin.
pub const AFTER: &str = "after.";

/// Lets functions of the module, each with a member that it is called through (`struct.member`), end with what the row says of it.
pub fn follow<'r>(module: &mut Module, model: &Model, called: impl Iterator<Item = (FuncId, &'r str)>) {
    let mut rows: BTreeMap<String, FuncId> = BTreeMap::new();
    for (func, member) in called.collect::<BTreeSet<_>>() {
        let name = format!("{AFTER}{member}");
        if model.exact(&name).is_none() || !module.funcs[func].is_defined() {
            continue;
        }
        let row = *rows.entry(name).or_insert_with_key(|name| module.funcs.push(Function::declaration(name)));
        for (block, result) in returns(&mut module.funcs[func]) {
            let known = |loc: &LocId| module.locs[*loc].line > 0;
            let loc = module.funcs[func].blocks[block].term_loc.filter(known).or(module.funcs[func].loc);
            let reader = reader(&module.funcs[func], member, row, loc);
            let reader = module.funcs.push(reader);
            let func = &mut module.funcs[func];
            let params = func.params.iter().map(|param| Operand::Value(param.value));
            let args = params.chain(result).collect();
            let (call, _) = func.add_inst(Op::Call { callee: Callee::Func(reader), args }, None, loc);
            func.blocks[block].insts.push(call);
        }
    }
}

/// The blocks in which a function is about to return, and what. Where ways meet for that alone, each gets a block of its own, so
/// that what was handed out on one is not mixed with what a failure has left there.
fn returns(func: &mut Function) -> Vec<(BlockId, Option<Operand>)> {
    let results: Vec<(BlockId, Option<Operand>)> = func
        .blocks
        .iter()
        .filter_map(|(id, block)| match block.term {
            Terminator::Ret(result) => Some((id, result)),
            _ => None,
        })
        .collect();
    results.into_iter().flat_map(|(block, result)| ways_to(func, block, result)).collect()
}

fn ways_to(func: &mut Function, last: BlockId, result: Option<Operand>) -> Vec<(BlockId, Option<Operand>)> {
    let is_phi = |inst: &InstId| matches!(func.insts[*inst].op, Op::Phi(_));
    let before = |block: &BlockId| func.blocks[*block].term.successors().contains(&last);
    let before: Vec<BlockId> = func.blocks.keys().filter(before).collect();
    if before.is_empty() || !func.blocks[last].insts.iter().all(is_phi) {
        return vec![(last, result)];
    }
    let mut ways = Vec::new();
    for from in before {
        let goes_only_there = matches!(func.blocks[from].term, Terminator::Br(_));
        let term_loc = func.blocks[if goes_only_there { from } else { last }].term_loc;
        let way = func.blocks.push(Block { insts: Vec::new(), term: Terminator::Br(last), term_loc });
        func.blocks[from].term.redirect(last, way);
        let mut result = result;
        for inst in func.blocks[last].insts.clone() {
            let value = func.insts[inst].result.map(Operand::Value);
            let Op::Phi(sources) = &mut func.insts[inst].op else { unreachable!("all are") };
            for (source, given) in sources.iter_mut().filter(|(source, _)| *source == from) {
                *source = way;
                if result == value {
                    result = Some(*given);
                }
            }
        }
        ways.push((way, result));
    }
    ways
}

/// A function that does what the row says with the parameters and the result of another one, unless that has failed.
fn reader(called: &Function, member: &str, row: FuncId, loc: Option<LocId>) -> Function {
    let name = format!("who calls {member}");
    let mut func = Function { exported: false, loc, ..Function::declaration(&name) };
    for param in &called.params {
        let value = func.values.push(ValueDef { ty: param.ty, inst: None });
        func.params.push(Param { value, ..param.clone() });
    }
    if let Some(ty) = called.ret {
        let value = func.values.push(ValueDef { ty, inst: None });
        func.params.push(Param { value, ty, decl: called.ret_decl, constant: false, name: String::new() });
    }
    let args = func.params.iter().map(|param| Operand::Value(param.value)).collect();
    let (call, _) = func.add_inst(Op::Call { callee: Callee::Func(row), args }, None, loc);
    let back = |insts| Block { insts, term: Terminator::Ret(None), term_loc: loc };
    match called.ret {
        Some(Ty::Int(bits @ (32 | 64))) => {
            let result = func.params.last().expect("the result is a parameter").value;
            let no_error = Op::Cmp(CmpOp::Sge, Operand::Value(result), Operand::int(bits, 0));
            let (compare, no_error) = func.add_inst(no_error, Some(Ty::Int(1)), loc);
            let cond = Operand::Value(no_error.expect("a comparison has a result"));
            let blocks = [0, 1, 2].map(BlockId::new);
            let term = Terminator::CondBr(cond, blocks[1], blocks[2]);
            func.blocks.push(Block { insts: vec![compare], term, term_loc: loc });
            func.blocks.push(back(vec![call]));
            func.blocks.push(back(Vec::new()));
        }
        _ => {
            func.blocks.push(back(vec![call]));
        }
    }
    func
}
