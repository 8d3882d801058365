//! Modules that belong together: one that exports functions which only a few other modules call, and these. They are checked as
//! one, for then it is known who calls what with which locks, and nobody else has their structs.

use super::units::Unit;
use crate::infer_env::exports::exported;
use petgraph::unionfind::UnionFind;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// What has more C files than that takes too long as one.
const FILES: usize = 24;

/// For each exported function that only files of one directory mention: these, relative to the kernel's source.
pub type Unshared = BTreeMap<String, Vec<String>>;

/// Puts modules together: with each that is in a group the others are gone from the list.
pub fn group(tree: &Path, units: Vec<Unit>, unshared: &Unshared) -> Vec<Unit> {
    let by_file = by_file(&units);
    let users: Vec<BTreeSet<usize>> =
        units.iter().map(|unit| users(tree, unit, unshared, &by_file)).collect();
    let is_whole = |together: &BTreeSet<usize>| together.iter().all(|&n| units[n].whole);
    let mut sets = UnionFind::new(units.len());
    for together in users.iter().filter(|together| is_whole(together)) {
        let mut all = together.iter();
        let first = all.next();
        all.for_each(|&other| _ = first.map(|&first| sets.union(first, other)));
    }
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    (0..units.len()).for_each(|n| groups.entry(sets.find(n)).or_default().push(n));
    let mut left: Vec<Option<Unit>> = units.into_iter().map(Some).collect();
    let mut all: Vec<Unit> = Vec::new();
    for mut members in groups.into_values() {
        // The one that most of the others use comes first.
        members.sort_by_key(|&n| (std::cmp::Reverse(users[n].len()), n));
        let mut members: Vec<Unit> = members.into_iter().filter_map(|n| left[n].take()).collect();
        match members.iter().map(|unit| unit.files.len()).sum::<usize>() <= FILES {
            true => all.extend(together(members)),
            false => all.append(&mut members),
        }
    }
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}

/// In which unit each file is, if it is in one only.
fn by_file(units: &[Unit]) -> HashMap<&PathBuf, usize> {
    let mut found: HashMap<&PathBuf, Option<usize>> = HashMap::new();
    for (n, unit) in units.iter().enumerate() {
        unit.files
            .iter()
            .for_each(|file| _ = found.entry(file).and_modify(|of| *of = None).or_insert(Some(n)));
    }
    found.into_iter().filter_map(|(file, of)| Some((file, of?))).collect()
}

/// The units that mention what this one exports, itself among them; none if it exports nothing, or something that others may call.
fn users(
    tree: &Path,
    unit: &Unit,
    unshared: &Unshared,
    by_file: &HashMap<&PathBuf, usize>,
) -> BTreeSet<usize> {
    let texts = unit.files.iter().map(|file| std::fs::read(tree.join(file)).unwrap_or_default());
    let texts: Vec<String> = texts.map(|text| String::from_utf8_lossy(&text).into_owned()).collect();
    let mentioned = |function: &str| -> Option<Vec<usize>> {
        unshared.get(function)?.iter().map(|file| by_file.get(&PathBuf::from(file)).copied()).collect()
    };
    let all: Option<Vec<Vec<usize>>> = texts.iter().flat_map(|text| exported(text)).map(mentioned).collect();
    all.into_iter().flatten().flatten().collect()
}

/// The first unit, with the others.
fn together(members: Vec<Unit>) -> Option<Unit> {
    let mut members = members.into_iter();
    let mut first = members.next()?;
    first.with = members.collect();
    Some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree with a module per file, grouped; what each file exports only these mention.
    fn grouped(files: &[(&str, &str)], unshared: &[(&str, &[&str])]) -> Vec<(String, Vec<String>)> {
        let tree = tempfile::tempdir().unwrap();
        let unit = |(name, text): &(&str, &str)| {
            std::fs::write(tree.path().join(name), text).unwrap();
            let (name, files) = (name.trim_end_matches(".c").to_owned(), vec![PathBuf::from(name)]);
            Unit { name, files, whole: true, ..Unit::default() }
        };
        let units = files.iter().map(unit).collect();
        let unshared = unshared
            .iter()
            .map(|(name, files)| ((*name).to_owned(), files.iter().map(|&file| file.to_owned()).collect()))
            .collect();
        let named = |unit: Unit| (unit.name, unit.with.into_iter().map(|other| other.name).collect());
        group(tree.path(), units, &unshared).into_iter().map(named).collect()
    }

    const CORE: (&str, &str) = ("core.c", "EXPORT_SYMBOL(core_get);\nEXPORT_SYMBOL_GPL(core_put);\n");
    const FILES: [(&str, &str); 4] = [("a.c", ""), ("bus.c", ""), CORE, ("other.c", "")];

    fn alone(name: &str) -> (String, Vec<String>) {
        (name.to_owned(), Vec::new())
    }

    #[test]
    fn who_is_used_by_few_is_checked_with_them() {
        let unshared: [(&str, &[&str]); 2] =
            [("core_get", &["a.c", "bus.c", "core.c"]), ("core_put", &["bus.c", "core.c"])];
        let core = ("core".to_owned(), vec!["a".to_owned(), "bus".to_owned()]);
        assert_eq!(grouped(&FILES, &unshared), [core, alone("other")]);
    }

    #[test]
    fn who_may_be_called_by_others_is_alone() {
        let all = ["a", "bus", "core", "other"].map(alone);
        assert_eq!(grouped(&FILES, &[("core_get", &["bus.c", "core.c"])]), all);
        let unshared: [(&str, &[&str]); 2] =
            [("core_get", &["bus.c", "core.c"]), ("core_put", &["absent.c", "core.c"])];
        assert_eq!(grouped(&FILES, &unshared), all);
    }
}
