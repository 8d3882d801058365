//! What the object may be that a free ends.
//!
//! Objects are freed through pointers that say little: `kfree(void *)`, a buffer of characters, a struct with the driver's
//! own behind it. What can lie in the object follows from the ways that its pointer goes: what pointers are declared to
//! point to that come from where this one comes from, with what the module finds behind these by going on from their
//! addresses; if there are none, it is data alone (assumption `type-split`).
//!
//! Where a way begins in code outside, or where nobody knows, the object may be anything. What gets to memory of which
//! nothing is declared, or to code outside, is not taken for what leaves there.

use super::exposed::Exposed;
use super::layout::{Layout, Shape};
use super::ways::{Place, Ways};
use crate::fault::{Fault, seeded};
use fixedbitset::FixedBitSet;
use lockpair_ir::*;
use petgraph::Direction;
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;
use std::collections::{BTreeSet, HashMap};

/// The structs that an object may begin with, or have somewhere behind; none: it is data.
pub type Kinds = BTreeSet<TypeId>;

/// What frees may end.
#[derive(Default)]
pub struct Ended {
    /// Per free: what its pointer is taken for, if nothing is known of it where it happens; none: it may be anything.
    untyped: HashMap<(FuncId, InstId), Option<Kinds>>,
    /// Per struct: what may lie behind it in an allocation.
    behind: HashMap<TypeId, Kinds>,
    /// What may lie behind any struct.
    behind_all: Kinds,
}

impl Ended {
    /// All frees of the module.
    pub fn new(layout: &Layout, ways: &Ways, exposed: &Exposed) -> Ended {
        let (near, far) = (Taken::new(ways, Reach::Near), Taken::new(ways, Reach::Far));
        let converted = ways.module.types.keys().filter(|&ty| exposed.is_converted(ty));
        let converted: Kinds = converted.filter(|&ty| ways.module.as_struct(ty).is_some()).collect();
        let mut ended = Ended::default();
        for &(from, to, by) in &ways.steps {
            ended.step(layout, near.around(from), &far.onward(to), by);
        }
        for &(from, to) in &ways.member_steps {
            // An array of numbers may be storage for structs.
            ended.step(layout, near.around(from), &far.onward(to), None);
        }
        for (func, body) in ways.module.funcs.iter() {
            for (inst, op) in body.insts.iter().map(|(id, inst)| (id, &inst.op)) {
                if let Op::Free { ptr } = op {
                    let kinds =
                        Ways::place(func, *ptr).and_then(|place| untyped(&near, &far, &converted, place));
                    ended.untyped.insert((func, inst), kinds);
                }
            }
        }
        ended
    }

    /// The module steps from pointers that are taken for some structs to one that is taken for others.
    fn step(&mut self, layout: &Layout, from: Around, to: &Kinds, by: Option<i64>) {
        if from.kinds.is_empty() && from.from_anything {
            self.behind_all.extend(to);
        }
        let back = by.is_some_and(|k| k < 0);
        for base in from.kinds {
            for &found in to.iter().filter(|&&ty| ty != base) {
                // The struct around a member, or the member of a struct: what these have is told by their types.
                if back && layout.contains(found, base) || layout.contains(base, found) {
                    continue;
                }
                // What lies in front of something has that behind it.
                self.behind.entry(base).or_default().insert(found);
                if back {
                    self.behind.entry(found).or_default().insert(base);
                }
            }
        }
    }

    /// What a free may end, whose access has the shape; none: anything.
    pub fn kinds(&self, layout: &Layout, free: (FuncId, InstId), shape: Shape) -> Option<Kinds> {
        let declared = match shape {
            Shape::Whole(strukt) | Shape::In { strukt, .. } => Some(strukt),
            Shape::Scalar(_) | Shape::Wild => None,
        };
        if seeded(Fault::EndedAsDeclared) {
            return Some(declared.into_iter().collect());
        }
        let mut kinds = match declared {
            Some(strukt) => Kinds::from([strukt]),
            None => outermost(self.untyped.get(&free)?.as_ref()?, layout),
        };
        self.complete(layout, &mut kinds);
        Some(kinds)
    }

    /// Whether an allocation that is known to have the one struct may have the other, too, in it or behind it.
    pub fn may_have_both(&self, layout: &Layout, one: TypeId, other: TypeId) -> bool {
        let mut kinds = Kinds::from([one]);
        self.complete(layout, &mut kinds);
        self.may_hold(layout, &kinds, other)
    }

    /// With all that may lie in an allocation that begins with these.
    fn complete(&self, layout: &Layout, kinds: &mut Kinds) {
        // Who has the address of the first part has that of the object.
        let around: Vec<TypeId> = kinds.iter().flat_map(|&ty| layout.beginning_with(ty)).collect();
        kinds.extend(around);
        let mut work: Vec<TypeId> = kinds.iter().copied().collect();
        while let Some(ty) = work.pop() {
            let behind = self.behind.get(&ty).into_iter().flatten().chain(&self.behind_all);
            work.extend(behind.copied().filter(|&ty| kinds.insert(ty)));
        }
    }

