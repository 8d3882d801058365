//! What the interpreter knows of a function beyond its text: loops, live values, unused results.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use super::value::truncate;
use crate::cfg::Cfg;
use crate::entity::{EntityRef, SecondaryMap};
use crate::inst::{BinOp, BlockId, CmpOp, InstId, Op, Operand, Terminator, ValueId};
use crate::module::Function;

/// So many numbers are tried of which nothing but their use is known.
const CONSTANTS: usize = 24;

/// Facts of one function.
pub(super) struct Code {
    pub(super) cfg: Cfg,
    /// The values that are used at or after each position of each block.
    live: SecondaryMap<BlockId, Vec<BTreeSet<ValueId>>>,
    used: SecondaryMap<ValueId, bool>,
    /// What is tried of each value of which nothing is known, found when first asked for.
    worth_trying: OnceLock<SecondaryMap<ValueId, Vec<u128>>>,
}

impl Code {
    /// Analyses a function.
    pub(super) fn new(func: &Function) -> Code {
        let mut code = Code {
            cfg: Cfg::new(func),
            live: SecondaryMap::new(),
            used: SecondaryMap::new(),
            worth_trying: OnceLock::new(),
        };
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

    /// The numbers that may make a difference to the function if nothing is known of a value of that many bits, the plainest first.
    pub(super) fn worth_trying(&self, func: &Function, value: ValueId, bits: u16) -> Vec<u128> {
        let mut seen = BTreeSet::new();
        let worth_trying = self.worth_trying.get_or_init(|| worth_trying(func));
        let all = std::iter::once(&0).chain(&worth_trying[value]).map(|number| truncate(*number, bits));
        all.filter(|number| seen.insert(*number)).collect()
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
    cells: Vec<OnceLock<Code>>,
}

impl CodeTable {
    /// A table for that many functions.
    pub(super) fn new(functions: usize) -> CodeTable {
        CodeTable { cells: (0..functions).map(|_| OnceLock::new()).collect() }
    }

    /// The facts of a function.
    pub(super) fn get(&self, id: crate::module::FuncId, func: &Function) -> &Code {
        self.cells[id.index()].get_or_init(|| Code::new(func))
    }
}

/// Of each value, the numbers with which what becomes of it is compared, and 1 where it decides anything else.
fn worth_trying(func: &Function) -> SecondaryMap<ValueId, Vec<u128>> {
    let mut users: SecondaryMap<ValueId, Vec<InstId>> = SecondaryMap::new();
    let mut switches: SecondaryMap<ValueId, Vec<u128>> = SecondaryMap::new();
    let mut decides: SecondaryMap<ValueId, bool> = SecondaryMap::new();
    for block in func.blocks.values() {
        for &inst in &block.insts {
            for value in func.insts[inst].op.operands().into_iter().filter_map(value_of) {
                users[value].push(inst);
            }
        }
        if let Some(value) = block.term.operand().and_then(value_of) {
            decides[value] = true;
            if let Terminator::Switch { cases, .. } = &block.term {
                switches[value].extend(cases.iter().map(|(case, _)| *case));
            }
        }
    }
    let mut found = SecondaryMap::new();
    let params = func.params.iter().map(|param| param.value);
    let unknown = |op: &Op| {
        matches!(
            op,
            Op::Load { .. }
                | Op::Call { .. }
                | Op::Havoc
                | Op::Data
                | Op::Extract { .. }
                | Op::Rmw { .. }
                | Op::CmpXchg { .. }
                | Op::External { .. }
        )
    };
    let results = func.insts.values().filter(|inst| unknown(&inst.op)).filter_map(|inst| inst.result);
    for value in params.chain(results) {
        let (mut seen, mut todo, mut numbers) = (BTreeSet::from([value]), vec![value], Vec::new());
        while let Some(value) = todo.pop() {
            numbers.extend(&switches[value]);
            numbers.extend(decides[value].then_some(1));
            for &user in &users[value] {
                let inst = &func.insts[user];
                numbers.extend(tried_for(&inst.op));
                let passes = matches!(
                    inst.op,
                    Op::Bin(..) | Op::Cmp(..) | Op::Select { .. } | Op::Cast(..) | Op::Phi(_)
                );
                todo.extend(inst.result.filter(|result| passes && seen.insert(*result)));
            }
        }
        let mut seen = BTreeSet::new();
        numbers.retain(|number| seen.insert(*number));
        numbers.truncate(CONSTANTS);
        found[value] = numbers;
    }
    found
}

/// What is worth trying of a value with which an instruction does this.
fn tried_for(op: &Op) -> Vec<u128> {
    let number = |operand: &Operand| match operand {
        Operand::Int { value, .. } => Some(*value),
        _ => None,
    };
    match op {
        Op::Cmp(CmpOp::Eq | CmpOp::Ne, a, b) | Op::Bin(BinOp::And, a, b) => {
            [a, b].into_iter().filter_map(number).collect()
        }
        Op::Cmp(_, a, b) => {
            let near = |n: u128| [n.wrapping_sub(1), n, n.wrapping_add(1)];
            [a, b].into_iter().filter_map(number).flat_map(near).collect()
        }
        Op::Call { .. } | Op::External { .. } => vec![1],
        Op::PtrAdd { .. } => vec![1],
        _ => Vec::new(),
    }
}

fn value_of(operand: Operand) -> Option<ValueId> {
    match operand {
        Operand::Value(value) => Some(value),
        _ => None,
    }
}
