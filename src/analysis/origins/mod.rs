//! Where pointers come from, as far as that tells apart what they point to.
//!
//! A pointer member *owns* what it points to if no other pointer in memory leads there (design, rule 6): each
//! store to it, in all of the module, stores null or an object that was just made and is stored nowhere else,
//! and no pointer that was read from it is stored or given away. What two members own is apart, and what two
//! holders of one member own too. For members of the kernel's structs the environment model says so.
//!
//! A pointer member is *distinct* if no two holders have one pointer, whatever copies there are elsewhere
//! (`dev->driver_data`): each store to it stores null or an object that was just made, to one holder; or no two holders
//! within structs of one type (`slot`). Into a member of the kernel's, which code outside may fill, the module must put an object of its
//! own somewhere, and where sessions begin (a file is opened) if that is where it lies.
//!
//! Of members that hold nothing but what the module has made, it is known which objects these are (`made`).
//!
//! That members are initialized before they are read is an assumption, recorded for each (`unique-owner`).

pub mod hosts;
mod made;
mod makers;
mod slot;
mod stored;
mod tables;

use self::made::Heap;
use self::made::Made;
pub use self::made::{Makes, Whence};
pub use self::slot::Slot;
use self::stored::Write;
pub use self::stored::{may_have, object_of};
pub use self::tables::OfTables;
use super::exposed::Exposed;
use super::fields::{self, FieldId};
use super::layout::{Layout, Shape};
use super::linked::{self, Reached};
use super::objects::Objects;
use super::points_to::{PointsTo, RegionId, static_path};
use super::sessions::Sessions;
use crate::fault::{Fault, seeded};
use crate::instrument::thread::{Addr, Given, HiddenWrite, LoadVars, SharedLoad, Site, Thread};
use crate::instrument::values;
use lockpair_entry_points::EntryPointId;
use lockpair_ir::*;
use lockpair_smt::{Term, TermId, VarId};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Where a pointer comes from.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Origin {
    /// Nobody knows.
    Any,
    /// Not from a member that owns what it points to.
    Elsewhere,
    /// The same, and it was declared to point to a struct that is an allocation of its own: this one, if it is known.
    Alone(Option<TypeId>),
    /// The same, and nothing is known of what it was declared to point to.
    Untyped,
    /// The same, and it was declared to point to anything.
    Void,
    /// The same, and it was declared to point to numbers, characters or pointers.
    Data,
    /// The same, and it was declared to point to characters.
    Characters,
    /// It is an object with a name, which is declared to be data.
    Named,
    /// From this member, which owns it.
    Owned(FieldId),
    /// It is one to a lock, which is taken there.
    Lock,
}

/// The origin of an access's pointer, with the address of the member that owns it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// The origin.
    pub origin: Origin,
    /// The member that it comes from and its place, if no two places have one pointer.
    pub holder: Option<(Slot, Addr)>,
    /// By whom it was made, and what it was found in.
    pub made: Makes,
}

impl Source {
    const fn of(origin: Origin) -> Source {
        Source { origin, holder: None, made: Makes::UNKNOWN }
    }
}

const ANY: Source = Source::of(Origin::Any);
const DATA: Source = Source::of(Origin::Data);
const CHARACTERS: Source = Source::of(Origin::Characters);
const NAMED: Source = Source::of(Origin::Named);
const UNTYPED: Source = Source::of(Origin::Untyped);
const VOID: Source = Source::of(Origin::Void);
const ALONE: Source = Source::of(Origin::Alone(None));
const ELSEWHERE: Source = Source::of(Origin::Elsewhere);

/// What the decision needs.
pub struct Facts<'a> {
    /// The module.
    pub module: &'a Module,
    /// Its layouts.
    pub layout: &'a Layout<'a>,
    /// Its regions.
    pub points_to: &'a PointsTo,
    /// What pointers to data reach.
    pub exposed: &'a Exposed,
    /// What untyped pointers lead to.
    pub objects: &'a Objects,
    /// Members of the kernel's structs that own what they point to.
    pub declared: &'a BTreeSet<FieldId>,
    /// Members of the kernel's structs that code outside writes only before it gives the object to others.
    pub settled: &'a BTreeSet<FieldId>,
    /// Members of the kernel's structs of which no two hold one pointer, whatever code outside puts there.
    pub distinct: &'a BTreeSet<Slot>,
    /// The parameters whose objects belong to one struct for good.
    pub held: &'a HashMap<(EntryPointId, u32), HeldBy>,
    /// Members of the kernel's structs into which code outside puts what the module gives it, to several objects perhaps.
    pub given: &'a BTreeSet<FieldId>,
    /// Members of the kernel's structs, in groups, into which code outside puts nothing but what it has made for them.
    pub apart: &'a [Vec<FieldId>],
    /// Members into which code outside puts nothing but buffers for data, to each object its own.
    pub buffers: &'a BTreeSet<FieldId>,
    /// Members into which code outside puts nothing in an object that the module has made.
    pub left_alone: &'a BTreeSet<FieldId>,
    /// What belongs to tables of functions for good.
    pub tables: &'a OfTables,
    /// Where parameters of entry points come from.
    pub parameters: &'a HashMap<(EntryPointId, u32), Whence>,
    /// In which sessions entry points run.
    pub sessions: &'a Sessions,
}

/// To what the object of a parameter belongs for good.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct HeldBy {
    /// The parameter that leads to the struct.
    pub by: u32,
    /// How far in the struct the member is that stands for where it has the object.
    pub offset: u64,
    /// The member.
    pub slot: Slot,
}

