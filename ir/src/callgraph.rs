//! Who calls whom: components bottom-up, recursion, and how large a call tree gets when it is inlined.
//!
//! Where calls through pointers go is for the caller of [`CallGraph::new`] to say. Callbacks that the kernel
//! calls later are not calls.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::entity::{EntityRef, SecondaryMap};
use crate::inst::{Callee, InstId, Op};
use crate::module::{FuncId, Module};

/// The calls of a module.
#[derive(Clone, Debug)]
pub struct CallGraph {
    /// Whom a function calls, none twice, in the order of the first call.
    pub callees: SecondaryMap<FuncId, Vec<FuncId>>,
    /// Who calls a function, none twice.
    pub callers: SecondaryMap<FuncId, Vec<FuncId>>,
    /// The strongly connected components, callees before callers.
    pub sccs: Vec<Vec<FuncId>>,
    /// Whether a function may call itself, directly or through others.
    pub recursive: SecondaryMap<FuncId, bool>,
    /// Instructions (terminators count) of the body with all calls inlined; `u64::MAX` if that does not end
    /// or does not fit.
    pub inlined_size: SecondaryMap<FuncId, u64>,
}

impl CallGraph {
    /// The call graph; `indirect` gives the possible targets of the call through a pointer at an instruction.
    pub fn new(module: &Module, mut indirect: impl FnMut(FuncId, InstId) -> Vec<FuncId>) -> CallGraph {
        let mut calls: SecondaryMap<FuncId, Vec<FuncId>> = SecondaryMap::new();
        for id in module.funcs.keys() {
            calls[id] = call_targets(module, id, &mut indirect);
        }
        let mut graph = CallGraph {
            callees: SecondaryMap::new(),
            callers: SecondaryMap::new(),
            sccs: Vec::new(),
            recursive: SecondaryMap::new(),
            inlined_size: SecondaryMap::new(),
        };
        graph.add_edges(module, &calls);
        graph.find_components(module);
        graph.measure(module, &calls);
        graph
    }

    fn add_edges(&mut self, module: &Module, calls: &SecondaryMap<FuncId, Vec<FuncId>>) {
        for from in module.funcs.keys() {
            for &to in &calls[from] {
                if !self.callees[from].contains(&to) {
                    self.callees[from].push(to);
                    self.callers[to].push(from);
                }
            }
        }
    }

    fn find_components(&mut self, module: &Module) {
        let mut graph = DiGraph::<(), ()>::new();
        for _ in module.funcs.keys() {
            graph.add_node(());
        }
        for from in module.funcs.keys() {
            for to in &self.callees[from] {
                graph.add_edge(NodeIndex::new(from.index()), NodeIndex::new(to.index()), ());
            }
        }
        for component in kosaraju_scc(&graph) {
            let members: Vec<FuncId> = component.into_iter().map(|n| FuncId::new(n.index())).collect();
            for &func in &members {
                self.recursive[func] = members.len() > 1 || self.callees[func].contains(&func);
            }
            self.sccs.push(members);
        }
    }

    /// Bottom-up, so that the sizes of the callees are known.
    fn measure(&mut self, module: &Module, calls: &SecondaryMap<FuncId, Vec<FuncId>>) {
        for &func in self.sccs.iter().flatten() {
            let own = module.funcs[func].blocks.values().map(|b| b.insts.len() as u64 + 1).sum::<u64>();
            let inlined = calls[func].iter().fold(own, |sum, &to| sum.saturating_add(self.inlined_size[to]));
            self.inlined_size[func] = if self.recursive[func] { u64::MAX } else { inlined };
        }
    }
}

/// The targets of all calls in the blocks, one entry per call and target.
fn call_targets(
    module: &Module,
    id: FuncId,
    indirect: &mut impl FnMut(FuncId, InstId) -> Vec<FuncId>,
) -> Vec<FuncId> {
    let func = &module.funcs[id];
    let mut targets = Vec::new();
    for &inst in func.blocks.values().flat_map(|b| &b.insts) {
        match &func.insts[inst].op {
            Op::Call { callee: Callee::Func(to), .. } => targets.push(*to),
            Op::Call { callee: Callee::Indirect(..), .. } => targets.extend(indirect(id, inst)),
            _ => {}
        }
    }
    targets
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inst::{Operand, Terminator};
    use crate::module::{Block, Function};

    fn f(index: usize) -> FuncId {
        FuncId::new(index)
    }

    /// Functions that call these, in order; `None` is a call through a pointer.
    fn module(calls: &[&[Option<usize>]]) -> Module {
        let mut module = Module::default();
        for (i, targets) in calls.iter().enumerate() {
            let mut func = Function::declaration(&format!("f{i}"));
            let callee =
                |t: &Option<usize>| t.map_or(Callee::Indirect(Operand::Null, None), |t| Callee::Func(f(t)));
            let insts = targets
                .iter()
                .map(|t| func.add_inst(Op::Call { callee: callee(t), args: vec![] }, None, None).0)
                .collect();
            func.blocks.push(Block { insts, term: Terminator::Ret(None), term_loc: None });
            module.funcs.push(func);
        }
        module
    }

    #[test]
    fn callees_come_before_callers_and_sizes_count_each_call() {
        let module = module(&[&[Some(1), Some(1), Some(2)], &[Some(2)], &[]]);
        let graph = CallGraph::new(&module, |_, _| vec![]);
        assert_eq!(graph.sccs, vec![vec![f(2)], vec![f(1)], vec![f(0)]]);
        assert_eq!(graph.callees[f(0)], vec![f(1), f(2)]);
        assert_eq!(graph.callers[f(2)], vec![f(0), f(1)]);
        assert_eq!(graph.inlined_size[f(1)], 2 + 1);
        assert_eq!(graph.inlined_size[f(0)], 4 + 3 + 3 + 1);
        assert!(!graph.recursive[f(0)]);
    }

    #[test]
    fn recursion_has_no_finite_size() {
        let graph = CallGraph::new(&module(&[&[Some(1)], &[Some(2)], &[Some(1)], &[Some(3)]]), |_, _| vec![]);
        assert!(!graph.recursive[f(0)] && graph.recursive[f(1)] && graph.recursive[f(2)]);
        assert!(graph.recursive[f(3)], "a function that calls itself is recursive");
        assert_eq!(graph.inlined_size[f(0)], u64::MAX);
    }

    #[test]
    fn indirect_targets_are_edges() {
        let graph = CallGraph::new(&module(&[&[None], &[], &[]]), |_, _| vec![f(1), f(2)]);
        assert_eq!(graph.callees[f(0)], vec![f(1), f(2)]);
        assert_eq!(graph.inlined_size[f(0)], 2 + 1 + 1);
    }
}
