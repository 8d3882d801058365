//! Analyses built by hand, for the tests of the reports.

use super::Options;
use crate::config::Environment;
use crate::verdict::{
    Access, Analysis, Begins, By, Execution, Fix, Frame, Grounds, HeldLock, Meeting, PairResult, Purpose,
    RaceReport, Step, Times, UnknownReason, Verdict,
};
use lockpair_entry_points::EntryPointId;
use lockpair_ir::{Assumption, AssumptionKind, EntityRef, Loc, LocId, LockMode, Mark, Module, SourceFile};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

pub use entries::entry_points;

/// Where `demo.c` lies, so that excerpts of it can be shown.
fn base() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src/report/testdata"))
}

/// Options that show paths as they are below the tests, without colours.
pub fn demo_options() -> Options {
    Options {
        inputs: vec!["demo.c".into()],
        base: Some(base()),
        color: false,
        all_assumptions: false,
        in_full: None,
    }
}

/// The entry points of `demo.c`, in this order.
pub const WRITE: usize = 0;
pub const IOCTL: usize = 1;
pub const INTERRUPT: usize = 2;
pub const RELEASE: usize = 3;

/// A result without races.
pub fn pair(a: usize, b: usize, verdict: Verdict) -> PairResult {
    PairResult {
        pair: (EntryPointId::new(a), EntryPointId::new(b)),
        verdict,
        races: Vec::new(),
        regions: 2,
        racy_regions: 0,
        queries: 3,
        time: Duration::from_millis(1),
    }
}

/// A race between two plain writes without places, calls or locks.
pub fn race(location: &str) -> RaceReport {
    let access = Arc::new(access(None, true, Mark::Plain));
    RaceReport {
        location: location.to_owned(),
        accesses: [access.clone(), access],
        meeting: Meeting::Member,
        leans_on: Vec::new(),
        sites: [0, 0],
        fix: None,
        execution: None,
    }
}

fn access(loc: Option<LocId>, write: bool, mark: Mark) -> Access {
    Access {
        loc,
        stack: Vec::new(),
        location: None,
        write,
        purpose: Purpose::Use,
        by: By::Instruction,
        mark,
        bit_fields: Vec::new(),
        locks: Vec::new(),
    }
}

/// An analysis of nothing but these pairs of the demo's entry points.
pub fn analysis_of(pairs: Vec<PairResult>) -> Analysis {
    Analysis {
        environment: Environment::Linux,
        module: Module { name: "demo".to_owned(), ..Module::default() },
        entry_points: entry_points(),
        pairs,
        lock_problems: Vec::new(),
        omitted: Vec::new(),
        assumptions: Vec::new(),
        grounds: Grounds { general: BTreeSet::from([0]), of_entry: Vec::new() },
        left_behind: Vec::new(),
        unreachable: Vec::new(),
        undecided_sites: 0,
        source_lines: 33,
        regions: 5,
        times: Times { total: Duration::from_millis(250), ..Times::default() },
        searched: None,
    }
}

/// The same race with an execution, in which both sides start and come to their accesses.
pub fn confirmed(race: RaceReport, threads: [&str; 2]) -> RaceReport {
    let step = |thread: &str, what: &str, loc| Step { thread: thread.to_owned(), what: what.to_owned(), loc };
    let start = threads.map(|thread| step(thread, "starts", None));
    let access = |n: usize| step(threads[n], "is about to write 4 bytes of demo", race.accesses[n].loc);
    let steps = start.into_iter().chain([access(0), access(1)]).collect();
    RaceReport { execution: Some(Arc::new(Execution { begins: Begins::Program, steps })), ..race }
}

/// The demo: two problems on two fields, one pair that timed out, one omitted pair.
pub fn demo() -> Analysis {
    let mut demo = analysis_of(Vec::new());
    let places = Places::add_to(&mut demo.module);
    demo.pairs = vec![
        with_races(pair(WRITE, IOCTL, Verdict::Potential), vec![places.count_without_lock()]),
        with_races(pair(IOCTL, IOCTL, Verdict::Potential), vec![places.events_twice()]),
        with_races(pair(IOCTL, INTERRUPT, Verdict::Race), vec![places.events_half_marked()]),
        pair(WRITE, WRITE, Verdict::RaceFree),
        pair(WRITE, INTERRUPT, Verdict::Unknown(UnknownReason::Timeout)),
    ];
    demo.omitted = vec![(EntryPointId::new(RELEASE), EntryPointId::new(IOCTL), entries::omission())];
    demo.entry_points.notes = vec![entries::note()];
    demo.assumptions = places.assumptions();
    demo.unreachable = vec![(EntryPointId::new(WRITE), Some(places.load_data))];
    demo
}

fn with_races(mut pair: PairResult, races: Vec<RaceReport>) -> PairResult {
    pair.racy_regions = races.len();
    pair.races = races;
    pair
}

/// The places of `demo.c` that matter.
struct Places {
    account: LocId,
    account_call: LocId,
    lock: LocId,
    ioctl_read: LocId,
    ioctl_clear: LocId,
    interrupt_write: LocId,
    load_data: LocId,
}

