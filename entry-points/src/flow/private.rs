//! Functions in fields of structs that only the module knows: nobody outside finds them there (each time a
//! recorded assumption). If the module calls them, they are covered where it does. If it does not, somebody
//! must, and they are entry points after all.

use std::collections::{BTreeSet, HashSet};

use lockpair_ir::{Callee, FuncId, LocId, Module, Op, TypeDef, TypeId};

use super::{Flow, Token};
use crate::environment::Environment;
use crate::markers::Marked;
use crate::place::types_at;

impl Flow<'_> {
    /// The module may call the function through a pointer. With another number of arguments that would be
    /// an unknown call later on.
    pub(super) fn note_called(&mut self, f: FuncId, args: usize) {
        let func = &self.module.funcs[f];
        if func.variadic || func.params.len() == args {
            self.called.insert(f);
        }
    }

    /// The functions that are trusted to stay in the module though it does not call them.
    pub fn kept_for_nobody(&self) -> Vec<(FuncId, Option<LocId>)> {
        let mut out: Vec<(FuncId, Option<LocId>)> = Vec::new();
        for &(token, _, loc) in &self.trusted {
            let uncalled = self.functions_behind(token).into_iter().filter(|f| !self.called.contains(f));
            out.extend(uncalled.map(|f| (f, loc)));
        }
        out
    }

    /// The members of private structs that lead to functions, and where they are set.
    pub fn trusted_with_functions(&self) -> BTreeSet<(String, Option<LocId>)> {
        let leads = |token: Token| !self.functions_behind(token).is_empty();
        let members = self.trusted.iter().filter(|(token, ..)| leads(*token));
        members.map(|(_, member, loc)| (member.clone(), *loc)).collect()
    }

    /// The functions that a token leads to, but for those that a row explains and those that escape anyway.
    fn functions_behind(&self, root: Token) -> BTreeSet<FuncId> {
        let (mut seen, mut todo) = (BTreeSet::from([root]), vec![root]);
        while let Some(object) = todo.pop() {
            if self.escaped.contains_key(&object) {
                continue;
            }
            let inside = self.objects.get(&object).into_iter().flat_map(|content| content.cells.keys());
            todo.extend(inside.filter(|c| !c.explained).map(|c| c.token).filter(|t| seen.insert(*t)));
        }
        let func = |token: Token| match token {
            Token::Func(f) if !self.escaped.contains_key(&token) => Some(f),
            Token::Func(_) | Token::Global(_) | Token::Stack(..) | Token::Unknown => None,
        };
        seen.into_iter().filter_map(func).collect()
    }
}

/// The structs that code outside knows although they are declared among the module's own files: those that
/// it passes to functions of other files or shares with them, and all that these lead to.
pub(super) fn known_outside(module: &Module, env: &dyn Environment, marked: &Marked) -> HashSet<TypeId> {
    let is_foreign = |f: FuncId| {
        let func = &module.funcs[f];
        !func.is_defined() && !func.name.starts_with("llvm.") && env.row_of(module, f).is_none()
    };
    let foreign: Vec<FuncId> =
        module.funcs.keys().filter(|&f| is_foreign(f) || marked.exported.contains(&f)).collect();
    let declared = foreign.iter().map(|&f| &module.funcs[f]);
    let signatures = declared.flat_map(|func| func.params.iter().map(|p| p.decl).chain([func.ret_decl]));
    let shared = module.globals.values().filter(|g| !g.defined || g.exported).map(|g| g.ty);
    let mut todo: Vec<TypeId> = signatures.chain(shared).flatten().collect();
    // Declarations often lack types: what is passed has some.
    for (caller, func) in module.funcs.iter() {
        for inst in func.insts.values() {
            if let Op::Call { callee: Callee::Func(f), args } = &inst.op
                && foreign.contains(f)
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
