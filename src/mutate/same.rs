//! Whether two terms of two encodings say the same, but for the names of variables.

use lockpair_smt::{Term, TermId, Terms, VarId};
use std::collections::HashMap;

/// Compares terms of two arenas; variables that were taken for one stay so. What is not seen to be the same may still be.
pub struct Same<'a> {
    arenas: (&'a Terms, &'a Terms),
    terms: HashMap<TermId, TermId>,
    vars: HashMap<VarId, VarId>,
    back: HashMap<VarId, VarId>,
}

impl<'a> Same<'a> {
    /// Nothing is known to be the same.
    pub fn new(left: &'a Terms, right: &'a Terms) -> Same<'a> {
        let (terms, vars, back) = Default::default();
        Same { arenas: (left, right), terms, vars, back }
    }

    /// Whether they say the same.
    pub fn terms(&mut self, a: TermId, b: TermId) -> bool {
        if let Some(&known) = self.terms.get(&a) {
            return known == b;
        }
        let (left, right) = self.arenas;
        let same = match (left.get(a), right.get(b)) {
            (Term::Var(v), Term::Var(w)) => self.variables(v, w),
            (Term::Int(k), Term::Int(l)) => k == l,
            (Term::MulConst(k, x), Term::MulConst(l, y))
            | (Term::Mod(x, k), Term::Mod(y, l))
            | (Term::Div(x, k), Term::Div(y, l)) => k == l && self.terms(x, y),
            (Term::App(f, _), Term::App(g, _)) => {
                left.func_info(f) == right.func_info(g) && self.children(a, b)
            }
            (x, y) => std::mem::discriminant(&x) == std::mem::discriminant(&y) && self.children(a, b),
        };
        if same {
            self.terms.insert(a, b);
        }
        same
    }

    fn variables(&mut self, v: VarId, w: VarId) -> bool {
        let (left, right) = self.arenas;
        let (x, y) = (left.var(v), right.var(w));
        (x.sort, x.range) == (y.sort, y.range)
            && *self.vars.entry(v).or_insert(w) == w
            && *self.back.entry(w).or_insert(v) == v
    }

    fn children(&mut self, a: TermId, b: TermId) -> bool {
        let (left, right) = self.arenas;
        let (x, y) = (left.children(a), right.children(b));
        x.len() == y.len() && x.iter().zip(y.iter()).all(|(&x, &y)| self.terms(x, y))
    }
}
