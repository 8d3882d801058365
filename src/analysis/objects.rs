//! What the object may be that a pointer leads to of which nothing is known where it is used.
//!
//! Objects are freed, filled and copied through pointers that say little: `kfree(void *)`, `memset`, a buffer of
//! characters, a struct with the driver's own behind it. What can lie in the object follows from the ways that its pointer
//! goes: what pointers are declared to point to that come from where this one comes from, with what the module finds
//! behind these by going on from their addresses; if there are none, it is data alone (assumption `type-split`).
//!
//! Code outside may make room for a struct of the module's own behind one of its own; but not for one that the module makes
//! itself (assumption `type-split`).
//!
//! Where a way begins in code outside, or where nobody knows, the object may be anything. What gets to memory of which
//! nothing is declared, or to code outside, is not taken for what leaves there.

use super::exposed::Exposed;
use super::layout::{InBytes, Layout, Shape};
use super::taken::{Around, Kinds, Reach, Taken, put_among_others};
use super::ways::{Given, Place, Ways, accessed};
use crate::fault::{Fault, seeded};
use indexmap::IndexSet;
use lockpair_ir::*;
use rustc_hash::FxHashMap;
use std::collections::{BTreeSet, HashMap, HashSet};

/// What an object may be.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Object {
    /// The structs that it may begin with, or have somewhere behind; none: it is data.
    kinds: Kinds,
    /// Those without what may lie behind anything, once that has been added: it does not tell that two objects are one.
    told: Option<Kinds>,
    /// It may be what code outside gives as data.
    given: Option<Given>,
    /// The pointer leads to its first byte.
    from_start: bool,
    /// The module has made it: there is nothing in it that code outside has made room for.
    own: bool,
}

/// A step of the module's.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Pace {
    /// What its pointer is taken for: the struct, or the first of its parts; nothing, if that is not known.
    from: Vec<TypeId>,
    to: TypeId,
    by: Option<i64>,
}

/// An object that is known as a whole.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Whole {
    /// The thread itself has made it: the address was the result of the instruction that defines the value.
    Made(FuncId, ValueId),
    /// A variable.
    Global(GlobalId),
}

impl Whole {
    /// What the instruction makes, as a whole (`part`: as a parameter, or within it).
    pub fn made_by(module: &Module, (func, inst, part): (FuncId, InstId, u32)) -> Option<Whole> {
        let value = made(module.funcs[func].insts.get(inst)?)?;
        (part == 0).then_some(Whole::Made(func, value))
    }
}

/// The objects that pointers of the module lead to.
#[derive(Default)]
pub struct Objects {
    /// Per pointer that is used without a struct: which of the objects it leads to; none: anything.
    untyped: HashMap<(FuncId, ValueId), Option<usize>>,
    /// Pointers that are used without a struct, and lead to what is an allocation of its own as far as the module is seen to take what
    /// comes from where they come from.
    to_alone: HashSet<(FuncId, ValueId)>,
    /// The module's variables, as far as it is known what they hold.
    globals: HashMap<GlobalId, Object>,
    /// Most pointers lead to one of a few.
    objects: IndexSet<Object>,
    /// Per struct: what may lie behind it in an allocation.
    behind: HashMap<TypeId, Kinds>,
    /// The same with what arrays of characters may have.
    stepped: HashMap<TypeId, Kinds>,
    /// The steps from what is taken for a struct, or for nothing that is known, to what is taken for another, with the bytes if they
    /// are known.
    paces: BTreeSet<Pace>,
    /// What may lie behind any struct.
    behind_all: Kinds,
    /// Structs that are turned into data, or the other way round.
    converted: Kinds,
    /// Structs of the module's own that it makes as objects of their own.
    self_made: Kinds,
}

