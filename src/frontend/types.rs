//! Declared types: nodes of the debug information to [`TypeDef`]s, each once.
//!
//! Typedefs and qualifiers are stripped. The same struct in two linked files is one type; two structs
//! that share a tag are told apart by name. Bodies of structs are filled from a queue, so that deep
//! chains of pointers need no deep stack.

use super::debug::{Known, Sources};
use super::llvm::{Meta, MetaKind, MetaOperand};
use crate::fault::{Fault, seeded};
use lockpair_ir::{Field, FileId, PrimaryMap, StructDef, TypeDef, TypeId};
use std::collections::{HashMap, HashSet};

/// Position of the base type among the operands of derived and composite types.
const BASE: usize = 3;
/// Position of the elements among the operands of composite types.
const ELEMENTS: usize = 4;
/// Position of the list of types among the operands of a `DISubroutineType`.
const SIGNATURE: usize = 3;

/// The DWARF tags that C needs.
mod tag {
    pub const ARRAY: u16 = 0x01;
    pub const CLASS: u16 = 0x02;
    pub const ENUMERATION: u16 = 0x04;
    pub const MEMBER: u16 = 0x0d;
    pub const POINTER: u16 = 0x0f;
    pub const STRUCTURE: u16 = 0x13;
    pub const SUBROUTINE: u16 = 0x15;
    pub const TYPEDEF: u16 = 0x16;
    pub const UNION: u16 = 0x17;
    pub const BASE_TYPE: u16 = 0x24;
    pub const CONST: u16 = 0x26;
    pub const VOLATILE: u16 = 0x35;
    pub const RESTRICT: u16 = 0x37;
    pub const ATOMIC: u16 = 0x47;
}

/// What makes types without a tag the same.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Shape {
    Void,
    Int(u16, bool),
    Float(u16),
    Ptr(TypeId),
    Array(TypeId, u64),
    Func(Vec<TypeId>, TypeId, bool),
}

/// What makes two declarations of a struct the same.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Identity {
    name: String,
    file: FileId,
    line: u32,
    size: u64,
    is_union: bool,
}

/// What a pointer is declared to point to.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Pointee {
    /// A struct of which the layout is known.
    Struct(TypeId),
    /// Numbers, characters or pointers.
    Data,
    /// Nothing is said.
    Void,
    /// Anything else; or the type is no pointer.
    Other,
}

/// The table of types, while it grows.
pub struct Types<'m> {
    table: PrimaryMap<TypeId, TypeDef>,
    by_node: HashMap<Meta<'m>, TypeId>,
    shapes: HashMap<Shape, TypeId>,
    structs: HashMap<Identity, TypeId>,
    /// Complete structs by the name in the source; a name with several definitions has several.
    by_name: HashMap<String, Vec<TypeId>>,
    /// Structs that have only been declared so far.
    incomplete: HashMap<String, TypeId>,
    names: HashSet<String>,
    /// Structs whose members are still to be filled in.
    pending: Vec<(TypeId, Meta<'m>)>,
    anonymous: u32,
}

