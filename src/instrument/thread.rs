//! The check program of one thread: what an entry point may do, as terms.
//!
//! A [`Thread`] is made once per entry point and used in all its pairs. It has no ghost state: each
//! access that others may see is a [`Site`] with the condition under which it happens, its address,
//! and the locks held there. Its variables are private and renamed per use; what the two threads of a
//! pair share is introduced by [`crate::vcgen`].

use super::flags::Flag;
use super::hosts::Host;
use super::lockset::Lockset;
use crate::analysis::layout::Shape;
use crate::analysis::points_to::RegionId;
use crate::fault::{Fault, seeded};
use lockpair_entry_points::EntryPointId;
use lockpair_env::schema::Context;
use lockpair_ir::{
    EntityRef, FuncId, GlobalId, InstId, Ledger, LocId, LockMode, Mark, Module, TypeId, ValueId, entity_id,
};
use lockpair_smt::{Term, TermId, Terms, VarId};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

entity_id!(
    /// A call chain from an entry point to an access.
    StackId,
    "stack"
);

/// An address as a pair of integer terms: the identity of the object and the offset in bytes.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Addr {
    /// Which object. Null is object 0 at offset 0.
    pub obj: TermId,
    /// Where in it.
    pub off: TermId,
}

/// A pointer value: an address and what is known of the struct it points into.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Pointer {
    /// The address.
    pub addr: Addr,
    /// The struct that it was computed through, and the offset inside that struct.
    pub path: Option<(TypeId, TermId)>,
    /// The first and the last of the constant offsets that this offset was computed from, indices aside,
    /// unless it is constant and was so at once; none too if it may be anywhere in the struct. They tell
    /// which members it may be in; `arr[n - 1]` is not in the one before `arr`.
    pub span: Option<(i128, i128)>,
}

impl Pointer {
    /// The pointer without what is known of the struct, unless it is kept.
    pub fn filter_path(self, keep: bool) -> Pointer {
        if keep { self } else { Pointer { addr: self.addr, path: None, span: None } }
    }

    /// The first and the last of the constant offsets in the struct that it was computed from.
    pub fn offsets(&self, terms: &Terms) -> Option<(i128, i128)> {
        let (_, at) = self.path?;
        match terms.split_offset(at) {
            (None, k) => Some(self.span.unwrap_or((k, k))),
            (Some(_), _) => self.span,
        }
    }
}

/// How far an access reaches from its address.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Extent {
    /// This many bytes.
    Bytes(TermId),
    /// The whole object, before the address too.
    Object,
}

/// An access that other threads may see. Recording it is terminal: the thread's part of a pair's
/// condition is the disjunction of its sites (design, 2.1).
#[derive(Clone, Debug)]
pub struct Site {
    /// When it happens.
    pub guard: TermId,
    /// Where.
    pub addr: Addr,
    /// How far.
    pub extent: Extent,
    /// Where the struct of its shape begins, if the shape is of a struct.
    pub base: Option<TermId>,
    /// Whether it writes.
    pub write: bool,
    /// The pointer that it stores, if it is a store of one.
    pub value: Option<Addr>,
    /// How it is marked.
    pub mark: Mark,
    /// The region of its address.
    pub region: RegionId,
    /// What is known of its bytes by type.
    pub shape: Shape,
    /// The locks held here.
    pub held: Lockset,
    /// The number of the CPU that it happens on, if something keeps the thread there.
    pub cpu: TermId,
    /// Per event of the thread: whether it has happened and is still in force here.
    pub events: Arc<Vec<TermId>>,
    /// The call chain.
    pub stack: StackId,
    /// The function and instruction.
    pub inst: (FuncId, InstId),
    /// The place in the source.
    pub loc: Option<LocId>,
    /// The pointer through which it goes, if that is one value of a function.
    pub through: Option<(FuncId, ValueId)>,
    /// Whether the thread itself executes it, so that flags were followed there; no summary stands for it.
    pub direct: bool,
    /// Whether nothing else of the module runs before: so nobody races there.
    pub alone: bool,
}

/// A write to an object of the heap that nobody else can see yet: no race, but part of what is stored there.
#[derive(Clone, Debug)]
pub struct HiddenWrite {
    /// When it happens.
    pub guard: TermId,
    /// Where.
    pub addr: Addr,
    /// The pointer that it stores, if it is a store of one.
    pub value: Option<Addr>,
    /// The region of its address.
    pub region: RegionId,
    /// What is known of its bytes by type.
    pub shape: Shape,
    /// The pointer, if that is one value of a function.
    pub through: Option<(FuncId, ValueId)>,
    /// The function and instruction.
    pub inst: (FuncId, InstId),
    /// Whether the thread itself has executed it, and no summary.
    pub direct: bool,
}

