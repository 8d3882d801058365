//! Which locks a function holds at each of its calls, and what it does to its caller's: bottom-up.
//!
//! What is held is a lower bound, what is given back an upper one. A lock is the path by which it is reached: two
//! equal paths of one function are taken to be one lock, also where pointers were read again (assumption
//! `stable-paths` of all inferred rows).

use super::Symbol;
use super::digest::{BlockDigest, Call, Event, Handle, Lock, Returned, Sign, Test};
use super::path::{Base, Offset, Path};
use super::program::{Func, Program};
use lockpair_ir::{LockMode, SecondaryMap, Success};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A lock that the caller may not have any more. Without a path: any of the class that is this member, if one is named.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Dropped {
    /// Which lock.
    pub path: Option<Path>,
    /// Its class.
    pub class: Symbol,
    /// The member that it is, if that is known.
    pub member: Option<super::path::Member>,
}

impl Dropped {
    /// As the callers of the function know it.
    fn for_callers(&self) -> Dropped {
        Dropped { path: self.path.clone().filter(is_for_callers), ..self.clone() }
    }

    /// Whether it may be this lock.
    pub fn may_be(&self, lock: &Lock) -> bool {
        if self.class != lock.class {
            return false;
        }
        if self.path.is_some() && self.path == lock.path {
            return true;
        }
        match (&self.member, &lock.member) {
            (Some(a), Some(b)) => a == b,
            _ => true,
        }
    }
}

/// When a function has taken a lock for its caller.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum When {
    /// Always.
    Always,
    /// If it returns zero.
    Zero,
    /// If it does not.
    NonZero,
}

/// What a function does to the locks of its caller.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Effect {
    /// Held when it returns, and not when it was called.
    pub takes: BTreeSet<(Lock, When)>,
    /// Perhaps not held any more.
    pub drops: BTreeSet<Dropped>,
    /// Held if they were, for all that.
    pub keeps: BTreeSet<Lock>,
    /// The handles of which no callback runs any more when it returns.
    pub ends: BTreeSet<Handle>,
    /// The classes of which it may register callbacks.
    pub registers: Classes,
    /// The path of the pointer that it returns, over its parameters.
    pub result: Option<Path>,
}

/// Classes of handles.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Classes {
    /// These.
    Only(BTreeSet<Symbol>),
    /// Any: it calls somebody of whom nothing is known.
    Any,
}

impl Default for Classes {
    fn default() -> Classes {
        Classes::Only(BTreeSet::new())
    }
}

impl Classes {
    fn add(&mut self, more: &Classes) {
        match (self, more) {
            (Classes::Only(all), Classes::Only(more)) => all.extend(more.iter().cloned()),
            (all, Classes::Any) => *all = Classes::Any,
            (Classes::Any, Classes::Only(_)) => {}
        }
    }

    fn has(&self, class: &Symbol) -> bool {
        match self {
            Classes::Only(all) => all.contains(class),
            Classes::Any => true,
        }
    }
}

/// What is known of the locks at a point of a function.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct State {
    /// Taken here, and held.
    pub held: BTreeSet<Lock>,
    /// Held if the value says so.
    pending: BTreeMap<u32, BTreeSet<(Lock, When)>>,
    /// What the caller may have lost.
    pub dropped: BTreeSet<Dropped>,
    /// Held if they were when the function was called, whatever was dropped: they were taken again, or never given back.
    pub again: BTreeSet<Lock>,
    /// Handles of which no callback runs any more, for all that happened here.
    pub ended: BTreeSet<Handle>,
    /// The pointers in objects on the stack, by object and offset.
    pub content: BTreeMap<(Base, i64), Path>,
}

impl State {
    /// What is known without looking at values.
    pub fn known(&self) -> State {
        let (held, dropped, again) = (self.held.clone(), self.dropped.clone(), self.again.clone());
        State { held, dropped, again, ..State::default() }
    }

    /// What the callers of the function can know of it.
    pub fn for_callers(&self) -> State {
        let is_theirs = |lock: &&Lock| lock.path.as_ref().is_some_and(is_for_callers);
        State {
            held: self.held.iter().filter(is_theirs).cloned().collect(),
            dropped: self.dropped.iter().map(Dropped::for_callers).collect(),
            again: self.again.iter().filter(is_theirs).cloned().collect(),
            ..State::default()
        }
    }

    /// How a lock is held here that the caller held; none if it may have been given back.
    pub fn if_held(&self, lock: &Lock) -> Option<LockMode> {
        let mut again = self.held.iter().chain(&self.again);
        match again.find(|same| same.path == lock.path && same.class == lock.class) {
            Some(same) => Some(weaker(same.mode, lock.mode)),
            None => (!self.dropped.iter().any(|dropped| dropped.may_be(lock))).then_some(lock.mode),
        }
    }

