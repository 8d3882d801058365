//! Which CPU a thread runs on.
//!
//! That is a number of which nothing is known, and another one each time somebody asks, unless something keeps the thread
//! where it is: preemption or interrupts are off. So the copy of an object that a thread has found as its own CPU's is
//! that of the CPU which it keeps others off only if it has stayed there.

use super::exec::{Activation, Executor};
use super::lockset::Lockset;
use super::procedure::OnCpu;
use super::state::State;
use super::thread::*;
use crate::analysis::layout::Shape;
use crate::fault::{Fault, seeded};
use lockpair_entry_points::EntryPoint;
use lockpair_ir::*;
use lockpair_smt::{Sort, TermId};

/// The numbers of CPUs.
const CPUS: (i128, i128) = (0, 8191);

impl Executor<'_, '_> {
    /// The state at the start of a thread or procedure.
    pub(super) fn initial_state(&mut self) -> State {
        let cpu = self.some_cpu();
        State::initial(&self.thread.terms, cpu)
    }

    /// Any CPU. Where nobody has a copy of anything, there is one.
    pub(super) fn some_cpu(&mut self) -> TermId {
        if self.cx.kinds.masks.is_empty() {
            return self.terms().int(0);
        }
        self.terms().fresh("cpu", Sort::Int, Some(CPUS))
    }

    /// What stands for the CPU that a procedure is called on, and for whether its caller stays there.
    pub(super) fn called_on(&mut self) -> OnCpu {
        let stays = self.terms().fresh("stays", Sort::Bool, None);
        OnCpu { cpu: self.some_cpu(), stays }
    }

    /// The CPU that the thread runs on.
    pub(super) fn cpu(&mut self, state: &mut State) -> TermId {
        let (stays, other) = (self.stays(&state.held), self.some_cpu());
        if !seeded(Fault::ThreadsStayOnCpu) {
            state.cpu = self.terms().ite(stays, state.cpu, other);
        }
        state.cpu
    }

    /// Whether something keeps the thread on its CPU.
    pub(super) fn stays(&mut self, held: &Lockset) -> TermId {
        let masks: Vec<usize> =
            (0..self.thread.locks.len()).filter(|&i| self.thread.locks[i].keeps_off.is_some()).collect();
        let terms = &mut self.thread.terms;
        let mut any: Vec<TermId> = masks.iter().map(|&i| held.taken(i, terms)).collect();
        if let Some(procedure) = &self.procedure {
            // Which of them the caller has is not known.
            let all = masks.iter().map(|&i| held.kept(i, terms));
            let all: Vec<TermId> = all.chain([procedure.called_on.stays]).collect();
            any.push(terms.and(&all));
        }
        terms.or(&any)
    }

    /// What an entry point keeps off its CPU because of what it runs as.
    pub(super) fn masked_on_entry(&mut self, state: &mut State, entry: &EntryPoint) {
        self.thread.highest = entry.runs_as.map_or(self.thread.highest, |runs_as| runs_as.highest());
        let kinds = self.cx.kinds;
        for (n, row) in kinds.masks.values().enumerate() {
            if entry.runs_as.is_some_and(|runs_as| row.on_entry.contains(&runs_as)) {
                let key = (entry.func, InstId::new(n), u32::MAX - 1);
                let id = self.mask_lock(&row.class, true, key);
                state.held.set_taken(id, self.thread.terms.tru(), &self.thread.terms);
                let subject = format!("{} runs with {}", entry.role, row.class);
                self.thread.ledger.record(AssumptionKind::Environment, subject, None);
            }
        }
    }

    /// Keeps others off the CPU.
    pub(super) fn mask(&mut self, (act, i): (&Activation, InstId), state: &mut State, class: &str) {
        self.cpu(state);
        let id = self.mask_lock(class, false, (act.id, i, 0));
        let loc = act.func.insts[i].loc;
        if !self.thread.locks[id].taken.contains(&loc) {
            self.thread.locks[id].taken.push(loc);
        }
        state.held.set_taken(id, self.thread.terms.tru(), &self.thread.terms);
    }

    /// Lets others come again, whoever has kept them off: these are not counted.
    pub(super) fn unmask(&mut self, (act, i): (&Activation, InstId), state: &mut State, class: &str) {
        let id = self.mask_lock(class, false, (act.id, i, 0));
        state.held.forget(id, &self.thread.terms);
        if self.procedure.is_some() {
            self.note_given_back(id);
        }
    }

    fn mask_lock(&mut self, class: &str, implicit: bool, key: Key) -> usize {
        let zero = self.terms().int(0);
        self.lock(Lock {
            class: class.to_owned(),
            mode: LockMode::Exclusive,
            addr: Addr { obj: zero, off: zero },
            region: None,
            shape: Shape::Wild,
            name: "this CPU".to_owned(),
            taken: Vec::new(),
            table: None,
            implicit,
            keeps_off: self.cx.kinds.masks.get(class).map(|row| row.keeps_off),
            state: false,
            owns: None,
            key,
        })
    }
}
