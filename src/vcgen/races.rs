//! Naming the places that race, with few questions to the solver.
//!
//! Most pairs of sites race under assignments that are easily found: one of the sites is recorded on
//! either side, and what does not hold then is repaired, backward from the condition to the variables.
//! Only what satisfies the whole condition is named. What is not found in this way is left to the solver,
//! who has the last word; its models are where the search goes on from.

use super::classes::ClassId;
use super::condition::Clauses;
use super::side::{LEVELS, Side};
use crate::analysis::layout::Shape;
use crate::instrument::thread::{Addr, Lock};
use lockpair_ir::{LocId, Mark};
use lockpair_smt::{Model, Tape, TermId, Terms, Value};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Instant;

/// A place in the source and the kind of access: what identifies a race for the enumeration.
type Place = (Option<LocId>, bool);

/// Which places of a pair are named, and how more are found.
pub struct Naming {
    sides: [Candidates; 2],
    /// Pairs of classes that may meet.
    meetings: Vec<Meeting>,
    /// Per side and site: whether it may still have part in something new.
    open: [Vec<bool>; 2],
    watched: Addr,
    /// What must hold.
    goals: Vec<TermId>,
    /// Per side and lock that can matter: held at the recorded site.
    held: [Vec<(usize, TermId)>; 2],
    tape: Tape,
}

/// A race that is to be reported.
pub struct Race {
    /// Per side: the site recorded, as a position among those that take part.
    pub picks: [usize; 2],
    /// Places of it that were not named before: per side a site of the thread.
    pub sites: Vec<[usize; 2]>,
}

/// What is told of races, while they are recorded; whether to go on.
pub type Say<'s> = dyn FnMut(&Naming, Race) -> bool + 's;

/// The sites of one side.
struct Candidates {
    sites: Vec<Candidate>,
    /// Per class: its sites, and how many places they are.
    groups: BTreeMap<ClassId, (Vec<usize>, usize)>,
    picks: Vec<TermId>,
    ladder: Vec<TermId>,
    bases: Vec<TermId>,
}

/// A site's terms in the pair's arena.
struct Candidate {
    class: ClassId,
    obj: TermId,
    off: TermId,
    /// `None`: all of the object.
    len: Option<TermId>,
    /// Where its structs begin, by level.
    bases: [Option<TermId>; LEVELS.len()],
    write: bool,
    plain: bool,
    /// The places of the sites that it stands for: the number within the class, and a site there.
    places: Vec<(usize, usize)>,
    /// What locks are surely held, without their addresses.
    locks: HashSet<LockType>,
}

/// What two locks have in common that are mostly one.
type LockType = (String, Shape);

struct Meeting {
    classes: [ClassId; 2],
    /// Per side and place of the class: named in a report.
    named: [Vec<bool>; 2],
    /// Whether more was named since the last block.
    changed: bool,
    /// How many searches have found nothing here, the last ones in a row.
    in_vain: usize,
}

impl Meeting {
    fn has_new(&self, n: usize, c: &Candidate) -> bool {
        c.places.iter().any(|&(p, _)| !self.named[n][p])
    }

    /// Names the places of two sites; pairs that have all those that were not named before, but at least
    /// one.
    fn name(&mut self, sites: [&Candidate; 2]) -> Vec<[usize; 2]> {
        let new = [0, 1].map(|n| {
            let mut new = sites[n].places.clone();
            new.retain(|&(p, _)| !self.named[n][p]);
            new
        });
        for (named, new) in self.named.iter_mut().zip(&new) {
            new.iter().for_each(|&(p, _)| named[p] = true);
        }
        self.changed = true;
        let nth = |n: usize, k: usize| new[n].get(k).unwrap_or(&sites[n].places[0]).1;
        let count = new[0].len().max(new[1].len()).max(1);
        (0..count).map(|k| [nth(0, k), nth(1, k)]).collect()
    }
}

/// From so many terms on, it pays to look only at those that matter for the sites that are recorded.
const LARGE: usize = 20_000;
/// Partners that are tried in vain with a site, before it is left to the solver.
const PATIENCE: usize = 2;
/// Pairs of sites that are tried in vain in two classes, before what is left there is left to the solver.
const IN_VAIN: usize = 4;
/// Searches in vain, before two classes are left to the solver.
const SEARCHES: usize = 2;
/// Rounds of repair for one pair of sites: more cost more than they find.
const ROUNDS: usize = 2;