impl Objects {
    /// Of all pointers of the module.
    pub fn new(layout: &Layout, ways: &Ways, exposed: &Exposed) -> Objects {
        let (nothing, put) = (FxHashMap::default(), put_among_others(ways));
        let [near, far] = [Reach::Near, Reach::Far].map(|reach| Taken::new(ways, reach, &nothing));
        let among_others = Taken::new(ways, Reach::Near, &put);
        let converted = ways.module.types.keys().filter(|&ty| exposed.is_converted(ty));
        let converted = converted.filter(|&ty| ways.module.as_struct(ty).is_some()).collect();
        let mut objects = Objects { converted, ..Objects::default() };
        let declared = Layout::new(ways.module).with_structs_in_bytes(InBytes::default());
        let layouts = (layout, &declared);
        for &(from, to, by) in &ways.steps {
            let (from, to) = (near.around(from), far.onward(to));
            objects.note_pace(&from, &to, by);
            objects.step(layouts, from, &to, by);
        }
        for &(from, to, by) in &ways.member_steps {
            // An array of numbers may be storage for structs.
            let (from, to) = (near.around(from), far.onward(to));
            objects.note_pace(&from, &to, by);
            objects.step(layouts, from, &to, None);
        }
        for (func, body) in ways.module.funcs.iter() {
            for inst in body.insts.values() {
                let made = made(inst).map(Operand::Value);
                for pointer in accessed(&inst.op).into_iter().chain(made) {
                    if let Operand::Value(v) = pointer {
                        let object = untyped(&near, &far, Place::Value(func, v));
                        let is_alone = |&ty: &TypeId| layout.is_alone(Shape::Whole(ty));
                        if among_others.around(Place::Value(func, v)).kinds.iter().any(is_alone) {
                            objects.to_alone.insert((func, v));
                        }
                        if let Op::Alloc { size, .. } = inst.op {
                            let made = near.around(Place::Value(func, v));
                            objects.self_made.extend(made.only_kind(ways.module, layout, size));
                        }
                        let known = object.map(|object| objects.objects.insert_full(object).0);
                        objects.untyped.insert((func, v), known);
                    }
                }
            }
        }
        for (g, global) in ways.module.globals.iter() {
            let mut elem = global.ty;
            while let Some(TypeDef::Array { elem: ty, .. }) = elem.map(|ty| &ways.module.types[ty]) {
                elem = Some(*ty);
            }
            let object = match elem.filter(|&ty| ways.module.as_struct(ty).is_some()) {
                Some(strukt) => Some(Object { kinds: Kinds::from([strukt]), ..Object::data() }),
                None if seeded(Fault::VariablesAsDeclared) => Some(Object::data()),
                None => untyped(&near, &far, Place::Address(g)),
            };
            let whole = |object| Object { own: true, from_start: true, given: None, ..object };
            objects.globals.extend(object.filter(|_| elem.is_some()).map(|object| (g, whole(object))));
        }
        objects
    }

    /// A line per pointer that is used without a struct: where, and what it may lead to (`--dump facts`).
    pub fn explain(&self, module: &Module) -> Vec<String> {
        let name = |ty: &TypeId| module.as_struct(*ty).map_or("?", |def| &def.name).to_owned();
        let names = |kinds: &Kinds| kinds.iter().map(name).collect::<Vec<_>>().join(" ");
        let mut behind: Vec<String> = self
            .behind
            .iter()
            .map(|(ty, kinds)| format!("behind {}: [{}]", name(ty), names(kinds)))
            .collect();
        behind.sort();
        let mut out = vec![
            format!("the module makes: [{}]", names(&self.self_made)),
            format!("behind anything: [{}]", names(&self.behind_all)),
        ];
        out.extend(behind);
        for (func, body) in module.funcs.iter() {
            for inst in body.blocks.values().flat_map(|block| &block.insts).map(|&i| &body.insts[i]) {
                let accessed = accessed(&inst.op).into_iter().map(|op| (op, "accesses"));
                for (pointer, kind) in accessed.chain(made(inst).map(|v| (Operand::Value(v), "makes"))) {
                    let Operand::Value(v) = pointer else { continue };
                    let Some(known) = self.untyped.get(&(func, v)) else { continue };
                    let what = match known.and_then(|n| self.objects.get_index(n)) {
                        None => "anything".to_owned(),
                        Some(object) => {
                            let kinds = names(&object.kinds);
                            let given =
                                object.given.map_or(String::new(), |given| format!(" given {given:?}"));
                            format!("[{kinds}]{given}")
                        }
                    };
                    let line = inst.loc.map_or(0, |loc| module.locs[loc].line);
                    out.push(format!("{}:{line} {kind} {what}", body.name));
                }
            }
        }
        out.dedup();
        out
    }

    /// How the module steps; by nothing is no step, but a cast.
    fn note_pace(&mut self, from: &Around, to: &Kinds, by: Option<i64>) {
        if by == Some(0) {
            return;
        }
        let mut kinds: Vec<TypeId> = from.kinds.iter().copied().filter(|_| !from.from_anything).collect();
        kinds.sort_unstable();
        self.paces.extend(to.iter().map(|&to| Pace { from: kinds.clone(), to, by }));
    }

