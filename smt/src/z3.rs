//! The solver: Z3. The only module that names it.
//!
//! Lives on a solver thread (`worker`), whose implicit context all sessions of that thread share.
//! Knows slots, not terms: a session's steps are replayed into Z3 expressions in their order.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::thread;

use rustc_hash::FxHashMap;
use z3::ast::{Ast, Bool, Dynamic, Int};
use z3::{Context, FuncDecl, Params, SatResult, Solver, SortKind};

use crate::eval::Value;
use crate::session::{Answer, Batch, Command, FuncTable, Limits, Model, Slot, Step, UnknownReason, Want};
use crate::terms::{FuncId, Sort, VarId};
use crate::worker::Reply;

/// Z3's version, such as `5.4.0`.
pub(crate) fn version() -> String {
    z3::full_version().trim_start_matches("Z3 ").to_owned()
}

/// How many empty solvers a thread keeps.
const SPARE: usize = 4;

/// What a solver thread is at, as its alarm sees it.
#[derive(Copy, Clone, Default)]
struct Running {
    /// The number of the current check; zero between checks.
    number: u64,
    /// Whether that check was told to stop.
    interrupted: bool,
}

/// All sessions of one solver thread.
pub(crate) struct Backend<'a> {
    live: FxHashMap<u64, Live>,
    /// Solvers of past sessions, empty again: making one takes most of a millisecond.
    spare: Vec<Solver>,
    running: &'a Mutex<Running>,
}

impl Backend<'_> {
    /// Runs `body` with a backend. Each number that arrives at `bells` interrupts the check with
    /// that number if it is still running; they end when their sender is dropped.
    pub(crate) fn run(body: impl FnOnce(&mut Backend<'_>), bells: Receiver<u64>) {
        configure();
        let context = Context::thread_local();
        let handle = context.handle();
        let running = Mutex::new(Running::default());
        thread::scope(|scope| {
            scope.spawn(|| {
                let handle = handle;
                for number in bells {
                    // Holding the lock keeps a late interrupt off the next check.
                    let mut running = running.lock().unwrap_or_else(PoisonError::into_inner);
                    if running.number == number {
                        running.interrupted = true;
                        handle.interrupt();
                    }
                }
            });
            body(&mut Backend { live: FxHashMap::default(), spare: Vec::new(), running: &running });
        });
    }

    /// Takes in what is new of a session, and checks it. A panic below is an answer too; after it
    /// the thread's solvers are in no known state.
    pub(crate) fn check(
        &mut self,
        number: u64,
        session: u64,
        limits: &Limits,
        batches: &[Arc<Batch>],
        assumptions: &[Slot],
        want: Want,
    ) -> Reply {
        allow_memory(limits.memory_mb);
        self.now_running(number);
        let answer = catch_unwind(AssertUnwindSafe(|| {
            let live = self
                .live
                .entry(session)
                .or_insert_with(|| Live::new(self.spare.pop().unwrap_or_else(new_solver), limits));
            for batch in batches {
                live.take(batch);
            }
            live.check(assumptions, want)
        }));
        let interrupted = self.now_running(0);
        let panicked = answer.is_err();
        let answer = match answer {
            // Z3 words all of its own limits alike.
            Ok(Answer::Unknown(UnknownReason::Resources)) if interrupted => {
                Answer::Unknown(UnknownReason::Timeout)
            }
            Ok(answer) => answer,
            Err(panic) => Answer::Unknown(broken(&panic_text(&*panic))),
        };
        // Only the end of the context gives its memory back.
        let broken_down = panicked || matches!(answer, Answer::Unknown(UnknownReason::Memory));
        Reply { answer, broken_down }
    }

    pub(crate) fn forget(&mut self, session: u64) {
        if let Some(live) = self.live.remove(&session)
            && self.spare.len() < SPARE
        {
            live.solver.pop(live.level + 1);
            live.solver.push();
            self.spare.push(live.solver);
        }
    }

    /// Notes what runs from now on; tells whether what ran before was interrupted.
    fn now_running(&self, number: u64) -> bool {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *running, Running { number, interrupted: false }).interrupted
    }
}

