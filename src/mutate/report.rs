//! What came of mutants, as a table for people and as JSON for programs.

use super::{Check, Class, Kind, Meeting, Report, Tried};
use serde::Serialize;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;

/// The version of the JSON format.
const FORMAT_VERSION: u32 = 1;

/// So many pairs of accesses of a survivor are shown in the table; JSON has all.
const SHOWN: usize = 5;

impl Class {
    /// The stable name.
    pub fn name(&self) -> &'static str {
        match self {
            Class::Killed { .. } => "killed",
            Class::Redundant(_) => "redundant",
            Class::ProtectsNothing(_) => "protects-nothing",
            Class::Undecided(_) => "undecided",
            Class::Survivor(_) => "survivor",
        }
    }

    fn detail(&self) -> String {
        match self {
            Class::Killed { pair, location } => format!("{location} ({})", pair.join(", ")),
            Class::Redundant(others) => format!("because of {}", others.join(" and ")),
            Class::ProtectsNothing(check) => check.describe(),
            Class::Undecided(why) => why.clone(),
            Class::Survivor(meetings) => format!("{} accesses meet", meetings.len()),
        }
    }
}

impl Check {
    /// The stable name.
    pub fn name(&self) -> &'static str {
        match self {
            Check::NothingMeets => "nothing-meets",
            Check::Origins(_) => "origins",
            Check::Addresses(_) => "addresses",
            Check::RacesAnyway => "races-anyway",
        }
    }

    fn describe(&self) -> String {
        match self {
            Check::NothingMeets => "no accesses meet".to_owned(),
            Check::Origins(meetings) => match meetings.first() {
                Some(first) => format!("other objects: {}", line(first)),
                None => "other objects".to_owned(),
            },
            Check::Addresses(meetings) => match meetings.first() {
                Some(first) => format!("other addresses: {}", line(first)),
                None => "other addresses".to_owned(),
            },
            Check::RacesAnyway => "they race in spite of it, without all else".to_owned(),
        }
    }
}

impl Kind {
    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Delete => "delete",
            Kind::Begin => "begin",
            Kind::End => "end",
            Kind::Swap => "swap",
            Kind::Share => "share",
            Kind::Row => "row",
        }
    }
}

impl Report {
    /// How many have this class.
    pub fn count(&self, name: &str) -> usize {
        self.tried.iter().filter(|t| t.class.name() == name).count()
    }

    /// Of those that should be reported, the part that is, in percent; none if there are none.
    pub fn rate(&self) -> Option<f64> {
        let killed = self.count("killed");
        let of = killed + self.count("survivor") + self.count("undecided");
        // No module has so many mutants that a float would not hold their number.
        (of > 0).then(|| 100.0 * killed as f64 / of as f64)
    }
}

/// A line per mutant, and the sums.
pub fn render(report: &Report, base: Option<&Path>) -> String {
    let mut rows = vec![["class", "kind", "place", "function or role", "what", ""].map(str::to_owned)];
    rows.extend(report.tried.iter().map(|tried| row(tried, base)));
    let widths: [usize; 6] =
        std::array::from_fn(|c| rows.iter().map(|row| row[c].chars().count()).max().unwrap_or(0));
    let mut out = String::new();
    for (number, row) in rows.iter().enumerate() {
        let cells: Vec<String> = row.iter().zip(widths).map(|(cell, w)| format!("{cell:w$}")).collect();
        _ = writeln!(out, "{}", cells.join("  ").trim_end());
        let tried = number.checked_sub(1).map(|n| &report.tried[n].class);
        if let Some(Class::Survivor(meetings)) = tried {
            meetings.iter().take(SHOWN).for_each(|m| _ = writeln!(out, "    {}", line(m)));
        }
    }
    out + &sums(report)
}

fn row(Tried { mutant, class }: &Tried, base: Option<&Path>) -> [String; 6] {
    let place = mutant.place.clone().map(|place| place.relative_to(base).to_string());
    let [what, function] = [&mutant.what, &mutant.function].map(String::clone);
    let (name, kind) = (class.name().to_owned(), mutant.kind.name().to_owned());
    [name, kind, place.unwrap_or_else(|| "-".to_owned()), function, what, class.detail()]
}

fn line(meeting: &Meeting) -> String {
    format!("{} and {} ({})", meeting.accesses[0], meeting.accesses[1], meeting.pair.join(", "))
}

fn sums(report: &Report) -> String {
    let counts = ["killed", "redundant", "protects-nothing", "undecided", "survivor"]
        .map(|name| format!("{} {name}", report.count(name)));
    let rate = report.rate().map_or_else(|| "-".to_owned(), |rate| format!("{rate:.1}%"));
    format!(
        "\n{}: {} of {} mutants of {} proved pairs: {}; rate {rate}; {:.1} s\n",
        report.module,
        report.tried.len(),
        report.possible,
        report.proved,
        counts.join(", "),
        report.time.as_secs_f64(),
    )
}

#[derive(Serialize)]
struct Json<'a> {
    format: u32,
    module: &'a str,
    proved_pairs: usize,
    possible: usize,
    seed: u64,
    interrupted: bool,
    rate: Option<f64>,
    seconds: f64,
    mutants: Vec<JsonMutant<'a>>,
}

#[derive(Serialize)]
struct JsonMutant<'a> {
    class: &'static str,
    kind: Kind,
    what: &'a str,
    function: &'a str,
    file: Option<&'a str>,
    line: Option<u32>,
    pair: Option<&'a [String; 2]>,
    location: Option<&'a str>,
    because: &'a [String],
    check: Option<&'static str>,
    reason: Option<&'a str>,
    meetings: &'a [Meeting],
}

impl<'a> JsonMutant<'a> {
    fn of(Tried { mutant, class }: &'a Tried) -> Self {
        let mut out = JsonMutant {
            class: class.name(),
            kind: mutant.kind,
            what: &mutant.what,
            function: &mutant.function,
            file: mutant.place.as_ref().map(|p| p.file.as_str()),
            line: mutant.place.as_ref().map(|p| p.line),
            pair: None,
            location: None,
            because: &[],
            check: None,
            reason: None,
            meetings: &[],
        };
        match class {
            Class::Killed { pair, location } => {
                (out.pair, out.location) = (Some(pair), Some(location.as_str()))
            }
            Class::Redundant(because) => out.because = because,
            Class::Undecided(why) => out.reason = Some(why),
            Class::Survivor(meetings) => out.meetings = meetings,
            Class::ProtectsNothing(check) => {
                out.check = Some(check.name());
                if let Check::Origins(meetings) | Check::Addresses(meetings) = check {
                    out.meetings = meetings;
                }
            }
        }
        out
    }
}

/// The same for programs, ending with a newline.
pub fn write_json(report: &Report, seed: u64, out: &mut dyn Write) -> io::Result<()> {
    let json = Json {
        format: FORMAT_VERSION,
        module: &report.module,
        proved_pairs: report.proved,
        possible: report.possible,
        seed,
        interrupted: report.interrupted,
        rate: report.rate(),
        seconds: report.time.as_secs_f64(),
        mutants: report.tried.iter().map(JsonMutant::of).collect(),
    };
    serde_json::to_writer_pretty(&mut *out, &json)?;
    writeln!(out)
}