    /// The struct of which there is one in an allocation that begins with such a one, and where it begins: that one itself, or
    /// the only one to which the module steps from there, if it comes to such structs in no other way.
    pub fn single_from(&self, layout: &Layout, strukt: TypeId) -> Option<(TypeId, i64)> {
        if layout.is_single(strukt) {
            return Some((strukt, 0));
        }
        let is_behind = |pace: &&Pace| {
            pace.from.contains(&strukt) && !pace.from.contains(&pace.to) && layout.is_single(pace.to)
        };
        let mut behind = self.paces.iter().filter(is_behind);
        let &Pace { to: single, by, .. } = behind.next()?;
        let distance = by.filter(|&by| by > 0)?;
        let fits = |pace: &Pace| {
            let of_either = [strukt, single].contains(&pace.to) || layout.contains(single, pace.to);
            !of_either || Self::is_regular(layout, pace, strukt, (single, distance))
        };
        let is_only = behind.all(|other| other.to == single) && self.paces.iter().all(fits);
        (is_only || seeded(Fault::BehindAtFirstDistance)).then_some((single, distance))
    }

    /// Whether a step to one of the two structs, or to a part of the second, leads to no other two: they are an allocation's only
    /// ones, the second that far behind the first.
    fn is_regular(layout: &Layout, pace: &Pace, first: TypeId, (single, distance): (TypeId, i64)) -> bool {
        let Some(by) = pace.by else { return false };
        let within = |outer: TypeId, at: i64| {
            let Ok(at) = u64::try_from(at) else { return false };
            // Two of one type do not overlap: it is what is around the part that the step leads to.
            let around = pace.to == outer && pace.from.len() == 1;
            at < layout.size(outer) && (around || layout.contains(outer, pace.to))
        };
        let explains = |from: TypeId| {
            // To a member of its own, or to the second, or to a part of that.
            let behind = from == first && (within(first, by) || within(single, by - distance));
            // From the second to the first, or from a member to what is around it.
            let back = from == single && pace.to == first && by == -distance;
            let around = || by < 0 && layout.embeds_at(pace.to, by.unsigned_abs(), from);
            let is_part = [first, single].iter().any(|&whole| from == whole || layout.contains(whole, from));
            behind || back || is_part && (within(from, by) || around())
        };
        let is_one = |from: TypeId| {
            explains(from) || pace.from.iter().any(|&other| layout.related(other, from) && explains(other))
        };
        !pace.from.is_empty() && pace.from.iter().all(|&from| is_one(from))
    }

    /// The module steps from pointers that are taken for some structs to one that is taken for others.
    fn step(&mut self, (layout, declared): (&Layout, &Layout), from: Around, to: &Kinds, by: Option<i64>) {
        // What is an allocation of its own lies behind nothing.
        let to: Kinds = to.iter().copied().filter(|&ty| !layout.is_alone(Shape::Whole(ty))).collect();
        if from.kinds.is_empty() && from.from_anything {
            self.behind_all.extend(&to);
        }
        let back = by.is_some_and(|k| k < 0);
        for base in from.kinds {
            for &found in to.iter().filter(|&&ty| ty != base) {
                if !declared.contains(found, base) && !declared.contains(base, found) {
                    self.stepped.entry(base).or_default().insert(found);
                    if back {
                        self.stepped.entry(found).or_default().insert(base);
                    }
                }
                // The struct around a member, or the member of a struct: what these have is told by their types.
                if back && declared.contains(found, base) || declared.contains(base, found) {
                    continue;
                }
                // What lies in front of something has that behind it.
                self.behind.entry(base).or_default().insert(found);
                if back {
                    self.behind.entry(found).or_default().insert(base);
                }
            }
        }
    }

    /// Per struct: to what the module steps from a pointer to it, or to a struct around it.
    pub fn beyond(&self, layout: &Layout) -> HashMap<TypeId, HashSet<TypeId>> {
        let mut beyond: HashMap<TypeId, HashSet<TypeId>> = HashMap::new();
        for (&base, found) in &self.stepped {
            for part in layout.parts(base).into_iter().chain([base]) {
                beyond.entry(part).or_default().extend(found);
            }
        }
        beyond
    }

