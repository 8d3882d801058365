//! A module: one driver, with its types, globals and functions.

use crate::entity::PrimaryMap;
use crate::entity_id;
use crate::inst::{BlockId, Inst, InstId, Op, Operand, Terminator, ValueId};
use crate::types::{Ty, TypeDef, TypeId};
use crate::{Field, StructDef};
use std::collections::{BTreeSet, HashMap, HashSet};

entity_id!(
    /// A source file.
    FileId,
    "file"
);
entity_id!(
    /// A place in the source.
    LocId,
    "loc"
);
entity_id!(
    /// A global variable.
    GlobalId,
    "g"
);
entity_id!(
    /// A function, defined or only declared.
    FuncId,
    "f"
);

/// A source file.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SourceFile {
    /// The path as the compiler was given it, made absolute where the compilation directory is known.
    pub path: String,
}

/// A place in the source, with the chain of calls that inlining removed.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Loc {
    /// The file.
    pub file: FileId,
    /// The line, from 1; 0 if unknown.
    pub line: u32,
    /// The column, from 1; 0 if unknown.
    pub column: u32,
    /// The function in whose source text the place is.
    pub function: String,
    /// Where that function was inlined, if it was.
    pub inlined_at: Option<LocId>,
}

/// A scalar in the initial value of a global; bytes that no cell covers are zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InitCell {
    /// The offset in bytes.
    pub offset: u64,
    /// The size in bytes.
    pub size: u64,
    /// An integer, or the address of a global or a function.
    pub value: Operand,
}

/// A global variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Global {
    /// The symbol's name.
    pub name: String,
    /// The size in bytes.
    pub size: u64,
    /// The declared type.
    pub ty: Option<TypeId>,
    /// Whether nobody may write it.
    pub constant: bool,
    /// Whether each thread has one of its own.
    pub thread_local: bool,
    /// Whether the module defines it.
    pub defined: bool,
    /// Whether other modules can name it.
    pub exported: bool,
    /// The initial value.
    pub init: Vec<InitCell>,
    /// Where it is declared.
    pub loc: Option<LocId>,
}

/// A parameter of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Param {
    /// The value that stands for it in the body.
    pub value: ValueId,
    /// The type of the value.
    pub ty: Ty,
    /// The declared type.
    pub decl: Option<TypeId>,
    /// Whether it is declared to point to constants: the function writes nothing through it.
    pub constant: bool,
    /// The name in the source; may be empty.
    pub name: String,
}

/// What a value is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueDef {
    /// Its type.
    pub ty: Ty,
    /// The instruction that defines it; none for a parameter.
    pub inst: Option<InstId>,
}

/// A basic block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// The instructions in order, phis first.
    pub insts: Vec<InstId>,
    /// How the block ends.
    pub term: Terminator,
    /// The place of the terminator.
    pub term_loc: Option<LocId>,
}

/// A function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// The symbol's name.
    pub name: String,
    /// The parameters.
    pub params: Vec<Param>,
    /// The type of the result.
    pub ret: Option<Ty>,
    /// The declared result type.
    pub ret_decl: Option<TypeId>,
    /// Whether more arguments may follow.
    pub variadic: bool,
    /// Whether other modules can name it.
    pub exported: bool,
    /// Whether it is there only if no other file defines a function of that name.
    pub weak: bool,
    /// All values.
    pub values: PrimaryMap<ValueId, ValueDef>,
    /// All instructions.
    pub insts: PrimaryMap<InstId, Inst>,
    /// The blocks, the entry first; none if the function is only declared.
    pub blocks: PrimaryMap<BlockId, Block>,
    /// Steps of no bytes that say that a variable of the source declares the pointer as one to the struct; all others
    /// are steps to its first member.
    pub as_struct: BTreeSet<ValueId>,
    /// Pointers that a variable of the source declares as ones to numbers, characters or pointers.
    pub as_data: BTreeSet<ValueId>,
    /// Indices of the words that have some bit of a bitmap, as rows compute them.
    pub words_of_bits: BTreeSet<ValueId>,
    /// Where it is defined.
    pub loc: Option<LocId>,
}

