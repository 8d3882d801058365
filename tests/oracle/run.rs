//! Many programs, side by side, and what they come to.

use crate::check::{Calls, Effort, Failure, Miss, Oracle, Outcome};
use crate::generate::{self, Family};
use anyhow::{Context as _, Result};
use std::fmt;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The verifier recurses over call trees.
const STACK_BYTES: usize = 64 << 20;
/// Failures that are written out.
const SHOWN: usize = 20;

/// A number in a variable of the environment.
pub fn number_from_environment(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Where a program comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Program {
    /// A file.
    File(PathBuf),
    /// The generator, with this seed. Deep ones are summarized in any case.
    Generated(Family, u64),
    /// A file whose own lines say what must be reported.
    #[cfg(feature = "seeded-faults")]
    Annotated(PathBuf),
    /// The same file or program; the verifier has to summarize all calls.
    Summarized(Box<Program>),
    /// The same, with one summary for each circle of calls.
    Circled(Box<Program>),
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            #[cfg(feature = "seeded-faults")]
            Program::Annotated(path) => Program::File(path.clone()).fmt(f),
            Program::File(path) => {
                write!(f, "{}", path.file_name().unwrap_or(path.as_os_str()).to_string_lossy())
            }
            Program::Generated(family, seed) => write!(f, "{} {seed}", family.name()),
            Program::Summarized(program) => write!(f, "{program}, summarized"),
            Program::Circled(program) => write!(f, "{program}, one summary per circle"),
        }
    }
}

/// What a run needs.
pub struct Plan {
    oracle: Oracle,
    threads: usize,
    work: PathBuf,
    out: PathBuf,
}

