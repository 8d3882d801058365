//! The report for programs. `docs/json.md` describes every field; a change that could break a reader
//! raises [`FORMAT_VERSION`].

use super::places::{self, call_chain, entry_name, pair_names};
use super::problems::{distinct_races, problem_count, problems, racy_locations};
use super::rank::Ranks;
use super::{Options, explain, reported_verdict, tally};
use crate::config::Environment;
use crate::verdict::{Analysis, Begins, By, LockFault, Meeting, PairResult, Purpose, RaceReport, Verdict};
use lockpair_ir::{LocId, Mark};
use serde::{Serialize, Serializer};
use serde_json::ser::Formatter;
use std::collections::{BTreeSet, HashMap};
use std::io::{self, Write};
use std::time::Duration;

/// The number in `format`.
pub const FORMAT_VERSION: u32 = 1;

/// Writes the whole report, as one JSON object on several lines.
pub fn write(analysis: &Analysis, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    let mut serializer = serde_json::Serializer::with_formatter(&mut *out, Lines::default());
    Report::of(analysis, options).serialize(&mut serializer)?;
    writeln!(out)
}

/// A line for each element of what the report consists of, a pair or a race: indented to the last number, the report of
/// a large module was twice as large.
#[derive(Default)]
struct Lines {
    depth: usize,
}

impl Lines {
    const DEPTH: usize = 2;

    fn begin<W: ?Sized + Write>(&mut self, out: &mut W, with: &str) -> io::Result<()> {
        self.depth += 1;
        out.write_all(with.as_bytes())
    }

    fn end<W: ?Sized + Write>(&mut self, out: &mut W, with: &str) -> io::Result<()> {
        self.depth -= 1;
        if self.depth < Lines::DEPTH {
            out.write_all(b"\n")?;
        }
        out.write_all(with.as_bytes())
    }

    fn element<W: ?Sized + Write>(&self, out: &mut W, first: bool) -> io::Result<()> {
        out.write_all(if first { b"" } else { b"," })?;
        out.write_all(if self.depth <= Lines::DEPTH { b"\n" } else { b"" })
    }
}

impl Formatter for Lines {
    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.begin(out, "[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.end(out, "]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.element(out, first)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.begin(out, "{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.end(out, "}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.element(out, first)
    }
}

#[derive(Serialize)]
struct Report<'a> {
    format: u32,
    tool: Tool,
    inputs: Vec<String>,
    module: &'a str,
    environment: &'static str,
    verdict: &'static str,
    entry_points: Vec<EntryPoint<'a>>,
    pairs: Pairs<'a>,
    races: Races<'a>,
    lock_problems: Vec<LockProblem<'a>>,
    omitted: Vec<Omitted<'a>>,
    notes: Vec<String>,
    assumptions: Vec<Assumption<'a>>,
    unreachable: Vec<Unreachable<'a>>,
    statistics: Statistics,
}

#[derive(Serialize)]
struct Tool {
    name: &'static str,
    version: &'static str,
}

#[derive(Serialize)]
struct EntryPoint<'a> {
    name: &'a str,
    role: String,
    within: Option<&'a str>,
    context: &'static str,
}

#[derive(Serialize)]
struct Pair<'a> {
    entry_points: [&'a str; 2],
    verdict: &'static str,
    reason: Option<String>,
    seconds: f64,
    regions: usize,
    racy_regions: usize,
    queries: usize,
    assumptions: BTreeSet<usize>,
}

/// The pairs, each made when it is written: large modules have ten thousand.
struct Pairs<'a>(&'a Analysis);

impl Serialize for Pairs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.pairs.iter().map(|pair| Pair::of(self.0, pair)))
    }
}

/// The races, likewise.
struct Races<'a> {
    analysis: &'a Analysis,
    /// The number of the problem of each and its rank, by where it is kept.
    problems: HashMap<*const RaceReport, (usize, &'static str)>,
}

