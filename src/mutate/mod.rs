//! How much the verifier would miss: protections of proved pairs are taken away, one at a time, and the module is
//! verified again. Each such mutant has to be reported, or something else has to keep the accesses apart.
//!
//! The mutants are made in the module with effects, so that nothing of the front end is in the way. That a mutant is
//! reported says that the protection was needed for the proof. It does not say that the report is precise.

mod change;
pub mod draw;
mod find;
mod others;
mod report;
mod same;
mod sections;
mod trial;
mod under;

pub use report::{render, write_json};

use crate::config::{Config, Progress};
use crate::pipeline;
use crate::pipeline::scope::Encoded;
use crate::report::places::Place;
use crate::report::reported_verdict;
use crate::verdict::Verdict;
use anyhow::Result;
use change::Change;
use find::Candidate;
use lockpair_ir::{GlobalId, Module};
use others::{Finding, Search};
use sections::Section;
use serde::Serialize;
use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use trial::{Base, Pair, Wanted};
use under::{Found, Question};

/// What is taken away.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A lock is not taken, and not given back.
    Delete,
    /// A lock is taken only after the first access of the critical section.
    Begin,
    /// A lock is given back before the last access of the critical section.
    End,
    /// Another lock is taken instead, which nobody else takes.
    Swap,
    /// A lock that others take exclusively is taken in shared mode.
    Share,
    /// The environment does not say something of the entry points of a role: a lock held on entry, the handle
    /// that must be registered, the object that belongs to the call, that it runs once.
    Row,
}

/// A change that takes protection away.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mutant {
    /// What is taken away.
    pub kind: Kind,
    /// The lock with its class, or what the row says.
    pub what: String,
    /// The function, or the role of the row.
    pub function: String,
    /// Where the lock is taken or given back; none for rows.
    pub place: Option<Place>,
}

/// What came of a mutant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Class {
    /// A pair that was proved is reported.
    Killed {
        /// The entry points.
        pair: [String; 2],
        /// What they race for.
        location: String,
    },
    /// Something else keeps the accesses apart: without all of these, too, the mutant is reported, and they alone are
    /// not enough for that.
    Redundant(Vec<String>),
    /// It keeps no accesses of proved pairs apart, which is shown by this check.
    ProtectsNothing(Check),
    /// No verdict on a pair that was proved, and the reason.
    Undecided(String),
    /// Not reported, and nothing was found that makes up for it. With some accesses that nothing was seen to keep apart.
    Survivor(Vec<Meeting>),
}

/// How it is known that something protects nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Check {
    /// No access under it may touch the same memory as one of another entry point of a proved pair under it, as far as
    /// regions, declared types and constant addresses tell.
    NothingMeets,
    /// These may, but where their pointers come from tells them apart.
    Origins(Vec<Meeting>),
    /// These may, but their addresses differ, whatever else there is.
    Addresses(Vec<Meeting>),
    /// Where everything else is dropped, those that may race in spite of it.
    RacesAnyway,
}

/// Two accesses to memory that is not told apart.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Meeting {
    /// The entry points.
    pub pair: [String; 2],
    /// The places of the two accesses, that under the protection first.
    pub accesses: [String; 2],
}

/// A mutant with what came of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tried {
    /// The mutant.
    pub mutant: Mutant,
    /// What came of it.
    pub class: Class,
}

/// What to try.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where drawing begins.
    pub seed: u64,
    /// So many mutants are drawn; all if none is given.
    pub sample: Option<usize>,
}

/// What came out for a module.
#[derive(Clone, Debug)]
pub struct Report {
    /// The name of the module.
    pub module: String,
    /// The pairs that were proved, those that are left out included.
    pub proved: usize,
    /// How many mutants there are of what these rest on.
    pub possible: usize,
    /// Those that were tried, in the order of the code.
    pub tried: Vec<Tried>,
    /// Whether the user stopped the run before all were tried.
    pub interrupted: bool,
    /// Wall-clock time.
    pub time: Duration,
}

/// Tries the mutants of one driver.
pub fn run(config: &Config, options: &Options, progress: &dyn Progress) -> Result<Report> {
    let start = Instant::now();
    progress.stage("verifying the driver");
    let mut prepared = pipeline::prepare(config)?;
    // Of mutants no executions are searched, and each has a copy of what is prepared.
    prepared.program = None;
    // A lock of the module from the start, so that the numbers of all other objects stay as they are.
    let spare = find::add_spare_lock(&mut prepared.module);
    let base = pipeline::with_workers(config, || Base::new(config, prepared, progress))?;
    let sections = sections::find(&base.prepared.module);
    let all = find::all(&base, &sections, spare);
    let possible = all.len();
    let drawn = draw::sample(all, options.sample.unwrap_or(possible), options.seed);
    progress.pairs(drawn.len());
    let tried = try_all(config, &base, &sections, &drawn, progress)?;
    Ok(Report {
        module: base.prepared.module.name.clone(),
        proved: base.proved.len(),
        possible,
        interrupted: tried.len() < drawn.len(),
        tried,
        time: start.elapsed(),
    })
}

