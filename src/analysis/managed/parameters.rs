//! Which objects a thread reaches from its parameters, and not from variables or by code that nobody knows: what a callback
//! reaches so belongs to the device for which it is called (assumption `managed-memory`).

use super::super::layout::Shape;
use super::super::points_to::RegionId;
use super::Facts;
use crate::fault::{Fault, seeded};
use crate::instrument::thread::{Addr, LoadVars, SharedLoad, Thread};
use lockpair_ir::{FuncId, InstId, Op, TypeId};
use lockpair_smt::{Term, TermId};
use std::collections::{HashMap, HashSet};

/// No pointer is in fewer bytes.
const POINTER_BYTES: u64 = 8;

/// Per thread and site: whether its object is one that the thread reaches from its parameters, or has made.
pub fn of_sites(facts: &Facts, threads: &[Thread]) -> Vec<Vec<bool>> {
    let views: Vec<View> = threads.iter().map(|thread| View::new(facts, thread)).collect();
    let mut brought = Brought::default();
    while views.iter().any(|view| view.bring(&mut brought)) {}
    views.iter().map(|view| view.of_sites(&brought)).collect()
}

/// Bytes where some thread has stored a pointer that it had from elsewhere: who reads it there has it from elsewhere, too.
#[derive(Default)]
struct Brought(HashMap<RegionId, HashSet<Shape>>);

/// What is stored somewhere.
struct Stored {
    at: Addr,
    region: RegionId,
    shape: Shape,
    value: Option<Addr>,
    inst: (FuncId, InstId),
}

struct View<'a> {
    facts: &'a Facts<'a>,
    thread: &'a Thread,
    reads: HashMap<TermId, &'a SharedLoad>,
}

