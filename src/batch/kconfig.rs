//! Kconfig: which options may be `m`, so that what they build is a module and nothing else of the kernel is linked with it.
//!
//! Only the types of options are read; what they depend on does not matter here.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// The options of a tree, read directory by directory.
#[derive(Debug)]
pub struct Kconfig<'a> {
    tree: &'a Path,
    /// The options of each directory that may be `m`.
    tristate: HashMap<PathBuf, HashSet<String>>,
}

impl<'a> Kconfig<'a> {
    /// The options of a tree.
    pub fn new(tree: &'a Path) -> Kconfig<'a> {
        Kconfig { tree, tristate: HashMap::new() }
    }

    /// Whether an option, without `CONFIG_`, is declared as one that may be `m`, in a directory (relative to the tree) or above.
    pub fn may_be_module(&mut self, dir: &Path, option: &str) -> bool {
        let tree = self.tree;
        dir.ancestors().any(|dir| {
            let declared =
                self.tristate.entry(dir.to_owned()).or_insert_with(|| of_directory(&tree.join(dir)));
            declared.contains(option)
        })
    }
}

/// The tristate options of `Kconfig`, `Kconfig.debug` and the like; none where there are no such files.
fn of_directory(dir: &Path) -> HashSet<String> {
    let files = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let files = files.filter(|file| file.file_name().to_string_lossy().starts_with("Kconfig"));
    let texts = files.filter_map(|file| std::fs::read(file.path()).ok());
    texts.flat_map(|text| tristate(&String::from_utf8_lossy(&text))).collect()
}

fn tristate(text: &str) -> HashSet<String> {
    let mut found = HashSet::new();
    let mut option = None;
    for line in text.lines() {
        let mut words = line.split_whitespace();
        match (words.next(), &option) {
            (Some("config" | "menuconfig"), _) => option = words.next(),
            (Some("choice" | "menu" | "if" | "help" | "---help---"), _) => option = None,
            (Some("tristate" | "def_tristate"), Some(option)) => _ = found.insert((*option).to_owned()),
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::Kconfig;
    use std::path::Path;

    #[test]
    fn options_are_found_in_the_directory_and_above() {
        let tree = tempfile::tempdir().unwrap();
        let dir = tree.path().join("drivers/foo");
        std::fs::create_dir_all(&dir).unwrap();
        let above =
            "menuconfig FOO\n\ttristate \"foo\"\n\tdepends on PCI\n\nconfig FLAG\n\tbool \"a tristate\"\n";
        std::fs::write(tree.path().join("drivers/Kconfig"), above).unwrap();
        let inside = "config FOO_PCI\n\tdef_tristate FOO && PCI\n\nchoice\n\ttristate \"which\"\nendchoice\n";
        std::fs::write(dir.join("Kconfig"), inside).unwrap();
        let mut kconfig = Kconfig::new(tree.path());
        let mut may_be_module = |dir: &str, option: &str| kconfig.may_be_module(Path::new(dir), option);
        assert!(may_be_module("drivers/foo", "FOO") && may_be_module("drivers/foo", "FOO_PCI"));
        assert!(!may_be_module("drivers/foo", "FLAG") && !may_be_module("drivers/foo", "ABSENT"));
        assert!(may_be_module("drivers", "FOO") && !may_be_module("drivers", "FOO_PCI"));
    }
}