    /// Whether a struct of the type may lie in an object of these kinds.
    pub fn may_hold(&self, layout: &Layout, kinds: &Kinds, strukt: TypeId) -> bool {
        let holds = |&outer: &TypeId| outer == strukt || layout.contains(outer, strukt);
        // Code outside may have made room for a struct of the module's own behind one of the kernel's.
        let has_room = |&kind: &TypeId| !layout.is_private(kind) && !layout.is_alone(Shape::Whole(kind));
        let is_own = || layout.is_private(strukt) || layout.private_around(strukt).next().is_some();
        kinds.iter().any(holds) || kinds.iter().any(has_room) && is_own()
    }

    /// Whether objects of these kinds may be one.
    pub fn may_be_one(&self, layout: &Layout, a: &Kinds, b: &Kinds) -> bool {
        let some = |a: &Kinds, b: &Kinds| a.iter().any(|&kind| self.may_hold(layout, b, kind));
        a.is_empty() && b.is_empty() || some(a, b) || some(b, a)
    }
}

/// Without those that are parts of others: a pointer to the others is taken for one to its first part, too.
fn outermost(kinds: &Kinds, layout: &Layout) -> Kinds {
    let is_part = |ty: &TypeId| kinds.iter().any(|outer| outer != ty && layout.contains(*outer, *ty));
    kinds.iter().copied().filter(|ty| !is_part(ty)).collect()
}

/// What an untyped pointer at the place may point to; none: anything. What code outside gives as data may be what the
/// module has given as data.
fn untyped(near: &Taken, far: &Taken, converted: &Kinds, place: Place) -> Option<Kinds> {
    let found = near.around(place);
    if found.from_anything {
        return None;
    }
    let mut kinds = if found.to_anything { far.around(place).kinds } else { found.kinds };
    kinds.extend(converted.iter().filter(|_| found.given));
    Some(kinds)
}

/// How far ways are followed.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Reach {
    /// Not through places where code outside puts pointers to anything.
    Near,
    /// Everywhere.
    Far,
}

/// What pointers are taken for where it is first declared. A place that says what its pointers point to is the end of a
/// way, in both directions.
struct Taken<'a, 'm> {
    ways: &'a Ways<'a, 'm>,
    reach: Reach,
    nodes: FxHashMap<Place, NodeIndex>,
    /// What a pointer is taken for from there on.
    onward: Spread,
    /// The same of all pointers that come from where it comes from.
    around: Spread,
    types: Vec<TypeId>,
}

/// The bit that says that a way comes from where anything may be.
const FROM_ANYTHING: usize = 0;
/// The bit that says that a way leads to where anything may be.
const TO_ANYTHING: usize = 1;
/// The bit that says that code outside gives one, as data.
const GIVEN: usize = 2;
/// How many bits are not for types.
const BITS: usize = 3;

/// What pointers are taken for.
struct Around {
    kinds: Kinds,
    /// One comes from where anything may be.
    from_anything: bool,
    /// One goes to where anything may be.
    to_anything: bool,
    /// Code outside gives one, as data.
    given: bool,
}

impl<'a, 'm> Taken<'a, 'm> {
    fn new(ways: &'a Ways<'a, 'm>, reach: Reach) -> Taken<'a, 'm> {
        let mut types: Vec<TypeId> = ways.structs.values().flatten().chain(&ways.kernels).copied().collect();
        types.sort_unstable();
        types.dedup();
        let (nodes, onward, around) = Default::default();
        let mut taken = Taken { ways, reach, nodes, onward, around, types };
        let mut graph = Graph::new();
        for (&from, tos) in &ways.next {
            for &to in tos {
                taken.link(&mut graph, from, to);
            }
        }
        if let Some(memory) = taken.nodes.get(&Place::Memory) {
            let kernels = taken.bits(ways.kernels.iter());
            graph[*memory].onward.union_with(&kernels);
        }
        for (place, &node) in &taken.nodes {
            // Where nothing is seen to come from, and the module makes nothing, nobody knows what there is.
            let begins = !ways.before.contains_key(place) && !ways.made.contains(place);
            if begins {
                graph[node].before.insert(FROM_ANYTHING);
            }
            graph[node].before.set(GIVEN, ways.given.contains(place));
        }
        let apart =
            graph.filter_map(|_, ends| Some(ends.onward.clone()), |_, to_hub| (!to_hub).then_some(()));
        taken.onward = Spread::new(&apart, Direction::Outgoing);
        let onward = |n: NodeIndex| taken.onward.at(n);
        let whole = graph.map(|n, ends| onward(n) | &ends.before, |_, _| ());
        taken.around = Spread::new(&whole, Direction::Incoming);
        taken
    }

