//! The structs of all files together, by tag: what inferred rows need to name members.

use super::Symbol;
use lockpair_ir::{Module, TypeDef, TypeId};
use std::collections::BTreeMap;

/// A type, as far as members are named by it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Type {
    /// A struct or union with that tag.
    Struct(Symbol),
    /// A pointer to what is followed.
    Pointer(Box<Type>),
    /// A function: the parameters.
    Function(Vec<Type>),
    /// So many elements of so many bytes.
    Array(Box<Type>, u64),
    /// Anything else.
    Other,
}

/// A member.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// Its name; empty if it has none.
    pub name: Symbol,
    /// Where it begins.
    pub offset: u64,
    /// How long it is.
    pub size: u64,
    /// What it is.
    pub ty: Type,
}

/// A struct, as the files declare it.
#[derive(Clone, Debug)]
struct Declared {
    fields: Vec<Field>,
    /// Whether C files declare it only, no header.
    in_files: bool,
}

/// The members of the structs.
#[derive(Clone, Default, Debug)]
pub struct Types {
    structs: BTreeMap<Symbol, Declared>,
}

impl Types {
    /// Those of a module.
    pub fn of(module: &Module) -> Types {
        let mut types = Types::default();
        for ty in module.types.values() {
            if let TypeDef::Struct(def) = ty
                && !def.fields.is_empty()
            {
                let mut fields = Vec::new();
                flatten(module, ty, 0, &mut fields);
                types.structs.insert(def.name.as_str().into(), Declared { fields, in_files: def.opaque });
            }
        }
        types
    }

    /// Takes over what is not known yet. Anonymous structs have names that only their module knows.
    pub fn merge(&mut self, other: Types) {
        for (tag, declared) in other.structs {
            if !tag.starts_with("anon") {
                let in_files = declared.in_files;
                self.structs.entry(tag).or_insert(declared).in_files &= in_files;
            }
        }
    }

    /// Whether C files declare the struct and no header does: what one file has in such a struct no other can fill in.
    pub fn is_in_files(&self, strukt: &str) -> bool {
        self.structs.get(strukt).is_some_and(|declared| declared.in_files)
    }

    fn fields(&self, strukt: &str) -> Option<&[Field]> {
        self.structs.get(strukt).map(|declared| declared.fields.as_slice())
    }

    /// The parameters of the functions that a member has.
    pub fn params(&self, strukt: &str, field: &str) -> Option<&[Type]> {
        match self.named(strukt, field)? {
            Type::Pointer(to) => match &**to {
                Type::Function(params) => Some(params),
                _ => None,
            },
            _ => None,
        }
    }

    /// What a member is.
    pub fn named(&self, strukt: &str, field: &str) -> Option<&Type> {
        self.fields(strukt)?.iter().find(|f| &*f.name == field).map(|field| &field.ty)
    }

    /// `a.b` for the member at the offset, and its type; none if a member is in no struct with a tag.
    pub fn member(&self, strukt: &str, offset: u64) -> Option<(Vec<Symbol>, &Type)> {
        let (mut tag, mut at) = (strukt, offset);
        let mut names = Vec::new();
        loop {
            let fields = self.fields(tag)?;
            let field = fields.iter().find(|f| f.offset <= at && at < f.offset + f.size.max(1))?;
            names.push(field.name.clone());
            at -= field.offset;
            match &field.ty {
                Type::Struct(inner) if at > 0 => tag = inner,
                ty if at == 0 => return (!names.iter().any(|n| n.is_empty())).then_some((names, ty)),
                _ => return None,
            }
        }
    }
}

/// Members of anonymous members are members.
fn flatten(module: &Module, ty: &TypeDef, at: u64, fields: &mut Vec<Field>) {
    let TypeDef::Struct(def) = ty else { return };
    for field in def.fields.iter().filter(|f| f.bits.is_none()) {
        let inner = &module.types[field.ty];
        if field.name.is_empty() && matches!(inner, TypeDef::Struct(_)) {
            flatten(module, inner, at + field.offset, fields);
        } else {
            fields.push(Field {
                name: field.name.as_str().into(),
                offset: at + field.offset,
                size: module.size_of(field.ty),
                ty: convert(module, field.ty, 0),
            });
        }
    }
}

/// What a type is, so far.
pub fn convert(module: &Module, ty: TypeId, depth: u32) -> Type {
    match &module.types[ty] {
        TypeDef::Struct(def) => Type::Struct(def.name.as_str().into()),
        TypeDef::Ptr(to) if depth < 2 => Type::Pointer(Box::new(convert(module, *to, depth + 1))),
        TypeDef::Func { params, .. } if depth < 2 => {
            Type::Function(params.iter().map(|p| convert(module, *p, 0)).collect())
        }
        TypeDef::Array { elem, count } => Type::Array(Box::new(convert(module, *elem, depth)), *count),
        _ => Type::Other,
    }
}
