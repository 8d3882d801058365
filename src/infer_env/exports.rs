//! Which exported functions are called by no other module: the files of the kernel's tree that mention a function, if one of
//! them exports it. Text is enough for that, since a name that is found too often only keeps the function callable.
//!
//! A mention is the name, or a part of it that macros may complete (`##`) or, in a file that looks symbols up, that it begins
//! with. Only what declares a function in a header is none, so inline functions and macros count; comments do, too. Of files that
//! are in several modules nothing is said.

use super::scan;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;

/// The functions of the tree that only files of one directory mention, each with these.
pub fn unshared(tree: &Path) -> BTreeMap<String, Vec<String>> {
    let files = scan::files(tree, &["c", "h", "S", "rs"], ASIDE);
    let texts: Vec<(String, String)> = files
        .into_par_iter()
        .map(|file| (file.display().to_string(), scan::text(&tree.join(&file))))
        .collect();
    let several = in_several_modules(tree, &texts);
    let exports: HashSet<&str> = texts.par_iter().flat_map_iter(|(_, text)| exported(text)).collect();
    let fragments = Fragments::of(&texts);
    let parts = fragments.parts(&exports);
    let mentions = texts.par_iter().flat_map_iter(|(file, text)| {
        let found = mentioned(file, text, &exports, &parts);
        found.into_iter().map(move |name| (name, file.as_str()))
    });
    let mut users: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (name, file) in mentions.collect::<Vec<_>>() {
        users.entry(name).or_default().insert(file);
    }
    let are_of_one =
        |files: &BTreeSet<&str>| are_together(files) && !files.iter().any(|file| several.contains(*file));
    let rows = users.into_iter().filter(|(_, files)| are_of_one(files));
    rows.map(|(name, files)| (name.to_owned(), files.into_iter().map(str::to_owned).collect())).collect()
}

/// Directories that no module is built from.
const ASIDE: &[&str] = &["Documentation", "scripts", "usr"];

/// C files of which code is in more than one module: objects that Makefiles put into several, and what others include.
fn in_several_modules(tree: &Path, texts: &[(String, String)]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for makefile in scan::files(tree, &["Makefile", "Kbuild"], ASIDE) {
        let dir = makefile.parent().map(|dir| dir.display().to_string()).unwrap_or_default();
        let mut modules: HashMap<String, BTreeSet<String>> = HashMap::new();
        for line in scan::text(&tree.join(&makefile)).replace("\\\n", " ").lines() {
            let Some((module, objects)) = line.split_once('=') else { continue };
            let module = module.trim_end_matches([' ', '\t', ':', '+', '?']).trim();
            let Some((module, _)) = module.rsplit_once('-') else { continue };
            for object in objects.split_whitespace().filter_map(|word| word.strip_suffix(".o")) {
                let module = if module == "obj" { object } else { module };
                modules.entry(object.to_owned()).or_default().insert(module.to_owned());
            }
        }
        let several = modules.into_iter().filter(|(_, modules)| modules.len() > 1);
        found.extend(several.map(|(object, _)| format!("{dir}/{object}.c")));
    }
    for (file, text) in texts {
        let dir = Path::new(file).parent().unwrap_or(Path::new(""));
        let includes = text
            .lines()
            .filter_map(|line| line.trim_start().strip_prefix("#include \"")?.strip_suffix(".c\""));
        found.extend(includes.map(|name| scan::normal(&dir.join(format!("{name}.c")))));
    }
    found
}

/// What has more files than that is hardly one module.
const FILES: usize = 8;

/// Whether they may be the files of one module of this architecture.
fn are_together(files: &BTreeSet<&str>) -> bool {
    let dir = |file: &&str| Path::new(*file).parent().map(Path::to_owned);
    let dirs: HashSet<_> = files.iter().map(dir).collect();
    let fit = |file: &&str| file.ends_with(".c") && file.contains('/') && !scan::is_foreign(Path::new(file));
    dirs.len() == 1 && files.len() <= FILES && files.iter().all(fit)
}

/// What a file exports.
fn exported(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let (_, rest) = line.strip_prefix("EXPORT_SYMBOL")?.split_once('(')?;
        let end = rest.find(|c: char| !is_word(c))?;
        (end > 0).then(|| &rest[..end])
    })
}

/// What macros put in front of words, and behind them.
#[derive(Default)]
struct Fragments<'t> {
    before: HashSet<&'t str>,
    behind: HashSet<&'t str>,
}

impl<'t> Fragments<'t> {
    fn of(texts: &'t [(String, String)]) -> Fragments<'t> {
        let mut all = Fragments::default();
        for (at, text) in
            texts.iter().flat_map(|(_, text)| text.match_indices("##").map(move |(at, _)| (at, text)))
        {
            let head = text[..at].trim_end();
            let start = head
                .rfind(|c: char| !is_word(c))
                .map_or(0, |n| n + head[n..].chars().next().map_or(1, char::len_utf8));
            all.before.insert(&head[start..]);
            let tail = text[at + 2..].trim_start();
            all.behind.insert(&tail[..tail.find(|c: char| !is_word(c)).unwrap_or(tail.len())]);
        }
        all
    }

    /// The words that a macro may make one of the names of, each with these.
    fn parts<'e>(&self, names: &HashSet<&'e str>) -> HashMap<&'e str, Vec<&'e str>> {
        let mut parts: HashMap<&str, Vec<&str>> = HashMap::new();
        for &name in names {
            for (head, tail) in (1..name.len()).map(|n| name.split_at(n)) {
                if self.behind.contains(tail) {
                    parts.entry(head).or_default().push(name);
                }
                if self.before.contains(head) {
                    parts.entry(tail).or_default().push(name);
                }
            }
        }
        parts
    }
}