impl Naming {
    /// Nothing is named yet. `clauses` is the whole condition.
    pub fn new(
        terms: &mut Terms,
        sides: &mut [Side; 2],
        conflicts: &[(ClassId, ClassId)],
        watched: Addr,
        clauses: &Clauses,
    ) -> Naming {
        let [s0, s1] = sides;
        let sides = [Candidates::new(terms, s0), Candidates::new(terms, s1)];
        let unnamed = |n: usize, c: ClassId| vec![false; sides[n].groups.get(&c).map_or(0, |g| g.1)];
        let meeting = |&(x, y): &(ClassId, ClassId)| Meeting {
            classes: [x, y],
            named: [unnamed(0, x), unnamed(1, y)],
            changed: false,
            in_vain: 0,
        };
        let meetings = conflicts.iter().map(meeting).collect();
        let held = clauses.held.clone();
        let open = [0, 1].map(|n: usize| vec![true; sides[n].sites.len()]);
        let goals = clauses.all();
        let mut roots = goals.clone();
        roots.extend(held.iter().flatten().map(|&(_, t)| t));
        let mut recorded = vec![watched.obj, watched.off];
        for side in &sides {
            recorded.extend(side.picks.iter().chain(&side.ladder).chain(&side.bases).copied());
            for c in &side.sites {
                roots.extend([c.obj, c.off].into_iter().chain(c.len).chain(c.bases.into_iter().flatten()));
            }
        }
        let mut tape = Tape::new(terms, &roots, &recorded);
        tape.load(terms, &Model::default());
        if terms.len() > LARGE {
            tape.switch(terms, &goals, sides.iter().flat_map(|side| &side.picks).copied());
        }
        Naming { sides, meetings, open, watched, goals, held, tape }
    }

    /// Whether the side's lock is held, if it can matter, under the assignment that the race was found with
    /// which was named last.
    pub fn is_held(&self, side: usize, lock: usize) -> bool {
        self.held[side].iter().any(|&(i, t)| i == lock && self.holds(t))
    }

    fn holds(&self, t: TermId) -> bool {
        self.tape.bool(t) == Some(true)
    }

    /// Whether all places that may race are named.
    pub fn is_complete(&self) -> bool {
        self.meetings.iter().all(|m| self.is_closed(m))
    }

    fn is_closed(&self, meeting: &Meeting) -> bool {
        meeting.named.iter().flatten().all(|&named| named)
    }

    /// Leaves out what is named: per side, which sites may still have part in something new, and the
    /// classes where they may meet. From now on only these are blocked.
    pub fn narrow(&mut self) -> ([Vec<bool>; 2], Vec<(ClassId, ClassId)>) {
        let mut open = [0, 1].map(|n| vec![false; self.sides[n].sites.len()]);
        let mut meetings = std::mem::take(&mut self.meetings);
        meetings.retain(|m| !self.is_closed(m));
        for meeting in &meetings {
            for (n, open) in open.iter_mut().enumerate() {
                let side = &self.sides[n];
                // With a partner that is new, or new itself.
                let with_new = meeting.named[1 - n].contains(&false);
                for &s in &side.groups[&meeting.classes[n]].0 {
                    open[s] |= with_new || meeting.has_new(n, &side.sites[s]);
                }
            }
        }
        let conflicts = meetings.iter().map(|m| (m.classes[0], m.classes[1])).collect();
        self.meetings = meetings;
        self.open = open.clone();
        (open, conflicts)
    }

    /// Whether a search finds that the facts can hold together.
    pub fn is_satisfiable(&mut self, terms: &Terms, facts: &[TermId]) -> bool {
        self.record([0, 0]);
        self.tape.repair(terms, facts, ROUNDS)
    }

