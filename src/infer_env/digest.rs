//! What inference keeps of a file: for each function the calls, locks and accesses along its control flow, as paths.
//! The module itself, which is a hundred times as large, is dropped.

use super::Symbol;
use super::path::{Base, Member, Offset, Path, Paths, lock_member, member, member_at};
use super::touch::{self, Origins, Touch};
use super::types::{Type, Types};
use crate::report::places::Place;
use lockpair_ir::cfg::Cfg;
use lockpair_ir::*;
use std::collections::{BTreeSet, HashMap, HashSet};

/// A file.
#[derive(Clone, Debug)]
pub struct Digest {
    /// The path, relative to the kernel's tree.
    pub file: Symbol,
    /// The functions that it defines.
    pub functions: Vec<FunctionDigest>,
    /// Functions that it does not define, as far as there are rows for them.
    pub known: Vec<FunctionDigest>,
    /// Which functions stand in which member, in initial values and by stores.
    pub stored: Vec<(Member, Symbol)>,
    /// Functions whose address goes elsewhere: somebody calls them, and nobody knows who.
    pub escaped: BTreeSet<Symbol>,
    /// The structs that it knows.
    pub types: Types,
    /// The variables that it names.
    pub globals: Vec<(Symbol, GlobalDigest)>,
}

/// A variable.
#[derive(Clone, PartialEq, Debug)]
pub struct GlobalDigest {
    /// Whether modules can name it.
    pub exported: bool,
    /// Whether other files can.
    pub external: bool,
    /// Whether a file that was given defines it.
    pub defined: bool,
    /// Whether its address stands in some initial value.
    pub kept: bool,
    /// Whether nobody writes it.
    pub constant: bool,
    /// What it is.
    pub ty: Type,
}

impl GlobalDigest {
    /// What another file says of it.
    pub fn merge(&mut self, other: GlobalDigest) {
        self.exported |= other.exported;
        self.defined |= other.defined;
        self.kept |= other.kept;
        self.constant &= other.constant;
        if self.ty == Type::Other {
            self.ty = other.ty;
        }
    }
}

/// A function.
#[derive(Clone, Debug)]
pub struct FunctionDigest {
    /// The name; that of a static function is preceded by its file.
    pub name: Symbol,
    /// Whether modules can call it.
    pub exported: bool,
    /// Whether other files can.
    pub external: bool,
    /// Whether it is there only if no other file defines it.
    pub weak: bool,
    /// Where it is defined.
    pub line: u32,
    /// The number of parameters.
    pub params: u32,
    /// What they are declared to be.
    pub types: Vec<Type>,
    /// Whether it takes more arguments than are declared.
    pub variadic: bool,
    /// Whether the result is a pointer.
    pub gives_pointer: bool,
    /// What its values are made of.
    pub origins: Origins,
    /// The blocks, in reverse postorder.
    pub blocks: Vec<BlockDigest>,
    /// Pointers that the function stores, or publishes, anywhere but in its own variables.
    pub kept: Vec<Path>,
    /// Members with functions that it reads for anything else than to call, to compare or to pass on what is there:
    /// somebody may call that.
    pub leaked: BTreeSet<Member>,
    /// Parameters that it uses otherwise than to call, to compare, to pass on or to put into a member: if such a one is a
    /// function, somebody may call that.
    pub uses: BTreeSet<u32>,
    /// Parameters that it puts into a member: that is how functions are registered.
    pub puts: Vec<(u32, Member)>,
    /// Where the pointers were that functions have returned which it calls; they may have been replaced there.
    pub returned_from: BTreeSet<Path>,
}

impl FunctionDigest {
    /// The pointers that come back.
    pub fn returned(&self) -> impl Iterator<Item = &Path> {
        self.blocks.iter().filter_map(|block| block.returns.as_ref()).flat_map(Returned::paths)
    }

