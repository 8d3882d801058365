//! Every kind of effect, and the rows whose sense is easily got wrong.

use super::*;
use lockpair_ir::{parse_module, verify};

/// Types and callees that the callers below use.
const PRELUDE: &str = r#"module "test"
file0 = "driver.c"
file1 = "include/linux/header.h"
loc0 = file0:7:3 in "caller"
loc1 = file1:9:1 in "inline"
ty0 = int 64
ty1 = ptr ty2
ty2 = struct "dev" size 32 private {
  0: ty0 "first"
  8: ty1 "next"
  16: ty3 "inner"
}
ty3 = struct "inner" size 16 {
  0: ty0 "zero"
  8: ty0 "lock"
}
ty4 = ptr ty3
ty5 = void
ty6 = ptr ty5
"#;

/// The caller of one function: `params`, `result` of the callee (empty for none), how it is called.
struct Caller<'a> {
    callee: &'a str,
    callee_params: &'a str,
    result: &'a str,
    params: &'a str,
    args: &'a str,
}

impl Caller<'_> {
    fn module(&self) -> Module {
        let Caller { callee, callee_params, result, params, args } = self;
        let count = params.matches(": ").count();
        let (call, ret, arrow) = if result.is_empty() {
            (format!("call f1({args}) @loc0"), "ret".to_owned(), String::new())
        } else {
            let call = format!("v{count}: {result} = call f1({args}) @loc0");
            (call, format!("ret v{count}"), format!(" -> {result}"))
        };
        let text = format!(
            "{PRELUDE}func f0 \"caller\" ({params}){arrow} {{\nb0:\n  {call}\n  {ret}\n}}\n\
             func f1 \"{callee}\" ({callee_params}){arrow}\n"
        );
        parse_module(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))
    }
}

fn model(rows: &str) -> Model {
    Model::parse(&format!("<model>{rows}</model>"), "rows.xml").unwrap_or_else(|e| panic!("{e}"))
}

fn apply_checked(module: Module, model: &Model, options: &ApplyOptions) -> Applied {
    verify(&module).unwrap_or_else(|e| panic!("before: {e:?}\n{module}"));
    let applied = apply(module, model, options);
    verify(&applied.module).unwrap_or_else(|e| panic!("after: {e:?}\n{}", applied.module));
    applied
}

/// The instructions of the caller's first block, without places.
fn body(applied: &Applied) -> Vec<String> {
    let text = applied.module.to_string();
    let start = text.find("b0:\n").expect("a block") + 4;
    let lines = text[start..].lines().map(str::trim);
    let is_body = |line: &&str| !line.is_empty() && !line.starts_with('}') && !line.starts_with("detached");
    let plain = |line: &str| line.replace(" @loc0", "").split(" ; ").next().unwrap_or("").to_owned();
    // An id stands in front where it is not the next one.
    let no_id = |line: String| match line.split_once(": ") {
        Some((id, rest)) if id.starts_with('i') && id[1..].parse::<u32>().is_ok() => rest.to_owned(),
        _ => line,
    };
    lines.take_while(is_body).map(plain).map(no_id).collect()
}

/// What a call becomes, by built-in rows.
fn linux(callee: &str, result: &str, params: &str, args: &str) -> Vec<String> {
    let caller = Caller { callee, callee_params: "", result, params, args };
    let applied = apply_checked(caller.module(), &Model::linux(), &ApplyOptions::default());
    assert!(
        applied.ledger.iter().all(|a| a.kind == AssumptionKind::Environment),
        "{:?}",
        applied.ledger.iter().collect::<Vec<_>>()
    );
    body(&applied)
}

/// What a call becomes, by rows for the function `f`; and the kinds of assumption.
fn rows(rows: &str, caller: &Caller<'_>) -> (Vec<String>, Vec<&'static str>) {
    let applied = apply_checked(caller.module(), &model(rows), &ApplyOptions::default());
    (body(&applied), applied.ledger.iter().map(|a| a.kind.name()).collect())
}

const PTR: &str = "v0: ptr";

