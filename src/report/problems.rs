//! Races that are one problem: of one object that ends too early, of one call of a function of which nothing is known, or of
//! one location in one lock situation, over all pairs of entry points.

use super::places::Place;
use super::rank::Ranks;
use crate::verdict::{Access, Analysis, By, Meeting, PairResult, Purpose, RaceReport};
use lockpair_entry_points::EntryPointId;
use lockpair_ir::{LocId, LockMode, Mark, Module};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// A race as one pair of entry points has it.
#[derive(Copy, Clone, Debug)]
pub struct Instance<'a> {
    /// The pair.
    pub pair: &'a PairResult,
    /// The race.
    pub race: &'a RaceReport,
}

impl Instance<'_> {
    /// Whether a replayed execution of the program reaches it.
    pub fn confirmed(&self) -> bool {
        self.race.is_confirmed()
    }

    /// Whether a replayed execution reaches it, of the program or of the model.
    fn executed(&self) -> bool {
        self.race.execution.is_some()
    }

    /// Whether both sides are instructions that name the same member of a struct, or the same variable.
    pub fn names_one_member(&self) -> bool {
        self.race.meeting == Meeting::Member && self.race.is_of_instructions()
    }

    /// Whether both sides write.
    pub fn both_write(&self) -> bool {
        self.race.accesses.iter().all(|access| access.write)
    }

    fn frames(&self) -> usize {
        self.race.accesses.iter().map(|a| a.stack.len()).sum()
    }

    /// The two places, in an order that does not depend on which entry point comes first.
    pub fn sites(&self) -> [Option<LocId>; 2] {
        let mut sites = self.race.accesses.each_ref().map(|a| a.loc);
        sites.sort();
        sites
    }
}

/// What a problem is about.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Subject<'a> {
    /// An object that ends at this place while it is in use, whatever is used of it.
    End(Option<Place>),
    /// A function that is called at this place and may do anything, whatever that meets.
    Unknown(&'a str, Option<Place>),
    /// A location.
    Location(&'a str),
}

/// Races that are mended together.
#[derive(Clone, Debug)]
pub struct Problem<'a> {
    /// What they are about.
    pub subject: Subject<'a>,
    /// At least one race, in the order of the pairs.
    pub races: Vec<Instance<'a>>,
}

impl<'a> Problem<'a> {
    /// The race to show: one of which both sides name the member, then one with an execution if there is one, then one of two plain
    /// writes, then the one with the shortest way to it.
    pub fn example(&self) -> Instance<'a> {
        let marked = |r: &Instance<'_>| r.race.accesses.iter().filter(|a| a.mark != Mark::Plain).count();
        let rank = |r: &&Instance<'_>| {
            (!r.confirmed(), !r.names_one_member(), !r.executed(), !r.both_write(), marked(r), r.frames())
        };
        *self.races.iter().min_by_key(rank).expect("a problem has a race")
    }

    /// Whether a race of it is confirmed.
    pub fn confirmed(&self) -> bool {
        self.races.iter().any(Instance::confirmed)
    }

    /// The pairs of entry points that have it, each once.
    pub fn pairs(&self) -> Vec<(EntryPointId, EntryPointId)> {
        let mut seen = BTreeSet::new();
        self.races.iter().map(|r| r.pair.pair).filter(|pair| seen.insert(*pair)).collect()
    }

    /// The pairs of places that have it, each once, with an instance of each.
    pub fn places(&self) -> Vec<Instance<'a>> {
        let mut seen = BTreeSet::new();
        self.races.iter().filter(|r| seen.insert(r.sites())).copied().collect()
    }

    /// Its locations, each once, as in [`RaceReport::location`].
    pub fn locations(&self) -> BTreeSet<&'a str> {
        self.races.iter().map(|r| r.race.location.as_str()).collect()
    }
}

/// What counts of one access for the lock situation: what its own code has taken. What the kernel holds differs with the entry
/// point.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Side<'a> {
    of_lock: bool,
    locks: BTreeSet<(&'a str, &'a str, LockMode)>,
}

