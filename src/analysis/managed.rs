//! Memory that ends with a driver (`devm_kzalloc`): once the driver is unbound from the device, that is when its last function
//! has returned, the kernel undoes what its first one has asked for with the device, the last first. So to the thread that
//! unbinds the driver the ends of what the binding one has allocated are added, and between these those of the callbacks that
//! it has registered so.
//!
//! The object is found by the way on which it was stored: in the device, or in what ends with it, if nothing else is ever
//! stored there; or it is any.

use super::fields::{self, FieldId};
use super::layout::{Layout, Shape};
use super::points_to::{PointsTo, RegionId};
use crate::fault::{Fault, seeded};
use crate::instrument::thread::*;
use crate::instrument::values;
use lockpair_entry_points::EntryPoints;
use lockpair_ir::{EntityRef, FuncId, Function, InstId, LocId, Mark, Module, Op, Operand, ValueId};
use lockpair_smt::{Term, TermId};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What tells the events that are added from those of the thread itself.
const END: u32 = 3;

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
    for first in 0..threads.len() {
        if facts.entry_points.items[threads[first].entry].binds {
            let ends = Binding::new(facts, threads, first).ends();
            give_up(&mut threads[first], first, &ends);
        }
    }
    for last in 0..threads.len() {
        let entry = &facts.entry_points.items[threads[last].entry];
        let Some(table) = entry.table.filter(|_| entry.unbinds) else { continue };
        for first in 0..threads.len() {
            let entry = &facts.entry_points.items[threads[first].entry];
            if first != last && entry.binds && entry.table == Some(table) {
                let ends = Binding::new(facts, threads, first).ends();
                unbind(facts.module, &mut threads[last], first, &ends);
            }
        }
    }
}

fn forget(thread: &mut Thread) {
    if let Some(before) = thread.unbinding.take() {
        thread.sites.truncate(before.sites);
        thread.events.truncate(before.events);
        thread.loads.truncate(before.loads);
    }
}

/// Where a pointer lies that nothing else is ever stored to.
#[derive(Copy, Clone)]
struct Place {
    /// In the memory of that number, or in the device.
    within: Option<usize>,
    /// So far behind its start, or behind the lock of the device.
    distance: i128,
    region: RegionId,
    shape: Shape,
}

/// Memory that ends with the driver.
struct Memory {
    /// The binding thread's event.
    event: usize,
    key: Key,
    region: RegionId,
    shape: Shape,
    through: Option<(FuncId, ValueId)>,
    place: Option<Place>,
    repeated: bool,
    loc: Option<LocId>,
}

/// A registration that ends with the driver.
struct Registration {
    event: Event,
    number: usize,
    handle: Handled,
    through: Option<i128>,
}

/// Where the handle of a registration lies.
#[derive(Copy, Clone)]
enum Handled {
    /// In memory that ends, too.
    Memory(usize, i128),
    /// So far behind the lock of the device.
    Device(i128),
    /// In an object with a name.
    Named(i128, i128),
    Anywhere,
}

/// What ends with a driver.
struct Ends {
    memory: Vec<Memory>,
    registrations: Vec<Registration>,
    /// What the driver has to end.
    kept: Vec<Registration>,
}

/// A thread that binds a driver.
struct Binding<'a> {
    facts: &'a Facts<'a>,
    threads: &'a [Thread],
    number: usize,
    thread: &'a Thread,
}

