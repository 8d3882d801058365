//! Each rule of finding, both ways.

use lockpair_entry_points::{EntryPointError, Note, Options, Origin, find};
use lockpair_env::schema::Effect;
use lockpair_ir::{AssumptionKind, Op, Operand, Ty, TypeId};

use crate::build::{Build, Env, env};

const FOPS: [&str; 4] = ["owner", "read", "open", "custom"];

/// A module whose function `uses` has one parameter and names whatever the test adds.
pub fn with_user() -> (Build, lockpair_ir::FuncId) {
    let mut b = Build::new();
    let user = b.func("uses", 1);
    (b, user)
}

// ---- tables

#[test]
fn function_in_a_table_with_a_row() {
    let mut b = Build::new();
    let fops = b.ops("file_operations", false, &FOPS);
    let read = b.func("my_read", 1);
    let table = b.global("my_fops", Some(fops), &[(8, Operand::Func(read))]);
    let eps = b.find(&env());
    let ep = eps.items.values().next().unwrap();
    assert_eq!((ep.func, ep.role.as_str(), ep.table), (read, "file_operations.read", Some(table)));
    assert_eq!(ep.origin, Origin::Table { global: table, field: "file_operations.read".to_owned() });
    assert!(eps.ledger.iter().any(|a| a.kind == AssumptionKind::Environment));
}

#[test]
fn field_without_a_row_escapes() {
    let mut b = Build::new();
    let fops = b.ops("file_operations", false, &FOPS);
    let f = b.func("my_custom", 1);
    b.global("my_fops", Some(fops), &[(24, Operand::Func(f))]);
    assert_eq!(b.roles(&env()), ["my_custom escaped"]);
}

#[test]
fn declared_functions_are_no_entry_points() {
    let mut b = Build::new();
    let fops = b.ops("file_operations", false, &FOPS);
    let f = b.declare("noop_llseek");
    b.global("my_fops", Some(fops), &[(8, Operand::Func(f))]);
    assert!(b.roles(&env()).is_empty());
}

#[test]
fn nested_structs_and_arrays() {
    let mut b = Build::new();
    let fops = b.ops("file_operations", false, &FOPS);
    let pair = b.array(fops, 2);
    let ptr = b.ptr();
    let chip = b.strukt("chip", true, &[("name", ptr), ("fops", pair)]);
    let chips = b.array(chip, 3);
    let read = b.func("my_read", 1);
    // chips[1].fops[1].read
    b.global("chips", Some(chips), &[(72 + 8 + 32 + 8, Operand::Func(read))]);
    assert_eq!(b.roles(&env()), ["my_read file_operations.read"]);
}

#[test]
fn outer_row_wins() {
    let mut b = Build::new();
    let inner = b.ops("device_driver", false, &["probe"]);
    let outer = b.strukt("platform_driver", false, &[("driver", inner)]);
    let f = b.func("my_probe", 1);
    b.global("drv", Some(outer), &[(0, Operand::Func(f))]);
    let inner_only = Env::default().row("device_driver.probe", &[]);
    assert_eq!(b.roles(&inner_only), ["my_probe device_driver.probe"]);
    let both = inner_only.row("platform_driver.driver.probe", &[]);
    assert_eq!(b.roles(&both), ["my_probe platform_driver.driver.probe"]);
}

#[test]
fn owner_decides_on_the_module_reference() {
    let classes = |owner: Option<Operand>| {
        let mut b = Build::new();
        let fops = b.ops("file_operations", false, &FOPS);
        let read = b.func("my_read", 1);
        let this = b.global("__this_module", None, &[]);
        let mut init = vec![(8, Operand::Func(read))];
        init.extend(
            owner.map(|owner| (0, if owner == Operand::Null { owner } else { Operand::Global(this, 0) })),
        );
        b.global("my_fops", Some(fops), &init);
        let eps = b.find(&env());
        let locks =
            eps.items.values().next().unwrap().locks.iter().map(|l| l.class.clone()).collect::<Vec<_>>();
        (locks, eps.notes.iter().any(|n| matches!(n, Note::OwnerUnset { .. })))
    };
    let both = vec!["session".to_owned(), "module-ref".to_owned()];
    let session = vec!["session".to_owned()];
    assert_eq!(classes(Some(Operand::Undef(Ty::Ptr))), (both, false));
    assert_eq!(classes(Some(Operand::Null)), (session.clone(), true));
    assert_eq!(classes(None), (session, true));
}

