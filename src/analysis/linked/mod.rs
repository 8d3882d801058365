//! From which place a linked structure is reached (Seidl and Vojdani, Region analysis for race detection).
//!
//! A *head* is a variable or member with pointers to objects that are linked with each other; the objects are its
//! *elements*. All pointers that are stored in the head or in its elements, by all of the module, are null, or lead to
//! elements of the same head, or to the head itself: so each element has one head for all its life, and what is read
//! from an element leads to elements of that head. Two heads have no element in common.
//!
//! Of an object that a thread has just made, the head is the one that it is going to be linked to. Whatever is stored
//! where it does not belong ends this for the heads concerned ([`Broken`]), and all is looked at again.
//!
//! That pointers are initialized before they are read is an assumption, recorded for each head (`unique-owner`).

mod check;
mod view;

use super::fields::{self, FieldId};
use super::layout::Shape;
use super::origins::{Facts, initial};
use super::points_to::RegionId;
use crate::fault::{Fault, seeded};
use crate::instrument::thread::{Addr, Site, Thread};
use check::Links;
use lockpair_ir::*;
use lockpair_smt::{Term, TermId, VarId};
use std::collections::{BTreeSet, HashMap, HashSet};
use view::View;

/// A place in the terms of a thread: an object, and an offset as a sum.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Head {
    /// The object that it lies in.
    pub obj: TermId,
    /// The offset, but for a constant.
    pub base: Option<TermId>,
    /// The constant.
    pub more: i128,
    /// How many bytes it has.
    pub size: u64,
    /// The struct of which it is a member, and where in it.
    pub within: Option<(TypeId, u64)>,
    /// Which heads are told apart when one is broken.
    kind: Kind,
}

#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Kind {
    Global(GlobalId),
    /// A member of structs: where it begins in the innermost one.
    Member(FieldId),
}

/// The head of which the object of a site is an element, if the condition holds; or the site is in the head.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Reached {
    /// The head.
    pub head: Head,
    /// The condition; none if it is always so.
    pub when: Option<TermId>,
    /// Whether a site in an object around the head is in the head itself.
    pub exact: bool,
}

/// What a pointer leads to.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Leads {
    /// It is null.
    Nowhere,
    /// To elements of the head, or to it.
    To(Head),
    /// To an object that the thread has made.
    Own(usize),
    Unknown,
}

/// A place that is read or written.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Place {
    Head(Head),
    /// In an element, or in the head.
    In(Head),
    /// In an element that the thread has made.
    Own(usize),
    Unknown,
}

/// What does not hold.
#[derive(Clone, Default, PartialEq, Eq)]
struct Broken {
    heads: BTreeSet<Kind>,
    /// Members of elements that have other pointers.
    members: BTreeSet<FieldId>,
    /// Objects that threads have made, by thread, that belong to no head.
    own: BTreeSet<(usize, usize)>,
}

impl Kind {
    /// Several pointers in one of the kernel's structs belong to one head.
    fn of_member(module: &Module, field: FieldId) -> Kind {
        Kind::Member(FieldId {
            offset: if is_private(module, field.strukt) { field.offset } else { 0 },
            ..field
        })
    }

    /// Whether a head of the one kind may be one of the other: who has an address does not see whose it is.
    fn may_be(self, other: Kind) -> bool {
        self == other || matches!(self, Kind::Member(_)) || matches!(other, Kind::Member(_))
    }
}

impl Broken {
    fn len(&self) -> usize {
        self.heads.len() + self.members.len() + self.own.len()
    }
}

