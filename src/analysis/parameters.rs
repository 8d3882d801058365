//! Which objects a thread reaches from its parameters, and not from variables or by code that nobody knows: what a callback
//! reaches so belongs to the device for which it is called (assumption `managed-memory`).

use crate::analysis::layout::Shape;
use crate::analysis::points_to::RegionId;
use crate::instrument::thread::Addr;
use crate::instrument::thread::{LoadVars, SharedLoad, Thread};
use lockpair_ir::{FuncId, InstId, Module, Op};
use lockpair_smt::{Term, TermId};
use std::collections::{HashMap, HashSet};

/// Per site of the thread: whether its object is one that the thread reaches from its parameters, or has made.
pub fn of_sites(module: &Module, thread: &Thread) -> Vec<bool> {
    let reads = thread.loads.iter().filter_map(|load| match load.vars {
        LoadVars::Ptr(obj, _) => Some((thread.terms.var_term(obj), load)),
        LoadVars::Int(..) => None,
    });
    let view = View { module, thread, reads: reads.collect() };
    let mut known = HashMap::new();
    let sites = thread.sites.iter();
    sites
        .map(|site| *known.entry(site.addr.obj).or_insert_with(|| view.is_by_parameters(site.addr.obj)))
        .collect()
}

struct View<'a> {
    module: &'a Module,
    thread: &'a Thread,
    reads: HashMap<TermId, &'a SharedLoad>,
}

impl View<'_> {
    fn is_by_parameters(&self, obj: TermId) -> bool {
        let thread = self.thread;
        let (mut seen, mut work) = (HashSet::new(), vec![obj]);
        while let Some(t) = work.pop() {
            for leaf in thread.leaves(t).into_iter().filter(|&leaf| seen.insert(leaf)) {
                let Term::Var(v) = thread.terms.get(leaf) else { return false };
                let is_parameter =
                    || thread.given.iter().any(|given| given.var == v && given.param.is_some());
                if let Some(load) = self.reads.get(&leaf) {
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
        let may_be_there = |region: RegionId, shape: Shape| {
            let is_known_elsewhere = match shape {
                Shape::In { .. } => shape != load.shape,
                // No pointer is so small.
                Shape::Scalar(bytes) => bytes < 8,
                Shape::Whole(_) | Shape::Wild | Shape::Outside => false,
            };
            region == load.region && !is_known_elsewhere
        };
        let by_row = |(func, inst): (FuncId, InstId)| {
            matches!(
                self.module.funcs[func].insts[inst].op,
                Op::Access { .. } | Op::Free { .. } | Op::MemSet { .. }
            )
        };
        let sites = thread.sites.iter().filter(|s| s.write && may_be_there(s.region, s.shape));
        let hidden = thread.hidden.iter().filter(|h| may_be_there(h.region, h.shape));
        let all = sites.map(|s| (s.value, s.inst)).chain(hidden.map(|h| (h.value, h.inst)));
        let objects = |(value, _): (Option<Addr>, _)| value.map(|at| at.obj);
        all.filter(|(value, inst)| value.is_some() || !by_row(*inst)).map(objects).collect()
    }
}
