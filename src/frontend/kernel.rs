//! The flags with which the kernel's build compiles a module, from an installed header package.
//!
//! Debian splits a package in two: `linux-headers-V-amd64` has the configuration and the generated
//! files, `linux-headers-V-common` the rest, and the Makefile of the first one includes the second's.

use super::error::FrontendError;
use std::cmp::Ordering;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// What does not depend on where the headers are: the kernel's dialect of C, and the code it allows.
const DIALECT: &[&str] = &[
    "-nostdinc",
    "-D__KERNEL__",
    "-DMODULE",
    "-DCC_USING_FENTRY",
    "-std=gnu11",
    "-fshort-wchar",
    "-fno-common",
    "-fno-strict-aliasing",
    "-fno-delete-null-pointer-checks",
    "-fno-strict-overflow",
    "-fno-PIE",
    "-fno-pic",
    "-fno-asynchronous-unwind-tables",
    "-fno-jump-tables",
    "-ffreestanding",
    "-m64",
    "-mno-sse",
    "-mno-mmx",
    "-mno-sse2",
    "-mno-3dnow",
    "-mno-avx",
    "-mno-80387",
    "-mno-red-zone",
    "-mcmodel=kernel",
];

/// The newest header package of this machine.
pub fn detect_kernel() -> Result<PathBuf, FrontendError> {
    let packages = entries("/usr/src").into_iter().filter(|p| name_of(p).starts_with("linux-headers-"));
    let builds = entries("/lib/modules").into_iter().map(|p| p.join("build"));
    packages
        .chain(builds)
        .filter(|dir| Tree::find(dir).is_ok())
        .max_by(|a, b| compare_versions(&version_text(a), &version_text(b)))
        .ok_or(FrontendError::NoKernelHeaders)
}

/// The flags for the headers in `dir`: `/usr/src/linux-headers-*`, `/lib/modules/*/build`, or a
/// configured kernel tree.
pub fn kernel_flags(dir: &Path) -> Result<Vec<String>, FrontendError> {
    let tree = Tree::find(dir)?;
    let mut flags: Vec<String> = DIALECT.iter().map(|&flag| flag.to_owned()).collect();
    flags.extend(tree.include_dirs().iter().map(|dir| format!("-I{}", dir.display())));
    for header in ["compiler-version.h", "kconfig.h", "compiler_types.h"] {
        let path = tree.source.join("include/linux").join(header);
        if path.is_file() {
            flags.extend(["-include".to_owned(), path.display().to_string()]);
        }
    }
    Ok(flags)
}

/// The options that the configuration of the headers in `dir` switches on, without `CONFIG_`.
pub fn configured(dir: &Path) -> Result<HashSet<String>, FrontendError> {
    let path = Tree::find(dir)?.object.join("include/generated/autoconf.h");
    let text = std::fs::read_to_string(&path).map_err(|cause| FrontendError::Unreadable { path, cause })?;
    Ok(options_of(&text))
}

/// Options that are built in or modules.
fn options_of(autoconf: &str) -> HashSet<String> {
    let on = |line: &str| {
        let option = line.strip_prefix("#define CONFIG_")?.strip_suffix(" 1")?;
        Some(option.strip_suffix("_MODULE").unwrap_or(option).to_owned())
    };
    autoconf.lines().filter_map(on).collect()
}

/// The names by which a file's code knows its module.
pub fn module_flags(input: &Path) -> Vec<String> {
    let stem = input.file_stem().unwrap_or_default().to_string_lossy();
    let name: String = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    vec![
        format!("-DKBUILD_MODNAME=\"{name}\""),
        format!("-DKBUILD_BASENAME=\"{name}\""),
        format!("-DKBUILD_MODFILE=\"{name}\""),
        format!("-D__KBUILD_MODNAME=kmod_{name}"),
    ]
}

/// The two halves of a kernel tree; one directory when the tree was built in place.
struct Tree {
    /// Where the sources of the headers are.
    source: PathBuf,
    /// Where the configuration and the generated headers are.
    object: PathBuf,
}

