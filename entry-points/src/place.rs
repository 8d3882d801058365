//! Where an address points, in the words of the source: members of structs.

use lockpair_ir::{
    Callee, FuncId, Function, GlobalId, Module, Op, Operand, StructDef, TypeDef, TypeId, ValueId,
};

/// A member of a struct, possibly a nested one.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Member {
    /// The tag of the struct.
    pub strukt: String,
    /// Whether the struct is a union, whose members do not tell places apart.
    pub is_union: bool,
    /// Whether only the module declares the struct.
    pub module_private: bool,
    /// `a.b[].c`, seen from that struct.
    pub path: String,
    /// The type of the struct.
    pub ty: TypeId,
    /// Where that struct begins, seen from where the search began.
    pub start: u64,
}

/// One thing that an address may be: the members at it, the outermost struct first. No member: unknown.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Place {
    /// The members.
    pub members: Vec<Member>,
    /// The global that the address is in, if it is known.
    pub global: Option<GlobalId>,
}

/// The members that a scalar at `offset` of an object of the type is, the outermost struct first.
pub(crate) fn members_at(module: &Module, ty: TypeId, offset: u64) -> Vec<Member> {
    let mut out = Vec::new();
    descend(module, Cursor { ty, offset, start: 0 }, &[], &mut out);
    out
}

struct Cursor {
    ty: TypeId,
    /// From the start of `ty`.
    offset: u64,
    /// Of `ty`, from where the search began.
    start: u64,
}

fn descend(module: &Module, at: Cursor, open: &[Member], out: &mut Vec<Member>) {
    match &module.types[at.ty] {
        TypeDef::Struct(def) => descend_struct(module, &at, def, open, out),
        TypeDef::Array { elem, .. } => {
            let size = module.size_of(*elem).max(1);
            let offset = at.offset % size;
            let cursor = Cursor { ty: *elem, offset, start: at.start + (at.offset - offset) };
            descend(module, cursor, &extended(open, "[]"), out);
        }
        TypeDef::Void | TypeDef::Int { .. } | TypeDef::Float(_) | TypeDef::Ptr(_) | TypeDef::Func { .. } => {
            for member in open {
                if !out.contains(member) {
                    out.push(member.clone());
                }
            }
        }
    }
}

fn descend_struct(module: &Module, at: &Cursor, def: &StructDef, open: &[Member], out: &mut Vec<Member>) {
    for field in &def.fields {
        let size = match (field.bits, &module.types[field.ty]) {
            (Some(bits), _) => u64::from(bits).div_ceil(8),
            // A flexible array member reaches to the end of the object.
            (None, TypeDef::Array { count: 0, .. }) => u64::MAX - field.offset,
            (None, _) => module.size_of(field.ty),
        };
        if at.offset < field.offset || at.offset - field.offset >= size {
            continue;
        }
        let mut open = extended(open, &field.name);
        open.push(Member {
            strukt: def.name.clone(),
            is_union: def.is_union,
            module_private: def.module_private,
            path: field.name.clone(),
            ty: at.ty,
            start: at.start,
        });
        let inner = Cursor { ty: field.ty, offset: at.offset - field.offset, start: at.start + field.offset };
        descend(module, inner, &open, out);
    }
}

/// The members, one step further in; members of anonymous members count as the outer struct's.
fn extended(open: &[Member], step: &str) -> Vec<Member> {
    let mut open = open.to_vec();
    for member in &mut open {
        if !member.path.is_empty() && !step.is_empty() && step != "[]" {
            member.path.push('.');
        }
        member.path.push_str(step);
    }
    open
}

/// Whether two scalars may be one: false only if some struct that both are in tells them apart.
pub(crate) fn may_coincide(a: &[Member], b: &[Member]) -> bool {
    a.iter().filter(|m| !m.is_union).all(|m| {
        let mut same_struct = b.iter().filter(|n| n.strukt == m.strukt).peekable();
        same_struct.peek().is_none() || {
            let paths: Vec<&str> = same_struct.map(|n| n.path.as_str()).collect();
            a.iter().any(|o| o.strukt == m.strukt && paths.contains(&o.path.as_str()))
        }
    })
}

