//! What is printed is read back as the same module, and nothing makes the parser panic.

use proptest::prelude::*;

use super::words;
use super::*;
use crate::entity::EntityRef;
use crate::inst::*;
use crate::module::{Block, FuncId, Function, GlobalId, LocId, Module, Param};
use crate::types::{Ty, TypeId};

const EVERYTHING: &str = include_str!("everything.lp");

#[test]
fn sample_reads_and_prints_as_it_stands() {
    let module = parse_module(EVERYTHING).unwrap();
    assert_eq!(module.to_string(), EVERYTHING);
}

#[test]
fn errors_have_a_place() {
    let at = |text: &str| parse_module(text).unwrap_err().to_string();
    assert_eq!(at(""), "1:1: expected `module`, found the end of the text");
    assert_eq!(at("module \"m\"\nty0 = int x\n"), "2:11: expected a number, found `x`");
    assert_eq!(at("module \"m\"\nty1 = void\n"), "2:1: expected `ty0`, found `ty1`");
    assert_eq!(at("module \"m\n"), "1:8: the string does not end");
    let body = |line: &str| at(&format!("module \"m\"\nfunc f0 \"f\" () {{\nb0:\n{line}\nret\n}}\n"));
    assert_eq!(body("frobnicate v0"), "4:12: no operation is called `frobnicate`");
    assert_eq!(body("free 256:i8"), "4:10: the number does not fit the type");
    assert_eq!(body("v1: ptr = havoc"), "6:2: the function lacks value `v0`");
    assert_eq!(body("load.plain v0"), "4:12: no operation is called `load.plain`");
}

#[test]
fn huge_ids_cost_nothing() {
    let text = "module \"m\"\nfunc f0 \"f\" (v4294967295: i8) {\nb0:\ni4294967295: havoc\nhavoc\nret\n}\n";
    assert!(parse_module(text).is_err());
}

#[test]
fn word_tables_are_one_to_one() {
    fn check<T: Copy + PartialEq + std::fmt::Debug>(table: &[(&'static str, T)]) {
        for (word, value) in table {
            assert_eq!(words::word_of(table, value), *word);
            assert_eq!(words::value_of(table, word), Some(*value));
        }
    }
    check(words::BIN);
    check(words::CMP);
    check(words::CAST);
    check(words::RMW);
    check(words::ORDER);
    check(words::MARK);
    check(words::MODE);
    check(words::SUCCESS);
}

fn arb_ty() -> impl Strategy<Value = Ty> {
    prop_oneof![(1u16..=128).prop_map(Ty::Int), Just(Ty::Ptr), any::<u32>().prop_map(Ty::Opaque)]
}

fn arb_operand() -> impl Strategy<Value = Operand> {
    prop_oneof![
        (0usize..9).prop_map(|v| Operand::Value(ValueId::new(v))),
        (1u16..=128, any::<u128>()).prop_map(|(bits, v)| Operand::int(bits, v)),
        Just(Operand::Null),
        (0usize..9, any::<i64>()).prop_map(|(g, o)| Operand::Global(GlobalId::new(g), o)),
        (0usize..9).prop_map(|f| Operand::Func(FuncId::new(f))),
        arb_ty().prop_map(Operand::Undef),
    ]
}

fn one_of<T: Copy + std::fmt::Debug + 'static>(
    table: &'static [(&'static str, T)],
) -> impl Strategy<Value = T> {
    (0..table.len()).prop_map(|i| table[i].1)
}

fn arb_type_id() -> impl Strategy<Value = Option<TypeId>> {
    proptest::option::of((0usize..9).prop_map(TypeId::new))
}

fn operands() -> impl Strategy<Value = Vec<Operand>> {
    proptest::collection::vec(arb_operand(), 0..4)
}

fn arb_callee() -> impl Strategy<Value = Callee> {
    prop_oneof![
        (0usize..9).prop_map(|f| Callee::Func(FuncId::new(f))),
        (arb_operand(), proptest::option::of((0usize..9).prop_map(FuncId::new)))
            .prop_map(|(target, outside)| Callee::Indirect(target, outside)),
        (any::<String>(), any::<String>())
            .prop_map(|(template, constraints)| Callee::Asm(Asm { template, constraints })),
    ]
}

