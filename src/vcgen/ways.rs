//! Through what handles are registered: an interrupt line, a queue. The kernel runs the callbacks of one handle one after the
//! other, and ends them all at once, only if all were registered through one thing. Found once for all pairs.
//!
//! Two things are told apart where that is seen: two numbers, or pointers or numbers from two variables or two members. What is not
//! seen to be another is taken to be the same, and in the ledger; but not if there is only one handle, and who registers it may do so
//! for several devices, of which each has such a thing.

use crate::analysis::fields::{self, FieldId};
use crate::analysis::layout::{Layout, Shape};
use crate::analysis::points_to::static_path;
use crate::fault::{Fault, seeded};
use crate::instrument::thread::{Addr, Event, FixedPlace, LoadVars, SharedLoad, Thread};
use lockpair_ir::{BinOp, Function, GlobalId, Module, Op, Operand, Ty, TypeId};
use lockpair_smt::{Term, TermId};
use std::collections::{BTreeSet, HashSet};

/// What the threads' events say of that.
#[derive(Default)]
pub struct Ways {
    /// Classes of which a handle may be registered through two things.
    pub several: BTreeSet<String>,
    /// Unregistrations of what was registered through something else: thread and event.
    pub other: HashSet<(usize, usize)>,
    /// Classes of which that is not seen of all.
    pub unknown: BTreeSet<String>,
}

/// Through what a handle is registered.
#[derive(PartialEq)]
enum Way {
    /// The class has nothing of the kind, or the function that registers always takes the same.
    Default,
    Number(i128),
    /// The number in a variable or member of the module's own, and so much more.
    NumberIn(NumberPlace, i128),
    /// What a variable points to.
    Variable(FixedPlace),
    /// What a member points to.
    Member(FieldId),
    Unknown,
}

impl Way {
    /// Whether it is not known to be the same as another that does not differ.
    fn is_guessed(&self) -> bool {
        matches!(self, Way::Unknown | Way::NumberIn(..))
    }

    /// Whether it may be another whenever the code runs.
    fn varies(&self) -> bool {
        match self {
            Way::Default
            | Way::Number(_)
            | Way::Variable(_)
            | Way::NumberIn(NumberPlace::Variable(..), _) => false,
            Way::NumberIn(NumberPlace::Member(..), _) | Way::Member(_) | Way::Unknown => true,
        }
    }

    fn differs(&self, other: &Way) -> bool {
        match (self, other) {
            (Way::Default, _) | (_, Way::Default) => self != other,
            (Way::Unknown, _) | (_, Way::Unknown) => false,
            (Way::Number(a), Way::Number(b)) => a != b,
            (Way::NumberIn(..), Way::NumberIn(..)) => self != other && !seeded(Fault::LinesInMembersAreOne),
            (Way::Number(_) | Way::NumberIn(..), _) | (_, Way::Number(_) | Way::NumberIn(..)) => false,
            (Way::Variable(_) | Way::Member(_), Way::Variable(_) | Way::Member(_)) => self != other,
        }
    }
}

/// Where the module keeps a number.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum NumberPlace {
    Variable(GlobalId, i64),
    Member(TypeId, u64),
}

/// An event with where it is.
struct Known<'a> {
    at: (usize, usize),
    thread: &'a Thread,
    event: &'a Event,
    /// Through one of these.
    ways: Vec<Way>,
}

