//! One function body: blocks, phis, terminators, and which operand stands for which of LLVM's values.
//!
//! Only blocks that control can reach are converted, in reverse post-order, so that a value is known
//! before it is used; phis get their operands at the end.

use super::constants;
use super::convert::Context;
use super::layout::value_type;
use super::llvm::{self, Opcode, TypeKind, Value, ValueKind};
use super::types::Pointee;
use crate::fault::{Fault, seeded};
use lockpair_ir::{
    AssumptionKind, Block, BlockId, CastOp, Function, InstId, LocId, Op, Operand, Terminator, Ty, TypeDef,
    ValueId,
};
use std::collections::{HashMap, HashSet};

/// A function whose body is being converted.
pub struct Body<'a, 'm> {
    /// The module's tables.
    pub cx: &'a mut Context<'m>,
    /// The function so far.
    pub function: Function,
    /// The operand for each value that has one.
    pub operands: HashMap<Value<'m>, Operand>,
    /// Where instructions are added.
    pub block: BlockId,
    /// The place of the instruction at hand.
    pub loc: Option<LocId>,
    block_ids: HashMap<llvm::Block<'m>, BlockId>,
    phis: Vec<(InstId, Value<'m>)>,
}

impl<'a, 'm> Body<'a, 'm> {
    /// Fills in the body of a function that has been declared.
    pub fn convert(cx: &'a mut Context<'m>, value: Value<'m>, function: Function) -> Function {
        let parameters = value.parameters().into_iter().zip(&function.params);
        let operands = parameters.map(|(value, param)| (value, Operand::Value(param.value))).collect();
        let mut body = Body {
            cx,
            function,
            operands,
            block: lockpair_ir::EntityRef::new(0),
            loc: None,
            block_ids: HashMap::new(),
            phis: Vec::new(),
        };
        body.run(value);
        body.function
    }

    fn run(&mut self, value: Value<'m>) {
        let order = reverse_post_order(value);
        let reachable: HashSet<llvm::Block<'m>> = order.iter().copied().collect();
        for block in value.blocks().into_iter().filter(|b| reachable.contains(b)) {
            let empty = Block { insts: Vec::new(), term: Terminator::Unreachable, term_loc: None };
            let id = self.function.blocks.push(empty);
            self.block_ids.insert(block, id);
        }
        for (n, block) in order.into_iter().enumerate() {
            self.block = self.block_ids[&block];
            if n == 0 {
                self.declare_parameters(value);
            }
            for inst in block.instructions() {
                self.loc = self.cx.sources.place(self.cx.llvm.debug_loc(inst));
                self.instruction(inst);
            }
        }
        self.finish_phis();
    }

    /// Of a parameter without a type the variables that it is put in say what it points to, if all say the same.
    fn declare_parameters(&mut self, function: Value<'m>) {
        let symbol = function.name().into_owned();
        for (position, value) in function.parameters().into_iter().enumerate() {
            if function.parameter_has(position as u32, "byval") {
                self.copy_parameter(position, value);
                continue;
            }
            let param = self.operand(value);
            match (self.put_in_variables(position, &symbol), param) {
                (Some(Pointee::Struct(strukt)), _) => {
                    let declared = self.declared_as(param, strukt);
                    self.define(value, declared);
                }
                (Some(Pointee::Data), Operand::Value(v)) => _ = self.function.as_data.insert(v),
                _ => {}
            }
        }
    }

    /// A struct that is passed in memory is the function's own: what the caller points to is copied.
    fn copy_parameter(&mut self, position: usize, value: Value<'m>) {
        let types = &self.cx.layouts.types;
        let declared = self.function.params.get(position).and_then(|param| param.decl);
        let Some(TypeDef::Ptr(strukt)) = declared.map(|ty| types.def(ty).clone()) else {
            return self.cx.unsupported("a struct that is passed in memory", self.loc);
        };
        let TypeDef::Struct(def) = types.def(strukt) else { return };
        let (size, original) = (def.size, self.operand(value));
        let one = Operand::int(64, 1);
        self.loc = self.function.loc;
        let own = self.compute(Op::Alloca { size, count: one, ty: Some(strukt) }, Ty::Ptr);
        let len = Operand::int(64, u128::from(size));
        self.emit(Op::MemCopy { dst: own, src: original, len }, None);
        self.define(value, own);
    }

