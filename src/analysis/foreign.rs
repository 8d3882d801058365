//! Data of others: a module that keeps `struct demo` in its devices' `driver_data` and reads a `struct chip` from that member reads
//! it in another driver's device, that of a parent.
//!
//! The source says what a pointer without a type is taken for: by the members that are asked of it, and by the parameters that it
//! is passed to.

use super::fields::{self, FieldId};
use super::layout::{Layout, Shape};
use super::points_to::static_path;
use crate::fault::{Fault, seeded};
use crate::instrument::thread::{LoadVars, Site, StackId, Thread};
use lockpair_ir::cfg::Cfg;
use lockpair_ir::*;
use lockpair_smt::Term;
use std::collections::{BTreeSet, HashMap, HashSet};

/// How many values a chain of definitions may have.
const DEPTH: u32 = 16;

/// Where an instruction is.
type Place = (FuncId, BlockId, InstId);

/// What the module keeps in members of the kernel's structs, where all of it is known.
pub struct Foreign<'a> {
    module: &'a Module,
    layout: &'a Layout<'a>,
    callers: HashMap<FuncId, Vec<Place>>,
    kept: HashMap<FieldId, HashSet<TypeId>>,
    /// The stores that were looked at.
    stores: HashSet<(FuncId, InstId)>,
}

