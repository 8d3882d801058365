//! Which accesses may touch a common byte, judged by declared types alone.
//!
//! Every access has a [`Shape`]: the struct through which its address was computed and the bytes
//! inside it, or only a size. Two shapes of one struct overlap if their bytes do; of two structs, if
//! one embeds the other there (members of unions and character arrays that could hold it included).
//! Unrelated structs do not overlap: that splits the memory that code outside can reach by type, and
//! is the assumption `type-split` (design, rules 7 and 8). Addresses decide the rest, in the solver.

use crate::fault::{Fault, seeded};
use lockpair_ir::{Field, Module, StructDef, TypeDef, TypeId};
use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};

/// What is known of the bytes of an access without looking at its address.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Shape {
    /// Bytes `lo..hi` of an object of the struct type.
    In {
        /// The struct.
        strukt: TypeId,
        /// The first byte.
        lo: u64,
        /// One past the last byte.
        hi: u64,
    },
    /// A scalar of this many bytes, more than one, at an address of which no struct is known.
    Scalar(u64),
    /// A whole object that is declared to be of the struct type, with what may lie behind it: drivers
    /// put their own structs there (netdev_priv).
    Whole(TypeId),
    /// Anything: a character, a memory intrinsic, an unknown extent, the end of an object.
    Wild,
    /// What code outside of the module reads or writes through a pointer to a struct of which the module has only the name.
    Outside,
}

impl Shape {
    /// Whether nothing is known of the bytes.
    pub const fn is_unknown(self) -> bool {
        matches!(self, Shape::Wild | Shape::Outside)
    }

    /// Whether no struct is known that has the bytes.
    pub const fn is_raw(self) -> bool {
        matches!(self, Shape::Scalar(_) | Shape::Wild | Shape::Outside)
    }
}

/// A member of a struct, by the innermost struct that has it.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FieldId {
    /// The struct.
    pub strukt: TypeId,
    /// Where the member begins in it.
    pub offset: u64,
}

/// A place where one struct type lies in another: `count` times, `stride` bytes apart.
#[derive(Copy, Clone, Debug)]
struct Embedding {
    offset: u64,
    count: u64,
    stride: u64,
}

/// What may lie in an array of characters, apart from characters.
#[derive(Clone, Debug)]
pub enum Held {
    /// These structs.
    Structs(HashSet<TypeId>),
    /// Whatever may lie in any.
    Anything,
}

impl Default for Held {
    fn default() -> Self {
        Held::Structs(HashSet::new())
    }
}

impl Held {
    fn may_be(&self, strukt: TypeId) -> bool {
        match self {
            Held::Structs(structs) => structs.contains(&strukt),
            Held::Anything => true,
        }
    }

    /// Adds what another may hold.
    pub fn extend(&mut self, other: &Held) {
        match (&mut *self, other) {
            (Held::Structs(mine), Held::Structs(others)) => mine.extend(others),
            _ => *self = Held::Anything,
        }
    }
}

/// What is known of structs that lie in arrays of characters (`skb->cb`).
#[derive(Default)]
pub struct InBytes {
    /// Those that may lie in some array.
    pub structs: HashSet<TypeId>,
    /// What may lie in arrays whose address goes somewhere.
    pub arrays: HashMap<FieldId, Held>,
    /// Per struct: to what the module steps from a pointer to it, or to a struct around it.
    pub beyond: HashMap<TypeId, HashSet<TypeId>>,
}

/// Where in the structs around it a member is.
#[derive(Copy, Clone)]
struct Nesting {
    depth: u32,
    /// Members of a struct around it come after it.
    followed: bool,
    /// The member itself.
    field: FieldId,
}

impl Nesting {
    fn deeper(self) -> Self {
        Nesting { depth: self.depth + 1, ..self }
    }
}

/// Answers questions about declared layouts, with a cache.
pub struct Layout<'m> {
    module: &'m Module,
    embeddings: RefCell<HashMap<(TypeId, TypeId), Vec<Embedding>>>,
    private: Vec<TypeId>,
    /// Structs of which each object is an allocation of its own.
    alone: HashSet<TypeId>,
    /// Structs of which an allocation has at most one.
    single: HashSet<TypeId>,
    /// Members that close rings.
    ring: Vec<Shape>,
    /// What lies in arrays of characters; anything, if that is not known.
    in_bytes: Option<InBytes>,
    /// Per struct: those that are declared to have one as a part.
    around: OnceCell<HashMap<TypeId, Vec<TypeId>>>,
    /// Per struct: the unions that have one somewhere.
    unions: OnceCell<HashMap<TypeId, Vec<TypeId>>>,
}

