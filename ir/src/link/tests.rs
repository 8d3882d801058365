//! Small modules in text form, linked in both orders.

use super::*;
use crate::assumption::AssumptionKind;
use crate::module::{FuncId, GlobalId};
use crate::types::{StructDef, TypeDef};
use crate::{parse_module, verify};
use std::collections::BTreeSet;

fn unit(text: &str) -> Unit {
    let module = parse_module(&format!("module \"unit\"\n{text}")).unwrap();
    Unit { module, ..Unit::default() }
}

fn linked(units: impl IntoIterator<Item = Unit>) -> Unit {
    let linked = link("all", units.into_iter().collect()).unwrap();
    assert_eq!(verify(&linked.module), Ok(()), "{}", linked.module);
    linked
}

fn link_texts(texts: &[&str]) -> Module {
    linked(texts.iter().map(|text| unit(text))).module
}

fn error(texts: &[&str]) -> String {
    let units = texts.iter().map(|text| unit(text)).collect();
    link("all", units).unwrap_err().to_string()
}

fn structs(module: &Module) -> Vec<&StructDef> {
    let structs = module.types.keys().filter_map(|ty| module.as_struct(ty));
    structs.collect()
}

fn struct_names(module: &Module) -> BTreeSet<&str> {
    structs(module).into_iter().map(|def| def.name.as_str()).collect()
}

/// The struct that the only address computation of a function is within.
fn within<'m>(module: &'m Module, function: &str) -> &'m StructDef {
    let function = &module.funcs[module.func_named(function).unwrap()];
    let within = function.insts.values().find_map(|inst| match inst.op {
        crate::inst::Op::PtrAdd { within, .. } => within,
        _ => None,
    });
    module.as_struct(within.unwrap()).unwrap()
}

/// A function that computes the address of the second word of a struct.
fn user(name: &str, ty: &str) -> String {
    format!(
        "func f0 \"{name}\" exported (v0: ptr) -> i64 {{\nb0:\nv1: ptr = ptradd v0, 8 within {ty}\nv2: i64 = load v1\nret v2\n}}\n"
    )
}

const FIRST: &str = r#"file0 = "first.c"
file1 = "shared.h"
loc0 = file0:3:1 in "start"
loc1 = file1:7:1 in "helper" at loc0
ty0 = int 64
ty1 = struct "shared" size 16 {
  0: ty0 "count"
  8: ty2 "next"
}
ty2 = ptr ty1
ty3 = struct "opaque" size 0 {
}
ty4 = ptr ty3
g0 = global "counter" size 8 ty0 {
  0: 8 = 1:i64
}
g1 = global "table" size 8 extern exported
func f0 "start" exported (v0: ptr ty2 "s", v1: ptr ty4 "o") -> i64 ty0 @loc0 {
b0:
  v2: ptr = ptradd v0, 8 within ty1 @loc1
  v3: i64 = load g0
  store v3 to g1+4
  v4: i64 = call f1(v2) ; "work"
  call f2(f0) ; "local"
  ret v4
}
func f1 "work" exported variadic () -> i64
func f2 "local" (v0: ptr) {
b0:
  ret
}
"#;

const SECOND: &str = r#"file0 = "shared.h"
file1 = "second.c"
loc0 = file1:9:2 in "work"
ty0 = struct "opaque" size 8 private {
  0: ty1 "word"
}
ty1 = int 64
ty2 = ptr ty3
ty3 = struct "shared" size 16 {
  0: ty1 "count"
  8: ty2 "next"
}
g0 = global "table" size 8 ty1 constant exported {
  0: 8 = f1
}
g1 = global "counter" size 8 ty1 @loc0
func f0 "work" exported (v0: ptr ty2 "s") -> i64 ty1 @loc0 {
b0:
  v1: ptr = ptradd v0, 0 within ty3 @loc0
  v2: i64 = load v1 @loc0
  store v2 to g1
  call f1(g0) ; "local"
  ret v2 @loc0
}
func f1 "local" (v0: ptr) {
b0:
  ret
}
"#;

#[test]
fn two_files_become_one_module() {
    insta::assert_snapshot!(link_texts(&[FIRST, SECOND]).to_string());
}

