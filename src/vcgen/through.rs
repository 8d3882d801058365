//! What a callback is told by its parameters: its handle, and what that was registered through, the number of an interrupt's
//! line. Found once for all pairs.
//!
//! The handle is known if all registrations of the callback are of one that lies in a global.
//!
//! Who switches a line off names it by its number, and so does the handler by its parameter. The two are one if every
//! registration of the handler says the same number, or one that lies in the handle's object, at the same place whenever
//! it is registered, where nobody writes from then on.

use crate::analysis::layout::{Layout, Shape};
use crate::analysis::points_to::{PointsTo, RegionId};
use crate::instrument::thread::{Addr, Event, Handle, Named, Thread};
use lockpair_ir::{EntityRef, FuncId, Function, GlobalId, InstId, Module, Op, Operand};
use lockpair_smt::{Term, TermId, VarId};
use std::collections::HashSet;

/// What a parameter is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// This number.
    Number(i128),
    /// What lies so far behind the handle.
    Behind(i128),
    /// The object of this address.
    Object,
    /// What lies so far behind it.
    Offset(i128),
}

/// A variable of a thread's parameters of which that is known.
pub struct Told {
    /// The variable.
    pub param: VarId,
    /// Its bits.
    pub bits: u16,
    /// The handle, or where what names it lies.
    pub handle: Addr,
    /// What it is.
    pub value: Value,
}

/// Per thread; the handles of classes that are `outside` may be registered by anybody.
pub fn find(
    (module, layout, points_to): (&Module, &Layout, &PointsTo),
    threads: &[Thread],
    outside: &HashSet<String>,
) -> Vec<Vec<Told>> {
    let facts = Facts { module, layout, points_to, threads };
    let of_thread = |t: &Thread| {
        let handles = t.handles.iter().filter(|h| !h.made && !outside.contains(&h.class));
        let params = handles.flat_map(|h| facts.place(t, h).into_iter().chain(facts.number(h)));
        params.chain(t.named.iter().flat_map(|n| facts.named(n))).collect()
    };
    threads.iter().map(of_thread).collect()
}

struct Facts<'a> {
    module: &'a Module,
    layout: &'a Layout<'a>,
    points_to: &'a PointsTo,
    threads: &'a [Thread],
}

