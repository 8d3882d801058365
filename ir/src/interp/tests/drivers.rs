//! What the environment makes of the end of a call, and what it runs only after another thread or for.

use super::*;

/// A function that returns this, one that writes, and one that reads.
fn returning(value: &str) -> Module {
    let mut text = "module \"t\"\ng0 = global \"x\" size 16\ng1 = global \"m\" size 8\n".to_owned();
    text += &format!("func f0 \"f0\" () -> i32 {{\nb0:\nstore 1:i32 to g0\nret {value}\n}}\n");
    for (i, body) in [STORE, LOAD].iter().enumerate() {
        text += &format!("func f{0} \"f{0}\" () {{\nb0:\n{body}\n}}\n", i + 1);
    }
    parse_module(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn bound() -> (String, ArgSpec) {
    ("bound".to_owned(), x())
}

fn if_bound(func: usize) -> ThreadSpec {
    ThreadSpec { requires_registered: vec![bound()], ..ThreadSpec::new(f(func), vec![]) }
}

fn begins(func: usize) -> Invocation {
    Invocation { then: Some(Then::Registers(bound().0, bound().1)), ..call(func) }
}

#[test]
fn a_call_that_succeeds_registers() {
    for (value, runs) in [("0:i32", true), ("4294967295:i32", false)] {
        let scenario = Scenario {
            setup: vec![begins(0)],
            threads: vec![if_bound(1), if_bound(2)],
            ..Scenario::default()
        };
        assert_eq!(!run(&returning(value), &scenario).races.is_empty(), runs, "{value}");
    }
}

#[test]
fn what_a_call_registers_it_registers_at_its_end() {
    let first = ThreadSpec { call: begins(0), ..ThreadSpec::new(f(0), vec![]) };
    let scenario = Scenario { threads: vec![first, if_bound(2)], ..Scenario::default() };
    assert!(run(&returning("0:i32"), &scenario).races.is_empty());
}

#[test]
fn what_a_call_ends_starts_no_longer() {
    let ends = Invocation { then: Some(Then::Unregisters(bound().0, bound().1)), ..call(0) };
    for (setup, runs) in [(vec![begins(0)], true), (vec![begins(0), ends], false)] {
        let scenario = Scenario { setup, threads: vec![if_bound(1), if_bound(2)], ..Scenario::default() };
        assert_eq!(!run(&returning("0:i32"), &scenario).races.is_empty(), runs);
    }
}

#[test]
fn a_thread_starts_after_another() {
    for (after, expected) in [(vec![], true), (vec![0], false)] {
        let (module, mut scenario) = pair(STORE, LOAD);
        scenario.threads[1].after = after;
        assert_eq!(!run(&module, &scenario).races.is_empty(), expected);
    }
}

#[test]
fn a_callback_runs_for_what_is_registered_through_its_own() {
    let module = program(&[("", "register \"attr\" g0 through g1\nret"), ("", STORE), ("", LOAD)]);
    for (through, runs) in [(x(), false), (ArgSpec::Global(GlobalId::new(1), 0), true)] {
        let of = |func| {
            let callback =
                Callback { through: Some(vec![through.clone()]), alone: false, ..Callback::new("attr", 0) };
            ThreadSpec { callback: Some(callback), ..ThreadSpec::new(f(func), vec![ArgSpec::Null]) }
        };
        let scenario = Scenario { setup: vec![call(0)], threads: vec![of(1), of(2)], ..Scenario::default() };
        assert_eq!(!run(&module, &scenario).races.is_empty(), runs, "{through:?}");
    }
}
