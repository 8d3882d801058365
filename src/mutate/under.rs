//! What a protection protects: the accesses at which it is in force, and those of others that they may meet.
//!
//! This is asked of regions, types, constant addresses, and where pointers come from, not of the conditions of pairs:
//! where the verifier reports nothing for another reason, that is to be seen.

use super::same::Same;
use super::trial::{Access, Base, Pair};
use crate::analysis::layout::Layout;
use crate::analysis::origins::{self, Makes, Origin};
use crate::analysis::points_to::RegionId;
use crate::instrument::Thread;
use crate::instrument::thread::{Extent, Lock, Site, StackId};
use crate::pipeline::scope::Encoded;
use crate::vcgen::may_be_one_object;
use lockpair_entry_points::EntryPointId;
use lockpair_ir::*;
use lockpair_smt::TermId;
use std::collections::{BTreeSet, HashMap, HashSet};

/// What a mutant takes away.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Taken {
    /// A lock of this class and mode.
    Lock(String, LockMode),
    /// That a handle of this class must be registered.
    Life(String),
    /// That two pointers are one.
    Same,
    /// That an object belongs to one call.
    Owned,
    /// That an entry point runs once.
    Once,
}

/// Two accesses that may touch a common byte, of which one writes and one is plain.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
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

/// What was found of the accesses at which a protection is in force.
#[derive(Default)]
pub struct Found {
    /// Those that may meet, as far as the verifier knows.
    pub meetings: BTreeSet<Meeting>,
    /// Those that may meet by region, type and constant address only: where their pointers come from, or what their
    /// objects may be, tells them apart. So many are kept.
    pub told_apart: BTreeSet<Meeting>,
    /// The accesses that have part in any of them.
    pub accesses: HashSet<Access>,
    /// The accesses of these at which the protection is in force, by place.
    pub places: HashSet<(EntryPointId, Option<LocId>)>,
    /// The accesses of those that may meet.
    pub meeting: HashMap<Meeting, HashSet<Access>>,
    /// Whether there are more meetings than are looked for.
    pub more: bool,
}

/// More meetings are not looked for, and no more are kept of those that are told apart.
pub const MEETINGS: usize = 2000;

/// What a mutant changes, to be looked for.
pub struct Question<'a> {
    /// The module.
    pub base: &'a Base,
    /// The pairs that the mutant may change.
    pub pairs: &'a [Pair],
    /// What it takes away.
    pub taken: &'a Taken,
    /// The lock that is taken instead, if there is one: where both hold that, they do not meet.
    pub instead: Option<GlobalId>,
}

