//! The arena: hash-consed terms over booleans and integers, with their variables and functions.
//!
//! Terms are immutable, ids are only meaningful in their own arena, and a term's children always
//! have smaller ids than the term itself. Constructors simplify locally (`boolean`, `linear`) and
//! keep these canonical forms, which every reader may rely on:
//! * no `Or`: a disjunction is `Not(And(..))`, so that a term and its negation share one node;
//! * no `Lt`: a strict comparison is the negation of a `Le`;
//! * `Not` is never applied to `Not`, `True` or `False`;
//! * `And` and `Add` have at least two children; an `Add` has at most one constant, in last place,
//!   and then the sum without it is a term of the arena too.
//!
//! This module solves nothing, and knows no solver and no text format.

mod boolean;
mod linear;
mod vars;

pub use vars::{Var, VarName};

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

/// A term of one arena.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Ord, PartialOrd, Debug)]
pub struct TermId(u32);

/// A variable: its index in the arena's table of variables.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Ord, PartialOrd, Debug)]
pub struct VarId(u32);

/// An uninterpreted function over integers: its index in the arena's table of functions.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Ord, PartialOrd, Debug)]
pub struct FuncId(u32);

macro_rules! index_of {
    ($($id:ident),*) => {$(
        impl $id {
            /// The position in the arena's table; dense from zero, so it can index a side table.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}
index_of!(TermId, VarId, FuncId);

impl TermId {
    /// The term at a position of the arena's table.
    pub(crate) fn at(index: usize) -> TermId {
        TermId(u32::try_from(index).expect("a position of the table"))
    }
}

/// What a term denotes.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// A truth value.
    Bool,
    /// A mathematical integer.
    Int,
}

/// An inclusive interval of integers.
pub type Range = (i128, i128);

/// One level of a term, as [`Terms::get`] shows it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Term<'a> {
    /// The true proposition.
    True,
    /// The false proposition.
    False,
    /// An integer constant.
    Int(i128),
    /// A variable of either sort.
    Var(VarId),
    /// Negation.
    Not(TermId),
    /// Conjunction of at least two terms.
    And(&'a [TermId]),
    /// If-then-else of either sort.
    Ite(TermId, TermId, TermId),
    /// Equality of integers, or equivalence of booleans.
    Eq(TermId, TermId),
    /// Less than or equal, over integers.
    Le(TermId, TermId),
    /// Sum of at least two terms.
    Add(&'a [TermId]),
    /// Product with a constant.
    MulConst(i128, TermId),
    /// Remainder of the division by a positive constant; never negative.
    Mod(TermId, i128),
    /// Quotient of the division by a positive constant, rounded down.
    Div(TermId, i128),
    /// Application of an uninterpreted function.
    App(FuncId, &'a [TermId]),
}

/// An uninterpreted function's declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Func {
    /// Unique among the functions of the arena.
    pub name: Arc<str>,
    /// Number of arguments; all are integers.
    pub arity: usize,
    /// The sort of the result.
    pub ret: Sort,
    /// A fact about every application that occurs in a query; only for integers.
    pub range: Option<Range>,
}

/// A run of children in [`Terms::lists`].
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct List {
    start: u32,
    len: u32,
}

/// What is stored per term. Constants are indices into [`Terms::ints`].
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Node {
    True,
    False,
    Int(u32),
    Var(VarId),
    Not(TermId),
    And(List),
    Ite(TermId, TermId, TermId),
    Eq(TermId, TermId),
    Le(TermId, TermId),
    Add(List),
    MulConst(u32, TermId),
    Mod(TermId, u32),
    Div(TermId, u32),
    App(FuncId, List),
}

/// Marks "negation not built yet" in [`Terms::negations`].
const NO_TERM: TermId = TermId(u32::MAX);
/// Entries of [`Terms::kinds`] that are no interval; others are 2 + an index into `intervals`.
const KIND_BOOL: u32 = 0;
const KIND_INT: u32 = 1;

const FALSE: TermId = TermId(0);
const TRUE: TermId = TermId(1);

/// The arena of terms. See the module's header for the canonical forms.
#[derive(Clone, Debug)]
pub struct Terms {
    nodes: Vec<Node>,
    /// Per term: its sort and, if finite, its interval.
    kinds: Vec<u32>,
    /// Per term: its negation, once built.
    negations: Vec<TermId>,
    lists: Vec<TermId>,
    ints: Vec<i128>,
    int_ids: FxHashMap<i128, u32>,
    intervals: Vec<Range>,
    interval_ids: FxHashMap<Range, u32>,
    table: HashTable<TermId>,
    var_names: Vec<VarName>,
    var_terms: Vec<TermId>,
    shared_vars: FxHashMap<Arc<str>, VarId>,
    /// What variables stand for.
    hints: FxHashSet<Arc<str>>,
    funcs: Vec<Func>,
    func_names: FxHashMap<Arc<str>, FuncId>,
    /// Buffers for the constructors, so that building a term allocates nothing.
    spare_lists: Vec<Vec<TermId>>,
    spare_sums: Vec<linear::Sum>,
}

impl Default for Terms {
    fn default() -> Self {
        Self::new()
    }
}

/// The arena: creation and lookup.
impl Terms {
    /// An arena that holds only `true` and `false`.
    pub fn new() -> Self {
        let mut terms = Terms {
            nodes: Vec::new(),
            kinds: Vec::new(),
            negations: Vec::new(),
            lists: Vec::new(),
            ints: Vec::new(),
            int_ids: FxHashMap::default(),
            intervals: Vec::new(),
            interval_ids: FxHashMap::default(),
            table: HashTable::new(),
            var_names: Vec::new(),
            var_terms: Vec::new(),
            shared_vars: FxHashMap::default(),
            hints: FxHashSet::default(),
            funcs: Vec::new(),
            func_names: FxHashMap::default(),
            spare_lists: Vec::new(),
            spare_sums: Vec::new(),
        };
        terms.intern(Node::False, KIND_BOOL);
        terms.intern(Node::True, KIND_BOOL);
        terms.negations[FALSE.index()] = TRUE;
        terms.negations[TRUE.index()] = FALSE;
        terms
    }

    /// How many terms the arena holds; every id's index is below this.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: `true` and `false` are always there.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All terms; children come before their parents.
    pub fn all(&self) -> impl Iterator<Item = TermId> + use<> {
        (0..self.nodes.len() as u32).map(TermId)
    }

    /// One level of `t`. (Always inlined: nearly all that is done with terms begins with it.)
    #[inline(always)]
    pub fn get(&self, t: TermId) -> Term<'_> {
        match self.nodes[t.index()] {
            Node::True => Term::True,
            Node::False => Term::False,
            Node::Int(k) => Term::Int(self.ints[k as usize]),
            Node::Var(v) => Term::Var(v),
            Node::Not(a) => Term::Not(a),
            Node::And(list) => Term::And(self.list(list)),
            Node::Ite(c, a, b) => Term::Ite(c, a, b),
            Node::Eq(a, b) => Term::Eq(a, b),
            Node::Le(a, b) => Term::Le(a, b),
            Node::Add(list) => Term::Add(self.list(list)),
            Node::MulConst(k, a) => Term::MulConst(self.ints[k as usize], a),
            Node::Mod(a, k) => Term::Mod(a, self.ints[k as usize]),
            Node::Div(a, k) => Term::Div(a, self.ints[k as usize]),
            Node::App(f, list) => Term::App(f, self.list(list)),
        }
    }

    /// The direct subterms of `t`, in order.
    #[inline]
    pub fn children(&self, t: TermId) -> Children<'_> {
        match self.get(t) {
            Term::True | Term::False | Term::Int(_) | Term::Var(_) => Children::inline([TRUE; 3], 0),
            Term::Not(a) | Term::MulConst(_, a) | Term::Mod(a, _) | Term::Div(a, _) => {
                Children::inline([a, a, a], 1)
            }
            Term::Eq(a, b) | Term::Le(a, b) => Children::inline([a, b, b], 2),
            Term::Ite(c, a, b) => Children::inline([c, a, b], 3),
            Term::And(list) | Term::Add(list) | Term::App(_, list) => Children::slice(list),
        }
    }

    /// The sort of `t`.
    #[inline]
    pub fn sort(&self, t: TermId) -> Sort {
        if self.kinds[t.index()] == KIND_BOOL { Sort::Bool } else { Sort::Int }
    }

    /// The value of `t` if it is an integer constant.
    #[inline]
    pub fn as_int(&self, t: TermId) -> Option<i128> {
        match self.nodes[t.index()] {
            Node::Int(k) => Some(self.ints[k as usize]),
            _ => None,
        }
    }

    /// The value of `t` if it is `true` or `false`.
    #[inline]
    pub fn as_bool(&self, t: TermId) -> Option<bool> {
        match t {
            TRUE => Some(true),
            FALSE => Some(false),
            _ => None,
        }
    }

    /// A finite interval that holds every value of the integer term `t`, given the ranges of
    /// variables and functions; `None` if none is known, and for booleans.
    pub fn bounds(&self, t: TermId) -> Option<Range> {
        let index = self.kinds[t.index()].checked_sub(2)?;
        Some(self.intervals[index as usize])
    }

    /// `t` as a base plus a constant; without a base, `t` is that constant.
    pub fn split_offset(&self, t: TermId) -> (Option<TermId>, i128) {
        match self.get(t) {
            Term::Int(k) => (None, k),
            Term::Add(list) => match self.as_int(list[list.len() - 1]) {
                // Not found only where an overflow kept the canonical form from being built.
                Some(k) => match self.find_sum(&list[..list.len() - 1]) {
                    Some(base) => (Some(base), k),
                    None => (Some(t), 0),
                },
                None => (Some(t), 0),
            },
            _ => (Some(t), 0),
        }
    }

    /// The declaration of a function.
    pub fn func_info(&self, f: FuncId) -> &Func {
        &self.funcs[f.index()]
    }

    /// All functions, in the order of their creation.
    pub fn funcs(&self) -> impl Iterator<Item = (FuncId, &Func)> {
        (0..).map(FuncId).zip(&self.funcs)
    }

    /// The function of that name.
    pub fn find_func(&self, name: &str) -> Option<FuncId> {
        self.func_names.get(name).copied()
    }

    #[inline]
    fn list(&self, list: List) -> &[TermId] {
        &self.lists[list.start as usize..(list.start + list.len) as usize]
    }
}

/// Leaves and applications.
impl Terms {
    /// The true proposition.
    #[inline]
    pub fn tru(&self) -> TermId {
        TRUE
    }

    /// The false proposition.
    #[inline]
    pub fn fals(&self) -> TermId {
        FALSE
    }

    /// `true` or `false`.
    pub fn bool(&self, value: bool) -> TermId {
        if value { TRUE } else { FALSE }
    }

    /// An integer constant.
    pub fn int(&mut self, value: i128) -> TermId {
        let node = Node::Int(self.int_id(value));
        let kind = self.interval_kind(Some((value, value)));
        self.intern(node, kind)
    }

    /// The uninterpreted function of that name, declared at first use. The `range` is a fact about
    /// each of its applications that occurs in a query.
    ///
    /// # Panics
    /// If the name was used before with another signature or range.
    pub fn func(&mut self, name: &str, arity: usize, ret: Sort, range: Option<Range>) -> FuncId {
        if let Some(&f) = self.func_names.get(name) {
            let func = &self.funcs[f.index()];
            assert!(
                func.arity == arity && func.ret == ret && func.range == range,
                "function {name} was declared as {func:?}, now as {arity} {ret:?} {range:?}"
            );
            return f;
        }
        let f = FuncId(u32::try_from(self.funcs.len()).expect("fewer than 2^32 functions"));
        let name: Arc<str> = Arc::from(name);
        self.funcs.push(Func { name: name.clone(), arity, ret, range });
        self.func_names.insert(name, f);
        f
    }

    /// The application of `f` to integer terms.
    ///
    /// # Panics
    /// If the number of arguments is not the arity of `f`.
    pub fn app(&mut self, f: FuncId, args: &[TermId]) -> TermId {
        let func = &self.funcs[f.index()];
        assert_eq!(func.arity, args.len(), "wrong number of arguments for {}", func.name);
        debug_assert!(args.iter().all(|&a| self.sort(a) == Sort::Int));
        let (ret, range) = (func.ret, func.range);
        let kind = self.declared_kind(ret, range);
        self.intern_list(ListNode::App(f), args, kind)
    }

    fn declared_kind(&mut self, sort: Sort, range: Option<Range>) -> u32 {
        match sort {
            Sort::Bool => KIND_BOOL,
            Sort::Int => self.interval_kind(range),
        }
    }
}

/// Traversal.
impl Terms {
    /// The terms reachable from `roots`, without those that `skip` rejects and what only they
    /// reach, in increasing order of ids: children come before their parents.
    pub fn reachable(&self, roots: &[TermId], mut skip: impl FnMut(TermId) -> bool) -> Vec<TermId> {
        let mut seen = FxHashSet::default();
        let mut found = Vec::new();
        let mut stack = roots.to_vec();
        while let Some(t) = stack.pop() {
            if !skip(t) && seen.insert(t) {
                found.push(t);
                stack.extend_from_slice(&self.children(t));
            }
        }
        found.sort_unstable();
        found
    }
}

/// Interning.
impl Terms {
    fn int_id(&mut self, value: i128) -> u32 {
        *self.int_ids.entry(value).or_insert_with(|| {
            self.ints.push(value);
            (self.ints.len() - 1) as u32
        })
    }

    fn interval_kind(&mut self, range: Option<Range>) -> u32 {
        let Some(range) = range else { return KIND_INT };
        2 + *self.interval_ids.entry(range).or_insert_with(|| {
            self.intervals.push(range);
            (self.intervals.len() - 1) as u32
        })
    }

    fn intern(&mut self, node: Node, kind: u32) -> TermId {
        let hash = hash_node(node);
        let nodes = &self.nodes;
        if let Some(&t) = self.table.find(hash, |&t| nodes[t.index()] == node) {
            return t;
        }
        self.push(node, kind, hash)
    }

    fn intern_list(&mut self, which: ListNode, items: &[TermId], kind: u32) -> TermId {
        let hash = hash_list(which, items);
        if let Some(t) = self.find_list(hash, which, items) {
            return t;
        }
        let start = u32::try_from(self.lists.len()).expect("fewer than 2^32 children");
        self.lists.extend_from_slice(items);
        let list = List { start, len: items.len() as u32 };
        self.push(which.node(list), kind, hash)
    }

    fn find_list(&self, hash: u64, which: ListNode, items: &[TermId]) -> Option<TermId> {
        self.table
            .find(hash, |&t| match (self.nodes[t.index()], which) {
                (Node::And(list), ListNode::And) | (Node::Add(list), ListNode::Add) => {
                    self.list(list) == items
                }
                (Node::App(f, list), ListNode::App(g)) => f == g && self.list(list) == items,
                _ => false,
            })
            .copied()
    }

    /// Gives back the memory that was set aside for more terms.
    pub fn shrink_to_fit(&mut self) {
        self.nodes.shrink_to_fit();
        self.kinds.shrink_to_fit();
        self.negations.shrink_to_fit();
        self.lists.shrink_to_fit();
        self.var_names.shrink_to_fit();
        self.var_terms.shrink_to_fit();
        let (nodes, lists) = (&self.nodes, &self.lists);
        self.table.shrink_to_fit(|&t| hash_stored(nodes, lists, t));
        self.spare_lists = Vec::new();
        self.spare_sums = Vec::new();
    }

    fn push(&mut self, node: Node, kind: u32, hash: u64) -> TermId {
        let t = TermId(u32::try_from(self.nodes.len()).expect("fewer than 2^32 terms"));
        self.nodes.push(node);
        self.kinds.push(kind);
        self.negations.push(NO_TERM);
        let (nodes, lists) = (&self.nodes, &self.lists);
        self.table.insert_unique(hash, t, |&t| hash_stored(nodes, lists, t));
        t
    }
}

/// The nodes with a list of children.
#[derive(Copy, Clone)]
enum ListNode {
    And,
    Add,
    App(FuncId),
}

impl ListNode {
    fn node(self, list: List) -> Node {
        match self {
            ListNode::And => Node::And(list),
            ListNode::Add => Node::Add(list),
            ListNode::App(f) => Node::App(f, list),
        }
    }
}

fn hash_list(which: ListNode, items: &[TermId]) -> u64 {
    let mut hasher = FxHasher::default();
    match which {
        ListNode::And => hasher.write_u32(u32::MAX),
        ListNode::Add => hasher.write_u32(u32::MAX - 1),
        ListNode::App(f) => hasher.write_u32(f.0),
    }
    for item in items {
        hasher.write_u32(item.0);
    }
    hasher.finish()
}

fn hash_node(node: Node) -> u64 {
    let (tag, a, b, c) = match node {
        Node::True => (0, 0, 0, 0),
        Node::False => (1, 0, 0, 0),
        Node::Int(k) => (2, k, 0, 0),
        Node::Var(v) => (3, v.0, 0, 0),
        Node::Not(a) => (4, a.0, 0, 0),
        Node::Ite(c, a, b) => (5, c.0, a.0, b.0),
        Node::Eq(a, b) => (6, a.0, b.0, 0),
        Node::Le(a, b) => (7, a.0, b.0, 0),
        Node::MulConst(k, a) => (8, k, a.0, 0),
        Node::Mod(a, k) => (9, a.0, k, 0),
        Node::Div(a, k) => (10, a.0, k, 0),
        Node::And(_) | Node::Add(_) | Node::App(..) => unreachable!("lists are hashed by their items"),
    };
    let mut hasher = FxHasher::default();
    (u64::from(a) << 32 | u64::from(b)).hash(&mut hasher);
    (u64::from(c) << 32 | tag).hash(&mut hasher);
    hasher.finish()
}

fn hash_stored(nodes: &[Node], lists: &[TermId], t: TermId) -> u64 {
    let items = |list: List| &lists[list.start as usize..(list.start + list.len) as usize];
    match nodes[t.index()] {
        Node::And(list) => hash_list(ListNode::And, items(list)),
        Node::Add(list) => hash_list(ListNode::Add, items(list)),
        Node::App(f, list) => hash_list(ListNode::App(f), items(list)),
        node => hash_node(node),
    }
}

/// The direct subterms of a term. See [`Terms::children`].
#[derive(Copy, Clone, Debug)]
pub struct Children<'a> {
    inline: [TermId; 3],
    len: usize,
    slice: &'a [TermId],
}

impl<'a> Children<'a> {
    #[inline]
    fn inline(inline: [TermId; 3], len: usize) -> Self {
        Children { inline, len, slice: &[] }
    }

    #[inline]
    fn slice(slice: &'a [TermId]) -> Self {
        Children { inline: [TRUE; 3], len: 0, slice }
    }

    /// The subterms as a slice.
    #[inline]
    pub fn as_slice(&self) -> &[TermId] {
        if self.slice.is_empty() { &self.inline[..self.len] } else { self.slice }
    }
}

impl std::ops::Deref for Children<'_> {
    type Target = [TermId];
    #[inline]
    fn deref(&self) -> &[TermId] {
        self.as_slice()
    }
}
