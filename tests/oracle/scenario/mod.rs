//! What may run at the same time as what: the documented promises of the kernel, as scenarios for the
//! interpreter. Written from the kernel's documentation alone; the verifier's rows and entry points are not
//! looked at, so a wrong row, a lost entry point or a wrongly omitted pair is found as a missed race.
//!
//! The promises: `init` is alone until it registers something. A table's `open` runs once it is
//! registered, once per file, before everything else of that file; `release` after everything else. While
//! a file is open, or being opened, `exit` does not run if the table has an owner. An interrupt handler and its
//! thread, a timer, a work and a poll of NAPI run while they are registered, and never in parallel with themselves for the same
//! handle that was registered through one thing (a line). None starts while its line is off: that is counted, from zero on when
//! the line's first handler is requested; and the thread starts only if a handler has run since somebody has waited for both. What
//! transmits runs one at a time for a device, and does not start while its queue is stopped, which is not counted; a poll does not
//! start from when it was added or disabled, which waits for it, until it is enabled. What changes
//! the device otherwise runs under one mutex, RTNL, but for its ioctl. What these functions do is in `kernel.xml`. On a CPU an interrupt handler comes in between everything but handlers, a timer between what processes do, and a
//! process between what others do, unless that is off there. What is promised of drivers and attributes is said in `devices`.
//! Nothing else is promised.

mod devices;

use devices::Devices;
use lockpair_ir::interp::{
    ArgSpec, Callback, Ends, EnvObject, Invocation, Level, Mask, Of, Scenario, ThreadSpec,
};
use lockpair_ir::{FuncId, GlobalId, LockMode, Module, Op, Operand, Ty};
use std::collections::{BTreeMap, BTreeSet};

/// Files of the environment: the first two are open when the threads start, the others are not.
const FILES: usize = 4;
const INODE: usize = FILES;
const MODULE_STATE: usize = FILES + 1;
/// The first of the devices.
const DEVICE: usize = FILES + 2;

