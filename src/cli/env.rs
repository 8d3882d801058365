//! The arguments of `lockpair infer-env`, and what they mean.

use anyhow::Result;
use clap::{Args, Subcommand};
use lockpair::config::{Config, Environment};
use lockpair::frontend::Kernel;
use lockpair::infer_env;
use lockpair::pipeline::environment;
use lockpair_env::Model;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

pub const EXAMPLES: &str = "\
Examples:
  lockpair infer-env --kernel ~/linux drivers/rtc drivers/base -o rows.xml
      Infer how these directories call what drivers put into ops tables.
  lockpair check --model rows.xml foo.c
      Check a driver with the inferred rows.
  lockpair infer-env --kernel ~/linux drivers/rtc --explain rtc_class_ops.read_time
      Say at which calls which locks are held, and why no more are.

A file that does not compile is named and left out. Files of the tree that were not given are searched for the
names that were found: what they may call, too, is `assumed` in the rows.";

/// `lockpair infer-env`.
#[derive(Args, Debug)]
pub struct InferEnv {
    /// Files and directories of the kernel's source, whose Makefiles say which files there are
    #[arg(required = true, value_name = "FILES|DIRS")]
    inputs: Vec<PathBuf>,

    /// The root of the kernel's source
    #[arg(long, value_name = "SRC", default_value = ".")]
    kernel: PathBuf,

    /// The headers and the configuration to compile with: a configured kernel tree or header package, or `auto` for an
    /// installed package
    #[arg(long, value_name = "DIR|auto", default_value = "auto", value_parser = super::parse_kernel)]
    headers: Kernel,

    /// The kernel that the rows are for, to be named in the file
    #[arg(long = "for", value_name = "NAME", default_value = "this kernel")]
    pub version: String,

    /// Instead of rows, print the calls of these members (rtc_class_ops.read_time), what is held at each, and the ways to them
    #[arg(long, value_name = "MEMBERS", value_delimiter = ',')]
    pub explain: Vec<String>,

    /// Also infer rows of functions that have one by hand, for `env compare`
    #[arg(long)]
    all: bool,

    /// Where the rows go
    #[arg(short, long, value_name = "FILE.xml")]
    pub output: Option<PathBuf>,

    /// The compiler [default: the clang that matches the LLVM library]
    #[arg(long, value_name = "PATH")]
    clang: Option<PathBuf>,

    /// Flags for clang, after the files and `--`
    #[arg(last = true, value_name = "CLANG FLAGS", allow_hyphen_values = true)]
    clang_flags: Vec<String>,

    /// Threads to use [default: one per core]
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
}

impl InferEnv {
    /// What inference gets.
    pub fn config(&self) -> infer_env::Config {
        infer_env::Config {
            tree: self.kernel.clone(),
            kernel: self.headers.clone(),
            inputs: self.inputs.clone(),
            clang: self.clang.clone(),
            clang_flags: self.clang_flags.clone(),
            jobs: self.jobs.map(NonZeroUsize::get),
            all: self.all,
            explain: self.explain.clone(),
        }
    }
}

pub const SHOW_EXAMPLES: &str = "\
Examples:
  lockpair env show rtc_class_ops.read_time kfree_skb
      Print the rows, with their evidence.
  lockpair env compare rows.xml
      Say where inferred rows differ from the built-in ones.
  lockpair env exports --kernel ~/linux -o exports.xml
      List the exported functions that only their own files mention, for `check --model exports.xml`.";

/// `lockpair env`.
#[derive(Args, Debug)]
pub struct Env {
    #[command(subcommand)]
    pub command: EnvCommand,
}

/// What to do with the environment model.
#[derive(Subcommand, Debug)]
pub enum EnvCommand {
    /// Print rows: of a member of an ops table (rtc_class_ops.read_time), a function, or a class of callbacks
    Show(Show),
    /// Compare the rows of a file with the built-in ones that were written by hand
    Compare(Compare),
    /// Write down which exported functions of a kernel no other module mentions
    Exports(Exports),
}

/// `lockpair env exports`.
#[derive(Args, Debug)]
pub struct Exports {
    /// The root of the kernel's source, all of it
    #[arg(long, value_name = "SRC")]
    pub kernel: PathBuf,

    /// The kernel that the rows are for, to be named in the file
    #[arg(long = "for", value_name = "NAME", default_value = "this kernel")]
    pub version: String,

    /// Where the rows go
    #[arg(short, long, value_name = "FILE.xml")]
    pub output: Option<PathBuf>,
}

/// `lockpair env show`.
#[derive(Args, Debug)]
pub struct Show {
    /// What the rows are of
    #[arg(required = true, value_name = "NAMES")]
    pub names: Vec<String>,

    /// More rows for the environment model; may be given several times, later rows win
    #[arg(long = "model", value_name = "FILE.xml")]
    models: Vec<PathBuf>,

    /// Which environment
    #[arg(long = "env", value_name = "linux|posix", default_value = "linux", hide_possible_values = true)]
    environment: Environment,
}

impl Show {
    /// The rows to look among.
    pub fn model(&self) -> Result<Arc<Model>> {
        let config = Config { models: self.models.clone(), ..Config::new(Vec::new()) };
        environment::model(&config, self.environment)
    }
}

/// `lockpair env compare`.
#[derive(Args, Debug)]
pub struct Compare {
    /// The rows to compare
    #[arg(value_name = "FILE.xml")]
    pub file: PathBuf,
}
