//! The mutants of a module: what can be taken away of what keeps accesses apart.

use super::change::{Change, Said};
use super::others::lock_name;
use super::sections::{self, Section};
use super::trial::{Base, Pair};
use super::under::Taken;
use super::{Kind, Mutant};
use crate::report::places::Place;
use lockpair_env::Model;
use lockpair_env::schema::Effect;
use lockpair_ir::*;
use std::collections::{BTreeSet, HashSet};

/// A mutant, with what its trial needs.
pub struct Candidate {
    /// For people.
    pub mutant: Mutant,
    /// What is changed.
    pub change: Change,
    /// What that takes away.
    pub taken: Taken,
    /// The critical section, if it is code; an index.
    pub section: Option<usize>,
    /// The proved pairs that it may change; some.
    pub pairs: Vec<Pair>,
}

/// Adds a lock to a module that nobody takes.
pub fn add_spare_lock(module: &mut Module) -> GlobalId {
    module.globals.push(Global {
        name: "a lock of its own".to_owned(),
        size: 64,
        ty: None,
        constant: false,
        thread_local: false,
        defined: true,
        exported: false,
        init: Vec::new(),
        loc: None,
    })
}

/// All mutants that may change a proved pair, in the order of the code; those of rows come last.
pub fn all(base: &Base, sections: &[Section], spare: GlobalId) -> Vec<Candidate> {
    let shareable = shareable(&base.prepared.model);
    let finder = Finder { base, shared: accesses(base) };
    let mut out = Vec::new();
    for (index, section) in sections.iter().enumerate() {
        let reached = base.reach.iter().any(|reach| reach.contains(&section.func));
        for (kind, inst, change) in finder.of_section(section, spare, &shareable) {
            if reached {
                out.extend(finder.code(kind, (index, section), inst, change));
            }
        }
    }
    out.extend(finder.rows());
    out
}

struct Finder<'a> {
    base: &'a Base,
    /// The instructions that access what others may see.
    shared: HashSet<(FuncId, InstId)>,
}

