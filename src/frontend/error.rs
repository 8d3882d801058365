//! What can go wrong before there is a module. Each message is one line that says what to do.

use std::path::PathBuf;

/// Why the front end gave up.
#[derive(Debug, thiserror::Error)]
pub enum FrontendError {
    /// Nothing to load.
    #[error("no input: name at least one .c, .bc or .ll file")]
    NoInput,
    /// An input is not there.
    #[error("{}: no such file; check the path", .0.display())]
    Missing(PathBuf),
    /// An input is there but cannot be read.
    #[error("{}: cannot be read ({cause}); check its permissions", path.display())]
    Unreadable {
        /// The input.
        path: PathBuf,
        /// What the system said.
        cause: std::io::Error,
    },
    /// An input of a kind that is not understood.
    #[error("{}: unsupported kind of input; give a .c, .bc or .ll file", .0.display())]
    UnsupportedInput(PathBuf),
    /// A header alone: its functions are checked where they are used.
    #[error("{}: a header is no driver; give the .c files that include it", .0.display())]
    Header(PathBuf),
    /// A directory.
    #[error("{}: a directory; give the files of one driver, or let `lockpair batch` check whole directories", .0.display())]
    Directory(PathBuf),
    /// There is no usable clang.
    #[error(
        "clang 19 not found ({looked_for}); install the package clang-19, or name one with --clang or $CLANG"
    )]
    ClangNotFound {
        /// The names that were tried.
        looked_for: String,
    },
    /// clang is there but did not start.
    #[error("{}: cannot be run ({cause}); check --clang and $CLANG", clang.display())]
    ClangNotRun {
        /// The program.
        clang: PathBuf,
        /// What the system said.
        cause: std::io::Error,
    },
    /// clang rejected the source.
    #[error("{}: does not compile: {summary}; fix it, or pass the missing flags after --", file.display())]
    ClangFailed {
        /// The source file.
        file: PathBuf,
        /// The first error that clang reported.
        summary: String,
        /// Everything that clang reported.
        details: String,
    },
    /// Bitcode that LLVM does not accept.
    #[error(
        "{}: not valid LLVM bitcode ({message}); rebuild it with clang 19 -g -emit-llvm -c",
        path.display()
    )]
    BadBitcode {
        /// The input.
        path: PathBuf,
        /// What LLVM said.
        message: String,
    },
    /// Several inputs do not fit together.
    #[error("{}: cannot be linked with the other inputs ({message}); load files of one module only", path.display())]
    Link {
        /// The input that did not fit.
        path: PathBuf,
        /// What does not fit.
        message: String,
    },
    /// LLVM's own passes failed.
    #[error("LLVM's passes failed ({0}); this is a defect, please report it with the input")]
    Passes(String),
    /// No header package is installed.
    #[error(
        "no kernel headers found in /usr/src or /lib/modules; install linux-headers-amd64, or name a directory with --kernel"
    )]
    NoKernelHeaders,
    /// A directory that is not a header package.
    #[error("{}: not a directory of kernel headers ({missing} is missing); give /usr/src/linux-headers-*, /lib/modules/*/build, or a source tree after `make defconfig modules_prepare`", dir.display())]
    NotKernelHeaders {
        /// The directory.
        dir: PathBuf,
        /// The first file that is missing in it.
        missing: String,
    },
}

impl FrontendError {
    /// Everything that the compiler said, where there is more than the one line.
    pub fn details(&self) -> Option<&str> {
        match self {
            FrontendError::ClangFailed { details, .. } => Some(details),
            _ => None,
        }
    }
}
