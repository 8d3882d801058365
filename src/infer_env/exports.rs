//! Which exported functions are called by no other module: the files of the kernel's tree that mention a function, if one of
//! them exports it. Text is enough for that, since a name that is found too often only keeps the function callable.
//!
//! A mention is the name, or parts of it that macros may put together (`##`, see `pasting`) or, in a file that looks symbols up,
//! what it begins with. Only what declares a function in a header is none, so inline functions and macros count, for all files that
//! include it by its name (`#include` of a macro is not followed); comments do, too. Of files that are in several modules nothing is said.

use super::pasting::{Pasting, Source};
use super::scan;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

/// The functions of the tree that only files of one directory mention, each with these.
pub fn unshared(tree: &Path) -> BTreeMap<String, Vec<String>> {
    let files = scan::files(tree, KINDS, ASIDE);
    let read =
        |file: PathBuf| Source { text: scan::text(&tree.join(&file)), path: file.display().to_string() };
    let sources: Vec<Source> = files.into_par_iter().map(read).collect();
    let several = in_several_modules(tree, &sources);
    let exports: HashSet<&str> = sources.par_iter().flat_map_iter(|source| exported(&source.text)).collect();
    let mentions = sources.par_iter().flat_map_iter(|source| {
        let found = mentioned(source, &exports);
        found.into_iter().map(move |name| (name, source.path.as_str()))
    });
    let mut users: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (name, file) in mentions.collect::<Vec<_>>() {
        users.entry(name).or_default().insert(file);
    }
    let are_of_one =
        |files: &BTreeSet<&str>| are_together(files) && !files.iter().any(|file| several.contains(*file));
    let includers = Includers::of(&sources);
    users.values_mut().for_each(|files| includers.replace_headers(files));
    users.retain(|_, files| are_of_one(files));
    let pasting = Pasting::of(&sources, &users.keys().copied().collect());
    let made = sources.par_iter().enumerate().flat_map_iter(|(n, source)| {
        let made = pasting.made(n, &source.text);
        made.into_iter().map(move |name| (name, source.path.as_str()))
    });
    for (name, file) in made.collect::<Vec<_>>() {
        users.entry(name).or_default().insert(file);
    }
    users.values_mut().for_each(|files| includers.replace_headers(files));
    users.retain(|_, files| are_of_one(files));
    users
        .into_iter()
        .map(|(name, files)| (name.to_owned(), files.into_iter().map(str::to_owned).collect()))
        .collect()
}

/// Files that may have code: what is written in C, or is included by that, assembly and Rust.
const KINDS: &[&str] = &["c", "h", "S", "rs", "inc", "inl", "def", "pro", "sa", "in"];

/// Directories that no module is built from.
const ASIDE: &[&str] = &["Documentation", "scripts", "usr"];

/// C files of which code is in more than one module: objects that Makefiles put into several, and what others include.
fn in_several_modules(tree: &Path, sources: &[Source]) -> BTreeSet<String> {
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
    for Source { path: file, text } in sources {
        let dir = Path::new(file).parent().unwrap_or(Path::new(""));
        let includes = text
            .lines()
            .filter_map(|line| line.trim_start().strip_prefix("#include \"")?.strip_suffix(".c\""));
        found.extend(includes.map(|name| scan::normal(&dir.join(format!("{name}.c")))));
    }
    found
}

/// Which files include a header, by its name without directories: too many, perhaps, but none is missing.
struct Includers<'t>(HashMap<&'t str, BTreeSet<&'t str>>);

impl<'t> Includers<'t> {
    fn of(sources: &'t [Source]) -> Includers<'t> {
        let included = sources.par_iter().flat_map_iter(|Source { path, text }| {
            let lines = text.lines().filter_map(|line| line.trim_start().strip_prefix('#'));
            let included = lines.filter_map(|line| line.trim_start().strip_prefix("include"));
            included.filter_map(included_name).map(move |name| (name, path.as_str()))
        });
        let mut by_name: HashMap<&str, BTreeSet<&str>> = HashMap::new();
        for (name, file) in included.collect::<Vec<_>>() {
            by_name.entry(name).or_default().insert(file);
        }
        Includers(by_name)
    }

    /// A function that an inline function of a header calls is called wherever that is included. A header that nobody includes
    /// stays, and so does one of which there are too many to be of one module.
    fn replace_headers(&self, files: &mut BTreeSet<&'t str>) {
        let mut seen = BTreeSet::new();
        let next = |files: &BTreeSet<&'t str>, seen: &BTreeSet<&str>| {
            files.iter().copied().find(|file| file.ends_with(".h") && !seen.contains(file))
        };
        while let Some(header) = next(files, &seen) {
            seen.insert(header);
            let name = header.rsplit('/').next().unwrap_or(header);
            let Some(includers) = self.0.get(name).filter(|by| by.len() <= FILES) else { return };
            files.extend(includers);
        }
        files.retain(|file| !seen.contains(file));
    }
}

