//! The constructors' simplifications: valid on random terms, and each one there.

use lockpair_smt::{Sort, Term, TermId, Terms, Value};
use proptest::prelude::*;

use crate::recipe::{bools, ints, points, value_at};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn booleans_keep_their_value(recipe in bools(), points in prop::collection::vec(points(), 8)) {
        let mut terms = Terms::new();
        let t = recipe.build(&mut terms);
        for p in &points {
            prop_assert_eq!(value_at(&terms, t, p), Value::Bool(recipe.value(p)));
        }
        check_canonical(&terms);
    }

    #[test]
    fn what_a_form_shows_holds(recipe in bools(), by in bools(), points in prop::collection::vec(points(), 8)) {
        let mut terms = Terms::new();
        let (a, b) = (recipe.build(&mut terms), by.build(&mut terms));
        let both = terms.and2(a, b);
        let either = terms.ite(a, both, b);
        for t in [a, both, either] {
            for p in points.iter().filter(|_| terms.shows(t, b)) {
                prop_assert!(value_at(&terms, t, p) == Value::Bool(false) || by.value(p));
            }
        }
    }

    #[test]
    fn integers_keep_their_value_and_bounds(recipe in ints(), points in prop::collection::vec(points(), 8)) {
        let mut terms = Terms::new();
        let t = recipe.build(&mut terms);
        for p in &points {
            let value = recipe.value(p);
            prop_assert_eq!(value_at(&terms, t, p), Value::Int(value));
            if let Some((lo, hi)) = terms.bounds(t) {
                prop_assert!(lo <= value && value <= hi);
            }
            let (base, offset) = terms.split_offset(t);
            let base = base.map_or(0, |base| value_at(&terms, base, p).as_int().unwrap());
            prop_assert_eq!(base + offset, value);
        }
        check_canonical(&terms);
    }
}

/// The forms that the arena's documentation promises.
fn check_canonical(terms: &Terms) {
    for t in terms.all() {
        assert!(terms.children(t).iter().all(|&child| child < t));
        match terms.get(t) {
            Term::Not(a) => assert!(!matches!(terms.get(a), Term::Not(_) | Term::True | Term::False)),
            Term::And(list) => assert!(list.len() > 1 && list.is_sorted()),
            Term::Add(list) => {
                assert!(list.len() > 1);
                assert!(list[..list.len() - 1].iter().all(|&item| terms.as_int(item).is_none()));
            }
            _ => {}
        }
    }
}

struct Fixture {
    t: Terms,
    a: TermId,
    b: TermId,
    c: TermId,
    x: TermId,
    y: TermId,
}

fn fixture() -> Fixture {
    let mut t = Terms::new();
    let [a, b, c] = ["a", "b", "c"].map(|name| t.fresh(name, Sort::Bool, None));
    let x = t.fresh("x", Sort::Int, Some((0, 10)));
    let y = t.fresh("y", Sort::Int, None);
    Fixture { t, a, b, c, x, y }
}

#[test]
fn diamonds_join() {
    let Fixture { mut t, a, b, c, .. } = fixture();
    let not_c = t.not(c);
    let (left, right) = (t.and2(a, c), t.and2(a, not_c));
    assert_eq!(t.or2(left, right), a);
    let all = [t.and(&[a, b, c]), t.and(&[a, b, not_c])];
    let both = t.and2(a, b);
    assert_eq!(t.or(&all), both);
}

#[test]
fn an_early_return_joins() {
    // if (c) { if (b) return; } else-paths, and the return's own path: all of them are the entry.
    let Fixture { mut t, a, b, c, .. } = fixture();
    let (not_b, not_c) = (t.not(b), t.not(c));
    let leaves = t.and(&[a, c, b]);
    let stays = [t.and2(a, not_c), t.and(&[a, c, not_b])];
    let goes_on = t.or(&stays);
    assert_eq!(t.or2(goes_on, leaves), a);
    assert_eq!(t.and2(goes_on, leaves), t.fals());
}

#[test]
fn forms_that_show_a_condition() {
    let Fixture { mut t, a, b, c, .. } = fixture();
    let ab = t.and2(a, b);
    let ac = t.and2(a, c);
    let abc = t.and2(ab, c);
    let (either, both) = (t.or2(ab, ac), t.ite(c, ab, a));
    for form in [a, ab, either, both, t.fals()] {
        assert!(t.shows(form, a));
    }
    assert!(t.shows(abc, ac));
    let other = t.or2(a, b);
    let mixed = t.ite(c, ab, b);
    for form in [b, other, mixed, t.tru()] {
        assert!(!t.shows(form, a));
    }
    assert!(!t.shows(ab, ac));
}

