//! Sites of one thread that no condition tells apart, or only the way that leads there.
//!
//! Of the accesses of a call tree that is not inlined often nothing is known but that they happen:
//! hundreds of sites, each at an address of its own variables. One can stand for all of them, since
//! only one is recorded, and what its variables can be, those of each other can be too.
//!
//! Of one that is inlined often thousands are to one field under the same locks, on different ways. One can
//! stand for all of them too, on any way: under what their guards have in common.

use super::classes::ClassId;
use super::side::Renaming;
use crate::analysis::linked::Reached;
use crate::analysis::origins::Slot;
use crate::instrument::thread::{Addr, Extent, Site, Thread};
use lockpair_ir::Mark;
use lockpair_smt::{Range, Term, TermId};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Variables that are an object or offset of one site's address and occur nowhere else in the
/// thread, but in that site's base.
pub type Own = HashSet<TermId>;

/// Sites of one class, of which the first stands for all.
pub struct Group {
    /// The sites; at least one.
    pub sites: Vec<usize>,
    /// What must hold for one of them to happen.
    pub guard: Vec<TermId>,
}

/// So many guards are told apart among sites of one key.
const MAX_GUARDS: usize = 4;

/// The sites of one key, by guard: one group each, or one in all if there are too many.
pub fn groups(thread: &Thread, by_guard: Vec<(TermId, Vec<usize>)>) -> Vec<Group> {
    if by_guard.len() <= MAX_GUARDS {
        return by_guard.into_iter().map(|(g, sites)| Group { sites, guard: vec![g] }).collect();
    }
    let mut guards = by_guard.iter().map(|(g, _)| conjuncts(thread, *g));
    let first = guards.next().unwrap_or_default();
    let guard = guards.fold(first, |common, next| common.intersection(&next).copied().collect());
    let sites = by_guard.into_iter().flat_map(|(_, sites)| sites).collect();
    vec![Group { sites, guard: guard.into_iter().collect() }]
}

fn conjuncts(thread: &Thread, guard: TermId) -> BTreeSet<TermId> {
    match thread.terms.get(guard) {
        Term::And(list) => list.iter().copied().collect(),
        _ => BTreeSet::from([guard]),
    }
}

/// What a condition can know of a site, its guard aside. Two sites with one key differ at most in the
/// names of variables that occur nowhere else.
#[derive(PartialEq, Eq, Hash)]
pub struct Key<'a> {
    class: ClassId,
    obj: Part,
    off: Part,
    len: Option<TermId>,
    base: Option<Part>,
    holder: Option<(Slot, Addr)>,
    reached: &'a [Reached],
    write: bool,
    mark: Mark,
    held: &'a [TermId],
    /// If something keeps the thread there.
    cpu: Option<TermId>,
    events: &'a [TermId],
}

#[derive(PartialEq, Eq, Hash)]
enum Part {
    Term(TermId),
    /// A variable of the site's own.
    Own(Option<Range>),
    /// So much more than the offset, which is the site's own.
    Beyond(i128),
}

impl<'a> Key<'a> {
    /// Of a site of the thread.
    pub fn new(
        thread: &'a Thread,
        own: &Own,
        site: &'a Site,
        (class, holder, reached): (ClassId, Option<(Slot, Addr)>, &'a [Reached]),
    ) -> Self {
        let part = |t: TermId| match thread.terms.get(t) {
            Term::Var(v) if own.contains(&t) => Part::Own(thread.terms.var(v).range),
            _ => Part::Term(t),
        };
        let base = |t: TermId| match thread.terms.split_offset(t) {
            (Some(off), more) if off == site.addr.off && own.contains(&off) => Part::Beyond(more),
            _ => Part::Term(t),
        };
        // In full: what conditions use of a new field belongs into the key. The class has the region, the
        // shape and the origin.
        #[rustfmt::skip]
        let &Site {
            guard: _, addr, extent, base: begin, write, value: _, mark, region: _, shape: _, ref held, cpu,
            ref events,
            stack: _, inst: _, loc: _, through: _, direct: _, alone: _,
        } = site;
        // What is beyond the end of a table is false.
        let trimmed = |flags: &'a [TermId]| {
            let last = flags.iter().rposition(|&t| thread.terms.as_bool(t) != Some(false));
            &flags[..last.map_or(0, |last| last + 1)]
        };
        Key {
            class,
            obj: part(addr.obj),
            off: part(addr.off),
            len: length(extent),
            base: begin.map(base),
            holder,
            reached,
            write,
            mark,
            held: trimmed(held.all_taken()),
            cpu: thread.is_masked(site).then_some(cpu),
            events: trimmed(events),
        }
    }
}

impl Key<'_> {
    /// The class.
    pub fn class(&self) -> ClassId {
        self.class
    }
}

fn length(extent: Extent) -> Option<TermId> {
    match extent {
        Extent::Bytes(len) => Some(len),
        Extent::Object => None,
    }
}

/// The variables of the thread that are one site's own.
pub fn own(thread: &Thread, renaming: &Renaming) -> Own {
    let used = used_otherwise(thread);
    let mut times: HashMap<TermId, usize> = HashMap::new();
    for site in &thread.sites {
        for t in [site.addr.obj, site.addr.off] {
            *times.entry(t).or_default() += 1;
        }
    }
    let is_own = |&(t, times): &(TermId, usize)| {
        let renamed = match thread.terms.get(t) {
            Term::Var(v) => renaming.says_what(v),
            _ => true,
        };
        times == 1 && !renamed && !used.contains(&t)
    };
    times.into_iter().filter(is_own).map(|(t, _)| t).collect()
}

/// All integer terms that occur in others, or in the thread elsewhere than as the address of a site.
/// That a base consists of its site's offset and a constant does not count.
fn used_otherwise(thread: &Thread) -> HashSet<TermId> {
    let terms = &thread.terms;
    let mut used = HashSet::new();
    let mut bases: HashMap<TermId, TermId> = HashMap::new();
    for site in &thread.sites {
        let Some(base) = site.base else { continue };
        let is_beyond = terms.split_offset(base).0 == Some(site.addr.off);
        if !is_beyond || bases.insert(base, site.addr.off).is_some_and(|off| off != site.addr.off) {
            used.insert(base);
        }
    }
    for t in terms.all().filter(|t| !bases.contains_key(t)) {
        used.extend(terms.children(t).iter().copied());
    }
    // A base that is used as such only does not use its offset.
    for (&base, &off) in &bases {
        if used.contains(&base) && base != off {
            used.insert(off);
        }
    }
    used.extend(thread.sites.iter().filter_map(|s| length(s.extent)));
    used.extend(thread.sites.iter().map(|s| s.cpu));
    used.extend(addresses(thread).flat_map(|a| [a.obj, a.off]));
    used
}

/// The thread's addresses, those of its sites excepted.
fn addresses(thread: &Thread) -> impl Iterator<Item = Addr> {
    let hidden = thread.hidden.iter().flat_map(|h| std::iter::once(h.addr).chain(h.value));
    let loads = thread.loads.iter().map(|l| l.addr);
    let locks = thread.locks.iter().map(|l| l.addr);
    let events = thread.events.iter().map(|e| e.handle);
    let handles = thread.handles.iter().chain(&thread.bound).map(|h| h.addr);
    let values = thread.sites.iter().filter_map(|s| s.value);
    let same = thread.same.iter().flat_map(|same| same.pointers);
    hidden.chain(loads).chain(locks).chain(events).chain(handles).chain(same).chain(values)
}
