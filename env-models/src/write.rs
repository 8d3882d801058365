//! Writes a model as XML that [`crate::xml`] reads back as the same model: for rows that were inferred.

use std::collections::BTreeMap;
use std::fmt::Write;

use lockpair_ir::{LockMode, Mark, RmwOp, Success};

use crate::model::Model;
use crate::schema::{
    AsmRow, AtomicOp, CallArg, CallbackRow, Effect, Evidence, Exactness, ExclusionRow, Expected, Failure,
    FunctionRow, HandleRow, Held, Holder, MaskRow, OpsTable, StateRow, StructRow, Through,
};
use crate::xml::{BIT_OPS, CMPXCHG_RESULTS, CONTEXTS, FAILURES, MARKS, RESULTS, RMW_OPS, RUNS_AS, VARIABLES};

/// The model as one file.
pub fn write(model: &Model) -> String {
    let mut out =
        String::from(if model.inferred.is_empty() { "<model>\n" } else { "<model inferred=\"yes\">\n" });
    for row in model.functions.values() {
        function(&mut out, row);
    }
    for row in &model.asms {
        asm(&mut out, row);
    }
    for row in model.tables.values() {
        table(&mut out, row);
    }
    for row in model.callbacks.values() {
        callback(&mut out, "  ", &tag("callback").with("class", &row.name), row);
    }
    for row in model.handles.values() {
        handle(&mut out, row);
    }
    for row in model.states.values() {
        state(&mut out, row);
    }
    for row in model.exclusions.values() {
        exclusion(&mut out, row);
    }
    for row in model.masks.values() {
        mask(&mut out, row);
    }
    for row in model.structs.values() {
        strukt(&mut out, row);
    }
    for row in model.variables.values() {
        tag("variable")
            .with("name", &row.name)
            .with("is", name_in(&VARIABLES, &row.is))
            .evidence(row.evidence.as_ref())
            .enclose(&mut out, "  ", &[]);
    }
    unshared(&mut out, &model.unshared);
    out.push_str("</model>\n");
    out
}

/// One row for all functions that the same files mention.
fn unshared(out: &mut String, functions: &BTreeMap<String, Vec<String>>) {
    let mut by_files: BTreeMap<&[String], Vec<&str>> = BTreeMap::new();
    for (function, files) in functions {
        by_files.entry(files).or_default().push(function);
    }
    for (files, functions) in by_files {
        let split =
            |file: &'_ String| file.rsplit_once('/').map(|(dir, name)| (dir.to_owned(), name.to_owned()));
        let (dirs, names): (Vec<String>, Vec<String>) = files.iter().filter_map(split).unzip();
        let Some(dir) = dirs.first() else { continue };
        let row = tag("unshared").with("functions", functions.join(" ")).with("dir", dir);
        row.with("files", names.join(" ")).enclose(out, "  ", &[]);
    }
}