    /// What variables are declared to point to which a parameter is put in that says nothing itself: if one is whatever
    /// happens, and none says anything else.
    fn put_in_variables(&mut self, position: usize, symbol: &str) -> Option<Pointee> {
        let types = &mut self.cx.layouts.types;
        let TypeDef::Ptr(to) = types.def(self.function.params.get(position)?.decl?) else { return None };
        if !matches!(types.def(*to), TypeDef::Void) {
            return None;
        }
        let variables = self.cx.parameter_types.get(&(symbol.to_owned(), position))?;
        let mut known = None;
        for &(ty, at_first) in variables {
            match types.pointee(&mut self.cx.sources, ty) {
                Pointee::Void => {}
                Pointee::Other => return None,
                pointee if known.is_some_and(|(first, _)| first != pointee) => return None,
                pointee => known = Some((pointee, at_first || known.is_some_and(|(_, first)| first))),
            }
        }
        known.filter(|(_, at_first)| *at_first).map(|(pointee, _)| pointee)
    }

    /// The id of a block that control can reach.
    pub fn block_id(&self, block: llvm::Block<'m>) -> BlockId {
        self.block_ids[&block]
    }

    /// Adds an instruction to the current block.
    pub fn emit(&mut self, op: Op, result: Option<Ty>) -> Option<ValueId> {
        let (inst, value) = self.function.add_inst(op, result, self.loc);
        self.function.blocks[self.block].insts.push(inst);
        value
    }

    /// Adds an instruction that has a result.
    pub fn compute(&mut self, op: Op, ty: Ty) -> Operand {
        self.emit(op, Some(ty)).map_or(Operand::Undef(ty), Operand::Value)
    }

    /// An arbitrary value.
    pub fn havoc(&mut self, ty: Ty) -> Operand {
        self.compute(Op::Havoc, ty)
    }

    /// An arbitrary value for something that ought to be represented; remembered.
    pub fn give_up(&mut self, what: impl Into<String>, ty: Ty) -> Operand {
        self.cx.unsupported(what, self.loc);
        self.havoc(ty)
    }

    /// Ends the current block.
    pub fn terminate(&mut self, term: Terminator) {
        let block = &mut self.function.blocks[self.block];
        block.term = term;
        block.term_loc = self.loc;
    }

    /// Records which operand stands for a value.
    pub fn define(&mut self, value: Value<'m>, operand: Operand) {
        self.operands.insert(value, operand);
    }

    /// The operand for a value; constant expressions become instructions of the current block.
    pub fn operand(&mut self, value: Value<'m>) -> Operand {
        if let Some(&operand) = self.operands.get(&value) {
            return operand;
        }
        let ty = self.cx.value_type(value.ty());
        if is_made_of_parts(value) {
            return self.whole(value, ty);
        }
        if let Some((base, offset)) = constants::behind_member(self.cx, value) {
            let base = self.operand(base);
            return self.compute(Op::PtrAdd { base, offset, scaled: Vec::new(), within: None }, Ty::Ptr);
        }
        if let Some(operand) = constants::simple(self.cx, value) {
            return if value.is_weak_reference() { self.maybe_null(operand) } else { operand };
        }
        match value.kind() {
            ValueKind::LLVMConstantExprValueKind => self.constant_expression(value, ty),
            _ => self.give_up("operand", ty),
        }
    }

    /// The address of a symbol that may be defined nowhere.
    fn maybe_null(&mut self, symbol: Operand) -> Operand {
        let cond = self.havoc(Ty::Int(1));
        self.compute(Op::Select { cond, then: symbol, els: Operand::Null }, Ty::Ptr)
    }

    /// A struct in registers, of which the parts are followed and not the whole: where the whole is passed on, it
    /// is arbitrary.
    pub fn whole(&mut self, aggregate: Value<'m>, ty: Ty) -> Operand {
        self.cx.ledger.record(AssumptionKind::ArbitraryValue, "a struct in registers", self.loc);
        self.publish_parts(aggregate);
        self.havoc(ty)
    }

