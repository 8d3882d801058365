//! Module -> entry points -> pairs: which functions the kernel calls, how, and which two at a time.
//!
//! The way through the crate:
//!
//! 1. [`find()`] follows the addresses of functions through the module (`flow`) and asks the [`Environment`]
//!    how the kernel calls what it finds in ops tables, in stores and in registration calls. What it cannot
//!    explain is an entry point without implicit locks, or a listed assumption; never nothing.
//! 2. [`to_xml`] and [`from_xml`] let a person look at the result and change it.
//! 3. [`pairs()`] gives the unordered pairs to check, and for every other pair the reason for leaving it out.
//!
//! What it does not do: it looks at no lock or access inside of the functions, and it names no kernel
//! function. Which struct fields are called how is data of the environment model.

#![deny(missing_docs)]

mod calls;
mod environment;
mod exclusions;
mod find;
mod flow;
mod holders;
mod markers;
mod model;
mod modules;
mod pairs;
mod place;
mod registered;
mod shared;
mod spot;
mod text;
mod unbinding;
mod whole;
mod xml;

pub use calls::{CallTree, call_trees};
pub use environment::Environment;
pub use find::find;
pub use model::{EntryPoint, EntryPointError, EntryPointId, EntryPoints, Escaped, Note, Options, Origin};
pub use modules::{Modules, keep_apart};
pub use pairs::{Omission, Pairs, pairs};
pub use shared::share_structs;
pub use text::{entry_point_table, pair_table};
pub use unbinding::complete_drivers;
pub use whole::used_by_other_files;
pub use xml::{from_xml, to_xml};