/// How the kernel calls a function of the program.
#[derive(Clone, Debug)]
pub enum Role {
    /// `open` in the table.
    Open(GlobalId),
    /// `release`.
    Release,
    /// Any other file operation.
    FileOp,
    /// A callback of the handle there; or, if no place is given, of any handle of its kind.
    Callback(&'static Kind, Option<(GlobalId, u64)>),
    /// A function of this driver.
    Driver(devices::Call, GlobalId),
    /// A function of this attribute.
    Attribute(GlobalId),
    /// When the module is loaded.
    Init,
    /// When it is unloaded.
    Exit,
}

/// A kind of callbacks.
#[derive(PartialEq, Eq, Debug)]
pub struct Kind {
    /// How the functions are found.
    found: Found,
    /// The class of the handles.
    class: &'static str,
    /// The member of the object that is the handle, if it is not the object.
    member: Option<&'static str>,
    /// The parameter that gets the handle.
    param: usize,
    /// The parameter that gets what the handle was registered through.
    through: Option<usize>,
    /// Whether a handle has one at a time.
    alone: bool,
    /// The state while which it does not start.
    off: Option<(&'static str, Of)>,
    /// The lock that it has while it runs.
    runs: Option<(&'static str, LockMode, Of)>,
    /// Whether it runs under RTNL.
    rtnl: bool,
    /// Where it comes in, which keeps others off its CPU.
    level: Level,
}

/// How the functions of a kind are found.
#[derive(PartialEq, Eq, Debug)]
enum Found {
    /// By what their names begin with.
    Named(&'static str),
    /// In these members of tables of that type.
    In(&'static str, &'static [&'static str]),
}

/// What most kinds have in common.
const PLAIN: Kind = Kind {
    found: Found::Named(""),
    class: "",
    member: None,
    param: 0,
    through: None,
    alone: true,
    off: None,
    runs: None,
    rtnl: false,
    level: Level::Process,
};

const LINE_OFF: &str = "promise:line-off";
/// No thread of the line's handlers runs, or is going to run before a handler does.
const LINE_DRAINED: &str = "promise:line-drained";
const QUEUE_OFF: &str = "promise:queue-off";
const NAPI_OFF: &str = "promise:napi-off";

const KINDS: &[Kind] = &[
    Kind {
        found: Found::Named("irq_"),
        class: "irq",
        param: 1,
        through: Some(0),
        off: Some((LINE_OFF, Of::Through)),
        runs: Some(("promise:line", LockMode::Shared, Of::Through)),
        level: Level::HardIrq,
        ..PLAIN
    },
    Kind {
        found: Found::Named("thread_"),
        class: "irq-thread",
        param: 1,
        through: Some(0),
        off: Some((LINE_DRAINED, Of::Through)),
        runs: Some(("promise:line-thread", LockMode::Shared, Of::Through)),
        ..PLAIN
    },
    Kind {
        found: Found::Named("timer_"),
        class: "timer",
        member: Some("timer"),
        level: Level::SoftIrq,
        ..PLAIN
    },
    Kind {
        found: Found::Named("poll_"),
        class: "napi",
        member: Some("napi"),
        off: Some((NAPI_OFF, Of::Handle)),
        runs: Some(("promise:napi", LockMode::Exclusive, Of::Handle)),
        level: Level::SoftIrq,
        ..PLAIN
    },
    Kind { found: Found::Named("work_"), class: "work", member: Some("work"), ..PLAIN },
    Kind {
        found: Found::In("net_device_ops", &["ndo_start_xmit"]),
        class: "netdev",
        param: 1,
        alone: false,
        off: Some((QUEUE_OFF, Of::Handle)),
        runs: Some(("promise:queue", LockMode::Exclusive, Of::Handle)),
        level: Level::SoftIrq,
        ..PLAIN
    },
    Kind {
        found: Found::In("net_device_ops", &["ndo_open", "ndo_stop", "ndo_change_mtu"]),
        class: "netdev",
        alone: false,
        rtnl: true,
        ..PLAIN
    },
    Kind { found: Found::In("net_device_ops", &["ndo_eth_ioctl"]), class: "netdev", alone: false, ..PLAIN },
];

/// The states, and the locks that have numbers.
fn states() -> BTreeMap<String, Ends> {
    let states = [
        (LINE_OFF, Ends::Counted("irq".to_owned())),
        (LINE_DRAINED, Ends::With(LINE_OFF.to_owned())),
        (QUEUE_OFF, Ends::AtOnce),
        (NAPI_OFF, Ends::AtOnce),
    ];
    states.map(|(class, ends)| (class.to_owned(), ends)).into()
}

fn numbered() -> BTreeSet<String> {
    let by_number = KINDS.iter().filter_map(|kind| kind.runs).filter(|(.., of)| *of == Of::Through);
    by_number.map(|(class, ..)| class.to_owned()).collect()
}

/// What keeps others off a CPU. Preemption and softirqs are off until they are on again as often; interrupts are on at once.
const MASKS: &[(&str, Mask)] = &[
    ("no-preempt", Mask { keeps_off: Level::Process, counted: true }),
    ("locked-no-preempt", Mask { keeps_off: Level::Process, counted: true }),
    ("no-softirq", Mask { keeps_off: Level::SoftIrq, counted: true }),
    ("no-irq", Mask { keeps_off: Level::HardIrq, counted: false }),
    (IN_SOFTIRQ, Mask { keeps_off: Level::SoftIrq, counted: true }),
    (IN_HARDIRQ, Mask { keeps_off: Level::HardIrq, counted: false }),
];
/// A softirq, and an interrupt handler, comes in between no softirq.
const IN_SOFTIRQ: &str = "in-softirq";
/// Handlers run with interrupts off, until they say otherwise.
const IN_HARDIRQ: &str = "in-hardirq";

/// A function that the kernel calls.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The function.
    pub func: FuncId,
    /// How.
    pub role: Role,
    /// Whether it looks at integer parameters.
    uses_numbers: bool,
    /// Whether the module stays while it runs: its table has an `owner`.
    owned: bool,
}

/// Finds the functions that the kernel calls: members of the tables, `init_module`, `cleanup_module`, and names of the
/// form `irq_GLOBAL`, or `irq_any` for handles that are found when the program runs.
pub fn callers(module: &Module) -> Vec<Caller> {
    let mut found = Vec::new();
    let mut add = |func: FuncId, role: Role, owned: bool| {
        if module.funcs[func].is_defined() {
            found.push(Caller { func, role, uses_numbers: uses_numbers(module, func), owned });
        }
    };
    for (id, func) in module.funcs.iter() {
        if func.name == "init_module" {
            add(id, Role::Init, false);
        } else if func.name == "cleanup_module" {
            add(id, Role::Exit, false);
        } else if let Some(role) = KINDS.iter().find_map(|kind| callback(module, &func.name, kind)) {
            add(id, role, false);
        }
    }
    for (func, role) in callbacks_in_tables(module).into_iter().chain(devices::callers(module)) {
        add(func, role, false);
    }
    for (table, func, member) in table_members(module, "file_operations") {
        let role = match member.as_str() {
            "open" => Role::Open(table),
            "release" => Role::Release,
            _ => Role::FileOp,
        };
        add(func, role, has_owner(module, table));
    }
    found
}

fn callback(module: &Module, function: &str, kind: &'static Kind) -> Option<Role> {
    let Found::Named(prefix) = kind.found else { return None };
    let of = function.strip_prefix(prefix)?;
    if of == "any" {
        return Some(Role::Callback(kind, None));
    }
    let global = module.global_named(of)?;
    let field = |member| module.field_named(module.globals[global].ty?, member);
    let offset = kind.member.and_then(field).map_or(0, |(offset, _)| offset);
    Some(Role::Callback(kind, Some((global, offset))))
}

/// The functions in tables that are found by what is registered when they are called.
fn callbacks_in_tables(module: &Module) -> Vec<(FuncId, Role)> {
    let of = |kind: &'static Kind| {
        let Found::In(tag, members) = kind.found else { return vec![] };
        let found = table_members(module, tag);
        let wanted = found.into_iter().filter(|(_, _, member)| members.contains(&member.as_str()));
        wanted.map(|(_, func, _)| (func, Role::Callback(kind, None))).collect()
    };
    KINDS.iter().flat_map(of).collect()
}

fn table_members(module: &Module, tag: &str) -> Vec<(GlobalId, FuncId, String)> {
    let Some(strukt) = module.struct_named(tag) else { return vec![] };
    let mut found = Vec::new();
    for (id, global) in module.globals.iter().filter(|(_, g)| g.ty == Some(strukt)) {
        for cell in &global.init {
            if let Operand::Func(func) = cell.value {
                found.push((id, func, module.path_at(strukt, cell.offset)));
            }
        }
    }
    found
}

fn has_owner(module: &Module, table: GlobalId) -> bool {
    let global = &module.globals[table];
    let offset = global.ty.and_then(|ty| module.field_named(ty, "owner")).map(|(offset, _)| offset);
    let cell = global.init.iter().find(|cell| Some(cell.offset) == offset);
    cell.is_some_and(|cell| matches!(cell.value, Operand::Global(..)))
}

fn uses_numbers(module: &Module, func: FuncId) -> bool {
    let func = &module.funcs[func];
    let numbers: Vec<Operand> =
        func.params.iter().filter(|p| matches!(p.ty, Ty::Int(_))).map(|p| Operand::Value(p.value)).collect();
    let used = |op: &Op| op.operands().iter().any(|o| numbers.contains(o));
    func.blocks.values().any(|b| {
        b.insts.iter().any(|&i| used(&func.insts[i].op))
            || b.term.operand().is_some_and(|o| numbers.contains(&o))
    })
}

/// All scenarios of a module: every two of its functions that may meet, unloading with two handlers, and some other
/// three.
pub fn scenarios(module: &Module, callers: &[Caller], triples: usize) -> Vec<Scenario> {
    let family =
        Family { module, callers, asks_for_cpus: asks_for_cpus(module), has_states: has_states(module) };
    let mut out = Vec::new();
    for (i, a) in callers.iter().enumerate() {
        for b in &callers[i..] {
            family.pair(a, b, &mut out);
        }
    }
    out.extend(family.teardowns());
    out.extend(family.ended_by_others());
    out.extend(family.rebindings());
    let mut third = family.triples();
    // Three different functions first: a third one is there to change what the other two rely on.
    let functions = |s: &Scenario| s.threads.iter().map(|t| t.call.func).collect::<BTreeSet<FuncId>>().len();
    third.sort_by_key(|s| usize::MAX - functions(s));
    let pool = third.iter().filter(|s| functions(s) == 3).count().max(triples.min(third.len()));
    out.extend((0..triples.min(pool)).map(|n| third[n * pool / triples.min(pool)].clone()));
    out
}

/// What has happened before the threads of a scenario start.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Before {
    /// The module was loaded and two files opened.
    Little,
    /// One of the files was used, too; if the module is unloaded, it was closed again.
    Calls,
}

struct Family<'a> {
    module: &'a Module,
    callers: &'a [Caller],
    /// Whether it matters who runs on which CPU.
    asks_for_cpus: bool,
    /// Whether anybody keeps callbacks off.
    has_states: bool,
}

/// Whether anybody asks for the number of his CPU, or for its copy of something.
fn asks_for_cpus(module: &Module) -> bool {
    module.funcs.values().flat_map(|func| func.insts.values()).any(|inst| matches!(inst.op, Op::Cpu))
}

/// Whether anybody brings a state about.
fn has_states(module: &Module) -> bool {
    let states = states();
    let begins = |op: &Op| matches!(op, Op::Acquire { class, .. } if states.contains_key(class));
    module.funcs.values().flat_map(|func| func.insts.values()).any(|inst| begins(&inst.op))
}

/// A call on a file or a device, with a number for integer parameters.
#[derive(Copy, Clone)]
struct Call<'a> {
    caller: &'a Caller,
    file: usize,
    device: usize,
    number: u128,
}

impl<'a> Family<'a> {
    fn pair(&self, a: &'a Caller, b: &'a Caller, out: &mut Vec<Scenario>) {
        if !may_meet(a, b) {
            return;
        }
        for files in files_of_pair(&a.role, &b.role) {
            for Devices { of, bound } in devices::of_pair(self.callers, &a.role, &b.role) {
                for (x, y) in numbers(a).into_iter().flat_map(|x| numbers(b).into_iter().map(move |y| (x, y)))
                {
                    let calls = [
                        Call { caller: a, file: files[0], device: of[0], number: x },
                        Call { caller: b, file: files[1], device: of[1], number: y },
                    ];
                    out.push(self.scenario(&calls, Before::Little, bound));
                    if is_about_handles(&a.role, &b.role) {
                        out.push(self.scenario(&calls, Before::Calls, bound));
                    }
                }
            }
        }
    }

