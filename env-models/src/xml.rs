//! Reads model files: XML text -> rows. The schema is in `env-models/README.md`.
//!
//! Every mistake is an error with its place and one sentence that says what is allowed; nothing is
//! skipped and nothing panics. [`crate::write`] is the other direction.

mod attrs;
mod effect;
mod names;

use crate::dom::{Element, ModelError, Source};
use crate::exact;
use crate::model::Model;
use crate::schema::{
    AsmRow, Base, CallbackRow, Context, Effect, Evidence, Exactness, ExclusionRow, FunctionRow, HandleRow,
    Held, Holder, ImplicitLock, LifeHandle, MaskRow, OpsTable, RunsAs, Same, StateRow, StructRow, VariableIs,
    VariableRow,
};
use crate::text::{is_ident, parse_arg, parse_number};
use attrs::Attrs;
pub(crate) use effect::{BIT_OPS, CMPXCHG_RESULTS, FAILURES, MARKS, RESULTS, RMW_OPS};

/// The names of contexts.
pub(crate) const CONTEXTS: [(&str, Context); 3] =
    [("process", Context::Process), ("softirq", Context::SoftIrq), ("hardirq", Context::HardIrq)];

/// The names of what variables are.
pub(crate) const VARIABLES: [(&str, VariableIs); 4] = [
    ("intended-races", VariableIs::IntendedRaces),
    ("cpu-number", VariableIs::CpuNumber),
    ("copy-distances", VariableIs::CopyDistances),
    ("set-before", VariableIs::SetBefore),
];

/// The names of what a function runs as.
pub(crate) const RUNS_AS: [(&str, RunsAs); 4] = [
    ("process", RunsAs::Process),
    ("softirq", RunsAs::SoftIrq),
    ("irq", RunsAs::Irq),
    ("hardirq", RunsAs::HardIrq),
];

/// Reads one file. `file` is only for messages.
pub fn parse(text: &str, file: &str) -> Result<Model, ModelError> {
    let source = Source::new(text, file);
    let root = source.parse()?;
    if root.name != "model" {
        return Err(source.error(root.place, format!("the root is <{}>: it must be <model>", root.name)));
    }
    let attrs = Attrs::new(&source, &root);
    attrs.only(&["inferred"])?;
    let mut model = Model::default();
    for element in &root.children {
        row(&source, element, &mut model)?;
    }
    if attrs.flag("inferred", false)? {
        model.all_inferred();
    }
    Ok(model)
}

fn row(source: &Source<'_>, element: &Element, model: &mut Model) -> Result<(), ModelError> {
    let attrs = Attrs::new(source, element);
    match element.name.as_str() {
        "function" => functions(&attrs, model),
        "asm" => asm(&attrs, model),
        "table" => table(&attrs, model),
        "callback" => callback_class(&attrs, model),
        "handle" => handle_class(&attrs, model),
        "state" => state(&attrs, model),
        "mask" => mask(&attrs, model),
        "exclusion" => exclusion(&attrs, model),
        "struct" => structs(&attrs, model),
        "variable" => variables(&attrs, model),
        "unshared" => unshared(&attrs, model),
        other => Err(attrs.wrong(format!(
            "unknown row <{other}>: allowed are <function>, <asm>, <table>, <callback>, <handle>, <state>, <struct>, <variable> and <unshared>"
        ))),
    }
}

fn functions(attrs: &Attrs<'_>, model: &mut Model) -> Result<(), ModelError> {
    attrs.only(&["name", "noreturn", "exact", "uncalled", "address-only", "source", "note"])?;
    let exact = exactness(attrs)?;
    let noreturn = attrs.flag("noreturn", false)?;
    let uncalled = attrs.flag("uncalled", false)?;
    let address_only = attrs.args("address-only")?;
    let evidence = evidence(attrs)?;
    let effects = effects(attrs)?;
    if let Some(what) = exact::vague(&effects).filter(|_| exact != Exactness::AtMost) {
        return Err(attrs.wrong_at("exact", format!("an exact row must say {what}")));
    }
    for name in function_names(attrs)? {
        let row = FunctionRow {
            name: name.clone(),
            effects: effects.clone(),
            noreturn,
            exact,
            uncalled,
            address_only: address_only.clone(),
            evidence: evidence.clone(),
        };
        if model.functions.insert(name.clone(), row).is_some() {
            return Err(attrs.wrong_at("name", format!("a second row for function `{name}`: allowed is one")));
        }
    }
    Ok(())
}

