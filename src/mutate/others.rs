//! The other protection of a mutant that is not reported: what must be dropped, too, before it is.

use super::change::{Change, Group, Said};
use super::sections::Section;
use super::trial::{Access, Base, Pair, Wanted};
use super::under::{Found, Meeting, Taken};
use crate::analysis::layout::{Layout, Shape};
use crate::config::{Config, Progress};
use crate::instrument::Thread;
use crate::instrument::thread::Lock;
use crate::vcgen::Protection;
use crate::verdict::{PairResult, UnknownReason, Verdict};
use anyhow::Result;
use lockpair_entry_points::EntryPointId;
use lockpair_env::schema::{ImplicitLock, Step};
use lockpair_ir::*;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// A protection that may be dropped besides.
pub struct Other {
    /// For people.
    pub name: String,
    /// Whether it may be the mutant's lock, taken elsewhere.
    may_be_own: bool,
    changes: Vec<Change>,
}

/// The protections of the pairs, but for what the mutant has taken.
pub fn of_pairs(
    base: &Base,
    sections: &[Section],
    pairs: &[Pair],
    (mutant, taken, own_section): (&Change, &Taken, Option<&Section>),
) -> Vec<Other> {
    let entries: BTreeSet<EntryPointId> = pairs.iter().flat_map(|(a, b)| [*a, *b]).collect();
    let items = &base.prepared.entry_points.items;
    let own = match mutant {
        Change::Unsaid(_, said) => Some(said.group()),
        _ => None,
    };
    let said = entries.iter().flat_map(|&e| Said::of(&items[e]));
    let groups: BTreeSet<Group> = said.map(|said| said.group()).filter(|g| Some(g) != own.as_ref()).collect();
    let mut out: Vec<Other> = groups
        .into_iter()
        .map(|group| Other {
            name: group.describe(),
            may_be_own: false,
            changes: vec![Change::Nowhere(group)],
        })
        .collect();
    out.extend(same_role(base, mutant));
    let reached = |f: &FuncId| entries.iter().any(|e| base.reach[e.index()].contains(f));
    let own_locks = own_locks(base, mutant, own_section);
    let mut locks: BTreeMap<String, Other> = BTreeMap::new();
    for section in sections.iter().filter(|s| reached(&s.func)) {
        let may_be_own = match taken {
            Taken::Lock(class, _) => *class == section.class && may_be_one(base, &own_locks, section),
            Taken::Life(_) | Taken::Same | Taken::Owned | Taken::Once => false,
        };
        let name = format!("{} {}", section.class, lock_name(base, section));
        let new = Other { name: name.clone(), may_be_own: false, changes: Vec::new() };
        let other = locks.entry(name).or_insert(new);
        other.may_be_own |= may_be_own;
        other.changes.push(Change::Gone(section.func, section.instructions()));
    }
    out.extend(locks.into_values());
    out.extend(of_conditions());
    out
}

/// What the row of the mutant's role says besides, of the kind that the mutant takes: another lock of the class. The other
/// side has to keep it, as it has to keep what the mutant takes.
fn same_role(base: &Base, mutant: &Change) -> Vec<Other> {
    let Change::Unsaid(role, own) = mutant else { return Vec::new() };
    let entries = base.prepared.entry_points.items.values().filter(|entry| entry.role == *role);
    let said = entries.flat_map(Said::of).filter(|said| said != own && said.group() == own.group());
    let mut out: Vec<Other> = Vec::new();
    for said in said {
        let name = format!("{}: {}", role, said.describe());
        if out.iter().all(|other| other.name != name) {
            let changes = vec![Change::Unsaid(role.clone(), said)];
            out.push(Other { name, may_be_own: false, changes });
        }
    }
    out
}

/// What else the conditions of pairs have that keeps accesses apart.
fn of_conditions() -> impl Iterator<Item = Other> {
    let said = [
        (Protection::Flags, "flags that say who owns something"),
        (Protection::Cpus, "being on one CPU"),
        (Protection::Callbacks, "what is registered, and what was waited for"),
        (Protection::Conditions, "the conditions under which they happen"),
    ];
    said.into_iter().map(|(protection, name)| Other {
        name: name.to_owned(),
        may_be_own: false,
        changes: vec![Change::Without(protection)],
    })
}

/// What the threads call a lock.
pub fn lock_name(base: &Base, section: &Section) -> String {
    locks(base, section).next().map_or_else(|| "?".to_owned(), |(_, lock)| lock.name.clone())
}

/// The locks of the threads that are taken in a section.
fn locks<'b>(base: &'b Base, section: &Section) -> impl Iterator<Item = (&'b Thread, &'b Lock)> {
    let func = &base.prepared.module.funcs[section.func];
    let places: Vec<Option<LocId>> = section.acquires.iter().map(|&i| func.insts[i].loc).collect();
    let class = section.class.clone();
    let all = base.threads.iter().flat_map(|thread| thread.locks.iter().map(move |lock| (thread, lock)));
    all.filter(move |(_, lock)| lock.class == class && lock.taken.iter().any(|at| places.contains(at)))
}

