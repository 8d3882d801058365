//! Safe handles on LLVM's C interface: the only place of the program that calls it.
//!
//! A handle ([`Value`], [`Type`], [`Block`], [`Meta`]) borrows the [`LlvmModule`] that it is from, so it
//! cannot outlive it. Handles of erased instructions must not be used again; only [`Value::erase`]
//! and [`Value::delete_body`] erase, and they say so. Methods that only make sense for some kinds of
//! values say which in their comment; callers look at [`Value::kind`] or [`Value::opcode`] first.
#![allow(unsafe_code)]

mod meta;
mod types;
mod value;

pub use meta::{Meta, MetaOperand};
pub use types::Type;
pub use value::{Block, Value};

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
