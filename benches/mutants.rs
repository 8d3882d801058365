//! Recall on real drivers: tries mutants of modules that are drawn, or named, and writes a table of what came of them.
//!
//! cargo bench --bench mutants -- --tree TREE --output DIR [--draw N] [--seed N] DIRS OR MODULES
//!
//! Modules are drawn from the sorted list of those that `lockpair batch` finds: splitmix64 puts the list into an order,
//! and they are taken in this order until so many have a mutant. Those that do not compile, or of which no
//! pair is proved, are counted, no more. A module with a report in the directory is not tried again.

use anyhow::{Context, Result, bail};
use clap::Parser;
use lockpair::batch::child::{self, Limits};
use lockpair::batch::kbuild::KernelConfig;
use lockpair::batch::units::{self, Unit};
use lockpair::frontend;
use lockpair::mutate::draw;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// What is tried.
#[derive(Parser)]
struct Arguments {
    /// The root of the kernel's source
    #[arg(long)]
    tree: PathBuf,
    /// Where the reports of the modules go
    #[arg(long)]
    output: PathBuf,
    /// How many modules to draw [default: all, in their order]
    #[arg(long)]
    draw: Option<usize>,
    /// Where drawing modules, and mutants of each, begins
    #[arg(long, default_value = "1")]
    seed: u64,
    /// Mutants of each module
    #[arg(long, default_value = "10")]
    sample: usize,
    /// Seconds for one module; then what was tried counts
    #[arg(long, default_value = "40")]
    seconds: u64,
    /// Modules at once, each on one thread
    #[arg(long, default_value = "2")]
    jobs: usize,
    /// What `cargo bench` adds
    #[arg(long, hide = true)]
    bench: bool,
    /// Directories or modules
    #[arg(required = true)]
    dirs: Vec<PathBuf>,
}

/// What came of a module.
enum Outcome {
    /// The report of `lockpair mutate`.
    Report(Value),
    /// There is none, and this is why.
    None(&'static str),
}

impl Outcome {
    fn mutants(&self) -> &[Value] {
        match self {
            Outcome::Report(report) => report["mutants"].as_array().map_or(&[], Vec::as_slice),
            Outcome::None(_) => &[],
        }
    }
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    std::fs::create_dir_all(&arguments.output)?;
    let config = KernelConfig(frontend::configured(&frontend::detect_kernel()?).map(Some)?);
    let mut found = units::find(&arguments.tree, &arguments.dirs, &config)?.units;
    found.sort_by(|a, b| a.name.cmp(&b.name));
    let total = found.len();
    let ordered = match arguments.draw {
        Some(_) => draw::in_random_order(found, arguments.seed),
        None => found,
    };
    let tried = try_units(&arguments, &ordered)?;
    print!("{}", table(&arguments, total, &tried));
    Ok(())
}

/// Tries modules in their order, several at once, until enough of them have a mutant.
fn try_units<'u>(arguments: &Arguments, ordered: &'u [Unit]) -> Result<Vec<(&'u Unit, Outcome)>> {
    let wanted = arguments.draw.unwrap_or(usize::MAX);
    let (mut tried, mut with_mutants) = (Vec::new(), 0);
    for units in ordered.chunks(arguments.jobs.max(1)) {
        let outcomes: Vec<Result<Outcome>> = std::thread::scope(|scope| {
            let running: Vec<_> = units.iter().map(|unit| scope.spawn(|| outcome(arguments, unit))).collect();
            running.into_iter().map(|one| one.join().expect("a thread that tries a module")).collect()
        });
        for (unit, outcome) in units.iter().zip(outcomes) {
            let outcome = outcome?;
            if with_mutants < wanted {
                with_mutants += usize::from(!outcome.mutants().is_empty());
                tried.push((unit, outcome));
            }
        }
        if with_mutants >= wanted {
            break;
        }
    }
    Ok(tried)
}

fn outcome(arguments: &Arguments, unit: &Unit) -> Result<Outcome> {
    let file = arguments.output.join(&unit.name).with_extension("json");
    if let Ok(text) = std::fs::read_to_string(&file) {
        return Ok(Outcome::Report(serde_json::from_str(&text)?));
    }
    std::fs::create_dir_all(file.parent().context("a module in a directory")?)?;
    let ended = child::run(
        command(arguments, unit, &file)?,
        Limits { time: Duration::from_secs(arguments.seconds), memory_mb: 3000 },
        &|| false,
    )?;
    eprintln!("{}: {}, {:.0} s", unit.name, ended.describe(), ended.time.as_secs_f64());
    Ok(match (std::fs::read_to_string(&file), ended.stopped) {
        (Ok(text), _) => Outcome::Report(serde_json::from_str(&text)?),
        (Err(_), Some(_)) => Outcome::None("stopped before any mutant was tried"),
        (Err(_), None) if ended.status.code() == Some(2) => {
            Outcome::None("not compiled, or nothing to check")
        }
        (Err(_), None) => bail!("{}: {}\n{}", unit.name, ended.describe(), ended.stderr),
    })
}

