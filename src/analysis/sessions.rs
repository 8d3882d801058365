//! In which sessions entry points run, and which functions begin these: those of open files.

use super::fields::FieldId;
use lockpair_entry_points::{EntryPoint, EntryPointId, EntryPoints};
use lockpair_env::schema::{Base, ImplicitLock};
use lockpair_ir::*;
use std::collections::{BTreeSet, HashMap};

/// The sessions of a module's entry points.
#[derive(Default)]
pub struct Sessions {
    /// What sessions are (`struct file`).
    structs: BTreeSet<TypeId>,
    /// Where the kernel finds the tables of sessions.
    tables_in: BTreeSet<FieldId>,
    /// The functions that begin sessions.
    beginning: BTreeSet<EntryPointId>,
    /// Per entry point that runs in a session: the functions that begin it, other than itself.
    begun_by: HashMap<EntryPointId, Vec<EntryPointId>>,
}

impl Sessions {
    /// Those of the entry points. `begun` says which roles begin a session, and the class of locks that all hold who run in it.
    pub fn new(
        module: &Module,
        entry_points: &EntryPoints,
        begun: &HashMap<String, String>,
        tables_in: BTreeSet<FieldId>,
    ) -> Sessions {
        let items = || entry_points.items.iter();
        let begin =
            |(id, entry): (EntryPointId, &EntryPoint)| Some((id, entry.table?, begun.get(&entry.role)?));
        let beginning: Vec<(EntryPointId, GlobalId, &String)> = items().filter_map(begin).collect();
        let mut sessions = Sessions { tables_in, ..Sessions::default() };
        for (id, entry) in items() {
            let is_of = |lock: &&ImplicitLock| begun.values().any(|class| *class == lock.class);
            let Some(lock) = entry.locks.iter().find(is_of) else { continue };
            sessions.structs.extend(struct_at(module, entry.func, lock));
            let is_begin = begun.contains_key(&entry.role);
            sessions.beginning.extend(is_begin.then_some(id));
            let begins = |(_, table, class): &&(EntryPointId, GlobalId, &String)| {
                !is_begin && Some(*table) == entry.table && **class == lock.class
            };
            sessions.begun_by.insert(id, beginning.iter().filter(begins).map(|(id, ..)| *id).collect());
        }
        sessions
    }

    /// Whether a session begins when the entry point returns zero.
    pub fn begins(&self, entry: EntryPointId) -> bool {
        self.beginning.contains(&entry)
    }

    /// Whether that is where the kernel finds the table of a session.
    pub fn tables_in(&self) -> impl Iterator<Item = FieldId> {
        self.tables_in.iter().copied()
    }

    /// The functions that begin the sessions of which the entry point may read a member, if what the struct has is the session's: all
    /// of them if it runs in none, and none at all if it begins one itself, or nobody begins some.
    pub fn begun_by(&self, entry: EntryPointId, strukt: TypeId) -> Option<Vec<EntryPointId>> {
        let of =
            |(id, begun_by): (&EntryPointId, &Vec<EntryPointId>)| !self.begins(*id) && begun_by.is_empty();
        let any = || match self.begun_by.iter().any(of) {
            true => Vec::new(),
            false => self.beginning.iter().copied().collect(),
        };
        self.structs.contains(&strukt).then(|| self.begun_by.get(&entry).cloned().unwrap_or_else(any))
    }
}

/// The struct that the lock is one of, if it is at a parameter itself.
fn struct_at(module: &Module, func: FuncId, lock: &ImplicitLock) -> Option<TypeId> {
    let Base::Param(n) = lock.addr.base else { return None };
    let declared = module.funcs[func].params.get(n as usize)?.decl?;
    module.pointee(declared).filter(|_| lock.addr.steps.is_empty())
}
