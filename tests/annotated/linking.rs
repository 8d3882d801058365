//! Drivers of several files: neither their order matters, nor whether they come linked.

use crate::expect::{Expectations, Line};
use crate::judge::racy_lines;
use crate::verify::{config, root};
use lockpair::config::{Config, Silent};
use lockpair::frontend::{self, Kernel, Options};
use lockpair::pipeline;
use lockpair::verdict::Analysis;
use lockpair_entry_points::Note;
use lockpair_ir::AssumptionKind;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Both halves of a driver.
fn halves() -> [PathBuf; 2] {
    let dir = root().join("tests/annotated/linking");
    ["same-layout-first.c", "same-layout-second.c"].map(|name| dir.join(name))
}

fn check(inputs: Vec<PathBuf>) -> Analysis {
    let config = Config { inputs, ..config(Path::new(""), &[]) };
    pipeline::check(&config, &Silent).unwrap_or_else(|error| panic!("{error:#}"))
}

/// What an analysis says, without its order.
fn findings(analysis: &Analysis) -> BTreeSet<String> {
    let name = |id| &analysis.entry_points.items[id].name;
    let entry_points = analysis.entry_points.items.values().map(|ep| format!("{} ({})", ep.name, ep.role));
    let pairs = analysis.pairs.iter().map(|pair| {
        let names = BTreeSet::from([name(pair.pair.0), name(pair.pair.1)]);
        format!("{names:?}: {}, {} races", pair.verdict.name(), pair.races.len())
    });
    entry_points.chain(pairs).collect()
}

#[test]
fn the_order_of_files_changes_nothing() {
    let [first, second] = halves();
    let one = check(vec![first.clone(), second.clone()]);
    let other = check(vec![second, first]);
    assert_eq!(findings(&one), findings(&other));
}

#[test]
fn races_are_found_in_bitcode_that_was_linked() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let flags = config(Path::new(""), &[]).clang_flags;
    let options = Options { clang_flags: flags, ..Options::default() };
    let compiled = halves().map(|source| {
        let path = dir.path().join(source.file_stem().expect("a name")).with_extension("bc");
        let bytes = frontend::compile(&source, &options).unwrap_or_else(|error| panic!("{error}"));
        std::fs::write(&path, bytes).expect("a file in the temporary directory");
        path
    });
    let [first, second] = &compiled;
    for (number, order) in [[first, second], [second, first]].into_iter().enumerate() {
        let linked = dir.path().join(format!("linked{number}.bc"));
        let status = Command::new("llvm-link-19").args(order).arg("-o").arg(&linked).status();
        assert!(status.expect("llvm-link-19 runs").success());
        let analysis = check(vec![linked]);
        for source in halves() {
            let text = std::fs::read_to_string(&source).expect("a source file");
            let lines = Expectations::parse(&text).expect("good annotations").lines;
            let found = racy_lines(&source, &analysis);
            let missed = lines.iter().find(|(line, said)| **said == Line::Race && !found.contains(line));
            assert_eq!(missed, None, "{} in order {number}", source.display());
        }
    }
}

/// Bitcode has no headers: its `main` tells that it is a program, and then it is one in every respect.
#[test]
fn bitcode_of_a_program_is_a_program() {
    let source = root().join("tests/annotated/posix/lock-two-wrong.c");
    let dir = tempfile::tempdir().expect("a temporary directory");
    let compiled = dir.path().join("program.bc");
    let options = Options { kernel: Kernel::None, ..Options::default() };
    let bytes = frontend::compile(&source, &options).unwrap_or_else(|error| panic!("{error}"));
    std::fs::write(&compiled, bytes).expect("a file in the temporary directory");
    let [one, other] = [source.clone(), compiled].map(|input| {
        let config = Config { inputs: vec![input], ..config(&source, &[]) };
        assert_eq!(config.environment, None);
        pipeline::check(&config, &Silent).unwrap_or_else(|error| panic!("{error:#}"))
    });
    assert!(other.entry_points.items.values().any(|ep| ep.name == "main"));
    assert!(other.pairs.iter().any(|pair| !pair.races.is_empty()));
    assert_eq!(findings(&one), findings(&other));
}

/// A function that no file uses is there for files that are missing, unless it is said that none is.
#[test]
fn who_says_that_a_module_is_whole_is_believed() {
    let file = root().join("tests/annotated/entry-points/other-files-wrong.c");
    let [partial, whole] = [false, true].map(|whole_module| {
        let config = Config { inputs: vec![file.clone()], whole_module, ..config(&file, &[]) };
        pipeline::check(&config, &Silent).unwrap_or_else(|error| panic!("{error:#}"))
    });
    let is_called = |analysis: &Analysis| analysis.entry_points.items.values().any(|ep| ep.role == "extern");
    let is_told = |analysis: &Analysis| {
        let mut notes = analysis.entry_points.notes.iter();
        notes.any(|note| matches!(note, Note::OtherFiles { .. }))
    };
    let is_racy = |analysis: &Analysis| analysis.pairs.iter().any(|pair| !pair.races.is_empty());
    let all = [is_called, is_told, is_racy].map(|says| (says(&partial), says(&whole)));
    assert_eq!(all, [(true, false); 3]);
    assert!(whole.assumptions.iter().any(|assumption| assumption.kind == AssumptionKind::WholeModule));
}

/// What a variable of a whole module leads to is called by the module alone; what it does without a lock is a race all the same.
#[test]
fn tables_of_a_whole_module_are_its_own() {
    let file = root().join("tests/annotated/entry-points/tables-of-the-module.c");
    let [partial, whole] = [false, true].map(|whole_module| {
        let config = Config { inputs: vec![file.clone()], whole_module, ..config(&file, &[]) };
        let analysis = pipeline::check(&config, &Silent).unwrap_or_else(|error| panic!("{error:#}"));
        racy_lines(&file, &analysis).len()
    });
    assert_eq!((partial, whole), (2, 1));
}

/// The report of a module says which others would have to be given, until they are.
#[test]
fn who_uses_a_module_is_told() {
    let dir = root().join("tests/annotated/modules");
    let file = dir.join("level-core.c");
    let notes = |with: &[&str]| {
        let with = with.iter().map(|name| vec![dir.join(name)]).collect();
        let config = Config { with, models: vec![dir.join("unshared.xml")], ..config(&file, &[]) };
        let analysis = pipeline::check(&config, &Silent).unwrap_or_else(|error| panic!("{error:#}"));
        analysis.entry_points.notes
    };
    let used_by = Note::UsedBy { files: vec!["modules/level-bus.c".to_owned()] };
    assert!(notes(&[]).contains(&used_by));
    assert!(!notes(&["level-bus.c"]).iter().any(|note| matches!(note, Note::UsedBy { .. })));
}
