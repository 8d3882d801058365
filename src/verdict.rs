//! What the verifier answers: a verdict per pair of entry points, with the evidence for it.
//!
//! This module is only data; who fills it is [`crate::pipeline`], who shows it is [`crate::report`].

use crate::config::Environment;
use lockpair_entry_points::{EntryPointId, EntryPoints, Omission};
use lockpair_ir::{Assumption, EntityRef, LocId, LockMode, Mark, Module};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// What `leans_on` says after the name of a function without a row.
pub const NOT_MODELLED: &str = ", which the environment model does not know";

/// The answer for a pair, from best to worst (design, section 1). The order is that of the exit
/// codes' precedence: a race outranks an unknown.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// The verification condition is unsatisfiable.
    RaceFree,
    /// Nothing was proved and nothing found.
    Unknown(UnknownReason),
    /// The verification condition is satisfiable; no real execution was found.
    Potential,
    /// A bounded, precise execution of the program reaches the race and was replayed.
    Race,
}

impl Verdict {
    /// The stable name for machine-readable output.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::RaceFree => "race-free",
            Verdict::Unknown(_) => "unknown",
            Verdict::Potential => "potential",
            Verdict::Race => "race",
        }
    }
}

/// Why a pair is unknown.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum UnknownReason {
    /// A query or the whole pair ran out of time.
    Timeout,
    /// The solver ran out of memory.
    Memory,
    /// The solver gave up for another reason.
    Solver(String),
    /// More races than the cap; those found are listed.
    TooManyRaces(usize),
    /// The solver had races in hand and did not find at once whether there are more.
    MoreRaces,
    /// The user stopped the run before this pair was done.
    Interrupted,
    /// A contradiction in our own query: an internal error, never a proof.
    Vacuous(String),
    /// A construct of the module that the front end does not know: what it does may be missing.
    Unsupported(String),
}

impl std::fmt::Display for UnknownReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            UnknownReason::Timeout => write!(f, "time limit reached"),
            UnknownReason::Memory => write!(f, "memory limit reached"),
            UnknownReason::Solver(why) => write!(f, "the solver gave up: {why}"),
            UnknownReason::TooManyRaces(cap) => {
                write!(f, "more than {cap} potential races: the rest was not enumerated")
            }
            UnknownReason::MoreRaces => {
                write!(f, "there may be more potential races: the search was given up after those listed")
            }
            UnknownReason::Interrupted => write!(f, "interrupted"),
            UnknownReason::Vacuous(what) => write!(f, "internal error: vacuous query ({what})"),
            UnknownReason::Unsupported(what) => write!(f, "the module has an unsupported construct: {what}"),
        }
    }
}

/// A lock that a thread holds at an access.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct HeldLock {
    /// The class (mutex, spinlock, rtnl ...).
    pub class: String,
    /// How it is held.
    pub mode: LockMode,
    /// Which lock, for people: `&tp->lock`-like text, a global's name, or the implicit lock's expression.
    pub name: String,
    /// Where it was taken; none if the kernel holds it on entry.
    pub taken: Option<LocId>,
}

/// What an access is for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Purpose {
    /// It reads or writes what is there.
    Use,
    /// It ends the object: a write to all of its bytes.
    Free,
    /// The same, by the kernel, when it has unbound the driver that has asked for the object with its device.
    FreeWithDriver,
    /// It takes a lock or gives it back, which reads it: who makes the lock anew meanwhile lets in a second holder.
    Lock,
}

impl Purpose {
    /// Whether the object ends.
    pub fn frees(self) -> bool {
        matches!(self, Purpose::Free | Purpose::FreeWithDriver)
    }
}

/// One of the two accesses of a race.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Access {
    /// Where in the source; its inlined-at chain leads to the function that the next frame calls.
    pub loc: Option<LocId>,
    /// The calls that lead to it, outermost first: (the function called, where the call stands; none
    /// for the entry point itself).
    pub stack: Vec<Frame>,
    /// What it accesses as its own code sees that, as in [`RaceReport::location`]; none if it has no type there.
    pub location: Option<String>,
    /// Whether it writes.
    pub write: bool,
    /// What it is for.
    pub purpose: Purpose,
    /// Who makes it.
    pub by: By,
    /// How it is marked.
    pub mark: Mark,
    /// The bit-fields that have a part in its bytes, if it is an access to one.
    pub bit_fields: Vec<String>,
    /// What is held there in the counterexample.
    pub locks: Vec<HeldLock>,
}

