//! The symbolic executor: functions, blocks, joins, loops and calls.
//!
//! Blocks are visited once, in reverse postorder; states meet at joins. A loop is cut at its head: the
//! body is executed once from a state in which everything that the body changes is arbitrary, so that
//! one pass stands for every iteration. What the body changes is found by trying: the back edge's state
//! is compared with the head's, and while it changed something that was not forgotten at the head, the
//! body is executed again, from the head on, with that forgotten too (the set only grows, so this ends). The proof
//! never unrolls to a bound (design, rule 10).

use super::collect;
use super::flags::{OnEntry, Takers};
use super::hosts::Hosts;
use super::instance::Deferred;
use super::kinds::Kinds;
use super::loops::{Found, Modified};
use super::memory::{self, LocalId, Rest};
use super::procedure::{self, Procedure, Summaries};
use super::references::Counts;
use super::state::State;
use super::thread::*;
use super::turns::Turns;
use super::values::{self, Val};
use crate::analysis::alone::Alone;
use crate::analysis::calls::CallTargets;
use crate::analysis::driven::PartOf;
use crate::analysis::fields;
use crate::analysis::fixed::Fixed;
use crate::analysis::layout::{Layout, Shape};
use crate::analysis::origins::HeldBy;
use crate::analysis::parts::Parts;
use crate::analysis::points_to::PointsTo;
use crate::analysis::sessions::Sessions;
use lockpair_entry_points::{EntryPoint, EntryPointId};
use lockpair_ir::cfg::Cfg;
use lockpair_ir::*;
use lockpair_smt::{Sort, TermId, Terms};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// How often a function may be active at once.
pub const MAX_ACTIVE: usize = 3;
/// In a key: stands for all locks of the instruction's kind, whatever their address.
pub(super) const ANYWHERE: u32 = 3;
/// So many terms are made before inlining is given up.
const MAX_INLINED_TERMS: usize = 500_000;
/// So many terms are made before calls that are not inlined get the empty summary.
const MAX_TERMS: usize = 400_000;
/// Where direct calls alone make a call tree so many budgets large, inlining is not tried: it would be given up after
/// all that the budget allows. (Not all that is called directly is reached.)
const SURELY_OVER: usize = 2;
/// How many calls may be active at once: more than a kernel stack has room for.
const MAX_DEPTH: usize = 256;

/// What the encoding of an entry point needs to know about the module.
pub struct Context<'m> {
    /// The module, with the environment model applied.
    pub module: &'m Module,
    /// Its declared layouts.
    pub layout: &'m Layout<'m>,
    /// Its regions.
    pub points_to: &'m PointsTo,
    /// The targets of its indirect calls.
    pub calls: &'m CallTargets,
    /// The members of globals that keep their initial value.
    pub fixed: &'m Fixed,
    /// Reads that do not give what the thread itself has stored, since others may write there.
    pub not_followed: &'m BTreeSet<(FuncId, InstId)>,
    /// Reads of numbers that are pointers.
    pub read_as_pointers: &'m BTreeSet<(FuncId, InstId)>,
    /// The atomic operations that may take a flag.
    pub takers: &'m Takers,
    /// What ends with a whole.
    pub parts: &'m Parts,
    /// The reads that may say whose turn it is.
    pub turns: &'m Turns,
    /// Where references may be counted.
    pub counts: &'m Counts,
    /// The flags that entry points hold from the beginning.
    pub on_entry: &'m HashMap<EntryPointId, Vec<OnEntry>>,
    /// What is around the devices that entry points get.
    pub driven: &'m HashMap<EntryPointId, PartOf>,
    /// In which sessions entry points run.
    pub sessions: &'m Sessions,
    /// The parameters whose objects belong to what another leads to.
    pub held: &'m HashMap<(EntryPointId, u32), HeldBy>,
    /// Who runs before anything else of the module can.
    pub alone: Option<&'m Alone>,
    /// Who keeps what callbacks get.
    pub hosts: &'m Hosts,
    /// What the environment says of handles, locks and structs.
    pub kinds: &'m Kinds,
    /// The control-flow graph of each defined function.
    pub cfgs: &'m HashMap<FuncId, Cfg>,
    /// The instructions of a function's whole call tree, saturating; recursion makes it the maximum.
    pub inlined_size: &'m HashMap<FuncId, usize>,
    /// The same without calls through pointers: about what inlining all takes at least.
    pub direct_size: &'m HashMap<FuncId, usize>,
    /// Per function: the circle of calls that it is in, if it can call itself.
    pub circles: &'m HashMap<FuncId, usize>,
    /// The functions of circles that are too large to be inlined as often as [`MAX_ACTIVE`] allows.
    pub wide: &'m HashSet<FuncId>,
    /// The summaries of procedures, made when they are first asked for.
    pub summaries: &'m Summaries,
    /// Call trees above this many instructions are replaced by summaries, if inlining all of them takes more
    /// than the budget.
    pub size_limit: usize,
    /// So many instructions are executed before inlining is given up.
    pub budget: usize,
    /// A circle of calls whose inlined calls are more than this many instructions has one summary.
    pub circle_limit: usize,
    /// Whether all encoding is to end, whatever comes out; once it says so, always.
    pub stop: &'m (dyn Fn() -> bool + Sync),
}

