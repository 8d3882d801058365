//! The critical sections of a function: where it takes a lock, and where it gives that lock back.
//!
//! Locks are the same here if their addresses are computed in the same way. That is a question of what to change, not of
//! what holds: the verifier has its own opinion of every changed module.

use lockpair_ir::*;

/// All places of one function that take or give back one lock.
#[derive(Clone, Debug)]
pub struct Section {
    /// The function.
    pub func: FuncId,
    /// The class of the lock.
    pub class: String,
    /// How it is taken.
    pub mode: LockMode,
    /// Its address.
    pub lock: Operand,
    /// Where it is taken.
    pub acquires: Vec<InstId>,
    /// Where it is given back.
    pub releases: Vec<InstId>,
}

/// The sections of a module, function by function.
pub fn find(module: &Module) -> Vec<Section> {
    module.funcs.keys().flat_map(|f| of_function(module, f)).collect()
}

fn of_function(module: &Module, id: FuncId) -> Vec<Section> {
    let func = &module.funcs[id];
    let mut out: Vec<Section> = Vec::new();
    for &i in func.blocks.values().flat_map(|b| &b.insts) {
        let Op::Acquire { lock, class, mode, .. } = &func.insts[i].op else { continue };
        match out.iter_mut().find(|s| s.is_of(func, *lock, class, *mode)) {
            Some(section) => section.acquires.push(i),
            None => {
                let (class, mode, lock) = (class.clone(), *mode, *lock);
                let (acquires, releases) = (vec![i], Vec::new());
                out.push(Section { func: id, class, mode, lock, acquires, releases });
            }
        }
    }
    for &i in func.blocks.values().flat_map(|b| &b.insts) {
        let Op::Release { lock, class, mode } = &func.insts[i].op else { continue };
        if let Some(section) = out.iter_mut().find(|s| s.is_of(func, *lock, class, *mode)) {
            section.releases.push(i);
        }
    }
    out
}

impl Section {
    fn is_of(&self, func: &Function, lock: Operand, class: &str, mode: LockMode) -> bool {
        self.class == class && self.mode == mode && same_address(func, self.lock, lock)
    }

    /// Where it is taken and given back.
    pub fn instructions(&self) -> Vec<InstId> {
        self.acquires.iter().chain(&self.releases).copied().collect()
    }
}

/// Whether two operands are computed in the same way, reads of memory included.
fn same_address(func: &Function, a: Operand, b: Operand) -> bool {
    let (Operand::Value(x), Operand::Value(y)) = (a, b) else { return a == b };
    let made = |v: ValueId| func.values[v].inst.map(|i| &func.insts[i].op);
    x == y || matches!((made(x), made(y)), (Some(x), Some(y)) if same_computation(func, x, y))
}

fn same_computation(func: &Function, a: &Op, b: &Op) -> bool {
    let repeats = matches!(a, Op::PtrAdd { .. } | Op::Load { .. } | Op::Cast(..) | Op::Bin(..));
    let without_operands = |op: &Op| {
        let mut op = op.clone();
        op.operands_mut().into_iter().for_each(|operand| *operand = Operand::Null);
        op
    };
    let (x, y) = (a.operands(), b.operands());
    repeats
        && x.len() == y.len()
        && without_operands(a) == without_operands(b)
        && x.into_iter().zip(y).all(|(x, y)| same_address(func, x, y))
}

/// A block with the position of an instruction in it.
pub fn position(func: &Function, inst: InstId) -> Option<(BlockId, usize)> {
    func.blocks.iter().find_map(|(b, block)| Some((b, block.insts.iter().position(|&i| i == inst)?)))
}
