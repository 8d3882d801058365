//! Pointer members: which member of which struct an access is to.

pub use super::layout::FieldId;
use super::layout::{Layout, Shape};
use lockpair_ir::*;

/// The member that the bytes lie in, if they lie in one alone; none for members of unions and bit-fields.
pub fn of_shape(module: &Module, layout: &Layout, shape: Shape) -> Option<FieldId> {
    let Shape::In { strukt, lo, hi } = shape else { return None };
    let (inner, at) = layout.innermost(strukt, lo);
    let field = declaration(module, inner, at)?;
    let end = field.offset + module.size_of(field.ty);
    (at + (hi - lo) <= end).then_some(FieldId { strukt: inner, offset: field.offset })
}

/// The members of which some bytes have the shape.
pub fn in_shape(module: &Module, layout: &Layout, shape: Shape) -> impl Iterator<Item = FieldId> {
    let (strukt, bytes) = match shape {
        // Where a block goes on to nobody knows where, there are no members behind the struct.
        Shape::In { strukt, lo, hi } => (Some(strukt), lo..hi.min(module.size_of(strukt).max(lo + 1))),
        _ => (None, 0..0),
    };
    let mut next = bytes.start;
    std::iter::from_fn(move || {
        while next < bytes.end {
            let (inner, at) = layout.innermost(strukt?, next);
            let Some(field) = declaration(module, inner, at) else {
                next += 1;
                continue;
            };
            next += (field.offset + module.size_of(field.ty)).saturating_sub(at).max(1);
            return Some(FieldId { strukt: inner, offset: field.offset });
        }
        None
    })
}

/// The shape of a whole member.
pub fn shape(module: &Module, id: FieldId) -> Shape {
    Shape::In { strukt: id.strukt, lo: id.offset, hi: id.offset + size(module, id) }
}

/// How many bytes a member has.
pub fn size(module: &Module, id: FieldId) -> u64 {
    declaration(module, id.strukt, id.offset).map_or(1, |f| module.size_of(f.ty).max(1))
}

/// The type of a member, or of its elements if it is an array.
pub fn element(module: &Module, id: FieldId) -> Option<TypeId> {
    Some(module.innermost_element(declaration(module, id.strukt, id.offset)?.ty))
}

/// The type that the pointers in a member are declared to point to, if it has pointers.
pub fn pointee(module: &Module, id: FieldId) -> Option<TypeId> {
    module.pointee(element(module, id)?)
}

/// Whether the pointers in a member may lead to anything, as far as the declaration says: it is a `void *`, or a number.
pub fn is_untyped(module: &Module, id: FieldId) -> bool {
    element(module, id).is_some_and(|ty| matches!(module.types[ty], TypeDef::Int { .. }))
        || pointee(module, id).is_some_and(|ty| matches!(module.types[ty], TypeDef::Void))
}

/// Whether a pointer to the type is declared to point to data: numbers, characters, pointers.
pub fn is_data(module: &Module, ty: TypeId) -> bool {
    match module.types[ty] {
        TypeDef::Int { .. } | TypeDef::Float(_) | TypeDef::Ptr(_) => true,
        TypeDef::Array { elem, .. } => is_data(module, elem),
        TypeDef::Void | TypeDef::Struct(_) | TypeDef::Func { .. } => false,
    }
}

/// How people call a member.
pub fn name(module: &Module, id: FieldId) -> String {
    let strukt = module.as_struct(id.strukt).map_or("?", |s| &s.name);
    format!("{strukt}.{}", module.path_at(id.strukt, id.offset))
}

/// Where the member begins that covers that byte of a struct; none in a union.
pub fn begin(module: &Module, strukt: TypeId, at: u64) -> Option<u64> {
    declaration(module, strukt, at).map(|field| field.offset)
}

/// The bytes of the array that has that byte of a struct. What the innermost struct around it begins with may be meant as that
/// struct, and an array of one element as one without an end.
pub fn array_at(module: &Module, layout: &Layout, strukt: TypeId, at: u64) -> Option<(u64, u64)> {
    let (inner, within) = layout.innermost(strukt, at);
    let field = declaration(module, inner, within).filter(|field| field.offset > 0)?;
    let is_array = matches!(module.types[field.ty], TypeDef::Array { count: 2.., .. });
    let begin = at - within + field.offset;
    is_array.then(|| (begin, begin + module.size_of(field.ty)))
}

fn declaration(module: &Module, strukt: TypeId, at: u64) -> Option<&Field> {
    let def = module.as_struct(strukt).filter(|s| !s.is_union)?;
    let covers = |f: &&Field| f.offset <= at && at < module.end_of(def, f);
    def.fields.iter().filter(|f| f.bits.is_none()).find(covers)
}
