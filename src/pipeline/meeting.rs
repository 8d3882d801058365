//! What speaks for two accesses being to the same memory, for reports: the condition asks only whether they may be.

use lockpair_ir::{Module, TypeDef, TypeId};

/// Bytes `lo..hi` of a variable or an object of this type.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Span {
    /// The type.
    pub whole: TypeId,
    /// The first byte.
    pub lo: u64,
    /// One past the last byte.
    pub hi: u64,
}

/// Whether both have the bytes in the same place of a struct, alone or within what the other names.
pub fn is_of_one_member(module: &Module, a: Span, b: Span) -> bool {
    let is_struct = |ty: TypeId| module.as_struct(module.element(ty)).is_some();
    let has = |outer: Span, span: Span| {
        std::iter::successors(Some(outer), |&part| within(module, part)).any(|part| {
            part.whole == span.whole && part.lo < span.hi && span.lo < part.hi && is_struct(part.whole)
        })
    };
    has(a, b) || has(b, a)
}

/// The same bytes in the member or the element that has all of them.
fn within(module: &Module, span: Span) -> Option<Span> {
    let part = |whole: TypeId, at: u64| {
        let part = Span { whole, lo: span.lo - at, hi: span.hi - at };
        (part.hi <= module.size_of(whole)).then_some(part)
    };
    match &module.types[span.whole] {
        TypeDef::Struct(def) => def
            .fields
            .iter()
            .filter(|field| field.bits.is_none() && field.offset <= span.lo)
            .find_map(|field| part(field.ty, field.offset)),
        TypeDef::Array { elem, .. } => {
            let size = module.size_of(*elem).max(1);
            part(*elem, span.lo - span.lo % size)
        }
        TypeDef::Void | TypeDef::Int { .. } | TypeDef::Float(_) | TypeDef::Ptr(_) | TypeDef::Func { .. } => {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Span, is_of_one_member};
    use lockpair_ir::{Field, Module, StructDef, TypeDef, TypeId};

    fn strukt(module: &mut Module, name: &str, fields: &[(u64, TypeId)]) -> TypeId {
        let field = |&(offset, ty): &(u64, TypeId)| Field {
            name: format!("at{offset}"),
            offset,
            bits: None,
            ty,
            alias: String::new(),
        };
        let fields: Vec<Field> = fields.iter().map(field).collect();
        let size = fields.iter().map(|field| field.offset + module.size_of(field.ty)).max().unwrap_or(0);
        let name = name.to_owned();
        let def = StructDef { name, size, is_union: false, module_private: true, opaque: true, fields };
        module.types.push(TypeDef::Struct(def))
    }

    #[test]
    fn a_struct_is_found_within_another_and_in_arrays() {
        let mut module = Module::default();
        let int = module.types.push(TypeDef::Int { bits: 32, is_char: false });
        let inner = strukt(&mut module, "inner", &[(0, int), (4, int)]);
        let three = module.types.push(TypeDef::Array { elem: inner, count: 3 });
        let outer = strukt(&mut module, "outer", &[(0, int), (4, three)]);
        let other = strukt(&mut module, "other", &[(0, int), (4, int)]);
        let span = |whole, lo| Span { whole, lo, hi: lo + 4 };
        assert!(is_of_one_member(&module, span(outer, 16), span(inner, 4)));
        assert!(is_of_one_member(&module, span(inner, 4), span(outer, 16)));
        assert!(is_of_one_member(&module, span(three, 12), span(inner, 4)));
        assert!(!is_of_one_member(&module, span(outer, 16), span(inner, 0)));
        assert!(!is_of_one_member(&module, span(outer, 16), span(other, 4)));
        assert!(!is_of_one_member(&module, span(outer, 0), span(int, 0)), "two numbers are no member");
        let whole = Span { whole: outer, lo: 0, hi: 28 };
        assert!(is_of_one_member(&module, whole, span(outer, 16)));
    }
}