#[test]
fn same_call_is_one_entry_point_and_different_calls_are_two() {
    let mut b = Build::new();
    let fops = b.ops("file_operations", false, &["read", "open", "poll"]);
    let f = b.func("f", 2);
    b.global("one", Some(fops), &[(0, Operand::Func(f)), (16, Operand::Func(f))]);
    b.global("two", Some(fops), &[(0, Operand::Func(f))]);
    assert_eq!(b.roles(&env()), ["f file_operations.read"]);
    b.global("three", Some(fops), &[(8, Operand::Func(f))]);
    assert_eq!(b.roles(&env()), ["f file_operations.read", "f#2 file_operations.open"]);
}

#[test]
fn what_runs_within_a_call_is_an_entry_point_where_nobody_makes_that_call() {
    let roles = |called: &str| {
        let (mut b, user) = with_user();
        let ops = b.ops("hw_ops", false, &["start"]);
        let f = b.func("f", 0);
        b.global("one", Some(ops), &[(0, Operand::Func(f))]);
        let called = b.declare(called);
        b.call(user, called, &[Operand::Null]);
        let start = "arg0:hw->ops:hw_ops->start".parse().unwrap();
        let add = vec![Effect::Call { function: start, args: vec![] }];
        b.roles(&env().row("hw_ops.start", &[]).within_calls("hw_ops").function("add", add))
    };
    assert_eq!(roles("give_to_others"), ["f hw_ops.start"]);
    assert!(roles("add").is_empty());
}

#[test]
fn locks_in_the_table_tell_tables_apart() {
    let mut b = Build::new();
    let ops = b.ops("hw_ops", false, &["run"]);
    let f = b.func("f", 2);
    b.global("one", Some(ops), &[(0, Operand::Func(f))]);
    b.global("two", Some(ops), &[(0, Operand::Func(f))]);
    let env = Env::default().row("hw_ops.run", &["core@table"]);
    assert_eq!(b.roles(&env), ["f hw_ops.run", "f#2 hw_ops.run"]);
}

#[test]
fn parts_of_a_row_about_missing_parameters_are_ignored() {
    let mut b = Build::new();
    let fops = b.ops("file_operations", false, &["open"]);
    let f = b.func("my_open", 1);
    b.global("fops", Some(fops), &[(0, Operand::Func(f))]);
    let eps = b.find(&env());
    let ep = eps.items.values().next().unwrap();
    assert!(ep.locks.iter().all(|l| l.class == "module-ref"));
    assert!(eps.notes.contains(&Note::MissingParameter { func: f, role: ep.role.clone(), param: 1 }));
}

// ---- stores

#[test]
fn store_to_a_field_with_a_row() {
    let (mut b, user) = with_user();
    let work = b.ops("work_struct", false, &["data", "func"]);
    let f = b.func("my_work", 1);
    let p = b.param(user, 0);
    let addr = b.field(user, p, 8, work);
    b.store(user, addr, Operand::Func(f));
    assert_eq!(b.roles(&env()), ["my_work work_struct.func"]);
}

#[test]
fn locks_in_the_table_need_a_table() {
    let (mut b, user) = with_user();
    let ops = b.ops("hw_ops", false, &["run"]);
    let env = Env::default().row("hw_ops.run", &["core@table", "big@global:big"]);
    let f = b.func("f", 1);
    let p = b.param(user, 0);
    let slot = b.field(user, p, 0, ops);
    b.store(user, slot, Operand::Func(f));
    let eps = b.find(&env);
    let ep = eps.items.values().next().unwrap();
    assert_eq!((ep.table, ep.locks.len(), ep.locks[0].class.as_str()), (None, 1, "big"));
    let global = b.global("my_hw", Some(ops), &[]);
    b.module.globals[global].constant = false;
    let slot = b.field(user, Operand::Global(global, 0), 0, ops);
    b.store(user, slot, Operand::Func(f));
    let eps = b.find(&env);
    assert!(eps.items.values().any(|ep| ep.table == Some(global) && ep.locks.len() == 2));
}

