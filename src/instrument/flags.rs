//! Flags that say who owns something: a bit that `test_and_set_bit` has found clear, a word that was exchanged, a count
//! that was found at its start, a variable that was tested and set in one critical section. Who takes one holds it like a
//! lock until he gives it back.
//!
//! Whether a flag is what it seems depends on everybody who writes there: that is found when all threads are known
//! (`analysis/ownership.rs`). Only what a thread itself executes counts; summaries take and give back no flags.

use super::exec::{Activation, Executor};
use super::state::State;
use super::thread::*;
use super::values::{self, Val};
use crate::fault::{Fault, seeded};
use lockpair_ir::*;
use lockpair_smt::TermId;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

/// How a word says that nobody owns it.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Flag {
    /// The bits of the word.
    pub bits: u16,
    /// When nobody has it.
    pub free: Free,
    /// The lock under which it is tested and taken, if that is not one atomic operation; of a turn, the lock that all hold whose
    /// turn it may be.
    pub under: Option<Under>,
    /// Of a turn: the lock that orders who reads and who writes it, if the operations themselves do not.
    pub ordered_by: Option<Under>,
}

/// The values of a word that nobody owns.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Free {
    /// The bit of this number has this value.
    Bit(u16, bool),
    /// It is this number.
    Word(u128),
    /// It is the number that it was at the beginning: each who comes adds `step`, and takes it away when he goes.
    Count {
        /// The initial value.
        start: u128,
        /// What is added, modulo the bits of the word.
        step: u128,
    },
    /// Not free or taken: the thread has added `step`, and not yet taken it away.
    Added {
        /// What was added.
        step: u128,
    },
    /// Not free or taken: it says that it is the thread's turn (`turns.rs`).
    Turn(Says),
    /// Not free or taken: the thread has one of the references that the word counts, so it is not 0 (`references.rs`).
    Reference,
    /// The same, of an object that a variable leads to which has a reference of its own.
    Lent {
        /// The variable.
        by: Lender,
        /// Whether the thread has taken the object out of the variable, and so has that reference now.
        out: bool,
    },
    /// The word counts references, and the thread has given back the last one.
    Last,
    /// No count, but a variable that has a reference to the object that it leads to.
    Lends {
        /// How far behind where it leads to the count is.
        at: u64,
    },
    /// No word, but a completion (`completions.rs`): who completes it is over, or does not run.
    Completed,
    /// No word, but a completion: the thread has not completed it yet.
    Running,
}

/// A variable that has a reference to the object that it leads to.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Lender {
    /// The object with a name that it is in.
    pub object: i128,
    /// Where in that.
    pub offset: i128,
    /// How far behind where it leads to the count is.
    pub at: u64,
}

/// What is known of a word: that these of its bits are this number, or are not.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Says {
    /// The bits that count.
    pub mask: u128,
    /// The number.
    pub value: u128,
    /// Whether they are it.
    pub is: bool,
}

impl Says {
    /// Whether that is so of a word with this value.
    pub fn holds(self, word: u128) -> bool {
        (word & self.mask == self.value) == self.is
    }

    /// Whether no word is so and like the other.
    pub fn contradicts(self, other: Says) -> bool {
        let two_numbers = self.is && other.is && self.value != other.value;
        let opposite = self.value == other.value && self.is != other.is;
        self.mask == other.mask && (two_numbers || opposite)
    }
}

/// A lock, as seen from a flag.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Under {
    /// The class.
    class: Arc<str>,
    /// Which.
    place: Place,
}

/// Where a lock is.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Place {
    /// So many bytes from the start of an object with a name.
    Named(i128, i128),
    /// So many bytes behind the flag.
    Behind(i128),
}

