//! Which flags exclude others, as locks do (`instrument/flags.rs`, `instrument/turns.rs`), and which of them a session holds.
//!
//! A flag is believed if in the whole module every write that may make it free is one of its owner, who surely has it
//! there, and if code outside does not write to it. Then whoever finds it free is alone: as long as somebody has it, it
//! is taken, whatever it was at the beginning. What was taken before the word was made anew is not believed either: the
//! words of objects that the thread itself has made are no flags.
//!
//! A turn (of a slot that is full, say) is believed if each write of its word comes from who holds the lock that goes with the
//! turn, or from who surely has another turn of that word. Then nobody ends a turn but who has it, by induction over the
//! writes, and two whose turns contradict each other do not have them at once.
//!
//! A session (an open file) holds what its first function has taken whenever it returned zero: all functions of its
//! table run between that and the end of the session, and only the one that ends it may give the flag back.

mod references;

use super::fields::{self, FieldId};
use super::layout::{Layout, Shape};
use super::origins::{self, Origin, Sources};
use super::points_to::static_path;
use crate::fault::{Fault, seeded};
use crate::instrument::flags::{self, Flag, Free, OnEntry, Under};
use crate::instrument::lockset::Lockset;
use crate::instrument::thread::{Addr, Extent, Handle, Lock, Site, Thread};
use lockpair_entry_points::{EntryPoint, EntryPointId, EntryPoints};
use lockpair_ir::*;
use lockpair_smt::{Limits, Session, TermId, Terms};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// What a question may cost, in the solver's own measure: some 50 ms.
const WORK: u32 = 200_000;

/// The functions that begin sessions, by role, with what the environment says of the sessions.
pub type Begins = HashMap<String, SessionRow>;

/// What the environment says of the sessions that a function begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SessionRow {
    /// The class of the lock that all functions of a session hold, the last one exclusively.
    pub class: String,
    /// The struct and the member where the kernel finds the table of a session.
    pub table_in: Option<(String, String)>,
}

/// What the decision needs.
pub struct Facts<'a> {
    /// What tells pointers apart.
    pub origins: &'a origins::Facts<'a>,
    /// The entry points.
    pub entry_points: &'a EntryPoints,
    /// The functions that begin sessions.
    pub begins: &'a Begins,
    /// Whether relaxed atomic operations order nothing.
    pub weak_order: bool,
}

/// Takes the flags that are not believed out of all locksets; notes what is assumed of the others. `several` are the classes
/// of which a handle may be registered more than once.
pub fn keep_believed(facts: &Facts, threads: &mut [Thread], sources: &[Sources], several: &BTreeSet<String>) {
    let mut doubted = Doubted::new(facts, threads, several);
    if doubted.flags.is_empty() {
        return;
    }
    while doubted.find_more(facts, threads, sources) {}
    doubted.note(threads);
    let doubted = doubted.by_thread(threads.len());
    for (thread, flags) in threads.iter_mut().zip(doubted) {
        forget(thread, &flags);
    }
}

/// All flags, and which of them are not believed.
struct Doubted {
    /// Thread and lock.
    flags: Vec<(usize, usize)>,
    doubted: HashSet<(usize, usize)>,
}

impl Doubted {
    fn new(facts: &Facts, threads: &[Thread], several: &BTreeSet<String>) -> Doubted {
        let of_thread = |(t, thread): (usize, &Thread)| {
            let is_word = |lock: &Lock| lock.owns.as_ref().is_some_and(Flag::is_word);
            let flags = thread.locks.iter().enumerate().filter(|(_, lock)| is_word(lock));
            flags.map(|(n, _)| (t, n)).collect::<Vec<_>>()
        };
        let flags: Vec<(usize, usize)> = threads.iter().enumerate().flat_map(of_thread).collect();
        let begins_wrong = |thread: &Thread, lock: &Lock| match &lock.owns {
            Some(flag) if flag.counts_references() => references::is_set_otherwise(facts, threads, lock),
            Some(Flag { free: Free::Lends { .. }, .. }) => {
                !references::begins_null(facts.origins.module, thread, lock)
            }
            _ => is_own(thread, lock.addr),
        };
        let is_doubted = |&(t, n): &(usize, usize)| {
            let (thread, lock) = (&threads[t], &threads[t].locks[n]);
            begins_wrong(thread, lock)
                || code_outside_may_write(facts, lock)
                || is_named_outside(facts, thread, lock)
                || goes_with_several(thread, lock, several)
        };
        let doubted = flags.iter().copied().filter(is_doubted).collect();
        Doubted { flags, doubted }
    }