/// Who makes an access.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum By {
    /// An instruction of the code that is checked.
    Instruction,
    /// A function outside that is called there, as its row says.
    Row,
    /// A function outside without a row, by its name: it is taken to do whatever it can.
    Unknown(String),
}

/// A call on the way to an access.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Frame {
    /// The function that was called.
    pub function: String,
    /// Where the call stands; none for the entry point itself.
    pub call: Option<LocId>,
}

/// Two accesses that nothing was found to keep apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RaceReport {
    /// `struct foo.bar`, or the name of a global with a member.
    pub location: String,
    /// The access of the first and of the second entry point of the pair. One takes part in many races.
    pub accesses: [Arc<Access>; 2],
    /// How the two sides come to mean the same memory.
    pub meeting: Meeting,
    /// Assumptions whose absence might remove the race (approximations that it leans on), in words.
    pub leans_on: Vec<String>,
    /// The two accesses, by their positions among those of their threads.
    pub sites: [usize; 2],
    /// What removes it; looked for only where a report shows it, and where a side takes a lock.
    pub fix: Option<Fix>,
    /// An execution that has it, if one was found and replayed.
    pub execution: Option<Arc<Execution>>,
}

/// What speaks for two accesses being to the same memory.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Meeting {
    /// Both sides name the variable, or a struct that has the bytes in the same place.
    Member,
    /// Nothing was found that keeps the bytes apart; at least one side has no type for them, or another one.
    Bytes,
}

/// An execution that comes to a race.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Execution {
    /// Where it begins.
    pub begins: Begins,
    /// What happens, in order. The last two are the accesses that may happen at once then.
    pub steps: Vec<Step>,
}

/// Where an execution begins, and so what it shows.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Begins {
    /// At the first instruction of a program: the program has it.
    Program,
    /// In a state that no row excludes, and functions outside do and give what their rows allow: the model has it.
    AnyState,
}

/// What a thread does in an execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Which thread, by its function.
    pub thread: String,
    /// What it does, as what follows its name in a sentence.
    pub what: String,
    /// Where; none where a thread starts or ends.
    pub loc: Option<LocId>,
}

/// What becomes of the simplest change that would remove a race.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fix {
    /// With this lock of one side taken around the access of the other one, too, the two places race no more: so the
    /// condition of the pair says.
    Take {
        /// The lock.
        lock: HeldLock,
        /// The access that does not have it: 0 or 1.
        around: usize,
    },
    /// No such lock was found, and why.
    Missing(String),
}

/// A registration for a device that may outlive the binding of its driver.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LeftBehind {
    /// Who binds the driver.
    pub entry: EntryPointId,
    /// The class of handles.
    pub class: String,
    /// Where it registers.
    pub loc: Option<LocId>,
}

impl RaceReport {
    /// Whether an execution of the program itself has it.
    pub fn is_confirmed(&self) -> bool {
        self.execution.as_ref().is_some_and(|execution| execution.begins == Begins::Program)
    }

    /// Whether the object may end while the other side uses it.
    pub fn is_of_lifetime(&self) -> bool {
        self.has(Purpose::Free) || self.has(Purpose::FreeWithDriver)
    }

    /// Whether a lock may be made anew or destroyed while the other side takes it. Then the lock keeps nobody out,
    /// and what it is to protect is not reported again.
    pub fn is_of_lock(&self) -> bool {
        self.has(Purpose::Lock)
    }

    /// Whether both sides are instructions of the code that is checked.
    pub fn is_of_instructions(&self) -> bool {
        self.accesses.iter().all(|access| access.by == By::Instruction)
    }

    fn has(&self, purpose: Purpose) -> bool {
        self.accesses.iter().any(|access| access.purpose == purpose)
    }
}

/// How a lock is used wrongly, whatever it protects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LockFault {
    /// A thread waits for a lock that it holds.
    TakenTwice,
    /// An entry point returns with a lock that it has taken.
    LeftHeld,
    /// Two threads each hold a lock that the other waits for.
    OppositeOrder,
    /// A thread takes a lock while an interrupt may come that waits for it.
    Interrupted,
}

