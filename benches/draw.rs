//! Draws reports of a run at random, for people to judge: which are races, and what keeps the others apart.
//!
//! cargo bench --bench draw -- RESULTS SEED COUNT [executed] prints a table; RESULTS is the directory of the records. Each two
//! places of a module that are reported to race at a location are drawn with the same chance, however many pairs of entry points
//! have them; or only those of which an execution was found. The same seed draws the same ones from the same records.

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use walkdir::WalkDir;

/// What is drawn: module, location, and the two places.
type Report = (String, String, String, String);

fn main() {
    // Cargo adds arguments of its own.
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let usage = || println!("usage: cargo bench --bench draw -- RESULTS SEED COUNT [executed]");
    let [results, seed, count, only @ ..] = &args[..] else { return usage() };
    let executed = match only {
        [] => false,
        [only] if only == "executed" => true,
        _ => return usage(),
    };
    let (seed, count) = match (seed.parse(), count.parse()) {
        (Ok(seed), Ok(count)) => (seed, count),
        _ => return println!("draw: seed and count are numbers"),
    };
    let reports = reports(Path::new(results), executed);
    let drawn = fastrand::Rng::with_seed(seed).choose_multiple(reports.iter(), count);
    println!("{count} of {} reports, seed {seed}\n", reports.len());
    println!(
        "| | module | location | first | second | entry points |\n| --: | --- | --- | --- | --- | --- |"
    );
    for (n, ((module, location, first, second), entries)) in drawn.into_iter().enumerate() {
        println!("| {} | {module} | {location} | {first} | {second} | {entries} |", n + 1);
    }
}

/// All reports, or those with an execution, in order, with the first pair of entry points that has them.
fn reports(results: &Path, executed: bool) -> BTreeMap<Report, String> {
    let mut found = BTreeMap::new();
    let files = WalkDir::new(results).sort_by_file_name().into_iter().filter_map(Result::ok);
    for file in files.filter(|file| file.path().extension().is_some_and(|ext| ext == "json")) {
        let text = std::fs::read_to_string(file.path()).unwrap_or_default();
        let record: Value = serde_json::from_str(&text).unwrap_or_default();
        let module = text_of(&record["unit"]["name"]);
        let races = record["report"]["races"].as_array().into_iter().flatten();
        for race in races.filter(|race| !executed || !race["execution"].is_null()) {
            let mut places = [place(&race["accesses"][0]), place(&race["accesses"][1])];
            places.sort();
            let [first, second] = places;
            let entries = [0, 1].map(|n| text_of(&race["entry_points"][n])).join(", ");
            let report = (module.clone(), text_of(&race["location"]), first, second);
            found.entry(report).or_insert(entries);
        }
    }
    found
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
