//! What each function does to the memory of its callers: bottom-up, an upper bound.
//!
//! A function of which a part is not followed has no summary, and the reason is kept. Its own objects are left out as
//! long as nobody else can find them.

use super::digest::{Call, Event, FunctionDigest, Given, Returned, Target, parameter};
use super::locks::{Facts, State, in_caller};
use super::path::{Base, Offset, Path};
use super::program::{Func, Program};
use super::rewritten::follows_written;
use super::touch::{Access, Callback, Len, Registration, Touch, Why};
use lockpair_ir::SecondaryMap;
use std::collections::{BTreeMap, BTreeSet};

/// A summary of more steps is of no use.
const MOST: usize = 150;
/// A value that may be one of more is not followed.
const ALTERNATIVES: usize = 8;
/// Pointers that are read one through the other where ways meet, and again.
const DEREFS: u32 = 4;
/// How often functions that call each other are looked at.
const ROUNDS: usize = 6;
/// Results of calls that are fresh objects have names of their own.
const RESULT: u32 = 1 << 31;

/// One thing that a function does.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// What.
    pub what: What,
    /// The locks that it has taken and dropped before.
    pub state: State,
}

/// What is done to whose memory.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum What {
    /// Others may find the object from here on.
    Publish(Path),
    /// It is read or written.
    Access(Access),
    /// It ends.
    Free(Path),
    /// Its callbacks may run from here on.
    Register(Registration),
}

impl What {
    /// Where.
    pub fn path(&self) -> &Path {
        match self {
            What::Publish(path) | What::Free(path) => path,
            What::Access(access) => &access.at,
            What::Register(registration) => &registration.handle,
        }
    }
}

/// What comes back, as far as it is a pointer.
#[derive(Clone, PartialEq, Default, Debug)]
pub enum Gives {
    /// Nothing, a number, or a pointer to what others can find.
    #[default]
    Any,
    /// One of these.
    OneOf(BTreeSet<Path>),
    /// An object that was made for the caller.
    Fresh,
}

/// What a function does.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Summary {
    /// In an order in which nothing is published too late.
    pub steps: Vec<Step>,
    /// The result.
    pub gives: Gives,
    /// Whether null may come back instead.
    pub or_null: bool,
    /// Whether a number may.
    pub or_number: bool,
}

/// The summaries, or why there is none.
pub type Summaries = SecondaryMap<Func, Option<Result<Summary, Why>>>;

/// All functions, callees first.
pub fn infer(program: &Program, facts: &SecondaryMap<Func, Facts>) -> Summaries {
    let mut summaries = Summaries::new();
    let rows = program.rows().map(|func| vec![func]);
    for component in rows.chain(program.components.iter().cloned()) {
        let alone = component.len() == 1 && !program.callers[component[0]].contains(&component[0]);
        if alone {
            summaries[component[0]] = Some(of_function(program, facts, &summaries, component[0]));
        } else {
            recursive(program, facts, &mut summaries, &component);
        }
    }
    summaries
}

fn of_function(
    program: &Program,
    facts: &SecondaryMap<Func, Facts>,
    summaries: &Summaries,
    func: Func,
) -> Result<Summary, Why> {
    Walk::new(program, &facts[func], summaries, &program.funcs[func].digest).summary()
}

/// Functions that call each other: at first they do nothing and return nothing, then what they do with that, until nothing
/// is added. What does not end soon is given up.
fn recursive(
    program: &Program,
    facts: &SecondaryMap<Func, Facts>,
    summaries: &mut Summaries,
    component: &[Func],
) {
    for &func in component {
        summaries[func] = Some(Ok(Summary { gives: Gives::OneOf(BTreeSet::new()), ..Summary::default() }));
    }
    for _ in 0..ROUNDS {
        let mut changed = false;
        for &func in component {
            let found = Some(of_function(program, facts, summaries, func));
            changed |= found != summaries[func];
            summaries[func] = found;
        }
        if !changed {
            return;
        }
    }
    for &func in component {
        summaries[func] = Some(Err(Why::Recursion(program.funcs[func].digest.name.clone())));
    }
}

