//! Reading what is verified: the files of one module, or of several that are linked.

use crate::config::Config;
use crate::frontend::{self, FrontendError, Gathered, Loaded};
use anyhow::{Result, bail};
use lockpair_entry_points::{Modules, Options, keep_apart, used_by_other_files};
use lockpair_ir::link::{Alias, Unit, UnitId, link_parts};
use lockpair_ir::*;
use std::path::PathBuf;
use std::time::Duration;

/// What was read.
pub(super) struct Read {
    pub(super) module: Module,
    pub(super) aliases: Vec<(String, FuncId)>,
    pub(super) ledger: Ledger,
    /// Which modules these are, if there are several.
    pub(super) modules: Option<Modules>,
    /// The time of clang, and that of the rest.
    pub(super) times: (Duration, Duration),
}

/// Brings the files of each module into memory.
pub(super) fn gather<'c>(
    config: &'c Config,
    options: &frontend::Options,
) -> Result<Vec<Gathered<'c>>, FrontendError> {
    config.modules().map(|files| frontend::gather(files, options)).collect()
}

/// Converts and links them.
pub(super) fn convert(config: &Config, gathered: &[Gathered<'_>], keep: &frontend::Keep<'_>) -> Result<Read> {
    let mut all = Vec::with_capacity(gathered.len());
    for module in gathered {
        all.push(frontend::convert(module, keep)?);
    }
    let times = all.iter().fold(Default::default(), |(clang, rest), loaded: &Loaded| {
        (clang + loaded.clang_time, rest + loaded.read_time)
    });
    if let [_] = all[..] {
        let Loaded { module, aliases, ledger, .. } = all.remove(0);
        return Ok(Read { module, aliases, ledger, modules: None, times });
    }
    link_all(config, all, times)
}

/// Links modules as the kernel does that loads one after the other: each has for itself what it does not export.
fn link_all(config: &Config, all: Vec<Loaded>, times: (Duration, Duration)) -> Result<Read> {
    let options = Options { whole: config.whole_module, ..Options::default() };
    let mut units: PrimaryMap<UnitId, Unit> = PrimaryMap::new();
    for Loaded { mut module, mut ledger, aliases, sections, .. } in all {
        if let Some(&func) = used_by_other_files(&mut module, &aliases, &options, &mut ledger).first() {
            let (name, func) = (&module.name, &module.funcs[func].name);
            bail!(
                "{name}: {func} is not static, but no file of the module uses it: modules that are verified together are given with all of \
                 their files, or with --whole-module if these are all"
            );
        }
        let alias = |(name, func)| Alias { name, target: Operand::Func(func), exported: true };
        let aliases = aliases.into_iter().map(alias).collect();
        let mut unit = Unit { module, ledger, aliases, sections };
        keep_apart(&mut unit);
        units.push(unit);
    }
    let (files, name) = (first_files(config), units[UnitId::new(0)].module.name.clone());
    let mut modules = Modules::new(&units);
    let (unit, parts) = link_parts(&name, units).map_err(|error| FrontendError::Link {
        path: files[error.unit().index()].clone(),
        message: error.to_string(),
    })?;
    modules.linked(parts);
    let aliases = unit.names_of_functions().map(|(name, func)| (name.to_owned(), func)).collect();
    Ok(Read { module: unit.module, aliases, ledger: unit.ledger, modules: Some(modules), times })
}

fn first_files(config: &Config) -> Vec<PathBuf> {
    config.modules().map(|files| files.first().cloned().unwrap_or_default()).collect()
}
