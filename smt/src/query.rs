//! Named queries and their SMT-LIB 2 text.
//!
//! The text is self-contained: what it declares, the ranges of variables and applications among
//! the assertions, and definitions for shared subterms. It is for readers and for other solvers;
//! nothing here solves.

use std::fmt::Write;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::terms::{Sort, Term, TermId, Terms};

/// The known answer to a query.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Status {
    /// It has a model.
    Sat,
    /// It has none.
    Unsat,
}

/// Assertions over one arena, with a name.
#[derive(Clone, Default, Debug)]
pub struct Query {
    /// For the dump's header.
    pub name: String,
    /// More lines for the header.
    pub comments: Vec<String>,
    /// What must hold together.
    pub assertions: Vec<TermId>,
    /// The expected answer, if known.
    pub status: Option<Status>,
}

/// How deep an expression is nested before its parts get names.
const NESTING: u32 = 12;

/// The query as a self-contained SMT-LIB 2 script in the logic QF_UFLIA.
pub fn to_smtlib(terms: &Terms, query: &Query) -> String {
    let used = terms.reachable(&query.assertions, |_| false);
    let mut printer = Printer::new(terms, &used);
    printer.header(query);
    printer.declare(&used);
    for &t in &used {
        printer.define(t);
    }
    for &t in &query.assertions {
        let text = printer.reference(t);
        _ = writeln!(printer.out, "(assert {text})");
    }
    printer.out.push_str("(check-sat)\n");
    printer.out
}

struct Printer<'a> {
    terms: &'a Terms,
    /// Terms with more than one parent.
    shared: FxHashSet<TermId>,
    /// Per printed term: its text and nesting depth; for terms with a name, the name.
    texts: FxHashMap<TermId, (String, u32)>,
    symbols: FxHashSet<String>,
    names: FxHashMap<Symbol, String>,
    out: String,
}

#[derive(Copy, Clone, PartialEq, Eq, Hash)]
enum Symbol {
    Var(usize),
    Func(usize),
}

impl<'a> Printer<'a> {
    fn new(terms: &'a Terms, used: &[TermId]) -> Self {
        let mut seen = FxHashSet::default();
        let mut shared = FxHashSet::default();
        for &t in used {
            for &child in terms.children(t).iter() {
                if !seen.insert(child) {
                    shared.insert(child);
                }
            }
        }
        Printer {
            terms,
            shared,
            texts: FxHashMap::default(),
            symbols: FxHashSet::default(),
            names: FxHashMap::default(),
            out: String::new(),
        }
    }

    fn header(&mut self, query: &Query) {
        for line in std::iter::once(&query.name).chain(&query.comments).flat_map(|text| text.lines()) {
            _ = writeln!(self.out, "; {line}");
        }
        self.out.push_str("(set-logic QF_UFLIA)\n");
        match query.status {
            Some(Status::Sat) => self.out.push_str("(set-info :status sat)\n"),
            Some(Status::Unsat) => self.out.push_str("(set-info :status unsat)\n"),
            None => {}
        }
    }

    fn declare(&mut self, used: &[TermId]) {
        for &t in used {
            match self.terms.get(t) {
                Term::Var(v) => {
                    let var = self.terms.var(v);
                    let name = self.name(Symbol::Var(v.index()), &var.name.to_string());
                    _ = writeln!(self.out, "(declare-fun {name} () {})", sort_text(var.sort));
                }
                Term::App(f, _) if !self.names.contains_key(&Symbol::Func(f.index())) => {
                    let func = self.terms.func_info(f);
                    let name = self.name(Symbol::Func(f.index()), &func.name);
                    let domain = vec!["Int"; func.arity].join(" ");
                    _ = writeln!(self.out, "(declare-fun {name} ({domain}) {})", sort_text(func.ret));
                }
                _ => {}
            }
        }
    }

    /// A symbol that no other has; `?` at its start is left to definitions.
    fn name(&mut self, key: Symbol, hint: &str) -> String {
        let clean: String =
            hint.chars().map(|c| if matches!(c, '|' | '\\') || c.is_control() { '_' } else { c }).collect();
        let mut name = if clean.starts_with('?') { format!("_{clean}") } else { clean };
        while !self.symbols.insert(name.clone()) {
            name.push('\'');
        }
        let name = quoted(&name);
        self.names.insert(key, name.clone());
        name
    }

    fn define(&mut self, t: TermId) {
        let (text, depth) = self.expression(t);
        let is_leaf = depth == 0;
        if is_leaf || !self.shared.contains(&t) && depth < NESTING {
            self.texts.insert(t, (text, depth));
        } else {
            let name = format!("?{}", t.index());
            _ = writeln!(self.out, "(define-fun {name} () {} {text})", sort_text(self.terms.sort(t)));
            self.texts.insert(t, (name, 0));
        }
        self.range(t);
    }

    fn range(&mut self, t: TermId) {
        let range = match self.terms.get(t) {
            Term::Var(v) => self.terms.var(v).range,
            Term::App(f, _) => self.terms.func_info(f).range,
            _ => None,
        };
        if let Some((lo, hi)) = range {
            let text = self.reference(t);
            _ = writeln!(self.out, "(assert (<= {} {text} {}))", number(lo), number(hi));
        }
    }

    fn reference(&self, t: TermId) -> String {
        self.texts[&t].0.clone()
    }

    /// The text of one term over the texts of its children, and its nesting depth.
    fn expression(&self, t: TermId) -> (String, u32) {
        let terms = self.terms;
        let (head, items): (&str, &[TermId]) = match terms.get(t) {
            Term::True => return ("true".into(), 0),
            Term::False => return ("false".into(), 0),
            Term::Int(k) => return (number(k), 0),
            Term::Var(v) => return (self.names[&Symbol::Var(v.index())].clone(), 0),
            Term::App(f, []) => return (self.names[&Symbol::Func(f.index())].clone(), 0),
            Term::Mod(a, m) => return self.with_constant("mod", a, m, false),
            Term::Div(a, m) => return self.with_constant("div", a, m, false),
            Term::MulConst(k, a) => return self.with_constant("*", a, k, true),
            Term::App(f, list) => (&self.names[&Symbol::Func(f.index())], list),
            Term::Not(_) => ("not", &terms.children(t)),
            Term::Ite(..) => ("ite", &terms.children(t)),
            Term::Eq(..) => ("=", &terms.children(t)),
            Term::Le(..) => ("<=", &terms.children(t)),
            Term::And(list) => ("and", list),
            Term::Add(list) => ("+", list),
        };
        let mut text = format!("({head}");
        let mut depth = 0;
        for item in items {
            let (part, below) = &self.texts[item];
            text.push(' ');
            text.push_str(part);
            depth = depth.max(*below);
        }
        text.push(')');
        (text, depth + 1)
    }

    fn with_constant(&self, head: &str, a: TermId, k: i128, constant_first: bool) -> (String, u32) {
        let (part, depth) = &self.texts[&a];
        let k = number(k);
        let text =
            if constant_first { format!("({head} {k} {part})") } else { format!("({head} {part} {k})") };
        (text, depth + 1)
    }
}

fn sort_text(sort: Sort) -> &'static str {
    match sort {
        Sort::Bool => "Bool",
        Sort::Int => "Int",
    }
}

fn number(k: i128) -> String {
    if k < 0 { format!("(- {})", k.unsigned_abs()) } else { k.to_string() }
}

fn quoted(name: &str) -> String {
    format!("|{name}|")
}
