//! LLVM's types: what they are as values, and which declared type a struct type stands for.
//!
//! With opaque pointers the instructions know only LLVM's struct types. Named ones are matched with the
//! debug information by tag and size; anonymous ones by their place in a struct that is matched already,
//! else by a layout that only one anonymous struct has; what is left gets a type made from LLVM's layout.
//!
//! Where several files were linked, the names of struct types say nothing: LLVM's linker makes one type of
//! all that have one layout, and keeps any of the names. There, a struct type that fits several declared
//! structs stands for none ([`Layouts::known_at`]).

use super::debug::Sources;
use super::llvm::{LlvmModule, Meta, Type, TypeKind};
use super::types::Types;
use lockpair_ir::{Field, StructDef, Ty, TypeDef, TypeId};
use std::collections::HashMap;

/// The largest integer that the IR has.
const MAX_INT: u32 = 128;

/// The type of a value; none for `void` and the like.
pub fn value_type(module: &LlvmModule<'_>, ty: Type<'_>) -> Option<Ty> {
    match ty.kind() {
        TypeKind::LLVMVoidTypeKind
        | TypeKind::LLVMLabelTypeKind
        | TypeKind::LLVMMetadataTypeKind
        | TypeKind::LLVMTokenTypeKind => None,
        TypeKind::LLVMPointerTypeKind => Some(Ty::Ptr),
        TypeKind::LLVMIntegerTypeKind => match ty.int_bits() {
            Some(bits) if bits <= MAX_INT => Some(Ty::Int(bits as u16)),
            _ => Some(opaque(module, ty)),
        },
        _ => Some(opaque(module, ty)),
    }
}

fn opaque(module: &LlvmModule<'_>, ty: Type<'_>) -> Ty {
    Ty::Opaque(u32::try_from(module.store_size_of(ty)).unwrap_or(u32::MAX))
}

/// The declared types of a module, and what LLVM's types have to do with them.
pub struct Layouts<'m> {
    module: &'m LlvmModule<'m>,
    /// The declared types.
    pub types: Types<'m>,
    matched: HashMap<Type<'m>, TypeId>,
    /// Whether struct types are called what they were called in the source.
    names_hold: bool,
    /// Struct types that may stand for another struct than the given one.
    ambiguous: HashMap<(Type<'m>, TypeId), bool>,
}

