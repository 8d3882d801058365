//! Tables of functions that code copies, or puts where others find them: `file->f_op = &fops`, `second = first`,
//! `attrs[0] = &dev_attr_foo.attr`. Their functions are called through what the module is not seen to register, so that no
//! registration says from when on, and no end that they are over.

use super::layout::Layout;
use super::points_to::static_path;
use lockpair_ir::*;
use std::collections::{BTreeSet, HashMap, HashSet};

/// The tables, and all others that they lead to. `kept` are found in lists that are followed, `called` are functions that code outside calls.
pub fn tables(
    module: &Module,
    layout: &Layout,
    kept: &dyn Fn(GlobalId) -> bool,
    called: &dyn Fn(FuncId) -> bool,
) -> HashSet<GlobalId> {
    let leading = leading_to_functions(module);
    let (members, registered) = registrations(module, layout);
    let mut flow = Flow {
        module,
        layout,
        kept,
        called,
        leading,
        values: HashMap::new(),
        returned: HashMap::new(),
        handed: HashSet::new(),
        members,
        registered,
    };
    while flow.pass() {}
    module.reached_from(flow.handed)
}

/// The functions in the initial values of these.
pub fn functions(module: &Module, tables: &HashSet<GlobalId>) -> HashSet<FuncId> {
    let of = |&table: &GlobalId| module.globals[table].init.iter().filter_map(|cell| cell.value.func());
    tables.iter().flat_map(of).collect()
}

/// The variables that lead to functions by their initial values.
fn leading_to_functions(module: &Module) -> HashSet<GlobalId> {
    let has_function = |g: &GlobalId| module.globals[*g].init.iter().any(|cell| cell.value.func().is_some());
    let mut leading: HashSet<GlobalId> = module.globals.keys().filter(has_function).collect();
    loop {
        let leads = |g: &GlobalId| {
            let mut targets = module.globals[*g].init.iter().filter_map(|cell| cell.value.global());
            !leading.contains(g) && targets.any(|target| leading.contains(&target))
        };
        let more: Vec<GlobalId> = module.globals.keys().filter(leads).collect();
        if more.is_empty() {
            return leading;
        }
        leading.extend(more);
    }
}

/// Tables that a value may point into, or whose functions it may be.
type Tables = BTreeSet<GlobalId>;

struct Flow<'a> {
    module: &'a Module,
    layout: &'a Layout<'a>,
    kept: &'a dyn Fn(GlobalId) -> bool,
    called: &'a dyn Fn(FuncId) -> bool,
    leading: HashSet<GlobalId>,
    values: HashMap<(FuncId, ValueId), Tables>,
    returned: HashMap<FuncId, Tables>,
    handed: HashSet<GlobalId>,
    /// Members of the kernel's structs that registrations read a table from.
    members: HashSet<(TypeId, u64)>,
    /// What is registered where.
    registered: HashSet<(Option<LocId>, GlobalId)>,
}

/// The member of a struct of the kernel's that an address is.
fn member(module: &Module, layout: &Layout, func: &Function, addr: Operand) -> Option<(TypeId, u64)> {
    let (strukt, at) = static_path(module, func, addr)?;
    let (inner, at) = layout.innermost(strukt, at);
    module.as_struct(inner).is_some_and(|def| !def.module_private).then_some((inner, at))
}

type Registrations = (HashSet<(TypeId, u64)>, HashSet<(Option<LocId>, GlobalId)>);

/// The members that handles of registrations are read from, and the variables that are handles themselves, with the place.
fn registrations(module: &Module, layout: &Layout) -> Registrations {
    let (mut members, mut registered) = (HashSet::new(), HashSet::new());
    for func in module.funcs.values() {
        for inst in func.blocks.values().flat_map(|block| &block.insts).map(|&i| &func.insts[i]) {
            let Op::Register { handle, .. } = inst.op else { continue };
            registered.extend(handle.global().map(|table| (inst.loc, table)));
            let Operand::Value(value) = handle else { continue };
            if let Some(Op::Load { addr, .. }) = func.values[value].inst.map(|i| &func.insts[i].op) {
                members.extend(member(module, layout, func, *addr));
            }
        }
    }
    (members, registered)
}

