//! Which names the preprocessor may make in a file of parts (`##`). Nothing is expanded: whatever a macro may be given, it is
//! given of the words that are in the file, or that are in the bodies of macros that the file leads to.
//!
//! A file leads to the macros that it names or defines, to those that the bodies of these name, and to those whose names it may
//! make. Whether a macro has parameters does not matter, nor in which of the headers it is. A macro of a `.c` file is known to
//! this file alone, and to whatever may be included there after it.
//!
//! One word, with what is written in macros beside it, makes a name anywhere in such a file, and in the body of a macro even if the
//! file does not lead to the macro that completes it, for it may be handed on. Several words (`a##_##b`) do if they are in one
//! macro's body, or if some are given to one macro at one place and the rest is in the bodies of macros named there (`DEPTH`):
//! most files have words like `get`, and lead to a macro that pastes whatever it is given.
//!
//! Not found is what takes several words in several macros (`CAT(CAT(a, b), c)`), or the preprocessor's parts of other
//! languages (`\name\()_get` of an assembler's macro), and words that a Makefile defines (`-DNAME=foo`).

use super::exports::{is_word, words};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// A file of the kernel's tree.
pub struct Source {
    /// Relative to the tree.
    pub path: String,
    /// What is in it.
    pub text: String,
}

/// A part of a name: what is written beside `##`, or an argument, which may be any word or none.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Part {
    Given(String),
    Argument,
}

/// What is put together at one place, in order.
type Pattern = Vec<Part>;

/// A `#define`.
struct Define<'t> {
    name: &'t str,
    /// The words of its body but for the parameters.
    words: Vec<&'t str>,
    patterns: Vec<Pattern>,
}

/// The macros that have one name: those of headers, those of single files, and all of them.
#[derive(Default)]
struct Macro {
    of_headers: Body,
    of_file: FxHashMap<usize, Body>,
    all: Body,
}

/// What a macro leads to, by number.
#[derive(Default)]
struct Body {
    words: Vec<u32>,
    patterns: Vec<u32>,
}

/// How a name may be made: these words of a file, in macros with these patterns.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Way<'t> {
    words: Vec<&'t str>,
    patterns: Vec<u32>,
}

/// What may be made in which file.
pub struct Pasting<'t> {
    /// The words that matter.
    numbers: FxHashMap<&'t str, u32>,
    macros: Vec<Macro>,
    /// The macros that lead to one that pastes.
    pasting: FxHashSet<u32>,
    /// The names that are looked for, by number.
    names: FxHashMap<u32, &'t str>,
    /// How they may be made, and how macros that paste may be.
    names_by: Ways,
    macros_by: Ways,
    /// How many patterns there are.
    patterns: usize,
    /// Files that others may include.
    included: FxHashSet<usize>,
}

/// What may be made, by number.
#[derive(Default)]
struct Ways {
    /// By the longest of the words that it takes.
    by_word: FxHashMap<u32, Vec<Made>>,
    /// What takes no words: all arguments are empty.
    by_pattern: FxHashMap<u32, Vec<u32>>,
}

/// A way by numbers.
struct Made {
    name: u32,
    /// One twice if there are no two.
    patterns: [u32; 2],
    words: Box<[u32]>,
}

