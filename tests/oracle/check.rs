//! One program through both sides, and the comparison.

use crate::scenario::{self, Caller};
use anyhow::{Context as _, Result};
use lockpair::config::{Config, Silent};
use lockpair::frontend::{self, Kernel};
use lockpair::pipeline;
use lockpair::verdict::{Analysis, Verdict};
use lockpair_env::{ApplyOptions, Externals, Masks, Model};
use lockpair_ir::interp::{Bounds, RaceAccess, Scenario, explore, replay};
use lockpair_ir::{BlockId, FuncId, Function, InstId, LocId, Mark, Module, Op, Operand, Ty};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How much is explored.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Effort {
    /// States per scenario.
    pub states: usize,
    /// Instructions per program: what is left of its scenarios then is not looked at.
    pub steps: u64,
    /// Scenarios of three threads.
    pub triples: usize,
}

impl Default for Effort {
    fn default() -> Self {
        Effort { states: 3_000, steps: 20_000_000, triples: 4 }
    }
}

/// What the verifier does with calls.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Calls {
    /// What it does on its own: all that are in these programs are inlined, unless they recurse.
    Inlined,
    /// All are summarized.
    Summarized,
    /// The same, and functions that call each other in a circle have one summary.
    OneSummaryPerCircle,
}

/// The oracle, ready to look at programs.
pub struct Oracle {
    /// What the verifier believes of the kernel's functions.
    model: Arc<Model>,
    /// What the interpreter believes: the same, but where the oracle has a row of its own.
    kernel: Model,
    include: PathBuf,
    effort: Effort,
}

/// What the interpreter found in a program.
#[derive(Default)]
struct Explored {
    /// The races, each with an execution.
    reached: BTreeMap<Reached, String>,
    cut: bool,
    ended: bool,
    states: usize,
    steps: u64,
}

/// A race that the interpreter reached: two functions that the kernel calls, with the line of each access
/// in the program's own file and whether it writes.
pub type Reached = ((FuncId, FuncId), [(u32, bool); 2]);

/// Something that the verifier must not say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Miss {
    /// It calls a pair free of races.
    CalledFree,
    /// It leaves the pair out.
    Omitted,
    /// It does not know one of the functions as an entry point.
    NoEntryPoint,
    /// It reports the pair, but one of the two accesses in no race of it.
    NotAmongReported,
}

/// A miss, with what to look at.
#[derive(Clone, Debug)]
pub struct Failure {
    /// What is wrong.
    pub miss: Miss,
    /// The two functions.
    pub pair: [String; 2],
    /// Their accesses.
    pub lines: [u32; 2],
    /// The execution.
    pub schedule: String,
}

/// What came out for one program.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// What the verifier missed.
    pub failures: Vec<Failure>,
    /// Pairs of functions that may meet.
    pub pairs: usize,
    /// Those with a race that the interpreter reached.
    pub racy: usize,
    /// Those that the verifier proved.
    pub proved: usize,
    /// Those of which it does not know.
    pub unknown: usize,
    /// Whether the exploration was cut off somewhere.
    pub cut: bool,
    /// Whether it was ended before all scenarios were looked at.
    pub ended: bool,
    /// The states explored.
    pub states: usize,
    /// The instructions executed for that.
    pub steps: u64,
    /// The time of the compiler, of the verifier, of the interpreter.
    pub times: [Duration; 3],
}

impl Oracle {
    /// With the built-in rows and the header at this place.
    pub fn new(include: PathBuf, effort: Effort) -> Oracle {
        let mut kernel = Model::clone(&Model::linux());
        kernel.merge(rows(include_str!("kernel.xml")));
        Oracle { model: Model::linux(), kernel, include, effort }
    }

    /// The verifier believes these rows from now on, whatever is so.
    #[cfg_attr(not(feature = "seeded-faults"), allow(dead_code))]
    pub fn believe(&mut self, text: &str) {
        self.model = Model::linux();
        Arc::make_mut(&mut self.model).merge(rows(text));
    }

    /// The flags with which a program is compiled.
    pub fn flags(&self) -> Vec<String> {
        vec![
            "-isystem".into(),
            self.include.display().to_string(),
            "-fno-builtin".into(),
            "-fno-strict-aliasing".into(),
        ]
    }

    /// Compiles, verifies, explores and compares.
    pub fn check(&self, file: &Path, calls: Calls) -> Result<Outcome> {
        let begin = Instant::now();
        let loaded = self.load(file)?;
        let compiled = loaded.clang_time;
        let options = ApplyOptions {
            externals: Externals::ReadWrite,
            masks: Masks::WithCopies,
            exact: false,
            uses: false,
        };
        let module = lockpair_env::apply(loaded.module.clone(), &self.kernel, &options).module;
        let analysis = self.verify(file, loaded, calls)?;
        let verified = begin.elapsed();
        let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        let explored = self.explored(text, module)?;
        let mut outcome = Outcome {
            cut: explored.cut,
            ended: explored.ended,
            states: explored.states,
            steps: explored.steps,
            times: [compiled, verified.saturating_sub(compiled), begin.elapsed().saturating_sub(verified)],
            ..Outcome::default()
        };
        compare(&analysis, &explored.reached, &mut outcome);
        Ok(outcome)
    }

