//! Why a member has the row that it has: its calls, what is held at each, and how those who call were called. For people
//! who miss a lock in a row.

use super::contexts::{Context, Reached, Search, plain};
use super::digest::{Call, Lock};
use super::path::Member;
use super::program::Func;
use std::collections::BTreeSet;
use std::fmt::Write;

/// So many callers of callers are told.
const DEPTH: usize = 6;
/// So many lines for one member.
const LINES: usize = 200;

/// The calls of a member (`rtc_class_ops.read_time`) or of a function, and the ways to them.
pub fn explain<'s>(search: &'s Search<'s>, member: &str) -> String {
    let mut tree = Tree { search, told: BTreeSet::new(), text: format!("{member}\n"), lines: 0 };
    let wanted: Vec<&Member> =
        search.contexts.sites.keys().filter(|known| known.to_string() == member).collect();
    match (wanted.first(), search.program.by_name.get(member)) {
        (Some(member), _) => tree.callers_of_member(member, 1),
        (None, Some(func)) => tree.function(*func, 1),
        (None, None) => tree.line(1, "nobody calls through it"),
    }
    tree.text
}

struct Tree<'s> {
    search: &'s Search<'s>,
    told: BTreeSet<Func>,
    text: String,
    lines: usize,
}

impl Tree<'_> {
    fn line(&mut self, depth: usize, text: &str) {
        if self.lines < LINES {
            let _ = writeln!(self.text, "{:width$}{text}", "", width = 2 * depth);
        }
        self.lines += 1;
    }

    fn callers_of_member(&mut self, member: &Member, depth: usize) {
        for why in self.search.roots.of_member(member) {
            self.line(depth, &format!("from anywhere: {why}"));
        }
        self.calls(depth, &Reached::Member(member.clone()));
    }

    fn calls(&mut self, depth: usize, wanted: &Reached) {
        let search = self.search;
        for func in search.program.funcs.keys() {
            for (at, call) in search.program.calls(func).enumerate() {
                for (_, context) in search.reached(func, at, call).iter().filter(|(to, _)| to == wanted) {
                    self.call(func, at, call, context, depth);
                }
            }
        }
    }

    fn call(&mut self, func: Func, at: usize, call: &Call, given: &Context, depth: usize) {
        let function = &self.search.program.funcs[func];
        let place = format!("{}:{} {}", function.file, call.line, plain(&function.digest.name));
        if self.search.contexts.funcs[func].is_none() {
            return self.line(depth, &format!("{place}: is never called"));
        }
        let held: BTreeSet<Lock> = self.search.facts[func].calls[at].held.clone();
        self.line(depth, &format!("{place}: takes {}; gives {}", names(&held), describe(given)));
        self.function(func, depth + 1);
    }

    fn function(&mut self, func: Func, depth: usize) {
        let Some(context) = &self.search.contexts.funcs[func] else { return };
        if !self.told.insert(func) || depth > DEPTH {
            return;
        }
        self.line(depth, &format!("is called with {}", describe(context)));
        for why in self.search.roots.of_function(func) {
            self.line(depth, &format!("from anywhere: {why}"));
        }
        self.calls(depth, &Reached::Function(func));
        for member in &self.search.program.stored_in[func] {
            self.line(depth, &format!("as {member}"));
            self.callers_of_member(member, depth + 1);
        }
    }
}

fn describe(context: &Context) -> String {
    let owned: Vec<String> = context.owned.iter().map(|param| format!(", owned arg{param}")).collect();
    let same = context.same.iter().map(|same| format!(", arg{} is {}", same.param, same.path));
    names(&context.locks) + &owned.concat() + &same.collect::<String>()
}

fn names(locks: &BTreeSet<Lock>) -> String {
    let name = |lock: &Lock| match (&lock.member, &lock.path) {
        (Some(member), Some(path)) => format!("{member} at {path}"),
        (None, Some(path)) => format!("{} at {path}", lock.class),
        (Some(member), None) => member.to_string(),
        (None, None) => lock.class.to_string(),
    };
    let all: Vec<String> = locks.iter().map(name).collect();
    if all.is_empty() { "no lock".to_owned() } else { all.join(", ") }
}