/// The exported names that a file mentions otherwise than to declare them.
fn mentioned<'e>(
    file: &str,
    text: &str,
    exports: &HashSet<&'e str>,
    parts: &HashMap<&'e str, Vec<&'e str>>,
) -> HashSet<&'e str> {
    let header = file.ends_with(".h");
    // Names that are put together when the kernel runs.
    let by_name = text.contains("symbol_get(") || text.contains("symbol_request(");
    let mut found = HashSet::new();
    for (at, word) in words(text) {
        if let Some(&name) = exports.get(word)
            && !(header && is_declaration(text, at))
        {
            found.insert(name);
        }
        found.extend(parts.get(word).into_iter().flatten());
        if by_name && word.len() > 3 && word.ends_with('_') {
            found.extend(exports.iter().filter(|name| name.starts_with(word)));
        }
    }
    found
}

/// Whether the function that is named there is declared: only words and stars come before it, from the beginning of a line.
fn is_declaration(text: &str, at: usize) -> bool {
    let is_type = |line: &str| {
        let begins = line.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        begins && line.chars().all(|c| is_word(c) || c == '*' || c.is_ascii_whitespace())
    };
    let mut lines = text[..at].rsplit('\n');
    match lines.next() {
        Some("") => lines.next().is_some_and(is_type),
        Some(line) => is_type(line),
        None => false,
    }
}

fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let base = text.as_ptr().addr();
    text.split(|c: char| !is_word(c)).filter(|w| !w.is_empty()).map(move |w| (w.as_ptr().addr() - base, w))
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The row of `foo_get`, of a tree with these files.
    fn row(files: &[(&str, &str)]) -> Option<Vec<String>> {
        let dir = tempfile::tempdir().expect("a directory");
        let exporter = ("drivers/foo/core.c", "int foo_get(void)\n{\n}\nEXPORT_SYMBOL_GPL(foo_get);\n");
        for (file, text) in files.iter().chain([&exporter]) {
            let path = dir.path().join(file);
            std::fs::create_dir_all(path.parent().expect("a parent")).expect("created");
            std::fs::write(path, text).expect("written");
        }
        unshared(dir.path()).remove("foo_get")
    }

    #[test]
    fn who_mentions_a_function_may_call_it() {
        assert_eq!(row(&[]), Some(vec!["drivers/foo/core.c".to_owned()]));
        assert_eq!(
            row(&[("drivers/foo/foo.h", "extern int foo_get(void);\nint *\nfoo_get(void);\n")])
                .map(|f| f.len()),
            Some(1)
        );
        assert_eq!(row(&[("drivers/foo/bus.c", "\treturn foo_get();\n")]).map(|f| f.len()), Some(2));
        assert_eq!(row(&[("drivers/bar/bar.c", "int bar(void) { return foo_get(); }\n")]), None);
        assert_eq!(row(&[("drivers/bar/bar.c", "/* see foo_get */\n")]), None);
        assert_eq!(
            row(&[("include/foo.h", "static inline int bar(void)\n{\n\treturn foo_get();\n}\n")]),
            None
        );
        assert_eq!(row(&[("include/foo.h", "#define bar() foo_get()\n")]), None);
        assert_eq!(row(&[("arch/arm/foo.S", "\tbl foo_get\n")]), None);
    }

    #[test]
    fn files_of_several_modules_call_from_each() {
        let makefile =
            ("drivers/foo/Makefile", "foo-y := core.o bus.o \\\n\tmore.o\nother-objs := more.o core.o\n");
        assert_eq!(row(&[makefile]), None);
        let makefile = ("drivers/foo/Makefile", "obj-m += foo.o\nfoo-y := core.o bus.o\nother-y := more.o\n");
        assert!(row(&[makefile]).is_some());
        assert_eq!(row(&[("drivers/bar/bar.c", "#include \"../foo/core.c\"\n")]), None);
        assert_eq!(row(&[("drivers/bar/bar.c", "symbol_get(name(\"foo_%s\", which))\n")]), None);
    }

    #[test]
    fn macros_put_names_together() {
        let header = ("include/foo.h", "#define GET(x) x ## _get()\n");
        assert_eq!(row(&[header]).map(|f| f.len()), Some(1));
        assert_eq!(row(&[header, ("drivers/bar/bar.c", "int bar(void) { return GET(foo); }\n")]), None);
        let header = ("include/foo.h", "#define FOO(x) foo_##x()\n");
        assert_eq!(row(&[header, ("drivers/bar/bar.c", "int bar(void) { return FOO(get); }\n")]), None);
    }
}
