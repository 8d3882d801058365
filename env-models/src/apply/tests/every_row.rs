//! Every built-in row applied to a plausible call gives a well-formed module, and resolves.

use std::collections::BTreeSet;

use lockpair_ir::{
    Asm, Block, Callee, EntityRef, Field, FuncId, Function, Module, Op, Operand, Param, StructDef,
    Terminator, Ty, TypeDef, TypeId, ValueDef,
};

use super::{ApplyOptions, AssumptionKind, Model, apply_checked};
use crate::schema::{Effect, FunctionRow, POINTER};

/// The types that a result may have.
const RESULTS: [Option<Ty>; 5] =
    [None, Some(Ty::Int(1)), Some(Ty::Int(32)), Some(Ty::Ptr), Some(Ty::Opaque(16))];

/// A module with every struct and member that the model names, all members pointers.
fn module_with_structs(model: &Model) -> Module {
    let mut members: BTreeSet<(String, String)> = BTreeSet::new();
    let effects = model.functions.values().flat_map(|row| &row.effects);
    let steps = effects.flat_map(Effect::addresses).flat_map(|a| &a.steps);
    for step in steps.filter(|step| step.field != POINTER) {
        let strukt = step.strukt.clone().unwrap_or_else(|| panic!("`{}` without a struct", step.field));
        members.insert((strukt, step.field.clone()));
    }
    for effect in model.functions.values().flat_map(|row| &row.effects) {
        let Effect::Transfer(m) = effect else { continue };
        members.extend([&m.buffer, &m.len, &m.flags].map(|name| (m.strukt.clone(), name.clone())));
    }
    let mut module = Module { name: "every row".to_owned(), ..Module::default() };
    let void: TypeId = module.types.push(TypeDef::Void);
    let pointer = module.types.push(TypeDef::Ptr(void));
    let tags: BTreeSet<String> = members.iter().map(|(tag, _)| tag.clone()).collect();
    for tag in tags {
        let names = members.iter().filter(|(t, _)| *t == tag).map(|(_, name)| name.clone());
        let fields: Vec<Field> = (0..)
            .zip(names)
            .map(|(i, name)| Field { name, offset: i * 8, bits: None, ty: pointer, alias: String::new() })
            .collect();
        let size = fields.len() as u64 * 8;
        module.types.push(TypeDef::Struct(StructDef {
            name: tag,
            size,
            is_union: false,
            module_private: false,
            opaque: false,
            fields,
        }));
    }
    module
}

/// A function with ten parameters of the type that calls the callee with them.
fn caller(name: &str, callee: Callee, ty: Ty, result: Option<Ty>) -> Function {
    let mut func = Function::declaration(name);
    for _ in 0..10 {
        let value = func.values.push(ValueDef { ty, inst: None });
        func.params.push(Param { value, ty, decl: None, constant: false, name: String::new() });
    }
    let args = func.params.iter().map(|p| Operand::Value(p.value)).collect();
    let (inst, _) = func.add_inst(Op::Call { callee, args }, result, None);
    func.blocks.push(Block { insts: vec![inst], term: Terminator::Ret(None), term_loc: None });
    func
}

#[test]
fn every_function_row_applies() {
    every_function_row_of(&Model::linux_by_hand());
    every_function_row_of(&Model::posix());
}

fn every_function_row_of(model: &Model) {
    let mut module = module_with_structs(model);
    for row in model.functions.values() {
        let callee: FuncId = module.funcs.push(Function::declaration(&row.name.replace('*', "x")));
        for (n, result) in RESULTS.into_iter().enumerate() {
            for ty in [Ty::Ptr, Ty::Int(32), Ty::Int(64)] {
                let name = format!("calls {} {n} {ty}", row.name);
                module.funcs.push(caller(&name, Callee::Func(callee), ty, result));
            }
        }
    }
    let applied = apply_checked(module, model, &ApplyOptions { uses: true, ..ApplyOptions::default() });
    assert!(applied.module.funcs.values().all(|f| f.insts.values().all(is_no_modelled_call(f))));
    for assumption in applied.ledger.iter() {
        // Only calls that ignore the result, or give it another type, cannot name it.
        let about_ret = assumption.subject.contains("no pointer as its result");
        let unsupported = |row: &FunctionRow| row.effects.contains(&Effect::Unsupported);
        let rows = model.functions.values().filter(|row| unsupported(row));
        let says_so =
            rows.into_iter().any(|row| assumption.subject.starts_with(&format!("row {}:", row.name)));
        let about_ret = about_ret || says_so;
        let leaves = |effect: &Effect| matches!(effect, Effect::Publish { unwatched: true, .. });
        let allowed = match assumption.kind {
            AssumptionKind::Environment | AssumptionKind::UnknownExternal => true,
            AssumptionKind::OutsideCallback => {
                model.function(&assumption.subject).is_some_and(|row| row.effects.iter().any(leaves))
            }
            _ => about_ret,
        };
        assert!(allowed, "{assumption:?}");
    }
}

/// Whether an instruction that stands in a block calls nothing but pointers.
fn is_no_modelled_call(func: &Function) -> impl Fn(&lockpair_ir::Inst) -> bool {
    let placed: BTreeSet<usize> = func.blocks.values().flat_map(|b| &b.insts).map(|i| i.index()).collect();
    let calls: BTreeSet<usize> = func
        .insts
        .iter()
        .filter(|(id, inst)| {
            placed.contains(&id.index())
                && matches!(inst.op, Op::Call { callee: Callee::Func(_) | Callee::Asm(_), .. })
        })
        .map(|(id, _)| id.index())
        .collect();
    move |_| calls.is_empty()
}

#[test]
fn every_asm_row_applies() {
    let model = Model::linux_by_hand();
    let mut module = module_with_structs(&model);
    for row in &model.asms {
        let asm =
            Asm { template: row.pattern.replace('*', "/"), constraints: row.constraints.replace('*', "m") };
        for (n, result) in RESULTS.into_iter().enumerate() {
            let name = format!("asm {} {n}", row.pattern);
            module.funcs.push(caller(&name, Callee::Asm(asm.clone()), Ty::Ptr, result));
        }
    }
    let applied = apply_checked(module, &model, &ApplyOptions::default());
    for assumption in applied.ledger.iter() {
        assert_eq!(assumption.kind, AssumptionKind::Environment, "{assumption:?}");
    }
}
