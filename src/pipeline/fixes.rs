//! What would remove a race: a lock of one side around the access of the other one, too. That is asked of the pair's
//! condition before it is said, once for each problem that a report shows.

use crate::analysis::layout::Shape;
use crate::instrument::Thread;
use crate::instrument::thread::{Lock, StateClasses};
use crate::report;
use crate::vcgen::{Checker, Remedy, Where};
use crate::verdict::{Fix, PairResult, RaceReport};
use lockpair_entry_points::EntryPoints;
use lockpair_env::schema::Context;
use lockpair_ir::{EntityRef, LockMode, Module};
use lockpair_smt::Limits;
use rayon::prelude::*;

/// What a question may cost, in the solver's own measure: some 50 ms.
const WORK: u32 = 200_000;
/// So many locks are tried for a problem.
const TRIED: usize = 6;
/// For so many problems: a report with more is not read to its end.
const PROBLEMS: usize = 64;

/// What fixes are looked for in.
pub struct Search<'a> {
    /// The module.
    pub module: &'a Module,
    /// The conditions of pairs.
    pub checker: &'a Checker<'a>,
    /// The threads.
    pub threads: &'a [Thread],
    /// Their entry points.
    pub entry_points: &'a EntryPoints,
    /// Locks that are states of the kernel.
    pub states: &'a StateClasses,
    /// What the solver may use.
    pub limits: &'a Limits,
    /// Whether there is no time left.
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

impl Search<'_> {
    /// Notes what removes the races that reports show as examples.
    pub fn run(&self, results: &mut [PairResult]) {
        let found: Vec<((usize, usize), Option<Fix>)> = report::examples(self.module, results)
            .into_par_iter()
            .enumerate()
            .map(|(n, (p, r))| {
                let threads = [results[p].pair.0, results[p].pair.1].map(|e| e.index());
                ((p, r), self.fix(threads, &results[p].races[r], n < PROBLEMS))
            })
            .collect();
        for ((p, r), fix) in found {
            results[p].races[r].fix = fix;
        }
    }

    /// None if no side takes a lock.
    fn fix(&self, threads: [usize; 2], race: &RaceReport, try_locks: bool) -> Option<Fix> {
        let candidates = [0, 1].map(|holder| self.locks(threads[holder], race.sites[holder]));
        if candidates.iter().all(Vec::is_empty) || race.is_of_lock() {
            return None;
        }
        if race.is_of_lifetime() {
            return Some(Fix::Missing("a lock around it does not keep an object alive".to_owned()));
        }
        if !try_locks {
            return Some(Fix::Missing(format!("locks are tried for {PROBLEMS} problems of a driver")));
        }
        let mut missing = None;
        let mut tried = 0;
        for (holder, lock) in
            [0, 1].into_iter().flat_map(|h| candidates[h].iter().map(move |&lock| (h, lock)))
        {
            let taken = super::evidence::held_lock(&self.threads[threads[holder]].locks[lock]);
            if let Some(why) = self.must_not_take(threads[1 - holder], &taken.class, &taken.name) {
                missing.get_or_insert(why);
                continue;
            }
            for at in self.places(threads, race.sites, holder, lock) {
                tried += 1;
                if tried > TRIED || (self.stop)() {
                    missing.get_or_insert("there was no time to try it".to_owned());
                    break;
                }
                let remedy = Remedy { holder, lock, at };
                let limits = Limits { rlimit: self.limits.rlimit.or(Some(WORK)), ..*self.limits };
                match self.checker.would_help(threads, race.sites, &remedy, &limits) {
                    Some(true) => return Some(Fix::Take { lock: taken, around: 1 - holder }),
                    Some(false) => missing.insert(format!(
                        "nothing shows that {} is the lock of the same object on both sides",
                        taken.name
                    )),
                    None => missing.get_or_insert("the solver gave no answer in time".to_owned()),
                };
            }
            missing.get_or_insert(format!("how to come to {} there is not known", taken.name));
        }
        missing.map(Fix::Missing)
    }

    /// The locks that the thread itself has taken and may hold at a site.
    fn locks(&self, thread: usize, site: usize) -> Vec<usize> {
        let thread = &self.threads[thread];
        let held = &thread.sites[site].held;
        let is_lock = |lock: &Lock| {
            !lock.implicit
                && lock.keeps_off.is_none()
                && lock.owns.is_none()
                && !self.states.contains_key(&lock.class)
        };
        let all = 0..thread.locks.len().min(held.known());
        all.filter(|&l| is_lock(&thread.locks[l]))
            .filter(|&l| thread.terms.as_bool(held.taken(l, &thread.terms)) != Some(false))
            .collect()
    }

    /// Why a thread must not take a lock of the class.
    fn must_not_take(&self, thread: usize, class: &str, name: &str) -> Option<String> {
        let entry = &self.entry_points.items[self.threads[thread].entry];
        let is_interrupt = entry.context != Context::Process;
        (is_interrupt && !report::spins(class))
            .then(|| format!("{name} ({class}) may sleep, and {} runs in interrupt context", entry.name))
    }

    /// How the other side may come to a lock.
    fn places(&self, threads: [usize; 2], sites: [usize; 2], holder: usize, lock: usize) -> Vec<Where> {
        let [mine, other] = [holder, 1 - holder].map(|n| &self.threads[threads[n]]);
        let site = &other.sites[sites[1 - holder]];
        let lock = &mine.locks[lock];
        if mine.fixed_place(lock.addr).is_some() {
            return vec![Where::Global];
        }
        let inside = match (lock.shape, site.shape) {
            (Shape::In { strukt, lo, .. }, Shape::In { strukt: there, .. }) if strukt == there => {
                Some(Where::Inside(i128::from(lo)))
            }
            _ => None,
        };
        let is_like =
            |l: &Lock| !l.implicit && l.class == lock.class && l.shape == lock.shape && l.name == lock.name;
        let own = (0..other.locks.len()).filter(|&l| is_like(&other.locks[l])).map(Where::Own);
        // A lock that is held there already, in a mode that excludes, has not helped.
        let held = |at: &Where| match at {
            Where::Own(l) => {
                other.locks[*l].mode == LockMode::Exclusive && site.held.surely(*l, &other.terms)
            }
            Where::Global | Where::Inside(_) => false,
        };
        inside.into_iter().chain(own).filter(|at| !held(at)).collect()
    }
}
