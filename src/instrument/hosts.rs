//! Objects that lead back to who keeps them: the URB in `demo->urb` has `demo` as its context. A callback that gets such an object
//! finds its host behind it, and in that the very object.
//!
//! That all such objects of a module are so is found when all threads are known (`analysis/origins/hosts.rs`).

use super::exec::Executor;
use super::memory::LocalId;
use super::state::State;
use super::thread::{Addr, HostRead, Hosted, Pointer, SamePointers};
use super::values::{self, Val};
use crate::analysis::fields::{self, FieldId};
use lockpair_entry_points::{EntryPoint, EntryPointId};
use lockpair_ir::*;
use std::collections::HashMap;

/// Where what a callback gets is kept, for good.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Host {
    /// The parameter.
    pub param: u32,
    /// The member of its struct that leads to the host.
    pub back: FieldId,
    /// The host's member that leads to the parameter's object.
    pub kept: FieldId,
}

/// Per callback.
pub type Hosts = HashMap<EntryPointId, Host>;

/// Two reads whose values are known: of what leads to the host, and of what the host keeps.
pub(super) struct Known {
    back: Addr,
    host: Pointer,
    kept: Addr,
    itself: Pointer,
}

impl Executor<'_, '_> {
    /// Reads who the host is, before anything else happens.
    pub(super) fn host_on_entry(&mut self, entry: &EntryPoint, args: &[Val], host: Host) {
        let Some(Val::Ptr(itself)) = args.get(host.param as usize).copied() else { return };
        let inst = (entry.func, InstId::new(0));
        let Some((back, found)) = self.read_member(itself.addr, host.back, inst) else { return };
        let Some((kept, again)) = self.read_member(found.addr, host.kept, inst) else { return };
        // The kernel has found the function in the parameter's object, so that is not null.
        let through = vec![found.addr.obj];
        self.thread.same.push(SamePointers { pointers: [itself.addr, again.addr], through });
        self.thread.host = Some(HostRead { itself: itself.addr, host: found.addr, known: host });
        self.host = Some(Known { back, host: found, kept, itself });
        let [kept, back] = [host.kept, host.back].map(|field| fields::name(self.cx.module, field));
        let subject = format!("{kept}: what it holds leads back by {back}");
        self.thread.ledger.record(AssumptionKind::UniqueOwner, subject, None);
    }

    fn read_member(&mut self, at: Addr, field: FieldId, inst: (FuncId, InstId)) -> Option<(Addr, Pointer)> {
        let module = self.cx.module;
        let by = self.terms().int(i128::from(field.offset));
        let at = values::advance(self.terms(), at, by);
        let region = self.cx.points_to.external();
        let read = self.shared_load(at, region, fields::shape(module, field), Ty::Ptr, inst, false);
        match self.at_start(read, fields::pointee(module, field), Some((fields::shape(module, field), at))) {
            Val::Ptr(p) => Some((at, p)),
            _ => None,
        }
    }

    /// What is known of a pointer that is read there.
    pub(super) fn read_of_host(&self, at: Addr, ty: Ty) -> Option<Val> {
        let known = self.host.as_ref().filter(|_| ty == Ty::Ptr)?;
        match () {
            () if at == known.back => Some(Val::Ptr(known.host)),
            () if at == known.kept => Some(Val::Ptr(known.itself)),
            () => None,
        }
    }

    /// Notes where an own object lies, in which a pointer is stored, in what that leads to.
    pub(super) fn note_hosted(&mut self, inst: (FuncId, InstId), state: &State, at: Addr, v: Val) {
        let (own, _) = self.objects(at.obj);
        let Some(value) = v.pointer().map(|p| p.addr).filter(|_| !own.is_empty()) else { return };
        let offset = match self.objects(value.obj) {
            (hosts, false) if hosts.len() == 1 => self.lies_at(state, hosts[0], at),
            _ => None,
        };
        let kept = offset.map(|offset| Addr { off: self.terms().int(i128::from(offset)), ..value });
        self.thread.hosted.push(Hosted { inst, at, value, kept });
    }

    /// Where in the host the very pointer lies.
    fn lies_at(&self, state: &State, host: LocalId, object: Addr) -> Option<u64> {
        let is_it = |cell: &Val| matches!(cell, Val::Ptr(p) if p.addr.obj == object.obj);
        let mut cells = state.memory.object(host)?.cells();
        cells.find(|(_, cell)| is_it(cell)).map(|(&(offset, _), _)| offset)
    }
}
