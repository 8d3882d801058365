//! Safe handles on LLVM's C interface: the only place of the program that calls it.
//!
//! A handle ([`Value`], [`Type`], [`Block`], [`Meta`]) borrows the [`LlvmModule`] that it is from, so it
//! cannot outlive it. Handles of erased instructions must not be used again; only [`Value::erase`]
//! and [`Value::delete_body`] erase, and they say so. Methods that only make sense for some kinds of
//! values say which in their comment; callers look at [`Value::kind`] or [`Value::opcode`] first.
#![allow(unsafe_code)]

use inkwell::llvm_sys::prelude::*;
pub use inkwell::llvm_sys::{
    LLVMAtomicOrdering as AtomicOrdering, LLVMAtomicRMWBinOp as AtomicBinOp, LLVMIntPredicate as Predicate,
    LLVMLinkage as Linkage, LLVMOpcode as Opcode, LLVMTypeKind as TypeKind, LLVMValueKind as ValueKind,
    debuginfo::LLVMMetadataKind as MetaKind,
};
use inkwell::llvm_sys::{
    LLVMDiagnosticSeverity, analysis, bit_reader, core, debuginfo, error, ir_reader, target,
    transforms::pass_builder,
};
use std::borrow::Cow;
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_uint, c_void};
use std::marker::PhantomData;
use std::ptr;

/// Where function attributes are, among the attributes of parameters and result.
const FUNCTION_INDEX: c_uint = !0;

/// `DINode::FlagFwdDecl`.
const FLAG_FORWARD: i32 = 1 << 2;
/// `DINode::FlagBitField`.
const FLAG_BIT_FIELD: i32 = 1 << 19;

/// A context: owns types and metadata.
pub struct LlvmContext {
    raw: LLVMContextRef,
    /// What LLVM reported; boxed because LLVM keeps its address.
    messages: Box<RefCell<Vec<String>>>,
}

impl LlvmContext {
    /// A fresh context. What LLVM has to say is collected instead of printed.
    pub fn new() -> LlvmContext {
        let messages = Box::new(RefCell::new(Vec::new()));
        // SAFETY: the handler gets back the address of `messages`, which lives as long as the context.
        let raw = unsafe {
            let raw = core::LLVMContextCreate();
            let data: *const RefCell<Vec<String>> = &*messages;
            core::LLVMContextSetDiagnosticHandler(raw, Some(collect_message), data as *mut c_void);
            raw
        };
        LlvmContext { raw, messages }
    }

    /// Whether local values lose their names, which makes inlining much faster. The reader of textual IR
    /// needs the names.
    fn discard_names(&self, discard: bool) {
        // SAFETY: the context is valid.
        unsafe { core::LLVMContextSetDiscardValueNames(self.raw, discard.into()) }
    }

    /// What LLVM reported since the last call, in one line.
    fn take_messages(&self) -> String {
        self.messages.take().join("; ").replace('\n', " ")
    }
}

impl Drop for LlvmContext {
    fn drop(&mut self) {
        // SAFETY: every module borrows the context, so none is left.
        unsafe { core::LLVMContextDispose(self.raw) }
    }
}

extern "C" fn collect_message(info: LLVMDiagnosticInfoRef, data: *mut c_void) {
    // SAFETY: `data` is the address that `LlvmContext::new` passed; LLVM is not reentrant here.
    unsafe {
        let text = owned_message(core::LLVMGetDiagInfoDescription(info));
        let severity = core::LLVMGetDiagInfoSeverity(info);
        // Debug information that LLVM drops is only a warning for it.
        if matches!(severity, LLVMDiagnosticSeverity::LLVMDSError) || text.contains("ignoring") {
            (*(data as *const RefCell<Vec<String>>)).borrow_mut().push(text);
        }
    }
}

/// Takes over a message that LLVM allocated.
unsafe fn owned_message(raw: *mut c_char) -> String {
    if raw.is_null() {
        return String::new();
    }
    // SAFETY: LLVM returns zero-terminated strings that the caller disposes of.
    unsafe {
        let text = CStr::from_ptr(raw).to_string_lossy().trim().replace('\n', " ");
        core::LLVMDisposeMessage(raw);
        text
    }
}

