//! Address arithmetic, and what is known of the struct that a pointer points into.

use super::exec::{Activation, Executor};
use super::memory::Rest;
use super::state::State;
use super::thread::*;
use super::values::{self, Val};
use crate::analysis::ways;
use crate::fault::{Fault, seeded};
use lockpair_ir::*;
use lockpair_smt::{Sort, TermId};

/// The first of the keys of the thread's own copies of globals.
const OWN_COPIES: u32 = 1 << 16;

impl Executor<'_, '_> {
    /// A pointer into a global; what a global of struct type (or an array of them) holds there is known.
    pub(super) fn global_pointer(&mut self, g: GlobalId, off: i64) -> Pointer {
        let module = self.cx.module;
        let obj = if module.globals[g].thread_local {
            self.own_copy(g)
        } else {
            self.terms().int(g.index() as i128 + 1)
        };
        let offset = self.terms().int(i128::from(off));
        let path = u64::try_from(off).ok().and_then(|off| module.struct_at(&module.globals[g], off));
        let path = path
            .filter(|&(strukt, _)| module.size_of(strukt) > 0)
            .map(|(strukt, at)| (strukt, self.terms().int(at.into())));
        Pointer { addr: Addr { obj, off: offset }, path, span: None }
    }

    /// A pointer to the start of what it is declared to point to, if that has structs.
    pub(super) fn start_of(&mut self, p: Pointer, declared: Option<TypeId>) -> Pointer {
        let module = self.cx.module;
        let mut elem = declared;
        while let Some(TypeDef::Array { elem: e, .. }) = elem.map(|ty| &module.types[ty]) {
            elem = Some(*e);
        }
        let strukt = elem.filter(|&ty| module.as_struct(ty).is_some_and(|s| s.size > 0));
        let start = self.terms().int(0);
        Pointer { path: strukt.map(|ty| (ty, start)), ..p }
    }

    /// The thread's own object for a global of which each thread has one. A procedure does not know whose thread it
    /// runs in: it may be any object.
    fn own_copy(&mut self, g: GlobalId) -> TermId {
        match self.own_copies.get(&g) {
            Some(&id) => self.local_term(id),
            None => values::fresh_pointer(self.terms(), "threadlocal").addr.obj,
        }
    }

    /// Makes these objects. Their addresses may be anywhere, and their content is arbitrary.
    pub(super) fn make_own_copies(&mut self, state: &mut State, func: FuncId) {
        let module = self.cx.module;
        for (g, _) in module.globals.iter().filter(|(_, global)| global.thread_local) {
            let key = (func, InstId::new(0), OWN_COPIES + g.index() as u32);
            let id = self.new_local(state, key, None, true, Rest::Arbitrary);
            self.own_copies.insert(g, id);
            let (tru, p) = (self.thread.terms.tru(), self.global_pointer(g, 0));
            self.publish(state, Val::Ptr(p), tru);
        }
    }

    /// A pointer to a function: functions are numbered after the globals.
    pub(super) fn function_pointer(&mut self, f: FuncId) -> Pointer {
        let number = self.cx.module.globals.len() + 1 + f.index();
        let (obj, off) = (self.terms().int(number as i128), self.terms().int(0));
        Pointer { addr: Addr { obj, off }, path: None, span: None }
    }

    /// The function that a pointer can only be the address of.
    pub(super) fn function(&mut self, act: &Activation, pointer: Operand) -> Option<FuncId> {
        let obj = self.pointer(act, pointer).addr.obj;
        let number = usize::try_from(self.thread.terms.as_int(obj)?).ok()?;
        let index = number.checked_sub(self.cx.module.globals.len() + 1)?;
        (index < self.cx.module.funcs.len()).then(|| FuncId::new(index))
    }

    /// A signed index; constants and sign-extended values come out without a case distinction.
    pub(super) fn signed_index(&mut self, v: Val, bits: u16) -> TermId {
        let terms = &mut self.thread.terms;
        let Some(t) = values::as_int(terms, v) else { return terms.fresh("index", Sort::Int, None) };
        signed_branches(terms, t, bits)
    }