    /// Replaces all paths.
    pub fn rewrite(&mut self, better: &dyn Fn(&Path) -> Path) {
        let replace = |path: &mut Option<Path>| *path = path.as_ref().map(better);
        for block in &mut self.blocks {
            for event in &mut block.events {
                match event {
                    Event::Call(call) => call.args.iter_mut().for_each(replace),
                    Event::Acquire(lock, _) | Event::Release(lock) => replace(&mut lock.path),
                    // What touches memory is resolved on its own: there, several paths are as good as one.
                    Event::Touch(..) | Event::Registers(_) | Event::Define(_) => {}
                    Event::Ends(handle) => handle.path = better(&handle.path),
                    Event::Put(_, value) => replace(value),
                }
            }
            if let Some(returned) = &mut block.returns {
                returned.rewrite(&replace);
            }
        }
        for path in &mut self.kept {
            *path = better(path);
        }
    }
}

/// A block.
#[derive(Clone, Debug)]
pub struct BlockDigest {
    /// What happens, in order.
    pub events: Vec<Event>,
    /// Where control goes, with what is then known of a value.
    pub successors: Vec<(usize, Option<Test>)>,
    /// What the function returns here, if it does.
    pub returns: Option<Returned>,
}

/// What is known of a value after a branch.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Test {
    /// The value.
    pub value: u32,
    /// What it is.
    pub sign: Sign,
}

/// What is told of a number.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Sign {
    /// It is zero.
    Zero,
    /// It is not.
    NonZero,
    /// It is less.
    Negative,
    /// It is not less.
    NotNegative,
}

/// What comes back.
#[derive(Clone, PartialEq, Debug)]
pub enum Returned {
    /// Nothing that is followed, or anything.
    Any,
    /// A constant: whether it is zero.
    Constant(bool),
    /// A value, by the edge from each predecessor where ways meet.
    ByEdge(Vec<(usize, Returned)>),
    /// The result of a call or of an acquisition, or a pointer.
    Value(u32, Option<Path>),
}

impl Returned {
    fn paths(&self) -> Vec<&Path> {
        match self {
            Returned::Any | Returned::Constant(_) => Vec::new(),
            Returned::ByEdge(edges) => edges.iter().flat_map(|(_, returned)| returned.paths()).collect(),
            Returned::Value(_, path) => path.iter().collect(),
        }
    }

    fn rewrite(&mut self, replace: &dyn Fn(&mut Option<Path>)) {
        match self {
            Returned::Any | Returned::Constant(_) => {}
            Returned::ByEdge(edges) => edges.iter_mut().for_each(|(_, returned)| returned.rewrite(replace)),
            Returned::Value(_, path) => replace(path),
        }
    }
}

/// A lock as it stands at an instruction.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Lock {
    /// Where it is; none if that is not followed.
    pub path: Option<Path>,
    /// The class.
    pub class: Symbol,
    /// How it is taken.
    pub mode: LockMode,
    /// The member that it is.
    pub member: Option<Member>,
}

/// A handle of which callbacks are registered.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Handle {
    /// The class.
    pub class: Symbol,
    /// Where it is.
    pub path: Path,
}

/// A call.
#[derive(Clone, PartialEq, Debug)]
pub struct Call {
    /// Whom.
    pub target: Target,
    /// With what.
    pub args: Vec<Option<Path>>,
    /// The functions that are given as arguments.
    pub given: Vec<(u32, Given)>,
    /// What comes back.
    pub result: Option<u32>,
    /// The line in the file, or in the header that stands for it.
    pub line: u32,
}

/// A function that is an argument.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Given {
    /// The function of that name.
    Function(Symbol),
    /// What is stored in a member.
    Member(Member),
}

/// Whom a call calls.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Target {
    /// The function of that name.
    Function(Symbol),
    /// What is stored in a member.
    Member(Member),
    /// What a parameter is.
    Parameter(u32),
    /// Some function.
    Unknown,
}

/// What happens.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// A call.
    Call(Call),
    /// A lock is taken; if it may fail, the value tells.
    Acquire(Lock, Option<(Success, u32)>),
    /// A lock is given back.
    Release(Lock),
    /// Callbacks of that class are registered.
    Registers(Symbol),
    /// None of a handle runs any more.
    Ends(Handle),
    /// Memory is touched, in this line.
    Touch(Touch, u32),
    /// A value gets a new meaning.
    Define(u32),
    /// A pointer, or anything else, goes into an object on the stack.
    Put(Path, Option<Path>),
}