/// The sources of one thread's accesses.
pub struct Sources {
    /// Of the sites.
    pub sites: Vec<Source>,
    /// Of the shared reads.
    pub loads: Vec<Source>,
    /// Of the hidden writes; none for those to objects that nobody else ever gets to see.
    pub hidden: Vec<Option<Source>>,
    /// Per object that has a member named as a holder: the holder of its own pointer, if there is one.
    pub holders: HashMap<TermId, (Slot, Addr)>,
    /// Per site: of what its object is an element.
    pub reached: Vec<Vec<Reached>>,
}

impl Sources {
    /// The members that something is known to come from, and from nowhere else.
    fn members(&self) -> impl Iterator<Item = Slot> {
        let sources = self.sites.iter().chain(&self.loads).chain(self.hidden.iter().flatten());
        let direct = sources.filter_map(|source| source.holder);
        direct.chain(self.holders.values().copied()).map(|(slot, _)| slot)
    }
}

/// What is known of pointer members.
#[derive(Default)]
struct Known {
    owners: BTreeSet<FieldId>,
    distinct: BTreeSet<Slot>,
    /// The members into which functions that begin sessions put what they have made.
    begun: BTreeSet<(EntryPointId, Slot)>,
    heap: Heap,
}

impl Known {
    /// The slot of an access to the member, if no two of that hold one pointer.
    fn slot(&self, field: FieldId, shape: Shape) -> Option<Slot> {
        Slot::of(field, shape).find(|slot| self.distinct.contains(slot))
    }

    /// The same of a read. What is in a session's member before the module has put something there is code outside's (`misc_open` puts
    /// one device into all its files), so who begins a session puts it there.
    fn slot_read(&self, facts: &Facts, entry: EntryPointId, field: FieldId, shape: Shape) -> Option<Slot> {
        let slot = self.slot(field, shape)?;
        let begins = |begin: &EntryPointId| self.begun.contains(&(*begin, slot));
        let is_put = match facts.sessions.begun_by(entry, field.strukt) {
            Some(begun_by) => !begun_by.is_empty() && begun_by.iter().all(begins),
            None => true,
        };
        (is_put || seeded(Fault::SessionsBeginEmpty)).then_some(slot)
    }
}

/// Finds the owners of the module and the sources of all sites, and whose handles are; what is assumed of sources goes to the ledger.
/// `bound` are the members of devices that who binds a driver sets.
pub fn find(
    facts: &Facts,
    threads: &[Thread],
    bound: &BTreeSet<FieldId>,
    ledger: &mut Ledger,
) -> (Vec<Sources>, hosts::Found) {
    let views: Vec<View> = threads.iter().map(|t| View::new(facts, t)).collect();
    // What the model says of the kernel holds as long as the module does not copy those pointers.
    let mut trusted = facts.declared.clone();
    let writes = Write::all(facts, &views);
    let found_hosts = hosts::find(facts, &views, &writes, bound);
    let by_member = stored::by_member(facts, &writes);
    let stored::Distinct { slots: distinct, begun, settled } =
        stored::distinct(facts, &writes, &by_member, bound);
    for member in settled {
        ledger.record(AssumptionKind::Settled, fields::name(facts.module, member), None);
    }
    let heap = Heap::new(facts, &views, &writes, &by_member);
    let mut known = Known { owners: trusted.clone(), distinct, begun, heap };
    let mut first = true;
    loop {
        let sources: Vec<Vec<Source>> = views.iter().map(|v| v.of_sites(facts, &known)).collect();
        let found = Candidates::new(facts, &views, (&trusted, &known), &sources).alive;
        if first && !found.is_superset(&trusted) {
            trusted = trusted.intersection(&found).copied().collect();
            known.owners = trusted.clone();
        } else if found.is_subset(&known.owners) {
            let all = views.iter().zip(sources).map(|(v, sites)| v.all(facts, &known, sites));
            let mut all: Vec<Sources> = all.collect();
            note(facts, &known, &all, ledger);
            for (sources, reached) in all.iter_mut().zip(linked::find(facts, threads, ledger)) {
                sources.reached = reached;
            }
            return (all, found_hosts);
        } else {
            // What is known of owners tells more pointers apart, and so there may be more owners.
            known.owners.extend(found);
            first = false;
        }
    }
}

/// Everything that the sources name is used somewhere: the bytes of reads and of hidden writes are compared
/// too, and what is held by what is held says that two holders are one.
fn note(facts: &Facts, known: &Known, sources: &[Sources], ledger: &mut Ledger) {
    let members = sources.iter().flat_map(Sources::members);
    let (owned, distinct): (BTreeSet<Slot>, BTreeSet<Slot>) =
        members.partition(|slot| known.owners.contains(&slot.field));
    for slot in distinct {
        let name = slot.name(facts.module);
        let is_said = facts.distinct.contains(&slot) || facts.held.values().any(|held| held.slot == slot);
        let kind = if is_said { AssumptionKind::Environment } else { AssumptionKind::UniqueOwner };
        ledger.record(kind, format!("{name}: no two hold one pointer"), None);
        if facts.buffers.contains(&slot.field) {
            let subject = format!("{name}: code outside gives each object a buffer of its own");
            ledger.record(AssumptionKind::Environment, subject, None);
        }
    }
    let used = sources.iter().flat_map(|s| s.sites.iter().chain(&s.loads)).flat_map(|s| s.made.all());
    let used: BTreeSet<Made> = used.collect();
    if used.iter().any(|&made| known.heap.is_of_table(made)) {
        for &field in &facts.tables.found_by {
            let name = fields::name(facts.module, field);
            let subject = format!("{name}: by this code outside finds to which table an object belongs");
            ledger.record(AssumptionKind::Environment, subject, None);
        }
    }
    let members: BTreeSet<FieldId> = used.into_iter().flat_map(|made| known.heap.holding(made)).collect();
    for field in members {
        let mut said = facts.apart.iter().flatten().chain(facts.buffers).chain(&facts.tables.same);
        let kind =
            if said.any(|f| *f == field) { AssumptionKind::Environment } else { AssumptionKind::UniqueOwner };
        let subject =
            format!("{}: nothing is in it but what is put there", fields::name(facts.module, field));
        ledger.record(kind, subject, None);
    }
    for Slot { field, .. } in owned {
        let kind = match facts.declared.contains(&field) {
            true => AssumptionKind::Environment,
            false => AssumptionKind::UniqueOwner,
        };
        ledger.record(kind, format!("{} owns what it points to", fields::name(facts.module, field)), None);
    }
}

