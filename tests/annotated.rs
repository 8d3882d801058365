//! The annotated inputs: every C file under `tests/annotated/` is verified through the library, and what
//! is reported is compared with what its lines say ([`expect`] has the vocabulary).
//!
//! `LOCKPAIR_FILTER=locks/` runs only the files whose path contains the text.

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
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn annotated_inputs() {
    let root = verify::root().join("tests/annotated");
    let files = selected(&root);
    assert!(!files.is_empty(), "no annotated input matches LOCKPAIR_FILTER");
    let (tally, failures) = judge_all(&root, &files, None);
    println!("{tally}");
    assert!(failures.is_empty(), "\n{}", table(&failures));
}

/// With a summary in the place of each call: no race is missed, and nearly nothing else is reported.
#[test]
fn annotated_inputs_summarized() {
    let root = verify::root().join("tests/annotated");
    let files = selected(&root);
    let (_, failures) = judge_all(&root, &files, Some(0));
    let (unsound, weaker): (Vec<Failure>, Vec<Failure>) =
        failures.into_iter().partition(|f| f.what.starts_with("UNSOUND") || f.what.starts_with("cannot"));
    let weaker: Vec<Failure> = weaker.into_iter().filter(|f| f.what.starts_with("imprecise")).collect();
    println!("{}", table(&weaker));
    assert!(unsound.is_empty(), "\n{}", table(&unsound));
    let files: std::collections::BTreeSet<&str> = weaker.iter().map(Failure::file).collect();
    let known: std::collections::BTreeSet<&str> = WEAKER_SUMMARIZED.iter().copied().collect();
    assert!(files.is_subset(&known), "weaker than inlined: {:?}", files.difference(&known));
}

/// Inputs of which more is reported if all calls are summarized, and why.
const WEAKER_SUMMARIZED: &[&str] = &[
    // Which function a helper is told to start is not known where the helper has a summary.
    "posix/create-wrapper.c",
    // In a summary, what is written through a pointer to a member is written nobody knows where.
    "idioms/keeper-pointer.c",
    "externals/by-reference.c",
    // In a summary, what is registered in a callee has a name only up to a number of times.
    "idioms/attribute-ended-by-group.c",
    "idioms/attribute-ended-loop.c",
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

/// Verifies the files side by side, one thread per core.
fn judge_all(root: &Path, files: &[PathBuf], inline_limit: Option<usize>) -> (Tally, Vec<Failure>) {
    let next = AtomicUsize::new(0);
    let all = Mutex::new((Tally::default(), Vec::new()));
    let work = || {
        while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            let (tally, failures) = judge_file(root, file, inline_limit);
            let mut all = all.lock().expect("no thread panics while it holds the lock");
            all.0.add(&tally);
            all.1.extend(failures);
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    let (tally, mut failures) = all.into_inner().expect("all threads have ended");
    failures.sort();
    (tally, failures)
}

fn judge_file(root: &Path, file: &Path, inline_limit: Option<usize>) -> (Tally, Vec<Failure>) {
    let name = relative(root, file);
    let text = std::fs::read_to_string(file).unwrap_or_else(|e| panic!("{name}: {e}"));
    let expectations = match Expectations::parse(&text) {
        Ok(expectations) => expectations,
        Err((line, why)) => return (Tally::default(), vec![Failure::new(&name, line, why)]),
    };
    let outcome = verify::verify(
        file,
        &expectations.with,
        &expectations.flags,
        inline_limit.or(expectations.inline_limit),
    );
    judge::judge(&name, file, &expectations, &outcome)
}

/// One line per failure, in columns.
fn table(failures: &[Failure]) -> String {
    let places: Vec<String> = failures.iter().map(Failure::place).collect();
    let width = places.iter().map(String::len).max().unwrap_or(0);
    let rows = places.iter().zip(failures).map(|(place, f)| format!("{place:width$}  {}\n", f.what));
    format!("{} expectations are not met:\n{}", failures.len(), rows.collect::<String>())
}
