//! Which members keep objects for good that lead back to who keeps them: `demo->urb->context` is `demo`.
//!
//! A member *keeps for good* if the module stores in it nothing but objects that it has just made, each in one place alone, and
//! there nothing else, in a host that it has made itself. A member of what is kept *leads back* if each store to it is one of
//! the host's address, when the object lies in the host already or was read from there. Then at any time it is null, or leads to
//! the host where the object is found. A callback gets such an object if all structs that its function is stored in are kept by
//! one member.

use super::made::{is_initial, stored_in, stores};
use super::stored::Write;
use super::{Facts, Slot, View, Whence, initialized};
use crate::analysis::fields::{self, FieldId};
use crate::instrument::hosts::{Host, Hosts};
use crate::instrument::thread::{Addr, Hosted, Lock, Thread};
use lockpair_ir::*;
use lockpair_smt::TermId;
use std::collections::BTreeSet;

/// What is known of handles and callbacks.
#[derive(Default)]
pub struct Found {
    /// The callbacks that get an object that is kept for good, and leads back.
    pub hosts: Hosts,
    /// Thread and event, of handles that are kept for good: code outside has them only for what it is told to do with them.
    pub kept: BTreeSet<(usize, usize)>,
    /// Of handles in the thread's driver data: what the data of the device lead to of which the kernel holds the lock.
    pub of_own_device: BTreeSet<(usize, usize)>,
    /// The members of devices through which those were found.
    pub data: BTreeSet<Slot>,
    /// The members that keep handles to the module.
    pub keepers: BTreeSet<FieldId>,
}

/// Looks at all threads and what they write. `bound` are the members of devices that who binds a driver sets.
pub(super) fn find(facts: &Facts, views: &[View], writes: &[Write], bound: &BTreeSet<FieldId>) -> Found {
    let is_unknown = |view: &View| view.thread.ledger.iter().any(|a| a.kind == AssumptionKind::EmptySummary);
    if views.iter().any(is_unknown) {
        return Found::default();
    }
    let mut kept: BTreeSet<FieldId> =
        candidates(facts).into_iter().filter(|&field| keeps_for_good(facts, writes, field)).collect();
    initialized(facts, |field| _ = kept.remove(&field));
    let data = data_of_binders(facts, writes, bound);
    let keeping = Keeping { facts, writes, kept, data: &data };
    let told: BTreeSet<FieldId> = views.iter().flat_map(|view| keeping.goes_elsewhere(view)).collect();
    let all = |view: &View, at: Addr, is_it: &dyn Fn(TermId) -> bool| {
        let leaves = view.thread.leaves(at.obj);
        !leaves.is_empty() && leaves.into_iter().all(is_it)
    };
    let mut found = Found { hosts: keeping.hosts(), data: data.clone(), ..Found::default() };
    for (t, view) in views.iter().enumerate() {
        for (n, event) in view.thread.events.iter().enumerate() {
            let is_kept = |leaf| keeping.keeper(view, leaf).is_some_and(|field| !told.contains(&field));
            if all(view, event.handle, &is_kept) {
                found.kept.insert((t, n));
                let leaves = view.thread.leaves(event.handle.obj).into_iter();
                found.keepers.extend(leaves.filter_map(|leaf| keeping.keeper(view, leaf)));
            }
            if all(view, event.handle, &|leaf| keeping.is_of_own_device(view, leaf)) {
                found.of_own_device.insert((t, n));
            }
        }
    }
    found
}

/// The members of devices, of all or of those within structs of one type, in which only the binder of the device stores something.
fn data_of_binders(facts: &Facts, writes: &[Write], bound: &BTreeSet<FieldId>) -> BTreeSet<Slot> {
    let mut data = BTreeSet::new();
    for &field in bound {
        let to = writes.iter().filter(|write| !write.frees() && write.may_change(facts, field));
        let to: Vec<&Write> = to.collect();
        let slots: BTreeSet<Slot> = to.iter().flat_map(|write| Slot::of(field, write.shape)).collect();
        data.extend(slots.into_iter().filter(|&slot| is_of_binder(facts, &to, slot)));
    }
    data
}

/// Whether all that is ever stored in the member of a device is null and what its binder has made, each in that of the device of
/// which the kernel holds the lock, and in no other. These are the writes that may be to the member.
fn is_of_binder(facts: &Facts, writes: &[&Write], slot: Slot) -> bool {
    let is_of_binder = |write: &&Write| {
        let (view, leaves) = (write.view, write.leaves());
        let once = |leaf: TermId| view.local(leaf).is_some_and(|&n| view.has_once(facts, n, slot));
        write.is_store(slot.field)
            && leaves.iter().all(|&leaf| once(leaf))
            && (leaves.is_empty() || is_in_own_device(facts.module, view.thread, write.at, slot.field))
    };
    let to = || writes.iter().filter(|write| write.view.may_be_of(facts, slot, (write.at, write.shape)));
    // Where the module stores nothing, others do, and may give one thing to two devices.
    to().any(|write| !write.leaves().is_empty()) && to().all(is_of_binder)
}

