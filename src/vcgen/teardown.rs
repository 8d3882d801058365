//! When callbacks are over: what a thread must have waited for before it waits for a handle's callbacks, so that nobody
//! can have registered the handle again since. Found once for all pairs, without looking at addresses.

use crate::fault::{Fault, seeded};
use crate::instrument::thread::{Event, Thread};
use lockpair_entry_points::EntryPointId;
use std::collections::{BTreeSet, HashMap, HashSet};

/// How the handles of a class may be registered, by the environment model.
#[derive(Default)]
pub struct Registrations {
    /// Classes whose handles code outside of the module may register at any time.
    pub outside: HashSet<String>,
    /// Classes of which a handle may be waited for that was never registered.
    pub rearmable: HashSet<String>,
    /// Classes of which each registration makes a handle of its own.
    pub fresh: HashSet<String>,
    /// Classes of which a thread may register one handle several times at once: to unregister it once ends nothing.
    pub several: HashSet<String>,
    /// Classes of which one handle may be registered by several, each for itself.
    pub for_each: HashSet<String>,
    /// Classes whose callbacks are functions of tables that the handle leads to, so that who gets the handle can register it.
    pub by_tables: HashSet<String>,
    /// Unregistrations of what was not registered so: thread and event.
    pub other_way: HashSet<(usize, usize)>,
}

/// One of these unregistrations must have come before, of the handle that lies so far before.
pub type Need = Vec<(usize, i128)>;

/// Per thread and event: what must have come before it. `None`: whatever came before, callbacks may run again.
pub struct Teardowns {
    needs: Vec<Vec<Option<Vec<Need>>>>,
}

impl Teardowns {
    /// Of all threads of a module.
    pub fn new(threads: &[Thread], rows: &Registrations) -> Teardowns {
        let of = |(maker, _): (usize, &Thread)| of_thread(threads, maker, rows);
        Teardowns { needs: threads.iter().enumerate().map(of).collect() }
    }

    /// What must have come before the thread's event, so that callbacks are over after it.
    pub fn needs(&self, thread: usize, event: usize) -> Option<&[Need]> {
        self.needs[thread][event].as_deref()
    }
}

fn of_thread(threads: &[Thread], number: usize, rows: &Registrations) -> Vec<Option<Vec<Need>>> {
    let maker = &threads[number];
    let mut registered: HashMap<&str, Vec<(&Thread, &Event)>> = HashMap::new();
    let mut all = Vec::with_capacity(maker.events.len());
    for (n, event) in maker.events.iter().enumerate() {
        let class = event.class.as_str();
        let says_nothing = rows.several.contains(class) || rows.other_way.contains(&(number, n));
        let is_outside = rows.outside.contains(class) && !event.kept;
        if event.registers || is_outside || says_nothing {
            all.push(None);
            continue;
        }
        let again = registered.entry(class).or_insert_with(|| registered_again(threads, maker, class, rows));
        // What one thread has registered before is not over with what another has.
        let registrars: BTreeSet<EntryPointId> = again.iter().map(|(thread, _)| thread.entry).collect();
        let is_one = !rows.for_each.contains(class) || registrars.len() < 2;
        let needs: BTreeSet<Need> =
            again.iter().filter_map(|(thread, again)| need(maker, (n, is_one), thread, again)).collect();
        // Without a way there is nothing that could keep the registrar out.
        all.push(needs.iter().all(|ways| !ways.is_empty()).then(|| needs.into_iter().collect()));
    }
    all
}

/// Who may register handles of the class, that somebody may have waited for, while the thread runs; other instances of
/// the thread are among them.
fn registered_again<'a>(
    threads: &'a [Thread],
    maker: &Thread,
    class: &str,
    rows: &Registrations,
) -> Vec<(&'a Thread, &'a Event)> {
    let registers = |e: &&Event| e.registers && e.class == class && !seeded(Fault::OthersRegisterNothing);
    let registrars = threads.iter().filter(|t| t.events.iter().any(|e| registers(&e)));
    // The others are kept out by the kernel.
    let beside = registrars.filter(|t| !maker.is_serialized_with(t));
    let events = beside.flat_map(|t| t.events.iter().filter(registers).map(move |e| (t, e)));
    events.filter(|(t, e)| !is_another(t, e, rows)).collect()
}

/// Whether what is registered cannot be a handle that somebody has waited for: it is made then, or of another object. Who waits for a handle has its object: in
/// one that is made later, or that nobody else knows when its handle is registered, it is another. What cannot be waited
/// for before it is registered, was.
fn is_another(registrar: &Thread, again: &Event, rows: &Registrations) -> bool {
    rows.fresh.contains(&again.class)
        || registrar.makes(again.handle.obj) && (again.fresh || !rows.rearmable.contains(&again.class))
}

/// The ways in which the registrar, as a callback of handles in the same object, can have been kept out since the
/// thread's event; `None` if that is no question: who waits for the end of a callback waits for what the callback
/// registers under its own handle, too; and who registers a handle in the data of his device has its lock, as he who waits has.
/// `is_one` says whether what was registered before is over with what the event ends.
fn need(maker: &Thread, (event, is_one): (usize, bool), registrar: &Thread, again: &Event) -> Option<Need> {
    // Both hold the lock of the one device whose data it is.
    if maker.events[event].of_own_device && again.of_own_device && is_one {
        return None;
    }
    // The same of a lock beside the handle.
    let beside = maker.is_serialized_at(maker.events[event].handle, registrar, again.handle);
    if beside && is_one && !again.anywhere || seeded(Fault::RegisteredUnderAnyLock) {
        return None;
    }
    let mut ways = Need::new();
    for own in registrar.handles.iter().filter(|_| !again.anywhere) {
        let Some(distance) = registrar.distance(again.handle, own.addr) else { continue };
        let is_own = distance == 0 && own.class == again.class;
        if is_own || seeded(Fault::RegisteredUnderOwnHandle) {
            return None;
        }
        let end = if seeded(Fault::TeardownInAnyOrder) { maker.events.len() } else { event };
        let waits = |e: &Event| !e.registers && e.class == own.class;
        ways.extend((0..end).filter(|&n| waits(&maker.events[n])).map(|n| (n, distance)));
    }
    Some(ways)
}
