//! Which functions and globals of the units are the same, and what they are called.

use super::{LinkError, Unit, UnitId};
use crate::entity::{EntityRef, PrimaryMap};
use crate::inst::Operand;
use crate::module::{FuncId, Function, Global, GlobalId, Module};
use std::collections::{HashMap, HashSet};

/// A function or global of which the linked module has the content.
pub struct Kept<K> {
    /// Its id there.
    pub id: K,
    /// Its name there.
    pub name: String,
    /// Whether nobody may write it; of a global.
    pub constant: bool,
}

/// What became of all functions and globals.
pub struct Symbols {
    units: Scopes,
}

type Scopes = PrimaryMap<UnitId, Scope>;

/// What became of those of one unit.
#[derive(Default)]
struct Scope {
    kept_funcs: HashMap<FuncId, Kept<FuncId>>,
    kept_globals: HashMap<GlobalId, Kept<GlobalId>>,
    funcs: PrimaryMap<FuncId, FuncId>,
    /// With the offset that is added: another name may stand for the middle of something.
    globals: PrimaryMap<GlobalId, (GlobalId, i64)>,
    /// The symbols that got another name.
    names: HashMap<String, String>,
}

impl Symbols {
    /// The content of a function, if it is this unit's that counts.
    pub fn kept_func(&self, unit: UnitId, id: FuncId) -> Option<&Kept<FuncId>> {
        self.units[unit].kept_funcs.get(&id)
    }

    /// The content of a global, if it is this unit's that counts.
    pub fn kept_global(&self, unit: UnitId, id: GlobalId) -> Option<&Kept<GlobalId>> {
        self.units[unit].kept_globals.get(&id)
    }

    /// What a function of a unit is now.
    pub fn func(&self, unit: UnitId, id: FuncId) -> FuncId {
        self.units[unit].funcs[id]
    }

    /// Where the beginning of a global of a unit is now.
    pub fn global(&self, unit: UnitId, id: GlobalId) -> (GlobalId, i64) {
        self.units[unit].globals[id]
    }

    /// What a symbol of a unit is called now.
    pub fn name<'s>(&'s self, unit: UnitId, name: &'s str) -> &'s str {
        self.units[unit].names.get(name).map_or(name, String::as_str)
    }
}

/// Finds out what becomes of the functions and globals of all units.
pub fn resolve(units: &PrimaryMap<UnitId, Unit>) -> Result<Symbols, LinkError> {
    let exports = Exports::collect(units)?;
    let mut scopes = exports.keep(units);
    for (id, Unit { module, .. }) in units.iter() {
        let funcs = module.funcs.iter().map(|(f, function)| exports.func_now(&scopes, id, f, function));
        let funcs = funcs.collect();
        let globals = module.globals.iter().map(|(g, global)| exports.global_now(&scopes, id, g, global));
        let globals = globals.collect();
        (scopes[id].funcs, scopes[id].globals) = (funcs, globals);
    }
    Ok(Symbols { units: scopes })
}

/// What stands behind an exported name.
struct Export {
    /// Whose content counts.
    unit: UnitId,
    /// What it is there.
    target: Operand,
    defined: bool,
    /// How much is known of something that is only declared.
    rank: u64,
    /// Whether nobody may write it, as far as is known.
    constant: bool,
}

/// The exported names.
#[derive(Default)]
struct Exports {
    by_name: HashMap<String, Export>,
}

impl Exports {
    fn collect(units: &PrimaryMap<UnitId, Unit>) -> Result<Exports, LinkError> {
        let mut exports = Exports::default();
        for (unit, Unit { module, aliases, .. }) in units.iter() {
            for (id, f) in module.funcs.iter().filter(|(_, f)| is_shared(&f.name, f.exported)) {
                let (target, rank) = (Operand::Func(id), f.params.len() as u64);
                let export = Export { unit, target, defined: f.is_defined(), rank, constant: true };
                exports.add(&f.name, export)?;
            }
            for (id, g) in module.globals.iter().filter(|(_, g)| is_shared(&g.name, g.exported)) {
                let (target, constant) = (Operand::Global(id, 0), g.constant);
                exports.add(&g.name, Export { unit, target, defined: g.defined, rank: g.size, constant })?;
            }
            for alias in aliases.iter().filter(|a| a.exported && is_defined(module, a.target)) {
                let target = alias.target;
                exports.add(&alias.name, Export { unit, target, defined: true, rank: 0, constant: false })?;
            }
        }
        Ok(exports)
    }

    fn add(&mut self, name: &str, new: Export) -> Result<(), LinkError> {
        let Some(old) = self.by_name.get_mut(name) else {
            self.by_name.insert(name.to_owned(), new);
            return Ok(());
        };
        let (unit, symbol) = (new.unit, || name.to_owned());
        let is_function = |export: &Export| matches!(export.target, Operand::Func(_));
        if is_function(old) != is_function(&new) {
            return Err(LinkError::FunctionAndVariable { unit, symbol: symbol() });
        }
        match (old.defined, new.defined) {
            (true, true) => return Err(LinkError::DefinedTwice { unit, symbol: symbol() }),
            (true, false) => {}
            (false, true) => *old = new,
            (false, false) => {
                let constant = old.constant && new.constant;
                if new.rank > old.rank {
                    *old = new;
                }
                old.constant = constant;
            }
        }
        Ok(())
    }

