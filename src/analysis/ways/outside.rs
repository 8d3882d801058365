//! What code outside gives and gets, by what is declared of it.

use super::{Given, Place, Ways};
use crate::analysis::declared;
use crate::analysis::fields::{self, FieldId};
use crate::analysis::points_to::static_path;
use crate::fault::{Fault, seeded};
use lockpair_ir::*;

impl Ways<'_, '_> {
    /// A place of that type: what pointers in it point to.
    pub(super) fn declare(&mut self, place: Place, ty: Option<TypeId>, from_outside: bool) {
        let Some(ty) = ty.map(|ty| self.module.innermost_element(ty)) else { return };
        let pointee = self.module.pointee(ty);
        if fields::is_data(self.module, pointee.unwrap_or(ty)) {
            // Numbers are pointers to data only if they are read as pointers.
            self.data.extend(pointee.map(|_| place));
        } else {
            self.expect(place, pointee);
        }
        let untyped = self.is_untyped(Some(ty));
        if from_outside {
            match pointee.filter(|&ty| fields::is_data(self.module, ty)) {
                Some(_) if self.is_apart(place) => self.made_for_data(place),
                Some(ty) if self.module.is_character(ty) => self.given(place, Given::Characters),
                Some(_) => self.given(place, Given::Data),
                None if self.is_apart(place) => _ = self.given.insert(place, Given::Apart),
                None => _ = self.void.insert(place),
            }
        }
        if from_outside && untyped && !self.is_apart(place) {
            self.untyped(place, matches!(self.module.types[ty], TypeDef::Int { .. }));
        }
    }

    fn is_apart(&self, place: Place) -> bool {
        matches!(place, Place::Member(field) if (self.apart)(field) || seeded(Fault::AllMadeApart))
    }

    /// A parameter that leads to data, though nothing is declared of it.
    pub(super) fn buffer(&mut self, place: Place, from_outside: bool) {
        self.data.insert(place);
        if from_outside {
            self.given(place, Given::Data);
        }
    }

    /// A pointer that code outside gives, as if it were declared to point to characters.
    pub(super) fn characters(&mut self, place: Place) {
        self.data.insert(place);
        self.given(place, Given::Characters);
        self.made.insert(Place::Page);
        self.way(Place::Page, place);
    }

    /// A member in which code outside keeps its own buffers, of which others may lead to the same.
    fn made_for_data(&mut self, place: Place) {
        self.given.insert(place, Given::Apart);
        self.made.insert(Place::Buffer);
        if !seeded(Fault::BuffersApart) {
            self.way(Place::Buffer, place);
        }
    }

    /// Code outside gives a pointer to data, of its own or one that it was given as such.
    fn given(&mut self, place: Place, given: Given) {
        self.given.insert(place, given);
        self.way(Place::OutsideData, place);
    }

    /// Whether the type says nothing of what there is behind a pointer, or is no pointer.
    pub(super) fn is_untyped(&self, ty: Option<TypeId>) -> bool {
        let pointee = ty.and_then(|ty| self.module.pointee(ty));
        pointee.is_none_or(|ty| matches!(self.module.types[ty], TypeDef::Void))
    }

    /// Code outside gives a pointer to anything, or a number. That is a pointer only if the module has given it as a number:
    /// what code outside makes itself, and what it keeps in members of its own, leads to none of the module's structs. A
    /// pointer may be one that the module has given without a type, or as one to data.
    fn untyped(&mut self, place: Place, is_number: bool) {
        let is_member = !matches!(place, Place::Value(..));
        match is_number {
            true if seeded(Fault::NumbersKept) => {}
            true if is_member => self.way(place, Place::OutsideNumbers),
            true => self.way(Place::OutsideNumbers, place),
            false => self.way(Place::Outside, place),
        }
    }

    /// Code outside gets what is in the member. A pointer without a type it finds there because it knows what is kept there;
    /// it does not hand it on as something else.
    pub(super) fn given_outside(&mut self, field: FieldId) {
        let place = self.of_field(field);
        let ty = fields::element(self.module, field).filter(|&ty| self.module.pointee(ty).is_none());
        self.goes_outside(place, ty);
    }

    /// Code outside gets what is in a place of that type.
    pub(super) fn goes_outside(&mut self, place: Place, ty: Option<TypeId>) {
        let Some(ty) = ty else { return };
        match self.module.pointee(ty).map(|to| &self.module.types[to]) {
            Some(TypeDef::Void) => self.way(place, Place::Outside),
            None if self.module.size_of(ty) < 8 => {}
            None => self.way(place, Place::OutsideNumbers),
            // Of anything else it knows what it gets.
            Some(_) => self.bytes_go_outside(place, Some(ty)),
        }
    }

