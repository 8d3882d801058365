//! The generator: from a seed to a driver in miniature. Each family of programs is about other rules of the verifier.

mod binding;
mod conditional;
mod elements;
mod lifecycle;
mod mixed;
mod percpu;
mod references;
mod shape;
mod states;
mod turns;
mod writer;

use writer::Rng;

/// What a program is about.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Family {
    /// Locks of all kinds around all kinds of data.
    Mixed,
    /// The same, with much of it in functions that call each other and themselves.
    Deep,
    /// Many objects, each with a lock, found in many ways.
    Elements,
    /// Locks that are taken only sometimes, and given back by somebody else.
    Conditional,
    /// Callbacks that are registered and waited for.
    Lifecycle,
    /// What each CPU has a copy of.
    PerCpu,
    /// Lines that are off, and queues that are stopped.
    States,
    /// Drivers of devices, with attributes.
    Binding,
    /// Words that say whose turn it is.
    Turns,
    /// Objects that count references.
    References,
}

impl Family {
    /// Those that are about one thing.
    #[cfg(feature = "seeded-faults")]
    pub const OF_ONE_RULE: &[Family] = &[
        Family::Elements,
        Family::Conditional,
        Family::Lifecycle,
        Family::PerCpu,
        Family::States,
        Family::Binding,
        Family::Turns,
        Family::References,
    ];

    /// A name for files.
    pub fn name(self) -> &'static str {
        match self {
            Family::Mixed => "mixed",
            Family::Deep => "deep",
            Family::Elements => "elements",
            Family::Conditional => "conditional",
            Family::Lifecycle => "lifecycle",
            Family::PerCpu => "percpu",
            Family::States => "states",
            Family::Binding => "binding",
            Family::Turns => "turns",
            Family::References => "references",
        }
    }
}

/// The program of a seed.
pub fn program(family: Family, seed: u64) -> String {
    let rng = Rng::new(seed);
    match family {
        Family::Mixed => mixed::program(rng, false),
        Family::Deep => mixed::program(rng, true),
        Family::Elements => elements::program(rng),
        Family::Conditional => conditional::program(rng),
        Family::Lifecycle => lifecycle::program(rng),
        Family::PerCpu => percpu::program(rng),
        Family::States => states::program(rng),
        Family::Binding => binding::program(rng),
        Family::Turns => turns::program(rng),
        Family::References => references::program(rng),
    }
}
