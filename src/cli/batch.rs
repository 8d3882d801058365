//! The arguments of `lockpair batch`, and what they mean.

use super::{Check, Cli, Command};
use anyhow::{Context, Result, bail};
use clap::{Args, Parser};
use lockpair::batch::child::Limits;
use lockpair::batch::groups::Unshared;
use lockpair::batch::kbuild::KernelConfig;
use lockpair::batch::{Config, Shard, machine};
use lockpair::config::Environment;
use lockpair::frontend::{self, Kernel};
use lockpair::pipeline::environment;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

pub const EXAMPLES: &str = "\
Examples:
  lockpair batch --tree ~/linux drivers/char drivers/rtc
      Check every module of two directories; records and summary.md go to lockpair-results/.
  lockpair batch --tree ~/linux --text drivers/char/nvram drivers/net/ethernet/realtek/r8169
      Check two modules, and keep their reports as text.
  lockpair batch --tree ~/linux drivers -- --kernel ~/linux --timeout 5 -- -DDEBUG
      The same with options for every check, and flags for clang.
  lockpair batch --tree ~/linux drivers --shard $SLURM_ARRAY_TASK_ID/100 --output /shared/results
      One task of a job array (--array=1-100). The same without --shard then sums up.

A run that was stopped is continued by the same command: a module is checked again only if its files,
the options or lockpair itself have changed since.

Exit codes:
  0    every check came to its end, whatever the verdicts
  2    wrong usage or wrong input
  3    some check was stopped by a limit, or crashed: the summary names it
  130  interrupted; what was done is kept";

/// The part of a module's time that its pairs may use; the rest is for clang and the report.
const SHARE_OF_PAIRS: f64 = 0.6;

/// `lockpair batch`.
#[derive(Args, Debug)]
pub struct Batch {
    /// Directories of the kernel's source, whose Makefiles say which files are one module, or modules of them
    /// (drivers/char/nvram)
    #[arg(required = true, value_name = "DIRS")]
    dirs: Vec<PathBuf>,

    /// The root of the kernel's source
    #[arg(long, value_name = "DIR", default_value = ".")]
    tree: PathBuf,

    /// Where the records of the modules and the summary go
    #[arg(short, long, value_name = "DIR", default_value = "lockpair-results")]
    pub output: PathBuf,

    /// Modules to check at once, each with one thread [default: one per core]
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZeroUsize>,

    /// Check only this part of the modules: the Ith of N
    #[arg(long, value_name = "I/N", default_value = "1/1", value_parser = parse_shard)]
    shard: Shard,

    /// Time for one module; then it reports what it has
    #[arg(long, value_name = "SECS", default_value = "120", value_parser = super::parse_seconds)]
    module_timeout: Duration,

    /// Memory for one module, in megabytes
    #[arg(long, value_name = "MB", default_value = "4096", value_parser = clap::value_parser!(u32).range(1..))]
    module_memory: u32,

    /// Check a module that exports functions which only a few other modules call together with these, as one
    #[arg(long)]
    together: bool,

    /// Keep each module's report as text, too, and print a line per module
    #[arg(long)]
    text: bool,

    /// Options for each `lockpair check`, after the directories and `--`; flags for clang after another `--`
    #[arg(last = true, value_name = "CHECK OPTIONS", allow_hyphen_values = true)]
    check: Vec<String>,
}

impl Batch {
    /// What the run gets.
    pub fn config(&self) -> Result<Config> {
        let check = self.check()?;
        let (mut options, clang_flags) = self.split_options();
        if check.jobs.is_none() {
            options.extend(["--jobs".to_owned(), "1".to_owned()]);
        }
        if !options.iter().any(|option| option.starts_with("--total-timeout")) {
            let seconds = self.module_timeout.mul_f64(SHARE_OF_PAIRS).as_secs_f64();
            options.extend(["--total-timeout".to_owned(), seconds.to_string()]);
        }
        let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Ok(Config {
            tree: std::path::absolute(&self.tree).context("cannot find the current directory")?,
            dirs: self.dirs.clone(),
            unshared: self.unshared(&check)?,
            kernel: configuration(&check.input.kernel)?,
            output: self.output.clone(),
            jobs: self.jobs.map_or_else(cores, NonZeroUsize::get),
            shard: self.shard,
            limits: Limits { time: self.module_timeout, memory_mb: self.module_memory.into() },
            options,
            clang_flags,
            text: self.text,
        })
    }

