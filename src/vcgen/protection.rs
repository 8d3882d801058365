//! What keeps accesses apart in the condition of a pair, besides their addresses.

/// A part of the condition. All are there but where somebody asks what is left without some of them.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Protection {
    /// Locks, flags and states of the kernel.
    Locks,
    /// Flags that say who owns something.
    Flags,
    /// That one of two threads on a CPU comes in between what the other does.
    Cpus,
    /// That callbacks run, and threads exist, only when they were registered, and not after their end.
    Callbacks,
    /// The conditions under which accesses happen.
    Conditions,
}

impl Protection {
    /// All of them.
    pub const ALL: [Protection; 5] = [
        Protection::Locks,
        Protection::Flags,
        Protection::Cpus,
        Protection::Callbacks,
        Protection::Conditions,
    ];
}
