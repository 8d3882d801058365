//! Races that are one problem: one location and one lock situation, over all pairs of entry points.

use super::rank::Ranks;
use crate::verdict::{Access, Analysis, PairResult, Purpose, RaceReport};
use lockpair_entry_points::EntryPointId;
use lockpair_ir::{LocId, LockMode, Mark};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// A race as one pair of entry points has it.
#[derive(Copy, Clone, Debug)]
pub struct Instance<'a> {
    /// The pair.
    pub pair: &'a PairResult,
    /// The race.
    pub race: &'a RaceReport,
}

impl Instance<'_> {
    /// Whether a replayed execution of the program reaches it.
    pub fn confirmed(&self) -> bool {
        self.race.is_confirmed()
    }

    /// Whether a replayed execution reaches it, of the program or of the model.
    fn executed(&self) -> bool {
        self.race.execution.is_some()
    }

    fn frames(&self) -> usize {
        self.race.accesses.iter().map(|a| a.stack.len()).sum()
    }

    /// The two places, in an order that does not depend on which entry point comes first.
    pub fn sites(&self) -> [Option<LocId>; 2] {
        let mut sites = self.race.accesses.each_ref().map(|a| a.loc);
        sites.sort();
        sites
    }
}

/// Races on one location in one lock situation.
#[derive(Clone, Debug)]
pub struct Group<'a> {
    /// The location, as in [`RaceReport::location`].
    pub location: &'a str,
    /// At least one race, in the order of the pairs.
    pub races: Vec<Instance<'a>>,
}

impl<'a> Group<'a> {
    /// The race to show: one with an execution if there is one, then the one with the shortest way to it.
    pub fn example(&self) -> Instance<'a> {
        let rank = |r: &&Instance<'_>| (!r.confirmed(), !r.executed(), r.frames());
        *self.races.iter().min_by_key(rank).expect("a group has a race")
    }

    /// Whether a race of it is confirmed.
    pub fn confirmed(&self) -> bool {
        self.races.iter().any(Instance::confirmed)
    }

    /// The pairs of entry points that have it, each once.
    pub fn pairs(&self) -> Vec<(EntryPointId, EntryPointId)> {
        let mut seen = BTreeSet::new();
        self.races.iter().map(|r| r.pair.pair).filter(|pair| seen.insert(*pair)).collect()
    }

    /// The pairs of places that have it, each once, with an instance of each.
    pub fn places(&self) -> Vec<Instance<'a>> {
        let mut seen = BTreeSet::new();
        self.races.iter().filter(|r| seen.insert(r.sites())).copied().collect()
    }
}

/// What counts of one access for the lock situation.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Side<'a> {
    plain: bool,
    purpose: Purpose,
    locks: BTreeSet<(&'a str, &'a str, LockMode)>,
}

impl<'a> Side<'a> {
    fn of(access: &'a Access) -> Side<'a> {
        let locks = access.locks.iter().map(|l| (l.class.as_str(), l.name.as_str(), l.mode)).collect();
        Side { plain: access.mark == Mark::Plain, purpose: access.purpose, locks }
    }
}

/// All races of an analysis, grouped; by rank, then by location.
pub fn group(analysis: &Analysis) -> Vec<Group<'_>> {
    let ranks = Ranks::of(analysis);
    let mut groups = problems(&analysis.pairs);
    groups.sort_by_cached_key(|group| ranks.rank(group));
    groups
}

/// The races that are shown: per problem the position of a pair, and that of its race.
pub fn examples(pairs: &[PairResult]) -> Vec<(usize, usize)> {
    let shown: HashSet<*const RaceReport> =
        problems(pairs).iter().map(|group| std::ptr::from_ref(group.example().race)).collect();
    let numbered = pairs.iter().enumerate();
    let all = numbered.flat_map(|(p, pair)| pair.races.iter().enumerate().map(move |(r, race)| (p, r, race)));
    all.filter(|(.., race)| shown.contains(&std::ptr::from_ref(*race))).map(|(p, r, _)| (p, r)).collect()
}

/// The races, grouped; by location.
fn problems(pairs: &[PairResult]) -> Vec<Group<'_>> {
    let mut groups: BTreeMap<(&str, [Side<'_>; 2]), Group<'_>> = BTreeMap::new();
    for (pair, race) in pairs.iter().flat_map(|p| p.races.iter().map(move |r| (p, r))) {
        let mut sides = race.accesses.each_ref().map(|access| Side::of(access));
        sides.sort();
        let group = groups
            .entry((&race.location, sides))
            .or_insert_with(|| Group { location: &race.location, races: Vec::new() });
        group.races.push(Instance { pair, race });
    }
    groups.into_values().collect()
}

/// The number of locations that have a race.
pub fn racy_locations(analysis: &Analysis) -> usize {
    all_races(analysis).map(|r| r.race.location.as_str()).collect::<BTreeSet<_>>().len()
}

/// The number of races as people count them: pairs of places in the source, whatever entry points reach them.
pub fn distinct_races(analysis: &Analysis) -> usize {
    all_races(analysis).map(|r| (r.race.location.as_str(), r.sites())).collect::<BTreeSet<_>>().len()
}

/// How many of these have an execution.
pub fn executed_races(analysis: &Analysis) -> usize {
    let executed = all_races(analysis).filter(Instance::executed);
    executed.map(|r| (r.race.location.as_str(), r.sites())).collect::<BTreeSet<_>>().len()
}

fn all_races(analysis: &Analysis) -> impl Iterator<Item = Instance<'_>> {
    analysis.pairs.iter().flat_map(|pair| pair.races.iter().map(move |race| Instance { pair, race }))
}

#[cfg(test)]
mod tests {
    use super::super::testdata::{analysis_of, confirmed, lock, pair, race};
    use super::{distinct_races, group, racy_locations};
    use crate::verdict::{Analysis, PairResult, RaceReport, Verdict};
    use lockpair_ir::LockMode;
    use std::sync::Arc;

    fn racy(a: usize, b: usize, verdict: Verdict, races: Vec<RaceReport>) -> PairResult {
        PairResult { races, ..pair(a, b, verdict) }
    }

    fn locked(first: bool) -> RaceReport {
        let mut race = race("struct demo.count");
        let side = usize::from(!first);
        Arc::make_mut(&mut race.accesses[side]).locks =
            vec![lock("mutex", "&a->m", LockMode::Exclusive, true)];
        race
    }

    fn analysis() -> Analysis {
        analysis_of(vec![
            racy(0, 1, Verdict::Potential, vec![locked(true)]),
            racy(0, 2, Verdict::Potential, vec![locked(false), race("struct demo.count")]),
            racy(1, 2, Verdict::Race, vec![confirmed(race("struct demo.zeta"), ["b", "c"])]),
        ])
    }

    #[test]
    fn one_lock_situation_is_one_group_whichever_side_holds_the_lock() {
        let analysis = analysis();
        let groups = group(&analysis);
        assert_eq!(groups.iter().map(|g| g.races.len()).collect::<Vec<_>>(), [1, 2, 1]);
        assert_eq!(groups[1].pairs().len(), 2);
        assert_eq!(groups[1].places().len(), 1);
    }

    #[test]
    fn confirmed_races_come_first() {
        let analysis = analysis();
        let groups = group(&analysis);
        assert_eq!(groups[0].location, "struct demo.zeta");
        assert!(groups[0].confirmed() && !groups[1].confirmed());
    }

    #[test]
    fn races_are_counted_once_per_location_and_places() {
        assert_eq!(distinct_races(&analysis()), 2);
        assert_eq!(racy_locations(&analysis()), 2);
    }
}
