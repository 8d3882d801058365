//! Summaries of procedures: what a call tree does, relative to its parameters and to the locks held on entry.
//!
//! A summary is a [`Thread`] like that of an entry point, made by the same executor, over variables for the
//! parameters. Of each lock it says where it is held because the procedure has taken it, and where because the caller
//! has and the procedure keeps it. Summaries are made once per procedure, callees first, and put into callers by
//! [`super::instance`].
//!
//! Of a procedure that calls itself, the first activation is executed as it is; all further ones are executed
//! once, as one that stands for all. What that one begins with are candidates, all taken to hold at first
//! (Houdini): an argument is always the same, a lock that is held on entry is held in each activation and after
//! it. A candidate that is not preserved is dropped, and everything is done again, since all may depend on it.
//! The candidates are checked as terms; what is not seen at once to be preserved is dropped.
//!
//! Of a large circle of calls there is one summary, in which each function is executed once, with arbitrary
//! arguments.

use super::Context;
use super::collect;
use super::exec::{ANYWHERE, Executor, Inlining, kind_fits};
use super::lockset::Lockset;
use super::memory::Memory;
use super::state::State;
use super::thread::*;
use super::values::{self, Val};
use crate::fault::{Fault, seeded};
use indexmap::IndexMap;
use lockpair_entry_points::EntryPointId;
use lockpair_ir::*;
use lockpair_smt::{Term, TermId, Terms, VarId};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::{Arc, Mutex, OnceLock};

/// So many instructions are executed of a procedure before what it calls is taken by itself; of a circle of calls,
/// before there is one summary for all of it.
pub const BUDGET: usize = 20_000;

/// So many terms are made, likewise: of what is taken by itself, each instance costs terms, but hardly any instructions.
pub const MAX_TERMS: usize = 200_000;

/// Of so many locks a summary says at which of its accesses they are held.
const MAX_LOCKS: usize = 64;

/// The summaries of a module's procedures.
#[derive(Default)]
pub struct Summaries {
    made: Mutex<HashMap<FuncId, Cell>>,
    circles: Mutex<HashMap<usize, Cell>>,
}

type Cell = Arc<OnceLock<Arc<Summary>>>;

impl Summaries {
    /// That of a procedure; made if nobody has asked for it yet. Procedures that call each other in a circle
    /// do not ask for each other's, so nobody waits for itself.
    fn of(&self, cx: &Context, id: FuncId) -> Arc<Summary> {
        let cell = self.made.lock().unwrap_or_else(|e| e.into_inner()).entry(id).or_default().clone();
        let make = || match cx.circles.get(&id).filter(|_| cx.inlined_size[&id] > cx.circle_limit) {
            Some(&circle) => self.of_circle(cx, circle),
            None => summarize(cx, id).map_or_else(|circle| self.of_circle(cx, circle), Arc::new),
        };
        let make = || timed(&cx.module.funcs[id].name, make);
        cell.get_or_init(make).clone()
    }

    fn of_circle(&self, cx: &Context, circle: usize) -> Arc<Summary> {
        let cell = self.circles.lock().unwrap_or_else(|e| e.into_inner()).entry(circle).or_default().clone();
        let make = || timed("a circle of calls", || Arc::new(summarize_circle(cx, circle)));
        cell.get_or_init(make).clone()
    }
}

fn timed(name: &str, make: impl FnOnce() -> Arc<Summary>) -> Arc<Summary> {
    let started = std::time::Instant::now();
    let summary = make();
    let (thread, ms) = (&summary.thread, started.elapsed().as_millis());
    let locks = summary.changed.iter().filter(|&&changed| changed).count();
    let (instructions, sites) = (thread.instructions, thread.sites.len());
    let (loads, objects, terms) = (thread.loads.len(), thread.locals.len(), thread.terms.len());
    tracing::debug!(procedure = name, instructions, sites, locks, loads, objects, terms, ms, "summarized");
    summary
}

