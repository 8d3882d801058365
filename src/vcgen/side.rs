//! One thread of a pair, in the pair's arena.

use super::alike::Group;
use super::classes::ClassId;
use super::through::{Told, Value};
use crate::analysis::layout::Shape;
use crate::analysis::linked::Reached;
use crate::analysis::origins::{Slot, Sources};
use crate::analysis::stability::Read;
use crate::fault::{Fault, seeded};
use crate::instrument::thread::{Addr, Extent, LoadVars, SharedLoad, Site, Thread};
use indexmap::IndexMap;
use lockpair_ir::{EntityRef, Mark, TypeId};
use lockpair_smt::{FuncId, Import, Sort, Term, TermId, Terms, VarAction, VarId};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, HashMap, HashSet};

/// What a private variable of a thread becomes in a pair, precomputed once per thread.
pub struct Renaming {
    actions: FxHashMap<VarId, Renamed>,
}

enum Renamed {
    /// The n-th object that the thread made.
    Local(usize),
    /// A component of a stable read at an address.
    Stable(Component, Addr),
    /// A component of what was at an address before others knew the object.
    Initial(Component, Addr),
    /// A component of a back pointer: another term of the thread.
    Alias(TermId),
    /// Something of the kernel, the same for both sides.
    Shared,
}

/// What is read at an address: one function of the address for each.
#[derive(Copy, Clone)]
enum Component {
    /// A number of so many bits.
    Number(u16),
    Object,
    Offset,
}

impl Component {
    fn function(self, terms: &mut Terms, of: &str) -> FuncId {
        match self {
            Component::Number(bits) => {
                let range = 1i128.checked_shl(bits.into()).filter(|&end| end > 0).map(|end| (0, end - 1));
                terms.func(&format!("{of}_{bits}"), 2, Sort::Int, range)
            }
            Component::Object => terms.func(&format!("{of}_obj"), 2, Sort::Int, None),
            Component::Offset => terms.func(&format!("{of}_off"), 2, Sort::Int, None),
        }
    }
}

impl Renaming {
    /// For a thread, with what is known of its reads and its parameters; may add terms to the thread's arena.
    pub fn new(thread: &mut Thread, reads: &[Read], told: &[Told]) -> Renaming {
        let mut actions = FxHashMap::default();
        for told in told {
            let terms = &mut thread.terms;
            let is = match told.value {
                Value::Number(n) => Renamed::Alias(terms.int(n)),
                Value::Object => Renamed::Alias(told.handle.obj),
                Value::Offset(by) => {
                    let by = terms.int(by);
                    Renamed::Alias(terms.add2(told.handle.off, by))
                }
                Value::Behind(by) => {
                    let by = terms.int(by);
                    let at = Addr { off: terms.add2(told.handle.off, by), ..told.handle };
                    Renamed::Stable(Component::Number(told.bits), at)
                }
            };
            actions.insert(told.param, is);
        }
        for (n, &v) in thread.locals.iter().enumerate() {
            actions.insert(v, Renamed::Local(n));
        }
        for (load, read) in thread.loads.iter().zip(reads) {
            match (load.vars, *read) {
                (_, Read::Arbitrary) | (LoadVars::Int(..), Read::Initial | Read::BackPointer(_)) => {}
                (LoadVars::Int(v, bits), Read::Stable) => {
                    actions.insert(v, Renamed::Stable(Component::Number(bits), load.addr));
                }
                (LoadVars::Ptr(obj, off), Read::Stable) => {
                    actions.insert(obj, Renamed::Stable(Component::Object, load.addr));
                    actions.insert(off, Renamed::Stable(Component::Offset, load.addr));
                }
                (LoadVars::Ptr(obj, off), Read::Initial) => {
                    actions.insert(obj, Renamed::Initial(Component::Object, load.addr));
                    actions.insert(off, Renamed::Initial(Component::Offset, load.addr));
                }
                (LoadVars::Ptr(obj, off), Read::BackPointer(back)) => {
                    let terms = &mut thread.terms;
                    let null =
                        if back.nullable { terms.fresh("null", Sort::Bool, None) } else { terms.fals() };
                    let (zero, delta) = (terms.int(0), terms.int(back.distance));
                    let there = terms.add2(load.addr.off, delta);
                    actions.insert(obj, Renamed::Alias(terms.ite(null, zero, load.addr.obj)));
                    actions.insert(off, Renamed::Alias(terms.ite(null, zero, there)));
                }
            }
        }
        for (load, pointer) in read_through(thread, reads) {
            let LoadVars::Ptr(obj, off) = load.vars else { continue };
            actions.extend([(obj, Renamed::Alias(pointer.obj)), (off, Renamed::Alias(pointer.off))]);
        }
        for (v, var) in thread.terms.vars() {
            if var.name.shared().is_some() {
                actions.insert(v, Renamed::Shared);
            }
        }
        actions.shrink_to_fit();
        Renaming { actions }
    }

