//! By whom what a pointer leads to was made, as far as the pointer was kept in members that are followed.
//!
//! A member is *followed* if the module stores nothing in it but null, objects that it has just made and what it has read from
//! followed members: a member of the module's own structs, or one of the kernel's into which code outside puts nothing but what it has
//! made for it, as the environment says. What a followed member of an object may hold is what was ever stored there in an object
//! that was made at the same place, or in one of which that is not known: inclusion constraints over the places where the threads make
//! objects (Andersen 1994, sensitive to members). Two pointers of which the sets of makers have nothing in common lead to two
//! objects. So an URB that a driver keeps for reading is none that it keeps for writing, although it hands both to the kernel, and
//! the buffer of the one is none of the other's.

use super::stored::{Write, Writes};
use super::{Facts, Slot, View};
use crate::analysis::fields::{self, FieldId};
use crate::fault::{Fault, seeded};
use lockpair_entry_points::EntryPointId;
use lockpair_ir::*;
use lockpair_smt::{Term, TermId};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The bits of a set of makers.
const BITS: usize = 256;
/// The maker of what has a name, and of what was made and is in no followed member.
const NOBODY: usize = 0;

/// A set of makers: places where a thread makes an object, and members for which code outside does. Where there are more of them
/// than bits, several share one, and are not told apart.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Makers([u64; BITS / 64]);

impl Makers {
    fn of(bit: usize) -> Makers {
        let mut makers = Makers::default();
        makers.0[bit / 64] |= 1 << (bit % 64);
        makers
    }

    fn is_empty(self) -> bool {
        self == Makers::default()
    }

    fn meets(self, other: Makers) -> bool {
        self.0.iter().zip(other.0).any(|(a, b)| a & b != 0)
    }

    fn with(self, other: Makers) -> Makers {
        Makers(std::array::from_fn(|n| self.0[n] | other.0[n]))
    }

    fn bits(self) -> impl Iterator<Item = usize> {
        (0..BITS).filter(move |bit| self.0[bit / 64] & (1 << (bit % 64)) != 0)
    }
}

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

/// What the followed members hold, and which parameters are known to have come from one.
#[derive(Default)]
pub(super) struct Heap {
    members: BTreeMap<FieldId, Content>,
    /// The objects that the threads make and put in followed members.
    makers: HashMap<(EntryPointId, usize), usize>,
    params: HashMap<(EntryPointId, u32), Made>,
    /// Whether all was looked at that something may be, so that what is still nothing may be anything.
    closed: bool,
    /// What was found of terms, as long as nothing changes.
    found: RefCell<HashMap<(EntryPointId, TermId), Option<Made>>>,
}

