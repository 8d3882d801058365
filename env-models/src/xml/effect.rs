//! Reads one effect of a function or assembly row.

use lockpair_ir::{Mark, Ordering, RmwOp, Success};

use super::attrs::Attrs;
use crate::dom::ModelError;
use crate::schema::{
    AddrExpr, Amount, AtomicOp, AtomicResult, Base, CallArg, CmpXchgResult, Effect, Expected, Failure,
    Messages, Through,
};

/// The names of marks.
pub(crate) const MARKS: [(&str, Mark); 7] = [
    ("plain", Mark::Plain),
    ("volatile", Mark::Volatile),
    ("relaxed", Mark::Atomic(Ordering::Relaxed)),
    ("acquire", Mark::Atomic(Ordering::Acquire)),
    ("release", Mark::Atomic(Ordering::Release)),
    ("acq-rel", Mark::Atomic(Ordering::AcqRel)),
    ("seq-cst", Mark::Atomic(Ordering::SeqCst)),
];

/// The names of read-modify-write operations.
pub(crate) const RMW_OPS: [(&str, RmwOp); 6] = [
    ("xchg", RmwOp::Xchg),
    ("add", RmwOp::Add),
    ("sub", RmwOp::Sub),
    ("and", RmwOp::And),
    ("or", RmwOp::Or),
    ("xor", RmwOp::Xor),
];

/// The names of what a read-modify-write returns.
pub(crate) const RESULTS: [(&str, AtomicResult); 5] = [
    ("nothing", AtomicResult::None),
    ("old", AtomicResult::Old),
    ("new", AtomicResult::New),
    ("new-is-zero", AtomicResult::NewIsZero),
    ("new-is-negative", AtomicResult::NewIsNegative),
];

/// The names of what a compare-and-exchange returns.
pub(crate) const CMPXCHG_RESULTS: [(&str, CmpXchgResult); 3] = [
    ("old", CmpXchgResult::Old),
    ("success", CmpXchgResult::Success),
    ("success-and-old", CmpXchgResult::SuccessAndOld),
];

/// The names of bit operations.
pub(crate) const BIT_OPS: [(&str, RmwOp); 3] =
    [("set-bit", RmwOp::Or), ("clear-bit", RmwOp::And), ("change-bit", RmwOp::Xor)];

/// The names of what an allocation gives when it fails.
pub(crate) const FAILURES: [(&str, Failure); 3] =
    [("never", Failure::Never), ("null", Failure::Null), ("error", Failure::ErrPtr)];

/// Whether the effect defines the result of the call.
pub(super) fn gives_result(effect: &Effect) -> bool {
    match effect {
        Effect::Acquire { success, .. } => success.is_some(),
        Effect::Alloc { .. }
        | Effect::ReturnArg(_)
        | Effect::ReturnAddr(_)
        | Effect::ReturnInto { .. }
        | Effect::ReturnConst(_)
        | Effect::ReturnData
        | Effect::ReturnError(_) => true,
        Effect::Atomic { op, .. } => match op {
            AtomicOp::Read | AtomicOp::CmpXchg { .. } | AtomicOp::TestBit { .. } => true,
            AtomicOp::Set(_) => false,
            AtomicOp::Rmw { returns, .. } => *returns != AtomicResult::None,
            AtomicOp::Bit { returns, .. } => *returns,
        },
        Effect::Release { .. }
        | Effect::AllocInto { .. }
        | Effect::Call { .. }
        | Effect::Free { .. }
        | Effect::Access { .. }
        | Effect::Rest { .. }
        | Effect::Formatted { .. }
        | Effect::Text { .. }
        | Effect::Transfer(_)
        | Effect::Store { .. }
        | Effect::Move { .. }
        | Effect::Copy { .. }
        | Effect::Fill { .. }
        | Effect::Publish { .. }
        | Effect::Unknown(_)
        | Effect::Unsupported
        | Effect::Register { .. }
        | Effect::Unregister { .. } => false,
    }
}

