//! Members of globals that keep their initial value, because nobody stores to them.
//!
//! A driver fills in a static `struct miscdevice` by an initializer and hands it to the kernel. The kernel
//! links it into its lists, but is taken not to change the pointers that the driver put there.
//!
//! Stores that name the member are seen in the code. Others, through pointers to it, are known only when all threads
//! are encoded; then members that they may be to are no longer taken to keep their value, and all is encoded again.

use super::layout::{Layout, Shape};
use super::origins::{self, Origin, Sources};
use super::points_to::static_path;
use crate::instrument::thread::{Extent, Site, Thread};
use lockpair_ir::*;
use std::collections::{BTreeSet, HashSet};

/// A member of a global.
pub type Member = (GlobalId, u64);

/// The members that code of the module stores to.
pub struct Fixed {
    stored: HashSet<(TypeId, u64)>,
    /// Structs that are written as a whole somewhere.
    overwritten: HashSet<TypeId>,
    /// Members that are written through pointers.
    changed: BTreeSet<Member>,
}

impl Fixed {
    /// Looks through all code of the module; some members are known to be `changed`.
    pub fn new(module: &Module, layout: &Layout, changed: &BTreeSet<Member>) -> Fixed {
        let (stored, overwritten) = (HashSet::new(), HashSet::new());
        let mut fixed = Fixed { stored, overwritten, changed: changed.clone() };
        for func in module.funcs.values() {
            for &i in func.blocks.values().flat_map(|b| &b.insts) {
                fixed.instruction(module, layout, func, &func.insts[i].op);
            }
        }
        fixed
    }

    fn instruction(&mut self, module: &Module, layout: &Layout, func: &Function, op: &Op) {
        let (addr, whole) = match op {
            Op::Store { addr, .. } | Op::Rmw { addr, .. } | Op::CmpXchg { addr, .. } => (*addr, false),
            Op::MemSet { dst, .. } | Op::MemCopy { dst, .. } => (*dst, true),
            Op::Access { addr, write: true, len: Operand::Int { value, .. }, .. } => (*addr, *value > 8),
            Op::Access { addr, write: true, .. } => (*addr, true),
            _ => return,
        };
        let Some((strukt, offset)) = static_path(module, func, addr) else { return };
        let (inner, at) = layout.innermost(strukt, offset);
        self.stored.insert((inner, at));
        if whole {
            self.overwritten.extend([strukt, inner]);
        }
    }

    /// The pointer that the member of the global holds, if it keeps its initial one.
    pub fn pointer(&self, module: &Module, layout: &Layout, g: GlobalId, offset: u64) -> Option<Operand> {
        let global = &module.globals[g];
        let strukt = global.ty.filter(|ty| global.defined && module.as_struct(*ty).is_some())?;
        let (inner, at) = layout.innermost(strukt, offset);
        let written = self.changed.contains(&(g, offset))
            || self.stored.contains(&(inner, at))
            || self.overwritten.contains(&inner)
            || self.overwritten.contains(&strukt);
        let cell = global.init.iter().find(|c| c.offset == offset && c.size == 8)?;
        (!written && matches!(cell.value, Operand::Global(..))).then_some(cell.value)
    }
}

/// The members that threads took to keep their initial value, and to which one of the threads may write.
pub fn changed(facts: &origins::Facts, threads: &[Thread], sources: &[Sources]) -> BTreeSet<Member> {
    let used: BTreeSet<Member> = threads.iter().flat_map(|t| &t.initial).copied().collect();
    let is_written = |&member: &Member| {
        let mut all = threads.iter().zip(sources);
        all.any(|(t, s)| {
            t.sites.iter().zip(&s.sites).any(|(site, s)| may_write(facts, t, (site, s.origin), member))
        })
    };
    used.into_iter().filter(is_written).collect()
}

fn may_write(
    facts: &origins::Facts,
    thread: &Thread,
    (site, origin): (&Site, Origin),
    (g, at): Member,
) -> bool {
    let (func, inst) = site.inst;
    let op = &facts.module.funcs[func].insts[inst].op;
    // Globals are not freed.
    let ends = matches!(op, Op::Free { .. });
    if !site.write || ends || site.region != facts.points_to.global(g) {
        return false;
    }
    let Some(strukt) = facts.module.globals[g].ty else { return true };
    let (terms, end) = (&thread.terms, at + POINTER);
    if let Some(object) = terms.as_int(site.addr.obj) {
        if object != g.index() as i128 + 1 {
            return false;
        }
        let len = match site.extent {
            Extent::Bytes(len) => terms.as_int(len),
            Extent::Object => None,
        };
        if let (Some(from), Some(len)) = (terms.as_int(site.addr.off), len) {
            return from < i128::from(end) && i128::from(at) < from + len;
        }
    }
    let shape = Shape::In { strukt, lo: at, hi: end };
    // Who writes there without naming the member has got a pointer to the global. Code outside is taken not to write.
    let unnamed = site.shape.is_raw();
    let reaches = match op {
        Op::Store { .. } | Op::Rmw { .. } | Op::CmpXchg { .. } => !unnamed || facts.exposed.is_pointed(g),
        Op::External { .. } => unnamed && facts.exposed.is_pointed(g),
        _ => facts.exposed.is_pointed(g),
    };
    if !reaches {
        return false;
    }
    let external = site.region == facts.points_to.external();
    facts.layout.may_overlap(external, shape, site.shape)
        && origins::may_meet(facts, (shape, Origin::Elsewhere), (site.shape, origin))
}

/// The bytes of a pointer.
const POINTER: u64 = 8;
