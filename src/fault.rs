//! Faults to be found: rules of the verifier that can be switched off, one at a time, to see whether the
//! oracle (`tests/oracle.rs`) notices.
//!
//! Without the cargo feature `seeded-faults`, [`seeded`] is the constant `false` and nothing of this is left
//! in the program. With it, the process has at most one fault: the one named by `LOCKPAIR_FAULT`, or the last
//! one that [`seed`] was given.

macro_rules! faults {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// A rule that can be switched off.
        #[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[repr(u32)]
        pub enum Fault {
            $($(#[$doc])* $name,)*
        }

        impl Fault {
            /// All of them.
            pub const ALL: &[Fault] = &[$(Fault::$name,)*];
        }
    };
}

faults! {
    /// The address behind an array of a variable is that of the next member.
    EndIsNextMember,
    /// A loop that moves a pointer backwards has not begun behind the end of an array.
    LoopsGoForward,
    /// No pointer of the module's leads to a number in an allocation of the kernel's.
    AloneIsHidden,
    /// What is copied to the header of a message ends there, whatever follows.
    MessagesEndWithHeader,
    /// A handle that was ended has never had callbacks that registered others.
    EndedNeverRan,
    /// What a thread had from a variable and stored in a member belongs to the device by which another finds it there.
    BroughtIsOwn,
    /// Numbers in two members are one interrupt line.
    LinesInMembersAreOne,
    /// What the compiler stores to a struct on the stack in pieces is no member of it.
    RegistersAreRaw,
    /// Pointers whose bytes are swapped, or that are put into vectors, are lost.
    MixedLoseNothing,
    /// The kernel's lock around the callbacks of a handle is one, however often that is registered, for what reads find.
    SeveralAreStable,
    /// What a callback reads keeps its value until the writer himself has registered it.
    StableUntilRegisteredHere,
    /// Tables of functions are found by what they are registered through, whatever code does with them.
    TablesStay,
    /// What a driver has asked for ends in any order when it is unbound.
    ManagedInAnyOrder,
    /// What ends with a driver is of no interest to who has it from a variable.
    ManagedForAll,
    /// A flag that was taken is never given back.
    FlagGivenBackIgnored,
    /// Who does not have a flag may make it free.
    FlagGivenBackByAnybody,
    /// A flag that is set in a critical section was found free there.
    FlagSetUntested,
    /// Who stores an object in a variable still has the reference that he had.
    ReferenceStaysWithThread,
    /// What a variable lends is lent for good.
    LentForever,
    /// Who takes away a reference has had one.
    ReferenceTakenAwayByAnybody,
    /// Who adds a reference has had one, or was lent one.
    ReferenceAddedByAnybody,
    /// What is stored in a variable that has a reference is counted.
    LenderWrittenByAnybody,
    /// What code outside writes is no pointer.
    WritesOutsideAreNumbers,
    /// Nobody finds what the linker puts into sections.
    SectionsStay,
    /// Parameters keep the value that they have when the module is loaded.
    ParametersStay,
    /// Numbers of the kernel's (`jiffies`) are one value.
    NumbersStay,
    /// No file of a module is ever missing.
    FilesAreAll,
    /// What lies behind a struct of the kernel's lies there at the first distance that is seen.
    BehindAtFirstDistance,
    /// What ends with a struct of the kernel's is only what the module itself declares.
    OwnLiesBehind,
    /// Code outside changes no member of a struct of the module's, whose address it has.
    GivenMembersStay,
    /// A turn lasts when the lock was given back that goes with it.
    TurnOutlivesLock,
    /// Anybody may write whose turn it is.
    TurnWrittenByAnybody,
    /// Whose turn it is may be written by who has that very turn, without the lock that goes with it.
    TurnWithoutLock,
    /// Who reads whose turn it is under a lock acquires, too.
    ReadsAcquire,
    /// Two structs in one place have their members at the same offsets.
    ViewsAreAligned,
    /// A completion counts from zero, whatever was written there.
    CompletionsCountFromZero,
    /// A list that code names is as it was at the beginning.
    ListsStay,
    /// What has completed may run again, but is not looked at any more.
    CompletedForGood,
    /// A callback may go on when it has completed.
    CompletesAtAnyTime,
    /// A callback's completion may be completed by others, too.
    CompletedByAnybody,
    /// A callback that completes was started once.
    StartedOnce,
    /// Who starts a callback has waited for it when he gives back the lock.
    NobodyWaits,
    /// What an open file's first function may have taken, it has taken.
    OpenWithoutFlag,
    /// Any table is one that nobody changes.
    AnyTableBegins,
    /// Pointers that are one are so even if one on the way to them is null.
    SameThroughNull,
    /// What any stable read gives is the pointer that a row speaks of.
    SameAnywhere,
    /// The function in which a callback is called was in its struct from the beginning, whoever has stored it there.
    OwnFunctionStored,
    /// Nothing is ever given back.
    ReleaseIgnored,
    /// A release gives back only the lock of the very same term (rule 4).
    ReleaseSyntactic,
    /// What an iteration stores in a thread's own object, the next one does not find there.
    LoopStoresNothing,
    /// Nor does unknown code after the loop, if it is another's.
    LoopStoresForItself,
    /// A pointer that is not followed leads unknown code to none of the thread's own objects.
    LostLeadNowhere,
    /// Unknown code that a summarized procedure calls looks behind none of its caller's objects.
    CalleeLooksNowhere,
    /// Nor does it find there what such a procedure has stored.
    CalleeLeavesNothing,
    /// Unknown code finds nothing in an object whose content was forgotten.
    ForgottenIsGone,
    /// What is read of a pointer by halves says nothing of where it goes.
    HalvesLoseNothing,
    /// What a called function gives back stays held in the caller.
    CalleeReleaseIgnored,
    /// Two shared holders exclude each other.
    ModeIgnored,
    /// Locks of different classes are the same at one address.
    ClassIgnored,
    /// All locks of a class are one.
    LockAddressIgnored,
    /// Who takes a lock for reading takes it for himself alone.
    SharedTakenExclusive,
    /// A lock that was taken for reading is never given back.
    SharedReleaseIgnored,
    /// A conditional acquisition always succeeds.
    TrylockSucceeds,
    /// Zero and nonzero are taken for each other in conditional acquisitions.
    TrylockConvention,
    /// What the kernel holds on entry, it holds exclusively.
    SessionExclusive,
    /// At a join, only one edge's locks count.
    JoinHeldOneEdge,
    /// A member owns what it points to although its pointers are copied (rule 6).
    OwnersCopied,
    /// Whoever runs first is alone, whatever he registers.
    AloneToTheEnd,
    /// Who was alone before a loop is so in each iteration.
    LoopStaysAlone,
    /// What is copied from one member to another is not in it.
    CopiedNowhere,
    /// What is stored in nobody knows which object is in none.
    StoredNowhere,
    /// Who makes the struct anew that it is known by goes on to be alone.
    RemadeByItself,
    /// Nobody stores anything in objects that nobody else gets to see.
    OwnObjectsStay,
    /// What counts begins with its initial value, whatever init does.
    CountsBeginAnyhow,
    /// What is stored at an index is nowhere.
    IndexedLurkNowhere,
    /// What init stores where code outside looks by itself, nobody sees.
    FoundByNobody,
    /// What is linked to a head has no other, whatever is stored there.
    LinkedAnywhere,
    /// Unknown code keeps nothing of what it gets as constant.
    ConstantsKeepNothing,
    /// What is registered for each device, but under one name, is registered once.
    OneForAllDevices,
    /// Whatever a driver leads to is for its devices.
    DriversLeadToDevices,
    /// No code looks at drivers.
    DriversUsedByNobody,
    /// A function of drivers of several buses is called for devices of the first one.
    DrivenByFirst,
    /// Structs of two types have no bytes in common.
    SlotsByName,
    /// Where a member is kept apart by the structs around it, nothing is stored in those.
    SlotsAlone,
    /// A member owns what it points to whatever is stored to it.
    OwnersStoreAnything,
    /// What the body of a loop makes leads nowhere.
    LoopMakesEmpty,
    /// Who goes on from a first member, or from an array of one element, stays there.
    MembersHaveEnds,
    /// A store in a loop puts an object in one place.
    LoopsStoreOnce,
    /// The same of a store in a summary.
    SummariesStoreOnce,
    /// A free ends only what its pointer is declared to point to, and nothing behind it.
    EndedAsDeclared,
    /// A pointer of which a member is named somewhere is one to that struct everywhere.
    UsedOnceUsedAlways,
    /// A pointer that goes back stays within what it was declared to point to.
    BackwardWithin,
    /// What code outside gives as data is none of the module's.
    GivenApart,
    /// What is stored in any region is what is read from it, and nothing else.
    AllRegionsFollowed,
    /// Pieces of pointers are followed as wholes are.
    PiecesFollowed,
    /// What code outside gets as data it does not give back.
    BytesStay,
    /// Each element of an array of pointers in a struct is a place of its own.
    ElementsApart,
    /// A block of unknown length holds nothing but what it begins with.
    WholesAsDeclared,
    /// What entry points return nobody looks at.
    ResultsStay,
    /// Code outside puts nothing into members but numbers that it has made for them.
    AllMadeApart,
    /// What is put where pointers of all kinds meet is data, if it is taken for nothing before.
    PutAwayAsData,
    /// What the module may make of a struct, it makes.
    MadeIfPossible,
    /// Code outside makes no room for structs of the module's behind its own.
    RoomForNone,
    /// Code outside has access to no member of a struct of the module's own.
    OutsideHasNoData,
    /// What is put into memory of which nothing is known is not read from there as something else.
    MemoryApart,
    /// Only what is accessed where it is declared to be data is taken for data.
    DataAccessedThere,
    /// In what the module has made there is nothing behind its first struct.
    MadeHoldOne,
    /// Variables hold what they are declared to hold.
    VariablesAsDeclared,
    /// Copies of a member's address go nowhere.
    CopiesTakeNothing,
    /// A function is called only as what it is declared to be.
    PrototypesExact,
    /// A constant pointer is one to constants.
    ConstantPointers,
    /// Code outside does not give back the numbers that it was given.
    NumbersKept,
    /// A pointer to characters leads to no member of a struct, of whatever type.
    CharactersApart,
    /// What leads to a member is declared as a pointer to what the member is, wherever it has been.
    MembersAsDeclared,
    /// A pointer that is one of several has the type that one of them was read with.
    ChoicesAsRead,
    /// What lies in constants by members is not found by indices.
    ConstantsAreEmpty,
    /// Nobody but who reads and writes elements has the address of an array of pointers.
    ArraysAreOwn,
    /// What code outside gives as data is taken for no struct.
    GivenIsNoStruct,
    /// No two members have one buffer of those that code outside makes.
    BuffersApart,
    /// What was read from a member of some object is put back into that object.
    PutBackAnywhere,
    /// What is said to be distinct stays so, whatever the module stores there.
    SaidDistinctStored,
    /// What the module has never stored in a member of the kernel's is distinct.
    MembersBeginEmpty,
    /// A session's member holds nothing but what the module has put there, whoever begins it.
    SessionsBeginEmpty,
    /// Only a pointer that was declared to point to a struct that is an allocation of its own leads to one as a block.
    AloneByDeclaration,
    /// Who begins a session leaves in its member what he has put there first.
    SessionsPutBack,
    /// The pointer in a union is the first that is declared there.
    FirstOfUnion,
    /// What code outside leaves as it is, the module does, too.
    SettledForModule,
    /// Members are not read or written by pieces.
    MembersAreWhole,
    /// Whatever is added to an address by an index leads to where that is.
    IndicesStay,
    /// Pointers to data reach no member of the module's structs.
    ExposedByNothing,
    /// Who is registered is called with what he was registered with alone, wherever else his address goes.
    RegisteredOnly,
    /// Arrays of characters hold only that of which a pointer is made from their own address.
    ArraysByAddress,
    /// The address of an array of characters is taken for nothing once it is in the hands of code outside.
    ArraysStay,
    /// Pointers in memory that a join forgets stay private.
    JoinLosesPointers,
    /// Functions of the kernel use nothing of which their rows say nothing.
    CallsUseNothing,
    /// What is forgotten of an object on the stack counts as not written yet.
    ForgottenIsUnwritten,
    /// Every read is stable (rule 2).
    StableAlways,
    /// A read is stable if only others write.
    StableDespiteOthers,
    /// A read is stable if only its own thread writes.
    StableDespiteOwn,
    /// Whoever sets the data of a device does so before anybody uses it.
    AnybodyBinds,
    /// Nobody writes to what code outside does not write to.
    SettledForAll,
    /// A read is stable if only marked writes change it.
    StableDespiteMarked,
    /// The map of stable reads does not look at the offset.
    StableOffsetIgnored,
    /// Every entry point that registers something runs only once.
    OnceForAll,
    /// Members of a union that do not begin and end together do not overlap (rule 7).
    UnionMembersApart,
    /// A struct does not overlap the struct that embeds it.
    EmbeddedApart,
    /// Characters and intrinsics do not overlap members.
    WildApart,
    /// A block of memory behind a plain pointer is one scalar.
    BlockIsScalar,
    /// Scalars behind plain pointers do not overlap members.
    ScalarApart,
    /// Only the first byte of a storage unit of bit-fields counts.
    BitFieldNarrow,
    /// What is indexed from a member that is no array stays in that.
    IndexStaysInLong,
    /// A variable index is taken for zero.
    IndexIgnored,
    /// Structs of different types coincide or are disjoint.
    AlignmentAcrossTypes,
    /// Loop heads keep the content of private memory.
    LoopMemoryKept,
    /// Loop heads keep what is held.
    LoopHeldKept,
    /// Loop heads keep what is private.
    LoopPublishedKept,
    /// Values of the first iteration hold in all.
    LoopFirstValues,
    /// Sums do not wrap (rule 1).
    AddDoesNotWrap,
    /// Differences do not wrap.
    SubDoesNotWrap,
    /// Products do not wrap.
    MulDoesNotWrap,
    /// Narrowing keeps the value.
    TruncKeeps,
    /// Signed comparisons are unsigned.
    SignIgnored,
    /// What a thread made stays private for ever.
    PublishedPrivate,
    /// A stored pointer publishes nothing.
    StorePublishesNothing,
    /// Copies are no accesses.
    CopyNotRecorded,
    /// Fills are no accesses.
    FillNotRecorded,
    /// A free is no access (rule 9).
    FreeNotRecorded,
    /// What models say that code outside accesses is not recorded.
    OutsideNotRecorded,
    /// Code that nobody modelled writes nothing.
    ExternalWritesNothing,
    /// Stores are reads.
    WriteAsRead,
    /// Atomic updates are reads.
    AtomicAsRead,
    /// One marked access is enough for no race.
    OneMarkIsEnough,
    /// The condition of the second branch is that of the first.
    ElseGuard,
    /// No switch goes to its default.
    SwitchDefaultLost,
    /// At a join, a value is that of one edge.
    PhiOneEdge,
    /// The first target of an indirect call is not called.
    IndirectTargetDropped,
    /// An entry point does not meet itself.
    SelfPairsOmitted,
    /// The third entry point and all after it are not looked at for writes.
    ThirdEntryPointIgnored,
    /// Arguments do not carry regions to parameters.
    RegionsIgnoreCalls,
    /// Regions do not follow stored pointers.
    RegionsIgnoreStores,
    /// Regions do not follow the address of a field that is taken.
    RegionsIgnoreTakenFields,
    /// Regions do not follow copies.
    RegionsIgnoreCopies,
    /// A pointer that is cut into pieces goes nowhere.
    RegionsIgnorePieces,
    /// An unregistration that does not wait counts as one that does (rule 5).
    UnregisterWaits,
    /// Callbacks run only before they are registered.
    EventsBackwards,
    /// Whoever registers a handle may end after it was unregistered (rule 5).
    TeardownInAnyOrder,
    /// Nobody learns of an object by what is registered in it.
    RegistrationPublishesNothing,
    /// A handle that is registered again stays unregistered.
    RegisterAgainIgnored,
    /// Nobody registers again what the thread has waited for.
    OthersRegisterNothing,
    /// Who waits for a callback has waited for all that this one registers.
    RegisteredUnderOwnHandle,
    /// Who waits for a handle keeps out all who register it.
    RegisteredUnderAnyLock,
    /// Each handle is registered once at a time.
    HandlesRegisteredOnce,
    /// Nobody looks at what a handle is registered through.
    WaysIgnored,
    /// Every struct of the module's own is taken to be alone in its allocation.
    AllocationsHaveOne,
    /// Only who is in a state of the kernel can end it.
    StatesEndedByOwner,
    /// A state of the kernel lasts although its thread registers what ends it.
    StatesOutliveRegistration,
    /// Every thread function runs once.
    ThreadsRunOnce,
    /// What a thread has stored where others may look stays there.
    FollowedDespiteOthers,
    /// Each call that makes a thread makes one.
    CallsMakeOneThread,
    /// A thread is over whenever its maker joins it, before or after.
    JoinedAtAnyTime,
    /// A join ends every thread of its maker.
    JoinOfAnyThread,
    /// Only who makes a thread has to do with its beginning.
    MadeDirectly,
    /// Only the first call that makes a thread function counts.
    OneMaker,
    /// An argument that was chosen among several is the first of them.
    ArgumentOfOneWay,
    /// The last round of a loop that is copied makes no thread.
    LastRoundForgotten,
    /// What is copied to give each cycle one head stores nothing.
    SplitBlocksOnlyRead,
    /// Objects that the two threads make are the same.
    FreshObjectsShared,
    /// A call tree that is summarized accesses nothing (rule 10).
    SummaryAccessesNothing,
    /// A call tree that is summarized gives nothing back.
    SummaryReleasesNothing,
    /// A summary does not say which of the caller's locks are given back.
    SummaryReleaseForgotten,
    /// After a call of a summarized procedure all is held that was held before.
    SummaryKeepsAllLocks,
    /// What holds at one call of a circle is taken to hold at all.
    CircleOfOneCall,
    /// A summary does not say its first access.
    SummarySiteForgotten,
    /// A summary does not say that an argument is kept.
    SummaryKeepsNothing,
    /// All activations of a procedure that calls itself have the arguments of the first.
    RecursionKeepsArguments,
    /// What further activations give back stays held.
    RecursionKeepsLocks,
    /// Whoever registers callbacks of a device binds its driver.
    BoundByAnybody,
    /// What is registered for some device is over when another device's driver is unbound.
    UntilAnyDevice,
    /// What is registered while a driver is bound is registered by nobody else.
    GroupsNamedByCode,
    /// Code without a row registers nothing that it gets.
    UnknownCodeRegistersNothing,
    /// What closes a ring leads to its elements only.
    RingsLeadOn,
    /// A pointer that is compared leads to what it is declared to.
    ComparedAsDeclared,
    /// Whatever a driver reads of a member in which it keeps something is another driver's.
    AllReadsForeign,
    /// What the kernel calls in a state excludes what else it calls in that.
    StatesExcludeThemselves,
    /// What is shared by the functions of a table excludes those of the same table.
    TablesNotCompared,
    /// Code outside finds to which table an object belongs, whatever the module stores where it looks.
    TablesFoundByAnything,
    /// What is called for a device is registered by what is seen.
    BoundBySeenOnly,
    /// What is called for a device is not called while its driver is bound.
    BoundAfterwards,
    /// Who unbinds a driver has ended all that was registered for the device.
    BoundLeavesNothing,
    /// What is registered in two ways is over when one of them has ended.
    BoundEndsInPart,
    /// What is registered for a device is over when that of another device has ended.
    BoundEndsForAll,
    /// Who ends what one element of an array stands for ends what all do.
    EndsWholeArray,
    /// A struct of the kernel's is an allocation of its own although the module has one in a struct of its own.
    PartsAreAlone,
    /// In all rounds of a loop the thread runs on the CPU of the first.
    LoopStaysOnCpu,
    /// A thread never runs on another CPU.
    ThreadsStayOnCpu,
    /// There is one CPU.
    CpusAreOne,
    /// What keeps processes off a CPU keeps all off.
    MasksKeepAllOff,
}

impl Fault {
    /// The fault of that name.
    pub fn named(name: &str) -> Option<Fault> {
        Fault::ALL.iter().copied().find(|f| f.name() == name)
    }

    /// Its name.
    pub fn name(self) -> String {
        format!("{self:?}")
    }
}

/// Whether the process has this fault.
#[cfg(not(feature = "seeded-faults"))]
#[inline(always)]
pub const fn seeded(_: Fault) -> bool {
    false
}

#[cfg(feature = "seeded-faults")]
pub use switch::{seed, seeded};

#[cfg(feature = "seeded-faults")]
mod switch {
    use super::Fault;
    use std::sync::Once;
    use std::sync::atomic::{AtomicU32, Ordering};

    const NONE: u32 = u32::MAX;

    static CURRENT: AtomicU32 = AtomicU32::new(NONE);
    static ENVIRONMENT: Once = Once::new();

    /// Whether the process has this fault.
    pub fn seeded(fault: Fault) -> bool {
        ENVIRONMENT.call_once(|| {
            let named = std::env::var("LOCKPAIR_FAULT").ok().and_then(|name| Fault::named(&name));
            if let Some(fault) = named {
                CURRENT.store(fault as u32, Ordering::SeqCst);
            }
        });
        CURRENT.load(Ordering::Relaxed) == fault as u32
    }

    /// Gives the process this fault, or none.
    pub fn seed(fault: Option<Fault>) {
        ENVIRONMENT.call_once(|| {});
        CURRENT.store(fault.map_or(NONE, |f| f as u32), Ordering::SeqCst);
    }
}
