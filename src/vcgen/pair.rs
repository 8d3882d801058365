//! Deciding one pair.

use super::bound::Bound;
use super::classes::{Clarity, ClassId, Classes};
use super::condition::{Clauses, Condition};
use super::creation::Creations;
use super::protection::Protection;
use super::races::{Naming, Race};
use super::side::{Renaming, Side};
use super::states::States;
use super::teardown::{Registrations, Teardowns};
use crate::analysis::origins::Sources;
use crate::fault::{Fault, seeded};
use crate::instrument::thread::{Event, Handle, Lock, Thread};
use crate::verdict::UnknownReason;
use lockpair_smt::{Answer, Limits, Model, Query, Session, Status, Terms, to_smtlib};
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::time::{Duration, Instant};

/// What a pair may cost.
#[derive(Clone, Debug)]
pub struct PairLimits {
    /// Per query.
    pub query: Limits,
    /// For all queries of the pair.
    pub pair: Duration,
    /// How many races are enumerated.
    pub races: usize,
}

/// A satisfying assignment: the two sites, and the locks held at them.
#[derive(Clone, Debug)]
pub struct Found {
    /// Per side: the position of the site in the thread.
    pub sites: [usize; 2],
    /// Per side: the positions of the locks held.
    pub held: [Vec<usize>; 2],
}

/// What came out for a pair.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The races.
    pub found: Vec<Found>,
    /// Why there may be more, if that is not known.
    pub unknown: Option<UnknownReason>,
    /// Pairs of classes that were asked about.
    pub regions: usize,
    /// Solver calls.
    pub queries: usize,
    /// The SMT-LIB file, if asked for.
    pub smtlib: Option<String>,
}

impl Outcome {
    /// These races come before all others, and there are no more than that.
    fn put_first(&mut self, mut first: Vec<Found>, most: usize) {
        self.found.retain(|found| first.iter().all(|known| known.sites != found.sites));
        first.append(&mut self.found);
        first.truncate(most);
        self.found = first;
    }

    /// Of two threads of one function, which is the first makes no difference.
    fn name_once(&mut self) {
        let mut known = HashSet::new();
        self.found.retain(|found| {
            let [a, b] = found.sites;
            known.insert([a.min(b), a.max(b)])
        });
    }
}

/// Which table-registering events make a callback's handle known: (event, handle's table object) -> yes.
pub type Covers<'a> = dyn Fn(i128, i128) -> bool + Sync + 'a;

/// What is looked at before all.
const FIRST: [Sample; 3] = [
    Sample { cheapest: 4, races: 2, sites: 4 },
    Sample { cheapest: 2, races: 8, sites: 8 },
    Sample { cheapest: 1, races: 32, sites: 16 },
];

/// A part of the conflicts and of their sites.
struct Sample {
    /// One in so many of the conflicts: those whose sites it costs least to speak of.
    cheapest: usize,
    /// Of these so many times the races that are to be named, if of each class ...
    races: usize,
    /// ... so many sites have part in one.
    sites: usize,
}

/// What comes first where not all races are named.
struct Foremost {
    /// Which conflicts, and the part of all races that these may be at most.
    shares: [(Clarity, f64); 2],
    /// Of so many conflicts for each race ...
    conflicts: usize,
    /// ... so many sites of each class are looked at, and as many races are named.
    sites: usize,
    /// The part of a pair's time that this may take.
    time: f64,
}

const FOREMOST: Foremost =
    Foremost { shares: [(Clarity::Member, 0.6), (Clarity::End, 0.2)], conflicts: 8, sites: 2, time: 0.25 };

/// What a question to the solver may cost where races are known already, in its own measure: some 30 ms.
const WORK_FOR_MORE: u32 = 100_000;

/// What a question about all conflicts may cost before they are taken in parts.
const WORK_AT_ONCE: u32 = 1_000_000;

/// The terms that all questions for more races may have together where some are known.
const TERMS_FOR_MORE: usize = 3_000;

/// Decides pairs of the threads of one module.
pub struct Checker<'a> {
    pub(super) threads: &'a [Thread],
    classes: &'a Classes,
    renamings: Vec<Renaming>,
    sources: &'a [Sources],
    pub(super) teardowns: Teardowns,
    pub(super) creations: Creations,
    pub(super) registrations: &'a Registrations,
    /// Which states of the kernel exclude anything.
    pub(super) states: States<'a>,
    /// What the kernel calls for devices only after it was registered.
    pub bound: Bound<'a>,
    /// Threads that run once, before anything else of the module can.
    once: Vec<bool>,
    pub(super) covers: &'a Covers<'a>,
    /// What is left out of the conditions.
    pub(super) without: &'a BTreeSet<Protection>,
    emit: bool,
}

