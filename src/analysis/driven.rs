//! For which kind of device a driver's function is called that is declared to get any `struct device`.
//!
//! Power management and attributes get a `struct device`. Of a function that is in nothing but tables which are in nothing but
//! drivers of one bus (`platform_driver.driver.pm`, `dev_groups`), it is known in which struct that device lies: the kernel calls it
//! only for devices that such a driver is bound to.

use super::tables::{Held, Tables};
use crate::fault::{Fault, seeded};
use lockpair_entry_points::{EntryPointId, EntryPoints, Origin};
use lockpair_ir::*;
use std::collections::HashMap;

/// What the first parameter of an entry point is a part of.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct PartOf {
    /// The struct.
    pub strukt: TypeId,
    /// Where in it the part begins.
    pub offset: u64,
}

/// The structs around the devices that entry points get. `buses` says per struct of a driver what its devices are parts of, and `device`
/// is the struct that they are.
pub fn find(
    module: &Module,
    entry_points: &EntryPoints,
    buses: &HashMap<TypeId, PartOf>,
    device: Option<TypeId>,
) -> HashMap<EntryPointId, PartOf> {
    let Some(device) = device.filter(|_| !buses.is_empty()) else { return HashMap::new() };
    let tables = Tables::new(module);
    let bus = |g: GlobalId| buses.get(&module.element(module.globals[g].ty?)).copied();
    let of_entry = |func: FuncId| {
        let declared = module.funcs[func].params.first()?.decl?;
        if module.pointee(declared) != Some(device) {
            return None;
        }
        let drivers = tables.beginnings(Held::Func(func), |g, _| bus(g).is_some())?;
        let mut found = drivers.into_iter().filter_map(|(g, _)| bus(g));
        let first = found.next()?;
        (found.all(|part| part == first) || seeded(Fault::DrivenByFirst)).then_some(first)
    };
    let in_tables = entry_points.items.iter().filter(|(_, ep)| matches!(ep.origin, Origin::Table { .. }));
    in_tables.filter_map(|(id, ep)| Some((id, of_entry(ep.func)?))).collect()
}