/// A lock that is used wrongly. There are none but with `--check deadlock`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LockProblem {
    /// What is wrong.
    pub fault: LockFault,
    /// The locks: that one, or the outer and the inner one of the first side.
    pub locks: Vec<HeldLock>,
    /// Who does it: one thread, or two.
    pub entries: Vec<EntryPointId>,
    /// Where each waits for a lock, or takes it, with what it holds there; nothing of a lock that is left held.
    pub waits: Vec<Arc<Access>>,
}

/// The answer for one pair, with the evidence.
#[derive(Clone, Debug)]
pub struct PairResult {
    /// The two entry points; equal for an entry point against itself.
    pub pair: (EntryPointId, EntryPointId),
    /// The verdict.
    pub verdict: Verdict,
    /// The races found, if any.
    pub races: Vec<RaceReport>,
    /// The regions that both access and that the query was about.
    pub regions: usize,
    /// How many of them are racy.
    pub racy_regions: usize,
    /// Solver calls.
    pub queries: usize,
    /// Wall-clock time of this pair.
    pub time: Duration,
}

/// What the verdicts rest on, as indices into [`Analysis::assumptions`].
#[derive(Clone, Default, Debug)]
pub struct Grounds {
    /// All of them.
    pub general: BTreeSet<usize>,
    /// Per entry point: those of its pairs.
    pub of_entry: Vec<BTreeSet<usize>>,
}

impl Grounds {
    /// What the verdict of a pair rests on. (Not kept per pair: it is by far the most that there is to say of one.)
    pub fn of_pair(&self, (a, b): (EntryPointId, EntryPointId)) -> BTreeSet<usize> {
        let own = |entry: EntryPointId| self.of_entry.get(entry.index()).into_iter().flatten();
        self.general.iter().chain(own(a)).chain(own(b)).copied().collect()
    }
}

/// Where the time of a run went.
#[derive(Clone, Copy, Default, Debug)]
pub struct Times {
    /// The compiler.
    pub clang: Duration,
    /// Reading bitcode, passes, conversion.
    pub frontend: Duration,
    /// Environment model, entry points, points-to and the encoding of entry points.
    pub analysis: Duration,
    /// All pairs, wall clock.
    pub pairs: Duration,
    /// The search for executions.
    pub confirming: Duration,
    /// All of it, wall clock.
    pub total: Duration,
}

/// What the search for executions of a program came to.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Searched {
    /// The states that were looked at.
    pub states: usize,
    /// The instructions that were executed for that.
    pub steps: u64,
    /// Whether all executions were looked at that are known exactly and have no more switches.
    pub complete: bool,
    /// Whether it was stopped, by the user or because the time of the module was over.
    pub interrupted: bool,
}

/// Everything that a run found out about one module.
#[derive(Clone)]
pub struct Analysis {
    /// What the code runs in.
    pub environment: Environment,
    /// The module with the environment applied (source places, types, names).
    pub module: Module,
    /// The entry points.
    pub entry_points: EntryPoints,
    /// A result per checked pair, in the order of the pairs.
    pub pairs: Vec<PairResult>,
    /// Locks that are used wrongly, if that was asked for.
    pub lock_problems: Vec<LockProblem>,
    /// The pairs that were not checked, with reasons.
    pub omitted: Vec<(EntryPointId, EntryPointId, Omission)>,
    /// Every assumption and approximation of the run.
    pub assumptions: Vec<Assumption>,
    /// Which of them each verdict rests on.
    pub grounds: Grounds,
    /// What drivers may leave registered when they are unbound.
    pub left_behind: Vec<LeftBehind>,
    /// Accesses that no execution reaches, as the encoding sees it: (entry point, place).
    pub unreachable: Vec<(EntryPointId, Option<LocId>)>,
    /// Accesses of which there was no time to find out whether an execution reaches them.
    pub undecided_sites: usize,
    /// Lines of C in the module's own source files.
    pub source_lines: usize,
    /// Memory regions of the module.
    pub regions: usize,
    /// Where the time went.
    pub times: Times,
    /// What the search for executions came to, if there was one.
    pub searched: Option<Searched>,
}

impl Analysis {
    /// The worst verdict over the pairs, by which the exit code goes.
    pub fn verdict(&self) -> Verdict {
        self.pairs.iter().map(|p| p.verdict.clone()).max().unwrap_or(Verdict::RaceFree)
    }
}
