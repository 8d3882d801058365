//! Where the instructions of the module pass pointers on.

use super::at::*;
use super::{Place, Ways};
use crate::analysis::declared;
use crate::analysis::fields::{self, FieldId};
use crate::analysis::layout::Shape;
use crate::analysis::points_to::{static_path, taken_operands};
use lockpair_ir::*;
use rustc_hash::FxHashSet;

/// No object lies below (the first page is never mapped).
const SMALLEST_POINTER: u128 = 4096;

impl Ways<'_, '_> {
    pub(super) fn member(&mut self, func: &Function, addr: Operand) -> Place {
        match member(self.module, self.layout, func, addr) {
            Some(field) => self.of_field(field),
            None => Place::Memory,
        }
    }

    pub(super) fn of_field(&mut self, field: FieldId) -> Place {
        let place = Place::Member(field);
        if self.members.insert(field) {
            let private = self.module.as_struct(field.strukt).is_some_and(|s| s.module_private);
            self.declare(place, fields::element(self.module, field), !private);
            if !private {
                self.bytes_go_outside(place, fields::element(self.module, field));
            }
            let pointee = fields::pointee(self.module, field);
            if self.taken.contains(&field) && !self.is_kernels(pointee) {
                self.way(place, Place::Memory);
                self.way(Place::Memory, place);
            }
        }
        place
    }

    /// The memory that so many bytes at an address are of.
    fn memory(&mut self, id: FuncId, func: &Function, addr: Operand, bytes: u64) -> Place {
        if static_path(self.module, func, addr).is_some() {
            return self.member(func, addr);
        }
        // What lies in a constant, at whatever index, has been there from the beginning; in an array of pointers, it was put there.
        if let Some(variable) = constants::variable(func, addr).filter(|&g| self.is_followed(g)) {
            return Place::Variable(variable);
        }
        match addr {
            Operand::Global(g, _) => Place::Variable(g),
            Operand::Value(v) if is_slot(func, v) => Place::Slot(id, v),
            _ => {
                let pointer = Self::place(id, addr);
                let first = first_member(self.module, self.layout, func, addr, bytes);
                if let (Some(pointer), Some((strukt, field))) = (pointer, first) {
                    self.expect(pointer, Some(strukt));
                    self.blocks.insert(pointer);
                    self.firsts.insert(field);
                    return self.of_field(field);
                }
                // Who reads or writes a scalar behind a pointer takes it for one to data.
                self.data.extend(pointer);
                self.unnamed(id, addr)
            }
        }
    }

    /// Whether all that lies in the variable, at whatever index, is known by the variable.
    fn is_followed(&self, variable: GlobalId) -> bool {
        let global = &self.module.globals[variable];
        global.constant && global.defined || self.pointer_arrays.contains(&variable)
    }

    /// The memory behind a pointer of which nothing is declared.
    fn unnamed(&self, id: FuncId, addr: Operand) -> Place {
        let region = self.points_to.region(id, addr);
        if self.followed.contains(&region) { Place::Region(region) } else { Place::Memory }
    }

    /// The pointer members in a block of known length of a struct.
    fn pointers_accessed(&self, func: &Function, addr: Operand, len: Operand) -> Vec<FieldId> {
        let (Some((strukt, at)), Operand::Int { value: len, .. }) =
            (static_path(self.module, func, addr), len)
        else {
            return vec![];
        };
        let ends = u64::try_from(len).ok().and_then(|len| at.checked_add(len)).unwrap_or(u64::MAX);
        let inside =
            |at: u64| fields::of_shape(self.module, self.layout, Shape::In { strukt, lo: at, hi: at + 8 });
        let places = (at..ends.min(self.module.size_of(strukt))).step_by(8);
        let is_pointer = |field: &FieldId| fields::pointee(self.module, *field).is_some();
        places.filter_map(inside).filter(is_pointer).collect::<FxHashSet<_>>().into_iter().collect()
    }

