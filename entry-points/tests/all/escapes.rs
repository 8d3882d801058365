//! Functions whose addresses leave the module, and those whose addresses stay.

use lockpair_entry_points::{EntryPointError, Escaped, Options, find};
use lockpair_env::schema::{CallArg, Effect};
use lockpair_ir::{Asm, AssumptionKind, Callee, Op, Operand, Terminator, Ty};

use crate::build::{Build, Env, env};
use crate::find::with_user;

/// `static void (*const handlers[])(...)`, indexed and called in the module.
fn local_table(b: &mut Build, user: lockpair_ir::FuncId) -> (lockpair_ir::GlobalId, Operand) {
    let f = b.func("handler", 1);
    let ptr = b.ptr();
    let array = b.array(ptr, 4);
    let table = b.global("rtl_hw_configs", Some(array), &[(8, Operand::Func(f))]);
    let p = b.param(user, 0);
    let slot = b.element(user, Operand::Global(table, 0), p, 8);
    let loaded = b.load(user, slot);
    b.call_pointer(user, loaded, &[p]);
    (table, loaded)
}

#[test]
fn local_table_is_no_entry_point() {
    let (mut b, user) = with_user();
    local_table(&mut b, user);
    assert_eq!(
        find(&b.module, &[], &env(), &Options::default()).unwrap_err(),
        EntryPointError::NoneFound { module: "drv".to_owned() }
    );
}

#[test]
fn local_table_whose_address_leaves() {
    let (mut b, user) = with_user();
    let (table, _) = local_table(&mut b, user);
    let external = b.declare("external");
    b.call(user, external, &[Operand::Global(table, 0)]);
    assert_eq!(b.roles(&env()), ["handler escaped"]);
}

#[test]
fn local_table_that_others_can_name() {
    let (mut b, user) = with_user();
    let (table, _) = local_table(&mut b, user);
    b.module.globals[table].exported = true;
    assert_eq!(b.roles(&env()), ["handler escaped"]);
}

#[test]
fn local_table_whose_content_leaves() {
    let (mut b, user) = with_user();
    let (_, loaded) = local_table(&mut b, user);
    let external = b.declare("external");
    b.call(user, external, &[loaded]);
    assert_eq!(b.roles(&env()), ["handler escaped"]);
}

#[test]
fn local_table_whose_content_is_returned_to_the_kernel() {
    let (mut b, user) = with_user();
    let (_, loaded) = local_table(&mut b, user);
    let block = b.module.funcs[user].entry();
    b.module.funcs[user].blocks[block].term = Terminator::Ret(Some(loaded));
    assert_eq!(b.roles(&env()), ["handler escaped"]);
}

#[test]
fn table_that_nobody_names_is_for_the_linker() {
    let mut b = Build::new();
    let f = b.func("my_set", 1);
    let ops = b.ops("my_param_ops", false, &["set"]);
    let param_ops = b.global("ops", Some(ops), &[(0, Operand::Func(f))]);
    let param = b.ops("kernel_param", false, &["ops"]);
    b.global("__param_x", Some(param), &[(0, Operand::Global(param_ops, 0))]);
    assert_eq!(b.roles(&env()), ["my_set escaped"]);
}

#[test]
fn table_passed_through_static_helpers_stays() {
    let (mut b, user) = with_user();
    let cond = b.ops("rtl_cond", true, &["check", "msg"]);
    let f = b.func("check", 1);
    let table = b.global("cond", Some(cond), &[(0, Operand::Func(f))]);
    let helper = b.func("loop_wait", 1);
    let c = b.param(helper, 0);
    let slot = b.field(helper, c, 0, cond);
    let loaded = b.load(helper, slot);
    b.call_pointer(helper, loaded, &[]);
    b.call(user, helper, &[Operand::Global(table, 0)]);
    assert!(b.roles(&env()).is_empty());
    // The same helper, if the kernel can call it, still gets nothing out.
    b.module.funcs[helper].exported = true;
    assert!(b.roles(&env()).is_empty());
}

#[test]
fn stack_object_that_leaves_takes_functions_along() {
    let (mut b, user) = with_user();
    let config = b.ops("my_config", false, &["cb"]);
    let f = b.func("cb", 1);
    let local = b.alloca(user, 8, Some(config));
    let slot = b.field(user, local, 0, config);
    b.store(user, slot, Operand::Func(f));
    assert!(b.roles(&env()).is_empty());
    let external = b.declare("external");
    b.call(user, external, &[local]);
    assert_eq!(b.roles(&env()), ["cb escaped"]);
}

#[test]
fn store_through_an_address_of_unknown_making_escapes() {
    let (mut b, user) = with_user();
    let f = b.func("cb", 1);
    let address = Operand::int(64, 0xffff_0000);
    let op = Op::Cast(lockpair_ir::CastOp::IntToPtr, address);
    let pointer = b.op(user, op, Some(Ty::Ptr), None);
    b.store(user, pointer, Operand::Func(f));
    assert_eq!(b.roles(&env()), ["cb escaped"]);
}

