//! How control flows between blocks: states and values where edges meet, and the conditions where they part.

use super::exec::{Activation, Executor};
use super::loops::{same_loops, steps};
use super::state::{self, State};
use super::values::{self, Val};
use crate::fault::{Fault, seeded};
use lockpair_ir::cfg::{Cfg, Loop};
use lockpair_ir::*;
use lockpair_smt::{Sort, TermId};
use std::collections::{BTreeSet, HashMap};

impl Executor<'_, '_> {
    /// The state at the start of a block.
    pub(super) fn enter(
        &mut self,
        cfg: &Cfg,
        b: BlockId,
        edges: &[(BlockId, State)],
        guards: &HashMap<BlockId, TermId>,
    ) -> State {
        if let [(_, only)] = edges {
            return only.clone();
        }
        // Where every path from the dominator leads here, being here is as likely as being there; the
        // dominator must be in the same loops, or what ended a loop would be forgotten.
        let dominator = cfg.idom[b].filter(|&d| cfg.postdominates(b, d) && same_loops(cfg, b, d));
        let guard = dominator.and_then(|d| guards.get(&d).copied());
        let mut any = || {
            let all: Vec<TermId> = edges.iter().map(|(_, s)| s.guard).collect();
            self.thread.terms.or(&all)
        };
        let guard = match guard {
            Some(guard) if self.cx.kinds.loops_left => {
                let any = any();
                let leaves = self.thread.terms.implies(guard, any);
                self.left_loops.push(leaves);
                guard
            }
            Some(guard) => guard,
            None => any(),
        };
        let states: Vec<State> = edges.iter().map(|(_, s)| s.clone()).collect();
        self.join(&states, guard)
    }

    /// The state where edges meet. Pointers in globals whose content is not the same on all edges, and not a
    /// choice between known values, may come back from there unrecognized.
    pub(super) fn join(&mut self, edges: &[State], guard: TermId) -> State {
        let (mut state, lost) = state::join(&mut self.thread.terms, edges, guard);
        let tru = self.thread.terms.tru();
        for p in lost {
            self.publish(&mut state, Val::Ptr(p), tru);
        }
        state
    }

    pub(super) fn phis(
        &mut self,
        act: &mut Activation,
        b: BlockId,
        edges: &[(BlockId, State)],
        state: &mut State,
        head_of: Option<&Loop>,
    ) {
        let mut new = Vec::new();
        for &i in &act.func.blocks[b].insts {
            let inst = &act.func.insts[i];
            let (Op::Phi(sources), Some(result)) = (&inst.op, inst.result) else { break };
            let ty = act.func.values[result].ty;
            let first = self.phi(act, sources, edges, ty);
            let value = match head_of.filter(|_| !seeded(Fault::LoopFirstValues)) {
                Some(l) => match steps(act.func, result, sources, &l.body).filter(|_| ty == Ty::Ptr) {
                    Some(steps) => self.in_any_iteration(ty, Some((first, steps))),
                    None => {
                        self.unfollow(state, first);
                        let any = self.in_any_iteration(ty, None);
                        self.carry(any, first);
                        any
                    }
                },
                None => first,
            };
            new.push((result, value));
        }
        for (result, value) in new {
            act.values[result.index()] = Some(value);
        }
    }

    fn phi(
        &mut self,
        act: &Activation,
        sources: &[(BlockId, Operand)],
        edges: &[(BlockId, State)],
        ty: Ty,
    ) -> Val {
        let mut out: Option<Val> = None;
        let edges = if seeded(Fault::PhiOneEdge) { &edges[..1] } else { edges };
        for (from, state) in edges.iter().rev() {
            let Some((_, op)) = sources.iter().find(|(b, _)| b == from) else {
                return values::fresh(&mut self.thread.terms, "phi", ty);
            };
            let v = self.operand(act, *op);
            out = Some(match out {
                None => v,
                Some(rest) => values::ite(&mut self.thread.terms, state.guard, v, rest),
            });
        }
        out.unwrap_or_else(|| values::fresh(&mut self.thread.terms, "phi", ty))
    }

