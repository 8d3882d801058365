//! What the interpreter knows of a function beyond its text: loops, live values, unused results.

use std::collections::BTreeSet;

use crate::cfg::Cfg;
use crate::entity::{EntityRef, SecondaryMap};
use crate::inst::{BlockId, Op, Operand, ValueId};
use crate::module::Function;

/// Facts of one function.
pub(super) struct Code {
    pub(super) cfg: Cfg,
    /// The values that are used at or after each position of each block.
    live: SecondaryMap<BlockId, Vec<BTreeSet<ValueId>>>,
    used: SecondaryMap<ValueId, bool>,
}

impl Code {
    /// Analyses a function.
    pub(super) fn new(func: &Function) -> Code {
        let mut code = Code { cfg: Cfg::new(func), live: SecondaryMap::new(), used: SecondaryMap::new() };
        code.find_uses(func);
        code.find_live(func);
        code
    }

    /// The values that the rest of the function may use, from a position in a block on.
    pub(super) fn live_at(&self, block: BlockId, index: usize) -> Option<&BTreeSet<ValueId>> {
        self.live[block].get(index)
    }

    /// Whether anything uses the value.
    pub(super) fn is_used(&self, value: ValueId) -> bool {
        self.used[value]
    }

    fn find_uses(&mut self, func: &Function) {
        for block in func.blocks.values() {
            let operands = block.insts.iter().flat_map(|&i| func.insts[i].op.operands());
            for value in operands.chain(block.term.operand()).filter_map(value_of) {
                self.used[value] = true;
            }
        }
    }

    /// Backwards to a fixed point.
    fn find_live(&mut self, func: &Function) {
        let mut changed = true;
        while changed {
            changed = false;
            for &id in self.cfg.rpo.iter().rev() {
                let positions = self.live_in_block(func, id);
                changed |= self.live[id].first() != positions.first();
                self.live[id] = positions;
            }
        }
    }

    fn live_in_block(&self, func: &Function, id: BlockId) -> Vec<BTreeSet<ValueId>> {
        let block = &func.blocks[id];
        let mut live = self.live_out(func, id);
        live.extend(block.term.operand().and_then(value_of));
        let mut positions = vec![live.clone()];
        for &inst in block.insts.iter().rev() {
            let inst = &func.insts[inst];
            if let Some(result) = inst.result {
                live.remove(&result);
            }
            if !matches!(inst.op, Op::Phi(_)) {
                live.extend(inst.op.operands().into_iter().filter_map(value_of));
            }
            positions.push(live.clone());
        }
        positions.reverse();
        positions
    }

    /// What is live at the end of a block; a phi uses its operand there.
    fn live_out(&self, func: &Function, id: BlockId) -> BTreeSet<ValueId> {
        let mut live = BTreeSet::new();
        for &succ in &self.cfg.succs[id] {
            live.extend(self.live[succ].first().into_iter().flatten());
            for &inst in &func.blocks[succ].insts {
                if let Op::Phi(edges) = &func.insts[inst].op {
                    let here = edges.iter().filter(|(from, _)| *from == id);
                    live.extend(here.filter_map(|&(_, operand)| value_of(operand)));
                }
            }
        }
        live
    }
}

/// The facts of all functions, found when first asked for.
pub(super) struct CodeTable {
    cells: Vec<std::cell::OnceCell<Code>>,
}

impl CodeTable {
    /// A table for that many functions.
    pub(super) fn new(functions: usize) -> CodeTable {
        CodeTable { cells: (0..functions).map(|_| std::cell::OnceCell::new()).collect() }
    }

    /// The facts of a function.
    pub(super) fn get(&self, id: crate::module::FuncId, func: &Function) -> &Code {
        self.cells[id.index()].get_or_init(|| Code::new(func))
    }
}

fn value_of(operand: Operand) -> Option<ValueId> {
    match operand {
        Operand::Value(value) => Some(value),
        _ => None,
    }
}
