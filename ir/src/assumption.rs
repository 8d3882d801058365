//! The ledger: every approximation and every trusted assumption is data, and reaches the verdict.

use crate::module::LocId;

/// What kind of thing is assumed or approximated. Closed on purpose: a new approximation is a new variant.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum AssumptionKind {
    /// An external function without a row: reads and writes the objects that its pointer arguments point
    /// into (not what those point to), keeps the pointers, does nothing to locks, calls nobody back.
    UnknownExternal,
    /// The same, but taken to touch nothing, because the user asked for it.
    PureExternal,
    /// Inline assembly without a row: reads and writes what its arguments reach.
    InlineAssembly,
    /// An integer became a pointer: it points to anything that code outside can reach.
    IntToPointer,
    /// A call through a pointer whose targets are taken from (struct, field) or from the signature.
    IndirectCall,
    /// Memory that code outside can reach is split by declared type.
    TypeSplit,
    /// Fields of a struct that only the module declares are accessed only by the module.
    PrivateStruct,
    /// Objects of one struct type coincide or are disjoint.
    Alignment,
    /// Pointer arithmetic stays within its object, and nothing is read from one that has ended, unless that is a race.
    InBounds,
    /// An allocation has at most one struct of this type of the module's own: no code was seen to step from one to another.
    OneInAllocation,
    /// Who finds a flag free and takes it, atomically or in a critical section, owns what others touch only with the flag,
    /// until he gives it back; what he has done before is done then.
    OwnedFlag,
    /// A row of the environment model that says how the kernel calls or serializes.
    Environment,
    /// A pointer parameter belongs to the call alone (the caller's stack copy).
    CallOwned,
    /// A call tree that recurses or is too large was replaced by a summary relative to its parameters.
    Summary,
    /// A call tree with irreducible control flow, or too costly, was replaced by the empty summary.
    EmptySummary,
    /// An exported function is called by no other module.
    UnsharedExport,
    /// A function whose address leaves the module is in no table: not taken as an entry point.
    EscapedFunction,
    /// A function of code outside that the module has in a table, or values that it gives to code outside, are accessed by
    /// that code at any time: that is not looked at.
    OutsideCallback,
    /// A pointer member owns what it points to, which was seen of all stores to it, and is initialized
    /// before it is read.
    UniqueOwner,
    /// A pointer in an object of the kernel is set before others use the object, and not while they do.
    BoundBefore,
    /// Code outside sets a member of an object of the kernel before it gives the object to others, and not afterwards.
    Settled,
    /// What a driver reads of a member as something that it keeps nowhere there is another driver's, in another object.
    DataOfOthers,
    /// What the kernel calls for a device is registered by who binds a driver to the device, and no more when it is
    /// unbound.
    BoundCallbacks,
    /// What callbacks reach from their parameters, of memory that ends with a driver, is of the device for which they are called.
    ManagedMemory,
    /// A handle is registered by one place at a time.
    RegisteredOnce,
    /// Handles of the class are registered by the module alone, by functions that the model knows: so nobody brings
    /// back a callback that a thread has waited for (rule 5).
    RegisteredHere,
    /// A row that was inferred from the calls that were seen, where others may exist.
    AssumedRow,
    /// A struct in registers was taken to be arbitrary; what its pointers lead to, to be in reach of others.
    ArbitraryValue,
    /// Something that the front end cannot represent was replaced by an arbitrary value.
    Unsupported,
}

