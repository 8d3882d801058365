//! Many terms under one assignment after the other.
//!
//! A model of a query satisfies it in one way. Other assignments that differ from it in a few variables are
//! often models too, and evaluating the query under them costs a fraction of asking the solver. A tape lists
//! the terms below its roots once, in the order of evaluation, and who uses them: what a choice does not
//! change is not evaluated again.

mod repair;

use rustc_hash::FxHashMap;

use crate::eval::Value;
use crate::session::Model;
use crate::terms::{FuncId, Term, TermId, Terms};

/// Values of terms under an assignment.
#[derive(Debug)]
pub struct Tape {
    /// Below the roots; a term comes after its parts.
    order: Vec<TermId>,
    users: Users,
    /// What is to be evaluated again.
    stale: Set,
    /// Those of `order` that are applications, by function: one choice may change any of a function's.
    applications: FxHashMap<FuncId, Vec<TermId>>,
    /// Per term; booleans are 0 and 1.
    values: Vec<i128>,
    /// Values of applications. What is not here has a default within its function's range: an assignment
    /// owes the query no more than one value for the same arguments.
    apps: FxHashMap<(FuncId, Vec<i128>), i128>,
    /// Variables that have a term's value.
    following: Vec<(TermId, TermId)>,
    /// Variables that a repair leaves alone.
    fixed: Set,
    /// What need not be looked at in a repair.
    cones: Option<repair::Cones>,
}

/// The value is not known: an integer left 128 bits, or something below is unknown. (The real
/// integer of this value is unknown then, too.)
const UNKNOWN: i128 = i128::MIN;

impl Tape {
    /// A tape of the terms below the roots. A [`Tape::repair`] leaves the variables alone that are `fixed`.
    pub fn new(terms: &Terms, roots: &[TermId], fixed: &[TermId]) -> Self {
        let order = terms.reachable(roots, |_| false);
        let users = Users::new(terms, &order);
        let mut applications: FxHashMap<FuncId, Vec<TermId>> = FxHashMap::default();
        for &t in &order {
            if let Term::App(f, _) = terms.get(t) {
                applications.entry(f).or_default().push(t);
            }
        }
        let set = |members: &[TermId]| {
            let mut set = Set::new(terms.len());
            members.iter().for_each(|&t| set.insert(t));
            set
        };
        Tape {
            order,
            users,
            stale: set(&[]),
            applications,
            values: vec![UNKNOWN; terms.len()],
            apps: FxHashMap::default(),
            following: Vec::new(),
            fixed: set(fixed),
            cones: None,
        }
    }

    /// Takes on the model's values.
    pub fn load(&mut self, terms: &Terms, model: &Model) {
        self.apps.clear();
        self.following.clear();
        self.stale.clear();
        for n in 0..self.order.len() {
            let t = self.order[n];
            self.values[t.index()] = match terms.get(t) {
                Term::Var(v) => number(model.var(terms, v)),
                Term::App(f, list) => {
                    self.take_over(terms, model, f, list);
                    self.app(terms, f, list)
                }
                _ => self.operation(terms, t),
            };
        }
    }

    /// Chooses the value of a variable. What is above it follows with the next [`Tape::update`].
    pub fn set(&mut self, var: TermId, value: Value) {
        self.following.retain(|&(v, _)| v != var);
        self.put(var, number(value));
    }

    /// From the next [`Tape::update`] on, and until it is set, the variable has the value of the term, which
    /// does not depend on it.
    pub fn follow(&mut self, var: TermId, term: TermId) {
        self.following.retain(|&(v, _)| v != var);
        self.following.push((var, term));
    }

    fn followed(&self, var: TermId) -> Option<TermId> {
        self.following.iter().find(|&&(v, _)| v == var).map(|&(_, t)| t)
    }

    /// Evaluates again what the choices since the last time may change.
    pub fn update(&mut self, terms: &Terms) {
        self.update_in(terms, None);
    }

    /// The same for some of the terms; the others keep the values that they have, until their turn comes.
    fn update_in(&mut self, terms: &Terms, some: Option<&Set>) {
        let mut moved = true;
        while moved {
            let mut at = self.stale.first(some.is_none());
            while let Some(t) = self.stale.pop(some, &mut at) {
                let value = match terms.get(t) {
                    Term::App(f, list) => self.app(terms, f, list),
                    _ => self.operation(terms, t),
                };
                self.put(t, value);
            }
            self.stale.looked_through(some.is_none());
            moved = false;
            for n in 0..self.following.len() {
                let (var, term) = self.following[n];
                moved |= self.put(var, self.values[term.index()]);
            }
        }
    }

