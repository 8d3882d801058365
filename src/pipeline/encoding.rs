//! A thread per entry point.

use super::scope::Scope;
use crate::analysis::alone::Alone;
use crate::analysis::calls::{self, CallTargets};
use crate::analysis::completed;
use crate::analysis::driven::PartOf;
use crate::analysis::fields::{self, FieldId};
use crate::analysis::fixed::{self, Fixed};
use crate::analysis::followed;
use crate::analysis::layout::Layout;
use crate::analysis::managed;
use crate::analysis::numbers;
use crate::analysis::origins::{self, Sources, hosts};
use crate::analysis::ownership::{self, Begins};
use crate::analysis::parts::Parts;
use crate::analysis::remade;
use crate::config::Config;
use crate::infer;
use crate::instrument::flags::{OnEntry, Takers};
use crate::instrument::hosts::Hosts;
use crate::instrument::references::Counts;
use crate::instrument::thread::Event;
use crate::instrument::turns::Turns;
use crate::instrument::{self, Kinds, Thread};
use crate::vcgen::ways::{self, Ways};
use lockpair_entry_points::{EntryPointId, EntryPoints};
use lockpair_ir::cfg::Cfg;
use lockpair_ir::{AssumptionKind, FuncId, Ledger, Module};
use rayon::prelude::*;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::time::Instant;

/// So many instructions are executed for an entry point with everything inlined.
const BUDGET: usize = 300_000;
/// The same for all entry points together.
const TOTAL_BUDGET: usize = 10_000_000;
/// In an entry point that uses up its budget, call trees above this part of it are summarized.
const PART_OF_BUDGET: usize = 5;
/// Functions that call themselves are inlined if that takes at most so many instructions; it is mostly pointers that
/// are taken to lead back.
const UNFOLDED: usize = 20_000;

/// What is inlined, in instructions.
#[derive(Copy, Clone)]
pub struct Inlining {
    /// Call trees up to this size, if inlining all is too much.
    size_limit: usize,
    /// So much is executed before inlining all is given up.
    budget: usize,
    /// Circles of calls up to this size.
    circle_limit: usize,
}

impl Inlining {
    /// What is inlined in a module of so many entry points.
    pub fn of(config: &Config, entry_points: usize) -> Inlining {
        let budget = BUDGET.min(TOTAL_BUDGET / entry_points.max(1));
        let (size_limit, budget) =
            config.inline_limit.map_or((budget / PART_OF_BUDGET, budget), |limit| (limit, 0));
        let circle_limit = if config.one_per_circle { 0 } else { instrument::PROCEDURE_BUDGET };
        Inlining { size_limit, budget, circle_limit }
    }
}

/// What is known before threads are encoded.
struct Known<'a> {
    not_followed: &'a BTreeSet<followed::Read>,
    takers: &'a Takers,
    turns: &'a Turns,
    counts: &'a Counts,
    on_entry: &'a HashMap<EntryPointId, Vec<OnEntry>>,
    hosts: &'a Hosts,
}

/// What the entry points of a module are encoded from.
pub struct Encoding<'a> {
    /// Facts of the module.
    pub facts: &'a origins::Facts<'a>,
    /// Whom its calls call.
    pub targets: &'a CallTargets,
    /// The entry points.
    pub entry_points: &'a EntryPoints,
    /// What is around the devices that they get.
    pub driven: &'a HashMap<EntryPointId, PartOf>,
    /// Who runs before anything else of the module can.
    pub alone: Option<&'a Alone>,
    /// What the environment says.
    pub kinds: &'a Kinds,
    /// What ends with a whole.
    pub parts: &'a Parts,
    /// Classes of handles that code outside may register.
    pub outside: &'a HashSet<String>,
    /// Members of devices that who binds a driver sets.
    pub bound: &'a BTreeSet<FieldId>,
    /// The functions that begin sessions.
    pub begins: &'a Begins,
    /// Whether relaxed atomic operations order nothing.
    pub weak_order: bool,
    /// How much is inlined.
    pub inlining: Inlining,
    /// Who may know threads already.
    pub scope: &'a dyn Scope,
    /// Whether to stop, whatever comes out.
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

