//! What the places of context switches cost when races of programs are confirmed (WHOOP, Table II).
//!
//! cargo bench --bench confirm -- [PROGRAMS...] verifies each program once, and searches executions of its races with both ways of
//! switching; without arguments, the annotated programs of the tests. Only programs count in which both ways confirm the same
//! number of races.

use anyhow::{Context as _, Result};
use lockpair::config::{Config, Effort, Environment, Silent, Switches};
use lockpair::confirm::confirm;
use lockpair::frontend::Kernel;
use lockpair::pipeline;
use lockpair::verdict::Searched;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// One search.
#[derive(Copy, Clone, Default)]
struct Search {
    searched: Searched,
    confirmed: usize,
    time: Duration,
}

impl Search {
    fn add(&mut self, other: Search) {
        self.searched.states += other.searched.states;
        self.searched.steps += other.searched.steps;
        self.confirmed += other.confirmed;
        self.time += other.time;
    }
}

const WAYS: [(&str, Switches); 2] =
    [("at races and locks", Switches::Races), ("at all accesses", Switches::All)];

fn main() -> Result<()> {
    let mut programs: Vec<PathBuf> =
        std::env::args().skip(1).filter(|arg| arg != "--bench").map(PathBuf::from).collect();
    if programs.is_empty() {
        programs = annotated()?;
    }
    let (mut sums, mut left_out) = ([Search::default(); 2], 0);
    for program in &programs {
        let searches = search(program).with_context(|| format!("cannot check {}", program.display()))?;
        if searches[0].confirmed == searches[1].confirmed {
            sums.iter_mut().zip(searches).for_each(|(sum, search)| sum.add(search));
        } else {
            left_out += 1;
        }
    }
    println!("{} programs, {left_out} of them left out\n", programs.len());
    println!("| switches | confirmed | states | steps | s |\n|---|--:|--:|--:|--:|");
    for ((name, _), Search { searched, confirmed, time }) in WAYS.iter().zip(sums) {
        let seconds = time.as_secs_f64();
        println!("| {name} | {confirmed} | {} | {} | {seconds:.2} |", searched.states, searched.steps);
    }
    Ok(())
}

fn annotated() -> Result<Vec<PathBuf>> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/annotated/posix");
    let entries = std::fs::read_dir(&dir).with_context(|| format!("cannot read {}", dir.display()))?;
    let mut files = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    Ok(files)
}

/// The same races, searched in both ways.
fn search(program: &Path) -> Result<[Search; 2]> {
    let config = Config {
        kernel: Kernel::None,
        environment: Some(Environment::Posix),
        ..Config::new(vec![program.to_owned()])
    };
    pipeline::with_workers(&config, || {
        let mut prepared = pipeline::prepare(&config)?;
        let module = prepared.program.take().context("it is no program")?;
        let model = prepared.model.clone();
        let analysis = pipeline::verify(&config, prepared, &Silent)?;
        Ok(WAYS.map(|(_, at)| {
            let mut analysis = analysis.clone();
            let start = Instant::now();
            let effort = Effort { at, ..Effort::default() };
            let searched = confirm(&module, &model, &effort, &mut analysis, &|| false).unwrap_or_default();
            let races = analysis.pairs.iter().flat_map(|pair| &pair.races);
            let confirmed = races.filter(|race| race.execution.is_some()).count();
            Search { searched, confirmed, time: start.elapsed() }
        }))
    })
}