fn arb_computation() -> impl Strategy<Value = Op> {
    let edge = ((0usize..9).prop_map(BlockId::new), arb_operand());
    let o = arb_operand;
    prop_oneof![
        (one_of(words::BIN), o(), o()).prop_map(|(op, a, b)| Op::Bin(op, a, b)),
        (one_of(words::CMP), o(), o()).prop_map(|(op, a, b)| Op::Cmp(op, a, b)),
        (one_of(words::CAST), o()).prop_map(|(op, a)| Op::Cast(op, a)),
        (o(), o(), o()).prop_map(|(cond, then, els)| Op::Select { cond, then, els }),
        proptest::collection::vec(edge, 0..4).prop_map(Op::Phi),
        (o(), any::<i64>(), proptest::collection::vec((o(), any::<i64>()), 0..3), arb_type_id())
            .prop_map(|(base, offset, scaled, within)| Op::PtrAdd { base, offset, scaled, within }),
        (any::<u64>(), o(), arb_type_id()).prop_map(|(size, count, ty)| Op::Alloca { size, count, ty }),
        (o(), any::<u32>()).prop_map(|(agg, index)| Op::Extract { agg, index }),
        (arb_callee(), operands()).prop_map(|(callee, args)| Op::Call { callee, args }),
    ]
}

fn arb_memory() -> impl Strategy<Value = Op> {
    let o = arb_operand;
    prop_oneof![
        (o(), one_of(words::MARK)).prop_map(|(addr, mark)| Op::Load { addr, mark }),
        (o(), o(), one_of(words::MARK)).prop_map(|(addr, value, mark)| Op::Store { addr, value, mark }),
        (one_of(words::RMW), o(), o(), one_of(words::ORDER)).prop_map(|(op, addr, value, order)| Op::Rmw {
            op,
            addr,
            value,
            order
        }),
        (o(), o(), o(), one_of(words::ORDER)).prop_map(|(addr, expected, new, order)| Op::CmpXchg {
            addr,
            expected,
            new,
            order
        }),
        (o(), o(), o()).prop_map(|(dst, byte, len)| Op::MemSet { dst, byte, len }),
        (o(), o(), o()).prop_map(|(dst, src, len)| Op::MemCopy { dst, src, len }),
        (o(), o(), any::<bool>(), one_of(words::MARK)).prop_map(|(addr, len, write, mark)| Op::Access {
            addr,
            len,
            write,
            mark
        }),
        (o(), any::<bool>(), any::<bool>()).prop_map(|(size, zeroed, may_fail)| Op::Alloc {
            size,
            zeroed,
            may_fail
        }),
        (o(), proptest::option::of(o())).prop_map(|(ptr, until)| Op::Free { ptr, until }),
        (o(), proptest::option::of(o())).prop_map(|(ptr, ok)| Op::Publish { ptr, ok }),
        Just(Op::Havoc),
        Just(Op::Cpu),
        Just(Op::Data),
    ]
}

fn arb_effect() -> impl Strategy<Value = Op> {
    let (o, s) = (arb_operand, any::<String>);
    let success = proptest::option::of(one_of(words::SUCCESS));
    let maybe = || proptest::option::of(arb_operand());
    let argument = proptest::option::of((any::<u32>(), o()));
    prop_oneof![
        (o(), s(), one_of(words::MODE), success).prop_map(|(lock, class, mode, success)| Op::Acquire {
            lock,
            class,
            mode,
            success
        }),
        (o(), s(), one_of(words::MODE)).prop_map(|(lock, class, mode)| Op::Release { lock, class, mode }),
        (s(), o(), maybe(), argument, maybe(), maybe(), any::<bool>(), maybe()).prop_map(
            |(class, handle, callback, argument, through, ok, stays, until)| Op::Register {
                class,
                handle,
                callback,
                argument,
                through,
                ok,
                stays,
                until
            }
        ),
        (s(), o(), any::<bool>(), maybe()).prop_map(|(class, handle, sync, through)| Op::Unregister {
            class,
            handle,
            sync,
            through
        }),
        (s(), operands()).prop_map(|(name, args)| Op::External { name, args }),
    ]
}

