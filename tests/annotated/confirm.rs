//! Executions of the races of programs: what they show is real, so it is annotated as such.

use crate::expect::{Expectations, Line};
use crate::judge::{Failure, line_of_access};
use crate::verify::Input;
use lockpair::config::{Effort, Switches};
use lockpair::confirm::{confirm, confirm_pairs};
use lockpair::verdict::{Analysis, PairResult, RaceReport, UnknownReason, Verdict};
use lockpair_ir::LocId;
use std::collections::BTreeSet;
use std::path::Path;

/// So many states are looked at for a race of a program of which all pairs are proved.
const STATES_OF_PROOFS: usize = 15_000;

/// How many of the reported races of an input have an execution, and how many there are.
pub type Confirmed = (usize, usize);

/// The same of executions of the model, with the lines of those that are annotated as no race.
pub type Executed = (Confirmed, BTreeSet<u32>);

/// Confirms the races of an input, if it is a program: with switches where races may be, and anywhere. No pair that was proved
/// has one.
pub fn judge(
    name: &str,
    file: &Path,
    expected: &Expectations,
    input: &Input,
    analysis: &Analysis,
) -> Option<(Confirmed, Vec<Failure>)> {
    let program = input.program()?;
    let states = if races(analysis).next().is_none() { STATES_OF_PROOFS } else { Effort::default().states };
    let search = |at| {
        let mut analysis = analysis.clone();
        let effort = Effort { at, states, ..Effort::default() };
        let searched = confirm(program, input.model(), &effort, &mut analysis, &|| false);
        (analysis, searched.is_none_or(|searched| searched.complete))
    };
    let (anywhere, is_complete) = search(Switches::All);
    // Where no race is reported, there is nowhere else to switch.
    let confirmed =
        if races(analysis).next().is_none() { anywhere.clone() } else { search(Switches::Races).0 };
    let mut failures = Vec::new();
    for race in races(&confirmed).chain(races(&anywhere)).filter(|race| race.execution.is_some()) {
        for line in race.accesses.iter().filter_map(|a| line_of_access(file, &confirmed.module, a)) {
            if !matches!(expected.lines.get(&line), Some(Line::Race | Line::Missed)) {
                failures.push(Failure::new(name, line, "an execution has a race that is no race"));
            }
        }
    }
    if is_complete && places(&confirmed) != places(&anywhere) {
        failures.push(Failure::new(name, 0, "where threads are switched decides which races are confirmed"));
    }
    let is_refuted = |pair: &PairResult| matches!(pair.verdict, Verdict::Unknown(UnknownReason::Vacuous(_)));
    if anywhere.pairs.iter().any(is_refuted) {
        failures.push(Failure::new(name, 0, "UNSOUND: an execution has a race of a pair that was proved"));
    }
    let with = races(&confirmed).filter(|race| race.execution.is_some()).count();
    Some(((with, races(&confirmed).count()), failures))
}

fn races(analysis: &Analysis) -> impl Iterator<Item = &RaceReport> {
    analysis.pairs.iter().flat_map(|pair| &pair.races)
}

/// The places of the races that have an execution.
fn places(analysis: &Analysis) -> BTreeSet<[Option<LocId>; 2]> {
    let confirmed = races(analysis).filter(|race| race.execution.is_some());
    confirmed.map(|race| race.accesses.each_ref().map(|access| access.loc)).collect()
}

/// The executions of the model that the races of an input have, if it is a driver, and the lines among these that are annotated as no race: a
/// row says less than its driver relies on.
pub fn executed(
    file: &Path,
    expected: &Expectations,
    input: &Input,
    analysis: &Analysis,
) -> Option<Executed> {
    let mut analysis = analysis.clone();
    confirm_pairs(input.driver()?, input.model(), &Effort::default(), &mut analysis, &|| false);
    let executed = || races(&analysis).filter(|race| race.execution.is_some());
    let lines =
        executed().flat_map(|race| &race.accesses).filter_map(|a| line_of_access(file, &analysis.module, a));
    let is_real = |line: &u32| matches!(expected.lines.get(line), Some(Line::Race | Line::Missed));
    Some(((executed().count(), races(&analysis).count()), lines.filter(|line| !is_real(line)).collect()))
}
