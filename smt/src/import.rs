//! Copies terms from one arena into another, renaming or replacing variables on the way.
//!
//! The copies are rebuilt by the constructors, so that a replacement may simplify what is above it. Where variables
//! only get new names there is nothing to simplify, and conjunctions, of which conditions mostly consist, are copied
//! as they are.
//! Functions are shared by name. Nothing here recurses: terms may be very deep.

use rustc_hash::FxHashMap;

use crate::terms::{FuncId, Term, TermId, Terms, VarId};

/// What becomes of a variable of the source arena.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum VarAction {
    /// What stands for it elsewhere: [`Terms::counterpart`].
    Keep,
    /// A new variable, whose name ends in `@` and this side; the range stays a fact.
    Local(u32),
    /// A variable of the target arena, made for this one.
    Renamed(TermId),
    /// A term of the target arena.
    Replace(TermId),
    /// The application of a function of the target arena to terms of the *source* arena, which are
    /// imported first.
    App(FuncId, Vec<TermId>),
    /// A term of the *source* arena, imported in its place.
    Alias(TermId),
}

/// Decides about a variable of the source arena; called once per variable and import. It may build
/// terms in the target arena.
pub type Rename<'r> = dyn FnMut(&mut Terms, VarId) -> VarAction + 'r;

/// An import from one arena, with a memo of what was copied. Use it with one target arena only.
#[derive(Debug)]
pub struct Import<'a> {
    from: &'a Terms,
    /// Per term of `from`: one more than the index in `done`; zero if not copied yet. (Zeroed
    /// memory is cheap even where few of many terms are copied.)
    memo: Vec<u32>,
    done: Vec<TermId>,
    /// Per copy: whether it differs in the names of variables only.
    renamed: Vec<bool>,
    /// Per function of `from`.
    funcs: Vec<Option<FuncId>>,
    /// Variables that become applications whose arguments are on their way.
    pending: FxHashMap<VarId, (Option<FuncId>, Vec<TermId>)>,
    stack: Vec<TermId>,
    args: Vec<TermId>,
}

impl<'a> Import<'a> {
    /// An import of which nothing is done yet.
    pub fn new(from: &'a Terms) -> Self {
        Import {
            from,
            memo: vec![0; from.len()],
            done: Vec::new(),
            renamed: Vec::new(),
            funcs: vec![None; from.funcs().count()],
            pending: FxHashMap::default(),
            stack: Vec::new(),
            args: Vec::new(),
        }
    }

    /// The copy of `root` in `into`.
    ///
    /// # Panics
    /// If `rename` replaces a variable by an application to terms with that same variable, or if
    /// `into` declares a function or a kept variable of the same name differently.
    pub fn term(&mut self, into: &mut Terms, root: TermId, rename: &mut Rename<'_>) -> TermId {
        self.stack.push(root);
        while let Some(&t) = self.stack.last() {
            if self.copied(t).is_some() {
                self.stack.pop();
                continue;
            }
            let copy = match self.from.get(t) {
                Term::Var(v) => self.var(into, v, rename),
                _ => self.operation(into, t),
            };
            if let Some((copy, renamed)) = copy {
                self.done.push(copy);
                self.renamed.push(renamed);
                self.memo[t.index()] = self.done.len() as u32;
                self.stack.pop();
            }
        }
        self.copied(root).expect("copied by the loop")
    }

    /// The copy of a term that was reached before.
    pub fn copied(&self, t: TermId) -> Option<TermId> {
        let index = self.memo[t.index()].checked_sub(1)?;
        Some(self.done[index as usize])
    }

    /// Whether these have been copied, up to the names of variables as they are.
    fn are_renamed(&self, items: &[TermId]) -> bool {
        items.iter().all(|t| self.renamed[self.memo[t.index()] as usize - 1])
    }

    /// Fills `args` with the copies of `items`; pushes those that are missing and says so.
    fn gather(&mut self, items: &[TermId]) -> bool {
        let depth = self.stack.len();
        self.args.clear();
        for &item in items {
            match self.copied(item) {
                Some(copy) => self.args.push(copy),
                None => self.stack.push(item),
            }
        }
        self.stack.len() == depth
    }

    fn var(&mut self, into: &mut Terms, v: VarId, rename: &mut Rename<'_>) -> Option<(TermId, bool)> {
        let waited = self.pending.remove(&v);
        let again = waited.is_some();
        let (func, args) = match waited {
            Some(app) => app,
            None => {
                let var = self.from.var(v);
                match rename(into, v) {
                    VarAction::Keep => return Some((into.counterpart(var), false)),
                    VarAction::Local(side) => return Some((into.local(var, side), true)),
                    VarAction::Renamed(t) => return Some((t, true)),
                    VarAction::Replace(t) => return Some((t, false)),
                    VarAction::App(func, args) => (Some(func), args),
                    VarAction::Alias(t) => (None, vec![t]),
                }
            }
        };
        if self.gather(&args) {
            let copy = match func {
                Some(func) => into.app(func, &self.args),
                None => self.args[0],
            };
            return Some((copy, false));
        }
        assert!(!again, "variable {} is replaced by a term over itself", self.from.var(v).name);
        self.pending.insert(v, (func, args));
        None
    }

    fn operation(&mut self, into: &mut Terms, t: TermId) -> Option<(TermId, bool)> {
        let from = self.from;
        let parts = from.children(t);
        if !self.gather(&parts) {
            return None;
        }
        let renamed = self.are_renamed(&parts);
        let args = &mut self.args[..];
        let copy = match from.get(t) {
            Term::True => into.tru(),
            Term::False => into.fals(),
            Term::Int(k) => into.int(k),
            Term::Var(_) => unreachable!("variables are renamed"),
            Term::Not(_) => into.not(args[0]),
            Term::And(_) if renamed => into.renamed_conjunction(args),
            Term::And(_) => into.and(args),
            Term::Ite(..) => into.ite(args[0], args[1], args[2]),
            Term::Eq(..) => into.eq(args[0], args[1]),
            Term::Le(..) => into.le(args[0], args[1]),
            Term::Add(_) => into.add(args),
            Term::MulConst(k, _) => into.mul_const(k, args[0]),
            Term::Mod(_, m) => into.modulo(args[0], m),
            Term::Div(_, m) => into.div(args[0], m),
            Term::App(f, _) => {
                let func = self.funcs[f.index()].unwrap_or_else(|| {
                    let info = from.func_info(f);
                    into.func(&info.name, info.arity, info.ret, info.range)
                });
                self.funcs[f.index()] = Some(func);
                into.app(func, &self.args)
            }
        };
        Some((copy, renamed))
    }
}
