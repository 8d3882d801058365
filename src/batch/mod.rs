//! Many drivers at once: finds the modules of a kernel's directories and checks each in a process of its
//! own, under limits, with a record per module that is there as soon as the module is done.
//!
//! It knows nothing of what a check does. A run that was stopped is continued by running it again, and
//! parts of it can run on different machines (shards) as long as they share the directory of the records.

pub mod child;
pub mod digest;
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
    /// One of them has its record.
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
    let units = units::find(&config.tree, &config.dirs, &config.kernel)?;
    std::fs::create_dir_all(&config.output)
        .with_context(|| format!("cannot create {}", config.output.display()))?;
    let ours: Vec<&Unit> = units
        .units
        .iter()
        .enumerate()
        .filter(|(at, _)| config.shard.has(*at))
        .map(|(_, unit)| unit)
        .collect();
    progress.units(ours.len());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(config.jobs).build();
    let results: Vec<Result<Option<Source>>> = pool
        .context("cannot start worker threads")?
        .install(|| ours.par_iter().with_max_len(1).map(|unit| obtain(config, unit, progress)).collect());
    let results = results.into_iter().collect::<Result<Vec<_>>>()?;
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

/// The module's record, kept or new; none if the run was interrupted before.
fn obtain(config: &Config, unit: &Unit, progress: &dyn Progress) -> Result<Option<Source>> {
    let options: Vec<String> = config.options.iter().chain(&config.clang_flags).cloned().collect();
    let kept = Record::reusable(&config.tree, &config.output, unit, &options, config.limits)
        .filter(|record| !config.text || record.has_text(&config.output));
    let source = match kept {
        Some(record) => Source::Kept(record.digested()),
        None if progress.interrupted() => return Ok(None),
        None => {
            let _ = std::fs::remove_file(record::text_path(&config.output, unit));
            let ended = child::run(command(config, unit)?, config.limits, &|| progress.interrupted())?;
            if ended.stopped == Some(Stopped::Unwanted) {
                return Ok(None);
            }
            let record = Record::new(unit, &options, config.limits, &ended);
            record.save(&config.output)?;
            Source::New(record.digested())
        }
    };
    let (Source::Kept(record) | Source::New(record)) = &source;
    progress.done_one(record);
    Ok(Some(source))
}

/// The check of one module.
fn command(config: &Config, unit: &Unit) -> Result<Command> {
    let mut command = Command::new(std::env::current_exe().context("cannot find the program itself")?);
    command.args(["check", "--quiet", "--format", "json"]).args(&config.options);
    if unit.whole {
        command.arg("--whole-module");
    }
    command.args(unit.files.iter().map(|file| config.tree.join(file)));
    if config.text {
        let file = record::text_path(&config.output, unit);
        let dir = file.parent().unwrap_or(&config.output);
        std::fs::create_dir_all(dir).with_context(|| format!("cannot create {}", dir.display()))?;
        command.arg("--text").arg(file);
    }
    command.arg("--").args(&unit.flags).args(&config.clang_flags);
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
