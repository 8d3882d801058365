//! A pair of entry points of a driver as scenarios of the interpreter: two threads that begin in any state that their rows allow.

use lockpair_entry_points::{EntryPoint, EntryPointId, EntryPoints, Origin};
use lockpair_env::Model;
use lockpair_env::schema::{AddrExpr, Base, ImplicitLock};
use lockpair_ir::interp::{
    ArgSpec, EnvObject, HEADROOM, Invocation, Lazy, Program, RaceAccess, RaceFound, Scenario, ThreadSpec,
};
use lockpair_ir::{Callee, FuncId, Function, GlobalId, LockMode, Module, Op, Operand, Param, Ty, TypeId};
use std::collections::{BTreeMap, BTreeSet};

/// What a number is that names something of the kernel's, as the line of an interrupt: the same for both threads.
const NUMBER: u128 = 7;

/// A driver whose executions may be searched.
pub(super) struct Driver<'a> {
    /// The driver with the effects of the rows.
    pub(super) module: &'a Module,
    pub(super) code: Program<'a>,
    model: &'a Model,
    entries: &'a EntryPoints,
    /// The variables that somebody may have changed before.
    changed: BTreeSet<GlobalId>,
    /// The structs that have data of their own: what a driver has bound to a device is bound to no other.
    owners: BTreeSet<TypeId>,
    /// The classes of handles that the code of each entry point may register.
    registers: BTreeMap<FuncId, BTreeSet<String>>,
}

/// For whom the two threads run.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Of {
    /// Parameters of one type are one object.
    One,
    /// Only the first ones are, as of a device that has several attributes.
    First,
    /// They are two objects alike.
    Two,
}

impl<'a> Driver<'a> {
    pub(super) fn new(module: &'a Module, model: &'a Model, entries: &'a EntryPoints) -> Driver<'a> {
        let funcs: BTreeSet<FuncId> = entries.items.values().map(|entry| entry.func).collect();
        let registers = funcs.into_iter().map(|func| (func, registered_by(module, func))).collect();
        Driver {
            module,
            code: Program::new(module),
            model,
            entries,
            changed: changed(module),
            owners: owners(module, model),
            registers,
        }
    }

    /// Whether the places of the race say which accesses these are, and both are the driver's own: what a row says of a function
    /// outside is at most what that does.
    pub(super) fn is_plain(&self, race: &RaceFound) -> bool {
        let is_own = |access: &RaceAccess| {
            let op = &self.module.funcs[access.site.func].insts[access.site.inst].op;
            !matches!(op, Op::Access { .. }) && super::is_alone(self.module, access)
        };
        is_own(&race.first) && is_own(&race.second)
    }

    /// What runs; none if something that is held or registered cannot be told.
    pub(super) fn scenario(&self, (a, b): (EntryPointId, EntryPointId), of: Of) -> Option<Scenario> {
        let entries = [&self.entries.items[a], &self.entries.items[b]];
        let mut begin = Begin::of(self.module, &self.owners);
        let [one, other] = begin.arguments(entries, of);
        let threads = vec![
            self.thread(&mut begin, entries[0], entries[1], one)?,
            self.thread(&mut begin, entries[1], entries[0], other)?,
        ];
        let Begin { objects, registered, numbered, .. } = begin;
        let lazy = Some(Lazy { globals: self.changed.clone(), registered });
        Some(Scenario { objects, threads, numbered, lazy, ..Scenario::default() })
    }

    /// A thread, with what the kernel holds for it and has registered.
    fn thread(
        &self,
        begin: &mut Begin,
        entry: &EntryPoint,
        other: &EntryPoint,
        mut args: Vec<ArgSpec>,
    ) -> Option<ThreadSpec> {
        begin.relate(entry, &mut args)?;
        let mut spec = ThreadSpec::new(entry.func, Vec::new());
        for lock in entry.locks.iter().filter(|lock| lock.addr.base != Base::Cpu) {
            let Some(mode) = self.mode(lock, other) else { continue };
            let addr = begin.address(&lock.addr, entry, &args)?;
            if matches!(addr, ArgSpec::Int { .. }) {
                begin.numbered.insert(lock.class.clone());
            }
            spec.locks.push((lock.class.clone(), mode, addr));
        }
        for handle in &entry.handles {
            // Who registers it may do that for this thread.
            if self.registers[&other.func].contains(&handle.class) {
                spec.awaits.push(handle.class.clone());
                continue;
            }
            let addr = begin.address(&handle.addr, entry, &args)?;
            begin.registered.push((handle.class.clone(), addr.clone()));
            spec.requires_registered.push((handle.class.clone(), addr));
        }
        spec.registers = self.registers[&entry.func].iter().cloned().collect();
        spec.call = Invocation { func: entry.func, args, then: None };
        Some(spec)
    }
}

impl Driver<'_> {
    /// How a lock keeps others off that the kernel holds. Of a state, those who are called in it (shared) keep off those who are called where
    /// it is not, and these keep off who brings it about.
    fn mode(&self, lock: &ImplicitLock, other: &EntryPoint) -> Option<LockMode> {
        if !self.model.states.values().any(|row| row.class == lock.class) {
            return Some(lock.mode);
        }
        let is_opposite = |of: &ImplicitLock| of.class == lock.class && of.mode != lock.mode;
        match lock.mode {
            _ if other.locks.iter().any(is_opposite) => Some(LockMode::Exclusive),
            LockMode::Exclusive => Some(LockMode::Shared),
            LockMode::Shared => None,
        }
    }
}

