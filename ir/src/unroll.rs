//! Copies the bodies of loops whose number of rounds is constant, so that what happens in each round is told apart.
//!
//! Nothing is removed or merged: each access of each round stays an access.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use crate::cfg::{Cfg, Loop};
use crate::copies::{Copy, User, add_ways_in, exits, keep_in_slots, users_outside};
use crate::inst::{BinOp, BlockId, CastOp, InstId, Op, Operand, Terminator, ValueId};
use crate::interp::value::{Val, binary, compare, convert, width};
use crate::module::{Block, Function};
use crate::types::Ty;

/// What is copied at most.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Rounds of a loop.
    pub rounds: usize,
    /// Instructions that all copies in a function may have.
    pub instructions: usize,
}

/// What an instruction works on: an element of an array.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Element {
    /// The index.
    pub index: Operand,
    /// How many elements there are.
    pub count: u64,
}

/// Which instructions are of interest: those that work on something, and an element of an array if it is known which.
pub type Wanted<'w> = &'w dyn Fn(&Function, &Op) -> Option<Option<Element>>;

/// How often a loop goes round.
enum Rounds {
    /// Until a branch that each round comes by leaves it, at the end of that block.
    Until(usize, BlockId),
    /// As often as what is of interest has an element to work on, and then any number of times without that.
    WhileElements(usize),
}

/// Unrolls the loops that have an instruction of interest in them, inner ones first. Tells whether there was one. No instruction
/// is taken to work on an element that is not there.
pub fn unroll(func: &mut Function, limits: Limits, wanted: Wanted) -> bool {
    let mut left = limits.instructions;
    let mut any = false;
    let mut done = HashSet::new();
    loop {
        let cfg = Cfg::new(func);
        let is_open = |l: &&Loop| has(func, l, wanted) && !done.contains(&l.head);
        let mut loops: Vec<&Loop> = cfg.loops.iter().filter(is_open).collect();
        loops.sort_by_key(|l| l.body.len());
        let next = loops.into_iter().find_map(|l| {
            let rounds = rounds(func, &cfg, l, (wanted, limits.rounds))?;
            let size: usize = l.body.iter().map(|&b| func.blocks[b].insts.len() + 1).sum();
            let size = size * rounds.number();
            (size <= left).then_some((l, rounds, size))
        });
        let Some((l, rounds, size)) = next else { return any };
        left -= size;
        any = true;
        match rounds {
            Rounds::Until(rounds, end) => {
                if ends_only_at(func, l, end) {
                    leave_with_constants(func, l, (rounds, end));
                }
                let nowhere = nowhere(func);
                copy(func, l, rounds, Some(nowhere));
            }
            Rounds::WhileElements(rounds) => {
                let rest = copy(func, l, rounds, None);
                done.insert(rest.block(l.head));
                for block in l.body.iter().map(|&b| rest.block(b)) {
                    cut(func, block, wanted);
                }
            }
        }
    }
}

impl Rounds {
    fn number(&self) -> usize {
        match *self {
            Rounds::Until(rounds, _) | Rounds::WhileElements(rounds) => rounds,
        }
    }
}

/// A block that control does not come to.
fn nowhere(func: &mut Function) -> BlockId {
    func.blocks.push(Block { insts: Vec::new(), term: Terminator::Unreachable, term_loc: None })
}

fn has(func: &Function, l: &Loop, wanted: Wanted) -> bool {
    let insts = l.body.iter().flat_map(|&b| &func.blocks[b].insts);
    !l.irreducible
        && l.back_edges.len() == 1
        && insts.into_iter().any(|&i| wanted(func, &func.insts[i].op).is_some())
}

/// In how many rounds, from the first, all that is of interest may have an element to work on; it has none in later ones, as each
/// index goes up by one for ever.
fn while_elements(func: &Function, l: &Loop, wanted: Wanted, most: usize) -> Option<usize> {
    let insts = l.body.iter().flat_map(|&b| &func.blocks[b].insts);
    let elements: Option<Vec<Element>> = insts.filter_map(|&i| wanted(func, &func.insts[i].op)).collect();
    let first = Round::first(func, l);
    // What begins below the array comes to it later.
    let of = |e: Element| {
        let counter = counter(func, l, e.index)?;
        u128::from(e.count).checked_sub(first.number(Operand::Value(counter))?)
    };
    let rounds: Option<Vec<u128>> = elements?.into_iter().map(of).collect();
    let rounds = usize::try_from(rounds?.into_iter().max()?).ok()?;
    (1..=most).contains(&rounds).then_some(rounds)
}