#[test]
fn store_through_the_outer_struct_alone() {
    let (mut b, user) = with_user();
    let work = b.ops("work_struct", false, &["data", "func"]);
    let ptr = b.ptr();
    let private = b.strukt("my_priv", true, &[("x", ptr), ("work", work)]);
    let f = b.func("my_work", 1);
    let p = b.param(user, 0);
    let addr = b.field(user, p, 16, private);
    b.store(user, addr, Operand::Func(f));
    assert_eq!(b.roles(&env()), ["my_work work_struct.func"]);
}

#[test]
fn store_at_offset_zero_goes_by_the_declared_type() {
    let (mut b, user) = with_user();
    let work = b.ops("work_struct", false, &["func"]);
    let to_work = b.ptr_to(work);
    let f = b.func("my_work", 1);
    let p = b.param(user, 0);
    b.store(user, p, Operand::Func(f));
    assert_eq!(b.roles(&env()), ["my_work escaped"]);
    b.module.funcs[user].params[0].decl = Some(to_work);
    assert_eq!(b.roles(&env()), ["my_work work_struct.func"]);
}

#[test]
fn store_through_a_pointer_loaded_from_a_typed_field() {
    let (mut b, user) = with_user();
    let work = b.ops("work_struct", false, &["func"]);
    let to_work = b.ptr_to(work);
    let private = b.strukt("my_priv", true, &[("work", to_work)]);
    let f = b.func("my_work", 1);
    let p = b.param(user, 0);
    let slot = b.field(user, p, 0, private);
    let loaded = b.load(user, slot);
    b.store(user, loaded, Operand::Func(f));
    assert_eq!(b.roles(&env()), ["my_work work_struct.func"]);
}

#[test]
fn modelled_store_to_a_field_with_a_row() {
    let roles = |addr: &str| {
        let (mut b, user) = with_user();
        b.ops("work_struct", false, &["data", "func"]);
        let setup = b.declare("setup");
        let f = b.func("my_work", 1);
        let p = b.param(user, 0);
        b.call(user, setup, &[p, Operand::Func(f)]);
        let mark = lockpair_ir::Mark::Plain;
        let effect = Effect::Store { addr: addr.parse().unwrap(), arg: 1, mark, unless_null: false };
        b.roles(&env().function("setup", vec![effect]))
    };
    assert_eq!(roles("arg0:work_struct.func"), ["my_work work_struct.func"]);
    assert_eq!(roles("arg0.work:work_struct.func"), ["my_work work_struct.func"]);
    assert_eq!(roles("arg0:work_struct.data"), ["my_work escaped"]);
    assert_eq!(roles("arg0.func"), ["my_work escaped"]);
    assert_eq!(roles("arg0:no_such_struct.func"), ["my_work escaped"]);
}

#[test]
fn store_to_a_field_without_a_row_escapes() {
    let (mut b, user) = with_user();
    let private = b.ops("my_priv", true, &["x", "handler"]);
    let f = b.func("my_handler", 1);
    let p = b.param(user, 0);
    let addr = b.field(user, p, 8, private);
    b.store(user, addr, Operand::Func(f));
    assert_eq!(b.roles(&env()), ["my_handler escaped"], "the module does not call it");
    call_through(&mut b, private, &[Operand::Null, Operand::Null]);
    assert_eq!(b.roles(&env()), ["my_handler escaped"], "another number of arguments");
    call_through(&mut b, private, &[Operand::Null]);
    assert!(b.roles(&env()).is_empty());
}