    /// What counts where something is used by its name, if it is not the content of the unit itself.
    fn named(&self, name: &str, exported: bool) -> Option<&Export> {
        self.by_name.get(name).filter(|_| is_shared(name, exported))
    }

    /// Hands out ids and names to all that the linked module has the content of.
    fn keep(&self, units: &PrimaryMap<UnitId, Unit>) -> Scopes {
        let mut names = Names::taken(self.by_name.keys().cloned());
        let (mut globals, mut funcs) = (0, 0);
        let mut scopes = PrimaryMap::new();
        for (unit, Unit { module, .. }) in units.iter() {
            let mut scope = Scope::default();
            for (id, g) in module.globals.iter() {
                let Some(constant) = self.keeps(unit, Operand::Global(id, 0), &g.name, g.exported) else {
                    continue;
                };
                let name = scope.name(&mut names, &g.name, g.exported);
                let constant = constant.unwrap_or(g.constant);
                scope.kept_globals.insert(id, Kept { id: GlobalId::new(globals), name, constant });
                globals += 1;
            }
            for (id, f) in module.funcs.iter() {
                let Some(_) = self.keeps(unit, Operand::Func(id), &f.name, f.exported) else { continue };
                let name = scope.name(&mut names, &f.name, f.exported);
                scope.kept_funcs.insert(id, Kept { id: FuncId::new(funcs), name, constant: true });
                funcs += 1;
            }
            scopes.push(scope);
        }
        scopes
    }

    /// Whether the linked module has this content, and if so, whether the name says that nobody writes it.
    fn keeps(&self, unit: UnitId, own: Operand, name: &str, exported: bool) -> Option<Option<bool>> {
        match self.named(name, exported) {
            None => Some(None),
            Some(export) if export.unit == unit && export.target == own => Some(Some(export.constant)),
            Some(_) => None,
        }
    }

    /// What a function is in the linked module: its own content, or that of the one with its name.
    fn func_now(&self, scopes: &Scopes, unit: UnitId, id: FuncId, function: &Function) -> FuncId {
        let kept = |unit: UnitId, id: FuncId| scopes[unit].kept_funcs.get(&id).map(|kept| kept.id);
        let elsewhere = || {
            let export = self.named(&function.name, function.exported)?;
            match export.target {
                Operand::Func(target) => kept(export.unit, target),
                Operand::Global(..)
                | Operand::Value(_)
                | Operand::Int { .. }
                | Operand::Null
                | Operand::Undef(_) => None,
            }
        };
        kept(unit, id).or_else(elsewhere).expect("a function that is not kept is another that is")
    }

    /// The same for the beginning of a global.
    fn global_now(&self, scopes: &Scopes, unit: UnitId, id: GlobalId, global: &Global) -> (GlobalId, i64) {
        let kept = |unit: UnitId, id: GlobalId| scopes[unit].kept_globals.get(&id).map(|kept| kept.id);
        let elsewhere = || {
            let export = self.named(&global.name, global.exported)?;
            match export.target {
                Operand::Global(target, offset) => Some((kept(export.unit, target)?, offset)),
                Operand::Func(_)
                | Operand::Value(_)
                | Operand::Int { .. }
                | Operand::Null
                | Operand::Undef(_) => None,
            }
        };
        let own = kept(unit, id).map(|id| (id, 0));
        own.or_else(elsewhere).expect("a global that is not kept is another that is")
    }
}

impl Scope {
    /// The name in the linked module; what is exported keeps its own.
    fn name(&mut self, names: &mut Names, name: &str, exported: bool) -> String {
        if exported || name.is_empty() {
            return name.to_owned();
        }
        let unique = names.unique(name);
        if unique != name {
            self.names.insert(name.to_owned(), unique.clone());
        }
        unique
    }
}

/// Whether something is the same as what has its name in other units.
fn is_shared(name: &str, exported: bool) -> bool {
    exported && !name.is_empty()
}

fn is_defined(module: &Module, target: Operand) -> bool {
    match target {
        Operand::Func(id) => module.funcs[id].is_defined(),
        Operand::Global(id, _) => module.globals[id].defined,
        Operand::Value(_) | Operand::Int { .. } | Operand::Null | Operand::Undef(_) => false,
    }
}

/// Gives out names, each once.
pub(super) struct Names {
    taken: HashSet<String>,
    /// The number that is tried next behind a name.
    next: HashMap<String, u32>,
}

impl Names {
    /// All but these are free.
    pub fn taken(names: impl Iterator<Item = String>) -> Names {
        Names { taken: names.collect(), next: HashMap::new() }
    }

    /// The name itself when it is free, else with a number.
    pub fn unique(&mut self, name: &str) -> String {
        if self.taken.insert(name.to_owned()) {
            return name.to_owned();
        }
        let next = self.next.entry(name.to_owned()).or_insert(2);
        loop {
            let numbered = format!("{name}.{next}");
            *next += 1;
            if self.taken.insert(numbered.clone()) {
                return numbered;
            }
        }
    }
}
