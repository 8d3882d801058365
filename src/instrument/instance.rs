//! Puts the summary of a procedure in the place of a call: its parameters become the arguments, its objects and
//! reads new ones, and the locks held on entry those that the caller holds.

use super::exec::{ANYWHERE, Context, Executor};
use super::lockset::Lockset;
use super::memory::{LocalId, Rest, WHOLE};
use super::procedure::{Fate, OnCpu, Summary};
use super::sites::AccessOp;
use super::state::State;
use super::thread::*;
use super::values::{self, Val};
use crate::analysis::fields;
use crate::analysis::layout::{Layout, Shape};
use crate::fault::{Fault, seeded};
use lockpair_ir::*;
use lockpair_smt::{Import, Term, TermId, Terms, VarAction, VarId};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

/// A summary on its way into a caller.
struct Instance<'s> {
    module: &'s Module,
    layout: &'s Layout<'s>,
    summary: &'s Summary,
    /// What became of the summary's variables.
    vars: HashMap<VarId, TermId>,
    terms: Import<'s>,
    stacks: HashMap<StackId, StackId>,
    call: (Option<StackId>, Option<LocId>),
    /// The locks of the summary that it does anything to.
    locks: Vec<Counterpart>,
    /// The caller's first own object that is the summary's.
    first: LocalId,
    /// Arguments of which the struct is known that they point into.
    args: Vec<Pointer>,
    /// The caller's events before.
    events: Arc<Vec<TermId>>,
    /// Per event of the summary: the caller's, if it counts there.
    events_at: Vec<Option<usize>>,
    /// Where those of what these lead to are: the summary's event, and the caller's.
    handed_on: Vec<(usize, usize)>,
    held: HashMap<(*const Vec<TermId>, *const Vec<TermId>), Lockset>,
}

/// A lock of a summary in its caller.
#[derive(Copy, Clone)]
struct Counterpart {
    /// Its position in the summary.
    lock: usize,
    /// The caller's; an entry point has none that stands for all.
    mine: Option<usize>,
    /// Whether it stands for all of its kind.
    all: bool,
}

/// A lock of a summary that is held, if the caller held it, only under a condition.
#[derive(Copy, Clone)]
struct GivenBack {
    of: Counterpart,
    unless: TermId,
}

/// A call of a circle whose accesses are still to be put in.
pub(super) struct Deferred {
    summary: Arc<Summary>,
    state: State,
    call: (Option<StackId>, Option<LocId>),
}

impl<'s> Instance<'s> {
    fn new(cx: &Context<'s>, summary: &'s Summary, call: (Option<StackId>, Option<LocId>)) -> Self {
        Instance {
            module: cx.module,
            layout: cx.layout,
            summary,
            vars: HashMap::new(),
            terms: Import::new(&summary.thread.terms),
            stacks: HashMap::new(),
            call,
            locks: Vec::new(),
            first: 0,
            args: Vec::new(),
            events: Arc::default(),
            events_at: Vec::new(),
            handed_on: Vec::new(),
            held: HashMap::new(),
        }
    }

    fn bind(&mut self, param: TermId, arg: TermId) {
        if let Term::Var(v) = self.summary.thread.terms.get(param) {
            self.vars.insert(v, arg);
        }
    }

    /// A term in the caller.
    fn term(&mut self, terms: &mut Terms, t: TermId) -> TermId {
        let (vars, from) = (&mut self.vars, &self.summary.thread.terms);
        self.terms.term(terms, t, &mut |into, v| match vars.entry(v) {
            Entry::Occupied(known) => VarAction::Replace(*known.get()),
            Entry::Vacant(new) => VarAction::Renamed(*new.insert(into.counterpart(from.var(v)))),
        })
    }

    fn addr(&mut self, terms: &mut Terms, a: Addr) -> Addr {
        Addr { obj: self.term(terms, a.obj), off: self.term(terms, a.off) }
    }

    fn pointer(&mut self, terms: &mut Terms, p: Pointer) -> Pointer {
        let addr = self.addr(terms, p.addr);
        let Some((strukt, at)) = p.path else { return Pointer { addr, ..p } };
        let at = self.term(terms, at);
        let begins = Addr { off: terms.sub(addr.off, at), ..addr };
        let known = self.amid(terms, strukt, begins) == 0;
        Pointer { addr, path: Some((strukt, at)), span: p.span }.filter_path(known)
    }

    /// How far a struct that begins here begins amid one of its type that an argument points into: a procedure may
    /// take its argument for a pointer into another place of the struct than it is in (`container_of` with the wrong
    /// member). By `alignment`, the two would not overlap; it is not the procedure that is to be believed.
    fn amid(&self, terms: &mut Terms, strukt: TypeId, begins: Addr) -> u64 {
        let size = i128::from(self.module.size_of(strukt).max(1));
        let of_struct = |arg: &&Pointer| arg.addr.obj == begins.obj;
        for arg in self.args.iter().filter(of_struct) {
            let Some((_, at)) = arg.path.filter(|(s, _)| *s == strukt) else { continue };
            let outer = terms.sub(arg.addr.off, at);
            let distance = terms.sub(begins.off, outer);
            if let Some(distance) = terms.as_int(distance) {
                return distance.rem_euclid(size) as u64;
            }
        }
        0
    }

