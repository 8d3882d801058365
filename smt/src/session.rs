//! Questions to the solver: incremental sessions, limits, answers and models.
//!
//! A session translates each term once, when it is first needed, and sends what is new together
//! with the next check: one message there, one back. It names no solver; `worker` moves the
//! messages, `z3` understands them.

use std::sync::Arc;
use std::time::Duration;

use rustc_hash::FxHashMap;

use crate::eval::{Value, eval};
use crate::terms::{FuncId, Sort, Term, TermId, Terms, VarId};
use crate::worker::{self, Ticket};

/// What a check may cost.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// After this the solver is asked to stop.
    pub soft: Duration,
    /// After this a check returns, whatever the solver does.
    pub hard: Duration,
    /// Memory of the solver, in megabytes, for the whole process: the largest limit that any
    /// session asked for counts.
    pub memory_mb: u32,
    /// The solver's own measure of work: the same on every machine. `None` for no limit.
    pub rlimit: Option<u32>,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { soft: Duration::from_secs(2), hard: Duration::from_secs(4), memory_mb: 2048, rlimit: None }
    }
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum UnknownReason {
    /// The soft or the hard time limit.
    #[error("out of time")]
    Timeout,
    /// The memory limit.
    #[error("out of memory")]
    Memory,
    /// The limit on the solver's work.
    #[error("out of resources")]
    Resources,
    /// The solver gave up by itself.
    #[error("incomplete: {0}")]
    Incomplete(String),
    /// The solver failed.
    #[error("the solver failed: {0}")]
    Crashed(String),
}

/// The answer to a check.
#[derive(Clone, Debug)]
pub enum Answer {
    /// No assignment satisfies the assertions and assumptions.
    Unsat,
    /// This one does.
    Sat(Model),
    /// Neither is known.
    Unknown(UnknownReason),
}

impl Answer {
    /// Whether the answer is `Unsat`.
    pub fn is_unsat(&self) -> bool {
        matches!(self, Answer::Unsat)
    }

    /// The model, if the answer is `Sat`.
    pub fn model(self) -> Option<Model> {
        match self {
            Answer::Sat(model) => Some(model),
            Answer::Unsat | Answer::Unknown(_) => None,
        }
    }
}

/// An assignment that satisfies a query. It owns its values and outlives the session.
#[derive(Clone, Default, Debug)]
pub struct Model {
    pub(crate) vars: FxHashMap<VarId, Value>,
    pub(crate) funcs: FxHashMap<FuncId, FuncTable>,
}

/// The interpretation of a function: finitely many entries, and a value for the rest.
#[derive(Clone, Default, Debug)]
pub(crate) struct FuncTable {
    pub(crate) entries: FxHashMap<Vec<i128>, Value>,
    pub(crate) default: Option<Value>,
}

impl Model {
    /// The value of an integer variable; `None` if the query did not depend on it.
    pub fn int(&self, v: VarId) -> Option<i128> {
        self.vars.get(&v)?.as_int()
    }

    /// The value of a boolean variable; `None` if the query did not depend on it.
    pub fn bool(&self, v: VarId) -> Option<bool> {
        self.vars.get(&v)?.as_bool()
    }

    /// The value of a term of the query's arena. Variables and applications that the query did not
    /// depend on get a default within their range. `None` if an integer leaves 128 bits.
    pub fn eval(&self, terms: &Terms, t: TermId) -> Option<Value> {
        eval(terms, t, &|v| self.var(terms, v), &|f, args| self.apply(terms, f, args))
    }

    /// The value of a variable, or a default within its range.
    pub(crate) fn var(&self, terms: &Terms, v: VarId) -> Value {
        let info = terms.var(v);
        self.vars.get(&v).copied().unwrap_or_else(|| default_value(info.sort, info.range))
    }

    /// The value of an application, or a default within the function's range.
    pub(crate) fn apply(&self, terms: &Terms, f: FuncId, args: &[i128]) -> Value {
        let info = terms.func_info(f);
        let table = self.funcs.get(&f);
        let known = table.and_then(|table| table.entries.get(args).copied().or(table.default));
        known.unwrap_or_else(|| default_value(info.ret, info.range))
    }
}

