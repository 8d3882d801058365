//! Naming the places that race, with few questions to the solver.
//!
//! A model is one way for one race to happen, but many other races can happen in the same way: the
//! same content of memory, the same branches, another pair of sites. So each model is tried on all
//! pairs of sites that are not named yet, by evaluating the whole condition with other sites
//! recorded. Only a pair that satisfies all of it is named; what no evaluation finds is left to the
//! solver, who has the last word.

use super::classes::ClassId;
use super::side::{LEVELS, Side};
use crate::instrument::thread::Addr;
use lockpair_ir::{LocId, Mark};
use lockpair_smt::{Model, Tape, TermId, Terms, Value};
use std::collections::{BTreeMap, HashMap};

/// A place in the source and the kind of access: what identifies a race for the enumeration.
type Place = (Option<LocId>, bool);

/// Which places of a pair are named, and how models name more.
pub struct Naming {
    sides: [Candidates; 2],
    /// Pairs of classes that may meet.
    meetings: Vec<Meeting>,
    watched: Addr,
    /// What must hold.
    goals: Vec<TermId>,
    tape: Tape,
    /// The sites recorded on the tape.
    recorded: Option<[usize; 2]>,
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
    guard: TermId,
    obj: TermId,
    off: TermId,
    /// `None`: all of the object.
    len: Option<TermId>,
    /// Where its structs begin, by level.
    bases: [Option<TermId>; LEVELS.len()],
    /// Whether the object and the offset are variables of the site's own, which can be chosen freely.
    free: [bool; 2],
    write: bool,
    plain: bool,
    /// The places of the sites that it stands for: the number within the class, and a site there.
    places: Vec<(usize, usize)>,
}

struct Meeting {
    classes: [ClassId; 2],
    /// Per side and place of the class: named in a report.
    named: [Vec<bool>; 2],
    /// Whether more was named since the last block.
    changed: bool,
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

/// Where a site is under a model; `None` where that can be chosen.
struct Reached {
    site: usize,
    obj: Option<i128>,
    off: Option<i128>,
    len: Option<i128>,
}

/// Where the two sites of a pair are.
struct Meet {
    obj: i128,
    offs: [i128; 2],
    /// The watched offset.
    at: i128,
}

/// Pairs of sites in vain under one model, before a place is left to the solver.
const PATIENCE: usize = 4;

impl Naming {
    /// Nothing is named yet. `goals` is the whole condition; `more` are terms whose values are asked for.
    pub fn new(
        terms: &mut Terms,
        sides: &mut [Side; 2],
        conflicts: &[(ClassId, ClassId)],
        watched: Addr,
        goals: Vec<TermId>,
        more: &[TermId],
    ) -> Naming {
        let [s0, s1] = sides;
        let sides = [Candidates::new(terms, s0), Candidates::new(terms, s1)];
        let unnamed = |n: usize, c: ClassId| vec![false; sides[n].groups.get(&c).map_or(0, |g| g.1)];
        let meeting = |&(x, y): &(ClassId, ClassId)| Meeting {
            classes: [x, y],
            named: [unnamed(0, x), unnamed(1, y)],
            changed: false,
        };
        let meetings = conflicts.iter().map(meeting).collect();
        let mut roots = goals.clone();
        roots.extend_from_slice(more);
        let mut chosen = vec![watched.obj, watched.off];
        for side in &sides {
            chosen.extend(side.picks.iter().chain(&side.ladder).chain(&side.bases));
            for c in &side.sites {
                roots.extend(
                    [c.guard, c.obj, c.off].into_iter().chain(c.len).chain(c.bases.into_iter().flatten()),
                );
                chosen.extend([c.obj, c.off].into_iter().zip(c.free).filter(|c| c.1).map(|c| c.0));
            }
        }
        let tape = Tape::new(terms, &roots, &chosen);
        Naming { sides, meetings, watched, goals, tape, recorded: None }
    }

    /// Whether a term holds under the model, with the pair of sites recorded that was named last.
    pub fn holds(&self, t: TermId) -> bool {
        self.tape.bool(t) == Some(true)
    }

    /// Names the race that the model chose, and others that are races under the model: in each pair of
    /// classes one, and so on until `say` has enough or no more are found.
    pub fn read(&mut self, terms: &Terms, model: &Model, say: &mut Say) {
        self.tape.load(terms, model);
        let is_chosen = |&t: &TermId| self.holds(t);
        let picks = [0, 1].map(|n| self.sides[n].picks.iter().position(is_chosen).unwrap_or(0));
        let classes = [0, 1].map(|n| self.sides[n].sites[picks[n]].class);
        let m = self.meetings.iter().position(|m| m.classes == classes).expect("classes that may meet");
        self.recorded = None;
        self.record(terms, picks);
        self.tape.update(terms);
        if self.name(m, picks, say) {
            self.generalize(terms, say);
        }
    }

    fn generalize(&mut self, terms: &Terms, say: &mut Say) {
        let reached = [0, 1].map(|n| self.reached(n));
        let mut open: Vec<usize> = (0..self.meetings.len()).collect();
        while !open.is_empty() {
            let mut still = Vec::new();
            for m in open {
                let classes = self.meetings[m].classes;
                let [Some(left), Some(right)] = [0, 1].map(|n| reached[n].get(&classes[n])) else { continue };
                if let Some(picks) = self.another(terms, m, left, right) {
                    still.push(m);
                    if !self.name(m, picks, say) {
                        return;
                    }
                }
            }
            open = still;
        }
    }

