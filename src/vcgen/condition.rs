//! The condition under which a pair races.

mod registered;

use self::registered::Place;
use super::classes::ClassId;
use super::creation::{Creation, handle_number, seen_by_others};
use super::pair::{Checker, classes_of};
use super::protection::Protection;
use super::side::{Flag, LEVELS, Level, Side};
use super::unbound::{self, Needed};
use crate::fault::{Fault, seeded};
use crate::instrument::thread::{Addr, Event, HANDED_OUT, Handle, Lock, Thread};
use crate::instrument::values;
use lockpair_smt::{Sort, TermId, Terms};
use std::collections::{BTreeSet, HashMap};

/// Two threads in one arena, and what makes them race.
pub struct Condition<'a> {
    checker: &'a Checker<'a>,
    /// Their positions among the threads of the module.
    threads: [usize; 2],
    /// The arena.
    pub terms: Terms,
    /// The threads in it.
    pub sides: [Side<'a>; 2],
    /// The condition.
    pub clauses: Clauses,
    /// Per side, unregistration and handle: that the handle's callbacks are over.
    over: HashMap<(usize, usize, Addr), TermId>,
}

/// A condition, in three parts: what leaves out the second allows more.
#[derive(Clone, Default)]
pub struct Clauses {
    /// Each side records exactly one of its sites.
    pub recorded: Vec<TermId>,
    /// The recorded sites happen.
    pub happen: Vec<TermId>,
    /// They race.
    pub race: Vec<TermId>,
    /// Per side and lock that can matter: held at the recorded site.
    pub held: [Vec<(usize, TermId)>; 2],
}

impl Clauses {
    /// The threads' own facts.
    pub fn facts(&self) -> Vec<TermId> {
        [&self.recorded[..], &self.happen].concat()
    }

    /// The whole condition.
    pub fn all(&self) -> Vec<TermId> {
        [&self.recorded[..], &self.happen, &self.race].concat()
    }
}

