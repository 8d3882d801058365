//! The state of a symbolic execution at one point: private memory, and which locks are held, which
//! registrations made, which objects published, each as a condition. States meet at joins.

use super::flags::Looked;
use super::lockset::Lockset;
use super::memory::{Content, Lurking, Memory};
use super::thread::Pointer;
use super::values;
use crate::fault::{Fault, seeded};
use lockpair_smt::{TermId, Terms};
use std::sync::Arc;

/// A state; cheap to clone.
#[derive(Clone, Debug)]
pub struct State {
    /// The condition of being here: this path was taken.
    pub guard: TermId,
    /// The content of the thread's own objects.
    pub memory: Memory,
    /// What the thread has stored to globals, by their numbers; only where nothing else of it may have happened since.
    pub globals: Memory,
    /// The locks that are held.
    pub held: Lockset,
    /// Numbers that were read in critical sections that have lasted since.
    pub looked: Arc<Vec<Looked>>,
    /// The number of the CPU that the thread runs on, as long as it stays there.
    pub cpu: TermId,
    /// Whether nothing else of the module can have begun to run yet.
    pub alone: TermId,
    /// Per event: whether it is in force. Missing entries are false.
    pub events: Arc<Vec<TermId>>,
    /// Per own object: whether others may reach it. Missing entries are false.
    pub published: Arc<Vec<TermId>>,
}

impl State {
    /// The state at the start of a thread.
    pub fn initial(terms: &Terms, cpu: TermId) -> State {
        State {
            guard: terms.tru(),
            memory: Memory::default(),
            globals: Memory::default(),
            held: Lockset::default(),
            looked: Arc::default(),
            cpu,
            alone: terms.fals(),
            events: Arc::default(),
            published: Arc::default(),
        }
    }

    /// The entry of a table of conditions.
    pub fn flag(table: &[TermId], index: usize, terms: &Terms) -> TermId {
        table.get(index).copied().unwrap_or(terms.fals())
    }

    /// Sets an entry of a table of conditions.
    pub fn set_flag(table: &mut Arc<Vec<TermId>>, index: usize, value: TermId, terms: &Terms) {
        let table = Arc::make_mut(table);
        if table.len() <= index {
            table.resize(index + 1, terms.fals());
        }
        table[index] = value;
    }
}

/// The state where several edges meet; each state's guard is that of its edge. `guard` is the
/// condition of the join itself. There must be at least one edge. Also gives the pointers that were in
/// globals on some edge, at places whose content is arbitrary from here on.
pub fn join(terms: &mut Terms, edges: &[State], guard: TermId) -> (State, Vec<Pointer>) {
    let (last, rest) = edges.split_last().expect("a join of at least one edge");
    let mut out = last.clone();
    let mut lost = Vec::new();
    for edge in rest.iter().rev() {
        let cond = edge.guard;
        out.held = edge.held.combine(&out.held, terms, |terms, x, y| join_flag(terms, cond, x, y));
        out.looked = Looked::joined(&edge.looked, &out.looked);
        out.cpu = terms.ite(cond, edge.cpu, out.cpu);
        out.alone = terms.ite(cond, edge.alone, out.alone);
        out.events = join_flags(terms, cond, &edge.events, &out.events);
        out.published = join_flags(terms, cond, &edge.published, &out.published);
        out.memory = join_memory(terms, cond, &edge.memory, &out.memory);
        out.globals = join_globals(terms, cond, &edge.globals, &out.globals, &mut lost);
    }
    out.guard = guard;
    (out, lost.into_iter().map(|l| l.pointer).collect())
}

fn join_flags(
    terms: &mut Terms,
    cond: TermId,
    a: &Arc<Vec<TermId>>,
    b: &Arc<Vec<TermId>>,
) -> Arc<Vec<TermId>> {
    if Arc::ptr_eq(a, b) || a == b {
        return a.clone();
    }
    let len = a.len().max(b.len());
    Arc::new(
        (0..len)
            .map(|i| {
                let (x, y) = (State::flag(a, i, terms), State::flag(b, i, terms));
                if x == y { x } else { join_flag(terms, cond, x, y) }
            })
            .collect(),
    )
}

fn join_flag(terms: &mut Terms, cond: TermId, x: TermId, y: TermId) -> TermId {
    if seeded(Fault::JoinHeldOneEdge) { x } else { terms.ite(cond, x, y) }
}

/// Where the content is arbitrary from here on, the pointers that were there may come back unrecognized.
fn join_memory(terms: &mut Terms, cond: TermId, a: &Memory, b: &Memory) -> Memory {
    let mut out = Memory::default();
    for (id, x) in a.objects() {
        let Some(y) = b.object(*id) else {
            // The object was made on one side only: the other side cannot name it.
            out.insert(*id, x.clone());
            continue;
        };
        if Arc::ptr_eq(x, y) {
            out.insert(*id, x.clone());
            continue;
        }
        let mut lost = Vec::new();
        let mut joined = join_content(terms, cond, x, y, &mut lost);
        lost.into_iter().for_each(|l| joined.lurk(l.pointer, l.bytes));
        out.insert(*id, Arc::new(joined));
    }
    for (id, y) in b.objects() {
        if a.object(*id).is_none() {
            out.insert(*id, y.clone());
        }
    }
    out
}

/// The same of globals; one of which only one side knows anything may hold anything.
fn join_globals(terms: &mut Terms, cond: TermId, a: &Memory, b: &Memory, lost: &mut Vec<Lurking>) -> Memory {
    let mut out = Memory::default();
    for (id, x) in a.objects() {
        if let Some(y) = b.object(*id) {
            let same = Arc::ptr_eq(x, y);
            out.insert(*id, if same { x.clone() } else { Arc::new(join_content(terms, cond, x, y, lost)) });
        }
    }
    out
}

fn join_content(
    terms: &mut Terms,
    cond: TermId,
    a: &Content,
    b: &Content,
    lost: &mut Vec<Lurking>,
) -> Content {
    let mut out = Content::joined(a, b);
    let mut forget = |out: &mut Content, at: u64, size: u64| {
        out.forget(at, size);
        if !seeded(Fault::JoinLosesPointers) {
            let pointers = a.pointers_in(at, size).chain(b.pointers_in(at, size));
            lost.extend(pointers.map(|pointer| Lurking { pointer, bytes: (at, size) }));
        }
    };
    for (&(at, size), &x) in a.cells() {
        match b.read(terms, at, size, x) {
            Some(y) => out.set(at, size, values::ite(terms, cond, x, y)),
            None if b.is_unwritten(at, size) => out.set(at, size, x),
            None => forget(&mut out, at, size),
        }
    }
    for (&(at, size), &y) in b.cells() {
        if a.cell(at, size).is_some() {
            continue;
        }
        match a.read(terms, at, size, y) {
            Some(x) => out.set(at, size, values::ite(terms, cond, x, y)),
            None if a.is_unwritten(at, size) => out.set(at, size, y),
            None => forget(&mut out, at, size),
        }
    }
    out
}
