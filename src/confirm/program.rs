//! A program as a scenario of the interpreter: `main`, and the threads that may come to be.

use lockpair_entry_points::{EntryPoint, EntryPoints};
use lockpair_env::schema::Base;
use lockpair_env::{ApplyOptions, Model};
use lockpair_ir::interp::{ArgSpec, Callback, EnvObject, Exact, Invocation, RaceFound, Scenario, ThreadSpec};
use lockpair_ir::{FuncId, Function, Module, Op, Terminator};
use std::collections::BTreeSet;

/// What locks give that are tried and held (EBUSY).
const BUSY: u128 = 16;

/// Functions whose names begin so are atomic (the rules of SV-COMP).
const ATOMIC: &str = "__VERIFIER_atomic_";

/// What the linker puts into sections for others to find: it may run before `main`.
const FOUND: [&str; 2] = ["llvm.used", "llvm.compiler.used"];
/// The bytes of all variables of a program that is run.
const LARGEST: u64 = 1 << 28;

/// A program whose executions may be searched.
pub(super) struct Program {
    /// The program with exact effects only, and a `main` that does not return: with its end, all threads end.
    pub(super) module: Module,
    exact: Exact,
    main: FuncId,
    /// The functions that run as threads of their own, each with the class of registrations that start it.
    started: BTreeSet<(String, FuncId)>,
}

/// How a program is run.
#[derive(Copy, Clone, Debug)]
pub(super) struct Run {
    /// So many threads of one function may run, and the others wait.
    pub(super) of_each: usize,
    /// What `main` gets besides the program's name.
    pub(super) arguments: usize,
}

impl Program {
    /// None if there is no `main`; if the program runs code before it, or something finds what it has in sections; if it has functions
    /// that are atomic by their names; or if it is too large.
    pub(super) fn new(module: &Module, model: &Model, entries: &EntryPoints) -> Option<Program> {
        let is_first = |entry: &&EntryPoint| entry.once && entry.handles.is_empty();
        let mut first = entries.items.values().filter(is_first);
        let (Some(main), None) = (first.next(), first.next()) else { return None };
        let is_atomic = |func: &Function| func.is_defined() && func.name.starts_with(ATOMIC);
        let bytes = module.globals.values().fold(0u64, |sum, global| sum.saturating_add(global.size));
        let is_found = module.globals.values().any(|global| FOUND.contains(&global.name.as_str()));
        if is_found || bytes > LARGEST || module.funcs.values().any(is_atomic) {
            return None;
        }
        let options = ApplyOptions { exact: true, ..ApplyOptions::default() };
        let applied = lockpair_env::apply(module.clone(), model, &options);
        let mut module = applied.module;
        stay_in(&mut module, main.func);
        let exact = Exact { arbitrary: applied.arbitrary, either: model.given_back_either_way(), busy: BUSY };
        Some(Program { module, exact, main: main.func, started: started(entries) })
    }

    /// Whether the places of the race say which accesses these are.
    pub(super) fn is_plain(&self, race: &RaceFound) -> bool {
        super::is_alone(&self.module, &race.first) && super::is_alone(&self.module, &race.second)
    }

    /// What runs.
    pub(super) fn scenario(&self, run: Run) -> Scenario {
        let (arguments, objects) = arguments(run.arguments);
        let threads = self.started.iter().flat_map(|(class, func)| {
            let spec = spawned(class, *func, parameter(&self.module, class));
            std::iter::repeat_n(spec, run.of_each)
        });
        Scenario {
            objects,
            threads: std::iter::once(ThreadSpec::new(self.main, arguments)).chain(threads).collect(),
            volatile_is_marked: false,
            exact: Some(self.exact.clone()),
            ..Scenario::default()
        }
    }
}

/// The function does not return any more.
fn stay_in(module: &mut Module, func: FuncId) {
    for block in module.funcs[func].blocks.values_mut() {
        if matches!(block.term, Terminator::Ret(_)) {
            block.term = Terminator::Unreachable;
        }
    }
}

fn started(entries: &EntryPoints) -> BTreeSet<(String, FuncId)> {
    let of = |entry: &EntryPoint| {
        let handle = entry.handles.iter().find(|handle| handle.addr.base == Base::Fresh)?;
        Some((handle.class.clone(), entry.func))
    };
    entries.items.values().filter_map(of).collect()
}

/// The parameter that gets the argument that a registration of the class names.
fn parameter(module: &Module, class: &str) -> usize {
    let mut insts = module.funcs.values().flat_map(|func| func.insts.values());
    let named = insts.find_map(|inst| match &inst.op {
        Op::Register { class: of, argument: Some((param, _)), .. } if of == class => Some(*param as usize),
        _ => None,
    });
    named.unwrap_or(0)
}

fn spawned(class: &str, func: FuncId, param: usize) -> ThreadSpec {
    let args = vec![ArgSpec::Null; param + 1];
    ThreadSpec {
        call: Invocation { func, args, then: None },
        callback: Some(Callback::spawned(class, param)),
        ..ThreadSpec::new(func, Vec::new())
    }
}

/// What `main` gets: the name of the program, texts of one letter, and an empty environment.
fn arguments(count: usize) -> (Vec<ArgSpec>, Vec<EnvObject>) {
    let object = |id: usize| ArgSpec::Object { id, offset: 0 };
    let letter = ArgSpec::Int { bits: 8, value: u128::from(b'1') };
    let text = |n: usize| EnvObject {
        name: format!("argv[{n}]"),
        size: 2,
        cells: vec![(0, letter.clone())],
        ..EnvObject::default()
    };
    let texts = count + 1;
    let cells = (0..texts).map(|n| (8 * n as u64, object(n))).collect();
    let list =
        EnvObject { name: "argv".to_owned(), size: 8 * (texts as u64 + 1), cells, ..EnvObject::default() };
    let number = ArgSpec::Int { bits: 32, value: texts as u128 };
    let environment = EnvObject { name: "envp".to_owned(), size: 8, ..EnvObject::default() };
    let objects = (0..texts).map(text).chain([list, environment]).collect();
    (vec![number, object(texts), object(texts + 1)], objects)
}