    /// The object of an access of the shape that says nothing of it, or of a free, through that pointer; none: anything.
    pub fn of(
        &self,
        layout: &Layout,
        pointer: Option<(FuncId, ValueId)>,
        frees: bool,
        shape: Shape,
    ) -> Option<Object> {
        let untyped = || self.objects.get_index((*self.untyped.get(&pointer?)?)?).cloned();
        match shape {
            Shape::Whole(strukt) | Shape::In { strukt, .. } if frees => {
                let object =
                    Object { kinds: Kinds::from([strukt]), given: None, from_start: true, ..Object::data() };
                Some(self.complete(layout, object))
            }
            Shape::In { .. } => None,
            // As much as nobody knows, from where such a struct is: what may lie around and behind it.
            Shape::Whole(_) if seeded(Fault::WholesAsDeclared) => Some(Object::data()),
            Shape::Whole(strukt) => {
                let object = Object { kinds: Kinds::from([strukt]), ..Object::data() };
                Some(self.complete(layout, object))
            }
            Shape::Scalar(_) | Shape::Wild | Shape::Outside if frees => {
                let mut object = if seeded(Fault::EndedAsDeclared) {
                    Object::data()
                } else {
                    untyped()?.outermost(layout)
                };
                // What code outside gives as data may be what the module has given as data.
                if object.given.take().is_some_and(|given| given != Given::Apart) {
                    object.kinds.extend(&self.converted);
                }
                Some(self.complete(layout, Object { from_start: true, ..object }))
            }
            Shape::Scalar(_) | Shape::Wild | Shape::Outside => Some(self.complete(layout, untyped()?)),
        }
    }

    /// Whether an untyped pointer may lead to what is an allocation of its own: the module takes for one what it has there, itself or by
    /// the functions that it calls.
    pub fn leads_to_alone(&self, pointer: Option<(FuncId, ValueId)>) -> bool {
        pointer.is_none_or(|pointer| self.to_alone.contains(&pointer))
    }

    /// An object that is known as a whole, of which an access of the shape is seen; none: that does not fit.
    pub fn of_whole(&self, layout: &Layout, whole: Whole, shape: Shape) -> Option<Object> {
        let object = match whole {
            Whole::Made(func, address) => {
                let object = self.objects.get_index((*self.untyped.get(&(func, address))?)?)?.clone();
                self.complete(layout, Object { own: true, from_start: true, given: None, ..object })
            }
            Whole::Global(g) => self.globals.get(&g)?.clone(),
        };
        match shape {
            Shape::Whole(strukt) | Shape::In { strukt, .. } => {
                object.may_hold(self, layout, strukt).then_some(object)
            }
            Shape::Scalar(_) | Shape::Wild | Shape::Outside => Some(object),
        }
    }

    /// Whether an allocation that is known to have the one struct may have the other, too, in it or behind it.
    pub fn may_have_both(&self, layout: &Layout, one: TypeId, other: TypeId) -> bool {
        let object = Object { kinds: Kinds::from([one]), given: None, from_start: true, ..Object::data() };
        self.complete(layout, object).may_hold(self, layout, other)
    }

    /// With all that may lie in an allocation that begins with these.
    fn complete(&self, layout: &Layout, mut object: Object) -> Object {
        if seeded(Fault::EndedAsDeclared) || object.own && seeded(Fault::MadeHoldOne) {
            return object;
        }
        let kinds = &mut object.kinds;
        // Who has the address of the first part has that of the object; who has that of any part may go on from there.
        let around: Vec<TypeId> = match object.from_start {
            true => kinds.iter().flat_map(|&ty| layout.beginning_with(ty)).collect(),
            false => kinds.iter().flat_map(|&ty| layout.around(ty)).copied().collect(),
        };
        kinds.extend(around);
        self.add_behind(kinds);
        object.told = Some(kinds.clone());
        kinds.extend(&self.behind_all);
        self.add_behind(kinds);
        object
    }

    /// Adds what may lie behind any of these.
    fn add_behind(&self, kinds: &mut Kinds) {
        let mut work: Vec<TypeId> = kinds.iter().copied().collect();
        while let Some(ty) = work.pop() {
            let behind = self.behind.get(&ty).into_iter().flatten();
            work.extend(behind.copied().filter(|&ty| kinds.insert(ty)));
        }
    }
}

impl Object {
    fn data() -> Object {
        Object { kinds: Kinds::new(), told: None, given: None, from_start: false, own: false }
    }

    /// Without those that are parts of others: a pointer to the others is taken for one to its first part, too.
    fn outermost(mut self, layout: &Layout) -> Object {
        let is_part =
            |ty: &TypeId| self.kinds.iter().any(|outer| outer != ty && layout.contains(*outer, *ty));
        self.kinds = self.kinds.iter().copied().filter(|ty| !is_part(ty)).collect();
        self
    }

