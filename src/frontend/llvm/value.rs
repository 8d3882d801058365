//! Values: constants, globals, functions, arguments, instructions; and blocks of instructions.

use super::{
    AtomicBinOp, AtomicOrdering, FUNCTION_INDEX, Linkage, LlvmModule, Opcode, Predicate, Type, TypeKind,
    ValueKind, borrowed_text, list, owned_message,
};
use inkwell::llvm_sys::core;
use inkwell::llvm_sys::prelude::{LLVMBasicBlockRef, LLVMValueRef};
use std::borrow::Cow;
use std::ffi::CStr;
use std::marker::PhantomData;
use std::ptr;

/// A value: constant, global, function, argument or instruction.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Value<'m> {
    pub(super) raw: LLVMValueRef,
    pub(super) module: PhantomData<&'m ()>,
}

impl<'m> Value<'m> {
    pub(super) fn new(raw: LLVMValueRef) -> Option<Value<'m>> {
        (!raw.is_null()).then_some(Value { raw, module: PhantomData })
    }

    /// What kind of value it is.
    pub fn kind(self) -> ValueKind {
        // SAFETY: a valid value, as in all methods below.
        unsafe { core::LLVMGetValueKind(self.raw) }
    }

    /// Its type.
    pub fn ty(self) -> Type<'m> {
        Type::of(unsafe { core::LLVMTypeOf(self.raw) })
    }

    /// Its name; empty if it has none.
    pub fn name(self) -> Cow<'m, str> {
        let mut len = 0;
        unsafe { borrowed_text(core::LLVMGetValueName2(self.raw, &mut len), len) }
    }

    /// The operation of an instruction.
    pub fn opcode(self) -> Opcode {
        unsafe { core::LLVMGetInstructionOpcode(self.raw) }
    }

    /// The operation of a constant expression.
    pub fn constant_opcode(self) -> Opcode {
        unsafe { core::LLVMGetConstOpcode(self.raw) }
    }

    /// The number of operands.
    pub fn operand_count(self) -> u32 {
        u32::try_from(unsafe { core::LLVMGetNumOperands(self.raw) }).unwrap_or(0)
    }

    /// An operand.
    pub fn operand(self, index: u32) -> Option<Value<'m>> {
        if index >= self.operand_count() {
            return None;
        }
        Value::new(unsafe { core::LLVMGetOperand(self.raw, index) })
    }

    /// A block that an operand of a terminator names.
    pub fn operand_block(self, index: u32) -> Option<Block<'m>> {
        let operand = self.operand(index)?;
        unsafe {
            if core::LLVMValueIsBasicBlock(operand.raw) == 0 {
                return None;
            }
            Block::new(core::LLVMValueAsBasicBlock(operand.raw))
        }
    }

    /// The blocks that a terminator may go to.
    pub fn successors(self) -> Vec<Block<'m>> {
        unsafe {
            let count = core::LLVMGetNumSuccessors(self.raw);
            (0..count).filter_map(|i| Block::new(core::LLVMGetSuccessor(self.raw, i))).collect()
        }
    }

    /// Whether a branch has a condition.
    pub fn is_conditional(self) -> bool {
        unsafe { core::LLVMIsConditional(self.raw) != 0 }
    }

    /// The edges of a phi.
    pub fn incoming(self) -> Vec<(Block<'m>, Value<'m>)> {
        unsafe {
            (0..core::LLVMCountIncoming(self.raw))
                .filter_map(|i| {
                    let block = Block::new(core::LLVMGetIncomingBlock(self.raw, i))?;
                    Some((block, Value::new(core::LLVMGetIncomingValue(self.raw, i))?))
                })
                .collect()
        }
    }

    /// Whether a load, store or atomic operation is volatile.
    pub fn is_volatile(self) -> bool {
        unsafe { core::LLVMGetVolatile(self.raw) != 0 }
    }

    /// The memory order of a load, store or atomic read-modify-write.
    pub fn ordering(self) -> AtomicOrdering {
        unsafe { core::LLVMGetOrdering(self.raw) }
    }

    /// The memory order of a successful compare and exchange.
    pub fn success_ordering(self) -> AtomicOrdering {
        unsafe { core::LLVMGetCmpXchgSuccessOrdering(self.raw) }
    }

    /// The operation of an atomic read-modify-write.
    pub fn atomic_op(self) -> AtomicBinOp {
        unsafe { core::LLVMGetAtomicRMWBinOp(self.raw) }
    }

    /// The predicate of an integer comparison.
    pub fn predicate(self) -> Predicate {
        unsafe { core::LLVMGetICmpPredicate(self.raw) }
    }

    /// The type of the elements of an alloca.
    pub fn allocated_type(self) -> Type<'m> {
        Type::of(unsafe { core::LLVMGetAllocatedType(self.raw) })
    }

    /// The type that the indices of a getelementptr, instruction or constant, go through.
    pub fn gep_source_type(self) -> Type<'m> {
        Type::of(unsafe { core::LLVMGetGEPSourceElementType(self.raw) })
    }

    /// The indices of an extractvalue or insertvalue.
    pub fn indices(self) -> &'m [u32] {
        unsafe {
            let count = core::LLVMGetNumIndices(self.raw) as usize;
            if count == 0 { &[] } else { std::slice::from_raw_parts(core::LLVMGetIndices(self.raw), count) }
        }
    }

    /// Whom a call calls.
    pub fn callee(self) -> Option<Value<'m>> {
        Value::new(unsafe { core::LLVMGetCalledValue(self.raw) })
    }

    /// The arguments of a call.
    pub fn arguments(self) -> Vec<Value<'m>> {
        let count = unsafe { core::LLVMGetNumArgOperands(self.raw) };
        (0..count).filter_map(|i| self.operand(i)).collect()
    }

    /// Whether it is a call of one of LLVM's own functions.
    pub fn is_intrinsic(self) -> bool {
        unsafe { core::LLVMGetIntrinsicID(self.raw) != 0 }
    }

    /// Template and constraints of inline assembly.
    pub fn asm(self) -> (Cow<'m, str>, Cow<'m, str>) {
        let (mut template_len, mut constraints_len) = (0, 0);
        unsafe {
            let template = core::LLVMGetInlineAsmAsmString(self.raw, &mut template_len);
            let constraints = core::LLVMGetInlineAsmConstraintString(self.raw, &mut constraints_len);
            (borrowed_text(template, template_len), borrowed_text(constraints, constraints_len))
        }
    }

    /// The value of a constant integer of at most 128 bits.
    pub fn int_value(self) -> Option<u128> {
        let bits = self.ty().int_bits()?;
        if bits <= 64 {
            return Some(u128::from(unsafe { core::LLVMConstIntGetZExtValue(self.raw) }));
        }
        // The C interface has no access to the upper words.
        let text = unsafe { owned_message(core::LLVMPrintValueToString(self.raw)) };
        let number = text.split_whitespace().last()?;
        let signed = number.parse::<i128>().ok().map(|v| v as u128);
        signed.or_else(|| number.parse().ok()).filter(|_| bits <= 128)
    }

    /// The value of a constant integer of at most 64 bits, sign-extended.
    pub fn signed_value(self) -> Option<i64> {
        let small = matches!(self.kind(), ValueKind::LLVMConstantIntValueKind) && self.ty().int_bits()? <= 64;
        small.then(|| unsafe { core::LLVMConstIntGetSExtValue(self.raw) })
    }

    /// An element of a constant aggregate.
    pub fn element(self, index: u32) -> Option<Value<'m>> {
        Value::new(unsafe { core::LLVMGetAggregateElement(self.raw, index) })
    }

    /// Whether a constant is all zero.
    pub fn is_zero(self) -> bool {
        unsafe { core::LLVMIsNull(self.raw) != 0 }
    }

    /// Whether a constant array is of bytes.
    pub fn is_string(self) -> bool {
        unsafe {
            !core::LLVMIsAConstantDataArray(self.raw).is_null() && core::LLVMIsConstantString(self.raw) != 0
        }
    }

    /// Whether a global or function is only declared.
    pub fn is_declaration(self) -> bool {
        unsafe { core::LLVMIsDeclaration(self.raw) != 0 }
    }

    /// Whether it is a symbol that is null if nobody defines it.
    pub fn is_weak_reference(self) -> bool {
        let is_symbol =
            matches!(self.kind(), ValueKind::LLVMFunctionValueKind | ValueKind::LLVMGlobalVariableValueKind);
        is_symbol && self.linkage() == Linkage::LLVMExternalWeakLinkage
    }

    /// The linkage of a global or function.
    pub fn linkage(self) -> Linkage {
        unsafe { core::LLVMGetLinkage(self.raw) }
    }

    /// The section of a global or function; empty if it is the usual one.
    pub fn section(self) -> Cow<'m, str> {
        unsafe {
            let raw = core::LLVMGetSection(self.raw);
            if raw.is_null() { Cow::Borrowed("") } else { CStr::from_ptr(raw).to_string_lossy() }
        }
    }

    /// The type of a global, function or alias itself, not of its address.
    pub fn value_type(self) -> Type<'m> {
        Type::of(unsafe { core::LLVMGlobalGetValueType(self.raw) })
    }

    /// The initial value of a global.
    pub fn initializer(self) -> Option<Value<'m>> {
        Value::new(unsafe { core::LLVMGetInitializer(self.raw) })
    }

    /// Whether nobody writes a global.
    pub fn is_constant_global(self) -> bool {
        unsafe { core::LLVMIsGlobalConstant(self.raw) != 0 }
    }

    /// Whether each thread has a global of its own.
    pub fn is_thread_local(self) -> bool {
        unsafe { core::LLVMIsThreadLocal(self.raw) != 0 }
    }

    /// What an alias stands for.
    pub fn aliasee(self) -> Option<Value<'m>> {
        Value::new(unsafe { core::LLVMAliasGetAliasee(self.raw) })
    }

    /// The parameters of a function.
    pub fn parameters(self) -> Vec<Value<'m>> {
        unsafe {
            let count = core::LLVMCountParams(self.raw);
            (0..count).filter_map(|i| Value::new(core::LLVMGetParam(self.raw, i))).collect()
        }
    }

    /// The blocks of a function, the entry first.
    pub fn blocks(self) -> Vec<Block<'m>> {
        unsafe { list(core::LLVMGetFirstBasicBlock(self.raw), core::LLVMGetNextBasicBlock, Block::new) }
    }

    /// Whether parameter `index` of a function has the attribute.
    pub fn parameter_has(self, index: u32, attribute: &str) -> bool {
        unsafe {
            let kind = core::LLVMGetEnumAttributeKindForName(attribute.as_ptr().cast(), attribute.len());
            !core::LLVMGetEnumAttributeAtIndex(self.raw, index + 1, kind).is_null()
        }
    }

    /// Removes an attribute from a function.
    pub fn remove_attribute(self, attribute: &str) {
        unsafe {
            let kind = core::LLVMGetEnumAttributeKindForName(attribute.as_ptr().cast(), attribute.len());
            core::LLVMRemoveEnumAttributeAtIndex(self.raw, FUNCTION_INDEX, kind);
        }
    }

    /// Adds an attribute to a function of a module.
    pub fn add_attribute(self, module: &LlvmModule<'_>, attribute: &str) {
        unsafe {
            let kind = core::LLVMGetEnumAttributeKindForName(attribute.as_ptr().cast(), attribute.len());
            let attribute = core::LLVMCreateEnumAttribute(module.context.raw, kind, 0);
            core::LLVMAddAttributeAtIndex(self.raw, FUNCTION_INDEX, attribute);
        }
    }

    /// Erases an instruction without uses. The handle must not be used again.
    pub fn erase(self) {
        unsafe { core::LLVMInstructionEraseFromParent(self.raw) }
    }

    /// Makes a function a declaration. Handles into its body must not be used again.
    pub fn delete_body(self) {
        let blocks = self.blocks();
        for inst in blocks.iter().flat_map(|b| b.instructions()).collect::<Vec<_>>() {
            unsafe {
                if !matches!(inst.ty().kind(), TypeKind::LLVMVoidTypeKind) {
                    core::LLVMReplaceAllUsesWith(inst.raw, core::LLVMGetUndef(inst.ty().raw));
                }
                core::LLVMInstructionEraseFromParent(inst.raw);
            }
        }
        for block in blocks {
            unsafe { core::LLVMDeleteBasicBlock(block.raw) }
        }
        unsafe {
            inkwell::llvm_sys::comdat::LLVMSetComdat(self.raw, ptr::null_mut());
            core::LLVMSetLinkage(self.raw, Linkage::LLVMExternalLinkage);
        }
    }
}

/// A basic block.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Block<'m> {
    pub(super) raw: LLVMBasicBlockRef,
    pub(super) module: PhantomData<&'m ()>,
}

impl<'m> Block<'m> {
    pub(super) fn new(raw: LLVMBasicBlockRef) -> Option<Block<'m>> {
        (!raw.is_null()).then_some(Block { raw, module: PhantomData })
    }

    /// The instructions, the terminator last.
    pub fn instructions(self) -> Vec<Value<'m>> {
        unsafe { list(core::LLVMGetFirstInstruction(self.raw), core::LLVMGetNextInstruction, Value::new) }
    }

    /// The terminator; none in a malformed block.
    pub fn terminator(self) -> Option<Value<'m>> {
        Value::new(unsafe { core::LLVMGetBasicBlockTerminator(self.raw) })
    }
}
