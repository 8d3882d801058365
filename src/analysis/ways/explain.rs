//! Why a struct counts as turned into data: a way for each, for who looks for the cause of an alarm (`--dump facts`).

use super::super::taken::{Reach, Taken};
use super::{Links, Place, Ways, accessed, is_hub};
use crate::analysis::fields;
use lockpair_ir::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, VecDeque};

impl Ways<'_, '_> {
    /// A line per struct: from where it is expected back to a place that a pointer to data comes from, too, and from there
    /// to where that is expected.
    pub fn explain(&self) -> Vec<String> {
        let to_data = Search::new(self.used_as_data(), &self.before, |_| true);
        let mut out = Vec::new();
        let sources: Vec<Place> = self.bytes.keys().copied().chain(to_data.order.iter().copied()).collect();
        let is_known = |place: Place| !is_hub(place);
        let from = Search::new(sources.into_iter().filter(|&p| is_known(p)), &self.next, is_known);
        let mut ways: BTreeMap<String, String> = BTreeMap::new();
        for &place in &from.order {
            for ty in self.structs.get(&place).into_iter().flatten() {
                let Some(def) = self.module.as_struct(*ty) else { continue };
                ways.entry(def.name.clone()).or_insert_with(|| {
                    let there = from.back(place);
                    let begin = *there.last().expect("a way has a beginning");
                    let on = if self.bytes.contains_key(&begin) { vec![] } else { to_data.back(begin) };
                    format!("{} || {}", self.chain(&there), self.chain(&on))
                });
            }
        }
        out.extend(ways.into_iter().map(|(name, way)| format!("struct {name}: {way}")));
        out
    }

    /// A line per pointer that may lead to anything: from where it is used back to where a way begins of which nobody knows
    /// what is there.
    pub fn explain_anything(&self) -> Vec<String> {
        let nothing = FxHashMap::default();
        let near = Taken::new(self, Reach::Near, &nothing);
        let mut out = Vec::new();
        for (id, func) in self.module.funcs.iter() {
            for inst in func.blocks.values().flat_map(|block| &block.insts).map(|&i| &func.insts[i]) {
                for op in accessed(&inst.op) {
                    let Some(place) = Self::place(id, op).filter(|&place| near.around(place).from_anything)
                    else {
                        continue;
                    };
                    let back = Search::new([place].into_iter(), &self.before, |place| !near.is_end(place));
                    let next = |place: &Place| self.before.get(place).into_iter().flatten().copied();
                    let ends = back
                        .order
                        .iter()
                        .flat_map(|place| next(place).chain([*place]).map(move |to| (to, *place)));
                    let found = ends.into_iter().find(|(to, _)| near.is_source_of_anything(*to));
                    let chain = found.map_or_else(String::new, |(to, place)| {
                        let way = back.back(place);
                        let end = if to == place { String::new() } else { format!("{} -> ", self.name(to)) };
                        format!("{end}{}", way.iter().map(|p| self.name(*p)).collect::<Vec<_>>().join(" -> "))
                    });
                    let line = inst.loc.map_or(0, |loc| self.module.locs[loc].line);
                    out.push(format!("{}:{line}: {chain}", func.name));
                }
            }
        }
        out.dedup();
        out
    }

    fn chain(&self, places: &[Place]) -> String {
        places.iter().map(|place| self.name(*place)).collect::<Vec<_>>().join(" <- ")
    }

    fn name(&self, place: Place) -> String {
        let module = self.module;
        match place {
            Place::Value(f, v) => {
                let func = &module.funcs[f];
                let param = func.params.iter().find(|p| p.value == v).map(|p| format!("{}(", p.name));
                let inst = func.values[v].inst.map(|i| &func.insts[i]);
                let loc = inst.and_then(|inst| inst.loc);
                let loc = loc.map_or(0, |loc| module.locs[loc].line);
                let what = inst.map_or(String::new(), |inst| match &inst.op {
                    Op::External { name, .. } => format!(" = {name}()"),
                    _ => String::new(),
                });
                format!("{}{}:{loc}{what}", param.unwrap_or_default(), func.name)
            }
            Place::Result(f) => format!("result of {}", module.funcs[f].name),
            Place::Member(field) => fields::name(module, field),
            Place::Variable(g) => format!("variable {}", module.globals[g].name),
            Place::Slot(f, _) => format!("slot of {}", module.funcs[f].name),
            Place::Address(g) => format!("&{}", module.globals[g].name),
            Place::Page => "pages".to_owned(),
            Place::Buffer => "buffers outside".to_owned(),
            Place::Region(region) => format!("memory of {region}"),
            Place::Memory => "memory".to_owned(),
            Place::Outside => "outside".to_owned(),
            Place::OutsideNumbers => "numbers outside".to_owned(),
            Place::OutsideData => "data outside".to_owned(),
        }
    }
}

/// What is reached from some places, the nearest first, and over which.
struct Search {
    order: Vec<Place>,
    over: FxHashMap<Place, Place>,
}

impl Search {
    fn new(from: impl Iterator<Item = Place>, next: &Links, within: impl Fn(Place) -> bool) -> Search {
        let mut seen = FxHashSet::default();
        let mut work: VecDeque<Place> = from.filter(|p| seen.insert(*p)).collect();
        let (mut order, mut over) = (Vec::new(), FxHashMap::default());
        while let Some(place) = work.pop_front() {
            order.push(place);
            for &to in next.get(&place).into_iter().flatten() {
                if within(to) && seen.insert(to) {
                    over.insert(to, place);
                    work.push_back(to);
                }
            }
        }
        Search { order, over }
    }

    /// The way from the place back to where the search began.
    fn back(&self, place: Place) -> Vec<Place> {
        std::iter::successors(Some(place), |at| self.over.get(at).copied()).collect()
    }
}
