//! Where the addresses of functions go: a flow-insensitive, inter-procedural least fixpoint over the module.
//!
//! A *token* is a function, a global, a stack object, or `Unknown` (anything from outside). A value holds the
//! tokens that may be in it. Objects (globals and stack objects) whose address stays in the module have
//! *cells*; everything else is unknown memory. A token *escapes* when it gets to code or memory that the
//! module does not control, and an escaped object takes the content of its cells along.
//!
//! Invariants that soundness rests on:
//! - a value without `Unknown` holds nothing but its tokens (null, integers and uninitialized aside);
//! - an object that has not escaped is read and written only by instructions that this analysis saw;
//! - a function in a field that has a row does not escape there: the row says who calls it.
//!
//! What it does not do: it follows no path condition and tells no call of a function from another.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use lockpair_env::schema::{AddrExpr, Base, CallbackRow, Effect, FunctionRow};
use lockpair_ir::{
    Asm, BlockId, Callee, CastOp, FuncId, GlobalId, Inst, InstId, LocId, Module, Op, Operand, Terminator, Ty,
    ValueId,
};

use crate::environment::Environment;
use crate::markers::{Marked, marker};
use crate::place::{self, Member, Place};

/// Something whose address is followed.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Token {
    /// A function.
    Func(FuncId),
    /// Somewhere in a global.
    Global(GlobalId),
    /// Somewhere in a stack object.
    Stack(FuncId, InstId),
    /// Anything that code outside can reach, or a heap object.
    Unknown,
}

type Tokens = BTreeSet<Token>;

/// A token in memory.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Cell {
    /// Which member it is in; empty if that is unknown.
    members: Vec<Member>,
    token: Token,
    /// The offset in the object, for cells of an initial value.
    offset: Option<u64>,
    /// Whether a row says how the kernel calls the function there.
    explained: bool,
    loc: Option<LocId>,
}

/// A function stored by code in a field that has a row.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Stored<'a> {
    pub func: FuncId,
    pub row: &'a CallbackRow,
    pub member: Member,
    pub table: Option<GlobalId>,
    pub loc: Option<LocId>,
}

/// A function passed to a registration call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Registered {
    pub func: FuncId,
    pub class: String,
    pub by: String,
    pub loc: Option<LocId>,
}

/// The rows for a place: of the outermost struct that has any; several only through unions.
pub(crate) fn rows_at<'a>(env: &'a dyn Environment, members: &[Member]) -> Vec<(Member, &'a CallbackRow)> {
    let mut out: Vec<(Member, &CallbackRow)> = Vec::new();
    for member in members {
        let row = env.table(&member.strukt).and_then(|table| table.field(&member.path));
        let same = out
            .first()
            .is_none_or(|(first, _)| (&first.strukt, first.start) == (&member.strukt, member.start));
        out.extend(row.filter(|_| same).map(|row| (member.clone(), row)));
    }
    out
}

/// What the fixpoint found.
pub(crate) struct Flow<'a> {
    module: &'a Module,
    env: &'a dyn Environment,
    trust_private: bool,
    /// The row of each function that has one; its body, if the module has it, is not looked at.
    rows: Vec<Option<&'a FunctionRow>>,
    /// Functions that code outside may call: their parameters are unknown, their results escape.
    outside: HashSet<FuncId>,
    places: HashMap<(FuncId, InstId), Rc<Vec<Place>>>,
    values: HashMap<(FuncId, ValueId), Tokens>,
    returns: HashMap<FuncId, Tokens>,
    objects: BTreeMap<Token, Vec<Cell>>,
    /// What is known to be in members of objects in unknown memory and of escaped objects.
    shared: HashMap<(String, String), Tokens>,
    /// What escaped, and where first.
    pub escaped: BTreeMap<Token, Option<LocId>>,
    /// Functions stored in fields that have a row.
    pub stored: Vec<Stored<'a>>,
    /// Functions passed to registration calls.
    pub registered: Vec<Registered>,
    /// Members of private structs that were trusted to stay in the module.
    pub trusted: BTreeSet<(String, Option<LocId>)>,
    /// Whether an address without tokens counts as unknown; only once the rest is stable, since on the way
    /// there it may just not have its tokens yet.
    strict: bool,
    changed: bool,
}

