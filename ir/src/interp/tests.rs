//! Small programs in the text form, with what must and must not be found in them.

use proptest::prelude::*;

use super::*;
use crate::entity::EntityRef;
use crate::inst::LockMode::{Exclusive, Shared};
use crate::module::{GlobalId, Module};
use crate::text::parse_module;
use crate::verify::verify;

mod drivers;
mod lazy;
mod programs;
mod states;

/// A module of two globals `x` (g0, 16 bytes) and `m` (g1) and functions: (parameters, lines of the body).
fn program(functions: &[(&str, &str)]) -> Module {
    let mut text = "module \"t\"\ng0 = global \"x\" size 16\ng1 = global \"m\" size 8\n".to_owned();
    for (i, (params, body)) in functions.iter().enumerate() {
        text += &format!("func f{i} \"f{i}\" ({params}) {{\nb0:\n{body}\n}}\n");
    }
    let module = parse_module(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(verify(&module), Ok(()), "{text}");
    module
}

fn f(index: usize) -> FuncId {
    FuncId::new(index)
}

fn x() -> ArgSpec {
    ArgSpec::Global(GlobalId::new(0), 0)
}

/// The functions of these numbers as threads without arguments.
fn threads(functions: &[usize]) -> Scenario {
    Scenario {
        threads: functions.iter().map(|&i| ThreadSpec::new(f(i), vec![])).collect(),
        ..Scenario::default()
    }
}

fn call(func: usize) -> Invocation {
    Invocation { func: f(func), args: vec![], then: None }
}

/// Explores in both modes, compares them, replays each race, and gives the reduced exploration.
#[track_caller]
fn run(module: &Module, scenario: &Scenario) -> Exploration {
    run_with(module, scenario, &Bounds::default())
}

#[track_caller]
fn run_with(module: &Module, scenario: &Scenario, bounds: &Bounds) -> Exploration {
    let reduced = explore(module, scenario, bounds);
    let full = explore(module, scenario, &Bounds { reduce: false, ..bounds.clone() });
    assert_eq!(race_keys(&reduced), race_keys(&full), "the reduction changes the races");
    assert!(reduced.states <= full.states);
    for race in reduced.races.iter().chain(&full.races) {
        let trace = replay(module, scenario, &race.schedule).expect("the schedule replays");
        assert!(trace.races.contains(&(race.first.clone(), race.second.clone())));
    }
    reduced
}

fn race_keys(exploration: &Exploration) -> Vec<(usize, Site, usize, Site)> {
    let key = |r: &RaceFound| (r.first.thread, r.first.site, r.second.thread, r.second.site);
    let mut keys: Vec<_> = exploration.races.iter().map(key).collect();
    keys.sort();
    keys
}

#[track_caller]
fn racy(module: &Module, scenario: &Scenario) -> Exploration {
    let found = run(module, scenario);
    assert!(!found.races.is_empty() && found.complete, "{found:?}");
    found
}

#[track_caller]
fn race_free(module: &Module, scenario: &Scenario) -> Exploration {
    let found = run(module, scenario);
    assert!(found.races.is_empty() && found.complete, "{found:?}");
    found
}

/// Two threads with these bodies.
fn pair(a: &str, b: &str) -> (Module, Scenario) {
    (program(&[("", a), ("", b)]), threads(&[0, 1]))
}

#[track_caller]
fn pair_races(expected: bool, a: &str, b: &str) {
    let (module, scenario) = pair(a, b);
    if expected {
        racy(&module, &scenario)
    } else {
        race_free(&module, &scenario)
    };
}

const STORE: &str = "store 1:i32 to g0\nret";
const LOAD: &str = "v0: i32 = load g0\nret";

#[test]
fn unprotected_accesses_race() {
    let (module, scenario) = pair(STORE, LOAD);
    let found = racy(&module, &scenario);
    let race = &found.races[0];
    assert_eq!((race.first.object.as_str(), race.first.offset, race.first.len), ("x", 0, 4));
    assert!(race.first.write && !race.second.write);
    assert_eq!(found.races.len(), 1);
}

#[test]
fn reads_do_not_race() {
    pair_races(false, LOAD, LOAD);
}

#[test]
fn overlap_is_decided_on_bytes() {
    pair_races(true, STORE, "v0: i8 = load g0+3\nret");
    pair_races(false, STORE, "v0: i8 = load g0+4\nret");
    pair_races(true, "memset g0, 0:i8, 16:i64\nret", "v0: i8 = load g0+15\nret");
    pair_races(false, "memset g0, 0:i8, 15:i64\nret", "v0: i8 = load g0+15\nret");
    pair_races(false, "memset g0, 0:i8, 0:i64\nret", LOAD);
    pair_races(true, "memcopy g0, g1, 4:i64\nret", LOAD);
    pair_races(false, "memcopy g1, g0, 4:i64\nret", LOAD);
}

#[test]
fn marked_accesses_race_only_with_plain_ones() {
    pair_races(false, "store.volatile 1:i32 to g0\nret", "v0: i32 = load.volatile g0\nret");
    pair_races(false, "store.release 1:i32 to g0\nret", "v0: i32 = load.acquire g0\nret");
    pair_races(false, "v0: i32 = rmw.add.relaxed g0, 1:i32\nret", "v0: i32 = load.volatile g0\nret");
    pair_races(true, "store.release 1:i32 to g0\nret", LOAD);
    pair_races(true, "v0: i32 = cmpxchg.seqcst g0, 0:i32, 1:i32\nret", LOAD);
    pair_races(true, "access.write g0, 4:i64\nret", LOAD);
    pair_races(false, "access.read g0, 4:i64\nret", LOAD);
}

#[test]
fn volatile_is_plain_where_the_flag_says_so() {
    let (module, mut scenario) = pair("store.volatile 1:i32 to g0\nret", "v0: i32 = load.volatile g0\nret");
    scenario.volatile_is_marked = false;
    racy(&module, &scenario);
}

fn locked(class: &str, mode: &str, body: &str) -> String {
    let body = body.replace("\nret", "");
    format!("acquire.{mode} \"{class}\" g1\n{body}\nrelease.{mode} \"{class}\" g1\nret")
}

#[test]
fn locks_exclude() {
    pair_races(false, &locked("mutex", "exclusive", STORE), &locked("mutex", "exclusive", STORE));
    pair_races(false, &locked("rw", "exclusive", STORE), &locked("rw", "shared", LOAD));
    pair_races(true, &locked("rw", "shared", STORE), &locked("rw", "shared", STORE));
    pair_races(true, &locked("mutex", "exclusive", STORE), LOAD);
    pair_races(true, &locked("mutex", "exclusive", STORE), &locked("spin", "exclusive", STORE));
}

#[test]
fn access_after_release_races() {
    let late = "acquire.exclusive \"m\" g1\nrelease.exclusive \"m\" g1\nstore 1:i32 to g0\nret";
    pair_races(true, late, &locked("m", "exclusive", STORE));
}

#[test]
fn lock_order_inversion_deadlocks() {
    let order = |a: &str, b: &str| {
        format!(
            "acquire.exclusive \"m\" {a}\nacquire.exclusive \"m\" {b}\n\
             release.exclusive \"m\" {b}\nrelease.exclusive \"m\" {a}\nret"
        )
    };
    let (module, scenario) = pair(&order("g0", "g1"), &order("g1", "g0"));
    assert_eq!(race_free(&module, &scenario).deadlocks, 1);
    let (module, scenario) = pair(&order("g0", "g1"), &order("g0", "g1"));
    assert_eq!(race_free(&module, &scenario).deadlocks, 0);
}

#[test]
fn recursive_acquisition_deadlocks() {
    let twice = "acquire.exclusive \"m\" g1\nacquire.exclusive \"m\" g1\nstore 1:i32 to g0\nret";
    let (module, scenario) = pair(twice, LOAD);
    assert!(race_free(&module, &scenario).deadlocks > 0);
}

#[test]
fn trylock_protects_only_where_it_succeeded() {
    let trylock = |test: &str| {
        format!(
            "v0: i32 = acquire.exclusive.{test} \"m\" g1\nv1: i1 = cmp.eq v0, 0:i32\nbrif v1, b1, b2\n\
             b1:\nstore 1:i32 to g0\nret\nb2:\nret"
        )
    };
    pair_races(false, &trylock("if_zero"), &locked("m", "exclusive", LOAD));
    pair_races(true, &trylock("if_nonzero"), &locked("m", "exclusive", LOAD));
}

#[test]
fn releasing_what_is_not_held_ends_the_thread() {
    let (module, scenario) = pair("release.exclusive \"m\" g1\nstore 1:i32 to g0\nret", LOAD);
    let found = race_free(&module, &scenario);
    assert_eq!(found.stuck.first().map(|s| (s.thread, s.reason)), Some((0, StuckReason::NotHeld)));
}

#[track_caller]
fn gets_stuck(reason: StuckReason, body: &str) {
    let (module, scenario) = pair(body, "ret");
    let found = race_free(&module, &scenario);
    assert_eq!(found.stuck.iter().map(|s| s.reason).collect::<Vec<_>>(), vec![reason], "{body}");
}

#[test]
fn errors_end_threads() {
    gets_stuck(StuckReason::NullDereference, "store 1:i32 to null\nret");
    gets_stuck(StuckReason::NullDereference, "acquire.exclusive \"m\" null\nret");
    gets_stuck(StuckReason::OutOfBounds, "store 1:i32 to g0+13\nret");
    gets_stuck(StuckReason::DivisionByZero, "v0: i32 = udiv 1:i32, 0:i32\nret");
    gets_stuck(StuckReason::BadFree, "free g0\nret");
    gets_stuck(StuckReason::NotAFunction, "call *g0()\nret");
    gets_stuck(StuckReason::Unreachable, "unreachable");
    gets_stuck(StuckReason::UseAfterFree, "v0: ptr = alloc 8:i64\nfree v0\nfree v0\nret");
    gets_stuck(StuckReason::UseAfterFree, "v0: ptr = alloc 8:i64\nfree v0\nv1: i8 = load v0\nret");
    gets_stuck(StuckReason::BadFree, "v0: ptr = alloc 8:i64\nv1: ptr = ptradd v0, 4\nfree v1\nret");
    gets_stuck(StuckReason::WildPointer, "v0: ptr = inttoptr 18446744073709551615:i64\nfree v0\nret");
}

#[test]
fn accesses_before_an_error_count() {
    pair_races(true, "store 1:i32 to g0\nstore 1:i32 to null\nret", LOAD);
    pair_races(false, "store 1:i32 to null\nstore 1:i32 to g0\nret", LOAD);
}

/// Runs a body alone; its result says whether it was as expected: it gets stuck at `unreachable` if not.
#[track_caller]
fn computes(body: &str, result: &str, expected: &str) {
    let ty = expected.split(':').nth(1).unwrap();
    let body = format!(
        "{body}\nv98: i1 = cmp.eq {result}, {expected}\nbrif v98, b1, b2\nb1:\nret\nb2:\nunreachable"
    );
    let module = program_dense(&body);
    let scenario = threads(&[0]);
    assert_eq!(race_free(&module, &scenario).stuck.len(), 0, "{body} ({ty})");
}

/// `v98` becomes the number after the largest other one.
fn program_dense(body: &str) -> Module {
    let used = (0..98).rev().find(|n| body.contains(&format!("v{n}:"))).map_or(0, |n| n + 1);
    program(&[("", &body.replace("v98", &format!("v{used}")))])
}

#[test]
fn memory_keeps_what_was_stored() {
    computes("store 258:i32 to g0\nv0: i8 = load g0+1", "v0", "1:i8");
    computes("store 511:i9 to g0\nv0: i16 = load g0", "v0", "511:i16");
    computes("memset g0, 7:i8, 3:i64\nv0: i32 = load g0", "v0", "460551:i32");
    computes("store 5:i32 to g0\nmemcopy g0+4, g0, 4:i64\nv0: i64 = load g0", "v0", "21474836485:i64");
    computes("store 5:i8 to g0\nmemcopy g0+1, g0, 8:i64\nv0: i32 = load g0", "v0", "1285:i32");
    computes(
        "store 5:i32 to g0\nv0: i32 = rmw.sub.seqcst g0, 6:i32\nv1: i32 = load g0",
        "v1",
        "4294967295:i32",
    );
    computes("store 5:i32 to g0\nv0: i32 = rmw.xchg.seqcst g0, 6:i32", "v0", "5:i32");
    computes("v0: i32 = cmpxchg.seqcst g0, 1:i32, 9:i32\nv1: i32 = load g0", "v1", "0:i32");
    computes("v0: i32 = cmpxchg.seqcst g0, 0:i32, 9:i32\nv1: i32 = load g0", "v1", "9:i32");
}

#[test]
fn pointers_survive_memory_and_integers() {
    computes("store g1 to g0\nv0: ptr = load g0\nstore 7:i8 to v0\nv1: i8 = load g1", "v1", "7:i8");
    computes(
        "v0: i64 = ptrtoint g1\nv1: ptr = inttoptr v0\nstore 7:i8 to v1\nv2: i8 = load g1",
        "v2",
        "7:i8",
    );
    computes(
        "v0: ptr = ptradd g0, 8, 4294967295:i32 * 4\nstore 7:i8 to v0\nv1: i8 = load g0+4",
        "v1",
        "7:i8",
    );
    computes("v0: i1 = cmp.ult g0, g0+1", "v0", "1:i1");
    computes("v0: i1 = cmp.eq g0, g1", "v0", "0:i1");
}

#[test]
fn control_flow_and_calls() {
    // 0 + 1 + 2 + 3 in a loop; both phis read before either is written.
    let sum = "br b3\nb3:\nv0: i32 = phi b0: 0:i32, b3: v2\nv1: i32 = phi b0: 0:i32, b3: v3\n\
               v2: i32 = add v0, 1:i32\nv3: i32 = add v1, v0\nv4: i1 = cmp.ule v2, 3:i32\nbrif v4, b3, b4\nb4:";
    let body = sum.replace("b3", "b1").replace("b4", "b2");
    let module = program(&[(
        "",
        &format!("{body}\nv5: i1 = cmp.eq v3, 6:i32\nbrif v5, b3, b4\nb3:\nret\nb4:\nunreachable"),
    )]);
    assert!(race_free(&module, &threads(&[0])).stuck.is_empty());
    let text = "module \"m\"\nfunc f0 \"f\" () {\nb0:\nstore f1 to g0\nv0: ptr = load g0\n\
                v1: i32 = call *v0(41:i32)\nswitch v1, b2, 1: b2, 42: b1\nb1:\nret\nb2:\nunreachable\n}\n\
                func f1 \"inc\" (v0: i32) -> i32 {\nb0:\nv1: i32 = add v0, 1:i32\nret v1\n}\n\
                g0 = global \"p\" size 8\n";
    let module = parse_module(text).unwrap();
    assert!(race_free(&module, &threads(&[0])).stuck.is_empty());
}

#[test]
fn fresh_objects_are_private_until_they_are_published() {
    let private = "v0: ptr = alloc 8:i64\nstore 1:i32 to v0\nstore 2:i32 to v0\nret";
    let (module, scenario) = pair(private, private);
    assert!(race_free(&module, &scenario).states <= 6, "private accesses are no visible steps");
    let publish = "v0: ptr = alloc 8:i64\nstore.release v0 to g0\nstore 2:i32 to v0\nret";
    let reader = "v0: ptr = load.acquire g0\nv1: i32 = load v0\nret";
    pair_races(true, publish, reader);
    let too_early = "v0: ptr = alloc 8:i64\nstore 2:i32 to v0\nstore.release v0 to g0\nret";
    pair_races(false, too_early, reader);
}

#[test]
fn objects_become_shared_through_what_points_to_them() {
    let nested = "v0: ptr = alloc 8:i64\nv1: ptr = alloc 8:i64\nstore v1 to v0\nstore.release v0 to g0\n\
                  store 1:i32 to v1\nret";
    let reader = "v0: ptr = load.acquire g0\nv1: ptr = load v0\nv2: i32 = load v1\nret";
    pair_races(true, nested, reader);
    let as_integer = "v0: ptr = alloc 8:i64\nv1: i64 = ptrtoint v0\nv2: i64 = xor v1, 1:i64\n\
                      store.release v2 to g0\nstore 1:i32 to v0\nret";
    let decoder = "v0: i64 = load.acquire g0\nv1: i64 = xor v0, 1:i64\nv2: ptr = inttoptr v1\n\
                   v3: i32 = load v2\nret";
    pair_races(true, as_integer, decoder);
}

#[test]
fn stack_objects_can_be_shared_until_the_return() {
    let owner = "v0: ptr = alloca 8 x 1:i32\nstore.release v0 to g0\nret";
    let user = "v0: ptr = load.acquire g0\nstore 1:i32 to v0\nret";
    let module = program(&[("", owner), ("", user)]);
    racy(&module, &threads(&[0, 1, 1]));
}

#[test]
fn free_writes_the_whole_object() {
    let object = EnvObject { name: "dev".to_owned(), size: 8, ..EnvObject::default() };
    let arg = ArgSpec::Object { id: 0, offset: 0 };
    let module = program(&[("v0: ptr", "free v0\nret"), ("v0: ptr", "v1: i8 = load.volatile v0\nret")]);
    let scenario = Scenario {
        objects: vec![object],
        threads: vec![ThreadSpec::new(f(0), vec![arg.clone()]), ThreadSpec::new(f(1), vec![arg])],
        ..Scenario::default()
    };
    let found = racy(&module, &scenario);
    assert_eq!((found.races[0].first.object.as_str(), found.races[0].first.len), ("dev", 8));
}

#[test]
fn environment_objects_have_the_given_content() {
    let cells = vec![(0, x()), (8, ArgSpec::Int { bits: 16, value: 3 })];
    let object = EnvObject { name: "file".to_owned(), size: 16, cells, ..EnvObject::default() };
    let arg = ArgSpec::Object { id: 0, offset: 0 };
    let body = "v1: ptr = load v0\nv2: ptr = ptradd v0, 8\nv3: i16 = load v2\n\
                v4: ptr = ptradd v1, 0, v3 * 2\nstore 1:i8 to v4\nret";
    let module = program(&[("v0: ptr", body), ("", "v0: i8 = load g0+6\nret")]);
    let mut scenario = threads(&[0, 1]);
    scenario.objects = vec![object];
    scenario.threads[0].call.args = vec![arg];
    assert_eq!(racy(&module, &scenario).races[0].first.offset, 6);
}

#[test]
fn setup_runs_first_and_alone() {
    let module = program(&[
        ("", "store 7:i32 to g0\nret"),
        ("", "v0: i32 = load g0\nv1: i1 = cmp.eq v0, 7:i32\nbrif v1, b1, b2\nb1:\nret\nb2:\nunreachable"),
    ]);
    let mut scenario = threads(&[1, 1]);
    scenario.setup = vec![call(0)];
    assert!(race_free(&module, &scenario).stuck.is_empty());
}

#[test]
fn implicit_locks_hold_for_the_whole_thread() {
    let (module, mut scenario) = pair(STORE, STORE);
    for thread in &mut scenario.threads {
        thread.locks = vec![("rtnl".to_owned(), Exclusive, x())];
    }
    race_free(&module, &scenario);
    scenario.threads[1].locks[0].1 = Shared;
    race_free(&module, &scenario);
    scenario.threads[0].locks[0].1 = Shared;
    racy(&module, &scenario);
}

const REGISTER: &str = "store 1:i32 to g0\nregister \"irq\" g1\nret";
const UNREGISTER: &str = "unregister.sync \"irq\" g1\nstore 2:i32 to g0\nret";

fn callback_of_irq(func: usize) -> ThreadSpec {
    let handle = ArgSpec::Global(GlobalId::new(1), 0);
    let mut spec = ThreadSpec::new(f(func), vec![]);
    spec.requires_registered = vec![("irq".to_owned(), handle)];
    spec
}

#[test]
fn callbacks_run_only_after_registration() {
    let late = "register \"irq\" g1\nstore 1:i32 to g0\nret";
    for (body, expected) in [(REGISTER, false), (late, true)] {
        let module = program(&[("", body), ("", LOAD)]);
        let scenario = Scenario {
            threads: vec![ThreadSpec::new(f(0), vec![]), callback_of_irq(1)],
            ..Scenario::default()
        };
        assert_eq!(!run(&module, &scenario).races.is_empty(), expected, "{body}");
    }
}

#[test]
fn unregistration_waits_only_if_synchronous() {
    for (body, expected) in [(UNREGISTER.to_owned(), false), (UNREGISTER.replace(".sync", ""), true)] {
        let module = program(&[("", "register \"irq\" g1\nret"), ("", &body), ("", LOAD)]);
        let scenario = Scenario {
            setup: vec![call(0)],
            threads: vec![ThreadSpec::new(f(1), vec![]), callback_of_irq(2)],
            ..Scenario::default()
        };
        let found = run(&module, &scenario);
        assert_eq!(!found.races.is_empty(), expected, "{body}");
        assert_eq!(found.deadlocks, 0);
    }
}

/// A callback of any handle gets the one that it runs for, and one handle has one at a time.
#[test]
fn callbacks_of_any_handle() {
    let any = |func| {
        let mut spec = ThreadSpec::new(f(func), vec![ArgSpec::Null]);
        spec.callback = Some(Callback::new("irq", 0));
        spec
    };
    let one = "register \"irq\" g0\nret";
    let two = "register \"irq\" g0\nregister \"irq\" g0+8\nret";
    let own = "store 1:i32 to v0\nret";
    for (setup, body, expected) in
        [(one, own, false), (one, STORE, false), (two, own, false), (two, STORE, true), ("ret", STORE, false)]
    {
        let module = program(&[("", setup), ("v0: ptr", body)]);
        let scenario =
            Scenario { setup: vec![call(0)], threads: vec![any(1), any(1)], ..Scenario::default() };
        assert_eq!(!run(&module, &scenario).races.is_empty(), expected, "{setup} {body}");
    }
    for (body, expected) in [("unregister.sync", false), ("unregister", true)] {
        let body = format!("{body} \"irq\" g0\nstore 2:i32 to g0\nret");
        let module = program(&[("", one), ("v0: ptr", own), ("", &body)]);
        let threads = vec![any(1), ThreadSpec::new(f(2), vec![])];
        let scenario = Scenario { setup: vec![call(0)], threads, ..Scenario::default() };
        assert_eq!(!run(&module, &scenario).races.is_empty(), expected, "{body}");
    }
}

#[test]
fn a_callback_that_never_runs_is_no_deadlock() {
    let module = program(&[("", LOAD)]);
    let scenario = Scenario { threads: vec![callback_of_irq(0)], ..Scenario::default() };
    let found = race_free(&module, &scenario);
    assert_eq!(found.deadlocks, 0);
}

#[test]
fn havoc_takes_all_its_values() {
    let body =
        "v0: i32 = havoc\nv1: i1 = cmp.eq v0, 1:i32\nbrif v1, b1, b2\nb1:\nstore 1:i32 to g0\nret\nb2:\nret";
    pair_races(true, body, LOAD);
    pair_races(false, &body.replace("cmp.eq v0, 1:i32", "cmp.eq v0, 2:i32"), LOAD);
    pair_races(true, &body.replace("havoc", "external \"get\" ()"), LOAD);
    let unused = "v0: i32 = havoc\nret";
    let (module, scenario) = pair(unused, "ret");
    assert!(race_free(&module, &scenario).states <= 4, "a value that nobody uses needs no choice");
}

#[test]
fn replay_takes_values_beyond_the_small_set() {
    let body =
        "v0: i32 = havoc\nv1: i1 = cmp.eq v0, 77:i32\nbrif v1, b1, b2\nb1:\nstore 1:i32 to g0\nret\nb2:\nret";
    let (module, scenario) = pair(body, LOAD);
    race_free(&module, &scenario);
    let step = |thread, picks| ScheduleStep { thread, picks };
    let schedule = |pick| Schedule { steps: vec![step(0, vec![pick]), step(1, vec![])], single_steps: false };
    let trace = replay(&module, &scenario, &schedule(77)).unwrap();
    assert_eq!(trace.races.len(), 1);
    assert_eq!(replay(&module, &scenario, &schedule(78)), Err(ReplayError::NoRace));
    assert_eq!(replay(&module, &scenario, &schedule(1 << 32)), Err(ReplayError::BadChoice(0)));
}

#[test]
fn replay_rejects_what_is_no_execution() {
    let (module, scenario) = pair(&locked("m", "exclusive", STORE), &locked("m", "exclusive", STORE));
    let try_steps = |threads: &[usize]| {
        let steps = threads.iter().map(|&thread| ScheduleStep { thread, picks: vec![] }).collect();
        replay(&module, &scenario, &Schedule { steps, single_steps: false })
    };
    // Start both, take the lock in the first: the second cannot.
    assert_eq!(try_steps(&[0, 1, 0, 1]), Err(ReplayError::NotReady(3)));
    assert_eq!(try_steps(&[0, 1, 0]), Err(ReplayError::NoRace));
    assert_eq!(try_steps(&[9]), Err(ReplayError::NoSuchThread(0)));
    let extra = Schedule { steps: vec![ScheduleStep { thread: 0, picks: vec![1] }], single_steps: false };
    assert_eq!(replay(&module, &scenario, &extra), Err(ReplayError::BadChoice(0)));
}

#[test]
fn trace_tells_what_happened() {
    let (module, scenario) =
        pair(&format!("{}\nret", locked("m", "exclusive", STORE).replace("\nret", "")), LOAD);
    let found = racy(&module, &scenario);
    let trace = replay(&module, &scenario, &found.races[0].schedule).unwrap();
    let acquired = |e: &Event| matches!(&e.action, Action::Acquire { class, lock, obtained: true, .. } if class == "m" && lock == "m+0");
    assert!(trace.events.iter().any(acquired), "{trace:?}");
    assert!(trace.events.iter().any(|e| e.action == Action::Start));
}

#[test]
fn races_name_the_open_calls() {
    let module = program(&[("", "call f1()\nret"), ("", STORE), ("", LOAD)]);
    let found = racy(&module, &threads(&[0, 2]));
    let callers = &found.races[0].first.callers;
    assert_eq!(callers.iter().map(|s| (s.func, s.inst.index())).collect::<Vec<_>>(), vec![(f(0), 0)]);
}

#[test]
fn bounds_make_incomplete() {
    let spin = "br b1\nb1:\nv0: i32 = load.volatile g0\nv1: i32 = add v0, 1:i32\n\
                store.volatile v1 to g0\nbr b1";
    let (module, scenario) = pair(spin, "ret");
    let bounds = Bounds { max_iterations: 5, ..Bounds::default() };
    assert!(!run_with(&module, &scenario, &bounds).complete);
    assert!(!explore(&module, &scenario, &Bounds { max_states: 10, ..Bounds::default() }).complete);
    let found = explore(&module, &scenario, &Bounds { max_search: 10, ..Bounds::default() });
    assert!(!found.complete && (10..30).contains(&found.steps), "{found:?}");
    let found = explore(&module, &scenario, &Bounds { max_bytes: 100, ..Bounds::default() });
    assert!(!found.complete && (2..20).contains(&found.states), "{found:?}");
    let (module, scenario) = pair(STORE, LOAD);
    let found = explore_until(&Program::new(&module), &scenario, &Bounds::default(), &mut |_| true);
    assert_eq!((found.races.len(), found.complete), (1, false));
}

#[test]
fn waiting_loops_end_in_known_states() {
    let wait = "br b1\nb1:\nv0: i32 = load.acquire g1\nv1: i1 = cmp.eq v0, 1:i32\nbrif v1, b2, b1\n\
                b2:\nv2: i32 = load g0\nret";
    let signal = "store 1:i32 to g0\nstore.release 1:i32 to g1\nret";
    pair_races(false, wait, signal);
    pair_races(true, wait, "store.release 1:i32 to g1\nstore 1:i32 to g0\nret");
}

#[test]
fn recursion_is_bounded() {
    let module = program(&[("", "call f0()\nret")]);
    let found = run(&module, &threads(&[0]));
    assert!(!found.complete);
}

#[test]
fn three_threads_of_six_visible_steps_are_fast() {
    let body = "acquire.exclusive \"m\" g1\nv0: i32 = load g0\nv1: i32 = add v0, 1:i32\nstore v1 to g0\n\
                release.exclusive \"m\" g1\nstore.volatile 1:i32 to g0+8\nv2: i32 = load.volatile g0+12\nret";
    let module = program(&[("", body)]);
    let start = std::time::Instant::now();
    let found = explore(&module, &threads(&[0, 0, 0]), &Bounds::default());
    let elapsed = start.elapsed();
    assert!(found.complete && found.races.is_empty());
    // The aim is 10 ms; the rest is for slow machines and unoptimized builds.
    assert!(elapsed.as_millis() < 200, "{elapsed:?} for {} states", found.states);
}

/// One line of a random program. Values are numbered by the caller.
fn random_line(kind: usize, place: usize, value: usize) -> String {
    let at = ["g0", "g0+4", "g0+2", "g1"][place % 4];
    let lock = ["g0", "g1"][place % 2];
    match kind {
        0 => format!("store {place}:i32 to {at}"),
        1 => format!("v{value}: i32 = load {at}"),
        2 => format!("acquire.exclusive \"m\" {lock}"),
        3 => format!("release.exclusive \"m\" {lock}"),
        4 => format!("v{value}: i32 = rmw.add.seqcst {at}, 1:i32"),
        5 => format!("v{value}: ptr = alloc 8:i64\nstore 1:i32 to v{value}\nstore.release v{value} to g0+8"),
        6 => format!("v{value}: ptr = load.acquire g0+8\nstore.volatile 2:i16 to v{value}"),
        7 => format!("v{value}: ptr = load.acquire g0+8\nfree v{value}"),
        8 => format!("v{value}: ptr = alloca 8 x 1:i32\nstore v{value} to g0+8"),
        9 => format!("acquire.shared \"m\" {lock}"),
        10 => "register \"irq\" g1".to_owned(),
        11 => "unregister.sync \"irq\" g1".to_owned(),
        _ => format!("v{value}: i1 = acquire.exclusive.if_nonzero \"m\" {lock}"),
    }
}

fn random_body(lines: &[(usize, usize)]) -> String {
    let mut value = 0;
    let mut body = String::new();
    for &(kind, place) in lines {
        let line = random_line(kind, place, value);
        value += usize::from(line.starts_with('v'));
        body += &line;
        body.push('\n');
    }
    body + "ret"
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Both searches find the same races, and all of them replay.
    #[test]
    fn reduction_loses_no_race(
        bodies in proptest::collection::vec(proptest::collection::vec((0usize..13, 0usize..4), 1..5), 2..4),
        callback in any::<bool>(),
        implicit in any::<bool>(),
    ) {
        let texts: Vec<String> = bodies.iter().map(|b| random_body(b)).collect();
        let functions: Vec<(&str, &str)> = texts.iter().map(|t| ("", t.as_str())).collect();
        let module = program(&functions);
        let mut scenario = threads(&(0..functions.len()).collect::<Vec<_>>());
        if callback {
            scenario.threads[0] = callback_of_irq(0);
        }
        if implicit {
            scenario.threads[1].locks = vec![("m".to_owned(), Exclusive, x())];
        }
        let bounds = Bounds { max_states: 1_000_000, ..Bounds::default() };
        let found = run_with(&module, &scenario, &bounds);
        prop_assert!(found.complete);
    }
}

/// Two threads with these bodies: a process, and what comes in at a level with these masks. `P` keeps processes off,
/// `I` all up to interrupts; `P` is counted.
fn on_cpus(process: &str, level: Level, masks: &[&str], other: &str) -> (Module, Scenario) {
    let (module, mut scenario) = pair(process, other);
    let mask = |keeps_off, counted| Mask { keeps_off, counted };
    scenario.masks.insert("P".into(), mask(Level::Process, true));
    scenario.masks.insert("I".into(), mask(Level::HardIrq, false));
    scenario.threads[1].level = level;
    scenario.threads[1].masks = masks.iter().map(|&m| m.to_owned()).collect();
    (module, scenario)
}

/// An access to the own CPU's copy of `x`, under masks.
fn own_copy(masks: &[&str]) -> String {
    let take: String = masks.iter().map(|m| format!("acquire.exclusive \"{m}\" null\n")).collect();
    let end: String = masks.iter().rev().map(|m| format!("release.exclusive \"{m}\" null\n")).collect();
    format!("{take}{OWN_STORE}\n{end}ret")
}

const OWN_STORE: &str = "v0: i64 = cpu\nv1: ptr = ptradd g0, 0, v0 * 1099511627776\nstore 1:i32 to v1";

#[test]
fn masks_keep_others_off_their_own_cpu_only() {
    let both = |masks: &[&str]| on_cpus(&own_copy(masks), Level::Process, &[], &own_copy(masks));
    let (module, scenario) = both(&["P"]);
    race_free(&module, &scenario);
    let (module, scenario) = both(&[]);
    racy(&module, &scenario);
    let common = own_copy(&["P"]).replace("v1\nrel", "g0\nrel");
    let (module, scenario) = on_cpus(&common, Level::Process, &[], &common);
    racy(&module, &scenario);
}

#[test]
fn interrupts_come_in_unless_they_are_off() {
    let handler = |masks: &[&str]| on_cpus(&own_copy(masks), Level::HardIrq, &["I"], &own_copy(&[]));
    for (masks, is_racy) in [(&["P"][..], true), (&["I"], false), (&["P", "I"], false)] {
        let (module, scenario) = handler(masks);
        let found = run(&module, &scenario);
        assert_eq!(!found.races.is_empty(), is_racy, "{masks:?}");
    }
}

#[test]
fn masks_end_as_often_as_they_were_taken_if_they_are_counted() {
    let nested = |class: &str| {
        let body = own_copy(&[class, class]);
        let (before, after) = body.split_at(body.find("v0:").unwrap());
        format!("{before}release.exclusive \"{class}\" null\n{after}")
    };
    for (class, is_racy) in [("P", false), ("I", true)] {
        let (module, scenario) = on_cpus(&nested(class), Level::Process, &[], &own_copy(&[class]));
        let found = run(&module, &scenario);
        assert_eq!(!found.races.is_empty(), is_racy, "{class}");
    }
}