impl Tree {
    fn find(dir: &Path) -> Result<Tree, FrontendError> {
        let object = std::fs::canonicalize(dir).map_err(|_| FrontendError::Missing(dir.to_owned()))?;
        let source = source_of(&object);
        let wanted = [
            (&object, "include/generated/autoconf.h"),
            (&object, "arch/x86/include/generated"),
            (&source, "include/linux/kconfig.h"),
            (&source, "arch/x86/include/asm"),
        ];
        match wanted.iter().find(|(base, file)| !base.join(file).exists()) {
            Some((_, file)) => {
                Err(FrontendError::NotKernelHeaders { dir: dir.to_owned(), missing: (*file).to_owned() })
            }
            None => Ok(Tree { source, object }),
        }
    }

    /// In the order of the kernel's LINUXINCLUDE and USERINCLUDE.
    fn include_dirs(&self) -> Vec<PathBuf> {
        let (source, object) = (&self.source, &self.object);
        let mut dirs = vec![
            source.join("arch/x86/include"),
            object.join("arch/x86/include/generated"),
            source.join("include"),
            object.join("include"),
            source.join("arch/x86/include/uapi"),
            object.join("arch/x86/include/generated/uapi"),
            source.join("include/uapi"),
            object.join("include/generated/uapi"),
        ];
        dirs.dedup();
        dirs
    }
}

/// The tree whose Makefile the one in `object` includes; `object` itself for a tree built in place.
fn source_of(object: &Path) -> PathBuf {
    let makefile = std::fs::read_to_string(object.join("Makefile")).unwrap_or_default();
    let included = makefile
        .lines()
        .filter_map(|line| line.strip_prefix("include "))
        .filter_map(|path| path.trim().strip_suffix("/Makefile"))
        .map(PathBuf::from)
        .find(|dir| dir.is_absolute() && dir.is_dir());
    let link = || std::fs::canonicalize(object.join("source")).ok();
    included.or_else(link).unwrap_or_else(|| object.to_owned())
}

fn entries(dir: &str) -> Vec<PathBuf> {
    std::fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The part of a path that says which kernel it is for.
fn version_text(path: &Path) -> String {
    let name = name_of(path);
    match name.strip_prefix("linux-headers-") {
        Some(version) => version.to_owned(),
        None => path.parent().map(name_of).unwrap_or_default(),
    }
}

/// Compares texts with their runs of digits as numbers: 6.1.0-9 before 6.1.0-56.
fn compare_versions(a: &str, b: &str) -> Ordering {
    let numbers = |text: &str| -> Vec<u64> {
        text.split(|c: char| !c.is_ascii_digit()).filter_map(|run| run.parse().ok()).collect()
    };
    numbers(a).cmp(&numbers(b)).then_with(|| a.cmp(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_by_number() {
        assert_eq!(compare_versions("6.1.0-9-amd64", "6.1.0-56-amd64"), Ordering::Less);
        assert_eq!(compare_versions("6.10.0", "6.9.9"), Ordering::Greater);
    }

    #[test]
    fn options_are_on_as_modules_too() {
        let text = "#define CONFIG_PCI 1\n#define CONFIG_NVRAM_MODULE 1\n#define CONFIG_HZ 250\n";
        assert_eq!(options_of(text), HashSet::from(["PCI".to_owned(), "NVRAM".to_owned()]));
    }

    #[test]
    fn module_names_are_identifiers() {
        let flags = module_flags(Path::new("drivers/char/hw_random/intel-rng.c"));
        assert!(flags.contains(&"-DKBUILD_MODNAME=\"intel_rng\"".to_owned()));
    }

    #[test]
    fn a_directory_without_headers_is_refused() {
        let error = kernel_flags(Path::new("/tmp")).unwrap_err();
        assert!(matches!(error, FrontendError::NotKernelHeaders { .. }), "{error}");
        assert!(matches!(kernel_flags(Path::new("/nowhere")), Err(FrontendError::Missing(_))));
    }
}