impl Flow<'_> {
    /// Looks through all code once; whether anything new came of it.
    fn pass(&mut self) -> bool {
        let mut more = false;
        for (id, func) in self.module.funcs.iter() {
            for block in func.blocks.values() {
                for inst in block.insts.iter().map(|&i| &func.insts[i]) {
                    more |= self.instruction(id, inst);
                }
                if let Terminator::Ret(Some(value)) = block.term {
                    let tables = self.of(id, value);
                    more |= (self.called)(id) && self.hand_on(&tables);
                    more |= extend(self.returned.entry(id).or_default(), tables);
                }
            }
        }
        more
    }

    fn instruction(&mut self, id: FuncId, inst: &Inst) -> bool {
        let (mut gives, mut handed) = (Tables::new(), Tables::new());
        let mut more = false;
        match &inst.op {
            Op::PtrAdd { base, .. } => gives = self.of(id, *base),
            Op::Cast(_, from) => gives = self.of(id, *from),
            Op::Select { then, els, .. } => gives = self.of_all(id, [*then, *els]),
            Op::Bin(_, a, b) => gives = self.of_all(id, [*a, *b]),
            Op::Phi(edges) => gives = self.of_all(id, edges.iter().map(|(_, value)| *value)),
            Op::Load { addr, .. } if self.is_wide(id, inst) => gives = self.content(id, *addr),
            // A piece of a pointer, which is not followed any more.
            Op::Load { addr, .. } if static_path(self.module, &self.module.funcs[id], *addr).is_none() => {
                handed = self.content(id, *addr);
            }
            Op::Store { value, .. } if self.is_kept(*value) => {}
            Op::Store { addr, .. } if self.is_registered_by(id, *addr) => {}
            Op::Store { value, .. } | Op::Rmw { value, .. } | Op::CmpXchg { new: value, .. } => {
                handed = self.of(id, *value);
            }
            Op::MemCopy { src, .. } => handed = self.of(id, *src),
            Op::Call { callee: Callee::Func(f), args } => {
                more |= self.pass_on(id, *f, args);
                gives = self.returned.get(f).cloned().unwrap_or_default();
            }
            Op::Call { args, .. } => handed = self.of_all(id, args.iter().copied()),
            // What is known of the function in part may be that it registers them.
            Op::External { args, .. } => {
                handed = self.of_all(id, args.iter().copied());
                handed.retain(|&table| !self.registered.contains(&(inst.loc, table)));
            }
            // What is registered through them is told by the events; other functions with rows call what their rows say.
            _ => {}
        }
        if let Some(result) = inst.result.filter(|_| !gives.is_empty()) {
            more |= extend(self.values.entry((id, result)).or_default(), gives);
        }
        more | self.hand_on(&handed)
    }

    /// Whether it is a member of the kernel's structs where registering these finds their table (`rtc_device.ops`).
    fn is_registered_by(&self, id: FuncId, addr: Operand) -> bool {
        member(self.module, self.layout, &self.module.funcs[id], addr)
            .is_some_and(|member| self.members.contains(&member))
    }

    /// Whether what is read may be a pointer.
    fn is_wide(&self, id: FuncId, inst: &Inst) -> bool {
        let ty = inst.result.map(|result| self.module.funcs[id].values[result].ty);
        !matches!(ty, Some(Ty::Int(bits)) if bits < 64)
    }

    fn pass_on(&mut self, id: FuncId, to: FuncId, args: &[Operand]) -> bool {
        let params = &self.module.funcs[to].params;
        let mut more = false;
        for (n, &arg) in args.iter().enumerate() {
            let tables = self.of(id, arg);
            more |= match params.get(n).filter(|_| self.module.funcs[to].is_defined()) {
                _ if tables.is_empty() => false,
                Some(param) => extend(self.values.entry((to, param.value)).or_default(), tables),
                None => self.hand_on(&tables),
            };
        }
        more
    }

    fn hand_on(&mut self, tables: &Tables) -> bool {
        let before = self.handed.len();
        self.handed.extend(tables);
        self.handed.len() > before
    }

    fn is_kept(&self, value: Operand) -> bool {
        matches!(value, Operand::Global(table, 0) if (self.kept)(table))
    }

    fn of(&self, id: FuncId, operand: Operand) -> Tables {
        match operand {
            Operand::Global(g, _) if self.leading.contains(&g) => Tables::from([g]),
            Operand::Value(v) => self.values.get(&(id, v)).cloned().unwrap_or_default(),
            _ => Tables::new(),
        }
    }

    fn of_all(&self, id: FuncId, operands: impl IntoIterator<Item = Operand>) -> Tables {
        operands.into_iter().flat_map(|operand| self.of(id, operand)).collect()
    }

    /// What may be read there: a function of the table, or a pointer to another one.
    fn content(&self, id: FuncId, addr: Operand) -> Tables {
        let at = match addr {
            Operand::Global(_, off) => u64::try_from(off).ok(),
            _ => None,
        };
        let of_table = |table: GlobalId| {
            let cells = self.module.globals[table].init.iter();
            cells.filter(move |cell| at.is_none_or(|at| cell.offset == at)).filter_map(move |cell| match cell
                .value
            {
                Operand::Func(_) => Some(table),
                Operand::Global(g, _) => self.leading.contains(&g).then_some(g),
                _ => None,
            })
        };
        self.of(id, addr).into_iter().flat_map(of_table).collect()
    }
}

fn extend(tables: &mut Tables, more: Tables) -> bool {
    let before = tables.len();
    tables.extend(more);
    tables.len() > before
}
