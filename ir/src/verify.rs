//! The verifier: what every well-formed module has, whoever made it.
//!
//! Ids:
//!
//! 1. Each id (of a file, place, type, global, function, value, instruction or block) is in its table.
//! 2. Integer value types have 1 to 128 bits, and integer constants fit their width.
//! 3. Chains of inlined-at places end.
//! 4. No struct or array contains itself by value.
//! 5. The cells of an initial value lie inside the global and are constants.
//!
//! Functions:
//!
//! 6. Each value is either a parameter, of its type, or the result of the instruction that its definition
//!    names; none is both or neither, and no two parameters or instructions define one value.
//! 7. Each instruction is in at most one block, once. (One in none is dead, and may be there.)
//! 8. A function without blocks has no instructions, and no values beside its parameters.
//! 9. The entry block has no predecessors.
//! 10. Phis stand at the head of their block only.
//! 11. The blocks of a phi are the predecessors of its block, each named, no other; one named twice
//!     has the same operand both times.
//! 12. The definition of a value dominates its uses; the use in a phi is at the end of the predecessor. (Uses
//!     in unreachable blocks do not matter, but somewhere in a block the definition must be.)
//! 13. An instruction has a result exactly if its operation gives one; calls and externals may.
//! 14. Operands and results have the types that the operation asks for.
//! 15. The cases of a switch are distinct and fit the width of its value.
//! 16. A condition is an i1, the value of a switch an integer, and a return gives a value of the function's
//!     result type exactly if it has one.
//!
//! Not required: that calls agree with the callee's parameters (C programs do not), that names are unique,
//! that members lie inside their struct.

mod func;
mod ops;

#[cfg(test)]
mod tests;

use std::fmt;

use crate::entity::EntityRef;
use crate::inst::{InstId, Operand};
use crate::module::{FuncId, Global, LocId, Module};
use crate::types::{Ty, TypeDef, TypeId};

/// A broken invariant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyError {
    /// The number of the invariant in the list above.
    pub invariant: u32,
    /// The function, if it is in one.
    pub func: Option<FuncId>,
    /// The instruction, if it is about one.
    pub inst: Option<InstId>,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(func) = self.func {
            write!(f, "{func}: ")?;
        }
        if let Some(inst) = self.inst {
            write!(f, "{inst}: ")?;
        }
        write!(f, "{} (invariant {})", self.message, self.invariant)
    }
}

impl std::error::Error for VerifyError {}

/// Checks all invariants. Where ids are out of range, what depends on them is not looked at.
pub fn verify(module: &Module) -> Result<(), Vec<VerifyError>> {
    let mut errors = Errors::default();
    check_locs(module, &mut errors);
    check_types(module, &mut errors);
    for global in module.globals.values() {
        check_global(module, global, &mut errors);
    }
    for (id, func) in module.funcs.iter() {
        errors.func = Some(id);
        func::check(module, func, &mut errors);
    }
    if errors.list.is_empty() { Ok(()) } else { Err(errors.list) }
}

/// The errors so far, and where the verifier is.
#[derive(Default)]
struct Errors {
    list: Vec<VerifyError>,
    func: Option<FuncId>,
    inst: Option<InstId>,
}

impl Errors {
    fn add(&mut self, invariant: u32, message: impl Into<String>) {
        let (func, inst) = (self.func, self.inst);
        self.list.push(VerifyError { invariant, func, inst, message: message.into() });
    }

    /// Adds an error unless the condition holds.
    fn require(&mut self, holds: bool, invariant: u32, message: impl FnOnce() -> String) {
        if !holds {
            self.add(invariant, message());
        }
    }

    fn id<K: EntityRef + fmt::Display>(&mut self, id: K, table_len: usize) {
        self.require(id.index() < table_len, 1, || format!("there is no {id}"));
    }

    fn loc(&mut self, loc: Option<LocId>, module: &Module) {
        if let Some(loc) = loc {
            self.id(loc, module.locs.len());
        }
    }

    fn ty_id(&mut self, ty: Option<TypeId>, module: &Module) {
        if let Some(ty) = ty {
            self.id(ty, module.types.len());
        }
    }

