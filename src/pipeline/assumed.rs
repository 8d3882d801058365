//! What is assumed of a module as a whole: what its threads were taken to do and what the environment said goes to the
//! ledger.

use crate::analysis::fields;
use crate::analysis::layout::Shape;
use crate::analysis::origins;
use crate::analysis::parts::Parts;
use crate::instrument::Thread;
use crate::instrument::thread::{MANAGED_MEMORY, Site, StateClasses, UNBOUND};
use crate::vcgen::Apart;
use crate::vcgen::ways::Ways;
use lockpair_entry_points::EntryPoints;
use lockpair_env::Model;
use lockpair_ir::{AssumptionKind, FuncId, GlobalId, Ledger, Module, TypeId};
use std::collections::{BTreeMap, BTreeSet};

/// What every verdict rests on.
pub fn of_all(ledger: &mut Ledger) {
    for kind in [
        AssumptionKind::TypeSplit,
        AssumptionKind::PrivateStruct,
        AssumptionKind::Alignment,
        AssumptionKind::InBounds,
    ] {
        ledger.record(kind, "the whole module", None);
    }
}

/// That nobody calls into the module before it has registered or handed out something.
pub fn of_who_is_alone(threads: &[Thread], entry_points: &EntryPoints, ledger: &mut Ledger) {
    for thread in threads.iter().filter(|thread| thread.sites.iter().any(|site| site.alone)) {
        let role = &entry_points.items[thread.entry].role;
        let subject =
            format!("{role}: nothing else of the module runs before this registers or hands out something");
        ledger.record(AssumptionKind::Environment, subject, None);
    }
}

/// Of the kernel's structs.
pub fn of_structs(module: &Module, model: &Model, parts: &Parts, ledger: &mut Ledger) {
    for row in model.structs.values().filter(|row| module.struct_named(&row.name).is_some()) {
        if row.alone || row.first {
            let subject = format!("struct {}: where its objects begin and end", row.name);
            ledger.record(AssumptionKind::Environment, subject, None);
        }
        if row.lists.is_some() && !parts.is_empty() {
            let subject =
                format!("struct {}: who ends one ends what it lists, which keeps its name", row.name);
            ledger.record(AssumptionKind::Environment, subject, None);
        }
    }
}

/// That the kernel reads the lists that it gets, no more.
pub fn of_lists(module: &Module, lists: &[GlobalId], ledger: &mut Ledger) {
    for &list in lists {
        let subject = format!("the kernel does not change pointers in {}", module.globals[list].name);
        ledger.record(AssumptionKind::Environment, subject, None);
    }
}

/// That code outside leaves members alone once others know the object, and that what is read as another driver's is that.
pub fn of_members<'a>(module: &Module, apart: impl IntoIterator<Item = &'a Apart>, ledger: &mut Ledger) {
    for &why in apart {
        let (kind, member) = match why {
            Apart::Settled(member) => (AssumptionKind::Settled, member),
            Apart::Foreign(member) => (AssumptionKind::DataOfOthers, member),
        };
        ledger.record(kind, fields::name(module, member), None);
    }
}

/// That no code outside registers what the module unregisters, and that a handle is registered in one way.
pub fn of_events(threads: &[Thread], ways: &Ways, ledger: &mut Ledger) {
    for event in threads.iter().flat_map(|t| &t.events).filter(|e| !e.registers && e.class != UNBOUND) {
        ledger.record(AssumptionKind::RegisteredHere, &event.class, None);
    }
    for class in &ways.unknown {
        ledger.record(AssumptionKind::RegisteredOnce, format!("{class}: through one thing"), None);
    }
}

/// That what a module leaves behind when it is unloaded is over by then.
pub fn of_unloading(entry_points: &EntryPoints, ledger: &mut Ledger) {
    let exits = entry_points.items.values().filter(|entry| entry.role == "module.exit");
    exits.for_each(|entry| ledger.record(AssumptionKind::Unloading, &entry.name, None));
}

/// That what callbacks use of memory that ends with a driver is of their own device, and that memory stays whose driver is not
/// seen to be unbound: another module's, or one that code makes.
pub fn of_drivers(module: &Module, entry_points: &EntryPoints, threads: &[Thread], ledger: &mut Ledger) {
    let entry = |thread: &Thread| &entry_points.items[thread.entry];
    for (n, thread) in threads.iter().enumerate() {
        let loc = module.funcs[entry(thread).func].loc;
        if thread.unbinding.is_some() {
            ledger.record(AssumptionKind::ManagedMemory, &entry(thread).name, loc);
        }
        let asks = thread.events.iter().any(|e| e.class == MANAGED_MEMORY);
        let ends = |t: &Thread| entry(t).unbinds && t.unbinding.as_ref().is_some_and(|u| u.of.contains(&n));
        if asks && !threads.iter().any(ends) {
            let subject =
                format!("{}: its memory does not end: no driver of it is unbound", entry(thread).name);
            ledger.record(AssumptionKind::ManagedMemory, subject, loc);
        }
    }
}

/// That some structs are one in their allocation.
pub fn of_allocations(facts: &origins::Facts, threads: &[Thread], ledger: &mut Ledger) {
    let whole = |site: &Site| if let Shape::Whole(strukt) = site.shape { Some(strukt) } else { None };
    let structs: BTreeSet<TypeId> = threads.iter().flat_map(|t| &t.sites).filter_map(whole).collect();
    for strukt in structs {
        if let Some((single, _)) = facts.objects.single_from(facts.layout, strukt) {
            let name = facts.module.as_struct(single).map_or("?", |s| &s.name);
            ledger.record(AssumptionKind::OneInAllocation, name, None);
        }
    }
}

/// That nobody but the module registers handles of which a thread knows through what they were registered.
pub fn of_handles<'a>(threads: impl Iterator<Item = &'a Thread>, ledger: &mut Ledger) {
    for handle in threads.flat_map(|thread| &thread.handles) {
        ledger.record(AssumptionKind::RegisteredHere, &handle.class, None);
    }
}

/// That callbacks get what they were registered with.
pub fn of_arguments(module: &Module, registered: &BTreeMap<FuncId, u32>, ledger: &mut Ledger) {
    for (&func, n) in registered {
        let func = &module.funcs[func];
        ledger.record(AssumptionKind::RegisteredHere, format!("{}: arg{n}", func.name), func.loc);
    }
}

/// That states of the kernel end only where the model says so.
pub fn of_states(threads: &[Thread], states: &StateClasses, ledger: &mut Ledger) {
    let brought_about = threads.iter().flat_map(|t| &t.locks).filter(|lock| !lock.implicit);
    for state in brought_about.filter(|lock| states.contains_key(&lock.class)) {
        let subject = format!("{}: only functions that the model knows end it", state.class);
        ledger.record(AssumptionKind::Environment, subject, None);
        if let Some(class) = states.get(&state.class).and_then(|kind| kind.ended_by.as_ref()) {
            let subject = format!("{}: no other thread registers the first {class} meanwhile", state.class);
            ledger.record(AssumptionKind::Environment, subject, None);
        }
    }
}