    /// Whether a struct of the type may lie in the object, or the object in it.
    pub fn may_hold(&self, all: &Objects, layout: &Layout, strukt: TypeId) -> bool {
        let holds = |&kind: &TypeId| {
            let within = || !self.from_start && layout.contains(strukt, kind);
            kind == strukt || layout.contains(kind, strukt) || within()
        };
        // Code outside may have made room for a struct of the module's own behind one of the kernel's.
        let has_room = |&kind: &TypeId| !layout.is_private(kind) && !layout.is_alone(Shape::Whole(kind));
        let never = seeded(Fault::RoomForNone);
        let is_put_there = |ty: TypeId| !never && layout.is_private(ty) && !all.self_made.contains(&ty);
        let is_own = || is_put_there(strukt) || layout.private_around(strukt).any(is_put_there);
        self.kinds.iter().any(holds) || !self.own && self.kinds.iter().any(has_room) && is_own()
    }

    /// Whether an access to the object may touch the bytes.
    pub fn may_have(
        &self,
        all: &Objects,
        module: &Module,
        layout: &Layout,
        exposed: &Exposed,
        bytes: Shape,
    ) -> bool {
        let (Shape::In { strukt, .. } | Shape::Whole(strukt)) = bytes else { return true };
        let is_given = |given: Given| match bytes {
            _ if given == Given::Apart => false,
            _ if layout.is_private(strukt) || exposed.is_converted(strukt) => {
                !exposed.is_hidden(module, layout, bytes)
            }
            // Pointers to characters lead to no other members of the kernel's structs, unless the module makes one of them.
            Shape::In { lo, hi, .. } if given == Given::Characters => {
                layout.has_scalar(strukt, lo, hi, 1) || !exposed.is_untaken(module, layout, bytes)
            }
            _ => true,
        };
        let given = self.given.filter(|_| !seeded(Fault::GivenApart));
        given.is_some_and(is_given) || self.may_hold(all, layout, strukt)
    }

    /// Whether two may be one.
    pub fn may_be(&self, all: &Objects, layout: &Layout, other: &Object) -> bool {
        let [one, another] = [self, other].map(|object| object.told.as_ref().unwrap_or(&object.kinds));
        let some = |kinds: &Kinds, of: &Object| kinds.iter().any(|&kind| of.may_hold(all, layout, kind));
        let given = self.given.is_some() || other.given.is_some();
        given || one.is_empty() && another.is_empty() || some(one, other) || some(another, self)
    }
}

impl Around {
    /// The struct of the module's own that an object of that size surely is of which this is known where it is made: it is
    /// taken for nothing else, and has the size of that or goes nowhere without a type.
    fn only_kind(&self, module: &Module, layout: &Layout, size: Operand) -> Option<TypeId> {
        let kinds = Object { kinds: self.kinds.clone(), ..Object::data() }.outermost(layout).kinds;
        if seeded(Fault::MadeIfPossible) {
            return kinds.into_iter().find(|&ty| layout.is_private(ty));
        }
        let mut kinds = kinds.into_iter();
        let only = kinds.next().filter(|&ty| kinds.next().is_none() && layout.is_private(ty))?;
        let fits = matches!(size, Operand::Int { value, .. } if value == u128::from(module.size_of(only)));
        let is_typed = !self.from_anything && !self.to_anything && !self.to_hub && self.given.is_none();
        (fits || is_typed).then_some(only)
    }
}

/// The address of the object that an instruction makes.
pub fn made(inst: &Inst) -> Option<ValueId> {
    inst.result.filter(|_| matches!(inst.op, Op::Alloc { .. } | Op::Alloca { .. }))
}

/// What an untyped pointer at the place may point to; none: anything.
fn untyped(near: &Taken, far: &Taken, place: Place) -> Option<Object> {
    let found = near.around(place);
    // What is put where pointers of all kinds meet, and is taken for nothing, is what is found there.
    let is_unknown = found.kinds.is_empty() && found.to_hub && !found.as_data;
    if found.from_anything || is_unknown && !seeded(Fault::PutAwayAsData) {
        return None;
    }
    let (kinds, given) = match found.to_anything {
        true => (far.around(place).kinds, found.given),
        false => (found.kinds, found.given),
    };
    Some(Object { kinds, given, ..Object::data() })
}