impl<'t> Pasting<'t> {
    /// How these names may be made in these files.
    pub fn of(sources: &'t [Source], names: &FxHashSet<&'t str>) -> Pasting<'t> {
        let defines: Vec<Vec<Define>> = sources.par_iter().map(|source| defines(&source.text)).collect();
        let patterns = Patterns::of(&defines);
        let known = sources.par_iter().fold(FxHashSet::default, |mut all: FxHashSet<&str>, source| {
            all.extend(words(&source.text).map(|(_, word)| word));
            all
        });
        let known = known.reduce(FxHashSet::default, |a, b| {
            let (mut all, few) = if a.len() < b.len() { (b, a) } else { (a, b) };
            all.extend(few);
            all
        });
        let pasting = leading(&defines);
        let of_macros: Vec<(&str, FxHashSet<Way>)> =
            pasting.par_iter().map(|&name| (name, patterns.macro_ways(name, &known))).collect();
        let of_names: Vec<(&str, FxHashSet<Way>)> =
            names.par_iter().map(|&name| (name, patterns.ways(name, &known))).collect();
        let mut all = Pasting {
            numbers: FxHashMap::default(),
            macros: Vec::new(),
            pasting: FxHashSet::default(),
            names: FxHashMap::default(),
            names_by: Ways::default(),
            macros_by: Ways::default(),
            patterns: patterns.numbers.len(),
            included: included(sources),
        };
        all.names = names.iter().map(|&name| (all.number(name), name)).collect();
        all.pasting = pasting.iter().map(|name| all.number(name)).collect();
        all.names_by = all.by_numbers(&of_names);
        all.macros_by = all.by_numbers(&of_macros);
        all.add_macros(&defines, &patterns);
        all
    }

    fn number(&mut self, word: &'t str) -> u32 {
        let next = self.numbers.len() as u32;
        *self.numbers.entry(word).or_insert(next)
    }

    fn by_numbers(&mut self, of: &[(&'t str, FxHashSet<Way<'t>>)]) -> Ways {
        let mut ways = Ways::default();
        for (name, way) in of.iter().flat_map(|(name, ways)| ways.iter().map(move |way| (name, way))) {
            let name = self.number(name);
            let words = way.words.iter().map(|word| self.number(word)).collect();
            let (Some(&first), Some(&last)) = (way.patterns.first(), way.patterns.last()) else { continue };
            match way.words.iter().max_by_key(|word| word.len()) {
                Some(word) => {
                    let made = Made { name, patterns: [first, last], words };
                    ways.by_word.entry(self.number(word)).or_default().push(made);
                }
                None => ways.by_pattern.entry(first).or_default().push(name),
            }
        }
        ways
    }

    fn add_macros(&mut self, defines: &[Vec<Define<'t>>], patterns: &Patterns) {
        for define in defines.iter().flatten() {
            self.number(define.name);
        }
        self.macros.resize_with(self.numbers.len(), Macro::default);
        for (file, defines) in defines.iter().enumerate() {
            for define in defines {
                let Macro { of_headers, of_file, all } = &mut self.macros[self.numbers[define.name] as usize];
                let body =
                    if self.included.contains(&file) { of_headers } else { of_file.entry(file).or_default() };
                for body in [body, all] {
                    body.words.extend(define.words.iter().filter_map(|word| self.numbers.get(word)));
                    body.patterns.extend(define.patterns.iter().map(|pattern| patterns.numbers[pattern]));
                }
            }
        }
        for body in self.macros.iter_mut().flat_map(|of| [&mut of.of_headers, &mut of.all]) {
            body.words.sort_unstable();
            body.words.dedup();
            body.patterns.sort_unstable();
            body.patterns.dedup();
        }
    }

    /// The names that may be made in a file.
    pub fn made(&self, file: usize, text: &str) -> Vec<&'t str> {
        let mut reached = Reached {
            words: Numbers::below(self.numbers.len()),
            patterns: Numbers::below(self.patterns),
            todo: Vec::new(),
        };
        reached.see(words(text).filter_map(|(_, word)| self.numbers.get(word).copied()));
        // What macros are made may lead to more of them.
        while let Some(word) = reached.todo.pop() {
            for body in self.bodies(&self.macros[word as usize], file) {
                reached.see(body.words.iter().copied());
                for &pattern in &body.patterns {
                    reached.patterns.insert(pattern);
                }
            }
            if reached.todo.is_empty() {
                let ways = reached.made(&self.macros_by);
                let mut made: Vec<u32> = ways.map(|way| way.name).collect();
                let patterns = reached.patterns.all.iter();
                made.extend(patterns.filter_map(|pattern| self.macros_by.by_pattern.get(pattern)).flatten());
                reached.see(made.into_iter());
            }
        }
        let patterns = reached.patterns.all.iter();
        let of_none = patterns.filter_map(|pattern| self.names_by.by_pattern.get(pattern)).flatten();
        let (several, single): (Vec<&Made>, Vec<&Made>) =
            reached.made(&self.names_by).partition(|way| way.words.len() > 1);
        let mut made: FxHashSet<u32> =
            single.into_iter().map(|way| way.name).chain(of_none.copied()).collect();
        if !several.is_empty() {
            let code = code(text);
            let calls = calls(&code, |word| self.may_paste(word, file));
            made.extend(calls.flat_map(|call| self.made_in_call(file, call, &several)));
        }
        // Whoever names a macro somehow may have it make something of its body.
        for define in defines(text) {
            let body: FxHashSet<u32> =
                define.words.iter().filter_map(|word| self.numbers.get(word).copied()).collect();
            let ways = body.iter().filter_map(|word| self.names_by.by_word.get(word)).flatten();
            let is_of_body = |way: &&Made| way.words.iter().all(|word| body.contains(word));
            made.extend(ways.filter(is_of_body).map(|way| way.name));
        }
        made.iter().filter_map(|name| self.names.get(name).copied()).collect()
    }

    fn may_paste(&self, word: &str, file: usize) -> bool {
        let Some(&number) = self.numbers.get(word) else { return false };
        self.pasting.contains(&number)
            && self.bodies(&self.macros[number as usize], file).any(|body| !body.is_empty())
    }

    /// The names that are made of several words of which one is given to a macro, and the others are, too, or are in the bodies of
    /// macros that are named there.
    fn made_in_call(&self, file: usize, call: &str, ways: &[&Made]) -> Vec<u32> {
        let given: FxHashSet<u32> =
            words(call).filter_map(|(_, word)| self.numbers.get(word).copied()).collect();
        let ways: Vec<&&Made> =
            ways.iter().filter(|way| way.words.iter().any(|word| given.contains(word))).collect();
        if ways.is_empty() {
            return Vec::new();
        }
        let mut new: Vec<u32> = given.iter().copied().collect();
        let mut found = given;
        for _ in 0..DEPTH {
            let bodies = new.iter().flat_map(|&word| self.bodies(&self.macros[word as usize], file));
            let words: Vec<u32> = bodies.flat_map(|body| &body.words).copied().collect();
            new = words.into_iter().filter(|&word| found.insert(word)).collect();
        }
        let may = ways.iter().filter(|way| way.words.iter().all(|word| found.contains(word)));
        may.map(|way| way.name).collect()
    }

    /// What a macro is for a file. What is included knows the macros of whoever includes it.
    fn bodies<'a>(&self, of: &'a Macro, file: usize) -> impl Iterator<Item = &'a Body> {
        let is_included = self.included.contains(&file);
        let known = if is_included { &of.all } else { &of.of_headers };
        let own = if is_included { None } else { of.of_file.get(&file) };
        std::iter::once(known).chain(own)
    }
}

