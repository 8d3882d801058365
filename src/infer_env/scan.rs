//! Who else might call: the names that occur as calls in files of the kernel's tree that were not given. Text is
//! enough for that, since a name that is found too often only makes rows weaker.

use super::Symbol;
use rayon::prelude::*;
use std::collections::{BTreeSet, HashSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// What other files may call.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Unseen {
    /// Functions, by name.
    pub functions: BTreeSet<Symbol>,
    /// Members, by name alone.
    pub fields: BTreeSet<Symbol>,
}

/// Directories whose files are not part of a kernel that runs.
const ASIDE: &[&str] = &["Documentation", "tools", "scripts", "samples", "usr"];

/// Looks through all C files of the tree but those. What has no name of its own cannot be looked for: any of them may call it.
pub fn scan(
    tree: &Path,
    given: &HashSet<PathBuf>,
    functions: &BTreeSet<Symbol>,
    fields: &BTreeSet<Symbol>,
) -> Unseen {
    let mut files = files(tree, &["c", "h"], ASIDE);
    files.retain(|file| !given.contains(file) && !is_foreign(file));
    let found = files.par_iter().map(|file| {
        let mut unseen = Unseen::default();
        let text = text(&tree.join(file));
        if !is_unit_test(&text) {
            read(&text, functions, fields, &mut unseen);
        }
        unseen
    });
    let mut unseen = found.reduce(Unseen::default, |mut a, b| {
        a.functions.extend(b.functions);
        a.fields.extend(b.fields);
        a
    });
    unseen.fields.extend(fields.iter().filter(|name| is_nameless(name)).cloned());
    unseen
}

/// Whether a member may be one of which only the place in its struct is known, and is named by that (`f7`).
fn is_nameless(name: &str) -> bool {
    name.strip_prefix('f').is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
}

/// The files of a kernel's tree that have one of these extensions, or are called so, relative to the tree; without what
/// lies in some of its directories.
pub fn files(tree: &Path, extensions: &[&str], aside: &[&str]) -> Vec<PathBuf> {
    let is_aside = |name: &OsStr| aside.iter().any(|aside| name == *aside);
    WalkDir::new(tree)
        .into_iter()
        .filter_entry(|entry| entry.depth() != 1 || !is_aside(entry.file_name()))
        .flatten()
        .map(walkdir::DirEntry::into_path)
        .filter(|path| {
            path.extension().or(path.file_name()).is_some_and(|e| extensions.iter().any(|&of| e == of))
        })
        .map(|path| path.strip_prefix(tree).map(Path::to_owned).unwrap_or_default())
        .collect()
}

/// The path without steps back.
pub fn normal(path: &Path) -> String {
    let mut parts: Vec<&OsStr> = Vec::new();
    for part in path.iter() {
        match part.to_str() {
            Some("..") => _ = parts.pop(),
            Some(".") => {}
            _ => parts.push(part),
        }
    }
    parts.iter().collect::<PathBuf>().display().to_string()
}

/// What is in a file; nothing if it cannot be read.
pub fn text(file: &Path) -> String {
    String::from_utf8_lossy(&std::fs::read(file).unwrap_or_default()).into_owned()
}

/// Whether the text is a KUnit test, which calls what it tests as no kernel that serves anybody does.
pub fn is_unit_test(text: &str) -> bool {
    text.lines().any(|line| line.starts_with("#include <kunit/test.h>"))
}

/// Other architectures are other kernels.
pub fn is_foreign(path: &Path) -> bool {
    let mut parts = path.iter();
    parts.next().is_some_and(|p| p == "arch") && parts.next().is_some_and(|p| p != "x86")
}

fn read(text: &str, functions: &BTreeSet<Symbol>, fields: &BTreeSet<Symbol>, unseen: &mut Unseen) {
    let bytes = text.as_bytes();
    let is_word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let mut at = 0;
    while at < bytes.len() {
        if !is_word(&bytes[at]) {
            at += 1;
            continue;
        }
        let end = bytes[at..].iter().position(|b| !is_word(b)).map_or(bytes.len(), |n| at + n);
        let name = &text[at..end];
        let after = bytes[end..].iter().find(|b| !b.is_ascii_whitespace());
        let is_member = at > 0 && (bytes[at - 1] == b'.' || bytes[..at].ends_with(b"->"));
        let called = after == Some(&b'(') || after == Some(&b')') && is_member;
        if is_member && called && fields.contains(name) {
            unseen.fields.insert(name.into());
        } else if !is_member && functions.contains(name) {
            unseen.functions.insert(name.into());
        }
        at = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_without_a_name_may_be_called_anywhere() {
        let tree = tempfile::tempdir().expect("a directory for the tree");
        std::fs::write(tree.path().join("other.c"), "void g(struct ops *ops) { ops->put(); }")
            .expect("written");
        let fields = ["f7", "f", "get", "put"].map(Symbol::from).into();
        let unseen = scan(tree.path(), &HashSet::new(), &BTreeSet::new(), &fields);
        assert_eq!(unseen.fields, ["f7", "put"].map(Symbol::from).into());
    }
}
