//! Why two accesses may happen at the same time, and what would keep them apart, in words.
//!
//! Everything said here follows from the verdict's data. What is called a fix was verified before; a hint proves nothing.

use super::places::Place;
use super::problems::Instance;
use crate::config::Environment;
use crate::verdict::{Access, Analysis, By, Fix, HeldLock, Meeting, Purpose, RaceReport};
use lockpair_entry_points::EntryPoint;
use lockpair_env::schema::Context;
use lockpair_ir::{LockMode, Mark};
use std::sync::Arc;

/// "plain write", "atomic read", "free of the object" ...
pub fn kind(access: &Access) -> String {
    match access.purpose {
        Purpose::Free => return "free of the object".to_owned(),
        Purpose::FreeWithDriver => return "end of the object with its driver".to_owned(),
        Purpose::Lock if access.write => return "making or end of the lock".to_owned(),
        Purpose::Lock => return "use of the lock".to_owned(),
        Purpose::Use => {}
    }
    let mark = match access.mark {
        Mark::Plain => "plain",
        Mark::Volatile => "marked (volatile)",
        Mark::Atomic(_) => "atomic",
    };
    let within = if access.by == By::Instruction { "" } else { " in the function that is called" };
    format!("{mark} {}{within}", direction(access))
}

/// "read", "write" or "free".
pub fn direction(access: &Access) -> &'static str {
    match (access.purpose.frees(), access.write) {
        (true, _) => "free",
        (false, true) => "write",
        (false, false) => "read",
    }
}

/// What becomes of the object if one side frees it, or of a lock that one side takes.
fn consequence(race: Instance<'_>) -> Option<&'static str> {
    let [a, b] = race.race.accesses.each_ref().map(|access| access.purpose.frees());
    match (a, b) {
        (false, false) if race.race.is_of_lock() => {
            Some("who takes a lock while it is made or destroyed may hold it together with another")
        }
        (false, false) => None,
        (true, true) => Some("the object may be freed twice"),
        (true, false) => Some("the first may free the object while the second still uses it"),
        (false, true) => Some("the second may free the object while the first still uses it"),
    }
}

/// "shared" or "exclusive".
pub fn mode(mode: LockMode) -> &'static str {
    match mode {
        LockMode::Shared => "shared",
        LockMode::Exclusive => "exclusive",
    }
}

/// The names of the locks, or "no lock".
pub fn lock_names<'a>(locks: impl IntoIterator<Item = &'a HeldLock>) -> String {
    let names: Vec<_> = locks.into_iter().map(|l| l.name.as_str()).collect();
    if names.is_empty() { "no lock".to_owned() } else { names.join(", ") }
}

/// Why the environment may run the two entry points of a race at the same time.
pub fn why_parallel(analysis: &Analysis, race: Instance<'_>) -> String {
    let items = &analysis.entry_points.items;
    let (a, b) = (&items[race.pair.pair.0], &items[race.pair.pair.1]);
    let end = consequence(race).map(|end| format!("; {end}")).unwrap_or_default();
    if analysis.environment == Environment::Posix {
        return format!("{}{end}", threads_meet(a, b));
    }
    let meeting = if race.pair.pair.0 == race.pair.pair.1 { meets_itself(a) } else { meet(a, b) };
    let left = left_behind(analysis, race).map(|left| format!("; {left}")).unwrap_or_default();
    format!("{meeting}; {}{left}{end}", kernel_locks(race))
}

/// That one of the two may run for a device from when the driver was bound to it before.
fn left_behind(analysis: &Analysis, race: Instance<'_>) -> Option<String> {
    let (a, b) = race.pair.pair;
    let [one, other] = [a, b].map(|entry| &analysis.entry_points.items[entry]);
    [(a, other), (b, one)].into_iter().find_map(|(maker, callback)| {
        let runs_for = |class: &str| callback.handles.iter().any(|h| h.bound && h.class == class);
        let left = analysis.left_behind.iter().find(|l| l.entry == maker && runs_for(&l.class))?;
        let maker = &analysis.entry_points.items[maker].name;
        let line = left.loc.map(|loc| Place::in_driver(&analysis.module, loc).line);
        let line = line.map_or(String::new(), |line| format!(" in line {line}"));
        Some(format!(
            "{} may run already, if the driver was bound to the device before: what {maker} registers{line} may \
             not be ended when it is unbound",
            callback.name
        ))
    })
}

