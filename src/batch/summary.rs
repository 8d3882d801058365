//! The summary of a run in Markdown: totals, a row per directory and per module, and lists of everything
//! that did not end with a verdict. Readable as plain text, and fit to be kept.

use super::Batch;
use super::digest::{self, Gap, Lack, PairCounts, Statistics};
use super::record::{Outcome, Record};
use super::units::Unit;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;

/// So many causes are named.
const CAUSES: usize = 20;
/// So many tables and functions without rows are named.
const LACKS: usize = 20;
/// So many of the slowest and the largest modules are named.
const EXTREMES: usize = 10;

/// What a run was made with, as names and values.
pub type Setting = [(String, String)];

/// The short form: totals and what needs attention.
pub fn brief(batch: &Batch) -> String {
    let rows = rows(batch);
    let sections = [totals(batch, &rows), irregular(batch), extremes(&rows), alarms(batch)];
    sections.concat()
}

/// A line per module, for people: those that have a report, then what did not come to its end and why.
pub fn overview(batch: &Batch) -> String {
    let header = ["module", "entry points", "pairs", "proved", "potential", "unknown", "seconds", "MB"];
    let mut lines = vec![header.map(str::to_owned).to_vec()];
    let reported = batch.records.iter().filter(|record| record.digest.entry_points > 0);
    lines.extend(reported.map(overview_line));
    let mut text = aligned(&lines);
    for record in batch.records.iter().filter(|record| record.outcome != Outcome::Checked) {
        let reason = shortened(record.reason.as_deref().unwrap_or_default());
        let colon = if reason.is_empty() { "" } else { ": " };
        let _ = writeln!(text, "{}: {}{colon}{reason}", record.unit.name, outcome(record));
    }
    text
}

fn overview_line(record: &Record) -> Vec<String> {
    let PairCounts { checked, race_free, unknown, potential, race, omitted: _ } =
        record.digest.statistics.pairs.clone();
    let counts = [record.digest.entry_points, checked, race_free, potential + race, unknown];
    let mut cells = vec![match record.unit.with.len() {
        0 => record.unit.name.clone(),
        others => format!("{} (and {others} more)", record.unit.name),
    }];
    cells.extend(counts.iter().map(ToString::to_string));
    cells.extend([format!("{:.1}", record.seconds), format!("{:.0}", record.memory_mb)]);
    cells
}

/// Columns below each other: the first to the left, numbers to the right.
fn aligned(lines: &[Vec<String>]) -> String {
    let columns = lines.first().map_or(0, Vec::len);
    let widths: Vec<usize> =
        (0..columns).map(|at| lines.iter().map(|line| line[at].len()).max().unwrap_or(0)).collect();
    let cell = |(at, (text, width)): (usize, (&String, &usize))| match at {
        0 => format!("{text:<width$}"),
        _ => format!("  {text:>width$}"),
    };
    lines
        .iter()
        .map(|line| line.iter().zip(&widths).enumerate().map(cell).collect::<String>() + "\n")
        .collect()
}

/// Everything.
pub fn full(batch: &Batch, setting: &Setting) -> String {
    let rows = rows(batch);
    let sections = [
        run(setting),
        totals(batch, &rows),
        directories(&rows),
        irregular(batch),
        extremes(&rows),
        alarms(batch),
        lacks(batch),
        unknown(batch),
        ended_with(batch, Outcome::NotCompiled, "Not compiled"),
        ended_with(batch, Outcome::Refused, "Refused"),
        names(batch, Outcome::NoEntryPoint, "Without an entry point"),
        groups(batch),
        paths("C files that the configuration leaves out", &batch.units.not_configured),
        paths("C files that no Makefile names", &batch.units.unmentioned),
        modules(&rows),
    ];
    sections.concat()
}

/// A module, or several together, in numbers.
#[derive(Clone, Default)]
struct Row {
    name: String,
    units: usize,
    files: usize,
    compiled: usize,
    statistics: Statistics,
    /// Wall-clock time without clang.
    seconds: f64,
    clang: f64,
    /// Processor time, clang's included: it does not depend on what else the machine does.
    cpu: f64,
    memory: f64,
}

