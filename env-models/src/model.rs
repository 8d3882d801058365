//! The rows of one or several model files, by name.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

use lockpair_ir::LockMode;

use crate::dom::ModelError;
use crate::schema::{
    AsmRow, CallbackRow, Effect, ExclusionRow, FunctionRow, HandleRow, MaskRow, OpsTable, StateRow,
    StructRow, VariableIs, VariableRow,
};

/// The built-in files: name and text.
macro_rules! linux_files {
    ($($topic:literal),* $(,)?) => {
        &[$((concat!("linux/", $topic, ".xml"), include_str!(concat!("../linux/", $topic, ".xml")))),*]
    };
}
macro_rules! posix_files {
    ($($topic:literal),* $(,)?) => {
        &[$((concat!("posix/", $topic, ".xml"), include_str!(concat!("../posix/", $topic, ".xml")))),*]
    };
}

/// The files of [`Model::posix`], each with its name.
pub const POSIX_FILES: &[(&str, &str)] = posix_files!["threads", "c11", "library", "verifier"];

/// The files of [`Model::linux`], each with its name.
pub const LINUX_FILES: &[(&str, &str)] = linux_files![
    "locks",
    "atomics",
    "bitops",
    "asm",
    "memory",
    "strings",
    "log",
    "stubs",
    "io",
    "pci",
    "net",
    "phy",
    "irq-timers-work",
    "device",
    "classes",
    "buses",
    "clients",
    "storage",
    "firmware",
    "library",
    "files",
    "block",
    "members",
    "afterwards",
    "tables",
    "drivers",
    "class-tables",
    "bus-drivers",
    "hosts",
    "usb-tty",
    "serial",
    "mmc",
    "dma",
    "sound",
    "media",
    "nfc",
    "structs",
    "variables",
];

/// The rows that `lockpair infer-env` made of Linux 6.1.
pub const INFERRED: (&str, &str) = ("linux-6.1.xml", include_str!("../linux-6.1.xml"));

/// The exported functions of Linux 6.1 that no other module mentions, as `lockpair env exports` found them.
pub const UNSHARED: (&str, &str) = ("linux-6.1-exports.xml", include_str!("../linux-6.1-exports.xml"));

/// The topics of [`Model::linux_primitives`].
const PRIMITIVES: &[&str] = &["locks", "atomics", "bitops", "asm", "memory", "strings", "log", "stubs", "io"];

/// Who calls the code that is checked, and what it may rely on.
#[derive(Copy, Clone, Default, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A kernel: volatile accesses are marked (design, rule 11).
    #[default]
    Kernel,
    /// The C library: a function that the program defines is the program's, and volatile says nothing to other
    /// threads.
    Program,
}

/// What is known of the environment. Function rows whose name ends in `*` are patterns.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Model {
    /// Whose environment it is.
    pub kind: Kind,
    /// Functions by name.
    pub functions: BTreeMap<String, FunctionRow>,
    /// Assembly fragments, in the order in which they were read.
    pub asms: Vec<AsmRow>,
    /// Ops structs by tag.
    pub tables: BTreeMap<String, OpsTable>,
    /// Callbacks by class of the registration.
    pub callbacks: BTreeMap<String, CallbackRow>,
    /// Kinds of handle by class.
    pub handles: BTreeMap<String, HandleRow>,
    /// States of the kernel by class.
    pub states: BTreeMap<String, StateRow>,
    /// Classes of locks that keep others off a CPU.
    pub masks: BTreeMap<String, MaskRow>,
    /// What exclusions rest on, by class of locks.
    pub exclusions: BTreeMap<String, ExclusionRow>,
    /// Structs of the kernel by tag.
    pub structs: BTreeMap<String, StructRow>,
    /// Functions that a module exports, but that no other module mentions: all files that do, of one directory, relative to
    /// the kernel's source.
    pub unshared: BTreeMap<String, Vec<String>>,
    /// Variables of the kernel's macros by name.
    pub variables: BTreeMap<String, VariableRow>,
    /// The functions (`kfree_skb`) and members (`rtc_class_ops.read_time`) whose rows were inferred. A row by hand wins
    /// over these, and code that defines such a function itself is looked at instead of the row.
    pub inferred: BTreeSet<String>,
    /// Whether rows by hand stand for all exported functions, also where the code that defines them is looked at: when it is the
    /// kernel's own that rows are inferred from. Else only those do that take or give back locks.
    pub stands_for_bodies: bool,
}

