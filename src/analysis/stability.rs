//! Which shared reads are stable: their value is a function of the address alone, one map for all
//! threads, because nobody who may run in parallel with the reader writes there (design, 2.4 and rule 2).
//!
//! A writer is every entry point, the reader itself included, with marked writes, copies and unknown
//! functions. It is kept out if the kernel holds a lock for the whole run of the reader that conflicts
//! with one the writer holds on entry, at an address that follows from the address accessed; or if the
//! reader cannot run before the writer has registered its handle, which it has not done yet at the write.
//!
//! Who ends an object is no writer: nothing is read from an object that has ended, or it is a race of its own (assumption
//! `in-bounds`).

use super::fields::{self, FieldId};
use super::layout::{Layout, Shape};
use super::objects::Object;
use super::origins::{self, Origin, Sources};
use super::points_to::{PointsTo, RegionId};
use crate::fault::{Fault, seeded};
use crate::instrument::thread::{Addr, Event, Handle, LoadVars, Lock, SharedLoad, Site, Thread};
use lockpair_entry_points::EntryPoints;
use lockpair_ir::*;
use lockpair_smt::{Term, TermId};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// What is known of the value of a shared read.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Read {
    /// Nothing.
    Arbitrary,
    /// It is a function of the address, the same for all threads.
    Stable,
    /// Of the function that a callback's struct held when the callback was called: it is the one that was there before others
    /// knew the struct.
    Initial,
    /// It points into its own object, or is null: every store to the field in the whole module stores such a
    /// pointer.
    BackPointer(BackPointer),
}

/// A pointer into the object that holds it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct BackPointer {
    /// How far from its own address it points.
    pub distance: i128,
    /// Whether null is stored anywhere.
    pub nullable: bool,
}

/// The reads of one thread, as in [`Thread::loads`].
pub type Reads = Vec<Read>;

/// What the decision needs.
pub struct Facts<'a> {
    /// The module.
    pub module: &'a Module,
    /// Its layouts.
    pub layout: &'a Layout<'a>,
    /// Its regions.
    pub points_to: &'a PointsTo,
    /// What tells its pointers apart.
    pub origins: &'a origins::Facts<'a>,
    /// Where they come from, by thread.
    pub sources: &'a [Sources],
    /// Its entry points.
    pub entry_points: &'a EntryPoints,
    /// Members that who binds a driver to an object sets before anybody uses it.
    pub bound: &'a BTreeSet<FieldId>,
    /// Members that code outside may change at any time, since it has their addresses.
    pub given: &'a HashSet<FieldId>,
    /// The regions of variables that it may change likewise.
    pub changed: &'a BTreeSet<RegionId>,
    /// Classes of which one handle may be registered several times at once: the kernel's lock around its callbacks is one for each then.
    pub several: &'a HashSet<String>,
    /// Classes of handles that code outside may register.
    pub outside: &'a HashSet<String>,
    /// The globals that a registration of a table makes known: table or struct -> everything it points to.
    pub reach: &'a dyn Fn(GlobalId) -> HashSet<GlobalId>,
}

/// Decides for all shared reads of all threads; what is assumed of the kernel goes to the ledger.
pub fn shared_reads(facts: &Facts, threads: &[Thread], ledger: &mut Ledger) -> Vec<Reads> {
    let writers = Writers::collect(facts, threads);
    let mut stored = HashMap::new();
    let of_thread = |t| writers.of_thread(facts, threads, t, &mut stored, ledger);
    (0..threads.len()).map(of_thread).collect()
}

/// What is known of the bytes of an access, its address aside.
type Kind = (Shape, Origin);

/// The same of a write, with what its object may be, where types tell objects apart.
type Written = (Kind, Option<Rc<Object>>);

/// Writes of one kind in one region: thread, site.
type OneKind = [(usize, usize)];

/// What is stored to the bytes of a read anywhere.
struct Stored<'w> {
    writers: Vec<&'w OneKind>,
    /// Where all stored pointers point, if that is into their own object.
    back: Option<BackPointer>,
}

impl Stored<'_> {
    fn writers(&self) -> impl Iterator<Item = (usize, usize)> {
        self.writers.iter().flat_map(|kind| kind.iter().copied())
    }
}

