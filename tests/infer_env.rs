//! Rows that are inferred from a small kernel: its ops table says on each line which row is wanted.

use lockpair::config::Silent;
use lockpair::frontend::Kernel;
use lockpair::infer_env::{Config, Inferred, infer};
use lockpair_env::schema::{CallbackRow, Effect};
use lockpair_env::{Model, compare, write};
use lockpair_ir::LockMode;
use std::path::{Path, PathBuf};

fn infer_small_kernel() -> Inferred {
    infer(&small_kernel(), &Silent).unwrap()
}

fn small_kernel() -> Config {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    Config {
        tree: root.join("tests/infer_env"),
        kernel: Kernel::None,
        inputs: vec![PathBuf::from("core.c"), PathBuf::from("variants.c")],
        clang: None,
        clang_flags: vec![format!("-I{}", root.join("env-models/include").display())],
        jobs: None,
        all: false,
        explain: Vec::new(),
    }
}

/// `mutex arg0:gadget.lock, owned arg1, assumed`.
fn describe(row: &CallbackRow) -> String {
    let mode = |mode| if mode == LockMode::Shared { " shared" } else { "" };
    let mut words: Vec<String> =
        row.locks.iter().map(|lock| format!("{} {}{}", lock.class, lock.addr, mode(lock.mode))).collect();
    words.sort();
    words.extend(row.same.iter().map(|same| format!("{} is {}", same.addr, same.other)));
    words.extend(row.call_owned.iter().map(|param| format!("owned arg{param}")));
    words.extend(row.assumed.then(|| "assumed".to_owned()));
    words.join(", ")
}

/// The members of the table and what the file wants of them.
fn wanted(text: &str) -> Vec<(String, Option<String>)> {
    let mut wanted = Vec::new();
    for line in text.lines() {
        let Some((declaration, comment)) = line.split_once("/*") else { continue };
        let Some((_, name)) = declaration.split_once("(*") else { continue };
        let name = name.split(')').next().unwrap().to_owned();
        let comment = comment.trim_end_matches("*/").trim();
        match comment.strip_prefix("ROW: ") {
            Some(row) => wanted.push((name, Some(row.to_owned()))),
            None => {
                assert_eq!(comment, "NO ROW", "{line}");
                wanted.push((name, None));
            }
        }
    }
    wanted
}

#[test]
fn rows_say_what_holds_at_every_call() {
    let inferred = infer_small_kernel();
    assert!(inferred.failed.is_empty(), "{:?}", inferred.failed);
    let text = include_str!("infer_env/gadget.h");
    let mut wrong = Vec::new();
    let wanted = wanted(text);
    assert!(wanted.len() > 30);
    for (field, wanted) in wanted {
        let found = inferred.model.table("gadget_ops").and_then(|t| t.field(&field)).map(describe);
        if found != wanted {
            wrong.push(format!("{field}: wanted {wanted:?}, found {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(inferred.model.table("core_ops").is_none());
}

#[test]
fn rows_have_evidence_and_can_be_read_back() {
    let inferred = infer_small_kernel();
    let text = write::write(&inferred.model);
    assert_eq!(Model::parse(&text, "rows.xml").unwrap(), inferred.model);
    let row = inferred.model.table("gadget_ops").unwrap().field("twice").unwrap();
    let evidence = row.evidence.as_ref().unwrap();
    assert_eq!(evidence.file, "core.c");
    assert!(evidence.note.starts_with("2 calls: "), "{}", evidence.note);
    let line = include_str!("infer_env/core.c").lines().nth(evidence.line as usize - 1).unwrap();
    assert!(line.contains("->twice(g)"), "{line}");
}

#[test]
fn a_row_by_hand_stands_for_a_body_that_is_not_followed() {
    let functions = infer_small_kernel().model.functions;
    assert_eq!(functions["gadget_sleep"].effects.len(), 1, "{:?}", functions["gadget_sleep"]);
    assert!(!functions.contains_key("gadget_sleep_later"));
}

#[test]
fn functions_with_a_row_by_hand_are_inferred_on_request() {
    assert!(!infer_small_kernel().model.functions.contains_key("get_device"));
    let all = infer(&Config { all: true, ..small_kernel() }, &Silent).unwrap().model;
    assert_eq!(all.functions["get_device"].effects, [Effect::ReturnArg(0)]);
    let by_hand = Model::linux_by_hand();
    assert_eq!(compare::functions(&by_hand, &all), "");
    let forgotten =
        Model::parse("<model><function name=\"get_device\" source=\"f.c:1\"/></model>", "rows").unwrap();
    assert_eq!(compare::functions(&forgotten, &all), "get_device: gives arg0\n");
}

#[test]
fn the_calls_of_a_member_are_told() {
    let config = Config { explain: vec!["gadget_ops.passed_on".to_owned()], ..small_kernel() };
    let text = infer(&config, &Silent).unwrap().explanations.concat();
    assert!(text.starts_with("gadget_ops.passed_on\n"), "{text}");
    assert!(text.contains("run_passed_on: takes no lock; gives gadget.lock at arg0+8"), "{text}");
    assert!(text.contains("gadget_iterate: takes gadget.lock at arg0+8"), "{text}");
    assert!(text.contains("from anywhere: no call of it is seen"), "{text}");
}