/// The place of an instruction.
#[derive(Copy, Clone)]
struct Site {
    func: FuncId,
    inst: InstId,
    loc: Option<LocId>,
}

impl<'a> Flow<'a> {
    /// Runs the analysis.
    pub fn new(
        module: &'a Module,
        env: &'a dyn Environment,
        marked: &Marked,
        trust_private: bool,
    ) -> Flow<'a> {
        let mut flow = Flow {
            module,
            env,
            trust_private,
            rows: module.funcs.keys().map(|f| env.row_of(module, f)).collect(),
            outside: HashSet::new(),
            places: HashMap::new(),
            values: HashMap::new(),
            returns: HashMap::new(),
            objects: BTreeMap::new(),
            shared: HashMap::new(),
            escaped: BTreeMap::new(),
            stored: Vec::new(),
            registered: Vec::new(),
            trusted: BTreeSet::new(),
            strict: false,
            changed: false,
        };
        flow.seed_objects();
        flow.seed_outside(marked);
        flow.solve();
        flow.strict = true;
        flow.solve();
        flow
    }

    /// The row of a function, by which calls of it are understood even if the module has the body.
    pub fn row(&self, f: FuncId) -> Option<&'a FunctionRow> {
        use lockpair_ir::EntityRef;
        self.rows[f.index()]
    }

    /// All functions that a pointer may be, or nothing if there may be others.
    pub fn targets(&self, func: FuncId, pointer: Operand) -> Option<Vec<FuncId>> {
        let tokens = self.tokens(func, pointer);
        let target = |token: &Token| match token {
            Token::Func(f) => Some(*f),
            Token::Global(_) | Token::Stack(..) | Token::Unknown => None,
        };
        if tokens.is_empty() { None } else { tokens.iter().map(target).collect() }
    }

    // ---- where it starts

    fn seed_objects(&mut self) {
        let referenced = referenced_globals(self.module);
        for (g, global) in self.module.globals.iter() {
            match marker(global) {
                Some(crate::markers::Marker::Used) => self.seed_kept(g),
                Some(_) => {}
                None => {
                    self.seed_cells(g);
                    // Nobody in the module names it, so the linker hands it to someone: clang drops other ones.
                    if global.exported || !global.defined || !referenced.contains(&g) {
                        self.escape(Token::Global(g), global.loc);
                    }
                }
            }
        }
    }

    /// What `llvm.used` names is found by others through its section.
    fn seed_kept(&mut self, used: GlobalId) {
        for cell in &self.module.globals[used].init {
            if let Operand::Global(g, _) = cell.value
                && marker(&self.module.globals[g]).is_none()
            {
                self.escape(Token::Global(g), self.module.globals[g].loc);
            }
        }
    }

    fn seed_cells(&mut self, g: GlobalId) {
        let global = &self.module.globals[g];
        for cell in &global.init {
            let Some(token) = constant_token(cell.value) else { continue };
            let members =
                global.ty.map_or_else(Vec::new, |ty| place::members_at(self.module, ty, cell.offset));
            let explained = matches!(token, Token::Func(_)) && !rows_at(self.env, &members).is_empty();
            let cell = Cell { members, token, offset: Some(cell.offset), explained, loc: global.loc };
            self.objects.entry(Token::Global(g)).or_default().push(cell);
        }
    }

    fn seed_outside(&mut self, marked: &Marked) {
        let (taken, called) = uses_of_functions(self.module);
        let exported = self.module.funcs.iter().filter(|(f, func)| func.exported || !called.contains(f));
        self.outside = taken.into_iter().chain(exported.map(|(f, _)| f)).chain(marked.all()).collect();
        for &f in &self.outside {
            for param in &self.module.funcs[f].params {
                self.values.entry((f, param.value)).or_default().insert(Token::Unknown);
            }
        }
    }

    // ---- the fixpoint

    fn solve(&mut self) {
        loop {
            self.changed = false;
            for f in self.module.funcs.keys() {
                if self.row(f).is_none() {
                    self.pass_over(f);
                }
            }
            self.spread_escapes();
            if !self.changed {
                return;
            }
        }
    }

    fn pass_over(&mut self, func: FuncId) {
        let module = self.module;
        let body = &module.funcs[func];
        for block in body.blocks.values() {
            for &inst in &block.insts {
                self.transfer(func, inst, &body.insts[inst]);
            }
            if let Terminator::Ret(Some(value)) = block.term {
                let tokens = self.tokens(func, value);
                if self.outside.contains(&func) {
                    self.escape_all(&tokens, block.term_loc);
                }
                self.changed |= add_all(self.returns.entry(func).or_default(), &tokens);
            }
        }
    }

    /// What an escaped object holds escapes with it.
    fn spread_escapes(&mut self) {
        let objects: Vec<(Token, Option<LocId>)> = self.escaped.iter().map(|(t, l)| (*t, *l)).collect();
        for (object, loc) in objects {
            for cell in self.objects.get(&object).cloned().unwrap_or_default() {
                self.put_unknown(Cell { loc: cell.loc.or(loc), ..cell });
            }
        }
    }

    fn transfer(&mut self, func: FuncId, id: InstId, inst: &Inst) {
        let site = Site { func, inst: id, loc: inst.loc };
        let result = self.result_of(site, &inst.op);
        if let Some(value) = inst.result
            && may_hold_address(self.module.funcs[func].values[value].ty)
        {
            self.add_to_value(func, value, &result);
        }
    }

    fn result_of(&mut self, site: Site, op: &Op) -> Tokens {
        match op {
            Op::Cast(CastOp::IntToPtr, v) => self.pointer_from(site.func, *v),
            Op::Bin(..) | Op::Select { .. } | Op::Cast(..) | Op::Phi(_) | Op::Extract { .. } => {
                self.union(site.func, &op.operands())
            }
            Op::PtrAdd { base, scaled, .. } => self.sum(site.func, *base, scaled),
            Op::Alloca { .. } => Tokens::from([Token::Stack(site.func, site.inst)]),
            Op::Load { addr, .. } => self.load(site, *addr),
            Op::Store { addr, value, .. } => self.store(site, *addr, *value),
            Op::Rmw { addr, value, .. } => self.exchange(site, *addr, *value),
            Op::CmpXchg { addr, new, .. } => self.exchange(site, *addr, *new),
            Op::MemCopy { dst, src, len } => self.copy(site, *dst, *src, Some(*len)),
            Op::Call { callee, args } => self.call(site, callee, args),
            Op::Register { class, callback, .. } => self.register_effect(site, class, *callback),
            Op::Publish { ptr } => self.escape_operand(site, *ptr),
            Op::External { args, .. } => self.escape_args(site, args),
            Op::Access { addr, write: true, .. } => {
                self.put(site, *addr, &[Place::default()], &Tokens::from([Token::Unknown]));
                Tokens::new()
            }
            Op::Havoc | Op::Alloc { .. } => Tokens::from([Token::Unknown]),
            Op::Cmp(..)
            | Op::MemSet { .. }
            | Op::Free { .. }
            | Op::Access { .. }
            | Op::Acquire { .. }
            | Op::Release { .. }
            | Op::Unregister { .. } => Tokens::new(),
        }
    }

    // ---- values

    fn tokens(&self, func: FuncId, operand: Operand) -> Tokens {
        match operand {
            Operand::Value(v) => self.values.get(&(func, v)).cloned().unwrap_or_default(),
            _ => constant_token(operand).into_iter().collect(),
        }
    }

    fn union(&self, func: FuncId, operands: &[Operand]) -> Tokens {
        operands.iter().flat_map(|v| self.tokens(func, *v)).collect()
    }

    /// An address keeps its tokens whatever the index; only without a base can the index be the address.
    fn sum(&self, func: FuncId, base: Operand, scaled: &[(Operand, i64)]) -> Tokens {
        match base {
            Operand::Null | Operand::Int { .. } => {
                self.union(func, &scaled.iter().map(|(index, _)| *index).collect::<Vec<_>>())
            }
            _ => self.tokens(func, base),
        }
    }

    /// An integer that no known address went into is still an address of something.
    fn pointer_from(&self, func: FuncId, integer: Operand) -> Tokens {
        let mut tokens = self.tokens(func, integer);
        if tokens.is_empty() {
            tokens.insert(Token::Unknown);
        }
        tokens
    }

    fn add_to_value(&mut self, func: FuncId, value: ValueId, tokens: &Tokens) {
        if !tokens.is_empty() {
            self.changed |= add_all(self.values.entry((func, value)).or_default(), tokens);
        }
    }

    /// The objects that an address may point into.
    fn addressed(&self, func: FuncId, addr: Operand) -> Tokens {
        let mut tokens = self.tokens(func, addr);
        if tokens.is_empty() && self.strict && !matches!(addr, Operand::Null | Operand::Undef(_)) {
            tokens.insert(Token::Unknown);
        }
        tokens
    }

    // ---- memory

    fn places(&mut self, site: Site, addr: Operand) -> Rc<Vec<Place>> {
        let module = self.module;
        let compute = || Rc::new(place::places(module, site.func, addr));
        Rc::clone(self.places.entry((site.func, site.inst)).or_insert_with(compute))
    }

    fn load(&mut self, site: Site, addr: Operand) -> Tokens {
        let objects = self.addressed(site.func, addr);
        if objects.is_empty() {
            return Tokens::new();
        }
        let places = self.places(site, addr);
        let mut out = Tokens::new();
        for object in objects {
            for place in places.iter() {
                self.load_place(object, &place.members, &mut out);
            }
        }
        out
    }

    fn load_place(&self, object: Token, members: &[Member], out: &mut Tokens) {
        match object {
            Token::Func(_) => {}
            Token::Unknown => self.load_unknown(members, out),
            Token::Global(_) | Token::Stack(..) => {
                let cells = self.objects.get(&object).into_iter().flatten();
                out.extend(cells.filter(|c| place::may_coincide(&c.members, members)).map(|c| c.token));
                if self.written_outside(object) {
                    out.insert(Token::Unknown);
                }
                if out.contains(&Token::Unknown) {
                    self.load_unknown(members, out);
                }
            }
        }
    }

    /// Unknown memory holds anything; what is known to be put into such members is named too, so that a
    /// registration that goes through them is found.
    fn load_unknown(&self, members: &[Member], out: &mut Tokens) {
        out.insert(Token::Unknown);
        let known = members.iter().filter_map(|member| self.shared.get(&shared_key(member)));
        out.extend(known.flatten());
    }

    /// Code outside, and whoever has a pointer to such an object, can reach the token.
    fn share(&mut self, token: Token, members: &[Member]) {
        for member in members {
            self.changed |= self.shared.entry(shared_key(member)).or_default().insert(token);
        }
    }

    fn written_outside(&self, object: Token) -> bool {
        let constant = match object {
            Token::Global(g) => self.module.globals[g].constant && self.module.globals[g].defined,
            Token::Func(_) | Token::Stack(..) | Token::Unknown => false,
        };
        !constant && self.escaped.contains_key(&object)
    }

    fn store(&mut self, site: Site, addr: Operand, value: Operand) -> Tokens {
        let tokens = self.tokens(site.func, value);
        if !tokens.is_empty() {
            let places = self.places(site, addr);
            self.put(site, addr, &places, &tokens);
        }
        Tokens::new()
    }

    fn exchange(&mut self, site: Site, addr: Operand, value: Operand) -> Tokens {
        self.store(site, addr, value);
        self.load(site, addr)
    }

    /// Puts the tokens in memory, at an address that is one of the places.
    fn put(&mut self, site: Site, addr: Operand, places: &[Place], tokens: &Tokens) {
        let objects = self.addressed(site.func, addr);
        for place in places {
            for &token in tokens {
                let explained = self.explain(site, place, token);
                for &object in &objects {
                    let cell = Cell {
                        members: place.members.clone(),
                        token,
                        offset: None,
                        explained,
                        loc: site.loc,
                    };
                    self.put_cell(object, cell);
                }
            }
        }
    }

    /// Whether rows say who calls the function that is stored at the place; then they are noted.
    fn explain(&mut self, site: Site, place: &Place, token: Token) -> bool {
        let Token::Func(func) = token else { return false };
        let rows = rows_at(self.env, &place.members);
        for (member, row) in &rows {
            let (member, table) = (member.clone(), place.global);
            let fact = Stored { func, row, member, table, loc: site.loc };
            if !self.stored.contains(&fact) {
                self.stored.push(fact);
                self.changed = true;
            }
        }
        !rows.is_empty()
    }

    fn put_cell(&mut self, object: Token, cell: Cell) {
        match object {
            Token::Func(_) => {}
            Token::Unknown => self.put_unknown(cell),
            Token::Global(_) | Token::Stack(..) => {
                let cells = self.objects.entry(object).or_default();
                let key = |c: &Cell| (c.token, c.explained);
                if !cells.iter().any(|c| key(c) == key(&cell) && c.members == cell.members) {
                    cells.push(cell);
                    self.changed = true;
                }
            }
        }
    }

    fn put_unknown(&mut self, cell: Cell) {
        if cell.token == Token::Unknown {
            return;
        }
        if !cell.explained {
            self.leave(cell.token, &cell.members, cell.loc);
        }
        self.share(cell.token, &cell.members);
    }

    /// Copies what the source's cells hold. `len` bounds it if it is a constant.
    fn copy(&mut self, site: Site, dst: Operand, src: Operand, len: Option<Operand>) -> Tokens {
        let start = match src {
            Operand::Global(_, start) => Some(start),
            _ => None,
        };
        for object in self.addressed(site.func, src) {
            for cell in self.objects.get(&object).cloned().unwrap_or_default() {
                let offset = start.and_then(|start| i64::try_from(cell.offset?).ok()?.checked_sub(start));
                if offset.is_none_or(|offset| is_below(offset, len)) {
                    self.copy_cell(site, dst, &cell, offset);
                }
            }
            if object == Token::Unknown || self.written_outside(object) {
                self.put(site, dst, &[Place::default()], &Tokens::from([Token::Unknown]));
            }
        }
        Tokens::new()
    }

    fn copy_cell(&mut self, site: Site, dst: Operand, cell: &Cell, offset: Option<i64>) {
        // The cell knows its member if its object has a declared type; constants that the compiler makes for
        // initializers of locals have none, and the destination tells.
        let mut places = match offset {
            Some(offset) if cell.members.is_empty() => {
                place::places_beyond(self.module, site.func, dst, offset)
            }
            _ => vec![Place { members: cell.members.clone(), global: None }],
        };
        if places.is_empty() {
            places.push(Place::default());
        }
        if cell.explained {
            // The table that it is copied from is an entry point's already.
            for object in self.addressed(site.func, dst) {
                self.put_cell(object, Cell { offset: None, loc: site.loc, ..cell.clone() });
            }
        } else {
            self.put(site, dst, &places, &Tokens::from([cell.token]));
        }
    }

    // ---- calls

    fn call(&mut self, site: Site, callee: &Callee, args: &[Operand]) -> Tokens {
        match callee {
            Callee::Func(f) => self.call_function(site, *f, args),
            Callee::Indirect(pointer) => self.call_pointer(site, *pointer, args),
            Callee::Asm(asm) => self.call_asm(site, asm, args),
        }
    }

    fn call_function(&mut self, site: Site, f: FuncId, args: &[Operand]) -> Tokens {
        let func = &self.module.funcs[f];
        if let Some(row) = self.row(f) {
            self.call_modelled(site, &func.name, row, args)
        } else if func.is_defined() {
            self.call_defined(site, f, args)
        } else if func.name.starts_with("llvm.") {
            // The compiler's own: keeps nothing, may return an argument.
            let mut out = self.union(site.func, args);
            out.insert(Token::Unknown);
            out
        } else {
            self.escape_args(site, args)
        }
    }

    fn call_defined(&mut self, site: Site, f: FuncId, args: &[Operand]) -> Tokens {
        let params = &self.module.funcs[f].params;
        for (index, arg) in args.iter().enumerate() {
            let tokens = self.tokens(site.func, *arg);
            match params.get(index) {
                Some(param) => self.add_to_value(f, param.value, &tokens),
                None => self.escape_all(&tokens, site.loc),
            }
        }
        for param in params.iter().skip(args.len()) {
            self.add_to_value(f, param.value, &Tokens::from([Token::Unknown]));
        }
        self.returns.get(&f).cloned().unwrap_or_default()
    }

    fn call_pointer(&mut self, site: Site, pointer: Operand, args: &[Operand]) -> Tokens {
        let mut out = Tokens::new();
        for token in self.addressed(site.func, pointer) {
            out.extend(match token {
                Token::Func(f) => self.call_function(site, f, args),
                Token::Global(_) | Token::Stack(..) | Token::Unknown => self.escape_args(site, args),
            });
        }
        out
    }

    /// Assembly keeps the values it gets; operands in memory (`*m`) are read and written, not kept.
    fn call_asm(&mut self, site: Site, asm: &Asm, args: &[Operand]) -> Tokens {
        for (index, arg) in args.iter().enumerate() {
            if is_memory_operand(&asm.constraints, index) {
                self.put(site, *arg, &[Place::default()], &Tokens::from([Token::Unknown]));
            } else {
                self.escape_operand(site, *arg);
            }
        }
        Tokens::from([Token::Unknown])
    }

    fn call_modelled(&mut self, site: Site, name: &str, row: &FunctionRow, args: &[Operand]) -> Tokens {
        let mut out = Tokens::from([Token::Unknown]);
        let mut callbacks = Vec::new();
        for effect in &row.effects {
            match effect {
                Effect::Register { class, callback: Some(index), .. } => {
                    callbacks.push(*index as usize);
                    self.register(site, class, name, args.get(*index as usize));
                }
                Effect::ReturnArg(index) => {
                    out.extend(args.get(*index as usize).iter().flat_map(|v| self.tokens(site.func, **v)));
                }
                Effect::ReturnAddr(addr) => {
                    if let Base::Param(index) = addr.base {
                        out.extend(args.get(index as usize).iter().flat_map(|v| self.tokens(site.func, **v)));
                    }
                }
                Effect::Copy { dst, src, .. } => {
                    if let (Some(dst), Some(src)) = (bare_argument(dst, args), bare_argument(src, args)) {
                        self.copy(site, dst, src, None);
                    }
                }
                Effect::Access { addr, write: true, .. }
                | Effect::Atomic { addr, .. }
                | Effect::Store { addr, .. } => self.overwrite(site, addr, args),
                _ => {}
            }
        }
        self.escape_from_modelled(site, row, args, &callbacks);
        out
    }

    /// A modelled function puts something in the object that the argument points to.
    fn overwrite(&mut self, site: Site, addr: &AddrExpr, args: &[Operand]) {
        if let Base::Param(index) = addr.base
            && let Some(arg) = args.get(index as usize)
        {
            self.put(site, *arg, &[Place::default()], &Tokens::from([Token::Unknown]));
        }
    }

    /// What a modelled function keeps: a function unless it is its callback, an object if the row may keep it.
    fn escape_from_modelled(&mut self, site: Site, row: &FunctionRow, args: &[Operand], callbacks: &[usize]) {
        for (index, arg) in args.iter().enumerate() {
            let keeps = keeps_object(row, args, index);
            for token in self.tokens(site.func, *arg) {
                let leaves = match token {
                    Token::Func(_) => !callbacks.contains(&index),
                    Token::Global(_) | Token::Stack(..) => keeps,
                    Token::Unknown => false,
                };
                if leaves {
                    self.escape(token, site.loc);
                }
            }
        }
    }

    fn register(&mut self, site: Site, class: &str, by: &str, callback: Option<&Operand>) {
        let tokens = callback.map(|v| self.tokens(site.func, *v)).unwrap_or_default();
        for token in tokens {
            let Token::Func(func) = token else { continue };
            let fact = Registered { func, class: class.to_owned(), by: by.to_owned(), loc: site.loc };
            if !self.registered.contains(&fact) {
                self.registered.push(fact);
                self.changed = true;
            }
        }
    }

    fn register_effect(&mut self, site: Site, class: &str, callback: Option<Operand>) -> Tokens {
        self.register(site, class, class, callback.as_ref());
        Tokens::new()
    }

    // ---- escaping

    /// A token gets into unknown memory, in the member if one is known.
    fn leave(&mut self, token: Token, members: &[Member], loc: Option<LocId>) {
        if token == Token::Unknown {
            return;
        }
        if self.trust_private && place::is_private(members) {
            let name = members.iter().rev().find(|m| !m.is_union).map(|m| format!("{}.{}", m.strukt, m.path));
            self.trusted.extend(name.map(|name| (name, loc)));
        } else {
            self.escape(token, loc);
        }
    }

    fn escape(&mut self, token: Token, loc: Option<LocId>) {
        if token != Token::Unknown && !self.escaped.contains_key(&token) {
            self.escaped.insert(token, loc);
            self.changed = true;
        }
    }

    fn escape_all(&mut self, tokens: &Tokens, loc: Option<LocId>) {
        for &token in tokens {
            self.escape(token, loc);
        }
    }

    fn escape_operand(&mut self, site: Site, operand: Operand) -> Tokens {
        let tokens = self.tokens(site.func, operand);
        self.escape_all(&tokens, site.loc);
        Tokens::new()
    }

    fn escape_args(&mut self, site: Site, args: &[Operand]) -> Tokens {
        for arg in args {
            self.escape_operand(site, *arg);
        }
        Tokens::from([Token::Unknown])
    }
}