struct Walk<'p> {
    program: &'p Program,
    facts: &'p Facts,
    summaries: &'p Summaries,
    func: &'p FunctionDigest,
    results: BTreeMap<u32, &'p Call>,
    /// What is published somewhere in a loop is so everywhere in it.
    first: Vec<Step>,
    then: Vec<Step>,
    /// What is written in loops.
    in_loops: Vec<Access>,
}

impl<'p> Walk<'p> {
    fn new(
        program: &'p Program,
        facts: &'p Facts,
        summaries: &'p Summaries,
        func: &'p FunctionDigest,
    ) -> Walk<'p> {
        let events = func.blocks.iter().flat_map(|block| &block.events);
        let results = events.filter_map(|event| match event {
            Event::Call(call) => call.result.map(|value| (value, call)),
            _ => None,
        });
        let results = results.collect();
        let (first, then, in_loops) = (Vec::new(), Vec::new(), Vec::new());
        Walk { program, facts, summaries, func, results, first, then, in_loops }
    }

    fn summary(mut self) -> Result<Summary, Why> {
        if self.func.blocks.iter().all(|block| block.returns.is_none()) {
            return Err(Why::Endless);
        }
        if self.func.variadic {
            return Err(Why::Variadic);
        }
        let (mut calls, mut touches) = (self.facts.calls.iter(), self.facts.touches.iter());
        for (at, block) in self.func.blocks.iter().enumerate() {
            let in_loop = self.in_loop(at);
            for event in &block.events {
                match event {
                    Event::Call(call) => {
                        let state = calls.next().expect("there is a state for each call");
                        self.call(call, state, in_loop)?;
                    }
                    Event::Touch(touch, _) => {
                        let state = touches.next().expect("there is a state for each touch");
                        if let Some(state) = state {
                            self.touch(touch, state, in_loop)?;
                        }
                    }
                    Event::Acquire(..)
                    | Event::Release(_)
                    | Event::Registers(_)
                    | Event::Ends(_)
                    | Event::Define(_)
                    | Event::Put(..) => {}
                }
            }
        }
        let mut summary = self.result()?;
        self.first.append(&mut self.then);
        if follows_written(&self.first, &self.in_loops) {
            return Err(Why::Rewritten(self.func.name.clone()));
        }
        summary.steps = self.of_others(&mut summary.gives)?;
        Ok(summary)
    }

    /// Whether a block comes before itself.
    fn in_loop(&self, block: usize) -> bool {
        let mut seen = BTreeSet::new();
        let mut work = vec![block];
        while let Some(at) = work.pop() {
            for (to, _) in &self.func.blocks[at].successors {
                if *to == block {
                    return true;
                }
                if seen.insert(*to) {
                    work.push(*to);
                }
            }
        }
        false
    }

    fn touch(&mut self, touch: &Touch, state: &State, in_loop: bool) -> Result<(), Why> {
        match touch {
            Touch::Access(access) => {
                for at in self.places(&access.at)? {
                    self.add(What::Access(Access { at, ..access.clone() }), state, in_loop)?;
                }
            }
            Touch::Free(path) => {
                for path in self.places(path)? {
                    self.add(What::Free(path), state, in_loop)?;
                }
            }
            Touch::Keep(path) => self.publish(path, state, in_loop)?,
            Touch::Register(registration) => self.register(registration, state, in_loop)?,
            Touch::Unfollowed(why) => return Err(why.clone()),
        }
        Ok(())
    }

    fn register(&mut self, registration: &Registration, state: &State, in_loop: bool) -> Result<(), Why> {
        // Whoever gets something else than a parameter gets what others can find.
        let argument = match &registration.argument {
            Some((n, path)) if parameter(path).is_some() => Some((*n, path.clone())),
            Some((_, path)) => {
                self.publish(path, state, in_loop)?;
                None
            }
            None => None,
        };
        for handle in self.places(&registration.handle)? {
            if matches!(handle.base, Base::Stack(_) | Base::Fresh(_)) {
                return Err(Why::Registers(registration.class.clone()));
            }
            let argument = argument.clone();
            self.add(
                What::Register(Registration { handle, argument, ..registration.clone() }),
                state,
                in_loop,
            )?;
        }
        Ok(())
    }

    fn publish(&mut self, path: &Path, state: &State, in_loop: bool) -> Result<(), Why> {
        for path in self.sources(path) {
            self.add(What::Publish(path), state, in_loop)?;
        }
        Ok(())
    }

    fn call(&mut self, call: &Call, state: &State, in_loop: bool) -> Result<(), Why> {
        let Some(callee) = self.program.told(call) else {
            return Err(match &call.target {
                Target::Function(name) => Why::Callee(name.clone()),
                Target::Member(member) => Why::Member(member.to_string().into()),
                Target::Parameter(_) | Target::Unknown => Why::Pointer(self.func.name.clone()),
            });
        };
        let summary = self.summary_of(call, callee);
        for step in &summary?.steps {
            let state = state.at_step(&step.state, call);
            self.step(call, step, &state, in_loop)?;
        }
        Ok(())
    }

    /// What the callee does; where that is not followed, what the row says that somebody has written.
    fn summary_of(&self, call: &Call, callee: Func) -> Result<&'p Summary, Why> {
        let of = |func: Func| match &self.summaries[func] {
            Some(summary) => summary.as_ref().map_err(Clone::clone),
            // What a row says that calls back comes before whom it calls.
            None => Err(Why::Callee(self.program.funcs[func].digest.name.clone())),
        };
        let tells = |row: Func| call.given.iter().all(|(param, _)| self.tells_of(row, *param));
        if self.program.is_row(callee) && !tells(callee) {
            return Err(Why::Pointer(self.program.funcs[callee].digest.name.clone()));
        }
        of(callee).or_else(|why| self.program.row(call).filter(|row| tells(*row)).map_or(Err(why), of))
    }

    /// Whether a row says what becomes of a function that is this argument. One that leaves that to entry points speaks of
    /// drivers' functions, not of the kernel's own.
    fn tells_of(&self, row: Func, param: u32) -> bool {
        let mut events = self.program.funcs[row].digest.blocks.iter().flat_map(|block| &block.events);
        let registers = |event: &Event| matches!(event, Event::Touch(Touch::Register(registration), _) if registration.callback == Callback::Param(param));
        self.program.is_told(row, param) || events.any(registers)
    }

    /// A step of a callee.
    fn step(&mut self, call: &Call, step: &Step, state: &State, in_loop: bool) -> Result<(), Why> {
        if let Base::Param(i) = step.what.path().base
            && matches!(call.args.get(i as usize), Some(None))
        {
            // A constant leads nowhere: an optional argument that is not there.
            return Ok(());
        }
        let path = in_caller(step.what.path(), call);
        match &step.what {
            What::Publish(path) => {
                // What is too far away can be found if what is nearer can.
                let near = Path { derefs: Vec::new(), offset: Offset::At(0), ..path.clone() };
                match in_caller(path, call).or_else(|| in_caller(&near, call)) {
                    Some(path) => self.publish(&path, state, in_loop),
                    None => Err(self.unknown()),
                }
            }
            What::Free(_) => self.touch(&Touch::Free(path.ok_or_else(|| self.unknown())?), state, in_loop),
            What::Register(registration) => {
                let handle = path.ok_or_else(|| self.unknown())?;
                self.registered(call, Registration { handle, ..registration.clone() }, state, in_loop)
            }
            What::Access(access) => {
                let at = path.ok_or_else(|| self.unknown())?;
                let len = len_in_caller(&access.len, call);
                self.touch(&Touch::Access(Access { at, len, ..access.clone() }), state, in_loop)
            }
        }
    }

    /// A registration of a callee's, whose handle is known here.
    fn registered(
        &mut self,
        call: &Call,
        mut registration: Registration,
        state: &State,
        in_loop: bool,
    ) -> Result<(), Why> {
        let argument = |n: u32| call.args.get(n as usize).and_then(|arg| arg.as_ref());
        let passed = registration.argument.take();
        let passed = passed.and_then(|(n, path)| Some((n, in_caller(&path, call)?)));
        if let Callback::Param(n) = registration.callback {
            if call.given.iter().any(|(param, given)| *param == n && matches!(given, Given::Function(_))) {
                self.publish(&registration.handle, state, in_loop)?;
                return passed.map_or(Ok(()), |(_, path)| self.publish(&path, state, in_loop));
            }
            registration.callback = argument(n).and_then(parameter).map_or(Callback::Any, Callback::Param);
        }
        if let Some(n) = registration.through {
            registration.through = argument(n).and_then(parameter);
            if registration.through.is_none() {
                return Err(Why::Registers(registration.class));
            }
        }
        self.register(&Registration { argument: passed, ..registration }, state, in_loop)
    }

    fn unknown(&self) -> Why {
        Why::Memory(self.func.name.clone())
    }

    fn add(&mut self, what: What, state: &State, in_loop: bool) -> Result<(), Why> {
        if let What::Access(access) = &what
            && in_loop
            && access.write
            && !self.in_loops.contains(access)
        {
            self.in_loops.push(access.clone());
        }
        let list = match what {
            What::Publish(_) if in_loop => &mut self.first,
            _ => &mut self.then,
        };
        let step = Step { what, state: state.known() };
        if !list.contains(&step) {
            list.push(step);
        }
        if list.len() > MOST { Err(Why::TooMuch) } else { Ok(()) }
    }

    /// The places that a path may lead to, over parameters, globals and the function's own objects.
    fn places(&self, path: &Path) -> Result<Vec<Path>, Why> {
        self.ways(path, DEREFS).filter(|all| all.len() <= ALTERNATIVES).ok_or_else(|| self.unknown())
    }

    fn ways(&self, path: &Path, depth: u32) -> Option<Vec<Path>> {
        let Base::Value(value) = path.base else { return Some(vec![path.clone()]) };
        let bases = match self.given(value) {
            Some(bases) => bases,
            None => self.leaves(value, depth.checked_sub(1)?)?,
        };
        bases.iter().map(|base| path.rebased(base)).collect()
    }

    /// What the pointers are before ways met, and how far loops have moved them.
    fn leaves(&self, value: u32, depth: u32) -> Option<Vec<Path>> {
        let (mut seen, mut work) = (BTreeSet::from([value]), vec![value]);
        let (mut leaves, mut moved) = (BTreeSet::new(), Offset::At(0));
        while let Some(value) = work.pop() {
            for path in self.func.origins.one_of.get(&value)? {
                match path.base {
                    Base::Value(inner) if path.derefs.is_empty() && !self.results.contains_key(&inner) => {
                        if path.offset != Offset::At(0) {
                            let forward = path.offset.least().is_some_and(|at| at >= 0);
                            moved =
                                if forward && moved != Offset::Any { Offset::From(0) } else { Offset::Any };
                        }
                        if seen.insert(inner) {
                            work.push(inner);
                        }
                    }
                    _ => leaves.extend(self.ways(path, depth)?),
                }
            }
        }
        Some(leaves.into_iter().map(|path| path.plus(moved)).collect())
    }

    /// What the result of a call may be.
    fn given(&self, value: u32) -> Option<Vec<Path>> {
        let call = self.results.get(&value)?;
        let callee = self.program.told(call)?;
        match &self.summary_of(call, callee).ok()?.gives {
            Gives::Any => None,
            Gives::Fresh => Some(vec![Path::of(Base::Fresh(RESULT | value))]),
            Gives::OneOf(paths) => paths.iter().map(|path| in_caller(path, call)).collect(),
        }
    }

    /// The arguments of a call whose result is too far away from them to be named.
    fn given_from(&self, value: u32) -> Vec<Path> {
        let call = self.results.get(&value);
        let callee = call.and_then(|call| self.program.told(call));
        match call.zip(callee).map(|(call, callee)| self.summary_of(call, callee)) {
            Some(Ok(Summary { gives: Gives::OneOf(_), .. })) => {
                call.into_iter().flat_map(|call| call.args.iter().flatten().cloned()).collect()
            }
            _ => Vec::new(),
        }
    }

    /// What others can find if they can find this.
    fn sources(&self, path: &Path) -> BTreeSet<Path> {
        let mut found = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut work = vec![path.clone()];
        while let Some(path) = work.pop() {
            let Base::Value(value) = path.base else {
                found.insert(path);
                continue;
            };
            if let Ok(places) = self.places(&path) {
                found.extend(places);
            } else if seen.insert(value) {
                let origins = &self.func.origins;
                for known in [&origins.one_of, &origins.derived] {
                    work.extend(known.get(&value).into_iter().flatten().cloned());
                }
                work.extend(self.given_from(value));
            }
        }
        found
    }

    fn result(&mut self) -> Result<Summary, Why> {
        let mut summary = Summary::default();
        if !self.func.gives_pointer {
            return Ok(summary);
        }
        let (mut all, mut followed) = (BTreeSet::new(), true);
        let returns: Vec<&Returned> = self.func.blocks.iter().filter_map(|b| b.returns.as_ref()).collect();
        let mut work = returns;
        let mut paths = Vec::new();
        while let Some(returned) = work.pop() {
            match returned {
                Returned::Any | Returned::Value(_, None) => followed = false,
                Returned::Constant(true) => summary.or_null = true,
                Returned::Constant(false) => summary.or_number = true,
                Returned::ByEdge(edges) => work.extend(edges.iter().map(|(_, returned)| returned)),
                Returned::Value(value, Some(path)) => {
                    // Null has no path where ways meet.
                    summary.or_null |= self.func.origins.one_of.contains_key(value);
                    paths.push(path);
                }
            }
        }
        for path in &paths {
            match self.places(path) {
                Ok(places) => all.extend(places),
                Err(_) => followed = false,
            }
        }
        let fresh = |path: &Path| matches!(path.base, Base::Fresh(_)) && *path == Path::of(path.base.clone());
        let own = |path: &Path| matches!(path.base, Base::Fresh(_) | Base::Stack(_));
        summary.gives = match followed && !all.is_empty() {
            true if all.iter().all(fresh) => Gives::Fresh,
            true if !all.iter().any(own) && all.len() <= ALTERNATIVES => Gives::OneOf(all),
            _ => {
                for path in paths {
                    self.publish(path, &State::default(), false)?;
                }
                Gives::Any
            }
        };
        Ok(summary)
    }

    /// The steps that are about memory of others.
    fn of_others(&self, gives: &mut Gives) -> Result<Vec<Step>, Why> {
        let mut steps: Vec<Step> = Vec::new();
        let mut found = BTreeSet::new();
        for step in &self.first {
            let path = step.what.path();
            if !matches!(path.base, Base::Stack(_) | Base::Fresh(_)) {
                if !steps.contains(step) {
                    steps.push(step.clone());
                }
            } else if matches!(step.what, What::Publish(_)) {
                found.insert(&path.base);
            } else if !path.derefs.is_empty() {
                return Err(Why::OwnContent(self.func.name.clone()));
            } else if found.contains(&path.base) {
                return Err(self.unknown());
            }
        }
        if *gives == Gives::Fresh && found.iter().any(|base| matches!(base, Base::Fresh(_))) {
            *gives = Gives::Any;
        }
        Ok(steps)
    }
}

fn len_in_caller(len: &Len, call: &Call) -> Len {
    match len {
        Len::Bytes(_) | Len::Any | Len::Object => len.clone(),
        Len::Param(i) => match call.args.get(*i as usize) {
            Some(Some(Path { base: Base::Param(i), derefs, offset: Offset::At(0) })) if derefs.is_empty() => {
                Len::Param(*i)
            }
            _ => Len::Any,
        },
    }
}
