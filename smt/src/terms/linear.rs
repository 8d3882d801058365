//! Integer constructors: linear sums in canonical form, comparisons decided by intervals.
//!
//! A sum lists each atom once, in order of the atoms' ids, and the constant last. A comparison is
//! normalized from the difference of its sides: divided by the common divisor, first coefficient
//! positive, negative summands moved to the right. Arithmetic on constants is checked: where it
//! would leave 128 bits, the term is built as it was given.

use super::{FALSE, KIND_BOOL, ListNode, Node, Range, Sort, TRUE, Term, TermId, Terms};

/// Longer sums are not flattened into others, else a chain of additions costs its square.
const FLAT: usize = 32;
/// How many nested choices between constants a comparison looks through.
const CHOICES: u32 = 8;

/// A linear sum: coefficient times atom, and a constant.
#[derive(Clone, Default, Debug)]
pub(super) struct Sum {
    items: Vec<(TermId, i128)>,
    constant: i128,
}

/// The two comparisons.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Relation {
    Eq,
    Le,
}

/// Integer constructors.
impl Terms {
    /// Sum; zero if empty.
    pub fn add(&mut self, items: &[TermId]) -> TermId {
        let mut sum = self.spare_sum();
        let flat = self.fits(items);
        let linear = items.iter().try_for_each(|&t| self.accumulate(&mut sum, t, 1, flat));
        let result = linear.and_then(|()| self.sum(&mut sum));
        self.give_sum(sum);
        match (result, items) {
            (Some(t), _) => t,
            (None, &[only]) => only,
            (None, _) => self.intern_list(ListNode::Add, items, super::KIND_INT),
        }
    }

    /// Sum of two.
    pub fn add2(&mut self, a: TermId, b: TermId) -> TermId {
        self.add(&[a, b])
    }

    /// Difference.
    pub fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return self.int(0);
        }
        let mut sum = self.spare_sum();
        let result = self.difference(&mut sum, a, b).and_then(|()| self.sum(&mut sum));
        self.give_sum(sum);
        result.unwrap_or_else(|| {
            let minus_b = self.neg(b);
            self.add(&[a, minus_b])
        })
    }

    /// The additive inverse.
    pub fn neg(&mut self, a: TermId) -> TermId {
        self.mul_const(-1, a)
    }

    /// Product with a constant.
    pub fn mul_const(&mut self, k: i128, a: TermId) -> TermId {
        let mut sum = self.spare_sum();
        let linear = self.accumulate(&mut sum, a, k, true);
        let result = linear.and_then(|()| self.sum(&mut sum));
        self.give_sum(sum);
        result.unwrap_or_else(|| {
            let k = self.int_id(k);
            self.intern(Node::MulConst(k, a), super::KIND_INT)
        })
    }

    /// Remainder of the division by `m`; never negative.
    ///
    /// # Panics
    /// If `m` is not positive.
    pub fn modulo(&mut self, a: TermId, m: i128) -> TermId {
        assert!(m > 0, "modulus {m} is not positive");
        let reduced = self.reduce(a, m).unwrap_or(a);
        match self.get(reduced) {
            Term::Int(k) => return self.int(k.rem_euclid(m)),
            Term::Mod(x, n) if n % m == 0 => return self.modulo(x, m),
            _ => {}
        }
        if let Some((lo, hi)) = self.bounds(reduced)
            && lo.div_euclid(m) == hi.div_euclid(m)
            && let Some(down) = lo.div_euclid(m).checked_mul(m).and_then(i128::checked_neg)
        {
            let down = self.int(down);
            return self.add(&[reduced, down]);
        }
        let id = self.int_id(m);
        let kind = self.interval_kind(Some((0, m - 1)));
        self.intern(Node::Mod(reduced, id), kind)
    }

    /// Quotient of the division by `m`, rounded down.
    ///
    /// # Panics
    /// If `m` is not positive.
    pub fn div(&mut self, a: TermId, m: i128) -> TermId {
        assert!(m > 0, "divisor {m} is not positive");
        if m == 1 {
            return a;
        }
        if let Some((whole, rest)) = self.divisible_part(a, m) {
            let rest = self.div_plain(rest, m);
            return self.add(&[whole, rest]);
        }
        self.div_plain(a, m)
    }

    fn div_plain(&mut self, a: TermId, m: i128) -> TermId {
        if let Term::Div(x, n) = self.get(a)
            && let Some(both) = n.checked_mul(m)
        {
            return self.div(x, both);
        }
        let range = self.bounds(a).map(|(lo, hi)| (lo.div_euclid(m), hi.div_euclid(m)));
        if let Some((lo, hi)) = range
            && lo == hi
        {
            return self.int(lo);
        }
        let id = self.int_id(m);
        let kind = self.interval_kind(range);
        self.intern(Node::Div(a, id), kind)
    }

    /// Equality of integers, or equivalence of booleans.
    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return TRUE;
        }
        debug_assert_eq!(self.sort(a), self.sort(b));
        match self.sort(a) {
            Sort::Bool => self.iff(a, b),
            Sort::Int => self.compare(Relation::Eq, a, b, CHOICES),
        }
    }

    /// Disequality.
    pub fn ne(&mut self, a: TermId, b: TermId) -> TermId {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    /// `a <= b`.
    pub fn le(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b { TRUE } else { self.compare(Relation::Le, a, b, CHOICES) }
    }

    /// `a < b`.
    pub fn lt(&mut self, a: TermId, b: TermId) -> TermId {
        let ge = self.le(b, a);
        self.not(ge)
    }

    /// `a >= b`.
    pub fn ge(&mut self, a: TermId, b: TermId) -> TermId {
        self.le(b, a)
    }

    /// `a > b`.
    pub fn gt(&mut self, a: TermId, b: TermId) -> TermId {
        self.lt(b, a)
    }
}

