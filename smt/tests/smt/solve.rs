//! The solver against the evaluator.

use lockpair_smt::{Answer, Limits, Session, Sort, Terms, Value};
use proptest::prelude::*;

use crate::recipe::{bools, points, value_at};

#[test]
fn the_linked_library_is_the_expected_one() {
    let version = lockpair_smt::solver_version();
    assert!(version.starts_with("5.4.") || version.starts_with("4."), "{version}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// A model satisfies the term; without a model, no point does.
    #[test]
    fn answers_agree_with_the_evaluator(recipe in bools(), points in prop::collection::vec(points(), 8)) {
        let mut terms = Terms::new();
        let t = recipe.build(&mut terms);
        let mut session = Session::new(&Limits::default());
        session.assert(&terms, t);
        match session.check(&terms, &[]) {
            Answer::Sat(model) => {
                prop_assert_eq!(model.eval(&terms, t), Some(Value::Bool(true)));
                for (v, var) in terms.vars() {
                    if let (Some(value), Some((lo, hi))) = (model.int(v), var.range) {
                        prop_assert!(lo <= value && value <= hi);
                    }
                }
            }
            Answer::Unsat => {
                for p in &points {
                    prop_assert_eq!(value_at(&terms, t, p), Value::Bool(false));
                }
            }
            Answer::Unknown(why) => prop_assert!(false, "{}", why),
        }
    }

    /// Assumptions, levels and one session mean the same as assertions and many sessions.
    #[test]
    fn incremental_is_the_same(recipes in prop::collection::vec(bools(), 3)) {
        let mut terms = Terms::new();
        let built: Vec<_> = recipes.iter().map(|recipe| recipe.build(&mut terms)).collect();
        let mut session = Session::new(&Limits::default());
        session.assert(&terms, built[0]);
        for &t in &built {
            let not_t = terms.not(t);
            for t in [t, not_t] {
                let expected = fresh_answer(&terms, &[built[0], t]);
                prop_assert_eq!(session.check(&terms, &[t]).is_unsat(), expected);
                session.push();
                session.assert(&terms, t);
                prop_assert_eq!(session.check(&terms, &[]).is_unsat(), expected);
                session.pop();
            }
        }
        prop_assert_eq!(session.check(&terms, &[]).is_unsat(), fresh_answer(&terms, &built[..1]));
        prop_assert_eq!(session.check(&terms, &built[1..]).is_unsat(), fresh_answer(&terms, &built));
    }
}

fn fresh_answer(terms: &Terms, assertions: &[lockpair_smt::TermId]) -> bool {
    let mut session = Session::new(&Limits::default());
    for &t in assertions {
        session.assert(terms, t);
    }
    session.check(terms, &[]).is_unsat()
}

/// Ranges are facts of a variable, not of the level where it was first used.
#[test]
fn ranges_outlive_levels() {
    let mut terms = Terms::new();
    let x = terms.fresh("x", Sort::Int, Some((0, 9)));
    let y = terms.fresh("y", Sort::Int, Some((0, 9)));
    let twenty = terms.int(20);
    let sum = terms.add2(x, y);
    let le = terms.le(sum, twenty);
    let high = terms.not(le);
    let f = terms.func("f", 1, Sort::Int, Some((0, 9)));
    let fx = terms.app(f, &[x]);
    let z = terms.fresh("z", Sort::Int, None);
    let equal = terms.eq(fx, z);
    let ten = terms.int(10);
    let big = terms.le(ten, z);
    let mut session = Session::new(&Limits::default());
    session.push();
    session.push();
    session.assert(&terms, equal);
    assert!(session.check(&terms, &[big]).is_unsat());
    session.pop();
    session.pop();
    session.assert(&terms, equal);
    assert!(session.check(&terms, &[big]).is_unsat());
    assert!(session.check(&terms, &[high]).is_unsat());
    assert!(matches!(session.check(&terms, &[]), Answer::Sat(_)));
}

#[test]
fn blocking_clauses_enumerate() {
    let mut terms = Terms::new();
    let x = terms.fresh("x", Sort::Int, Some((0, 6)));
    let lockpair_smt::Term::Var(v) = terms.get(x) else { panic!() };
    let two = terms.modulo(x, 2);
    let zero = terms.int(0);
    let even = terms.eq(two, zero);
    let mut session = Session::new(&Limits::default());
    session.assert(&terms, even);
    let mut found = Vec::new();
    while let Answer::Sat(model) = session.check(&terms, &[]) {
        let value = model.int(v).expect("constrained");
        found.push(value);
        let value = terms.int(value);
        let other = terms.ne(x, value);
        session.assert(&terms, other);
    }
    found.sort_unstable();
    assert_eq!(found, [0, 2, 4, 6]);
}

#[test]
fn models_know_functions() {
    let mut terms = Terms::new();
    let f = terms.func("f", 2, Sort::Int, None);
    let p = terms.func("p", 1, Sort::Bool, None);
    let [x, y] = ["x", "y"].map(|name| terms.fresh(name, Sort::Int, Some((0, 100))));
    let (fx, fy) = (terms.app(f, &[x, y]), terms.app(f, &[y, x]));
    let (lt, px, py) = (terms.lt(fx, fy), terms.app(p, &[x]), terms.app(p, &[y]));
    let not_py = terms.not(py);
    let all = terms.and(&[lt, px, not_py]);
    let mut session = Session::new(&Limits::default());
    session.assert(&terms, all);
    let model = session.check(&terms, &[]).model().expect("satisfiable");
    assert_eq!(model.eval(&terms, all), Some(Value::Bool(true)));
}

#[test]
fn deep_terms_do_not_recurse() {
    let mut terms = Terms::new();
    let mut t = terms.fresh("x", Sort::Int, Some((0, 1)));
    for i in 0..100_000i128 {
        let c = terms.fresh("c", Sort::Bool, None);
        let k = terms.int(i);
        let plus = terms.add2(t, k);
        let folded = terms.modulo(plus, 1000);
        t = terms.ite(c, folded, t);
    }
    let copy = {
        let mut into = Terms::new();
        lockpair_smt::Import::new(&terms).term(&mut into, t, &mut |_, _| lockpair_smt::VarAction::Keep)
    };
    let _ = copy;
    let value = lockpair_smt::eval(
        &terms,
        t,
        &|v| if v.index() == 0 { Value::Int(0) } else { Value::Bool(true) },
        &|_, _| Value::Int(0),
    );
    assert!(value.is_some());
}
