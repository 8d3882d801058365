//! Replaces calls of modelled functions and assembly fragments by their effects.
//!
//! What has no row becomes [`Op::External`] and an entry of the ledger; what a row says but the module
//! does not resolve (a member of a struct it does not declare, an argument that the call lacks) becomes
//! the conservative effect and an entry. Nothing is dropped silently. Calls of the module's own functions stay; so
//! do indirect calls, but what they call outside of the module may have a row ([`members`]).

pub mod afterwards;
mod atomic;
mod buffers;
mod copies;
mod data;
mod emit;
mod format;
mod member;
pub mod members;
mod pointed;
mod repeat;
mod set;
mod site;
mod uses;

use std::collections::{BTreeSet, HashMap, HashSet};

use lockpair_ir::{
    AssumptionKind, BlockId, Callee, EntityRef, FuncId, Function, Global, GlobalId, InstId, Ledger, Mark,
    Module, Op, Operand, Terminator, TypeDef, TypeId, ValueId,
};

use crate::model::{Kind, Model, squeeze, strip_llvm_suffix};
pub use pointed::stand_in as stand_in_behind_pointers;

use crate::schema::{Base, Effect, Exactness, FunctionRow, VariableIs};
use site::{CallSite, Site, convert_op};

/// What to make of functions that nobody modelled.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Externals {
    /// They read and write what their arguments reach.
    #[default]
    ReadWrite,
    /// They touch no memory: the user's assumption.
    Pure,
}

/// The choices of [`apply`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ApplyOptions {
    /// What to make of functions that nobody modelled.
    pub externals: Externals,
    /// Whether locks that keep others off a CPU count.
    pub masks: Masks,
    /// Whether only what rows say exactly may happen ([`Exactness`]): all else is unknown.
    pub exact: bool,
    /// Whether functions use the objects that they get, whatever their rows say of these.
    pub uses: bool,
}

/// Where locks count that keep others off a CPU.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Masks {
    /// Nowhere.
    #[default]
    Nowhere,
    /// Where CPUs have copies of anything.
    WithCopies,
    /// Everywhere: somebody wants to know what may interrupt whom.
    Everywhere,
}

/// A module without calls of modelled functions.
#[derive(Clone, Debug)]
pub struct Applied {
    /// The module.
    pub module: Module,
    /// What was assumed on the way: rows that were used, externals without a row, rows that could not
    /// be applied in full.
    pub ledger: Ledger,
    /// The instructions whose arbitrary value may be any, since a row says so ([`Exactness::AnyResult`]).
    pub arbitrary: BTreeSet<(FuncId, InstId)>,
}

/// Replaces each call of a modelled function or assembly fragment by its effects, and each call of an
/// undefined function without a row by [`Op::External`]. A value that a call defined stays defined.
pub fn apply(mut module: Module, model: &Model, options: &ApplyOptions) -> Applied {
    let exact_rows = options.exact.then(|| model.with_exact_rows());
    let model = exact_rows.as_ref().unwrap_or(model);
    members::stand_in(&mut module, model);
    pointed::stand_in(&mut module, model);
    let mut pass = Pass {
        structs: structs_by_name(&module),
        targets: module.funcs.keys().map(|id| target(&module, model, id)).collect(),
        param_decls: module.funcs.values().map(|f| f.params.iter().map(|p| p.decl).collect()).collect(),
        names: module.funcs.values().map(|f| f.name.clone()).collect(),
        set: set::members(&module, model),
        masks: false,
        endable: HashSet::new(),
        repeated: Vec::new(),
        arbitrary: Vec::new(),
        module,
        model,
        options,
        ledger: Ledger::default(),
    };
    pass.masks = match options.masks {
        Masks::Nowhere => false,
        Masks::WithCopies => pass.has_copies(),
        Masks::Everywhere => true,
    };
    if options.uses {
        pass.endable = uses::endable(&pass);
    }
    data::declare(&mut pass.module, model, &mut pass.ledger);
    let intended = intended_races(&pass.module, model, &mut pass.ledger);
    let mut arbitrary = BTreeSet::new();
    for id in pass.module.funcs.keys() {
        let mut func = std::mem::replace(&mut pass.module.funcs[id], Function::declaration(""));
        pass.function(&mut func);
        arbitrary.extend(std::mem::take(&mut pass.arbitrary).into_iter().map(|inst| (id, inst)));
        mark_intended(&mut func, &intended);
        copies::find(&mut func, &pass.module, model);
        if model.kind == Kind::Program {
            unmark_volatile(&mut func);
        }
        pass.module.funcs[id] = func;
    }
    Applied { module: pass.module, ledger: pass.ledger, arbitrary }
}

