//! Who may still run when a driver is unbound and what it has asked for with its device ends: whatever is registered for the
//! device as long as the driver is bound ends then, too, the last first; the driver's last function ends more; and who holds
//! the device's lock waits for it.
//!
//! A callback is taken to use, of the memory that ends, only what belongs to the device for which it is called (assumption
//! `managed-memory`), unless it has it from a variable.

use super::bound::Bound;
use super::pair::Covers;
use crate::instrument::thread::{
    EndOfRegistration, Event, Handle, KeptRegistration, Returned, Thread, Unbinding,
};

/// What must have ended so that a callback is over.
pub type Over<'t> = Vec<Needed<'t>>;

/// An end that must have come.
#[derive(Copy, Clone, Debug)]
pub enum Needed<'t> {
    /// This event of the thread that unbinds, or the other, if the callback's handle lies in the object of that one's.
    Event { number: usize, by_object: Option<usize> },
    /// One of these events: a driver is unbound.
    Unbound(&'t [usize]),
    /// The thread must have ended what was registered.
    Ended(&'t KeptRegistration),
}

/// The ways in which the callback is over when a driver is unbound by the thread: per way, with the handle if that counts, what
/// must have ended.
pub fn ways<'t>(
    bound: &Bound,
    covers: &Covers,
    threads: &[Thread],
    last: &'t Thread,
    callback: &'t Thread,
) -> Vec<(Option<&'t Handle>, Over<'t>)> {
    let Some(unbinding) = &last.unbinding else { return Vec::new() };
    let waits = callback.device_locks().any(|lock| last.device_locks().any(|own| own.conflicts(lock)));
    let of_lock = waits.then(|| (None, vec![Needed::Unbound(&unbinding.unbound)]));
    // What has its parameter in a variable may share that with other devices.
    let is_of_device = |handle: &&Handle| {
        let is_variable = |t: &Thread, e: &Event| t.terms.as_int(e.handle.obj).is_some_and(|obj| obj != 0);
        let concerns = |t: &Thread, e: &Event| e.registers && may_be(covers, (t, e), (callback, handle));
        let is_named = callback.terms.as_int(handle.addr.obj).is_some();
        is_named || !threads.iter().any(|t| t.events.iter().any(|e| concerns(t, e) && is_variable(t, e)))
    };
    let of_handle = callback.handles.iter().filter(is_of_device).filter_map(|handle| {
        let concerns = |t: &Thread, e: &Event| may_be(covers, (t, e), (callback, handle));
        Some((Some(handle), over(bound, threads, unbinding, &concerns)?))
    });
    let of_bound = callback.bound.iter().filter_map(|handle| {
        let concerns =
            |t: &Thread, e: &Event| e.class == handle.class && bound.may_concern(t, e, callback, handle);
        Some((Some(handle), over(bound, threads, unbinding, &concerns)?))
    });
    of_lock.into_iter().chain(of_handle).chain(of_bound).collect()
}

/// Whether the event may register the handle.
fn may_be(
    covers: &Covers,
    (thread, event): (&Thread, &Event),
    (callback, handle): (&Thread, &Handle),
) -> bool {
    let is_callback = event.callback.is_none_or(|func| func == handle.func);
    let named = thread.terms.as_int(event.handle.obj).zip(callback.terms.as_int(handle.addr.obj));
    let may_be = named.is_none_or(|(registered, own)| registered == own || covers(registered, own));
    event.class == handle.class && is_callback && may_be
}

/// What must have ended, if all that registers it ends with a driver; who binds the driver to another device does not matter.
fn over<'t>(
    bound: &Bound,
    threads: &[Thread],
    unbinding: &'t Unbinding,
    concerns: &dyn Fn(&Thread, &Event) -> bool,
) -> Option<Over<'t>> {
    let mut needed = Over::new();
    let mut is_registered = false;
    for (t, thread) in threads.iter().enumerate() {
        let events = thread.events.iter().enumerate().filter(|(_, e)| e.registers && concerns(thread, e));
        for (n, event) in events {
            is_registered = true;
            let binds = bound.devices(thread).next().is_some();
            let by_driver = binds && event.until.is_some_and(|until| thread.is_own_device(until));
            // Those of earlier rounds of a loop are by the same instruction.
            let is_earlier = |number: usize| {
                let (func, inst, _) = thread.events[number].key;
                event.anywhere && (func, inst) == (event.key.0, event.key.1)
            };
            let is_end = |end: &&EndOfRegistration| {
                end.of == (t, n) || end.of.0 == t && end.by_object.is_some() && is_earlier(end.of.1)
            };
            let end = unbinding.ends.iter().find(is_end);
            match end {
                Some(end) => needed.push(Needed::Event { number: end.event, by_object: end.by_object }),
                None if by_driver && !event.anywhere => {}
                None if binds && (ends_itself(thread, n) || bound.is_ended_by_driver(t, n, event)) => {
                    needed.push(Needed::Unbound(&unbinding.unbound));
                }
                None => needed.push(Needed::Ended(unbinding.kept.iter().find(|kept| kept.of == (t, n))?)),
            }
        }
    }
    // What only others register says nothing of this device.
    (is_registered && !needed.is_empty()).then_some(needed)
}

/// Whether a thread that binds a driver has ended again what it has registered when it returns.
fn ends_itself(thread: &Thread, number: usize) -> bool {
    let in_force = |returned: &Returned| {
        let flag = returned.events.get(number)?;
        thread.terms.as_bool(*flag)
    };
    !thread.events[number].anywhere && thread.returned.as_ref().and_then(in_force) == Some(false)
}
