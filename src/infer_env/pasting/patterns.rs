//! How names may be put together: what macros write beside `##`, and which words make a name with that.

use super::text::Define;
use rustc_hash::{FxHashMap, FxHashSet};

/// A part of a name: what is written beside `##`, or an argument, which may be any word or none.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Part {
    Given(String),
    Argument,
}

/// What is put together at one place, in order.
pub(super) type Pattern = Vec<Part>;

/// How a name may be made: these words of a file, in macros with these patterns.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Way<'t> {
    pub(super) words: Vec<&'t str>,
    pub(super) patterns: Vec<u32>,
}

/// The patterns of all macros.
#[derive(Default)]
pub(super) struct Patterns {
    /// Each as it is written.
    pub(super) numbers: FxHashMap<Pattern, u32>,
    /// Each with and without its arguments, which may be empty: by what it begins with, else by what it ends with, else by what
    /// comes after the first argument.
    begin: FxHashMap<String, Vec<(Pattern, u32)>>,
    end: FxHashMap<String, Vec<(Pattern, u32)>>,
    middle: FxHashMap<String, Vec<(Pattern, u32)>>,
    /// Of arguments only.
    arguments: Vec<(Pattern, u32)>,
}

impl Patterns {
    pub(super) fn of(defines: &[Vec<Define>]) -> Patterns {
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
    pub(super) fn macro_ways<'t>(&self, name: &'t str, known: &FxHashSet<&str>) -> FxHashSet<Way<'t>> {
        let is_number = |word: &&str| word.bytes().all(|b| b.is_ascii_digit());
        let mut ways = self.direct(name, true, known);
        ways.retain(|way| way.words.len() < 2 || way.words.iter().any(is_number));
        ways
    }

    /// The ways in which an argument may be made itself, too.
    pub(super) fn ways<'t>(&self, name: &'t str, known: &FxHashSet<&str>) -> FxHashSet<Way<'t>> {
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
