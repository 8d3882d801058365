//! Confirming: an execution that has a race (WHOOP, section IV; CORRAL).
//!
//! The condition of a pair may be satisfiable where no execution has the race. So the interpreter searches executions of the
//! whole program, from its very first instruction, with few context switches first, and each that is found is replayed before it is
//! reported. It goes no further than what is known exactly ([`Exact`](lockpair_ir::interp::Exact)): what it shows is real, and
//! what it does not show may be real all the same.
//!
//! That is of programs. What the kernel does to a driver's objects before its functions are called is not known exactly, so the races of a
//! driver are looked for in executions of its model ([`confirm_pairs`]): these say what would have to happen, and confirm nothing.

mod driver;
mod pairs;
mod program;
mod steps;

use crate::config::{Effort, Switches};
use crate::verdict::{Access, Analysis, RaceReport, Searched, UnknownReason, Verdict};
use lockpair_entry_points::EntryPointId;
use lockpair_env::Model;
use lockpair_ir::interp::{self, Bounds, RaceAccess, RaceFound, Scenario};
use lockpair_ir::{FuncId, LocId, Module, Op};
pub use pairs::{confirm_pairs, doubt_pairs};
use program::{Program, Run};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How the program is run, one after the other: few threads first, since their executions are fewer.
const RUNS: [Run; 3] =
    [Run { of_each: 2, arguments: 0 }, Run { of_each: 2, arguments: 3 }, Run { of_each: 8, arguments: 0 }];

/// So many bytes of variables are kept and compared in a run: under a second, and what a small machine has.
const BYTES: u64 = 1 << 29;

/// One side of a race: the function that the thread runs, where the calls stand that are open, where the access stands, and whether
/// it writes.
type Side = (FuncId, Vec<Option<LocId>>, Option<LocId>, bool);

/// The two sides of a race, in an order that does not depend on which comes first.
type Sides = [Side; 2];

/// Searches executions for the races that were reported of a program: `module` is that program as the front end delivered it.
/// Races that are found have an execution afterwards, and their pairs are [`Verdict::Race`]. A pair that was proved and has one all
/// the same is an internal error; where there is no other race to look for, one such is enough. Nothing if the program has no
/// `main`, or if `stop` says so.
pub fn confirm(
    module: &Module,
    model: &Model,
    effort: &Effort,
    analysis: &mut Analysis,
    stop: &dyn Fn() -> bool,
) -> Option<Searched> {
    let mut wanted = reported(analysis);
    if effort.states == 0 || stop() {
        return None;
    }
    let program = Program::new(module, model, &analysis.entry_points)?;
    let places = wanted.keys().flatten().filter_map(|(_, _, loc, _)| *loc).collect();
    let bounds = bounds(effort, places);
    let mut searched = Searched { complete: true, ..Searched::default() };
    let mut confirmed = Vec::new();
    let mut refuted = BTreeSet::new();
    let code = interp::Program::new(&program.module);
    for run in RUNS {
        let scenario = program.scenario(run);
        let exploration = interp::explore_until(&code, &scenario, &bounds, &mut |race| {
            let sides = sides_of(&scenario, race);
            refuted.extend(proved(analysis, &sides));
            if let Some(races) = wanted.get_mut(&sides)
                && program.is_plain(race)
                && let Some(execution) = steps::replayed(&code, &scenario, &bounds, race)
            {
                let execution = Arc::new(execution);
                let report = |(pair, n): (usize, usize)| &analysis.pairs[pair].races[n];
                let of_it = |at: &(usize, usize)| is_of(&program.module, report(*at), race);
                confirmed.extend(races.extract_if(.., |at| of_it(at)).map(|at| (at, execution.clone())));
                wanted.retain(|_, races| !races.is_empty());
            }
            wanted.is_empty() || stop()
        });
        searched.states += exploration.states;
        searched.steps += exploration.steps;
        searched.complete &= exploration.complete;
        if wanted.is_empty() || stop() {
            break;
        }
    }
    for ((pair, race), execution) in confirmed {
        analysis.pairs[pair].verdict = Verdict::Race;
        analysis.pairs[pair].races[race].execution = Some(execution);
    }
    for pair in refuted {
        let why = "an execution has a race that no condition has".to_owned();
        analysis.pairs[pair].verdict = Verdict::Unknown(UnknownReason::Vacuous(why));
    }
    searched.interrupted = !wanted.is_empty() && stop();
    Some(searched)
}

