//! Threads that begin in any state: what memory held before is chosen when it is first read.

use super::*;

/// The objects of two parameters: one, two that are alike, or two that are not.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Objects {
    One,
    Alike,
    Two,
}

fn scenario(objects: Objects) -> Scenario {
    let object = |name: &str, like| EnvObject {
        name: name.to_owned(),
        size: 2 * HEADROOM,
        like,
        extent: 16,
        ..EnvObject::default()
    };
    let second = object("*b", (objects == Objects::Alike).then_some(0));
    let arg = |id| vec![ArgSpec::Object { id, offset: HEADROOM }];
    let other = usize::from(objects != Objects::One);
    Scenario {
        objects: vec![object("*a", None), second],
        threads: vec![ThreadSpec::new(f(0), arg(0)), ThreadSpec::new(f(1), arg(other))],
        lazy: Some(Lazy::default()),
        ..Scenario::default()
    }
}

/// The races of two functions, by the places of the first side.
fn places(module: &Module, scenario: &Scenario) -> Vec<String> {
    let bounds = Bounds { max_switches: Some(6), ..Bounds::default() };
    let program = Program::new(module);
    let found = explore_until(&program, scenario, &bounds, &mut |_| false);
    for race in &found.races {
        replay_within(&program, scenario, &race.schedule, &bounds).expect("the schedule replays");
    }
    found.races.into_iter().map(|race| race.first.place).collect()
}

fn pair(one: &str, other: &str) -> Module {
    program(&[("v0: ptr", one), ("v0: ptr", other)])
}

const FOLLOW: &str = "v1: ptr = load.volatile v0\nv2: ptr = ptradd v1, 4\nstore 1:i32 to v2\nret";

#[test]
fn a_pointer_leads_to_one_object_of_its_own() {
    let module = pair(FOLLOW, FOLLOW);
    assert_eq!(places(&module, &scenario(Objects::One)), ["*a->[4]"]);
    assert_eq!(
        places(&module, &scenario(Objects::Alike)),
        ["*a->[4]"],
        "what lies at one place of like objects"
    );
    assert!(places(&module, &scenario(Objects::Two)).is_empty());
    let elsewhere = format!("v3: ptr = ptradd v0, 8\n{}", FOLLOW.replace("volatile v0", "volatile v3"));
    assert!(
        places(&pair(FOLLOW, &elsewhere), &scenario(Objects::One)).is_empty(),
        "two pointers, two objects"
    );
}

#[test]
fn what_contains_an_object_lies_in_front_of_it() {
    let container = "v1: ptr = ptradd v0, -64\nstore 1:i32 to v1\nret";
    let module = pair(container, container);
    assert_eq!(places(&module, &scenario(Objects::One)), ["a->[-64]"]);
}

#[test]
fn a_value_is_what_it_is_compared_with_and_stays_so() {
    let guarded = |value: u32| {
        format!(
            "v1: ptr = ptradd v0, 8\nv2: i32 = load.volatile v1\nv3: i1 = cmp.eq v2, {value}:i32\nbrif v3, b1, b2\n\
             b1:\nstore 1:i32 to v0\nret\nb2:\nret"
        )
    };
    let both = |a, b| places(&pair(&guarded(a), &guarded(b)), &scenario(Objects::One));
    assert_eq!(both(77, 77), ["*a"]);
    assert!(both(77, 78).is_empty(), "it cannot be both");
}

#[test]
fn what_is_counted_holds_a_reference_for_each_thread() {
    let put = |old: u32| {
        format!(
            "v1: i32 = rmw.sub.seqcst v0, 1:i32\nv2: i1 = cmp.eq v1, {old}:i32\nbrif v2, b1, b2\nb1:\n\
             v3: ptr = ptradd v0, 8\nstore 1:i32 to v3\nret\nb2:\nret"
        )
    };
    let user = "v1: ptr = ptradd v0, 8\nv2: i32 = load v1\nret";
    assert!(places(&pair(&put(1), user), &scenario(Objects::One)).is_empty(), "the user has the other one");
    assert_eq!(places(&pair(&put(2), user), &scenario(Objects::One)), ["a->[8]"]);
}

#[test]
fn who_waits_for_another_handle_of_the_class_goes_no_further() {
    let ends = "v1: ptr = ptradd v0, 64\nunregister.sync \"work\" v1\nstore 1:i32 to v0\nret";
    let runs = "store 2:i32 to v0\nret";
    let module = pair(ends, runs);
    let at = |offset: u64| {
        let mut scenario = scenario(Objects::One);
        let handle = ("work".to_owned(), ArgSpec::Object { id: 0, offset: HEADROOM + offset });
        scenario.lazy = Some(Lazy { registered: vec![handle.clone()], ..Lazy::default() });
        scenario.threads[1].requires_registered.push(handle);
        scenario
    };
    assert!(places(&module, &at(64)).is_empty(), "it is that handle, and it waits");
    assert!(places(&module, &at(128)).is_empty(), "nobody knows whether it is another one");
    assert_eq!(places(&module, &scenario(Objects::One)), ["*a"], "it runs for none");
}

#[test]
fn what_somebody_registers_does_not_start_before() {
    let registers = |body: &str| pair(body, "store 2:i32 to v0\nret");
    let early = registers("store 1:i32 to v0\nregister \"work\" v0\nret");
    let late = registers("register \"work\" v0\nstore 1:i32 to v0\nret");
    let mut scenario = scenario(Objects::One);
    scenario.threads[1].awaits.push("work".to_owned());
    assert!(places(&early, &scenario).is_empty());
    assert_eq!(places(&late, &scenario), ["*a"]);
}

#[test]
fn what_is_around_like_objects_is_of_each() {
    let around = format!("v3: ptr = ptradd v0, -8\n{}", FOLLOW.replace("volatile v0", "volatile v3"));
    let module = pair(&around, &around);
    assert_eq!(places(&module, &scenario(Objects::One)).len(), 1);
    assert!(places(&module, &scenario(Objects::Alike)).is_empty());
}

#[test]
fn a_free_ends_what_a_pointer_leads_to_but_not_what_it_was_called_for() {
    let frees = "v1: ptr = load.volatile v0\nv2: ptr = ptradd v1, -16\nfree v2\nret";
    let reads = "v1: ptr = load.volatile v0\nv2: i32 = load v1\nret";
    assert_eq!(places(&pair(frees, reads), &scenario(Objects::One)), ["*a->[-8192]"]);
    let module = pair("free v0\nret", "v1: i32 = load v0\nret");
    assert!(places(&module, &scenario(Objects::One)).is_empty(), "it has the last reference");
}
