//! Which members of the module's own structs can be reached through pointers that are declared to point to
//! numbers or characters.
//!
//! Only code of the module can make such a pointer: by taking the address of the member, or by turning a
//! pointer to the struct into one (or the other way round). Where it does neither, data behind such pointers
//! and the member are apart (Diwan, McKinley, Moss, PLDI 1998, "address taken"; assumption `private-struct`).

use super::declared;
use super::fields::{self, FieldId};
use super::layout::{Layout, Shape};
use super::points_to::{static_path, taken_operands};
use crate::fault::{Fault, seeded};
use lockpair_ir::*;
use std::collections::HashSet;

/// What is exposed.
#[derive(Default)]
pub struct Exposed {
    fields: HashSet<FieldId>,
    structs: HashSet<TypeId>,
    /// An untyped pointer became one to data: it may have pointed to anything.
    all: bool,
}

impl Exposed {
    /// Looks through all code of the module.
    pub fn new(module: &Module, layout: &Layout) -> Exposed {
        let mut exposed = Exposed::default();
        for func in module.funcs.values() {
            for block in func.blocks.values() {
                for inst in block.insts.iter().map(|&i| &func.insts[i]) {
                    exposed.addresses(module, layout, func, inst);
                    exposed.conversions(module, func, &inst.op);
                }
                if let Terminator::Ret(Some(v)) = block.term {
                    exposed.address(module, layout, func, v);
                    let to = func.ret_decl.and_then(|ty| module.pointee(ty));
                    exposed.conversion(module, converted_from(module, func, v), to);
                }
            }
        }
        let anywhere = Function::declaration("initial values");
        for cell in module.globals.values().flat_map(|g| &g.init) {
            exposed.address(module, layout, &anywhere, cell.value);
        }
        exposed
    }

    /// Whether bytes of a struct of the module's own are out of reach of pointers to data.
    pub fn is_hidden(&self, module: &Module, layout: &Layout, shape: Shape) -> bool {
        if self.all {
            return false;
        }
        match shape {
            Shape::In { strukt, lo, .. } => {
                let (inner, _) = layout.innermost(strukt, lo);
                let private = module.as_struct(inner).is_some_and(|s| s.module_private);
                let field = fields::of_shape(module, layout, shape);
                private
                    && !self.structs.contains(&inner)
                    && !self.structs.contains(&strukt)
                    && field.is_some_and(|f| !self.fields.contains(&f))
            }
            Shape::Whole(ty) => {
                let private = module.as_struct(ty).is_some_and(|s| s.module_private);
                private && !self.structs.contains(&ty) && self.fields.iter().all(|f| f.strukt != ty)
            }
            Shape::Scalar(_) | Shape::Wild => false,
        }
    }

    /// Whether pointers to the struct become pointers to data, or the other way round.
    pub fn is_converted(&self, strukt: TypeId) -> bool {
        self.all || self.structs.contains(&strukt)
    }

    fn addresses(&mut self, module: &Module, layout: &Layout, func: &Function, inst: &Inst) {
        // A step to an element is no use of the address: what is done with the element's is.
        let is_step = matches!(inst.op, Op::PtrAdd { .. })
            && inst.result.is_some_and(|v| static_path(module, func, Operand::Value(v)).is_some());
        if is_step || seeded(Fault::ExposedByNothing) {
            return;
        }
        for taken in taken_operands(&inst.op) {
            self.address(module, layout, func, taken);
        }
    }

    /// The address of a member goes somewhere.
    fn address(&mut self, module: &Module, layout: &Layout, func: &Function, taken: Operand) {
        let Some((strukt, offset)) = static_path(module, func, taken) else { return };
        let shape = Shape::In { strukt, lo: offset, hi: offset + 1 };
        self.fields.extend(fields::of_shape(module, layout, shape));
    }

    fn conversions(&mut self, module: &Module, func: &Function, op: &Op) {
        let from = |op: Operand| converted_from(module, func, op);
        match op {
            Op::Store { addr, value, .. } if func.operand_ty(*value) == Ty::Ptr => {
                self.conversion(module, from(*value), declared::stored_pointee(module, func, *addr));
            }
            Op::PtrAdd { base, within: Some(strukt), .. } => {
                self.conversion(module, from(*base), Some(*strukt));
            }
            Op::Call { callee: Callee::Func(f), args } => {
                for (arg, param) in args.iter().zip(&module.funcs[*f].params) {
                    self.conversion(module, from(*arg), param.decl.and_then(|ty| module.pointee(ty)));
                }
            }
            _ => {}
        }
    }

    /// A pointer to one type becomes a pointer to another.
    fn conversion(&mut self, module: &Module, from: Option<TypeId>, to: Option<TypeId>) {
        let (Some(from), Some(to)) = (from, to) else { return };
        if seeded(Fault::ExposedByNothing) {
            return;
        }
        let is_void = |ty: TypeId| matches!(module.types[ty], TypeDef::Void);
        let is_struct = |ty: TypeId| module.as_struct(ty).is_some();
        match (fields::is_data(module, from), fields::is_data(module, to)) {
            (true, false) if is_struct(to) => _ = self.structs.insert(to),
            (false, true) if is_struct(from) => _ = self.structs.insert(from),
            (false, true) => self.all |= is_void(from),
            _ => {}
        }
    }
}

/// The type that a pointer was declared to point to before it was moved.
fn converted_from(module: &Module, func: &Function, op: Operand) -> Option<TypeId> {
    match declared::root(func, op) {
        Operand::Global(g, _) => module.globals[g].ty.filter(|&ty| fields::is_data(module, ty)),
        root => declared::pointee(module, func, root),
    }
}
