//! What the environment model says, as data: the rows that the XML files are read into.
//!
//! A *function row* gives the effects of a function that drivers call. A *table* gives, for each field of
//! an ops struct, how the kernel calls the function stored there. A *callback row* does the same for
//! functions that a registration call names. A *handle row* says what kinds of handle there are.

use lockpair_ir::{LockMode, Mark, Success};

/// Where a row comes from: hand-written rows may have none, inferred ones must.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Evidence {
    /// The source file that shows it, relative to the kernel's tree.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// What is to be seen there.
    pub note: String,
}

/// An address, as an expression over what a function gets.
///
/// Text form: `arg0`, `arg0.dev` (a member embedded in the object that arg0 points to), `arg0->priv`
/// (the pointer stored in that member), `global:rtnl`, `table` (the ops table that holds the entry
/// point), `ret` (the result of a call), `fresh` (a handle that registering makes). Members chain: `arg0->wd_data.lock`. A struct may be named where
/// the declared type does not say it: `arg0:pci_dev.dev`, `arg0:watchdog_device->wd_data:core.lock`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct AddrExpr {
    /// Where to start.
    pub base: Base,
    /// Member accesses, from left to right.
    pub steps: Vec<Step>,
}

/// Where an [`AddrExpr`] starts.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Base {
    /// The parameter or argument with this index.
    Param(u32),
    /// The address of a global that stands for something in the kernel; created if the module lacks it.
    Global(String),
    /// The ops table (a global of the module) that the entry point was found in.
    Table,
    /// The result of the call; only in function rows.
    Ret,
    /// A handle that registering makes: in a registration a fresh object, on entry the one made for this callback.
    Fresh,
    /// The function that is called; only on entry.
    Function,
    /// The CPU that the thread runs on: as a lock, of a class that is a mask; as a result, its number.
    Cpu,
    /// The copy that the CPU which the thread runs on has of what the argument with this index points to.
    Own(u32),
}

/// In the place of a member: the pointer that lies at the address reached so far (`arg1->*` where `arg1` is a `char **`).
/// Only in function rows.
pub const POINTER: &str = "*";

/// One member access of an [`AddrExpr`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Step {
    /// The member's name in the declared type reached so far, or [`POINTER`].
    pub field: String,
    /// Whether the pointer stored there is meant (`->` before it), else the member's own address (`.`).
    pub deref: bool,
    /// The tag of the struct to look the member up in; the declared type decides if there is none or
    /// if the module does not know the struct.
    pub strukt: Option<String>,
}

/// In which context the kernel calls an entry point.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum Context {
    Process,
    SoftIrq,
    HardIrq,
}

/// What a function always runs as, and so what may come in between on its CPU.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum RunsAs {
    /// A process.
    Process,
    /// A softirq, or with softirqs off.
    SoftIrq,
    /// The handler of an interrupt or a softirq.
    Irq,
    /// The handler of an interrupt, with interrupts off.
    HardIrq,
}

impl RunsAs {
    /// The highest that it may run as: what keeps that off, keeps it off.
    pub fn highest(self) -> Context {
        match self {
            RunsAs::Process => Context::Process,
            RunsAs::SoftIrq => Context::SoftIrq,
            RunsAs::Irq | RunsAs::HardIrq => Context::HardIrq,
        }
    }
}

/// A class of locks that keep others off the CPU that the thread runs on, and the thread on that CPU: preemption or
/// interrupts are off.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MaskRow {
    /// The class, as in `Acquire`.
    pub class: String,
    /// The highest of those that it keeps off.
    pub keeps_off: Context,
    /// What has it on entry.
    pub on_entry: Vec<RunsAs>,
    /// Where it comes from.
    pub evidence: Option<Evidence>,
}

/// What an exclusion rests on that locks on entry of this class stand for: where a module is seen to do otherwise, nobody has
/// such locks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExclusionRow {
    /// The class.
    pub class: String,
    /// Functions, each with the argument that must be one: how many there are that exclude nobody but themselves.
    pub single: Vec<(String, u32)>,
    /// Members, each with bits that switch the exclusion off where they are set.
    pub off: Vec<(String, String, u64)>,
    /// Functions that nobody may call.
    pub by: Vec<String>,
    /// Where it comes from.
    pub evidence: Option<Evidence>,
}

