//! Memory that ends with a driver (`devm_kzalloc`): once the driver is unbound from the device, that is when its last function
//! has returned, the kernel undoes what its first one has asked for with the device, the last first. So to the thread that
//! unbinds the driver the ends of what the binding one has allocated are added, and between these those of the callbacks that
//! it has registered so.
//!
//! The object is found by the way on which it was stored: in the device, or in what ends with it, if nothing else is ever
//! stored there; or it is any.

use super::fields::{self, FieldId};
use super::layout::{Layout, Shape};
use super::parameters;
use super::points_to::{PointsTo, RegionId};
use crate::fault::{Fault, seeded};
use crate::instrument::thread::*;
use crate::instrument::values;
use lockpair_entry_points::{EntryPoint, EntryPoints};
use lockpair_ir::{EntityRef, FuncId, Function, InstId, LocId, Mark, Module, Op, Operand, ValueId};
use lockpair_smt::{Answer, Limits, Session, Term, TermId};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What a question may cost, in the solver's own measure: some 50 ms.
const WORK: u32 = 200_000;
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
        let unbinds = &facts.entry_points.items[threads[last].entry];
        for first in 0..threads.len() {
            let entry = &facts.entry_points.items[threads[first].entry];
            let by_driver = entry.binds && may_be_one_driver(entry, unbinds);
            if unbinds.unbinds && (by_driver || !entry.binds) {
                let binding = Binding::new(facts, threads, first);
                let ends = if by_driver { binding.ends() } else { binding.memory_of_others() };
                unbind(facts.module, &mut threads[last], first, &ends);
            }
        }
    }
    note_own_devices(facts.module, threads);
}