fn rows(batch: &Batch) -> Vec<Row> {
    batch.records.iter().map(Row::of).collect()
}

impl Row {
    fn of(record: &Record) -> Row {
        let statistics = record.digest.statistics.clone();
        let files = record.unit.size();
        let clang = statistics.seconds.clang;
        Row {
            name: record.unit.name.clone(),
            units: record.unit.all().count(),
            files,
            compiled: if record.outcome.compiled() { files } else { 0 },
            seconds: if record.outcome.compiled() { (record.seconds - clang).max(0.0) } else { 0.0 },
            clang: if record.outcome.compiled() { clang } else { record.seconds },
            cpu: record.cpu_seconds,
            memory: record.memory_mb,
            statistics,
        }
    }

    fn sum<'a>(name: &str, rows: impl IntoIterator<Item = &'a Row>) -> Row {
        let mut sum = Row { name: name.to_owned(), ..Row::default() };
        for row in rows {
            sum.add(row);
        }
        sum
    }

    fn add(&mut self, row: &Row) {
        self.units += row.units;
        self.files += row.files;
        self.compiled += row.compiled;
        self.seconds += row.seconds;
        self.clang += row.clang;
        self.cpu += row.cpu;
        self.memory = self.memory.max(row.memory);
        let (sum, one) = (&mut self.statistics, &row.statistics);
        sum.lines += one.lines;
        sum.distinct_races += one.distinct_races;
        sum.racy_locations += one.racy_locations;
        let (sum, one) = (&mut sum.pairs, &one.pairs);
        sum.checked += one.checked;
        sum.race_free += one.race_free;
        sum.unknown += one.unknown;
        sum.potential += one.potential;
        sum.race += one.race;
        sum.omitted += one.omitted;
    }

    /// The numbers that all tables show.
    fn cells(&self) -> Vec<String> {
        let PairCounts { checked, race_free, unknown, potential, race, omitted } =
            self.statistics.pairs.clone();
        let races = self.statistics.distinct_races;
        let lines = self.statistics.lines;
        let per_thousand = if lines == 0 { 0.0 } else { races as f64 * 1000.0 / lines as f64 };
        let mut cells: Vec<String> = [lines, checked, race_free, potential + race, unknown, omitted, races]
            .iter()
            .map(ToString::to_string)
            .collect();
        cells.push(format!("{per_thousand:.1}"));
        cells.extend([self.seconds, self.clang, self.cpu].map(|seconds| format!("{seconds:.2}")));
        cells.push(format!("{:.0}", self.memory));
        cells
    }
}

const NUMBERS: [&str; 12] = [
    "lines",
    "pairs",
    "proved",
    "potential",
    "unknown",
    "omitted",
    "reports",
    "per 1000 lines",
    "time (s)",
    "clang (s)",
    "cpu (s)",
    "memory (MB)",
];

/// A table; the first column is to the left, numbers are to the right.
fn table(header: &[&str], left: usize, rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let header_cells: Vec<String> = header.iter().map(|&cell| cell.to_owned()).collect();
    let rule: Vec<String> =
        (0..header.len()).map(|at| if at < left { "---" } else { "--:" }.to_owned()).collect();
    let mut text = format!("{}{}", line(&header_cells), line(&rule));
    text.extend(rows.into_iter().map(|row| line(&row)));
    text
}

/// Nothing for a table without rows.
fn optional_table(header: &[&str], left: usize, rows: Vec<Vec<String>>) -> String {
    if rows.is_empty() { String::new() } else { table(header, left, rows) }
}

fn section(title: &str, body: &str) -> String {
    if body.is_empty() { String::new() } else { format!("## {title}\n\n{body}\n") }
}

fn run(setting: &Setting) -> String {
    let mut body = String::new();
    for (name, value) in setting {
        let _ = writeln!(body, "- {name}: {value}");
    }
    section("Run", &body)
}

