//! An execution, as people read it.

use crate::verdict::{Begins, Execution, Step};
use lockpair_ir::interp::{self, Action, Bounds, Event, Found, RaceAccess, RaceFound, Scenario};
use lockpair_ir::{Module, Op};
use std::collections::BTreeSet;

/// The execution that has the race, replayed step by step; none if the replay does not come to the race.
pub(super) fn replayed(
    program: &interp::Program<'_>,
    scenario: &Scenario,
    bounds: &Bounds,
    race: &RaceFound,
) -> Option<Execution> {
    let trace = interp::replay_within(program, scenario, &race.schedule, bounds).ok()?;
    let is_start = |event: &&Event| event.action == Action::Start;
    let started = trace.events.iter().filter(is_start).map(|event| event.thread).collect();
    let names = Names { module: program.module(), scenario, started };
    let is_shown = trace.races.iter().any(|(a, b)| *a == race.first && *b == race.second);
    let ends = [&race.first, &race.second].map(|access| names.about_to(access));
    let steps = trace.events.iter().filter_map(|event| names.step(event)).chain(ends);
    let begins = if scenario.lazy.is_some() { Begins::AnyState } else { Begins::Program };
    is_shown.then(|| Execution { begins, steps: steps.collect() })
}

struct Names<'a> {
    module: &'a Module,
    scenario: &'a Scenario,
    started: BTreeSet<usize>,
}

impl Names<'_> {
    /// What is of interest: who starts whom, who has which lock, who waits for whom. Plain accesses are not.
    fn step(&self, event: &Event) -> Option<Step> {
        let what = match &event.action {
            Action::Start => "starts".to_owned(),
            Action::End => "ends".to_owned(),
            Action::Acquire { lock, obtained: true, .. } => format!("takes {}", place(lock)),
            Action::Acquire { lock, obtained: false, .. } => format!("does not get {}", place(lock)),
            Action::Release { lock, .. } => format!("gives {} back", place(lock)),
            // What is found without a word is zero, or an object of its own.
            Action::Find { value: Found::Number(0) | Found::Object, .. } => return None,
            Action::Find { at, value } => format!("{} {}", found(at.as_deref()), worth(*value)),
            Action::Register { .. } if self.scenario.lazy.is_some() => return None,
            Action::Unregister { .. } if self.scenario.lazy.is_some() => return None,
            Action::Register { .. } => "makes a thread".to_owned(),
            Action::Unregister { .. } => "has waited for a thread".to_owned(),
            Action::Access(_) | Action::OnCpu(_) | Action::State { .. } => return None,
        };
        Some(Step { thread: self.of(event.thread), what, loc: event.site.and_then(|site| site.loc) })
    }

    fn about_to(&self, access: &RaceAccess) -> Step {
        let op = &self.module.funcs[access.site.func].insts[access.site.inst].op;
        if matches!(op, Op::Free { .. }) {
            let what = format!("is about to free {}", object_name(&access.object));
            return Step { thread: self.of(access.thread), what, loc: access.site.loc };
        }
        let what = if access.write { "write" } else { "read" };
        let at = place(&access.place);
        let what = format!("is about to {what} {} of {at}", bytes(access.len));
        Step { thread: self.of(access.thread), what, loc: access.site.loc }
    }

    /// `main`, or a thread by its function, numbered if there are several.
    fn of(&self, thread: usize) -> String {
        let func = |t: usize| self.scenario.threads[t].call.func;
        let name = &self.module.funcs[func(thread)].name;
        let same: Vec<usize> = self.started.iter().copied().filter(|&t| func(t) == func(thread)).collect();
        match same.iter().position(|&t| t == thread) {
            Some(n) if same.len() > 1 => format!("{name} #{}", n + 1),
            _ => name.clone(),
        }
    }
}

fn found(at: Option<&str>) -> String {
    at.map_or("is given".to_owned(), |at| format!("finds in {at}"))
}

fn worth(value: Found) -> String {
    match value {
        Found::Number(number) => number.to_string(),
        Found::Null => "null".to_owned(),
        Found::Object => "an object".to_owned(),
    }
}

fn bytes(len: u64) -> String {
    if len == 1 { "1 byte".to_owned() } else { format!("{len} bytes") }
}

/// `object+offset` in words.
fn place(text: &str) -> String {
    match text.rsplit_once('+') {
        Some((object, "0")) => object_name(object),
        Some((object, offset)) => format!("{} at byte {offset}", object_name(object)),
        None => text.to_owned(),
    }
}

fn object_name(object: &str) -> String {
    let made = |what: &str, rest: &str| {
        let function = rest.rsplit_once(':').map_or(rest, |(function, _)| function);
        format!("{what} {function}")
    };
    match object.split_once(':') {
        Some(("stack", rest)) => made("a local of", rest),
        Some(("heap", rest)) => made("an allocation of", rest),
        _ => object.to_owned(),
    }
}