/// Another function that calls what is in the second field of a struct.
fn call_through(b: &mut Build, strukt: TypeId, args: &[Operand]) {
    let caller = b.func("caller", 1);
    let p = b.param(caller, 0);
    let slot = b.field(caller, p, 8, strukt);
    let loaded = b.load(caller, slot);
    b.call_pointer(caller, loaded, args);
}

#[test]
fn a_private_struct_that_another_file_gets_is_not_private() {
    let (mut b, user) = with_user();
    let private = b.ops("my_priv", true, &["x", "handler"]);
    let f = b.func("my_handler", 1);
    let ops = b.global("my_ops", Some(private), &[(8, Operand::Func(f))]);
    let p = b.param(user, 0);
    let addr = b.field(user, p, 8, private);
    b.store(user, addr, Operand::Func(f));
    call_through(&mut b, private, &[Operand::Null]);
    assert!(b.roles(&env()).is_empty());
    let other_file = b.declare("my_core_register");
    b.call(user, other_file, &[Operand::Global(ops, 0)]);
    assert_eq!(b.roles(&env()), ["my_handler escaped"]);
}

#[test]
fn functions_behind_a_private_struct_that_nobody_calls() {
    let (mut b, user) = with_user();
    let private = b.ops("my_priv", true, &["x", "ops"]);
    let table = b.ops("my_ops", true, &["x", "handler"]);
    let f = b.func("my_handler", 1);
    let ops = b.global("ops", Some(table), &[(8, Operand::Func(f))]);
    let p = b.param(user, 0);
    let addr = b.field(user, p, 8, private);
    b.store(user, addr, Operand::Global(ops, 0));
    assert_eq!(b.roles(&env()), ["my_handler escaped"]);
    let caller = b.func("caller", 1);
    let q = b.param(caller, 0);
    let slot = b.field(caller, q, 8, private);
    let loaded = b.load(caller, slot);
    let handler = b.field(caller, loaded, 8, table);
    let handler = b.load(caller, handler);
    b.call_pointer(caller, handler, &[Operand::Null]);
    assert!(b.roles(&env()).is_empty());
}

/// The walk ends at an object that code outside knows, and goes on beside it.
#[test]
fn functions_behind_a_private_struct_between_objects_that_escape() {
    let (mut b, user) = with_user();
    let private = b.ops("my_priv", true, &["x", "parts"]);
    let parts = b.ops("my_parts", true, &["before", "ops", "after"]);
    let public = b.ops("public", false, &["x"]);
    let table = b.ops("my_ops", true, &["x", "handler"]);
    let f = b.func("my_handler", 1);
    let before = b.global("before", Some(public), &[]);
    let ops = b.global("ops", Some(table), &[(8, Operand::Func(f))]);
    let after = b.global("after", Some(public), &[]);
    let init = [(0, before), (8, ops), (16, after)].map(|(at, global)| (at, Operand::Global(global, 0)));
    let all = b.global("all", Some(parts), &init);
    let outside = b.declare("outside");
    b.call(user, outside, &[Operand::Global(before, 0), Operand::Global(after, 0)]);
    let p = b.param(user, 0);
    let addr = b.field(user, p, 8, private);
    b.store(user, addr, Operand::Global(all, 0));
    assert_eq!(b.roles(&env()), ["my_handler escaped"]);
}

#[test]
fn trust_in_a_private_struct_is_recorded() {
    let (mut b, user) = with_user();
    let private = b.ops("my_priv", true, &["x", "handler"]);
    let f = b.func("my_handler", 1);
    let p = b.param(user, 0);
    let addr = b.field(user, p, 8, private);
    b.store(user, addr, Operand::Func(f));
    b.func("init_module", 0);
    call_through(&mut b, private, &[Operand::Null]);
    let eps = find(&b.module, &[], &env(), &Options::default()).unwrap();
    let found = eps.ledger.iter().find(|a| a.kind == AssumptionKind::PrivateStruct).unwrap();
    assert_eq!(found.subject, "my_priv.handler");
    assert!(found.loc.is_some());
}