/// The row that replaces calls of a function of the module, if there is one.
///
/// Undefined functions have the row of their name. So have functions defined in headers (a static
/// inline that the front end kept), and exported ones that a row by hand names exactly and that take or give back a lock: how that works is
/// below what can be seen. Of others that a core defines itself, its code says more than a row. A static function in a
/// driver's own `.c` file that happens to share a name with a kernel function is the driver's, and whatever a program
/// defines is the program's.
pub fn row_of<'m>(module: &Module, model: &'m Model, id: FuncId) -> Option<&'m FunctionRow> {
    let func = &module.funcs[id];
    if func.is_defined() && model.kind == Kind::Program {
        return None;
    }
    if !func.is_defined() || !is_in_source_file(module, func) {
        return model.function(&func.name);
    }
    let is_by_hand = !model.inferred.contains(&func.name);
    let stands = |row: &FunctionRow| model.stands_for_bodies || row.is_of_lock();
    model.exact(&func.name).filter(|row| func.exported && is_by_hand && stands(row))
}

fn is_in_source_file(module: &Module, func: &Function) -> bool {
    let path = func.loc.map(|loc| module.files[module.locs[loc].file].path.as_str());
    path.is_some_and(|path| !path.ends_with(".h"))
}

/// What calls of a function become.
#[derive(Copy, Clone)]
enum Target<'m> {
    /// They stay.
    Keep,
    /// The effects of the row.
    Row(&'m FunctionRow),
    /// Nobody knows.
    Unknown,
}

fn target<'m>(module: &Module, model: &'m Model, id: FuncId) -> Target<'m> {
    match row_of(module, model, id) {
        Some(row) => Target::Row(row),
        None if module.funcs[id].is_defined() => Target::Keep,
        None => Target::Unknown,
    }
}

/// The static variables inside functions at which races are intended.
fn intended_races(module: &Module, model: &Model, ledger: &mut Ledger) -> HashSet<GlobalId> {
    let is_intended = |global: &Global| {
        let local = strip_llvm_suffix(&global.name).rsplit_once('.').map(|(_, name)| name);
        !global.exported && local.is_some_and(|name| model.variable_is(name, VariableIs::IntendedRaces))
    };
    let found = module.globals.iter().filter(|(_, g)| is_intended(g));
    found
        .map(|(id, global)| {
            let subject = format!("races at {} are intended", global.name);
            ledger.record(AssumptionKind::Environment, subject, None);
            id
        })
        .collect()
}

/// Accesses at which races are intended are as good as marked.
fn mark_intended(func: &mut Function, intended: &HashSet<GlobalId>) {
    for inst in func.insts.values_mut() {
        if let Op::Load { addr: Operand::Global(global, _), mark }
        | Op::Store { addr: Operand::Global(global, _), mark, .. } = &mut inst.op
            && intended.contains(global)
        {
            *mark = Mark::Volatile;
        }
    }
}

/// In a program, a volatile access is a plain one to other threads (C11 5.1.2.4).
fn unmark_volatile(func: &mut Function) {
    for inst in func.insts.values_mut() {
        if let Op::Load { mark, .. } | Op::Store { mark, .. } | Op::Access { mark, .. } = &mut inst.op
            && *mark == Mark::Volatile
        {
            *mark = Mark::Plain;
        }
    }
}

/// Struct types by tag; of several with one tag, one that has members.
fn structs_by_name(module: &Module) -> HashMap<String, TypeId> {
    let mut out: HashMap<String, TypeId> = HashMap::new();
    for (id, ty) in module.types.iter() {
        if let TypeDef::Struct(s) = ty
            && (!s.fields.is_empty() || !out.contains_key(&s.name))
        {
            out.insert(s.name.clone(), id);
        }
    }
    out
}