impl Body {
    fn is_empty(&self) -> bool {
        self.words.is_empty() && self.patterns.is_empty()
    }
}

/// So many macros may lead to one another from a call until one gives a word.
const DEPTH: usize = 4;

/// A text without comments, strings and characters, which macros are not given names in.
fn code(text: &str) -> String {
    let mut code = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['/', '"', '\'']) {
        code.push_str(&rest[..at]);
        let from = &rest[at..];
        let end = match from.as_bytes() {
            [b'/', b'*', ..] => from.find("*/").map_or(from.len(), |end| end + 2),
            [b'/', b'/', ..] => from.find('\n').unwrap_or(from.len()),
            [b'"', ..] => quoted(from, '"'),
            [b'\'', ..] => Some(quoted(from, '\'')).filter(|&end| end <= CHARACTER).unwrap_or(1),
            _ => 1,
        };
        code.push(' ');
        rest = &from[end..];
    }
    code + rest
}

/// The longest character constant (`'\\x7f'`).
const CHARACTER: usize = 6;

/// The end of what begins with a quote, in the same line at the latest.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => return at,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// What is in parentheses behind macros, with these.
fn calls(text: &str, is_macro: impl Fn(&str) -> bool) -> impl Iterator<Item = &str> {
    let mut end = 0;
    words(text).filter_map(move |(at, word)| {
        let rest = &text[at + word.len()..];
        if at < end || !rest.trim_start().starts_with('(') || !is_macro(word) {
            return None;
        }
        end = at + word.len() + arguments(rest);
        Some(&text[at..end])
    })
}

/// The end of the parentheses that come first, one behind another.
fn arguments(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if depth == 0 && !c.is_whitespace() => return at,
            _ => {}
        }
    }
    text.len()
}

/// The words and patterns that a file leads to.
struct Reached {
    words: Numbers,
    patterns: Numbers,
    todo: Vec<u32>,
}

/// A set that knows the order in which its members came.
struct Numbers {
    has: Vec<bool>,
    all: Vec<u32>,
}

impl Numbers {
    fn below(end: usize) -> Numbers {
        Numbers { has: vec![false; end], all: Vec::new() }
    }

    fn insert(&mut self, number: u32) -> bool {
        let is_new = !std::mem::replace(&mut self.has[number as usize], true);
        if is_new {
            self.all.push(number);
        }
        is_new
    }