impl<'a> Races<'a> {
    fn of(analysis: &'a Analysis) -> Races<'a> {
        let ranks = Ranks::of(analysis);
        let mut of_races = HashMap::new();
        for (n, problem) in problems(analysis).iter().enumerate() {
            let of = (n + 1, ranks.rank(problem).name());
            of_races.extend(problem.races.iter().map(|instance| (std::ptr::from_ref(instance.race), of)));
        }
        Races { analysis, problems: of_races }
    }

    fn of_pair(&self, pair: &'a PairResult) -> impl Iterator<Item = Race<'a>> {
        let of = |race| self.problems[&std::ptr::from_ref::<RaceReport>(race)];
        pair.races.iter().map(move |race| Race {
            verdict: verdict_of(pair, race).name(),
            entry_points: pair_names(self.analysis, pair.pair),
            location: &race.location,
            problem: of(race).0,
            rank: of(race).1,
            accesses: race.accesses.each_ref().map(|access| Access::of(self.analysis, access)),
            meeting: match race.meeting {
                Meeting::Member => "member",
                Meeting::Bytes => "bytes",
            },
            leans_on: &race.leans_on,
            fix: race.fix.as_ref().map(|fix| Fix::of(self.analysis, fix)),
            begins: race.execution.as_ref().map(|execution| match execution.begins {
                Begins::Program => "program",
                Begins::AnyState => "any-state",
            }),
            execution: race
                .execution
                .as_ref()
                .map(|execution| execution.steps.iter().map(|step| Step::of(self.analysis, step)).collect()),
        })
    }
}

/// Of a race itself: its pair may have others that are confirmed.
fn verdict_of(pair: &PairResult, race: &RaceReport) -> Verdict {
    if race.is_confirmed() { Verdict::Race } else { reported_verdict(pair).min(Verdict::Potential) }
}

impl Serialize for Races<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.analysis.pairs.iter().flat_map(|pair| self.of_pair(pair)))
    }
}

#[derive(Serialize)]
struct Race<'a> {
    verdict: &'static str,
    entry_points: [&'a str; 2],
    location: &'a str,
    problem: usize,
    rank: &'static str,
    accesses: [Access<'a>; 2],
    meeting: &'static str,
    leans_on: &'a [String],
    fix: Option<Fix<'a>>,
    #[serde(rename = "execution_begins")]
    begins: Option<&'static str>,
    execution: Option<Vec<Step<'a>>>,
}

#[derive(Serialize)]
struct Step<'a> {
    thread: &'a str,
    what: &'a str,
    place: Option<Place>,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
enum Fix<'a> {
    Take { lock: Lock<'a>, around: usize },
    Missing(&'a str),
}

#[derive(Serialize)]
struct LockProblem<'a> {
    fault: &'static str,
    entry_points: Vec<&'a str>,
    locks: Vec<Lock<'a>>,
    waits: Vec<Access<'a>>,
}

#[derive(Serialize)]
struct Access<'a> {
    #[serde(flatten)]
    place: Place,
    location: Option<&'a str>,
    kind: &'static str,
    frees: bool,
    of_lock: bool,
    marked: bool,
    mark: &'static str,
    bit_fields: &'a [String],
    by: &'static str,
    locks: Vec<Lock<'a>>,
    stack: Vec<Frame>,
}

#[derive(Serialize)]
struct Lock<'a> {
    name: &'a str,
    class: &'a str,
    mode: &'static str,
    taken: Option<Place>,
}

#[derive(Serialize)]
struct Frame {
    function: String,
    call: Option<Place>,
    inlined: bool,
}

/// Nulls stand for what the debug information does not give.
#[derive(Serialize, Default)]
struct Place {
    file: Option<String>,
    line: Option<u32>,
    column: Option<u32>,
}

#[derive(Serialize)]
struct Omitted<'a> {
    entry_points: [&'a str; 2],
    reason: String,
}

