//! All ways that pointers go, whatever the objects: through values, members, variables, memory and calls, with the types
//! that they are taken for at each place.
//!
//! Two questions are answered with it: which structs are turned into data, or the other way round (`exposed`), and what
//! the object may be that a pointer leads to (`objects`).

mod bytes;
mod explain;
mod followed;

use self::bytes::Bytes;
use super::calls::CallTargets;
use super::declared;
use super::fields::{self, FieldId};
use super::layout::{Layout, Shape};
use super::points_to::{PointsTo, RegionId, static_path, taken_operands};
use crate::fault::{Fault, seeded};
use lockpair_ir::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::HashSet;

/// Where a pointer can be.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub(super) enum Place {
    /// A value of a function.
    Value(FuncId, ValueId),
    /// What a function returns.
    Result(FuncId),
    /// A member, of any object.
    Member(FieldId),
    /// A variable that is no struct.
    Variable(GlobalId),
    /// A variable on the stack that is no struct.
    Slot(FuncId, ValueId),
    /// The address of a global.
    Address(GlobalId),
    /// A pointer to data that code outside has (`Op::Data`): a page may be asked for twice.
    Page,
    /// A pointer to a buffer that code outside has made for data alone: several members may have it.
    Buffer,
    /// Memory of a region that is followed (`followed.rs`).
    Region(RegionId),
    /// Any other memory, and all whose address is taken.
    Memory,
    /// Code outside, which hands what it was given to callbacks.
    Outside,
    /// The same for what it was given as a number.
    OutsideNumbers,
    /// The same for what it may have been given as data: nobody knows what its functions are declared to take.
    OutsideData,
}

/// As what code outside gives a pointer to data.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Given {
    /// As one to characters.
    Characters,
    /// As one to other numbers, or to pointers.
    Data,
    /// As one to numbers that it has made for members like this.
    Apart,
}

/// How code outside calls the module's functions.
pub struct Outside<'a> {
    /// Whether it may call the function.
    pub calls: &'a dyn Fn(FuncId) -> bool,
    /// Whether the parameter points to what nobody else has while the call lasts, whoever calls.
    pub owned: &'a dyn Fn(FuncId, u32) -> bool,
    /// Whether the parameter is what the module has registered the function with, whoever calls.
    pub registered: &'a dyn Fn(FuncId, u32) -> bool,
    /// Whether the parameter leads to data, whoever calls, and whatever it is declared to point to.
    pub data: &'a dyn Fn(FuncId, u32) -> bool,
    /// Whether it puts nothing into the member but what it has made for it, or for members like it.
    pub apart: &'a dyn Fn(FieldId) -> bool,
}

/// All ways that pointers go, whatever the objects.
pub struct Ways<'a, 'm> {
    pub(super) module: &'m Module,
    layout: &'a Layout<'m>,
    calls: &'a CallTargets,
    taken: &'a HashSet<FieldId>,
    members: FxHashSet<FieldId>,
    apart: &'a dyn Fn(FieldId) -> bool,
    points_to: &'a PointsTo,
    followed: HashSet<RegionId>,
    pub(super) next: Links,
    pub(super) before: Links,
    /// Where pointers to these structs are expected.
    pub(super) structs: FxHashMap<Place, FxHashSet<TypeId>>,
    /// Where only such are, by declaration.
    pub(super) declared: FxHashSet<Place>,
    /// Pointers to parts of these structs that are no structs.
    pub(super) inside: FxHashMap<Place, FxHashSet<TypeId>>,
    /// Pointers to what may lie in front of what was pointed to before.
    pub(super) backward: FxHashSet<Place>,
    /// Where pointers to data are expected.
    pub(super) data: FxHashSet<Place>,
    /// Where only such are, by declaration of a variable.
    pub(super) declared_data: FxHashSet<Place>,
    /// Where pointers are that code outside gives, and declares to point to anything, or to nothing.
    pub(super) void: FxHashSet<Place>,
    /// The same, declared to point to data.
    pub(super) given: FxHashMap<Place, Given>,
    /// Addresses of arrays of numbers or characters that go somewhere.
    bytes: FxHashMap<Place, Bytes>,
    /// Places from which pointers may go on unseen: in pieces, in blocks, or in the hands of others who know their type.
    unseen: FxHashSet<Place>,
    /// Structs that are copied as a block.
    copied: HashSet<TypeId>,
    /// First members that are accessed through pointers without a path.
    firsts: FxHashSet<FieldId>,
    /// Where blocks of bytes and first members are accessed.
    blocks: FxHashSet<Place>,
    /// Where any memory is accessed.
    accessed: FxHashSet<Place>,
    /// Steps to members.
    pub(super) member_steps: Vec<(Place, Place)>,
    /// Steps by a number of bytes or elements, with the number if it is known.
    pub(super) steps: Vec<(Place, Place, Option<i64>)>,
    /// Objects that the module makes or has.
    pub(super) made: FxHashSet<Place>,
    /// What the kernel's pointers that are put somewhere in memory are declared to point to.
    pub(super) kernels: FxHashSet<TypeId>,
}