fn arb_op() -> impl Strategy<Value = Op> {
    prop_oneof![arb_computation(), arb_memory(), arb_effect()]
}

fn arb_terminator() -> impl Strategy<Value = Terminator> {
    let b = || (0usize..9).prop_map(BlockId::new);
    prop_oneof![
        b().prop_map(Terminator::Br),
        (arb_operand(), b(), b()).prop_map(|(c, t, e)| Terminator::CondBr(c, t, e)),
        (arb_operand(), proptest::collection::vec((any::<u128>(), b()), 0..3), b())
            .prop_map(|(value, cases, default)| Terminator::Switch { value, cases, default }),
        proptest::option::of(arb_operand()).prop_map(Terminator::Ret),
        Just(Terminator::Unreachable),
    ]
}

type ArbInst = (Op, Option<Ty>, Option<usize>, usize);

/// A module of one function: instructions go to the block of their number, or to none.
fn build(name: String, params: Vec<Ty>, insts: Vec<ArbInst>, terms: Vec<Terminator>) -> Module {
    let mut func = Function::declaration(&name);
    for ty in params {
        let value = func.values.push(crate::module::ValueDef { ty, inst: None });
        func.params.push(Param { value, ty, decl: None, constant: false, name: name.clone() });
    }
    let mut blocks: Vec<Vec<InstId>> = vec![Vec::new(); terms.len()];
    for (op, result, loc, block) in insts {
        let (id, _) = func.add_inst(op, result, loc.map(LocId::new));
        if let Some(insts) = blocks.get_mut(block) {
            insts.push(id);
        }
    }
    for (term, insts) in terms.into_iter().zip(blocks) {
        func.blocks.push(Block { insts, term, term_loc: None });
    }
    let mut module = Module { name, ..Module::default() };
    module.funcs.push(func);
    module
}

fn arb_module() -> impl Strategy<Value = Module> {
    let inst = (arb_op(), proptest::option::of(arb_ty()), proptest::option::of(0usize..9), 0usize..4);
    (
        any::<String>(),
        proptest::collection::vec(arb_ty(), 0..3),
        proptest::collection::vec(inst, 0..8),
        proptest::collection::vec(arb_terminator(), 1..4),
    )
        .prop_map(|(name, params, insts, terms)| build(name, params, insts, terms))
}

proptest! {
    #[test]
    fn printing_loses_nothing(module in arb_module()) {
        let text = module.to_string();
        let again = parse_module(&text).map_err(|e| TestCaseError::fail(format!("{e}\n{text}")))?;
        prop_assert_eq!(&again, &module, "{}", text);
        prop_assert_eq!(again.to_string(), text);
    }

    #[test]
    fn parser_survives_any_text(text in any::<String>()) {
        let _ = parse_module(&text);
        let _ = parse_module(&format!("module \"m\"\n{text}"));
    }

    /// Cut, doubled and replaced pieces of a good text; whatever is still accepted prints and verifies
    /// without a panic, too.
    #[test]
    fn parser_survives_mutations(
        edits in proptest::collection::vec((any::<prop::sample::Index>(), 0usize..12, "[ -~\n]{0,4}"), 1..4)
    ) {
        let mut text: Vec<char> = EVERYTHING.chars().collect();
        for (at, len, insert) in edits {
            let start = at.index(text.len());
            let end = (start + len).min(text.len());
            text.splice(start..end, insert.chars());
        }
        if let Ok(module) = parse_module(&text.into_iter().collect::<String>()) {
            let _ = crate::verify::verify(&module);
            prop_assert_eq!(parse_module(&module.to_string()), Ok(module));
        }
    }

    #[test]
    fn verifier_survives_any_module(module in arb_module()) {
        let _ = crate::verify::verify(&module);
    }
}
