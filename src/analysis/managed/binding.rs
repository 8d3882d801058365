//! What a thread asks for that ends with a driver: memory and registrations, and where it keeps the memory.

use super::super::fields;
use super::super::layout::Shape;
use super::super::points_to::RegionId;
use super::Facts;
use crate::instrument::thread::*;
use lockpair_ir::{FuncId, Function, InstId, LocId, Op, Operand, ValueId};
use lockpair_smt::{Answer, Limits, Session, Term, TermId};
use std::collections::BTreeSet;

/// What a question may cost, in the solver's own measure: some 50 ms.
const WORK: u32 = 200_000;

/// Where a pointer lies that nothing else is ever stored to.
#[derive(Copy, Clone)]
pub(super) struct Place {
    /// In the memory of that number, or in the device.
    pub(super) within: Option<usize>,
    /// So far behind its start, or behind the lock of the device.
    pub(super) distance: i128,
    pub(super) region: RegionId,
    pub(super) shape: Shape,
}

/// Memory that ends with the driver.
pub(super) struct Memory {
    /// The binding thread's event.
    pub(super) event: usize,
    pub(super) key: Key,
    pub(super) region: RegionId,
    pub(super) shape: Shape,
    pub(super) through: Option<(FuncId, ValueId)>,
    pub(super) place: Option<Place>,
    /// Whether it stands for any number of allocations by one instruction.
    pub(super) anywhere: bool,
    pub(super) repeated: bool,
    pub(super) loc: Option<LocId>,
}

/// A registration that ends with the driver.
pub(super) struct Registration {
    pub(super) event: Event,
    pub(super) number: usize,
    pub(super) handle: Handled,
    pub(super) through: Option<i128>,
}

impl Registration {
    /// Whether the handle alone tells what is ended: of a device, there are many attributes.
    pub(super) fn is_one_handle(&self) -> bool {
        let is_known = match self.handle {
            Handled::Memory(..) => true,
            Handled::Device(_) | Handled::Named(..) => self.event.through.is_none(),
            Handled::Anywhere => false,
        };
        is_known && !self.event.anywhere
    }
}

/// Where the handle of a registration lies.
#[derive(Copy, Clone)]
pub(super) enum Handled {
    /// In memory that ends, too.
    Memory(usize, i128),
    /// So far behind the lock of the device.
    Device(i128),
    /// In an object with a name.
    Named(i128, i128),
    Anywhere,
}

/// What ends with a driver.
pub(super) struct Ends {
    pub(super) memory: Vec<Memory>,
    pub(super) registrations: Vec<Registration>,
    /// What the driver has to end.
    pub(super) kept: Vec<Registration>,
}

/// Whether a registration is over when memory ends.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Over {
    No,
    /// If its handle lies in that very memory: in a loop, others may be registered before.
    ByObject,
    Surely,
}

impl Ends {
    /// Whether the registration ends before the memory, because the memory is there whenever it comes.
    pub(super) fn over(&self, memory: &Memory, r: &Registration) -> Over {
        match (memory.event < r.number && !memory.anywhere, memory.repeated && r.event.repeated) {
            (true, false) => Over::Surely,
            (true, true) if self.is_repeated_with_memory(r) => Over::ByObject,
            _ => Over::No,
        }
    }

    /// Whether the registration is in a loop, and so is what has its handle: then each is of another handle.
    pub(super) fn is_repeated_with_memory(&self, r: &Registration) -> bool {
        let is_repeated = matches!(r.handle, Handled::Memory(n, _) if self.memory[n].repeated);
        r.event.repeated && is_repeated
    }
}

/// A store of a thread.
#[derive(Copy, Clone)]
pub(super) struct Stored {
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
pub(super) struct Binding<'a> {
    facts: &'a Facts<'a>,
    threads: &'a [Thread],
    number: usize,
    thread: &'a Thread,
}

impl<'a> Binding<'a> {
    pub(super) fn new(facts: &'a Facts<'a>, threads: &'a [Thread], number: usize) -> Binding<'a> {
        Binding { facts, threads, number, thread: &threads[number] }
    }

    /// Of registrations that end with an object which was read: the device with which that ends, as far as it is known.
    pub(super) fn devices(&self) -> Vec<(usize, Addr)> {
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
            stored(self.thread).any(|w| is_stored(&w))
                && self.is_only_anywhere(bytes, |obj| objects.contains(&obj))
        })
    }

    fn is_one_of(&self, value: Option<Addr>, objects: &BTreeSet<TermId>) -> bool {
        value.is_some_and(|at| self.thread.leaves(at.obj).iter().any(|obj| objects.contains(obj)))
    }

    pub(super) fn ends(&self) -> Ends {
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
    pub(super) fn memory_of_others(&self) -> Ends {
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
        let kept = stored(self.thread).filter(|w| self.is_start_of(w.value, object));
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

/// The pointer to what was allocated; not the one that may be none, or an error.
fn made(func: &Function, object: Operand) -> Option<ValueId> {
    let Operand::Value(value) = object else { return None };
    match func.insts[func.values[value].inst?].op {
        Op::Select { then, els, .. } => made(func, then).or_else(|| made(func, els)),
        Op::Alloc { .. } => Some(value),
        _ => None,
    }
}
