//! What the environment model says of this module's structs and of its handles and locks.

use crate::analysis::driven::{self, Buses, PartOf};
use crate::analysis::fields::{self, FieldId};
use crate::analysis::layout::{Layout, Shape};
use crate::analysis::origins::{HeldBy, OfTables, Slot, Whence};
use crate::analysis::ownership::{Begins, SessionRow};
use crate::analysis::parts::Lister;
use crate::analysis::sessions::Sessions;
use crate::fault::{Fault, seeded};
use crate::instrument::thread::StateKind;
use crate::instrument::{Kinds, Thread};
use crate::vcgen::Registrations;
use crate::vcgen::ways::Ways;
use lockpair_entry_points::{EntryPointId, EntryPoints};
use lockpair_env::Model;
use lockpair_env::schema::{CallbackRow, HandleRow, StateRow, StructRow, VariableIs};
use lockpair_ir::{Field, Global, GlobalId, InitCell, Module, Op, Operand, TypeDef, TypeId};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// What encoding needs to know. `hygiene` says whether somebody looks at how locks are used: then what is off on a CPU is
/// followed also where nobody asks for its copies.
pub fn kinds(module: &Module, model: &Model, hygiene: bool) -> Kinds {
    Kinds {
        first: structs(module, model, |row| row.first),
        several: handles(model, |row| row.several),
        fresh: handles(model, |row| row.fresh),
        by_through: handles(model, |row| row.by_through),
        runs_once: handles(model, |row| row.runs_once),
        completes: completions(module, model),
        masks: if hygiene || has_copies(module) { model.masks.clone() } else { BTreeMap::new() },
        loops_left: hygiene,
        either: model.given_back_either_way(),
        states: model.states.values().map(|row| (row.class.clone(), state(row))).collect(),
    }
}

/// The members that close rings. They may lie in unions, which have no members that would be told by name.
pub fn ring(module: &Module, model: &Model) -> Vec<Shape> {
    let of_row = |row: &StructRow| {
        let strukt = module.struct_named(&row.name);
        let place = |strukt, name: &String| {
            let (lo, ty) = module.field_named(strukt, name)?;
            Some(Shape::In { strukt, lo, hi: lo + module.size_of(ty) })
        };
        let places = strukt.map(|strukt| row.ring.iter().filter_map(move |name| place(strukt, name)));
        places.into_iter().flatten().collect::<Vec<_>>()
    };
    model.structs.values().flat_map(of_row).collect()
}

fn state(row: &StateRow) -> StateKind {
    StateKind { counted: row.counted, ended_by: row.ended_by.clone() }
}

/// The functions that begin sessions, by role.
pub fn begins(model: &Model) -> Begins {
    let rows = model.tables.values().flat_map(|table| &table.fields);
    let session = |row: &CallbackRow| {
        let class = row.begins.clone()?;
        let table_in = row.table_in.as_ref().and_then(|member| member.split_once('.'));
        let table_in = table_in.map(|(strukt, member)| (strukt.to_owned(), member.to_owned()));
        Some((row.name.clone(), SessionRow { class, table_in }))
    };
    rows.filter_map(session).collect()
}

/// In which sessions the entry points run.
pub fn sessions(module: &Module, layout: &Layout, model: &Model, entry_points: &EntryPoints) -> Sessions {
    let rows = begins(model);
    let tables_in = rows.values().filter_map(|row| row.table_in.as_ref());
    let tables_in = tables_in.filter_map(|(strukt, name)| member(module, layout, strukt, name)).collect();
    let classes = rows.iter().map(|(role, row)| (role.clone(), row.class.clone())).collect();
    Sessions::new(module, entry_points, &classes, tables_in)
}

/// Whether somebody looks for his CPU's copy of something.
fn has_copies(module: &Module) -> bool {
    module.funcs.values().flat_map(|func| func.insts.values()).any(|inst| matches!(inst.op, Op::Cpu))
}

/// The classes of handles of which the environment says so.
pub fn handles(model: &Model, say: fn(&HandleRow) -> bool) -> HashSet<String> {
    model.handles.values().filter(|row| say(row)).map(|row| row.class.clone()).collect()
}

