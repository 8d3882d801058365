//! What never changes: variables that no code writes are noted as constant ([`note`]), and numbers in them, or in parameters that are the
//! same at every call, are put in the place of what is read ([`propagate`]). Nothing else changes: the reads stay.
//!
//! The latter is for the bounds of loops ([`crate::unroll`]), so only integers are looked at.

use std::collections::{HashMap, HashSet};

use crate::entity::PrimaryMap;
use crate::inst::{Callee, Mark, Op, Operand, ValueId};
use crate::module::{FuncId, Function, Global, GlobalId, Module};
use crate::types::Ty;

/// Notes that variables with initial values are constant which nobody writes: code only reads them, through addresses that it
/// computes and uses at once, and nothing leads to them but initial values behind which `others_read` only. An exported one may be
/// written elsewhere, unless the module is a whole program: one that calls nothing of which nobody knows what it does. Gives those to
/// which something leads.
pub fn note(module: &mut Module, others_read: &dyn Fn(GlobalId, u64) -> bool) -> Vec<GlobalId> {
    let is_program = module.func_named("main").is_some_and(|f| module.funcs[f].is_defined());
    let mut ops = module.funcs.values().flat_map(|func| func.insts.values()).map(|inst| &inst.op);
    let is_program = is_program && !ops.any(|op| matches!(op, Op::External { .. }));
    let read = only_read(module, others_read);
    let mut noted = Vec::new();
    for (g, global) in module.globals.iter_mut() {
        if !global.constant && read.contains(&g) && (is_program || !global.exported) {
            global.constant = true;
            noted.push(g);
        }
    }
    let is_led_to = |g: &GlobalId| {
        let mut cells = named(module).flat_map(|(_, global)| &global.init);
        cells.any(|cell| matches!(cell.value, Operand::Global(to, _) if to == *g))
    };
    noted.into_iter().filter(is_led_to).collect()
}

/// The variables that code only reads, and others.
fn only_read(module: &Module, others_read: &dyn Fn(GlobalId, u64) -> bool) -> HashSet<GlobalId> {
    let is_candidate = |(_, g): &(GlobalId, &Global)| g.defined && !g.thread_local && !g.init.is_empty();
    let mut read: HashSet<GlobalId> = module.globals.iter().filter(is_candidate).map(|(id, _)| id).collect();
    for (id, global) in named(module) {
        for cell in global.init.iter().filter(|cell| !others_read(id, cell.offset)) {
            lose(&mut read, &cell.value);
        }
    }
    for func in module.funcs.values() {
        let parts = addresses(func);
        let mut lose_part = |operand: &Operand| match operand {
            Operand::Value(v) => _ = parts.get(v).map(|g| read.remove(g)),
            operand => lose(&mut read, operand),
        };
        for &i in func.blocks.values().flat_map(|block| &block.insts) {
            match &func.insts[i].op {
                Op::Load { mark: Mark::Plain, .. } => {}
                Op::PtrAdd { scaled, .. } => scaled.iter().for_each(|(v, _)| lose_part(v)),
                op => op.operands().iter().for_each(&mut lose_part),
            }
        }
        func.blocks.values().filter_map(|block| block.term.operand()).for_each(|v| lose_part(&v));
    }
    read
}

/// All variables but those by which the compiler keeps others.
fn named(module: &Module) -> impl Iterator<Item = (GlobalId, &Global)> {
    module.globals.iter().filter(|(_, g)| !g.name.starts_with("llvm."))
}

fn lose(read: &mut HashSet<GlobalId>, operand: &Operand) {
    if let Operand::Global(g, _) = operand {
        read.remove(g);
    }
}

/// The values that are addresses in variables.
pub fn addresses(func: &Function) -> HashMap<ValueId, GlobalId> {
    let mut parts = HashMap::new();
    let mut before = None;
    // Addresses of parts are computed before they are used, but blocks are in any order.
    while before.replace(parts.len()) != Some(parts.len()) {
        for &i in func.blocks.values().flat_map(|block| &block.insts) {
            let inst = &func.insts[i];
            let (Op::PtrAdd { base, .. }, Some(result)) = (&inst.op, inst.result) else { continue };
            let of = match base {
                Operand::Global(g, _) => Some(*g),
                Operand::Value(v) => parts.get(v).copied(),
                _ => None,
            };
            parts.extend(of.map(|g| (result, g)));
        }
    }
    parts
}