impl fmt::Display for Flag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.free {
            Free::Bit(n, false) => write!(f, "bit {n}")?,
            Free::Bit(n, true) => write!(f, "clear bit {n}")?,
            Free::Word(0) => write!(f, "flag")?,
            Free::Word(k) => write!(f, "flag that is not {k}")?,
            Free::Count { start, .. } => write!(f, "count that was {start}")?,
            Free::Added { .. } => write!(f, "share of a count")?,
            Free::Reference => write!(f, "reference")?,
            Free::Lent { by: Lender { object, offset, at }, out } => {
                let way = if out { "taken out of" } else { "lent by" };
                write!(f, "reference {way} {object}+{offset} at {at}")?;
            }
            Free::Last => write!(f, "last reference")?,
            Free::Lends { at } => write!(f, "lender of what is counted at {at}")?,
            Free::Completed => write!(f, "completed")?,
            Free::Running => write!(f, "running")?,
            Free::Turn(Says { mask, value, is }) => {
                let not = if is { "" } else { "not " };
                write!(f, "turn of {not}{value}")?;
                if mask != all_ones(self.bits) {
                    write!(f, " in {mask:#x}")?;
                }
            }
        }
        write!(f, "/{}", self.bits)?;
        if let Some(under) = &self.under {
            write!(f, " under {under}")?;
        }
        match &self.ordered_by {
            Some(lock) => write!(f, " ordered by {lock}"),
            None => Ok(()),
        }
    }
}

impl Under {
    /// Whether the lock is of the class.
    pub fn is_of(&self, class: &str) -> bool {
        &*self.class == class
    }

    /// How far behind it lies, if it is not one with a name.
    pub fn behind(&self) -> Option<i128> {
        match self.place {
            Place::Behind(by) => Some(by),
            Place::Named(..) => None,
        }
    }

    /// The same as seen from so much farther back.
    pub fn moved(self, by: i128) -> Under {
        match self.place {
            Place::Behind(at) => Under { place: Place::Behind(at - by), ..self },
            Place::Named(..) => self,
        }
    }
}

impl fmt::Display for Under {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let class = &self.class;
        match self.place {
            Place::Named(obj, off) => write!(f, "{class} {obj}+{off}"),
            Place::Behind(by) => write!(f, "{class} at {by}"),
        }
    }
}

/// The number of so many bits that are all one.
pub(super) fn all_ones(bits: u16) -> u128 {
    1u128.checked_shl(bits.into()).map_or(u128::MAX, |n| n - 1)
}

/// What an instruction writes to a word, as far as that is constant.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// This number.
    Set(u128),
    /// The old value with these bits set.
    Or(u128),
    /// The old value with only these bits left.
    And(u128),
    /// The old value and this number, modulo the bits of the word.
    Add(u128),
    /// The second number, if the first was there.
    Swap(Option<u128>, u128),
}

/// What the instruction does to the word at its address: the bits of the word, and the change.
pub fn change(func: &Function, op: &Op) -> Option<(u16, Change)> {
    let number = |operand: Operand| match operand {
        Operand::Int { bits, value } if bits > 1 && bits <= 64 => Some((bits, value)),
        _ => None,
    };
    Some(match op {
        Op::Store { value, .. } => {
            let (bits, value) = number(*value)?;
            (bits, Change::Set(value))
        }
        Op::Rmw { op, value, .. } => {
            let (bits, value) = number(*value)?;
            let change = match op {
                RmwOp::Xchg => Change::Set(value),
                RmwOp::Or => Change::Or(value),
                RmwOp::And => Change::And(value),
                RmwOp::Add => Change::Add(value),
                RmwOp::Sub => Change::Add(negative(value, bits)),
                RmwOp::Xor => return None,
            };
            (bits, change)
        }
        Op::CmpXchg { expected, new, .. } => {
            let Ty::Int(bits) = func.operand_ty(*new) else { return None };
            (bits, Change::Swap(number(*expected).map(|(_, value)| value), number(*new)?.1))
        }
        _ => return None,
    })
}

/// The number that gives 0 when added, modulo the bits.
pub fn negative(value: u128, bits: u16) -> u128 {
    (1u128 << bits).wrapping_sub(value) & ((1u128 << bits) - 1)
}

impl Flag {
    pub(super) fn new(bits: u16, free: Free) -> Flag {
        Flag { bits, free, under: None, ordered_by: None }
    }

    /// What it says, if it is a turn.
    pub fn turn(&self) -> Option<Says> {
        match self.free {
            Free::Turn(says) => Some(says),
            _ => None,
        }
    }

    /// Whether it may be held from one function of a session to another.
    fn lasts(&self) -> bool {
        let is_reference = self.counts_references() || matches!(self.free, Free::Lends { .. });
        self.is_word() && self.turn().is_none() && !is_reference
    }