fn command(arguments: &Arguments, unit: &Unit, report: &Path) -> Result<Command> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lockpair"));
    command.args(["mutate", "--quiet", "--jobs", "1", "--format", "json", "--output"]);
    command.arg(std::path::absolute(report)?);
    command.args(["--sample".to_owned(), arguments.sample.to_string()]);
    command.args(["--seed".to_owned(), arguments.seed.to_string()]);
    command.args(&unit.files).arg("--").args(&unit.flags).current_dir(&arguments.tree);
    Ok(command)
}

const KINDS: [&str; 6] = ["delete", "begin", "end", "swap", "share", "row"];
const CLASSES: [&str; 5] = ["killed", "redundant", "protects-nothing", "undecided", "survivor"];

fn table(arguments: &Arguments, total: usize, tried: &[(&Unit, Outcome)]) -> String {
    let with: Vec<_> = tried.iter().filter(|(_, outcome)| !outcome.mutants().is_empty()).collect();
    let mut lines = vec![
        format!(
            "{} modules of {total} looked at, {} with mutants; seed {}, up to {} mutants and {} s each.",
            tried.len(),
            with.len(),
            arguments.seed,
            arguments.sample,
            arguments.seconds
        ),
        String::new(),
        format!("| module | proved pairs | possible | {} | {} |", KINDS.join(" | "), CLASSES.join(" | ")),
        format!("|---{}|", "|--:".repeat(2 + KINDS.len() + CLASSES.len())),
    ];
    for (unit, outcome) in &with {
        let Outcome::Report(report) = outcome else { continue };
        let cut = if report["interrupted"] == true { " (cut short)" } else { "" };
        let known = format!("| {}{cut} | {} | {} ", unit.name, report["proved_pairs"], report["possible"]);
        lines.push(known + &counts(outcome.mutants()));
    }
    let all: Vec<Value> = with.iter().flat_map(|(_, outcome)| outcome.mutants()).cloned().collect();
    lines.push(format!("| all | | {}", counts(&all)));
    lines.push(String::new());
    lines.push(rate(&all));
    lines.extend(without(tried));
    lines.extend(because(&all));
    for (class, title) in [("survivor", "Survivors"), ("undecided", "Undecided")] {
        lines.extend([String::new(), format!("{title}:"), String::new()]);
        for (unit, outcome) in &with {
            let of_class = outcome.mutants().iter().filter(|m| m["class"] == class);
            lines.extend(of_class.map(|mutant| described(&unit.name, mutant)));
        }
    }
    lines.join("\n") + "\n"
}

fn counts(mutants: &[Value]) -> String {
    let having = |member: &str, value: &str| mutants.iter().filter(|m| m[member] == value).count();
    let kinds = KINDS.map(|kind| having("kind", kind));
    let classes = CLASSES.map(|class| having("class", class));
    kinds.iter().chain(&classes).map(|n| format!("| {n} ")).collect::<String>() + "|"
}

fn rate(mutants: &[Value]) -> String {
    let [killed, _, _, undecided, survivors] =
        CLASSES.map(|class| mutants.iter().filter(|m| m["class"] == class).count());
    let of = killed + undecided + survivors;
    // There are no more mutants than a float can count.
    let percent = 100.0 * killed as f64 / of.max(1) as f64;
    format!("Of {of} mutants that should be reported {killed} are: {percent:.1}%.")
}

/// How many modules have no mutant, and why.
fn without(tried: &[(&Unit, Outcome)]) -> Vec<String> {
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, outcome) in tried.iter().filter(|(_, outcome)| outcome.mutants().is_empty()) {
        let reason = match outcome {
            Outcome::Report(_) => "no pair is proved that rests on a protection",
            Outcome::None(reason) => reason,
        };
        *reasons.entry(reason).or_default() += 1;
    }
    reasons.into_iter().map(|(reason, n)| format!("Without mutants: {n} modules ({reason}).")).collect()
}

/// How often each protection is what makes a mutant redundant.
fn because(mutants: &[Value]) -> Vec<String> {
    let mut named: BTreeMap<String, usize> = BTreeMap::new();
    for mutant in mutants.iter().filter(|m| m["class"] == "redundant") {
        let others = mutant["because"].as_array().map_or(&[][..], Vec::as_slice);
        let others: Vec<&str> = others.iter().filter_map(Value::as_str).collect();
        *named.entry(others.join(" and ")).or_default() += 1;
    }
    let mut named: Vec<(String, usize)> = named.into_iter().collect();
    named.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    let mut lines = ["", "| redundant because of | mutants |", "|---|--:|"].map(str::to_owned).to_vec();
    lines.extend(named.into_iter().map(|(name, n)| format!("| {name} | {n} |")));
    lines
}

fn described(module: &str, mutant: &Value) -> String {
    let text = |member: &str| mutant[member].as_str().unwrap_or("-").to_owned();
    let line = mutant["line"].as_u64().map(|line| format!(":{line}")).unwrap_or_default();
    let meetings = mutant["meetings"].as_array().map_or(0, Vec::len);
    let first = &mutant["meetings"][0];
    let why = match mutant["reason"].as_str() {
        Some(reason) => reason.to_owned(),
        None => format!("{meetings} accesses meet, the first {} ({})", first["accesses"], first["pair"]),
    };
    let [kind, what, function] = ["kind", "what", "function"].map(text);
    format!("- {module}{line}, {function}: {kind} {what}: {why}")
}