impl Function {
    /// A function without a body.
    pub fn declaration(name: &str) -> Function {
        Function {
            name: name.to_owned(),
            params: Vec::new(),
            ret: None,
            ret_decl: None,
            variadic: false,
            exported: true,
            weak: false,
            values: PrimaryMap::new(),
            insts: PrimaryMap::new(),
            blocks: PrimaryMap::new(),
            as_struct: BTreeSet::new(),
            as_data: BTreeSet::new(),
            words_of_bits: BTreeSet::new(),
            loc: None,
        }
    }

    /// Whether the module has the body.
    pub fn is_defined(&self) -> bool {
        !self.blocks.is_empty()
    }

    /// The entry block. Only for defined functions.
    pub fn entry(&self) -> BlockId {
        use crate::entity::EntityRef;
        BlockId::new(0)
    }

    /// The type of an operand in this function.
    pub fn operand_ty(&self, operand: Operand) -> Ty {
        match operand {
            Operand::Value(v) => self.values[v].ty,
            Operand::Int { bits, .. } => Ty::Int(bits),
            Operand::Null | Operand::Global(..) | Operand::Func(_) => Ty::Ptr,
            Operand::Undef(ty) => ty,
        }
    }

    /// Adds an instruction to the table (not to a block), with a result of the type if one is given.
    pub fn add_inst(
        &mut self,
        op: crate::inst::Op,
        result: Option<Ty>,
        loc: Option<LocId>,
    ) -> (InstId, Option<ValueId>) {
        let id = self.insts.next_key();
        let value = result.map(|ty| self.values.push(ValueDef { ty, inst: Some(id) }));
        self.insts.push(Inst { op, result: value, loc });
        (id, value)
    }
}

/// One driver.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Module {
    /// The name, usually of the main source file.
    pub name: String,
    /// Source files.
    pub files: PrimaryMap<FileId, SourceFile>,
    /// Places in the source.
    pub locs: PrimaryMap<LocId, Loc>,
    /// Declared types.
    pub types: PrimaryMap<TypeId, TypeDef>,
    /// Global variables.
    pub globals: PrimaryMap<GlobalId, Global>,
    /// Functions.
    pub funcs: PrimaryMap<FuncId, Function>,
}

impl Module {
    /// The function of that name.
    pub fn func_named(&self, name: &str) -> Option<FuncId> {
        self.funcs.iter().find(|(_, f)| f.name == name).map(|(id, _)| id)
    }

    /// The global of that name.
    pub fn global_named(&self, name: &str) -> Option<GlobalId> {
        self.globals.iter().find(|(_, g)| g.name == name).map(|(id, _)| id)
    }

    /// The struct or union of that tag.
    pub fn struct_named(&self, name: &str) -> Option<TypeId> {
        self.types.iter().find_map(|(id, t)| match t {
            TypeDef::Struct(s) if s.name == name => Some(id),
            _ => None,
        })
    }

    /// The type, or that of the elements if it is an array, of arrays, too.
    pub fn element(&self, mut ty: TypeId) -> TypeId {
        while let TypeDef::Array { elem, .. } = self.types[ty] {
            ty = elem;
        }
        ty
    }

    /// Where a member of the struct ends: a flexible array behind all others does where the object does.
    pub fn end_of(&self, strukt: &StructDef, field: &Field) -> u64 {
        let is_array = matches!(self.types[field.ty], TypeDef::Array { count: 0, .. });
        let is_last =
            strukt.fields.iter().all(|other| other.offset < field.offset || std::ptr::eq(other, field));
        if is_array && is_last && !strukt.is_union { u64::MAX } else { field.offset + self.size_of(field.ty) }
    }

    /// The struct that a byte of a variable is in, if it is one or an array of such, and where: of an array it does not matter in which
    /// element, but what lies behind a lone struct is in its flexible array.
    pub fn struct_at(&self, variable: &Global, offset: u64) -> Option<(TypeId, u64)> {
        let ty = variable.ty?;
        let strukt = self.element(ty);
        let size = self.as_struct(strukt)?.size.max(1);
        Some((strukt, if strukt == ty { offset } else { offset % size }))
    }

    /// The type that a pointer type points to.
    pub fn pointee(&self, ty: TypeId) -> Option<TypeId> {
        match self.types[ty] {
            TypeDef::Ptr(to) => Some(to),
            _ => None,
        }
    }