impl<'a> Side<'a> {
    fn of(access: &'a Access) -> Side<'a> {
        let taken = access.locks.iter().filter(|lock| lock.taken.is_some());
        let locks = taken.map(|l| (l.class.as_str(), l.name.as_str(), l.mode)).collect();
        Side { of_lock: access.purpose == Purpose::Lock, locks }
    }
}

impl<'a> Subject<'a> {
    fn of(module: &Module, race: &'a RaceReport) -> Subject<'a> {
        let place = |access: &Access| access.loc.map(|loc| Place::in_driver(module, loc));
        let ends = race.accesses.iter().filter(|access| access.purpose.frees()).map(|access| place(access));
        if let Some(end) = ends.min() {
            return Subject::End(end);
        }
        let unknown = race.accesses.iter().filter_map(|access| match &access.by {
            By::Unknown(name) => Some((name.as_str(), place(access))),
            By::Instruction | By::Row => None,
        });
        match unknown.min() {
            Some((name, call)) => Subject::Unknown(name, call),
            None => Subject::Location(&race.location),
        }
    }
}

/// All problems of an analysis; by rank, then by what they are about.
pub fn problems(analysis: &Analysis) -> Vec<Problem<'_>> {
    let ranks = Ranks::of(analysis);
    let mut problems = grouped(&analysis.module, &analysis.pairs);
    problems.sort_by_cached_key(|problem| ranks.rank(problem));
    problems
}

/// How many problems there are, whatever their ranks.
pub fn problem_count(analysis: &Analysis) -> usize {
    grouped(&analysis.module, &analysis.pairs).len()
}

/// The races that are shown: per problem the position of a pair, and that of its race.
pub fn examples(module: &Module, pairs: &[PairResult]) -> Vec<(usize, usize)> {
    let problems = grouped(module, pairs);
    let shown = problems.iter().map(|problem| std::ptr::from_ref(problem.example().race));
    let shown: HashSet<*const RaceReport> = shown.collect();
    let numbered = pairs.iter().enumerate();
    let all = numbered.flat_map(|(p, pair)| pair.races.iter().enumerate().map(move |(r, race)| (p, r, race)));
    all.filter(|(.., race)| shown.contains(&std::ptr::from_ref(*race))).map(|(p, r, _)| (p, r)).collect()
}

/// The races, grouped; by what they are about.
fn grouped<'a>(module: &Module, pairs: &'a [PairResult]) -> Vec<Problem<'a>> {
    let mut problems: BTreeMap<(Subject<'a>, Option<[Side<'a>; 2]>), Vec<Instance<'a>>> = BTreeMap::new();
    for (pair, race) in pairs.iter().flat_map(|p| p.races.iter().map(move |r| (p, r))) {
        let subject = Subject::of(module, race);
        let sides = matches!(subject, Subject::Location(_)).then(|| {
            let mut sides = race.accesses.each_ref().map(|access| Side::of(access));
            sides.sort();
            sides
        });
        problems.entry((subject, sides)).or_default().push(Instance { pair, race });
    }
    problems.into_iter().map(|((subject, _), races)| Problem { subject, races }).collect()
}

/// The number of locations that have a race.
pub fn racy_locations(analysis: &Analysis) -> usize {
    all_races(analysis).map(|r| r.race.location.as_str()).collect::<BTreeSet<_>>().len()
}

/// The number of races as people count them: pairs of places in the source, whatever entry points reach them.
pub fn distinct_races(analysis: &Analysis) -> usize {
    all_races(analysis).map(|r| (r.race.location.as_str(), r.sites())).collect::<BTreeSet<_>>().len()
}

/// How many of these have an execution.
pub fn executed_races(analysis: &Analysis) -> usize {
    let executed = all_races(analysis).filter(Instance::executed);
    executed.map(|r| (r.race.location.as_str(), r.sites())).collect::<BTreeSet<_>>().len()
}

fn all_races(analysis: &Analysis) -> impl Iterator<Item = Instance<'_>> {
    analysis.pairs.iter().flat_map(|pair| pair.races.iter().map(move |race| Instance { pair, race }))
}

#[cfg(test)]
mod tests {
    use super::super::testdata::{analysis_of, confirmed, lock, pair, race};
    use super::{Subject, distinct_races, problems, racy_locations};
    use crate::verdict::{Access, Analysis, By, PairResult, Purpose, RaceReport, Verdict};
    use lockpair_ir::{LockMode, Mark};
    use std::sync::Arc;

    fn racy(a: usize, b: usize, verdict: Verdict, races: Vec<RaceReport>) -> PairResult {
        PairResult { races, ..pair(a, b, verdict) }
    }

