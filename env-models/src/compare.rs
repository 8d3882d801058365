//! Where rows that were inferred differ from those that were written by hand.

use std::collections::BTreeSet;
use std::fmt::Write;

use lockpair_ir::LockMode;

use crate::model::Model;
use crate::schema::CallbackRow;

/// A line for each member of an ops table of which both models have a row and do not say the same.
pub fn callbacks(by_hand: &Model, inferred: &Model) -> String {
    let mut out = String::new();
    for table in by_hand.tables.values() {
        for row in &table.fields {
            let field = row.name.strip_prefix(&format!("{}.", table.strukt)).unwrap_or(&row.name);
            let Some(other) = inferred.table(&table.strukt).and_then(|t| t.field(field)) else { continue };
            let differences = differences(row, other);
            if !differences.is_empty() {
                writeln!(out, "{}: {}", row.name, differences.join("; ")).expect("writing to a string");
            }
        }
    }
    out
}

fn differences(by_hand: &CallbackRow, inferred: &CallbackRow) -> Vec<String> {
    let assumed = if inferred.assumed { " (assumed)" } else { "" };
    let locks = |row: &CallbackRow| -> BTreeSet<String> {
        let mode = |mode| if mode == LockMode::Shared { " shared" } else { "" };
        row.locks.iter().map(|l| format!("{} {}{}", l.class, l.addr, mode(l.mode))).collect()
    };
    let owned = |row: &CallbackRow| -> BTreeSet<String> {
        row.call_owned.iter().map(|i| format!("arg{i}")).collect()
    };
    let same = |row: &CallbackRow| -> BTreeSet<String> {
        row.same.iter().map(|s| format!("{} as {}", s.addr, s.other)).collect()
    };
    let mut out = Vec::new();
    let mut say = |what: &str, whose: &str, a: &BTreeSet<String>, b: &BTreeSet<String>| {
        let only: Vec<&str> = a.difference(b).map(String::as_str).collect();
        if !only.is_empty() {
            out.push(format!("{what} only {whose}: {}", only.join(", ")));
        }
    };
    let inferred_by = format!("inferred{assumed}");
    say("held", "by hand", &locks(by_hand), &locks(inferred));
    say("held", &inferred_by, &locks(inferred), &locks(by_hand));
    say("owned", "by hand", &owned(by_hand), &owned(inferred));
    say("owned", &inferred_by, &owned(inferred), &owned(by_hand));
    say("same", "by hand", &same(by_hand), &same(inferred));
    say("same", &inferred_by, &same(inferred), &same(by_hand));
    out
}