#[test]
fn negations_and_absorption() {
    let Fixture { mut t, a, b, .. } = fixture();
    let not_a = t.not(a);
    assert_eq!(t.not(not_a), a);
    assert_eq!(t.and(&[a, b, not_a]), t.fals());
    assert_eq!(t.or(&[a, b, not_a]), t.tru());
    let (both, either) = (t.and2(a, b), t.or2(a, b));
    assert_eq!(t.or2(a, both), a);
    assert_eq!(t.and2(a, either), a);
    assert_eq!(t.and2(not_a, either), t.and2(not_a, b));
}

#[test]
fn choices() {
    let Fixture { mut t, a, b, x, y, .. } = fixture();
    let (one, two, three) = (t.int(1), t.int(2), t.int(3));
    assert_eq!(t.ite(a, x, x), x);
    let (yes, no) = (t.tru(), t.fals());
    assert_eq!(t.ite(a, yes, no), a);
    assert_eq!(t.ite(yes, x, y), x);
    let not_a = t.not(a);
    assert_eq!(t.ite(a, no, yes), not_a);
    let choice = t.ite(a, one, two);
    assert_eq!(t.eq(choice, one), a);
    assert_eq!(t.eq(choice, two), not_a);
    assert_eq!(t.eq(choice, three), no);
    assert_eq!(t.le(choice, one), a);
    let nested = t.ite(b, three, choice);
    let not_b = t.not(b);
    let expected = t.and2(not_b, a);
    assert_eq!(t.eq(nested, one), expected);
}

#[test]
fn sums_and_offsets() {
    let Fixture { mut t, x, y, .. } = fixture();
    let (four, eight) = (t.int(4), t.int(8));
    let (x4, x8) = (t.add2(x, four), t.add2(x, eight));
    assert_eq!(t.eq(x4, x8), t.fals());
    assert_eq!(t.add2(x4, four), x8);
    assert_eq!(t.sub(x8, x4), four);
    assert_eq!(t.split_offset(x8), (Some(x), 8));
    let sum = t.add(&[x, y, x]);
    let back = t.sub(sum, x);
    assert_eq!(t.sub(back, x), y);
    let twice = t.mul_const(2, y);
    let odd = t.int(7);
    assert_eq!(t.eq(twice, odd), t.fals());
}

#[test]
fn bounds_decide() {
    let Fixture { mut t, x, y, .. } = fixture();
    let (minus, ten, eleven) = (t.int(-1), t.int(10), t.int(11));
    assert_eq!(t.eq(x, eleven), t.fals());
    assert_eq!(t.le(x, ten), t.tru());
    assert_eq!(t.lt(minus, x), t.tru());
    assert_eq!(t.modulo(x, 16), x);
    let folded = t.modulo(y, 8);
    assert_eq!(t.bounds(folded), Some((0, 7)));
    let (lt, ge) = (t.lt(x, y), t.ge(x, y));
    assert_eq!(t.not(lt), ge);
}

#[test]
fn huge_constants_are_left_alone() {
    let Fixture { mut t, y, .. } = fixture();
    let max = t.int(i128::MAX);
    let min = t.int(i128::MIN);
    let sum = t.add(&[max, max, y]);
    assert_eq!(t.sort(sum), Sort::Int);
    t.neg(min);
    t.sub(max, min);
    t.le(min, max);
    let scaled = t.mul_const(i128::MIN, y);
    t.eq(scaled, max);
    t.mul_const(3, scaled);
    t.modulo(min, i128::MAX);
    t.div(min, i128::MAX);
    t.split_offset(sum);
}

#[test]
fn long_chains_stay_cheap() {
    let mut t = Terms::new();
    let mut guard = t.tru();
    let mut sum = t.int(0);
    for _ in 0..50_000 {
        let b = t.fresh("b", Sort::Bool, None);
        let x = t.fresh("x", Sort::Int, None);
        guard = t.and2(guard, b);
        sum = t.add2(sum, x);
    }
    assert!(t.len() < 1_000_000, "{} terms", t.len());
    let value = lockpair_smt::eval(&t, sum, &|_| Value::Int(1), &|_, _| Value::Int(0));
    assert_eq!(value, Some(Value::Int(50_000)));
}