    fn locked(first: bool) -> RaceReport {
        let mut race = race("struct demo.count");
        let side = usize::from(!first);
        Arc::make_mut(&mut race.accesses[side]).locks =
            vec![lock("mutex", "&a->m", LockMode::Exclusive, true)];
        race
    }

    fn analysis() -> Analysis {
        analysis_of(vec![
            racy(0, 1, Verdict::Potential, vec![locked(true)]),
            racy(0, 2, Verdict::Potential, vec![locked(false), race("struct demo.count")]),
            racy(1, 2, Verdict::Race, vec![confirmed(race("struct demo.zeta"), ["b", "c"])]),
        ])
    }

    #[test]
    fn one_lock_situation_is_one_problem_whichever_side_holds_the_lock() {
        let analysis = analysis();
        let problems = problems(&analysis);
        assert_eq!(problems.iter().map(|p| p.races.len()).collect::<Vec<_>>(), [1, 2, 1]);
        assert_eq!(problems[1].pairs().len(), 2);
        assert_eq!(problems[1].places().len(), 1);
    }

    fn changed(location: &str, change: impl Fn(&mut Access)) -> RaceReport {
        let mut race = race(location);
        change(Arc::make_mut(&mut race.accesses[1]));
        race
    }

    fn subjects(analysis: &Analysis) -> Vec<Subject<'_>> {
        problems(analysis).into_iter().map(|problem| problem.subject).collect()
    }

    #[test]
    fn what_the_kernel_holds_makes_no_other_problem() {
        let held = |mode| {
            changed("struct demo.count", move |access| {
                access.locks = vec![lock("session", "session(file)", mode, false)];
            })
        };
        let races = vec![held(LockMode::Shared), held(LockMode::Exclusive), race("struct demo.count")];
        let analysis = analysis_of(vec![racy(0, 1, Verdict::Potential, races)]);
        assert_eq!(subjects(&analysis), [Subject::Location("struct demo.count")]);
    }

    #[test]
    fn all_uses_of_what_ends_are_one_problem() {
        let end = |location| changed(location, |access| access.purpose = Purpose::Free);
        let mut held = end("struct demo.zeta");
        Arc::make_mut(&mut held.accesses[0]).locks = vec![lock("mutex", "&a->m", LockMode::Exclusive, true)];
        let races = vec![end("struct demo.count"), held, race("struct demo.zeta")];
        let analysis = analysis_of(vec![racy(0, 1, Verdict::Potential, races)]);
        assert_eq!(subjects(&analysis), [Subject::Location("struct demo.zeta"), Subject::End(None)]);
        let locations = problems(&analysis)[1].locations();
        assert_eq!(locations.into_iter().collect::<Vec<_>>(), ["struct demo.count", "struct demo.zeta"]);
    }

    #[test]
    fn all_that_an_unknown_call_meets_is_one_problem() {
        let call = |location, name: &str| {
            let by = By::Unknown(name.to_owned());
            changed(location, move |access| access.by = by.clone())
        };
        let races = vec![call("a", "restart"), call("b", "restart"), call("b", "halt"), race("b")];
        let analysis = analysis_of(vec![racy(0, 1, Verdict::Potential, races)]);
        let [halt, restart] = ["halt", "restart"].map(|name| Subject::Unknown(name, None));
        assert_eq!(subjects(&analysis), [Subject::Location("b"), halt, restart]);
    }

    #[test]
    fn two_plain_writes_are_the_example() {
        let read = changed("a", |access| access.write = false);
        let marked = changed("a", |access| access.mark = Mark::Volatile);
        let analysis = analysis_of(vec![racy(0, 1, Verdict::Potential, vec![read, marked, race("a")])]);
        assert_eq!(*problems(&analysis)[0].example().race, race("a"));
    }

    #[test]
    fn confirmed_races_come_first() {
        let analysis = analysis();
        let problems = problems(&analysis);
        assert_eq!(problems[0].subject, Subject::Location("struct demo.zeta"));
        assert!(problems[0].confirmed() && !problems[1].confirmed());
    }

    #[test]
    fn races_are_counted_once_per_location_and_places() {
        assert_eq!(distinct_races(&analysis()), 2);
        assert_eq!(racy_locations(&analysis()), 2);
    }
}
