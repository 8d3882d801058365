//! Nodes of the debug information.

use super::{FLAG_BIT_FIELD, FLAG_FORWARD, MetaKind, Value, ValueKind, borrowed_text};
use inkwell::llvm_sys::prelude::{LLVMContextRef, LLVMMetadataRef, LLVMValueRef};
use inkwell::llvm_sys::{core, debuginfo};
use std::borrow::Cow;
use std::marker::PhantomData;
use std::ptr;

/// A node of the debug information.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Meta<'m> {
    pub(super) raw: LLVMMetadataRef,
    pub(super) context: LLVMContextRef,
    pub(super) module: PhantomData<&'m ()>,
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
    pub(super) fn sibling(self, raw: LLVMMetadataRef) -> Option<Meta<'m>> {
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
    pub(super) fn node_at(self, index: usize, wanted: MetaKind) -> Option<Meta<'m>> {
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
