//! Building and deciding one pair.

use super::classes::{ClassId, Classes};
use super::races::{Naming, Race};
use super::side::{Flag, Held, LEVELS, Level, Renaming, Side};
use crate::analysis::fields::FieldId;
use crate::analysis::origins::Sources;
use crate::fault::{Fault, seeded};
use crate::instrument::thread::{Addr, Event, Thread};
use crate::verdict::UnknownReason;
use lockpair_ir::{EntityRef, LockMode};
use lockpair_smt::{Answer, Limits, Model, Query, Session, Sort, Status, TermId, Terms, to_smtlib};
use std::collections::{BTreeSet, HashSet};
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

/// Which table-registering events make a callback's handle known: (event, handle's table object) -> yes.
pub type Covers<'a> = dyn Fn(i128, i128) -> bool + Sync + 'a;

/// Decides pairs of the threads of one module.
pub struct Checker<'a> {
    threads: &'a [Thread],
    classes: &'a Classes,
    renamings: Vec<Renaming>,
    sources: &'a [Sources],
    /// Handle classes that anybody may register again at any time.
    rearmable: HashSet<String>,
    /// Threads that run once, before anything else of the module can.
    once: Vec<bool>,
    covers: &'a Covers<'a>,
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
        rearmable: HashSet<String>,
        once: Vec<bool>,
        covers: &'a Covers<'a>,
        emit: bool,
    ) -> Self {
        Checker { threads, classes, renamings, sources, rearmable, once, covers, emit }
    }

    /// Whether the thread runs once and nobody else registers what the event registers: then its callbacks
    /// wait for it even where the thread ends before.
    fn is_only_registrar(&self, maker: usize, class: &str, event: &Event) -> bool {
        let table = self.threads[maker].terms.as_int(event.handle.obj);
        let others = self.threads.iter().enumerate().filter(|(t, _)| *t != maker);
        let mut events = others.flat_map(|(_, t)| t.events.iter().map(move |e| (t, e)));
        (self.once[maker] || seeded(Fault::OnceForAll))
            && table.is_some()
            && !events.any(|(t, e)| {
                e.registers && e.class == class && {
                    let other = t.terms.as_int(e.handle.obj);
                    other.is_none() || other == table
                }
            })
    }

    /// Whether everybody who registers handles of the class, another instance of this thread included, is
    /// kept out by the kernel while the thread runs: what it has unregistered stays so.
    fn registrars_wait_for(&self, maker: usize, class: &str) -> bool {
        // Whoever registers a handle in an object that it has just made does not bring back an old one.
        let registers =
            |t: &&Thread| t.events.iter().any(|e| e.registers && e.class == class && !t.makes(e.handle.obj));
        self.threads.iter().filter(registers).all(|t| self.threads[maker].is_serialized_with(t))
    }

    /// Decides the pair of the threads at these positions.
    pub fn check(&self, a: usize, b: usize, name: &str, limits: &PairLimits) -> Outcome {
        let conflicts = self.classes.conflicts(a, b);
        let mut outcome = Outcome { regions: conflicts.len(), ..Outcome::default() };
        if conflicts.is_empty() && !self.emit {
            return outcome;
        }
        let mut condition = Condition::build(self, a, b, &conflicts, limits.query);
        if self.emit {
            outcome.smtlib = Some(String::new());
        }
        condition.solve(limits, &mut outcome);
        if self.emit {
            outcome.smtlib = Some(condition.smtlib(name, &outcome));
        }
        outcome
    }
}

/// The condition of one pair.
struct Condition<'a> {
    terms: Terms,
    sides: [Side<'a>; 2],
    /// The threads' own facts: the recorded sites happen.
    facts: Vec<TermId>,
    /// What makes them a race.
    race: Vec<TermId>,
    /// Per query.
    limits: Limits,
    /// Per side and lock that can matter: held at the recorded site.
    held: [Vec<(usize, TermId)>; 2],
    /// Pairs of classes in which the sides may meet.
    conflicts: Vec<(ClassId, ClassId)>,
}