/// A piece of text that LLVM owns.
unsafe fn borrowed_text<'m>(raw: *const c_char, len: usize) -> Cow<'m, str> {
    if raw.is_null() || len == 0 {
        return Cow::Borrowed("");
    }
    // SAFETY: the caller passes what LLVM returned; it lives as long as the module.
    String::from_utf8_lossy(unsafe { std::slice::from_raw_parts(raw.cast::<u8>(), len) })
}

/// A module of LLVM.
pub struct LlvmModule<'c> {
    raw: LLVMModuleRef,
    context: &'c LlvmContext,
}

impl Drop for LlvmModule<'_> {
    fn drop(&mut self) {
        // SAFETY: handles borrow the module, so none is left.
        unsafe { core::LLVMDisposeModule(self.raw) }
    }
}

impl<'c> LlvmModule<'c> {
    /// Reads bitcode, or textual IR if `textual`.
    pub fn parse(context: &'c LlvmContext, bytes: &[u8], textual: bool) -> Result<LlvmModule<'c>, String> {
        let mut module = ptr::null_mut();
        let mut message = ptr::null_mut();
        context.discard_names(!textual);
        // SAFETY: the buffer copies the bytes; the two readers differ in who disposes of it: the one of
        // textual IR takes it over, the one of bitcode does not.
        let failed = unsafe {
            let name = c"input".as_ptr();
            let buffer =
                core::LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes.as_ptr().cast(), bytes.len(), name);
            if textual {
                ir_reader::LLVMParseIRInContext(context.raw, buffer, &mut module, &mut message) != 0
            } else {
                #[allow(deprecated, reason = "the other one exits the process on an error")]
                let failed =
                    bit_reader::LLVMParseBitcodeInContext(context.raw, buffer, &mut module, &mut message)
                        != 0;
                core::LLVMDisposeMemoryBuffer(buffer);
                failed
            }
        };
        context.discard_names(true);
        // SAFETY: set by the reader, or null.
        let message = unsafe { owned_message(message) };
        let reported = context.take_messages();
        if failed || module.is_null() {
            return Err(if message.is_empty() { reported } else { message });
        }
        let module = LlvmModule { raw: module, context };
        if reported.is_empty() { Ok(module) } else { Err(reported) }
    }

    /// Checks LLVM's own invariants.
    pub fn verify(&self) -> Result<(), String> {
        let mut message = ptr::null_mut();
        let action = analysis::LLVMVerifierFailureAction::LLVMReturnStatusAction;
        // SAFETY: the module is valid.
        let broken = unsafe { analysis::LLVMVerifyModule(self.raw, action, &mut message) } != 0;
        // SAFETY: set by the verifier.
        let message = unsafe { owned_message(message) };
        if broken { Err(message) } else { Ok(()) }
    }

    /// Runs a pipeline of passes.
    pub fn run_passes(&self, pipeline: &str) -> Result<(), String> {
        let pipeline = CString::new(pipeline).map_err(|e| e.to_string())?;
        // SAFETY: the module is valid; without a target machine the passes are target-independent.
        unsafe {
            let options = pass_builder::LLVMCreatePassBuilderOptions();
            let failure = pass_builder::LLVMRunPasses(self.raw, pipeline.as_ptr(), ptr::null_mut(), options);
            pass_builder::LLVMDisposePassBuilderOptions(options);
            if failure.is_null() {
                return Ok(());
            }
            let raw = error::LLVMGetErrorMessage(failure);
            let text = CStr::from_ptr(raw).to_string_lossy().into_owned();
            error::LLVMDisposeErrorMessage(raw);
            Err(text)
        }
    }

    /// Turns debug records into calls of `llvm.dbg.*`, whose operands can be reached, or back.
    pub fn debug_records_as_calls(&self, as_calls: bool) {
        // SAFETY: the module is valid.
        unsafe { core::LLVMSetIsNewDbgInfoFormat(self.raw, (!as_calls).into()) }
    }