    /// Pointers that go into an aggregate that is not looked into may come out of it anywhere.
    fn publish_parts(&mut self, aggregate: Value<'m>) {
        let mut work = vec![aggregate];
        while let Some(value) = work.pop() {
            if may_be_pointer(value) {
                let ptr = self.operand(value);
                let is_constant = matches!(ptr, Operand::Int { .. } | Operand::Null | Operand::Undef(_));
                // Damaged bitcode may have an operand that is something else than it says.
                let is_wide = matches!(self.function.operand_ty(ptr), Ty::Ptr | Ty::Int(64..));
                if !is_constant && is_wide && !seeded(Fault::MixedLoseNothing) {
                    self.emit(Op::Publish { ptr, ok: None }, None);
                }
            } else if !is_made_of_parts(value) {
                // What comes out of memory or of a call whole has gone in there whole.
            } else if value.kind() == ValueKind::LLVMInstructionValueKind {
                work.extend(value.operand(0).into_iter().chain(value.operand(1)));
            } else {
                work.extend((0..).map_while(|n| value.element(n)));
            }
        }
    }

    /// An arbitrary value that an instruction makes from its operands in a way that is not followed (bytes swapped, elements of a
    /// vector): pointers among them, and numbers that were pointers, may come out of it anywhere.
    pub fn mixed(&mut self, inst: Value<'m>, ty: Ty) -> Operand {
        let operands = (0..inst.operand_count()).filter_map(|n| inst.operand(n));
        let is_function = |value: &Value<'m>| value.kind() == ValueKind::LLVMFunctionValueKind;
        operands.filter(|value| !is_function(value)).for_each(|value| self.publish_parts(value));
        self.havoc(ty)
    }

    /// The same bits as another type: the same value if the types are the same for us.
    pub fn same_bits(&mut self, inst: Value<'m>, ty: Ty) -> Operand {
        let source = self.operand_at(inst, 0);
        if self.function.operand_ty(source) == ty { source } else { self.mixed(inst, ty) }
    }

    /// An operand of an instruction; malformed instructions have arbitrary ones.
    pub fn operand_at(&mut self, inst: Value<'m>, index: u32) -> Operand {
        match inst.operand(index) {
            Some(value) => self.operand(value),
            None => Operand::Undef(Ty::Opaque(0)),
        }
    }

    fn constant_expression(&mut self, value: Value<'m>, ty: Ty) -> Operand {
        let opcode = value.constant_opcode();
        match opcode {
            Opcode::LLVMGetElementPtr => self.gep(value),
            Opcode::LLVMPtrToInt | Opcode::LLVMIntToPtr | Opcode::LLVMTrunc => {
                let source = self.operand_at(value, 0);
                self.cast(opcode, source, ty)
            }
            Opcode::LLVMBitCast | Opcode::LLVMAddrSpaceCast => self.same_bits(value, ty),
            Opcode::LLVMAdd | Opcode::LLVMSub | Opcode::LLVMMul | Opcode::LLVMXor | Opcode::LLVMShl => {
                self.binary(opcode, value, ty)
            }
            _ => self.give_up("constant expression", ty),
        }
    }

    /// A conversion between integers and pointers.
    pub fn cast(&mut self, opcode: Opcode, source: Operand, ty: Ty) -> Operand {
        let op = match opcode {
            Opcode::LLVMTrunc => CastOp::Trunc,
            Opcode::LLVMZExt => CastOp::ZExt,
            Opcode::LLVMSExt => CastOp::SExt,
            Opcode::LLVMPtrToInt => CastOp::PtrToInt,
            Opcode::LLVMIntToPtr => CastOp::IntToPtr,
            _ => return self.havoc(ty),
        };
        let scalar = |ty: Ty| !matches!(ty, Ty::Opaque(_));
        let from = self.function.operand_ty(source);
        if !scalar(from) || !scalar(ty) { self.havoc(ty) } else { self.compute(Op::Cast(op, source), ty) }
    }

    /// Adds a phi, for now without operands.
    pub fn phi(&mut self, inst: Value<'m>) {
        let ty = self.cx.value_type(inst.ty());
        let (id, value) = self.function.add_inst(Op::Phi(Vec::new()), Some(ty), self.loc);
        self.function.blocks[self.block].insts.push(id);
        if let Some(value) = value {
            self.define(inst, Operand::Value(value));
        }
        self.phis.push((id, inst));
    }

    /// Gives each phi one operand per block that control can come from.
    fn finish_phis(&mut self) {
        for (id, phi) in std::mem::take(&mut self.phis) {
            let mut edges: Vec<(BlockId, Operand)> = Vec::new();
            for (block, value) in phi.incoming() {
                let Some(&from) = self.block_ids.get(&block) else { continue };
                if edges.iter().any(|(seen, _)| *seen == from) {
                    continue;
                }
                self.block = from;
                self.loc = self.function.insts[id].loc;
                let operand = self.operand(value);
                edges.push((from, operand));
            }
            self.function.insts[id].op = Op::Phi(edges);
        }
    }

