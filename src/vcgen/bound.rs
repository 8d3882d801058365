//! What the kernel calls for a device because of the driver that is bound to it: attributes, the operations of an RTC. Who
//! binds the driver registers it, and has the device's lock meanwhile. So as long as he has not, nobody calls it for this
//! device (assumption `bound-callbacks`).
//!
//! That is believed only if all who register it bind drivers, and leave nothing behind (`left`), and if what the callback
//! is found by, the tables that have the function, is seen to be registered by the very thread: what is registered by a
//! function that the model does not know may be called earlier. And once all that it was registered through has ended, which waits for who runs, it is over
//! for who still holds the device's lock, since he keeps out who would register it again.

use super::left::left_behind;
use super::ways::read_from;
use super::while_bound::WhileBound;
use crate::analysis::fields::FieldId;
use crate::analysis::layout::Layout;
use crate::analysis::lists::Lists;
use crate::analysis::parts::Parts;
use crate::fault::{Fault, seeded};
use crate::instrument::thread::{Event, Handle, Lock, Thread};
use crate::verdict::LeftBehind;
use lockpair_entry_points::EntryPoints;
use lockpair_ir::{EntityRef, FuncId, GlobalId, InitCell, Module, Operand};
use lockpair_smt::{Limits, TermId};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Which registrations callbacks wait for.
pub struct Bound<'a> {
    module: &'a Module,
    entry_points: &'a EntryPoints,
    /// Per function of bound callbacks: the numbers of the globals that hold it at first; none if code puts it, or one of them,
    /// anywhere.
    tables: HashMap<FuncId, Option<HashSet<i128>>>,
    /// Functions that the kernel registers after it has bound a driver, and ends before it unbinds that.
    while_bound: HashSet<FuncId>,
    /// Lists of tables that code makes.
    lists: Lists,
    parts: &'a Parts,
    /// Per thread, the registrations that may be left behind when its driver is not bound any more.
    left: Vec<HashSet<usize>>,
    covers: &'a super::pair::Covers<'a>,
}

impl<'a> Bound<'a> {
    /// Of all threads of a module.
    pub fn new(
        (module, layout): (&'a Module, &Layout),
        (parts, lists): (&'a Parts, Lists),
        entry_points: &'a EntryPoints,
        threads: &[Thread],
        (members, handed): (&BTreeSet<FieldId>, &HashSet<FuncId>),
        covers: &'a super::pair::Covers<'a>,
        limits: &Limits,
    ) -> Bound<'a> {
        let left = left_behind(module, parts, entry_points, threads, limits);
        let funcs = threads.iter().flat_map(|t| &t.bound).map(|h| h.func);
        let mut tables: HashMap<FuncId, Option<HashSet<i128>>> =
            funcs.map(|f| (f, Some(HashSet::new()))).collect();
        for (g, global) in module.globals.iter() {
            for f in global.init.iter().filter_map(|cell| cell.value.func()) {
                if let Some(Some(tables)) = tables.get_mut(&f) {
                    tables.insert(number_of(g));
                }
            }
        }
        for func in module.funcs.values() {
            let insts = func.blocks.values().flat_map(|b| &b.insts);
            let operands = insts.flat_map(|&i| func.insts[i].op.operands());
            let ends = func.blocks.values().flat_map(|b| b.term.operand());
            for f in operands.chain(ends).filter_map(Operand::func) {
                if let Some(tables) = tables.get_mut(&f) {
                    *tables = None;
                }
            }
        }
        for (_, tables) in tables.iter_mut().filter(|(f, _)| handed.contains(f)) {
            *tables = None;
        }
        let driver_tables = WhileBound::new(module, layout, members);
        let while_bound = tables.keys().copied().filter(|&f| driver_tables.only_while_bound(f)).collect();
        Bound { module, entry_points, tables, while_bound, lists, parts, left, covers }
    }

    /// What may be left registered when a driver is unbound.
    pub fn left_behind(&self, module: &Module, threads: &[Thread]) -> Vec<LeftBehind> {
        let of_thread = |(thread, left): (&Thread, &HashSet<usize>)| {
            let mut events: Vec<&Event> = left.iter().map(|&e| &thread.events[e]).collect();
            events.sort_by_key(|e| e.key);
            let entry = thread.entry;
            let loc = |e: &Event| module.funcs[e.key.0].insts[e.key.1].loc;
            let say = |e: &Event| LeftBehind { entry, class: e.class.clone(), loc: loc(e) };
            events.into_iter().map(say).collect::<Vec<_>>()
        };
        threads.iter().zip(&self.left).flat_map(of_thread).collect()
    }

    /// The locks of the devices that the thread begins to bind a driver to.
    pub fn devices<'t>(&self, thread: &'t Thread) -> impl Iterator<Item = &'t Lock> + use<'t> {
        let binds = self.entry_points.items[thread.entry].binds;
        thread.device_locks().filter(move |_| binds)
    }

