//! The report for people: races first, one block per problem, then what is unknown, then the summary.

use super::Options;
use super::excerpt::{Sources, excerpt};
use super::explain;
use super::places::{Place, call_chain, entry_name};
use super::problems::{
    Instance, Problem, Subject, distinct_races, executed_races, problem_count, problems, racy_locations,
};
use super::rank::{Rank, Ranks};
use super::{reported_verdict, tally};
use crate::config::Environment;
use crate::verdict::{
    Access, Analysis, Begins, By, HeldLock, LockFault, LockProblem, Searched, Step, UnknownReason, Verdict,
};
use anstyle::{AnsiColor, Style};
use indexmap::{IndexMap, IndexSet};
use lockpair_entry_points::EntryPointId;
use lockpair_ir::{Assumption, LocId};
use std::collections::{BTreeMap, BTreeSet};

/// Lists longer than this are cut; the JSON report has everything.
const LIST_LIMIT: usize = 12;
/// And those within a line.
const FEW: usize = 4;
/// The column at which running text is wrapped.
const WIDTH: usize = 100;

const HEADLINE: Style = AnsiColor::Red.on_default().bold();
const LABEL: Style = Style::new().bold();
/// So many steps of an execution are shown, the last ones.
const STEPS: usize = 24;

/// The whole report.
pub fn render(analysis: &Analysis, options: &Options) -> String {
    let mut out = Writer { analysis, options, sources: Sources::default(), text: String::new() };
    let ranks = Ranks::of(analysis);
    let problems = problems(analysis);
    let (in_full, others) = problems.split_at(options.in_full.unwrap_or(usize::MAX).min(problems.len()));
    for problem in in_full {
        out.problem(problem, ranks.rank(problem));
    }
    out.in_short(others);
    for problem in &analysis.lock_problems {
        out.lock_problem(problem);
    }
    out.unknown_pairs();
    out.notes();
    if options.all_assumptions {
        out.all_assumptions();
    }
    out.text.push_str(&summary(analysis));
    out.text
}

/// The last paragraph: the verdict and the numbers behind it.
pub fn summary(analysis: &Analysis) -> String {
    let mut text =
        format!("{}: {}. {}. ", analysis.module.name, verdict_words(analysis), pair_counts(analysis));
    if !analysis.lock_problems.is_empty() {
        text.push_str(&format!("{}. ", count(analysis.lock_problems.len(), "lock problem")));
    }
    let races = distinct_races(analysis);
    if races > 0 {
        let locations = racy_locations(analysis);
        text.push_str(&format!(
            "{} ({} in {}). ",
            count(problem_count(analysis), "problem"),
            count(races, "race"),
            count(locations, "location")
        ));
    }
    text.push_str(&format!(
        "{} of C in {:.2} s. {}",
        count(analysis.source_lines, "line"),
        analysis.times.total.as_secs_f64(),
        assumption_counts(analysis)
    ));
    if !analysis.unreachable.is_empty() {
        let sites = count(analysis.unreachable.len(), "access site");
        text.push_str(&format!(
            " {sites} cannot be reached by any execution of the model, so nothing was checked there."
        ));
    }
    if let Some(searched) = analysis.searched
        && races > 0
    {
        text.push_str(&executions(analysis, searched));
    }
    if analysis.undecided_sites > 0 {
        let sites = count(analysis.undecided_sites, "access site");
        text.push_str(&format!(" Whether {sites} can be reached at all was not decided in time."));
    }
    wrapped("", &text)
}

/// What the search for executions came to.
fn executions(analysis: &Analysis, searched: Searched) -> String {
    let what = if analysis.environment == Environment::Posix { "execution" } else { "example" };
    let found = match executed_races(analysis) {
        0 => format!(" No race has an {what}"),
        1 => format!(" 1 race has an {what}"),
        n => format!(" {n} races have an {what}"),
    };
    let how_far = match searched {
        _ if executed_races(analysis) == distinct_races(analysis) => "",
        Searched { interrupted: true, .. } => "; the search for them was interrupted",
        Searched { complete: false, .. } => "; not all were looked at (--confirm looks at more)",
        Searched { .. } => "",
    };
    format!("{found}{how_far}.")
}

