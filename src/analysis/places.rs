//! Places where counted objects are found under a lock (`instrument/places.rs`), and which of them lend a reference.
//!
//! A place is one if only who makes an object puts it in, while he has a reference to it. Then who has taken it out has it
//! for himself among those who look there under the lock. It lends a reference if the one that the maker has, or has left to
//! others, is given back only by who has taken the object out before.

use super::fields;
use super::layout::Shape;
use super::origins::{self, Origin, Sources};
use super::ownership::{Facts, is_never, is_surely_held};
use crate::fault::{Fault, seeded};
use crate::instrument::flags::{self, Change, Flag, Free};
use crate::instrument::places::{NamedLock, Place, Where, found_in, has_links, link};
use crate::instrument::references::received_as;
use crate::instrument::thread::{Addr, Extent, LoadVars, Lock, Site, Thread};
use lockpair_ir::*;
use lockpair_smt::TermId;

/// All places that the threads show, which were encoded with those that were known before.
pub fn find(facts: &Facts, threads: &[Thread], sources: &[Sources]) -> Vec<Place> {
    let counts = counts(threads);
    let mut out: Vec<Place> = Vec::new();
    for thread in threads {
        for site in thread.sites.iter().filter(|s| s.write && takes_out(facts, thread, s)) {
            for place in places_of(facts, thread, site, &counts) {
                if !out.iter().any(|known| known.name == place.name) {
                    out.push(place);
                }
            }
        }
    }
    out.retain(|place| only_makers_put_in(facts, place, threads, sources) || seeded(Fault::PutInByAnybody));
    for place in &mut out {
        let outlives = threads.iter().all(|thread| gives_back_afterwards(facts, place, thread));
        place.lends = outlives || seeded(Fault::LentByAnybody);
    }
    out
}

/// How many links, or heads, the struct has: by one of several it would be taken for an element of another list. Those in
/// structs of the kernel's are for the kernel.
pub fn links_in(module: &Module, ty: TypeId) -> usize {
    match &module.types[ty] {
        _ if has_links(module, ty) => 1,
        TypeDef::Struct(s) if !s.module_private => 0,
        TypeDef::Struct(s) => s.fields.iter().map(|f| links_in(module, f.ty)).sum(),
        TypeDef::Array { elem, .. } => 2 * links_in(module, *elem),
        TypeDef::Void | TypeDef::Int { .. } | TypeDef::Float(_) | TypeDef::Ptr(_) | TypeDef::Func { .. } => 0,
    }
}

/// References, one for each count that is known by type.
fn counts(threads: &[Thread]) -> Vec<Lock> {
    let mut out: Vec<Lock> = Vec::new();
    for lock in threads.iter().flat_map(|t| &t.locks) {
        let is_reference = lock.owns.as_ref().is_some_and(|f| f.free == Free::Reference { more: false });
        if is_reference
            && matches!(lock.shape, Shape::In { .. })
            && !out.iter().any(|o| o.shape == lock.shape)
        {
            out.push(lock.clone());
        }
    }
    out
}

fn is_number(thread: &Thread, site: &Site) -> bool {
    site.value.is_some_and(|v| thread.terms.as_int(v.obj) == Some(0))
}

/// Whether a store may take something out of a place: it leaves no pointer, or one to the link itself.
fn takes_out(facts: &Facts, thread: &Thread, site: &Site) -> bool {
    let origins::Facts { module, layout, .. } = *facts.origins;
    let leads_back = || {
        let link = link(module, layout, site.shape)?;
        Some(thread.distance_if_not_null(site.addr, site.value?)? == i128::from(link.offset))
    };
    is_number(thread, site) || leads_back() == Some(true)
}

