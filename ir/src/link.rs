//! Several modules become one, as a linker does it with object files.
//!
//! A struct is the same in two files if it has the same tag, size and members ([`types`]); a symbol is the
//! same if it is exported and has the same name ([`symbols`]). Everything else stays apart: what is not
//! exported, and two different structs of one tag, get names of their own. The order of the units decides
//! ids and such names, nothing else.

mod rename;
mod symbols;
mod types;

#[cfg(test)]
mod tests;

use crate::assumption::Ledger;
use crate::entity::{EntityRef, PrimaryMap};
use crate::entity_id;
use crate::inst::Operand;
use crate::module::{FileId, FuncId, Function, GlobalId, Loc, LocId, Module, SourceFile};
use rename::Renaming;
use std::collections::HashMap;

entity_id!(
    /// One of the files that are linked.
    UnitId,
    "unit"
);

/// A module, and what goes with it but has no place in it.
#[derive(Clone, Default, Debug)]
pub struct Unit {
    /// The module.
    pub module: Module,
    /// What was assumed when it was made.
    pub ledger: Ledger,
    /// Other names of functions and variables.
    pub aliases: Vec<Alias>,
    /// Symbols in sections of their own: (symbol, section).
    pub sections: Vec<(String, String)>,
}

impl Unit {
    /// The other names of its functions.
    pub fn names_of_functions(&self) -> impl Iterator<Item = (&str, FuncId)> {
        self.aliases.iter().filter_map(|alias| match alias.target {
            Operand::Func(func) => Some((alias.name.as_str(), func)),
            _ => None,
        })
    }
}

/// Another name of something that the module defines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Alias {
    /// The name.
    pub name: String,
    /// What it stands for: a function, or a place in a global.
    pub target: Operand,
    /// Whether other modules can use the name.
    pub exported: bool,
}

/// Why units do not fit together.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LinkError {
    /// Two units define one symbol.
    #[error("symbol {symbol} is defined twice")]
    DefinedTwice {
        /// The later of the two.
        unit: UnitId,
        /// The symbol.
        symbol: String,
    },
    /// A symbol is not the same kind of thing everywhere.
    #[error("symbol {symbol} is a function in one file and a variable in another")]
    FunctionAndVariable {
        /// The unit that disagrees with those before.
        unit: UnitId,
        /// The symbol.
        symbol: String,
    },
}

impl LinkError {
    /// The unit that does not fit those before it.
    pub fn unit(&self) -> UnitId {
        match self {
            LinkError::DefinedTwice { unit, .. } | LinkError::FunctionAndVariable { unit, .. } => *unit,
        }
    }
}

/// From which unit each function and global of a linked module has its content. What is added later is in none.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Parts {
    funcs: PrimaryMap<FuncId, UnitId>,
    globals: PrimaryMap<GlobalId, UnitId>,
}

impl Parts {
    /// The unit of a function.
    pub fn of_func(&self, func: FuncId) -> Option<UnitId> {
        self.funcs.get(func).copied()
    }

    /// The unit of a global.
    pub fn of_global(&self, global: GlobalId) -> Option<UnitId> {
        self.globals.get(global).copied()
    }
}

/// Links units to one, whose module gets the name. A single unit stays as it is.
pub fn link(name: &str, mut units: PrimaryMap<UnitId, Unit>) -> Result<Unit, LinkError> {
    if units.len() == 1 {
        let mut unit = std::mem::take(&mut units[UnitId::new(0)]);
        name.clone_into(&mut unit.module.name);
        return Ok(unit);
    }
    Ok(link_parts(name, units)?.0)
}

/// The same, with what came from where.
pub fn link_parts(name: &str, mut units: PrimaryMap<UnitId, Unit>) -> Result<(Unit, Parts), LinkError> {
    let symbols = symbols::resolve(&units)?;
    let (table, mut types) = types::merge(&units);
    let mut linked = Unit::default();
    let mut parts = Parts::default();
    name.clone_into(&mut linked.module.name);
    linked.module.types = table;
    let mut files = Files::default();
    for (id, unit) in units.iter_mut() {
        let renaming = Renaming {
            unit: id,
            symbols: &symbols,
            types: std::mem::take(&mut types[id]),
            files: files.add(&unit.module, &mut linked.module),
            first_loc: linked.module.locs.len(),
        };
        append(&mut linked, unit, &renaming);
        linked.module.funcs.keys().skip(parts.funcs.len()).for_each(|_| _ = parts.funcs.push(id));
        linked.module.globals.keys().skip(parts.globals.len()).for_each(|_| _ = parts.globals.push(id));
    }
    Ok((linked, parts))
}

/// Moves the content of a unit behind that of those before it. The order in which symbols are kept is that
/// in which their ids were handed out.
fn append(linked: &mut Unit, unit: &mut Unit, renaming: &Renaming<'_>) {
    for loc in unit.module.locs.values() {
        linked.module.locs.push(renaming.place(loc));
    }
    for (id, global) in unit.module.globals.iter_mut() {
        if let Some(kept) = renaming.symbols.kept_global(renaming.unit, id) {
            renaming.global(kept, global);
            let added = linked.module.globals.push(global.clone());
            debug_assert!(added == kept.id);
        }
    }
    for (id, function) in unit.module.funcs.iter_mut() {
        if let Some(kept) = renaming.symbols.kept_func(renaming.unit, id) {
            renaming.function(kept, function);
            let function = std::mem::replace(function, Function::declaration(""));
            let added = linked.module.funcs.push(function);
            debug_assert!(added == kept.id);
        }
    }
    for item in unit.ledger.iter() {
        linked.ledger.record(item.kind, item.subject.clone(), renaming.loc(item.loc));
    }
    for alias in &unit.aliases {
        linked.aliases.push(Alias { target: renaming.operand(alias.target), ..alias.clone() });
    }
    for (symbol, section) in &unit.sections {
        linked.sections.push((renaming.symbols.name(renaming.unit, symbol).to_owned(), section.clone()));
    }
}

/// The files of the linked module, each path once.
#[derive(Default)]
struct Files {
    by_path: HashMap<String, FileId>,
}

impl Files {
    /// Adds the files of a module, and says what they are now.
    fn add(&mut self, from: &Module, to: &mut Module) -> PrimaryMap<FileId, FileId> {
        let mut now = PrimaryMap::new();
        for SourceFile { path } in from.files.values() {
            let id = self.by_path.entry(path.clone()).or_insert_with(|| {
                let path = path.clone();
                to.files.push(SourceFile { path })
            });
            now.push(*id);
        }
        now
    }
}

impl Renaming<'_> {
    fn place(&self, loc: &Loc) -> Loc {
        Loc {
            file: self.files[loc.file],
            inlined_at: self.loc(loc.inlined_at),
            function: loc.function.clone(),
            ..*loc
        }
    }

    /// Places of a unit stay together, in order.
    fn loc(&self, loc: Option<LocId>) -> Option<LocId> {
        loc.map(|loc| LocId::new(self.first_loc + loc.index()))
    }
}
