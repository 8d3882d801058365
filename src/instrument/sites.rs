//! Recording accesses: the sites that the instructions leave.

use super::exec::Executor;
use super::state::State;
use super::thread::*;
use crate::analysis::declared;
use crate::analysis::layout::Shape;
use crate::analysis::points_to::RegionId;
use crate::fault::{Fault, seeded};
use lockpair_ir::*;
use lockpair_smt::TermId;

/// An access about to be recorded.
#[derive(Copy, Clone)]
pub(super) struct AccessOp {
    pub(super) ptr: Pointer,
    pub(super) extent: Extent,
    /// The number of bytes, if constant.
    pub(super) size: Option<u64>,
    pub(super) write: bool,
    pub(super) value: Option<Addr>,
    pub(super) mark: Mark,
    pub(super) region: RegionId,
    /// Whether it is to a block of memory, whatever is there, and not to one scalar.
    pub(super) block: bool,
    /// The pointer, if that is one value of a function.
    pub(super) through: Option<(FuncId, ValueId)>,
}

/// The value of the function that an operand is.
pub(super) fn through(func: FuncId, pointer: Operand) -> Option<(FuncId, ValueId)> {
    match pointer {
        Operand::Value(v) => Some((func, v)),
        _ => None,
    }
}

impl AccessOp {
    /// The size, if it tells of the types of the bytes: that of a block behind a plain pointer does not.
    pub(super) fn telling_size(&self) -> Option<u64> {
        let raw_block = self.block && self.ptr.path.is_none() && !seeded(Fault::BlockIsScalar);
        self.size.filter(|_| !raw_block)
    }
}

/// So many objects of one access are told apart.
const MAX_ALTERNATIVES: usize = 4;

/// Where an access comes from.
#[derive(Copy, Clone)]
pub(super) struct Origin {
    pub(super) stack: StackId,
    pub(super) inst: (FuncId, InstId),
    pub(super) loc: Option<LocId>,
}

impl Executor<'_, '_> {
    /// Records an access, unless only this thread can see it; where a condition chooses between objects, one
    /// access for each, so that it is known of each where it comes from.
    pub(super) fn record(&mut self, state: &State, access: AccessOp, origin: Origin) {
        let alternatives = self.alternatives(access);
        if let [(_, access)] = alternatives.as_slice() {
            return self.record_one(state, *access, origin);
        }
        for (when, access) in alternatives {
            let guard = self.thread.terms.and2(state.guard, when);
            self.record_one(&State { guard, ..state.clone() }, access, origin);
        }
    }

    /// What an access may be, each under its condition: the branches of its object's term. The access itself
    /// if there are too many.
    fn alternatives(&mut self, whole: AccessOp) -> Vec<(TermId, AccessOp)> {
        let tru = self.thread.terms.tru();
        let (mut out, mut work) = (Vec::new(), vec![(tru, whole)]);
        while let Some((when, access)) = work.pop() {
            let lockpair_smt::Term::Ite(c, ..) = self.thread.terms.get(access.ptr.addr.obj) else {
                out.push((when, access));
                continue;
            };
            if out.len() + work.len() >= MAX_ALTERNATIVES {
                return vec![(tru, whole)];
            }
            let not = self.thread.terms.not(c);
            for (cond, taken) in [(not, false), (c, true)] {
                work.push((self.thread.terms.and2(when, cond), self.branch_of(access, c, taken)));
            }
        }
        out
    }

    /// An access where it is known how a condition came out.
    fn branch_of(&self, access: AccessOp, cond: TermId, taken: bool) -> AccessOp {
        let branch = |t: TermId| self.branch(t, cond, taken);
        let addr = |a: Addr| Addr { obj: branch(a.obj), off: branch(a.off) };
        let path = access.ptr.path.map(|(strukt, at)| (strukt, branch(at)));
        let ptr = Pointer { addr: addr(access.ptr.addr), path, span: access.ptr.span };
        AccessOp { ptr, value: access.value.map(addr), ..access }
    }

    /// A term where it is known how a condition came out.
    pub(super) fn branch(&self, t: TermId, cond: TermId, taken: bool) -> TermId {
        match self.thread.terms.get(t) {
            lockpair_smt::Term::Ite(c, a, b) if c == cond => {
                if taken {
                    a
                } else {
                    b
                }
            }
            _ => t,
        }
    }