impl Context<'_> {
    /// Whether the bytes are those of one member of a struct.
    pub(super) fn is_member(&self, shape: Shape) -> bool {
        fields::of_shape(self.module, self.layout, shape).is_some()
    }
}

pub(super) struct Executor<'c, 'm> {
    pub(super) cx: &'c Context<'m>,
    pub(super) inlining: Inlining,
    pub(super) thread: Thread,
    /// The procedure that is being summarized, if it is not an entry point that is encoded.
    pub(super) procedure: Option<Procedure>,
    /// The objects of other pointers that have got another name that is not followed.
    pub(super) unfollowed: Vec<TermId>,
    pub(super) locals: Vec<Local>,
    pub(super) local_of: HashMap<TermId, LocalId>,
    /// The thread's own objects for globals of which each thread has one.
    pub(super) own_copies: HashMap<GlobalId, LocalId>,
    pub(super) lock_index: HashMap<(String, Addr, LockMode), usize>,
    /// In a procedure: an address that names what stands for all locks of a kind.
    pub(super) locks_anywhere: HashMap<LockKind, Addr>,
    pub(super) learned: HashMap<(FuncId, BlockId), Modified>,
    /// Where what loops have stored may lead.
    pub(super) found_anywhere: BTreeMap<Found, Addr>,
    pub(super) active: Vec<FuncId>,
    /// Calls of circles whose accesses are still to be put in.
    pub(super) deferred: Vec<Deferred>,
    /// What loops change in each iteration.
    pub(super) moving: HashSet<TermId>,
    /// Whether it runs once, so that what it has stored where others may look is followed, too.
    pub(super) follows: bool,
    /// That loops are left where what follows happens, which the condition of what follows does not say; empty if nobody
    /// wants to know.
    pub(super) left_loops: Vec<TermId>,
    /// Who keeps what the callback gets.
    pub(super) host: Option<super::hosts::Known>,
    /// The loops around the current block, through all active calls, outermost first.
    pub(super) loops: Vec<(StackId, BlockId)>,
}

/// An object that the thread made.
#[derive(Clone, Debug)]
pub(super) struct Local {
    pub(super) key: Key,
    pub(super) size: Option<u64>,
    /// Whether it is on the stack: then an unknown function does not keep its address.
    pub(super) stack: bool,
    /// Whether it is the caller's, who looks at it after the call.
    pub(super) callers: bool,
    /// Whether the thread may have freed it.
    pub(super) freed: bool,
    /// The loops around the place where it is made.
    pub(super) loops: Vec<(StackId, BlockId)>,
}

/// One call of a function that is being executed.
pub(super) struct Activation<'f> {
    pub(super) id: FuncId,
    pub(super) func: &'f Function,
    pub(super) values: Vec<Option<Val>>,
    pub(super) stack: StackId,
}

/// How far the execution of a function has come.
#[derive(Default)]
struct Way {
    /// Edges to blocks that are still to be executed.
    incoming: HashMap<BlockId, Vec<(BlockId, State)>>,
    guards: HashMap<BlockId, TermId>,
    heads: HashMap<BlockId, Head>,
    returns: Vec<(State, Option<Val>)>,
}

/// The head of a loop, and all that is needed to begin there again.
struct Head {
    incoming: HashMap<BlockId, Vec<(BlockId, State)>>,
    marks: Marks,
    returns: usize,
    /// After what the body changes was forgotten.
    state: State,
    /// How many objects and locks there were.
    made: [usize; 2],
    /// How much was known of what the body changes.
    known: usize,
}