/// A lock that the kernel holds when it calls an entry point, or an exclusion that is as good as one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ImplicitLock {
    /// The class, as in `Acquire`.
    pub class: String,
    /// How it is held.
    pub mode: LockMode,
    /// Which lock.
    pub addr: AddrExpr,
    /// Whether it is shared only by functions of one ops table: what it is at has a single table, as a device has a driver.
    pub by_table: bool,
}

/// A handle without whose registration the callback does not run (`life` in the design).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LifeHandle {
    /// The class, as in `Register`.
    pub class: String,
    /// Which handle.
    pub addr: AddrExpr,
    /// The parameter that is what the handle was registered through.
    pub through: Option<u32>,
    /// Whether the address is that of a device, and what is registered with the class, whatever the handles, is called
    /// for it only because of who binds a driver to this device: from when he registers it until it is unbound.
    pub bound: bool,
}

/// Two pointers that are one whenever the callback is called: a parameter, and what some way from the parameters
/// leads to. If a pointer on that way is null, that says nothing.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Same {
    /// One of them.
    pub addr: AddrExpr,
    /// The other.
    pub other: AddrExpr,
}

/// Something of the kernel's that is taken and ended like a lock, but not only by who has taken it: a line that is off,
/// a queue that is stopped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateRow {
    /// The class, as in `Acquire`.
    pub class: String,
    /// Whether the kernel counts: as often as it was taken it must be ended. Else who ends it ends it for all.
    pub counted: bool,
    /// The class of handles of which the first one that is registered through what the state is of ends it, however often it
    /// was taken.
    pub ended_by: Option<String>,
    /// Where it comes from.
    pub evidence: Option<Evidence>,
}

/// Pointer parameters whose objects belong to one struct for good.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Held {
    /// The parameters.
    pub params: Vec<u32>,
    /// The parameter that leads to the struct.
    pub by: u32,
    /// The struct.
    pub strukt: String,
    /// The member that stands for where it has them.
    pub member: String,
}

/// How the kernel calls a function: one field of an ops struct, or the callbacks of one registration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallbackRow {
    /// `struct.field`, or the class of the registration.
    pub name: String,
    /// The context.
    pub context: Context,
    /// What it always runs as; if that is not known, it may come in between wherever interrupts are on.
    pub runs_as: Option<RunsAs>,
    /// What is held on entry.
    pub locks: Vec<ImplicitLock>,
    /// What must have been registered.
    pub handles: Vec<LifeHandle>,
    /// What its parameters have to do with each other.
    pub same: Vec<Same>,
    /// Indices of pointer parameters whose object belongs to the call alone (a copy on the caller's stack).
    pub call_owned: Vec<u32>,
    /// Indices of pointer parameters that lead to data, whatever they are declared to point to: buffers of the caller's.
    pub data: Vec<u32>,
    /// Indices of pointer parameters whose objects belong for good to the table in which the function stands, as long as the
    /// module leaves the members alone by which code outside finds that.
    pub of_table: Vec<u32>,
    /// The pointer parameter that leads to the struct which has the function in this field.
    pub itself: Option<u32>,
    /// A pointer parameter that is in a member, `struct.member`.
    pub from: Option<(u32, String, String)>,
    /// Pointer parameters whose objects belong to one struct for good.
    pub held: Option<Held>,
    /// The objects that lead to the table where this function is called; none if code outside may have any.
    pub holder: Option<Holder>,
    /// Whether it runs once at most, in one thread with all others of which that is said.
    pub once: bool,
    /// Whether it is called at any time; else only in what a call of the module's does, which has a row of its own.
    pub entry: bool,
    /// Whether the module alone calls it, so that it is no entry point.
    pub own: bool,
    /// Whether it begins to bind a driver to the device whose lock (class `device`) it holds: no `bound` callback of that
    /// device is registered yet.
    pub binds: bool,
    /// Whether it is the last of the driver's functions that is called for that device before the driver is bound to it again.
    pub unbinds: bool,
    /// The class of lock that stands for the session that begins when this returns zero: all other functions of the same
    /// table that hold such a lock run in a session, and the one that holds it exclusively ends it.
    pub begins: Option<String>,
    /// The member, `struct.member`, where the kernel finds the table of a session.
    pub table_in: Option<String>,
    /// Whether some of it is only what the calls that were seen have in common, and others may call, too.
    pub assumed: bool,
    /// Where it comes from.
    pub evidence: Option<Evidence>,
}