    /// All functions, defined and declared.
    pub fn functions(&self) -> Vec<Value<'_>> {
        // SAFETY: the module is valid; the list ends with null.
        unsafe { list(core::LLVMGetFirstFunction(self.raw), core::LLVMGetNextFunction, Value::new) }
    }

    /// All global variables.
    pub fn globals(&self) -> Vec<Value<'_>> {
        // SAFETY: as above.
        unsafe { list(core::LLVMGetFirstGlobal(self.raw), core::LLVMGetNextGlobal, Value::new) }
    }

    /// All aliases.
    pub fn aliases(&self) -> Vec<Value<'_>> {
        // SAFETY: as above.
        unsafe { list(core::LLVMGetFirstGlobalAlias(self.raw), core::LLVMGetNextGlobalAlias, Value::new) }
    }

    /// The compile units that the debug information is from.
    pub fn compile_units(&self) -> Vec<Meta<'_>> {
        let name = c"llvm.dbg.cu".as_ptr();
        // SAFETY: the buffer has the size that LLVM asked for.
        let nodes = unsafe {
            let count = core::LLVMGetNamedMetadataNumOperands(self.raw, name) as usize;
            let mut nodes: Vec<LLVMValueRef> = vec![ptr::null_mut(); count];
            core::LLVMGetNamedMetadataOperands(self.raw, name, nodes.as_mut_ptr());
            nodes
        };
        nodes.into_iter().filter_map(|raw| self.meta_of_value(raw)).collect()
    }

    /// Assembly at file scope.
    pub fn file_scope_asm(&self) -> Cow<'_, str> {
        let mut len = 0;
        // SAFETY: the module owns the text.
        unsafe { borrowed_text(core::LLVMGetModuleInlineAsm(self.raw, &mut len), len) }
    }

    /// The number by which the context knows a kind of metadata.
    pub fn meta_kind(&self, name: &str) -> u32 {
        // SAFETY: the name is passed with its length.
        unsafe {
            core::LLVMGetMDKindIDInContext(self.context.raw, name.as_ptr().cast(), name.len() as c_uint)
        }
    }

    /// Where a place in the source is recorded for an instruction.
    pub fn debug_loc(&self, inst: Value<'_>) -> Option<Meta<'_>> {
        // SAFETY: an instruction of this module.
        self.meta(unsafe { debuginfo::LLVMInstructionGetDebugLoc(inst.raw) })
    }

    /// The debug information of a function.
    pub fn subprogram(&self, function: Value<'_>) -> Option<Meta<'_>> {
        // SAFETY: a function of this module.
        let node = self.meta(unsafe { debuginfo::LLVMGetSubprogram(function.raw) });
        node.filter(|node| matches!(node.kind(), MetaKind::LLVMDISubprogramMetadataKind))
    }

    /// The debug information of a global variable.
    pub fn global_variable(&self, global: Value<'_>) -> Option<Meta<'_>> {
        let mut count = 0;
        // SAFETY: the entries are read within `count` and disposed of once.
        unsafe {
            let entries = core::LLVMGlobalCopyAllMetadata(global.raw, &mut count);
            let found = (0..count as c_uint)
                .map(|i| core::LLVMValueMetadataEntriesGetMetadata(entries, i))
                .filter_map(|raw| self.meta(raw))
                .find(|meta| matches!(meta.kind(), MetaKind::LLVMDIGlobalVariableExpressionMetadataKind));
            core::LLVMDisposeValueMetadataEntries(entries);
            found.and_then(|e| e.node_at(0, MetaKind::LLVMDIGlobalVariableMetadataKind))
        }
    }

    /// The metadata that is attached to an instruction under a kind.
    pub fn attached(&self, inst: Value<'_>, kind: u32) -> Option<Meta<'_>> {
        // SAFETY: an instruction of this module.
        let raw = unsafe { core::LLVMGetMetadata(inst.raw, kind) };
        self.meta_of_value(raw)
    }

    /// Attaches metadata to an instruction.
    pub fn attach(&self, inst: Value<'_>, kind: u32, meta: Meta<'_>) {
        // SAFETY: an instruction and a node of this module.
        unsafe {
            core::LLVMSetMetadata(inst.raw, kind, core::LLVMMetadataAsValue(self.context.raw, meta.raw))
        }
    }

    /// The metadata that an operand of a call wraps, if it is one.
    pub fn meta_operand(&self, call: Value<'_>, index: u32) -> Option<Meta<'_>> {
        self.meta_of_value(call.operand(index)?.raw)
    }

    /// The value that an operand of type metadata refers to, if it is one.
    pub fn value_in_meta_operand(&self, call: Value<'_>, index: u32) -> Option<Value<'_>> {
        let wrapped = call.operand(index)?.raw;
        // SAFETY: the check that it wraps a value comes first; a wrapped value is one operand.
        unsafe {
            if core::LLVMIsAValueAsMetadata(wrapped).is_null() {
                return None;
            }
            let mut raw = ptr::null_mut();
            core::LLVMGetMDNodeOperands(wrapped, &mut raw);
            Value::new(raw)
        }
    }

    fn meta(&self, raw: LLVMMetadataRef) -> Option<Meta<'_>> {
        (!raw.is_null()).then_some(Meta { raw, context: self.context.raw, module: PhantomData })
    }

    fn meta_of_value(&self, raw: LLVMValueRef) -> Option<Meta<'_>> {
        // SAFETY: null, or a value of this module; only wrapped nodes are unwrapped.
        unsafe {
            if raw.is_null() || core::LLVMIsAMDNode(raw).is_null() {
                return None;
            }
            self.meta(core::LLVMValueAsMetadata(raw))
        }
    }

    fn layout(&self) -> target::LLVMTargetDataRef {
        // SAFETY: the module is valid and owns its layout.
        unsafe { target::LLVMGetModuleDataLayout(self.raw) }
    }

    /// The size in bytes of a type in memory, padding included; 0 if it has none.
    pub fn size_of(&self, ty: Type<'_>) -> u64 {
        // SAFETY: only sized types are asked for.
        if ty.is_sized() { unsafe { target::LLVMABISizeOfType(self.layout(), ty.raw) } } else { 0 }
    }

    /// The number of bytes that a store of the type writes; 0 if it has no size.
    pub fn store_size_of(&self, ty: Type<'_>) -> u64 {
        // SAFETY: as above.
        if ty.is_sized() { unsafe { target::LLVMStoreSizeOfType(self.layout(), ty.raw) } } else { 0 }
    }

    /// The offset in bytes of an element of a struct type that has so many.
    pub fn offset_of(&self, ty: Type<'_>, element: u32) -> u64 {
        // SAFETY: a sized struct; callers stay within its elements.
        unsafe { target::LLVMOffsetOfElement(self.layout(), ty.raw, element) }
    }
}

/// Collects one of LLVM's linked lists.
unsafe fn list<R, H>(
    first: *mut R,
    next: unsafe extern "C" fn(*mut R) -> *mut R,
    handle: impl Fn(*mut R) -> Option<H>,
) -> Vec<H> {
    let mut items = Vec::new();
    let mut raw = first;
    while let Some(item) = handle(raw) {
        items.push(item);
        // SAFETY: `raw` is not null here.
        raw = unsafe { next(raw) };
    }
    items
}

/// A value: constant, global, function, argument or instruction.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Value<'m> {
    raw: LLVMValueRef,
    module: PhantomData<&'m ()>,
}

impl<'m> Value<'m> {
    fn new(raw: LLVMValueRef) -> Option<Value<'m>> {
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
    raw: LLVMBasicBlockRef,
    module: PhantomData<&'m ()>,
}

impl<'m> Block<'m> {
    fn new(raw: LLVMBasicBlockRef) -> Option<Block<'m>> {
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

/// A type of LLVM.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Type<'m> {
    raw: LLVMTypeRef,
    module: PhantomData<&'m ()>,
}

impl<'m> Type<'m> {
    fn of(raw: LLVMTypeRef) -> Type<'m> {
        Type { raw, module: PhantomData }
    }

    /// What kind of type it is.
    pub fn kind(self) -> TypeKind {
        // SAFETY: a valid type, as in all methods below.
        unsafe { core::LLVMGetTypeKind(self.raw) }
    }

    /// Whether objects of it can be in memory with a size known now.
    pub fn is_sized(self) -> bool {
        let scalable = matches!(self.kind(), TypeKind::LLVMScalableVectorTypeKind);
        !scalable && unsafe { core::LLVMTypeIsSized(self.raw) != 0 }
    }

    /// The width of an integer type.
    pub fn int_bits(self) -> Option<u32> {
        let is_int = matches!(self.kind(), TypeKind::LLVMIntegerTypeKind);
        is_int.then(|| unsafe { core::LLVMGetIntTypeWidth(self.raw) })
    }

    /// The name of a struct type; none for a literal one, and for other types.
    pub fn struct_name(self) -> Option<Cow<'m, str>> {
        if !matches!(self.kind(), TypeKind::LLVMStructTypeKind) {
            return None;
        }
        unsafe {
            let raw = core::LLVMGetStructName(self.raw);
            (!raw.is_null()).then(|| CStr::from_ptr(raw).to_string_lossy())
        }
    }

    /// The elements of a struct type.
    pub fn struct_elements(self) -> Vec<Type<'m>> {
        unsafe {
            let count = core::LLVMCountStructElementTypes(self.raw) as usize;
            let mut raw: Vec<LLVMTypeRef> = vec![ptr::null_mut(); count];
            core::LLVMGetStructElementTypes(self.raw, raw.as_mut_ptr());
            raw.into_iter().map(Type::of).collect()
        }
    }

    /// An element of a struct type.
    pub fn struct_element(self, index: u32) -> Option<Type<'m>> {
        unsafe {
            let within = index < core::LLVMCountStructElementTypes(self.raw);
            within.then(|| Type::of(core::LLVMStructGetTypeAtIndex(self.raw, index)))
        }
    }

    /// The element type of an array or vector.
    pub fn array_element(self) -> Type<'m> {
        Type::of(unsafe { core::LLVMGetElementType(self.raw) })
    }

    /// The number of elements of an array.
    pub fn array_len(self) -> u64 {
        unsafe { core::LLVMGetArrayLength2(self.raw) }
    }

    /// The result type of a function type.
    pub fn return_type(self) -> Type<'m> {
        Type::of(unsafe { core::LLVMGetReturnType(self.raw) })
    }

    /// Whether a function type takes more arguments than it names.
    pub fn is_variadic(self) -> bool {
        unsafe { core::LLVMIsFunctionVarArg(self.raw) != 0 }
    }
}

