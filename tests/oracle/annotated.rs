//! Annotated inputs as witnesses of faults in rules that other programs do not need: those of threads that a program
//! makes, of handles in the kernel's hands, and of what is linked. What their lines say is believed.

use crate::check::{Calls, Failure, Miss, Outcome};
use crate::verify;
use anyhow::Result;
use lockpair::verdict::{Analysis, Verdict};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The directories that have such inputs.
const DIRECTORIES: &[&str] = &["externals", "idioms", "lifecycles", "posix", "rules"];

/// The inputs with races.
pub fn files() -> Vec<PathBuf> {
    let root = verify::root().join("tests/annotated");
    let of = |dir: &&str| {
        fs::read_dir(root.join(dir)).expect("annotated inputs").filter_map(|e| Some(e.ok()?.path()))
    };
    let mut files: Vec<PathBuf> =
        DIRECTORIES.iter().flat_map(of).filter(|file| !races(file).is_empty()).collect();
    files.sort();
    files
}

/// A failure for each line that says that it races, and is in no race that is reported.
pub fn check(file: &Path, calls: Calls) -> Result<Outcome> {
    let limit = (calls != Calls::Inlined).then_some(0);
    let input = verify::Input::read(verify::config(file, &[])).map_err(anyhow::Error::msg)?;
    let analysis = input.verify(limit).map_err(anyhow::Error::msg)?;
    let reported = reported(&analysis);
    let is_known = analysis.pairs.iter().all(|p| !matches!(p.verdict, Verdict::Unknown(_)));
    let missed = races(file).into_iter().filter(|line| is_known && !reported.contains(line));
    let failures = missed.map(|line| Failure {
        miss: Miss::CalledFree,
        pair: Default::default(),
        lines: [line, line],
        schedule: String::new(),
    });
    Ok(Outcome { failures: failures.collect(), ..Outcome::default() })
}

/// The lines that say so; there is only one file with its text.
fn races(file: &Path) -> Vec<u32> {
    let text = fs::read_to_string(file).unwrap_or_default();
    let lines = text.lines().zip(1..).filter(|(line, _)| line.contains("// RACE!"));
    lines.map(|(_, number)| number).collect()
}

/// The lines of accesses in races, and of those where their functions were inlined.
fn reported(analysis: &Analysis) -> BTreeSet<u32> {
    let accesses = analysis.pairs.iter().flat_map(|p| &p.races).flat_map(|race| &race.accesses);
    let places = accesses
        .flat_map(|access| std::iter::successors(access.loc, |loc| analysis.module.locs[*loc].inlined_at));
    places.map(|loc| analysis.module.locs[loc].line).collect()
}
