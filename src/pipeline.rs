//! The algorithm, top to bottom: C -> module -> effects -> entry points -> pairs -> threads -> verdicts.

mod assumed;
mod called;
mod cycles;
mod dump;
mod encoding;
pub mod environment;
mod evidence;
mod fixes;
mod limits;
mod meeting;
mod reachable;
mod rounds;
mod said;
pub mod scope;
mod strays;
mod together;

use crate::analysis::addresses;
use crate::analysis::alone;
use crate::analysis::calls;
use crate::analysis::exposed::Exposed;
use crate::analysis::fields::FieldId;
use crate::analysis::foreign::Foreign;
use crate::analysis::handed;
use crate::analysis::layout::{InBytes, Layout};
use crate::analysis::lists::Lists;
use crate::analysis::objects::Objects;
use crate::analysis::origins;
use crate::analysis::parts::{self, Parts};
use crate::analysis::points_to::{self, PointsTo, RegionId};
use crate::analysis::registered;
use crate::analysis::single;
use crate::analysis::stability;
use crate::analysis::ways::{Outside, Ways};
use crate::config::{Config, Environment, Progress, Stage};
use crate::confirm;
use crate::fault::{Fault, seeded};
use crate::frontend::{self, Kernel};
use crate::hygiene;
use crate::instrument::Thread;
use crate::instrument::thread::Site;
use crate::vcgen::through;
use crate::vcgen::{Bound, Checker, Classes, Renaming, States};
use crate::verdict::{Analysis, Grounds, PairResult, Times, UnknownReason, Verdict};
use anyhow::{Context as _, Result, bail};
use encoding::{Encoding, Inlining};
use limits::{Budget, limits};
use lockpair_entry_points::{
    CallTree, EntryPoint, EntryPointId, EntryPoints, Note, Options as Finding, Pairs,
};
use lockpair_env::schema::Base;
use lockpair_env::{ApplyOptions, Externals, Masks, Model};
use lockpair_ir::*;
use rayon::prelude::*;
use scope::{Encoded, Scope, Whole};
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};
use together::Read;

/// So many races are named in a module. Where there are so many pairs that their shares are smaller than what each may
/// name, each has its share: nobody reads a quarter of a million, and more of a pair costs more than its verdict.
const RACES: usize = 62_500;
/// The encoder recurses over call trees: its threads need room.
const STACK_BYTES: usize = 256 << 20;

/// A module with what was found out before any entry point is encoded.
#[derive(Clone)]
pub struct Prepared {
    /// The module with the environment model applied.
    pub module: Module,
    /// Its entry points.
    pub entry_points: EntryPoints,
    /// The pairs to check, and those omitted.
    pub pairs: Pairs,
    /// What the code of each entry point may do to locks that are held on entry.
    pub trees: SecondaryMap<EntryPointId, CallTree>,
    /// What was assumed on the way.
    pub ledger: Ledger,
    /// The rows of the environment.
    pub model: Arc<Model>,
    /// If executions are to be searched: a program as the front end delivered it, a driver with the effects of the rows.
    pub program: Option<Module>,
    times: Times,
}

/// Verifies one driver.
pub fn check(config: &Config, progress: &dyn Progress) -> Result<Analysis> {
    with_workers(config, || {
        let start = Instant::now();
        progress.stage("reading the driver");
        let mut prepared = prepare(config)?;
        let (program, model) = (prepared.program.take(), prepared.model.clone());
        let mut analysis = verify(config, prepared, progress)?;
        if let Some(program) = program.filter(|_| analysis.pairs.iter().any(|pair| !pair.races.is_empty())) {
            let stop = || progress.interrupted() || start.elapsed() > config.total_timeout;
            progress.stage("looking for executions of the races");
            confirm(config, (&program, &model), &mut analysis, &stop);
        }
        analysis.times.total = start.elapsed();
        Ok(analysis)
    })
}

/// Looks for executions of the races.
fn confirm(
    config: &Config,
    (program, model): (&Module, &Model),
    analysis: &mut Analysis,
    stop: &(dyn Fn() -> bool + Sync),
) {
    let start = Instant::now();
    analysis.searched = match model.kind {
        lockpair_env::Kind::Program => confirm::confirm(program, model, &config.confirm, analysis, stop),
        lockpair_env::Kind::Kernel => {
            Some(confirm::confirm_pairs(program, model, &config.confirm, analysis, stop))
        }
    };
    analysis.times.confirming = start.elapsed();
}