fn verdict_words(analysis: &Analysis) -> String {
    let words = match analysis.pairs.iter().map(reported_verdict).max() {
        None => "nothing to check, no two entry points can run at the same time",
        Some(Verdict::RaceFree) => "free of data races",
        Some(Verdict::Unknown(_)) => "no race found, but not everything could be decided",
        Some(Verdict::Potential) => "potential races",
        Some(Verdict::Race) => "races",
    };
    let locks = if analysis.lock_problems.is_empty() { "" } else { ", but locks are used wrongly" };
    format!("{words}{locks}")
}

fn pair_counts(analysis: &Analysis) -> String {
    let tally = tally(analysis);
    let mut text = format!(
        "{} of entry points: {} race-free, {} racy, {} unknown",
        count(analysis.pairs.len(), "pair"),
        tally.race_free,
        tally.racy(),
        tally.unknown
    );
    if !analysis.omitted.is_empty() {
        text.push_str(&format!(
            "; {} more cannot run at the same time (`lockpair pairs` says why)",
            analysis.omitted.len()
        ));
    }
    text
}

fn assumption_counts(analysis: &Analysis) -> String {
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for assumption in &analysis.assumptions {
        *kinds.entry(assumption.kind.name()).or_default() += 1;
    }
    if kinds.is_empty() {
        return "It rests on no assumption.".to_owned();
    }
    let kinds: Vec<_> = kinds.iter().map(|(kind, n)| format!("{n} {kind}")).collect();
    let total = count(analysis.assumptions.len(), "assumption");
    format!("It rests on {total}: {} (--assumptions lists them).", kinds.join(", "))
}

struct Writer<'a> {
    analysis: &'a Analysis,
    options: &'a Options,
    sources: Sources,
    text: String,
}