/// The state of the pass: the module is complete but for the function being rewritten.
struct Pass<'m> {
    module: Module,
    model: &'m Model,
    options: &'m ApplyOptions,
    ledger: Ledger,
    structs: HashMap<String, TypeId>,
    targets: Vec<Target<'m>>,
    param_decls: Vec<Vec<Option<TypeId>>>,
    names: Vec<String>,
    /// Members on which rows depend and that the module sets.
    set: BTreeSet<set::Member>,
    /// Whether it counts who is kept off a CPU.
    masks: bool,
    /// The types of objects that the module may make and end, if who gets one uses it.
    endable: HashSet<TypeId>,
    /// What rows say of the function at hand that happens any number of times.
    repeated: Vec<Vec<InstId>>,
    /// What in the function at hand may be anything.
    arbitrary: Vec<InstId>,
}

impl Pass<'_> {
    /// Whether a call has an effect on one CPU's copy of something.
    fn has_copies(&self) -> bool {
        let effects = |callee: &Callee| match callee {
            Callee::Func(id) => match self.targets[id.index()] {
                Target::Row(row) => row.effects.as_slice(),
                Target::Keep | Target::Unknown => &[],
            },
            Callee::Asm(asm) => {
                self.model.asm(&asm.template, &asm.constraints).map_or(&[][..], |row| &row.effects)
            }
            Callee::Indirect(..) => &[],
        };
        let mut insts = self.module.funcs.values().flat_map(|func| func.insts.values());
        insts.any(|inst| match &inst.op {
            Op::Call { callee, .. } => {
                effects(callee).iter().any(|e| names(e, &|base| matches!(base, Base::Own(_))))
            }
            _ => false,
        })
    }

    fn function(&mut self, func: &mut Function) {
        let mut aggregates = HashMap::new();
        let mut ends_early = false;
        for block in func.blocks.keys() {
            ends_early |= self.block(func, block, &mut aggregates);
        }
        rewrite_extracts(func, &aggregates);
        std::mem::take(&mut self.repeated).iter().for_each(|insts| repeat::repeat(func, insts));
        if ends_early {
            prune_unreachable(func);
        }
    }

    /// Rewrites a block; whether it now ends early because a function does not return.
    fn block(&mut self, func: &mut Function, block: BlockId, aggregates: &mut Aggregates) -> bool {
        let mut out = Vec::new();
        for inst in std::mem::take(&mut func.blocks[block].insts) {
            let Op::Call { callee, args } = &func.insts[inst].op else {
                out.push(inst);
                continue;
            };
            let (callee, args) = (callee.clone(), args.clone());
            let call = CallSite { args, dest: func.insts[inst].result, loc: func.insts[inst].loc };
            if self.call(func, inst, &callee, call, &mut out, aggregates) {
                let block = &mut func.blocks[block];
                block.insts = out;
                block.term = Terminator::Unreachable;
                return true;
            }
        }
        func.blocks[block].insts = out;
        false
    }

    /// Puts what a call becomes at the end of `out`; whether it does not return.
    fn call(
        &mut self,
        func: &mut Function,
        inst: InstId,
        callee: &Callee,
        call: CallSite,
        out: &mut Vec<InstId>,
        aggregates: &mut Aggregates,
    ) -> bool {
        let pure = self.options.externals == Externals::Pure;
        match callee {
            Callee::Indirect(..) => out.push(inst),
            Callee::Func(id) => match self.targets[id.index()] {
                Target::Keep => out.push(inst),
                Target::Row(row) => {
                    self.ledger.record(AssumptionKind::Environment, format!("row {}", row.name), None);
                    let decls = self.param_decls[id.index()].clone();
                    let from = out.len();
                    let user = Some(row).filter(|row| self.options.uses && uses::count(row, self.model));
                    self.effects(func, inst, (&row.name, &row.effects, user), &decls, call, out, aggregates);
                    if row.exact == Exactness::AnyResult {
                        let is_any = |inst: &&InstId| func.insts[**inst].op == Op::Havoc;
                        self.arbitrary.extend(out[from..].iter().filter(is_any));
                    }
                    return row.noreturn;
                }
                Target::Unknown => {
                    let name = self.names[id.index()].clone();
                    let kind =
                        if pure { AssumptionKind::PureExternal } else { AssumptionKind::UnknownExternal };
                    self.ledger.record(kind, name.as_str(), call.loc);
                    let op = if pure { Op::Havoc } else { Op::External { name, args: call.args.clone() } };
                    if !pure || call.dest.is_some() {
                        func.insts[inst].op = op;
                        out.push(inst);
                    }
                }
            },
            Callee::Asm(asm) => {
                let name = format!("asm \"{}\"", squeeze(&asm.template));
                match self.model.asm(&asm.template, &asm.constraints) {
                    Some(row) => {
                        self.ledger.record(AssumptionKind::Environment, format!("row {name}"), None);
                        self.effects(func, inst, (&name, &row.effects, None), &[], call, out, aggregates);
                    }
                    None => {
                        self.ledger.record(AssumptionKind::InlineAssembly, name.as_str(), call.loc);
                        func.insts[inst].op = Op::External { name, args: call.args.clone() };
                        out.push(inst);
                    }
                }
            }
        }
        false
    }

    #[allow(clippy::too_many_arguments)]
    fn effects(
        &mut self,
        func: &mut Function,
        inst: InstId,
        (name, effects, user): (&str, &[Effect], Option<&FunctionRow>),
        decls: &[Option<TypeId>],
        call: CallSite,
        out: &mut Vec<InstId>,
        aggregates: &mut Aggregates,
    ) {
        let dest = call.dest;
        // The call is dead now; its result belongs to the effects.
        func.insts[inst].result = None;
        let mut site = Site::new(
            self.model,
            &mut self.module,
            &mut self.ledger,
            &self.structs,
            func,
            name,
            decls,
            call,
            out,
        );
        site.masks = self.masks;
        site.exact = self.options.exact;
        let ends_later = |effect: &Effect| matches!(effect, Effect::Free { until: Some(_), .. });
        let names_result = |effect: &&Effect| names(effect, &|base| *base == Base::Ret);
        site.uses_ret = effects.iter().filter(names_result).any(|effect| !ends_later(effect));
        if let Some(row) = user {
            site.uses(row, &self.endable);
        }
        for effect in effects {
            match effect {
                Effect::Free { if_set: Some(member), .. } if !self.set.contains(member) => {
                    let subject = format!("nobody sets {}.{}", member.0, member.1);
                    site.ledger.record(AssumptionKind::Environment, subject, None);
                }
                _ => site.effect(effect),
            }
        }
        site.finish();
        self.repeated.append(&mut site.repeated);
        if let (Some(dest), Some(parts)) = (dest, site.take_components()) {
            aggregates.insert(dest, parts);
        }
    }
}