/// Reads an effect; `has_result` says whether an earlier one gave the result.
pub(super) fn effect(attrs: &Attrs<'_>, has_result: bool) -> Result<Effect, ModelError> {
    let address = |name| attrs.call_address(name, has_result);
    match attrs.element.name.as_str() {
        "acquire" => acquire(attrs, has_result),
        "release" => {
            attrs.only(&["class", "mode", "lock"])?;
            Ok(Effect::Release { class: attrs.class()?, mode: attrs.mode()?, lock: address("lock")? })
        }
        "alloc" => alloc(attrs),
        "alloc-into" => {
            attrs.only(&["into", "size", "zeroed", "from"])?;
            Ok(Effect::AllocInto {
                into: attrs.call_addresses("into", has_result)?,
                size: attrs.required_amount("size")?,
                zeroed: attrs.flag("zeroed", false)?,
                from: attrs.optional_call_address("from", has_result)?,
            })
        }
        "call" => call(attrs, has_result),
        "free" => {
            attrs.only(&["ptr", "until", "if-set"])?;
            let until = attrs.optional_call_address("until", has_result)?;
            Ok(Effect::Free { ptr: address("ptr")?, until, if_set: attrs.optional_member("if-set")? })
        }
        "read" => access(attrs, has_result, false),
        "write" => access(attrs, has_result, true),
        "read-formatted" => {
            attrs.only(&["text", "from"])?;
            Ok(Effect::Formatted { text: attrs.arg("text")?, from: attrs.arg("from")? })
        }
        "read-text" => {
            attrs.only(&["text", "len"])?;
            Ok(Effect::Text { text: attrs.arg("text")?, len: attrs.required_amount("len")? })
        }
        "read-rest" => rest(attrs, false),
        "write-rest" => rest(attrs, true),
        "transfer" => transfer(attrs),
        "store" => {
            attrs.only(&["addr", "value", "mark", "unless-null"])?;
            Ok(Effect::Store {
                addr: address("addr")?,
                arg: attrs.arg("value")?,
                mark: mark(attrs, Mark::Plain)?,
                unless_null: attrs.flag("unless-null", false)?,
            })
        }
        "atomic" => atomic(attrs, has_result),
        "move" => {
            attrs.only(&["addr"])?;
            Ok(Effect::Move { addr: address("addr")? })
        }
        "copy" => {
            attrs.only(&["dst", "src", "len"])?;
            Ok(Effect::Copy { dst: address("dst")?, src: address("src")?, len: attrs.required_amount("len")? })
        }
        "fill" => {
            attrs.only(&["dst", "byte", "len"])?;
            let byte = attrs.amount("byte", Amount::Any)?;
            Ok(Effect::Fill { dst: address("dst")?, byte, len: attrs.required_amount("len")? })
        }
        "publish" => {
            attrs.only(&["ptr", "success", "unwatched"])?;
            let if_zero = attrs.one_of("success", &[("always", false), ("zero", true)], Some(false))?;
            Ok(Effect::Publish { ptr: address("ptr")?, if_zero, unwatched: attrs.flag("unwatched", false)? })
        }
        "register" => register(attrs, has_result),
        "unknown" => {
            attrs.only(&["args"])?;
            attrs.required("args")?;
            Ok(Effect::Unknown(attrs.args("args")?))
        }
        "unsupported" => {
            attrs.only(&[])?;
            Ok(Effect::Unsupported)
        }
        "unregister" => {
            attrs.only(&["class", "handle", "sync", "through"])?;
            Ok(Effect::Unregister {
                class: attrs.class()?,
                handle: address("handle")?,
                sync: attrs.flag("sync", false)?,
                through: attrs.optional_arg("through")?,
            })
        }
        "return" => returns(attrs, has_result),
        other => Err(attrs.wrong(format!(
            "unknown effect <{other}>: allowed are acquire, release, alloc, alloc-into, free, read, write, read-rest, \
             write-rest, transfer, store, atomic, copy, move, fill, call, publish, register, unregister, unsupported and return"
        ))),
    }
}

fn mark(attrs: &Attrs<'_>, default: Mark) -> Result<Mark, ModelError> {
    attrs.one_of("mark", &MARKS, Some(default))
}

fn acquire(attrs: &Attrs<'_>, has_result: bool) -> Result<Effect, ModelError> {
    attrs.only(&["class", "mode", "lock", "success"])?;
    let values = [
        ("always", (None, false)),
        ("zero", (Some(Success::Zero), false)),
        ("zero-unless-ignored", (Some(Success::Zero), true)),
        ("no-error", (Some(Success::NoError), false)),
        ("nonzero", (Some(Success::NonZero), false)),
    ];
    let (success, ignorable) = attrs.one_of("success", &values, Some((None, false)))?;
    Ok(Effect::Acquire {
        class: attrs.class()?,
        mode: attrs.mode()?,
        lock: attrs.call_address("lock", has_result)?,
        success,
        ignorable,
    })
}

fn alloc(attrs: &Attrs<'_>) -> Result<Effect, ModelError> {
    attrs.only(&["size", "zeroed", "fails", "resizes"])?;
    Ok(Effect::Alloc {
        size: attrs.required_amount("size")?,
        zeroed: attrs.flag("zeroed", false)?,
        failure: attrs.one_of("fails", &FAILURES, Some(Failure::Null))?,
        resizes: attrs.optional_arg("resizes")?,
    })
}