fn threads_meet(a: &EntryPoint, b: &EntryPoint) -> String {
    if a.name == b.name {
        format!("two threads may run {} at once", a.name)
    } else {
        format!(
            "{} and {} run in different threads, of which neither waits for the other before",
            a.name, b.name
        )
    }
}

fn meets_itself(a: &EntryPoint) -> String {
    format!("two threads may be in {} at once ({})", a.name, context(a.context))
}

fn meet(a: &EntryPoint, b: &EntryPoint) -> String {
    let (low, high) = if a.context <= b.context { (a, b) } else { (b, a) };
    match (low.context, high.context) {
        (Context::Process, Context::Process) => {
            format!("different threads may call {} and {}", a.name, b.name)
        }
        (low_context, high_context) if low_context == high_context => {
            format!("{} and {} run in {} on any CPU", a.name, b.name, context(high_context))
        }
        (_, high_context) => format!(
            "{} runs in {}: it may interrupt {} or run beside it on another CPU",
            high.name,
            context(high_context),
            low.name
        ),
    }
}

/// The name of a context in a sentence.
pub fn context(context: Context) -> &'static str {
    match context {
        Context::Process => "process context",
        Context::SoftIrq => "soft interrupt context",
        Context::HardIrq => "hard interrupt context",
    }
}

/// The stable name of a context for machine-readable output.
pub fn context_name(context: Context) -> &'static str {
    match context {
        Context::Process => "process",
        Context::SoftIrq => "softirq",
        Context::HardIrq => "hardirq",
    }
}

/// What the kernel holds around the two accesses, and that it does not help.
fn kernel_locks(race: Instance<'_>) -> String {
    let [a, b] = race.race.accesses.each_ref().map(|a| a.locks.iter().filter(|l| is_implicit(l)));
    let shared = a.clone().chain(b.clone()).all(|lock| lock.mode == LockMode::Shared);
    match (lock_names(a).as_str(), lock_names(b).as_str()) {
        ("no lock", "no lock") => "the kernel holds no lock around either".to_owned(),
        (a, b) if a == b && shared => format!("the kernel holds {a} around both, but only shared"),
        (a, b) if a == b => format!("the kernel holds {a} around both, but perhaps that of two objects"),
        (a, b) => format!("the kernel holds {a} around the first and {b} around the second"),
    }
}

/// Whether the kernel holds the lock on entry; the driver's code does not take it.
fn is_implicit(lock: &HeldLock) -> bool {
    lock.taken.is_none()
}

/// What the two sides take the memory for, if that is not the same.
pub fn memory(race: &RaceReport) -> Option<String> {
    if race.meeting == Meeting::Member || race.is_of_lifetime() || race.is_of_lock() {
        return None;
    }
    Some(match race.accesses.each_ref().map(|access| access.location.as_deref()) {
        [Some(one), Some(other)] if one == other => format!("both sides take it for {one}"),
        [Some(one), Some(other)] => format!("the first side takes it for {one}, the second for {other}"),
        [Some(one), None] => format!("the first side takes it for {one}, the second has no type for it"),
        [None, Some(other)] => format!("the second side takes it for {other}, the first has no type for it"),
        [None, None] => "neither side has a type for it".to_owned(),
    })
}

/// That what is written is a word of several bit-fields, whichever of them the source names.
pub fn shared_word(race: &RaceReport) -> Option<String> {
    let names = race.accesses.iter().map(|access| &access.bit_fields).max_by_key(|names| names.len())?;
    let [first @ .., last] = &names[..] else { return None };
    let names = match first {
        [] => format!("{last} is a bit-field"),
        _ => format!("{} and {last} are bit-fields of one word", first.join(", ")),
    };
    Some(format!("{names}: who writes a bit-field reads and writes back all of its word"))
}

/// What would remove the race: `fix` if that was verified or needs no proof, `hint` if it says what is missing.
pub fn remedy(analysis: &Analysis, race: Instance<'_>) -> (&'static str, String) {
    let takes = race.race.accesses.iter().any(|x| x.locks.iter().any(|l| !is_implicit(l)));
    match &race.race.fix {
        Some(Fix::Take { lock, around }) => {
            let sides = if *around == 1 { ["first", "second"] } else { ["second", "first"] };
            let text = take(analysis, race, lock, sides, &race.race.accesses[*around]);
            ("fix", or_marked(analysis, race, text))
        }
        Some(Fix::Missing(why)) if !race.race.is_of_lifetime() => {
            ("hint", format!("{}. Not a fix yet: {why}", advice(analysis, race)))
        }
        // One lock around both keeps them apart, by what a race is.
        _ if !takes && !race.race.is_of_lifetime() && !race.race.is_of_lock() => {
            ("fix", advice(analysis, race))
        }
        _ => ("hint", advice(analysis, race)),
    }
}