/// Whether that is the member of a device of which the kernel holds the lock from the beginning of the thread to its end.
fn is_in_own_device(module: &Module, thread: &Thread, at: Addr, field: FieldId) -> bool {
    let size = i128::from(module.size_of(field.strukt));
    // The device's mutex is its lock, by another name.
    let is_within =
        |at: Addr, device: &Lock| thread.distance(at, device.addr).is_some_and(|by| (0..size).contains(&by));
    let takes_within =
        |device: &Lock| thread.locks.iter().any(|lock| !lock.implicit && is_within(lock.addr, device));
    let holds = |lock: &&Lock| {
        lock.mode == LockMode::Exclusive && !thread.releases.contains(&lock.class) && !takes_within(lock)
    };
    let is_there = |lock: &Lock| thread.distance(at, lock.addr) == Some(i128::from(field.offset));
    thread.device_locks().filter(holds).any(is_there)
}

/// The members of the module's own structs that lead to structs of which callbacks get the one that their function is stored in.
fn candidates(facts: &Facts) -> BTreeSet<FieldId> {
    let module = facts.module;
    let itself = facts.parameters.values().filter_map(|whence| match whence {
        Whence::Itself(field, _) => Some(field.strukt),
        Whence::From(_) => None,
    });
    let structs: BTreeSet<TypeId> = itself.collect();
    let of = |strukt: TypeId| {
        let def = module.as_struct(strukt).filter(|def| def.module_private && !def.is_union);
        let members = def.into_iter().flat_map(|def| &def.fields);
        members.map(move |field| FieldId { strukt, offset: field.offset }).collect::<Vec<_>>()
    };
    let leads = |field: &FieldId| fields::pointee(module, *field).is_some_and(|ty| structs.contains(&ty));
    module.types.keys().flat_map(of).filter(leads).collect()
}

/// Whether the member keeps for good what is stored in it.
fn keeps_for_good(facts: &Facts, writes: &[Write], field: FieldId) -> bool {
    let to: Vec<&Write> = writes.iter().filter(|write| write.may_change(facts, field)).collect();
    let keeps = |write: &&Write| {
        let (view, leaves) = (write.view, write.leaves());
        let hosts = view.thread.leaves(write.at.obj);
        let is_made = |leaf: TermId| view.local(leaf).is_some_and(|&n| !view.thread.on_stack[n]);
        let once =
            |leaf: TermId| view.local(leaf).is_some_and(|&n| view.has_once(facts, n, Slot::anywhere(field)));
        let alone = |other: &&&Write| {
            !other.frees()
                && std::ptr::eq(other.view, view)
                && other.at == write.at
                && other.leaves() != leaves
        };
        write.is_store(field)
            && matches!(hosts[..], [host] if is_made(host))
            && !leaves.is_empty()
            && leaves.iter().all(|&leaf| once(leaf))
            && !to.iter().any(|other| alone(&other))
    };
    to.iter().all(|write| write.frees() || keeps(write)) && to.iter().any(|write| !write.frees())
}

struct Keeping<'w, 'a> {
    facts: &'w Facts<'a>,
    writes: &'w [Write<'a>],
    kept: BTreeSet<FieldId>,
    /// The members of devices that lead to the data of their drivers, and each to its own.
    data: &'w BTreeSet<Slot>,
}

impl Keeping<'_, '_> {
    fn hosts(&self) -> Hosts {
        let mut hosts = Hosts::new();
        for (&(entry, param), whence) in self.facts.parameters {
            let Whence::Itself(member, func) = *whence else { continue };
            let Some(kept) = self.bases(member, func) else { continue };
            let back = self.pointers(member.strukt).find(|&back| self.leads_back(back));
            back.into_iter().for_each(|back| _ = hosts.insert(entry, Host { param, back, kept }));
        }
        hosts
    }

    /// The pointers in a struct.
    fn pointers(&self, strukt: TypeId) -> impl Iterator<Item = FieldId> {
        let module = self.facts.module;
        let fields = module.as_struct(strukt).into_iter().flat_map(|def| &def.fields);
        let pointers = fields.filter(|field| matches!(module.types[field.ty], TypeDef::Ptr(_)));
        pointers.map(move |field| FieldId { strukt, offset: field.offset })
    }

    /// The member that keeps all structs in which the function is stored.
    fn bases(&self, member: FieldId, func: FuncId) -> Option<FieldId> {
        let writes = stores(self.facts, self.writes, member)?;
        let keepers = stored_in(self.facts, &writes, func).map(|(view, base)| self.keeper(view, base));
        let keepers: BTreeSet<Option<FieldId>> = keepers.collect();
        let is_one = keepers.len() == 1 && !is_initial(self.facts, member, func);
        keepers.first().copied().flatten().filter(|_| is_one)
    }

