//! Making a term true by other choices, backward from the term to its variables, as test generators for
//! circuits do it. It finds what needs few changes and proves nothing: the solver has the last word.

use super::{Set, Tape};
use crate::eval::Value;
use crate::terms::{FuncId, Sort, Term, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Terms that one round looks for a way to change.
const FUEL: usize = 200;
/// How often the parts of a conjunction are made true in turn.
const TURNS: usize = 2;

impl Tape {
    /// Looks for choices under which all goals hold: of variables that are not fixed, of what others
    /// follow, and of applications, within their ranges; at most so many rounds, since what one goal needs
    /// may break another. Tells whether they hold. The choices stay in either case, and all terms have their
    /// values under them.
    pub fn repair(&mut self, terms: &Terms, goals: &[TermId], rounds: usize) -> bool {
        self.update(terms);
        let mut cones = self.cones.take();
        if let Some(cones) = &mut cones {
            cones.turn(terms, |switch| self.bool(switch) == Some(true));
        }
        let mut achieves = true;
        for _ in 0..rounds {
            if !achieves || self.all_hold(goals) {
                break;
            }
            let cone = cones.as_ref().map(|cones| &cones.now);
            achieves = Round::new(self, terms, cone).achieve(goals);
            self.update(terms);
        }
        self.cones = cones;
        self.all_hold(goals)
    }

    fn all_hold(&self, goals: &[TermId]) -> bool {
        goals.iter().all(|&goal| self.bool(goal) == Some(true))
    }

    /// Of these variables, which are fixed, nearly all are false whenever the goals are repaired: what matters only
    /// if one of them is true is not looked at while it is not.
    pub fn switch(&mut self, terms: &Terms, goals: &[TermId], switches: impl Iterator<Item = TermId>) {
        self.cones = Some(Cones::new(terms, goals, switches));
    }
}

/// What goals depend on, by the switches that are on.
#[derive(Debug)]
pub(super) struct Cones {
    /// Whatever is on, and what more for those that are on now.
    now: Set,
    on: Vec<TermId>,
    /// Per switch: conjunctions that are false if it is off.
    gates: FxHashMap<TermId, Vec<TermId>>,
    /// Per switch that was on: the terms that matter more if it is.
    behind: FxHashMap<TermId, Vec<TermId>>,
}

impl Cones {
    fn new(terms: &Terms, goals: &[TermId], switches: impl Iterator<Item = TermId>) -> Cones {
        let gates = switches.map(|switch| (switch, Vec::new())).collect();
        let now = Set::new(terms.len());
        let mut cones = Cones { now, on: Vec::new(), gates, behind: FxHashMap::default() };
        cones.spread(terms, goals.to_vec());
        cones
    }

    /// Takes in what the terms depend on, up to the gates; tells what is new.
    fn spread(&mut self, terms: &Terms, from: Vec<TermId>) -> Vec<TermId> {
        let (mut new, mut work) = (Vec::new(), from);
        while let Some(t) = work.pop() {
            if self.now.contains(t) {
                continue;
            }
            self.now.insert(t);
            new.push(t);
            let parts = terms.children(t);
            let is_and = matches!(terms.get(t), Term::And(_));
            match parts.iter().find(|part| is_and && self.gates.contains_key(part)) {
                Some(switch) => {
                    work.push(*switch);
                    self.gates.entry(*switch).or_default().push(t);
                }
                None => work.extend(parts.iter()),
            }
        }
        new
    }

    fn turn(&mut self, terms: &Terms, is_on: impl Fn(TermId) -> bool) {
        for switch in std::mem::take(&mut self.on) {
            self.behind[&switch].iter().for_each(|&t| self.now.remove(t));
        }
        self.on = self.gates.keys().copied().filter(|&switch| is_on(switch)).collect();
        for switch in self.on.clone() {
            if !self.behind.contains_key(&switch) {
                let gated = self.gates[&switch].iter().flat_map(|&gate| terms.children(gate).to_vec());
                let behind = self.spread(terms, gated.collect());
                behind.iter().for_each(|&t| self.now.remove(t));
                self.behind.insert(switch, behind);
            }
        }
        for switch in &self.on {
            self.behind[switch].iter().for_each(|&t| self.now.insert(t));
        }
    }
}

/// What a value is chosen of.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Unknown {
    Var(TermId),
    App(FuncId, Vec<i128>),
}