    /// The shape of an access in the caller, and where its struct begins (worked out from the address, if it is not
    /// given).
    fn placed(
        &self,
        terms: &mut Terms,
        shape: Shape,
        addr: Addr,
        base: Option<TermId>,
    ) -> (Shape, Option<TermId>) {
        let Shape::In { strukt, lo, hi } = shape else { return (shape, base) };
        let begins = base.unwrap_or_else(|| {
            let lo = terms.int(i128::from(lo));
            terms.sub(addr.off, lo)
        });
        match self.amid(terms, strukt, Addr { off: begins, ..addr }) {
            0 => self.around(terms, (strukt, lo, hi), Addr { off: begins, ..addr }).unwrap_or((shape, base)),
            amid if hi + amid <= self.module.size_of(strukt) => {
                let by = terms.int(i128::from(amid));
                let shape = Shape::In { strukt, lo: lo + amid, hi: hi + amid };
                (shape, base.map(|b| terms.sub(b, by)))
            }
            _ => (Shape::Wild, None),
        }
    }

    /// The same access as one to the struct around that which the procedure knows, if an argument points to that part of
    /// it, and where that struct begins.
    fn around(
        &self,
        terms: &mut Terms,
        (strukt, lo, hi): (TypeId, u64, u64),
        begins: Addr,
    ) -> Option<(Shape, Option<TermId>)> {
        let of_other =
            |arg: &&Pointer| arg.addr.obj == begins.obj && arg.path.is_some_and(|(outer, _)| outer != strukt);
        self.args.iter().filter(of_other).find_map(|arg| {
            let (outer, at) = arg.path?;
            let base = terms.sub(arg.addr.off, at);
            let distance = terms.sub(begins.off, base);
            let distance = u64::try_from(terms.as_int(distance)?).ok()?;
            let is_part = hi.checked_add(distance)? <= self.module.size_of(outer)
                && self.layout.embeds_at(outer, distance, strukt);
            let shape = Shape::In { strukt: outer, lo: lo + distance, hi: hi + distance };
            is_part.then_some((shape, Some(base)))
        })
    }

    /// Of bytes of which the procedure knows no struct: the place in the caller's struct that an argument points to, if they are at
    /// a known distance from there. A block of unknown length that begins in an array ends there, too (assumption `in-bounds`), but
    /// the address of an array at the start may be meant as that of the struct.
    fn in_member(&self, terms: &mut Terms, extent: Extent, addr: Addr) -> Option<(Shape, Option<TermId>)> {
        let Extent::Bytes(size) = extent else { return None };
        self.args.iter().filter(|arg| arg.addr.obj == addr.obj).find_map(|arg| {
            let (strukt, at) = arg.path?;
            let base = terms.sub(arg.addr.off, at);
            let at = terms.sub(addr.off, base);
            let at = u64::try_from(terms.as_int(at)?).ok()?;
            let (lo, hi) = match terms.as_int(size) {
                Some(size) => (at, at.checked_add(u64::try_from(size).ok()?)?),
                None => fields::array_at(self.module, self.layout, strukt, at)?,
            };
            (hi <= self.module.size_of(strukt)).then_some((Shape::In { strukt, lo, hi }, Some(base)))
        })
    }

    fn value(&mut self, terms: &mut Terms, v: Val) -> Val {
        match v {
            Val::Bool(t) => Val::Bool(self.term(terms, t)),
            Val::Int(t, p) => Val::Int(self.term(terms, t), p.map(|p| self.pointer(terms, p))),
            Val::Ptr(p) => Val::Ptr(self.pointer(terms, p)),
            Val::Opaque => Val::Opaque,
        }
    }
}

impl Executor<'_, '_> {
    /// The state after a call of the procedure, and its result; none if it does not return.
    pub(super) fn instantiate(
        &mut self,
        summary: &Arc<Summary>,
        args: &[Val],
        state: State,
        call: (Option<StackId>, Option<LocId>),
    ) -> Option<(State, Option<Val>)> {
        let mut state = state;
        self.forget_followed(&mut state);
        summary.thread.releases.iter().for_each(|class| self.gives_back(&mut state, class));
        state.looked = Arc::default();
        let mut inst = Instance::new(self.cx, summary, call);
        self.pass_arguments(&mut inst, args, &mut state);
        self.initial_values(&mut inst);
        self.pass_cpu(&mut inst, &state);
        if summary.of_circle {
            self.deferred.push(Deferred { summary: Arc::clone(summary), state: state.clone(), call });
            self.leave_circle(&mut inst, &mut state);
            return Some((state, None));
        }
        self.own_objects(&mut inst, &mut state);
        self.locks_of(&mut inst, &mut state, &summary.changed);
        self.events_of(&mut inst, &mut state);
        self.sites_of(&mut inst, &mut state);
        let after = summary.exit.as_ref().map(|(exit, value)| {
            let state = self.exit_of(&mut inst, exit, &state);
            (state, value.map(|v| inst.value(&mut self.thread.terms, v)))
        });
        self.rest_of(&mut inst);
        self.loads_of(&mut inst);
        after.filter(|(state, _)| self.thread.terms.as_bool(state.guard) != Some(false))
    }