/// The locks that a mutant takes away, those of its section or of its row, with what is known of their places by type.
fn own_locks<'b>(
    base: &'b Base,
    mutant: &Change,
    section: Option<&Section>,
) -> Vec<(&'b Thread, &'b Lock, Shape)> {
    if let Some(section) = section {
        return locks(base, section).map(|(thread, lock)| (thread, lock, lock.shape)).collect();
    }
    let Change::Unsaid(role, Said::Lock(said)) = mutant else { return Vec::new() };
    let items = &base.prepared.entry_points.items;
    let threads = base.threads.iter().filter(|thread| items[thread.entry].role == *role);
    let all = threads.flat_map(|thread| thread.locks.iter().map(move |lock| (thread, lock)));
    let own = all.filter(|(_, lock)| lock.implicit && lock.class == said.class);
    let shape = said_shape(&base.prepared.module, said);
    own.map(|(thread, lock)| (thread, lock, shape)).collect()
}

/// What a row says of the place of a lock: the struct that it is in, by its tag.
fn said_shape(module: &Module, said: &ImplicitLock) -> Shape {
    let strukt = |step: &Step| step.strukt.as_deref().and_then(|tag| module.struct_named(tag));
    let last = said.addr.steps.last().filter(|step| !step.deref);
    let member = last.and_then(|step| Some((strukt(step)?, &step.field)));
    let place = member.and_then(|(strukt, field)| Some((strukt, module.field_named(strukt, field)?.0)));
    place.map_or(Shape::Wild, |(strukt, lo)| Shape::In { strukt, lo, hi: lo + 1 })
}

/// Whether one of the locks may be that of the section, as far as regions, types and constant addresses tell.
fn may_be_one(base: &Base, own: &[(&Thread, &Lock, Shape)], section: &Section) -> bool {
    let module = &base.prepared.module;
    let layout = Layout::new(module);
    let known: Vec<(&Thread, &Lock)> = locks(base, section).collect();
    let may_meet = |(s, x, shape): (&Thread, &Lock, Shape), (t, y): (&Thread, &Lock)| {
        let objects = (s.terms.as_int(x.addr.obj), t.terms.as_int(y.addr.obj));
        let places = (s.fixed_place(x.addr), t.fixed_place(y.addr));
        let apart =
            matches!(objects, (Some(p), Some(q)) if p != q) || matches!(places, (Some(p), Some(q)) if p != q);
        let one_region = x.region == y.region || x.region.is_none() || y.region.is_none();
        one_region
            && !apart
            && may_hold(module, objects, shape, y.shape)
            && layout.may_overlap(true, shape, y.shape)
    };
    own.iter().any(|&x| known.iter().any(|&y| may_meet(x, y)))
}

/// Whether a variable of the module that is one lock is large enough for the struct that the other one is in.
fn may_hold(module: &Module, objects: (Option<i128>, Option<i128>), x: Shape, y: Shape) -> bool {
    let size = |object: Option<i128>| {
        let global = object.and_then(|k| usize::try_from(k - 1).ok()).map(GlobalId::new);
        global.and_then(|g| module.globals.get(g)).map(|g| g.size)
    };
    let fits = |object: Option<i128>, shape: Shape| match (size(object), shape) {
        (Some(size), Shape::In { strukt, .. } | Shape::Whole(strukt)) => module.size_of(strukt) <= size,
        _ => true,
    };
    fits(objects.0, y) && fits(objects.1, x)
}

/// Looks for other protections.
pub struct Search<'a> {
    /// The module.
    pub base: &'a Base,
    /// What verification may cost.
    pub config: &'a Config,
    /// Whether to stop.
    pub progress: &'a dyn Progress,
    /// What the mutant changes.
    pub mutant: &'a Change,
    /// The pairs that it may change.
    pub pairs: &'a [Pair],
    /// The accesses that it concerns.
    pub found: &'a Found,
}

/// A side of a race.
type Spot = (Pair, EntryPointId, Option<LocId>);

/// Why a mutant is not reported.
pub enum Finding {
    /// A smallest set of others without which it is.
    Others(Vec<String>),
    /// It makes no difference even where all others are dropped: its accesses race with it, too.
    NoDifference,
    /// Accesses that meet, and do not race even if nothing counts but their addresses.
    Addresses(Vec<Meeting>),
    /// Accesses that meet, and do not race where all others are dropped.
    Apart(Vec<Meeting>),
}

/// The accesses of the mutant that race.
struct Races {
    spots: HashSet<Spot>,
    /// Pairs of which it is not known whether more of them do.
    incomplete: HashSet<Pair>,
}

/// So many races are named of a pair, so that nearly always all places are known that race.
const RACES: usize = 400;