impl Question<'_> {
    /// The accesses of the pairs at which the protection was in force, with those that they may meet at which it is in
    /// force, too.
    pub fn answer(&self, encoded: &Encoded, changed: &HashSet<EntryPointId>) -> Found {
        let mut out = Found::default();
        for &pair in self.pairs {
            for (one, other) in [(pair.0, pair.1), (pair.1, pair.0)] {
                if changed.contains(&one) && !out.more {
                    self.side(encoded, (pair, one, other), changed, &mut out);
                }
            }
        }
        out
    }

    fn side(
        &self,
        encoded: &Encoded,
        (pair, one, other): (Pair, EntryPointId, EntryPointId),
        changed: &HashSet<EntryPointId>,
        out: &mut Found,
    ) {
        let module = encoded.module;
        let (layout, external) = (Layout::new(module), encoded.facts.points_to.external());
        let thread = &encoded.threads[one.index()];
        let after = changed.contains(&other) && self.is_asked_afterwards();
        let there = if after { &encoded.threads[other.index()] } else { &self.base.threads[other.index()] };
        let mut others: HashMap<RegionId, Vec<Spot>> = HashMap::new();
        for spot in spots(encoded, there, self.met(module, there)) {
            others.entry(spot.site.region).or_default().push(spot);
        }
        let before = &self.base.threads[one.index()];
        for a in spots(encoded, thread, touched(module, before, thread, self.taken)) {
            for b in others.get(&a.site.region).into_iter().flatten() {
                let is_external = a.site.region == external;
                if !conflict(a.site, b.site)
                    || !layout.may_overlap(is_external, a.site.shape, b.site.shape)
                    || apart((thread, a.site), (there, b.site))
                {
                    continue;
                }
                let real = encoded.facts.layout.may_overlap(is_external, a.site.shape, b.site.shape);
                let sides = [(a.site.shape, a.origin), (b.site.shape, b.origin)];
                let made = others_object((thread, a.site), (there, b.site))
                    || others_object((there, b.site), (thread, a.site));
                let object = !is_external || may_be_one_object(encoded.facts, [a.site, b.site]);
                let kept_apart = a.made.is_apart(b.made);
                let meets = real
                    && object
                    && !made
                    && !kept_apart
                    && origins::may_meet(encoded.facts, sides[0], sides[1]);
                let meeting = Meeting { pair, entry: one, access: a.site.loc, other: b.site.loc };
                let accesses = [(one, a.site.inst), (other, b.site.inst)];
                out.accesses.extend(accesses);
                out.meeting.entry(meeting.clone()).or_default().extend(accesses);
                if meets {
                    out.meetings.insert(meeting);
                } else if out.told_apart.len() < MEETINGS {
                    out.told_apart.insert(meeting);
                }
                out.places.insert((one, a.site.loc));
            }
            if out.meetings.len() >= MEETINGS {
                out.more = true;
                return;
            }
        }
    }

    /// Whether the other thread is looked at as it is after the change: where the lock is gone, it is looked for as it
    /// was before.
    fn is_asked_afterwards(&self) -> bool {
        match self.taken {
            Taken::Lock(..) => self.instead.is_some(),
            Taken::Life(_) | Taken::Same | Taken::Owned | Taken::Once => true,
        }
    }

    /// The accesses to data of a thread at which it may be kept out by the protection, by their positions.
    fn met(&self, module: &Module, thread: &Thread) -> Vec<usize> {
        let held = |site: &Site, l: usize| thread.terms.as_bool(site.held.taken(l, &thread.terms));
        let (spare, locks): (Vec<usize>, Vec<usize>) = match self.taken {
            Taken::Lock(class, mode) => {
                let excludes = |l: &Lock| {
                    l.class == *class && ([l.mode, *mode].contains(&LockMode::Exclusive) || l.table.is_some())
                };
                let all = (0..thread.locks.len()).filter(|&l| excludes(&thread.locks[l]));
                all.partition(|&l| self.instead.is_some_and(|g| is_global(thread, &thread.locks[l], g)))
            }
            Taken::Life(_) | Taken::Same | Taken::Owned | Taken::Once => Default::default(),
        };
        let is_under = |site: &Site| match self.taken {
            Taken::Lock(..) => {
                locks.iter().any(|&l| held(site, l) != Some(false))
                    && !spare.iter().any(|&l| held(site, l) == Some(true))
            }
            // Who neither registers nor waits is not kept apart by a registration.
            Taken::Life(class) => thread.events.iter().any(|event| event.class == *class),
            Taken::Same | Taken::Owned | Taken::Once => true,
        };
        let counts = |site: &Site| !takes_lock(module, site) && is_under(site);
        (0..thread.sites.len()).filter(|&s| counts(&thread.sites[s])).collect()
    }
}

/// An access, with where its pointer comes from.
struct Spot<'t> {
    site: &'t Site,
    origin: Origin,
    made: Makes,
}

/// One of all accesses at these positions that do not differ in what is looked at here.
fn spots<'t>(encoded: &Encoded, thread: &'t Thread, positions: Vec<usize>) -> Vec<Spot<'t>> {
    let mut seen = HashSet::new();
    let sources = &encoded.sources[thread.entry.index()].sites;
    let now = &encoded.threads[thread.entry.index()];
    let constants = |s: &Site| (thread.terms.as_int(s.addr.obj), thread.terms.as_int(s.addr.off));
    let mut out = Vec::new();
    for position in positions {
        let site = &thread.sites[position];
        // The sources are those of the threads as they are now.
        let is_same = now.sites.get(position).is_some_and(|s| s.inst == site.inst);
        let source = sources.get(position).filter(|_| is_same);
        let (origin, made) = source.map_or((Origin::Any, Makes::UNKNOWN), |s| (s.origin, s.made));
        let whose = (origin, made);
        let key =
            (site.region, site.shape, site.inst, site.loc, site.write, site.mark, constants(site), whose);
        if seen.insert(key) {
            out.push(Spot { site, origin, made });
        }
    }
    out
}