    /// Doubts those that may be made free by who does not have them; tells whether there are more than before.
    fn find_more(&mut self, facts: &Facts, threads: &[Thread], sources: &[Sources]) -> bool {
        let before = self.doubted.len();
        for (w, writer) in threads.iter().enumerate() {
            for (site, source) in writer.sites.iter().zip(&sources[w].sites).filter(|(s, _)| s.write) {
                let (func, inst) = site.inst;
                let op = &facts.origins.module.funcs[func].insts[inst].op;
                // What has ended is used no more, or that is a race of its own; but another object there has other references.
                let frees = matches!(op, Op::Free { .. });
                // Where nobody else runs yet nobody has a flag; but what counts begins with what it is set to.
                let concerns = |&(t, n): &(usize, usize)| {
                    let flag = threads[t].locks[n].owns.as_ref();
                    let counts = flag.is_none_or(Flag::begins_with_a_number);
                    (!frees || flag.is_some_and(Flag::counts_references))
                        && (!site.alone || counts && !seeded(Fault::CountsBeginAnyhow))
                };
                let hit: Vec<(usize, usize)> = self
                    .flags
                    .iter()
                    .copied()
                    .filter(|flag| !self.doubted.contains(flag) && concerns(flag))
                    .filter(|&(t, n)| {
                        may_touch(facts, &threads[t].locks[n], &threads[t], (site, source.origin, writer))
                    })
                    .collect();
                for (t, n) in hit {
                    if !self.may_happen(facts, (w, writer, site), op, (&threads[t], &threads[t].locks[n])) {
                        self.doubted.insert((t, n));
                    }
                }
            }
        }
        self.doubt_what_is_lent(threads);
        self.doubted.len() > before
    }

    /// Whether a write leaves alone who has the flag, or comes from him.
    fn may_happen(
        &self,
        facts: &Facts,
        (w, writer, site): (usize, &Thread, &Site),
        op: &Op,
        (holder, lock): (&Thread, &Lock),
    ) -> bool {
        let Some(flag) = &lock.owns else { return true };
        if let Free::Lends { at } = flag.free {
            return self.stays_lender((w, writer, site), op, (holder, lock), at);
        }
        if let Op::Free { .. } = op {
            return self.ends_counted((w, writer, site), lock);
        }
        let func = &facts.origins.module.funcs[site.inst.0];
        let Some((bits, change)) = flags::change(func, op) else { return false };
        if bits != flag.bits || is_askew(facts.origins.layout, (holder, lock), (writer, site)) {
            return false;
        }
        if flag.turn().is_some() {
            return self.is_handed_over(facts, (w, writer, site), flag)
                || seeded(Fault::TurnWrittenByAnybody);
        }
        if flag.counts_references() {
            return self.stays_counted(facts, (w, writer, site), (bits, change));
        }
        let stays = flag.stays_taken(change);
        if stays || seeded(Fault::FlagGivenBackByAnybody) {
            return true;
        }
        let is_ordered = is_ordered(facts, writer, site, flag.under.as_ref());
        let share = flag.share();
        let is_owner = |j: usize| {
            let own = &writer.locks[j];
            own.owns.as_ref() == Some(&share)
                && own.mode == share.mode()
                && own.addr == site.addr
                && !self.doubted.contains(&(w, j))
                && is_surely_held(writer, site, j)
        };
        site.direct && is_ordered && flag.is_for_owner(change) && (0..writer.locks.len()).any(is_owner)
    }