struct Writers {
    by_region: HashMap<RegionId, HashMap<Written, Vec<(usize, usize)>>>,
}

impl Writers {
    fn collect(facts: &Facts, threads: &[Thread]) -> Writers {
        let mut by_region: HashMap<RegionId, HashMap<Written, Vec<(usize, usize)>>> = HashMap::new();
        let mut objects = HashMap::new();
        for (v, thread) in threads.iter().enumerate() {
            if v >= 2 && seeded(Fault::ThirdEntryPointIgnored) {
                continue;
            }
            let marked = seeded(Fault::StableDespiteMarked);
            let writes = |s: &Site| s.write && !(marked && s.mark != Mark::Plain);
            for (w, site) in thread.sites.iter().enumerate().filter(|(_, s)| writes(s)) {
                let op = &facts.module.funcs[site.inst.0].insts[site.inst.1].op;
                if matches!(op, Op::Free { .. }) {
                    continue;
                }
                let access = (site.region, site.through, site.shape);
                let object = origins::object_of(facts.origins, access, op, &mut objects);
                let kind = ((site.shape, facts.sources[v].sites[w].origin), object);
                by_region.entry(site.region).or_default().entry(kind).or_default().push((v, w));
            }
        }
        Writers { by_region }
    }

    /// What is `stored` is the same for all threads.
    fn of_thread<'w>(
        &'w self,
        facts: &Facts,
        threads: &[Thread],
        t: usize,
        stored: &mut HashMap<(RegionId, bool, Kind), Stored<'w>>,
        ledger: &mut Ledger,
    ) -> Reads {
        let thread = &threads[t];
        let mut reads = Vec::with_capacity(thread.loads.len());
        for (load, source) in thread.loads.iter().zip(&facts.sources[t].loads) {
            let is_pointer = matches!(load.vars, LoadVars::Ptr(..));
            let key = (load.region, is_pointer, (load.shape, source.origin));
            let stored =
                stored.entry(key).or_insert_with(|| self.stored(facts, threads, load, source.origin));
            let bound = bound_member(facts, load);
            let settled = settled_member(facts, load);
            let kept_out = |(v, w): (usize, usize)| {
                if settled.is_some() && origins::is_by_outside(facts.origins, &threads[v].sites[w]) {
                    return true;
                }
                let binds = bound.is_some() && binds(facts, &threads[v]);
                seeded(Fault::StableAlways)
                    || seeded(if v == t { Fault::StableDespiteOwn } else { Fault::StableDespiteOthers })
                    || v != t
                        && (binds
                            || excluded(facts, threads, thread, load, &threads[v], &threads[v].sites[w]))
            };
            let read = match stored.back {
                Some(back)
                    if facts.layout.is_of_module(load.shape) || is_of_own_handle(facts, thread, load) =>
                {
                    Read::BackPointer(back)
                }
                _ if !load.private && kernel_keeps(facts, load) && stored.writers().all(kept_out) => {
                    Read::Stable
                }
                _ if self.is_initial(facts, threads, t, load, stored, &kept_out) => Read::Initial,
                _ => Read::Arbitrary,
            };
            note(facts, load, read, ledger);
            if let Some(member) = bound.filter(|_| read == Read::Stable && !stored.writers.is_empty()) {
                ledger.record(AssumptionKind::BoundBefore, fields::name(facts.module, member), None);
            }
            if let Some(member) = settled.filter(|_| read == Read::Stable && !stored.writers.is_empty()) {
                ledger.record(AssumptionKind::Settled, fields::name(facts.module, member), None);
            }
            reads.push(read);
        }
        reads
    }

    /// Whether what is read is the function in which the callback is called, and nobody stores that one there once others
    /// may know the struct: stores of other functions do not matter, for they are not what the kernel has found.
    fn is_initial(
        &self,
        facts: &Facts,
        threads: &[Thread],
        t: usize,
        load: &SharedLoad,
        stored: &Stored,
        kept_out: &dyn Fn((usize, usize)) -> bool,
    ) -> bool {
        let Some(function) = own_function(&threads[t], load) else { return false };
        kernel_keeps(facts, load)
            && stored.writers().all(|(v, w)| {
                let site = &threads[v].sites[w];
                let value = site.value.and_then(|value| threads[v].terms.as_int(value.obj));
                let is_other = |value| value != function || seeded(Fault::OwnFunctionStored);
                let other = site.shape == load.shape && value.is_some_and(is_other);
                other || kept_out((v, w))
            })
    }

    fn stored(&self, facts: &Facts, threads: &[Thread], load: &SharedLoad, origin: Origin) -> Stored<'_> {
        let external = load.region == facts.points_to.external();
        let hits = |(kind, object): &Written| {
            facts.layout.may_overlap(external, load.shape, kind.0)
                && origins::may_meet(facts.origins, (load.shape, origin), *kind)
                && object.as_ref().is_none_or(|object| origins::may_have(facts.origins, object, load.shape))
        };
        let kinds = self.by_region.get(&load.region).into_iter().flatten();
        let writers = kinds.filter(|(kind, _)| hits(kind)).map(|(_, sites)| sites.as_slice()).collect();
        let mut stored = Stored { writers, back: None };
        stored.back = back_pointer(facts, threads, &stored, (load, origin));
        stored
    }
}