/// The constant variable that the address lies in, whatever the indices.
pub fn root(globals: &PrimaryMap<GlobalId, Global>, func: &Function, addr: Operand) -> Option<GlobalId> {
    variable(func, addr).filter(|&g| globals[g].constant && globals[g].defined)
}

/// The variable that the address lies in, whatever the indices.
pub fn variable(func: &Function, addr: Operand) -> Option<GlobalId> {
    match addr {
        Operand::Global(g, _) => Some(g),
        Operand::Value(v) => match &func.insts[func.values[v].inst?].op {
            Op::PtrAdd { base, .. } => variable(func, *base),
            _ => None,
        },
        Operand::Int { .. } | Operand::Null | Operand::Func(_) | Operand::Undef(_) => None,
    }
}

/// Does so until nothing changes. `is_called_elsewhere` says which functions others than direct calls of the module call.
pub fn propagate(module: &mut Module, is_called_elsewhere: &dyn Fn(FuncId) -> bool) {
    let funcs: Vec<FuncId> = module.funcs.keys().collect();
    for &f in &funcs {
        let known = loaded(module, f);
        replace(&mut module.funcs[f], &known);
    }
    // A call tree is at most as deep as there are functions.
    for _ in 0..funcs.len() {
        let known = parameters(module, is_called_elsewhere);
        if known.is_empty() {
            return;
        }
        let mut any = false;
        for (f, known) in known {
            any |= replace(&mut module.funcs[f], &known);
        }
        if !any {
            return;
        }
    }
}

/// The results of loads of constant variables.
fn loaded(module: &Module, f: FuncId) -> HashMap<ValueId, Operand> {
    let func = &module.funcs[f];
    let mut out = HashMap::new();
    for inst in func.insts.values() {
        let (Op::Load { addr: Operand::Global(g, at), mark: Mark::Plain }, Some(result)) =
            (&inst.op, inst.result)
        else {
            continue;
        };
        let global = &module.globals[*g];
        let (Ty::Int(bits), true) = (func.values[result].ty, global.constant && global.defined) else {
            continue;
        };
        let cell = global.init.iter().find(|c| i128::from(c.offset) == i128::from(*at));
        if let Some(Operand::Int { bits: of, value }) = cell.map(|c| c.value)
            && of == bits
        {
            out.insert(result, Operand::int(bits, value));
        }
    }
    out
}

/// Per function: the parameters that are one constant at every call.
fn parameters(
    module: &Module,
    is_called_elsewhere: &dyn Fn(FuncId) -> bool,
) -> Vec<(FuncId, HashMap<ValueId, Operand>)> {
    let mut taken: HashSet<FuncId> = module.funcs.keys().filter(|&f| is_called_elsewhere(f)).collect();
    let mut calls: HashMap<FuncId, Vec<&[Operand]>> = HashMap::new();
    let mut escape = |operand: &Operand| {
        if let Operand::Func(f) = operand {
            taken.insert(*f);
        }
    };
    for global in module.globals.values() {
        global.init.iter().for_each(|cell| escape(&cell.value));
    }
    for func in module.funcs.values() {
        for block in func.blocks.values() {
            for &i in &block.insts {
                if let Op::Call { callee: Callee::Func(f), args } = &func.insts[i].op {
                    calls.entry(*f).or_default().push(args);
                }
                func.insts[i].op.operands().iter().for_each(&mut escape);
            }
            block.term.operand().iter().for_each(&mut escape);
        }
    }
    let constants = |func: &Function, calls: &[&[Operand]]| -> HashMap<ValueId, Operand> {
        let same = |n: usize| {
            let first = *calls.first()?.get(n)?;
            let all =
                matches!(first, Operand::Int { .. }) && calls.iter().all(|args| args.get(n) == Some(&first));
            all.then_some(first)
        };
        func.params.iter().enumerate().filter_map(|(n, p)| Some((p.value, same(n)?))).collect()
    };
    let wanted = calls.iter().filter(|(f, _)| !taken.contains(f) && module.funcs[**f].is_defined());
    let found = wanted.map(|(&f, calls)| (f, constants(&module.funcs[f], calls)));
    found.filter(|(_, known)| !known.is_empty()).collect()
}

