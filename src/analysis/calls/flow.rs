//! Where pointers to functions are kept, and which may be there: one set for each field of a struct, global,
//! parameter and result, whoever holds the struct and whenever it is read.

use crate::analysis::declared;
use crate::analysis::layout::Layout;
use crate::analysis::points_to::{static_path, taken_operands};
use lockpair_ir::*;
use std::collections::{BTreeSet, HashMap, HashSet};

const POINTER_BYTES: u128 = 8;

/// What a pointer to a function may be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Pointees {
    /// These functions.
    pub funcs: BTreeSet<FuncId>,
    /// A function of code outside.
    pub outside: bool,
    /// One of those put nobody knows where, if it takes the arguments of the call.
    pub elsewhere: bool,
    /// Anything.
    pub unknown: bool,
}

impl Pointees {
    fn one(f: FuncId) -> Pointees {
        Pointees { funcs: BTreeSet::from([f]), ..Pointees::default() }
    }

    fn unknown() -> Pointees {
        Pointees { unknown: true, ..Pointees::default() }
    }

    /// Tells whether that is more.
    fn join(&mut self, other: &Pointees) -> bool {
        let before = (self.funcs.len(), self.outside, self.elsewhere, self.unknown);
        self.funcs.extend(&other.funcs);
        self.outside |= other.outside;
        self.elsewhere |= other.elsewhere;
        self.unknown |= other.unknown;
        before != (self.funcs.len(), self.outside, self.elsewhere, self.unknown)
    }
}

/// Where a pointer to a function may be.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Place {
    /// In a field: the innermost struct and the offset there.
    Field(TypeId, u64),
    /// In a global that is no struct.
    Global(GlobalId),
    /// Put there by a store through a pointer of which the struct is not known, or by a copy of a constant without
    /// a type (`*p = (struct s) { ... }`).
    Elsewhere,
    /// The same of what is declared to be no pointer to a function: only the functions count that it is known to be.
    ElsewhereAsData,
    Param(FuncId, usize),
    Result(FuncId),
}

/// What a value may be: pointers known by themselves, and those at some places.
#[derive(Default)]
struct Sources {
    known: Pointees,
    places: Vec<Place>,
}

/// The pointers to functions of a module.
pub(super) struct Flow<'a> {
    module: &'a Module,
    layout: &'a Layout<'a>,
    outside: &'a HashSet<FuncId>,
    /// The functions that the module itself calls by their names.
    called: HashSet<FuncId>,
    /// All functions whose address is taken.
    taken: BTreeSet<FuncId>,
    at: HashMap<Place, Pointees>,
    flows: HashMap<Place, BTreeSet<Place>>,
    /// All functions put nobody knows where.
    elsewhere: BTreeSet<FuncId>,
}

