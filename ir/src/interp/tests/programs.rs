//! Threads that registrations start, executions that rest on nothing that is not known, and where threads are switched.

use super::*;
use std::collections::BTreeSet;

/// `f0` runs first, and what it starts runs `f1`, of which two threads may run.
fn starting(main: &str, thread: &str) -> (Module, Scenario) {
    let module = program(&[("", main), ("v0: ptr", thread)]);
    let started = ThreadSpec {
        callback: Some(Callback::spawned("thread", 0)),
        ..ThreadSpec::new(f(1), vec![ArgSpec::Null])
    };
    let threads = vec![ThreadSpec::new(f(0), vec![]), started.clone(), started];
    (module, Scenario { threads, ..Scenario::default() })
}

fn exactly(mut scenario: Scenario) -> Scenario {
    let exact = Exact { arbitrary: BTreeSet::new(), either: BTreeSet::new(), busy: 16 };
    scenario.exact = Some(exact);
    scenario
}

const START: &str = "register \"thread\" g1 callback f1 argument 0 g0";
const WRITE: &str = "store 1:i32 to v0\nret";

#[test]
fn a_registration_starts_one_thread_with_its_argument() {
    let (module, scenario) = starting(&format!("{START}\nret"), WRITE);
    let found = race_free(&module, &scenario);
    assert!(found.stuck.is_empty(), "nobody runs with another argument: {:?}", found.stuck);
    let (module, scenario) = starting(&format!("{START}\nstore 2:i32 to g0\nret"), WRITE);
    racy(&module, &scenario);
    let twice = format!("{START}\n{}\nret", START.replace("g1", "g0"));
    let (module, scenario) = starting(&twice, WRITE);
    racy(&module, &scenario);
}

#[test]
fn who_waits_for_the_end_of_a_thread_waits_for_its_start() {
    let join = "unregister.sync \"thread\" g1";
    let (module, scenario) = starting(&format!("{START}\n{join}\nv0: i32 = load g0\nret"), WRITE);
    race_free(&module, &scenario);
    // Nobody may read what the thread has not written yet.
    let read = format!("{START}\n{join}\nv0: i32 = load g0\nv1: i32 = udiv 1:i32, v0\nret");
    let (module, scenario) = starting(&read, WRITE);
    assert!(race_free(&module, &scenario).stuck.is_empty());
}

#[test]
fn a_thread_runs_the_function_that_its_registration_names() {
    let (module, scenario) =
        starting(&format!("{}\nstore 2:i32 to g0\nret", START.replace("f1", "f0")), WRITE);
    race_free(&module, &scenario);
}

#[test]
fn nothing_goes_beyond_what_is_not_known() {
    let unknown = [
        "external \"wait\" ()\n",
        "v0: i32 = havoc\nstore v0 to g1\n",
        "access.write g1, 4:i64\nv0: i32 = load g1\n",
        "register \"signal\" g1\n",
    ];
    for before in unknown {
        let (module, scenario) = pair(&format!("{before}{STORE}"), LOAD);
        racy(&module, &scenario);
        let found = run(&module, &exactly(scenario));
        let is_unknown = |stuck: &StuckThread| (stuck.thread, stuck.reason) == (0, StuckReason::Unknown);
        assert!(found.races.is_empty() && found.stuck.iter().all(is_unknown), "{before}: {found:?}");
        assert_eq!(found.stuck.len(), 1, "{before}");
    }
}

#[test]
fn what_is_written_over_is_known_again() {
    let before = "access.write g1, 8:i64\nstore 7:i32 to g1\nv0: i32 = load g1\n";
    let (module, scenario) = pair(&format!("{before}{STORE}"), LOAD);
    racy(&module, &exactly(scenario));
}

#[test]
fn what_may_really_be_anything_may_be() {
    let (module, scenario) = pair(&format!("v0: i32 = havoc\nstore v0 to g1\n{STORE}"), LOAD);
    let mut scenario = exactly(scenario);
    let exact = scenario.exact.as_mut().unwrap();
    exact.arbitrary.extend(module.funcs[f(0)].insts.keys().map(|inst| (f(0), inst)));
    racy(&module, &scenario);
}