    /// What is as good as held if it was: only such locks are worth a note of which some were dropped.
    fn still(&self, other: &State) -> BTreeSet<Lock> {
        let all = [&self.held, &self.again, &other.held, &other.again];
        let locks = all.into_iter().flatten().filter_map(|lock| {
            let mode = weaker(self.if_held(lock)?, other.if_held(lock)?);
            Some(Lock { mode, ..lock.clone() })
        });
        locks.collect()
    }

    /// After locks were dropped elsewhere: these were kept, if they were held before.
    fn keep<'l>(&mut self, before: &State, kept: impl Iterator<Item = Lock> + 'l) {
        for lock in kept {
            let held = before.held.iter().find(|held| held.path == lock.path && held.class == lock.class);
            if let Some(held) = held {
                self.held.insert(Lock { mode: weaker(held.mode, lock.mode), ..lock });
            } else if let Some(mode) = before.if_held(&lock) {
                self.again.insert(Lock { mode, ..lock });
            }
        }
    }

    /// What is known at a point of a callee that knows this of it.
    pub fn at_step(&self, step: &State, call: &Call) -> State {
        let mut state = self.clone();
        for dropped in &step.dropped {
            let path = dropped.path.as_ref().and_then(|path| in_caller(path, call)).filter(Path::is_exact);
            state.release(Dropped { path, ..dropped.clone() });
        }
        state.keep(self, step.again.iter().filter_map(|lock| lock.in_caller(call)));
        for lock in &step.held {
            let path = lock.path.as_ref().and_then(|path| in_caller(path, call)).filter(Path::is_exact);
            state.acquire(Lock { path, ..lock.clone() });
        }
        state
    }

    /// Something is written into an object on the stack. What callees write there is not asked: an object that is read
    /// again is taken to be the same.
    fn put(&mut self, to: &Path, value: Option<&Path>) {
        let pointer = 8;
        let stays = |at: i64| match to.offset {
            Offset::At(put) => (at - put).abs() >= pointer,
            Offset::From(_) | Offset::Any => false,
        };
        self.content.retain(|(base, at), _| *base != to.base || stays(*at));
        if let (Offset::At(at), Some(value)) = (to.offset, value) {
            self.content.insert((to.base.clone(), at), value.clone());
        }
    }

    fn meet(&mut self, other: &State) -> bool {
        let again = self.still(other);
        let sizes = |state: &State| {
            let (held, dropped) = (state.held.len(), state.dropped.len());
            (held, state.pending.len(), dropped, state.ended.len(), state.content.len())
        };
        let before = sizes(self);
        let same = self.again == again;
        self.again = again;
        self.held.retain(|lock| other.held.contains(lock));
        self.pending.retain(|value, locks| other.pending.get(value) == Some(locks));
        self.dropped.extend(other.dropped.iter().cloned());
        self.ended.retain(|handle| other.ended.contains(handle));
        self.content.retain(|place, path| other.content.get(place) == Some(path));
        !same || before != sizes(self)
    }

    /// Takes a lock.
    pub fn acquire(&mut self, lock: Lock) {
        if lock.path.is_some() {
            self.dropped.retain(|d| d.path != lock.path || d.class != lock.class);
            self.held.insert(lock);
        }
    }

    /// Gives one back.
    pub fn release(&mut self, released: Dropped) {
        let same = |lock: &Lock| lock.class == released.class && lock.path == released.path;
        let before = self.held.len();
        self.held.retain(|lock| !same(lock));
        self.again.retain(|lock| !same(lock));
        if before == self.held.len() || released.path.is_none() {
            self.held.retain(|lock| !released.may_be(lock));
            self.again.retain(|lock| !released.may_be(lock));
            self.dropped.insert(released);
        }
    }

    fn learn(&mut self, test: Test) {
        let Some(locks) = self.pending.get(&test.value).cloned() else { return };
        for (lock, when) in locks {
            let held = match when {
                When::Always => true,
                When::Zero => matches!(test.sign, Sign::Zero | Sign::NotNegative),
                When::NonZero => test.sign == Sign::NonZero,
            };
            if held {
                self.acquire(lock);
            }
        }
    }

    /// The value gets a new meaning: nothing that was known of paths over it holds.
    fn define(&mut self, value: u32) {
        let over = |path: &Option<Path>| path.as_ref().is_some_and(|p| p.base == Base::Value(value));
        self.held.retain(|lock| !over(&lock.path));
        self.again.retain(|lock| !over(&lock.path));
        self.ended.retain(|handle| handle.path.base != Base::Value(value));
        self.content.retain(|_, path| path.base != Base::Value(value));
        let lost: Vec<Dropped> = self.dropped.iter().filter(|d| over(&d.path)).cloned().collect();
        for dropped in lost {
            self.dropped.remove(&dropped);
            self.dropped.insert(Dropped { path: None, ..dropped });
        }
    }
}