    /// Code outside finds in a place of that type a pointer that says nothing but that there are data.
    pub(super) fn bytes_go_outside(&mut self, place: Place, ty: Option<TypeId>) {
        let pointee = ty.and_then(|ty| self.module.pointee(ty)).map(|to| &self.module.types[to]);
        if matches!(pointee, Some(TypeDef::Int { .. } | TypeDef::Float(_))) && !seeded(Fault::BytesStay) {
            self.way(place, Place::OutsideData);
        }
    }

    /// Code outside puts something into the member.
    pub(super) fn written_outside(&mut self, field: FieldId) {
        let place = self.of_field(field);
        self.gets_from_outside(place, fields::element(self.module, field));
    }

    /// Code outside puts something into a place of that type.
    fn gets_from_outside(&mut self, place: Place, ty: Option<TypeId>) {
        let Some(ty) = ty else { return };
        self.declare(place, Some(ty), true);
        match self.module.pointee(ty).map(|to| &self.module.types[to]) {
            Some(TypeDef::Void) => self.way(Place::Outside, place),
            None => self.way(Place::OutsideNumbers, place),
            Some(_) => {}
        }
    }

    /// Code outside reads or writes the variable.
    pub(super) fn variable_accessed(&mut self, place: Place, write: bool) {
        match self.variable_type(place) {
            Some(ty) if self.module.as_struct(ty).is_some() => {}
            Some(ty) if write => self.gets_from_outside(place, Some(ty)),
            Some(ty) => self.goes_outside(place, Some(ty)),
            None => {
                self.way(place, Place::Memory);
                self.way(Place::Memory, place);
            }
        }
    }

    /// What a variable, or each element of it, is declared to be.
    fn variable_type(&self, place: Place) -> Option<TypeId> {
        let declared = match place {
            Place::Variable(g) => self.module.globals[g].ty,
            Place::Slot(f, v) => {
                let func = &self.module.funcs[f];
                match func.insts[func.values[v].inst?].op {
                    Op::Alloca { ty, .. } => ty,
                    _ => None,
                }
            }
            _ => None,
        };
        Some(self.module.innermost_element(declared?))
    }

    /// Unknown code gets a value, which its parameter is declared to point to. Who is declared to get a struct knows what it
    /// gets; but one of the module's own may be handed on without a type by who knows it, too. What is no data and is got
    /// without a type is not given as data.
    pub(super) fn handed(&mut self, id: FuncId, func: &Function, arg: Operand, pointee: Option<TypeId>) {
        let strukt = pointee.and_then(|ty| self.module.as_struct(ty));
        match strukt {
            Some(def) if !def.module_private => {}
            Some(_) => self.leaves(id, func, arg),
            None => {
                self.block(id, arg);
                self.leaves(id, func, arg);
                let is_untyped = |ty: TypeId| matches!(self.module.types[ty], TypeDef::Void);
                let own = pointee.filter(|&ty| is_untyped(ty)).and(declared::pointee(self.module, func, arg));
                let as_data = own.is_none_or(|ty| fields::is_data(self.module, ty));
                if as_data && func.operand_ty(arg) == Ty::Ptr && !self.is_kernels_alone(func, arg) {
                    self.to(id, arg, Place::OutsideData);
                }
            }
        }
    }

    /// Whether it is declared which struct the pointer leads to, or is in.
    pub(super) fn is_declared(&self, func: &Function, op: Operand) -> bool {
        let by_value = || match op {
            Operand::Value(v) => declared::strukt(self.module, func, v).is_some(),
            _ => false,
        };
        static_path(self.module, func, op).is_some() || by_value()
    }

    /// Code outside gets a value of which it is not declared what it points to.
    pub(super) fn leaves(&mut self, func: FuncId, body: &Function, op: Operand) {
        let is_number = matches!(body.operand_ty(op), Ty::Int(_));
        self.to(func, op, if is_number { Place::OutsideNumbers } else { Place::Outside });
    }

    /// Pointers in a place point to objects of the type.
    pub(super) fn expect(&mut self, place: Place, ty: Option<TypeId>) {
        let Some(mut ty) = ty else { return };
        while let TypeDef::Array { elem, .. } = self.module.types[ty] {
            ty = elem;
        }
        if self.module.as_struct(ty).is_some() {
            self.structs.entry(place).or_default().insert(ty);
            self.declared.insert(place);
        }
    }
}
