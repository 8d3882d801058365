//! Variables: those that arenas share by their names, and those that an arena numbers.

use super::{KIND_BOOL, Node, Range, Sort, TermId, Terms, VarId};
use std::fmt;
use std::num::NonZeroU32;
use std::sync::Arc;

/// A variable's name. Large modules have millions of variables, so what is common to many is kept once.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct VarName {
    /// All of a shared variable's name; of others what they stand for.
    text: Arc<str>,
    /// From one on, in the arena where the variable was made; none for shared variables.
    number: Option<NonZeroU32>,
    /// From one on: the side that it was imported for.
    side: Option<NonZeroU32>,
}

impl VarName {
    /// The name of a variable that arenas share.
    pub fn shared(&self) -> Option<&Arc<str>> {
        self.number.is_none().then_some(&self.text)
    }
}

impl fmt::Display for VarName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        if let Some(number) = self.number {
            write!(f, "!{}", number.get() - 1)?;
        }
        self.side.map_or(Ok(()), |side| write!(f, "@{}", side.get() - 1))
    }
}

/// A variable's declaration.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Var<'a> {
    /// How it is called; several may be called alike, but no two that arenas share.
    pub name: &'a VarName,
    /// The sort of the variable.
    pub sort: Sort,
    /// A fact about the variable that every query may use; only for integers.
    pub range: Option<Range>,
}

impl Terms {
    /// The declaration of a variable.
    pub fn var(&self, v: VarId) -> Var<'_> {
        let term = self.var_term(v);
        Var { name: &self.var_names[v.index()], sort: self.sort(term), range: self.bounds(term) }
    }

    /// The term of a variable.
    pub fn var_term(&self, v: VarId) -> TermId {
        self.var_terms[v.index()]
    }

    /// All variables, in the order of their creation.
    pub fn vars(&self) -> impl Iterator<Item = (VarId, Var<'_>)> {
        (0..self.var_names.len() as u32).map(VarId).map(|v| (v, self.var(v)))
    }

    /// A new variable, different from all others, that stands for what `hint` says. The inclusive `range` is a fact
    /// that every query with this variable may use.
    pub fn fresh(&mut self, hint: &str, sort: Sort, range: Option<Range>) -> TermId {
        let text = self.text(hint);
        let number = self.next_number();
        self.add_var(VarName { text, number, side: None }, sort, range)
    }

    /// The variable of that name, created at first use.
    ///
    /// # Panics
    /// If the name was used before with another sort or range: two declarations of one variable
    /// that disagree cannot both be facts.
    pub fn shared_var(&mut self, name: &str, sort: Sort, range: Option<Range>) -> TermId {
        if let Some(&v) = self.shared_vars.get(name) {
            let var = self.var(v);
            assert!(
                var.sort == sort && var.range == range,
                "variable {name} was declared as {var:?}, now as {sort:?} {range:?}"
            );
            return self.var_term(v);
        }
        let text: Arc<str> = Arc::from(name);
        self.shared_vars.insert(Arc::clone(&text), VarId(self.var_names.len() as u32));
        self.add_var(VarName { text, number: None, side: None }, sort, range)
    }

    /// What stands for another arena's variable: that of the same name, if arenas share it, else a new one.
    pub fn counterpart(&mut self, var: Var) -> TermId {
        match var.name.shared() {
            Some(name) => self.shared_var(name, var.sort, var.range),
            None => {
                let name = VarName { number: self.next_number(), side: None, ..var.name.clone() };
                self.add_var(name, var.sort, var.range)
            }
        }
    }

    /// A new variable that stands for another arena's on one side, and is called like that.
    pub(crate) fn local(&mut self, var: Var, side: u32) -> TermId {
        let number = var.name.number.or(self.next_number());
        let side = NonZeroU32::new(side + 1);
        self.add_var(VarName { number, side, ..var.name.clone() }, var.sort, var.range)
    }

    fn next_number(&self) -> Option<NonZeroU32> {
        NonZeroU32::new(u32::try_from(self.var_names.len() + 1).expect("fewer than 2^32 variables"))
    }

    fn text(&mut self, hint: &str) -> Arc<str> {
        if let Some(text) = self.hints.get(hint) {
            return Arc::clone(text);
        }
        let text: Arc<str> = Arc::from(hint);
        self.hints.insert(Arc::clone(&text));
        text
    }

    fn add_var(&mut self, name: VarName, sort: Sort, range: Option<Range>) -> TermId {
        let v = VarId(self.var_names.len() as u32);
        let kind = match sort {
            Sort::Bool => KIND_BOOL,
            Sort::Int => self.interval_kind(range),
        };
        self.var_names.push(name);
        let term = self.intern(Node::Var(v), kind);
        self.var_terms.push(term);
        term
    }
}