    /// Pointers in a block that is copied become what the other struct has at their place.
    fn copy(&mut self, func: &Function, dst: Operand, src: Operand) {
        let of = |op: Operand| {
            let is_struct = |ty: &TypeId| self.module.as_struct(*ty).is_some();
            let pointee = declared::pointee(self.module, func, op);
            let declared = pointee.or_else(|| self.of_variable(func, op)).filter(is_struct);
            let begin = |(strukt, at)| {
                let whole = (at == 0).then_some(strukt);
                whole
                    .into_iter()
                    .chain(self.layout.begin_at(strukt, at))
                    .filter(is_struct)
                    .collect::<Vec<_>>()
            };
            let beginning = static_path(self.module, func, op).map(begin).unwrap_or_default();
            declared.map_or(beginning, |ty| vec![ty])
        };
        let (from, to) = (of(src), of(dst));
        self.copied.extend(from.iter().chain(&to));
        if from == to || from.iter().any(|ty| to.contains(ty)) {
            return;
        }
        for (structs, is_source) in [(from, true), (to, false)] {
            for field in structs.into_iter().flat_map(|ty| self.pointers_in(ty)).collect::<Vec<_>>() {
                let place = self.of_field(field);
                let (a, b) = if is_source { (place, Place::Memory) } else { (Place::Memory, place) };
                self.way(a, b);
            }
        }
    }

    /// What a pointer that was read from a variable is declared to point to.
    fn of_variable(&self, func: &Function, op: Operand) -> Option<TypeId> {
        let Operand::Value(v) = op else { return None };
        match func.insts[func.values[v].inst?].op {
            Op::Load { addr: Operand::Global(g, _), .. } => self.module.pointee(self.module.globals[g].ty?),
            _ => None,
        }
    }

    /// The pointer members of a struct of the module's own, and of the structs in it.
    fn pointers_in(&self, strukt: TypeId) -> Vec<FieldId> {
        let Some(def) = self.module.as_struct(strukt).filter(|s| s.module_private) else { return vec![] };
        let mut out = Vec::new();
        for field in def.fields.iter().filter(|f| f.bits.is_none()) {
            let mut ty = field.ty;
            while let TypeDef::Array { elem, .. } = self.module.types[ty] {
                ty = elem;
            }
            match &self.module.types[ty] {
                TypeDef::Struct(_) => out.extend(self.pointers_in(ty)),
                TypeDef::Ptr(_) if !def.is_union => out.push(FieldId { strukt, offset: field.offset }),
                _ => {}
            }
        }
        out
    }

    /// Variables whose address goes somewhere.
    fn taken(&mut self, id: FuncId, func: &Function, op: &Op) {
        for operand in taken_operands(op) {
            let Some(place) = variable(id, func, operand) else { continue };
            let is_element = matches!(operand, Operand::Global(g, _) if self.pointer_arrays.contains(&g));
            if is_element || is_content(op, operand) {
                continue;
            }
            let memory = self.unnamed(id, operand);
            self.way(place, memory);
            let constant = matches!(operand, Operand::Global(g, _) if self.module.globals[g].constant);
            if !constant {
                self.way(memory, place);
            }
        }
    }