impl Heap {
    pub(super) fn new(facts: &Facts, views: &[View], all: &[Write], writes: &Writes) -> Heap {
        // Nobody knows what a procedure stores of which nothing is known.
        let unknown = |view: &View| view.thread.ledger.iter().any(|a| a.kind == AssumptionKind::EmptySummary);
        if views.iter().any(unknown) {
            return Heap::default();
        }
        let mut heap = Heap::default();
        heap.members.extend(followed(facts, writes).into_iter().map(|field| (field, Content::default())));
        let outside = heap.fill_by_outside(facts);
        heap.number(views, outside);
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

    /// Code outside makes something for each group of members, and puts buffers for data where it likes. Gives the next maker.
    fn fill_by_outside(&mut self, facts: &Facts) -> usize {
        let mut next = NOBODY + 1;
        let mut of_outside = Makers::default();
        for group in facts.apart {
            let made = Makers::of(bit(next));
            for field in group {
                self.put_anywhere(*field, made);
            }
            of_outside = of_outside.with(made);
            next += 1;
        }
        of_outside = of_outside.with(Makers::of(bit(next)));
        for field in facts.buffers {
            self.put_anywhere(*field, of_outside);
        }
        next + 1
    }

    /// Code outside copies between the members of a group as it likes; whether that gives anything new.
    fn copy_in_groups(&mut self, facts: &Facts) -> bool {
        let mut changed = false;
        for group in facts.apart {
            let held = group.iter().filter_map(|field| self.members.get(field));
            let held = held.fold(Makers::default(), |all, content| all.with(content.all));
            for field in group {
                changed |= self.put_anywhere(*field, held);
            }
        }
        changed
    }

    /// Whether that is new.
    fn put_anywhere(&mut self, field: FieldId, made: Makers) -> bool {
        self.members.get_mut(&field).is_some_and(|content| content.put(Made::Unknown, made))
    }

    /// Gives a number to each object that is put in a followed member.
    fn number(&mut self, views: &[View], mut next: usize) {
        for view in views {
            let is_kept = |n: &usize| {
                view.placed
                    .get(n)
                    .into_iter()
                    .flatten()
                    .any(|p| p.field.is_some_and(|f| self.members.contains_key(&f)))
            };
            for n in (0..view.thread.locals.len()).filter(is_kept) {
                self.makers.insert((view.thread.entry, n), bit(next));
                next += 1;
            }
        }
    }

    /// Notes what is stored; whether that is new.
    fn store(&mut self, field: FieldId, write: &Write) -> bool {
        let view = write.view;
        let copies = !seeded(Fault::CopiedNowhere);
        let mut value = Makers::default();
        for leaf in write.leaves().into_iter().filter(|leaf| copies || view.local(*leaf).is_some()) {
            match self.of_leaf(view, leaf) {
                Some(Made::By(makers)) => value = value.with(makers),
                // All that is stored in followed members is followed.
                Some(Made::Unknown) | None => {}
            }
        }
        let bases: Vec<Option<Made>> =
            view.thread.leaves(write.at.obj).into_iter().map(|leaf| self.of_leaf(view, leaf)).collect();
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
        leaves.filter_map(|leaf| self.of_leaf(view, leaf)).reduce(Made::or).unwrap_or(Made::Unknown)
    }

    /// None, until all was looked at: nothing is found yet that it may be.
    fn of_leaf(&self, view: &View, leaf: TermId) -> Option<Made> {
        let key = (view.thread.entry, leaf);
        if let Some(found) = self.found.borrow().get(&key) {
            return *found;
        }
        let found = self.find_leaf(view, leaf).or(self.closed.then_some(Made::Unknown));
        self.found.borrow_mut().insert(key, found);
        found
    }

    fn find_leaf(&self, view: &View, leaf: TermId) -> Option<Made> {
        let Term::Var(v) = view.thread.terms.get(leaf) else {
            // What has a name was not made.
            let named = view.thread.terms.as_int(leaf).is_some();
            return Some(if named { Made::By(Makers::of(NOBODY)) } else { Made::Unknown });
        };
        if let Some(&n) = view.local(leaf) {
            let maker = self.makers.get(&(view.thread.entry, n)).copied();
            return Some(Made::By(Makers::of(maker.unwrap_or(NOBODY))));
        }
        match view.params.get(&v) {
            Some((param, Whence::Itself(..))) => self.params.get(&(view.thread.entry, *param)).copied(),
            Some((_, Whence::From(field))) => self.held(*field, Made::Unknown),
            None => {
                let Some((field, load)) = view.read_from(leaf) else { return Some(Made::Unknown) };
                let bases = view.thread.leaves(load.addr.obj).into_iter();
                let base = bases.filter_map(|leaf| self.of_leaf(view, leaf)).reduce(Made::or)?;
                self.held(field, base)
            }
        }
    }

    /// What a member holds in an object that was made so.
    fn held(&self, field: FieldId, base: Made) -> Option<Made> {
        let Some(content) = self.members.get(&field) else { return Some(Made::Unknown) };
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
                let initial = is_initial(facts.module, param.func).then_some(Made::By(Makers::of(NOBODY)));
                let bases = stored_in(facts, writes, param.func);
                let bases = bases.filter_map(|(view, base)| self.of_leaf(view, base));
                initial.into_iter().chain(bases).reduce(Made::or)
            }
        };
        let Some(found) = found else { return false };
        self.params.insert(param.key, found) != Some(found)
    }

    /// The members of which all that they hold is among what was made so.
    pub(super) fn holding(&self, made: Made) -> impl Iterator<Item = FieldId> {
        let holds = move |content: &Content| matches!(made, Made::By(makers) if makers.meets(content.all));
        self.members.iter().filter(move |(_, content)| holds(content)).map(|(field, _)| *field)
    }
}

/// The bit of a maker.
fn bit(number: usize) -> usize {
    1 + (number - 1) % (BITS - 1)
}

/// A parameter that is the struct in which its function stands.
struct Itself<'w, 'a> {
    key: (EntryPointId, u32),
    func: FuncId,
    /// All stores to the member that has the function; none if something else is put there.
    writes: Option<Vec<&'w Write<'a>>>,
}

impl<'w, 'a> Itself<'w, 'a> {
    fn all(facts: &Facts, views: &[View], all: &'w [Write<'a>]) -> Vec<Itself<'w, 'a>> {
        let params = views.iter().flat_map(|view| view.params.values().map(move |p| (view.thread.entry, *p)));
        let of = |(entry, (param, whence))| match whence {
            Whence::Itself(field, func) => {
                Some(Itself { key: (entry, param), func, writes: stores(facts, all, field) })
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

/// The members that hold nothing but what is followed here.
fn followed(facts: &Facts, writes: &Writes) -> BTreeSet<FieldId> {
    // Code outside puts into its own structs what it was given.
    let is_private = |field: &FieldId| facts.module.as_struct(field.strukt).is_some_and(|s| s.module_private);
    let is_said = |field: &FieldId| facts.apart.iter().flatten().chain(facts.buffers).any(|f| f == field);
    let is_pointer = |field: &FieldId| fields::pointee(facts.module, *field).is_some();
    let members = writes.keys().copied().filter(|f| is_pointer(f) && (is_private(f) || is_said(f)));
    let mut alive: BTreeSet<FieldId> = members.collect();
    loop {
        let before = alive.clone();
        let is_followed = |view: &View, leaf: TermId| {
            view.local(leaf).is_some() || source(view, leaf).is_some_and(|f| before.contains(&f))
        };
        let only =
            |field: FieldId, write: &&Write| write.puts_only(field, |leaf| is_followed(write.view, leaf));
        alive.retain(|field| writes[field].iter().all(|write| only(*field, write)));
        if alive.len() == before.len() {
            return alive;
        }
    }
}

/// Whether something has the function from the beginning.
pub(super) fn is_initial(module: &Module, func: FuncId) -> bool {
    let cells = module.globals.keys().flat_map(|global| super::initial(module, global));
    cells.map(|(cell, _)| cell.value).any(|value| matches!(value, Operand::Func(f) if f == func))
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
    fn more_makers_than_bits_share_some_but_none_that_of_nobody() {
        assert_eq!(bit(1), bit(1 + (BITS - 1)));
        assert!((1..3 * BITS).all(|number| (NOBODY + 1..BITS).contains(&bit(number))));
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
