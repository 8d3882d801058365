//! Whether a thread puts into heads and elements what belongs there.

use super::view::View;
use super::*;
use crate::instrument::thread::LoadVars;

/// A place at which pointers to elements are read.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Cell {
    /// The kind of the head.
    kind: Kind,
    region: RegionId,
    shape: Shape,
    /// Whether it is surely in the head, by its own name.
    in_head: bool,
}

/// What the objects that a thread has made are linked to, each with when, and which of them are linked with each other.
#[derive(Default)]
pub(super) struct Links {
    to: Vec<(usize, TermId, Head)>,
    with: Vec<(usize, usize)>,
}

impl Links {
    /// The kinds of the heads.
    pub(super) fn kinds(&self) -> impl Iterator<Item = Kind> {
        self.to.iter().map(|(_, _, head)| head.kind)
    }

    /// The objects that are linked with this one, itself included.
    fn group(&self, n: usize) -> BTreeSet<usize> {
        let mut group = BTreeSet::from([n]);
        loop {
            let size = group.len();
            for &(a, b) in &self.with {
                if group.contains(&a) || group.contains(&b) {
                    group.extend([a, b]);
                }
            }
            if group.len() == size {
                return group;
            }
        }
    }

    /// What the object and those linked with it are linked to.
    fn heads(&self, n: usize) -> Vec<(TermId, Head)> {
        let group = self.group(n);
        self.to.iter().filter(|(m, ..)| group.contains(m)).map(|&(_, when, head)| (when, head)).collect()
    }
}