/// The structs of which the environment says so.
pub fn structs(module: &Module, model: &Model, say: impl Fn(&StructRow) -> bool) -> HashSet<TypeId> {
    let rows = model.structs.values().filter(|row| say(row));
    rows.filter_map(|row| module.struct_named(&row.name)).filter(|&ty| !has_own(module, ty)).collect()
}

/// Whether a struct of the module's own has one of the type as a member: then not all of its objects are allocations of
/// their own.
fn has_own(module: &Module, part: TypeId) -> bool {
    let is_part = |field: &Field| module.innermost_element(field.ty) == part;
    let structs = module.types.keys().filter_map(|ty| module.as_struct(ty));
    !seeded(Fault::PartsAreAlone)
        && structs.filter(|def| def.module_private).any(|def| def.fields.iter().any(is_part))
}

/// The members of which the environment says so.
pub fn members(
    module: &Module,
    layout: &Layout,
    model: &Model,
    say: impl Fn(&StructRow) -> &Vec<String>,
) -> BTreeSet<FieldId> {
    let of_row = |row: &StructRow| {
        let names = say(row).clone();
        let row = row.name.clone();
        names.into_iter().filter_map(move |name| member(module, layout, &row, &name))
    };
    model.structs.values().flat_map(of_row).collect()
}

/// Members, or lists in members, of which no two hold one pointer.
pub fn distinct(module: &Module, layout: &Layout, model: &Model) -> BTreeSet<Slot> {
    let of_row = |row: &StructRow| {
        let slots = row.distinct.iter().filter_map(|name| slot(module, layout, &row.name, name));
        slots.map(|(_, slot)| slot).collect::<Vec<_>>()
    };
    model.structs.values().flat_map(of_row).collect()
}

/// The parameters whose objects belong to one struct for good.
pub fn held(
    module: &Module,
    layout: &Layout,
    model: &Model,
    entry_points: &EntryPoints,
) -> HashMap<(EntryPointId, u32), HeldBy> {
    let mut out = HashMap::new();
    for (id, entry) in entry_points.items.iter() {
        let Some((strukt, name)) = entry.role.split_once('.') else { continue };
        let row = model.table(strukt).and_then(|table| table.field(name));
        let Some(held) = row.and_then(|row| row.held.as_ref()) else { continue };
        let Some((offset, slot)) = slot(module, layout, &held.strukt, &held.member) else { continue };
        let by = HeldBy { by: held.by, offset, slot };
        out.extend(held.params.iter().map(|&param| ((id, param), by)));
    }
    out
}

/// Where in the struct the pointer member is, and which it is; that of a list leads to what comes first in it.
fn slot(module: &Module, layout: &Layout, strukt: &str, name: &str) -> Option<(u64, Slot)> {
    let around = module.struct_named(strukt)?;
    let (at, ty) = module.field_named(around, name)?;
    let slot = match module.as_struct(ty) {
        None => Slot::anywhere(member(module, layout, strukt, name)?),
        Some(_) => {
            let (strukt, offset) = layout.innermost(around, at);
            Slot { field: FieldId { strukt, offset }, within: Some((around, at)) }
        }
    };
    Some((at, slot))
}

/// Members into which functions of code outside that the module knows put what the module gives them.
pub fn given(module: &Module, layout: &Layout, model: &Model) -> BTreeSet<FieldId> {
    let of_row = |row: &StructRow| {
        let known =
            row.given.iter().filter(|(_, by)| by.as_ref().is_none_or(|by| module.func_named(by).is_some()));
        known.filter_map(|(name, _)| member(module, layout, &row.name, name)).collect::<Vec<_>>()
    };
    model.structs.values().flat_map(of_row).collect()
}

/// The classes of handles that are completions, with where these count, in modules that have such a struct.
fn completions(module: &Module, model: &Model) -> HashMap<String, (TypeId, u64)> {
    let of = |row: &HandleRow| {
        let (strukt, member) = row.completes.as_ref()?;
        let strukt = module.struct_named(strukt)?;
        let (at, _) = module.field_named(strukt, member)?;
        Some((row.class.clone(), (strukt, at)))
    };
    model.handles.values().filter_map(of).collect()
}