impl Finder<'_> {
    fn of_section(
        &self,
        section: &Section,
        spare: GlobalId,
        shareable: &BTreeSet<String>,
    ) -> Vec<(Kind, InstId, Change)> {
        let f = section.func;
        let mut out = Vec::new();
        for &acquire in &section.acquires {
            // What a second acquisition needs stays.
            let alone = section.acquires.len() == 1;
            let releases = section.releases.iter().copied().filter(|_| alone);
            out.push((
                Kind::Delete,
                acquire,
                Change::Gone(f, std::iter::once(acquire).chain(releases).collect()),
            ));
            if let Some(access) = self.first_access(section, acquire) {
                out.push((Kind::Begin, acquire, Change::After(f, acquire, access)));
            }
        }
        for &release in &section.releases {
            if let Some((access, address)) = self.last_access(section, release) {
                out.push((Kind::End, release, Change::Before(f, release, access, address)));
            }
        }
        let first = section.acquires[0];
        // Nobody can be kept off a CPU in the place of another.
        if section.lock != Operand::Null {
            out.push((Kind::Swap, first, Change::OtherLock(f, section.instructions(), spare)));
        }
        if section.mode == LockMode::Exclusive && shareable.contains(&section.class) {
            out.push((Kind::Share, first, Change::Shared(f, section.instructions())));
        }
        out
    }

    fn is_access(&self, f: FuncId, inst: InstId) -> bool {
        let op = &self.base.prepared.module.funcs[f].insts[inst].op;
        self.shared.contains(&(f, inst)) || matches!(op, Op::Call { .. })
    }

    /// The first access after the lock is taken in the same block; none if the lock may not have been taken.
    fn first_access(&self, section: &Section, acquire: InstId) -> Option<InstId> {
        let func = &self.base.prepared.module.funcs[section.func];
        if !matches!(func.insts[acquire].op, Op::Acquire { success: None, .. }) {
            return None;
        }
        let (block, at) = sections::position(func, acquire)?;
        let after = &func.blocks[block].insts[at + 1..];
        let inside = after.iter().take_while(|i| !section.releases.contains(i));
        inside.copied().find(|&i| self.is_access(section.func, i))
    }

    /// The last access before the lock is given back in the same block, with an address of the lock that is known before.
    fn last_access(&self, section: &Section, release: InstId) -> Option<(InstId, Operand)> {
        let func = &self.base.prepared.module.funcs[section.func];
        let (block, at) = sections::position(func, release)?;
        let before = &func.blocks[block].insts[..at];
        let inside = before.iter().rev().take_while(|i| !section.instructions().contains(i));
        let access = inside.copied().find(|&i| self.is_access(section.func, i))?;
        let (_, from) = sections::position(func, access)?;
        let cfg = Cfg::new(func);
        let is_known = |operand: &Operand| {
            let Operand::Value(v) = operand else { return true };
            let Some((made, position)) = func.values[*v].inst.and_then(|i| sections::position(func, i))
            else {
                return func.values[*v].inst.is_none();
            };
            if made == block { position < from } else { cfg.dominates(made, block) }
        };
        let own = func.insts[release].op.operands();
        let address = own.into_iter().chain([section.lock]).find(is_known)?;
        Some((access, address))
    }

    fn code(
        &self,
        kind: Kind,
        (index, section): (usize, &Section),
        inst: InstId,
        change: Change,
    ) -> Option<Candidate> {
        let module = &self.base.prepared.module;
        let func = &module.funcs[section.func];
        let pairs = Some(self.base.affected(&change)).filter(|pairs| !pairs.is_empty())?;
        let mutant = Mutant {
            kind,
            what: format!("{} {}", section.class, lock_name(self.base, section)),
            function: func.name.clone(),
            place: func.insts[inst].loc.map(|loc| Place::in_driver(module, loc)),
        };
        let taken = Taken::Lock(section.class.clone(), section.mode);
        Some(Candidate { mutant, change, taken, section: Some(index), pairs })
    }

    /// A mutant for each thing that the row of a role says.
    fn rows(&self) -> Vec<Candidate> {
        let mut seen: Vec<(&str, Said)> = Vec::new();
        for entry in self.base.prepared.entry_points.items.values() {
            for said in Said::of(entry) {
                if !seen.contains(&(entry.role.as_str(), said.clone())) {
                    seen.push((&entry.role, said));
                }
            }
        }
        seen.into_iter().filter_map(|(role, said)| self.row(role, said)).collect()
    }

    fn row(&self, role: &str, said: Said) -> Option<Candidate> {
        let taken = match &said {
            Said::Lock(lock) => Taken::Lock(lock.class.clone(), lock.mode),
            Said::Handle(handle) => Taken::Life(handle.class.clone()),
            Said::Same(_) => Taken::Same,
            Said::Owned(_) => Taken::Owned,
            Said::Once => Taken::Once,
        };
        let mutant =
            Mutant { kind: Kind::Row, what: said.describe(), function: role.to_owned(), place: None };
        let change = Change::Unsaid(role.to_owned(), said);
        let pairs = Some(self.base.affected(&change)).filter(|pairs| !pairs.is_empty())?;
        Some(Candidate { mutant, change, taken, section: None, pairs })
    }
}

/// The instructions that access data that others may see.
fn accesses(base: &Base) -> HashSet<(FuncId, InstId)> {
    let module = &base.prepared.module;
    let is_data = |(f, i): &(FuncId, InstId)| {
        !matches!(module.funcs[*f].insts.get(*i).map(|inst| &inst.op), None | Some(Op::Acquire { .. }))
    };
    base.threads.iter().flat_map(|t| &t.sites).map(|site| site.inst).filter(is_data).collect()
}

/// The classes of locks that the environment can take in shared mode.
fn shareable(model: &Model) -> BTreeSet<String> {
    let effects = model.functions.values().flat_map(|row| &row.effects);
    let shared = effects.filter_map(|effect| match effect {
        Effect::Acquire { class, mode: LockMode::Shared, .. } => Some(class.clone()),
        _ => None,
    });
    shared.collect()
}