impl<'a> Flow<'a> {
    /// Collects what is stored, passed and returned, and lets it flow.
    pub fn solve(module: &'a Module, layout: &'a Layout<'a>, outside: &'a HashSet<FuncId>) -> Flow<'a> {
        let (called, taken) = (HashSet::new(), BTreeSet::new());
        let (at, flows) = (HashMap::new(), HashMap::new());
        let elsewhere = BTreeSet::new();
        let mut flow = Flow { module, layout, outside, called, taken, at, flows, elsewhere };
        flow.calls();
        flow.initial_values();
        for (id, func) in module.funcs.iter() {
            flow.function(id, func);
        }
        flow.give_and_spread(|place| !matches!(place, Place::Field(..)));
        // Only now it is known where the module puts nothing.
        flow.give_and_spread(|place| matches!(place, Place::Field(..)));
        let elsewhere = [Place::Elsewhere, Place::ElsewhereAsData].map(|place| flow.of(place).funcs);
        flow.elsewhere = elsewhere.into_iter().flatten().collect();
        flow
    }

    /// All functions whose address is taken.
    pub fn taken(&self) -> &BTreeSet<FuncId> {
        &self.taken
    }

    /// The functions that are put nobody knows where.
    pub fn elsewhere(&self) -> &BTreeSet<FuncId> {
        &self.elsewhere
    }

    /// What a pointer may be.
    pub fn pointees(&self, func: FuncId, pointer: Operand) -> Pointees {
        let sources = self.sources(func, pointer);
        let mut all = sources.known;
        for place in sources.places {
            all.join(&self.of(place));
            all.join(&self.given(place));
        }
        if all.elsewhere {
            let elsewhere = self.of(Place::Elsewhere);
            all.unknown |= elsewhere.unknown;
            all.outside |= elsewhere.outside;
        }
        all
    }

    fn of(&self, place: Place) -> Pointees {
        self.at.get(&place).cloned().unwrap_or_default()
    }

    // ---- what flows

    fn calls(&mut self) {
        for func in self.module.funcs.values() {
            for &i in func.blocks.values().flat_map(|b| &b.insts) {
                let op = &func.insts[i].op;
                if let Op::Call { callee: Callee::Func(f), .. } = op {
                    self.called.insert(*f);
                }
                self.taken.extend(op.operands().into_iter().filter_map(Operand::func));
            }
        }
    }

    fn initial_values(&mut self) {
        for (id, g) in self.module.globals.iter() {
            for cell in &g.init {
                self.address_taken(cell.value);
                let Some(f) = cell.value.func() else { continue };
                self.taken.insert(f);
                let place = match self.module.struct_at(g, cell.offset) {
                    Some((strukt, offset)) => self.field(strukt, offset),
                    None if g.ty.is_none() => Place::Elsewhere,
                    None => Place::Global(id),
                };
                self.add(place, &Pointees::one(f));
            }
        }
    }

    fn function(&mut self, id: FuncId, func: &Function) {
        for block in func.blocks.values() {
            for &i in &block.insts {
                taken_operands(&func.insts[i].op).into_iter().for_each(|operand| self.address_taken(operand));
                match &func.insts[i].op {
                    Op::Store { addr, value, .. }
                    | Op::Rmw { addr, value, .. }
                    | Op::CmpXchg { addr, new: value, .. } => {
                        self.put(id, *value, self.stored_at(id, *addr, *value));
                    }
                    Op::MemCopy { dst: to, len, .. } | Op::Access { addr: to, len, write: true, .. } => {
                        self.written_as_bytes(id, *to, *len);
                    }
                    Op::Call { callee: Callee::Func(f), args } => {
                        for n in 0..self.module.funcs[*f].params.len() {
                            match args.get(n) {
                                Some(arg) => self.put(id, *arg, Place::Param(*f, n)),
                                None => _ = self.add(Place::Param(*f, n), &Pointees::unknown()),
                            }
                        }
                    }
                    _ => {}
                }
            }
            if let Terminator::Ret(Some(value)) = block.term {
                self.address_taken(value);
                self.put(id, value, Place::Result(id));
            }
        }
    }

    /// One pointer to a function that is written as bytes may be any. (Copies of structs go from one field to the same.)
    fn written_as_bytes(&mut self, func: FuncId, to: Operand, len: Operand) {
        let one = !matches!(len, Operand::Int { value, .. } if value > POINTER_BYTES);
        if let Some(place) = self.place(func, to).filter(|place| one && self.keeps_functions(*place)) {
            self.add(place, &Pointees::unknown());
        }
    }

    /// A global whose address goes anywhere may be written to by anybody.
    fn address_taken(&mut self, operand: Operand) {
        if let Operand::Global(g, _) = operand {
            self.add(Place::Global(g), &Pointees::unknown());
        }
    }

    /// Where a store puts a value.
    fn stored_at(&self, func: FuncId, addr: Operand, value: Operand) -> Place {
        self.place(func, addr).unwrap_or_else(|| {
            match self.may_be_function(func, value, &mut HashSet::new()) {
                true => Place::Elsewhere,
                false => Place::ElsewhereAsData,
            }
        })
    }

    fn put(&mut self, func: FuncId, value: Operand, to: Place) {
        if let Operand::Value(v) = value
            && self.module.funcs[func].values[v].ty != Ty::Ptr
        {
            // A pointer may go around as a number.
            self.add(to, &Pointees::unknown());
            return;
        }
        let sources = self.sources(func, value);
        self.add(to, &sources.known);
        for from in sources.places {
            self.flows.entry(from).or_default().insert(to);
        }
    }

    fn add(&mut self, place: Place, more: &Pointees) -> bool {
        let here = self.at.entry(place).or_default();
        match place {
            Place::ElsewhereAsData => {
                here.join(&Pointees { funcs: more.funcs.clone(), ..Pointees::default() })
            }
            _ => here.join(more),
        }
    }

    /// Lets flow what is at these places, and what code outside gives there.
    fn give_and_spread(&mut self, now: impl Fn(Place) -> bool) {
        let places: Vec<Place> = self.flows.keys().copied().filter(|place| now(*place)).collect();
        for place in places {
            self.add(place, &self.given(place));
        }
        self.spread();
    }

    /// What code outside gives: arguments of what it calls, what it keeps in globals that it knows, and in its own
    /// structs, if the module puts nothing there.
    fn given(&self, place: Place) -> Pointees {
        let outside = match place {
            Place::Param(f, _) if self.outside.contains(&f) || !self.called.contains(&f) => {
                return Pointees::unknown();
            }
            Place::Result(f) if !self.module.funcs[f].is_defined() => return Pointees::unknown(),
            Place::Global(g) if self.module.globals[g].exported || !self.module.globals[g].defined => {
                return Pointees::unknown();
            }
            // Files that are not given may call it, too.
            Place::Param(f, _) => self.module.funcs[f].exported,
            Place::Global(_) | Place::Result(_) | Place::Elsewhere | Place::ElsewhereAsData => false,
            Place::Field(strukt, _) => {
                let private = self.module.as_struct(strukt).is_some_and(|s| s.module_private);
                !private && self.at.get(&place).is_none_or(|p| p.funcs.is_empty())
            }
        };
        Pointees { outside, ..Pointees::default() }
    }

    fn spread(&mut self) {
        let mut work: Vec<Place> = self.flows.keys().copied().collect();
        while let Some(from) = work.pop() {
            let here = self.of(from);
            for to in self.flows.get(&from).cloned().unwrap_or_default() {
                if self.add(to, &here) {
                    work.push(to);
                }
            }
        }
    }

    // ---- where a value comes from

    fn sources(&self, func: FuncId, pointer: Operand) -> Sources {
        let mut sources = Sources::default();
        self.trace(func, pointer, &mut sources, &mut HashSet::new());
        sources
    }

    fn trace(&self, id: FuncId, pointer: Operand, out: &mut Sources, seen: &mut HashSet<ValueId>) {
        let v = match pointer {
            Operand::Func(f) => {
                out.known.funcs.insert(f);
                return;
            }
            Operand::Null | Operand::Undef(_) => return,
            Operand::Value(v) => v,
            Operand::Int { .. } | Operand::Global(..) => {
                out.known.unknown = true;
                return;
            }
        };
        if !seen.insert(v) {
            return;
        }
        let func = &self.module.funcs[id];
        let Some(inst) = func.values[v].inst else {
            match func.params.iter().position(|p| p.value == v) {
                Some(n) => out.places.push(Place::Param(id, n)),
                None => out.known.unknown = true,
            }
            return;
        };
        match &func.insts[inst].op {
            Op::Phi(edges) => edges.iter().for_each(|(_, op)| self.trace(id, *op, out, seen)),
            Op::Select { then, els, .. } => {
                [then, els].into_iter().for_each(|op| self.trace(id, *op, out, seen))
            }
            Op::Call { callee: Callee::Func(f), .. } => out.places.push(Place::Result(*f)),
            Op::Load { addr, .. } => self.loaded(id, *addr, out),
            _ => out.known.unknown = true,
        }
    }

    fn loaded(&self, id: FuncId, addr: Operand, out: &mut Sources) {
        let place = self.place(id, addr);
        if let Some(g) = constants::root(&self.module.globals, &self.module.funcs[id], addr) {
            let table = &self.module.globals[g];
            let is_there = |c: &&InitCell| {
                let at = self.module.struct_at(table, c.offset).map(|(s, offset)| self.field(s, offset));
                at.is_none() || at == place
            };
            let functions = |c: &InitCell| c.value.func();
            let mut there = table.init.iter().filter(is_there).filter_map(functions).peekable();
            match there.peek() {
                Some(_) => out.known.funcs.extend(there),
                // Looked at as something else than it is declared.
                None => out.known.funcs.extend(table.init.iter().filter_map(functions)),
            }
            return;
        }
        match place {
            Some(place) => {
                out.places.push(place);
                out.known.elsewhere = true;
            }
            None => out.known.unknown = true,
        }
    }

    /// The place at an address, if the struct is known.
    fn place(&self, id: FuncId, addr: Operand) -> Option<Place> {
        let func = &self.module.funcs[id];
        if let Some((strukt, offset)) = static_path(self.module, func, addr) {
            return Some(self.field(strukt, offset));
        }
        if let Operand::Global(g, _) = addr {
            return Some(Place::Global(g));
        }
        // The first member is where the struct is.
        match declared::pointee(self.module, func, addr) {
            Some(strukt) => self.module.as_struct(strukt).map(|_| self.field(strukt, 0)),
            None => self.first_of_container(func, addr),
        }
    }

    /// The first member of the struct around a member (`container_of`), if one struct only has such a member there.
    fn first_of_container(&self, func: &Function, addr: Operand) -> Option<Place> {
        let Operand::Value(v) = addr else { return None };
        let Op::PtrAdd { base, offset, scaled, within: None } = &func.insts[func.values[v].inst?].op else {
            return None;
        };
        let at = u64::try_from(-offset).ok().filter(|at| *at > 0 && scaled.is_empty())?;
        let member = declared::pointee(self.module, func, *base)?;
        let size = self.module.as_struct(member)?.size;
        let holds = |strukt: &TypeId| {
            self.module.as_struct(*strukt).is_some_and(|s| at + size <= s.size)
                && self.layout.smallest(*strukt, at, size) == (member, 0)
        };
        let mut places = self.module.types.keys().filter(holds).map(|strukt| self.field(strukt, 0));
        let first = places.next()?;
        places.all(|place| place == first).then_some(first)
    }

    /// The innermost struct and the offset of the field in it; all elements of an array, and all members of a
    /// union, are one.
    fn field(&self, strukt: TypeId, offset: u64) -> Place {
        let (inner, at) = self.layout.innermost(strukt, offset);
        let Some(def) = self.module.as_struct(inner) else { return Place::Field(inner, at) };
        let size = |f: &Field| self.module.size_of(f.ty);
        let field = def.fields.iter().find(|f| f.offset <= at && at < f.offset + size(f));
        Place::Field(inner, if def.is_union { 0 } else { field.map_or(at, |f| f.offset) })
    }

    /// Whether the value is a pointer to a function by its declaration, or chosen among functions.
    fn may_be_function(&self, id: FuncId, value: Operand, seen: &mut HashSet<ValueId>) -> bool {
        let module = self.module;
        let Operand::Value(v) = value else { return value.func().is_some() };
        if !seen.insert(v) {
            return false;
        }
        let points_to_function = |ty: TypeId| points_to_function(module, ty);
        let func = &module.funcs[id];
        let Some(inst) = func.values[v].inst else {
            let param = func.params.iter().find(|p| p.value == v);
            return param.and_then(|p| p.decl).is_some_and(points_to_function);
        };
        match &func.insts[inst].op {
            Op::Phi(edges) => edges.iter().any(|(_, op)| self.may_be_function(id, *op, seen)),
            Op::Select { then, els, .. } => {
                [then, els].into_iter().any(|op| self.may_be_function(id, *op, seen))
            }
            Op::Call { callee: Callee::Func(f), .. } => {
                module.funcs[*f].ret_decl.is_some_and(points_to_function)
            }
            Op::Load { addr, .. } => self.place(id, *addr).is_some_and(|place| self.keeps_functions(place)),
            _ => false,
        }
    }

    /// Whether pointers to functions are kept there, by its declaration.
    fn keeps_functions(&self, place: Place) -> bool {
        let module = self.module;
        match place {
            Place::Field(strukt, at) => {
                let fields = module.as_struct(strukt).map_or(&[][..], |s| &s.fields);
                fields.iter().any(|f| f.offset == at && points_to_function(module, f.ty))
            }
            Place::Global(g) => module.globals[g].ty.is_some_and(|ty| points_to_function(module, ty)),
            _ => false,
        }
    }
}

fn points_to_function(module: &Module, ty: TypeId) -> bool {
    module.pointee(ty).is_some_and(|to| matches!(module.types[to], TypeDef::Func { .. }))
}