    pub(super) fn record_one(&mut self, state: &State, access: AccessOp, origin: Origin) {
        let obj = access.ptr.addr.obj;
        if let Some(id) = self.thread.terms.as_int(obj) {
            let global =
                usize::try_from(id - 1).ok().map(GlobalId::new).and_then(|g| self.cx.module.globals.get(g));
            // Nobody writes to a constant that the module defines. One that it declares may be variable elsewhere.
            let quiet = global.is_some_and(|g| g.constant && (g.defined || !access.write));
            // Nor is there anything at null, or where functions are.
            let nothing = id == 0 || id > self.cx.module.globals.len() as i128;
            if nothing || quiet {
                return;
            }
        }
        let visible = self.visible(state, obj);
        let guard = self.thread.terms.and2(state.guard, visible);
        if self.thread.terms.as_bool(guard) == Some(false) {
            self.hide(state, &access, origin.inst);
            return;
        }
        let (shape, base) = self.shape(&access.ptr, access.extent, access.telling_size());
        let shape = self.by_whom(shape, access.through, origin.inst);
        self.thread.sites.push(Site {
            guard,
            addr: access.ptr.addr,
            extent: access.extent,
            base,
            write: access.write,
            value: access.value,
            mark: access.mark,
            region: access.region,
            shape,
            held: state.held.clone(),
            cpu: state.cpu,
            events: state.events.clone(),
            stack: origin.stack,
            inst: origin.inst,
            loc: origin.loc,
            through: access.through,
            direct: self.procedure.is_none(),
            alone: state.alone == self.thread.terms.tru(),
        });
    }

    /// Notes a write to an object of the heap that is not published.
    pub(super) fn hide(&mut self, state: &State, access: &AccessOp, inst: (FuncId, InstId)) {
        let (own, _) = self.objects(access.ptr.addr.obj);
        if !access.write || own.iter().all(|id| self.locals[*id].stack) {
            return;
        }
        let (shape, _) = self.shape(&access.ptr, access.extent, access.telling_size());
        let shape = self.by_whom(shape, access.through, inst);
        let (addr, value, region) = (access.ptr.addr, access.value, access.region);
        let (guard, through, direct) = (state.guard, access.through, self.procedure.is_none());
        self.thread.hidden.push(HiddenWrite { guard, addr, value, region, shape, through, inst, direct });
    }

    /// Whether others can reach the object.
    pub(super) fn visible(&mut self, state: &State, obj: TermId) -> TermId {
        let (own, other) = self.choices(obj);
        let terms = &mut self.thread.terms;
        if own.is_empty() {
            return terms.bool(other);
        }
        let mut hidden = Vec::new();
        for (when, id) in own {
            let published = if seeded(Fault::PublishedPrivate) {
                terms.fals()
            } else {
                State::flag(&state.published, id, terms)
            };
            let not = terms.not(published);
            hidden.push(terms.and2(when, not));
        }
        let hidden = terms.or(&hidden);
        terms.not(hidden)
    }

    /// Where no struct is known: whether code outside has access through a pointer to a struct of its own, of which the
    /// module has only the name.
    fn by_whom(
        &self,
        shape: Shape,
        through: Option<(FuncId, ValueId)>,
        (func, inst): (FuncId, InstId),
    ) -> Shape {
        let module = self.cx.module;
        let is_incomplete = |(func, value)| {
            let func = &module.funcs[func];
            declared::strukt(module, func, value).is_some_and(|def| def.size == 0 && def.fields.is_empty())
        };
        let op = &module.funcs[func].insts[inst].op;
        // Who uses such an object reads a byte of it, so that it meets the end of the object.
        let uses = matches!(op, Op::Access { write: false, mark, len: Operand::Int { value: 1, .. }, .. } if *mark != Mark::Plain);
        match shape {
            Shape::Wild if op.is_outside() || uses => {
                let knows_its_own = through.is_some_and(is_incomplete) || seeded(Fault::OutsideHasNoData);
                if knows_its_own { Shape::Outside } else { Shape::Wild }
            }
            _ => shape,
        }
    }

    /// What is known of the bytes by type, and where the struct begins.
    pub(super) fn shape(
        &mut self,
        p: &Pointer,
        extent: Extent,
        size: Option<u64>,
    ) -> (Shape, Option<TermId>) {
        if let Extent::Object = extent {
            let Some((strukt, at)) = p.path else { return (Shape::Wild, None) };
            return (Shape::Whole(strukt), Some(self.thread.terms.sub(p.addr.off, at)));
        }
        let Some(size) = size else { return self.bounded_block(p).unwrap_or((Shape::Wild, None)) };
        let Some((strukt, at)) = p.path else {
            return (if size > 1 { Shape::Scalar(size) } else { Shape::Wild }, None);
        };
        let (variable, constant) = self.thread.terms.split_offset(at);
        let variable = variable.filter(|_| !seeded(Fault::IndexIgnored));
        let Ok(constant) = u64::try_from(constant) else { return (Shape::Wild, None) };
        if variable.is_some() && p.span.is_none() {
            return (Shape::Wild, None);
        }
        let whole = self.cx.module.size_of(strukt);
        let (lo, hi) = if variable.is_none() {
            (constant, constant + size)
        } else {
            self.members_in(strukt, p.span, size)
        };
        let flexible = lo >= whole;
        if hi > whole && variable.is_none() && !flexible {
            return (Shape::Wild, None);
        }
        let is_bit_field = || !self.cx.module.bit_fields(strukt, lo, lo + 1).is_empty();
        let hi = if seeded(Fault::BitFieldNarrow) && is_bit_field() { lo + 1 } else { hi };
        let base = self.thread.terms.sub(p.addr.off, at);
        (Shape::In { strukt, lo, hi }, Some(base))
    }

