//! How far the member goes that an address leads to. C code that works on the text in `entry->key`, an array, does not leave the
//! array (assumption `in-bounds`).

use lockpair_ir::{Field, Module, Op, Operand, TypeDef, TypeId};

use super::site::Site;

impl Site<'_> {
    /// The bytes from the address to the end of the member that it leads to, whatever the indices on the way; none if it is
    /// not computed from that member's, or may be meant as the struct's.
    pub(super) fn rest_of_member(&self, address: Operand) -> Option<u64> {
        let (strukt, at) = self.member_at(address)?;
        rest(self.module, strukt, at)
    }

    /// The struct, and where in it the address lies if all indices are zero. A pointer that is declared to lead to the struct is
    /// none to its first member.
    fn member_at(&self, address: Operand) -> Option<(TypeId, u64)> {
        let (mut address, mut at) = (address, 0i64);
        loop {
            match address {
                Operand::Global(g, offset) => {
                    let at = u64::try_from(at.checked_add(offset)?).ok().filter(|&at| at > 0)?;
                    return Some((self.module.globals[g].ty?, at));
                }
                Operand::Value(v) => {
                    let Op::PtrAdd { base, offset, within, .. } =
                        &self.func.insts[self.func.values[v].inst?].op
                    else {
                        return None;
                    };
                    at = at.checked_add(*offset)?;
                    if self.func.as_struct.contains(&v) {
                        return None;
                    }
                    if let Some(strukt) = within {
                        return Some((*strukt, u64::try_from(at).ok()?));
                    }
                    address = *base;
                }
                _ => return None,
            }
        }
    }
}

/// From there to the end of the direct member of the struct, an array or a struct.
fn rest(module: &Module, strukt: TypeId, at: u64) -> Option<u64> {
    let def = module.as_struct(strukt).filter(|def| !def.is_union)?;
    let end = |field: &Field| field.offset + module.size_of(field.ty);
    let covers = |field: &&Field| field.bits.is_none() && field.offset <= at && at < end(field);
    let member = def.fields.iter().find(covers)?;
    has_end(module, member.ty).then(|| end(member) - at)
}

/// Whether it is an array or a struct that is not used as one without an end: whose last member is an array of one element or none.
fn has_end(module: &Module, ty: TypeId) -> bool {
    match &module.types[ty] {
        TypeDef::Array { count, .. } => *count > 1,
        TypeDef::Struct(def) => def.fields.iter().all(|field| {
            !matches!(module.types[field.ty], TypeDef::Array { .. } | TypeDef::Struct(_))
                || has_end(module, field.ty)
        }),
        _ => false,
    }
}
