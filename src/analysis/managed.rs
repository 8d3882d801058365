//! Memory that ends with a driver (`devm_kzalloc`): once the driver is unbound from the device, that is when its last function
//! has returned, the kernel undoes what its first one has asked for with the device, the last first. So to the thread that
//! unbinds the driver the ends of what the binding one has allocated are added, and between these those of the callbacks that
//! it has registered so.
//!
//! The object is found by the way on which it was stored: in the device, or in what ends with it, if nothing else is ever
//! stored there; or it is any.

mod binding;
mod ends;
mod parameters;

use self::binding::{Binding, Ends};
use self::ends::{give_up, unbind};
use super::fields::FieldId;
use super::layout::Layout;
use super::points_to::PointsTo;
use crate::instrument::thread::Thread;
use lockpair_entry_points::{EntryPoint, EntryPoints};
use lockpair_ir::Module;
use std::collections::BTreeSet;

/// What the decision needs.
pub struct Facts<'a> {
    /// The module.
    pub module: &'a Module,
    /// Its layouts.
    pub layout: &'a Layout<'a>,
    /// Its regions.
    pub points_to: &'a PointsTo,
    /// Its entry points.
    pub entry_points: &'a EntryPoints,
    /// Members of devices that who binds a driver sets, and nobody changes meanwhile.
    pub bound: &'a BTreeSet<FieldId>,
}

/// Adds to the threads that unbind drivers what ends then; what they had before of that is forgotten.
pub fn end_with_drivers(facts: &Facts, threads: &mut [Thread]) {
    threads.iter_mut().for_each(forget);
    for number in 0..threads.len() {
        let devices = Binding::new(facts, threads, number).devices();
        devices.into_iter().for_each(|(event, device)| threads[number].events[event].until = Some(device));
    }
    let ends: Vec<Ends> = (0..threads.len())
        .map(|first| {
            let (binding, entry) = (Binding::new(facts, threads, first), entry(facts, &threads[first]));
            if entry.binds { binding.ends() } else { binding.memory_of_others() }
        })
        .collect();
    for (first, ends) in ends.iter().enumerate().filter(|(_, ends)| !ends.memory.is_empty()) {
        let binds = entry(facts, &threads[first]);
        for thread in threads.iter_mut() {
            let unbinds = entry(facts, thread);
            if unbinds.unbinds && (!binds.binds || may_be_one_driver(binds, unbinds)) {
                unbind(facts.module, thread, first, ends);
            }
        }
        if binds.binds {
            give_up(facts.module, &mut threads[first], first, ends);
        }
    }
    note_own_devices(facts, threads);
}

fn entry<'a>(facts: &Facts<'a>, thread: &Thread) -> &'a EntryPoint {
    &facts.entry_points.items[thread.entry]
}

/// Says of each site whether what it touches is of the device for which the thread is called.
fn note_own_devices(facts: &Facts, threads: &mut [Thread]) {
    if threads.iter().all(|thread| thread.unbinding.is_none()) {
        return;
    }
    let own = parameters::of_sites(facts, threads);
    for (thread, mut own) in threads.iter_mut().zip(own) {
        let ends = thread.unbinding.as_ref().map_or(own.len(), |unbinding| unbinding.sites);
        own[ends..].fill(true);
        thread.of_own_device = own;
    }
}

/// Whether the two may be functions of one driver; one that code fills in has no table.
fn may_be_one_driver(a: &EntryPoint, b: &EntryPoint) -> bool {
    let strukt = |entry: &EntryPoint| entry.role.split_once('.').map(|(strukt, _)| strukt.to_owned());
    match (a.table, b.table) {
        (Some(a), Some(b)) => a == b,
        _ => strukt(a) == strukt(b),
    }
}

fn forget(thread: &mut Thread) {
    if let Some(before) = thread.unbinding.take() {
        thread.sites.truncate(before.sites);
        thread.events.truncate(before.events);
        thread.loads.truncate(before.loads);
    }
}