#[test]
fn locks_are_taken_and_given_back() {
    let one = |callee: &str| linux(callee, "", PTR, "v0")[0].clone();
    for (callee, effect) in [
        ("mutex_lock", "acquire.exclusive \"mutex\" v0"),
        ("mutex_lock_nested", "acquire.exclusive \"mutex\" v0"),
        ("mutex_unlock", "release.exclusive \"mutex\" v0"),
        ("_raw_spin_lock", "acquire.exclusive \"spinlock\" v0"),
        ("spin_lock_bh", "acquire.exclusive \"spinlock\" v0"),
        ("_raw_spin_unlock_irq", "release.exclusive \"spinlock\" v0"),
        ("_raw_read_lock", "acquire.shared \"rwlock\" v0"),
        ("_raw_read_unlock_bh", "release.shared \"rwlock\" v0"),
        ("_raw_write_lock_irq", "acquire.exclusive \"rwlock\" v0"),
        ("down_read", "acquire.shared \"rwsem\" v0"),
        ("up_write", "release.exclusive \"rwsem\" v0"),
    ] {
        assert_eq!(one(callee), effect, "{callee}");
    }
    assert_eq!(
        linux("_raw_spin_lock_irqsave", "i64", PTR, "v0"),
        ["acquire.exclusive \"spinlock\" v0", "v1: i64 = havoc", "ret v1"]
    );
    assert_eq!(
        linux("downgrade_write", "", PTR, "v0"),
        ["acquire.shared \"rwsem\" v0", "release.exclusive \"rwsem\" v0", "ret"]
    );
}

#[test]
fn which_result_means_success() {
    let effect = |callee: &str| linux(callee, "i32", PTR, "v0")[0].clone();
    for callee in ["mutex_lock_interruptible", "mutex_lock_killable", "mutex_lock_interruptible_nested"] {
        assert_eq!(effect(callee), "v1: i32 = acquire.exclusive.if_no_error \"mutex\" v0", "{callee}");
    }
    assert_eq!(effect("mutex_trylock"), "v1: i32 = acquire.exclusive.if_nonzero \"mutex\" v0");
    assert_eq!(effect("_raw_spin_trylock"), "v1: i32 = acquire.exclusive.if_nonzero \"spinlock\" v0");
    assert_eq!(effect("_raw_read_trylock"), "v1: i32 = acquire.shared.if_nonzero \"rwlock\" v0");
    assert_eq!(effect("down_write_killable"), "v1: i32 = acquire.exclusive.if_no_error \"rwsem\" v0");
    assert_eq!(effect("down_read_trylock"), "v1: i32 = acquire.shared.if_nonzero \"rwsem\" v0");
    // A semaphore may count to more than one: nothing is claimed, whatever comes back.
    for callee in ["down_trylock", "down_interruptible"] {
        let effects = linux(callee, "i32", PTR, "v0");
        assert_eq!(effects, ["access.read.volatile v0, 1:i64", "v1: i32 = havoc", "ret v1"], "{callee}");
    }
    assert_eq!(
        linux("refcount_dec_and_mutex_lock", "i1", "v0: ptr, v1: ptr", "v0, v1"),
        ["access.write.seqcst v0, 4:i64", "v2: i1 = acquire.exclusive.if_nonzero \"mutex\" v1", "ret v2"]
    );
}

#[test]
fn success_of_an_ignored_trylock_still_has_a_result() {
    assert_eq!(
        linux("mutex_trylock", "", PTR, "v0"),
        ["v1: i32 = acquire.exclusive.if_nonzero \"mutex\" v0", "ret"]
    );
}

#[test]
fn rtnl_is_one_global() {
    let caller = Caller { callee: "rtnl_lock", callee_params: "", result: "", params: "", args: "" };
    let mut module = caller.module();
    let first = apply_checked(module.clone(), &Model::linux(), &ApplyOptions::default());
    let rtnl = first.module.global_named("rtnl").expect("created");
    assert_eq!((first.module.globals[rtnl].size, first.module.globals[rtnl].defined), (64, false));
    assert_eq!(body(&first)[0], "acquire.exclusive \"rtnl\" g0");
    // A second module function uses the same one.
    let mut again = module.funcs[lockpair_ir::FuncId::new(0)].clone();
    again.name = "other".to_owned();
    module.funcs.push(again);
    let second = apply_checked(module, &Model::linux(), &ApplyOptions::default());
    assert_eq!(second.module.globals.len(), 1);
}

