//! A module verified once, and again after changes: only what they can have changed is done anew.

use super::change::Change;
use crate::config::{Config, Progress};
use crate::instrument::Thread;
use crate::instrument::thread::Site;
use crate::pipeline::scope::{Encoded, Scope};
use crate::pipeline::{self, Prepared};
use crate::report::reported_verdict;
use crate::vcgen::Protection;
use crate::verdict::{PairResult, Verdict};
use anyhow::{Context as _, Result, bail};
use lockpair_entry_points::EntryPointId;
use lockpair_ir::*;
use std::collections::{BTreeSet, HashSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Two entry points, in the order of the pipeline.
pub type Pair = (EntryPointId, EntryPointId);

/// What is known of the module as it is.
pub struct Base {
    /// The module before any entry point is encoded.
    pub prepared: Prepared,
    /// Its threads.
    pub threads: Vec<Thread>,
    /// The pairs that are proved, by a condition or by being left out.
    pub proved: HashSet<Pair>,
    /// The functions that each entry point may come to.
    pub reach: Vec<HashSet<FuncId>>,
}

impl Base {
    /// Verifies the module as it is.
    pub fn new(config: &Config, prepared: Prepared, progress: &dyn Progress) -> Result<Base> {
        let roots = prepared.entry_points.items.values().map(|entry| entry.func).collect();
        let seen = Recorder { roots, seen: Mutex::default() };
        let analysis = pipeline::verify_within(config, prepared.clone(), &seen, &Quiet(progress))?;
        let proved = analysis.pairs.iter().filter(|p| reported_verdict(p) == Verdict::RaceFree);
        let omitted = prepared.pairs.omitted.iter().map(|(a, b, _)| (*a, *b));
        let proved = proved.map(|p| p.pair).chain(omitted).collect();
        let seen = seen.seen.into_inner().unwrap_or_else(|e| e.into_inner());
        let Some((threads, reach)) = seen else {
            bail!("the module could not be encoded in time");
        };
        Ok(Base { prepared, threads, proved, reach })
    }

    /// The entry points that may behave differently after the changes.
    fn changed(&self, changes: &[&Change]) -> HashSet<EntryPointId> {
        let mut after = self.prepared.entry_points.clone();
        changes.iter().for_each(|change| change.apply_to_entries(&mut after));
        let before = &self.prepared.entry_points.items;
        let reaches =
            |id: EntryPointId, f: FuncId| self.reach.get(id.index()).is_some_and(|r| r.contains(&f));
        let is_changed = |&id: &EntryPointId| {
            let mut funcs = changes.iter().filter_map(|change| change.func());
            before[id] != after.items[id] || funcs.any(|f| reaches(id, f))
        };
        before.keys().filter(is_changed).collect()
    }

    /// The module after the changes.
    fn after(&self, changes: &[&Change]) -> Prepared {
        let mut after = self.prepared.clone();
        for change in changes {
            change.apply_to_code(&mut after.module);
            change.apply_to_entries(&mut after.entry_points);
        }
        let trees = |id: EntryPointId| after.trees[id].clone();
        after.pairs = lockpair_entry_points::pairs(&after.module, &after.entry_points, &trees);
        after
    }

    /// The proved pairs of which one of the two may behave differently.
    pub fn affected(&self, change: &Change) -> Vec<Pair> {
        let changed = self.changed(&[change]);
        let mut pairs: Vec<Pair> = self.proved.iter().copied().collect();
        pairs.retain(|(a, b)| changed.contains(a) || changed.contains(b));
        pairs.sort_unstable();
        pairs
    }

    /// Verifies pairs after the changes.
    pub fn verify(
        &self,
        config: &Config,
        changes: &[&Change],
        wanted: &Wanted,
        progress: &dyn Progress,
    ) -> Result<Vec<PairResult>> {
        let part = Part {
            base: self,
            changed: self.changed(changes),
            pairs: wanted.pairs.iter().copied().collect(),
            wanted,
            without: changes.iter().filter_map(|change| change.without()).collect(),
            found: AtomicBool::new(false),
        };
        let max_races = if wanted.first { 1 } else { config.max_races };
        let config = Config { max_races, ..config.clone() };
        Ok(pipeline::verify_within(&config, self.after(changes), &part, &Quiet(progress))?.pairs)
    }

    /// Looks at the threads after the changes; which entry points may behave differently is told, too.
    pub fn look<T: Send>(
        &self,
        config: &Config,
        change: &Change,
        look: &(dyn Fn(&Encoded, &HashSet<EntryPointId>) -> T + Sync),
        progress: &dyn Progress,
    ) -> Result<T> {
        let (changed, seen) = (self.changed(&[change]), Mutex::new(None));
        let see = |encoded: &Encoded| {
            *seen.lock().unwrap_or_else(|e| e.into_inner()) = Some(look(encoded, &changed));
        };
        self.verify(config, &[change], &Wanted { look: Some(&see), ..Wanted::default() }, progress)?;
        let seen = seen.into_inner().unwrap_or_else(|e| e.into_inner());
        seen.context("the changed module could not be encoded in time")
    }
}

/// What is to be known of a changed module.
#[derive(Default)]
pub struct Wanted<'a> {
    /// The pairs to verify.
    pub pairs: &'a [Pair],
    /// Whether the first race is enough.
    pub first: bool,
    /// The accesses that count, if not all do.
    pub only: Option<&'a HashSet<Access>>,
    /// Looks at what is encoded.
    pub look: Option<&'a (dyn Fn(&Encoded) + Sync)>,
}