/// Puts the constants where the values are used; tells whether one was.
fn replace(func: &mut Function, known: &HashMap<ValueId, Operand>) -> bool {
    let mut any = false;
    let mut swap = |operand: &mut Operand| {
        if let Operand::Value(v) = operand
            && let Some(&constant) = known.get(v)
        {
            (*operand, any) = (constant, true);
        }
    };
    for inst in func.insts.values_mut() {
        inst.op.operands_mut().into_iter().for_each(&mut swap);
    }
    for block in func.blocks.values_mut() {
        block.term.operand_mut().into_iter().for_each(&mut swap);
    }
    any
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{parse_module, verify};

    fn text(module: &str, elsewhere: &str) -> String {
        let mut module = parse_module(module).unwrap();
        let named: HashSet<FuncId> =
            module.funcs.iter().filter(|(_, f)| f.name == elsewhere).map(|(id, _)| id).collect();
        propagate(&mut module, &|f| named.contains(&f));
        assert_eq!(verify(&module), Ok(()), "{module}");
        module.to_string()
    }

    const CALLS: &str = "module \"m\"\nfunc f0 \"f\" (v0: i32) -> i32 {\nb0:\nv1: i32 = add v0, 1:i32\nret v1\n}\n\
                         func f1 \"g\" () -> i32 {\nb0:\nv0: i32 = call f0(4:i32)\nv1: i32 = call f0(4:i32)\nret v0\n}\n";

    #[test]
    fn parameters_that_never_change_are_constants() {
        assert!(text(CALLS, "g").contains("add 4:i32, 1:i32"));
    }

    #[test]
    fn others_may_call_with_anything() {
        assert!(text(CALLS, "f").contains("add v0, 1:i32"));
        assert!(text(&CALLS.replacen("(4:i32)", "(5:i32)", 1), "g").contains("add v0, 1:i32"));
    }

    /// Which variables are noted as constant; of `table`, others read the cell at 8.
    fn noted(module: &str) -> Vec<String> {
        let mut module = parse_module(module).unwrap();
        let table = module.globals.iter().find(|(_, g)| g.name == "table").map(|(id, _)| id);
        note(&mut module, &|g, at| Some(g) == table && at == 8);
        assert_eq!(verify(&module), Ok(()), "{module}");
        module.globals.values().filter(|g| g.constant).map(|g| g.name.clone()).collect()
    }

    const GLOBALS: &str = "module \"m\"\ng0 = global \"list\" size 16 {\n  0: 8 = null\n}\n\
                           g1 = global \"count\" size 4 {\n  0: 4 = 7:i32\n}\n\
                           g2 = global \"table\" size 16 {\n  4: 4 = 1:i32\n}\ng3 = global \"zero\" size 8\n";

    fn with(body: &str) -> String {
        format!("{GLOBALS}func f0 \"f\" (v0: i64) {{\nb0:\n{body}\nret\n}}\n")
    }

    #[test]
    fn variables_that_are_only_read_are_constant() {
        let read = "v1: ptr = ptradd g0, 0, v0 * 8\nv2: ptr = load v1";
        // What has no initial value may be filled in by code that is not seen.
        assert_eq!(noted(&with(read)), ["list", "count", "table"]);
        for other in ["store null to v1", "v3: i1 = cmp.eq v1, null", "publish v1"] {
            assert_eq!(noted(&with(&format!("{read}\n{other}"))), ["count", "table"], "{other}");
        }
        assert_eq!(noted(&with("store 1:i32 to g1")), ["list", "table"]);
    }

    #[test]
    fn what_others_may_write_is_not() {
        let exported = with("v1: ptr = load g0").replace("\"list\" size 16", "\"list\" size 16 exported");
        assert_eq!(noted(&exported), ["count", "table"]);
        let led_to = |at: u32| with("").replace("4: 4 = 1:i32", &format!("{at}: 8 = g0"));
        assert_eq!(noted(&led_to(0)), ["count", "table"]);
        assert_eq!(noted(&led_to(8)), ["list", "count", "table"]);
    }
}
