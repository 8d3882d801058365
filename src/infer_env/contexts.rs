//! How each function is called, and each member: with which locks held and with whose memory. Top-down, intersected
//! over all calls.

use super::digest::{Call, FunctionDigest, Given, Lock, Returned, Target};
use super::invoke::Invokes;
use super::locks::{Facts, State, weaker};
use super::path::{Base, Member, Offset, Path};
use super::program::{Func, Program};
use super::same::{self, Same};
use super::scan::Unseen;
use lockpair_env::Model;
use lockpair_env::schema::Context as Level;
use lockpair_ir::SecondaryMap;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Whose calls count.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum World {
    /// Files that were not given may call what they name, and keep what they are given.
    Open,
    /// The files that were given are all there is.
    Closed,
}

/// How something is called, as far as that is so at every call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Context {
    /// What is held, over its parameters.
    pub locks: BTreeSet<Lock>,
    /// The parameters that point to objects of this call alone.
    pub owned: BTreeSet<u32>,
    /// What its parameters have to do with each other.
    pub same: BTreeSet<Same>,
    /// The most restricted context of a call.
    pub level: Level,
}

impl Context {
    fn nothing(level: Level) -> Context {
        Context { locks: BTreeSet::new(), owned: BTreeSet::new(), same: BTreeSet::new(), level }
    }

    /// What both have; whether that is less than before.
    fn meet(&mut self, other: &Context) -> bool {
        let before = self.clone();
        let locks = self.locks.iter().filter_map(|lock| {
            let same = other.locks.iter().find(|l| l.path == lock.path && l.class == lock.class)?;
            Some(Lock { mode: weaker(lock.mode, same.mode), ..lock.clone() })
        });
        self.locks = locks.collect();
        self.owned.retain(|param| other.owned.contains(param));
        self.same.retain(|same| other.same.contains(same));
        self.level = self.level.max(other.level);
        *self != before
    }
}

/// A place that calls through a member.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Site {
    /// The file.
    pub file: super::Symbol,
    /// The line.
    pub line: u32,
    /// The function.
    pub function: super::Symbol,
}

/// The contexts of everything.
#[derive(Clone, Debug, Default)]
pub struct Contexts {
    /// Of the functions that are called.
    pub funcs: SecondaryMap<Func, Option<Context>>,
    /// Of the members that are called through.
    pub members: BTreeMap<Member, Context>,
    /// The calls through each member.
    pub sites: BTreeMap<Member, BTreeSet<Site>>,
}

/// Finds the contexts.
pub fn infer<'p>(
    program: &'p Program,
    facts: &'p SecondaryMap<Func, Facts>,
    invokes: &'p Invokes,
    unseen: &'p Unseen,
    world: World,
    known: &'p Model,
) -> Search<'p> {
    let kept = Kept::infer(program, invokes, world);
    let roots = Roots { program, unseen, world, called: BTreeSet::new() };
    let (contexts, work) = (Contexts::default(), VecDeque::new());
    let mut search = Search { program, facts, invokes, roots, kept, contexts, work };
    search.sites();
    for member in search.contexts.sites.keys().cloned().collect::<Vec<_>>() {
        if !search.roots.of_member(&member).is_empty() {
            search.reach_member(&member, &Context::nothing(level(known, &member)));
        }
    }
    for func in program.funcs.keys().filter(|func| !program.is_shadowed(*func)) {
        if !search.roots.of_function(func).is_empty() {
            let stored = program.stored_in[func].iter();
            let level = stored.map(|member| level(known, member)).max().unwrap_or(Level::Process);
            search.reach_function(func, &Context::nothing(level));
        }
    }
    while let Some(func) = search.work.pop_front() {
        search.function(func);
    }
    search
}

/// The context in which a member is called, by the rows that were written by hand: interrupts come from below.
fn level(known: &Model, member: &Member) -> Level {
    let row = known.table(&member.strukt).and_then(|table| table.field(&member.field));
    row.map_or(Level::Process, |row| row.context)
}

/// Who may be called by somebody of whom nothing is known.
pub struct Roots<'p> {
    program: &'p Program,
    unseen: &'p Unseen,
    world: World,
    called: BTreeSet<Member>,
}

