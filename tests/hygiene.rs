//! `--check deadlock`: the inputs say on their lines what is to be found there, and nowhere else. `TWICE`: waits for a
//! lock that it holds. `LEFT`: takes a lock that may still be held on return. `ORDER`: waits, with a lock held for which
//! another waits with this one held. `INTERRUPTED`: takes a lock that an interrupt takes, which may come then.

use lockpair::config::{Config, Silent};
use lockpair::frontend::Kernel;
use lockpair::verdict::{Analysis, LockFault};
use lockpair_ir::LocId;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

type Lines = BTreeSet<(u32, &'static str)>;

fn analyze(file: &Path, deadlocks: bool) -> Analysis {
    let headers = Path::new(env!("CARGO_MANIFEST_DIR")).join("env-models/include");
    let config = Config {
        kernel: Kernel::None,
        clang_flags: vec![format!("-I{}", headers.display()), "-DMODULE".to_owned()],
        deadlocks,
        ..Config::new(vec![file.to_owned()])
    };
    lockpair::pipeline::check(&config, &Silent).unwrap()
}

fn found(analysis: &Analysis) -> Lines {
    let line = |loc: Option<LocId>| analysis.module.locs[loc.expect("a place")].line;
    let of = |problem: &lockpair::verdict::LockProblem| match problem.fault {
        LockFault::TakenTwice => problem.waits.iter().map(|wait| (line(wait.loc), "TWICE")).collect(),
        LockFault::LeftHeld => problem.locks.iter().map(|lock| (line(lock.taken), "LEFT")).collect(),
        LockFault::Interrupted => {
            problem.waits.iter().take(1).map(|wait| (line(wait.loc), "INTERRUPTED")).collect()
        }
        LockFault::OppositeOrder => {
            problem.waits.iter().map(|wait| (line(wait.loc), "ORDER")).collect::<Vec<_>>()
        }
    };
    analysis.lock_problems.iter().flat_map(of).collect()
}

fn expected(text: &str) -> Lines {
    let words = ["TWICE", "LEFT", "ORDER", "INTERRUPTED"];
    let lines = text.lines().zip(1..);
    lines
        .flat_map(|(line, n)| {
            words
                .into_iter()
                .filter(move |word| line.ends_with(&format!("// {word}")))
                .map(move |word| (n, word))
        })
        .collect()
}

fn inputs() -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hygiene");
    let files = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|e| e == "c")).collect()
}

#[test]
fn what_is_wrong_is_found_and_nothing_else() {
    assert!(inputs().len() >= 3);
    for file in inputs() {
        let expected = expected(&std::fs::read_to_string(&file).unwrap());
        assert!(!expected.is_empty(), "{}", file.display());
        assert_eq!(found(&analyze(&file, true)), expected, "{}", file.display());
    }
}

#[test]
fn nobody_looks_unless_asked() {
    assert!(inputs().iter().all(|file| analyze(file, false).lock_problems.is_empty()));
}