/// The phi of the loop's head that the index is, as a wider number at most, if it goes up by one in each round. A narrow one begins
/// again.
fn counter(func: &Function, l: &Loop, index: Operand) -> Option<ValueId> {
    let Operand::Value(v) = index else { return None };
    let inst = func.values[v].inst?;
    match &func.insts[inst].op {
        Op::Cast(CastOp::SExt | CastOp::ZExt, narrow) => counter(func, l, *narrow),
        Op::Phi(edges) if func.blocks[l.head].insts.contains(&inst) => {
            let is_next = |next: Operand| {
                let Operand::Value(next) = next else { return false };
                let op = func.values[next].inst.map(|i| &func.insts[i].op);
                let is_one = |v: &Operand| matches!(v, Operand::Int { value: 1, .. });
                matches!(op, Some(Op::Bin(BinOp::Add, a, b)) if *a == Operand::Value(v) && is_one(b))
            };
            let mut back = edges.iter().filter(|(from, _)| l.body.contains(from));
            let is_wide = matches!(func.values[v].ty, Ty::Int(32..));
            (is_wide && back.all(|(_, next)| is_next(*next))).then_some(v)
        }
        _ => None,
    }
}

/// Where the block would work on an element, control goes nowhere.
fn cut(func: &mut Function, block: BlockId, wanted: Wanted) {
    let insts = &func.blocks[block].insts;
    let Some(at) = insts.iter().position(|&i| wanted(func, &func.insts[i].op).is_some()) else { return };
    let insts = func.blocks[block].insts.split_off(at);
    let term = func.blocks[block].term.clone();
    let targets = term.successors();
    let rest = func.blocks.push(Block { insts, term, term_loc: func.blocks[block].term_loc });
    let nowhere = nowhere(func);
    func.blocks[block].term = Terminator::CondBr(Operand::int(1, 0), rest, nowhere);
    for target in targets {
        for i in func.blocks[target].insts.clone() {
            if let Op::Phi(edges) = &mut func.insts[i].op {
                edges.iter_mut().filter(|(from, _)| *from == block).for_each(|(from, _)| *from = rest);
            }
        }
    }
}

/// How often the loop goes round; none if that is not known, or more often than told apart.
fn rounds(func: &Function, cfg: &Cfg, l: &Loop, (wanted, most): (Wanted, usize)) -> Option<Rounds> {
    let until = until_branch(func, cfg, l, most).map(|(rounds, end)| Rounds::Until(rounds, end));
    until.or_else(|| while_elements(func, l, wanted, most).map(Rounds::WhileElements))
}

/// How often the loop goes back to its head before a branch that each round comes by leaves it, and the block of that
/// branch; none if that is not constant.
fn until_branch(func: &Function, cfg: &Cfg, l: &Loop, most: usize) -> Option<(usize, BlockId)> {
    let [latch] = l.back_edges[..] else { return None };
    let each_round = l.body.iter().copied().filter(|&b| cfg.dominates(b, latch));
    each_round.filter_map(|b| Some((rounds_until(func, l, latch, b, most)?, b))).min()
}

/// Whether the code behind the loop is reached from that block of it alone. Ways out that end at once are no matter.
fn ends_only_at(func: &Function, l: &Loop, end: BlockId) -> bool {
    let goes_on =
        |to: &BlockId| !l.body.contains(to) && !matches!(func.blocks[*to].term, Terminator::Unreachable);
    l.body.iter().all(|&b| b == end || !func.blocks[b].term.successors().iter().any(goes_on))
}

/// What is known of the loop's values in its last round is put where code outside uses them: the bounds of the next loop
/// may be among them. What ends at once may have been reached from any round.
fn leave_with_constants(func: &mut Function, l: &Loop, (rounds, end): (usize, BlockId)) {
    let known: Vec<(ValueId, Operand)> = {
        let func = &*func;
        let mut round = Round::first(func, l);
        (0..rounds).for_each(|_| round = round.next(l.back_edges[0]));
        let values = l.body.iter().flat_map(|&b| &func.blocks[b].insts).filter_map(|&i| func.insts[i].result);
        let number = |v: ValueId| match func.values[v].ty {
            Ty::Int(bits) => round.number(Operand::Value(v)).map(|n| (v, Operand::int(bits, n))),
            Ty::Ptr | Ty::Opaque(_) => None,
        };
        values.filter_map(number).collect()
    };
    for (value, constant) in known {
        let swap = |operand: &mut Operand| {
            if *operand == Operand::Value(value) {
                *operand = constant;
            }
        };
        for user in users_outside(func, &l.body, value) {
            let ends_at_once = |b: BlockId| matches!(func.blocks[b].term, Terminator::Unreachable);
            match user {
                User::Inst(b, _) | User::End(b) if ends_at_once(b) => {}
                User::Edge(from, _) if l.body.contains(&from) && from != end => {}
                User::Inst(_, i) => func.insts[i].op.operands_mut().into_iter().for_each(swap),
                User::Edge(from, i) => {
                    if let Op::Phi(edges) = &mut func.insts[i].op {
                        edges.iter_mut().filter(|(b, _)| *b == from).map(|(_, v)| v).for_each(swap);
                    }
                }
                User::End(b) => func.blocks[b].term.operand_mut().into_iter().for_each(swap),
            }
        }
    }
}