/// The source of an access of that shape: whose links are looked at may be the head of a ring.
fn of_ring(facts: &Facts, shape: Shape, source: Source) -> Source {
    let may_be_head = matches!(source.origin, Origin::Alone(_)) && facts.layout.closes_ring(shape);
    if may_be_head { Source { origin: Origin::Any, ..source } } else { source }
}

/// The source of an access of that shape through that pointer: what the module does not take for an allocation of its own, whatever
/// code outside has put there, is none where it is treated as a block.
fn as_block(facts: &Facts, shape: Shape, through: Option<(FuncId, ValueId)>, source: Source) -> Source {
    let is_untyped = matches!(source.origin, Origin::Void | Origin::Untyped) && shape.is_unknown();
    match is_untyped && !facts.objects.leads_to_alone(through) {
        true => Source { origin: Origin::Elsewhere, ..source },
        false => source,
    }
}

/// Whether a function outside of the module writes there that leaves settled members alone: nobody chooses its time but itself.
/// Who hands it the very address of such a member does.
pub fn is_by_outside(facts: &Facts, site: &Site) -> bool {
    let module = facts.module;
    let (func, inst) = site.inst;
    let is_function = match &module.funcs[func].insts[inst].op {
        Op::External { name, .. } => module.func_named(name).is_some(),
        op => op.is_outside(),
    };
    let names_member = |(func, value): (FuncId, ValueId)| {
        let func = &module.funcs[func];
        let place =
            static_path(module, func, Operand::Value(value)).filter(|_| !func.as_struct.contains(&value));
        let bytes = place.map(|(strukt, lo)| Shape::In { strukt, lo, hi: lo + 1 });
        let member = bytes.and_then(|shape| fields::of_shape(module, facts.layout, shape));
        member.is_some_and(|member| facts.settled.contains(&member))
    };
    is_function && !site.through.is_some_and(names_member) || seeded(Fault::SettledForAll)
}

/// Whether accesses of these shapes through pointers of these origins may touch a common byte, as far as
/// the origins tell.
pub fn may_meet(facts: &Facts, (a, x): (Shape, Origin), (b, y): (Shape, Origin)) -> bool {
    // Who takes a lock looks for who makes it anew, and both know by type what they do that to.
    let typed = |s: Shape| matches!(s, Shape::In { .. } | Shape::Whole(_));
    let of_lock = x == Origin::Lock || y == Origin::Lock;
    if of_lock && !(typed(a) && typed(b) && facts.layout.may_overlap(true, a, b)) {
        return false;
    }
    let hidden_alone = |s: Shape| facts.exposed.is_hidden_alone(facts.module, facts.layout, s);
    let hidden = |s: Shape| facts.exposed.is_hidden(facts.module, facts.layout, s) || hidden_alone(s);
    let raw = Shape::is_raw;
    let outside = |s: Shape, other: Shape| {
        s == Shape::Outside && facts.exposed.is_unknown_outside(facts.module, facts.layout, other)
    };
    if outside(a, b) || outside(b, a) {
        return false;
    }
    // What is an allocation of its own is treated as a block only through pointers that were declared to
    // point to such a struct, or to anything.
    let is_other = |ty: TypeId| {
        !facts.layout.is_alone(Shape::Whole(ty)) && !matches!(facts.module.types[ty], TypeDef::Void)
    };
    let of_others = |o: Origin| match o {
        Origin::Any | Origin::Alone(_) => false,
        Origin::Untyped | Origin::Void => seeded(Fault::AloneByDeclaration),
        Origin::Owned(f) => {
            fields::pointee(facts.module, f).is_some_and(is_other) || seeded(Fault::AloneByDeclaration)
        }
        Origin::Elsewhere | Origin::Data | Origin::Characters | Origin::Named | Origin::Lock => true,
    };
    let block = |s: Shape, o: Origin| s.is_unknown() && of_others(o);
    if block(a, x) && hidden_alone(b) || block(b, y) && hidden_alone(a) {
        return false;
    }
    // Bytes behind a pointer to what is an allocation of its own are bytes of that.
    let elsewhere = |s: Shape, o: Origin, other: Shape| match (o, other) {
        (Origin::Alone(Some(ty)), Shape::In { .. } | Shape::Whole(_)) => {
            raw(s) && !facts.layout.may_lie_within(other, ty)
        }
        _ => false,
    };
    if elsewhere(a, x, b) || elsewhere(b, y, a) {
        return false;
    }
    // A pointer to characters leads to no other member, unless the module makes one from a pointer to the struct or to it.
    let other_than_characters = |s: Shape, o: Origin, other: Shape| match other {
        Shape::In { strukt, lo, hi } => {
            s.is_unknown()
                && o == Origin::Characters
                && !facts.exposed.is_converted(strukt)
                && facts.exposed.is_untaken(facts.module, facts.layout, other)
                && (seeded(Fault::CharactersApart) || !facts.layout.has_scalar(strukt, lo, hi, 1))
        }
        Shape::Scalar(_) | Shape::Whole(_) | Shape::Wild | Shape::Outside => false,
    };
    if other_than_characters(a, x, b) || other_than_characters(b, y, a) {
        return false;
    }
    // A struct lies in an object that is declared to be data only where the module says so.
    let unconverted = |s: Shape| match s {
        Shape::In { strukt, .. } | Shape::Whole(strukt) => !facts.exposed.is_converted(strukt),
        Shape::Scalar(_) | Shape::Wild | Shape::Outside => false,
    };
    // Who reads or writes one scalar through a pointer, takes it for one to that scalar.
    let as_used = |s: Shape, o: Origin| match (s, o) {
        (Shape::Scalar(_), Origin::Untyped) => Origin::Data,
        (_, Origin::Untyped | Origin::Void | Origin::Alone(_)) => Origin::Elsewhere,
        (_, Origin::Characters) => Origin::Data,
        _ => o,
    };
    match (as_used(a, x), as_used(b, y)) {
        (Origin::Named, Origin::Owned(_)) => !(raw(a) && unconverted(b)),
        (Origin::Owned(_), Origin::Named) => !(raw(b) && unconverted(a)),
        (Origin::Named, Origin::Elsewhere) => !(raw(a) && unconverted(b)),
        (Origin::Elsewhere, Origin::Named) => !(raw(b) && unconverted(a)),
        (Origin::Owned(f), Origin::Owned(g)) => f == g,
        (Origin::Owned(_), Origin::Elsewhere | Origin::Data)
        | (Origin::Elsewhere | Origin::Data, Origin::Owned(_)) => false,
        (Origin::Data, Origin::Elsewhere) => !(raw(a) && hidden(b)),
        (Origin::Elsewhere, Origin::Data) => !(raw(b) && hidden(a)),
        _ => true,
    }
}

