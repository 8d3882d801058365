//! Site classes: all sites of a module that agree in region, shape and origin; which classes may meet is
//! decided once for the module.

use super::alike::{self, Group, Key};
use super::protection::Protection;
use super::side::Renaming;
use crate::analysis::fields::{self, FieldId};
use crate::analysis::foreign::Foreign;
use crate::analysis::layout::Shape;
use crate::analysis::objects::{self, Object, Whole};
use crate::analysis::origins::{self, Makes, Origin, Sources};
use crate::analysis::points_to::RegionId;
use crate::fault::{Fault, seeded};
use crate::instrument::thread::{Extent, FixedPlace, Lock, Site, StateClasses, Thread};
use indexmap::{IndexMap, IndexSet};
use lockpair_ir::{EntityRef, FuncId, LockMode, Mark, Module, Op, TypeId, ValueId, entity_id};
use lockpair_smt::TermId;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

entity_id!(
    /// A site class.
    ClassId,
    "class"
);

/// What the sites of a thread in one class do.
#[derive(Copy, Clone, Default, Debug)]
pub struct Kinds {
    plain_read: bool,
    marked_read: bool,
    plain_write: bool,
    marked_write: bool,
    /// Takes locks.
    takes: bool,
    /// May make a lock anew.
    makes: bool,
}

impl Kinds {
    fn add(&mut self, module: &Module, thread: &Thread, site: &Site) {
        let op = &module.funcs[site.inst.0].insts[site.inst.1].op;
        if let Op::Acquire { .. } = op {
            self.takes = true;
            return;
        }
        // Code outside does nothing to locks in what it is given, but for the functions that make one.
        let byte = matches!(site.extent, Extent::Bytes(len) if thread.terms.as_int(len) == Some(1));
        let outside = op.is_outside() || matches!(op, Op::Access { .. }) && !byte;
        self.makes |= site.write && site.mark == Mark::Plain && !outside;
        match (site.write, site.mark == Mark::Plain) {
            (false, true) => self.plain_read = true,
            (false, false) => self.marked_read = true,
            (true, true) => self.plain_write = true,
            (true, false) => self.marked_write = true,
        }
    }

    /// Whether two sites of these kinds can be a race: one writes and one is plain.
    pub fn conflict(self, other: Kinds) -> bool {
        let any = |k: Kinds| k.plain_read || k.marked_read || k.plain_write || k.marked_write;
        self.takes && other.makes
            || self.makes && other.takes
            || self.plain_write && any(other)
            || any(self) && other.plain_write
            || self.marked_write && other.plain_read
            || self.plain_read && other.marked_write
    }
}

/// With the object, if something is known of it that the shape does not say, and the members that may hold it.
type ClassKey = (RegionId, Shape, Origin, Option<ObjectId>, Makes, Settling);

/// What sites have to do with members of the kernel's structs of which something is known besides.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
enum Settling {
    /// They read a member that code outside sets before it gives the object to others, and not afterwards.
    Reads(FieldId),
    /// Code outside of the module writes there.
    Outside,
    /// They read what the module keeps nowhere in the member: it is another driver's.
    Foreign(FieldId),
    /// The module keeps something of its own there.
    Keeps(FieldId),
    /// Anything else.
    Neither,
}

/// Why a read and a write of a member do not meet.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Apart {
    /// Code outside does not write there once others know the object.
    Settled(FieldId),
    /// The read is of another driver's object.
    Foreign(FieldId),
}

impl Settling {
    fn of(facts: &origins::Facts, foreign: &Foreign, thread: &Thread, site: &Site) -> Settling {
        if site.write {
            let outside = origins::is_by_outside(facts, site);
            let other = || foreign.kept_by(thread, site).map_or(Settling::Neither, Settling::Keeps);
            return if outside { Settling::Outside } else { other() };
        }
        let member = fields::of_shape(facts.module, facts.layout, site.shape);
        let foreign = || foreign.read(thread, site).map_or(Settling::Neither, Settling::Foreign);
        member.filter(|f| facts.settled.contains(f)).map_or_else(foreign, Settling::Reads)
    }