#[test]
fn calling_and_comparing_is_no_escape() {
    let (mut b, user) = with_user();
    let f = b.func("cb", 1);
    let p = b.param(user, 0);
    b.call_pointer(user, Operand::Func(f), &[p]);
    b.op(user, Op::Cmp(lockpair_ir::CmpOp::Eq, p, Operand::Func(f)), Some(Ty::Int(1)), None);
    assert!(b.roles(&env()).is_empty());
}

#[test]
fn assembly_keeps_values_but_not_memory_operands() {
    let asm = |constraints: &str| {
        let (mut b, user) = with_user();
        let f = b.func("cb", 1);
        let state = b.ops("state", true, &["cb", "bits"]);
        let global = b.global("state", Some(state), &[(0, Operand::Func(f))]);
        let asm = Asm { template: "bts".to_owned(), constraints: constraints.to_owned() };
        let args = vec![Operand::Global(global, 8)];
        b.op(user, Op::Call { callee: Callee::Asm(asm), args }, Some(Ty::Int(8)), None);
        b.roles(&env())
    };
    assert!(asm("=*m,~{memory}").is_empty());
    assert!(asm("={@ccc},=*m,~{memory}").is_empty());
    assert_eq!(asm("r,~{memory}"), ["cb escaped"]);
    assert_eq!(asm("=r,r,~{memory}"), ["cb escaped"]);
}

#[test]
fn modelled_functions_keep_only_what_their_row_says() {
    let roles = |effects: Vec<Effect>| {
        let (mut b, user) = with_user();
        let f = b.func("cb", 1);
        let state = b.ops("state", true, &["cb", "lock"]);
        let global = b.global("state", Some(state), &[(0, Operand::Func(f))]);
        let modelled = b.declare("modelled");
        b.call(user, modelled, &[Operand::Global(global, 8)]);
        b.roles(&Env::default().function("modelled", effects))
    };
    let lock = || "arg0".parse().unwrap();
    let mode = lockpair_ir::LockMode::Exclusive;
    assert!(
        roles(vec![Effect::Acquire {
            class: "m".to_owned(),
            mode,
            lock: lock(),
            success: None,
            ignorable: false
        }])
        .is_empty()
    );
    assert_eq!(
        roles(vec![Effect::Publish { ptr: lock(), if_zero: false, unwatched: false }]),
        ["cb escaped"]
    );
    assert_eq!(roles(vec![]), ["cb escaped"]);
}

#[test]
fn escaped_functions_can_be_assumed_away() {
    let (mut b, user) = with_user();
    b.func("init_module", 0);
    let f = b.func("cb", 1);
    let external = b.declare("external");
    b.call(user, external, &[Operand::Func(f)]);
    let options = Options { escaped: Escaped::Assume, ..Options::default() };
    let eps = find(&b.module, &[], &env(), &options).unwrap();
    assert_eq!(eps.items.len(), 1);
    let assumed: Vec<&str> = eps
        .ledger
        .iter()
        .filter(|a| a.kind == AssumptionKind::EscapedFunction)
        .map(|a| a.subject.as_str())
        .collect();
    assert_eq!(assumed, ["cb"]);
}

#[test]
fn known_function_that_also_escapes_has_both_roles() {
    let (mut b, user) = with_user();
    let ops = b.ops("net_device_ops", false, &["ndo_open"]);
    let f = b.func("my_open", 1);
    b.global("ops", Some(ops), &[(0, Operand::Func(f))]);
    assert_eq!(b.roles(&env()), ["my_open net_device_ops.ndo_open"]);
    let external = b.declare("external");
    b.call(user, external, &[Operand::Func(f)]);
    assert_eq!(b.roles(&env()), ["my_open net_device_ops.ndo_open", "my_open#2 escaped"]);
}

/// `walk(function, arg)` calls `function(given)`; the function gives what it gets to `sink`.
fn walked(given: CallArg, sink: &str) -> Vec<String> {
    let (mut b, user) = with_user();
    let (table, _) = local_table(&mut b, user);
    let each = b.func("each", 1);
    let param = b.param(each, 0);
    let sink = b.declare(sink);
    b.call(each, sink, &[param]);
    let walk = b.declare("walk");
    b.call(user, walk, &[Operand::Func(each), Operand::Global(table, 0)]);
    let call = Effect::Call { function: "arg0".parse().unwrap(), args: vec![given] };
    b.roles(&env().function("walk", vec![call]).compares("compare"))
}

#[test]
fn what_is_given_to_a_function_that_is_called_within_stays() {
    let at = || CallArg::At("arg1".parse().unwrap());
    assert!(walked(CallArg::Any, "external").is_empty());
    assert!(walked(CallArg::At("arg0".parse().unwrap()), "compare").is_empty());
    assert_eq!(walked(at(), "external"), ["handler escaped"]);
    assert_eq!(walked(CallArg::Into("arg1".parse().unwrap()), "external"), ["handler escaped"]);
    assert_eq!(walked(CallArg::At("arg0".parse().unwrap()), "external"), ["each escaped"]);
}
