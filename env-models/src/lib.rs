//! The environment model: what the kernel does around a driver, or the C library around a program, as XML rows, and the
//! pass that applies them to a module.
//!
//! [`Model::linux`] and [`Model::posix`] have the built-in rows, [`Model::parse`] reads a user's, [`apply`](apply::apply) replaces
//! calls by effects. No other crate knows the name of a kernel function.

#![deny(missing_docs)]

pub mod apply;
pub mod compare;
mod dom;
mod exact;
pub mod model;
pub mod schema;
pub mod text;
pub mod write;
pub mod xml;

pub use apply::{Applied, ApplyOptions, Externals, Masks, apply};
pub use dom::ModelError;
pub use model::{Kind, Model};
