//! The meaning of terms, as a program: evaluates a term under an assignment.
//!
//! Slow and simple; what the simplifications, the solver and the printer are tested against.

use rustc_hash::FxHashMap;

use crate::terms::{FuncId, Term, TermId, Terms, VarId};

/// What a term evaluates to.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i128),
}

impl Value {
    /// The truth value, if it is one.
    pub fn as_bool(self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(value),
            Value::Int(_) => None,
        }
    }

    /// The integer, if it is one.
    pub fn as_int(self) -> Option<i128> {
        match self {
            Value::Int(value) => Some(value),
            Value::Bool(_) => None,
        }
    }
}

/// An interpretation of the uninterpreted functions.
pub type Functions<'a> = dyn Fn(FuncId, &[i128]) -> Value + 'a;

/// The value of `root`, given the values of variables and functions. Only the chosen branch of an
/// if-then-else is evaluated. `None` if an integer leaves 128 bits, or a value has the wrong sort.
pub fn eval(
    terms: &Terms,
    root: TermId,
    vars: &dyn Fn(VarId) -> Value,
    funcs: &Functions<'_>,
) -> Option<Value> {
    let mut values: FxHashMap<TermId, Value> = FxHashMap::default();
    let mut stack = vec![root];
    while let Some(&t) = stack.last() {
        if values.contains_key(&t) {
            stack.pop();
            continue;
        }
        let depth = stack.len();
        if let Term::Ite(c, a, b) = terms.get(t) {
            let branch = match values.get(&c) {
                Some(c) => Some(if c.as_bool()? { a } else { b }),
                None => None,
            };
            let needed = branch.unwrap_or(c);
            match values.get(&needed) {
                Some(&value) => _ = values.insert(t, value),
                None => stack.push(needed),
            }
            continue;
        }
        stack.extend(terms.children(t).iter().filter(|child| !values.contains_key(child)));
        if stack.len() == depth {
            let value = apply(terms, t, &values, vars, funcs)?;
            values.insert(t, value);
        }
    }
    values.get(&root).copied()
}

/// The value of one operation whose operands are known.
fn apply(
    terms: &Terms,
    t: TermId,
    values: &FxHashMap<TermId, Value>,
    vars: &dyn Fn(VarId) -> Value,
    funcs: &Functions<'_>,
) -> Option<Value> {
    let int = |t: TermId| values[&t].as_int();
    Some(match terms.get(t) {
        Term::True => Value::Bool(true),
        Term::False => Value::Bool(false),
        Term::Int(k) => Value::Int(k),
        Term::Var(v) => vars(v),
        Term::Not(a) => Value::Bool(!values[&a].as_bool()?),
        Term::And(list) => {
            let mut all = true;
            for t in list {
                all &= values[t].as_bool()?;
            }
            Value::Bool(all)
        }
        Term::Ite(c, a, b) => values[if values[&c].as_bool()? { &a } else { &b }],
        Term::Eq(a, b) => Value::Bool(values[&a] == values[&b]),
        Term::Le(a, b) => Value::Bool(int(a)? <= int(b)?),
        Term::Add(list) => Value::Int(list.iter().try_fold(0i128, |sum, &t| sum.checked_add(int(t)?))?),
        Term::MulConst(k, a) => Value::Int(k.checked_mul(int(a)?)?),
        Term::Mod(a, m) => Value::Int(int(a)?.rem_euclid(m)),
        Term::Div(a, m) => Value::Int(int(a)?.div_euclid(m)),
        Term::App(f, list) => {
            let args: Option<Vec<i128>> = list.iter().map(|&t| int(t)).collect();
            funcs(f, &args?)
        }
    })
}
