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
//! - a function in a field that has a row does not escape there: the row says who calls it;
//! - nor does one in a field of a struct that only the module knows, if the module calls it (`private`).
//!
//! What it does not do: it follows no path condition and tells no call of a function from another.

mod call;
mod copies;
mod memory;
mod private;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use lockpair_env::schema::{CallbackRow, FunctionRow};
use lockpair_ir::{
    BlockId, Callee, CastOp, FuncId, GlobalId, Inst, InstId, LocId, Module, Op, Operand, Terminator, Ty,
    ValueId,
};

use crate::environment::Environment;
use crate::markers::{Marked, marker};
use crate::place::{self, Member};
use crate::spot::{KeyId, SpotId, Spots};

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
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Cell {
    spot: SpotId,
    token: Token,
    /// The offset in the object, for cells of an initial value.
    offset: Option<u64>,
    /// Whether a row says how the kernel calls the function there.
    explained: bool,
}

/// What is in an object whose address is followed.
#[derive(Clone, Default)]
struct Content {
    cells: BTreeMap<Cell, Option<LocId>>,
    /// The same by spot.
    tokens: BTreeMap<SpotId, Tokens>,
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

/// How something gets to where it is not followed.
#[derive(Copy, Clone)]
pub(crate) struct Escape {
    pub loc: Option<LocId>,
    /// In which member it lies then.
    within: Option<SpotId>,
}

/// A place that an instruction addresses.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
struct Target {
    spot: SpotId,
    global: Option<GlobalId>,
}

/// What the tokens of an instruction's operands, and the rest of what it reads, amounted to. Everything only
/// grows, so with equal numbers there is nothing new.
#[derive(Copy, Clone, PartialEq, Eq, Default)]
struct Version {
    operands: usize,
    memory: usize,
    returns: usize,
}

/// What the fixpoint found.
pub(crate) struct Flow<'a> {
    module: &'a Module,
    /// The row of each function that has one; its body, if the module has it, is not looked at.
    rows: Vec<Option<&'a FunctionRow>>,
    /// Functions that code outside may call: their parameters are unknown, their results escape.
    outside: HashSet<FuncId>,
    spots: Spots<'a>,
    targets: HashMap<(FuncId, InstId), Rc<Vec<Target>>>,
    versions: HashMap<(FuncId, InstId), Version>,
    values: HashMap<(FuncId, ValueId), Tokens>,
    returns: HashMap<FuncId, Tokens>,
    objects: HashMap<Token, Content>,
    /// What is known to be in members of objects in unknown memory and of escaped objects.
    shared: HashMap<KeyId, Tokens>,
    /// How many cells of an escaped object have been shared.
    spread: HashMap<Token, usize>,
    /// What escaped, and how first.
    pub escaped: BTreeMap<Token, Escape>,
    /// Functions stored in fields that have a row.
    pub stored: Vec<Stored<'a>>,
    /// Functions passed to registration calls.
    pub registered: Vec<Registered>,
    /// Structs of which code makes further objects with the functions of those that there are.
    pub copied: BTreeSet<String>,
    noted: HashSet<(FuncId, FuncId, InstId, Target)>,
    /// What is in members of private structs, which were trusted to keep it in the module.
    pub trusted: BTreeSet<(Token, String, Option<LocId>)>,
    /// Functions that the module itself may call through a pointer.
    called: HashSet<FuncId>,
    /// Whether an address without tokens counts as unknown; only once the rest is stable, since on the way
    /// there it may just not have its tokens yet.
    strict: bool,
    changed: bool,
    /// How often something in memory, and something returned, has grown.
    now: Version,
    /// How often each object has grown, by a cell or by getting to code outside; for `Unknown`, what is known
    /// of unknown memory.
    growth: HashMap<Token, usize>,
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
    pub fn new(module: &'a Module, env: &'a dyn Environment, marked: &Marked) -> Flow<'a> {
        let mut flow = Flow {
            module,
            rows: module.funcs.keys().map(|f| env.row_of(module, f)).collect(),
            outside: HashSet::new(),
            spots: Spots::new(env),
            targets: HashMap::new(),
            versions: HashMap::new(),
            values: HashMap::new(),
            returns: HashMap::new(),
            objects: HashMap::new(),
            shared: HashMap::new(),
            spread: HashMap::new(),
            escaped: BTreeMap::new(),
            stored: Vec::new(),
            registered: Vec::new(),
            copied: BTreeSet::new(),
            noted: HashSet::new(),
            trusted: BTreeSet::new(),
            called: HashSet::new(),
            strict: false,
            changed: false,
            now: Version::default(),
            growth: HashMap::new(),
        };
        flow.seed_objects();
        flow.seed_outside(marked);
        flow.solve();
        flow.strict = true;
        flow.versions.clear();
        flow.solve();
        flow
    }

    /// The row of a function, by which calls of it are understood even if the module has the body.
    pub fn row(&self, f: FuncId) -> Option<&'a FunctionRow> {
        use lockpair_ir::EntityRef;
        self.rows[f.index()]
    }

    /// All functions that a pointer may be, or nothing if there may be others.
    pub fn callees(&self, func: FuncId, pointer: Operand) -> Option<Vec<FuncId>> {
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
                // An export: other modules have what it names.
                Some(_) => self.seed_kept(g),
                None => {
                    self.seed_cells(g);
                    // Nobody in the module names it, so the linker hands it to someone: clang drops others.
                    if global.exported || !global.defined || !referenced.contains(&g) {
                        self.escape(Token::Global(g), global.loc);
                    }
                }
            }
        }
    }

    /// What `llvm.used` names is found by others through its section, and what an export names by that.
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
            let spot = self.spots.intern(members);
            let explained = matches!(token, Token::Func(_)) && !self.spots.get(spot).rows.is_empty();
            let cell = Cell { spot, token, offset: Some(cell.offset), explained };
            self.put_cell(Token::Global(g), cell, global.loc);
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
            for (f, func) in self.module.funcs.iter() {
                // What an exported function with a row does, it still does when others call it.
                if self.row(f).is_none() || func.exported {
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
                if add_all(self.returns.entry(func).or_default(), &tokens) {
                    self.now.returns += 1;
                    self.changed = true;
                }
            }
        }
    }

    /// What an escaped object holds escapes with it.
    fn spread_escapes(&mut self) {
        let objects: Vec<(Token, Option<LocId>)> = self.escaped.iter().map(|(t, e)| (*t, e.loc)).collect();
        for (object, loc) in objects {
            let cells = self.objects.get(&object).map_or(0, |content| content.cells.len());
            if self.spread.insert(object, cells) == Some(cells) {
                continue;
            }
            for (cell, at) in self.cells(object) {
                self.put_unknown(cell, at.or(loc));
            }
        }
    }

    fn cells(&self, object: Token) -> Vec<(Cell, Option<LocId>)> {
        let cells = self.objects.get(&object).into_iter().flat_map(|content| &content.cells);
        cells.map(|(cell, loc)| (*cell, *loc)).collect()
    }

    /// Whether anything that the instruction reads has grown since it was looked at.
    fn is_stale(&mut self, func: FuncId, id: InstId, op: &Op) -> bool {
        let operands = op.operands().iter().map(|v| self.token_count(func, *v)).sum();
        let returns = match op {
            Op::Call { callee: Callee::Func(f), .. } => self.returns.get(f).map_or(0, Tokens::len),
            Op::Call { .. } => self.now.returns,
            _ => 0,
        };
        let version = Version { operands, memory: self.memory_read(func, op), returns };
        self.versions.insert((func, id), version) != Some(version)
    }

    /// How often the memory that the instruction reads has grown. What it reads of unknown memory is counted
    /// for all members together.
    fn memory_read(&self, func: FuncId, op: &Op) -> usize {
        match op {
            Op::Load { addr, .. } | Op::Rmw { addr, .. } | Op::CmpXchg { addr, .. } => {
                self.growth_behind(func, *addr)
            }
            Op::MemCopy { src, .. } => self.growth_behind(func, *src),
            // Modelled functions may copy memory.
            Op::Call { callee: Callee::Func(f), .. } if self.row(*f).is_none() => 0,
            Op::Call { .. } => self.now.memory,
            _ => 0,
        }
    }

    fn growth_behind(&self, func: FuncId, addr: Operand) -> usize {
        let count = |token: &Token| self.growth.get(token).copied().unwrap_or_default();
        let inside: usize = match addr {
            Operand::Value(v) => self.values.get(&(func, v)).into_iter().flatten().map(count).sum(),
            _ => constant_token(addr).iter().map(count).sum(),
        };
        inside + count(&Token::Unknown)
    }

    fn token_count(&self, func: FuncId, operand: Operand) -> usize {
        match operand {
            Operand::Value(v) => self.values.get(&(func, v)).map_or(0, Tokens::len),
            _ => 0,
        }
    }

    fn transfer(&mut self, func: FuncId, id: InstId, inst: &Inst) {
        if !self.is_stale(func, id, &inst.op) {
            return;
        }
        let site = Site { func, inst: id, loc: inst.loc };
        let result = self.result_of(site, &inst.op);
        match inst.result.map(|value| (value, self.module.funcs[func].values[value].ty)) {
            Some((value, ty)) if may_hold_address(ty) => self.add_to_value(func, value, &result),
            // A piece of an address is not followed any more.
            Some(_) if matches!(inst.op, Op::Cast(..)) => {
                let functions = result.into_iter().filter(|token| matches!(token, Token::Func(_)));
                self.escape_all(&functions.collect(), inst.loc);
            }
            _ => {}
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
            Op::MemCopy { dst, src, len } => {
                self.note_copy(site, &[*dst, *src]);
                self.copy(site, *dst, *src, Some(*len))
            }
            Op::Call { callee, args } => self.call(site, callee, args),
            Op::Register { class, callback, .. } => self.register_effect(site, class, *callback),
            Op::Publish { ptr, .. } => self.escape_operand(site, *ptr),
            Op::External { args, .. } => self.escape_args(site, args),
            Op::Access { addr, write: true, .. } => {
                self.put_anything(site, *addr);
                Tokens::new()
            }
            Op::Havoc | Op::Data | Op::Alloc { .. } => Tokens::from([Token::Unknown]),
            Op::Cmp(..)
            | Op::Cpu
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

    /// The objects that an address may point into. One that code outside writes to is unknown memory: what it
    /// held has been shared. Else large modules, where most objects escape and most pointers may lead to any of
    /// them, have each member of each object in each other one.
    fn addressed(&self, func: FuncId, addr: Operand) -> Tokens {
        let memory = |token: Token| match token {
            Token::Global(_) | Token::Stack(..) if self.written_outside(token) => Token::Unknown,
            Token::Func(_) | Token::Global(_) | Token::Stack(..) | Token::Unknown => token,
        };
        let mut tokens: Tokens = self.tokens(func, addr).into_iter().map(memory).collect();
        if tokens.is_empty() && self.strict && !matches!(addr, Operand::Null | Operand::Undef(_)) {
            tokens.insert(Token::Unknown);
        }
        tokens
    }

    // ---- escaping

    /// A token gets into unknown memory, in the member if one is known.
    fn leave(&mut self, cell: Cell, loc: Option<LocId>) {
        match self.spots.get(cell.spot).private.clone() {
            Some(member) => {
                self.trusted.insert((cell.token, member, loc));
            }
            None => self.escape_by(cell.token, Escape { loc, within: Some(cell.spot) }),
        }
    }

    fn escape(&mut self, token: Token, loc: Option<LocId>) {
        self.escape_by(token, Escape { loc, within: None });
    }

    fn escape_by(&mut self, token: Token, how: Escape) {
        if token != Token::Unknown && !self.escaped.contains_key(&token) {
            self.escaped.insert(token, how);
            // Code outside may write to it from now on.
            self.memory_grew(token);
        }
    }

    /// The member, as `struct.field`, in which something lies where it is not followed: of the innermost struct.
    pub fn member_within(&self, escape: Escape) -> Option<String> {
        let members = &self.spots.get(escape.within?).members;
        let member = members.iter().rev().find(|member| !member.is_union)?;
        Some(format!("{}.{}", member.strukt, member.path))
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

/// The globals that code, or the initial value of a global that is no marker, names.
pub(crate) fn referenced_globals(module: &Module) -> HashSet<GlobalId> {
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

pub(crate) fn operands_of(func: &lockpair_ir::Function) -> impl Iterator<Item = Operand> {
    let of_term = |block: BlockId| match func.blocks[block].term {
        Terminator::Ret(value) => value,
        Terminator::CondBr(value, ..) | Terminator::Switch { value, .. } => Some(value),
        Terminator::Br(_) | Terminator::Unreachable => None,
    };
    let insts = func.blocks.values().flat_map(|b| &b.insts);
    insts.flat_map(|id| func.insts[*id].op.operands()).chain(func.blocks.keys().filter_map(of_term))
}