    /// Three at a time: the first two on one file or on two, the third one on either.
    fn triples(&self) -> Vec<Scenario> {
        let mut out = Vec::new();
        let running: Vec<&Caller> = self.callers.iter().filter(|c| !is_once(&c.role)).collect();
        for (i, a) in running.iter().enumerate() {
            for (j, b) in running.iter().enumerate().skip(i) {
                for c in running.iter().skip(j) {
                    self.triple([a, b, c], &mut out);
                }
            }
        }
        out
    }

    /// What one handler starts again, while the module is unloaded or a file closed, may be the other one.
    fn teardowns(&self) -> Vec<Scenario> {
        let of = |wanted: fn(&Role) -> bool| self.with_role(wanted).collect::<Vec<_>>();
        let ends = of(|r| matches!(r, Role::Exit | Role::Release | Role::Driver(devices::Call::Remove, _)));
        let handlers = of(|r| matches!(r, Role::Callback(..) | Role::Attribute(_)));
        let mut out = Vec::new();
        for end in ends {
            for (i, a) in handlers.iter().enumerate() {
                for b in handlers[i..].iter().filter(|b| may_meet(a, b)) {
                    let calls = [end, *a, *b].map(Call::of);
                    out.push(self.scenario(&calls, Before::Little, self.first_device()));
                }
            }
        }
        out
    }