impl Roots<'_> {
    /// Why a member may be.
    pub fn of_member(&self, member: &Member) -> Vec<&'static str> {
        let elsewhere = self.world == World::Open && self.unseen.fields.contains(&member.field);
        let reasons = [
            (elsewhere, "a file that was not given names it as a call"),
            (self.program.leaked.contains(member), "what is there is read to be called elsewhere"),
        ];
        which(reasons)
    }

    /// Why a function may be.
    pub fn of_function(&self, func: Func) -> Vec<&'static str> {
        let digest = &self.program.funcs[func].digest;
        let stored = &self.program.stored_in[func];
        let open = self.world == World::Open;
        let seen = !self.program.callers[func].is_empty()
            || self.program.passed.contains(&func)
            || stored.iter().any(|member| self.called.contains(member));
        // Names of functions are found where they are called, in either world; members of all structs share their names.
        let elsewhere = digest.external && self.unseen.functions.contains(&digest.name);
        let leaked = stored.iter().any(|member| self.program.leaked.contains(member));
        let called_elsewhere = |member: &Member| {
            let named = open || self.unseen.fields.contains(&member.field);
            named && !member.is_variable() && !self.called.contains(member)
        };
        let reasons = [
            (self.program.escaped.contains(&func), "its address goes where it is not followed"),
            (leaked, "it is in a member that is read to be called elsewhere"),
            (self.program.ambiguous.contains(&func), "another function has its name"),
            (!seen, "no call of it is seen"),
            (elsewhere, "a file that was not given names it"),
            (stored.iter().any(called_elsewhere), "it is in a member that is called elsewhere"),
        ];
        which(reasons)
    }
}