impl Known<'_> {
    fn differs(&self, other: &Known) -> bool {
        self.ways.iter().any(|a| other.ways.iter().any(|b| a.differs(b)))
    }

    /// Whether one handle may be registered through several things, one after the other: it lies in a variable, or where one leads.
    fn is_of_several(&self, module: &Module) -> bool {
        let (thread, handle) = (self.thread, self.event.handle);
        let is_led_to =
            || read_from(thread, handle.obj).is_some_and(|(at, _)| thread.fixed_place(at).is_some());
        let is_one = || thread.fixed_place(handle).is_some() || is_led_to();
        let varies = |way: &Way| way.varies() && !self.is_in_handle() || self.sets(module, way);
        self.event.registers && is_one() && self.ways.iter().any(varies) && !seeded(Fault::OneForAllDevices)
    }

    /// Whether what it is registered through lies in the handle's own object, and stays there as far as the thread is concerned: then
    /// one handle has one.
    fn is_in_handle(&self) -> bool {
        let thread = self.thread;
        let is_read = |load: &&SharedLoad| match (load.vars, self.event.through.map(|t| thread.terms.get(t)))
        {
            (LoadVars::Ptr(v, _) | LoadVars::Int(v, _), Some(Term::Var(through))) => v == through,
            _ => false,
        };
        let stays = |at: Addr| !thread.sites.iter().any(|site| site.write && site.addr == at);
        let read = thread.loads.iter().find(is_read).map(|load| load.addr);
        read.is_some_and(|at| at.obj == self.event.handle.obj && stays(at))
    }

    /// Whether the thread itself changes the variable that says through what.
    fn sets(&self, module: &Module, way: &Way) -> bool {
        let thread = self.thread;
        let mut places = thread.sites.iter().filter(|s| s.write).map(|s| s.addr);
        match way {
            Way::Variable(place) => places.any(|at| thread.fixed_place(at).as_ref() == Some(place)),
            Way::NumberIn(NumberPlace::Variable(global, _), _) => {
                places.any(|at| thread.global(module, at.obj) == Some(*global))
            }
            _ => false,
        }
    }

    /// Whether it says through what: to end a handle without that ends it.
    fn says(&self) -> bool {
        !self.ways.contains(&Way::Default)
    }
}

/// Of all threads of a module, of which these run no more than once.
pub fn find(module: &Module, layout: &Layout, threads: &[Thread], once: &dyn Fn(&Thread) -> bool) -> Ways {
    let mut all = Vec::new();
    for (t, thread) in threads.iter().enumerate() {
        let known = |(e, event)| Known { at: (t, e), thread, event, ways: of(module, layout, thread, event) };
        all.extend(thread.events.iter().enumerate().map(known));
    }
    let mut ways = Ways::default();
    if seeded(Fault::WaysIgnored) {
        return ways;
    }
    let has_ways: HashSet<&str> =
        all.iter().filter(|k| k.event.through.is_some()).map(|k| k.event.class.as_str()).collect();
    for (n, a) in all.iter().enumerate() {
        if a.ways.iter().any(Way::is_guessed) && has_ways.contains(a.event.class.as_str()) {
            ways.unknown.insert(a.event.class.clone());
        }
        if a.is_of_several(module) && has_ways.contains(a.event.class.as_str()) && !once(a.thread) {
            ways.several.insert(a.event.class.clone());
        }
        for b in all[n..].iter().filter(|b| a.event.class == b.event.class && a.differs(b)) {
            if !may_be_one(layout, a, b) {
                continue;
            }
            match (a.event.registers, b.event.registers) {
                (true, true) => {
                    ways.several.insert(a.event.class.clone());
                }
                (true, false) => ways.other.extend(b.says().then_some(b.at)),
                (false, true) => ways.other.extend(a.says().then_some(a.at)),
                (false, false) => {}
            }
        }
    }
    ways
}

fn of(module: &Module, layout: &Layout, thread: &Thread, event: &Event) -> Vec<Way> {
    match event.through {
        _ if event.anywhere => vec![Way::Unknown],
        None => vec![Way::Default],
        Some(t) if thread.terms.as_int(t).is_some() => vec![way(module, layout, thread, t)],
        Some(t) => match written(module, event) {
            Some(way) => vec![way],
            None => thread.leaves(t).into_iter().map(|leaf| way(module, layout, thread, leaf)).collect(),
        },
    }
}

fn way(module: &Module, layout: &Layout, thread: &Thread, through: TermId) -> Way {
    if let Some(number) = thread.terms.as_int(through) {
        return Way::Number(number);
    }
    let place = |(addr, shape): (Addr, Shape)| {
        let member = || fields::of_shape(module, layout, shape).map(Way::Member);
        thread.fixed_place(addr).map(Way::Variable).or_else(member)
    };
    read_from(thread, through).or_else(|| stored_to(thread, through)).and_then(place).unwrap_or(Way::Unknown)
}