fn whence(facts: &Facts, thread: &Thread, given: &Given) -> Option<(VarId, (u32, Whence))> {
    let param = given.param?;
    Some((given.var, (param, *facts.parameters.get(&(thread.entry, param))?)))
}

fn held(facts: &Facts, entry: EntryPointId, given: &Given) -> Option<(VarId, (Slot, Addr))> {
    let held = facts.held.get(&(entry, given.param?))?;
    Some((given.var, (held.slot, given.holder?)))
}

fn table(facts: &Facts, entry: EntryPointId, given: &Given) -> Option<(VarId, GlobalId)> {
    Some((given.var, *facts.tables.params.get(&(entry, given.param?))?))
}

/// A store of an own object.
#[derive(Copy, Clone)]
struct Placed {
    /// The member.
    field: Option<FieldId>,
    /// Its address.
    at: Addr,
    /// What it is stored to.
    shape: Shape,
    /// Whether the store is in a loop and may put it in several places.
    repeated: bool,
}

impl Placed {
    /// Whether both are in one place.
    fn is_same(&self, other: &Placed) -> bool {
        (self.field, self.at) == (other.field, other.at)
    }
}

/// A thread with what its variables are.
struct View<'a> {
    thread: &'a Thread,
    /// The reads of pointers by the object that was read, with the member.
    loads: HashMap<VarId, (Option<FieldId>, &'a SharedLoad)>,
    /// What code outside gave, with the declared type.
    outside: HashMap<VarId, Option<TypeId>>,
    /// Its parameters of which it is known where they come from.
    params: HashMap<VarId, (u32, Whence)>,
    /// Its parameters that belong to a table for good: to which.
    tables: HashMap<VarId, GlobalId>,
    /// Its parameters that belong to a struct for good: in which.
    held: HashMap<VarId, (Slot, Addr)>,
    /// The own objects by their variable.
    locals: HashMap<VarId, usize>,
    /// Per own object: where it is stored.
    placed: HashMap<usize, Vec<Placed>>,
}