impl<'a> Checker<'a> {
    /// For all pairs of the threads.
    #[allow(clippy::too_many_arguments)]
    pub fn new(
        threads: &'a [Thread],
        classes: &'a Classes,
        renamings: Vec<Renaming>,
        sources: &'a [Sources],
        registrations: &'a Registrations,
        states: States<'a>,
        bound: Bound<'a>,
        once: Vec<bool>,
        covers: &'a Covers<'a>,
        without: &'a BTreeSet<Protection>,
        emit: bool,
    ) -> Self {
        let teardowns = Teardowns::new(threads, registrations);
        let creations = Creations::new(threads, registrations, &once);
        Checker {
            threads,
            classes,
            renamings,
            sources,
            teardowns,
            creations,
            registrations,
            states,
            bound,
            once,
            covers,
            without,
            emit,
        }
    }

    /// Whether the kernel holds the lock around callbacks of a handle that may be registered several times: it is
    /// one lock per registration then, and its address does not tell which.
    pub(super) fn is_one_of_several(&self, thread: &Thread, lock: &Lock) -> bool {
        let of = |h: &Handle| self.registrations.several.contains(&h.class) && h.addr == lock.addr;
        lock.implicit && thread.handles.iter().any(of)
    }

    /// Whether the thread runs once and nobody else registers what the event registers: then its callbacks
    /// wait for it even where the thread ends before.
    pub(super) fn is_only_registrar(&self, maker: usize, class: &str, event: &Event) -> bool {
        let table = self.threads[maker].terms.as_int(event.handle.obj);
        let others = self.threads.iter().enumerate().filter(|(t, _)| *t != maker);
        let mut events = others.flat_map(|(n, t)| t.events.iter().map(move |e| (n, e)));
        (self.once[maker] || seeded(Fault::OnceForAll))
            && table.is_some()
            && !events.any(|(t, e)| {
                e.registers && e.class == class && !self.registers_itself(t, e) && {
                    let other = self.threads[t].terms.as_int(e.handle.obj);
                    other.is_none() || other == table
                }
            })
    }

    /// Whether the event is of the handle that the thread runs under: somebody has registered it before.
    fn registers_itself(&self, thread: usize, event: &Event) -> bool {
        let (thread, renaming) = (&self.threads[thread], &self.renamings[thread]);
        let is_own = |h: &Handle| h.class == event.class && renaming.known_as(thread, h.addr) == event.handle;
        !event.anywhere && thread.handles.iter().any(is_own)
    }

    pub(super) fn class_of(&self, thread: usize, site: usize) -> Option<ClassId> {
        self.classes.class_of(thread, site)
    }

    /// Decides the pair of the threads at these positions.
    pub fn check(&self, a: usize, b: usize, name: &str, limits: &PairLimits) -> Outcome {
        let conflicts = self.classes.conflicts(a, b);
        if conflicts.is_empty() && !self.emit {
            return Outcome::default();
        }
        let until = Instant::now() + limits.pair;
        let mut outcome = self.decide([a, b], &conflicts, name, limits, until);
        if let Some(UnknownReason::TooManyRaces(_) | UnknownReason::MoreRaces) = outcome.unknown {
            let first = self.foremost([a, b], &conflicts, limits, until);
            outcome.queries += first.queries;
            outcome.put_first(first.found, limits.races);
        }
        if a == b {
            outcome.name_once();
        }
        outcome
    }

