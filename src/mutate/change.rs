//! Changes of a module with effects, and of what the environment says of its entry points: each takes protection away.

use super::sections;
use crate::vcgen::Protection;
use lockpair_entry_points::{EntryPoint, EntryPoints};
use lockpair_env::schema::{ImplicitLock, LifeHandle, Same};
use lockpair_ir::*;

/// What is changed.
#[derive(Clone, Debug)]
pub enum Change {
    /// These acquisitions and releases are gone; what asked whether it got the lock goes on as if it had.
    Gone(FuncId, Vec<InstId>),
    /// The acquisition happens after an instruction of its block that follows.
    After(FuncId, InstId, InstId),
    /// The release of this lock happens before an instruction of its block that it follows.
    Before(FuncId, InstId, InstId, Operand),
    /// These acquisitions and releases are of another lock.
    OtherLock(FuncId, Vec<InstId>, GlobalId),
    /// These acquisitions and releases are of the lock in shared mode.
    Shared(FuncId, Vec<InstId>),
    /// The environment does not say this of the entry points of a role.
    Unsaid(String, Said),
    /// The environment does not say this of any entry point.
    Nowhere(Group),
    /// The conditions of pairs do not have this part.
    Without(Protection),
}

/// What a row says of an entry point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Said {
    /// The lock is held on entry.
    Lock(ImplicitLock),
    /// It runs only while the handle is registered.
    Handle(LifeHandle),
    /// Pointers that are one.
    Same(Same),
    /// The object of the parameter belongs to the call.
    Owned(u32),
    /// It runs once.
    Once,
}

/// Many things that rows say.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Group {
    /// Locks of a class are held on entry.
    Locks(String),
    /// Entry points run only while a handle of the class is registered.
    Handles(String),
    /// Pointers are one.
    Same,
    /// Objects of parameters belong to one call.
    Owned,
    /// Entry points run once.
    Once,
}

impl Change {
    /// The function whose code is changed, if it is code.
    pub fn func(&self) -> Option<FuncId> {
        match self {
            Change::Gone(f, _)
            | Change::After(f, ..)
            | Change::Before(f, ..)
            | Change::OtherLock(f, ..)
            | Change::Shared(f, _) => Some(*f),
            Change::Unsaid(..) | Change::Nowhere(_) | Change::Without(_) => None,
        }
    }

    /// What the conditions of pairs do not have.
    pub fn without(&self) -> Option<Protection> {
        match self {
            Change::Without(protection) => Some(*protection),
            _ => None,
        }
    }

    /// Makes the change in what the environment says.
    pub fn apply_to_entries(&self, entry_points: &mut EntryPoints) {
        for entry in entry_points.items.values_mut() {
            match self {
                Change::Unsaid(role, said) if entry.role == *role => said.drop_from(entry),
                Change::Nowhere(group) => group.drop_from(entry),
                _ => {}
            }
        }
    }

    /// Makes the change in code.
    pub fn apply_to_code(&self, module: &mut Module) {
        if let Some(f) = self.func() {
            self.change_code(&mut module.funcs[f]);
        }
    }

    fn change_code(&self, func: &mut Function) {
        match self {
            Change::Gone(_, insts) => insts.iter().for_each(|&i| remove(func, i)),
            Change::After(_, inst, other) => move_to(func, *inst, *other, 1),
            Change::Before(_, inst, other, address) => {
                move_to(func, *inst, *other, 0);
                set_lock(func, *inst, *address);
            }
            Change::OtherLock(_, insts, spare) => {
                insts.iter().for_each(|&i| set_lock(func, i, Operand::Global(*spare, 0)));
            }
            Change::Shared(_, insts) => insts.iter().for_each(|&i| share(func, i)),
            Change::Unsaid(..) | Change::Nowhere(_) | Change::Without(_) => {}
        }
    }
}

