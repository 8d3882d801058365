//! What a summary needs of a module's report, which is too large to keep for all modules of a run: numbers,
//! why pairs are unknown, and what the races are about.
//!
//! Races of many modules are compared by location and roles: a row that the environment model lacks shows as
//! one location between the same two roles in many modules.

use crate::verdict::NOT_MODELLED;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What is needed of `docs/json.md`.
#[derive(Deserialize)]
struct Report {
    entry_points: Vec<EntryPoint>,
    pairs: Vec<Pair>,
    races: Vec<Race>,
    statistics: Statistics,
}

#[derive(Deserialize)]
struct EntryPoint {
    name: String,
    role: String,
    within: Option<String>,
}

#[derive(Deserialize)]
struct Pair {
    entry_points: [String; 2],
    reason: Option<String>,
}

#[derive(Deserialize)]
struct Race {
    entry_points: [String; 2],
    location: String,
    accesses: [Place; 2],
    leans_on: Vec<String>,
}

#[derive(Deserialize, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    file: Option<String>,
    line: Option<u32>,
    column: Option<u32>,
}

#[derive(Deserialize, Clone, Default)]
pub(super) struct Statistics {
    pub(super) lines: usize,
    pub(super) pairs: PairCounts,
    pub(super) distinct_races: usize,
    pub(super) racy_locations: usize,
    pub(super) seconds: Seconds,
}

#[derive(Deserialize, Clone, Default)]
pub(super) struct PairCounts {
    pub(super) checked: usize,
    pub(super) race_free: usize,
    pub(super) unknown: usize,
    pub(super) potential: usize,
    pub(super) race: usize,
    pub(super) omitted: usize,
}

#[derive(Deserialize, Clone, Default)]
pub(super) struct Seconds {
    pub(super) clang: f64,
}

/// What is kept of a report.
#[derive(Default)]
pub struct Digest {
    pub(super) statistics: Statistics,
    pub(super) entry_points: usize,
    /// Why pairs are unknown, or not all of their races are known: how many, and one of them.
    pub(super) reasons: BTreeMap<String, (usize, String)>,
    races: BTreeMap<Key, Group>,
    /// The racy pairs that each gap in the environment model is in.
    gaps: BTreeMap<Gap, BTreeSet<[String; 2]>>,
}

/// Something that has no row.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Gap {
    /// The members of a table, to which functions leave the module: who calls them is not known.
    Table(String),
    /// A function that the module calls.
    Function(String),
}

/// A location and two roles, in the order of their names.
type Key = (String, [String; 2]);

/// The races of one location and two roles.
#[derive(Clone, Default)]
struct Group {
    places: BTreeSet<[Place; 2]>,
    pairs: BTreeSet<[String; 2]>,
}

impl Digest {
    /// Of the JSON that `lockpair check` wrote; nothing if it is something else.
    pub(super) fn of(report: &str) -> Digest {
        let Ok(report) = serde_json::from_str::<Report>(report) else { return Digest::default() };
        let roles: HashMap<&str, &str> =
            report.entry_points.iter().map(|entry| (entry.name.as_str(), entry.role.as_str())).collect();
        let table = |entry: &EntryPoint| {
            let (strukt, _) = entry.within.as_ref()?.split_once('.')?;
            Some((entry.name.clone(), strukt.to_owned()))
        };
        let tables: HashMap<String, String> = report.entry_points.iter().filter_map(table).collect();
        let mut digest = Digest {
            statistics: report.statistics,
            entry_points: report.entry_points.len(),
            ..Digest::default()
        };
        for pair in report.pairs {
            let Some(reason) = pair.reason else { continue };
            digest.reasons.entry(reason).or_insert_with(|| (0, pair.entry_points.join(", "))).0 += 1;
        }
        for race in report.races {
            for gap in gaps(&race, &tables) {
                digest.gaps.entry(gap).or_default().insert(race.entry_points.clone());
            }
            let role = |name: &String| roles.get(name.as_str()).copied().unwrap_or("unknown").to_owned();
            let group = digest
                .races
                .entry((race.location, sorted(race.entry_points.each_ref().map(role))))
                .or_default();
            group.places.insert(sorted(race.accesses));
            group.pairs.insert(race.entry_points);
        }
        digest
    }
}

/// What a race has to do with that has no row.
fn gaps<'a>(race: &'a Race, tables: &'a HashMap<String, String>) -> impl Iterator<Item = Gap> {
    let tables = race.entry_points.iter().filter_map(|name| tables.get(name)).cloned().map(Gap::Table);
    let functions = race.leans_on.iter().filter_map(|reason| reason.strip_suffix(NOT_MODELLED));
    tables.chain(functions.map(|function| Gap::Function(function.to_owned())))
}

fn sorted<T: Ord>(mut two: [T; 2]) -> [T; 2] {
    two.sort();
    two
}

/// Races on one location between the same two roles.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cause {
    /// The location; a module's own global is the same thing in no two modules.
    pub location: String,
    /// The two roles, in the order of their names.
    pub roles: [String; 2],
    /// Races: pairs of places in the source.
    pub races: usize,
    /// Pairs of entry points.
    pub pairs: usize,
    /// Modules.
    pub units: usize,
    /// One of the races: the module and the two places.
    pub example: String,
}

