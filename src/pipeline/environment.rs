//! Whether code is a kernel's or a program of its own, by what it looks like, and the model that belongs to it.

use crate::config::{Config, Environment};
use anyhow::{Context as _, Result};
use lockpair_env::{Kind, Model};
use lockpair_ir::Module;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Headers that only programs include; kernels have none of them.
const HEADERS_OF_PROGRAMS: &[&str] =
    &["pthread.h", "threads.h", "stdio.h", "stdlib.h", "unistd.h", "assert.h", "semaphore.h", "signal.h"];

/// What C sources look like; none if there is none among the inputs. Whoever includes a header of the C library or
/// defines `main` is a program.
pub fn of_sources(inputs: &[PathBuf]) -> Option<Environment> {
    let is_source = |path: &Path| path.extension().is_some_and(|e| e == "c" || e == "i");
    // What cannot be read is reported by who compiles it.
    let read =
        |path: &PathBuf| String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned();
    let texts: Vec<String> = inputs.iter().filter(|path| is_source(path)).map(read).collect();
    let looks = |text: &String| text.lines().any(looks_like_program);
    let environment = if texts.iter().any(looks) { Environment::Posix } else { Environment::Linux };
    (!texts.is_empty()).then_some(environment)
}

fn looks_like_program(line: &str) -> bool {
    includes(line).is_some_and(|header| HEADERS_OF_PROGRAMS.contains(&header)) || defines_main(line)
}

/// The header that a line includes from the system.
fn includes(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?;
    rest.trim_start().strip_prefix('<')?.split('>').next()
}

/// `main(`, at the start of a line or after the type of its result.
fn defines_main(line: &str) -> bool {
    let Some((before, after)) = line.split_once("main") else { return false };
    let begins = before.is_empty() || before.starts_with(|c: char| c.is_ascii_alphabetic());
    let is_type = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ' ' || c == '\t';
    let whole = before.is_empty() || before.ends_with([' ', '\t']);
    begins && whole && before.chars().all(is_type) && after.trim_start().starts_with('(')
}

/// Whether a module has the function that a program begins with.
pub fn is_program(module: &Module) -> bool {
    module.func_named("main").is_some_and(|f| module.funcs[f].is_defined() && module.funcs[f].exported)
}

/// The built-in rows of the environment and the user's.
pub fn model(config: &Config, environment: Environment) -> Result<Arc<Model>> {
    let mut model = match environment {
        Environment::Linux => Model::linux(),
        Environment::Posix => Arc::new(Model::posix()),
    };
    for file in &config.models {
        let text =
            std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        Arc::make_mut(&mut model).merge(Model::parse(&text, &file.display().to_string())?);
    }
    Ok(model)
}

/// Which environment a model is of.
pub fn of_model(model: &Model) -> Environment {
    match model.kind {
        Kind::Kernel => Environment::Linux,
        Kind::Program => Environment::Posix,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_known_by_their_lines() {
        for line in [
            "#include <pthread.h>",
            "  # include <stdio.h>",
            "int main(void)",
            "main()",
            "void main (int argc",
        ] {
            assert!(looks_like_program(line), "{line}");
        }
        for line in [
            "#include <linux/module.h>",
            "#include \"stdio.h\"",
            "\tret = main(x);",
            "static int domain(int a)",
            " * main(loop)",
        ] {
            assert!(!looks_like_program(line), "{line}");
        }
    }
}