/// A node of the debug information.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Meta<'m> {
    raw: LLVMMetadataRef,
    context: LLVMContextRef,
    module: PhantomData<&'m ()>,
}

/// An operand of a node.
#[derive(Copy, Clone, Debug)]
pub enum MetaOperand<'m> {
    /// There is none at this place.
    None,
    /// A node or a string.
    Meta(Meta<'m>),
    /// A constant.
    Constant(Value<'m>),
}

impl<'m> MetaOperand<'m> {
    /// The node, if it is one.
    pub fn meta(self) -> Option<Meta<'m>> {
        match self {
            MetaOperand::Meta(meta) => Some(meta),
            MetaOperand::None | MetaOperand::Constant(_) => None,
        }
    }
}

impl<'m> Meta<'m> {
    fn sibling(self, raw: LLVMMetadataRef) -> Option<Meta<'m>> {
        (!raw.is_null()).then_some(Meta { raw, ..self })
    }

    /// What kind of node it is.
    pub fn kind(self) -> MetaKind {
        // SAFETY: a valid node, as in all methods below.
        unsafe { debuginfo::LLVMGetMetadataKind(self.raw) }
    }

    /// The DWARF tag.
    pub fn tag(self) -> u16 {
        unsafe { debuginfo::LLVMGetDINodeTag(self.raw) }
    }

    /// All operands of a node. Which is which follows LLVM's `DebugInfoMetadata.h`.
    pub fn operands(self) -> Vec<MetaOperand<'m>> {
        unsafe {
            let node = core::LLVMMetadataAsValue(self.context, self.raw);
            let count = core::LLVMGetMDNodeNumOperands(node) as usize;
            let mut raw: Vec<LLVMValueRef> = vec![ptr::null_mut(); count];
            core::LLVMGetMDNodeOperands(node, raw.as_mut_ptr());
            raw.into_iter().map(|raw| self.operand_of(raw)).collect()
        }
    }

    fn operand_of(self, raw: LLVMValueRef) -> MetaOperand<'m> {
        let Some(value) = Value::new(raw) else { return MetaOperand::None };
        if !matches!(value.kind(), ValueKind::LLVMMetadataAsValueValueKind) {
            return MetaOperand::Constant(value);
        }
        match self.sibling(unsafe { core::LLVMValueAsMetadata(raw) }) {
            Some(meta) => MetaOperand::Meta(meta),
            None => MetaOperand::None,
        }
    }

    /// The text of a string.
    pub fn string(self) -> Cow<'m, str> {
        if !matches!(self.kind(), MetaKind::LLVMMDStringMetadataKind) {
            return Cow::Borrowed("");
        }
        let mut len = 0;
        unsafe {
            let value = core::LLVMMetadataAsValue(self.context, self.raw);
            let raw = core::LLVMGetMDString(value, &mut len);
            borrowed_text(raw, len as usize)
        }
    }

    /// The text of an operand; empty if it is none. (LLVM's own accessors trust that it is a string.)
    fn text_at(self, index: usize) -> Cow<'m, str> {
        let operand = self.operands().get(index).and_then(|operand| operand.meta());
        operand.map(Meta::string).unwrap_or_default()
    }

    /// The operand, if it is a node of the kind.
    fn node_at(self, index: usize, wanted: MetaKind) -> Option<Meta<'m>> {
        let node = self.operands().get(index)?.meta()?;
        (node.kind() as u32 == wanted as u32).then_some(node)
    }

    /// The name of a type or member.
    pub fn type_name(self) -> Cow<'m, str> {
        self.text_at(2)
    }

    /// The size in bits of a type or member.
    pub fn size_in_bits(self) -> u64 {
        unsafe { debuginfo::LLVMDITypeGetSizeInBits(self.raw) }
    }

    /// The offset in bits of a member.
    pub fn offset_in_bits(self) -> u64 {
        unsafe { debuginfo::LLVMDITypeGetOffsetInBits(self.raw) }
    }

    /// The line of the declaration of a type.
    pub fn type_line(self) -> u32 {
        unsafe { debuginfo::LLVMDITypeGetLine(self.raw) }
    }

    /// Whether a type is only declared.
    pub fn is_forward(self) -> bool {
        unsafe { debuginfo::LLVMDITypeGetFlags(self.raw) & FLAG_FORWARD != 0 }
    }

    /// Whether a member is a bit-field.
    pub fn is_bit_field(self) -> bool {
        unsafe { debuginfo::LLVMDITypeGetFlags(self.raw) & FLAG_BIT_FIELD != 0 }
    }

    /// The file of a scope.
    pub fn scope_file(self) -> Option<Meta<'m>> {
        match self.kind() {
            MetaKind::LLVMDIFileMetadataKind => Some(self),
            _ => self.node_at(0, MetaKind::LLVMDIFileMetadataKind),
        }
    }

    /// Directory and name of a file.
    pub fn file_name(self) -> (Cow<'m, str>, Cow<'m, str>) {
        (self.text_at(1), self.text_at(0))
    }

    /// The line of a function.
    pub fn subprogram_line(self) -> u32 {
        unsafe { debuginfo::LLVMDISubprogramGetLine(self.raw) }
    }

    /// File and line of a variable.
    pub fn variable_place(self) -> (Option<Meta<'m>>, u32) {
        let file = self.node_at(2, MetaKind::LLVMDIFileMetadataKind);
        (file, unsafe { debuginfo::LLVMDIVariableGetLine(self.raw) })
    }

    /// Line and column of a place.
    pub fn loc_position(self) -> (u32, u32) {
        unsafe { (debuginfo::LLVMDILocationGetLine(self.raw), debuginfo::LLVMDILocationGetColumn(self.raw)) }
    }

    /// The scope of a place.
    pub fn loc_scope(self) -> Option<Meta<'m>> {
        self.sibling(unsafe { debuginfo::LLVMDILocationGetScope(self.raw) })
    }

    /// Where the function that a place is in was inlined.
    pub fn loc_inlined_at(self) -> Option<Meta<'m>> {
        self.sibling(unsafe { debuginfo::LLVMDILocationGetInlinedAt(self.raw) })
    }
}
