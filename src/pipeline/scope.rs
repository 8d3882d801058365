//! How much of a module is verified: all of it, or what a change of it can have changed.

use crate::analysis::calls::CallTargets;
use crate::analysis::layout::Layout;
use crate::analysis::points_to::RegionId;
use crate::instrument::Thread;
use crate::verdict::PairResult;
use lockpair_entry_points::EntryPointId;
use lockpair_ir::Module;

/// What of a module is verified, and who looks on.
pub trait Scope: Sync {
    /// The encoding of an entry point if it is known. It has to be that of this entry point in a module that differs
    /// in nothing that the entry point reaches, and in no value, pointer or type.
    fn thread(&self, entry: EntryPointId) -> Option<Thread> {
        let _ = entry;
        None
    }

    /// Those of the pairs that are to be checked.
    fn pairs(&self, all: Vec<(EntryPointId, EntryPointId)>) -> Vec<(EntryPointId, EntryPointId)> {
        all
    }

    /// All entry points are encoded.
    fn encoded(&self, encoded: &Encoded) {
        let _ = encoded;
    }

    /// A pair is decided.
    fn checked(&self, result: &PairResult) {
        let _ = result;
    }

    /// Whether what is known by now is enough: then the other pairs stay undecided.
    fn is_done(&self) -> bool {
        false
    }
}

/// All of the module.
pub struct Whole;

impl Scope for Whole {}

/// What is known when all entry points are encoded.
pub struct Encoded<'a> {
    /// The module.
    pub module: &'a Module,
    /// Its types.
    pub layout: &'a Layout<'a>,
    /// Whom its calls call.
    pub targets: &'a CallTargets,
    /// The region of all that code outside can reach.
    pub external: RegionId,
    /// A thread per entry point, before what it reads is shared with others.
    pub threads: &'a [Thread],
}