    /// Whether it is a character, or an array of characters.
    pub fn is_character(&self, ty: TypeId) -> bool {
        match self.types[ty] {
            TypeDef::Int { is_char, .. } => is_char,
            TypeDef::Array { elem, .. } => self.is_character(elem),
            _ => false,
        }
    }

    /// The layout, if the type is a struct or union.
    pub fn as_struct(&self, ty: TypeId) -> Option<&crate::types::StructDef> {
        match &self.types[ty] {
            TypeDef::Struct(s) => Some(s),
            _ => None,
        }
    }

    /// The type of the elements, if the type is an array, or one of arrays; else the type itself.
    pub fn innermost_element(&self, mut ty: TypeId) -> TypeId {
        while let TypeDef::Array { elem, .. } = self.types[ty] {
            ty = elem;
        }
        ty
    }

    /// The size in bytes of a declared type; 0 if it has none.
    pub fn size_of(&self, ty: TypeId) -> u64 {
        match &self.types[ty] {
            TypeDef::Void | TypeDef::Func { .. } => 0,
            TypeDef::Int { bits, .. } | TypeDef::Float(bits) => u64::from(*bits).div_ceil(8),
            TypeDef::Ptr(_) => 8,
            TypeDef::Struct(s) => s.size,
            TypeDef::Array { elem, count } => self.size_of(*elem) * count,
        }
    }

    /// The offset in bytes and the type of a member of a struct or union, searched for also in
    /// anonymous members.
    pub fn field_named(&self, ty: TypeId, name: &str) -> Option<(u64, TypeId)> {
        let def = self.as_struct(ty)?;
        def.fields.iter().find_map(|field| {
            if field.name == name {
                Some((field.offset, field.ty))
            } else if field.name.is_empty() {
                self.field_named(field.ty, name).map(|(off, ty)| (field.offset + off, ty))
            } else {
                None
            }
        })
    }

    /// Where members of that name, in structs with that tag, lie in what is of each type; types that have none are left out.
    pub fn members_named(&self, tag: &str, member: &str) -> HashMap<TypeId, Vec<u64>> {
        let mut known = HashMap::new();
        for ty in self.types.keys() {
            self.find_members(ty, tag, member, &mut known);
        }
        known.retain(|_, offsets: &mut Vec<u64>| !offsets.is_empty());
        known
    }

    fn find_members(
        &self,
        ty: TypeId,
        tag: &str,
        member: &str,
        known: &mut HashMap<TypeId, Vec<u64>>,
    ) -> Vec<u64> {
        if let Some(offsets) = known.get(&ty) {
            return offsets.clone();
        }
        let mut offsets = Vec::new();
        match &self.types[ty] {
            TypeDef::Struct(def) => {
                let mine = self.field_named(ty, member).filter(|_| def.name == tag);
                offsets.extend(mine.map(|(offset, _)| offset));
                for field in &def.fields {
                    let inner = self.find_members(field.ty, tag, member, known);
                    offsets.extend(inner.into_iter().map(|offset| field.offset + offset));
                }
            }
            TypeDef::Array { elem, count } => {
                let inner = self.find_members(*elem, tag, member, known);
                let starts = (0..if inner.is_empty() { 0 } else { *count }).map(|n| n * self.size_of(*elem));
                offsets.extend(starts.flat_map(|start| inner.iter().map(move |offset| start + offset)));
            }
            _ => {}
        }
        known.insert(ty, offsets.clone());
        offsets
    }

    /// The type in which an address lies, and how far from its start, as far as the address says so itself.
    pub fn place_of(&self, func: &Function, addr: Operand) -> Option<(TypeId, u64)> {
        let (ty, offset) = match addr {
            Operand::Global(global, offset) => (self.globals[global].ty?, offset),
            Operand::Value(value) => match func.insts[func.values[value].inst?].op {
                Op::PtrAdd { offset, within: Some(ty), .. } => (ty, offset),
                _ => return None,
            },
            _ => return None,
        };
        Some((ty, u64::try_from(offset).ok()?))
    }

    /// `a.b[].c` for the innermost member that begins at or covers the byte at `offset` of the struct;
    /// empty if the struct has no member there.
    pub fn path_at(&self, ty: TypeId, offset: u64) -> String {
        let mut out = String::new();
        self.push_path(ty, offset, false, &mut out);
        out
    }

