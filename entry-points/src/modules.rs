//! Modules that are verified together: each has a state of its own, and is there before those that use it.

use std::collections::{BTreeSet, HashMap};

use lockpair_env::schema::{AddrExpr, Base, ImplicitLock};
use lockpair_ir::entity::EntityRef;
use lockpair_ir::link::{Alias, Parts, Unit, UnitId};
use lockpair_ir::{FuncId, GlobalId, LockMode, Operand, PrimaryMap};

use crate::markers::{self, Marked, marker, variables_in};
use crate::model::{EntryPoint, Origin};

/// What stands for the state of a module in the rows of the environment: each module has one.
const STATE: &str = "module_state";
/// The class of the lock that keeps a module loaded while it is in use.
pub(crate) const REFERENCE: &str = "module-ref";
/// The class of the lock that a module's init function has to itself: code that uses the module is not there yet.
const INIT: &str = "module-init";

/// Several modules that were linked to one.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Modules {
    names: PrimaryMap<UnitId, String>,
    /// Whose symbols each names, or those name that it uses: they are loaded before, and unloaded afterwards.
    uses: PrimaryMap<UnitId, BTreeSet<UnitId>>,
    /// Those that have an init function, and are used.
    initialized: BTreeSet<UnitId>,
    parts: Parts,
}

impl Modules {
    /// Those, which are not linked yet.
    pub fn new(units: &PrimaryMap<UnitId, Unit>) -> Modules {
        let uses = uses(units);
        let used: BTreeSet<UnitId> = uses.values().flatten().copied().collect();
        let initialized = used.into_iter().filter(|&used| !marked(&units[used]).init.is_empty()).collect();
        Modules { names: names(units), uses, initialized, parts: Parts::default() }
    }

    /// What came from which when they were linked.
    pub fn linked(&mut self, parts: Parts) {
        self.parts = parts;
    }

    /// Says of which module the locks are that stand for its state. `owned` says whether the table of the entry point names who stays loaded
    /// while its functions run; where nothing does, that may be any of the modules, and nobody's reference is held.
    ///
    /// Whoever runs code of a module does so after those have been initialized that it uses; while it is initialized itself, or
    /// is unloaded, these cannot be.
    pub(crate) fn place(&self, entry: &mut EntryPoint, owned: Option<bool>) {
        let own = self.parts.of_func(entry.func);
        let whose = match entry.origin {
            Origin::Module => own,
            Origin::Table { global, .. } if owned == Some(true) => self.parts.of_global(global),
            _ => None,
        };
        let is_state = |lock: &ImplicitLock| lock.addr.base == Base::Global(STATE.to_owned());
        entry.locks.retain(|lock| !is_state(lock) || whose.is_some());
        if let Some(unit) = whose {
            let of_state = entry.locks.iter_mut().filter(|lock| is_state(lock));
            of_state.for_each(|lock| lock.addr = self.state(unit));
        }
        let Some(own) = own else { return };
        for &used in &self.uses[own] {
            if self.initialized.contains(&used) {
                entry.locks.push(self.lock(INIT, LockMode::Shared, used));
            }
            if entry.origin == Origin::Module {
                entry.locks.push(self.lock(REFERENCE, LockMode::Shared, used));
            }
        }
        if entry.is_init() && self.initialized.contains(&own) {
            entry.locks.push(self.lock(INIT, LockMode::Exclusive, own));
        }
    }

    fn lock(&self, class: &str, mode: LockMode, of: UnitId) -> ImplicitLock {
        ImplicitLock { class: class.to_owned(), mode, addr: self.state(of), by_table: false }
    }

    fn state(&self, of: UnitId) -> AddrExpr {
        AddrExpr { base: Base::Global(format!("{STATE}.{}", self.names[of])), steps: Vec::new() }
    }
}

/// What the modules are called, each in its own way.
fn names(units: &PrimaryMap<UnitId, Unit>) -> PrimaryMap<UnitId, String> {
    let is_taken =
        |id: UnitId, name: &str| units.iter().any(|(other, u)| other != id && u.module.name == name);
    let name = |(id, unit): (UnitId, &Unit)| match &unit.module.name {
        name if is_taken(id, name) => format!("{name}#{}", id.index()),
        name => name.clone(),
    };
    units.iter().map(name).collect()
}

/// Who uses whom: who names what another exports, or uses one who does.
fn uses(units: &PrimaryMap<UnitId, Unit>) -> PrimaryMap<UnitId, BTreeSet<UnitId>> {
    let exported = units.iter().flat_map(|(id, unit)| exported(unit).map(move |name| (name, id)));
    let by_name: HashMap<String, UnitId> = exported.collect();
    let named = |Unit { module, .. }: &Unit| -> BTreeSet<UnitId> {
        let funcs = module.funcs.values().filter(|func| !func.is_defined()).map(|func| &func.name);
        let globals = module.globals.values().filter(|global| !global.defined).map(|global| &global.name);
        funcs.chain(globals).filter_map(|name| by_name.get(name).copied()).collect()
    };
    let mut uses: PrimaryMap<UnitId, BTreeSet<UnitId>> = units.values().map(named).collect();
    // As many rounds as a chain can be long.
    for _ in units.keys() {
        let before = uses.clone();
        for used in uses.values_mut() {
            let behind: Vec<UnitId> = used.iter().flat_map(|unit| before[*unit].iter().copied()).collect();
            used.extend(behind);
        }
    }
    uses.iter_mut().for_each(|(unit, used)| _ = used.remove(&unit));
    uses
}

/// The other names of a module's functions.
fn other_names(unit: &Unit) -> Vec<(String, FuncId)> {
    unit.names_of_functions().map(|(name, func)| (name.to_owned(), func)).collect()
}

/// What its markers say.
fn marked(unit: &Unit) -> Marked {
    markers::read(&unit.module, &other_names(unit), &[])
}

/// The names of what a module exports.
fn exported(unit: &Unit) -> impl Iterator<Item = String> {
    let (module, funcs) = (&unit.module, marked(unit).exported);
    let other_names = other_names(unit).into_iter().filter(|(_, func)| funcs.contains(func));
    let other_names: Vec<String> = other_names.map(|(name, _)| name).collect();
    let marks = module.globals.values().filter(|global| marker(global).is_some());
    let variables: Vec<GlobalId> =
        marks.flat_map(variables_in).filter(|g| module.globals[*g].exported).collect();
    let funcs = funcs.into_iter().map(|func| module.funcs[func].name.clone());
    let variables = variables.into_iter().map(|variable| module.globals[variable].name.clone());
    funcs.chain(other_names).chain(variables)
}

/// What every module has a symbol of its own for.
const OF_EACH: [&str; 2] = ["init_module", "cleanup_module"];

/// Keeps what each module has for itself apart from what other modules call so.
pub fn keep_apart(unit: &mut Unit) {
    let is_of_each = |name: &String| OF_EACH.contains(&name.as_str());
    unit.aliases.iter_mut().filter(|alias| is_of_each(&alias.name)).for_each(|alias| alias.exported = false);
    for (id, func) in unit.module.funcs.iter_mut().filter(|(_, func)| is_of_each(&func.name)) {
        func.exported = false;
        unit.aliases.push(Alias { name: func.name.clone(), target: Operand::Func(id), exported: false });
    }
}