/// Works with as many threads as wanted, which have room for the encoder.
pub fn with_workers<T: Send>(config: &Config, work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(config.jobs.unwrap_or(0))
        .stack_size(STACK_BYTES)
        .build()
        .context("cannot start worker threads")?;
    pool.install(work)
}

/// Finds the entry points only.
pub fn entry_points(config: &Config) -> Result<(Module, EntryPoints)> {
    let prepared = prepare(config)?;
    Ok((prepared.module, prepared.entry_points))
}

/// Finds the pairs only.
pub fn pairs(config: &Config) -> Result<(EntryPoints, Pairs)> {
    let prepared = prepare(config)?;
    Ok((prepared.entry_points, prepared.pairs))
}

/// From files to a module with effects, entry points and pairs.
pub fn prepare(config: &Config) -> Result<Prepared> {
    let environment = config.environment.or_else(|| environment::of_sources(&config.inputs));
    let is_program = environment == Some(Environment::Posix);
    if let (true, Kernel::Dir(dir)) = (is_program, &config.kernel) {
        let dir = dir.display();
        bail!("a program has no kernel: leave out --kernel {dir}, or give --env linux if this is a driver");
    }
    if is_program {
        refuse_modules(config)?;
    }
    let options = frontend::Options {
        clang: config.clang.clone(),
        kernel: if is_program { Kernel::None } else { config.kernel.clone() },
        clang_flags: config.clang_flags.clone(),
        emit_all_decls: false,
    };
    // The model is read while clang works.
    let (model, gathered) = rayon::join(
        || environment::model(config, environment.unwrap_or(Environment::Linux)),
        || together::gather(config, &options),
    );
    let (mut model, gathered) = (model?, gathered?);
    let mut read = together::convert(config, &gathered, &|name| is_replaced(&model, name))?;
    if environment.is_none() && environment::is_program(&read.module) {
        model = environment::model(config, Environment::Posix)?;
        read = together::convert(config, &gathered, &|name| is_replaced(&model, name))?;
    }
    if model.kind == lockpair_env::Kind::Program {
        refuse_modules(config)?;
    }
    prepare_read(config, read, model)
}

fn refuse_modules(config: &Config) -> Result<()> {
    match config.with.iter().flatten().next() {
        Some(file) => {
            let file = file.display();
            bail!("a program has no modules: give {file} without --with, as another file of the program")
        }
        None => Ok(()),
    }
}

/// The regions of variables that code outside may change at any time. In the region of all that it can reach it does so anyway.
fn changed_regions(module: &Module, model: &Model, points_to: &PointsTo) -> BTreeSet<RegionId> {
    let regions = said::changed(module, model).into_iter().map(|g| points_to.global(g));
    regions.filter(|&region| region != points_to.external()).collect()
}

/// Whether a row stands for a function that a header defines. What a program defines is its own.
fn is_replaced(model: &Model, name: &str) -> bool {
    model.kind == lockpair_env::Kind::Kernel && model.is_modelled(name)
}

/// The same, from a module that the front end delivered.
pub fn prepare_module(
    config: &Config,
    module: Module,
    aliases: &[(String, FuncId)],
    ledger: Ledger,
    model: Arc<Model>,
) -> Result<Prepared> {
    let (aliases, modules, times) = (aliases.to_vec(), None, Default::default());
    prepare_read(config, Read { module, aliases, ledger, modules, times }, model)
}

