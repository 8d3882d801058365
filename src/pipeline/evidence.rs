//! From a satisfying assignment to a report: places, call stacks, locks by name.

use super::meeting::{self, Span};
use crate::analysis::layout::Shape;
use crate::analysis::points_to::PointsTo;
use crate::hygiene::Problem;
use crate::instrument::Thread;
use crate::instrument::thread::{Extent, Lock, Site, StackId, StateClasses};
use crate::vcgen::Found;
use crate::verdict::{
    Access, By, Frame, Grounds, HeldLock, LockFault, LockProblem, Meeting, NOT_MODELLED, PairResult, Purpose,
    RaceReport, UnknownReason, Verdict,
};
use lockpair_entry_points::EntryPointId;
use lockpair_ir::*;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex};

/// What reports are made of.
pub struct Evidence<'a> {
    module: &'a Module,
    threads: &'a [Thread],
    points_to: &'a PointsTo,
    states: &'a StateClasses,
    /// Per thread: what was told of a site before, with the locks held there.
    told: Vec<Mutex<Told>>,
}

/// By the position of the site and those of the locks.
type Told = HashMap<(usize, Vec<usize>), Arc<Access>>;

impl<'a> Evidence<'a> {
    /// About the threads of a module.
    pub fn new(
        module: &'a Module,
        threads: &'a [Thread],
        points_to: &'a PointsTo,
        states: &'a StateClasses,
    ) -> Evidence<'a> {
        let told = threads.iter().map(|_| Mutex::default()).collect();
        Evidence { module, threads, points_to, states, told }
    }

    /// The reports of a pair.
    pub fn races(&self, pair: (EntryPointId, EntryPointId), found: &[Found]) -> Vec<RaceReport> {
        found.iter().map(|f| self.race([pair.0.index(), pair.1.index()], f)).collect()
    }

    /// The reports of locks that are used wrongly.
    pub fn lock_problems(&self, problems: &[Problem]) -> Vec<LockProblem> {
        problems.iter().map(|problem| self.lock_problem(problem)).collect()
    }

    fn lock_problem(&self, problem: &Problem) -> LockProblem {
        let wait = |thread: usize, site: usize, outer: usize| {
            Arc::new(self.tell(&self.threads[thread], &self.threads[thread].sites[site], &[outer]))
        };
        let at = |thread: usize, site: usize| {
            Arc::new(self.tell(&self.threads[thread], &self.threads[thread].sites[site], &[]))
        };
        let entry = |thread: usize| self.threads[thread].entry;
        let lock = |thread: usize, lock: usize| held_lock(&self.threads[thread].locks[lock]);
        match problem {
            &Problem::TakenTwice { thread, site, lock: twice } => LockProblem {
                fault: LockFault::TakenTwice,
                locks: vec![lock(thread, twice)],
                entries: vec![entry(thread)],
                waits: vec![wait(thread, site, twice)],
            },
            &Problem::LeftHeld { thread, lock: left } => LockProblem {
                fault: LockFault::LeftHeld,
                locks: vec![lock(thread, left)],
                entries: vec![entry(thread)],
                waits: Vec::new(),
            },
            Problem::Interrupted(sides) => LockProblem {
                fault: LockFault::Interrupted,
                locks: vec![lock(sides[0].thread, sides[0].lock)],
                entries: sides.iter().map(|side| entry(side.thread)).collect(),
                waits: sides.iter().map(|side| at(side.thread, side.site)).collect(),
            },
            Problem::Inverted(sides) => LockProblem {
                fault: LockFault::OppositeOrder,
                locks: [sides[0].outer, sides[0].inner].map(|n| lock(sides[0].thread, n)).to_vec(),
                entries: sides.iter().map(|side| entry(side.thread)).collect(),
                waits: sides.iter().map(|side| wait(side.thread, side.site, side.outer)).collect(),
            },
        }
    }

    fn race(&self, threads: [usize; 2], found: &Found) -> RaceReport {
        let [a, b] = threads.map(|t| &self.threads[t]);
        let (x, y) = (&a.sites[found.sites[0]], &b.sites[found.sites[1]]);
        let sides = [0, 1].map(|n| self.access(threads[n], found.sites[n], &found.held[n]));
        let mut leans_on = BTreeSet::new();
        for site in [x, y] {
            if let By::Unknown(name) = by(self.op(site)) {
                leans_on.insert(format!("{name}{NOT_MODELLED}"));
            } else if site.shape.is_unknown() {
                leans_on.insert("an access whose extent or type is not known".to_owned());
            }
        }
        RaceReport {
            location: self.location(a, x, b, y),
            accesses: sides,
            meeting: self.meeting((a, x), (b, y)),
            leans_on: leans_on.into_iter().collect(),
            sites: found.sites,
            fix: None,
            execution: None,
        }
    }

    fn access(&self, thread: usize, site: usize, held: &[usize]) -> Arc<Access> {
        let mut told = self.told[thread].lock().unwrap_or_else(|e| e.into_inner());
        let thread = &self.threads[thread];
        let tell = || Arc::new(self.tell(thread, &thread.sites[site], held));
        Arc::clone(told.entry((site, held.to_vec())).or_insert_with(tell))
    }

    fn tell(&self, thread: &Thread, site: &Site, held: &[usize]) -> Access {
        let locks = held
            .iter()
            // What is kept off a CPU, and that the kernel does nothing while something is off, is no lock.
            .filter(|&&i| {
                let lock = &thread.locks[i];
                let is_state = lock.implicit && self.states.contains_key(&lock.class);
                lock.keeps_off.is_none() && !is_state
            })
            .map(|&i| held_lock(&thread.locks[i]))
            .collect();
        let bit_fields = self.bit_fields(thread, site);
        Access {
            loc: site.loc,
            stack: self.stack(thread, site.stack),
            location: self.typed_location(thread, site),
            write: site.write || !bit_fields.is_empty() && self.is_written_back(site),
            purpose: self.purpose(thread, site),
            by: by(self.op(site)),
            mark: site.mark,
            bit_fields,
            locks,
        }
    }

    /// The bit-fields that an instruction accesses.
    fn bit_fields(&self, thread: &Thread, site: &Site) -> Vec<String> {
        let module = self.module;
        let is_access = matches!(self.op(site), Op::Load { .. } | Op::Store { .. });
        let names = match (self.variable(thread, site), site.shape, site.extent) {
            _ if !is_access => Vec::new(),
            (Some((ty, at)), _, Extent::Bytes(size)) => {
                let size = thread.terms.as_int(size).and_then(|n| u64::try_from(n).ok()).unwrap_or(1);
                module.bit_fields(ty, at, at + size)
            }
            (None, Shape::In { strukt, lo, hi }, _) => module.bit_fields(strukt, lo, hi),
            _ => Vec::new(),
        };
        names.into_iter().map(str::to_owned).collect()
    }

    /// Whether what the instruction reads is changed and written back by the same expression: that writes under the very
    /// conditions and locks that it reads under.
    fn is_written_back(&self, site: &Site) -> bool {
        let (func, read) = site.inst;
        let func = &self.module.funcs[func];
        let Op::Load { addr: from, .. } = func.insts[read].op else { return false };
        let block = func.blocks.values().find(|block| block.insts.contains(&read));
        let after = block.into_iter().flat_map(|block| block.insts.iter().skip_while(|&&i| i != read));
        let changes_locks = |op: &Op| matches!(op, Op::Call { .. } | Op::Acquire { .. } | Op::Release { .. });
        after
            .map(|&inst| &func.insts[inst])
            .take_while(|inst| !changes_locks(&inst.op))
            .any(|inst| matches!(inst.op, Op::Store { addr, .. } if addr == from) && inst.loc == site.loc)
    }

    /// The type of the variable that is accessed, and where in it.
    fn variable(&self, thread: &Thread, site: &Site) -> Option<(TypeId, u64)> {
        let offset = thread.terms.as_int(site.addr.off)?;
        Some((self.global(thread, site)?.ty?, u64::try_from(offset).ok()?))
    }

    fn global(&self, thread: &Thread, site: &Site) -> Option<&Global> {
        let number = thread.terms.as_int(site.addr.obj).and_then(|k| usize::try_from(k - 1).ok())?;
        self.module.globals.get(GlobalId::new(number))
    }

    fn op(&self, site: &Site) -> &Op {
        let (func, inst) = site.inst;
        &self.module.funcs[func].insts[inst].op
    }

    fn purpose(&self, thread: &Thread, site: &Site) -> Purpose {
        // The first byte of a lock stands for it.
        let one = matches!(site.extent, Extent::Bytes(n) if thread.terms.as_int(n) == Some(1));
        match self.op(site) {
            Op::Free { until: None, .. } => Purpose::Free,
            Op::Free { until: Some(_), .. } => Purpose::FreeWithDriver,
            Op::Acquire { .. } => Purpose::Lock,
            // Flags that keep others out are no locks that are made.
            Op::Load { .. } | Op::Store { .. } | Op::Rmw { .. } | Op::CmpXchg { .. } => Purpose::Use,
            _ if one && thread.locks.iter().any(|lock| lock.addr == site.addr) => Purpose::Lock,
            _ => Purpose::Use,
        }
    }

    fn stack(&self, thread: &Thread, id: StackId) -> Vec<Frame> {
        let mut out = Vec::new();
        let mut at = Some(id);
        while let Some(id) = at {
            let frame = &thread.stacks[id.index()];
            out.push(Frame { function: self.module.funcs[frame.func].name.clone(), call: frame.call });
            at = frame.parent;
        }
        out.reverse();
        out
    }

    /// What is raced for: the more telling of the two sides' views.
    fn location(&self, a: &Thread, x: &Site, b: &Thread, y: &Site) -> String {
        let names = [self.name(a, x), self.name(b, y)];
        names.iter().max_by_key(|n| n.0).map(|n| n.1.clone()).unwrap_or_default()
    }

    /// Whether both sides have the bytes in the same variable, or in the same place of a struct.
    fn meeting(&self, a: (&Thread, &Site), b: (&Thread, &Site)) -> Meeting {
        let is_variable = |(thread, site)| self.global(thread, site).is_some();
        let is_member = match (self.span(a.0, a.1), self.span(b.0, b.1)) {
            _ if is_variable(a) && is_variable(b) => true,
            (Some(a), Some(b)) => meeting::is_of_one_member(self.module, a, b),
            _ => false,
        };
        if is_member { Meeting::Member } else { Meeting::Bytes }
    }

    /// Where the bytes are in the variable or the struct that the access names.
    fn span(&self, thread: &Thread, site: &Site) -> Option<Span> {
        let number = |term| thread.terms.as_int(term).and_then(|n| u64::try_from(n).ok());
        let all = |whole| Span { whole, lo: 0, hi: self.module.size_of(whole) };
        if let Some(whole) = self.global(thread, site).and_then(|global| global.ty) {
            let Some(lo) = number(site.addr.off) else { return Some(all(whole)) };
            return Some(match site.extent {
                Extent::Bytes(size) => Span { whole, lo, hi: lo.saturating_add(number(size).unwrap_or(1)) },
                Extent::Object => all(whole),
            });
        }
        match site.shape {
            Shape::In { strukt, lo, hi } => Some(Span { whole: strukt, lo, hi }),
            Shape::Whole(strukt) => Some(all(strukt)),
            Shape::Scalar(_) | Shape::Wild | Shape::Outside => None,
        }
    }

    /// A name with how telling it is.
    fn name(&self, thread: &Thread, site: &Site) -> (u32, String) {
        let telling = if self.global(thread, site).is_some() { 3 } else { 2 };
        match (self.typed_location(thread, site), site.shape) {
            (Some(name), _) => (telling, name),
            (None, Shape::Whole(strukt)) => (1, format!("the object of a struct {}", self.tag(strukt))),
            (None, Shape::Scalar(n)) => (1, format!("{n} bytes behind a pointer")),
            (None, _) => (0, self.unknown_place(site)),
        }
    }

    /// The variable, or the member of a struct.
    fn typed_location(&self, thread: &Thread, site: &Site) -> Option<String> {
        if let Some(g) = self.global(thread, site) {
            let path = self.variable(thread, site).map(|(ty, off)| self.module.path_at(ty, off));
            let path = path.unwrap_or_default();
            let dot = if path.is_empty() || path.starts_with('[') { "" } else { "." };
            return Some(format!("{}{dot}{path}", g.name));
        }
        let Shape::In { strukt, lo, .. } = site.shape else { return None };
        let is_union = self.module.as_struct(strukt).is_some_and(|def| def.is_union);
        let kind = if is_union { "union" } else { "struct" };
        let path = self.module.path_at(strukt, lo);
        let path = if path.is_empty() { format!("+{lo}") } else { path };
        Some(format!("{kind} {}.{path}", self.tag(strukt)))
    }

    fn tag(&self, strukt: TypeId) -> &str {
        self.module.as_struct(strukt).map_or("?", |def| def.name.as_str())
    }

    fn unknown_place(&self, site: &Site) -> String {
        if site.region == self.points_to.external() {
            "memory behind a pointer".to_owned()
        } else {
            format!("memory of no known type ({})", site.region)
        }
    }
}