/// How many of everything there were, to go back to.
struct Marks {
    sites: usize,
    hidden: usize,
    locks: usize,
    events: usize,
    loads: usize,
    carried: usize,
    locals: usize,
    stacks: usize,
    deferred: usize,
    lock_takes: Vec<usize>,
}

/// Encodes an entry point: with its whole call tree, as long as that stays in the budget. How large a
/// tree is cannot be told before, where it calls through pointers.
pub fn encode(cx: &Context, id: EntryPointId, entry: &EntryPoint) -> Thread {
    let least = cx.direct_size.get(&entry.func).copied().unwrap_or(0);
    if cx.budget > 0 && least <= SURELY_OVER.saturating_mul(cx.budget) {
        let mut whole = run(cx, id, entry, Inlining::All);
        if !whole.is_over() {
            whole.compress_summaries();
            return without_garbage(cx, whole.thread);
        }
    }
    let mut exec = run(cx, id, entry, Inlining::Small);
    exec.compress();
    without_garbage(cx, exec.thread)
}

fn without_garbage(cx: &Context, thread: Thread) -> Thread {
    collect::collect(thread, &|shape| cx.is_member(shape), |_| ()).0
}

fn run<'c, 'm>(
    cx: &'c Context<'m>,
    id: EntryPointId,
    entry: &EntryPoint,
    inlining: Inlining,
) -> Executor<'c, 'm> {
    let mut exec = Executor::new(cx, id, inlining);
    let func = &cx.module.funcs[entry.func];
    let mut state = exec.initial_state();
    exec.follows = entry.once;
    exec.make_own_copies(&mut state, entry.func);
    let args = exec.parameters(&mut state, entry, func);
    exec.environment(&mut state, entry, func, &args);
    if cx.alone.is_some_and(|alone| alone.entry == id) {
        state.alone = exec.thread.terms.tru();
    }
    if let Some(&host) = cx.hosts.get(&id) {
        exec.host_on_entry(entry, &args, host);
    }
    if let Some(held) = cx.on_entry.get(&id) {
        exec.flags_on_entry(&mut state, held);
    }
    if let Some((state, result)) = exec.call(entry.func, args, state, None, None) {
        exec.note_left(&state);
        exec.note_returned(&state, result);
        exec.checkpoint(&state, Step::Returns);
        if entry.binds || entry.unbinds {
            exec.note_registered(&state, result);
        }
        if cx.sessions.begins(id) {
            exec.note_begun(&state, result);
        }
        if let Some(result) = result {
            exec.lose(result);
        }
    }
    exec.access_in_circles();
    exec
}

/// How a call is taken.
enum Treatment {
    Inline,
    /// One more activation in the circle of calls that is being summarized.
    Again,
    Summary,
    Empty,
}

/// Which call trees are inlined.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Inlining {
    /// All that do not recurse; it is given up when the budget is used up.
    All,
    /// Those below the size limit.
    Small,
}

impl<'c, 'm> Executor<'c, 'm> {
    pub(super) fn new(cx: &'c Context<'m>, entry: EntryPointId, inlining: Inlining) -> Self {
        Executor {
            cx,
            inlining,
            thread: Thread {
                entry,
                highest: lockpair_env::schema::Context::HardIrq,
                terms: Terms::new(),
                locals: Vec::new(),
                made_by: Vec::new(),
                on_stack: Vec::new(),
                lost: Vec::new(),
                repeated: Vec::new(),
                kept: BTreeSet::new(),
                spread: BTreeSet::new(),
                given: Vec::new(),
                sites: Vec::new(),
                hidden: Vec::new(),
                locks: Vec::new(),
                events: Vec::new(),
                loads: Vec::new(),
                carried: Vec::new(),
                named: Vec::new(),
                followed: Vec::new(),
                handles: Vec::new(),
                bound: Vec::new(),
                same: Vec::new(),
                host: None,
                hosted: Vec::new(),
                stacks: Vec::new(),
                checkpoints: Vec::new(),
                releases: BTreeSet::new(),
                left: Vec::new(),
                strays: Vec::new(),
                without: Vec::new(),
                returned: None,
                begun: None,
                unbinding: None,
                of_own_device: Vec::new(),
                ends: Vec::new(),
                initial: BTreeSet::new(),
                several: BTreeSet::new(),
                ledger: Ledger::default(),
                instructions: 0,
            },
            procedure: None,
            unfollowed: Vec::new(),
            locals: Vec::new(),
            local_of: HashMap::new(),
            own_copies: HashMap::new(),
            lock_index: HashMap::new(),
            locks_anywhere: HashMap::new(),
            learned: HashMap::new(),
            found_anywhere: BTreeMap::new(),
            deferred: Vec::new(),
            active: Vec::new(),
            loops: Vec::new(),
            moving: HashSet::new(),
            follows: false,
            left_loops: Vec::new(),
            host: None,
        }
    }

