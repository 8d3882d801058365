//! One harness: simplifications against the evaluator, the evaluator against the solver, the
//! printed text against other solvers' programs, and the limits.

mod recipe;

mod dump;
mod import;
mod limits;
mod simplify;
mod solve;
