//! Kbuild Makefiles: which objects a directory has, and which objects are linked into one module.
//!
//! This is not make. Assignments and conditions in the form that drivers use are understood; rules,
//! functions and variables of a Makefile's own are skipped.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

/// Lists in lists, and so on.
const DEEPEST: usize = 3;

/// The options of a kernel's configuration that are switched on, without `CONFIG_`; none if no
/// configuration is known, and then every option is on.
#[derive(Clone, Default, Debug)]
pub struct KernelConfig(pub Option<HashSet<String>>);

impl KernelConfig {
    fn is_on(&self, option: &str) -> bool {
        self.0.as_ref().is_none_or(|on| on.contains(option))
    }
}

/// A Makefile as far as it says what is built. Names are those of the Makefile: `foo.o`, `dir/`.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Makefile {
    /// All that some `obj-` variable lists, in order. Whether the configuration wants them does not matter: each can be
    /// checked by itself.
    pub targets: Vec<Target>,
    /// The parts of modules that have several, by the module's name without `.o`.
    pub parts: BTreeMap<String, Vec<Part>>,
    /// What clang is told for every file, and for single files (by object); only what decides which code
    /// is compiled.
    pub flags: Vec<Flag>,
}

/// What an `obj-` variable lists.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    /// A module (`foo.o`) or a directory (`foo/`).
    pub name: String,
    /// How it is linked.
    pub linked: Linked,
}

/// What an object is linked into.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Linked {
    /// The kernel.
    Kernel,
    /// A module of its own.
    Module,
    /// One of these, as this option says (without `CONFIG_`).
    Option(String),
}

/// A part of a module of several objects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// The object.
    pub object: String,
    /// Whether the configuration wants it. Compiled against headers of that configuration, other parts
    /// define what the headers replace.
    pub wanted: bool,
}

/// An include path or a macro.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flag {
    /// The one object that it is for; none if it is for all.
    pub object: Option<String>,
    /// The flag, with `$(src)`, `$(obj)` and `$(srctree)` replaced.
    pub text: String,
}

impl Makefile {
    /// Reads a Makefile of the directory `dir` of the tree `tree`.
    pub fn parse(text: &str, dir: &Path, tree: &Path, config: &KernelConfig) -> Makefile {
        let mut reader = Reader { makefile: Makefile::default(), conditions: Vec::new(), dir, tree, config };
        for line in logical_lines(text) {
            if !reader.condition(&line) {
                reader.assignment(&line);
            }
        }
        reader.makefile.replace_lists();
        reader.makefile
    }

    /// Puts what a list holds where it is named (`$(foo-y)`). One that is not known stays: nobody knows what belongs there.
    fn replace_lists(&mut self) {
        // `foo-objs := $(foo-y)` names what `foo` has anyway.
        for (name, parts) in &mut self.parts {
            parts.retain(|part| list_in(&part.object) != Some(name.as_str()));
        }
        for _ in 0..DEEPEST {
            let lists = self.parts.clone();
            for parts in self.parts.values_mut() {
                let known = |part: &Part| list_in(&part.object).and_then(|list| lists.get(list));
                let replaced = std::mem::take(parts).into_iter().flat_map(|part| match known(&part) {
                    Some(list) => list.iter().map(|inner| inner.within(part.wanted)).collect(),
                    None => vec![part],
                });
                *parts = replaced.collect();
            }
        }
        let lists = self.parts.clone();
        let known = |name: &str| list_in(name).and_then(|list| lists.get(list));
        self.targets = std::mem::take(&mut self.targets)
            .into_iter()
            .flat_map(|target| match known(&target.name) {
                Some(list) => {
                    list.iter().map(|part| Target { name: part.object.clone(), ..target.clone() }).collect()
                }
                None => vec![target],
            })
            .filter(|target| list_in(&target.name).is_none())
            .collect();
    }
}

impl Part {
    /// The part of a list that is wanted, or not.
    fn within(&self, wanted: bool) -> Part {
        Part { wanted: wanted && self.wanted, ..self.clone() }
    }
}

/// Lines with their continuations, without comments.
fn logical_lines(text: &str) -> Vec<String> {
    let joined = text.replace("\\\r\n", " ").replace("\\\n", " ");
    joined.lines().map(|line| line.split('#').next().unwrap_or_default().trim().to_owned()).collect()
}

struct Reader<'a> {
    makefile: Makefile,
    /// Whether the branches that are open are taken, outermost first.
    conditions: Vec<bool>,
    dir: &'a Path,
    tree: &'a Path,
    config: &'a KernelConfig,
}