    /// Whether it matters what the word was at the beginning.
    pub fn begins_with_a_number(&self) -> bool {
        !matches!(self.free, Free::Bit(..) | Free::Word(_) | Free::Turn(_))
    }

    /// Whether it is about a word that somebody writes.
    pub fn is_word(&self) -> bool {
        !matches!(self.free, Free::Completed | Free::Running)
    }

    /// Whether it is a reference to what the word counts, whoever's.
    pub fn is_reference(&self) -> bool {
        matches!(self.free, Free::Reference | Free::Lent { .. })
    }

    /// Whether it is one that the thread has for itself, and may give back.
    pub fn is_own_reference(&self) -> bool {
        matches!(self.free, Free::Reference | Free::Lent { out: true, .. })
    }

    /// Whether it is a reference that goes with a lock.
    pub fn is_lent(&self) -> bool {
        self.is_reference() && !self.is_own_reference()
    }

    /// Whether it is about the references that a word counts.
    pub fn counts_references(&self) -> bool {
        self.is_reference() || self.free == Free::Last
    }

    /// Whether the two cannot be so of one word, or one completion, at once, whoever has them.
    pub fn contradicts(&self, other: &Flag) -> bool {
        match (self.free, other.free) {
            (Free::Turn(a), Free::Turn(b)) => self.bits == other.bits && a.contradicts(b),
            (Free::Completed, Free::Running) | (Free::Running, Free::Completed) => true,
            (Free::Last, _) => other.is_reference(),
            (_, Free::Last) => self.is_reference(),
            _ => false,
        }
    }

    /// Whether a change of a word of the same bits leaves a flag taken that is taken. (Of a count: whether it takes
    /// nothing away.)
    pub fn stays_taken(&self, change: Change) -> bool {
        match (self.free, change) {
            (Free::Bit(n, free), Change::Set(v)) => (v >> n & 1 == 1) != free,
            (Free::Bit(n, free), Change::Or(v)) => !free || v >> n & 1 == 0,
            (Free::Bit(n, free), Change::And(v)) => free || v >> n & 1 == 1,
            (Free::Bit(n, free), Change::Swap(_, v)) => (v >> n & 1 == 1) != free,
            (Free::Word(k), Change::Set(v) | Change::Swap(_, v)) => v != k,
            (Free::Word(k), Change::Or(v)) => v & !k != 0,
            (Free::Word(k), Change::And(v)) => k & !v != 0,
            (Free::Count { step, .. } | Free::Added { step }, Change::Add(v)) => v == step,
            (Free::Turn(says), Change::Set(v) | Change::Swap(_, v)) => says.holds(v),
            (Free::Bit(..) | Free::Word(_), Change::Add(_)) => false,
            (Free::Count { .. } | Free::Added { .. } | Free::Turn(_), _) => false,
            (Free::Reference | Free::Lent { .. }, Change::Add(v)) => {
                v == 1 || v == negative(1, self.bits) && !self.is_own_reference()
            }
            (Free::Reference | Free::Lent { .. }, _) => false,
            (Free::Last | Free::Lends { .. } | Free::Completed | Free::Running, _) => true,
        }
    }

    /// Whether the change is one that an owner may make: of a count, he takes away what he has added; with the rest he
    /// does what he likes.
    pub fn is_for_owner(&self, change: Change) -> bool {
        match (self.free, change) {
            (Free::Count { step, .. } | Free::Added { step }, Change::Add(v)) => {
                v == negative(step, self.bits)
            }
            (Free::Count { .. } | Free::Added { .. }, _) => false,
            (Free::Bit(..) | Free::Word(_) | Free::Turn(_), _) => true,
            (Free::Reference | Free::Lent { .. } | Free::Last | Free::Lends { .. }, _) => false,
            (Free::Completed | Free::Running, _) => false,
        }
    }

    /// The flag that a thread must hold to give this one back: of a count, its share.
    pub fn share(&self) -> Flag {
        match self.free {
            Free::Count { step, .. } => Flag { free: Free::Added { step }, ..self.clone() },
            _ => self.clone(),
        }
    }

