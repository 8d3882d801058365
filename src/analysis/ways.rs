//! All ways that pointers go, whatever the objects: through values, members, variables, memory and calls, with the types
//! that they are taken for at each place.
//!
//! Two questions are answered with it: which structs are turned into data, or the other way round (`exposed`), and what
//! the object may be that a pointer leads to (`objects`).

mod arrays;
mod at;
mod bytes;
mod code;
mod explain;
mod followed;
mod outside;

pub use self::at::first_member;
pub(super) use self::at::{accessed, begins_kernels, is_step, is_whole, named_member};

use self::at::used_values;
use self::bytes::Bytes;
use super::calls::CallTargets;
use super::declared;
use super::fields::{self, FieldId};
use super::layout::Layout;
use super::points_to::{PointsTo, RegionId, static_path};
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
    /// Variables of which the module reads and writes elements alone.
    pointer_arrays: FxHashSet<GlobalId>,
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
    pub(super) member_steps: Vec<(Place, Place, Option<i64>)>,
    /// Steps by a number of bytes or elements, with the number if it is known.
    pub(super) steps: Vec<(Place, Place, Option<i64>)>,
    /// Objects that the module makes or has.
    pub(super) made: FxHashSet<Place>,
    /// What the kernel's pointers that are put somewhere in memory are declared to point to.
    pub(super) kernels: FxHashSet<TypeId>,
}

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
            pointer_arrays: arrays::of_pointers(module),
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
        // What code outside gives as data, and the module takes for a struct, others may be given as data, too.
        let given = self.given.iter().filter(|(_, given)| **given != Given::Apart).map(|(&place, _)| place);
        if !seeded(Fault::GivenIsNoStruct) {
            found.extend(self.structs_beyond(given));
        }
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
        for &(from, to, _) in &self.member_steps {
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
                // Indices may lead to any member.
                if global.constant && !seeded(Fault::ConstantsAreEmpty) {
                    self.way(Place::Address(target), Place::Variable(id));
                }
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