/// The bindings unwrap what Z3 returns. Of well-sorted terms it returns nothing for one reason
/// only: an allocation went over the memory limit.
fn broken(panic: &str) -> UnknownReason {
    match panic {
        "called `Option::unwrap()` on a `None` value" => UnknownReason::Memory,
        other => UnknownReason::Crashed(other.to_owned()),
    }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("panic").to_owned()
}

/// What suits many small queries with one model each.
fn configure() {
    static DONE: Once = Once::new();
    DONE.call_once(|| {
        // Expanding the functions of a model costs as much as making it; nobody reads them so closely.
        z3::set_global_param("model.compact", "false");
        // The terms are simplified already: the pass costs a tenth of a check and finds next to nothing.
        z3::set_global_param("smt.propagate_values", "false");
        // Sums of offsets are satisfied or not without cuts from Hermite normal forms, on which hard
        // queries spend most of their time.
        z3::set_global_param("smt.arith.enable_hnf", "false");
    });
}

/// Raises Z3's memory limit, which is one for the process, to what a session asks for. Above it a
/// check gives up in good order; the second limit makes every allocation fail, and Z3 does not
/// recover well from that, so it is only there to save the machine.
fn allow_memory(mb: u32) {
    static ALLOWED: AtomicU32 = AtomicU32::new(0);
    if ALLOWED.fetch_max(mb, Ordering::Relaxed) < mb {
        z3::set_global_param("memory_high_watermark_mb", &mb.to_string());
        z3::set_global_param("memory_max_size", &mb.saturating_mul(LAST_RESORT).to_string());
    }
}

/// The memory at which allocations fail, as a multiple of the limit.
const LAST_RESORT: u32 = 4;

/// An expression of either sort.
#[derive(Clone)]
enum Expr {
    Bool(Bool),
    Int(Int),
}

impl Expr {
    fn as_ast(&self) -> &dyn Ast {
        match self {
            Expr::Bool(b) => b,
            Expr::Int(i) => i,
        }
    }
}

/// One session's side of the dialogue.
struct Live {
    solver: Solver,
    exprs: Vec<Expr>,
    vars: Vec<(VarId, Expr)>,
    funcs: FxHashMap<FuncId, FuncDecl>,
    /// Per term: its negation, where that was needed.
    negations: FxHashMap<Slot, Bool>,
    /// Names for assumptions that are no literals.
    proxies: FxHashMap<Slot, Bool>,
    /// What holds at every level, and the level where it was asserted last.
    facts: Vec<(u32, Bool)>,
    level: u32,
}

impl Live {
    fn new(solver: Solver, limits: &Limits) -> Self {
        let mut params = Params::new();
        params.set_u32("max_memory", limits.memory_mb);
        // Always, since sessions share a solver's parameters; zero is no limit.
        params.set_u32("rlimit", limits.rlimit.unwrap_or(0));
        // Else a SIGINT during a check ends that check, and nobody else hears of it.
        params.set_bool("ctrl_c", false);
        solver.set_params(&params);
        Live {
            solver,
            exprs: Vec::new(),
            vars: Vec::new(),
            funcs: FxHashMap::default(),
            negations: FxHashMap::default(),
            proxies: FxHashMap::default(),
            facts: Vec::new(),
            level: 0,
        }
    }

    fn take(&mut self, batch: &Batch) {
        let mut steps = batch.steps.iter();
        for &command in &batch.commands {
            match command {
                Command::Build(count) => {
                    for &step in steps.by_ref().take(count as usize) {
                        self.step(batch, step);
                    }
                }
                Command::Assert(slot) => self.solver.assert(self.bool(slot)),
                Command::Push => {
                    self.level += 1;
                    self.solver.push();
                }
                Command::Pop(count) => self.pop(count),
            }
        }
    }

    /// Facts are kept: terms are not translated again, so nobody would tell them again.
    fn pop(&mut self, count: u32) {
        self.level -= count;
        self.solver.pop(count);
        for (level, fact) in &mut self.facts {
            if *level > self.level {
                *level = self.level;
                self.solver.assert(&*fact);
            }
        }
    }

    fn fact(&mut self, fact: Bool) {
        self.solver.assert(&fact);
        if self.level > 0 {
            self.facts.push((self.level, fact));
        }
    }

