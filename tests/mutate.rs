//! `lockpair mutate`: every mutant of the inputs in `tests/mutate` has the class that its line says, and of a sample over
//! inputs and drivers none survives.
//!
//! A comment `// KIND: CLASS; KIND: CLASS ...` speaks of the mutants of its line; a class may go on with what the report
//! says about it. `// row ROLE: WHAT: CLASS` on a line of its own speaks of one thing that a row says.

#[path = "annotated/verify.rs"]
#[allow(dead_code)] // Only how inputs are configured is of use here.
mod verify;

use lockpair::config::{Config, Silent};
use lockpair::frontend::Kernel;
use lockpair::mutate::{self, Class, Options, Report, Tried};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const ALL: Options = Options { seed: 1, sample: None };

#[test]
fn mutants_have_the_class_that_their_line_says() {
    let directory = verify::root().join("tests/mutate");
    let entries = std::fs::read_dir(&directory).expect("the inputs");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable directory").path()).collect();
    files.sort();
    let problems: Vec<String> = files.iter().flat_map(|file| problems(file)).collect();
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

/// A class by its name, with what it is about.
fn describe(class: &Class) -> String {
    match class {
        Class::Redundant(others) => format!("redundant because of {}", others.join(" and ")),
        Class::Killed { .. } | Class::ProtectsNothing(_) | Class::Undecided(_) | Class::Survivor(_) => {
            class.name().to_owned()
        }
    }
}

fn problems(file: &Path) -> Vec<String> {
    let name = file.file_name().expect("a name").to_string_lossy().into_owned();
    let report =
        mutate::run(&verify::config(file, &[]), &ALL, &Silent).expect("an input that can be checked");
    let expected = expected(&std::fs::read_to_string(file).expect("a readable input"));
    let found: BTreeSet<(u32, String)> = report.tried.iter().map(found).collect();
    let missing = expected.difference(&found).map(|(line, what)| format!("{name}:{line}: not so: {what}"));
    let new = found.difference(&expected).map(|(line, what)| format!("{name}:{line}: not expected: {what}"));
    missing.chain(new).collect()
}

/// The line, and what is said of it.
fn found(Tried { mutant, class }: &Tried) -> (u32, String) {
    let class = describe(class);
    match &mutant.place {
        Some(place) => (place.line, format!("{}: {class}", mutant.kind.name())),
        None => (0, format!("row {}: {}: {class}", mutant.function, mutant.what)),
    }
}

fn expected(text: &str) -> BTreeSet<(u32, String)> {
    let lines = (1..).zip(text.lines());
    let comments = lines.filter_map(|(n, line)| Some((n, line.split_once("//")?)));
    let said = comments.flat_map(|(n, (code, comment))| {
        let line = if code.trim().is_empty() { 0 } else { n };
        comment.split(';').map(move |part| (line, part.trim().to_owned()))
    });
    said.collect()
}

/// Inputs of other tests, with locks of many kinds.
const INPUTS: &[&str] = &["locks/two-locks.c", "locks/rwsem-forms.c", "locks/spinlock-irqsave.c"];

/// Drivers below `drivers/` of which many pairs are proved.
const DRIVERS: &[&str] = &["char/nvram.c", "rtc/rtc-ds1286.c"];

#[test]
fn no_mutant_of_a_sample_survives() {
    let inputs = INPUTS.iter().map(|input| {
        let file = verify::root().join("tests/annotated").join(input);
        Config { jobs: None, ..verify::config(&file, &[]) }
    });
    let drivers = source().into_iter().flat_map(|source| {
        DRIVERS.iter().map(move |driver| Config {
            kernel: Kernel::Auto,
            ..Config::new(vec![source.join("drivers").join(driver)])
        })
    });
    let sample = Options { seed: 6, sample: Some(8) };
    let reports: Vec<Report> = inputs
        .chain(drivers)
        .map(|config| mutate::run(&config, &sample, &Silent).expect("an input that can be checked"))
        .collect();
    let text: String = reports.iter().map(|report| mutate::render(report, None)).collect();
    println!("{text}");
    let bad = |report: &Report| report.count("survivor") + report.count("undecided");
    assert_eq!(reports.iter().map(bad).sum::<usize>(), 0, "\n{text}");
    assert!(reports.iter().map(|r| r.count("killed")).sum::<usize>() > 0, "\n{text}");
}

/// The kernel's source, if it is here.
fn source() -> Option<PathBuf> {
    let candidates =
        [verify::root().join(".deps/linux-source-6.1"), PathBuf::from("/usr/src/linux-source-6.1")];
    candidates.into_iter().find(|dir| dir.join("drivers/char/nvram.c").exists())
}
