//! Executing a given schedule, step by step, to show that it does end in a race.

use super::engine::{Engine, Program, Readiness};
use super::exec::{Halt, Io, Picker, Turn};
use super::scenario::{Bounds, Scenario};
use super::{Event, RaceAccess, Schedule};
use crate::module::Module;

/// A replayed execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// What happened that others could notice, in order.
    pub events: Vec<Event>,
    /// The races that the last state shows; at least one.
    pub races: Vec<(RaceAccess, RaceAccess)>,
}

/// Why a schedule is no execution that ends in a race. Steps count from 0.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReplayError {
    /// There is no such thread.
    #[error("step {0}: no such thread")]
    NoSuchThread(usize),
    /// The thread cannot take a step: it waits, or is over.
    #[error("step {0}: the thread cannot go on")]
    NotReady(usize),
    /// A choice has no value, one that is not possible, or there are values without a choice.
    #[error("step {0}: the values do not fit the choices")]
    BadChoice(usize),
    /// The thread executes too many instructions.
    #[error("step {0}: the thread does not come to an end")]
    TooLong(usize),
    /// The last state shows no race.
    #[error("the last state shows no race")]
    NoRace,
}

/// Executes a schedule that was found without [`Bounds::switches`].
pub fn replay(module: &Module, scenario: &Scenario, schedule: &Schedule) -> Result<Trace, ReplayError> {
    // What a schedule says has been decided: bounds only keep a bad one from running for ever.
    let bounds = Bounds {
        max_steps: 10_000_000,
        max_iterations: u32::MAX,
        max_depth: 100_000,
        max_object: 1 << 26,
        ..Bounds::default()
    };
    replay_within(&Program::new(module), scenario, schedule, &bounds)
}

/// The same with the bounds of the search that has found it.
pub fn replay_within(
    program: &Program<'_>,
    scenario: &Scenario,
    schedule: &Schedule,
    bounds: &Bounds,
) -> Result<Trace, ReplayError> {
    let engine = Engine::new(program, scenario, bounds);
    let mut state = engine.initial_state();
    let mut events = Vec::new();
    for (at, step) in schedule.steps.iter().enumerate() {
        if step.thread >= state.threads.len() {
            return Err(ReplayError::NoSuchThread(at));
        }
        if !matches!(engine.readiness(&state, step.thread), Readiness::Local | Readiness::Visible) {
            return Err(ReplayError::NotReady(at));
        }
        let mut given = Given { values: &step.picks };
        let io = Io { picks: &mut given, events: Some(&mut events) };
        let turn = Turn::new(&engine, &mut state, step.thread, io).run(!schedule.single_steps);
        match turn {
            Err(Halt::BadPick) => return Err(ReplayError::BadChoice(at)),
            Err(Halt::Bound) => return Err(ReplayError::TooLong(at)),
            // An error ends a thread, not the execution.
            Ok(()) | Err(Halt::Stuck(_)) => {}
        }
        if !given.values.is_empty() {
            return Err(ReplayError::BadChoice(at));
        }
    }
    let races = engine.races(&state);
    if races.is_empty() { Err(ReplayError::NoRace) } else { Ok(Trace { events, races }) }
}

/// The values that are left of a step.
struct Given<'a> {
    values: &'a [u128],
}

impl Picker for Given<'_> {
    fn pick(&mut self, alternatives: &[u128], free_bits: Option<u16>) -> Result<u128, Halt> {
        let (&value, rest) = self.values.split_first().ok_or(Halt::BadPick)?;
        self.values = rest;
        let fits = free_bits.is_some_and(|bits| super::value::truncate(value, bits) == value);
        if fits || alternatives.contains(&value) { Ok(value) } else { Err(Halt::BadPick) }
    }
}