    pub(super) fn terms(&mut self) -> &mut Terms {
        &mut self.thread.terms
    }

    fn parameters(&mut self, state: &mut State, entry: &EntryPoint, func: &Function) -> Vec<Val> {
        let mut args = Vec::with_capacity(func.params.len());
        for (i, p) in func.params.iter().enumerate() {
            if p.ty == Ty::Ptr && entry.call_owned.contains(&(i as u32)) {
                let subject = format!("{}: argument {i} of {}", entry.role, entry.name);
                self.thread.ledger.record(AssumptionKind::CallOwned, subject, func.loc);
                let key = (entry.func, InstId::new(0), 1 + i as u32);
                let id = self.new_local(state, key, None, true, Rest::Arbitrary);
                self.locals[id].callers = true;
                let zero = self.terms().int(0);
                args.push(Val::Ptr(Pointer {
                    addr: Addr { obj: self.local_term(id), off: zero },
                    path: None,
                    span: None,
                }));
            } else {
                let hint = if p.name.is_empty() { format!("arg{i}") } else { p.name.clone() };
                let v = values::fresh(self.terms(), &hint, p.ty);
                let part_of = self.cx.driven.get(&self.thread.entry).filter(|_| i == 0);
                let declared = || p.decl.and_then(|ty| self.cx.module.pointee(ty));
                let pointee = part_of.map(|part| part.strukt).or_else(declared);
                if part_of.is_some() {
                    let subject = format!("{}: its device is one of its driver's bus", entry.role);
                    self.thread.ledger.record(AssumptionKind::Environment, subject, func.loc);
                }
                let whole = self.at_start(v, pointee, None);
                let param = Some(i as u32);
                let holder = self.holder(i, &args);
                self.give(v, pointee, (param, holder));
                args.push(part_of.map_or(whole, |&part| self.part_at(whole, part)));
            }
        }
        args
    }

    /// The pointer to a part of what the pointer leads to.
    fn part_at(&mut self, whole: Val, PartOf { strukt, offset }: PartOf) -> Val {
        match whole {
            Val::Ptr(p) => {
                let by = self.terms().int(offset.into());
                let addr = values::advance(self.terms(), p.addr, by);
                Val::Ptr(Pointer { addr, path: Some((strukt, by)), span: None })
            }
            Val::Bool(_) | Val::Int(..) | Val::Opaque => whole,
        }
    }

    /// A pointer to a struct that lies at the start of its allocation, and where it was read from: what closes a ring there may
    /// lead to the ring's head instead.
    pub(super) fn at_start(&mut self, v: Val, pointee: Option<TypeId>, from: Option<(Shape, Addr)>) -> Val {
        let is_first = pointee.is_some_and(|ty| self.cx.kinds.first.contains(&ty));
        let (Val::Ptr(p), true) = (v, is_first) else { return v };
        let off = self.terms().int(0);
        let start = Pointer { addr: Addr { off, ..p.addr }, ..p };
        let Some((shape, at)) = from.filter(|(shape, _)| self.cx.layout.closes_ring(*shape)) else {
            return Val::Ptr(start);
        };
        // Who does not come from the head does not know which one is at the end.
        let Some(link) = self.cx.layout.link_of_head(shape) else { return v };
        let back = self.terms().int(-i128::from(link));
        let head = Pointer { addr: values::advance(self.terms(), at, back), path: None, span: None };
        let is_empty = self.terms().fresh("at the end", Sort::Bool, None);
        values::ite(
            self.terms(),
            is_empty,
            Val::Ptr(head),
            Val::Ptr(Pointer { path: None, span: None, ..start }),
        )
    }