/// An instruction, as executed by an entry point.
pub type Access = (EntryPointId, (FuncId, InstId));

/// Keeps the threads, and the functions that each entry point may come to.
struct Recorder {
    roots: Vec<FuncId>,
    seen: Mutex<Option<Seen>>,
}

/// The threads, and per entry point the functions that it may come to.
type Seen = (Vec<Thread>, Vec<HashSet<FuncId>>);

impl Scope for Recorder {
    fn encoded(&self, encoded: &Encoded) {
        let reached = self.roots.iter().map(|&root| reach(encoded, root)).collect();
        let seen = (encoded.threads.to_vec(), reached);
        *self.seen.lock().unwrap_or_else(|e| e.into_inner()) = Some(seen);
    }
}

fn reach(encoded: &Encoded, root: FuncId) -> HashSet<FuncId> {
    let mut seen = HashSet::from([root]);
    let mut work = vec![root];
    while let Some(f) = work.pop() {
        work.extend(encoded.targets.callees(encoded.module, f).into_iter().filter(|c| seen.insert(*c)));
    }
    seen
}

/// What changes can have changed, as far as it is wanted.
struct Part<'a> {
    base: &'a Base,
    changed: HashSet<EntryPointId>,
    pairs: HashSet<Pair>,
    wanted: &'a Wanted<'a>,
    without: BTreeSet<Protection>,
    found: AtomicBool,
}

impl Scope for Part<'_> {
    fn thread(&self, entry: EntryPointId) -> Option<Thread> {
        (!self.changed.contains(&entry)).then(|| self.base.threads[entry.index()].clone())
    }

    fn pairs(&self, mut all: Vec<Pair>) -> Vec<Pair> {
        all.retain(|pair| self.pairs.contains(pair));
        all
    }

    fn encoded(&self, encoded: &Encoded) {
        if let Some(look) = self.wanted.look {
            look(encoded);
        }
    }

    fn counts(&self, entry: EntryPointId, site: &Site) -> bool {
        self.wanted.only.is_none_or(|only| only.contains(&(entry, site.inst)))
    }

    fn without(&self) -> BTreeSet<Protection> {
        self.without.clone()
    }

    fn checked(&self, result: &PairResult) {
        self.found.fetch_or(!result.races.is_empty(), Ordering::Relaxed);
    }

    fn is_done(&self) -> bool {
        self.wanted.first && self.found.load(Ordering::Relaxed)
    }
}

/// Only hands on that the user wants to stop.
struct Quiet<'a>(&'a dyn Progress);

impl Progress for Quiet<'_> {
    fn pairs(&self, _total: usize) {}
    fn done_one(&self) {}
    fn interrupted(&self) -> bool {
        self.0.interrupted()
    }
}