/// What the locks that are held suggest, unverified.
pub fn advice(analysis: &Analysis, race: Instance<'_>) -> String {
    let [a, b] = &race.race.accesses;
    if race.race.is_of_lifetime() {
        return of_lifetime(race).to_owned();
    }
    let taken = race.race.accesses.each_ref().map(|x| x.locks.iter().find(|l| !is_implicit(l)));
    let advice = match taken {
        [Some(_), Some(_)] if common_lock(a, b).is_some() => {
            same_name(common_lock(a, b).expect("just looked"))
        }
        [Some(x), Some(y)] => format!(
            "the two sides hold different locks: take {} around the second access too, or {} around the first",
            named(x),
            named(y)
        ),
        [Some(x), None] => take(analysis, race, x, ["first", "second"], b),
        [None, Some(y)] => take(analysis, race, y, ["second", "first"], a),
        [None, None] if race.race.is_of_lock() => {
            "make the lock before anybody can take it, and destroy it only when nobody takes it any more"
                .to_owned()
        }
        [None, None] => "protect both accesses with one lock".to_owned(),
    };
    or_marked(analysis, race, advice)
}

/// No lock alone keeps an object alive.
fn of_lifetime(race: Instance<'_>) -> &'static str {
    // The kernel frees it, when the driver's own functions are over.
    match race.race.accesses.iter().any(|access| access.purpose == Purpose::FreeWithDriver) {
        true => {
            "have the driver end what may still use the object, and wait for that, before it is unbound; or ask for \
             that with the device, too, after the object; or free the object when nobody has it any more"
        }
        false => {
            "before the object is freed, end what may still use it and wait for that, or count who has it; a lock helps \
             if who frees the object takes it back from where the others find it meanwhile"
        }
    }
}

/// The advice, or that what may race is to be marked.
fn or_marked(analysis: &Analysis, race: Instance<'_>, advice: String) -> String {
    let [a, b] = &race.race.accesses;
    if [a, b].iter().any(|access| !access.bit_fields.is_empty()) {
        return format!("{advice}; or give what needs no lock a member that is no bit-field");
    }
    let atomics = match analysis.environment {
        Environment::Linux => {
            ["READ_ONCE, WRITE_ONCE or an atomic", "READ_ONCE or an atomic", "WRITE_ONCE or an atomic"]
        }
        Environment::Posix => ["as _Atomic or with __atomic_ functions"; 3],
    };
    // What stands in a header of the kernel, or happens in a function outside, cannot be marked.
    let is_own = |access: &Access| {
        access.by == By::Instruction
            && access.loc.is_none_or(|loc| {
                let module = &analysis.module;
                Place::of(module, loc) == Place::in_driver(module, loc)
            })
    };
    let needs_marks = |access: &&Arc<Access>| access.mark == Mark::Plain;
    if race.race.is_of_lock() || !race.race.accesses.iter().filter(needs_marks).all(|access| is_own(access)) {
        return advice;
    }
    match marking(a, b, atomics) {
        Some(marking) => format!("{advice}; or, if the race is intended, {marking}"),
        None => advice,
    }
}

/// A lock of the same class and name that both hold; the same text need not be the same lock.
pub fn common_lock<'a>(a: &'a Access, b: &'a Access) -> Option<(&'a HeldLock, &'a HeldLock)> {
    let same = |x: &&HeldLock, y: &&HeldLock| x.class == y.class && x.name == y.name;
    a.locks.iter().find_map(|x| b.locks.iter().find(|y| same(&x, y)).map(|y| (x, y)))
}

fn same_name((x, y): (&HeldLock, &HeldLock)) -> String {
    if x.mode == LockMode::Shared && y.mode == LockMode::Shared {
        format!("both hold {} only shared: take it exclusively around the write", x.name)
    } else {
        format!(
            "both hold a lock called {}, but nothing shows that it is the same object's: check that it is, or use one lock for both",
            x.name
        )
    }
}

fn take(
    analysis: &Analysis,
    race: Instance<'_>,
    lock: &HeldLock,
    [holder, other]: [&str; 2],
    access: &Access,
) -> String {
    let mut text = format!(
        "take {} around the {other} access (the {}), as the {holder} does",
        named(lock),
        direction(access)
    );
    let (a, b) = race.pair.pair;
    let contexts = [a, b].map(|id| analysis.entry_points.items[id].context);
    let interrupts = contexts.iter().any(|c| *c != Context::Process);
    if interrupts && spins(&lock.class) {
        text.push_str(", with interrupts disabled where they can arrive");
    } else if interrupts {
        text.push_str(" (if it may sleep, it cannot be taken in interrupt context: use a spinlock instead)");
    }
    text
}