/// What a call of a procedure does.
pub(super) struct Summary {
    pub(super) thread: Thread,
    /// Per parameter: the variables that stand for it.
    pub(super) params: Vec<Val>,
    /// Per parameter: what happens to the object that it points to.
    pub(super) fates: Vec<Fate>,
    /// Per lock: whether the procedure ever takes it, or gives back a caller's.
    pub(super) changed: Vec<bool>,
    /// Per lock: whether it ever gives back a caller's.
    pub(super) given_back: Vec<bool>,
    /// Per lock: whether it may leave it in another state than it has found it.
    pub(super) left: Vec<bool>,
    /// The CPU that it is called on.
    pub(super) called_on: OnCpu,
    /// The state after the call, and the result; none if it does not return.
    pub(super) exit: Option<(State, Option<Val>)>,
    /// Per own object: what the executor knows of it.
    pub(super) locals: Vec<(Key, Option<u64>)>,
    /// Whether it is that of a circle: any activations of any of its functions.
    pub(super) of_circle: bool,
}

impl Summary {
    /// Without what nothing refers to. The objects' content is not followed at calls.
    fn collected(self, cx: &Context) -> Summary {
        let Summary { thread, params, called_on, exit, locals, .. } = self;
        let (thread, (params, called_on, exit), left) =
            collect::collect(thread, &|shape| cx.is_member(shape), |c| {
                let params = params.iter().map(|&v| c.value(v)).collect();
                let called_on = OnCpu { cpu: c.term(called_on.cpu), stays: c.term(called_on.stays) };
                let exit = exit.map(|(state, value)| {
                    let state = State {
                        globals: Default::default(),
                        looked: Default::default(),
                        guard: c.term(state.guard),
                        memory: Memory::default(),
                        held: c.lockset(&state.held),
                        cpu: c.term(state.cpu),
                        alone: c.term(state.alone),
                        events: c.flags(&state.events),
                        published: c.flags(&state.published),
                    };
                    (state, value.map(|v| c.value(v)))
                });
                (params, called_on, exit)
            });
        let exit = exit.map(|(state, value)| {
            let published = left.iter().map(|&n| State::flag(&state.published, n, &thread.terms)).collect();
            (State { published: Arc::new(published), ..state }, value)
        });
        let locals = left.iter().map(|&n| locals[n]).collect();
        Summary { thread, params, called_on, exit, locals, ..self }
    }
}

/// Where a procedure is called: variables of its summary.
#[derive(Copy, Clone, Debug)]
pub(super) struct OnCpu {
    /// The number of the CPU.
    pub(super) cpu: TermId,
    /// That something keeps the caller there.
    pub(super) stays: TermId,
}

/// What happens to the object that a parameter points to.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Fate {
    /// The procedure looks at its content.
    pub(super) read: bool,
    /// The procedure changes its content.
    pub(super) written: bool,
    /// Its address goes where it is not followed.
    pub(super) kept: bool,
}

/// The procedure that an executor summarizes.
pub(super) struct Procedure {
    /// The circle of calls that it is in.
    circle: Option<usize>,
    /// Whether nothing large is inlined in another, whatever the budget; nothing of the circle at all.
    pub(super) flat: bool,
    params: Vec<Val>,
    /// Where it is called.
    pub(super) called_on: OnCpu,
    candidates: Candidates,
    /// Whether a candidate was dropped in this pass.
    dropped: bool,
    /// Whether an activation is executed that stands for all but the first.
    further: bool,
    /// The locks that further activations give back.
    given_back: Vec<usize>,
}

/// What may hold of all activations but the first.
#[derive(Clone, Default)]
struct Candidates {
    /// Per function that is called again: what each of its arguments always is.
    args: BTreeMap<FuncId, Vec<Arg>>,
    /// Locks that may be given back by an activation and not be taken again.
    not_kept: BTreeSet<Key>,
    /// Locks that are given back and are not kept, or not at an address over the first activation's parameters:
    /// one of each kind.
    anywhere: IndexMap<LockKind, Lock>,
}

/// What an argument always is, in terms of the first activation.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Arg {
    Param(usize),
    Int(i128),
    Place(i128, i128),
    Any,
}

impl Procedure {
    pub(super) fn is_in_circle(&self, cx: &Context, id: FuncId) -> bool {
        self.circle.is_some() && cx.circles.get(&id).copied() == self.circle
    }

    fn drop_candidate(&mut self, change: impl FnOnce(&mut Candidates) -> bool) {
        self.dropped |= change(&mut self.candidates);
    }
}

/// The summary of a procedure, or the circle that it is in if that is too large.
fn summarize(cx: &Context, root: FuncId) -> Result<Summary, usize> {
    let circle = cx.circles.get(&root).copied();
    let (mut candidates, mut flat) = (Candidates::default(), false);
    loop {
        let mut exec = Executor::of_procedure(cx, circle, flat, candidates);
        let exit = exec.procedure(root);
        let procedure = exec.in_procedure();
        let dropped = procedure.dropped;
        candidates = procedure.candidates.clone();
        if exec.gives_up() {
            circle.map_or(Ok(()), Err)?;
            flat = true;
        } else if !dropped {
            return Ok(exec.summary(exit));
        }
    }
}

