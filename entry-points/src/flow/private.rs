//! Functions in fields of structs that only the module knows: nobody outside finds them there (each time a
//! recorded assumption). If the module calls them, they are covered where it does. If it does not, somebody
//! must, and they are entry points after all.

use std::collections::BTreeSet;

use lockpair_ir::{FuncId, LocId};

use super::{Flow, Token};

impl Flow<'_> {
    /// The module may call the function through a pointer. With another number of arguments that would be
    /// an unknown call later on.
    pub(super) fn note_called(&mut self, f: FuncId, args: usize) {
        let func = &self.module.funcs[f];
        if func.variadic || func.params.len() == args {
            self.called.insert(f);
        }
    }

    /// The functions that are trusted to stay in the module though it does not call them.
    pub fn kept_for_nobody(&self) -> Vec<(FuncId, Option<LocId>)> {
        let mut out: Vec<(FuncId, Option<LocId>)> = Vec::new();
        for &(token, _, loc) in &self.trusted {
            let uncalled = self.functions_behind(token).into_iter().filter(|f| !self.called.contains(f));
            out.extend(uncalled.map(|f| (f, loc)));
        }
        out
    }

    /// The members of private structs that lead to functions, and where they are set.
    pub fn trusted_with_functions(&self) -> BTreeSet<(String, Option<LocId>)> {
        let leads = |token: Token| !self.functions_behind(token).is_empty();
        let members = self.trusted.iter().filter(|(token, ..)| leads(*token));
        members.map(|(_, member, loc)| (member.clone(), *loc)).collect()
    }

    /// The functions that a token leads to, but for those that a row explains and those that escape anyway.
    fn functions_behind(&self, root: Token) -> BTreeSet<FuncId> {
        let (mut seen, mut todo) = (BTreeSet::from([root]), vec![root]);
        while let Some(object) = todo.pop() {
            if self.escaped.contains_key(&object) {
                continue;
            }
            let inside = self.objects.get(&object).into_iter().flat_map(|content| content.cells.keys());
            todo.extend(inside.filter(|c| !c.explained).map(|c| c.token).filter(|t| seen.insert(*t)));
        }
        let func = |token: Token| match token {
            Token::Func(f) if !self.escaped.contains_key(&token) => Some(f),
            Token::Func(_) | Token::Global(_) | Token::Stack(..) | Token::Unknown => None,
        };
        seen.into_iter().filter_map(func).collect()
    }
}
