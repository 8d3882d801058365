//! States, and callbacks that do not start while one lasts.

use super::*;

/// The class of the state, and of the lock of those who run.
const OFF: &str = "off";

/// A callback of handles that are registered through something, which does not start while that is off.
fn callback(func: usize) -> ThreadSpec {
    let mut spec = ThreadSpec::new(f(func), vec![ArgSpec::Null]);
    let mut callback = Callback::new("irq", 0);
    callback.locks = vec![("running".to_owned(), Shared, Of::Through)];
    callback.not_while = Some((OFF.to_owned(), Of::Through));
    spec.callback = Some(callback);
    spec
}

/// Whether there is a race, after the setup, of the callback with the other functions.
fn races(ends: Ends, setup: &str, bodies: &[&str]) -> bool {
    let functions: Vec<(&str, &str)> = bodies.iter().map(|body| ("", *body)).collect();
    let module = program(&[&[("", setup), ("v0: ptr", "store 1:i32 to g0\nret")], &functions[..]].concat());
    let others = (0..bodies.len()).map(|n| ThreadSpec::new(f(n + 2), vec![]));
    let scenario = Scenario {
        setup: vec![call(0)],
        threads: std::iter::once(callback(1)).chain(others).collect(),
        states: [(OFF.to_owned(), ends)].into(),
        numbered: [OFF, "running"].map(str::to_owned).into(),
        ..Scenario::default()
    };
    !run(&module, &scenario).races.is_empty()
}

const REQUEST: &str = "register \"irq\" g1 through 7:i64\nret";
const WAIT: &str = "acquire.exclusive \"running\" v0\nrelease.exclusive \"running\" v0\n";

fn body(lines: &str) -> String {
    let lines = lines.replace("WAIT\n", WAIT).replace("OFF", "\"off\" v0");
    format!("v0: ptr = inttoptr 7:i64\n{lines}\nret")
}

fn counted() -> Ends {
    Ends::Counted("irq".to_owned())
}

#[test]
fn a_state_keeps_callbacks_off_if_running_ones_are_waited_for() {
    let off = body("acquire.shared OFF\nWAIT\nstore 2:i32 to g0\nrelease.shared OFF");
    assert!(!races(counted(), REQUEST, &[&off]));
    assert!(races(counted(), REQUEST, &[&off.replace(WAIT, "")]));
    let other = off.replace("7:i64", "8:i64");
    assert!(races(counted(), REQUEST, &[&other]), "another line is off");
    let early = body("acquire.shared OFF\nWAIT\nrelease.shared OFF\nstore 2:i32 to g0");
    assert!(races(counted(), REQUEST, &[&early]));
}

#[test]
fn others_end_a_state_unless_it_is_counted_and_they_have_begun_it() {
    let off = body("acquire.shared OFF\nWAIT\nstore 2:i32 to g0\nrelease.shared OFF");
    let balanced = body("acquire.shared OFF\nrelease.shared OFF");
    let ends = body("release.shared OFF");
    assert!(!races(counted(), REQUEST, &[&off, &balanced]));
    assert!(races(counted(), REQUEST, &[&off, &ends]));
    assert!(races(Ends::AtOnce, REQUEST, &[&off, &balanced]));
}

#[test]
fn the_first_handle_begins_anew() {
    let late = body("acquire.shared OFF\nregister \"irq\" g1 through 7:i64\nstore 2:i32 to g0");
    assert!(races(counted(), "ret", &[&late]));
    let second = late.replace("g1 through", "g1+4 through").replace("register", "WAIT\nregister");
    let second = second.replace("WAIT\n", WAIT);
    assert!(!races(counted(), REQUEST, &[&second]), "the line has a handler already");
}

/// A handle that is registered through two things has a callback for each, which ends with the one.
#[test]
fn callbacks_of_two_registrations_run_side_by_side() {
    let own = |through: &str| {
        let setup =
            format!("register \"irq\" g1 through 7:i64\nregister \"irq\" g1 through {through}:i64\nret");
        let module = program(&[("", &setup), ("v0: ptr", "store 1:i32 to g0\nret")]);
        let scenario =
            Scenario { setup: vec![call(0)], threads: vec![callback(1), callback(1)], ..Scenario::default() };
        !run(&module, &scenario).races.is_empty()
    };
    assert!(own("8") && !own("7"));
}