#[test]
fn the_order_of_files_changes_only_numbers() {
    let (one, other) = (link_texts(&[FIRST, SECOND]), link_texts(&[SECOND, FIRST]));
    assert_eq!(struct_names(&one), struct_names(&other));
    let names = |module: &Module| -> BTreeSet<String> {
        let funcs = module.funcs.values().map(|f| f.name.clone());
        funcs.chain(module.globals.values().map(|g| g.name.clone())).collect()
    };
    assert_eq!(names(&one), names(&other));
    for module in [one, other] {
        let table = &module.globals[module.global_named("table").unwrap()];
        let Operand::Func(local) = table.init[0].value else { panic!("{module}") };
        let second = &module.funcs[module.func_named("work").unwrap()];
        assert!(table.defined && table.constant && second.params[0].decl.is_some());
        let calls = |op: &crate::inst::Op| matches!(op, crate::inst::Op::Call { callee: crate::inst::Callee::Func(f), .. } if *f == local);
        assert!(second.insts.values().any(|inst| calls(&inst.op)), "each file calls its own `local`");
    }
}

#[test]
fn a_single_unit_stays_as_it_is() {
    let alone = linked([unit(FIRST)]);
    assert_eq!(Module { name: "all".to_owned(), ..unit(FIRST).module }, alone.module);
}

#[test]
fn every_construct_survives() {
    let everything = include_str!("../text/everything.lp");
    let everything = parse_module(everything).unwrap();
    let expected = everything.instruction_count();
    let everything = Unit { module: everything, ..Unit::default() };
    let module = linked([unit(SECOND), everything]).module;
    let second = unit(SECOND).module.instruction_count();
    assert_eq!(module.instruction_count(), expected + second);
    assert_eq!(module.funcs[module.func_named("nvram_read").unwrap()].insts.len(), 43);
}

#[test]
fn layout_alone_does_not_make_structs_the_same() {
    let words = "0: ty0 \"x\"\n8: ty0 \"y\"\n}\n";
    let first = format!("ty0 = int 64\nty1 = struct \"a\" size 16 {{\n{words}{}", user("first", "ty1"));
    let second = format!("ty0 = int 64\nty1 = struct \"b\" size 16 {{\n{words}{}", user("second", "ty1"));
    let module = link_texts(&[&first, &second]);
    assert_eq!((within(&module, "first").name.as_str(), within(&module, "second").name.as_str()), ("a", "b"));
}

#[test]
fn different_structs_of_one_tag_stay_two_and_the_known_one_keeps_it() {
    let private = format!(
        "ty0 = int 64\nty1 = struct \"s\" size 16 private {{\n0: ty0 \"x\"\n8: ty0 \"y\"\n}}\n{}",
        user("private", "ty1")
    );
    let known = format!(
        "ty0 = int 64\nty1 = struct \"s\" size 16 {{\n0: ty0 \"x\"\n8: ty0 \"z\"\n}}\n{}",
        user("known", "ty1")
    );
    for texts in [[&private, &known], [&known, &private]] {
        let module = link_texts(&[texts[0], texts[1]]);
        assert_eq!(within(&module, "known").name, "s");
        assert_eq!(within(&module, "private").name, "s.2");
    }
}

#[test]
fn structs_that_lead_back_to_themselves_are_the_same() {
    let link = "struct \"link\" size 16 {\n0: ty3 \"next\"\n8: ty3 \"prev\"\n}\n";
    let item = "struct \"item\" size 24 {\n0: ty1 \"link\"\n16: ty4 \"self\"\n}\n";
    let one =
        format!("ty0 = int 64\nty1 = {link}ty2 = {item}ty3 = ptr ty1\nty4 = ptr ty2\n{}", user("f", "ty2"));
    let (link, item) = (link.replace("ty3", "ty4"), item.replace("ty1", "ty2").replace("ty4", "ty3"));
    let other =
        format!("ty0 = int 64\nty1 = {item}ty2 = {link}ty3 = ptr ty1\nty4 = ptr ty2\n{}", user("g", "ty1"));
    let module = link_texts(&[&one, &other]);
    assert_eq!(struct_names(&module), BTreeSet::from(["item", "link"]));
    assert_eq!(within(&module, "f"), within(&module, "g"));
}