    pub(super) fn pointer_add(
        &mut self,
        act: &Activation,
        base: Pointer,
        offset: i64,
        scaled: &[(Operand, i64)],
        within: Option<TypeId>,
    ) -> Pointer {
        let module = self.cx.module;
        let base = if scaled.iter().any(|(_, scale)| *scale == COPY_DISTANCE) {
            self.first_copy(base)
        } else {
            base
        };
        let base = if within.is_some_and(|links| self.may_be_head(base, links)) {
            Pointer { path: None, span: None, ..base }
        } else {
            base
        };
        let struct_size = base.path.map(|(s, _)| module.size_of(s) as i64).unwrap_or(0);
        let mut delta = self.terms().int(i128::from(offset));
        // What moves by whole structs, or to another CPU's copy, changes which struct it is, not where in it.
        let mut inside = delta;
        for (index, scale) in scaled {
            let bits = match act.func.operand_ty(*index) {
                Ty::Int(bits) => bits,
                Ty::Ptr | Ty::Opaque(_) => 64,
            };
            let v = self.operand(act, *index);
            let index = self.signed_index(v, bits);
            let step = self.terms().mul_const(i128::from(*scale), index);
            delta = self.terms().add2(delta, step);
            let other_struct = struct_size != 0 && scale % struct_size == 0 || *scale == COPY_DISTANCE;
            if within.is_some() || !other_struct {
                inside = self.terms().add2(inside, step);
            }
        }
        let addr = values::advance(self.terms(), base.addr, delta);
        let path = self.embedded_path(base.path, inside, within);
        let inner = base.filter_path(path.is_some());
        let is_word = |index| matches!(index, Operand::Value(v) if act.func.words_of_bits.contains(&v));
        let bits = scaled.iter().all(|&(index, _)| is_word(index));
        let typed = within.is_some()
            || self.indexes_array(inner, i128::from(offset), scaled.iter().map(|&(_, scale)| scale), bits);
        let span = self.span(inner, i128::from(offset), inside, within, typed);
        let path = path.or_else(|| within.filter(|&s| !self.is_amid(base.path, s)).map(|s| (s, inside)));
        let span = span.filter(|_| path.is_some());
        Pointer { addr, path, span }
    }

    /// Whether what is looked at as the links of a ring, though the pointer is declared to lead to an element, may be the head.
    fn may_be_head(&self, base: Pointer, links: TypeId) -> bool {
        let kinds = self.cx.kinds;
        let of_element =
            base.path.is_some_and(|(element, _)| element != links && kinds.first.contains(&element));
        of_element && self.cx.layout.has_links(links) && !seeded(Fault::RingsLeadOn)
    }

    /// The place in the first of an object's copies: who asks for a CPU's copy names none of another CPU (assumption
    /// `in-bounds`).
    fn first_copy(&mut self, p: Pointer) -> Pointer {
        let off = self.terms().modulo(p.addr.off, i128::from(COPY_DISTANCE));
        Pointer { addr: Addr { off, ..p.addr }, ..p }
    }

    /// The constant offsets behind the offset after a step from `base`; none if it is not constant and may be
    /// anywhere in the struct: `(&s->x)[i]` may be in the member after `x`, but `s->arr[i]` not after `arr`.
    fn span(
        &self,
        base: Pointer,
        offset: i128,
        inside: TermId,
        within: Option<TypeId>,
        typed: bool,
    ) -> Option<(i128, i128)> {
        let terms = &self.thread.terms;
        let steps = terms.split_offset(inside).0.is_some();
        let moves = base.path.is_some_and(|(_, at)| terms.split_offset(at).0.is_some());
        let (first, last) = if base.path.is_some() { base.offsets(terms)? } else { (0, 0) };
        if !typed && steps {
            return None;
        }
        if moves || within.is_none() {
            // Whether what is behind an index is still inside of the array, only the index tells; and a
            // pointer to the end of an array may come back.
            let kept = moves || steps || offset != 0 || base.span.is_some();
            return kept.then_some((first.min(first + offset), last.max(last + offset)));
        }
        steps.then_some((first + offset, last + offset))
    }

    /// Whether a step by an index from `base` is one from element to element of an array, or inside of a
    /// struct, that is a member there. If it is to the word that has a `bit`, a member that is one long is such an array.
    pub(super) fn indexes_array(
        &self,
        base: Pointer,
        offset: i128,
        scales: impl Iterator<Item = i64> + Clone,
        bit: bool,
    ) -> bool {
        let module = self.cx.module;
        let (Some((strukt, _)), Some((first, last))) = (base.path, base.offsets(&self.thread.terms)) else {
            return base.path.is_none();
        };
        let (first, last) = (first.min(first + offset), last.max(last + offset));
        [first, last].into_iter().all(|at| {
            let Ok(at) = u64::try_from(at) else { return false };
            let Some(member) = self.member_at(strukt, at) else { return false };
            match &module.types[member.ty] {
                // What begins where the struct begins, may be meant as the struct.
                TypeDef::Struct(_) => at > 0 && self.ends_with(strukt, member),
                TypeDef::Array { elem, .. } => {
                    let mut elem = *elem;
                    while let TypeDef::Array { elem: e, .. } = &module.types[elem] {
                        elem = *e;
                    }
                    let size = module.size_of(elem).max(1) as i64;
                    at > 0 || size > 1 && scales.clone().all(|scale| scale % size == 0)
                }
                // Longs that follow each other may be one bitmap.
                TypeDef::Int { bits: 64, .. } => {
                    let is_bit = bit && !self.is_long_at(strukt, at + 8);
                    at > 0 && (is_bit || seeded(Fault::IndexStaysInLong))
                }
                _ => false,
            }
        })
    }

