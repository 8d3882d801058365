//! Invariants of functions: tables, blocks, phis, dominance.

use std::collections::BTreeSet;

use super::{Errors, ops};
use crate::cfg::Cfg;
use crate::entity::SecondaryMap;
use crate::inst::{BlockId, Callee, InstId, Op, Operand, Terminator, ValueId};
use crate::module::{Function, Module};
use crate::types::Ty;

/// Where an instruction stands: block and position.
type Places = SecondaryMap<InstId, Option<(BlockId, usize)>>;

pub(super) fn check(module: &Module, func: &Function, errors: &mut Errors) {
    let before = errors.list.len();
    check_ids(module, func, errors);
    errors.inst = None;
    if errors.list.len() > before {
        return;
    }
    check_values(func, errors);
    let places = check_places(func, errors);
    if !func.is_defined() {
        let bare = func.insts.is_empty() && func.values.len() <= func.params.len();
        errors.require(bare, 8, || "a declaration with a body".to_owned());
        return;
    }
    let cfg = Cfg::new(func);
    errors.require(cfg.preds[func.entry()].is_empty(), 9, || "the entry has predecessors".to_owned());
    for (id, inst) in func.insts.iter() {
        errors.inst = Some(id);
        ops::check(func, inst, errors);
    }
    for id in func.blocks.keys() {
        check_block(func, &cfg, &places, id, errors);
    }
    errors.inst = None;
}

fn check_ids(module: &Module, func: &Function, errors: &mut Errors) {
    errors.loc(func.loc, module);
    errors.ty_id(func.ret_decl, module);
    func.ret.into_iter().for_each(|ty| errors.ty(ty));
    for param in &func.params {
        errors.id(param.value, func.values.len());
        errors.ty(param.ty);
        errors.ty_id(param.decl, module);
    }
    for def in func.values.values() {
        errors.ty(def.ty);
        def.inst.into_iter().for_each(|inst| errors.id(inst, func.insts.len()));
    }
    for (id, inst) in func.insts.iter() {
        errors.inst = Some(id);
        errors.loc(inst.loc, module);
        inst.result.into_iter().for_each(|v| errors.id(v, func.values.len()));
        inst.op.operands().into_iter().for_each(|o| check_operand_id(module, func, o, errors));
        check_op_ids(module, func, &inst.op, errors);
    }
    errors.inst = None;
    for block in func.blocks.values() {
        errors.loc(block.term_loc, module);
        block.insts.iter().for_each(|&i| errors.id(i, func.insts.len()));
        block.term.successors().into_iter().for_each(|b| errors.id(b, func.blocks.len()));
        block.term.operand().into_iter().for_each(|o| check_operand_id(module, func, o, errors));
    }
}

fn check_operand_id(module: &Module, func: &Function, operand: Operand, errors: &mut Errors) {
    match operand {
        Operand::Value(v) => errors.id(v, func.values.len()),
        _ => errors.constant(operand, module),
    }
}

/// The ids in an operation that are no operands.
fn check_op_ids(module: &Module, func: &Function, op: &Op, errors: &mut Errors) {
    match op {
        Op::Phi(edges) => edges.iter().for_each(|(b, _)| errors.id(*b, func.blocks.len())),
        Op::PtrAdd { within, .. } => errors.ty_id(*within, module),
        Op::Alloca { ty, .. } => errors.ty_id(*ty, module),
        Op::Call { callee: Callee::Func(id), .. } => errors.id(*id, module.funcs.len()),
        _ => {}
    }
}

/// Definitions and the table of values agree.
fn check_values(func: &Function, errors: &mut Errors) {
    let mut definitions: SecondaryMap<ValueId, usize> = SecondaryMap::new();
    for param in &func.params {
        definitions[param.value] += 1;
        let def = &func.values[param.value];
        let agrees = def.inst.is_none() && def.ty == param.ty;
        errors.require(agrees, 6, || format!("{} is not the parameter it stands for", param.value));
    }
    for (id, inst) in func.insts.iter() {
        if let Some(result) = inst.result {
            definitions[result] += 1;
            let agrees = func.values[result].inst == Some(id);
            errors.require(agrees, 6, || format!("{result} is the result of {id} but does not say so"));
        }
    }
    for value in func.values.keys() {
        let count = definitions[value];
        errors.require(count == 1, 6, || format!("{value} has {count} definitions"));
    }
}