#[test]
fn a_lock_may_be_given_back_however_it_is_held() {
    let given_back = |held: &str| format!("{held}release.shared \"rwlock\" g1\n{STORE}");
    let run_with = |held: &str, either: &[&str]| {
        let (module, scenario) = pair(&given_back(held), LOAD);
        let mut scenario = exactly(scenario);
        scenario.exact.as_mut().unwrap().either.extend(either.iter().map(|class| (*class).to_owned()));
        !run(&module, &scenario).races.is_empty()
    };
    let exclusive = "acquire.exclusive \"rwlock\" g1\n";
    assert!(run_with(exclusive, &["rwlock"]) && !run_with(exclusive, &[]));
    assert!(!run_with("", &["rwlock"]), "but it has to be held");
}

#[test]
fn what_addresses_are_as_numbers_is_not_known() {
    let address = "v0: i64 = ptrtoint g0\n";
    for (use_of_it, goes_on) in [
        ("v1: i1 = cmp.eq v0, 0:i64\n", true),
        ("v1: i64 = and v0, 7:i64\n", false),
        ("v1: i32 = trunc v0\n", false),
        ("v1: i64 = sub v0, v0\n", true),
        ("v1: ptr = inttoptr v0\n", true),
        ("v1: i1 = cmp.ult v0, 5:i64\n", false),
    ] {
        let (module, scenario) = pair(&format!("{address}{use_of_it}{STORE}"), LOAD);
        racy(&module, &scenario);
        assert_eq!(!run(&module, &exactly(scenario)).races.is_empty(), goes_on, "{use_of_it}");
    }
}

#[test]
fn what_nobody_has_written_is_not_known() {
    for (made, goes_on) in [("alloc 8:i64", false), ("alloc 8:i64 zeroed", true)] {
        let body = format!("v0: ptr = {made}\nv1: i32 = load v0\n{STORE}");
        let (module, scenario) = pair(&body, LOAD);
        racy(&module, &scenario);
        assert_eq!(!run(&module, &exactly(scenario)).races.is_empty(), goes_on, "{made}");
    }
    let (module, scenario) = pair(&format!("store undef:i32 to g1\nv0: i32 = load g1\n{STORE}"), LOAD);
    assert!(run(&module, &exactly(scenario)).races.is_empty());
}

#[test]
fn an_exchange_that_fails_only_reads() {
    for (expected, races) in [(0, true), (5, false)] {
        let body = format!("v0: i32 = cmpxchg.seqcst g0, {expected}:i32, 1:i32\nret");
        let (module, scenario) = pair(&body, LOAD);
        assert_eq!(!run(&module, &exactly(scenario)).races.is_empty(), races);
    }
}

#[test]
fn who_tries_a_lock_of_his_own_goes_no_further() {
    let own = "acquire.exclusive \"mutex\" g1\nv0: i32 = acquire.exclusive.if_zero \"mutex\" g1\n";
    let (module, scenario) = pair(&format!("{own}{STORE}"), LOAD);
    racy(&module, &scenario);
    assert!(run(&module, &exactly(scenario)).races.is_empty());
}

/// Two threads, each with two accesses of its own under a lock and one to a variable of both.
fn with_locks() -> (Module, Scenario) {
    let body = "acquire.exclusive \"mutex\" g1\nstore 1:i32 to g0\nstore 2:i32 to g0\nrelease.exclusive \"mutex\" g1\n\
                v0: ptr = ptradd g0, 8\nstore 1:i32 to v0\nret";
    pair(body, body)
}

#[test]
fn switches_where_races_may_be_are_enough() {
    let (module, scenario) = with_locks();
    let all = racy(&module, &scenario);
    // In text there are no places: none is one where a race may be.
    let nowhere = Bounds { switches: Some(BTreeSet::new()), ..Bounds::default() };
    let locks = explore(&module, &scenario, &nowhere);
    assert!(locks.races.is_empty() && locks.complete && locks.states < all.states);
}

#[test]
fn few_switches_come_first_and_no_more_than_allowed() {
    let (module, scenario) = with_locks();
    let bounds = |most| Bounds { max_switches: Some(most), ..Bounds::default() };
    let found = explore_until(&Program::new(&module), &scenario, &bounds(9), &mut |_| true);
    // Both start, which nobody notices; one comes to its last access, and the other one does.
    let threads: Vec<usize> = found.races[0].schedule.steps.iter().map(|step| step.thread).skip(2).collect();
    let switches = threads.windows(2).filter(|two| two[0] != two[1]).count();
    assert_eq!(switches, 1, "{threads:?}");
    let none = explore(&module, &scenario, &bounds(0));
    assert!(none.races.is_empty() && !none.complete);
}
