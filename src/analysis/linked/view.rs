//! What the variables of a thread lead to, and which places they name.

use super::*;
use crate::instrument::thread::{LoadVars, SharedLoad};
use crate::instrument::values;

/// A thread with what its variables lead to.
pub(super) struct View<'a> {
    pub(super) facts: &'a Facts<'a>,
    pub(super) number: usize,
    pub(super) thread: &'a Thread,
    own: HashMap<VarId, usize>,
    /// Which of its objects are elements.
    is_element: HashSet<usize>,
    /// Structs that have nothing to do with elements.
    apart: &'a HashSet<TypeId>,
    loads: HashMap<VarId, &'a SharedLoad>,
    carried: HashMap<VarId, (TermId, &'a [TermId])>,
    /// What is known of variables.
    known: HashMap<VarId, Leads>,
    /// The heads that it reads or writes, by their places.
    pub(super) heads: HashMap<(TermId, Option<TermId>, i128), Head>,
}

impl<'a> View<'a> {
    pub(super) fn new(
        facts: &'a Facts,
        (elements, apart): (&'a HashSet<TypeId>, &'a HashSet<TypeId>),
        (number, thread): (usize, &'a Thread),
    ) -> View<'a> {
        let own = locals(thread);
        let types = types_of_own(facts, thread, &own);
        let related = |ty: &TypeId| elements.iter().any(|e| facts.layout.related(*ty, *e));
        let is_element = types.iter().filter(|(_, list)| list.iter().any(related)).map(|(n, _)| *n).collect();
        let pointers = thread.loads.iter().filter_map(|load| match load.vars {
            LoadVars::Ptr(obj, _) => Some((obj, load)),
            LoadVars::Int(..) => None,
        });
        let loads = pointers.collect();
        let carried = thread.carried.iter().map(|c| (c.var, (c.first, c.again.as_slice()))).collect();
        View {
            facts,
            number,
            thread,
            own,
            is_element,
            apart,
            loads,
            carried,
            known: HashMap::new(),
            heads: HashMap::new(),
        }
    }

    /// Finds out what the variables lead to: what loops carry, is what they began with until something else comes back.
    pub(super) fn follow(&mut self, broken: &Broken) {
        let mut refuted: HashSet<VarId> = HashSet::new();
        loop {
            self.known.clear();
            // In the order in which they were made: what one depends on was mostly looked at before.
            let loads = self.thread.loads.iter().filter_map(|load| match load.vars {
                LoadVars::Ptr(obj, _) => Some(obj),
                LoadVars::Int(..) => None,
            });
            for v in loads.chain(self.thread.carried.iter().map(|c| c.var)) {
                self.variable(v, broken, &refuted, &mut Vec::new());
            }
            let carried = self.carried.iter().filter(|(v, _)| !refuted.contains(v));
            let wrong = carried.filter(|(v, (_, again))| {
                let here = self.known[v];
                let same = |&t: &TermId| matches!(self.object(t, broken), there if there == here || there == Leads::Nowhere);
                matches!(here, Leads::To(_)) && !again.iter().all(same)
            });
            let wrong: Vec<VarId> = wrong.map(|(v, _)| *v).collect();
            if wrong.is_empty() {
                break;
            }
            refuted.extend(wrong);
        }
        let loads = self.thread.loads.iter().map(|l| (l.addr, l.shape));
        let stores = writes(self.facts, self.thread).map(|w| (w.addr, w.shape));
        let heads = loads.chain(stores).filter_map(|(addr, shape)| match self.place(addr, shape, broken) {
            Place::Head(head) => Some(((head.obj, head.base, head.more), head)),
            _ => None,
        });
        self.heads = heads.collect();
    }

    /// Fills in what a variable leads to, and before that, what that depends on.
    fn variable(&mut self, v: VarId, broken: &Broken, refuted: &HashSet<VarId>, active: &mut Vec<VarId>) {
        if self.known.contains_key(&v) || active.contains(&v) {
            return;
        }
        active.push(v);
        let depends = match (self.loads.get(&v), self.carried.get(&v)) {
            (Some(load), _) => self.thread.leaves(load.addr.obj),
            (None, Some((first, _))) => self.thread.leaves(*first),
            (None, None) => Vec::new(),
        };
        for leaf in depends {
            if let Term::Var(w) = self.thread.terms.get(leaf)
                && (self.loads.contains_key(&w) || self.carried.contains_key(&w))
            {
                self.variable(w, broken, refuted, active);
            }
        }
        active.pop();
        let leads = match (self.loads.get(&v), self.carried.get(&v)) {
            (Some(load), _) => self.read(load, broken),
            (None, Some(_)) if refuted.contains(&v) => Leads::Unknown,
            // Only what was there before the loop has a name that means the same in each iteration.
            (None, Some((first, _))) => match self.object(*first, broken) {
                Leads::To(head) => Leads::To(head),
                _ => Leads::Unknown,
            },
            (None, None) => Leads::Unknown,
        };
        self.known.insert(v, leads);
    }

