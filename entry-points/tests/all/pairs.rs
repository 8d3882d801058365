//! Pairs and reasons.

use lockpair_entry_points::{CallTree, EntryPoints, Pairs, call_trees, entry_point_table, pair_table, pairs};
use lockpair_env::schema::{Amount, Effect};
use lockpair_ir::{AssumptionKind, FuncId, Mark, Operand};

use crate::build::{Build, Env, env};

/// open and stop under rtnl, get_stats under rtnl shared.
fn net() -> (Build, [FuncId; 3]) {
    let mut b = Build::new();
    let ops = b.ops("net_device_ops", false, &["ndo_open", "ndo_stop", "ndo_get_stats"]);
    let funcs = ["open", "stop", "stats"].map(|name| b.func(name, 1));
    let init: Vec<(u64, Operand)> = (0..).step_by(8).zip(funcs.map(Operand::Func)).collect();
    b.global("ops", Some(ops), &init);
    (b, funcs)
}

fn paired(b: &Build, env: &Env) -> (EntryPoints, Pairs) {
    let eps = b.find(env);
    let trees = call_trees(&b.module, &eps, env);
    let pairs = pairs(&b.module, &eps, &|id| trees[id].clone());
    (eps, pairs)
}

fn checked(b: &Build, env: &Env) -> Vec<String> {
    let (eps, pairs) = paired(b, env);
    let name = |id| eps.items[id].name.as_str();
    pairs.checked.iter().map(|(x, y)| format!("{} {}", name(*x), name(*y))).collect()
}

#[test]
fn conflicting_implicit_locks_serialize() {
    let (b, _) = net();
    let (_, found) = paired(&b, &env());
    assert_eq!(checked(&b, &env()), ["stats stats"]);
    assert_eq!(found.omitted.len(), 5);
    assert_eq!(found.omitted[0].2.to_string(), "serialized by rtnl (exclusive in both)");
    assert!(found.ledger.iter().any(|a| a.kind == AssumptionKind::Environment));
}

#[test]
fn every_pair_is_in_one_of_the_lists() {
    let (b, _) = net();
    let (eps, found) = paired(&b, &env());
    let n = eps.items.len();
    assert_eq!(found.checked.len() + found.omitted.len(), n * (n + 1) / 2);
}

#[test]
fn release_in_the_call_tree_forbids_omission() {
    let (mut b, [open, ..]) = net();
    let helper = b.func("helper", 0);
    let unlock = b.declare("rtnl_unlock");
    b.call(helper, unlock, &[]);
    b.call(open, helper, &[]);
    assert_eq!(checked(&b, &env()), ["open open", "open stop", "open stats", "stats stats"]);
}

#[test]
fn release_of_another_class_does_not() {
    let (mut b, [open, ..]) = net();
    let unlock = b.declare("other_unlock");
    b.call(open, unlock, &[]);
    let env = env().releases("other_unlock", "other");
    assert_eq!(checked(&b, &env), ["stats stats"]);
}

#[test]
fn unresolved_indirect_call_forbids_omission() {
    let (mut b, [open, ..]) = net();
    let p = b.param(open, 0);
    b.call_pointer(open, p, &[]);
    assert_eq!(checked(&b, &env()), ["open open", "open stop", "open stats", "stats stats"]);
}

#[test]
fn resolved_indirect_call_does_not_but_is_followed() {
    let build = |release: bool| {
        let (mut b, [open, ..]) = net();
        let target = b.func("target", 0);
        if release {
            let unlock = b.declare("rtnl_unlock");
            b.call(target, unlock, &[]);
        }
        let ptr = b.ptr();
        let array = b.array(ptr, 1);
        let table = b.global("local", Some(array), &[(0, Operand::Func(target))]);
        let loaded = b.load(open, Operand::Global(table, 0));
        b.call_pointer(open, loaded, &[]);
        checked(&b, &env()).len()
    };
    assert_eq!(build(false), 1);
    assert_eq!(build(true), 4);
}