/// What is around the devices that entry points get.
pub fn driven(
    module: &Module,
    layout: &Layout,
    model: &Model,
    entry_points: &EntryPoints,
) -> HashMap<EntryPointId, PartOf> {
    let bus = |row: &StructRow| {
        let (strukt, member) = row.drives.as_ref()?.split_once('.')?;
        let (driver, strukt) = (module.struct_named(&row.name)?, module.struct_named(strukt)?);
        let (offset, device) = module.field_named(strukt, member)?;
        Some((device, (driver, PartOf { strukt, offset })))
    };
    let (devices, drivers): (BTreeSet<TypeId>, HashMap<TypeId, PartOf>) =
        model.structs.values().filter_map(bus).unzip();
    let mut leading = members(module, layout, model, |row| &row.while_bound);
    leading.extend(members(module, layout, model, |row| &row.for_devices));
    let buses = Buses { drivers, device: devices.first().copied(), members: leading };
    driven::find(module, layout, entry_points, &buses)
}

/// The structs whose objects list things.
pub fn listers(module: &Module, model: &Model) -> Vec<Lister> {
    let of = |row: &StructRow| {
        let strukt = module.struct_named(&row.name)?;
        let at = |name: &String| module.field_named(strukt, name).map(|(at, _)| at);
        let list = at(row.lists.as_ref()?)?;
        let unless = match &row.lists_unless {
            Some(name) => Some(at(name)?),
            None => None,
        };
        Some(Lister { class: row.lists_of.clone()?, strukt, list, unless })
    };
    model.structs.values().filter_map(of).collect()
}

/// The members into which code outside puts nothing but what it has made for them, in groups.
pub fn apart(module: &Module, layout: &Layout, model: &Model) -> Vec<Vec<FieldId>> {
    let of_row = |row: &StructRow| {
        let of_group = |group: &Vec<String>| {
            group.iter().filter_map(|name| member(module, layout, &row.name, name)).collect::<Vec<_>>()
        };
        row.apart.iter().map(of_group).collect::<Vec<_>>()
    };
    model.structs.values().flat_map(of_row).filter(|group| !group.is_empty()).collect()
}

/// The variables that code outside may change at any time: its own numbers (`jiffies`), and those to which an object in a section
/// leads that has a bit by which it says so.
pub fn changed(module: &Module, model: &Model) -> BTreeSet<GlobalId> {
    let mut changed = match seeded(Fault::NumbersStay) {
        true => BTreeSet::new(),
        false => numbers_outside(module, model),
    };
    for global in module.globals.values().filter(|global| global.defined) {
        let Some(ty) = global.ty else { continue };
        let row = module.as_struct(ty).and_then(|def| model.structs.get(&def.name));
        let Some((member, bits)) = row.and_then(|row| row.changes.as_ref()) else { continue };
        let Some((at, _)) = module.field_named(ty, member) else { continue };
        let is_set = |cell: &InitCell| match cell.value {
            Operand::Int { value, .. } if cell.offset == at => value & u128::from(*bits) != 0,
            _ => false,
        };
        if global.init.iter().any(is_set) {
            changed.extend(variables(module, global));
        }
    }
    changed
}

/// The kernel's variables that are numbers, but for those that rows say stay.
fn numbers_outside(module: &Module, model: &Model) -> BTreeSet<GlobalId> {
    const STAY: [VariableIs; 3] = [VariableIs::SetBefore, VariableIs::CopyDistances, VariableIs::CpuNumber];
    let stays = |name: &str| STAY.iter().any(|&is| model.variable_is(name, is));
    let is_number = |global: &Global| global.ty.is_none_or(|ty| has_only_numbers(module, ty));
    let outside = module.globals.iter().filter(|(_, global)| !global.defined && !global.constant);
    outside.filter(|(_, global)| is_number(global) && !stays(&global.name)).map(|(g, _)| g).collect()
}

