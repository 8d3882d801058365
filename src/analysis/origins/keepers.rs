//! Which pointer members may hold an object: members are in groups, and no object is in members of two groups.
//!
//! A member of the module's own structs has a group if the module stores nothing in it but null, objects that it has made and
//! what it has read from such members. Who stores an object in two members, or copies from one to the other, joins their groups.
//! What has a name, or was made and is put in none of them, is in none. Of members of the kernel's structs the environment says
//! into which of them code outside puts nothing but what it has made for them. Then an URB that a driver keeps for reading is
//! none that it keeps for writing, although it hands both to the kernel.

use super::stored::{Write, Writes};
use super::{Facts, View};
use crate::analysis::fields::{self, FieldId};
use crate::fault::{Fault, seeded};
use lockpair_entry_points::EntryPointId;
use lockpair_ir::*;
use lockpair_smt::{Term, TermId};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// In which members with a group an object is.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Keeper {
    /// Nobody knows.
    Unknown,
    /// In none of them, ever.
    Nobody,
    /// In those of this group alone, named by one of them.
    Group(FieldId),
}

impl Keeper {
    /// Whether two such objects are surely two.
    pub fn is_apart(self, other: Keeper) -> bool {
        match (self, other) {
            (Keeper::Group(a), Keeper::Group(b)) => a != b,
            (Keeper::Group(_), Keeper::Nobody) | (Keeper::Nobody, Keeper::Group(_)) => true,
            (Keeper::Unknown, _) | (_, Keeper::Unknown) | (Keeper::Nobody, Keeper::Nobody) => false,
        }
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

/// The groups, and the parameters that are known to be in one.
#[derive(Default)]
pub(super) struct Keepers {
    groups: BTreeMap<FieldId, FieldId>,
    params: HashMap<(EntryPointId, u32), Keeper>,
}

impl Keepers {
    pub(super) fn new(facts: &Facts, views: &[View], all: &[Write], writes: &Writes) -> Keepers {
        // Nobody knows what a procedure stores of which nothing is known.
        let unknown = |view: &View| view.thread.ledger.iter().any(|a| a.kind == AssumptionKind::EmptySummary);
        if views.iter().any(unknown) {
            return Keepers::default();
        }
        let followed = followed(facts, writes);
        let mut keepers = Keepers::default();
        keepers.groups.extend(followed.iter().map(|&field| (field, field)));
        for group in facts.apart {
            let group: Vec<FieldId> = group.iter().copied().filter(|f| followed.contains(f)).collect();
            group.windows(2).for_each(|pair| keepers.join(pair[0], pair[1]));
        }
        if !seeded(Fault::KeepersApart) {
            followed.iter().flat_map(|field| &writes[field]).for_each(|write| keepers.stored(write));
        }
        keepers.find_params(facts, views, all);
        keepers
    }

    /// The members that have groups, each with the name of its group.
    pub(super) fn groups(&self) -> impl Iterator<Item = (FieldId, FieldId)> {
        self.groups.iter().map(|(field, group)| (*field, *group))
    }

    fn of(&self, field: FieldId) -> Option<FieldId> {
        self.groups.get(&field).copied()
    }

    fn join(&mut self, one: FieldId, other: FieldId) {
        if let (Some(to), Some(from)) = (self.of(one), self.of(other)) {
            self.groups.values_mut().filter(|group| **group == from).for_each(|group| *group = to);
        }
    }

    /// What is put in one member is in others, too.
    fn stored(&mut self, write: &Write) {
        let Some(to) = write.member else { return };
        for leaf in write.leaves() {
            let other = match write.view.local(leaf) {
                Some(n) => write.view.placed[n]
                    .iter()
                    .filter_map(|placed| placed.field)
                    .find(|f| self.of(*f).is_some()),
                None => source(write.view, leaf),
            };
            other.into_iter().for_each(|other| self.join(to, other));
        }
    }

    /// Where all these are.
    pub(super) fn of_leaves(&self, view: &View, leaves: impl Iterator<Item = TermId>) -> Keeper {
        let found: BTreeSet<Keeper> =
            leaves.map(|leaf| self.of_leaf(view, leaf).unwrap_or(Keeper::Unknown)).collect();
        only(&found).unwrap_or(Keeper::Unknown)
    }

    /// None: it is a parameter of which nothing is known yet.
    fn of_leaf(&self, view: &View, leaf: TermId) -> Option<Keeper> {
        let Term::Var(v) = view.thread.terms.get(leaf) else {
            // What has a name was not made.
            let named = view.thread.terms.as_int(leaf).is_some();
            return Some(if named { Keeper::Nobody } else { Keeper::Unknown });
        };
        if let Some(n) = view.local(leaf) {
            let placed = view.placed.get(n).into_iter().flatten();
            let group = placed.filter_map(|placed| self.of(placed.field?)).next();
            return Some(group.map_or(Keeper::Nobody, Keeper::Group));
        }
        match view.params.get(&v) {
            Some((param, Whence::Itself(..))) => self.params.get(&(view.thread.entry, *param)).copied(),
            _ => Some(source(view, leaf).and_then(|f| self.of(f)).map_or(Keeper::Unknown, Keeper::Group)),
        }
    }

    /// A function that stands in a member of the struct which it gets: the structs that the module stores it in. What those
    /// are may follow from other such parameters.
    fn find_params(&mut self, facts: &Facts, views: &[View], all: &[Write]) {
        let mut members: BTreeMap<FieldId, Option<Vec<&Write>>> = BTreeMap::new();
        let params = views.iter().flat_map(|view| view.params.values().map(move |p| (view.thread.entry, *p)));
        let itself = params.filter_map(|(entry, (param, whence))| match whence {
            Whence::Itself(field, func) => Some(((entry, param), field, func)),
            Whence::From(_) => None,
        });
        let itself: Vec<_> = itself.collect();
        for (_, field, _) in &itself {
            members.entry(*field).or_insert_with(|| stores(facts, all, *field));
        }
        loop {
            let mut changed = false;
            for (key, field, func) in &itself {
                let found = match &members[field] {
                    Some(writes) => self.bases(facts, writes, *func),
                    None => Some(Keeper::Unknown),
                };
                changed |= self.params.get(key).copied() != found;
                found.into_iter().for_each(|keeper| _ = self.params.insert(*key, keeper));
            }
            if !changed {
                return;
            }
        }
    }

    /// Where the structs are that a function is stored in, as far as that is known yet.
    fn bases(&self, facts: &Facts, writes: &[&Write], func: FuncId) -> Option<Keeper> {
        let mut found = BTreeSet::new();
        if is_initial(facts.module, func) {
            found.insert(Keeper::Nobody);
        }
        found.extend(stored_in(facts, writes, func).filter_map(|(view, base)| self.of_leaf(view, base)));
        match found.is_empty() {
            true => None,
            false => Some(only(&found).unwrap_or(Keeper::Unknown)),
        }
    }
}

fn only(found: &BTreeSet<Keeper>) -> Option<Keeper> {
    found.first().copied().filter(|_| found.len() == 1)
}

/// The member that a pointer was read from, or that a parameter comes from.
fn source(view: &View, leaf: TermId) -> Option<FieldId> {
    let Term::Var(v) = view.thread.terms.get(leaf) else { return None };
    match view.params.get(&v) {
        Some((_, Whence::From(field))) => Some(*field),
        Some((_, Whence::Itself(..))) => None,
        None => view.loads.get(&v)?.0,
    }
}

/// The members that hold nothing but what is followed here.
fn followed(facts: &Facts, writes: &Writes) -> BTreeSet<FieldId> {
    // Code outside puts into its own structs what it was given.
    let is_private = |field: &FieldId| facts.module.as_struct(field.strukt).is_some_and(|s| s.module_private);
    let is_said = |field: &FieldId| facts.apart.iter().flatten().any(|f| f == field);
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
