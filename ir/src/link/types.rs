//! Which declared types of the units are the same.
//!
//! Only structs need a decision; everything else is the same if its parts are. Structs are united:
//!
//! - with a tag: if tag, size and members agree ([`Signature`]). Members are compared by name, place and
//!   type, structs behind pointers by their tag alone, since one file may know less of them than another;
//! - without one: if they are the same member of united structs, or in no struct at all and look the same;
//! - only declared: with the complete struct of that tag;
//! - known only from the code, whose members are called `f0`, `f1` ...: by tag and size.
//!
//! To unite too much is sound (accesses to one struct may meet, to two may not), too little is not.

use super::symbols::Names;
use super::{Unit, UnitId};
use crate::entity::{EntityRef, PrimaryMap};
use crate::entity_id;
use crate::types::{Field, StructDef, TypeDef, TypeId};
use petgraph::unionfind::UnionFind;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

entity_id!(
    /// A type of a unit, counted through all units.
    NodeId,
    "node"
);
entity_id!(
    /// All structs that have one signature.
    SignatureId,
    "signature"
);

/// What must agree for two structs to be the same.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Signature {
    /// The tag; empty for structs without one.
    tag: String,
    size: u64,
    is_union: bool,
    members: Vec<Member>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Member {
    name: String,
    offset: u64,
    bits: Option<u16>,
    form: Form,
}

/// A type as members are compared.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Form {
    Void,
    Int(u16, bool),
    Float(u16),
    Ptr(Box<Form>),
    Array(Box<Form>, u64),
    Func(Vec<Form>, Box<Form>, bool),
    /// A struct that is a part of this one.
    Part(SignatureId),
    /// A struct behind a pointer, by its tag.
    Tag(String),
}

/// The types of all units as one table, and what each type of a unit is in it.
pub fn merge(
    units: &PrimaryMap<UnitId, Unit>,
) -> (PrimaryMap<TypeId, TypeDef>, PrimaryMap<UnitId, PrimaryMap<TypeId, TypeId>>) {
    let mut nodes = Nodes::new(units);
    nodes.unite_equal();
    nodes.unite_by_tag();
    Table::new(nodes).finish(units)
}

/// All types of all units, and which of them are the same.
struct Nodes<'u> {
    defs: PrimaryMap<NodeId, &'u TypeDef>,
    /// The first type of the unit that a type is of.
    base: PrimaryMap<NodeId, usize>,
    signatures: PrimaryMap<NodeId, Progress>,
    by_signature: HashMap<Signature, SignatureId>,
    /// Types other than structs of which the form is being made.
    open: HashSet<NodeId>,
    classes: UnionFind<usize>,
}

/// How far the signature of a struct is.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Progress {
    New,
    /// It is being made. Only a struct that contains itself, which no C program has, is met like that.
    Open,
    Done(SignatureId),
}

impl<'u> Nodes<'u> {
    fn new(units: &'u PrimaryMap<UnitId, Unit>) -> Nodes<'u> {
        let (mut defs, mut base) = (PrimaryMap::new(), PrimaryMap::new());
        for unit in units.values() {
            let first = defs.len();
            for def in unit.module.types.values() {
                defs.push(def);
                base.push(first);
            }
        }
        let signatures = defs.values().map(|_| Progress::New).collect();
        let classes = UnionFind::new(defs.len());
        Nodes { defs, base, signatures, by_signature: HashMap::new(), open: HashSet::new(), classes }
    }

    /// A type that the definition of `node` mentions.
    fn part(&self, node: NodeId, ty: TypeId) -> NodeId {
        NodeId::new(self.base[node] + ty.index())
    }

    fn as_struct(&self, node: NodeId) -> Option<&'u StructDef> {
        match self.defs[node] {
            TypeDef::Struct(def) => Some(def),
            TypeDef::Void
            | TypeDef::Int { .. }
            | TypeDef::Float(_)
            | TypeDef::Ptr(_)
            | TypeDef::Array { .. }
            | TypeDef::Func { .. } => None,
        }
    }

    fn structs(&self) -> Vec<(NodeId, &'u StructDef)> {
        self.defs.keys().filter_map(|node| Some((node, self.as_struct(node)?))).collect()
    }

    fn class(&self, node: NodeId) -> NodeId {
        NodeId::new(self.classes.find(node.index()))
    }