    /// What a call of a circle leaves: locks that it may have given back, and registrations. All else that its
    /// summary says does not depend on the call.
    fn leave_circle(&mut self, inst: &mut Instance, state: &mut State) {
        let summary = inst.summary;
        state.cpu = self.some_cpu();
        let (exit, _) = summary.exit.as_ref().expect("a circle leaves a state");
        self.locks_of(inst, state, &summary.left);
        self.note_strays_of(inst, &exit.held, state);
        if !seeded(Fault::SummaryKeepsAllLocks) {
            state.held = self.held_of(inst, &exit.held, &state.held.clone());
        }
        for (e, event) in summary.thread.events.iter().enumerate() {
            let flag = State::flag(&exit.events, e, &summary.thread.terms);
            if summary.thread.terms.as_bool(flag) != Some(false) {
                self.registered_by(state, &event.class, event.key);
            }
        }
    }

    /// The accesses of the circles that were called: once for all calls of a circle, since its summary knows
    /// nothing of a call. What holds at all calls holds there.
    pub(super) fn access_in_circles(&mut self) {
        while let Some(last) = self.deferred.pop() {
            let (same, rest): (Vec<_>, Vec<_>) = std::mem::take(&mut self.deferred)
                .into_iter()
                .partition(|d| Arc::ptr_eq(&d.summary, &last.summary));
            self.deferred = rest;
            let summary = Arc::clone(&last.summary);
            let call = last.call;
            let mut calls: Vec<State> = same.into_iter().map(|d| d.state).collect();
            calls.push(last.state);
            let mut state = self.at_any(&calls);
            let mut inst = Instance::new(self.cx, &summary, call);
            self.pass_cpu(&mut inst, &state);
            self.own_objects(&mut inst, &mut state);
            self.locks_of(&mut inst, &mut state, &summary.changed);
            self.events_of(&mut inst, &mut state);
            self.sites_of(&mut inst, &mut state);
            self.rest_of(&mut inst);
            self.loads_of(&mut inst);
        }
    }

    /// What is known of the state at some of these points: locks are held and unregistrations in force if they are
    /// at all of them, and objects published and registrations in force if they are at one.
    fn at_any(&mut self, points: &[State]) -> State {
        let points = if seeded(Fault::CircleOfOneCall) { &points[..1] } else { points };
        let mut state = points[0].clone();
        if points.iter().any(|s| s.cpu != state.cpu) {
            state.cpu = self.some_cpu();
        }
        let guards: Vec<TermId> = points.iter().map(|s| s.guard).collect();
        state.guard = self.terms().or(&guards);
        for i in 0..self.thread.locks.len() {
            let terms = &mut self.thread.terms;
            let taken: Vec<TermId> = points.iter().map(|s| s.held.taken(i, terms)).collect();
            let kept: Vec<TermId> = points.iter().map(|s| s.held.kept(i, terms)).collect();
            let (taken, kept) = (terms.and(&taken), terms.and(&kept));
            state.held.set_taken(i, taken, terms);
            state.held.set_kept(i, kept, terms);
        }
        for e in 0..self.thread.events.len() {
            let flags: Vec<TermId> =
                points.iter().map(|s| State::flag(&s.events, e, &self.thread.terms)).collect();
            let registers = self.thread.events[e].registers;
            let flag = if registers { self.terms().or(&flags) } else { self.terms().and(&flags) };
            State::set_flag(&mut state.events, e, flag, &self.thread.terms);
        }
        for id in 0..self.locals.len() {
            let flags: Vec<TermId> =
                points.iter().map(|s| State::flag(&s.published, id, &self.thread.terms)).collect();
            let flag = self.terms().or(&flags);
            State::set_flag(&mut state.published, id, flag, &self.thread.terms);
        }
        state
    }

    /// The procedure runs on the CPU of its caller.
    fn pass_cpu(&mut self, inst: &mut Instance, state: &State) {
        let OnCpu { cpu, stays } = inst.summary.called_on;
        inst.bind(cpu, state.cpu);
        inst.bind(stays, self.stays(&state.held));
    }

