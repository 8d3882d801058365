//! What the module stores in pointer members: whether it is nothing but null and what it has just made.

use super::{Facts, Known, Origin, Slot, Source, View, initialized, may_meet};
use crate::analysis::fields::{self, FieldId};
use crate::analysis::layout::Shape;
use crate::analysis::objects::Object;
use crate::analysis::ownership::is_never;
use crate::analysis::points_to::RegionId;
use crate::fault::{Fault, seeded};
use crate::instrument::thread::{Addr, SharedLoad, Site, Thread};
use lockpair_entry_points::EntryPointId;
use lockpair_ir::*;
use lockpair_smt::{Term, TermId, VarId};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// Per member that the environment speaks of, or into which the module stores a pointer, and that no initial value fills: all
/// writes that may be to it.
pub(super) type Writes<'w, 'a> = BTreeMap<FieldId, Vec<&'w Write<'a>>>;

/// Of all members.
pub(super) fn by_member<'w, 'a>(facts: &Facts, writes: &'w [Write<'a>]) -> Writes<'w, 'a> {
    let stored = writes.iter().filter(|w| w.value.is_some()).filter_map(|w| w.member);
    let said = facts.apart.iter().flatten().chain(facts.buffers).chain(&facts.tables.same).copied();
    let mut members: BTreeSet<FieldId> = stored.chain(said).collect();
    initialized(facts, |field| _ = members.remove(&field));
    let to = |field: FieldId| writes.iter().filter(|w| w.may_change(facts, field)).collect();
    members.into_iter().map(|field| (field, to(field))).collect()
}

/// Members of which no two hold one pointer.
pub(super) struct Distinct {
    /// These, at any time, all of them or those within structs of one type.
    pub(super) slots: BTreeSet<Slot>,
    /// Those into which the functions that begin sessions put what they have made; none if files may be handed to other tables.
    pub(super) begun: BTreeSet<(EntryPointId, Slot)>,
    /// Those of which it was believed that nobody changes them.
    pub(super) settled: BTreeSet<FieldId>,
}

