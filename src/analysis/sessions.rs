//! In which sessions entry points run, and which functions begin these: those of open files.

use lockpair_entry_points::{EntryPoint, EntryPointId, EntryPoints};
use lockpair_env::schema::{Base, ImplicitLock};
use lockpair_ir::*;
use std::collections::{BTreeSet, HashMap};

/// The sessions of a module's entry points.
#[derive(Default)]
pub struct Sessions {
    /// What sessions are (`struct file`).
    structs: BTreeSet<TypeId>,
    /// Per entry point that runs in a session: the functions that begin it, other than itself.
    begun_by: HashMap<EntryPointId, Vec<EntryPointId>>,
}

impl Sessions {
    /// Those of the entry points. `begun` says which roles begin a session, and the class of locks that all hold who run in it.
    pub fn new(module: &Module, entry_points: &EntryPoints, begun: &HashMap<String, String>) -> Sessions {
        let items = || entry_points.items.iter();
        let begin =
            |(id, entry): (EntryPointId, &EntryPoint)| Some((id, entry.table?, begun.get(&entry.role)?));
        let beginning: Vec<(EntryPointId, GlobalId, &String)> = items().filter_map(begin).collect();
        let mut sessions = Sessions::default();
        for (id, entry) in items() {
            let is_of = |lock: &&ImplicitLock| begun.values().any(|class| *class == lock.class);
            let Some(lock) = entry.locks.iter().find(is_of) else { continue };
            sessions.structs.extend(struct_at(module, entry.func, lock));
            let is_begin = begun.contains_key(&entry.role);
            let begins = |(_, table, class): &&(EntryPointId, GlobalId, &String)| {
                !is_begin && Some(*table) == entry.table && **class == lock.class
            };
            sessions.begun_by.insert(id, beginning.iter().filter(begins).map(|(id, ..)| *id).collect());
        }
        sessions
    }

    /// The functions that begin the sessions in which the entry point runs, if what the struct has is the session's: none if it
    /// begins one itself, or nobody does.
    pub fn begun_by(&self, entry: EntryPointId, strukt: TypeId) -> Option<&[EntryPointId]> {
        self.begun_by.get(&entry).filter(|_| self.structs.contains(&strukt)).map(Vec::as_slice)
    }
}

/// The struct that the lock is one of, if it is at a parameter itself.
fn struct_at(module: &Module, func: FuncId, lock: &ImplicitLock) -> Option<TypeId> {
    let Base::Param(n) = lock.addr.base else { return None };
    let declared = module.funcs[func].params.get(n as usize)?.decl?;
    module.pointee(declared).filter(|_| lock.addr.steps.is_empty())
}
