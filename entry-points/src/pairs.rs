//! Which two entry points to check against each other, and why not the others.

use std::fmt;

use lockpair_env::schema::{AddrExpr, Base, ImplicitLock};
use lockpair_ir::{AssumptionKind, Ledger, LockMode, Module};

use crate::calls::CallTree;
use crate::model::{EntryPoint, EntryPointId, EntryPoints};

/// Why a pair need not be checked.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Omission {
    /// Both run under one lock of the kernel that excludes the other, and neither gives it up.
    Serialized {
        /// The class of the lock.
        class: String,
        /// Which lock.
        lock: AddrExpr,
        /// How the first one holds it.
        first: LockMode,
        /// How the second one holds it.
        second: LockMode,
    },
    /// They run once at most, in one thread.
    Once,
}

impl fmt::Display for Omission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Omission::Serialized { class, first, second, .. } = self else {
            return write!(f, "run once, in one thread");
        };
        match (first, second) {
            (LockMode::Exclusive, LockMode::Exclusive) => {
                write!(f, "serialized by {class} (exclusive in both)")
            }
            (LockMode::Exclusive, LockMode::Shared) => {
                write!(f, "serialized by {class} (exclusive in the first, shared in the second)")
            }
            (LockMode::Shared, LockMode::Exclusive) => {
                write!(f, "serialized by {class} (shared in the first, exclusive in the second)")
            }
            // Never built.
            (LockMode::Shared, LockMode::Shared) => write!(f, "{class} is shared in both"),
        }
    }
}

/// All unordered pairs of entry points, each in one of the lists.
#[derive(Clone, Default, Debug)]
pub struct Pairs {
    /// The pairs to check.
    pub checked: Vec<(EntryPointId, EntryPointId)>,
    /// The pairs that cannot run in parallel.
    pub omitted: Vec<(EntryPointId, EntryPointId, Omission)>,
    /// What the omissions assume.
    pub ledger: Ledger,
}

/// All unordered pairs, `(x, x)` included; left out only where that is certain given the model and the
/// recorded assumptions. `facts` gives the call tree of an entry point ([`crate::call_trees`]).
pub fn pairs(module: &Module, eps: &EntryPoints, facts: &dyn Fn(EntryPointId) -> CallTree) -> Pairs {
    let sides: Vec<Side> = eps.items.iter().map(|(id, ep)| Side::new(module, id, ep, facts(id))).collect();
    let mut out = Pairs::default();
    for (index, a) in sides.iter().enumerate() {
        for b in &sides[index..] {
            let serialized = a.locks.iter().find_map(|lock| b.excluded_by(lock));
            // The init functions of several modules are in threads of their own.
            let is_init = |side: &Side| eps.items[side.id].is_init();
            let is_once = |side: &Side| eps.items[side.id].once;
            let in_one = a.id == b.id || !is_init(a) && !is_init(b);
            let once = (is_once(a) && is_once(b) && in_one).then_some(Omission::Once);
            match serialized.or(once) {
                Some(omission) => out.omit(a, b, omission),
                None => out.checked.push((a.id, b.id)),
            }
        }
    }
    out
}

impl Pairs {
    fn omit(&mut self, a: &Side, b: &Side, omission: Omission) {
        if let Omission::Serialized { class, lock, .. } = &omission {
            self.ledger.record(AssumptionKind::Environment, format!("{class} at {lock}"), None);
        }
        for (kind, subject, loc) in a.tree.assumed.iter().chain(&b.tree.assumed) {
            self.ledger.record(*kind, subject.clone(), *loc);
        }
        self.omitted.push((a.id, b.id, omission));
    }
}

/// One entry point, with the locks that it holds from its first to its last instruction.
struct Side<'a> {
    id: EntryPointId,
    locks: Vec<&'a ImplicitLock>,
    tree: CallTree,
}

impl<'a> Side<'a> {
    fn new(module: &Module, id: EntryPointId, ep: &'a EntryPoint, tree: CallTree) -> Side<'a> {
        // Without a body nothing is known of what it releases.
        let known = !tree.unresolved && module.funcs[ep.func].is_defined();
        let kept =
            |lock: &&ImplicitLock| known && is_constant(&lock.addr) && !tree.releases.contains(&lock.class);
        let locks = ep.locks.iter().filter(kept).collect();
        Side { id, locks, tree }
    }

    /// Whether this one holds the other's lock in a conflicting mode.
    fn excluded_by(&self, other: &ImplicitLock) -> Option<Omission> {
        let same = |l: &&&ImplicitLock| l.class == other.class && l.addr == other.addr;
        let conflicting = |l: &&&ImplicitLock| (l.mode, other.mode) != (LockMode::Shared, LockMode::Shared);
        let mine = self.locks.iter().filter(same).find(conflicting)?;
        let (class, lock) = (other.class.clone(), other.addr.clone());
        Some(Omission::Serialized { class, lock, first: other.mode, second: mine.mode })
    }
}

/// Whether the address is the same in every call: a global, or a member embedded in it.
fn is_constant(addr: &AddrExpr) -> bool {
    matches!(addr.base, Base::Global(_)) && addr.steps.iter().all(|step| !step.deref)
}
