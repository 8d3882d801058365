//! By whom what a pointer leads to was made, as far as the pointer was kept in members that are followed.
//!
//! A member is *followed* if the module stores nothing in it but null, objects that it has just made and what it has read from
//! followed members: a member of the module's own structs, or one of the kernel's into which code outside puts nothing but what it has
//! made for it, as the environment says. What a followed member of an object may hold is what was ever stored there in an object
//! that was made at the same place, or in one of which that is not known: inclusion constraints over the places where the threads make
//! objects (Andersen 1994, sensitive to members). Two pointers of which the sets of makers have nothing in common lead to two
//! objects. So an URB that a driver keeps for reading is none that it keeps for writing, although it hands both to the kernel, and
//! the buffer of the one is none of the other's.

use super::makers::{Makers, NOBODY, bit, own_bits};
use super::stored::{Write, Writes};
use super::tables::Families;
use super::{Facts, Slot, View};
use crate::analysis::fields::{self, FieldId};
use crate::analysis::layout::Shape;
use crate::fault::{Fault, seeded};
use lockpair_entry_points::EntryPointId;
use lockpair_ir::*;
use lockpair_smt::{Term, TermId};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Who made an object.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Made {
    /// Nobody knows.
    Unknown,
    /// One of these.
    By(Makers),
}

impl Made {
    /// Whether two such objects are surely two.
    fn is_apart(self, other: Made) -> bool {
        matches!((self, other), (Made::By(a), Made::By(b)) if !a.meets(b))
    }

    fn or(self, other: Made) -> Made {
        match (self, other) {
            (Made::By(a), Made::By(b)) => Made::By(a.with(b)),
            _ => Made::Unknown,
        }
    }
}

/// What is known of who made an object: it, and what it is found in, if no two objects hold one pointer in that member.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Makes {
    /// Who made it.
    pub own: Made,
    /// The member, and who made what it is a member of.
    pub holder: Option<(Slot, Made)>,
}

impl Makes {
    /// Nobody knows.
    pub const UNKNOWN: Makes = Makes { own: Made::Unknown, holder: None };

    /// Whether two such objects are surely two.
    pub fn is_apart(self, other: Makes) -> bool {
        let by_holder = match (self.holder, other.holder) {
            (Some((f, a)), Some((g, b))) => f == g && a.is_apart(b),
            _ => false,
        };
        self.own.is_apart(other.own) || by_holder
    }

    /// Both of them, where they are known.
    pub(super) fn all(self) -> impl Iterator<Item = Made> {
        [Some(self.own), self.holder.map(|(_, made)| made)].into_iter().flatten()
    }
}

/// Where a parameter of an entry point comes from.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Whence {
    /// It is the struct that has this function in this member.
    Itself(FieldId, FuncId),
    /// It is in this member.
    From(FieldId),
}

/// What a followed member holds.
#[derive(Default)]
struct Content {
    /// In whatever object.
    all: Makers,
    /// In any object: what was stored where it is not known in which, and what code outside puts there.
    anywhere: Makers,
    /// In objects of these makers.
    of: BTreeMap<usize, Makers>,
    /// If that is known of objects of some makers only: of these. In others may be anything.
    known_in: Option<Makers>,
}

impl Content {
    /// Notes what is put there in objects that were made so; whether that is new.
    fn put(&mut self, base: Made, value: Makers) -> bool {
        let add = |to: &mut Makers| std::mem::replace(to, to.with(value)) != to.with(value);
        let changed = match base {
            Made::Unknown => add(&mut self.anywhere),
            Made::By(makers) => {
                makers.bits().fold(false, |changed, bit| add(self.of.entry(bit).or_default()) | changed)
            }
        };
        add(&mut self.all) | changed
    }

    /// Whether it is known what is there in an object that was made so.
    fn is_known_in(&self, base: Made) -> bool {
        let is_of_these = |known: Makers| matches!(base, Made::By(makers) if makers.is_within(known));
        self.known_in.is_none_or(is_of_these)
    }

    /// What may be there in an object that was made so.
    fn get(&self, base: Made) -> Makers {
        match base {
            Made::Unknown => self.all,
            Made::By(makers) => {
                let known = makers.bits().filter_map(|bit| self.of.get(&bit));
                known.fold(self.anywhere, |all, &some| all.with(some))
            }
        }
    }
}

/// Of what is looked at what a thread does: of all that its parameter may be, or of one maker's objects.
type Case = Option<usize>;