/// The places of which something may be taken out by the store, by the locks that are held and the counts behind them.
fn places_of(facts: &Facts, thread: &Thread, site: &Site, counts: &[Lock]) -> Vec<Place> {
    let origins::Facts { module, layout, .. } = *facts.origins;
    let global = thread.global(module, site.addr.obj).zip(thread.terms.as_int(site.addr.off));
    let mut out = Vec::new();
    for (n, lock) in thread.locks.iter().enumerate() {
        let Some(under) = NamedLock::of(thread, lock) else { continue };
        if lock.mode != LockMode::Exclusive || !is_surely_held(thread, site, n) {
            continue;
        }
        for count in counts {
            let Shape::In { strukt, lo: at, .. } = count.shape else { continue };
            let found = match (global, link(module, layout, site.shape), site.shape) {
                (Some((global, offset)), _, _) => {
                    let pointee = module.globals[global].ty.and_then(|ty| module.pointee(ty));
                    let variable = thread.terms.as_int(site.addr.obj).map(|obj| Where::Variable(obj, offset));
                    let name = module.globals[global].name.clone();
                    variable.filter(|_| pointee == Some(strukt)).map(|var| (var, i128::from(at), name))
                }
                (None, Some(link), Shape::In { strukt: around, lo, .. }) if around == strukt => {
                    let begin = i128::from(lo) - i128::from(link.offset);
                    let links = fields::pointee(module, link).map(Where::Links);
                    let name = member_name(module, strukt, lo);
                    let name = name.rsplit_once('.').map_or(name.clone(), |(list, _)| list.to_owned());
                    links.map(|links| (links, i128::from(at) - begin, name))
                }
                _ => None,
            };
            let Some((at, distance, name)) = found else { continue };
            let (region, shape) = (count.region, count.shape);
            let bits = count.owns.as_ref().map_or(0, |flag| flag.bits);
            let name = format!("{name} under {}", lock.name);
            out.push(Place { at, under: under.clone(), distance, bits, region, shape, name, lends: false });
            break;
        }
    }
    out
}

fn count_at(shape: Shape) -> u64 {
    match shape {
        Shape::In { lo, .. } => lo,
        Shape::Whole(_) | Shape::Scalar(_) | Shape::Wild | Shape::Outside => 0,
    }
}

fn member_name(module: &Module, strukt: TypeId, at: u64) -> String {
    let name = module.as_struct(strukt).map_or("?", |s| &s.name);
    format!("{name}.{}", module.path_at(strukt, at))
}

/// Whether whatever is stored there is null, or an object that the thread has made and has a reference to.
fn only_makers_put_in(facts: &Facts, place: &Place, threads: &[Thread], sources: &[Sources]) -> bool {
    let is_known = match place.at {
        Where::Variable(object, offset) => is_own_variable(facts, object, offset),
        Where::Links(_) => true,
    };
    is_known
        && threads.iter().zip(sources).all(|(thread, sources)| {
            let mut writes = thread.sites.iter().zip(&sources.sites).filter(|(s, _)| s.write);
            writes.all(|(site, source)| leaves_place(facts, place, (thread, site, source.origin)))
        })
}

/// Whether nobody but code that names it can write to the variable, which is null at the beginning.
fn is_own_variable(facts: &Facts, object: i128, offset: i128) -> bool {
    let module = facts.origins.module;
    let id = usize::try_from(object - 1).ok().filter(|&id| id < module.globals.len()).map(GlobalId::new);
    let Some(id) = id else { return false };
    let global = &module.globals[id];
    let is_set = |cell: &InitCell| {
        let at = i128::from(cell.offset);
        at < offset + 8 && offset < at + i128::from(cell.size) && cell.value != Operand::Null
    };
    let leads_there = |cell: &InitCell| matches!(cell.value, Operand::Global(g, _) if g == id);
    let others = module.globals.values().filter(|g| !g.name.starts_with("llvm."));
    global.defined
        && !global.exported
        && is_only_named(module, id)
        && !global.init.iter().any(is_set)
        && !others.flat_map(|g| &g.init).any(leads_there)
}

/// Whether code uses the variable's address for nothing but reading and writing there.
fn is_only_named(module: &Module, id: GlobalId) -> bool {
    let is_it = |v: &Operand| matches!(v, Operand::Global(g, _) if *g == id);
    module.funcs.values().all(|func| {
        let mut ops = func.blocks.values().flat_map(|b| &b.insts).map(|&i| &func.insts[i].op);
        let ends = func.blocks.values().all(|b| !b.term.operand().is_some_and(|v| is_it(&v)));
        ends && ops.all(|op| match op {
            Op::Load { .. } => true,
            Op::Store { value, .. } => !is_it(value),
            _ => !op.operands().iter().any(is_it),
        })
    })
}