    /// Unites what has the same signature; structs without a tag that are in another struct follow that.
    fn unite_equal(&mut self) {
        let inner = self.inner_anonymous();
        let mut first: HashMap<SignatureId, NodeId> = HashMap::new();
        for (node, def) in self.structs() {
            if inner.contains(&node) || knowledge(def) != Knowledge::Declared {
                continue;
            }
            if let Some(signature) = self.signature(node, def) {
                let earlier = *first.entry(signature).or_insert(node);
                self.unite(earlier, node);
            }
        }
    }

    /// Structs without a tag that a member of another struct leads to.
    fn inner_anonymous(&self) -> HashSet<NodeId> {
        let members = self.structs().into_iter().flat_map(|(node, def)| {
            def.fields.iter().flat_map(move |field| self.structs_in(self.part(node, field.ty)))
        });
        members.filter(|node| self.as_struct(*node).is_some_and(|def| tag(&def.name).is_empty())).collect()
    }

    /// The structs that a type is made of without looking into structs, in order.
    fn structs_in(&self, node: NodeId) -> Vec<NodeId> {
        let (mut found, mut seen, mut work) = (Vec::new(), HashSet::new(), vec![node]);
        while let Some(node) = work.pop() {
            if !seen.insert(node) {
                continue;
            }
            match self.defs[node] {
                TypeDef::Struct(_) => found.push(node),
                TypeDef::Ptr(to) | TypeDef::Array { elem: to, .. } => work.push(self.part(node, *to)),
                TypeDef::Func { params, ret, .. } => {
                    work.extend(params.iter().chain([ret]).map(|ty| self.part(node, *ty)));
                }
                TypeDef::Void | TypeDef::Int { .. } | TypeDef::Float(_) => {}
            }
        }
        found
    }

    /// Unites two structs of one signature, and with them those of their members that have no tag.
    fn unite(&mut self, a: NodeId, b: NodeId) {
        let mut work = vec![(a, b)];
        while let Some((a, b)) = work.pop() {
            let (Some(def_a), Some(def_b)) = (self.as_struct(a), self.as_struct(b)) else { continue };
            if !self.classes.union(a.index(), b.index()) {
                continue;
            }
            for (x, y) in def_a.fields.iter().zip(&def_b.fields) {
                let left = self.structs_in(self.part(a, x.ty));
                let right = self.structs_in(self.part(b, y.ty));
                for (x, y) in left.into_iter().zip(right) {
                    if self.same_anonymous(x, y) {
                        work.push((x, y));
                    }
                }
            }
        }
    }

    fn same_anonymous(&mut self, a: NodeId, b: NodeId) -> bool {
        let (Some(x), Some(y)) = (self.as_struct(a), self.as_struct(b)) else { return false };
        tag(&x.name).is_empty() && tag(&y.name).is_empty() && self.signature(a, x) == self.signature(b, y)
    }

    /// The signature; none for a struct that contains itself, which is the same as no other.
    fn signature(&mut self, node: NodeId, def: &StructDef) -> Option<SignatureId> {
        match self.signatures[node] {
            Progress::Done(id) => return Some(id),
            Progress::Open => return None,
            Progress::New => self.signatures[node] = Progress::Open,
        }
        let members = def.fields.iter().map(|field| {
            let form = self.form(self.part(node, field.ty), false)?;
            Some(Member { name: field.name.clone(), offset: field.offset, bits: field.bits, form })
        });
        let members = members.collect::<Option<Vec<Member>>>()?;
        let tag = tag(&def.name).to_owned();
        let signature = Signature { tag, size: def.size, is_union: def.is_union, members };
        let next = SignatureId::new(self.by_signature.len());
        let id = *self.by_signature.entry(signature).or_insert(next);
        self.signatures[node] = Progress::Done(id);
        Some(id)
    }

    /// None for what is made of itself without a struct in between.
    fn form(&mut self, node: NodeId, behind_pointer: bool) -> Option<Form> {
        if let Some(def) = self.as_struct(node) {
            return match behind_pointer {
                true => Some(Form::Tag(tag(&def.name).to_owned())),
                false => Some(Form::Part(self.signature(node, def)?)),
            };
        }
        if !self.open.insert(node) {
            return None;
        }
        let form = self.form_of_parts(node, behind_pointer);
        self.open.remove(&node);
        form
    }

