//! A module per invariant that breaks only that one.

use super::*;
use crate::entity::EntityRef;
use crate::inst::{BlockId, ValueId};
use crate::module::{Module, ValueDef};
use crate::text::parse_module;

fn module(text: &str) -> Module {
    parse_module(&format!("module \"m\"\n{text}")).unwrap()
}

fn invariants(module: &Module) -> Vec<u32> {
    let mut numbers: Vec<u32> =
        verify(module).err().unwrap_or_default().into_iter().map(|e| e.invariant).collect();
    numbers.dedup();
    numbers
}

/// The text breaks the one invariant and no other.
#[track_caller]
fn breaks(invariant: u32, text: &str) {
    assert_eq!(invariants(&module(text)), vec![invariant], "{:?}", verify(&module(text)));
}

/// A function with these lines as its only block, and a return after them.
fn body(lines: &str) -> String {
    format!(
        "g0 = global \"g\" size 8\nfunc f0 \"f\" (v0: i32, v1: ptr, v2: i1, v3: opaque16) {{\nb0:\n{lines}\nret\n}}\n"
    )
}

#[track_caller]
fn body_breaks(invariant: u32, lines: &str) {
    breaks(invariant, &body(lines));
}

#[test]
fn good_module_is_accepted() {
    let text = include_str!("../text/everything.lp");
    assert_eq!(verify(&parse_module(text).unwrap()), Ok(()));
}

#[test]
fn invariant_1_ids_in_range() {
    breaks(1, "loc0 = file0:1:1 in \"f\"\n");
    breaks(1, "file0 = \"a\"\nloc0 = file0:1:1 in \"f\" at loc1\n");
    breaks(1, "ty0 = ptr ty1\n");
    breaks(1, "ty0 = struct \"s\" size 8 {\n0: ty7 \"x\"\n}\n");
    breaks(1, "g0 = global \"g\" size 8 ty0\n");
    breaks(1, "g0 = global \"g\" size 8 {\n0: 8 = g1\n}\n");
    breaks(1, "func f0 \"f\" () -> i32 ty0\n");
    breaks(1, "func f0 \"f\" () @loc0\n");
    body_breaks(1, "free v9");
    body_breaks(1, "free g1");
    body_breaks(1, "call f3()");
    breaks(1, "func f0 \"f\" () {\nb0:\nbr b1\n}\n");
    body_breaks(1, "v4: ptr = ptradd v1, 0 within ty0");
    body_breaks(1, "v4: ptr = alloca 4 x 1:i32 of ty0");
    body_breaks(1, "free v1 @loc0");
}

#[test]
fn invariant_2_widths() {
    let mut bad = module(&body("free v1"));
    let func = bad.funcs.iter().next().unwrap().0;
    bad.funcs[func].insts[InstId::new(0)].op =
        crate::inst::Op::Free { ptr: Operand::Undef(Ty::Int(129)), until: None };
    assert_eq!(invariants(&bad), vec![2]);
    bad.funcs[func].insts[InstId::new(0)].op =
        crate::inst::Op::Free { ptr: Operand::Int { bits: 8, value: 256 }, until: None };
    assert_eq!(invariants(&bad), vec![2]);
}

#[test]
fn invariant_3_inlining_ends() {
    breaks(3, "file0 = \"a\"\nloc0 = file0:1:1 in \"f\" at loc0\n");
    breaks(3, "file0 = \"a\"\nloc0 = file0:1:1 in \"f\" at loc1\nloc1 = file0:1:1 in \"f\" at loc0\n");
}