/// A store of a pointer in an object of the thread's own.
#[derive(Clone, Debug)]
pub struct Hosted {
    /// The function and instruction.
    pub inst: (FuncId, InstId),
    /// Where.
    pub at: Addr,
    /// The pointer.
    pub value: Addr,
    /// Where the object lies at that time in the one that the pointer leads to, if it surely does: `demo->urb->context = demo`.
    pub kept: Option<Addr>,
}

/// What a callback has read of who keeps its parameter.
#[derive(Clone, Debug)]
pub struct HostRead {
    /// The parameter.
    pub itself: Addr,
    /// Who keeps it.
    pub host: Addr,
    /// How that is known.
    pub known: Host,
}

/// A lock that the thread may take, or that the kernel holds for it.
#[derive(Clone, Debug)]
pub struct Lock {
    /// The class.
    pub class: String,
    /// How it is taken.
    pub mode: LockMode,
    /// The ops table of the functions among which it is shared, if it is not among all.
    pub table: Option<GlobalId>,
    /// Where it is.
    pub addr: Addr,
    /// The region of its address, if the module's code computed it.
    pub region: Option<RegionId>,
    /// What is known of its place by type.
    pub shape: Shape,
    /// For people.
    pub name: String,
    /// Where it is taken; empty if the kernel holds it on entry.
    pub taken: Vec<Option<LocId>>,
    /// Whether the kernel holds it on entry.
    pub implicit: bool,
    /// The highest of those that it keeps off the CPU that the thread runs on, if it is no lock but a mask.
    pub keeps_off: Option<Context>,
    /// Whether the kernel calls the thread only in a state, or only where that is not: no lock that excludes who has it, too.
    pub state: bool,
    /// The flag that it is, if it is no lock but a word that says who owns something.
    pub owns: Option<Flag>,
    /// Identifies it over repeated encodings of a loop.
    pub key: Key,
}

impl Lock {
    /// Whether two locks that the kernel holds exclude each other, if they are at one address. Of a state, those who are called in
    /// it exclude those who are called where it is not, and nobody else.
    pub fn excludes(&self, other: &Lock) -> bool {
        let opposite = self.mode != other.mode || seeded(Fault::StatesExcludeThemselves);
        self.class == other.class && self.conflicts(other) && (opposite || !self.state)
    }

    /// Whether two locks of one class and address cannot be held at once, as they are held.
    pub fn conflicts(&self, other: &Lock) -> bool {
        let by_others =
            self.table.zip(other.table).is_some_and(|(a, b)| a != b || seeded(Fault::TablesNotCompared));
        self.mode == LockMode::Exclusive || other.mode == LockMode::Exclusive || by_others
    }

    /// Whether both are turns that cannot be at once, if they are of one word.
    pub fn contradicts(&self, other: &Lock) -> bool {
        self.owns.as_ref().zip(other.owns.as_ref()).is_some_and(|(a, b)| a.contradicts(b))
    }
}

/// What is known of a lock but for its address. One instruction may have several: it may be inlined in places that
/// know different types.
pub type LockKind = (Key, Option<RegionId>, Shape);

impl Lock {
    /// Its kind.
    pub fn kind(&self) -> LockKind {
        (self.key, self.region, self.shape)
    }
}

/// The classes of locks that are states of the kernel.
pub type StateClasses = BTreeMap<String, StateKind>;

/// A class of states of the kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateKind {
    /// Whether the kernel counts how often one was brought about.
    pub counted: bool,
    /// The class of handles of which the first one that is registered ends it all the same.
    pub ended_by: Option<String>,
}

/// The end of a state of the kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct End {
    /// The class.
    pub class: String,
    /// Which.
    pub at: Addr,
    /// Those of the class that the thread has surely brought about before.
    pub own: Vec<Addr>,
}

/// A lock that is given back where it may not be held.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stray {
    /// The class of the lock.
    pub class: String,
    /// Where.
    pub loc: Option<LocId>,
    /// When it is not held there.
    pub when: TermId,
}