/// Finds members of which no two hold one pointer, and what that rests on. `bound` are the members of devices that who binds a
/// driver sets.
pub(super) fn distinct(facts: &Facts, all: &[Write], writes: &Writes, bound: &BTreeSet<FieldId>) -> Distinct {
    let stay = |field: &&FieldId| !all.iter().any(|write| write.may_change(facts, **field));
    let settled: BTreeSet<FieldId> = match seeded(Fault::SettledForModule) {
        true => facts.settled.clone(),
        false => facts.settled.iter().filter(stay).copied().collect(),
    };
    let believed = RefCell::new(BTreeSet::new());
    // What was there once is no other object's.
    let was_there = |write: &Write, leaf: TermId, field: FieldId| {
        let Some((_, load)) = write.view.load(leaf).filter(|(of, _)| *of == Some(field)) else {
            return false;
        };
        let rests_on = write.view.one_place(&settled, load.addr, write.at);
        believed.borrow_mut().extend(rests_on.iter().flatten());
        rests_on.is_some() || seeded(Fault::PutBackAnywhere)
    };
    let once = |view: &View, leaf: TermId, slot: Slot| {
        view.local(leaf).is_some_and(|&n| view.has_once(facts, n, slot))
    };
    let puts_own = |slot: Slot, write: &Write| {
        !write.view.may_be_of(facts, slot, (write.at, write.shape))
            || write.puts_only(slot.field, |leaf| once(write.view, leaf, slot))
    };
    let only = |slot: Slot, write: &Write| {
        let is_wanted = |leaf: TermId| once(write.view, leaf, slot) || was_there(write, leaf, slot.field);
        puts_own(slot, write) || write.puts_only(slot.field, is_wanted)
    };
    let puts = |slot: Slot, write: &Write| {
        write.is_store(slot.field) && write.leaves().into_iter().any(|leaf| once(write.view, leaf, slot))
    };
    let mut distinct = BTreeSet::new();
    let mut begun = BTreeSet::new();
    for &slot in facts.distinct {
        let mut own =
            all.iter().filter(|write| !write.is_by_outside() && write.may_change(facts, slot.field));
        if own.all(|write| only(slot, write)) || seeded(Fault::SaidDistinctStored) {
            distinct.insert(slot);
        }
    }
    for (&field, all) in writes {
        let written = all.iter().flat_map(|write| Slot::of(field, write.shape));
        let slots: BTreeSet<Slot> = written.chain([Slot::anywhere(field)]).collect();
        for slot in slots.into_iter().filter(|&slot| all.iter().all(|write| only(slot, write))) {
            let putting = || all.iter().filter(|write| puts(slot, write));
            // Nobody else sets what is bound, so what is found there is another device's, or was put there by the binder itself.
            let is_there = |write: &Write, load: &SharedLoad| match bound.contains(&field) {
                true => write.at == load.addr,
                false => write.view.may_be_of(facts, slot, (load.addr, load.shape)),
            };
            let is_found = putting().any(|write| is_found_before(facts, field, write, &is_there));
            let is_made = !facts.given.contains(&field) && putting().next().is_some();
            if !is_filled_outside(facts, field) || is_made && !is_found {
                distinct.insert(slot);
                let puts_back = |write: &&&Write| !puts_own(slot, write) && !seeded(Fault::SessionsPutBack);
                let putting_back: BTreeSet<EntryPointId> =
                    all.iter().filter(puts_back).map(|write| write.view.thread.entry).collect();
                let begun_by = begun_with(facts, putting()).filter(|entry| !putting_back.contains(entry));
                begun.extend(begun_by.map(|entry| (entry, slot)));
            }
        }
    }
    let hands_over = |write: &Write| {
        let mut tables = facts.sessions.tables_in();
        !write.is_by_outside() && tables.any(|table| write.may_change(facts, table))
    };
    if all.iter().any(hands_over) && !seeded(Fault::SessionsBeginEmpty) {
        begun.clear();
    }
    Distinct { slots: distinct, begun, settled: believed.into_inner() }
}

/// The functions that begin sessions, and have stored in the member of their session whenever one begins.
fn begun_with<'w>(
    facts: &Facts,
    writes: impl Iterator<Item = &'w &'w Write<'w>>,
) -> impl Iterator<Item = EntryPointId> {
    let mut guards: BTreeMap<EntryPointId, (&Thread, Vec<TermId>)> = BTreeMap::new();
    for write in writes {
        let thread = write.view.thread;
        let mut parameters = thread.given.iter().filter(|given| given.param.is_some());
        let is_own = parameters.any(|given| thread.terms.get(write.at.obj) == Term::Var(given.var));
        if is_own && facts.sessions.begins(thread.entry) {
            guards.entry(thread.entry).or_insert_with(|| (thread, Vec::new())).1.push(write.guard);
        }
    }
    let surely = |(thread, stored): &(&Thread, Vec<TermId>)| {
        let mut terms = thread.terms.clone();
        let stored = terms.or(stored);
        thread.begun.is_some_and(|begun| is_never(&terms, &[begun], Some(stored)))
            || seeded(Fault::SessionsBeginEmpty)
    };
    guards
        .into_iter()
        .filter(move |(_, of)| surely(of))
        .map(|(entry, _)| entry)
        .collect::<Vec<_>>()
        .into_iter()
}