    fn have(&self, numbers: &[u32]) -> bool {
        numbers.iter().all(|&number| self.has[number as usize])
    }
}

impl Reached {
    fn see(&mut self, words: impl Iterator<Item = u32>) {
        for word in words {
            if self.words.insert(word) {
                self.todo.push(word);
            }
        }
    }

    /// What may be made of these words.
    fn made<'a>(&'a self, ways: &'a Ways) -> impl Iterator<Item = &'a Made> + 'a {
        let ways = self.words.all.iter().filter_map(|word| ways.by_word.get(word)).flatten();
        ways.filter(|way| self.patterns.have(&way.patterns) && self.words.have(&way.words))
    }
}

/// The patterns of all macros.
#[derive(Default)]
struct Patterns {
    /// Each as it is written.
    numbers: FxHashMap<Pattern, u32>,
    /// Each with and without its arguments, which may be empty: by what it begins with, else by what it ends with, else by what
    /// comes after the first argument.
    begin: FxHashMap<String, Vec<(Pattern, u32)>>,
    end: FxHashMap<String, Vec<(Pattern, u32)>>,
    middle: FxHashMap<String, Vec<(Pattern, u32)>>,
    /// Of arguments only.
    arguments: Vec<(Pattern, u32)>,
}

impl Patterns {
    fn of(defines: &[Vec<Define>]) -> Patterns {
        let mut all = Patterns::default();
        for pattern in defines.iter().flatten().flat_map(|define| &define.patterns) {
            let next = all.numbers.len() as u32;
            if !all.numbers.contains_key(pattern) {
                all.numbers.insert(pattern.clone(), next);
                for form in forms(pattern) {
                    all.index(form, next);
                }
            }
        }
        all
    }

    fn index(&mut self, form: Pattern, number: u32) {
        let of = match &form[..] {
            [Part::Given(begin), ..] => self.begin.entry(begin.clone()).or_default(),
            [.., Part::Given(end)] => self.end.entry(end.clone()).or_default(),
            _ => match form.iter().find_map(Part::given) {
                Some(given) => self.middle.entry(given.to_owned()).or_default(),
                None => &mut self.arguments,
            },
        };
        of.push((form, number));
    }

    /// The patterns that may make a name.
    fn fitting(&self, name: &str) -> Vec<&(Pattern, u32)> {
        let ends = (1..=name.len()).filter_map(|n| self.begin.get(&name[..n]));
        let begins = (1..name.len()).filter_map(|n| self.end.get(&name[n..]));
        let middles = (1..name.len()).flat_map(|n| (n + 1..name.len()).map(move |m| &name[n..m]));
        let middles = middles.filter_map(|given| self.middle.get(given));
        ends.chain(begins).chain(middles).flatten().chain(&self.arguments).collect()
    }

    /// The ways to make a name in one macro of words that there are. Where arguments meet there is a seam, if it must be.
    fn direct<'t>(&self, name: &'t str, seams: bool, known: &FxHashSet<&str>) -> FxHashSet<Way<'t>> {
        let mut ways = FxHashSet::default();
        for (form, number) in self.fitting(name) {
            let fits = Fit { known, seams, unknown: 0 }.of(form, name);
            ways.extend(fits.into_iter().map(|words| Way::of(words, vec![*number])));
        }
        ways
    }

    /// The ways to make a macro's name, of which a part is written in a macro, or is a number: what is made of arguments only
    /// is hardly the name of a macro otherwise.
    fn macro_ways<'t>(&self, name: &'t str, known: &FxHashSet<&str>) -> FxHashSet<Way<'t>> {
        let is_number = |word: &&str| word.bytes().all(|b| b.is_ascii_digit());
        let mut ways = self.direct(name, true, known);
        ways.retain(|way| way.words.len() < 2 || way.words.iter().any(is_number));
        ways
    }

    /// The ways in which an argument may be made itself, too.
    fn ways<'t>(&self, name: &'t str, known: &FxHashSet<&str>) -> FxHashSet<Way<'t>> {
        let mut ways = self.direct(name, false, known);
        let mut inner: FxHashMap<&str, FxHashSet<Way>> = FxHashMap::default();
        for (form, number) in self.fitting(name) {
            for arguments in (Fit { known, seams: true, unknown: 1 }).of(form, name) {
                let is_new = |word: &&str| !known.contains(word);
                let nested = arguments.iter().position(is_new).map_or(0..arguments.len(), |n| n..n + 1);
                for n in nested {
                    let inner =
                        inner.entry(arguments[n]).or_insert_with(|| self.direct(arguments[n], true, known));
                    ways.extend(inner.iter().map(|way| {
                        let mut words = arguments.clone();
                        words.splice(n..=n, way.words.iter().copied());
                        Way::of(words, [&way.patterns[..], &[*number]].concat())
                    }));
                }
            }
        }
        // What takes several words is found in too many files to be looked for in two macros.
        ways.retain(|way| way.patterns.len() < 2 || way.words.len() < 2);
        ways
    }
}