impl<'a> Condition<'a> {
    fn build(
        checker: &'a Checker<'a>,
        a: usize,
        b: usize,
        conflicts: &[(ClassId, ClassId)],
        limits: Limits,
    ) -> Self {
        let mut terms = Terms::new();
        let left: BTreeSet<ClassId> = conflicts.iter().map(|(x, _)| *x).collect();
        let right: BTreeSet<ClassId> = conflicts.iter().map(|(_, y)| *y).collect();
        let side = |t: usize, n: u32, classes: BTreeSet<ClassId>, terms: &mut Terms| {
            let sites = classes
                .iter()
                .flat_map(|&c| checker.classes.sites(t, c).iter().map(move |group| (c, group)))
                .collect();
            let inner = checker.classes.inner();
            Side::new(terms, &checker.threads[t], inner, &checker.renamings[t], &checker.sources[t], n, sites)
        };
        let s0 = side(a, 0, left, &mut terms);
        let s1 = side(b, 1, right, &mut terms);
        let mut c = Condition {
            terms,
            sides: [s0, s1],
            facts: vec![],
            race: vec![],
            limits,
            held: [vec![], vec![]],
            conflicts: conflicts.to_vec(),
        };
        c.recorded_sites_happen();
        c.both_cover_the_watched_byte();
        c.one_writes_and_one_is_plain();
        c.classes_may_meet(conflicts);
        c.structs_coincide();
        c.holders_coincide();
        c.no_common_lock();
        c.handles_are_registered(checker, a, b);
        c
    }

    fn recorded_sites_happen(&mut self) {
        for side in &mut self.sides {
            if side.sites.is_empty() {
                let none = self.terms.fals();
                self.race.push(none);
                continue;
            }
            let (one, happens) = (side.records_one(&mut self.terms), side.happens(&mut self.terms));
            self.facts.push(self.terms.and2(one, happens));
        }
    }

    fn both_cover_the_watched_byte(&mut self) {
        let watched = self.watched();
        for side in &mut self.sides {
            let covers = side.covers(&mut self.terms, watched);
            self.race.push(covers);
        }
    }

    fn watched(&mut self) -> Addr {
        Addr {
            obj: self.terms.shared_var("watched.object", Sort::Int, None),
            off: self.terms.shared_var("watched.offset", Sort::Int, None),
        }
    }

    fn one_writes_and_one_is_plain(&mut self) {
        let [s0, s1] = &self.sides;
        let writes = [s0.writes(&mut self.terms), s1.writes(&mut self.terms)];
        let one_writes = self.terms.or(&writes);
        let marked = [s0.marked(&mut self.terms), s1.marked(&mut self.terms)];
        let both_marked =
            if seeded(Fault::OneMarkIsEnough) { self.terms.or(&marked) } else { self.terms.and(&marked) };
        let one_plain = self.terms.not(both_marked);
        self.race.extend([one_writes, one_plain]);
    }

    fn classes_may_meet(&mut self, conflicts: &[(ClassId, ClassId)]) {
        let [s0, s1] = &self.sides;
        let (left, right) = (s0.in_class(&mut self.terms), s1.in_class(&mut self.terms));
        for (class, &here) in &left {
            let partners: Vec<TermId> = conflicts
                .iter()
                .filter(|(x, _)| x == class)
                .filter_map(|(_, y)| right.get(y).copied())
                .collect();
            let meets = self.terms.or(&partners);
            let clause = self.terms.implies(here, meets);
            self.race.push(clause);
        }
    }

    /// Objects of one struct type coincide or are disjoint (assumption `alignment`).
    fn structs_coincide(&mut self) {
        for level in LEVELS {
            self.structs_of_level_coincide(level);
        }
    }

    fn structs_of_level_coincide(&mut self, level: Level) {
        let [s0, s1] = &mut self.sides;
        let (left, base0, facts0) = s0.structs(&mut self.terms, level);
        let (right, base1, facts1) = s1.structs(&mut self.terms, level);
        self.race.extend([facts0, facts1]);
        let same = self.terms.eq(base0, base1);
        for (strukt, &here) in &left {
            let there = if seeded(Fault::AlignmentAcrossTypes) {
                let all: Vec<TermId> = right.values().copied().collect();
                self.terms.or(&all)
            } else {
                let Some(&there) = right.get(strukt) else { continue };
                there
            };
            let both = self.terms.and2(here, there);
            let clause = self.terms.implies(both, same);
            self.race.push(clause);
        }
    }