impl<'a> View<'a> {
    fn new(facts: &Facts, thread: &'a Thread) -> View<'a> {
        let mut view = View {
            thread,
            loads: HashMap::new(),
            outside: thread.given.iter().map(|given| (given.var, given.pointee)).collect(),
            params: thread.given.iter().filter_map(|given| whence(facts, thread, given)).collect(),
            tables: thread.given.iter().filter_map(|given| table(facts, thread.entry, given)).collect(),
            held: thread.given.iter().filter_map(|given| held(facts, thread.entry, given)).collect(),
            locals: thread.locals.iter().enumerate().map(|(n, &v)| (v, n)).collect(),
            placed: HashMap::new(),
        };
        for load in &thread.loads {
            if let LoadVars::Ptr(obj, _) = load.vars {
                view.loads.insert(obj, (fields::of_shape(facts.module, facts.layout, load.shape), load));
            }
        }
        for Stored { value, at, shape, inst } in stores(thread) {
            let field = fields::of_shape(facts.module, facts.layout, shape);
            for leaf in thread.leaves(value.obj) {
                if let Some(&n) = view.local(leaf) {
                    let repeated = thread.repeated[n].contains(&inst) && !seeded(Fault::LoopsStoreOnce);
                    view.placed.entry(n).or_default().push(Placed { field, at, shape, repeated });
                }
            }
        }
        view
    }

    fn local(&self, leaf: TermId) -> Option<&usize> {
        match self.thread.terms.get(leaf) {
            Term::Var(v) => self.locals.get(&v),
            _ => None,
        }
    }

    /// The read that gave the pointer, with the member.
    fn load(&self, leaf: TermId) -> Option<&(Option<FieldId>, &'a SharedLoad)> {
        match self.thread.terms.get(leaf) {
            Term::Var(v) => self.loads.get(&v),
            _ => None,
        }
    }

    /// The same, with the member, unless it may be one of an object that nobody else gets to see, or that is on the stack: what is
    /// written there is not known of.
    fn read_from(&self, leaf: TermId) -> Option<(FieldId, &'a SharedLoad)> {
        let &(field, load) = self.load(leaf)?;
        let is_own = |leaf: TermId| {
            self.local(leaf).is_some_and(|&n| self.thread.on_stack[n] || !self.gets_around(leaf))
        };
        let known = !self.thread.leaves(load.addr.obj).into_iter().any(is_own);
        Some((field.filter(|_| known || seeded(Fault::OwnObjectsStay))?, load))
    }

    /// If two addresses are one, the members, of those that nobody changes, on which that rests: the terms are the same, or
    /// what such a member holds.
    fn one_place(&self, settled: &BTreeSet<FieldId>, a: Addr, b: Addr) -> Option<Vec<FieldId>> {
        if a.off != b.off {
            return None;
        }
        if a.obj == b.obj {
            return Some(Vec::new());
        }
        let (Some((Some(f), one)), Some((Some(g), other))) = (self.load(a.obj), self.load(b.obj)) else {
            return None;
        };
        let is_same = f == g && settled.contains(f);
        let mut members = is_same.then(|| self.one_place(settled, one.addr, other.addr))??;
        members.push(*f);
        Some(members)
    }

    fn all(&self, facts: &Facts, known: &Known, sites: Vec<Source>) -> Sources {
        let loads = self.of_loads(facts, known);
        let hidden = self.of_hidden(facts, known);
        let mut holders = HashMap::new();
        let mut work: Vec<TermId> = sites.iter().filter_map(|s| Some(s.holder?.1.obj)).collect();
        while let Some(obj) = work.pop() {
            if !holders.contains_key(&obj)
                && let Some((slot, at)) = self.source(facts, known, obj).holder
            {
                holders.insert(obj, (slot, at));
                work.push(at.obj);
            }
        }
        Sources { sites, loads, hidden, holders, reached: Vec::new() }
    }

    fn of_sites(&self, facts: &Facts, known: &Known) -> Vec<Source> {
        let sources = self.of_objects(facts, known, self.thread.sites.iter().map(|s| s.addr.obj));
        let takes = |s: &Site| matches!(facts.module.funcs[s.inst.0].insts[s.inst.1].op, Op::Acquire { .. });
        let taken = |(s, source): (&Site, Source)| match takes(s) {
            true => Source { origin: Origin::Lock, ..source },
            false => of_ring(facts, s.shape, as_block(facts, s.shape, s.through, source)),
        };
        self.thread.sites.iter().zip(sources).map(taken).collect()
    }

    fn of_loads(&self, facts: &Facts, known: &Known) -> Vec<Source> {
        let loads = &self.thread.loads;
        let sources = self.of_objects(facts, known, loads.iter().map(|l| l.addr.obj));
        loads.iter().zip(sources).map(|(l, source)| of_ring(facts, l.shape, source)).collect()
    }

    fn of_hidden(&self, facts: &Facts, known: &Known) -> Vec<Option<Source>> {
        let hidden = &self.thread.hidden;
        let sources = self.of_objects(facts, known, hidden.iter().map(|w| w.addr.obj));
        let known = |(w, source): (&HiddenWrite, Source)| {
            let source = of_ring(facts, w.shape, as_block(facts, w.shape, w.through, source));
            self.gets_around(w.addr.obj).then_some(source)
        };
        hidden.iter().zip(sources).map(known).collect()
    }

    /// Whether anybody else may ever get to see the object.
    fn gets_around(&self, obj: TermId) -> bool {
        self.thread
            .leaves(obj)
            .into_iter()
            .any(|leaf| self.local(leaf).is_none_or(|n| self.placed.contains_key(n) || self.thread.lost[*n]))
    }

    fn of_objects(&self, facts: &Facts, known: &Known, objects: impl Iterator<Item = TermId>) -> Vec<Source> {
        let mut cache: HashMap<TermId, Source> = HashMap::new();
        objects.map(|t| *cache.entry(t).or_insert_with(|| self.source(facts, known, t))).collect()
    }

    /// The source of a pointer by the term of its object.
    fn source(&self, facts: &Facts, known: &Known, obj: TermId) -> Source {
        let made = |obj: TermId| known.heap.of_leaves(self, self.thread.leaves(obj).into_iter());
        let source = self.source_of_all(facts, known, self.thread.leaves(obj));
        let holder = source.holder.map(|(slot, at)| (slot, made(at.obj)));
        Source { made: Makes { own: made(obj), holder }, ..source }
    }

    /// What these have in common.
    fn source_of_all(
        &self,
        facts: &Facts,
        known: &Known,
        leaves: impl IntoIterator<Item = TermId>,
    ) -> Source {
        let mut found: Option<Source> = None;
        for leaf in leaves {
            let source = self.leaf(facts, known, leaf);
            match found {
                None => found = Some(source),
                Some(before) if before == source => {}
                Some(Source { origin: Origin::Alone(_), holder: None, .. })
                    if matches!(source, Source { origin: Origin::Alone(_), holder: None, .. }) =>
                {
                    found = Some(ALONE);
                }
                Some(_) => return ANY,
            }
        }
        // Null alone: no access.
        found.unwrap_or(ELSEWHERE)
    }

    fn leaf(&self, facts: &Facts, known: &Known, leaf: TermId) -> Source {
        let Term::Var(v) = self.thread.terms.get(leaf) else {
            let global = self.global(facts, leaf);
            let private = |ty: TypeId| facts.module.as_struct(ty).is_some_and(|s| s.module_private);
            let is_kernels = global.is_some_and(|g| !g.defined && !g.ty.is_some_and(private));
            let is_data = |g: &Global| g.ty.is_some_and(|ty| fields::is_data(facts.module, ty));
            return match self.is_elsewhere(leaf) {
                true if global.is_some_and(is_data) => NAMED,
                // The kernel's named objects are none of the module's structs.
                true if is_kernels => DATA,
                true if self.thread.terms.as_int(leaf).is_none() => UNTYPED,
                true => ELSEWHERE,
                false => ANY,
            };
        };
        let by_type = |pointee: Option<TypeId>| match pointee {
            Some(ty) if matches!(facts.module.types[ty], TypeDef::Void) => VOID,
            Some(ty) if facts.module.is_character(ty) => CHARACTERS,
            Some(ty) if fields::is_data(facts.module, ty) => DATA,
            Some(ty) if facts.layout.is_alone(Shape::Whole(ty)) => Source::of(Origin::Alone(Some(ty))),
            Some(_) => ELSEWHERE,
            None => UNTYPED,
        };
        if let Some((field, load)) = self.loads.get(&v) {
            return match field {
                Some(f) if known.owners.contains(f) => {
                    Source { holder: Some((Slot::anywhere(*f), load.addr)), ..Source::of(Origin::Owned(*f)) }
                }
                Some(f) => {
                    let slot = known.slot_read(facts, self.thread.entry, *f, load.shape);
                    let holder = slot.map(|slot| (slot, load.addr));
                    // Who keeps an address in a number says nothing of what is there.
                    let is_kept = fields::pointee(facts.module, *f).is_none();
                    let is_data =
                        fields::element(facts.module, *f).is_some_and(|ty| facts.module.is_character(ty));
                    let by_type = match is_kept && !is_data && !seeded(Fault::AloneByDeclaration) {
                        true => VOID,
                        false => {
                            by_type(fields::pointee(facts.module, *f).or(fields::element(facts.module, *f)))
                        }
                    };
                    Source { holder, ..by_type }
                }
                None if known.owners.iter().any(|f| self.reads(facts, known, load, *f)) => ANY,
                None if self.is_of_other(facts, load) => ELSEWHERE,
                None => ALONE,
            };
        }
        if let Some(pointee) = self.outside.get(&v) {
            return Source { holder: self.held.get(&v).copied(), ..by_type(*pointee) };
        }
        match self.locals.get(&v) {
            Some(n) => self.own(facts, known, *n),
            None => ANY,
        }
    }

    /// Whether it reads a variable that is declared to point to something that is no allocation of its own.
    fn is_of_other(&self, facts: &Facts, load: &SharedLoad) -> bool {
        let pointee = |leaf: TermId| {
            let mut ty = self.global(facts, leaf)?.ty?;
            while let TypeDef::Array { elem, .. } = facts.module.types[ty] {
                ty = elem;
            }
            facts.module.pointee(ty)
        };
        let other = |ty: TypeId| !facts.layout.is_alone(Shape::Whole(ty));
        self.thread.leaves(load.addr.obj).into_iter().all(|leaf| pointee(leaf).is_some_and(other))
    }

    /// Whether a read of which the member is not known may be one of the member.
    fn reads(&self, facts: &Facts, known: &Known, load: &SharedLoad, field: FieldId) -> bool {
        let external = load.region == facts.points_to.external();
        let target = fields::shape(facts.module, field);
        let through = self.source(facts, known, load.addr.obj).origin;
        facts.layout.may_overlap(external, load.shape, target)
            && may_meet(facts, (load.shape, through), (target, Origin::Elsewhere))
    }

    fn global<'m>(&self, facts: &Facts<'m>, leaf: TermId) -> Option<&'m Global> {
        Some(&facts.module.globals[self.thread.global(facts.module, leaf)?])
    }

    /// Whether at most one of the places where the object is stored is such a one, and that one is no several.
    fn is_placed_once(&self, n: usize, is_here: impl Fn(&Placed) -> bool) -> bool {
        let here = || self.placed[&n].iter().filter(|p| is_here(p));
        let first = here().next();
        let once = |p: &Placed| !p.repeated && first.is_some_and(|first| p.is_same(first));
        here().all(once) && !self.thread.on_stack[n]
    }

    /// Whether it is an object of the module, or one made from a number: pointers that become numbers
    /// other than for a moment are lost, so it is none of theirs.
    fn is_elsewhere(&self, leaf: TermId) -> bool {
        let terms = &self.thread.terms;
        match terms.get(leaf) {
            Term::App(f, _) => &*terms.func_info(f).name == values::OBJECT_OF_NUMBER,
            _ => terms.as_int(leaf).is_some(),
        }
    }

    /// An object that the thread has made.
    fn own(&self, facts: &Facts, known: &Known, n: usize) -> Source {
        let placed = self.placed.get(&n).map(Vec::as_slice).unwrap_or_default();
        let points_to_data = |field: &Option<FieldId>| {
            let pointee = field.and_then(|f| fields::pointee(facts.module, f));
            pointee.is_some_and(|ty| fields::is_data(facts.module, ty))
        };
        match placed {
            [first @ Placed { field: Some(f), at, .. }, rest @ ..]
                if known.owners.contains(f) && rest.iter().all(|p| p.is_same(first)) =>
            {
                Source { holder: Some((Slot::anywhere(*f), *at)), ..Source::of(Origin::Owned(*f)) }
            }
            _ => {
                let slot = |p: &Placed| Some((known.slot(p.field?, p.shape)?, p.at));
                let holder = placed.iter().find_map(slot);
                let data = !placed.is_empty() && placed.iter().all(|p| points_to_data(&p.field));
                Source { holder, ..if data { DATA } else { ELSEWHERE } }
            }
        }
    }
}