impl CallbackRow {
    /// Takes over which parameters belong to the call alone, of those of which this row says nothing itself.
    pub(crate) fn add_owned(&mut self, inferred: &CallbackRow) {
        let unsaid = |param: &&u32| !self.says_of(**param);
        let owned: Vec<u32> = inferred.call_owned.iter().filter(unsaid).copied().collect();
        if owned.is_empty() {
            return;
        }
        self.call_owned.extend(owned);
        self.assumed |= inferred.assumed;
        if let (Some(mine), Some(theirs)) = (&mut self.evidence, &inferred.evidence) {
            mine.note += &format!(
                "; whose parameters are is inferred: {}:{}, {}",
                theirs.file, theirs.line, theirs.note
            );
        }
    }

    /// Whether the row says anything of where the parameter points to.
    fn says_of(&self, param: u32) -> bool {
        let is_it = |addr: &AddrExpr| addr.base == Base::Param(param);
        self.call_owned.contains(&param)
            || self.data.contains(&param)
            || self.of_table.contains(&param)
            || self.itself == Some(param)
            || self.from.as_ref().is_some_and(|(from, ..)| *from == param)
            || self.held.as_ref().is_some_and(|held| held.params.contains(&param))
            || self.same.iter().any(|same| is_it(&same.addr) || is_it(&same.other))
            || self.locks.iter().any(|lock| is_it(&lock.addr))
            || self.handles.iter().any(|handle| is_it(&handle.addr))
    }
}

/// Objects through which code outside comes to a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Holder {
    /// The tag of their struct.
    pub strukt: String,
    /// Their member that leads to the table.
    pub member: String,
    /// Their member with bits of which one must be set, and these.
    pub bits: (String, u64),
}

/// An ops struct: each row's name is `struct.field`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpsTable {
    /// The struct's tag.
    pub strukt: String,
    /// The member that says which module stays loaded while somebody may call, if it is not `owner`.
    pub owner: Option<String>,
    /// A row per field that the kernel calls through.
    pub fields: Vec<CallbackRow>,
}

impl OpsTable {
    /// A table without rows.
    pub fn new(strukt: &str) -> OpsTable {
        OpsTable { strukt: strukt.to_owned(), owner: None, fields: Vec::new() }
    }

    /// The member that says which module stays loaded while somebody may call, if the struct has it.
    pub fn owner(&self) -> &str {
        self.owner.as_deref().unwrap_or("owner")
    }

    /// The row of a field.
    pub fn field(&self, field: &str) -> Option<&CallbackRow> {
        self.fields
            .iter()
            .find(|row| row.name.strip_prefix(&self.strukt).and_then(|r| r.strip_prefix('.')) == Some(field))
    }
}

/// A kind of handle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HandleRow {
    /// The class, as in `Register`.
    pub class: String,
    /// Whether several threads may register it again at any time (timers, work): then only the
    /// object's freshness says that no callback runs before the registration.
    pub rearmable: bool,
    /// Whether each registration makes a handle of its own.
    pub fresh: bool,
    /// Whether code outside of the module may register it again: then nobody knows that no callback runs any more.
    pub outside: bool,
    /// Whether one handle may be registered several times at once (one `dev_id` for two interrupt lines): to
    /// unregister it once ends nothing then, and locks at the handle's address exclude nobody.
    pub several: bool,
    /// Whether who unregisters names what the handle was registered through, not the handle.
    pub by_through: bool,
    /// Whether each registration runs its callback at most once.
    pub runs_once: bool,
    /// If it is no callback that is registered, but its end (`complete`), and who unregisters waits for that: the struct that
    /// the handle is, and its member that counts.
    pub completes: Option<(String, String)>,
}

