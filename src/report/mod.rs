//! Reports: what an [`Analysis`] says, as text for people, JSON for programs, and the paper's table.
//!
//! Nothing here decides anything; a report shows what the verdicts hold. Source files are read only to
//! quote the lines of a race.

mod excerpt;
mod explain;
mod json;
pub mod places;
mod problems;
mod rank;
mod table;
#[cfg(test)]
mod testdata;
mod text;

pub use explain::spins;
pub use json::FORMAT_VERSION;
pub use problems::examples;
pub use table::render as render_table;
pub use text::summary;

use crate::verdict::{Analysis, PairResult, Verdict};
use std::io::{self, Write};
use std::path::PathBuf;

/// The shape of a report.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Format {
    /// For people.
    Text,
    /// For programs; `docs/json.md` describes it.
    Json,
    /// One line of numbers.
    Table,
}

/// What a report needs to know apart from the analysis.
#[derive(Clone, Default, Debug)]
pub struct Options {
    /// The files as the user gave them.
    pub inputs: Vec<PathBuf>,
    /// Paths in the text report are shown relative to this directory.
    pub base: Option<PathBuf>,
    /// Whether to use ANSI colours in the text report.
    pub color: bool,
    /// Whether the text report lists every assumption.
    pub all_assumptions: bool,
    /// How many problems the text report shows with their sources, calls and locks; the others get a line each. All without.
    pub in_full: Option<usize>,
}

/// Writes the report, ending with a newline.
pub fn write(analysis: &Analysis, format: Format, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Text => out.write_all(text::render(analysis, options).as_bytes()),
        Format::Json => json::write(analysis, options, out),
        Format::Table => out.write_all(table::render([analysis]).as_bytes()),
    }
}

/// The report, ending with a newline.
pub fn render(analysis: &Analysis, format: Format, options: &Options) -> String {
    let mut out = Vec::new();
    write(analysis, format, options, &mut out).expect("memory takes everything");
    String::from_utf8(out).expect("a report is text")
}

/// The verdict that a report gives for a pair: races that were found count, even if the rest is unknown.
pub fn reported_verdict(pair: &PairResult) -> Verdict {
    if pair.races.is_empty() { pair.verdict.clone() } else { pair.verdict.clone().max(Verdict::Potential) }
}

/// The exit code that stands for the answer: 0 race-free, 1 races or potential races, 3 unknown and no race. A lock that
/// is used wrongly counts as a race.
pub fn exit_code(analysis: &Analysis) -> u8 {
    if !analysis.lock_problems.is_empty() {
        return 1;
    }
    match analysis.pairs.iter().map(reported_verdict).max() {
        None | Some(Verdict::RaceFree) => 0,
        Some(Verdict::Potential | Verdict::Race) => 1,
        Some(Verdict::Unknown(_)) => 3,
    }
}

/// How many pairs have which verdict.
#[derive(Copy, Clone, Default, PartialEq, Eq, Debug)]
struct Tally {
    race_free: usize,
    unknown: usize,
    potential: usize,
    race: usize,
}

impl Tally {
    /// Pairs with a race, confirmed or not.
    fn racy(self) -> usize {
        self.potential + self.race
    }
}

fn tally(analysis: &Analysis) -> Tally {
    let mut tally = Tally::default();
    for pair in &analysis.pairs {
        *match reported_verdict(pair) {
            Verdict::RaceFree => &mut tally.race_free,
            Verdict::Unknown(_) => &mut tally.unknown,
            Verdict::Potential => &mut tally.potential,
            Verdict::Race => &mut tally.race,
        } += 1;
    }
    tally
}

#[cfg(test)]
mod tests {
    use super::testdata::{analysis_of, pair, race};
    use super::{exit_code, reported_verdict};
    use crate::verdict::{UnknownReason, Verdict};

    #[test]
    fn a_race_outranks_an_unknown() {
        let unknown = Verdict::Unknown(UnknownReason::Timeout);
        assert_eq!(exit_code(&analysis_of(vec![])), 0);
        assert_eq!(exit_code(&analysis_of(vec![pair(0, 0, Verdict::RaceFree)])), 0);
        assert_eq!(
            exit_code(&analysis_of(vec![pair(0, 0, unknown.clone()), pair(0, 1, Verdict::RaceFree)])),
            3
        );
        assert_eq!(exit_code(&analysis_of(vec![pair(0, 0, unknown), pair(0, 1, Verdict::Potential)])), 1);
        assert_eq!(exit_code(&analysis_of(vec![pair(0, 0, Verdict::Race)])), 1);
    }

    #[test]
    fn races_found_before_the_cap_count() {
        let mut capped = pair(0, 1, Verdict::Unknown(UnknownReason::TooManyRaces(1)));
        capped.races.push(race("struct demo.count"));
        assert_eq!(reported_verdict(&capped), Verdict::Potential);
        assert_eq!(exit_code(&analysis_of(vec![capped])), 1);
    }
}