#[derive(Serialize)]
struct Assumption<'a> {
    kind: &'static str,
    subject: &'a str,
    place: Option<Place>,
}

#[derive(Serialize)]
struct Unreachable<'a> {
    entry_point: &'a str,
    place: Option<Place>,
}

#[derive(Serialize)]
struct Statistics {
    lines: usize,
    instructions: usize,
    regions: usize,
    pairs: PairCounts,
    races: usize,
    distinct_races: usize,
    racy_locations: usize,
    problems: usize,
    queries: usize,
    undecided_sites: usize,
    seconds: Seconds,
}

#[derive(Serialize)]
struct PairCounts {
    checked: usize,
    race_free: usize,
    unknown: usize,
    potential: usize,
    race: usize,
    omitted: usize,
}

#[derive(Serialize)]
struct Seconds {
    clang: f64,
    frontend: f64,
    analysis: f64,
    pairs: f64,
    confirming: f64,
    total: f64,
}

impl<'a> Report<'a> {
    fn of(analysis: &'a Analysis, options: &Options) -> Report<'a> {
        let worst = analysis.pairs.iter().map(reported_verdict).max().unwrap_or(Verdict::RaceFree);
        Report {
            format: FORMAT_VERSION,
            tool: Tool { name: env!("CARGO_PKG_NAME"), version: env!("CARGO_PKG_VERSION") },
            inputs: options.inputs.iter().map(|path| path.to_string_lossy().into_owned()).collect(),
            module: &analysis.module.name,
            environment: match analysis.environment {
                Environment::Linux => "linux",
                Environment::Posix => "posix",
            },
            verdict: worst.name(),
            entry_points: analysis.entry_points.items.values().map(EntryPoint::of).collect(),
            pairs: Pairs(analysis),
            races: Races::of(analysis),
            lock_problems: analysis.lock_problems.iter().map(|p| LockProblem::of(analysis, p)).collect(),
            omitted: omitted(analysis),
            notes: analysis.entry_points.notes.iter().map(|note| note.describe(&analysis.module)).collect(),
            assumptions: assumptions(analysis),
            unreachable: unreachable(analysis),
            statistics: Statistics::of(analysis),
        }
    }
}

impl<'a> EntryPoint<'a> {
    fn of(entry: &'a lockpair_entry_points::EntryPoint) -> EntryPoint<'a> {
        EntryPoint {
            name: &entry.name,
            role: entry.role.to_string(),
            within: entry.within(),
            context: explain::context_name(entry.context),
        }
    }
}

impl<'a> Pair<'a> {
    fn of(analysis: &'a Analysis, pair: &'a PairResult) -> Pair<'a> {
        Pair {
            entry_points: pair_names(analysis, pair.pair),
            verdict: reported_verdict(pair).name(),
            reason: reason(&pair.verdict),
            seconds: seconds(pair.time),
            regions: pair.regions,
            racy_regions: pair.racy_regions,
            queries: pair.queries,
            assumptions: analysis.grounds.of_pair(pair.pair),
        }
    }
}

fn reason(verdict: &Verdict) -> Option<String> {
    match verdict {
        Verdict::Unknown(reason) => Some(reason.to_string()),
        Verdict::RaceFree | Verdict::Potential | Verdict::Race => None,
    }
}

impl<'a> LockProblem<'a> {
    fn of(analysis: &'a Analysis, problem: &'a crate::verdict::LockProblem) -> LockProblem<'a> {
        LockProblem {
            fault: match problem.fault {
                LockFault::TakenTwice => "taken-twice",
                LockFault::LeftHeld => "left-held",
                LockFault::OppositeOrder => "opposite-order",
                LockFault::Interrupted => "interrupted",
            },
            entry_points: problem.entries.iter().map(|&entry| entry_name(analysis, entry)).collect(),
            locks: problem.locks.iter().map(|lock| Lock::of(analysis, lock)).collect(),
            waits: problem.waits.iter().map(|wait| Access::of(analysis, wait)).collect(),
        }
    }
}

