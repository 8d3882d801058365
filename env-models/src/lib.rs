//! The environment model: what the kernel does around a driver, as XML rows, and the pass that applies
//! them to a module.

#![deny(missing_docs)]

pub mod schema;
