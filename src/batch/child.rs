//! Running a program under limits of time and memory, with what it used.
//!
//! The program gets a process group of its own, so that what it has started ends with it.

use anyhow::{Context, Result};
use nix::errno::Errno;
use nix::sys::signal::{Signal, kill, killpg};
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
use nix::unistd::Pid;
use std::fs::File;
use std::io::{Read, Seek};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use wait4::Wait4;

/// How often the limits are looked at.
const PERIOD: Duration = Duration::from_millis(20);
/// So long a program that was asked to end may take to write what it has.
const GRACE: Duration = Duration::from_secs(10);

/// What a program may use.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Duration,
    /// Resident memory of the program itself, in megabytes.
    pub memory_mb: u64,
}

/// Why a program was stopped.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Stopped {
    /// It took too long.
    Time,
    /// It used too much memory.
    Memory,
    /// Its result is not wanted any more.
    Unwanted,
}

/// A program that has ended.
#[derive(Clone, Debug)]
pub struct Ended {
    /// Why it was stopped; none if it ended by itself.
    pub stopped: Option<Stopped>,
    /// How it ended.
    pub status: ExitStatus,
    /// What it wrote to stdout.
    pub stdout: String,
    /// What it wrote to stderr.
    pub stderr: String,
    /// Wall-clock time.
    pub time: Duration,
    /// Processor time, that of its children included.
    pub cpu: Duration,
    /// Most memory that it, or one of its children, had at once, in bytes.
    pub memory: u64,
}

impl Ended {
    /// The exit code or the signal, for people.
    pub fn describe(&self) -> String {
        match (self.status.code(), self.status.signal().and_then(|n| Signal::try_from(n).ok())) {
            (Some(code), _) => format!("exit code {code}"),
            (None, Some(signal)) => format!("signal {signal}"),
            (None, None) => "unknown signal".to_owned(),
        }
    }
}

/// Runs a program to its end, or until a limit is reached or `unwanted` says so.
pub fn run(mut command: Command, limits: Limits, unwanted: &dyn Fn() -> bool) -> Result<Ended> {
    let scratch = || tempfile::tempfile().context("cannot create a temporary file");
    let (mut stdout, mut stderr) = (scratch()?, scratch()?);
    command.stdin(Stdio::null()).process_group(0);
    command.stdout(stdout.try_clone()?).stderr(stderr.try_clone()?);
    let start = Instant::now();
    let mut child = command.spawn().context("cannot start a process")?;
    let group = Pid::from_raw(child.id().try_into().context("a process id out of range")?);
    let stopped = watch(group, start, limits, unwanted);
    // Still there as a zombie: its number cannot be anybody else's.
    let _ = killpg(group, Signal::SIGKILL);
    let used = reap(&mut child)?;
    Ok(Ended {
        stopped,
        status: used.status,
        stdout: contents(&mut stdout)?,
        stderr: contents(&mut stderr)?,
        time: start.elapsed(),
        cpu: used.rusage.utime + used.rusage.stime,
        memory: used.rusage.maxrss,
    })
}

/// Waits until the process has ended, but leaves it to be reaped. A process that takes too long is asked
/// to end with what it has; any other that has to end is left to the caller to kill.
fn watch(process: Pid, start: Instant, limits: Limits, unwanted: &dyn Fn() -> bool) -> Option<Stopped> {
    let mut stopped = None;
    while !has_ended(process) {
        let late = start.elapsed() > limits.time;
        if unwanted() {
            return Some(Stopped::Unwanted);
        } else if memory_mb(process) > limits.memory_mb {
            return Some(Stopped::Memory);
        } else if start.elapsed() > limits.time + GRACE {
            return Some(Stopped::Time);
        } else if late && stopped.is_none() {
            // Not the interrupt, which is ignored in what a shell has started in the background.
            let _ = kill(process, Signal::SIGTERM);
            stopped = Some(Stopped::Time);
        }
        sleep(PERIOD);
    }
    stopped
}

fn has_ended(process: Pid) -> bool {
    let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    match waitid(Id::Pid(process), flags) {
        Ok(WaitStatus::StillAlive) | Err(Errno::EINTR) => false,
        Ok(_) | Err(_) => true,
    }
}

/// Resident memory now; nothing of a process that has just ended.
fn memory_mb(process: Pid) -> u64 {
    let status = procfs::process::Process::new(process.as_raw()).and_then(|process| process.status());
    status.ok().and_then(|status| status.vmrss).unwrap_or_default() / 1024
}

fn reap(child: &mut Child) -> Result<wait4::ResUse> {
    loop {
        match child.wait4() {
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            other => return other.context("cannot wait for a process"),
        }
    }
}

fn contents(file: &mut File) -> Result<String> {
    let mut bytes = Vec::new();
    file.rewind().and_then(|()| file.read_to_end(&mut bytes)).context("cannot read a temporary file")?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::{Ended, Limits, Stopped, run};
    use std::process::Command;
    use std::time::Duration;

    fn shell(script: &str, seconds: u64, memory_mb: u64, unwanted: bool) -> Ended {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        run(command, Limits { time: Duration::from_secs(seconds), memory_mb }, &|| unwanted).unwrap()
    }

    #[test]
    fn what_it_wrote_and_used_is_kept() {
        let ended = shell("echo out; echo err >&2; exit 3", 60, 1000, false);
        assert_eq!((ended.stdout.as_str(), ended.stderr.as_str()), ("out\n", "err\n"));
        assert_eq!((ended.status.code(), ended.stopped), (Some(3), None));
        assert!(ended.memory > 100_000, "{}", ended.memory);
        assert_eq!(ended.describe(), "exit code 3");
        assert_eq!(shell("kill -SEGV $$", 60, 1000, false).describe(), "signal SIGSEGV");
    }

    #[test]
    fn a_late_program_may_write_what_it_has() {
        let ended = shell("trap 'echo part; exit 1' TERM; while :; do sleep 0.05; done", 1, 1000, false);
        assert_eq!((ended.stdout.as_str(), ended.stopped), ("part\n", Some(Stopped::Time)));
    }

    #[test]
    fn limits_end_it_with_its_children() {
        let ended =
            shell("sleep 1000 & x=$(head -c 50000000 /dev/zero | tr '\\0' x); sleep 1000", 60, 30, false);
        assert_eq!(ended.stopped, Some(Stopped::Memory));
        let ended = shell("sleep 1000", 60, 1000, true);
        assert_eq!((ended.stopped, ended.describe().as_str()), (Some(Stopped::Unwanted), "signal SIGKILL"));
    }
}