/// The end of a thread that begins or ends the binding of a driver.
#[derive(Clone, Debug)]
pub struct Returned {
    /// That it returns.
    pub guard: TermId,
    /// That it returns something else than zero.
    pub fails: TermId,
    /// Per event: whether it has happened and is still in force then.
    pub events: Arc<Vec<TermId>>,
    /// What is held then.
    pub held: Lockset,
    /// The number of the CPU then, if something keeps the thread there.
    pub cpu: TermId,
    /// Of memory that ends with the driver, by event: that it was asked for, and others may know it.
    pub published: Vec<(usize, TermId)>,
}

/// What tells two things made by a thread apart, independent of the order in which they were made.
pub type Key = (FuncId, InstId, u32);

/// The class of the locks of devices.
const DEVICE_LOCK: &str = "device";

/// The class of the events that stand for memory which ends when the driver is unbound: the handle is the object.
pub const MANAGED_MEMORY: &str = "managed-memory";

/// The class of what is given to unknown code, which may register it, or what it leads to, with the kernel.
pub const HANDED_OUT: &str = "handed-out";

/// The class of the event that a driver is unbound.
pub const UNBOUND: &str = "unbound";

/// A registration or unregistration of callbacks.
#[derive(Clone, Debug)]
pub struct Event {
    /// The class of handle.
    pub class: String,
    /// The handle.
    pub handle: Addr,
    /// What is known of the handle's place by type.
    pub shape: Shape,
    /// Through what it is registered (an interrupt line, a queue), if the class has such a thing: a number, or the object
    /// of a pointer.
    pub through: Option<TermId>,
    /// Where in that object, if that is known; 0 for a number.
    pub through_at: Option<u64>,
    /// Of a registration: how far behind the handle in its object that lies, wherever it does.
    pub behind: Vec<i128>,
    /// Whether it registers; else it unregisters and waits.
    pub registers: bool,
    /// Whether it stands for any number of events, of any handles.
    pub anywhere: bool,
    /// Of a registration: whether the handle lies in an object that nobody else could know before.
    pub fresh: bool,
    /// Whether the handle is an object that the module has made and keeps to itself, so that code outside registers it only when it
    /// is told to.
    pub kept: bool,
    /// Whether the handle lies in what the driver data lead to of the device of which the kernel holds the lock.
    pub of_own_device: bool,
    /// Of a registration: the callback, if there is only one that it may be.
    pub callback: Option<FuncId>,
    /// Of a registration: what the callback gets, as which parameter.
    pub argument: Option<(u32, Addr)>,
    /// Of a registration: whether it outlives the binding of the driver, unless it is ended.
    pub stays: bool,
    /// Of a registration: the device of which the kernel ends it, and waits, when its driver is unbound, or an object that ends
    /// then.
    pub until: Option<Addr>,
    /// Whether it is in a loop, and so may come before and after another one there.
    pub repeated: bool,
    /// Of an unregistration: which events were in force before it, as at a site.
    pub before: Arc<Vec<TermId>>,
    /// What was held then, where that is asked and the thread itself has executed it.
    pub holding: Option<Holding>,
    /// Identifies it over repeated encodings of a loop.
    pub key: Key,
}

/// The locks that a thread holds at an event.
#[derive(Clone, Debug)]
pub struct Holding {
    /// Those that it surely holds and nobody else then.
    pub surely: Vec<usize>,
    /// Whether it surely holds none that its code has taken.
    pub none: bool,
}

/// What a thread does at a checkpoint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// It gives back a lock of the class.
    GivesBack(String),
    /// It registers a callback that runs once.
    Registers,
    /// It returns from its entry point.
    Returns,
}

/// A point at which what the thread has registered may have to be over.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// What happens there.
    pub what: Step,
    /// The condition of being there.
    pub guard: TermId,
    /// Which events are in force.
    pub events: Arc<Vec<TermId>>,
    /// What is held.
    pub held: Lockset,
}

/// Two pointers that are one, as the kernel calls the entry point.
#[derive(Clone, Debug)]
pub struct SamePointers {
    /// They.
    pub pointers: [Addr; 2],
    /// The objects of the pointers on the way to them: if one is null, they need not be one.
    pub through: Vec<TermId>,
}