impl<'a> Access<'a> {
    fn of(analysis: &Analysis, access: &'a crate::verdict::Access) -> Access<'a> {
        Access {
            place: access.loc.map(|loc| place(analysis, loc)).unwrap_or_default(),
            location: access.location.as_deref(),
            kind: if access.write { "write" } else { "read" },
            frees: access.purpose.frees(),
            of_lock: access.purpose == Purpose::Lock,
            marked: access.mark != Mark::Plain,
            mark: mark(access.mark),
            bit_fields: &access.bit_fields,
            by: match access.by {
                By::Instruction => "instruction",
                By::Row => "row",
                By::Unknown(_) => "unknown",
            },
            locks: access.locks.iter().map(|lock| Lock::of(analysis, lock)).collect(),
            stack: stack(analysis, access),
        }
    }
}

fn mark(mark: Mark) -> &'static str {
    match mark {
        Mark::Plain => "plain",
        Mark::Volatile => "volatile",
        Mark::Atomic(_) => "atomic",
    }
}

impl<'a> Step<'a> {
    fn of(analysis: &Analysis, step: &'a crate::verdict::Step) -> Step<'a> {
        let place = step.loc.map(|loc| place(analysis, loc));
        Step { thread: &step.thread, what: &step.what, place }
    }
}

impl<'a> Fix<'a> {
    fn of(analysis: &Analysis, fix: &'a crate::verdict::Fix) -> Fix<'a> {
        match fix {
            crate::verdict::Fix::Take { lock, around } => {
                Fix::Take { lock: Lock::of(analysis, lock), around: *around }
            }
            crate::verdict::Fix::Missing(why) => Fix::Missing(why),
        }
    }
}

impl<'a> Lock<'a> {
    fn of(analysis: &Analysis, lock: &'a crate::verdict::HeldLock) -> Lock<'a> {
        Lock {
            name: &lock.name,
            class: &lock.class,
            mode: explain::mode(lock.mode),
            taken: lock.taken.map(|loc| Place::from(places::Place::in_driver(&analysis.module, loc))),
        }
    }
}

fn stack(analysis: &Analysis, access: &crate::verdict::Access) -> Vec<Frame> {
    call_chain(&analysis.module, access)
        .into_iter()
        .map(|step| Frame {
            function: step.function,
            call: step.call.map(Place::from),
            inlined: step.inlined,
        })
        .collect()
}

fn place(analysis: &Analysis, loc: LocId) -> Place {
    Place::from(places::Place::of(&analysis.module, loc))
}

impl From<places::Place> for Place {
    fn from(place: places::Place) -> Place {
        let known = |n: u32| (n > 0).then_some(n);
        Place { file: Some(place.file), line: known(place.line), column: known(place.column) }
    }
}

fn omitted(analysis: &Analysis) -> Vec<Omitted<'_>> {
    let of = |(a, b, why): &(_, _, lockpair_entry_points::Omission)| Omitted {
        entry_points: pair_names(analysis, (*a, *b)),
        reason: why.to_string(),
    };
    analysis.omitted.iter().map(of).collect()
}

fn assumptions(analysis: &Analysis) -> Vec<Assumption<'_>> {
    let of = |assumption: &'_ lockpair_ir::Assumption| assumption.loc.map(|loc| place(analysis, loc));
    analysis
        .assumptions
        .iter()
        .map(|a| Assumption { kind: a.kind.name(), subject: &a.subject, place: of(a) })
        .collect()
}

fn unreachable(analysis: &Analysis) -> Vec<Unreachable<'_>> {
    let of = |(entry, loc): &(_, Option<LocId>)| Unreachable {
        entry_point: entry_name(analysis, *entry),
        place: loc.map(|loc| place(analysis, loc)),
    };
    analysis.unreachable.iter().map(of).collect()
}