    /// Why the two do not meet, if they do not.
    fn apart(self, other: Settling) -> Option<Apart> {
        match (self, other) {
            (Settling::Reads(member), Settling::Outside) | (Settling::Outside, Settling::Reads(member)) => {
                Some(Apart::Settled(member))
            }
            (Settling::Foreign(read), Settling::Keeps(kept))
            | (Settling::Keeps(kept), Settling::Foreign(read)) => {
                (read == kept).then_some(Apart::Foreign(read))
            }
            _ => None,
        }
    }
}

entity_id!(
    /// What an object may be, if that is not anything.
    ObjectId,
    "object"
);

/// The sites of a thread in one class.
struct Members {
    kinds: Kinds,
    groups: Vec<Group>,
    /// What the first of the groups costs: all that its condition is made of was made before it.
    cost: usize,
    /// Whether the module itself does some of it, and not a function outside of which nothing is known.
    own: bool,
    /// Whether an object may end there.
    ends: bool,
    /// The locks that are held at all of them; all that the thread has before there is any.
    locks: Vec<FixedLock>,
}

impl Members {
    fn new(locks: &[FixedLock]) -> Members {
        let (own, ends) = (false, false);
        Members { kinds: Kinds::default(), groups: Vec::new(), cost: 0, own, ends, locks: locks.to_vec() }
    }

    fn add(&mut self, module: &Module, thread: &Thread, site: &Site) {
        self.kinds.add(module, thread, site);
        let (func, inst) = site.inst;
        let own = !matches!(module.funcs[func].insts[inst].op, Op::External { .. } | Op::Call { .. });
        self.own |= own;
        self.ends |= own && site.write && matches!(site.extent, Extent::Object);
        self.locks.retain(|lock| site.held.surely(lock.number, &thread.terms));
    }

    fn assess(&mut self) {
        let cost = |group: &Group| group.guard.iter().map(|t| t.index()).max().unwrap_or(0);
        self.groups.sort_by_key(cost);
        self.cost = self.groups.first().map_or(0, cost);
    }

    /// Whether a lock that excludes the other is held at all sites of both.
    fn exclude(&self, other: &Members) -> bool {
        self.locks.iter().any(|a| {
            let excludes = |b: &FixedLock| a.exclusive || b.exclusive;
            other.locks.iter().any(|b| a.class == b.class && a.place == b.place && excludes(b))
        })
    }
}

/// A lock at an address that is the same for all threads.
#[derive(Clone)]
struct FixedLock {
    /// Which of the thread's.
    number: usize,
    class: Arc<str>,
    place: FixedPlace,
    exclusive: bool,
}

impl FixedLock {
    /// Those of the thread.
    fn of(thread: &Thread, states: &StateClasses, without: &BTreeSet<Protection>) -> Vec<FixedLock> {
        if without.contains(&Protection::Locks) {
            return Vec::new();
        }
        let is_left_out = |lock: &Lock| lock.owns.is_some() && without.contains(&Protection::Flags);
        let fixed = |(number, lock): (usize, &Lock)| {
            let (class, place) = (lock.class.as_str().into(), thread.fixed_place(lock.addr)?);
            Some(FixedLock { number, class, place, exclusive: lock.mode == LockMode::Exclusive })
        };
        // A state of the kernel may be ended by others.
        thread
            .locks
            .iter()
            .enumerate()
            .filter(|(_, lock)| !states.contains_key(&lock.class) && lock.keeps_off.is_none())
            .filter(|(_, lock)| !is_left_out(lock))
            .filter_map(fixed)
            .collect()
    }
}

/// What a reader sees of a race at once.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Clarity {
    /// Both sides access members.
    Member,
    /// One accesses a member, and the other may be the end of the object.
    End,
    /// Anything else.
    None,
}

/// The classes of all threads.
pub struct Classes {
    keys: Vec<ClassKey>,
    neighbours: Vec<Vec<ClassId>>,
    apart: BTreeSet<Apart>,
    /// Per thread: its sites by classes.
    threads: Vec<FxHashMap<ClassId, Members>>,
    inner: Vec<Option<(TypeId, i128)>>,
}