/// The same for the branch at the end of one block.
fn rounds_until(func: &Function, l: &Loop, latch: BlockId, block: BlockId, most: usize) -> Option<usize> {
    let Terminator::CondBr(cond, yes, no) = func.blocks[block].term else { return None };
    let leaves = (!l.body.contains(&yes), !l.body.contains(&no));
    if leaves.0 == leaves.1 {
        return None;
    }
    let mut round = Round::first(func, l);
    for n in 0..=most {
        let taken = round.number(cond)? != 0;
        if if taken { leaves.0 } else { leaves.1 } {
            return Some(n);
        }
        round = round.next(latch);
    }
    None
}

/// The constants of one round: what its head's phis are, as far as that is known.
struct Round<'f> {
    func: &'f Function,
    l: &'f Loop,
    /// What was asked for already, the phis first.
    known: RefCell<HashMap<ValueId, Option<u128>>>,
}

impl<'f> Round<'f> {
    fn first(func: &'f Function, l: &'f Loop) -> Round<'f> {
        let none = Round { func, l, known: RefCell::default() };
        // Where control comes in by several ways, it brings the same.
        let known = none.incoming(|from| !l.body.contains(&from), constant);
        Round { known, ..none }
    }

    fn next(&self, latch: BlockId) -> Round<'f> {
        let known = self.incoming(|from| from == latch, |operand| self.number(operand));
        Round { known, func: self.func, l: self.l }
    }

    fn incoming(
        &self,
        from: impl Fn(BlockId) -> bool,
        number: impl Fn(Operand) -> Option<u128>,
    ) -> RefCell<HashMap<ValueId, Option<u128>>> {
        let mut out = HashMap::new();
        for &i in &self.func.blocks[self.l.head].insts {
            let (Op::Phi(edges), Some(result)) = (&self.func.insts[i].op, self.func.insts[i].result) else {
                continue;
            };
            let mut values = edges.iter().filter(|(b, _)| from(*b)).map(|(_, v)| number(*v));
            let first = values.next().flatten();
            out.insert(result, first.filter(|_| values.all(|v| v == first)));
        }
        out.into()
    }

    /// The value of an operand in this round, if only the head's phis decide it.
    fn number(&self, operand: Operand) -> Option<u128> {
        let Operand::Value(v) = operand else { return constant(operand) };
        if let Some(&known) = self.known.borrow().get(&v) {
            return known;
        }
        let number = self.computed(v);
        self.known.borrow_mut().insert(v, number);
        number
    }

    fn computed(&self, v: ValueId) -> Option<u128> {
        let def = &self.func.values[v];
        let (inst, Ty::Int(bits)) = (&self.func.insts[def.inst?], def.ty) else { return None };
        match inst.op {
            Op::Bin(op, a, b) => binary(op, self.number(a)?, self.number(b)?, bits).ok(),
            Op::Cmp(op, a, b) => {
                let holds = compare(op, self.number(a)?, self.number(b)?, width(self.func.operand_ty(a)));
                Some(u128::from(holds))
            }
            Op::Cast(op, a) => {
                let from = self.func.operand_ty(a);
                Some(convert(op, Val::Int(self.number(a)?), from, def.ty).number())
            }
            _ => None,
        }
    }
}

fn constant(operand: Operand) -> Option<u128> {
    match operand {
        Operand::Int { value, .. } => Some(value),
        _ => None,
    }
}

