//! Makes control flow reducible by node splitting: what is reached in a cycle without its head, from another way into the
//! cycle, gets a copy of its own that leads to the head.
//!
//! Nothing is removed or merged: each access of each copy stays an access.

use crate::cfg::Cfg;
use crate::copies::{Blocks, Copy, add_ways_in, exits, keep_in_slots};
use crate::inst::{BlockId, Op};
use crate::module::Function;
use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;

/// A cycle that control enters at several blocks.
struct Cycle {
    body: Blocks,
    entries: Blocks,
}

/// How a cycle is split: what is copied, so that its head is the only block at which control enters it.
struct Split {
    copied: Blocks,
    /// How many instructions that are.
    size: usize,
}

/// Splits blocks until each cycle has one head, as long as the copies have at most so many instructions. Tells whether the
/// function is reducible then.
pub fn make_reducible(func: &mut Function, instructions: usize) -> bool {
    let mut left = instructions;
    loop {
        let cfg = Cfg::new(func);
        if !cfg.irreducible {
            return true;
        }
        let all = cfg.rpo.iter().copied().collect();
        let Some(cycle) = find_cycle(func, &cfg, &all) else { return false };
        let splits = cycle.entries.iter().map(|&head| Split::at(func, &cfg, &cycle, head));
        let Some(split) = splits.min_by_key(|split| split.size).filter(|split| split.size <= left) else {
            return false;
        };
        left -= split.size;
        split.apply(func, &cfg, &cycle);
    }
}

/// The first cycle among the blocks that has several entries, or is inside of one with a single entry.
fn find_cycle(func: &Function, cfg: &Cfg, blocks: &Blocks) -> Option<Cycle> {
    let edges = blocks.iter().flat_map(|&from| cfg.succs[from].iter().map(move |&to| (from, to)));
    let within = edges.filter(|(_, to)| blocks.contains(to));
    let graph: DiGraphMap<BlockId, ()> = within.collect();
    tarjan_scc(&graph).into_iter().filter(|component| component.len() > 1).find_map(|component| {
        let body: Blocks = component.into_iter().collect();
        let is_entered = |&to: &BlockId| {
            to == func.entry()
                || cfg.preds[to].iter().any(|from| cfg.is_reachable(*from) && !body.contains(from))
        };
        let entries: Blocks = body.iter().copied().filter(is_entered).collect();
        if entries.len() > 1 {
            return Some(Cycle { body, entries });
        }
        find_cycle(func, cfg, &body.difference(&entries).copied().collect())
    })
}

impl Split {
    fn at(func: &Function, cfg: &Cfg, cycle: &Cycle, head: BlockId) -> Split {
        let is_copied = |b: &BlockId| *b != head && cycle.body.contains(b);
        let mut copied = Blocks::new();
        let mut work: Vec<BlockId> = cycle.entries.iter().copied().filter(is_copied).collect();
        while let Some(b) = work.pop() {
            if copied.insert(b) {
                work.extend(cfg.succs[b].iter().copied().filter(is_copied));
            }
        }
        let size = copied.iter().map(|&b| func.blocks[b].insts.len() + 1).sum();
        Split { copied, size }
    }

    /// Control that came into the cycle elsewhere than at the head comes into the copy.
    ///
    /// A value of the cycle that is used in it has its definition behind the head on all ways there, as control may enter at the
    /// head: so the definition in the same copy is behind it, too.
    fn apply(&self, func: &mut Function, cfg: &Cfg, cycle: &Cycle) {
        keep_in_slots(func, &cycle.body);
        let behind = exits(func, &self.copied);
        let copies = [Copy::of_itself(&self.copied), Copy::of(func, &self.copied)];
        for to in behind {
            add_ways_in(func, &self.copied, to, &copies);
        }
        let [_, copy] = copies;
        let is_own: Blocks = copy.blocks.values().copied().collect();
        for (&old, &new) in &copy.blocks {
            let is_entry = cycle.entries.contains(&old);
            let comes_in = |from: BlockId| is_entry && !cycle.body.contains(&from) && !is_own.contains(&from);
            for &from in cfg.preds[old].iter().filter(|from| comes_in(**from)) {
                func.blocks[from].term.redirect(old, new);
            }
            keep_edges(func, old, |from| !comes_in(from));
            keep_edges(func, new, |from| is_own.contains(&from) || comes_in(from));
        }
    }
}