/// What was found of a function.
#[derive(Clone, Default, Debug)]
pub struct Facts {
    /// The state before each call, in the order of blocks and events.
    pub calls: Vec<State>,
    /// The state before each touch, in the same order; none if control does not come there.
    pub touches: Vec<Option<State>>,
    /// For its callers.
    pub effect: Effect,
}

/// All functions, callees first.
pub fn infer(program: &mut Program) -> SecondaryMap<Func, Facts> {
    let mut facts: SecondaryMap<Func, Facts> = SecondaryMap::new();
    // What rows by hand say of handles counts for those who call what they are about.
    let rows: Vec<Vec<Func>> = program.rows().map(|func| vec![func]).collect();
    for component in rows.into_iter().chain(program.components.clone()) {
        for &func in &component {
            follow_results(program, func, &facts);
        }
        // Effects only grow at first and then stay, but what is held may shrink again: a few rounds, and what does
        // not stay by then is forgotten.
        for round in 0..4 {
            let mut changed = false;
            for &func in &component {
                let mut found = of_function(program, func, &facts);
                if round == 3 {
                    found.effect.ends.clear();
                    found.effect.registers = Classes::Any;
                    found.effect.takes.clear();
                }
                changed |= found.effect != facts[func].effect;
                facts[func] = found;
            }
            if !changed || component.len() == 1 && !calls_itself(program, component[0]) {
                break;
            }
        }
    }
    facts
}

/// Replaces the results of calls by the paths that the callees return.
fn follow_results(program: &mut Program, func: Func, facts: &SecondaryMap<Func, Facts>) {
    let mut known: BTreeMap<u32, Path> = BTreeMap::new();
    for call in program.calls(func) {
        let result = program.callee(call).and_then(|callee| facts[callee].effect.result.as_ref());
        let path = result.and_then(|path| in_caller(path, call));
        if let (Some(value), Some(path)) = (call.result, path) {
            known.insert(value, path);
        }
    }
    if known.is_empty() {
        return;
    }
    program.funcs[func].digest.returned_from = known.values().cloned().collect();
    program.funcs[func].digest.rewrite(&|path| {
        let mut path = path.clone();
        // The argument of one call may be the result of another.
        for _ in 0..4 {
            match &path.base {
                Base::Value(value) => match known.get(value).and_then(|base| path.rebased(base)) {
                    Some(better) => path = better,
                    None => break,
                },
                _ => break,
            }
        }
        path
    });
}

fn calls_itself(program: &Program, func: Func) -> bool {
    program.callers[func].contains(&func)
}

fn of_function(program: &Program, func: Func, facts: &SecondaryMap<Func, Facts>) -> Facts {
    let blocks = &program.funcs[func].digest.blocks;
    let walk = Walk { program, facts, blocks };
    let entry = walk.fixpoint();
    let (mut calls, mut touches) = (Vec::new(), Vec::new());
    let mut exits: Vec<(State, Returned)> = Vec::new();
    for (at, block) in blocks.iter().enumerate() {
        let Some(state) = &entry[at] else {
            let unreached = block.events.iter().filter(|e| matches!(e, Event::Call(_)));
            calls.extend(unreached.map(|_| State::default()));
            touches.extend(block.events.iter().filter(|e| matches!(e, Event::Touch(..))).map(|_| None));
            continue;
        };
        let mut state = state.clone();
        for event in &block.events {
            match event {
                Event::Call(_) => calls.push(state.clone()),
                Event::Touch(..) => touches.push(Some(state.clone())),
                _ => {}
            }
            walk.event(&mut state, event);
        }
        match &block.returns {
            Some(Returned::ByEdge(edges)) => exits.extend(walk.exits_by_edge(at, block, edges, &entry)),
            Some(returned) => exits.push((state, returned.clone())),
            None => {}
        }
    }
    let effect = Effect { registers: registers(program, func, facts), ..effect(&exits) };
    Facts { calls, touches, effect }
}