fn totals(batch: &Batch, rows: &[Row]) -> String {
    let sum = Row::sum("", rows);
    let count = |outcome| {
        let ended = batch.records.iter().filter(|record| record.outcome == outcome);
        ended.map(|record| record.unit.all().count()).sum::<usize>()
    };
    let mut body = format!(
        "{} modules of {} C files; {} files compile. {} modules checked, {} without an entry point, {} not \
         compiled, {} refused, {} at the limit of time, {} at the limit of memory, {} crashed",
        sum.units,
        sum.files,
        sum.compiled,
        count(Outcome::Checked),
        count(Outcome::NoEntryPoint),
        count(Outcome::NotCompiled),
        count(Outcome::Refused),
        count(Outcome::TimeLimit),
        count(Outcome::MemoryLimit),
        count(Outcome::Crashed),
    );
    if batch.missing > 0 {
        let _ = write!(body, "; {} not done yet (the same command goes on)", batch.missing);
    }
    if batch.reused > 0 {
        let _ = write!(body, ". {} records are from earlier runs", batch.reused);
    }
    body.push_str(".\n\n");
    body.push_str(&table(&NUMBERS, 0, [sum.cells()]));
    section("Totals", &body)
}

fn directories(rows: &[Row]) -> String {
    let mut groups: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in rows {
        groups.entry(directory(&row.name)).or_default().push(row);
    }
    let header = [&["directory", "modules", "files", "compiled"][..], &NUMBERS].concat();
    let cells = groups.into_iter().map(|(name, rows)| {
        let sum = Row::sum(name, rows);
        let counts = [sum.units, sum.files, sum.compiled].map(|n| n.to_string());
        [vec![sum.name.clone()], counts.to_vec(), sum.cells()].concat()
    });
    section("Directories", &table(&header, 1, cells))
}

fn directory(unit: &str) -> &str {
    unit.rsplit_once('/').map_or("", |(directory, _)| directory)
}

fn modules(rows: &[Row]) -> String {
    let header = [&["module"][..], &NUMBERS].concat();
    let checked = rows.iter().filter(|row| row.statistics.pairs.checked > 0);
    section("Modules", &table(&header, 1, checked.map(|row| [vec![row.name.clone()], row.cells()].concat())))
}

/// What must not happen.
fn irregular(batch: &Batch) -> String {
    let of = |record: &Record| {
        let reason = record.reason.clone().unwrap_or_default();
        vec![record.unit.name.clone(), outcome(record), reason]
    };
    let rows: Vec<_> = batch.records.iter().filter(|record| !record.outcome.regular()).map(of).collect();
    let body = optional_table(&["module", "end", "reason"], 3, rows);
    section("Stopped or crashed", &body)
}

/// How a check ended, in words.
fn outcome(record: &Record) -> String {
    match record.outcome {
        Outcome::TimeLimit => format!("reached {} s", record.time_limit),
        Outcome::MemoryLimit => format!("reached {} MB", record.memory_limit),
        Outcome::Checked => "checked".to_owned(),
        Outcome::NoEntryPoint => "no entry point".to_owned(),
        Outcome::NotCompiled | Outcome::Refused => "not checked".to_owned(),
        Outcome::Crashed => "crashed".to_owned(),
    }
}

fn extremes(rows: &[Row]) -> String {
    let top = |key: fn(&Row) -> f64| {
        let mut sorted: Vec<&Row> = rows.iter().collect();
        sorted.sort_by(|a, b| key(b).total_cmp(&key(a)));
        sorted.truncate(EXTREMES);
        sorted
    };
    let [slow, large] = [top(|row| row.seconds), top(|row| row.memory)];
    let cells = slow.iter().zip(large).map(|(slow, large)| {
        vec![
            slow.name.clone(),
            format!("{:.1}", slow.seconds),
            format!("{:.1}", slow.cpu),
            large.name.clone(),
            format!("{:.0}", large.memory),
        ]
    });
    section("Slowest and largest", &table(&["slowest", "s", "cpu (s)", "largest", "MB"], 5, cells))
}