/// What the followed members hold, and which parameters are known to have come from one.
#[derive(Default)]
pub(super) struct Heap {
    members: BTreeMap<FieldId, Content>,
    /// What belongs to tables.
    tables: Families,
    /// All makers that code outside is for members of its own, tables aside.
    outside: Makers,
    /// The objects that the threads make and put in followed members.
    makers: HashMap<(EntryPointId, usize), usize>,
    params: HashMap<(EntryPointId, u32), Made>,
    /// Whether all was looked at that something may be, so that what is still nothing may be anything.
    closed: bool,
    /// What was found of terms, as long as nothing changes.
    found: RefCell<HashMap<(EntryPointId, TermId, Case), Option<Made>>>,
}

impl Heap {
    pub(super) fn new(facts: &Facts, views: &[View], all: &[Write], writes: &Writes) -> Heap {
        // Nobody knows what a procedure stores of which nothing is known.
        let unknown = |view: &View| view.thread.ledger.iter().any(|a| a.kind == AssumptionKind::EmptySummary);
        if views.iter().any(unknown) {
            return Heap::default();
        }
        // Code outside makes something for each group of members, and buffers; then come the tables, then the module.
        let mut next = NOBODY + 1 + facts.apart.len() + 1;
        let mut heap = Heap { outside: Makers::all_of((NOBODY + 1..next).map(bit)), ..Heap::default() };
        heap.tables = Families::new(facts, all, &mut next);
        heap.follow(facts, writes, Makers::all_of(own_bits(next)));
        heap.fill_by_outside(facts);
        heap.number(views, own_bits(next));
        let itself = Itself::all(facts, views, all);
        loop {
            let mut changed = false;
            for &field in &heap.members.keys().copied().collect::<Vec<_>>() {
                for write in &writes[&field] {
                    changed |= heap.store(field, write);
                }
            }
            changed |= heap.copy_in_groups(facts);
            for param in &itself {
                changed |= heap.find_param(facts, param);
            }
            heap.found.borrow_mut().clear();
            if !changed && heap.closed {
                return heap;
            }
            heap.closed |= !changed;
        }
    }

    /// Says which members are followed, and of whose objects. `own` are the makers of the module.
    fn follow(&mut self, facts: &Facts, writes: &Writes, own: Makers) {
        for field in followed(facts, &self.tables, writes) {
            let of_module = if facts.left_alone.contains(&field) { own } else { Makers::default() };
            let known_in = (!is_followed_everywhere(facts, field)).then_some(self.tables.all.with(of_module));
            self.members.insert(field, Content { known_in, ..Content::default() });
        }
    }

    /// Code outside makes something for each group of members, and puts buffers for data where it likes.
    fn fill_by_outside(&mut self, facts: &Facts) {
        for (n, group) in facts.apart.iter().enumerate() {
            for field in group {
                self.put_by_outside(facts, *field, Makers::of(bit(NOBODY + 1 + n)));
            }
        }
        for field in facts.buffers {
            self.put_by_outside(facts, *field, self.outside);
        }
        for field in self.tables.members().collect::<Vec<_>>() {
            for (base, made) in self.tables.puts(field).collect::<Vec<_>>() {
                self.put(field, base, made);
            }
        }
    }

    /// Notes what code outside puts in the member of objects that are no table's.
    fn put_by_outside(&mut self, facts: &Facts, field: FieldId, made: Makers) {
        let (is_alone, is_same) = (facts.left_alone.contains(&field), self.tables.is_same(field));
        let whose = if is_alone { self.outside.with(self.tables.all) } else { Makers::ALL };
        let base = match is_same {
            true => Made::By(whose.without(self.tables.all)),
            false if is_alone => Made::By(whose),
            false => Made::Unknown,
        };
        self.put(field, base, made);
    }

    /// Code outside copies between the members of a group as it likes, but not from one table to another; whether that gives
    /// anything new.
    fn copy_in_groups(&mut self, facts: &Facts) -> bool {
        let mut changed = false;
        for group in facts.apart {
            for base in self.tables.within(group) {
                let held = group.iter().filter_map(|field| self.members.get(field));
                let held = held.fold(Makers::default(), |all, content| all.with(content.get(base)));
                for field in group {
                    changed |= self.put(*field, base, held);
                }
            }
        }
        changed
    }

    /// Whether that is new.
    fn put(&mut self, field: FieldId, base: Made, made: Makers) -> bool {
        self.members.get_mut(&field).is_some_and(|content| content.put(base, made))
    }

