//! Units: the modules of a kernel's directories with their C files, as the Makefiles group them.

use super::kbuild::{KernelConfig, Linked, Makefile, Part};
use super::kconfig::Kconfig;
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// A module: what is checked as one.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Unit {
    /// The directory in the tree and the module's name: `drivers/char/nvram`.
    pub name: String,
    /// Its C files, relative to the tree.
    pub files: Vec<PathBuf>,
    /// What the Makefiles tell the compiler.
    pub flags: Vec<String>,
    /// Whether nothing else can be linked with it: it is a module of its own, or can be one.
    pub whole: bool,
    /// The other modules that are checked together with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub with: Vec<Unit>,
}

impl Unit {
    /// It and those that are checked together with it.
    pub fn all(&self) -> impl Iterator<Item = &Unit> {
        std::iter::once(self).chain(&self.with)
    }

    /// The same, each to be checked alone.
    pub fn apart(&self) -> Vec<Unit> {
        self.all().map(|unit| Unit { with: Vec::new(), ..unit.clone() }).collect()
    }

    /// How many C files it has, those of the others included.
    pub fn size(&self) -> usize {
        self.all().map(|unit| unit.files.len()).sum()
    }
}

/// What the directories hold. All paths are relative to the tree.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Units {
    /// The modules, by name.
    pub units: Vec<Unit>,
    /// Files of modules that the kernel's configuration leaves out.
    pub not_configured: BTreeSet<PathBuf>,
    /// Objects without a C file: assembly, or generated.
    pub without_source: BTreeSet<PathBuf>,
    /// C files that no Makefile names.
    pub unmentioned: BTreeSet<PathBuf>,
}

/// The modules of the directories, which are relative to the tree or in it.
pub fn find(tree: &Path, dirs: &[PathBuf], config: &KernelConfig) -> Result<Units> {
    let mut search = Search {
        tree,
        config,
        kconfig: Kconfig::new(tree),
        found: BTreeMap::new(),
        dirs: BTreeSet::new(),
        units: Units::default(),
    };
    let (modules, dirs): (Vec<&PathBuf>, Vec<&PathBuf>) =
        dirs.iter().partition(|dir| is_module(&tree.join(dir)));
    let dirs = dirs.into_iter().map(|dir| in_tree(tree, dir)).collect::<Result<Vec<_>>>()?;
    for dir in &dirs {
        search.directory(dir)?;
    }
    for module in modules {
        search.named(module)?;
    }
    let Search { found, mut units, .. } = search;
    units.units = found.into_values().collect();
    units.unmentioned = unmentioned(tree, &dirs, &units);
    if units.units.is_empty() {
        bail!("no module found: no Makefile in the directories names an object with a C file");
    }
    Ok(units)
}

/// Whether a path that a user gives names a module of a directory: nothing has that path, but its directory is
/// there.
fn is_module(path: &Path) -> bool {
    !path.exists() && path.parent().is_some_and(Path::is_dir) && path.file_name().is_some()
}

/// The directory as the tree names it.
fn in_tree(tree: &Path, dir: &Path) -> Result<PathBuf> {
    let canonical =
        |path: &Path| path.canonicalize().with_context(|| format!("cannot read {}", path.display()));
    let full =
        canonical(&tree.join(dir)).context("directories and modules are given as they are below --tree")?;
    if !full.is_dir() {
        bail!("{}: not a directory; `lockpair check` takes files", dir.display());
    }
    match full.strip_prefix(canonical(tree)?) {
        Ok(inside) => Ok(inside.to_owned()),
        Err(_) => bail!("{}: not in {}; name the kernel's source with --tree", dir.display(), tree.display()),
    }
}

fn unmentioned(tree: &Path, dirs: &[PathBuf], units: &Units) -> BTreeSet<PathBuf> {
    let mentioned: BTreeSet<&PathBuf> =
        units.units.iter().flat_map(|unit| &unit.files).chain(&units.not_configured).collect();
    let files = dirs.iter().flat_map(|dir| WalkDir::new(tree.join(dir)).into_iter().flatten());
    files
        .filter(|entry| entry.path().extension().is_some_and(|extension| extension == "c"))
        .filter_map(|entry| entry.path().strip_prefix(tree).ok().map(Path::to_owned))
        .filter(|file| !mentioned.contains(file))
        .collect()
}

struct Search<'a> {
    tree: &'a Path,
    config: &'a KernelConfig,
    kconfig: Kconfig<'a>,
    found: BTreeMap<String, Unit>,
    /// The directories that were read.
    dirs: BTreeSet<PathBuf>,
    units: Units,
}

