//! In which order problems are shown, and why: what is likely to hurt comes first, what is likely to be harmless last.
//! Nothing is left out for it.

use super::explain::common_lock;
use super::places::Place;
use super::problems::{Instance, Problem, Subject};
use crate::verdict::{Access, Analysis, Meeting, Purpose, RaceReport};
use lockpair_entry_points::{EntryPoint, EntryPoints, Origin};
use lockpair_ir::{LocId, Module, Op, Operand};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// How a problem compares to others, the worst first: by how many of those that were read are real
/// (benches/results/drawn.md), and how much a real one hurts.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Class {
    Confirmed,
    Unbound,
    Inconsistent,
    Unprotected,
    Setup,
    Lifetime,
    Alike,
    Outside,
    Exported,
    Count,
    SameValue,
    Bytes,
}

/// The place of a problem among others.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Rank {
    class: Class,
    /// What was approximated on the way may be all that there is to it.
    approximate: bool,
    writes: Writes,
}

/// Who writes, of the two sides.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Writes {
    Both,
    /// At other places than those that are shown.
    BothElsewhere,
    One,
}

impl Rank {
    /// Why it has this rank, in words.
    pub fn reason(self) -> String {
        let class = match self.class {
            Class::Confirmed => "an execution that has it was found",
            Class::Unbound => "memory of the driver ends when it is unbound, and may be in use",
            Class::Inconsistent => "one side takes a lock that the other does not",
            Class::Unprotected => "neither side takes a lock",
            Class::Setup => "one side sets up the driver or a device, and is not known to come first",
            Class::Lifetime => "an object or a lock may end while it is in use",
            Class::Alike => "both sides hold locks of the same name, which may be one lock",
            Class::Outside => "one side is what a function outside does",
            Class::Exported => "who calls the exported function, and when, is not known",
            Class::Count => "only updates in place meet: a count may be wrong",
            Class::SameValue => "all write the same value",
            Class::Bytes => "the two sides do not name the same member of the same struct",
        };
        let accesses = match self.writes {
            Writes::Both => "both sides write",
            Writes::BothElsewhere => "both sides write at other places",
            Writes::One => "one side reads",
        };
        let approximate = if self.approximate { "; leans on an approximation" } else { "" };
        format!("{class}; {accesses}{approximate}")
    }

    /// A short name for programs.
    pub fn name(self) -> &'static str {
        match self.class {
            Class::Confirmed => "confirmed",
            Class::Unbound => "unbound",
            Class::Inconsistent => "inconsistent",
            Class::Unprotected => "unprotected",
            Class::Setup => "setup",
            Class::Lifetime => "lifetime",
            Class::Alike => "alike",
            Class::Outside => "outside",
            Class::Exported => "exported",
            Class::Count => "count",
            Class::SameValue => "same-value",
            Class::Bytes => "bytes",
        }
    }
}

/// What ranks need to know of all races of an analysis.
pub struct Ranks<'a> {
    module: &'a Module,
    entry_points: &'a EntryPoints,
    /// Locations at which every read that races is part of an update in place, like `x++`.
    counts: BTreeSet<&'a str>,
    /// What is written at a place in the source, where that is one constant.
    constants: HashMap<LocId, Option<Operand>>,
}

impl<'a> Ranks<'a> {
    /// Looks at all races.
    pub fn of(analysis: &'a Analysis) -> Ranks<'a> {
        Ranks {
            module: &analysis.module,
            entry_points: &analysis.entry_points,
            counts: counts(analysis),
            constants: constants(analysis),
        }
    }

    /// The rank of a problem.
    pub fn rank(&self, problem: &Problem<'_>) -> Rank {
        let races = || problem.races.iter().map(|instance| instance.race);
        let class = if problem.confirmed() {
            Class::Confirmed
        } else if races().any(|race| race.is_of_lifetime() || race.is_of_lock()) {
            let is_unbound =
                races().all(|race| race.accesses.iter().any(|a| a.purpose == Purpose::FreeWithDriver));
            if is_unbound { Class::Unbound } else { Class::Lifetime }
        } else if !races().any(|race| self.is_of_one_member(race)) {
            Class::Bytes
        } else if self.one_value(races()) {
            Class::SameValue
        } else if matches!(problem.subject, Subject::Location(location) if self.counts.contains(location)) {
            Class::Count
        } else if !races().any(|race| self.is_of_one_member(race) && race.is_of_instructions()) {
            Class::Outside
        } else if problem.races.iter().all(|instance| self.has_side(instance, is_exported)) {
            Class::Exported
        } else if problem.races.iter().all(|instance| self.has_side(instance, sets_up)) {
            Class::Setup
        } else {
            by_locks(&problem.example().race.accesses.each_ref().map(|access| &**access))
        };
        Rank {
            class,
            approximate: races().all(|race| !race.leans_on.is_empty()),
            writes: if problem.example().both_write() {
                Writes::Both
            } else if problem.races.iter().any(Instance::both_write) {
                Writes::BothElsewhere
            } else {
                Writes::One
            },
        }
    }

    fn has_side(&self, instance: &Instance<'_>, is: impl Fn(&EntryPoint) -> bool) -> bool {
        let (a, b) = instance.pair.pair;
        [a, b].into_iter().any(|entry| is(&self.entry_points.items[entry]))
    }

    /// Whether both sides name one member, and what they do there is written in the driver: what a function of a header does to
    /// its own kind of struct (`list_add`) says nothing of which object that is.
    fn is_of_one_member(&self, race: &RaceReport) -> bool {
        let in_driver = |loc: LocId| Place::of(self.module, loc) == Place::in_driver(self.module, loc);
        race.meeting == Meeting::Member && race.accesses.iter().all(|access| access.loc.is_none_or(in_driver))
    }

    /// Whether all of them write, and the same constant.
    fn one_value<'r>(&self, races: impl Iterator<Item = &'r RaceReport>) -> bool {
        let written = |access: &Access| {
            let constant = self.constants.get(&access.loc?).copied().flatten();
            constant.filter(|_| access.write)
        };
        let values: BTreeSet<Option<String>> = races
            .flat_map(|race| &race.accesses)
            .map(|access| written(access).map(|value| value.to_string()))
            .collect();
        values.len() == 1 && !values.contains(&None)
    }
}