/// Puts as many copies of the body behind it, each entered from the one before; the last goes to the end, or round in itself. Gives
/// that one.
fn copy(func: &mut Function, l: &Loop, rounds: usize, end: Option<BlockId>) -> Copy {
    keep_in_slots(func, &l.body);
    let latch = l.back_edges[0];
    let exits = exits(func, &l.body);
    let mut copies = vec![Copy::of_itself(&l.body)];
    copies.extend((0..rounds).map(|_| Copy::of(func, &l.body)));
    for exit in exits {
        add_ways_in(func, &l.body, exit, &copies);
    }
    // The head's phis say what the latch brings before that is taken out of them.
    let brought = brought_by_latch(func, l, latch);
    for n in (0..copies.len()).rev() {
        let next = copies.get(n + 1).map(|copy| copy.block(l.head)).or(end);
        if let Some(next) = next {
            let latch = copies[n].block(latch);
            func.blocks[latch].term.redirect(copies[n].block(l.head), next);
        }
        for &(i, value) in &brought {
            let phi = copies[n].insts.get(&i).copied().unwrap_or(i);
            let Op::Phi(edges) = &mut func.insts[phi].op else { continue };
            match n.checked_sub(1) {
                None => edges.retain(|(from, _)| *from != latch),
                Some(before) => {
                    let from = |copy: &Copy| (copy.block(latch), copy.operand(value));
                    *edges = vec![from(&copies[before])];
                    edges.extend(next.is_none().then(|| from(&copies[n])));
                }
            }
        }
    }
    copies.pop().expect("the loop itself")
}

