//! Who runs before anybody else of the module can.

use lockpair_entry_points::{EntryPointId, EntryPoints, Origin};
use lockpair_ir::*;
use std::collections::{BTreeSet, HashSet};

/// Who runs before anybody else of the module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Alone {
    /// The entry point.
    pub entry: EntryPointId,
    /// The variables that code outside can find: who stores a function there, or what leads to one, lets others in.
    pub found: HashSet<GlobalId>,
}

/// The module's init function, if nothing else of the module runs before that has let it: has registered or handed out something.
/// None if there are several, other modules may call something, code outside finds a function in the initial value of a
/// variable that no code of the module mentions (by its section), or that others can name, or a function's address leaves as
/// a number, perhaps in pieces.
pub fn until_it_lets_others(module: &Module, entry_points: &EntryPoints) -> Option<Alone> {
    let variables = variables_found(module);
    let mut found = functions_in(module, &variables);
    found.extend(functions_as_numbers(module));
    let mut first = None;
    for (id, entry) in entry_points.items.iter() {
        match entry.origin {
            Origin::Module if entry.is_init() && first.is_none() => first = Some(id),
            Origin::Module if entry.is_init() => return None,
            Origin::Module => {}
            Origin::Exported | Origin::User => return None,
            Origin::Table { .. }
            | Origin::Stored { .. }
            | Origin::Registered { .. }
            | Origin::Escaped { .. } => {
                if found.contains(&entry.func) {
                    return None;
                }
            }
        }
    }
    first.map(|entry| Alone { entry, found: variables })
}

/// The functions that variables hold from the beginning.
fn functions_in(module: &Module, variables: &HashSet<GlobalId>) -> BTreeSet<FuncId> {
    let cells = variables.iter().flat_map(|global| &module.globals[*global].init);
    cells.filter_map(|cell| if let Operand::Func(f) = cell.value { Some(f) } else { None }).collect()
}

/// The functions whose addresses are made numbers.
fn functions_as_numbers(module: &Module) -> impl Iterator<Item = FuncId> {
    let insts = module.funcs.values().flat_map(|func| func.insts.values());
    insts.filter_map(|inst| match inst.op {
        Op::Cast(_, Operand::Func(f)) => Some(f),
        _ => None,
    })
}

/// The variables that code outside can find without the module's doing: by their names, by a section, or from one of these.
fn variables_found(module: &Module) -> HashSet<GlobalId> {
    let in_code = module.reached_from(module.funcs.values().flat_map(mentioned));
    // What no code mentions is there for somebody else.
    let is_known =
        |(id, global): &(GlobalId, &Global)| global.defined && (global.exported || !in_code.contains(id));
    module.reached_from(module.globals.iter().filter(is_known).map(|(id, _)| id))
}

/// The variables that a function mentions.
fn mentioned(func: &Function) -> impl Iterator<Item = GlobalId> {
    let insts = func.insts.values().flat_map(|inst| inst.op.operands());
    let ends = func.blocks.values().filter_map(|block| block.term.operand());
    insts.chain(ends).filter_map(Operand::global)
}