/// The function in which a callback is called, as an object, if this reads where its struct holds that.
fn own_function(thread: &Thread, load: &SharedLoad) -> Option<i128> {
    let LoadVars::Ptr(obj, _) = load.vars else { return None };
    let is_read = |at: Addr| thread.terms.get(at.obj) == Term::Var(obj);
    let mut of_function = thread.same.iter().filter(|same| same.pointers.iter().any(|at| is_read(*at)));
    of_function.find_map(|same| same.pointers.iter().find_map(|at| thread.terms.as_int(at.obj)))
}

/// Whether code outside of the module leaves the memory alone: it does not know private structs or
/// globals that never escape; of its own structs, it is taken not to change pointers meanwhile, nor numbers of which a
/// row says that who binds a driver sets them, or that they are set before.
fn kernel_keeps(facts: &Facts, load: &SharedLoad) -> bool {
    if facts.changed.contains(&load.region) && !seeded(Fault::ParametersStay) {
        return false;
    }
    match load.shape {
        Shape::In { strukt, lo, .. } => {
            let (inner, _) = facts.layout.innermost(strukt, lo);
            let member = fields::of_shape(facts.module, facts.layout, load.shape);
            let given = member.is_some_and(|member| facts.given.contains(&member));
            let private = facts.module.as_struct(inner).is_some_and(|s| s.module_private)
                && (!given || seeded(Fault::GivenMembersStay));
            let said = || bound_member(facts, load).or_else(|| settled_member(facts, load)).is_some();
            private || matches!(load.vars, LoadVars::Ptr(..)) || said()
        }
        Shape::Scalar(_) | Shape::Whole(_) | Shape::Wild | Shape::Outside => {
            load.region != facts.points_to.external()
        }
    }
}

/// Whether a member for any pointer is read of a struct of the kernel's for which the reader is called because the module has registered
/// it (`watchdog_device.driver_data`, `hwrng.priv`): what is there is the module's.
fn is_of_own_handle(facts: &Facts, reader: &Thread, load: &SharedLoad) -> bool {
    let is_registered = |h: &Handle| h.addr.obj == load.addr.obj && !facts.outside.contains(&h.class);
    let member = fields::of_shape(facts.module, facts.layout, load.shape);
    member.is_some_and(|member| fields::is_untyped(facts.module, member))
        && reader.handles.iter().any(is_registered)
}

/// Whether the bytes are those of a variable that is a pointer, or an array of them: no struct, where types tell objects apart.
fn is_pointer(facts: &Facts, shape: Shape) -> bool {
    matches!(shape, Shape::In { strukt, .. } if matches!(facts.module.types[strukt], TypeDef::Ptr(_)))
}

/// Whether the bytes are in the same place of a struct, whatever that is a part of.
fn is_same_member(facts: &Facts, a: Shape, b: Shape) -> bool {
    let place = |shape: Shape| match shape {
        Shape::In { strukt, lo, hi } => Some((facts.layout.smallest(strukt, lo, hi - lo), hi - lo)),
        Shape::Scalar(_) | Shape::Whole(_) | Shape::Wild | Shape::Outside => None,
    };
    place(a).is_some() && place(a) == place(b)
}