/// Says of each site whether what it touches is of the device for which the thread is called.
fn note_own_devices(module: &Module, threads: &mut [Thread]) {
    if threads.iter().all(|thread| thread.unbinding.is_none()) {
        return;
    }
    for thread in threads {
        let mut own = parameters::of_sites(module, thread);
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
    /// Whether it stands for any number of allocations by one instruction.
    anywhere: bool,
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

impl Ends {
    /// Whether the memory is there whenever the registration comes, of one round of a loop if they are in one.
    fn is_before(&self, memory: &Memory, r: &Registration) -> bool {
        let in_one_loop = memory.repeated && r.event.repeated;
        memory.event < r.number && !memory.anywhere && (!in_one_loop || self.is_repeated_with_memory(r))
    }

    /// Whether the registration is in a loop, and so is what has its handle: then each is of another handle.
    fn is_repeated_with_memory(&self, r: &Registration) -> bool {
        let is_repeated = matches!(r.handle, Handled::Memory(n, _) if self.memory[n].repeated);
        r.event.repeated && is_repeated
    }
}

/// A store of a thread.
#[derive(Copy, Clone)]
struct Stored {
    guard: TermId,
    at: Addr,
    value: Option<Addr>,
    region: RegionId,
    shape: Shape,
    inst: (FuncId, InstId),
}

/// What a thread stores anywhere.
fn stored(thread: &Thread) -> impl Iterator<Item = Stored> {
    let sites = thread.sites.iter().filter(|s| s.write).map(|s| {
        let (region, shape) = (s.region, s.shape);
        Stored { guard: s.guard, at: s.addr, value: s.value, region, shape, inst: s.inst }
    });
    let hidden = thread.hidden.iter().map(|h| {
        let (region, shape) = (h.region, h.shape);
        Stored { guard: h.guard, at: h.addr, value: h.value, region, shape, inst: h.inst }
    });
    sites.chain(hidden)
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
            let bytes = (load.region, load.shape);
            let is_stored = |w: &Stored| (w.region, w.shape) == bytes && self.is_one_of(w.value, objects);
            self.stored().any(|w| is_stored(&w)) && self.is_only_anywhere(bytes, |obj| objects.contains(&obj))
        })
    }

    fn is_one_of(&self, value: Option<Addr>, objects: &BTreeSet<TermId>) -> bool {
        value.is_some_and(|at| self.thread.leaves(at.obj).iter().any(|obj| objects.contains(obj)))
    }

    /// What the thread stores anywhere.
    fn stored(&self) -> impl Iterator<Item = Stored> {
        stored(self.thread)
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

    /// What a thread has asked for that does not bind the driver: nobody knows whether before what else.
    fn memory_of_others(&self) -> Ends {
        let events = self.thread.events.iter().enumerate();
        let memory = events.filter(|(_, e)| e.class == MANAGED_MEMORY).map(|(n, e)| self.memory(n, e));
        Ends { memory: memory.collect(), registrations: Vec::new(), kept: Vec::new() }
    }

    fn memory(&self, number: usize, event: &Event) -> Memory {
        let (func, inst, _) = event.key;
        let object = self.object_of(func, inst);
        let through = made(&self.facts.module.funcs[func], object).map(|v| (func, v));
        let region = self.facts.points_to.region(func, object);
        let (key, shape) = (event.key, if event.anywhere { Shape::Wild } else { event.shape });
        let loc = self.facts.module.funcs[func].insts[inst].loc;
        let (anywhere, repeated) = (event.anywhere, event.repeated);
        Memory { event: number, key, region, shape, through, place: None, anywhere, repeated, loc }
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
        let kept = self.stored().filter(|w| self.is_start_of(w.value, object));
        let places = kept.filter_map(|w| {
            let bytes = (w.region, w.shape);
            let member = || fields::of_shape(self.facts.module, self.facts.layout, w.shape);
            let at = Place { within: None, distance: 0, region: w.region, shape: w.shape };
            let devices = self.thread.device_locks().find_map(|d| self.thread.distance(w.at, d.addr));
            let in_device = devices.filter(|_| member().is_some_and(|m| self.facts.bound.contains(&m)));
            let place = match (in_device, self.handle(w.at, memory)) {
                (Some(distance), _) => Place { distance, ..at },
                (None, Handled::Memory(within, distance))
                    if within < n && self.is_only_anywhere(bytes, |obj| obj == object) =>
                {
                    Place { within: Some(within), distance, ..at }
                }
                _ => return None,
            };
            self.stays(memory[n].event, object, &w).then_some(place)
        });
        places.min_by_key(|place| place.within)
    }

    fn is_start_of(&self, value: Option<Addr>, object: TermId) -> bool {
        let terms = &self.thread.terms;
        value.is_some_and(|at| self.thread.leaves(at.obj) == [object] && terms.as_int(at.off) == Some(0))
    }

    /// Whether the object surely lies there when the driver is bound, if it was asked for: it is stored, and nothing else is.
    fn stays(&self, event: usize, object: TermId, store: &Stored) -> bool {
        let Some(returned) = &self.thread.returned else { return false };
        let mut terms = self.thread.terms.clone();
        let made = returned.events.get(event).copied().unwrap_or(terms.fals());
        let succeeds = terms.not(returned.fails);
        let bound = terms.and(&[returned.guard, succeeds, made]);
        let not_stored = terms.not(store.guard);
        let lost = terms.and2(bound, not_stored);
        let others = stored(self.thread).filter(|w| self.may_change(w, (store.region, store.shape)));
        let others =
            others.filter(|w| w.shape != store.shape || !self.is_start_of(w.value, object)).map(|w| w.guard);
        let others: Vec<TermId> = others.collect();
        let other = terms.or(&others);
        let changed = terms.and2(bound, other);
        let either = terms.or2(lost, changed);
        match terms.as_bool(either) {
            Some(constant) => !constant,
            None => {
                let limits = Limits { rlimit: Some(WORK), ..Limits::default() };
                matches!(Session::new(&limits).check(&terms, &[either]), Answer::Unsat)
            }
        }
    }

    /// Whether all threads store nothing to such bytes but this one, and that one such objects or null.
    fn is_only_anywhere(&self, bytes: (RegionId, Shape), wanted: impl Fn(TermId) -> bool) -> bool {
        self.threads.iter().enumerate().all(|(n, thread)| {
            let is_wanted = |w: &Stored| {
                let leaves = w.value.map(|at| thread.leaves(at.obj));
                n == self.number && w.shape == bytes.1 && leaves.is_some_and(|l| l.into_iter().all(&wanted))
            };
            stored(thread).filter(|w| self.may_change(w, bytes)).all(|w| is_wanted(&w))
        })
    }

    /// Whether the store may change such bytes. Who ends an object does not; nor does code outside, where the bytes are of the
    /// module's own structs (`private-struct`), or what drivers keep in devices (`bound-before`).
    fn may_change(&self, store: &Stored, (region, shape): (RegionId, Shape)) -> bool {
        let Facts { module, layout, points_to, .. } = *self.facts;
        let op = &module.funcs[store.inst.0].insts[store.inst.1].op;
        let is_left_alone = || {
            let member = fields::of_shape(module, layout, shape);
            member.is_some_and(|member| {
                let is_private = module.as_struct(member.strukt).is_some_and(|s| s.module_private);
                is_private || self.facts.bound.contains(&member)
            })
        };
        store.region == region
            && layout.may_overlap(region == points_to.external(), shape, store.shape)
            && !matches!(op, Op::Free { .. })
            && !(op.is_outside() && is_left_alone())
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
        let by_object = ends.is_repeated_with_memory(r);
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
        let is_over = |r: &Registration| ends.is_before(memory, r) || seeded(Fault::ManagedInAnyOrder);
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