/// Whether an effect has an address that begins so.
fn names(effect: &Effect, is: &dyn Fn(&Base) -> bool) -> bool {
    effect.addresses().iter().any(|addr| is(&addr.base))
}

/// The components of results that are aggregates.
type Aggregates = HashMap<ValueId, Vec<Operand>>;

/// Replaces component extractions from results whose components are known.
fn rewrite_extracts(func: &mut Function, aggregates: &Aggregates) {
    if aggregates.is_empty() {
        return;
    }
    for inst in func.insts.keys() {
        let Op::Extract { agg: Operand::Value(agg), index } = &func.insts[inst].op else { continue };
        let part = aggregates.get(agg).and_then(|parts| parts.get(*index as usize)).copied();
        let (Some(part), Some(result)) = (part, func.insts[inst].result) else { continue };
        let (from, to) = (func.operand_ty(part), func.values[result].ty);
        func.insts[inst].op = convert_op(part, from, to).unwrap_or(Op::Havoc);
    }
}

/// Empties blocks that control no longer reaches, and forgets the edges from them and from blocks that
/// end early.
fn prune_unreachable(func: &mut Function) {
    let mut reached = vec![false; func.blocks.len()];
    let mut edges: HashMap<BlockId, Vec<BlockId>> = HashMap::new();
    let mut work = vec![func.entry()];
    reached[0] = true;
    while let Some(block) = work.pop() {
        let next = func.blocks[block].term.successors();
        for succ in &next {
            if !std::mem::replace(&mut reached[succ.index()], true) {
                work.push(*succ);
            }
        }
        edges.insert(block, next);
    }
    for block in func.blocks.keys() {
        if !reached[block.index()] {
            func.blocks[block].insts.clear();
            func.blocks[block].term = Terminator::Unreachable;
            continue;
        }
        for inst in func.blocks[block].insts.clone() {
            if let Op::Phi(incoming) = &mut func.insts[inst].op {
                incoming.retain(|(from, _)| edges.get(from).is_some_and(|next| next.contains(&block)));
            }
        }
    }
}

#[cfg(test)]
mod tests;