#[test]
fn a_struct_is_private_if_every_file_says_so() {
    let says = |private: &str, function: &str| {
        format!(
            "ty0 = int 64\nty1 = struct \"s\" size 16{private} {{\n0: ty0 \"x\"\n}}\n{}",
            user(function, "ty1")
        )
    };
    let both = link_texts(&[&says(" private", "f"), &says(" private", "g")]);
    assert!(within(&both, "f").module_private);
    let one = link_texts(&[&says(" private", "f"), &says("", "g")]);
    assert!(!within(&one, "f").module_private);
    assert_eq!(within(&one, "f"), within(&one, "g"));
}

#[test]
fn members_without_a_tag_follow_their_struct() {
    let file = |number: u32, function: &str| {
        format!(
            "ty0 = int 64\nty1 = union \"anon{number}\" size 16 {{\n0: ty0 \"a\"\n8: ty0 \"b\"\n}}\nty2 = struct \"s\" size 16 {{\n0: ty1 \"\"\n}}\nty3 = struct \"t{function}\" size 16 {{\n0: ty4 \"\"\n}}\nty4 = union \"anon9\" size 16 {{\n0: ty0 \"a\"\n8: ty0 \"b\"\n}}\n{}",
            user(function, "ty1")
        )
    };
    let module = link_texts(&[&file(1, "f"), &file(7, "g")]);
    let anonymous = within(&module, "f");
    assert_eq!(anonymous, within(&module, "g"));
    assert_eq!(structs(&module).len(), 6, "those in `tf` and `tg` are others:\n{module}");
    let inner = module.field_named(module.struct_named("s").unwrap(), "b").unwrap();
    assert_eq!(inner.0, 8);
}

#[test]
fn structs_without_a_tag_in_no_struct_are_the_same_if_they_look_so() {
    let file = |function: &str, member: &str| {
        format!(
            "ty0 = int 64\nty1 = struct \"anon1\" size 16 {{\n0: ty0 \"x\"\n8: ty0 \"{member}\"\n}}\ng0 = global \"state\" size 16 ty1 extern exported\n{}",
            user(function, "ty1")
        )
    };
    let module = link_texts(&[&file("f", "y"), &file("g", "y"), &file("h", "z")]);
    assert_eq!(within(&module, "f"), within(&module, "g"));
    assert_ne!(within(&module, "f"), within(&module, "h"));
}

#[test]
fn structs_that_other_files_know_better_become_those() {
    let declared = format!("ty0 = struct \"s\" size 0 {{\n}}\nty1 = ptr ty0\n{}", user("f", "ty0"));
    let by_code =
        format!("ty0 = int 64\nty1 = struct \"s\" size 16 {{\n0: ty0 \"f0\"\n}}\n{}", user("g", "ty1"));
    let complete = format!(
        "ty0 = int 64\nty1 = struct \"s\" size 16 private {{\n0: ty0 \"x\"\n8: ty0 \"y\"\n}}\n{}",
        user("h", "ty1")
    );
    for texts in [[&declared, &by_code, &complete], [&complete, &by_code, &declared]] {
        let module = link_texts(&[texts[0], texts[1], texts[2]]);
        let [def] = structs(&module)[..] else { panic!("{module}") };
        assert!(def.module_private && def.fields.len() == 2 && def.name == "s");
    }
    let module = link_texts(&[&declared, &declared.replace("\"f\"", "\"k\"")]);
    assert_eq!(structs(&module).len(), 1);
}

#[test]
fn types_that_no_program_has_do_no_harm() {
    let odd = "ty0 = ptr ty0\nty1 = func(ty1) -> ty0\nty2 = struct \"s\" size 8 {\n0: ty0 \"p\"\n}\n";
    link_texts(&[odd, odd]);
}