fn call(attrs: &Attrs<'_>, has_result: bool) -> Result<Effect, ModelError> {
    attrs.only(&["function", "args"])?;
    let args = attrs.optional("args").unwrap_or("").split_whitespace().map(|word| match word {
        "any" => Ok(CallArg::Any),
        _ => match word.strip_prefix("into:") {
            Some(base) => attrs.parse_call_address("args", base, has_result).map(CallArg::Into),
            None => attrs.parse_call_address("args", word, has_result).map(CallArg::At),
        },
    });
    Ok(Effect::Call {
        function: attrs.call_address("function", has_result)?,
        args: args.collect::<Result<_, _>>()?,
    })
}

fn access(attrs: &Attrs<'_>, has_result: bool, write: bool) -> Result<Effect, ModelError> {
    attrs.only(&["addr", "len", "mark", "with"])?;
    Ok(Effect::Access {
        addr: attrs.call_address("addr", has_result)?,
        len: attrs.required_amount("len")?,
        write,
        mark: mark(attrs, Mark::Plain)?,
        with: attrs.optional("with").map(str::to_owned),
    })
}

fn rest(attrs: &Attrs<'_>, write: bool) -> Result<Effect, ModelError> {
    attrs.only(&["from", "mark"])?;
    Ok(Effect::Rest { from: attrs.arg("from")?, write, mark: mark(attrs, Mark::Plain)? })
}

fn transfer(attrs: &Attrs<'_>) -> Result<Effect, ModelError> {
    attrs.only(&["messages", "struct", "count", "buffer", "len", "flags", "write", "grows"])?;
    let text = |name| attrs.required(name).map(str::to_owned);
    let flags = |name| {
        let value = crate::text::parse_number(attrs.required(name)?);
        let value = value.and_then(|value| u16::try_from(value).ok());
        value.ok_or_else(|| attrs.wrong_at(name, "no flags of 16 bits: allowed are decimal and 0x numbers"))
    };
    Ok(Effect::Transfer(Messages {
        array: attrs.arg("messages")?,
        strukt: text("struct")?,
        count: attrs.arg("count")?,
        buffer: text("buffer")?,
        len: text("len")?,
        flags: text("flags")?,
        write: flags("write")?,
        grows: flags("grows")?,
    }))
}

fn register(attrs: &Attrs<'_>, has_result: bool) -> Result<Effect, ModelError> {
    attrs
        .only(&["class", "handle", "into", "callback", "argument", "through", "stays", "until", "success"])?;
    let argument = match attrs.optional("argument") {
        None => None,
        Some(text) => Some(argument(text).ok_or_else(|| {
            attrs.wrong_at(
                "argument",
                format!("`{text}` is no argument of a callback: write its index and argN, as in 0:arg2"),
            )
        })?),
    };
    let fresh = AddrExpr { base: Base::Fresh, steps: Vec::new() };
    let handle = match attrs.required("handle")? {
        "fresh" => fresh,
        text => attrs.parse_call_address("handle", text, has_result)?,
    };
    let into = attrs.optional("into").map(|text| attrs.parse_call_address("into", text, has_result));
    let through = match attrs.optional("through") {
        Some("ret") => Some(Through::Result),
        _ => attrs.optional_arg("through")?.map(Through::Arg),
    };
    Ok(Effect::Register {
        class: attrs.class()?,
        handle,
        into: into.transpose()?,
        callback: attrs.optional_arg("callback")?,
        argument,
        through,
        stays: attrs.flag("stays", false)?,
        until: attrs.optional_call_address("until", has_result)?,
        if_zero: attrs.one_of("success", &[("always", Some(false)), ("zero", Some(true))], Some(None))?,
    })
}

/// `P:argA`: parameter P of the callback is argument A of the call.
fn argument(text: &str) -> Option<(u32, u32)> {
    let (param, arg) = text.split_once(':')?;
    Some((u32::try_from(crate::text::parse_number(param)?).ok()?, crate::text::parse_arg(arg)?))
}

