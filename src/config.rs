//! What a run was asked to do: the command line, resolved once. No code below `main` looks at raw arguments.

use crate::frontend::Kernel;
use std::path::PathBuf;
use std::time::Duration;

/// What the code that is checked runs in.
#[derive(Copy, Clone, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Environment {
    /// The Linux kernel: the functions that it calls run at the same time
    Linux,
    /// A process: main, and the threads that it makes with POSIX or C11 threads
    Posix,
}

/// Everything that the pipeline needs to know.
#[derive(Clone, Debug)]
pub struct Config {
    /// The files of one driver: C, or LLVM bitcode or text. More than one are linked.
    pub inputs: Vec<PathBuf>,
    /// The files of each other module that is verified together with it: those that it uses, or that use it.
    pub with: Vec<Vec<PathBuf>>,
    /// Extra flags for clang.
    pub clang_flags: Vec<String>,
    /// What the code runs in; what its sources look like, if not given.
    pub environment: Option<Environment>,
    /// Where the kernel's headers come from.
    pub kernel: Kernel,
    /// The compiler; by default the one that matches the LLVM library.
    pub clang: Option<PathBuf>,
    /// Files of the environment model that are read after the built-in ones; a later row wins.
    pub models: Vec<PathBuf>,
    /// Take the entry points from this file instead of looking for them.
    pub entry_points: Option<PathBuf>,
    /// Whether the inputs are known to be all files of the module.
    pub whole_module: bool,
    /// Whether external functions without a row are taken to touch no memory.
    pub pure_externals: bool,
    /// Also look for locks that are used wrongly, whatever they protect.
    pub deadlocks: bool,
    /// How much is searched for executions of the races of a program.
    pub confirm: Effort,
    /// Write each query as an SMT-LIB 2 file into this directory.
    pub emit_smt: Option<PathBuf>,
    /// How many threads work; by default one per core.
    pub jobs: Option<usize>,
    /// The hard limit of one query.
    pub query_timeout: Duration,
    /// The hard limit of all queries of one pair.
    pub pair_timeout: Duration,
    /// The hard limit of encoding, and of all pairs together.
    pub total_timeout: Duration,
    /// The memory that a solver may use, in megabytes.
    pub memory_mb: u32,
    /// How many races are enumerated per pair before the rest is left unknown.
    pub max_races: usize,
    /// Check only the pair of these two entry points.
    pub only_pair: Option<(String, String)>,
    /// Summarize all call trees of more than this many instructions, also where inlining them is cheap: to see
    /// what summaries cost.
    pub inline_limit: Option<usize>,
    /// Have one summary for each circle of calls, also for small ones: to test these.
    pub one_per_circle: bool,
    /// Print what this stage produces.
    pub dump: Option<Stage>,
}

impl Config {
    /// The defaults for one driver. The command line has the same ones.
    pub fn new(inputs: Vec<PathBuf>) -> Config {
        Config {
            inputs,
            with: Vec::new(),
            clang_flags: Vec::new(),
            environment: None,
            kernel: Kernel::Auto,
            clang: None,
            models: Vec::new(),
            entry_points: None,
            whole_module: false,
            pure_externals: false,
            deadlocks: false,
            confirm: Effort::default(),
            emit_smt: None,
            jobs: None,
            query_timeout: Duration::from_secs(10),
            pair_timeout: Duration::from_secs(60),
            total_timeout: Duration::from_secs(600),
            memory_mb: 2048,
            max_races: 25,
            only_pair: None,
            inline_limit: None,
            one_per_circle: false,
            dump: None,
        }
    }

    /// The files of all modules, that of the driver first.
    pub fn modules(&self) -> impl Iterator<Item = &[PathBuf]> {
        std::iter::once(&self.inputs).chain(&self.with).map(Vec::as_slice)
    }
}

/// Where threads may be switched (WHOOP, section IV): each finds the same races.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum Switches {
    /// At accesses that may race, and at operations on locks
    #[default]
    Races,
    /// At all accesses that others can reach
    All,
}

/// How much is searched.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Effort {
    /// The most states of the program; none are looked at if this is zero.
    pub states: usize,
    /// The most context switches of an execution.
    pub switches: u32,
    /// Where these may be.
    pub at: Switches,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { states: 50_000, switches: 9, at: Switches::Races }
    }
}

/// A stage of the pipeline whose result can be printed.
#[derive(Copy, Clone, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Stage {
    /// The module as the front end delivers it.
    Ir,
    /// The module with the environment model applied.
    Effects,
    /// The entry points.
    EntryPoints,
    /// All pairs, with the reasons of those that are omitted.
    Pairs,
    /// Points-to, regions and sharing.
    Facts,
    /// The encoded threads: access sites with their guards and locks.
    Threads,
    /// The queries in SMT-LIB 2.
    Queries,
}

/// What a long run tells its caller, and asks it. Called from several threads.
pub trait Progress: Sync {
    /// A stage begins; `what` completes "lockpair is ...".
    fn stage(&self, what: &str) {
        let _ = what;
    }
    /// So many pairs will be checked.
    fn pairs(&self, total: usize);
    /// One of them is done.
    fn done_one(&self);
    /// Whether the user wants the run to stop: the pairs that are not done become
    /// [`Interrupted`](crate::verdict::UnknownReason::Interrupted).
    fn interrupted(&self) -> bool;
}

/// Shows nothing and never interrupts.
#[derive(Copy, Clone, Default, Debug)]
pub struct Silent;

impl Progress for Silent {
    fn pairs(&self, _total: usize) {}
    fn done_one(&self) {}
    fn interrupted(&self) -> bool {
        false
    }
}