fn check_places(func: &Function, errors: &mut Errors) -> Places {
    let mut places = Places::new();
    for (id, block) in func.blocks.iter() {
        for (index, &inst) in block.insts.iter().enumerate() {
            errors.require(places[inst].is_none(), 7, || format!("{inst} stands in two places"));
            places[inst] = Some((id, index));
        }
    }
    places
}

fn check_block(func: &Function, cfg: &Cfg, places: &Places, id: BlockId, errors: &mut Errors) {
    let block = &func.blocks[id];
    let mut at_head = true;
    for (index, &inst) in block.insts.iter().enumerate() {
        errors.inst = Some(inst);
        match &func.insts[inst].op {
            Op::Phi(edges) => {
                errors.require(at_head, 10, || "a phi after other instructions".to_owned());
                check_phi(func, cfg, places, id, edges, errors);
            }
            op => {
                at_head = false;
                for operand in op.operands() {
                    check_use(func, cfg, places, operand, (id, index), errors);
                }
            }
        }
    }
    errors.inst = None;
    if let Some(operand) = block.term.operand() {
        check_use(func, cfg, places, operand, (id, block.insts.len()), errors);
    }
    check_terminator(func, &block.term, errors);
}

fn check_phi(
    func: &Function,
    cfg: &Cfg,
    places: &Places,
    id: BlockId,
    edges: &[(BlockId, Operand)],
    errors: &mut Errors,
) {
    let named: BTreeSet<BlockId> = edges.iter().map(|(b, _)| *b).collect();
    let preds: BTreeSet<BlockId> = cfg.preds[id].iter().copied().collect();
    errors.require(named == preds, 11, || format!("edges from {named:?}, predecessors {preds:?}"));
    for (block, operand) in edges {
        let same = edges.iter().all(|(b, o)| b != block || o == operand);
        errors.require(same, 11, || format!("two operands for {block}"));
        check_use(func, cfg, places, *operand, (*block, func.blocks[*block].insts.len()), errors);
    }
}

/// The definition of the operand comes before the place on all ways to it.
fn check_use(
    func: &Function,
    cfg: &Cfg,
    places: &Places,
    operand: Operand,
    (block, index): (BlockId, usize),
    errors: &mut Errors,
) {
    let Operand::Value(value) = operand else { return };
    let Some(inst) = func.values[value].inst else { return };
    let comes_before = match places[inst] {
        None => false,
        Some(_) if !cfg.is_reachable(block) => true,
        Some((def_block, def_index)) if def_block == block => def_index < index,
        Some((def_block, _)) => cfg.dominates(def_block, block),
    };
    errors.require(comes_before, 12, || format!("{value} is used where it may have no value"));
}

fn check_terminator(func: &Function, term: &Terminator, errors: &mut Errors) {
    match term {
        Terminator::CondBr(cond, ..) => {
            let ty = func.operand_ty(*cond);
            errors.require(ty == Ty::Int(1), 16, || format!("a condition of type {ty}"));
        }
        Terminator::Switch { value, cases, .. } => {
            let ty = func.operand_ty(*value);
            let Ty::Int(bits) = ty else { return errors.add(16, format!("a switch on type {ty}")) };
            let mut seen = BTreeSet::new();
            for &(case, _) in cases {
                errors.require(seen.insert(case), 15, || format!("case {case} stands twice"));
                errors.require(bits >= 128 || case >> bits == 0, 15, || format!("case {case} is too large"));
            }
        }
        Terminator::Ret(value) => {
            let given = value.map(|v| func.operand_ty(v));
            errors.require(given == func.ret, 16, || "the return does not fit the function".to_owned());
        }
        Terminator::Br(_) | Terminator::Unreachable => {}
    }
}