/// One summary of all functions of a circle, that of any number of activations of them.
fn summarize_circle(cx: &Context, circle: usize) -> Summary {
    let mut members: Vec<FuncId> =
        cx.circles.iter().filter(|(_, c)| **c == circle).map(|(&f, _)| f).collect();
    members.sort_unstable();
    let any = |f: &FuncId| (*f, vec![Arg::Any; cx.module.funcs[*f].params.len()]);
    let mut candidates = Candidates { args: members.iter().map(any).collect(), ..Candidates::default() };
    loop {
        let mut exec = Executor::of_procedure(cx, Some(circle), true, candidates);
        members.iter().for_each(|&f| exec.further_activation(f));
        exec.check_given_back();
        let mut state = exec.initial_state();
        exec.after_activations(&mut state, members[0]);
        let procedure = exec.in_procedure();
        if !procedure.dropped {
            return Summary { of_circle: true, ..exec.summary(Some((state, None))) };
        }
        candidates = procedure.candidates.clone();
    }
}

impl<'c, 'm> Executor<'c, 'm> {
    fn of_procedure(
        cx: &'c Context<'m>,
        circle: Option<usize>,
        flat: bool,
        candidates: Candidates,
    ) -> Executor<'c, 'm> {
        let mut exec = Executor::new(cx, EntryPointId::new(0), Inlining::Small);
        let called_on = exec.called_on();
        exec.procedure = Some(Procedure {
            circle,
            flat,
            params: Vec::new(),
            called_on,
            candidates,
            dropped: false,
            further: false,
            given_back: Vec::new(),
        });
        exec
    }

    /// A call of a procedure that is not inlined.
    pub(super) fn summarized(
        &mut self,
        id: FuncId,
        args: &[Val],
        state: State,
        caller: Option<StackId>,
        at: Option<LocId>,
    ) -> Option<(State, Option<Val>)> {
        let summary = self.cx.summaries.of(self.cx, id);
        let name = self.cx.module.funcs[id].name.clone();
        self.thread.ledger.record(AssumptionKind::Summary, name, None);
        let (state, value) = self.instantiate(&summary, args, state, (caller, at))?;
        // The summary of a circle leaves open what is returned.
        let ret = self.cx.module.funcs[id].ret.filter(|_| value.is_none());
        Some((state, ret.map_or(value, |ty| Some(values::fresh(self.terms(), "returned", ty)))))
    }

    /// Executes the procedure, and once for all the further activations of what calls itself in it.
    fn procedure(&mut self, root: FuncId) -> Option<(State, Option<Val>)> {
        let func = &self.cx.module.funcs[root];
        let params: Vec<Val> =
            func.params.iter().map(|p| values::fresh(self.terms(), "param", p.ty)).collect();
        let args = params.clone();
        self.in_procedure().params = params;
        let cpu = self.in_procedure().called_on.cpu;
        let state = State::initial(&self.thread.terms, cpu);
        let exit = self.execute(root, args, state, None, None);
        let mut done = BTreeSet::new();
        while let Some(next) = self.called_again().into_iter().find(|f| !done.contains(f)) {
            done.insert(next);
            self.further_activation(next);
        }
        self.check_given_back();
        exit
    }

    fn called_again(&self) -> Vec<FuncId> {
        self.procedure.iter().flat_map(|p| p.candidates.args.keys().copied()).collect()
    }

    fn in_procedure(&mut self) -> &mut Procedure {
        self.procedure.as_mut().expect("a procedure is summarized")
    }

    /// A call of a function that is active: what it does is in the further activations; here, what it leaves.
    pub(super) fn call_again(
        &mut self,
        id: FuncId,
        args: &[Val],
        state: State,
        at: Option<LocId>,
    ) -> (State, Option<Val>) {
        let mut state = state;
        state.looked = Default::default();
        let known = self.same_arguments(id, args);
        let tru = self.thread.terms.tru();
        for (n, &v) in args.iter().enumerate() {
            if known.get(n).is_none_or(|&a| a == Arg::Any) {
                self.publish(&mut state, v, tru);
            }
        }
        for i in 0..self.thread.locks.len() {
            self.check_kept(&state, i);
        }
        self.after_activations(&mut state, id);
        self.thread.ledger.record(AssumptionKind::Summary, self.cx.module.funcs[id].name.clone(), at);
        let value = self.cx.module.funcs[id].ret.map(|ty| values::fresh(self.terms(), "again", ty));
        (state, value)
    }

