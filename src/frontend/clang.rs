//! Finding and running clang: C source to bitcode in memory. Knows nothing of kernels.

use super::error::FrontendError;
use super::kernel;
use super::{Kernel, Options};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The LLVM release that the linked library reads; newer bitcode is not understood by it.
const RELEASE: u32 = 19;

/// What every compilation is run with: debug information, and code as the source has it. Without its
/// passes clang does not even inline what must be inlined; which functions are is decided here, later.
const BASE_FLAGS: &[&str] = &[
    "-g",
    "-O1",
    "-U__OPTIMIZE__",
    "-Xclang",
    "-disable-llvm-passes",
    "-Xclang",
    "-disable-lifetime-markers",
    "-fno-stack-protector",
    "-emit-llvm",
    "-w",
    "-c",
];

/// The clang to use: the one that was asked for, `$CLANG`, or the one that fits the linked LLVM.
pub fn find_clang(asked: Option<&Path>) -> Result<PathBuf, FrontendError> {
    if let Some(path) = asked {
        return in_path(path).ok_or_else(|| not_found(&path.display().to_string()));
    }
    if let Some(path) = std::env::var_os("CLANG").filter(|v| !v.is_empty()) {
        let path = PathBuf::from(path);
        return in_path(&path).ok_or_else(|| not_found(&format!("$CLANG = {}", path.display())));
    }
    let versioned = format!("clang-{RELEASE}");
    if let Some(path) = in_path(Path::new(&versioned)) {
        return Ok(path);
    }
    in_path(Path::new("clang"))
        .filter(|clang| release_of(clang) == Some(RELEASE))
        .ok_or_else(|| not_found(&format!("tried {versioned} and clang")))
}

fn not_found(looked_for: &str) -> FrontendError {
    FrontendError::ClangNotFound { looked_for: looked_for.to_owned() }
}

/// The program as the shell would find it.
fn in_path(program: &Path) -> Option<PathBuf> {
    if program.components().count() > 1 {
        return program.is_file().then(|| program.to_owned());
    }
    let dirs = std::env::var_os("PATH")?;
    std::env::split_paths(&dirs).map(|dir| dir.join(program)).find(|path| path.is_file())
}

/// The release that a clang says it is.
fn release_of(clang: &Path) -> Option<u32> {
    let output = Command::new(clang).arg("--version").output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let (_, version) = text.split_once("clang version ")?;
    version.split('.').next()?.trim().parse().ok()
}

/// Compiles C files, side by side, to bitcode; the results are in the order of the inputs.
pub fn compile_all(inputs: &[&Path], options: &Options) -> Result<Vec<Vec<u8>>, FrontendError> {
    if inputs.is_empty() {
        return Ok(Vec::new());
    }
    let compiler = Compiler::new(options)?;
    inputs.par_iter().map(|input| compiler.run(input)).collect()
}

/// A clang with the flags that all files of a run share.
struct Compiler {
    clang: PathBuf,
    kernel_flags: Option<Vec<String>>,
    flags: Vec<String>,
}

impl Compiler {
    fn new(options: &Options) -> Result<Compiler, FrontendError> {
        let clang = find_clang(options.clang.as_deref())?;
        let kernel_flags = match &options.kernel {
            Kernel::None => None,
            Kernel::Auto => Some(kernel::kernel_flags(&kernel::detect_kernel()?)?),
            Kernel::Dir(dir) => Some(kernel::kernel_flags(dir)?),
        };
        let mut flags = options.clang_flags.clone();
        if options.emit_all_decls {
            flags.push("-femit-all-decls".to_owned());
        }
        Ok(Compiler { clang, kernel_flags, flags })
    }

    /// Compiles one file. The user's flags come last, so that they win.
    fn run(&self, input: &Path) -> Result<Vec<u8>, FrontendError> {
        let mut command = Command::new(&self.clang);
        command.args(BASE_FLAGS);
        if let Some(flags) = &self.kernel_flags {
            command.args(flags).args(kernel::module_flags(input));
        }
        command.args(&self.flags).arg("-o").arg("-").arg(absolute(input));
        command.stdin(Stdio::null());
        let output = command
            .output()
            .map_err(|cause| FrontendError::ClangNotRun { clang: self.clang.clone(), cause })?;
        if output.status.success() { Ok(output.stdout) } else { Err(failure(input, &output)) }
    }
}

/// Paths in debug information are then absolute, too.
fn absolute(input: &Path) -> PathBuf {
    std::path::absolute(input).unwrap_or_else(|_| input.to_owned())
}

/// The first error says most; what follows are usually consequences.
fn failure(input: &Path, output: &Output) -> FrontendError {
    let details = String::from_utf8_lossy(&output.stderr).into_owned();
    let is_error = |line: &&str| line.contains("error:");
    let summary = details.lines().find(is_error).or_else(|| details.lines().next());
    let own = format!("{}:", absolute(input).display());
    let summary = summary.map_or_else(
        || format!("clang ended with {}", output.status),
        |line| line.strip_prefix(&own).unwrap_or(line).to_owned(),
    );
    FrontendError::ClangFailed { file: input.to_owned(), summary, details }
}