fn constant_token(operand: Operand) -> Option<Token> {
    match operand {
        Operand::Func(f) => Some(Token::Func(f)),
        Operand::Global(g, _) => Some(Token::Global(g)),
        Operand::Value(_) | Operand::Int { .. } | Operand::Null | Operand::Undef(_) => None,
    }
}

/// Members of one key may be one place; those of a union all are.
fn shared_key(member: &Member) -> (String, String) {
    (member.strukt.clone(), if member.is_union { String::new() } else { member.path.clone() })
}

fn add_all(to: &mut Tokens, tokens: &Tokens) -> bool {
    let before = to.len();
    to.extend(tokens);
    to.len() > before
}

fn may_hold_address(ty: Ty) -> bool {
    match ty {
        Ty::Int(bits) => bits >= 64,
        Ty::Ptr => true,
        Ty::Opaque(bytes) => bytes >= 8,
    }
}

/// Whether the offset lies in `[0, len)`; yes if the length is not a constant.
fn is_below(offset: i64, len: Option<Operand>) -> bool {
    match len {
        Some(Operand::Int { value, .. }) => u128::try_from(offset).is_ok_and(|offset| offset < value),
        _ => offset >= 0,
    }
}

/// The argument, if the address is just that.
fn bare_argument(addr: &AddrExpr, args: &[Operand]) -> Option<Operand> {
    match addr.base {
        Base::Param(index) if addr.steps.is_empty() => args.get(index as usize).copied(),
        _ => None,
    }
}

