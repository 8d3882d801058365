//! Instructions: plain computation, and the effects that concurrency analysis is about.

use crate::entity_id;
use crate::module::{FuncId, GlobalId, LocId};
use crate::types::{Ty, TypeId};

entity_id!(
    /// A value of a function in SSA form: a parameter or the result of an instruction.
    ValueId,
    "v"
);
entity_id!(
    /// An instruction of a function.
    InstId,
    "i"
);
entity_id!(
    /// A basic block of a function; `b0` is the entry.
    BlockId,
    "b"
);

/// How far the copies that two neighbouring CPUs have of an object are apart, in bytes: further than any object is long.
/// An address moves from one to another by [`Op::PtrAdd`], scaled by this.
pub const COPY_DISTANCE: i64 = 1 << 40;

/// What an instruction works on.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    /// A value of this function.
    Value(ValueId),
    /// A constant, `0 <= value < 2^bits`.
    Int {
        /// The width.
        bits: u16,
        /// The value, unsigned.
        value: u128,
    },
    /// The null pointer.
    Null,
    /// A constant offset in bytes from the start of a global.
    Global(GlobalId, i64),
    /// The address of a function.
    Func(FuncId),
    /// An arbitrary value of the type.
    Undef(Ty),
}

impl Operand {
    /// A constant of `bits` bits; `value` is truncated to them.
    pub fn int(bits: u16, value: u128) -> Operand {
        let mask = if bits >= 128 { u128::MAX } else { (1u128 << bits) - 1 };
        Operand::Int { bits, value: value & mask }
    }

    /// The function of which it is the address.
    pub fn func(self) -> Option<FuncId> {
        match self {
            Operand::Func(func) => Some(func),
            _ => None,
        }
    }

    /// The global in which it is an address.
    pub fn global(self) -> Option<GlobalId> {
        match self {
            Operand::Global(global, _) => Some(global),
            _ => None,
        }
    }
}

/// Binary operations on integers of one width, modulo 2^width.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    And,
    Or,
    Xor,
    Shl,
    LShr,
    AShr,
}

/// Comparisons; pointers compare by `Eq`, `Ne` and the unsigned orders.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum CmpOp {
    Eq,
    Ne,
    Ult,
    Ule,
    Ugt,
    Uge,
    Slt,
    Sle,
    Sgt,
    Sge,
}

/// Conversions.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum CastOp {
    Trunc,
    ZExt,
    SExt,
    PtrToInt,
    IntToPtr,
    /// The same bits, which are null or an error number: of a pointer, or as one, that leads to nothing.
    Error,
}

/// The memory order of an atomic access.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Ordering {
    Relaxed,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

impl Ordering {
    /// Whether who reads so sees what was done before the write that he sees.
    pub fn acquires(self) -> bool {
        matches!(self, Ordering::Acquire | Ordering::AcqRel | Ordering::SeqCst)
    }

    /// Whether what was done before such a write is seen by who acquires.
    pub fn releases(self) -> bool {
        matches!(self, Ordering::Release | Ordering::AcqRel | Ordering::SeqCst)
    }
}

/// How an access is marked. What counts as marked (not plain) depends on the environment:
/// the kernel's memory model takes volatile accesses (READ_ONCE) as marked, C11 does not.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Mark {
    /// An ordinary access.
    Plain,
    /// A volatile access (READ_ONCE, WRITE_ONCE).
    Volatile,
    /// An atomic access.
    Atomic(Ordering),
}

/// The operation of an atomic read-modify-write.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum RmwOp {
    Xchg,
    Add,
    Sub,
    And,
    Or,
    Xor,
}

/// How a lock is held. Two holders exclude each other unless both hold it shared.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum LockMode {
    Shared,
    Exclusive,
}

/// Which result of a conditional acquisition means that the lock is held.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Success {
    /// Zero means held, anything else not.
    Zero,
    /// Zero means held, a negative error number not; there is nothing else (mutex_lock_interruptible).
    NoError,
    /// Anything but zero means held (spin_trylock).
    NonZero,
}

/// An inline assembly fragment.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Asm {
    /// The template as the compiler has it.
    pub template: String,
    /// The constraint string.
    pub constraints: String,
}

/// Whom a call calls.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Callee {
    /// A function of the module, defined or only declared.
    Func(FuncId),
    /// A function pointer, and the function of the module that stands for what it may call outside of the module,
    /// if the environment model has something to say of that.
    Indirect(Operand, Option<FuncId>),
    /// An inline assembly fragment.
    Asm(Asm),
}

