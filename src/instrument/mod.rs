//! From an entry point to its check program: symbolic execution of the inlined call tree, with
//! private memory, havoced shared reads, loops cut at their heads, and a recorded access wherever
//! another thread may look.

mod accesses;
mod calls;
mod collect;
mod completions;
mod compress;
mod cpu;
mod events;
pub mod exec;
mod expr;
pub mod flags;
mod flow;
mod found;
pub mod hosts;
mod instance;
mod kinds;
mod locks;
pub mod lockset;
mod loops;
mod memory;
mod ops;
mod pointers;
mod privacy;
mod procedure;
pub mod references;
mod sites;
mod state;
mod summary;
pub mod thread;
pub mod turns;
pub mod values;

pub use exec::{Context, MAX_ACTIVE, encode};
pub use kinds::Kinds;
pub use procedure::{BUDGET as PROCEDURE_BUDGET, Summaries};
pub use thread::Thread;