fn exactness(attrs: &Attrs<'_>) -> Result<Exactness, ModelError> {
    let values = [
        ("no", Exactness::AtMost),
        ("yes", Exactness::Effects),
        ("zero", Exactness::Zero),
        ("any", Exactness::AnyResult),
    ];
    attrs.one_of("exact", &values, Some(Exactness::AtMost))
}

/// The names that a `name` attribute stands for: separated by white space, `{a,b}` is expanded.
fn function_names(attrs: &Attrs<'_>) -> Result<Vec<String>, ModelError> {
    let text = attrs.required("name")?;
    let names = names::expand(text).map_err(|e| attrs.wrong_at("name", e))?;
    let is_char = |c: char| c.is_ascii_alphanumeric() || "_.$".contains(c);
    for name in &names {
        let stem = name.strip_suffix('*').unwrap_or(name);
        if stem.is_empty() || !stem.chars().all(is_char) {
            return Err(attrs.wrong_at(
                "name",
                format!(
                    "`{name}` is no function name: allowed are symbol names, at most one `*`, at the end"
                ),
            ));
        }
    }
    Ok(names)
}

fn asm(attrs: &Attrs<'_>, model: &mut Model) -> Result<(), ModelError> {
    attrs.only(&["pattern", "constraints", "source", "note"])?;
    let row = AsmRow {
        pattern: crate::model::squeeze(attrs.required("pattern")?),
        constraints: attrs.optional("constraints").unwrap_or("").to_owned(),
        effects: effects(attrs)?,
        evidence: evidence(attrs)?,
    };
    let same = |r: &&AsmRow| r.pattern == row.pattern && r.constraints == row.constraints;
    if model.asms.iter().find(same).is_some() {
        return Err(
            attrs.wrong_at("pattern", "a second row for this pattern and constraints: allowed is one")
        );
    }
    model.asms.push(row);
    Ok(())
}

fn effects(attrs: &Attrs<'_>) -> Result<Vec<Effect>, ModelError> {
    let mut out = Vec::new();
    let mut has_result = false;
    for child in &attrs.element.children {
        let attrs = Attrs::new(attrs.source, child);
        attrs.no_children()?;
        let effect = effect::effect(&attrs, has_result)?;
        if effect::gives_result(&effect) {
            if has_result {
                return Err(attrs.wrong("a second effect that gives the result: allowed is one"));
            }
            has_result = true;
        }
        out.push(effect);
    }
    Ok(out)
}

fn evidence(attrs: &Attrs<'_>) -> Result<Option<Evidence>, ModelError> {
    let (source, note) = (attrs.optional("source"), attrs.optional("note"));
    if source.is_none() && note.is_none() {
        return Ok(None);
    }
    let (file, line) = match source.unwrap_or("").rsplit_once(':') {
        Some((file, line)) => {
            let line = line.parse().map_err(|_| {
                attrs.wrong_at("source", format!("`{line}` is no line number: write path/to/file.c:123"))
            })?;
            (file, line)
        }
        None => (source.unwrap_or(""), 0),
    };
    Ok(Some(Evidence { file: file.to_owned(), line, note: note.unwrap_or("").to_owned() }))
}

fn table(attrs: &Attrs<'_>, model: &mut Model) -> Result<(), ModelError> {
    attrs.only(&["struct", "owner"])?;
    let strukt = attrs.required("struct")?;
    if !is_ident(strukt) {
        return Err(
            attrs.wrong_at("struct", format!("`{strukt}` is no struct tag: allowed is a C identifier"))
        );
    }
    let owner = attrs.optional("owner").map(str::to_owned);
    let mut table = OpsTable { owner, ..OpsTable::new(strukt) };
    for child in &attrs.element.children {
        fields(&Attrs::new(attrs.source, child), &mut table)?;
    }
    if model.tables.insert(strukt.to_owned(), table).is_some() {
        return Err(attrs.wrong_at("struct", format!("a second table for struct `{strukt}`: allowed is one")));
    }
    Ok(())
}