/// Whether the function may keep the address of an object that it gets as this argument. A row without effects
/// says nothing of it.
fn keeps_object(row: &FunctionRow, args: &[Operand], index: usize) -> bool {
    let starts_at = |addr: &AddrExpr| addr.base == Base::Param(u32::try_from(index).unwrap_or(u32::MAX));
    let keeps = |effect: &Effect| match effect {
        Effect::Copy { dst, src, .. } => {
            // Copies between bare arguments are followed.
            starts_at(src) && (bare_argument(dst, args).is_none() || bare_argument(src, args).is_none())
        }
        // Only what is not the address may be put there.
        Effect::Atomic { addr, .. } | Effect::Store { addr, .. } => !starts_at(addr),
        Effect::Acquire { .. }
        | Effect::Release { .. }
        | Effect::Alloc { .. }
        | Effect::Free { .. }
        | Effect::Access { .. }
        | Effect::Fill { .. }
        | Effect::Unregister { .. }
        | Effect::ReturnArg(_)
        | Effect::ReturnAddr(_)
        | Effect::ReturnConst(_) => false,
        // Publishing, registering.
        _ => true,
    };
    row.effects.is_empty() || row.effects.iter().any(keeps)
}

/// Whether the `index`-th argument of an assembly fragment is the address of an operand in memory.
fn is_memory_operand(constraints: &str, index: usize) -> bool {
    let takes_argument = |c: &&str| !c.starts_with('~') && (!c.starts_with('=') || c.contains('*'));
    constraints.split(',').filter(takes_argument).nth(index).is_some_and(|c| c.contains('*'))
}