/// Whether an access that does not name a member of which the model says that it owns may be taken not to be
/// one to it: code outside leaves it as it is, and the module reaches it through a pointer to data only if it
/// has made one.
fn is_by_chance(facts: &Facts, shape: Shape, by_outside: bool, field: FieldId) -> bool {
    let names = || fields::of_shape(facts.module, facts.layout, shape) == Some(field);
    let apart = || match shape {
        Shape::Scalar(_) | Shape::Wild | Shape::Outside => !facts.exposed.is_taken(field),
        Shape::In { .. } | Shape::Whole(_) => by_outside,
    };
    facts.declared.contains(&field) && !names() && apart()
}

/// Calls for each pointer member that an initial value fills.
fn initialized(facts: &Facts, mut say: impl FnMut(FieldId)) {
    let pointers = facts.module.globals.keys().flat_map(|g| initial(facts.module, g));
    for (_, shape) in pointers.filter(|(cell, _)| matches!(cell.value, Operand::Global(..))) {
        fields::of_shape(facts.module, facts.layout, shape).into_iter().for_each(&mut say);
    }
}

/// What a global is filled with at first, and where in its type.
pub fn initial(module: &Module, global: GlobalId) -> impl Iterator<Item = (&InitCell, Shape)> {
    let global = &module.globals[global];
    let shape = move |cell: &InitCell| {
        let Some(ty) = global.ty.map(|ty| module.element(ty)) else { return Shape::Wild };
        let (strukt, lo) = match module.struct_at(global, cell.offset) {
            Some(place) => place,
            None => (ty, cell.offset % module.size_of(ty).max(1)),
        };
        Shape::In { strukt, lo, hi: lo + cell.size }
    };
    global.init.iter().map(move |cell| (cell, shape(cell)))
}