impl Search<'_> {
    /// Reads a directory and those that its Makefile names.
    fn directory(&mut self, dir: &Path) -> Result<()> {
        if !self.dirs.insert(dir.to_owned()) {
            return Ok(());
        }
        let Some(makefile) = self.makefile(dir)? else { return Ok(()) };
        for target in &makefile.targets {
            match target.name.strip_suffix('/') {
                Some(sub) => self.directory(&dir.join(sub))?,
                None => self.module(dir, target.name.trim_end_matches(".o"), &makefile),
            }
        }
        Ok(())
    }

    /// Reads one module of a directory.
    fn named(&mut self, path: &Path) -> Result<()> {
        let dir = in_tree(self.tree, path.parent().unwrap_or(Path::new("")))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let makefile = self.makefile(&dir)?.unwrap_or_default();
        if !makefile.targets.iter().any(|target| target.name.strip_suffix(".o") == Some(&name)) {
            bail!(
                "cannot read {}: no directory, and no module of {}; both are given as they are below --tree",
                path.display(),
                dir.display()
            );
        }
        self.module(&dir, &name, &makefile);
        Ok(())
    }

    /// As the kernel's build does, `Kbuild` goes before `Makefile`.
    fn makefile(&self, dir: &Path) -> Result<Option<Makefile>> {
        let full = self.tree.join(dir);
        let Some(file) = ["Kbuild", "Makefile"].map(|name| full.join(name)).into_iter().find(|f| f.is_file())
        else {
            return Ok(None);
        };
        let bytes = std::fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let text = String::from_utf8_lossy(&bytes);
        Ok(Some(Makefile::parse(&text, &full, self.tree, self.config)))
    }

    fn module(&mut self, dir: &Path, module: &str, makefile: &Makefile) {
        let alone = [Part { object: format!("{module}.o"), wanted: true }];
        let parts = makefile.parts.get(module).filter(|parts| !parts.is_empty());
        let parts = parts.map_or(&alone[..], Vec::as_slice);
        let mut unit = Unit {
            name: dir.join(module).display().to_string(),
            files: Vec::new(),
            flags: Vec::new(),
            whole: self.is_whole(dir, module, makefile),
            with: Vec::new(),
        };
        for part in parts {
            let source = dir.join(&part.object).with_extension("c");
            if !self.tree.join(&source).is_file() {
                self.units.without_source.insert(dir.join(&part.object));
                unit.whole = false;
            } else if part.wanted && !unit.files.contains(&source) {
                unit.files.push(source);
            } else if !part.wanted {
                self.units.not_configured.insert(source);
            }
        }
        let ours = |object: &str| parts.iter().any(|part| part.object == object);
        let flags = makefile.flags.iter().filter(|flag| flag.object.as_deref().is_none_or(ours));
        unit.flags.extend(flags.map(|flag| flag.text.clone()));
        if !unit.files.is_empty() {
            self.found.entry(unit.name.clone()).or_insert(unit);
        }
    }

    /// Whether what a Makefile calls a module is one wherever it is listed. Other objects of the kernel can use all that is not
    /// static in those that are linked into it.
    fn is_whole(&mut self, dir: &Path, module: &str, makefile: &Makefile) -> bool {
        let mut targets = makefile.targets.iter().filter(|t| t.name.strip_suffix(".o") == Some(module));
        targets.all(|target| match &target.linked {
            Linked::Kernel => false,
            Linked::Module => true,
            Linked::Option(option) => self.kconfig.may_be_module(dir, option),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{KernelConfig, Units, find};
    use std::path::Path;

    /// A tree with the files; a Makefile is given with its text.
    fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (file, text) in files {
            let path = dir.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        dir
    }

    fn units_of(files: &[(&str, &str)], on: Option<&[&str]>) -> Units {
        let tree = tree(files);
        let config = KernelConfig(on.map(|on| on.iter().map(|&option| option.to_owned()).collect()));
        let mut units = find(tree.path(), &["drivers".into()], &config).unwrap();
        let root = tree.path().display().to_string();
        units.units.iter_mut().flat_map(|u| &mut u.flags).for_each(|f| *f = f.replace(&root, "TREE"));
        units
    }

    const TREE: &[(&str, &str)] = &[
        (
            "drivers/Makefile",
            "obj-$(CONFIG_ONE) += one.o foo/\nobj-y += absent/ gone.o\nobj-$(CONFIG_TWO) += two.o\n",
        ),
        ("drivers/Kconfig", "config ONE\n\tbool\nconfig TWO\n\ttristate\n"),
        ("drivers/one.c", ""),
        ("drivers/two.c", ""),
        ("drivers/stray.c", ""),
        (
            "drivers/foo/Makefile",
            "obj-m += foo.o bar.o\nfoo-y := main.o asm.o sub/x.o\nfoo-$(CONFIG_OF) += of.o\n\
             ccflags-y := -I$(src)\nCFLAGS_bar.o := -DBAR\nCFLAGS_main.o := -DMAIN\n",
        ),
        ("drivers/foo/main.c", ""),
        ("drivers/foo/asm.S", ""),
        ("drivers/foo/of.c", ""),
        ("drivers/foo/bar.c", ""),
        ("drivers/foo/sub/x.c", ""),
    ];

    #[test]
    fn modules_are_grouped() {
        insta::assert_debug_snapshot!(units_of(TREE, Some(&[])));
    }

    #[test]
    fn without_a_configuration_everything_is_linked() {
        let units = units_of(TREE, None);
        let foo = units.units.iter().find(|unit| unit.name == "drivers/foo/foo").unwrap();
        assert!(foo.files.contains(&"drivers/foo/of.c".into()));
        assert!(units.not_configured.is_empty());
    }

    #[test]
    fn directories_are_looked_for_in_the_tree() {
        let tree = tree(TREE);
        let named = find(tree.path(), &["drivers/foo/bar".into()], &KernelConfig::default()).unwrap();
        assert_eq!(named.units[0].name, "drivers/foo/bar");
        assert_eq!((named.units.len(), named.unmentioned.len()), (1, 0));
        let fails =
            |dir: &str| find(tree.path(), &[dir.into()], &KernelConfig::default()).unwrap_err().to_string();
        assert!(fails("absent").starts_with("cannot read "));
        assert!(fails("drivers/foo/absent").contains("no module of drivers/foo"));
        assert!(fails("/").contains("name the kernel's source with --tree"));
        assert!(fails("drivers/one.c").contains("not a directory"));
        assert!(fails("drivers/foo/sub").starts_with("no module found"));
        let inside = tree.path().join("drivers/foo");
        let units = find(tree.path(), &[inside], &KernelConfig::default()).unwrap();
        assert_eq!(units.units[0].files, [Path::new("drivers/foo/bar.c")]);
    }
}
