//! How far the member goes that an address leads to. C code that works on the text in `entry->key`, an array, does not leave the
//! array (assumption `in-bounds`).

use lockpair_ir::{Field, Module, Op, Operand, TypeDef, TypeId};

use super::site::Site;

impl Site<'_> {
    /// The bytes from the address to the end of the member that it leads to, whatever the indices on the way; none if it is
    /// not computed from that member's, or if the member has as many bytes as its object has.
    pub(super) fn rest_of_member(&self, address: Operand) -> Option<u64> {
        let (strukt, at) = self.member_at(address)?;
        rest(self.module, strukt, at)
    }

    /// The struct, and where in it the address lies if all indices are zero.
    fn member_at(&self, address: Operand) -> Option<(TypeId, u64)> {
        let (mut address, mut at) = (address, 0i64);
        loop {
            match address {
                Operand::Global(g, offset) => {
                    return Some((self.module.globals[g].ty?, u64::try_from(at.checked_add(offset)?).ok()?));
                }
                Operand::Value(v) => {
                    let Op::PtrAdd { base, offset, within, .. } =
                        &self.func.insts[self.func.values[v].inst?].op
                    else {
                        return None;
                    };
                    at = at.checked_add(*offset)?;
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

/// From there to the end of the direct member of the struct; of several, in a union, the last end.
fn rest(module: &Module, strukt: TypeId, at: u64) -> Option<u64> {
    let def = module.as_struct(strukt)?;
    let end = |field: &Field| field.offset + module.size_of(field.ty);
    let covers = |field: &&Field| field.bits.is_none() && field.offset <= at && at < end(field);
    let member = def.fields.iter().filter(covers).max_by_key(|field| end(field))?;
    let goes_on = match module.types[member.ty] {
        // An array of one element or none at the end of a struct may have any number.
        TypeDef::Array { count, .. } => count <= 1 && end(member) >= def.size,
        // The address of the first member is that of the struct, which may be meant.
        _ => at == 0,
    };
    (!goes_on).then(|| end(member) - at)
}
