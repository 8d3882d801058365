//! The ledger: every approximation and every trusted assumption is data, and reaches the verdict.

use crate::module::LocId;

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident: $name:literal, $explanation:literal;)*) => {
        /// What kind of thing is assumed or approximated. Closed on purpose: a new approximation is a new variant.
        #[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum AssumptionKind {
            $($(#[$doc])* $kind,)*
        }

        impl AssumptionKind {
            /// All of them.
            pub const ALL: &[AssumptionKind] = &[$(AssumptionKind::$kind,)*];

            /// A stable name for machine-readable output.
            pub fn name(self) -> &'static str {
                match self {
                    $(AssumptionKind::$kind => $name,)*
                }
            }

            /// One sentence for people.
            pub fn explain(self) -> &'static str {
                match self {
                    $(AssumptionKind::$kind => $explanation,)*
                }
            }
        }
    };
}

kinds! {
    /// An external function without a row: reads and writes the objects that its pointer arguments point
    /// into (not what those point to), keeps the pointers, does nothing to locks, calls nobody back.
    UnknownExternal: "unknown-external",
        "an unmodelled function reads and writes the objects that its pointer arguments point into, keeps the pointers, and does nothing to locks";
    /// The same, but taken to touch nothing, because the user asked for it.
    PureExternal: "pure-external",
        "an unmodelled function touches no memory (--externals=pure)";
    /// Inline assembly without a row: reads and writes what its arguments reach.
    InlineAssembly: "inline-assembly",
        "unmodelled assembly reads and writes only what its operands reach";
    /// An integer became a pointer: it points to anything that code outside can reach.
    IntToPointer: "int-to-pointer",
        "an integer turned into a pointer points to memory that others can reach";
    /// A call through a pointer whose targets are taken from (struct, field) or from the signature.
    IndirectCall: "indirect-call",
        "a call through a pointer reaches only functions stored in that field";
    /// Memory that code outside can reach is split by declared type.
    TypeSplit: "type-split",
        "objects of unrelated declared types do not overlap";
    /// Fields of a struct that only the module declares are accessed only by the module.
    PrivateStruct: "private-struct",
        "only the module accesses the fields of structs that only it declares";
    /// Objects of one struct type coincide or are disjoint.
    Alignment: "alignment",
        "two objects of one struct type coincide or are disjoint";
    /// Pointer arithmetic stays within its object, and nothing is read from one that has ended, unless that is a race.
    InBounds: "in-bounds",
        "pointer arithmetic stays within its object";
    /// An allocation has at most one struct of this type of the module's own: no code was seen to step from one to another.
    OneInAllocation: "one-in-allocation",
        "an allocation has at most one struct of a type that no code is seen to step over";
    /// Locks are given back by who holds them: where a thread is not seen to hold it, it is none that another one holds.
    OwnLocks: "own-locks",
        "a lock is given back by who has it, also where that is not seen";
    /// Who finds a flag free and takes it, atomically or in a critical section, owns what others touch only with the flag,
    /// until he gives it back; what he has done before is done then.
    OwnedFlag: "owned-flag",
        "who finds a flag free and takes it owns what it stands for, until he has done all and gives it back";
    /// A row of the environment model that says how the kernel calls or serializes.
    Environment: "environment",
        "code outside calls and serializes entry points, and does what is asked of it, as the model says";
    /// A pointer parameter belongs to the call alone (the caller's stack copy).
    CallOwned: "call-owned",
        "an argument object belongs to one call alone";
    /// A call tree that recurses or is too large was replaced by a summary relative to its parameters.
    Summary: "summary",
        "a call tree was summarized: what it does, relative to its arguments and the locks held at the call";
    /// A call tree with irreducible control flow, or too costly, was replaced by the empty summary.
    EmptySummary: "empty-summary",
        "a call tree was summarized as: accesses anything it mentions, keeps no lock";
    /// An exported function is called by no other module.
    UnsharedExport: "unshared-export",
        "no other module calls an exported function that none of the kernel mentions";
    /// What is neither static nor exported is used by the files that were given only.
    WholeModule: "whole-module",
        "the files that were given are all of the module: nobody else uses what it does not export";
    /// What still runs after the module was unloaded is not looked at.
    Unloading: "unloading",
        "nothing of the module runs any more once it is unloaded";
    /// A function whose address leaves the module is in no table: not taken as an entry point.
    EscapedFunction: "escaped-function",
        "a function whose address leaves the module is not called back";
    /// A function of code outside that the module has in a table, or values that it gives to code outside, are accessed by
    /// that code at any time: that is not looked at.
    OutsideCallback: "outside-callback",
        "functions of code outside that a module has in its tables, or leaves values to, race with nothing in it";
    /// A pointer member owns what it points to, which was seen of all stores to it, and is initialized
    /// before it is read.
    UniqueOwner: "unique-owner",
        "a pointer member that only ever gets fresh objects is initialized before it is read";
    /// A pointer in an object of the kernel is set before others use the object, and not while they do.
    BoundBefore: "bound-before",
        "a pointer that a driver keeps in an object of the kernel is set before anybody uses the object";
    /// Code outside sets a member of an object of the kernel before it gives the object to others, and not afterwards.
    Settled: "settled",
        "code outside sets a member of an object before it gives the object to others, and not afterwards";
    /// What a driver reads of a member as something that it keeps nowhere there is another driver's, in another object.
    DataOfOthers: "data-of-others",
        "what a driver takes for something that it keeps in no such member is another driver's";
    /// What the kernel calls for a device is registered by who binds a driver to the device, and no more when it is
    /// unbound.
    BoundCallbacks: "bound-callbacks",
        "what the kernel calls for a device is registered by who binds a driver to it, and no more when it is unbound";
    /// What callbacks reach from their parameters, of memory that ends with a driver, is of the device for which they are called.
    ManagedMemory: "managed-memory",
        "what a callback uses of memory that ends with a driver belongs to the device that it is called for";
    /// A handle is registered by one place at a time.
    RegisteredOnce: "registered-once",
        "a handle is registered by one place at a time";
    /// Handles of the class are registered by the module alone, by functions that the model knows: so nobody brings
    /// back a callback that a thread has waited for (rule 5).
    RegisteredHere: "registered-here",
        "only the module registers its handles, by functions that the model knows";
    /// A row that was inferred from the calls that were seen, where others may exist.
    AssumedRow: "assumed-row",
        "the kernel calls entry points only as the calls do that were seen when the row was inferred";
    /// A struct in registers was taken to be arbitrary; what its pointers lead to, to be in reach of others.
    ArbitraryValue: "arbitrary-value",
        "a struct in registers may have any value, and others may reach what it points to";
    /// Something that the front end cannot represent was replaced by an arbitrary value.
    Unsupported: "unsupported",
        "a construct was replaced by an arbitrary value";
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