/// Whether the thread uses what code outside has put into the member there before it stores something there itself: then it may leave that
/// there. Who begins a session does not.
fn is_found_before(
    facts: &Facts,
    field: FieldId,
    write: &Write,
    is_there: &dyn Fn(&Write, &SharedLoad) -> bool,
) -> bool {
    let Write { view, site: Some(stored), .. } = *write else { return false };
    if facts.sessions.begins(view.thread.entry) || seeded(Fault::MembersBeginEmpty) {
        return false;
    }
    let sites = &view.thread.sites;
    let is_before = |load: &SharedLoad| {
        let is_it = |s: &Site| !s.write && s.inst == load.inst && s.addr == load.addr;
        sites[..stored].iter().any(is_it)
    };
    let is_read = |of: &Option<FieldId>, load: &SharedLoad| {
        *of == Some(field) && is_there(write, load) && is_before(load)
    };
    let reads = view.loads.iter().filter(|(_, (of, load))| is_read(of, load));
    let found: HashSet<VarId> = reads.map(|(var, _)| *var).collect();
    let is_found = |leaf: TermId| matches!(view.thread.terms.get(leaf), Term::Var(v) if found.contains(&v));
    let mut used =
        sites.iter().map(|site| site.addr.obj).chain(view.thread.loads.iter().map(|load| load.addr.obj));
    !found.is_empty() && used.any(|obj| view.thread.leaves(obj).into_iter().any(is_found))
}

/// Whether code outside may put something into the member that two objects have.
fn is_filled_outside(facts: &Facts, field: FieldId) -> bool {
    let private = facts.module.as_struct(field.strukt).is_some_and(|s| s.module_private);
    let said = facts.apart.iter().flatten().chain(facts.buffers).any(|f| *f == field);
    !private && !said && !seeded(Fault::MembersBeginEmpty)
}

/// A write of the module to memory that others may see at some time.
pub(super) struct Write<'a> {
    pub(super) view: &'a View<'a>,
    /// Which of the thread's sites it is, if it is one.
    site: Option<usize>,
    /// When it happens.
    guard: TermId,
    op: &'a Op,
    /// The function and instruction.
    pub(super) inst: (FuncId, InstId),
    /// Where to.
    pub(super) at: Addr,
    /// What it may be, where that is known and types tell objects apart.
    what: Option<Rc<Object>>,
    pub(super) shape: Shape,
    origin: Origin,
    /// The member, if it is to one alone.
    pub(super) member: Option<FieldId>,
    /// The pointer that it stores.
    pub(super) value: Option<Addr>,
}