impl Classes {
    /// Sorts the sites of all threads, as far as they count.
    #[allow(clippy::too_many_arguments)]
    pub fn new(
        facts: &origins::Facts,
        foreign: &Foreign,
        threads: &[Thread],
        sources: &[Sources],
        renamings: &[Renaming],
        states: &StateClasses,
        without: &BTreeSet<Protection>,
        counts: &dyn Fn(&Thread, &Site) -> bool,
    ) -> Classes {
        let mut ids: HashMap<ClassKey, ClassId> = HashMap::new();
        let mut keys = Vec::new();
        let mut objects = IndexSet::new();
        let mut of = ObjectsOf { facts, objects: &mut objects, known: HashMap::new() };
        let mut per_thread = Vec::new();
        let own: Vec<_> = threads.iter().zip(renamings).map(|(t, r)| alike::own(t, r)).collect();
        for ((thread, sources), own) in threads.iter().zip(sources).zip(&own) {
            let mut mine: FxHashMap<ClassId, Members> = FxHashMap::default();
            let locks = FixedLock::of(thread, states, without);
            let mut alike: IndexMap<Key, Vec<(TermId, Vec<usize>)>> = IndexMap::new();
            let wholes = Wholes::new(facts.module, thread);
            let all = thread.sites.iter().zip(&sources.sites).enumerate();
            for (i, (site, source)) in all.filter(|(_, (site, _))| !site.alone && counts(thread, site)) {
                let object = of.site(site, wholes.of(site.addr.obj).or_else(|| wholes.ended(site)));
                let settling = Settling::of(facts, foreign, thread, site);
                let key = (site.region, site.shape, source.origin, object, source.made, settling);
                let id = *ids.entry(key).or_insert_with(|| {
                    keys.push(key);
                    ClassId::new(keys.len() - 1)
                });
                mine.entry(id).or_insert_with(|| Members::new(&locks)).add(facts.module, thread, site);
                let known = (id, source.holder, sources.reached[i].as_slice());
                let by_guard = alike.entry(Key::new(thread, own, site, known)).or_default();
                match by_guard.iter_mut().find(|(guard, _)| *guard == site.guard) {
                    Some((_, sites)) => sites.push(i),
                    None => by_guard.push((site.guard, vec![i])),
                }
            }
            for (key, by_guard) in alike {
                let members = mine.get_mut(&key.class()).expect("the class of a site");
                members.groups.extend(alike::groups(thread, by_guard));
            }
            mine.values_mut().for_each(Members::assess);
            per_thread.push(mine);
        }
        let (neighbours, apart) = neighbours(facts, &keys, &objects);
        let inner = keys.iter().map(|&(_, shape, ..)| inner(facts, shape)).collect();
        Classes { keys, neighbours, apart, threads: per_thread, inner }
    }

    /// Why reads and writes of members were taken not to meet.
    pub fn apart(&self) -> &BTreeSet<Apart> {
        &self.apart
    }

    /// The classes that may touch a common byte with this one, itself included.
    pub fn neighbours(&self, class: ClassId) -> &[ClassId] {
        &self.neighbours[class.index()]
    }

    /// The pairs of classes in which the two threads may race, as far as types, kinds, regions and locks of which
    /// there is one tell.
    pub fn conflicts(&self, a: usize, b: usize) -> Vec<(ClassId, ClassId)> {
        let (left, right) = (&self.threads[a], &self.threads[b]);
        let mut out = Vec::new();
        for (&x, here) in left {
            for &y in self.neighbours(x) {
                let may_race = |there: &Members| here.kinds.conflict(there.kinds) && !here.exclude(there);
                if right.get(&y).is_some_and(may_race) {
                    out.push((x, y));
                }
            }
        }
        out.sort_unstable();
        out
    }

    /// What meets in a conflict of the first class, of the one thread, with the second, of the other.
    pub fn clarity(&self, first: (usize, ClassId), second: (usize, ClassId)) -> Clarity {
        let of = |(thread, class): (usize, ClassId)| self.threads[thread].get(&class);
        let is_member = |at: (usize, ClassId)| {
            matches!(self.keys[at.1.index()].1, Shape::In { .. }) && of(at).is_some_and(|members| members.own)
        };
        let ends = |at| of(at).is_some_and(|members| members.ends);
        match [first, second].map(is_member) {
            [true, true] => Clarity::Member,
            [true, false] if ends(second) => Clarity::End,
            [false, true] if ends(first) => Clarity::End,
            _ => Clarity::None,
        }
    }

