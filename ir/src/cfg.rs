//! The control-flow graph of a function: edges, order, dominance and loops.
//!
//! Unreachable blocks keep their edges but are in no order, dominate nothing and belong to no loop.
//!
//! # Loops, and what a sound encoder may rely on
//!
//! An edge is a *back edge* if its target does not come after its source in [`Cfg::rpo`]; without the back
//! edges the reachable graph is acyclic and `rpo` orders it topologically. Each target of a back edge is a
//! loop head with one [`Loop`]. If the head dominates the sources of all its back edges, the loop is the
//! natural loop, and control enters it only at the head. Otherwise the loop is *irreducible*: its body
//! is the whole strongly connected component, and control may enter it elsewhere too.
//!
//! To cut the graph at its loop heads, take for the state at a head the join over all of [`Loop::entries`]
//! (not only over the edges into the head; their sources all come before the head in `rpo`), and then forget
//! whatever any block of the body may change.

use std::collections::BTreeSet;

use petgraph::algo::{dominators, kosaraju_scc};
use petgraph::graph::{DiGraph, NodeIndex};

use crate::entity::{EntityRef, SecondaryMap};
use crate::inst::BlockId;
use crate::module::Function;

/// A loop, named by its head.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// The target of the back edges.
    pub head: BlockId,
    /// The blocks of the loop, the head among them.
    pub body: BTreeSet<BlockId>,
    /// The sources of the back edges.
    pub back_edges: Vec<BlockId>,
    /// The edges from outside into the body.
    pub entries: Vec<(BlockId, BlockId)>,
    /// Whether the body is a strongly connected component that control may enter beside the head.
    pub irreducible: bool,
}

/// The control-flow graph of a defined function.
#[derive(Clone, Debug)]
pub struct Cfg {
    /// The reachable blocks in reverse postorder, the entry first.
    pub rpo: Vec<BlockId>,
    /// The predecessors of each block, none twice.
    pub preds: SecondaryMap<BlockId, Vec<BlockId>>,
    /// The successors of each block, none twice, in the order of the terminator.
    pub succs: SecondaryMap<BlockId, Vec<BlockId>>,
    /// The immediate dominator; the entry and unreachable blocks have none.
    pub idom: SecondaryMap<BlockId, Option<BlockId>>,
    /// The immediate post-dominator; none if only the end of the function post-dominates the block.
    pub ipdom: SecondaryMap<BlockId, Option<BlockId>>,
    /// The loops in the order of their heads in `rpo`, hence outer ones first.
    pub loops: Vec<Loop>,
    /// The position in `loops`, for loop heads.
    pub loop_of_head: SecondaryMap<BlockId, Option<usize>>,
    /// Whether some loop is irreducible.
    pub irreducible: bool,
    position: SecondaryMap<BlockId, Option<usize>>,
}

impl Cfg {
    /// The graph of a function; empty if it is only declared.
    pub fn new(func: &Function) -> Cfg {
        let mut cfg = Cfg {
            rpo: Vec::new(),
            preds: SecondaryMap::new(),
            succs: SecondaryMap::new(),
            idom: SecondaryMap::new(),
            ipdom: SecondaryMap::new(),
            loops: Vec::new(),
            loop_of_head: SecondaryMap::new(),
            irreducible: false,
            position: SecondaryMap::new(),
        };
        if func.is_defined() {
            cfg.add_edges(func);
            cfg.order(func);
            cfg.add_dominators(func.blocks.len());
            cfg.add_post_dominators(func.blocks.len());
            cfg.find_loops();
        }
        cfg
    }