/// Whether the lock is this variable.
fn is_global(thread: &Thread, lock: &Lock, global: GlobalId) -> bool {
    thread.terms.as_int(lock.addr.obj) == i128::try_from(global.index() + 1).ok()
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

/// Whether the first access is to an object that its thread has just made, and the second to a variable of the module or to
/// what the other thread has made.
fn others_object((x, a): (&Thread, &Site), (y, b): (&Thread, &Site)) -> bool {
    let is_variable = y.terms.as_int(b.addr.obj).is_some();
    x.makes(a.addr.obj) && (is_variable || y.makes(b.addr.obj))
}

/// What tells a lock apart in two encodings, and whether it is surely held.
type Held = (String, LockMode, bool, String, bool);

/// The accesses of a changed thread at which the protection was in force, by their positions.
fn touched(module: &Module, before: &Thread, after: &Thread, taken: &Taken) -> Vec<usize> {
    let mut all = match taken {
        Taken::Life(_) | Taken::Same | Taken::Once => (0..after.sites.len()).collect(),
        Taken::Lock(..) | Taken::Owned => different(before, after, taken),
    };
    all.retain(|&s| !takes_lock(module, &after.sites[s]));
    all
}

/// The sites that are new, or at which something else is held than at the same one before. Where the mutant's lock was
/// perhaps held, it counts under which condition.
fn different(before: &Thread, after: &Thread, taken: &Taken) -> Vec<usize> {
    let mut known: HashMap<_, Vec<&Site>> = HashMap::new();
    for site in &before.sites {
        known.entry(key(before, site)).or_default().push(site);
    }
    let mut same_terms = Same::new(&before.terms, &after.terms);
    let mut seen: HashMap<_, usize> = HashMap::new();
    let mut out = Vec::new();
    for (position, site) in after.sites.iter().enumerate() {
        let key = key(after, site);
        let n = seen.entry(key.clone()).or_default();
        let same = known.get(&key).and_then(|sites| sites.get(*n)).is_some_and(|old| match taken {
            Taken::Lock(class, ..) => {
                held(before, old) == held(after, site)
                    && same_conditions((before, old), (after, site), class, &mut same_terms)
            }
            Taken::Life(_) | Taken::Same | Taken::Owned | Taken::Once => true,
        });
        *n += 1;
        if !same {
            out.push(position);
        }
    }
    out
}

/// Whether the locks of the class that are perhaps held at the first site are held at the second one if the same holds.
fn same_conditions(
    (x, old): (&Thread, &Site),
    (y, new): (&Thread, &Site),
    class: &str,
    same: &mut Same,
) -> bool {
    let perhaps = |thread: &Thread, site: &Site| -> Vec<(usize, TermId)> {
        let of_class = (0..thread.locks.len()).filter(|&l| thread.locks[l].class == class);
        let condition = of_class.map(|l| (l, site.held.taken(l, &thread.terms)));
        condition.filter(|(_, held)| thread.terms.as_bool(*held).is_none()).collect()
    };
    let now = perhaps(y, new);
    perhaps(x, old).into_iter().all(|(l, before)| {
        let is_same = |m: usize| (&x.locks[l].name, x.locks[l].mode) == (&y.locks[m].name, y.locks[m].mode);
        now.iter().any(|&(m, after)| is_same(m) && same.terms(before, after))
    })
}

/// The functions that are active and where each was called, innermost first.
type CallChain = Vec<(FuncId, Option<LocId>)>;

/// The instruction of an access and the calls that lead there.
fn key(thread: &Thread, site: &Site) -> ((FuncId, InstId), CallChain) {
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
