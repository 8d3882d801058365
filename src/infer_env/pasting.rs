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

mod patterns;
mod text;

use self::patterns::{Patterns, Way};
use self::text::{Define, calls, code, defines, include};
use super::exports::words;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// A file of the kernel's tree.
pub struct Source {
    /// Relative to the tree.
    pub path: String,
    /// What is in it.
    pub text: String,
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