/// Whether it binds a driver to a device, or is the module's init: what it does before it registers anything comes first, and
/// where a registration lies in a function outside, or in a list, that is not known.
fn sets_up(entry: &EntryPoint) -> bool {
    entry.binds || entry.is_init()
}

fn is_exported(entry: &EntryPoint) -> bool {
    entry.origin == Origin::Exported
}

fn by_locks(accesses: &[&Access; 2]) -> Class {
    let [a, b] = accesses;
    if common_lock(a, b).is_some_and(|(x, _)| x.taken.is_some()) {
        return Class::Alike;
    }
    let takes = |access: &Access| access.locks.iter().any(|lock| lock.taken.is_some());
    if takes(a) || takes(b) { Class::Inconsistent } else { Class::Unprotected }
}

fn counts(analysis: &Analysis) -> BTreeSet<&str> {
    type Places = BTreeSet<Option<LocId>>;
    let mut places: BTreeMap<&str, (Places, Places)> = BTreeMap::new();
    for race in analysis.pairs.iter().flat_map(|pair| &pair.races) {
        let (reads, writes) = places.entry(&race.location).or_default();
        for access in &race.accesses {
            let places = if access.write { &mut *writes } else { &mut *reads };
            places.insert(access.loc);
        }
    }
    let updates = places.into_iter().filter(|(_, (reads, writes))| {
        !reads.is_empty() && !reads.contains(&None) && reads.is_subset(writes)
    });
    updates.map(|(location, _)| location).collect()
}