/// A declared type and an offset into it.
type Spot = (TypeId, i64);

/// One way to see an address: spots from the outermost object inwards.
#[derive(Clone, Default)]
struct View {
    spots: Vec<Spot>,
    global: Option<GlobalId>,
}

/// How far the computation of an address is followed back.
const MAX_DEPTH: u32 = 12;

/// Everything that an address in a function may be, as far as its computation tells. Never empty.
pub(crate) fn places(module: &Module, func: FuncId, addr: Operand) -> Vec<Place> {
    let seer = Seer { module, func: &module.funcs[func] };
    seer.views(addr, 0, MAX_DEPTH).into_iter().map(|view| seer.place(&view)).collect()
}

/// The same, for the scalar that lies `offset` bytes further.
pub(crate) fn places_beyond(module: &Module, func: FuncId, addr: Operand, offset: i64) -> Vec<Place> {
    let seer = Seer { module, func: &module.funcs[func] };
    seer.views(addr, offset, MAX_DEPTH).into_iter().map(|view| seer.place(&view)).collect()
}

/// The types of what may begin at an address, as far as its computation tells.
pub(crate) fn types_at(module: &Module, func: FuncId, addr: Operand) -> Vec<TypeId> {
    let seer = Seer { module, func: &module.funcs[func] };
    let spots = seer.views(addr, 0, MAX_DEPTH).into_iter().flat_map(|view| view.spots);
    let mut out = Vec::new();
    for (ty, offset) in spots {
        out.extend(u64::try_from(offset).map_or_else(|_| Vec::new(), |at| beginning_at(module, ty, at)));
    }
    out
}

/// The types of all members that begin at the offset, the outermost first.
fn beginning_at(module: &Module, ty: TypeId, offset: u64) -> Vec<TypeId> {
    let mut out = if offset == 0 { vec![ty] } else { Vec::new() };
    match &module.types[ty] {
        TypeDef::Struct(def) => {
            for field in &def.fields {
                if offset >= field.offset && offset - field.offset < module.size_of(field.ty) {
                    out.extend(beginning_at(module, field.ty, offset - field.offset));
                }
            }
        }
        TypeDef::Array { elem, .. } => {
            out.extend(beginning_at(module, *elem, offset % module.size_of(*elem).max(1)));
        }
        TypeDef::Void | TypeDef::Int { .. } | TypeDef::Float(_) | TypeDef::Ptr(_) | TypeDef::Func { .. } => {}
    }
    out
}

struct Seer<'a> {
    module: &'a Module,
    func: &'a Function,
}

