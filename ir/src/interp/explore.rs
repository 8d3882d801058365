//! All executions of a scenario, by depth-first search over its states; or those with few context switches first, if they are
//! counted.
//!
//! # Reduction
//!
//! With [`Bounds::reduce`], a step that no other thread can notice is taken at once, alone: it commutes with
//! everything that others do, and neither makes nor ends an access that could race. So each race of the
//! full search is found. With [`Bounds::switches`], accesses that are known to be free of races are such steps, too: whatever
//! keeps them apart is an operation on a lock.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::rc::Rc;

use super::engine::{Engine, Program, Readiness};
use super::exec::{Halt, Io, Picker, Turn};
use super::scenario::{Bounds, Scenario};
use super::state::{Phase, State};
use super::{RaceAccess, Schedule, ScheduleStep, Site, StuckReason};
use crate::module::Module;

/// Another value than the first one counts as so many context switches.
const DEVIATION: u32 = 2;

/// Two accesses that may happen at the same time, with an execution that leads up to them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RaceFound {
    /// The access of the thread with the smaller index.
    pub first: RaceAccess,
    /// The access of the other thread.
    pub second: RaceAccess,
    /// How to come to the state in which both are about to happen.
    pub schedule: Schedule,
}

/// A thread that an error ended.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StuckThread {
    /// The thread; the number of threads stands for the setup.
    pub thread: usize,
    /// The instruction; none at a terminator.
    pub site: Option<Site>,
    /// The error.
    pub reason: StuckReason,
}

/// What a search found.
#[derive(Clone, Debug, Default)]
pub struct Exploration {
    /// The races, one for each pair of sites, calls and threads, in the order in which they were found.
    pub races: Vec<RaceFound>,
    /// Whether nothing was cut off: within what havoc may give, there are no other races.
    pub complete: bool,
    /// The number of different states.
    pub states: usize,
    /// The number of instructions that were executed.
    pub steps: u64,
    /// The number of states in which some thread waits and none can go on.
    pub deadlocks: usize,
    /// The errors that ended threads.
    pub stuck: BTreeSet<StuckThread>,
}

/// Explores all executions within the bounds.
pub fn explore(module: &Module, scenario: &Scenario, bounds: &Bounds) -> Exploration {
    explore_until(&Program::new(module), scenario, bounds, &mut |_| false)
}

/// The same until `enough` says so of a race that was found.
pub fn explore_until(
    program: &Program<'_>,
    scenario: &Scenario,
    bounds: &Bounds,
    enough: &mut dyn FnMut(&RaceFound) -> bool,
) -> Exploration {
    let engine = Engine::new(program, scenario, bounds);
    let mut search = Search::new(&engine, enough);
    let initial = engine.initial_state();
    search.enter(initial, None);
    while let Some(work) = search.todo.pop() {
        if search.is_over() {
            search.result.complete = false;
            break;
        }
        match work {
            Work::State(state, node) => search.expand(state, node),
            Work::Turn(turn) => search.take_turn(turn),
        }
    }
    search.result
}

/// How a state was reached first.
struct Node {
    parent: Option<usize>,
    step: ScheduleStep,
    /// The thread that went on last where others could have.
    current: Option<usize>,
    /// How often that was another one, if that is counted; where threads begin in any state, with how often another value than the
    /// first was chosen (limited discrepancy search).
    cost: u32,
}

/// A turn that was taken after that node.
struct Taken {
    parent: Option<usize>,
    step: ScheduleStep,
    /// Whether other threads could have gone on instead.
    is_chosen: bool,
    /// How often another value than the first was chosen.
    deviations: u32,
}

/// What is left to do.
enum Work {
    /// To go on from a state.
    State(State, Option<usize>),
    /// To take a turn with the next of its choices.
    Turn(Choice),
}

/// A turn of a thread in a state, with the choices that come next.
struct Choice {
    state: Rc<State>,
    node: Option<usize>,
    /// Whether other threads could go on instead.
    is_chosen: bool,
    thread: usize,
    digits: Digits,
}