    /// A pair of sites that races under the model and has a new place; with new places on both sides if
    /// there is one.
    fn another(
        &mut self,
        terms: &Terms,
        m: usize,
        left: &[Reached],
        right: &[Reached],
    ) -> Option<[usize; 2]> {
        let meeting = &self.meetings[m];
        let new = |n: usize, list: &[Reached]| -> Vec<bool> {
            list.iter().map(|r| meeting.has_new(n, &self.sides[n].sites[r.site])).collect()
        };
        let (new_left, new_right) = (new(0, left), new(1, right));
        for wanted in [2, 1] {
            for (x, &a) in left.iter().zip(&new_left) {
                let mut patience = PATIENCE;
                for (y, &b) in right.iter().zip(&new_right) {
                    if usize::from(a) + usize::from(b) != wanted {
                        continue;
                    }
                    let Some(meet) = self.meet(x, y) else { continue };
                    if self.races(terms, [x.site, y.site], &meet) {
                        return Some([x.site, y.site]);
                    }
                    patience -= 1;
                    if patience == 0 {
                        break;
                    }
                }
            }
        }
        None
    }

    /// Where a pair that is worth evaluating meets.
    fn meet(&self, x: &Reached, y: &Reached) -> Option<Meet> {
        let (a, b) = (&self.sides[0].sites[x.site], &self.sides[1].sites[y.site]);
        if !(a.write || b.write) || !(a.plain || b.plain) {
            return None;
        }
        let now = |t: TermId| self.tape.int(t).unwrap_or(0);
        let obj = x.obj.or(y.obj).unwrap_or_else(|| now(a.obj));
        let off = x.off.or(y.off).unwrap_or_else(|| now(a.off));
        let offs = [x.off.unwrap_or(off), y.off.unwrap_or(off)];
        let at = match (x.len, y.len) {
            (Some(_), Some(_)) => offs[0].max(offs[1]),
            (Some(_), None) => offs[0],
            (None, _) => offs[1],
        };
        let covers = |off: i128, len: Option<i128>| len.is_none_or(|len| off <= at && at - off < len);
        let meet = y.obj.unwrap_or(obj) == obj && covers(offs[0], x.len) && covers(offs[1], y.len);
        meet.then_some(Meet { obj, offs, at })
    }

    /// Records the pair on the tape; whether all that must hold does.
    fn races(&mut self, terms: &Terms, sites: [usize; 2], meet: &Meet) -> bool {
        self.tape.set(self.watched.obj, Value::Int(meet.obj));
        self.tape.set(self.watched.off, Value::Int(meet.at));
        for (n, &site) in sites.iter().enumerate() {
            let c = &self.sides[n].sites[site];
            for (t, free, value) in [(c.obj, c.free[0], meet.obj), (c.off, c.free[1], meet.offs[n])] {
                if free {
                    self.tape.set(t, Value::Int(value));
                }
            }
        }
        self.record(terms, sites);
        self.tape.update(terms);
        self.goals.iter().all(|&t| self.holds(t))
    }

    fn record(&mut self, terms: &Terms, sites: [usize; 2]) {
        for (n, &site) in sites.iter().enumerate() {
            let side = &self.sides[n];
            let before = self.recorded.map(|sites| sites[n]);
            let range = before.map_or(0..side.picks.len(), |before| before.min(site)..before.max(site) + 1);
            for k in range {
                self.tape.set(side.picks[k], Value::Bool(k == site));
                self.tape.set(side.ladder[k], Value::Bool(k >= site));
            }
            let candidate = &side.sites[site];
            for (&base, at) in side.bases.iter().zip(candidate.bases) {
                let Some(at) = at else { continue };
                let at = self.base(terms, candidate, at);
                self.tape.set(base, Value::Int(at.unwrap_or(0)));
            }
        }
        self.recorded = Some(sites);
    }

    /// The value of a base, which may be above variables that were just chosen.
    fn base(&self, terms: &Terms, c: &Candidate, base: TermId) -> Option<i128> {
        match terms.split_offset(base) {
            (Some(off), more) if off == c.off => self.tape.int(off)?.checked_add(more),
            _ => self.tape.int(base),
        }
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
                let named = sites.filter(|&&s| !meeting.has_new(n, &side.sites[s]));
                let picks: Vec<TermId> = named.map(|&s| side.picks[s]).collect();
                terms.or(&picks)
            });
            let both = terms.and(&picks);
            out.push(terms.not(both));
        }
        out
    }

    /// By class: the sites that are reached under the model, and where they are.
    fn reached(&self, n: usize) -> BTreeMap<ClassId, Vec<Reached>> {
        let tape = &self.tape;
        let side = &self.sides[n];
        let reach = |&site: &usize| {
            let c = &side.sites[site];
            let known = |t: TermId, free: bool| if free { Some(None) } else { tape.int(t).map(Some) };
            let (obj, off) = (known(c.obj, c.free[0])?, known(c.off, c.free[1])?);
            let len = match c.len {
                Some(len) => Some(tape.int(len)?),
                None => None,
            };
            self.holds(c.guard).then_some(Reached { site, obj, off, len })
        };
        side.groups.iter().map(|(&c, g)| (c, g.0.iter().filter_map(reach).collect())).collect()
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

impl Candidate {
    fn new(terms: &mut Terms, side: &mut Side, n: usize, places: Vec<(usize, usize)>) -> Candidate {
        let site = side.site(n);
        let at = side.addr(terms, site.addr);
        Candidate {
            class: side.sites[n].0,
            guard: side.guard(terms, n),
            obj: at.obj,
            off: at.off,
            len: side.len(terms, site),
            bases: LEVELS.map(|level| side.strukt(terms, n, level).map(|(_, base)| base)),
            free: [side.is_own(site.addr.obj), side.is_own(site.addr.off)],
            write: site.write,
            plain: site.mark == Mark::Plain,
            places,
        }
    }
}