    /// The member that keeps an object for good.
    fn keeper(&self, view: &View, leaf: TermId) -> Option<FieldId> {
        if let Some(n) = view.local(leaf) {
            let mut placed = view.placed.get(n).into_iter().flatten().filter_map(|placed| placed.field);
            return placed.find(|field| {
                self.kept.contains(field) && view.has_once(self.facts, *n, Slot::anywhere(*field))
            });
        }
        match &view.thread.host {
            Some(read) if read.itself.obj == leaf => Some(read.known.kept).filter(|f| self.kept.contains(f)),
            _ => view.load(leaf)?.0.filter(|field| self.kept.contains(field)),
        }
    }

    /// The members of which the thread puts what they keep anywhere else, or gives it to code that nobody knows.
    fn goes_elsewhere(&self, view: &View) -> BTreeSet<FieldId> {
        let stored = self.writes.iter().filter(|write| std::ptr::eq(write.view, view)).flat_map(|write| {
            let keepers = write.leaves().into_iter().filter_map(|leaf| self.keeper(view, leaf));
            keepers.filter(|field| write.member != Some(*field)).collect::<Vec<_>>()
        });
        stored.chain(view.thread.spread.iter().filter_map(|&leaf| self.keeper(view, leaf))).collect()
    }

    /// Whether the object is the data of the driver of the thread's own device, or kept there for good.
    fn is_of_own_device(&self, view: &View, leaf: TermId) -> bool {
        let thread = view.thread;
        let is_host = |at: Addr| {
            let hosts = thread.leaves(at.obj);
            !hosts.is_empty() && hosts.into_iter().all(|host| self.is_of_own_device(view, host))
        };
        let is_there = |slot: Slot, at: Addr| match self.data.contains(&slot) {
            true => is_in_own_device(self.facts.module, thread, at, slot.field),
            false => slot.within.is_none() && self.kept.contains(&slot.field) && is_host(at),
        };
        if let Some(&n) = view.local(leaf) {
            let mut placed = view.placed.get(&n).into_iter().flatten();
            return placed.any(|placed| {
                let mut slots = placed.field.into_iter().flat_map(|field| Slot::of(field, placed.shape));
                slots.any(|slot| view.has_once(self.facts, n, slot) && is_there(slot, placed.at))
            });
        }
        view.load(leaf).is_some_and(|&(field, load)| {
            let mut slots = field.into_iter().flat_map(|field| Slot::of(field, load.shape));
            slots.any(|slot| is_there(slot, load.addr))
        })
    }

    /// Whether something is stored in the member, and never anything but the address of who keeps its struct.
    fn leads_back(&self, back: FieldId) -> bool {
        let to = self.writes.iter().filter(|write| !write.frees() && write.may_change(self.facts, back));
        let to: Vec<&Write> = to.collect();
        !to.is_empty() && to.iter().all(|write| write.is_store(back) && self.stores_host(write))
    }

    fn stores_host(&self, write: &Write) -> bool {
        let Some(value) = write.value else { return false };
        let objects = write.view.thread.leaves(write.at.obj);
        let is_hosted = |leaf: TermId| self.is_hosted(write, value, leaf);
        !objects.is_empty() && objects.into_iter().all(is_hosted)
    }

    /// Whether the value is the host of the object, where that is kept.
    fn is_hosted(&self, write: &Write, value: Addr, object: TermId) -> bool {
        let (view, thread) = (write.view, write.view.thread);
        let at = |addr: Addr| the_object(thread, addr);
        let Some((field, value)) = self.keeper(view, object).zip(at(value)) else { return false };
        let is_member = |addr: Addr| thread.distance(addr, value) == Some(i128::from(field.offset));
        if let Some(n) = view.local(object) {
            let stored = Addr { obj: object, off: write.at.off };
            let placed = || view.placed[n].iter().filter(|placed| placed.field == Some(field));
            let lies_there = |hosted: &Hosted| {
                let kept = hosted.kept.and_then(at);
                at(hosted.value) == Some(value)
                    && kept.is_some_and(is_member)
                    && placed().all(|placed| at(placed.at) == kept)
            };
            // However often the store is executed: the object may lie there on some ways only.
            let is_it = |hosted: &&Hosted| hosted.inst == write.inst && at(hosted.at) == Some(stored);
            let mut all = thread.hosted.iter().filter(is_it).peekable();
            return all.peek().is_some() && all.all(lies_there);
        }
        match &thread.host {
            Some(read) if read.itself.obj == object => read.host == value,
            _ => view.load(object).is_some_and(|(_, load)| at(load.addr).is_some_and(is_member)),
        }
    }
}

/// The address, if it is one in a single object or null.
fn the_object(thread: &Thread, addr: Addr) -> Option<Addr> {
    match thread.leaves(addr.obj)[..] {
        [obj] => Some(Addr { obj, ..addr }),
        _ => None,
    }
}
