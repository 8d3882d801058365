//! What is registered through a list of things is registered through each of them: a group of attributes, through a constant variable
//! that leads to a list which nobody changes: code only registers and ends it, and nothing else leads there. Who ends the whole ends its parts,
//! however they were registered.

use crate::fault::{Fault, seeded};
use lockpair_ir::*;
use std::collections::{HashMap, HashSet};

/// A place in a variable: its number among objects, and the offset.
pub type Place = (i128, u64);

/// A struct whose objects list things.
#[derive(Clone, Debug)]
pub struct Lister {
    /// The class of handles.
    pub class: String,
    /// The struct.
    pub strukt: TypeId,
    /// Where in it the pointer to the list is, which ends with null.
    pub list: u64,
    /// Where a pointer is that must be null: else the things are elsewhere.
    pub unless: Option<u64>,
}

/// The things that wholes have.
#[derive(Debug, Default)]
pub struct Parts(HashMap<Place, (String, HashSet<Place>)>);

impl Parts {
    /// Of all variables of a module.
    pub fn new(module: &Module, listers: &[Lister]) -> Parts {
        let leading = leading_to(module);
        let mut parts = HashMap::new();
        for (id, at, lister) in wholes(module, listers, &leading) {
            let global = &module.globals[id];
            let pointer = |at: u64| global.init.iter().find(|cell| cell.offset == at).map(|cell| cell.value);
            let is_elsewhere =
                lister.unless.and_then(|unless| pointer(at + unless)).is_some_and(|v| !is_null(v));
            let Some(Operand::Global(list, from)) = pointer(at + lister.list) else { continue };
            let is_own = leading[list.index()] == HashSet::from([id]) && !module.globals[list].exported;
            let is_kept =
                module.globals[list].constant || !module.funcs.values().any(|func| names(func, list));
            if !is_elsewhere && (is_own && is_kept || seeded(Fault::ListsStay)) {
                let listed = listed(&module.globals[list], from);
                parts.insert((number(id), at), (lister.class.clone(), listed));
            }
        }
        Parts(parts)
    }

    /// Whether no whole is known.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the whole has that part, where handles of the class are registered through them.
    pub fn have(&self, class: &str, whole: Place, part: Place) -> bool {
        self.0.get(&whole).is_some_and(|(of, parts)| of == class && parts.contains(&part))
    }
}

/// Where there is a list of which code does nothing with the variable that leads to it but register and end it: others read such a
/// list, and do not change it.
pub fn read_by_others(module: &Module, listers: &[Lister]) -> HashSet<(GlobalId, u64)> {
    let leading = leading_to(module);
    wholes(module, listers, &leading).map(|(id, at, lister)| (id, at + lister.list)).collect()
}

/// The constant variables that code only registers and ends, and each of the listers in them, with its place.
fn wholes<'a>(
    module: &'a Module,
    listers: &'a [Lister],
    leading: &'a [HashSet<GlobalId>],
) -> impl Iterator<Item = (GlobalId, u64, &'a Lister)> {
    let constants = module.globals.iter().filter(|(_, g)| g.defined && g.constant && !g.exported);
    let of_lister = constants.filter_map(|(id, g)| Some((id, g, lister_of(module, g.ty?, listers)?)));
    let is_known = move |id: GlobalId| {
        leading[id.index()].is_empty() && is_only_registered(module, id) || seeded(Fault::ListsStay)
    };
    of_lister.filter(move |(id, ..)| is_known(*id)).flat_map(|(id, global, lister)| {
        let size = module.size_of(lister.strukt).max(1);
        let step = usize::try_from(size).unwrap_or(usize::MAX);
        (0..global.size).step_by(step).map(move |at| (id, at, lister))
    })
}

/// The lister that a variable is, or is an array of.
fn lister_of<'l>(module: &Module, ty: TypeId, listers: &'l [Lister]) -> Option<&'l Lister> {
    let elem = module.innermost_element(ty);
    listers.iter().find(|lister| lister.strukt == elem)
}

/// The things of a list up to its end.
fn listed(list: &Global, from: i64) -> HashSet<Place> {
    let at = |n: u64| u64::try_from(from).ok().map(|from| from + 8 * n);
    let thing = |n: u64| {
        let at = at(n)?;
        let cell = list.init.iter().find(|cell| cell.offset == at)?;
        match cell.value {
            Operand::Global(g, off) => Some((number(g), u64::try_from(off).ok()?)),
            _ => None,
        }
    };
    (0..).map_while(thing).collect()
}

/// For each variable, the others from whose initial values it is reached. (What the compiler keeps is no matter.)
fn leading_to(module: &Module) -> Vec<HashSet<GlobalId>> {
    let mut leading = vec![HashSet::new(); module.globals.len()];
    for (id, global) in module.globals.iter().filter(|(_, g)| !g.name.starts_with("llvm.")) {
        for cell in &global.init {
            if let Operand::Global(to, _) = cell.value {
                leading[to.index()].insert(id);
            }
        }
    }
    leading
}

/// Whether code only registers and ends what the variable, or a part of it, is.
fn is_only_registered(module: &Module, global: GlobalId) -> bool {
    module.funcs.values().all(|func| {
        let mut addresses = HashSet::new();
        // Addresses of parts are computed before they are used, but blocks are in any order.
        while addresses.len() < add_parts(func, global, &mut addresses) {}
        let is_address = |operand: &Operand| match operand {
            Operand::Global(g, _) => *g == global,
            Operand::Value(v) => addresses.contains(v),
            _ => false,
        };
        let registers = |op: &Op| {
            matches!(op, Op::Register { .. } | Op::Unregister { .. } | Op::Publish { .. } | Op::PtrAdd { .. })
        };
        let mut ops = func.blocks.values().flat_map(|b| &b.insts).map(|&i| &func.insts[i].op);
        let mut ends = func.blocks.values().filter_map(|b| b.term.operand());
        ops.all(|op| registers(op) || !op.operands().iter().any(is_address)) && !ends.any(|v| is_address(&v))
    })
}

/// Adds the values that are addresses of parts of the variable; gives how many there are.
fn add_parts(func: &Function, global: GlobalId, addresses: &mut HashSet<ValueId>) -> usize {
    for &i in func.blocks.values().flat_map(|b| &b.insts) {
        let inst = &func.insts[i];
        let is_part = match &inst.op {
            Op::PtrAdd { base: Operand::Global(g, _), .. } => *g == global,
            Op::PtrAdd { base: Operand::Value(v), .. } => addresses.contains(v),
            _ => false,
        };
        addresses.extend(inst.result.filter(|_| is_part));
    }
    addresses.len()
}

/// Whether the function names the variable.
fn names(func: &Function, global: GlobalId) -> bool {
    let is_it = |operand: &Operand| matches!(operand, Operand::Global(g, _) if *g == global);
    let mut ops = func.blocks.values().flat_map(|b| &b.insts).map(|&i| &func.insts[i].op);
    let mut ends = func.blocks.values().filter_map(|b| b.term.operand());
    ops.any(|op| op.operands().iter().any(is_it)) || ends.any(|v| is_it(&v))
}

fn is_null(v: Operand) -> bool {
    matches!(v, Operand::Null | Operand::Int { value: 0, .. })
}

fn number(global: GlobalId) -> i128 {
    global.index() as i128 + 1
}
