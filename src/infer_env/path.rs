//! Access paths: how a function gets at a place, from its parameters, globals and own objects.

use super::Symbol;
use lockpair_ir::{BinOp, CastOp, EntityRef, Function, InstId, Module, Op, Operand, ValueId};
use std::collections::{HashMap, HashSet};

/// Pointers that are read one through the other; longer ways are not followed.
const LONGEST: usize = 4;

/// Where a path begins.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Base {
    /// The pointer that a parameter is.
    Param(u32),
    /// A global variable.
    Global(Symbol),
    /// An object on the function's stack.
    Stack(u32),
    /// An object that the function has allocated.
    Fresh(u32),
    /// Any other value of the function: what a call gives, where ways meet. It is one object as long as its
    /// instruction is not executed again.
    Value(u32),
}

/// A distance in bytes.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Offset {
    /// Known.
    At(i64),
    /// There or further.
    From(i64),
    /// Somewhere in the object.
    Any,
}

impl std::ops::Add<i64> for Offset {
    type Output = Offset;
    fn add(self, bytes: i64) -> Offset {
        match self {
            Offset::At(at) => Offset::At(at.wrapping_add(bytes)),
            Offset::From(at) => Offset::From(at.wrapping_add(bytes)),
            Offset::Any => Offset::Any,
        }
    }
}

impl Offset {
    /// The least that it may be.
    pub fn least(self) -> Option<i64> {
        match self {
            Offset::At(at) | Offset::From(at) => Some(at),
            Offset::Any => None,
        }
    }
}

/// An address: from the base, the pointers that are read at these offsets, one through the other, and at last an
/// offset.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Path {
    /// Where it begins.
    pub base: Base,
    /// Where the pointers are that are read.
    pub derefs: Vec<Offset>,
    /// The offset from the last of them.
    pub offset: Offset,
}

impl Path {
    /// The base itself.
    pub fn of(base: Base) -> Path {
        Path { base, derefs: Vec::new(), offset: Offset::At(0) }
    }

    /// The path, so many bytes further.
    pub fn plus(mut self, offset: Offset) -> Path {
        self.offset = match offset {
            Offset::At(bytes) => self.offset + bytes,
            Offset::From(bytes) => (self.offset + bytes).least().map_or(Offset::Any, Offset::From),
            Offset::Any => Offset::Any,
        };
        self
    }

    /// What the pointer stored at this path points to; none if the way is too long.
    pub fn deref(mut self) -> Option<Path> {
        self.derefs.push(self.offset);
        self.offset = Offset::At(0);
        (self.derefs.len() <= LONGEST).then_some(self)
    }

    /// Whether the path leads to one place only, each time.
    pub fn is_exact(&self) -> bool {
        self.derefs.iter().chain([&self.offset]).all(|offset| matches!(offset, Offset::At(_)))
    }

    /// The same place, where the base is another path.
    pub fn rebased(&self, base: &Path) -> Option<Path> {
        let mut path = base.clone();
        for &at in &self.derefs {
            path = path.plus(at).deref()?;
        }
        Some(path.plus(self.offset))
    }

    /// The path as seen from a parameter that has the value `argument`: as the parameter itself, behind it, or at a fixed
    /// distance from it. (What the argument was read from is not seen: two objects may hold one pointer.)
    pub fn seen_from(&self, param: u32, argument: &Path) -> Option<Path> {
        let is_behind = self.base == argument.base && self.derefs.starts_with(&argument.derefs);
        if !is_behind || !self.is_exact() || !argument.is_exact() {
            return None;
        }
        let Offset::At(start) = argument.offset else { return None };
        let mut path = Path { base: Base::Param(param), ..self.clone() };
        path.derefs.drain(..argument.derefs.len());
        match path.derefs.first_mut() {
            Some(first) => *first = *first + -start,
            None => path.offset = path.offset + -start,
        }
        Some(path)
    }
}

impl std::fmt::Display for Offset {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Offset::At(0) => Ok(()),
            Offset::At(at) => write!(f, "{at:+}"),
            Offset::From(at) => write!(f, "{at:+}.."),
            Offset::Any => write!(f, "+?"),
        }
    }
}