    /// What some activations, nobody knows how many, leave of the locks that are held and of the registrations.
    fn after_activations(&mut self, state: &mut State, id: FuncId) {
        state.cpu = self.some_cpu();
        let candidates = self.in_procedure().candidates.clone();
        if !seeded(Fault::RecursionKeepsLocks) {
            for i in 0..self.thread.locks.len() {
                if candidates.not_kept.contains(&self.thread.locks[i].key) {
                    state.held.forget(i, &self.thread.terms);
                }
            }
            for lock in candidates.anywhere.values() {
                self.release_anywhere(state, lock.clone());
            }
        }
        let effects = crate::infer::mod_ref(self.cx.module, self.cx.calls, id);
        self.registered_anywhere(state, &effects);
    }

    /// An instruction gives back locks, nobody knows which of its kind.
    fn release_anywhere(&mut self, state: &mut State, lock: Lock) {
        let given = self.lock_anywhere(lock);
        self.thread.releases.insert(self.thread.locks[given].class.clone());
        let terms = &self.thread.terms;
        state.held.forget(given, terms);
        // Whether a caller's lock is among them, the instances ask.
        for i in 0..self.thread.locks.len() {
            if !self.apart(&self.thread.locks[i], &self.thread.locks[given]) {
                state.held.set_taken(i, terms.fals(), terms);
            }
        }
    }

    /// What the arguments always are; candidates that do not hold here are dropped.
    fn same_arguments(&mut self, id: FuncId, args: &[Val]) -> Vec<Arg> {
        let here: Vec<Arg> = args.iter().map(|&v| self.argument(v)).collect();
        let p = self.in_procedure();
        match p.candidates.args.get(&id) {
            None => p.drop_candidate(|c| c.args.insert(id, here.clone()).is_none()),
            Some(before) => {
                let both = |n: usize| match (before.get(n), here.get(n)) {
                    (Some(a), Some(b)) if a == b || seeded(Fault::RecursionKeepsArguments) => *a,
                    _ => Arg::Any,
                };
                let met: Vec<Arg> = (0..before.len().max(here.len())).map(both).collect();
                let changed = met != *before;
                p.drop_candidate(|c| {
                    c.args.insert(id, met);
                    changed
                });
            }
        }
        self.in_procedure().candidates.args[&id].clone()
    }

    fn argument(&self, v: Val) -> Arg {
        let p = self.procedure.as_ref().expect("a procedure is summarized");
        if let Some(n) = p.params.iter().position(|&q| q == v) {
            return Arg::Param(n);
        }
        let int = |t: TermId| self.thread.terms.as_int(t);
        match v {
            Val::Int(t, None) => int(t).map_or(Arg::Any, Arg::Int),
            Val::Ptr(Pointer { addr, .. }) => match (int(addr.obj), int(addr.off)) {
                (Some(obj), Some(off)) => Arg::Place(obj, off),
                _ => Arg::Any,
            },
            Val::Int(_, Some(_)) | Val::Bool(_) | Val::Opaque => Arg::Any,
        }
    }

    /// Executes a function as in any activation but the first.
    fn further_activation(&mut self, id: FuncId) {
        let known = self.in_procedure().candidates.args[&id].clone();
        let func = &self.cx.module.funcs[id];
        let args: Vec<Val> =
            func.params.iter().enumerate().map(|(n, p)| self.any_argument(p.ty, known.get(n))).collect();
        let mut state = self.initial_state();
        self.after_activations(&mut state, id);
        self.in_procedure().further = true;
        let exit = if self.cx.cfgs[&id].irreducible {
            Some(self.summarize(id, &args, state, None, None))
        } else {
            self.execute(id, args, state, None, None)
        };
        self.in_procedure().further = false;
        let Some((mut state, value)) = exit else { return };
        if let Some(v) = value {
            let tru = self.thread.terms.tru();
            self.publish(&mut state, v, tru);
        }
        for i in 0..self.thread.locks.len() {
            self.check_kept(&state, i);
        }
    }

