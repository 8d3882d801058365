//! The command line: what a user may write, and its translation into a [`Config`].

mod batch;
mod env;
mod mutate;
mod output;
mod progress;

pub use batch::Batch;
pub use env::{Compare, Env, EnvCommand, Exports, InferEnv, Show};
pub use mutate::Mutate;
pub use output::{Destination, Failure};
pub use progress::{BatchTerminal, Terminal, interrupted, listen_for_interrupts};

use anyhow::{Context, Result, bail};
use clap::{Args, Parser, Subcommand, ValueEnum};
use lockpair::config::{Config, Effort, Environment, Stage, Switches};
use lockpair::frontend::Kernel;
use lockpair::report::{Format, Options};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  lockpair check drivers/char/nvram.c
      Check a driver against the installed kernel headers.
  lockpair check --kernel ~/linux drivers/net/foo/*.c -- -DCONFIG_FOO_DEBUG
      Check a driver of several files against a kernel tree, with a flag for clang.
  lockpair check --kernel none -f json -o report.json examples/counter.c
      Write a report for programs; docs/json.md describes it.
  lockpair check --pair foo_ioctl,foo_interrupt --emit-smt queries foo.c
      Check one pair and keep its query for another solver.
  lockpair check server.c queue.c -- -Iinclude
      Check a program with POSIX or C11 threads.
  lockpair batch --tree ~/linux drivers/char drivers/rtc --output results
      Check every module of two directories; a record per module goes to results/.
  lockpair pairs foo.c
      List the pairs, with the reason for each one that is not checked.

Exit codes:
  0    every pair of entry points is free of data races
  1    there are races or potential races
  2    wrong usage or wrong input; also when the file has no entry point
  3    no race was found, but some pair could not be decided
  130  interrupted twice, or before there was anything to report";

/// Proves device drivers free of data races, or shows where the races are.
///
/// Each two entry points of a driver that the kernel may run at the same time are checked for two
/// conflicting accesses to one byte that no lock keeps apart.
#[derive(Parser, Debug)]
#[command(name = "lockpair", version, after_help = EXAMPLES, max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,

    /// When to use colours; NO_COLOR is respected
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: Color,

    /// Say more on stderr; twice for everything
    #[arg(short, long, global = true, action = clap::ArgAction::Count, conflicts_with = "quiet")]
    pub verbose: u8,

    /// Say nothing on stderr but errors, and no summary when the report goes to a file
    #[arg(short, long, global = true)]
    pub quiet: bool,
}

/// What to do.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Check all pairs of entry points of one driver
    #[command(after_help = EXAMPLES)]
    Check(Check),
    /// Check many drivers: every module of directories of the kernel's source, each in a process of its own
    #[command(after_help = batch::EXAMPLES)]
    Batch(Batch),
    /// List the entry points: the functions that the kernel calls
    EntryPoints(ListEntryPoints),
    /// List all pairs of entry points, with the reason for each one that is not checked
    Pairs(ListPairs),
    /// Infer rows of the environment model from the kernel's own source
    #[command(after_help = env::EXAMPLES)]
    InferEnv(InferEnv),
    /// Take away one protection of a proved driver after the other, and see whether that is reported
    #[command(after_help = mutate::EXAMPLES)]
    Mutate(Mutate),
    /// Look at the environment model: what the kernel does around drivers
    #[command(after_help = env::SHOW_EXAMPLES)]
    Env(Env),
}

/// So many problems are shown in full on stdout, unless all are asked for.
const IN_FULL: usize = 10;

/// `lockpair check`.
#[derive(Args, Debug)]
pub struct Check {
    #[command(flatten)]
    input: Input,

    /// The shape of the report
    #[arg(short, long, value_name = "FORMAT", default_value = "text")]
    format: FormatArg,

    /// Write the report to this file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Also write the report as text to this file
    #[arg(long, value_name = "FILE")]
    text: Option<PathBuf>,

    /// List every assumption in the text report
    #[arg(long)]
    assumptions: bool,

    /// Show all problems with their sources, calls and locks, as in files: on stdout only the worst ten, of the others a line each
    #[arg(long)]
    full: bool,

    /// What a function without body and without a row of the model does to its pointer arguments:
    /// read and write what they reach, or nothing
    #[arg(long, value_name = "EFFECT", default_value = "readwrite")]
    externals: Externals,

    /// Check only the pair of these two entry points
    #[arg(long, value_name = "A,B", value_parser = parse_pair)]
    pair: Option<(String, String)>,

    /// Also look for something else: `deadlock`, locks that are taken twice, left held, or taken in opposite orders
    #[arg(long, value_name = "WHAT", hide_possible_values = true)]
    check: Option<AlsoCheck>,

    /// How many states of a program are looked at for executions of its races; of a driver, a part of it for each pair; 0 for none
    #[arg(long, value_name = "STATES", default_value_t = Effort::default().states)]
    confirm: usize,

    /// How many context switches such an execution has at most
    #[arg(long, value_name = "N", default_value_t = Effort::default().switches)]
    switches: u32,

    /// Where these may be: at accesses that may race and operations on locks, or at all accesses
    #[arg(long, value_name = "WHERE", default_value = "races")]
    switch_at: Switches,

    /// Write each query as an SMT-LIB 2 file into this directory
    #[arg(long, value_name = "DIR")]
    emit_smt: Option<PathBuf>,

    /// Also print what a stage produces, before the report
    #[arg(long, value_name = "STAGE")]
    dump: Option<Stage>,

    /// Summarize all call trees of more than this many instructions
    #[arg(long, value_name = "N", hide = true)]
    inline_limit: Option<usize>,

    /// Threads to use [default: one per core]
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZeroUsize>,

    /// Hard limit of one query; the pair is unknown if it is reached
    #[arg(long, value_name = "SECS", default_value = "10", value_parser = parse_seconds)]
    timeout: Duration,

    /// Hard limit of all queries of one pair
    #[arg(long, value_name = "SECS", default_value = "60", value_parser = parse_seconds)]
    pair_timeout: Duration,

    /// Hard limit of encoding, and of all pairs together; when half of it is used up, one race per pair has to
    /// do
    #[arg(long, value_name = "SECS", default_value = "600", value_parser = parse_seconds)]
    total_timeout: Duration,

    /// Memory that a solver may use, in megabytes
    #[arg(long, value_name = "MB", default_value = "2048", value_parser = clap::value_parser!(u32).range(1..))]
    memory: u32,

    /// Races to enumerate per pair before the rest is left unknown; fewer where there are thousands of pairs
    #[arg(long, value_name = "N", default_value = "25")]
    max_races: NonZeroUsize,
}

/// `lockpair entry-points`.
#[derive(Args, Debug)]
pub struct ListEntryPoints {
    #[command(flatten)]
    input: Input,

    /// Print XML, to be changed and given back with --entry-points
    #[arg(long)]
    pub xml: bool,
}

/// `lockpair pairs`.
#[derive(Args, Debug)]
pub struct ListPairs {
    #[command(flatten)]
    input: Input,
}

/// What all commands read.
#[derive(Args, Debug)]
struct Input {
    /// The files of one driver: C (.c), or LLVM bitcode or text (.bc, .ll)
    #[arg(required = true, value_name = "FILES")]
    files: Vec<PathBuf>,

    /// Another module that uses this one or is used by it, by all of its files: both are checked as they run together. May be given
    /// several times
    #[arg(long, value_name = "FILE,...", value_parser = parse_files)]
    with: Vec<Files>,

    /// Flags for clang, after the files and `--`
    #[arg(last = true, value_name = "CLANG FLAGS", allow_hyphen_values = true)]
    clang_flags: Vec<String>,

    /// What the code runs in: a kernel, or a process with threads of its own [default: what the sources look like]
    #[arg(long = "env", value_name = "linux|posix", hide_possible_values = true)]
    environment: Option<Environment>,

    /// The kernel's headers: a kernel tree or header package, `auto` for an installed package, or
    /// `none`
    #[arg(long, value_name = "DIR|auto|none", default_value = "auto", value_parser = parse_kernel)]
    kernel: Kernel,

    /// The compiler [default: the clang that matches the LLVM library]
    #[arg(long, value_name = "PATH")]
    clang: Option<PathBuf>,

    /// More rows for the environment model; may be given several times, later rows win
    #[arg(long = "model", value_name = "FILE.xml")]
    models: Vec<PathBuf>,

    /// The files are all of their module: what is neither static nor exported, and used by none of them, nobody calls. Without it,
    /// such a function is taken as a sign that files are missing, which may call all that is not static
    #[arg(long)]
    whole_module: bool,

    /// Take the entry points from this file instead of looking for them
    #[arg(long, value_name = "FILE.xml")]
    entry_points: Option<PathBuf>,
}

/// When to use colours.
#[derive(Copy, Clone, PartialEq, Eq, ValueEnum, Debug)]
pub enum Color {
    /// If stdout is a terminal that can
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Copy, Clone, PartialEq, Eq, ValueEnum, Debug)]
enum FormatArg {
    /// For people
    Text,
    /// For programs
    Json,
    /// One line of numbers
    Table,
}

#[derive(Copy, Clone, PartialEq, Eq, ValueEnum, Debug)]
enum Externals {
    /// They read and write it
    Readwrite,
    /// They touch nothing
    Pure,
}

/// What `check` looks for besides races.
#[derive(Copy, Clone, PartialEq, Eq, ValueEnum, Debug)]
enum AlsoCheck {
    /// Locks that are used wrongly
    Deadlock,
}

impl Color {
    /// Whether to use colours in what goes to stdout.
    pub fn on_stdout(self) -> bool {
        self.on(&std::io::stdout())
    }

    /// Whether to use colours in what goes to stderr.
    pub fn on_stderr(self) -> bool {
        self.on(&std::io::stderr())
    }

    fn on(self, stream: &impl anstream::stream::RawStream) -> bool {
        match self {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => anstream::AutoStream::choice(stream) != anstream::ColorChoice::Never,
        }
    }
}

impl Check {
    /// What the pipeline gets.
    pub fn config(&self) -> Config {
        Config {
            pure_externals: self.externals == Externals::Pure,
            deadlocks: self.check == Some(AlsoCheck::Deadlock),
            confirm: Effort { states: self.confirm, switches: self.switches, at: self.switch_at },
            emit_smt: self.emit_smt.clone(),
            jobs: self.jobs.map(NonZeroUsize::get),
            query_timeout: self.timeout,
            pair_timeout: self.pair_timeout,
            total_timeout: self.total_timeout,
            memory_mb: self.memory,
            max_races: self.max_races.get(),
            only_pair: self.pair.clone(),
            dump: self.dump,
            inline_limit: self.inline_limit,
            ..self.input.config()
        }
    }

    /// The shape of the report.
    pub fn format(&self) -> Format {
        match self.format {
            FormatArg::Text => Format::Text,
            FormatArg::Json => Format::Json,
            FormatArg::Table => Format::Table,
        }
    }

    /// What is written besides the report: shape and file.
    pub fn second_report(&self) -> Option<(Format, PathBuf)> {
        self.text.clone().map(|file| (Format::Text, file))
    }

    /// What a report gets that goes to a file, or to stdout.
    pub fn report_options(&self, color: Color, to_file: bool) -> Options {
        let color = if to_file { color == Color::Always } else { color.on_stdout() };
        Options {
            inputs: self.input.config().modules().flatten().cloned().collect(),
            base: std::env::current_dir().ok(),
            color,
            all_assumptions: self.assumptions,
            in_full: (!to_file && !self.full).then_some(IN_FULL),
        }
    }
}

impl ListEntryPoints {
    /// What the pipeline gets.
    pub fn config(&self) -> Config {
        self.input.config()
    }
}

impl ListPairs {
    /// What the pipeline gets.
    pub fn config(&self) -> Config {
        self.input.config()
    }
}

impl Input {
    /// Files are not looked at here: whoever reads one says what is wrong with it.
    fn config(&self) -> Config {
        Config {
            clang_flags: self.clang_flags.clone(),
            environment: self.environment,
            kernel: self.kernel.clone(),
            clang: self.clang.clone(),
            models: self.models.clone(),
            entry_points: self.entry_points.clone(),
            whole_module: self.whole_module,
            with: self.with.iter().map(|module| module.0.clone()).collect(),
            ..Config::new(self.files.clone())
        }
    }
}

fn parse_kernel(text: &str) -> Result<Kernel> {
    Ok(match text {
        "" => bail!("give a directory, `auto` or `none`"),
        "auto" => Kernel::Auto,
        "none" => Kernel::None,
        dir => Kernel::Dir(PathBuf::from(dir)),
    })
}

/// The files of one module.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Files(Vec<PathBuf>);

fn parse_files(text: &str) -> Result<Files> {
    let files: Vec<PathBuf> = text.split(',').map(|file| PathBuf::from(file.trim())).collect();
    match files.iter().any(|file| file.as_os_str().is_empty()) {
        true => bail!("give files with commas between them"),
        false => Ok(Files(files)),
    }
}

fn parse_pair(text: &str) -> Result<(String, String)> {
    match text.split(',').map(str::trim).collect::<Vec<_>>()[..] {
        [a, b] if !a.is_empty() && !b.is_empty() => Ok((a.to_owned(), b.to_owned())),
        _ => bail!("give two names with a comma between them"),
    }
}

fn parse_seconds(text: &str) -> Result<Duration> {
    let seconds: f64 = text.parse().context("not a number of seconds")?;
    match Duration::try_from_secs_f64(seconds) {
        Ok(duration) if !duration.is_zero() => Ok(duration),
        _ => bail!("give a number of seconds greater than zero"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use std::path::Path;

    fn check(arguments: &[&str]) -> Check {
        let cli = Cli::try_parse_from(["lockpair", "check"].iter().chain(arguments)).unwrap();
        match cli.command {
            Command::Check(check) => check,
            other => panic!("{other:?}"),
        }
    }

    fn refused(arguments: &[&str]) -> bool {
        Cli::try_parse_from(["lockpair", "check", "a.c"].iter().chain(arguments)).is_err()
    }

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_defaults_are_those_of_the_library() {
        let from_arguments = check(&["a.c"]).config();
        assert_eq!(format!("{from_arguments:?}"), format!("{:?}", Config::new(vec!["a.c".into()])));
    }

    #[test]
    fn what_follows_the_dashes_is_for_clang() {
        let check = check(&["a.c", "b.c", "--jobs", "3", "--", "-DX", "-I", "inc"]);
        assert_eq!(check.input.files, [Path::new("a.c"), Path::new("b.c")]);
        assert_eq!(check.input.clang_flags, ["-DX", "-I", "inc"]);
        assert_eq!(check.jobs.map(NonZeroUsize::get), Some(3));
    }

    #[test]
    fn only_reports_on_stdout_are_cut() {
        let in_full =
            |arguments: &[&str], to_file| check(arguments).report_options(Color::Never, to_file).in_full;
        assert_eq!(in_full(&["a.c"], false), Some(IN_FULL));
        assert_eq!(in_full(&["a.c"], true), None);
        assert_eq!(in_full(&["a.c", "--full"], false), None);
    }

    #[test]
    fn values_are_checked() {
        assert!(refused(&["--timeout", "0"]));
        assert!(refused(&["--timeout", "-1"]));
        assert!(refused(&["--timeout", "nan"]));
        assert!(refused(&["--pair", "a"]));
        assert!(refused(&["--pair", "a,b,c"]));
        assert!(refused(&["--jobs", "0"]));
        assert!(refused(&["--memory", "0"]));
        assert!(refused(&["--dump", "everything"]));
        assert!(refused(&["--with", "b.c,,c.c"]));
        assert!(refused(&["-q", "-v"]));
        assert!(!refused(&["--timeout", "0.5", "--pair", "a, b", "--dump", "entry-points"]));
    }

    #[test]
    fn kernels_are_told_apart() {
        assert_eq!(parse_kernel("auto").unwrap(), Kernel::Auto);
        assert_eq!(parse_kernel("none").unwrap(), Kernel::None);
        assert_eq!(parse_kernel("/linux").unwrap(), Kernel::Dir("/linux".into()));
        assert!(parse_kernel("").is_err());
    }

    #[test]
    fn modules_are_given_by_their_files() {
        let with = check(&["a.c", "--with", "b.c, c.c", "--with", "d.c", "e.c"]).config();
        let modules: Vec<Vec<&str>> =
            with.modules().map(|files| files.iter().filter_map(|file| file.to_str()).collect()).collect();
        assert_eq!(modules, [vec!["a.c", "e.c"], vec!["b.c", "c.c"], vec!["d.c"]]);
    }

    #[test]
    fn help_is_stable() {
        let mut command = Cli::command().term_width(100);
        command.build();
        let check = command.find_subcommand_mut("check").unwrap();
        insta::assert_snapshot!(check.render_long_help().to_string());
    }
}
