//! What pointers are taken for along the ways that they go.

use super::ways::{Given, Place, Ways};
use crate::fault::{Fault, seeded};
use fixedbitset::FixedBitSet;
use lockpair_ir::TypeId;
use petgraph::Direction;
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;
use std::collections::{BTreeSet, HashSet};

/// Structs.
pub type Kinds = BTreeSet<TypeId>;

/// How far ways are followed.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Reach {
    /// Not through places where code outside puts pointers to anything.
    Near,
    /// Everywhere.
    Far,
}

/// What pointers are taken for where it is first declared. A place that says what its pointers point to is the end of a
/// way, in both directions.
pub(super) struct Taken<'a, 'm> {
    ways: &'a Ways<'a, 'm>,
    reach: Reach,
    nodes: FxHashMap<Place, NodeIndex>,
    /// What a pointer is taken for from there on.
    onward: Spread,
    /// The same of all pointers that come from where it comes from.
    around: Spread,
    types: Vec<TypeId>,
    /// What is known of places where ways end.
    known: &'a FxHashMap<Place, Kinds>,
}

/// What the module puts where code outside puts pointers to anything, and takes from there. That may come from other such places, so
/// it grows until it does not.
pub(super) fn put_among_others(ways: &Ways) -> FxHashMap<Place, Kinds> {
    let mut known: FxHashMap<Place, Kinds> = FxHashMap::default();
    loop {
        let near = Taken::new(ways, Reach::Near, &known);
        let found = ways.void.iter().map(|&place| {
            let beside = [&ways.before, &ways.next].into_iter().filter_map(|of| of.get(&place)).flatten();
            // What code outside does on its own is not asked; what the module copies from member to member is.
            let is_own = |other: &Place| matches!(other, Place::Member(_)) || !ways.void.contains(other);
            let own = beside.filter(|&other| is_own(other));
            (place, own.flat_map(|&other| near.around(other).kinds).collect())
        });
        let found: FxHashMap<Place, Kinds> = found.collect();
        if found == known {
            return known;
        }
        known = found;
    }
}

/// The bit that says that a way comes from where anything may be.
const FROM_ANYTHING: usize = 0;
/// The bit that says that a way leads to where anything may be.
const TO_ANYTHING: usize = 1;
/// The bit that says that code outside gives one, as characters.
const GIVEN_CHARACTERS: usize = 2;
/// The bit that says that code outside gives one, as other data.
const GIVEN_DATA: usize = 3;
/// The bit that says that a way leads to where pointers of all kinds meet.
const TO_HUB: usize = 4;
/// The bit that says that a pointer is taken for one to data.
const AS_DATA: usize = 5;
/// The bit that says that code outside has made one for the member that it is in.
const GIVEN_APART: usize = 6;
/// How many bits are not for types.
const BITS: usize = 7;

/// What pointers are taken for.
pub(super) struct Around {
    pub(super) kinds: Kinds,
    /// One comes from where anything may be.
    pub(super) from_anything: bool,
    /// One goes to where anything may be.
    pub(super) to_anything: bool,
    /// Code outside gives one, as data.
    pub(super) given: Option<Given>,
    /// One gets to where pointers of all kinds meet, and is not taken for what leaves there.
    pub(super) to_hub: bool,
    /// One is taken for one to data.
    pub(super) as_data: bool,
}

