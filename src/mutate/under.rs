//! What a protection protects: the accesses at which it is in force, and those of others that they may meet.
//!
//! This is asked of regions, types and constant addresses only, not of the conditions of pairs: where the verifier
//! reports nothing for another reason, that is to be seen.

use super::trial::{Base, Outcome, Pair};
use crate::analysis::layout::Layout;
use crate::analysis::points_to::RegionId;
use crate::instrument::Thread;
use crate::instrument::thread::{Extent, Lock, Site, StackId};
use lockpair_entry_points::EntryPointId;
use lockpair_ir::*;
use std::collections::{BTreeSet, HashMap, HashSet};

/// What a mutant takes away.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Taken {
    /// A lock of this class and mode, taken at these places, if code takes it.
    Lock(String, LockMode, Vec<Option<LocId>>),
    /// That a handle of this class must be registered.
    Life(String),
    /// That an object belongs to one call.
    Owned,
    /// That an entry point runs once.
    Once,
}

/// Two accesses that may touch a common byte, of which one writes and one is plain.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Meeting {
    /// The pair of entry points.
    pub pair: Pair,
    /// Whose access is under the protection.
    pub entry: EntryPointId,
    /// Where it is.
    pub access: Option<LocId>,
    /// Where the other one is.
    pub other: Option<LocId>,
}

/// More meetings are not looked for.
pub const MEETINGS: usize = 2000;

/// The accesses of the pairs at which the protection was in force, with those that they may meet at which it is in force,
/// too. `instead` is the lock that is taken in its place: where both hold that, they do not meet.
pub fn meetings(
    base: &Base,
    after: &Outcome,
    pairs: &[Pair],
    taken: &Taken,
    instead: Option<GlobalId>,
) -> Vec<Meeting> {
    let module = &base.prepared.module;
    let (layout, external) = (Layout::new(module), base.external);
    let changed = Changed::new(base, after, taken);
    let mut out = BTreeSet::new();
    for &(a, b) in pairs {
        for (one, other) in [(a, b), (b, a)] {
            let Some(thread) = after.threads[one.index()].as_ref() else { continue };
            let there = other_side(base, after, other, taken, instead);
            let others = by_region(module, there, taken, instead);
            let own = representatives(thread, changed.sites(one).iter().map(|&s| &thread.sites[s]));
            for site in own {
                for other_site in others.get(&site.region).into_iter().flatten() {
                    let (pair, access, other) = ((a, b), site.loc, other_site.loc);
                    let meeting = Meeting { pair, entry: one, access, other };
                    let overlap =
                        || layout.may_overlap(site.region == external, site.shape, other_site.shape);
                    if !out.contains(&meeting)
                        && conflict(site, other_site)
                        && overlap()
                        && !apart((thread, site), (there, other_site))
                    {
                        out.insert(meeting);
                    }
                }
                if out.len() >= MEETINGS {
                    return out.into_iter().collect();
                }
            }
        }
    }
    out.into_iter().collect()
}

/// The thread whose accesses are met: as it was where the protection is asked for, else as it is.
fn other_side<'t>(
    base: &'t Base,
    after: &'t Outcome,
    entry: EntryPointId,
    taken: &Taken,
    instead: Option<GlobalId>,
) -> &'t Thread {
    let before = &base.threads[entry.index()];
    match taken {
        Taken::Lock(..) if instead.is_none() => before,
        Taken::Lock(..) | Taken::Owned | Taken::Life(_) | Taken::Once => {
            after.threads[entry.index()].as_ref().unwrap_or(before)
        }
    }
}

/// The accesses to data of a thread, by region, at which it may be kept out by the protection.
fn by_region<'t>(
    module: &Module,
    thread: &'t Thread,
    taken: &Taken,
    instead: Option<GlobalId>,
) -> HashMap<RegionId, Vec<&'t Site>> {
    let held = |site: &Site, l: usize| thread.terms.as_bool(site.held.taken(l, &thread.terms));
    let (spare, locks): (Vec<usize>, Vec<usize>) = match taken {
        Taken::Lock(class, mode, _) => {
            let excludes = |l: &Lock| {
                l.class == *class && (l.mode == LockMode::Exclusive || *mode == LockMode::Exclusive)
            };
            let all = (0..thread.locks.len()).filter(|&l| excludes(&thread.locks[l]));
            all.partition(|&l| instead.is_some_and(|g| is_global(thread, &thread.locks[l], g)))
        }
        Taken::Life(_) | Taken::Owned | Taken::Once => Default::default(),
    };
    let is_under = |site: &Site| match taken {
        Taken::Lock(..) => {
            locks.iter().any(|&l| held(site, l) != Some(false))
                && !spare.iter().any(|&l| held(site, l) == Some(true))
        }
        // Who neither registers nor waits is not kept apart by a registration.
        Taken::Life(class) => thread.events.iter().any(|event| event.class == *class),
        Taken::Owned | Taken::Once => true,
    };
    let sites = thread.sites.iter().filter(|site| !takes_lock(module, site) && is_under(site));
    let mut out: HashMap<RegionId, Vec<&Site>> = HashMap::new();
    for site in representatives(thread, sites) {
        out.entry(site.region).or_default().push(site);
    }
    out
}

/// Whether the lock is this variable.
fn is_global(thread: &Thread, lock: &Lock, global: GlobalId) -> bool {
    thread.terms.as_int(lock.addr.obj) == i128::try_from(global.index() + 1).ok()
}

