//! Variables that hold functions and nothing else: a static array of handlers, a pointer that is set at start. Each is like a
//! member of a struct of which there is one object.

use lockpair_ir::{Function, GlobalId, Module, Op, Operand, Terminator, TypeDef, TypeId};
use std::collections::HashSet;

/// The variables that only this file can name, and of which no address goes anywhere.
pub fn tables(module: &Module) -> HashSet<GlobalId> {
    let holds = module.globals.iter().filter(|(_, global)| {
        let functions = global.ty.is_some_and(|ty| holds_functions(module, ty));
        global.defined && !global.exported && functions
    });
    let mut tables: HashSet<GlobalId> = holds.map(|(id, _)| id).collect();
    for cell in module.globals.values().flat_map(|global| &global.init) {
        if let Operand::Global(global, _) = cell.value {
            tables.remove(&global);
        }
    }
    if !tables.is_empty() {
        for func in module.funcs.values() {
            for op in elsewhere(func) {
                if let Some(global) = variable(func, op) {
                    tables.remove(&global);
                }
            }
        }
    }
    tables
}

/// Whether it is a pointer to a function, or an array of such.
fn holds_functions(module: &Module, mut ty: TypeId) -> bool {
    while let TypeDef::Array { elem, .. } = &module.types[ty] {
        ty = *elem;
    }
    matches!(&module.types[ty], TypeDef::Ptr(to) if matches!(module.types[*to], TypeDef::Func { .. }))
}

/// The variable that an address lies in.
pub fn variable(func: &Function, mut op: Operand) -> Option<GlobalId> {
    loop {
        match op {
            Operand::Global(global, _) => return Some(global),
            Operand::Value(v) => match &func.insts[func.values[v].inst?].op {
                Op::PtrAdd { base, .. } => op = *base,
                _ => return None,
            },
            _ => return None,
        }
    }
}

/// What a function uses otherwise than as the address of a read or a write.
fn elsewhere(func: &Function) -> impl Iterator<Item = Operand> {
    let of_insts = func.insts.values().flat_map(|inst| match &inst.op {
        Op::Load { .. } | Op::PtrAdd { .. } | Op::Cmp(..) => Vec::new(),
        Op::Store { value, .. } => vec![*value],
        op => op.operands(),
    });
    let returned = func.blocks.values().filter_map(|block| match block.term {
        Terminator::Ret(op) => op,
        _ => None,
    });
    of_insts.chain(returned)
}
