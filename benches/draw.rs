//! Draws reports of a run at random, for people to judge: which are races, and what keeps the others apart.
//!
//! cargo bench --bench draw -- RESULTS SEED COUNT [executed|pairs|proved|apart|problems [RANK...]] prints a table; RESULTS is
//! the directory of the records.
//! Each two places of a module that are reported to race at a location are drawn with the same chance, however many pairs of
//! entry points have them; or only those of which an execution was found; or each pair of entry points that may race; or those that
//! are proved, where both sides use something in common, or where they do not; or, as a
//! reader of reports meets them, each problem with the same chance, however many races it has: the races that one change mends;
//! all, or those of these ranks. The same seed draws the same ones from the same records.

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use walkdir::WalkDir;

/// What is drawn.
#[derive(Clone, PartialEq, Eq)]
enum Unit {
    /// Two places at a location.
    Report,
    /// The same, with an execution.
    Executed,
    /// Two entry points that may race, however many places do.
    Pair,
    /// Two entry points that are proved, which use something in common, of which one side writes.
    Proved,
    /// Two entry points that are proved since they use nothing in common.
    Apart,
    /// A problem of one of these ranks, or of any if there are none.
    Problem(Vec<String>),
}

/// What is drawn: module, location, the two places, and a pair of entry points that has them.
type Row = [String; 5];

/// Whether the two sides of a race do not name one member, and whether it has no execution: which one of several is shown.
type Lacks = (bool, bool);

fn main() {
    // Cargo adds arguments of its own.
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let usage = || {
        println!(
            "usage: cargo bench --bench draw -- RESULTS SEED COUNT [executed|pairs|proved|apart|problems [RANK...]]"
        )
    };
    let [results, seed, count, unit @ ..] = &args[..] else { return usage() };
    let unit = match unit.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Unit::Report,
        ["executed"] => Unit::Executed,
        ["pairs"] => Unit::Pair,
        ["proved"] => Unit::Proved,
        ["apart"] => Unit::Apart,
        ["problems", ref ranks @ ..] => Unit::Problem(ranks.iter().map(ToString::to_string).collect()),
        _ => return usage(),
    };
    let (seed, count) = match (seed.parse(), count.parse()) {
        (Ok(seed), Ok(count)) => (seed, count),
        _ => return println!("draw: seed and count are numbers"),
    };
    let rows = rows(Path::new(results), &unit);
    let drawn = fastrand::Rng::with_seed(seed).choose_multiple(rows.iter(), count);
    let what = match unit {
        Unit::Problem(_) => "problems",
        Unit::Pair | Unit::Proved | Unit::Apart => "pairs",
        Unit::Report | Unit::Executed => "reports",
    };
    println!("{count} of {} {what}, seed {seed}\n", rows.len());
    println!(
        "| | module | location | first | second | entry points |\n| --: | --- | --- | --- | --- | --- |"
    );
    for (n, row) in drawn.into_iter().enumerate() {
        println!("| {} | {} |", n + 1, row.join(" | "));
    }
}

/// All that may be drawn, in the order of the modules: the first race of each, for a problem or a pair one of which both sides
/// name the member, or one with an execution, if it has one.
fn rows(results: &Path, unit: &Unit) -> Vec<Row> {
    let files = WalkDir::new(results).sort_by_file_name().into_iter().filter_map(Result::ok);
    let records = files.filter(|file| file.path().extension().is_some_and(|ext| ext == "json"));
    records.flat_map(|file| rows_of(file.path(), unit)).collect()
}

/// The same, of one record.
fn rows_of(file: &Path, unit: &Unit) -> Vec<Row> {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let record: Value = serde_json::from_str(&text).unwrap_or_default();
    let module = text_of(&record["unit"]["name"]);
    if matches!(unit, Unit::Proved | Unit::Apart) {
        return proved(&module, &record, *unit == Unit::Proved);
    }
    let races = record["report"]["races"].as_array().into_iter().flatten();
    let mut found: BTreeMap<(u64, Vec<String>), (Lacks, Row)> = BTreeMap::new();
    for race in races.filter(|race| may_be_drawn(race, unit)) {
        let row = row(&module, race);
        let key = match unit {
            Unit::Problem(_) => (race["problem"].as_u64().unwrap_or_default(), Vec::new()),
            Unit::Pair => (0, row[4..].to_vec()),
            _ => (0, row[1..4].to_vec()),
        };
        let lacks = (race["meeting"] != "member", race["execution"].is_null());
        let first = found.entry(key).or_insert_with(|| (lacks, row.clone()));
        if lacks < first.0 {
            *first = (lacks, row);
        }
    }
    found.into_values().map(|(_, row)| row).collect()
}

fn may_be_drawn(race: &Value, unit: &Unit) -> bool {
    match unit {
        Unit::Executed => !race["execution"].is_null(),
        Unit::Problem(ranks) => ranks.is_empty() || ranks.contains(&text_of(&race["rank"])),
        _ => true,
    }
}

/// The pairs of a record that are proved, which share something or do not.
fn proved(module: &str, record: &Value, sharing: bool) -> Vec<Row> {
    let pairs = record["report"]["pairs"].as_array().into_iter().flatten();
    let of_kind = |pair: &&Value| pair["verdict"] == "race-free" && (pair["regions"] != 0) == sharing;
    let nowhere = || "-".to_owned();
    pairs
        .filter(of_kind)
        .map(|pair| [module.to_owned(), nowhere(), nowhere(), nowhere(), entries(pair)])
        .collect()
}

fn row(module: &str, race: &Value) -> Row {
    let mut places = [place(&race["accesses"][0]), place(&race["accesses"][1])];
    places.sort();
    let [first, second] = places;
    [module.to_owned(), text_of(&race["location"]), first, second, entries(race)]
}

/// The two entry points of a race or a pair.
fn entries(of: &Value) -> String {
    [0, 1].map(|n| text_of(&of["entry_points"][n])).join(", ")
}

/// An access: what it does, and where.
fn place(access: &Value) -> String {
    let file = text_of(&access["file"]);
    let name = Path::new(&file).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let kind = if access["frees"] == true { "free".to_owned() } else { text_of(&access["kind"]) };
    format!("{kind} {name}:{}", access["line"])
}

fn text_of(value: &Value) -> String {
    value.as_str().unwrap_or("?").to_owned()
}