fn fields(attrs: &Attrs<'_>, table: &mut OpsTable) -> Result<(), ModelError> {
    if attrs.element.name != "field" {
        return Err(attrs.wrong(format!("<{}> in a table: allowed is <field>", attrs.element.name)));
    }
    attrs.only(&[
        "name",
        "context",
        "runs-as",
        "call-owned",
        "data",
        "of-table",
        "self",
        "from",
        "held",
        "by",
        "holder",
        "once",
        "entry",
        "binds",
        "unbinds",
        "begins",
        "table-in",
        "assumed",
        "source",
        "note",
    ])?;
    for field in names::expand(attrs.required("name")?).map_err(|e| attrs.wrong_at("name", e))? {
        if !is_ident(&field) {
            return Err(
                attrs.wrong_at("name", format!("`{field}` is no member name: allowed is a C identifier"))
            );
        }
        if table.field(&field).is_some() {
            return Err(attrs.wrong_at("name", format!("a second row for member `{field}`: allowed is one")));
        }
        table.fields.push(callback_row(attrs, format!("{}.{field}", table.strukt))?);
    }
    Ok(())
}

fn callback_class(attrs: &Attrs<'_>, model: &mut Model) -> Result<(), ModelError> {
    attrs.only(&[
        "class",
        "context",
        "runs-as",
        "call-owned",
        "data",
        "once",
        "assumed",
        "source",
        "note",
    ])?;
    let class = attrs.class()?;
    let row = callback_row(attrs, class.clone())?;
    if model.callbacks.insert(class.clone(), row).is_some() {
        return Err(
            attrs.wrong_at("class", format!("a second callback row for class `{class}`: allowed is one"))
        );
    }
    Ok(())
}

fn callback_row(attrs: &Attrs<'_>, name: String) -> Result<CallbackRow, ModelError> {
    let runs_as = attrs.optional("runs-as").map(|_| attrs.one_of("runs-as", &RUNS_AS, None));
    let entries = [("yes", (true, false)), ("no", (false, false)), ("own", (false, true))];
    let (entry, own) = attrs.one_of("entry", &entries, Some((true, false)))?;
    let mut row = CallbackRow {
        name,
        context: attrs.one_of("context", &CONTEXTS, Some(Context::Process))?,
        runs_as: runs_as.transpose()?,
        locks: Vec::new(),
        handles: Vec::new(),
        same: Vec::new(),
        call_owned: attrs.args("call-owned")?,
        data: attrs.args("data")?,
        of_table: attrs.args("of-table")?,
        itself: parameter(attrs, "self")?,
        from: in_parameter(attrs, "from")?,
        held: held(attrs)?,
        holder: holder(attrs)?,
        once: attrs.flag("once", false)?,
        entry,
        own,
        binds: attrs.flag("binds", false)?,
        unbinds: attrs.flag("unbinds", false)?,
        begins: attrs.optional("begins").map(str::to_owned),
        table_in: attrs.optional("table-in").map(str::to_owned),
        assumed: attrs.flag("assumed", false)?,
        evidence: evidence(attrs)?,
    };
    for child in &attrs.element.children {
        entry_condition(&Attrs::new(attrs.source, child), &mut row)?;
    }
    Ok(row)
}

fn entry_condition(attrs: &Attrs<'_>, row: &mut CallbackRow) -> Result<(), ModelError> {
    attrs.no_children()?;
    match attrs.element.name.as_str() {
        "lock" => {
            attrs.only(&["class", "mode", "addr", "by"])?;
            row.locks.push(ImplicitLock {
                class: attrs.class()?,
                mode: attrs.mode()?,
                addr: attrs.entry_address("addr")?,
                by_table: attrs.one_of("by", &[("table", true)], Some(false))?,
            });
        }
        "life" => {
            attrs.only(&["class", "addr", "through", "bound"])?;
            let (class, addr) = (attrs.class()?, attrs.entry_address("addr")?);
            let (through, bound) = (attrs.optional_arg("through")?, attrs.flag("bound", false)?);
            row.handles.push(LifeHandle { class, addr, through, bound });
        }
        "same" => {
            attrs.only(&["addr", "as"])?;
            let (addr, other) = (attrs.entry_address("addr")?, attrs.entry_address("as")?);
            row.same.push(Same { addr, other });
        }
        other => {
            let allowed = "allowed are <lock>, <life> and <same>";
            return Err(attrs.wrong(format!("<{other}> in a callback: {allowed}")));
        }
    }
    Ok(())
}

