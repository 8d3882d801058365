//! A unit's record: how its check ended, what it used, and its report. One JSON file per unit.
//!
//! A record appears whole or not at all, so a run can be stopped at any moment and continued.

use super::child::{Ended, Limits, Stopped};
use super::digest::Digest;
use super::units::Unit;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The number in `format`.
pub const FORMAT_VERSION: u32 = 1;

/// What became of a unit; `docs/json.md` describes it.
#[derive(Serialize, Deserialize)]
pub struct Record {
    /// The version of this format.
    pub format: u32,
    /// What was checked.
    pub unit: Unit,
    /// The options of `lockpair check`.
    pub options: Vec<String>,
    /// How it ended.
    pub outcome: Outcome,
    /// Why there is no verdict, or not for everything.
    pub reason: Option<String>,
    /// Wall-clock time.
    pub seconds: f64,
    /// Processor time, clang's included.
    pub cpu_seconds: f64,
    /// Most memory at once, in megabytes, of lockpair or clang.
    pub memory_mb: f64,
    /// The time limit that it had.
    pub time_limit: f64,
    /// The memory limit that it had, in megabytes.
    pub memory_limit: u64,
    /// The report of `lockpair check --format json`; only in the file.
    report: Option<Box<RawValue>>,
    /// What is kept of the report.
    #[serde(skip)]
    pub digest: Digest,
}

/// How a unit's check ended.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It has a report.
    Checked,
    /// There is nothing to check: no function that the kernel calls.
    NoEntryPoint,
    /// clang refused a file.
    NotCompiled,
    /// lockpair refused the input for another reason.
    Refused,
    /// It reached the limit of time; what was done until then may be in the report.
    TimeLimit,
    /// It reached the limit of memory.
    MemoryLimit,
    /// It ended in a way that it never should.
    Crashed,
}

impl Outcome {
    /// Whether all files were compiled.
    pub fn compiled(self) -> bool {
        !matches!(self, Outcome::NotCompiled | Outcome::Refused)
    }

    /// Whether the check came to its end, whatever it was.
    pub fn regular(self) -> bool {
        !matches!(self, Outcome::TimeLimit | Outcome::MemoryLimit | Outcome::Crashed)
    }

    fn of(ended: &Ended, reason: Option<&str>) -> Outcome {
        let says = |text| reason.is_some_and(|reason| reason.contains(text));
        match (ended.stopped, ended.status.code()) {
            (Some(Stopped::Time), _) => Outcome::TimeLimit,
            (Some(Stopped::Memory), _) => Outcome::MemoryLimit,
            (_, Some(0 | 1 | 3)) if !ended.stdout.is_empty() => Outcome::Checked,
            (_, Some(2)) if says("does not compile") => Outcome::NotCompiled,
            (_, Some(2)) if says("no entry point") => Outcome::NoEntryPoint,
            (_, Some(2)) => Outcome::Refused,
            _ => Outcome::Crashed,
        }
    }
}

impl Record {
    /// The record of a check that has ended.
    pub fn new(unit: &Unit, options: &[String], limits: Limits, ended: &Ended) -> Record {
        let reason = reason(ended);
        Record {
            format: FORMAT_VERSION,
            unit: unit.clone(),
            options: options.to_vec(),
            outcome: Outcome::of(ended, reason.as_deref()),
            reason,
            seconds: round(ended.time.as_secs_f64()),
            cpu_seconds: round(ended.cpu.as_secs_f64()),
            memory_mb: round(ended.memory as f64 / 1e6),
            time_limit: limits.time.as_secs_f64(),
            memory_limit: limits.memory_mb,
            report: serde_json::from_str(&ended.stdout).ok(),
            digest: Digest::default(),
        }
    }

    /// The record without its report, of which a digest stays.
    pub fn digested(mut self) -> Record {
        if let Some(report) = self.report.take() {
            self.digest = Digest::of(report.get());
        }
        self
    }

    /// Whether it says something of all pairs, or that there are none. Of a record that was digested.
    pub fn is_decided(&self) -> bool {
        let is_ended = matches!(self.outcome, Outcome::Checked | Outcome::NoEntryPoint);
        is_ended && self.digest.statistics.pairs.unknown == 0
    }

    /// Writes it where [`Record::load`] finds it.
    pub fn save(&self, output: &Path) -> Result<()> {
        let path = path(output, &self.unit);
        let cannot = || format!("cannot write {}", path.display());
        let dir = path.parent().unwrap_or(output);
        std::fs::create_dir_all(dir).with_context(cannot)?;
        let scratch = tempfile::NamedTempFile::new_in(dir).with_context(cannot)?;
        serde_json::to_writer(std::io::BufWriter::new(&scratch), self).with_context(cannot)?;
        scratch.persist(&path).map(drop).with_context(cannot)
    }

    /// Whether the report is there as text, if there is a report.
    pub fn has_text(&self, output: &Path) -> bool {
        self.outcome != Outcome::Checked || text_path(output, &self.unit).is_file()
    }

    /// The unit's record, if there is one that can be read.
    pub fn load(output: &Path, unit: &Unit) -> Option<Record> {
        let text = std::fs::read_to_string(path(output, unit)).ok()?;
        serde_json::from_str(&text).ok().filter(|record: &Record| record.format == FORMAT_VERSION)
    }