    /// The sites of a thread in a class. Those are together of which one can take the place of another in
    /// every condition: one stands for all.
    pub fn sites(&self, thread: usize, class: ClassId) -> &[Group] {
        self.threads[thread].get(&class).map(|members| members.groups.as_slice()).unwrap_or(&[])
    }

    /// The class of a site of the thread.
    pub fn class_of(&self, thread: usize, site: usize) -> Option<ClassId> {
        let has = |members: &Members| members.groups.iter().any(|group| group.sites.contains(&site));
        self.threads[thread].iter().find(|(_, members)| has(members)).map(|(&class, _)| class)
    }

    /// What it costs to speak of a site of the class, in terms, as far as that is easily told.
    pub fn cost(&self, thread: usize, class: ClassId) -> usize {
        self.threads[thread].get(&class).map_or(0, |members| members.cost)
    }

    /// Per class: the smallest struct that holds the bytes, and how far it is from where the class's struct
    /// begins.
    pub fn inner(&self) -> &[Option<(TypeId, i128)>] {
        &self.inner
    }

    /// The number of memory regions of the report: classes, whatever the origins; that locks are taken is none.
    pub fn len(&self) -> usize {
        let data = self.keys.iter().filter(|(_, _, origin, ..)| *origin != Origin::Lock);
        data.map(|(region, shape, ..)| (region, shape)).collect::<HashSet<_>>().len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }
}

fn inner(facts: &origins::Facts, shape: Shape) -> Option<(TypeId, i128)> {
    match shape {
        Shape::In { strukt, lo, hi } => {
            let (inner, at) = facts.layout.smallest(strukt, lo, hi - lo);
            Some((inner, i128::from(lo) - i128::from(at)))
        }
        // Who has the whole object has the only one in it.
        Shape::Whole(strukt) => {
            let (single, distance) = facts.objects.single_from(facts.layout, strukt)?;
            Some((single, i128::from(distance)))
        }
        Shape::Scalar(_) | Shape::Wild | Shape::Outside => None,
    }
}

/// Finds the objects of sites.
struct ObjectsOf<'a> {
    facts: &'a origins::Facts<'a>,
    objects: &'a mut IndexSet<Object>,
    known: HashMap<Access, Option<ObjectId>>,
}

/// An access, and its object, if that is known as a whole.
type Access = (Option<(FuncId, ValueId)>, bool, Shape, Option<Whole>);

impl ObjectsOf<'_> {
    fn site(&mut self, site: &Site, whole: Option<Whole>) -> Option<ObjectId> {
        let (func, inst) = site.inst;
        let frees = matches!(self.facts.module.funcs[func].insts[inst].op, Op::Free { .. });
        *self.known.entry((site.through, frees, site.shape, whole)).or_insert_with(|| {
            let (layout, objects) = (self.facts.layout, self.facts.objects);
            let whole = whole.and_then(|whole| objects.of_whole(layout, whole, site.shape));
            let object = whole.or_else(|| objects.of(layout, site.through, frees, site.shape))?;
            Some(ObjectId::new(self.objects.insert_full(object).0))
        })
    }
}

/// The objects of a thread that are known as a whole.
struct Wholes<'a> {
    module: &'a Module,
    thread: &'a Thread,
    made: HashMap<TermId, Whole>,
}

impl<'a> Wholes<'a> {
    fn new(module: &'a Module, thread: &'a Thread) -> Wholes<'a> {
        let own = thread.locals.iter().zip(&thread.made_by);
        let whole = |(&var, &key)| Some((thread.terms.var_term(var), Whole::made_by(module, key)?));
        let made = own.filter_map(whole).collect();
        Wholes { module, thread, made }
    }

    /// What ends with a driver is what another thread has made.
    fn ended(&self, site: &Site) -> Option<Whole> {
        let (func, value) = site.through?;
        let func_of = |func: FuncId| &self.module.funcs[func];
        let ends = matches!(func_of(site.inst.0).insts[site.inst.1].op, Op::Free { until: Some(_), .. });
        let is_made = || objects::made(&func_of(func).insts[func_of(func).values[value].inst?]);
        ends.then(is_made).flatten().map(|value| Whole::Made(func, value))
    }

    fn of(&self, obj: TermId) -> Option<Whole> {
        let global = self.thread.global(self.module, obj).map(Whole::Global);
        global.or_else(|| self.made.get(&obj).copied())
    }
}