#[test]
fn copy_of_an_untyped_constant_goes_by_the_destination() {
    let (mut b, user) = with_user();
    let work = b.ops("work_struct", false, &["data", "func"]);
    let f = b.func("my_work", 1);
    let image = b.global("__const.uses.w", None, &[(8, Operand::Func(f))]);
    let local = b.alloca(user, 16, Some(work));
    let len = Operand::int(64, 16);
    b.op(user, Op::MemCopy { dst: local, src: Operand::Global(image, 0), len }, None, None);
    let register = b.declare("register_work");
    b.call(user, register, &[local]);
    assert_eq!(b.roles(&env()), ["my_work work_struct.func"]);
}

#[test]
fn copy_beyond_its_length_copies_nothing() {
    let (mut b, user) = with_user();
    let f = b.func("my_work", 1);
    let image = b.global("__const.uses.w", None, &[(8, Operand::Func(f))]);
    let p = b.param(user, 0);
    let copy = |len| Op::MemCopy { dst: p, src: Operand::Global(image, 0), len: Operand::int(64, len) };
    b.op(user, copy(8), None, None);
    assert!(b.roles(&env()).is_empty());
    b.op(user, copy(16), None, None);
    assert_eq!(b.roles(&env()), ["my_work escaped"]);
}

// ---- registrations

#[test]
fn registered_callback() {
    let (mut b, user) = with_user();
    let request = b.declare("request_irq");
    let f = b.func("my_irq", 1);
    let p = b.param(user, 0);
    b.call(user, request, &[p, Operand::Func(f)]);
    let eps = b.find(&env());
    let ep = eps.items.values().next().unwrap();
    assert_eq!((ep.name.as_str(), ep.role.as_str(), ep.locks.len()), ("my_irq", "irq", 1));
    assert!(matches!(&ep.origin, Origin::Registered { by, .. } if by == "request_irq"));
    assert_eq!(eps.items.len(), 1);
}

#[test]
fn function_in_another_argument_escapes() {
    let (mut b, user) = with_user();
    let request = b.declare("request_irq");
    let f = b.func("my_irq", 1);
    b.call(user, request, &[Operand::Func(f), Operand::Null]);
    assert_eq!(b.roles(&env()), ["my_irq escaped"]);
}

#[test]
fn callback_class_without_a_row_holds_nothing() {
    let (mut b, user) = with_user();
    let request = b.declare("request_irq");
    let f = b.func("my_irq", 1);
    b.call(user, request, &[Operand::Null, Operand::Func(f)]);
    let env = Env::default().registers("request_irq", "irq", 1);
    assert_eq!(b.roles(&env), ["my_irq irq"]);
    assert!(b.find(&env).items.values().all(|ep| ep.locks.is_empty()));
}

#[test]
fn several_candidates_through_select_table_and_helper() {
    let (mut b, user) = with_user();
    let request = b.declare("request_irq");
    let helper = b.func("helper", 1);
    let handler = b.param(helper, 0);
    b.call(helper, request, &[Operand::Null, handler]);
    let [one, two, three] = ["one", "two", "three"].map(|name| b.func(name, 1));
    let p = b.param(user, 0);
    let (then, els) = (Operand::Func(one), Operand::Func(two));
    let chosen = b.op(user, Op::Select { cond: p, then, els }, Some(Ty::Ptr), None);
    b.call(user, helper, &[chosen]);
    let ptr = b.ptr();
    let array = b.array(ptr, 4);
    let table = b.global("handlers", Some(array), &[(24, Operand::Func(three))]);
    let slot = b.element(user, Operand::Global(table, 0), p, 8);
    let loaded = b.load(user, slot);
    b.call(user, helper, &[loaded]);
    assert_eq!(b.roles(&env()), ["one irq", "two irq", "three irq"]);
}

