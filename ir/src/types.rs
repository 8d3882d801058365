//! Value types (what a register holds) and declared types (what the C source says of memory).

use crate::entity_id;

entity_id!(
    /// A declared C type, with qualifiers and typedefs stripped.
    TypeId,
    "ty"
);

/// The type of a value in a register.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Ty {
    /// An integer of the given number of bits, 1 to 128. Its value is kept unsigned: `0 <= v < 2^bits`.
    Int(u16),
    /// An address.
    Ptr,
    /// What the analysis does not look into (floats, vectors, first-class aggregates), of this many bytes.
    Opaque(u32),
}

impl Ty {
    /// The bytes that a load or store of this type touches.
    pub fn bytes(self) -> u64 {
        match self {
            Ty::Int(bits) => u64::from(bits).div_ceil(8),
            Ty::Ptr => 8,
            Ty::Opaque(n) => u64::from(n),
        }
    }
}

/// A declared C type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TypeDef {
    /// `void`, or a type the debug information does not give.
    Void,
    /// An integer or enumeration.
    Int {
        /// The width in bits.
        bits: u16,
        /// Whether it is a character type, whose lvalues may alias any object.
        is_char: bool,
    },
    /// A floating-point number of this many bits.
    Float(u16),
    /// A pointer to the type.
    Ptr(TypeId),
    /// A struct or union.
    Struct(StructDef),
    /// An array.
    Array {
        /// The element type.
        elem: TypeId,
        /// The number of elements; zero for a flexible array member.
        count: u64,
    },
    /// A function type.
    Func {
        /// The parameter types.
        params: Vec<TypeId>,
        /// The result type.
        ret: TypeId,
        /// Whether more arguments may follow.
        variadic: bool,
    },
}

/// The layout of a struct or union.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct StructDef {
    /// The tag; anonymous ones get a name that is unique in the module, starting with `anon`.
    pub name: String,
    /// The size in bytes.
    pub size: u64,
    /// Whether the members overlap.
    pub is_union: bool,
    /// Whether the declaration stands in the driver's own files rather than in a system header:
    /// code outside of the module then knows none of its fields.
    pub module_private: bool,
    /// Whether it stands in a C file, not in a header: code of other files may know that there is such a struct, but none
    /// of its fields.
    pub opaque: bool,
    /// The members in order of declaration; an incomplete type has none and size 0.
    pub fields: Vec<Field>,
}

/// A member of a struct or union.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Field {
    /// The name; empty for an anonymous struct or union member.
    pub name: String,
    /// The offset in bytes of the member, or of the byte where a bit-field begins.
    pub offset: u64,
    /// The size in bits for a bit-field.
    pub bits: Option<u16>,
    /// The declared type.
    pub ty: TypeId,
    /// The typedef of a header of the kernel by which a pointer to a function is declared; else empty.
    pub alias: String,
}
