//! Members whose address goes somewhere, so that pointers lead to them which do not name them.
//!
//! An address may be that of a struct and of its first member at once. It is the struct's where it goes as a pointer to
//! one, by declaration, or is accessed as a block that lies in the struct.

use super::declared;
use super::fields::{self, FieldId};
use super::layout::{Layout, Shape};
use super::points_to::{static_path, taken_operands};
use super::ways;
use crate::fault::{Fault, seeded};
use lockpair_ir::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::HashSet;

/// The members whose address goes somewhere.
pub fn taken_members(module: &Module, layout: &Layout) -> HashSet<FieldId> {
    let mut taken = HashSet::new();
    for func in module.funcs.values() {
        Addresses::new(module, layout, func).taken(&mut taken);
    }
    let anywhere = Function::declaration("initial values");
    let anywhere = Addresses::new(module, layout, &anywhere);
    for (id, global) in module.globals.iter() {
        for cell in &global.init {
            let place = Operand::Global(id, i64::try_from(cell.offset).unwrap_or(i64::MAX));
            let declared = match static_path(module, anywhere.func, place) {
                Some((strukt, at)) => declared::members(module, strukt, at),
                None => global.ty.into_iter().map(|ty| module.element(ty)).collect(),
            };
            let mut pointees = declared.into_iter().filter_map(|ty| module.pointee(ty));
            if !pointees.any(|ty| anywhere.goes_as(cell.value, Some(ty))) {
                taken.extend(anywhere.members(cell.value));
            }
        }
    }
    taken
}

/// The members whose address code outside gets and keeps: from then on it may change them.
pub fn given_members(module: &Module, layout: &Layout) -> HashSet<FieldId> {
    let mut given = HashSet::new();
    for func in module.funcs.values() {
        let addresses = Addresses::new(module, layout, func);
        for inst in func.blocks.values().flat_map(|block| &block.insts).map(|&i| &func.insts[i]) {
            if matches!(inst.op, Op::Publish { .. } | Op::External { .. }) {
                addresses.taken_by(&inst.op, &mut given);
            }
        }
    }
    given
}

/// The places in structs that the values of a function are addresses of.
struct Addresses<'a, 'm> {
    module: &'m Module,
    layout: &'a Layout<'m>,
    func: &'a Function,
    /// Of values that are copies of addresses, or choices between them.
    copies: FxHashMap<ValueId, FxHashSet<(TypeId, u64)>>,
}

impl<'a, 'm> Addresses<'a, 'm> {
    fn new(module: &'m Module, layout: &'a Layout<'m>, func: &'a Function) -> Addresses<'a, 'm> {
        let mut all = Addresses { module, layout, func, copies: FxHashMap::default() };
        loop {
            let mut changed = false;
            for inst in func.insts.values().filter(|inst| passes_on(&inst.op)) {
                let Some(result) = inst.result else { continue };
                let found: Vec<_> = inst.op.operands().into_iter().flat_map(|op| all.places(op)).collect();
                let known = all.copies.entry(result).or_default();
                let before = known.len();
                known.extend(found);
                changed |= known.len() > before;
            }
            if !changed {
                return all;
            }
        }
    }

    /// What the operand is the address of.
    fn places(&self, op: Operand) -> Vec<(TypeId, u64)> {
        if let Operand::Value(v) = op
            && !seeded(Fault::CopiesTakeNothing)
            && let Some(copies) = self.copies.get(&v)
        {
            return copies.iter().copied().collect();
        }
        let place = static_path(self.module, self.func, op).filter(|_| !ways::is_whole(self.func, op));
        // Where a member begins, the one before ends: who goes back from there is in that.
        let end =
            place.filter(|_| self.is_step_on(op)).and_then(|(strukt, at)| Some((strukt, at.checked_sub(1)?)));
        place.into_iter().chain(end).collect()
    }

    /// Whether the address is computed from one before it, and not by a member's name.
    fn is_step_on(&self, op: Operand) -> bool {
        let Operand::Value(v) = op else { return false };
        let is_step =
            |i: InstId| matches!(self.func.insts[i].op, Op::PtrAdd { within: None, offset: 1.., .. });
        self.func.values[v].inst.is_some_and(is_step) && !seeded(Fault::EndIsNextMember)
    }

    /// The members at these places.
    fn members(&self, op: Operand) -> impl Iterator<Item = FieldId> {
        let member = |(strukt, at): (TypeId, u64)| {
            fields::of_shape(self.module, self.layout, Shape::In { strukt, lo: at, hi: at + 1 })
        };
        self.places(op).into_iter().filter_map(member)
    }

    fn taken(&self, taken: &mut HashSet<FieldId>) {
        let (module, layout, func) = (self.module, self.layout, self.func);
        for inst in func.blocks.values().flat_map(|block| &block.insts).map(|&i| &func.insts[i]) {
            // A step to an element is no use of the address: what is done with the element's is; the same of copies. Who
            // accesses just the member names it.
            let named = || ways::named_member(module, layout, func, &inst.op).is_some();
            if passes_on(&inst.op) || ways::is_step(module, func, inst) || named() {
                continue;
            }
            self.taken_by(&inst.op, taken);
        }
        for block in func.blocks.values() {
            let Terminator::Ret(Some(op)) = block.term else { continue };
            if !self.begins_there(op, func.ret_decl.and_then(|ty| module.pointee(ty))) {
                taken.extend(self.members(op));
            }
        }
    }

