//! Registrations of callbacks.

use super::exec::{Activation, Executor, Inlining};
use super::memory::LocalId;
use super::state::State;
use super::thread::*;
use super::values::{self, Val};
use crate::analysis::fields;
use crate::analysis::layout::Shape;
use crate::fault::{Fault, seeded};
use lockpair_ir::*;
use lockpair_smt::{Sort, Term, TermId};
use std::collections::BTreeSet;
use std::sync::Arc;

/// So many registrations, or unregistrations, of one instruction are told apart in what is summarized.
const MAX_ALIKE: usize = 4;
/// And where everything is inlined.
const MAX_ALIKE_INLINED: usize = 16;

impl Event {
    /// All registrations by one instruction.
    pub(super) fn anywhere(class: &str, handle: Addr, key: Key) -> Event {
        Event { anywhere: true, ..Event::registration(class, handle, Shape::Wild, key) }
    }

    /// The end of callbacks, which the kernel waits for.
    pub fn end(class: &str, handle: Addr, key: Key) -> Event {
        Event { registers: false, ..Event::registration(class, handle, Shape::Wild, key) }
    }

    fn registration(class: &str, handle: Addr, shape: Shape, key: Key) -> Event {
        Event {
            class: class.to_owned(),
            handle,
            shape,
            through: None,
            through_at: None,
            behind: Vec::new(),
            registers: true,
            anywhere: false,
            fresh: false,
            kept: false,
            of_own_device: false,
            callback: None,
            argument: None,
            stays: false,
            until: None,
            repeated: false,
            before: Arc::default(),
            holding: None,
            key,
        }
    }
}

impl Executor<'_, '_> {
    #[allow(clippy::too_many_arguments)]
    pub(super) fn register(
        &mut self,
        act: &Activation,
        i: InstId,
        state: &mut State,
        class: &str,
        handle: Operand,
        callback: Option<Operand>,
        argument: Option<(u32, Operand)>,
        through: Option<Operand>,
        (ok, stays, until): (TermId, bool, Option<Operand>),
    ) {
        let p = self.followed(act, handle);
        let holding = self.holding(state, class);
        if self.cx.kinds.runs_once.contains(class) {
            self.checkpoint(state, Step::Registers);
            self.end_completed(state, &|flag| flag.under.is_some());
        }
        let (own, other) = self.objects(p.addr.obj);
        let fresh = !other && own.iter().all(|&id| self.is_private(state, id));
        // Who has nothing registered knows nothing, either.
        let known = if seeded(Fault::RegistrationPublishesNothing) { self.thread.terms.fals() } else { ok };
        let (through, through_at) = self.identity(act, through);
        let behind = through.map_or(Vec::new(), |t| self.behind(state, p.addr, t));
        self.publish_handle(state, p, known);
        let callback = callback.and_then(|f| self.function(act, f));
        let argument = argument.map(|(n, arg)| (n, self.operand(act, arg)));
        if let Some((_, v)) = argument {
            self.publish(state, v, known);
        }
        let argument = argument.and_then(|(n, v)| Some((n, v.pointer()?.addr)));
        if !seeded(Fault::RegisterAgainIgnored) {
            self.stop_unregistrations(state, class, p.addr);
        }
        self.registered_again(state, class, Some(p.addr));
        if self.is_crowded((act.id, i, 0), true) {
            self.registered_by(state, class, (act.id, i, 2));
        } else {
            let event = Event::registration(class, p.addr, self.lock_shape(&p).0, (act.id, i, 0));
            let until = until.map(|device| self.device_of(act, device));
            let event = Event { through, through_at, behind, callback, stays, until, holding, ..event };
            // What others may have registered before says nothing of who runs.
            let made = if fresh {
                Event { fresh, argument, before: Arc::clone(&state.events), ..event }
            } else {
                event
            };
            self.event(state, made, ok);
        }
    }