/// What an instruction does. The comment of each variant says what its result is, if it has one.
///
/// Offsets and sizes are in bytes. The second half of the variants are *effects*: they come from the
/// environment model, never from the front end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Op {
    /// Result: `a op b`, modulo 2^bits.
    Bin(BinOp, Operand, Operand),
    /// Result: an i1.
    Cmp(CmpOp, Operand, Operand),
    /// Result: `then` if the i1 is 1, else `els`.
    Select {
        /// The i1.
        cond: Operand,
        /// The result if it is 1.
        then: Operand,
        /// The result if it is 0.
        els: Operand,
    },
    /// Result: the operand, converted to the result's type.
    Cast(CastOp, Operand),
    /// Result: the operand of the edge that control came by. Only at the head of a block.
    Phi(Vec<(BlockId, Operand)>),
    /// Result: `base + offset + sum(index * scale)`; indices are signed.
    PtrAdd {
        /// The address to start from.
        base: Operand,
        /// The constant part.
        offset: i64,
        /// Variable parts: (index, scale in bytes).
        scaled: Vec<(Operand, i64)>,
        /// If given, `base` points to the start of an object of this struct type, and the result into it.
        within: Option<TypeId>,
    },
    /// Result: the address of a fresh object on the stack that lives until the function returns.
    Alloca {
        /// The size in bytes of one element.
        size: u64,
        /// The number of elements.
        count: Operand,
        /// The declared type of an element.
        ty: Option<TypeId>,
    },
    /// Result: the value in memory.
    Load {
        /// Where.
        addr: Operand,
        /// How it is marked.
        mark: Mark,
    },
    /// No result. The bytes are those of the value's type.
    Store {
        /// Where.
        addr: Operand,
        /// What.
        value: Operand,
        /// How it is marked.
        mark: Mark,
    },
    /// Result: the old value. Atomic.
    Rmw {
        /// The operation.
        op: RmwOp,
        /// Where.
        addr: Operand,
        /// The right operand.
        value: Operand,
        /// The memory order.
        order: Ordering,
    },
    /// Result: the old value; memory becomes `new` if the old value was `expected`. Atomic.
    CmpXchg {
        /// Where.
        addr: Operand,
        /// The value to find.
        expected: Operand,
        /// The value to put.
        new: Operand,
        /// The memory order of success.
        order: Ordering,
    },
    /// No result. A plain write of `len` bytes (memset).
    MemSet {
        /// Where.
        dst: Operand,
        /// The byte.
        byte: Operand,
        /// How many.
        len: Operand,
    },
    /// No result. A plain read and a plain write of `len` bytes (memcpy, memmove).
    MemCopy {
        /// Where to.
        dst: Operand,
        /// Where from.
        src: Operand,
        /// How many.
        len: Operand,
    },
    /// Result: a component of an opaque aggregate.
    Extract {
        /// The aggregate.
        agg: Operand,
        /// Which component.
        index: u32,
    },
    /// Result: what the callee returns, if anything.
    Call {
        /// Whom.
        callee: Callee,
        /// With what.
        args: Vec<Operand>,
    },

    /// Result: an arbitrary value. A pointer may point to anything that code outside can reach.
    Havoc,
    /// Result: a pointer to data that code outside has, as if it were declared to point to characters.
    Data,
    /// Result: the number of the CPU that the thread runs on now; a thread that nothing keeps there may be on another
    /// one at once.
    Cpu,
    /// Result: the address of a fresh object of `size` bytes, or null if `may_fail`.
    Alloc {
        /// The size in bytes.
        size: Operand,
        /// Whether the content is zero.
        zeroed: bool,
        /// Whether the result may be null.
        may_fail: bool,
    },
    /// No result. The object ends: a plain write to every byte of it. Null is allowed.
    Free {
        /// The start of the object.
        ptr: Operand,
        /// The device with whose driver it ends; none if it ends here.
        until: Option<Operand>,
    },
    /// No result. An access to `len` bytes by code outside; if it writes, the content becomes arbitrary.
    Access {
        /// Where.
        addr: Operand,
        /// How many bytes.
        len: Operand,
        /// Whether it writes.
        write: bool,
        /// How it is marked.
        mark: Mark,
    },
    /// No result, or with `success` an integer that tells whether the lock was obtained.
    Acquire {
        /// The address of the lock.
        lock: Operand,
        /// The kind of lock: locks of different classes are different even at one address.
        class: String,
        /// How it is taken.
        mode: LockMode,
        /// Conditional acquisition.
        success: Option<Success>,
    },
    /// No result.
    Release {
        /// The address of the lock.
        lock: Operand,
        /// The kind of lock.
        class: String,
        /// How it was held.
        mode: LockMode,
    },
    /// No result. From here on others may reach the object that the pointer points into.
    Publish {
        /// The pointer, or a number as wide that may have been one.
        ptr: Operand,
        /// An i1 that tells whether that comes about.
        ok: Option<Operand>,
    },
    /// No result. From here on the callbacks of the handle may run.
    Register {
        /// The kind of handle (device, irq, timer, work, file ...).
        class: String,
        /// The address that identifies the handle.
        handle: Operand,
        /// The callback, when the registration names it.
        callback: Option<Operand>,
        /// The argument that the callback will get, when the registration names it: (parameter index, value).
        argument: Option<(u32, Operand)>,
        /// Through what it is registered, if the environment knows such a thing (an interrupt line, a queue): callbacks of
        /// one handle that was registered through two of them run side by side.
        through: Option<Operand>,
        /// An i1 that tells whether the registration succeeds; if it does not, nothing is registered.
        ok: Option<Operand>,
        /// Whether it stays when the driver of the device is unbound, unless that ends it.
        stays: bool,
        /// The device of which the environment ends it, and waits, when its driver is unbound.
        until: Option<Operand>,
    },
    /// No result. No further callback of the handle starts; if synchronous, none runs any more.
    Unregister {
        /// The kind of handle.
        class: String,
        /// The address that identifies the handle.
        handle: Operand,
        /// Whether it waits for running callbacks.
        sync: bool,
        /// Through what it was registered: what was registered through something else stays.
        through: Option<Operand>,
    },
    /// Result: arbitrary, if any. A call of code that nobody modelled: reads and writes the objects that
    /// the arguments point into, and keeps the pointers.
    External {
        /// The name, for reports.
        name: String,
        /// The arguments.
        args: Vec<Operand>,
    },
}