fn prepare_read(config: &Config, read: Read, model: Arc<Model>) -> Result<Prepared> {
    let start = Instant::now();
    let Read { mut module, aliases, mut ledger, modules, times: (clang, frontend) } = read;
    let mut times = Times { clang, frontend, ..Times::default() };
    dump::module(config, Stage::Ir, &module);
    lockpair_entry_points::complete_drivers(&mut module, &*model);
    let is_program = model.kind == lockpair_env::Kind::Program;
    let is_searched = config.confirm.states > 0;
    let program = (is_searched && is_program).then(|| module.clone());
    if is_program {
        // Threads may be begun through pointers, too. What the kernel calls in tables has rows of its own.
        lockpair_env::apply::stand_in_behind_pointers(&mut module, &model);
    }
    let mut finding = Finding { whole: config.whole_module, modules, ..Finding::default() };
    // A program begins in one place, whatever it consists of; modules were looked at one by one.
    let lonely = match is_program || finding.modules.is_some() {
        true => Vec::new(),
        false => lockpair_entry_points::used_by_other_files(&mut module, &aliases, &finding, &mut ledger),
    };
    lockpair_entry_points::share_structs(&mut module, &aliases, &*model, is_program);
    finding.partial = !lonely.is_empty() && !seeded(Fault::FilesAreAll);
    let mut entry_points = match &config.entry_points {
        Some(file) => {
            let text =
                std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
            lockpair_entry_points::from_xml(&text, &file.display().to_string(), &module)?
        }
        None => lockpair_entry_points::find(&module, &aliases, &*model, &finding)?,
    };
    entry_points.notes.extend(lonely.into_iter().take(1).map(|func| Note::OtherFiles { func }));
    let called = entry_points.items.values().map(|entry| (entry.func, entry.role.as_str()));
    lockpair_env::apply::afterwards::follow(&mut module, &model, called);
    let trees = lockpair_entry_points::call_trees(&module, &entry_points, &*model);
    let pairs = lockpair_entry_points::pairs(&module, &entry_points, &|id| trees[id].clone());
    let externals = if config.pure_externals { Externals::Pure } else { Externals::ReadWrite };
    let masks = if config.deadlocks { Masks::Everywhere } else { Masks::WithCopies };
    let mut applied = lockpair_env::apply(
        module,
        &model,
        &ApplyOptions { externals, masks, exact: false, uses: !seeded(Fault::CallsUseNothing) },
    );
    called::note(&mut applied.module, &entry_points);
    let lists = parts::read_by_others(&applied.module, &said::listers(&applied.module, &model));
    let kept = constants::note(&mut applied.module, &|g, at| lists.contains(&(g, at)));
    assumed::of_lists(&applied.module, &kept, &mut ledger);
    ledger.extend(&entry_points.ledger);
    ledger.extend(&pairs.ledger);
    ledger.extend(&applied.ledger);
    dump::module(config, Stage::Effects, &applied.module);
    dump::entry_points(config, &applied.module, &entry_points, &pairs);
    times.analysis += start.elapsed();
    let module = applied.module;
    let program = program.or_else(|| (is_searched && !is_program).then(|| module.clone()));
    Ok(Prepared { module, entry_points, pairs, trees, ledger, model, program, times })
}

/// From pairs to verdicts.
pub fn verify(config: &Config, prepared: Prepared, progress: &dyn Progress) -> Result<Analysis> {
    verify_within(config, prepared, &Whole, progress)
}

