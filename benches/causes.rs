//! Compares runs by what they prove and by the causes of their alarms.
//!
//! cargo bench --bench causes -- RESULTS... prints two tables with a column for each run; RESULTS are the directories of their
//! records. Only modules that were checked in all runs count. An alarm is two places of a module that are reported to race at a
//! location, however many pairs of entry points have them; its cause is the first of the list that fits.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use walkdir::WalkDir;

/// A cause, and what tells it from the record of a race.
type Cause = (&'static str, fn(&Value) -> bool);

const CAUSES: [Cause; 6] = [
    ("an object may end while it is used", |race| any(race, |access| access["frees"] == true)),
    ("a lock may be made or end while it is used", |race| any(race, |access| access["of_lock"] == true)),
    ("an access whose extent or type is not known, or a function without a row", |race| {
        race["leans_on"].as_array().is_some_and(|all| !all.is_empty())
    }),
    ("both sides hold locks, none in common", |race| !any(race, holds_none)),
    ("one side holds no lock", |race| !all(race, holds_none)),
    ("neither side holds a lock", |_| true),
];

/// What a run says of a module, by the names of the numbers.
const NUMBERS: [(&str, &str); 5] = [
    ("pairs", "checked"),
    ("omitted", "omitted"),
    ("proved", "race_free"),
    ("may race", "potential"),
    ("undecided", "unknown"),
];

/// The numbers of a module, and its alarms by cause.
#[derive(Copy, Clone, Default)]
struct Module {
    numbers: [u64; NUMBERS.len()],
    alarms: [u64; CAUSES.len()],
}

/// The modules by name: their reports are too large to be kept.
type Run = BTreeMap<String, Module>;

fn main() {
    // Cargo adds arguments of its own.
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    if args.is_empty() {
        return println!("usage: cargo bench --bench causes -- RESULTS...");
    }
    let runs: Vec<Run> = args.iter().map(|dir| records(Path::new(dir))).collect();
    let common: BTreeSet<&String> =
        runs[0].keys().filter(|name| runs.iter().all(|run| run.contains_key(*name))).collect();
    println!("{} modules were checked in all runs.\n", common.len());
    let columns = runs.iter().map(|_| "--:").collect::<Vec<_>>().join("|");
    println!("| | {} |\n|---|{columns}|", args.join(" | "));
    let row = |title: &str, number: &dyn Fn(&Module) -> u64| {
        let sum = |run: &Run| common.iter().map(|name| number(&run[*name])).sum::<u64>().to_string();
        println!("| {title} | {} |", runs.iter().map(sum).collect::<Vec<_>>().join(" | "));
    };
    for (n, (title, _)) in NUMBERS.iter().enumerate() {
        row(title, &|module| module.numbers[n]);
    }
    row("**alarms**", &|module| module.alarms.iter().sum());
    for (n, (title, _)) in CAUSES.iter().enumerate() {
        row(title, &|module| module.alarms[n]);
    }
}

/// The modules that were checked.
fn records(results: &Path) -> Run {
    let files = WalkDir::new(results).into_iter().filter_map(Result::ok);
    let files = files.filter(|file| file.path().extension().is_some_and(|ext| ext == "json"));
    let record = |path: &Path| -> Option<(String, Module)> {
        let record: Value = serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok()?;
        let name = record["unit"]["name"].as_str()?.to_owned();
        record["report"].is_object().then(|| (name, module(&record["report"])))
    };
    files.filter_map(|file| record(file.path())).collect()
}

fn module(report: &Value) -> Module {
    let numbers = NUMBERS.map(|(_, name)| report["statistics"]["pairs"][name].as_u64().unwrap_or(0));
    let mut alarms = [0; CAUSES.len()];
    let mut seen = BTreeSet::new();
    for race in report["races"].as_array().into_iter().flatten() {
        let mut places = [0, 1].map(|n| place(&race["accesses"][n]));
        places.sort();
        if seen.insert((race["location"].to_string(), places)) {
            let cause = CAUSES.iter().position(|(_, fits)| fits(race)).unwrap_or(CAUSES.len() - 1);
            alarms[cause] += 1;
        }
    }
    Module { numbers, alarms }
}

fn place(access: &Value) -> String {
    format!("{}:{}:{}", access["file"], access["line"], access["kind"])
}

fn any(race: &Value, is: impl Fn(&Value) -> bool) -> bool {
    [0, 1].into_iter().any(|n| is(&race["accesses"][n]))
}

fn all(race: &Value, is: impl Fn(&Value) -> bool) -> bool {
    [0, 1].into_iter().all(|n| is(&race["accesses"][n]))
}

fn holds_none(access: &Value) -> bool {
    access["locks"].as_array().is_none_or(Vec::is_empty)
}