/// A read of memory that others may write: its value is arbitrary unless the address is stable.
#[derive(Clone, Debug)]
pub struct SharedLoad {
    /// The variables that stand for the value: one integer, or object and offset.
    pub vars: LoadVars,
    /// Where.
    pub addr: Addr,
    /// The region of the address.
    pub region: RegionId,
    /// What is known of its bytes by type.
    pub shape: Shape,
    /// The place.
    pub inst: (FuncId, InstId),
    /// Whether it reads an object that nobody else can see, of unknown content: the thread's own writes there
    /// are no sites.
    pub private: bool,
}

/// A handle that the thread unregisters by what it was registered through, which it has read somewhere.
#[derive(Clone, Debug)]
pub struct Named {
    /// The class.
    pub class: String,
    /// The variables that stand for the handle: object and offset.
    pub handle: (VarId, VarId),
    /// Where it was read.
    pub place: Addr,
    /// The region of that.
    pub region: RegionId,
    /// What is known of its bytes by type.
    pub shape: Shape,
}

/// A read of memory that others may see, of what the thread itself has stored there last.
#[derive(Clone, Debug)]
pub struct Followed {
    /// The global that is read, as an object; none if it is an object that the thread has made.
    pub global: Option<i128>,
    /// The first byte of it that is read, and the one behind the last.
    pub bytes: (i128, i128),
    /// The region of the address.
    pub region: RegionId,
    /// What is known of its bytes by type.
    pub shape: Shape,
    /// The place.
    pub inst: (FuncId, InstId),
}

/// A pointer that a loop carries from one iteration to the next.
#[derive(Clone, Debug)]
pub struct Carried {
    /// The variable that stands for its object in any iteration.
    pub var: VarId,
    /// The object with which the loop begins; in the terms of what was there before.
    pub first: TermId,
    /// The objects with which it goes on.
    pub again: Vec<TermId>,
}

/// The variables that stand for a loaded value.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum LoadVars {
    /// An integer of that many bits.
    Int(VarId, u16),
    /// A pointer: object and offset.
    Ptr(VarId, VarId),
}

/// A call on the way to a site.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct StackFrame {
    /// The caller's frame.
    pub parent: Option<StackId>,
    /// The function.
    pub func: FuncId,
    /// Where it was called.
    pub call: Option<LocId>,
}

/// What was added to a thread that unbinds a driver: what ends behind it.
#[derive(Clone, Default, Debug)]
pub struct Unbinding {
    /// How many sites it had before.
    pub sites: usize,
    /// How many events.
    pub events: usize,
    /// How many shared reads.
    pub loads: usize,
    /// The positions of the threads whose memory ends here.
    pub of: Vec<usize>,
    /// The events that the driver is unbound; in force wherever memory ends with it.
    pub unbound: Vec<usize>,
    /// The ends of what was registered; in force where memory ends that was there before.
    pub ends: Vec<EndOfRegistration>,
    /// What was registered so that the driver itself has to end it.
    pub kept: Vec<KeptRegistration>,
}

/// What the thread that binds a driver has registered for longer than that.
#[derive(Clone, Debug)]
pub struct KeptRegistration {
    /// The position of that thread, and its event.
    pub of: (usize, usize),
    /// The class.
    pub class: String,
    /// The handle, as the thread knows it that has unbound the driver.
    pub handle: Addr,
    /// The event that it has.
    pub unbound: usize,
}

impl Unbinding {
    /// Behind what the thread does itself.
    pub fn after(thread: &Thread) -> Unbinding {
        let (sites, events, loads) = (thread.sites.len(), thread.events.len(), thread.loads.len());
        Unbinding { sites, events, loads, ..Unbinding::default() }
    }
}

/// The end of what a thread has registered as long as a driver is bound.
#[derive(Copy, Clone, Debug)]
pub struct EndOfRegistration {
    /// The event that it is.
    pub event: usize,
    /// The position of that thread, and its event.
    pub of: (usize, usize),
    /// Of a registration in a loop: the event that counts only for handles in the same object, since others may have been
    /// registered before the memory was there.
    pub by_object: Option<usize>,
}

/// A handle that must be registered for this thread to run.
#[derive(Clone, Debug)]
pub struct Handle {
    /// The class.
    pub class: String,
    /// Which handle.
    pub addr: Addr,
    /// The function that runs.
    pub func: FuncId,
    /// Whether registering makes the handle, so that what was registered under it tells who runs.
    pub made: bool,
    /// The parameter, with its bits, that is what the handle was registered through.
    pub through: Option<(VarId, u16)>,
    /// What it gets then, as far as that are pointers.
    pub params: Vec<Option<Addr>>,
}

