//! What is known of call trees without executing them: which functions call themselves, and the empty summary
//! (design, rule 10): what a call tree may access, release and register, with nothing known of when, where and
//! under which locks. The summaries proper are made by the executor (`instrument/procedure.rs`).

use crate::analysis::calls::CallTargets;
use lockpair_ir::*;
use petgraph::graph::DiGraph;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Per function that may call itself: the circle of calls that it is in. Functions of one circle call each other.
pub fn circles(module: &Module, calls: &CallTargets) -> HashMap<FuncId, usize> {
    let mut graph: DiGraph<FuncId, ()> = DiGraph::new();
    let nodes: HashMap<FuncId, _> = module.funcs.keys().map(|f| (f, graph.add_node(f))).collect();
    for &f in nodes.keys().filter(|f| module.funcs[**f].is_defined()) {
        calls.callees(module, f).into_iter().for_each(|g| _ = graph.add_edge(nodes[&f], nodes[&g], ()));
    }
    let mut out = HashMap::new();
    for (n, circle) in petgraph::algo::tarjan_scc(&graph).into_iter().enumerate() {
        let calls_itself = |&node| graph.contains_edge(node, node);
        if circle.len() > 1 || circle.iter().any(calls_itself) {
            out.extend(circle.into_iter().map(|node| (graph[node], n)));
        }
    }
    out
}

/// The functions of circles of calls whose activations, if all are inlined that `depth` allows, are more than so
/// many instructions.
pub fn wide(
    module: &Module,
    calls: &CallTargets,
    circles: &HashMap<FuncId, usize>,
    (depth, most): (usize, usize),
) -> HashSet<FuncId> {
    let within: HashMap<FuncId, Vec<FuncId>> = circles
        .iter()
        .map(|(&f, circle)| {
            let callees = calls.callees(module, f).into_iter();
            (f, callees.filter(|g| circles.get(g) == Some(circle)).collect())
        })
        .collect();
    let mut active = HashMap::new();
    let is_wide = |&f: &FuncId| !unfolds(module, &within, f, depth, &mut most.clone(), &mut active);
    circles.keys().copied().filter(is_wide).collect()
}

/// Takes the instructions of all activations below one of `f` off `left`, as long as there are some left.
fn unfolds(
    module: &Module,
    within: &HashMap<FuncId, Vec<FuncId>>,
    f: FuncId,
    depth: usize,
    left: &mut usize,
    active: &mut HashMap<FuncId, usize>,
) -> bool {
    if active.get(&f) == Some(&depth) {
        return true;
    }
    let own: usize = module.funcs[f].blocks.values().map(|b| b.insts.len() + 1).sum();
    if own > *left {
        return false;
    }
    *left -= own;
    *active.entry(f).or_default() += 1;
    let fits = within[&f].iter().all(|&g| unfolds(module, within, g, depth, left, active));
    *active.entry(f).or_default() -= 1;
    fits
}

/// What a call tree may do.
#[derive(Clone, Debug, Default)]
pub struct ModRef {
    /// Instructions that access memory.
    pub accesses: Vec<(FuncId, InstId)>,
    /// Classes of locks that are released.
    pub releases: BTreeSet<String>,
    /// Registrations.
    pub registrations: Vec<(FuncId, InstId)>,
    /// Calls of code that nobody modelled.
    pub unknown: Vec<(FuncId, InstId)>,
}

/// Collects over the call tree of a function.
pub fn mod_ref(module: &Module, calls: &CallTargets, root: FuncId) -> ModRef {
    let mut out = ModRef::default();
    let mut seen = HashSet::from([root]);
    let mut work = vec![root];
    while let Some(id) = work.pop() {
        let func = &module.funcs[id];
        for &i in func.blocks.values().flat_map(|b| &b.insts) {
            match &func.insts[i].op {
                Op::Release { class, .. } => {
                    out.releases.insert(class.clone());
                }
                Op::Register { .. } => out.registrations.push((id, i)),
                Op::External { .. } | Op::Call { callee: Callee::Indirect(..) | Callee::Asm(_), .. } => {
                    out.unknown.push((id, i));
                }
                _ if !accesses(func, i).is_empty() => out.accesses.push((id, i)),
                _ => {}
            }
        }
        for callee in calls.callees(module, id) {
            if module.funcs[callee].is_defined() && seen.insert(callee) {
                work.push(callee);
            }
        }
    }
    out
}