    /// Notes what is registered and ended when the entry point returns.
    pub(super) fn note_registered(&mut self, state: &State, result: Option<Val>) {
        let zero = self.terms().int(0);
        let fails = match result {
            Some(Val::Int(result, _)) => {
                let succeeds = self.terms().eq(result, zero);
                self.terms().not(succeeds)
            }
            _ => self.terms().tru(),
        };
        let fails = self.terms().and2(state.guard, fails);
        let events = Arc::clone(&state.events);
        let (guard, held, cpu) = (state.guard, state.held.clone(), state.cpu);
        let published = self.published_memory(state);
        self.thread.returned = Some(Returned { guard, fails, events, held, cpu, published });
    }

    /// Notes when a session begins.
    pub(super) fn note_begun(&mut self, state: &State, result: Option<Val>) {
        let Some(Val::Int(result, _)) = result else { return };
        let zero = self.terms().int(0);
        let is_zero = self.terms().eq(result, zero);
        self.thread.begun = Some(self.terms().and2(state.guard, is_zero));
    }

    fn published_memory(&mut self, state: &State) -> Vec<(usize, TermId)> {
        let mut found = Vec::new();
        for n in 0..self.thread.events.len() {
            let event = &self.thread.events[n];
            if event.class != MANAGED_MEMORY || event.anywhere {
                continue;
            }
            let obj = event.handle.obj;
            let (made, visible) =
                (State::flag(&state.events, n, &self.thread.terms), self.visible(state, obj));
            found.push((n, self.thread.terms.and2(made, visible)));
        }
        found
    }

    /// Whether there are so many events of the instruction that they are not told apart any more: each costs terms
    /// wherever ways meet.
    pub(super) fn is_crowded(&self, (func, inst, _): Key, registers: bool) -> bool {
        let most = if self.inlining == Inlining::All { MAX_ALIKE_INLINED } else { MAX_ALIKE };
        let alike =
            |e: &&Event| (e.key.0, e.key.1, e.registers, e.anywhere) == (func, inst, registers, false);
        self.thread.events.iter().filter(alike).count() >= most
    }

    /// Notes that handles of the class may be registered several times at once, if this one (or any) may be
    /// registered already. Different lines of different handles are no matter, and neither is what was freed before.
    pub(super) fn registered_again(&mut self, state: &State, class: &str, handle: Option<Addr>) {
        let may_be = self.cx.kinds.several.contains(class) && !seeded(Fault::HandlesRegisteredOnce);
        if !may_be || self.thread.several.contains(class) {
            return;
        }
        // A loop over an array: another element each time (assumption `registered-once`).
        let moves = handle.is_some_and(|at| self.moves_with_loop(at.off));
        let again = (0..self.thread.events.len()).any(|e| {
            let event = &self.thread.events[e];
            let (at, anywhere) = (event.handle, event.anywhere);
            let flag = State::flag(&state.events, e, &self.thread.terms);
            if !event.registers || event.class != class || self.is_never(state.guard, flag) {
                return false;
            }
            match handle {
                Some(_) if anywhere => !moves,
                Some(handle) => self.may_be_one(at, handle),
                None => true,
            }
        });
        if again {
            self.thread.several.insert(class.to_owned());
        }
    }

    pub(super) fn is_never(&mut self, a: TermId, b: TermId) -> bool {
        let both = self.terms().and2(a, b);
        self.thread.terms.as_bool(both) == Some(false)
    }

    /// Whether two addresses may be the same, as far as is seen without the solver.
    fn may_be_one(&mut self, a: Addr, b: Addr) -> bool {
        let ((mine, other), (yours, another)) = (self.objects(a.obj), self.objects(b.obj));
        if !other && !another && !mine.iter().any(|id| yours.contains(id)) {
            return false;
        }
        let same = values::same_addr(self.terms(), a, b);
        self.thread.terms.as_bool(same) != Some(false)
    }

    /// Whether the term is computed from what a loop around changes.
    fn moves_with_loop(&self, t: TermId) -> bool {
        let parts = || self.thread.terms.reachable(&[t], |_| false);
        !self.loops.is_empty() && parts().iter().any(|part| self.moving.contains(part))
    }

    pub(super) fn stop_unregistrations(&mut self, state: &mut State, class: &str, addr: Addr) {
        self.end_events(state, class, addr, (None, None), false);
    }