impl Writer<'_> {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn styled(&self, style: Style, text: &str) -> String {
        if self.options.color { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }

    fn problem(&mut self, problem: &Problem<'_>, rank: Rank) {
        let example = problem.example();
        let headline = self.styled(HEADLINE, &headline(problem));
        self.line(&headline);
        self.accesses(example);
        self.line("");
        self.note("rank", &rank.reason());
        self.note("why", &explain::why_parallel(self.analysis, example));
        if let Some(word) = explain::shared_word(example.race) {
            self.note("word", &word);
        }
        if let Some(memory) = explain::memory(example.race) {
            self.note("memory", &memory);
        }
        self.execution(example);
        match problem.subject {
            Subject::Unknown(name, _) => self.note("hint", &unknown_function(name)),
            Subject::End(_) | Subject::Location(_) => {
                let (label, remedy) = explain::remedy(self.analysis, example);
                self.note(label, &remedy);
            }
        }
        self.locations(problem);
        self.note("pairs", &self.pair_list(&problem.pairs()));
        self.other_places(problem, example);
        if !example.race.leans_on.is_empty() {
            self.note("leans on", &example.race.leans_on.join("; "));
        }
        self.line("");
    }

    /// The problems that are not shown in full.
    fn in_short(&mut self, problems: &[Problem<'_>]) {
        if problems.is_empty() {
            return;
        }
        let title =
            format!("{} more, by rank (--full shows all like those above)", count(problems.len(), "problem"));
        let title = self.styled(LABEL, &title);
        self.line(&title);
        for problem in problems {
            let [one, other] = self.both_places(problem, problem.example());
            let pairs = count(problem.pairs().len(), "pair");
            let text = format!("{}: {one} with {other}; {pairs}", headline(problem));
            self.text.push_str(&wrapped("   ", &text));
        }
        self.line("");
    }

    /// What a problem touches, if that is not all in its headline.
    fn locations(&mut self, problem: &Problem<'_>) {
        let locations = problem.locations();
        if matches!(problem.subject, Subject::Location(_)) || locations.len() < 2 {
            return;
        }
        // The headline has the object, if it is one.
        let object = format!("{}.", objects(&locations));
        let members: Option<Vec<&str>> = locations.iter().map(|l| l.strip_prefix(&object)).collect();
        let (what, all) = match members {
            Some(members) => ("member", members),
            None => ("location", locations.into_iter().collect()),
        };
        let list = cut(all.iter().map(ToString::to_string).collect(), ", ");
        self.note("touches", &format!("{}: {list}", count(all.len(), what)));
    }

    /// Both accesses; one block if they are the same.
    fn accesses(&mut self, race: Instance<'_>) {
        let (a, b) = race.pair.pair;
        let [first, second] = &race.race.accesses;
        if a == b && first == second {
            return self.access("both", a, first);
        }
        self.access("first", a, first);
        self.line("");
        self.access("second", b, second);
    }

    fn access(&mut self, which: &str, entry: EntryPointId, access: &Access) {
        let headline =
            format!("{which}: {}, holding {}", explain::kind(access), explain::lock_names(&access.locks));
        let headline = self.styled(LABEL, &headline);
        self.line(&headline);
        self.excerpt(access.loc);
        self.list("calls", &self.calls(entry, access));
        self.list("locks", &self.locks(&access.locks));
    }

    fn lock_problem(&mut self, problem: &LockProblem) {
        let locks: Vec<String> = problem.locks.iter().map(|lock| lock.name.clone()).collect();
        let headline = self.styled(HEADLINE, &format!("{}: {}", fault(problem.fault), locks.join(" and ")));
        self.line(&headline);
        for (n, (entry, wait)) in problem.entries.iter().zip(&problem.waits).enumerate() {
            let is_interrupted = problem.fault == LockFault::Interrupted && n == 0;
            let headline = match is_interrupted {
                true => "takes it".to_owned(),
                false => format!("waits, holding {}", explain::lock_names(&wait.locks)),
            };
            let headline = self.styled(LABEL, &headline);
            self.line(&headline);
            self.excerpt(wait.loc);
            self.list("calls", &self.calls(*entry, wait));
            self.list("locks", &self.locks(&wait.locks));
        }
        if problem.waits.is_empty() {
            let name = |entry: &EntryPointId| entry_name(self.analysis, *entry).to_owned();
            self.list("returns", &problem.entries.iter().map(name).collect::<Vec<_>>());
            self.list("locks", &self.locks(&problem.locks));
        }
        self.line("");
    }

    /// How an execution comes to the race, if one is known.
    fn execution(&mut self, race: Instance<'_>) {
        let Some(execution) = &race.race.execution else { return };
        let left_out = execution.steps.len().saturating_sub(STEPS);
        let before = (left_out > 0).then(|| format!("... {} before", count(left_out, "step")));
        let step = |step: &Step| {
            let place = step.loc.map(|loc| format!(" at {}", self.place(loc))).unwrap_or_default();
            format!("{} {}{place}", step.thread, step.what)
        };
        let steps = execution.steps[left_out..].iter().map(step);
        let lines: Vec<String> = before.into_iter().chain(steps).collect();
        let label = match execution.begins {
            Begins::Program => "execution",
            Begins::AnyState => "example",
        };
        self.list(label, &lines);
    }

    fn excerpt(&mut self, loc: Option<LocId>) {
        let Some(loc) = loc else {
            return self.line("  --> a place that the debug information does not give");
        };
        let place = Place::of(&self.analysis.module, loc);
        let shown_as = self.place(loc);
        let excerpt = excerpt(&mut self.sources, &place, &shown_as, self.options.color);
        self.line(&excerpt);
    }

    fn calls(&self, entry: EntryPointId, access: &Access) -> Vec<String> {
        let role = self.analysis.entry_points.items[entry].described_role();
        let mut lines = Vec::new();
        for step in call_chain(&self.analysis.module, access) {
            let how = if step.inlined { "inlined" } else { "called" };
            lines.push(match step.call.map(|place| self.shown(place)) {
                None => format!("{} ({role})", step.function),
                Some(place) => format!("-> {}, {how} at {place}", step.function),
            });
        }
        lines
    }

    fn locks(&self, locks: &[HeldLock]) -> Vec<String> {
        let line = |lock: &HeldLock| {
            let taken = match lock.taken {
                Some(loc) => format!("taken at {}", self.shown(Place::in_driver(&self.analysis.module, loc))),
                None => "held by the kernel on entry".to_owned(),
            };
            format!("{} ({}, {}), {taken}", lock.name, lock.class, explain::mode(lock.mode))
        };
        locks.iter().map(line).collect()
    }

    /// A label with a line per item; nothing if there is no item.
    fn list(&mut self, label: &str, items: &[String]) {
        for (i, item) in items.iter().enumerate() {
            let label = if i == 0 { format!("   = {label}:") } else { " ".repeat(label.len() + 6) };
            self.line(&format!("{label} {item}"));
        }
    }

    /// The places where the same problem shows, apart from those that were shown: "write at a with read at b, c; ...".
    fn other_places(&mut self, problem: &Problem<'_>, shown: Instance<'_>) {
        let shown = self.both_places(problem, shown);
        let mut partners: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let places = problem.places().into_iter().map(|place| self.both_places(problem, place));
        for [one, other] in places.filter(|places| *places != shown) {
            partners.entry(one).or_default().insert(other);
        }
        if !partners.is_empty() {
            let item = |(one, others): (String, BTreeSet<String>)| {
                format!("{one} with {}", some(&others.iter().map(String::as_str).collect::<Vec<_>>()))
            };
            self.note("also", &cut(partners.into_iter().map(item).collect(), "; "));
        }
    }

    /// What the two sides do, and where: first the one that the problem is about, or one that writes.
    fn both_places(&self, problem: &Problem<'_>, race: Instance<'_>) -> [String; 2] {
        let is_subject = |access: &Access| match &problem.subject {
            Subject::End(_) => access.purpose.frees(),
            Subject::Unknown(name, _) => access.by == By::Unknown((*name).to_owned()),
            Subject::Location(_) => access.write,
        };
        let [a, b] = &race.race.accesses;
        let at = |access: &Access| {
            let module = &self.analysis.module;
            let place = access.loc.map(|loc| Place::in_driver(module, loc).short());
            let place = place.unwrap_or_else(|| "an unknown place".to_owned());
            format!("{} at {place}", explain::direction(access))
        };
        let swap = match (is_subject(a), is_subject(b)) {
            (true, true) => at(b) < at(a),
            (first, _) => !first,
        };
        if swap { [at(b), at(a)] } else { [at(a), at(b)] }
    }

    /// "a with itself, b, c; d with e": each pair of functions once, by the first, whatever tables have it.
    fn pair_list(&self, pairs: &[(EntryPointId, EntryPointId)]) -> String {
        // A function that several tables have is several entry points: `f`, `f#2`.
        let function = |id| entry_name(self.analysis, id).split('#').next().unwrap_or_default();
        let mut partners: IndexMap<&str, IndexSet<&str>> = IndexMap::new();
        for &(a, b) in pairs {
            let (a, b) = (function(a), function(b));
            partners.entry(a).or_default().insert(if a == b { "itself" } else { b });
        }
        let items: Vec<_> = partners
            .into_iter()
            .map(|(a, with)| format!("{a} with {}", some(&with.into_iter().collect::<Vec<_>>())))
            .collect();
        format!("{}: {}", count(pairs.len(), "pair"), cut(items, "; "))
    }

    fn unknown_pairs(&mut self) {
        let mut reasons: BTreeMap<&UnknownReason, Vec<(EntryPointId, EntryPointId)>> = BTreeMap::new();
        for pair in &self.analysis.pairs {
            if let Verdict::Unknown(reason) = &pair.verdict {
                reasons.entry(reason).or_default().push(pair.pair);
            }
        }
        for (reason, pairs) in reasons {
            let headline = self.styled(LABEL, &format!("unknown: {reason}"));
            self.line(&headline);
            self.note("pairs", &self.pair_list(&pairs));
            self.line("");
        }
    }

    /// What the user should know about the entry points.
    fn notes(&mut self) {
        let notes = &self.analysis.entry_points.notes;
        for note in notes {
            self.text.push_str(&wrapped("note: ", &note.describe(&self.analysis.module)));
        }
        if !notes.is_empty() {
            self.line("");
        }
    }

    fn all_assumptions(&mut self) {
        let mut kinds: BTreeMap<_, Vec<&Assumption>> = BTreeMap::new();
        for assumption in &self.analysis.assumptions {
            kinds.entry(assumption.kind).or_default().push(assumption);
        }
        for (kind, assumptions) in kinds {
            let headline = self.styled(LABEL, &format!("assumed ({}): {}", kind.name(), kind.explain()));
            self.line(&headline);
            for assumption in assumptions {
                let place = assumption.loc.map(|loc| format!(" at {}", self.place(loc))).unwrap_or_default();
                self.line(&format!("  {}{place}", assumption.subject));
            }
            self.line("");
        }
        self.unreachable();
    }

    fn unreachable(&mut self) {
        if self.analysis.unreachable.is_empty() {
            return;
        }
        let headline = self.styled(LABEL, "never reached by any execution of the model");
        self.line(&headline);
        for (entry, loc) in &self.analysis.unreachable {
            let place = loc.map(|loc| format!(" at {}", self.place(loc))).unwrap_or_default();
            self.line(&format!("  an access{place}, from {}", entry_name(self.analysis, *entry)));
        }
        self.line("");
    }

    fn note(&mut self, label: &str, text: &str) {
        self.text.push_str(&wrapped(&format!("   = {label}: "), text));
    }

    fn place(&self, loc: LocId) -> Place {
        self.shown(Place::of(&self.analysis.module, loc))
    }

    fn shown(&self, place: Place) -> Place {
        place.relative_to(self.options.base.as_deref())
    }
}