impl View<'_> {
    /// The places where this thread reads what leads to elements.
    pub(super) fn cells(&self, broken: &Broken) -> HashSet<Cell> {
        let pointers = self.thread.loads.iter().filter(|load| matches!(load.vars, LoadVars::Ptr(..)));
        let led = pointers.filter_map(|load| match self.read(load, broken) {
            Leads::To(head) => {
                let in_head = matches!(self.place(load.addr, load.shape, broken), Place::Head(_));
                Some(Cell { kind: head.kind, region: load.region, shape: load.shape, in_head })
            }
            _ => None,
        });
        led.collect()
    }

    /// Looks at all that the thread writes.
    pub(super) fn check(&self, cells: &HashSet<Cell>, broken: &mut Broken) -> Links {
        let mut links = Links::default();
        let before = broken.clone();
        for write in writes(self.facts, self.thread) {
            self.check_write(&write, cells, (&before, broken), &mut links);
        }
        let linked: BTreeSet<usize> = links.to.iter().map(|(n, ..)| *n).collect();
        for n in linked {
            let heads = links.heads(n);
            for (i, &(g, a)) in heads.iter().enumerate() {
                for &(h, b) in &heads[..i] {
                    let alive = [a, b].iter().all(|head| !before.heads.contains(&head.kind));
                    if a != b && alive && !self.exclude(g, h) {
                        broken.heads.extend([a.kind, b.kind]);
                    }
                }
            }
        }
        links
    }

    /// Whether two conditions are seen to exclude each other: one has a part of which the other has the opposite.
    fn exclude(&self, a: TermId, b: TermId) -> bool {
        let parts = |t: TermId| match self.thread.terms.get(t) {
            Term::And(list) => list.to_vec(),
            _ => vec![t],
        };
        let (left, right) = (parts(a), parts(b));
        let opposite = |x: TermId, y: TermId| match (self.thread.terms.get(x), self.thread.terms.get(y)) {
            (Term::Not(t), _) if t == y => true,
            (_, Term::Not(t)) => t == x,
            _ => false,
        };
        left.iter().any(|&x| right.iter().any(|&y| opposite(x, y)))
    }

    fn check_write(
        &self,
        write: &Write,
        cells: &HashSet<Cell>,
        (before, broken): (&Broken, &mut Broken),
        links: &mut Links,
    ) {
        let place = self.place(write.addr, write.shape, before);
        let value = match (write.op, write.value) {
            (Op::Free { .. } | Op::MemSet { byte: Operand::Int { value: 0, .. }, .. }, _) => return,
            (Op::Store { .. }, Some(value)) => value,
            _ => return self.breaks(write, place, cells, broken),
        };
        let mut leaves = Vec::new();
        for leaf in self.thread.leaves(value.obj) {
            leaves.push(self.object(leaf, before));
        }
        // A pointer to the head itself, or to one that a new object is going to be linked to.
        let named = self.named(value, before);
        let own =
            |n: usize| matches!(self.thread.terms.get(value.obj), Term::Var(v) if v == self.thread.locals[n]);
        match (place, named) {
            (Place::Head(head) | Place::In(head), Some(other)) if head == other => return,
            (Place::Own(n), _) if own(n) => return,
            (Place::Own(n), Some(head)) => {
                links.to.push((n, write.guard, head));
                return;
            }
            _ => {}
        }
        if let Place::Head(head) = place
            && before.heads.contains(&head.kind)
            && leaves.iter().any(|&leads| leads != Leads::Nowhere)
        {
            return self.breaks(write, place, cells, broken);
        }
        for leads in leaves {
            match (place, leads) {
                (_, Leads::Nowhere) => {}
                (Place::Head(head) | Place::In(head), Leads::To(other)) if head == other => {}
                (Place::Head(head) | Place::In(head), Leads::Own(n)) | (Place::Own(n), Leads::To(head)) => {
                    links.to.push((n, write.guard, head));
                }
                (Place::Own(n), Leads::Own(m)) => links.with.push((n, m)),
                _ => return self.breaks(write, place, cells, broken),
            }
        }
    }

    /// The head that an address is, if the thread reads or writes it.
    fn named(&self, value: Addr, broken: &Broken) -> Option<Head> {
        let (base, more) = self.thread.terms.split_offset(value.off);
        let head = *self.heads.get(&(value.obj, base, more))?;
        (!broken.heads.contains(&head.kind)).then_some(head)
    }

    /// A write that puts something else, nobody knows what, or nobody knows where.
    fn breaks(&self, write: &Write, place: Place, cells: &HashSet<Cell>, broken: &mut Broken) {
        let (module, layout) = (self.facts.module, self.facts.layout);

        // A pointer to elements may lead to the head, but to no variable that is a pointer itself.
        let in_element = matches!(place, Place::In(_) | Place::Own(_));
        let is_apart = |cell: &Cell| in_element && cell.in_head && !matches!(cell.shape, Shape::In { .. });
        let hit = |of: &dyn Fn(Kind) -> bool| {
            let hit = cells.iter().filter(|cell| {
                let here = of(cell.kind) && cell.region == write.region && !is_apart(cell);
                here && self.may_touch(write, cell.shape)
            });
            hit.map(|cell| cell.kind).collect::<BTreeSet<Kind>>()
        };
        let member = fields::of_shape(module, layout, write.shape).filter(|f| is_private(module, f.strukt));
        let is_pointer = matches!(write.op, Op::Store { .. }) && write.value.is_some();
        match (place, member.filter(|_| is_pointer)) {
            (Place::In(head), Some(member)) => {
                broken.members.insert(member);
                // What leads to an element may lead to the head, if that is one of its kind.
                broken.heads.extend(hit(&|kind| kind.may_be(head.kind)));
            }
            (Place::Own(_), Some(member)) => _ = broken.members.insert(member),
            (Place::Head(head) | Place::In(head), _) => {
                let known = matches!(place, Place::Head(_)) && is_pointer;
                broken.heads.extend(known.then_some(head.kind));
                broken.heads.extend(hit(&|kind| kind.may_be(head.kind)));
            }
            (Place::Own(n), None) => {
                if is_pointer || !hit(&|_| true).is_empty() {
                    broken.own.insert((self.number, n));
                }
            }
            (Place::Unknown, _) => broken.heads.extend(hit(&|_| true)),
        }
    }

    /// Whether a write may change what is read and written as a pointer of that shape.
    fn may_touch(&self, write: &Write, shape: Shape) -> bool {
        let Facts { module, layout, exposed, points_to, .. } = *self.facts;
        let external = write.region == points_to.external();
        // Who writes a number through a pointer to numbers; a copy may bring pointers along.
        let number = write.shape.is_raw() && write.value.is_none() && !matches!(write.op, Op::MemCopy { .. });
        layout.may_overlap(external, write.shape, shape)
            && !(number && exposed.is_hidden(module, layout, shape))
    }

    /// Per site: of which head its object is an element.
    pub(super) fn reached(
        &self,
        links: &Links,
        kinds: &BTreeSet<Kind>,
        broken: &Broken,
    ) -> Vec<Vec<Reached>> {
        let of_site = |site: &Site| match self.place(site.addr, site.shape, broken) {
            Place::Head(head) | Place::In(head) => {
                let exact = matches!(site.shape, Shape::In { .. } | Shape::Scalar(_));
                vec![Reached { head, when: None, exact }]
            }
            Place::Own(n) => links
                .heads(n)
                .into_iter()
                .map(|(when, head)| Reached { head, when: Some(when), exact: true })
                .collect(),
            Place::Unknown => Vec::new(),
        };
        let alive = |r: &Reached| kinds.contains(&r.head.kind) && !broken.heads.contains(&r.head.kind);
        let sites = self.thread.sites.iter();
        sites.map(|site| of_site(site).into_iter().filter(alive).collect()).collect()
    }
}