    /// What the interpreter reaches. A program is verified in several ways, but explored once: that takes longest.
    fn explored(&self, text: String, module: Module) -> Result<Arc<Explored>> {
        static KNOWN: Mutex<BTreeMap<(String, Effort), Arc<Explored>>> = Mutex::new(BTreeMap::new());
        let known = || KNOWN.lock().expect("no thread panics with it");
        let key = (text, self.effort.clone());
        if let Some(explored) = known().get(&key) {
            return Ok(explored.clone());
        }
        let callers = scenario::callers(&module);
        let explored = Arc::new(self.explore(&with_outside_writes(&module), &callers)?);
        known().insert(key, explored.clone());
        Ok(explored)
    }

    fn load(&self, file: &Path) -> Result<frontend::Loaded> {
        let options = frontend::Options {
            clang: None,
            kernel: Kernel::None,
            clang_flags: self.flags(),
            emit_all_decls: false,
        };
        let keep = |name: &str| self.model.is_modelled(name) || self.kernel.is_modelled(name);
        frontend::load(&[file.to_owned()], &options, &keep).with_context(|| format!("{}", file.display()))
    }

    fn verify(&self, file: &Path, loaded: frontend::Loaded, calls: Calls) -> Result<Analysis> {
        let mut config = Config::new(vec![file.to_owned()]);
        config.kernel = Kernel::None;
        config.jobs = Some(1);
        config.inline_limit = (calls != Calls::Inlined).then_some(0);
        config.one_per_circle = calls == Calls::OneSummaryPerCircle;
        let (module, aliases, ledger) = (loaded.module, loaded.aliases, loaded.ledger);
        let prepared = pipeline::prepare_module(&config, module, &aliases, ledger, self.model.clone())?;
        pipeline::verify(&config, prepared, &Silent)
    }

    fn explore(&self, module: &Module, callers: &[Caller]) -> Result<Explored> {
        let bounds = Bounds {
            max_states: self.effort.states,
            max_iterations: 4,
            max_steps: 2_000,
            havoc_ints: vec![0, 1, u128::MAX],
            havoc_objects: false,
            ..Bounds::default()
        };
        let mut out = Explored::default();
        let mut left = self.effort.steps;
        for scenario in scenario::scenarios(module, callers, self.effort.triples) {
            if left == 0 {
                out.ended = true;
                break;
            }
            let found = explore(module, &scenario, &Bounds { max_search: left, ..bounds.clone() });
            left = left.saturating_sub(found.steps);
            out.steps += found.steps;
            out.cut |= !found.complete;
            out.states += found.states;
            for race in found.races {
                let Some(key) = key_of(module, &scenario, &race.first, &race.second) else { continue };
                if out.reached.contains_key(&key) {
                    continue;
                }
                let trace = replay(module, &scenario, &race.schedule)
                    .context("the interpreter cannot replay its own schedule")?;
                let schedule = schedule_text(module, &scenario, &trace.events, &race.first, &race.second);
                out.reached.insert(key, schedule);
            }
        }
        Ok(out)
    }
}

fn rows(text: &str) -> Model {
    Model::parse(text, "rows of the oracle").expect("rows of the oracle")
}

/// The module with the least that code which nobody models may do: it writes the first byte of what it gets.
fn with_outside_writes(module: &Module) -> Module {
    let mut module = module.clone();
    for func in module.funcs.values_mut() {
        let blocks: Vec<BlockId> = func.blocks.keys().collect();
        for block in blocks {
            let old = std::mem::take(&mut func.blocks[block].insts);
            let mut new = Vec::with_capacity(old.len());
            for inst in old {
                new.extend(outside_writes(func, inst));
                new.push(inst);
            }
            func.blocks[block].insts = new;
        }
    }
    module
}

fn outside_writes(func: &mut Function, inst: InstId) -> Vec<InstId> {
    let Op::External { args, .. } = &func.insts[inst].op else { return vec![] };
    let is_data =
        |a: &Operand| func.operand_ty(*a) == Ty::Ptr && !matches!(a, Operand::Func(_) | Operand::Null);
    let args: Vec<Operand> = args.iter().copied().filter(is_data).collect();
    let loc = func.insts[inst].loc;
    let len = Operand::Int { bits: 64, value: 1 };
    let write = |addr| Op::Access { addr, len, write: true, mark: Mark::Plain };
    args.into_iter().map(|addr| func.add_inst(write(addr), None, loc).0).collect()
}