/// "potential race on ...".
fn headline(problem: &Problem<'_>) -> String {
    let race = if problem.confirmed() { "race" } else { "potential race" };
    match &problem.subject {
        Subject::Location(location) => format!("{race} on {location}"),
        Subject::Unknown(name, _) => format!("{race} with whatever {name} may do"),
        Subject::End(_) => {
            let race = race.replace("race", "lifetime race");
            format!("{race} on {}", objects(&problem.locations()))
        }
    }
}

/// What the locations are parts of: the structs and variables, if there are any.
fn objects(locations: &BTreeSet<&str>) -> String {
    let whole = |location: &&str| {
        let object = location.strip_prefix("the object of a ").unwrap_or(location);
        object.split(['.', '[']).next().unwrap_or_default().to_owned()
    };
    let all: BTreeSet<String> = locations.iter().map(whole).collect();
    let is_named =
        |object: &&String| !object.contains("behind a pointer") && !object.contains("no known type");
    let named: Vec<&str> = all.iter().filter(is_named).map(String::as_str).collect();
    match named.is_empty() {
        true => some(&all.iter().map(String::as_str).collect::<Vec<_>>()),
        false => some(&named),
    }
}

fn unknown_function(name: &str) -> String {
    format!(
        "the environment model does not know {name}, so it is taken to read and write all that it can reach. A row that \
         says what it does ends that (--model; CONTRIBUTING.md says how); --externals pure shows what is left if it does \
         nothing"
    )
}