impl Facts<'_> {
    /// All that may register the handles of a callback.
    fn registrations(&self, handle: &Handle) -> Vec<(&Thread, &Event)> {
        let may_be = |e: &&Event| {
            e.registers
                && e.class == handle.class
                && e.callback.is_none_or(|callback| callback == handle.func)
        };
        self.threads.iter().flat_map(|t| t.events.iter().filter(may_be).map(move |e| (t, e))).collect()
    }

    /// The variables of the handle's address, if it is the same in all registrations.
    fn place(&self, thread: &Thread, handle: &Handle) -> Vec<Told> {
        let constant = |t: &Thread, e: &Event| {
            let number = |term| t.terms.as_int(term).filter(|_| !e.anywhere);
            Some((number(e.handle.obj).filter(|&obj| obj > 0)?, number(e.handle.off)?))
        };
        let all = self.registrations(handle);
        let Some((obj, off)) = all.first().and_then(|(t, e)| constant(t, e)) else { return Vec::new() };
        let by_name = all.iter().all(|(_, e)| e.callback.is_some());
        let same = all.iter().all(|(t, e)| constant(t, e) == Some((obj, off)));
        if !same || !by_name && !self.is_only_in(handle.func, obj) {
            return Vec::new();
        }
        let (base, by) = thread.terms.split_offset(handle.addr.off);
        let told = |term: TermId, value: i128| match thread.terms.get(term) {
            Term::Var(param) => {
                Some(Told { param, bits: 0, handle: handle.addr, value: Value::Number(value) })
            }
            _ => None,
        };
        let (obj, off) = (told(handle.addr.obj, obj), base.and_then(|base| told(base, off - by)));
        obj.into_iter().chain(off).collect()
    }

    /// Whether the function is nowhere but in that global: where a registration does not say whose callback it is, the
    /// handle does.
    fn is_only_in(&self, func: FuncId, object: i128) -> bool {
        let is = |operand: &Operand| *operand == Operand::Func(func);
        let here = |g: GlobalId| g.index() as i128 + 1 == object;
        let globals = self.module.globals.iter();
        let initially =
            globals.filter(|(_, g)| g.init.iter().any(|cell| is(&cell.value))).all(|(g, _)| here(g));
        let in_code = |f: &Function| {
            f.blocks.values().flat_map(|b| &b.insts).all(|&i| match &f.insts[i].op {
                Op::Store { addr, value, .. } if is(value) => global_of(f, *addr).is_some_and(here),
                op => !op.operands().iter().any(is),
            }) && !f.blocks.values().any(|b| b.term.operand().iter().any(is))
        };
        initially && self.module.funcs.values().all(in_code)
    }

    /// The parameter that is what the handle was registered through.
    fn number(&self, handle: &Handle) -> Option<Told> {
        let (param, bits) = handle.through?;
        Some(Told { param, bits, handle: handle.addr, value: self.value(handle)? })
    }

    fn value(&self, handle: &Handle) -> Option<Value> {
        let all = self.registrations(handle);
        let (&(first, event), rest) = all.split_first()?;
        let of_all = |value: &Value| rest.iter().all(|(t, e)| values(t, e).contains(value));
        let candidates = values(first, event).into_iter().filter(of_all);
        candidates.into_iter().find(|&value| match value {
            Value::Number(_) | Value::Object | Value::Offset(_) => true,
            Value::Behind(by) => all.iter().all(|(t, e)| self.stays(t, e, by)),
        })
    }

    /// The variables of a handle that is named by what it was registered through: every registration of the class keeps that
    /// at one distance from the handle, and nothing but null is stored there besides.
    fn named(&self, named: &Named) -> Vec<Told> {
        let registers = |e: &&Event| e.registers && e.class == named.class;
        let all: Vec<(&Thread, &Event)> = self
            .threads
            .iter()
            .flat_map(|t| t.events.iter().filter(registers).map(move |e| (t, e)))
            .collect();
        let Some((&(first, event), rest)) = all.split_first() else { return Vec::new() };
        let of_all = |by: &i128| rest.iter().all(|(t, e)| self.kept(t, e, named).contains(by));
        let by = self.kept(first, event, named).into_iter().find(of_all);
        let Some(by) = by.filter(|&by| self.only_kept(&all, named, by)) else { return Vec::new() };
        let told = |param, value| Told { param, bits: 0, handle: named.place, value };
        vec![told(named.handle.0, Value::Object), told(named.handle.1, Value::Offset(-by))]
    }

    /// How far behind the handle a registration keeps what it was done through, in the member that the name was read from.
    fn kept(&self, thread: &Thread, event: &Event, named: &Named) -> Vec<i128> {
        let Some(through) = event.through.filter(|_| !event.anywhere) else { return Vec::new() };
        let stores = stores(thread).filter(|s| s.shape == named.shape && s.region == named.region);
        let of_it = stores.filter(|s| s.value.is_some_and(|v| v.obj == through));
        of_it.filter_map(|s| behind(thread, s.addr, event.handle)).collect()
    }

    fn only_kept(&self, all: &[(&Thread, &Event)], named: &Named, by: i128) -> bool {
        let external = named.region == self.points_to.external();
        let meets =
            |s: &Store| s.region == named.region && self.layout.may_overlap(external, named.shape, s.shape);
        let is_kept = |thread: &Thread, s: &Store| {
            let of =
                |e: &Event, v: Addr| e.through == Some(v.obj) && behind(thread, s.addr, e.handle) == Some(by);
            let registered = |v: Addr| all.iter().any(|(t, e)| t.entry == thread.entry && of(e, v));
            s.value.is_some_and(|v| thread.terms.as_int(v.obj) == Some(0) || registered(v))
        };
        self.threads.iter().all(|t| {
            let mut writes = stores(t).filter(|s| meets(s) && !self.ends(s.inst));
            writes.all(|s| is_kept(t, &s))
        })
    }

    fn ends(&self, (func, inst): (FuncId, InstId)) -> bool {
        matches!(self.module.funcs[func].insts[inst].op, Op::Free { .. })
    }

    /// Whether nobody writes there once others know the object.
    fn stays(&self, thread: &Thread, event: &Event, by: i128) -> bool {
        let at = |addr: Addr| behind(thread, addr, event.handle) == Some(by);
        let hidden = thread.hidden.iter().map(|w| (w.addr, w.region, w.shape));
        let places = hidden.chain(thread.loads.iter().map(|l| (l.addr, l.region, l.shape)));
        let mut places = places.filter(|(addr, ..)| at(*addr)).peekable();
        places.peek().is_some() && places.all(|(_, region, shape)| !self.is_written(region, shape))
    }

    fn is_written(&self, region: RegionId, shape: Shape) -> bool {
        let external = region == self.points_to.external();
        self.threads.iter().flat_map(|t| &t.sites).any(|s| {
            s.write
                && s.region == region
                && !self.ends(s.inst)
                && self.layout.may_overlap(external, shape, s.shape)
        })
    }
}

/// What a registration says that its handle's callbacks are told.
fn values(thread: &Thread, event: &Event) -> Vec<Value> {
    let number = event.through.filter(|_| !event.anywhere).and_then(|t| thread.terms.as_int(t));
    number.map(Value::Number).into_iter().chain(event.behind.iter().map(|&by| Value::Behind(by))).collect()
}

/// A write, whether others can see it or not.
struct Store {
    addr: Addr,
    value: Option<Addr>,
    region: RegionId,
    shape: Shape,
    inst: (FuncId, InstId),
}

fn stores(thread: &Thread) -> impl Iterator<Item = Store> {
    let seen = thread.sites.iter().filter(|s| s.write).map(|s| (s.addr, s.value, s.region, s.shape, s.inst));
    let hidden = thread.hidden.iter().map(|w| (w.addr, w.value, w.region, w.shape, w.inst));
    seen.chain(hidden).map(|(addr, value, region, shape, inst)| Store { addr, value, region, shape, inst })
}

/// The global that an address lies in, if address computations alone lead there.
fn global_of(func: &Function, address: Operand) -> Option<GlobalId> {
    match address {
        Operand::Global(g, _) => Some(g),
        Operand::Value(v) => match func.insts[func.values[v].inst?].op {
            Op::PtrAdd { base, .. } => global_of(func, base),
            _ => None,
        },
        _ => None,
    }
}

/// How far behind the handle the address lies, if both are in one object. Neither is null.
fn behind(thread: &Thread, addr: Addr, handle: Addr) -> Option<i128> {
    let one = |addr: Addr| match thread.leaves(addr.obj)[..] {
        [obj] => Addr { obj, ..addr },
        _ => addr,
    };
    thread.distance(one(addr), one(handle))
}
