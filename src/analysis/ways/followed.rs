//! Regions of memory in which pointers are followed: what is stored in one is what is read from it, and nothing else.

use super::first_member;
use crate::analysis::layout::Layout;
use crate::analysis::points_to::{PointsTo, RegionId, static_path};
use crate::fault::{Fault, seeded};
use lockpair_ir::*;
use std::collections::HashSet;

/// The regions that code outside does not reach, and where the module reads and writes nothing but whole pointers and numbers
/// as wide, of which no member is named: through these alone is known what may lie there.
pub(super) fn regions(module: &Module, layout: &Layout, points_to: &PointsTo) -> HashSet<RegionId> {
    let (mut scalars, mut others) = (HashSet::new(), HashSet::from([points_to.external()]));
    // What is put together from pieces comes from nowhere.
    let is_piece = |bytes: u64| bytes < Ty::Ptr.bytes() && !seeded(Fault::PiecesFollowed);
    // What variables hold in the beginning is in no store.
    others.extend(module.globals.keys().map(|g| points_to.global(g)));
    for (id, func) in module.funcs.iter() {
        for inst in func.blocks.values().flat_map(|block| &block.insts).map(|&i| &func.insts[i]) {
            let region = |addr: Operand| points_to.region(id, addr);
            let bytes = inst.result.map_or(0, |v| func.values[v].ty.bytes());
            match &inst.op {
                Op::Load { addr, .. } => {
                    let named = is_named(module, layout, func, *addr, bytes);
                    if named { &mut others } else { &mut scalars }.insert(region(*addr));
                }
                Op::Store { addr, value, .. }
                | Op::Rmw { addr, value, .. }
                | Op::CmpXchg { addr, new: value, .. } => {
                    let bytes = func.operand_ty(*value).bytes();
                    let whole = !is_piece(bytes) && !is_named(module, layout, func, *addr, bytes);
                    if whole { &mut scalars } else { &mut others }.insert(region(*addr));
                }
                Op::MemCopy { dst, src, .. } => others.extend([region(*dst), region(*src)]),
                Op::Access { addr, .. } => _ = others.insert(region(*addr)),
                _ => {}
            }
        }
    }
    if !seeded(Fault::AllRegionsFollowed) {
        scalars.retain(|region| !others.contains(region));
    }
    scalars
}

/// Whether a member lies at the address, as far as the module says so.
fn is_named(module: &Module, layout: &Layout, func: &Function, addr: Operand, bytes: u64) -> bool {
    static_path(module, func, addr).is_some() || first_member(module, layout, func, addr, bytes).is_some()
}
