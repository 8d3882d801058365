//! The program under execution: module, scenario and bounds, with what follows from them once.

use std::collections::{BTreeMap, BTreeSet};

use super::code::{Code, CodeTable};
use super::cpus::Cpus;
use super::locks::{LockKey, Locks};
use super::memory::{Memory, Object, Origin, Range, address_of, copies_of};
use super::scenario::{
    ArgSpec, Bounds, Callback, Ends, EnvObject, HEADROOM, Invocation, Level, Mask, Of, Scenario, Then,
};
use super::state::{Frame, Phase, State, Thread};
use super::states::{Registered, Registration, States, runs_for};
use super::value::{Val, truncate};
use super::{RaceAccess, Site, StuckReason};
use crate::entity::EntityRef;
use crate::inst::{Inst, LockMode, Mark, Op, Operand, Ordering, Terminator, ValueId};
use crate::module::{FuncId, Function, Global, GlobalId, LocId, Module};
use crate::types::Ty;

/// The room that a global gets whose size nobody in the module knows.
const UNKNOWN_GLOBAL: u64 = 4096;

/// An access that a thread is about to make.
#[derive(Copy, Clone, Debug)]
pub(super) struct Pending {
    pub(super) range: Range,
    pub(super) write: bool,
    pub(super) mark: Mark,
}

/// What a thread could do next.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Readiness {
    /// A step that no other thread can notice.
    Local,
    /// A step that others can notice.
    Visible,
    /// Nothing for now: it waits for a lock or for callbacks to end.
    Waiting,
    /// Nothing for now: a handle is not registered.
    Unregistered,
    /// Nothing any more.
    Over,
}

/// A thread's conditions, as addresses.
struct Conditions {
    locks: Vec<(LockKey, LockMode)>,
    handles: Vec<LockKey>,
}

/// The program. Nothing here changes while it runs.
pub(super) struct Engine<'a> {
    pub(super) module: &'a Module,
    pub(super) scenario: &'a Scenario,
    pub(super) bounds: &'a Bounds,
    classes: BTreeMap<&'a str, u32>,
    conditions: Vec<Conditions>,
    program: &'a Program<'a>,
}

/// A module with what is found out once of it, for many scenarios.
pub struct Program<'a> {
    pub(super) module: &'a Module,
    code: CodeTable,
    classes: BTreeSet<&'a str>,
}

impl<'a> Program<'a> {
    /// Looks at the module.
    pub fn new(module: &'a Module) -> Program<'a> {
        let insts = module.funcs.values().flat_map(|f| f.insts.values());
        let classes = insts.filter_map(|inst| match &inst.op {
            Op::Acquire { class, .. }
            | Op::Release { class, .. }
            | Op::Register { class, .. }
            | Op::Unregister { class, .. } => Some(class.as_str()),
            _ => None,
        });
        Program { module, code: CodeTable::new(module.funcs.len()), classes: classes.collect() }
    }

    /// The module.
    pub fn module(&self) -> &'a Module {
        self.module
    }
}

/// Whether what a variable holds at first is not known, if threads begin in any state.
fn is_any(scenario: &Scenario, id: GlobalId, global: &Global) -> bool {
    scenario.lazy.as_ref().is_some_and(|lazy| !global.defined || lazy.globals.contains(&id))
}