fn returns(attrs: &Attrs<'_>, has_result: bool) -> Result<Effect, ModelError> {
    attrs.only(&["arg", "addr", "const", "into", "fails", "data", "error"])?;
    if attrs.optional("error").is_some() {
        attrs.only(&["error"])?;
        return Ok(Effect::ReturnError(attrs.arg("error")?));
    }
    if attrs.flag("data", false)? {
        attrs.only(&["data"])?;
        return Ok(Effect::ReturnData);
    }
    if attrs.optional("into").is_some() {
        attrs.only(&["into", "fails"])?;
        let addr = attrs.call_address("into", has_result)?;
        return Ok(Effect::ReturnInto {
            addr,
            failure: attrs.one_of("fails", &FAILURES, Some(Failure::Never))?,
        });
    }
    attrs.only(&["arg", "addr", "const"])?;
    match (attrs.optional("arg"), attrs.optional("addr"), attrs.optional("const")) {
        (Some(_), None, None) => Ok(Effect::ReturnArg(attrs.arg("arg")?)),
        (None, Some(_), None) => Ok(Effect::ReturnAddr(attrs.call_address("addr", has_result)?)),
        (None, None, Some(text)) => {
            let value = crate::text::parse_number(text).filter(|_| !text.is_empty());
            value.map(Effect::ReturnConst).ok_or_else(|| {
                attrs
                    .wrong_at("const", format!("`{text}` is no constant: allowed are decimal and 0x numbers"))
            })
        }
        _ => Err(attrs.wrong("<return> needs exactly one of arg, addr, into, const, data and error")),
    }
}

/// What `op` may be, besides [`RMW_OPS`] and [`BIT_OPS`].
#[derive(Copy, Clone)]
enum OpKind {
    Read,
    Set,
    Rmw(RmwOp),
    CmpXchg,
    Bit(RmwOp),
    TestBit,
}

fn op_kind(attrs: &Attrs<'_>) -> Result<OpKind, ModelError> {
    let mut values = vec![
        ("read", OpKind::Read),
        ("set", OpKind::Set),
        ("cmpxchg", OpKind::CmpXchg),
        ("test-bit", OpKind::TestBit),
    ];
    values.extend(RMW_OPS.map(|(name, op)| (name, OpKind::Rmw(op))));
    values.extend(BIT_OPS.map(|(name, op)| (name, OpKind::Bit(op))));
    attrs.one_of("op", &values, None)
}

fn atomic(attrs: &Attrs<'_>, has_result: bool) -> Result<Effect, ModelError> {
    let kind = op_kind(attrs)?;
    let op = match kind {
        OpKind::Read => {
            attrs.only(&["addr", "bits", "op", "mark"])?;
            AtomicOp::Read
        }
        OpKind::Set => {
            attrs.only(&["addr", "bits", "op", "mark", "value"])?;
            AtomicOp::Set(attrs.required_amount("value")?)
        }
        OpKind::Rmw(op) => {
            attrs.only(&["addr", "bits", "op", "mark", "value", "returns"])?;
            let returns = attrs.one_of("returns", &RESULTS, Some(AtomicResult::None))?;
            AtomicOp::Rmw { op, operand: attrs.required_amount("value")?, returns }
        }
        OpKind::CmpXchg => cmpxchg(attrs)?,
        OpKind::Bit(op) => {
            attrs.only(&["addr", "op", "mark", "nr", "returns"])?;
            let values = [("nothing", false), ("old", true)];
            let returns = attrs.one_of("returns", &values, Some(false))?;
            AtomicOp::Bit { op, nr: attrs.required_amount("nr")?, returns }
        }
        OpKind::TestBit => {
            attrs.only(&["addr", "op", "mark", "nr"])?;
            AtomicOp::TestBit { nr: attrs.required_amount("nr")? }
        }
    };
    let default = Mark::Atomic(match kind {
        OpKind::Read | OpKind::Set | OpKind::TestBit => Ordering::Relaxed,
        OpKind::Rmw(_) | OpKind::CmpXchg | OpKind::Bit(_) => Ordering::SeqCst,
    });
    let widths = [("8", 8), ("16", 16), ("32", 32), ("64", 64)];
    let bits = match kind {
        OpKind::Bit(_) | OpKind::TestBit => 64,
        OpKind::Read | OpKind::Set | OpKind::Rmw(_) | OpKind::CmpXchg => {
            attrs.one_of("bits", &widths, None)?
        }
    };
    Ok(Effect::Atomic {
        addr: attrs.call_address("addr", has_result)?,
        bits,
        op,
        mark: mark(attrs, default)?,
    })
}

fn cmpxchg(attrs: &Attrs<'_>) -> Result<AtomicOp, ModelError> {
    attrs.only(&["addr", "bits", "op", "mark", "expected", "expected-at", "new", "returns"])?;
    let expected = match (attrs.optional("expected"), attrs.optional("expected-at")) {
        (Some(_), None) => Expected::Value(attrs.required_amount("expected")?),
        (None, Some(_)) => Expected::At(attrs.arg("expected-at")?),
        _ => return Err(attrs.wrong("op=\"cmpxchg\" needs exactly one of expected and expected-at")),
    };
    let returns = attrs.one_of("returns", &CMPXCHG_RESULTS, Some(CmpXchgResult::Old))?;
    Ok(AtomicOp::CmpXchg { expected, new: attrs.required_amount("new")?, returns })
}
