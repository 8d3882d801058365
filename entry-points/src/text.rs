//! Tables for people.

use lockpair_env::schema::{Context, ImplicitLock, RunsAs};
use lockpair_ir::{LocId, LockMode, Module};

use crate::model::{EntryPoint, EntryPoints};
use crate::pairs::Pairs;

/// The word for a context, in tables and in XML.
pub(crate) fn context_name(context: Context) -> &'static str {
    match context {
        Context::Process => "process",
        Context::SoftIrq => "softirq",
        Context::HardIrq => "hardirq",
    }
}

/// The word for what a function runs as, in XML.
pub(crate) fn runs_as_name(runs_as: RunsAs) -> &'static str {
    match runs_as {
        RunsAs::Process => "process",
        RunsAs::SoftIrq => "softirq",
        RunsAs::Irq => "irq",
        RunsAs::HardIrq => "hardirq",
    }
}

/// The word for a mode, in tables and in XML.
pub(crate) fn mode_name(mode: LockMode) -> &'static str {
    match mode {
        LockMode::Shared => "shared",
        LockMode::Exclusive => "exclusive",
    }
}

/// The entry points: function, role, context, locks, source line; below it the notes.
pub fn entry_point_table(eps: &EntryPoints, module: &Module) -> String {
    let header = ["entry point", "role", "context", "locks", "source"].map(str::to_owned);
    let rows = eps.items.values().map(|ep| entry_point_row(ep, module));
    let mut out = aligned(std::iter::once(header).chain(rows).collect());
    for note in &eps.notes {
        out.push_str(&format!("note: {}\n", note.describe(module)));
    }
    out
}

fn entry_point_row(ep: &EntryPoint, module: &Module) -> [String; 5] {
    let locks: Vec<String> = ep.locks.iter().map(lock_text).collect();
    [
        ep.name.clone(),
        ep.role.clone(),
        context_name(ep.context).to_owned(),
        if locks.is_empty() { "-".to_owned() } else { locks.join(", ") },
        module.funcs[ep.func].loc.map_or_else(|| "-".to_owned(), |loc| loc_text(module, loc)),
    ]
}

/// `rtnl`, `session(arg1) shared`: the address of a global adds nothing to the class.
fn lock_text(lock: &ImplicitLock) -> String {
    let addr = lock.addr.to_string();
    let place = if addr == format!("global:{}", lock.class) { String::new() } else { format!("({addr})") };
    let mode = match lock.mode {
        LockMode::Shared => " shared",
        LockMode::Exclusive => "",
    };
    format!("{}{place}{mode}", lock.class)
}

/// `path:line`.
fn loc_text(module: &Module, loc: LocId) -> String {
    let loc = &module.locs[loc];
    format!("{}:{}", module.files[loc.file].path, loc.line)
}

/// The pairs: those to check, those left out with the reason, and how many of each.
pub fn pair_table(pairs: &Pairs, eps: &EntryPoints) -> String {
    let name = |id| eps.items[id].name.clone();
    let header = ["first", "second", "status"].map(str::to_owned);
    let checked = pairs.checked.iter().map(|(a, b)| [name(*a), name(*b), "to check".to_owned()]);
    let omitted = pairs.omitted.iter().map(|(a, b, why)| [name(*a), name(*b), format!("omitted: {why}")]);
    let mut out = aligned(std::iter::once(header).chain(checked).chain(omitted).collect());
    out.push_str(&format!("{} pairs to check, {} omitted\n", pairs.checked.len(), pairs.omitted.len()));
    out
}

/// Columns as wide as their widest cell, two spaces between them, none at the end of a line.
fn aligned<const N: usize>(rows: Vec<[String; N]>) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..N).map(width).collect();
    let line = |row: &[String; N]| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}