impl<'a> Engine<'a> {
    pub(super) fn new(program: &'a Program<'a>, scenario: &'a Scenario, bounds: &'a Bounds) -> Engine<'a> {
        let classes = number_classes(program, scenario);
        let module = program.module;
        let mut engine = Engine { module, scenario, bounds, classes, conditions: Vec::new(), program };
        for spec in &scenario.threads {
            let lock = |(class, mode, addr): &(String, LockMode, ArgSpec)| (engine.key(class, addr), *mode);
            let locks = spec.locks.iter().map(lock).collect();
            let handles = spec.requires_registered.iter().map(|(c, a)| engine.key(c, a)).collect();
            engine.conditions.push(Conditions { locks, handles });
        }
        engine
    }

    /// The index of the pseudo-thread that runs the setup.
    pub(super) fn setup_thread(&self) -> usize {
        self.scenario.threads.len()
    }

    /// The state before the first step.
    pub(super) fn initial_state(&self) -> State {
        let globals = self.module.globals.iter().map(|(id, g)| self.global_object(id, g));
        let funcs = self.module.funcs.keys().map(|id| Object::new(0, Origin::Func(id)));
        let env = self.scenario.objects.iter().enumerate().map(|(i, o)| self.env_object(i, o));
        let mut threads: Vec<Thread> = (0..=self.setup_thread()).map(|_| Thread::idle()).collect();
        if self.scenario.setup.is_empty() {
            threads[self.setup_thread()].phase = Phase::Finished;
        }
        State {
            memory: Memory::new(globals.chain(funcs).chain(env).collect()),
            threads,
            locks: Locks::default(),
            cpus: Cpus::default(),
            states: States::default(),
            registered: self.registered_at_first(),
        }
    }

    fn registered_at_first(&self) -> Registered {
        let mut registered = Registered::default();
        for (class, address) in self.scenario.lazy.iter().flat_map(|lazy| &lazy.registered) {
            let handle = self.key(class, address);
            registered.add(Registration { handle, through: None, spawn: None });
        }
        registered
    }

    fn global_object(&self, id: GlobalId, global: &Global) -> Object {
        let size = if global.defined || global.size > 0 { global.size } else { UNKNOWN_GLOBAL };
        let mut object = Object::new(usize::try_from(size).unwrap_or(0), Origin::Global(id));
        for cell in &global.init {
            if self.is_exact() && !self.is_known(cell.value) {
                object.forget_at(cell.offset, cell.size);
                continue;
            }
            let mut bytes = self.constant(cell.value).number().to_le_bytes().to_vec();
            bytes.truncate(usize::try_from(cell.size).unwrap_or(bytes.len()));
            object.put(cell.offset, &bytes);
        }
        object.constant = global.constant;
        if is_any(self.scenario, id, global) {
            object.forget(0, object.bytes.len());
        }
        object
    }

    fn env_object(&self, index: usize, spec: &EnvObject) -> Object {
        let mut object = Object::new(usize::try_from(spec.size).unwrap_or(0), Origin::Env(index));
        if self.is_lazy() {
            object.forget(0, object.bytes.len());
        }
        for (offset, cell) in &spec.cells {
            let ty = match cell {
                ArgSpec::Int { bits, .. } => Ty::Int(*bits),
                _ => Ty::Ptr,
            };
            object.put(*offset, &self.argument(cell).to_bytes(ty));
        }
        object
    }

    fn global_number(&self, id: GlobalId) -> u32 {
        id.index() as u32 + 1
    }

    fn func_number(&self, id: FuncId) -> u32 {
        (self.module.globals.len() + id.index()) as u32 + 1
    }

    /// The number of an object of the environment.
    pub(super) fn env_number(&self, index: usize) -> u32 {
        (self.module.globals.len() + self.module.funcs.len() + index) as u32 + 1
    }

    /// The function at an address.
    pub(super) fn func_at(&self, address: u64) -> Option<FuncId> {
        let first = address_of(self.func_number(FuncId::new(0)));
        let index = address.checked_sub(first)? >> 32;
        let inside = index < self.module.funcs.len() as u64 && address as u32 == 0;
        inside.then(|| FuncId::new(index as usize))
    }

    /// A value of the environment.
    pub(super) fn argument(&self, spec: &ArgSpec) -> Val {
        let address = match spec {
            ArgSpec::Int { bits, value } => return Val::Int(truncate(*value, *bits)),
            ArgSpec::Any { .. } | ArgSpec::Null => 0,
            ArgSpec::Object { id, offset } => address_of(self.env_number(*id)).wrapping_add(*offset),
            ArgSpec::Global(id, offset) => address_of(self.global_number(*id)).wrapping_add(*offset),
            ArgSpec::Func(id) => address_of(self.func_number(*id)),
        };
        Val::Int(u128::from(address))
    }

    /// A constant operand; values and undefined ones are zero.
    fn constant(&self, operand: Operand) -> Val {
        let address = match operand {
            Operand::Int { bits, value } => return Val::Int(truncate(value, bits)),
            Operand::Undef(Ty::Opaque(_)) => return Val::Bytes(Vec::new()),
            Operand::Value(_) | Operand::Null | Operand::Undef(_) => 0,
            Operand::Global(id, offset) => address_of(self.global_number(id)).wrapping_add_signed(offset),
            Operand::Func(id) => address_of(self.func_number(id)),
        };
        Val::Int(u128::from(address))
    }

    /// The value of an operand in a frame.
    pub(super) fn eval(&self, frame: &Frame, operand: Operand) -> Result<Val, StuckReason> {
        match operand {
            Operand::Value(value) => match frame.values.get(&value) {
                Some(value) => Ok(value.clone()),
                // What a phi gives that got nothing.
                None if self.is_exact() => Err(StuckReason::Unknown),
                None => Err(StuckReason::Malformed),
            },
            _ if self.is_exact() && !self.is_known(operand) => Err(StuckReason::Unknown),
            _ => Ok(self.constant(operand)),
        }
    }

    /// Whether a constant has one value, which is known: what another file defines may be anything, or nothing if it is
    /// weak, and each thread has its own thread-local variables.
    fn is_known(&self, operand: Operand) -> bool {
        match operand {
            Operand::Undef(_) => false,
            Operand::Global(id, _) => {
                self.module.globals[id].defined && !self.module.globals[id].thread_local
            }
            Operand::Func(id) => self.module.funcs[id].is_defined(),
            Operand::Value(_) | Operand::Int { .. } | Operand::Null => true,
        }
    }

    /// The operand as an address or a length.
    pub(super) fn eval_u64(&self, frame: &Frame, operand: Operand) -> Result<u64, StuckReason> {
        self.eval(frame, operand).map(|v| u64::try_from(v.number()).unwrap_or(u64::MAX))
    }

    /// The function of a frame.
    pub(super) fn func(&self, frame: &Frame) -> &'a Function {
        &self.module.funcs[frame.func]
    }

    /// The facts of a frame's function.
    pub(super) fn code(&self, frame: &Frame) -> &Code {
        self.program.code.get(frame.func, self.func(frame))
    }

    /// The instruction that a frame is at; none at the terminator.
    pub(super) fn inst(&self, frame: &Frame) -> Option<(Site, &'a Inst)> {
        let func = self.func(frame);
        let id = *func.blocks.get(frame.block)?.insts.get(frame.index)?;
        let inst = func.insts.get(id)?;
        Some((Site { func: frame.func, inst: id, loc: inst.loc }, inst))
    }

    /// An operand that need not be there.
    pub(super) fn eval_optional(
        &self,
        frame: &Frame,
        operand: Option<Operand>,
    ) -> Result<Option<u64>, StuckReason> {
        operand.map(|operand| self.eval_u64(frame, operand)).transpose()
    }

    /// The lock or handle of a class at an address.
    pub(super) fn key_at(&self, class: &str, address: u64) -> LockKey {
        (self.classes.get(class).copied().unwrap_or(u32::MAX), address)
    }

    /// The call number `n` that the scenario asks of a thread.
    pub(super) fn nth_call(&self, t: usize, n: usize) -> Option<&'a Invocation> {
        match self.scenario.threads.get(t) {
            Some(spec) => (n == 0).then_some(&spec.call),
            None => self.scenario.setup.get(n),
        }
    }

    pub(super) fn key(&self, class: &str, addr: &ArgSpec) -> LockKey {
        self.key_at(class, self.argument(addr).address())
    }

    /// What a class of locks is, if it is none of locks but of masks.
    pub(super) fn mask(&self, class: &str) -> Option<Mask> {
        self.scenario.masks.get(class).copied()
    }

    /// When a state ends, if the class is one of states.
    pub(super) fn state_ends(&self, class: &str) -> Option<&'a Ends> {
        self.scenario.states.get(class)
    }

    /// Whether nothing may rest on what is not known.
    pub(super) fn is_exact(&self) -> bool {
        self.scenario.exact.is_some()
    }

    /// Whether threads begin in any state.
    pub(super) fn is_lazy(&self) -> bool {
        self.scenario.lazy.is_some()
    }

    /// The number that an object shares, at a byte, with all that it is like. What is around them is of each.
    pub(super) fn kind(&self, number: u32, at: u64) -> u32 {
        let index = number.checked_sub(self.env_number(0)).map(|index| index as usize);
        let object = index.and_then(|index| self.scenario.objects.get(index));
        let inside = object.filter(|object| at.checked_sub(HEADROOM).is_some_and(|at| at < object.extent));
        inside.and_then(|object| object.like).map_or(number, |like| self.env_number(like))
    }

    /// What an integer may be of which nothing is known, that the function calls `value`.
    pub(super) fn integers(&self, func: FuncId, value: Option<ValueId>, bits: u16) -> Vec<u128> {
        let body = &self.module.funcs[func];
        value.map_or(vec![0], |value| self.program.code.get(func, body).worth_trying(body, value, bits))
    }

    /// Whether a thread runs, or may start, for another handle of the class, or may register some: what becomes of it is not known when
    /// this one is ended.
    pub(super) fn is_of_another(&self, state: &State, handle: LockKey, t: usize) -> bool {
        self.conditions.iter().enumerate().any(|(other, conditions)| {
            let spec = &self.scenario.threads[other];
            let concerns = |class: &String| self.key_at(class, 0).0 == handle.0;
            let is_of_it = conditions.handles.contains(&handle);
            let is_of_class = conditions.handles.iter().any(|of| of.0 == handle.0)
                || spec.awaits.iter().chain(&spec.registers).any(concerns);
            other != t && state.threads[other].phase != Phase::Finished && is_of_class && !is_of_it
        })
    }

    /// Whether an arbitrary value may be any.
    pub(super) fn is_arbitrary(&self, site: Site) -> bool {
        self.scenario.exact.as_ref().is_none_or(|exact| exact.arbitrary.contains(&(site.func, site.inst)))
    }

    /// Whether locks of the class are given back however they are held.
    pub(super) fn is_either(&self, class: &str) -> bool {
        self.scenario.exact.as_ref().is_some_and(|exact| exact.either.contains(class))
    }

    /// What a conditional acquisition gives where the lock is held: by default -1, the sign of an error number.
    pub(super) fn busy(&self) -> u128 {
        self.scenario.exact.as_ref().map_or(u128::MAX, |exact| exact.busy)
    }

    fn callbacks(&self) -> impl Iterator<Item = &'a Callback> {
        self.scenario.threads.iter().filter_map(|spec| spec.callback.as_ref())
    }

    /// Whether some thread runs for handles of the class.
    pub(super) fn runs(&self, class: &str) -> bool {
        self.callbacks().any(|callback| callback.class == class)
    }

    /// Whether each registration of the class starts a thread.
    pub(super) fn spawns(&self, class: &str) -> bool {
        self.callbacks().any(|callback| callback.spawned && callback.class == class)
    }

    /// Where the thread may come in.
    pub(super) fn level(&self, t: usize) -> Level {
        self.scenario.threads.get(t).map_or(Level::Process, |spec| spec.level)
    }

    /// The masks that the thread has from its start on.
    pub(super) fn masks_on_entry(&self, t: usize) -> &'a [String] {
        self.scenario.threads.get(t).map_or(&[], |spec| &spec.masks)
    }

    /// Whether the end of the thread changes what others may do.
    fn end_is_visible(&self, t: usize) -> bool {
        let is_awaited = self.scenario.threads.iter().any(|spec| spec.after.contains(&t));
        let spec = self.scenario.threads.get(t);
        let says_so = spec.is_some_and(|spec| spec.callback.is_some() || spec.call.then.is_some())
            || !self.masks_on_entry(t).is_empty();
        is_awaited
            || says_so
            || self.conditions.get(t).is_some_and(|c| !c.locks.is_empty() || !c.handles.is_empty())
    }

    /// What a thread runs as, if that is a callback.
    pub(super) fn callback(&self, t: usize) -> Option<&'a Callback> {
        self.scenario.threads.get(t)?.callback.as_ref()
    }

    /// The locks that the environment holds for a thread.
    pub(super) fn implicit_locks(&self, t: usize) -> &[(LockKey, LockMode)] {
        self.conditions.get(t).map_or(&[], |c| &c.locks)
    }

    /// The locks that a callback has because of the handle that it runs for.
    pub(super) fn locks_of(&self, callback: &Callback, runs: Registration) -> Vec<(LockKey, LockMode)> {
        let lock =
            |(class, mode, of): &(String, LockMode, Of)| (self.key_at(class, runs.address(*of)), *mode);
        callback.locks.iter().map(lock).collect()
    }

    /// What the thread could do next.
    pub(super) fn readiness(&self, state: &State, t: usize) -> Readiness {
        if t == self.setup_thread() {
            return self.setup_readiness(state, t);
        }
        if state.threads[self.setup_thread()].phase != Phase::Finished {
            return Readiness::Over;
        }
        match state.threads[t].phase {
            Phase::Idle => self.start_readiness(state, t),
            Phase::Running => self.running_readiness(state, t),
            Phase::Finished | Phase::Stopped => Readiness::Over,
        }
    }

    /// Nobody else runs during the setup.
    fn setup_readiness(&self, state: &State, t: usize) -> Readiness {
        match state.threads[t].phase {
            Phase::Idle => Readiness::Local,
            Phase::Running => match self.running_readiness(state, t) {
                Readiness::Visible => Readiness::Local,
                other => other,
            },
            Phase::Finished | Phase::Stopped => Readiness::Over,
        }
    }

    fn start_readiness(&self, state: &State, t: usize) -> Readiness {
        let conditions = &self.conditions[t];
        let free = self.callback(t).map(|c| self.free_handles(state, t, c));
        let after = &self.scenario.threads[t].after;
        let waits = after.iter().any(|&t| state.threads[t].phase != Phase::Finished);
        let is_registered = |class: &String| {
            let class = self.key_at(class, 0).0;
            state.registered.of_class(class).next().is_some()
        };
        if waits || !self.scenario.threads[t].awaits.iter().all(is_registered) {
            Readiness::Waiting
        } else if !conditions.handles.iter().all(|h| state.registered.has(*h))
            || free.is_some_and(|f| f.is_empty())
            || self.is_behind_another(state, t)
        {
            Readiness::Unregistered
        } else if !takeable(&state.locks, &conditions.locks, t)
            || !self.masks_on_entry(t).is_empty() && state.cpus.open_to(self.level(t)).is_empty()
        {
            Readiness::Waiting
        } else if self.end_is_visible(t) {
            Readiness::Visible
        } else {
            Readiness::Local
        }
    }

    /// Whether a thread before it that has the same function has not started: it does not matter which of them runs.
    fn is_behind_another(&self, state: &State, t: usize) -> bool {
        let is_same = |other: usize| {
            self.scenario.threads[other].call.func == self.scenario.threads[t].call.func
                && state.threads[other].phase == Phase::Idle
        };
        self.callback(t).is_some_and(|callback| callback.spawned) && (0..t).any(is_same)
    }

    /// The registrations for which the thread may start as a callback.
    pub(super) fn free_handles(&self, state: &State, t: usize, callback: &Callback) -> Vec<Registration> {
        let class = self.key_at(&callback.class, 0).0;
        let only = callback.handle.as_ref().map(|handle| self.key(&callback.class, handle));
        let through = callback.through.as_ref().map(|all| all.iter().map(|one| self.argument(one).address()));
        let through: Option<BTreeSet<u64>> = through.map(Iterator::collect);
        let taken = |r: Registration| state.threads.iter().any(|t| is_begun(t.phase) && t.handle == Some(r));
        let is_kept_off = |r: Registration| {
            let off = |(class, of): &(String, Of)| state.states.lasts(self.key_at(class, r.address(*of)));
            callback.not_while.as_ref().is_some_and(off)
        };
        let function = address_of(self.func_number(self.scenario.threads[t].call.func));
        let may_start = |r: &Registration| {
            r.spawn.is_none_or(|spawn| spawn.function == function)
                && only.is_none_or(|handle| r.handle == handle)
                && through.as_ref().is_none_or(|all| r.through.is_some_and(|one| all.contains(&one)))
                && !(callback.alone && taken(*r))
                && !is_kept_off(*r)
                && self.locks_of(callback, *r).iter().all(|(key, mode)| state.locks.is_free_for(*key, *mode))
        };
        state.registered.of_class(class).filter(may_start).collect()
    }

    fn running_readiness(&self, state: &State, t: usize) -> Readiness {
        let thread = &state.threads[t];
        let Some(frame) = thread.frames.last() else { return Readiness::Local };
        if state.cpus.is_interrupted(t) {
            return Readiness::Waiting;
        }
        let Some((_, inst)) = self.inst(frame) else {
            return self.terminator_readiness(state, t, frame);
        };
        // Who stays on his CPU knows which it is; else he has to be on one that nobody keeps him off.
        let on_some_cpu = |t: usize| match state.cpus.open_to(self.level(t)).is_empty() {
            true => Readiness::Waiting,
            false => Readiness::Visible,
        };
        match &inst.op {
            Op::Cpu if state.cpus.of(t).is_some() => Readiness::Local,
            Op::Cpu => on_some_cpu(t),
            Op::Acquire { class, .. } if self.mask(class).is_some() => match state.cpus.of(t) {
                Some(_) => Readiness::Visible,
                None => on_some_cpu(t),
            },
            Op::Acquire { lock, class, mode, success: None } if self.state_ends(class).is_none() => {
                let address = self.eval_u64(frame, *lock).unwrap_or(0);
                let free = state.locks.is_free_for(self.key_at(class, address), *mode);
                if free { Readiness::Visible } else { Readiness::Waiting }
            }
            Op::Acquire { .. } | Op::Release { .. } | Op::Register { .. } => Readiness::Visible,
            Op::Unregister { class, handle, sync, through } => {
                let key = self.key_at(class, self.eval_u64(frame, *handle).unwrap_or(0));
                let through = self.eval_optional(frame, *through).unwrap_or(None);
                let waits = *sync
                    && (state.registered.is_to_start(key)
                        || self.has_running_callback(state, key, through, t));
                if waits { Readiness::Waiting } else { Readiness::Visible }
            }
            _ => {
                let pending = self.pending(state, t);
                let local = pending.iter().all(|p| state.memory.is_local(p.range));
                if local || self.goes_unnoticed(inst, &pending) {
                    Readiness::Local
                } else {
                    Readiness::Visible
                }
            }
        }
    }

    /// Whether others need not come in before an access.
    fn goes_unnoticed(&self, inst: &Inst, pending: &[Pending]) -> bool {
        let is_plain = pending.iter().all(|access| access.mark == Mark::Plain);
        let is_elsewhere = |places: &BTreeSet<LocId>| inst.loc.is_none_or(|loc| !places.contains(&loc));
        is_plain
            && !matches!(inst.op, Op::Free { .. })
            && self.bounds.switches.as_ref().is_some_and(is_elsewhere)
    }

    /// A return is noticed if it ends stack objects that others can reach, or the thread's conditions.
    fn terminator_readiness(&self, state: &State, t: usize, frame: &Frame) -> Readiness {
        let returns = matches!(self.func(frame).blocks[frame.block].term, Terminator::Ret(_));
        let reachable = |n: &u32| state.memory.get(*n).is_some_and(|o| o.owner.is_none());
        let last = state.threads[t].frames.len() == 1;
        let end_is_visible = self.end_is_visible(t) || state.cpus.of(t).is_some();
        if returns && (frame.stack.iter().any(reachable) || last && end_is_visible) {
            Readiness::Visible
        } else {
            Readiness::Local
        }
    }

    /// Whether another thread than `t` runs as a callback of the handle, registered through this if that is said.
    fn has_running_callback(&self, state: &State, handle: LockKey, through: Option<u64>, t: usize) -> bool {
        self.conditions.iter().enumerate().any(|(other, c)| {
            let thread = &state.threads[other];
            let concerned = c.handles.contains(&handle) || runs_for(thread.handle, handle, through);
            other != t && is_begun(thread.phase) && concerned
        })
    }

    /// The accesses that the thread is about to make; none if it will get stuck instead.
    pub(super) fn pending(&self, state: &State, t: usize) -> Vec<Pending> {
        let thread = &state.threads[t];
        match thread.frames.last() {
            Some(frame) if thread.phase == Phase::Running => {
                self.try_pending(state, frame).unwrap_or_default()
            }
            _ => Vec::new(),
        }
    }

    fn try_pending(&self, state: &State, frame: &Frame) -> Result<Vec<Pending>, StuckReason> {
        let Some((_, inst)) = self.inst(frame) else { return Ok(Vec::new()) };
        let func = self.func(frame);
        let access = |addr: Operand, len: u64, write: bool, mark: Mark| -> Result<_, StuckReason> {
            let address = self.eval_u64(frame, addr)?;
            match len {
                0 => Ok(None),
                _ => Ok(Some(Pending { range: state.memory.range(address, len, write)?, write, mark })),
            }
        };
        let bytes = |operand: Operand| func.operand_ty(operand).bytes();
        let list = match &inst.op {
            Op::Load { addr, mark } => {
                let ty = inst.result.map_or(Ty::Opaque(0), |v| func.values[v].ty);
                vec![access(*addr, ty.bytes(), false, *mark)?]
            }
            Op::Store { addr, value, mark } => vec![access(*addr, bytes(*value), true, *mark)?],
            Op::Rmw { addr, value, order, .. } => vec![access(*addr, bytes(*value), true, atomic(*order))?],
            Op::CmpXchg { addr, expected, new, order } => {
                let mut exchange = access(*addr, bytes(*new), true, atomic(*order))?;
                if let Some(exchange) = exchange.as_mut().filter(|_| self.is_exact()) {
                    // One that fails only reads.
                    let found = Val::from_bytes(&state.memory.read(exchange.range), func.operand_ty(*new));
                    exchange.write = found.number() == self.eval(frame, *expected)?.number();
                }
                vec![exchange]
            }
            Op::MemSet { dst, len, .. } => {
                vec![access(*dst, self.eval_u64(frame, *len)?, true, Mark::Plain)?]
            }
            Op::MemCopy { dst, src, len } => {
                let len = self.eval_u64(frame, *len)?;
                vec![access(*src, len, false, Mark::Plain)?, access(*dst, len, true, Mark::Plain)?]
            }
            Op::Access { addr, len, write, mark } => {
                vec![access(*addr, self.eval_u64(frame, *len)?, *write, *mark)?]
            }
            Op::Free { ptr, until: None } => return self.freed(state, self.eval_u64(frame, *ptr)?),
            _ => Vec::new(),
        };
        Ok(list.into_iter().flatten().collect())
    }

    /// Whether a number is an address of some object.
    pub(super) fn is_address(&self, state: &State, value: u128) -> bool {
        u64::try_from(value).is_ok_and(|value| {
            let (object, _) = state.memory.split(value);
            object != 0 && state.memory.get(object).is_some()
        })
    }

    /// The whole object that a pointer frees, and its copies.
    pub(super) fn freed(&self, state: &State, address: u64) -> Result<Vec<Pending>, StuckReason> {
        if address == 0 {
            return Ok(Vec::new());
        }
        let (number, offset) = state.memory.split(address);
        let object = state.memory.get(number).ok_or(StuckReason::WildPointer)?;
        if !object.alive {
            return Err(StuckReason::UseAfterFree);
        }
        // Who frees what it was called for was given the last reference to it.
        if self.is_lazy() && matches!(object.origin, Origin::Env(_)) {
            return Err(StuckReason::Unknown);
        }
        let begins = match object.origin {
            Origin::Heap(..) => offset == 0,
            Origin::Env(_) | Origin::Found(..) | Origin::Given => offset == 0 || self.is_lazy(),
            Origin::Global(_) | Origin::Func(_) | Origin::Stack(..) => false,
        };
        if !begins {
            return Err(StuckReason::BadFree);
        }
        let len = object.bytes.len();
        let is_copy =
            |copy: &u32| state.memory.copied(*copy).is_some_and(|_| state.memory.get(*copy).is_some());
        let copies = copies_of(number).filter(is_copy);
        let whole = |object| Range { object, start: 0, len };
        let write = |range| Pending { range, write: true, mark: Mark::Plain };
        Ok(std::iter::once(number).chain(copies).map(whole).map(write).collect())
    }

    /// Whether two pending accesses of different threads are a race.
    fn conflict(&self, a: &Pending, b: &Pending) -> bool {
        let marked = |mark: Mark| match mark {
            Mark::Plain => false,
            Mark::Volatile => self.scenario.volatile_is_marked,
            Mark::Atomic(_) => true,
        };
        (a.write || b.write) && !(marked(a.mark) && marked(b.mark)) && a.range.overlaps(b.range)
    }

    /// The races that a state shows.
    pub(super) fn races(&self, state: &State) -> Vec<(RaceAccess, RaceAccess)> {
        let pending: Vec<Vec<Pending>> = (0..self.setup_thread()).map(|t| self.pending(state, t)).collect();
        let mut races = Vec::new();
        for t in 0..pending.len() {
            for u in t + 1..pending.len() {
                let pairs = pending[t].iter().flat_map(|a| pending[u].iter().map(move |b| (a, b)));
                if let Some((a, b)) = pairs.into_iter().find(|(a, b)| self.conflict(a, b)) {
                    races.extend(self.describe(state, t, a).zip(self.describe(state, u, b)));
                }
            }
        }
        races
    }

    /// An access in words that mean something outside.
    pub(super) fn describe(&self, state: &State, t: usize, access: &Pending) -> Option<RaceAccess> {
        let frames = &state.threads[t].frames;
        let (site, _) = self.inst(frames.last()?)?;
        let below = &frames[..frames.len() - 1];
        Some(RaceAccess {
            thread: t,
            site,
            // A caller's position is already behind its call.
            callers: below.iter().filter_map(|f| self.inst_before(f)).collect(),
            object: self.object_name(state, access.range.object),
            place: self.byte_name(state, access.range.object, access.range.start as u64),
            offset: access.range.start as u64,
            len: access.range.len as u64,
            write: access.write,
            mark: access.mark,
        })
    }

    fn inst_before(&self, frame: &Frame) -> Option<Site> {
        let func = self.func(frame);
        let id = *func.blocks.get(frame.block)?.insts.get(frame.index.checked_sub(1)?)?;
        Some(Site { func: frame.func, inst: id, loc: func.insts.get(id)?.loc })
    }
}