impl<'m> Types<'m> {
    /// An empty table.
    pub fn new() -> Types<'m> {
        Types {
            table: PrimaryMap::new(),
            by_node: HashMap::new(),
            shapes: HashMap::new(),
            structs: HashMap::new(),
            by_name: HashMap::new(),
            incomplete: HashMap::new(),
            names: HashSet::new(),
            pending: Vec::new(),
            anonymous: 0,
        }
    }

    /// The finished table.
    pub fn into_table(self) -> PrimaryMap<TypeId, TypeDef> {
        self.table
    }

    /// The definition of a type.
    pub fn def(&self, ty: TypeId) -> &TypeDef {
        &self.table[ty]
    }

    /// The structs so far, with their layout.
    pub fn structs(&self) -> impl Iterator<Item = (TypeId, &StructDef)> {
        self.table.iter().filter_map(|(id, def)| match def {
            TypeDef::Struct(def) => Some((id, def)),
            _ => None,
        })
    }

    /// The size in bytes of a type; 0 if it has none.
    pub fn size_of(&self, ty: TypeId) -> u64 {
        match &self.table[ty] {
            TypeDef::Void | TypeDef::Func { .. } => 0,
            TypeDef::Int { bits, .. } | TypeDef::Float(bits) => u64::from(*bits).div_ceil(8),
            TypeDef::Ptr(_) => 8,
            TypeDef::Struct(def) => def.size,
            TypeDef::Array { elem, count } => self.size_of(*elem).saturating_mul(*count),
        }
    }

    /// The complete structs that the source calls by a name, a tag or else a typedef.
    pub fn named(&self, name: &str) -> &[TypeId] {
        self.by_name.get(name).map_or(&[], Vec::as_slice)
    }

    /// `void`.
    pub fn void(&mut self) -> TypeId {
        self.shape(Shape::Void)
    }

    /// An integer.
    pub fn int(&mut self, bits: u16) -> TypeId {
        self.shape(Shape::Int(bits, false))
    }

    /// A floating-point number.
    pub fn float(&mut self, bits: u16) -> TypeId {
        self.shape(Shape::Float(bits))
    }

    /// A pointer.
    pub fn pointer(&mut self, to: TypeId) -> TypeId {
        self.shape(Shape::Ptr(to))
    }

    /// An array.
    pub fn array(&mut self, elem: TypeId, count: u64) -> TypeId {
        self.shape(Shape::Array(elem, count))
    }

    /// A struct that the debug information does not give, or only declares; still without members.
    pub fn add_struct(&mut self, name: &str, size: u64, is_union: bool) -> TypeId {
        let id = self.reserve(name);
        self.set_layout(id, size, is_union, Known::Everywhere);
        id
    }

    fn set_layout(&mut self, id: TypeId, bytes: u64, union: bool, known: Known) {
        if let TypeDef::Struct(def) = &mut self.table[id] {
            def.size = bytes;
            def.is_union = union;
            def.module_private = known != Known::Everywhere;
            def.opaque = known == Known::InFile;
        }
    }

    /// Takes back that only the module knows the members of a struct.
    pub fn set_known_outside(&mut self, id: TypeId) {
        if let TypeDef::Struct(def) = &mut self.table[id] {
            def.module_private = false;
            def.opaque = false;
        }
    }

    /// Gives a struct its members.
    pub fn set_fields(&mut self, id: TypeId, members: Vec<Field>) {
        if let TypeDef::Struct(def) = &mut self.table[id] {
            def.fields = members;
        }
    }

    fn shape(&mut self, shape: Shape) -> TypeId {
        if let Some(&id) = self.shapes.get(&shape) {
            return id;
        }
        let def = match shape.clone() {
            Shape::Void => TypeDef::Void,
            Shape::Int(bits, is_char) => TypeDef::Int { bits, is_char },
            Shape::Float(bits) => TypeDef::Float(bits),
            Shape::Ptr(to) => TypeDef::Ptr(to),
            Shape::Array(elem, count) => TypeDef::Array { elem, count },
            Shape::Func(params, ret, variadic) => TypeDef::Func { params, ret, variadic },
        };
        let id = self.table.push(def);
        self.shapes.insert(shape, id);
        id
    }

    /// The name itself when it is free, else with a number.
    fn unique_name(&mut self, name: &str) -> String {
        if name.is_empty() {
            self.anonymous += 1;
            let name = format!("anon{}", self.anonymous);
            return self.unique_name(&name);
        }
        let numbered = (2..).map(|n| format!("{name}.{n}"));
        let free = std::iter::once(name.to_owned()).chain(numbered).find(|n| !self.names.contains(n));
        let free = free.unwrap_or_default();
        self.names.insert(free.clone());
        free
    }

    /// The type of a node, with everything that it reaches; `void` without a node.
    pub fn declared(&mut self, sources: &mut Sources<'m>, node: Option<Meta<'m>>) -> TypeId {
        let id = self.shallow(sources, node, "");
        while let Some((id, node)) = self.pending.pop() {
            self.fill(sources, id, node);
        }
        id
    }

    /// What a declared type points to.
    pub fn pointee(&mut self, sources: &mut Sources<'m>, node: Meta<'m>) -> Pointee {
        let declared = self.declared(sources, Some(node));
        let TypeDef::Ptr(to) = self.table[declared] else { return Pointee::Other };
        match &self.table[to] {
            TypeDef::Struct(def) if def.size > 0 => Pointee::Struct(to),
            TypeDef::Int { .. } | TypeDef::Float(_) | TypeDef::Ptr(_) => Pointee::Data,
            TypeDef::Void => Pointee::Void,
            TypeDef::Struct(_) | TypeDef::Array { .. } | TypeDef::Func { .. } => Pointee::Other,
        }
    }

    /// The parameter types and the result type of a `DISubroutineType`.
    pub fn signature(&mut self, sources: &mut Sources<'m>, node: Meta<'m>) -> Option<Signature> {
        let ty = self.declared(sources, Some(node));
        match &self.table[ty] {
            TypeDef::Func { params, ret, .. } => {
                let list = operand(&node.operands(), SIGNATURE).map(Meta::operands).unwrap_or_default();
                let declared = list.iter().skip(1).map(|op| op.meta());
                let constant = declared.map(|node| node.is_some_and(points_to_constant)).collect();
                Some(Signature { params: params.clone(), constant, ret: *ret })
            }
            _ => None,
        }
    }

    /// The type of a node; bodies of structs are left in the queue. `alias` is the typedef by which the
    /// node was reached.
    fn shallow(&mut self, sources: &mut Sources<'m>, node: Option<Meta<'m>>, alias: &str) -> TypeId {
        let Some(node) = node else { return self.void() };
        if let Some(&id) = self.by_node.get(&node) {
            return id;
        }
        // C has no type that is made of itself, but damaged bitcode may.
        let void = self.void();
        self.by_node.insert(node, void);
        let id = match node.kind() {
            MetaKind::LLVMDIBasicTypeMetadataKind => self.basic(node),
            MetaKind::LLVMDIDerivedTypeMetadataKind => self.derived(sources, node, alias),
            MetaKind::LLVMDICompositeTypeMetadataKind => self.composite(sources, node, alias),
            MetaKind::LLVMDISubroutineTypeMetadataKind => self.subroutine(sources, node),
            _ => self.void(),
        };
        self.by_node.insert(node, id);
        id
    }

    fn basic(&mut self, node: Meta<'m>) -> TypeId {
        if node.tag() != tag::BASE_TYPE {
            return self.void();
        }
        let bits = u16::try_from(node.size_in_bits()).unwrap_or(u16::MAX);
        let name = node.type_name();
        let is_float = ["float", "double", "_Float", "__bf16", "complex"].iter().any(|f| name.contains(f));
        if is_float {
            return self.float(bits);
        }
        self.shape(Shape::Int(bits, matches!(&*name, "char" | "signed char" | "unsigned char")))
    }

    fn derived(&mut self, sources: &mut Sources<'m>, node: Meta<'m>, alias: &str) -> TypeId {
        let base = operand(&node.operands(), BASE);
        match node.tag() {
            tag::POINTER => {
                let to = self.shallow(sources, base, "");
                self.pointer(to)
            }
            tag::TYPEDEF => self.shallow(sources, base, &node.type_name()),
            tag::CONST | tag::VOLATILE | tag::RESTRICT | tag::ATOMIC => self.shallow(sources, base, alias),
            _ => self.void(),
        }
    }

    fn subroutine(&mut self, sources: &mut Sources<'m>, node: Meta<'m>) -> TypeId {
        debug_assert!(node.tag() == tag::SUBROUTINE);
        let list = operand(&node.operands(), SIGNATURE).map(Meta::operands).unwrap_or_default();
        let mut types = list.iter().map(|op| op.meta());
        let ret = types.next().flatten();
        let ret = self.shallow(sources, ret, "");
        let params: Vec<Option<Meta<'m>>> = types.collect();
        // An ellipsis is a type that is missing at the end.
        let variadic = params.last().is_some_and(Option::is_none);
        let named = params.len() - usize::from(variadic);
        let params = params[..named].iter().map(|&node| self.shallow(sources, node, "")).collect();
        self.shape(Shape::Func(params, ret, variadic))
    }

    fn composite(&mut self, sources: &mut Sources<'m>, node: Meta<'m>, alias: &str) -> TypeId {
        match node.tag() {
            tag::STRUCTURE | tag::CLASS => self.structure(sources, node, alias, false),
            tag::UNION => self.structure(sources, node, alias, true),
            tag::ARRAY => self.array_of(sources, node),
            tag::ENUMERATION => {
                let bits = u16::try_from(node.size_in_bits()).unwrap_or(32);
                self.int(if bits == 0 { 32 } else { bits })
            }
            _ => self.void(),
        }
    }

    fn array_of(&mut self, sources: &mut Sources<'m>, node: Meta<'m>) -> TypeId {
        let operands = node.operands();
        let elem = self.shallow(sources, operand(&operands, BASE), "");
        let dimensions = operand(&operands, ELEMENTS).map(Meta::operands).unwrap_or_default();
        dimensions.iter().rev().fold(elem, |elem, dimension| {
            let count = dimension.meta().map(count_of).unwrap_or(0);
            self.array(elem, count)
        })
    }

    fn structure(
        &mut self,
        sources: &mut Sources<'m>,
        node: Meta<'m>,
        alias: &str,
        is_union: bool,
    ) -> TypeId {
        let tag = node.type_name();
        let name = if tag.is_empty() { alias } else { &*tag };
        if node.is_forward() {
            return self.declared_only(name, is_union);
        }
        let file = sources.file(node.scope_file());
        let size = node.size_in_bits().div_ceil(8);
        let identity = Identity { name: name.to_owned(), file, line: node.type_line(), size, is_union };
        if let Some(&id) = self.structs.get(&identity).filter(|_| !name.is_empty()) {
            return id;
        }
        let id = self.reserve(name);
        self.set_layout(id, size, is_union, sources.known(file));
        if !name.is_empty() {
            self.by_name.entry(name.to_owned()).or_default().push(id);
            self.structs.insert(identity, id);
        }
        self.pending.push((id, node));
        id
    }

    /// The first definition of a tag completes what has only been declared; others are new types.
    fn reserve(&mut self, name: &str) -> TypeId {
        self.incomplete.remove(name).unwrap_or_else(|| {
            let name = self.unique_name(name);
            let (size, is_union, module_private, opaque) = (0, false, false, false);
            let fields = Vec::new();
            self.table.push(TypeDef::Struct(StructDef {
                name,
                size,
                is_union,
                module_private,
                opaque,
                fields,
            }))
        })
    }

    fn declared_only(&mut self, name: &str, is_union: bool) -> TypeId {
        let known = self.named(name).first().or_else(|| self.incomplete.get(name)).copied();
        known.unwrap_or_else(|| {
            let id = self.add_struct(name, 0, is_union);
            self.incomplete.insert(name.to_owned(), id);
            id
        })
    }

    fn fill(&mut self, sources: &mut Sources<'m>, id: TypeId, node: Meta<'m>) {
        let members = operand(&node.operands(), ELEMENTS).map(Meta::operands).unwrap_or_default();
        let is_member = |node: &Meta<'m>| {
            matches!(node.kind(), MetaKind::LLVMDIDerivedTypeMetadataKind) && node.tag() == tag::MEMBER
        };
        let fields: Vec<Field> = members
            .iter()
            .filter_map(|member| member.meta())
            .filter(is_member)
            .map(|member| self.field(sources, member))
            .collect();
        self.set_fields(id, fields);
    }

    fn field(&mut self, sources: &mut Sources<'m>, member: Meta<'m>) -> Field {
        let declared = operand(&member.operands(), BASE);
        let ty = self.shallow(sources, declared, "");
        let bits = member.is_bit_field().then(|| u16::try_from(member.size_in_bits()).unwrap_or(u16::MAX));
        let alias = declared.and_then(|node| self.function_alias(sources, node)).unwrap_or_default();
        Field { name: member.type_name().into_owned(), offset: member.offset_in_bits() / 8, bits, ty, alias }
    }

    /// The typedef that a header of the kernel gives to pointers to a kind of functions, if the node is one. A
    /// driver's own may have any name.
    fn function_alias(&mut self, sources: &mut Sources<'m>, node: Meta<'m>) -> Option<String> {
        let is_alias =
            matches!(node.kind(), MetaKind::LLVMDIDerivedTypeMetadataKind) && node.tag() == tag::TYPEDEF;
        let ty = is_alias.then(|| self.shallow(sources, Some(node), ""))?;
        let TypeDef::Ptr(to) = self.table[ty] else { return None };
        let file = sources.file(node.scope_file());
        let is_kernels = matches!(sources.known(file), Known::Everywhere);
        (is_kernels && matches!(self.table[to], TypeDef::Func { .. })).then(|| node.type_name().into_owned())
    }
}