impl AssumptionKind {
    /// A stable name for machine-readable output.
    pub fn name(self) -> &'static str {
        match self {
            AssumptionKind::UnknownExternal => "unknown-external",
            AssumptionKind::PureExternal => "pure-external",
            AssumptionKind::InlineAssembly => "inline-assembly",
            AssumptionKind::IntToPointer => "int-to-pointer",
            AssumptionKind::IndirectCall => "indirect-call",
            AssumptionKind::TypeSplit => "type-split",
            AssumptionKind::PrivateStruct => "private-struct",
            AssumptionKind::Alignment => "alignment",
            AssumptionKind::InBounds => "in-bounds",
            AssumptionKind::OneInAllocation => "one-in-allocation",
            AssumptionKind::OwnedFlag => "owned-flag",
            AssumptionKind::Environment => "environment",
            AssumptionKind::CallOwned => "call-owned",
            AssumptionKind::Summary => "summary",
            AssumptionKind::EmptySummary => "empty-summary",
            AssumptionKind::UnsharedExport => "unshared-export",
            AssumptionKind::EscapedFunction => "escaped-function",
            AssumptionKind::OutsideCallback => "outside-callback",
            AssumptionKind::UniqueOwner => "unique-owner",
            AssumptionKind::BoundBefore => "bound-before",
            AssumptionKind::Settled => "settled",
            AssumptionKind::DataOfOthers => "data-of-others",
            AssumptionKind::BoundCallbacks => "bound-callbacks",
            AssumptionKind::ManagedMemory => "managed-memory",
            AssumptionKind::RegisteredOnce => "registered-once",
            AssumptionKind::RegisteredHere => "registered-here",
            AssumptionKind::AssumedRow => "assumed-row",
            AssumptionKind::ArbitraryValue => "arbitrary-value",
            AssumptionKind::Unsupported => "unsupported",
        }
    }

    /// One sentence for people.
    pub fn explain(self) -> &'static str {
        match self {
            AssumptionKind::UnknownExternal => {
                "an unmodelled function reads and writes the objects that its pointer arguments point into, keeps the pointers, and does nothing to locks"
            }
            AssumptionKind::PureExternal => "an unmodelled function touches no memory (--externals=pure)",
            AssumptionKind::InlineAssembly => {
                "unmodelled assembly reads and writes only what its operands reach"
            }
            AssumptionKind::IntToPointer => {
                "an integer turned into a pointer points to memory that others can reach"
            }
            AssumptionKind::IndirectCall => {
                "a call through a pointer reaches only functions stored in that field"
            }
            AssumptionKind::TypeSplit => "objects of unrelated declared types do not overlap",
            AssumptionKind::PrivateStruct => {
                "only the module accesses the fields of structs that only it declares"
            }
            AssumptionKind::Alignment => "two objects of one struct type coincide or are disjoint",
            AssumptionKind::InBounds => "pointer arithmetic stays within its object",
            AssumptionKind::OneInAllocation => {
                "an allocation has at most one struct of a type that no code is seen to step over"
            }
            AssumptionKind::OwnedFlag => {
                "who finds a flag free and takes it owns what it stands for, until he has done all and gives it back"
            }
            AssumptionKind::Environment => {
                "code outside calls and serializes entry points, and does what is asked of it, as the model says"
            }
            AssumptionKind::CallOwned => "an argument object belongs to one call alone",
            AssumptionKind::Summary => {
                "a call tree was summarized: what it does, relative to its arguments and the locks held at the call"
            }
            AssumptionKind::EmptySummary => {
                "a call tree was summarized as: accesses anything it mentions, keeps no lock"
            }
            AssumptionKind::UnsharedExport => {
                "no other module calls an exported function that none of the kernel mentions"
            }
            AssumptionKind::EscapedFunction => {
                "a function whose address leaves the module is not called back"
            }
            AssumptionKind::OutsideCallback => {
                "functions of code outside that a module has in its tables, or leaves values to, race with nothing in it"
            }
            AssumptionKind::UniqueOwner => {
                "a pointer member that only ever gets fresh objects is initialized before it is read"
            }
            AssumptionKind::BoundBefore => {
                "a pointer that a driver keeps in an object of the kernel is set before anybody uses the object"
            }
            AssumptionKind::Settled => {
                "code outside sets a member of an object before it gives the object to others, and not afterwards"
            }
            AssumptionKind::DataOfOthers => {
                "what a driver takes for something that it keeps in no such member is another driver's"
            }
            AssumptionKind::BoundCallbacks => {
                "what the kernel calls for a device is registered by who binds a driver to it, and no more when it is unbound"
            }
            AssumptionKind::ManagedMemory => {
                "what a callback uses of memory that ends with a driver belongs to the device that it is called for"
            }
            AssumptionKind::RegisteredOnce => "a handle is registered by one place at a time",
            AssumptionKind::RegisteredHere => {
                "only the module registers its handles, by functions that the model knows"
            }
            AssumptionKind::AssumedRow => {
                "the kernel calls entry points only as the calls do that were seen when the row was inferred"
            }
            AssumptionKind::ArbitraryValue => {
                "a struct in registers may have any value, and others may reach what it points to"
            }
            AssumptionKind::Unsupported => "a construct was replaced by an arbitrary value",
        }
    }
}

/// One assumption, with what it is about and where it was made.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Assumption {
    /// The kind.
    pub kind: AssumptionKind,
    /// A name: the external function, the struct, the row ...
    pub subject: String,
    /// Where in the source, if it has a place.
    pub loc: Option<LocId>,
}

/// The assumptions made so far, without repetition, in the order in which they were made first.
#[derive(Clone, Default, Debug)]
pub struct Ledger {
    items: Vec<Assumption>,
    seen: std::collections::HashSet<Assumption>,
}

impl Ledger {
    /// Records an assumption, once.
    pub fn record(&mut self, kind: AssumptionKind, subject: impl Into<String>, loc: Option<LocId>) {
        let item = Assumption { kind, subject: subject.into(), loc };
        if self.seen.insert(item.clone()) {
            self.items.push(item);
        }
    }

    /// Takes over what another ledger has.
    pub fn extend(&mut self, other: &Ledger) {
        for item in &other.items {
            self.record(item.kind, item.subject.clone(), item.loc);
        }
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Assumption> {
        self.items.iter()
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}