    /// The address with what is known to be the same term in its stead, for its object and its offset.
    pub fn known_as(&self, thread: &Thread, addr: Addr) -> Addr {
        let known = |t: TermId| match thread.terms.get(t) {
            Term::Var(v) => match self.actions.get(&v) {
                Some(Renamed::Alias(alias)) => *alias,
                _ => t,
            },
            _ => t,
        };
        Addr { obj: known(addr.obj), off: known(addr.off) }
    }

    /// Whether a variable becomes anything but a variable of its side.
    pub fn says_what(&self, v: VarId) -> bool {
        self.actions.contains_key(&v)
    }

    /// A term of the thread in another arena.
    pub fn term(&self, import: &mut Import, into: &mut Terms, t: TermId, side: u32) -> TermId {
        import.term(into, t, &mut |into, v| self.action(into, v, side))
    }

    fn action(&self, into: &mut Terms, v: VarId, side: u32) -> VarAction {
        match self.actions.get(&v) {
            None => VarAction::Local(side),
            Some(Renamed::Shared) => VarAction::Keep,
            Some(Renamed::Alias(t)) => VarAction::Alias(*t),
            Some(Renamed::Local(n)) => {
                // Objects that a thread makes differ from the other's and from all that existed before.
                let side = if seeded(Fault::FreshObjectsShared) { 0 } else { side };
                let id = -(2 * *n as i128 + 1 + i128::from(side));
                VarAction::Replace(into.int(id))
            }
            Some(Renamed::Initial(component, addr)) => {
                VarAction::App(component.function(into, "initial"), vec![addr.obj, addr.off])
            }
            Some(Renamed::Stable(component, addr)) => {
                let f = component.function(into, "stable");
                let off = if seeded(Fault::StableOffsetIgnored) { addr.obj } else { addr.off };
                VarAction::App(f, vec![addr.obj, off])
            }
        }
    }
}

/// The stable reads of where a row says that some pointer is, each with that pointer. Who reads there through null does not
/// go on, so what they give is that pointer even where the row says nothing.
fn read_through<'t>(thread: &'t Thread, reads: &[Read]) -> Vec<(&'t SharedLoad, Addr)> {
    if thread.same.is_empty() {
        return Vec::new();
    }
    let places = stable_places(thread, reads);
    let mut all = Vec::new();
    for same in &thread.same {
        let [pointer, other] = same.pointers;
        let gives = |load: &SharedLoad| matches!(load.vars, LoadVars::Ptr(obj, _) if thread.terms.get(other.obj) == Term::Var(obj));
        let Some((row, place)) = places.iter().find(|(load, _)| gives(load)) else { continue };
        let is_there = |at: Addr| at == *place || seeded(Fault::SameAnywhere);
        let others = places.iter().filter(|(load, at)| is_there(*at) && load.vars != row.vars);
        all.extend(others.map(|(load, _)| (*load, pointer)));
    }
    all
}

