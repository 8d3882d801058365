//! How much of a module is verified: all of it, or what a change of it can have changed.

use crate::analysis::calls::CallTargets;
use crate::analysis::origins::{self, Sources};
use crate::instrument::Thread;
use crate::instrument::thread::Site;
use crate::vcgen::Protection;
use crate::verdict::PairResult;
use lockpair_entry_points::EntryPointId;
use lockpair_ir::Module;
use std::collections::BTreeSet;

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

    /// Whether races that an access of the entry point has part in are looked for.
    fn counts(&self, entry: EntryPointId, site: &Site) -> bool {
        let _ = (entry, site);
        true
    }

    /// What is left out of the conditions of pairs.
    fn without(&self) -> BTreeSet<Protection> {
        BTreeSet::new()
    }

    /// Whether it is to be found out what would remove races.
    fn wants_fixes(&self) -> bool {
        false
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

impl Scope for Whole {
    fn wants_fixes(&self) -> bool {
        true
    }
}

/// What is known when all entry points are encoded.
pub struct Encoded<'a> {
    /// The module.
    pub module: &'a Module,
    /// Whom its calls call.
    pub targets: &'a CallTargets,
    /// A thread per entry point, before what it reads is shared with others.
    pub threads: &'a [Thread],
    /// What is known of where pointers come from.
    pub facts: &'a origins::Facts<'a>,
    /// Per thread, where its pointers come from.
    pub sources: &'a [Sources],
}