impl Plan {
    /// With directories for what is generated and for what fails.
    pub fn new() -> Plan {
        let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle");
        static PLANS: AtomicUsize = AtomicUsize::new(0);
        let number = PLANS.fetch_add(1, Ordering::Relaxed);
        let work = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("oracle-{}-{number}", std::process::id()));
        fs::create_dir_all(&work).expect("a directory for generated programs");
        let out = std::env::var_os("ORACLE_OUT")
            .map_or(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("oracle-failures"), PathBuf::from);
        let threads = number_from_environment("ORACLE_JOBS").map(|jobs| jobs as usize);
        let threads = threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from));
        Plan { oracle: Oracle::new(here.join("include"), Effort::default()), threads, work, out }
    }

    /// The hand-written programs.
    pub fn directed(&self) -> Vec<Program> {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/directed");
        let files =
            fs::read_dir(dir).expect("the hand-written programs").filter_map(|e| Some(e.ok()?.path()));
        let mut files: Vec<PathBuf> = files.filter(|p| p.extension().is_some_and(|e| e == "c")).collect();
        files.sort();
        files.into_iter().map(Program::File).collect()
    }

    /// A family's programs of these seeds.
    pub fn generated(&self, family: Family, seeds: Range<u64>) -> Vec<Program> {
        seeds.map(|seed| Program::Generated(family, seed)).collect()
    }

    /// The same programs, with all calls summarized.
    pub fn summarized(&self, programs: Vec<Program>) -> Vec<Program> {
        programs.into_iter().map(|p| Program::Summarized(Box::new(p))).collect()
    }

    /// The same programs, with all calls summarized and one summary for each circle of calls.
    pub fn circled(&self, programs: Vec<Program>) -> Vec<Program> {
        programs.into_iter().map(|p| Program::Circled(Box::new(p))).collect()
    }

    /// Checks all.
    pub fn run(&self, programs: &[Program]) -> Summary {
        let begin = Instant::now();
        let outcomes = self.each(programs, |p| Some((p.clone(), self.check(p))));
        let mut summary = Summary { wall: begin.elapsed(), ..Summary::default() };
        for (program, outcome) in &outcomes {
            self.add(&mut summary, program, outcome);
        }
        summary
    }

    /// The verifier believes these rows from now on.
    #[cfg_attr(not(feature = "seeded-faults"), allow(dead_code))]
    pub fn believe(&mut self, rows: &str) {
        self.oracle.believe(rows);
    }

    /// The first program that fails, of as many as were tried in vain.
    #[cfg_attr(not(feature = "seeded-faults"), allow(dead_code))]
    pub fn first_failure(&self, programs: &[Program]) -> Option<(Program, Failure)> {
        let found = Mutex::new(None);
        self.each(programs, |p| {
            let is_found = found.lock().expect("no thread panics with it").is_some();
            let failure = if is_found { None } else { self.check(p).ok()?.failures.into_iter().next() };
            *found.lock().expect("no thread panics with it") = Some((p.clone(), failure?));
            None::<()>
        });
        found.into_inner().expect("no thread panics with it")
    }

    /// All programs that fail.
    #[cfg_attr(not(feature = "seeded-faults"), allow(dead_code))]
    pub fn failing(&self, programs: &[Program]) -> Vec<Program> {
        let fails = |p: &Program| self.check(p).map_or(true, |outcome| !outcome.failures.is_empty());
        self.each(programs, |p| fails(p).then(|| p.clone()))
    }

    /// Does something with each, side by side; what comes of it, in their order. The verifier has a pool of threads for each
    /// analysis: a worker of another pool that waited for one would begin with the next program meanwhile, and with the next.
    fn each<T: Send>(&self, programs: &[Program], what: impl Fn(&Program) -> Option<T> + Sync) -> Vec<T> {
        let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        let work = || {
            loop {
                let n = next.fetch_add(1, Ordering::Relaxed);
                let Some(program) = programs.get(n) else { return };
                let result = what(program);
                results.lock().expect("no thread panics with it").extend(result.map(|result| (n, result)));
            }
        };
        thread::scope(|scope| {
            for _ in 0..self.threads {
                thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work).expect("a thread");
            }
        });
        let mut results = results.into_inner().expect("no thread panics with it");
        results.sort_by_key(|&(n, _)| n);
        results.into_iter().map(|(_, result)| result).collect()
    }

    fn check(&self, program: &Program) -> Result<Outcome> {
        self.check_with(program, Calls::Inlined)
    }

    fn check_with(&self, program: &Program, calls: Calls) -> Result<Outcome> {
        match program {
            Program::File(path) => self.oracle.check(path, calls),
            #[cfg(feature = "seeded-faults")]
            Program::Annotated(path) => crate::annotated::check(path, calls),
            Program::Summarized(program) => self.check_with(program, Calls::Summarized),
            Program::Circled(program) => self.check_with(program, Calls::OneSummaryPerCircle),
            Program::Generated(Family::Deep, _) if calls == Calls::Inlined => {
                self.check_with(program, Calls::Summarized)
            }
            Program::Generated(family, seed) => {
                let kind = match calls {
                    Calls::Inlined => "i",
                    Calls::Summarized => "s",
                    Calls::OneSummaryPerCircle => "c",
                };
                let name = format!("{}{kind}{seed}.c", family.name());
                self.check_text(&name, &generate::program(*family, *seed), calls)
            }
        }
    }

    fn check_text(&self, name: &str, text: &str, calls: Calls) -> Result<Outcome> {
        let path = self.work.join(name);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        let outcome = self.oracle.check(&path, calls);
        let _ = fs::remove_file(&path);
        outcome
    }

    fn add(&self, summary: &mut Summary, program: &Program, outcome: &Result<Outcome>) {
        summary.programs += 1;
        match outcome {
            Err(error) => summary.failures.push(format!("{program}: {error:#}")),
            Ok(outcome) => {
                summary.count(outcome);
                if let Some(failure) = outcome.failures.first() {
                    let strong = failure.miss == Miss::NotAmongReported;
                    let written = if summary.failures.len() < SHOWN {
                        self.write_out(program, outcome)
                    } else {
                        String::new()
                    };
                    let [a, b] = &failure.pair;
                    let [k, l] = failure.lines;
                    let kind = if strong { "reported, but not this" } else { "MISSED" };
                    summary.failures.push(format!(
                        "{program}: {kind} ({:?}): {a} line {k}, {b} line {l} {written}",
                        failure.miss
                    ));
                }
            }
        }
    }

    /// The program with the execution as a comment, and how to try it again.
    fn write_out(&self, program: &Program, outcome: &Outcome) -> String {
        let (name, source) = source(program);
        let path = self.out.join(name);
        let mut text = source;
        for failure in &outcome.failures {
            text.push_str(&format!(
                "\n/* {:?}: {:?}, lines {:?}\n{}*/\n",
                failure.miss, failure.pair, failure.lines, failure.schedule
            ));
        }
        text.push_str(&format!(
            "/* Again: ORACLE_FILE={} cargo test --release --test oracle oracle_file -- --nocapture\n   The verifier alone: lockpair check --kernel none {} -- {} */\n",
            path.display(), path.display(), self.oracle.flags().join(" ")
        ));
        let written = fs::create_dir_all(&self.out).and_then(|()| fs::write(&path, text));
        written.map_or_else(|e| format!("(not written: {e})"), |()| format!("-> {}", path.display()))
    }
}

