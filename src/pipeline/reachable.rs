//! Sites that no execution of the encoding reaches (design, rule 12): a proof about them says nothing.

use crate::instrument::Thread;
use lockpair_entry_points::EntryPointId;
use lockpair_ir::LocId;
use lockpair_smt::{Answer, Limits, Session, Tape, TermId};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// What was found out.
#[derive(Default)]
pub struct Reachability {
    /// Sites that are not reached: entry point and place.
    pub unreachable: Vec<(EntryPointId, Option<LocId>)>,
    /// How many sites could not be decided in time.
    pub undecided: usize,
}

/// The time for one thread's sites.
const PATIENCE: Duration = Duration::from_millis(40);
/// So many conditions are asked about at once: a model fulfils one of them and, mostly, many others.
const AT_ONCE: usize = 32;

/// Looks at all sites of all threads.
pub fn look(threads: &[Thread], limits: &Limits) -> Reachability {
    let parts: Vec<Reachability> = threads.par_iter().map(|t| sites(t, limits)).collect();
    let mut all = Reachability::default();
    for part in parts {
        all.unreachable.extend(part.unreachable);
        all.undecided += part.undecided;
    }
    all
}

fn sites(thread: &Thread, limits: &Limits) -> Reachability {
    let start = Instant::now();
    let mut open: BTreeSet<TermId> = thread.sites.iter().map(|s| s.guard).collect();
    open.retain(|&g| thread.terms.as_bool(g) != Some(true));
    let mut never = BTreeSet::new();
    let roots: Vec<TermId> = open.iter().copied().collect();
    let mut terms = thread.terms.clone();
    let mut tape = Tape::new(&terms, &roots, &[]);
    let mut session = Session::new(limits);
    while !open.is_empty() && start.elapsed() < PATIENCE {
        let list: Vec<TermId> = open.iter().copied().take(AT_ONCE).collect();
        let any = terms.or(&list);
        match session.check(&terms, &[any]) {
            Answer::Sat(model) => {
                tape.load(&terms, &model);
                let before = open.len();
                open.retain(|&g| tape.bool(g) != Some(true));
                if open.len() == before {
                    break;
                }
            }
            Answer::Unsat => {
                list.iter().for_each(|g| _ = open.remove(g));
                never.extend(list);
            }
            Answer::Unknown(_) => break,
        }
    }
    let mut places: Vec<Option<LocId>> =
        thread.sites.iter().filter(|s| never.contains(&s.guard)).map(|s| s.loc).collect();
    places.sort_unstable();
    places.dedup();
    Reachability {
        unreachable: places.into_iter().map(|loc| (thread.entry, loc)).collect(),
        undecided: thread.sites.iter().filter(|s| open.contains(&s.guard)).count(),
    }
}