    /// Converts a terminator.
    pub fn terminator(&mut self, inst: Value<'m>) {
        let targets: Vec<BlockId> = inst.successors().into_iter().map(|b| self.block_id(b)).collect();
        let term = match (inst.opcode(), targets.as_slice()) {
            (Opcode::LLVMBr, [then, els]) if inst.is_conditional() => {
                let condition = self.operand_at(inst, 0);
                Terminator::CondBr(condition, *then, *els)
            }
            (Opcode::LLVMBr, [target, ..]) => Terminator::Br(*target),
            (Opcode::LLVMRet, _) => {
                let value = inst.operand(0).map(|value| self.operand(value));
                Terminator::Ret(value)
            }
            (Opcode::LLVMSwitch, [default, ..]) => self.switch(inst, *default),
            (Opcode::LLVMIndirectBr, [first, rest @ ..]) => self.any_of(*first, rest),
            (Opcode::LLVMUnreachable, _) => Terminator::Unreachable,
            (opcode, [first, rest @ ..]) => {
                self.cx.unsupported(format!("terminator {opcode:?}"), self.loc);
                self.any_of(*first, rest)
            }
            (opcode, []) => {
                self.cx.unsupported(format!("terminator {opcode:?}"), self.loc);
                Terminator::Unreachable
            }
        };
        self.terminate(term);
    }

    fn switch(&mut self, inst: Value<'m>, default: BlockId) -> Terminator {
        let value = self.operand_at(inst, 0);
        let mut cases = Vec::new();
        for index in (2..inst.operand_count()).step_by(2) {
            let case = inst.operand(index).and_then(Value::int_value);
            let target = inst.operand_block(index + 1);
            if let (Some(case), Some(target)) = (case, target) {
                cases.push((case, self.block_id(target)));
            }
        }
        Terminator::Switch { value, cases, default }
    }

    /// To one of the blocks, and nobody knows to which.
    pub fn any_of(&mut self, first: BlockId, rest: &[BlockId]) -> Terminator {
        if rest.is_empty() {
            return Terminator::Br(first);
        }
        let bits = if rest.len() < 256 { 8 } else { 32 };
        let value = self.havoc(Ty::Int(bits));
        let cases = (1u128..).zip(rest.iter().copied()).collect();
        Terminator::Switch { value, cases, default: first }
    }

    /// The type of the result of an instruction; none if it has no result.
    pub fn result_type(&self, inst: Value<'m>) -> Option<Ty> {
        value_type(self.cx.llvm, inst.ty())
    }
}

/// Whether the value is an aggregate that is put together here, out of parts that are seen.
/// Whether it is a pointer, or a number as wide as one.
fn may_be_pointer(value: Value<'_>) -> bool {
    let is_wide = value.ty().int_bits().is_some_and(|bits| bits >= 64);
    is_wide || value.ty().kind() == TypeKind::LLVMPointerTypeKind
}

fn is_made_of_parts(value: Value<'_>) -> bool {
    match value.kind() {
        ValueKind::LLVMInstructionValueKind => value.opcode() == Opcode::LLVMInsertValue,
        ValueKind::LLVMConstantStructValueKind
        | ValueKind::LLVMConstantArrayValueKind
        | ValueKind::LLVMConstantVectorValueKind => true,
        _ => false,
    }
}

/// Whether a value is an aggregate, which is tracked by its parts.
pub fn is_aggregate(value: Value<'_>) -> bool {
    matches!(value.ty().kind(), TypeKind::LLVMStructTypeKind | TypeKind::LLVMArrayTypeKind)
}

/// The blocks that control can reach from the entry.
fn reverse_post_order<'m>(function: Value<'m>) -> Vec<llvm::Block<'m>> {
    let Some(entry) = function.blocks().first().copied() else { return Vec::new() };
    let next = |block: llvm::Block<'m>| block.terminator().map(Value::successors).unwrap_or_default();
    let mut seen = HashSet::from([entry]);
    let mut stack = vec![(entry, next(entry).into_iter())];
    let mut order = Vec::new();
    while let Some((block, successors)) = stack.last_mut() {
        match successors.next() {
            Some(successor) if seen.insert(successor) => stack.push((successor, next(successor).into_iter())),
            Some(_) => {}
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}