    /// Notes that code outside gives the value, as that parameter of the entry point if it is one.
    pub(super) fn give(
        &mut self,
        v: Val,
        pointee: Option<TypeId>,
        (param, holder): (Option<u32>, Option<Addr>),
    ) {
        let given = self.object_var(v).map(|var| Given { var, pointee, param, holder });
        self.thread.given.extend(given);
    }

    /// Where an earlier parameter leads to what the object of this one belongs to for good.
    fn holder(&mut self, param: usize, args: &[Val]) -> Option<Addr> {
        let held = self.cx.held.get(&(self.thread.entry, u32::try_from(param).ok()?))?;
        let Val::Ptr(Pointer { addr, .. }) = *args.get(held.by as usize)? else { return None };
        let offset = self.terms().int(held.offset.into());
        Some(values::advance(self.terms(), addr, offset))
    }

    /// The variable that stands for the object of a fresh pointer.
    pub(super) fn object_var(&self, v: Val) -> Option<lockpair_smt::VarId> {
        match v {
            Val::Ptr(p) => match self.thread.terms.get(p.addr.obj) {
                lockpair_smt::Term::Var(var) => Some(var),
                _ => None,
            },
            Val::Bool(_) | Val::Int(..) | Val::Opaque => None,
        }
    }

    /// Makes an object that only this thread knows.
    pub(super) fn new_local(
        &mut self,
        state: &mut State,
        key: Key,
        size: Option<u64>,
        stack: bool,
        rest: Rest,
    ) -> LocalId {
        let term = self.terms().fresh("object", Sort::Int, None);
        let lockpair_smt::Term::Var(var) = self.thread.terms.get(term) else {
            unreachable!("a fresh variable")
        };
        let id = self.locals.len();
        let loops = self.loops.clone();
        self.locals.push(Local { key, size, stack, callers: false, freed: false, loops });
        self.thread.locals.push(var);
        self.thread.made_by.push(key);
        self.thread.on_stack.push(stack);
        self.thread.lost.push(false);
        self.thread.repeated.push(BTreeSet::new());
        self.local_of.insert(term, id);
        state.memory.insert(id, Arc::new(memory::Content::new(rest)));
        id
    }

    pub(super) fn local_term(&self, id: LocalId) -> TermId {
        self.thread.terms.var_term(self.thread.locals[id])
    }

    pub(super) fn local_id(&self, term: TermId) -> Option<LocalId> {
        self.local_of.get(&term).copied()
    }

    /// Executes a call of a defined function; none if it does not return.
    pub(super) fn call(
        &mut self,
        id: FuncId,
        args: Vec<Val>,
        state: State,
        caller: Option<StackId>,
        at: Option<LocId>,
    ) -> Option<(State, Option<Val>)> {
        if self.gives_up() || (self.cx.stop)() {
            return None;
        }
        match self.treatment(id) {
            Treatment::Inline => self.execute(id, args, state, caller, at),
            // What a summary registers is not told apart here.
            _ if state.alone != self.thread.terms.fals() => {
                let alone = self.thread.terms.fals();
                self.call(id, args, State { alone, ..state }, caller, at)
            }
            Treatment::Again => Some(self.call_again(id, &args, state, at)),
            Treatment::Summary => self.summarized(id, &args, state, caller, at),
            Treatment::Empty => Some(self.summarize(id, &args, state, caller, at)),
        }
    }

    /// Executes a function.
    pub(super) fn execute(
        &mut self,
        id: FuncId,
        args: Vec<Val>,
        state: State,
        caller: Option<StackId>,
        at: Option<LocId>,
    ) -> Option<(State, Option<Val>)> {
        self.active.push(id);
        let result = self.body(id, &args, state, caller, at);
        self.active.pop();
        result
    }

    /// How a call of the function is taken. A function may be active more than once without recursion, where it
    /// calls back through a pointer. Sizes do not count that, so there is a budget for those below the limit, too.
    fn treatment(&self, id: FuncId) -> Treatment {
        if self.cx.cfgs[&id].irreducible {
            return Treatment::Empty;
        }
        if self.active.is_empty() {
            return Treatment::Inline;
        }
        let times = self.active.iter().filter(|&&f| f == id).count();
        if let Some(procedure) = &self.procedure
            && procedure.is_in_circle(self.cx, id)
        {
            let again = times > 0 || procedure.flat;
            return if again { Treatment::Again } else { Treatment::Inline };
        }
        let too_large = self.cx.inlined_size.get(&id).is_some_and(|&n| n > self.cx.size_limit)
            || self.thread.instructions > self.cx.budget.max(procedure::BUDGET);
        let too_deep = self.active.len() >= MAX_DEPTH || times >= MAX_ACTIVE;
        let recurses = self.cx.wide.contains(&id)
            || self.inlining == Inlining::Small && self.cx.circles.contains_key(&id);
        if too_deep || recurses || too_large && self.inlining == Inlining::Small {
            // Instances cost terms: there is an end to that, too.
            if self.thread.terms.len() > MAX_TERMS { Treatment::Empty } else { Treatment::Summary }
        } else {
            Treatment::Inline
        }
    }