    /// The successors of a block with the condition of each.
    pub(super) fn branches(&mut self, act: &Activation, term: &Terminator) -> Vec<(BlockId, TermId)> {
        let tru = self.thread.terms.tru();
        match term {
            Terminator::Br(b) => vec![(*b, tru)],
            Terminator::CondBr(c, t, f) => {
                if t == f {
                    return vec![(*t, tru)];
                }
                let c = self.condition(act, *c);
                let not = if seeded(Fault::ElseGuard) { c } else { self.thread.terms.not(c) };
                vec![(*t, c), (*f, not)]
            }
            Terminator::Switch { value, cases, default } => self.switch(act, *value, cases, *default),
            Terminator::Ret(_) | Terminator::Unreachable => vec![],
        }
    }

    fn switch(
        &mut self,
        act: &Activation,
        value: Operand,
        cases: &[(u128, BlockId)],
        default: BlockId,
    ) -> Vec<(BlockId, TermId)> {
        let v = self.operand(act, value);
        let Some(v) = values::as_int(&mut self.thread.terms, v) else {
            let targets: BTreeSet<BlockId> =
                cases.iter().map(|(_, b)| *b).chain(std::iter::once(default)).collect();
            return self.arbitrary_branches(&targets);
        };
        let mut conds: Vec<(BlockId, Vec<TermId>)> = Vec::new();
        let mut none = Vec::new();
        for (k, b) in cases {
            let k = self.thread.terms.int(*k as i128);
            let eq = self.thread.terms.eq(v, k);
            let ne = self.thread.terms.not(eq);
            none.push(ne);
            match conds.iter_mut().find(|(t, _)| t == b) {
                Some((_, list)) => list.push(eq),
                None => conds.push((*b, vec![eq])),
            }
        }
        none.extend(seeded(Fault::SwitchDefaultLost).then(|| self.thread.terms.fals()));
        let otherwise = self.thread.terms.and(&none);
        match conds.iter_mut().find(|(t, _)| *t == default) {
            Some((_, list)) => list.push(otherwise),
            None => conds.push((default, vec![otherwise])),
        }
        conds.into_iter().map(|(b, list)| (b, self.thread.terms.or(&list))).collect()
    }

    /// One of the targets, nobody knows which.
    fn arbitrary_branches(&mut self, targets: &BTreeSet<BlockId>) -> Vec<(BlockId, TermId)> {
        let mut rest = self.thread.terms.tru();
        let mut out = Vec::new();
        let last = targets.len().saturating_sub(1);
        for (i, b) in targets.iter().enumerate() {
            if i == last {
                out.push((*b, rest));
                break;
            }
            let here = self.thread.terms.fresh("branch", Sort::Bool, None);
            out.push((*b, self.thread.terms.and2(rest, here)));
            let not = self.thread.terms.not(here);
            rest = self.thread.terms.and2(rest, not);
        }
        out
    }

    pub(super) fn returned(&mut self, returns: Vec<(State, Option<Val>)>) -> Option<(State, Option<Val>)> {
        match returns.len() {
            0 => None,
            1 => returns.into_iter().next(),
            _ => {
                let states: Vec<State> = returns.iter().map(|(s, _)| s.clone()).collect();
                let all: Vec<TermId> = states.iter().map(|s| s.guard).collect();
                let guard = self.thread.terms.or(&all);
                let mut value: Option<Val> = None;
                for (s, v) in returns.iter().rev() {
                    value = match (*v, value) {
                        (Some(v), Some(rest)) => Some(values::ite(&mut self.thread.terms, s.guard, v, rest)),
                        (v, _) => v,
                    };
                }
                Some((self.join(&states, guard), value))
            }
        }
    }
}