impl Reader<'_> {
    /// Whether the line opens, turns or closes a condition.
    fn condition(&mut self, line: &str) -> bool {
        let (word, rest) = line.split_once([' ', '\t', '(']).unwrap_or((line, ""));
        match word {
            "ifdef" | "ifeq" => self.conditions.push(self.holds(rest, true)),
            "ifndef" | "ifneq" => self.conditions.push(self.holds(rest, false)),
            "else" => {
                if let Some(taken) = self.conditions.last_mut() {
                    // Without a configuration, both branches are.
                    *taken = !*taken || self.config.0.is_none();
                }
            }
            "endif" => {
                self.conditions.pop();
            }
            _ => return false,
        }
        true
    }

    /// Whether a condition on one option holds. Conditions on anything else are taken to.
    fn holds(&self, condition: &str, wanted: bool) -> bool {
        let Some(option) = option_in(condition).or_else(|| condition.trim().strip_prefix("CONFIG_")) else {
            return true;
        };
        let compared_to_nothing = condition.trim_end_matches(')').trim_end().ends_with(',');
        self.config.0.is_none() || self.config.is_on(option) == (wanted != compared_to_nothing)
    }

    fn assignment(&mut self, line: &str) {
        let Some((name, value)) = split_assignment(line) else { return };
        let words = || value.split_whitespace();
        if let Some(object) = name.strip_prefix("CFLAGS_") {
            return self.flags(Some(object), words());
        }
        let Some((stem, suffix)) = name.split_once("-$(").or_else(|| name.rsplit_once('-')) else { return };
        let option = option_in(name);
        let known = option.is_some() || matches!(suffix, "y" | "m" | "objs");
        let wanted =
            option.is_none_or(|option| self.config.is_on(option)) && !self.conditions.contains(&false);
        match stem {
            _ if !known => {}
            "obj" | "lib" => {
                let linked = linked(name);
                let target = |word: &str| Target { name: word.to_owned(), linked: linked.clone() };
                self.makefile.targets.extend(words().filter(|word| is_target(word)).map(target));
            }
            "ccflags" | "subdir-ccflags" if wanted => self.flags(None, words()),
            "ccflags" | "subdir-ccflags" => {}
            _ => {
                let part = |object: &str| Part { object: object.to_owned(), wanted };
                let parts = self.makefile.parts.entry(stem.to_owned()).or_default();
                parts.extend(words().filter(|word| is_target(word)).map(part));
            }
        }
    }

    fn flags<'t>(&mut self, object: Option<&str>, words: impl Iterator<Item = &'t str>) {
        let [dir, tree] = [self.dir, self.tree].map(|path| path.display().to_string());
        let replaced = |word: &str| {
            let text = word.replace("$(srctree)/$(src)", &dir).replace("$(srctree)", &tree);
            text.replace("$(src)", &dir).replace("$(obj)", &dir)
        };
        let texts = joined(words).filter(|word| word.starts_with("-I") || word.starts_with("-D"));
        let texts = texts.map(|text| replaced(&text));
        let flag = |text| Flag { object: object.map(str::to_owned), text };
        self.makefile.flags.extend(texts.filter(|text| !text.contains("$(")).map(flag));
    }
}

/// The words, where `-I dir` is one.
fn joined<'t>(mut words: impl Iterator<Item = &'t str>) -> impl Iterator<Item = String> {
    std::iter::from_fn(move || match words.next()? {
        flag @ ("-I" | "-D") => words.next().map(|value| format!("{flag}{value}")),
        word => Some(word.to_owned()),
    })
}

/// What a variable (`obj-m`) says of how its objects are linked. A function of make may turn `m` into `y`.
fn linked(variable: &str) -> Linked {
    match option_in(variable) {
        Some(option) if variable.ends_with(&format!("-$(CONFIG_{option})")) => {
            Linked::Option(option.to_owned())
        }
        None if variable.ends_with("-m") => Linked::Module,
        _ => Linked::Kernel,
    }
}

/// `FOO` of `$(CONFIG_FOO)`, also inside functions.
fn option_in(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("$(")?;
    let (_, rest) = rest.split_once("CONFIG_")?;
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
    Some(&rest[..end])
}

fn is_target(word: &str) -> bool {
    list_in(word).is_some() || !word.contains('$') && (word.ends_with(".o") || word.ends_with('/'))
}

/// `foo` of `$(foo-y)`, which stands for a list of objects.
fn list_in(word: &str) -> Option<&str> {
    let name = word.strip_prefix("$(")?.strip_suffix(')')?;
    ["-y", "-m", "-objs"].iter().find_map(|suffix| name.strip_suffix(suffix))
}

/// The name and the value of `name = value`, with any of make's operators; a `=` inside `$(...)` is none.
fn split_assignment(line: &str) -> Option<(&str, &str)> {
    let mut depth = 0usize;
    let at = line.char_indices().find_map(|(at, c)| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        (c == '=' && depth == 0).then_some(at)
    })?;
    Some((line[..at].trim_end_matches(['+', ':', '?']).trim(), &line[at + 1..]))
}

#[cfg(test)]
mod tests {
    use super::{KernelConfig, Linked, Makefile};
    use std::path::Path;