    /// Of a block of unknown length that begins in an array of a struct, or in a struct that is a part of it: it ends there,
    /// too (assumption `in-bounds`).
    fn bounded_block(&mut self, p: &Pointer) -> Option<(Shape, Option<TermId>)> {
        let (strukt, at) = p.path?;
        let (first, last) = p.offsets(&self.thread.terms)?;
        let (lo, ends) = self.block_at(strukt, first)?;
        let (begins, hi) = self.block_at(strukt, last)?;
        let base = self.thread.terms.sub(p.addr.off, at);
        (begins <= ends && !seeded(Fault::IndexIgnored)).then_some((Shape::In { strukt, lo, hi }, Some(base)))
    }

    /// The bytes in which a block stays that begins at the offset: those of an array, or of a part that is a struct. The
    /// address of one at the start may be meant as that of the struct.
    fn block_at(&self, strukt: TypeId, at: i128) -> Option<(u64, u64)> {
        let member = self.member_at(strukt, u64::try_from(at).ok()?)?;
        let is_block = match self.cx.module.types[member.ty] {
            TypeDef::Array { count: 1.., .. } => at > 0,
            TypeDef::Struct(_) => member.offset > 0 && self.ends_with(strukt, member),
            _ => false,
        };
        is_block.then(|| self.member_range(strukt, member.offset))
    }

    /// Whether what is copied to a part of the struct ends with the part: it goes on where something of any length follows,
    /// as behind the header of a message.
    pub(super) fn ends_with(&self, strukt: TypeId, part: &Field) -> bool {
        let goes_on = |ty| self.ends_openly(ty);
        !goes_on(strukt) && !goes_on(part.ty) || seeded(Fault::MessagesEndWithHeader)
    }

    /// Whether a struct ends with an array of no length, or of one element; a union, if one of its members does.
    fn ends_openly(&self, strukt: TypeId) -> bool {
        let module = self.cx.module;
        let fields = module.as_struct(strukt).map_or(&[][..], |def| &def.fields);
        let last = fields.iter().map(|field| field.offset).max();
        fields.iter().filter(|field| Some(field.offset) == last).any(|field| match module.types[field.ty] {
            TypeDef::Array { count, .. } => count <= 1,
            TypeDef::Struct(_) => self.ends_openly(field.ty),
            _ => false,
        })
    }

    /// The bytes of the members that begin at, or hold, these offsets, of all between, and of what an access
    /// of that size reaches behind; of the whole struct if none are known.
    fn members_in(&self, strukt: TypeId, span: Option<(i128, i128)>, size: u64) -> (u64, u64) {
        let Some((Ok(first), Ok(last))) = span.map(|(x, y)| (u64::try_from(x), u64::try_from(y))) else {
            return (0, u64::MAX);
        };
        let (lo, hi) = (self.member_range(strukt, first), self.member_range(strukt, last));
        (lo.0.min(hi.0), lo.1.max(hi.1).max(last.saturating_add(size)))
    }

    /// The bytes of the member that an address with a variable index lies in.
    pub(super) fn member_range(&self, strukt: TypeId, at: u64) -> (u64, u64) {
        let module = self.cx.module;
        let Some(def) = module.as_struct(strukt) else { return (0, u64::MAX) };
        match self.member_at(strukt, at) {
            Some(f) if def.is_union => (f.offset, def.size),
            Some(f) => {
                let size = module.size_of(f.ty);
                if size == 0 { (f.offset, u64::MAX) } else { (f.offset, f.offset + size) }
            }
            None => (0, u64::MAX),
        }
    }

    /// The member that an offset lies in.
    pub(super) fn member_at(&self, strukt: TypeId, at: u64) -> Option<&Field> {
        let module = self.cx.module;
        module.as_struct(strukt)?.fields.iter().rev().find(|f| {
            f.offset <= at && {
                let size = module.size_of(f.ty);
                size == 0 || at < f.offset + size
            }
        })
    }
}