    /// Whether the value is another one than before.
    fn put(&mut self, t: TermId, value: i128) -> bool {
        let changed = std::mem::replace(&mut self.values[t.index()], value) != value;
        if changed {
            self.users.of(t).iter().for_each(|&user| self.stale.insert(user));
        }
        changed
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

    /// Chooses the value of an application.
    fn set_app(&mut self, terms: &Terms, f: FuncId, args: Vec<i128>, value: i128) {
        for &t in self.applications.get(&f).map_or(&[][..], Vec::as_slice) {
            let Term::App(_, list) = terms.get(t) else { continue };
            if list.iter().zip(&args).all(|(a, &k)| self.values[a.index()] == k) {
                self.stale.insert(t);
            }
        }
        self.apps.insert((f, args), value);
    }

    /// Takes over what the model says of an application. That the value is within the range is a fact of the
    /// query, which the table of a function need not keep elsewhere.
    fn take_over(&mut self, terms: &Terms, model: &Model, f: FuncId, list: &[TermId]) {
        let Some(key) = self.key(f, list) else { return };
        let value = number(model.apply(terms, f, &key.1));
        if terms.func_info(f).range.is_none_or(|(lo, hi)| (lo..=hi).contains(&value)) {
            self.apps.insert(key, value);
        }
    }

    fn app(&self, terms: &Terms, f: FuncId, list: &[TermId]) -> i128 {
        let Some(key) = self.key(f, list) else { return UNKNOWN };
        let known = self.apps.get(&key).copied();
        known.unwrap_or_else(|| number(Model::default().apply(terms, f, &key.1)))
    }

    fn key(&self, f: FuncId, list: &[TermId]) -> Option<(FuncId, Vec<i128>)> {
        let args: Vec<i128> = list.iter().map(|a| self.values[a.index()]).collect();
        (!args.contains(&UNKNOWN)).then_some((f, args))
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

/// Which terms a term is a part of.
#[derive(Debug)]
struct Users {
    /// Per term: where its users begin, and where those of the next one do.
    starts: Vec<u32>,
    list: Vec<TermId>,
}

impl Users {
    fn new(terms: &Terms, order: &[TermId]) -> Self {
        let mut starts = vec![0; terms.len() + 1];
        for &t in order {
            terms.children(t).iter().for_each(|part| starts[part.index()] += 1);
        }
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        let mut list = vec![terms.tru(); end as usize];
        for &t in order.iter().rev() {
            for part in terms.children(t).iter() {
                let at = &mut starts[part.index()];
                *at -= 1;
                list[*at as usize] = t;
            }
        }
        Users { starts, list }
    }

    fn of(&self, t: TermId) -> &[TermId] {
        &self.list[self.starts[t.index()] as usize..self.starts[t.index() + 1] as usize]
    }
}

/// A set of terms: a bit for each.
#[derive(Debug)]
struct Set {
    words: Vec<u64>,
    /// No member is in a word before these: none at all, and none that came since the set was looked through.
    low: [usize; 2],
}

impl Set {
    fn new(terms: usize) -> Self {
        let words = vec![0; terms.div_ceil(64)];
        Set { low: [words.len(); 2], words }
    }

    fn clear(&mut self) {
        self.words.fill(0);
        self.low = [self.words.len(); 2];
    }

    fn insert(&mut self, t: TermId) {
        let word = t.index() / 64;
        self.words[word] |= 1 << (t.index() % 64);
        self.low = self.low.map(|low| low.min(word));
    }

    /// Where to begin to look: for all members, or for those that came since the last time.
    fn first(&self, all: bool) -> usize {
        self.low[usize::from(!all)]
    }

    /// Whoever looked has taken out all that he looked for.
    fn looked_through(&mut self, all: bool) {
        let end = self.words.len();
        self.low = [if all { end } else { self.low[0] }, end];
    }

    fn remove(&mut self, t: TermId) {
        self.words[t.index() / 64] &= !(1 << (t.index() % 64));
    }

    fn contains(&self, t: TermId) -> bool {
        self.words[t.index() / 64] & 1 << (t.index() % 64) != 0
    }

    /// Takes out the first that is in the other set, too. It is in no word before `at`; then in none before
    /// where it was found.
    fn pop(&mut self, other: Option<&Set>, at: &mut usize) -> Option<TermId> {
        while let Some(word) = self.words.get_mut(*at) {
            let common = *word & other.map_or(u64::MAX, |other| other.words[*at]);
            if common != 0 {
                let bit = common.trailing_zeros() as usize;
                *word &= !(1 << bit);
                return Some(TermId::at(*at * 64 + bit));
            }
            *at += 1;
        }
        None
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
        let f = terms.func("f", 1, Sort::Int, Some((2, 5)));
        let (fx, one) = (terms.app(f, &[x]), terms.int(1));
        let sum = terms.add2(x, one);
        let either = terms.ite(p, x, sum);
        let big = terms.int(i128::MAX);
        let over = terms.add2(either, big);
        let mut tape = Tape::new(&terms, &[either, fx, over], &[]);
        tape.load(&terms, &Model::default());
        for (chosen, expected) in [(true, 3), (false, 4), (true, 3)] {
            tape.set(p, Value::Bool(chosen));
            tape.update(&terms);
            assert_eq!((tape.int(either), tape.bool(p)), (Some(expected), Some(chosen)));
            assert_eq!((tape.int(over), tape.int(fx)), (None, Some(2)));
        }
    }

    /// What follows a term has its value after each update, and is chosen by choosing the term.
    #[test]
    fn a_variable_follows_a_term_until_it_is_set() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.fresh(name, Sort::Int, None));
        let seven = terms.int(7);
        let (sum, twenty) = (terms.add2(x, seven), terms.int(20));
        let goal = terms.eq(y, twenty);
        let mut tape = Tape::new(&terms, &[sum, goal], &[y]);
        tape.load(&terms, &Model::default());
        tape.follow(y, sum);
        tape.update(&terms);
        assert_eq!(tape.int(y), Some(7));
        assert!(tape.repair(&terms, &[goal], 1));
        assert_eq!((tape.int(x), tape.int(y)), (Some(13), Some(20)));
        tape.set(y, Value::Int(1));
        tape.set(x, Value::Int(2));
        tape.update(&terms);
        assert_eq!((tape.int(sum), tape.int(y)), (Some(9), Some(1)));
        assert!(!tape.repair(&terms, &[goal], 1));
    }
}