    /// What only one member holds a pointer to, both sides have from that one: the holder is a function of
    /// the object (assumption `unique-owner`).
    fn holders_coincide(&mut self) {
        let watched = self.watched().obj;
        let [left, right] = self.sides.each_mut().map(|s| s.holders(&mut self.terms, watched));
        let fields = |list: &[Held]| list.iter().map(|h| h.field).collect::<HashSet<FieldId>>();
        let common: HashSet<FieldId> = fields(&left).intersection(&fields(&right)).copied().collect();
        for held in left.iter().chain(&right).filter(|h| common.contains(&h.field)) {
            let Held { field, object, place, when } = *held;
            let mut is = |what: &str, part: TermId| {
                let name = format!("holder_{what}.{}.{}", field.strukt.index(), field.offset);
                let holder = self.terms.func(&name, 1, Sort::Int, None);
                let holder = self.terms.app(holder, &[object]);
                self.terms.eq(holder, part)
            };
            let (obj, off) = (is("object", place.obj), is("offset", place.off));
            let there = self.terms.and2(obj, off);
            let clause = self.terms.implies(when, there);
            self.race.push(clause);
        }
    }

    fn no_common_lock(&mut self) {
        let [s0, s1] = &mut self.sides;
        let mut exclusions = Vec::new();
        let mut used: [BTreeSet<usize>; 2] = Default::default();
        for (i, p) in s0.thread.locks.iter().enumerate() {
            for (j, q) in s1.thread.locks.iter().enumerate() {
                let conflict = p.mode == LockMode::Exclusive || q.mode == LockMode::Exclusive;
                let conflict = conflict || seeded(Fault::ModeIgnored);
                if !conflict || (p.class != q.class && !seeded(Fault::ClassIgnored)) {
                    continue;
                }
                let here = s0.flag(&mut self.terms, Flag::Held(i));
                let there = s1.flag(&mut self.terms, Flag::Held(j));
                let both = self.terms.and2(here, there);
                if self.terms.as_bool(both) == Some(false) {
                    continue;
                }
                let (x, y) = (s0.addr(&mut self.terms, p.addr), s1.addr(&mut self.terms, q.addr));
                let (obj, off) = (self.terms.eq(x.obj, y.obj), self.terms.eq(x.off, y.off));
                let excluded =
                    if seeded(Fault::LockAddressIgnored) { both } else { self.terms.and(&[both, obj, off]) };
                exclusions.push(self.terms.not(excluded));
                used[0].insert(i);
                used[1].insert(j);
            }
        }
        self.race.extend(exclusions);
        for (n, used) in used.iter().enumerate() {
            for &i in used {
                let t = self.sides[n].flag(&mut self.terms, Flag::Held(i));
                self.held[n].push((i, t));
            }
        }
    }

    /// A callback runs only while its handle is registered; who makes the handle's object, or is the one
    /// to register it, has not done so before it has done so.
    fn handles_are_registered(&mut self, checker: &Checker, a: usize, b: usize) {
        let order = [(0, a, 1, b), (1, b, 0, a)];
        for (me, maker, other, callback) in order {
            for h in 0..checker.threads[callback].handles.len() {
                let handle = checker.threads[callback].handles[h].clone();
                let at = self.sides[other].addr(&mut self.terms, handle.addr);
                self.handle_clauses(checker, me, maker, &handle.class, at);
            }
        }
    }

    fn handle_clauses(&mut self, checker: &Checker, me: usize, maker: usize, class: &str, at: Addr) {
        let thread = &checker.threads[maker];
        let rearmable = checker.rearmable.contains(class);
        let events: Vec<(usize, &Event)> =
            thread.events.iter().enumerate().filter(|(_, e)| e.class == class).collect();
        let registered = self.registered(checker, me, &events, at);
        let by_others =
            self.may_be_registered_by_others(checker, me, maker, class, at, &mut vec![class.to_owned()]);
        let known = self.terms.or2(registered, by_others);
        for n in (0..thread.locals.len()).filter(|&n| !thread.on_stack[n]) {
            let own = thread.terms.var_term(thread.locals[n]);
            let own = self.sides[me].term(&mut self.terms, own);
            let inside = self.terms.eq(at.obj, own);
            let clause = self.terms.implies(inside, known);
            self.race.push(clause);
        }
        for &(i, e) in &events {
            let same = self.names(checker, me, e, at);
            if e.registers {
                if checker.is_only_registrar(maker, class, e) {
                    let clause = self.terms.implies(same, registered);
                    self.race.push(clause);
                }
            } else if !rearmable && checker.registrars_wait_for(maker, class) {
                let flag = self.sides[me].flag(&mut self.terms, Flag::Event(i));
                let over = self.terms.and2(flag, same);
                let clause = self.terms.not(over);
                self.race.push(clause);
            }
        }
    }