impl<'a> Foreign<'a> {
    /// Of these members; those in which something unknown is kept are left out. Who calls the functions that are `open` is not known.
    pub fn new(
        module: &'a Module,
        layout: &'a Layout<'a>,
        members: &BTreeSet<FieldId>,
        open: &dyn Fn(FuncId) -> bool,
    ) -> Foreign<'a> {
        let mut callers: HashMap<FuncId, Vec<Place>> = HashMap::new();
        for place @ (func, _, inst) in places(module) {
            if let Op::Call { callee: Callee::Func(callee), .. } = module.funcs[func].insts[inst].op {
                callers.entry(callee).or_default().push(place);
            }
        }
        let mut foreign = Foreign { module, layout, callers, kept: HashMap::new(), stores: HashSet::new() };
        if foreign.some_address_leaves(members) {
            return foreign;
        }
        let mut kept: HashMap<FieldId, Option<HashSet<TypeId>>> = HashMap::new();
        let stores = places(module).filter(|&place| foreign.keep(place, members, open, &mut kept));
        let stores = stores.map(|(func, _, inst)| (func, inst)).collect();
        let known = kept.into_iter().filter_map(|(member, types)| Some((member, types?)));
        foreign.kept = known.filter(|(_, types)| !types.is_empty()).collect();
        foreign.stores = stores;
        foreign
    }

    /// Adds what the operation keeps in which members; whether it is a store there.
    fn keep(
        &self,
        (func, block, inst): Place,
        members: &BTreeSet<FieldId>,
        open: &dyn Fn(FuncId) -> bool,
        kept: &mut HashMap<FieldId, Option<HashSet<TypeId>>>,
    ) -> bool {
        let op = &self.module.funcs[func].insts[inst].op;
        let (addr, value) = match op {
            Op::Store { addr, value, .. } => (*addr, Some(*value)),
            Op::Rmw { addr, .. } | Op::CmpXchg { addr, .. } => (*addr, None),
            Op::MemCopy { dst, .. } => (*dst, None),
            Op::Access { addr, write: true, .. } => (*addr, None),
            _ => return false,
        };
        let Some((strukt, lo)) = static_path(self.module, &self.module.funcs[func], addr) else {
            return false;
        };
        if matches!(op, Op::MemCopy { .. }) {
            // All that the struct has may be copied.
            let inside = |m: &&FieldId| self.layout.related(strukt, m.strukt);
            kept.extend(members.iter().filter(inside).map(|&m| (m, None)));
            return false;
        }
        let member = fields::of_shape(self.module, self.layout, Shape::In { strukt, lo, hi: lo + 1 });
        let Some(member) = member.filter(|m| members.contains(m)) else { return false };
        let types = value.and_then(|value| self.types((func, block), value, open, DEPTH));
        let all = kept.entry(member).or_insert_with(|| Some(HashSet::new()));
        *all = all.take().zip(types).map(|(mut all, types)| {
            all.extend(types);
            all
        });
        value.is_some()
    }

    /// Whether the address of such a member is used for anything but a load or a store there: then others may store there, too.
    fn some_address_leaves(&self, members: &BTreeSet<FieldId>) -> bool {
        self.module.funcs.values().any(|func| {
            let of_member = |op: &Operand| {
                let place = match op {
                    Operand::Value(v) if func.as_struct.contains(v) => None,
                    op => static_path(self.module, func, *op),
                };
                let member = place.and_then(|(strukt, lo)| {
                    fields::of_shape(self.module, self.layout, Shape::In { strukt, lo, hi: lo + 1 })
                });
                member.is_some_and(|m| members.contains(&m))
            };
            let leaves = |op: &Op| match op {
                Op::Load { .. } | Op::PtrAdd { .. } | Op::Cmp(..) | Op::Access { .. } => false,
                Op::Store { value, .. } => of_member(value),
                op => op.operands().iter().any(of_member),
            };
            func.blocks.values().flat_map(|b| &b.insts).any(|&i| leaves(&func.insts[i].op))
        })
    }

    /// The structs that the value points to, as the source has it, whenever the block is run; none if that is not known of all
    /// that it may be.
    fn types(
        &self,
        (func, at): (FuncId, BlockId),
        value: Operand,
        open: &dyn Fn(FuncId) -> bool,
        depth: u32,
    ) -> Option<HashSet<TypeId>> {
        let (module, depth) = (self.module, depth.checked_sub(1)?);
        let of = |place, value| self.types(place, value, open, depth);
        let v = match value {
            Operand::Null | Operand::Undef(_) => return Some(HashSet::new()),
            Operand::Int { value: 0, .. } => return Some(HashSet::new()),
            Operand::Global(g, 0) => {
                return module.globals[g]
                    .ty
                    .filter(|&ty| module.as_struct(ty).is_some())
                    .map(|ty| [ty].into());
            }
            Operand::Value(v) => v,
            _ => return None,
        };
        let body = &module.funcs[func];
        if let Some(n) = body.params.iter().position(|p| p.value == v) {
            let callers = self.callers.get(&func).filter(|_| !open(func))?;
            let argument = |&(caller, block, i): &Place| match &module.funcs[caller].insts[i].op {
                Op::Call { args, .. } => of((caller, block), *args.get(n)?),
                _ => None,
            };
            return all_of(callers.iter().map(argument));
        }
        match &body.insts[body.values[v].inst?].op {
            Op::Phi(edges) => all_of(edges.iter().map(|(from, value)| of((func, *from), *value))),
            Op::Select { then, els, .. } => {
                all_of([*then, *els].into_iter().map(|value| of((func, at), value)))
            }
            Op::PtrAdd { offset: 0, scaled, within: None, base, .. } if scaled.is_empty() => {
                of((func, at), *base)
            }
            // The variable that it is in is declared to point to one.
            Op::PtrAdd { within: Some(declared), .. } if body.as_struct.contains(&v) => {
                let is_one = self.is_whole(*declared) && !self.is_cast(func, v, *declared);
                is_one.then(|| [*declared].into())
            }
            _ => self.taken_for(func, v, Some(at)).map(|ty| [ty].into()),
        }
    }

    /// The one struct that the function takes what the value points to for. If a block is given, it does so whenever that is run,
    /// and whatever else becomes of the value does not change what it points to; else it uses the value for nothing else.
    fn taken_for(&self, func: FuncId, v: ValueId, at: Option<BlockId>) -> Option<TypeId> {
        let body = &self.module.funcs[func];
        let cfg = at.map(|at| (Cfg::new(body), at));
        let surely = |block: BlockId| {
            cfg.as_ref().is_none_or(|(cfg, at)| cfg.dominates(block, *at) || cfg.postdominates(block, *at))
        };
        let (mut structs, mut always) = (HashSet::new(), false);
        for (block, data) in body.blocks.iter() {
            for used_as in data.insts.iter().flat_map(|&i| self.used_as(func, &body.insts[i].op, v)) {
                match used_as {
                    Some(ty) => {
                        structs.insert(ty);
                        always |= surely(block);
                    }
                    None if at.is_none() => return None,
                    None => {}
                }
            }
        }
        let [one] = structs.into_iter().collect::<Vec<_>>()[..] else { return None };
        let is_variable = |inst: &&Inst| {
            matches!(inst.op, Op::PtrAdd { base: Operand::Value(base), .. } if base == v)
                && inst.result.is_some_and(|r| body.as_struct.contains(&r))
        };
        let mut variables = body.insts.values().filter(is_variable).filter_map(|inst| inst.result);
        let is_cast = variables.any(|variable| self.is_cast(func, variable, one));
        (always && !is_cast && self.is_whole(one)).then_some(one)
    }

    /// Whether what the variable points to, a struct of the type as it is declared, is taken for another one, too.
    fn is_cast(&self, func: FuncId, variable: ValueId, ty: TypeId) -> bool {
        let insts = &self.module.funcs[func].insts;
        let mut uses = insts.values().flat_map(|inst| self.used_as(func, &inst.op, variable)).flatten();
        uses.any(|used_as| used_as != ty && !self.layout.contains(ty, used_as))
    }

    /// What the operation takes the value to point to, each time that it uses it; none where that is not said.
    fn used_as(&self, func: FuncId, op: &Op, v: ValueId) -> Vec<Option<TypeId>> {
        let module = self.module;
        let is = |op: &Operand| *op == Operand::Value(v);
        let passed = |callee: FuncId, args: &[Operand]| -> Vec<Option<TypeId>> {
            let params = module.funcs[callee].params.iter().zip(args);
            let declared = params.filter(|(_, arg)| is(arg)).map(|(p, _)| module.pointee(p.decl?));
            declared.map(|ty| ty.filter(|&ty| module.as_struct(ty).is_some())).collect()
        };
        match op {
            Op::PtrAdd { base, within, .. } if is(base) => vec![*within],
            Op::Call { callee: Callee::Func(callee), args } => passed(*callee, args),
            Op::External { name, args } if args.iter().any(is) => {
                module.func_named(name).map_or(vec![None], |f| passed(f, args))
            }
            Op::Store { addr, value, .. } if !is(addr) => {
                let kept = is(value).then(|| self.kept_as(func, *addr)).flatten();
                kept.map(Some).into_iter().collect()
            }
            // Publishing the pointer, or asking whether there is one, is no use.
            Op::Cmp(_, a, b) if is(a) && is_null(b) || is(b) && is_null(a) => vec![],
            Op::Publish { .. } => vec![],
            op => op.operands().iter().filter(|op| is(op)).map(|_| None).collect(),
        }
    }

    /// The struct that pointers in the member are declared to point to.
    fn kept_as(&self, func: FuncId, addr: Operand) -> Option<TypeId> {
        let (strukt, lo) = static_path(self.module, &self.module.funcs[func], addr)?;
        let member = fields::of_shape(self.module, self.layout, Shape::In { strukt, lo, hi: lo + 8 })?;
        let ty = fields::pointee(self.module, member)?;
        self.module.as_struct(ty).map(|_| ty)
    }

    /// Whether what is taken for such a struct is one. What is in a union may be another of its members, and of what has only a
    /// name nothing is known.
    fn is_whole(&self, ty: TypeId) -> bool {
        let has_members = |ty: TypeId| {
            self.module.as_struct(ty).is_some_and(|def| !def.fields.is_empty() && !is_union(def))
        };
        has_members(ty) && self.layout.around(ty).iter().all(|&outer| has_members(outer))
    }

    /// The member, if the site reads it as something that the module keeps nowhere in it.
    pub fn read(&self, thread: &Thread, site: &Site) -> Option<FieldId> {
        let (func, inst) = site.inst;
        let inst = &self.module.funcs[func].insts[inst];
        let member = self.member(site).filter(|_| matches!(inst.op, Op::Load { .. }))?;
        let kept = self.kept.get(&member)?;
        let ty = self.read_as(thread, site.stack, func, inst.result?)?;
        let others = kept.iter().all(|&own| !self.layout.related(own, ty));
        (others || seeded(Fault::AllReadsForeign)).then_some(member)
    }

    /// What the value is taken for, by the function that has it, or by its caller, to which it is returned.
    fn read_as(&self, thread: &Thread, stack: StackId, func: FuncId, v: ValueId) -> Option<TypeId> {
        if let Some(ty) = self.taken_for(func, v, None) {
            return Some(ty);
        }
        let frame = &thread.stacks[stack.index()];
        let body = &self.module.funcs[func];
        let mut ends = body.blocks.values().filter_map(|b| b.term.operand());
        if frame.func != func || !ends.any(|end| end == Operand::Value(v)) {
            return None;
        }
        let (parent, call) = (frame.parent?, frame.call?);
        let caller = thread.stacks[parent.index()].func;
        let insts = &self.module.funcs[caller].insts;
        let here =
            self.callers.get(&func)?.iter().filter(|&&(f, _, i)| f == caller && insts[i].loc == Some(call));
        let mut types = here.map(|&(.., i)| self.read_as(thread, parent, caller, insts[i].result?));
        let first = types.next()??;
        types.all(|ty| ty == Some(first)).then_some(first)
    }

    /// The member, if the site is a store of the module's own there. Null says nothing of whose it is, and may be stored in what was
    /// found in another object.
    pub fn kept_by(&self, thread: &Thread, site: &Site) -> Option<FieldId> {
        let (func, inst) = site.inst;
        let is_known = self.stores.contains(&(func, inst));
        let object = thread.terms.get(site.addr.obj);
        let is_found = thread.loads.iter().any(
            |load| matches!((load.vars, object), (LoadVars::Ptr(found, _), Term::Var(object)) if found == object),
        );
        self.member(site).filter(|member| is_known && !is_found && self.kept.contains_key(member))
    }

    fn member(&self, site: &Site) -> Option<FieldId> {
        fields::of_shape(self.module, self.layout, site.shape)
    }
}

/// All instructions.
fn places(module: &Module) -> impl Iterator<Item = Place> {
    module.funcs.iter().flat_map(|(func, body)| {
        body.blocks
            .iter()
            .flat_map(move |(block, data)| data.insts.iter().map(move |&inst| (func, block, inst)))
    })
}

fn is_null(operand: &Operand) -> bool {
    matches!(operand, Operand::Null | Operand::Int { value: 0, .. })
}

/// Whether two members begin at one place.
fn is_union(def: &StructDef) -> bool {
    let begins: HashSet<u64> = def.fields.iter().map(|f| f.offset).collect();
    begins.len() < def.fields.len()
}

/// All types, if all are known.
fn all_of(types: impl Iterator<Item = Option<HashSet<TypeId>>>) -> Option<HashSet<TypeId>> {
    types.collect::<Option<Vec<_>>>().map(|types| types.into_iter().flatten().collect())
}