/// What is known of the objects of a struct of the kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StructRow {
    /// The struct's tag.
    pub name: String,
    /// Whether each object of it is an allocation of its own: nothing lies behind it, and no pointer that is
    /// declared to point to numbers or characters leads into it.
    pub alone: bool,
    /// Whether a pointer that is declared to point to one points to the start of its allocation.
    pub first: bool,
    /// Members with pointers of which that is not so: they close a ring, and may lead to its head, which is something else.
    pub ring: Vec<String>,
    /// Pointer members that own what they point to: no other pointer in memory leads there (rule 6).
    pub owned: Vec<String>,
    /// Pointer members that who binds a driver to the object sets before others use it, and changes to nothing but
    /// null while they do.
    pub bound: Vec<String>,
    /// Members of drivers that lead to what the kernel registers for a device after it has bound the driver to it, and ends, and
    /// waits for, before it unbinds that.
    pub while_bound: Vec<String>,
    /// Members of drivers that lead to functions for the devices that these are bound to.
    pub for_devices: Vec<String>,
    /// Of drivers of a bus: the `struct.member` that each device is which such a driver is bound to.
    pub drives: Option<String>,
    /// Members that code outside sets before it gives the object to others, and not afterwards.
    pub settled: Vec<String>,
    /// Pointer members, or lists, of which no two hold one pointer.
    pub distinct: Vec<String>,
    /// Members into which code outside, or these of its functions, put what they are given, perhaps to several objects.
    pub given: Vec<(String, Option<String>)>,
    /// The member that leads to a list, which ends with null, of things that the object stands for where something is ended.
    pub lists: Option<String>,
    /// The class of handles of which that is so.
    pub lists_of: Option<String>,
    /// The member that must be null, or the things are elsewhere.
    pub lists_unless: Option<String>,
    /// Members declared `void *` that lead to data, as if they were declared `unsigned char *`.
    pub data: Vec<String>,
    /// A member with bits: while an object in a section has one of them, code outside may change what it leads to at any time.
    pub changes: Option<(String, u64)>,
    /// Pointer members to numbers into which code outside puts nothing but buffers that hold nothing that a struct names; several
    /// of these members, of any structs, may have one.
    pub buffers: Vec<String>,
    /// Pointer members into which code outside puts nothing but what it has made for them; in groups, of which each has objects
    /// of its own.
    pub apart: Vec<Vec<String>>,
    /// Pointer members into which code outside puts, in an object that belongs to a table, nothing but what belongs to the same
    /// table.
    pub same_table: Vec<String>,
    /// Members by which code outside finds to which table an object belongs.
    pub table_by: Vec<String>,
    /// Pointer members into which code outside puts nothing in an object that the module has made.
    pub left_alone: Vec<String>,
    /// Where it comes from.
    pub evidence: Option<Evidence>,
}

/// What is known of a variable of the kernel's.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum VariableIs {
    /// It is inside of a function, declared by a macro, and races at it are intended.
    IntendedRaces,
    /// Each CPU's copy of it is the number of that CPU.
    CpuNumber,
    /// An array: how far each CPU's copies are from what the variables' own addresses say.
    CopyDistances,
    /// It is set before any module runs, and stays.
    SetBefore,
}

/// Variables of the kernel's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VariableRow {
    /// The name in the source.
    pub name: String,
    /// What it is.
    pub is: VariableIs,
    /// Where it comes from.
    pub evidence: Option<Evidence>,
}

/// Through what a handle is registered.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Through {
    /// An argument.
    Arg(u32),
    /// What the call returns.
    Result,
}

/// An amount of bytes, or another integer, in a function row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Amount {
    /// A constant.
    Const(u64),
    /// The value of an argument.
    Arg(u32),
    /// The product of two arguments.
    Product(u32, u32),
    /// The size of the declared type that the argument points to; the rest of its object if unknown.
    Pointee(u32),
    /// The size of the struct with this tag; any number if the module does not know it.
    SizeOf(String),
    /// The bytes of an array of longs that has this many bits, the value of the argument.
    Bitmap(u32),
    /// A sum.
    Sum(Vec<Amount>),
    /// That of a pointer, which is what lies there.
    Pointer,
    /// Unknown: any number.
    Any,
    /// Unknown, but no further than the member goes that the address leads to; any number if it is no member's.
    Member,
    /// All of the object that the address lies in, before it, too; where no object is meant, any number.
    Object,
}

/// What an allocation gives when it fails.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// It does not fail.
    Never,
    /// Null.
    Null,
    /// An error number as a pointer (ERR_PTR).
    ErrPtr,
}