impl<'m> Layout<'m> {
    /// For the types of the module.
    pub fn new(module: &'m Module) -> Self {
        let private = |ty: &TypeId| module.as_struct(*ty).is_some_and(|s| s.module_private);
        let private = module.types.keys().filter(private).collect();
        let (embeddings, around, unions) = (RefCell::default(), OnceCell::new(), OnceCell::new());
        let (alone, single) = (HashSet::new(), HashSet::new());
        let ring = Vec::new();
        Layout { module, embeddings, private, alone, single, ring, in_bytes: None, around, unions }
    }

    /// With what the environment says of objects that are allocations of their own.
    pub fn with_alone(self, alone: HashSet<TypeId>) -> Self {
        Layout { alone, ..self }
    }

    /// With the members that close rings.
    pub fn with_ring(self, ring: Vec<Shape>) -> Self {
        Layout { ring, ..self }
    }

    /// With the structs of which an allocation has at most one.
    pub fn with_single(self, single: HashSet<TypeId>) -> Self {
        Layout { single, ..self }
    }

    /// Whether an allocation has at most one of the struct.
    pub fn is_single(&self, strukt: TypeId) -> bool {
        self.single.contains(&strukt)
    }

    /// With what is known of structs that lie in arrays of characters.
    pub fn with_structs_in_bytes(self, in_bytes: InBytes) -> Self {
        // What the cache has was found without that knowledge.
        Layout { in_bytes: Some(in_bytes), embeddings: RefCell::default(), ..self }
    }

    /// Whether the bytes are of an object that is an allocation of its own.
    pub fn is_alone(&self, shape: Shape) -> bool {
        match shape {
            Shape::In { strukt, .. } | Shape::Whole(strukt) => self.alone.contains(&strukt),
            Shape::Scalar(_) | Shape::Wild | Shape::Outside => false,
        }
    }

    /// The members that close rings.
    pub fn ring(&self) -> &[Shape] {
        &self.ring
    }

    /// Whether the bytes are of a member that closes a ring, and so may lead to its head.
    pub fn closes_ring(&self, shape: Shape) -> bool {
        let (Shape::In { strukt, lo, hi }, false) = (shape, seeded(Fault::RingsLeadOn)) else { return false };
        let meets = |link: &Shape| match *link {
            Shape::In { strukt: of, lo: first, hi: last } if of == strukt => lo < last && first < hi,
            Shape::In { strukt: of, lo: first, hi: last } => {
                self.embedded_overlap((strukt, lo, hi), (of, first, last))
                    || self.embedded_overlap((of, first, last), (strukt, lo, hi))
            }
            _ => false,
        };
        self.ring.iter().any(meets)
    }

    /// Whether what has links is the head of a ring: no element, and no part that both have.
    fn is_head(&self, ty: TypeId) -> bool {
        let has_it = |link: &Shape| match *link {
            Shape::In { strukt, .. } => strukt != ty && self.embeds(strukt, ty),
            _ => false,
        };
        !self.alone.contains(&ty) && !self.ring.iter().any(has_it)
    }

    /// How far behind the head of a ring these bytes are its link; none if they may be an element's.
    pub fn link_of_head(&self, shape: Shape) -> Option<u64> {
        let Shape::In { strukt, lo, hi } = shape else { return None };
        let link = |link: &Shape| match *link {
            Shape::In { strukt: of, lo: first, hi: last } => {
                let is_here = of == strukt && (lo, hi) == (first, last)
                    || of != strukt && self.embedded_overlap((strukt, lo, hi), (of, first, last));
                (is_here && self.is_head(of)).then_some(first)
            }
            _ => None,
        };
        self.ring.iter().find_map(link)
    }

    /// Whether the struct has links of a ring, of an element or of a head.
    pub fn has_links(&self, ty: TypeId) -> bool {
        self.ring.iter().any(|link| matches!(link, Shape::In { strukt, .. } if *strukt == ty))
    }