    /// Whether some path from the entry leads to the block.
    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.position[block].is_some()
    }

    /// The position in `rpo`; none if the block is unreachable.
    pub fn position(&self, block: BlockId) -> Option<usize> {
        self.position[block]
    }

    /// Whether `from -> to` is an edge between reachable blocks that goes back to a loop head.
    pub fn is_back_edge(&self, from: BlockId, to: BlockId) -> bool {
        match (self.position[from], self.position[to]) {
            (Some(from_at), Some(to_at)) => to_at <= from_at && self.succs[from].contains(&to),
            _ => false,
        }
    }

    /// The loop with this head.
    pub fn loop_with_head(&self, block: BlockId) -> Option<&Loop> {
        self.loop_of_head[block].map(|index| &self.loops[index])
    }

    /// The loops that contain the block, outermost first (a larger loop is around a smaller one).
    pub fn loops_around(&self, block: BlockId) -> impl Iterator<Item = &Loop> {
        let mut around: Vec<&Loop> = self.loops.iter().filter(|l| l.body.contains(&block)).collect();
        around.sort_by_key(|l| std::cmp::Reverse(l.body.len()));
        around.into_iter()
    }

    /// Whether each path from the entry to `b` goes through `a`. Only for reachable blocks; else `a == b`.
    pub fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        climbs_to(&self.idom, b, a)
    }

    /// Whether each path from `b` to the end of the function goes through `a`, where a loop without an exit
    /// may end, too, so that nothing beyond it is promised. Only for reachable blocks; else `a == b`.
    pub fn postdominates(&self, a: BlockId, b: BlockId) -> bool {
        climbs_to(&self.ipdom, b, a)
    }

    fn add_edges(&mut self, func: &Function) {
        for (from, block) in func.blocks.iter() {
            for to in block.term.successors() {
                if func.blocks.get(to).is_some() && !self.succs[from].contains(&to) {
                    self.succs[from].push(to);
                    self.preds[to].push(from);
                }
            }
        }
    }

    /// Depth-first search with an explicit stack: functions may have very many blocks.
    fn order(&mut self, func: &Function) {
        let mut seen: SecondaryMap<BlockId, bool> = SecondaryMap::new();
        let mut stack = vec![(func.entry(), 0)];
        seen[func.entry()] = true;
        while let Some((block, next)) = stack.last_mut() {
            if let Some(&to) = self.succs[*block].get(*next) {
                *next += 1;
                if !seen[to] {
                    seen[to] = true;
                    stack.push((to, 0));
                }
            } else {
                self.rpo.push(*block);
                stack.pop();
            }
        }
        self.rpo.reverse();
        for (at, &block) in self.rpo.iter().enumerate() {
            self.position[block] = Some(at);
        }
    }

    fn add_dominators(&mut self, blocks: usize) {
        let graph = self.graph(blocks);
        let tree = dominators::simple_fast(&graph, node(self.rpo[0]));
        for &block in &self.rpo {
            self.idom[block] = tree.immediate_dominator(node(block)).map(block_of);
        }
    }

    fn add_post_dominators(&mut self, blocks: usize) {
        let mut graph = self.graph(blocks);
        graph.reverse();
        let end = graph.add_node(());
        for exit in self.exits() {
            graph.add_edge(end, node(exit), ());
        }
        let tree = dominators::simple_fast(&graph, end);
        for &block in &self.rpo {
            let up = tree.immediate_dominator(node(block)).filter(|&up| up != end);
            self.ipdom[block] = up.map(block_of);
        }
    }

    /// The blocks without successors, and one block of every part that reaches none of those.
    fn exits(&self) -> Vec<BlockId> {
        let mut exits: Vec<BlockId> =
            self.rpo.iter().copied().filter(|&b| self.succs[b].is_empty()).collect();
        let mut reaching = SecondaryMap::new();
        self.mark_backwards(exits.clone(), &mut reaching);
        for &block in self.rpo.iter().rev() {
            if !reaching[block] {
                exits.push(block);
                self.mark_backwards(vec![block], &mut reaching);
            }
        }
        exits
    }

    /// Marks the blocks and everything that reaches them, stopping at what is marked already.
    fn mark_backwards(&self, mut work: Vec<BlockId>, marked: &mut SecondaryMap<BlockId, bool>) {
        while let Some(block) = work.pop() {
            if !std::mem::replace(&mut marked[block], true) {
                work.extend(self.reachable_preds(block));
            }
        }
    }

    fn find_loops(&mut self) {
        let components = kosaraju_scc(&self.graph(self.preds_len()));
        for &head in &self.rpo {
            let back_edges: Vec<BlockId> =
                self.reachable_preds(head).filter(|&from| self.is_back_edge(from, head)).collect();
            if back_edges.is_empty() {
                continue;
            }
            let irreducible = !back_edges.iter().all(|&from| self.dominates(head, from));
            let body = if irreducible {
                let component = components.iter().find(|c| c.contains(&node(head)));
                component.into_iter().flatten().map(|&n| block_of(n)).collect()
            } else {
                self.natural_body(head, &back_edges)
            };
            let entries = self.entries_of(&body);
            self.loop_of_head[head] = Some(self.loops.len());
            self.loops.push(Loop { head, body, back_edges, entries, irreducible });
            self.irreducible |= irreducible;
        }
    }

    /// The blocks from which a back edge is reached without passing the head.
    fn natural_body(&self, head: BlockId, back_edges: &[BlockId]) -> BTreeSet<BlockId> {
        let mut marked = SecondaryMap::new();
        marked[head] = true;
        self.mark_backwards(back_edges.to_vec(), &mut marked);
        self.rpo.iter().copied().filter(|&b| marked[b]).collect()
    }

    fn entries_of(&self, body: &BTreeSet<BlockId>) -> Vec<(BlockId, BlockId)> {
        let into = |&to: &BlockId| self.reachable_preds(to).map(move |from| (from, to));
        body.iter().flat_map(into).filter(|(from, _)| !body.contains(from)).collect()
    }

    fn reachable_preds(&self, block: BlockId) -> impl Iterator<Item = BlockId> {
        self.preds[block].iter().copied().filter(|&from| self.is_reachable(from))
    }

    fn preds_len(&self) -> usize {
        self.rpo.iter().map(|b| b.index() + 1).max().unwrap_or(0)
    }

    /// The reachable part for petgraph; node numbers are block numbers.
    fn graph(&self, blocks: usize) -> DiGraph<(), ()> {
        let mut graph = DiGraph::with_capacity(blocks, blocks * 2);
        for _ in 0..blocks {
            graph.add_node(());
        }
        for &from in &self.rpo {
            for &to in &self.succs[from] {
                graph.add_edge(node(from), node(to), ());
            }
        }
        graph
    }
}