/// One effect of a function row. Effects happen in the order in which they stand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Takes a lock; conditional if `success` is given, which is then about the result.
    Acquire {
        /// The class.
        class: String,
        /// The mode.
        mode: LockMode,
        /// Which lock.
        lock: AddrExpr,
        /// Which result means success.
        success: Option<Success>,
        /// Whether who ignores the result may rely on success.
        ignorable: bool,
    },
    /// Gives a lock back.
    Release {
        /// The class.
        class: String,
        /// The mode.
        mode: LockMode,
        /// Which lock.
        lock: AddrExpr,
    },
    /// The result is a fresh object.
    Alloc {
        /// Its size.
        size: Amount,
        /// Whether it is zeroed.
        zeroed: bool,
        /// What comes back if there is no memory.
        failure: Failure,
        /// The argument whose object it may be instead, with another size: only if it is not does that one end, where the row frees it.
        resizes: Option<u32>,
    },
    /// Puts the address of one fresh object in all these places.
    AllocInto {
        /// Where to.
        into: Vec<AddrExpr>,
        /// Its size.
        size: Amount,
        /// Whether it is zeroed.
        zeroed: bool,
        /// What it is a copy of, before anybody else finds it.
        from: Option<AddrExpr>,
    },
    /// Calls a function of the driver in the same thread.
    Call {
        /// The address of the function: an argument, or a pointer stored somewhere.
        function: AddrExpr,
        /// Its arguments.
        args: Vec<CallArg>,
    },
    /// The object ends.
    Free {
        /// Which.
        ptr: AddrExpr,
        /// The device with whose driver it ends; none if it ends at the call.
        until: Option<AddrExpr>,
        /// A member, of a struct with that tag: it only ends if the module sets that anywhere.
        if_set: Option<(String, String)>,
    },
    /// Reads or writes memory.
    Access {
        /// Where.
        addr: AddrExpr,
        /// How much.
        len: Amount,
        /// Whether it writes.
        write: bool,
        /// How it is marked.
        mark: Mark,
        /// The struct that the module must know: others do not fill in the ones that this depends on.
        with: Option<String>,
    },
    /// Reads or writes what each pointer among the last arguments leads to, however far.
    Rest {
        /// The first of them.
        from: u32,
        /// Whether it writes.
        write: bool,
        /// How it is marked.
        mark: Mark,
    },
    /// Reads what a format makes of the pointers that come with it.
    Formatted {
        /// The argument that is the format.
        text: u32,
        /// The first argument that it is about.
        from: u32,
    },
    /// Reads a text, unless it is one that code outside keeps.
    Text {
        /// The argument that leads to it.
        text: u32,
        /// How much is read.
        len: Amount,
    },
    /// Reads or writes the buffers that the messages of an array lead to.
    Transfer(Messages),
    /// Puts the value of an argument in memory.
    Store {
        /// Where.
        addr: AddrExpr,
        /// The argument that has the value.
        arg: u32,
        /// How it is marked.
        mark: Mark,
        /// Whether what lies there stays if the argument is null.
        unless_null: bool,
    },
    /// Read-modify-write of `bits` bits at the address, atomic if marked so; `returns` says the result.
    Atomic {
        /// Where.
        addr: AddrExpr,
        /// The width.
        bits: u16,
        /// What is done.
        op: AtomicOp,
        /// `Mark::Atomic` is one indivisible access; else a load and a store that are marked so.
        mark: Mark,
    },
    /// The pointer stored there moves within its object.
    Move {
        /// Where the pointer is.
        addr: AddrExpr,
    },
    /// Copies memory.
    Copy {
        /// Where to.
        dst: AddrExpr,
        /// Where from.
        src: AddrExpr,
        /// How much.
        len: Amount,
    },
    /// Fills memory.
    Fill {
        /// Where.
        dst: AddrExpr,
        /// With which byte.
        byte: Amount,
        /// How much.
        len: Amount,
    },
    /// Makes the object reachable for others.
    Publish {
        /// Which.
        ptr: AddrExpr,
        /// Whether only if the result is zero.
        if_zero: bool,
        /// Whether code outside reads or writes the object later on, which is not looked at.
        unwatched: bool,
    },
    /// The callbacks of a handle may run from here on.
    Register {
        /// The class.
        class: String,
        /// The handle.
        handle: AddrExpr,
        /// Where the address of the handle is put afterwards.
        into: Option<AddrExpr>,
        /// The argument that holds the callback.
        callback: Option<u32>,
        /// (parameter of the callback, argument of this call that it will be).
        argument: Option<(u32, u32)>,
        /// What says through what: callbacks of one handle that is registered through two things (two lines, two queues)
        /// run side by side.
        through: Option<Through>,
        /// Whether it stays when the driver of the device is unbound, unless the driver ends it.
        stays: bool,
        /// The device of which the kernel ends it, and waits, when the driver is unbound.
        until: Option<AddrExpr>,
        /// Whether it counts only if the result is zero; by default as the class says.
        if_zero: Option<bool>,
    },
    /// No callback of the handle starts from here on.
    Unregister {
        /// The class.
        class: String,
        /// The handle.
        handle: AddrExpr,
        /// Whether it waits for the running ones.
        sync: bool,
        /// The argument that says through what it was registered.
        through: Option<u32>,
    },
    /// Unknown code gets these arguments, and no others: it reads, writes and keeps what they lead to.
    Unknown(Vec<u32>),
    /// Something that the analysis does not follow: no proof holds where this is called.
    Unsupported,
    /// The result is this argument.
    ReturnArg(u32),
    /// The result is the address (`arg0.member`) or what is stored there (`arg0->member`).
    ReturnAddr(AddrExpr),
    /// The result points somewhere into the object that the address points to.
    ReturnInto {
        /// A pointer into the object.
        addr: AddrExpr,
        /// What may come back instead.
        failure: Failure,
    },
    /// The result is this constant.
    ReturnConst(u64),
    /// The result is that argument, which is an error number, as a number or as a pointer to nothing.
    ReturnError(u32),
    /// The result points to data of code outside: to a struct of the module's only if the module has given that as data.
    ReturnData,
}

