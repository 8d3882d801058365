//! Every row that says something occurs in an annotated input. That the input fails without the row is for who
//! writes it; this test only sees to it that nobody forgets.
//!
//! Rows with a list of names are one: what they say was looked up once. Rows of functions without an effect are
//! left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use lockpair_env::Model;
use lockpair_env::apply::afterwards::AFTER;
use lockpair_env::schema::{CallbackRow, FunctionRow};

/// Rows that no input can show.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("llvm.memcpy.*", "the compiler makes these calls: rules/ has copies of structs"),
    ("llvm.trap", "the compiler makes these calls, and ends the block itself"),
    ("llvm.memset.*", "the compiler makes these calls: publication/ has objects that are cleared"),
];

#[test]
fn every_row_occurs_in_an_annotated_input() {
    let words = words_of_inputs();
    let model = Model::linux_by_hand();
    let functions = model.functions.values().filter(|row| !row.effects.is_empty() || row.noreturn);
    let functions = functions.map(|row| {
        let alike = FunctionRow { name: String::new(), ..row.clone() };
        (format!("{alike:?}"), row.name.clone(), is_called(&row.name, &words))
    });
    let fields = model.tables.values().flat_map(|table| table.fields.iter().map(move |row| (table, row)));
    let fields = fields.map(|(table, row)| {
        let alike = CallbackRow { name: table.strukt.clone(), ..row.clone() };
        // The table `module` stands for no struct.
        let field = row.name.rsplit('.').next().unwrap_or_default();
        let used = words.contains(field) && (words.contains(&table.strukt) || table.strukt == "module");
        (format!("{alike:?}"), row.name.clone(), used)
    });
    let mut rows: BTreeMap<String, (Vec<String>, bool)> = BTreeMap::new();
    for (what, name, used) in functions.chain(fields) {
        let row = rows.entry(what).or_default();
        row.0.push(name);
        row.1 |= used;
    }
    let is_exception = |name: &String| EXCEPTIONS.iter().any(|(known, _)| known == name);
    let (with, without): (Vec<_>, Vec<_>) = rows.into_values().partition(|(_, used)| *used);
    let missing: Vec<String> = without
        .iter()
        .filter(|(names, _)| !names.iter().any(is_exception))
        .map(|(names, _)| names.join(" "))
        .collect();
    let stale: Vec<_> = with.iter().flat_map(|(names, _)| names).filter(|name| is_exception(name)).collect();
    assert!(missing.is_empty(), "{} rows are in no input:\n{}", missing.len(), missing.join("\n"));
    assert!(stale.is_empty(), "exceptions that are in an input: {stale:?}");
}

fn is_called(name: &str, words: &BTreeSet<String>) -> bool {
    let name = name.strip_prefix(AFTER).unwrap_or(name);
    if let Some((strukt, member)) = name.split_once('.').filter(|(start, _)| *start != "llvm") {
        return words.contains(strukt) && words.contains(member);
    }
    match name.strip_suffix('*') {
        Some(start) => words.range(start.to_owned()..).next().is_some_and(|word| word.starts_with(start)),
        None => words.contains(name),
    }
}

/// The identifiers of all inputs, and of the stub headers' macros and inline functions that these use; of a
/// struct, the structs in it.
fn words_of_inputs() -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let inputs = texts(&root.join("../tests/annotated"), "c");
    let definitions: BTreeMap<String, BTreeSet<String>> =
        texts(&root.join("include"), "h").iter().flat_map(|text| definitions(text)).collect();
    let mut words = BTreeSet::new();
    let mut next: Vec<String> = inputs.iter().flat_map(|text| identifiers(text)).collect();
    while let Some(word) = next.pop() {
        if words.insert(word.clone()) {
            next.extend(definitions.get(&word).into_iter().flatten().cloned());
        }
    }
    words
}

/// The macros, inline functions and structs of a header with what is named in them: each ends where the next line
/// begins that is neither indented nor a brace.
fn definitions(text: &str) -> Vec<(String, BTreeSet<String>)> {
    let mut out: Vec<(String, BTreeSet<String>)> = Vec::new();
    let (mut inside, mut in_struct) = (false, false);
    for line in text.lines() {
        let continues = line.starts_with(['\t', ' ', '{', '}']);
        if !continues {
            in_struct = line.starts_with("struct ") && line.contains('{');
            let name = match line.split_once(' ') {
                Some(("#define" | "struct", rest)) => identifiers(rest).into_iter().next(),
                Some(("static", _)) if line.contains("inline ") => {
                    line.split('(').next().and_then(|head| identifiers(head).pop())
                }
                _ => None,
            };
            inside = name.is_some();
            out.extend(name.map(|name| (name, BTreeSet::new())));
        }
        if let Some((_, uses)) = out.last_mut().filter(|_| inside) {
            let words = identifiers(line);
            let tags = words.windows(2).filter(|pair| pair[0] == "struct").map(|pair| pair[1].clone());
            match in_struct {
                true => uses.extend(tags),
                false => uses.extend(words),
            }
        }
    }
    out
}

/// What is no comment, word by word.
fn identifiers(text: &str) -> Vec<String> {
    let code: String = text
        .split("*/")
        .flat_map(|part| part.split("/*").next())
        .flat_map(|part| part.lines())
        .flat_map(|line| [line.split("//").next().unwrap_or_default(), "\n"])
        .collect();
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    code.split(|c| !is_part(c)).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

fn texts(dir: &Path, extension: &str) -> Vec<String> {
    let entries = std::fs::read_dir(dir).unwrap_or_else(|e| panic!("{}: {e}", dir.display()));
    let paths = entries.map(|entry| entry.expect("a readable directory").path());
    let read = |path: &PathBuf| std::fs::read_to_string(path).expect("a text");
    paths
        .flat_map(|path| match path.extension() {
            _ if path.is_dir() => texts(&path, extension),
            Some(found) if found == extension => vec![read(&path)],
            _ => vec![],
        })
        .collect()
}