/// Whether no other instruction of the function makes an access like this one at its place, as several that come from one macro do.
fn is_alone(module: &Module, access: &RaceAccess) -> bool {
    let func = &module.funcs[access.site.func];
    let there = func.insts.values().filter(|inst| inst.loc == access.site.loc);
    there.filter(|inst| accesses(&inst.op, access.write)).count() == 1
}

/// Whether an instruction has an access that writes, or one that reads.
fn accesses(op: &Op, writes: bool) -> bool {
    match op {
        Op::Load { .. } => !writes,
        Op::Store { .. } | Op::MemSet { .. } | Op::Free { .. } => writes,
        Op::MemCopy { .. } | Op::Rmw { .. } | Op::CmpXchg { .. } => true,
        Op::Access { write, .. } => *write == writes,
        _ => false,
    }
}

/// The pairs of these two functions that were proved, though an execution has a race: a proof that is none.
fn proved(analysis: &Analysis, [(a, ..), (b, ..)]: &Sides) -> Vec<usize> {
    let func = |entry: EntryPointId| analysis.entry_points.items[entry].func;
    let is_of_them = |(x, y): (EntryPointId, EntryPointId)| {
        let (x, y) = (func(x), func(y));
        (x, y) == (*a, *b) || (y, x) == (*a, *b)
    };
    let proved = analysis.pairs.iter().enumerate().filter(|(_, result)| result.verdict == Verdict::RaceFree);
    proved.filter(|(_, result)| is_of_them(result.pair)).map(|(at, _)| at).collect()
}

fn bounds(effort: &Effort, places: BTreeSet<LocId>) -> Bounds {
    Bounds {
        max_states: effort.states / RUNS.len(),
        max_search: 200 * effort.states as u64,
        max_bytes: BYTES,
        max_steps: 200_000,
        max_iterations: 128,
        max_switches: Some(effort.switches),
        switches: (effort.at == Switches::Races).then_some(places),
        spurious_failure: false,
        ..Bounds::default()
    }
}

/// The races that were reported, each as (position of the pair, position in the pair), by their sides. Those without a place are
/// not looked for.
fn reported(analysis: &Analysis) -> BTreeMap<Sides, Vec<(usize, usize)>> {
    let mut reported: BTreeMap<Sides, Vec<(usize, usize)>> = BTreeMap::new();
    for (at, result) in analysis.pairs.iter().enumerate() {
        for (n, race) in result.races.iter().enumerate() {
            let sides = sides(analysis, result.pair, race);
            if sides.iter().all(|(_, _, loc, _)| loc.is_some()) {
                reported.entry(sides).or_default().push((at, n));
            }
        }
    }
    reported
}

fn sides(analysis: &Analysis, (a, b): (EntryPointId, EntryPointId), race: &RaceReport) -> Sides {
    let side = |entry: EntryPointId, access: &Access| {
        let calls = access.stack.iter().skip(1).map(|frame| frame.call).collect();
        (analysis.entry_points.items[entry].func, calls, access.loc, access.write)
    };
    in_order([side(a, &race.accesses[0]), side(b, &race.accesses[1])])
}

/// The same of a race that an execution has.
fn sides_of(scenario: &Scenario, race: &RaceFound) -> Sides {
    let side = |access: &RaceAccess| {
        let calls = access.callers.iter().map(|site| site.loc).collect();
        (scenario.threads[access.thread].call.func, calls, access.site.loc, access.write)
    };
    in_order([side(&race.first), side(&race.second)])
}

fn in_order(mut sides: Sides) -> Sides {
    sides.sort();
    sides
}

/// Whether a report that has the sides of a race is of the variable that it is at, if it names one.
fn is_of(module: &Module, report: &RaceReport, race: &RaceFound) -> bool {
    let location = &report.location;
    let name = location.split(['.', '[']).next().unwrap_or(location);
    module.global_named(name).is_none() || race.first.object == name
}
