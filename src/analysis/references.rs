//! References that threads leave to others: to the session that a function begins when it returns zero, if the object is where
//! the session finds it again, and to the callback that somebody registers for the object.
//!
//! All that is said here of a reference is that there is one for each session and each callback; that counts are changed by
//! nobody else is a question of its own (`ownership.rs`).

use super::fields::{self, FieldId};
use super::layout::Shape;
use super::origins::{self, Origin, Sources};
use super::ownership::{Facts, SessionRow, is_changed, is_fixed_table, is_never};
use super::places;
use super::points_to::static_path;
use crate::fault::{Fault, seeded};
use crate::instrument::flags::Free;
use crate::instrument::places::Place;
use crate::instrument::references::{Kept, LeftTo, Received, received_as};
use crate::instrument::thread::{Addr, Event, Extent, LoadVars, Lock, Site, Thread};
use lockpair_entry_points::{EntryPoint, EntryPointId};
use lockpair_ir::*;
use lockpair_smt::TermId;
use std::collections::HashMap;

/// Per entry point: what others leave to it.
pub type AllReceived = HashMap<EntryPointId, Vec<Received>>;

/// Finds references from one encoding of the threads to the next.
#[derive(Default)]
pub struct References {
    /// What entry points get, by what is known so far.
    pub received: AllReceived,
    /// The places where objects are found.
    pub places: Vec<Place>,
    /// What some did not leave to a callback after all.
    refuted: Vec<(EntryPointId, Received)>,
}

impl References {
    /// Looks at the threads, which were encoded with what is known so far; tells whether that is what they show.
    pub fn are_known(&mut self, facts: &Facts, threads: &[Thread], sources: &[Sources]) -> bool {
        let mut all = of_sessions(facts, threads, sources);
        for (id, received) in self.of_callbacks(facts, threads) {
            all.entry(id).or_default().push(received);
        }
        let places = places::find(facts, threads, sources);
        let known = all == self.received && places == self.places;
        (self.received, self.places) = (all, places);
        known
    }

    /// The references that come with callbacks. That a callback registers itself again with its reference is believed as
    /// long as all others do so.
    fn of_callbacks(&mut self, facts: &Facts, threads: &[Thread]) -> Vec<(EntryPointId, Received)> {
        let mut out = Vec::new();
        for thread in threads {
            let Some(handle) = thread.handles.iter().find(|h| facts.called_once.contains(&h.class)) else {
                continue;
            };
            let entry = &facts.entry_points.items[thread.entry];
            let stored = Stored::new(facts, entry);
            let mut registrations = Vec::new();
            for (t, other) in threads.iter().enumerate() {
                let events = other.events.iter().enumerate();
                let mine = events.filter(|(_, e)| e.registers && e.class == handle.class);
                registrations
                    .extend(mine.filter(|(_, e)| stored.may_be_called(facts, e)).map(|(n, _)| (t, n)));
            }
            let known = self.received.get(&thread.entry).map_or(&[][..], |known| known);
            let class = Kept::Handle(handle.class.clone());
            let first = registrations.iter().find(|(t, _)| threads[*t].entry != thread.entry);
            let Some(&(t, event)) = first else { continue };
            for left in threads[t].left_to.iter().filter(|left| left.event == event) {
                let made =
                    registrations.iter().any(|&(t, event)| leaves_made(&threads[t], event, left.distance));
                let lock = &threads[t].locks[left.lock];
                let received = received(class.clone(), (left.distance, made), lock);
                let is_known = known.contains(&received);
                let all = registrations.iter().all(|&(t, event)| {
                    let again = threads[t].entry == thread.entry && !is_known;
                    again || leaves(&threads[t], event, left.distance)
                });
                let is_refuted = self.refuted.contains(&(thread.entry, received.clone()));
                match all && !is_refuted {
                    true => out.push((thread.entry, received)),
                    false if is_known => self.refuted.push((thread.entry, received)),
                    false => {}
                }
            }
        }
        out
    }
}

/// Whether the thread has a reference at that distance whenever it registers the handle.
fn leaves(thread: &Thread, event: usize, distance: i128) -> bool {
    let is_it = |left: &&LeftTo| left.event == event && left.distance == distance;
    let surely = |left: &LeftTo| is_impossible(thread, left.without) || seeded(Fault::ReferenceLeftByAll);
    thread.left_to.iter().filter(is_it).any(surely)
}