#[test]
fn registration_reads_only_the_member_it_names() {
    let (mut b, user) = with_user();
    let request = b.declare("request_irq");
    let info = b.ops("info", true, &["setup", "handler"]);
    let infos = b.array(info, 2);
    let [setup, handler] = ["setup", "handler"].map(|name| b.func(name, 1));
    let init = [(16, Operand::Func(setup)), (24, Operand::Func(handler))];
    let table = b.global("infos", Some(infos), &init);
    let p = b.param(user, 0);
    let element = b.element(user, Operand::Global(table, 0), p, 16);
    let setup_slot = b.field(user, element, 0, info);
    let setup_value = b.load(user, setup_slot);
    b.call_pointer(user, setup_value, &[]);
    let handler_slot = b.field(user, element, 8, info);
    let handler_value = b.load(user, handler_slot);
    b.call(user, request, &[Operand::Null, handler_value]);
    assert_eq!(b.roles(&env()), ["handler irq"]);
}

// ---- module functions and exports

#[test]
fn init_and_exit_through_aliases() {
    let mut b = Build::new();
    let init = b.func("my_init", 0);
    let exit = b.func("my_exit", 0);
    let marker = b.global("__UNIQUE_ID___addressable_init_module12", None, &[(0, Operand::Func(init))]);
    b.global("llvm.compiler.used", None, &[(0, Operand::Global(marker, 0))]);
    let aliases = [("init_module".to_owned(), init), ("cleanup_module".to_owned(), exit)];
    let eps = find(&b.module, &aliases, &env(), &Options::default()).unwrap();
    let roles: Vec<&str> = eps.items.values().map(|ep| ep.role.as_str()).collect();
    assert_eq!(roles, ["module.init", "module.exit"]);
    assert!(eps.items.values().all(|ep| ep.origin == Origin::Module));
}

#[test]
fn init_calls_of_built_in_code() {
    let mut b = Build::new();
    let init = b.func("my_init", 0);
    b.module.funcs[init].ret = Some(Ty::Int(32));
    b.global("__UNIQUE_ID___addressable_my_init7", None, &[(0, Operand::Func(init))]);
    assert_eq!(b.roles(&env()), ["my_init module.init"]);
}

#[test]
fn exported_symbols() {
    let mut b = Build::new();
    let [by_marker, by_name, by_option, plain] =
        ["by_marker", "by_name", "by_option", "plain"].map(|name| b.func(name, 1));
    for f in [by_marker, by_name, by_option, plain] {
        b.module.funcs[f].exported = true;
    }
    b.global("__UNIQUE_ID___addressable_by_marker3", None, &[(0, Operand::Func(by_marker))]);
    b.global("__ksymtab_by_name", None, &[]);
    let options = Options { exported: vec!["by_option".to_owned()], ..Options::default() };
    assert_eq!(
        b.roles_with(&env(), &options),
        ["by_option exported", "by_marker exported", "by_name exported"]
    );
}

#[test]
fn what_no_other_module_mentions_is_called_by_none() {
    let mut b = Build::new();
    for name in ["here", "there"] {
        let f = b.func(name, 1);
        b.module.funcs[f].exported = true;
        b.global(&format!("__ksymtab_{name}"), None, &[]);
    }
    let env = env().unshared("here", "/src/drv.c").unshared("there", "/src/other.c");
    assert_eq!(b.roles(&env), ["there exported"]);
    let found = find(&b.module, &[], &env, &Options::default()).unwrap();
    let assumed = found.ledger.iter().filter(|a| a.kind == AssumptionKind::UnsharedExport);
    assert_eq!(assumed.map(|a| a.subject.as_str()).collect::<Vec<_>>(), ["here"]);
}

#[test]
fn a_function_may_be_called_by_another_name() {
    let mut b = Build::new();
    let f = b.func("here", 1);
    b.module.funcs[f].exported = true;
    b.global("__ksymtab_here", None, &[]);
    let roles = |aliases: &[(String, lockpair_ir::FuncId)]| {
        let found = find(&b.module, aliases, &env().unshared("here", "/src/drv.c"), &Options::default());
        found.map(|found| found.items.values().map(|ep| ep.role.clone()).collect::<Vec<_>>())
    };
    assert_eq!(roles(&[("elsewhere".to_owned(), f)]).unwrap(), ["exported"]);
    assert!(roles(&[]).is_err(), "nobody calls it");
}

