//! Compares what was reported with what was expected.

use crate::expect::{Expectations, Line};
use lockpair::report::reported_verdict;
use lockpair::verdict::{Access, Analysis, Verdict};
use lockpair_ir::{LocId, Module};
use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

/// An expectation that is not met.
#[derive(PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Failure {
    file: String,
    /// The line, from 1; 0 for the whole file.
    line: u32,
    /// What was expected and what came.
    pub what: String,
}

impl Failure {
    pub fn new(file: &str, line: u32, what: impl Into<String>) -> Failure {
        Failure { file: file.to_owned(), line, what: what.into() }
    }

    /// The file.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// `file:line`.
    pub fn place(&self) -> String {
        if self.line == 0 { self.file.clone() } else { format!("{}:{}", self.file, self.line) }
    }
}

/// How many expectations of each kind there were.
#[derive(Default)]
pub struct Tally {
    files: usize,
    races: usize,
    no_races: usize,
    imprecise: usize,
    missed: usize,
    unreachable: usize,
}

impl Tally {
    pub fn add(&mut self, other: &Tally) {
        self.files += other.files;
        self.races += other.races;
        self.no_races += other.no_races;
        self.imprecise += other.imprecise;
        self.missed += other.missed;
        self.unreachable += other.unreachable;
    }

    fn of(expectations: &Expectations) -> Tally {
        let count = |kind: Line| expectations.lines.values().filter(|said| **said == kind).count();
        Tally {
            files: 1,
            races: count(Line::Race),
            no_races: count(Line::NoRace),
            imprecise: count(Line::Imprecise),
            missed: count(Line::Missed),
            unreachable: count(Line::Unreachable),
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { files, races, no_races, imprecise, missed, unreachable } = self;
        write!(f, "{files} inputs; lines: {races} RACE!, {no_races} NORACE, {imprecise} RACE (imprecise), ")?;
        write!(f, "{missed} MISSED (unsound), {unreachable} UNREACHABLE")
    }
}

/// Judges one input.
pub fn judge(
    name: &str,
    file: &Path,
    expected: &Expectations,
    outcome: &Result<Analysis, String>,
) -> (Tally, Vec<Failure>) {
    let fail = |line: u32, what: String| Failure::new(name, line, what);
    let failures = match (outcome, &expected.error) {
        (Err(error), Some(text)) if error.contains(text) => vec![],
        (Err(error), Some(text)) => vec![fail(0, format!("error expected: {text}; it is: {error}"))],
        (Err(error), None) => vec![fail(0, format!("cannot be checked: {error}"))],
        (Ok(_), Some(text)) => vec![fail(0, format!("error expected: {text}; it was checked"))],
        (Ok(analysis), None) => {
            let lines = lines(file, expected, analysis).into_iter().map(|(line, what)| fail(line, what));
            lines.chain(whole(expected, analysis).into_iter().map(|what| fail(0, what))).collect()
        }
    };
    (Tally::of(expected), failures)
}

fn lines(file: &Path, expected: &Expectations, analysis: &Analysis) -> Vec<(u32, String)> {
    let racy = racy_lines(file, analysis);
    let unreachable = unreachable_lines(file, analysis);
    let annotated = expected.lines.iter().filter_map(|(&line, said)| {
        let problem = match (said, racy.contains(&line)) {
            (Line::Race, false) => "UNSOUND: a race that is not reported",
            (Line::NoRace, true) => "imprecise: reported, but there is no race",
            (Line::Imprecise, false) => "bless: now precise, make it NORACE",
            (Line::Missed, true) => "bless: no longer missed, make it RACE!",
            (Line::Unreachable, _) if !unreachable.contains(&line) => "not listed as unreachable",
            _ => return None,
        };
        Some((line, problem.to_owned()))
    });
    let silent = racy.iter().filter(|line| !expected.lines.contains_key(line));
    annotated.chain(silent.map(|&line| (line, "reported, but not annotated".to_owned()))).collect()
}

fn whole(expected: &Expectations, analysis: &Analysis) -> Vec<String> {
    let entry_points = count("entry points", expected.entry_points, analysis.entry_points.items.len());
    let pairs = count("pairs", expected.pairs, analysis.pairs.len());
    let has = |kind: &str, subject: &Option<String>| {
        let mut of_kind = analysis.assumptions.iter().filter(|a| a.kind.name() == kind);
        of_kind.any(|a| subject.as_ref().is_none_or(|subject| a.subject == *subject))
    };
    let absent = expected.assume.iter().filter(|(kind, subject)| !has(kind, subject));
    let assume = absent.map(|(kind, subject)| {
        format!("assumption {kind} {} is not in the ledger", subject.as_deref().unwrap_or_default())
    });
    entry_points.into_iter().chain(pairs).chain(verdict(expected, analysis)).chain(assume).collect()
}

fn count(what: &str, expected: Option<usize>, got: usize) -> Option<String> {
    let expected = expected.filter(|n| *n != got)?;
    Some(format!("{what}: expected {expected}, got {got}"))
}

fn verdict(expected: &Expectations, analysis: &Analysis) -> Option<String> {
    let worst = analysis.pairs.iter().map(reported_verdict).max().unwrap_or(Verdict::RaceFree);
    let expected = expected.verdict.as_ref().filter(|v| *v != worst.name())?;
    Some(format!("verdict: expected {expected}, got {worst:?}"))
}

/// The lines of a file with an access of a reported race.
pub fn racy_lines(file: &Path, analysis: &Analysis) -> BTreeSet<u32> {
    let races = analysis.pairs.iter().flat_map(|pair| &pair.races);
    races
        .flat_map(|race| &race.accesses)
        .filter_map(|access| line_of_access(file, &analysis.module, access))
        .collect()
}

fn unreachable_lines(file: &Path, analysis: &Analysis) -> BTreeSet<u32> {
    let places = analysis.unreachable.iter().filter_map(|(_, loc)| *loc);
    places.filter_map(|loc| line_in(file, &analysis.module, loc)).collect()
}

/// The line of an access; of one in a header, the line of the call that leads there.
pub fn line_of_access(file: &Path, module: &Module, access: &Access) -> Option<u32> {
    let calls = access.stack.iter().rev().filter_map(|frame| frame.call);
    access.loc.into_iter().chain(calls).find_map(|loc| line_in(file, module, loc))
}

/// The line of a place, or of the place where its function was inlined, if that is in the file.
fn line_in(file: &Path, module: &Module, loc: LocId) -> Option<u32> {
    let mut next = Some(loc);
    while let Some(here) = next.map(|id| &module.locs[id]) {
        if Path::new(&module.files[here.file].path) == file {
            return Some(here.line);
        }
        next = here.inlined_at;
    }
    None
}