    fn pass_arguments(&mut self, inst: &mut Instance, args: &[Val], state: &mut State) {
        let summary = inst.summary;
        let tru = self.thread.terms.tru();
        for (n, &arg) in args.iter().enumerate() {
            let Some(&param) = summary.params.get(n) else {
                self.publish(state, arg, tru);
                continue;
            };
            match (param, arg) {
                (Val::Ptr(p), Val::Ptr(a)) => {
                    inst.bind(p.addr.obj, a.addr.obj);
                    inst.bind(p.addr.off, a.addr.off);
                    inst.args.extend(a.path.map(|_| a));
                    self.pass_pointer(state, a, summary.fates[n]);
                }
                (Val::Int(p, _), Val::Int(a, None)) => inst.bind(p, a),
                (Val::Bool(p), Val::Bool(a)) => inst.bind(p, a),
                _ => {
                    if let (Val::Int(p, _), Val::Int(a, _)) = (param, arg) {
                        inst.bind(p, a);
                    }
                    self.publish(state, arg, tru);
                }
            }
        }
    }

    /// Pointers that the procedure reads from arguments that are globals, and that keep their initial value.
    fn initial_values(&mut self, inst: &mut Instance) {
        let summary = inst.summary;
        for load in &summary.thread.loads {
            let (LoadVars::Ptr(obj, off), Term::Var(param)) =
                (load.vars, summary.thread.terms.get(load.addr.obj))
            else {
                continue;
            };
            let arg = inst.vars.get(&param).and_then(|&t| self.thread.terms.as_int(t));
            if arg.is_none() || inst.vars.contains_key(&obj) {
                continue;
            }
            let addr = inst.addr(&mut self.thread.terms, load.addr);
            if let Some(Val::Ptr(p)) = self.constant_load(&Pointer { addr, path: None, span: None }, Ty::Ptr)
            {
                inst.vars.extend([(obj, p.addr.obj), (off, p.addr.off)]);
            }
        }
    }

    /// What becomes of the objects that an argument points to.
    fn pass_pointer(&mut self, state: &mut State, arg: Pointer, fate: Fate) {
        if fate.kept && !seeded(Fault::SummaryKeepsNothing) {
            let tru = self.thread.terms.tru();
            self.publish(state, Val::Ptr(arg), tru);
        }
        let (own, _) = self.choices(arg.addr.obj);
        for (_, id) in own {
            // What is read from there has names of its own.
            if fate.written {
                self.forget_content(state, id);
            } else if fate.read {
                self.lose_pointers(state, id);
            }
        }
    }

    fn own_objects(&mut self, inst: &mut Instance, state: &mut State) {
        inst.first = self.locals.len();
        let thread = &inst.summary.thread;
        for (n, &(key, size)) in inst.summary.locals.iter().enumerate() {
            let id = self.new_local(state, key, size, thread.on_stack[n], Rest::Arbitrary);
            self.thread.lost[id] = thread.lost[n];
            self.thread.repeated[id].clone_from(&thread.repeated[n]);
            let own = self.local_term(id);
            inst.vars.insert(thread.locals[n], own);
        }
        state.memory.end(inst.first, |id| self.locals[id].stack);
    }

    fn locks_of(&mut self, inst: &mut Instance, state: &mut State, changed: &[bool]) {
        for (i, lock) in inst.summary.thread.locks.iter().enumerate() {
            if !changed[i] {
                continue;
            }
            if lock.key.2 == ANYWHERE {
                let mine = self.procedure.is_some().then(|| self.lock_anywhere(lock.clone()));
                mine.into_iter().for_each(|mine| self.note_given_back(mine));
                inst.locks.push(Counterpart { lock: i, mine, all: true });
                continue;
            }
            let addr = inst.addr(&mut self.thread.terms, lock.addr);
            let (shape, _) = inst.placed(&mut self.thread.terms, lock.shape, addr, None);
            let mine = self.mentioned_lock(state, Lock { addr, shape, taken: Vec::new(), ..lock.clone() });
            if self.procedure.is_some() && inst.summary.given_back[i] {
                self.note_given_back(mine);
            }
            for place in &lock.taken {
                if !self.thread.locks[mine].taken.contains(place) {
                    self.thread.locks[mine].taken.push(*place);
                }
            }
            inst.locks.push(Counterpart { lock: i, mine: Some(mine), all: false });
        }
    }

    /// What the caller holds where the procedure holds that: what the caller held and the procedure keeps, and what
    /// the procedure has taken.
    fn held_of(&mut self, inst: &mut Instance, held: &Lockset, before: &Lockset) -> Lockset {
        if let Some(known) = inst.held.get(&held.address()) {
            return known.clone();
        }
        let (mut out, mut given_back, mut taken) = (before.clone(), Vec::new(), Vec::new());
        for n in 0..inst.locks.len() {
            let of = inst.locks[n];
            let (terms, from) = (&mut self.thread.terms, &inst.summary.thread.terms);
            let own = inst.term(terms, held.taken(of.lock, from));
            let kept = inst.term(terms, held.kept(of.lock, from));
            let unless = terms.or2(own, kept);
            if terms.as_bool(unless) != Some(true) {
                given_back.push(GivenBack { of, unless });
            }
            if let Some(mine) = of.mine {
                self.held_only_if(&mut out, mine, kept);
                taken.push((mine, own));
            }
        }
        for j in 0..before.known() {
            self.give_back_alike(&mut out, inst.summary, &given_back, j);
        }
        let terms = &mut self.thread.terms;
        for (mine, own) in taken {
            let either = terms.or2(out.taken(mine, terms), own);
            out.set_taken(mine, either, terms);
        }
        inst.held.insert(held.address(), out.clone());
        out
    }

