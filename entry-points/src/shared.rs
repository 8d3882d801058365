//! Which structs other code knows although they are declared among the module's own files.
//!
//! A header next to a driver is the driver's, but other modules may include it. They do where they deal with it: their functions
//! are called, or they call the module's, with such structs.

use std::collections::{BTreeSet, HashSet};

use lockpair_ir::{Callee, FuncId, Function, Module, Op, TypeDef, TypeId};

use crate::environment::Environment;
use crate::place::types_at;

/// Takes back that only the module knows a struct, for those in signatures of functions of other files, and of functions that
/// these can call, in the types of variables that both have, and for all that these lead to. What a C file declares stays its own.
///
/// Of a program nobody calls anything.
pub fn share_structs(
    module: &mut Module,
    aliases: &[(String, FuncId)],
    env: &dyn Environment,
    is_program: bool,
) {
    for ty in known_outside(module, aliases, env, is_program) {
        if let TypeDef::Struct(def) = &mut module.types[ty] {
            def.module_private = false;
        }
    }
}

/// Who may call what a module exports.
pub(crate) struct Exports<'e> {
    env: &'e dyn Environment,
    aliases: &'e [(String, FuncId)],
    module: &'e Module,
    files: Vec<&'e str>,
}

impl<'e> Exports<'e> {
    pub(crate) fn new(
        module: &'e Module,
        aliases: &'e [(String, FuncId)],
        env: &'e dyn Environment,
    ) -> Exports<'e> {
        let files = module.files.values().map(|file| file.path.as_str()).collect();
        Exports { env, aliases, module, files }
    }

    /// The files that mention an exported function, or another name of it, besides those that were given; none if it is not known who
    /// does.
    pub(crate) fn other_users(&self, func: FuncId) -> Option<BTreeSet<&'e str>> {
        let others = self.aliases.iter().filter(|(_, of)| *of == func).map(|(name, _)| name);
        let mut users = BTreeSet::new();
        for name in others.chain([&self.module.funcs[func].name]) {
            users.extend(self.env.other_users(name, &self.files)?);
        }
        Some(users)
    }

    /// Whether no file mentions it but those that were given: no other module calls it.
    pub(crate) fn is_unshared(&self, func: FuncId) -> bool {
        self.module.funcs[func].is_defined() && self.other_users(func).is_some_and(|users| users.is_empty())
    }
}

fn known_outside(
    module: &Module,
    aliases: &[(String, FuncId)],
    env: &dyn Environment,
    is_program: bool,
) -> HashSet<TypeId> {
    let exports = Exports::new(module, aliases, env);
    let is_foreign = |func: &Function| !func.is_defined() && !func.name.starts_with("llvm.");
    let is_shared = |&(id, func): &(FuncId, &Function)| {
        is_foreign(func) || func.exported && !is_program && !exports.is_unshared(id)
    };
    let functions = module.funcs.iter().filter(is_shared).map(|(_, func)| func);
    let signatures = functions.flat_map(|func| func.params.iter().map(|p| p.decl).chain([func.ret_decl]));
    let variables = module.globals.values().filter(|g| !g.defined || g.exported).map(|g| g.ty);
    let mut todo: Vec<TypeId> = signatures.chain(variables).flatten().collect();
    // Declarations often lack types: what is passed has some. What a row describes gets nothing that it does not name.
    for (caller, func) in module.funcs.iter() {
        for inst in func.insts.values() {
            if let Op::Call { callee: Callee::Func(f), args } = &inst.op
                && is_foreign(&module.funcs[*f])
                && env.row_of(module, *f).is_none()
            {
                todo.extend(args.iter().flat_map(|arg| types_at(module, caller, *arg)));
            }
        }
    }
    reachable(module, todo)
}

/// The types, and those of their members and of what they point to. What a C file declares, other files do not know.
fn reachable(module: &Module, mut todo: Vec<TypeId>) -> HashSet<TypeId> {
    let mut seen = HashSet::new();
    while let Some(ty) = todo.pop() {
        if !seen.insert(ty) {
            continue;
        }
        match &module.types[ty] {
            TypeDef::Ptr(to) => todo.push(*to),
            TypeDef::Array { elem, .. } => todo.push(*elem),
            TypeDef::Struct(def) if def.opaque => _ = seen.remove(&ty),
            TypeDef::Struct(def) => todo.extend(def.fields.iter().map(|field| field.ty)),
            TypeDef::Func { params, ret, .. } => todo.extend(params.iter().chain([ret])),
            TypeDef::Void | TypeDef::Int { .. } | TypeDef::Float(_) => {}
        }
    }
    seen
}
