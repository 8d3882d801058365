//! Site classes: all sites of a module that agree in region, shape and origin; which classes may meet is
//! decided once for the module.

use crate::analysis::layout::Shape;
use crate::analysis::origins::{self, Origin, Sources};
use crate::analysis::points_to::RegionId;
use crate::fault::{Fault, seeded};
use crate::instrument::thread::{Site, Thread};
use lockpair_ir::{EntityRef, Mark, entity_id};
use std::collections::{HashMap, HashSet};

entity_id!(
    /// A site class.
    ClassId,
    "class"
);

/// What the sites of a thread in one class do.
#[derive(Copy, Clone, Default, Debug)]
pub struct Kinds {
    plain_read: bool,
    marked_read: bool,
    plain_write: bool,
    marked_write: bool,
}

impl Kinds {
    fn add(&mut self, site: &Site) {
        match (site.write, site.mark == Mark::Plain) {
            (false, true) => self.plain_read = true,
            (false, false) => self.marked_read = true,
            (true, true) => self.plain_write = true,
            (true, false) => self.marked_write = true,
        }
    }

    /// Whether two sites of these kinds can be a race: one writes and one is plain.
    pub fn conflict(self, other: Kinds) -> bool {
        let any = |k: Kinds| k.plain_read || k.marked_read || k.plain_write || k.marked_write;
        self.plain_write && any(other)
            || any(self) && other.plain_write
            || self.marked_write && other.plain_read
            || self.plain_read && other.marked_write
    }
}

type Key = (RegionId, Shape, Origin);

/// The classes of all threads.
pub struct Classes {
    keys: Vec<Key>,
    neighbours: Vec<Vec<ClassId>>,
    /// Per thread: its classes with their kinds, and the sites of each.
    threads: Vec<HashMap<ClassId, (Kinds, Vec<usize>)>>,
}

impl Classes {
    /// Sorts the sites of all threads.
    pub fn new(facts: &origins::Facts, threads: &[Thread], sources: &Sources) -> Classes {
        let mut ids: HashMap<Key, ClassId> = HashMap::new();
        let mut keys = Vec::new();
        let mut per_thread = Vec::new();
        for (thread, sources) in threads.iter().zip(sources) {
            let mut mine: HashMap<ClassId, (Kinds, Vec<usize>)> = HashMap::new();
            for (i, (site, source)) in thread.sites.iter().zip(sources).enumerate() {
                let key = (site.region, site.shape, source.origin);
                let id = *ids.entry(key).or_insert_with(|| {
                    keys.push(key);
                    ClassId::new(keys.len() - 1)
                });
                let (kinds, sites) = mine.entry(id).or_default();
                kinds.add(site);
                sites.push(i);
            }
            per_thread.push(mine);
        }
        let neighbours = neighbours(facts, &keys);
        Classes { keys, neighbours, threads: per_thread }
    }

    /// The classes that may touch a common byte with this one, itself included.
    pub fn neighbours(&self, class: ClassId) -> &[ClassId] {
        &self.neighbours[class.index()]
    }

    /// The pairs of classes in which the two threads may race, as far as types, kinds and regions tell.
    pub fn conflicts(&self, a: usize, b: usize) -> Vec<(ClassId, ClassId)> {
        let (left, right) = (&self.threads[a], &self.threads[b]);
        let mut out = Vec::new();
        for (&x, (kinds, _)) in left {
            for &y in self.neighbours(x) {
                if right.get(&y).is_some_and(|(other, _)| kinds.conflict(*other)) {
                    out.push((x, y));
                }
            }
        }
        out.sort_unstable();
        out
    }

    /// The sites of a thread in a class.
    pub fn sites(&self, thread: usize, class: ClassId) -> &[usize] {
        self.threads[thread].get(&class).map(|(_, s)| s.as_slice()).unwrap_or(&[])
    }

    /// The number of memory regions of the report: classes, whatever the origins.
    pub fn len(&self) -> usize {
        self.keys.iter().map(|(region, shape, _)| (region, shape)).collect::<HashSet<_>>().len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }
}

fn neighbours(facts: &origins::Facts, keys: &[Key]) -> Vec<Vec<ClassId>> {
    let external = facts.points_to.external();
    let mut by_region: HashMap<RegionId, Vec<usize>> = HashMap::new();
    for (i, (region, ..)) in keys.iter().enumerate() {
        by_region.entry(*region).or_default().push(i);
    }
    let mut out = vec![Vec::new(); keys.len()];
    for (region, members) in &by_region {
        for (n, &i) in members.iter().enumerate() {
            for &j in &members[n..] {
                let different = |(a, b): (Shape, Shape)| matches!((a, b), (Shape::In { strukt: s, .. }, Shape::In { strukt: t, .. }) if s != t);
                if seeded(Fault::EmbeddedApart) && different((keys[i].1, keys[j].1)) {
                    continue;
                }
                let ((_, a, x), (_, b, y)) = (keys[i], keys[j]);
                if facts.layout.may_overlap(*region == external, a, b)
                    && origins::may_meet(facts, (a, x), (b, y))
                {
                    out[i].push(ClassId::new(j));
                    if i != j {
                        out[j].push(ClassId::new(i));
                    }
                }
            }
        }
    }
    out
}