    /// The locks of the devices for which the callback does not run beside the thread: the kernel registers it once the thread
    /// has bound a driver to the device, and has ended it before the thread unbinds that.
    pub fn not_beside<'t>(
        &self,
        thread: &'t Thread,
        callback: &Handle,
    ) -> impl Iterator<Item = &'t Lock> + use<'t> {
        let entry = &self.entry_points.items[thread.entry];
        let excludes = (entry.binds || entry.unbinds) && self.while_bound.contains(&callback.func);
        thread.device_locks().filter(move |_| excludes)
    }

    /// The events of the maker of which one must have come before the callback is called for a device that he binds;
    /// none if that is not known.
    pub fn registrations(
        &self,
        threads: &[Thread],
        maker: usize,
        callback: &Thread,
        handle: &Handle,
    ) -> Option<Vec<usize>> {
        let maker = &threads[maker];
        let concerns = |t: &Thread, e: &Event| {
            e.registers && e.class == handle.class && self.may_concern(t, e, callback, handle)
        };
        let mut registrars =
            threads.iter().enumerate().filter(|(_, t)| t.events.iter().any(|e| concerns(t, e)));
        let all_bind = registrars.all(|(n, t)| {
            let leaves_none = !self.left[n].iter().any(|&e| concerns(t, &t.events[e]));
            leaves_none && (self.devices(t).next().is_some() || seeded(Fault::BoundByAnybody))
        });
        let known = all_bind && (seeded(Fault::BoundBySeenOnly) || self.is_known(maker, callback, handle));
        let events = maker.events.iter().enumerate().filter(|(_, e)| concerns(maker, e));
        known.then(|| events.map(|(n, _)| n).collect())
    }

    /// The ends of the callback that the maker may wait for: for each thing through which somebody registers it, the events of
    /// which one must have come before. None if he does not keep out who may register it again, who binds a driver to the
    /// device and holds its lock meanwhile, or if not all that the callback is found by is seen to be registered.
    pub fn ends(
        &self,
        threads: &[Thread],
        maker: usize,
        callback: &Thread,
        handle: &Handle,
    ) -> Option<Vec<Vec<usize>>> {
        let maker = &threads[maker];
        let mut ways = HashSet::new();
        for thread in threads {
            let concerns = |e: &&Event| {
                e.registers && e.class == handle.class && self.may_concern(thread, e, callback, handle)
            };
            for event in thread.events.iter().filter(concerns) {
                let keeps_device = self.devices(thread).any(|device| device.addr == event.handle);
                if !keeps_device || event.anywhere || std::ptr::eq(thread, maker) {
                    return None;
                }
                ways.insert(place(thread, event)?);
            }
        }
        let roots: HashSet<i128> = ways.iter().map(|&(root, _)| root).collect();
        if !self.are_registered(&roots, handle) {
            return None;
        }
        let is_end = |e: &Event| !e.registers && e.class == handle.class;
        let ends = maker.events.iter().enumerate().filter(|(_, e)| is_end(e));
        let ends: Vec<_> = ends.filter_map(|(n, e)| Some((n, place(maker, e)?))).collect();
        let of_way = |way| {
            ends.iter()
                .filter(|(_, place)| *place == way || self.parts.have(&handle.class, *place, way))
                .map(|&(n, _)| n)
                .collect()
        };
        let all: Vec<Vec<usize>> = ways.into_iter().map(of_way).collect();
        (!all.is_empty() && all.iter().all(|events| !events.is_empty())).then_some(all)
    }

    /// Of a callback that has a handle of its own, at a fixed distance from the device to which who registers it binds a driver
    /// (an interrupt that gets its device): that distance, and the events of the maker of which one must have come before. None
    /// if somebody else may register it, or if it may stay when the driver is unbound: then it still runs for the device.
    pub fn own_registrations(
        &self,
        threads: &[Thread],
        maker: usize,
        handle: &Handle,
    ) -> Option<(i128, Vec<usize>)> {
        let concerns = |e: &Event| {
            let is_callback = e.callback.is_none_or(|callback| callback == handle.func);
            e.registers && e.class == handle.class && is_callback
        };
        let distance_of = |(thread, event): (&Thread, &Event)| {
            let mut devices = self.devices(thread).filter(|_| !event.anywhere);
            devices
                .find(|device| event.until == Some(device.addr) || seeded(Fault::UntilAnyDevice))
                .and_then(|device| thread.distance(event.handle, device.addr))
        };
        let all = threads.iter().flat_map(|t| t.events.iter().filter(|e| concerns(e)).map(move |e| (t, e)));
        let distances: Option<HashSet<i128>> = all.map(distance_of).collect();
        let [distance] = distances?.into_iter().collect::<Vec<_>>()[..] else { return None };
        let events = threads[maker].events.iter().enumerate().filter(|(_, e)| concerns(e));
        Some((distance, events.map(|(n, _)| n).collect()))
    }

    /// Whether what a thread has registered stays when the driver is unbound, unless it is ended, and always is.
    pub(super) fn is_ended_by_driver(&self, thread: usize, number: usize, event: &Event) -> bool {
        event.stays && !event.anywhere && !self.left[thread].contains(&number)
    }

    /// Whether the registration may be one of the callback.
    pub(super) fn may_concern(
        &self,
        thread: &Thread,
        event: &Event,
        callback: &Thread,
        handle: &Handle,
    ) -> bool {
        if let Some(func) = event.callback {
            return func == handle.func;
        }
        let Some(through) = event.through.filter(|_| self.is_in_table(callback)) else { return true };
        let Some(Some(tables)) = self.tables.get(&handle.func) else { return true };
        let lead =
            |roots: &[i128]| roots.iter().any(|&root| tables.iter().any(|&table| self.leads_to(root, table)));
        thread.leaves(through).into_iter().any(|leaf| match thread.terms.as_int(leaf) {
            Some(root) => lead(&[root]),
            None => self.chosen(thread, leaf).is_none_or(|roots| lead(&roots)),
        })
    }

    /// What a pointer may lead to that was read in a constant variable, by an index.
    fn chosen(&self, thread: &Thread, pointer: TermId) -> Option<Vec<i128>> {
        let (from, _) = read_from(thread, pointer)?;
        let global = &self.module.globals[thread.global(self.module, from.obj)?];
        let is_table = global.constant && global.defined;
        is_table.then(|| {
            let variable =
                |cell: &InitCell| if let Operand::Global(g, _) = cell.value { Some(g) } else { None };
            global.init.iter().filter_map(variable).map(number_of).collect()
        })
    }

    /// Whether the maker is seen to register all that the callback is found by.
    fn is_known(&self, maker: &Thread, callback: &Thread, handle: &Handle) -> bool {
        let own = || maker.events.iter().filter(|e| e.registers && !e.anywhere && e.class == handle.class);
        // Where a class has no tables, whoever is registered with it calls whatever there is.
        let has_all = own().any(|e| e.through.is_none() && e.callback.is_none());
        if !self.is_in_table(callback) {
            return has_all || own().any(|e| e.callback == Some(handle.func));
        }
        let named = own().filter_map(|e| e.through).flat_map(|through| maker.leaves(through));
        let named = named.filter_map(|leaf| maker.terms.as_int(leaf));
        let listed = own().flat_map(|e| self.lists.registered((e.key.0, e.key.1))).map(number_of);
        let roots: HashSet<i128> = named.chain(listed).collect();
        has_all || self.are_registered(&roots, handle)
    }

    /// Whether each table that has the function is found from one of these globals.
    fn are_registered(&self, roots: &HashSet<i128>, handle: &Handle) -> bool {
        self.tables.get(&handle.func).and_then(Option::as_ref).is_some_and(|tables| {
            !tables.is_empty()
                && tables.iter().all(|&table| roots.iter().any(|&root| self.leads_to(root, table)))
        })
    }

    fn is_in_table(&self, callback: &Thread) -> bool {
        self.entry_points.items[callback.entry].table.is_some()
    }

    fn leads_to(&self, root: i128, table: i128) -> bool {
        root == table || (self.covers)(root, table)
    }
}

/// Through what something is registered or ends, if that is a place in a variable or a number.
fn place(thread: &Thread, event: &Event) -> Option<(i128, u64)> {
    Some((thread.terms.as_int(event.through?)?, event.through_at?))
}

/// The number of a variable among objects.
fn number_of(global: GlobalId) -> i128 {
    global.index() as i128 + 1
}
