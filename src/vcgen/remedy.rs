//! Whether two places would race no more if a lock of the one were taken at the other, too.

use super::classes::ClassId;
use super::condition::Condition;
use super::pair::Checker;
use super::side::Flag;
use lockpair_smt::{Limits, Session, TermId};

/// A lock that one side holds, taken around the access of the other side, too, exclusively.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Remedy {
    /// The side that holds it: 0 or 1.
    pub holder: usize,
    /// Which of its thread's locks.
    pub lock: usize,
    /// Where the other side takes it.
    pub at: Where,
}

/// How the other side comes to the lock.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Where {
    /// It is a variable of the module: there is one.
    Global,
    /// In the struct that it accesses, so many bytes from its start.
    Inside(i128),
    /// Where it takes that lock of its own elsewhere.
    Own(usize),
}

impl Checker<'_> {
    /// Whether the places of the two sites race no more then; none if the solver gives up.
    pub fn would_help(
        &self,
        threads: [usize; 2],
        sites: [usize; 2],
        remedy: &Remedy,
        limits: &Limits,
    ) -> Option<bool> {
        let [left, right] = [0, 1].map(|n| self.class_of(threads[n], sites[n]));
        let conflicts: [(ClassId, ClassId); 1] = [(left?, right?)];
        let mut condition = Condition::build(self, threads, &conflicts, usize::MAX);
        let at_places = [0, 1].map(|n| {
            let all = &condition.sides[n].thread.sites;
            let is_there = |&site: &usize| all[site].loc == all[sites[n]].loc;
            condition.sides[n].sites.iter().map(|(_, group)| group.sites.iter().any(is_there)).collect()
        });
        condition.narrow(&at_places, &conflicts);
        let both_hold = both_hold(&mut condition, remedy);
        let mut session = Session::new(limits);
        let Condition { terms, clauses, .. } = &mut condition;
        let apart = terms.not(both_hold);
        clauses.all().into_iter().chain([apart]).for_each(|clause| session.assert(terms, clause));
        session.is_satisfiable(terms).ok().map(|races| !races)
    }
}

/// The one side holds the lock, and it is the one that the other side would hold.
fn both_hold(condition: &mut Condition, remedy: &Remedy) -> TermId {
    let Condition { terms, sides, .. } = condition;
    let [first, second] = sides;
    let (holder, other) = if remedy.holder == 0 { (first, second) } else { (second, first) };
    let held = holder.flag(terms, Flag::Held(remedy.lock));
    let place = holder.addr(terms, holder.thread.locks[remedy.lock].addr);
    match remedy.at {
        Where::Global => held,
        Where::Own(lock) => {
            let own = other.addr(terms, other.thread.locks[lock].addr);
            let (obj, off) = (terms.eq(place.obj, own.obj), terms.eq(place.off, own.off));
            terms.and(&[held, obj, off])
        }
        Where::Inside(distance) => {
            let mut ways = Vec::new();
            for n in 0..other.sites.len() {
                let site = other.site(n);
                let Some(base) = site.base else { continue };
                let (object, base) = (other.term(terms, site.addr.obj), other.term(terms, base));
                let distance = terms.int(distance);
                let there = terms.add2(base, distance);
                let (obj, off) = (terms.eq(place.obj, object), terms.eq(place.off, there));
                let picked = other.recording().picks[n];
                ways.push(terms.and(&[picked, held, obj, off]));
            }
            terms.or(&ways)
        }
    }
}