/// With what threads begin.
struct Begin<'a> {
    module: &'a Module,
    owners: &'a BTreeSet<TypeId>,
    objects: Vec<EnvObject>,
    /// Those of the kernel that the module has no symbol for, by name.
    kernel: BTreeMap<String, usize>,
    /// The handles that are registered: (class, address).
    registered: Vec<(String, ArgSpec)>,
    /// The classes of locks that have numbers.
    numbered: BTreeSet<String>,
}

impl<'a> Begin<'a> {
    fn of(module: &'a Module, owners: &'a BTreeSet<TypeId>) -> Begin<'a> {
        let (objects, registered) = (Vec::new(), Vec::new());
        Begin { module, owners, objects, kernel: BTreeMap::new(), registered, numbered: BTreeSet::new() }
    }
}

/// The parameters that are known, by what they are declared to point to, and which of a function that is.
type Known = BTreeMap<(Option<TypeId>, usize), usize>;

impl Begin<'_> {
    /// What the two functions get.
    fn arguments(&mut self, entries: [&EntryPoint; 2], of: Of) -> [Vec<ArgSpec>; 2] {
        let is_same = entries[0].func == entries[1].func;
        let mut known = Known::new();
        entries.map(|entry| {
            let mut counts: BTreeMap<Option<TypeId>, usize> = BTreeMap::new();
            let params = self.module.funcs[entry.func].params.iter().enumerate();
            let mut argument = |(n, param): (usize, &Param)| match param.ty {
                Ty::Int(bits) if is_named(entry, n) => ArgSpec::Int { bits, value: NUMBER },
                Ty::Int(bits) => ArgSpec::Any { bits },
                Ty::Ptr | Ty::Opaque(_) => {
                    let ty = param.decl.and_then(|ty| self.module.pointee(ty));
                    let strukt = ty.filter(|ty| self.module.as_struct(*ty).is_some());
                    let nth = counts.entry(strukt).or_default();
                    *nth += 1;
                    let key = (strukt, *nth);
                    let shares = strukt.is_some() || is_same;
                    let like = known.get(&key).copied().filter(|_| shares && !is_of_call(entry, n));
                    let name = name(&self.module.funcs[entry.func], param, n);
                    let id = match like {
                        Some(id) if of == Of::One || of == Of::First && n == 0 => id,
                        like => {
                            let is_owner = strukt.is_some_and(|ty| self.owners.contains(&ty));
                            self.object(name, ty, like.filter(|_| !is_owner))
                        }
                    };
                    if !is_of_call(entry, n) {
                        known.entry(key).or_insert(id);
                    }
                    at_begin(id)
                }
            };
            params.map(&mut argument).collect()
        })
    }

    fn object(&mut self, name: String, ty: Option<TypeId>, like: Option<usize>) -> usize {
        let extent = ty.map_or(0, |ty| self.module.size_of(ty));
        self.objects.push(EnvObject { name, size: 2 * HEADROOM, cells: Vec::new(), ty, like, extent });
        self.objects.len() - 1
    }

    /// Makes pointers one that are. None if that cannot be told.
    fn relate(&mut self, entry: &EntryPoint, args: &mut [ArgSpec]) -> Option<()> {
        for same in entry.same.iter().filter(|same| same.addr.base != Base::Function) {
            let (one, other) = (&same.addr, &same.other);
            let (plain, way) = if one.steps.is_empty() { (one, other) } else { (other, one) };
            match (&plain.base, way.steps.split_last()) {
                (Base::Param(n), None) => {
                    let Base::Param(m) = way.base else { return None };
                    *args.get_mut(*n as usize)? = args.get(m as usize)?.clone();
                }
                (_, Some((last, before))) if plain.steps.is_empty() && last.deref => {
                    let target = self.address(plain, entry, args)?;
                    let mut steps = before.to_vec();
                    steps.push(lockpair_env::schema::Step { deref: false, ..last.clone() });
                    let ArgSpec::Object { id, offset } =
                        self.address(&AddrExpr { base: way.base.clone(), steps }, entry, args)?
                    else {
                        return None;
                    };
                    self.objects[id].cells.retain(|(at, _)| *at != offset);
                    self.objects[id].cells.push((offset, target));
                }
                _ => return None,
            }
        }
        Some(())
    }

    fn address(&mut self, expr: &AddrExpr, entry: &EntryPoint, args: &[ArgSpec]) -> Option<ArgSpec> {
        let plain = expr.steps.is_empty();
        match &expr.base {
            Base::Global(name) => match self.module.global_named(name) {
                Some(global) => Some(ArgSpec::Global(global, 0)),
                None => Some(at_begin(self.of_kernel(name))),
            },
            Base::Table => Some(ArgSpec::Global(entry.table?, 0)),
            Base::Function => Some(ArgSpec::Func(entry.func)),
            Base::Fresh => Some(at_begin(self.object("a handle".to_owned(), None, None))),
            Base::Ret | Base::Cpu | Base::Own(_) => None,
            Base::Param(n) => match args.get(*n as usize)? {
                number @ ArgSpec::Int { .. } if plain => Some(number.clone()),
                ArgSpec::Object { id, offset } => {
                    let decl = self.module.funcs[entry.func].params.get(*n as usize)?.decl;
                    let ty = decl.and_then(|ty| self.module.pointee(ty));
                    self.follow(expr, (*id, *offset), ty)
                }
                _ => None,
            },
        }
    }

    fn follow(&mut self, expr: &AddrExpr, start: (usize, u64), ty: Option<TypeId>) -> Option<ArgSpec> {
        let ((mut id, mut offset), mut ty) = (start, ty);
        for step in &expr.steps {
            let named = step.strukt.as_deref().and_then(|tag| self.module.struct_named(tag));
            let (at, field) = self.module.field_named(named.or(ty)?, &step.field)?;
            offset += at;
            ty = Some(field);
            if step.deref {
                ty = self.module.pointee(field);
                (id, offset) = self.led_to(id, offset, ty)?;
            }
        }
        Some(ArgSpec::Object { id, offset })
    }

    /// Where the pointer in an object leads: like objects have like pointers.
    fn led_to(&mut self, id: usize, offset: u64, ty: Option<TypeId>) -> Option<(usize, u64)> {
        let is_inside =
            |object: &EnvObject| offset.checked_sub(HEADROOM).is_some_and(|at| at < object.extent);
        let kind = |id: usize| self.objects[id].like.filter(|_| is_inside(&self.objects[id])).unwrap_or(id);
        let alike = (0..self.objects.len()).filter(|&other| kind(other) == kind(id));
        let mut cells = alike.flat_map(|other| &self.objects[other].cells);
        let known = cells.find(|(at, _)| *at == offset).map(|(_, to)| to.clone());
        let to = match known {
            Some(to) => to,
            None => {
                let holder = self.objects[id].name.trim_start_matches('*');
                let path =
                    self.objects[id].ty.map(|ty| self.module.path_at(ty, offset.wrapping_sub(HEADROOM)));
                let name = format!("*{holder}->{}", path.unwrap_or_default());
                at_begin(self.object(name, ty, None))
            }
        };
        let cells = &mut self.objects[id].cells;
        if cells.iter().all(|(at, _)| *at != offset) {
            cells.push((offset, to.clone()));
        }
        match to {
            ArgSpec::Object { id, offset } => Some((id, offset)),
            _ => None,
        }
    }

    fn of_kernel(&mut self, name: &str) -> usize {
        if let Some(&id) = self.kernel.get(name) {
            return id;
        }
        let id = self.object(name.to_owned(), None, None);
        self.kernel.insert(name.to_owned(), id);
        id
    }
}