    fn form_of_parts(&mut self, node: NodeId, behind_pointer: bool) -> Option<Form> {
        Some(match self.defs[node] {
            TypeDef::Void => Form::Void,
            TypeDef::Int { bits, is_char } => Form::Int(*bits, *is_char),
            TypeDef::Float(bits) => Form::Float(*bits),
            TypeDef::Ptr(to) => Form::Ptr(Box::new(self.form(self.part(node, *to), true)?)),
            TypeDef::Array { elem, count } => {
                Form::Array(Box::new(self.form(self.part(node, *elem), behind_pointer)?), *count)
            }
            TypeDef::Func { params, ret, variadic } => {
                let forms = params.iter().map(|ty| self.form(self.part(node, *ty), true));
                let forms = forms.collect::<Option<Vec<Form>>>()?;
                Form::Func(forms, Box::new(self.form(self.part(node, *ret), true)?), *variadic)
            }
            TypeDef::Struct(_) => return None,
        })
    }

    /// Unites what is not fully known with what is: structs that are only declared, or known from the code.
    fn unite_by_tag(&mut self) {
        let mut by_tag: BTreeMap<(&str, bool), Vec<(NodeId, &StructDef)>> = BTreeMap::new();
        for (node, def) in self.structs() {
            let tag = tag(&def.name);
            if !tag.is_empty() {
                by_tag.entry((tag, def.is_union)).or_default().push((node, def));
            }
        }
        for same in by_tag.into_values() {
            for &(node, def) in &same {
                let known = knowledge(def);
                let fits = |other: &StructDef| match known {
                    Knowledge::Declared => false,
                    Knowledge::Layout => knowledge(other) >= known && other.size == def.size,
                    Knowledge::Tag => true,
                };
                let best = same.iter().filter(|(_, other)| fits(other)).max_by_key(|(_, d)| rank(d));
                if let Some(&(best, _)) = best {
                    self.classes.union(best.index(), node.index());
                }
            }
        }
    }
}

/// How much is known of a struct.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Knowledge {
    /// That there is one of that tag.
    Tag,
    /// What the code shows of it.
    Layout,
    /// Its declaration.
    Declared,
}

fn knowledge(def: &StructDef) -> Knowledge {
    let by_position = |(i, field): (usize, &Field)| field.name == format!("f{i}");
    if tag(&def.name).is_empty() {
        Knowledge::Declared
    } else if def.size == 0 && def.fields.is_empty() {
        Knowledge::Tag
    } else if def.fields.iter().enumerate().all(by_position) {
        Knowledge::Layout
    } else {
        Knowledge::Declared
    }
}

/// Of several structs of one tag, the one meant where only the tag is known; whatever the order of files.
fn rank(def: &StructDef) -> (Knowledge, u64, usize, Reverse<Vec<&str>>) {
    let names = def.fields.iter().map(|field| field.name.as_str()).collect();
    (knowledge(def), def.size, def.fields.len(), Reverse(names))
}

/// `foo` for `foo.2`; empty for structs without a tag, which are called `anon1` and so on.
fn tag(name: &str) -> &str {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let tag = match name.rsplit_once('.') {
        Some((tag, number)) if is_number(number) => tag,
        _ => name,
    };
    if tag.strip_prefix(ANONYMOUS).is_some_and(is_number) { "" } else { tag }
}

/// What the names of structs without a tag begin with.
const ANONYMOUS: &str = "anon";

/// The table of the linked module, while it grows.
struct Table<'u> {
    nodes: Nodes<'u>,
    defs: PrimaryMap<TypeId, TypeDef>,
    /// By class for structs.
    placed: HashMap<NodeId, TypeId>,
    /// Types that are the same if their definitions are.
    by_def: HashMap<TypeDef, TypeId>,
    /// Types that are being placed.
    open: HashSet<NodeId>,
}