    /// Notes the locks that the procedure gives back though the entry point may have none that it can mean.
    fn note_strays_of(&mut self, inst: &mut Instance, held: &Lockset, before: &State) {
        if self.procedure.is_some() {
            return;
        }
        for of in inst.locks.clone() {
            let given = &inst.summary.thread.locks[of.lock];
            let (terms, from) = (&mut self.thread.terms, &inst.summary.thread.terms);
            let own = inst.term(terms, held.taken(of.lock, from));
            let kept = inst.term(terms, held.kept(of.lock, from));
            let is_left = terms.or2(own, kept);
            let may_be_it = |j: &usize| of.mine == Some(*j) || !self.apart(&self.thread.locks[*j], given);
            let held: Vec<TermId> = (0..before.held.known())
                .filter(may_be_it)
                .map(|j| before.held.taken(j, &self.thread.terms))
                .chain([is_left])
                .collect();
            let held = self.thread.terms.or(&held);
            self.note_stray(before.guard, held, (&given.class, given.mode), inst.call.1);
        }
    }

    /// A lock that the caller has taken may be another one that the procedure gives back. (Whether one that the
    /// caller's caller holds may be, its own instances ask: they know all that it gives back.)
    fn give_back_alike(&mut self, held: &mut Lockset, summary: &Summary, given_back: &[GivenBack], j: usize) {
        let taken = held.taken(j, &self.thread.terms);
        if self.thread.terms.as_bool(taken) == Some(false) {
            return;
        }
        let mut kept = vec![taken];
        for &GivenBack { of, unless } in given_back {
            let given = of.mine.map_or(&summary.thread.locks[of.lock], |mine| &self.thread.locks[mine]);
            if of.mine == Some(j) || self.apart(&self.thread.locks[j], given) {
                continue;
            }
            let left = match of.mine.filter(|_| !of.all) {
                None => unless,
                Some(mine) => {
                    let (here, there) = (self.thread.locks[j].addr, self.thread.locks[mine].addr);
                    let same = super::values::same_addr(self.terms(), here, there);
                    let other = self.terms().not(same);
                    self.terms().or2(unless, other)
                }
            };
            kept.push(left);
            if self.thread.terms.as_bool(left) == Some(false) {
                break;
            }
        }
        let taken = self.terms().and(&kept);
        held.set_taken(j, taken, &self.thread.terms);
    }

    /// The procedure's registrations; unregistrations of the caller that they undo do not count any more.
    fn events_of(&mut self, inst: &mut Instance, state: &mut State) {
        let thread = &inst.summary.thread;
        for e in thread.events.iter().filter(|e| e.registers) {
            if e.anywhere {
                self.stop_all_unregistrations(state, &e.class);
                self.registered_again(state, &e.class, None);
            } else {
                let handle = inst.addr(&mut self.thread.terms, e.handle);
                self.stop_unregistrations(state, &e.class, handle);
                self.registered_again(state, &e.class, Some(handle));
            }
        }
        for e in &thread.events {
            let at = if e.anywhere || e.registers && self.is_crowded(e.key, true) {
                Some(self.anywhere(&e.class, (e.key.0, e.key.1, 2)))
            } else if !self.is_crowded(e.key, e.registers) {
                let handle = inst.addr(&mut self.thread.terms, e.handle);
                let argument = e.argument.map(|(n, at)| (n, inst.addr(&mut self.thread.terms, at)));
                let through = e.through.map(|t| inst.term(&mut self.thread.terms, t));
                let (shape, _) = inst.placed(&mut self.thread.terms, e.shape, handle, None);
                let before = Arc::default();
                let until = e.until.map(|device| inst.addr(&mut self.thread.terms, device));
                let holding = None;
                let repeated = e.repeated || !self.loops.is_empty();
                let event =
                    Event { handle, argument, through, until, repeated, shape, before, holding, ..e.clone() };
                self.thread.events.push(event);
                Some(self.thread.events.len() - 1)
            } else {
                None
            };
            inst.events_at.push(at);
        }
        self.hand_on(inst, state);
        inst.events = state.events.clone();
        for (e, event) in thread.events.iter().enumerate().filter(|(_, event)| !event.registers) {
            let before = self.event_flags(inst, &event.before);
            if let Some(at) = inst.events_at[e] {
                self.thread.events[at].before = before;
            }
        }
    }