    /// The thread has registered the handle before its recorded site.
    fn registered(&mut self, checker: &Checker, me: usize, events: &[(usize, &Event)], at: Addr) -> TermId {
        let mut list = Vec::new();
        for &(i, e) in events.iter().filter(|(_, e)| e.registers) {
            let flag = self.sides[me].flag(&mut self.terms, Flag::Event(i));
            let flag = if seeded(Fault::EventsBackwards) { self.terms.not(flag) } else { flag };
            let same = self.names(checker, me, e, at);
            list.push(self.terms.and2(flag, same));
        }
        self.terms.or(&list)
    }

    /// Somebody else may have registered a handle that lies in an object which the thread made: another
    /// thread that registers handles of the class at all, unless its own handle lies in the same object
    /// and cannot have been registered yet either. `seen` are the classes asked about already: a circle of
    /// them has no beginning.
    fn may_be_registered_by_others(
        &mut self,
        checker: &Checker,
        me: usize,
        maker: usize,
        class: &str,
        at: Addr,
        seen: &mut Vec<String>,
    ) -> TermId {
        let mut list = Vec::new();
        for other in checker.threads {
            for event in other.events.iter().filter(|e| e.registers && e.class == class) {
                if other.makes(event.handle.obj) {
                    continue;
                }
                let own = other.handles.iter().find(|h| h.addr.obj == event.handle.obj);
                list.push(match own {
                    Some(h) if seen.contains(&h.class) => self.terms.fals(),
                    Some(h) => {
                        seen.push(h.class.clone());
                        let here = self.registered_inside(checker, me, maker, &h.class, at);
                        let there = self.may_be_registered_by_others(checker, me, maker, &h.class, at, seen);
                        seen.pop();
                        self.terms.or2(here, there)
                    }
                    None => self.terms.tru(),
                });
            }
        }
        self.terms.or(&list)
    }

    /// The thread has registered some handle of the class in the object before its recorded site.
    fn registered_inside(
        &mut self,
        checker: &Checker,
        me: usize,
        maker: usize,
        class: &str,
        at: Addr,
    ) -> TermId {
        let mut list = Vec::new();
        for (i, e) in checker.threads[maker].events.iter().enumerate() {
            if e.registers && e.class == class {
                let flag = self.sides[me].flag(&mut self.terms, Flag::Event(i));
                let handle = self.sides[me].addr(&mut self.terms, e.handle);
                let same = self.terms.eq(handle.obj, at.obj);
                list.push(self.terms.and2(flag, same));
            }
        }
        self.terms.or(&list)
    }

    /// Whether the event is about the handle.
    fn names(&mut self, checker: &Checker, me: usize, e: &Event, at: Addr) -> TermId {
        let handle = self.sides[me].addr(&mut self.terms, e.handle);
        if let (Some(x), Some(y)) = (self.terms.as_int(handle.obj), self.terms.as_int(at.obj))
            && (checker.covers)(x, y)
        {
            return self.terms.tru();
        }
        let (obj, off) = (self.terms.eq(handle.obj, at.obj), self.terms.eq(handle.off, at.off));
        self.terms.and2(obj, off)
    }

    fn solve(&mut self, limits: &PairLimits, outcome: &mut Outcome) {
        let until = Instant::now() + limits.pair;
        let race = self.terms.and(&self.race);
        if self.terms.as_bool(race) == Some(false) {
            return;
        }
        let mut naming = self.naming();
        self.find(&mut naming, None, limits.races, until, &mut outcome.found);
        let mut session = Session::new(&limits.query);
        for &fact in &self.facts {
            session.assert(&self.terms, fact);
        }
        // A level of its own: as plain assertions the clauses are units and propagate at once.
        session.push();
        for &clause in &self.race {
            session.assert(&self.terms, clause);
        }
        loop {
            if outcome.found.len() >= limits.races {
                outcome.unknown = Some(UnknownReason::TooManyRaces(limits.races));
                return;
            }
            if Instant::now() > until {
                outcome.unknown = Some(UnknownReason::Timeout);
                return;
            }
            for block in naming.blocks(&mut self.terms) {
                session.assert(&self.terms, block);
            }
            outcome.queries += 1;
            match session.check(&self.terms, &[]) {
                Answer::Unsat => break,
                Answer::Unknown(why) => {
                    outcome.unknown = Some(reason(why));
                    return;
                }
                Answer::Sat(model) => {
                    self.find(&mut naming, Some(&model), limits.races, until, &mut outcome.found);
                }
            }
        }
        if outcome.found.is_empty() && !naming.is_satisfiable(&self.terms, &self.facts) {
            session.pop();
            self.not_vacuous(&mut session, outcome);
        }
    }

