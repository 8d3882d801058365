//! What the call tree of an entry point may do to locks that are held on entry.

use std::collections::BTreeSet;

use lockpair_env::schema::Effect;
use lockpair_ir::{AssumptionKind, Callee, FuncId, LocId, Module, Op, Operand, SecondaryMap};

use crate::environment::Environment;
use crate::flow::Flow;
use crate::markers;
use crate::model::{EntryPointId, EntryPoints};

/// What matters of a call tree when pairs are left out.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct CallTree {
    /// The classes of locks on which no omission may rest: something in it releases them, or they are states.
    pub releases: BTreeSet<String>,
    /// A call in it whose targets are not all known.
    pub unresolved: bool,
    /// What is assumed of functions and assembly that no row describes: they do nothing to locks.
    pub assumed: BTreeSet<(AssumptionKind, String, Option<LocId>)>,
}

/// The call trees of all entry points.
pub fn call_trees(
    module: &Module,
    eps: &EntryPoints,
    env: &dyn Environment,
) -> SecondaryMap<EntryPointId, CallTree> {
    let marked = markers::read(module, &[], &[]);
    let flow = Flow::new(module, env, &marked);
    let mut out = SecondaryMap::new();
    for (id, ep) in eps.items.iter() {
        out[id] = Walk::from(module, &flow, ep.func);
        let states = ep.locks.iter().map(|lock| &lock.class).filter(|class| env.is_state(class));
        out[id].releases.extend(states.cloned());
    }
    out
}

struct Walk<'a> {
    module: &'a Module,
    flow: &'a Flow<'a>,
    tree: CallTree,
    seen: BTreeSet<FuncId>,
    todo: Vec<FuncId>,
}

impl<'a> Walk<'a> {
    fn from(module: &'a Module, flow: &'a Flow<'a>, root: FuncId) -> CallTree {
        let mut walk =
            Walk { module, flow, tree: CallTree::default(), seen: BTreeSet::new(), todo: vec![root] };
        while let Some(func) = walk.todo.pop() {
            if walk.seen.insert(func) {
                walk.visit(func);
            }
        }
        walk.tree
    }

    fn visit(&mut self, func: FuncId) {
        let body = &self.module.funcs[func];
        for inst in body.blocks.values().flat_map(|b| &b.insts).map(|id| &body.insts[*id]) {
            match &inst.op {
                Op::Call { callee: Callee::Func(f), .. } => self.call(*f, inst.loc),
                Op::Call { callee: Callee::Indirect(pointer, _), .. } => {
                    self.call_pointer(func, *pointer, inst.loc)
                }
                Op::Call { callee: Callee::Asm(asm), .. } => {
                    self.assume(AssumptionKind::InlineAssembly, &asm.template, inst.loc);
                }
                Op::Release { class, .. } => {
                    self.tree.releases.insert(class.clone());
                }
                Op::External { name, .. } => self.assume(AssumptionKind::UnknownExternal, name, inst.loc),
                _ => {}
            }
        }
    }

    fn call(&mut self, f: FuncId, loc: Option<LocId>) {
        let func = &self.module.funcs[f];
        if let Some(row) = self.flow.row(f) {
            self.tree.releases.extend(row.effects.iter().filter_map(|effect| match effect {
                Effect::Release { class, .. } => Some(class.clone()),
                _ => None,
            }));
        } else if func.is_defined() {
            self.todo.push(f);
        } else if !func.name.starts_with("llvm.") {
            self.assume(AssumptionKind::UnknownExternal, &func.name, loc);
        }
    }

    fn call_pointer(&mut self, func: FuncId, pointer: Operand, loc: Option<LocId>) {
        match self.flow.callees(func, pointer) {
            Some(targets) => targets.into_iter().for_each(|f| self.call(f, loc)),
            None => self.tree.unresolved = true,
        }
    }

    fn assume(&mut self, kind: AssumptionKind, subject: &str, loc: Option<LocId>) {
        self.tree.assumed.insert((kind, subject.to_owned(), loc));
    }
}