    /// What the procedure gives to unknown code leads to other objects of the caller's, which that may register, too.
    fn hand_on(&mut self, inst: &mut Instance, state: &State) {
        for e in 0..inst.events_at.len() {
            let Some(at) = inst.events_at[e] else { continue };
            let event = self.thread.events[at].clone();
            if event.class != HANDED_OUT || event.anywhere {
                continue;
            }
            let given = self.objects(event.handle.obj).0;
            for id in self.own_reached(state, given.clone()).into_iter().filter(|id| !given.contains(id)) {
                let handle = Addr { obj: self.local_term(id), ..event.handle };
                self.thread.events.push(Event { handle, ..event.clone() });
                inst.handed_on.push((e, self.thread.events.len() - 1));
            }
        }
    }

    fn event_flags(&mut self, inst: &mut Instance, events: &[TermId]) -> Arc<Vec<TermId>> {
        if events.is_empty() {
            return inst.events.clone();
        }
        let (tru, fals) = (self.thread.terms.tru(), self.thread.terms.fals());
        let mut out = (*inst.events).clone();
        out.resize(self.thread.events.len(), fals);
        for (e, &flag) in events.iter().enumerate() {
            let Some(at) = inst.events_at[e] else { continue };
            if !self.thread.events[at].anywhere {
                out[at] = inst.term(&mut self.thread.terms, flag);
            } else if inst.summary.thread.terms.as_bool(flag) != Some(false) {
                out[at] = tru;
            }
        }
        for &(e, at) in inst.handed_on.iter().filter(|(e, _)| *e < events.len()) {
            out[at] = inst.events_at[e].map_or(fals, |from| out[from]);
        }
        Arc::new(out)
    }

    fn sites_of(&mut self, inst: &mut Instance, state: &mut State) {
        let summary = inst.summary;
        let mut events: HashMap<*const Vec<TermId>, Arc<Vec<TermId>>> = HashMap::new();
        // The callee may have loops, so what it stores anywhere is found everywhere.
        for site in summary.thread.sites.iter().filter(|site| site.write) {
            self.leave_by_callee(inst, state, site);
        }
        for (n, site) in summary.thread.sites.iter().enumerate() {
            if seeded(Fault::SummarySiteForgotten) && n == 0 {
                continue;
            }
            let terms = &mut self.thread.terms;
            let addr = inst.addr(terms, site.addr);
            let guard = inst.term(terms, site.guard);
            let guard = terms.and2(state.guard, guard);
            self.access_found(inst, state, guard, addr, site);
            let Some(guard) = self.seen_by_others(inst, state, guard, addr, site) else { continue };
            let held = self.held_of(inst, &site.held, &state.held);
            let key = Arc::as_ptr(&site.events);
            let events = match events.get(&key) {
                Some(known) => known.clone(),
                None => {
                    let new = self.event_flags(inst, &site.events);
                    events.insert(key, new.clone());
                    new
                }
            };
            let terms = &mut self.thread.terms;
            let extent = match site.extent {
                Extent::Bytes(len) => Extent::Bytes(inst.term(terms, len)),
                Extent::Object => Extent::Object,
            };
            let base = site.base.map(|b| inst.term(terms, b));
            let cpu = inst.term(terms, site.cpu);
            let (shape, base) = match inst.placed(terms, site.shape, addr, base) {
                placed @ (Shape::Wild | Shape::Scalar(_), _) => {
                    inst.in_member(terms, extent, addr).unwrap_or(placed)
                }
                placed => placed,
            };
            let value = site.value.map(|a| inst.addr(terms, a));
            let stack = self.stack_of(inst, site.stack);
            self.stored_by_callee(site.inst, value);
            self.thread.sites.push(Site {
                guard,
                addr,
                extent,
                base,
                value,
                shape,
                held,
                cpu,
                events,
                stack,
                direct: false,
                alone: false,
                ..*site
            });
        }
    }

    /// What a callee stores in an own object, unknown code may find there; of what it copies, nobody knows what that is.
    fn leave_by_callee(&mut self, inst: &mut Instance, state: &mut State, site: &Site) {
        let (func, i) = site.inst;
        let copies = matches!(self.cx.module.funcs[func].insts[i].op, Op::MemCopy { .. });
        if !copies && site.value.is_none() || seeded(Fault::CalleeLeavesNothing) {
            return;
        }
        let addr = inst.addr(&mut self.thread.terms, site.addr);
        let own = self.own_of_caller(inst, state, addr);
        if own.is_empty() {
            return;
        }
        let value = site.value.map(|value| inst.addr(&mut self.thread.terms, value));
        let addr = value.unwrap_or_else(|| values::fresh_pointer(&mut self.thread.terms, "copied").addr);
        for id in own {
            state.memory.object_mut(id).leave(Pointer { addr, path: None, span: None }, WHOLE);
        }
    }