    /// What an instruction does with addresses.
    fn taken_by(&self, op: &Op, taken: &mut HashSet<FieldId>) {
        for operand in taken_operands(op) {
            if !self.lies_in_struct(op, operand) && !self.goes_as_struct(op, operand) {
                taken.extend(self.members(operand));
            }
        }
    }

    /// Whether an instruction accesses a block of known length there that lies in the struct: then the struct's members are
    /// accessed as such.
    fn lies_in_struct(&self, op: &Op, addr: Operand) -> bool {
        let len = match op {
            Op::MemSet { dst, len, .. } if *dst == addr => len,
            Op::MemCopy { dst, src, len } if *dst == addr || *src == addr => len,
            Op::Access { addr: place, len, .. } if *place == addr => len,
            _ => return false,
        };
        let Operand::Int { value: len, .. } = *len else { return false };
        let ends_in = |(strukt, at): (TypeId, u64)| {
            let end = u64::try_from(len).ok().and_then(|len| at.checked_add(len));
            end.is_some_and(|end| end <= self.module.size_of(strukt))
        };
        let is_path = static_path(self.module, self.func, addr).is_some();
        is_path && self.places(addr).into_iter().all(ends_in)
    }

    /// Whether an instruction takes an address for that of a struct, which is that of its first member, too, or hands it on
    /// so.
    fn goes_as_struct(&self, op: &Op, addr: Operand) -> bool {
        let (module, func) = (self.module, self.func);
        let callee = match op {
            Op::Call { callee: Callee::Func(f), args } => Some((*f, args)),
            Op::External { name, args } => module.func_named(name).map(|f| (f, args)),
            _ => None,
        };
        let everywhere = |declared: Vec<Option<TypeId>>| {
            !declared.is_empty() && declared.into_iter().all(|ty| self.begins_there(addr, ty))
        };
        let to_outside = |declared: Option<TypeId>| self.goes_as(addr, declared);
        match (op, callee) {
            (Op::Unregister { .. }, _) => true,
            (Op::Publish { .. }, _) => to_outside(None),
            // The callback's parameter says what it takes the address for.
            (Op::Register { callback: Some(callback), argument: Some((n, value)), .. }, _)
                if *value == addr =>
            {
                to_outside(self.parameter(*callback, *n as usize))
            }
            (Op::Register { callback, argument, .. }, _) => {
                *callback != Some(addr) && argument.is_none_or(|(_, v)| v != addr)
            }
            (Op::Store { addr: place, value, .. }, _) if *value == addr => {
                everywhere(vec![declared::stored_pointee(module, func, *place)])
            }
            (_, Some((f, args))) => {
                let declared = |n: usize| module.pointee(module.funcs[f].params.get(n)?.decl?);
                let mut here =
                    args.iter().enumerate().filter(|(_, arg)| **arg == addr).map(|(n, _)| declared(n));
                match module.funcs[f].is_defined() {
                    true => everywhere(here.collect()),
                    false => here.all(to_outside),
                }
            }
            (Op::External { .. }, None) => to_outside(None),
            _ => false,
        }
    }

    /// What a parameter of the function that a pointer leads to is declared to point to.
    fn parameter(&self, function: Operand, n: usize) -> Option<TypeId> {
        let declared = match function {
            Operand::Func(f) => self.module.funcs[f].params.get(n)?.decl?,
            pointer => *declared::prototype(self.module, self.func, pointer)?.get(n)?,
        };
        self.module.pointee(declared)
    }

    /// Whether code outside that gets the address takes it for that of a struct. Where it is not declared to be anything, that
    /// is one of the kernel's.
    fn goes_as(&self, addr: Operand, declared: Option<TypeId>) -> bool {
        match declared.filter(|ty| !matches!(self.module.types[*ty], TypeDef::Void)) {
            None => ways::begins_kernels(self.module, self.layout, (self.func, addr)),
            declared => self.begins_there(addr, declared),
        }
    }

    /// Whether a struct of the type begins at the address.
    fn begins_there(&self, addr: Operand, ty: Option<TypeId>) -> bool {
        let Some(ty) = ty.filter(|&ty| self.module.as_struct(ty).is_some()) else { return false };
        let begins = |(strukt, at)| at == 0 && ty == strukt || self.layout.begin_at(strukt, at).contains(&ty);
        let places = self.places(addr);
        !places.is_empty() && places.into_iter().all(begins)
    }
}

/// Whether the result of an operation on addresses is one of them.
fn passes_on(op: &Op) -> bool {
    matches!(op, Op::Phi(_) | Op::Select { .. } | Op::Cast(CastOp::PtrToInt | CastOp::IntToPtr, _))
}