/// The same of a part of the module.
pub fn verify_within(
    config: &Config,
    prepared: Prepared,
    scope: &dyn Scope,
    progress: &dyn Progress,
) -> Result<Analysis> {
    let start = Instant::now();
    let Prepared { mut module, mut entry_points, pairs, trees, mut ledger, model, mut times, .. } = prepared;
    let stop = || progress.interrupted() || start.elapsed() > config.total_timeout;
    progress.stage("encoding the entry points");

    // What holds in the whole module.
    let entries: HashSet<FuncId> = entry_points.items.values().map(|ep| ep.func).collect();
    cycles::split(&mut module);
    rounds::unroll(&mut module, &model, &|f| entries.contains(&f));
    let layout = Layout::new(&module).with_alone(said::structs(&module, &model, |row| row.alone));
    let layout = layout.with_ring(said::ring(&module, &model));
    let outside: HashSet<FuncId> = outside(&module, &entry_points);
    let lists = Lists::new(&module, &layout);
    let handed = handed_on((&module, &layout), &lists, &outside, &mut entry_points);
    let targets = calls::resolve(&module, &layout, &taken_functions(&module, &entry_points), &mut ledger);
    let points_to = points_to::analyze(&module, &layout, &targets, &|f| outside.contains(&f));
    let taken = addresses::taken_members(&module, &layout);
    let buffers = said::members(&module, &layout, &model, |row| &row.buffers);
    let apart = said::apart(&module, &layout, &model).into_iter().flatten();
    let apart: HashSet<FieldId> = apart.chain(buffers.iter().copied()).collect();
    let registered = registered::arguments(&module);
    assumed::of_arguments(&module, &registered, &mut ledger);
    let callers = Outside {
        calls: &|f| outside.contains(&f),
        registered: &|f, n| registered.get(&f) == Some(&n),
        owned: &|f, n| say_all(&entry_points, f, |entry| entry.call_owned.contains(&n)),
        data: &|f, n| say_all(&entry_points, f, |entry| entry.data.contains(&n)),
        apart: &|field| apart.contains(&field),
    };
    let pointers = Ways::new(&module, &layout, (&targets, &points_to), &taken, &callers);
    dump::ways(config, &pointers);
    let exposed = Exposed::new(&layout, &taken, &pointers);
    let objects = Objects::new(&layout, &pointers, &exposed);
    dump::objects(config, &module, &objects);
    let in_bytes = InBytes {
        structs: exposed.converted().clone(),
        arrays: pointers.arrays(),
        beyond: objects.beyond(&layout),
    };
    let layout = layout.with_structs_in_bytes(in_bytes);
    let single = single::find(&module, &layout, &exposed);
    let layout = layout.with_single(single);
    let origin_facts = origins::Facts {
        module: &module,
        layout: &layout,
        points_to: &points_to,
        exposed: &exposed,
        objects: &objects,
        declared: &said::members(&module, &layout, &model, |row| &row.owned),
        settled: &said::members(&module, &layout, &model, |row| &row.settled),
        distinct: &said::distinct(&module, &layout, &model),
        held: &said::held(&module, &layout, &model, &entry_points),
        given: &said::given(&module, &layout, &model),
        apart: &said::apart(&module, &layout, &model),
        buffers: &buffers,
        left_alone: &said::members(&module, &layout, &model, |row| &row.left_alone),
        tables: &said::of_tables(&module, &layout, &model, &entry_points),
        parameters: &said::parameters(&module, &layout, &model, &entry_points),
        sessions: &said::sessions(&module, &layout, &model, &entry_points),
    };

    // A thread per entry point.
    let kinds = said::kinds(&module, &model, config.deadlocks);
    let registered_outside = said::handles(&model, |row| row.outside);
    let parts = Parts::new(&module, &said::listers(&module, &model));
    let bound_members = said::members(&module, &layout, &model, |row| &row.bound);
    let driven = said::driven(&module, &layout, &model, &entry_points);
    let alone = alone::until_it_lets_others(&module, &entry_points);
    let encoding = Encoding {
        facts: &origin_facts,
        targets: &targets,
        entry_points: &entry_points,
        driven: &driven,
        alone: alone.as_ref(),
        kinds: &kinds,
        parts: &parts,
        outside: &registered_outside,
        bound: &bound_members,
        begins: &said::begins(&model),
        weak_order: model.kind == lockpair_env::Kind::Program,
        inlining: Inlining::of(config, entry_points.items.len()),
        scope,
        stop: &stop,
    };
    let (mut threads, sources, ways) = encoding.threads(&mut ledger);
    threads.iter().for_each(|thread| ledger.extend(&thread.ledger));
    assumed::of_who_is_alone(&threads, &entry_points, &mut ledger);
    assumed::of_all(&mut ledger);
    assumed::of_unloading(&entry_points, &mut ledger);
    assumed::of_events(&threads, &ways, &mut ledger);
    assumed::of_drivers(&module, &entry_points, &threads, &mut ledger);
    assumed::of_allocations(&origin_facts, &threads, &mut ledger);
    assumed::of_structs(&module, &model, &parts, &mut ledger);
    if stop() {
        let why = if progress.interrupted() { UnknownReason::Interrupted } else { UnknownReason::Timeout };
        times.analysis += start.elapsed();
        let prepared = Prepared { module, entry_points, pairs, trees, ledger, model, program: None, times };
        return undecided(config, prepared, why);
    }
    scope.encoded(&Encoded {
        module: &module,
        targets: &targets,
        threads: &threads,
        facts: &origin_facts,
        sources: &sources,
    });

    // What they share, and what each knows of the others.
    let registrations = said::registrations(&model, &threads, ways);
    let reach = |g: GlobalId| module.reached_from([g]);
    let facts = stability::Facts {
        module: &module,
        layout: &layout,
        points_to: &points_to,
        origins: &origin_facts,
        sources: &sources,
        entry_points: &entry_points,
        bound: &bound_members,
        given: &addresses::given_members(&module, &layout),
        changed: &changed_regions(&module, &model, &points_to),
        several: &registrations.several,
        outside: &registered_outside,
        reach: &reach,
    };
    let open = taken_functions(&module, &entry_points);
    let foreign = Foreign::new(&module, &layout, &bound_members, &|f| open.contains(&f));
    let reads = stability::shared_reads(&facts, &threads, &mut ledger);
    let told = through::find((&module, &layout, &points_to), &threads, &registered_outside);
    let own_renamings = match config.deadlocks {
        true => hygiene::renamings(&layout, points_to.external(), &mut threads, &reads, &told),
        false => Vec::new(),
    };
    let renamings: Vec<Renaming> =
        threads.iter_mut().zip(&reads).zip(&told).map(|((t, r), told)| Renaming::new(t, r, told)).collect();
    strays::record(&threads, &renamings, &limits(config).query, &mut ledger);
    let counts = |thread: &Thread, site: &Site| scope.counts(thread.entry, site);
    let without = scope.without();
    let classes = Classes::new(
        &origin_facts,
        &foreign,
        &threads,
        &sources,
        &renamings,
        &kinds.states,
        &without,
        &counts,
    );
    assumed::of_members(&module, classes.apart(), &mut ledger);
    dump::threads(config, &module, &entry_points, &threads, &reads);
    let told_threads = threads.iter().zip(&told).filter(|(_, told)| !told.is_empty());
    assumed::of_handles(told_threads.map(|(thread, _)| thread), &mut ledger);
    assumed::of_states(&threads, &kinds.states, &mut ledger);
    times.analysis += start.elapsed();

    let while_bound = said::members(&module, &layout, &model, |row| &row.while_bound);

    // A condition per pair.
    let begin = Instant::now();
    progress.stage("checking the pairs");
    let covers = |registered: i128, table: i128| {
        let global =
            |k: i128| usize::try_from(k - 1).ok().filter(|&g| g < module.globals.len()).map(GlobalId::new);
        matches!((global(registered), global(table)), (Some(r), Some(t)) if reach(r).contains(&t))
    };
    let mut limits = limits(config);
    let checker = Checker::new(
        &threads,
        &classes,
        renamings,
        &sources,
        &registrations,
        States::new(&threads, &reads, &kinds.states),
        Bound::new(
            (&module, &layout),
            (&parts, lists),
            &entry_points,
            &threads,
            (&while_bound, &handed),
            &covers,
            &limits.query,
        ),
        threads.iter().map(|t| entry_points.items[t.entry].once).collect(),
        &covers,
        &without,
        config.emit_smt.is_some() || config.dump == Some(Stage::Queries),
    );
    let evidence = evidence::Evidence::new(&module, &threads, &points_to, &kinds.states);
    let wanted = scope.pairs(selected(config, &entry_points, &pairs)?);
    progress.pairs(wanted.len());
    limits.races = limits.races.min(RACES.div_ceil(wanted.len().max(1)));
    let budget = Budget { start: begin, total: config.total_timeout, pair: limits };
    let results: Vec<Result<PairResult>> = wanted
        .par_iter()
        .map(|&(a, b)| {
            if scope.is_done() {
                return Ok(unknown((a, b), UnknownReason::Interrupted));
            }
            let result = check_pair(config, &checker, &evidence, &entry_points, (a, b), &budget, progress)?;
            scope.checked(&result);
            progress.done_one();
            Ok(result)
        })
        .collect();
    let mut results = results.into_iter().collect::<Result<Vec<_>>>()?;
    if scope.wants_fixes() {
        let query = &budget.pair.query;
        let (checker, threads, states) = (&checker, &threads[..], &kinds.states);
        let search = fixes::Search {
            module: &module,
            checker,
            threads,
            entry_points: &entry_points,
            states,
            limits: query,
            stop: &stop,
        };
        search.run(&mut results);
    }
    times.pairs = begin.elapsed();

    // What else there is to say.
    let lock_problems = if config.deadlocks {
        let meet = pairs.checked.iter().copied().collect();
        let problems = hygiene::look(&hygiene::Facts {
            module: &module,
            threads: &threads,
            renamings: &own_renamings,
            entry_points: &entry_points,
            states: &kinds.states,
            meet: &meet,
            limits: &budget.pair.query,
        });
        evidence.lock_problems(&problems)
    } else {
        Vec::new()
    };
    let left_behind = checker.bound.left_behind(&module, &threads);
    let reachability = reachable::look(&threads, &entry_points, &budget.pair.query);
    note_failing(&module, &mut entry_points, &reachability.never_bind);
    let assumptions: Vec<Assumption> = ledger.iter().cloned().collect();
    let grounds = evidence::grounds(&threads, &assumptions);
    evidence::doubt_proofs(&mut results, &assumptions);
    Ok(Analysis {
        environment: environment::of_model(&model),
        pairs: results,
        lock_problems,
        omitted: pairs.omitted,
        assumptions,
        grounds,
        left_behind,
        unreachable: reachability.unreachable,
        undecided_sites: reachability.undecided,
        source_lines: source_lines(&module, config),
        regions: classes.len(),
        times,
        searched: None,
        entry_points,
        module,
    })
}

