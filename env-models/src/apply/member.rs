//! How far the member goes that an address leads to. C code that works on the text in `entry->key`, an array, does not leave the
//! array (assumption `in-bounds`).

use lockpair_ir::{Field, Module, Op, Operand, Ty, TypeDef, TypeId};

use super::site::Site;

/// A place in a struct.
struct Place {
    /// The address of the struct.
    base: Operand,
    strukt: TypeId,
    /// Where in it, if all indices are zero.
    at: u64,
    indexed: bool,
}

impl Site<'_> {
    /// What is accessed at the address at most, if that leads to a member: from there to its end, or all of it if there is an index on
    /// the way. None if the address is not computed from that of a struct, or may be meant as the struct's.
    pub(super) fn rest_of_member(&mut self, address: Operand) -> Option<(Operand, u64)> {
        let Place { base, strukt, at, indexed } = self.place_in_struct(address)?;
        let (offset, size) = member(self.module, strukt, at)?;
        if !indexed {
            return Some((address, offset + size - at));
        }
        let offset = i64::try_from(offset).ok()?;
        let start = Op::PtrAdd { base, offset, scaled: Vec::new(), within: Some(strukt) };
        Some((self.temp(start, Ty::Ptr), size))
    }

    /// Where the address leads to. A pointer that is declared to lead to a struct is none to its first member.
    fn place_in_struct(&self, address: Operand) -> Option<Place> {
        let (mut address, mut at, mut indexed) = (address, 0i64, false);
        loop {
            match address {
                Operand::Global(g, offset) => {
                    let at = u64::try_from(at.checked_add(offset)?).ok().filter(|&at| at > 0)?;
                    let strukt = self.module.globals[g].ty?;
                    return Some(Place { base: Operand::Global(g, 0), strukt, at, indexed });
                }
                Operand::Value(v) if !self.func.as_struct.contains(&v) => {
                    let Op::PtrAdd { base, offset, scaled, within } =
                        &self.func.insts[self.func.values[v].inst?].op
                    else {
                        return None;
                    };
                    at = at.checked_add(*offset)?;
                    indexed |= !scaled.is_empty();
                    if let Some(strukt) = *within {
                        return Some(Place { base: *base, strukt, at: u64::try_from(at).ok()?, indexed });
                    }
                    address = *base;
                }
                _ => return None,
            }
        }
    }
}

/// Where the direct member of the struct that lies there, an array or a struct, begins, and its size.
fn member(module: &Module, strukt: TypeId, at: u64) -> Option<(u64, u64)> {
    let def = module.as_struct(strukt).filter(|def| !def.is_union)?;
    let size = |field: &Field| module.size_of(field.ty);
    let covers =
        |field: &&Field| field.bits.is_none() && (field.offset..field.offset + size(field)).contains(&at);
    let member = def.fields.iter().find(covers)?;
    has_end(module, member.ty).then(|| (member.offset, size(member)))
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