/// A pointer that code outside gave.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Given {
    /// The variable that stands for the object.
    pub var: VarId,
    /// What the pointer is declared to point to.
    pub pointee: Option<TypeId>,
    /// The parameter of the entry point that it is.
    pub param: Option<u32>,
    /// Where the struct has it to which the object belongs for good.
    pub holder: Option<Addr>,
}

/// The encoding of one entry point.
#[derive(Clone, Debug)]
pub struct Thread {
    /// Whose it is.
    pub entry: EntryPointId,
    /// The highest that it may run as.
    pub highest: Context,
    /// The arena of all its terms.
    pub terms: Terms,
    /// The variables that identify objects that the thread itself makes (stack, heap, call-owned
    /// parameters): all different from each other and from everything that existed before.
    pub locals: Vec<VarId>,
    /// What makes each.
    pub made_by: Vec<Key>,
    /// Which of them are on the stack, and so hold no handle that outlives the call.
    pub on_stack: Vec<bool>,
    /// Which of them have an address that went where nobody follows it: everywhere but into memory by a
    /// store that is a site or a hidden write, once.
    pub lost: Vec<bool>,
    /// The stores, in loops, each of which may put one of them in several places.
    pub repeated: Vec<BTreeSet<(FuncId, InstId)>>,
    /// The objects of other pointers that went where nobody follows; no choices.
    pub kept: BTreeSet<TermId>,
    /// The objects of pointers that went where nobody follows otherwise than as handles that it registers.
    pub spread: BTreeSet<TermId>,
    /// What code outside gave to it, as parameters and results.
    pub given: Vec<Given>,
    /// The sites.
    pub sites: Vec<Site>,
    /// The writes to objects that are not published.
    pub hidden: Vec<HiddenWrite>,
    /// The locks.
    pub locks: Vec<Lock>,
    /// The registrations.
    pub events: Vec<Event>,
    /// The shared reads.
    pub loads: Vec<SharedLoad>,
    /// The pointers that its loops carry, unless they stay in their object.
    pub carried: Vec<Carried>,
    /// The handles that it names by what they were registered through.
    pub named: Vec<Named>,
    /// The reads that were taken to give what the thread itself has stored.
    pub followed: Vec<Followed>,
    /// The handles that must be registered for it to run.
    pub handles: Vec<Handle>,
    /// The devices for which it runs, with the classes of what whoever binds them must have registered.
    pub bound: Vec<Handle>,
    /// The pointers that are one when it begins.
    pub same: Vec<SamePointers>,
    /// Who keeps what it gets.
    pub host: Option<HostRead>,
    /// Its stores of pointers in what it has made.
    pub hosted: Vec<Hosted>,
    /// The call chains.
    pub stacks: Vec<StackFrame>,
    /// Where it has registered what runs once, and it may have to be over.
    pub checkpoints: Vec<Checkpoint>,
    /// Classes of locks that its code releases anywhere.
    pub releases: BTreeSet<String>,
    /// The locks that it has taken itself and may hold when it returns, each with when that is.
    pub left: Vec<(usize, TermId)>,
    /// Locks that it may give back without having them.
    pub strays: Vec<Stray>,
    /// The flags that it may have taken, each with when it returns zero without holding it.
    pub without: Vec<(usize, TermId)>,
    /// What is registered and ended when it returns, if it binds a driver or is the last of one.
    pub returned: Option<Returned>,
    /// That it returns zero, if a session begins then.
    pub begun: Option<TermId>,
    /// What ends when it has unbound a driver.
    pub unbinding: Option<Unbinding>,
    /// Per site, where a driver is unbound at all: whether its object is reached from the parameters, or ends with a driver.
    pub of_own_device: Vec<bool>,
    /// The states of the kernel that it may end without being seen to have brought them about.
    pub ends: Vec<End>,
    /// The members of globals of which it took the initial value to be the value.
    pub initial: BTreeSet<(GlobalId, u64)>,
    /// Classes of which it may register one handle several times at once.
    pub several: BTreeSet<String>,
    /// What was assumed for it.
    pub ledger: Ledger,
    /// The size of the encoded call tree in instructions.
    pub instructions: usize,
}

/// An address that is the same in all threads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FixedPlace {
    obj: Fixed,
    off: i128,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Fixed {
    /// An object of the module.
    Module(i128),
    /// One of the kernel, by name.
    Kernel(Arc<str>),
}

