//! Random terms: a recipe is a term before any simplification, with its own plain meaning.

use lockpair_smt::{FuncId, Sort, TermId, Terms, Value, VarId};
use proptest::prelude::*;

/// An integer recipe.
#[derive(Clone, Debug)]
pub enum I {
    Const(i128),
    Var(usize),
    Add(Vec<I>),
    Sub(Box<I>, Box<I>),
    Mul(i128, Box<I>),
    Mod(Box<I>, i128),
    Div(Box<I>, i128),
    Ite(Box<B>, Box<I>, Box<I>),
    App(Box<I>),
}

/// A boolean recipe.
#[derive(Clone, Debug)]
pub enum B {
    Const(bool),
    Var(usize),
    Not(Box<B>),
    And(Vec<B>),
    Or(Vec<B>),
    Implies(Box<B>, Box<B>),
    Iff(Box<B>, Box<B>),
    Ite(Box<B>, Box<B>, Box<B>),
    Eq(Box<I>, Box<I>),
    Le(Box<I>, Box<I>),
    Lt(Box<I>, Box<I>),
}

/// The ranges of the integer variables.
pub const RANGES: [Option<(i128, i128)>; 4] = [Some((0, 3)), Some((-4, 4)), Some((2, 9)), None];
/// How many boolean variables there are.
pub const BOOLS: usize = 4;
/// The range of the function.
pub const APP_RANGE: (i128, i128) = (0, 5);

/// Values for the variables, within their ranges.
#[derive(Clone, Debug)]
pub struct Point {
    pub ints: [i128; 4],
    pub bools: [bool; BOOLS],
}

pub fn points() -> impl Strategy<Value = Point> {
    let ints = (0..=3i128, -4..=4i128, 2..=9i128, -20..=20i128).prop_map(|(a, b, c, d)| [a, b, c, d]);
    (ints, any::<[bool; BOOLS]>()).prop_map(|(ints, bools)| Point { ints, bools })
}

/// The function's meaning in the tests.
pub fn function(x: i128) -> i128 {
    (3 * x + 1).rem_euclid(6)
}

pub fn ints() -> BoxedStrategy<I> {
    recipes().0
}

pub fn bools() -> BoxedStrategy<B> {
    recipes().1
}

fn recipes() -> (BoxedStrategy<I>, BoxedStrategy<B>) {
    let mut int = prop_oneof![(-5..=9i128).prop_map(I::Const), (0..4usize).prop_map(I::Var)].boxed();
    let mut bool =
        prop_oneof![1 => any::<bool>().prop_map(B::Const), 8 => (0..BOOLS).prop_map(B::Var)].boxed();
    for _ in 0..4 {
        let (i, b) = (int.clone(), bool.clone());
        let pair = || (i.clone().prop_map(Box::new), i.clone().prop_map(Box::new));
        let two = || (b.clone().prop_map(Box::new), b.clone().prop_map(Box::new));
        int = prop_oneof![
            2 => i.clone(),
            2 => prop::collection::vec(i.clone(), 1..4).prop_map(I::Add),
            1 => pair().prop_map(|(x, y)| I::Sub(x, y)),
            1 => (-4..=4i128, i.clone()).prop_map(|(k, x)| I::Mul(k, Box::new(x))),
            1 => (i.clone(), 1..=6i128).prop_map(|(x, m)| I::Mod(Box::new(x), m)),
            1 => (i.clone(), 1..=6i128).prop_map(|(x, m)| I::Div(Box::new(x), m)),
            2 => (b.clone().prop_map(Box::new), pair()).prop_map(|(c, (x, y))| I::Ite(c, x, y)),
            1 => i.clone().prop_map(|x| I::App(Box::new(x))),
        ]
        .boxed();
        bool = prop_oneof![
            1 => b.clone(),
            2 => b.clone().prop_map(|x| B::Not(Box::new(x))),
            4 => prop::collection::vec(b.clone(), 0..5).prop_map(B::And),
            4 => prop::collection::vec(b.clone(), 0..5).prop_map(B::Or),
            1 => two().prop_map(|(x, y)| B::Implies(x, y)),
            1 => two().prop_map(|(x, y)| B::Iff(x, y)),
            1 => (b.clone().prop_map(Box::new), two()).prop_map(|(c, (x, y))| B::Ite(c, x, y)),
            2 => pair().prop_map(|(x, y)| B::Eq(x, y)),
            1 => pair().prop_map(|(x, y)| B::Le(x, y)),
            1 => pair().prop_map(|(x, y)| B::Lt(x, y)),
        ]
        .boxed();
    }
    (int, bool)
}

