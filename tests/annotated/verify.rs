//! Runs the real pipeline on one input: clang with the stub headers, no kernel tree.

use lockpair::config::{Config, Silent};
use lockpair::frontend::Kernel;
use lockpair::pipeline::{self, Prepared};
use lockpair::verdict::Analysis;
use lockpair_env::{Kind, Model};
use lockpair_ir::Module;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// The top of the repository.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// So many races are named per pair: all that an input has, so that none is missed for others.
const RACES: usize = 250;

/// How inputs of the tests are checked; the files run side by side, so each gets one thread.
pub fn config(file: &Path, flags: &[String]) -> Config {
    // Programs have the headers of the C library.
    let inside = file.strip_prefix(root()).unwrap_or(file);
    let is_program = inside.components().any(|part| part.as_os_str() == "posix");
    let stubs = format!("-I{}", root().join("env-models/include").display());
    let mut clang_flags: Vec<String> = Some(stubs).into_iter().filter(|_| !is_program).collect();
    clang_flags.extend(flags.iter().cloned());
    let defaults = Config::new(vec![file.to_owned()]);
    Config { clang_flags, kernel: Kernel::None, jobs: Some(1), max_races: RACES, ..defaults }
}

/// An input with its entry points found, to be verified in several ways.
pub struct Input {
    config: Config,
    prepared: Prepared,
}

impl Input {
    /// Reads an input, or says why that fails: an error, or a panic.
    pub fn read(config: Config) -> Result<Input, String> {
        let prepared = guarded(|| pipeline::with_workers(&config, || pipeline::prepare(&config)))?;
        Ok(Input { config, prepared })
    }

    /// The analysis with this limit of inlining, or why there is none.
    pub fn verify(&self, inline_limit: Option<usize>) -> Result<Analysis, String> {
        let config = Config { inline_limit, ..self.config.clone() };
        let verify = || pipeline::verify(&config, self.prepared.clone(), &Silent);
        guarded(|| pipeline::with_workers(&config, verify))
    }
}

impl Input {
    /// The program as the front end delivered it, if it is one.
    pub fn program(&self) -> Option<&Module> {
        self.prepared.program.as_ref().filter(|_| self.model().kind == Kind::Program)
    }

    /// The driver with the effects of the rows, if it is one.
    pub fn driver(&self) -> Option<&Module> {
        self.prepared.program.as_ref().filter(|_| self.model().kind == Kind::Kernel)
    }

    /// The rows of its environment.
    pub fn model(&self) -> &Model {
        &self.prepared.model
    }
}

fn guarded<T>(work: impl FnOnce() -> anyhow::Result<T>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => result.map_err(|error| format!("{error:#}")),
        Err(_) => Err("panicked".to_owned()),
    }
}