/// No object lies below (the first page is never mapped).
const SMALLEST_POINTER: u128 = 4096;

/// From each place where else.
pub(super) type Links = FxHashMap<Place, FxHashSet<Place>>;

impl<'a, 'm> Ways<'a, 'm> {
    /// Looks through all code of the module. `taken`: members whose address goes somewhere.
    pub fn new(
        module: &'m Module,
        layout: &'a Layout<'m>,
        (calls, points_to): (&'a CallTargets, &'a PointsTo),
        taken: &'a HashSet<FieldId>,
        outside: &Outside<'a>,
    ) -> Ways<'a, 'm> {
        let mut ways = Ways {
            module,
            layout,
            calls,
            taken,
            members: Default::default(),
            apart: outside.apart,
            points_to,
            followed: followed::regions(module, layout, points_to),
            next: Default::default(),
            before: Default::default(),
            structs: Default::default(),
            declared: Default::default(),
            inside: Default::default(),
            backward: Default::default(),
            data: Default::default(),
            declared_data: Default::default(),
            void: FxHashSet::from_iter([Place::Memory, Place::Outside, Place::OutsideNumbers]),
            given: Default::default(),
            bytes: Default::default(),
            unseen: Default::default(),
            copied: HashSet::new(),
            firsts: Default::default(),
            blocks: Default::default(),
            accessed: Default::default(),
            member_steps: Vec::new(),
            steps: Vec::new(),
            made: Default::default(),
            kernels: Default::default(),
        };
        ways.globals();
        for (id, func) in module.funcs.iter() {
            for (n, p) in func.params.iter().enumerate().filter(|_| func.is_defined()) {
                let (place, n) = (Place::Value(id, p.value), n as u32);
                let owned = (outside.owned)(id, n);
                ways.made.extend(owned.then_some(place));
                let from_outside = (outside.calls)(id) && !owned && !(outside.registered)(id, n);
                match (outside.data)(id, n) && ways.is_untyped(p.decl) {
                    true => ways.buffer(place, from_outside),
                    false => ways.declare(place, p.decl, from_outside),
                }
            }
            ways.declared_data.extend(func.as_data.iter().map(|&v| Place::Value(id, v)));
            let used = used_values(func);
            for block in func.blocks.values() {
                for &i in &block.insts {
                    let inst = &func.insts[i];
                    let is_idle = matches!(inst.op, Op::Select { .. } | Op::Phi(_))
                        && inst.result.is_some_and(|v| !used.contains(&v));
                    if !is_idle {
                        ways.instruction(id, func, i);
                    }
                }
                if let Terminator::Ret(Some(v)) = block.term {
                    ways.to(id, v, Place::Result(id));
                    ways.bytes_go(id, func, v);
                    if (outside.calls)(id) {
                        ways.goes_outside(Place::Result(id), func.ret_decl);
                    }
                }
            }
        }
        ways
    }

    /// The structs of which a pointer is at a place that is on a way from where one comes from that is taken for one to
    /// data somewhere. What code outside gets is not taken for what it gives, but it may be: what is taken for data may be
    /// what it has got without a type or as data.
    pub(super) fn converted(&self) -> HashSet<TypeId> {
        let from = self.turned_into_data();
        let own = self.own();
        let mut found = self.structs_beyond(from.into_iter().filter(|place| own.contains(place)));
        for (&place, bytes) in &self.bytes {
            found.extend(self.structs_beyond(std::iter::once(place)).difference(&bytes.declared));
        }
        found.into_iter().collect()
    }