#[test]
fn atomics_keep_their_values() {
    assert_eq!(linux("atomic_inc", "", PTR, "v0"), ["v1: i32 = rmw.add.relaxed v0, 1:i32", "ret"]);
    assert_eq!(linux("atomic_read", "i32", PTR, "v0"), ["v1: i32 = load.relaxed v0", "ret v1"]);
    assert_eq!(linux("atomic_set", "", "v0: ptr, v1: i32", "v0, v1"), ["store.relaxed v1 to v0", "ret"]);
    assert_eq!(
        linux("atomic_add_return", "i32", "v0: i32, v1: ptr", "v0, v1"),
        [
            "v3: i32 = rmw.add.seqcst v1, v0",
            "v4: i32 = add v3, v0",
            "v2: i32 = select 1:i1, v4, v4",
            "ret v2"
        ]
    );
    assert_eq!(
        linux("atomic64_fetch_add", "i64", "v0: i64, v1: ptr", "v0, v1"),
        ["v2: i64 = rmw.add.seqcst v1, v0", "ret v2"]
    );
    assert_eq!(
        linux("atomic_cmpxchg", "i32", "v0: ptr, v1: i32, v2: i32", "v0, v1, v2"),
        ["v4: i32 = cmpxchg.seqcst v0, v1, v2", "v3: i32 = select 1:i1, v4, v4", "ret v3"]
    );
    assert_eq!(
        linux("atomic_try_cmpxchg", "i1", "v0: ptr, v1: ptr, v2: i32", "v0, v1, v2"),
        [
            "v4: i32 = load v1",
            "v5: i32 = cmpxchg.seqcst v0, v4, v2",
            "store v5 to v1",
            "v3: i1 = cmp.eq v5, v4",
            "ret v3"
        ]
    );
}

#[test]
fn dec_and_test_is_about_the_new_value() {
    for callee in ["atomic_dec_and_test", "refcount_dec_and_test", "arch_atomic_dec_and_test"] {
        assert_eq!(
            linux(callee, "i1", PTR, "v0"),
            [
                "v2: i32 = rmw.sub.seqcst v0, 1:i32",
                "v3: i32 = sub v2, 1:i32",
                "v1: i1 = cmp.eq v3, 0:i32",
                "ret v1"
            ],
            "{callee}"
        );
    }
    assert_eq!(
        linux("atomic_add_negative", "i1", "v0: i32, v1: ptr", "v0, v1")[2],
        "v2: i1 = cmp.slt v4, 0:i32"
    );
}

#[test]
fn test_and_set_bit_gives_the_old_bit() {
    // Bit 70 of an array of longs is bit 6 of the second one.
    assert_eq!(
        linux("test_and_set_bit", "i1", PTR, "70:i64, v0"),
        [
            "v2: ptr = ptradd v0, 8",
            "v3: i64 = rmw.or.seqcst v2, 64:i64",
            "v4: i64 = lshr v3, 6:i64",
            "v5: i64 = and v4, 1:i64",
            "v1: i1 = cmp.ne v5, 0:i64",
            "ret v1"
        ]
    );
}

#[test]
fn bit_numbers_may_be_values_and_need_not_be_atomic() {
    assert_eq!(
        linux("__clear_bit", "", "v0: i32, v1: ptr", "v0, v1"),
        [
            "v2: i64 = sext v0",
            "v3: i64 = ashr v2, 6:i64",
            "v4: ptr = ptradd v1, 0, v3 * 8",
            "v5: i64 = and v2, 63:i64",
            "v6: i64 = shl 1:i64, v5",
            "v7: i64 = xor v6, 18446744073709551615:i64",
            "v8: i64 = load v4",
            "v9: i64 = and v8, v7",
            "store v9 to v4",
            "ret"
        ]
    );
    assert_eq!(
        linux("clear_bit", "", PTR, "3:i64, v0"),
        ["v1: i64 = rmw.and.relaxed v0, 18446744073709551607:i64", "ret"]
    );
    assert_eq!(linux("test_bit", "i32", PTR, "0:i64, v0")[0], "v2: i64 = load.relaxed v0");
}

#[test]
fn memory_comes_and_goes() {
    assert_eq!(
        linux("kzalloc", "ptr", "v0: i64", "v0, 0:i32"),
        ["v1: ptr = alloc v0 zeroed may_fail", "ret v1"]
    );
    assert_eq!(
        linux("kcalloc", "ptr", "v0: i64", "v0, 8:i64, 0:i32"),
        ["v2: i64 = mul v0, 8:i64", "v1: ptr = alloc v2 zeroed may_fail", "ret v1"]
    );
    assert_eq!(linux("kfree", "", PTR, "v0"), ["free v0", "ret"]);
    assert_eq!(
        linux("_copy_from_user", "i64", "v0: ptr, v1: ptr", "v0, v1, 4:i64"),
        ["access.write v0, 4:i64", "v2: i64 = havoc", "ret v2"]
    );
    assert_eq!(
        linux("_copy_to_user", "i64", "v0: ptr, v1: ptr", "v0, v1, 4:i64"),
        ["access.read v1, 4:i64", "v2: i64 = havoc", "ret v2"]
    );
    assert_eq!(
        linux("memcpy", "ptr", "v0: ptr, v1: ptr", "v0, v1, 4:i64"),
        ["memcopy v0, v1, 4:i64", "v2: ptr = select 1:i1, v0, v0", "ret v2"]
    );
}