/// Whether sites of two classes may be of one object.
struct Meeting<'a> {
    facts: &'a origins::Facts<'a>,
    objects: &'a IndexSet<Object>,
    known: RefCell<HashMap<(ObjectId, Shape), bool>>,
}

impl Meeting<'_> {
    fn is_possible(&self, (a, x): (Shape, Option<ObjectId>), (b, y): (Shape, Option<ObjectId>)) -> bool {
        match (x, y) {
            (None, None) => true,
            (Some(x), Some(y)) => {
                let [one, other] = [x, y].map(|id| &self.objects[id.index()]);
                let may_be = x == y || one.may_be(self.facts.objects, self.facts.layout, other);
                may_be && self.may_have(x, b) && self.may_have(y, a)
            }
            (Some(x), None) => self.may_have(x, b),
            (None, Some(y)) => self.may_have(y, a),
        }
    }

    /// Whether the bytes may lie in the object.
    fn may_have(&self, object: ObjectId, bytes: Shape) -> bool {
        let (module, layout, exposed) = (self.facts.module, self.facts.layout, self.facts.exposed);
        let all = self.facts.objects;
        // Links that the source takes for an element's may be those of a head, wherever that lies.
        let of_ring = || layout.closes_ring(bytes);
        let find = || self.objects[object.index()].may_have(all, module, layout, exposed, bytes) || of_ring();
        *self.known.borrow_mut().entry((object, bytes)).or_insert_with(find)
    }
}

/// Whether the accesses may be to one object, as far as it is known what their objects are.
pub fn may_be_one_object(facts: &origins::Facts, sites: [&Site; 2]) -> bool {
    let mut objects = IndexSet::new();
    let mut of = ObjectsOf { facts, objects: &mut objects, known: HashMap::new() };
    let [one, other] = sites.map(|site| (site.shape, of.site(site, None)));
    Meeting { facts, objects: &objects, known: RefCell::default() }.is_possible(one, other)
}

/// Per class those that it may meet, and what is known of members on which that rests.
fn neighbours(
    facts: &origins::Facts,
    keys: &[ClassKey],
    objects: &IndexSet<Object>,
) -> (Vec<Vec<ClassId>>, BTreeSet<Apart>) {
    let mut apart = BTreeSet::new();
    let external = facts.points_to.external();
    let meeting = Meeting { facts, objects, known: RefCell::default() };
    let mut by_region: HashMap<RegionId, Vec<usize>> = HashMap::new();
    for (i, (region, ..)) in keys.iter().enumerate() {
        by_region.entry(*region).or_default().push(i);
    }
    let mut out = vec![Vec::new(); keys.len()];
    for (region, members) in &by_region {
        for (n, &i) in members.iter().enumerate() {
            for &j in &members[n..] {
                let different = |(a, b): (Shape, Shape)| matches!((a, b), (Shape::In { strukt: s, .. }, Shape::In { strukt: t, .. }) if s != t);
                if seeded(Fault::EmbeddedApart) && different((keys[i].1, keys[j].1)) {
                    continue;
                }
                let ((_, a, x, o, kept, how), (_, b, y, p, other, how_other)) = (keys[i], keys[j]);
                let is_possible = *region != external || meeting.is_possible((a, o), (b, p));
                if is_possible
                    && !kept.is_apart(other)
                    && facts.layout.may_overlap(*region == external, a, b)
                    && origins::may_meet(facts, (a, x), (b, y))
                {
                    if let Some(why) = how.apart(how_other) {
                        apart.insert(why);
                        continue;
                    }
                    out[i].push(ClassId::new(j));
                    if i != j {
                        out[j].push(ClassId::new(i));
                    }
                }
            }
        }
    }
    (out, apart)
}