/// The name behind `#include`, without its directories.
fn included_name(rest: &str) -> Option<&str> {
    let rest = rest.trim_start().strip_prefix(['"', '<'])?;
    let path = rest.split(['"', '>']).next()?;
    path.rsplit('/').next()
}

/// What has more files than that is neither one module nor a few that belong together.
const FILES: usize = 16;

/// Whether they may be the files of one module of this architecture.
fn are_together(files: &BTreeSet<&str>) -> bool {
    let dir = |file: &&str| Path::new(*file).parent().map(Path::to_owned);
    let dirs: HashSet<_> = files.iter().map(dir).collect();
    let fit = |file: &&str| file.ends_with(".c") && file.contains('/') && !scan::is_foreign(Path::new(file));
    dirs.len() == 1 && files.len() <= FILES && files.iter().all(fit)
}

/// What a file exports.
pub fn exported(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let (_, rest) = line.strip_prefix("EXPORT_SYMBOL")?.split_once('(')?;
        let end = rest.find(|c: char| !is_word(c))?;
        (end > 0).then(|| &rest[..end])
    })
}

/// The exported names that a file mentions otherwise than to declare them.
fn mentioned<'e>(source: &Source, exports: &HashSet<&'e str>) -> HashSet<&'e str> {
    let Source { path, text } = source;
    let header = path.ends_with(".h");
    // Names that are put together when the kernel runs.
    let by_name = text.contains("symbol_get(") || text.contains("symbol_request(");
    let mut found = HashSet::new();
    for (at, word) in words(text) {
        if let Some(&name) = exports.get(word)
            && !(header && is_declaration(text, at))
        {
            found.insert(name);
        }
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

/// The words of a text, each with where it begins.
pub(super) fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let base = text.as_ptr().addr();
    text.split(|c: char| !is_word(c)).filter(|w| !w.is_empty()).map(move |w| (w.as_ptr().addr() - base, w))
}