impl<'u> Table<'u> {
    fn new(nodes: Nodes<'u>) -> Table<'u> {
        Table {
            nodes,
            defs: PrimaryMap::new(),
            placed: HashMap::new(),
            by_def: HashMap::new(),
            open: HashSet::new(),
        }
    }

    fn finish(
        mut self,
        units: &PrimaryMap<UnitId, Unit>,
    ) -> (PrimaryMap<TypeId, TypeDef>, PrimaryMap<UnitId, PrimaryMap<TypeId, TypeId>>) {
        let mut nodes = self.nodes.defs.keys();
        let mut maps = PrimaryMap::new();
        for unit in units.values() {
            let types = nodes.by_ref().take(unit.module.types.len());
            maps.push(types.map(|node| self.place(node)).collect());
        }
        self.define_structs();
        (self.defs, maps)
    }

    /// The type of the table that a node is; structs still lack their content.
    fn place(&mut self, node: NodeId) -> TypeId {
        let node = if self.nodes.as_struct(node).is_some() { self.nodes.class(node) } else { node };
        if let Some(&ty) = self.placed.get(&node) {
            return ty;
        }
        // No C type is made of itself without a struct in between.
        let def = if self.open.insert(node) { self.definition(node) } else { TypeDef::Void };
        self.open.remove(&node);
        let ty = match def {
            TypeDef::Struct(_) => self.defs.push(def),
            TypeDef::Void
            | TypeDef::Int { .. }
            | TypeDef::Float(_)
            | TypeDef::Ptr(_)
            | TypeDef::Array { .. }
            | TypeDef::Func { .. } => match self.by_def.get(&def) {
                Some(&ty) => ty,
                None => {
                    let ty = self.defs.push(def.clone());
                    self.by_def.insert(def, ty);
                    ty
                }
            },
        };
        *self.placed.entry(node).or_insert(ty)
    }

    fn definition(&mut self, node: NodeId) -> TypeDef {
        let def = self.nodes.defs[node];
        let mut part = |ty: TypeId| self.place(self.nodes.part(node, ty));
        match def {
            TypeDef::Ptr(to) => TypeDef::Ptr(part(*to)),
            TypeDef::Array { elem, count } => TypeDef::Array { elem: part(*elem), count: *count },
            TypeDef::Func { params, ret, variadic } => {
                let params = params.iter().map(|ty| part(*ty)).collect();
                TypeDef::Func { params, ret: part(*ret), variadic: *variadic }
            }
            def @ (TypeDef::Void | TypeDef::Int { .. } | TypeDef::Float(_)) => def.clone(),
            TypeDef::Struct(def) => TypeDef::Struct(StructDef { fields: Vec::new(), ..def.clone() }),
        }
    }

    fn define_structs(&mut self) {
        let mut classes: BTreeMap<TypeId, Vec<(NodeId, &'u StructDef)>> = BTreeMap::new();
        for (node, def) in self.nodes.structs() {
            classes.entry(self.place(node)).or_default().push((node, def));
        }
        let mut named = Vec::new();
        for (ty, members) in classes {
            let Some(&(node, def)) = members.iter().rev().max_by_key(|(_, def)| knowledge(def)) else {
                continue;
            };
            let fields = def.fields.iter().map(|f| self.field(node, f)).collect();
            let mut declared = members.iter().filter(|(_, d)| knowledge(d) == knowledge(def));
            // What one file has from a system header is known outside, wherever another has it from.
            let opaque = declared.clone().all(|(_, def)| def.opaque);
            let module_private = declared.all(|(_, def)| def.module_private);
            named.push((module_private, ty, tag(&def.name)));
            let name = String::new();
            self.defs[ty] = TypeDef::Struct(StructDef { name, module_private, opaque, fields, ..*def });
        }
        self.name_structs(named);
    }

    fn field(&mut self, node: NodeId, field: &Field) -> Field {
        let ty = self.place(self.nodes.part(node, field.ty));
        Field { ty, name: field.name.clone(), alias: field.alias.clone(), ..*field }
    }

    /// Of several structs with one tag, the one that is not private to the module keeps it: that is the one
    /// that the environment means.
    fn name_structs(&mut self, mut named: Vec<(bool, TypeId, &str)>) {
        named.sort();
        let mut names = Names::taken(std::iter::empty());
        let mut anonymous = 0;
        for (_, ty, tag) in named {
            let TypeDef::Struct(def) = &mut self.defs[ty] else { continue };
            def.name = if tag.is_empty() {
                anonymous += 1;
                names.unique(&format!("{ANONYMOUS}{anonymous}"))
            } else {
                names.unique(tag)
            };
        }
    }
}