    /// Where not all races are named: those that a reader can judge, of what the module itself does to a member, in as many places
    /// as there is room for, and of objects that end. What code outside may do, or lies behind a pointer to anything, meets nearly
    /// everything, and would leave no room for these.
    fn foremost(
        &self,
        [a, b]: [usize; 2],
        conflicts: &[(ClassId, ClassId)],
        limits: &PairLimits,
        until: Instant,
    ) -> Outcome {
        let until = until.min(Instant::now() + limits.pair.mul_f64(FOREMOST.time));
        let mut first = Outcome::default();
        for (clarity, share) in FOREMOST.shares {
            let clear = |&&(x, y): &&(ClassId, ClassId)| self.classes.clarity((a, x), (b, y)) == clarity;
            let mut all: Vec<_> = conflicts.iter().filter(clear).copied().collect();
            let room = (limits.races - first.found.len()).min((limits.races as f64 * share).ceil() as usize);
            let step = all.len() / (FOREMOST.conflicts * room.max(1));
            all = all.into_iter().step_by(step.max(1)).collect();
            if all.is_empty() || room == 0 {
                continue;
            }
            let limits = PairLimits { races: FOREMOST.conflicts * room, ..limits.clone() };
            let condition = Condition::build(self, [a, b], &all, FOREMOST.sites);
            let outcome = Outcome::default();
            let mut decision = Decision { condition, limits: &limits, until, patient: false, outcome };
            decision.search(&all);
            first.queries += decision.outcome.queries;
            let mut seen = HashMap::new();
            let found = decision.outcome.found.into_iter().filter(|found| {
                let classes = [self.class_of(a, found.sites[0]), self.class_of(b, found.sites[1])];
                let known = seen.entry(classes).or_insert(0);
                *known += 1;
                *known <= FOREMOST.sites
            });
            first.found.extend(found.take(room));
        }
        first
    }

    /// Decides the pair, and names races of it.
    fn decide(
        &self,
        [a, b]: [usize; 2],
        conflicts: &[(ClassId, ClassId)],
        name: &str,
        limits: &PairLimits,
        until: Instant,
    ) -> Outcome {
        let outcome = Outcome { regions: conflicts.len(), ..Outcome::default() };
        let begin = |conflicts: &[(ClassId, ClassId)], most: usize| {
            let condition = Condition::build(self, [a, b], conflicts, most);
            Decision { condition, limits, until, patient: conflicts.len() < 2, outcome: outcome.clone() }
        };
        for sample in FIRST.iter().filter(|_| !self.emit) {
            let Some(few) = self.few([a, b], conflicts, sample, limits.races) else { continue };
            let mut decision = begin(&few, sample.sites);
            decision.search(&few);
            if decision.is_over() {
                return decision.outcome;
            }
        }
        let mut decision = begin(conflicts, usize::MAX);
        let whole = self.emit.then(|| decision.condition.clauses.clone());
        decision.decide(conflicts);
        if decision.gave_up() {
            decision.outcome = in_parts(conflicts, decision.outcome, &|part, outcome, patient| {
                let mut decision = Decision { outcome, patient, ..begin(part, usize::MAX) };
                decision.decide(part);
                (decision.gave_up(), decision.outcome)
            });
        }
        if let Some(whole) = whole {
            decision.outcome.smtlib = Some(decision.smtlib(name, &whole));
        }
        decision.outcome
    }

    /// A few of the conflicts, from all over the threads, if that is much less than all. Where there are more races
    /// than the `races` that are to be named, nobody needs the condition of all sites.
    fn few(
        &self,
        threads: [usize; 2],
        conflicts: &[(ClassId, ClassId)],
        sample: &Sample,
        races: usize,
    ) -> Option<Vec<(ClassId, ClassId)>> {
        let most = sample.sites;
        let count = |n: usize, c: ClassId| self.classes.sites(threads[n], c).len();
        let expected = |&(x, y): &(ClassId, ClassId)| count(0, x).max(count(1, y)).min(most);
        let cheap = self.cheapest(threads, conflicts, sample.cheapest);
        let step = cheap.iter().map(expected).sum::<usize>() / (sample.races * races);
        let few: Vec<_> = cheap.into_iter().step_by(step.max(1)).collect();
        let sites = |conflicts: &[(ClassId, ClassId)], most: usize| -> usize {
            let [left, right] = classes_of(conflicts);
            let left = left.into_iter().map(|c| count(0, c).min(most));
            left.chain(right.into_iter().map(|c| count(1, c).min(most))).sum()
        };
        (2 * sites(&few, most) <= sites(conflicts, usize::MAX)).then_some(few)
    }

    /// One in so many of the conflicts, in their order: those of least cost.
    fn cheapest(
        &self,
        [a, b]: [usize; 2],
        conflicts: &[(ClassId, ClassId)],
        one_in: usize,
    ) -> Vec<(ClassId, ClassId)> {
        let cost = |&(x, y): &(ClassId, ClassId)| self.classes.cost(a, x).max(self.classes.cost(b, y));
        let costs: Vec<usize> = conflicts.iter().map(cost).collect();
        let mut sorted = costs.clone();
        let (_, &mut limit, _) = sorted.select_nth_unstable((conflicts.len() - 1) / one_in);
        conflicts.iter().zip(&costs).filter(|(_, cost)| **cost <= limit).map(|(c, _)| *c).collect()
    }