/// Whether a write puts nothing in the place but what may be there.
fn leaves_place(facts: &Facts, place: &Place, (thread, site, origin): (&Thread, &Site, Origin)) -> bool {
    let origins::Facts { module, layout, .. } = *facts.origins;
    let op = &module.funcs[site.inst.0].insts[site.inst.1].op;
    if matches!(op, Op::Free { .. }) {
        return true;
    }
    let is_store = matches!(op, Op::Store { .. });
    match place.at {
        Where::Variable(object, offset) => {
            match (thread.terms.as_int(site.addr.obj), thread.terms.as_int(site.addr.off)) {
                (Some(other), _) if other != object => true,
                (Some(_), Some(at)) => {
                    let len = match site.extent {
                        Extent::Bytes(len) => thread.terms.as_int(len),
                        Extent::Object => None,
                    };
                    let apart = len.is_some_and(|len| at + len <= offset || offset + 8 <= at);
                    let may_be_there =
                        || is_number(thread, site) || is_made_with_reference(place, thread, site, site.value);
                    apart || is_store && at == offset && may_be_there()
                }
                (Some(_), None) => false,
                // The variable's address goes nowhere.
                (None, _) => true,
            }
        }
        Where::Links(strukt) => {
            let link =
                link(module, layout, site.shape).filter(|l| fields::pointee(module, *l) == Some(strukt));
            let Some(link) = link else {
                return !may_change_links(facts, (place, strukt), (thread, site, origin));
            };
            if takes_out(facts, thread, site) {
                return true;
            }
            let back = i128::from(link.offset);
            let is_element = matches!((site.shape, place.shape), (Shape::In { strukt: s, lo, .. }, Shape::In { strukt: t, .. })
                if s == t && Some(lo - link.offset) == link_of(place));
            let is_linked_already = || comes_from_links(facts, thread, site.addr, strukt);
            let is_other = matches!(site.shape, Shape::In { strukt: s, .. } if s != strukt);
            let address = match is_element {
                true => has_reference_at(thread, site, site.addr, place.distance - back),
                false => {
                    is_other || is_linked_already() || may_hold_head(place, thread, site, site.addr, back)
                }
            };
            let value = site.value.is_some_and(|v| {
                !thread.leaves(v.obj).iter().any(|&leaf| thread.makes(leaf))
                    || may_hold_head(place, thread, site, v, 0)
            });
            is_store && address && value
        }
    }
}

/// Whether a write that names no link may be to those of an element, which is none of the module's variables.
fn may_change_links(
    facts: &Facts,
    (place, strukt): (&Place, TypeId),
    (thread, site, origin): (&Thread, &Site, Origin),
) -> bool {
    let origins::Facts { module, layout, points_to, .. } = *facts.origins;
    let (Shape::In { strukt: around, .. }, Some(lo)) = (place.shape, link_of(place)) else { return true };
    let links = Shape::In { strukt: around, lo, hi: lo + module.size_of(strukt) };
    let op = &module.funcs[site.inst.0].insts[site.inst.1].op;
    !matches!(op, Op::External { .. } | Op::Access { .. })
        && site.extent != Extent::Object
        && thread.terms.as_int(site.addr.obj).is_none()
        && !thread.makes(site.addr.obj)
        && layout.may_overlap(site.region == points_to.external(), links, site.shape)
        && origins::may_meet(facts.origins, (links, Origin::Any), (site.shape, origin))
}

/// Where the links of a place's elements begin in their struct.
fn link_of(place: &Place) -> Option<u64> {
    u64::try_from(i128::from(count_at(place.shape)) - place.distance).ok()
}

/// Whether the pointer is to an object that the thread has made, and to which it has a reference.
fn is_made_with_reference(place: &Place, thread: &Thread, site: &Site, value: Option<Addr>) -> bool {
    value.is_some_and(|v| thread.makes(v.obj) && has_reference_at(thread, site, v, place.distance))
}

fn has_reference_at(thread: &Thread, site: &Site, from: Addr, distance: i128) -> bool {
    thread.makes(from.obj)
        && thread.locks.iter().enumerate().any(|(n, lock)| {
            let is_it = lock.owns.as_ref().is_some_and(|f| f.free == Free::Reference { more: false });
            is_it
                && thread.distance_if_not_null(lock.addr, from) == Some(distance)
                && is_surely_held(thread, site, n)
        })
}