impl<'m> Layouts<'m> {
    /// Nothing is known at first.
    pub fn new(module: &'m LlvmModule<'m>) -> Layouts<'m> {
        let names_hold = module.compile_units().len() <= 1;
        let (matched, ambiguous) = (HashMap::new(), HashMap::new());
        Layouts { module, types: Types::new(), matched, names_hold, ambiguous }
    }

    /// Takes in declared types, for their structs.
    pub fn declare(&mut self, sources: &mut Sources<'m>, nodes: impl IntoIterator<Item = Meta<'m>>) {
        for node in nodes {
            self.types.declared(sources, Some(node));
        }
    }

    /// Matches the struct types that the module uses. Named ones come first, because they say what the
    /// anonymous ones in them are.
    pub fn match_all(&mut self, used: &[Type<'m>]) {
        for &ty in used {
            self.match_named(ty);
        }
    }

    /// The declared type that is best for a type of LLVM.
    pub fn type_of(&mut self, ty: Type<'m>) -> TypeId {
        match ty.kind() {
            TypeKind::LLVMStructTypeKind => self.struct_of(ty),
            TypeKind::LLVMArrayTypeKind => {
                let elem = self.type_of(ty.array_element());
                self.types.array(elem, ty.array_len())
            }
            TypeKind::LLVMPointerTypeKind => {
                let void = self.types.void();
                self.types.pointer(void)
            }
            TypeKind::LLVMIntegerTypeKind => {
                let bits = ty.int_bits().unwrap_or(8);
                self.types.int(u16::try_from(bits).unwrap_or(u16::MAX))
            }
            TypeKind::LLVMVoidTypeKind | TypeKind::LLVMFunctionTypeKind => self.types.void(),
            _ => {
                let bits = self.module.store_size_of(ty).saturating_mul(8);
                self.types.float(u16::try_from(bits).unwrap_or(u16::MAX))
            }
        }
    }

    /// The declared type of a struct type that is found at an offset in a struct, if that is known: members
    /// of unions have no place in LLVM's types.
    pub fn struct_at(&mut self, ty: Type<'m>, place: Option<(TypeId, u64)>) -> TypeId {
        if !self.matched.contains_key(&ty)
            && ty.struct_name().is_some_and(|name| tag_of(&name) == "anon")
            && let Some((outer, offset)) = place
            && let Some(id) = self.by_place(ty, outer, offset)
        {
            self.associate(ty, id);
        }
        self.struct_of(ty)
    }

    /// The same, but none if the struct type may as well stand for another declared struct.
    pub fn known_at(&mut self, ty: Type<'m>, place: Option<(TypeId, u64)>) -> Option<TypeId> {
        let id = self.struct_at(ty, place);
        (!self.is_ambiguous(ty, id)).then_some(id)
    }

    /// The declared type that is best for a type of LLVM, if there is no other that is as good.
    pub fn known_type_of(&mut self, ty: Type<'m>) -> Option<TypeId> {
        let id = self.type_of(ty);
        let (inner, declared) = (innermost(ty), self.innermost_declared(id));
        (!self.is_ambiguous(inner, declared)).then_some(id)
    }

    fn is_ambiguous(&mut self, ty: Type<'m>, id: TypeId) -> bool {
        if self.names_hold || !ty.is_sized() || !matches!(ty.kind(), TypeKind::LLVMStructTypeKind) {
            return false;
        }
        if let Some(&known) = self.ambiguous.get(&(ty, id)) {
            return known;
        }
        let fits =
            |(other, def): (TypeId, &StructDef)| (other != id && self.fits_struct(ty, def)).then_some(other);
        let others: Vec<TypeId> = self.types.structs().filter_map(fits).collect();
        let found = !others.is_empty();
        if found {
            // Accesses that are known by their bytes only must be taken to reach them.
            others.into_iter().chain([id]).for_each(|id| self.types.set_known_outside(id));
        }
        self.ambiguous.insert((ty, id), found);
        found
    }

    /// Whether clang may make the type of LLVM from the declared one.
    fn fits(&self, ty: Type<'m>, declared: TypeId) -> bool {
        match (ty.kind(), self.types.def(declared)) {
            (TypeKind::LLVMStructTypeKind, TypeDef::Struct(def)) => self.fits_struct(ty, def),
            (TypeKind::LLVMArrayTypeKind, TypeDef::Array { elem, count }) => {
                ty.array_len() == *count && self.fits(ty.array_element(), *elem)
            }
            (TypeKind::LLVMPointerTypeKind, TypeDef::Ptr(_)) => true,
            (TypeKind::LLVMIntegerTypeKind, TypeDef::Int { bits, .. }) => {
                self.module.size_of(ty) == u64::from(*bits).div_ceil(8)
            }
            (TypeKind::LLVMStructTypeKind | TypeKind::LLVMArrayTypeKind, _)
            | (TypeKind::LLVMPointerTypeKind | TypeKind::LLVMIntegerTypeKind, _) => false,
            // Numbers that the analysis does not look into.
            (_, _) => self.module.size_of(ty) == self.types.size_of(declared),
        }
    }

    /// The same for structs: each member of any size has its element, and what has no member is padding or
    /// holds bit-fields. Of a union there is one member, and padding.
    fn fits_struct(&self, ty: Type<'m>, def: &StructDef) -> bool {
        if self.module.size_of(ty) != def.size {
            return false;
        }
        let mut elements: Vec<(u64, Type<'m>)> = (0u32..)
            .zip(ty.struct_elements())
            .map(|(index, element)| (self.module.offset_of(ty, index), element))
            .collect();
        let (bit_fields, members): (Vec<&Field>, Vec<&Field>) =
            def.fields.iter().partition(|field| field.bits.is_some());
        let mut place = |field: &Field| {
            let fits = |(offset, element): &(u64, Type<'m>)| {
                *offset == field.offset && self.fits(*element, field.ty)
            };
            elements.iter().position(fits).map(|found| elements.remove(found)).is_some()
        };
        let has_members = match def.is_union {
            true => !bit_fields.is_empty() || members.iter().any(|field| place(field)),
            false => members.iter().all(|field| place(field) || self.types.size_of(field.ty) == 0),
        };
        has_members && elements.iter().all(|(_, rest)| is_filler(*rest, !bit_fields.is_empty()))
    }

    /// Takes in that a variable of the one type was declared with the other.
    pub fn pair(&mut self, ty: Type<'m>, declared: TypeId) {
        let (ty, declared) = (innermost(ty), self.innermost_declared(declared));
        if ty.struct_name().is_some()
            && !self.matched.contains_key(&ty)
            && matches!(self.types.def(declared), TypeDef::Struct(def) if def.size == self.module.size_of(ty))
        {
            self.associate(ty, declared);
        }
    }

    /// The only struct at a place that is laid out like this one.
    fn by_place(&self, ty: Type<'m>, outer: TypeId, offset: u64) -> Option<TypeId> {
        let size = self.module.size_of(ty);
        let mut found = Vec::new();
        self.collect_at(outer, offset, &mut found);
        found.retain(|(_, def)| def.size == size && def.name.starts_with("anon"));
        if found.len() > 1 {
            found.retain(|(_, def)| self.same_offsets(ty, def));
        }
        match found.as_slice() {
            [(id, _)] => Some(*id),
            _ => None,
        }
    }

    /// The structs that begin at an offset of a struct, at any depth.
    fn collect_at<'s>(&'s self, outer: TypeId, offset: u64, found: &mut Vec<(TypeId, &'s StructDef)>) {
        let TypeDef::Struct(def) = self.types.def(outer) else { return };
        for field in def.fields.iter().filter(|field| field.bits.is_none() && field.offset <= offset) {
            let inner = self.innermost_declared(field.ty);
            let TypeDef::Struct(inner_def) = self.types.def(inner) else { continue };
            if field.offset == offset {
                found.push((inner, inner_def));
            }
            if offset - field.offset < self.types.size_of(field.ty) {
                self.collect_at(inner, offset - field.offset, found);
            }
        }
    }

    /// The declared type of a struct type.
    pub fn struct_of(&mut self, ty: Type<'m>) -> TypeId {
        if let Some(&id) = self.matched.get(&ty) {
            return id;
        }
        if self.match_named(ty)
            && let Some(&id) = self.matched.get(&ty)
        {
            return id;
        }
        if let Some(id) = self.by_layout(ty) {
            self.associate(ty, id);
            return id;
        }
        self.as_llvm_has_it(ty)
    }

    /// Matches a struct type by its tag; false if it has none, or none that is known.
    fn match_named(&mut self, ty: Type<'m>) -> bool {
        if self.matched.contains_key(&ty) {
            return true;
        }
        let Some(name) = ty.struct_name() else { return false };
        let size = self.module.size_of(ty);
        let candidates = self.types.named(tag_of(&name)).iter().copied();
        let fitting: Vec<TypeId> = candidates.filter(|&id| self.types.size_of(id) == size).collect();
        let best = fitting.iter().copied().max_by_key(|&id| (self.agreement(ty, id), std::cmp::Reverse(id)));
        match best {
            Some(id) => {
                self.associate(ty, id);
                true
            }
            None => false,
        }
    }

    /// How many elements of a struct type begin where a member of the declared type does.
    fn agreement(&self, ty: Type<'m>, id: TypeId) -> usize {
        let TypeDef::Struct(def) = self.types.def(id) else { return 0 };
        let count = ty.struct_elements().len() as u32;
        let begins = |offset: u64| def.fields.iter().any(|f| f.offset == offset);
        (0..count).filter(|&i| begins(self.module.offset_of(ty, i))).count()
    }

    /// Records that a struct type is a declared one, and what follows for the structs inside.
    fn associate(&mut self, ty: Type<'m>, id: TypeId) {
        if self.matched.insert(ty, id).is_some() {
            return;
        }
        for (index, element) in ty.struct_elements().into_iter().enumerate() {
            let inner = innermost(element);
            if !matches!(inner.kind(), TypeKind::LLVMStructTypeKind) || self.matched.contains_key(&inner) {
                continue;
            }
            let offset = self.module.offset_of(ty, index as u32);
            match self.member_like(id, offset, inner) {
                Some(member) => self.associate(inner, member),
                None => {
                    self.match_named(inner);
                }
            }
        }
    }

    /// The struct in the member of `id` at `offset` that is as large as `inner`.
    fn member_like(&self, id: TypeId, offset: u64, inner: Type<'m>) -> Option<TypeId> {
        let TypeDef::Struct(def) = self.types.def(id) else { return None };
        let size = self.module.size_of(inner);
        let name = inner.struct_name().unwrap_or_default();
        let tag = tag_of(&name);
        let at_offset = def.fields.iter().filter(|f| f.offset == offset && f.bits.is_none());
        let structs = at_offset.map(|f| self.innermost_declared(f.ty)).filter(|&ty| {
            let TypeDef::Struct(def) = self.types.def(ty) else { return false };
            def.size == size && (tag == "anon" || def.name == tag)
        });
        structs.max_by_key(|&ty| (self.agreement(inner, ty), std::cmp::Reverse(ty)))
    }

    fn innermost_declared(&self, ty: TypeId) -> TypeId {
        match self.types.def(ty) {
            TypeDef::Array { elem, .. } => self.innermost_declared(*elem),
            _ => ty,
        }
    }

    /// The only anonymous struct that is laid out like this one.
    fn by_layout(&self, ty: Type<'m>) -> Option<TypeId> {
        let name = ty.struct_name()?;
        if tag_of(&name) != "anon" {
            return None;
        }
        let is_union = name.starts_with("union.");
        let size = self.module.size_of(ty);
        let taken: std::collections::HashSet<TypeId> = self.matched.values().copied().collect();
        let fits = |id: TypeId, def: &StructDef| {
            def.name.starts_with("anon")
                && def.size == size
                && def.is_union == is_union
                && !taken.contains(&id)
                && (is_union || self.same_offsets(ty, def))
        };
        let mut found = self.types.structs().filter(|(id, def)| fits(*id, def)).map(|(id, _)| id);
        let first = found.next()?;
        found.next().is_none().then_some(first)
    }

    fn same_offsets(&self, ty: Type<'m>, def: &StructDef) -> bool {
        let elements = ty.struct_elements();
        elements.len() == def.fields.len()
            && elements.iter().zip(&def.fields).enumerate().all(|(i, (element, field))| {
                let same_size = self.module.size_of(*element) == self.types.size_of(field.ty);
                field.bits.is_none() && self.module.offset_of(ty, i as u32) == field.offset && same_size
            })
    }

    /// A type made from LLVM's layout alone.
    fn as_llvm_has_it(&mut self, ty: Type<'m>) -> TypeId {
        let name = ty.struct_name().unwrap_or_default();
        let tag = match tag_of(&name) {
            "anon" => "",
            tag => tag,
        };
        let size = self.module.size_of(ty);
        let id = self.types.add_struct(tag, size, name.starts_with("union."));
        self.matched.insert(ty, id);
        let elements = ty.struct_elements().into_iter().enumerate();
        let fields = elements
            .filter(|_| ty.is_sized())
            .map(|(index, element)| Field {
                name: format!("f{index}"),
                offset: self.module.offset_of(ty, index as u32),
                bits: None,
                ty: self.type_of(element),
                alias: String::new(),
            })
            .collect();
        self.types.set_fields(id, fields);
        id
    }
}

/// Whether an element may be there without a member: bytes, or whatever holds bit-fields.
fn is_filler(ty: Type<'_>, bit_fields: bool) -> bool {
    match ty.kind() {
        TypeKind::LLVMIntegerTypeKind => bit_fields || ty.int_bits() == Some(8),
        TypeKind::LLVMArrayTypeKind => is_filler(ty.array_element(), false),
        _ => false,
    }
}

fn innermost(ty: Type<'_>) -> Type<'_> {
    match ty.kind() {
        TypeKind::LLVMArrayTypeKind => innermost(ty.array_element()),
        _ => ty,
    }
}

/// `foo` for `struct.foo.12`; tags of C have no dots, so what follows one was added by LLVM.
fn tag_of(name: &str) -> &str {
    let tag = ["struct.", "union.", "class."].iter().find_map(|prefix| name.strip_prefix(prefix));
    let tag = tag.unwrap_or(name);
    tag.split('.').next().unwrap_or(tag)
}

#[cfg(test)]
mod tests {
    use super::tag_of;

    #[test]
    fn tags_lose_what_llvm_added() {
        assert_eq!(tag_of("struct.foo.12"), "foo");
        assert_eq!(tag_of("union.anon.3"), "anon");
        assert_eq!(tag_of("struct.file_operations"), "file_operations");
    }
}