/// Whether there is nothing but numbers in a variable of the type.
fn has_only_numbers(module: &Module, ty: TypeId) -> bool {
    match &module.types[ty] {
        TypeDef::Int { .. } | TypeDef::Float(_) => true,
        TypeDef::Array { elem, .. } => has_only_numbers(module, *elem),
        TypeDef::Struct(def) => def.fields.iter().all(|field| has_only_numbers(module, field.ty)),
        TypeDef::Ptr(_) | TypeDef::Func { .. } | TypeDef::Void => false,
    }
}

/// The variables to which initial values lead, through constants.
fn variables(module: &Module, from: &Global) -> BTreeSet<GlobalId> {
    let mut reached = BTreeSet::new();
    let mut work = vec![from];
    while let Some(global) = work.pop() {
        for cell in &global.init {
            if let Operand::Global(to, _) = cell.value
                && reached.insert(to)
                && module.globals[to].constant
            {
                work.push(&module.globals[to]);
            }
        }
    }
    reached.retain(|&g| !module.globals[g].constant);
    reached
}

/// Where parameters of entry points come from.
pub fn parameters(
    module: &Module,
    layout: &Layout,
    model: &Model,
    entry_points: &EntryPoints,
) -> HashMap<(EntryPointId, u32), Whence> {
    let mut out = HashMap::new();
    for (id, entry) in entry_points.items.iter() {
        let Some((strukt, name)) = entry.role.split_once('.') else { continue };
        let Some(row) = model.table(strukt).and_then(|table| table.field(name)) else { continue };
        let of = |strukt: &str, name: &str| member(module, layout, strukt, name);
        if let (Some(param), Some(field)) = (row.itself, of(strukt, name)) {
            out.insert((id, param), Whence::Itself(field, entry.func));
        }
        if let Some((param, strukt, name)) = &row.from {
            out.extend(of(strukt, name).map(|field| ((id, *param), Whence::From(field))));
        }
    }
    out
}

/// What belongs to tables of functions for good.
pub fn of_tables(module: &Module, layout: &Layout, model: &Model, entry_points: &EntryPoints) -> OfTables {
    let mut params = HashMap::new();
    for (id, entry) in entry_points.items.iter() {
        let of_table =
            entry.table.into_iter().flat_map(|table| entry.of_table.iter().map(move |p| (*p, table)));
        params.extend(of_table.map(|(param, table)| ((id, param), table)));
    }
    if params.is_empty() {
        return OfTables::default();
    }
    // What the module gives is no table's, for all that code outside knows.
    let given = given(module, layout, model);
    let same = members(module, layout, model, |row| &row.same_table);
    OfTables {
        params,
        same: same.difference(&given).copied().collect(),
        found_by: members(module, layout, model, |row| &row.table_by),
    }
}

fn member(module: &Module, layout: &Layout, strukt: &str, name: &str) -> Option<FieldId> {
    let strukt = module.struct_named(strukt)?;
    let (lo, ty) = module.field_named(strukt, name)?;
    let hi = lo + module.size_of(ty).max(1);
    fields::of_shape(module, layout, Shape::In { strukt, lo, hi })
}

/// The classes of handles that functions in tables wait for.
fn lives_of_tables(model: &Model) -> HashSet<String> {
    let rows = model.tables.values().flat_map(|table| &table.fields);
    rows.flat_map(|row| &row.handles).map(|handle| handle.class.clone()).collect()
}

/// How the handles that the threads register may be registered.
pub fn registrations(model: &Model, threads: &[Thread], ways: Ways) -> Registrations {
    let classes: HashSet<&String> = threads.iter().flat_map(|t| t.events.iter().map(|e| &e.class)).collect();
    let of = |wanted: fn(Option<&HandleRow>) -> bool| {
        let has = |c: &&&String| wanted(model.handle(c));
        classes.iter().filter(has).map(|c| c.to_string()).collect()
    };
    Registrations {
        outside: of(|row| row.is_none_or(|row| row.outside)),
        rearmable: of(|row| row.is_none_or(|row| row.rearmable)),
        fresh: of(|row| row.is_some_and(|row| row.fresh)),
        several: threads.iter().flat_map(|t| t.several.iter().cloned()).chain(ways.several).collect(),
        for_each: of(|row| row.is_some_and(|row| row.several)),
        by_tables: lives_of_tables(model),
        other_way: ways.other,
    }
}