impl Seer<'_> {
    fn place(&self, view: &View) -> Place {
        let mut members: Vec<Member> = Vec::new();
        for &(ty, offset) in &view.spots {
            for member in self.members_in(ty, offset) {
                if !members.iter().any(|m| m.strukt == member.strukt && m.path == member.path) {
                    members.push(member);
                }
            }
        }
        Place { members, global: view.global }
    }

    fn members_in(&self, ty: TypeId, offset: i64) -> Vec<Member> {
        u64::try_from(offset).map_or_else(|_| Vec::new(), |offset| members_at(self.module, ty, offset))
    }

    fn views(&self, addr: Operand, offset: i64, depth: u32) -> Vec<View> {
        match addr {
            Operand::Global(g, start) => {
                let spots = self.module.globals[g].ty.map(|ty| (ty, start.saturating_add(offset)));
                vec![View { spots: spots.into_iter().collect(), global: Some(g) }]
            }
            Operand::Value(v) if depth > 0 => self.views_of_value(v, offset, depth - 1),
            _ => vec![View::default()],
        }
    }

    fn views_of_value(&self, value: ValueId, offset: i64, depth: u32) -> Vec<View> {
        let Some(inst) = self.func.values[value].inst else {
            return vec![self.pointee_view(self.parameter_type(value), offset)];
        };
        match &self.func.insts[inst].op {
            Op::PtrAdd { base, offset: more, scaled, within } => {
                let offset = offset.saturating_add(*more);
                self.views_of_sum(*base, offset, !scaled.is_empty(), *within, depth)
            }
            Op::Select { then, els, .. } => {
                [*then, *els].iter().flat_map(|v| self.views(*v, offset, depth)).collect()
            }
            Op::Phi(edges) if !edges.is_empty() => {
                // Half of the depth that is left: phis multiply the ways.
                edges.iter().flat_map(|(_, v)| self.views(*v, offset, depth / 2)).collect()
            }
            Op::Alloca { ty: Some(ty), .. } => vec![View { spots: vec![(*ty, offset)], global: None }],
            Op::Load { addr, .. } => vec![self.pointee_view(self.type_in_memory(*addr, depth), offset)],
            Op::Call { callee: Callee::Func(f), .. } => {
                vec![self.pointee_view(self.module.funcs[*f].ret_decl, offset)]
            }
            _ => vec![View::default()],
        }
    }

    fn views_of_sum(
        &self,
        base: Operand,
        offset: i64,
        indexed: bool,
        within: Option<TypeId>,
        depth: u32,
    ) -> Vec<View> {
        // A variable index without a struct to stay in may lead anywhere in the object.
        let mut views = match (indexed, within) {
            (true, None) => vec![View { spots: Vec::new(), global: self.global_below(base, depth) }],
            _ => self.views(base, offset, depth),
        };
        for view in &mut views {
            view.spots.extend(within.map(|ty| (ty, offset)));
        }
        views
    }

    fn global_below(&self, base: Operand, depth: u32) -> Option<GlobalId> {
        let views = self.views(base, 0, depth);
        views.first().and_then(|v| v.global).filter(|_| views.len() == 1)
    }

    fn parameter_type(&self, value: ValueId) -> Option<TypeId> {
        self.func.params.iter().find(|p| p.value == value).and_then(|p| p.decl)
    }

    /// What a pointer of the declared type points to.
    fn pointee_view(&self, pointer: Option<TypeId>, offset: i64) -> View {
        let pointee = pointer.and_then(|ty| match self.module.types[ty] {
            TypeDef::Ptr(to) => Some((to, offset)),
            _ => None,
        });
        // A pointer may point to any element of an array: beyond the size, the type says nothing.
        let fits = |&(ty, at): &Spot| u64::try_from(at).is_ok_and(|at| at < self.module.size_of(ty).max(1));
        View { spots: pointee.filter(fits).into_iter().collect(), global: None }
    }

    /// The declared type of the scalar at an address.
    fn type_in_memory(&self, addr: Operand, depth: u32) -> Option<TypeId> {
        let views = self.views(addr, 0, depth);
        let (ty, offset) = *views.first()?.spots.last()?;
        scalar_at(self.module, ty, u64::try_from(offset).ok()?)
    }
}

/// The declared type of the scalar at an offset; none within unions of several types.
fn scalar_at(module: &Module, ty: TypeId, offset: u64) -> Option<TypeId> {
    match &module.types[ty] {
        TypeDef::Struct(def) if def.is_union && def.fields.len() != 1 => None,
        TypeDef::Struct(def) => {
            let field = def.fields.iter().find(|f| {
                f.offset <= offset && offset - f.offset < module.size_of(f.ty) && f.bits.is_none()
            })?;
            scalar_at(module, field.ty, offset - field.offset)
        }
        TypeDef::Array { elem, .. } => scalar_at(module, *elem, offset % module.size_of(*elem).max(1)),
        TypeDef::Void | TypeDef::Int { .. } | TypeDef::Float(_) | TypeDef::Ptr(_) | TypeDef::Func { .. } => {
            (offset == 0).then_some(ty)
        }
    }
}