    /// Whether a write of the word of a turn comes from who holds the lock that goes with the turn, so that nobody has it then,
    /// or from who surely has another turn of the very word.
    fn is_handed_over(&self, facts: &Facts, (w, writer, site): (usize, &Thread, &Site), flag: &Flag) -> bool {
        let holds = |under: Option<&Under>| under.is_some_and(|under| holds(writer, site, under));
        let is_other_turn = |j: usize| {
            let own = &writer.locks[j];
            let contradicts = |turn: &Flag| turn.contradicts(flag) || seeded(Fault::TurnWithoutLock);
            own.owns.as_ref().is_some_and(|turn| turn.turn().is_some() && contradicts(turn))
                && own.addr == site.addr
                && !self.doubted.contains(&(w, j))
                && is_surely_held(writer, site, j)
        };
        let is_ordered = || is_ordered(facts, writer, site, flag.ordered_by.as_ref());
        site.direct
            && (holds(flag.under.as_ref()) || is_ordered() && (0..writer.locks.len()).any(is_other_turn))
    }

    fn by_thread(&self, threads: usize) -> Vec<HashSet<usize>> {
        let mut out = vec![HashSet::new(); threads];
        self.doubted.iter().for_each(|&(t, n)| _ = out[t].insert(n));
        out
    }

    /// What is assumed of the flags that are believed.
    fn note(&self, threads: &mut [Thread]) {
        for &(t, n) in self.flags.iter().filter(|flag| !self.doubted.contains(flag)) {
            let lock = &threads[t].locks[n];
            let of_session = if lock.taken.is_empty() { ", in a session that has taken it" } else { "" };
            let Some(flag) = &lock.owns else { continue };
            if matches!(flag.free, Free::Added { .. } | Free::Lent { .. }) {
                continue;
            }
            let subject = format!("{} ({}){of_session}", lock.name, lock.class);
            let at = lock.taken.first().copied().flatten();
            threads[t].ledger.record(AssumptionKind::OwnedFlag, subject, at);
        }
    }
}

/// Whether what comes before the write is seen by who reads it: both hold this lock, or it releases and who reads acquires.
fn is_ordered(facts: &Facts, writer: &Thread, site: &Site, by: Option<&Under>) -> bool {
    match (by, site.mark) {
        (Some(lock), _) => holds(writer, site, lock) || seeded(Fault::ReadsAcquire),
        (None, Mark::Atomic(order)) => !facts.weak_order || order.releases(),
        (None, Mark::Plain | Mark::Volatile) => false,
    }
}

/// Whether the lock that is there, as seen from the site's address, is held wherever the site happens.
fn holds(writer: &Thread, site: &Site, lock: &Under) -> bool {
    let is_it = |j: usize| flags::under(writer, j, site.addr).as_ref() == Some(lock);
    (0..writer.locks.len()).any(|j| is_it(j) && is_surely_held(writer, site, j))
}

/// Whether the lock that goes with a turn is one that the kernel holds for each of several registrations.
fn goes_with_several(thread: &Thread, turn: &Lock, several: &BTreeSet<String>) -> bool {
    let flag = turn.owns.as_ref().filter(|flag| flag.turn().is_some());
    let Some(under) = flag.and_then(|flag| flag.under.as_ref()) else { return false };
    let is_it = |&j: &usize| flags::under(thread, j, turn.addr).as_ref() == Some(under);
    (0..thread.locks.len()).filter(is_it).any(|j| is_of_several(thread, &thread.locks[j], several))
}

/// Whether the kernel holds the lock for each of several registrations of one handle: then it excludes nobody.
pub(super) fn is_of_several(thread: &Thread, lock: &Lock, several: &BTreeSet<String>) -> bool {
    let of_several = |h: &Handle| h.addr == lock.addr && several.contains(&h.class);
    lock.implicit && thread.handles.iter().any(of_several)
}

/// Whether the object may be one that the thread itself has made.
fn is_own(thread: &Thread, addr: Addr) -> bool {
    thread.leaves(addr.obj).iter().any(|&leaf| thread.makes(leaf))
}

