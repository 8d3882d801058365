//! Drivers without a `remove`: the kernel unbinds them all the same, and then ends what they have asked for with their device.

use lockpair_env::schema::{CallbackRow, Effect};
use lockpair_ir::{
    Block, FuncId, Function, GlobalId, InitCell, Module, Operand, Param, Terminator, Ty, TypeId, ValueDef,
};

use crate::environment::Environment;
use crate::place::members_at;
use crate::spot::rows_at;

/// A driver that has nothing to do when it is unbound.
struct Idle {
    table: GlobalId,
    /// Where the function would be, and its name.
    offset: u64,
    name: String,
    /// The function that binds it, which gets the same device; none if code sets that.
    binds: Option<FuncId>,
}

/// Gives each driver in a table that has no function for the end of its binding one that does nothing, if the module has memory
/// that ends then.
pub fn complete_drivers(module: &mut Module, env: &dyn Environment) {
    if !has_managed_memory(module, env) {
        return;
    }
    for driver in idle_drivers(module, env) {
        let func = module.funcs.push(does_nothing(driver.binds.map(|func| &module.funcs[func]), driver.name));
        let cell = InitCell { offset: driver.offset, size: 8, value: Operand::Func(func) };
        let init = &mut module.globals[driver.table].init;
        init.retain(|other| other.offset != driver.offset);
        init.push(cell);
        init.sort_by_key(|cell| cell.offset);
    }
}

fn has_managed_memory(module: &Module, env: &dyn Environment) -> bool {
    let ends_later = |effect: &Effect| matches!(effect, Effect::Free { until: Some(_), .. });
    let mut rows = module.funcs.keys().filter_map(|func| env.row_of(module, func));
    rows.any(|row| row.effects.iter().any(ends_later))
}

fn idle_drivers(module: &Module, env: &dyn Environment) -> Vec<Idle> {
    let mut idle = Vec::new();
    for (table, global) in module.globals.iter() {
        let Some(ty) = global.ty else { continue };
        let functions: Vec<(u64, FuncId)> =
            global.init.iter().filter_map(|cell| Some((cell.offset, cell.value.func()?))).collect();
        let is_set = |offset: u64| functions.iter().any(|(at, _)| *at == offset);
        for &(offset, binds) in &functions {
            for (member, row) in rows_at(env, &members_at(module, ty, offset)) {
                let ends = row
                    .binds
                    .then(|| unbinding(module, env, &member.strukt, member.ty))
                    .into_iter()
                    .flatten();
                let ends: Vec<(u64, &str)> = ends.map(|(at, field)| (member.start + at, field)).collect();
                let taken =
                    |at: u64| is_set(at) || idle.iter().any(|i: &Idle| (i.table, i.offset) == (table, at));
                let Some(&(offset, field)) = ends.first().filter(|_| !ends.iter().any(|(at, _)| taken(*at)))
                else {
                    continue;
                };
                let name = format!("{}.{field}", global.name);
                idle.push(Idle { table, offset, name, binds: Some(binds) });
            }
        }
        // Code may set the function that binds it.
        let Some(def) = module.as_struct(ty) else { continue };
        let binds = env.table(&def.name).is_some_and(|t| t.fields.iter().any(|row| row.binds));
        let ends = unbinding(module, env, &def.name, ty);
        let is_idle = binds && !ends.iter().any(|(at, _)| is_set(*at));
        let is_new = !idle.iter().any(|i: &Idle| i.table == table);
        if let Some(&(offset, field)) = ends.first().filter(|_| is_idle && is_new) {
            idle.push(Idle { table, offset, name: format!("{}.{field}", global.name), binds: None });
        }
    }
    idle
}

/// The members of the struct for functions that end a binding.
fn unbinding<'e>(module: &Module, env: &'e dyn Environment, strukt: &str, ty: TypeId) -> Vec<(u64, &'e str)> {
    let rows = env.table(strukt).into_iter().flat_map(|table| &table.fields).filter(|row| row.unbinds);
    let field = |row: &'e CallbackRow| row.name.split_once('.').map(|(_, field)| field);
    rows.filter_map(field).filter_map(|name| Some((module.field_named(ty, name)?.0, name))).collect()
}

/// A function that gets the device, as the other does, and returns.
fn does_nothing(other: Option<&Function>, name: String) -> Function {
    let loc = other.and_then(|func| func.loc);
    let mut func = Function { exported: false, loc, ..Function::declaration(&name) };
    let declared = other.and_then(|func| func.params.first());
    let value = func.values.push(ValueDef { ty: Ty::Ptr, inst: None });
    let (decl, name) = declared.map_or((None, String::new()), |param| (param.decl, param.name.clone()));
    func.params.push(Param { value, ty: Ty::Ptr, decl, constant: false, name });
    func.blocks.push(Block { insts: Vec::new(), term: Terminator::Ret(None), term_loc: loc });
    func
}