    fn ty(&mut self, ty: Ty) {
        if let Ty::Int(bits) = ty {
            self.require((1..=128).contains(&bits), 2, || format!("an integer of {bits} bits"));
        }
    }

    /// Everything about an operand but values, which only functions have.
    fn constant(&mut self, operand: Operand, module: &Module) {
        match operand {
            Operand::Int { bits, value } => {
                self.ty(Ty::Int(bits));
                let fits = bits >= 128 || value >> bits == 0;
                self.require(fits, 2, || format!("{value} does not fit {bits} bits"));
            }
            Operand::Global(id, _) => self.id(id, module.globals.len()),
            Operand::Func(id) => self.id(id, module.funcs.len()),
            Operand::Undef(ty) => self.ty(ty),
            Operand::Null | Operand::Value(_) => {}
        }
    }
}

fn check_locs(module: &Module, errors: &mut Errors) {
    for (id, loc) in module.locs.iter() {
        errors.id(loc.file, module.files.len());
        errors.loc(loc.inlined_at, module);
        let mut outer = loc.inlined_at;
        let mut steps = 0;
        while let Some(next) = outer.and_then(|o| module.locs.get(o))
            && steps <= module.locs.len()
        {
            outer = next.inlined_at;
            steps += 1;
        }
        errors.require(steps <= module.locs.len(), 3, || format!("{id} is inlined at itself"));
    }
}

fn check_types(module: &Module, errors: &mut Errors) {
    for def in module.types.values() {
        for ty in parts(def) {
            errors.id(ty, module.types.len());
        }
    }
    let mut state = vec![Visit::New; module.types.len()];
    for id in module.types.keys() {
        check_containment(module, id, &mut state, errors);
    }
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum Visit {
    New,
    Open,
    Done,
}

/// Depth-first along containment by value, with an explicit stack: types may be nested deeply.
fn check_containment(module: &Module, root: TypeId, state: &mut [Visit], errors: &mut Errors) {
    let mut stack = vec![root];
    while let Some(&id) = stack.last() {
        match state[id.index()] {
            Visit::New => {
                state[id.index()] = Visit::Open;
                for ty in contained(&module.types[id]) {
                    match state.get(ty.index()) {
                        Some(Visit::New) => stack.push(ty),
                        Some(Visit::Open) => errors.add(4, format!("{ty} contains itself")),
                        Some(Visit::Done) | None => {}
                    }
                }
            }
            // All that it contains is done: it was pushed above.
            Visit::Open | Visit::Done => {
                state[id.index()] = Visit::Done;
                stack.pop();
            }
        }
    }
}

/// All types that a definition names.
fn parts(def: &TypeDef) -> Vec<TypeId> {
    match def {
        TypeDef::Ptr(to) => vec![*to],
        TypeDef::Func { params, ret, .. } => params.iter().copied().chain([*ret]).collect(),
        _ => contained(def),
    }
}

/// The types of which a type has instances inside.
fn contained(def: &TypeDef) -> Vec<TypeId> {
    match def {
        TypeDef::Struct(def) => def.fields.iter().map(|f| f.ty).collect(),
        TypeDef::Array { elem, .. } => vec![*elem],
        TypeDef::Void | TypeDef::Int { .. } | TypeDef::Float(_) | TypeDef::Ptr(_) | TypeDef::Func { .. } => {
            Vec::new()
        }
    }
}

fn check_global(module: &Module, global: &Global, errors: &mut Errors) {
    errors.ty_id(global.ty, module);
    errors.loc(global.loc, module);
    for cell in &global.init {
        errors.constant(cell.value, module);
        let inside = cell.offset.checked_add(cell.size).is_some_and(|end| end <= global.size);
        let name = &global.name;
        errors.require(inside, 5, || format!("{name}: the cell at {} sticks out", cell.offset));
        let constant = !matches!(cell.value, Operand::Value(_));
        errors.require(constant, 5, || format!("{name}: the cell at {} is no constant", cell.offset));
    }
}
