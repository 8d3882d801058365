//! Exclusions that a module does without: the kernel holds one lock per transmit queue, so a device with several queues
//! transmits several packets at a time; a timer that is moved to another CPU while it runs does not exclude itself.

use std::cell::RefCell;
use std::collections::HashMap;

use lockpair_env::schema::ExclusionRow;
use lockpair_ir::{
    BinOp, Callee, FuncId, Function, Global, InitCell, Module, Op, Operand, Param, TypeId, constants,
};

/// Whether the module is seen to do what the exclusion does not hold for.
pub(crate) fn is_withdrawn(module: &Module, row: &ExclusionRow) -> bool {
    let members =
        row.off.iter().map(|(tag, member, bits)| (module.members_named(tag, member), u128::from(*bits)));
    let view = View { module, row, members: members.collect(), given: RefCell::default() };
    let names = |cell: &InitCell| matches!(cell.value, Operand::Func(f) if view.is_forbidden(f));
    let begins = |global: &Global| view.begins_without(global) || global.init.iter().any(names);
    let from_the_start = module.globals.values().any(begins);
    from_the_start
        || module.funcs.iter().any(|(id, func)| {
            let insts = || func.blocks.values().flat_map(|block| &block.insts).map(|&i| &func.insts[i].op);
            insts().any(|op| view.withdraws(id, func, op))
        })
}

/// So many steps are looked back for a constant, in all functions.
const MOST: usize = 16;

struct View<'a> {
    module: &'a Module,
    row: &'a ExclusionRow,
    /// Where the members lie, by type, and the bits of each that withdraw the exclusion.
    members: Vec<(HashMap<TypeId, Vec<u64>>, u128)>,
    /// Per parameter and bits: whether a call may give it such a number, as far as that is known; a circle gives nothing new.
    given: RefCell<HashMap<(FuncId, usize, u128), bool>>,
}