    fn parse(text: &str, on: Option<&[&str]>) -> Makefile {
        let config = KernelConfig(on.map(|on| on.iter().map(|&option| option.to_owned()).collect()));
        Makefile::parse(text, Path::new("/linux/drivers/foo"), Path::new("/linux"), &config)
    }

    /// The parts of `foo` that are wanted.
    fn parts(text: &str, on: Option<&[&str]>) -> Vec<String> {
        let mut makefile = parse(text, on);
        let parts = makefile.parts.remove("foo").unwrap_or_default();
        parts.into_iter().filter(|part| part.wanted).map(|part| part.object).collect()
    }

    #[test]
    fn targets_are_taken_whatever_is_configured() {
        let text = "\
# SPDX-License-Identifier: GPL-2.0
obj-y\t\t\t+= mem.o random.o # built in
obj-$(CONFIG_A)\t+= a.o \\
\tsub/
obj-m := m.o
obj-$(subst m,y,$(CONFIG_B:m=y)) += b.o
ifdef CONFIG_C
obj-$(CONFIG_D) += d.o
endif
hostprogs := tool
$(obj)/b.o: $(obj)/table.h
";
        let targets = parse(text, Some(&[])).targets;
        let names: Vec<&str> = targets.iter().map(|target| target.name.as_str()).collect();
        assert_eq!(names, ["mem.o", "random.o", "a.o", "sub/", "m.o", "b.o", "d.o"]);
        let option = |name: &str| Linked::Option(name.to_owned());
        let linked = [0, 2, 4, 5, 6].map(|i| targets[i].linked.clone());
        assert_eq!(linked, [Linked::Kernel, option("A"), Linked::Module, Linked::Kernel, option("D")]);
    }

    #[test]
    fn parts_are_collected_from_all_assignments() {
        let text = "\
obj-$(CONFIG_FOO) += foo.o
foo-objs := a.o \\
            sub/b.o
foo-y += c.o
foo-$(CONFIG_D) += d.o
foo-bar-y := other.o
";
        assert_eq!(parts(text, None), ["a.o", "sub/b.o", "c.o", "d.o"]);
        assert_eq!(parts(text, Some(&["D"])), ["a.o", "sub/b.o", "c.o", "d.o"]);
        assert_eq!(parts(text, Some(&[])), ["a.o", "sub/b.o", "c.o"]);
    }

    #[test]
    fn lists_that_are_named_are_parts() {
        let text = "\
foo-net-$(CONFIG_NET) := net.o
foo-objs := a.o $(foo-net-y) $(elsewhere-y)
obj-$(CONFIG_FOO) += foo.o $(foo-net-y) $(elsewhere-y)
";
        assert_eq!(parts(text, Some(&["NET"])), ["a.o", "net.o", "$(elsewhere-y)"]);
        assert_eq!(parts(text, Some(&[])), ["a.o", "$(elsewhere-y)"]);
        let names: Vec<String> = parse(text, None).targets.into_iter().map(|target| target.name).collect();
        assert_eq!(names, ["foo.o", "net.o"]);
        let own = "foo-y := a.o\nfoo-more-y := b.o $(foo-most-y)\nfoo-most-y := c.o\nfoo-objs := $(foo-y) $(foo-more-y)\n";
        assert_eq!(parts(own, None), ["a.o", "b.o", "c.o"]);
    }

    #[test]
    fn conditions_decide_about_parts() {
        let text = "\
foo-y := a.o
ifdef CONFIG_PCI
foo-y += pci.o
ifneq ($(CONFIG_HOTPLUG),)
foo-y += hotplug.o
endif
else
foo-y += isa.o
endif
ifeq ($(CONFIG_OF), y)
foo-y += of.o
endif
";
        assert_eq!(parts(text, Some(&["PCI"])), ["a.o", "pci.o"]);
        assert_eq!(parts(text, Some(&["PCI", "HOTPLUG"])), ["a.o", "pci.o", "hotplug.o"]);
        assert_eq!(parts(text, Some(&["OF"])), ["a.o", "isa.o", "of.o"]);
        assert_eq!(parts(text, None).len(), 5);
    }

    #[test]
    fn flags_are_those_that_decide_what_is_compiled() {
        let text = "\
ccflags-y := -I$(src) -Wall -DFOO=1
ccflags-$(CONFIG_DEBUG) += -DDEBUG
CFLAGS_trace.o = -I$(srctree)/$(src)/include -I$(srctree)/net
ccflags-y += $(call cc-option,-Dx)
ccflags-y += -I $(srctree)/block
";
        let flags = parse(text, Some(&[])).flags;
        let texts: Vec<_> = flags.iter().map(|f| (f.object.as_deref(), f.text.as_str())).collect();
        let expected = [
            (None, "-I/linux/drivers/foo"),
            (None, "-DFOO=1"),
            (Some("trace.o"), "-I/linux/drivers/foo/include"),
            (Some("trace.o"), "-I/linux/net"),
            (None, "-I/linux/block"),
        ];
        assert_eq!(texts, expected);
    }
}
