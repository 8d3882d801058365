//! Compares what ThreadSanitizer saw with what the verifier reports.

use super::tsan::Lines;
use anyhow::Result;
use lockpair::config::{Config, Environment, Silent};
use lockpair::pipeline;
use lockpair::verdict::{Access, Analysis, PairResult, RaceReport, Verdict};
use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// What came out for a program.
pub struct Outcome {
    /// Races that were seen and are not reported.
    pub missed: Vec<Lines>,
    /// Races that were seen.
    pub seen: usize,
    /// Those of them of which an execution was found.
    pub confirmed: usize,
    /// Pairs of entry points, and how many of them are proved.
    pub pairs: [usize; 2],
}

/// Verifies the program as `check` does by default, and with a summary in the place of each call.
pub fn compare(file: &Path, seen: &BTreeSet<Lines>) -> Result<Outcome> {
    let mut config = Config::new(vec![file.to_owned()]);
    config.environment = Some(Environment::Posix);
    config.jobs = Some(1);
    config.max_races = 1000;
    let analysis = pipeline::check(&config, &Silent)?;
    config.inline_limit = Some(0);
    let summarized = pipeline::check(&config, &Silent)?;
    let known = known_misses(file)?;
    let is_missed = |lines: &&Lines| {
        let is_known = lines.iter().any(|line| known.contains(line));
        !is_known && (!is_reported(&analysis, **lines) || !is_reported(&summarized, **lines))
    };
    let proved = analysis.pairs.iter().filter(|p| p.verdict == Verdict::RaceFree).count();
    let pairs = [analysis.pairs.len() + analysis.omitted.len(), proved + analysis.omitted.len()];
    let missed = seen.iter().filter(is_missed).copied().collect();
    let confirmed = seen.iter().filter(|lines| is_confirmed(&analysis, **lines)).count();
    Ok(Outcome { missed, seen: seen.len(), confirmed, pairs })
}

/// The lines that are annotated as missed today.
fn known_misses(file: &Path) -> Result<BTreeSet<u32>> {
    let text = std::fs::read_to_string(file)?;
    let lines = (1..).zip(text.lines());
    Ok(lines.filter(|(_, line)| line.contains("// MISSED: ")).map(|(number, _)| number).collect())
}

/// Whether an execution was found that has a race between the lines.
fn is_confirmed(analysis: &Analysis, lines: Lines) -> bool {
    let line = |access: &Arc<Access>| access.loc.map(|loc| analysis.module.locs[loc].line);
    let races =
        analysis.pairs.iter().filter(|pair| pair.verdict == Verdict::Race).flat_map(|pair| &pair.races);
    races.filter(|race| race.execution.is_some()).any(|race| {
        let of_race: BTreeSet<u32> = race.accesses.iter().filter_map(line).collect();
        lines.iter().all(|line| of_race.contains(line))
    })
}

/// Whether both lines take part in races of one pair, or some pair is undecided. What a lock protects that is itself
/// raced for is not reported again, while ThreadSanitizer knows no order of a lock after it was destroyed.
fn is_reported(analysis: &Analysis, lines: Lines) -> bool {
    let line = |access: &Arc<Access>| access.loc.map(|loc| analysis.module.locs[loc].line);
    analysis.pairs.iter().any(|result: &PairResult| {
        let reported: BTreeSet<u32> =
            result.races.iter().flat_map(|race| race.accesses.iter().filter_map(line)).collect();
        let unknown = matches!(result.verdict, Verdict::Unknown(_));
        unknown
            || result.races.iter().any(RaceReport::is_of_lock)
            || lines.iter().all(|line| reported.contains(line))
    })
}

/// What came out for all programs.
#[derive(Default)]
pub struct Tally {
    pub programs: usize,
    pub with_races: usize,
    pub races: usize,
    pub confirmed: usize,
    pub pairs: usize,
    pub proved_pairs: usize,
    pub failures: Vec<String>,
}

impl Tally {
    /// Adds a program; keeps it if it failed.
    pub fn add(&mut self, file: &Path, outcome: Result<Outcome>) {
        self.programs += 1;
        match outcome {
            Ok(outcome) => {
                self.with_races += usize::from(outcome.seen > 0);
                self.races += outcome.seen;
                self.confirmed += outcome.confirmed;
                self.pairs += outcome.pairs[0];
                self.proved_pairs += outcome.pairs[1];
                if !outcome.missed.is_empty() {
                    self.keep(file, &format!("missed races between the lines {:?}", outcome.missed));
                }
            }
            Err(error) => self.keep(file, &format!("{error:#}")),
        }
    }

    fn keep(&mut self, file: &Path, what: &str) {
        let dir = std::env::temp_dir().join("sanitizer-failures");
        let kept = dir.join(file.file_name().unwrap_or_default());
        let copied = std::fs::create_dir_all(&dir).and_then(|()| std::fs::copy(file, &kept));
        let shown = if copied.is_ok() { kept } else { file.to_owned() };
        self.failures.push(format!("{}: {what}", shown.display()));
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} programs, {} of them with races, {} races seen, {} with an execution, {} failures; {} of {} pairs proved",
            self.programs,
            self.with_races,
            self.races,
            self.confirmed,
            self.failures.len(),
            self.proved_pairs,
            self.pairs
        )
    }
}