    /// The same where any handles of the class may be registered.
    pub(super) fn stop_all_unregistrations(&mut self, state: &mut State, class: &str) {
        for e in 0..self.thread.events.len() {
            if !self.thread.events[e].registers && self.thread.events[e].class == class {
                let fals = self.thread.terms.fals();
                State::set_flag(&mut state.events, e, fals, &self.thread.terms);
            }
        }
    }

    /// How far behind the address lies, in its object, what has this value now: as far as nobody else knows the object,
    /// or as it was read there.
    fn behind(&self, state: &State, from: Addr, value: TermId) -> Vec<i128> {
        let is_read = |l: &SharedLoad| match l.vars {
            LoadVars::Int(v, _) => self.thread.terms.var_term(v) == value,
            LoadVars::Ptr(..) => false,
        };
        let read = self.thread.loads.iter().filter(|l| !l.private && is_read(l));
        let read = read.filter_map(|l| self.thread.distance(l.addr, from));
        // Who has the value from there has found that the object was made.
        let own = match self.thread.leaves(from.obj)[..] {
            [obj] => self.local_id(obj),
            _ => None,
        };
        let id = own.filter(|&id| self.is_private(state, id));
        let content = id.and_then(|id| state.memory.object(id)).zip(self.constant(from.off));
        let cells = content.into_iter().flat_map(|(content, at)| {
            let is = |v: &Val| matches!(v, Val::Int(t, _) if *t == value);
            content
                .cells()
                .filter(move |(_, v)| is(v))
                .map(move |((o, _), _)| i128::from(*o) - i128::from(at))
        });
        read.chain(cells).collect()
    }

    /// The handle that was registered through what the operand is, if that was read somewhere.
    fn named(&mut self, act: &Activation, through: Operand, class: &str) -> Option<Pointer> {
        let object = self.identity(act, Some(through)).0?;
        let Term::Var(v) = self.thread.terms.get(object) else { return None };
        let load = self.thread.loads.iter().find(|l| matches!(l.vars, LoadVars::Ptr(obj, _) if obj == v))?;
        let (place, region, shape) = (load.addr, load.region, load.shape);
        let p = values::fresh_pointer(self.terms(), "named");
        let (Term::Var(obj), Term::Var(off)) =
            (self.thread.terms.get(p.addr.obj), self.thread.terms.get(p.addr.off))
        else {
            return None;
        };
        let class = class.to_owned();
        self.thread.named.push(Named { class, handle: (obj, off), place, region, shape });
        Some(p)
    }

    /// A number, or the object of a pointer and where in it that leads to, if this is known.
    fn identity(&mut self, act: &Activation, through: Option<Operand>) -> (Option<TermId>, Option<u64>) {
        let Some(through) = through else { return (None, None) };
        match self.operand(act, through) {
            Val::Ptr(p) => (Some(p.addr.obj), self.constant(p.addr.off)),
            Val::Int(number, _) => (Some(number), Some(0)),
            Val::Bool(_) | Val::Opaque => (Some(self.terms().fresh("through", Sort::Int, None)), None),
        }
    }

