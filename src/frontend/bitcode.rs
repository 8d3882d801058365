//! Bytes to one LLVM module: reading, checking and linking.
//!
//! LLVM trusts the bitcode that it reads: on hostile or damaged input its reader may call `exit`, abort
//! or run wild, and nothing inside the process can prevent that. So input that this run's clang did not
//! write is read and verified in a forked child first; only what the child survives is read here.
#![allow(unsafe_code)]

use super::error::FrontendError;
use super::llvm::{LlvmContext, LlvmModule};
use rayon::prelude::*;
use std::mem::ManuallyDrop;
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
    fn check(&self) -> Result<(), FrontendError> {
        if self.trusted {
            return Ok(());
        }
        if !self.textual && !has_magic(&self.bytes) {
            return Err(self.bad("it does not begin like bitcode"));
        }
        check_in_child(self)
    }

    fn parse<'c>(&self, context: &'c LlvmContext) -> Result<LlvmModule<'c>, FrontendError> {
        LlvmModule::parse(context, &self.bytes, self.textual).map_err(|message| self.bad(message))
    }
}

/// Raw bitcode, or the wrapper that Darwin puts around it.
fn has_magic(bytes: &[u8]) -> bool {
    bytes.starts_with(b"BC\xC0\xDE") || bytes.starts_with(&[0xDE, 0xC0, 0x17, 0x0B])
}

/// Reads the inputs, in order, into one module. `prepare` sees each module before it is linked.
pub fn read_all<'c>(
    context: &'c LlvmContext,
    sources: &[Source<'_>],
    prepare: impl Fn(&LlvmModule<'c>),
) -> Result<LlvmModule<'c>, FrontendError> {
    let (first, rest) = sources.split_first().ok_or(FrontendError::NoInput)?;
    sources.par_iter().try_for_each(Source::check)?;
    let mut all = first.parse(context)?;
    prepare(&all);
    for source in rest {
        let module = source.parse(context)?;
        prepare(&module);
        all.link(module).map_err(|message| FrontendError::Link { path: source.path.to_owned(), message })?;
    }
    Ok(all)
}

/// How the child that checks an input ended.
enum Ending {
    /// It accepted the input.
    Accepted,
    /// It refused the input, in an orderly way.
    Refused,
    /// A signal ended it.
    Killed(i32),
    /// There is no child; the system would not make one.
    NotStarted,
}

/// Reads and verifies an input where a crash does no harm. The reason for a refusal is found by doing
/// the same here, which is safe once the child came to an orderly end.
fn check_in_child(source: &Source<'_>) -> Result<(), FrontendError> {
    match run_in_child(|| accepts(source)) {
        Ending::Accepted | Ending::NotStarted => Ok(()),
        Ending::Refused => parse_and_verify(source).map_err(|message| source.bad(message)),
        Ending::Killed(signal) => Err(source.bad(format!("LLVM's reader died of signal {signal}"))),
    }
}

fn parse_and_verify(source: &Source<'_>) -> Result<(), String> {
    let context = LlvmContext::new();
    LlvmModule::parse(&context, &source.bytes, source.textual)?.verify()
}

/// As [`parse_and_verify`], for a process that ends right after: nothing is tidied up.
fn accepts(source: &Source<'_>) -> bool {
    let context = ManuallyDrop::new(LlvmContext::new());
    let module = LlvmModule::parse(&context, &source.bytes, source.textual).map(ManuallyDrop::new);
    module.is_ok_and(|module| module.verify().is_ok())
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

/// Runs a check in a copy of this process, which ends with it, whatever happens.
fn run_in_child(check: impl FnOnce() -> bool) -> Ending {
    let pid = sys::fork();
    if pid < 0 {
        return Ending::NotStarted;
    }
    if pid == 0 {
        // LLVM's last words are of no use to the user.
        sys::close(2);
        sys::alarm(CHECK_SECONDS);
        let accepted = check();
        sys::_exit(if accepted { ACCEPTED } else { REFUSED });
    }
    let mut status = 0;
    // SAFETY: `status` outlives the call; the child is ours and is waited for once.
    while unsafe { sys::waitpid(pid, &mut status, 0) } != pid {
        if std::io::Error::last_os_error().kind() != std::io::ErrorKind::Interrupted {
            return Ending::Killed(0);
        }
    }
    match (status & 0x7f, (status >> 8) & 0xff) {
        (0, ACCEPTED) => Ending::Accepted,
        (0, REFUSED) => Ending::Refused,
        (0, _) => Ending::Killed(0),
        (signal, _) => Ending::Killed(signal),
    }
}