/// The accesses of one instruction: address, size in bytes if constant, whether it writes, how marked.
pub fn accesses(func: &Function, inst: InstId) -> Vec<(Operand, Option<u64>, bool, Mark)> {
    let constant = |op: Operand| match op {
        Operand::Int { value, .. } => u64::try_from(value).ok(),
        _ => None,
    };
    let result_bytes = || func.insts[inst].result.map(|v| func.values[v].ty.bytes());
    match &func.insts[inst].op {
        Op::Load { addr, mark } => vec![(*addr, result_bytes(), false, *mark)],
        Op::Store { addr, value, mark } => vec![(*addr, Some(func.operand_ty(*value).bytes()), true, *mark)],
        Op::Rmw { addr, value, order, .. } | Op::CmpXchg { addr, new: value, order, .. } => {
            vec![(*addr, Some(func.operand_ty(*value).bytes()), true, Mark::Atomic(*order))]
        }
        Op::MemSet { dst, len, .. } => vec![(*dst, constant(*len), true, Mark::Plain)],
        Op::MemCopy { dst, src, len } => {
            vec![(*src, constant(*len), false, Mark::Plain), (*dst, constant(*len), true, Mark::Plain)]
        }
        Op::Free { ptr, until: None } => vec![(*ptr, None, true, Mark::Plain)],
        Op::Access { addr, len, write, mark } => vec![(*addr, constant(*len), *write, *mark)],
        Op::External { args, .. } => args
            .iter()
            .filter(|a| func.operand_ty(**a) == Ty::Ptr && !matches!(a, Operand::Func(_) | Operand::Null))
            .map(|a| (*a, None, true, Mark::Plain))
            .collect(),
        _ => vec![],
    }
}

/// Whether the address is computed with a variable index inside its struct.
pub fn has_variable_index(func: &Function, addr: Operand) -> bool {
    let Operand::Value(v) = addr else { return false };
    let Some(inst) = func.values[v].inst else { return false };
    match &func.insts[inst].op {
        Op::PtrAdd { base, scaled, .. } => !scaled.is_empty() || has_variable_index(func, *base),
        _ => false,
    }
}

/// Whether the address lies in an object on the stack of the function itself.
pub fn is_on_stack(func: &Function, addr: Operand) -> bool {
    let Operand::Value(v) = addr else { return false };
    let Some(inst) = func.values[v].inst else { return false };
    match &func.insts[inst].op {
        Op::Alloca { .. } => true,
        Op::PtrAdd { base, .. } => is_on_stack(func, *base),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::calls;
    use crate::analysis::layout::Layout;

    /// `n` functions, each of which calls all of them.
    fn clique(n: usize) -> Module {
        let calls: String = (0..n).map(|g| format!("call f{g}()\n")).collect();
        let func = |f: usize| format!("func f{f} \"f{f}\" () {{\nb0:\n{calls}ret\n}}\n");
        let text = format!("module \"m\"\n{}", (0..n).map(func).collect::<String>());
        lockpair_ir::text::parse_module(&text).unwrap()
    }

    fn wide_of(module: &Module, most: usize) -> usize {
        let targets = calls::resolve(module, &Layout::new(module), &HashSet::new(), &mut Ledger::default());
        wide(module, &targets, &circles(module, &targets), (3, most)).len()
    }

    #[test]
    fn circles_are_wide_if_their_activations_are_many() {
        // One function that calls itself has three activations of two instructions each.
        assert_eq!(wide_of(&clique(1), 6), 0);
        assert_eq!(wide_of(&clique(1), 5), 1);
        // With each function more the activations multiply.
        assert_eq!(wide_of(&clique(2), 1_000), 0);
        assert_eq!(wide_of(&clique(8), 20_000), 8);
    }
}