/// Takes an acquisition or a release out of its block; the result of an acquisition says that the lock is held.
fn remove(func: &mut Function, inst: InstId) {
    let Some((block, at)) = sections::position(func, inst) else { return };
    let Op::Acquire { success: Some(success), .. } = func.insts[inst].op else {
        func.blocks[block].insts.remove(at);
        return;
    };
    let held = u128::from(success == Success::NonZero);
    let bits = func.insts[inst].result.map(|v| func.values[v].ty);
    func.insts[inst].op = match bits {
        Some(Ty::Int(1)) => Op::Cmp(CmpOp::Eq, Operand::int(1, held), Operand::int(1, 1)),
        Some(Ty::Int(bits)) => Op::Bin(BinOp::Add, Operand::int(bits, held), Operand::int(bits, 0)),
        _ => Op::Havoc,
    };
}

/// Moves an instruction to another one of its block, so many places behind it.
fn move_to(func: &mut Function, inst: InstId, other: InstId, behind: usize) {
    let Some((block, at)) = sections::position(func, inst) else { return };
    let insts = &mut func.blocks[block].insts;
    insts.remove(at);
    let to = insts.iter().position(|&i| i == other).map_or(at, |to| to + behind);
    insts.insert(to, inst);
}

fn set_lock(func: &mut Function, inst: InstId, address: Operand) {
    if let Op::Acquire { lock, .. } | Op::Release { lock, .. } = &mut func.insts[inst].op {
        *lock = address;
    }
}

fn share(func: &mut Function, inst: InstId) {
    if let Op::Acquire { mode, .. } | Op::Release { mode, .. } = &mut func.insts[inst].op {
        *mode = LockMode::Shared;
    }
}

impl Said {
    /// All that is said of an entry point.
    pub fn of(entry: &EntryPoint) -> Vec<Said> {
        let locks = entry.locks.iter().cloned().map(Said::Lock);
        let handles = entry.handles.iter().cloned().map(Said::Handle);
        let same = entry.same.iter().cloned().map(Said::Same);
        let owned = entry.call_owned.iter().copied().map(Said::Owned);
        locks.chain(handles).chain(same).chain(owned).chain(entry.once.then_some(Said::Once)).collect()
    }

    fn drop_from(&self, entry: &mut EntryPoint) {
        match self {
            Said::Lock(lock) => entry.locks.retain(|l| l != lock),
            Said::Handle(handle) => entry.handles.retain(|h| h != handle),
            Said::Same(same) => entry.same.retain(|s| s != same),
            Said::Owned(param) => entry.call_owned.retain(|p| p != param),
            Said::Once => entry.once = false,
        }
    }

    /// For people.
    pub fn describe(&self) -> String {
        match self {
            Said::Lock(lock) => format!("{} {}", lock.class, lock.addr),
            Said::Handle(handle) => format!("life of {} {}", handle.class, handle.addr),
            Said::Same(same) => format!("{} is {}", same.addr, same.other),
            Said::Owned(param) => format!("arg{param} belongs to the call"),
            Said::Once => "runs once".to_owned(),
        }
    }

    /// The group that it is of.
    pub fn group(&self) -> Group {
        match self {
            Said::Lock(lock) => Group::Locks(lock.class.clone()),
            Said::Handle(handle) => Group::Handles(handle.class.clone()),
            Said::Same(_) => Group::Same,
            Said::Owned(_) => Group::Owned,
            Said::Once => Group::Once,
        }
    }
}

impl Group {
    fn drop_from(&self, entry: &mut EntryPoint) {
        match self {
            Group::Locks(class) => entry.locks.retain(|l| l.class != *class),
            Group::Handles(class) => entry.handles.retain(|h| h.class != *class),
            Group::Same => entry.same.clear(),
            Group::Owned => entry.call_owned.clear(),
            Group::Once => entry.once = false,
        }
    }

    /// For people.
    pub fn describe(&self) -> String {
        match self {
            Group::Locks(class) => format!("{class} held by the environment"),
            Group::Handles(class) => format!("life of {class}"),
            Group::Same => "pointers that are one".to_owned(),
            Group::Owned => "objects that belong to one call".to_owned(),
            Group::Once => "runs once".to_owned(),
        }
    }
}