/// Whether a thread has begun and not come to its end.
fn is_begun(phase: Phase) -> bool {
    matches!(phase, Phase::Running | Phase::Stopped)
}

fn atomic(order: Ordering) -> Mark {
    Mark::Atomic(order)
}

/// Whether all locks are free, also when they are taken one after the other.
fn takeable(locks: &Locks, wanted: &[(LockKey, LockMode)], t: usize) -> bool {
    match wanted {
        [] => true,
        [(key, mode)] => locks.is_free_for(*key, *mode),
        [(key, mode), rest @ ..] => {
            let mut locks = locks.clone();
            locks.is_free_for(*key, *mode) && {
                locks.take(*key, *mode, t);
                takeable(&locks, rest, t)
            }
        }
    }
}

/// Numbers for all classes of locks and handles.
fn number_classes<'a>(program: &Program<'a>, scenario: &'a Scenario) -> BTreeMap<&'a str, u32> {
    let in_specs = scenario.threads.iter().flat_map(|t| {
        let locks = t.locks.iter().map(|(class, ..)| class.as_str());
        let handles = t.requires_registered.iter().map(|(class, _)| class.as_str());
        let masks = t.masks.iter().map(String::as_str);
        let awaited = t.awaits.iter().chain(&t.registers).map(String::as_str);
        locks.chain(handles).chain(masks).chain(awaited).chain(t.callback.iter().flat_map(classes_of))
    });
    let calls = scenario.threads.iter().map(|t| &t.call).chain(&scenario.setup);
    let in_calls = calls.filter_map(|call| match call.then.as_ref()? {
        Then::Registers(class, _) | Then::Unregisters(class, _) => Some(class.as_str()),
    });
    let in_ops = program.classes.iter().copied();
    let names: BTreeSet<&str> = in_ops.chain(in_specs).chain(in_calls).collect();
    names.into_iter().zip(0..).collect()
}

/// The classes that a callback names.
fn classes_of(callback: &Callback) -> impl Iterator<Item = &str> {
    let locks = callback.locks.iter().map(|(class, ..)| class.as_str());
    let state = callback.not_while.iter().map(|(class, _)| class.as_str());
    std::iter::once(callback.class.as_str()).chain(locks).chain(state)
}