    /// One side of a pair: the sites of a thread in those classes, but at most so many of each.
    pub(super) fn side(
        &'a self,
        terms: &mut Terms,
        thread: usize,
        side: u32,
        classes: BTreeSet<ClassId>,
        most: usize,
    ) -> Side<'a> {
        let groups = |c: ClassId| {
            let all = self.classes.sites(thread, c);
            all.iter().take(most).map(move |group| (c, group))
        };
        let sites = classes.into_iter().flat_map(groups).collect();
        let (renaming, sources) = (&self.renamings[thread], &self.sources[thread]);
        Side::new(terms, &self.threads[thread], self.classes.inner(), renaming, sources, side, sites)
    }
}

/// The classes of either side.
pub(super) fn classes_of(conflicts: &[(ClassId, ClassId)]) -> [BTreeSet<ClassId>; 2] {
    [conflicts.iter().map(|(x, _)| *x).collect(), conflicts.iter().map(|(_, y)| *y).collect()]
}

/// Goes on deciding, with patience or without; tells whether it was too much work, and what came out so far.
type Decide<'d, T> = dyn Fn(&[T], Outcome, bool) -> (bool, Outcome) + 'd;

/// Decides the halves of what was too much work at once, and their halves, and at last, where no race is found, what
/// was too much work by itself, with patience. The first of those that stays undecided decides.
fn in_parts<T>(conflicts: &[T], before: Outcome, decide: &Decide<T>) -> Outcome {
    let mut outcome = before;
    let mut unknown = None;
    let mut hard = Vec::new();
    let mut parts = VecDeque::from([conflicts]);
    while let Some(part) = parts.pop_front() {
        if part.len() == 1 {
            hard.push(part);
            continue;
        }
        for half in part.chunks(part.len().div_ceil(2)) {
            let (gave_up, after) = decide(half, Outcome { unknown: None, ..outcome }, false);
            outcome = after;
            if gave_up {
                parts.push_back(half);
            } else {
                unknown = unknown.or(outcome.unknown.take());
            }
        }
    }
    for part in hard {
        if outcome.found.is_empty() && unknown.is_none() {
            outcome = decide(part, Outcome { unknown: None, ..outcome }, true).1;
            unknown = outcome.unknown.take();
        } else {
            unknown = unknown.or(Some(UnknownReason::MoreRaces));
        }
    }
    Outcome { unknown, ..outcome }
}

/// One pair, on the way to its verdict.
struct Decision<'a, 'l> {
    condition: Condition<'a>,
    limits: &'l PairLimits,
    until: Instant,
    /// Whether the solver is asked until its time is over, though the work may be in vain.
    patient: bool,
    outcome: Outcome,
}

impl Decision<'_, '_> {
    /// Races that are easily found are named first. What is left is put to the solver: without the
    /// conditions of the sites, since locks and addresses mostly exclude it already, and then with them.
    fn decide(&mut self, conflicts: &[(ClassId, ClassId)]) {
        if self.condition.is_false() {
            return;
        }
        let mut naming = self.search(conflicts);
        if self.is_over() || naming.is_complete() {
            return;
        }
        if !self.outcome.found.is_empty() {
            let (sites, conflicts) = naming.narrow();
            self.condition.narrow(&sites, &conflicts);
            if self.condition.size() > TERMS_FOR_MORE {
                self.outcome.unknown = Some(UnknownReason::MoreRaces);
                return;
            }
        }
        let mut session = self.session();
        if !self.is_excluded_anyway(&mut session, &mut naming) {
            self.name_the_rest(&mut session, &mut naming);
        }
        if self.outcome.found.is_empty() && self.outcome.unknown.is_none() {
            self.is_not_vacuous(&mut session, &mut naming);
        }
    }

    /// Names the races that are found without the solver.
    fn search(&mut self, conflicts: &[(ClassId, ClassId)]) -> Naming {
        let watched = self.condition.watched();
        let Condition { terms, sides, clauses, .. } = &mut self.condition;
        let mut naming = Naming::new(terms, sides, conflicts, watched, clauses);
        self.find(&mut naming, None);
        naming
    }

    /// A session about the condition, but for what makes the sites happen.
    fn session(&self) -> Session {
        let Condition { terms, clauses, .. } = &self.condition;
        let work = match (self.outcome.found.is_empty(), self.patient) {
            (false, _) => Some(WORK_FOR_MORE),
            (true, false) => Some(WORK_AT_ONCE),
            (true, true) => None,
        };
        let work = self.limits.query.rlimit.or(work);
        let mut session = Session::new(&Limits { rlimit: work, ..self.limits.query });
        clauses.recorded.iter().for_each(|&fact| session.assert(terms, fact));
        // A level of its own: as plain assertions the clauses are units and propagate at once.
        session.push();
        clauses.race.iter().for_each(|&clause| session.assert(terms, clause));
        session
    }