fn constants(analysis: &Analysis) -> HashMap<LocId, Option<Operand>> {
    let mut found: HashMap<LocId, Option<Operand>> = HashMap::new();
    for inst in analysis.module.funcs.values().flat_map(|func| func.insts.values()) {
        let value = match &inst.op {
            Op::Store { value, .. } => match value {
                Operand::Int { .. } | Operand::Null => Some(*value),
                _ => None,
            },
            Op::MemSet { .. } | Op::MemCopy { .. } | Op::Rmw { .. } | Op::CmpXchg { .. } => None,
            Op::Access { write: true, .. } | Op::External { .. } | Op::Free { .. } => None,
            _ => continue,
        };
        if let Some(loc) = inst.loc {
            found.entry(loc).and_modify(|old| *old = old.filter(|old| Some(*old) == value)).or_insert(value);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::problems::{Subject, problems};
    use super::super::testdata::{analysis_of, lock, pair, race};
    use super::{Problem, Ranks};
    use crate::verdict::{Access, Analysis, By, Meeting, PairResult, Purpose, RaceReport, Verdict};
    use lockpair_entry_points::{EntryPoint, EntryPointId, Origin};
    use lockpair_ir::{EntityRef, Function, Loc, LocId, LockMode, Mark, Op, Operand, SourceFile};
    use std::sync::Arc;

    fn changed(location: &str, change: impl Fn(usize, &mut Access)) -> RaceReport {
        let mut race = race(location);
        for (side, access) in race.accesses.iter_mut().enumerate() {
            change(side, Arc::make_mut(access));
        }
        race
    }

    fn at(access: &mut Access, loc: usize, write: bool) {
        access.loc = Some(LocId::new(loc));
        access.write = write;
    }

    fn of(races: Vec<RaceReport>) -> Analysis {
        let mut analysis = analysis_of(vec![PairResult { races, ..pair(0, 1, Verdict::Potential) }]);
        let file = analysis.module.files.push(SourceFile { path: "/demo.c".to_owned() });
        let loc = Loc { file, line: 1, column: 1, function: "f".to_owned(), inlined_at: None };
        analysis.module.locs.push(loc.clone());
        analysis.module.locs.push(loc);
        analysis
    }

    fn names<'a>(analysis: &'a Analysis) -> Vec<(&'a str, &'static str)> {
        let ranks = Ranks::of(analysis);
        let location = |problem: &Problem<'a>| problem.races[0].race.location.as_str();
        let problems = problems(analysis);
        problems.iter().map(|problem| (location(problem), ranks.rank(problem).name())).collect()
    }

    fn hold(access: &mut Access, name: &str) {
        access.locks = vec![lock("mutex", name, LockMode::Exclusive, true)];
    }

    #[test]
    fn half_a_discipline_comes_before_none_and_both_before_equal_names() {
        let analysis = of(vec![
            changed("a", |_, access| hold(access, "&x->m")),
            race("b"),
            changed("c", |side, access| {
                if side == 0 {
                    hold(access, "&x->m");
                }
            }),
        ]);
        assert_eq!(names(&analysis), [("c", "inconsistent"), ("b", "unprotected"), ("a", "alike")]);
    }

    #[test]
    fn two_writes_come_before_a_read() {
        let analysis = of(vec![
            changed("a", |side, access| at(access, side, side == 0)),
            changed("b", |side, access| at(access, side, true)),
        ]);
        assert_eq!(problems(&analysis)[0].subject, Subject::Location("b"));
    }

    #[test]
    fn a_count_is_one_only_if_nobody_else_reads_it() {
        let update = changed("a", |side, access| at(access, 1, side == 0));
        let read = changed("a", |side, access| at(access, 1 + side, side == 0));
        assert_eq!(names(&of(vec![update.clone()])), [("a", "count")]);
        assert_eq!(names(&of(vec![update, read])), [("a", "unprotected")]);
    }

    fn differing(location: &str) -> RaceReport {
        RaceReport { meeting: Meeting::Bytes, ..race(location) }
    }

    #[test]
    fn bytes_that_the_sides_take_for_different_members_come_last() {
        let mut same = changed("c", |side, access| at(access, side, true));
        same.sites = [1, 1];
        let outside = changed("b", |side, access| {
            if side == 1 {
                access.by = By::Row;
            }
        });
        let analysis = of(vec![differing("a"), outside, race("c")]);
        assert_eq!(names(&analysis), [("c", "unprotected"), ("b", "outside"), ("a", "bytes")]);
    }

    #[test]
    fn one_race_in_which_both_name_the_member_is_enough() {
        let mut named = race("a");
        named.sites = [1, 1];
        assert_eq!(names(&of(vec![differing("a"), named])), [("a", "unprotected")]);
    }

    #[test]
    fn what_a_function_of_a_header_does_to_its_own_struct_names_no_member() {
        let mut analysis = of(vec![changed("a", |side, access| at(access, side, true))]);
        assert_eq!(names(&analysis), [("a", "unprotected")]);
        let file = analysis.module.files.push(SourceFile { path: "/include/list.h".to_owned() });
        let inlined = &mut analysis.module.locs[LocId::new(0)];
        (inlined.file, inlined.inlined_at) = (file, Some(LocId::new(1)));
        assert_eq!(names(&analysis), [("a", "bytes")]);
    }

    #[test]
    fn memory_that_ends_with_the_driver_comes_before_other_ends() {
        let ends = |location: &str, purpose| changed(location, |_, access| access.purpose = purpose);
        let analysis = of(vec![ends("a", Purpose::Free), ends("b", Purpose::FreeWithDriver)]);
        let classes: Vec<&str> = names(&analysis).into_iter().map(|(_, class)| class).collect();
        assert_eq!(classes, ["lifetime"], "one place ends both");
        assert_eq!(names(&of(vec![ends("b", Purpose::FreeWithDriver)])), [("b", "unbound")]);
    }

    #[test]
    fn what_sets_up_or_is_called_by_nobody_knows_whom_comes_after_what_is_known() {
        let with = |change: fn(&mut EntryPoint)| {
            let mut analysis = of(vec![race("a")]);
            change(&mut analysis.entry_points.items[EntryPointId::new(1)]);
            analysis
        };
        assert_eq!(names(&with(|entry| entry.binds = true)), [("a", "setup")]);
        assert_eq!(names(&with(|entry| entry.role = "module.init".to_owned())), [("a", "setup")]);
        assert_eq!(names(&with(|entry| entry.origin = Origin::Exported)), [("a", "exported")]);

        let mut other_pair_too = with(|entry| entry.binds = true);
        other_pair_too.pairs.push(PairResult { races: vec![race("a")], ..pair(0, 2, Verdict::Potential) });
        assert_eq!(names(&other_pair_too), [("a", "unprotected")]);
    }

    #[test]
    fn equal_values_are_equal_constants() {
        let writes = |second: u128| {
            let mut analysis = of(vec![changed("a", |side, access| at(access, side, true))]);
            let mut func = Function::declaration("f");
            for (loc, value) in [(0, 1), (1, second)] {
                let op = Op::Store { addr: Operand::Null, value: Operand::int(32, value), mark: Mark::Plain };
                func.add_inst(op, None, Some(LocId::new(loc)));
            }
            analysis.module.funcs.push(func);
            analysis
        };
        assert_eq!(names(&writes(1)), [("a", "same-value")]);
        assert_eq!(names(&writes(2)), [("a", "unprotected")]);
    }
}