    /// Names the race that the model chose, and what is found from there in time.
    pub fn read(&mut self, terms: &Terms, model: &Model, until: Instant, say: &mut Say) {
        self.tape.load(terms, model);
        // Several sites of a side may be chosen at once: what must hold of each of them holds.
        let chosen = |n: usize, class: ClassId| {
            let side = &self.sides[n];
            (0..side.sites.len()).find(|&i| side.sites[i].class == class && self.holds(side.picks[i]))
        };
        let found = self.meetings.iter().enumerate().find_map(|(m, meeting)| {
            let [a, b] = meeting.classes;
            Some((m, [chosen(0, a)?, chosen(1, b)?]))
        });
        if found.is_none_or(|(m, picks)| self.name(m, picks, say)) {
            self.search(terms, until, say);
        }
    }

    /// Names races from the assignment at hand on: in each pair of classes one, and so on until `say` has
    /// enough, no more are found, or the time is over.
    pub fn search(&mut self, terms: &Terms, until: Instant, say: &mut Say) {
        let mut open: Vec<usize> =
            (0..self.meetings.len()).filter(|&m| self.meetings[m].in_vain < SEARCHES).collect();
        while !open.is_empty() {
            let mut still = Vec::new();
            for m in open {
                if Instant::now() > until {
                    return;
                }
                let picks = self.another(terms, m);
                self.meetings[m].in_vain += 1;
                if let Some(picks) = picks {
                    self.meetings[m].in_vain = 0;
                    still.push(m);
                    if !self.name(m, picks, say) {
                        return;
                    }
                }
            }
            open = still;
        }
    }

    /// A pair of sites that races and has a new place; with new places on both sides if there is one.
    fn another(&mut self, terms: &Terms, m: usize) -> Option<[usize; 2]> {
        self.worthwhile(m).into_iter().find(|&picks| self.races(terms, picks))
    }

    /// The pairs of sites that are tried, in their order: those that have more new places first, and those that no
    /// lock seems to keep apart.
    fn worthwhile(&self, m: usize) -> Vec<[usize; 2]> {
        let meeting = &self.meetings[m];
        let list = |n: usize| -> Vec<(usize, bool)> {
            let side = &self.sides[n];
            let sites = &side.groups[&meeting.classes[n]].0;
            sites.iter().map(|&site| (site, meeting.has_new(n, &side.sites[site]))).collect()
        };
        let (left, right) = (list(0), list(1));
        let partners = |wanted: usize, locked: bool, (x, new_x): (usize, bool)| {
            let fits = move |&&(y, new_y): &&(usize, bool)| {
                let new = usize::from(new_x) + usize::from(new_y);
                new == wanted && self.may_race([x, y]) && self.share_lock([x, y]) == locked
            };
            right.iter().filter(fits).take(PATIENCE).map(move |&(y, _)| [x, y])
        };
        let with_new = |wanted, locked| left.iter().flat_map(move |&site| partners(wanted, locked, site));
        let ways = [(2, false), (1, false), (2, true), (1, true)];
        ways.into_iter().flat_map(|(wanted, locked)| with_new(wanted, locked)).take(IN_VAIN).collect()
    }

    fn may_race(&self, sites: [usize; 2]) -> bool {
        let [a, b] = [0, 1].map(|n| &self.sides[n].sites[sites[n]]);
        (a.write || b.write) && (a.plain || b.plain)
    }

    fn share_lock(&self, sites: [usize; 2]) -> bool {
        let [a, b] = [0, 1].map(|n| &self.sides[n].sites[sites[n]].locks);
        !a.is_disjoint(b)
    }

    /// Records the pair on the tape, and looks for an assignment under which all holds that must; the
    /// watched byte is where the first site is under the assignment at hand.
    fn races(&mut self, terms: &Terms, sites: [usize; 2]) -> bool {
        self.record(sites);
        self.watch(sites);
        self.tape.repair(terms, &self.goals, ROUNDS)
    }

    fn record(&mut self, sites: [usize; 2]) {
        for (n, &site) in sites.iter().enumerate() {
            let side = &self.sides[n];
            for k in 0..side.picks.len() {
                self.tape.set(side.picks[k], Value::Bool(k == site));
                self.tape.set(side.ladder[k], Value::Bool(k >= site));
            }
            for (&base, at) in side.bases.iter().zip(side.sites[site].bases) {
                match at {
                    Some(at) => self.tape.follow(base, at),
                    None => self.tape.set(base, Value::Int(0)),
                }
            }
        }
    }