    fn step(&mut self, batch: &Batch, step: Step) {
        let list = |start: u32, len: u32| &batch.args[start as usize..(start + len) as usize];
        let expr = match step {
            Step::Bool(value) => Expr::Bool(Bool::from_bool(value)),
            Step::Int(k) => Expr::Int(int(k)),
            Step::Var(v, sort) => self.var(v, sort),
            Step::Not(a) => {
                let negation = self.negation(a);
                self.negations.insert(self.exprs.len() as Slot, self.bool(a).clone());
                Expr::Bool(negation)
            }
            // Z3 knows disjunctions only: this saves it a rewriting.
            Step::And(start, len) => {
                let items: Vec<Bool> = list(start, len).iter().map(|&a| self.negation(a)).collect();
                let none = Bool::or(&items);
                let all = none.not();
                self.negations.insert(self.exprs.len() as Slot, none);
                Expr::Bool(all)
            }
            Step::Ite(c, a, b) => match (self.bool(c), &self.exprs[a as usize], &self.exprs[b as usize]) {
                (c, Expr::Int(a), Expr::Int(b)) => Expr::Int(c.ite(a, b)),
                (c, Expr::Bool(a), Expr::Bool(b)) => Expr::Bool(c.ite(a, b)),
                _ => unreachable!("both branches have one sort"),
            },
            Step::Eq(a, b) => match (&self.exprs[a as usize], &self.exprs[b as usize]) {
                (Expr::Int(a), Expr::Int(b)) => Expr::Bool(a.eq(b)),
                (Expr::Bool(a), Expr::Bool(b)) => Expr::Bool(a.iff(b)),
                _ => unreachable!("both sides have one sort"),
            },
            Step::Le(a, b) => Expr::Bool(self.int(a).le(self.int(b))),
            Step::Add(start, len) => {
                let items: Vec<Int> = list(start, len).iter().map(|&a| self.int(a).clone()).collect();
                Expr::Int(Int::add(&items))
            }
            Step::Mul(k, a) => Expr::Int(Int::mul(&[int(k), self.int(a).clone()])),
            Step::Mod(a, m) => Expr::Int(self.int(a).modulo(int(m))),
            Step::Div(a, m) => Expr::Int(self.int(a).div(int(m))),
            Step::App(f, ret, start, len) => self.app(f, ret, list(start, len)),
            Step::Range(a, lo, hi) => {
                let a = self.int(a);
                let fact = Bool::and(&[a.ge(int(lo)), a.le(int(hi))]);
                self.fact(fact);
                return;
            }
        };
        self.exprs.push(expr);
    }

    fn var(&mut self, v: VarId, sort: Sort) -> Expr {
        // Numbers make cheaper symbols than names, and sessions share them.
        let name = v.index() as u32;
        let expr = match sort {
            Sort::Bool => Expr::Bool(Bool::new_const(name)),
            Sort::Int => Expr::Int(Int::new_const(name)),
        };
        self.vars.push((v, expr.clone()));
        expr
    }

    fn app(&mut self, f: FuncId, ret: Sort, args: &[Slot]) -> Expr {
        let func = self.funcs.entry(f).or_insert_with(|| declare(f, args.len(), ret));
        let exprs = &self.exprs;
        let args: Vec<&dyn Ast> = args.iter().map(|&a| exprs[a as usize].as_ast()).collect();
        let applied = func.apply(&args);
        match ret {
            Sort::Bool => Expr::Bool(applied.as_bool().expect("declared as boolean")),
            Sort::Int => Expr::Int(applied.as_int().expect("declared as integer")),
        }
    }

    fn check(&mut self, assumptions: &[Slot], want: Want) -> Answer {
        let result = if assumptions.is_empty() {
            self.solver.check()
        } else {
            let literals: Vec<Bool> = assumptions.iter().map(|&slot| self.literal(slot)).collect();
            self.solver.check_assumptions(&literals)
        };
        match result {
            SatResult::Unsat => Answer::Unsat,
            SatResult::Sat if want == Want::Verdict => Answer::Sat(Model::default()),
            SatResult::Sat => match self.solver.get_model() {
                Some(model) => Answer::Sat(self.model(&model)),
                None => Answer::Unknown(UnknownReason::Crashed("no model".into())),
            },
            SatResult::Unknown => Answer::Unknown(reason(self.solver.get_reason_unknown())),
        }
    }