    /// Where pointers are that may come to a place where data are expected.
    fn turned_into_data(&self) -> FxHashSet<Place> {
        let is_passed = |place: &Place| !(*place == Place::Memory && seeded(Fault::MemoryApart));
        reach_within(self.used_as_data(), &self.before, is_passed)
    }

    /// Where pointers may be that the module has made, or knows the struct of: what code outside gives without a type is none
    /// of its structs but those that it has handed out, each of which has been on a way of its own before.
    fn own(&self) -> FxHashSet<Place> {
        let typed = self.declared.iter().chain(self.inside.keys()).chain(&self.made);
        reach_within(typed.copied(), &self.next, |place| !is_hub(*place))
    }

    /// The structs that pointers are taken for which come from there, as long as they are not in the hands of code outside.
    fn structs_beyond(&self, from: impl Iterator<Item = Place>) -> FxHashSet<TypeId> {
        let is_known = |place: &Place| !is_hub(*place);
        let to = reach_within(from.filter(is_known), &self.next, is_known);
        to.iter().filter_map(|p| self.structs.get(p)).flatten().copied().collect()
    }

    /// Where pointers to data are expected through which memory is accessed: what only goes around as one, and is looked at
    /// by nobody of the module, turns nothing into data.
    fn used_as_data(&self) -> impl Iterator<Item = Place> {
        let used = match seeded(Fault::DataAccessedThere) {
            true => self.accessed.clone(),
            false => reach(self.accessed.iter().copied(), &self.before),
        };
        self.data.iter().copied().filter(move |place| used.contains(place))
    }

    /// Globals whose address, or that of a part, gets to where data or a block of bytes is accessed.
    pub(super) fn pointed(&self) -> HashSet<GlobalId> {
        let mut before = self.before.clone();
        for &(from, to) in &self.member_steps {
            before.entry(to).or_default().insert(from);
        }
        let from = reach(self.blocks.union(&self.data).copied(), &before);
        from.into_iter().filter_map(|p| if let Place::Address(g) = p { Some(g) } else { None }).collect()
    }

    /// Structs that are copied as a block.
    pub(super) fn copied(&self) -> &HashSet<TypeId> {
        &self.copied
    }

    /// First members that are accessed through pointers without a path.
    pub(super) fn firsts(&self) -> impl Iterator<Item = FieldId> {
        self.firsts.iter().copied()
    }

    /// A block of bytes is written at the address.
    fn block(&mut self, func: FuncId, addr: Operand) {
        self.blocks.extend(Self::place(func, addr));
    }

    fn globals(&mut self) {
        let anywhere = Function::declaration("initial values");
        for (id, global) in self.module.globals.iter() {
            self.made.insert(Place::Address(id));
            self.expect(Place::Address(id), global.ty);
            self.declare(Place::Variable(id), global.ty, false);
            if !global.defined {
                self.void.insert(Place::Variable(id));
                self.goes_outside(Place::Variable(id), global.ty);
            }
            if global.ty.is_some_and(|ty| fields::is_data(self.module, ty)) {
                self.data.insert(Place::Address(id));
            }
            for cell in &global.init {
                let Operand::Global(target, _) = cell.value else { continue };
                let addr = Operand::Global(id, i64::try_from(cell.offset).unwrap_or(i64::MAX));
                let place = match static_path(self.module, &anywhere, addr) {
                    Some(_) => self.member(&anywhere, addr),
                    None => Place::Variable(id),
                };
                self.way(Place::Address(target), place);
                self.bytes_at(&anywhere, cell.value, Place::Address(target));
            }
        }
    }

    fn way(&mut self, from: Place, to: Place) {
        self.next.entry(from).or_default().insert(to);
        self.before.entry(to).or_default().insert(from);
    }