    /// Watches a byte of the first site, of the second too if they overlap already.
    fn watch(&mut self, sites: [usize; 2]) {
        let value = |t: TermId| self.tape.int(t).unwrap_or(0);
        let [here, there] = [0, 1].map(|n| &self.sides[n].sites[sites[n]]);
        let (first, second) = (value(here.off), value(there.off));
        let reaches = here.len.is_none_or(|len| second < first.saturating_add(value(len)));
        let off = if reaches && first < second { there.off } else { here.off };
        self.tape.follow(self.watched.obj, here.obj);
        self.tape.follow(self.watched.off, off);
    }

    fn name(&mut self, m: usize, picks: [usize; 2], say: &mut Say) -> bool {
        let sites = [0, 1].map(|n| &self.sides[n].sites[picks[n]]);
        let sites = self.meetings[m].name(sites);
        say(self, Race { picks, sites })
    }

    /// For each pair of classes where more was named: not two places again of which both were named
    /// before, whatever the call chains. Every place that takes part in a race is in some report, at a
    /// cost that is linear in the places and not in their pairs.
    pub fn blocks(&mut self, terms: &mut Terms) -> Vec<TermId> {
        let mut out = Vec::new();
        for m in 0..self.meetings.len() {
            if !std::mem::take(&mut self.meetings[m].changed) {
                continue;
            }
            let meeting = &self.meetings[m];
            let picks = [0, 1].map(|n| {
                let side = &self.sides[n];
                let sites = side.groups[&meeting.classes[n]].0.iter();
                let named = sites.filter(|&&s| self.open[n][s] && !meeting.has_new(n, &side.sites[s]));
                let picks: Vec<TermId> = named.map(|&s| side.picks[s]).collect();
                terms.or(&picks)
            });
            let both = terms.and(&picks);
            out.push(terms.not(both));
        }
        out
    }
}

impl Candidates {
    fn new(terms: &mut Terms, side: &mut Side) -> Candidates {
        let mut sites = Vec::new();
        let mut groups: BTreeMap<ClassId, (Vec<usize>, usize)> = BTreeMap::new();
        let mut numbers: HashMap<(ClassId, Place), usize> = HashMap::new();
        for n in 0..side.sites.len() {
            let (class, alike) = side.sites[n];
            let group = groups.entry(class).or_default();
            group.0.push(n);
            let mut places = Vec::new();
            for &s in &alike.sites {
                let place = (side.thread.sites[s].loc, side.thread.sites[s].write);
                let number = *numbers.entry((class, place)).or_insert(group.1);
                group.1 = group.1.max(number + 1);
                if !places.iter().any(|&(p, _)| p == number) {
                    places.push((number, s));
                }
            }
            sites.push(Candidate::new(terms, side, n, places));
        }
        let recording = side.recording();
        Candidates {
            sites,
            groups,
            picks: recording.picks.to_vec(),
            ladder: recording.ladder.to_vec(),
            bases: recording.bases.to_vec(),
        }
    }
}

fn locks_surely_held<'a>(side: &Side<'a>, n: usize) -> impl Iterator<Item = &'a Lock> {
    let (thread, site) = (side.thread, side.site(n));
    let held = move |i: usize| site.held.surely(i, &thread.terms);
    thread.locks.iter().enumerate().filter(move |&(i, _)| held(i)).map(|(_, lock)| lock)
}

impl Candidate {
    fn new(terms: &mut Terms, side: &mut Side, n: usize, places: Vec<(usize, usize)>) -> Candidate {
        let site = side.site(n);
        let at = side.addr(terms, site.addr);
        Candidate {
            class: side.sites[n].0,
            obj: at.obj,
            off: at.off,
            len: side.len(terms, site),
            bases: LEVELS.map(|level| side.strukt(terms, n, level).map(|(_, base)| base)),
            write: site.write,
            plain: site.mark == Mark::Plain,
            places,
            locks: locks_surely_held(side, n).map(|lock| (lock.class.clone(), lock.shape)).collect(),
        }
    }
}