/// Per thread and site: of which head its object is an element.
pub fn find(facts: &Facts, threads: &[Thread], ledger: &mut Ledger) -> Vec<Vec<Vec<Reached>>> {
    let nothing = || threads.iter().map(|t| vec![Vec::new(); t.sites.len()]).collect();
    let unknown = |t: &Thread| t.ledger.iter().any(|a| a.kind == AssumptionKind::EmptySummary);
    if threads.iter().any(unknown) {
        return nothing();
    }
    let elements = element_types(facts, threads);
    if elements.is_empty() {
        return nothing();
    }
    // Structs that are in no allocation with an element; of the kernel's, that are no part of one.
    let Facts { module, layout, objects, .. } = *facts;
    let together = |a, b| objects.may_have_both(layout, a, b) || objects.may_have_both(layout, b, a);
    let alone = |ty: TypeId| match is_private(module, ty) {
        true => !elements.iter().any(|&e| together(ty, e)),
        false => !elements.iter().any(|&e| layout.related(ty, e)),
    };
    let structs = module.types.keys().filter(|&ty| module.as_struct(ty).is_some());
    let apart: HashSet<TypeId> = structs.filter(|&ty| alone(ty)).collect();
    let mut broken = initially_broken(facts, threads);
    loop {
        let size = broken.len();
        let mut views: Vec<View> =
            threads.iter().enumerate().map(|(n, t)| View::new(facts, (&elements, &apart), (n, t))).collect();
        views.iter_mut().for_each(|view| view.follow(&broken));
        let cells = views.iter().flat_map(|view| view.cells(&broken)).collect();
        let mut links = Vec::new();
        for view in &views {
            let mut found = broken.clone();
            links.push(view.check(&cells, &mut found));
            if !seeded(Fault::LinkedAnywhere) {
                broken = found;
            }
        }
        if broken.len() == size {
            // Heads of which nobody links anything to them have no elements.
            let kinds = links.iter().flat_map(Links::kinds).collect();
            let found: Vec<_> =
                views.iter().zip(&links).map(|(v, links)| v.reached(links, &kinds, &broken)).collect();
            note(facts, &found, ledger);
            return found;
        }
    }
}

fn note(facts: &Facts, found: &[Vec<Vec<Reached>>], ledger: &mut Ledger) {
    let kinds: BTreeSet<Kind> = found.iter().flatten().flatten().map(|r| r.head.kind).collect();
    for kind in kinds {
        let name = match kind {
            Kind::Global(g) => facts.module.globals[g].name.clone(),
            Kind::Member(field) => fields::name(facts.module, field),
        };
        ledger.record(
            AssumptionKind::UniqueOwner,
            format!("{name}: what is linked there has one head"),
            None,
        );
    }
}

/// A pointer that is stored, or another write.
struct Write<'a> {
    value: Option<Addr>,
    addr: Addr,
    shape: Shape,
    region: RegionId,
    guard: TermId,
    op: &'a Op,
}

fn writes<'a>(facts: &'a Facts, thread: &'a Thread) -> impl Iterator<Item = Write<'a>> {
    let op = |(func, inst): (FuncId, InstId)| &facts.module.funcs[func].insts[inst].op;
    let sites = thread.sites.iter().filter(|s| s.write).map(move |s| Write {
        value: s.value,
        addr: s.addr,
        shape: s.shape,
        region: s.region,
        guard: s.guard,
        op: op(s.inst),
    });
    let hidden = thread.hidden.iter().map(move |w| Write {
        value: w.value,
        addr: w.addr,
        shape: w.shape,
        region: w.region,
        guard: w.guard,
        op: op(w.inst),
    });
    sites.chain(hidden)
}

fn locals(thread: &Thread) -> HashMap<VarId, usize> {
    thread.locals.iter().enumerate().map(|(n, &v)| (v, n)).collect()
}

fn is_private(module: &Module, strukt: TypeId) -> bool {
    module.as_struct(strukt).is_some_and(|s| s.module_private)
}

