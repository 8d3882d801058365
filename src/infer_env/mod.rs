//! Rows of the environment model from the kernel's own source: who calls what stands in an ops table, with which locks
//! held and with whose memory.
//!
//! The way, top to bottom: each file is compiled and kept as a [`digest`] of paths and of what is done to memory
//! ([`touch`]), with the rows of functions that it does not define ([`known`]); the digests are linked ([`program`]);
//! [`locks`] says bottom-up what each function does to the locks of its caller and what it holds at each call;
//! [`invoke`] how it calls functions that are its arguments; [`contexts`] top-down how it is called, intersected over all calls, with what the parameters have to do with each other ([`same`]), and [`explain`] why; [`scan`] who else might call, in files that were
//! not given; [`accesses`] bottom-up what each function does to the memory of its callers; [`rows`] writes that down.

pub mod accesses;
pub mod contexts;
pub mod digest;
pub mod explain;
pub mod exports;
pub mod invoke;
pub mod known;
pub mod locks;
mod pasting;
pub mod path;
pub mod program;
mod rewritten;
pub mod rows;
pub mod same;
pub mod scan;
pub mod tables;
pub mod touch;
pub mod types;

#[cfg(test)]
mod tests;

use crate::batch::kbuild::KernelConfig;
use crate::batch::units;
use crate::config::Progress;
use crate::frontend::{self, Kernel};
use anyhow::{Context as _, Result, bail};
use contexts::World;
use digest::Digest;
use lockpair_env::{ApplyOptions, Model};
use program::Program;
use rayon::prelude::*;
use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use types::Types;

/// A name.
pub type Symbol = Arc<str>;

/// What to read.
#[derive(Clone, Debug)]
pub struct Config {
    /// The kernel's source.
    pub tree: PathBuf,
    /// Whose headers and configuration it is compiled with.
    pub kernel: Kernel,
    /// Files and directories of the tree.
    pub inputs: Vec<PathBuf>,
    /// The compiler.
    pub clang: Option<PathBuf>,
    /// Further flags for it.
    pub clang_flags: Vec<String>,
    /// How many threads work; by default one per core.
    pub jobs: Option<usize>,
    /// Whether functions get a row that have one by hand.
    pub all: bool,
    /// Members whose calls are to be told.
    pub explain: Vec<String>,
}

/// What came out.
#[derive(Debug)]
pub struct Inferred {
    /// The rows.
    pub model: Model,
    /// Files that did not compile, with the reason.
    pub failed: Vec<(PathBuf, String)>,
    /// How many files were read.
    pub files: usize,
    /// How many functions they define.
    pub functions: usize,
    /// The calls of the members that were asked for.
    pub explanations: Vec<String>,
}

/// Reads the files and infers the rows.
pub fn infer(config: &Config, progress: &dyn Progress) -> Result<Inferred> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(config.jobs.unwrap_or(0)).build()?;
    pool.install(|| {
        let files = files(config)?;
        progress.stage(&format!("reading {} files", files.len()));
        let (digests, types, failed) = read(config, &files, progress);
        if progress.interrupted() {
            bail!("interrupted: nothing was written");
        }
        let given: HashSet<PathBuf> = files.iter().map(|(file, _)| file.clone()).collect();
        progress.stage("linking");
        let mut program = Program::link(digests, types);
        let unseen = unseen(config, &program, &given);
        progress.stage("following locks");
        let facts = locks::infer(&mut program);
        let invokes = invoke::infer(&program, &facts);
        let known = Model::linux_by_hand();
        let open = contexts::infer(&program, &facts, &invokes, &unseen, World::Open, &known);
        let closed = contexts::infer(&program, &facts, &invokes, &unseen, World::Closed, &known);
        let explanations = config.explain.iter().map(|member| explain::explain(&closed, member)).collect();
        let mut model = rows::callbacks(&program, &open.contexts, &closed.contexts, &unseen);
        progress.stage("following accesses");
        let summaries = accesses::infer(&program, &facts);
        rows::functions(&program, &facts, &summaries, config.all, &mut model);
        model.all_inferred();
        Ok(Inferred { model, failed, files: given.len(), functions: program.funcs.len(), explanations })
    })
}

