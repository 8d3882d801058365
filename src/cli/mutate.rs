//! The arguments of `lockpair mutate`, and what they mean.

use super::{FormatArg, Input};
use clap::Args;
use lockpair::config::Config;
use lockpair::mutate;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

pub const EXAMPLES: &str = "\
Examples:
  lockpair mutate drivers/char/nvram.c
      Try every mutant of a driver.
  lockpair mutate --sample 40 --seed 7 -f json -o mutants.json foo.c bar.c -- -DMODULE
      Try forty, drawn by splitmix64 from seed 7, and write what came out for programs.

A mutant is reported (killed); or redundant: named other protections keep the accesses apart; or it protects nothing:
no access under it may touch the same memory as another one under it; or it is a survivor: a race may be missed.

Exit codes:
  0    no mutant survived
  1    some mutant survived
  2    wrong usage or wrong input
  3    none survived, but some mutant could not be decided, or no pair is proved
  130  interrupted; what was done is reported";

/// `lockpair mutate`.
#[derive(Args, Debug)]
pub struct Mutate {
    #[command(flatten)]
    input: Input,

    /// The shape of the report
    #[arg(short, long, value_name = "FORMAT", default_value = "text")]
    format: FormatArg,

    /// Write the report to this file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Where drawing begins
    #[arg(long, value_name = "N", default_value = "1")]
    pub seed: u64,

    /// How many mutants to draw [default: all]
    #[arg(long, value_name = "N")]
    sample: Option<usize>,

    /// Mutants to try at once, each with one thread [default: one per core]
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZeroUsize>,

    /// Hard limit of one verification
    #[arg(long, value_name = "SECS", default_value = "60", value_parser = super::parse_seconds)]
    timeout: Duration,
}

impl Mutate {
    /// What verification gets.
    pub fn config(&self) -> Config {
        Config { jobs: self.jobs.map(NonZeroUsize::get), total_timeout: self.timeout, ..self.input.config() }
    }

    /// What is tried.
    pub fn options(&self) -> mutate::Options {
        mutate::Options { seed: self.seed, sample: self.sample }
    }

    /// Whether the report is for programs.
    pub fn is_json(&self) -> bool {
        self.format == FormatArg::Json
    }
}