#[test]
fn static_functions_that_must_be_kept_escape() {
    let mut b = Build::new();
    let f = b.func("called_by_assembly", 1);
    b.global("llvm.used", None, &[(0, Operand::Func(f))]);
    assert_eq!(b.roles(&env()), ["called_by_assembly escaped"]);
}

#[test]
fn the_error_is_one_line_that_says_what_to_do() {
    let message = EntryPointError::NoneFound { module: "drv".to_owned() }.to_string();
    assert_eq!(message.lines().count(), 1);
    assert!(message.contains("environment model") && message.contains("--entry-points"));
}

// ---- the model of the environment crate

#[test]
fn rows_of_the_model_apply_as_when_it_is_applied() {
    let text = "<model>
      <table struct='file_operations'><field name='read'><lock class='session' mode='shared' addr='arg0'/></field></table>
      <callback class='irq' context='hardirq'/>
      <function name='request_irq'><register class='irq' handle='arg0' callback='arg1'/></function>
    </model>";
    let model = lockpair_env::Model::parse(text, "model.xml").unwrap();
    let (mut b, user) = with_user();
    let fops = b.ops("file_operations", false, &["owner", "read"]);
    let [read, irq] = ["my_read", "my_irq"].map(|name| b.func(name, 1));
    b.global("fops", Some(fops), &[(8, Operand::Func(read))]);
    // A static inline of a header: its row counts, not its body.
    let request = b.func("request_irq", 2);
    let p = b.param(user, 0);
    b.call(user, request, &[p, Operand::Func(irq)]);
    let header = b.module.files.push(lockpair_ir::SourceFile { path: "/include/interrupt.h".to_owned() });
    let loc = b.module.funcs[request].loc.unwrap();
    b.module.locs[loc].file = header;
    let roles = |b: &Build| {
        let eps = find(&b.module, &[], &model, &Options::default()).unwrap();
        eps.items.values().map(|ep| ep.role.clone()).collect::<Vec<_>>()
    };
    assert_eq!(roles(&b), ["file_operations.read", "irq"]);
    // A static function of the driver that has the name by chance.
    b.module.locs[loc].file = b.module.files.keys().next().unwrap();
    assert_eq!(roles(&b), ["file_operations.read"]);
}

#[test]
fn registration_through_a_field_of_a_private_struct() {
    let (mut b, user) = with_user();
    let request = b.declare("request_irq");
    let private = b.ops("my_priv", true, &["x", "handler"]);
    let f = b.func("my_handler", 1);
    let p = b.param(user, 0);
    let addr = b.field(user, p, 8, private);
    b.store(user, addr, Operand::Func(f));
    let other = b.func("other", 1);
    let q = b.param(other, 0);
    let slot = b.field(other, q, 8, private);
    let loaded = b.load(other, slot);
    b.call(other, request, &[Operand::Null, loaded]);
    assert_eq!(b.roles(&env()), ["my_handler irq", "my_handler#2 escaped"]);
    call_through(&mut b, private, &[Operand::Null]);
    assert_eq!(b.roles(&env()), ["my_handler irq"]);
}

#[test]
fn phis_in_loops_end() {
    let (mut b, user) = with_user();
    let f = b.func("cb", 1);
    let entry = b.module.funcs[user].entry();
    let phi = b.op(user, Op::Phi(vec![(entry, Operand::Func(f))]), Some(Ty::Ptr), None);
    let next = b.element(user, phi, Operand::int(64, 1), 8);
    let Operand::Value(v) = phi else { unreachable!() };
    let inst = b.module.funcs[user].values[v].inst.unwrap();
    b.module.funcs[user].insts[inst].op =
        Op::Phi(vec![(entry, Operand::Func(f)), (entry, next), (entry, phi)]);
    let p = b.param(user, 0);
    b.store(user, next, p);
    b.store(user, p, phi);
    assert_eq!(b.roles(&env()), ["cb escaped"]);
}
