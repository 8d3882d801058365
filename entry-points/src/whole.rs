//! Whether the files that were given are all of their module.
//!
//! What a file does not declare `static`, the other files of its module can use, and no other module can unless it is
//! exported. So if all files are there, what is seen calls such functions and reads such tables, and nobody else. That a file is missing shows where a function is there for nobody: not static, not exported, and used by no file.

use std::collections::HashSet;

use lockpair_ir::{AssumptionKind, Callee, FuncId, Global, GlobalId, Ledger, Module, Op, Operand};

use crate::flow::{operands_of, referenced_globals};
use crate::markers::{self, Marked, marker, variables_in};
use crate::model::Options;

/// The functions that only other files of the module can be there for; none if `options` say that there are no others.
///
/// Without such functions nothing but what is exported is reached from outside: the flags say so afterwards, and the ledger,
/// that this rests on having all files.
pub fn used_by_other_files(
    module: &mut Module,
    aliases: &[(String, FuncId)],
    options: &Options,
    ledger: &mut Ledger,
) -> Vec<FuncId> {
    let marked = markers::read(module, aliases, &options.exported);
    let lonely = if options.whole { Vec::new() } else { used_by_nobody(module, &marked, aliases) };
    if let Some(&first) = lonely.first() {
        let subject =
            format!("other files, which call {}, access nothing beside these", module.funcs[first].name);
        ledger.record(AssumptionKind::WholeModule, subject, module.funcs[first].loc);
    } else if enclose(module, &marked, options.whole) {
        ledger.record(AssumptionKind::WholeModule, "the files given", None);
    }
    lonely
}

/// The functions with external linkage that nothing in the module leads to.
fn used_by_nobody(module: &Module, marked: &Marked, aliases: &[(String, FuncId)]) -> Vec<FuncId> {
    let named: HashSet<FuncId> = marked.all().chain(aliases.iter().map(|(_, f)| *f)).collect();
    let in_data = module.globals.values().flat_map(|global| &global.init).map(|cell| cell.value);
    let in_code = module.funcs.iter().flat_map(|(user, func)| {
        let called = func.insts.values().filter_map(|inst| match inst.op {
            Op::Call { callee: Callee::Func(f), .. } => Some(Operand::Func(f)),
            _ => None,
        });
        operands_of(func).chain(called).filter(move |used| *used != Operand::Func(user))
    });
    let used: HashSet<FuncId> = in_data.chain(in_code).filter_map(function).collect();
    let is_lonely = |f: &FuncId| {
        let func = &module.funcs[*f];
        func.is_defined() && func.exported && !func.weak && !named.contains(f) && !used.contains(f)
    };
    module.funcs.keys().filter(is_lonely).collect()
}

fn function(operand: Operand) -> Option<FuncId> {
    match operand {
        Operand::Func(f) => Some(f),
        _ => None,
    }
}

/// Takes away what other files could use, but for what is exported; whether there was anything. Where it is only guessed that all
/// files are there, variables that are not constant stay: what a missing file does to them would be missed. So do, always,
/// variables that nobody here names, for then somebody else does.
fn enclose(module: &mut Module, marked: &Marked, certain: bool) -> bool {
    let exported: HashSet<FuncId> = marked.all().collect();
    let marks = module.globals.values().filter(|global| marker(global).is_some());
    let kept: HashSet<GlobalId> = marks.flat_map(variables_in).collect();
    let named = referenced_globals(module);
    let is_ours = |g: GlobalId, global: &Global| {
        global.defined && (global.constant || certain) && named.contains(&g) && !kept.contains(&g)
    };
    let funcs = module.funcs.iter_mut().filter(|(f, func)| func.is_defined() && !exported.contains(f));
    let variables =
        module.globals.iter_mut().filter(|(g, global)| is_ours(*g, global) && marker(global).is_none());
    let flags = funcs
        .map(|(_, func)| &mut func.exported)
        .chain(variables.map(|(_, variable)| &mut variable.exported));
    flags.map(std::mem::take).filter(|shared| *shared).count() > 0
}