    /// What a pointer leads to that was read from memory.
    pub(super) fn read(&self, load: &SharedLoad, broken: &Broken) -> Leads {
        let member = fields::of_shape(self.facts.module, self.facts.layout, load.shape);
        let links = || member.is_some_and(|f| !broken.members.contains(&f));
        match self.place(load.addr, load.shape, broken) {
            Place::Head(head) if !broken.heads.contains(&head.kind) => Leads::To(head),
            Place::In(head) if links() && !broken.heads.contains(&head.kind) => Leads::To(head),
            _ => Leads::Unknown,
        }
    }

    /// What a pointer leads to, by the term of its object.
    pub(super) fn object(&self, obj: TermId, broken: &Broken) -> Leads {
        let mut found = Leads::Nowhere;
        for leaf in self.thread.leaves(obj) {
            let leads = match self.thread.terms.get(leaf) {
                Term::Var(v) => match self.own.get(&v) {
                    Some(&n) if self.is_usable(n, broken) => Leads::Own(n),
                    Some(_) => Leads::Unknown,
                    None => self.known.get(&v).copied().unwrap_or(Leads::Unknown),
                },
                // Nobody follows a pointer that is a number (`LIST_POISON1`).
                Term::App(f, args) if self.is_constant_number(f, args) => Leads::Nowhere,
                _ => Leads::Unknown,
            };
            if leads == Leads::Nowhere {
                continue;
            }
            if found != Leads::Nowhere && found != leads {
                return Leads::Unknown;
            }
            found = leads;
        }
        found
    }

    fn is_constant_number(&self, f: lockpair_smt::FuncId, args: &[TermId]) -> bool {
        let terms = &self.thread.terms;
        let constant = args.iter().all(|&t| terms.as_int(t).is_some());
        constant && &*terms.func_info(f).name == values::OBJECT_OF_NUMBER
    }

    fn is_usable(&self, n: usize, broken: &Broken) -> bool {
        let whole = !self.thread.on_stack[n] && self.thread.repeated[n].is_empty();
        whole && self.is_element.contains(&n) && !broken.own.contains(&(self.number, n))
    }

    pub(super) fn place(&self, addr: Addr, shape: Shape, broken: &Broken) -> Place {
        // A pointer to a head may be one to the struct around it, too.
        let around = match shape {
            Shape::In { strukt, .. } | Shape::Whole(strukt) => self.is_apart(strukt),
            Shape::Scalar(_) | Shape::Wild | Shape::Outside => false,
        };
        match self.object(addr.obj, broken) {
            Leads::To(head) if !around => Place::In(head),
            Leads::Own(n) => Place::Own(n),
            Leads::To(_) | Leads::Nowhere | Leads::Unknown => {
                self.head(addr, shape).map_or(Place::Unknown, Place::Head)
            }
        }
    }

    /// Whether no object of the type has to do with elements.
    fn is_apart(&self, strukt: TypeId) -> bool {
        self.apart.contains(&strukt)
    }

    /// The member that the bytes are, if they are a pointer as a whole: only then is a place always named in one way.
    fn pointer_member(&self, shape: Shape) -> Option<FieldId> {
        let Shape::In { lo, hi, .. } = shape else { return None };
        let field = fields::of_shape(self.facts.module, self.facts.layout, shape)?;
        fields::pointee(self.facts.module, field)?;
        (hi - lo == POINTER && lo % POINTER == 0).then_some(field)
    }

    /// The head that a place is, if it can be no place in an element.
    fn head(&self, addr: Addr, shape: Shape) -> Option<Head> {
        let module = self.facts.module;
        let leaves = self.thread.leaves(addr.obj);
        let &[leaf] = leaves.as_slice() else { return None };
        if self.thread.terms.as_int(addr.obj) == Some(0) || leaf != addr.obj {
            return None;
        }
        let (base, more) = self.thread.terms.split_offset(addr.off);
        if let Some(g) = self.thread.global(self.facts.module, leaf) {
            let ty = module.element(module.globals[g].ty?);
            let kind = Kind::Global(g);
            return match (module.as_struct(ty), shape) {
                (None, Shape::Scalar(POINTER)) => module.pointee(ty).map(|_| Head {
                    obj: leaf,
                    base,
                    more,
                    size: POINTER,
                    within: None,
                    kind,
                }),
                (Some(_), Shape::In { strukt, lo, .. }) if strukt == ty => {
                    self.pointer_member(shape)?;
                    let (start, size) = extent(self.facts, ty, lo)?;
                    let back = i128::from(lo) - i128::from(start);
                    let within = Some((ty, start));
                    Some(Head { obj: leaf, base, more: more - back, size, within, kind })
                }
                _ => None,
            };
        }
        // An object of a struct of which none is an element.
        let (Shape::In { strukt, lo, .. }, Term::Var(v)) = (shape, self.thread.terms.get(leaf)) else {
            return None;
        };
        let stack = self.own.get(&v).is_some_and(|&n| self.thread.on_stack[n]);
        if stack || !self.is_apart(strukt) || !is_private(module, strukt) {
            return None;
        }
        let field = self.pointer_member(shape)?;
        let (start, size) = extent(self.facts, strukt, lo)?;
        let kind = Kind::of_member(module, field);
        let within = Some((strukt, start));
        Some(Head { obj: leaf, base, more: more - i128::from(lo - start), size, within, kind })
    }
}