impl Statistics {
    fn of(analysis: &Analysis) -> Statistics {
        Statistics {
            lines: analysis.source_lines,
            instructions: analysis.module.instruction_count(),
            regions: analysis.regions,
            pairs: PairCounts::of(analysis),
            races: analysis.pairs.iter().map(|pair| pair.races.len()).sum(),
            distinct_races: distinct_races(analysis),
            racy_locations: racy_locations(analysis),
            problems: problem_count(analysis),
            queries: analysis.pairs.iter().map(|pair| pair.queries).sum(),
            undecided_sites: analysis.undecided_sites,
            seconds: Seconds::of(analysis),
        }
    }
}

impl PairCounts {
    fn of(analysis: &Analysis) -> PairCounts {
        let tally = tally(analysis);
        PairCounts {
            checked: analysis.pairs.len(),
            race_free: tally.race_free,
            unknown: tally.unknown,
            potential: tally.potential,
            race: tally.race,
            omitted: analysis.omitted.len(),
        }
    }
}

impl Seconds {
    fn of(analysis: &Analysis) -> Seconds {
        let times = &analysis.times;
        Seconds {
            clang: seconds(times.clang),
            frontend: seconds(times.frontend),
            analysis: seconds(times.analysis),
            pairs: seconds(times.pairs),
            confirming: seconds(times.confirming),
            total: seconds(times.total),
        }
    }
}

/// Seconds to the microsecond: more digits are noise.
fn seconds(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests {
    use super::super::testdata::{analysis_of, demo, demo_options};
    use super::super::{Format, Options, render};
    use serde_json::Value;
    use std::collections::BTreeSet;

    fn json(analysis: &crate::verdict::Analysis, options: &Options) -> String {
        render(analysis, Format::Json, options)
    }

    #[test]
    fn the_demo_report_is_stable() {
        let base = demo_options().base.unwrap().display().to_string();
        let text = json(&demo(), &demo_options());
        insta::assert_snapshot!(text.replace(env!("CARGO_PKG_VERSION"), "VERSION").replace(&base, "BASE"));
    }

    /// Every path of keys in the report, `[]` for the elements of an array. A path that goes missing
    /// breaks readers: raise the version of the format.
    #[test]
    fn the_shape_is_stable() {
        let report: Value = serde_json::from_str(&json(&demo(), &demo_options())).unwrap();
        let mut paths = BTreeSet::new();
        collect_paths(&report, String::new(), &mut paths);
        let shape: Vec<_> = paths.into_iter().collect();
        insta::assert_snapshot!(shape.join("\n"));
        assert_eq!(report["format"], super::FORMAT_VERSION);
    }

    fn collect_paths(value: &Value, path: String, paths: &mut BTreeSet<String>) {
        match value {
            Value::Object(members) => {
                members.iter().for_each(|(key, value)| collect_paths(value, format!("{path}.{key}"), paths));
            }
            Value::Array(items) => {
                items.iter().for_each(|item| collect_paths(item, format!("{path}[]"), paths));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                paths.insert(path);
            }
        }
    }

    #[test]
    fn every_field_is_documented() {
        let documentation = include_str!("../../docs/json.md");
        let report: Value = serde_json::from_str(&json(&demo(), &demo_options())).unwrap();
        let mut paths = BTreeSet::new();
        collect_paths(&report, String::new(), &mut paths);
        for name in paths.iter().flat_map(|path| path.split('.')) {
            let name = name.trim_end_matches("[]");
            assert!(
                name.is_empty() || documentation.contains(&format!("`{name}`")),
                "{name} is not in docs/json.md"
            );
        }
    }

    #[test]
    fn a_module_without_pairs_is_race_free() {
        let report: Value = serde_json::from_str(&json(&analysis_of(vec![]), &demo_options())).unwrap();
        assert_eq!(report["verdict"], "race-free");
    }
}
