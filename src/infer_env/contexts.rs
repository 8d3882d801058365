//! How each function is called, and each member: with which locks held and with whose memory. Top-down, intersected
//! over all calls.

use super::digest::{Call, Lock, Target};
use super::locks::{Facts, weaker};
use super::path::{Base, Member, Path};
use super::program::{Func, Program};
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
    /// The most restricted context of a call.
    pub level: Level,
}

impl Context {
    fn nothing(level: Level) -> Context {
        Context { locks: BTreeSet::new(), owned: BTreeSet::new(), level }
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
    unseen: &'p Unseen,
    world: World,
    known: &'p Model,
) -> Search<'p> {
    let kept = kept(program, world);
    let roots = Roots { program, unseen, world, leaked: leaked(program), called: BTreeSet::new() };
    let mut search = Search { program, facts, roots, kept, contexts: Contexts::default(), work: VecDeque::new() };
    search.sites();
    for member in search.contexts.sites.keys().cloned().collect::<Vec<_>>() {
        if !search.roots.of_member(&member).is_empty() {
            search.reach_member(&member, &Context::nothing(level(known, &member)));
        }
    }
    for func in program.funcs.keys() {
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

/// The members that are read to be called elsewhere, by nobody knows whom.
fn leaked(program: &Program) -> BTreeSet<Member> {
    program.funcs.values().flat_map(|func| &func.digest.leaked).cloned().collect()
}

/// Who may be called by somebody of whom nothing is known.
pub struct Roots<'p> {
    program: &'p Program,
    unseen: &'p Unseen,
    world: World,
    leaked: BTreeSet<Member>,
    called: BTreeSet<Member>,
}

impl Roots<'_> {
    /// Why a member may be.
    pub fn of_member(&self, member: &Member) -> Vec<&'static str> {
        let elsewhere = self.world == World::Open && self.unseen.fields.contains(&member.field);
        let reasons = [
            (elsewhere, "a file that was not given names it as a call"),
            (self.leaked.contains(member), "what is there is read to be called elsewhere"),
        ];
        which(reasons)
    }

    /// Why a function may be.
    pub fn of_function(&self, func: Func) -> Vec<&'static str> {
        let digest = &self.program.funcs[func].digest;
        let stored = &self.program.stored_in[func];
        let open = self.world == World::Open;
        let seen = !self.program.callers[func].is_empty()
            || stored.iter().any(|member| self.called.contains(member));
        let elsewhere = digest.external && open && self.unseen.functions.contains(&digest.name);
        let reasons = [
            (self.program.escaped.contains(&func), "its address goes where it is not followed"),
            (!seen, "no call of it is seen"),
            (elsewhere, "a file that was not given names it"),
            (
                open && stored.iter().any(|member| !self.called.contains(member)),
                "it is in a member that is called elsewhere",
            ),
        ];
        which(reasons)
    }
}

fn which<const N: usize>(reasons: [(bool, &'static str); N]) -> Vec<&'static str> {
    reasons.into_iter().filter_map(|(holds, why)| holds.then_some(why)).collect()
}

/// What each function keeps of its parameters and its own objects.
fn kept(program: &Program, world: World) -> SecondaryMap<Func, BTreeSet<Base>> {
    let mut kept: SecondaryMap<Func, BTreeSet<Base>> = SecondaryMap::new();
    for func in program.components.iter().flatten().chain(program.components.iter().flatten()) {
        let digest = &program.funcs[*func].digest;
        let whole = |path: &Path| path.derefs.is_empty().then(|| path.base.clone());
        let mut mine: BTreeSet<Base> = digest.kept.iter().filter_map(whole).collect();
        for call in program.calls(*func) {
            for (i, arg) in call.args.iter().enumerate() {
                let Some(base) = arg.as_ref().and_then(whole) else { continue };
                let keeps = match (&call.target, program.callee(call)) {
                    (_, Some(callee)) => kept[callee].contains(&Base::Param(i as u32)),
                    (Target::Function(_), None) => world == World::Open,
                    _ => false,
                };
                if keeps {
                    mine.insert(base);
                }
            }
        }
        kept[*func] = mine;
    }
    kept
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
    kept: SecondaryMap<Func, BTreeSet<Base>>,
    work: VecDeque<Func>,
}

impl Search<'_> {
    /// Who calls through which member, which the roots rest on.
    fn sites(&mut self) {
        for (func, function) in self.program.funcs.iter() {
            for call in self.program.calls(func) {
                if let Target::Member(member) = &call.target {
                    let site = Site {
                        file: function.file.clone(),
                        line: call.line,
                        function: plain(&function.digest.name),
                    };
                    self.contexts.sites.entry(member.clone()).or_default().insert(site);
                    self.roots.called.insert(member.clone());
                }
            }
        }
    }

    fn function(&mut self, func: Func) {
        let program = self.program;
        for (at, call) in program.calls(func).enumerate() {
            let context = self.at_call(func, at, call);
            match (&call.target, program.callee(call)) {
                (_, Some(callee)) => self.reach_function(callee, &context),
                (Target::Member(member), None) => self.reach_member(member, &context),
                _ => {}
            }
        }
    }

    /// What the callee gets at a call.
    pub fn at_call(&self, func: Func, at: usize, call: &Call) -> Context {
        let mine = self.contexts.funcs[func].as_ref().expect("only functions with a context are in the list");
        let state = &self.facts[func].calls[at];
        let outer = mine.locks.iter().filter(|lock| !state.dropped.iter().any(|d| d.may_be(lock)));
        let mut locks = BTreeSet::new();
        for lock in state.held.iter().chain(outer) {
            let Some(path) = &lock.path else { continue };
            if matches!(path.base, Base::Global(_)) {
                locks.insert(lock.clone());
            }
            for (i, arg) in call.args.iter().enumerate() {
                let path = arg.as_ref().and_then(|arg| path.seen_from(i as u32, arg));
                if path.is_some() {
                    locks.insert(Lock { path, ..lock.clone() });
                }
            }
        }
        let owned = call.args.iter().enumerate().filter(|(_, arg)| {
            arg.as_ref().is_some_and(|path| {
                let own = match &path.base {
                    Base::Stack(_) | Base::Fresh(_) => true,
                    Base::Param(i) => mine.owned.contains(i),
                    _ => false,
                };
                own && path.derefs.is_empty() && !self.kept[func].contains(&path.base)
            })
        });
        Context { locks, owned: owned.map(|(i, _)| i as u32).collect(), level: mine.level }
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