/// An instruction with its place in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inst {
    /// What it does.
    pub op: Op,
    /// The value it defines.
    pub result: Option<ValueId>,
    /// Where it comes from.
    pub loc: Option<LocId>,
}

/// How a block ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Terminator {
    /// To the block.
    Br(BlockId),
    /// To the first block if the i1 is 1, else to the second.
    CondBr(Operand, BlockId, BlockId),
    /// To the block of the equal case, else to the default.
    Switch {
        /// The value.
        value: Operand,
        /// The cases, no value twice.
        cases: Vec<(u128, BlockId)>,
        /// Where to if no case is equal.
        default: BlockId,
    },
    /// Back to the caller.
    Ret(Option<Operand>),
    /// Control never comes here.
    Unreachable,
}

impl Op {
    /// Whether the accesses of the instruction are those of code outside of the module that nobody modelled: of a call,
    /// only these are its own.
    pub const fn is_outside(&self) -> bool {
        matches!(self, Op::External { .. } | Op::Call { .. })
    }

    /// All operands, in order.
    pub fn operands(&self) -> Vec<Operand> {
        match self {
            Op::Bin(_, a, b) | Op::Cmp(_, a, b) => vec![*a, *b],
            Op::Select { cond, then, els } => vec![*cond, *then, *els],
            Op::Cast(_, a) => vec![*a],
            Op::Phi(edges) => edges.iter().map(|(_, v)| *v).collect(),
            Op::PtrAdd { base, scaled, .. } => {
                std::iter::once(*base).chain(scaled.iter().map(|(v, _)| *v)).collect()
            }
            Op::Alloca { count, .. } => vec![*count],
            Op::Load { addr, .. } => vec![*addr],
            Op::Store { addr, value, .. } | Op::Rmw { addr, value, .. } => vec![*addr, *value],
            Op::CmpXchg { addr, expected, new, .. } => vec![*addr, *expected, *new],
            Op::MemSet { dst, byte, len } => vec![*dst, *byte, *len],
            Op::MemCopy { dst, src, len } => vec![*dst, *src, *len],
            Op::Extract { agg, .. } => vec![*agg],
            Op::Call { callee, args } => {
                let target = match callee {
                    Callee::Indirect(v, _) => Some(*v),
                    Callee::Func(_) | Callee::Asm(_) => None,
                };
                target.into_iter().chain(args.iter().copied()).collect()
            }
            Op::Havoc | Op::Data | Op::Cpu => vec![],
            Op::Alloc { size, .. } => vec![*size],
            Op::Free { ptr, until } => std::iter::once(*ptr).chain(*until).collect(),
            Op::Publish { ptr, ok } => std::iter::once(*ptr).chain(*ok).collect(),
            Op::Access { addr, len, .. } => vec![*addr, *len],
            Op::Acquire { lock, .. } | Op::Release { lock, .. } => vec![*lock],
            Op::Register { handle, callback, argument, through, ok, until, .. } => {
                let argument = argument.map(|(_, v)| v);
                let rest = callback.iter().copied().chain(argument).chain(*through).chain(*ok).chain(*until);
                std::iter::once(*handle).chain(rest).collect()
            }
            Op::Unregister { handle, through, .. } => std::iter::once(*handle).chain(*through).collect(),
            Op::External { args, .. } => args.clone(),
        }
    }

