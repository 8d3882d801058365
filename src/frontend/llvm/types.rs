//! Types, as LLVM has them: pointers do not say what they point to.

use super::TypeKind;
use inkwell::llvm_sys::core;
use inkwell::llvm_sys::prelude::LLVMTypeRef;
use std::borrow::Cow;
use std::ffi::CStr;
use std::marker::PhantomData;
use std::ptr;

/// A type of LLVM.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Type<'m> {
    pub(super) raw: LLVMTypeRef,
    pub(super) module: PhantomData<&'m ()>,
}

impl<'m> Type<'m> {
    pub(super) fn of(raw: LLVMTypeRef) -> Type<'m> {
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