    /// The own objects, from before the call, where an address of the callee may be.
    fn own_of_caller(&self, inst: &Instance, state: &State, addr: Addr) -> Vec<LocalId> {
        let mut own = self.own_or_lost(state, addr);
        own.retain(|id| *id < inst.first);
        own
    }

    /// What unknown code that the callee calls does to what it finds behind an own object which it gets there.
    fn access_found(&mut self, inst: &mut Instance, state: &State, guard: TermId, addr: Addr, site: &Site) {
        let found = self.found_by_callee(inst, state, addr, site);
        if found.is_empty() {
            return;
        }
        let held = self.held_of(inst, &site.held, &state.held);
        let events = self.event_flags(inst, &site.events);
        let cpu = inst.term(&mut self.thread.terms, site.cpu);
        let stack = self.stack_of(inst, site.stack);
        for access in found {
            let (shape, base) = self.shape(&access.ptr, access.extent, access.telling_size());
            self.thread.sites.push(Site {
                guard,
                addr: access.ptr.addr,
                extent: access.extent,
                base,
                write: access.write,
                value: None,
                mark: access.mark,
                region: access.region,
                shape,
                held: held.clone(),
                cpu,
                events: events.clone(),
                stack,
                through: None,
                direct: false,
                alone: false,
                ..*site
            });
        }
    }

    /// What it may do there.
    fn found_by_callee(&mut self, inst: &Instance, state: &State, addr: Addr, site: &Site) -> Vec<AccessOp> {
        let is_unknown = self.is_of_unknown_code(site.inst) && !seeded(Fault::CalleeLooksNowhere);
        if !is_unknown || self.own_of_caller(inst, state, addr).is_empty() {
            return Vec::new();
        }
        let path = match site.shape {
            Shape::In { strukt, lo, .. } => Some((strukt, self.terms().int(i128::from(lo)))),
            _ => None,
        };
        let knows = path.is_some_and(|(strukt, _)| self.knows_struct(site.inst, strukt));
        let mut found = self.found_behind(state, Pointer { addr, path, span: None }, knows);
        found.retain(|p| self.constant_global(p.addr.obj).is_none());
        found.into_iter().map(|p| self.access_through(p)).collect()
    }

    /// What a callee stores at one place, it stores at several if the call is in a loop.
    fn stored_by_callee(&mut self, store: (FuncId, InstId), value: Option<Addr>) {
        if let Some(value) = value.filter(|_| !seeded(Fault::SummariesStoreOnce)) {
            self.stored_in_loop(store, value.obj);
        }
    }

    /// The condition of an access, if others may see it; a write that nobody sees is noted.
    fn seen_by_others(
        &mut self,
        inst: &mut Instance,
        state: &State,
        guard: TermId,
        addr: Addr,
        site: &Site,
    ) -> Option<TermId> {
        if let Some(obj) = self.thread.terms.as_int(addr.obj) {
            let global = usize::try_from(obj - 1).ok();
            let global = global.and_then(|g| self.cx.module.globals.get(GlobalId::new(g)));
            if obj == 0 || global.is_some_and(|g| g.constant) && !site.write {
                return None;
            }
        }
        let (own, _) = self.choices(addr.obj);
        let (all, mut guard) = (guard, guard);
        for &(when, id) in own.iter().filter(|(_, id)| *id < inst.first) {
            let published = self.published(state, id);
            let terms = &mut self.thread.terms;
            let not = terms.not(when);
            let visible = terms.or2(not, published);
            guard = terms.and2(guard, visible);
        }
        if self.thread.terms.as_bool(guard) != Some(false) {
            return Some(guard);
        }
        let value = site.value.map(|a| inst.addr(&mut self.thread.terms, a));
        if let Some(addr) = value.filter(|_| own.iter().any(|(_, id)| self.locals[*id].stack)) {
            self.lose(Val::Ptr(Pointer { addr, path: None, span: None }));
        }
        if site.write && own.iter().any(|(_, id)| !self.locals[*id].stack) {
            let (shape, _) = inst.placed(&mut self.thread.terms, site.shape, addr, None);
            let region = site.region;
            self.stored_by_callee(site.inst, value);
            let hidden = HiddenWrite {
                guard: all,
                addr,
                value,
                region,
                shape,
                through: site.through,
                inst: site.inst,
                direct: false,
            };
            self.thread.hidden.push(hidden);
        }
        None
    }

    fn stack_of(&mut self, inst: &mut Instance, stack: StackId) -> StackId {
        if let Some(&known) = inst.stacks.get(&stack) {
            return known;
        }
        let frame = inst.summary.thread.stacks[stack.index()].clone();
        let frame = match frame.parent {
            Some(parent) => StackFrame { parent: Some(self.stack_of(inst, parent)), ..frame },
            None => StackFrame { parent: inst.call.0, call: inst.call.1, ..frame },
        };
        self.thread.stacks.push(frame);
        let new = StackId::new(self.thread.stacks.len() - 1);
        inst.stacks.insert(stack, new);
        new
    }