/// The stable reads, with where they read: of two that read at one place, the first stands for what both give.
fn stable_places<'t>(thread: &'t Thread, reads: &[Read]) -> Vec<(&'t SharedLoad, Addr)> {
    let mut first: FxHashMap<TermId, TermId> = FxHashMap::default();
    let mut at: FxHashMap<Addr, VarId> = FxHashMap::default();
    let mut places = Vec::new();
    for (load, _) in thread.loads.iter().zip(reads).filter(|(_, read)| **read == Read::Stable) {
        let obj = first.get(&load.addr.obj).copied().unwrap_or(load.addr.obj);
        let place = Addr { obj, ..load.addr };
        if let LoadVars::Ptr(obj, _) = load.vars {
            let known = *at.entry(place).or_insert(obj);
            first.insert(thread.terms.var_term(obj), thread.terms.var_term(known));
        }
        places.push((load, place));
    }
    places
}

/// One side of a pair's condition.
pub struct Side<'a> {
    /// The thread.
    pub thread: &'a Thread,
    side: u32,
    import: Import<'a>,
    renaming: &'a Renaming,
    sources: &'a Sources,
    /// The sites that may take part, by class; one stands for those that are alike.
    pub sites: Vec<(ClassId, &'a Group)>,
    /// Per site: that it is recorded.
    picks: Vec<TermId>,
    /// Per class: the smallest struct that the sites lie in, and how far it is from the start of theirs.
    inner: &'a [Option<(TypeId, i128)>],
    /// Per site: that it or one before it is recorded.
    ladder: Vec<TermId>,
    /// Where the structs of the recorded site begin.
    bases: Vec<TermId>,
    /// Conditions that were asked for.
    flags: HashMap<Flag, TermId>,
}

/// What only one member holds a pointer to.
pub struct Held {
    /// The member.
    pub slot: Slot,
    /// The object.
    pub object: TermId,
    /// Where the pointer is.
    pub place: Addr,
    /// The condition.
    pub when: TermId,
}

/// A head, and when the object of the recorded site is one of its elements.
pub struct Element {
    /// The head.
    pub head: Addr,
    /// Its size in bytes; none if the site may be anywhere around it.
    pub size: Option<u64>,
    /// The struct of which it is a member, and where that begins.
    pub within: Option<(TypeId, TermId)>,
    /// The condition.
    pub when: TermId,
}

/// Which of the structs around an access is meant.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Level {
    /// The one that the address was computed through.
    Outer,
    /// The smallest.
    Inner,
}

/// Both, in the order of their variables.
pub const LEVELS: [Level; 2] = [Level::Outer, Level::Inner];

/// Propositions and variables that say which site is recorded.
pub struct Recording<'s> {
    /// Per site: that it is recorded.
    pub picks: &'s [TermId],
    /// Per site: that it or one before it is recorded.
    pub ladder: &'s [TermId],
    /// Where the structs of the recorded site begin, by level.
    pub bases: &'s [TermId],
}

