//! For which kind of device a driver's function is called that is declared to get any `struct device`.
//!
//! Power management and attributes get a `struct device`. Of a function that is in nothing but tables to which nothing leads but those
//! members of drivers of one bus that are for their devices (`platform_driver.driver.pm`, `dev_groups`), and that no code looks at, it is
//! known in which struct that device lies: the kernel calls it only for devices that such a driver is bound to.

use super::fields::FieldId;
use super::layout::Layout;
use super::tables::{self, Held, Tables};
use crate::fault::{Fault, seeded};
use lockpair_entry_points::{EntryPointId, EntryPoints, Origin};
use lockpair_ir::*;
use std::collections::{BTreeSet, HashMap};

/// What the first parameter of an entry point is a part of.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct PartOf {
    /// The struct.
    pub strukt: TypeId,
    /// Where in it the part begins.
    pub offset: u64,
}

/// The buses of a module's drivers.
#[derive(Default)]
pub struct Buses {
    /// Per struct of a driver: what its devices are parts of.
    pub drivers: HashMap<TypeId, PartOf>,
    /// The struct that devices are.
    pub device: Option<TypeId>,
    /// The members of drivers that lead to functions for their devices.
    pub members: BTreeSet<FieldId>,
}

/// The structs around the devices that entry points get.
pub fn find(
    module: &Module,
    layout: &Layout,
    entry_points: &EntryPoints,
    Buses { drivers: buses, device, members }: &Buses,
) -> HashMap<EntryPointId, PartOf> {
    let is_unused = || !tables::are_used(module, layout, members) || seeded(Fault::DriversUsedByNobody);
    let Some(device) = device.filter(|_| !buses.is_empty() && is_unused()) else { return HashMap::new() };
    let tables = Tables::new(module);
    let is_for_devices =
        |g, at| tables::is_in(module, layout, members, (g, at)) || seeded(Fault::DriversLeadToDevices);
    let bus = |g: GlobalId| buses.get(&module.element(module.globals[g].ty?)).copied();
    let of_entry = |func: FuncId| {
        let declared = module.funcs[func].params.first()?.decl?;
        if module.pointee(declared) != Some(device) {
            return None;
        }
        let of_driver = |g: GlobalId, at: u64| bus(g).is_some() && is_for_devices(g, at);
        let drivers = tables.beginnings(Held::Func(func), of_driver)?;
        let mut found = drivers.into_iter().filter_map(|(g, _)| bus(g));
        let first = found.next()?;
        (found.all(|part| part == first) || seeded(Fault::DrivenByFirst)).then_some(first)
    };
    let in_tables = entry_points.items.iter().filter(|(_, ep)| matches!(ep.origin, Origin::Table { .. }));
    in_tables.filter_map(|(id, ep)| Some((id, of_entry(ep.func)?))).collect()
}
