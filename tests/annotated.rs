//! The annotated inputs: every C file under `tests/annotated/` is verified through the library, and what
//! is reported is compared with what its lines say ([`expect`] has the vocabulary).
//!
//! `LOCKPAIR_FILTER=locks/` runs only the files whose path contains the text.

#[path = "annotated/confirm.rs"]
mod confirm;
#[path = "annotated/expect.rs"]
mod expect;
#[path = "annotated/judge.rs"]
mod judge;
#[path = "annotated/linking.rs"]
mod linking;
#[path = "annotated/snapshots.rs"]
mod snapshots;
#[path = "annotated/verify.rs"]
mod verify;

use expect::Expectations;
use judge::{Failure, Tally};
use lockpair::config::Config;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use verify::Input;

/// As they are, each input gives what its lines say. With a summary in the place of each call, no race is missed, and
/// nearly nothing else is reported.
#[test]
fn annotated_inputs() {
    let root = verify::root().join("tests/annotated");
    let files = selected(&root);
    assert!(!files.is_empty(), "no annotated input matches LOCKPAIR_FILTER");
    let all = judge_all(&root, &files);
    println!("{}", all.tally);

    let (unsound, weaker): (Vec<Failure>, Vec<Failure>) = all
        .summarized
        .into_iter()
        .partition(|f| f.what.starts_with("UNSOUND") || f.what.starts_with("cannot"));
    let weaker: Vec<Failure> = weaker.into_iter().filter(|f| f.what.starts_with("imprecise")).collect();
    println!("summarized: {}", table(&weaker));
    assert!(all.failures.is_empty(), "\n{}", table(&all.failures));
    assert!(unsound.is_empty(), "summarized:\n{}", table(&unsound));
    let files: BTreeSet<&str> = weaker.iter().map(Failure::file).collect();
    let known: BTreeSet<&str> = WEAKER_SUMMARIZED.iter().copied().collect();
    assert!(files.is_subset(&known), "weaker than inlined: {:?}", files.difference(&known));
    let (with, of) = all.confirmed.iter().fold((0, 0), |(a, b), (_, (with, of))| (a + with, b + of));
    println!("{with} of {of} races of {} programs have an execution", all.confirmed.len());
    if std::env::var_os("LOCKPAIR_FILTER").is_none() {
        let lines: Vec<String> =
            all.confirmed.iter().map(|(name, (with, of))| format!("{name}: {with} of {of}\n")).collect();
        insta::with_settings!({ snapshot_path => "annotated/snapshots" }, {
            insta::assert_snapshot!("confirmed", lines.concat());
            insta::assert_snapshot!("executed", executed(&all.executed));
        });
    }
}

/// How many races of drivers have an execution of the model, and the lines of those that are none.
fn executed(all: &[(String, confirm::Executed)]) -> String {
    let (with, of) = all.iter().fold((0, 0), |(a, b), (_, ((with, of), _))| (a + with, b + of));
    let unreal = all.iter().filter(|(_, (_, lines))| !lines.is_empty());
    let line = |(name, (_, lines)): &(String, confirm::Executed)| {
        let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
        format!("{name}: {}\n", lines.join(", "))
    };
    format!("{with} of {of} races\n{}", unreal.map(line).collect::<String>())
}

/// Inputs of which more is reported if all calls are summarized, and why.
const WEAKER_SUMMARIZED: &[&str] = &[
    // Which function a helper is told to start is not known where the helper has a summary.
    "posix/create-wrapper.c",
    "posix/create-by-pointer.c",
    // In a summary, what is stored is a parameter's, and who made that is not known.
    "idioms/made-buffers.c",
    // In a summary, what is registered in a callee has a name only up to a number of times.
    "idioms/attribute-ended-by-group.c",
    "idioms/attribute-ended-loop.c",
    // In a summary, what a callee has handed out by a parameter may be anything.
    "idioms/out-parameter.c",
    "rows/iio-values.c",
    // A summary takes and gives back no flags.
    "idioms/owner-bit-helper.c",
    "idioms/owner-flag-of-device.c",
    "idioms/turn-request.c",
    "idioms/reference-replaced.c",
    "posix/reference-counted.c",
    "posix/atomic-builtins.c",
];

