//! Members of structs that the module only declares (`struct mc13xxx;`): rows name them, and nobody else can. They get places
//! in the struct, any that are different from each other: where they really are does not matter to who cannot see them.

use super::row_of;
use crate::model::Model;
use crate::schema::{AddrExpr, FunctionRow, Step};
use lockpair_ir::{Field, Module, StructDef, TypeDef, TypeId};
use std::collections::HashMap;

/// The distance of two members. What is in one of unknown length is taken to end before the next.
const ROOM: u64 = 64;

/// Adds the members that the rows of the module's functions name to structs without any.
pub(super) fn declare(module: &mut Module, model: &Model, structs: &mut HashMap<String, TypeId>) {
    let rows: Vec<&FunctionRow> = module.funcs.keys().filter_map(|id| row_of(module, model, id)).collect();
    let mut hidden = Hidden { module, structs, made: HashMap::new() };
    for effect in rows.iter().flat_map(|row| &row.effects) {
        for addr in effect.addresses() {
            hidden.address(addr);
        }
    }
}

struct Hidden<'a> {
    module: &'a mut Module,
    structs: &'a mut HashMap<String, TypeId>,
    /// Which structs get members here.
    made: HashMap<String, TypeId>,
}

impl Hidden<'_> {
    /// From the last step to the first, so that what a member holds is known.
    fn address(&mut self, addr: &AddrExpr) {
        for (n, step) in addr.steps.iter().enumerate().rev() {
            let next = addr.steps.get(n + 1).and_then(|next| next.strukt.as_deref());
            self.step(step, next);
        }
    }

    fn step(&mut self, step: &Step, next: Option<&str>) {
        let Some(strukt) = step.strukt.as_deref().and_then(|tag| self.without_members(tag)) else { return };
        if self.module.field_named(strukt, &step.field).is_some() {
            return;
        }
        let held = next.and_then(|tag| self.structs.get(tag).copied());
        let ty = match (step.deref, held) {
            (true, held) => {
                let to = held.unwrap_or_else(|| self.module.types.push(TypeDef::Void));
                self.module.types.push(TypeDef::Ptr(to))
            }
            (false, Some(held)) => held,
            (false, None) => self.module.types.push(TypeDef::Int { bits: 64, is_char: false }),
        };
        let end = |module: &Module, field: &Field| field.offset + module.size_of(field.ty);
        let TypeDef::Struct(def) = &self.module.types[strukt] else { return };
        let used = def.fields.iter().map(|field| end(self.module, field)).max().unwrap_or(0);
        // Not at the start, where a pointer to the struct points.
        let offset = (used / ROOM + 1) * ROOM;
        let field = Field { name: step.field.clone(), offset, ty, bits: None };
        if let TypeDef::Struct(def) = &mut self.module.types[strukt] {
            def.fields.push(field);
        }
    }

    /// The struct of the tag, if the module names no member of it.
    fn without_members(&mut self, tag: &str) -> Option<TypeId> {
        if let Some(made) = self.made.get(tag) {
            return Some(*made);
        }
        let known = self.structs.get(tag).copied();
        let strukt = match known {
            Some(known) if self.module.as_struct(known).is_some_and(|def| !def.fields.is_empty()) => {
                return None;
            }
            Some(known) => known,
            None => self.module.types.push(TypeDef::Struct(StructDef {
                name: tag.to_owned(),
                size: 0,
                is_union: false,
                module_private: false,
                opaque: false,
                fields: Vec::new(),
            })),
        };
        self.structs.insert(tag.to_owned(), strukt);
        self.made.insert(tag.to_owned(), strukt);
        Some(strukt)
    }
}
