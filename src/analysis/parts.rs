//! What is registered through a list of things is registered through each of them: a group of attributes, through a constant variable
//! that leads to a list which nobody changes. Who ends the whole ends its parts, however they were registered.

use crate::fault::{Fault, seeded};
use lockpair_ir::*;
use std::collections::{HashMap, HashSet};

/// A place in a variable: its number among objects, and the offset.
pub type Place = (i128, u64);

/// A struct whose objects list things.
#[derive(Copy, Clone, Debug)]
pub struct Lister {
    /// The struct.
    pub strukt: TypeId,
    /// Where in it the pointer to the list is, which ends with null.
    pub list: u64,
    /// Where a pointer is that must be null: else the things are elsewhere.
    pub unless: Option<u64>,
}

/// The things that wholes have.
#[derive(Debug, Default)]
pub struct Parts(HashMap<Place, HashSet<Place>>);

impl Parts {
    /// Of all variables of a module.
    pub fn new(module: &Module, listers: &[Lister]) -> Parts {
        let named = named_in_code(module);
        let mut parts = HashMap::new();
        for (id, global) in module.globals.iter().filter(|(_, g)| g.defined && g.constant) {
            let Some(lister) = global.ty.and_then(|ty| lister_of(module, ty, listers)) else { continue };
            let size = module.size_of(lister.strukt).max(1);
            for at in (0..global.size).step_by(usize::try_from(size).unwrap_or(usize::MAX)) {
                let pointer =
                    |at: u64| global.init.iter().find(|cell| cell.offset == at).map(|cell| cell.value);
                let is_elsewhere =
                    lister.unless.and_then(|unless| pointer(at + unless)).is_some_and(|v| !is_null(v));
                let Some(Operand::Global(list, from)) = pointer(at + lister.list) else { continue };
                let changes = named.contains(&list) || module.globals[list].exported;
                if is_elsewhere || changes && !seeded(Fault::ListsStay) {
                    continue;
                }
                parts.insert((number(id), at), listed(&module.globals[list], from));
            }
        }
        Parts(parts)
    }

    /// Whether the whole has that part.
    pub fn have(&self, whole: Place, part: Place) -> bool {
        self.0.get(&whole).is_some_and(|parts| parts.contains(&part))
    }
}

/// The lister that a variable is, or is an array of.
fn lister_of(module: &Module, ty: TypeId, listers: &[Lister]) -> Option<Lister> {
    let mut elem = ty;
    while let TypeDef::Array { elem: inner, .. } = &module.types[elem] {
        elem = *inner;
    }
    listers.iter().find(|lister| lister.strukt == elem).copied()
}

/// The things of a list up to its end.
fn listed(list: &Global, from: i64) -> HashSet<Place> {
    let at = |n: u64| u64::try_from(from).ok().map(|from| from + 8 * n);
    let thing = |n: u64| {
        let at = at(n)?;
        let cell = list.init.iter().find(|cell| cell.offset == at)?;
        match cell.value {
            Operand::Global(g, off) => Some((number(g), u64::try_from(off).ok()?)),
            _ => None,
        }
    };
    (0..).map_while(thing).collect()
}

/// The variables that code names, so that it may change them.
fn named_in_code(module: &Module) -> HashSet<GlobalId> {
    let operands = module.funcs.values().flat_map(|func| {
        let blocks = || func.blocks.values();
        let insts = blocks().flat_map(|b| &b.insts).flat_map(|&i| func.insts[i].op.operands());
        insts.chain(blocks().filter_map(|b| b.term.operand())).collect::<Vec<_>>()
    });
    let global = |operand: Operand| match operand {
        Operand::Global(g, _) => Some(g),
        _ => None,
    };
    operands.filter_map(global).collect()
}

fn is_null(v: Operand) -> bool {
    matches!(v, Operand::Null | Operand::Int { value: 0, .. })
}

fn number(global: GlobalId) -> i128 {
    global.index() as i128 + 1
}