impl Effect {
    /// Every address in an effect.
    pub fn addresses(&self) -> Vec<&AddrExpr> {
        match self {
            Effect::Acquire { lock: a, .. }
            | Effect::Release { lock: a, .. }
            | Effect::Access { addr: a, .. }
            | Effect::Store { addr: a, .. }
            | Effect::Atomic { addr: a, .. }
            | Effect::Fill { dst: a, .. }
            | Effect::Publish { ptr: a, .. }
            | Effect::Unregister { handle: a, .. }
            | Effect::Move { addr: a }
            | Effect::ReturnInto { addr: a, .. }
            | Effect::ReturnAddr(a) => vec![a],
            Effect::Free { ptr, until, .. } => std::iter::once(ptr).chain(until).collect(),
            Effect::Register { handle, until, .. } => std::iter::once(handle).chain(until).collect(),
            Effect::Copy { dst, src, .. } => vec![dst, src],
            Effect::AllocInto { into, from, .. } => into.iter().chain(from).collect(),
            Effect::Call { function, args } => {
                std::iter::once(function).chain(args.iter().filter_map(CallArg::address)).collect()
            }
            Effect::Alloc { .. }
            | Effect::Rest { .. }
            | Effect::Formatted { .. }
            | Effect::Text { .. }
            | Effect::Transfer(_)
            | Effect::ReturnArg(_)
            | Effect::ReturnConst(_)
            | Effect::ReturnData
            | Effect::ReturnError(_)
            | Effect::Unknown(_)
            | Effect::Unsupported => vec![],
        }
    }
}

/// What a function of the driver gets from a modelled one that calls it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CallArg {
    /// An arbitrary number.
    Any,
    /// An address.
    At(AddrExpr),
    /// A pointer to somewhere in the object that the address points to: an element of an array.
    Into(AddrExpr),
}

impl CallArg {
    /// The address in it.
    pub fn address(&self) -> Option<&AddrExpr> {
        match self {
            CallArg::Any => None,
            CallArg::At(addr) | CallArg::Into(addr) => Some(addr),
        }
    }
}

/// An array of messages, each with a buffer that goes one way or the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Messages {
    /// The argument that points to the first.
    pub array: u32,
    /// The tag of their struct.
    pub strukt: String,
    /// The argument that says how many there are.
    pub count: u32,
    /// The member with the buffer's address.
    pub buffer: String,
    /// The 16-bit member with its length.
    pub len: String,
    /// The 16-bit member with the flags.
    pub flags: String,
    /// Of these flags one is set if the buffer is written; else it is read.
    pub write: u16,
    /// Of these flags one is set if the length is not known before, and is written, too.
    pub grows: u16,
}