    /// The same for the outermost member that begins at the byte, if one does: a lock, and not what is in it.
    pub fn path_to(&self, ty: TypeId, offset: u64) -> String {
        let mut out = String::new();
        self.push_path(ty, offset, true, &mut out);
        out
    }

    /// The type of the innermost member that covers the byte at `offset`, if it is no struct; none if there is none.
    pub fn type_at(&self, ty: TypeId, offset: u64) -> Option<TypeId> {
        match &self.types[ty] {
            TypeDef::Struct(s) => s.fields.iter().find_map(|field| {
                let at = offset.checked_sub(field.offset)?;
                (at < self.size_of(field.ty)).then(|| self.type_at(field.ty, at))?
            }),
            TypeDef::Array { elem, .. } => {
                let size = self.size_of(*elem).max(1);
                self.type_at(*elem, offset % size)
            }
            _ => Some(ty),
        }
    }

    /// The globals that these, and the initial values of those that are found, lead to, themselves included.
    pub fn reached_from(&self, roots: impl IntoIterator<Item = GlobalId>) -> HashSet<GlobalId> {
        let mut work: Vec<GlobalId> = roots.into_iter().collect();
        let mut seen = HashSet::new();
        while let Some(global) = work.pop() {
            if seen.insert(global) {
                work.extend(self.globals[global].init.iter().filter_map(|cell| cell.value.global()));
            }
        }
        seen
    }

    /// Whether the global is a constant that leads to nothing but constants and functions.
    pub fn is_all_constant(&self, global: GlobalId) -> bool {
        self.reached_from([global]).into_iter().all(|global| self.globals[global].constant)
    }

    /// The names of the bit-fields of the type that have a part in the bytes from `lo` on, up to `hi`. Who writes one of them
    /// reads and writes all.
    pub fn bit_fields(&self, ty: TypeId, lo: u64, hi: u64) -> Vec<&str> {
        match &self.types[ty] {
            TypeDef::Struct(s) => s
                .fields
                .iter()
                .flat_map(|field| match field.bits {
                    Some(bits) => {
                        let end = field.offset + u64::from(bits).div_ceil(8);
                        let meets = field.offset < hi && lo < end && !field.name.is_empty();
                        meets.then_some(field.name.as_str()).into_iter().collect()
                    }
                    None => {
                        let end = (field.offset + self.size_of(field.ty)).min(hi);
                        let begin = field.offset.max(lo);
                        if begin >= end {
                            return Vec::new();
                        }
                        self.bit_fields(field.ty, begin - field.offset, end - field.offset)
                    }
                })
                .collect(),
            TypeDef::Array { elem, .. } => {
                let at = lo % self.size_of(*elem).max(1);
                self.bit_fields(*elem, at, at + (hi - lo))
            }
            _ => Vec::new(),
        }
    }

    fn push_path(&self, ty: TypeId, offset: u64, outermost: bool, out: &mut String) {
        match &self.types[ty] {
            TypeDef::Struct(s) => {
                let covers = |f: &&crate::types::Field| {
                    let size = f.bits.map_or(self.size_of(f.ty), |b| u64::from(b).div_ceil(8)).max(1);
                    f.offset <= offset && offset < f.offset + size
                };
                if let Some(f) = s.fields.iter().find(covers) {
                    if !f.name.is_empty() {
                        if !out.is_empty() {
                            out.push('.');
                        }
                        out.push_str(&f.name);
                        if outermost && f.offset == offset {
                            return;
                        }
                    }
                    self.push_path(f.ty, offset - f.offset, outermost, out);
                }
            }
            TypeDef::Array { elem, .. } => {
                out.push_str("[]");
                let size = self.size_of(*elem).max(1);
                if !(outermost && offset.is_multiple_of(size)) {
                    self.push_path(*elem, offset % size, outermost, out);
                }
            }
            TypeDef::Void
            | TypeDef::Int { .. }
            | TypeDef::Float(_)
            | TypeDef::Ptr(_)
            | TypeDef::Func { .. } => {}
        }
    }

    /// Loops, recursion and reachability aside: the number of instructions of all bodies.
    pub fn instruction_count(&self) -> usize {
        self.funcs.values().map(|f| f.blocks.values().map(|b| b.insts.len() + 1).sum::<usize>()).sum()
    }
}