impl View<'_> {
    fn withdraws(&self, id: FuncId, func: &Function, op: &Op) -> bool {
        let has_several = match op {
            Op::Call { callee: Callee::Func(f), args } => self.has_several(*f, args),
            _ => false,
        };
        // Who has the address of such a function may call it.
        let names = |operand: &Operand| matches!(operand, Operand::Func(f) if self.is_forbidden(*f));
        let calls = matches!(op, Op::Call { callee: Callee::Func(f), .. } if self.is_forbidden(*f));
        calls || op.operands().iter().any(names) || has_several || self.switches_off(id, func, op)
    }

    fn is_forbidden(&self, func: FuncId) -> bool {
        self.row.by.contains(&self.module.funcs[func].name)
    }

    /// Whether it is a call with any other number than one.
    fn has_several(&self, callee: FuncId, args: &[Operand]) -> bool {
        let name = &self.module.funcs[callee].name;
        let counts = self.row.single.iter().filter(|(function, _)| function == name);
        counts
            .filter_map(|(_, arg)| args.get(*arg as usize))
            .any(|n| !matches!(n, Operand::Int { value: 1, .. }))
    }

    /// Whether one of the bits may be put into its member: stored there, or by who gets the member's address.
    fn switches_off(&self, id: FuncId, func: &Function, op: &Op) -> bool {
        let bits = |at: Operand| self.bits_at(func, at);
        match op {
            Op::Load { .. } | Op::PtrAdd { .. } | Op::Cmp(..) => false,
            Op::Store { addr, value, .. } => {
                let stored = bits(*addr).is_some_and(|bits| self.may_have(id, *value, bits, MOST));
                stored || bits(*value).is_some()
            }
            _ => op.operands().into_iter().any(|operand| bits(operand).is_some()),
        }
    }

    /// Whether a variable has one of the bits set in its initial value.
    fn begins_without(&self, global: &Global) -> bool {
        let has = |(offset, bits): (u64, u128)| {
            let there = |cell: &&InitCell| cell.offset <= offset && offset < cell.offset + cell.size;
            let set = |cell: &InitCell| match cell.value {
                Operand::Int { value, .. } => value >> (8 * (offset - cell.offset)) & bits != 0,
                Operand::Null => false,
                _ => true,
            };
            global.init.iter().find(there).is_some_and(set)
        };
        global.ty.is_some_and(|ty| self.places(ty).any(has))
    }

    /// The bits that withdraw the exclusion, if the address is that of a member which has some.
    fn bits_at(&self, func: &Function, addr: Operand) -> Option<u128> {
        let (ty, at) = self.module.place_of(func, addr)?;
        self.places(ty).find(|(offset, _)| *offset == at).map(|(_, bits)| bits)
    }

    /// Where members with such bits lie in what is of that type, and the bits.
    fn places(&self, ty: TypeId) -> impl Iterator<Item = (u64, u128)> {
        let of = move |(members, bits): &'_ (HashMap<TypeId, Vec<u64>>, u128)| {
            let bits = *bits;
            members.get(&ty).into_iter().flatten().map(move |offset| (*offset, bits)).collect::<Vec<_>>()
        };
        self.members.iter().flat_map(of)
    }

    /// Whether a number with such a bit may be in a value. What code outside gives, and what was in members of the kernel's
    /// before, has been put there by somebody.
    fn may_have(&self, id: FuncId, value: Operand, bits: u128, steps: usize) -> bool {
        let Some(less) = steps.checked_sub(1) else { return true };
        let has = |value: Operand| self.may_have(id, value, bits, less);
        let func = &self.module.funcs[id];
        if let Operand::Int { value, .. } = value {
            return value & bits != 0;
        }
        match made_by(func, value) {
            Some(Op::Bin(BinOp::Or | BinOp::Add | BinOp::Xor, a, b)) => has(*a) || has(*b),
            Some(Op::Bin(BinOp::And, a, b)) => has(*a) && has(*b),
            Some(Op::Select { then, els, .. }) => has(*then) || has(*els),
            Some(Op::Phi(edges)) => edges.iter().any(|(_, edge)| has(*edge)),
            Some(Op::Cast(_, inner)) => has(*inner),
            Some(Op::Load { addr, .. }) => self.may_be_read(func, *addr, bits),
            Some(_) => true,
            None => self.may_be_given(id, value, bits, less),
        }
    }

    /// Whether the number may lie there: in a variable, or in memory of the module's own.
    fn may_be_read(&self, func: &Function, addr: Operand, bits: u128) -> bool {
        let has = |value: Operand| matches!(value, Operand::Int { value, .. } if value & bits != 0);
        match constants::root(&self.module.globals, func, addr) {
            Some(table) => self.module.globals[table].init.iter().any(|cell| has(cell.value)),
            None => match made_by(func, addr) {
                Some(Op::PtrAdd { within: Some(strukt), .. }) => {
                    self.module.as_struct(*strukt).is_some_and(|strukt| strukt.module_private)
                }
                _ => true,
            },
        }
    }

    /// Whether a call in the module may give it as the parameter.
    fn may_be_given(&self, id: FuncId, value: Operand, bits: u128, steps: usize) -> bool {
        let is_it = |param: &Param| Operand::Value(param.value) == value;
        let Some(n) = self.module.funcs[id].params.iter().position(is_it) else { return true };
        let key = (id, n, bits);
        let known = self.given.borrow().get(&key).copied();
        known.unwrap_or_else(|| {
            self.given.borrow_mut().insert(key, false);
            let given = self.gives_any(id, n, bits, steps);
            self.given.borrow_mut().insert(key, given);
            given
        })
    }

    fn gives_any(&self, id: FuncId, n: usize, bits: u128, steps: usize) -> bool {
        self.module.funcs.iter().any(|(caller, func)| {
            func.blocks.values().flat_map(|block| &block.insts).any(|&i| match &func.insts[i].op {
                Op::Call { callee: Callee::Func(callee), args } if *callee == id => {
                    args.get(n).is_none_or(|&arg| self.may_have(caller, arg, bits, steps))
                }
                _ => false,
            })
        })
    }
}

fn made_by(func: &Function, value: Operand) -> Option<&Op> {
    match value {
        Operand::Value(v) => Some(&func.insts[func.values[v].inst?].op),
        _ => None,
    }
}