fn which<const N: usize>(reasons: [(bool, &'static str); N]) -> Vec<&'static str> {
    reasons.into_iter().filter_map(|(holds, why)| holds.then_some(why)).collect()
}

/// What functions do with pointers to whole objects.
#[derive(Default)]
struct Kept {
    /// What each function keeps of its parameters and its own objects.
    kept: SecondaryMap<Func, BTreeSet<Base>>,
    /// The functions that return an object that they have made and that nobody else knows.
    fresh: BTreeSet<Func>,
}

impl Kept {
    fn infer(program: &Program, invokes: &Invokes, world: World) -> Kept {
        let mut kept = Kept::default();
        // What is kept only grows.
        loop {
            let mut changed = false;
            for &func in program.components.iter().flatten() {
                let mine = kept.of_function(program, invokes, world, func);
                changed |= mine != kept.kept[func];
                kept.kept[func] = mine;
            }
            if !changed {
                break;
            }
        }
        for &func in program.components.iter().flatten() {
            let digest = &program.funcs[func].digest;
            let mut returns = digest.blocks.iter().filter_map(|block| block.returns.as_ref()).peekable();
            let gives = digest.gives_pointer && returns.peek().is_some();
            if gives && returns.all(|returned| kept.is_fresh(program, func, returned)) {
                kept.fresh.insert(func);
            }
        }
        kept
    }

    fn of_function(&self, program: &Program, invokes: &Invokes, world: World, func: Func) -> BTreeSet<Base> {
        let digest = &program.funcs[func].digest;
        let mut mine: BTreeSet<Base> = digest.kept.iter().filter_map(whole).collect();
        for call in program.calls(func) {
            for (i, arg) in call.args.iter().enumerate() {
                let Some(base) = arg.as_ref().and_then(whole) else { continue };
                let keeps = match (&call.target, program.callee(call)) {
                    (_, Some(callee)) => self.kept[callee].contains(&Base::Param(i as u32)),
                    (Target::Function(_), None) => world == World::Open,
                    _ => false,
                };
                if keeps {
                    mine.insert(base);
                }
            }
            mine.extend(self.by_given(program, invokes, call));
        }
        add_sources(digest, &mut mine);
        mine
    }

    /// What the functions keep that are arguments.
    fn by_given(&self, program: &Program, invokes: &Invokes, call: &Call) -> BTreeSet<Base> {
        let mut mine = BTreeSet::new();
        for (param, given) in &call.given {
            let Given::Function(name) = given else { continue };
            let (Some(callee), Some(func)) = (program.callee(call), program.by_name.get(name)) else {
                continue;
            };
            for invoke in invokes[callee].iter().filter(|invoke| invoke.param == *param) {
                let (args, _) = invoke.in_caller(call, &State::default());
                let args = args.iter().enumerate().filter_map(|(i, arg)| Some((i, whole(arg.as_ref()?)?)));
                let keeps = |i: usize| self.kept[*func].contains(&Base::Param(i as u32));
                mine.extend(args.filter(|(i, _)| keeps(*i)).map(|(_, base)| base));
            }
        }
        mine
    }

    fn is_fresh(&self, program: &Program, func: Func, returned: &Returned) -> bool {
        match returned {
            Returned::Any | Returned::Value(_, None) => false,
            // Null, or an error.
            Returned::Constant(_) => true,
            Returned::ByEdge(edges) => {
                edges.iter().all(|(_, returned)| self.is_fresh(program, func, returned))
            }
            Returned::Value(_, Some(path)) => {
                let made = match path.base {
                    Base::Fresh(_) => true,
                    Base::Value(value) => self.is_made(program, func, value),
                    _ => false,
                };
                made && *path == Path::of(path.base.clone()) && !self.kept[func].contains(&path.base)
            }
        }
    }

    /// Whether a value is the result of a call that makes an object.
    fn is_made(&self, program: &Program, func: Func, value: u32) -> bool {
        let mut calls = program.calls(func).filter(|call| call.result == Some(value));
        calls.any(|call| program.callee(call).is_some_and(|callee| self.fresh.contains(&callee)))
    }
}

/// Whether an object is passed to one call only, but for functions of which a row says what they do: others may keep it.
fn is_passed_once(program: &Program, func: Func, base: &Base) -> bool {
    let passes = |call: &&Call| call.args.iter().flatten().any(|arg| whole(arg).as_ref() == Some(base));
    let by_row = |call: &Call| program.callee(call).is_some_and(|callee| program.is_row(callee));
    program.calls(func).filter(passes).filter(|call| !by_row(call)).count() == 1
}

/// The object that a path is a pointer into.
fn whole(path: &Path) -> Option<Base> {
    path.derefs.is_empty().then(|| path.base.clone())
}

/// What is kept with a pointer that is one of several.
fn add_sources(digest: &FunctionDigest, kept: &mut BTreeSet<Base>) {
    let mut work: Vec<Base> = kept.iter().cloned().collect();
    while let Some(base) = work.pop() {
        let Base::Value(value) = base else { continue };
        for known in [&digest.origins.one_of, &digest.origins.derived] {
            let sources = known.get(&value).into_iter().flatten().filter_map(whole);
            work.extend(sources.filter(|source| kept.insert(source.clone())));
        }
    }
}

/// The contexts, and what they were found from.
pub struct Search<'p> {
    /// All files.
    pub program: &'p Program,
    /// What is held where.
    pub facts: &'p SecondaryMap<Func, Facts>,
    /// Where nothing is known of the caller.
    pub roots: Roots<'p>,
    /// The contexts.
    pub contexts: Contexts,
    invokes: &'p Invokes,
    kept: Kept,
    work: VecDeque<Func>,
}

/// Who is called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reached {
    /// A function.
    Function(Func),
    /// What is in a member.
    Member(Member),
}

impl Search<'_> {
    /// Who calls through which member, which the roots rest on.
    fn sites(&mut self) {
        let program = self.program;
        for (func, function) in program.funcs.iter().filter(|(func, _)| !program.is_shadowed(*func)) {
            for call in program.calls(func) {
                let given = call.given.iter().filter_map(|(param, given)| match given {
                    Given::Member(member) => Some((member, program.followed(call, *param))),
                    Given::Function(_) => None,
                });
                let called = match &call.target {
                    Target::Member(member) => Some((member, true)),
                    _ => None,
                };
                for (member, followed) in given.chain(called) {
                    let name = plain(&function.digest.name);
                    let site = Site { file: function.file.clone(), line: call.line, function: name };
                    self.contexts.sites.entry(member.clone()).or_default().insert(site);
                    if followed {
                        self.roots.called.insert(member.clone());
                    }
                }
            }
        }
    }

    fn function(&mut self, func: Func) {
        let program = self.program;
        for (at, call) in program.calls(func).enumerate() {
            for (reached, context) in self.reached(func, at, call) {
                match reached {
                    Reached::Function(callee) => self.reach_function(callee, &context),
                    Reached::Member(member) => self.reach_member(&member, &context),
                }
            }
        }
    }

    /// Who is called by a call, also as one of its arguments, and how. Only of functions with a context.
    pub fn reached(&self, func: Func, at: usize, call: &Call) -> Vec<(Reached, Context)> {
        let program = self.program;
        let state = &self.facts[func].calls[at];
        let mut all = Vec::new();
        let called = match &call.target {
            Target::Member(member) => Some(Reached::Member(member.clone())),
            _ => program.callee(call).map(Reached::Function),
        };
        all.extend(called.map(|called| (called, self.context(func, state, &call.args))));
        for (param, given) in &call.given {
            let Some(callee) = program.callee(call) else { continue };
            let given = match given {
                Given::Function(name) => program.by_name.get(name).copied().map(Reached::Function),
                Given::Member(member) => Some(Reached::Member(member.clone())),
            };
            let Some(given) = given else { continue };
            for invoke in self.invokes[callee].iter().filter(|invoke| invoke.param == *param) {
                let context = match invoke.in_caller(call, state) {
                    (args, Some(state)) => self.context(func, &state, &args),
                    (_, None) => Context::nothing(self.level_of(func)),
                };
                all.push((given.clone(), context));
            }
        }
        all
    }

    fn level_of(&self, func: Func) -> Level {
        self.contexts.funcs[func].as_ref().map_or(Level::Process, |context| context.level)
    }

    /// What a callee gets with these arguments.
    fn context(&self, func: Func, state: &State, args: &[Option<Path>]) -> Context {
        let Some(mine) = &self.contexts.funcs[func] else { return Context::nothing(Level::Process) };
        let outer = mine.locks.iter().filter_map(|lock| {
            let mode = state.if_held(lock)?;
            Some(Lock { mode, ..lock.clone() })
        });
        let mut locks = BTreeSet::new();
        for lock in state.held.iter().cloned().chain(outer) {
            let Some(path) = &lock.path else { continue };
            if matches!(path.base, Base::Global(_)) {
                locks.insert(lock.clone());
            }
            for (i, arg) in args.iter().enumerate() {
                let Some(arg) = arg else { continue };
                for path in seen_from(path, state, i as u32, arg) {
                    locks.insert(Lock { path: Some(path), ..lock.clone() });
                }
            }
        }
        let owned = args.iter().enumerate().filter(|(_, arg)| {
            arg.as_ref().is_some_and(|path| {
                let own = match &path.base {
                    Base::Stack(_) | Base::Fresh(_) => true,
                    Base::Param(i) => mine.owned.contains(i),
                    Base::Value(value) => {
                        self.kept.is_made(self.program, func, *value)
                            && is_passed_once(self.program, func, &path.base)
                    }
                    Base::Global(_) => false,
                };
                own && path.derefs.is_empty() && !self.kept.kept[func].contains(&path.base)
            })
        });
        let owned = owned.map(|(i, _)| i as u32).collect();
        Context {
            locks,
            owned,
            same: same::of_call(&self.program.funcs[func].digest, &mine.same, args),
            level: mine.level,
        }
    }

    fn reach_function(&mut self, func: Func, context: &Context) {
        let changed = match &mut self.contexts.funcs[func] {
            Some(old) => old.meet(context),
            none => {
                *none = Some(context.clone());
                true
            }
        };
        if changed && !self.work.contains(&func) {
            self.work.push_back(func);
        }
    }

    fn reach_member(&mut self, member: &Member, context: &Context) {
        let changed = match self.contexts.members.get_mut(member) {
            Some(old) => old.meet(context),
            None => {
                self.contexts.members.insert(member.clone(), context.clone());
                true
            }
        };
        if changed {
            let context = self.contexts.members[member].clone();
            for &func in self.program.stored.get(member).into_iter().flatten() {
                self.reach_function(func, &context);
            }
        }
    }
}

/// A name without the file before it.
pub fn plain(name: &str) -> super::Symbol {
    name.rsplit(':').next().unwrap_or(name).into()
}

/// The path of a lock as seen from an argument: behind it, at a distance from it, or behind a pointer that lies in the
/// object on the stack that it leads to.
fn seen_from(lock: &Path, state: &State, param: u32, arg: &Path) -> Vec<Path> {
    let mut all: Vec<Path> = lock.seen_from(param, arg).into_iter().collect();
    if let (true, Offset::At(start)) = (arg.derefs.is_empty(), arg.offset) {
        for ((base, at), pointer) in state.content.range((arg.base.clone(), i64::MIN)..) {
            if *base != arg.base {
                break;
            }
            let slot = Path::of(Base::Param(param)).plus(Offset::At(at - start)).deref();
            let behind = lock.seen_from(param, pointer).zip(slot);
            all.extend(behind.and_then(|(path, slot)| path.rebased(&slot)));
        }
    }
    all
}