/// What an [`Effect::Atomic`] does; an operand is the index of an argument or a constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AtomicOp {
    /// The result is the value.
    Read,
    /// No result.
    Set(Amount),
    /// `old op operand`; the result is the old value, the new value, or a test.
    Rmw {
        /// The operation.
        op: lockpair_ir::RmwOp,
        /// The right operand.
        operand: Amount,
        /// What comes back.
        returns: AtomicResult,
    },
    /// Puts `new` if the value is `expected`.
    CmpXchg {
        /// The value to find.
        expected: Expected,
        /// The value to put.
        new: Amount,
        /// What comes back.
        returns: CmpXchgResult,
    },
    /// A bit operation: bit `nr` of the array of longs at the address; the result, if any, is the old bit.
    Bit {
        /// The operation: And clears, Or sets, Xor changes.
        op: lockpair_ir::RmwOp,
        /// The number of the bit.
        nr: Amount,
        /// Whether the old bit comes back.
        returns: bool,
    },
    /// Reads bit `nr` of the array of longs at the address.
    TestBit {
        /// The number of the bit.
        nr: Amount,
    },
}

/// What a compare-and-exchange compares with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expected {
    /// A value.
    Value(Amount),
    /// The value that the argument points to; it becomes the old value (try_cmpxchg).
    At(u32),
}

/// What a compare-and-exchange returns.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum CmpXchgResult {
    /// The value before.
    Old,
    /// Whether the exchange took place.
    Success,
    /// Both, in this order, as an aggregate (assembly with a flag output).
    SuccessAndOld,
}

/// What an atomic read-modify-write returns.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum AtomicResult {
    /// Nothing.
    None,
    /// The value before.
    Old,
    /// The value after.
    New,
    /// Whether the value after is zero.
    NewIsZero,
    /// Whether the value after is negative.
    NewIsNegative,
}

/// How much a function row says of what a function does.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Exactness {
    /// Nothing else than its effects: it may do less, wait for others, and give anything.
    #[default]
    AtMost,
    /// Its effects, and it returns without waiting for anything that they do not say. What it gives is not known but for them.
    Effects,
    /// The same, and it may give zero, always.
    Zero,
    /// The same, and it may give anything at any time.
    AnyResult,
}

/// A function that drivers call and do not define.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionRow {
    /// The symbol's name, or a pattern with one `*` at the end.
    pub name: String,
    /// Its effects in order; none means that it touches nothing that the analysis looks at.
    pub effects: Vec<Effect>,
    /// Whether it never returns.
    pub noreturn: bool,
    /// Whether it does what the effects say, and not only nothing else.
    pub exact: Exactness,
    /// Whether nobody calls the functions that it gets, unless an effect says so: it compares or prints them.
    pub uncalled: bool,
    /// The arguments of which it needs the addresses alone: it looks at nothing that they lead to, but as the effects say.
    pub address_only: Vec<u32>,
    /// Where it comes from.
    pub evidence: Option<Evidence>,
}

impl FunctionRow {
    /// Whether it takes or gives back a lock.
    pub fn is_of_lock(&self) -> bool {
        self.effects.iter().any(|effect| matches!(effect, Effect::Acquire { .. } | Effect::Release { .. }))
    }

    /// Whether one of the effects calls what lies in this member.
    pub fn calls(&self, strukt: &str, field: &str) -> bool {
        let is_member = |step: &Step| step.strukt.as_deref() == Some(strukt) && step.field == field;
        self.effects.iter().any(|effect| match effect {
            Effect::Call { function, .. } => function.steps.last().is_some_and(is_member),
            _ => false,
        })
    }
}

/// An inline assembly fragment: matched on the template's text after white space is squeezed, where `*`
/// stands for anything. Arguments are numbered as the compiler passes them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AsmRow {
    /// The pattern of the template.
    pub pattern: String,
    /// The pattern of the constraints; empty matches all.
    pub constraints: String,
    /// Its effects in order.
    pub effects: Vec<Effect>,
    /// Where it comes from.
    pub evidence: Option<Evidence>,
}