/// Whether code outside of the module may write to the flag: it can be reached from there, and is no member of the module's own
/// structs, or one whose address goes somewhere.
fn code_outside_may_write(facts: &Facts, lock: &Lock) -> bool {
    let origins::Facts { module, layout, points_to, exposed, .. } = *facts.origins;
    let is_hidden = |field: FieldId| {
        module.as_struct(field.strukt).is_some_and(|s| s.module_private) && !exposed.is_taken(field)
    };
    !fields::of_shape(module, layout, lock.shape).is_some_and(is_hidden)
        && lock.region.is_none_or(|region| region == points_to.external())
}

/// Whether an initial value leads to the object in front of the flag's end: code outside may write there (a parameter of
/// the module, a control of the system).
fn is_named_outside(facts: &Facts, thread: &Thread, lock: &Lock) -> bool {
    let module = facts.origins.module;
    let id = thread.terms.as_int(lock.addr.obj).and_then(|k| usize::try_from(k - 1).ok());
    let Some(global) = id.filter(|&id| id < module.globals.len()).map(GlobalId::new) else { return false };
    let bytes = i128::from(lock.owns.as_ref().map_or(8, |flag| flag.bits / 8));
    let end = thread.terms.as_int(lock.addr.off).map_or(i128::MAX, |at| at + bytes);
    let leads_there =
        |v: Operand| matches!(v, Operand::Global(g, off) if g == global && i128::from(off) < end);
    let cells = module.globals.values().filter(|g| !is_marker(g)).flat_map(|g| &g.init);
    cells.into_iter().any(|cell| leads_there(cell.value))
}

/// Whether a write may touch the word of a flag.
fn may_touch(
    facts: &Facts,
    flag: &Lock,
    holder: &Thread,
    (site, origin, writer): (&Site, Origin, &Thread),
) -> bool {
    let origins::Facts { layout, points_to, .. } = *facts.origins;
    if flag.region.is_some_and(|region| region != site.region) {
        return false;
    }
    if let (Some(a), Some(b)) = (holder.terms.as_int(flag.addr.obj), writer.terms.as_int(site.addr.obj)) {
        if a != b {
            return false;
        }
        let bits = flag.owns.as_ref().map_or(0, |f| f.bits);
        let places = (holder.terms.as_int(flag.addr.off), writer.terms.as_int(site.addr.off));
        if let ((Some(x), Some(y)), Extent::Bytes(len)) = (places, site.extent)
            && let Some(len) = writer.terms.as_int(len)
        {
            return x < y + len && y < x + i128::from(bits / 8);
        }
    }
    let external = site.region == points_to.external();
    layout.may_overlap(external, flag.shape, site.shape)
        && origins::may_meet(facts.origins, (flag.shape, Origin::Any), (site.shape, origin))
}

/// Whether a write of as many bytes as the flag has is known to touch only a part of it.
fn is_askew(layout: &Layout, (holder, flag): (&Thread, &Lock), (writer, site): (&Thread, &Site)) -> bool {
    let offsets = (holder.terms.as_int(flag.addr.off), writer.terms.as_int(site.addr.off));
    if let (Some(_), (Some(x), Some(y))) = (writer.terms.as_int(site.addr.obj), offsets)
        && holder.terms.as_int(flag.addr.obj) == writer.terms.as_int(site.addr.obj)
    {
        return x != y;
    }
    match (site.shape, flag.shape) {
        (Shape::In { strukt: s, lo, .. }, Shape::In { strukt: t, lo: at, .. }) if s == t => lo != at,
        (Shape::In { strukt: s, lo, .. }, Shape::In { strukt: t, lo: at, .. }) => {
            let part = |outer, lo: u64, inner, at: u64| {
                lo.checked_sub(at).is_some_and(|distance| layout.begin_at(outer, distance).contains(&inner))
            };
            !part(s, lo, t, at) && !part(t, at, s, lo) && !seeded(Fault::ViewsAreAligned)
        }
        // An address that has no struct is one of a scalar.
        (Shape::Wild | Shape::Outside, _) => writer.terms.as_int(site.addr.off).is_none(),
        _ => false,
    }
}