/// Whether the class is one of locks that do not sleep.
pub fn spins(class: &str) -> bool {
    class.contains("spin") || class.contains("rwlock")
}

fn named(lock: &HeldLock) -> String {
    format!("{} ({})", lock.name, lock.class)
}

fn marking(a: &Access, b: &Access, [both, read, write]: [&str; 3]) -> Option<String> {
    let once = |access: &Access| if access.write { write } else { read };
    match (a.mark == Mark::Plain, b.mark == Mark::Plain) {
        (true, true) => Some(format!("mark both ({both})")),
        (true, false) => Some(format!("mark the first access too ({})", once(a))),
        (false, true) => Some(format!("mark the second access too ({})", once(b))),
        (false, false) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::problems::Instance;
    use super::super::testdata::{INTERRUPT, IOCTL, RELEASE, WRITE, analysis_of, lock, pair, race};
    use super::{advice, why_parallel};
    use crate::verdict::{Access, HeldLock, LeftBehind, Purpose, Verdict};
    use lockpair_entry_points::EntryPointId;
    use lockpair_env::schema::LifeHandle;
    use lockpair_ir::{LockMode, Mark};
    use std::sync::Arc;

    const SHARED: LockMode = LockMode::Shared;
    const EXCLUSIVE: LockMode = LockMode::Exclusive;

    /// What is said about a race of two entry points whose accesses hold these locks.
    fn said(entries: [usize; 2], locks: [Vec<HeldLock>; 2], change: fn(&mut [Access; 2])) -> [String; 2] {
        let analysis = analysis_of(vec![]);
        let pair = pair(entries[0], entries[1], Verdict::Potential);
        let mut race = race("struct demo.count");
        let [first, second] = locks;
        let mut accesses = race.accesses.map(Arc::unwrap_or_clone);
        accesses[0].locks = first;
        accesses[1].locks = second;
        change(&mut accesses);
        race.accesses = accesses.map(Arc::new);
        let instance = Instance { pair: &pair, race: &race };
        [why_parallel(&analysis, instance), advice(&analysis, instance)]
    }

    fn why(entries: [usize; 2], locks: [Vec<HeldLock>; 2]) -> String {
        said(entries, locks, |_| {})[0].clone()
    }

    fn fix(entries: [usize; 2], locks: [Vec<HeldLock>; 2]) -> String {
        said(entries, locks, |_| {})[1].clone()
    }

    #[test]
    fn contexts_say_how_the_two_meet() {
        let none = || [vec![], vec![]];
        assert!(
            why([WRITE, IOCTL], none()).starts_with("different threads may call demo_write and demo_ioctl;")
        );
        assert!(why([WRITE, WRITE], none()).starts_with("two threads may be in demo_write at once"));
        let interrupted = "demo_interrupt runs in hard interrupt context: it may interrupt demo_write";
        assert!(why([WRITE, INTERRUPT], none()).starts_with(interrupted));
        assert!(why([INTERRUPT, RELEASE], none()).contains("it may interrupt demo_release"));
    }

    #[test]
    fn the_locks_of_the_kernel_are_named() {
        let session = |mode| vec![lock("session", "session(file)", mode, false)];
        let both = why([WRITE, IOCTL], [session(SHARED), session(SHARED)]);
        assert!(both.ends_with("the kernel holds session(file) around both, but only shared"));
        let two = why([WRITE, IOCTL], [session(EXCLUSIVE), session(SHARED)]);
        assert!(two.ends_with("the kernel holds session(file) around both, but perhaps that of two objects"));
        let one = why([WRITE, IOCTL], [session(SHARED), vec![]]);
        assert!(
            one.ends_with("the kernel holds session(file) around the first and no lock around the second")
        );
    }

    #[test]
    fn a_lock_that_one_side_takes_is_the_one_to_take() {
        let mutex = || vec![lock("mutex", "&a->m", EXCLUSIVE, true)];
        let spinlock = || vec![lock("spinlock", "&a->s", EXCLUSIVE, true)];
        let second = fix([WRITE, IOCTL], [mutex(), vec![]]);
        assert!(
            second.starts_with("take &a->m (mutex) around the second access (the write), as the first does;")
        );
        let first = fix([WRITE, IOCTL], [vec![], mutex()]);
        assert!(
            first.starts_with("take &a->m (mutex) around the first access (the write), as the second does;")
        );
        let sleeping = fix([WRITE, INTERRUPT], [mutex(), vec![]]);
        assert!(sleeping.contains("it cannot be taken in interrupt context"), "{sleeping}");
        let spinning = fix([WRITE, INTERRUPT], [spinlock(), vec![]]);
        assert!(spinning.contains("with interrupts disabled where they can arrive"), "{spinning}");
    }

    #[test]
    fn locks_on_both_sides_are_compared() {
        let of = |name, mode| vec![lock("rwsem", name, mode, true)];
        let shared = fix([WRITE, IOCTL], [of("&a->l", SHARED), of("&a->l", SHARED)]);
        assert!(shared.starts_with("both hold &a->l only shared: take it exclusively around the write"));
        let same_name = fix([WRITE, IOCTL], [of("&a->l", EXCLUSIVE), of("&a->l", EXCLUSIVE)]);
        assert!(same_name.starts_with("both hold a lock called &a->l, but nothing shows"));
        let different = fix([WRITE, IOCTL], [of("&a->l", EXCLUSIVE), of("&b->l", EXCLUSIVE)]);
        assert!(
            different.starts_with("the two sides hold different locks: take &a->l (rwsem) around the second")
        );
    }

    #[test]
    fn a_lock_made_anew_protects_nothing() {
        let [why, fix] =
            said([RELEASE, IOCTL], [vec![], vec![]], |accesses| accesses[1].purpose = Purpose::Lock);
        assert!(why.ends_with("may hold it together with another"), "{why}");
        assert!(fix.starts_with("make the lock before anybody can take it"), "{fix}");
        assert!(!fix.contains("WRITE_ONCE"), "{fix}");
    }

    #[test]
    fn a_free_is_a_matter_of_lifetime() {
        let [why, fix] =
            said([RELEASE, INTERRUPT], [vec![], vec![]], |accesses| accesses[0].purpose = Purpose::Free);
        assert!(why.ends_with("; the first may free the object while the second still uses it"), "{why}");
        assert!(fix.starts_with("before the object is freed, end what may still use it and wait for that"));
        let mutex = || vec![lock("mutex", "&a->m", EXCLUSIVE, true)];
        let [why, locked] =
            said([RELEASE, IOCTL], [vec![], mutex()], |accesses| accesses[0].purpose = Purpose::Free);
        assert!(why.contains("may free the object"), "{why}");
        assert_eq!(locked, fix);
        let [why, _] = said([RELEASE, RELEASE], [vec![], vec![]], |accesses| {
            accesses.iter_mut().for_each(|access| access.purpose = Purpose::Free);
        });
        assert!(why.ends_with("; the object may be freed twice"), "{why}");
    }

    #[test]
    fn what_is_left_of_an_earlier_binding_is_a_reason() {
        let mut analysis = analysis_of(vec![]);
        let ids: Vec<EntryPointId> = analysis.entry_points.items.keys().collect();
        let (maker, callback) = (ids[WRITE], ids[IOCTL]);
        let left = LeftBehind { entry: maker, class: "attribute".to_owned(), loc: None };
        analysis.left_behind.push(left);
        let (pair, race) = (pair(WRITE, IOCTL, Verdict::Potential), race("struct demo.count"));
        let instance = Instance { pair: &pair, race: &race };
        assert!(!why_parallel(&analysis, instance).contains("before"), "another class of handles");
        let addr = "arg0".parse().unwrap();
        let handle = LifeHandle { class: "attribute".to_owned(), addr, through: None, bound: true };
        analysis.entry_points.items[callback].handles.push(handle);
        let why = why_parallel(&analysis, instance);
        assert!(
            why.contains("demo_ioctl may run already") && why.contains("what demo_write registers may"),
            "{why}"
        );
    }

    #[test]
    fn a_half_marked_race_is_marked_on_the_other_side() {
        let [_, fix] = said([WRITE, IOCTL], [vec![], vec![]], |accesses| accesses[0].mark = Mark::Volatile);
        assert!(fix.ends_with("mark the second access too (WRITE_ONCE or an atomic)"), "{fix}");
        let [_, fix] = said([WRITE, IOCTL], [vec![], vec![]], |accesses| {
            accesses[1].mark = Mark::Volatile;
            accesses[0].write = false;
        });
        assert!(fix.ends_with("mark the first access too (READ_ONCE or an atomic)"), "{fix}");
    }
}
