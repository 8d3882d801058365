//! Terms, their solving with hard limits, and their SMT-LIB text.
//!
//! The vocabulary is small on purpose: booleans, mathematical integers, linear arithmetic and
//! uninterpreted functions. This crate knows nothing of programs, memory or locks; what a term
//! stands for is its caller's business. Only the module `z3` names the solver.
#![deny(missing_docs)]
#![forbid(unsafe_code)]

mod eval;
mod import;
mod query;
mod session;
mod tape;
mod terms;
mod worker;
mod z3;

pub use eval::{Functions, Value, eval};
pub use import::{Import, VarAction};
pub use query::{Query, Status, to_smtlib};
pub use session::{Answer, Limits, Model, Session, UnknownReason, solver_version};
pub use tape::Tape;
pub use terms::{Children, Func, FuncId, Range, Sort, Term, TermId, Terms, Var, VarId, VarName};