impl<'t> Way<'t> {
    fn of(mut words: Vec<&'t str>, mut patterns: Vec<u32>) -> Way<'t> {
        words.sort_unstable();
        words.dedup();
        patterns.sort_unstable();
        patterns.dedup();
        Way { words, patterns }
    }
}

impl Part {
    fn given(&self) -> Option<&str> {
        match self {
            Part::Given(text) => Some(text),
            Part::Argument => None,
        }
    }
}

/// The arguments with which a pattern makes a name.
struct Fit<'a> {
    known: &'a FxHashSet<&'a str>,
    seams: bool,
    /// So many arguments need not be words that there are.
    unknown: usize,
}

impl Fit<'_> {
    fn of<'t>(self, parts: &[Part], name: &'t str) -> Vec<Vec<&'t str>> {
        let mut fits = Vec::new();
        self.find(parts, name, &mut Vec::new(), &mut fits);
        fits
    }

    fn find<'t>(
        &self,
        parts: &[Part],
        name: &'t str,
        found: &mut Vec<&'t str>,
        fits: &mut Vec<Vec<&'t str>>,
    ) {
        match parts {
            [] if name.is_empty() => fits.push(found.clone()),
            [] => {}
            [Part::Given(given), rest @ ..] => {
                if let Some(name) = name.strip_prefix(&given[..]) {
                    self.find(rest, name, found, fits);
                }
            }
            [Part::Argument, rest @ ..] => {
                let least = if rest.is_empty() { name.len().max(1) } else { 1 };
                for (argument, after) in (least..=name.len()).map(|n| name.split_at(n)) {
                    let is_new = !self.known.contains(argument);
                    let may_end = match rest.first() {
                        Some(Part::Given(given)) => after.starts_with(given),
                        Some(Part::Argument) => !self.seams || is_seam(argument, after),
                        None => true,
                    };
                    if may_end && !(is_new && self.unknown == 0) {
                        found.push(argument);
                        let unknown = self.unknown - usize::from(is_new);
                        Fit { unknown, ..*self }.find(rest, after, found, fits);
                        found.pop();
                    }
                }
            }
        }
    }
}

/// Whether a name that is put together may be so there.
fn is_seam(before: &str, after: &str) -> bool {
    let ends = |c: char| c == '_' || c.is_ascii_digit();
    before.ends_with(ends) || after.starts_with(ends)
}

/// A pattern with each choice of its arguments, the others of which are empty.
fn forms(pattern: &[Part]) -> FxHashSet<Pattern> {
    let mut forms = FxHashSet::from_iter([Vec::new()]);
    for part in pattern {
        let without = if *part == Part::Argument { forms.clone() } else { FxHashSet::default() };
        let with = forms.into_iter().map(|mut form| {
            match (form.last_mut(), part) {
                (Some(Part::Given(last)), Part::Given(more)) => last.push_str(more),
                _ => form.push(part.clone()),
            }
            form
        });
        forms = with.chain(without).collect();
    }
    forms.retain(|form| !form.is_empty() && form[..] != [Part::Argument]);
    forms
}

