//! Executions of the model of a driver, for each pair of its entry points.

use super::driver::{Driver, Of};
use super::{Sides, bounds, is_of, sides, sides_of, steps};
use crate::config::Effort;
use crate::verdict::{Analysis, Execution, PairResult, Searched, Verdict};
use lockpair_env::Model;
use lockpair_ir::interp::{self, Bounds, Scenario};
use lockpair_ir::{LocId, Module};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The states that are looked at for one pair and one of the ways in which its parameters may go together: at most one of so many of those of
/// a whole program,
const SHARE: usize = 25;
/// and for all pairs of a driver together, at most so many times as many.
const PAIRS: usize = 3;
/// The bytes of all variables of a driver that is searched: each scenario has them.
const LARGEST: u64 = 1 << 24;
/// How often a loop goes round.
const ROUNDS: u32 = 64;

/// Searches executions for the races that were reported of a driver: `module` is the driver with the effects of the rows. The two
/// threads of a pair begin in any state that no row excludes, and functions outside do and give what their rows allow. So an execution
/// need not be real: it says what would have to happen. The verdicts stay.
pub fn confirm_pairs(
    module: &Module,
    model: &Model,
    effort: &Effort,
    analysis: &mut Analysis,
    stop: &(dyn Fn() -> bool + Sync),
) -> Searched {
    let mut searched = Searched { complete: true, ..Searched::default() };
    let bytes = module.globals.values().fold(0u64, |sum, global| sum.saturating_add(global.size));
    if bytes > LARGEST {
        return Searched { complete: false, ..searched };
    }
    let driver = Driver::new(module, model, &analysis.entry_points);
    let racy: Vec<usize> =
        (0..analysis.pairs.len()).filter(|&at| !analysis.pairs[at].races.is_empty()).collect();
    let states = (effort.states / SHARE).min(effort.states * PAIRS / racy.len().max(1));
    let search = |&at: &usize| Search::new(&driver, effort, states, analysis, &analysis.pairs[at]).run(stop);
    let found: Vec<Found> = racy.par_iter().map(search).collect();
    for (at, found) in racy.into_iter().zip(found) {
        searched.states += found.searched.states;
        searched.steps += found.searched.steps;
        searched.complete &= found.searched.complete;
        for (race, execution) in found.executions {
            analysis.pairs[at].races[race].execution = Some(execution);
        }
    }
    searched.interrupted = stop();
    searched
}

/// Pairs of a driver that were proved, though an execution of the model has a race: each with the two places. Either the proof rests on
/// what excludes the state in which that begins, or it is none: for people to judge.
pub fn doubt_pairs(
    module: &Module,
    model: &Model,
    effort: &Effort,
    analysis: &Analysis,
) -> Vec<(usize, [Option<LocId>; 2], Execution)> {
    let driver = Driver::new(module, model, &analysis.entry_points);
    let is_proved = |&at: &usize| analysis.pairs[at].verdict == Verdict::RaceFree;
    let proved: Vec<usize> = (0..analysis.pairs.len()).filter(is_proved).collect();
    let search = |&at: &usize| {
        let mut search = Search::new(&driver, effort, effort.states / SHARE, analysis, &analysis.pairs[at]);
        search.bounds.switches = None;
        search.doubts().map(|(places, execution)| (at, places, execution))
    };
    proved.par_iter().filter_map(search).collect()
}

/// What was found of a pair: executions, each with the position of its race.
struct Found {
    executions: Vec<(usize, Arc<Execution>)>,
    searched: Searched,
}

/// The search for executions of a pair.
struct Search<'a> {
    driver: &'a Driver<'a>,
    pair: &'a PairResult,
    bounds: Bounds,
    /// The races that have none yet, as positions in the pair.
    wanted: BTreeMap<Sides, Vec<usize>>,
    found: Found,
}

impl<'a> Search<'a> {
    fn new(
        driver: &'a Driver<'a>,
        effort: &Effort,
        states: usize,
        analysis: &Analysis,
        pair: &'a PairResult,
    ) -> Search<'a> {
        let mut wanted: BTreeMap<Sides, Vec<usize>> = BTreeMap::new();
        for (n, race) in pair.races.iter().enumerate() {
            wanted.entry(sides(analysis, pair.pair, race)).or_default().push(n);
        }
        let places: BTreeSet<LocId> = wanted.keys().flatten().filter_map(|(_, _, loc, _)| *loc).collect();
        let bounds = Bounds {
            max_states: states,
            max_search: 200 * states as u64,
            max_iterations: ROUNDS,
            ..bounds(effort, places)
        };
        let searched = Searched { complete: true, ..Searched::default() };
        Search { driver, pair, bounds, wanted, found: Found { executions: Vec::new(), searched } }
    }

    fn run(mut self, stop: &dyn Fn() -> bool) -> Found {
        let mut done: Vec<Scenario> = Vec::new();
        for of in [Of::One, Of::First, Of::Two] {
            if self.wanted.is_empty() || stop() {
                break;
            }
            let scenario = self.driver.scenario(self.pair.pair, of);
            let Some(scenario) = scenario.filter(|scenario| !done.contains(scenario)) else { continue };
            self.search(&scenario, stop);
            done.push(scenario);
        }
        self.found
    }

    /// The first race that an execution has.
    fn doubts(&self) -> Option<([Option<LocId>; 2], Execution)> {
        [Of::One, Of::First, Of::Two].into_iter().find_map(|of| {
            let scenario = self.driver.scenario(self.pair.pair, of)?;
            let mut found = None;
            interp::explore_until(&self.driver.code, &scenario, &self.bounds, &mut |race| {
                if self.driver.is_plain(race) {
                    let execution = steps::replayed(&self.driver.code, &scenario, &self.bounds, race);
                    found =
                        execution.map(|execution| ([race.first.site.loc, race.second.site.loc], execution));
                }
                found.is_some()
            });
            found
        })
    }

    fn search(&mut self, scenario: &Scenario, stop: &dyn Fn() -> bool) {
        let Search { driver, pair, bounds, wanted, found } = self;
        let exploration = interp::explore_until(&driver.code, scenario, bounds, &mut |race| {
            let sides = sides_of(scenario, race);
            if let Some(races) = wanted.get_mut(&sides)
                && driver.is_plain(race)
                && let Some(execution) = steps::replayed(&driver.code, scenario, bounds, race)
            {
                let execution = Arc::new(execution);
                let of_it = |n: &mut usize| is_of(driver.module, &pair.races[*n], race);
                found.executions.extend(races.extract_if(.., of_it).map(|n| (n, execution.clone())));
                wanted.retain(|_, races| !races.is_empty());
            }
            wanted.is_empty() || stop()
        });
        found.searched.states += exploration.states;
        found.searched.steps += exploration.steps;
        found.searched.complete &= exploration.complete;
    }
}