/// `arg0+8->+16`.
impl std::fmt::Display for Path {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.base {
            Base::Param(i) => write!(f, "arg{i}")?,
            Base::Global(name) => write!(f, "{name}")?,
            Base::Stack(_) => write!(f, "local")?,
            Base::Fresh(_) => write!(f, "fresh")?,
            Base::Value(i) => write!(f, "v{i}")?,
        }
        for at in &self.derefs {
            write!(f, "{at}->")?;
        }
        write!(f, "{}", self.offset)
    }
}

/// A member of a struct, by tag and name.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Member {
    /// The tag of the innermost struct.
    pub strukt: Symbol,
    /// The member's name.
    pub field: Symbol,
}

impl Member {
    /// A variable that holds functions, and that only its file can name.
    pub fn variable(name: Symbol) -> Member {
        Member { strukt: name, field: "[]".into() }
    }

    /// Whether it is such a one.
    pub fn is_variable(&self) -> bool {
        &*self.field == "[]"
    }
}

impl std::fmt::Display for Member {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.strukt, self.field)
    }
}

/// The paths of one function's values.
pub struct Paths<'m> {
    func: &'m Function,
    /// The names of globals.
    global: &'m dyn Fn(lockpair_ir::GlobalId) -> Symbol,
    params: HashMap<ValueId, u32>,
    known: HashMap<ValueId, Path>,
}

impl<'m> Paths<'m> {
    /// Nothing is computed yet.
    pub fn new(func: &'m Function, global: &'m dyn Fn(lockpair_ir::GlobalId) -> Symbol) -> Paths<'m> {
        let params = func.params.iter().enumerate().map(|(i, p)| (p.value, i as u32)).collect();
        Paths { func, global, params, known: HashMap::new() }
    }

    /// Where an operand points to; none if it is no pointer that is followed.
    pub fn of(&mut self, op: Operand) -> Option<Path> {
        match op {
            Operand::Value(v) => Some(self.of_value(v)),
            Operand::Global(g, at) => Some(Path::of(Base::Global((self.global)(g))).plus(Offset::At(at))),
            Operand::Int { .. } | Operand::Null | Operand::Func(_) | Operand::Undef(_) => None,
        }
    }

    fn of_value(&mut self, v: ValueId) -> Path {
        if let Some(path) = self.known.get(&v) {
            return path.clone();
        }
        let opaque = Path::of(Base::Value(v.index() as u32));
        // Where a value leads back to itself, it is one without a path.
        self.known.insert(v, opaque.clone());
        let path = self.compute(v).unwrap_or(opaque);
        self.known.insert(v, path.clone());
        path
    }

    fn compute(&mut self, v: ValueId) -> Option<Path> {
        if let Some(&param) = self.params.get(&v) {
            return Some(Path::of(Base::Param(param)));
        }
        let inst: InstId = self.func.values[v].inst?;
        match &self.func.insts[inst].op {
            Op::PtrAdd { base, offset, scaled, .. } => {
                let forward =
                    scaled.iter().all(|(index, scale)| *scale >= 0 && is_not_negative(self.func, *index));
                let offset = match scaled.is_empty() {
                    true => Offset::At(*offset),
                    false if forward => Offset::From(*offset),
                    false => Offset::Any,
                };
                Some(self.of(*base)?.plus(offset))
            }
            Op::Cast(CastOp::PtrToInt | CastOp::IntToPtr, op) => self.of(*op),
            Op::Load { addr, .. } => {
                let path = self.of(*addr)?;
                if matches!(path.base, Base::Stack(_)) && path.derefs.is_empty() {
                    return None;
                }
                path.deref()
            }
            Op::Alloca { .. } => Some(Path::of(Base::Stack(inst.index() as u32))),
            Op::Alloc { .. } => Some(Path::of(Base::Fresh(inst.index() as u32))),
            Op::Phi(edges) => self.common(edges.iter().map(|(_, op)| *op)),
            Op::Select { then, els, .. } => self.common([*then, *els].into_iter()),
            _ => None,
        }
    }

    /// The path that all pointers have; null has none.
    fn common(&mut self, ops: impl Iterator<Item = Operand>) -> Option<Path> {
        let mut all = ops.filter(|op| !is_null(*op)).map(|op| self.of(op));
        let first = all.next()??;
        all.all(|path| path.as_ref() == Some(&first)).then_some(first)
    }
}