    /// Whether an object of one of the types may be a part of one of the other.
    pub fn related(&self, a: TypeId, b: TypeId) -> bool {
        a == b || self.embeds(a, b) || self.embeds(b, a)
    }

    /// How many bytes an object of the type has.
    pub fn size(&self, ty: TypeId) -> u64 {
        self.module.size_of(ty)
    }

    /// Whether an object of the inner type may be a part of one of the outer.
    pub fn contains(&self, outer: TypeId, inner: TypeId) -> bool {
        self.embeds(outer, inner)
    }

    /// The structs that are declared as members of one, at any depth.
    pub fn parts(&self, outer: TypeId) -> HashSet<TypeId> {
        let (mut found, mut work) = (HashSet::new(), vec![outer]);
        while let Some(ty) = work.pop() {
            match &self.module.types[ty] {
                TypeDef::Struct(def) => {
                    work.extend(def.fields.iter().map(|f| f.ty).filter(|ty| found.insert(*ty)))
                }
                TypeDef::Array { elem, .. } => work.push(*elem),
                TypeDef::Void
                | TypeDef::Int { .. }
                | TypeDef::Float(_)
                | TypeDef::Ptr(_)
                | TypeDef::Func { .. } => {}
            }
        }
        found.retain(|ty| self.module.as_struct(*ty).is_some());
        found
    }

    /// The structs that are declared to have one of the type as a part, at any depth.
    pub fn around(&self, part: TypeId) -> &[TypeId] {
        let find = || {
            let mut around: HashMap<TypeId, Vec<TypeId>> = HashMap::new();
            for outer in self.module.types.keys().filter(|ty| self.module.as_struct(*ty).is_some()) {
                self.parts(outer).into_iter().for_each(|part| around.entry(part).or_default().push(outer));
            }
            around
        };
        self.around.get_or_init(find).get(&part).map_or(&[], Vec::as_slice)
    }

    /// Whether only the module declares the struct.
    pub fn is_private(&self, strukt: TypeId) -> bool {
        self.module.as_struct(strukt).is_some_and(|s| s.module_private)
    }

    /// Whether the bytes lie in a struct that only the module declares: code outside knows none of its members.
    pub fn is_of_module(&self, bytes: Shape) -> bool {
        let Shape::In { strukt, lo, .. } = bytes else { return false };
        self.is_private(self.innermost(strukt, lo).0)
    }

    /// The structs of the module's own that have one of the type as a part.
    pub fn private_around(&self, inner: TypeId) -> impl Iterator<Item = TypeId> {
        self.private.iter().copied().filter(move |&outer| self.embeds(outer, inner))
    }

    /// The structs that begin with one of the type, as a member.
    pub fn beginning_with(&self, first: TypeId) -> impl Iterator<Item = TypeId> {
        self.module.types.keys().filter(move |&outer| self.begins(outer, first, 0))
    }

    fn begins(&self, outer: TypeId, first: TypeId, depth: u32) -> bool {
        let first_of = |ty: TypeId| ty == first || depth < 24 && self.begins(ty, first, depth + 1);
        match &self.module.types[outer] {
            TypeDef::Struct(def) => def.fields.iter().take_while(|f| f.offset == 0).any(|f| first_of(f.ty)),
            TypeDef::Array { elem, .. } => first_of(*elem),
            TypeDef::Void
            | TypeDef::Int { .. }
            | TypeDef::Float(_)
            | TypeDef::Ptr(_)
            | TypeDef::Func { .. } => false,
        }
    }

    /// Whether the bytes may be of an object of the struct, or of one of which it is a part.
    pub fn may_lie_within(&self, bytes: Shape, strukt: TypeId) -> bool {
        match bytes {
            Shape::In { strukt: outer, lo, hi } if outer != strukt && !self.embeds(strukt, outer) => {
                self.embedded_overlap((outer, lo, hi), (strukt, 0, self.module.size_of(strukt)))
            }
            Shape::In { .. } | Shape::Scalar(_) | Shape::Wild | Shape::Outside => true,
            Shape::Whole(other) => self.related(other, strukt),
        }
    }