    /// What was registered for a device, and not ended, runs while a driver is bound to it for the second time.
    fn rebindings(&self) -> Vec<Scenario> {
        let of = |wanted: fn(&Role) -> bool| self.with_role(wanted).collect::<Vec<_>>();
        let mut out = Vec::new();
        for remove in of(|r| matches!(r, Role::Driver(devices::Call::Remove, _))) {
            for probe in of(|r| matches!(r, Role::Driver(devices::Call::Probe, _))) {
                for handler in of(|r| matches!(r, Role::Callback(..) | Role::Attribute(_))) {
                    let calls = [remove, probe, handler].map(Call::of);
                    let mut scenario = self.scenario(&calls, Before::Little, self.first_device());
                    scenario.threads[1].after = vec![0];
                    out.push(scenario);
                }
            }
        }
        out
    }

    /// The devices to which the driver is bound if it matters little to which; none without a driver.
    fn first_device(&self) -> &'static [usize] {
        let has_driver = self.callers.iter().any(|c| matches!(c.role, Role::Driver(..)));
        if has_driver { &[0] } else { &[] }
    }

    /// What keeps a callback off may be ended by another thread than the one that has brought it about.
    fn ended_by_others(&self) -> Vec<Scenario> {
        let mut out = Vec::new();
        let kept_off = self.callers.iter().filter(|c| c.kind().is_some_and(|kind| kind.off.is_some()));
        for callback in kept_off.filter(|_| self.has_states) {
            let others: Vec<&Caller> = self.callers.iter().filter(|c| !is_once(&c.role)).collect();
            for (i, a) in others.iter().enumerate() {
                for b in &others[i..] {
                    self.triple([a, b, callback], &mut out);
                }
            }
        }
        out
    }

