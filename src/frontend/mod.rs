//! The front end: C source or bitcode to a module of the IR. The only module that names LLVM.
//!
//! The way of an input, top to bottom: [`clang`] compiles C, [`kernel`] knows the flags of an
//! installed kernel, [`bitcode`] reads, [`passes`] prepares, [`convert`] converts. Each input goes this way
//! by itself; only the modules of the IR are linked ([`lockpair_ir::link`]). LLVM's linker would make one
//! type of all structs with the same layout, and which one an access is to could no longer be told.
//!
//! It knows nothing of locks, entry points or models, except that it is told which functions have a model.

pub mod clang;
pub mod kernel;

mod bitcode;
mod calls;
mod constants;
mod convert;
mod debug;
mod error;
mod function;
mod instructions;
mod intrinsics;
mod layout;
mod llvm;
mod passes;
mod types;

#[cfg(test)]
mod tests;

pub use clang::find_clang;
pub use error::FrontendError;
pub use kernel::{configured, detect_kernel, kernel_flags};

use bitcode::Source;
use llvm::LlvmModule;
use lockpair_ir::entity::EntityRef;
use lockpair_ir::link::{Unit, link};
use lockpair_ir::{FuncId, Ledger, Module, Operand};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Whether C files are compiled as code of a kernel.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Kernel {
    /// As programs.
    #[default]
    None,
    /// As code of the newest kernel whose headers are installed.
    Auto,
    /// As code of the kernel whose headers are in the directory.
    Dir(PathBuf),
}

/// How to load.
pub struct Options {
    /// The clang to use; by default `$CLANG`, or the one that fits the linked LLVM.
    pub clang: Option<PathBuf>,
    /// Whether C files are compiled as code of a kernel.
    pub kernel: Kernel,
    /// Further flags for clang; they come last.
    pub clang_flags: Vec<String>,
    /// Whether clang also emits functions that nothing uses.
    pub emit_all_decls: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { clang: None, kernel: Kernel::None, clang_flags: Vec::new(), emit_all_decls: false }
    }
}

/// What was loaded.
#[derive(Debug)]
pub struct Loaded {
    /// The module.
    pub module: Module,
    /// What could not be represented, as assumptions.
    pub ledger: Ledger,
    /// Other names of functions: `init_module` of what `module_init()` was given.
    pub aliases: Vec<(String, FuncId)>,
    /// Symbols that are in sections of their own, or referred to from one: (symbol, section).
    pub sections: Vec<(String, String)>,
    /// The time that clang took.
    pub clang_time: Duration,
    /// The time that everything else took.
    pub read_time: Duration,
}

/// The files of one module in memory: C is compiled.
pub struct Gathered<'a> {
    sources: Vec<Source<'a>>,
    /// What the module is called.
    name: String,
    clang_time: Duration,
}

/// Whether a function has a model: it is then never inlined, and its body never looked at.
pub type Keep<'k> = dyn Fn(&str) -> bool + Sync + 'k;

/// Loads the files of one module: C is compiled, and everything is linked.
pub fn load(inputs: &[PathBuf], options: &Options, keep: &Keep<'_>) -> Result<Loaded, FrontendError> {
    convert(&gather(inputs, options)?, keep)
}

/// The first half of [`load`]: brings all inputs into memory, in order.
pub fn gather<'a>(inputs: &'a [PathBuf], options: &Options) -> Result<Gathered<'a>, FrontendError> {
    let begin = Instant::now();
    let sources = sources(inputs, options)?;
    Ok(Gathered { sources, name: module_name(inputs), clang_time: begin.elapsed() })
}

/// The second half of [`load`]: converts and links.
pub fn convert(gathered: &Gathered<'_>, keep: &Keep<'_>) -> Result<Loaded, FrontendError> {
    let begin = Instant::now();
    let unit = convert_sources(&gathered.sources, &gathered.name, keep)?;
    let names = unit.names_of_functions().map(|(name, func)| (name.to_owned(), func)).collect();
    let Unit { mut module, ledger, aliases, sections } = unit;
    // What others can name by another name they can name.
    for alias in aliases.iter().filter(|alias| alias.exported) {
        if let Operand::Global(id, _) = alias.target {
            module.globals[id].exported = true;
        }
    }
    Ok(Loaded {
        module,
        ledger,
        aliases: names,
        sections,
        clang_time: gathered.clang_time,
        read_time: begin.elapsed(),
    })
}

