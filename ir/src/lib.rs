//! The intermediate representation that everything after the front end speaks.
//!
//! A [`Module`] is one driver: types with their declared layout, globals, and functions in SSA form
//! whose instructions are either plain computation or *effects* (lock, access, allocate, register a
//! callback ...). The crate is a leaf: it knows no LLVM, no solver and no name of a kernel function.

#![deny(missing_docs)]

pub mod assumption;
pub mod callgraph;
pub mod cfg;
pub mod constants;
mod copies;
pub mod entity;
pub mod inst;
pub mod interp;
pub mod link;
pub mod module;
pub mod reduce;
pub mod text;
pub mod types;
pub mod unroll;
pub mod verify;

pub use assumption::{Assumption, AssumptionKind, Ledger};
pub use callgraph::CallGraph;
pub use cfg::{Cfg, Loop};
pub use entity::{EntityRef, PrimaryMap, SecondaryMap};
pub use inst::{
    Asm, BinOp, BlockId, COPY_DISTANCE, Callee, CastOp, CmpOp, Inst, InstId, LockMode, Mark, Op, Operand,
    Ordering, RmwOp, Success, Terminator, ValueId,
};
pub use module::{
    Block, FileId, FuncId, Function, Global, GlobalId, InitCell, Loc, LocId, Module, Param, SourceFile,
    ValueDef,
};
pub use text::{ParseError, parse_module};
pub use types::{Field, StructDef, Ty, TypeDef, TypeId};
pub use verify::{VerifyError, verify};