    /// The unit's record, if a new check would say the same: nothing that it depends on is different or
    /// newer, and it did not end for a limit that was lower then.
    pub fn reusable(
        tree: &Path,
        output: &Path,
        unit: &Unit,
        options: &[String],
        limits: Limits,
    ) -> Option<Record> {
        let record = Record::load(output, unit)?;
        let written = modified(&path(output, unit))?;
        let older = |file: &Path| modified(file).is_some_and(|time| time <= written);
        let mut files = unit.all().flat_map(|unit| &unit.files);
        let unchanged = files.all(|file| older(&tree.join(file)))
            && std::env::current_exe().is_ok_and(|program| older(&program));
        let limited = match record.outcome {
            Outcome::TimeLimit => limits.time.as_secs_f64() > record.time_limit,
            Outcome::MemoryLimit => limits.memory_mb > record.memory_limit,
            _ => false,
        };
        let same = record.unit == *unit && record.options == options;
        (same && unchanged && !limited).then_some(record)
    }
}

/// `OUTPUT/drivers/char/nvram.json`.
fn path(output: &Path, unit: &Unit) -> PathBuf {
    output.join(format!("{}.json", unit.name))
}

/// `OUTPUT/drivers/char/nvram.txt`, where the report is for people.
pub fn text_path(output: &Path, unit: &Unit) -> PathBuf {
    output.join(format!("{}.txt", unit.name))
}

fn modified(file: &Path) -> Option<SystemTime> {
    std::fs::metadata(file).and_then(|data| data.modified()).ok()
}

/// The error that lockpair printed; without one, how the process ended, if that says something.
fn reason(ended: &Ended) -> Option<String> {
    let error = ended.stderr.lines().find_map(|line| line.strip_prefix("lockpair: error: "));
    let panic = || ended.stderr.lines().find(|line| line.contains("panicked at"));
    let last = || ended.stderr.lines().rfind(|line| !line.trim().is_empty());
    match (error, ended.status.code()) {
        (Some(error), _) => Some(error.to_owned()),
        (None, Some(0 | 1 | 3)) if !ended.stdout.is_empty() => None,
        // The last that it said is that it was asked to end.
        (None, _) if ended.stopped.is_some() => None,
        (None, _) => {
            let said = panic().or_else(last).map(|line| format!(": {line}")).unwrap_or_default();
            Some(format!("{}{said}", ended.describe()))
        }
    }
}

fn round(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::{Limits, Outcome, Record, Unit};
    use crate::batch::child;
    use std::process::Command;
    use std::time::Duration;

    const LIMITS: Limits = Limits { time: Duration::from_secs(9), memory_mb: 900 };

    fn unit() -> Unit {
        Unit { name: "drivers/foo".to_owned(), files: vec!["foo.c".into()], whole: true, ..Unit::default() }
    }

    fn record(script: &str) -> Record {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        Record::new(&unit(), &[], LIMITS, &child::run(command, LIMITS, &|| false).unwrap())
    }

    #[test]
    fn outcomes_are_told_apart() {
        let ended = |script: &str| {
            let record = record(script);
            (record.outcome, record.reason.unwrap_or_default())
        };
        assert_eq!(ended("echo {}; exit 1"), (Outcome::Checked, String::new()));
        let error = |text: &str| ended(&format!("echo 'lockpair: error: {text}' >&2; exit 2"));
        assert_eq!(error("a.c: does not compile: x").0, Outcome::NotCompiled);
        assert_eq!(error("no entry point in a").0, Outcome::NoEntryPoint);
        assert_eq!(error("a.c: no such file"), (Outcome::Refused, "a.c: no such file".to_owned()));
        assert_eq!(ended("exit 1"), (Outcome::Crashed, "exit code 1".to_owned()));
        assert_eq!(ended("kill -ABRT $$").1, "signal SIGABRT");
        let panic =
            ended("echo 'thread panicked at x.rs:1'; echo \"thread panicked at x.rs:1\" >&2; exit 101");
        assert_eq!(panic, (Outcome::Crashed, "exit code 101: thread panicked at x.rs:1".to_owned()));
    }

    #[test]
    fn a_record_is_used_again_as_long_as_nothing_changes() {
        let dir = tempfile::tempdir().unwrap();
        let source = dir.path().join("foo.c");
        std::fs::write(&source, "").unwrap();
        let reusable = |options: &[String], limits: Limits| {
            Record::reusable(dir.path(), dir.path(), &unit(), options, limits).is_some()
        };
        assert!(!reusable(&[], LIMITS));
        let mut record = record("echo {}");
        record.save(dir.path()).unwrap();
        assert!(reusable(&[], LIMITS));
        assert!(!reusable(&["--timeout".to_owned()], LIMITS));
        let more = Limits { time: LIMITS.time * 2, ..LIMITS };
        assert!(reusable(&[], more));
        record.outcome = Outcome::TimeLimit;
        record.save(dir.path()).unwrap();
        assert!(reusable(&[], LIMITS) && !reusable(&[], more));
        let later = std::time::SystemTime::now() + Duration::from_secs(5);
        std::fs::File::options().write(true).open(source).unwrap().set_modified(later).unwrap();
        assert!(!reusable(&[], LIMITS));
    }
}
