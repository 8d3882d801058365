//! What `--dump` prints and `--emit-smt` writes.

use crate::analysis::objects::Objects;
use crate::analysis::stability::{Read, Reads};
use crate::analysis::ways::Ways;
use crate::config::{Config, Stage};
use crate::instrument::Thread;
use anyhow::{Context, Result};
use lockpair_entry_points::{EntryPoints, Pairs};
use lockpair_ir::*;
use lockpair_smt::{Term, TermId};
use std::fmt::Write as _;

/// The module at a stage.
pub fn module(config: &Config, stage: Stage, module: &Module) {
    if config.dump == Some(stage) {
        print(&module.to_string());
    }
}

/// Entry points and pairs.
pub fn entry_points(config: &Config, module: &Module, eps: &EntryPoints, pairs: &Pairs) {
    match config.dump {
        Some(Stage::EntryPoints) => print(&lockpair_entry_points::entry_point_table(eps, module)),
        Some(Stage::Pairs) => print(&lockpair_entry_points::pair_table(pairs, eps)),
        _ => {}
    }
}

/// Which structs may be data, and why.
pub fn ways(config: &Config, ways: &Ways) {
    if config.dump == Some(Stage::Facts) {
        print(&ways.explain().into_iter().map(|line| format!("data: {line}\n")).collect::<String>());
        print(
            &ways
                .explain_anything()
                .into_iter()
                .map(|line| format!("anything: {line}\n"))
                .collect::<String>(),
        );
    }
}

/// What the objects may be that untyped pointers lead to.
pub fn objects(config: &Config, module: &Module, objects: &Objects) {
    if config.dump == Some(Stage::Facts) {
        print(
            &objects.explain(module).into_iter().map(|line| format!("object: {line}\n")).collect::<String>(),
        );
    }
}

/// The encoded threads (and, as facts, their stable reads).
pub fn threads(config: &Config, module: &Module, eps: &EntryPoints, threads: &[Thread], known: &[Reads]) {
    let text = match config.dump {
        Some(Stage::Threads) => threads.iter().map(|t| thread(module, eps, t)).collect::<String>(),
        Some(Stage::Facts) => threads.iter().zip(known).map(|(t, s)| reads(module, eps, t, s)).collect(),
        _ => return,
    };
    print(&text);
}

fn thread(module: &Module, eps: &EntryPoints, t: &Thread) -> String {
    let mut out = format!("thread {}: {} instructions\n", eps.items[t.entry].name, t.instructions);
    for (i, lock) in t.locks.iter().enumerate() {
        _ = writeln!(
            out,
            "  lock {i}: {} {} {:?}{}",
            lock.class,
            lock.name,
            lock.mode,
            if lock.implicit { " (implicit)" } else { "" }
        );
    }
    for event in &t.events {
        _ = writeln!(out, "  {} {}", if event.registers { "registers" } else { "unregisters" }, event.class);
    }
    for site in &t.sites {
        let held: Vec<String> = (0..t.locks.len())
            .filter_map(|i| match t.terms.as_bool(site.held.taken(i, &t.terms)) {
                Some(false) => None,
                Some(true) => Some(format!("{i}")),
                None => Some(format!("{i}?")),
            })
            .collect();
        _ = writeln!(
            out,
            "  {} {:?} {:?} {} of {} at {} holding [{}]",
            if site.write { "write" } else { "read" },
            site.mark,
            site.shape,
            site.region,
            object(module, t, site.addr.obj),
            super::evidence::place(module, site.loc),
            held.join(", ")
        );
    }
    out
}

/// What is known of an object: that of a variable, one that was read or given, or one of the thread's own.
fn object(module: &Module, t: &Thread, obj: TermId) -> String {
    match t.terms.get(obj) {
        Term::Int(n) => {
            t.global(module, obj).map_or(format!("object {n}"), |g| module.globals[g].name.clone())
        }
        Term::Var(v) => t.terms.var(v).name.to_string(),
        _ => "a choice".to_owned(),
    }
}

fn reads(module: &Module, eps: &EntryPoints, t: &Thread, known: &[Read]) -> String {
    let mut out = format!("shared reads of {}\n", eps.items[t.entry].name);
    for (load, read) in t.loads.iter().zip(known) {
        let loc = module.funcs[load.inst.0].insts.get(load.inst.1).and_then(|i| i.loc);
        _ = writeln!(
            out,
            "  {read:?} {:?} {} at {}",
            load.shape,
            load.region,
            super::evidence::place(module, loc)
        );
    }
    out
}

/// One pair's query.
pub fn query(config: &Config, name: &str, text: &str) -> Result<()> {
    if config.dump == Some(Stage::Queries) {
        print(text);
    }
    let Some(dir) = &config.emit_smt else { return Ok(()) };
    std::fs::create_dir_all(dir).with_context(|| format!("cannot create {}", dir.display()))?;
    let file = dir.join(format!("{name}.smt2"));
    std::fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))
}

/// To standard output; a reader that has gone away is no error of ours.
fn print(text: &str) {
    use std::io::Write as _;
    _ = std::io::stdout().write_all(text.as_bytes());
}
