//! Pairs of drivers that are proved, though an execution of their model has a race: for people to judge. Either the proof knows why no
//! driver begins in such a state, or it is wrong.
//!
//! cargo bench --bench doubts -- DRIVERS... prints each such pair with the execution; without arguments, of the annotated drivers
//! of the tests, for which the stub headers are taken.

use anyhow::{Context as _, Result};
use lockpair::config::{Config, Effort, Silent};
use lockpair::confirm::doubt_pairs;
use lockpair::frontend::Kernel;
use lockpair::pipeline;
use lockpair_env::Kind;
use lockpair_ir::{LocId, Module};
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

fn main() -> Result<()> {
    let mut drivers: Vec<PathBuf> =
        std::env::args().skip(1).filter(|arg| arg != "--bench").map(PathBuf::from).collect();
    let own = drivers.is_empty();
    if own {
        drivers = annotated();
    }
    let (mut proved, mut doubted) = (0, 0);
    for driver in &drivers {
        match doubts(driver, own) {
            Ok((pairs, doubts)) => (proved, doubted) = (proved + pairs, doubted + doubts),
            // Some of the annotated inputs cannot be checked alone, or at all.
            Err(error) => eprintln!("{}: {error:#}", driver.display()),
        }
    }
    println!("{} drivers: {doubted} of {proved} proved pairs have an execution with a race", drivers.len());
    Ok(())
}

fn annotated() -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/annotated");
    let files = WalkDir::new(dir).sort_by_file_name().into_iter().filter_map(Result::ok);
    let is_c = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "c");
    files.map(|file| file.into_path()).filter(is_c).collect()
}

/// How many pairs of a driver are proved, and how many of these have an execution, which is printed.
fn doubts(driver: &Path, own: bool) -> Result<(usize, usize)> {
    let mut config = Config::new(vec![driver.to_owned()]);
    if own {
        let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("env-models/include");
        config.kernel = Kernel::None;
        config.clang_flags = vec![format!("-I{}", include.display()), "-DMODULE".to_owned()];
    }
    pipeline::with_workers(&config, || {
        let mut prepared = pipeline::prepare(&config)?;
        let module = prepared.program.take().context("nothing is searched")?;
        let model = prepared.model.clone();
        if model.kind != Kind::Kernel {
            return Ok((0, 0));
        }
        let analysis = pipeline::verify(&config, prepared, &Silent)?;
        let doubts = doubt_pairs(&module, &model, &Effort::default(), &analysis);
        for (at, places, execution) in &doubts {
            let (a, b) = analysis.pairs[*at].pair;
            let name = |id| &analysis.entry_points.items[id].name;
            let [first, second] = places.map(|loc| place(&module, loc));
            println!("{}: {} with {}: {first} and {second}", driver.display(), name(a), name(b));
            for step in &execution.steps {
                println!("    {} {}", step.thread, step.what);
            }
        }
        let proved = analysis.pairs.iter().filter(|pair| pair.races.is_empty()).count();
        Ok((proved, doubts.len()))
    })
}

fn place(module: &Module, loc: Option<LocId>) -> String {
    loc.map_or("?".to_owned(), |loc| {
        let loc = &module.locs[loc];
        let file = Path::new(&module.files[loc.file].path).file_name().unwrap_or_default().to_owned();
        format!("{}:{}", file.to_string_lossy(), loc.line)
    })
}
