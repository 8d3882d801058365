//! Callbacks that make anew what the kernel knows them by, or put another function there.
//!
//! A callback that stands in a struct runs once at a time, since the kernel knows by the struct that it runs. Who makes the struct
//! anew, or puts another function there, while it runs, lets in a second one. Of another thread that is a race with what the callback
//! reads as it begins (`pipeline/called.rs`). A callback that does so itself is in nobody's way, and is not alone any more.

use super::layout::Shape;
use super::origins::{self, Origin, Sources, may_meet};
use super::ownership::forget;
use crate::fault::{Fault, seeded};
use crate::instrument::thread::{Extent, Lock, Site, Thread};
use lockpair_entry_points::{EntryPoint, EntryPoints};
use lockpair_env::schema::{AddrExpr, Base, ImplicitLock};
use lockpair_ir::*;
use std::collections::HashSet;

/// The bytes of a pointer to a function.
pub const POINTER: u64 = 8;

/// A parameter that is a struct which holds the function, and keeps it from running beside itself.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Itself {
    /// Its number.
    pub param: u32,
    /// The struct.
    pub strukt: TypeId,
    /// Where in it the function stands.
    pub offset: u64,
}

/// The parameters of an entry point that are such structs.
pub fn held_by(module: &Module, entry: &EntryPoint) -> Vec<Itself> {
    let itself = entry.same.iter().filter(|same| same.addr.base == Base::Function);
    let held = itself.filter_map(|same| {
        let AddrExpr { base: Base::Param(param), steps } = &same.other else { return None };
        let [step] = &steps[..] else { return None };
        let (strukt, offset) = member(module, step.strukt.as_deref()?, &step.field)?;
        let is_lock = entry.locks.iter().any(|lock| is_at(lock, *param));
        is_lock.then_some(Itself { param: *param, strukt, offset })
    });
    held.collect()
}

/// Whether the kernel holds the lock, alone, at what the parameter leads to.
fn is_at(lock: &ImplicitLock, param: u32) -> bool {
    lock.mode == LockMode::Exclusive && lock.addr.base == Base::Param(param) && lock.addr.steps.is_empty()
}

/// A member of a struct of the kernel's, by its names.
fn member(module: &Module, tag: &str, name: &str) -> Option<(TypeId, u64)> {
    module.types.keys().find_map(|strukt| {
        let def = module.as_struct(strukt).filter(|def| def.name == tag)?;
        let field = def.fields.iter().find(|field| field.name == name)?;
        Some((strukt, field.offset))
    })
}

/// Takes out of the locksets of such callbacks what the kernel holds for the struct.
pub fn let_others_in(
    facts: &origins::Facts,
    entry_points: &EntryPoints,
    threads: &mut [Thread],
    sources: &[Sources],
) {
    for (thread, sources) in threads.iter_mut().zip(sources) {
        let entry = &entry_points.items[thread.entry];
        for itself in held_by(facts.module, entry) {
            let classes: Vec<&str> = entry
                .locks
                .iter()
                .filter(|lock| is_at(lock, itself.param))
                .map(|lock| &*lock.class)
                .collect();
            let is_its = |lock: &Lock| lock.implicit && classes.contains(&&*lock.class);
            let held = thread.locks.iter().enumerate().filter(|(_, lock)| is_its(lock));
            let remade = |lock: &Lock| {
                let mut sites = thread.sites.iter().zip(&sources.sites);
                sites.any(|(site, source)| remakes(facts, thread, (site, source.origin), lock, itself))
            };
            let lost: HashSet<usize> = held.filter(|(_, lock)| remade(lock)).map(|(n, _)| n).collect();
            if !seeded(Fault::RemadeByItself) {
                let classes: Vec<String> = lost.iter().map(|&n| thread.locks[n].class.clone()).collect();
                thread.releases.extend(classes);
                forget(thread, &lost);
            }
        }
    }
}

/// Whether the site may write the first byte of the struct, as rows say it of who makes one, or the function.
fn remakes(
    facts: &origins::Facts,
    thread: &Thread,
    (site, origin): (&Site, Origin),
    lock: &Lock,
    Itself { strukt, offset, .. }: Itself,
) -> bool {
    let op = &facts.module.funcs[site.inst.0].insts[site.inst.1].op;
    let is_write = matches!(
        op,
        Op::Store { .. }
            | Op::Rmw { .. }
            | Op::CmpXchg { .. }
            | Op::MemSet { .. }
            | Op::MemCopy { .. }
            | Op::Access { .. }
            | Op::External { .. }
    );
    // What the thread makes itself is no such struct: that was there before.
    if !site.write
        || !is_write
        || thread.makes(site.addr.obj)
        || lock.region.is_some_and(|region| region != site.region)
    {
        return false;
    }
    let external = site.region == facts.points_to.external();
    let len = match site.extent {
        Extent::Bytes(len) => thread.terms.as_int(len),
        Extent::Object => None,
    };
    let parts = [(0, 1), (offset, offset + POINTER)];
    parts.into_iter().any(|(lo, hi)| {
        let part = Shape::In { strukt, lo, hi };
        let is_elsewhere = || {
            let from = thread.distance(site.addr, lock.addr);
            from.zip(len).is_some_and(|(from, len)| from + len <= i128::from(lo) || i128::from(hi) <= from)
        };
        facts.layout.may_overlap(external, site.shape, part)
            && may_meet(facts, (site.shape, origin), (part, Origin::Elsewhere))
            && !is_elsewhere()
    })
}
