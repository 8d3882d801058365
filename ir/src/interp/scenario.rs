//! What to run: the objects of the environment, a sequential setup, and the threads that follow it.

use std::collections::{BTreeMap, BTreeSet};

use crate::inst::{InstId, LockMode};
use crate::module::{FuncId, GlobalId, LocId};
use crate::types::TypeId;

/// A program to explore: `setup` runs first and alone, then all threads run concurrently.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scenario {
    /// Objects that the environment has made and that arguments may point to.
    pub objects: Vec<EnvObject>,
    /// Calls that run one after the other before any thread starts.
    pub setup: Vec<Invocation>,
    /// The threads.
    pub threads: Vec<ThreadSpec>,
    /// The classes of locks that are none, but keep others off the CPU that the thread runs on, and the thread there.
    pub masks: BTreeMap<String, Mask>,
    /// The classes of locks that are none, but something that a thread brings about and anybody may end.
    pub states: BTreeMap<String, Ends>,
    /// The classes of locks that have a number, and no address.
    pub numbered: BTreeSet<String>,
    /// Whether volatile accesses count as marked, as in the kernel's memory model; C11 says no.
    pub volatile_is_marked: bool,
    /// If given, nothing is shown that rests on what is not known.
    pub exact: Option<Exact>,
    /// If given, the threads begin in any state.
    pub lazy: Option<Lazy>,
}

/// How far a pointer into an object that was there before leads behind its beginning, where threads begin in any state: as far may be
/// gone in front of it (`container_of`), and behind it.
pub const HEADROOM: u64 = 1 << 13;

/// Where what memory held before is not known, it is chosen when it is first read, and stays so (lazy initialization; Khurshid,
/// Păsăreanu and Visser, TACAS 2003). A pointer is null or leads to an object of its own, of which nothing is known either; what lies at one
/// place of like objects leads to the same one. So not all states are begun in: others have more pointers to one object.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lazy {
    /// The variables that may hold anything; others hold their initial value.
    pub globals: BTreeSet<GlobalId>,
    /// The handles that are registered at first: (class, address).
    pub registered: Vec<(String, ArgSpec)>,
}

/// What is known of the code outside where an execution must be one of the real program. A thread goes no further
/// ([`StuckReason::Unknown`](super::StuckReason::Unknown)) when it comes to an unmodelled function, to an arbitrary value or an address
/// as a number, to bytes that code outside has written or nobody has, to thread-local variables and what is defined elsewhere, to a lock
/// of its own that it tries, or registers what no thread of the scenario runs for: all that others do meanwhile is possible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exact {
    /// The instructions whose arbitrary value may really be any.
    pub arbitrary: BTreeSet<(FuncId, InstId)>,
    /// The classes of locks that are given back however they are held: a release says no mode.
    pub either: BTreeSet<String>,
    /// What a conditional acquisition gives where zero means success and the lock is held.
    pub busy: u128,
}

impl Default for Scenario {
    fn default() -> Self {
        Scenario {
            objects: Vec::new(),
            setup: Vec::new(),
            threads: Vec::new(),
            masks: BTreeMap::new(),
            states: BTreeMap::new(),
            numbered: BTreeSet::new(),
            volatile_is_marked: true,
            exact: None,
            lazy: None,
        }
    }
}

/// An object of the environment; everybody who names it gets the same one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EnvObject {
    /// The name, for reports.
    pub name: String,
    /// The size in bytes.
    pub size: u64,
    /// Scalars in the initial content, by offset; other bytes are zero, or not known if threads begin in any state ([`Lazy`]).
    pub cells: Vec<(u64, ArgSpec)>,
    /// The declared type of what a pointer to it points to, for reports.
    pub ty: Option<TypeId>,
    /// The position of the object that it is like ([`Lazy`]), if not of none,
    pub like: Option<usize>,
    /// and as far: so many bytes from where pointers to it lead. What is in front of these and behind is something else's.
    pub extent: u64,
}

/// A value that the environment passes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ArgSpec {
    /// An integer.
    Int {
        /// The width.
        bits: u16,
        /// The value.
        value: u128,
    },
    /// Any integer, chosen when the call begins.
    Any {
        /// The width.
        bits: u16,
    },
    /// The null pointer.
    Null,
    /// An address in an object of the environment.
    Object {
        /// The position in [`Scenario::objects`].
        id: usize,
        /// The offset in bytes.
        offset: u64,
    },
    /// An address in a global.
    Global(GlobalId, u64),
    /// The address of a function.
    Func(FuncId),
}

/// A call of a function of the module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invocation {
    /// The function.
    pub func: FuncId,
    /// The arguments; missing ones are zero.
    pub args: Vec<ArgSpec>,
    /// What its end means to who calls it, if anything.
    pub then: Option<Then>,
}

/// What the environment does when a call ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Then {
    /// If the call has returned zero, this handle is registered: (class, address).
    Registers(String, ArgSpec),
    /// This handle is no longer registered.
    Unregisters(String, ArgSpec),
}