    /// Whether a member of the struct that has the byte is a long, or an array of these.
    fn is_long_at(&self, strukt: TypeId, at: u64) -> bool {
        let module = self.cx.module;
        let mut ty = self.member_at(strukt, at).map(|member| member.ty);
        while let Some(TypeDef::Array { elem, .. }) = ty.map(|ty| &module.types[ty]) {
            ty = Some(*elem);
        }
        ty.is_some_and(|ty| matches!(module.types[ty], TypeDef::Int { bits: 64, .. }))
    }

    /// Whether a struct of the type, which the code takes the pointer for, would begin amid another of the type
    /// (`container_of` with the wrong member). They would overlap, and `alignment` says that they do not.
    fn is_amid(&self, path: Option<(TypeId, TermId)>, strukt: TypeId) -> bool {
        let Some((_, at)) = path.filter(|(outer, _)| *outer == strukt) else { return false };
        let size = i128::from(self.cx.module.size_of(strukt).max(1));
        matches!(self.thread.terms.split_offset(at), (None, k) if k % size != 0)
    }

    /// The path after a step that stays in the struct.
    fn embedded_path(
        &mut self,
        base: Option<(TypeId, TermId)>,
        delta: TermId,
        within: Option<TypeId>,
    ) -> Option<(TypeId, TermId)> {
        let module = self.cx.module;
        let (outer, at) = base?;
        let (_, k) = self.thread.terms.split_offset(at);
        let moved = self.terms().add2(at, delta);
        let (_, to) = self.thread.terms.split_offset(moved);
        let size = i128::from(module.size_of(outer));
        let embedded = match within {
            None => true,
            Some(s) => {
                s == outer && k == 0
                    || u64::try_from(k).is_ok_and(|k| self.cx.layout.embeds_at(outer, k, s))
                    || self.is_amid(base, s)
            }
        };
        (embedded && (0..size.max(1)).contains(&to)).then_some((outer, moved))
    }

    /// A name of the object that a pointer points to, for people.
    pub(super) fn describe(&self, act: &Activation, op: Operand, p: &Pointer) -> String {
        let module = self.cx.module;
        if let Operand::Global(g, off) = op {
            let global = &module.globals[g];
            let path = match global.ty {
                Some(ty) if off > 0 => member_name(module, ty, off as u64),
                _ => String::new(),
            };
            return if path.is_empty() { global.name.clone() } else { format!("{}.{path}", global.name) };
        }
        if let Some((strukt, at)) = p.path {
            let (_, k) = self.thread.terms.split_offset(at);
            if let (Some(def), Ok(k)) = (module.as_struct(strukt), u64::try_from(k)) {
                return format!("{}.{}", def.name, member_name(module, strukt, k));
            }
        }
        match op {
            Operand::Value(v) => match act.func.params.iter().find(|p| p.value == v) {
                Some(p) if !p.name.is_empty() => format!("*{}", p.name),
                _ => "a lock".to_owned(),
            },
            _ => "a lock".to_owned(),
        }
    }

    /// How far code that gets the pointer may reach: the struct or member that it points to the start
    /// of, as far as the types tell, else the whole object.
    pub(super) fn reach(
        &mut self,
        act: &Activation,
        arg: Operand,
        p: Pointer,
        declared: Option<TypeId>,
    ) -> (Pointer, Option<u64>) {
        if let Some((p, size)) = self.reach_by_path(p) {
            return (p, Some(size));
        }
        let module = self.cx.module;
        let typed = self.typed_by_declaration(act, arg, p);
        let typed = if typed.path.is_none() { self.start_of(typed, declared) } else { typed };
        if let Some((strukt, _)) = typed.path.filter(|_| p.path.is_none()) {
            return (typed, Some(module.size_of(strukt)));
        }
        (p, None)
    }

