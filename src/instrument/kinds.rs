//! What the environment says of classes of handles and locks, and of structs, as far as encoding asks.

use super::thread::StateClasses;
use lockpair_env::schema::MaskRow;
use lockpair_ir::TypeId;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The answers.
#[derive(Clone, Debug, Default)]
pub struct Kinds {
    /// Structs that lie at the start of their allocation.
    pub first: HashSet<TypeId>,
    /// Classes of handles of which one may be registered several times at once.
    pub several: HashSet<String>,
    /// Classes of which who unregisters names what the handle was registered through.
    pub by_through: HashSet<String>,
    /// Classes of which each registration makes a handle of its own.
    pub fresh: HashSet<String>,
    /// Classes of which each registration runs its callback at most once.
    pub runs_once: HashSet<String>,
    /// Classes of which registering says that a callback is over, and unregistering waits for that: the struct that a handle
    /// is, and where in it that is counted.
    pub completes: HashMap<String, (TypeId, u64)>,
    /// Classes of locks that are states of the kernel: who has not taken one may end it, too.
    pub states: StateClasses,
    /// Classes of locks that are given back however they are held.
    pub either: BTreeSet<String>,
    /// Classes of locks that keep others off a CPU; none where no CPU has a copy of anything, and nobody asks.
    pub masks: BTreeMap<String, MaskRow>,
    /// Whether to note that loops are left where what follows happens: who asks what is held at the end wants to know.
    pub loops_left: bool,
}