/// The classes of which a function may register callbacks, itself or by whom it calls.
fn registers(program: &Program, func: Func, facts: &SecondaryMap<Func, Facts>) -> Classes {
    let mut all = Classes::default();
    for event in program.funcs[func].digest.blocks.iter().flat_map(|block| &block.events) {
        match event {
            Event::Registers(class) => all.add(&Classes::Only(BTreeSet::from([class.clone()]))),
            Event::Call(call) => match program.row(call).or_else(|| program.callee(call)) {
                Some(callee) => all.add(&facts[callee].effect.registers),
                None => all = Classes::Any,
            },
            _ => {}
        }
    }
    all
}

struct Walk<'p> {
    program: &'p Program,
    facts: &'p SecondaryMap<Func, Facts>,
    blocks: &'p [BlockDigest],
}

impl Walk<'_> {
    /// The states at the heads of the blocks.
    fn fixpoint(&self) -> Vec<Option<State>> {
        let mut entry: Vec<Option<State>> = vec![None; self.blocks.len()];
        if entry.is_empty() {
            return entry;
        }
        entry[0] = Some(State::default());
        let mut work = VecDeque::from([0]);
        while let Some(at) = work.pop_front() {
            let mut state = entry[at].clone().expect("only reached blocks are in the list");
            for event in &self.blocks[at].events {
                self.event(&mut state, event);
            }
            for (to, test) in &self.blocks[at].successors {
                let mut state = state.clone();
                if let Some(test) = test {
                    state.learn(*test);
                }
                let changed = match &mut entry[*to] {
                    Some(old) => old.meet(&state),
                    None => {
                        entry[*to] = Some(state);
                        true
                    }
                };
                if changed && !work.contains(to) {
                    work.push_back(*to);
                }
            }
        }
        entry
    }

    fn event(&self, state: &mut State, event: &Event) {
        match event {
            Event::Acquire(lock, None) => state.acquire(lock.clone()),
            Event::Acquire(lock, Some((success, value))) => {
                let when = match success {
                    Success::Zero | Success::NoError => When::Zero,
                    Success::NonZero => When::NonZero,
                };
                if lock.path.is_some() {
                    state.pending.insert(*value, BTreeSet::from([(lock.clone(), when)]));
                }
            }
            Event::Release(lock) => state.release(Dropped {
                path: lock.path.clone(),
                class: lock.class.clone(),
                member: lock.member.clone(),
            }),
            Event::Call(call) => self.call(state, call),
            Event::Registers(class) => state.ended.retain(|handle| handle.class != *class),
            Event::Ends(handle) => {
                state.ended.insert(handle.clone());
            }
            Event::Touch(..) => {}
            Event::Define(value) => state.define(*value),
            Event::Put(to, value) => state.put(to, value.as_ref()),
        }
    }

    fn call(&self, state: &mut State, call: &Call) {
        let Some(callee) = self.program.callee(call) else {
            state.ended.clear();
            return;
        };
        let effect = &self.facts[callee].effect;
        let said = &self.facts[self.program.row(call).unwrap_or(callee)].effect;
        state.ended.retain(|handle| !said.registers.has(&handle.class));
        state.ended.extend(said.ends.iter().filter_map(|handle| handle.in_caller(call)));
        let before = (!effect.drops.is_empty()).then(|| state.clone());
        for dropped in &effect.drops {
            let path = dropped.path.as_ref().and_then(|path| in_caller(path, call));
            state.release(Dropped { path, ..dropped.clone() });
        }
        if let Some(before) = before {
            state.keep(&before, effect.keeps.iter().filter_map(|lock| lock.in_caller(call)));
        }
        let mut pending = BTreeSet::new();
        for (lock, when) in &effect.takes {
            let Some(path) = lock.path.as_ref().and_then(|path| in_caller(path, call)) else { continue };
            let lock = Lock { path: Some(path), ..lock.clone() };
            match when {
                When::Always => state.acquire(lock),
                When::Zero | When::NonZero => {
                    pending.insert((lock, *when));
                }
            }
        }
        if let Some(value) = call.result.filter(|_| !pending.is_empty()) {
            state.pending.insert(value, pending);
        }
    }

    /// The exits of a block that returns what its predecessors say.
    fn exits_by_edge(
        &self,
        at: usize,
        block: &BlockDigest,
        edges: &[(usize, Returned)],
        entry: &[Option<State>],
    ) -> Vec<(State, Returned)> {
        let mut exits = Vec::new();
        for (from, returned) in edges {
            let Some(mut state) = entry[*from].clone() else { continue };
            for event in &self.blocks[*from].events {
                self.event(&mut state, event);
            }
            for (_, test) in self.blocks[*from].successors.iter().filter(|(to, _)| *to == at) {
                let mut state = state.clone();
                if let Some(test) = test {
                    state.learn(*test);
                }
                for event in &block.events {
                    self.event(&mut state, event);
                }
                exits.push((state, returned.clone()));
            }
        }
        exits
    }
}