/// One round. All values are those under the choices made so far.
struct Round<'r> {
    tape: &'r mut Tape,
    terms: &'r Terms,
    /// What the goals depend on: all else is not looked at in this round.
    cone: Option<&'r Set>,
    fuel: usize,
    /// Chosen for the present goal.
    chosen: Vec<Unknown>,
    /// Chosen for goals before it, and left alone if the present one can be had without them.
    taken: FxHashSet<Unknown>,
    yields: bool,
    /// Whether a conjunction has another turn.
    again: bool,
}

impl<'r> Round<'r> {
    fn new(tape: &'r mut Tape, terms: &'r Terms, cone: Option<&'r Set>) -> Self {
        let (chosen, taken) = (Vec::new(), FxHashSet::default());
        Round { tape, terms, cone, fuel: FUEL, chosen, taken, yields: true, again: false }
    }

    fn achieve(&mut self, goals: &[TermId]) -> bool {
        goals.iter().all(|&goal| {
            let achieved = [true, false].into_iter().any(|yields| {
                self.yields = yields;
                self.make(goal, true)
            });
            self.taken.extend(self.chosen.drain(..));
            achieved
        })
    }

    /// Makes the boolean term `want`; whether it is.
    fn make(&mut self, t: TermId, want: bool) -> bool {
        let Some(now) = self.tape.bool(t) else { return false };
        if now != want && self.burn() {
            self.try_to_make(t, want);
        }
        self.tape.bool(t) == Some(want)
    }

    fn try_to_make(&mut self, t: TermId, want: bool) -> bool {
        let terms = self.terms;
        match terms.get(t) {
            Term::Var(_) => self.choose(t, Value::Bool(want)),
            Term::Not(a) => self.make(a, !want),
            Term::And(list) if want => self.make_all(t, list),
            Term::And(list) if self.again => list.iter().rev().any(|&item| self.make(item, false)),
            Term::And(list) => list.iter().any(|&item| self.make(item, false)),
            Term::Ite(c, a, b) => {
                let [kept, other] = self.branches(c, a, b);
                let flip = self.tape.bool(other) == Some(want) && self.flip(c);
                flip || self.make(kept, want)
            }
            Term::Eq(a, b) if terms.sort(a) == Sort::Bool => {
                let same = |k: Option<bool>| k.map(|k| k == want);
                let (for_a, for_b) = (same(self.tape.bool(b)), same(self.tape.bool(a)));
                for_a.is_some_and(|k| self.make(a, k)) || for_b.is_some_and(|k| self.make(b, k))
            }
            Term::Eq(a, b) if want => self.bring(a, b, 0),
            Term::Eq(a, b) => self.bring(a, b, 1) || self.bring(a, b, -1),
            Term::Le(a, b) => self.bring(a, b, i128::from(!want)),
            Term::App(f, args) => self.choose_app(f, args, i128::from(want)),
            _ => false,
        }
    }

    /// Makes the parts of a conjunction true. What one part needs may break another, so they have another turn, in
    /// which of two ways the other one is tried first.
    fn make_all(&mut self, t: TermId, parts: &[TermId]) -> bool {
        let before = self.again;
        let made = (0..TURNS).any(|turn| {
            self.again = before || turn > 0;
            parts.iter().all(|&part| self.make(part, true)) && self.tape.bool(t) == Some(true)
        });
        self.again = before;
        made
    }

    /// Brings `a` to `b + more`; whether one of them moved there.
    fn bring(&mut self, a: TermId, b: TermId, more: i128) -> bool {
        let (Some(x), Some(y)) = (self.tape.int(a), self.tape.int(b)) else { return false };
        let (Some(for_a), Some(for_b)) = (y.checked_add(more), x.checked_sub(more)) else { return false };
        match self.again {
            true => self.aim(b, for_b) || self.aim(a, for_a),
            false => self.aim(a, for_a) || self.aim(b, for_b),
        }
    }