fn alarms(batch: &Batch) -> String {
    let causes = digest::causes(batch.records.iter().map(|r| (r.unit.name.as_str(), &r.digest)));
    if causes.is_empty() {
        return String::new();
    }
    let cells = causes.iter().take(CAUSES).map(|cause| {
        let counts = [cause.races, cause.pairs, cause.units].map(|n| n.to_string());
        let names = vec![cause.location.clone(), cause.roles[0].clone(), cause.roles[1].clone()];
        [names, counts.to_vec(), vec![cause.example.clone()]].concat()
    });
    let header = ["location", "role", "other role", "reports", "pairs", "modules", "example"];
    section("Most frequent causes of reports", &table(&header, 7, cells))
}

/// What to write rows for first.
fn lacks(batch: &Batch) -> String {
    let all = digest::lacks(batch.records.iter().map(|record| &record.digest));
    let cells = |of: fn(&Gap) -> Option<&String>| {
        let named = all.iter().filter_map(move |lack| Some((of(&lack.gap)?, lack)));
        let cells = |(name, lack): (&String, &Lack)| {
            vec![name.clone(), lack.pairs.to_string(), lack.units.to_string()]
        };
        named.take(LACKS).map(cells).collect::<Vec<_>>()
    };
    let tables = cells(|gap| match gap {
        Gap::Table(name) => Some(name),
        Gap::Function(_) => None,
    });
    let functions = cells(|gap| match gap {
        Gap::Function(name) => Some(name),
        Gap::Table(_) => None,
    });
    let of = |title, what, rows: Vec<Vec<String>>| {
        section(title, &optional_table(&[what, "racy pairs", "modules"], 1, rows))
    };
    of("Tables of functions without rows", "struct", tables)
        + &of("Functions without rows", "function", functions)
}

fn unknown(batch: &Batch) -> String {
    let of = |record: &Record| {
        let row = |(reason, (count, example)): (&String, &(usize, String))| {
            vec![record.unit.name.clone(), count.to_string(), reason.clone(), example.clone()]
        };
        record.digest.reasons.iter().map(row).collect::<Vec<_>>()
    };
    let rows: Vec<_> = batch.records.iter().flat_map(of).collect();
    let body = optional_table(&["module", "pairs", "reason", "example"], 4, rows);
    section("Pairs that are not decided completely", &body)
}

fn ended_with(batch: &Batch, outcome: Outcome, title: &str) -> String {
    let ended = batch.records.iter().filter(|record| record.outcome == outcome);
    let row =
        |record: &Record| vec![record.unit.name.clone(), shortened(record.reason.as_deref().unwrap_or(""))];
    let rows: Vec<_> = ended.map(row).collect();
    let body = optional_table(&["module", "reason"], 2, rows);
    section(title, &body)
}

/// An error without what every error says and without leading directories.
fn shortened(reason: &str) -> String {
    let reason = reason.split("; fix it, or").next().unwrap_or(reason);
    let file_name = |word: &str| match word.rsplit_once('/') {
        Some((directories, name)) if directories.starts_with('/') => name.to_owned(),
        _ => word.to_owned(),
    };
    let words: Vec<String> = reason.split(' ').map(file_name).collect();
    words.join(" ").replace('|', "\\|")
}

/// What was checked as one, so that one finds where a module is.
fn groups(batch: &Batch) -> String {
    let groups = batch.records.iter().filter(|record| !record.unit.with.is_empty());
    let others =
        |unit: &Unit| unit.with.iter().map(|other| other.name.clone()).collect::<Vec<_>>().join(", ");
    let rows = groups.map(|record| vec![record.unit.name.clone(), others(&record.unit)]).collect();
    section("Checked together", &optional_table(&["module", "with the modules that use it"], 2, rows))
}

fn names(batch: &Batch, outcome: Outcome, title: &str) -> String {
    let names = batch.records.iter().filter(|record| record.outcome == outcome);
    list(title, names.map(|record| record.unit.name.clone()))
}

fn paths(title: &str, paths: &BTreeSet<PathBuf>) -> String {
    list(title, paths.iter().map(|path| path.display().to_string()))
}

fn list(title: &str, items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    section(title, &if items.is_empty() { String::new() } else { format!("{}\n", items.join(", ")) })
}