impl<'a> Binding<'a> {
    fn new(facts: &'a Facts<'a>, threads: &'a [Thread], number: usize) -> Binding<'a> {
        Binding { facts, threads, number, thread: &threads[number] }
    }

    /// Of registrations that end with an object which was read: the device with which that ends, as far as it is known.
    fn devices(&self) -> Vec<(usize, Addr)> {
        let known = |e: &Event| e.until.is_some_and(|until| self.thread.is_own_device(until));
        let ended: BTreeSet<TermId> = self
            .thread
            .events
            .iter()
            .filter(|e| e.class == MANAGED_MEMORY && known(e))
            .map(|e| e.handle.obj)
            .collect();
        let Some(device) = self.thread.device_locks().next().filter(|_| !ended.is_empty()) else {
            return Vec::new();
        };
        let events = self.thread.events.iter().enumerate();
        let reads_managed = |at: Addr| match self.thread.leaves(at.obj)[..] {
            [obj] => self.is_read_from(obj, &ended),
            _ => false,
        };
        let to_find = events.filter(|(_, e)| e.registers && !known(e) && e.until.is_some_and(reads_managed));
        to_find.map(|(n, _)| (n, device.addr)).collect()
    }

    /// Whether the object was read where nothing else than these is ever stored.
    fn is_read_from(&self, obj: TermId, objects: &BTreeSet<TermId>) -> bool {
        let Term::Var(v) = self.thread.terms.get(obj) else { return false };
        let is_it = |l: &&SharedLoad| matches!(l.vars, LoadVars::Ptr(obj, _) if obj == v);
        self.thread.loads.iter().find(is_it).is_some_and(|load| {
            self.is_only_anywhere((load.region, load.shape), |obj| objects.contains(&obj))
        })
    }

    fn ends(&self) -> Ends {
        let events = || self.thread.events.iter().enumerate().filter(|(_, e)| e.registers);
        let is_memory = |e: &Event| e.class == MANAGED_MEMORY;
        let mut memory: Vec<Memory> =
            events().filter(|(_, e)| is_memory(e)).map(|(n, e)| self.memory(n, e)).collect();
        for n in 0..memory.len() {
            memory[n].place = self.place(n, &memory);
        }
        let is_by_device =
            |e: &Event| !e.anywhere && e.until.is_some_and(|until| self.thread.is_own_device(until));
        let all = events().filter(|(_, e)| !is_memory(e)).map(|(number, event)| Registration {
            event: event.clone(),
            number,
            handle: self.handle(event.handle, &memory),
            through: event.through.and_then(|t| self.thread.terms.as_int(t)),
        });
        let (registrations, kept) = all.partition(|r| is_by_device(&r.event));
        Ends { registrations, kept, memory }
    }

    fn memory(&self, number: usize, event: &Event) -> Memory {
        let (func, inst, _) = event.key;
        let object = self.object_of(func, inst);
        let through = made(&self.facts.module.funcs[func], object).map(|v| (func, v));
        let region = self.facts.points_to.region(func, object);
        let (key, shape) = (event.key, if event.anywhere { Shape::Wild } else { event.shape });
        let loc = self.facts.module.funcs[func].insts[inst].loc;
        Memory { event: number, key, region, shape, through, place: None, repeated: event.repeated, loc }
    }

    fn object_of(&self, func: FuncId, inst: InstId) -> Operand {
        match self.facts.module.funcs[func].insts[inst].op {
            Op::Free { ptr, .. } => ptr,
            ref op => unreachable!("{op:?} ends no memory"),
        }
    }

    /// Which memory the object is.
    fn number_of(&self, memory: &[Memory], obj: TermId) -> Option<usize> {
        memory.iter().position(|m| {
            let event = &self.thread.events[m.event];
            !event.anywhere && event.handle.obj == obj
        })
    }

    fn handle(&self, at: Addr, memory: &[Memory]) -> Handled {
        let terms = &self.thread.terms;
        let [obj] = self.thread.leaves(at.obj)[..] else { return Handled::Anywhere };
        if let Some((obj, off)) = terms.as_int(obj).zip(terms.as_int(at.off)) {
            return Handled::Named(obj, off);
        }
        if let Some((n, off)) = self.number_of(memory, obj).zip(terms.as_int(at.off)) {
            return Handled::Memory(n, off);
        }
        let at = Addr { obj, ..at };
        let device = self.thread.device_locks().find_map(|device| self.thread.distance(at, device.addr));
        device.map_or(Handled::Anywhere, Handled::Device)
    }

    /// Where the pointer to the memory is kept, in the device if it may be.
    fn place(&self, n: usize, memory: &[Memory]) -> Option<Place> {
        let event = &self.thread.events[memory[n].event];
        if event.anywhere || event.repeated {
            return None;
        }
        let object = event.handle.obj;
        let is_it = |thread: &Thread, value: Option<Addr>| {
            value
                .is_some_and(|at| thread.leaves(at.obj) == [object] && thread.terms.as_int(at.off) == Some(0))
        };
        let sites = self.thread.sites.iter().filter(|s| s.write && is_it(self.thread, s.value));
        let mut in_device = sites.filter_map(|site| {
            let at = self.thread.device_locks().find_map(|d| self.thread.distance(site.addr, d.addr))?;
            let member = fields::of_shape(self.facts.module, self.facts.layout, site.shape)?;
            let is_kept =
                self.facts.bound.contains(&member) && self.is_only((site.region, site.shape), object);
            is_kept.then_some(Place { within: None, distance: at, region: site.region, shape: site.shape })
        });
        let written = self.thread.sites.iter().filter(|s| s.write);
        let written = written.map(|s| (s.addr, s.value, s.region, s.shape));
        let hidden = self.thread.hidden.iter().map(|h| (h.addr, h.value, h.region, h.shape));
        let mut in_memory = written.chain(hidden).filter(|w| is_it(self.thread, w.1)).filter_map(
            |(addr, _, region, shape)| {
                let Handled::Memory(within, distance) = self.handle(addr, memory) else { return None };
                let is_kept = within < n && self.is_only_anywhere((region, shape), |obj| obj == object);
                is_kept.then_some(Place { within: Some(within), distance, region, shape })
            },
        );
        in_device.next().or_else(|| in_memory.next())
    }

    fn is_free(&self, site: &Site) -> bool {
        let (func, inst) = site.inst;
        matches!(self.facts.module.funcs[func].insts[inst].op, Op::Free { .. })
    }

    /// Whether the thread stores nothing but the object, or null, to such bytes.
    fn is_only(&self, bytes: (RegionId, Shape), object: TermId) -> bool {
        self.stores_only(self.thread, bytes, |obj| obj == object)
    }

    /// The same of all threads.
    fn is_only_anywhere(&self, bytes: (RegionId, Shape), wanted: impl Fn(TermId) -> bool) -> bool {
        self.threads.iter().enumerate().all(|(n, thread)| {
            let is_own = n == self.number;
            self.stores_only(thread, bytes, |obj| is_own && wanted(obj))
        })
    }

    fn stores_only(
        &self,
        thread: &Thread,
        bytes: (RegionId, Shape),
        wanted: impl Fn(TermId) -> bool,
    ) -> bool {
        let (region, shape) = bytes;
        let touches = |of: (RegionId, Shape)| {
            of.0 == region
                && self.facts.layout.may_overlap(region == self.facts.points_to.external(), shape, of.1)
        };
        let is_wanted = |of: Shape, value: Option<Addr>| {
            of == shape && value.is_some_and(|at| thread.leaves(at.obj).into_iter().all(&wanted))
        };
        let stores = |s: &&Site| s.write && !self.is_free(s);
        let sites = thread.sites.iter().filter(stores).map(|s| (s.region, s.shape, s.value));
        let hidden = thread.hidden.iter().map(|h| (h.region, h.shape, h.value));
        sites.chain(hidden).filter(|w| touches((w.0, w.1))).all(|(_, of, value)| is_wanted(of, value))
    }
}

/// An object that ends, as a thread knows it, and when it does.
#[derive(Copy, Clone)]
struct Found {
    at: Addr,
    when: TermId,
}

/// Adds what ends with the driver to the thread that unbinds it, behind all else that this does.
fn unbind(module: &Module, thread: &mut Thread, first: usize, ends: &Ends) {
    let Some(returned) = thread.returned.clone() else { return };
    let Some(device) = thread.device_locks().next().map(|lock| lock.addr) else { return };
    let start = Unbinding::after(thread);
    let found = find(module, thread, device, ends);
    add(thread, (first, ends), &found, (device, start), (returned.guard, &returned));
}

/// The same where the driver could not be bound: the objects are the thread's own.
fn give_up(thread: &mut Thread, first: usize, ends: &Ends) {
    let Some(returned) = thread.returned.clone() else { return };
    let Some(device) = thread.device_locks().next().map(|lock| lock.addr) else { return };
    let start = Unbinding::after(thread);
    let found: Vec<Found> = ends
        .memory
        .iter()
        .map(|memory| {
            let known = returned.published.iter().find(|(event, _)| *event == memory.event);
            let when = known.map_or(thread.terms.fals(), |(_, when)| *when);
            Found { at: thread.events[memory.event].handle, when }
        })
        .collect();
    add(thread, (first, ends), &found, (device, start), (returned.fails, &returned));
}

fn add(
    thread: &mut Thread,
    (first, ends): (usize, &Ends),
    found: &[Found],
    (device, start): (Addr, Unbinding),
    (when, returned): (TermId, &Returned),
) {
    if ends.memory.is_empty() {
        return;
    }
    let mut unbinding = thread.unbinding.take().unwrap_or(start);
    let unbound = thread.events.len();
    unbinding.unbound.push(unbound);
    let (func, inst, _) = ends.memory[0].key;
    thread.events.push(Event {
        before: Arc::clone(&returned.events),
        ..Event::end(UNBOUND, device, (func, inst, END))
    });
    for r in &ends.registrations {
        let end = end_of(thread, r, found, device);
        thread.events.push(Event { before: Arc::clone(&returned.events), ..end });
        let by_object = r.event.repeated && ends.memory.iter().any(|m| m.repeated);
        let event = thread.events.len() - 1;
        unbinding.ends.push(EndOfRegistration { event, of: (first, r.number), by_object });
    }
    for r in ends.kept.iter().filter(|r| !r.event.anywhere && !matches!(r.handle, Handled::Anywhere)) {
        let (of, class) = ((first, r.number), r.event.class.clone());
        let handle = handle_of(thread, r, found, device);
        unbinding.kept.push(KeptRegistration { of, class, handle, unbound });
    }
    let (zero, stack) = (thread.terms.int(0), root(thread));
    for (memory, &Found { at, when: known }) in ends.memory.iter().zip(found) {
        let (tru, fals) = (thread.terms.tru(), thread.terms.fals());
        let mut events = (*returned.events).clone();
        events.resize(unbound, fals);
        events.push(tru);
        let is_over = |r: &Registration| memory.event < r.number || seeded(Fault::ManagedInAnyOrder);
        events.extend(ends.registrations.iter().map(|r| if is_over(r) { tru } else { fals }));
        let guard = thread.terms.and2(when, known);
        let (func, inst, _) = memory.key;
        thread.sites.push(Site {
            guard,
            addr: Addr { off: zero, ..at },
            extent: Extent::Object,
            base: matches!(memory.shape, Shape::Whole(_)).then_some(zero),
            write: true,
            value: None,
            mark: Mark::Plain,
            region: memory.region,
            shape: memory.shape,
            held: returned.held.clone(),
            cpu: returned.cpu,
            events: Arc::new(events),
            stack,
            inst: (func, inst),
            loc: memory.loc,
            through: memory.through,
            direct: false,
        });
    }
    thread.unbinding = Some(unbinding);
}

fn end_of(thread: &mut Thread, r: &Registration, found: &[Found], device: Addr) -> Event {
    let handle = handle_of(thread, r, found, device);
    let through = r.through.map(|t| thread.terms.int(t));
    let (class, (func, inst, _)) = (r.event.class.as_str(), r.event.key);
    let (shape, through_at) = (r.event.shape, r.event.through_at);
    Event { through, through_at, shape, ..Event::end(class, handle, (func, inst, END)) }
}

/// The handle, as the thread knows it that ends it.
fn handle_of(thread: &mut Thread, r: &Registration, found: &[Found], device: Addr) -> Addr {
    match r.handle {
        Handled::Memory(n, off) => Addr { off: thread.terms.int(off), ..found[n].at },
        Handled::Device(distance) => behind(thread, device, distance),
        Handled::Named(obj, off) => Addr { obj: thread.terms.int(obj), off: thread.terms.int(off) },
        Handled::Anywhere => values::fresh_pointer(&mut thread.terms, "handle").addr,
    }
}

/// The objects that end, where the thread finds them. Each is kept by a pointer to its start.
fn find(module: &Module, thread: &mut Thread, device: Addr, ends: &Ends) -> Vec<Found> {
    let mut objects: Vec<Found> = Vec::with_capacity(ends.memory.len());
    for memory in &ends.memory {
        let at = values::fresh_pointer(&mut thread.terms, "managed").addr;
        let mut when = Vec::new();
        if let Some(place) = memory.place {
            let within = place.within.map(|n| objects[n]);
            let addr = behind(thread, within.map_or(device, |found| found.at), place.distance);
            when.extend(within.map(|found| found.when));
            let [obj, off] = [at.obj, at.off].map(|t| match thread.terms.get(t) {
                Term::Var(v) => v,
                term => unreachable!("{term:?} is no variable"),
            });
            let (func, inst, _) = memory.key;
            let (region, shape) = (place.region, place.shape);
            let vars = LoadVars::Ptr(obj, off);
            thread.loads.push(SharedLoad { vars, addr, region, shape, inst: (func, inst), private: false });
        }
        let zero = thread.terms.int(0);
        let null = thread.terms.eq(at.obj, zero);
        when.push(thread.terms.not(null));
        when.push(thread.terms.eq(at.off, zero));
        when.push(values::has_no_name(&mut thread.terms, module, at.obj));
        objects.push(Found { at, when: thread.terms.and(&when) });
    }
    objects
}

fn behind(thread: &mut Thread, at: Addr, distance: i128) -> Addr {
    let distance = thread.terms.int(distance);
    Addr { off: thread.terms.add2(at.off, distance), ..at }
}

/// The call chain of the entry point itself.
fn root(thread: &Thread) -> StackId {
    let known = thread.stacks.iter().position(|frame| frame.parent.is_none());
    StackId::new(known.expect("a thread that returns has begun"))
}

/// The pointer to what was allocated; not the one that may be none, or an error.
fn made(func: &Function, object: Operand) -> Option<ValueId> {
    let Operand::Value(value) = object else { return None };
    match func.insts[func.values[value].inst?].op {
        Op::Select { then, els, .. } => made(func, then).or_else(|| made(func, els)),
        Op::Alloc { .. } => Some(value),
        _ => None,
    }
}