    /// Gives the integer term the value; whether it has it.
    fn aim(&mut self, t: TermId, target: i128) -> bool {
        let Some(now) = self.tape.int(t) else { return false };
        if now != target && self.burn() {
            self.try_to_aim(t, now, target);
        }
        self.tape.int(t) == Some(target)
    }

    fn try_to_aim(&mut self, t: TermId, now: i128, target: i128) -> bool {
        let terms = self.terms;
        match terms.get(t) {
            Term::Var(_) => self.choose(t, Value::Int(target)),
            Term::Add(list) => {
                // What least depends on is moved first.
                let mut items = list.to_vec();
                items.sort_by_key(|&item| self.dependents(item));
                items.into_iter().any(|item| self.shift(item, target.saturating_sub(now)))
            }
            Term::MulConst(k, a) => k != 0 && target % k == 0 && self.aim(a, target / k),
            Term::Mod(a, m) if (0..m).contains(&target) => self.shift(a, target - now),
            Term::Div(a, m) => self.shift(a, target.saturating_sub(now).saturating_mul(m)),
            Term::Ite(c, a, b) => {
                let [kept, other] = self.branches(c, a, b);
                let flip = self.tape.int(other) == Some(target) && self.flip(c);
                flip || self.aim(kept, target) || (self.flip(c) && self.aim(other, target))
            }
            Term::App(f, args) => self.choose_app(f, args, target),
            _ => false,
        }
    }

    /// How many terms are made of this one, or of what it is a multiple of.
    fn dependents(&self, t: TermId) -> usize {
        let t = if let Term::MulConst(_, a) = self.terms.get(t) { a } else { t };
        self.tape.users.of(t).len()
    }

    fn shift(&mut self, t: TermId, by: i128) -> bool {
        let moved = self.tape.int(t).and_then(|k| k.checked_add(by));
        moved.is_some_and(|target| self.aim(t, target))
    }

    /// The branch that counts now, and the other.
    fn branches(&self, c: TermId, a: TermId, b: TermId) -> [TermId; 2] {
        if self.tape.bool(c) == Some(true) { [a, b] } else { [b, a] }
    }

    fn flip(&mut self, c: TermId) -> bool {
        self.tape.bool(c).is_some_and(|now| self.make(c, !now))
    }

    fn choose(&mut self, var: TermId, value: Value) -> bool {
        if let Some(followed) = self.tape.followed(var) {
            return value.as_int().is_some_and(|k| self.aim(followed, k));
        }
        let range = self.terms.bounds(var).filter(|_| matches!(value, Value::Int(_)));
        let fits = range.is_none_or(|(lo, hi)| value.as_int().is_some_and(|k| (lo..=hi).contains(&k)));
        let allowed = fits && !self.tape.fixed.contains(var) && self.take(Unknown::Var(var));
        if allowed {
            self.tape.set(var, value);
            self.tape.update_in(self.terms, self.cone);
        }
        allowed
    }

    fn choose_app(&mut self, f: FuncId, args: &[TermId], value: i128) -> bool {
        let fits = self.terms.func_info(f).range.is_none_or(|(lo, hi)| (lo..=hi).contains(&value));
        let Some((f, key)) = self.tape.key(f, args).filter(|_| fits) else { return false };
        let allowed = self.take(Unknown::App(f, key.clone()));
        if allowed {
            self.tape.set_app(self.terms, f, key, value);
            self.tape.update_in(self.terms, self.cone);
        }
        allowed
    }

    fn take(&mut self, unknown: Unknown) -> bool {
        let allowed = !(self.yields && self.taken.contains(&unknown));
        if allowed {
            self.chosen.push(unknown);
        }
        allowed
    }