/// All causes, the most frequent one first; the digests come with the names of the modules.
pub fn causes<'a>(digests: impl IntoIterator<Item = (&'a str, &'a Digest)>) -> Vec<Cause> {
    let mut causes: BTreeMap<&Key, Cause> = BTreeMap::new();
    for (unit, digest) in digests {
        for (key, group) in &digest.races {
            let cause = causes.entry(key).or_insert_with(|| Cause::new(key, unit, group));
            cause.races += group.places.len();
            cause.pairs += group.pairs.len();
            cause.units += 1;
        }
    }
    let mut causes: Vec<Cause> = causes.into_values().collect();
    causes.sort_by_key(|cause| std::cmp::Reverse((cause.races, cause.units)));
    causes
}

/// A gap in the environment model: in how many racy pairs, of how many modules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lack {
    /// What is missing.
    pub gap: Gap,
    /// Pairs of entry points that may race and have to do with it.
    pub pairs: usize,
    /// Modules of these.
    pub units: usize,
}

/// What the environment model lacks, what is in most racy pairs first.
pub fn lacks<'a>(digests: impl IntoIterator<Item = &'a Digest>) -> Vec<Lack> {
    let mut lacks: BTreeMap<&Gap, (usize, usize)> = BTreeMap::new();
    for (gap, pairs) in digests.into_iter().flat_map(|digest| &digest.gaps) {
        let (all, units) = lacks.entry(gap).or_default();
        *all += pairs.len();
        *units += 1;
    }
    let lack = |(gap, (pairs, units)): (&Gap, (usize, usize))| Lack { gap: gap.clone(), pairs, units };
    let mut lacks: Vec<Lack> = lacks.into_iter().map(lack).collect();
    lacks.sort_by_key(|lack| std::cmp::Reverse((lack.pairs, lack.units)));
    lacks
}

impl Cause {
    fn new((location, roles): &Key, unit: &str, group: &Group) -> Cause {
        let place = group.places.first().map(|[a, b]| format!("{a} and {b}")).unwrap_or_default();
        Cause {
            location: location.clone(),
            roles: roles.clone(),
            races: 0,
            pairs: 0,
            units: 0,
            example: format!("{unit}: {place}"),
        }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let file = self.file.as_deref().unwrap_or("?").rsplit('/').next().unwrap_or_default();
        match self.line {
            Some(line) => write!(f, "{file}:{line}"),
            None => f.write_str(file),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Digest, Gap, causes, lacks};
    use crate::verdict::NOT_MODELLED;

    /// A report with a pair for each race: two entry points (of which the role is the name without digits), a
    /// location and two lines.
    fn digest(races: &[(&str, &str, &str, u32, u32)]) -> Digest {
        let name = |entry: &str| serde_json::json!({"name": entry, "role": entry.trim_end_matches(char::is_numeric), "within": entry.starts_with("read").then_some("demo_ops.read")});
        let place = |line| serde_json::json!({"file": "/linux/drivers/foo.c", "line": line, "column": 1});
        let race = |(a, b, location, x, y): &(&str, &str, &str, u32, u32)| serde_json::json!({"entry_points": [a, b], "location": location, "accesses": [place(*x), place(*y)], "leans_on": [format!("send{NOT_MODELLED}")]});
        let seconds = serde_json::json!({"clang": 0.5});
        let pairs = serde_json::json!({
            "checked": 2, "race_free": 1, "unknown": 1, "potential": 0, "race": 0, "omitted": 0
        });
        let report = serde_json::json!({
            "entry_points": races.iter().flat_map(|race| [name(race.0), name(race.1)]).collect::<Vec<_>>(),
            "pairs": [
                {"entry_points": ["read", "read"], "reason": null},
                {"entry_points": ["read", "write"], "reason": "time limit reached"},
            ],
            "races": races.iter().map(race).collect::<Vec<_>>(),
            "statistics": {
                "lines": 10, "pairs": pairs, "distinct_races": 3, "racy_locations": 1, "seconds": seconds
            },
        });
        Digest::of(&report.to_string())
    }

    #[test]
    fn races_are_grouped_over_modules() {
        let one = digest(&[
            ("read1", "write", "struct file.f_pos", 1, 2),
            ("write", "read2", "struct file.f_pos", 2, 1),
            ("read1", "write", "struct file.f_pos", 1, 3),
        ]);
        let two = digest(&[("write", "read", "struct file.f_pos", 8, 9), ("read", "read", "own", 4, 4)]);
        insta::assert_debug_snapshot!(causes([("drivers/one", &one), ("drivers/two", &two)]));
    }

    #[test]
    fn gaps_in_the_model_are_counted_by_pairs() {
        let one = digest(&[
            ("read1", "write", "a", 1, 2),
            ("read1", "write", "b", 3, 4),
            ("write", "write", "a", 2, 2),
        ]);
        let two = digest(&[("read1", "read1", "a", 1, 1)]);
        let found: Vec<_> =
            lacks([&one, &two]).into_iter().map(|lack| (lack.gap, lack.pairs, lack.units)).collect();
        let expected = [(Gap::Function("send".to_owned()), 3, 2), (Gap::Table("demo_ops".to_owned()), 2, 2)];
        assert_eq!(found, expected);
    }

    #[test]
    fn reasons_are_counted() {
        let digest = digest(&[]);
        let reasons: Vec<_> = digest.reasons.into_iter().collect();
        assert_eq!(reasons, [("time limit reached".to_owned(), (1, "read, write".to_owned()))]);
    }

    #[test]
    fn anything_else_is_no_report() {
        assert!(["", "{}", "[1]"].iter().all(|text| Digest::of(text).statistics.lines == 0));
    }
}