/// Who makes the accesses of an operation.
fn by(op: &Op) -> By {
    match op {
        Op::External { name, .. } => By::Unknown(name.clone()),
        // Of calls that are left, those through pointers alone lead to code without a row.
        Op::Call { .. } => By::Unknown("a function that is called through a pointer".to_owned()),
        Op::Access { .. } => By::Row,
        _ => By::Instruction,
    }
}

/// The lock, for reports.
pub fn held_lock(lock: &Lock) -> HeldLock {
    // Which bit it is, and under which lock, only the solver has to know.
    let class = if lock.owns.is_some() { "owned-flag" } else { &lock.class };
    HeldLock {
        class: class.to_owned(),
        mode: lock.mode,
        name: lock.name.clone(),
        taken: if lock.implicit { None } else { lock.taken.first().copied().flatten() },
    }
}

/// Which assumptions the verdicts rest on: those of the two threads, and those of the whole module.
pub fn grounds(threads: &[Thread], all: &[Assumption]) -> Grounds {
    let index: HashMap<&Assumption, usize> = all.iter().enumerate().map(|(i, a)| (a, i)).collect();
    let of_thread =
        |t: &Thread| -> BTreeSet<usize> { t.ledger.iter().filter_map(|a| index.get(a).copied()).collect() };
    let of_entry: Vec<BTreeSet<usize>> = threads.iter().map(of_thread).collect();
    let somebody: BTreeSet<usize> = of_entry.iter().flatten().copied().collect();
    let general = (0..all.len()).filter(|i| !somebody.contains(i)).collect();
    Grounds { general, of_entry }
}