    /// How it is held: a share of a count excludes nobody.
    pub fn mode(&self) -> LockMode {
        match self.free {
            Free::Added { .. } => LockMode::Shared,
            Free::Bit(..) | Free::Word(_) | Free::Count { .. } | Free::Turn(_) => LockMode::Exclusive,
            Free::Reference | Free::Lent { .. } | Free::Lends { .. } | Free::Completed => LockMode::Shared,
            Free::Last | Free::Running => LockMode::Exclusive,
        }
    }
}

/// The atomic operations of a module that may take a flag: those whose result is looked at.
#[derive(Clone, Debug, Default)]
pub struct Takers(HashMap<(FuncId, InstId), Flag>);

impl Takers {
    /// Looks through all code.
    pub fn new(module: &Module) -> Takers {
        let mut takers = HashMap::new();
        for (id, func) in module.funcs.iter() {
            let mut used = None;
            for &i in func.blocks.values().flat_map(|b| &b.insts) {
                let inst = &func.insts[i];
                let (Op::Rmw { order, .. } | Op::CmpXchg { order, .. }) = inst.op else { continue };
                let used = used.get_or_insert_with(|| used_values(func));
                let is_asked = inst.result.is_some_and(|v| used.contains(&v));
                if let (true, true, Some(flag)) = (order.acquires(), is_asked, taken_by(func, &inst.op)) {
                    takers.insert((id, i), flag);
                }
            }
        }
        Takers(takers)
    }
}

/// The flag that an atomic operation takes, if it finds it free.
fn taken_by(func: &Function, op: &Op) -> Option<Flag> {
    let (bits, change) = change(func, op)?;
    let all = (1u128 << bits) - 1;
    let free = match change {
        Change::Set(v) => Free::Word(u128::from(v == 0)),
        Change::Or(v) if v.is_power_of_two() => Free::Bit(v.trailing_zeros() as u16, false),
        Change::And(v) if (all & !v).is_power_of_two() => Free::Bit((all & !v).trailing_zeros() as u16, true),
        Change::Swap(Some(old), new) if old != new => Free::Word(old),
        Change::Add(step) if step != 0 => Free::Count { start: 0, step },
        _ => return None,
    };
    Some(Flag::new(bits, free))
}

/// The values that anything is computed from.
fn used_values(func: &Function) -> HashSet<ValueId> {
    let of_insts = func.insts.values().flat_map(|inst| inst.op.operands());
    let of_ends = func.blocks.values().filter_map(|b| b.term.operand());
    let value = |operand| match operand {
        Operand::Value(v) => Some(v),
        _ => None,
    };
    of_insts.chain(of_ends).filter_map(value).collect()
}

/// A number that was read where others may write, and the locks that were held since.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Looked {
    addr: Addr,
    bits: u16,
    value: TermId,
    under: Vec<usize>,
}

impl Looked {
    /// What was read in both of two states that meet, in sections that have lasted in both.
    pub fn joined(a: &Arc<Vec<Looked>>, b: &Arc<Vec<Looked>>) -> Arc<Vec<Looked>> {
        if Arc::ptr_eq(a, b) || a == b {
            return Arc::clone(a);
        }
        let both = |x: &Looked| {
            let y = b.iter().find(|y| (y.addr, y.bits, y.value) == (x.addr, x.bits, x.value))?;
            let under: Vec<usize> = x.under.iter().copied().filter(|i| y.under.contains(i)).collect();
            (!under.is_empty()).then(|| Looked { under, ..x.clone() })
        };
        Arc::new(a.iter().filter_map(both).collect())
    }
}

impl State {
    /// Locks of the class were perhaps given back.
    pub fn gave_back(&mut self, class: &str, locks: &[Lock]) {
        if self.looked.is_empty() {
            return;
        }
        let looked = Arc::make_mut(&mut self.looked);
        looked.iter_mut().for_each(|l| l.under.retain(|&i| locks[i].class != class));
        looked.retain(|l| !l.under.is_empty());
    }
}

