//! Boolean constructors and their local simplifications.
//!
//! Everything is said in terms of conjunction: a *clause* below is a conjunct `Not(And(literals))`,
//! that is, the disjunction of the literals' negations. Each rule looks one or two levels deep and
//! at short lists only, so a constructor's cost does not depend on the size of its arguments.

use super::{FALSE, KIND_BOOL, ListNode, NO_TERM, Node, Sort, TRUE, Term, TermId, Terms};

/// Longer conjunctions are not flattened into others, else a chain of guards costs its square.
const FLAT: usize = 32;
/// Longer clauses are left as they are.
const LOOKED_AT: usize = 64;
/// Clauses are compared pairwise only if there are at most this many.
const PAIRWISE: usize = 8;
/// How deep a simplification may lead to another.
const DEPTH: u32 = 4;

/// Boolean constructors.
impl Terms {
    /// Negation.
    pub fn not(&mut self, a: TermId) -> TermId {
        if let Some(negation) = self.find_not(a) {
            return negation;
        }
        debug_assert_eq!(self.sort(a), Sort::Bool);
        let negation = self.intern(Node::Not(a), KIND_BOOL);
        self.negations[a.index()] = negation;
        self.negations[negation.index()] = a;
        negation
    }

    /// Conjunction; `true` if empty.
    pub fn and(&mut self, items: &[TermId]) -> TermId {
        let mut list = self.spare_list();
        list.extend_from_slice(items);
        self.conjunction(list, 0)
    }

    /// Disjunction; `false` if empty.
    pub fn or(&mut self, items: &[TermId]) -> TermId {
        let mut list = self.spare_list();
        for &item in items {
            let negation = self.not(item);
            list.push(negation);
        }
        let none = self.conjunction(list, 0);
        self.not(none)
    }

    /// Conjunction of two.
    pub fn and2(&mut self, a: TermId, b: TermId) -> TermId {
        match (a, b) {
            (TRUE, other) | (other, TRUE) => other,
            (FALSE, _) | (_, FALSE) => FALSE,
            _ if a == b => a,
            _ => self.and(&[a, b]),
        }
    }

    /// Disjunction of two.
    pub fn or2(&mut self, a: TermId, b: TermId) -> TermId {
        match (a, b) {
            (FALSE, other) | (other, FALSE) => other,
            (TRUE, _) | (_, TRUE) => TRUE,
            _ if a == b => a,
            _ => self.or(&[a, b]),
        }
    }