/// No proof holds where the front end has left something out: the access, the lock or the write that is missing may
/// be anybody's.
pub fn doubt_proofs(results: &mut [PairResult], all: &[Assumption]) {
    let Some(left_out) = all.iter().find(|a| a.kind == AssumptionKind::Unsupported) else { return };
    for result in results.iter_mut().filter(|r| r.verdict == Verdict::RaceFree) {
        result.verdict = Verdict::Unknown(UnknownReason::Unsupported(left_out.subject.clone()));
    }
}

/// `file:line:column`, or `?`.
pub fn place(module: &Module, loc: Option<LocId>) -> String {
    let Some(loc) = loc else { return "?".to_owned() };
    let loc = &module.locs[loc];
    format!("{}:{}:{}", module.files[loc.file].path, loc.line, loc.column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unsupported_construct_leaves_no_proof() {
        let entry = EntryPointId::new(0);
        let result = |verdict: Verdict| PairResult {
            verdict,
            ..super::super::unknown((entry, entry), UnknownReason::Timeout)
        };
        let mut results = [result(Verdict::RaceFree), result(Verdict::Potential)];
        let assumption = |kind| Assumption { kind, subject: "something".into(), loc: None };
        doubt_proofs(&mut results, &[assumption(AssumptionKind::Alignment)]);
        assert_eq!(results[0].verdict, Verdict::RaceFree);
        doubt_proofs(&mut results, &[assumption(AssumptionKind::Unsupported)]);
        assert_eq!(results[0].verdict, Verdict::Unknown(UnknownReason::Unsupported("something".into())));
        assert_eq!(results[1].verdict, Verdict::Potential);
    }
}