impl<'a> Side<'a> {
    /// Takes part with the sites given.
    pub fn new(
        terms: &mut Terms,
        thread: &'a Thread,
        inner: &'a [Option<(TypeId, i128)>],
        renaming: &'a Renaming,
        sources: &'a Sources,
        side: u32,
        sites: Vec<(ClassId, &'a Group)>,
    ) -> Self {
        let picks: Vec<TermId> = (0..sites.len())
            .map(|n| terms.fresh(&format!("record@{}_{n}", side + 1), Sort::Bool, None))
            .collect();
        let import = Import::new(&thread.terms);
        Side {
            thread,
            side,
            import,
            renaming,
            sources,
            sites,
            picks,
            inner,
            ladder: Vec::new(),
            bases: Vec::new(),
            flags: HashMap::new(),
        }
    }

    /// Only these sites take part from now on. What was asked before is to be asked again.
    pub fn narrow(&mut self, terms: &mut Terms, sites: &[bool]) {
        for (pick, _) in self.picks.iter_mut().zip(sites).filter(|(_, stays)| !**stays) {
            *pick = terms.fals();
        }
        self.ladder.clear();
        self.bases.clear();
        self.flags.clear();
    }

    /// Whether no site takes part.
    pub fn has_none(&self) -> bool {
        self.sites.is_empty()
    }

    /// Exactly one site is recorded. (A ladder: linear in the sites, and propositional.)
    pub fn records_one(&mut self, terms: &mut Terms) -> TermId {
        let mut clauses = vec![terms.or(&self.picks)];
        let never = terms.fals();
        let mut before = never;
        for &pick in self.picks.iter().filter(|&&pick| pick != never) {
            let both = terms.and2(pick, before);
            clauses.push(terms.not(both));
            let any = terms.or2(pick, before);
            before = terms.fresh(&format!("recorded@{}", self.side + 1), Sort::Bool, None);
            clauses.push(terms.implies(any, before));
            self.ladder.push(before);
        }
        terms.and(&clauses)
    }

    /// What says which site is recorded.
    pub fn recording(&self) -> Recording<'_> {
        Recording { picks: &self.picks, ladder: &self.ladder, bases: &self.bases }
    }

    /// A term of the thread in the pair's arena.
    pub fn term(&mut self, terms: &mut Terms, t: TermId) -> TermId {
        self.renaming.term(&mut self.import, terms, t, self.side)
    }

    /// An address of the thread in the pair's arena.
    pub fn addr(&mut self, terms: &mut Terms, a: Addr) -> Addr {
        Addr { obj: self.term(terms, a.obj), off: self.term(terms, a.off) }
    }