    pub(super) fn place(func: FuncId, op: Operand) -> Option<Place> {
        match op {
            Operand::Value(v) => Some(Place::Value(func, v)),
            Operand::Global(g, _) => Some(Place::Address(g)),
            Operand::Int { .. } | Operand::Null | Operand::Func(_) | Operand::Undef(_) => None,
        }
    }

    fn to(&mut self, func: FuncId, op: Operand, to: Place) {
        if to == Place::Memory {
            let pointee = declared::pointee(self.module, &self.module.funcs[func], op);
            if let Some(strukt) = pointee.filter(|_| self.is_kernels(pointee)) {
                self.kernels.insert(strukt);
                return;
            }
        }
        if let Some(from) = Self::place(func, op) {
            self.way(from, to);
        }
    }

    /// A pointer that is declared to point to a struct of the kernel, and is put somewhere in memory, is not
    /// read from there as one to data (assumption `type-split`).
    fn is_kernels(&self, pointee: Option<TypeId>) -> bool {
        pointee.and_then(|ty| self.module.as_struct(ty)).is_some_and(|s| !s.module_private)
    }

    /// Whether structs of the kernel begin at the address, and none of the module's: code outside knows what it is.
    fn is_kernels_alone(&self, func: &Function, addr: Operand) -> bool {
        static_path(self.module, func, addr).is_some_and(|(strukt, at)| {
            let whole = (at == 0).then_some(strukt);
            let mut beginning = self.layout.begin_at(strukt, at).into_iter().chain(whole).peekable();
            beginning.peek().is_some() && beginning.all(|ty| !self.layout.is_private(ty))
        })
    }

