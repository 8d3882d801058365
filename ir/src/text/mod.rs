//! The text form of a module: `Display` writes it, [`parse_module`] reads it back.
//!
//! ```text
//! module "nvram"
//! file0 = "nvram.c"
//! loc0 = file0:12:5 in "nvram_read"
//! loc1 = file0:40:1 in "helper" at loc0
//! ty0 = int 32
//! ty1 = struct "nvram" size 8 private {
//!   0: ty0 "len"
//!   4: ty0 bits 3 "flags"
//! }
//! g0 = global "lock" size 4 ty0 @loc0 {
//!   0: 4 = 1:i32
//! }
//! func f0 "nvram_read" (v0: ptr ty1 "file", v1: i64) -> i64 ty0 @loc0 {
//! b0:
//!   acquire.exclusive "mutex" g0 @loc1
//!   v2: i32 = load v0 @loc0
//!   release.exclusive "mutex" g0
//!   brif v3, b1, b2
//! ...
//! }
//! ```
//!
//! One statement per line; `;` begins a comment. Ids are explicit and dense; an instruction has its id in
//! front (`i7:`) where it is not the one after that of the line before. Instructions of the table that are in
//! no block stand at the end of the function under `detached:`.
//!
//! Nothing is checked here beyond what is needed to build the tables; see [`crate::verify::verify`]. What is
//! printed can be read back, and gives the same module, if each value is a parameter or the result of one
//! instruction, each instruction stands in at most one block, and integer types have 1 to 128 bits.

mod lex;
mod parse;
mod parse_func;
mod print;
mod words;

#[cfg(test)]
mod tests;

pub use parse::{ParseError, parse_module};