/// Where a field that only the module sets points, if it only ever holds null and pointers into its own
/// object. (That it was initialized before it is read is part of the assumption.)
fn back_pointer(
    facts: &Facts,
    threads: &[Thread],
    stored: &Stored,
    (load, origin): (&SharedLoad, Origin),
) -> Option<BackPointer> {
    if !matches!(load.shape, Shape::In { .. }) || !matches!(load.vars, LoadVars::Ptr(..)) {
        return None;
    }
    let (mut found, mut nullable) = (None, false);
    let mut agree = |thread: &Thread, addr: Addr, value: Option<Addr>| {
        let Some(value) = value else { return false };
        if thread.terms.as_int(value.obj) == Some(0) {
            nullable = true;
            return true;
        }
        match thread.distance(value, addr) {
            Some(d) => *found.get_or_insert(d) == d,
            None => false,
        }
    };
    let copies = |(func, inst): (FuncId, InstId)| {
        matches!(facts.module.funcs[func].insts[inst].op, Op::MemCopy { .. })
    };
    let seen = stored.writers().all(|(v, w)| {
        let site = &threads[v].sites[w];
        is_same_member(facts, site.shape, load.shape) && agree(&threads[v], site.addr, site.value)
    });
    let external = load.region == facts.points_to.external();
    let hidden = threads.iter().zip(facts.sources).all(|(t, sources)| {
        let mut hit = t.hidden.iter().zip(&sources.hidden).filter(|(w, source)| {
            w.region == load.region
                && facts.layout.may_overlap(external, load.shape, w.shape)
                && source.is_some_and(|s| {
                    origins::may_meet(facts.origins, (load.shape, origin), (w.shape, s.origin))
                })
        });
        hit.all(|(w, _)| match w.shape {
            // Blocks that are copied have pointers in them.
            Shape::Whole(_) | Shape::Wild | Shape::Outside => !copies(w.inst),
            _ => is_same_member(facts, w.shape, load.shape) && agree(t, w.addr, w.value),
        })
    });
    let initial =
        facts.module.globals.keys().filter(|&g| facts.points_to.global(g) == load.region).all(|g| {
            origins::initial(facts.module, g)
                .filter(|(_, shape)| !external || !is_pointer(facts, *shape))
                .filter(|(_, shape)| facts.layout.may_overlap(external, load.shape, *shape))
                .all(|(cell, _)| match cell.value {
                    Operand::Null | Operand::Int { value: 0, .. } => true,
                    Operand::Global(to, at) if to == g => {
                        let distance = i128::from(at) - i128::from(cell.offset);
                        *found.get_or_insert(distance) == distance
                    }
                    _ => false,
                })
        });
    if !seen || !hidden || !initial {
        return None;
    }
    found.map(|distance| BackPointer { distance, nullable })
}

fn note(facts: &Facts, load: &SharedLoad, read: Read, ledger: &mut Ledger) {
    let Shape::In { strukt, lo, .. } = load.shape else { return };
    if read == Read::Arbitrary {
        return;
    }
    let (inner, at) = facts.layout.innermost(strukt, lo);
    let Some(def) = facts.module.as_struct(inner) else { return };
    if let Read::BackPointer(_) = read {
        let subject =
            format!("{}.{} is initialized before it is read", def.name, facts.module.path_at(inner, at));
        let kind =
            if def.module_private { AssumptionKind::PrivateStruct } else { AssumptionKind::Environment };
        ledger.record(kind, subject, None);
    } else if !def.module_private {
        let subject =
            format!("the kernel does not change {}.{} meanwhile", def.name, facts.module.path_at(inner, at));
        ledger.record(AssumptionKind::Environment, subject, None);
    }
}

/// Whether the write cannot happen while the reader runs, if it is to the address that is read.
fn excluded(
    facts: &Facts,
    threads: &[Thread],
    reader: &Thread,
    load: &SharedLoad,
    writer: &Thread,
    site: &Site,
) -> bool {
    by_lock(facts, reader, load, writer, site)
        || by_registration(facts, threads, reader, load, writer, site)
        || by_creation(facts, threads, reader, writer, site)
}