/// The globals that code, or the initial value of a global that is no marker, names.
fn referenced_globals(module: &Module) -> HashSet<GlobalId> {
    let mut out = HashSet::new();
    let mut see = |operand: Operand| {
        if let Operand::Global(g, _) = operand {
            out.insert(g);
        }
    };
    module.funcs.values().for_each(|f| operands_of(f).for_each(&mut see));
    let globals = module.globals.values().filter(|g| marker(g).is_none());
    globals.flat_map(|g| &g.init).for_each(|cell| see(cell.value));
    out
}

/// The functions whose address is taken, and those that are called directly.
fn uses_of_functions(module: &Module) -> (HashSet<FuncId>, HashSet<FuncId>) {
    let (mut taken, mut called) = (HashSet::new(), HashSet::new());
    let mut see = |operand: Operand| {
        if let Operand::Func(f) = operand {
            taken.insert(f);
        }
    };
    module.globals.values().flat_map(|g| &g.init).for_each(|cell| see(cell.value));
    for func in module.funcs.values() {
        operands_of(func).for_each(&mut see);
        called.extend(func.insts.values().filter_map(|inst| match inst.op {
            Op::Call { callee: Callee::Func(f), .. } => Some(f),
            _ => None,
        }));
    }
    (taken, called)
}

fn operands_of(func: &lockpair_ir::Function) -> impl Iterator<Item = Operand> {
    let of_term = |block: BlockId| match func.blocks[block].term {
        Terminator::Ret(value) => value,
        Terminator::CondBr(value, ..) | Terminator::Switch { value, .. } => Some(value),
        Terminator::Br(_) | Terminator::Unreachable => None,
    };
    let insts = func.blocks.values().flat_map(|b| &b.insts);
    insts.flat_map(|id| func.insts[*id].op.operands()).chain(func.blocks.keys().filter_map(of_term))
}