/// The module's own structs of which objects that were just made are stored in variables and in members of the
/// module's own structs.
fn element_types(facts: &Facts, threads: &[Thread]) -> HashSet<TypeId> {
    let mut found = HashSet::new();
    let mut private: HashMap<TypeId, bool> = HashMap::new();
    for thread in threads {
        let own = locals(thread);
        let is_own = |leaf: TermId| match thread.terms.get(leaf) {
            Term::Var(v) => own.get(&v).copied(),
            _ => None,
        };
        let types = types_of_own(facts, thread, &own);
        for write in writes(facts, thread) {
            let kernels = match write.shape {
                Shape::In { strukt, .. } => {
                    !*private.entry(strukt).or_insert_with(|| may_be_private(facts, strukt))
                }
                Shape::Scalar(_) | Shape::Whole(_) | Shape::Wild | Shape::Outside => false,
            };
            let Some(value) = write.value.filter(|v| v.obj != write.addr.obj && !kernels) else { continue };
            let stored = thread.leaves(value.obj).into_iter().filter_map(is_own);
            found.extend(stored.flat_map(|n| types.get(&n).cloned().unwrap_or_default()));
        }
    }
    found
}

/// Whether the struct is one of the module's own, or may lie in one.
fn may_be_private(facts: &Facts, strukt: TypeId) -> bool {
    let holds = |ty: TypeId| is_private(facts.module, ty) && facts.layout.contains(ty, strukt);
    is_private(facts.module, strukt)
        || facts.module.types.keys().any(holds)
        || facts
            .module
            .globals
            .values()
            .any(|g| g.defined && g.ty.is_some_and(|ty| facts.module.element(ty) == strukt))
}

/// The module's own structs as which a thread writes to objects that it has made.
fn types_of_own(
    facts: &Facts,
    thread: &Thread,
    own: &HashMap<VarId, usize>,
) -> HashMap<usize, HashSet<TypeId>> {
    let mut types: HashMap<usize, HashSet<TypeId>> = HashMap::new();
    let places = thread.sites.iter().map(|s| (s.addr, s.shape));
    for (addr, shape) in places.chain(thread.hidden.iter().map(|w| (w.addr, w.shape))) {
        let (Term::Var(v), Shape::In { strukt, .. }) = (thread.terms.get(addr.obj), shape) else { continue };
        if let Some(&n) = own.get(&v)
            && is_private(facts.module, strukt)
        {
            types.entry(n).or_default().insert(strukt);
        }
    }
    types
}

/// Heads that code outside can name or gets, and those that have something else in the beginning.
fn initially_broken(facts: &Facts, threads: &[Thread]) -> Broken {
    let mut broken = Broken::default();
    for (id, global) in facts.module.globals.iter() {
        let itself = |cell: &InitCell| match cell.value {
            Operand::Global(target, by) => {
                let ty = global.ty.map(|ty| facts.module.element(ty));
                let start =
                    ty.and_then(|ty| extent(facts, ty, cell.offset)).map_or(cell.offset, |(at, _)| at);
                target == id && i128::from(by) == i128::from(start)
            }
            Operand::Func(_) => false,
            _ => true,
        };
        let others: Vec<_> = initial(facts.module, id).filter(|(cell, _)| !itself(cell)).collect();
        if global.exported || global.thread_local || !global.defined || !others.is_empty() {
            broken.heads.insert(Kind::Global(id));
        }
        // Who has its address does not see that it is this one.
        let members =
            others.iter().filter_map(|(_, shape)| fields::of_shape(facts.module, facts.layout, *shape));
        broken.heads.extend(members.map(|field| Kind::of_member(facts.module, field)));
    }
    for thread in threads {
        let kept = thread.kept.iter().filter_map(|&t| thread.global(facts.module, t));
        broken.heads.extend(kept.map(Kind::Global));
    }
    broken
}

/// Where a head begins that has a pointer at the byte, and its size: of several pointers in a struct of the kernel's
/// (`list_head`), all belong to one.
fn extent(facts: &Facts, strukt: TypeId, at: u64) -> Option<(u64, u64)> {
    facts.module.as_struct(strukt)?;
    let (inner, within) = facts.layout.innermost(strukt, at % facts.module.size_of(strukt).max(1));
    Some(if is_private(facts.module, inner) {
        (at, POINTER)
    } else {
        (at - within, facts.module.size_of(inner))
    })
}

/// The size of a pointer, in bytes.
const POINTER: u64 = 8;
