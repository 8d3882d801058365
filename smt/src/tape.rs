//! Many terms under one assignment after the other, of which most stays as it was.
//!
//! A model of a query satisfies it in one way. Other assignments that differ from it in a few
//! variables are often models too, and evaluating the query under them costs a fraction of asking
//! the solver. A tape lists the terms below its roots once, in the order of evaluation, and those
//! above the chosen variables apart: only they are evaluated again for another choice.

use rustc_hash::FxHashSet;

use crate::eval::Value;
use crate::session::Model;
use crate::terms::{FuncId, Term, TermId, Terms};

/// Values of terms under a model, with some variables chosen otherwise.
#[derive(Debug)]
pub struct Tape {
    /// What is above no chosen variable.
    fixed: Vec<TermId>,
    /// What is above one, without the variables themselves.
    varying: Vec<TermId>,
    chosen: Vec<TermId>,
    /// Per term; booleans are 0 and 1.
    values: Vec<i128>,
    args: Vec<i128>,
}

/// The value is not known: an integer left 128 bits, or something below is unknown. (The real
/// integer of this value is unknown then, too.)
const UNKNOWN: i128 = i128::MIN;

impl Tape {
    /// A tape of the terms below the roots, of which the variables `chosen` will be set.
    pub fn new(terms: &Terms, roots: &[TermId], chosen: &[TermId]) -> Self {
        let all = terms.reachable(roots, |_| false);
        let mut above: FxHashSet<TermId> = chosen.iter().copied().collect();
        let (mut fixed, mut varying) = (Vec::new(), Vec::new());
        for t in all {
            if terms.children(t).iter().any(|child| above.contains(child)) {
                above.insert(t);
                varying.push(t);
            } else if !above.contains(&t) {
                fixed.push(t);
            }
        }
        Tape { fixed, varying, chosen: chosen.to_vec(), values: vec![UNKNOWN; terms.len()], args: Vec::new() }
    }

    /// Takes on the model's values for everything above no chosen variable, and for those.
    pub fn load(&mut self, terms: &Terms, model: &Model) {
        for &t in &self.chosen {
            if let Term::Var(v) = terms.get(t) {
                self.values[t.index()] = number(model.var(terms, v));
            }
        }
        for n in 0..self.fixed.len() {
            let t = self.fixed[n];
            let value = match terms.get(t) {
                Term::Var(v) => number(model.var(terms, v)),
                Term::App(f, list) => self.app(terms, model, f, list),
                _ => self.operation(terms, t),
            };
            self.values[t.index()] = value;
        }
    }

    /// Chooses the value of a variable that `new` was told of. Counts from the next
    /// [`Tape::update`] on.
    pub fn set(&mut self, var: TermId, value: Value) {
        self.values[var.index()] = number(value);
    }

    /// Evaluates again what is above chosen variables. An application to something chosen counts as
    /// unknown: the model need not keep its range there.
    pub fn update(&mut self, terms: &Terms) {
        for n in 0..self.varying.len() {
            let t = self.varying[n];
            self.values[t.index()] = self.operation(terms, t);
        }
    }

    /// The value of a boolean term below the roots; `None` if it is not known.
    pub fn bool(&self, t: TermId) -> Option<bool> {
        let value = self.values[t.index()];
        (value != UNKNOWN).then_some(value != 0)
    }

    /// The value of an integer term below the roots; `None` if it is not known.
    pub fn int(&self, t: TermId) -> Option<i128> {
        let value = self.values[t.index()];
        (value != UNKNOWN).then_some(value)
    }

    fn app(&mut self, terms: &Terms, model: &Model, f: FuncId, list: &[TermId]) -> i128 {
        self.args.clear();
        self.args.extend(list.iter().map(|a| self.values[a.index()]));
        if self.args.contains(&UNKNOWN) {
            return UNKNOWN;
        }
        let value = number(model.apply(terms, f, &self.args));
        // That the value is within the range is a fact of the query, which the table owes to it.
        let in_range = terms.func_info(f).range.is_none_or(|(lo, hi)| (lo..=hi).contains(&value));
        if in_range { value } else { UNKNOWN }
    }

    fn operation(&self, terms: &Terms, t: TermId) -> i128 {
        let value = |t: TermId| self.values[t.index()];
        let known = |t: TermId| Some(value(t)).filter(|&k| k != UNKNOWN);
        let result = match terms.get(t) {
            Term::True => Some(1),
            Term::False => Some(0),
            Term::Int(k) => Some(k),
            Term::Var(_) | Term::App(..) => None,
            Term::Not(a) => known(a).map(|a| 1 - a),
            Term::And(list) => {
                let unknown_or_one = |all: Option<i128>, &t: &TermId| all.and(known(t));
                if list.iter().any(|&t| value(t) == 0) {
                    Some(0)
                } else {
                    list.iter().fold(Some(1), unknown_or_one)
                }
            }
            Term::Ite(c, a, b) => known(c).and_then(|c| known(if c != 0 { a } else { b })),
            Term::Eq(a, b) => known(a).zip(known(b)).map(|(a, b)| i128::from(a == b)),
            Term::Le(a, b) => known(a).zip(known(b)).map(|(a, b)| i128::from(a <= b)),
            Term::Add(list) => list.iter().try_fold(0i128, |sum, &t| sum.checked_add(known(t)?)),
            Term::MulConst(k, a) => known(a).and_then(|a| k.checked_mul(a)),
            Term::Mod(a, m) => known(a).map(|a| a.rem_euclid(m)),
            Term::Div(a, m) => known(a).map(|a| a.div_euclid(m)),
        };
        result.unwrap_or(UNKNOWN)
    }
}

fn number(value: Value) -> i128 {
    match value {
        Value::Bool(b) => i128::from(b),
        Value::Int(k) => k,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::Sort;

    /// What is chosen changes what is above it; a model's other values stay.
    #[test]
    fn a_choice_changes_what_is_above_it() {
        let mut terms = Terms::new();
        let x = terms.fresh("x", Sort::Int, Some((3, 9)));
        let p = terms.fresh("p", Sort::Bool, None);
        let f = terms.func("f", 1, Sort::Int, None);
        let (fx, one) = (terms.app(f, &[x]), terms.int(1));
        let sum = terms.add2(x, one);
        let either = terms.ite(p, x, sum);
        let big = terms.int(i128::MAX);
        let over = terms.add2(either, big);
        let y = terms.fresh("y", Sort::Int, None);
        let fy = terms.app(f, &[y]);
        let mut tape = Tape::new(&terms, &[either, fx, over, fy], &[p, y]);
        tape.load(&terms, &Model::default());
        for (chosen, expected) in [(true, 3), (false, 4), (true, 3)] {
            tape.set(p, Value::Bool(chosen));
            tape.set(y, Value::Int(7));
            tape.update(&terms);
            assert_eq!(tape.int(either), Some(expected));
            assert_eq!(tape.int(fx), Some(0));
            assert_eq!(tape.bool(p), Some(chosen));
            assert_eq!((tape.int(over), tape.int(fy)), (None, None));
        }
    }
}
