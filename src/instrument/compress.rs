//! Makes what is kept of a call tree linear in its instructions: where one instruction accesses memory in many
//! ways, by many call chains, they become one that stands for all.

use super::exec::Executor;
use super::lockset::Lockset;
use super::thread::*;
use super::values::{self, Val};
use crate::analysis::layout::Shape;
use crate::analysis::points_to::RegionId;
use indexmap::IndexMap;
use lockpair_ir::*;
use lockpair_smt::TermId;
use std::sync::Arc;

/// So many accesses of one instruction are told apart.
const MAX_ALIKE: usize = 4;
/// So many, where there are many instructions.
const FEW_ALIKE: usize = 1;
/// So many accesses are many.
const MANY: usize = 2_000;

/// What accesses that become one have in common.
type Kind = ((FuncId, InstId), bool, Mark, RegionId, Shape);

impl Executor<'_, '_> {
    /// Merges sites of one instruction, if there are too many.
    pub(super) fn compress(&mut self) {
        for most in [MAX_ALIKE, FEW_ALIKE] {
            if most == MAX_ALIKE || self.thread.sites.len() > MANY {
                self.compress_to(most);
            }
        }
    }

    /// The same where summaries were put into what is inlined otherwise, and have many sites.
    pub(super) fn compress_summaries(&mut self) {
        let summarized = self.thread.ledger.iter().any(|a| a.kind == AssumptionKind::Summary);
        if summarized && self.thread.sites.len() > MANY {
            self.compress();
        }
    }

    fn compress_to(&mut self, most: usize) {
        let mut groups: IndexMap<Kind, Vec<Site>> = IndexMap::new();
        for site in std::mem::take(&mut self.thread.sites) {
            let kind = (site.inst, site.write, site.mark, site.region, site.shape);
            groups.entry(kind).or_default().push(site);
        }
        for (_, sites) in groups {
            if sites.len() > most {
                let merged = self.merge(&sites);
                self.thread.sites.push(merged);
            } else {
                self.thread.sites.extend(sites);
            }
        }
    }

    /// A site that stands for all of these: at any address that they do not agree on, under no lock that is not
    /// held at all of them.
    fn merge(&mut self, sites: &[Site]) -> Site {
        let first = &sites[0];
        let same = |f: &dyn Fn(&Site) -> TermId| sites.iter().all(|s| f(s) == f(first));
        let (same_obj, same_off) = (same(&|s| s.addr.obj), same(&|s| s.addr.off));
        let any = values::fresh_pointer(self.terms(), "anywhere").addr;
        let obj = if same_obj { first.addr.obj } else { any.obj };
        let off = if same_off { first.addr.off } else { any.off };
        let same_extent = sites.iter().all(|s| s.extent == first.extent);
        let extent = if same_extent { first.extent } else { Extent::Object };
        let same_base = sites.iter().all(|s| s.base == first.base);
        let base = if same_base { first.base } else { self.base_of(first.shape, extent, off) };
        let same_value = sites.iter().all(|s| s.value == first.value);
        if !same_value {
            for value in sites.iter().filter_map(|s| s.value) {
                self.lose(Val::Ptr(Pointer { addr: value, path: None, span: None }));
            }
        }
        let cpu = if same(&|s| s.cpu) { first.cpu } else { self.some_cpu() };
        let guard = if same(&|s| s.guard) { first.guard } else { self.thread.terms.tru() };
        Site {
            guard,
            addr: Addr { obj, off },
            extent,
            base,
            value: first.value.filter(|_| same_value),
            held: self.held_at_all(sites),
            cpu,
            events: self.events_at_all(sites),
            through: first.through.filter(|_| sites.iter().all(|s| s.through == first.through)),
            direct: sites.iter().all(|s| s.direct),
            alone: sites.iter().all(|s| s.alone),
            ..first.clone()
        }
    }

    fn base_of(&mut self, shape: Shape, extent: Extent, off: TermId) -> Option<TermId> {
        let Shape::In { lo, hi, .. } = shape else { return None };
        let exact = matches!(extent, Extent::Bytes(n) if self.thread.terms.as_int(n) == Some(i128::from(hi) - i128::from(lo)));
        if !exact {
            return Some(values::fresh_pointer(self.terms(), "base").addr.off);
        }
        let lo = self.terms().int(i128::from(lo));
        Some(self.terms().sub(off, lo))
    }

    /// A lock that was given back before one of the sites, but taken again, is held there if the caller held it.
    fn held_at_all(&mut self, sites: &[Site]) -> Lockset {
        let (first, rest) = sites.split_first().expect("sites of a kind");
        let mut all = first.held.clone();
        if rest.iter().all(|s| s.held == all) {
            return all;
        }
        let terms = &mut self.thread.terms;
        for site in rest {
            all = all.combine(&site.held, terms, |terms, _, _| terms.fals());
        }
        for i in 0..all.known() {
            let held =
                |s: &Site| s.held.surely(i, terms) || terms.as_bool(s.held.kept(i, terms)) == Some(true);
            if sites.iter().all(held) {
                all.set_kept(i, terms.tru(), terms);
            }
        }
        all
    }

    /// Registrations may have been made, unregistrations may not.
    fn events_at_all(&mut self, sites: &[Site]) -> Arc<Vec<TermId>> {
        if sites.iter().all(|s| s.events == sites[0].events) {
            return sites[0].events.clone();
        }
        let len = sites.iter().map(|s| s.events.len()).max().unwrap_or(0);
        let all = (0..len).map(|e| {
            let at = |s: &Site| s.events.get(e).copied().unwrap_or(self.thread.terms.fals());
            let first = at(&sites[0]);
            if sites.iter().all(|s| at(s) == first) {
                first
            } else {
                self.thread.terms.bool(self.thread.events[e].registers)
            }
        });
        Arc::new(all.collect())
    }
}