    fn burn(&mut self) -> bool {
        self.fuel = self.fuel.saturating_sub(1);
        self.fuel > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Model;

    /// Behind a switch that is off nothing is evaluated in a round; in the end all terms have their values.
    #[test]
    fn what_is_behind_a_switch_counts_when_it_is_on() {
        let mut terms = Terms::new();
        let x = terms.fresh("x", Sort::Int, Some((0, 99)));
        let switches: Vec<TermId> = (0..4).map(|_| terms.fresh("switch", Sort::Bool, None)).collect();
        let (mut goals, mut parts) = (Vec::new(), Vec::new());
        for (k, &switch) in switches.iter().enumerate() {
            let f = terms.func(&format!("f{k}"), 1, Sort::Int, None);
            let (part, far) = (terms.app(f, &[x]), terms.int(10 * k as i128 + 7));
            let equal = terms.eq(part, far);
            goals.push(terms.implies(switch, equal));
            parts.push(part);
        }
        let mut tape = Tape::new(&terms, &goals, &switches);
        tape.load(&terms, &Model::default());
        tape.switch(&terms, &goals, switches.iter().copied());
        for (round, on) in [2, 0, 3, 2].into_iter().enumerate() {
            for (k, &switch) in switches.iter().enumerate() {
                tape.set(switch, Value::Bool(k == on));
            }
            tape.set(x, Value::Int(round as i128));
            assert!(tape.repair(&terms, &goals, 2), "{on}");
            let values: Vec<Option<i128>> = parts.iter().map(|&part| tape.int(part)).collect();
            let mut expected = vec![Some(0); 4];
            expected[on] = Some(10 * on as i128 + 7);
            assert_eq!(values, expected);
            let now = &tape.cones.as_ref().unwrap().now;
            assert!(now.contains(parts[on]) && !now.contains(parts[(on + 1) % 4]));
        }
    }

    /// The first way is a dead end: an object that is none of the first 9, and a length that is not 0 yet.
    #[test]
    fn what_breaks_what_was_made_is_made_in_another_way() {
        let mut terms = Terms::new();
        let [obj, at, start, len] = ["obj", "at", "start", "len"].map(|v| terms.fresh(v, Sort::Int, None));
        let (null, last) = (terms.int(0), terms.int(9));
        let parts = [terms.ne(obj, null), terms.le(obj, null), terms.gt(obj, last)];
        let named = terms.or(&parts[1..]);
        let end = terms.add2(start, len);
        let (after, before) = (terms.ge(at, start), terms.lt(at, end));
        let goals = [terms.and(&[parts[0], named]), terms.and(&[after, before])];
        let mut tape = Tape::new(&terms, &goals, &[]);
        tape.load(&terms, &Model::default());
        assert!(tape.repair(&terms, &goals, 1));
        assert!(tape.int(obj) > Some(9) && tape.int(at) >= tape.int(start));
    }

    /// What is found holds by the reference semantics; what cannot hold is not found.
    #[test]
    fn finds_ways_through_branches_sums_and_functions() {
        let mut terms = Terms::new();
        let x = terms.fresh("x", Sort::Int, Some((0, 255)));
        let y = terms.fresh("y", Sort::Int, None);
        let p = terms.fresh("p", Sort::Bool, None);
        let f = terms.func("f", 1, Sort::Int, Some((0, 9)));
        let (fy, seven, far) = (terms.app(f, &[y]), terms.int(7), terms.int(1000));
        let sum = terms.add(&[x, y, seven]);
        let either = terms.ite(p, sum, fy);
        let goals = [terms.eq(either, far), terms.eq(fy, seven), terms.gt(x, y), terms.ne(x, seven)];
        let all = terms.and(&goals);
        let too_large = terms.eq(x, far);
        let mut tape = Tape::new(&terms, &[all, too_large], &[]);
        tape.load(&terms, &Model::default());
        assert!(!tape.repair(&terms, &[too_large], 3));
        for goal in goals {
            assert!(tape.repair(&terms, &[goal], 3), "{}", goal.index());
        }
        let mut stuck = Tape::new(&terms, &[all], &[x, y, p]);
        stuck.load(&terms, &Model::default());
        assert!(!stuck.repair(&terms, &goals[..1], 3));
        let mut model = Model::default();
        let value = |t: TermId| {
            if t == p { Value::Bool(tape.bool(t).unwrap()) } else { Value::Int(tape.int(t).unwrap()) }
        };
        for t in [x, y, p] {
            if let Term::Var(v) = terms.get(t) {
                model.vars.insert(v, value(t));
            }
        }
        assert_eq!(model.eval(&terms, goals[3]).and_then(Value::as_bool), tape.bool(goals[3]));
    }
}