    fn any_argument(&mut self, ty: Ty, known: Option<&Arg>) -> Val {
        let v = match known {
            Some(&Arg::Param(n)) => Some(self.in_procedure().params[n]),
            Some(&Arg::Int(k)) => Some(Val::Int(self.terms().int(k), None)),
            Some(&Arg::Place(obj, off)) => {
                let (obj, off) = (self.terms().int(obj), self.terms().int(off));
                Some(Val::Ptr(Pointer { addr: Addr { obj, off }, path: None, span: None }))
            }
            Some(Arg::Any) | None => None,
        };
        match v {
            Some(v) if kind_fits(v, ty) => v,
            _ => values::fresh(self.terms(), "argument", ty),
        }
    }

    /// Drops the candidate that a lock is kept, if that cannot be seen here: where it was held on entry, it is held.
    fn check_kept(&mut self, state: &State, i: usize) {
        let terms = &self.thread.terms;
        let kept = terms.as_bool(state.held.kept(i, terms)) == Some(true);
        if !kept && !state.held.surely(i, terms) {
            let key = self.thread.locks[i].key;
            self.in_procedure().drop_candidate(|c| c.not_kept.insert(key));
        }
    }

    /// Notes the lock that an instruction gives back.
    pub(super) fn note_given_back(&mut self, i: usize) {
        let p = self.in_procedure();
        if p.further {
            p.given_back.push(i);
        }
    }

    /// What further activations give back may be any other lock of the kind, whenever that is mentioned.
    fn check_given_back(&mut self) {
        let given = std::mem::take(&mut self.in_procedure().given_back);
        for g in given {
            let addr = self.thread.locks[g].addr;
            let lock = self.thread.locks[g].clone();
            let wild = !self.is_of_entry(addr) || self.in_procedure().candidates.not_kept.contains(&lock.key);
            if wild {
                self.in_procedure().drop_candidate(|c| {
                    let new = !c.anywhere.contains_key(&lock.kind());
                    c.anywhere.entry(lock.kind()).or_insert(lock);
                    new
                });
            }
            for i in (0..self.thread.locks.len()).filter(|&i| i != g) {
                let (lock, other) = (&self.thread.locks[i], &self.thread.locks[g]);
                if lock.addr != addr && !self.apart(lock, other) && lock.key.2 != ANYWHERE {
                    let key = lock.key;
                    self.in_procedure().drop_candidate(|c| c.not_kept.insert(key));
                }
            }
        }
    }

    /// Whether an address is one over constants and the parameters of the first activation.
    fn is_of_entry(&self, addr: Addr) -> bool {
        let p = self.procedure.as_ref().expect("a procedure is summarized");
        let params = p.params.iter().filter_map(|v| v.pointer());
        let known: HashSet<TermId> = params.flat_map(|p| [p.addr.obj, p.addr.off]).collect();
        let all = self.thread.terms.reachable(&[addr.obj, addr.off], |_| false);
        all.into_iter().all(|t| !matches!(self.thread.terms.get(t), Term::Var(_)) || known.contains(&t))
    }

    /// Whether what gives back the second lock surely leaves the first, as far as regions and types tell.
    pub(super) fn apart(&self, kept: &Lock, given: &Lock) -> bool {
        let (Some(region), Some(other)) = (kept.region, given.region) else {
            return kept.class != given.class;
        };
        let external = other == self.cx.points_to.external();
        kept.class != given.class
            || region != other
            || !self.cx.layout.may_overlap(external, kept.shape, given.shape)
    }

    fn summary(mut self, exit: Option<(State, Option<Val>)>) -> Summary {
        self.access_in_circles();
        let exit = exit.map(|(mut state, value)| {
            // What the procedure has made may be given to the caller; what is in it is not followed.
            for id in 0..self.locals.len() {
                if !self.locals[id].stack && state.memory.object(id).is_some() {
                    self.forget_content(&mut state, id);
                }
            }
            (state, value)
        });
        self.compress();
        let exit = self.fold_locks(exit);
        let Procedure { params, called_on, .. } = self.procedure.take().expect("a procedure is summarized");
        let fates = self.fates(&params);
        let locals = self.locals.iter().map(|l| (l.key, l.size)).collect();
        let at_exit = || exit.iter().map(|(state, _)| &state.held);
        let anywhere = || at_exit().chain(self.thread.sites.iter().map(|s| &s.held));
        let left = self.locks_where(at_exit(), Lockset::is_changed);
        let changed = self.locks_where(anywhere(), Lockset::is_changed);
        let given_back = self.locks_where(anywhere(), Lockset::is_given_back);
        let thread = self.thread;
        Summary {
            thread,
            params,
            called_on,
            fates,
            changed,
            given_back,
            left,
            exit,
            locals,
            of_circle: false,
        }
        .collected(self.cx)
    }