/// The macros that lead to one that pastes.
fn leading<'t>(defines: &[Vec<Define<'t>>]) -> FxHashSet<&'t str> {
    let mut found: FxHashSet<&str> = FxHashSet::default();
    loop {
        let before = found.len();
        for define in defines.iter().flatten() {
            if !define.patterns.is_empty() || define.words.iter().any(|word| found.contains(word)) {
                found.insert(define.name);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Files that may be included: all but C files, and of those what some file includes, by name.
fn included(sources: &[Source]) -> FxHashSet<usize> {
    let includes = sources.par_iter().flat_map_iter(|source| source.text.lines().filter_map(include));
    let includes: FxHashSet<&str> = includes.collect();
    let base = |path: &'_ str| path.rsplit('/').next().unwrap_or_default().to_owned();
    let may_be = |path: &str| !path.ends_with(".c") || includes.contains(&base(path)[..]);
    (0..sources.len()).filter(|&n| may_be(&sources[n].path)).collect()
}

/// The C file that a line includes, without its directory.
fn include(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?;
    let end = rest.rfind(".c")? + 2;
    let begin = rest[..end].rfind(['/', '"', '<'])? + 1;
    Some(&rest[begin..end])
}

/// The macros of a file.
fn defines(text: &str) -> Vec<Define<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let rest = line.trim_start().strip_prefix('#').map(str::trim_start);
        if let Some(rest) = rest.and_then(|rest| rest.strip_prefix("define")) {
            let begin = at + line.len() - rest.len();
            found.extend(define(logical_line(&text[begin..])));
        }
        at += line.len();
    }
    found
}

/// Up to the end of a line that is neither continued nor within a comment.
fn logical_line(text: &str) -> &str {
    let ends = text.match_indices('\n').map(|(end, _)| end);
    let is_end = |&end: &usize| {
        let line = text[..end].trim_end_matches('\r');
        !line.ends_with('\\') && line.rfind("/*") <= line.rfind("*/")
    };
    let end = ends.clone().find(is_end);
    &text[..end.unwrap_or(text.len())]
}

/// The macro of which the name comes first; nothing if its body has no words.
fn define(text: &str) -> Option<Define<'_>> {
    let text = text.trim_start_matches([' ', '\t', '\\', '\n']);
    let end = text.find(|c: char| !is_word(c)).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let (parameters, body) = match rest.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
        Some((parameters, body)) => (words(parameters).map(|(_, word)| word).collect(), body),
        None => (Vec::new(), rest),
    };
    let is_given = |word: &&str| !parameters.contains(word) && !word.starts_with("0x");
    let words: Vec<&str> = words(body).map(|(_, word)| word).filter(is_given).collect();
    let patterns = if body.contains('#') { patterns(body, &parameters) } else { Vec::new() };
    (!name.is_empty() && (!words.is_empty() || !patterns.is_empty())).then_some(Define {
        name,
        words,
        patterns,
    })
}

/// What a macro's body puts together.
fn patterns(body: &str, parameters: &[&str]) -> Vec<Pattern> {
    let mut found = Vec::new();
    let mut pattern: Pattern = Vec::new();
    let mut pasted = false;
    for token in tokens(&plain(body)) {
        match token {
            Token::Paste => pasted = !pattern.is_empty(),
            Token::Word(word) => {
                if !pasted {
                    found.push(std::mem::take(&mut pattern));
                }
                let is_argument = parameters.contains(&word) || word.starts_with("__VA_");
                pattern.push(if is_argument { Part::Argument } else { Part::Given(word.to_owned()) });
                pasted = false;
            }
            Token::Other => {
                found.push(std::mem::take(&mut pattern));
                pasted = false;
            }
        }
    }
    found.push(pattern);
    found.retain(|pattern| pattern.len() > 1);
    found
}

/// A macro's body in one line, without comments.
fn plain(body: &str) -> String {
    let mut plain = String::new();
    let mut rest = body;
    while let Some((before, comment)) = rest.split_once("/*") {
        plain.push_str(before);
        plain.push(' ');
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    plain.push_str(rest);
    plain.replace("\\\r\n", " ").replace("\\\n", " ")
}

enum Token<'t> {
    Word(&'t str),
    /// `##`, or the seam of a string and of an argument that is made one (`"call foo_" #x`).
    Paste,
    Other,
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    // Whether the word to come is made a string.
    let mut string = false;
    while let Some(first) = rest.chars().next() {
        let word = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
        let seam = rest.strip_prefix('"').map(str::trim_start).and_then(|rest| rest.strip_prefix('#'));
        let (token, after) = if word > 0 {
            (Token::Word(&rest[..word]), &rest[word..])
        } else if let Some(after) = rest.strip_prefix("##") {
            (Token::Paste, after)
        } else if let Some(after) = seam.filter(|after| !after.starts_with('#')) {
            (Token::Paste, after)
        } else if let Some(after) = rest.strip_prefix('"').filter(|_| string) {
            (Token::Paste, after)
        } else {
            (Token::Other, &rest[first.len_utf8()..])
        };
        string = seam.is_some() || first == '#' && !rest.starts_with("##") || word > 0 && string;
        found.push(token);
        rest = after.trim_start();
    }
    found
}