    /// Whether ways end at the place.
    fn is_end(&self, place: Place) -> bool {
        self.ways.structs.contains_key(&place) || self.reach == Reach::Near && self.ways.void.contains(&place)
    }

    fn bits<'t>(&self, types: impl Iterator<Item = &'t TypeId>) -> FixedBitSet {
        let mut set = FixedBitSet::with_capacity(BITS + self.types.len());
        set.extend(
            types.map(|ty| BITS + self.types.binary_search(ty).expect("a type that is expected somewhere")),
        );
        set
    }

    /// What pointers are taken for at an end; if that is nothing, the bit.
    fn at_end(&self, place: Place, anything: usize) -> FixedBitSet {
        let mut set = self.bits(self.ways.structs.get(&place).into_iter().flatten());
        set.set(anything, set.is_clear());
        set
    }

    fn node(&mut self, graph: &mut Graph, place: Place) -> NodeIndex {
        let capacity = BITS + self.types.len();
        *self.nodes.entry(place).or_insert_with(|| graph.add_node(Ends::new(capacity)))
    }

    fn link(&mut self, graph: &mut Graph, from: Place, to: Place) {
        match (self.is_end(from), self.is_end(to)) {
            (true, true) => {}
            (true, false) => {
                let (to, kinds) = (self.node(graph, to), self.at_end(from, FROM_ANYTHING));
                graph[to].before.union_with(&kinds);
            }
            (false, true) if is_hub(to) => {}
            (false, true) => {
                let (from, kinds) = (self.node(graph, from), self.at_end(to, TO_ANYTHING));
                graph[from].onward.union_with(&kinds);
            }
            (false, false) => {
                let (from, to, to_hub) = (self.node(graph, from), self.node(graph, to), is_hub(to));
                graph.add_edge(from, to, to_hub);
            }
        }
    }

    fn kinds(&self, spread: &Spread, place: Place) -> Around {
        let set = match self.nodes.get(&place) {
            Some(node) => spread.at(*node).clone(),
            None if self.is_end(place) => self.at_end(place, FROM_ANYTHING),
            // Nobody knows.
            None => self.unknown(),
        };
        let kinds = set.ones().filter(|&bit| bit >= BITS).map(|bit| self.types[bit - BITS]).collect();
        let (from_anything, to_anything) = (set.contains(FROM_ANYTHING), set.contains(TO_ANYTHING));
        Around { kinds, from_anything, to_anything, given: set.contains(GIVEN) }
    }

    fn unknown(&self) -> FixedBitSet {
        let mut set = FixedBitSet::with_capacity(BITS);
        set.insert(FROM_ANYTHING);
        set
    }

    /// What a pointer at the place is taken for from there on.
    fn onward(&self, place: Place) -> Kinds {
        self.kinds(&self.onward, place).kinds
    }

    /// What pointers are taken for that come from where one at the place comes from.
    fn around(&self, place: Place) -> Around {
        self.kinds(&self.around, place)
    }
}

/// Where pointers of all kinds meet: what gets there is not taken for what leaves there.
fn is_hub(place: Place) -> bool {
    matches!(place, Place::Memory | Place::Outside)
}

/// An edge says whether it leads to where pointers of all kinds meet.
type Graph = DiGraph<Ends, bool>;

/// What pointers are taken for at the ends of the ways next to a place.
struct Ends {
    onward: FixedBitSet,
    before: FixedBitSet,
}

impl Ends {
    fn new(capacity: usize) -> Ends {
        Ends { onward: FixedBitSet::with_capacity(capacity), before: FixedBitSet::with_capacity(capacity) }
    }
}

/// The union of the sets of all nodes that can be reached, for each node.
#[derive(Default)]
struct Spread {
    /// The circle of edges that a node lies on.
    circle: Vec<usize>,
    sets: Vec<FixedBitSet>,
}

impl Spread {
    fn new(graph: &DiGraph<FixedBitSet, ()>, direction: Direction) -> Spread {
        // A circle comes after all to which its edges lead.
        let circles = tarjan_scc(graph);
        let mut circle = vec![0; graph.node_count()];
        for (n, members) in circles.iter().enumerate() {
            members.iter().for_each(|m| circle[m.index()] = n);
        }
        let mut sets = vec![FixedBitSet::new(); circles.len()];
        let order: Vec<usize> = match direction {
            Direction::Outgoing => (0..circles.len()).collect(),
            Direction::Incoming => (0..circles.len()).rev().collect(),
        };
        for n in order {
            let mut set = FixedBitSet::new();
            for &member in &circles[n] {
                set.union_with(&graph[member]);
                let others = graph.neighbors_directed(member, direction).map(|m| circle[m.index()]);
                others.filter(|&m| m != n).for_each(|m| set.union_with(&sets[m]));
            }
            sets[n] = set;
        }
        Spread { circle, sets }
    }

    fn at(&self, node: NodeIndex) -> &FixedBitSet {
        &self.sets[self.circle[node.index()]]
    }
}
