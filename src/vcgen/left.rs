//! What a driver leaves registered for a device when it is bound to it no longer: it is still called when a driver is bound to
//! the device again. Some registrations the kernel ends then; of the others, each must be ended by who unbinds the driver, in
//! all executions, and by who fails to bind it.

use crate::analysis::parts::Parts;
use crate::fault::{Fault, seeded};
use crate::instrument::thread::{Event, Returned, Thread};
use crate::instrument::values;
use lockpair_entry_points::EntryPoints;
use lockpair_ir::{Callee, Global, GlobalId, Module, Op, Operand};
use lockpair_smt::{Answer, Limits, Session, TermId, Terms};
use std::collections::HashSet;

/// What a question may cost, in the solver's own measure: some 50 ms.
const WORK: u32 = 200_000;

/// Per thread, which of its events are registrations that may be left behind for the device to which it binds a driver.
pub fn left_behind(
    module: &Module,
    parts: &Parts,
    entry_points: &EntryPoints,
    threads: &[Thread],
    limits: &Limits,
) -> Vec<HashSet<usize>> {
    let limits = Limits { rlimit: limits.rlimit.or(Some(WORK)), ..*limits };
    let of_thread = |thread: &Thread| {
        let entry = &entry_points.items[thread.entry];
        let Some(end) = thread.returned.as_ref().filter(|_| entry.binds) else { return HashSet::new() };
        // The drivers of an array, or in memory, may each have other functions, and so has one that is changed.
        let table = entry.table.filter(|&table| is_one_driver(module, table));
        let last: Vec<&Thread> = threads
            .iter()
            .filter(|t| {
                let last = &entry_points.items[t.entry];
                last.unbinds && table.is_some() && last.table == table
            })
            .collect();
        let is_left = |n: usize, event: &Event| {
            last.is_empty()
                || stays_after_failure(thread, end, n, &limits)
                || last.iter().any(|last| !ends(last, thread, event, (parts, &limits)))
        };
        // Of many that are taken together it is not known which stay.
        let stay = thread.events.iter().enumerate().filter(|(_, e)| e.registers && (e.stays || e.anywhere));
        let left = stay.filter(|(n, e)| !seeded(Fault::BoundLeavesNothing) && is_left(*n, e));
        left.map(|(n, _)| n).collect()
    };
    threads.iter().map(of_thread).collect()
}

/// Whether the global is a struct of its own, of which the module only hands on the address: by itself, or in lists that it hands
/// on likewise (`platform_register_drivers`).
pub(super) fn is_one_driver(module: &Module, table: GlobalId) -> bool {
    let is_struct = module.globals[table].ty.is_some_and(|ty| module.as_struct(ty).is_some());
    is_struct && is_only_handed_on(module, table, true) && lists_are_handed_on(module, table, MOST_LISTS)
}

/// Lists in lists are followed so far.
const MOST_LISTS: usize = 4;

fn lists_are_handed_on(module: &Module, held: GlobalId, steps: usize) -> bool {
    let leads_to = |global: &Global| global.init.iter().any(|cell| is_in(held, &cell.value));
    let mut lists = module.globals.iter().filter(|(_, global)| leads_to(global)).map(|(list, _)| list);
    lists.all(|list| {
        let is_kept = steps > 0 && is_only_handed_on(module, list, false);
        is_kept && (list == held || lists_are_handed_on(module, list, steps - 1))
    })
}

fn is_in(table: GlobalId, operand: &Operand) -> bool {
    matches!(operand, Operand::Global(global, _) if *global == table)
}

/// Whether code does no more with the variable's address than to hand it to others, and, where that is harmless, to read there.
fn is_only_handed_on(module: &Module, global: GlobalId, may_be_read: bool) -> bool {
    let is_own = |callee: &Callee| match callee {
        Callee::Func(id) => module.funcs[*id].is_defined(),
        Callee::Indirect(..) | Callee::Asm(_) => true,
    };
    let changes = |op: &Op| match op {
        Op::External { .. } | Op::Register { .. } | Op::Unregister { .. } | Op::Publish { .. } => false,
        Op::Call { callee, .. } if !is_own(callee) => false,
        Op::Load { .. } if may_be_read => false,
        Op::Cmp(..) => false,
        _ => op.operands().iter().any(|operand| is_in(global, operand)),
    };
    !module.funcs.values().flat_map(|func| func.insts.values()).any(|inst| changes(&inst.op))
}

/// Whether the thread may fail to bind its driver with the event in force.
fn stays_after_failure(thread: &Thread, end: &Returned, event: usize, limits: &Limits) -> bool {
    let mut terms = thread.terms.clone();
    let in_force = end.events.get(event).copied().unwrap_or(terms.fals());
    let both = terms.and2(end.fails, in_force);
    is_possible(&terms, both, limits)
}

/// Whether the last of the driver's functions ends in any case what the event registers for the device.
fn ends(last: &Thread, maker: &Thread, event: &Event, facts: (&Parts, &Limits)) -> bool {
    let Some(end) = &last.returned else { return false };
    let is_own = maker.device_locks().any(|device| device.addr == event.handle);
    if !is_own || event.anywhere || event.through.is_some() && event.through_at.is_none() {
        return false;
    }
    let places: Option<Vec<Option<i128>>> = match event.through {
        Some(through) => {
            maker.leaves(through).into_iter().map(|leaf| maker.terms.as_int(leaf).map(Some)).collect()
        }
        None => Some(vec![None]),
    };
    let is_ended = |place| !may_not_end(last, end, event, place, facts);
    places.is_some_and(|places| places.into_iter().all(is_ended))
}

/// Whether the last of the driver's functions may return without having ended what was registered through the object.
fn may_not_end(
    last: &Thread,
    end: &Returned,
    event: &Event,
    through: Option<i128>,
    (parts, limits): (&Parts, &Limits),
) -> bool {
    let mut terms = last.terms.clone();
    let mut ended = Vec::new();
    for (n, e) in last.events.iter().enumerate() {
        let is_whole = || {
            let whole = e.through.and_then(|t| last.terms.as_int(t)).zip(e.through_at);
            whole
                .zip(through.zip(event.through_at))
                .is_some_and(|(whole, part)| parts.have(&event.class, whole, part))
        };
        let ends_class = !e.registers && !e.anywhere && e.class == event.class;
        let by_whole = ends_class && is_whole();
        let is_end = ends_class && (by_whole || e.through_at == event.through_at);
        let Some(device) = last.device_locks().next().filter(|_| is_end) else { continue };
        let same_object = match (e.through, through) {
            _ if by_whole => terms.tru(),
            (Some(object), Some(number)) => {
                let number = terms.int(number);
                terms.eq(object, number)
            }
            (None, None) => terms.tru(),
            (Some(_), None) | (None, Some(_)) => continue,
        };
        let same_device = values::same_addr(&mut terms, e.handle, device.addr);
        let in_force = end.events.get(n).copied().unwrap_or(terms.fals());
        ended.push(terms.and(&[in_force, same_object, same_device]));
    }
    let ended = terms.or(&ended);
    let not = terms.not(ended);
    let open = terms.and2(end.guard, not);
    is_possible(&terms, open, limits)
}

/// Nothing but the variables' ranges binds the terms of a thread, so that every assignment within them is an execution.
fn is_possible(terms: &Terms, condition: TermId, limits: &Limits) -> bool {
    match terms.as_bool(condition) {
        Some(constant) => constant,
        None => !matches!(Session::new(limits).check(terms, &[condition]), Answer::Unsat),
    }
}