/// Whether the address may be that of a head: it has a name, lies on the thread's stack, or in an object that the thread has
/// made, elsewhere than the link of an element, or in an element to which it has a reference.
fn may_hold_head(place: &Place, thread: &Thread, site: &Site, at: Addr, back: i128) -> bool {
    let at = thread.if_not_null(at);
    if thread.terms.as_int(at.obj).is_some() {
        return true;
    }
    let on_stack = |n: usize| thread.terms.var_term(thread.locals[n]) == at.obj && thread.on_stack[n];
    let counted: Vec<&Lock> = thread
        .locks
        .iter()
        .filter(|l| {
            thread.if_not_null(l.addr).obj == at.obj
                && l.owns.as_ref().is_some_and(|f| f.free == Free::Reference { more: false })
        })
        .collect();
    let is_link = |l: &&Lock| thread.distance_if_not_null(l.addr, at) == Some(place.distance - back);
    (0..thread.locals.len()).any(on_stack)
        || has_reference_at(thread, site, at, place.distance - back)
        || !counted.is_empty() && !counted.iter().any(is_link)
}

/// Whether the address was read from links.
fn comes_from_links(facts: &Facts, thread: &Thread, at: Addr, strukt: TypeId) -> bool {
    let origins::Facts { module, layout, .. } = *facts.origins;
    let of_link = |leaf: &TermId| {
        thread.loads.iter().any(|load| {
            let is_it = matches!(load.vars, LoadVars::Ptr(obj, _) if thread.terms.var_term(obj) == *leaf);
            let link = link(module, layout, load.shape);
            is_it && link.is_some_and(|link| fields::pointee(module, link) == Some(strukt))
        }) || thread.terms.as_int(*leaf).is_some()
            || thread.carried.iter().any(|c| thread.terms.var_term(c.var) == *leaf)
    };
    thread.leaves(at.obj).iter().all(of_link)
}

/// Whether the thread itself executes all that it stores in the place: what summaries put there is not followed.
fn follows_all(facts: &Facts, place: &Place, thread: &Thread) -> bool {
    let origins::Facts { module, layout, .. } = *facts.origins;
    let may_put_in = |site: &Site| match place.at {
        Where::Variable(object, _) => thread.terms.as_int(site.addr.obj) == Some(object),
        Where::Links(strukt) => {
            let link = link(module, layout, site.shape);
            link.is_some_and(|link| fields::pointee(module, link) == Some(strukt))
        }
    };
    thread.sites.iter().filter(|s| s.write && may_put_in(s)).all(|s| s.direct)
}

/// Whether the thread gives back what its object's maker had, or has left to it, only after it has taken the object out of the
/// place.
fn gives_back_afterwards(facts: &Facts, place: &Place, thread: &Thread) -> bool {
    let origins::Facts { module, layout, points_to, .. } = *facts.origins;
    let is_followed = follows_all(facts, place, thread);
    thread.sites.iter().filter(|s| s.write).all(|site| {
        let func = &module.funcs[site.inst.0];
        let gives = match flags::change(func, &func.insts[site.inst.1].op) {
            Some((bits, Change::Add(v))) => v >> (bits - 1) & 1 == 1,
            _ => false,
        };
        let external = site.region == points_to.external();
        if !gives || !layout.may_overlap(external, place.shape, site.shape) {
            return true;
        }
        let held = |n: usize| is_surely_held(thread, site, n);
        let at_count =
            || thread.locks.iter().enumerate().filter(|(_, l)| thread.if_not_null(l.addr) == site.addr);
        let free = |l: &Lock| l.owns.as_ref().map(|f: &Flag| f.free);
        let is_out =
            at_count().any(|(n, l)| free(l) == Some(Free::TakenOut) && l.class == found_in(place) && held(n));
        let has_more = at_count().any(|(n, l)| free(l) == Some(Free::Reference { more: true }) && held(n));
        let is_made = thread.leaves(site.addr.obj).iter().any(|&leaf| thread.makes(leaf));
        let was_never_in = || {
            is_made
                && at_count().filter(|(_, l)| free(l) == Some(Free::PutIn)).all(|(n, _)| {
                    let put_in = site.held.taken(n, &thread.terms);
                    thread.terms.as_bool(put_in) == Some(false)
                        || is_never(thread, &[site.guard, put_in], None)
                })
        };
        let is_anothers = || {
            !is_made
                && at_count().any(|(n, l)| {
                    let is_reference = free(l) == Some(Free::Reference { more: false });
                    is_reference && held(n) && received_as(thread, l).is_none_or(|received| !received.made)
                })
        };
        is_out && (is_followed || !is_made) || has_more || is_followed && was_never_in() || is_anothers()
    })
}