    pub(super) fn instruction(&mut self, id: FuncId, func: &Function, i: InstId) {
        let inst = &func.insts[i];
        self.taken(id, func, &inst.op);
        self.accessed.extend(self.accesses(id, i, &inst.op).into_iter().filter_map(|op| Self::place(id, op)));
        // A step to an element is one in the array; who names a member of a struct takes the address for that of the struct.
        let entered = match inst.op {
            Op::PtrAdd { base, within: Some(_), .. } => vec![base],
            _ if is_step(self.module, func, inst) => vec![],
            _ => taken_operands(&inst.op),
        };
        entered.into_iter().for_each(|op| self.bytes_go(id, func, op));
        let result = inst.result.map(|v| Place::Value(id, v));
        let narrow = |op: Operand| matches!(func.operand_ty(op), Ty::Int(bits) if bits < 64);
        match &inst.op {
            Op::PtrAdd { base, offset, scaled, within: Some(strukt) } => {
                // Who names a member somewhere does not say what the pointer is elsewhere.
                if let Some(base) = Self::place(id, *base) {
                    self.structs.entry(base).or_default().insert(*strukt);
                }
                // What is at the start may be meant as the struct: so is what a variable was declared as.
                if *offset == 0 && scaled.is_empty() {
                    self.pass(id, &[*base], result);
                }
                let declared = inst.result.is_some_and(|v| func.as_struct.contains(&v));
                match (result, u64::try_from(*offset)) {
                    (Some(r), _) if declared => self.expect(r, Some(*strukt)),
                    (Some(r), Ok(at)) => self.parts(r, *strukt, at),
                    (r, _) => self.backward.extend(r),
                }
                let by = scaled.is_empty().then_some(*offset);
                self.member_steps.extend(Self::place(id, *base).zip(result).map(|(from, to)| (from, to, by)));
            }
            Op::Alloca { ty, .. } => {
                let is_data = ty.is_some_and(|ty| fields::is_data(self.module, ty));
                self.declared_data.extend(result.filter(|_| is_data));
                if let Some(r) = result {
                    self.expect(r, *ty);
                    self.made.insert(r);
                }
            }
            Op::Load { addr, .. } => {
                let bytes = inst.result.map_or(0, |v| func.values[v].ty.bytes());
                let from = self.memory(id, func, *addr, bytes);
                match result.filter(|_| inst.result.is_some_and(|v| !narrow(Operand::Value(v)))) {
                    Some(r) => self.way(from, r),
                    None => _ = self.unseen.insert(from),
                }
            }
            Op::Store { addr, value, .. }
            | Op::Rmw { addr, value, .. }
            | Op::CmpXchg { addr, new: value, .. } => {
                let place = self.memory(id, func, *addr, func.operand_ty(*value).bytes());
                if narrow(*value) {
                    self.unseen.extend(Self::place(id, *value));
                } else {
                    self.to(id, *value, place);
                    if let Some(r) = result {
                        self.way(place, r);
                    }
                }
            }
            Op::Call { callee, args } => self.call(id, func, i, callee, args),
            Op::MemCopy { dst, src, len } => {
                self.block(id, *dst);
                self.copy(func, *dst, *src);
                let named = static_path(self.module, func, *src).map(|_| self.member(func, *src));
                self.unseen.extend(variable(id, func, *src).into_iter().chain(named));
                if let Operand::Int { value: 8, .. } = len
                    && [dst, src].into_iter().any(|op| variable(id, func, *op).is_some())
                {
                    let (from, to) = (self.memory(id, func, *src, 8), self.memory(id, func, *dst, 8));
                    self.way(from, to);
                }
            }
            Op::MemSet { dst, .. } => self.block(id, *dst),
            Op::Access { addr, len, write, .. } => {
                let named = named_member(self.module, self.layout, func, &inst.op);
                if named.is_none() {
                    self.block(id, *addr);
                }
                if let Some(place) = variable(id, func, *addr) {
                    self.variable_accessed(place, *write);
                }
                let inside = self.pointers_accessed(func, *addr, *len);
                for field in named.into_iter().chain(inside) {
                    if *write { self.written_outside(field) } else { self.given_outside(field) }
                }
            }
            Op::Cmp(..) => {}
            Op::Alloc { .. } => self.made.extend(result),
            // What is left of a pointer after these is none.
            Op::Bin(BinOp::Mul | BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem, ..) => {}
            Op::Bin(BinOp::And, _, Operand::Int { value: ..SMALLEST_POINTER, .. }) => {}
            // The distance between two pointers is no pointer (assumption `in-bounds`).
            Op::Bin(BinOp::Sub, a, _) => {
                self.pass(id, &[*a], result);
                self.backward.extend(result);
            }
            Op::Bin(op, a, b) => {
                self.pass(id, &[*a, *b], result);
                self.backward.extend(result.filter(|_| *op != BinOp::Add));
                self.step(id, *a, result, None);
                self.step(id, *b, result, None);
            }
            Op::Select { then: a, els: b, .. } => self.pass(id, &[*a, *b], result),
            Op::PtrAdd { base, offset, scaled, within: None } => {
                self.pass(id, &[*base], result);
                self.step(id, *base, result, scaled.is_empty().then_some(*offset));
                self.backward.extend(result.filter(|_| *offset < 0));
            }
            Op::External { name, args } => {
                // Unknown code may give back what it is given, or what lies behind.
                let pointers: Vec<_> =
                    args.iter().copied().filter(|a| func.operand_ty(*a) == Ty::Ptr).collect();
                self.pass(id, &pointers, result);
                pointers.into_iter().for_each(|pointer| self.step(id, pointer, result, None));
                let callee = self.module.func_named(name).map(|f| &self.module.funcs[f]);
                // A callback gets it as the argument that only the driver knows the type of.
                for (n, &arg) in args.iter().enumerate() {
                    let decl = callee.and_then(|f| f.params.get(n)?.decl);
                    self.handed(id, func, arg, decl.and_then(|ty| self.module.pointee(ty)));
                }
                if let Some(r) = result {
                    self.declare(r, callee.and_then(|f| f.ret_decl), false);
                    self.void.insert(r);
                }
            }
            // An error number leads to nothing.
            Op::Cast(CastOp::Error, _) => self.made.extend(result),
            Op::Data => result.into_iter().for_each(|place| self.characters(place)),
            // Others find it without a type; if it has one, they know it (assumption `type-split`).
            Op::Publish { ptr, .. } if self.is_declared(func, *ptr) => {
                self.unseen.extend(Self::place(id, *ptr))
            }
            Op::Publish { ptr, .. } => {
                self.leaves(id, func, *ptr);
                // Who knows the number knows no type of it, either.
                if is_from_number(func, *ptr) {
                    self.to(id, *ptr, Place::OutsideData);
                }
            }
            Op::Register { callback, argument: Some((n, value)), .. } => {
                let param = match callback {
                    Some(Operand::Func(f)) => {
                        self.module.funcs[*f].params.get(*n as usize).map(|p| Place::Value(*f, p.value))
                    }
                    _ => None,
                };
                match param {
                    Some(param) => self.to(id, *value, param),
                    None => self.leaves(id, func, *value),
                }
            }
            op => self.pass(id, &op.operands(), result),
        }
    }

