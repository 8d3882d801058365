//! The data: entry points, where they come from, and what can go wrong.

use std::collections::HashSet;

use lockpair_env::schema::{Context, ImplicitLock, LifeHandle, RunsAs, Same};
use lockpair_ir::{FuncId, GlobalId, Ledger, LocId, Module, PrimaryMap, entity_id};

use crate::modules::Modules;

entity_id!(
    /// An entry point.
    EntryPointId,
    "ep"
);

/// Why a function is taken for an entry point.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// Its address is in the initial value of a global.
    Table {
        /// The global.
        global: GlobalId,
        /// `struct.field`.
        field: String,
    },
    /// Code stores its address in a field that the kernel calls through.
    Stored {
        /// The store.
        loc: Option<LocId>,
    },
    /// Code passes its address to a registration function.
    Registered {
        /// The call.
        loc: Option<LocId>,
        /// The function called.
        by: String,
    },
    /// It is the module's init or exit function, or the program's main.
    Module,
    /// Other modules can call it.
    Exported,
    /// Its address leaves the module in a way that no row explains.
    Escaped {
        /// Where it leaves.
        loc: Option<LocId>,
        /// In which member, as `struct.field`, if it lies in one: a table that has no row.
        within: Option<String>,
    },
    /// The user says so.
    User,
}

/// A function that the kernel calls, with what holds whenever it does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntryPoint {
    /// A unique name: the function's, with `#2`, `#3` ... for further roles of one function.
    pub name: String,
    /// The function.
    pub func: FuncId,
    /// `file_operations.read`, `irq`, `module.init`, `exported`, `escaped` ...
    pub role: String,
    /// The context of the call.
    pub context: Context,
    /// What it always runs as, if that is known.
    pub runs_as: Option<RunsAs>,
    /// The locks held on entry.
    pub locks: Vec<ImplicitLock>,
    /// The handles without whose registration it does not run.
    pub handles: Vec<LifeHandle>,
    /// Pointers that are one whenever it is called.
    pub same: Vec<Same>,
    /// Indices of parameters whose object belongs to one call alone.
    pub call_owned: Vec<u32>,
    /// Indices of parameters that lead to data, whatever they are declared to point to.
    pub data: Vec<u32>,
    /// Indices of parameters whose objects belong for good to the table in which the function stands.
    pub of_table: Vec<u32>,
    /// Whether it runs once at most, in the thread that the program begins with.
    pub once: bool,
    /// Whether it begins to bind a driver to the device whose lock it holds.
    pub binds: bool,
    /// Whether the driver is no longer bound to that device when this is over.
    pub unbinds: bool,
    /// The ops table that holds it, which `table` in an address stands for.
    pub table: Option<GlobalId>,
    /// Why it is an entry point.
    pub origin: Origin,
}

impl EntryPoint {
    /// Whether it is the module's init function, which runs once, before the module's other entry points that nothing has
    /// let in yet.
    pub fn is_init(&self) -> bool {
        self.role == "module.init"
    }

    /// For one whose address leaves the module: the member, as `struct.field`, in which it lies then, and of which no row says
    /// who calls it.
    pub fn within(&self) -> Option<&str> {
        match &self.origin {
            Origin::Escaped { within, .. } => within.as_deref(),
            _ => None,
        }
    }

    /// Its role, and for an escaped one also where it is.
    pub fn described_role(&self) -> String {
        match self.within() {
            Some(member) => format!("{} in {member}", self.role),
            None => self.role.clone(),
        }
    }
}

/// Something that the user should know about the entry points.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Note {
    /// `owner` of the table is null or unknown, so nothing keeps the module loaded while its functions run:
    /// they lose the module reference and are paired with exit. `THIS_MODULE` is null unless the file is
    /// compiled as a module (`-DMODULE`).
    OwnerUnset {
        /// The table; none if code fills it in and it is not a global.
        table: Option<GlobalId>,
        /// `struct.field`.
        role: String,
    },
    /// A lock or handle of a row is found through a parameter that the function does not have: it is ignored.
    MissingParameter {
        /// The function.
        func: FuncId,
        /// `struct.field` or the class.
        role: String,
        /// The index.
        param: u32,
    },
    /// Nothing in the files that were given uses the function, which is neither static nor exported.
    OtherFiles {
        /// The function.
        func: FuncId,
    },
    /// What the module exports only these files of the kernel use, which are other modules'.
    UsedBy {
        /// The files, relative to the kernel's source.
        files: Vec<String>,
    },
    /// What leads to the table of a function says that it is not called.
    NeverCalled {
        /// The function.
        func: FuncId,
        /// `struct.field`.
        role: String,
    },
    /// What binds the driver to a device can only fail, as it was compiled: what would run afterwards never does.
    NeverBinds {
        /// The function.
        func: FuncId,
    },
}

