//! Entry points as XML, both ways; the format is described in `entry-points/README.md`.

mod dom;
mod read;
mod write;

pub use read::from_xml;
pub use write::to_xml;

use lockpair_ir::AssumptionKind;

/// All kinds of assumption, by whose names the ledger is read back.
const KINDS: &[AssumptionKind] = &[
    AssumptionKind::UnknownExternal,
    AssumptionKind::PureExternal,
    AssumptionKind::InlineAssembly,
    AssumptionKind::IntToPointer,
    AssumptionKind::IndirectCall,
    AssumptionKind::TypeSplit,
    AssumptionKind::PrivateStruct,
    AssumptionKind::Alignment,
    AssumptionKind::InBounds,
    AssumptionKind::Environment,
    AssumptionKind::CallOwned,
    AssumptionKind::Summary,
    AssumptionKind::EmptySummary,
    AssumptionKind::EscapedFunction,
    AssumptionKind::BoundCallbacks,
    AssumptionKind::RegisteredOnce,
    AssumptionKind::Unsupported,
];
