//! Which ops tables code copies that it finds behind pointers: then a function may be called through more tables than those that are
//! seen to hold it. Tables that code names are looked at in `registered.rs`.
//!
//! What it does not see: copies by pointers that are not declared to lead to a table.

use lockpair_ir::{Module, Op, Operand, TypeDef, TypeId};

use super::{Flow, Site};
use crate::environment::Environment;
use crate::place;
use crate::spot::SpotId;

impl Flow<'_> {
    /// Notes the structs with rows that may be copied between these addresses.
    pub(super) fn note_copy(&mut self, site: Site, ends: &[Operand]) {
        for &end in ends {
            let mut tables = Vec::new();
            for ty in place::types_at(self.module, site.func, end) {
                tables_in(self.module, self.spots.env(), ty, &mut tables);
            }
            // What begins in the middle of a table may be its functions.
            let around =
                place::places(self.module, site.func, end).into_iter().flat_map(|place| place.members);
            let around = around.map(|member| member.strukt);
            tables.extend(around.filter(|strukt| self.spots.env().table(strukt).is_some()));
            self.copied.extend(tables);
        }
    }

    /// Notes a table that is read by an index, as if it were an array: what is read may be any of its functions.
    pub(super) fn note_read_by_index(&mut self, site: Site, addr: Operand) {
        let func = &self.module.funcs[site.func];
        let Operand::Value(v) = addr else { return };
        let Some(inst) = func.values[v].inst else { return };
        if let Op::PtrAdd { base, scaled, within: None, .. } = &func.insts[inst].op
            && !scaled.is_empty()
        {
            self.note_copy(site, &[*base]);
        }
    }

    /// Notes the table to which a member of the kernel's may lead from here on: then who has it has another table.
    pub(super) fn note_other_table(&mut self, site: Site, addr: Operand) {
        let of_kernel =
            |place: &place::Place| place.members.last().is_some_and(|member| !member.module_private);
        if !place::places(self.module, site.func, addr).iter().any(of_kernel) {
            return;
        }
        let pointees = place::types_at(self.module, site.func, addr).into_iter();
        let structs = pointees.filter_map(|ty| self.module.as_struct(self.module.pointee(ty)?));
        let tables = structs.filter(|def| self.spots.env().table(&def.name).is_some());
        self.copied.extend(tables.map(|def| def.name.clone()));
    }

    /// Notes that a function that nobody knows is put in the place.
    pub(super) fn note_unknown_function(&mut self, spot: SpotId) {
        let rows = &self.spots.get(spot).rows;
        self.copied.extend(rows.iter().map(|(member, _)| member.strukt.clone()));
    }
}

/// The tags of the structs with rows among the type and its parts.
fn tables_in(module: &Module, env: &dyn Environment, ty: TypeId, out: &mut Vec<String>) {
    match &module.types[ty] {
        TypeDef::Struct(def) => {
            out.extend(env.table(&def.name).map(|_| def.name.clone()));
            def.fields.iter().for_each(|field| tables_in(module, env, field.ty, out));
        }
        TypeDef::Array { elem, .. } => tables_in(module, env, *elem, out),
        TypeDef::Void | TypeDef::Int { .. } | TypeDef::Float(_) | TypeDef::Ptr(_) | TypeDef::Func { .. } => {}
    }
}
