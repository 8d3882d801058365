//! Words that say whose turn it is: a slot that is empty or full, a request that is pending or done. Who has read that it is
//! his turn has it like a lock, until he writes whose turn is next: so what one thread has filled is handed over to
//! another, and back.
//!
//! Several threads may read that it is their turn, so each turn goes with a lock that they hold meanwhile: with that it ends.
//! Whether a turn is what it seems depends on everybody who writes the word (`analysis/ownership.rs`). Only what a thread
//! itself executes counts, as with other flags.

use super::exec::{Activation, Executor};
use super::flags::{Flag, Free, Says, Under, all_ones};
use super::state::State;
use super::thread::*;
use super::values::Val;
use crate::analysis::points_to::static_path;
use lockpair_ir::*;
use lockpair_smt::TermId;
use std::collections::{BTreeSet, HashMap};

/// A word that says so many things is not about turns.
const MAX_NUMBERS: usize = 4;
/// So many locks are looked at that may be those that go with a turn.
const MAX_LOCKS: usize = 4;

/// A word, as far as it has a name.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
enum Word {
    Global(GlobalId, i64),
    Member(TypeId, u64),
}

impl Word {
    fn of(module: &Module, func: &Function, addr: Operand) -> Option<Word> {
        let member = static_path(module, func, addr).map(|(strukt, at)| Word::Member(strukt, at));
        member.or(match addr {
            Operand::Global(g, off) => Some(Word::Global(g, off)),
            _ => None,
        })
    }
}

/// The reads of a module of words to which only a few numbers are stored, with these.
#[derive(Debug, Default)]
pub struct Turns(HashMap<(FuncId, InstId), BTreeSet<u128>>);

impl Turns {
    /// Looks through all code.
    pub fn new(module: &Module) -> Turns {
        let mut stored: HashMap<Word, Option<BTreeSet<u128>>> = HashMap::new();
        let mut reads = Vec::new();
        for (id, func) in module.funcs.iter() {
            for &i in func.blocks.values().flat_map(|b| &b.insts) {
                match &func.insts[i].op {
                    Op::Store { addr, value, .. } => {
                        let Some(word) = Word::of(module, func, *addr) else { continue };
                        let numbers = stored.entry(word).or_insert_with(|| Some(BTreeSet::new()));
                        match (value, numbers.as_mut()) {
                            (Operand::Int { value, .. }, Some(numbers)) => _ = numbers.insert(*value),
                            _ => *numbers = None,
                        }
                    }
                    Op::Load { addr, .. } => {
                        reads.extend(Word::of(module, func, *addr).map(|word| ((id, i), word)));
                    }
                    _ => {}
                }
            }
        }
        let numbers = |word: &Word| {
            let numbers = stored.get(word)?.as_ref()?;
            (2..=MAX_NUMBERS).contains(&numbers.len()).then(|| numbers.clone())
        };
        Turns(reads.iter().filter_map(|(at, word)| Some((*at, numbers(word)?))).collect())
    }
}

/// Whether who reads so sees what was done before it was written.
fn is_ordered(mark: Mark) -> bool {
    matches!(mark, Mark::Atomic(order) if order.acquires())
}

/// What a word of so many bits may say, if these numbers are stored there.
fn sayings(bits: u16, numbers: &BTreeSet<u128>) -> Vec<Says> {
    let mask = all_ones(bits);
    let mut all: Vec<Says> = numbers.iter().map(|&value| Says { mask, value, is: true }).collect();
    if numbers.contains(&0) {
        all.push(Says { mask, value: 0, is: false });
    }
    // Of a `bool` code may ask the lowest bit.
    if bits == 8 && numbers.iter().all(|&n| n < 2) {
        all.extend([false, true].map(|is| Says { mask: 1, value: 1, is }));
    }
    all
}

impl Executor<'_, '_> {
    /// Whose turn it may be, where a word was read.
    pub(super) fn find_turns(
        &mut self,
        (act, i): (&Activation, InstId),
        state: &mut State,
        (addr, p): (Operand, &Pointer),
        mark: Mark,
        v: Val,
    ) {
        let Some(numbers) = self.cx.turns.0.get(&(act.id, i)) else { return };
        let (None, Val::Int(word, None), Some(bits)) = (&self.procedure, v, word_bits(act.func, i)) else {
            return;
        };
        let mut found = Vec::new();
        for (under, ordered_by) in self.locks_of_turns(state, p.addr, mark) {
            for says in sayings(bits, numbers) {
                let (under, ordered_by) = (Some(under.clone()), ordered_by.clone());
                found.push((says, Flag { under, ordered_by, ..Flag::new(bits, Free::Turn(says)) }));
            }
        }
        for (n, (says, flag)) in found.into_iter().enumerate() {
            let cond = self.is_so(bits, says, word);
            self.take_flag((act, i), state, (addr, p), (flag, cond), FIRST + n);
        }
    }

    /// The locks that may go with a turn, and those that order its word, if its operations do not.
    fn locks_of_turns(&self, state: &State, word: Addr, mark: Mark) -> Vec<(Under, Option<Under>)> {
        let held = self.surely_held(state);
        let with = |i: &usize| self.under(*i, word);
        let mut out = Vec::new();
        if is_ordered(mark) {
            out.extend(held.iter().filter_map(|u| Some((with(u)?, None))));
        } else {
            for order in held.iter().filter(|&&i| self.is_section(&self.thread.locks[i])) {
                // With the lock that orders it, the turn would end.
                let others = held.iter().filter(|&u| u != order);
                out.extend(others.filter_map(|u| Some((with(u)?, Some(with(order)?)))));
            }
        }
        out.truncate(MAX_LOCKS);
        out
    }

    /// That a word says so, as code asks it.
    fn is_so(&mut self, bits: u16, says: Says, word: TermId) -> TermId {
        let terms = &mut self.thread.terms;
        let part = match says.mask {
            mask if mask == all_ones(bits) => word,
            mask => terms.modulo(word, i128::try_from(mask + 1).expect("a mask of low bits")),
        };
        let number = terms.int(says.value as i128);
        let is = terms.eq(part, number);
        if says.is { is } else { terms.not(is) }
    }
}

/// The bits of the number that the instruction gives.
fn word_bits(func: &Function, i: InstId) -> Option<u16> {
    match func.operand_ty(Operand::Value(func.insts[i].result?)) {
        Ty::Int(bits) if (8..=64).contains(&bits) => Some(bits),
        _ => None,
    }
}

/// In a key: the first of the turns that an instruction finds, less what `take_flag` adds.
const FIRST: usize = 64;