/// Setup accesses race with nobody.
fn key_of(module: &Module, scenario: &Scenario, a: &RaceAccess, b: &RaceAccess) -> Option<Reached> {
    let func = |access: &RaceAccess| scenario.threads.get(access.thread).map(|t| t.call.func);
    let (f, g) = (func(a)?, func(b)?);
    let x = (line(module, a.site.loc)?, a.write);
    let y = (line(module, b.site.loc)?, b.write);
    Some(if (f, x) <= (g, y) { ((f, g), [x, y]) } else { ((g, f), [y, x]) })
}

fn line(module: &Module, loc: Option<LocId>) -> Option<u32> {
    loc.map(|loc| module.locs[loc].line)
}

fn schedule_text(
    module: &Module,
    scenario: &Scenario,
    events: &[lockpair_ir::interp::Event],
    a: &RaceAccess,
    b: &RaceAccess,
) -> String {
    use std::fmt::Write as _;
    let name = |t: usize| {
        scenario
            .threads
            .get(t)
            .map_or("setup".to_owned(), |s| format!("{t}:{}", module.funcs[s.call.func].name))
    };
    let mut out = String::new();
    for (n, thread) in scenario.threads.iter().enumerate() {
        let _ = writeln!(out, "thread {} with {:?}", name(n), thread.call.args);
    }
    for event in events {
        let at =
            event.site.and_then(|s| line(module, s.loc)).map_or(String::new(), |l| format!("line {l}: "));
        let _ = writeln!(out, "{}: {at}{:?}", name(event.thread), event.action);
    }
    for access in [a, b] {
        let at = line(module, access.site.loc).unwrap_or(0);
        let what = if access.write { "writes" } else { "reads" };
        let (object, offset, len) = (&access.object, access.offset, access.len);
        let _ = writeln!(
            out,
            "{}: line {at} {what} {object}+{offset}, {len} bytes ({:?})",
            name(access.thread),
            access.mark
        );
    }
    out
}

/// What the verifier says of two functions.
struct Said {
    verdicts: Vec<Verdict>,
    omitted: bool,
    /// The accesses that take part in a reported race.
    reported: BTreeSet<(u32, bool)>,
}

fn compare(analysis: &Analysis, reached: &BTreeMap<Reached, String>, outcome: &mut Outcome) {
    let module = &analysis.module;
    let racy: BTreeSet<(FuncId, FuncId)> = reached.keys().map(|(pair, _)| *pair).collect();
    outcome.racy = racy.len();
    outcome.pairs = analysis.pairs.len() + analysis.omitted.len();
    outcome.proved = analysis.omitted.len();
    outcome.proved += analysis.pairs.iter().filter(|p| p.verdict == Verdict::RaceFree).count();
    outcome.unknown = analysis.pairs.iter().filter(|p| matches!(p.verdict, Verdict::Unknown(_))).count();
    for ((pair, lines), schedule) in reached {
        let Some(miss) = judge(analysis, *pair, lines) else { continue };
        outcome.failures.push(Failure {
            miss,
            pair: [module.funcs[pair.0].name.clone(), module.funcs[pair.1].name.clone()],
            lines: lines.map(|(line, _)| line),
            schedule: schedule.clone(),
        });
    }
    outcome.failures.sort_by_key(|f| f.miss == Miss::NotAmongReported);
}

fn judge(analysis: &Analysis, pair: (FuncId, FuncId), lines: &[(u32, bool); 2]) -> Option<Miss> {
    let known = |f: FuncId| analysis.entry_points.items.values().any(|e| e.func == f);
    if !known(pair.0) || !known(pair.1) {
        return Some(Miss::NoEntryPoint);
    }
    let said = said(analysis, pair);
    if said.verdicts.iter().any(|v| matches!(v, Verdict::Unknown(_))) {
        return None;
    }
    if said.verdicts.iter().all(|v| *v == Verdict::RaceFree) {
        return Some(if said.omitted { Miss::Omitted } else { Miss::CalledFree });
    }
    let listed = lines.iter().all(|place| said.reported.contains(place));
    (!listed).then_some(Miss::NotAmongReported)
}

fn said(analysis: &Analysis, pair: (FuncId, FuncId)) -> Said {
    let module = &analysis.module;
    let func = |e| analysis.entry_points.items[e].func;
    let same = |a, b| (func(a), func(b)) == pair || (func(b), func(a)) == pair;
    let mut said = Said { verdicts: vec![], omitted: false, reported: BTreeSet::new() };
    for result in analysis.pairs.iter().filter(|p| same(p.pair.0, p.pair.1)) {
        said.verdicts.push(result.verdict.clone());
        for race in &result.races {
            for access in &race.accesses {
                let line = line(module, access.loc).unwrap_or(0);
                said.reported.insert((line, access.write));
                // Who stores a bit-field reads its word, too.
                if access.write && !access.bit_fields.is_empty() {
                    said.reported.insert((line, false));
                }
            }
        }
    }
    said.omitted = analysis.omitted.iter().any(|(a, b, _)| same(*a, *b));
    said
}