impl<'a> Condition<'a> {
    /// Of the sites in classes that conflict, at most so many of a class.
    pub fn build(
        checker: &'a Checker<'a>,
        threads: [usize; 2],
        conflicts: &[(ClassId, ClassId)],
        most: usize,
    ) -> Condition<'a> {
        let mut terms = Terms::new();
        let [left, right] = classes_of(conflicts);
        let [a, b] = threads;
        let sides = [checker.side(&mut terms, a, 0, left, most), checker.side(&mut terms, b, 1, right, most)];
        let mut c =
            Condition { checker, threads, terms, sides, clauses: Clauses::default(), over: HashMap::new() };
        c.encode(conflicts);
        c
    }

    /// Only these sites of the sides take part from now on, only where these classes meet.
    pub fn narrow(&mut self, sites: &[Vec<bool>; 2], conflicts: &[(ClassId, ClassId)]) {
        for (side, sites) in self.sides.iter_mut().zip(sites) {
            side.narrow(&mut self.terms, sites);
        }
        self.encode(conflicts);
    }

    /// How many terms it has.
    pub fn size(&self) -> usize {
        self.terms.reachable(&self.clauses.all(), |_| false).len()
    }

    /// Whether it is seen to be false without asking.
    pub fn is_false(&mut self) -> bool {
        let race = self.terms.and(&self.clauses.race);
        self.terms.as_bool(race) == Some(false)
    }

    fn encode(&mut self, conflicts: &[(ClassId, ClassId)]) {
        self.clauses = Clauses::default();
        self.over.clear();
        self.recorded_sites_happen();
        self.structs_coincide();
        self.both_cover_the_watched_byte();
        self.one_writes_and_one_is_plain();
        self.classes_may_meet(conflicts);
        self.holders_coincide();
        self.heads_coincide();
        self.pointers_are_one();
        let checker = self.checker;
        let has = |protection: Protection| !checker.without.contains(&protection);
        if has(Protection::Locks) {
            self.no_common_lock();
        }
        if has(Protection::Cpus) {
            self.nothing_keeps_the_other_off();
        }
        if has(Protection::Callbacks) {
            self.handles_are_registered();
            self.bound_callbacks_are_registered();
            self.handles_of_devices_are_registered();
            self.bound_callbacks_have_ended();
            self.not_beside_binding();
            self.managed_callbacks_have_ended();
            self.both_exist();
        }
        if !has(Protection::Conditions) {
            self.clauses.happen.clear();
        }
    }

    fn recorded_sites_happen(&mut self) {
        for side in &mut self.sides {
            if side.has_none() {
                let none = self.terms.fals();
                self.clauses.race.push(none);
                continue;
            }
            self.clauses.recorded.push(side.records_one(&mut self.terms));
            self.clauses.happen.push(side.happens(&mut self.terms));
        }
    }

    fn both_cover_the_watched_byte(&mut self) {
        let watched = self.watched();
        for side in &mut self.sides {
            let covers = side.covers(&mut self.terms, watched);
            self.clauses.race.push(covers);
        }
    }

    /// The byte that both sites cover.
    pub fn watched(&mut self) -> Addr {
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
        self.clauses.race.extend([one_writes, one_plain]);
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
            self.clauses.race.push(clause);
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
        self.clauses.race.extend([facts0, facts1]);
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
            self.clauses.race.push(clause);
        }
    }

    /// Pointers that are one as the kernel calls an entry point. One that was read through null says nothing.
    fn pointers_are_one(&mut self) {
        for side in &mut self.sides {
            for same in &side.thread.same {
                let [one, other] = same.pointers.map(|addr| side.addr(&mut self.terms, addr));
                let same_addr = values::same_addr(&mut self.terms, one, other);
                let zero = self.terms.int(0);
                let mut clause = vec![same_addr];
                let through = if seeded(Fault::SameThroughNull) { &[][..] } else { &same.through };
                for &object in through {
                    let object = side.term(&mut self.terms, object);
                    clause.push(self.terms.eq(object, zero));
                }
                let clause = self.terms.or(&clause);
                self.clauses.race.push(clause);
            }
        }
    }

    fn no_common_lock(&mut self) {
        let [first, second] = self.threads;
        let [s0, s1] = &mut self.sides;
        let mut exclusions = Vec::new();
        let mut used: [BTreeSet<usize>; 2] = Default::default();
        for (i, p) in s0.thread.locks.iter().enumerate() {
            for (j, q) in s1.thread.locks.iter().enumerate() {
                let conflict = p.conflicts(q) || seeded(Fault::ModeIgnored);
                let masks = p.keeps_off.is_some() || q.keeps_off.is_some();
                let is_flag = p.owns.is_some() && self.checker.without.contains(&Protection::Flags);
                let one_class = p.class == q.class || p.contradicts(q) || seeded(Fault::ClassIgnored);
                if masks || is_flag || !conflict || !one_class {
                    continue;
                }
                let several = |side: &Side, lock: &Lock| self.checker.is_one_of_several(side.thread, lock);
                if several(s0, p) || several(s1, q) || !self.checker.states.exclude((first, p), (second, q)) {
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
        self.clauses.race.extend(exclusions);
        for (n, used) in used.iter().enumerate() {
            self.clauses.held[n] =
                used.iter().map(|&i| (i, self.sides[n].flag(&mut self.terms, Flag::Held(i)))).collect();
        }
    }

    /// Of two threads on one CPU, one has come in between what the other does, and so nothing there keeps it off.
    fn nothing_keeps_the_other_off(&mut self) {
        let [s0, s1] = &mut self.sides;
        let keeps_off = |lock: &Lock, other: &Thread| {
            lock.keeps_off.is_some_and(|highest| highest >= other.highest || seeded(Fault::MasksKeepAllOff))
        };
        let [held0, held1] = [(&*s0, &*s1), (&*s1, &*s0)].map(|(side, other)| {
            let locks = side.thread.locks.iter().enumerate();
            locks.filter(|(_, lock)| keeps_off(lock, other.thread)).map(|(i, _)| i).collect::<Vec<usize>>()
        });
        if held0.is_empty() || held1.is_empty() {
            return;
        }
        let terms = &mut self.terms;
        let [one, other] = [(s0, &held0), (s1, &held1)].map(|(side, locks)| {
            let held: Vec<TermId> = locks.iter().map(|&i| side.flag(terms, Flag::Held(i))).collect();
            let cpu = side.cpu(terms);
            (terms.or(&held), cpu)
        });
        let same = if seeded(Fault::CpusAreOne) { terms.tru() } else { terms.eq(one.1, other.1) };
        let excluded = terms.and(&[one.0, other.0, same]);
        self.clauses.race.push(terms.not(excluded));
    }

    /// A callback runs only while its handle is registered; who makes the handle's object, or is the one
    /// to register it, has not done so before it has done so.
    fn handles_are_registered(&mut self) {
        for (maker, callback) in [(0, 1), (1, 0)] {
            let thread = self.sides[callback].thread;
            for handle in &thread.handles {
                let at = self.sides[callback].addr(&mut self.terms, handle.addr);
                self.handle_clauses(maker, &handle.class, at);
            }
        }
    }

    fn handle_clauses(&mut self, maker: usize, class: &str, at: Addr) {
        let (checker, thread) = (self.checker, self.sides[maker].thread);
        let events: Vec<(usize, &Event)> =
            thread.events.iter().enumerate().filter(|(_, e)| e.class == class).collect();
        let registered = self.registered(maker, &events, at);
        let handed_out = self.is_handed_out(maker, class, at);
        let registered = self.terms.or2(registered, handed_out);
        let place = Place { obj: at.obj, off: Some(at.off) };
        let by_others = self.may_be_registered_by_others(maker, class, place);
        let known = self.terms.or2(registered, by_others);
        for n in (0..thread.locals.len()).filter(|&n| !thread.on_stack[n]) {
            let own = thread.terms.var_term(thread.locals[n]);
            let own = self.sides[maker].term(&mut self.terms, own);
            let inside = self.terms.eq(at.obj, own);
            let clause = self.terms.implies(inside, known);
            self.clauses.race.push(clause);
        }
        for &(i, e) in &events {
            let same = self.names(maker, e, at);
            if e.registers {
                if checker.is_only_registrar(self.threads[maker], class, e) {
                    let clause = self.terms.implies(same, registered);
                    self.clauses.race.push(clause);
                }
            } else {
                let over = self.is_over(maker, i, at);
                let clause = self.terms.not(over);
                self.clauses.race.push(clause);
            }
        }
    }

    /// What the kernel calls for a device only because of the driver, it does not call before who binds the driver to the
    /// device has registered that (assumption `bound-callbacks`).
    fn bound_callbacks_are_registered(&mut self) {
        let checker = self.checker;
        for (maker, callback) in [(0, 1), (1, 0)] {
            let (thread, number) = (self.sides[callback].thread, self.threads[maker]);
            for device in checker.bound.devices(self.sides[maker].thread) {
                for handle in &thread.bound {
                    let Some(events) = checker.bound.registrations(checker.threads, number, thread, handle)
                    else {
                        continue;
                    };
                    let at = self.sides[callback].addr(&mut self.terms, handle.addr);
                    let own = self.sides[maker].addr(&mut self.terms, device.addr);
                    let same = values::same_addr(&mut self.terms, at, own);
                    let flags: Vec<TermId> = events
                        .into_iter()
                        .map(|e| self.sides[maker].flag(&mut self.terms, Flag::Event(e)))
                        .collect();
                    let registered = if seeded(Fault::BoundAfterwards) {
                        self.terms.fals()
                    } else {
                        self.terms.or(&flags)
                    };
                    let clause = self.terms.implies(same, registered);
                    self.clauses.race.push(clause);
                }
            }
        }
    }

    /// What is registered for a device under a handle of its own, and is over when the driver is unbound, does not run before who
    /// binds the driver has registered it.
    fn handles_of_devices_are_registered(&mut self) {
        let checker = self.checker;
        for (maker, callback) in [(0, 1), (1, 0)] {
            let number = self.threads[maker];
            for handle in &self.sides[callback].thread.handles {
                let is_outside = checker.registrations.outside.contains(&handle.class);
                let own = checker.bound.own_registrations(checker.threads, number, handle);
                let Some((distance, events)) = own.filter(|_| !is_outside) else { continue };
                for device in checker.bound.devices(self.sides[maker].thread) {
                    let at = self.sides[callback].addr(&mut self.terms, handle.addr);
                    let own = self.sides[maker].addr(&mut self.terms, device.addr);
                    let distance = self.terms.int(distance);
                    let off = self.terms.add2(own.off, distance);
                    let same = values::same_addr(&mut self.terms, at, Addr { off, ..own });
                    let flag = |&e: &usize| self.sides[maker].flag(&mut self.terms, Flag::Event(e));
                    let flags: Vec<TermId> = events.iter().map(flag).collect();
                    let registered = self.terms.or(&flags);
                    let clause = self.terms.implies(same, registered);
                    self.clauses.race.push(clause);
                }
            }
        }
    }

    /// What the kernel calls for a device is over when who holds the device's lock has ended all that it was registered
    /// through, and waited for it.
    fn bound_callbacks_have_ended(&mut self) {
        let checker = self.checker;
        for (maker, callback) in [(0, 1), (1, 0)] {
            let (thread, number) = (self.sides[callback].thread, self.threads[maker]);
            for handle in &thread.bound {
                let Some(ways) = checker.bound.ends(checker.threads, number, thread, handle) else {
                    continue;
                };
                let at = self.sides[callback].addr(&mut self.terms, handle.addr);
                let ended: Vec<TermId> =
                    ways.iter().map(|events| self.has_ended(maker, events, at)).collect();
                let ended = if seeded(Fault::BoundEndsInPart) {
                    self.terms.or(&ended)
                } else {
                    self.terms.and(&ended)
                };
                for device in self.sides[maker].thread.device_locks() {
                    let own = self.sides[maker].addr(&mut self.terms, device.addr);
                    let same = values::same_addr(&mut self.terms, at, own);
                    let over = self.terms.and2(same, ended);
                    self.clauses.race.push(self.terms.not(over));
                }
            }
        }
    }

    /// What is there only while a driver is bound does not run while that is bound or unbound.
    fn not_beside_binding(&mut self) {
        for (maker, callback) in [(0, 1), (1, 0)] {
            let thread = self.sides[callback].thread;
            for handle in &thread.bound {
                for device in self.checker.bound.not_beside(self.sides[maker].thread, handle) {
                    let at = self.sides[callback].addr(&mut self.terms, handle.addr);
                    let own = self.sides[maker].addr(&mut self.terms, device.addr);
                    let same = values::same_addr(&mut self.terms, at, own);
                    self.clauses.race.push(self.terms.not(same));
                }
            }
        }
    }

    /// When memory ends with a driver, callbacks are over that ended with it before.
    fn managed_callbacks_have_ended(&mut self) {
        let checker = self.checker;
        for (maker, callback) in [(0, 1), (1, 0)] {
            let [last, thread] = [maker, callback].map(|side| self.sides[side].thread);
            let ways = unbound::ways(&checker.bound, checker.covers, checker.threads, last, thread);
            if ways.is_empty() {
                continue;
            }
            let its_own = self.sides[callback].is_of_own_device(&mut self.terms);
            for (handle, needed) in ways {
                let mut all = vec![its_own];
                all.extend(needed.into_iter().map(|needed| self.has_come(maker, callback, needed, handle)));
                let over = self.terms.and(&all);
                self.clauses.race.push(self.terms.not(over));
            }
        }
    }

    /// What must have ended has ended at the maker's recorded site.
    fn has_come(
        &mut self,
        maker: usize,
        callback: usize,
        needed: Needed<'_>,
        handle: Option<&Handle>,
    ) -> TermId {
        let last = self.sides[maker].thread;
        match needed {
            Needed::Event { number, by_object } => {
                let flag = self.sides[maker].flag(&mut self.terms, Flag::Event(number));
                let Some((handle, event)) = handle.zip(by_object) else { return flag };
                let own = self.sides[callback].term(&mut self.terms, handle.addr.obj);
                let ended = self.sides[maker].term(&mut self.terms, last.events[event].handle.obj);
                let same = self.terms.eq(own, ended);
                let in_force = self.sides[maker].flag(&mut self.terms, Flag::Event(event));
                let of_object = self.terms.and2(in_force, same);
                self.terms.or2(flag, of_object)
            }
            Needed::Unbound(events) => {
                let flags = events.iter().map(|&n| self.sides[maker].flag(&mut self.terms, Flag::Event(n)));
                let flags: Vec<TermId> = flags.collect();
                self.terms.or(&flags)
            }
            Needed::Ended(kept) => {
                let at = self.sides[maker].addr(&mut self.terms, kept.handle);
                let ends = (0..last.events.len())
                    .filter(|&n| !last.events[n].registers && last.events[n].class == kept.class);
                let over: Vec<TermId> = ends.map(|n| self.is_over(maker, n, at)).collect();
                let over = self.terms.or(&over);
                let unbound = self.sides[maker].flag(&mut self.terms, Flag::Event(kept.unbound));
                self.terms.and2(unbound, over)
            }
        }
    }

    /// One of the thread's ends has come, and was that of the handle.
    fn has_ended(&mut self, maker: usize, events: &[usize], at: Addr) -> TermId {
        let mut any = Vec::new();
        for &n in events {
            let ended = self.sides[maker].flag(&mut self.terms, Flag::Event(n));
            let same = if seeded(Fault::BoundEndsForAll) {
                self.terms.tru()
            } else {
                self.names(maker, &self.sides[maker].thread.events[n], at)
            };
            any.push(self.terms.and2(ended, same));
        }
        self.terms.or(&any)
    }

    /// A thread that the module makes exists only after it was made, and is one of those that were made; two of them are
    /// two.
    fn both_exist(&mut self) {
        for (side, other) in [(0, 1), (1, 0)] {
            let was_made = self.was_made(self.threads[side], other, &mut Vec::new());
            self.clauses.race.push(was_made);
            let is_one = self.is_one_of_those_made(side);
            self.clauses.race.push(is_one);
        }
        let [Some(left), Some(right)] = [0, 1].map(|side| self.own_handle(side)) else { return };
        // Both may have been given null, but nothing lies there.
        let (watched, zero, end) = (self.watched(), self.terms.int(0), self.terms.int(4096));
        let (null, near) = (self.terms.eq(watched.obj, zero), self.terms.lt(watched.off, end));
        let on_first_page = self.terms.and2(null, near);
        let elsewhere = self.terms.not(on_first_page);
        self.clauses.race.push(elsewhere);
        let same = self.terms.eq(left.obj, right.obj);
        let differ = self.terms.not(same);
        self.clauses.race.push(differ);
        let made = [0, 1].map(|side| self.each_made_once(side).to_vec());
        for &a in &made[0] {
            for &b in made[1].iter().filter(|&&b| self.checker.creations.are_ordered(a, b)) {
                let (is_a, is_b) = (self.is_number(left, a), self.is_number(right, b));
                let both = self.terms.and2(is_a, is_b);
                let clause = self.terms.not(both);
                self.clauses.race.push(clause);
            }
        }
    }

    /// The handle of the side's thread, if it is made when the thread is registered.
    fn own_handle(&mut self, side: usize) -> Option<Addr> {
        self.checker.creations.makers(self.threads[side])?;
        let handle = self.sides[side].thread.handles.iter().find(|h| h.made)?;
        Some(self.sides[side].addr(&mut self.terms, handle.addr))
    }

    /// The events that make the side's thread, if each makes one.
    fn each_made_once(&self, side: usize) -> &'a [Creation] {
        let checker = self.checker;
        checker.creations.each_once(checker.threads, self.threads[side]).unwrap_or_default()
    }

    /// If the side `by` runs once: at its recorded site, it has made the thread, or one that leads to it. `seen` are the
    /// threads asked about already: none is made by itself first.
    fn was_made(&mut self, thread: usize, by: usize, seen: &mut Vec<usize>) -> TermId {
        let creations = &self.checker.creations;
        let Some(makers) = creations.makers(thread) else { return self.terms.tru() };
        let root = self.threads[by];
        if !creations.runs_once(root) || thread == root {
            return self.terms.tru();
        }
        seen.push(thread);
        let mut ways = Vec::new();
        for c in makers {
            if c.maker == root {
                ways.push(self.sides[by].flag(&mut self.terms, Flag::Event(c.event)));
            } else if !seen.contains(&c.maker) && !seeded(Fault::MadeDirectly) {
                ways.push(self.was_made(c.maker, by, seen));
            }
        }
        seen.pop();
        self.terms.or(&ways)
    }

    /// The thread has the handle and the argument of one of those made, where each is made once.
    fn is_one_of_those_made(&mut self, side: usize) -> TermId {
        let Some(own) = self.own_handle(side) else { return self.terms.tru() };
        let checker = self.checker;
        let Some(made) = checker.creations.each_once(checker.threads, self.threads[side]) else {
            return self.terms.tru();
        };
        let handle = self.sides[side].thread.handles.iter().find(|h| h.made);
        let params = handle.map(|h| h.params.clone()).unwrap_or_default();
        let other = 1 - side;
        let mut ways = Vec::new();
        for &c in made {
            let event = &checker.threads[c.maker].events[c.event];
            let by_other = c.maker == self.threads[other];
            let mut facts = if by_other {
                let flag = self.sides[other].flag(&mut self.terms, Flag::Event(c.event));
                vec![flag, self.names(other, event, own)]
            } else {
                vec![self.is_number(own, c)]
            };
            if let Some((n, at)) = event.argument
                && let Some(&Some(param)) = params.get(n as usize)
            {
                let param = self.sides[side].addr(&mut self.terms, param);
                let (objects, off) = if by_other {
                    let at = self.sides[other].addr(&mut self.terms, at);
                    (Some(vec![at.obj]), Some(at.off))
                } else {
                    seen_by_others(&mut self.terms, checker.threads, c.maker, at)
                };
                if let Some(objects) = objects {
                    let ways: Vec<TermId> =
                        objects.iter().map(|&obj| self.terms.eq(param.obj, obj)).collect();
                    facts.push(self.terms.or(&ways));
                }
                facts.extend(off.map(|off| self.terms.eq(param.off, off)));
                // What is passed as a pointer may be a number.
                let maker = &checker.threads[c.maker].terms;
                if let (Some(0), Some(k)) = (maker.as_int(at.obj), maker.as_int(at.off)) {
                    facts.extend(values::is_number(&mut self.terms, param, k));
                }
            }
            ways.push(self.terms.and(&facts));
        }
        self.terms.or(&ways)
    }

    fn is_number(&mut self, own: Addr, c: Creation) -> TermId {
        let number = self.terms.int(handle_number(c));
        self.terms.eq(own.obj, number)
    }

    /// At its recorded site the thread has waited for the end of the handle's callbacks, by the event of that number,
    /// and nobody can have registered the handle since.
    fn is_over(&mut self, maker: usize, event: usize, at: Addr) -> TermId {
        let Some(needs) = self.checker.teardowns.needs(self.threads[maker], event) else {
            return self.terms.fals();
        };
        if let Some(&known) = self.over.get(&(maker, event, at)) {
            return known;
        }
        let waited = self.has_waited(maker, event, at);
        if self.terms.as_bool(waited) == Some(false) {
            return waited;
        }
        let mut all = vec![waited];
        for need in needs {
            let ways: Vec<TermId> = need
                .iter()
                .map(|&(earlier, distance)| self.was_over(maker, [earlier, event], (at, distance)))
                .collect();
            all.push(self.terms.or(&ways));
        }
        let over = self.terms.and(&all);
        self.over.insert((maker, event, at), over);
        over
    }

    /// The event is one of the handle, and the thread has not registered that again before its recorded site.
    fn has_waited(&mut self, maker: usize, event: usize, at: Addr) -> TermId {
        let same = self.names(maker, &self.sides[maker].thread.events[event], at);
        let waited = self.sides[maker].flag(&mut self.terms, Flag::Event(event));
        self.terms.and2(waited, same)
    }

    /// The callbacks of the handle that lies that far before were over, by the earlier event, when the later one came.
    fn was_over(
        &mut self,
        maker: usize,
        [earlier, later]: [usize; 2],
        (at, distance): (Addr, i128),
    ) -> TermId {
        let back = self.terms.int(-distance);
        let at = Addr { obj: at.obj, off: self.terms.add2(at.off, back) };
        if seeded(Fault::TeardownInAnyOrder) {
            return self.has_waited(maker, earlier, at);
        }
        let thread = self.sides[maker].thread;
        let before = thread.events[later].before.get(earlier).copied().unwrap_or(thread.terms.fals());
        let before = self.sides[maker].term(&mut self.terms, before);
        let over = self.is_over(maker, earlier, at);
        self.terms.and2(before, over)
    }

    /// The thread has registered the handle before its recorded site.
    fn registered(&mut self, maker: usize, events: &[(usize, &Event)], at: Addr) -> TermId {
        let mut list = Vec::new();
        for &(i, e) in events.iter().filter(|(_, e)| e.registers) {
            let flag = self.sides[maker].flag(&mut self.terms, Flag::Event(i));
            let flag = if seeded(Fault::EventsBackwards) { self.terms.not(flag) } else { flag };
            let same = self.names(maker, e, at);
            list.push(self.terms.and2(flag, same));
        }
        self.terms.or(&list)
    }

    /// The thread has given the handle's object to unknown code before its recorded site, which may have registered it.
    fn is_handed_out(&mut self, maker: usize, class: &str, at: Addr) -> TermId {
        let thread = self.sides[maker].thread;
        let is_known = !self.checker.registrations.by_tables.contains(class);
        let mut list = Vec::new();
        for (i, e) in thread.events.iter().enumerate().filter(|(_, e)| !is_known && e.class == HANDED_OUT) {
            let flag = self.sides[maker].flag(&mut self.terms, Flag::Event(i));
            let object = self.sides[maker].term(&mut self.terms, e.handle.obj);
            let same = if e.anywhere { self.terms.tru() } else { self.terms.eq(object, at.obj) };
            list.push(self.terms.and2(flag, same));
        }
        self.terms.or(&list)
    }

    /// Whether the event is about the handle.
    fn names(&mut self, maker: usize, e: &Event, at: Addr) -> TermId {
        if e.anywhere {
            return self.terms.tru();
        }
        let handle = self.sides[maker].addr(&mut self.terms, e.handle);
        if let (Some(x), Some(y)) = (self.terms.as_int(handle.obj), self.terms.as_int(at.obj))
            && (self.checker.covers)(x, y)
        {
            return self.terms.tru();
        }
        let (obj, off) = (self.terms.eq(handle.obj, at.obj), self.terms.eq(handle.off, at.off));
        self.terms.and2(obj, off)
    }
}