/// Whether names have such characters.
pub(super) fn is_word(c: char) -> bool {
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
        let header = ("drivers/foo/foo.h", "static inline int bar(void)\n{\n\treturn foo_get();\n}\n");
        assert_eq!(row(&[header]), None, "nobody is seen to include it");
        let more = ("drivers/foo/more.h", "# include <foo.h>\n");
        let bus = ("drivers/foo/bus.c", "#include \"more.h\"\n");
        let files = ["drivers/foo/bus.c", "drivers/foo/core.c"].map(str::to_owned).to_vec();
        assert_eq!(row(&[header, more, bus]), Some(files));
        assert_eq!(row(&[header, more, bus, ("drivers/bar/bar.c", "#include \"../foo/foo.h\"\n")]), None);
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

    /// Whether some file of these mentions `foo_get` besides the one that exports it.
    fn is_mentioned(files: &[(&str, &str)]) -> bool {
        row(files).is_none_or(|files| files.len() > 1)
    }

    #[test]
    fn macros_put_names_together() {
        let bar = |text| ("drivers/bar/bar.c", text);
        let header = ("include/foo.h", "#define GET(x) x ## _get()\n");
        assert!(!is_mentioned(&[header]));
        assert!(is_mentioned(&[header, bar("int bar(void) { return GET(foo); }\n")]));
        let header = ("include/foo.h", "#define FOO(x) foo_##x()\n");
        assert!(is_mentioned(&[header, bar("int bar(void) { return FOO(get); }\n")]));
        let header = ("include/foo.h", "#define FOO(x) foo_## /* of it */ \\\n x()\n");
        assert!(is_mentioned(&[header, bar("int bar(void) { return FOO(get); }\n")]));
    }

    #[test]
    fn a_part_of_a_name_needs_a_macro_that_completes_it() {
        let bar = |text| ("drivers/bar/bar.c", text);
        let header = ("include/foo.h", "#define GET(x) x ## _get()\n#define PUT(x) x ## _put()\n");
        assert!(!is_mentioned(&[header, bar("int bar(void) { return foo; }\n")]));
        assert!(!is_mentioned(&[header, bar("int bar(void) { return PUT(foo); }\n")]));
        let other = ("drivers/baz/baz.c", "#define GET(x) x ## _get()\n");
        assert!(!is_mentioned(&[other, bar("int GET(int foo);\n")]));
        assert!(is_mentioned(&[bar("#define GET(x) x ## _get()\nint bar(void) { return GET(foo); }\n")]));
        // A body may be given to any macro.
        assert!(is_mentioned(&[header, bar("#define BAR foo\n")]));
    }

    #[test]
    fn macros_lead_to_others_that_paste() {
        let bar = |text| ("drivers/bar/bar.c", text);
        let header =
            ("include/foo.h", "#define GET(x) x ## _get()\n#define ALL(x) GET(x)\n#define ANY ALL\n");
        assert!(is_mentioned(&[header, bar("int bar(void) { return ALL(foo); }\n")]));
        assert!(is_mentioned(&[header, bar("int bar(void) { return ANY(foo); }\n")]));
        assert!(is_mentioned(&[header, bar("int bar(void) { return CALL(GET, foo); }\n")]));
        let header = ("include/foo.h", "#define DO(w, x) DO_##w(x)\n#define DO_GET(x) x##_get()\n");
        assert!(is_mentioned(&[header, bar("int bar(void) { return DO(GET, foo); }\n")]));
        assert!(!is_mentioned(&[header, bar("int bar(void) { return DO(PUT, foo); }\n")]));
    }

    #[test]
    fn names_are_made_of_several_parts() {
        let bar = |text| ("drivers/bar/bar.c", text);
        let header = ("include/foo.h", "#define CAT(a, b) a ## _ ## b\n");
        assert!(is_mentioned(&[header, bar("int bar(void) { return CAT(foo, get)(); }\n")]));
        assert!(!is_mentioned(&[header, bar("int bar(void) { return CAT(foo, put)(); }\n")]));
        let header = ("include/foo.h", "#define MID(x) f ## x ## get\n#define FOO(x) foo_##x##et\n");
        assert!(is_mentioned(&[header, bar("int bar(void) { return MID(oo_)(); }\n")]));
        assert!(is_mentioned(&[header, bar("int bar(void) { return FOO(g)(); }\n")]));
        let header = ("include/foo.h", "#define HEAD(x) foo ## x\n#define TAIL(x) x ## get\n");
        assert!(is_mentioned(&[header, bar("int bar(void) { return HEAD(TAIL(_))(); }\n")]));
    }

    #[test]
    fn lists_are_given_to_macros() {
        let list = ("include/foo.h", "#define LIST(f) f(foo, get) f(foo, put)\n");
        let bar = ("drivers/bar/bar.c", "#define ONE(a, b) a ## _ ## b();\nvoid bar(void) { LIST(ONE) }\n");
        assert!(is_mentioned(&[list, bar]));
        // Words that are not given to one macro are not put together, nor are those of strings.
        let header = ("include/foo.h", "#define CAT(a, b) a ## _ ## b\n");
        let bar = ("drivers/bar/bar.c", "int foo, bar = CAT(\"foo (\", get);\n");
        assert!(!is_mentioned(&[header, bar]));
        let bar = ("drivers/bar/bar.c", "#define FOO foo\nint bar = CAT(FOO, /* ) */ get);\n");
        assert!(is_mentioned(&[header, bar]));
    }

    #[test]
    fn what_is_included_sees_the_macros_before_it() {
        let template = ("drivers/bar/template.inc", "int bar(void) { return GET(foo); }\n");
        let bar = ("drivers/bar/bar.c", "#define GET(x) x ## _get()\n#include \"template.inc\"\n");
        assert!(is_mentioned(&[template, bar]));
        let template = ("drivers/bar/template.c", "int bar(void) { return CAT(PREFIX, _get)(); }\n");
        let bar =
            ("drivers/bar/bar.c", "#define CAT(a, b) a ## b\n#define PREFIX foo\n#include \"template.c\"\n");
        assert!(is_mentioned(&[template, bar]));
        assert!(is_mentioned(&[
            ("arch/x86/foo.h", "#define CALL(x) asm(\"call foo_\" #x)\n"),
            ("drivers/bar/bar.c", "void bar(void) { CALL(get); }\n")
        ]));
    }
}