impl Executor<'_, '_> {
    /// Notes a number that was read, in a critical section.
    pub(super) fn look(&mut self, state: &mut State, p: &Pointer, ty: Ty, v: Val) {
        let (Ty::Int(bits), Val::Int(value, None), None) = (ty, v, &self.procedure) else { return };
        let under: Vec<usize> =
            self.surely_held(state).into_iter().filter(|&i| self.is_section(&self.thread.locks[i])).collect();
        let looked = Arc::make_mut(&mut state.looked);
        looked.retain(|l| l.addr != p.addr);
        if !under.is_empty() {
            looked.push(Looked { addr: p.addr, bits, value, under });
        }
    }

    /// Whether only one thread at a time may hold the lock, and code of the module has taken it.
    pub(super) fn is_section(&self, lock: &Lock) -> bool {
        !lock.implicit && self.lets_in_one(lock)
    }

    /// Whether only one thread at a time may hold the lock.
    pub(super) fn lets_in_one(&self, lock: &Lock) -> bool {
        lock.mode == LockMode::Exclusive
            && lock.owns.is_none()
            && lock.keeps_off.is_none()
            && !self.cx.kinds.states.contains_key(&lock.class)
    }

    /// What a write to a word does to flags. `old` is what an atomic operation has found there.
    pub(super) fn change_flags(
        &mut self,
        act: &Activation,
        i: InstId,
        state: &mut State,
        addr: Operand,
        old: Option<Val>,
    ) {
        if self.procedure.is_some() {
            return;
        }
        let Some((bits, change)) = change(act.func, &act.func.insts[i].op) else { return };
        let p = self.scalar_at(act, addr, u64::from(bits / 8));
        self.give_back_flags(state, &p, bits, change);
        self.count_references((act, i), state, (addr, &p), (bits, change), old);
        let taker = self.cx.takers.0.get(&(act.id, i)).cloned();
        let taken = match (taker, old) {
            (Some(flag), Some(old)) => self.found_free(flag, &p, old).into_iter().collect(),
            (None, None) => self.tested_before(state, &p, bits, change),
            _ => Vec::new(),
        };
        for (n, (flag, cond)) in taken.into_iter().enumerate() {
            if let Free::Count { .. } = flag.free {
                let tru = self.thread.terms.tru();
                self.take_flag((act, i), state, (addr, &p), (flag.share(), tru), 2 * n + 1);
            }
            self.take_flag((act, i), state, (addr, &p), (flag, cond), 2 * n);
        }
    }

    /// The flag, and when the atomic operation found it free.
    fn found_free(&mut self, flag: Flag, p: &Pointer, old: Val) -> Option<(Flag, TermId)> {
        let flag = match flag.free {
            Free::Count { step, .. } => {
                let start = self.initial_number(p, flag.bits)?;
                Flag { free: Free::Count { start, step }, ..flag }
            }
            _ => flag,
        };
        let cond = self.is_free(&flag, old)?;
        Some((flag, cond))
    }

    /// The flags that were found free, at this very address, in a critical section that has lasted since.
    fn tested_before(
        &mut self,
        state: &State,
        p: &Pointer,
        bits: u16,
        change: Change,
    ) -> Vec<(Flag, TermId)> {
        let Some(looked) = state.looked.iter().find(|l| l.addr == p.addr && l.bits == bits).cloned() else {
            return Vec::new();
        };
        let mut out = Vec::new();
        for free in [Free::Word(0), Free::Bit(0, false)] {
            let flag = Flag::new(bits, free);
            let Some(cond) = self.is_free(&flag, Val::Int(looked.value, None)) else { continue };
            let surely = self.is_tested(state.guard, &flag, looked.value, cond);
            if !surely || !flag.stays_taken(change) {
                continue;
            }
            for &lock in &looked.under {
                if let Some(under) = self.under(lock, p.addr) {
                    out.push((Flag { under: Some(under), ..flag.clone() }, self.thread.terms.tru()));
                }
            }
            break;
        }
        out
    }

    /// Whether being here shows that the flag is free: by the condition, or as a number that was cut to its lowest bit.
    fn is_tested(&mut self, guard: TermId, flag: &Flag, value: TermId, cond: TermId) -> bool {
        let terms = &mut self.thread.terms;
        let is_set = match flag.free {
            Free::Bit(0, false) => {
                let (bit, one) = (terms.modulo(value, 2), terms.int(1));
                terms.eq(bit, one)
            }
            _ => terms.fals(),
        };
        let is_clear = terms.not(is_set);
        let by_bit = terms.as_bool(is_clear).is_none() && terms.shows(guard, is_clear);
        by_bit || terms.shows(guard, cond) || seeded(Fault::FlagSetUntested)
    }