    /// Whether accesses of these shapes in one region may touch a common byte. Types separate only in
    /// memory that code outside can reach; of its own objects, the module may have any view.
    pub fn may_overlap(&self, external: bool, a: Shape, b: Shape) -> bool {
        match (a, b) {
            (Shape::In { strukt: s, lo, hi }, Shape::In { strukt: t, lo: lo2, hi: hi2 }) if s == t => {
                let apart = seeded(Fault::UnionMembersApart) && (lo, hi) != (lo2, hi2);
                lo < hi2 && lo2 < hi && !apart
            }
            _ => !external || self.types_overlap(a, b),
        }
    }

    /// Whether a struct of the inner type begins at that offset of the outer one.
    pub fn embeds_at(&self, outer: TypeId, offset: u64, inner: TypeId) -> bool {
        let size = self.module.size_of(inner).max(1);
        let inner = Shape::In { strukt: inner, lo: 0, hi: size };
        let outer = Shape::In { strukt: outer, lo: offset, hi: offset + 1 };
        outer == inner || self.may_overlap(true, outer, inner)
    }

    /// Whether they may in memory that is split by type.
    fn types_overlap(&self, a: Shape, b: Shape) -> bool {
        match (a, b) {
            (Shape::Wild, Shape::In { .. }) | (Shape::In { .. }, Shape::Wild) if seeded(Fault::WildApart) => {
                false
            }
            (Shape::Wild | Shape::Outside, _) | (_, Shape::Wild | Shape::Outside) => true,
            (Shape::Scalar(_), Shape::Scalar(_)) => true,
            (Shape::Whole(_), Shape::Scalar(_)) | (Shape::Scalar(_), Shape::Whole(_)) => true,
            (Shape::Whole(s), Shape::Whole(t)) => self.related(s, t),
            (Shape::Whole(s), Shape::In { strukt: t, .. })
            | (Shape::In { strukt: t, .. }, Shape::Whole(s)) => self.may_lie_in(t, s),
            (Shape::In { .. }, Shape::Scalar(_)) | (Shape::Scalar(_), Shape::In { .. })
                if seeded(Fault::ScalarApart) =>
            {
                false
            }
            (Shape::In { strukt, lo, hi }, Shape::Scalar(size))
            | (Shape::Scalar(size), Shape::In { strukt, lo, hi }) => self.has_scalar(strukt, lo, hi, size),
            (Shape::In { strukt: s, lo, hi }, Shape::In { strukt: t, lo: lo2, hi: hi2 }) => {
                self.embedded_overlap((s, lo, hi), (t, lo2, hi2))
                    || self.embedded_overlap((t, lo2, hi2), (s, lo, hi))
                    || self.overlap_in_union((s, lo, hi), (t, lo2, hi2))
                    // The links of an element, as the source says it, may be those of the head.
                    || !self.ring.is_empty() && self.closes_ring(a) && self.closes_ring(b)
            }
        }
    }

    /// Whether an object of type `inner` may be part of an allocation that begins with an `outer`: the type
    /// itself, what contains it or is contained, the module's own types with their parts, and what the module is seen to step
    /// to from there, whoever declares it.
    fn may_lie_in(&self, inner: TypeId, outer: TypeId) -> bool {
        let private = |ty: TypeId| self.is_private(ty);
        if self.alone.contains(&outer) || self.alone.contains(&inner) {
            return self.related(inner, outer);
        }
        self.related(inner, outer)
            || private(inner)
            || private(outer)
            || self.private.iter().any(|&ty| self.embeds(ty, inner))
            || !seeded(Fault::OwnLiesBehind) && self.beyond(outer).any(|ty| self.related(ty, inner))
    }

    /// What the module steps to from a struct.
    fn beyond(&self, strukt: TypeId) -> impl Iterator<Item = TypeId> {
        let found = self.in_bytes.as_ref().and_then(|in_bytes| in_bytes.beyond.get(&strukt));
        found.into_iter().flatten().copied()
    }

    fn embeds(&self, outer: TypeId, inner: TypeId) -> bool {
        self.with_embeddings(outer, inner, |list| !list.is_empty())
    }

