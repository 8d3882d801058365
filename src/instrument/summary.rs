//! The empty summary: a call tree that is not inlined.

use super::exec::Executor;
use super::memory::Memory;
use super::sites::{AccessOp, Origin, through};
use super::state::State;
use super::thread::*;
use super::values::{self, Val};
use crate::analysis::points_to::static_path;
use crate::analysis::ways;
use crate::fault::{Fault, seeded};
use lockpair_ir::*;

impl Executor<'_, '_> {
    /// The empty summary: the call tree accesses anything that it mentions, at any address, under no
    /// lock; gives back every lock that it releases anywhere; publishes and registers what it may.
    pub(super) fn summarize(
        &mut self,
        id: FuncId,
        args: &[Val],
        state: State,
        caller: Option<StackId>,
        at: Option<LocId>,
    ) -> (State, Option<Val>) {
        let module = self.cx.module;
        self.thread.ledger.record(AssumptionKind::EmptySummary, module.funcs[id].name.clone(), at);
        let mut state = state;
        let tru = self.thread.terms.tru();
        for v in args {
            self.publish(&mut state, *v, tru);
        }
        state.globals = Memory::default();
        state.looked = Default::default();
        for local in 0..self.locals.len() {
            if !self.is_private(&state, local) {
                self.forget_content(&mut state, local);
            }
        }
        state.cpu = self.some_cpu();
        let summary = crate::infer::mod_ref(module, self.cx.calls, id);
        for class in &summary.releases {
            self.thread.releases.insert(class.clone());
            self.gives_back(&mut state, class);
            if self.cx.kinds.states.contains_key(class) {
                let at = values::fresh_pointer(self.terms(), "ended").addr;
                self.thread.ends.push(End { class: class.clone(), at, own: Vec::new() });
            }
        }
        for i in 0..self.thread.locks.len() {
            if summary.releases.contains(&self.thread.locks[i].class)
                && !seeded(Fault::SummaryReleasesNothing)
            {
                state.held.forget(i, &self.thread.terms);
            }
        }
        if self.procedure.is_some() {
            summary.releases.iter().for_each(|class| self.caller_locks_given_back(&mut state, class, id));
        }
        self.registered_anywhere(&mut state, &summary);
        if !seeded(Fault::SummaryAccessesNothing) {
            self.summary_sites(&state, &summary, caller, at);
        }
        let value = module.funcs[id].ret.map(|ty| values::fresh(self.terms(), "summary", ty));
        (state, value)
    }

    /// In a procedure: a lock of the class that the caller holds, nobody knows which, was given back.
    fn caller_locks_given_back(&mut self, state: &mut State, class: &str, id: FuncId) {
        let addr = values::null(self.terms()).addr;
        let i = self.lock_anywhere(Lock {
            class: class.to_owned(),
            mode: LockMode::Exclusive,
            addr,
            region: None,
            shape: crate::analysis::layout::Shape::Wild,
            name: "a lock".to_owned(),
            taken: Vec::new(),
            table: None,
            implicit: false,
            keeps_off: self.cx.kinds.masks.get(class).map(|row| row.keeps_off),
            state: false,
            owns: None,
            key: (id, InstId::new(0), 0),
        });
        state.held.forget(i, &self.thread.terms);
        self.note_given_back(i);
    }

    /// A registration in a call tree is of a handle that has no name here.
    pub(super) fn registered_anywhere(&mut self, state: &mut State, effects: &crate::infer::ModRef) {
        for (func, inst) in &effects.registrations {
            if let Op::Register { class, .. } = &self.cx.module.funcs[*func].insts[*inst].op {
                self.registered_by(state, class, (*func, *inst, 2));
            }
        }
        for &(func, inst) in effects.unknown.iter().filter(|_| !seeded(Fault::UnknownCodeRegistersNothing)) {
            self.registered_by(state, HANDED_OUT, (func, inst, 2));
        }
    }

    pub(super) fn summary_sites(
        &mut self,
        state: &State,
        summary: &crate::infer::ModRef,
        caller: Option<StackId>,
        at: Option<LocId>,
    ) {
        let mut inner = state.clone();
        // Locks that the tree never releases stay held inside it.
        for (i, lock) in self.thread.locks.iter().enumerate() {
            if summary.releases.contains(&lock.class) {
                inner.held.forget(i, &self.thread.terms);
            }
        }
        for &(func, inst) in &summary.accesses {
            self.thread.stacks.push(StackFrame { parent: caller, func, call: at });
            let stack = StackId::new(self.thread.stacks.len() - 1);
            let origin =
                Origin { stack, inst: (func, inst), loc: self.cx.module.funcs[func].insts[inst].loc };
            for (addr, size, write, mark) in crate::infer::accesses(&self.cx.module.funcs[func], inst) {
                self.summary_site(&inner, func, addr, size, write, mark, origin);
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    pub(super) fn summary_site(
        &mut self,
        state: &State,
        func: FuncId,
        addr: Operand,
        size: Option<u64>,
        write: bool,
        mark: Mark,
        origin: Origin,
    ) {
        let region = self.cx.points_to.region(func, addr);
        let mut ptr = values::fresh_pointer(self.terms(), "anywhere");
        let function = &self.cx.module.funcs[func];
        if region != self.cx.points_to.external() && crate::infer::is_on_stack(function, addr) {
            return;
        }
        if let Operand::Global(g, _) = addr
            && !self.cx.module.globals[g].thread_local
        {
            ptr.addr.obj = self.terms().int(g.index() as i128 + 1);
        }
        let block = !matches!(
            function.insts[origin.inst.1].op,
            Op::Load { .. } | Op::Store { .. } | Op::Rmw { .. } | Op::CmpXchg { .. }
        );
        let (module, layout) = (self.cx.module, self.cx.layout);
        let first = |bytes| ways::first_member(module, layout, function, addr, bytes);
        let first_member = || Some((size.filter(|_| !block).and_then(first)?.0, 0));
        if let Some((strukt, at)) = static_path(module, function, addr).or_else(first_member)
            && size.is_some()
            && !crate::infer::has_variable_index(function, addr)
        {
            ptr.path = Some((strukt, self.terms().int(i128::from(at))));
        }
        let extent = match size {
            Some(n) => Extent::Bytes(self.terms().int(i128::from(n))),
            None => Extent::Object,
        };
        let through = through(origin.inst.0, addr);
        self.record(
            state,
            AccessOp { ptr, extent, size, write, value: None, mark, region, block, through },
            origin,
        );
    }
}