/// Only the writer, which runs once, or threads that it leads to make threads like the reader, and at the write it has
/// not made any yet.
fn by_creation(facts: &Facts, threads: &[Thread], reader: &Thread, writer: &Thread, site: &Site) -> bool {
    let is_made = |t: &Thread, class: &str| t.handles.iter().any(|h| h.class == class && h.made);
    reader.handles.iter().filter(|h| h.made).any(|h| {
        let makes = |e: &Event| e.registers && e.class == h.class;
        let none_yet = writer
            .events
            .iter()
            .enumerate()
            .filter(|(_, e)| makes(e))
            .all(|(i, _)| site.events.get(i).is_none_or(|&f| writer.terms.as_bool(f) == Some(false)));
        let others = threads.iter().filter(|t| t.events.iter().any(makes) && !is_made(t, &h.class));
        none_yet
            && facts.entry_points.items[writer.entry].once
            && others.clone().all(|t| t.entry == writer.entry)
    })
}

/// The member that is read, if who binds a driver to the object sets it before anybody uses that (assumption
/// `bound-before`).
fn bound_member(facts: &Facts, load: &SharedLoad) -> Option<FieldId> {
    fields::of_shape(facts.module, facts.layout, load.shape).filter(|f| facts.bound.contains(f))
}

/// The member that is read, if code outside sets it only before others know the object (assumption `settled`).
fn settled_member(facts: &Facts, load: &SharedLoad) -> Option<FieldId> {
    fields::of_shape(facts.module, facts.layout, load.shape).filter(|f| facts.origins.settled.contains(f))
}

/// Whether the thread binds drivers to objects: the driver core holds the device's lock, or nobody knows the object
/// yet.
fn binds(facts: &Facts, thread: &Thread) -> bool {
    let entry = &facts.entry_points.items[thread.entry];
    matches!(entry.role.as_str(), "module.init" | "module.exit" | "exported" | "extern")
        || entry.locks.iter().any(|lock| lock.class == "device")
        || seeded(Fault::AnybodyBinds)
}

fn by_lock(facts: &Facts, reader: &Thread, load: &SharedLoad, writer: &Thread, site: &Site) -> bool {
    let is_one = |thread: &Thread, lock: &Lock| {
        let is_several = |h: &Handle| facts.several.contains(&h.class) && h.addr == lock.addr;
        lock.implicit && !thread.handles.iter().any(is_several) || seeded(Fault::SeveralAreStable)
    };
    let held = |i: usize| site.held.surely(i, &writer.terms) && is_one(writer, &writer.locks[i]);
    let kept = |l: &&Lock| is_one(reader, l) && !reader.releases.contains(&l.class);
    reader.locks.iter().filter(kept).any(|a| {
        writer
            .locks
            .iter()
            .enumerate()
            .any(|(i, b)| a.excludes(b) && held(i) && same_lock(reader, load, a.addr, writer, site, b.addr))
    })
}

/// Whether equal accessed addresses make the two lock addresses equal.
fn same_lock(reader: &Thread, load: &SharedLoad, a: Addr, writer: &Thread, site: &Site, b: Addr) -> bool {
    if let (Some(x), Some(y)) = (reader.fixed_place(a), writer.fixed_place(b)) {
        return x == y;
    }
    let x = reader.distance(load.addr, a);
    let y = writer.distance(site.addr, b);
    match (x, y) {
        (Some(x), Some(y)) => same_place(load.shape, site.shape, x, y),
        _ => false,
    }
}

/// Distances from the lock to the two accesses, which overlap: they are the same place if both are in
/// one struct type at their offsets, or the very same address.
fn same_place(a: Shape, b: Shape, x: i128, y: i128) -> bool {
    match (a, b) {
        (Shape::In { strukt: s, lo, .. }, Shape::In { strukt: t, lo: lo2, .. }) if s == t => {
            x - i128::from(lo) == y - i128::from(lo2)
        }
        _ => a == b && x == y,
    }
}

