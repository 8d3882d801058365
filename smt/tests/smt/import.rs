//! Imports between arenas.

use lockpair_smt::{Import, Sort, Terms, Value, VarAction, VarId};
use proptest::prelude::*;

use crate::recipe::{bools, points, value_at};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn copies_keep_their_value(recipe in bools(), p in points()) {
        let mut from = Terms::new();
        let t = recipe.build(&mut from);
        let mut into = Terms::new();
        into.fresh("b", Sort::Bool, None);
        let mut import = Import::new(&from);
        let kept = import.term(&mut into, t, &mut |_, _| VarAction::Keep);
        let local = Import::new(&from).term(&mut into, t, &mut |_, _| VarAction::Local(1));
        prop_assert_eq!(value_at(&into, kept, &p), Value::Bool(recipe.value(&p)));
        prop_assert_eq!(value_at(&into, local, &p), Value::Bool(recipe.value(&p)));
        prop_assert_eq!(import.term(&mut into, t, &mut |_, _| unreachable!()), kept);
    }
}

#[test]
fn stable_loads_become_applications() {
    let mut from = Terms::new();
    let object = from.shared_var("object", Sort::Int, None);
    let inner = from.fresh("load", Sort::Int, None);
    let outer = from.fresh("load", Sort::Int, Some((0, 5)));
    let four = from.int(4);
    let root = from.eq(outer, four);
    let mut into = Terms::new();
    let stable = into.func("stable", 2, Sort::Int, None);
    let (object_var, inner_var, outer_var) =
        (VarIdOf(&from).of(object), VarIdOf(&from).of(inner), VarIdOf(&from).of(outer));
    let got = Import::new(&from).term(&mut into, root, &mut |_, v| match v {
        v if v == outer_var => VarAction::App(stable, vec![inner, four]),
        v if v == inner_var => VarAction::App(stable, vec![object, four]),
        v => {
            assert_eq!(v, object_var);
            VarAction::Keep
        }
    });
    let object = into.shared_var("object", Sort::Int, None);
    let four = into.int(4);
    let inner = into.app(stable, &[object, four]);
    let outer = into.app(stable, &[inner, four]);
    assert_eq!(got, into.eq(outer, four));
}

struct VarIdOf<'a>(&'a Terms);

impl VarIdOf<'_> {
    fn of(&self, t: lockpair_smt::TermId) -> VarId {
        match self.0.get(t) {
            lockpair_smt::Term::Var(v) => v,
            other => panic!("{other:?} is no variable"),
        }
    }
}

#[test]
fn locals_of_two_sides_differ() {
    let mut from = Terms::new();
    let x = from.fresh("x", Sort::Int, Some((0, 7)));
    let mut into = Terms::new();
    let one = Import::new(&from).term(&mut into, x, &mut |_, _| VarAction::Local(1));
    let two = Import::new(&from).term(&mut into, x, &mut |_, _| VarAction::Local(2));
    let again = Import::new(&from).term(&mut into, x, &mut |_, _| VarAction::Local(1));
    assert!(one != two && one != again);
    assert_eq!(into.bounds(one), Some((0, 7)));
    assert_eq!(into.var(VarIdOf(&into).of(two)).name.to_string(), "x!0@2");
}

#[test]
#[should_panic(expected = "replaced by a term over itself")]
fn a_cycle_is_an_error() {
    let mut from = Terms::new();
    let x = from.fresh("x", Sort::Int, None);
    let mut into = Terms::new();
    let f = into.func("f", 1, Sort::Int, None);
    Import::new(&from).term(&mut into, x, &mut |_, _| VarAction::App(f, vec![x]));
}