/// Whether a signed index is seen not to be negative. That a counter does not overflow is part of `in-bounds`.
fn is_not_negative(func: &Function, index: Operand) -> bool {
    let mut seen = HashSet::new();
    let mut work = vec![index];
    while let Some(op) = work.pop() {
        match op {
            Operand::Int { bits, value } if bits > 0 && bits <= 128 => {
                if value >> (bits - 1) & 1 == 1 {
                    return false;
                }
            }
            Operand::Value(v) if seen.insert(v) => {
                let Some(inst) = func.values[v].inst else { return false };
                match &func.insts[inst].op {
                    Op::Cast(CastOp::ZExt, _) | Op::Cmp(..) => {}
                    Op::Bin(BinOp::LShr, _, Operand::Int { value: 1.., .. }) => {}
                    Op::Bin(BinOp::And, a, b) => match (a, b) {
                        (mask @ Operand::Int { .. }, _) | (_, mask @ Operand::Int { .. }) => work.push(*mask),
                        _ => work.extend([*a, *b]),
                    },
                    Op::Bin(
                        BinOp::Add | BinOp::Mul | BinOp::Or | BinOp::Xor | BinOp::UDiv | BinOp::URem,
                        a,
                        b,
                    ) => {
                        work.extend([*a, *b]);
                    }
                    Op::Bin(BinOp::AShr | BinOp::Shl, a, _) | Op::Cast(CastOp::SExt, a) => work.push(*a),
                    Op::Phi(edges) => work.extend(edges.iter().map(|(_, op)| *op)),
                    Op::Select { then, els, .. } => work.extend([*then, *els]),
                    _ => return false,
                }
            }
            Operand::Value(_) | Operand::Undef(_) => {}
            _ => return false,
        }
    }
    true
}

fn is_null(op: Operand) -> bool {
    matches!(op, Operand::Null | Operand::Int { value: 0, .. } | Operand::Undef(_))
}

/// The member that is a lock, if the address is that of a lock. Some classes of locks have the address of an object.
pub fn lock_member(module: &Module, func: &Function, addr: Operand) -> Option<Member> {
    let (strukt, offset) = crate::analysis::points_to::static_path(module, func, addr)?;
    let (member, is_lock) = member_with_type(module, strukt, offset)?;
    is_lock.then_some(member)
}

/// The member that an address computation leads to.
pub fn member(module: &Module, func: &Function, addr: Operand) -> Option<Member> {
    let (strukt, offset) = match crate::analysis::points_to::static_path(module, func, addr) {
        Some(path) => path,
        None => (crate::analysis::declared::pointee(module, func, addr)?, 0),
    };
    member_at(module, strukt, offset)
}

/// The member of the innermost struct at the offset.
pub fn member_at(module: &Module, strukt: lockpair_ir::TypeId, offset: u64) -> Option<Member> {
    member_with_type(module, strukt, offset).map(|(member, _)| member)
}

/// The same, and whether it is a lock.
fn member_with_type(module: &Module, strukt: lockpair_ir::TypeId, offset: u64) -> Option<(Member, bool)> {
    use lockpair_ir::TypeDef;
    let (mut ty, mut at) = (strukt, offset);
    let mut found = None;
    loop {
        match &module.types[ty] {
            TypeDef::Struct(def) => {
                let size = |f: &lockpair_ir::Field| module.size_of(f.ty).max(1);
                let field = def.fields.iter().find(|f| f.offset <= at && at < f.offset + size(f));
                let Some(field) = field else { return found };
                // What a lock is made of says nothing about which lock it is.
                if is_lock(&def.name) {
                    return found.map(|(member, _)| (member, true));
                }
                if !field.name.is_empty() && !def.name.starts_with("anon") {
                    let member =
                        Member { strukt: def.name.as_str().into(), field: field.name.as_str().into() };
                    found = Some((member, false));
                }
                (ty, at) = (field.ty, at - field.offset);
            }
            TypeDef::Array { elem, .. } => (ty, at) = (*elem, at % module.size_of(*elem).max(1)),
            _ => return found,
        }
    }
}

/// Structs that are locks, or of which locks are made.
fn is_lock(tag: &str) -> bool {
    const LOCKS: &[&str] = &[
        "mutex",
        "spinlock",
        "raw_spinlock",
        "rw_semaphore",
        "semaphore",
        "qspinlock",
        "rwlock_t",
        "atomic_t",
        "atomic64_t",
        "rt_mutex",
        "rt_mutex_base",
        "percpu_rw_semaphore",
        "seqcount",
        "seqlock_t",
    ];
    LOCKS.contains(&tag)
}