fn by_registration(
    facts: &Facts,
    threads: &[Thread],
    reader: &Thread,
    load: &SharedLoad,
    writer: &Thread,
    site: &Site,
) -> bool {
    reader.handles.iter().any(|h| {
        let registers = writer.events.iter().any(|e| e.registers && e.class == h.class);
        registers
            && none_yet(writer, site, &h.class)
            && (in_fresh_object(reader, load, h.addr, writer, site.addr.obj)
                && !others_may_register(threads, writer, site, &h.class, &mut vec![h.class.clone()])
                || once_table(facts, threads, reader, writer, h))
    })
}

/// Whether the writer has registered no handle of the class when it writes.
fn none_yet(writer: &Thread, site: &Site, class: &str) -> bool {
    let not_yet = |i: usize| site.events.get(i).is_none_or(|&f| writer.terms.as_bool(f) == Some(false));
    writer.events.iter().enumerate().all(|(i, e)| !e.registers || e.class != class || not_yet(i))
}

/// Whether the writer may have registered a handle of the class when it writes, though it has waited for its end since.
fn may_have_registered(writer: &Thread, site: &Site, class: &str) -> bool {
    let may_be =
        |flags: &[TermId], i: usize| flags.get(i).is_some_and(|&f| writer.terms.as_bool(f) != Some(false));
    let of_class = || writer.events.iter().enumerate().filter(|(_, e)| e.class == class);
    let ended = |before: &[TermId]| of_class().any(|(i, e)| e.registers && may_be(before, i));
    of_class().any(|(i, e)| {
        may_be(&site.events, i) && (e.registers || !seeded(Fault::EndedNeverRan) && ended(&e.before))
    })
}

/// Whether somebody else may have registered a handle of the class in an object that the writer has made, when it writes; as in
/// the condition of a pair: who registers another handle of his own object runs because of his own one. `seen` are the classes asked about already.
fn others_may_register(
    threads: &[Thread],
    writer: &Thread,
    site: &Site,
    class: &str,
    seen: &mut Vec<String>,
) -> bool {
    if seeded(Fault::StableUntilRegisteredHere) {
        return false;
    }
    let registers = |e: &&Event| e.registers && e.class == class;
    let all = threads.iter().flat_map(|other| other.events.iter().filter(registers).map(move |e| (other, e)));
    all.filter(|(other, event)| !other.makes(event.handle.obj)).any(|(other, event)| {
        match other.handles.iter().find(|h| h.addr.obj == event.handle.obj) {
            // Who registers himself once more was registered before.
            Some(h) if h.class == class && h.addr == event.handle && !event.anywhere => false,
            Some(h) if may_have_registered(writer, site, &h.class) => true,
            Some(h) if seen.contains(&h.class) => false,
            Some(h) => {
                seen.push(h.class.clone());
                let may = others_may_register(threads, writer, site, &h.class, seen);
                seen.pop();
                may
            }
            None => true,
        }
    })
}

/// The handle lies in the object that is read, and at the write that object is one the writer has made.
fn in_fresh_object(reader: &Thread, load: &SharedLoad, handle: Addr, writer: &Thread, obj: TermId) -> bool {
    load.addr.obj == handle.obj
        && reader.terms.as_int(handle.obj).is_none()
        && matches!(writer.terms.get(obj), Term::Var(v) if writer.locals.contains(&v))
}

/// The writer is the module's init function, which runs once, and it alone registers the reader's table.
fn once_table(facts: &Facts, threads: &[Thread], reader: &Thread, writer: &Thread, handle: &Handle) -> bool {
    let items = &facts.entry_points.items;
    if !items[writer.entry].is_init() {
        return false;
    }
    let Some(table) = items[reader.entry].table else { return false };
    if reader.terms.as_int(handle.addr.obj) != Some(table.index() as i128 + 1) {
        return false;
    }
    let global = |thread: &Thread, e: &Event| thread.global(facts.module, e.handle.obj);
    let leads = |g: GlobalId| (facts.reach)(g).contains(&table);
    let mut own = writer.events.iter().filter(|e| e.registers);
    let others = threads.iter().filter(|other| other.entry != writer.entry);
    let mut others = others.flat_map(|other| other.events.iter().map(move |e| (other, e)));
    own.any(|e| global(writer, e).is_some_and(leads))
        && !others
            .any(|(other, e)| e.registers && e.class == handle.class && global(other, e).is_none_or(leads))
}