impl Model {
    /// The files that mention an exported function besides these, which are paths that end with those in the kernel's source; none if
    /// it is not known who does.
    pub fn other_users(&self, function: &str, files: &[&str]) -> Option<Vec<&str>> {
        let is_in = |path: &str, file: &str| {
            path == file || path.strip_suffix(file).is_some_and(|dir| dir.ends_with('/'))
        };
        let others = self.unshared.get(function)?.iter().map(String::as_str);
        Some(others.filter(|other| !files.iter().any(|path| is_in(path, other))).collect())
    }

    /// Whether a variable is that.
    pub fn variable_is(&self, name: &str, is: VariableIs) -> bool {
        self.variables.get(name).is_some_and(|row| row.is == is)
    }

    /// The built-in model of Linux 6.1: what was inferred from its source, and over that what was written by hand. It is
    /// large, so it is read once in a process.
    ///
    /// # Panics
    /// If a built-in file is wrong, which a test excludes.
    pub fn linux() -> Arc<Model> {
        static LINUX: LazyLock<Arc<Model>> = LazyLock::new(|| {
            let mut model = Model::linux_inferred();
            model.merge(Model::linux_by_hand());
            Arc::new(model)
        });
        LINUX.clone()
    }

    /// The rows that were inferred from the source of Linux 6.1.
    ///
    /// # Panics
    /// If the built-in file is wrong, which a test excludes.
    pub fn linux_inferred() -> Model {
        Model::built_in(Kind::Kernel, &[INFERRED, UNSHARED])
    }

    /// The rows of Linux 6.1 that were written by hand.
    ///
    /// # Panics
    /// If a built-in file is wrong, which a test excludes.
    pub fn linux_by_hand() -> Model {
        Model::built_in(Kind::Kernel, LINUX_FILES)
    }

    /// The built-in model of programs with POSIX or C11 threads.
    ///
    /// # Panics
    /// If a built-in file is wrong, which a test excludes.
    pub fn posix() -> Model {
        Model::built_in(Kind::Program, POSIX_FILES)
    }

    /// The rows of what is not to be inferred: locks, atomics, memory, strings, device access. (How a lock works is
    /// below what the analysis of locks can see.)
    ///
    /// # Panics
    /// If a built-in file is wrong, which a test excludes.
    pub fn linux_primitives() -> Model {
        let is_primitive = |name: &str| PRIMITIVES.iter().any(|topic| name == format!("linux/{topic}.xml"));
        let files: Vec<_> = LINUX_FILES.iter().copied().filter(|(name, _)| is_primitive(name)).collect();
        Model::built_in(Kind::Kernel, &files).standing_for_bodies()
    }

    /// The same, and rows stand for functions that the code defines.
    pub fn standing_for_bodies(self) -> Model {
        Model { stands_for_bodies: true, ..self }
    }

    fn built_in(kind: Kind, files: &[(&str, &str)]) -> Model {
        let mut model = Model { kind, ..Model::default() };
        for (name, text) in files {
            model.merge(Model::parse(text, name).unwrap_or_else(|e| panic!("built-in model: {e}")));
        }
        model
    }

    /// Reads one file; `file_name` is only for messages.
    pub fn parse(text: &str, file_name: &str) -> Result<Model, ModelError> {
        crate::xml::parse(text, file_name)
    }

