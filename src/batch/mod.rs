//! Many drivers at once: finds the modules of a kernel's directories and checks each in a process of its
//! own, under limits, with a record per module that is there as soon as the module is done.
//!
//! It knows nothing of what a check does. A run that was stopped is continued by running it again, and
//! parts of it can run on different machines (shards) as long as they share the directory of the records.

pub mod child;
pub mod digest;
pub mod groups;
pub mod kbuild;
pub mod kconfig;
pub mod machine;
pub mod record;
pub mod summary;
pub mod units;

use anyhow::{Context, Result};
use child::{Limits, Stopped};
use kbuild::KernelConfig;
use rayon::prelude::*;
use record::Record;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::process::Command;
use units::{Unit, Units};

/// What a run was asked to do.
#[derive(Clone, Debug)]
pub struct Config {
    /// The root of the kernel's source.
    pub tree: PathBuf,
    /// The directories, relative to the root or in it.
    pub dirs: Vec<PathBuf>,
    /// Which exported functions only a few files call: modules that share such functions are checked together. Empty if each is to be
    /// checked alone.
    pub unshared: groups::Unshared,
    /// The configuration that decides which parts of modules are linked.
    pub kernel: KernelConfig,
    /// Where the records go.
    pub output: PathBuf,
    /// How many modules are checked at once.
    pub jobs: usize,
    /// Which part of the modules.
    pub shard: Shard,
    /// What each check may use.
    pub limits: Limits,
    /// Options of `lockpair check`.
    pub options: Vec<String>,
    /// Flags for clang.
    pub clang_flags: Vec<String>,
    /// Whether each module's report is kept as text, too.
    pub text: bool,
}

impl Config {
    /// The file for the summary; each shard has its own.
    pub fn summary_file(&self) -> PathBuf {
        match self.shard {
            Shard::WHOLE => self.output.join("summary.md"),
            Shard { index, count } => self.output.join(format!("summary-{index}-of-{count}.md")),
        }
    }
}

/// One of several parts of equal size: the `index`th of `count`, from 1.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Shard {
    /// Which part.
    pub index: usize,
    /// How many there are.
    pub count: usize,
}

impl Shard {
    /// Everything.
    pub const WHOLE: Shard = Shard { index: 1, count: 1 };

    fn has(self, position: usize) -> bool {
        position % self.count == self.index - 1
    }
}

/// What a run tells its caller, and asks it. Called from several threads.
pub trait Progress: Sync {
    /// So many modules belong to the run.
    fn units(&self, total: usize);
    /// One of them has its record, or several that were checked together have one.
    fn done_one(&self, record: &Record);
    /// Whether the user wants the run to stop: checks that are under way are lost.
    fn interrupted(&self) -> bool;
}

/// What a run has found.
pub struct Batch {
    /// All modules of the directories, whatever the shard.
    pub units: Units,
    /// The records, by name: those of the shard that are done.
    pub records: Vec<Record>,
    /// How many records are from earlier runs.
    pub reused: usize,
    /// How many modules of the shard have no record, because the run was interrupted.
    pub missing: usize,
}

/// Checks the modules of the directories.
pub fn run(config: &Config, progress: &dyn Progress) -> Result<Batch> {
    let mut units = units::find(&config.tree, &config.dirs, &config.kernel)?;
    units.units = groups::group(&config.tree, units.units, &config.unshared);
    std::fs::create_dir_all(&config.output)
        .with_context(|| format!("cannot create {}", config.output.display()))?;
    let ours: Vec<&Unit> = units
        .units
        .iter()
        .enumerate()
        .filter(|(at, _)| config.shard.has(*at))
        .map(|(_, unit)| unit)
        .collect();
    progress.units(ours.iter().flat_map(|unit| unit.all()).count());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(config.jobs).build();
    let results: Vec<Result<Vec<Option<Source>>>> = pool
        .context("cannot start worker threads")?
        .install(|| ours.par_iter().with_max_len(1).map(|unit| obtain(config, unit, progress)).collect());
    let results: Vec<Option<Source>> =
        results.into_iter().collect::<Result<Vec<_>>>()?.into_iter().flatten().collect();
    let missing = results.iter().filter(|result| result.is_none()).count();
    let reused = results.iter().filter(|result| matches!(result, Some(Source::Kept(_)))).count();
    let records = results.into_iter().flatten().map(Source::record).collect();
    Ok(Batch { units, records, reused, missing })
}