    /// Gives one of the bits to each object that is put in a followed member.
    fn number(&mut self, views: &[View], bits: impl Iterator<Item = usize> + Clone) {
        let mut bits = bits.cycle();
        for view in views {
            let is_kept = |n: &usize| {
                view.placed
                    .get(n)
                    .into_iter()
                    .flatten()
                    .any(|p| p.field.is_some_and(|f| self.members.contains_key(&f)))
            };
            for n in (0..view.thread.locals.len()).filter(is_kept) {
                self.makers.extend(bits.next().map(|bit| ((view.thread.entry, n), bit)));
            }
        }
    }

    /// What a thread stores it stores in each case: a callback that gets objects of two tables puts nothing of the one in the other.
    fn cases(&self, view: &View) -> Vec<Case> {
        let itself = view.params.values().find(|(_, whence)| matches!(whence, Whence::Itself(..)));
        let made = itself.and_then(|(param, _)| self.params.get(&(view.thread.entry, *param)));
        match made {
            Some(Made::By(makers)) if !self.tables.all.is_empty() => makers.bits().map(Some).collect(),
            _ => vec![None],
        }
    }

    /// Notes what is stored; whether that is new.
    fn store(&mut self, field: FieldId, write: &Write) -> bool {
        let cases = self.cases(write.view).into_iter();
        cases.fold(false, |changed, case| self.store_in(field, write, case) | changed)
    }

    fn store_in(&mut self, field: FieldId, write: &Write, case: Case) -> bool {
        let view = write.view;
        let copies = !seeded(Fault::CopiedNowhere);
        let mut value = Makers::default();
        for leaf in write.leaves().into_iter().filter(|leaf| copies || view.local(*leaf).is_some()) {
            value = match self.found(view, leaf, case) {
                Some(Made::By(makers)) => value.with(makers),
                // It was read from a member that is followed in other objects, or is stored in one with `same-table`.
                Some(Made::Unknown) => Makers::ALL,
                // All that is stored in followed members is followed.
                None => value,
            }
        }
        let bases: Vec<Option<Made>> =
            view.thread.leaves(write.at.obj).into_iter().map(|leaf| self.of_leaf(view, leaf, case)).collect();
        let content = self.members.get_mut(&field).expect("a followed member");
        let ignored = |base: &Made| *base == Made::Unknown && seeded(Fault::StoredNowhere);
        !value.is_empty()
            && bases
                .into_iter()
                .flatten()
                .filter(|base| !ignored(base))
                .fold(false, |changed, base| content.put(base, value) | changed)
    }

    /// Where all these were made.
    pub(super) fn of_leaves(&self, view: &View, leaves: impl Iterator<Item = TermId>) -> Made {
        leaves.filter_map(|leaf| self.of_leaf(view, leaf, None)).reduce(Made::or).unwrap_or(Made::Unknown)
    }

    /// None, until all was looked at: nothing is found yet that it may be.
    fn of_leaf(&self, view: &View, leaf: TermId, case: Case) -> Option<Made> {
        self.found(view, leaf, case).or(self.closed.then_some(Made::Unknown))
    }

    /// What was found that it may be.
    fn found(&self, view: &View, leaf: TermId, case: Case) -> Option<Made> {
        let key = (view.thread.entry, leaf, case);
        if let Some(found) = self.found.borrow().get(&key) {
            return *found;
        }
        let found = self.find_leaf(view, leaf, case);
        self.found.borrow_mut().insert(key, found);
        found
    }

    fn find_leaf(&self, view: &View, leaf: TermId, case: Case) -> Option<Made> {
        let Term::Var(v) = view.thread.terms.get(leaf) else {
            // What has a name was not made.
            let named = view.thread.terms.as_int(leaf).is_some();
            return Some(if named { Made::By(Makers::of(NOBODY)) } else { Made::Unknown });
        };
        if let Some(&n) = view.local(leaf) {
            let maker = self.makers.get(&(view.thread.entry, n)).copied();
            return Some(Made::By(Makers::of(maker.unwrap_or(NOBODY))));
        }
        let of_table = || self.tables.of_parameter(view, v).unwrap_or(Made::Unknown);
        match (view.params.get(&v), case) {
            (Some((_, Whence::Itself(..))), Some(bit)) => Some(Made::By(Makers::of(bit))),
            (Some((param, Whence::Itself(..))), None) => {
                self.params.get(&(view.thread.entry, *param)).copied()
            }
            // What is in a member of an object of the table's.
            (Some((_, Whence::From(field))), _) => self.held(*field, of_table()),
            (None, _) => {
                let Some((field, load)) = view.read_from(leaf) else { return Some(of_table()) };
                let bases = view.thread.leaves(load.addr.obj).into_iter();
                let base = bases.filter_map(|leaf| self.of_leaf(view, leaf, case)).reduce(Made::or)?;
                self.held(field, base)
            }
        }
    }

