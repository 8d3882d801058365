//! lockpair: symbolic pairwise lockset verification of device drivers.
//!
//! [`pipeline`] reads as the algorithm; every other module is one stage of it. See
//! `docs/architecture.md`.

#![deny(missing_docs)]

pub mod analysis;
pub mod batch;
pub mod config;
pub mod confirm;
pub mod fault;
pub mod frontend;
pub mod hygiene;
pub mod infer;
pub mod infer_env;
pub mod instrument;
pub mod mutate;
pub mod pipeline;
pub mod report;
pub mod vcgen;
pub mod verdict;