    /// The classes of locks that some function gives back however they are held.
    pub fn given_back_either_way(&self) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        for row in self.functions.values() {
            let released = |wanted: LockMode| {
                row.effects.iter().filter_map(move |effect| match effect {
                    Effect::Release { class, mode, lock } if *mode == wanted => Some((class, lock)),
                    _ => None,
                })
            };
            let shared: Vec<_> = released(LockMode::Shared).collect();
            let both = released(LockMode::Exclusive).filter(|lock| shared.contains(lock));
            found.extend(both.map(|(class, _)| class.clone()));
        }
        found
    }

    /// Takes over the rows that the other model has; where both have a row, the other's stays, unless it was inferred
    /// and this one's was not. The members of one ops struct are merged one by one. A row of a member that was written by hand
    /// is silent about some of its parameters: what was inferred of whose they are stays.
    pub fn merge(&mut self, mut other: Model) {
        let (theirs, mine) = (other.yield_to(self), self.yield_to(&other));
        self.join(theirs);
        other.join(mine);
        self.inferred.append(&mut other.inferred);
        self.functions.extend(other.functions);
        for row in other.asms {
            self.asms.retain(|r| r.pattern != row.pattern || r.constraints != row.constraints);
            self.asms.push(row);
        }
        for (tag, table) in other.tables {
            match self.tables.get_mut(&tag) {
                Some(mine) => merge_table(mine, table),
                None => {
                    self.tables.insert(tag, table);
                }
            }
        }
        self.callbacks.extend(other.callbacks);
        self.handles.extend(other.handles);
        self.states.extend(other.states);
        self.masks.extend(other.masks);
        self.exclusions.extend(other.exclusions);
        self.structs.extend(other.structs);
        self.variables.extend(other.variables);
        self.unshared.extend(other.unshared);
    }

    /// Drops the inferred rows of which the other model has one by hand; those of members.
    fn yield_to(&mut self, other: &Model) -> Vec<CallbackRow> {
        let (lost, kept) =
            std::mem::take(&mut self.inferred).into_iter().partition(|name| other.knows_by_hand(name));
        self.inferred = kept;
        let mut dropped = Vec::new();
        for name in BTreeSet::<String>::into_iter(lost) {
            self.functions.remove(&name);
            if let Some((tag, _)) = name.split_once('.')
                && let Some(table) = self.tables.get_mut(tag)
            {
                dropped.extend(table.fields.extract_if(.., |row| row.name == name));
            }
        }
        dropped
    }

    /// Adds to rows by hand what was inferred of parameters that they say nothing of.
    fn join(&mut self, inferred: Vec<CallbackRow>) {
        for row in inferred {
            let table = row.name.split_once('.').and_then(|(tag, _)| self.tables.get_mut(tag));
            let by_hand = table.and_then(|table| table.fields.iter_mut().find(|mine| mine.name == row.name));
            if let Some(by_hand) = by_hand {
                by_hand.add_owned(&row);
            }
        }
    }

    /// Whether there is a row of a function or a member of exactly that name.
    fn has(&self, name: &str) -> bool {
        let field = || name.split_once('.').and_then(|(tag, field)| self.table(tag)?.field(field));
        self.functions.contains_key(name) || field().is_some()
    }

    /// Whether there is a row of a function or a member that was written by hand; for a function, also a pattern.
    fn knows_by_hand(&self, name: &str) -> bool {
        let field = || name.split_once('.').and_then(|(tag, field)| self.table(tag)?.field(field));
        let row = field().map(|row| &row.name).or_else(|| self.function(name).map(|row| &row.name));
        row.is_some_and(|row| !self.inferred.contains(row))
    }

    /// Notes that all rows were inferred.
    pub fn all_inferred(&mut self) {
        let members = self.tables.values().flat_map(|table| &table.fields).map(|row| row.name.clone());
        self.inferred = self.functions.keys().cloned().chain(members).collect();
    }

    /// The rows of that name alone: a member of an ops table, a function, or a class of callbacks; none if there is none.
    pub fn only(&self, name: &str) -> Option<Model> {
        let mut only = Model { kind: self.kind, ..Model::default() };
        if let Some((tag, field)) = name.split_once('.')
            && let Some(row) = self.table(tag).and_then(|table| table.field(field))
        {
            let table = OpsTable {
                owner: self.tables[tag].owner.clone(),
                fields: vec![row.clone()],
                ..OpsTable::new(tag)
            };
            only.tables.insert(tag.to_owned(), table);
        } else if let Some(table) = self.table(name) {
            only.tables.insert(name.to_owned(), table.clone());
        } else if let Some(row) = self.function(name) {
            only.functions.insert(row.name.clone(), row.clone());
        } else if let Some(row) = self.callback(name) {
            only.callbacks.insert(name.to_owned(), row.clone());
        } else {
            return None;
        }
        if self.inferred.iter().any(|name| only.has(name)) {
            only.all_inferred();
        }
        Some(only)
    }

    /// Whether a function of that name has a row: such functions must not be inlined.
    pub fn is_modelled(&self, name: &str) -> bool {
        self.function(name).is_some()
    }

    /// The row of a function: the exact name wins, then the longest pattern. A suffix that LLVM added to
    /// make the symbol unique (`foo.123`) does not count.
    pub fn function(&self, name: &str) -> Option<&FunctionRow> {
        let stem = strip_llvm_suffix(name);
        self.exact(name).or_else(|| self.exact(stem)).or_else(|| self.pattern(stem))
    }

    /// The row of exactly that name, patterns aside.
    pub fn exact(&self, name: &str) -> Option<&FunctionRow> {
        self.functions.get(name).filter(|_| !name.ends_with('*'))
    }

    fn pattern(&self, name: &str) -> Option<&FunctionRow> {
        let ends = name.char_indices().map(|(i, _)| i).chain([name.len()]);
        ends.rev().find_map(|end| self.functions.get(&format!("{}*", &name[..end])))
    }

    /// The row of an assembly fragment: of those that match, the one with the longest text, then the latest.
    pub fn asm(&self, template: &str, constraints: &str) -> Option<&AsmRow> {
        let template = squeeze(template);
        let literal =
            |row: &AsmRow| row.pattern.bytes().chain(row.constraints.bytes()).filter(|b| *b != b'*').count();
        self.asms
            .iter()
            .filter(|row| glob(&row.pattern, &template))
            .filter(|row| row.constraints.is_empty() || glob(&row.constraints, constraints))
            .max_by_key(|row| literal(row))
    }

    /// The table of an ops struct.
    pub fn table(&self, strukt: &str) -> Option<&OpsTable> {
        self.tables.get(strukt)
    }

    /// How the callbacks of a class of registrations are called.
    pub fn callback(&self, class: &str) -> Option<&CallbackRow> {
        self.callbacks.get(class)
    }

    /// A kind of handle.
    pub fn handle(&self, class: &str) -> Option<&HandleRow> {
        self.handles.get(class)
    }
}