/// Comparisons.
impl Terms {
    fn compare(&mut self, relation: Relation, a: TermId, b: TermId, choices: u32) -> TermId {
        let mut sum = self.spare_sum();
        let normal =
            self.difference(&mut sum, a, b).and_then(|()| self.normalize(relation, &mut sum, choices));
        self.give_sum(sum);
        normal.unwrap_or_else(|| self.intern(relation.node(a, b), KIND_BOOL))
    }

    /// `sum = 0` or `sum <= 0`; `None` if a constant overflows.
    fn normalize(&mut self, relation: Relation, sum: &mut Sum, choices: u32) -> Option<TermId> {
        let Some(&(_, first)) = sum.items.first() else {
            let holds = match relation {
                Relation::Eq => sum.constant == 0,
                Relation::Le => sum.constant <= 0,
            };
            return Some(self.bool(holds));
        };
        // From here on: items (relation) limit.
        let mut limit = sum.constant.checked_neg()?;
        let divisor = sum.items.iter().try_fold(0, |g, &(_, k)| gcd(g, k))?;
        if relation == Relation::Eq && limit % divisor != 0 {
            return Some(FALSE);
        }
        limit = limit.div_euclid(divisor);
        sum.items.iter_mut().for_each(|(_, k)| *k /= divisor);
        sum.constant = 0;
        let mut negated = false;
        if first < 0 {
            for (_, k) in &mut sum.items {
                *k = k.checked_neg()?;
            }
            limit = match relation {
                Relation::Eq => limit.checked_neg()?,
                // x <= v is not (-x <= -v - 1).
                Relation::Le => limit.checked_neg()?.checked_sub(1)?,
            };
            negated = relation == Relation::Le;
        }
        let holds = self.decide(relation, sum, limit, choices)?;
        Some(if negated { self.not(holds) } else { holds })
    }

    fn decide(&mut self, relation: Relation, sum: &mut Sum, limit: i128, choices: u32) -> Option<TermId> {
        if let Some((lo, hi)) = self.sum_bounds(sum) {
            match relation {
                _ if lo > limit => return Some(FALSE),
                Relation::Eq if hi < limit => return Some(FALSE),
                Relation::Le if hi <= limit => return Some(TRUE),
                Relation::Eq | Relation::Le => {}
            }
        }
        if let [(choice, 1)] = sum.items[..]
            && choices > 0
            && let Some(t) = self.compare_choice(relation, choice, limit, choices - 1)
        {
            return Some(t);
        }
        let mut right = self.spare_sum();
        let negative = sum.items.iter().filter(|&&(_, k)| k < 0);
        right.items.extend(negative.map(|&(t, k)| (t, -k)));
        right.constant = limit;
        sum.items.retain(|&(_, k)| k > 0);
        let left = self.sum(sum);
        let sides = left.zip(self.sum(&mut right));
        self.give_sum(right);
        let (a, b) = sides?;
        Some(self.intern(relation.node(a, b), KIND_BOOL))
    }