impl Note {
    /// One line for people.
    pub fn describe(&self, module: &Module) -> String {
        match self {
            Note::OwnerUnset { table, role } => {
                let table = table.map_or("a table filled in by code", |g| module.globals[g].name.as_str());
                format!(
                    "{table}: owner is not set, so {role} may run in parallel with module exit (THIS_MODULE is \
                     null unless compiled with -DMODULE)"
                )
            }
            Note::MissingParameter { func, role, param } => {
                let name = &module.funcs[*func].name;
                format!("{name}: the row of {role} speaks of arg{param}, which the function does not have")
            }
            Note::OtherFiles { func } => {
                let name = &module.funcs[*func].name;
                format!(
                    "{name} is not static, but no file here uses it: other files of the module seem to be missing, which may call \
                     all such functions. Give all files, or --whole-module if these are all"
                )
            }
            Note::UsedBy { files } => {
                let files = files.join(", ");
                format!(
                    "what the module exports only {files} may call: its callers are known if these are given, each module with --with"
                )
            }
            Note::NeverCalled { func, role } => {
                let name = &module.funcs[*func].name;
                format!("{name}: no entry point, for nothing that leads to its table lets {role} be called")
            }
            Note::NeverBinds { func } => {
                let name = &module.funcs[*func].name;
                format!(
                    "{name} can only fail, as these headers configure the kernel: the driver is never bound to a device, and a proof says \
                     little of it. --kernel names headers of a kernel that has such devices"
                )
            }
        }
    }
}

/// The entry points of a module and what finding them assumed.
#[derive(Clone, Default, Debug)]
pub struct EntryPoints {
    /// The entry points.
    pub items: PrimaryMap<EntryPointId, EntryPoint>,
    /// The assumptions made.
    pub ledger: Ledger,
    /// What the user should know.
    pub notes: Vec<Note>,
    /// All functions of the module that code outside may call, as it was found where their addresses go; none if these are
    /// entry points that somebody wrote down.
    pub outside: Option<HashSet<FuncId>>,
}

impl EntryPoints {
    /// The entry point of that name.
    pub fn named(&self, name: &str) -> Option<EntryPointId> {
        self.items.iter().find(|(_, ep)| ep.name == name).map(|(id, _)| id)
    }
}

/// What to do with a function whose address leaves the module in a way that no row explains.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Escaped {
    /// It is an entry point without implicit locks.
    #[default]
    EntryPoint,
    /// It is assumed not to be called back; the assumption is recorded.
    Assume,
}

/// What the user can choose about finding.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Functions whose address leaves the module unexplained.
    pub escaped: Escaped,
    /// Symbols exported to other modules in a way that the module does not show (file-scope assembly).
    pub exported: Vec<String>,
    /// Whether the module is known to be all of its files: then there is nobody else for what no file uses.
    pub whole: bool,
    /// Whether other files of the module are missing: they may call what is not static.
    pub partial: bool,
    /// If several modules were linked: which, and what came from each.
    pub modules: Option<Modules>,
}

/// Why there are no entry points.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EntryPointError {
    /// None was found; that is never a proof of anything.
    #[error(
        "no entry point in {module}: nothing in it is called from outside. A program needs its `main`; a driver a table of operations \
         that the environment model knows (--model adds a row), or a list (--entry-points)"
    )]
    NoneFound {
        /// The module.
        module: String,
    },
    /// An XML file is wrong.
    #[error("{file}:{line}:{column}: {message}")]
    Xml {
        /// The file, as the caller named it.
        file: String,
        /// The line, from 1.
        line: u32,
        /// The column in characters, from 1.
        column: u32,
        /// One sentence.
        message: String,
    },
}