/// A thread: one call, made under the conditions of its environment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThreadSpec {
    /// What the thread does.
    pub call: Invocation,
    /// Locks that are held from before its first step until its end: (class, mode, address).
    pub locks: Vec<(String, LockMode, ArgSpec)>,
    /// Handles that must be registered when it starts: (class, address).
    pub requires_registered: Vec<(String, ArgSpec)>,
    /// For a callback of any handle: what it is started for.
    pub callback: Option<Callback>,
    /// Where it may come in.
    pub level: Level,
    /// The masks that it has from its first step on, by class.
    pub masks: Vec<String>,
    /// The threads, by position, that must have finished when it starts.
    pub after: Vec<usize>,
    /// The classes of handles of which some must be registered when it starts.
    pub awaits: Vec<String>,
    /// The classes of handles that it may register, where threads begin in any state.
    pub registers: Vec<String>,
}

/// What runs on a CPU: each comes in between what those before it do, unless it is kept off.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// A process.
    Process,
    /// A soft interrupt.
    SoftIrq,
    /// An interrupt.
    HardIrq,
}

/// What a class of masks does.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Mask {
    /// The highest of those that it keeps off.
    pub keeps_off: Level,
    /// Whether it has to be ended as often as it was taken.
    pub counted: bool,
}

/// When something that a thread has brought about is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ends {
    /// When somebody has ended it as often as it was brought about, or the first handle of this class is registered through it.
    Counted(String),
    /// When somebody ends it.
    AtOnce,
    /// When the state of this class does, at the same place.
    With(String),
}

/// A thread that runs for one of the handles that are registered when it starts, whichever that is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Callback {
    /// The class of the handles.
    pub class: String,
    /// The handle, if it is always the same one.
    pub handle: Option<ArgSpec>,
    /// What a handle is registered through for which it runs, if that is not any thing.
    pub through: Option<Vec<ArgSpec>>,
    /// Whether no two threads run at a time for one handle that was registered through one thing.
    pub alone: bool,
    /// The arguments that say for what it runs.
    pub args: Vec<(usize, Of)>,
    /// Locks that it has from its start to its end: (class, mode, where).
    pub locks: Vec<(String, LockMode, Of)>,
    /// It does not start while this state lasts: (class, where).
    pub not_while: Option<(String, Of)>,
    /// Whether a registration starts one thread: it runs the function that the registration names, and who waits for its end
    /// waits for its start, too. Of threads with one function, those that come first in the scenario start first.
    pub spawned: bool,
}

/// What of a registration.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Of {
    /// The handle.
    Handle,
    /// What it was registered through.
    Through,
    /// The argument that it names.
    Argument,
}

impl Callback {
    /// Of any handle of the class, which gets it as that argument; one at a time.
    pub fn new(class: &str, param: usize) -> Callback {
        Callback {
            class: class.to_owned(),
            handle: None,
            through: None,
            alone: true,
            args: vec![(param, Of::Handle)],
            locks: Vec::new(),
            not_while: None,
            spawned: false,
        }
    }

    /// Of the threads that registrations of the class start, which get the argument as their parameter.
    pub fn spawned(class: &str, param: usize) -> Callback {
        Callback { spawned: true, args: vec![(param, Of::Argument)], ..Callback::new(class, param) }
    }
}

impl ThreadSpec {
    /// A thread without conditions.
    pub fn new(func: FuncId, args: Vec<ArgSpec>) -> ThreadSpec {
        ThreadSpec {
            call: Invocation { func, args, then: None },
            locks: Vec::new(),
            requires_registered: Vec::new(),
            callback: None,
            level: Level::Process,
            masks: Vec::new(),
            after: Vec::new(),
            awaits: Vec::new(),
            registers: Vec::new(),
        }
    }
}

/// How far an exploration goes. Whatever is cut off makes it incomplete.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Different states.
    pub max_states: usize,
    /// Instructions that one thread executes.
    pub max_steps: u64,
    /// Instructions that are executed in the whole search.
    pub max_search: u64,
    /// How often a loop goes back to its head each time it is entered.
    pub max_iterations: u32,
    /// Calls on one thread's stack.
    pub max_depth: usize,
    /// The size of a heap or stack object; larger allocations fail.
    pub max_object: u64,
    /// What an arbitrary integer may be; truncated to its width.
    pub havoc_ints: Vec<u128>,
    /// Whether an arbitrary pointer may be the start of an object of the environment, and not only null.
    pub havoc_objects: bool,
    /// What outside code may fill memory with.
    pub fill_bytes: Vec<u8>,
    /// Whether a conditional acquisition may fail though the lock is free.
    pub spurious_failure: bool,
    /// Whether steps that no other thread can notice are merged with the step before.
    pub reduce: bool,
    /// Bytes of objects that are not as they were at first, summed over all states that are come to: what these take to keep
    /// and to compare.
    pub max_bytes: u64,
    /// Where others may come in between plain accesses (WHOOP, section IV): at these places, if given, else at all. What is not
    /// marked elsewhere is taken to be free of races; operations on locks, atomic ones and frees can always be noticed.
    pub switches: Option<BTreeSet<LocId>>,
    /// If given, executions with few context switches are tried before those with more, and none with more than these. Where
    /// threads begin in any state, another value than the first one counts as two.
    pub max_switches: Option<u32>,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds {
            max_states: 200_000,
            max_steps: 20_000,
            max_search: u64::MAX,
            max_iterations: 64,
            max_depth: 64,
            max_object: 1 << 20,
            havoc_ints: vec![0, 1, u128::MAX],
            havoc_objects: true,
            fill_bytes: vec![0],
            spurious_failure: true,
            reduce: true,
            max_bytes: u64::MAX,
            switches: None,
            max_switches: None,
        }
    }
}