    fn is_excluded_anyway(&mut self, session: &mut Session, naming: &mut Naming) -> bool {
        self.block(session, naming);
        self.outcome.queries += 1;
        session.is_satisfiable(&self.condition.terms) == Ok(false)
    }

    fn name_the_rest(&mut self, session: &mut Session, naming: &mut Naming) {
        self.sites_happen(session);
        let (size, mut asked) = (self.condition.size(), 0);
        while !self.is_over() {
            asked += size;
            if asked > TERMS_FOR_MORE && !self.outcome.found.is_empty() {
                self.outcome.unknown = Some(UnknownReason::MoreRaces);
                return;
            }
            self.block(session, naming);
            self.outcome.queries += 1;
            match session.check(&self.condition.terms, &[]) {
                Answer::Unsat => return,
                Answer::Unknown(_) if !self.outcome.found.is_empty() => {
                    self.outcome.unknown = Some(UnknownReason::MoreRaces);
                }
                Answer::Unknown(why) => self.outcome.unknown = Some(reason(why)),
                Answer::Sat(model) => self.find(naming, Some(&model)),
            }
        }
    }

    fn sites_happen(&self, session: &mut Session) {
        let Condition { terms, clauses, .. } = &self.condition;
        clauses.happen.iter().for_each(|&fact| session.assert(terms, fact));
    }

    fn block(&mut self, session: &mut Session, naming: &mut Naming) {
        for block in naming.blocks(&mut self.condition.terms) {
            session.assert(&self.condition.terms, block);
        }
    }

    /// Whether the solver was asked for too much at once, and there is time to ask for less.
    fn gave_up(&self) -> bool {
        use UnknownReason::{Memory, Solver, Timeout};
        matches!(self.outcome.unknown, Some(Timeout | Memory | Solver(_))) && Instant::now() < self.until
    }

    /// Whether no more is to be asked.
    fn is_over(&mut self) -> bool {
        if self.outcome.found.len() >= self.limits.races {
            self.outcome.unknown = Some(UnknownReason::TooManyRaces(self.limits.races));
        } else if Instant::now() > self.until {
            self.outcome.unknown = Some(UnknownReason::Timeout);
        }
        self.outcome.unknown.is_some()
    }

    /// A proof counts only if the threads' facts are satisfiable without the race (design, rule 12).
    fn is_not_vacuous(&mut self, session: &mut Session, naming: &mut Naming) {
        if naming.is_satisfiable(&self.condition.terms, &self.condition.clauses.facts()) {
            return;
        }
        session.pop();
        self.sites_happen(session);
        self.outcome.queries += 1;
        self.outcome.unknown = match session.is_satisfiable(&self.condition.terms) {
            Ok(true) => None,
            // A side of which no site can happen proves the pair; its sites are listed as unreachable.
            Ok(false) if self.one_side_is_unreachable() => None,
            Ok(false) => Some(UnknownReason::Vacuous("the two threads' facts contradict each other".into())),
            Err(why) => Some(reason(why)),
        };
    }

    fn one_side_is_unreachable(&mut self) -> bool {
        let Condition { terms, clauses, .. } = &self.condition;
        clauses.recorded.iter().zip(&clauses.happen).any(|(&recorded, &happens)| {
            let mut session = Session::new(&self.limits.query);
            session.assert(terms, recorded);
            session.assert(terms, happens);
            self.outcome.queries += 1;
            session.is_satisfiable(terms) == Ok(false)
        })
    }

    /// The race that the model shows, and those that a search finds from there.
    fn find(&mut self, naming: &mut Naming, model: Option<&Model>) {
        let (condition, found, limit) = (&self.condition, &mut self.outcome.found, self.limits.races);
        let mut say = |naming: &Naming, race: Race| {
            let held = [0, 1].map(|n| held_at(&condition.sides[n], naming, n, race.picks[n]));
            found.extend(race.sites.iter().map(|&sites| Found { sites, held: held.clone() }));
            found.truncate(limit);
            found.len() < limit
        };
        match model {
            Some(model) => naming.read(&condition.terms, model, self.until, &mut say),
            None => naming.search(&condition.terms, self.until, &mut say),
        }
    }