fn fault(fault: LockFault) -> &'static str {
    match fault {
        LockFault::TakenTwice => "lock taken twice by one thread",
        LockFault::LeftHeld => "lock still held on return",
        LockFault::OppositeOrder => "locks taken in opposite orders",
        LockFault::Interrupted => "lock taken while an interrupt may come that waits for it",
    }
}

/// The first items, and how many were left out.
fn cut(items: Vec<String>, separator: &str) -> String {
    let more = items.len().saturating_sub(LIST_LIMIT);
    let shown = items[..items.len() - more].join(separator);
    if more == 0 { shown } else { format!("{shown}{separator}and {more} more (--format json lists all)") }
}

/// The first few of many names.
fn some(names: &[&str]) -> String {
    let shown = names[..names.len().min(FEW)].join(", ");
    match names.len().saturating_sub(FEW) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// "1 race", "2 races".
fn count(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// Text with a label before it, broken between words; further lines are indented. Ends with a newline.
fn wrapped(label: &str, text: &str) -> String {
    let mut out = label.to_owned();
    let mut width = label.len();
    let indent = if label.is_empty() { "" } else { "     " };
    let mut at_start = true;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if !at_start && width + 1 + length > WIDTH {
            out.push('\n');
            out.push_str(indent);
            width = indent.len();
        } else if !at_start {
            out.push(' ');
            width += 1;
        }
        out.push_str(word);
        width += length;
        at_start = false;
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::super::testdata::{analysis_of, demo, demo_options, pair};
    use super::super::{Format, render};
    use super::{count, cut, wrapped};
    use crate::verdict::{LockFault, LockProblem, Searched, Verdict};

    #[test]
    fn the_demo_report_is_readable() {
        insta::assert_snapshot!(render(&demo(), Format::Text, &demo_options()));
    }

    #[test]
    fn all_assumptions_are_listed_on_request() {
        let options = super::Options { all_assumptions: true, ..demo_options() };
        let report = render(&demo(), Format::Text, &options);
        let list = &report[report.find("assumed").unwrap()..];
        insta::assert_snapshot!(list);
    }

    #[test]
    fn colours_change_nothing_but_colours() {
        let options = super::Options { color: true, ..demo_options() };
        let colored = render(&demo(), Format::Text, &options);
        assert!(colored.contains("\u{1b}["));
        let plain = anstream::adapter::strip_str(&colored).to_string();
        assert_eq!(plain, render(&demo(), Format::Text, &demo_options()));
    }

    #[test]
    fn a_source_that_is_gone_is_no_problem() {
        let mut analysis = demo();
        for file in analysis.module.files.values_mut() {
            file.path = "/nowhere/demo.c".to_owned();
        }
        let report = render(&analysis, Format::Text, &demo_options());
        assert!(report.contains("--> /nowhere/demo.c:24:15\n   = note: the source is not there to be shown"));
    }

    #[test]
    fn a_proof_is_one_paragraph() {
        let analysis = analysis_of(vec![pair(0, 0, Verdict::RaceFree)]);
        let expected = "demo: free of data races. 1 pair of entry points: 1 race-free, 0 racy, 0 unknown. 33 \
                        lines of C in\n0.25 s. It rests on no assumption.\n";
        assert_eq!(render(&analysis, Format::Text, &demo_options()), expected);
    }

    #[test]
    fn no_pair_is_said_to_be_no_pair() {
        let report = render(&analysis_of(vec![]), Format::Text, &demo_options());
        assert!(report.starts_with("demo: nothing to check"), "{report}");
    }

    #[test]
    fn only_the_first_problems_are_shown_in_full() {
        let options = super::Options { in_full: Some(1), ..demo_options() };
        let report = render(&demo(), Format::Text, &options);
        let short = &report[report.find("1 problem more").expect("a list")..];
        insta::assert_snapshot!(short);
    }

    #[test]
    fn objects_are_named_without_their_members() {
        let objects = |locations: &[&str]| super::objects(&locations.iter().copied().collect());
        assert_eq!(objects(&["struct a.x", "struct a.y[]", "4 bytes behind a pointer"]), "struct a");
        assert_eq!(objects(&["the object of a struct a", "demo.count"]), "demo, struct a");
        assert_eq!(objects(&["4 bytes behind a pointer"]), "4 bytes behind a pointer");
    }

    #[test]
    fn lock_problems_are_in_the_summary() {
        let mut analysis = analysis_of(vec![pair(0, 0, Verdict::RaceFree)]);
        let problem = LockProblem {
            fault: LockFault::LeftHeld,
            entries: Vec::new(),
            locks: Vec::new(),
            waits: Vec::new(),
        };
        analysis.lock_problems.push(problem);
        let summary = super::summary(&analysis);
        assert!(summary.starts_with("demo: free of data races, but locks are used wrongly. "), "{summary}");
        assert!(summary.contains(" 1 lock problem. "), "{summary}");
    }

    #[test]
    fn a_search_that_was_cut_short_says_so() {
        let mut analysis = demo();
        let mut said = |searched| {
            analysis.searched = Some(searched);
            super::summary(&analysis).replace('\n', " ")
        };
        let cut = Searched { complete: false, ..Searched::default() };
        assert!(
            said(cut).ends_with("1 race has an example; not all were looked at (--confirm looks at more). ")
        );
        let interrupted = Searched { interrupted: true, ..cut };
        assert!(said(interrupted).ends_with("1 race has an example; the search for them was interrupted. "));
        assert!(said(Searched { complete: true, ..cut }).ends_with("1 race has an example. "));
    }

    #[test]
    fn long_lists_are_cut() {
        let items = (0..20).map(|i| i.to_string()).collect();
        assert_eq!(cut(items, ","), "0,1,2,3,4,5,6,7,8,9,10,11,and 8 more (--format json lists all)");
    }

    #[test]
    fn long_text_is_wrapped_between_words() {
        let text = wrapped("fix: ", &"word ".repeat(40));
        assert!(text.lines().all(|line| line.len() <= super::WIDTH), "{text}");
        assert_eq!(text.lines().count(), 3);
        assert!(text.lines().skip(1).all(|line| line.starts_with("     word")));
    }

    #[test]
    fn counts_agree_in_number() {
        assert_eq!([count(0, "race"), count(1, "race"), count(2, "race")], ["0 races", "1 race", "2 races"]);
    }
}