impl Encoding<'_> {
    /// Encodes all threads, and finds through what they register handles; again as long as one of them stores to what was taken to keep its initial value, or
    /// what another thread has stored, or until it is known what the sessions hold that they run in. When it is to stop,
    /// nothing is known of where pointers come from.
    pub fn threads(&self, ledger: &mut Ledger) -> (Vec<Thread>, Vec<Sources>, Ways) {
        let (mut changed, mut not_followed) = (BTreeSet::new(), BTreeSet::new());
        let origins::Facts { module, layout, points_to, .. } = *self.facts;
        let (takers, turns, counts) = (Takers::new(module), Turns::new(module), Counts::new(module));
        let mut on_entry = HashMap::new();
        let (mut hosts, mut not_hosts) = (Hosts::new(), BTreeSet::new());
        let owners = ownership::Facts {
            origins: self.facts,
            entry_points: self.entry_points,
            begins: self.begins,
            weak_order: self.weak_order,
        };
        loop {
            let known = Known {
                not_followed: &not_followed,
                takers: &takers,
                turns: &turns,
                counts: &counts,
                on_entry: &on_entry,
                hosts: &hosts,
            };
            let mut threads = self.once(&Fixed::new(module, layout, &changed), &known);
            if (self.stop)() {
                return (threads, Vec::new(), Ways::default());
            }
            managed::end_with_drivers(&self.managed(), &mut threads);
            let mut found = Ledger::default();
            let (sources, mut keeping) = origins::find(self.facts, &threads, self.bound, &mut found);
            let more = fixed::changed(self.facts, &threads, &sources);
            let wrong = followed::wrong(&followed::Facts { module, layout, points_to }, &threads);
            let of_sessions = ownership::of_sessions(&owners, &threads, &sources);
            not_hosts.extend(hosts.keys().filter(|&id| keeping.hosts.get(id) != hosts.get(id)).copied());
            keeping.hosts.retain(|id, _| !not_hosts.contains(id));
            if more.is_empty() && wrong.is_empty() && of_sessions == on_entry && keeping.hosts == hosts {
                self.note_kept(&keeping, &mut threads);
                let once = |thread: &Thread| {
                    let entry = &self.entry_points.items[thread.entry];
                    entry.once || entry.is_init()
                };
                let ways = ways::find(module, layout, &threads, &once);
                let several = threads.iter().flat_map(|t| &t.several).chain(&ways.several).cloned().collect();
                remade::let_others_in(self.facts, self.entry_points, &mut threads, &sources);
                ownership::keep_believed(&owners, &mut threads, &sources, &several);
                completed::keep_believed(&self.completions(&several), &mut threads);
                ledger.extend(&found);
                return (threads, sources, ways);
            }
            changed.extend(more);
            not_followed.extend(wrong);
            on_entry = of_sessions;
            hosts = keeping.hosts;
        }
    }

    /// Notes whose handles are, also in threads that were known before, and what that rests on for those that a thread waits for.
    fn note_kept(&self, keeping: &hosts::Found, threads: &mut [Thread]) {
        for (t, thread) in threads.iter_mut().enumerate() {
            for (n, event) in thread.events.iter_mut().enumerate() {
                event.kept = keeping.kept.contains(&(t, n));
                event.of_own_device = keeping.of_own_device.contains(&(t, n));
            }
            let waits =
                |is_it: &dyn Fn(&Event) -> bool| thread.events.iter().any(|e| !e.registers && is_it(e));
            let name = |&member: &FieldId| fields::name(self.facts.module, member);
            let mut assumed = Vec::new();
            if waits(&|event| event.of_own_device) {
                assumed.extend(
                    keeping.data.iter().map(|m| (AssumptionKind::BoundBefore, m.name(self.facts.module))),
                );
            }
            if waits(&|event| event.kept && self.outside.contains(&event.class)) {
                let subject = |m| format!("{}: what it holds the module alone registers", name(m));
                assumed.extend(keeping.keepers.iter().map(|m| (AssumptionKind::UniqueOwner, subject(m))));
            }
            for (kind, subject) in assumed {
                thread.ledger.record(kind, subject, None);
            }
        }
    }

    fn managed(&self) -> managed::Facts<'_> {
        let origins::Facts { module, layout, points_to, .. } = *self.facts;
        managed::Facts { module, layout, points_to, entry_points: self.entry_points, bound: self.bound }
    }

    fn completions<'s>(&'s self, several: &'s BTreeSet<String>) -> completed::Facts<'s> {
        completed::Facts {
            origins: self.facts,
            entry_points: self.entry_points,
            kinds: self.kinds,
            outside: self.outside,
            several,
        }
    }

    fn once(&self, fixed: &Fixed, known: &Known) -> Vec<Thread> {
        let Known { not_followed, takers, turns, counts, on_entry, hosts } = *known;
        // The layout of the facts keeps a cache and stays with this thread.
        let (module, points_to) = (self.facts.module, self.facts.points_to);
        let ring = self.facts.layout.ring().to_vec();
        let Encoding { targets: calls, entry_points: eps, kinds, alone, inlining, scope, stop, .. } = *self;
        let defined: Vec<FuncId> = module.funcs.keys().filter(|f| module.funcs[*f].is_defined()).collect();
        let cfgs: HashMap<FuncId, Cfg> = defined.iter().map(|&f| (f, Cfg::new(&module.funcs[f]))).collect();
        let inlined_size = inlined_sizes(module, &|f| calls.callees(module, f));
        let direct_size = inlined_sizes(module, &|f| calls::direct_callees(module, f));
        let circles = infer::circles(module, calls);
        let wide = infer::wide(module, calls, &circles, (instrument::MAX_ACTIVE, UNFOLDED));
        let read_as_pointers = numbers::read_as_pointers(module);
        let summaries = instrument::Summaries::default();
        let ids: Vec<EntryPointId> = eps.items.keys().collect();
        ids.par_iter()
            .map(|&id| {
                let held = on_entry.get(&id).map_or(&[][..], |held| held);
                let is_same = |known: &Thread| {
                    let host = known.host.as_ref().map(|read| read.known);
                    instrument::flags::begins_with(known, held) && host.as_ref() == hosts.get(&id)
                };
                if let Some(known) = scope.thread(id).filter(is_same) {
                    return known;
                }
                // The layout keeps a cache and belongs to one thread.
                let layout = Layout::new(module).with_ring(ring.clone());
                let cx = instrument::Context {
                    module,
                    layout: &layout,
                    points_to,
                    calls,
                    fixed,
                    not_followed,
                    read_as_pointers: &read_as_pointers,
                    takers,
                    turns,
                    counts,
                    parts: self.parts,
                    on_entry,
                    driven: self.driven,
                    sessions: self.facts.sessions,
                    held: self.facts.held,
                    alone,
                    hosts,
                    kinds,
                    cfgs: &cfgs,
                    inlined_size: &inlined_size,
                    direct_size: &direct_size,
                    circles: &circles,
                    wide: &wide,
                    summaries: &summaries,
                    size_limit: inlining.size_limit,
                    budget: inlining.budget,
                    circle_limit: inlining.circle_limit,
                    stop,
                };
                let start = Instant::now();
                let thread = instrument::encode(&cx, id, &eps.items[id]);
                tracing::debug!(
                    entry = eps.items[id].name,
                    instructions = thread.instructions,
                    sites = thread.sites.len(),
                    terms = thread.terms.len(),
                    ms = start.elapsed().as_millis(),
                    "encoded"
                );
                thread
            })
            .collect()
    }
}

/// The instructions of each function's call tree with all calls inlined; a call back into a function
/// that is being inlined counts nothing, because it is summarized.
fn inlined_sizes(module: &Module, callees: &dyn Fn(FuncId) -> Vec<FuncId>) -> HashMap<FuncId, usize> {
    fn size(
        module: &Module,
        callees: &dyn Fn(FuncId) -> Vec<FuncId>,
        f: FuncId,
        active: &mut HashSet<FuncId>,
        known: &mut HashMap<FuncId, usize>,
    ) -> usize {
        if let Some(&n) = known.get(&f) {
            return n;
        }
        if !module.funcs[f].is_defined() || !active.insert(f) {
            return 0;
        }
        let func = &module.funcs[f];
        let own: usize = func.blocks.values().map(|b| b.insts.len() + 1).sum();
        let called = callees(f).into_iter();
        let total = called.fold(own, |n, c| n.saturating_add(size(module, callees, c, active, known)));
        active.remove(&f);
        known.insert(f, total);
        total
    }
    let mut known = HashMap::new();
    for f in module.funcs.keys() {
        size(module, callees, f, &mut HashSet::new(), &mut known);
    }
    known
}