    /// What a member holds in an object that was made so.
    fn held(&self, field: FieldId, base: Made) -> Option<Made> {
        let Some(content) = self.members.get(&field).filter(|content| content.is_known_in(base)) else {
            return Some(Made::Unknown);
        };
        let makers = content.get(base);
        let makers = if makers.is_empty() && self.closed { content.all } else { makers };
        (!makers.is_empty()).then_some(Made::By(makers))
    }

    /// A function that stands in a member of the struct which it gets: the structs that the module stores it in. What those
    /// are may follow from other such parameters.
    fn find_param(&mut self, facts: &Facts, param: &Itself) -> bool {
        let found = match &param.writes {
            None => Some(Made::Unknown),
            Some(writes) => {
                let initial =
                    is_initial(facts, param.field, param.func).then_some(Made::By(Makers::of(NOBODY)));
                let bases = stored_in(facts, writes, param.func);
                let bases = bases.filter_map(|(view, base)| self.of_leaf(view, base, None));
                initial.into_iter().chain(bases).reduce(Made::or)
            }
        };
        let Some(found) = found else { return false };
        self.params.insert(param.key, found) != Some(found)
    }

    /// Whether all of it belongs to tables.
    pub(super) fn is_of_table(&self, made: Made) -> bool {
        matches!(made, Made::By(makers) if !makers.is_empty() && makers.is_within(self.tables.all))
    }

    /// The members of which all that they hold is among what was made so.
    pub(super) fn holding(&self, made: Made) -> impl Iterator<Item = FieldId> {
        let holds = move |content: &Content| matches!(made, Made::By(makers) if makers.meets(content.all));
        self.members.iter().filter(move |(_, content)| holds(content)).map(|(field, _)| *field)
    }
}

/// A parameter that is the struct in which its function stands.
struct Itself<'w, 'a> {
    key: (EntryPointId, u32),
    /// The member that has the function.
    field: FieldId,
    func: FuncId,
    /// All stores to the member that has the function; none if something else is put there.
    writes: Option<Vec<&'w Write<'a>>>,
}

impl<'w, 'a> Itself<'w, 'a> {
    fn all(facts: &Facts, views: &[View], all: &'w [Write<'a>]) -> Vec<Itself<'w, 'a>> {
        let params = views.iter().flat_map(|view| view.params.values().map(move |p| (view.thread.entry, *p)));
        let of = |(entry, (param, whence))| match whence {
            Whence::Itself(field, func) => {
                Some(Itself { key: (entry, param), field, func, writes: stores(facts, all, field) })
            }
            Whence::From(_) => None,
        };
        params.filter_map(of).collect()
    }
}

/// The member that a pointer was read from, or that a parameter comes from.
fn source(view: &View, leaf: TermId) -> Option<FieldId> {
    let Term::Var(v) = view.thread.terms.get(leaf) else { return None };
    match view.params.get(&v) {
        Some((_, Whence::From(field))) => Some(*field),
        Some((_, Whence::Itself(..))) => None,
        None => Some(view.read_from(leaf)?.0),
    }
}

/// Whether the parameter belongs to a table.
fn is_of_table(tables: &Families, view: &View, leaf: TermId) -> bool {
    matches!(view.thread.terms.get(leaf), Term::Var(v) if tables.of_parameter(view, v).is_some())
}

/// Whether code outside puts nothing in the member that is not followed, of whatever object.
fn is_followed_everywhere(facts: &Facts, field: FieldId) -> bool {
    // Code outside puts into its own structs what it was given.
    let is_private = facts.module.as_struct(field.strukt).is_some_and(|s| s.module_private);
    is_private || facts.apart.iter().flatten().chain(facts.buffers).any(|f| *f == field)
}