fn handle_class(attrs: &Attrs<'_>, model: &mut Model) -> Result<(), ModelError> {
    attrs.only(&[
        "class",
        "rearmable",
        "outside",
        "fresh",
        "several",
        "by-through",
        "runs-once",
        "completes",
    ])?;
    attrs.no_children()?;
    let class = attrs.class()?;
    let row = HandleRow {
        class: class.clone(),
        rearmable: attrs.flag("rearmable", false)?,
        outside: attrs.flag("outside", false)?,
        fresh: attrs.flag("fresh", false)?,
        several: attrs.flag("several", false)?,
        by_through: attrs.flag("by-through", false)?,
        runs_once: attrs.flag("runs-once", false)?,
        completes: struct_member(attrs, "completes")?,
    };
    if model.handles.insert(class.clone(), row).is_some() {
        return Err(
            attrs.wrong_at("class", format!("a second row for handle class `{class}`: allowed is one"))
        );
    }
    Ok(())
}

fn state(attrs: &Attrs<'_>, model: &mut Model) -> Result<(), ModelError> {
    attrs.only(&["class", "counted", "ended-by", "source", "note"])?;
    attrs.no_children()?;
    let class = attrs.class()?;
    let counted = attrs.flag("counted", false)?;
    let ended_by = attrs.optional("ended-by").map(str::to_owned);
    let row = StateRow { class: class.clone(), counted, ended_by, evidence: evidence(attrs)? };
    if model.states.insert(class.clone(), row).is_some() {
        return Err(attrs.wrong_at("class", format!("a second row for state `{class}`: allowed is one")));
    }
    Ok(())
}

fn mask(attrs: &Attrs<'_>, model: &mut Model) -> Result<(), ModelError> {
    attrs.only(&["class", "keeps-off", "on-entry", "source", "note"])?;
    attrs.no_children()?;
    let class = attrs.class()?;
    let known = |word: &str| RUNS_AS.iter().find(|(name, _)| *name == word).map(|(_, runs_as)| *runs_as);
    let on_entry = attrs.optional("on-entry").unwrap_or("").split_whitespace().map(|word| {
        known(word)
            .ok_or_else(|| attrs.wrong_at("on-entry", format!("`{word}` is nothing that a function runs as")))
    });
    let row = MaskRow {
        class: class.clone(),
        keeps_off: attrs.one_of("keeps-off", &CONTEXTS, None)?,
        on_entry: on_entry.collect::<Result<_, _>>()?,
        evidence: evidence(attrs)?,
    };
    if model.masks.insert(class.clone(), row).is_some() {
        return Err(attrs.wrong_at("class", format!("a second row for mask `{class}`: allowed is one")));
    }
    Ok(())
}

fn exclusion(attrs: &Attrs<'_>, model: &mut Model) -> Result<(), ModelError> {
    attrs.only(&["class", "single", "off", "by", "source", "note"])?;
    attrs.no_children()?;
    let class = attrs.class()?;
    let words = |name| attrs.optional(name).unwrap_or("").split_whitespace();
    let single = words("single").map(|word| {
        let (function, arg) = word.split_once(':')?;
        Some((function.to_owned(), parse_arg(arg)?)).filter(|_| is_ident(function))
    });
    let off = words("off").map(|word| {
        let (member, bits) = word.split_once(':')?;
        let (strukt, field) = member.split_once('.').filter(|(s, f)| is_ident(s) && is_ident(f))?;
        Some((strukt.to_owned(), field.to_owned(), parse_number(bits)?))
    });
    let row = ExclusionRow {
        class: class.clone(),
        single: single
            .collect::<Option<_>>()
            .ok_or_else(|| attrs.wrong_at("single", "no function with an argument: write function:arg0"))?,
        off: off
            .collect::<Option<_>>()
            .ok_or_else(|| attrs.wrong_at("off", "no member with bits: write struct.member:0x1"))?,
        by: identifiers(attrs, "by")?,
        evidence: evidence(attrs)?,
    };
    if model.exclusions.insert(class.clone(), row).is_some() {
        return Err(attrs.wrong_at("class", format!("a second row for exclusion `{class}`: allowed is one")));
    }
    Ok(())
}