/// Whether what a parameter leads to belongs to the call alone, as far as anybody knows, or is data.
fn is_of_call(entry: &EntryPoint, n: usize) -> bool {
    // Nobody says who calls these, and with what.
    let is_of_anybody = matches!(entry.origin, Origin::Exported | Origin::Escaped { .. });
    is_of_anybody || entry.call_owned.contains(&(n as u32)) || entry.data.contains(&(n as u32))
}

fn at_begin(id: usize) -> ArgSpec {
    ArgSpec::Object { id, offset: HEADROOM }
}

/// Whether a lock or a handle is found by the parameter's value.
fn is_named(entry: &EntryPoint, n: usize) -> bool {
    let addrs =
        entry.locks.iter().map(|lock| &lock.addr).chain(entry.handles.iter().map(|handle| &handle.addr));
    addrs.into_iter().any(|addr| addr.base == Base::Param(n as u32))
        || entry.handles.iter().any(|handle| handle.through == Some(n as u32))
}

fn name(func: &Function, param: &Param, n: usize) -> String {
    match param.name.as_str() {
        "" => format!("*argument {n} of {}", func.name),
        name => format!("*{name}"),
    }
}

/// The structs with members that say what is bound, and those that contain them.
fn owners(module: &Module, model: &Model) -> BTreeSet<TypeId> {
    let bound = model.structs.values().filter(|row| !row.bound.is_empty());
    let mut owners: BTreeSet<TypeId> = bound.filter_map(|row| module.struct_named(&row.name)).collect();
    loop {
        let contains = |ty: TypeId| {
            let fields = module.as_struct(ty).into_iter().flat_map(|strukt| &strukt.fields);
            fields.into_iter().any(|field| owners.contains(&module.element(field.ty)))
        };
        let more: Vec<TypeId> =
            module.types.keys().filter(|ty| !owners.contains(ty) && contains(*ty)).collect();
        if more.is_empty() {
            return owners;
        }
        owners.extend(more);
    }
}

/// The variables of the module that may have been changed: those that are more than read.
fn changed(module: &Module) -> BTreeSet<GlobalId> {
    let mut changed = BTreeSet::new();
    for inst in module.funcs.values().flat_map(|func| func.insts.values()) {
        let operands = inst.op.operands();
        let rest = if matches!(inst.op, Op::Load { .. }) { &[][..] } else { &operands[..] };
        changed.extend(rest.iter().filter_map(|operand| match operand {
            Operand::Global(id, _) => Some(*id).filter(|id| !module.globals[*id].constant),
            _ => None,
        }));
    }
    changed
}

/// The classes of handles that a function and those that it calls may register.
fn registered_by(module: &Module, func: FuncId) -> BTreeSet<String> {
    let (mut seen, mut todo, mut classes) = (BTreeSet::new(), vec![func], BTreeSet::new());
    while let Some(func) = todo.pop() {
        if !seen.insert(func) {
            continue;
        }
        for inst in module.funcs[func].insts.values() {
            match &inst.op {
                Op::Register { class, .. } => drop(classes.insert(class.clone())),
                Op::Call { callee: Callee::Func(callee), .. } => todo.push(*callee),
                _ => {}
            }
        }
    }
    classes
}