fn default_value(sort: Sort, range: Option<(i128, i128)>) -> Value {
    match (sort, range) {
        (Sort::Bool, _) => Value::Bool(false),
        (Sort::Int, None) => Value::Int(0),
        (Sort::Int, Some((lo, hi))) => Value::Int(if lo > 0 { lo } else { hi.min(0) }),
    }
}

/// A term as the solver's side knows it: the position of the step that built it.
pub(crate) type Slot = u32;

/// One step of building terms on the solver's side. Lists are ranges of [`Batch::args`].
#[derive(Copy, Clone, Debug)]
pub(crate) enum Step {
    Bool(bool),
    Int(i128),
    Var(VarId, Sort),
    Not(Slot),
    And(u32, u32),
    Ite(Slot, Slot, Slot),
    Eq(Slot, Slot),
    Le(Slot, Slot),
    Add(u32, u32),
    Mul(i128, Slot),
    Mod(Slot, i128),
    Div(Slot, i128),
    App(FuncId, Sort, u32, u32),
    /// Not a term: a fact that holds at every level from now on.
    Range(Slot, i128, i128),
}

/// What to do with the terms.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Command {
    /// Run the next so many steps.
    Build(u32),
    Assert(Slot),
    Push,
    Pop(u32),
}

/// What a check is for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Want {
    /// The answer; its model stays empty.
    Verdict,
    /// The answer with its model.
    Model,
}

/// What a session sends at once.
#[derive(Clone, Default, Debug)]
pub(crate) struct Batch {
    pub(crate) steps: Vec<Step>,
    pub(crate) args: Vec<Slot>,
    pub(crate) commands: Vec<Command>,
}

/// An incremental dialogue with the solver about the terms of one arena.
///
/// It runs on a solver thread that belongs to the calling thread, so a session cannot be sent to
/// another one. After a time-out or a crash it can be used on: what was asserted is told again.
///
/// The memory limit makes the solver's bindings panic on the solver thread. That panic is caught
/// and becomes [`UnknownReason::Memory`], but the panic hook still sees it.
#[derive(Debug)]
pub struct Session {
    limits: Limits,
    slots: FxHashMap<TermId, Slot>,
    next: Slot,
    batch: Batch,
    /// All batches that were sent, for a solver thread that has to start over.
    sent: Vec<Arc<Batch>>,
    ticket: Ticket,
    depth: u32,
    /// Solver threads are per thread.
    not_send: std::marker::PhantomData<*const ()>,
}

impl Session {
    /// A session without assertions.
    pub fn new(limits: &Limits) -> Self {
        Session {
            limits: *limits,
            slots: FxHashMap::default(),
            next: 0,
            batch: Batch::default(),
            sent: Vec::new(),
            ticket: Ticket::new(),
            depth: 0,
            not_send: std::marker::PhantomData,
        }
    }

    /// Adds an assertion. All terms of a session belong to one arena, which may grow meanwhile.
    pub fn assert(&mut self, terms: &Terms, t: TermId) {
        // Conjuncts one by one: it saves the solver a definition each.
        if let Term::And(list) = terms.get(t) {
            for &item in list {
                self.assert_one(terms, item);
            }
        } else {
            self.assert_one(terms, t);
        }
    }

    fn assert_one(&mut self, terms: &Terms, t: TermId) {
        let slot = self.slot(terms, t);
        self.batch.commands.push(Command::Assert(slot));
    }

    /// Opens a level: [`Session::pop`] takes back what is asserted from here on.
    pub fn push(&mut self) {
        self.depth += 1;
        self.batch.commands.push(Command::Push);
    }

    /// Closes the innermost level.
    ///
    /// # Panics
    /// If no level is open.
    pub fn pop(&mut self) {
        assert!(self.depth > 0, "pop without push");
        self.depth -= 1;
        self.batch.commands.push(Command::Pop(1));
    }