/// Notes each function that can only fail to bind a driver, once. Who returns nothing cannot fail.
fn note_failing(module: &Module, entry_points: &mut EntryPoints, never_bind: &[EntryPointId]) {
    let funcs: BTreeSet<FuncId> = never_bind.iter().map(|&id| entry_points.items[id].func).collect();
    let failing = funcs.into_iter().filter(|&func| module.funcs[func].ret.is_some());
    entry_points.notes.extend(failing.map(|func| Note::NeverBinds { func }));
}

/// The verdict if encoding was cut short: none on any pair, since each rests on what all threads may write.
fn undecided(config: &Config, prepared: Prepared, why: UnknownReason) -> Result<Analysis> {
    let Prepared { module, entry_points, pairs, ledger, model, times, .. } = prepared;
    let wanted = selected(config, &entry_points, &pairs)?;
    Ok(Analysis {
        environment: environment::of_model(&model),
        pairs: wanted.into_iter().map(|pair| unknown(pair, why.clone())).collect(),
        lock_problems: Vec::new(),
        omitted: pairs.omitted,
        assumptions: ledger.iter().cloned().collect(),
        grounds: Grounds::default(),
        left_behind: Vec::new(),
        unreachable: Vec::new(),
        undecided_sites: 0,
        source_lines: source_lines(&module, config),
        regions: 0,
        times,
        searched: None,
        entry_points,
        module,
    })
}