/// Tries mutants side by side, each on one thread, until the user wants to stop.
fn try_all(
    config: &Config,
    base: &Base,
    sections: &[Section],
    drawn: &[Candidate],
    progress: &dyn Progress,
) -> Result<Vec<Tried>> {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let workers = config.jobs.unwrap_or_else(cores);
    let config = Config { jobs: Some(1), ..config.clone() };
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    let work = || {
        pipeline::with_workers(&config, || {
            while let Some(candidate) = drawn.get(next.fetch_add(1, Ordering::Relaxed)) {
                if progress.interrupted() {
                    return Ok(());
                }
                let class = Trial { config: &config, base, sections, progress }.classify(candidate)?;
                if !progress.interrupted() {
                    let tried = Tried { mutant: candidate.mutant.clone(), class };
                    done.lock().unwrap_or_else(|e| e.into_inner()).push((number(drawn, candidate), tried));
                    progress.done_one();
                }
            }
            Ok(())
        })
    };
    std::thread::scope(|scope| {
        let running: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        running
            .into_iter()
            .try_for_each(|worker| worker.join().unwrap_or_else(|e| std::panic::resume_unwind(e)))
    })?;
    let mut done = done.into_inner().unwrap_or_else(|e| e.into_inner());
    done.sort_by_key(|(position, _)| *position);
    Ok(done.into_iter().map(|(_, tried)| tried).collect())
}

fn number(drawn: &[Candidate], candidate: &Candidate) -> usize {
    drawn.iter().position(|c| std::ptr::eq(c, candidate)).unwrap_or(drawn.len())
}

/// What makes up for a lock that all sides take in the place of another.
const INSTEAD: &str = "the lock taken instead, on both sides";

/// The trial of a mutant.
struct Trial<'a> {
    config: &'a Config,
    base: &'a Base,
    sections: &'a [Section],
    progress: &'a dyn Progress,
}

impl Trial<'_> {
    fn classify(&self, candidate: &Candidate) -> Result<Class> {
        let Candidate { change, pairs, .. } = candidate;
        let wanted = Wanted { pairs, first: true, ..Wanted::default() };
        let results = self.base.verify(self.config, &[change], &wanted, self.progress)?;
        if let Some(racy) = results.iter().find(|p| !p.races.is_empty()) {
            let location = racy.races[0].location.clone();
            return Ok(Class::Killed { pair: self.names(racy.pair), location });
        }
        let unknown = results.iter().find_map(|p| match reported_verdict(p) {
            Verdict::Unknown(why) => Some(format!("{}: {why}", self.names(p.pair).join(", "))),
            Verdict::RaceFree | Verdict::Potential | Verdict::Race => None,
        });
        match unknown {
            Some(why) => Ok(Class::Undecided(why)),
            None => self.explain(candidate),
        }
    }

    /// Why a mutant is not reported.
    fn explain(&self, candidate: &Candidate) -> Result<Class> {
        let found = self.found(candidate, None)?;
        if found.meetings.is_empty() && !found.more {
            let check = match found.told_apart.is_empty() {
                true => Check::NothingMeets,
                false => Check::Origins(self.all(&found.told_apart)),
            };
            return Ok(Class::ProtectsNothing(check));
        }
        if let Change::OtherLock(_, _, spare) = &candidate.change {
            let found = self.found(candidate, Some(*spare))?;
            if found.meetings.is_empty() && !found.more {
                return Ok(Class::Redundant(vec![INSTEAD.to_owned()]));
            }
            return self.search(candidate, &found);
        }
        self.search(candidate, &found)
    }

    /// The accesses that a mutant concerns.
    fn found(&self, candidate: &Candidate, instead: Option<GlobalId>) -> Result<Found> {
        let Candidate { change, taken, pairs, .. } = candidate;
        let question = Question { base: self.base, pairs, taken, instead };
        let look = |encoded: &Encoded, changed: &HashSet<_>| question.answer(encoded, changed);
        self.base.look(self.config, change, &look, self.progress)
    }

    fn search(&self, candidate: &Candidate, found: &Found) -> Result<Class> {
        let Candidate { change, taken, pairs, .. } = candidate;
        let own = candidate.section.map(|s| &self.sections[s]);
        let others = others::of_pairs(self.base, self.sections, pairs, (change, taken, own));
        let (base, config, progress) = (self.base, self.config, self.progress);
        let search = Search { base, config, progress, mutant: change, pairs, found };
        Ok(match search.run(&others)? {
            Finding::Others(because) => Class::Redundant(because),
            Finding::NoDifference => Class::ProtectsNothing(Check::RacesAnyway),
            Finding::Addresses(meetings) => Class::ProtectsNothing(Check::Addresses(self.all(&meetings))),
            Finding::Apart(meetings) if meetings.is_empty() => Class::Undecided(format!(
                "more than {} accesses meet, and of these all race if the rest is dropped, too",
                under::MEETINGS
            )),
            Finding::Apart(meetings) => Class::Survivor(self.all(&meetings)),
        })
    }

    fn all<'m>(&self, meetings: impl IntoIterator<Item = &'m under::Meeting>) -> Vec<Meeting> {
        meetings.into_iter().map(|m| self.meeting(m)).collect()
    }

    fn names(&self, (a, b): Pair) -> [String; 2] {
        [a, b].map(|entry| self.base.prepared.entry_points.items[entry].name.clone())
    }

    fn meeting(&self, meeting: &under::Meeting) -> Meeting {
        let module: &Module = &self.base.prepared.module;
        let at =
            |loc: Option<_>| loc.map_or_else(|| "?".to_owned(), |l| Place::in_driver(module, l).to_string());
        Meeting { pair: self.names(meeting.pair), accesses: [at(meeting.access), at(meeting.other)] }
    }
}