    /// The same for a pointer to the start of a struct, or of a member, as far as that is known.
    pub(super) fn reach_by_path(&self, p: Pointer) -> Option<(Pointer, u64)> {
        let (strukt, at) = p.path?;
        let (variable, k) = self.thread.terms.split_offset(at);
        let (None, Ok(k)) = (variable, u64::try_from(k)) else { return None };
        if k == 0 {
            return Some((p, self.cx.module.size_of(strukt)));
        }
        let (lo, hi) = self.member_range(strukt, k);
        (lo == k && hi != u64::MAX).then_some((p, hi - lo))
    }

    /// Where a pointer leads to that is followed. An allocation that may give back an error is a choice between the start
    /// of an object and some number: what is stored there is stored at the start.
    pub(super) fn followed(&mut self, act: &Activation, op: Operand) -> Pointer {
        let p = self.pointer(act, op);
        let off = values::offset_in_object(self.terms(), p.addr);
        Pointer { addr: Addr { off, ..p.addr }, ..p }
    }

    /// Where so many bytes are accessed. Of a pointer without a path, the first member of the struct that it is declared to
    /// point to, if that is what has so many bytes.
    pub(super) fn scalar_at(&mut self, act: &Activation, op: Operand, bytes: u64) -> Pointer {
        let p = self.followed(act, op);
        if p.path.is_some() {
            return p;
        }
        match ways::first_member(self.cx.module, self.cx.layout, act.func, op, bytes) {
            Some((strukt, _)) => {
                let zero = self.terms().int(0);
                Pointer { path: Some((strukt, zero)), ..p }
            }
            None => p,
        }
    }

    /// A pointer of which no path is known, to the struct that its declaration says it points to.
    pub(super) fn typed_by_declaration(&mut self, act: &Activation, op: Operand, p: Pointer) -> Pointer {
        let module = self.cx.module;
        if p.path.is_some() {
            return p;
        }
        match crate::analysis::declared::pointee(module, act.func, op) {
            Some(ty) if module.as_struct(ty).is_some_and(|s| s.size > 0) => {
                let zero = self.terms().int(0);
                Pointer { addr: p.addr, path: Some((ty, zero)), span: None }
            }
            _ => p,
        }
    }

    /// The same by the variables and members into which it goes.
    pub(super) fn typed_by_uses(&mut self, act: &Activation, op: Operand, p: Pointer) -> Pointer {
        let Operand::Value(value) = op else { return p };
        let by_uses = || crate::analysis::declared::struct_of_uses(self.cx.module, act.func, value);
        let Some(ty) = p.path.is_none().then(by_uses).flatten() else { return p };
        let zero = self.terms().int(0);
        Pointer { addr: p.addr, path: Some((ty, zero)), span: None }
    }
}

/// `a.b[]` for the outermost member that begins at the offset; the offset itself if the layout does not tell.
pub(super) fn member_name(module: &Module, strukt: TypeId, offset: u64) -> String {
    let mut name = String::new();
    let (mut ty, mut at) = (strukt, offset);
    loop {
        match &module.types[ty] {
            TypeDef::Struct(def) => {
                let size =
                    |f: &Field| f.bits.map_or(module.size_of(f.ty), |b| u64::from(b).div_ceil(8)).max(1);
                let covers = |f: &&Field| f.offset <= at && at < f.offset + size(f);
                let Some(field) = def.fields.iter().find(covers) else { break };
                if !field.name.is_empty() {
                    name.push_str(if name.is_empty() { "" } else { "." });
                    name.push_str(&field.name);
                }
                (ty, at) = (field.ty, at - field.offset);
            }
            TypeDef::Array { elem, .. } => {
                name.push_str("[]");
                (ty, at) = (*elem, at % module.size_of(*elem).max(1));
            }
            _ => break,
        }
        if at == 0 && !name.is_empty() {
            break;
        }
    }
    if name.is_empty() { format!("+{offset}") } else { name }
}

fn signed_branches(terms: &mut lockpair_smt::Terms, t: TermId, bits: u16) -> TermId {
    let half = values::pow2(bits - 1);
    match terms.bounds(t) {
        Some((lo, hi)) if lo >= 0 && hi < half => t,
        Some((lo, hi)) if lo >= half && hi < values::pow2(bits) => {
            let m = terms.int(-values::pow2(bits));
            terms.add2(t, m)
        }
        _ => {
            if let lockpair_smt::Term::Ite(c, a, b) = terms.get(t) {
                let (a, b) = (signed_branches(terms, a, bits), signed_branches(terms, b, bits));
                return terms.ite(c, a, b);
            }
            values::signed(terms, t, bits)
        }
    }
}