    /// Whether the assertions and the assumptions can be satisfied together. The assumptions hold
    /// for this check only; they are any boolean terms.
    pub fn check(&mut self, terms: &Terms, assumptions: &[TermId]) -> Answer {
        self.ask(terms, assumptions, Want::Model)
    }

    /// Whether the assertions can be satisfied. Saves the model, which often costs more than the answer.
    pub fn is_satisfiable(&mut self, terms: &Terms) -> Result<bool, UnknownReason> {
        match self.ask(terms, &[], Want::Verdict) {
            Answer::Sat(_) => Ok(true),
            Answer::Unsat => Ok(false),
            Answer::Unknown(why) => Err(why),
        }
    }

    fn ask(&mut self, terms: &Terms, assumptions: &[TermId], want: Want) -> Answer {
        if assumptions.contains(&terms.fals()) {
            return Answer::Unsat;
        }
        let mut slots = Vec::with_capacity(assumptions.len());
        for &t in assumptions {
            slots.push(self.slot(terms, t));
        }
        let batch = Arc::new(std::mem::take(&mut self.batch));
        if !batch.commands.is_empty() {
            self.sent.push(batch);
        }
        worker::check(&mut self.ticket, &self.limits, &self.sent, slots, want)
    }

    /// The slot of `t`; what is new is added to the batch.
    fn slot(&mut self, terms: &Terms, t: TermId) -> Slot {
        if let Some(&slot) = self.slots.get(&t) {
            return slot;
        }
        let before = self.batch.steps.len();
        for new in terms.reachable(&[t], |t| self.slots.contains_key(&t)) {
            let step = self.step(terms, new);
            self.batch.steps.push(step);
            self.slots.insert(new, self.next);
            self.next += 1;
            if let Some((lo, hi)) = declared_range(terms, new) {
                self.batch.steps.push(Step::Range(self.next - 1, lo, hi));
            }
        }
        self.batch.commands.push(Command::Build((self.batch.steps.len() - before) as u32));
        self.slots[&t]
    }

    fn step(&mut self, terms: &Terms, t: TermId) -> Step {
        let slot = |t: TermId| self.slots[&t];
        match terms.get(t) {
            Term::True => Step::Bool(true),
            Term::False => Step::Bool(false),
            Term::Int(k) => Step::Int(k),
            Term::Var(v) => Step::Var(v, terms.sort(t)),
            Term::Not(a) => Step::Not(slot(a)),
            Term::Ite(c, a, b) => Step::Ite(slot(c), slot(a), slot(b)),
            Term::Eq(a, b) => Step::Eq(slot(a), slot(b)),
            Term::Le(a, b) => Step::Le(slot(a), slot(b)),
            Term::MulConst(k, a) => Step::Mul(k, slot(a)),
            Term::Mod(a, m) => Step::Mod(slot(a), m),
            Term::Div(a, m) => Step::Div(slot(a), m),
            Term::And(list) => {
                let (start, len) = self.args(list);
                Step::And(start, len)
            }
            Term::Add(list) => {
                let (start, len) = self.args(list);
                Step::Add(start, len)
            }
            Term::App(f, list) => {
                let (start, len) = self.args(list);
                Step::App(f, terms.sort(t), start, len)
            }
        }
    }

    fn args(&mut self, list: &[TermId]) -> (u32, u32) {
        let start = self.batch.args.len() as u32;
        for t in list {
            self.batch.args.push(self.slots[t]);
        }
        (start, list.len() as u32)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        worker::forget(&self.ticket);
    }
}

fn declared_range(terms: &Terms, t: TermId) -> Option<(i128, i128)> {
    match terms.get(t) {
        Term::Var(v) => terms.var(v).range,
        Term::App(f, _) => terms.func_info(f).range,
        _ => None,
    }
}

/// The version of the solver library that is linked, such as `5.4.0`.
pub fn solver_version() -> String {
    crate::z3::version()
}
