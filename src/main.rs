//! The command-line program: arguments in, report and exit code out.

mod cli;

use anyhow::{Context as _, Result, bail};
use clap::Parser;
use cli::{
    Batch, BatchTerminal, Check, Cli, Command, Compare, Destination, EnvCommand, Exports, Failure, InferEnv,
    ListEntryPoints, ListPairs, Mutate, Show, Terminal,
};
use lockpair::batch::{self, summary};
use lockpair::{mutate, pipeline, report};
use lockpair_env::Model;
use std::process::ExitCode;

const SURVIVORS: u8 = 1;
const USAGE_OR_INPUT_ERROR: u8 = 2;
const NOT_ALL_ENDED: u8 = 3;
const INTERRUPTED: u8 = 130;

fn main() -> ExitCode {
    let cli = Cli::parse();
    start_tracing(&cli);
    ExitCode::from(run(&cli).unwrap_or_else(|error| fail(&error)))
}

fn run(cli: &Cli) -> Result<u8> {
    match &cli.command {
        Command::Check(arguments) => check(cli, arguments),
        Command::Batch(arguments) => batch(cli, arguments),
        Command::EntryPoints(arguments) => entry_points(arguments),
        Command::Pairs(arguments) => pairs(arguments),
        Command::InferEnv(arguments) => infer_env(cli, arguments),
        Command::Mutate(arguments) => try_mutants(cli, arguments),
        Command::Env(arguments) => match &arguments.command {
            EnvCommand::Show(arguments) => show_rows(arguments),
            EnvCommand::Compare(arguments) => compare_rows(arguments),
            EnvCommand::Exports(arguments) => list_exports(arguments),
        },
    }
}

fn check(cli: &Cli, arguments: &Check) -> Result<u8> {
    let config = arguments.config();
    let destination = Destination::of(arguments.output.clone());
    destination.expect()?;
    if config.dump.is_some() && arguments.format() == report::Format::Json && arguments.output.is_none() {
        bail!("--dump prints to stdout, where the JSON report would go: give that a file (-o)");
    }
    if let Some((_, file)) = arguments.second_report() {
        Destination::File(file).expect()?;
    }
    cli::listen_for_interrupts()?;
    let progress = Terminal::start(cli.quiet);
    let analysis = pipeline::check(&config, &progress);
    progress.finish();
    let analysis = unless_interrupted(analysis)?;
    if let Some((format, file)) = arguments.second_report() {
        let options = arguments.report_options(cli.color, true);
        Destination::File(file).write_with(|out| report::write(&analysis, format, &options, out))?;
    }
    let options = arguments.report_options(cli.color, arguments.output.is_some());
    destination.write_with(|out| report::write(&analysis, arguments.format(), &options, out))?;
    if arguments.output.is_some() && !cli.quiet {
        Destination::Stdout.write(&report::summary(&analysis))?;
    }
    Ok(report::exit_code(&analysis))
}

fn batch(cli: &Cli, arguments: &Batch) -> Result<u8> {
    let (config, setting) = (arguments.config()?, arguments.setting()?);
    cli::listen_for_interrupts()?;
    let progress = BatchTerminal::start(cli.quiet);
    let batch = batch::run(&config, &progress);
    progress.finish();
    let batch = batch?;
    Destination::File(config.summary_file()).write(&summary::full(&batch, &setting))?;
    if config.text {
        Destination::Stdout.write(&summary::overview(&batch))?;
    } else if !cli.quiet {
        Destination::Stdout.write(&summary::brief(&batch))?;
    }
    Ok(match (batch.missing, batch.records.iter().all(|record| record.outcome.regular())) {
        (0, true) => 0,
        (0, false) => NOT_ALL_ENDED,
        _ => INTERRUPTED,
    })
}

fn entry_points(arguments: &ListEntryPoints) -> Result<u8> {
    let (module, entry_points) = pipeline::entry_points(&arguments.config())?;
    let text = if arguments.xml {
        lockpair_entry_points::to_xml(&entry_points, &module)
    } else {
        lockpair_entry_points::entry_point_table(&entry_points, &module)
    };
    Destination::Stdout.write(&text)?;
    Ok(0)
}

fn pairs(arguments: &ListPairs) -> Result<u8> {
    let (entry_points, pairs) = pipeline::pairs(&arguments.config())?;
    Destination::Stdout.write(&lockpair_entry_points::pair_table(&pairs, &entry_points))?;
    Ok(0)
}