    fn embedded_overlap(&self, outer: (TypeId, u64, u64), inner: (TypeId, u64, u64)) -> bool {
        let (o, lo, hi) = outer;
        let (i, ilo, ihi) = inner;
        self.with_embeddings(o, i, |list| {
            list.iter().any(|e| {
                // What has no length ends at the last byte that there can be.
                let first = e.offset + ilo;
                let last = (e.offset + e.count.saturating_sub(1) * e.stride).saturating_add(ihi);
                if hi <= first || last <= lo {
                    return false;
                }
                // Between the first and the last element: hit unless the bytes fall between two.
                let skip = lo.saturating_sub(e.offset.saturating_add(ihi)) / e.stride.max(1);
                (skip..e.count.min(skip + 3)).any(|k| {
                    let at = e.offset + k * e.stride;
                    lo < at.saturating_add(ihi) && at + ilo < hi
                }) || hi - lo > e.stride
            })
        })
    }

    fn structs_in_unions(&self) -> HashMap<TypeId, Vec<TypeId>> {
        let mut found: HashMap<TypeId, Vec<TypeId>> = HashMap::new();
        for (union, _) in
            self.module.types.iter().filter(|(id, _)| self.module.as_struct(*id).is_some_and(|s| s.is_union))
        {
            let (mut seen, mut work) = (HashSet::from([union]), vec![union]);
            while let Some(ty) = work.pop() {
                let parts: Vec<TypeId> = match &self.module.types[ty] {
                    TypeDef::Struct(def) => def.fields.iter().map(|f| f.ty).collect(),
                    TypeDef::Array { elem, .. } => vec![*elem],
                    _ => vec![],
                };
                work.extend(parts.into_iter().filter(|part| seen.insert(*part)));
            }
            seen.remove(&union);
            for ty in seen.into_iter().filter(|ty| self.module.as_struct(*ty).is_some()) {
                found.entry(ty).or_default().push(union);
            }
        }
        found
    }

    /// Whether a union has both structs, at places where the bytes meet.
    fn overlap_in_union(&self, a: (TypeId, u64, u64), b: (TypeId, u64, u64)) -> bool {
        let spans = |union: TypeId, (ty, lo, hi): (TypeId, u64, u64)| -> Vec<(u64, u64)> {
            let last =
                |e: &Embedding| e.offset.saturating_add(e.count.saturating_sub(1).saturating_mul(e.stride));
            self.with_embeddings(union, ty, |list| {
                list.iter().map(|e| (e.offset + lo, last(e).saturating_add(hi))).collect()
            })
        };
        let unions = self.unions.get_or_init(|| self.structs_in_unions());
        let (Some(of_a), Some(of_b)) = (unions.get(&a.0), unions.get(&b.0)) else { return false };
        of_a.iter().filter(|u| of_b.contains(u)).any(|&union| {
            let (left, right) = (spans(union, a), spans(union, b));
            left.iter().any(|x| right.iter().any(|y| x.0 < y.1 && y.0 < x.1))
        })
    }

    fn with_embeddings<R>(&self, outer: TypeId, inner: TypeId, f: impl FnOnce(&[Embedding]) -> R) -> R {
        let mut cache = self.embeddings.borrow_mut();
        let list = cache.entry((outer, inner)).or_insert_with(|| {
            let mut list = Vec::new();
            self.collect(outer, inner, 0, (0, false), &mut list);
            list
        });
        f(list)
    }

    fn collect(
        &self,
        ty: TypeId,
        inner: TypeId,
        offset: u64,
        (depth, followed): (u32, bool),
        out: &mut Vec<Embedding>,
    ) {
        if depth > 24 {
            return;
        }
        let TypeDef::Struct(def) = &self.module.types[ty] else { return };
        for member in def.fields.iter().filter(|f| !self.is_marker(def, f)) {
            let followed = followed || self.is_followed(def, member);
            let field = FieldId { strukt: ty, offset: member.offset };
            let nesting = Nesting { depth, followed, field };
            self.collect_member(member.ty, inner, offset + member.offset, nesting, out);
        }
    }

    /// Whether another member of the struct begins where this one ends, or later.
    fn is_followed(&self, def: &StructDef, field: &Field) -> bool {
        let end = field.offset + self.module.size_of(field.ty);
        !def.is_union && def.fields.iter().any(|f| f.offset >= end && self.module.size_of(f.ty) > 0)
    }

    /// A zero-length array that is not at the end of its struct: a mark of a place, not storage.
    fn is_marker(&self, def: &StructDef, field: &Field) -> bool {
        field.offset < def.size && matches!(self.module.types[field.ty], TypeDef::Array { count: 0, .. })
    }