    /// The exported functions that make modules belong together.
    fn unshared(&self, check: &Check) -> Result<Unshared> {
        if !self.together {
            return Ok(Unshared::new());
        }
        Ok(environment::model(&check.config(), Environment::Linux)?.unshared.clone())
    }

    /// What the run was made with, for the summary.
    pub fn setting(&self) -> Result<Vec<(String, String)>> {
        let check = self.check()?;
        let clang = frontend::find_clang(check.input.clang.as_deref()).ok();
        let mut setting = vec![("command".to_owned(), format!("`{}`", command_line()))];
        setting.extend(machine::describe(clang.as_deref(), headers(&check.input.kernel)?.as_deref()));
        Ok(setting)
    }

    /// The options of the checks, understood as `lockpair check` will.
    fn check(&self) -> Result<Check> {
        let file = "module.c".to_owned();
        let arguments =
            ["lockpair".to_owned(), "check".to_owned(), file].into_iter().chain(self.check.clone());
        let Command::Check(check) =
            Cli::try_parse_from(arguments).unwrap_or_else(|error| error.exit()).command
        else {
            bail!("the options after -- are those of `lockpair check`");
        };
        let files = [&check.output, &check.text, &check.emit_smt];
        let ours = check.format != super::FormatArg::Text || files.iter().any(|file| file.is_some());
        if ours || check.dump.is_some() || check.input.files.len() != 1 || !check.input.with.is_empty() {
            bail!(
                "batch itself decides about the files, --with, --format, --output, --text, --dump and --emit-smt of \
                 a check"
            );
        }
        Ok(check)
    }

    /// The options, and the flags for clang.
    fn split_options(&self) -> (Vec<String>, Vec<String>) {
        let mut parts = self.check.splitn(2, |argument| argument == "--").map(<[String]>::to_vec);
        (parts.next().unwrap_or_default(), parts.next().unwrap_or_default())
    }
}

fn command_line() -> String {
    let program = std::iter::once("lockpair".to_owned());
    program.chain(std::env::args().skip(1)).collect::<Vec<_>>().join(" ")
}

fn headers(kernel: &Kernel) -> Result<Option<PathBuf>> {
    Ok(match kernel {
        Kernel::None => None,
        Kernel::Auto => Some(frontend::detect_kernel()?),
        Kernel::Dir(dir) => Some(dir.clone()),
    })
}

fn configuration(kernel: &Kernel) -> Result<KernelConfig> {
    let options = headers(kernel)?.map(|dir| frontend::configured(&dir)).transpose()?;
    Ok(KernelConfig(options))
}

fn parse_shard(text: &str) -> Result<Shard> {
    let numbers = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    match numbers {
        Some((index, count)) if 1 <= index && index <= count => Ok(Shard { index, count }),
        _ => bail!("give two numbers: 3/8 is the third of eight parts"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch(arguments: &[&str]) -> Batch {
        let cli = Cli::try_parse_from(["lockpair", "batch"].iter().chain(arguments)).unwrap();
        match cli.command {
            Command::Batch(batch) => batch,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn options_and_flags_are_told_apart() {
        let config = batch(&["d", "--", "--kernel", "none", "--", "-DX", "--", "-I", "y"]).config().unwrap();
        assert_eq!(config.options, ["--kernel", "none", "--jobs", "1", "--total-timeout", "72"]);
        assert_eq!(config.clang_flags, ["-DX", "--", "-I", "y"]);
        assert!(config.kernel.0.is_none());
        let config = batch(&["d", "--", "--kernel", "none", "-j2", "--total-timeout=9"]).config().unwrap();
        assert_eq!(config.options, ["--kernel", "none", "-j2", "--total-timeout=9"]);
        assert!(config.clang_flags.is_empty());
    }

    #[test]
    fn what_batch_decides_is_refused() {
        for options in [&["-f", "json"][..], &["-o", "x"], &["y.c"], &["--emit-smt", "x"]] {
            assert!(batch(&[&["d", "--", "--kernel", "none"], options].concat()).config().is_err());
        }
    }

    #[test]
    fn shards_are_checked() {
        assert_eq!(parse_shard("3/8").unwrap(), Shard { index: 3, count: 8 });
        assert!(["0/2", "3/2", "1", "a/b", "1/0", ""].iter().all(|text| parse_shard(text).is_err()));
    }
}