fn infer_env(cli: &Cli, arguments: &InferEnv) -> Result<u8> {
    let destination = Destination::of(arguments.output.clone());
    destination.expect()?;
    cli::listen_for_interrupts()?;
    let progress = Terminal::start(cli.quiet);
    let inferred = lockpair::infer_env::infer(&arguments.config(), &progress);
    progress.finish();
    let inferred = inferred?;
    for (file, reason) in &inferred.failed {
        tracing::warn!("{}: left out: {}", file.display(), reason.lines().next().unwrap_or_default());
    }
    if !arguments.explain.is_empty() {
        destination.write(&inferred.explanations.concat())?;
        return Ok(0);
    }
    let header = format!(
        "<!-- Inferred from the source of {}: {} functions of {} files; {} files do not compile. Do not edit. -->\n",
        arguments.version,
        inferred.functions,
        inferred.files - inferred.failed.len(),
        inferred.failed.len(),
    );
    let rows = lockpair_env::write::write(&inferred.model);
    destination.write(&(header + &rows))?;
    Ok(0)
}

fn list_exports(arguments: &Exports) -> Result<u8> {
    let destination = Destination::of(arguments.output.clone());
    destination.expect()?;
    if !arguments.kernel.join("Makefile").is_file() {
        bail!("{}: not the root of a kernel's source: it has no Makefile", arguments.kernel.display());
    }
    let unshared = lockpair::infer_env::exports::unshared(&arguments.kernel);
    let header = format!(
        "<!-- Found in the source of {}: {} functions. Do not edit. -->\n",
        arguments.version,
        unshared.len()
    );
    let model = Model { unshared, ..Model::default() };
    destination.write(&(header + &lockpair_env::write::write(&model)))?;
    Ok(0)
}

fn try_mutants(cli: &Cli, arguments: &Mutate) -> Result<u8> {
    let destination = Destination::of(arguments.output.clone());
    destination.expect()?;
    cli::listen_for_interrupts()?;
    let progress = Terminal::counting(cli.quiet, "mutants");
    let report = mutate::run(&arguments.config(), &arguments.options(), &progress);
    progress.finish();
    let report = unless_interrupted(report)?;
    if arguments.is_json() {
        destination.write_with(|out| mutate::write_json(&report, arguments.seed, out))?;
    } else {
        destination.write(&mutate::render(&report, std::env::current_dir().ok().as_deref()))?;
    }
    Ok(match report.count("survivor") {
        _ if report.interrupted => INTERRUPTED,
        0 if report.proved == 0 || report.count("undecided") > 0 => NOT_ALL_ENDED,
        0 => 0,
        _ => SURVIVORS,
    })
}

fn show_rows(arguments: &Show) -> Result<u8> {
    let model = arguments.model()?;
    let (known, unknown): (Vec<_>, Vec<_>) =
        arguments.names.iter().map(|name| (name, model.only(name))).partition(|(_, rows)| rows.is_some());
    for rows in known.into_iter().filter_map(|(_, rows)| rows) {
        Destination::Stdout.write(&lockpair_env::write::write(&rows))?;
    }
    match unknown[..] {
        [] => Ok(0),
        [(name, _), ..] => bail!("{name}: the environment model has no row of that name"),
    }
}

fn compare_rows(arguments: &Compare) -> Result<u8> {
    let file = &arguments.file;
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let inferred = Model::parse(&text, &file.display().to_string())?;
    let by_hand = Model::linux_by_hand();
    Destination::Stdout.write(&lockpair_env::compare::callbacks(&by_hand, &inferred))?;
    Destination::Stdout.write(&lockpair_env::compare::functions(&by_hand, &inferred))?;
    Ok(0)
}

/// Work that fails after an interrupt fails for it: clang, say, gets it, too.
fn unless_interrupted<T>(done: Result<T>) -> Result<T> {
    match done {
        Err(_) if cli::interrupted() => bail!("interrupted, before there was anything to report"),
        done => done,
    }
}

fn fail(error: &anyhow::Error) -> u8 {
    Failure::of(error).print();
    if cli::interrupted() { INTERRUPTED } else { USAGE_OR_INPUT_ERROR }
}

fn start_tracing(cli: &Cli) {
    let level = match (cli.quiet, cli.verbose) {
        (true, _) => tracing::Level::ERROR,
        (false, 0) => tracing::Level::WARN,
        (false, 1) => tracing::Level::DEBUG,
        (false, _) => tracing::Level::TRACE,
    };
    let ansi = cli.color.on_stderr();
    tracing_subscriber::fmt()
        .with_max_level(level)
        .with_ansi(ansi)
        .with_writer(std::io::stderr)
        .without_time()
        .init();
}
