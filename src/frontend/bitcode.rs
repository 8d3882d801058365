//! Bytes to LLVM modules: reading and checking.
//!
//! LLVM trusts the bitcode that it reads: on hostile or damaged input its reader, and what comes after it,
//! may call `exit`, abort or run wild, and nothing inside the process can prevent that. (Its verifier
//! does not look at everything that its passes rely on.) So input that this run's clang did not write is
//! loaded in a forked child first, to the end; only what the child survives is read here.
#![allow(unsafe_code)]

use super::error::FrontendError;
use super::llvm::{LlvmContext, LlvmModule};
use rayon::prelude::*;
use std::io::{Read, Write};
use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// Seconds after which the child that checks an input is taken to hang.
const CHECK_SECONDS: u32 = 20;

/// One input, read into memory.
pub struct Source<'a> {
    /// Where it is from.
    pub path: &'a Path,
    /// What it holds.
    pub bytes: Vec<u8>,
    /// Whether it is textual IR.
    pub textual: bool,
    /// Whether this run's clang wrote it.
    pub trusted: bool,
}

impl Source<'_> {
    fn bad(&self, message: impl Into<String>) -> FrontendError {
        FrontendError::BadBitcode { path: self.path.to_owned(), message: message.into() }
    }

    /// Accepts what this run's clang wrote, and what a child has survived.
    fn check(&self, rehearse: &Rehearsal<'_>) -> Result<(), FrontendError> {
        if self.trusted {
            return Ok(());
        }
        if !self.textual && !has_magic(&self.bytes) {
            return Err(self.bad("it does not begin like bitcode"));
        }
        check_in_child(self, rehearse)
    }

    /// Reads it. Only for what has been checked.
    pub fn parse<'c>(&self, context: &'c LlvmContext) -> Result<LlvmModule<'c>, FrontendError> {
        LlvmModule::parse(context, &self.bytes, self.textual).map_err(|message| self.bad(message))
    }
}

/// What a child does with an input that has been read and verified: all that will be done here later.
pub type Rehearsal<'a> = dyn Fn(&LlvmModule<'_>) -> Result<(), FrontendError> + Sync + 'a;

/// Raw bitcode, or the wrapper that Darwin puts around it.
fn has_magic(bytes: &[u8]) -> bool {
    bytes.starts_with(b"BC\xC0\xDE") || bytes.starts_with(&[0xDE, 0xC0, 0x17, 0x0B])
}

/// Checks all inputs, side by side; `rehearse` is what will be done with them.
///
/// Nothing else may use LLVM meanwhile: a child that is forked while a thread holds one of LLVM's locks
/// waits for it forever.
pub fn check_all(sources: &[Source<'_>], rehearse: &Rehearsal<'_>) -> Result<(), FrontendError> {
    sources.par_iter().try_for_each(|source| source.check(rehearse))
}

/// How the child that checks an input ended.
#[derive(PartialEq, Eq, Debug)]
enum Ending {
    /// It accepted the input.
    Accepted,
    /// It refused the input, and said why.
    Refused(String),
    /// A signal ended it; 0 if LLVM ended it in some other way.
    Killed(i32),
    /// There is no child; the system would not make one.
    NotStarted,
}

/// Loads an input where a crash does no harm.
fn check_in_child(source: &Source<'_>, rehearse: &Rehearsal<'_>) -> Result<(), FrontendError> {
    match run_in_child(|| load_for_good(source, rehearse)) {
        Ending::Accepted | Ending::NotStarted => Ok(()),
        Ending::Refused(message) => Err(source.bad(message)),
        Ending::Killed(signal) => Err(source.bad(format!("it makes LLVM crash, with signal {signal}"))),
    }
}

/// For a process that ends right after: nothing is tidied up.
fn load_for_good(source: &Source<'_>, rehearse: &Rehearsal<'_>) -> Result<(), String> {
    let context = ManuallyDrop::new(LlvmContext::new());
    let module = ManuallyDrop::new(LlvmModule::parse(&context, &source.bytes, source.textual)?);
    module.verify()?;
    rehearse(&module).map_err(|error| error.to_string())
}

/// The few calls of the system that `std` does not offer.
mod sys {
    unsafe extern "C" {
        pub safe fn fork() -> i32;
        pub safe fn alarm(seconds: u32) -> u32;
        pub safe fn close(descriptor: i32) -> i32;
        pub safe fn _exit(code: i32) -> !;
        pub fn waitpid(pid: i32, status: *mut i32, options: i32) -> i32;
    }
}

/// The exit code by which the child says yes; `exit(1)`, LLVM's own, and 0 must not look like it.
const ACCEPTED: i32 = 42;
/// The exit code by which the child says no.
const REFUSED: i32 = 43;
/// The longest reason for a refusal, in bytes; a pipe holds so much without a reader.
const MAX_REASON: usize = 4096;

/// Runs a check in a copy of this process, which ends with it, whatever happens.
fn run_in_child(check: impl FnOnce() -> Result<(), String>) -> Ending {
    let Ok((mut reader, mut writer)) = std::io::pipe() else { return Ending::NotStarted };
    let pid = sys::fork();
    if pid < 0 {
        return Ending::NotStarted;
    }
    if pid == 0 {
        // LLVM's last words are of no use to the user.
        sys::close(2);
        sys::alarm(CHECK_SECONDS);
        // Nothing may unwind into the copy of our caller.
        let outcome =
            catch_unwind(AssertUnwindSafe(check)).unwrap_or_else(|_| Err("it makes us panic".to_owned()));
        let Err(reason) = outcome else { sys::_exit(ACCEPTED) };
        let reason = &reason.as_bytes()[..reason.len().min(MAX_REASON)];
        // A reason that is lost is only a reason less.
        let _ = writer.write_all(reason);
        sys::_exit(REFUSED);
    }
    drop(writer);
    let mut reason = Vec::new();
    let _ = reader.read_to_end(&mut reason);
    match wait_for(pid) {
        (0, ACCEPTED) => Ending::Accepted,
        (0, REFUSED) => Ending::Refused(String::from_utf8_lossy(&reason).into_owned()),
        (signal, _) => Ending::Killed(signal),
    }
}

/// The signal that ended a child, or 0, and its exit code.
fn wait_for(pid: i32) -> (i32, i32) {
    let mut status = 0;
    // SAFETY: `status` outlives the call; the child is ours and is waited for once.
    while unsafe { sys::waitpid(pid, &mut status, 0) } != pid {
        if std::io::Error::last_os_error().kind() != std::io::ErrorKind::Interrupted {
            return (0, 0);
        }
    }
    (status & 0x7f, (status >> 8) & 0xff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_child_reports_and_may_crash() {
        assert_eq!(run_in_child(|| Ok(())), Ending::Accepted);
        assert_eq!(run_in_child(|| Err("why".to_owned())), Ending::Refused("why".to_owned()));
        assert!(matches!(run_in_child(|| panic!("in the child")), Ending::Refused(_)));
        assert_eq!(run_in_child(|| std::process::abort()), Ending::Killed(6));
        assert_eq!(run_in_child(|| sys::_exit(1)), Ending::Killed(0));
    }
}
