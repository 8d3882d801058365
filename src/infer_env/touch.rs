//! What an instruction does to memory, as paths: what rows for functions are made of.
//!
//! Nothing is left out: what is not followed is an event, too.

use super::Symbol;
use super::digest::parameter;
use super::path::{Base, Path, Paths};
use lockpair_ir::*;
use std::collections::BTreeMap;

/// What is done to memory.
#[derive(Clone, PartialEq, Debug)]
pub enum Touch {
    /// It is read or written.
    Access(Access),
    /// The object ends.
    Free(Path),
    /// A pointer goes where others may find it.
    Keep(Path),
    /// Callbacks of a handle may run from here on.
    Register(Registration),
    /// Something that is not followed.
    Unfollowed(Why),
}

/// A read or a write.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Access {
    /// Where.
    pub at: Path,
    /// How much.
    pub len: Len,
    /// Whether it writes.
    pub write: bool,
    /// How it is marked.
    pub mark: Mark,
}

/// A registration of callbacks.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Registration {
    /// The class of handle.
    pub class: Symbol,
    /// The handle.
    pub handle: Path,
    /// What is called.
    pub callback: Callback,
    /// Which parameter of the callback is what, as far as that is a pointer that is followed.
    pub argument: Option<(u32, Path)>,
    /// The parameter through which it is registered.
    pub through: Option<u32>,
    /// Whether it outlives the binding of a driver.
    pub stays: bool,
}

/// What a registration says of the function that is called.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Callback {
    /// It is in the handle, or anywhere.
    Any,
    /// It is a parameter.
    Param(u32),
}

/// An amount of bytes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Len {
    /// Known.
    Bytes(u64),
    /// The value of a parameter.
    Param(u32),
    /// Any.
    Any,
    /// All of the object, before the place, too.
    Object,
}

/// Why something is not followed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Why {
    /// Memory behind a pointer of which nothing is known, in that function.
    Memory(Symbol),
    /// Memory that no row can name.
    Unnamed(Symbol),
    /// The content of an object of the function's own.
    OwnContent(Symbol),
    /// A function that was not given.
    Callee(Symbol),
    /// A function that is called through a member.
    Member(Symbol),
    /// A function of which nothing is known.
    Pointer(Symbol),
    /// Callbacks are registered of which a row cannot say which.
    Registers(Symbol),
    /// Functions that call each other.
    Recursion(Symbol),
    /// Pointers that it has written itself before it follows them.
    Rewritten(Symbol),
    /// Locks that are given back cannot be told.
    Lock(Symbol),
    /// More than a row should say.
    TooMuch,
    /// It never returns.
    Endless,
    /// Arguments without a name.
    Variadic,
}

impl std::fmt::Display for Why {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Why::Rewritten(at) => write!(f, "a pointer that {at} has written before"),
            Why::Memory(at) => write!(f, "memory behind a pointer without a path in {at}"),
            Why::Unnamed(at) => write!(f, "memory that has no name: {at}"),
            Why::OwnContent(at) => write!(f, "memory behind a pointer in an object of its own in {at}"),
            Why::Callee(name) => write!(f, "calls {name}, which was not given"),
            Why::Member(name) => write!(f, "calls through {name}"),
            Why::Pointer(at) => write!(f, "calls through a pointer in {at}"),
            Why::Registers(at) => write!(f, "registers callbacks in {at}"),
            Why::Recursion(at) => write!(f, "recursion of {at}"),
            Why::Lock(at) => write!(f, "gives back locks that are not followed in {at}"),
            Why::TooMuch => write!(f, "does too much"),
            Why::Endless => write!(f, "does not return"),
            Why::Variadic => write!(f, "takes any number of arguments"),
        }
    }
}

/// What values are made of that have no path themselves.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Origins {
    /// Pointers that are one of several.
    pub one_of: BTreeMap<u32, Vec<Path>>,
    /// Numbers that were computed from pointers, and pointers that are read too far away: what must be reachable
    /// for others if the value is.
    pub derived: BTreeMap<u32, Vec<Path>>,
}