#[test]
fn invariant_4_no_type_contains_itself() {
    breaks(4, "ty0 = struct \"s\" size 8 {\n0: ty0 \"x\"\n}\n");
    breaks(4, "ty0 = struct \"s\" size 8 {\n0: ty1 \"x\"\n}\nty1 = array ty0 x 1\n");
    let through_pointer = "ty0 = struct \"s\" size 8 {\n0: ty1 \"x\"\n}\nty1 = ptr ty0\n";
    assert_eq!(invariants(&module(through_pointer)), vec![]);
    let diamond = "ty0 = struct \"s\" size 8 {\n0: ty1 \"x\"\n4: ty1 \"y\"\n8: ty2 \"z\"\n}\n\
                   ty1 = array ty2 x 1\nty2 = int 8\n";
    assert_eq!(invariants(&module(diamond)), vec![]);
}

#[test]
fn invariant_5_cells() {
    breaks(5, "g0 = global \"g\" size 8 {\n4: 8 = null\n}\n");
    breaks(5, "g0 = global \"g\" size 8 {\n18446744073709551615: 8 = null\n}\n");
    breaks(5, "g0 = global \"g\" size 8 {\n0: 8 = v0\n}\n");
}

#[test]
fn invariant_6_values_have_one_definition() {
    let good = module(&body("v4: i32 = add v0, v0"));
    let func = crate::module::FuncId::new(0);
    let mut orphan = good.clone();
    orphan.funcs[func].values.push(ValueDef { ty: Ty::Ptr, inst: None });
    assert_eq!(invariants(&orphan), vec![6]);
    let mut twice = good.clone();
    let param = twice.funcs[func].params[0].clone();
    twice.funcs[func].params.push(param);
    assert_eq!(invariants(&twice), vec![6]);
    let mut denied = good.clone();
    denied.funcs[func].values[ValueId::new(4)].inst = None;
    assert_eq!(invariants(&denied), vec![6]);
    let mut retyped = good;
    retyped.funcs[func].params[2].ty = Ty::Int(2);
    assert_eq!(invariants(&retyped), vec![6]);
}

#[test]
fn invariant_7_instructions_stand_once() {
    let mut bad = module(&body("free v1"));
    bad.funcs[crate::module::FuncId::new(0)].blocks[BlockId::new(0)].insts.push(InstId::new(0));
    assert_eq!(invariants(&bad), vec![7]);
}

#[test]
fn invariant_8_declarations_are_empty() {
    let mut bad = module("func f0 \"f\" ()\n");
    bad.funcs[crate::module::FuncId::new(0)].add_inst(crate::inst::Op::Havoc, Some(Ty::Ptr), None);
    assert_eq!(invariants(&bad), vec![8]);
}

#[test]
fn invariant_9_entry_has_no_predecessors() {
    breaks(9, "func f0 \"f\" () {\nb0:\nbr b0\n}\n");
}

#[test]
fn invariant_10_phis_come_first() {
    breaks(10, "func f0 \"f\" () {\nb0:\nbr b1\nb1:\nv0: i8 = havoc\nv1: i8 = phi b0: 1:i8\nret\n}\n");
}

#[test]
fn invariant_11_phi_edges_are_the_predecessors() {
    let phi = |edges: &str| {
        format!(
            "func f0 \"f\" (v0: i1) {{\nb0:\nbrif v0, b1, b2\nb1:\nbr b2\nb2:\nv1: i8 = phi {edges}\nret\n}}\n"
        )
    };
    breaks(11, &phi("b0: 1:i8"));
    breaks(11, &phi("b0: 1:i8, b1: 1:i8, b2: 1:i8"));
    breaks(11, &phi("b0: 1:i8, b1: 1:i8, b1: 2:i8"));
    assert_eq!(invariants(&module(&phi("b0: 1:i8, b1: 1:i8, b1: 1:i8"))), vec![]);
}