/// The C files below the directory, sorted, as far as the user wants them.
fn selected(root: &Path) -> Vec<PathBuf> {
    let filter = std::env::var("LOCKPAIR_FILTER").unwrap_or_default();
    let mut files = c_files(root);
    files.retain(|file| relative(root, file).contains(&filter));
    files.sort();
    files
}

fn c_files(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).unwrap_or_else(|e| panic!("{}: {e}", dir.display()));
    let paths = entries.map(|entry| entry.expect("a readable directory").path());
    paths
        .flat_map(|path| match path.extension() {
            _ if path.is_dir() => c_files(&path),
            Some(e) if e == "c" => vec![path],
            _ => vec![],
        })
        .collect()
}

fn relative(root: &Path, file: &Path) -> String {
    file.strip_prefix(root).unwrap_or(file).display().to_string()
}

/// What came of the inputs.
#[derive(Default)]
struct Judged {
    tally: Tally,
    /// Where they do not give what their lines say.
    failures: Vec<Failure>,
    /// The same, if all calls are summarized.
    summarized: Vec<Failure>,
    /// Of programs, whose races have an execution.
    confirmed: Vec<(String, confirm::Confirmed)>,
    /// Of drivers, which races have an execution of the model.
    executed: Vec<(String, confirm::Executed)>,
}

impl Judged {
    fn add(&mut self, other: Judged) {
        self.tally.add(&other.tally);
        self.failures.extend(other.failures);
        self.summarized.extend(other.summarized);
        self.confirmed.extend(other.confirmed);
        self.executed.extend(other.executed);
    }
}

/// Verifies the files side by side, one thread per core.
fn judge_all(root: &Path, files: &[PathBuf]) -> Judged {
    let next = AtomicUsize::new(0);
    let all = Mutex::new(Judged::default());
    let work = || {
        while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            let judged = judge_file(root, file);
            all.lock().expect("no thread panics while it holds the lock").add(judged);
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    let mut all = all.into_inner().expect("all threads have ended");
    all.failures.sort();
    all.summarized.sort();
    all.confirmed.sort();
    all.executed.sort();
    all
}

/// How an input is checked; what it names is beside it.
fn config_of(file: &Path, said: &Expectations) -> Config {
    let beside = |names: &[String]| names.iter().map(|name| file.with_file_name(name)).collect::<Vec<_>>();
    let mut config = verify::config(file, &said.flags);
    config.inputs.extend(beside(&said.with));
    config.with = beside(&said.with_modules).into_iter().map(|other| vec![other]).collect();
    config.models = beside(&said.models);
    config
}

fn judge_file(root: &Path, file: &Path) -> Judged {
    let name = relative(root, file);
    let text = std::fs::read_to_string(file).unwrap_or_else(|e| panic!("{name}: {e}"));
    let expectations = match Expectations::parse(&text) {
        Ok(expectations) => expectations,
        Err((line, why)) => {
            return Judged { failures: vec![Failure::new(&name, line, why)], ..Judged::default() };
        }
    };
    // Reading is the larger part, so it is done once.
    let input = Input::read(config_of(file, &expectations));
    let verify =
        |inline_limit| input.as_ref().map_err(String::clone).and_then(|input| input.verify(inline_limit));
    let outcome = verify(expectations.inline_limit);
    let (tally, mut failures) = judge::judge(&name, file, &expectations, &outcome);
    let (_, summarized) = judge::judge(&name, file, &expectations, &verify(Some(0)));
    let (mut confirmed, mut executed) = (Vec::new(), Vec::new());
    if let (Ok(input), Ok(analysis)) = (&input, &outcome) {
        let found = confirm::executed(file, &expectations, input, analysis);
        executed.extend(found.map(|found| (name.clone(), found)));
    }
    if let (Ok(input), Ok(analysis)) = (&input, &outcome)
        && let Some((counts, unreal)) = confirm::judge(&name, file, &expectations, input, analysis)
    {
        failures.extend(unreal);
        confirmed.push((name, counts));
    }
    Judged { tally, failures, summarized, confirmed, executed }
}

/// One line per failure, in columns.
fn table(failures: &[Failure]) -> String {
    let places: Vec<String> = failures.iter().map(Failure::place).collect();
    let width = places.iter().map(String::len).max().unwrap_or(0);
    let rows = places.iter().zip(failures).map(|(place, f)| format!("{place:width$}  {}\n", f.what));
    format!("{} expectations are not met:\n{}", failures.len(), rows.collect::<String>())
}