/// What is left to do: the last of what costs least.
#[derive(Default)]
struct Todo {
    by_cost: BTreeMap<u32, Vec<Work>>,
}

impl Todo {
    fn push(&mut self, cost: u32, work: Work) {
        self.by_cost.entry(cost).or_default().push(work);
    }

    fn pop(&mut self) -> Option<Work> {
        let mut first = self.by_cost.first_entry()?;
        let next = first.get_mut().pop();
        if first.get().is_empty() {
            first.remove();
        }
        next
    }
}

struct Search<'e> {
    engine: &'e Engine<'e>,
    enough: &'e mut dyn FnMut(&RaceFound) -> bool,
    is_enough: bool,
    /// Those that count for [`Bounds::max_bytes`].
    bytes: u64,
    visited: HashSet<u128>,
    nodes: Vec<Node>,
    todo: Todo,
    seen_races: HashSet<[(usize, Site, Vec<Site>); 2]>,
    result: Exploration,
}

impl<'e> Search<'e> {
    fn new(engine: &'e Engine<'e>, enough: &'e mut dyn FnMut(&RaceFound) -> bool) -> Search<'e> {
        Search {
            engine,
            enough,
            is_enough: false,
            bytes: 0,
            visited: HashSet::new(),
            nodes: Vec::new(),
            todo: Todo::default(),
            seen_races: HashSet::new(),
            result: Exploration { complete: true, ..Exploration::default() },
        }
    }

    fn is_over(&self) -> bool {
        self.result.states > self.engine.bounds.max_states
            || self.result.steps > self.engine.bounds.max_search
            || self.bytes > self.engine.bounds.max_bytes
            || self.is_enough
    }

    /// Takes note of a state, unless it is known.
    fn enter(&mut self, state: State, taken: Option<Taken>) {
        self.bytes = self.bytes.saturating_add(state.memory.changed_bytes());
        if !self.visited.insert(state.fingerprint()) {
            return;
        }
        self.result.states += 1;
        let node = taken.map(|taken| self.add_node(taken));
        let cost = node.map_or(0, |n| self.nodes[n].cost);
        self.note_races(&state, node);
        if self.engine.bounds.max_switches.is_none_or(|most| cost <= most) {
            self.todo.push(cost, Work::State(state, node));
        } else {
            self.result.complete = false;
        }
    }

    fn add_node(&mut self, Taken { parent, step, is_chosen, deviations }: Taken) -> usize {
        let before = parent.map(|n| (self.nodes[n].current, self.nodes[n].cost));
        let (mut current, mut cost) = before.unwrap_or_default();
        if is_chosen && self.engine.bounds.max_switches.is_some() {
            cost += u32::from(current.is_some_and(|current| current != step.thread));
            current = Some(step.thread);
        }
        if self.engine.is_lazy() {
            cost += DEVIATION * deviations;
        }
        self.nodes.push(Node { parent, step, current, cost });
        self.nodes.len() - 1
    }

    fn note_races(&mut self, state: &State, node: Option<usize>) {
        for (first, second) in self.engine.races(state) {
            let key = [&first, &second].map(|access| (access.thread, access.site, access.callers.clone()));
            if self.seen_races.insert(key) {
                let race = RaceFound { first, second, schedule: self.schedule_to(node) };
                self.is_enough |= (self.enough)(&race);
                self.result.races.push(race);
            }
        }
    }

    fn schedule_to(&self, node: Option<usize>) -> Schedule {
        let path = std::iter::successors(node, |&n| self.nodes[n].parent);
        let mut steps: Vec<ScheduleStep> = path.map(|n| self.nodes[n].step.clone()).collect();
        steps.reverse();
        Schedule { steps, single_steps: !self.engine.bounds.reduce }
    }

    fn expand(&mut self, state: State, node: Option<usize>) {
        let ready: Vec<Readiness> =
            (0..state.threads.len()).map(|t| self.engine.readiness(&state, t)).collect();
        let can_go = |t: &usize| matches!(ready[*t], Readiness::Local | Readiness::Visible);
        let local = ready.iter().position(|r| *r == Readiness::Local);
        let choices: Vec<usize> = match local.filter(|_| self.engine.bounds.reduce) {
            Some(t) => vec![t],
            None => (0..ready.len()).filter(can_go).collect(),
        };
        let failed = state.threads.iter().any(|t| t.phase == Phase::Stopped);
        if choices.is_empty() && ready.contains(&Readiness::Waiting) && !failed {
            self.result.deadlocks += 1;
        }
        // What is taken at once commutes with all else: nobody had to go on there.
        let is_chosen = local.is_none() || !self.engine.bounds.reduce;
        let state = Rc::new(state);
        for thread in choices {
            self.take_turn(Choice {
                state: state.clone(),
                node,
                is_chosen,
                thread,
                digits: Digits::default(),
            });
        }
    }

    /// All outcomes of a turn: the choices count through like the digits of a number. Where threads begin in any state, what is not the
    /// first choice waits for its time.
    fn take_turn(&mut self, mut choice: Choice) {
        loop {
            self.take(&mut choice);
            if self.is_over() || !choice.digits.advance() {
                break;
            }
            if self.engine.is_lazy() {
                let before = choice.node.map_or(0, |node| self.nodes[node].cost);
                self.todo.push(before + DEVIATION, Work::Turn(choice));
                break;
            }
        }
    }

    fn take(&mut self, choice: &mut Choice) {
        let Choice { state, node, is_chosen, thread, digits } = choice;
        let mut next = State::clone(state);
        let io = Io { picks: digits, events: None };
        let outcome = Turn::new(self.engine, &mut next, *thread, io).run(self.engine.bounds.reduce);
        self.result.steps += next.threads[*thread].steps - state.threads[*thread].steps;
        if let Err(halt) = outcome {
            self.note_halt(&next, *thread, halt);
        }
        let step = ScheduleStep { thread: *thread, picks: digits.values.clone() };
        let deviations = digits.deviations();
        self.enter(next, Some(Taken { parent: *node, step, is_chosen: *is_chosen, deviations }));
    }

    fn note_halt(&mut self, state: &State, t: usize, halt: Halt) {
        match halt {
            Halt::Stuck(reason) => {
                let frame = state.threads[t].frames.last();
                let site = frame.and_then(|f| self.engine.inst(f)).map(|(site, _)| site);
                self.result.stuck.insert(StuckThread { thread: t, site, reason });
            }
            Halt::Bound | Halt::BadPick => self.result.complete = false,
        }
    }
}

/// The choices of one turn, as positions among their alternatives.
#[derive(Default)]
struct Digits {
    /// (position, number of alternatives), in the order of the choices.
    digits: Vec<(usize, usize)>,
    /// How many choices this run has made, and what they gave.
    values: Vec<u128>,
}

impl Digits {
    /// How many choices are not the first.
    fn deviations(&self) -> u32 {
        self.digits.iter().filter(|(position, _)| *position > 0).count() as u32
    }

    /// Prepares the next run; false if all have been made.
    fn advance(&mut self) -> bool {
        self.values.clear();
        while let Some((position, count)) = self.digits.pop() {
            if position + 1 < count {
                self.digits.push((position + 1, count));
                return true;
            }
        }
        false
    }
}

impl Picker for Digits {
    fn pick(&mut self, alternatives: &[u128], _free_bits: Option<u16>) -> Result<u128, Halt> {
        let at = self.values.len();
        if at == self.digits.len() {
            self.digits.push((0, alternatives.len()));
        }
        let value = *alternatives.get(self.digits[at].0).ok_or(Halt::BadPick)?;
        self.values.push(value);
        Ok(value)
    }
}