    /// Z3 assumes literals only.
    fn literal(&mut self, slot: Slot) -> Bool {
        let assumed = self.bool(slot).clone();
        if is_atom(&assumed) {
            return assumed;
        }
        if let Some(proxy) = self.proxies.get(&slot) {
            return proxy.clone();
        }
        let proxy = Bool::new_const(format!("assume{slot}"));
        self.fact(proxy.implies(&assumed));
        self.proxies.insert(slot, proxy.clone());
        proxy
    }

    fn model(&self, model: &z3::Model) -> Model {
        let mut owned = Model::default();
        for (v, expr) in &self.vars {
            let value = match expr {
                Expr::Bool(b) => model.get_const_interp(b).and_then(|b| b.as_bool()).map(Value::Bool),
                Expr::Int(i) => model.get_const_interp(i).and_then(|i| number(&i)).map(Value::Int),
            };
            if let Some(value) = value {
                owned.vars.insert(*v, value);
            }
        }
        for (&f, decl) in &self.funcs {
            if let Some(table) = function(model, decl) {
                owned.funcs.insert(f, table);
            }
        }
        owned
    }

    /// Not the term; without the double negation if it is one itself.
    fn negation(&mut self, slot: Slot) -> Bool {
        if let Some(known) = self.negations.get(&slot) {
            return known.clone();
        }
        let negation = self.bool(slot).not();
        self.negations.insert(slot, negation.clone());
        negation
    }

    fn bool(&self, slot: Slot) -> &Bool {
        match &self.exprs[slot as usize] {
            Expr::Bool(b) => b,
            Expr::Int(_) => unreachable!("slot {slot} is an integer"),
        }
    }

    fn int(&self, slot: Slot) -> &Int {
        match &self.exprs[slot as usize] {
            Expr::Int(i) => i,
            Expr::Bool(_) => unreachable!("slot {slot} is a boolean"),
        }
    }
}

/// A solver for the logic of terms, pushed once: from then on it uses its incremental core, without
/// the preprocessing of the solvers for a logic, which cost more than it gained on small queries.
///
/// The logic is one with arrays because Z3 sets its core up by it: without the theories that no term
/// needs, as for the logic without arrays, but still not looking at atoms that do not matter.
fn new_solver() -> Solver {
    let solver = Solver::new_for_logic("QF_AUFLIA").unwrap_or_default();
    solver.push();
    solver
}

fn declare(f: FuncId, arity: usize, ret: Sort) -> FuncDecl {
    let int = z3::Sort::int();
    let range = match ret {
        Sort::Bool => z3::Sort::bool(),
        Sort::Int => z3::Sort::int(),
    };
    FuncDecl::new(format!("f{}", f.index()), &vec![&int; arity], &range)
}

fn int(k: i128) -> Int {
    match i64::try_from(k) {
        Ok(k) => Int::from_i64(k),
        Err(_) => Int::from_i128(k),
    }
}

fn number(i: &Int) -> Option<i128> {
    i.as_i64().map(i128::from).or_else(|| i.as_i128())
}

fn is_atom(b: &Bool) -> bool {
    b.is_const() && b.as_bool().is_none()
}

fn function(model: &z3::Model, decl: &FuncDecl) -> Option<FuncTable> {
    let interp = model.get_func_interp(decl)?;
    let mut table =
        FuncTable { entries: FxHashMap::default(), default: interp.get_else().and_then(|e| value(&e)) };
    for entry in interp.get_entries() {
        let args: Option<Vec<i128>> = entry.get_args().iter().map(|a| number(&a.as_int()?)).collect();
        if let (Some(args), Some(value)) = (args, value(&entry.get_value())) {
            table.entries.insert(args, value);
        }
    }
    Some(table)
}

fn value(ast: &Dynamic) -> Option<Value> {
    match ast.sort_kind() {
        SortKind::Bool => ast.as_bool()?.as_bool().map(Value::Bool),
        _ => number(&ast.as_int()?).map(Value::Int),
    }
}

fn reason(text: Option<String>) -> UnknownReason {
    let text = text.unwrap_or_default();
    match text.as_str() {
        text if text.contains("memory") => UnknownReason::Memory,
        "timeout" => UnknownReason::Timeout,
        "canceled" | "interrupted" | "interrupted from keyboard" => UnknownReason::Resources,
        text if text.contains("resource limit") => UnknownReason::Resources,
        _ => UnknownReason::Incomplete(text),
    }
}