    pub(super) fn end_events(
        &mut self,
        state: &mut State,
        class: &str,
        addr: Addr,
        through: (Option<TermId>, Option<u64>),
        registers: bool,
    ) {
        for e in 0..self.thread.events.len() {
            let event = &self.thread.events[e];
            // Of two parts of one object, an array of attributes, what is done through one says nothing of the other.
            let number = |t: Option<TermId>| t.and_then(|t| self.thread.terms.as_int(t));
            let places =
                [(event.through, event.through_at), through].map(|(t, at)| number(t).map(|t| (t, at)));
            let is_part = match places {
                [Some((part, Some(at))), Some((whole, Some(from)))] => {
                    self.cx.parts.have(class, (whole, from), (part, at))
                }
                _ => false,
            };
            if let [Some(one), Some(other)] = places
                && !is_part
                && (one != other || one.1.is_none())
                && !seeded(Fault::EndsWholeArray)
            {
                continue;
            }
            // Of these it is asked whether they are left behind: they stay unless the very same is ended.
            let is_known = event.through.is_none() || event.through_at.is_some();
            if event.stays && !is_part && (!is_known || (event.through, event.through_at) != through) {
                continue;
            }
            // One handle of any is not the last one.
            if event.registers != registers || event.class != class || event.anywhere {
                continue;
            }
            let flag = State::flag(&state.events, e, &self.thread.terms);
            if self.thread.terms.as_bool(flag) == Some(false) {
                continue;
            }
            let at = event.handle;
            let [one, other] = [at.obj, addr.obj].map(|obj| self.local_of.get(&obj));
            if one.is_some() && other.is_some() && one != other {
                continue;
            }
            let same = values::same_addr(self.terms(), at, addr);
            let other = self.terms().not(same);
            let after = self.terms().and2(flag, other);
            State::set_flag(&mut state.events, e, after, &self.thread.terms);
        }
    }

    /// Notes that the object ends when the driver of the device is unbound, if it is one that the thread has made.
    pub(super) fn ends_later(
        &mut self,
        act: &Activation,
        i: InstId,
        state: &mut State,
        object: Operand,
        device: Operand,
    ) {
        let p = self.followed(act, object);
        let p = self.typed_by_declaration(act, object, p);
        let p = self.typed_by_uses(act, object, p);
        let (own, _) = self.objects(p.addr.obj);
        let [id] = own[..] else {
            let function = &self.cx.module.funcs[act.id];
            let subject = format!(
                "{}: what ends with the driver here is not seen to be made here: it does not end",
                function.name
            );
            return self.thread.ledger.record(AssumptionKind::ManagedMemory, subject, function.insts[i].loc);
        };
        let (obj, off) = (self.local_term(id), self.terms().int(0));
        let until = Some(self.device_of(act, device));
        let (shape, _) = self.shape(&p, Extent::Object, None);
        let event = Event::registration(MANAGED_MEMORY, Addr { obj, off }, shape, (act.id, i, 0));
        if self.is_crowded((act.id, i, 0), true) {
            return self.registered_by(state, MANAGED_MEMORY, (act.id, i, 2));
        }
        let tru = self.terms().tru();
        self.event(state, Event { until, ..event }, tru);
    }

    /// The device that the operand is, or with which the object ends that it is.
    fn device_of(&mut self, act: &Activation, operand: Operand) -> Addr {
        let at = self.followed(act, operand).addr;
        let (own, _) = self.objects(at.obj);
        let is_object = |e: &Event| {
            let id = self.local_id(e.handle.obj);
            e.class == MANAGED_MEMORY && id.is_some_and(|id| own == [id])
        };
        self.thread.events.iter().find(|e| is_object(e)).and_then(|e| e.until).unwrap_or(at)
    }

    /// Unknown code gets these: it may register them, and what they lead to in objects of the thread's own, with the kernel.
    pub(super) fn hand_out(
        &mut self,
        act: &Activation,
        i: InstId,
        state: &mut State,
        callee: Option<&Function>,
        args: &[Operand],
    ) {
        if seeded(Fault::UnknownCodeRegistersNothing) {
            return;
        }
        // What is registered is changed, and no number or text.
        let may_register = |n: usize| {
            let param = callee.and_then(|f| f.params.get(n));
            let pointee = param.and_then(|param| self.cx.module.pointee(param.decl?));
            let is_data = pointee.is_some_and(|ty| fields::is_data(self.cx.module, ty));
            !is_data && !param.is_some_and(|param| param.constant)
        };
        let args: Vec<Operand> =
            args.iter().enumerate().filter(|(n, _)| may_register(*n)).map(|(_, &arg)| arg).collect();
        let given = args.into_iter().filter_map(|arg| self.operand(act, arg).pointer()).collect::<Vec<_>>();
        let mut found: Vec<TermId> = Vec::new();
        for p in given {
            let (own, other) = self.objects(p.addr.obj);
            if other && self.procedure.is_some() || self.global_number(p.addr.obj).is_some() {
                found.push(p.addr.obj);
            }
            let own = self.own_reached(state, own).into_iter().filter(|&id| !self.locals[id].stack);
            found.extend(own.map(|id| self.local_term(id)).collect::<Vec<_>>());
        }
        let tru = self.terms().tru();
        for obj in found {
            if self.is_crowded((act.id, i, 0), true) {
                self.registered_by(state, HANDED_OUT, (act.id, i, 2));
                return;
            }
            let off = self.terms().int(0);
            let event = Event::registration(HANDED_OUT, Addr { obj, off }, Shape::Wild, (act.id, i, 0));
            self.event(state, event, tru);
        }
    }

