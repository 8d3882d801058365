//! Copies of blocks beside the blocks. What they compute and code behind them uses goes through a slot on the stack, so that
//! no other code needs new phis.

use std::collections::{BTreeSet, HashMap};

use crate::inst::{BlockId, InstId, Mark, Op, Operand, Terminator, ValueId};
use crate::module::{Block, Function};
use crate::types::Ty;

/// The blocks that are copied.
pub(crate) type Blocks = BTreeSet<BlockId>;

/// A copy of some blocks: what is called what in it.
pub(crate) struct Copy {
    pub(crate) blocks: HashMap<BlockId, BlockId>,
    pub(crate) insts: HashMap<InstId, InstId>,
    values: HashMap<ValueId, ValueId>,
}

impl Copy {
    pub(crate) fn of_itself(body: &Blocks) -> Copy {
        let blocks = body.iter().map(|&b| (b, b)).collect();
        Copy { blocks, insts: HashMap::new(), values: HashMap::new() }
    }

    pub(crate) fn of(func: &mut Function, body: &Blocks) -> Copy {
        let mut copy = Copy { blocks: HashMap::new(), insts: HashMap::new(), values: HashMap::new() };
        for &b in body {
            let term = func.blocks[b].term.clone();
            let new = Block { insts: Vec::new(), term, term_loc: func.blocks[b].term_loc };
            copy.blocks.insert(b, func.blocks.push(new));
        }
        for &b in body {
            for i in func.blocks[b].insts.clone() {
                let inst = func.insts[i].clone();
                let ty = inst.result.map(|v| func.values[v].ty);
                let (id, value) = func.add_inst(inst.op, ty, inst.loc);
                copy.insts.insert(i, id);
                copy.values.extend(inst.result.zip(value));
                let to = copy.blocks[&b];
                func.blocks[to].insts.push(id);
            }
        }
        for kinds in [&mut func.as_struct, &mut func.as_data, &mut func.words_of_bits] {
            let of_copies = copy.values.iter().filter(|(old, _)| kinds.contains(old)).map(|(_, &new)| new);
            let of_copies: Vec<ValueId> = of_copies.collect();
            kinds.extend(of_copies);
        }
        copy.rename(func);
        copy
    }

    fn rename(&self, func: &mut Function) {
        for &i in self.insts.values() {
            let mut op = std::mem::replace(&mut func.insts[i].op, Op::Havoc);
            for operand in op.operands_mut() {
                *operand = self.operand(*operand);
            }
            if let Op::Phi(edges) = &mut op {
                edges.iter_mut().for_each(|(from, _)| *from = self.block(*from));
            }
            func.insts[i].op = op;
        }
        for &b in self.blocks.values() {
            let mut term = std::mem::replace(&mut func.blocks[b].term, Terminator::Unreachable);
            if let Some(operand) = term.operand_mut() {
                *operand = self.operand(*operand);
            }
            term.successors_mut().into_iter().for_each(|to| *to = self.block(*to));
            func.blocks[b].term = term;
        }
    }

    pub(crate) fn block(&self, b: BlockId) -> BlockId {
        self.blocks.get(&b).copied().unwrap_or(b)
    }

    pub(crate) fn operand(&self, operand: Operand) -> Operand {
        match operand {
            Operand::Value(v) => Operand::Value(self.values.get(&v).copied().unwrap_or(v)),
            _ => operand,
        }
    }
}

/// The blocks outside that the blocks lead to.
pub(crate) fn exits(func: &Function, body: &Blocks) -> Blocks {
    let targets = body.iter().flat_map(|&b| func.blocks[b].term.successors());
    targets.filter(|to| !body.contains(to)).collect()
}

/// Control comes to the exit from each copy as it did from the blocks; the first is that of themselves.
pub(crate) fn add_ways_in(func: &mut Function, body: &Blocks, exit: BlockId, copies: &[Copy]) {
    for i in func.blocks[exit].insts.clone() {
        let Op::Phi(edges) = &mut func.insts[i].op else { continue };
        let inside: Vec<(BlockId, Operand)> =
            edges.iter().copied().filter(|(from, _)| body.contains(from)).collect();
        for copy in &copies[1..] {
            edges.extend(inside.iter().map(|&(from, v)| (copy.block(from), copy.operand(v))));
        }
    }
}

