//! Builds a program with ThreadSanitizer, runs it, and reads what that reports.

use anyhow::{Context, Result, bail};
use std::collections::BTreeSet;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How often a program is run: each time, threads meet in another order.
const RUNS: usize = 3;
/// A program that waits for ever has said what it had to say.
const PATIENCE: Duration = Duration::from_secs(5);
/// Goes on after a race, and reports nothing but races.
const OPTIONS: &str = "halt_on_error=0:exitcode=0:report_thread_leaks=0:report_destroy_locked=0:report_signal_unsafe=0:\
                       report_mutex_bugs=0:detect_deadlocks=0";

/// Two lines of the program whose accesses race.
pub type Lines = [u32; 2];

/// The races that some run shows; none if the sanitizer cannot tell where.
pub fn races(file: &Path, binary: &Path) -> Result<BTreeSet<Lines>> {
    let output = Command::new("gcc")
        .args(["-fsanitize=thread", "-g", "-O0", "-pthread", "-w", "-o"])
        .args([binary, file])
        .output()
        .context("cannot run gcc")?;
    if !output.status.success() {
        bail!("gcc: {}", String::from_utf8_lossy(&output.stderr));
    }
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut all = BTreeSet::new();
    for _ in 0..RUNS {
        let mut said = run(Command::new(binary))?;
        if said.contains("FATAL: ThreadSanitizer") {
            // It needs addresses at their usual places.
            let mut command = Command::new("setarch");
            command.arg("-R").arg(binary);
            said = run(command)?;
        }
        if said.contains("FATAL: ThreadSanitizer") {
            bail!("ThreadSanitizer does not run here: {said}");
        }
        all.extend(
            said.split("WARNING: ThreadSanitizer: ").skip(1).filter_map(|report| lines(report, &name)),
        );
    }
    let _ = std::fs::remove_file(binary);
    Ok(all)
}

/// What the program writes to stderr until it ends or is ended.
fn run(mut command: Command) -> Result<String> {
    command.env("TSAN_OPTIONS", OPTIONS).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().context("cannot run the program")?;
    let mut pipe = child.stderr.take().context("no stderr")?;
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    });
    let start = Instant::now();
    while child.try_wait()?.is_none() {
        if start.elapsed() > PATIENCE {
            child.kill()?;
            child.wait()?;
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok(reader.join().unwrap_or_default())
}

/// The two places of a report on a data race: the innermost frames in the program itself.
fn lines(report: &str, name: &str) -> Option<Lines> {
    if !report.starts_with("data race") {
        return None;
    }
    let mut places = Vec::new();
    let mut wants = false;
    for line in report.lines().skip(1) {
        let text = line.trim_start();
        if text.contains(" of size ") && text.contains(" at 0x") && text.contains(" by ") {
            wants = true;
        } else if wants && text.starts_with('#') {
            if let Some(at) = place(text, name) {
                places.push(at);
                wants = false;
            }
        } else if text.starts_with("Location") || text.starts_with("Thread ") || text.starts_with("Mutex ") {
            break;
        }
    }
    match places[..] {
        [a, b] => Some([a.min(b), a.max(b)]),
        _ => None,
    }
}

/// The line in `#0 worker /some/where/file.c:12 (...)`.
fn place(frame: &str, name: &str) -> Option<u32> {
    let (_, rest) = frame.split_once(&format!("/{name}:"))?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}