fn merge_table(mine: &mut OpsTable, other: OpsTable) {
    mine.owner = other.owner.or(mine.owner.take());
    for row in other.fields {
        match mine.fields.iter_mut().find(|r| r.name == row.name) {
            Some(old) => *old = row,
            None => mine.fields.push(row),
        }
    }
}

/// `foo.123` and `foo.llvm.123` without what LLVM appended.
pub(crate) fn strip_llvm_suffix(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, digits))
            if !stem.is_empty() && !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) =>
        {
            stem.strip_suffix(".llvm").unwrap_or(stem)
        }
        _ => name,
    }
}

/// The text with every run of white space replaced by one blank, none at the ends.
pub(crate) fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether the whole text matches the pattern, where `*` stands for anything. Linear but for one
/// backtracking point: the latest star can take over what earlier ones took.
fn glob(pattern: &str, text: &str) -> bool {
    let (p, t) = (pattern.as_bytes(), text.as_bytes());
    let (mut i, mut j) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while j < t.len() {
        if p.get(i) == Some(&b'*') {
            star = Some((i, j));
            i += 1;
        } else if p.get(i) == Some(&t[j]) {
            i += 1;
            j += 1;
        } else if let Some((at, from)) = star {
            star = Some((at, from + 1));
            i = at + 1;
            j = from + 1;
        } else {
            return false;
        }
    }
    p[i..].iter().all(|b| *b == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(rows: &str) -> Model {
        Model::parse(&format!("<model>{rows}</model>"), "m.xml").unwrap()
    }

    #[test]
    fn exact_names_win_then_the_longest_pattern() {
        let m = model("<function name='foo foo_* foo_bar* foo_bar_x llvm.assume'/>");
        let name = |n: &str| m.function(n).map(|r| r.name.as_str());
        assert_eq!(name("foo"), Some("foo"));
        assert_eq!(name("foo.12"), Some("foo"));
        assert_eq!(name("foo.llvm.12"), Some("foo"));
        assert_eq!(name("foo_ba"), Some("foo_*"));
        assert_eq!(name("foo_bar"), Some("foo_bar*"));
        assert_eq!(name("foo_bar_x"), Some("foo_bar_x"));
        assert_eq!(name("foo_bar_xy"), Some("foo_bar*"));
        assert_eq!(name("llvm.assume"), Some("llvm.assume"));
        assert_eq!(name("fo"), None);
        assert_eq!(name("foo*"), None);
        assert!(m.is_modelled("foo_"));
    }

    #[test]
    fn the_longest_asm_pattern_wins() {
        let m = model("<asm pattern='*incl $0'/><asm pattern='lock;  incl $0' constraints='=*m,*'/>");
        let found = |t: &str, c: &str| m.asm(t, c).map(|r| r.pattern.as_str());
        assert_eq!(found("lock;\n\tincl  $0\n", "=*m,*m"), Some("lock; incl $0"));
        assert_eq!(found("lock; incl $0", "*m"), Some("*incl $0"));
        assert_eq!(found("lock; incl $1", "*m"), None);
    }

    #[test]
    fn the_later_model_wins_row_by_row() {
        let mut m = model(
            "<function name='f'/><function name='g'/>
             <table struct='t'><field name='a b'/></table><handle class='h'/>",
        );
        m.merge(model(
            "<function name='f' noreturn='yes'/>
             <table struct='t'><field name='b c' context='hardirq'/></table><handle class='h' rearmable='yes'/>",
        ));
        assert!(m.function("f").unwrap().noreturn && !m.function("g").unwrap().noreturn);
        let table = m.table("t").unwrap();
        assert_eq!(table.fields.len(), 3);
        assert_eq!(table.field("a").unwrap().context, crate::schema::Context::Process);
        assert_eq!(table.field("b").unwrap().context, crate::schema::Context::HardIrq);
        assert!(m.handle("h").unwrap().rearmable);
        assert!(m.callback("h").is_none());
    }

    #[test]
    fn inferred_rows_yield_to_rows_by_hand() {
        let text = "<function name='f g_x'/><table struct='t'><field name='a b' call-owned='arg0'/></table>";
        let inferred = Model::parse(&format!("<model inferred='yes'>{text}</model>"), "i.xml").unwrap();
        let by_hand = model(
            "<function name='f g_*' noreturn='yes'/><table struct='t'><field name='a' context='softirq'/></table>",
        );
        let (mut later, mut earlier) = (by_hand.clone(), inferred.clone());
        later.merge(inferred);
        earlier.merge(by_hand);
        for m in [later, earlier] {
            assert!(m.function("f").unwrap().noreturn && m.function("g_x").unwrap().noreturn);
            assert_eq!(m.table("t").unwrap().field("a").unwrap().context, crate::schema::Context::SoftIrq);
            assert_eq!(m.table("t").unwrap().field("b").unwrap().call_owned, [0]);
            assert_eq!(m.inferred.into_iter().collect::<Vec<_>>(), ["t.b"]);
        }
    }

    #[test]
    fn what_was_inferred_of_parameters_joins_a_row_by_hand_that_is_silent_about_them() {
        let inferred = "<model inferred='yes'><table struct='t'>
             <field name='a' call-owned='arg0 arg1 arg2' assumed='yes' source='core.c:7' note='1 call: f'/>
             <field name='b' call-owned='arg0' assumed='yes' source='core.c:8' note='1 call: g'/></table></model>";
        let by_hand = "<table struct='t'>
             <field name='a' data='arg2' source='hand.c:1' note='a'><lock class='mutex' addr='arg0.lock'/></field>
             <field name='b' call-owned='arg0' source='hand.c:2' note='b'/></table>";
        let mut m = Model::parse(inferred, "i.xml").unwrap();
        m.merge(model(by_hand));
        let field = |name| m.table("t").unwrap().field(name).unwrap();
        let (joined, said) = (field("a"), field("b"));
        assert_eq!((&joined.call_owned[..], joined.assumed), (&[1][..], true));
        assert_eq!(
            joined.evidence.as_ref().unwrap().note,
            "a; whose parameters are is inferred: core.c:7, 1 call: f"
        );
        assert_eq!((&said.call_owned[..], said.assumed), (&[0][..], false));
        assert!(m.inferred.is_empty());
    }

    #[test]
    fn globs() {
        for (p, t, yes) in [
            ("", "", true),
            ("*", "", true),
            ("*", "abc", true),
            ("a*c", "abbc", true),
            ("a*c", "abcb", false),
            ("*b*b", "abab", true),
            ("ab", "abc", false),
            ("abc", "ab", false),
        ] {
            assert_eq!(glob(p, t), yes, "{p} {t}");
        }
    }

    #[test]
    fn built_in_files_are_right_and_do_not_repeat_rows() {
        let mut seen = std::collections::BTreeSet::new();
        for (file, text) in LINUX_FILES {
            let part = Model::parse(text, file).unwrap_or_else(|e| panic!("{e}"));
            let functions = part.functions.keys().map(|k| format!("function {k}"));
            let tables = part.tables.keys().map(|k| format!("table {k}"));
            let callbacks = part.callbacks.keys().map(|k| format!("callback {k}"));
            for row in functions.chain(tables).chain(callbacks) {
                assert!(seen.insert(row.clone()), "{file}: second {row}");
            }
        }
        assert!(Model::linux().functions.len() > 500);
    }

    #[test]
    fn every_built_in_function_row_says_where_it_comes_from() {
        for row in Model::linux().functions.values() {
            assert!(row.evidence.is_some(), "{}", row.name);
        }
    }

    #[test]
    fn every_class_used_by_a_registration_or_a_life_is_declared() {
        let m = Model::linux();
        let lives = m.tables.values().flat_map(|t| &t.fields).chain(m.callbacks.values());
        for life in lives.flat_map(|row| &row.handles) {
            assert!(m.handle(&life.class).is_some(), "{}", life.class);
        }
        for row in m.functions.values() {
            for effect in &row.effects {
                if let crate::schema::Effect::Register { class, .. }
                | crate::schema::Effect::Unregister { class, .. } = effect
                {
                    assert!(m.handle(class).is_some(), "{}: {class}", row.name);
                }
            }
        }
    }
}