/// A path of the callee as the caller knows it.
pub fn in_caller(path: &Path, call: &Call) -> Option<Path> {
    match &path.base {
        Base::Param(i) => path.rebased(call.args.get(*i as usize)?.as_ref()?),
        Base::Global(_) => Some(path.clone()),
        _ => None,
    }
}

impl Handle {
    /// A handle of the callee as the caller knows it.
    fn in_caller(&self, call: &Call) -> Option<Handle> {
        let path = in_caller(&self.path, call).filter(Path::is_exact)?;
        Some(Handle { path, ..self.clone() })
    }
}

impl Lock {
    /// A lock of the callee as the caller knows it.
    fn in_caller(&self, call: &Call) -> Option<Lock> {
        let path = in_caller(self.path.as_ref()?, call).filter(Path::is_exact)?;
        Some(Lock { path: Some(path), ..self.clone() })
    }
}

/// Whether a caller may know what a path of the callee is.
pub fn is_for_callers(path: &Path) -> bool {
    matches!(path.base, Base::Param(_) | Base::Global(_))
}

/// What all ways through the function have in common.
fn effect(exits: &[(State, Returned)]) -> Effect {
    let mut drops = BTreeSet::new();
    for dropped in exits.iter().flat_map(|(state, _)| &state.dropped) {
        drops.insert(dropped.for_callers());
    }
    let always = common(exits.iter().map(|(state, _)| state.held.clone()));
    let on = |zero: bool| {
        common(exits.iter().filter_map(|(state, returned)| match returned {
            Returned::Constant(is_zero) => (*is_zero == zero).then(|| state.held.clone()),
            Returned::Value(value, _) => {
                let mut held = state.held.clone();
                let when = if zero { When::Zero } else { When::NonZero };
                let pending = state.pending.get(value).into_iter().flatten();
                held.extend(pending.filter(|(_, w)| *w == when).map(|(lock, _)| lock.clone()));
                Some(held)
            }
            Returned::Any | Returned::ByEdge(_) => Some(state.held.clone()),
        }))
    };
    let mut takes = BTreeSet::new();
    for lock in on(true).difference(&always) {
        takes.insert((lock.clone(), When::Zero));
    }
    for lock in on(false).difference(&always) {
        takes.insert((lock.clone(), When::NonZero));
    }
    takes.extend(always.into_iter().map(|lock| (lock, When::Always)));
    takes.retain(|(lock, _)| lock.path.as_ref().is_some_and(is_for_callers));
    let (keeps, result) = (keeps(exits), result(exits));
    Effect { takes, drops, keeps, ends: ends(exits), registers: Classes::default(), result }
}

/// The handles that are over at all exits.
fn ends(exits: &[(State, Returned)]) -> BTreeSet<Handle> {
    let all = common(exits.iter().map(|(state, _)| state.ended.clone()));
    all.into_iter().filter(|handle| is_for_callers(&handle.path)).collect()
}

/// What is held at all exits if it was held on entry, though something was dropped.
fn keeps(exits: &[(State, Returned)]) -> BTreeSet<Lock> {
    let mut states = exits.iter().map(|(state, _)| state);
    let Some(first) = states.next() else { return BTreeSet::new() };
    let all = states.fold(first.clone(), |mut all, state| {
        all.meet(state);
        all
    });
    let kept = all.held.into_iter().chain(all.again);
    kept.filter(|lock| lock.path.as_ref().is_some_and(is_for_callers)).collect()
}

fn common<T: Ord>(mut sets: impl Iterator<Item = BTreeSet<T>>) -> BTreeSet<T> {
    let Some(mut all) = sets.next() else { return BTreeSet::new() };
    for set in sets {
        all.retain(|one| set.contains(one));
    }
    all
}

/// The pointer that comes back on all ways that do not return a constant.
fn result(exits: &[(State, Returned)]) -> Option<Path> {
    let mut found: Option<&Path> = None;
    for (_, returned) in exits {
        match returned {
            Returned::Constant(_) => {}
            Returned::Value(_, Some(path)) if is_for_callers(path) && path.is_exact() => match found {
                Some(old) if old != path => return None,
                _ => found = Some(path),
            },
            _ => return None,
        }
    }
    found.cloned()
}

/// Whether two modes agree on nothing more than the weaker.
pub fn weaker(a: LockMode, b: LockMode) -> LockMode {
    a.min(b)
}