    fn triple(&self, callers: [&'a Caller; 3], out: &mut Vec<Scenario>) {
        let roles = callers.map(|c| &c.role);
        let [a, b, c] = callers;
        // A device has one of its driver's functions at a time, and here the driver is bound to the first one.
        let of_driver = roles.iter().filter(|role| matches!(role, Role::Driver(..))).count();
        let probes = roles.iter().any(|role| matches!(role, Role::Driver(devices::Call::Probe, _)));
        if of_driver > 1 || probes {
            return;
        }
        let meet = may_meet(a, b) && may_meet(a, c) && may_meet(b, c);
        let Some(files) = files_of_triple(roles).filter(|_| meet) else { return };
        let calls: Vec<Call> = callers
            .iter()
            .zip(files)
            .map(|(caller, file)| Call { file, number: numbers(caller)[0], ..Call::of(caller) })
            .collect();
        out.push(self.scenario(&calls, Before::Little, self.first_device()));
    }

    /// These calls, with the driver bound to these devices before.
    fn scenario(&self, calls: &[Call], before: Before, bound: &[usize]) -> Scenario {
        let loading = calls.iter().any(|c| matches!(c.caller.role, Role::Init));
        let unloading = calls.iter().any(|c| matches!(c.caller.role, Role::Exit));
        let each = |wanted: fn(&Role) -> bool, file| {
            let call = move |caller| Call { file, device: file, number: 1, caller };
            self.with_role(wanted).map(move |c| self.invocation(call(c))).collect::<Vec<_>>()
        };
        let mut setup = Vec::new();
        if !loading {
            setup.extend(each(|r| matches!(r, Role::Init), 0));
        }
        for &device in bound.iter().filter(|_| !loading && !unloading) {
            setup.extend(each(|r| matches!(r, Role::Driver(devices::Call::Probe, _)), device));
        }
        // Before the module is unloaded all files are closed.
        let open = match (loading, unloading, before) {
            (true, ..) | (_, true, Before::Little) => 0..0,
            (_, true, Before::Calls) => 0..1,
            (_, false, _) => 0..2,
        };
        for file in open.clone() {
            setup.extend(each(|r| matches!(r, Role::Open(_)), file));
        }
        if before == Before::Calls && !open.is_empty() {
            setup.extend(each(|r| matches!(r, Role::FileOp), 0));
            if unloading {
                setup.extend(each(|r| matches!(r, Role::Release), 0));
            }
        }
        let threads = calls.iter().map(|c| self.thread(*c)).collect();
        let masks = MASKS.iter().filter(|_| self.asks_for_cpus);
        let masks: BTreeMap<String, Mask> = masks.map(|(class, mask)| ((*class).to_owned(), *mask)).collect();
        let (objects, states, numbered) = (self.objects(), states(), numbered());
        Scenario { objects, setup, threads, masks, states, numbered, ..Scenario::default() }
    }

    fn with_role(&self, wanted: impl Fn(&Role) -> bool) -> impl Iterator<Item = &'a Caller> {
        self.callers.iter().filter(move |c| wanted(&c.role))
    }