    fn collect_member(
        &self,
        ty: TypeId,
        inner: TypeId,
        offset: u64,
        nesting: Nesting,
        out: &mut Vec<Embedding>,
    ) {
        if ty == inner {
            out.push(Embedding { offset, count: 1, stride: 0 });
            return;
        }
        match &self.module.types[ty] {
            TypeDef::Struct(_) => self.collect(ty, inner, offset, (nesting.depth + 1, nesting.followed), out),
            // Of no length, at the end of a struct after which the one around it goes on (`kfifo.buf`): what lies there
            // are the members that follow, and they say themselves what they hold.
            TypeDef::Array { count: 0, .. } if nesting.followed => {}
            TypeDef::Array { elem, count } => {
                self.collect_array(*elem, *count, inner, offset, nesting, out);
            }
            TypeDef::Void
            | TypeDef::Int { .. }
            | TypeDef::Float(_)
            | TypeDef::Ptr(_)
            | TypeDef::Func { .. } => {}
        }
    }

    fn collect_array(
        &self,
        elem: TypeId,
        count: u64,
        inner: TypeId,
        offset: u64,
        nesting: Nesting,
        out: &mut Vec<Embedding>,
    ) {
        let stride = self.module.size_of(elem);
        let inner_size = self.module.size_of(inner);
        if matches!(self.module.types[elem], TypeDef::Int { is_char: true, .. }) {
            // Character arrays are storage for anything that fits; a flexible one for anything at all.
            // An object that is an allocation of its own lies in no other one.
            if self.alone.contains(&inner) {
                return;
            }
            let holds = self.array_holds(nesting.field, count, inner);
            if count == 0 && holds {
                out.push(Embedding { offset, count: u64::from(u32::MAX), stride: 1 });
            } else if holds && inner_size > 0 && inner_size <= count {
                out.push(Embedding { offset, count: count - inner_size + 1, stride: 1 });
            }
            return;
        }
        let mut once = Vec::new();
        self.collect_member(elem, inner, 0, nesting.deeper(), &mut once);
        let count = if count == 0 { u64::from(u32::MAX) } else { count };
        for e in once {
            if e.count == 1 {
                out.push(Embedding { offset: offset + e.offset, count, stride: stride.max(1) });
            } else {
                // An array in an array: every byte of it may begin one.
                let bytes = count.saturating_mul(stride);
                out.push(Embedding { offset, count: bytes, stride: 1 });
            }
        }
    }

    /// Whether an array of so many characters may have the struct. It gets there through a pointer to the array, or to a
    /// struct around it that is turned into data or from which the module steps there. Behind the end of one of its own
    /// structs, code outside may have put something for the module. (The step to what begins a struct may be lost.)
    fn array_holds(&self, array: FieldId, count: u64, inner: TypeId) -> bool {
        let Some(bytes) = &self.in_bytes else { return true };
        let is_open = count == 0 && !self.is_private(array.strukt)
            || array.offset == 0
            || bytes.structs.contains(&array.strukt)
            || bytes.beyond.get(&array.strukt).is_some_and(|structs| structs.contains(&inner));
        let goes_there = || bytes.arrays.get(&array).is_some_and(|held| held.may_be(inner));
        bytes.structs.contains(&inner) && (is_open && !seeded(Fault::ArraysByAddress) || goes_there())
    }

    /// Whether the bytes of the struct may hold a scalar of that size that code reaches by a plain pointer.
    pub fn has_scalar(&self, strukt: TypeId, lo: u64, hi: u64, size: u64) -> bool {
        self.scalar_in(strukt, lo, hi, size, 0)
    }

    fn scalar_in(&self, ty: TypeId, lo: u64, hi: u64, size: u64, depth: u32) -> bool {
        if depth > 24 {
            return true;
        }
        match &self.module.types[ty] {
            TypeDef::Struct(def) => self.scalar_in_struct(def, lo, hi, size, depth),
            TypeDef::Array { elem, count } => {
                let stride = self.module.size_of(*elem);
                if stride == 0
                    || *count == 0
                    || matches!(self.module.types[*elem], TypeDef::Int { is_char: true, .. })
                {
                    return true;
                }
                let (from, to) = (lo % stride, (lo % stride) + (hi - lo));
                self.scalar_in(*elem, from, to, size, depth + 1)
                    || (to > stride && self.scalar_in(*elem, 0, stride, size, depth + 1))
            }
            TypeDef::Int { bits, .. } | TypeDef::Float(bits) => u64::from(*bits).div_ceil(8) == size,
            TypeDef::Ptr(_) => size == 8,
            TypeDef::Void | TypeDef::Func { .. } => true,
        }
    }

