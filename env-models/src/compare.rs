//! Where rows that were inferred differ from those that were written by hand.

use std::collections::BTreeSet;
use std::fmt::{self, Write};

use lockpair_ir::LockMode;

use crate::model::Model;
use crate::schema::{AddrExpr, Base, CallArg, CallbackRow, Effect};

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

/// A line for each function of which both models have a row, and the inferred one does something to an argument that the one by
/// hand does not say. What is only said by hand is no mistake: it claims less.
pub fn functions(by_hand: &Model, inferred: &Model) -> String {
    let mut out = String::new();
    for (name, other) in &inferred.functions {
        let Some(row) = by_hand.function(name) else { continue };
        let unknown = |effect: &Effect| matches!(effect, Effect::Unknown(_) | Effect::Unsupported);
        if row.effects.iter().any(unknown) {
            continue;
        }
        let said: BTreeSet<Deed> = row.effects.iter().flat_map(deeds).flat_map(Deed::implies).collect();
        let more: BTreeSet<Deed> =
            other.effects.iter().flat_map(deeds).filter(|deed| !said.contains(deed)).collect();
        if !more.is_empty() {
            let more: Vec<String> = more.iter().map(Deed::to_string).collect();
            writeln!(out, "{name}: {}", more.join(", ")).expect("writing to a string");
        }
    }
    out
}

/// What a function does with an argument, or with what it leads to.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Deed(What, u32);

#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    Reads,
    Writes,
    Frees,
    Gives,
    Keeps,
}

impl Deed {
    /// What is not worse than that.
    fn implies(self) -> Vec<Deed> {
        let Deed(what, arg) = self;
        match what {
            What::Writes => vec![self, Deed(What::Reads, arg)],
            What::Frees => vec![self, Deed(What::Writes, arg), Deed(What::Reads, arg)],
            // What is kept may come back as a result, too.
            What::Keeps => vec![self, Deed(What::Gives, arg)],
            What::Reads | What::Gives => vec![self],
        }
    }
}

impl fmt::Display for Deed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.0 {
            What::Reads => "reads",
            What::Writes => "writes",
            What::Frees => "frees",
            What::Gives => "gives",
            What::Keeps => "keeps",
        };
        write!(f, "{what} arg{}", self.1)
    }
}

fn deeds(effect: &Effect) -> Vec<Deed> {
    let of = |what: What, addr: &AddrExpr| match addr.base {
        Base::Param(arg) => Some(Deed(what, arg)),
        _ => None,
    };
    let deeds = match effect {
        Effect::Access { addr, write: false, .. } => vec![of(What::Reads, addr)],
        Effect::Access { addr, .. } | Effect::Move { addr } => vec![of(What::Writes, addr)],
        Effect::Atomic { addr, .. } => vec![of(What::Writes, addr)],
        Effect::Fill { dst, .. } => vec![of(What::Writes, dst)],
        Effect::Copy { dst, src, .. } => {
            vec![of(What::Writes, dst), of(What::Reads, src), of(What::Keeps, src)]
        }
        Effect::AllocInto { into, from, .. } => {
            let copied = from.iter().flat_map(|addr| [of(What::Reads, addr), of(What::Keeps, addr)]);
            into.iter().map(|addr| of(What::Writes, addr)).chain(copied).collect()
        }
        Effect::Store { addr, arg, .. } => vec![of(What::Writes, addr), Some(Deed(What::Keeps, *arg))],
        Effect::Free { ptr, .. } => vec![of(What::Frees, ptr)],
        Effect::Publish { ptr, .. } => vec![of(What::Keeps, ptr)],
        Effect::Register { handle, argument, .. } => {
            vec![of(What::Keeps, handle), argument.map(|(_, arg)| Deed(What::Keeps, arg))]
        }
        Effect::ReturnArg(arg) | Effect::ReturnError(arg) => vec![Some(Deed(What::Gives, *arg))],
        Effect::ReturnAddr(addr) | Effect::ReturnInto { addr, .. } => vec![of(What::Gives, addr)],
        Effect::Call { args, .. } => {
            args.iter().filter_map(CallArg::address).map(|addr| of(What::Keeps, addr)).collect()
        }
        _ => vec![],
    };
    deeds.into_iter().flatten().collect()
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

#[cfg(test)]
mod tests {
    use super::functions;
    use crate::Model;

    fn model(function: &str) -> Model {
        Model::parse(&format!("<model>{function}</model>"), "rows").unwrap()
    }

    fn compared(by_hand: &str, inferred: &str) -> String {
        let row =
            |effects: &str| model(&format!("<function name=\"f\" source=\"f.c:1\">{effects}</function>"));
        functions(&row(by_hand), &row(inferred))
    }

    #[test]
    fn what_a_row_by_hand_does_not_say_is_listed() {
        let kept = compared(
            "<read addr=\"arg1\" len=\"4\"/>",
            "<write addr=\"arg1\" len=\"4\"/><publish ptr=\"arg0\"/>",
        );
        assert_eq!(kept, "f: writes arg1, keeps arg0\n");
        assert_eq!(compared("", "<return arg=\"arg2\"/>"), "f: gives arg2\n");
        assert_eq!(compared("<read addr=\"arg0\" len=\"4\"/>", "<free ptr=\"arg0\"/>"), "f: frees arg0\n");
    }

    #[test]
    fn what_claims_less_is_no_difference() {
        assert_eq!(compared("<publish ptr=\"arg0\"/>", "<return arg=\"arg0\"/>"), "");
        assert_eq!(compared("<free ptr=\"arg0\"/>", "<write addr=\"arg0\" len=\"4\"/>"), "");
        assert_eq!(compared("<unknown args=\"arg0\"/>", "<publish ptr=\"arg1\"/>"), "");
        assert_eq!(compared("<publish ptr=\"arg0\"/>", ""), "");
    }
}
