//! The interpreter: executes modules concretely, to search small scenarios for data races and to replay
//! schedules. It shares nothing with the analysis, so each can be held against the other.
//!
//! It runs modules to which the environment model has been applied. Memory is bytes at fixed fake addresses;
//! execution is sequentially consistent. A *data race* is a reachable state in which two threads are
//! about to make accesses that overlap in a byte of one live object, at least one writing, not both marked. Of two threads on
//! one CPU (`cpus.rs`) one has come in between what the other does.
//!
//! What it does not do: undefined, uninitialized and opaque arbitrary values are zero; arbitrary values come
//! from a small set ([`Bounds`]); code that nobody modelled does nothing but return an arbitrary value.
//! Only globals have a copy for each CPU. Where threads begin in any state ([`Lazy`]), what is not known is chosen instead. So it may miss executions, and those that it shows are possible as far as that goes;
//! where they must be real, a thread stops instead ([`Exact`]).

mod code;
mod cpus;
mod engine;
mod exec;
mod explore;
mod locks;
mod memory;
mod names;
mod replay;
mod scenario;
mod state;
mod states;
pub(crate) mod value;

#[cfg(test)]
mod tests;

pub use engine::Program;
pub use explore::{Exploration, RaceFound, StuckThread, explore, explore_until};
pub use replay::{ReplayError, Trace, replay, replay_within};
pub use scenario::{
    ArgSpec, Bounds, Callback, Ends, EnvObject, Exact, HEADROOM, Invocation, Lazy, Level, Mask, Of, Scenario,
    Then, ThreadSpec,
};

use crate::inst::{InstId, LockMode, Mark};
use crate::module::{FuncId, LocId};

/// An instruction of the program.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Site {
    /// The function.
    pub func: FuncId,
    /// The instruction.
    pub inst: InstId,
    /// Where it comes from.
    pub loc: Option<LocId>,
}

/// An access to memory by a thread.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RaceAccess {
    /// The thread; the number of threads stands for the setup.
    pub thread: usize,
    /// The instruction.
    pub site: Site,
    /// The calls that are open, the outermost first.
    pub callers: Vec<Site>,
    /// The object: the name of a global or an environment object, or `heap:` or `stack:` and its place.
    pub object: String,
    /// Where it begins, for people.
    pub place: String,
    /// The first byte.
    pub offset: u64,
    /// How many bytes.
    pub len: u64,
    /// Whether it writes.
    pub write: bool,
    /// How it is marked.
    pub mark: Mark,
}

/// A turn of a thread in a [`Schedule`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ScheduleStep {
    /// The thread; the number of threads stands for the setup.
    pub thread: usize,
    /// What it gets where a choice is to be made, in order: the value of a havoc, 1 or 0 for the success of
    /// an allocation or conditional acquisition, the byte with which outside code fills memory.
    pub picks: Vec<u128>,
}

/// An execution, as the sequence of its choices.
///
/// A turn is one step of the thread (its start, an instruction or a terminator) and, unless
/// `single_steps` is set, all steps after it up to one that other threads can notice.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Schedule {
    /// The turns.
    pub steps: Vec<ScheduleStep>,
    /// Whether each turn is a single step.
    pub single_steps: bool,
}

/// Something that happened in a replayed execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// The thread; the number of threads stands for the setup.
    pub thread: usize,
    /// The instruction, if it was one.
    pub site: Option<Site>,
    /// What happened.
    pub action: Action,
}

/// What happens in an [`Event`]. Addresses are `object+offset`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// The thread starts.
    Start,
    /// The thread comes to its end.
    End,
    /// It asks where it runs, or stays where it is from now on: on this CPU.
    OnCpu(u128),
    /// It is the first to read what was there before ([`Lazy`]), or is given a value of which nothing is known.
    Find {
        /// Where; none if it is given.
        at: Option<String>,
        /// What is found.
        value: Found,
    },
    /// It accesses memory that others can reach.
    Access(RaceAccess),
    /// It tries to get a lock.
    Acquire {
        /// The class.
        class: String,
        /// The lock.
        lock: String,
        /// The mode.
        mode: LockMode,
        /// Whether it got it.
        obtained: bool,
    },
    /// It gives a lock back.
    Release {
        /// The class.
        class: String,
        /// The lock.
        lock: String,
        /// The mode.
        mode: LockMode,
    },
    /// It brings a state about, or ends it.
    State {
        /// The class.
        class: String,
        /// Of what.
        of: u64,
        /// Whether it lasts from here on.
        lasts: bool,
    },
    /// It registers a handle.
    Register {
        /// The class.
        class: String,
        /// The handle.
        handle: String,
    },
    /// It unregisters a handle.
    Unregister {
        /// The class.
        class: String,
        /// The handle.
        handle: String,
        /// Whether it waited for callbacks.
        sync: bool,
    },
}

/// What a thread finds where nothing is known.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// A number.
    Number(u128),
    /// The null pointer.
    Null,
    /// A pointer to an object of its own.
    Object,
}

/// Why a thread cannot go on: an error of the program, or something in it that the interpreter cannot run.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, thiserror::Error)]
pub enum StuckReason {
    /// An access to the first page, or to a lock there.
    #[error("null pointer dereference")]
    NullDereference,
    /// An access to an address where nothing ever was.
    #[error("access through an invalid pointer")]
    WildPointer,
    /// An access to, or a free of, an object that has ended.
    #[error("use after free")]
    UseAfterFree,
    /// An access beyond the end of an object.
    #[error("access out of bounds")]
    OutOfBounds,
    /// A write to a constant.
    #[error("write to constant memory")]
    ReadOnly,
    /// A free of something that was not allocated.
    #[error("free of something that was not allocated")]
    BadFree,
    /// A division by zero.
    #[error("division by zero")]
    DivisionByZero,
    /// A call through a pointer that points to no function.
    #[error("call of something that is no function")]
    NotAFunction,
    /// A release of a lock that the thread does not hold in that mode.
    #[error("release of a lock that is not held")]
    NotHeld,
    /// Control came to where it cannot come.
    #[error("unreachable code was reached")]
    Unreachable,
    /// An object larger than the bound, where allocation cannot fail.
    #[error("object too large")]
    OutOfMemory,
    /// What comes next rests on what is not known ([`Exact`]).
    #[error("what comes next is not known")]
    Unknown,
    /// The module is not well-formed, or the scenario calls a function without a body.
    #[error("malformed module or scenario")]
    Malformed,
}