impl<'a> Write<'a> {
    /// Those of all threads.
    pub(super) fn all(facts: &Facts<'a>, views: &'a [View<'a>]) -> Vec<Write<'a>> {
        let of = |shape: Shape| fields::of_shape(facts.module, facts.layout, shape);
        let op = |(func, inst): (FuncId, InstId)| &facts.module.funcs[func].insts[inst].op;
        let nothing = Known::default();
        let mut objects = HashMap::new();
        let mut all = Vec::new();
        for view in views {
            let sources = view.of_sites(facts, &nothing).into_iter();
            let sites = view.thread.sites.iter().zip(sources).enumerate();
            for (n, (site, source)) in sites.filter(|(_, (s, _))| s.write) {
                let (op, at, shape) = (op(site.inst), site.addr, site.shape);
                let (origin, member, value) = (source.origin, of(shape), site.value);
                let what = object_of(facts, (site.region, site.through, shape), op, &mut objects);
                let (site, inst, guard) = (Some(n), site.inst, site.guard);
                all.push(Write { view, site, guard, op, inst, at, what, shape, origin, member, value });
            }
            for (write, source) in view.thread.hidden.iter().zip(view.of_hidden(facts, &nothing)) {
                let Some(Source { origin, .. }) = source else { continue };
                let (op, at, shape) = (op(write.inst), write.addr, write.shape);
                let (member, value) = (of(shape), write.value);
                let what = object_of(facts, (write.region, write.through, shape), op, &mut objects);
                let (site, inst, guard) = (None, write.inst, write.guard);
                all.push(Write { view, site, guard, op, inst, at, what, shape, origin, member, value });
            }
        }
        all
    }

    /// Whether it may be one to the member. Members are written as such as long as no pointer to data leads there; in
    /// the module's own structs, as long as no block is copied there either.
    pub(super) fn may_change(&self, facts: &Facts, field: FieldId) -> bool {
        let (shape, target) = (self.shape, fields::shape(facts.module, field));
        let raw = shape.is_raw();
        let private = facts.module.as_struct(field.strukt).is_some_and(|s| s.module_private);
        let apart = match self.op {
            _ if !private => raw && !facts.exposed.is_taken(field),
            Op::MemCopy { .. } => !may_meet(facts, (shape, self.origin), (target, Origin::Elsewhere)),
            _ => raw && facts.exposed.is_hidden(facts.module, facts.layout, target),
        };
        facts.layout.may_overlap(true, shape, target) && !apart && self.is_of(facts, target)
    }

    /// Whether the bytes may be in the object, as far as it is known what its pointer leads to.
    fn is_of(&self, facts: &Facts, bytes: Shape) -> bool {
        self.what.as_ref().is_none_or(|object| may_have(facts, object, bytes))
    }

    /// What the pointer may be that it stores, null aside.
    pub(super) fn leaves(&self) -> Vec<TermId> {
        self.value.map(|value| self.view.thread.leaves(value.obj).into_iter().collect()).unwrap_or_default()
    }

    /// Whether it stores a pointer there, and nowhere else.
    pub(super) fn is_store(&self, field: FieldId) -> bool {
        matches!(self.op, Op::Store { .. }) && self.member == Some(field) && self.value.is_some()
    }

    /// Whether code outside writes, or a row says that something is written.
    fn is_by_outside(&self) -> bool {
        self.op.is_outside() || matches!(self.op, Op::Access { .. })
    }

    /// Whether a row says that something is written.
    pub(super) fn is_of_row(&self) -> bool {
        matches!(self.op, Op::Access { .. })
    }

    /// The same, or code outside writes: not a function of the module of which it is known what it does on the whole.
    pub(super) fn is_by_kernel(&self) -> bool {
        self.is_of_row() || matches!(self.op, Op::External { .. })
    }

    /// Whether it ends the object: nothing is read from that afterwards, or it is a race of its own.
    pub(super) fn frees(&self) -> bool {
        matches!(self.op, Op::Free { .. })
    }

    /// Whether it leaves in the member nothing but null and what is wanted there.
    pub(super) fn puts_only(&self, field: FieldId, wanted: impl Fn(TermId) -> bool) -> bool {
        puts_only(self.op, self.member == Some(field), self.value.map(|_| self.leaves()), wanted)
    }
}

/// Whether the bytes may be in the object.
pub fn may_have(facts: &Facts, object: &Object, bytes: Shape) -> bool {
    object.may_have(facts.objects, facts.module, facts.layout, facts.exposed, bytes)
}

/// An access: through which pointer, whether it frees, and of what shape.
type Access = (Option<(FuncId, ValueId)>, bool, Shape);

/// What the object of a write may be, where types tell objects apart.
pub fn object_of(
    facts: &Facts,
    (region, through, shape): (RegionId, Option<(FuncId, ValueId)>, Shape),
    op: &Op,
    known: &mut HashMap<Access, Option<Rc<Object>>>,
) -> Option<Rc<Object>> {
    if region != facts.points_to.external() {
        return None;
    }
    let frees = matches!(op, Op::Free { .. });
    let find = || facts.objects.of(facts.layout, through, frees, shape).map(Rc::new);
    known.entry((through, frees, shape)).or_insert_with(find).clone()
}

/// The same of any write, with what it stores and whether it is known to be to the member.
pub(super) fn puts_only(
    op: &Op,
    is_member: bool,
    values: Option<Vec<TermId>>,
    wanted: impl Fn(TermId) -> bool,
) -> bool {
    let is_wanted = |leaf: TermId| seeded(Fault::OwnersStoreAnything) || wanted(leaf);
    match op {
        // Nothing is read from an object that has ended, or it is a race of its own.
        Op::Free { .. } => true,
        Op::MemSet { byte, .. } => matches!(byte, Operand::Int { value: 0, .. }),
        Op::Store { .. } => is_member && values.is_some_and(|leaves| leaves.into_iter().all(is_wanted)),
        _ => false,
    }
}