#[test]
fn unknown_externals_become_assumptions_of_the_omission() {
    let (mut b, [open, ..]) = net();
    let external = b.declare("mystery");
    b.call(open, external, &[]);
    let (_, found) = paired(&b, &env());
    let assumed = found.ledger.iter().find(|a| a.kind == AssumptionKind::UnknownExternal);
    assert_eq!(assumed.unwrap().subject, "mystery");
}

#[test]
fn locks_that_depend_on_parameters_or_pointers_serialize_nothing() {
    for address in ["arg0", "arg0.lock", "global:x->lock", "table"] {
        let (b, _) = net();
        let env = Env::default().row("net_device_ops.ndo_open", &[&format!("l@{address}")]);
        assert!(checked(&b, &env).contains(&"open open".to_owned()), "{address}");
    }
    let (b, _) = net();
    let env = Env::default().row("net_device_ops.ndo_open", &["l@global:x.lock"]);
    assert!(!checked(&b, &env).contains(&"open open".to_owned()));
}

#[test]
fn equal_addresses_of_different_classes_serialize_nothing() {
    let (b, _) = net();
    let env = Env::default()
        .row("net_device_ops.ndo_open", &["one@global:x"])
        .row("net_device_ops.ndo_stop", &["two@global:x"]);
    assert!(checked(&b, &env).contains(&"open stop".to_owned()));
}

#[test]
fn module_load_and_module_reference() {
    let build = |with_owner: bool| {
        let mut b = Build::new();
        b.func("init_module", 0);
        b.func("cleanup_module", 0);
        let fops = b.ops("file_operations", false, &["owner", "read"]);
        let read = b.func("read", 1);
        let this = b.global("__this_module", None, &[]);
        let owner = if with_owner { Operand::Global(this, 0) } else { Operand::Null };
        b.global("fops", Some(fops), &[(0, owner), (8, Operand::Func(read))]);
        checked(&b, &env())
    };
    assert_eq!(build(true), ["init_module read", "read read"]);
    assert_eq!(build(false), ["init_module read", "cleanup_module read", "read read"]);
}

#[test]
fn no_facts_means_no_omission() {
    let (b, _) = net();
    let eps = b.find(&env());
    let found = pairs(&b.module, &eps, &|_| CallTree { unresolved: true, ..CallTree::default() });
    assert!(found.omitted.is_empty());
}

#[test]
fn tables_for_people() {
    let (b, _) = net();
    let (eps, found) = paired(&b, &env());
    let expected = "\
entry point  role                          context  locks        source
open         net_device_ops.ndo_open       process  rtnl         /src/drv.c:100
stop         net_device_ops.ndo_stop       process  rtnl         /src/drv.c:101
stats        net_device_ops.ndo_get_stats  process  rtnl shared  /src/drv.c:102
";
    assert_eq!(entry_point_table(&eps, &b.module), expected);
    let expected = "\
first  second  status
stats  stats   to check
open   open    omitted: serialized by rtnl (exclusive in both)
open   stop    omitted: serialized by rtnl (exclusive in both)
open   stats   omitted: serialized by rtnl (exclusive in the first, shared in the second)
stop   stop    omitted: serialized by rtnl (exclusive in both)
stop   stats   omitted: serialized by rtnl (exclusive in the first, shared in the second)
1 pairs to check, 5 omitted
";
    assert_eq!(pair_table(&found, &eps), expected);
}

/// A table that a modelled function writes to may hold other functions afterwards.
#[test]
fn overwritten_table_resolves_nothing() {
    let build = |overwrite: bool| {
        let (mut b, [open, ..]) = net();
        let target = b.func("target", 0);
        let table = b.global("local", None, &[(0, Operand::Func(target))]);
        let loaded = b.load(open, Operand::Global(table, 0));
        b.call_pointer(open, loaded, &[]);
        if overwrite {
            let read = b.declare("read_config");
            b.call(open, read, &[Operand::Global(table, 0)]);
        }
        let effect = Effect::Access {
            addr: "arg0".parse().unwrap(),
            len: Amount::Any,
            write: true,
            mark: Mark::Plain,
            with: None,
        };
        checked(&b, &env().function("read_config", vec![effect])).len()
    };
    assert_eq!(build(false), 1);
    assert_eq!(build(true), 4);
}