    /// The lock as seen from an address.
    pub(super) fn under(&self, lock: usize, from: Addr) -> Option<Under> {
        under(&self.thread, lock, from)
    }

    /// When an old value says that the flag is free, or the last reference: the very term that code gets that asks.
    pub(super) fn is_free(&mut self, flag: &Flag, old: Val) -> Option<TermId> {
        let Val::Int(..) = old else { return None };
        let bits = flag.bits;
        let terms = &mut self.thread.terms;
        let number = |terms: &mut lockpair_smt::Terms, k: u128| Val::Int(terms.int(k as i128), None);
        let (value, wanted) = match flag.free {
            Free::Bit(n, free) => {
                let (by, one) = (number(terms, n.into()), number(terms, 1));
                let shifted = values::binary(terms, BinOp::LShr, old, by, bits);
                (values::binary(terms, BinOp::And, shifted, one, bits), u128::from(free))
            }
            Free::Word(k) | Free::Count { start: k, .. } => (old, k),
            Free::Last => (old, 1),
            _ => return None,
        };
        let wanted = number(terms, wanted);
        Some(values::compare(terms, CmpOp::Eq, value, wanted, bits, &|_| false))
    }

    /// The number that a global holds at the beginning.
    fn initial_number(&self, p: &Pointer, bits: u16) -> Option<u128> {
        let id = usize::try_from(self.thread.terms.as_int(p.addr.obj)? - 1).ok()?;
        let global = self.cx.module.globals.get(GlobalId::new(id)).filter(|g| g.defined && !g.exported)?;
        let at = self.constant(p.addr.off)?;
        let (size, end) = (u64::from(bits / 8), at + u64::from(bits / 8));
        let mut hit = global.init.iter().filter(|c| c.offset < end && at < c.offset + c.size);
        match (hit.next(), hit.next()) {
            (None, _) if end <= global.size => Some(0),
            (Some(cell), None) if cell.offset == at && cell.size == size => match cell.value {
                Operand::Int { value, .. } => Some(value),
                _ => None,
            },
            _ => None,
        }
    }

    pub(super) fn take_flag(
        &mut self,
        (act, i): (&Activation, InstId),
        state: &mut State,
        (addr, p): (Operand, &Pointer),
        (flag, cond): (Flag, TermId),
        number: usize,
    ) {
        let bytes = u64::from(flag.bits / 8).max(1);
        let size = self.terms().int(i128::from(bytes));
        let (shape, _) = self.shape(p, Extent::Bytes(size), Some(bytes));
        let lock = self.lock(Lock {
            class: flag.to_string(),
            mode: flag.mode(),
            addr: p.addr,
            region: Some(self.cx.points_to.region(act.id, addr)),
            shape,
            name: self.describe(act, addr, p),
            taken: Vec::new(),
            table: None,
            implicit: false,
            keeps_off: None,
            state: false,
            owns: Some(flag),
            key: (act.id, i, FLAG + number as u32),
        });
        let loc = act.func.insts[i].loc;
        if !self.thread.locks[lock].taken.contains(&loc) {
            self.thread.locks[lock].taken.push(loc);
        }
        let terms = &mut self.thread.terms;
        let after = terms.or2(state.held.taken(lock, terms), cond);
        state.held.set_taken(lock, after, terms);
    }

    /// Gives back all flags that the thread may have taken and that the change may make free.
    fn give_back_flags(&mut self, state: &mut State, p: &Pointer, bits: u16, change: Change) {
        if seeded(Fault::FlagGivenBackIgnored) {
            return;
        }
        for n in 0..self.thread.locks.len() {
            let lock = &self.thread.locks[n];
            let stays = |flag: &Flag| !flag.is_word() || flag.bits == bits && flag.stays_taken(change);
            if lock.owns.as_ref().is_none_or(stays) {
                continue;
            }
            let (at, held) = (lock.addr, state.held.taken(n, &self.thread.terms));
            if self.thread.terms.as_bool(held) == Some(false) {
                continue;
            }
            let terms = &mut self.thread.terms;
            let same = values::same_addr(terms, at, p.addr);
            let other = terms.not(same);
            let after = terms.and2(held, other);
            state.held.set_taken(n, after, terms);
        }
    }