#[test]
fn optional_arguments_may_be_null() {
    assert_eq!(
        linux("simple_strtoul", "i64", PTR, "v0, null, 10:i32"),
        ["v2: i64 = havoc", "access.read v0, v2", "publish v0", "v1: i64 = havoc", "ret v1"]
    );
}

#[test]
fn what_begins_at_null_is_optional() {
    let caller = Caller { callee: "f", callee_params: "", result: "", params: PTR, args: "null" };
    let (lines, told) = rows("<function name='f'><read addr='arg0:dev->next' len='8'/></function>", &caller);
    assert_eq!(lines, ["ret"]);
    assert_eq!(told, ["environment"]);
}

#[test]
fn the_rest_is_read_or_written_where_it_is_memory() {
    let caller =
        Caller { callee: "f", callee_params: "", result: "", params: PTR, args: "v0, 1:i32, v0, null" };
    let (lines, _) = rows("<function name='f'><write-rest from='arg1'/></function>", &caller);
    assert_eq!(lines, ["v1: i64 = havoc", "access.write v0, v1", "ret"]);
    let (lines, _) = rows("<function name='f'><read-rest from='arg2'/></function>", &caller);
    assert_eq!(lines, ["v1: i64 = havoc", "access.read v0, v1", "ret"]);
}

#[test]
fn texts_that_the_kernel_keeps_are_taken_to_stay() {
    for effect in ["read-formatted text='arg0' from='arg0'", "read-text text='arg0' len='4'"] {
        texts_stay(&format!("<function name='f'><{effect}/></function>"));
    }
}