fn node(block: BlockId) -> NodeIndex {
    NodeIndex::new(block.index())
}

fn block_of(node: NodeIndex) -> BlockId {
    BlockId::new(node.index())
}

/// Whether `goal` is `from` or above it in the tree.
fn climbs_to(parent: &SecondaryMap<BlockId, Option<BlockId>>, from: BlockId, goal: BlockId) -> bool {
    std::iter::successors(Some(from), |&b| parent[b]).any(|b| b == goal)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::inst::{Operand, Terminator};
    use crate::module::Block;
    use crate::types::Ty;

    fn b(index: usize) -> BlockId {
        BlockId::new(index)
    }

    /// A function with these edges; two or more successors become a switch.
    fn func(edges: &[&[usize]]) -> Function {
        let mut func = Function::declaration("f");
        for succs in edges {
            let term = match succs {
                [] => Terminator::Ret(None),
                [to] => Terminator::Br(b(*to)),
                [default, rest @ ..] => Terminator::Switch {
                    value: Operand::Undef(Ty::Int(32)),
                    cases: rest.iter().enumerate().map(|(i, &to)| (i as u128, b(to))).collect(),
                    default: b(*default),
                },
            };
            func.blocks.push(Block { insts: Vec::new(), term, term_loc: None });
        }
        func
    }

    fn set(blocks: &[usize]) -> BTreeSet<BlockId> {
        blocks.iter().map(|&i| b(i)).collect()
    }

    #[test]
    fn diamond_has_dominators_and_no_loop() {
        let cfg = Cfg::new(&func(&[&[1, 2], &[3], &[3], &[]]));
        assert_eq!(cfg.idom[b(3)], Some(b(0)));
        assert_eq!(cfg.ipdom[b(0)], Some(b(3)));
        assert_eq!(cfg.ipdom[b(3)], None);
        assert!(cfg.dominates(b(0), b(1)) && !cfg.dominates(b(1), b(3)));
        assert!(cfg.postdominates(b(3), b(1)) && !cfg.postdominates(b(1), b(0)));
        assert!(cfg.loops.is_empty() && !cfg.irreducible);
        assert_eq!(cfg.rpo.first(), Some(&b(0)));
        assert_eq!(cfg.rpo.last(), Some(&b(3)));
    }

    #[test]
    fn repeated_edges_count_once() {
        let cfg = Cfg::new(&func(&[&[1, 1], &[]]));
        assert_eq!(cfg.succs[b(0)], vec![b(1)]);
        assert_eq!(cfg.preds[b(1)], vec![b(0)]);
    }

    #[test]
    fn nested_loops_have_nested_bodies() {
        // 0 -> 1 -> 2 -> 2, 2 -> 3 -> 1, 3 -> 4
        let cfg = Cfg::new(&func(&[&[1], &[2], &[2, 3], &[1, 4], &[]]));
        assert!(!cfg.irreducible);
        assert_eq!(cfg.loops.len(), 2);
        let outer = cfg.loop_with_head(b(1)).unwrap();
        assert_eq!(outer.body, set(&[1, 2, 3]));
        assert_eq!(outer.back_edges, vec![b(3)]);
        assert_eq!(outer.entries, vec![(b(0), b(1))]);
        assert_eq!(cfg.loop_with_head(b(2)).unwrap().body, set(&[2]));
        assert_eq!(cfg.loops[0].head, b(1), "outer loops come first");
        assert!(cfg.is_back_edge(b(2), b(2)) && cfg.is_back_edge(b(3), b(1)));
        assert!(!cfg.is_back_edge(b(2), b(1)), "there is no such edge");
        assert!(!cfg.is_back_edge(b(1), b(2)));
    }

    #[test]
    fn irreducible_loop_is_its_component_with_all_its_entries() {
        // 0 -> 1, 0 -> 2, 1 <-> 2, 2 -> 3
        let cfg = Cfg::new(&func(&[&[1, 2], &[2], &[1, 3], &[]]));
        assert!(cfg.irreducible);
        assert_eq!(cfg.loops.len(), 1);
        assert!(cfg.loops[0].irreducible);
        assert_eq!(cfg.loops[0].body, set(&[1, 2]));
        assert_eq!(cfg.loops[0].entries, vec![(b(0), b(1)), (b(0), b(2))]);
    }

    #[test]
    fn unreachable_blocks_are_in_no_order() {
        let cfg = Cfg::new(&func(&[&[2], &[2, 1], &[]]));
        assert_eq!(cfg.rpo, vec![b(0), b(2)]);
        assert!(!cfg.is_reachable(b(1)));
        assert_eq!(cfg.preds[b(2)], vec![b(0), b(1)]);
        assert_eq!(cfg.idom[b(2)], Some(b(0)));
        assert!(cfg.loops.is_empty());
    }

    #[test]
    fn endless_loop_promises_nothing_after_it() {
        // 0 -> 1 or 2; 1 loops for ever; 2 returns.
        let cfg = Cfg::new(&func(&[&[1, 2], &[1], &[]]));
        assert!(!cfg.postdominates(b(2), b(0)));
        assert!(!cfg.postdominates(b(2), b(1)));
        assert_eq!(cfg.loops.len(), 1);
    }

    #[test]
    fn declaration_has_an_empty_graph() {
        assert!(Cfg::new(&Function::declaration("f")).rpo.is_empty());
    }

    fn graphs() -> impl Strategy<Value = Vec<Vec<usize>>> {
        (1usize..9).prop_flat_map(|n| proptest::collection::vec(proptest::collection::vec(0..n, 0..3), n..=n))
    }

    /// Whether `to` is reachable from `from` without `avoid`, by naive search.
    fn reaches(cfg: &Cfg, from: BlockId, to: BlockId, avoid: Option<BlockId>) -> bool {
        let (mut work, mut seen) = (vec![from], BTreeSet::new());
        while let Some(block) = work.pop() {
            if Some(block) != avoid && seen.insert(block) {
                work.extend(cfg.succs[block].iter());
            }
        }
        seen.contains(&to)
    }

    proptest! {
        #[test]
        fn dominance_is_what_its_definition_says(edges in graphs()) {
            let edges: Vec<&[usize]> = edges.iter().map(Vec::as_slice).collect();
            let cfg = Cfg::new(&func(&edges));
            for &x in &cfg.rpo {
                for &y in &cfg.rpo {
                    let avoidable = x != y && reaches(&cfg, b(0), y, Some(x));
                    prop_assert_eq!(cfg.dominates(x, y), !avoidable);
                }
            }
        }

        #[test]
        fn postdominance_holds_on_all_paths_to_an_exit(edges in graphs()) {
            let edges: Vec<&[usize]> = edges.iter().map(Vec::as_slice).collect();
            let cfg = Cfg::new(&func(&edges));
            let exits: Vec<BlockId> = cfg.rpo.iter().copied().filter(|&e| cfg.succs[e].is_empty()).collect();
            for &x in &cfg.rpo {
                for &y in &cfg.rpo {
                    if x != y && cfg.postdominates(x, y) {
                        prop_assert!(!exits.iter().any(|&e| reaches(&cfg, y, e, Some(x))));
                        prop_assert!(reaches(&cfg, y, x, None));
                    }
                }
            }
        }

        #[test]
        fn without_back_edges_the_graph_is_ordered(edges in graphs()) {
            let edges: Vec<&[usize]> = edges.iter().map(Vec::as_slice).collect();
            let cfg = Cfg::new(&func(&edges));
            for &from in &cfg.rpo {
                for &to in &cfg.succs[from] {
                    let forward = cfg.position(from) < cfg.position(to);
                    prop_assert_eq!(forward, !cfg.is_back_edge(from, to));
                    prop_assert!(forward || cfg.loop_with_head(to).is_some());
                }
            }
        }

        /// What the header promises to encoders: states flow into a head from earlier blocks only, and
        /// every cycle through the head stays in the body.
        #[test]
        fn loops_can_be_cut_at_their_heads(edges in graphs()) {
            let edges: Vec<&[usize]> = edges.iter().map(Vec::as_slice).collect();
            let cfg = Cfg::new(&func(&edges));
            for l in &cfg.loops {
                for &(from, to) in &l.entries {
                    prop_assert!(cfg.position(from) < cfg.position(l.head));
                    prop_assert!(l.irreducible || to == l.head);
                }
                for &from in &l.back_edges {
                    prop_assert!(l.body.contains(&from));
                }
                for &block in &l.body {
                    prop_assert!(reaches(&cfg, l.head, block, None) && reaches(&cfg, block, l.head, None));
                }
            }
        }
    }
}