    /// The thread does not have these flags any more.
    pub(super) fn end_flags(&mut self, state: &mut State, which: &dyn Fn(&Flag) -> bool) {
        for n in 0..self.thread.locks.len() {
            if self.thread.locks[n].owns.as_ref().is_some_and(which) {
                state.held.set_taken(n, self.thread.terms.fals(), &self.thread.terms);
            }
        }
    }

    /// The flags that everybody holds who runs in the session that the entry point is called for.
    pub(super) fn flags_on_entry(&mut self, state: &mut State, held: &[OnEntry]) {
        for (n, on_entry) in held.iter().enumerate() {
            let OnEntry { flag, object, offset, region, shape, name, ends } = on_entry.clone();
            let addr = Addr { obj: self.terms().int(object), off: self.terms().int(offset) };
            // Others of the session may run meanwhile, and none of them gives it back.
            let mode = if ends { flag.mode() } else { LockMode::Shared };
            let lock = self.lock(Lock {
                class: flag.to_string(),
                mode,
                addr,
                region: Some(region),
                shape,
                name,
                taken: Vec::new(),
                table: None,
                implicit: false,
                keeps_off: None,
                state: false,
                owns: Some(flag),
                key: (FuncId::new(0), InstId::new(n), ON_ENTRY),
            });
            let tru = self.thread.terms.tru();
            state.held.set_taken(lock, tru, &self.thread.terms);
        }
    }

    /// Notes which flags are not held when the entry point returns zero.
    pub(super) fn note_returned(&mut self, state: &State, result: Option<Val>) {
        let Some(Val::Int(result, _)) = result else { return };
        let zero = self.terms().int(0);
        let is_zero = self.terms().eq(result, zero);
        for n in 0..self.thread.locks.len() {
            let lasts = |flag: &Flag| flag.lasts();
            if self.thread.locks[n].owns.as_ref().is_some_and(lasts) {
                let terms = &mut self.thread.terms;
                let free = terms.not(state.held.taken(n, terms));
                let without = terms.and(&[state.guard, is_zero, free]);
                self.thread.without.push((n, without));
            }
        }
    }
}

/// In a key: the first of the flags that an instruction takes.
const FLAG: u32 = 16;

/// In a key: a flag that is held on entry.
const ON_ENTRY: u32 = u32::MAX - 1;

/// Whether these are the flags that a thread holds on entry.
pub fn begins_with(thread: &Thread, held: &[OnEntry]) -> bool {
    let known = thread.locks.iter().filter(|lock| lock.key.2 == ON_ENTRY);
    let class = |held: &OnEntry| held.flag.to_string();
    known.map(|lock| &lock.class).eq(held.iter().map(class).collect::<Vec<_>>().iter())
}

/// A flag that is held on entry.
#[derive(Clone, PartialEq, Debug)]
pub struct OnEntry {
    /// The flag.
    pub flag: Flag,
    /// The object with a name that it is in.
    pub object: i128,
    /// Where in it.
    pub offset: i128,
    /// Its region.
    pub region: crate::analysis::points_to::RegionId,
    /// What is known of its place by type.
    pub shape: crate::analysis::layout::Shape,
    /// For people.
    pub name: String,
    /// Whether the entry point ends the session, and is alone in it.
    pub ends: bool,
}

/// A lock of a thread as seen from an address, if it is at the same place for all who see it from there.
pub fn under(thread: &Thread, lock: usize, from: Addr) -> Option<Under> {
    let lock = &thread.locks[lock];
    let named = || match (thread.terms.as_int(lock.addr.obj), thread.terms.as_int(lock.addr.off)) {
        (Some(obj), Some(off)) if obj > 0 => Some(Place::Named(obj, off)),
        _ => None,
    };
    let place = named().or_else(|| thread.distance(lock.addr, from).map(Place::Behind))?;
    Some(Under { class: lock.class.as_str().into(), place })
}