impl Search<'_> {
    /// Drops the others one by one; then all but those that may be the mutant's own lock, since who drops what the other
    /// side holds has a race without the mutant; then as many as there may be without a race at all its places.
    pub fn run(&self, others: &[Other]) -> Result<Finding> {
        for other in others {
            if self.shows(&[other])? {
                return Ok(Finding::Others(vec![other.name.clone()]));
            }
        }
        let foreign: Vec<&Other> = others.iter().filter(|o| !o.may_be_own).collect();
        if let Some(needed) = self.fewest(foreign.clone())? {
            return Ok(Finding::Others(needed));
        }
        let apart = self.apart(&changes(&foreign), self.found.meetings.iter().collect())?;
        if apart.is_empty() && !self.found.more {
            return Ok(Finding::NoDifference);
        }
        let nothing = Protection::ALL.map(Change::Without);
        let bare: Vec<&Change> = nothing.iter().chain([self.mutant]).collect();
        let still = self.apart(&bare, apart.clone())?;
        if still.len() == apart.len() && !self.found.more {
            return Ok(Finding::Addresses(still.into_iter().cloned().collect()));
        }
        let mut dropped: Vec<&Other> = Vec::new();
        for other in others {
            dropped.push(other);
            let racy = self.races(&changes(&dropped))?;
            if self.found.meetings.iter().all(|m| racy.spots.contains(&(m.pair, m.entry, m.access))) {
                dropped.pop();
            }
        }
        let apart = || Finding::Apart(apart.into_iter().cloned().collect());
        Ok(self.fewest(dropped)?.map_or_else(apart, Finding::Others))
    }

    /// Those of the meetings whose access under the protection has no race after the changes. Where not all races could
    /// be named, it is asked again of what is left.
    fn apart<'m>(&self, changes: &[&Change], mut meetings: Vec<&'m Meeting>) -> Result<Vec<&'m Meeting>> {
        loop {
            let accesses = meetings.iter().flat_map(|m| &self.found.meeting[*m]).copied().collect();
            let racy = self.races_of(changes, &accesses)?;
            let before = meetings.len();
            meetings.retain(|m| !racy.spots.contains(&(m.pair, m.entry, m.access)));
            if meetings.is_empty() || meetings.len() == before || racy.incomplete.is_empty() {
                return Ok(meetings);
            }
        }
    }

    /// Those of several others that are needed; none if the mutant is not seen without all of them.
    fn fewest(&self, others: Vec<&Other>) -> Result<Option<Vec<String>>> {
        if others.len() < 2 || !self.shows(&others)? {
            return Ok(None);
        }
        let mut needed = others.clone();
        for other in others {
            let fewer: Vec<&Other> = needed.iter().copied().filter(|o| !std::ptr::eq(*o, other)).collect();
            if self.shows(&fewer)? {
                needed = fewer;
            }
        }
        Ok(Some(needed.into_iter().map(|o| o.name.clone()).collect()))
    }

    /// Whether without these, the mutant is seen: an access that it touches has part in a race that there is not
    /// without the mutant.
    fn shows(&self, without: &[&Other]) -> Result<bool> {
        let mut changes = changes(without);
        changes.push(self.mutant);
        let with = self.races(&changes)?;
        if with.spots.is_empty() {
            return Ok(false);
        }
        changes.pop();
        let alone = self.races(&changes)?;
        let is_new = |spot: &Spot| !alone.incomplete.contains(&spot.0) && !alone.spots.contains(spot);
        Ok(with.spots.iter().any(is_new))
    }

    /// The races at the mutant's places after the changes.
    fn races(&self, changes: &[&Change]) -> Result<Races> {
        self.races_of(changes, &self.found.accesses)
    }

    /// The races at the mutant's places after the changes that one of these accesses has part in.
    fn races_of(&self, changes: &[&Change], only: &HashSet<Access>) -> Result<Races> {
        let config = Config { max_races: RACES, ..self.config.clone() };
        let only = Some(only);
        let wanted = Wanted { pairs: self.pairs, only, ..Wanted::default() };
        let results = self.base.verify(&config, changes, &wanted, self.progress)?;
        let (mut spots, mut incomplete) = (HashSet::new(), HashSet::new());
        for PairResult { pair, verdict, races, .. } in &results {
            if !is_complete(verdict) {
                incomplete.insert(*pair);
            }
            for race in races {
                let [x, y] = [0, 1].map(|n| race.accesses[n].loc);
                let sides = [(pair.0, x), (pair.1, y)];
                let own = sides.into_iter().filter(|side| self.found.places.contains(side));
                spots.extend(own.map(|(entry, loc)| (*pair, entry, loc)));
            }
        }
        tracing::debug!(
            changes = changes.len(),
            spots = spots.len(),
            incomplete = incomplete.len(),
            "dropped"
        );
        Ok(Races { spots, incomplete })
    }
}

fn changes<'o>(others: &[&'o Other]) -> Vec<&'o Change> {
    others.iter().flat_map(|other| &other.changes).collect()
}

/// Whether all places that race are named.
fn is_complete(verdict: &Verdict) -> bool {
    match verdict {
        Verdict::RaceFree | Verdict::Potential | Verdict::Race => true,
        Verdict::Unknown(
            UnknownReason::Timeout
            | UnknownReason::Memory
            | UnknownReason::Solver(_)
            | UnknownReason::TooManyRaces(_)
            | UnknownReason::MoreRaces
            | UnknownReason::Interrupted
            | UnknownReason::Vacuous(_)
            | UnknownReason::Unsupported(_),
        ) => false,
    }
}
