//! Where reports and errors go. Nothing here panics when a pipe closes or a disk is full.

use anyhow::{Context, Result, bail};
use lockpair::frontend::FrontendError;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

/// Where a report goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Destination {
    /// The standard output.
    Stdout,
    /// A file, replaced if it exists.
    File(PathBuf),
}

impl Destination {
    /// The file if one is given, else the standard output.
    pub fn of(file: Option<PathBuf>) -> Destination {
        file.map_or(Destination::Stdout, Destination::File)
    }

    /// Fails where it is plain that nothing can be written: better before the work than after it.
    pub fn expect(&self) -> Result<()> {
        let Destination::File(file) = self else { return Ok(()) };
        let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty());
        match parent {
            _ if file.is_dir() => bail!("cannot write the report to {}: it is a directory", file.display()),
            Some(parent) if !parent.is_dir() => {
                bail!(
                    "cannot write the report to {}: there is no directory {}",
                    file.display(),
                    parent.display()
                )
            }
            _ => Ok(()),
        }
    }

    /// Writes all of the text, to the last byte.
    pub fn write(&self, text: &str) -> Result<()> {
        self.write_with(|out| out.write_all(text.as_bytes()))
    }

    /// Writes what is made while it is written, to the last byte.
    pub fn write_with(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
        let written = |out: &mut dyn Write| {
            let mut out = BufWriter::new(out);
            write(&mut out).and_then(|()| out.flush())
        };
        match self {
            Destination::Stdout => {
                let mut stdout = io::stdout().lock();
                match written(&mut stdout).and_then(|()| stdout.flush()) {
                    // Who reads it has seen enough.
                    Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
                    ended => ended.context("cannot write the report to stdout"),
                }
            }
            Destination::File(file) => File::create(file)
                .and_then(|mut file| written(&mut file))
                .with_context(|| format!("cannot write the report to {}", file.display())),
        }
    }
}

/// An error as the user sees it: one line, then the details, indented.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure(String);

impl Failure {
    /// The line is the outermost message, with its cause if that is short; what the compiler said
    /// and other causes are detail.
    pub fn of(error: &anyhow::Error) -> Failure {
        let mut messages: Vec<String> = error.chain().map(ToString::to_string).collect();
        if messages.len() == 2 && messages.iter().all(|m| m.lines().count() == 1) {
            messages = vec![messages.join(": ")];
        }
        messages.extend(compiler_output(error));
        let mut lines = messages.iter().flat_map(|message| message.lines());
        let mut text = format!("lockpair: error: {}\n", lines.next().unwrap_or("unknown"));
        for line in lines {
            let _ = writeln!(text, "  {line}");
        }
        Failure(text)
    }

    /// Prints it to stderr, as well as that is possible.
    pub fn print(&self) {
        let _ = io::stderr().write_all(self.0.as_bytes());
    }
}

fn compiler_output(error: &anyhow::Error) -> Option<String> {
    let error = error.chain().find_map(|cause| cause.downcast_ref::<FrontendError>())?;
    error.details().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::{Destination, Failure};
    use anyhow::anyhow;
    use lockpair::frontend::FrontendError;

    #[test]
    fn a_short_cause_stands_on_the_line() {
        let error = anyhow!("No such file").context("cannot read a.c");
        assert_eq!(Failure::of(&error).0, "lockpair: error: cannot read a.c: No such file\n");
    }

    #[test]
    fn details_follow_indented() {
        let error = anyhow!("a.c:1: error\n1 error generated.").context("clang failed on a.c");
        let expected = "lockpair: error: clang failed on a.c\n  a.c:1: error\n  1 error generated.\n";
        assert_eq!(Failure::of(&error).0, expected);
    }

    #[test]
    fn what_clang_said_is_detail() {
        let error = FrontendError::ClangFailed {
            file: "a.c".into(),
            summary: "no such header".to_owned(),
            details: "a.c:1:10: fatal error: no such header".to_owned(),
        };
        let text = Failure::of(&error.into()).0;
        assert!(text.starts_with("lockpair: error: a.c: does not compile: no such header"), "{text}");
        assert!(text.ends_with("\n  a.c:1:10: fatal error: no such header\n"), "{text}");
    }

    #[test]
    fn a_full_disk_is_an_error() {
        let full = std::path::PathBuf::from("/dev/full");
        if full.exists() {
            let error = Destination::File(full).write("text").unwrap_err();
            assert!(
                Failure::of(&error).0.starts_with("lockpair: error: cannot write the report to /dev/full: ")
            );
        }
    }
}