/// Whether it may be the only reference of who has made the object.
fn leaves_made(thread: &Thread, event: usize, distance: i128) -> bool {
    let is_it = |left: &&LeftTo| left.event == event && left.distance == distance;
    thread.left_to.iter().filter(is_it).any(|left| left.only && is_made(thread, &thread.locks[left.lock]))
}

/// Whether a reference may be the one that the object was made with.
fn is_made(thread: &Thread, lock: &Lock) -> bool {
    let made = thread.leaves(lock.addr.obj).iter().any(|&leaf| thread.makes(leaf));
    made || received_as(thread, lock).is_some_and(|received| received.made)
}

fn is_impossible(thread: &Thread, t: TermId) -> bool {
    thread.terms.as_bool(t).map_or_else(|| is_never(thread, &[t], None), |known| !known)
}

fn received(kept: Kept, (distance, made): (i128, bool), lock: &Lock) -> Received {
    let bits = lock.owns.as_ref().map_or(0, |flag| flag.bits);
    let (region, shape, name) = (lock.region, lock.shape, lock.name.clone());
    Received { kept, distance, bits, region, shape, name, made }
}

/// Where the module stores a callback, so that handles call it.
struct Stored {
    callback: FuncId,
    /// The structs in which handles lie that call it, and where in them; none if it may be any handle.
    handles: Option<Vec<Shape>>,
}

impl Stored {
    fn new(facts: &Facts, entry: &EntryPoint) -> Stored {
        let module = facts.origins.module;
        let callback = entry.func;
        let is_it = |v: &Operand| matches!(v, Operand::Func(f) if *f == callback);
        let member = entry.role.split_once('.').and_then(|(strukt, member)| {
            module.field_named(module.struct_named(strukt)?, member).map(|(at, _)| at)
        });
        let mut handles = Some(Vec::new());
        let mut stored = |place: Option<(TypeId, u64)>| {
            let handle = place.zip(member).and_then(|((strukt, at), member)| {
                let lo = at.checked_sub(member)?;
                Some(Shape::In { strukt, lo, hi: lo + 1 })
            });
            match (&mut handles, handle) {
                (Some(handles), Some(handle)) => handles.push(handle),
                _ => handles = None,
            }
        };
        for global in module.globals.values().filter(|g| !g.name.starts_with("llvm.")) {
            for cell in global.init.iter().filter(|cell| is_it(&cell.value)) {
                stored(global.ty.map(|ty| (ty, cell.offset)));
            }
        }
        for func in module.funcs.values() {
            for op in func.blocks.values().flat_map(|b| &b.insts).map(|&i| &func.insts[i].op) {
                match op {
                    Op::Store { addr, value, .. } if is_it(value) => stored(static_path(module, func, *addr)),
                    Op::Register { callback: Some(v), .. } if is_it(v) => {}
                    Op::Cmp(..) => {}
                    _ if op.operands().iter().any(is_it) => stored(None),
                    _ => {}
                }
            }
            if func.blocks.values().any(|b| b.term.operand().is_some_and(|v| is_it(&v))) {
                stored(None);
            }
        }
        Stored { callback, handles }
    }

    /// Whether the handle that is registered may call it.
    fn may_be_called(&self, facts: &Facts, event: &Event) -> bool {
        if event.callback.is_some() {
            return event.callback == Some(self.callback);
        }
        let layout = facts.origins.layout;
        let is_it = |&handle: &Shape| layout.may_overlap(true, handle, event.shape);
        event.anywhere || self.handles.as_ref().is_none_or(|handles| handles.iter().any(is_it))
    }
}