/// A store of a pointer.
struct Stored {
    value: Addr,
    at: Addr,
    shape: Shape,
    inst: (FuncId, InstId),
}

/// The pointers that a thread stores to memory which others may see later.
fn stores(thread: &Thread) -> impl Iterator<Item = Stored> {
    let sites = thread
        .sites
        .iter()
        .filter_map(|s| Some(Stored { value: s.value?, at: s.addr, shape: s.shape, inst: s.inst }));
    let hidden = thread
        .hidden
        .iter()
        .filter_map(|w| Some(Stored { value: w.value?, at: w.addr, shape: w.shape, inst: w.inst }));
    sites.chain(hidden)
}

/// Members that may own what they point to, until something speaks against it.
struct Candidates<'a, 'f> {
    facts: &'a Facts<'f>,
    alive: BTreeSet<FieldId>,
    /// The regions in which each is accessed, with the origins of the objects that have it.
    regions: HashMap<FieldId, HashSet<(RegionId, Origin)>>,
}

impl<'a, 'f> Candidates<'a, 'f> {
    fn new(
        facts: &'a Facts<'f>,
        views: &'a [View<'a>],
        (trusted, known): (&BTreeSet<FieldId>, &Known),
        sources: &[Vec<Source>],
    ) -> Candidates<'a, 'f> {
        let mut c = Candidates { facts, alive: trusted.clone(), regions: HashMap::new() };
        // Who never stores to a member does not know what is there.
        let placed: HashSet<FieldId> =
            views.iter().flat_map(|v| v.placed.values().flatten()).filter_map(|p| p.field).collect();
        let summarized =
            views.iter().any(|v| v.thread.ledger.iter().any(|a| a.kind == AssumptionKind::EmptySummary));
        for (view, sources) in views.iter().zip(sources) {
            for (site, source) in view.thread.sites.iter().zip(sources) {
                let Some(field) = fields::of_shape(facts.module, facts.layout, site.shape) else { continue };
                c.regions.entry(field).or_default().insert((site.region, source.origin));
                if !summarized && placed.contains(&field) && c.may_own(field) {
                    c.alive.insert(field);
                }
            }
        }
        // Initial values are not objects that were just made.
        initialized(facts, |field| _ = c.alive.remove(&field));
        for view in views.iter().filter(|_| !seeded(Fault::OwnersCopied)) {
            c.copies(view, known);
        }
        for (view, sources) in views.iter().zip(sources) {
            let hidden = view.thread.hidden.iter().map(|w| view.source(facts, known, w.addr.obj));
            c.accesses(view, sources, &hidden.collect::<Vec<_>>());
        }
        c
    }

    fn may_own(&self, field: FieldId) -> bool {
        let private = self.facts.module.as_struct(field.strukt).is_some_and(|s| s.module_private);
        private && fields::pointee(self.facts.module, field).is_some()
    }

    /// Pointers that were read from a member and went somewhere else.
    fn copies(&mut self, view: &View, known: &Known) {
        for Stored { value, shape, .. } in stores(view.thread) {
            let into = fields::of_shape(self.facts.module, self.facts.layout, shape);
            let into = into.and_then(|f| fields::pointee(self.facts.module, f));
            self.copied(view, known, value.obj, into);
        }
        // Code outside does not keep what the model says is owned.
        let declared: Vec<FieldId> = self.alive.intersection(self.facts.declared).copied().collect();
        for &obj in &view.thread.kept {
            self.copied(view, known, obj, None);
        }
        self.alive.extend(declared);
    }

    fn copied(&mut self, view: &View, known: &Known, obj: TermId, into: Option<TypeId>) {
        for leaf in view.thread.leaves(obj) {
            match view.thread.terms.get(leaf) {
                Term::Var(v) if view.locals.contains_key(&v) || view.outside.contains_key(&v) => {}
                Term::Var(v) => match view.loads.get(&v) {
                    Some((Some(field), _)) => _ = self.alive.remove(field),
                    Some((None, load)) => {
                        let (facts, shape) = (self.facts, load.shape);
                        let by_chance =
                            |f| matches!(shape, Shape::Scalar(_)) && is_by_chance(facts, shape, false, f);
                        self.alive.retain(|&f| by_chance(f) || !view.reads(facts, known, load, f));
                    }
                    None => self.unknown_copy(into),
                },
                _ if view.is_elsewhere(leaf) => {}
                _ => self.unknown_copy(into),
            }
        }
    }

    /// Some pointer of that declared type, nobody knows which, went somewhere.
    fn unknown_copy(&mut self, into: Option<TypeId>) {
        let (module, layout) = (self.facts.module, self.facts.layout);
        self.alive.retain(|&f| match (into, fields::pointee(module, f)) {
            (Some(a), Some(b)) => {
                let structs = module.as_struct(a).is_some() && module.as_struct(b).is_some();
                structs && !layout.related(a, b)
            }
            _ => false,
        });
    }

    /// Accesses to the members that are neither plain reads of a pointer nor stores of what was just made.
    fn accesses(&mut self, view: &View, sources: &[Source], hidden: &[Source]) {
        let mut decided: HashSet<(RegionId, Shape, Origin, FieldId)> = HashSet::new();
        for (site, source) in view.thread.sites.iter().zip(sources) {
            for field in self.alive.clone() {
                let key = (site.region, site.shape, source.origin, field);
                if decided.contains(&key) || self.is_trusted(site.inst, site.shape, field) {
                    continue;
                }
                if !self.hits(site.region, site.shape, source.origin, field) {
                    decided.insert(key);
                } else if !self.harmless(view, site, field) {
                    self.alive.remove(&field);
                }
            }
        }
        for (write, source) in view.thread.hidden.iter().zip(hidden) {
            for field in self.alive.clone() {
                let stored = (write.shape, write.value);
                if !self.is_trusted(write.inst, write.shape, field)
                    && self.hits(write.region, write.shape, source.origin, field)
                    && !self.is_harmless_write(view, self.op(write.inst), stored, field)
                {
                    self.alive.remove(&field);
                }
            }
        }
    }

    /// Whether the model speaks for the access.
    fn is_trusted(&self, inst: (FuncId, InstId), shape: Shape, field: FieldId) -> bool {
        let by_outside = matches!(self.op(inst), Op::External { .. } | Op::Access { .. });
        is_by_chance(self.facts, shape, by_outside, field)
    }

    fn op(&self, (func, inst): (FuncId, InstId)) -> &'f Op {
        &self.facts.module.funcs[func].insts[inst].op
    }

    /// Whether an access may touch the member.
    fn hits(&self, region: RegionId, shape: Shape, origin: Origin, field: FieldId) -> bool {
        let target = fields::shape(self.facts.module, field);
        let external = region == self.facts.points_to.external();
        let regions = self.regions.get(&field);
        regions.is_some_and(|list| {
            list.iter().any(|&(r, o)| r == region && may_meet(self.facts, (shape, origin), (target, o)))
        }) && self.facts.layout.may_overlap(external, shape, target)
    }

    fn harmless(&self, view: &View, site: &Site, field: FieldId) -> bool {
        let op = self.op(site.inst);
        if site.write {
            return self.is_harmless_write(view, op, (site.shape, site.value), field);
        }
        let exact = fields::of_shape(self.facts.module, self.facts.layout, site.shape) == Some(field);
        let result = match op {
            // A lock is no pointer.
            Op::Acquire { .. } => return true,
            Op::Load { .. } => {
                let func = &self.facts.module.funcs[site.inst.0];
                func.insts[site.inst.1].result.map(|v| func.values[v].ty)
            }
            _ => return false,
        };
        // What is read as a number may be copied as one; a pointer that is read without knowing the member is
        // known to be of any origin.
        result.is_none_or(|ty| ty == Ty::Ptr && (exact || matches!(site.shape, Shape::Scalar(_))))
    }

    /// Whether the object is stored in this member of one holder, and its address is nowhere else.
    fn is_only_in(&self, view: &View, n: usize, field: FieldId) -> bool {
        let placed = view.placed.get(&n).map(Vec::as_slice).unwrap_or_default();
        let followed = !view.thread.lost[n] || self.facts.declared.contains(&field);
        let one_place = placed.iter().all(|p| p.field == Some(field) && p.at == placed[0].at);
        followed && !view.thread.on_stack[n] && one_place
    }

    fn is_harmless_write(
        &self,
        view: &View,
        op: &Op,
        (shape, value): (Shape, Option<Addr>),
        field: FieldId,
    ) -> bool {
        let member = fields::of_shape(self.facts.module, self.facts.layout, shape);
        let values = value.map(|value| view.thread.leaves(value.obj).into_iter().collect());
        let is_own = |leaf: TermId| view.local(leaf).is_some_and(|&n| self.is_only_in(view, n, field));
        stored::puts_only(op, member == Some(field), values, is_own)
    }
}