impl I {
    pub fn value(&self, p: &Point) -> i128 {
        match self {
            I::Const(k) => *k,
            I::Var(v) => p.ints[*v],
            I::Add(items) => items.iter().map(|x| x.value(p)).sum(),
            I::Sub(x, y) => x.value(p) - y.value(p),
            I::Mul(k, x) => k * x.value(p),
            I::Mod(x, m) => x.value(p).rem_euclid(*m),
            I::Div(x, m) => x.value(p).div_euclid(*m),
            I::Ite(c, x, y) => {
                if c.value(p) {
                    x.value(p)
                } else {
                    y.value(p)
                }
            }
            I::App(x) => function(x.value(p)),
        }
    }

    pub fn build(&self, t: &mut Terms) -> TermId {
        match self {
            I::Const(k) => t.int(*k),
            I::Var(v) => t.shared_var(&format!("i{v}"), Sort::Int, RANGES[*v]),
            I::Add(items) => {
                let items: Vec<_> = items.iter().map(|x| x.build(t)).collect();
                t.add(&items)
            }
            I::Sub(x, y) => {
                let (x, y) = (x.build(t), y.build(t));
                t.sub(x, y)
            }
            I::Mul(k, x) => {
                let x = x.build(t);
                t.mul_const(*k, x)
            }
            I::Mod(x, m) => {
                let x = x.build(t);
                t.modulo(x, *m)
            }
            I::Div(x, m) => {
                let x = x.build(t);
                t.div(x, *m)
            }
            I::Ite(c, x, y) => {
                let (c, x, y) = (c.build(t), x.build(t), y.build(t));
                t.ite(c, x, y)
            }
            I::App(x) => {
                let x = x.build(t);
                let f = t.func("f", 1, Sort::Int, Some(APP_RANGE));
                t.app(f, &[x])
            }
        }
    }
}

impl B {
    pub fn value(&self, p: &Point) -> bool {
        match self {
            B::Const(b) => *b,
            B::Var(v) => p.bools[*v],
            B::Not(x) => !x.value(p),
            B::And(items) => items.iter().all(|x| x.value(p)),
            B::Or(items) => items.iter().any(|x| x.value(p)),
            B::Implies(x, y) => !x.value(p) || y.value(p),
            B::Iff(x, y) => x.value(p) == y.value(p),
            B::Ite(c, x, y) => {
                if c.value(p) {
                    x.value(p)
                } else {
                    y.value(p)
                }
            }
            B::Eq(x, y) => x.value(p) == y.value(p),
            B::Le(x, y) => x.value(p) <= y.value(p),
            B::Lt(x, y) => x.value(p) < y.value(p),
        }
    }

    pub fn build(&self, t: &mut Terms) -> TermId {
        match self {
            B::Const(b) => t.bool(*b),
            B::Var(v) => t.shared_var(&format!("b{v}"), Sort::Bool, None),
            B::Not(x) => {
                let x = x.build(t);
                t.not(x)
            }
            B::And(items) => {
                let items: Vec<_> = items.iter().map(|x| x.build(t)).collect();
                t.and(&items)
            }
            B::Or(items) => {
                let items: Vec<_> = items.iter().map(|x| x.build(t)).collect();
                t.or(&items)
            }
            B::Implies(x, y) => {
                let (x, y) = (x.build(t), y.build(t));
                t.implies(x, y)
            }
            B::Iff(x, y) => {
                let (x, y) = (x.build(t), y.build(t));
                t.eq(x, y)
            }
            B::Ite(c, x, y) => {
                let (c, x, y) = (c.build(t), x.build(t), y.build(t));
                t.ite(c, x, y)
            }
            B::Eq(x, y) => {
                let (x, y) = (x.build(t), y.build(t));
                t.eq(x, y)
            }
            B::Le(x, y) => {
                let (x, y) = (x.build(t), y.build(t));
                t.le(x, y)
            }
            B::Lt(x, y) => {
                let (x, y) = (x.build(t), y.build(t));
                t.lt(x, y)
            }
        }
    }
}

/// The value of a built term at a point; variables are known by their names.
pub fn value_at(terms: &Terms, t: TermId, p: &Point) -> Value {
    let var = |v: VarId| {
        let name = terms.var(v).name.to_string();
        let index: usize = name[1..2].parse().expect("named by the recipes");
        if name.starts_with('i') { Value::Int(p.ints[index]) } else { Value::Bool(p.bools[index]) }
    };
    let func = |_: FuncId, args: &[i128]| Value::Int(function(args[0]));
    lockpair_smt::eval(terms, t, &var, &func).expect("small numbers")
}
