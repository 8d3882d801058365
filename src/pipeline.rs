//! The algorithm, top to bottom: C -> module -> effects -> entry points -> pairs -> threads -> verdicts.

mod dump;
pub mod environment;
mod evidence;
mod reachable;
mod rounds;
pub mod scope;

use crate::analysis::calls::{self, CallTargets};
use crate::analysis::exposed::Exposed;
use crate::analysis::fields::{self, FieldId};
use crate::analysis::fixed::{self, Fixed};
use crate::analysis::followed;
use crate::analysis::layout::{Layout, Shape};
use crate::analysis::origins::{self, Sources};
use crate::analysis::points_to::{self, PointsTo};
use crate::analysis::single;
use crate::analysis::stability;
use crate::config::{Config, Environment, Progress, Stage};
use crate::fault::{Fault, seeded};
use crate::frontend::{self, Kernel};
use crate::hygiene;
use crate::instrument::thread::{Site, StateClasses};
use crate::instrument::{self, Thread};
use crate::vcgen::through;
use crate::vcgen::ways::{self, Ways};
use crate::vcgen::{Checker, Classes, PairLimits, Registrations, Renaming, States};
use crate::verdict::{Analysis, Grounds, PairResult, Times, UnknownReason, Verdict};
use anyhow::{Context as _, Result, bail};
use lockpair_entry_points::{CallTree, EntryPointId, EntryPoints, Pairs};
use lockpair_env::schema::{HandleRow, StructRow};
use lockpair_env::{ApplyOptions, Externals, Model};
use lockpair_ir::cfg::Cfg;
use lockpair_ir::*;
use rayon::prelude::*;
use scope::{Encoded, Scope, Whole};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// So many instructions are executed for an entry point with everything inlined.
const BUDGET: usize = 300_000;
/// The same for all entry points together.
const TOTAL_BUDGET: usize = 10_000_000;
/// In an entry point that uses up its budget, call trees above this part of it are summarized.
const PART_OF_BUDGET: usize = 5;
/// Functions that call themselves are inlined if that takes at most so many instructions; it is mostly pointers that
/// are taken to lead back.
const UNFOLDED: usize = 20_000;
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
    times: Times,
}

/// Verifies one driver.
pub fn check(config: &Config, progress: &dyn Progress) -> Result<Analysis> {
    with_workers(config, || {
        let start = Instant::now();
        progress.stage("reading the driver");
        let prepared = prepare(config)?;
        let mut analysis = verify(config, prepared, progress)?;
        analysis.times.total = start.elapsed();
        Ok(analysis)
    })
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
    let options = frontend::Options {
        clang: config.clang.clone(),
        kernel: if is_program { Kernel::None } else { config.kernel.clone() },
        clang_flags: config.clang_flags.clone(),
        emit_all_decls: false,
    };
    // The model is read while clang works.
    let (model, gathered) = rayon::join(
        || environment::model(config, environment.unwrap_or(Environment::Linux)),
        || frontend::gather(&config.inputs, &options),
    );
    let (mut model, gathered) = (model?, gathered?);
    let mut loaded = frontend::convert(&gathered, &|name| model.is_modelled(name))?;
    if environment.is_none() && environment::is_program(&loaded.module) {
        model = environment::model(config, Environment::Posix)?;
        loaded = frontend::convert(&gathered, &|name| model.is_modelled(name))?;
    }
    let times = Times { clang: loaded.clang_time, frontend: loaded.read_time, ..Times::default() };
    prepare_module(config, loaded.module, &loaded.aliases, loaded.ledger, model, times)
}

/// The same, from a module that the front end delivered.
pub fn prepare_module(
    config: &Config,
    module: Module,
    aliases: &[(String, FuncId)],
    mut ledger: Ledger,
    model: Model,
    mut times: Times,
) -> Result<Prepared> {
    let start = Instant::now();
    dump::module(config, Stage::Ir, &module);
    let entry_points = match &config.entry_points {
        Some(file) => {
            let text =
                std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
            lockpair_entry_points::from_xml(&text, &file.display().to_string(), &module)?
        }
        None => lockpair_entry_points::find(&module, aliases, &model, &Default::default())?,
    };
    let trees = lockpair_entry_points::call_trees(&module, &entry_points, &model);
    let pairs = lockpair_entry_points::pairs(&module, &entry_points, &|id| trees[id].clone());
    let externals = if config.pure_externals { Externals::Pure } else { Externals::ReadWrite };
    let applied = lockpair_env::apply(module, &model, &ApplyOptions { externals });
    ledger.extend(&entry_points.ledger);
    ledger.extend(&pairs.ledger);
    ledger.extend(&applied.ledger);
    dump::module(config, Stage::Effects, &applied.module);
    dump::entry_points(config, &applied.module, &entry_points, &pairs);
    times.analysis += start.elapsed();
    let (module, model) = (applied.module, Arc::new(model));
    Ok(Prepared { module, entry_points, pairs, trees, ledger, model, times })
}