/// The parameter that a path is, if it is one as it was given.
pub fn parameter(path: &Path) -> Option<u32> {
    match path.base {
        Base::Param(i) if path.derefs.is_empty() && path.offset == Offset::At(0) => Some(i),
        _ => None,
    }
}

/// Reads a module, after the rows for primitives were applied. `file` is relative to the kernel's tree.
pub fn digest(module: &Module, file: &str) -> Digest {
    let namer = Namer { module, file, tables: super::tables::tables(module) };
    let mut digest = Digest {
        file: file.into(),
        functions: Vec::new(),
        known: Vec::new(),
        stored: Vec::new(),
        escaped: BTreeSet::new(),
        types: Types::of(module),
        globals: globals(&namer),
    };
    let exports = exports(module);
    for (id, global) in module.globals.iter() {
        if !is_marker(&global.name) {
            initial_values(&namer, id, &mut digest);
        }
    }
    for (id, func) in module.funcs.iter().filter(|(_, f)| f.is_defined()) {
        let reader = Reader::new(&namer, func);
        digest.functions.push(reader.read(
            id,
            exports.contains(&id),
            &mut digest.stored,
            &mut digest.escaped,
        ));
    }
    digest
}

/// Globals that exist for the linker: what they refer to is not called through them.
fn is_marker(name: &str) -> bool {
    name.starts_with("__UNIQUE_ID_")
        || name.starts_with("__ksymtab")
        || name.starts_with("llvm.")
        || name.starts_with("__export_symbol")
}

/// The functions that EXPORT_SYMBOL names.
fn exports(module: &Module) -> HashSet<FuncId> {
    let funcs = marked(module).filter_map(|value| match value {
        Operand::Func(f) if module.funcs[f].exported => Some(f),
        _ => None,
    });
    funcs.collect()
}

/// What markers refer to.
fn marked(module: &Module) -> impl Iterator<Item = Operand> {
    let markers =
        module.globals.values().filter(|global| is_marker(&global.name) && global.name != "llvm.used");
    markers.flat_map(|global| &global.init).map(|cell| cell.value)
}

fn globals(namer: &Namer<'_>) -> Vec<(Symbol, GlobalDigest)> {
    let module = namer.module;
    let exported: HashSet<GlobalId> = marked(module).filter_map(Operand::global).collect();
    let others = module.globals.values().filter(|global| !is_marker(&global.name));
    let kept: HashSet<GlobalId> =
        others.flat_map(|global| &global.init).filter_map(|cell| cell.value.global()).collect();
    let digest = |(id, global): (GlobalId, &Global)| {
        let digest = GlobalDigest {
            exported: exported.contains(&id),
            external: global.exported || !global.defined,
            defined: global.defined,
            kept: kept.contains(&id),
            constant: global.constant,
            ty: global.ty.map_or(Type::Other, |ty| super::types::convert(module, ty, 0)),
        };
        (namer.global(id), digest)
    };
    module.globals.iter().filter(|(_, global)| !is_marker(&global.name)).map(digest).collect()
}

struct Namer<'m> {
    module: &'m Module,
    file: &'m str,
    /// Variables that are like members.
    tables: HashSet<GlobalId>,
}

impl Namer<'_> {
    fn function(&self, id: FuncId) -> Symbol {
        let func = &self.module.funcs[id];
        self.qualified(&func.name, func.exported || !func.is_defined())
    }

    fn global(&self, id: GlobalId) -> Symbol {
        let global = &self.module.globals[id];
        self.qualified(&global.name, global.exported || !global.defined)
    }

    /// The variable as the only member of a struct of its own.
    fn table(&self, id: GlobalId) -> Option<Member> {
        self.tables.contains(&id).then(|| Member::variable(self.global(id)))
    }

    fn qualified(&self, name: &str, external: bool) -> Symbol {
        if external { name.into() } else { format!("{}:{name}", self.file).into() }
    }
}