/// A function type.
pub struct Signature {
    /// The declared parameter types.
    pub params: Vec<TypeId>,
    /// Which of them are pointers to constants.
    pub constant: Vec<bool>,
    /// The declared result type.
    pub ret: TypeId,
}

/// Whether it is the type of pointers to constants.
fn points_to_constant(node: Meta<'_>) -> bool {
    let named = |node: Meta<'_>| matches!(node.tag(), tag::TYPEDEF | tag::VOLATILE | tag::RESTRICT);
    let mut pointer = Some(node);
    while let Some(node) = pointer.filter(|n| named(*n) || n.tag() == tag::CONST) {
        pointer = operand(&node.operands(), BASE);
    }
    let mut pointee = pointer.filter(|n| n.tag() == tag::POINTER).and_then(|n| operand(&n.operands(), BASE));
    while let Some(node) = pointee.filter(|n| named(*n)) {
        pointee = operand(&node.operands(), BASE);
    }
    let is_constant = |node: Meta<'_>| node.tag() == tag::CONST;
    pointee.is_some_and(is_constant) || seeded(Fault::ConstantPointers) && is_constant(node)
}

fn operand<'m>(operands: &[MetaOperand<'m>], index: usize) -> Option<Meta<'m>> {
    operands.get(index).and_then(|op| op.meta())
}

/// The number of elements that a `DISubrange` says; 0 when it is not constant.
fn count_of(subrange: Meta<'_>) -> u64 {
    match subrange.operands().first() {
        Some(MetaOperand::Constant(count)) => {
            count.signed_value().and_then(|n| u64::try_from(n).ok()).unwrap_or(0)
        }
        Some(MetaOperand::Meta(_) | MetaOperand::None) | None => 0,
    }
}
