//! Entry points as XML, both ways; the format is described in `entry-points/README.md`.

mod dom;
mod read;
mod write;

pub use read::from_xml;
pub use write::to_xml;