/// A start tag under construction.
struct Tag(String, &'static str);

fn tag(name: &'static str) -> Tag {
    Tag(format!("<{name}"), name)
}

impl Tag {
    fn with(mut self, name: &str, value: impl std::fmt::Display) -> Tag {
        let value = quick_xml::escape::escape(value.to_string()).replace('\n', "&#10;").replace('\t', "&#9;");
        write!(self.0, " {name}=\"{value}\"").expect("writing to a string");
        self
    }

    fn with_args(self, name: &str, args: &[u32]) -> Tag {
        let list: Vec<String> = args.iter().map(|n| format!("arg{n}")).collect();
        if args.is_empty() { self } else { self.with(name, list.join(" ")) }
    }

    fn with_yes(self, name: &str, yes: bool) -> Tag {
        if yes { self.with(name, "yes") } else { self }
    }

    fn evidence(self, evidence: Option<&Evidence>) -> Tag {
        let Some(e) = evidence else { return self };
        let tag = if e.line == 0 && !e.file.contains(':') {
            self.with("source", &e.file)
        } else {
            self.with("source", format!("{}:{}", e.file, e.line))
        };
        tag.with("note", &e.note)
    }

    /// The element with these child elements.
    fn enclose(&self, out: &mut String, indent: &str, children: &[Tag]) {
        if children.is_empty() {
            writeln!(out, "{indent}{}/>", self.0).expect("writing to a string");
            return;
        }
        writeln!(out, "{indent}{}>", self.0).expect("writing to a string");
        for child in children {
            writeln!(out, "{indent}  {}/>", child.0).expect("writing to a string");
        }
        writeln!(out, "{indent}</{}>", self.1).expect("writing to a string");
    }
}

fn function(out: &mut String, row: &FunctionRow) {
    let start = tag("function").with("name", &row.name).with_yes("noreturn", row.noreturn);
    let start = match row.exact {
        Exactness::AtMost => start,
        Exactness::Effects => start.with("exact", "yes"),
        Exactness::Zero => start.with("exact", "zero"),
        Exactness::AnyResult => start.with("exact", "any"),
    };
    let start = start.with_yes("uncalled", row.uncalled).with_args("address-only", &row.address_only);
    let effects: Vec<Tag> = row.effects.iter().map(effect).collect();
    start.evidence(row.evidence.as_ref()).enclose(out, "  ", &effects);
}

fn asm(out: &mut String, row: &AsmRow) {
    let mut start = tag("asm").with("pattern", &row.pattern);
    if !row.constraints.is_empty() {
        start = start.with("constraints", &row.constraints);
    }
    let effects: Vec<Tag> = row.effects.iter().map(effect).collect();
    start.evidence(row.evidence.as_ref()).enclose(out, "  ", &effects);
}

fn table(out: &mut String, table: &OpsTable) {
    let start = tag("table").with("struct", &table.strukt);
    let start = table.owner.iter().fold(start, |start, owner| start.with("owner", owner));
    writeln!(out, "  {}>", start.0).expect("writing to a string");
    for row in &table.fields {
        let field = row.name.split_once('.').map_or(row.name.as_str(), |(_, field)| field);
        callback(out, "    ", &tag("field").with("name", field), row);
    }
    out.push_str("  </table>\n");
}

fn callback(out: &mut String, indent: &str, start: &Tag, row: &CallbackRow) {
    let mut start = Tag(start.0.clone(), start.1).with("context", name_in(&CONTEXTS, &row.context));
    if let Some(runs_as) = row.runs_as {
        start = start.with("runs-as", name_in(&RUNS_AS, &runs_as));
    }
    for (name, params) in [("call-owned", &row.call_owned), ("data", &row.data), ("of-table", &row.of_table)]
    {
        start = start.with_args(name, params);
    }
    if let Some(param) = row.itself {
        start = start.with("self", format!("arg{param}"));
    }
    if let Some((param, strukt, member)) = &row.from {
        start = start.with("from", format!("arg{param}:{strukt}.{member}"));
    }
    if let Some(Held { params, by, strukt, member }) = &row.held {
        start = start.with_args("held", params).with("by", format!("arg{by}:{strukt}.{member}"));
    }
    if let Some(Holder { strukt, member, bits }) = &row.holder {
        start = start.with("holder", format!("{strukt}.{member} {}:{:#x}", bits.0, bits.1));
    }
    if let Some(class) = &row.begins {
        start = start.with("begins", class);
    }
    if let Some(member) = &row.table_in {
        start = start.with("table-in", member);
    }
    if !row.entry {
        start = start.with("entry", if row.own { "own" } else { "no" });
    }
    start = start.with_yes("once", row.once).with_yes("binds", row.binds).with_yes("unbinds", row.unbinds);
    start = start.with_yes("assumed", row.assumed);
    let locks = row.locks.iter().map(|lock| {
        let tag =
            tag("lock").with("class", &lock.class).with("mode", mode(lock.mode)).with("addr", &lock.addr);
        if lock.by_table { tag.with("by", "table") } else { tag }
    });
    let lives = row
        .handles
        .iter()
        .map(|l| (l, tag("life").with("class", &l.class).with("addr", &l.addr)))
        .map(|(l, tag)| with_through(tag, l.through).with_yes("bound", l.bound));
    let same = row.same.iter().map(|same| tag("same").with("addr", &same.addr).with("as", &same.other));
    let children: Vec<Tag> = locks.chain(lives).chain(same).collect();
    start.evidence(row.evidence.as_ref()).enclose(out, indent, &children);
}

fn handle(out: &mut String, row: &HandleRow) {
    let handle = tag("handle")
        .with("class", &row.class)
        .with_yes("rearmable", row.rearmable)
        .with_yes("fresh", row.fresh)
        .with_yes("outside", row.outside)
        .with_yes("several", row.several)
        .with_yes("by-through", row.by_through)
        .with_yes("runs-once", row.runs_once);
    let handle = match &row.completes {
        Some((strukt, member)) => handle.with("completes", format!("{strukt}.{member}")),
        None => handle,
    };
    handle.enclose(out, "  ", &[]);
}

fn exclusion(out: &mut String, row: &ExclusionRow) {
    let mut start = tag("exclusion").with("class", &row.class);
    if !row.single.is_empty() {
        let words: Vec<String> =
            row.single.iter().map(|(function, arg)| format!("{function}:arg{arg}")).collect();
        start = start.with("single", words.join(" "));
    }
    if !row.off.is_empty() {
        let words: Vec<String> =
            row.off.iter().map(|(strukt, member, bits)| format!("{strukt}.{member}:{bits:#x}")).collect();
        start = start.with("off", words.join(" "));
    }
    if !row.by.is_empty() {
        start = start.with("by", row.by.join(" "));
    }
    start.evidence(row.evidence.as_ref()).enclose(out, "  ", &[]);
}

fn mask(out: &mut String, row: &MaskRow) {
    let mut start =
        tag("mask").with("class", &row.class).with("keeps-off", name_in(&CONTEXTS, &row.keeps_off));
    if !row.on_entry.is_empty() {
        let words: Vec<&str> = row.on_entry.iter().map(|runs_as| name_in(&RUNS_AS, runs_as)).collect();
        start = start.with("on-entry", words.join(" "));
    }
    start.evidence(row.evidence.as_ref()).enclose(out, "  ", &[]);
}

fn state(out: &mut String, row: &StateRow) {
    let mut start = tag("state").with("class", &row.class).with_yes("counted", row.counted);
    if let Some(class) = &row.ended_by {
        start = start.with("ended-by", class);
    }
    start.evidence(row.evidence.as_ref()).enclose(out, "  ", &[]);
}

fn strukt(out: &mut String, row: &StructRow) {
    let mut start =
        tag("struct").with("name", &row.name).with_yes("alone", row.alone).with_yes("first", row.first);
    if !row.ring.is_empty() {
        start = start.with("ring", row.ring.join(" "));
    }
    if !row.owned.is_empty() {
        start = start.with("owns", row.owned.join(" "));
    }
    if !row.bound.is_empty() {
        start = start.with("bound", row.bound.join(" "));
    }
    if !row.while_bound.is_empty() {
        start = start.with("while-bound", row.while_bound.join(" "));
    }
    if !row.for_devices.is_empty() {
        start = start.with("for-devices", row.for_devices.join(" "));
    }
    if let Some(device) = &row.drives {
        start = start.with("drives", device);
    }
    if !row.settled.is_empty() {
        start = start.with("settled", row.settled.join(" "));
    }
    if !row.distinct.is_empty() {
        start = start.with("distinct", row.distinct.join(" "));
    }
    if !row.given.is_empty() {
        let of = |(member, by): &(String, Option<String>)| match by {
            Some(by) => format!("{member}:{by}"),
            None => member.clone(),
        };
        let given: Vec<String> = row.given.iter().map(of).collect();
        start = start.with("given", given.join(" "));
    }
    if let Some(list) = &row.lists {
        start = start.with("lists", list);
    }
    if let Some(class) = &row.lists_of {
        start = start.with("lists-of", class);
    }
    if let Some(unless) = &row.lists_unless {
        start = start.with("lists-unless", unless);
    }
    if !row.data.is_empty() {
        start = start.with("data", row.data.join(" "));
    }
    if let Some((member, bits)) = &row.changes {
        start = start.with("changes", format!("{member}:{bits:#x}"));
    }
    if !row.buffers.is_empty() {
        start = start.with("buffers", row.buffers.join(" "));
    }
    if !row.apart.is_empty() {
        let groups: Vec<String> = row.apart.iter().map(|group| group.join(",")).collect();
        start = start.with("apart", groups.join(" "));
    }
    let of_tables =
        [("same-table", &row.same_table), ("table-by", &row.table_by), ("left-alone", &row.left_alone)];
    for (name, members) in of_tables.into_iter().filter(|(_, members)| !members.is_empty()) {
        start = start.with(name, members.join(" "));
    }
    start.evidence(row.evidence.as_ref()).enclose(out, "  ", &[]);
}

fn mode(mode: LockMode) -> &'static str {
    match mode {
        LockMode::Shared => "shared",
        LockMode::Exclusive => "exclusive",
    }
}