    /// A proof counts only if the threads' facts are satisfiable without the race (design, rule 12).
    fn not_vacuous(&mut self, session: &mut Session, outcome: &mut Outcome) {
        outcome.queries += 1;
        match session.is_satisfiable(&self.terms) {
            Ok(true) => {}
            // A side of which no site can happen proves the pair; its sites are listed as unreachable.
            Ok(false) if self.one_side_is_unreachable(outcome) => {}
            Ok(false) => {
                outcome.unknown =
                    Some(UnknownReason::Vacuous("the two threads' facts contradict each other".into()));
            }
            Err(why) => outcome.unknown = Some(reason(why)),
        }
    }

    fn one_side_is_unreachable(&mut self, outcome: &mut Outcome) -> bool {
        let limits = self.limits;
        (0..self.facts.len()).any(|n| {
            let mut session = Session::new(&limits);
            session.assert(&self.terms, self.facts[n]);
            outcome.queries += 1;
            session.is_satisfiable(&self.terms) == Ok(false)
        })
    }

    fn naming(&mut self) -> Naming {
        let watched = self.watched();
        let goals = self.facts.iter().chain(&self.race).copied().collect();
        let held: Vec<TermId> = self.held.iter().flatten().map(|&(_, t)| t).collect();
        Naming::new(&mut self.terms, &mut self.sides, &self.conflicts, watched, goals, &held)
    }

    /// The race that the model shows, and those that a search finds from there.
    fn find(
        &self,
        naming: &mut Naming,
        model: Option<&Model>,
        limit: usize,
        until: Instant,
        found: &mut Vec<Found>,
    ) {
        let mut say = |naming: &Naming, race: Race| {
            let held = [0, 1].map(|n| self.held_at(naming, n, race.picks[n]));
            found.extend(race.sites.iter().map(|&sites| Found { sites, held: held.clone() }));
            found.truncate(limit);
            found.len() < limit
        };
        match model {
            Some(model) => naming.read(&self.terms, model, until, &mut say),
            None => naming.search(&self.terms, until, &mut say),
        }
    }

    /// The locks held at the recorded site: those that the condition speaks of, by the model, and those
    /// that are held there in any case.
    fn held_at(&self, naming: &Naming, n: usize, pick: usize) -> Vec<usize> {
        let side = &self.sides[n];
        let site = side.site(pick);
        let surely = |i: usize| site.held.get(i).is_some_and(|&t| side.thread.terms.as_bool(t) == Some(true));
        let by_model = |i: usize| self.held[n].iter().any(|&(j, t)| j == i && naming.holds(t));
        (0..side.thread.locks.len()).filter(|&i| surely(i) || by_model(i)).collect()
    }

    fn smtlib(&mut self, name: &str, outcome: &Outcome) -> String {
        let status = match (&outcome.unknown, outcome.found.is_empty()) {
            (_, false) => Some(Status::Sat),
            (None, true) => Some(Status::Unsat),
            (Some(_), true) => None,
        };
        let mut assertions = self.facts.clone();
        assertions.extend(self.race.iter().copied());
        let mut comments = vec![
            "Satisfiable if and only if the verifier found that the two entry points may race.".to_owned(),
            "The propositions record@1_n and record@2_n choose the two accesses:".to_owned(),
        ];
        for (n, side) in self.sides.iter().enumerate() {
            comments.push(format!(
                "side {}: {} sites, {} locks",
                n + 1,
                side.sites.len(),
                side.thread.locks.len()
            ));
        }
        to_smtlib(&self.terms, &Query { name: name.to_owned(), comments, assertions, status })
    }
}

fn reason(why: lockpair_smt::UnknownReason) -> UnknownReason {
    match why {
        lockpair_smt::UnknownReason::Timeout => UnknownReason::Timeout,
        lockpair_smt::UnknownReason::Memory => UnknownReason::Memory,
        other => UnknownReason::Solver(other.to_string()),
    }
}