    fn scalar_in_struct(&self, def: &StructDef, lo: u64, hi: u64, size: u64, depth: u32) -> bool {
        if def.fields.is_empty() || def.is_union {
            return true;
        }
        def.fields.iter().filter(|f| !self.is_marker(def, f)).any(|f| {
            if f.bits.is_some() {
                // Bit-fields share storage units of any width around them.
                return lo < f.offset + 8 && f.offset < hi.saturating_add(8);
            }
            let len = self.module.size_of(f.ty);
            let end = if len == 0 { u64::MAX } else { f.offset + len };
            if hi <= f.offset || end <= lo {
                return false;
            }
            self.scalar_in(f.ty, lo.saturating_sub(f.offset), hi - f.offset, size, depth + 1)
        })
    }

    /// Whether the bytes from there to the end are of one member of the union alone: what follows the pointers that share
    /// the beginning of a `struct kfifo` is of its `struct __kfifo`.
    fn has_one_at(&self, union: &StructDef, offset: u64) -> bool {
        let reaches = |f: &&Field| f.offset + self.module.size_of(f.ty) > offset || self.is_open(f.ty, 0);
        union.fields.iter().filter(reaches).count() == 1
    }

    /// Whether an object of the type may go on behind its end: it has no length, or ends with something that has none.
    fn is_open(&self, ty: TypeId, depth: u32) -> bool {
        if depth > 24 || self.module.size_of(ty) == 0 {
            return true;
        }
        match &self.module.types[ty] {
            TypeDef::Struct(def) => def.fields.iter().any(|f| self.is_open(f.ty, depth + 1)),
            TypeDef::Array { elem, .. } => self.is_open(*elem, depth + 1),
            TypeDef::Void
            | TypeDef::Int { .. }
            | TypeDef::Float(_)
            | TypeDef::Ptr(_)
            | TypeDef::Func { .. } => false,
        }
    }

    /// All types of which an object begins at the offset of a struct, the outermost first, without the struct itself.
    pub fn begin_at(&self, strukt: TypeId, offset: u64) -> Vec<TypeId> {
        let mut found = Vec::new();
        let (mut ty, mut at) = (strukt, offset);
        loop {
            match &self.module.types[ty] {
                TypeDef::Struct(def) => {
                    let covers =
                        |f: &&Field| f.offset <= at && at < f.offset + self.module.size_of(f.ty).max(1);
                    let Some(field) = def.fields.iter().find(covers) else { return found };
                    (ty, at) = (field.ty, at - field.offset);
                }
                TypeDef::Array { elem, .. } => (ty, at) = (*elem, at % self.module.size_of(*elem).max(1)),
                _ => return found,
            }
            if at == 0 {
                found.push(ty);
            }
        }
    }

    /// The innermost struct that has a member (not itself a struct or array of structs) at the byte,
    /// with the offset in it.
    pub fn innermost(&self, strukt: TypeId, offset: u64) -> (TypeId, u64) {
        self.smallest(strukt, offset, 1)
    }

    /// The innermost struct that holds all of these bytes, and where they begin in it.
    pub fn smallest(&self, strukt: TypeId, offset: u64, size: u64) -> (TypeId, u64) {
        let TypeDef::Struct(def) = &self.module.types[strukt] else { return (strukt, offset) };
        // What several members of a union have is no member of one.
        if def.is_union && !self.has_one_at(def, offset) {
            return (strukt, offset);
        }
        for f in &def.fields {
            if f.offset <= offset && offset < self.module.end_of(def, f) {
                let (mut ty, mut at) = (f.ty, offset - f.offset);
                while let TypeDef::Array { elem, .. } = &self.module.types[ty] {
                    at %= self.module.size_of(*elem).max(1);
                    ty = *elem;
                }
                let holds = at + size <= self.module.size_of(ty);
                if holds && matches!(self.module.types[ty], TypeDef::Struct(_)) {
                    return self.smallest(ty, at, size);
                }
                return (strukt, offset);
            }
        }
        (strukt, offset)
    }
}