    /// Whether the entry point with everything inlined is too large.
    fn is_over(&self) -> bool {
        self.thread.instructions > self.cx.budget || self.thread.terms.len() > MAX_INLINED_TERMS
    }

    /// Whether the budget is used up: what comes out is thrown away.
    pub(super) fn gives_up(&self) -> bool {
        match &self.procedure {
            None => self.inlining == Inlining::All && self.is_over(),
            Some(p) => {
                let Thread { instructions, terms, .. } = &self.thread;
                !p.flat && (*instructions > procedure::BUDGET || terms.len() > procedure::MAX_TERMS)
            }
        }
    }

    fn marks(&self) -> Marks {
        Marks {
            sites: self.thread.sites.len(),
            hidden: self.thread.hidden.len(),
            locks: self.thread.locks.len(),
            events: self.thread.events.len(),
            loads: self.thread.loads.len(),
            carried: self.thread.carried.len(),
            locals: self.locals.len(),
            stacks: self.thread.stacks.len(),
            deferred: self.deferred.len(),
            lock_takes: self.thread.locks.iter().map(|l| l.taken.len()).collect(),
        }
    }

    fn roll_back(&mut self, m: &Marks) {
        self.thread.sites.truncate(m.sites);
        self.thread.hidden.truncate(m.hidden);
        self.thread.events.truncate(m.events);
        self.thread.loads.truncate(m.loads);
        self.thread.carried.truncate(m.carried);
        self.thread.locals.truncate(m.locals);
        self.thread.made_by.truncate(m.locals);
        self.thread.on_stack.truncate(m.locals);
        self.thread.lost.truncate(m.locals);
        self.thread.repeated.truncate(m.locals);
        self.thread.stacks.truncate(m.stacks);
        self.deferred.truncate(m.deferred);
        self.locals.truncate(m.locals);
        self.local_of.retain(|_, id| *id < m.locals);
        // What a procedure mentions in a loop, it may have given back before it comes there again.
        if self.procedure.is_none() {
            self.thread.locks.truncate(m.locks);
            self.lock_index.retain(|_, i| *i < m.locks);
        }
        for (lock, n) in self.thread.locks.iter_mut().zip(&m.lock_takes) {
            lock.taken.truncate(*n);
        }
    }

    fn body(
        &mut self,
        id: FuncId,
        args: &[Val],
        state: State,
        caller: Option<StackId>,
        at: Option<LocId>,
    ) -> Option<(State, Option<Val>)> {
        let module = self.cx.module;
        let func = &module.funcs[id];
        let cfg = &self.cx.cfgs[&id];
        self.thread.stacks.push(StackFrame { parent: caller, func: id, call: at });
        let stack = StackId::new(self.thread.stacks.len() - 1);
        let mut act = Activation { id, func, values: vec![None; func.values.len()], stack };
        let mut state = state;
        self.bind_parameters(&mut act, args);
        // Arguments beyond the parameters are read back through memory that we do not follow.
        let tru = self.thread.terms.tru();
        for extra in args.iter().skip(func.params.len()) {
            self.publish(&mut state, *extra, tru);
        }

        let mut way = Way::default();
        let (outside, made_before) = (self.loops.len(), self.locals.len());
        way.incoming.insert(func.entry(), vec![(func.entry(), state)]);
        let mut at = 0;
        while let Some(&b) = cfg.rpo.get(at) {
            self.loops.truncate(outside);
            self.loops.extend(cfg.loops_around(b).map(|l| (stack, l.head)));
            self.block(&mut act, cfg, b, &mut way);
            at = self.restart(id, cfg, b, &mut way).and_then(|head| cfg.position(head)).unwrap_or(at + 1);
        }
        self.loops.truncate(outside);
        for (state, _) in &mut way.returns {
            state.memory.end(made_before, |id| self.locals[id].stack);
        }
        self.returned(way.returns)
    }

