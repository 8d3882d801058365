//! Members of globals that keep their initial value, because nobody stores to them.
//!
//! A driver fills in a static `struct miscdevice` by an initializer and hands it to the kernel. The kernel
//! links it into its lists, but is taken not to change the pointers that the driver put there.

use super::layout::Layout;
use super::points_to::static_path;
use lockpair_ir::*;
use std::collections::HashSet;

/// The members that code of the module stores to.
pub struct Fixed {
    stored: HashSet<(TypeId, u64)>,
    /// Structs that are written as a whole somewhere.
    overwritten: HashSet<TypeId>,
}

impl Fixed {
    /// Looks through all code of the module.
    pub fn new(module: &Module, layout: &Layout) -> Fixed {
        let mut fixed = Fixed { stored: HashSet::new(), overwritten: HashSet::new() };
        for func in module.funcs.values() {
            for &i in func.blocks.values().flat_map(|b| &b.insts) {
                fixed.instruction(module, layout, func, &func.insts[i].op);
            }
        }
        fixed
    }

    fn instruction(&mut self, module: &Module, layout: &Layout, func: &Function, op: &Op) {
        let (addr, whole) = match op {
            Op::Store { addr, .. } | Op::Rmw { addr, .. } | Op::CmpXchg { addr, .. } => (*addr, false),
            Op::MemSet { dst, .. } | Op::MemCopy { dst, .. } => (*dst, true),
            Op::Access { addr, write: true, len: Operand::Int { value, .. }, .. } => (*addr, *value > 8),
            Op::Access { addr, write: true, .. } => (*addr, true),
            _ => return,
        };
        let Some((strukt, offset)) = static_path(module, func, addr) else { return };
        let (inner, at) = layout.innermost(strukt, offset);
        self.stored.insert((inner, at));
        if whole {
            self.overwritten.extend([strukt, inner]);
        }
    }

    /// The pointer that the member of the global holds, if it keeps its initial one.
    pub fn pointer(&self, module: &Module, layout: &Layout, g: GlobalId, offset: u64) -> Option<Operand> {
        let global = &module.globals[g];
        let strukt = global.ty.filter(|ty| global.defined && module.as_struct(*ty).is_some())?;
        let (inner, at) = layout.innermost(strukt, offset);
        let written = self.stored.contains(&(inner, at))
            || self.overwritten.contains(&inner)
            || self.overwritten.contains(&strukt);
        let cell = global.init.iter().find(|c| c.offset == offset && c.size == 8)?;
        (!written && matches!(cell.value, Operand::Global(..))).then_some(cell.value)
    }
}