/// What is inlined in a module of so many entry points: call trees up to this size, and the budget of each.
fn inlining(entry_points: usize) -> (usize, usize) {
    let budget = BUDGET.min(TOTAL_BUDGET / entry_points.max(1));
    (budget / PART_OF_BUDGET, budget)
}

/// Encodes all threads, and again as long as one of them stores to what was taken to keep its initial value, or what
/// another thread has stored. When it is
/// to stop, nothing is known of where pointers come from.
fn until_initial_values_hold(
    facts: &origins::Facts,
    encode: &dyn Fn(&Fixed, &BTreeSet<followed::Read>) -> Vec<Thread>,
    stop: &dyn Fn() -> bool,
    ledger: &mut Ledger,
) -> (Vec<Thread>, Vec<Sources>) {
    let (mut changed, mut not_followed) = (BTreeSet::new(), BTreeSet::new());
    let (module, layout, points_to) = (facts.module, facts.layout, facts.points_to);
    loop {
        let threads = encode(&Fixed::new(module, layout, &changed), &not_followed);
        if stop() {
            return (threads, Vec::new());
        }
        let mut found = Ledger::default();
        let sources = origins::find(facts, &threads, &mut found);
        let more = fixed::changed(facts, &threads, &sources);
        let wrong = followed::wrong(&followed::Facts { module, layout, points_to }, &threads);
        if more.is_empty() && wrong.is_empty() {
            ledger.extend(&found);
            return (threads, sources);
        }
        changed.extend(more);
        not_followed.extend(wrong);
    }
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
    let Prepared { mut module, entry_points, pairs, trees, mut ledger, model, mut times } = prepared;
    progress.stage("encoding the entry points");
    let entries: HashSet<FuncId> = entry_points.items.values().map(|ep| ep.func).collect();
    rounds::unroll(&mut module, &model, &|f| entries.contains(&f));
    let layout = Layout::new(&module).with_alone(structs(&module, &model, |row| row.alone));
    let outside: HashSet<FuncId> = outside(&module, &entry_points);
    let targets = calls::resolve(&module, &layout, &outside, &mut ledger);
    let points_to = points_to::analyze(&module, &layout, &targets, &|f| outside.contains(&f));
    let first = structs(&module, &model, |row| row.first);
    let classes = |wanted: fn(&HandleRow) -> bool| -> HashSet<String> {
        model.handles.values().filter(|row| wanted(row)).map(|row| row.class.clone()).collect()
    };
    let (several, fresh) = (classes(|row| row.several), classes(|row| row.fresh));
    let by_through = classes(|row| row.by_through);
    let states: StateClasses = model.states.values().map(|row| (row.class.clone(), row.counted)).collect();
    let (size_limit, budget) =
        config.inline_limit.map_or_else(|| inlining(entry_points.items.len()), |limit| (limit, 0));
    let circle_limit = if config.one_per_circle { 0 } else { instrument::PROCEDURE_BUDGET };
    let inlined = (size_limit, budget, circle_limit);
    let stop = || progress.interrupted() || start.elapsed() > config.total_timeout;
    let exposed = Exposed::new(&module, &layout, &targets, &|f| outside.contains(&f));
    let layout = layout.with_structs_in_bytes(|strukt| exposed.is_converted(strukt));
    let layout = layout.with_single(single::find(&module, &exposed));
    let declared = members(&module, &layout, &model, |row| &row.owned);
    let origin_facts = origins::Facts {
        module: &module,
        layout: &layout,
        points_to: &points_to,
        exposed: &exposed,
        declared: &declared,
    };
    let encode = |fixed: &Fixed, not_followed: &BTreeSet<followed::Read>| {
        let cx = (&module, &points_to, &targets, fixed, not_followed);
        let classes = (&first, &several, &fresh, &by_through, &states);
        encode(cx, &entry_points, classes, inlined, scope, &stop)
    };
    let (mut threads, sources) = until_initial_values_hold(&origin_facts, &encode, &stop, &mut ledger);
    for thread in &threads {
        ledger.extend(&thread.ledger);
    }
    general_assumptions(&mut ledger);
    for event in threads.iter().flat_map(|t| &t.events).filter(|e| !e.registers) {
        ledger.record(AssumptionKind::RegisteredHere, &event.class, None);
    }
    let ways = ways::find(&module, &layout, &threads);
    for class in &ways.unknown {
        ledger.record(AssumptionKind::RegisteredOnce, format!("{class}: through one thing"), None);
    }
    for site in threads.iter().flat_map(|t| &t.sites) {
        if let Shape::Whole(strukt) = site.shape
            && layout.is_single(strukt)
        {
            let name = module.as_struct(strukt).map_or("?", |s| &s.name);
            ledger.record(AssumptionKind::OneInAllocation, name, None);
        }
    }
    assumed_of_structs(&module, &model, &mut ledger);
    if stop() {
        let why = if progress.interrupted() { UnknownReason::Interrupted } else { UnknownReason::Timeout };
        times.analysis += start.elapsed();
        let prepared = Prepared { module, entry_points, pairs, trees, ledger, model, times };
        return undecided(config, prepared, why);
    }
    scope.encoded(&Encoded {
        module: &module,
        targets: &targets,
        threads: &threads,
        facts: &origin_facts,
        sources: &sources,
    });

    let bound = members(&module, &layout, &model, |row| &row.bound);
    let reach = |g: GlobalId| reachable_globals(&module, g);
    let facts = stability::Facts {
        module: &module,
        layout: &layout,
        points_to: &points_to,
        origins: &origin_facts,
        sources: &sources,
        entry_points: &entry_points,
        bound: &bound,
        reach: &reach,
    };
    let reads = stability::shared_reads(&facts, &threads, &mut ledger);
    let outside = classes(|row| row.outside);
    let told = through::find((&module, &layout, &points_to), &threads, &outside);
    let renamings: Vec<Renaming> =
        threads.iter_mut().zip(&reads).zip(&told).map(|((t, r), told)| Renaming::new(t, r, told)).collect();
    let counts = |thread: &Thread, site: &Site| scope.counts(thread.entry, site);
    let classes = Classes::new(&origin_facts, &threads, &sources, &renamings, &states, &counts);
    dump::threads(config, &module, &entry_points, &threads, &reads);
    times.analysis += start.elapsed();

    let begin = Instant::now();
    progress.stage("checking the pairs");
    let covers = |registered: i128, table: i128| {
        let global =
            |k: i128| usize::try_from(k - 1).ok().filter(|&g| g < module.globals.len()).map(GlobalId::new);
        matches!((global(registered), global(table)), (Some(r), Some(t)) if reach(r).contains(&t))
    };
    for thread in threads.iter().zip(&told).filter(|(_, told)| !told.is_empty()).map(|(thread, _)| thread) {
        for handle in &thread.handles {
            ledger.record(AssumptionKind::RegisteredHere, &handle.class, None);
        }
    }
    for state in
        threads.iter().flat_map(|t| &t.locks).filter(|l| !l.implicit && states.contains_key(&l.class))
    {
        let subject = format!("{}: only functions that the model knows end it", state.class);
        ledger.record(AssumptionKind::Environment, subject, None);
    }
    let registrations = registrations(&model, &threads, ways);
    let checker = Checker::new(
        &threads,
        &classes,
        renamings,
        &sources,
        &registrations,
        States::new(&threads, &reads, &states),
        threads.iter().map(|t| entry_points.items[t.entry].once).collect(),
        &covers,
        config.emit_smt.is_some() || config.dump == Some(Stage::Queries),
    );
    let wanted = scope.pairs(selected(config, &entry_points, &pairs)?);
    progress.pairs(wanted.len());
    let mut pair = limits(config);
    pair.races = pair.races.min(RACES.div_ceil(wanted.len().max(1)));
    let budget = Budget { start: begin, total: config.total_timeout, pair };
    let evidence = evidence::Evidence::new(&module, &threads, &points_to, &states);
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
    let results = results.into_iter().collect::<Result<Vec<_>>>()?;
    times.pairs = begin.elapsed();

    let lock_problems = if config.deadlocks {
        let meet = pairs.checked.iter().copied().collect();
        evidence.lock_problems(&hygiene::look(&module, &threads, &states, &meet, &limits(config).query))
    } else {
        Vec::new()
    };
    let reachability = reachable::look(&threads, &limits(config).query);
    let assumptions: Vec<Assumption> = ledger.iter().cloned().collect();
    let mut results = results;
    let grounds = evidence::grounds(&threads, &assumptions);
    evidence::doubt_proofs(&mut results, &assumptions);
    let environment = environment::of_model(&model);
    let source_lines = source_lines(&module, &config.inputs);
    let regions = classes.len();
    Ok(Analysis {
        environment,
        entry_points,
        pairs: results,
        lock_problems,
        omitted: pairs.omitted,
        assumptions,
        grounds,
        unreachable: reachability.unreachable,
        undecided_sites: reachability.undecided,
        source_lines,
        regions,
        times,
        module,
    })
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
        unreachable: Vec::new(),
        undecided_sites: 0,
        source_lines: source_lines(&module, &config.inputs),
        regions: 0,
        times,
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

fn encode(
    (module, points_to, calls, fixed, not_followed): (
        &Module,
        &PointsTo,
        &CallTargets,
        &Fixed,
        &BTreeSet<followed::Read>,
    ),
    eps: &EntryPoints,
    (first, several, fresh, by_through, states): (
        &HashSet<TypeId>,
        &HashSet<String>,
        &HashSet<String>,
        &HashSet<String>,
        &StateClasses,
    ),
    (size_limit, budget, circle_limit): (usize, usize, usize),
    scope: &dyn Scope,
    stop: &(dyn Fn() -> bool + Sync),
) -> Vec<Thread> {
    let defined: Vec<FuncId> = module.funcs.keys().filter(|f| module.funcs[*f].is_defined()).collect();
    let cfgs: HashMap<FuncId, Cfg> = defined.iter().map(|&f| (f, Cfg::new(&module.funcs[f]))).collect();
    let inlined_size = inlined_sizes(module, &|f| calls.callees(module, f));
    let direct_size = inlined_sizes(module, &|f| calls::direct_callees(module, f));
    let circles = crate::infer::circles(module, calls);
    let wide = crate::infer::wide(module, calls, &circles, (instrument::MAX_ACTIVE, UNFOLDED));
    let summaries = instrument::Summaries::default();
    let ids: Vec<EntryPointId> = eps.items.keys().collect();
    ids.par_iter()
        .map(|&id| {
            if let Some(known) = scope.thread(id) {
                return known;
            }
            // The layout keeps a cache and belongs to one thread.
            let layout = Layout::new(module);
            let cx = instrument::Context {
                module,
                layout: &layout,
                points_to,
                calls,
                fixed,
                not_followed,
                first,
                several,
                fresh,
                by_through,
                states,
                cfgs: &cfgs,
                inlined_size: &inlined_size,
                direct_size: &direct_size,
                circles: &circles,
                wide: &wide,
                summaries: &summaries,
                size_limit,
                budget,
                circle_limit,
                stop,
            };
            let start = Instant::now();
            let thread = instrument::encode(&cx, id, &eps.items[id]);
            tracing::debug!(
                entry = eps.items[id].name,
                instructions = thread.instructions,
                sites = thread.sites.len(),
                terms = thread.terms.len(),
                ms = start.elapsed().as_millis(),
                "encoded"
            );
            thread
        })
        .collect()
}

/// The instructions of each function's call tree with all calls inlined; a call back into a function
/// that is being inlined counts nothing, because it is summarized.
fn inlined_sizes(module: &Module, callees: &dyn Fn(FuncId) -> Vec<FuncId>) -> HashMap<FuncId, usize> {
    fn size(
        module: &Module,
        callees: &dyn Fn(FuncId) -> Vec<FuncId>,
        f: FuncId,
        active: &mut HashSet<FuncId>,
        known: &mut HashMap<FuncId, usize>,
    ) -> usize {
        if let Some(&n) = known.get(&f) {
            return n;
        }
        if !module.funcs[f].is_defined() || !active.insert(f) {
            return 0;
        }
        let func = &module.funcs[f];
        let own: usize = func.blocks.values().map(|b| b.insts.len() + 1).sum();
        let called = callees(f).into_iter();
        let total = called.fold(own, |n, c| n.saturating_add(size(module, callees, c, active, known)));
        active.remove(&f);
        known.insert(f, total);
        total
    }
    let mut known = HashMap::new();
    for f in module.funcs.keys() {
        size(module, callees, f, &mut HashSet::new(), &mut known);
    }
    known
}

/// Functions whose parameters come from code outside: entry points, and all whose address is taken.
fn outside(module: &Module, eps: &EntryPoints) -> HashSet<FuncId> {
    let mut out: HashSet<FuncId> = eps.items.values().map(|e| e.func).collect();
    for g in module.globals.values() {
        out.extend(g.init.iter().filter_map(|c| if let Operand::Func(f) = c.value { Some(f) } else { None }));
    }
    for func in module.funcs.values() {
        for &i in func.blocks.values().flat_map(|b| &b.insts) {
            let operands = func.insts[i].op.operands();
            out.extend(
                operands.into_iter().filter_map(|o| if let Operand::Func(f) = o { Some(f) } else { None }),
            );
        }
    }
    out
}

/// The globals that a global's initial value leads to, itself included.
fn reachable_globals(module: &Module, root: GlobalId) -> HashSet<GlobalId> {
    let mut seen = HashSet::from([root]);
    let mut work = vec![root];
    while let Some(g) = work.pop() {
        for cell in &module.globals[g].init {
            if let Operand::Global(to, _) = cell.value
                && seen.insert(to)
            {
                work.push(to);
            }
        }
    }
    seen
}

/// The structs of which the environment says so.
fn structs(module: &Module, model: &Model, say: impl Fn(&StructRow) -> bool) -> HashSet<TypeId> {
    let rows = model.structs.values().filter(|row| say(row));
    rows.filter_map(|row| module.struct_named(&row.name)).collect()
}

fn assumed_of_structs(module: &Module, model: &Model, ledger: &mut Ledger) {
    for row in model.structs.values().filter(|row| module.struct_named(&row.name).is_some()) {
        if row.alone || row.first {
            let subject = format!("struct {}: where its objects begin and end", row.name);
            ledger.record(AssumptionKind::Environment, subject, None);
        }
    }
}

/// The members of which the environment says so.
fn members(
    module: &Module,
    layout: &Layout,
    model: &Model,
    say: impl Fn(&StructRow) -> &Vec<String>,
) -> BTreeSet<FieldId> {
    let mut out = BTreeSet::new();
    for row in model.structs.values() {
        let Some(strukt) = module.struct_named(&row.name) else { continue };
        for (lo, _) in say(row).iter().filter_map(|name| module.field_named(strukt, name)) {
            out.extend(fields::of_shape(module, layout, Shape::In { strukt, lo, hi: lo + 8 }));
        }
    }
    out
}

/// How the handles that the threads register may be registered.
fn registrations(model: &Model, threads: &[Thread], ways: Ways) -> Registrations {
    let classes: HashSet<&String> = threads.iter().flat_map(|t| t.events.iter().map(|e| &e.class)).collect();
    let of = |wanted: fn(Option<&HandleRow>) -> bool| {
        let has = |c: &&&String| wanted(model.handle(c));
        classes.iter().filter(has).map(|c| c.to_string()).collect()
    };
    Registrations {
        outside: of(|row| row.is_none_or(|row| row.outside)),
        rearmable: of(|row| row.is_none_or(|row| row.rearmable)),
        fresh: of(|row| row.is_some_and(|row| row.fresh)),
        several: threads.iter().flat_map(|t| t.several.iter().cloned()).chain(ways.several).collect(),
        other_way: ways.other,
    }
}

/// The time that all pairs of a module have together.
struct Budget {
    start: Instant,
    total: Duration,
    pair: PairLimits,
}

impl Budget {
    /// What the next pair may cost; none if there is no time left. A verdict is worth more than one more
    /// race: when half of the time is gone, a pair that races is left with the first race.
    fn next(&self) -> Option<PairLimits> {
        let left = self.total.checked_sub(self.start.elapsed()).filter(|left| !left.is_zero())?;
        let mut limits = self.pair.clone();
        limits.pair = limits.pair.min(left);
        limits.query.hard = limits.query.hard.min(left);
        limits.query.soft = limits.query.soft.min(left.mul_f64(0.8));
        if left < self.total / 2 {
            limits.races = 1;
        }
        Some(limits)
    }
}

fn limits(config: &Config) -> PairLimits {
    let query = lockpair_smt::Limits {
        soft: config.query_timeout.mul_f64(0.8),
        hard: config.query_timeout,
        memory_mb: config.memory_mb,
        rlimit: None,
    };
    PairLimits { query, pair: config.pair_timeout, races: config.max_races }
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

/// What every verdict rests on.
fn general_assumptions(ledger: &mut Ledger) {
    for kind in [
        AssumptionKind::TypeSplit,
        AssumptionKind::PrivateStruct,
        AssumptionKind::Alignment,
        AssumptionKind::InBounds,
    ] {
        ledger.record(kind, "the whole module", None);
    }
}

/// Lines of the module's own C files, as far as they can be read.
fn source_lines(module: &Module, inputs: &[std::path::PathBuf]) -> usize {
    let mut files: HashSet<std::path::PathBuf> =
        inputs.iter().filter(|p| p.extension().is_some_and(|e| e == "c")).cloned().collect();
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