/// The references that sessions have.
fn of_sessions(facts: &Facts, threads: &[Thread], sources: &[Sources]) -> AllReceived {
    let mut out = AllReceived::new();
    for thread in threads {
        let entry = &facts.entry_points.items[thread.entry];
        let Some(row) = facts.begins.get(&entry.role) else { continue };
        let (Some(table), Some(member)) = (entry.table, kept_in(facts, row)) else { continue };
        let kept = kept_at_zero(facts, thread, row, member);
        let begins = |e: &EntryPoint| facts.begins.contains_key(&e.role);
        let in_table = || facts.entry_points.items.iter().filter(|(_, e)| e.table == Some(table));
        if kept.is_empty()
            || in_table().filter(|(_, e)| begins(e)).count() != 1
            || !stays_in_table(facts, row, entry, table, (threads, sources))
            || !stays_kept(facts, member, (threads, sources))
        {
            continue;
        }
        for (id, e) in in_table().filter(|(_, e)| !begins(e)) {
            let Some(session) = e.locks.iter().find(|lock| lock.class == row.class) else { continue };
            let last = match row.ends.is_empty() {
                true => session.mode == LockMode::Exclusive,
                false => row.ends.contains(&e.role),
            };
            let all = kept.iter().map(|&(behind, distance, lock)| {
                let member = Kept::Member { class: row.class.clone(), behind, last };
                let lock = &thread.locks[lock];
                received(member, (distance, is_made(thread, lock)), lock)
            });
            out.entry(id).or_default().extend(all);
        }
    }
    out
}

/// The member where the row says that sessions keep what is theirs.
fn kept_in(facts: &Facts, row: &SessionRow) -> Option<FieldId> {
    let module = facts.origins.module;
    let (strukt, member) = row.keeps.as_ref()?;
    let strukt = module.struct_named(strukt)?;
    let (offset, _) = module.field_named(strukt, member)?;
    Some(FieldId { strukt, offset })
}

/// The kernel's lock of that class in the thread.
fn session_of(thread: &Thread, class: &str) -> Option<Addr> {
    thread.locks.iter().find(|lock| lock.implicit && lock.class == class).map(|lock| lock.addr)
}

/// The references that the thread has whenever it returns zero, to objects that are in the session's member then: how far
/// behind the session's lock that is, how far behind the pointer the count is, and the reference.
fn kept_at_zero(
    facts: &Facts,
    thread: &Thread,
    row: &SessionRow,
    member: FieldId,
) -> Vec<(i128, i128, usize)> {
    let mut out = Vec::new();
    let (Some(session), Some(at_zero)) = (session_of(thread, &row.class), thread.at_zero) else { return out };
    for &(n, without) in &thread.without {
        let lock = &thread.locks[n];
        let is_one = lock.owns.as_ref().is_some_and(|f| f.free == Free::Reference { more: false });
        if !is_one || !(is_impossible(thread, without) || seeded(Fault::OpenWithoutReference)) {
            continue;
        }
        out.extend(place_of(facts, thread, (session, member), lock.addr, at_zero).map(|(at, d)| (at, d, n)));
    }
    out
}

/// Where the session's member has the pointer to the count's object when the thread returns zero, and how far behind that the
/// count is.
fn place_of(
    facts: &Facts,
    thread: &Thread,
    (session, member): (Addr, FieldId),
    count: Addr,
    at_zero: TermId,
) -> Option<(i128, i128)> {
    let origins::Facts { module, layout, .. } = *facts.origins;
    let is_member = |shape: Shape| fields::of_shape(module, layout, shape) == Some(member);
    let stores: Vec<&Site> = thread
        .sites
        .iter()
        .filter(|s| s.write && is_member(s.shape) && thread.distance(s.addr, session).is_some())
        // By null nobody finds anything.
        .filter(|s| !is_null(thread, s))
        .collect();
    let Some(first) = stores.first() else {
        // It was there before.
        return thread.loads.iter().filter(|l| is_member(l.shape)).find_map(|load| {
            let LoadVars::Ptr(obj, off) = load.vars else { return None };
            let read = Addr { obj: thread.terms.var_term(obj), off: thread.terms.var_term(off) };
            Some((thread.distance(load.addr, session)?, thread.distance_if_not_null(count, read)?))
        });
    };
    let one = |s: &&Site| s.addr == first.addr && s.value == first.value && s.extent == first.extent;
    let guards: Vec<TermId> = stores.iter().map(|s| s.guard).collect();
    let surely = guards.contains(&at_zero) || {
        let mut terms = thread.terms.clone();
        let any = terms.or(&guards);
        let none = terms.not(any);
        let without = terms.and2(at_zero, none);
        let thread = Thread { terms, ..thread.clone() };
        is_impossible(&thread, without)
    };
    let found = stores.iter().all(one) && (surely || seeded(Fault::OpenWithoutReference));
    found.then_some((
        thread.distance(first.addr, session)?,
        count_behind(thread, (count, first.value?), at_zero)?,
    ))
}