    /// These objects of the thread's own, and those that pointers in them lead to.
    pub(super) fn own_reached(&self, state: &State, from: Vec<LocalId>) -> BTreeSet<LocalId> {
        let mut reached = BTreeSet::new();
        let mut work = from;
        while let Some(id) = work.pop() {
            if reached.insert(id) {
                let pointers = state.memory.object(id).into_iter().flat_map(|content| content.pointers());
                work.extend(pointers.flat_map(|p| self.objects(p.addr.obj).0));
            }
        }
        reached
    }

    /// Notes an event, which happens only if `ok`.
    fn event(&mut self, state: &mut State, event: Event, ok: TermId) {
        let repeated = !self.loops.is_empty();
        self.thread.events.push(Event { repeated, ..event });
        let last = self.thread.events.len() - 1;
        State::set_flag(&mut state.events, last, ok, &self.thread.terms);
    }

    /// From here on any handles of the class may be registered by an instruction that was not followed.
    pub(super) fn registered_by(&mut self, state: &mut State, class: &str, key: Key) {
        self.stop_all_unregistrations(state, class);
        if self.cx.kinds.several.contains(class) {
            self.thread.several.insert(class.to_owned());
        }
        let at = self.anywhere(class, key);
        let tru = self.thread.terms.tru();
        State::set_flag(&mut state.events, at, tru, &self.thread.terms);
    }

    /// The event that stands for all registrations by an instruction.
    pub(super) fn anywhere(&mut self, class: &str, key: Key) -> usize {
        let known = self.thread.events.iter().position(|e| e.anywhere && e.key == key);
        known.unwrap_or_else(|| {
            let handle = values::fresh_pointer(self.terms(), "handle").addr;
            self.thread.events.push(Event::anywhere(class, handle, key));
            self.thread.events.len() - 1
        })
    }

    #[allow(clippy::too_many_arguments)]
    pub(super) fn unregister(
        &mut self,
        act: &Activation,
        i: InstId,
        state: &mut State,
        class: &str,
        handle: Operand,
        sync: bool,
        through: Option<Operand>,
    ) {
        let by_through = self.cx.kinds.by_through.contains(class);
        let Some(p) =
            (if by_through { self.named(act, handle, class) } else { Some(self.followed(act, handle)) })
        else {
            return;
        };
        if self.cx.kinds.completes.contains_key(class) && sync {
            self.take_completed((act, i), state, (handle, &p));
        }
        let through = if by_through { Some(handle) } else { through };
        let (through, through_at) = self.identity(act, through);
        if !sync && !seeded(Fault::UnregisterWaits) {
            // Running callbacks are not waited for: nothing is gained.
            return;
        }
        if self.thread.several.contains(class) {
            // The handle may be registered once more.
            return;
        }
        // What is not noted ends nothing: who asks what was ended looks for that.
        let is_noted = !self.is_crowded((act.id, i, 0), false);
        // Who made a thread that is over has still made what that one went on to make.
        let before = Arc::clone(&state.events);
        if is_noted && !self.cx.kinds.fresh.contains(class) {
            self.end_events(state, class, p.addr, (through, through_at), true);
        }
        if is_noted {
            let tru = self.thread.terms.tru();
            let event = Event::registration(class, p.addr, self.lock_shape(&p).0, (act.id, i, 0));
            self.event(state, Event { registers: false, through, through_at, before, ..event }, tru);
        }
    }
}
