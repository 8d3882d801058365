//! Arrays of numbers or characters whose address goes somewhere: what is put there may be anything that the address is
//! taken for.

use super::*;
use crate::analysis::layout::Held;
use std::collections::HashMap;

/// What is known of an array whose address goes somewhere.
#[derive(Default)]
pub(super) struct Bytes {
    /// The structs that are declared to be there.
    pub(super) declared: FxHashSet<TypeId>,
    /// The members that the address may be that of.
    arrays: FxHashSet<FieldId>,
}

impl Ways<'_, '_> {
    /// The address of an array of characters, in which there may be anything, goes somewhere. Where such an
    /// array begins a struct of the kernel, the address is taken for that of the struct.
    pub(super) fn bytes_at(&mut self, func: &Function, op: Operand, place: Place) {
        let Some((strukt, at)) = static_path(self.module, func, op).filter(|_| !is_whole(func, op)) else {
            return;
        };
        let private = self.layout.is_private(strukt);
        let arrays = if private || at > 0 { self.arrays_at(strukt, at) } else { vec![] };
        if !arrays.is_empty() {
            let declared = self.layout.begin_at(strukt, at).into_iter().chain([strukt]);
            let bytes = self.bytes.entry(place).or_default();
            bytes.declared.extend(declared);
            bytes.arrays.extend(arrays);
        }
    }

    /// The same for an operand of a function.
    pub(super) fn bytes_go(&mut self, id: FuncId, func: &Function, op: Operand) {
        if let Some(place) = Self::place(id, op) {
            self.bytes_at(func, op, place);
        }
    }

    /// The arrays of numbers that have the byte of the struct: several in a union.
    fn arrays_at(&self, strukt: TypeId, at: u64) -> Vec<FieldId> {
        let (mut found, mut work) = (vec![], vec![(strukt, at)]);
        while let Some((strukt, at)) = work.pop() {
            let covers = |f: &&Field| f.offset <= at && at < f.offset + self.module.size_of(f.ty).max(1);
            let members = self.module.as_struct(strukt).into_iter().flat_map(|def| &def.fields);
            for member in members.filter(covers) {
                let (mut ty, mut at) = (member.ty, at - member.offset);
                while let TypeDef::Array { elem, .. } = self.module.types[ty] {
                    (ty, at) = (elem, at % self.module.size_of(elem).max(1));
                }
                if self.module.as_struct(ty).is_some() {
                    work.push((ty, at));
                } else if ty != member.ty && fields::is_data(self.module, ty) {
                    found.push(FieldId { strukt, offset: member.offset });
                }
            }
        }
        found
    }

    /// What may lie in which array: the structs that its address is taken for somewhere, or that are parts of these, and any
    /// if it gets to where nobody knows what it is taken for, or to where it may go on unseen.
    pub fn arrays(&self) -> HashMap<FieldId, Held> {
        let mut found: HashMap<FieldId, Held> = HashMap::new();
        let next = self.with_members();
        for (&place, bytes) in &self.bytes {
            let beyond = reach_within(std::iter::once(place), &next, |place| !is_hub(*place));
            let gets_to_hub = |p: &Place| next.get(p).into_iter().flatten().any(|p| is_hub(*p));
            let is_lost = beyond.iter().any(|p| self.unseen.contains(p) || gets_to_hub(p));
            let structs = beyond.iter().filter_map(|p| self.structs.get(p)).flatten().copied();
            let with_parts = structs.flat_map(|ty| self.layout.parts(ty).into_iter().chain([ty]));
            let held = if is_lost && !seeded(Fault::ArraysStay) {
                Held::Anything
            } else {
                Held::Structs(with_parts.collect())
            };
            for &field in &bytes.arrays {
                found.entry(field).or_default().extend(&held);
            }
        }
        found
    }

    /// The ways on which pointers go, and those from a struct to its members.
    fn with_members(&self) -> Links {
        let mut next = self.next.clone();
        for &(from, to, _) in &self.member_steps {
            next.entry(from).or_default().insert(to);
        }
        next
    }
}