    /// A place of that type: what pointers in it point to.
    fn declare(&mut self, place: Place, ty: Option<TypeId>, from_outside: bool) {
        let Some(mut ty) = ty else { return };
        while let TypeDef::Array { elem, .. } = self.module.types[ty] {
            ty = elem;
        }
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
    fn buffer(&mut self, place: Place, from_outside: bool) {
        self.data.insert(place);
        if from_outside {
            self.given(place, Given::Data);
        }
    }

    /// A pointer that code outside gives, as if it were declared to point to characters.
    fn characters(&mut self, place: Place) {
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
    fn is_untyped(&self, ty: Option<TypeId>) -> bool {
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
    fn given_outside(&mut self, field: FieldId) {
        let place = self.of_field(field);
        let ty = fields::element(self.module, field).filter(|&ty| self.module.pointee(ty).is_none());
        self.goes_outside(place, ty);
    }

    /// Code outside gets what is in a place of that type.
    fn goes_outside(&mut self, place: Place, ty: Option<TypeId>) {
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
    fn bytes_go_outside(&mut self, place: Place, ty: Option<TypeId>) {
        let pointee = ty.and_then(|ty| self.module.pointee(ty)).map(|to| &self.module.types[to]);
        if matches!(pointee, Some(TypeDef::Int { .. } | TypeDef::Float(_))) && !seeded(Fault::BytesStay) {
            self.way(place, Place::OutsideData);
        }
    }

    /// Code outside puts something into the member.
    fn written_outside(&mut self, field: FieldId) {
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
    fn variable_accessed(&mut self, place: Place, write: bool) {
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
        let mut ty = declared?;
        while let TypeDef::Array { elem, .. } = self.module.types[ty] {
            ty = elem;
        }
        Some(ty)
    }

    /// Unknown code gets a value, which its parameter is declared to point to. Who is declared to get a struct knows what it
    /// gets; but one of the module's own may be handed on without a type by who knows it, too. What is no data and is got
    /// without a type is not given as data.
    fn handed(&mut self, id: FuncId, func: &Function, arg: Operand, pointee: Option<TypeId>) {
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
    fn is_declared(&self, func: &Function, op: Operand) -> bool {
        let by_value = || match op {
            Operand::Value(v) => declared::strukt(self.module, func, v).is_some(),
            _ => false,
        };
        static_path(self.module, func, op).is_some() || by_value()
    }

    /// Code outside gets a value of which it is not declared what it points to.
    fn leaves(&mut self, func: FuncId, body: &Function, op: Operand) {
        let is_number = matches!(body.operand_ty(op), Ty::Int(_));
        self.to(func, op, if is_number { Place::OutsideNumbers } else { Place::Outside });
    }

    /// Pointers in a place point to objects of the type.
    fn expect(&mut self, place: Place, ty: Option<TypeId>) {
        let Some(mut ty) = ty else { return };
        while let TypeDef::Array { elem, .. } = self.module.types[ty] {
            ty = elem;
        }
        if self.module.as_struct(ty).is_some() {
            self.structs.entry(place).or_default().insert(ty);
            self.declared.insert(place);
        }
    }

    fn member(&mut self, func: &Function, addr: Operand) -> Place {
        match member(self.module, self.layout, func, addr) {
            Some(field) => self.of_field(field),
            None => Place::Memory,
        }
    }

    fn of_field(&mut self, field: FieldId) -> Place {
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
            if is_content(op, operand) {
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

    fn instruction(&mut self, id: FuncId, func: &Function, i: InstId) {
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
                self.member_steps.extend(Self::place(id, *base).zip(result));
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
    fn parts(&mut self, place: Place, strukt: TypeId, offset: u64) {
        self.inside.entry(place).or_default().insert(strukt);
        for ty in self.layout.begin_at(strukt, offset) {
            self.expect(place, Some(ty));
        }
    }
}

/// The pointers through which an instruction, or unknown code that it calls, reads or writes.
pub(super) fn accessed(op: &Op) -> Vec<Operand> {
    match op {
        Op::Load { addr, .. }
        | Op::Store { addr, .. }
        | Op::Rmw { addr, .. }
        | Op::CmpXchg { addr, .. }
        | Op::Access { addr, .. } => vec![*addr],
        Op::Free { ptr, .. } => vec![*ptr],
        Op::MemSet { dst, .. } => vec![*dst],
        Op::MemCopy { dst, src, .. } => vec![*dst, *src],
        Op::Acquire { lock, .. } | Op::Release { lock, .. } => vec![*lock],
        Op::External { args, .. } | Op::Call { args, .. } => args.clone(),
        Op::Bin(..)
        | Op::Cmp(..)
        | Op::Select { .. }
        | Op::Cast(..)
        | Op::Phi(_)
        | Op::PtrAdd { .. }
        | Op::Alloca { .. }
        | Op::Extract { .. }
        | Op::Havoc
        | Op::Data
        | Op::Cpu
        | Op::Alloc { .. }
        | Op::Publish { .. }
        | Op::Register { .. }
        | Op::Unregister { .. } => vec![],
    }
}

/// Whether it computes the address of a member or an element from another.
pub(super) fn is_step(module: &Module, func: &Function, inst: &Inst) -> bool {
    matches!(inst.op, Op::PtrAdd { .. })
        && inst.result.is_some_and(|v| static_path(module, func, Operand::Value(v)).is_some())
}

/// The member that code outside accesses, and nothing else.
pub(super) fn named_member(module: &Module, layout: &Layout, func: &Function, op: &Op) -> Option<FieldId> {
    let Op::Access { addr, len: Operand::Int { value: len, .. }, .. } = op else { return None };
    let (strukt, lo) = static_path(module, func, *addr)?;
    let field = fields::of_shape(
        module,
        layout,
        Shape::In { strukt, lo, hi: lo.checked_add(u64::try_from(*len).ok()?)? },
    )?;
    fields::element(module, field)
        .filter(|&ty| !matches!(module.types[ty], TypeDef::Struct(_)))
        .map(|_| field)
}

/// Whether one of the kernel's structs begins there: to code outside goes its address, not that of its first member
/// (assumption `type-split`).
pub(super) fn begins_kernels(module: &Module, layout: &Layout, (func, addr): (&Function, Operand)) -> bool {
    static_path(module, func, addr).is_some_and(|(strukt, at)| {
        let (inner, at) = layout.innermost(strukt, at);
        at == 0 && !layout.is_private(inner)
    })
}

/// The values that something is done with.
fn used_values(func: &Function) -> FxHashSet<ValueId> {
    let insts = func.blocks.values().flat_map(|block| &block.insts);
    let operands = insts.flat_map(|&i| func.insts[i].op.operands());
    let ends = func.blocks.values().filter_map(|block| block.term.operand());
    let value = |op| if let Operand::Value(v) = op { Some(v) } else { None };
    operands.chain(ends).filter_map(value).collect()
}

/// The variable whose address the operand is.
fn variable(id: FuncId, func: &Function, op: Operand) -> Option<Place> {
    match op {
        Operand::Global(g, _) => Some(Place::Variable(g)),
        Operand::Value(v) if is_slot(func, v) => Some(Place::Slot(id, v)),
        _ => None,
    }
}

/// Whether an instruction accesses just what lies at the address, which goes nowhere.
fn is_content(op: &Op, addr: Operand) -> bool {
    match op {
        Op::MemSet { dst, .. } => *dst == addr,
        Op::MemCopy { dst, src, len: Operand::Int { .. } } => *dst == addr || *src == addr,
        Op::Access { addr: place, len: Operand::Int { .. }, .. } => *place == addr,
        _ => false,
    }
}

/// Whether the value is a number that is taken for a pointer.
fn is_from_number(func: &Function, op: Operand) -> bool {
    let Operand::Value(v) = op else { return false };
    func.values[v].inst.is_some_and(|i| matches!(func.insts[i].op, Op::Cast(CastOp::IntToPtr, _)))
}

/// Whether the value is the address of a variable on the stack.
fn is_slot(func: &Function, v: ValueId) -> bool {
    func.values[v].inst.is_some_and(|i| matches!(func.insts[i].op, Op::Alloca { .. }))
}

/// Where pointers of all kinds meet, in the hands of code outside or in memory of which nothing is known: what gets there is
/// not taken for what leaves there (assumption `type-split`).
fn is_hub(place: Place) -> bool {
    matches!(place, Place::Memory | Place::Outside | Place::OutsideNumbers | Place::OutsideData)
}

fn reach(from: impl Iterator<Item = Place>, next: &Links) -> FxHashSet<Place> {
    reach_within(from, next, |_| true)
}

fn reach_within(
    from: impl Iterator<Item = Place>,
    next: &Links,
    within: impl Fn(&Place) -> bool,
) -> FxHashSet<Place> {
    let mut seen: FxHashSet<Place> = from.collect();
    let mut work: Vec<Place> = seen.iter().copied().collect();
    while let Some(place) = work.pop() {
        let new = next.get(&place).into_iter().flatten().filter(|p| within(p) && seen.insert(**p));
        work.extend(new);
    }
    seen
}

/// The member at an address.
pub(super) fn member(module: &Module, layout: &Layout, func: &Function, addr: Operand) -> Option<FieldId> {
    let (strukt, offset) = static_path(module, func, addr)?;
    fields::of_shape(module, layout, Shape::In { strukt, lo: offset, hi: offset + 1 })
}

/// The struct that a pointer is declared to point to, and its first member, if that has so many bytes: where
/// helpers are inlined, the step to the first member is lost, since adding nothing is nothing.
pub fn first_member(
    module: &Module,
    layout: &Layout,
    func: &Function,
    addr: Operand,
    bytes: u64,
) -> Option<(TypeId, FieldId)> {
    let Operand::Value(v) = addr else { return None };
    let loaded = func.values[v].inst.is_some_and(|i| matches!(func.insts[i].op, Op::Load { .. }));
    let declared = loaded || func.params.iter().any(|p| p.value == v);
    let strukt = declared::pointee(module, func, addr).filter(|_| declared)?;
    let field = fields::of_shape(module, layout, Shape::In { strukt, lo: 0, hi: bytes })?;
    Some((strukt, field))
}

/// Whether the address is known to be that of a struct, not of the first member: it is declared or used as one.
pub(super) fn is_whole(func: &Function, addr: Operand) -> bool {
    let Operand::Value(v) = addr else { return false };
    if func.as_struct.contains(&v) {
        return true;
    }
    let Some(Op::PtrAdd { offset: 0, scaled, within: Some(strukt), .. }) =
        func.values[v].inst.map(|i| &func.insts[i].op)
    else {
        return false;
    };
    let is_base = |inst: &Inst| match inst.op {
        Op::PtrAdd { base, within, .. } => base == addr && within == Some(*strukt),
        _ => false,
    };
    scaled.is_empty() && func.insts.values().any(is_base)
}