/// What the head's phis get from the latch, as the loop itself says it.
fn brought_by_latch(func: &Function, l: &Loop, latch: BlockId) -> Vec<(InstId, Operand)> {
    let phis = func.blocks[l.head].insts.iter().copied();
    phis.filter_map(|i| {
        let Op::Phi(edges) = &func.insts[i].op else { return None };
        edges.iter().find(|(from, _)| *from == latch).map(|&(_, v)| (i, v))
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::module::Module;
    use crate::{parse_module, verify};

    const LIMITS: Limits = Limits { rounds: 8, instructions: 1000 };

    /// The module, and how many instructions of interest it has then.
    fn unrolled(body: &str) -> (Module, usize) {
        unrolled_as(body, &|_, op| matches!(op, Op::Publish { .. }).then_some(None))
    }

    fn unrolled_as(body: &str, wanted: Wanted) -> (Module, usize) {
        let text = format!("module \"m\"\nfunc f0 \"f\" (v0: i32) -> i32 {{\n{body}}}\n");
        let mut module = parse_module(&text).unwrap();
        for func in module.funcs.values_mut() {
            unroll(func, LIMITS, wanted);
        }
        assert_eq!(verify(&module), Ok(()), "{module}");
        let func = module.funcs.values().next().expect("the one");
        let cfg = Cfg::new(func);
        let reached = func.blocks.iter().filter(|(b, _)| cfg.is_reachable(*b));
        let insts = reached.flat_map(|(_, block)| &block.insts);
        let wanted = insts.filter(|&&i| matches!(func.insts[i].op, Op::Publish { .. })).count();
        (module, wanted)
    }

    /// `for (i = START; i < END; i += STEP) publish;` with the test first.
    fn counting(start: u32, end: &str, step: u32) -> String {
        format!(
            "b0:\nbr b1\nb1:\nv1: i32 = phi b0: {start}:i32, b2: v3\nv2: i1 = cmp.slt v1, {end}\n\
             brif v2, b2, b3\nb2:\npublish null\nv3: i32 = add v1, {step}:i32\nbr b1\nb3:\nret v1\n"
        )
    }

    #[test]
    fn constant_loops_become_rounds() {
        // The last copy has the test that ends the loop; its body is not reached, but is there.
        assert_eq!(unrolled(&counting(0, "4:i32", 1)).1, 5);
        assert_eq!(unrolled(&counting(1, "8:i32", 3)).1, 4);
        assert_eq!(unrolled(&counting(9, "4:i32", 1)).1, 1);
    }

    #[test]
    fn no_loop_is_left() {
        let (module, _) = unrolled(&counting(0, "3:i32", 1));
        assert!(Cfg::new(module.funcs.values().next().unwrap()).loops.is_empty(), "{module}");
    }

    #[test]
    fn other_loops_stay() {
        for body in [counting(0, "v0", 1), counting(0, "9:i32", 1), counting(0, "9:i32", 0)] {
            assert_eq!(unrolled(&body).1, 1, "{body}");
        }
    }

    /// Unrolls what publishes elements of an array of three.
    fn of_elements(body: &str) -> (Module, usize) {
        unrolled_as(body, &|func, op| match op {
            Op::Publish { ptr: Operand::Value(v), .. } => {
                let Op::PtrAdd { scaled, .. } = &func.insts[func.values[*v].inst?].op else { return None };
                Some(Some(Element { index: scaled[0].0, count: 3 }))
            }
            _ => None,
        })
    }

    fn publishing_elements(start: u32, step: u32) -> String {
        let body = counting(start, "v0", step).replace("v3", "v4");
        body.replace("publish null", "v3: ptr = ptradd null, 0, v1 * 8\npublish v3")
    }

    #[test]
    fn rounds_with_elements_are_told_apart() {
        let (module, wanted) = of_elements(&publishing_elements(0, 1));
        // Three rounds, and the rest, where control does not get to it.
        assert_eq!(wanted, 4, "{module}");
        let func = module.funcs.values().next().unwrap();
        assert_eq!(Cfg::new(func).loops.len(), 1, "{module}");
        let never = func
            .blocks
            .values()
            .filter(|b| matches!(b.term, Terminator::CondBr(Operand::Int { value: 0, .. }, ..)));
        assert_eq!(never.count(), 1, "{module}");
        assert_eq!(of_elements(&publishing_elements(1, 1)).1, 3);
    }

    #[test]
    fn what_begins_below_the_array_comes_to_it() {
        assert_eq!(of_elements(&publishing_elements(u32::MAX, 1)).1, 1);
    }

    #[test]
    fn indices_that_come_back_stay() {
        let masked = publishing_elements(0, 1).replace(
            "v3: ptr = ptradd null, 0, v1 * 8",
            "v5: i32 = and v1, 3:i32\nv3: ptr = ptradd null, 0, v5 * 8",
        );
        assert_eq!(of_elements(&masked).1, 1);
        let narrow = publishing_elements(0, 1).replace(
            "v3: ptr = ptradd null, 0, v1 * 8",
            "v5: i8 = trunc v1\nv6: i64 = zext v5\nv3: ptr = ptradd null, 0, v6 * 8",
        );
        assert_eq!(of_elements(&narrow).1, 1);
        let wide = publishing_elements(0, 1).replace(
            "v3: ptr = ptradd null, 0, v1 * 8",
            "v5: i64 = sext v1\nv3: ptr = ptradd null, 0, v5 * 8",
        );
        assert_eq!(of_elements(&wide).1, 4);
    }

    #[test]
    fn other_steps_and_narrow_indices_stay() {
        assert_eq!(of_elements(&publishing_elements(0, 2)).1, 1);
        assert_eq!(of_elements(&publishing_elements(4, 1)).1, 1);
        let narrow = publishing_elements(0, 1).replace("b0:\n", "b0:\nv5: i8 = trunc v0\n");
        let narrow = narrow.replace("v1: i32", "v1: i8").replace("v4: i32", "v4: i8");
        let narrow = narrow.replace("1:i32", "1:i8").replace("0:i32", "0:i8").replace("v1, v0", "v1, v5");
        assert_eq!(of_elements(&narrow.replace("ret v1", "ret v0")).1, 1);
    }

    #[test]
    fn inner_loops_are_copied_with_the_outer_ones() {
        let body = "b0:\nbr b1\nb1:\nv1: i32 = phi b0: 0:i32, b4: v6\nv2: i1 = cmp.slt v1, 2:i32\n\
                    brif v2, b2, b5\nb2:\nv3: i32 = phi b1: 0:i32, b3: v5\nv4: i1 = cmp.slt v3, 2:i32\n\
                    brif v4, b3, b4\nb3:\npublish null\nv5: i32 = add v3, 1:i32\nbr b2\nb4:\n\
                    v6: i32 = add v1, 1:i32\nbr b1\nb5:\nret 0:i32\n";
        let (module, wanted) = unrolled(body);
        // Three copies of two rounds; the end of the inner loop's last copy lies outside of the outer loop.
        assert_eq!(wanted, 7, "{module}");
    }

    #[test]
    fn ways_out_of_the_middle_stay() {
        let body = "b0:\nbr b1\nb1:\nv1: i32 = phi b0: 0:i32, b3: v4\nv2: i1 = cmp.slt v1, 3:i32\n\
                    brif v2, b2, b4\nb2:\npublish null\nv3: i1 = havoc\nbrif v3, b3, b4\nb3:\n\
                    v4: i32 = add v1, 1:i32\nbr b1\nb4:\nv5: i32 = phi b1: 7:i32, b2: v1\nret v5\n";
        let (module, wanted) = unrolled(body);
        assert_eq!(wanted, 4);
        // From each copy's test and from each copy's middle.
        let edges = |op: &Op| if let Op::Phi(edges) = op { edges.len() } else { 0 };
        let func = module.funcs.values().next().unwrap();
        assert_eq!(func.insts.values().map(|inst| edges(&inst.op)).max(), Some(8), "{module}");
    }
}