    /// Where a summary speaks of too many locks: of those whose addresses the procedure has loaded, it only says which
    /// kinds it may give back, at any time.
    fn fold_locks(&mut self, exit: Option<(State, Option<Val>)>) -> Option<(State, Option<Val>)> {
        let places =
            || self.thread.sites.iter().map(|s| &s.held).chain(exit.iter().map(|(state, _)| &state.held));
        let changed = self.locks_where(places(), Lockset::is_changed);
        if changed.iter().filter(|&&changed| changed).count() <= MAX_LOCKS {
            return exit;
        }
        let given_back = self.locks_where(places(), Lockset::is_given_back);
        let is_own = |i: &usize| {
            self.thread.locks[*i].key.2 != ANYWHERE && !self.is_of_entry(self.thread.locks[*i].addr)
        };
        let own: Vec<usize> = (0..changed.len()).filter(|i| changed[*i]).filter(is_own).collect();
        let mut kinds = BTreeSet::new();
        for &i in own.iter().filter(|i| given_back[**i]) {
            let lock =
                Lock { key: (FuncId::new(0), InstId::new(0), ANYWHERE), ..self.thread.locks[i].clone() };
            kinds.insert(self.lock_anywhere(lock));
        }
        let mut folded = HashMap::new();
        let mut fold = |held: &mut Lockset, terms: &Terms| {
            let new = folded.entry(held.address()).or_insert_with(|| {
                let mut new = held.clone();
                for &i in &own {
                    new.set_taken(i, terms.fals(), terms);
                    new.set_kept(i, terms.tru(), terms);
                }
                kinds.iter().for_each(|&i| new.forget(i, terms));
                (held.clone(), new)
            });
            *held = new.1.clone();
        };
        for site in &mut self.thread.sites {
            fold(&mut site.held, &self.thread.terms);
        }
        exit.map(|(mut state, value)| {
            fold(&mut state.held, &self.thread.terms);
            (state, value)
        })
    }

    /// Per lock: whether this is so somewhere.
    fn locks_where<'a>(
        &self,
        places: impl Iterator<Item = &'a Lockset>,
        is: impl Fn(&Lockset, usize, &Terms) -> bool,
    ) -> Vec<bool> {
        let mut somewhere = vec![false; self.thread.locks.len()];
        let mut seen = HashSet::new();
        for held in places.filter(|held| seen.insert(held.address())) {
            for (i, known) in somewhere.iter_mut().enumerate().take(held.known()) {
                *known |= is(held, i, &self.thread.terms);
            }
        }
        somewhere
    }

    fn fates(&self, params: &[Val]) -> Vec<Fate> {
        let t = &self.thread;
        let vars = |objects: Vec<TermId>| -> HashSet<VarId> {
            let all = t.terms.reachable(&objects, |_| false);
            all.into_iter()
                .filter_map(|x| if let Term::Var(v) = t.terms.get(x) { Some(v) } else { None })
                .collect()
        };
        let objects = |write: bool| {
            let sites = t.sites.iter().filter(move |s| s.write || !write).map(|s| s.addr.obj);
            let hidden = t.hidden.iter().map(|h| h.addr.obj);
            sites.chain(hidden).chain(self.unfollowed.iter().copied())
        };
        let read = vars(objects(false).chain(t.loads.iter().map(|l| l.addr.obj)).collect());
        let written = vars(objects(true).collect());
        let stored = t.sites.iter().filter_map(|s| s.value).chain(t.hidden.iter().filter_map(|h| h.value));
        let known = t.kept.iter().chain(&self.unfollowed).copied();
        let handles = t.events.iter().map(|e| e.handle.obj);
        let kept = vars(stored.map(|a| a.obj).chain(known).chain(handles).collect());
        let fate = |v: &Val| match v.pointer().map(|p| t.terms.get(p.addr.obj)) {
            Some(Term::Var(v)) => {
                Fate { read: read.contains(&v), written: written.contains(&v), kept: kept.contains(&v) }
            }
            _ => Fate { read: true, written: true, kept: true },
        };
        params.iter().map(fate).collect()
    }
}