/// Whether the lock is held wherever the site happens.
fn is_surely_held(thread: &Thread, site: &Site, lock: usize) -> bool {
    let taken = site.held.taken(lock, &thread.terms);
    match thread.terms.as_bool(taken) {
        Some(known) => known,
        None => thread.terms.shows(site.guard, taken) || is_never(&thread.terms, &[site.guard], Some(taken)),
    }
}

/// Whether the solver finds that all of these and not the last cannot be.
pub(super) fn is_never(terms: &Terms, all: &[TermId], but_not: Option<TermId>) -> bool {
    let mut terms = terms.clone();
    let mut session = Session::new(&Limits { rlimit: Some(WORK), ..Limits::default() });
    all.iter().for_each(|&t| session.assert(&terms, t));
    if let Some(t) = but_not {
        let not = terms.not(t);
        session.assert(&terms, not);
    }
    session.is_satisfiable(&terms) == Ok(false)
}

/// Takes flags out of the locksets of a thread.
pub(super) fn forget(thread: &mut Thread, flags: &HashSet<usize>) {
    if !flags.is_empty() {
        amend(thread, &mut |held, _, terms| {
            flags.iter().for_each(|&n| held.set_taken(n, terms.fals(), terms));
        });
    }
}

/// Changes the locksets of all sites of a thread, each given with the events that are in force there.
pub(super) fn amend(thread: &mut Thread, change: &mut dyn FnMut(&mut Lockset, &[TermId], &mut Terms)) {
    let mut known = HashMap::new();
    for site in &mut thread.sites {
        let key = (site.held.address(), Arc::as_ptr(&site.events));
        let after: &(Lockset, Lockset, Arc<Vec<TermId>>) = known.entry(key).or_insert_with(|| {
            let mut held = site.held.clone();
            change(&mut held, &site.events, &mut thread.terms);
            // What has an address is kept, so that no other gets it.
            (held, site.held.clone(), site.events.clone())
        });
        site.held = after.0.clone();
    }
}

/// The flags that entry points hold from the beginning, because the session that they are called for has taken them.
pub fn of_sessions(
    facts: &Facts,
    threads: &[Thread],
    sources: &[Sources],
) -> HashMap<EntryPointId, Vec<OnEntry>> {
    let mut out = HashMap::new();
    let by_entry: HashMap<EntryPointId, &Thread> = threads.iter().map(|t| (t.entry, t)).collect();
    for (begin, entry) in facts.entry_points.items.iter() {
        let Some(row) = facts.begins.get(&entry.role) else { continue };
        let (Some(table), Some(thread)) = (entry.table, by_entry.get(&begin)) else { continue };
        let held = held_at_zero(facts, thread);
        if held.is_empty() || !is_fixed_table(facts, table) || changes_tables(facts, row, threads, sources) {
            continue;
        }
        let begins = |e: &EntryPoint| facts.begins.contains_key(&e.role);
        let in_table = || facts.entry_points.items.iter().filter(|(_, e)| e.table == Some(table));
        if in_table().filter(|(_, e)| begins(e)).count() != 1 {
            continue;
        }
        for (id, e) in in_table().filter(|(_, e)| !begins(e)) {
            let Some(session) = e.locks.iter().find(|lock| lock.class == row.class) else { continue };
            let ends = session.mode == LockMode::Exclusive;
            let counts = |held: &&OnEntry| ends || !matches!(held.flag.free, Free::Added { .. });
            let of_entry = held.iter().filter(counts).map(|held| OnEntry { ends, ..held.clone() });
            out.insert(id, of_entry.collect());
        }
    }
    out
}

