//! Places in the source that an entry point accesses memory at, but that no execution of the encoding reaches
//! (design, rule 12): a proof about them says nothing. A place that some call chain leads to is reached.

use crate::instrument::Thread;
use lockpair_entry_points::EntryPointId;
use lockpair_ir::LocId;
use lockpair_smt::{Answer, Limits, Session, Tape, TermId};
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
}

/// The time for one thread's places.
const PATIENCE: Duration = Duration::from_millis(25);
/// So many questions are asked whatever they take: small threads are looked at in full, on busy machines too.
const QUESTIONS: usize = 4;
/// So many places are asked about at once: a model reaches one of them and, mostly, many others.
const AT_ONCE: usize = 32;

/// Looks at all places of all threads.
pub fn look(threads: &[Thread], limits: &Limits) -> Reachability {
    let parts: Vec<Reachability> = threads.par_iter().map(|t| places(t, limits)).collect();
    let mut all = Reachability::default();
    for part in parts {
        all.unreachable.extend(part.unreachable);
        all.undecided += part.undecided;
    }
    all
}

fn places(thread: &Thread, limits: &Limits) -> Reachability {
    let start = Instant::now();
    let mut open: BTreeMap<Option<LocId>, Vec<TermId>> = BTreeMap::new();
    for site in &thread.sites {
        open.entry(site.loc).or_default().push(site.guard);
    }
    open.retain(|_, guards| guards.iter().all(|&g| thread.terms.as_bool(g) != Some(true)));
    let roots: Vec<TermId> = open.values().flatten().copied().collect();
    let mut found = Reachability::default();
    let mut terms = thread.terms.clone();
    let mut tape = Tape::new(&terms, &roots, &[]);
    let mut session = Session::new(limits);
    let mut questions = 0;
    while !open.is_empty() && (questions < QUESTIONS || start.elapsed() < PATIENCE) {
        questions += 1;
        // One way to each: what the others need is mostly seen in the same model.
        let asked: Vec<TermId> = open.values().filter_map(|g| g.last().copied()).take(AT_ONCE).collect();
        let any = terms.or(&asked);
        match session.check(&terms, &[any]) {
            Answer::Sat(model) => {
                tape.load(&terms, &model);
                let before = open.len();
                open.retain(|_, guards| guards.iter().all(|&g| tape.bool(g) != Some(true)));
                if open.len() == before {
                    break;
                }
            }
            Answer::Unsat => {
                open.values_mut().for_each(|guards| guards.retain(|g| !asked.contains(g)));
                let never = open.iter().filter(|(_, guards)| guards.is_empty()).map(|(&place, _)| place);
                found.unreachable.extend(never.map(|place| (thread.entry, place)));
                open.retain(|_, guards| !guards.is_empty());
            }
            Answer::Unknown(_) => break,
        }
    }
    found.undecided = open.len();
    found
}