fn structs(attrs: &Attrs<'_>, model: &mut Model) -> Result<(), ModelError> {
    attrs.only(&[
        "name",
        "alone",
        "first",
        "ring",
        "owns",
        "bound",
        "while-bound",
        "for-devices",
        "drives",
        "settled",
        "distinct",
        "given",
        "lists",
        "lists-of",
        "lists-unless",
        "data",
        "buffers",
        "apart",
        "same-table",
        "table-by",
        "left-alone",
        "changes",
        "source",
        "note",
    ])?;
    attrs.no_children()?;
    attrs.required("name")?;
    let changes = attrs.optional("changes").map(member_with_bits);
    if changes == Some(None) {
        return Err(attrs.wrong_at("changes", "no member with bits: write member:0x1"));
    }
    if attrs.optional("drives").is_some_and(|device| !device.contains('.')) {
        return Err(attrs.wrong_at("drives", "no member of a struct: write struct.member"));
    }
    for name in identifiers(attrs, "name")? {
        let row = StructRow {
            name: name.clone(),
            alone: attrs.flag("alone", false)?,
            first: attrs.flag("first", false)?,
            ring: identifiers(attrs, "ring")?,
            owned: identifiers(attrs, "owns")?,
            bound: identifiers(attrs, "bound")?,
            while_bound: identifiers(attrs, "while-bound")?,
            for_devices: identifiers(attrs, "for-devices")?,
            drives: attrs.optional("drives").map(str::to_owned),
            settled: identifiers(attrs, "settled")?,
            distinct: identifiers(attrs, "distinct")?,
            given: given(attrs)?,
            lists: identifier(attrs, "lists")?,
            lists_of: attrs.optional("lists-of").map(str::to_owned),
            lists_unless: identifier(attrs, "lists-unless")?,
            data: identifiers(attrs, "data")?,
            changes: changes.clone().flatten(),
            buffers: identifiers(attrs, "buffers")?,
            apart: groups(attrs, "apart")?,
            same_table: identifiers(attrs, "same-table")?,
            table_by: identifiers(attrs, "table-by")?,
            left_alone: identifiers(attrs, "left-alone")?,
            evidence: evidence(attrs)?,
        };
        if model.structs.insert(name.clone(), row).is_some() {
            return Err(attrs.wrong_at("name", format!("a second row for struct `{name}`: allowed is one")));
        }
    }
    Ok(())
}

fn unshared(attrs: &Attrs<'_>, model: &mut Model) -> Result<(), ModelError> {
    attrs.only(&["functions", "dir", "files"])?;
    attrs.no_children()?;
    let (dir, files) = (attrs.required("dir")?, attrs.required("files")?);
    let files: Vec<String> = files.split_whitespace().map(|file| format!("{dir}/{file}")).collect();
    for name in identifiers(attrs, "functions")? {
        model.unshared.insert(name, files.clone());
    }
    Ok(())
}

fn variables(attrs: &Attrs<'_>, model: &mut Model) -> Result<(), ModelError> {
    attrs.only(&["name", "is", "source", "note"])?;
    attrs.no_children()?;
    attrs.required("name")?;
    let is = attrs.one_of("is", &VARIABLES, Some(VariableIs::IntendedRaces))?;
    for name in identifiers(attrs, "name")? {
        let row = VariableRow { name: name.clone(), is, evidence: evidence(attrs)? };
        if model.variables.insert(name.clone(), row).is_some() {
            return Err(attrs.wrong_at("name", format!("a second row for variable `{name}`: allowed is one")));
        }
    }
    Ok(())
}

/// The C identifiers that an attribute lists; none without the attribute.
fn identifiers(attrs: &Attrs<'_>, name: &str) -> Result<Vec<String>, ModelError> {
    let Some(text) = attrs.optional(name) else { return Ok(Vec::new()) };
    let names = names::expand(text).map_err(|e| attrs.wrong_at(name, e))?;
    match names.iter().find(|n| !is_ident(n)) {
        Some(bad) => Err(attrs.wrong_at(name, format!("`{bad}`: allowed are C identifiers"))),
        None => Ok(names),
    }
}

/// One C identifier; none without the attribute.
fn identifier(attrs: &Attrs<'_>, name: &str) -> Result<Option<String>, ModelError> {
    match &identifiers(attrs, name)?[..] {
        [] => Ok(None),
        [one] => Ok(Some(one.clone())),
        _ => Err(attrs.wrong_at(name, "allowed is one C identifier".to_owned())),
    }
}

/// A struct and a member of it, `struct.member`; none without the attribute.
fn struct_member(attrs: &Attrs<'_>, name: &str) -> Result<Option<(String, String)>, ModelError> {
    let Some(text) = attrs.optional(name) else { return Ok(None) };
    match text.split_once('.').filter(|(strukt, member)| is_ident(strukt) && is_ident(member)) {
        Some((strukt, member)) => Ok(Some((strukt.to_owned(), member.to_owned()))),
        None => Err(attrs.wrong_at(name, format!("`{text}`: allowed is `struct.member`"))),
    }
}