impl Thread {
    /// Whether the term can only be the identity of an object that the thread itself makes, or null.
    pub fn makes(&self, obj: TermId) -> bool {
        match self.terms.get(obj) {
            Term::Var(v) => self.locals.contains(&v),
            Term::Ite(_, a, b) => self.makes(a) && self.makes(b),
            _ => self.terms.as_int(obj) == Some(0),
        }
    }

    /// The terms among which that of an object chooses; null is left out.
    pub fn leaves(&self, obj: TermId) -> Vec<TermId> {
        let (mut out, mut seen, mut work) = (Vec::new(), HashSet::new(), vec![obj]);
        while let Some(t) = work.pop() {
            if !seen.insert(t) || self.terms.as_int(t) == Some(0) {
                continue;
            }
            match self.terms.get(t) {
                Term::Ite(_, a, b) => work.extend([b, a]),
                _ => out.push(t),
            }
        }
        out
    }

    /// The locks that the kernel holds around the whole thread, which does not give them back.
    fn kept_locks(&self) -> impl Iterator<Item = &Lock> {
        self.locks.iter().filter(|l| l.implicit && l.keeps_off.is_none() && !self.releases.contains(&l.class))
    }

    /// Whether the kernel holds one lock around both threads that they cannot hold at once, and neither
    /// gives it back.
    pub fn is_serialized_with(&self, other: &Thread) -> bool {
        self.shares_lock(other, |a, b| {
            let place = self.fixed_place(a);
            place.is_some() && place == other.fixed_place(b)
        })
    }

    fn shares_lock(&self, other: &Thread, is_one: impl Fn(Addr, Addr) -> bool) -> bool {
        let is_shared = |a: &Lock| other.kept_locks().any(|b| a.excludes(b) && is_one(a.addr, b.addr));
        self.kept_locks().any(is_shared)
    }

    /// The same, if what lies here for this thread and there for the other is one.
    pub fn is_serialized_at(&self, here: Addr, other: &Thread, there: Addr) -> bool {
        self.shares_lock(other, |a, b| {
            let distance = self.distance(a, here);
            distance.is_some() && distance == other.distance(b, there)
        })
    }

    /// The locks of devices that the kernel holds whenever it calls the thread.
    pub fn device_locks(&self) -> impl Iterator<Item = &Lock> {
        self.locks.iter().filter(|l| l.implicit && l.class == DEVICE_LOCK)
    }

    /// Whether that is a device of which the kernel holds the lock, or the struct around it.
    pub fn is_own_device(&self, at: Addr) -> bool {
        let begins = self.terms.split_offset(at.off).1 == 0;
        self.device_locks().any(|device| {
            self.distance(at, device.addr).is_some_and(|distance| distance == 0 || distance < 0 && begins)
        })
    }

    /// Whether something may keep the thread on its CPU at a site.
    pub fn is_masked(&self, site: &Site) -> bool {
        let may_be_held = |(i, lock): (usize, &Lock)| {
            lock.keeps_off.is_some() && self.terms.as_bool(site.held.taken(i, &self.terms)) != Some(false)
        };
        self.locks.iter().enumerate().any(may_be_held)
    }

    /// How far behind `from` the address lies, if both are in one object and that is constant.
    pub fn distance(&self, addr: Addr, from: Addr) -> Option<i128> {
        if addr.obj != from.obj {
            return None;
        }
        let (x, k) = self.terms.split_offset(addr.off);
        let (y, l) = self.terms.split_offset(from.off);
        (x == y).then_some(k - l)
    }

    /// The global that an object is, if it is one of the module's.
    pub fn global(&self, module: &Module, obj: TermId) -> Option<GlobalId> {
        // Null has the number zero.
        let number = usize::try_from(self.terms.as_int(obj)? - 1).ok()?;
        (number < module.globals.len()).then(|| GlobalId::new(number))
    }

    /// What an address is, if it is the same in all threads.
    pub fn fixed_place(&self, addr: Addr) -> Option<FixedPlace> {
        let off = self.terms.as_int(addr.off)?;
        let obj = match self.terms.get(addr.obj) {
            Term::Int(obj) => Fixed::Module(obj),
            Term::Var(v) => Fixed::Kernel(Arc::clone(self.terms.var(v).name.shared()?)),
            _ => return None,
        };
        Some(FixedPlace { obj, off })
    }
}