    /// The same, to be changed.
    pub fn operands_mut(&mut self) -> Vec<&mut Operand> {
        match self {
            Op::Bin(_, a, b) | Op::Cmp(_, a, b) => vec![a, b],
            Op::Select { cond, then, els } => vec![cond, then, els],
            Op::Cast(_, a) => vec![a],
            Op::Phi(edges) => edges.iter_mut().map(|(_, v)| v).collect(),
            Op::PtrAdd { base, scaled, .. } => {
                std::iter::once(base).chain(scaled.iter_mut().map(|(v, _)| v)).collect()
            }
            Op::Alloca { count, .. } => vec![count],
            Op::Load { addr, .. } => vec![addr],
            Op::Store { addr, value, .. } | Op::Rmw { addr, value, .. } => vec![addr, value],
            Op::CmpXchg { addr, expected, new, .. } => vec![addr, expected, new],
            Op::MemSet { dst, byte, len } => vec![dst, byte, len],
            Op::MemCopy { dst, src, len } => vec![dst, src, len],
            Op::Extract { agg, .. } => vec![agg],
            Op::Call { callee, args } => {
                let target = match callee {
                    Callee::Indirect(v, _) => Some(v),
                    Callee::Func(_) | Callee::Asm(_) => None,
                };
                target.into_iter().chain(args).collect()
            }
            Op::Havoc | Op::Data | Op::Cpu => vec![],
            Op::Alloc { size, .. } => vec![size],
            Op::Free { ptr, until } => std::iter::once(ptr).chain(until).collect(),
            Op::Publish { ptr, ok } => std::iter::once(ptr).chain(ok).collect(),
            Op::Access { addr, len, .. } => vec![addr, len],
            Op::Acquire { lock, .. } | Op::Release { lock, .. } => vec![lock],
            Op::Register { handle, callback, argument, through, ok, until, .. } => {
                let argument = argument.as_mut().map(|(_, v)| v);
                let rest = callback.iter_mut().chain(argument).chain(through).chain(ok).chain(until);
                std::iter::once(handle).chain(rest).collect()
            }
            Op::Unregister { handle, through, .. } => std::iter::once(handle).chain(through).collect(),
            Op::External { args, .. } => args.iter_mut().collect(),
        }
    }
}

impl Terminator {
    /// The operand, if there is one.
    pub fn operand(&self) -> Option<Operand> {
        match self {
            Terminator::CondBr(operand, ..) | Terminator::Switch { value: operand, .. } => Some(*operand),
            Terminator::Ret(operand) => *operand,
            Terminator::Br(_) | Terminator::Unreachable => None,
        }
    }

    /// The same, to be changed.
    pub fn operand_mut(&mut self) -> Option<&mut Operand> {
        match self {
            Terminator::CondBr(operand, ..) | Terminator::Switch { value: operand, .. } => Some(operand),
            Terminator::Ret(operand) => operand.as_mut(),
            Terminator::Br(_) | Terminator::Unreachable => None,
        }
    }

    /// The blocks that control may go to, in order; a block may occur twice.
    pub fn successors(&self) -> Vec<BlockId> {
        match self {
            Terminator::Br(b) => vec![*b],
            Terminator::CondBr(_, t, f) => vec![*t, *f],
            Terminator::Switch { cases, default, .. } => {
                cases.iter().map(|(_, b)| *b).chain(std::iter::once(*default)).collect()
            }
            Terminator::Ret(_) | Terminator::Unreachable => vec![],
        }
    }

    /// The same, to be changed.
    pub fn successors_mut(&mut self) -> Vec<&mut BlockId> {
        match self {
            Terminator::Br(b) => vec![b],
            Terminator::CondBr(_, t, f) => vec![t, f],
            Terminator::Switch { cases, default, .. } => {
                cases.iter_mut().map(|(_, b)| b).chain(std::iter::once(default)).collect()
            }
            Terminator::Ret(_) | Terminator::Unreachable => vec![],
        }
    }

    /// Control that would go to one block goes to the other.
    pub fn redirect(&mut self, old: BlockId, new: BlockId) {
        self.successors_mut().into_iter().filter(|to| **to == old).for_each(|to| *to = new);
    }
}