/// The C files, relative to the tree, each with the flags that its Makefile has for it.
fn files(config: &Config) -> Result<Vec<(PathBuf, Vec<String>)>> {
    let mut files = Vec::new();
    for input in &config.inputs {
        let path = config.tree.join(input);
        if path.is_dir() {
            let units = units::find(&config.tree, std::slice::from_ref(input), &configuration(config)?);
            let units = units.with_context(|| input.display().to_string())?;
            let is_test = |file: &Path| scan::is_unit_test(&scan::text(&config.tree.join(file)));
            for unit in units.units {
                let files_of_unit = unit.files.into_iter().filter(|file| !is_test(file));
                files.extend(files_of_unit.map(|file| (file, unit.flags.clone())));
            }
        } else if path.is_file() {
            files.push((input.clone(), Vec::new()));
        } else {
            bail!("{}: not in {}", input.display(), config.tree.display());
        }
    }
    let mut seen = HashSet::new();
    files.retain(|(file, _)| seen.insert(file.clone()));
    if files.is_empty() {
        bail!("no C file is given");
    }
    Ok(files)
}

fn configuration(config: &Config) -> Result<KernelConfig> {
    let dir = match &config.kernel {
        Kernel::None => return Ok(KernelConfig(None)),
        Kernel::Auto => frontend::detect_kernel()?,
        Kernel::Dir(dir) => dir.clone(),
    };
    Ok(KernelConfig(Some(frontend::configured(&dir)?)))
}

type Read = (Vec<Digest>, Types, Vec<(PathBuf, String)>);

fn read(config: &Config, files: &[(PathBuf, Vec<String>)], progress: &dyn Progress) -> Read {
    let (model, rows) = (Model::linux_primitives(), Model::linux_by_hand().standing_for_bodies());
    let types = Mutex::new(Types::default());
    let results: Vec<Result<Digest, (PathBuf, String)>> = files
        .par_iter()
        .take_any_while(|_| !progress.interrupted())
        .map(|(file, flags)| {
            let mut digest = read_file(config, &model, &rows, file, flags)
                .map_err(|error| (file.clone(), format!("{error:#}")))?;
            let mine = std::mem::take(&mut digest.types);
            types.lock().expect("no thread panics while it merges").merge(mine);
            Ok(digest)
        })
        .collect();
    let mut digests = Vec::new();
    let mut failed = Vec::new();
    for result in results {
        match result {
            Ok(digest) => digests.push(digest),
            Err(failure) => failed.push(failure),
        }
    }
    (digests, types.into_inner().expect("no thread panics while it merges"), failed)
}

fn read_file(config: &Config, model: &Model, rows: &Model, file: &Path, flags: &[String]) -> Result<Digest> {
    let path = [config.tree.join(file)];
    let load = |more: &[&str]| {
        let flags = flags.iter().chain(&config.clang_flags).cloned();
        let options = frontend::Options {
            clang: config.clang.clone(),
            kernel: config.kernel.clone(),
            clang_flags: flags.chain(more.iter().map(|&flag| flag.to_owned())).collect(),
            emit_all_decls: false,
        };
        frontend::load(&path, &options, &|name| model.is_modelled(name))
    };
    // What can only be built in does not compile as part of a module.
    let loaded = load(&[])
        .or_else(|error| load(&["-UMODULE"]).map_err(|_| error))
        .with_context(|| format!("cannot read {}", file.display()))?;
    let applied = lockpair_env::apply(loaded.module, model, &ApplyOptions::default());
    let name = file.to_string_lossy();
    let mut digest = digest::digest(&applied.module, &name);
    digest.known = digest::digest(&known::bodies(applied.module, rows), &name).functions;
    Ok(digest)
}

/// What files that were not given may call of what was found.
fn unseen(config: &Config, program: &Program, given: &HashSet<PathBuf>) -> scan::Unseen {
    let exported = program.funcs.values().filter(|f| f.digest.external);
    let functions: BTreeSet<Symbol> = exported.map(|f| f.digest.name.clone()).collect();
    let mut fields: BTreeSet<Symbol> = program.stored.keys().map(|member| member.field.clone()).collect();
    for func in program.funcs.keys() {
        for call in program.calls(func) {
            if let digest::Target::Member(member) = &call.target {
                fields.insert(member.field.clone());
            }
        }
    }
    scan::scan(&config.tree, given, &functions, &fields)
}