impl<'a> View<'a> {
    fn new(facts: &'a Facts<'a>, thread: &'a Thread) -> View<'a> {
        let reads = thread.loads.iter().filter_map(|load| match load.vars {
            LoadVars::Ptr(obj, _) => Some((thread.terms.var_term(obj), load)),
            LoadVars::Int(..) => None,
        });
        View { facts, thread, reads: reads.collect() }
    }

    fn of_sites(&self, brought: &Brought) -> Vec<bool> {
        let mut known = HashMap::new();
        let mut is_own = |obj| *known.entry(obj).or_insert_with(|| self.is_by_parameters(obj, brought));
        self.thread.sites.iter().map(|site| is_own(site.addr.obj)).collect()
    }

    /// Adds where the thread stores what it has from elsewhere; tells whether that is more.
    fn bring(&self, brought: &mut Brought) -> bool {
        if seeded(Fault::BroughtIsOwn) {
            return false;
        }
        let mut more = false;
        for stored in self.stored() {
            let is_known = brought.0.get(&stored.region).is_some_and(|shapes| shapes.contains(&stored.shape));
            let Some(value) = stored.value.filter(|_| !is_known && !self.is_in_list(&stored)) else {
                continue;
            };
            if !self.is_nowhere(value.obj) && !self.is_by_parameters(value.obj, brought) {
                more |= brought.0.entry(stored.region).or_default().insert(stored.shape);
            }
        }
        more
    }

    /// Whether it is put into a variable that has no structs in it, and so no device or data of one (a list of attributes).
    fn is_in_list(&self, stored: &Stored) -> bool {
        let module = self.facts.module;
        let has_struct = |ty: TypeId| module.as_struct(module.innermost_element(ty)).is_some();
        let variable = self.thread.global(module, stored.at.obj);
        variable.is_some_and(|g| module.globals[g].ty.is_some_and(|ty| !has_struct(ty)))
    }

    /// Whether no memory is reached through it: it is null, a function, or a constant that leads to nothing else.
    fn is_nowhere(&self, obj: TermId) -> bool {
        let module = self.facts.module;
        let is = |leaf: TermId| {
            let is_number = self.thread.terms.as_int(leaf).is_some();
            is_number && self.thread.global(module, leaf).is_none_or(|g| module.is_all_constant(g))
        };
        self.thread.leaves(obj).into_iter().all(is)
    }

    fn is_by_parameters(&self, obj: TermId, brought: &Brought) -> bool {
        let thread = self.thread;
        let (mut seen, mut work) = (HashSet::new(), vec![obj]);
        while let Some(t) = work.pop() {
            for leaf in thread.leaves(t).into_iter().filter(|&leaf| seen.insert(leaf)) {
                let Term::Var(v) = thread.terms.get(leaf) else { return false };
                let is_parameter =
                    || thread.given.iter().any(|given| given.var == v && given.param.is_some());
                if let Some(load) = self.reads.get(&leaf) {
                    let shapes = brought.0.get(&load.region);
                    if shapes.is_some_and(|s| s.iter().any(|&shape| self.may_be_there(shape, load))) {
                        return false;
                    }
                    let Some(stored) = self.stored_there(load) else { return false };
                    work.push(load.addr.obj);
                    work.extend(stored);
                } else if let Some(carried) = thread.carried.iter().find(|c| c.var == v) {
                    work.push(carried.first);
                    work.extend(&carried.again);
                } else if !thread.locals.contains(&v) && !is_parameter() {
                    return false;
                }
            }
        }
        true
    }

    /// The objects that the thread itself has stored to bytes like those that are read; none if that is not known, since it has
    /// copied something there, or unknown code may have. What rows write are no pointers of the module's.
    fn stored_there(&self, load: &SharedLoad) -> Option<Vec<TermId>> {
        let thread = self.thread;
        // Of its own stack no stores are noted.
        let is_on_stack = |leaf: TermId| {
            let own = thread.locals.iter().position(|&v| thread.terms.get(leaf) == Term::Var(v));
            own.is_some_and(|n| thread.on_stack[n])
        };
        if thread.leaves(load.addr.obj).into_iter().any(is_on_stack) {
            return None;
        }
        // Functions outside are not taken to change pointers in structs of the kernel's, if they are given more than that member.
        let by_kernel = |s: &Stored| {
            let changed = s.shape == load.shape || self.facts.layout.is_of_module(load.shape);
            !changed && matches!(s.shape, Shape::In { .. }) && self.op(s).is_outside()
        };
        let there = self.stored().filter(|s| s.region == load.region && self.may_be_there(s.shape, load));
        let there = there.filter(|s| !by_kernel(s));
        let objects = |stored: Stored| stored.value.map(|at| at.obj);
        there.filter(|s| s.value.is_some() || !is_by_row(self.op(s))).map(objects).collect()
    }

    /// Whether a pointer that is read in that region may have been stored there by way of the shape. Types tell apart here what
    /// they do in memory that code outside can reach: else each pointer that is stored anywhere might be the device's data.
    fn may_be_there(&self, stored: Shape, load: &SharedLoad) -> bool {
        let is_too_small = matches!(stored, Shape::Scalar(bytes) if bytes < POINTER_BYTES);
        !is_too_small && self.facts.layout.may_overlap(true, stored, load.shape)
    }

    fn stored(&self) -> impl Iterator<Item = Stored> {
        let sites = self.thread.sites.iter().filter(|s| s.write).map(|s| Stored {
            at: s.addr,
            region: s.region,
            shape: s.shape,
            value: s.value,
            inst: s.inst,
        });
        let hidden = self.thread.hidden.iter().map(|h| Stored {
            at: h.addr,
            region: h.region,
            shape: h.shape,
            value: h.value,
            inst: h.inst,
        });
        sites.chain(hidden)
    }

    fn op(&self, stored: &Stored) -> &Op {
        let (func, inst) = stored.inst;
        &self.facts.module.funcs[func].insts[inst].op
    }
}

fn is_by_row(op: &Op) -> bool {
    matches!(op, Op::Access { .. } | Op::Free { .. } | Op::MemSet { .. })
}