/// The name of a value in one of the reader's lists, which are complete.
fn name_in<T: PartialEq>(list: &[(&'static str, T)], value: &T) -> &'static str {
    list.iter().find(|(_, v)| v == value).map_or("", |(name, _)| name)
}

fn effect(effect: &Effect) -> Tag {
    match effect {
        Effect::Acquire { class, mode: m, lock, success, ignorable } => {
            tag("acquire").with("class", class).with("mode", mode(*m)).with("lock", lock).with(
                "success",
                match success {
                    None => "always",
                    Some(Success::Zero) if *ignorable => "zero-unless-ignored",
                    Some(Success::Zero) => "zero",
                    Some(Success::NoError) => "no-error",
                    Some(Success::NonZero) => "nonzero",
                },
            )
        }
        Effect::Release { class, mode: m, lock } => {
            tag("release").with("class", class).with("mode", mode(*m)).with("lock", lock)
        }
        Effect::Alloc { size, zeroed, failure, resizes } => {
            let alloc = tag("alloc")
                .with("size", size)
                .with_yes("zeroed", *zeroed)
                .with("fails", name_in(&FAILURES, failure));
            resizes.iter().fold(alloc, |alloc, index| alloc.with("resizes", format!("arg{index}")))
        }
        Effect::AllocInto { into, size, zeroed, from } => {
            let alloc =
                tag("alloc-into").with("into", list(into)).with("size", size).with_yes("zeroed", *zeroed);
            from.iter().fold(alloc, |alloc, addr| alloc.with("from", addr))
        }
        Effect::Call { function, args } => {
            let args = args.iter().map(|arg| match arg {
                CallArg::Any => "any".to_owned(),
                CallArg::At(addr) => addr.to_string(),
                CallArg::Into(addr) => format!("into:{addr}"),
            });
            tag("call").with("function", function).with("args", args.collect::<Vec<_>>().join(" "))
        }
        Effect::Free { ptr, until, if_set } => {
            let free = tag("free").with("ptr", ptr);
            let free = until.iter().fold(free, |free, device| free.with("until", device.to_string()));
            if_set
                .iter()
                .fold(free, |free, (strukt, member)| free.with("if-set", format!("{strukt}.{member}")))
        }
        Effect::Access { addr, len, write, mark, with } => {
            let access = tag(if *write { "write" } else { "read" })
                .with("addr", addr)
                .with("len", len)
                .with("mark", name_in(&MARKS, mark));
            with.iter().fold(access, |access, with| access.with("with", with))
        }
        Effect::Rest { from, write, mark } => tag(if *write { "write-rest" } else { "read-rest" })
            .with("from", format!("arg{from}"))
            .with("mark", name_in(&MARKS, mark)),
        Effect::Text { text, len } => tag("read-text").with("text", format!("arg{text}")).with("len", len),
        Effect::Formatted { text, from } => {
            tag("read-formatted").with("text", format!("arg{text}")).with("from", format!("arg{from}"))
        }
        Effect::Transfer(messages) => tag("transfer")
            .with("messages", format!("arg{}", messages.array))
            .with("struct", &messages.strukt)
            .with("count", format!("arg{}", messages.count))
            .with("buffer", &messages.buffer)
            .with("len", &messages.len)
            .with("flags", &messages.flags)
            .with("write", format!("{:#x}", messages.write))
            .with("grows", format!("{:#x}", messages.grows)),
        Effect::Store { addr, arg, mark, unless_null } => tag("store")
            .with("addr", addr)
            .with("value", format!("arg{arg}"))
            .with("mark", name_in(&MARKS, mark))
            .with_yes("unless-null", *unless_null),
        Effect::Atomic { addr, bits, op, mark } => atomic(addr, *bits, op, mark),
        Effect::Copy { dst, src, len } => tag("copy").with("dst", dst).with("src", src).with("len", len),
        Effect::Move { addr } => tag("move").with("addr", addr),
        Effect::Fill { dst, byte, len } => tag("fill").with("dst", dst).with("byte", byte).with("len", len),
        Effect::Unknown(args) => {
            let args: Vec<String> = args.iter().map(|n| format!("arg{n}")).collect();
            tag("unknown").with("args", args.join(" "))
        }
        Effect::Unsupported => tag("unsupported"),
        Effect::Publish { ptr, if_zero, unwatched } => {
            let publish = tag("publish").with("ptr", ptr).with_yes("unwatched", *unwatched);
            if *if_zero { publish.with("success", "zero") } else { publish }
        }
        Effect::Register { class, handle, into, callback, argument, through, stays, until, if_zero } => {
            let mut t = tag("register").with("class", class).with("handle", handle).with_yes("stays", *stays);
            if let Some(into) = into {
                t = t.with("into", into);
            }
            if let Some(if_zero) = if_zero {
                t = t.with("success", if *if_zero { "zero" } else { "always" });
            }
            if let Some(index) = callback {
                t = t.with("callback", format!("arg{index}"));
            }
            if let Some((param, arg)) = argument {
                t = t.with("argument", format!("{param}:arg{arg}"));
            }
            if let Some(device) = until {
                t = t.with("until", device.to_string());
            }
            match through {
                Some(Through::Result) => t.with("through", "ret"),
                Some(Through::Arg(index)) => with_through(t, Some(*index)),
                None => t,
            }
        }
        Effect::Unregister { class, handle, sync, through } => {
            let t = tag("unregister").with("class", class).with("handle", handle).with_yes("sync", *sync);
            with_through(t, *through)
        }
        Effect::ReturnArg(index) => tag("return").with("arg", format!("arg{index}")),
        Effect::ReturnAddr(addr) => tag("return").with("addr", addr),
        Effect::ReturnInto { addr, failure } => {
            let into = tag("return").with("into", addr);
            if *failure == Failure::Never { into } else { into.with("fails", name_in(&FAILURES, failure)) }
        }
        Effect::ReturnConst(value) => tag("return").with("const", value),
        Effect::ReturnError(index) => tag("return").with("error", format!("arg{index}")),
        Effect::ReturnData => tag("return").with_yes("data", true),
    }
}

fn with_through(tag: Tag, through: Option<u32>) -> Tag {
    match through {
        Some(index) => tag.with("through", format!("arg{index}")),
        None => tag,
    }
}

fn list(addrs: &[crate::schema::AddrExpr]) -> String {
    addrs.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

fn atomic(addr: &crate::schema::AddrExpr, bits: u16, op: &AtomicOp, mark: &Mark) -> Tag {
    let start =
        |name: &str| tag("atomic").with("op", name).with("addr", addr).with("mark", name_in(&MARKS, mark));
    match op {
        AtomicOp::Read => start("read").with("bits", bits),
        AtomicOp::Set(value) => start("set").with("bits", bits).with("value", value),
        AtomicOp::Rmw { op, operand, returns } => start(name_in(&RMW_OPS, op))
            .with("bits", bits)
            .with("value", operand)
            .with("returns", name_in(&RESULTS, returns)),
        AtomicOp::CmpXchg { expected, new, returns } => {
            let t = start("cmpxchg").with("bits", bits).with("new", new);
            let t = match expected {
                Expected::Value(amount) => t.with("expected", amount),
                Expected::At(index) => t.with("expected-at", format!("arg{index}")),
            };
            t.with("returns", name_in(&CMPXCHG_RESULTS, returns))
        }
        AtomicOp::Bit { op, nr, returns } => {
            start(bit_op(*op)).with("nr", nr).with("returns", if *returns { "old" } else { "nothing" })
        }
        AtomicOp::TestBit { nr } => start("test-bit").with("nr", nr),
    }
}

fn bit_op(op: RmwOp) -> &'static str {
    name_in(&BIT_OPS, &op)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        for model in [Model::linux_by_hand(), Model::linux_inferred(), Model::posix()] {
            let read = Model::parse(&write(&model), "written").unwrap();
            assert_eq!(Model { kind: model.kind, ..read }, model);
        }
    }
}