/// Groups of C identifiers: blanks between groups, commas within.
fn groups(attrs: &Attrs<'_>, name: &str) -> Result<Vec<Vec<String>>, ModelError> {
    let group = |text: &str| {
        let names: Vec<String> = text.split(',').map(str::to_owned).collect();
        match names.iter().find(|n| !is_ident(n)) {
            Some(bad) => Err(attrs.wrong_at(name, format!("`{bad}`: allowed are C identifiers"))),
            None => Ok(names),
        }
    };
    attrs.optional(name).unwrap_or_default().split_whitespace().map(group).collect()
}

/// Members, each perhaps with a function: `member:function`.
fn given(attrs: &Attrs<'_>) -> Result<Vec<(String, Option<String>)>, ModelError> {
    let pair = |text: &str| {
        let (member, by) = text.split_once(':').map_or((text, None), |(member, by)| (member, Some(by)));
        match is_ident(member) && by.is_none_or(is_ident) {
            true => Ok((member.to_owned(), by.map(str::to_owned))),
            false => {
                Err(attrs.wrong_at("given", format!("`{text}`: allowed are `member` and `member:function`")))
            }
        }
    };
    attrs.optional("given").unwrap_or_default().split_whitespace().map(pair).collect()
}

/// One parameter.
fn parameter(attrs: &Attrs<'_>, name: &str) -> Result<Option<u32>, ModelError> {
    match attrs.args(name)?[..] {
        [] => Ok(None),
        [one] => Ok(Some(one)),
        _ => Err(attrs.wrong_at(name, "allowed is one parameter".to_owned())),
    }
}

/// The parameters of `held`, and the `by` of which they are.
fn held(attrs: &Attrs<'_>) -> Result<Option<Held>, ModelError> {
    let params = attrs.args("held")?;
    match in_parameter(attrs, "by")? {
        Some((by, strukt, member)) if !params.is_empty() => Ok(Some(Held { params, by, strukt, member })),
        None if params.is_empty() => Ok(None),
        _ => Err(attrs
            .wrong("`held` and `by` go together: write held=\"arg1\" by=\"arg0:struct.member\"".to_owned())),
    }
}

/// `argN:struct.member`; none without the attribute.
fn in_parameter(attrs: &Attrs<'_>, name: &str) -> Result<Option<(u32, String, String)>, ModelError> {
    let Some(text) = attrs.optional(name) else { return Ok(None) };
    let parts = || {
        let (param, member) = text.split_once(':')?;
        let (strukt, member) = member.split_once('.').filter(|(s, m)| is_ident(s) && is_ident(m))?;
        let param = param.strip_prefix("arg")?.parse().ok()?;
        Some((param, strukt.to_owned(), member.to_owned()))
    };
    parts().map(Some).ok_or_else(|| attrs.wrong_at(name, format!("`{text}`: allowed is argN:struct.member")))
}

/// `struct.member member:0x1`.
fn holder(attrs: &Attrs<'_>) -> Result<Option<Holder>, ModelError> {
    let Some(text) = attrs.optional("holder") else { return Ok(None) };
    let parts = || {
        let (path, bits) = text.split_once(' ')?;
        let (strukt, member) = path.split_once('.').filter(|(s, m)| is_ident(s) && is_ident(m))?;
        let (strukt, member) = (strukt.to_owned(), member.to_owned());
        Some(Holder { strukt, member, bits: member_with_bits(bits)? })
    };
    parts()
        .map(Some)
        .ok_or_else(|| attrs.wrong_at("holder", format!("`{text}`: allowed is struct.member member:0x1")))
}

/// `member:0x1`.
fn member_with_bits(text: &str) -> Option<(String, u64)> {
    let (member, bits) = text.split_once(':').filter(|(member, _)| is_ident(member))?;
    Some((member.to_owned(), parse_number(bits)?))
}

/// Whether an address makes sense for an entry point: `ret` does not.
fn is_entry_base(base: &Base) -> bool {
    match base {
        Base::Param(_) | Base::Global(_) | Base::Table | Base::Fresh | Base::Function => true,
        Base::Ret | Base::Cpu | Base::Own(_) => false,
    }
}

#[cfg(test)]
mod tests;
