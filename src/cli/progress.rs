//! Progress on the terminal, and the user's wish to stop.

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lockpair::batch;
use lockpair::batch::record::Record;
use lockpair::config::Progress;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// From now on, Ctrl-C asks the run to stop with what it has; a second one ends the process.
pub fn listen_for_interrupts() -> Result<()> {
    ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::SeqCst) {
            std::process::exit(130);
        }
        let _ = writeln!(
            std::io::stderr(),
            "lockpair: interrupted, reporting what is done (again: stop at once)"
        );
    })
    .context("cannot listen for Ctrl-C")
}

/// Whether the user has asked the run to stop.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// A bar on stderr if that is a terminal, else nothing.
pub struct Terminal {
    bar: ProgressBar,
    /// What is counted.
    things: &'static str,
}

impl Terminal {
    /// Starts to show progress, unless the user wants none.
    pub fn start(quiet: bool) -> Terminal {
        Terminal::counting(quiet, "pairs")
    }

    /// The same where other things than pairs are done one by one.
    pub fn counting(quiet: bool, things: &'static str) -> Terminal {
        Terminal { bar: bar(quiet, "{spinner} {msg} {elapsed}"), things }
    }

    /// Takes the bar off the screen.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Progress for Terminal {
    fn stage(&self, what: &str) {
        self.bar.set_message(what.to_owned());
    }

    fn pairs(&self, total: usize) {
        self.bar.set_style(style(&format!("{{bar:30}} {{pos}}/{{len}} {} {{elapsed}}", self.things)));
        self.bar.set_length(u64::try_from(total).unwrap_or(u64::MAX));
        self.bar.set_position(0);
    }

    fn done_one(&self) {
        self.bar.inc(1);
    }

    fn interrupted(&self) -> bool {
        interrupted()
    }
}

/// The same for a run over many modules.
pub struct BatchTerminal {
    bar: ProgressBar,
}

impl BatchTerminal {
    /// Starts to show progress, unless the user wants none.
    pub fn start(quiet: bool) -> BatchTerminal {
        BatchTerminal { bar: bar(quiet, "{bar:30} {pos}/{len} modules {elapsed} (left: {eta}) {msg}") }
    }

    /// Takes the bar off the screen.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl batch::Progress for BatchTerminal {
    fn units(&self, total: usize) {
        self.bar.set_length(u64::try_from(total).unwrap_or(u64::MAX));
    }

    fn done_one(&self, record: &Record) {
        self.bar.set_message(record.unit.name.clone());
        self.bar.inc(record.unit.all().count() as u64);
    }

    fn interrupted(&self) -> bool {
        interrupted()
    }
}

fn bar(quiet: bool, template: &str) -> ProgressBar {
    let visible = !quiet && std::io::stderr().is_terminal();
    let target = if visible { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(None, target);
    bar.set_style(style(template));
    if visible {
        bar.enable_steady_tick(Duration::from_millis(100));
    }
    bar
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the template is one of ours")
}