fn is_null(thread: &Thread, site: &Site) -> bool {
    site.value.is_some_and(|v| thread.terms.as_int(v.obj) == Some(0))
}

/// How far the count lies behind the pointer whenever the condition holds and that is not null.
fn count_behind(thread: &Thread, (count, pointer): (Addr, Addr), when: TermId) -> Option<i128> {
    let direct = thread.distance_if_not_null(count, pointer);
    if direct.is_some() {
        return direct;
    }
    let (at, more) = thread.terms.split_offset(thread.if_not_null(count).off);
    let offsets = thread.leaves(pointer.off).into_iter().map(|leaf| thread.terms.split_offset(leaf));
    let mut distances = offsets.filter(|(off, _)| *off == at).map(|(_, k)| more - k);
    distances.find(|&distance| {
        let mut terms = thread.terms.clone();
        let (zero, distance) = (terms.int(0), terms.int(distance));
        let null = terms.eq(pointer.obj, zero);
        let off = terms.add2(pointer.off, distance);
        let behind = [terms.eq(count.obj, pointer.obj), terms.eq(count.off, off)];
        let behind = terms.and(&behind);
        let fine = terms.or2(null, behind);
        let not = terms.not(fine);
        let without = terms.and2(when, not);
        is_impossible(&Thread { terms, ..thread.clone() }, without)
    })
}

/// Whether sessions of the table all begin with the function that does so there.
fn stays_in_table(
    facts: &Facts,
    row: &SessionRow,
    begin: &EntryPoint,
    table: GlobalId,
    (threads, sources): (&[Thread], &[Sources]),
) -> bool {
    let member = |(strukt, member): (&str, &str)| {
        let module = facts.origins.module;
        let strukt = module.struct_named(strukt)?;
        let (lo, _) = module.field_named(strukt, member)?;
        Some(Shape::In { strukt, lo, hi: lo + 8 })
    };
    let is_changed =
        |place: Option<Shape>| place.is_none_or(|place| is_changed(facts, place, threads, sources));
    match &row.table_in {
        Some((strukt, name)) => {
            let is_declared = facts.origins.module.struct_named(strukt).is_some();
            is_fixed_table(facts, table) && (!is_declared || !is_changed(member((strukt, name))))
        }
        // A driver: the kernel knows which it has bound.
        None => !is_changed(begin.role.split_once('.').and_then(member)),
    }
}

/// Whether nobody but who begins a session stores anything but null where the session keeps its object.
fn stays_kept(facts: &Facts, member: FieldId, (threads, sources): (&[Thread], &[Sources])) -> bool {
    let origins::Facts { module, layout, points_to, .. } = *facts.origins;
    let place = fields::shape(module, member);
    // The function that begins it was looked at; one that begins another has another place.
    let is_own = |t: usize, site: &Site| {
        let row = facts.begins.get(&facts.entry_points.items[threads[t].entry].role);
        let session = row.and_then(|row| session_of(&threads[t], &row.class));
        session.is_some_and(|session| threads[t].distance(site.addr, session).is_some())
    };
    threads.iter().zip(sources).enumerate().all(|(t, (thread, sources))| {
        let mut writes = thread.sites.iter().zip(&sources.sites).filter(|(s, _)| s.write);
        writes.all(|(site, source)| {
            let op = &module.funcs[site.inst.0].insts[site.inst.1].op;
            let may_touch = site.region == points_to.external()
                && site.extent != Extent::Object
                && !matches!(op, Op::External { .. })
                && !thread.makes(site.addr.obj)
                && layout.may_overlap(true, place, site.shape)
                && origins::may_meet(facts.origins, (place, Origin::Any), (site.shape, source.origin));
            !may_touch || is_null(thread, site) || is_own(t, site)
        })
    }) || seeded(Fault::SessionsKeepAnything)
}
