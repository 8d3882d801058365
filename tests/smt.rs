//! The queries that `--emit-smt` writes, answered by other solvers: one self-contained file per pair, and
//! `unsat` exactly where the verdict is race-free.

use lockpair::config::{Config, Silent};
use lockpair::frontend::Kernel;
use lockpair::pipeline;
use lockpair::report::reported_verdict;
use lockpair::verdict::{Analysis, Verdict};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Small inputs of each kind of condition, and drivers that look like real ones.
const INPUTS: &[&str] = &[
    "locks/mutex.c",
    "locks/mutex-wrong.c",
    "locks/array-of-locks.c",
    "locks/array-of-locks-wrong.c",
    "rules/rule01-wrapping-sum.c",
    "rules/rule07-bit-fields.c",
    "rules/rule12-nothing-shared.c",
    "publication/irq-after-init.c",
    "publication/irq-before-init.c",
    "session/fig1-nvram.c",
    "session/fig2-nvram-fixed.c",
    "stable/private-data.c",
    "stable/private-data-changed.c",
    "drivers/nvram.c",
    "drivers/net.c",
    "drivers/watchdog.c",
];

/// A solver as a program, with what it needs to read a file and to stop in time.
const SOLVERS: &[(&str, &[&str])] = &[("z3", &["-T:60"]), ("cvc5", &["--tlimit=60000"])];

#[test]
fn other_solvers_agree() {
    let dir = tempfile::tempdir().expect("a directory for queries");
    for input in INPUTS {
        let out = dir.path().join(input.replace('/', "-"));
        let analysis = emit(input, &out);
        let expected = expected_answers(&analysis);
        let files = queries(&out);
        let names: BTreeSet<&String> = expected.keys().collect();
        assert_eq!(names, files.keys().collect(), "{input}: one file per pair");
        for (name, file) in &files {
            assert_self_contained(file);
            assert_answers(&format!("{input}, {name}"), file, expected[name]);
        }
    }
}

/// Verifies an input and keeps its queries.
fn emit(input: &str, out: &Path) -> Analysis {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let file = root.join("tests/annotated").join(input);
    let include = format!("-I{}", root.join("env-models/include").display());
    let config = Config {
        clang_flags: vec![include],
        kernel: Kernel::None,
        emit_smt: Some(out.to_owned()),
        ..Config::new(vec![file])
    };
    pipeline::check(&config, &Silent).unwrap_or_else(|e| panic!("{input}: {e:#}"))
}

/// What any solver must say, by the name of the query; none where we do not know.
fn expected_answers(analysis: &Analysis) -> BTreeMap<String, Option<&'static str>> {
    let name = |ep| analysis.entry_points.items[ep].name.as_str();
    let answers = analysis.pairs.iter().map(|pair| {
        let answer = match reported_verdict(pair) {
            Verdict::RaceFree => Some("unsat"),
            Verdict::Potential | Verdict::Race => Some("sat"),
            Verdict::Unknown(_) => None,
        };
        (format!("{}--{}", name(pair.pair.0), name(pair.pair.1)), answer)
    });
    answers.collect()
}

/// The files of a directory, by name without `.smt2`.
fn queries(dir: &Path) -> BTreeMap<String, PathBuf> {
    let entries = std::fs::read_dir(dir).expect("the directory of the queries");
    let paths = entries.map(|entry| entry.expect("a readable directory").path());
    paths
        .map(|path| {
            assert_eq!(path.extension().and_then(|e| e.to_str()), Some("smt2"), "{}", path.display());
            (path.file_stem().expect("a name").to_string_lossy().into_owned(), path)
        })
        .collect()
}

/// A file that needs no other file, asks one question and names its logic.
fn assert_self_contained(file: &Path) {
    let text = std::fs::read_to_string(file).expect("a readable query");
    let count = |what: &str| text.matches(what).count();
    assert_eq!(count("(set-logic "), 1, "{}", file.display());
    assert_eq!(count("(check-sat"), 1, "{}", file.display());
    assert_eq!(count("(include"), 0, "{}", file.display());
}

fn assert_answers(what: &str, file: &Path, expected: Option<&str>) {
    for (solver, flags) in SOLVERS {
        let answer = ask(solver, flags, file);
        let fits = expected.is_none_or(|e| e == answer);
        assert!(
            fits && ["sat", "unsat"].contains(&answer.as_str()),
            "{what}: {solver} says {answer}, we {expected:?}"
        );
    }
}

/// The first line of what the solver prints.
fn ask(solver: &str, flags: &[&str], file: &Path) -> String {
    let output = Command::new(solver).args(flags).arg(file).output();
    let output = output.unwrap_or_else(|e| panic!("{solver}: {e}; .ci/deps.sh installs it"));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().next().unwrap_or("nothing").to_owned()
}