    fn smtlib(&self, name: &str, whole: &Clauses) -> String {
        let Outcome { unknown, found, .. } = &self.outcome;
        let status = match (unknown, found.is_empty()) {
            (_, false) => Some(Status::Sat),
            (None, true) => Some(Status::Unsat),
            (Some(_), true) => None,
        };
        let mut comments = vec![
            "Satisfiable if and only if the verifier found that the two entry points may race.".to_owned(),
            "The propositions record@1_n and record@2_n choose the two accesses:".to_owned(),
        ];
        for (n, side) in self.condition.sides.iter().enumerate() {
            let (sites, locks) = (side.sites.len(), side.thread.locks.len());
            comments.push(format!("side {}: {sites} sites, {locks} locks", n + 1));
        }
        let query = Query { name: name.to_owned(), comments, assertions: whole.all(), status };
        to_smtlib(&self.condition.terms, &query)
    }
}

/// The locks held at the recorded site: those that the condition speaks of, by the model, and those that are
/// held there in any case.
fn held_at(side: &Side, naming: &Naming, n: usize, pick: usize) -> Vec<usize> {
    let site = side.site(pick);
    let surely = |i: usize| site.held.surely(i, &side.thread.terms);
    (0..side.thread.locks.len()).filter(|&i| surely(i) || naming.is_held(n, i)).collect()
}

fn reason(why: lockpair_smt::UnknownReason) -> UnknownReason {
    match why {
        lockpair_smt::UnknownReason::Timeout => UnknownReason::Timeout,
        lockpair_smt::UnknownReason::Memory => UnknownReason::Memory,
        other => UnknownReason::Solver(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    const RACE: Found = Found { sites: [0, 0], held: [Vec::new(), Vec::new()] };

    /// Conflicts of which the solver decides one at a time, with patience if it is `hard`, never if it is `endless`;
    /// `racy` is a race. Gives what was decided, and the outcome.
    fn parts_of(hard: Option<u32>, endless: Option<u32>, racy: Option<u32>) -> (BTreeSet<u32>, Outcome) {
        let decided = RefCell::new(BTreeSet::new());
        let before = Outcome { unknown: Some(UnknownReason::Timeout), ..Outcome::default() };
        let outcome = in_parts(&[1, 2, 3, 4, 5], before, &|part: &[u32], outcome, patient| {
            assert_eq!(outcome.unknown, None);
            let stuck = |k: &u32| Some(*k) == endless || Some(*k) == hard && !patient;
            if part.len() > 1 || part.iter().any(stuck) {
                return (true, Outcome { unknown: Some(UnknownReason::Timeout), ..outcome });
            }
            assert!(decided.borrow_mut().insert(part[0]), "decided twice");
            let mut outcome = outcome;
            outcome.found.extend((Some(part[0]) == racy).then_some(RACE));
            (false, outcome)
        });
        (decided.into_inner(), outcome)
    }

    #[test]
    fn a_pair_is_proved_in_parts_if_all_of_them_are() {
        let (decided, outcome) = parts_of(Some(4), None, None);
        assert_eq!(decided, BTreeSet::from([1, 2, 3, 4, 5]));
        assert!(outcome.found.is_empty() && outcome.unknown.is_none());
    }

    #[test]
    fn what_comes_first_is_named_once_and_leaves_out_the_last() {
        let race = |sites| Found { sites, ..RACE };
        let named = |outcome: &Outcome| outcome.found.iter().map(|found| found.sites).collect::<Vec<_>>();
        let mut outcome =
            Outcome { found: vec![race([0, 1]), race([2, 3]), race([4, 5])], ..Outcome::default() };
        outcome.put_first(vec![race([2, 3]), race([6, 7])], 3);
        assert_eq!(named(&outcome), [[2, 3], [6, 7], [0, 1]]);
        outcome.put_first(vec![race([3, 2]), race([1, 1])], 9);
        outcome.name_once();
        assert_eq!(named(&outcome), [[3, 2], [1, 1], [6, 7], [0, 1]]);
    }

    #[test]
    fn a_part_that_stays_undecided_is_reported() {
        let (_, outcome) = parts_of(None, Some(4), None);
        assert_eq!((outcome.found.len(), outcome.unknown), (0, Some(UnknownReason::Timeout)));
        let (_, outcome) = parts_of(None, Some(4), Some(1));
        assert_eq!((outcome.found.len(), outcome.unknown), (1, Some(UnknownReason::MoreRaces)));
    }
}