/// One of all accesses that do not differ in what is looked at here.
fn representatives<'t>(thread: &Thread, sites: impl Iterator<Item = &'t Site>) -> Vec<&'t Site> {
    let mut seen = HashSet::new();
    let constants = |s: &Site| (thread.terms.as_int(s.addr.obj), thread.terms.as_int(s.addr.off));
    let key = |s: &Site| (s.region, s.shape, s.loc, s.write, s.mark, constants(s));
    sites.filter(|site| seen.insert(key(site))).collect()
}

/// Whether the access is that of who takes a lock to the lock itself.
fn takes_lock(module: &Module, site: &Site) -> bool {
    matches!(module.funcs[site.inst.0].insts[site.inst.1].op, Op::Acquire { .. })
}

fn conflict(a: &Site, b: &Site) -> bool {
    (a.write || b.write) && (a.mark == Mark::Plain || b.mark == Mark::Plain)
}

/// Whether the addresses are constants that lie apart.
fn apart((x, a): (&Thread, &Site), (y, b): (&Thread, &Site)) -> bool {
    let (Some(first), Some(second)) = (x.terms.as_int(a.addr.obj), y.terms.as_int(b.addr.obj)) else {
        return false;
    };
    let range = |thread: &Thread, site: &Site| {
        let Extent::Bytes(len) = site.extent else { return None };
        let start = thread.terms.as_int(site.addr.off)?;
        Some((start, start + thread.terms.as_int(len)?))
    };
    let disjoint = match (range(x, a), range(y, b)) {
        (Some((lo, hi)), Some((lo2, hi2))) => hi <= lo2 || hi2 <= lo,
        _ => false,
    };
    first != second || disjoint
}

/// Per entry point, the accesses at which other locks are held than before.
pub struct Changed(HashMap<EntryPointId, Vec<usize>>);

/// What tells a lock apart in two encodings, and whether it is surely held.
type Held = (String, LockMode, bool, String, bool);

impl Changed {
    /// Compares the threads.
    pub fn new(base: &Base, after: &Outcome, taken: &Taken) -> Changed {
        let module = &base.prepared.module;
        let of = |thread: &Thread| {
            let before = &base.threads[thread.entry.index()];
            let all: Vec<usize> = match taken {
                Taken::Life(_) | Taken::Once => (0..thread.sites.len()).collect(),
                Taken::Lock(..) | Taken::Owned => different(before, thread, taken),
            };
            all.into_iter().filter(|&s| !takes_lock(module, &thread.sites[s])).collect()
        };
        Changed(after.threads.iter().flatten().map(|thread| (thread.entry, of(thread))).collect())
    }

    /// Their positions in the thread.
    pub fn sites(&self, entry: EntryPointId) -> &[usize] {
        self.0.get(&entry).map(Vec::as_slice).unwrap_or(&[])
    }

    /// Their places.
    pub fn places(&self, after: &Outcome) -> HashSet<(EntryPointId, Option<LocId>)> {
        let of = |t: &Thread| {
            let entry = t.entry;
            self.sites(entry).iter().map(|&s| (entry, t.sites[s].loc)).collect::<Vec<_>>()
        };
        after.threads.iter().flatten().flat_map(of).collect()
    }
}

/// The sites that are new, or at which something else is held than at the same one before. Where the mutant's lock was
/// perhaps held, it may be held less often without that this shows: such sites count, too.
fn different(before: &Thread, after: &Thread, taken: &Taken) -> Vec<usize> {
    let mut known: HashMap<_, Vec<&Site>> = HashMap::new();
    for site in &before.sites {
        known.entry(key(before, site)).or_default().push(site);
    }
    let mut seen: HashMap<_, usize> = HashMap::new();
    let mut out = Vec::new();
    for (position, site) in after.sites.iter().enumerate() {
        let key = key(after, site);
        let n = seen.entry(key.clone()).or_default();
        let same = known
            .get(&key)
            .and_then(|sites| sites.get(*n))
            .is_some_and(|old| !perhaps_under(before, old, taken) && held(before, old) == held(after, site));
        *n += 1;
        if !same {
            out.push(position);
        }
    }
    out
}

/// The instruction of an access and the calls that lead there.
fn key(thread: &Thread, site: &Site) -> ((FuncId, InstId), Vec<(FuncId, Option<LocId>)>) {
    let mut chain = Vec::new();
    let mut at: Option<StackId> = Some(site.stack);
    while let Some(id) = at {
        let frame = &thread.stacks[id.index()];
        chain.push((frame.func, frame.call));
        at = frame.parent;
    }
    (site.inst, chain)
}

fn held(thread: &Thread, site: &Site) -> BTreeSet<Held> {
    let locks = thread.locks.iter().enumerate();
    let known = locks.filter_map(|(l, lock)| {
        let sure = thread.terms.as_bool(site.held.taken(l, &thread.terms));
        let lock = (lock.class.clone(), lock.mode, lock.implicit, lock.name.clone(), sure == Some(true));
        (sure != Some(false)).then_some(lock)
    });
    known.collect()
}

fn perhaps_under(thread: &Thread, site: &Site, taken: &Taken) -> bool {
    let Taken::Lock(class, _, places) = taken else { return false };
    let is_mutants = |lock: &Lock| lock.class == *class && lock.taken.iter().any(|at| places.contains(at));
    thread.locks.iter().enumerate().any(|(l, lock)| {
        is_mutants(lock) && thread.terms.as_bool(site.held.taken(l, &thread.terms)).is_none()
    })
}
