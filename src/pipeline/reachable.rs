//! Places in the source that an entry point accesses memory at, but that no execution of the encoding reaches
//! (design, rule 12): a proof about them says nothing. A place that some call chain leads to is reached. And drivers that
//! no execution binds to a device: with these headers, they have no races of what would run afterwards.

use crate::instrument::Thread;
use lockpair_entry_points::{EntryPointId, EntryPoints};
use lockpair_ir::LocId;
use lockpair_smt::{Answer, Limits, Model, Session, Tape, TermId, Terms};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// What was found out.
#[derive(Default)]
pub struct Reachability {
    /// What is not reached: entry point and place.
    pub unreachable: Vec<(EntryPointId, Option<LocId>)>,
    /// How many could not be decided in time.
    pub undecided: usize,
    /// Who can only fail to bind a driver.
    pub never_bind: Vec<EntryPointId>,
}

/// The time for all threads: what is left after it is not looked at.
const TOTAL: Duration = Duration::from_secs(2);
/// The time for one thread's places.
const PATIENCE: Duration = Duration::from_millis(25);
/// So many places are tried, and so many questions asked, whatever they take: small threads are looked at in full,
/// on busy machines too.
const PLACES: usize = 32;
const QUESTIONS: usize = 4;
/// What a question may cost, in the solver's own measure: some 50 ms.
const WORK: u32 = 200_000;
/// Rounds of repair for one place.
const ROUNDS: usize = 3;
/// So many places are asked about at once: a model reaches one of them and, mostly, many others.
const AT_ONCE: usize = 32;

/// Looks at all places of all threads, the small threads first; and at what the threads return that bind drivers.
pub fn look(threads: &[Thread], entry_points: &EntryPoints, limits: &Limits) -> Reachability {
    let start = Instant::now();
    let binding = threads.iter().filter(|thread| entry_points.items[thread.entry].binds);
    let mut threads: Vec<&Thread> = threads.iter().collect();
    threads.sort_by_key(|t| t.terms.len());
    let parts: Vec<Reachability> = threads
        .par_iter()
        .with_max_len(1)
        .map(|thread| {
            let open = open(thread);
            if open.is_empty() || start.elapsed() > TOTAL {
                return Reachability { undecided: open.len(), ..Reachability::default() };
            }
            let mut search = Search::new(thread, open);
            search.repair();
            search.ask(limits);
            Reachability {
                undecided: search.open.len(),
                unreachable: search.unreachable,
                ..Reachability::default()
            }
        })
        .collect();
    let undecided = parts.iter().map(|part| part.undecided).sum();
    let mut unreachable: Vec<_> = parts.into_iter().flat_map(|part| part.unreachable).collect();
    unreachable.sort();
    let never_bind =
        binding.filter(|thread| never_succeeds(thread, limits)).map(|thread| thread.entry).collect();
    Reachability { unreachable, undecided, never_bind }
}

/// Whether a thread that binds a driver returns zero in no execution.
fn never_succeeds(thread: &Thread, limits: &Limits) -> bool {
    let Some(returned) = &thread.returned else { return false };
    let mut terms = thread.terms.clone();
    let succeeds = terms.not(returned.fails);
    let succeeds = terms.and2(returned.guard, succeeds);
    let mut tape = Tape::new(&terms, &[succeeds], &[]);
    tape.load(&terms, &Model::default());
    if tape.bool(succeeds) == Some(true) || tape.repair(&terms, &[succeeds], ROUNDS) {
        return false;
    }
    let mut session = Session::new(&Limits { rlimit: limits.rlimit.or(Some(WORK)), ..*limits });
    matches!(session.check(&terms, &[succeeds]), Answer::Unsat)
}

/// Places and the guards of their sites.
type Places = BTreeMap<Option<LocId>, Vec<TermId>>;

/// The places of a thread that are not plainly reached.
fn open(thread: &Thread) -> Places {
    let mut open = Places::new();
    for site in &thread.sites {
        open.entry(site.loc).or_default().push(site.guard);
    }
    open.retain(|_, guards| guards.iter().all(|&g| thread.terms.as_bool(g) != Some(true)));
    open
}

/// The search for one thread. Nothing but the variables' ranges binds its terms, so that every assignment
/// within them is an execution.
struct Search<'t> {
    thread: &'t Thread,
    start: Instant,
    terms: Terms,
    tape: Tape,
    /// What was not reached yet.
    open: Places,
    unreachable: Vec<(EntryPointId, Option<LocId>)>,
}

impl<'t> Search<'t> {
    fn new(thread: &'t Thread, open: Places) -> Self {
        let roots: Vec<TermId> = open.values().flatten().copied().collect();
        let terms = thread.terms.clone();
        let mut tape = Tape::new(&terms, &roots, &[]);
        tape.load(&terms, &Model::default());
        Search { thread, start: Instant::now(), terms, tape, open, unreachable: Vec::new() }
    }

    /// Reaches what few changes to an execution reach: most places, at a fraction of what the solver costs.
    fn repair(&mut self) {
        self.drop_reached();
        let guards: Vec<TermId> = self.open.values().filter_map(|guards| guards.last().copied()).collect();
        for (n, guard) in guards.into_iter().enumerate() {
            if n >= PLACES && self.start.elapsed() > PATIENCE {
                return;
            }
            if !self.open.values().any(|guards| guards.contains(&guard)) {
                continue;
            }
            if self.tape.repair(&self.terms, &[guard], ROUNDS) {
                self.drop_reached();
            }
        }
    }

    /// Asks the solver for the rest.
    fn ask(&mut self, limits: &Limits) {
        let mut session = Session::new(&Limits { rlimit: limits.rlimit.or(Some(WORK)), ..*limits });
        let mut questions = 0;
        while !self.open.is_empty() && (questions < QUESTIONS || self.start.elapsed() < PATIENCE) {
            questions += 1;
            // One way to each: what the others need is mostly seen in the same model.
            let guards = self.open.values().filter_map(|g| g.last().copied());
            let asked: Vec<TermId> = guards.take(AT_ONCE).collect();
            let any = self.terms.or(&asked);
            let before = self.open.len();
            match session.check(&self.terms, &[any]) {
                Answer::Sat(model) => {
                    self.tape.load(&self.terms, &model);
                    self.drop_reached();
                    if self.open.len() == before {
                        break;
                    }
                }
                Answer::Unsat => self.drop_guards(&asked),
                Answer::Unknown(_) => break,
            }
        }
    }

    fn drop_reached(&mut self) {
        let tape = &self.tape;
        self.open.retain(|_, guards| guards.iter().all(|&g| tape.bool(g) != Some(true)));
    }

    /// Nothing makes these guards true.
    fn drop_guards(&mut self, asked: &[TermId]) {
        for guards in self.open.values_mut() {
            guards.retain(|g| !asked.contains(g));
        }
        let never = self.open.iter().filter(|(_, guards)| guards.is_empty());
        self.unreachable.extend(never.map(|(&place, _)| (self.thread.entry, place)));
        self.open.retain(|_, guards| !guards.is_empty());
    }
}