/// Compiles one C file to bitcode.
pub fn compile(input: &Path, options: &Options) -> Result<Vec<u8>, FrontendError> {
    check_exists(input)?;
    let mut outputs = clang::compile_all(&[input], options)?;
    outputs.pop().ok_or(FrontendError::NoInput)
}

/// Converts the inputs, side by side, and links them.
fn convert_sources(sources: &[Source<'_>], name: &str, keep: &Keep<'_>) -> Result<Unit, FrontendError> {
    let dirs = directories(sources);
    let convert = |module: &LlvmModule<'_>| {
        passes::strip_modelled(module, keep);
        let locals = passes::run(module)?;
        Ok(convert::convert(module, &dirs, locals))
    };
    bitcode::check_all(sources, &|module| convert(module).map(drop))?;
    let convert_source = |source: &Source<'_>| {
        let context = llvm::LlvmContext::new();
        convert(&source.parse(&context)?)
    };
    let units: Vec<Result<Unit, FrontendError>> = sources.par_iter().map(convert_source).collect();
    let units = units.into_iter().collect::<Result<_, _>>()?;
    link(name, units).map_err(|error| FrontendError::Link {
        path: sources[error.unit().index()].path.to_owned(),
        message: error.to_string(),
    })
}

/// The directories of the C files: the headers in them are the driver's own, for all of its files.
fn directories(sources: &[Source<'_>]) -> Vec<PathBuf> {
    let compiled = sources.iter().filter(|source| source.trusted);
    let paths = compiled.filter_map(|source| std::path::absolute(source.path).ok());
    paths.filter_map(|path| debug::without_dots(&path).parent().map(Path::to_owned)).collect()
}

/// The kinds of inputs.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Kind {
    C,
    Bitcode,
    Text,
}

fn kind_of(input: &Path) -> Result<Kind, FrontendError> {
    match input.extension().and_then(|extension| extension.to_str()) {
        Some("c" | "i") => Ok(Kind::C),
        Some("bc") => Ok(Kind::Bitcode),
        Some("ll") => Ok(Kind::Text),
        _ if input.is_dir() => Err(FrontendError::Directory(input.to_owned())),
        Some("h") => Err(FrontendError::Header(input.to_owned())),
        _ => Err(FrontendError::UnsupportedInput(input.to_owned())),
    }
}

fn check_exists(input: &Path) -> Result<(), FrontendError> {
    if input.is_file() { Ok(()) } else { Err(FrontendError::Missing(input.to_owned())) }
}

fn sources<'a>(inputs: &'a [PathBuf], options: &Options) -> Result<Vec<Source<'a>>, FrontendError> {
    if inputs.is_empty() {
        return Err(FrontendError::NoInput);
    }
    let mut kinds = Vec::with_capacity(inputs.len());
    for input in inputs {
        kinds.push(kind_of(input)?);
        check_exists(input)?;
    }
    let to_compile: Vec<&Path> =
        inputs.iter().zip(&kinds).filter(|(_, kind)| **kind == Kind::C).map(|(p, _)| p.as_path()).collect();
    let mut compiled = clang::compile_all(&to_compile, options)?.into_iter();
    let mut sources = Vec::with_capacity(inputs.len());
    for (path, kind) in inputs.iter().zip(kinds) {
        let (bytes, trusted) = match kind {
            Kind::C => (compiled.next().unwrap_or_default(), true),
            Kind::Bitcode | Kind::Text => (read(path)?, false),
        };
        sources.push(Source { path, bytes, textual: kind == Kind::Text, trusted });
    }
    Ok(sources)
}

fn read(path: &Path) -> Result<Vec<u8>, FrontendError> {
    std::fs::read(path).map_err(|cause| FrontendError::Unreadable { path: path.to_owned(), cause })
}

/// The module is called after its first file.
fn module_name(inputs: &[PathBuf]) -> String {
    let stem = inputs.first().and_then(|path| path.file_stem());
    stem.map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}