/// Where a record is from.
enum Source {
    Kept(Record),
    New(Record),
}

impl Source {
    fn record(self) -> Record {
        match self {
            Source::Kept(record) | Source::New(record) => record,
        }
    }
}

/// The module's record, kept or new; none if the run was interrupted before. Modules of which not all can be read, as with another
/// architecture's among them, or that are too large together for their limits, are checked one by one.
fn obtain(config: &Config, unit: &Unit, progress: &dyn Progress) -> Result<Vec<Option<Source>>> {
    let apart = unit.apart();
    let kept_apart = || apart.iter().map(|unit| kept(config, unit)).collect::<Option<Vec<Record>>>();
    let sources = match kept(config, unit).map(|record| vec![record]).or_else(kept_apart) {
        Some(records) => records.into_iter().map(|record| Some(Source::Kept(record))).collect(),
        None => match checked(config, unit, progress)? {
            Some(record) if !unit.with.is_empty() && !record.is_decided() => {
                let all = apart.iter().map(|unit| checked(config, unit, progress));
                all.map(|record| Ok(record?.map(Source::New))).collect::<Result<_>>()?
            }
            record => vec![record.map(Source::New)],
        },
    };
    for Source::Kept(record) | Source::New(record) in sources.iter().flatten() {
        progress.done_one(record);
    }
    Ok(sources)
}

/// The record of an earlier run, if a new check would say the same.
fn kept(config: &Config, unit: &Unit) -> Option<Record> {
    let record = Record::reusable(&config.tree, &config.output, unit, &options(config), config.limits)?;
    (!config.text || record.has_text(&config.output)).then(|| record.digested())
}

/// A new record; none if the run was interrupted.
fn checked(config: &Config, unit: &Unit, progress: &dyn Progress) -> Result<Option<Record>> {
    if progress.interrupted() {
        return Ok(None);
    }
    let _ = std::fs::remove_file(record::text_path(&config.output, unit));
    let ended = child::run(command(config, unit)?, config.limits, &|| progress.interrupted())?;
    if ended.stopped == Some(Stopped::Unwanted) {
        return Ok(None);
    }
    let record = Record::new(unit, &options(config), config.limits, &ended);
    record.save(&config.output)?;
    Ok(Some(record.digested()))
}

/// What each check is told.
fn options(config: &Config) -> Vec<String> {
    config.options.iter().chain(&config.clang_flags).cloned().collect()
}

/// The check of one module.
fn command(config: &Config, unit: &Unit) -> Result<Command> {
    let mut command = Command::new(std::env::current_exe().context("cannot find the program itself")?);
    command.args(["check", "--quiet", "--format", "json"]).args(&config.options);
    if unit.whole {
        command.arg("--whole-module");
    }
    let files = |unit: &Unit| unit.files.iter().map(|file| config.tree.join(file)).collect::<Vec<PathBuf>>();
    command.args(files(unit));
    for other in &unit.with {
        let names: Vec<OsString> = files(other).into_iter().map(PathBuf::into_os_string).collect();
        command.arg("--with").arg(names.join(OsStr::new(",")));
    }
    if config.text {
        let file = record::text_path(&config.output, unit);
        let dir = file.parent().unwrap_or(&config.output);
        std::fs::create_dir_all(dir).with_context(|| format!("cannot create {}", dir.display()))?;
        command.arg("--text").arg(file);
    }
    let flags: BTreeSet<&String> = unit.with.iter().flat_map(|other| &other.flags).collect();
    let of_others = flags.into_iter().filter(|flag| !unit.flags.contains(flag));
    command.arg("--").args(&unit.flags).args(of_others).args(&config.clang_flags);
    Ok(command)
}

#[cfg(test)]
mod tests {
    use super::Shard;

    #[test]
    fn shards_are_a_partition() {
        for count in 1..5 {
            let holders =
                |position| (1..=count).filter(|&index| Shard { index, count }.has(position)).count();
            assert!((0..20).all(|position| holders(position) == 1));
        }
    }
}