impl<'a, 'm> Taken<'a, 'm> {
    pub(super) fn new(
        ways: &'a Ways<'a, 'm>,
        reach: Reach,
        known: &'a FxHashMap<Place, Kinds>,
    ) -> Taken<'a, 'm> {
        let declared = ways.structs.values().chain(ways.inside.values()).flatten();
        let mut types: Vec<TypeId> = declared.chain(&ways.kernels).copied().collect();
        types.sort_unstable();
        types.dedup();
        let (nodes, onward, around) = Default::default();
        let mut taken = Taken { ways, reach, nodes, onward, around, types, known };
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
            let here = taken.at_node(*place);
            graph[node].before.union_with(&here);
            // What it is used as.
            let used = taken.bits(ways.structs.get(place).into_iter().flatten());
            graph[node].onward.union_with(&used);
            let is_data = ways.data.contains(place) || ways.declared_data.contains(place);
            graph[node].onward.set(AS_DATA, is_data);
        }
        taken.begin_nowhere(&mut graph);
        let apart =
            graph.filter_map(|_, ends| Some(ends.onward.clone()), |_, to_hub| (!to_hub).then_some(()));
        taken.onward = Spread::new(&apart, Direction::Outgoing);
        let onward = |n: NodeIndex| taken.onward.at(n);
        let whole = graph.map(|n, ends| onward(n) | &ends.before, |_, _| ());
        taken.around = Spread::new(&whole, Direction::Incoming);
        taken
    }

    /// In a circle of ways that nothing leads into, and where nothing begins, anything may be.
    fn begin_nowhere(&self, graph: &mut Graph) {
        let begins: HashSet<NodeIndex> =
            self.nodes.iter().filter(|(place, _)| self.ways.made.contains(place)).map(|(_, &n)| n).collect();
        for circle in tarjan_scc(&*graph).into_iter().filter(|circle| circle.len() > 1) {
            let within: HashSet<NodeIndex> = circle.iter().copied().collect();
            let comes = |&n: &NodeIndex| {
                graph.neighbors_directed(n, Direction::Incoming).any(|m| !within.contains(&m))
            };
            let is_source = |n: &NodeIndex| begins.contains(n) || !graph[*n].before.is_clear() || comes(n);
            if !circle.iter().any(is_source) {
                circle.iter().for_each(|&n| graph[n].before.insert(FROM_ANYTHING));
            }
        }
    }

    /// Whether ways end at the place.
    pub(super) fn is_end(&self, place: Place) -> bool {
        let named = seeded(Fault::UsedOnceUsedAlways) && self.ways.structs.contains_key(&place);
        named
            || self.ways.declared.contains(&place)
            || self.reach == Reach::Near && self.ways.void.contains(&place)
    }

    /// What is known of the pointers that begin at a place where ways do not end.
    fn at_node(&self, place: Place) -> FixedBitSet {
        let ways = self.ways;
        let mut set = self.bits(ways.inside.get(&place).into_iter().flatten());
        // Where nothing is seen to come from, and the module makes nothing, nobody knows what there is. What lies in
        // front of what a pointer is taken for, nobody knows either.
        let given = ways.given.get(&place);
        let seen =
            [ways.before.contains_key(&place), ways.made.contains(&place), !set.is_clear(), given.is_some()];
        let backward = ways.backward.contains(&place) && !seeded(Fault::BackwardWithin);
        set.set(FROM_ANYTHING, !seen.contains(&true) || backward);
        set.set(GIVEN_CHARACTERS, given == Some(&Given::Characters));
        set.set(GIVEN_DATA, given == Some(&Given::Data));
        set.set(GIVEN_APART, given == Some(&Given::Apart));
        set
    }

    /// Whether nobody knows what begins at the place.
    pub(super) fn is_source_of_anything(&self, place: Place) -> bool {
        let set = if self.is_end(place) { self.at_end(place, FROM_ANYTHING) } else { self.at_node(place) };
        set.contains(FROM_ANYTHING)
    }

    fn bits<'t>(&self, types: impl Iterator<Item = &'t TypeId>) -> FixedBitSet {
        let mut set = FixedBitSet::with_capacity(BITS + self.types.len());
        set.extend(
            types.map(|ty| BITS + self.types.binary_search(ty).expect("a type that is expected somewhere")),
        );
        set
    }

    /// What pointers are taken for at an end, and the bit, if no struct is declared there: that a member is named somewhere
    /// does not say what it is elsewhere.
    fn at_end(&self, place: Place, anything: usize) -> FixedBitSet {
        let known = [&self.ways.structs, &self.ways.inside];
        let mut set = self.bits(known.into_iter().filter_map(|of| of.get(&place)).flatten());
        set.union_with(&self.bits(self.known.get(&place).into_iter().flatten()));
        let is_known = match seeded(Fault::UsedOnceUsedAlways) {
            true => !set.is_clear(),
            false => self.ways.declared.contains(&place),
        };
        set.set(anything, !is_known);
        set
    }

    fn node(&mut self, graph: &mut Graph, place: Place) -> NodeIndex {
        let capacity = BITS + self.types.len();
        *self.nodes.entry(place).or_insert_with(|| graph.add_node(Ends::new(capacity)))
    }

    fn link(&mut self, graph: &mut Graph, from: Place, to: Place) {
        // What code outside gives as data has a bit of its own.
        if from == Place::OutsideData || to == Place::OutsideData {
            return;
        }
        match (self.is_end(from), self.is_end(to)) {
            (true, true) => {}
            (true, false) => {
                let (to, kinds) = (self.node(graph, to), self.at_end(from, FROM_ANYTHING));
                graph[to].before.union_with(&kinds);
            }
            (false, true) if is_hub(to) => {
                let from = self.node(graph, from);
                graph[from].onward.insert(TO_HUB);
            }
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
            None => self.at_node(place),
        };
        let kinds = set.ones().filter(|&bit| bit >= BITS).map(|bit| self.types[bit - BITS]).collect();
        let (from_anything, to_anything) = (set.contains(FROM_ANYTHING), set.contains(TO_ANYTHING));
        let given = match (set.contains(GIVEN_DATA), set.contains(GIVEN_CHARACTERS)) {
            (true, _) => Some(Given::Data),
            (false, true) => Some(Given::Characters),
            (false, false) => set.contains(GIVEN_APART).then_some(Given::Apart),
        };
        let (to_hub, as_data) = (set.contains(TO_HUB), set.contains(AS_DATA));
        Around { kinds, from_anything, to_anything, given, to_hub, as_data }
    }

    /// What a pointer at the place is taken for from there on.
    pub(super) fn onward(&self, place: Place) -> Kinds {
        self.kinds(&self.onward, place).kinds
    }

    /// What pointers are taken for that come from where one at the place comes from.
    pub(super) fn around(&self, place: Place) -> Around {
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