/// The flags, each of an object with a name, that a thread holds whenever it returns zero.
fn held_at_zero(facts: &Facts, thread: &Thread) -> Vec<OnEntry> {
    let mut out = Vec::new();
    for &(n, without) in &thread.without {
        let lock = &thread.locks[n];
        let place = (thread.terms.as_int(lock.addr.obj), thread.terms.as_int(lock.addr.off));
        let ((Some(object), Some(offset)), Some(region)) = (place, lock.region) else { continue };
        let surely = match thread.terms.as_bool(without) {
            Some(known) => !known,
            None => is_never(&thread.terms, &[without], None),
        };
        let is_outside = code_outside_may_write(facts, lock) || is_named_outside(facts, thread, lock);
        if object > 0 && (surely || seeded(Fault::OpenWithoutFlag)) && !is_outside {
            let (flag, shape, name) = (lock.owns.clone().expect("a flag"), lock.shape, lock.name.clone());
            out.push(OnEntry { flag, object, offset, region, shape, name, ends: false });
        }
    }
    out
}

/// Whether nobody changes or copies the table, and it only goes where the kernel calls what begins the session: into
/// members of the kernel's structs.
fn is_fixed_table(facts: &Facts, table: GlobalId) -> bool {
    let origins::Facts { module, layout, exposed, .. } = *facts.origins;
    if seeded(Fault::AnyTableBegins) {
        return true;
    }
    let global = &module.globals[table];
    let is_table = |v: &Operand| matches!(v, Operand::Global(g, _) if *g == table);
    let of_kernel = |strukt: TypeId, at: u64| {
        let (inner, _) = layout.innermost(strukt, at);
        module.as_struct(inner).is_some_and(|s| !s.module_private)
    };
    let is_member =
        |g: &Global, at: u64| g.ty.is_some_and(|ty| module.as_struct(ty).is_some() && of_kernel(ty, at));
    let in_globals = module.globals.values().all(|g| {
        g.init.iter().filter(|c| is_table(&c.value)).all(|c| is_member(g, c.offset) || is_marker(g))
    });
    let in_code = module.funcs.values().all(|func| {
        let insts = func.blocks.values().flat_map(|b| &b.insts).map(|&i| &func.insts[i].op);
        let ends = func.blocks.values().all(|b| !b.term.operand().is_some_and(|v| is_table(&v)));
        ends && insts.filter(|op| op.operands().iter().any(is_table)).all(|op| match op {
            Op::Register { .. } | Op::Unregister { .. } | Op::Load { .. } | Op::Cmp(..) => true,
            Op::Store { addr, value, .. } if is_table(value) => {
                static_path(module, func, *addr).is_some_and(|(strukt, at)| of_kernel(strukt, at))
            }
            _ => false,
        })
    });
    global.constant
        && global.defined
        && !global.exported
        && !exposed.is_pointed(table)
        && in_globals
        && in_code
}

/// Whether the compiler made the global to keep others.
fn is_marker(global: &Global) -> bool {
    global.name.starts_with("llvm.")
}

/// Whether a write may change the table of a session.
fn changes_tables(facts: &Facts, row: &SessionRow, threads: &[Thread], sources: &[Sources]) -> bool {
    let origins::Facts { module, layout, points_to, .. } = *facts.origins;
    let Some((strukt, member)) = &row.table_in else { return true };
    let Some(strukt) = module.struct_named(strukt) else { return false };
    let Some((at, _)) = module.field_named(strukt, member) else { return true };
    let place = Shape::In { strukt, lo: at, hi: at + 8 };
    threads.iter().zip(sources).any(|(thread, sources)| {
        let mut writes =
            thread.sites.iter().zip(&sources.sites).filter(|(s, _)| s.write && s.extent != Extent::Object);
        writes.any(|(site, source)| {
            let op = &module.funcs[site.inst.0].insts[site.inst.1].op;
            let external = site.region == points_to.external();
            // Code outside is taken not to change it.
            !matches!(op, Op::External { .. } | Op::Access { .. })
                && external
                && !thread.makes(site.addr.obj)
                && layout.may_overlap(external, place, site.shape)
                && origins::may_meet(facts.origins, (place, Origin::Any), (site.shape, source.origin))
        })
    })
}