fn check_pair(
    config: &Config,
    checker: &Checker,
    evidence: &evidence::Evidence,
    eps: &EntryPoints,
    pair: (EntryPointId, EntryPointId),
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<PairResult> {
    let start = Instant::now();
    let (a, b) = pair;
    let name = format!("{}--{}", eps.items[a].name, eps.items[b].name);
    if progress.interrupted() {
        return Ok(unknown(pair, UnknownReason::Interrupted));
    }
    let Some(limits) = budget.next() else {
        return Ok(unknown(pair, UnknownReason::Timeout));
    };
    let mut outcome = checker.check(a.index(), b.index(), &name, &limits);
    if let Some(text) = outcome.smtlib.take() {
        dump::query(config, &name, &text)?;
    }
    let races = evidence.races(pair, &outcome.found);
    let racy: HashSet<&str> = races.iter().map(|r| r.location.as_str()).collect();
    let racy_regions = racy.len();
    let verdict = match (outcome.found.is_empty(), outcome.unknown.take()) {
        // With races found, the reason says why there may be more.
        (_, Some(why)) => Verdict::Unknown(why),
        (false, None) => Verdict::Potential,
        (true, None) => Verdict::RaceFree,
    };
    Ok(PairResult {
        pair,
        verdict,
        races,
        regions: outcome.regions,
        racy_regions,
        queries: outcome.queries,
        time: start.elapsed(),
    })
}

fn unknown(pair: (EntryPointId, EntryPointId), why: UnknownReason) -> PairResult {
    PairResult {
        pair,
        verdict: Verdict::Unknown(why),
        races: vec![],
        regions: 0,
        racy_regions: 0,
        queries: 0,
        time: Duration::ZERO,
    }
}

/// Functions whose parameters come from code outside: those that it was found to call, or, where somebody wrote down the
/// entry points, all whose address is taken.
fn outside(module: &Module, eps: &EntryPoints) -> HashSet<FuncId> {
    eps.outside.clone().unwrap_or_else(|| taken_functions(module, eps))
}

/// The functions of tables that code hands on. Such a table need not be registered for others to call them.
fn handed_on(
    (module, layout): (&Module, &Layout),
    lists: &Lists,
    outside: &HashSet<FuncId>,
    eps: &mut EntryPoints,
) -> HashSet<FuncId> {
    if seeded(Fault::TablesStay) {
        return HashSet::new();
    }
    let kept: HashSet<GlobalId> = lists.tables().collect();
    let tables = handed::tables(module, layout, &|g| kept.contains(&g), &|f| outside.contains(&f));
    for ep in eps.items.values_mut().filter(|ep| ep.table.is_some_and(|table| tables.contains(&table))) {
        ep.handles.retain(|handle| handle.addr.base != Base::Table);
    }
    handed::functions(module, &tables)
}

/// Entry points, and all functions whose address is taken: somebody may call these through a pointer.
fn taken_functions(module: &Module, eps: &EntryPoints) -> HashSet<FuncId> {
    let mut out: HashSet<FuncId> = eps.items.values().map(|e| e.func).collect();
    for g in module.globals.values() {
        out.extend(g.init.iter().filter_map(|c| c.value.func()));
    }
    for func in module.funcs.values() {
        for &i in func.blocks.values().flat_map(|b| &b.insts) {
            let operands = func.insts[i].op.operands();
            out.extend(operands.into_iter().filter_map(Operand::func));
        }
    }
    out
}

/// Whether that is said of the function however code outside comes to call it.
fn say_all(eps: &EntryPoints, func: FuncId, said: impl Fn(&EntryPoint) -> bool) -> bool {
    let mut entries = eps.items.values().filter(|e| e.func == func).peekable();
    entries.peek().is_some() && entries.all(said)
}

fn selected(config: &Config, eps: &EntryPoints, pairs: &Pairs) -> Result<Vec<(EntryPointId, EntryPointId)>> {
    let Some((a, b)) = &config.only_pair else {
        let omitted = |p: &(EntryPointId, EntryPointId)| p.0 == p.1 && seeded(Fault::SelfPairsOmitted);
        return Ok(pairs.checked.iter().copied().filter(|p| !omitted(p)).collect());
    };
    let (Some(x), Some(y)) = (eps.named(a), eps.named(b)) else {
        bail!("no entry points named {a} and {b}: `lockpair entry-points` lists them");
    };
    let found = pairs.checked.iter().find(|&&p| p == (x, y) || p == (y, x));
    match found {
        Some(&pair) => Ok(vec![pair]),
        None => bail!("the pair {a}, {b} is omitted: `lockpair pairs` says why"),
    }
}

/// Lines of the module's own C files, as far as they can be read.
fn source_lines(module: &Module, config: &Config) -> usize {
    let mut files: HashSet<std::path::PathBuf> =
        config.modules().flatten().filter(|p| p.extension().is_some_and(|e| e == "c")).cloned().collect();
    if files.is_empty() {
        let own = module.files.values().filter(|f| f.path.ends_with(".c"));
        files = own.map(|f| f.path.clone().into()).collect();
    }
    files
        .iter()
        .filter_map(|f| std::fs::read(f).ok())
        .map(|t| t.iter().filter(|&&b| b == b'\n').count())
        .sum()
}