    /// The addresses behind which the instruction may access memory.
    fn accesses(&self, func: FuncId, i: InstId, op: &Op) -> Vec<Operand> {
        let is_known = match op {
            Op::Call { callee: Callee::Func(f), .. } => self.module.funcs[*f].is_defined(),
            Op::Call { callee: Callee::Indirect(..), .. } => self.calls.targets(func, i).complete,
            _ => false,
        };
        if is_known { vec![] } else { accessed(op) }
    }

    fn step(&mut self, func: FuncId, from: Operand, to: Option<Place>, by: Option<i64>) {
        self.steps.extend(Self::place(func, from).zip(to).map(|(from, to)| (from, to, by)));
    }

    fn pass(&mut self, func: FuncId, from: &[Operand], to: Option<Place>) {
        if let Some(to) = to {
            from.iter().for_each(|op| self.to(func, *op, to));
        }
    }

    fn call(&mut self, id: FuncId, func: &Function, i: InstId, callee: &Callee, args: &[Operand]) {
        let module = self.module;
        let result = func.insts[i].result.map(|v| Place::Value(id, v));
        let targets = match callee {
            Callee::Func(f) => vec![*f],
            Callee::Indirect(..) => self.calls.targets(id, i).funcs.clone(),
            Callee::Asm(_) => vec![],
        };
        let known = match callee {
            Callee::Func(f) => module.funcs[*f].is_defined(),
            Callee::Indirect(..) => self.calls.targets(id, i).complete,
            Callee::Asm(_) => false,
        };
        self.void.extend(result.filter(|_| !known));
        if !known {
            let declared = match callee {
                Callee::Indirect(pointer, _) => {
                    declared::prototype(module, func, *pointer).unwrap_or_default()
                }
                Callee::Func(_) | Callee::Asm(_) => &[],
            };
            for (n, &arg) in args.iter().enumerate() {
                self.handed(id, func, arg, declared.get(n).and_then(|&ty| module.pointee(ty)));
            }
        }
        for target in targets {
            for (n, &arg) in args.iter().enumerate() {
                let param = module.funcs[target].params.get(n);
                self.to(id, arg, param.map_or(Place::Memory, |p| Place::Value(target, p.value)));
            }
            if let Some(r) = result {
                self.way(Place::Result(target), r);
            }
        }
    }

    /// What is at the offset of a struct.
    pub(super) fn parts(&mut self, place: Place, strukt: TypeId, offset: u64) {
        self.inside.entry(place).or_default().insert(strukt);
        for ty in self.layout.begin_at(strukt, offset) {
            self.expect(place, Some(ty));
        }
    }
}
