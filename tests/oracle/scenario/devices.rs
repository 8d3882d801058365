//! Drivers of devices, and attributes: a driver's functions run once the driver is registered, for a device, under its lock.
//! First comes `probe`; if that succeeds the driver is bound to the device, until `remove` has run. Nobody probes a device to
//! which a driver is bound. An attribute runs for a device, any number of times at once, while that is registered for the device,
//! itself or a group that has it, whoever is bound; who ends that waits for those that run.

use super::{Caller, Role, table_members};
use lockpair_ir::interp::{ArgSpec, Callback, Of, Then};
use lockpair_ir::{FuncId, GlobalId, Module, Operand};

/// The devices of the environment.
pub const DEVICES: usize = 2;
const DRIVER: &str = "promise:driver";
const BOUND: &str = "promise:bound";
const ATTRIBUTE: &str = "promise:attribute";

/// What a function of a driver is to a device.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Call {
    /// It binds the driver.
    Probe,
    /// It runs while the driver is bound.
    Bound,
    /// It is the last that does.
    Remove,
}

/// The functions of drivers, and of attributes.
pub fn callers(module: &Module) -> Vec<(FuncId, Role)> {
    let driver = |(table, func, member): (GlobalId, FuncId, String)| {
        let call = match member.as_str() {
            "probe" => Call::Probe,
            "remove" => Call::Remove,
            _ => Call::Bound,
        };
        (func, Role::Driver(call, table))
    };
    let drivers = table_members(module, "platform_driver").into_iter().map(driver);
    let attributes = table_members(module, "device_attribute").into_iter();
    drivers.chain(attributes.map(|(attribute, func, _)| (func, Role::Attribute(attribute)))).collect()
}

/// Which devices two calls are made for, and to which the driver was bound before.
pub struct Devices {
    pub of: [usize; 2],
    pub bound: &'static [usize],
}

const NONE: Devices = Devices { of: [0, 0], bound: &[] };

pub fn of_pair(callers: &[Caller], a: &Role, b: &Role) -> &'static [Devices] {
    let begins = |role: &Role| match role {
        Role::Driver(call, _) => Some(*call == Call::Probe),
        _ => None,
    };
    match (begins(a), begins(b)) {
        (Some(true), Some(true)) => &[Devices { of: [0, 1], bound: &[] }],
        (Some(true), Some(false)) => &[Devices { of: [0, 1], bound: &[1] }],
        (Some(false), Some(true)) => &[Devices { of: [1, 0], bound: &[1] }],
        (Some(false), Some(false)) => &[Devices { of: [0, 1], bound: &[0, 1] }],
        (Some(true), None) | (None, Some(true)) => &[NONE, Devices { of: [0, 0], bound: &[1] }],
        (Some(false), None) | (None, Some(false)) => {
            &[Devices { of: [0, 0], bound: &[0] }, Devices { of: [0, 0], bound: &[0, 1] }]
        }
        (None, None) if callers.iter().any(|c| matches!(c.role, Role::Driver(..))) => {
            &[Devices { of: [0, 0], bound: &[0] }, Devices { of: [0, 0], bound: &[0, 1] }]
        }
        (None, None) => &[NONE],
    }
}

/// What must be registered when such a call begins: (class, address).
pub fn conditions(call: Call, driver: GlobalId, device: &ArgSpec) -> Vec<(String, ArgSpec)> {
    let registered = (DRIVER.to_owned(), ArgSpec::Global(driver, 0));
    let bound = (call != Call::Probe).then(|| (BOUND.to_owned(), device.clone()));
    std::iter::once(registered).chain(bound).collect()
}

/// What its end means.
pub fn end(call: Call, device: &ArgSpec) -> Option<Then> {
    match call {
        Call::Probe => Some(Then::Registers(BOUND.to_owned(), device.clone())),
        Call::Bound => None,
        Call::Remove => Some(Then::Unregisters(BOUND.to_owned(), device.clone())),
    }
}

/// How an attribute runs.
pub fn attribute(module: &Module, attribute: GlobalId) -> Callback {
    let groups = module.globals.iter().filter(|(_, group)| {
        let arrays = group.init.iter().filter_map(|cell| global(&cell.value));
        group.ty == module.struct_named("attribute_group")
            && arrays.flat_map(|array| leads_to(module, array)).any(|leaf| leaf == attribute)
    });
    let through = std::iter::once(attribute).chain(groups.map(|(group, _)| group));
    Callback {
        alone: false,
        through: Some(through.map(|place| ArgSpec::Global(place, 0)).collect()),
        args: vec![(0, Of::Handle)],
        ..Callback::new(ATTRIBUTE, 0)
    }
}

fn leads_to(module: &Module, array: GlobalId) -> impl Iterator<Item = GlobalId> {
    module.globals[array].init.iter().filter_map(|cell| global(&cell.value))
}

fn global(value: &Operand) -> Option<GlobalId> {
    match value {
        Operand::Global(global, _) => Some(*global),
        _ => None,
    }
}
