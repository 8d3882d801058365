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
        match self.at_start(read, fields::pointee(module, field)) {
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

    /// Notes that a pointer to an own object is stored in one that lies in it.
    pub(super) fn note_hosted(&mut self, state: &State, own: &[LocalId], at: Addr, v: Val) {
        let Val::Ptr(value) = v else { return };
        let (hosts, other) = self.objects(value.addr.obj);
        let ([host], false, false) = (&hosts[..], other, own.is_empty()) else { return };
        let Some(content) = state.memory.object(*host).cloned() else { return };
        for (&(offset, _), cell) in content.cells() {
            if matches!(cell, Val::Ptr(p) if p.addr.obj == at.obj) {
                let off = self.terms().int(i128::from(offset));
                let kept = Addr { obj: value.addr.obj, off };
                self.thread.hosted.push(Hosted { at, value: value.addr, kept });
            }
        }
    }
}