fn initial_values(namer: &Namer<'_>, id: GlobalId, digest: &mut Digest) {
    let global = &namer.module.globals[id];
    for cell in &global.init {
        let Operand::Func(f) = cell.value else { continue };
        let place = namer.table(id).or_else(|| path_of_global(namer.module, global, cell.offset));
        match place {
            Some(member) => digest.stored.push((member, namer.function(f))),
            None => {
                digest.escaped.insert(namer.function(f));
            }
        }
    }
}

fn path_of_global(module: &Module, global: &Global, offset: u64) -> Option<Member> {
    let mut ty = global.ty?;
    while let TypeDef::Array { elem, .. } = &module.types[ty] {
        ty = *elem;
    }
    let size = module.as_struct(ty)?.size.max(1);
    member_at(module, ty, offset % size)
}

/// Reads one function.
struct Reader<'m> {
    namer: &'m Namer<'m>,
    func: &'m Function,
    cfg: Cfg,
    /// The position of each block in the digest.
    position: HashMap<BlockId, usize>,
}

impl<'m> Reader<'m> {
    fn new(namer: &'m Namer<'m>, func: &'m Function) -> Reader<'m> {
        let cfg = Cfg::new(func);
        let position = cfg.rpo.iter().enumerate().map(|(i, &b)| (b, i)).collect();
        Reader { namer, func, cfg, position }
    }

    fn read(
        &self,
        id: FuncId,
        exported: bool,
        stored: &mut Vec<(Member, Symbol)>,
        escaped: &mut BTreeSet<Symbol>,
    ) -> FunctionDigest {
        let global = |g| self.namer.global(g);
        let mut paths = Paths::new(self.func, &global);
        let mut kept = Vec::new();
        let mut puts = Vec::new();
        let mut blocks = Vec::new();
        for &block in &self.cfg.rpo {
            let mut events = Vec::new();
            for &inst in &self.func.blocks[block].insts {
                let inst = &self.func.insts[inst];
                self.keep(inst, &mut paths, &mut kept, stored, escaped);
                puts.extend(self.put(inst, &mut paths));
                let touches = touch::touches(self.func, inst, &mut paths).into_iter();
                events.extend(touches.map(|touch| Event::Touch(touch, self.line(inst.loc))));
                events.extend(self.put_on_stack(inst, &mut paths));
                events.extend(self.event(inst, &mut paths));
                let defines = inst.result.filter(|v| self.func.values[*v].ty == Ty::Ptr);
                if let Some(v) = defines
                    && paths.of(Operand::Value(v)) == Some(Path::of(Base::Value(v.index() as u32)))
                {
                    events.push(Event::Define(v.index() as u32));
                }
            }
            let (successors, returns) = self.end(block, &mut paths);
            blocks.push(BlockDigest { events, successors, returns });
        }
        let func = &self.namer.module.funcs[id];
        FunctionDigest {
            name: self.namer.function(id),
            exported,
            external: func.exported,
            weak: func.weak,
            line: func.loc.map_or(0, |loc| self.namer.module.locs[loc].line),
            params: func.params.len() as u32,
            types: self.param_types(),
            variadic: func.variadic,
            gives_pointer: func.ret == Some(Ty::Ptr),
            origins: touch::origins(self.func, &mut paths),
            blocks,
            kept,
            leaked: self.leaked(),
            uses: self.uses(),
            puts,
            returned_from: BTreeSet::new(),
        }
    }

    fn param_types(&self) -> Vec<Type> {
        let module = self.namer.module;
        let types = self.func.params.iter().map(|param| match param.decl {
            Some(ty) => super::types::convert(module, ty, 0),
            None => Type::Other,
        });
        types.collect()
    }

    fn line(&self, loc: Option<LocId>) -> u32 {
        loc.map_or(0, |loc| Place::in_driver(self.namer.module, loc).line)
    }

    /// Notes what pointers go into memory, and which functions where.
    fn keep(
        &self,
        inst: &Inst,
        paths: &mut Paths<'_>,
        kept: &mut Vec<Path>,
        stored: &mut Vec<(Member, Symbol)>,
        escaped: &mut BTreeSet<Symbol>,
    ) {
        match &inst.op {
            Op::Store { addr, value: Operand::Func(f), .. } => {
                let name = self.namer.function(*f);
                match self.member(*addr) {
                    Some(member) => stored.push((member, name)),
                    None => {
                        escaped.insert(name);
                    }
                }
            }
            Op::Store { value, .. } | Op::Publish { ptr: value, .. }
                if self.func.operand_ty(*value) == Ty::Ptr =>
            {
                kept.extend(paths.of(*value));
            }
            Op::Rmw { value, .. } | Op::CmpXchg { new: value, .. } => kept.extend(paths.of(*value)),
            Op::Register { handle, argument, .. } => {
                kept.extend(paths.of(*handle));
                kept.extend(argument.and_then(|(_, value)| paths.of(value)));
            }
            Op::Phi(_) | Op::Select { .. } | Op::Cast(..) => {
                for op in inst.op.operands() {
                    if let Operand::Func(f) = op {
                        escaped.insert(self.namer.function(f));
                    }
                }
            }
            _ => {}
        }
    }

    /// The member, or the variable that is like one, at an address.
    fn member(&self, addr: Operand) -> Option<Member> {
        self.table(addr).or_else(|| member(self.namer.module, self.func, addr))
    }

    fn table(&self, addr: Operand) -> Option<Member> {
        self.namer.table(super::tables::variable(self.func, addr)?)
    }

    /// The member that a function pointer was read from.
    fn function_member(&self, op: Operand) -> Option<Member> {
        let Operand::Value(v) = op else { return None };
        let Op::Load { addr, .. } = self.func.insts[self.func.values[v].inst?].op else { return None };
        if let Some(table) = self.table(addr) {
            return Some(table);
        }
        let module = self.namer.module;
        let pointee = crate::analysis::declared::stored_pointee(module, self.func, addr)?;
        let is_function = matches!(module.types[pointee], TypeDef::Func { .. });
        member(module, self.func, addr).filter(|_| is_function)
    }

    /// The members whose functions go elsewhere.
    fn leaked(&self) -> BTreeSet<Member> {
        let of_inst = |inst: &Inst| match &inst.op {
            Op::Cmp(..) | Op::Call { callee: Callee::Func(_), .. } | Op::External { .. } => Vec::new(),
            Op::Call { callee: Callee::Indirect(..), args } => args.clone(),
            op => op.operands(),
        };
        let used = self.func.insts.values().flat_map(of_inst).chain(self.results());
        used.filter_map(|op| self.function_member(op)).collect()
    }

    /// The parameters that go elsewhere.
    fn uses(&self) -> BTreeSet<u32> {
        let of_inst = |inst: &Inst| match &inst.op {
            Op::Cmp(..) | Op::Call { callee: Callee::Func(_), .. } | Op::External { .. } => Vec::new(),
            Op::Call { callee: Callee::Indirect(..), args } => args.clone(),
            Op::Store { addr, value, .. } => match self.member(*addr) {
                Some(_) => Vec::new(),
                None => vec![*value],
            },
            op => op.operands(),
        };
        let used = self.func.insts.values().flat_map(of_inst).chain(self.results());
        let position = |op| self.func.params.iter().position(|param| Operand::Value(param.value) == op);
        used.filter_map(position).map(|i| i as u32).collect()
    }

    /// What the function returns.
    fn results(&self) -> impl Iterator<Item = Operand> {
        self.func.blocks.values().filter_map(|block| match block.term {
            Terminator::Ret(op) => op,
            _ => None,
        })
    }

    /// What is written into an object on the stack.
    fn put_on_stack(&self, inst: &Inst, paths: &mut Paths<'_>) -> Option<Event> {
        let (addr, value) = match &inst.op {
            Op::Store { addr, value, .. } => (*addr, Some(*value)),
            Op::Rmw { addr, .. } | Op::CmpXchg { addr, .. } => (*addr, None),
            Op::Access { addr, write: true, .. } => (*addr, None),
            Op::MemSet { dst, .. } | Op::MemCopy { dst, .. } => (*dst, None),
            _ => return None,
        };
        let mut to = paths.of(addr).filter(|to| to.derefs.is_empty() && matches!(to.base, Base::Stack(_)))?;
        if !matches!(inst.op, Op::Store { .. }) {
            to.offset = Offset::Any;
        }
        let pointer = value.filter(|value| self.func.operand_ty(*value) == Ty::Ptr);
        Some(Event::Put(to, pointer.and_then(|value| paths.of(value))))
    }

    /// A parameter that goes into a member.
    fn put(&self, inst: &Inst, paths: &mut Paths<'_>) -> Option<(u32, Member)> {
        let Op::Store { addr, value, .. } = &inst.op else { return None };
        let param = parameter(&paths.of(*value)?)?;
        Some((param, self.member(*addr)?))
    }

    fn event(&self, inst: &Inst, paths: &mut Paths<'_>) -> Option<Event> {
        let result = inst.result.map(|v| v.index() as u32);
        match &inst.op {
            Op::Acquire { lock, class, mode, success } => {
                let tells = success.zip(result);
                Some(Event::Acquire(self.lock(*lock, class, *mode, paths), tells))
            }
            Op::Release { lock, class, mode } => Some(Event::Release(self.lock(*lock, class, *mode, paths))),
            Op::Register { class, .. } => Some(Event::Registers(class.as_str().into())),
            Op::Unregister { class, handle, sync: true, through: None } => {
                let path = paths.of(*handle).filter(Path::is_exact)?;
                Some(Event::Ends(Handle { class: class.as_str().into(), path }))
            }
            Op::Call { callee, args } => {
                let target = match callee {
                    Callee::Func(f) => Target::Function(self.namer.function(*f)),
                    Callee::Indirect(op, _) => self.through(*op),
                    Callee::Asm(_) => return None,
                };
                Some(Event::Call(self.call(target, args, result, inst.loc, paths)))
            }
            Op::External { name, args } => {
                let target = Target::Function(name.as_str().into());
                Some(Event::Call(self.call(target, args, result, inst.loc, paths)))
            }
            _ => None,
        }
    }

    fn lock(&self, op: Operand, class: &str, mode: LockMode, paths: &mut Paths<'_>) -> Lock {
        let member = lock_member(self.namer.module, self.func, op);
        Lock { path: paths.of(op).filter(Path::is_exact), class: class.into(), mode, member }
    }

    /// The member that a called pointer was read from.
    fn through(&self, op: Operand) -> Target {
        let Operand::Value(v) = op else { return Target::Unknown };
        if let Some(i) = self.func.params.iter().position(|param| param.value == v) {
            return Target::Parameter(i as u32);
        }
        match self.func.values[v].inst.map(|i| &self.func.insts[i].op) {
            Some(Op::Load { addr, .. }) => self.member(*addr).map_or(Target::Unknown, Target::Member),
            _ => Target::Unknown,
        }
    }

    fn call(
        &self,
        target: Target,
        args: &[Operand],
        result: Option<u32>,
        loc: Option<LocId>,
        paths: &mut Paths<'_>,
    ) -> Call {
        let given = args.iter().enumerate().filter_map(|(i, arg)| match arg {
            Operand::Func(f) => Some((i as u32, Given::Function(self.namer.function(*f)))),
            other => Some((i as u32, Given::Member(self.function_member(*other)?))),
        });
        let (line, given) = (self.line(loc), given.collect());
        Call { target, args: args.iter().map(|arg| paths.of(*arg)).collect(), given, result, line }
    }

    fn end(&self, block: BlockId, paths: &mut Paths<'_>) -> (Vec<(usize, Option<Test>)>, Option<Returned>) {
        let at = |block: &BlockId| self.position[block];
        match &self.func.blocks[block].term {
            Terminator::Br(to) => (vec![(at(to), None)], None),
            Terminator::CondBr(cond, yes, no) => {
                let test = self.test(*cond);
                let (on_yes, on_no) = (test.map(|t| t.0), test.map(|t| t.1));
                (vec![(at(yes), on_yes), (at(no), on_no)], None)
            }
            Terminator::Switch { cases, default, .. } => {
                let mut to: Vec<usize> = cases.iter().map(|(_, to)| at(to)).collect();
                to.push(at(default));
                to.sort_unstable();
                to.dedup();
                (to.into_iter().map(|to| (to, None)).collect(), None)
            }
            Terminator::Ret(op) => {
                let returned = op.map_or(Returned::Any, |op| self.returned(op, block, paths));
                (Vec::new(), Some(returned))
            }
            Terminator::Unreachable => (Vec::new(), None),
        }
    }

    fn returned(&self, op: Operand, block: BlockId, paths: &mut Paths<'_>) -> Returned {
        match op {
            Operand::Int { value, .. } => Returned::Constant(value == 0),
            Operand::Null => Returned::Constant(true),
            Operand::Value(v) => {
                let inst = self.func.values[v].inst;
                if let Some(i) = inst
                    && self.func.blocks[block].insts.contains(&i)
                    && let Op::Phi(edges) = &self.func.insts[i].op
                {
                    let edges = edges.iter().filter(|(from, _)| self.position.contains_key(from));
                    let edges = edges.map(|(from, op)| {
                        let returned = match op {
                            Operand::Int { value, .. } => Returned::Constant(*value == 0),
                            Operand::Null => Returned::Constant(true),
                            Operand::Value(v) => Returned::Value(v.index() as u32, paths.of(*op)),
                            _ => Returned::Any,
                        };
                        (self.position[from], returned)
                    });
                    return Returned::ByEdge(edges.collect());
                }
                Returned::Value(v.index() as u32, paths.of(op))
            }
            other => paths.of(other).map_or(Returned::Any, |path| Returned::Value(u32::MAX, Some(path))),
        }
    }

    /// What a condition says of a value if it holds, and if it does not.
    fn test(&self, cond: Operand) -> Option<(Test, Test)> {
        let Operand::Value(v) = cond else { return None };
        let op = &self.func.insts[self.func.values[v].inst?].op;
        let is_zero = |op: &Operand| matches!(op, Operand::Null | Operand::Int { value: 0, .. });
        match op {
            Op::Cmp(cmp, a, b) if is_zero(b) => {
                let value = self.origin(*a)?;
                let both = |yes, no| Some((Test { value, sign: yes }, Test { value, sign: no }));
                // A comparison of a comparison: `!(x == 0) != 0`.
                if let Some(inner) = self.test(Operand::Value(ValueId::new(value as usize))) {
                    return match cmp {
                        CmpOp::Ne => Some(inner),
                        CmpOp::Eq => Some((inner.1, inner.0)),
                        _ => None,
                    };
                }
                match cmp {
                    CmpOp::Eq => both(Sign::Zero, Sign::NonZero),
                    CmpOp::Ne => both(Sign::NonZero, Sign::Zero),
                    CmpOp::Slt => both(Sign::Negative, Sign::NotNegative),
                    CmpOp::Sge => both(Sign::NotNegative, Sign::Negative),
                    _ => None,
                }
            }
            Op::Bin(BinOp::Xor, a, Operand::Int { value: 1, .. }) => {
                let (yes, no) = self.test(*a)?;
                Some((no, yes))
            }
            Op::Cast(CastOp::Trunc | CastOp::ZExt, a) => self.test(*a),
            _ => {
                let value = v.index() as u32;
                Some((Test { value, sign: Sign::NonZero }, Test { value, sign: Sign::Zero }))
            }
        }
    }

    /// The value that a conversion converts.
    fn origin(&self, op: Operand) -> Option<u32> {
        let Operand::Value(v) = op else { return None };
        match self.func.values[v].inst.map(|i| &self.func.insts[i].op) {
            Some(Op::Cast(CastOp::ZExt | CastOp::SExt | CastOp::Trunc, inner)) => self.origin(*inner),
            Some(Op::Call { callee: Callee::Asm(_), args }) if args.len() == 1 => self.origin(args[0]),
            _ => Some(v.index() as u32),
        }
    }
}