/// The block's phis keep what they get from these blocks.
fn keep_edges(func: &mut Function, block: BlockId, kept: impl Fn(BlockId) -> bool) {
    for i in func.blocks[block].insts.clone() {
        if let Op::Phi(edges) = &mut func.insts[i].op {
            edges.retain(|(from, _)| kept(*from));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entity::EntityRef;
    use crate::inst::{BinOp, Operand, Terminator, ValueId};
    use crate::module::{Block, Module};
    use crate::types::Ty;
    use crate::verify;
    use proptest::prelude::*;
    use std::collections::HashMap;

    const MOST: usize = 10_000;

    fn b(index: usize) -> BlockId {
        BlockId::new(index)
    }

    /// A function with these edges that counts on its way: each block adds its number to what the one before had, and then
    /// what its immediate dominator had.
    fn counting(edges: &[Vec<usize>]) -> Function {
        let mut func = Function::declaration("f");
        for _ in edges {
            func.blocks.push(Block { insts: Vec::new(), term: Terminator::Ret(None), term_loc: None });
        }
        let mut choices = Vec::new();
        for (from, succs) in edges.iter().enumerate() {
            let (choice, value) = func.add_inst(Op::Havoc, Some(Ty::Int(32)), None);
            choices.push(choice);
            func.blocks[b(from)].term = match &succs[..] {
                [] => Terminator::Ret(None),
                [default, rest @ ..] => Terminator::Switch {
                    value: Operand::Value(value.unwrap()),
                    cases: rest.iter().enumerate().map(|(i, &to)| (i as u128, b(to))).collect(),
                    default: b(*default),
                },
            };
        }
        let cfg = Cfg::new(&func);
        let int = Some(Ty::Int(32));
        let mut sums: Vec<ValueId> = Vec::new();
        let mut phis = Vec::new();
        for block in (0..edges.len()).map(b) {
            let (phi, before) = func.add_inst(Op::Phi(Vec::new()), int, None);
            let before = match cfg.preds[block].is_empty() {
                true => Operand::int(32, 0),
                false => {
                    func.blocks[block].insts.push(phi);
                    phis.push((block, phi));
                    Operand::Value(before.unwrap())
                }
            };
            let number = Operand::int(32, block.index() as u128 + 1);
            let (add, sum) = func.add_inst(Op::Bin(BinOp::Add, before, number), int, None);
            sums.push(sum.unwrap());
            func.blocks[block].insts.push(add);
        }
        for (block, phi) in phis {
            let from = |&from: &BlockId| (from, Operand::Value(sums[from.index()]));
            func.insts[phi].op = Op::Phi(cfg.preds[block].iter().map(from).collect());
        }
        for block in (0..edges.len()).map(b) {
            if let Some(above) = cfg.idom[block] {
                let [above, own] = [above, block].map(|b| Operand::Value(sums[b.index()]));
                let (add, _) = func.add_inst(Op::Bin(BinOp::Add, above, own), int, None);
                func.blocks[block].insts.push(add);
            }
            func.blocks[block].insts.push(choices[block.index()]);
        }
        func
    }

    /// What the function computes by additions, one after the other, if its choices are these.
    fn trace(func: &Function, choices: &[u128]) -> Vec<u128> {
        let mut values: HashMap<ValueId, u128> = HashMap::new();
        let mut slots: HashMap<u128, u128> = HashMap::new();
        let mut choices = choices.iter().copied();
        let mut sums = Vec::new();
        let (mut from, mut at) = (None, func.entry());
        loop {
            let mut next = values.clone();
            for &i in &func.blocks[at].insts {
                let inst = &func.insts[i];
                let is_phi = matches!(inst.op, Op::Phi(_));
                // Phis are computed at once, from what was there before.
                let known = if is_phi { &values } else { &next };
                let of = |operand: Operand| match operand {
                    Operand::Value(v) => known[&v],
                    Operand::Int { value, .. } => value,
                    other => panic!("{other:?}"),
                };
                let value = match &inst.op {
                    Op::Phi(edges) => of(edges.iter().find(|(b, _)| Some(*b) == from).expect("names it").1),
                    Op::Bin(BinOp::Add, x, y) => {
                        let sum = (of(*x) + of(*y)) & 0xffff_ffff;
                        sums.push(sum);
                        sum
                    }
                    Op::Havoc => match choices.next() {
                        Some(choice) => choice,
                        None => return sums,
                    },
                    Op::Alloca { .. } => i.index() as u128,
                    Op::Store { addr, value, .. } => {
                        slots.insert(of(*addr), of(*value));
                        continue;
                    }
                    Op::Load { addr, .. } => slots[&of(*addr)],
                    other => panic!("{other:?}"),
                };
                next.insert(inst.result.unwrap(), value);
            }
            values = next;
            from = Some(at);
            at = match &func.blocks[at].term {
                Terminator::Switch { value: Operand::Value(v), cases, default } => {
                    cases.iter().find(|(case, _)| *case == values[v]).map_or(*default, |(_, to)| *to)
                }
                _ => return sums,
            };
        }
    }

    fn check(edges: &[Vec<usize>], choices: &[u128]) {
        let before = counting(edges);
        let mut func = before.clone();
        assert!(make_reducible(&mut func, MOST));
        assert!(!Cfg::new(&func).irreducible);
        assert_eq!(trace(&func, choices), trace(&before, choices));
        let mut module = Module::default();
        module.funcs.push(func);
        assert_eq!(verify(&module), Ok(()), "{module}");
    }

    #[test]
    fn jumps_into_loops_get_copies() {
        let edges = [vec![1, 2], vec![2], vec![1, 3], vec![]];
        let mut func = counting(&edges);
        assert!(Cfg::new(&func).irreducible);
        let blocks = func.blocks.len();
        assert!(make_reducible(&mut func, MOST));
        assert_eq!(func.blocks.len(), blocks + 1);
        check(&edges, &[0, 0, 5, 0, 0]);
    }

    #[test]
    fn what_is_reducible_stays() {
        let mut func = counting(&[vec![1], vec![2, 3], vec![1], vec![]]);
        let before = func.clone();
        assert!(make_reducible(&mut func, 0));
        assert_eq!(func, before);
    }

    #[test]
    fn large_cycles_stay() {
        let mut func = counting(&[vec![1, 2], vec![2], vec![1, 3], vec![]]);
        assert!(!make_reducible(&mut func, 3));
        assert!(Cfg::new(&func).irreducible);
    }

    #[test]
    fn cycles_within_loops_are_split() {
        check(&[vec![1], vec![2, 3], vec![3, 4], vec![2], vec![1, 5], vec![]], &[1, 0, 0, 1, 0, 0, 0]);
    }

    fn graphs() -> impl Strategy<Value = Vec<Vec<usize>>> {
        (2usize..8).prop_flat_map(|n| prop::collection::vec(prop::collection::vec(1..n, 0..4), n))
    }

    proptest! {
        #[test]
        fn the_same_is_computed(edges in graphs(), choices in prop::collection::vec(0u128..4, 0..40)) {
            check(&edges, &choices);
        }
    }
}