#[test]
fn invariant_12_definitions_dominate_uses() {
    body_breaks(12, "v4: i32 = add v0, v5\nv5: i32 = add v0, v0");
    body_breaks(12, "v4: i32 = add v0, v4");
    breaks(
        12,
        "func f0 \"f\" (v0: i1) {\nb0:\nbrif v0, b1, b2\nb1:\nv1: ptr = havoc\nbr b2\nb2:\nfree v1\nret\n}\n",
    );
    breaks(12, "func f0 \"f\" () {\nb0:\nfree v0\nret\ndetached:\nv0: ptr = havoc\n}\n");
    let at_edge = "func f0 \"f\" (v0: i1) {\nb0:\nbrif v0, b1, b2\nb1:\nv1: ptr = havoc\nbr b2\nb2:\n\
                   v2: ptr = phi b1: v1, b0: null\nret\n}\n";
    assert_eq!(invariants(&module(at_edge)), vec![]);
    breaks(12, &at_edge.replace("b1: v1, b0: null", "b1: null, b0: v1"));
}

#[test]
fn invariant_13_results() {
    body_breaks(13, "havoc");
    body_breaks(13, "v4: ptr = free v1");
    body_breaks(13, "v4: i32 = acquire.exclusive \"m\" v1");
    body_breaks(13, "acquire.exclusive.if_zero \"m\" v1");
    body_breaks(13, "trunc v0");
}

#[test]
fn invariant_14_types() {
    for line in [
        "v4: i32 = add v0, 1:i8",
        "v4: ptr = add v1, v1",
        "v4: i8 = add v0, v0",
        "v4: i32 = cmp.eq v0, v0",
        "v4: i1 = cmp.slt v1, v1",
        "v4: i1 = cmp.eq v3, v3",
        "v4: i32 = select v0, v0, v0",
        "v4: i32 = select v2, v0, v1",
        "v4: i32 = trunc v0",
        "v4: i32 = zext v0",
        "v4: i64 = inttoptr v0",
        "v4: ptr = ptradd v0, 0",
        "v4: ptr = ptradd v1, 0, v1 * 4",
        "v4: i32 = alloca 4 x 1:i32",
        "v4: ptr = alloca 4 x v1",
        "v4: i32 = load v0",
        "store v0 to v0",
        "v4: ptr = rmw.add.seqcst v1, v1",
        "v4: i8 = rmw.add.seqcst v1, v0",
        "v4: i32 = cmpxchg.seqcst v1, v1, v0",
        "memset v1, v0, v0",
        "memcopy v1, v0, v0",
        "v4: i8 = extract v0, 1",
        "call *v0()",
        "v4: ptr = alloc v1",
        "free v0",
        "access.read v0, 1:i64",
        "acquire.exclusive \"m\" v0",
        "v4: ptr = acquire.exclusive.if_zero \"m\" v1",
        "release.shared \"m\" v0",
        "publish v0",
        "register \"t\" v0",
        "register \"t\" v1 callback v0",
        "unregister \"t\" v0",
    ] {
        let module = module(&body(line));
        assert_eq!(invariants(&module), vec![14], "{line}: {:?}", verify(&module));
    }
}

#[test]
fn invariant_15_switch_cases() {
    breaks(15, "func f0 \"f\" (v0: i8) {\nb0:\nswitch v0, b1, 1: b1, 1: b1\nb1:\nret\n}\n");
    breaks(15, "func f0 \"f\" (v0: i8) {\nb0:\nswitch v0, b1, 256: b1\nb1:\nret\n}\n");
}

#[test]
fn invariant_16_terminators() {
    breaks(16, "func f0 \"f\" (v0: i8) {\nb0:\nbrif v0, b1, b1\nb1:\nret\n}\n");
    breaks(16, "func f0 \"f\" (v0: ptr) {\nb0:\nswitch v0, b1\nb1:\nret\n}\n");
    breaks(16, "func f0 \"f\" () -> i32 {\nb0:\nret\n}\n");
    breaks(16, "func f0 \"f\" () {\nb0:\nret 1:i32\n}\n");
    breaks(16, "func f0 \"f\" () -> i32 {\nb0:\nret null\n}\n");
}

#[test]
fn errors_say_where() {
    let error = verify(&module(&body("free v1\nfree v0"))).unwrap_err().remove(0);
    assert_eq!(error.to_string(), "f0: i1: a pointer expected (invariant 14)");
}