impl Places {
    fn add_to(module: &mut Module) -> Places {
        let file = module.files.push(SourceFile { path: base().join("demo.c").display().to_string() });
        let mut at = |line, column, function: &str, inlined_at| {
            module.locs.push(Loc { file, line, column, function: function.to_owned(), inlined_at })
        };
        let account_call = at(14, 2, "demo_write", None);
        Places {
            account: at(6, 13, "demo_account", Some(account_call)),
            account_call,
            lock: at(13, 2, "demo_write", None),
            ioctl_read: at(24, 15, "demo_ioctl", None),
            ioctl_clear: at(23, 15, "demo_ioctl", None),
            interrupt_write: at(31, 2, "demo_interrupt", None),
            load_data: at(11, 28, "demo_write", None),
        }
    }

    fn count_without_lock(&self) -> RaceReport {
        let mut write = from("demo_write", access(Some(self.account), true, Mark::Plain));
        write.locks = vec![session(LockMode::Shared), self.mutex()];
        let mut read = from("demo_ioctl", access(Some(self.ioctl_read), false, Mark::Plain));
        read.locks = vec![session(LockMode::Shared)];
        RaceReport {
            accesses: [write, read].map(Arc::new),
            leans_on: vec!["demo_next is unknown: it may write what demo points to".to_owned()],
            fix: Some(Fix::Take { lock: self.mutex(), around: 1 }),
            ..race("struct demo.count")
        }
    }

    fn events_half_marked(&self) -> RaceReport {
        let plain = from("demo_ioctl", access(Some(self.ioctl_clear), true, Mark::Plain));
        let marked = from("demo_interrupt", access(Some(self.interrupt_write), true, Mark::Volatile));
        let race = RaceReport { accesses: [plain, marked].map(Arc::new), ..race("struct demo.events") };
        confirmed(race, ["demo_ioctl", "demo_interrupt"])
    }

    fn events_twice(&self) -> RaceReport {
        let write = from("demo_ioctl", access(Some(self.ioctl_clear), true, Mark::Plain));
        RaceReport { accesses: [write.clone(), write].map(Arc::new), ..race("struct demo.events") }
    }

    fn mutex(&self) -> HeldLock {
        HeldLock { taken: Some(self.lock), ..lock("mutex", "&demo->lock", LockMode::Exclusive, false) }
    }

    fn assumptions(&self) -> Vec<Assumption> {
        let assumption = |kind, subject: &str, loc| Assumption { kind, subject: subject.to_owned(), loc };
        vec![
            assumption(AssumptionKind::Environment, "file_operations.write", None),
            assumption(AssumptionKind::Environment, "file_operations.unlocked_ioctl", None),
            assumption(AssumptionKind::UnknownExternal, "demo_next", Some(self.interrupt_write)),
            assumption(AssumptionKind::InBounds, "demo_account", Some(self.account_call)),
        ]
    }
}

fn from(entry: &str, mut access: Access) -> Access {
    access.stack = vec![Frame { function: entry.to_owned(), call: None }];
    access
}

fn session(mode: LockMode) -> HeldLock {
    lock("session", "session(file)", mode, false)
}

/// A lock that the code takes (somewhere), or that the kernel holds on entry.
pub fn lock(class: &str, name: &str, mode: LockMode, taken: bool) -> HeldLock {
    let taken = taken.then(|| LocId::new(0));
    HeldLock { class: class.to_owned(), mode, name: name.to_owned(), taken }
}

/// The only place of these tests that builds entry points.
mod entries {
    use lockpair_entry_points::{EntryPoint, EntryPoints, Note, Omission, Origin};
    use lockpair_env::schema::{AddrExpr, Base, Context};
    use lockpair_ir::{EntityRef, FuncId, LockMode};

    pub fn entry_points() -> EntryPoints {
        let mut found = EntryPoints::default();
        found.items.push(entry("demo_write", "file_operations.write", Context::Process));
        found.items.push(entry("demo_ioctl", "file_operations.unlocked_ioctl", Context::Process));
        found.items.push(entry("demo_interrupt", "irq", Context::HardIrq));
        found.items.push(entry("demo_release", "file_operations.release", Context::Process));
        found
    }

    pub fn note() -> Note {
        Note::OwnerUnset { table: None, role: "file_operations.owner".to_owned() }
    }

    fn entry(name: &str, role: &str, context: Context) -> EntryPoint {
        EntryPoint {
            name: name.to_owned(),
            func: FuncId::new(0),
            role: role.to_owned(),
            context,
            runs_as: None,
            locks: Vec::new(),
            handles: Vec::new(),
            same: Vec::new(),
            call_owned: Vec::new(),
            data: Vec::new(),
            of_table: Vec::new(),
            once: false,
            binds: false,
            unbinds: false,
            table: None,
            origin: Origin::User,
        }
    }

    pub fn omission() -> Omission {
        Omission::Serialized {
            class: "session".to_owned(),
            lock: AddrExpr { base: Base::Param(0), steps: Vec::new() },
            first: LockMode::Exclusive,
            second: LockMode::Shared,
        }
    }
}