    /// Compares a choice with a constant, if one of its branches is a constant: that branch is
    /// decided, so the condition takes its place.
    fn compare_choice(&mut self, relation: Relation, t: TermId, limit: i128, choices: u32) -> Option<TermId> {
        let Term::Ite(c, a, b) = self.get(t) else { return None };
        if self.as_int(a).is_none() && self.as_int(b).is_none() {
            return None;
        }
        let limit = self.int(limit);
        let a = self.compare(relation, a, limit, choices);
        let b = self.compare(relation, b, limit, choices);
        Some(self.ite(c, a, b))
    }
}

impl Relation {
    fn node(self, a: TermId, b: TermId) -> Node {
        match self {
            Relation::Eq => Node::Eq(a, b),
            Relation::Le => Node::Le(a, b),
        }
    }
}

/// Sums.
impl Terms {
    /// Adds `k * t` to `sum`. Unless `flat`, nested sums stay atoms, without their constant.
    fn accumulate(&self, sum: &mut Sum, t: TermId, k: i128, flat: bool) -> Option<()> {
        match self.get(t) {
            Term::Add(list) if flat => list.iter().try_for_each(|&item| self.accumulate_item(sum, item, k)),
            Term::Add(_) => {
                let (base, constant) = self.split_offset(t);
                sum.constant = sum.constant.checked_add(constant.checked_mul(k)?)?;
                base.map_or(Some(()), |base| self.accumulate_item(sum, base, k))
            }
            _ => self.accumulate_item(sum, t, k),
        }
    }

    fn accumulate_item(&self, sum: &mut Sum, t: TermId, k: i128) -> Option<()> {
        match self.get(t) {
            Term::Int(value) => sum.constant = sum.constant.checked_add(value.checked_mul(k)?)?,
            Term::MulConst(factor, atom) => sum.items.push((atom, factor.checked_mul(k)?)),
            _ => sum.items.push((t, k)),
        }
        Some(())
    }

    fn difference(&self, sum: &mut Sum, a: TermId, b: TermId) -> Option<()> {
        let flat = self.fits(&[a, b]);
        self.accumulate(sum, a, 1, flat)?;
        self.accumulate(sum, b, -1, flat)?;
        collect(sum)
    }

    /// Whether the sum of these terms may be written flat.
    fn fits(&self, items: &[TermId]) -> bool {
        let width = |&t: &TermId| match self.nodes[t.index()] {
            Node::Add(list) => list.len as usize,
            _ => 1,
        };
        items.iter().map(width).sum::<usize>() <= FLAT
    }

    /// The term of a sum; `None` if a coefficient overflows.
    fn sum(&mut self, sum: &mut Sum) -> Option<TermId> {
        collect(sum)?;
        let mut items = self.spare_list();
        for &(atom, k) in &sum.items {
            items.push(self.scaled(k, atom));
        }
        let base = match items[..] {
            [] => None,
            [only] => Some(only),
            _ => {
                let kind = self.sum_kind(sum, 0);
                Some(self.intern_list(ListNode::Add, &items, kind))
            }
        };
        let result = match base {
            None => self.int(sum.constant),
            Some(base) if sum.constant == 0 => base,
            Some(_) => {
                let kind = self.sum_kind(sum, sum.constant);
                items.push(self.int(sum.constant));
                self.intern_list(ListNode::Add, &items, kind)
            }
        };
        self.give_list(items);
        Some(result)
    }

    fn sum_kind(&mut self, sum: &Sum, constant: i128) -> u32 {
        let range = self
            .sum_bounds(sum)
            .and_then(|(lo, hi)| Some((lo.checked_add(constant)?, hi.checked_add(constant)?)));
        self.interval_kind(range)
    }