    fn objects(&self) -> Vec<EnvObject> {
        let size = |tag: &str| self.module.struct_named(tag).map_or(8, |ty| self.module.size_of(ty)).max(8);
        let object = |name: String, size| EnvObject { name, size, ..EnvObject::default() };
        let mut all: Vec<EnvObject> = (0..FILES).map(|n| object(format!("file{n}"), size("file"))).collect();
        all.push(object("inode".into(), size("inode")));
        all.push(object("module".into(), 8));
        all.extend((0..devices::DEVICES).map(|n| object(format!("device{n}"), size("platform_device"))));
        all
    }

    fn thread(&self, call: Call) -> ThreadSpec {
        let mut thread = ThreadSpec::new(call.caller.func, vec![]);
        thread.call = self.invocation(call);
        let session = ArgSpec::Object { id: call.file, offset: 0 };
        let module = ArgSpec::Object { id: MODULE_STATE, offset: 0 };
        let lock = |class: &str, mode, addr: &ArgSpec| (class.to_owned(), mode, addr.clone());
        if let Role::Callback(kind, _) = &call.caller.role {
            thread.level = kind.level;
            thread.masks = if self.asks_for_cpus { masks_on_entry(kind.level) } else { vec![] };
        }
        match &call.caller.role {
            Role::Open(table) => {
                thread.requires_registered.push(("table".into(), ArgSpec::Global(*table, 0)));
                if call.caller.owned {
                    thread.locks.push(lock("promise:module", LockMode::Shared, &module));
                }
                thread.locks.push(lock("promise:file", LockMode::Exclusive, &session));
            }
            Role::Release => {
                thread.locks.push(lock("promise:module", LockMode::Shared, &module));
                thread.locks.push(lock("promise:file", LockMode::Exclusive, &session));
            }
            Role::FileOp => {
                thread.locks.push(lock("promise:module", LockMode::Shared, &module));
                thread.locks.push(lock("promise:file", LockMode::Shared, &session));
            }
            Role::Callback(kind, place) => {
                thread.callback = Some(kind.callback(*place));
                if kind.rtnl {
                    thread.locks.push(lock("promise:rtnl", LockMode::Exclusive, &module));
                }
            }
            Role::Driver(what, driver) => {
                let device = ArgSpec::Object { id: DEVICE + call.device, offset: 0 };
                thread.requires_registered = devices::conditions(*what, *driver, &device);
                thread.locks.push(lock("promise:device", LockMode::Exclusive, &device));
            }
            Role::Attribute(attribute) => {
                thread.callback = Some(devices::attribute(self.module, *attribute));
            }
            Role::Init => {}
            Role::Exit => thread.locks.push(lock("promise:module", LockMode::Exclusive, &module)),
        }
        thread
    }

    fn invocation(&self, call: Call) -> Invocation {
        let Call { caller, number, .. } = call;
        let object = |id| ArgSpec::Object { id, offset: 0 };
        let (inode, file, device) = (object(INODE), object(call.file), object(DEVICE + call.device));
        let int = |bits| ArgSpec::Int { bits, value: number };
        let args = match &caller.role {
            Role::Open(_) | Role::Release => vec![inode, file],
            Role::FileOp if self.module.funcs[caller.func].params.len() == 3 => vec![file, int(32), int(64)],
            Role::FileOp => vec![file, ArgSpec::Null, int(64), ArgSpec::Null],
            // For what it runs is filled in when it starts.
            Role::Callback(..) => self.module.funcs[caller.func].params.iter().map(|_| int(32)).collect(),
            // The message that asks to suspend.
            Role::Driver(..) => vec![device.clone(), int(32)],
            Role::Attribute(attribute) => {
                vec![ArgSpec::Null, ArgSpec::Global(*attribute, 0), ArgSpec::Null, int(64)]
            }
            Role::Init | Role::Exit => vec![],
        };
        let then = match &caller.role {
            Role::Driver(what, _) => devices::end(*what, &device),
            _ => None,
        };
        Invocation { func: caller.func, args, then }
    }
}

