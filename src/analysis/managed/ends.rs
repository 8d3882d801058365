//! What ends with a driver, as sites and events of the threads that bind and unbind it.

use super::super::layout::Shape;
use super::binding::{Ends, Handled, Over, Registration};
use crate::fault::{Fault, seeded};
use crate::instrument::thread::*;
use crate::instrument::values;
use lockpair_ir::{EntityRef, Mark, Module};
use lockpair_smt::{Term, TermId};
use std::sync::Arc;

/// What tells the events that are added from those of the thread itself.
const END: u32 = 3;

/// An object that ends, as a thread knows it, and when it does.
#[derive(Copy, Clone)]
struct Found {
    at: Addr,
    when: TermId,
}

/// Adds what ends with the driver to the thread that unbinds it, behind all else that this does.
pub(super) fn unbind(module: &Module, thread: &mut Thread, first: usize, ends: &Ends) {
    let Some(returned) = thread.returned.clone() else { return };
    let (start, device) = (Unbinding::after(thread), device(thread));
    let found = find(module, thread, device, ends);
    add(thread, (first, ends), &found, (device, start), (returned.guard, &returned));
}

/// The same where the driver could not be bound: the objects are the thread's own, and those of earlier rounds of its loops.
pub(super) fn give_up(module: &Module, thread: &mut Thread, first: usize, ends: &Ends) {
    let Some(returned) = thread.returned.clone() else { return };
    let (start, device) = (Unbinding::after(thread), device(thread));
    let mut found = Vec::with_capacity(ends.memory.len());
    for memory in &ends.memory {
        let known = returned.published.iter().find(|(event, _)| *event == memory.event);
        found.push(match known.filter(|_| !memory.repeated) {
            Some(&(event, when)) => Found { at: thread.events[event].handle, when },
            None => any(module, thread),
        });
    }
    add(thread, (first, ends), &found, (device, start), (returned.fails, &returned));
}

/// The device that the driver is bound to, if that is known.
fn device(thread: &mut Thread) -> Addr {
    let known = thread.device_locks().next().map(|lock| lock.addr);
    known.unwrap_or_else(|| values::fresh_pointer(&mut thread.terms, "device").addr)
}

/// Any object that may end, known by its start.
fn any(module: &Module, thread: &mut Thread) -> Found {
    let at = values::fresh_pointer(&mut thread.terms, "managed").addr;
    let zero = thread.terms.int(0);
    let null = thread.terms.eq(at.obj, zero);
    let not_null = thread.terms.not(null);
    let is_start = thread.terms.eq(at.off, zero);
    let on_heap = values::has_no_name(&mut thread.terms, module, at.obj);
    Found { at, when: thread.terms.and(&[not_null, is_start, on_heap]) }
}

fn add(
    thread: &mut Thread,
    (first, ends): (usize, &Ends),
    found: &[Found],
    (device, start): (Addr, Unbinding),
    (when, returned): (TermId, &Returned),
) {
    let mut unbinding = thread.unbinding.take().unwrap_or(start);
    unbinding.of.push(first);
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
        let event = thread.events.len() - 1;
        let by_object = ends.is_repeated_with_memory(r).then(|| {
            thread.events.push(thread.events[event].clone());
            event + 1
        });
        unbinding.ends.push(EndOfRegistration { event, of: (first, r.number), by_object });
    }
    for r in ends.kept.iter().filter(|r| r.is_one_handle()) {
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
        for r in &ends.registrations {
            let over = ends.over(memory, r);
            let is = |wanted: Over| over == wanted || seeded(Fault::ManagedInAnyOrder);
            events.push(if is(Over::Surely) { tru } else { fals });
            if ends.is_repeated_with_memory(r) {
                events.push(if is(Over::ByObject) { tru } else { fals });
            }
        }
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
            alone: false,
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
        let mut found = any(module, thread);
        if let Some(place) = memory.place {
            let within = place.within.map(|n| objects[n]);
            let addr = behind(thread, within.map_or(device, |found| found.at), place.distance);
            let [obj, off] = [found.at.obj, found.at.off].map(|t| match thread.terms.get(t) {
                Term::Var(v) => v,
                term => unreachable!("{term:?} is no variable"),
            });
            let (func, inst, _) = memory.key;
            let (region, shape) = (place.region, place.shape);
            let vars = LoadVars::Ptr(obj, off);
            thread.loads.push(SharedLoad { vars, addr, region, shape, inst: (func, inst), private: false });
            let around = within.map_or(thread.terms.tru(), |found| found.when);
            found.when = thread.terms.and2(found.when, around);
        }
        objects.push(found);
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