/// A file name and the text.
fn source(program: &Program) -> (String, String) {
    match program {
        Program::File(path) => (program.to_string(), fs::read_to_string(path).unwrap_or_default()),
        #[cfg(feature = "seeded-faults")]
        Program::Annotated(path) => source(&Program::File(path.clone())),
        Program::Generated(family, seed) => {
            (format!("{}{seed}.c", family.name()), generate::program(*family, *seed))
        }
        Program::Summarized(program) => {
            let (name, text) = source(program);
            (format!("summarized-{name}"), text)
        }
        Program::Circled(program) => {
            let (name, text) = source(program);
            (format!("circled-{name}"), text)
        }
    }
}

impl Drop for Plan {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.work);
    }
}

/// What a run came to.
#[derive(Default)]
pub struct Summary {
    /// Programs checked.
    pub programs: usize,
    /// What failed, one line each.
    pub failures: Vec<String>,
    racy_programs: usize,
    proved_programs: usize,
    free_programs: usize,
    cut_programs: usize,
    pairs: usize,
    racy: usize,
    proved: usize,
    unknown: usize,
    ended_programs: usize,
    states: usize,
    steps: u64,
    times: [Duration; 3],
    wall: Duration,
}

impl Summary {
    fn count(&mut self, outcome: &Outcome) {
        self.racy_programs += usize::from(outcome.racy > 0);
        self.free_programs += usize::from(outcome.racy == 0);
        self.proved_programs += usize::from(outcome.proved == outcome.pairs);
        self.cut_programs += usize::from(outcome.cut);
        self.pairs += outcome.pairs;
        self.racy += outcome.racy;
        self.proved += outcome.proved;
        self.unknown += outcome.unknown;
        self.ended_programs += usize::from(outcome.ended);
        self.states += outcome.states;
        self.steps += outcome.steps;
        for (sum, time) in self.times.iter_mut().zip(outcome.times) {
            *sum += time;
        }
    }

    /// The share of programs in which the interpreter reached a race.
    pub fn racy_share(&self) -> f64 {
        self.racy_programs as f64 / self.programs.max(1) as f64
    }

    /// The share of the pairs without a reachable race that were proved.
    pub fn proved_share(&self) -> f64 {
        self.proved as f64 / self.pairs.saturating_sub(self.racy).max(1) as f64
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
        let free = self.pairs.saturating_sub(self.racy);
        writeln!(
            f,
            "{} programs in {:.1} s, {} failures",
            self.programs,
            self.wall.as_secs_f64(),
            self.failures.len()
        )?;
        writeln!(
            f,
            "  {:.0}% with a reachable race; exploration cut off in {}, ended before all scenarios in {}",
            100.0 * self.racy_share(),
            self.cut_programs,
            self.ended_programs
        )?;
        writeln!(
            f,
            "  {} pairs: {} racy; of the other {free}, {:.0}% proved; {} unknown",
            self.pairs,
            self.racy,
            percent(self.proved, free),
            self.unknown
        )?;
        writeln!(
            f,
            "  {} of {} programs without a race proved in all pairs",
            self.proved_programs, self.free_programs
        )?;
        let [clang, verifier, interpreter] = self.times.map(|t| t.as_secs_f64());
        write!(
            f,
            "  {} states, {} steps; clang {clang:.1} s, verifier {verifier:.1} s, interpreter {interpreter:.1} s (summed over threads)",
            self.states, self.steps
        )
    }
}