    fn scaled(&mut self, k: i128, atom: TermId) -> TermId {
        if k == 1 {
            return atom;
        }
        let range = self.bounds(atom).and_then(|range| scale(range, k));
        let kind = self.interval_kind(range);
        let k = self.int_id(k);
        self.intern(Node::MulConst(k, atom), kind)
    }

    /// The interval of the items, without the constant.
    fn sum_bounds(&self, sum: &Sum) -> Option<Range> {
        sum.items.iter().try_fold((0i128, 0i128), |(lo, hi), &(atom, k)| {
            let (a, b) = scale(self.bounds(atom)?, k)?;
            Some((lo.checked_add(a)?, hi.checked_add(b)?))
        })
    }

    /// The sum of the items in a list of children, if the arena holds it.
    pub(super) fn find_sum(&self, items: &[TermId]) -> Option<TermId> {
        match items {
            [only] => Some(*only),
            _ => self.find_list(super::hash_list(ListNode::Add, items), ListNode::Add, items),
        }
    }

    /// A simpler term that is congruent to `a` modulo `m`.
    fn reduce(&mut self, a: TermId, m: i128) -> Option<TermId> {
        let mut sum = self.spare_sum();
        let result = self.reduce_sum(&mut sum, a, m);
        self.give_sum(sum);
        result
    }

    fn reduce_sum(&mut self, sum: &mut Sum, a: TermId, m: i128) -> Option<TermId> {
        self.accumulate(sum, a, 1, true)?;
        for (atom, k) in &mut sum.items {
            // Keeps small negative coefficients: x - y is better than x + (m - 1) y.
            *k %= m;
            if let Term::Mod(x, n) = self.get(*atom)
                && n % m == 0
            {
                *atom = x;
            }
        }
        sum.constant = sum.constant.rem_euclid(m);
        self.sum(sum)
    }

    /// `a` as (multiple of `m`, divided by `m`) and a rest, if the first is not zero.
    fn divisible_part(&mut self, a: TermId, m: i128) -> Option<(TermId, TermId)> {
        let (mut whole, mut rest) = (self.spare_sum(), self.spare_sum());
        let parts = self.split_divisible(&mut whole, &mut rest, a, m);
        self.give_sum(whole);
        self.give_sum(rest);
        parts
    }

    fn split_divisible(
        &mut self,
        whole: &mut Sum,
        rest: &mut Sum,
        a: TermId,
        m: i128,
    ) -> Option<(TermId, TermId)> {
        self.accumulate(rest, a, 1, true)?;
        whole.items.extend(rest.items.iter().filter(|(_, k)| k % m == 0).map(|&(t, k)| (t, k / m)));
        rest.items.retain(|(_, k)| k % m != 0);
        whole.constant = rest.constant.div_euclid(m);
        rest.constant = rest.constant.rem_euclid(m);
        if whole.items.is_empty() && whole.constant == 0 {
            return None;
        }
        self.sum(whole).zip(self.sum(rest))
    }

    fn spare_sum(&mut self) -> Sum {
        self.spare_sums.pop().unwrap_or_default()
    }

    fn give_sum(&mut self, mut sum: Sum) {
        sum.items.clear();
        sum.constant = 0;
        self.spare_sums.push(sum);
    }
}

/// Sorts by atom and adds up like terms.
fn collect(sum: &mut Sum) -> Option<()> {
    let items = &mut sum.items;
    if items.windows(2).any(|pair| pair[0].0 >= pair[1].0) {
        items.sort_unstable_by_key(|&(atom, _)| atom);
        let mut kept = 0;
        for at in 1..items.len() {
            if items[at].0 == items[kept].0 {
                items[kept].1 = items[kept].1.checked_add(items[at].1)?;
            } else {
                kept += 1;
                items[kept] = items[at];
            }
        }
        items.truncate(kept + 1);
    }
    items.retain(|&(_, k)| k != 0);
    Some(())
}

fn scale((lo, hi): Range, k: i128) -> Option<Range> {
    let (a, b) = (lo.checked_mul(k)?, hi.checked_mul(k)?);
    Some((a.min(b), a.max(b)))
}

/// `None` if the divisor would be 2^127.
fn gcd(a: i128, b: i128) -> Option<i128> {
    let (mut a, mut b) = (a.checked_abs()?, b.checked_abs()?);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    Some(a)
}
