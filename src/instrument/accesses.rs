//! Reads and writes of memory: what they do to content that is followed, and the sites that they leave.

use super::exec::{Activation, Executor, kind_fits};
use super::memory::{LocalId, Range, WHOLE};
use super::sites::{AccessOp, through};
use super::state::State;
use super::thread::*;
use super::values::{self, Val};
use crate::analysis::declared;
use crate::analysis::layout::Shape;
use crate::analysis::points_to::RegionId;
use crate::fault::{Fault, seeded};
use lockpair_ir::*;
use lockpair_smt::TermId;

impl<'m> Executor<'_, 'm> {
    pub(super) fn load(
        &mut self,
        act: &Activation,
        i: InstId,
        state: &mut State,
        addr: Operand,
        mark: Mark,
        ty: Ty,
    ) -> Val {
        let bytes = ty.bytes();
        let p = self.scalar_at(act, addr, bytes);
        if let Some(v) = self.constant_load(&p, ty) {
            return v;
        }
        let (own, other) = self.choices(p.addr.obj);
        if !other && !own.is_empty() && own.iter().all(|(_, id)| self.is_private(state, *id)) {
            let place = (self.cx.points_to.region(act.id, addr), (act.id, i));
            return self.private_load(state, &own, &p, ty, place);
        }
        let origin = self.origin(act, i);
        let own_value = self.followed_load(state, &own, other, &p, ty, origin.inst);
        if own_value.is_none() {
            self.unfollow_loaded(state, &own, &p, bytes);
        }
        let region = self.cx.points_to.region(act.id, addr);
        let size = self.terms().int(i128::from(bytes));
        let extent = Extent::Bytes(size);
        self.record(
            state,
            AccessOp {
                ptr: p,
                extent,
                size: Some(bytes),
                write: false,
                value: None,
                mark,
                region,
                block: false,
                through: through(act.id, addr),
            },
            origin,
        );
        let (shape, _) = self.shape(&p, extent, Some(bytes));
        if let Some(v) = own_value {
            let global = self.thread.terms.as_int(p.addr.obj);
            let at = self.constant(p.addr.off).map_or(0, i128::from);
            let bytes = (at, at + i128::from(bytes));
            self.thread.followed.push(Followed { global, bytes, region, shape, inst: origin.inst });
            return v;
        }
        if let Some(v) = self.read_of_host(p.addr, ty) {
            return v;
        }
        let pointee = declared::stored_pointee(self.cx.module, act.func, addr);
        let v = self.shared_read(act, i, p.addr, (region, shape), ty, origin.inst);
        self.look(state, &p, ty, v);
        self.find_turns((act, i), state, (addr, &p), mark, v);
        let v = self.at_start(v, pointee, Some((shape, p.addr)));
        self.borrow_references((act, i), state, (addr, &p), (v, pointee));
        v
    }

    /// What the thread itself has stored last where others may look, too, if it is taken to be the only one who writes
    /// there.
    fn followed_load(
        &mut self,
        state: &State,
        own: &[(TermId, LocalId)],
        other: bool,
        p: &Pointer,
        ty: Ty,
        inst: (FuncId, InstId),
    ) -> Option<Val> {
        if !self.follows || self.procedure.is_some() || self.cx.not_followed.contains(&inst) {
            return None;
        }
        let at = self.constant(p.addr.off)?;
        let content = match own {
            [(_, id)] if !other => state.memory.object(*id).cloned()?,
            [] => state.globals.object(self.global_number(p.addr.obj)?).cloned()?,
            _ => return None,
        };
        let like = values::zero(self.terms(), ty);
        content.read(self.terms(), at, ty.bytes(), like)
    }

    /// The number of the global that an object is.
    pub(super) fn global_number(&self, obj: TermId) -> Option<usize> {
        let number = usize::try_from(self.thread.terms.as_int(obj)? - 1).ok()?;
        self.cx.module.globals.get(GlobalId::new(number)).map(|_| number)
    }

    /// Notes what is stored to a global.
    fn follow_global(&mut self, state: &mut State, p: &Pointer, bytes: u64, v: Val) {
        if !self.follows {
            return;
        }
        let exact = self.global_number(p.addr.obj).zip(self.constant(p.addr.off));
        if let Some((global, at)) = exact {
            return state.globals.object_mut(global).write(at, bytes, v);
        }
        let leaves = self.thread.leaves(p.addr.obj);
        for global in leaves.into_iter().filter_map(|leaf| self.global_number(leaf)) {
            state.globals.object_mut(global).forget_all();
        }
    }

    /// Forgets what is followed although others may look there: code that is not executed one by one may write there.
    pub(super) fn forget_followed(&mut self, state: &mut State) {
        state.globals = super::memory::Memory::default();
        for local in 0..self.locals.len() {
            if !self.follows || self.is_private(state, local) || state.memory.object(local).is_none() {
                continue;
            }
            match self.thread.terms.as_bool(self.published(state, local)) {
                // What it points to is published, too.
                Some(_) => state.memory.object_mut(local).forget_all(),
                None => self.forget_content(state, local),
            }
        }
    }

    /// What is read from an object that may still be private, or from another, has a name of its own.
    pub(super) fn unfollow_loaded(
        &mut self,
        state: &mut State,
        own: &[(TermId, LocalId)],
        p: &Pointer,
        bytes: u64,
    ) {
        let (at, size) = self.constant(p.addr.off).map_or((0, u64::MAX), |at| (at, bytes));
        for &(_, id) in own {
            let content = state.memory.object(id);
            let is_public = self.thread.terms.as_bool(self.published(state, id)) == Some(true);
            let pointers: Vec<Pointer> = match content {
                Some(c) if !is_public => c.pointers_in(at, size).collect(),
                _ => continue,
            };
            for p in pointers {
                match self.locals[id].stack {
                    true => self.unfollow(state, Val::Ptr(p)),
                    // Stores to the heap are hidden writes, and its reads are of them.
                    false => {
                        let tru = self.thread.terms.tru();
                        self.publish_target(state, Val::Ptr(p), tru);
                    }
                }
            }
        }
    }

    /// What is read where others may look. A number that is used as a pointer and nothing else is read as one, so that it may turn
    /// out to be stable or to lead back.
    fn shared_read(
        &mut self,
        act: &Activation,
        i: InstId,
        addr: Addr,
        (region, shape): (RegionId, Shape),
        ty: Ty,
        inst: (FuncId, InstId),
    ) -> Val {
        if !self.cx.read_as_pointers.contains(&(act.id, i)) {
            return self.shared_load(addr, region, shape, ty, inst, false);
        }
        let loc = act.func.insts[i].loc;
        self.thread.ledger.record(AssumptionKind::IntToPointer, act.func.name.clone(), loc);
        let read = self.shared_load(addr, region, shape, Ty::Ptr, inst, false);
        let locals = &self.local_of;
        let object = |t: TermId| locals.contains_key(&t);
        values::cast(&mut self.thread.terms, CastOp::PtrToInt, read, Ty::Ptr, ty, &object)
    }

    /// An arbitrary value, noted with its address, which may turn out to be stable.
    pub(super) fn shared_load(
        &mut self,
        addr: Addr,
        region: RegionId,
        shape: Shape,
        ty: Ty,
        inst: (FuncId, InstId),
        private: bool,
    ) -> Val {
        let v = values::fresh(self.terms(), "read", ty);
        let var = |t: TermId| match self.thread.terms.get(t) {
            lockpair_smt::Term::Var(v) => v,
            _ => unreachable!("a fresh variable"),
        };
        let vars = match v {
            Val::Int(t, _) => match ty {
                Ty::Int(bits) => LoadVars::Int(var(t), bits),
                Ty::Ptr | Ty::Opaque(_) => return v,
            },
            Val::Ptr(p) => LoadVars::Ptr(var(p.addr.obj), var(p.addr.off)),
            Val::Bool(_) | Val::Opaque => return v,
        };
        self.thread.loads.push(SharedLoad { vars, addr, region, shape, inst, private });
        v
    }

    /// What an own object holds. Where that is not known, pointers that were there before are lost: it may
    /// be anything that code outside or nobody has put into that member. A number is none of them, unless it is a part of
    /// one that lies there.
    pub(super) fn private_load(
        &mut self,
        state: &mut State,
        own: &[(TermId, LocalId)],
        p: &Pointer,
        ty: Ty,
        (region, inst): (RegionId, (FuncId, InstId)),
    ) -> Val {
        let at = self.constant(p.addr.off);
        let like = values::zero(self.terms(), ty);
        let mut out: Option<Val> = None;
        for (when, id) in own {
            let content = state.memory.object(*id).cloned();
            let found = match (content, at) {
                (Some(c), Some(at)) => c.read(&mut self.thread.terms, at, ty.bytes(), like),
                _ => None,
            };
            let v = match found {
                Some(v) => v,
                None => {
                    // A part of a pointer, or more than one: we do not follow it there.
                    let loses = match self.reads_number(p, ty) {
                        true => self.touched(p, Some(ty.bytes())),
                        false => (None, None),
                    };
                    match loses {
                        (Some(_), Some(_)) if seeded(Fault::HalvesLoseNothing) => {}
                        (Some(at), Some(bytes)) => self.lose_pointers_in(state, *id, at, bytes),
                        _ => self.lose_pointers(state, *id),
                    }
                    let size = self.terms().int(i128::from(ty.bytes()));
                    let (shape, _) = self.shape(p, Extent::Bytes(size), Some(ty.bytes()));
                    let addr = Addr { obj: self.local_term(*id), off: p.addr.off };
                    self.shared_load(addr, region, shape, ty, inst, true)
                }
            };
            out = Some(match out {
                None => v,
                Some(rest) => values::ite(self.terms(), *when, v, rest),
            });
        }
        out.unwrap_or_else(|| values::fresh(&mut self.thread.terms, "read", ty))
    }

    /// The bytes of an own object that an access may touch: where they begin and how many, as far as that is known. What has an
    /// index, or no length, stays in its member (assumption `in-bounds`); but the address of the first member may be meant as that
    /// of the struct, and an array of one element as one without an end.
    fn touched(&mut self, p: &Pointer, bytes: Option<u64>) -> (Option<u64>, Option<u64>) {
        let at = self.constant(p.addr.off);
        if at.is_some() && bytes.is_some() {
            return (at, bytes);
        }
        let size = self.terms().int(bytes.unwrap_or(0).into());
        let (Shape::In { strukt, lo, hi }, Some(base)) = self.shape(p, Extent::Bytes(size), bytes) else {
            return (at, bytes);
        };
        let is_open =
            |member: &Field| matches!(self.cx.module.types[member.ty], TypeDef::Array { count: 0..=1, .. });
        let ends = lo > 0 && self.member_at(strukt, lo).is_some_and(|member| !is_open(member));
        if !ends && !seeded(Fault::MembersHaveEnds) {
            return (at, bytes);
        }
        // What has no end reaches that of the object.
        let end = |base: u64| base.checked_add(hi).filter(|_| hi < u64::from(u32::MAX));
        match self.constant(base).and_then(|base| Some((base.checked_add(lo)?, end(base)?))) {
            Some((first, end)) => (Some(first), Some(end.saturating_sub(first))),
            None => (at, bytes),
        }
    }

    /// Whether what is read is narrower than a pointer, or a member that is declared to be a number, which is no place
    /// for pointers of code outside (assumption `environment`).
    fn reads_number(&self, p: &Pointer, ty: Ty) -> bool {
        if ty.bytes() < Ty::Ptr.bytes() {
            return true;
        }
        let Some((strukt, offset)) = p.path else { return false };
        // An element of an array is declared as its first one.
        let of_array = || p.offsets(&self.thread.terms).filter(|(first, last)| first == last);
        let first = || of_array().and_then(|(first, _)| u64::try_from(first).ok());
        let Some(offset) = self.constant(offset).or_else(first) else { return false };
        let types = declared::members(self.cx.module, strukt, offset);
        let is_number =
            |ty: &TypeId| matches!(self.cx.module.types[*ty], TypeDef::Int { .. } | TypeDef::Float(_));
        ty.bytes() == Ty::Ptr.bytes() && !types.is_empty() && types.iter().all(is_number)
    }

    /// The value of a load from a constant global at a known place.
    pub(super) fn constant_load(&mut self, p: &Pointer, ty: Ty) -> Option<Val> {
        let cx = self.cx;
        let g = self.thread.global(cx.module, p.addr.obj)?;
        let global = &cx.module.globals[g];
        let at = u64::try_from(self.thread.terms.as_int(p.addr.off)?).ok()?;
        if !global.constant || !global.defined {
            let value = cx.fixed.pointer(cx.module, cx.layout, g, at).filter(|_| ty == Ty::Ptr)?;
            let subject = format!("the kernel does not change pointers in {}", global.name);
            self.thread.ledger.record(AssumptionKind::Environment, subject, None);
            self.thread.initial.insert((g, at));
            return self.initial(value, ty);
        }
        let end = at + ty.bytes();
        let mut hit = global.init.iter().filter(|c| c.offset < end && at < c.offset + c.size);
        match (hit.next(), ty) {
            (Some(c), _) if c.offset == at && c.size == ty.bytes() => self.initial(c.value, ty),
            (Some(_), _) => None,
            (None, Ty::Ptr) => Some(Val::Ptr(values::null(self.terms()))),
            // Long strings have no cells: only pointers are sure to be listed.
            (None, _) => None,
        }
    }

    pub(super) fn initial(&mut self, value: Operand, ty: Ty) -> Option<Val> {
        let v = match value {
            Operand::Global(g, off) => Val::Ptr(self.global_pointer(g, off)),
            Operand::Int { bits, value } if bits > 1 && bits <= 64 => {
                Val::Int(self.terms().int(value as i128), None)
            }
            Operand::Func(f) => Val::Ptr(self.function_pointer(f)),
            Operand::Null => Val::Ptr(values::null(self.terms())),
            _ => return None,
        };
        kind_fits(v, ty).then_some(v)
    }

    pub(super) fn store(
        &mut self,
        act: &Activation,
        i: InstId,
        state: &mut State,
        addr: Operand,
        value: Operand,
        mark: Mark,
    ) {
        let bytes = act.func.operand_ty(value).bytes();
        let p = self.scalar_at(act, addr, bytes);
        let v = self.operand(act, value);
        let (own, other) = self.choices(p.addr.obj);
        let at = self.thread.terms.as_int(p.addr.off).and_then(|k| u64::try_from(k).ok());
        let mut lurks = false;
        if let ([(_, id)], false, Some(at)) = (own.as_slice(), other, at) {
            self.lose_parts(state, *id, at, bytes);
            state.memory.object_mut(*id).write(at, bytes, v);
        } else {
            let touched = match self.touched(&p, Some(bytes)) {
                (Some(at), Some(bytes)) => (at, bytes),
                _ => WHOLE,
            };
            for (_, id) in &own {
                self.blur(state, *id, touched);
            }
            lurks = self.lurks(state, &own, other, touched, v);
        }
        if let (true, Some(pointer)) = (other, v.pointer()) {
            for id in self.own_or_lost(state, p.addr) {
                state.memory.object_mut(id).leave(pointer, WHOLE);
            }
        }
        self.follow_store((act.id, i), (&own, other), at, v);
        self.follow_global(state, &p, bytes, v);
        self.note_hosted((act.id, i), state, p.addr, v);
        self.store_escapes(state, &own, other || at.is_none() && !lurks, v);
        let size = self.terms().int(i128::from(bytes));
        let region = self.cx.points_to.region(act.id, addr);
        let access = AccessOp {
            ptr: p,
            extent: Extent::Bytes(size),
            size: Some(bytes),
            write: !seeded(Fault::WriteAsRead),
            value: stored(v),
            mark,
            region,
            block: false,
            through: through(act.id, addr),
        };
        let origin = self.origin(act, i);
        self.record(state, access, origin);
    }

    /// Whether a pointer that is stored at an index in an own object can still be found there: whoever reads those bytes may
    /// have it.
    fn lurks(
        &mut self,
        state: &mut State,
        own: &[(TermId, LocalId)],
        other: bool,
        touched: Range,
        v: Val,
    ) -> bool {
        let ([(_, id)], false) = (own, other) else { return false };
        if let Some(pointer) = v.pointer().filter(|_| !seeded(Fault::IndexedLurkNowhere)) {
            state.memory.object_mut(*id).lurk(pointer, touched);
        }
        true
    }

    /// A pointer that is stored where others look, or where we cannot find it again, is published.
    pub(super) fn store_escapes(
        &mut self,
        state: &mut State,
        own: &[(TermId, LocalId)],
        elsewhere: bool,
        v: Val,
    ) {
        if seeded(Fault::StorePublishesNothing) {
            return;
        }
        match own {
            [(_, id)] if !elsewhere => {
                let cond = self.published(state, *id);
                self.publish_target(state, v, cond);
            }
            _ => {
                let tru = self.thread.terms.tru();
                self.publish_target(state, v, tru);
            }
        }
    }

    /// A pointer can be found again after a store if that is to one place, once.
    pub(super) fn follow_store(
        &mut self,
        store: (FuncId, InstId),
        (own, other): (&[(TermId, LocalId)], bool),
        at: Option<u64>,
        v: Val,
    ) {
        let followed = match own {
            [] => true,
            [(_, id)] => !other && at.is_some() && !self.locals[*id].callers,
            _ => false,
        };
        if !followed {
            self.lose(v);
        }
        if let Val::Ptr(p) | Val::Int(_, Some(p)) = v {
            self.stored_in_loop(store, p.addr.obj);
        }
    }

    /// In a loop that an object was not made in, a store may put it in several places.
    pub(super) fn stored_in_loop(&mut self, store: (FuncId, InstId), value: TermId) {
        let (stored, _) = self.objects(value);
        for id in stored {
            if !self.locals[id].loops.starts_with(&self.loops) {
                self.thread.lost[id] = true;
                self.thread.repeated[id].insert(store);
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    pub(super) fn atomic(
        &mut self,
        act: &Activation,
        i: InstId,
        state: &mut State,
        addr: Operand,
        bytes: u64,
        order: Ordering,
        escaping: &[Val],
    ) {
        let p = self.scalar_at(act, addr, bytes);
        let (own, _) = self.objects(p.addr.obj);
        let at = self.constant(p.addr.off);
        for id in own {
            self.forget_bytes(state, id, at, Some(bytes));
        }
        let tru = self.thread.terms.tru();
        for v in escaping {
            self.publish(state, *v, tru);
        }
        let size = self.terms().int(i128::from(bytes));
        let region = self.cx.points_to.region(act.id, addr);
        let mark = Mark::Atomic(order);
        let access = AccessOp {
            ptr: p,
            extent: Extent::Bytes(size),
            size: Some(bytes),
            write: !seeded(Fault::AtomicAsRead),
            value: None,
            mark,
            region,
            block: false,
            through: through(act.id, addr),
        };
        let origin = self.origin(act, i);
        self.record(state, access, origin);
    }

    pub(super) fn mem_set(
        &mut self,
        act: &Activation,
        i: InstId,
        state: &mut State,
        dst: Operand,
        byte: Operand,
        len: Operand,
    ) {
        let p = self.followed(act, dst);
        let p = self.typed_by_declaration(act, dst, p);
        let len = self.number(act, len);
        let zero = matches!(byte, Operand::Int { value: 0, .. });
        let (own, other) = self.choices(p.addr.obj);
        let whole = match own.as_slice() {
            [(_, id)] if !other && zero => {
                let size = self.locals[*id].size;
                size.is_some() && size == self.constant(len) && self.constant(p.addr.off) == Some(0)
            }
            _ => false,
        };
        for (_, id) in own {
            if whole {
                state.memory.object_mut(id).clear();
            } else {
                let bytes = self.constant(len);
                let (at, bytes) = self.touched(&p, bytes);
                self.forget_bytes(state, id, at, bytes);
            }
        }
        if seeded(Fault::FillNotRecorded) {
            return;
        }
        self.block_access(act, i, state, (dst, p), len, true, self.cx.points_to.region(act.id, dst));
    }

    #[allow(clippy::too_many_arguments)]
    pub(super) fn block_access(
        &mut self,
        act: &Activation,
        i: InstId,
        state: &State,
        (pointer, p): (Operand, Pointer),
        len: TermId,
        write: bool,
        region: RegionId,
    ) {
        let size = self.constant(len);
        if size == Some(0)
            || (seeded(Fault::CopyNotRecorded) && matches!(act.func.insts[i].op, Op::MemCopy { .. }))
        {
            return;
        }
        let origin = self.origin(act, i);
        let access = AccessOp {
            ptr: p,
            extent: Extent::Bytes(len),
            size,
            write,
            value: None,
            mark: Mark::Plain,
            region,
            block: true,
            through: through(act.id, pointer),
        };
        self.record(state, access, origin);
    }

    pub(super) fn mem_copy(
        &mut self,
        act: &Activation,
        i: InstId,
        state: &mut State,
        dst: Operand,
        src: Operand,
        len: Operand,
    ) {
        let (d, s) = (self.followed(act, dst), self.followed(act, src));
        let (d, s) = (self.typed_by_declaration(act, dst, d), self.typed_by_declaration(act, src, s));
        let len = self.number(act, len);
        self.block_access(act, i, state, (src, s), len, false, self.cx.points_to.region(act.id, src));
        let (from, elsewhere) = self.choices(s.addr.obj);
        let (to, other) = self.choices(d.addr.obj);
        // What the source points to is reachable from the destination too, and we do not follow it there.
        for (_, id) in &from {
            let private = !other && to.iter().all(|(_, id)| self.is_private(state, *id));
            if !private || elsewhere || !self.copy_cells(state, &to, other, *id, &d, &s, len, from.len()) {
                self.lose_pointers(state, *id);
            }
        }
        let places = [d.addr.off, s.addr.off, len].map(|place| self.constant(place));
        let placed = places.iter().all(Option::is_some);
        if from.is_empty() || elsewhere || other || to.len() != 1 || from.len() != 1 || !placed {
            let found = from.iter().filter_map(|(_, id)| state.memory.object(*id));
            let found: Vec<Pointer> =
                found.flat_map(|content| content.pointers_to_find(WHOLE.0, WHOLE.1)).collect();
            for (_, id) in to {
                self.forget_content(state, id);
            }
            for id in self.own_or_lost(state, d.addr) {
                found.iter().for_each(|p| state.memory.object_mut(id).leave(*p, WHOLE));
            }
        }
        self.copy_constants(state, &d, &s, len);
        self.block_access(act, i, state, (dst, d), len, true, self.cx.points_to.region(act.id, dst));
    }

    /// Copies from constant variables: what a local struct is initialized with. Where it is not known what comes to which place,
    /// their pointers may be anywhere in the destination.
    fn copy_constants(&mut self, state: &mut State, d: &Pointer, s: &Pointer, len: TermId) {
        let (to, other) = self.choices(d.addr.obj);
        let leaves = self.thread.leaves(s.addr.obj);
        let places = (self.constant(d.addr.off), self.constant(s.addr.off), self.constant(len));
        let exact = match (&to[..], places) {
            ([(_, id)], (Some(at), Some(start), Some(n))) if !other && leaves.len() == 1 => {
                Some((*id, at, start..start + n))
            }
            _ => None,
        };
        let constants: Vec<&Global> =
            leaves.into_iter().filter_map(|object| self.constant_global(object)).collect();
        for global in constants {
            for cell in &global.init {
                let ty = match cell.value {
                    Operand::Int { bits, .. } => Ty::Int(bits),
                    _ => Ty::Ptr,
                };
                let Some(v) = self.initial(cell.value, ty) else { continue };
                if let Some((id, at, bytes)) = &exact {
                    if bytes.contains(&cell.offset) && cell.offset + cell.size <= bytes.end {
                        let place = at + (cell.offset - bytes.start);
                        state.memory.object_mut(*id).write(place, cell.size, v);
                    }
                } else if let Some(pointer) = v.pointer() {
                    to.iter().for_each(|(_, id)| state.memory.object_mut(*id).lurk(pointer, WHOLE));
                }
            }
        }
    }

    /// The constant variable that the object is.
    pub(super) fn constant_global(&self, object: TermId) -> Option<&'m Global> {
        let module = self.cx.module;
        let global = &module.globals[self.thread.global(module, object)?];
        (global.constant && global.defined).then_some(global)
    }

    /// Copies cell by cell between two private objects; false if that cannot be done exactly, and then
    /// the destination is forgotten.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn copy_cells(
        &mut self,
        state: &mut State,
        to: &[(TermId, LocalId)],
        other: bool,
        from: LocalId,
        d: &Pointer,
        s: &Pointer,
        len: TermId,
        sources: usize,
    ) -> bool {
        let ([(_, to)], false, 1) = (to, other, sources) else { return false };
        let places = (self.constant(d.addr.off), self.constant(s.addr.off), self.constant(len));
        let exact = self.is_private(state, from);
        let (Some(at), Some(start), Some(n), true) = (places.0, places.1, places.2, exact) else {
            self.forget_content(state, *to);
            return false;
        };
        self.lose_parts(state, *to, at, n);
        let source = state.memory.object(from).cloned().unwrap_or_default();
        for p in source.pointers_in(start, n) {
            self.lose(Val::Ptr(p));
        }
        let target = state.memory.object_mut(*to);
        target.forget(at, n);
        source.pointers_lurking_in(start, n).for_each(|p| target.lurk(p, (at, n)));
        source.pointers_left_in(start, n).for_each(|p| target.leave(p, (at, n)));
        let mut exact = true;
        for (&(o, size), &v) in source.cells() {
            if o >= start && o + size <= start + n {
                target.write(at + (o - start), size, v);
            } else if o < start + n && start < o + size {
                exact = false;
            }
        }
        exact
    }

    pub(super) fn free(&mut self, act: &Activation, i: InstId, state: &mut State, ptr: Operand) {
        let p = self.followed(act, ptr);
        let p = self.typed_by_declaration(act, ptr, p);
        let region = self.cx.points_to.region(act.id, ptr);
        let origin = self.origin(act, i);
        let null = {
            let zero = self.terms().int(0);
            self.terms().eq(p.addr.obj, zero)
        };
        let not_null = self.terms().not(null);
        // Who frees an object has a pointer to its start.
        let starts = match self.thread.terms.as_int(p.addr.off) {
            Some(_) => self.thread.terms.tru(),
            None => {
                let zero = self.terms().int(0);
                self.terms().eq(p.addr.off, zero)
            }
        };
        let on_heap = self.is_no_global(p.addr.obj);
        let guard = self.terms().and(&[state.guard, not_null, starts, on_heap]);
        let here = State { guard, ..state.clone() };
        let access = AccessOp {
            ptr: p,
            extent: Extent::Object,
            size: None,
            write: true,
            value: None,
            mark: Mark::Plain,
            region,
            block: true,
            through: through(act.id, ptr),
        };
        if !seeded(Fault::FreeNotRecorded) {
            self.record(&here, access, origin);
        }
        self.end_references(state, p.addr.obj);
    }

    /// The object is none that has a name in the module.
    pub(super) fn is_no_global(&mut self, obj: TermId) -> TermId {
        values::has_no_name(&mut self.thread.terms, self.cx.module, obj)
    }

    #[allow(clippy::too_many_arguments)]
    pub(super) fn external_access(
        &mut self,
        act: &Activation,
        i: InstId,
        state: &mut State,
        addr: Operand,
        len: Operand,
        write: bool,
        mark: Mark,
    ) {
        let p = self.followed(act, addr);
        let p = self.typed_by_declaration(act, addr, p);
        let len = self.number(act, len);
        let (own, _) = self.objects(p.addr.obj);
        own.iter().for_each(|&id| state.memory.object_mut(id).give_away());
        if write {
            let bytes = self.constant(len);
            let (at, bytes) = self.touched(&p, bytes);
            for id in own {
                self.forget_bytes(state, id, at, bytes);
            }
        }
        let region = self.cx.points_to.region(act.id, addr);
        let origin = self.origin(act, i);
        let size = self.constant(len);
        if size == Some(0) || seeded(Fault::OutsideNotRecorded) {
            return;
        }
        let access = AccessOp {
            ptr: p,
            extent: Extent::Bytes(len),
            size,
            write,
            value: None,
            mark,
            region,
            block: true,
            through: through(act.id, addr),
        };
        self.record(state, access, origin);
    }
}

/// The address that a stored value is, if it is a pointer.
fn stored(v: Val) -> Option<Addr> {
    match v {
        Val::Ptr(p) | Val::Int(_, Some(p)) => Some(p.addr),
        Val::Int(_, None) | Val::Bool(_) | Val::Opaque => None,
    }
}
