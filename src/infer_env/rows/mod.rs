//! What was inferred, as rows of the environment model, each with its evidence.

mod callbacks;
mod functions;

pub use callbacks::callbacks;
pub use functions::{attempts, functions};