fn texts_stay(row: &str) {
    let of_member = |strukt: &str| {
        let text = format!(
            "{PRELUDE}func f0 \"caller\" (v0: ptr) {{\nb0:\n  v1: ptr = ptradd v0, 8 within {strukt}\n  v2: ptr = load v1\n  \
             call f1(v2) @loc0\n  ret\n}}\nfunc f1 \"f\" ()\n"
        );
        let module = parse_module(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        apply_checked(module, &model(row), &ApplyOptions::default())
    };
    let reads = |applied: &Applied| body(applied).iter().any(|line| line.starts_with("access.read v2"));
    assert!(reads(&of_member("ty2")), "a member of the module's own struct");
    let kept = of_member("ty3");
    assert!(!reads(&kept), "a member of a struct of the kernel's");
    assert!(kept.ledger.iter().any(|a| a.subject.ends_with("do not change meanwhile: inner")));
}

/// What a function uses of which the row says nothing: what lies in a struct of the module's own, if it needs more than the address.
#[test]
fn what_the_module_may_end_is_used() {
    let used = |strukt: &str, row: &str, uses: bool| {
        let text = format!(
            "{PRELUDE}ty7 = struct \"other\" size 16 {{\n  8: ty0 \"count\"\n}}\nfunc f0 \"caller\" (v0: ptr, v1: i32) {{\nb0:\n  v2: ptr = ptradd v0, 8 within {strukt}\n  \
             call f1(v2, v1) @loc0\n  ret\n}}\nfunc f1 \"f\" ()\n"
        );
        let module = parse_module(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let applied = apply_checked(module, &model(row), &ApplyOptions { uses, ..ApplyOptions::default() });
        body(&applied).iter().any(|line| line.starts_with("access.read.volatile v2, 1:i64"))
    };
    assert!(used("ty2", "<function name='f'/>", true));
    assert!(
        used("ty3", "<function name='f'/>", true),
        "a struct of the kernel's that lies in one of the module's"
    );
    assert!(!used("ty7", "<function name='f'/>", true), "a struct of the kernel's");
    assert!(!used("ty2", "<function name='f' address-only='arg0'/>", true));
    assert!(!used("ty2", "<function name='f'><read addr='arg0' len='4'/></function>", true), "it says so");
    assert!(!used("ty2", "<function name='f'/>", false), "nobody asked");
}

const TRANSFER: &str = "<function name='f'><transfer messages='arg0' struct='dev' count='arg1' buffer='next' len='first' \
                        flags='inner' write='0x1' grows='0x400'/></function>";

#[test]
fn each_message_has_a_buffer_that_goes_one_way() {
    let caller = Caller { callee: "f", callee_params: "", result: "", params: PTR, args: "v0, 2:i32" };
    let (lines, told) = rows(TRANSFER, &caller);
    let of_second = lines.iter().filter(|line| line.contains("ptradd v0, 32"));
    assert_eq!(of_second.count(), 4, "flags, buffer, length, and the length again: {lines:#?}");
    let accesses = |what: &str| lines.iter().filter(|line| line.starts_with(what)).count();
    assert_eq!((accesses("access.read"), accesses("access.write")), (2, 4), "{lines:#?}");
    assert_eq!(told, ["environment"]);
}

#[test]
fn of_an_unknown_number_of_messages_any_is_meant() {
    let caller =
        Caller { callee: "f", callee_params: "", result: "", params: "v0: ptr, v1: i32", args: "v0, v1" };
    let (lines, told) = rows(TRANSFER, &caller);
    assert!(lines[0].starts_with("external"), "{lines:#?}");
    assert!(lines.iter().any(|line| line.contains("ptradd v0, 0, v2 * 32")), "{lines:#?}");
    assert_eq!(told, ["environment", "unknown-external"]);
}

#[test]
fn pointers_stay_in_their_object() {
    let caller = Caller { callee: "f", callee_params: "", result: "ptr", params: PTR, args: "v0" };
    let (lines, _) = rows(
        "<function name='f'><move addr='arg0:dev.next'/><return into='arg0:dev->next' fails='null'/></function>",
        &caller,
    );
    let expected = [
        "v2: ptr = ptradd v0, 8 within ty2",
        "v3: ptr = load v2",
        "v4: i64 = havoc",
        "v5: ptr = ptradd v3, 0, v4 * 1",
        "store v5 to v2",
        "v6: ptr = ptradd v0, 8 within ty2",
        "v7: ptr = load v6",
        "v8: i64 = havoc",
        "v9: ptr = ptradd v7, 0, v8 * 1",
        "v10: i1 = havoc",
        "v11: ptr = select v10, v9, null",
        "v1: ptr = select 1:i1, v11, v11",
        "ret v1",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn what_follows_an_allocation_happens_to_the_fresh_object() {
    assert_eq!(
        linux("kmemdup", "ptr", PTR, "v0, 16:i64, 0:i32"),
        [
            "v2: ptr = alloc 16:i64",
            "v3: i1 = havoc",
            "v1: ptr = select v3, v2, null",
            "memcopy v2, v0, 16:i64",
            "ret v1"
        ]
    );
    let user = linux("memdup_user", "ptr", PTR, "v0, 16:i64");
    assert_eq!(user[0], "v2: ptr = error 18446744073709551604:i64");
    assert_eq!(user[3], "v1: ptr = select v4, v3, v2");
    assert_eq!(user[4], "access.write v3, 16:i64");
}

#[test]
fn what_is_resized_stays_or_moves() {
    let row =
        "<function name='f'><alloc size='any' fails='error' resizes='arg0'/><free ptr='arg0'/></function>";
    let caller = Caller { callee: "f", callee_params: "v0: ptr ty1", result: "ptr", params: PTR, args: "v0" };
    let lines = rows(row, &caller).0;
    let expected = [
        "v2: i64 = havoc",
        "v3: ptr = alloc v2",
        "v4: ptr = error 18446744073709551604:i64",
        "v5: i1 = havoc",
        "v6: ptr = select v5, v3, v4",
        "v7: i1 = havoc",
        "v1: ptr = select v7, v0, v6",
        "v8: ptr = select v7, null, v0",
        "free v8",
        "ret v1",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn addresses_follow_declared_types_or_named_structs() {
    let release = "<function name='f'><release class='m' lock='arg0->next.inner.lock'/></function>";
    let declared = Caller { callee: "f", callee_params: "v0: ptr ty1", result: "", params: PTR, args: "v0" };
    let expected = [
        "v1: ptr = ptradd v0, 8 within ty2",
        "v2: ptr = load v1",
        "v3: ptr = ptradd v2, 24 within ty2",
        "release.exclusive \"m\" v3",
        "ret",
    ];
    assert_eq!(rows(release, &declared), (expected.map(str::to_owned).to_vec(), vec!["environment"]));

    let named = "<function name='f'><release class='m' lock='arg0:inner.lock'/></function>";
    let untyped = Caller { callee: "f", callee_params: "v0: ptr ty6", result: "", params: PTR, args: "v0" };
    assert_eq!(rows(named, &untyped).0[0], "v1: ptr = ptradd v0, 8 within ty3");

    // The caller's declaration stands in for a callee that has none.
    let by_caller = Caller { callee: "f", callee_params: "", result: "", params: "v0: ptr ty4", args: "v0" };
    let plain = "<function name='f'><release class='m' lock='arg0.lock'/></function>";
    assert_eq!(rows(plain, &by_caller).0[0], "v1: ptr = ptradd v0, 8 within ty3");
}

#[test]
fn what_cannot_be_resolved_is_conservative_and_told() {
    let caller = Caller { callee: "f", callee_params: "", result: "i32", params: PTR, args: "v0" };
    let check = |effect: &str, expected: &[&str], kinds: &[&str]| {
        let (body, found) = rows(&format!("<function name='f'>{effect}</function>"), &caller);
        assert_eq!(body, expected, "{effect}");
        assert_eq!(found, kinds, "{effect}");
    };
    let told = ["environment", "unsupported"];
    let external = ["environment", "unsupported", "unknown-external"];
    check("<acquire class='m' lock='arg0.lock' success='zero'/>", &["v1: i32 = havoc", "ret v1"], &told);
    check(
        "<release class='m' lock='arg0.lock'/>",
        &["v2: ptr = havoc", "release.exclusive \"m\" v2", "v1: i32 = havoc", "ret v1"],
        &told,
    );
    check("<free ptr='arg3'/>", &["v2: ptr = havoc", "free v2", "v1: i32 = havoc", "ret v1"], &told);
    check(
        "<write addr='arg1' len='8'/><read addr='arg2' len='8'/>",
        &["external \"f\" (v0)", "v1: i32 = havoc", "ret v1"],
        &["environment", "unsupported", "unknown-external", "unsupported"],
    );
    check(
        "<atomic op='add' addr='arg0' bits='32' value='arg1' returns='new'/>",
        &["external \"f\" (v0)", "v1: i32 = havoc", "ret v1"],
        &external,
    );
    check(
        "<register class='irq' handle='arg0.x'/>",
        &["v2: ptr = havoc", "register \"irq\" v2", "v1: i32 = havoc", "ret v1"],
        &told,
    );
    check("<unregister class='irq' handle='arg0.x' sync='yes'/>", &["v1: i32 = havoc", "ret v1"], &told);
    check("<return arg='arg1'/>", &["v1: i32 = havoc", "ret v1"], &told);
    // The headers may not show the struct: what unknown code does to it is at least that.
    let hidden = ["environment", "unknown-external", "unknown-external"];
    check(
        "<write addr='arg0:hidden.x' len='8'/>",
        &["external \"f\" (v0)", "v1: i32 = havoc", "ret v1"],
        &hidden,
    );
}

#[test]
fn results_are_converted() {
    let check = |effect: &str, result: &str, params: &str, expected: &str| {
        let caller = Caller { callee: "f", callee_params: "", result, params, args: "v0" };
        let (body, _) = rows(&format!("<function name='f'>{effect}</function>"), &caller);
        assert_eq!(body[body.len() - 2], expected);
    };
    check("<return arg='arg0'/>", "i64", "v0: i32", "v1: i64 = zext v0");
    check("<return arg='arg0'/>", "i8", "v0: i32", "v1: i8 = trunc v0");
    check("<return arg='arg0'/>", "i64", PTR, "v1: i64 = ptrtoint v0");
    check("<return arg='arg0'/>", "i32", PTR, "v1: i32 = trunc v2");
    check("<return arg='arg0'/>", "ptr", "v0: i32", "v1: ptr = inttoptr v2");
    check("<return const='0'/>", "ptr", PTR, "v1: ptr = select 1:i1, null, null");
    check(
        "<return const='0xffffffffffffffff'/>",
        "i32",
        PTR,
        "v1: i32 = select 1:i1, 4294967295:i32, 4294967295:i32",
    );
    check("<return addr='arg0:dev.inner'/>", "ptr", PTR, "v1: ptr = select 1:i1, v2, v2");
    check("<return addr='arg0:dev->first'/>", "i64", PTR, "v1: i64 = load v2");
    check("<alloc size='8'/>", "i64", PTR, "v1: i64 = ptrtoint v2");
}

#[test]
fn registrations_name_their_callbacks() {
    let irq = linux("request_threaded_irq", "i32", PTR, "9:i32, f0, null, 0:i64, null, v0");
    // Registered if and only if the result is zero.
    assert_eq!(
        irq,
        [
            "v2: i32 = havoc",
            "v1: i32 = select 1:i1, v2, v2",
            "v3: i1 = cmp.eq v2, 0:i32",
            "register \"irq\" v0 callback f0 argument 1 v0 through 9:i32 if v3",
            "ret v1"
        ]
    );
    assert_eq!(
        linux("free_irq", "ptr", PTR, "9:i32, v0"),
        [
            "unregister.sync \"irq\" v0 through 9:i32",
            "unregister.sync \"irq-thread\" v0 through 9:i32",
            "v1: ptr = havoc",
            "ret v1"
        ]
    );
    assert_eq!(linux("mod_timer", "i32", PTR, "v0, 5:i64")[0], "register \"timer\" v0");
    // Who waits for it reads it first.
    assert_eq!(linux("timer_delete_sync", "i32", PTR, "v0")[1], "unregister.sync \"timer\" v0");
    assert_eq!(linux("del_timer", "i32", PTR, "v0")[1], "unregister \"timer\" v0");
    assert_eq!(linux("cancel_work_sync", "i1", PTR, "v0")[1], "unregister.sync \"work\" v0");
    assert_eq!(
        linux("queue_work_on", "i1", "v0: ptr, v1: ptr", "8192:i32, v0, v1")[0],
        "register \"work\" v1 through v0"
    );
    assert_eq!(linux("disable_irq_nosync", "", "v0: i32", "v0"), ["ret"]);
}

#[test]
fn calls_back_with_an_element() {
    let caller =
        Caller { callee: "f", callee_params: "", result: "", params: "v0: ptr, v1: ptr", args: "v0, v1" };
    let (lines, _) =
        rows("<function name='f'><call function='arg1' args='into:arg0 arg0'/></function>", &caller);
    // For each element, in any order.
    assert_eq!(
        lines,
        [
            "br b3",
            "b1:",
            "ret",
            "b2:",
            "v2: i64 = havoc",
            "v3: ptr = ptradd v0, 0, v2 * 1",
            "call *v1(v3, v0)",
            "br b3",
            "b3:",
            "v4: i1 = havoc",
            "brif v4, b2, b1"
        ]
    );
}

#[test]
fn calls_back_in_the_same_thread() {
    let caller = Caller { callee: "f", callee_params: "", result: "", params: PTR, args: "v0" };
    let (lines, _) =
        rows("<function name='f'><call function='arg0:dev->next' args='arg0 any'/></function>", &caller);
    assert_eq!(
        lines,
        [
            "v1: ptr = ptradd v0, 8 within ty2",
            "v2: ptr = load v1",
            "br b3",
            "b1:",
            "ret",
            "b2:",
            "v3: i32 = havoc",
            "call *v2(v0, v3)",
            "br b3",
            "b3:",
            "v4: i1 = havoc",
            "brif v4, b2, b1"
        ]
    );
}

#[test]
fn unknown_functions_are_external_unless_the_user_says_pure() {
    let caller = Caller { callee: "mystery", callee_params: "", result: "i32", params: PTR, args: "v0" };
    let applied = apply_checked(caller.module(), &Model::linux(), &ApplyOptions::default());
    assert_eq!(body(&applied), ["v1: i32 = external \"mystery\" (v0)", "ret v1"]);
    let only = applied.ledger.iter().next().expect("an entry");
    assert_eq!((only.kind, only.subject.as_str()), (AssumptionKind::UnknownExternal, "mystery"));
    assert!(only.loc.is_some());

    let pure = ApplyOptions { externals: Externals::Pure, ..ApplyOptions::default() };
    let applied = apply_checked(caller.module(), &Model::linux(), &pure);
    assert_eq!(body(&applied), ["v1: i32 = havoc", "ret v1"]);
    assert_eq!(applied.ledger.iter().next().map(|a| a.kind), Some(AssumptionKind::PureExternal));
    let silent = Caller { result: "", ..caller };
    assert_eq!(body(&apply_checked(silent.module(), &Model::linux(), &pure)), ["ret"]);
}

fn asm_module(template: &str, constraints: &str, result: &str, args: &str, rest: &str) -> Module {
    let text = format!(
        "{PRELUDE}func f0 \"caller\" (v0: ptr, v1: i64, v2: i32) {{\nb0:\n  v3: {result} = call asm \
         \"{template}\" \"{constraints}\" ({args}) @loc0\n{rest}  ret\n}}\n"
    );
    parse_module(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

#[test]
fn assembly_is_matched_by_template_and_constraints() {
    let lock = ".pushsection .smp_locks,\\\"a\\\"\\u{a}.popsection\\u{a}671:\\u{a}\\u{9}lock; ";
    let bts = asm_module(
        &format!("{lock} btsq  $2, $0\\u{{a}}\\u{{9}}/* output condition code c*/\\u{{a}}"),
        "=*m,={@ccc},Ir,*m,~{memory}",
        "i8",
        "v0, v1, v0",
        "",
    );
    let lines = body(&apply_checked(bts, &Model::linux(), &ApplyOptions::default()));
    assert!(lines.iter().any(|l| l.contains("rmw.or.seqcst")), "{lines:?}");
    assert!(lines.iter().any(|l| l.starts_with("v3: i8 = zext")), "{lines:?}");

    let unknown = asm_module("frob $0", "r", "i8", "v0", "");
    let applied = apply_checked(unknown, &Model::linux(), &ApplyOptions::default());
    assert_eq!(body(&applied)[0], "v3: i8 = external \"asm \\\"frob $0\\\"\" (v0)");
    assert_eq!(applied.ledger.iter().next().map(|a| a.kind), Some(AssumptionKind::InlineAssembly));
}

#[test]
fn both_results_of_a_compare_and_exchange_are_found() {
    let try_cmpxchg = asm_module(
        "lock; cmpxchgl $3, $1\\u{a}\\u{9}/* output condition code z*/\\u{a}",
        "={@ccz},=*m,={ax},r,*m,2,~{memory}",
        "opaque8",
        "v0, v2, v0, 7:i32",
        "  v4: i8 = extract v3, 0\n  v5: i32 = extract v3, 1\n",
    );
    let lines = body(&apply_checked(try_cmpxchg, &Model::linux(), &ApplyOptions::default()));
    assert_eq!(
        lines,
        [
            "v6: i32 = cmpxchg.seqcst v0, 7:i32, v2",
            "v7: i1 = cmp.eq v6, 7:i32",
            "v3: opaque8 = havoc",
            "v4: i8 = zext v7",
            "v5: i32 = select 1:i1, v6, v6",
            "ret"
        ]
    );
}

#[test]
fn nothing_follows_a_function_that_does_not_return() {
    let text = format!(
        "{PRELUDE}func f0 \"caller\" (v0: i1) -> i32 {{\nb0:\n  brif v0, b1, b2\nb1:\n  call f1() @loc0\n  \
         v1: i32 = havoc\n  br b3\nb2:\n  v2: i32 = havoc\n  br b4\nb3:\n  v3: i32 = add v1, 1:i32\n  br b4\nb4:\n  \
         v4: i32 = phi b2: v2, b3: v3\n  ret v4\n}}\nfunc f1 \"fortify_panic\" ()\n"
    );
    let applied = apply_checked(parse_module(&text).unwrap(), &Model::linux(), &ApplyOptions::default());
    let printed = applied.module.to_string();
    assert!(printed.contains("v4: i32 = phi b2: v2\n"), "{printed}");
    assert!(printed.contains("b1:\n  unreachable"), "{printed}");
    assert!(printed.contains("b3:\n  unreachable"), "{printed}");
}

#[test]
fn a_row_wins_over_a_header_but_not_over_a_drivers_own_function() {
    let with = |flags: &str, place: &str| {
        let text = format!(
            "{PRELUDE}func f0 \"caller\" (v0: ptr) {{\nb0:\n  call f1(v0)\n  ret\n}}\n\
             func f1 \"mutex_lock\" {flags} (v0: ptr) {place} {{\nb0:\n  ret\n}}\n"
        );
        let module = parse_module(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        body(&apply_checked(module, &Model::linux(), &ApplyOptions::default()))[0].clone()
    };
    let lock = "acquire.exclusive \"mutex\" v0";
    assert_eq!(with("", "@loc1"), lock);
    assert_eq!(with("exported", "@loc0"), lock);
    assert_eq!(with("", ""), lock);
    assert_eq!(with("", "@loc0"), "call f1(v0)");
}

#[test]
fn indirect_calls_stay() {
    let text = format!("{PRELUDE}func f0 \"caller\" (v0: ptr) {{\nb0:\n  call *v0()\n  ret\n}}\n");
    let applied = apply_checked(parse_module(&text).unwrap(), &Model::linux(), &ApplyOptions::default());
    assert_eq!(body(&applied), ["call *v0()", "ret"]);
    assert!(applied.ledger.is_empty());
}

mod every_row;