    fn exit_of(&mut self, inst: &mut Instance, exit: &State, before: &State) -> State {
        let mut state = before.clone();
        let returns = inst.term(&mut self.thread.terms, exit.guard);
        state.guard = self.thread.terms.and2(before.guard, returns);
        self.note_strays_of(inst, &exit.held, &state);
        if !seeded(Fault::SummaryKeepsAllLocks) {
            state.held = self.held_of(inst, &exit.held, &before.held);
        }
        state.cpu = inst.term(&mut self.thread.terms, exit.cpu);
        state.events = self.event_flags(inst, &exit.events);
        for (n, &published) in exit.published.iter().enumerate() {
            let published = inst.term(&mut self.thread.terms, published);
            State::set_flag(&mut state.published, inst.first + n, published, &self.thread.terms);
        }
        state
    }

    fn rest_of(&mut self, inst: &mut Instance) {
        let from = &inst.summary.thread;
        for write in &from.hidden {
            let addr = inst.addr(&mut self.thread.terms, write.addr);
            let value = write.value.map(|a| inst.addr(&mut self.thread.terms, a));
            let (shape, _) = inst.placed(&mut self.thread.terms, write.shape, addr, None);
            let guard = inst.term(&mut self.thread.terms, write.guard);
            self.stored_by_callee(write.inst, value);
            self.thread.hidden.push(HiddenWrite { guard, addr, value, shape, ..write.clone() });
        }
        for &obj in &from.kept {
            let obj = inst.term(&mut self.thread.terms, obj);
            let others = self.thread.leaves(obj).into_iter().filter(|leaf| self.local_id(*leaf).is_none());
            self.thread.kept.extend(others.collect::<Vec<_>>());
        }
        for &obj in &from.spread {
            let obj = inst.term(&mut self.thread.terms, obj);
            self.thread.spread.extend(self.thread.leaves(obj));
        }
        self.thread.releases.extend(from.releases.iter().cloned());
        for named in &from.named {
            let var = |v: VarId| inst.vars.get(&v).map(|&t| self.variable(t));
            let (Some(obj), Some(off)) = (var(named.handle.0), var(named.handle.1)) else { continue };
            let place = inst.addr(&mut self.thread.terms, named.place);
            self.thread.named.push(Named { handle: (obj, off), place, ..named.clone() });
        }
        for end in &from.ends {
            let mut addr = |at: Addr| inst.addr(&mut self.thread.terms, at);
            let (at, own) = (addr(end.at), end.own.iter().map(|&at| addr(at)).collect());
            self.thread.ends.push(End { class: end.class.clone(), at, own });
        }
        self.thread.initial.extend(&from.initial);
        self.thread.several.extend(from.several.iter().cloned());
        self.thread.ledger.extend(&from.ledger);
        if !inst.summary.of_circle {
            self.thread.instructions += from.sites.len();
        }
    }

    /// The reads whose values anything depends on, and what code outside gave to the procedure.
    fn loads_of(&mut self, inst: &mut Instance) {
        let from = &inst.summary.thread;
        let mut new = Vec::new();
        for load in from.loads.iter().rev() {
            // Initial values are no reads.
            let known = |v: VarId| inst.vars.get(&v).is_some_and(|&t| self.thread.terms.as_int(t).is_some());
            if matches!(load.vars, LoadVars::Ptr(obj, _) if known(obj)) {
                continue;
            }
            let var = |v: VarId| inst.vars.get(&v).map(|&t| self.variable(t));
            let vars = match load.vars {
                LoadVars::Int(v, bits) => var(v).map(|v| LoadVars::Int(v, bits)),
                LoadVars::Ptr(obj, off) => match (var(obj), var(off)) {
                    (None, None) => None,
                    _ => {
                        let [obj, off] = [obj, off].map(|v| {
                            let t = from.terms.var_term(v);
                            let t = inst.term(&mut self.thread.terms, t);
                            self.variable(t)
                        });
                        Some(LoadVars::Ptr(obj, off))
                    }
                },
            };
            let Some(vars) = vars else { continue };
            let addr = inst.addr(&mut self.thread.terms, load.addr);
            let (own, _) = self.choices(addr.obj);
            let private = load.private || own.iter().any(|(_, id)| *id < inst.first);
            let (shape, _) = inst.placed(&mut self.thread.terms, load.shape, addr, None);
            new.push(SharedLoad { vars, addr, shape, private, ..*load });
        }
        self.thread.loads.extend(new.into_iter().rev());
        for given in &from.given {
            if let Some(&t) = inst.vars.get(&given.var) {
                let var = self.variable(t);
                self.thread.given.push(Given { var, holder: None, ..*given });
            }
        }
    }

    fn variable(&self, t: TermId) -> VarId {
        match self.thread.terms.get(t) {
            Term::Var(v) => v,
            _ => unreachable!("a variable that was made for the instance"),
        }
    }
}