    /// Implication.
    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let not_b = self.not(b);
        let broken = self.and2(a, not_b);
        self.not(broken)
    }

    /// `a` if `c`, else `b`; both of one sort.
    pub fn ite(&mut self, c: TermId, a: TermId, b: TermId) -> TermId {
        debug_assert_eq!(self.sort(a), self.sort(b));
        let (c, a, b) = match self.get(c) {
            Term::True => return a,
            Term::False => return b,
            Term::Not(c) => (c, b, a),
            _ => (c, a, b),
        };
        let a = self.under(c, a, true);
        let b = self.under(c, b, false);
        if a == b {
            return a;
        }
        match self.sort(a) {
            Sort::Bool => self.ite_bool(c, a, b),
            Sort::Int => {
                let hull = match (self.bounds(a), self.bounds(b)) {
                    (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
                    _ => None,
                };
                let kind = self.interval_kind(hull);
                self.intern(Node::Ite(c, a, b), kind)
            }
        }
    }

    fn ite_bool(&mut self, c: TermId, a: TermId, b: TermId) -> TermId {
        let not_c = self.not(c);
        match (a, b) {
            (TRUE, _) => self.or2(c, b),
            (FALSE, _) => self.and2(not_c, b),
            (_, TRUE) => self.or2(not_c, a),
            (_, FALSE) => self.and2(c, a),
            _ if a == c => self.or2(c, b),
            _ if a == not_c => self.and2(not_c, b),
            _ if b == c => self.and2(c, a),
            _ if b == not_c => self.or2(not_c, a),
            _ if self.find_not(a) == Some(b) => self.iff(c, a),
            _ => self.intern(Node::Ite(c, a, b), KIND_BOOL),
        }
    }

    /// `t` where `c` is known to be `value`: only resolves a choice on `c` itself.
    fn under(&self, c: TermId, t: TermId, value: bool) -> TermId {
        match self.nodes[t.index()] {
            Node::Ite(d, a, b) if d == c => {
                if value {
                    a
                } else {
                    b
                }
            }
            _ => t,
        }
    }

    /// Equivalence; [`Terms::eq`] comes here for booleans.
    pub(super) fn iff(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, flip_a) = self.strip_not(a);
        let (b, flip_b) = self.strip_not(b);
        let (a, b) = (a.min(b), a.max(b));
        let same = match (a, b) {
            _ if a == b => TRUE,
            (TRUE, _) => b,
            (FALSE, _) => self.not(b),
            _ => self.intern(Node::Eq(a, b), KIND_BOOL),
        };
        if flip_a != flip_b { self.not(same) } else { same }
    }

    fn strip_not(&self, t: TermId) -> (TermId, bool) {
        match self.nodes[t.index()] {
            Node::Not(a) => (a, true),
            _ => (t, false),
        }
    }

    /// Whether the form of `a` shows that `b` holds where it does. Looks a few levels deep; "no" says nothing.
    pub fn shows(&self, a: TermId, b: TermId) -> bool {
        match self.get(b) {
            Term::True => true,
            Term::And(list) if a != b => list.iter().all(|&b| self.shows_to(DEPTH, a, b)),
            _ => self.shows_to(DEPTH, a, b),
        }
    }

    fn shows_to(&self, depth: u32, a: TermId, b: TermId) -> bool {
        if a == b || a == FALSE {
            return true;
        }
        let Some(depth) = depth.checked_sub(1) else { return false };
        match self.get(a) {
            Term::And(list) => {
                list.binary_search(&b).is_ok() || list.iter().any(|&t| self.shows_to(depth, t, b))
            }
            Term::Ite(_, then, els) => self.shows_to(depth, then, b) && self.shows_to(depth, els, b),
            Term::Not(clause) => match self.get(clause) {
                Term::And(list) => {
                    list.iter().all(|&t| self.find_not(t).is_some_and(|t| self.shows_to(depth, t, b)))
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// The negation of `t` if the arena holds it already.
    fn find_not(&self, t: TermId) -> Option<TermId> {
        let negation = self.negations[t.index()];
        (negation != NO_TERM).then_some(negation)
    }
}

/// Conjunction.
impl Terms {
    /// The conjunction of what the conjuncts of another arena's have become, if these are the same up to the names of
    /// variables: there is nothing to simplify that was not simplified there.
    pub(crate) fn renamed_conjunction(&mut self, items: &mut [TermId]) -> TermId {
        items.sort_unstable();
        self.intern_list(ListNode::And, items, KIND_BOOL)
    }

    /// The conjunction of `items`, which are given back to the spare lists.
    fn conjunction(&mut self, mut items: Vec<TermId>, depth: u32) -> TermId {
        let decided = loop {
            if self.flatten(&mut items) {
                break Some(FALSE);
            }
            if items.len() < 2 {
                break Some(items.first().copied().unwrap_or(TRUE));
            }
            if depth >= DEPTH || items.len() > 2 * FLAT {
                break None;
            }
            if !self.propagate(&mut items, depth) && !self.merge_clauses(&mut items, depth) {
                break self.factor(&items, depth);
            }
        };
        let result = decided.unwrap_or_else(|| self.intern_list(ListNode::And, &items, KIND_BOOL));
        self.give_list(items);
        result
    }

    /// Splices nested conjunctions, drops `true` and duplicates, sorts. Tells whether the
    /// conjunction is plainly false.
    fn flatten(&self, items: &mut Vec<TermId>) -> bool {
        let mut at = 0;
        while at < items.len() {
            match self.get(items[at]) {
                Term::False => return true,
                Term::True => {
                    items.swap_remove(at);
                }
                Term::And(list) if list.len() + items.len() <= FLAT => {
                    items.swap_remove(at);
                    items.extend_from_slice(list);
                }
                _ => at += 1,
            }
        }
        items.sort_unstable();
        items.dedup();
        items.iter().any(|&item| match self.nodes[item.index()] {
            Node::Not(a) => items.binary_search(&a).is_ok(),
            _ => false,
        })
    }

    /// Uses the other conjuncts within each clause: a literal that is a conjunct goes, a clause
    /// with a literal whose negation is a conjunct goes. Tells whether anything changed; then
    /// `items` is no longer flat.
    fn propagate(&mut self, items: &mut Vec<TermId>, depth: u32) -> bool {
        for at in 0..items.len() {
            let Some(clause) = self.clause(items[at]) else { continue };
            let known = |t: TermId| items.binary_search(&t).is_ok();
            if clause.iter().any(|&l| self.find_not(l).is_some_and(known)) {
                items.remove(at);
                return true;
            }
            if clause.iter().any(|&l| known(l)) {
                let mut rest = self.spare_lists.pop().unwrap_or_default();
                let clause = self.clause(items[at]).unwrap_or_default();
                rest.extend(clause.iter().copied().filter(|&l| !known(l)));
                let rest = self.conjunction(rest, depth + 1);
                items[at] = self.not(rest);
                return true;
            }
        }
        false
    }

    /// Merges two clauses that differ in one literal's sign (the join of a diamond), and drops a
    /// clause that another implies.
    fn merge_clauses(&mut self, items: &mut Vec<TermId>, depth: u32) -> bool {
        if items.iter().filter(|&&item| self.clause(item).is_some()).count() > PAIRWISE {
            return false;
        }
        for i in 0..items.len() {
            for j in i + 1..items.len() {
                let (Some(a), Some(b)) = (self.clause(items[i]), self.clause(items[j])) else { continue };
                if subset(a, b) {
                    items.remove(j);
                    return true;
                }
                if subset(b, a) {
                    items.remove(i);
                    return true;
                }
                if let Some(literal) = self.opposite(a, b) {
                    let mut common = self.spare_lists.pop().unwrap_or_default();
                    let a = self.clause(items[i]).unwrap_or_default();
                    common.extend(a.iter().copied().filter(|&l| l != literal));
                    let common = self.conjunction(common, depth + 1);
                    items[i] = self.not(common);
                    items.remove(j);
                    return true;
                }
            }
        }
        false
    }

    /// If all conjuncts are clauses with literals in common, takes these out.
    fn factor(&mut self, items: &[TermId], depth: u32) -> Option<TermId> {
        let mut common = self.spare_list();
        common.extend_from_slice(self.clause(items[0]).unwrap_or_default());
        for &item in &items[1..] {
            let clause = self.clause(item).unwrap_or_default();
            common.retain(|l| clause.binary_search(l).is_ok());
        }
        if common.is_empty() {
            self.give_list(common);
            return None;
        }
        let mut rests = self.spare_list();
        for &item in items {
            let mut rest = self.spare_list();
            let clause = self.clause(item).unwrap_or_default();
            rest.extend(clause.iter().copied().filter(|l| common.binary_search(l).is_err()));
            let rest = self.conjunction(rest, depth + 1);
            rests.push(self.not(rest));
        }
        let rests = self.conjunction(rests, depth + 1);
        common.push(self.not(rests));
        let failed = self.conjunction(common, depth + 1);
        Some(self.not(failed))
    }

    /// The sorted literals of a clause, if it is not too long to look at.
    fn clause(&self, t: TermId) -> Option<&[TermId]> {
        match self.nodes[t.index()] {
            Node::Not(a) => match self.nodes[a.index()] {
                Node::And(list) => Some(self.list(list)).filter(|list| list.len() <= LOOKED_AT),
                _ => None,
            },
            _ => None,
        }
    }

    /// The literal of `a` whose negation is in `b`, if that is the only difference.
    fn opposite(&self, a: &[TermId], b: &[TermId]) -> Option<TermId> {
        if a.len() != b.len() {
            return None;
        }
        let mut only_a = a.iter().filter(|l| b.binary_search(l).is_err());
        let mut only_b = b.iter().filter(|l| a.binary_search(l).is_err());
        match (only_a.next(), only_a.next(), only_b.next()) {
            (Some(&x), None, Some(&y)) if self.find_not(x) == Some(y) => Some(x),
            _ => None,
        }
    }

    pub(super) fn spare_list(&mut self) -> Vec<TermId> {
        self.spare_lists.pop().unwrap_or_default()
    }

    pub(super) fn give_list(&mut self, mut list: Vec<TermId>) {
        list.clear();
        self.spare_lists.push(list);
    }
}

fn subset(small: &[TermId], big: &[TermId]) -> bool {
    small.len() <= big.len() && small.iter().all(|l| big.binary_search(l).is_ok())
}