    /// The n-th site that may take part.
    pub fn site(&self, n: usize) -> &'a Site {
        &self.thread.sites[self.sites[n].1.sites[0]]
    }

    /// What must hold for the n-th site to happen.
    pub fn guard(&mut self, terms: &mut Terms, n: usize) -> TermId {
        let parts: Vec<TermId> = self.sites[n].1.guard.iter().map(|&t| self.term(terms, t)).collect();
        terms.and(&parts)
    }

    /// The recorded site happens.
    pub fn happens(&mut self, terms: &mut Terms) -> TermId {
        let clauses: Vec<TermId> = (0..self.sites.len())
            .map(|n| {
                let guard = self.guard(terms, n);
                terms.implies(self.picks[n], guard)
            })
            .collect();
        terms.and(&clauses)
    }

    /// The recorded site covers the watched byte.
    pub fn covers(&mut self, terms: &mut Terms, watched: Addr) -> TermId {
        let clauses: Vec<TermId> = (0..self.sites.len())
            .map(|n| {
                let site = self.site(n);
                let at = self.addr(terms, site.addr);
                let mut parts = vec![terms.eq(at.obj, watched.obj)];
                if let Some(len) = self.len(terms, site) {
                    let end = terms.add2(at.off, len);
                    parts.push(terms.le(at.off, watched.off));
                    parts.push(terms.lt(watched.off, end));
                }
                let covers = terms.and(&parts);
                terms.implies(self.picks[n], covers)
            })
            .collect();
        terms.and(&clauses)
    }

    /// How many bytes from its address a site covers; `None` for all of the object.
    pub fn len(&mut self, terms: &mut Terms, site: &Site) -> Option<TermId> {
        match site.extent {
            Extent::Bytes(len) => Some(self.term(terms, len)),
            Extent::Object => None,
        }
    }

    /// The picks of the sites that fulfil the condition, as one proposition.
    fn any(&self, terms: &mut Terms, which: impl Fn(&Site) -> bool) -> TermId {
        let list: Vec<TermId> =
            (0..self.sites.len()).filter(|&n| which(self.site(n))).map(|n| self.picks[n]).collect();
        terms.or(&list)
    }

    /// The recorded site writes.
    pub fn writes(&self, terms: &mut Terms) -> TermId {
        self.any(terms, |s| s.write)
    }

    /// The recorded site is marked.
    pub fn marked(&self, terms: &mut Terms) -> TermId {
        self.any(terms, |s| s.mark != Mark::Plain)
    }

    /// The recorded site's object is of the device for which the thread is called, or ends with a driver: that is once.
    pub fn is_of_own_device(&self, terms: &mut Terms) -> TermId {
        let is_own = |site: &usize| self.thread.of_own_device.get(*site) == Some(&true);
        let groups = self.sites.iter().zip(&self.picks);
        let own =
            groups.filter(|((_, group), _)| group.sites.iter().all(is_own) || seeded(Fault::ManagedForAll));
        let own: Vec<TermId> = own.map(|(_, &pick)| pick).collect();
        terms.or(&own)
    }

    /// Per class: that a site of it is recorded.
    pub fn in_class(&self, terms: &mut Terms) -> BTreeMap<ClassId, TermId> {
        let mut lists: BTreeMap<ClassId, Vec<TermId>> = BTreeMap::new();
        for (n, (class, _)) in self.sites.iter().enumerate() {
            lists.entry(*class).or_default().push(self.picks[n]);
        }
        lists.into_iter().map(|(c, list)| (c, terms.or(&list))).collect()
    }

    /// The struct that the n-th site lies in, and where it begins: the one that its address was computed
    /// through, or the smallest inside of that.
    pub fn strukt(&mut self, terms: &mut Terms, n: usize, level: Level) -> Option<(TypeId, TermId)> {
        let site = self.site(n);
        let base = self.term(terms, site.base?);
        let (strukt, lo, hi) = match site.shape {
            Shape::In { strukt, lo, hi } => (strukt, lo, hi),
            Shape::Whole(_) => {
                let (strukt, distance) =
                    self.inner[self.sites[n].0.index()].filter(|_| level == Level::Outer)?;
                let distance = terms.int(distance);
                return Some((strukt, terms.add2(base, distance)));
            }
            Shape::Scalar(_) | Shape::Wild | Shape::Outside => return None,
        };
        match level {
            Level::Outer => Some((strukt, base)),
            Level::Inner => {
                // Of an access somewhere in the bytes it is not known in which of several structs it is.
                let Extent::Bytes(len) = site.extent else { return None };
                let exact = self.thread.terms.as_int(len) == Some(i128::from(hi - lo));
                let inner = self.inner[self.sites[n].0.index()].filter(|_| exact)?;
                let delta = terms.int(inner.1);
                Some((inner.0, terms.add2(base, delta)))
            }
        }
    }

    /// Per struct type: that the recorded site lies in one; and where that struct begins.
    pub fn structs(&mut self, terms: &mut Terms, level: Level) -> (BTreeMap<TypeId, TermId>, TermId, TermId) {
        let base = terms.fresh(&format!("base@{}", self.side + 1), Sort::Int, None);
        self.bases.push(base);
        let mut lists: BTreeMap<TypeId, Vec<TermId>> = BTreeMap::new();
        let mut clauses = Vec::new();
        for n in 0..self.sites.len() {
            if let Some((strukt, b)) = self.strukt(terms, n, level) {
                lists.entry(strukt).or_default().push(self.picks[n]);
                let eq = terms.eq(base, b);
                clauses.push(terms.implies(self.picks[n], eq));
            }
        }
        let structs = lists.into_iter().map(|(s, list)| (s, terms.or(&list))).collect();
        (structs, base, terms.and(&clauses))
    }

    /// For the pointer of the recorded site, which leads to `watched`, and for those on the way to it: if it
    /// comes from a member of which no two hold one pointer, that member, the object, and the place.
    pub fn holders(&mut self, terms: &mut Terms, watched: TermId) -> Vec<Held> {
        let mut found: IndexMap<(Slot, TermId, Addr), Vec<TermId>> = IndexMap::new();
        for n in 0..self.sites.len() {
            let mut object = watched;
            let mut holder = self.sources.sites[self.sites[n].1.sites[0]].holder;
            // A chain may end where it began.
            let mut seen = HashSet::new();
            while let Some((slot, at)) = holder
                && seen.insert(at)
            {
                let place = self.addr(terms, at);
                found.entry((slot, object, place)).or_default().push(self.picks[n]);
                object = place.obj;
                holder = self.sources.holders.get(&at.obj).copied();
            }
        }
        let held = found.into_iter();
        held.map(|((slot, object, place), picks)| Held { slot, object, place, when: terms.or(&picks) })
            .collect()
    }

    /// The number of the CPU that the recorded site happens on, if something keeps the thread there.
    pub fn cpu(&mut self, terms: &mut Terms) -> TermId {
        let mut groups: BTreeMap<TermId, Vec<TermId>> = BTreeMap::new();
        for n in 0..self.sites.len() {
            groups.entry(self.site(n).cpu).or_default().push(self.picks[n]);
        }
        let mut out = None;
        for (cpu, picks) in groups {
            let cpu = self.term(terms, cpu);
            let here = terms.or(&picks);
            out = Some(out.map_or(cpu, |rest| terms.ite(here, cpu, rest)));
        }
        out.unwrap_or_else(|| terms.int(0))
    }

    /// Of which heads the object of the recorded site is an element, or in which it is.
    pub fn elements(&mut self, terms: &mut Terms) -> Vec<Element> {
        let mut found: IndexMap<Reached, Vec<TermId>> = IndexMap::new();
        for n in 0..self.sites.len() {
            for &reached in &self.sources.reached[self.sites[n].1.sites[0]] {
                found.entry(reached).or_default().push(self.picks[n]);
            }
        }
        let element = |(Reached { head, when, exact }, picks): (Reached, Vec<TermId>)| {
            let (obj, more) = (self.term(terms, head.obj), terms.int(head.more));
            let off = head.base.map_or(more, |base| {
                let base = self.term(terms, base);
                terms.add2(base, more)
            });
            let picked = terms.or(&picks);
            let when = when.map_or(picked, |when| {
                let when = self.term(terms, when);
                terms.and2(picked, when)
            });
            let within = head.within.map(|(strukt, at)| {
                let back = terms.int(-i128::from(at));
                (strukt, terms.add2(off, back))
            });
            Element { head: Addr { obj, off }, size: exact.then_some(head.size), within, when }
        };
        found.into_iter().map(element).collect()
    }

    /// Whether a condition that sites keep holds at the recorded one.
    pub fn flag(&mut self, terms: &mut Terms, flag: Flag) -> TermId {
        if let Some(&known) = self.flags.get(&flag) {
            return known;
        }
        let mut groups: BTreeMap<TermId, Vec<TermId>> = BTreeMap::new();
        for n in 0..self.sites.len() {
            let Some(t) = flag.at(self.site(n)) else { continue };
            if self.thread.terms.as_bool(t) == Some(false) {
                continue;
            }
            groups.entry(t).or_default().push(self.picks[n]);
        }
        let mut parts = Vec::new();
        for (t, picks) in groups {
            let here = terms.or(&picks);
            let t = self.term(terms, t);
            parts.push(terms.and2(here, t));
        }
        let term = terms.or(&parts);
        self.flags.insert(flag, term);
        term
    }
}

/// A condition that sites keep.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Flag {
    /// The thread's lock of that number is held.
    Held(usize),
    /// The thread's event of that number is in force.
    Event(usize),
}

impl Flag {
    fn at(self, site: &Site) -> Option<TermId> {
        match self {
            Flag::Held(lock) => site.held.all_taken().get(lock).copied(),
            Flag::Event(event) => site.events.get(event).copied(),
        }
    }
}