/// The number through which a handle is registered or ended, as the source says it: two members or variables of the module's own
/// have two numbers, unless one is copied to the other.
fn written(module: &Module, event: &Event) -> Option<Way> {
    let (id, inst, _) = event.key;
    let func = &module.funcs[id];
    let (Op::Register { through, .. } | Op::Unregister { through, .. }) = &func.insts[inst].op else {
        return None;
    };
    let number = through.filter(|&through| matches!(func.operand_ty(through), Ty::Int(_)))?;
    let (place, more) = number_in(module, func, number, MOST)?;
    (!is_copied(module, place)).then_some(Way::NumberIn(place, more))
}

/// So many computations are looked through.
const MOST: usize = 8;

/// Where the number was read, and what was added to it.
fn number_in(module: &Module, func: &Function, value: Operand, steps: usize) -> Option<(NumberPlace, i128)> {
    let Operand::Value(v) = value else { return None };
    let less = steps.checked_sub(1)?;
    match func.insts[func.values[v].inst?].op {
        Op::Cast(_, inner) => number_in(module, func, inner, less),
        Op::Bin(BinOp::Add, number, Operand::Int { value, .. }) => {
            let (place, more) = number_in(module, func, number, less)?;
            Some((place, more + i128::try_from(value).ok()?))
        }
        Op::Load { addr, .. } => Some((number_place(module, func, addr)?, 0)),
        _ => None,
    }
}

/// The variable or member, if only the module knows it.
fn number_place(module: &Module, func: &Function, addr: Operand) -> Option<NumberPlace> {
    if let Operand::Global(g, at) = addr
        && module.globals[g].defined
        && !module.globals[g].exported
    {
        return Some(NumberPlace::Variable(g, at));
    }
    let (strukt, at) = static_path(module, func, addr)?;
    module.as_struct(strukt).is_some_and(|s| s.module_private).then_some(NumberPlace::Member(strukt, at))
}

/// Whether some code puts there what lies in another such place, or in one that others know, too.
fn is_copied(module: &Module, place: NumberPlace) -> bool {
    let copies = |func: &Function, op: &Op| {
        let Op::Store { addr, value: value @ Operand::Value(v), .. } = *op else { return false };
        let is_read = func.values[v].inst.is_some_and(|i| matches!(func.insts[i].op, Op::Load { .. }));
        let to = number_place(module, func, addr);
        let from = number_in(module, func, value, MOST).map(|(from, _)| from);
        to == Some(place) && is_read || from == Some(place) && to.is_some()
    };
    let insts = |func: &'_ Function| {
        func.blocks.values().any(|b| b.insts.iter().any(|&i| copies(func, &func.insts[i].op)))
    };
    module.funcs.values().any(insts)
}

/// Where a pointer was read.
pub(super) fn read_from(thread: &Thread, object: TermId) -> Option<(Addr, Shape)> {
    let Term::Var(v) = thread.terms.get(object) else { return None };
    let load = thread.loads.iter().find(|l| matches!(l.vars, LoadVars::Ptr(obj, _) if obj == v))?;
    Some((load.addr, load.shape))
}

/// Where a pointer that was just made is kept.
fn stored_to(thread: &Thread, object: TermId) -> Option<(Addr, Shape)> {
    let sites = thread.sites.iter().map(|s| (s.value, s.addr, s.shape));
    let mut stores = sites.chain(thread.hidden.iter().map(|w| (w.value, w.addr, w.shape)));
    let (_, addr, shape) = stores.find(|(value, ..)| value.is_some_and(|v| v.obj == object))?;
    Some((addr, shape))
}

/// Whether two events may be of one handle, as far as types and constant addresses tell.
fn may_be_one(layout: &Layout, a: &Known, b: &Known) -> bool {
    let at = |k: &Known| k.thread.fixed_place(k.event.handle);
    if let (Some(x), Some(y)) = (at(a), at(b)) {
        return x == y;
    }
    let (one, other) = (a.event.handle.obj, b.event.handle.obj);
    let makes = |k: &Known| k.thread.makes(k.event.handle.obj);
    let two_made = a.at.0 == b.at.0
        && one != other
        && makes(a)
        && makes(b)
        && is_var(a.thread, one)
        && is_var(b.thread, other);
    !two_made && layout.may_overlap(true, a.event.shape, b.event.shape)
}

fn is_var(thread: &Thread, object: TermId) -> bool {
    matches!(thread.terms.get(object), Term::Var(_))
}