impl<'a> Call<'a> {
    /// On the first file, and for the first device.
    fn of(caller: &'a Caller) -> Call<'a> {
        Call { caller, file: 0, device: 0, number: 0 }
    }
}

impl Kind {
    fn callback(&self, place: Option<(GlobalId, u64)>) -> Callback {
        let through = self.through.map(|param| (param, Of::Through));
        Callback {
            class: self.class.to_owned(),
            handle: place.map(|(global, offset)| ArgSpec::Global(global, offset)),
            through: None,
            alone: self.alone,
            args: std::iter::once((self.param, Of::Handle)).chain(through).collect(),
            locks: self.runs.iter().map(|(class, mode, of)| ((*class).to_owned(), *mode, *of)).collect(),
            not_while: self.off.map(|(class, of)| (class.to_owned(), of)),
            spawned: false,
        }
    }
}

impl Caller {
    fn kind(&self) -> Option<&'static Kind> {
        match self.role {
            Role::Callback(kind, _) => Some(kind),
            _ => None,
        }
    }
}

fn is_once(role: &Role) -> bool {
    matches!(role, Role::Init | Role::Exit)
}

/// What keeps others off its CPU while it runs, as it is nothing but a process.
fn masks_on_entry(level: Level) -> Vec<String> {
    let all: &[&str] = match level {
        Level::Process => &[],
        Level::SoftIrq => &[IN_SOFTIRQ],
        Level::HardIrq => &[IN_SOFTIRQ, IN_HARDIRQ],
    };
    all.iter().map(|class| (*class).to_owned()).collect()
}

fn may_meet(a: &Caller, b: &Caller) -> bool {
    use Role::*;
    match (&a.role, &b.role) {
        // Once, before and after all others.
        (Init, Init) | (Exit, Exit) | (Init, Exit) | (Exit, Init) => false,
        // A file that init publishes must first be opened.
        (Init, Release | FileOp) | (Release | FileOp, Init) => false,
        (Init, Open(_) | Callback(..)) | (Open(_) | Callback(..), Init) => true,
        // Without an owner, nothing keeps the module while a file is opened.
        (Exit, Open(_)) => !b.owned,
        (Open(_), Exit) => !a.owned,
        // After exit there is no file, and before it none is open.
        (Exit, Callback(..)) | (Callback(..), Exit) => true,
        (Exit, Release | FileOp) | (Release | FileOp, Exit) => false,
        // What is bound was probed, which what init registers brings about; exit runs `remove` itself.
        (Init, Driver(devices::Call::Probe, _)) | (Driver(devices::Call::Probe, _), Init) => true,
        (Init | Exit, Driver(..) | Attribute(_)) | (Driver(..) | Attribute(_), Init | Exit) => false,
        (Callback(k, Some(x)), Callback(l, Some(y))) => (k, x) != (l, y),
        (
            Open(_) | Release | FileOp | Callback(..) | Driver(..) | Attribute(_),
            Open(_) | Release | FileOp | Callback(..) | Driver(..) | Attribute(_),
        ) => true,
    }
}

/// Whether it matters to two calls what was registered before.
fn is_about_handles(a: &Role, b: &Role) -> bool {
    let is_callback = |role: &Role| matches!(role, Role::Callback(..));
    is_callback(a) || is_callback(b)
}

/// The files on which two calls may be made at the same time.
fn files_of_pair(a: &Role, b: &Role) -> Vec<[usize; 2]> {
    use Role::*;
    match (a, b) {
        (FileOp, FileOp) => vec![[0, 0], [0, 1]],
        (Open(_), Open(_)) => vec![[2, 3]],
        (Open(_), _) => vec![[2, 0]],
        (_, Open(_)) => vec![[0, 2]],
        (Release, _) | (_, Release) => vec![[0, 1]],
        _ => vec![[0, 0]],
    }
}

/// The same for three calls: who opens gets a new file, who releases one that nobody else has.
fn files_of_triple(roles: [&Role; 3]) -> Option<[usize; 3]> {
    let mut new = 2..FILES;
    let mut releases = 0..1;
    let releasing = roles.iter().any(|r| matches!(r, Role::Release));
    let mut files = [0; 3];
    for (n, role) in roles.iter().enumerate() {
        files[n] = match role {
            Role::Open(_) => new.next()?,
            Role::Release => releases.next()?,
            _ if releasing || n == 1 => 1,
            _ => 0,
        };
    }
    Some(files)
}

/// What integer parameters may be, if anybody looks.
fn numbers(caller: &Caller) -> Vec<u128> {
    let knows_line = caller.kind().is_some_and(|kind| kind.through.is_some());
    if caller.uses_numbers && !knows_line { vec![1, 0, 0xffff_fff8] } else { vec![1] }
}