#[test]
fn a_declaration_is_as_good_as_the_best_one() {
    let file = |size: u64, constant: &str, function: &str| {
        format!(
            "g0 = global \"data\" size {size}{constant} extern exported\nfunc f0 \"{function}\" () {{\nb0:\nstore 1:i32 to g0\nret\n}}\n"
        )
    };
    for sizes in [[(0, ""), (8, " constant")], [(8, " constant"), (0, "")]] {
        let [(a, x), (b, y)] = sizes;
        let module = link_texts(&[&file(a, x, "f"), &file(b, y, "g")]);
        let data = &module.globals[GlobalId::new(0)];
        assert_eq!((module.globals.len(), data.size, data.constant, data.defined), (1, 8, false, false));
    }
    let old_style = "func f0 \"f\" exported variadic () -> i32\n";
    let prototype = "func f0 \"f\" exported (v0: i32 \"n\") -> i32\n";
    for texts in [[old_style, prototype], [prototype, old_style]] {
        let module = link_texts(&texts);
        let f = &module.funcs[FuncId::new(0)];
        assert_eq!((module.funcs.len(), f.params.len(), f.variadic), (1, 1, false));
    }
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let defined = "func f0 \"twice\" exported () {\nb0:\nret\n}\n";
    assert_eq!(error(&[defined, "", defined]), "symbol twice is defined twice");
    let units: PrimaryMap<UnitId, Unit> = [defined, "", defined].into_iter().map(unit).collect();
    assert_eq!(link("all", units).unwrap_err().unit(), UnitId::new(2));
    let variable = "g0 = global \"data\" size 4 exported\n";
    assert_eq!(error(&[variable, variable]), "symbol data is defined twice");
    let other = "g0 = global \"twice\" size 4 extern exported\n";
    assert_eq!(error(&[defined, other]), "symbol twice is a function in one file and a variable in another");
}

#[test]
fn other_names_reach_what_they_stand_for() {
    let mut owner = unit("g0 = global \"data\" size 16\nfunc f0 \"real\" () {\nb0:\nret\n}\n");
    let alias = |name: &str, target: Operand| Alias { name: name.to_owned(), target, exported: true };
    owner.aliases = vec![
        alias("init_module", Operand::Func(FuncId::new(0))),
        alias("middle", Operand::Global(GlobalId::new(0), 8)),
    ];
    let user = || {
        unit(
            "g0 = global \"middle\" size 8 extern exported\nfunc f0 \"init_module\" exported ()\nfunc f1 \"user\" exported () {\nb0:\ncall f0()\nstore 1:i32 to g0+4\nret\n}\n",
        )
    };
    for units in [[owner.clone(), user()], [user(), owner]] {
        let Unit { module, aliases, .. } = linked(units);
        let real = module.func_named("real").unwrap();
        assert_eq!(aliases[0].target, Operand::Func(real));
        assert_eq!((module.func_named("init_module"), module.global_named("middle")), (None, None));
        let data = module.global_named("data").unwrap();
        let user = &module.funcs[module.func_named("user").unwrap()];
        let operands: Vec<Operand> = user.insts.values().flat_map(|inst| inst.op.operands()).collect();
        assert!(operands.contains(&Operand::Global(data, 12)), "{module}");
    }
}

#[test]
fn ledger_and_sections_come_along() {
    let file = || {
        let mut unit =
            unit("file0 = \"a.c\"\nloc0 = file0:1:1 in \"f\"\nfunc f0 \"f\" () @loc0 {\nb0:\nret @loc0\n}\n");
        unit.sections.push(("f".to_owned(), ".init.text".to_owned()));
        unit.ledger.record(AssumptionKind::Unsupported, "something", Some(LocId::new(0)));
        unit
    };
    let Unit { module, ledger, sections, .. } = linked([file(), file()]);
    let symbols: Vec<&str> = sections.iter().map(|(symbol, _)| symbol.as_str()).collect();
    assert_eq!(symbols, ["f", "f.2"]);
    let places: Vec<_> = ledger.iter().map(|item| item.loc).collect();
    assert_eq!(places, [Some(LocId::new(0)), Some(LocId::new(1))]);
    assert_eq!((module.files.len(), module.locs.len()), (1, 2));
    assert!(module.types.values().all(|def| !matches!(def, TypeDef::Struct(_))));
}