/// The members that hold nothing but what is followed here.
fn followed(facts: &Facts, tables: &Families, writes: &Writes) -> BTreeSet<FieldId> {
    let is_pointer = |field: FieldId| fields::pointee(facts.module, field).is_some();
    let is_wanted = |field: FieldId| is_followed_everywhere(facts, field) || tables.is_same(field);
    let members = writes.keys().copied().filter(|&f| is_pointer(f) && is_wanted(f));
    let mut alive: BTreeSet<FieldId> = members.collect();
    loop {
        let before = alive.clone();
        let is_followed = |view: &View, leaf: TermId| {
            view.local(leaf).is_some()
                || source(view, leaf).is_some_and(|f| before.contains(&f))
                || is_of_table(tables, view, leaf)
        };
        let only = |field: FieldId, write: &&Write| {
            write.puts_only(field, |leaf| is_followed(write.view, leaf))
                || tables.is_same(field) && (write.is_of_row() || write.is_store(field))
        };
        alive.retain(|field| writes[field].iter().all(|write| only(*field, write)));
        if alive.len() == before.len() {
            return alive;
        }
    }
}

/// Whether something has the function in that member from the beginning.
pub(super) fn is_initial(facts: &Facts, member: FieldId, func: FuncId) -> bool {
    let module = facts.module;
    let mut cells = module.globals.keys().flat_map(|global| super::initial(module, global));
    let has_it = |cell: &InitCell| matches!(cell.value, Operand::Func(f) if f == func);
    let may_be_there = |shape: Shape| match fields::of_shape(module, facts.layout, shape) {
        Some(field) => field == member,
        None => true,
    };
    cells.any(|(cell, shape)| has_it(cell) && may_be_there(shape))
}

/// The objects in which the writes may store the function, each as the thread knows it that does so.
pub(super) fn stored_in<'w, 'a>(
    facts: &Facts,
    writes: &'w [&'w Write<'a>],
    func: FuncId,
) -> impl Iterator<Item = (&'w View<'a>, TermId)> {
    let number = i128::try_from(facts.module.globals.len() + 1 + func.index()).expect("a small number");
    let is_it = move |write: &&&Write| {
        let terms = &write.view.thread.terms;
        write.leaves().into_iter().any(|leaf| terms.as_int(leaf).is_none_or(|n| n == number))
    };
    let of = |write: &&'w Write<'a>| {
        let view: &'w View<'a> = write.view;
        view.thread.leaves(write.at.obj).into_iter().map(move |base| (view, base))
    };
    writes.iter().filter(is_it).flat_map(of)
}

/// All stores to the member, if there is no other write that puts something there.
pub(super) fn stores<'w, 'a>(
    facts: &Facts,
    all: &'w [Write<'a>],
    field: FieldId,
) -> Option<Vec<&'w Write<'a>>> {
    let to: Vec<&Write> = all.iter().filter(|write| write.may_change(facts, field)).collect();
    let stores = to.iter().all(|write| write.puts_only(field, |_| true));
    stores.then_some(to)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by(bits: &[usize]) -> Made {
        Made::By(bits.iter().fold(Makers::default(), |all, &bit| all.with(Makers::of(bit))))
    }

    #[test]
    fn objects_are_two_if_no_maker_may_have_made_both() {
        assert!(by(&[1, 70]).is_apart(by(&[2, 71])));
        assert!(!by(&[1, 70]).is_apart(by(&[2, 70])));
        assert!(!by(&[NOBODY]).is_apart(by(&[NOBODY])));
        assert!(!by(&[1]).is_apart(Made::Unknown));
        assert!(!by(&[1]).is_apart(by(&[2]).or(Made::Unknown)));
    }

    #[test]
    fn a_holder_tells_objects_apart_if_it_is_one_member() {
        let field = |offset| FieldId { strukt: TypeId::new(0), offset };
        let held = |offset, bits: &[usize]| Makes {
            own: by(&[9]),
            holder: Some((Slot::anywhere(field(offset)), by(bits))),
        };
        assert!(held(0, &[1]).is_apart(held(0, &[2])));
        assert!(!held(0, &[1]).is_apart(held(8, &[2])));
        assert!(!held(0, &[1]).is_apart(Makes { holder: None, ..held(0, &[2]) }));
    }

    #[test]
    fn what_is_stored_nobody_knows_where_is_in_every_object() {
        let mut content = Content::default();
        assert!(content.put(by(&[1]), Makers::of(5)));
        assert!(content.put(Made::Unknown, Makers::of(6)));
        assert!(!content.put(Made::Unknown, Makers::of(6)));
        let (five, six) = (Makers::of(5), Makers::of(6));
        assert_eq!(content.get(by(&[1])), five.with(six));
        assert_eq!(content.get(by(&[2])), six);
        assert_eq!(content.get(Made::Unknown), five.with(six));
    }
}
