//! A second oracle, for programs with threads: they are built with ThreadSanitizer and run, and each race that it sees
//! must be among those that are reported. It sees only what happens, but it knows nothing of how we think that threads
//! and locks work.
//!
//! The programs are generated from seeds, and those of `tests/annotated/posix`. How many are generated:
//! `SANITIZER_PROGRAMS`, by default 60; `SANITIZER_SEED` is the first seed. `SANITIZER_FILE=x.c` checks that file
//! alone. What fails is kept in `sanitizer-failures` in the directory for temporary files.

#[path = "sanitizer/compare.rs"]
mod compare;
#[path = "sanitizer/generate.rs"]
mod generate;
#[path = "sanitizer/tsan.rs"]
mod tsan;

use compare::{Outcome, Tally};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// The generated programs. Some must have races, and some none, or nothing is compared.
#[test]
fn generated_programs() {
    let (first, count) = (number("SANITIZER_SEED", 0), number("SANITIZER_PROGRAMS", 60));
    let dir = scratch("generated");
    let files: Vec<PathBuf> = (first..first + count)
        .map(|seed| {
            let file = dir.join(format!("seed-{seed}.c"));
            std::fs::write(&file, generate::program(seed)).expect("a writable directory");
            file
        })
        .collect();
    let tally = run(&files);
    println!("generated: {tally}");
    assert!(tally.failures.is_empty(), "{}", tally.failures.join("\n"));
    assert!(count < 50 || tally.with_races * 12 > tally.programs, "too few programs with a race: {tally}");
    assert!(count < 50 || tally.proved_pairs * 5 > tally.pairs, "too few pairs are proved: {tally}");
}

/// The programs that are annotated by hand.
#[test]
fn annotated_programs() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/annotated/posix");
    let mut files: Vec<PathBuf> = std::fs::read_dir(dir)
        .expect("the annotated programs")
        .map(|entry| entry.expect("a readable directory").path())
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .collect();
    files.sort();
    let tally = run(&files);
    println!("annotated: {tally}");
    assert!(tally.failures.is_empty(), "{}", tally.failures.join("\n"));
}

/// One file, to look at a failure.
#[test]
fn one_file() {
    let Some(file) = std::env::var_os("SANITIZER_FILE") else { return };
    let tally = run(&[file.into()]);
    println!("{tally}");
    assert!(tally.failures.is_empty(), "{}", tally.failures.join("\n"));
}

/// Checks the files side by side.
fn run(files: &[PathBuf]) -> Tally {
    let next = AtomicUsize::new(0);
    let tally = Mutex::new(Tally::default());
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let outcome = check(file);
                    tally.lock().expect("no panics").add(file, outcome);
                }
            });
        }
    });
    tally.into_inner().expect("no panics")
}

fn check(file: &Path) -> anyhow::Result<Outcome> {
    let work = scratch("build").join(file.file_stem().unwrap_or_default());
    let seen = tsan::races(file, &work)?;
    compare::compare(file, &seen)
}

fn scratch(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sanitizer").join(name);
    std::fs::create_dir_all(&dir).expect("a writable directory");
    dir
}