/// The touches of an instruction, in order.
pub fn touches(func: &Function, inst: &Inst, paths: &mut Paths<'_>) -> Vec<Touch> {
    let mut out = Vec::new();
    let access = |paths: &mut Paths<'_>, addr: Operand, len: Len, write: bool, mark: Mark| {
        let at = paths.of(addr)?;
        Some(Touch::Access(Access { at, len, write, mark }))
    };
    let size = |ty: Ty| Len::Bytes(ty.bytes());
    match &inst.op {
        Op::Load { addr, mark } => {
            let len = inst.result.map_or(Len::Any, |v| size(func.values[v].ty));
            out.extend(access(paths, *addr, len, false, *mark));
        }
        Op::Store { addr, value, mark } => {
            // An object that points to itself is found by nobody else.
            let base = |path: Option<Path>| path.filter(|path| path.derefs.is_empty()).map(|path| path.base);
            let (to, from) = (base(paths.of(*addr)), base(paths.of(*value)));
            let own = matches!(to, Some(Base::Stack(_) | Base::Fresh(_)));
            out.extend(keep(func, *value, paths).filter(|_| !own || to != from));
            out.extend(access(paths, *addr, size(func.operand_ty(*value)), true, *mark));
        }
        Op::Rmw { addr, value, order, .. } => {
            out.extend(keep(func, *value, paths));
            out.extend(access(paths, *addr, size(func.operand_ty(*value)), true, Mark::Atomic(*order)));
        }
        Op::CmpXchg { addr, new, order, .. } => {
            out.extend(keep(func, *new, paths));
            out.extend(access(paths, *addr, size(func.operand_ty(*new)), true, Mark::Atomic(*order)));
        }
        Op::MemSet { dst, len, .. } => {
            out.extend(access(paths, *dst, amount(func, *len), true, Mark::Plain));
        }
        Op::MemCopy { dst, src, len } => {
            // The pointers in it are copied, too.
            out.extend(keep(func, *src, paths));
            out.extend(access(paths, *src, amount(func, *len), false, Mark::Plain));
            out.extend(access(paths, *dst, amount(func, *len), true, Mark::Plain));
        }
        Op::Access { addr, len, write, mark } => {
            out.extend(access(paths, *addr, amount(func, *len), *write, *mark));
        }
        Op::Free { until: Some(_), .. } => {}
        Op::Free { ptr, until: None } => out.extend(paths.of(*ptr).map(Touch::Free)),
        Op::Publish { ptr, .. } => out.extend(paths.of(*ptr).map(Touch::Keep)),
        Op::Register { .. } => register(func, &inst.op, paths, &mut out),
        Op::Call { callee: Callee::Asm(_), .. } => {
            out.push(Touch::Unfollowed(Why::Callee("assembly".into())));
        }
        Op::Bin(..)
        | Op::Cmp(..)
        | Op::Select { .. }
        | Op::Cast(..)
        | Op::Phi(_)
        | Op::PtrAdd { .. }
        | Op::Alloca { .. }
        | Op::Extract { .. }
        | Op::Call { callee: Callee::Func(_) | Callee::Indirect(..), .. }
        | Op::Havoc
        | Op::Data
        | Op::Cpu
        | Op::Alloc { .. }
        | Op::Unregister { .. }
        | Op::Acquire { .. }
        | Op::Release { .. }
        | Op::External { .. } => {}
    }
    out
}

/// A registration. What the kernel registers for itself calls nothing of a driver's, but others find the handle then, and
/// what the callback gets.
fn register(func: &Function, op: &Op, paths: &mut Paths<'_>, out: &mut Vec<Touch>) {
    let Op::Register { class, handle, callback, argument, through, stays, .. } = op else { return };
    let class: Symbol = class.as_str().into();
    let argument = argument.and_then(|(param, value)| Some((param, paths.of(value)?)));
    if let Some(Operand::Func(_)) = callback {
        out.extend(paths.of(*handle).map(Touch::Keep));
        out.extend(argument.map(|(_, path)| Touch::Keep(path)));
        return;
    }
    let callback = match callback.and_then(|callback| paths.of(callback)).as_ref().and_then(parameter) {
        Some(param) => Callback::Param(param),
        None => Callback::Any,
    };
    // What is registered through something else than a parameter might be registered through two things.
    let named = through.map(|through| position(func, through));
    out.push(match (paths.of(*handle), named) {
        (Some(handle), None | Some(Some(_))) => {
            let through = named.flatten();
            Touch::Register(Registration { class, handle, callback, argument, through, stays: *stays })
        }
        _ => Touch::Unfollowed(Why::Registers(class)),
    });
}

/// Which parameter an operand is.
fn position(func: &Function, op: Operand) -> Option<u32> {
    let at = func.params.iter().position(|param| Operand::Value(param.value) == op)?;
    Some(at as u32)
}

/// A pointer that is stored, or a number that may be one.
fn keep(func: &Function, value: Operand, paths: &mut Paths<'_>) -> Option<Touch> {
    if !may_be_pointer(func.operand_ty(value)) {
        return None;
    }
    paths.of(value).map(Touch::Keep)
}

/// Whether a value of that type may be a pointer.
pub fn may_be_pointer(ty: Ty) -> bool {
    match ty {
        Ty::Ptr | Ty::Opaque(_) => true,
        Ty::Int(bits) => bits >= 64,
    }
}

fn amount(func: &Function, len: Operand) -> Len {
    match len {
        Operand::Int { value, .. } => u64::try_from(value).map_or(Len::Any, Len::Bytes),
        Operand::Value(v) => position(func, Operand::Value(v)).map_or(Len::Any, Len::Param),
        Operand::Null | Operand::Global(..) | Operand::Func(_) | Operand::Undef(_) => Len::Any,
    }
}

/// What the values without a path are made of.
pub fn origins(func: &Function, paths: &mut Paths<'_>) -> Origins {
    let mut origins = Origins::default();
    for inst in func.insts.values() {
        let Some(v) = inst.result else { continue };
        let name = v.index() as u32;
        if !may_be_pointer(func.values[v].ty) {
            continue;
        }
        let is_opaque = paths.of(Operand::Value(v)) == Some(Path::of(Base::Value(name)));
        match &inst.op {
            Op::Phi(_) | Op::Select { .. } => {
                let ops = match &inst.op {
                    Op::Select { then, els, .. } => vec![*then, *els],
                    other => other.operands(),
                };
                // Numbers and null lead nowhere.
                origins.one_of.insert(name, ops.into_iter().filter_map(|op| paths.of(op)).collect());
            }
            Op::Load { addr, .. } | Op::Rmw { addr, .. } | Op::CmpXchg { addr, .. } if is_opaque => {
                origins.derived.insert(name, paths.of(*addr).into_iter().collect());
            }
            Op::Bin(..) | Op::Cast(..) | Op::Extract { .. } | Op::PtrAdd { .. } if is_opaque => {
                let sources =
                    inst.op.operands().into_iter().filter(|op| may_be_pointer(func.operand_ty(*op)));
                origins.derived.insert(name, sources.filter_map(|op| paths.of(op)).collect());
            }
            _ => {}
        }
    }
    origins
}
