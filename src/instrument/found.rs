//! What unknown code finds through objects of the thread's own: a message on the stack leads to buffers.

use super::exec::{Activation, Executor};
use super::memory::{LocalId, Range, WHOLE};
use super::sites::AccessOp;
use super::state::State;
use super::thread::*;
use crate::fault::{Fault, seeded};
use lockpair_ir::*;
use std::collections::HashSet;

impl Executor<'_, '_> {
    /// What unknown code finds through objects of the thread's own: a message on the stack leads to buffers. It does not
    /// look into structs that only the module knows (assumption `private-struct`), unless it `knows` them.
    pub(super) fn external_behind(
        &mut self,
        act: &Activation,
        i: InstId,
        state: &State,
        arg: Pointer,
        knows: bool,
    ) {
        if seeded(Fault::ExternalWritesNothing) {
            return;
        }
        for p in self.found_behind(state, arg, knows) {
            let access = self.access_through(p);
            self.record(state, access, self.origin(act, i));
        }
    }

    /// The pointers to memory of others that unknown code finds there.
    pub(super) fn found_behind(&mut self, state: &State, arg: Pointer, knows: bool) -> Vec<Pointer> {
        let mut all = Vec::new();
        let (mut seen, mut constants, mut work) = (HashSet::new(), HashSet::new(), vec![arg]);
        while let Some(p) = work.pop() {
            let lent = if knows { Some(WHOLE) } else { self.lent(p) };
            let Some(bytes) = lent else { continue };
            if constants.insert(p.addr.obj) {
                let found = self.constants_behind(p);
                all.extend(found.iter().copied());
                work.extend(found);
            }
            let mut objects = self.own_or_lost(state, p.addr);
            objects.retain(|&id| seen.insert((id, bytes)));
            let contents = objects.into_iter().filter_map(|id| state.memory.object(id));
            let found: Vec<Pointer> =
                contents.flat_map(|content| content.pointers_to_find(bytes.0, bytes.1)).collect();
            all.extend(found.iter().copied().filter(|p| self.is_of_others(p.addr)));
            work.extend(found);
        }
        all
    }

    fn is_of_others(&self, addr: Addr) -> bool {
        let (own, other) = self.objects(addr.obj);
        other || own.is_empty()
    }

    /// Whether the unknown code that an instruction calls is declared to get a struct which only the module knows otherwise.
    pub(super) fn knows_struct(&self, (func, inst): (FuncId, InstId), strukt: TypeId) -> bool {
        let module = self.cx.module;
        let callee = match &module.funcs[func].insts[inst].op {
            Op::External { name, .. } => module.func_named(name),
            Op::Call { callee: Callee::Func(f), .. } => Some(*f),
            _ => None,
        };
        let params = callee.into_iter().flat_map(|f| &module.funcs[f].params);
        params.filter_map(|param| module.pointee(param.decl?)).any(|ty| ty == strukt)
    }

    /// Whether an access is what unknown code does that the instruction calls.
    pub(super) fn is_of_unknown_code(&self, (func, inst): (FuncId, InstId)) -> bool {
        matches!(self.cx.module.funcs[func].insts[inst].op, Op::External { .. } | Op::Call { .. })
    }

    /// The bytes of an object of the thread's own that unknown code looks at which gets this pointer: where they begin, and
    /// how many.
    fn lent(&self, p: Pointer) -> Option<Range> {
        let Some((strukt, at)) = p.path else {
            return (!self.may_be_private(p)).then_some(WHOLE);
        };
        if !self.is_module_private(strukt) {
            return Some(WHOLE);
        }
        // Of such a struct, a member of the kernel's.
        let (_, size) = self.reach_by_path(p)?;
        let at = u64::try_from(self.thread.terms.as_int(at)?).ok()?;
        let begins = u64::try_from(self.thread.terms.as_int(p.addr.off)?).ok()?;
        (!self.is_module_private(self.cx.layout.innermost(strukt, at).0)).then_some((begins, size))
    }

    /// The own objects where an address may be. One that is not followed may be in any of which it is not known any more what
    /// leads there. (Those that were allocated are left out: they may be structs that only the module knows.)
    pub(super) fn own_or_lost(&self, state: &State, addr: Addr) -> Vec<LocalId> {
        let (mut own, other) = self.objects(addr.obj);
        if other && self.thread.global(self.cx.module, addr.obj).is_none() && !seeded(Fault::LostLeadNowhere)
        {
            let is_lost = |id: LocalId| self.thread.lost[id] || !self.is_private(state, id);
            let may_be = |id: &LocalId| {
                self.locals[*id].stack && is_lost(*id) && !self.is_private_struct(*id) && !own.contains(id)
            };
            let lost: Vec<LocalId> = (0..self.locals.len()).filter(may_be).collect();
            own.extend(lost);
        }
        own
    }

    /// The pointers in a constant variable.
    fn constants_behind(&mut self, p: Pointer) -> Vec<Pointer> {
        let global = self.constant_global(p.addr.obj);
        let cells = global.into_iter().flat_map(|global| &global.init);
        let values = cells.map(|cell| cell.value).filter(|value| matches!(value, Operand::Global(..)));
        let values: Vec<Operand> = values.collect();
        values.into_iter().filter_map(|value| self.initial(value, Ty::Ptr)?.pointer()).collect()
    }

    /// Whether an own object may be a struct that only the module knows; of what was allocated the type is not known.
    fn may_be_private(&self, p: Pointer) -> bool {
        self.objects(p.addr.obj).0.into_iter().any(|id| self.is_private_struct(id))
    }

    fn is_private_struct(&self, id: LocalId) -> bool {
        let (func, inst, _) = self.locals[id].key;
        match self.cx.module.funcs[func].insts.get(inst).map(|inst| &inst.op) {
            Some(Op::Alloca { ty: Some(ty), .. }) => self.is_module_private(self.cx.module.element(*ty)),
            _ => true,
        }
    }

    pub(super) fn is_module_private(&self, ty: TypeId) -> bool {
        self.cx.module.as_struct(ty).is_some_and(|s| s.module_private)
    }

    /// What unknown code may do through a pointer that it finds.
    pub(super) fn access_through(&mut self, p: Pointer) -> AccessOp {
        let (ptr, size) = self.reach_by_path(p).map_or((p, None), |(p, size)| (p, Some(size)));
        let extent = size.map_or(Extent::Object, |n| Extent::Bytes(self.terms().int(i128::from(n))));
        let (value, mark, through) = (None, Mark::Plain, None);
        let region = self.cx.points_to.external();
        AccessOp { ptr, extent, size, write: true, value, mark, region, block: true, through }
    }
}