/// Values of the blocks that code outside uses, other than in phis that control comes to from the blocks, are stored where
/// they are defined and loaded where they are used.
pub(crate) fn keep_in_slots(func: &mut Function, body: &Blocks) {
    let inside: Vec<(BlockId, ValueId)> = body
        .iter()
        .flat_map(|&b| func.blocks[b].insts.iter().map(move |&i| (b, i)))
        .filter_map(|(b, i)| Some((b, func.insts[i].result?)))
        .collect();
    for (block, value) in inside {
        let users = users_outside(func, body, value);
        if !users.is_empty() {
            keep_in_slot(func, block, value, &users);
        }
    }
}

/// Who uses a value: an instruction of a block, or what a block ends with.
#[derive(Copy, Clone)]
pub(crate) enum User {
    Inst(BlockId, InstId),
    /// A phi, by the edge from that block.
    Edge(BlockId, InstId),
    End(BlockId),
}

pub(crate) fn users_outside(func: &Function, body: &Blocks, value: ValueId) -> Vec<User> {
    let used = Operand::Value(value);
    let mut out = Vec::new();
    for (b, block) in func.blocks.iter().filter(|(b, _)| !body.contains(b)) {
        for &i in &block.insts {
            match &func.insts[i].op {
                Op::Phi(edges) => {
                    let by = edges.iter().filter(|(from, v)| *v == used && !body.contains(from));
                    out.extend(by.map(|(from, _)| User::Edge(*from, i)));
                }
                op if op.operands().contains(&used) => out.push(User::Inst(b, i)),
                _ => {}
            }
        }
        if block.term.operand() == Some(used) {
            out.push(User::End(b));
        }
    }
    out
}

fn keep_in_slot(func: &mut Function, block: BlockId, value: ValueId, users: &[User]) {
    let ty = func.values[value].ty;
    let one = Operand::int(32, 1);
    let (slot, address) =
        func.add_inst(Op::Alloca { size: ty.bytes(), count: one, ty: None }, Some(Ty::Ptr), None);
    let entry = func.entry();
    func.blocks[entry].insts.insert(0, slot);
    let addr = Operand::Value(address.expect("has a type"));
    let store = Op::Store { addr, value: Operand::Value(value), mark: Mark::Plain };
    let (store, _) = func.add_inst(store, None, None);
    // Behind the phis, if it is one.
    let defined = func.values[value].inst;
    let insts = &func.blocks[block].insts;
    let own = insts.iter().position(|&i| Some(i) == defined).map_or(0, |at| at + 1);
    let phis = insts.iter().take_while(|&&i| matches!(func.insts[i].op, Op::Phi(_))).count();
    func.blocks[block].insts.insert(own.max(phis), store);
    for &user in users {
        let (load, loaded) = func.add_inst(Op::Load { addr, mark: Mark::Plain }, Some(ty), None);
        let loaded = Operand::Value(loaded.expect("has a type"));
        let swap = |operand: &mut Operand| {
            if *operand == Operand::Value(value) {
                *operand = loaded;
            }
        };
        match user {
            User::Inst(b, i) => {
                func.insts[i].op.operands_mut().into_iter().for_each(swap);
                let at = func.blocks[b].insts.iter().position(|&j| j == i).unwrap_or(0);
                func.blocks[b].insts.insert(at, load);
            }
            User::Edge(from, i) => {
                if let Op::Phi(edges) = &mut func.insts[i].op {
                    edges.iter_mut().filter(|(b, _)| *b == from).map(|(_, v)| v).for_each(swap);
                }
                func.blocks[from].insts.push(load);
            }
            User::End(b) => {
                if let Some(operand) = func.blocks[b].term.operand_mut() {
                    swap(operand);
                }
                func.blocks[b].insts.push(load);
            }
        }
    }
}