    fn block(&mut self, act: &mut Activation, cfg: &Cfg, b: BlockId, way: &mut Way) {
        let head_of = cfg.loop_with_head(b);
        let before = head_of.map(|_| (way.incoming.clone(), self.marks()));
        let Some(edges) = way.incoming.remove(&b) else { return };
        let mut state = self.enter(cfg, b, &edges, &way.guards);
        if head_of.is_some() {
            self.forget_modified(act.id, b, &mut state);
        }
        way.guards.insert(b, state.guard);
        self.phis(act, b, &edges, &mut state, head_of);
        if let Some((incoming, marks)) = before {
            let made = [self.locals.len(), self.thread.locks.len()];
            let (returns, known) = (way.returns.len(), self.known_of(act.id, b));
            way.heads.insert(b, Head { incoming, marks, returns, state: state.clone(), made, known });
        }
        let Some(state) = self.instructions(act, b, state) else { return };
        let block = &act.func.blocks[b];
        if let Terminator::Ret(v) = block.term {
            way.returns.push((state, v.map(|v| self.operand(act, v))));
            return;
        }
        for (succ, cond) in self.branches(act, &block.term) {
            let guard = self.thread.terms.and2(state.guard, cond);
            if self.thread.terms.as_bool(guard) == Some(false) {
                continue;
            }
            let mut edge = State { guard, ..state.clone() };
            self.stay_private(&mut edge, cond);
            if cfg.is_back_edge(b, succ) {
                self.unfollow_phis(act, b, cfg.loop_with_head(succ), &mut edge);
                let head = &way.heads[&succ];
                self.learn(act.id, succ, &head.state, head.made, &edge);
            } else {
                way.incoming.entry(succ).or_default().push((b, edge));
            }
        }
    }

    /// Goes back to the head of a loop that ends with this block, the innermost first, if more is known of what its body
    /// changes than was forgotten there.
    fn restart(&mut self, id: FuncId, cfg: &Cfg, b: BlockId, way: &mut Way) -> Option<BlockId> {
        let ends = |l: &&Loop| l.back_edges.iter().all(|&from| cfg.position(from) <= cfg.position(b));
        let targets = cfg.succs[b].iter().filter(|&&to| cfg.is_back_edge(b, to));
        let ended = targets.filter_map(|&to| cfg.loop_with_head(to)).filter(ends).map(|l| l.head);
        let knows_more =
            |h: &BlockId| way.heads.get(h).is_some_and(|head| head.known < self.known_of(id, *h));
        let head = ended.filter(knows_more).max_by_key(|&h| cfg.position(h))?;
        if self.gives_up() || (self.cx.stop)() {
            return None;
        }
        let before = way.heads.remove(&head)?;
        way.heads.retain(|&other, _| cfg.position(other) < cfg.position(head));
        way.incoming = before.incoming;
        way.returns.truncate(before.returns);
        self.roll_back(&before.marks);
        Some(head)
    }

    fn bind_parameters(&mut self, act: &mut Activation, args: &[Val]) {
        for (i, p) in act.func.params.iter().enumerate() {
            let v = match args.get(i) {
                Some(v) if kind_fits(*v, p.ty) => *v,
                _ => values::fresh(&mut self.thread.terms, "arg", p.ty),
            };
            act.values[p.value.index()] = Some(v);
        }
    }

    /// Executes the instructions of a block after its phis; none if control does not reach its end.
    fn instructions(&mut self, act: &mut Activation, b: BlockId, state: State) -> Option<State> {
        let func = act.func;
        let mut state = state;
        for &i in &func.blocks[b].insts {
            self.thread.instructions += 1;
            state = self.instruction(act, i, state)?;
        }
        Some(state)
    }
}

/// Whether a value can be bound to a parameter of the type (calls through wrong prototypes exist).
pub(super) fn kind_fits(v: Val, ty: Ty) -> bool {
    match (v, ty) {
        (Val::Bool(_), Ty::Int(1)) | (Val::Ptr(_), Ty::Ptr) => true,
        (Val::Int(..), Ty::Int(bits)) => bits > 1 && bits <= 64,
        (Val::Opaque, Ty::Opaque(_)) => true,
        (Val::Opaque, Ty::Int(bits)) => bits > 64,
        _ => false,
    }
}
