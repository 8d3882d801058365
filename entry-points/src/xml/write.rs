//! Entry points -> XML.

use lockpair_ir::{Assumption, LocId, Module};

use crate::model::{EntryPoint, EntryPoints, Origin};
use crate::text::{context_name, mode_name, runs_as_name};

/// The entry points, with the assumptions behind them, as XML. Notes become comments.
pub fn to_xml(eps: &EntryPoints, module: &Module) -> String {
    let mut writer = Writer { out: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned(), module };
    writer.open(0, "entry-points", &[("module", module.name.clone())]);
    for note in &eps.notes {
        writer.comment(&note.describe(module));
    }
    for ep in eps.items.values() {
        writer.entry_point(ep);
    }
    for assumption in eps.ledger.iter() {
        writer.assumption(assumption);
    }
    writer.close(0, "entry-points");
    writer.out
}

type Attr = (&'static str, String);

struct Writer<'a> {
    out: String,
    module: &'a Module,
}

impl Writer<'_> {
    fn entry_point(&mut self, ep: &EntryPoint) {
        let mut attrs = vec![
            ("name", ep.name.clone()),
            ("function", self.module.funcs[ep.func].name.clone()),
            ("role", ep.role.clone()),
            ("context", context_name(ep.context).to_owned()),
        ];
        attrs.extend(ep.runs_as.map(|runs_as| ("runs-as", runs_as_name(runs_as).to_owned())));
        attrs.extend(ep.table.map(|g| ("table", self.module.globals[g].name.clone())));
        for (name, params) in [("call-owned", &ep.call_owned), ("data", &ep.data), ("of-table", &ep.of_table)]
        {
            if !params.is_empty() {
                let args: Vec<String> = params.iter().map(|param| format!("arg{param}")).collect();
                attrs.push((name, args.join(" ")));
            }
        }
        for (name, flag) in [("once", ep.once), ("binds", ep.binds), ("unbinds", ep.unbinds)] {
            if flag {
                attrs.push((name, "yes".to_owned()));
            }
        }
        self.open(1, "entry-point", &attrs);
        self.origin(&ep.origin);
        for lock in &ep.locks {
            let mode = mode_name(lock.mode).to_owned();
            let mut attrs =
                vec![("class", lock.class.clone()), ("mode", mode), ("addr", lock.addr.to_string())];
            attrs.extend(lock.by_table.then(|| ("by", "table".to_owned())));
            self.leaf(2, "lock", &attrs);
        }
        for handle in &ep.handles {
            let mut attrs = vec![("class", handle.class.clone()), ("addr", handle.addr.to_string())];
            attrs.extend(handle.through.map(|param| ("through", format!("arg{param}"))));
            attrs.extend(handle.bound.then(|| ("bound", "yes".to_owned())));
            self.leaf(2, "life", &attrs);
        }
        for same in &ep.same {
            self.leaf(2, "same", &[("addr", same.addr.to_string()), ("as", same.other.to_string())]);
        }
        self.close(1, "entry-point");
    }

    fn origin(&mut self, origin: &Origin) {
        let mut attrs = vec![("kind", kind_of(origin).to_owned())];
        match origin {
            Origin::Table { global, field } => {
                attrs.push(("global", self.module.globals[*global].name.clone()));
                attrs.push(("field", field.clone()));
            }
            Origin::Registered { loc, by } => {
                attrs.push(("by", by.clone()));
                attrs.extend(self.loc(*loc));
            }
            Origin::Escaped { loc, within } => {
                attrs.extend(within.clone().map(|member| ("within", member)));
                attrs.extend(self.loc(*loc));
            }
            Origin::Stored { loc } => attrs.extend(self.loc(*loc)),
            Origin::Module | Origin::Exported | Origin::User => {}
        }
        self.leaf(2, "origin", &attrs);
    }

    fn assumption(&mut self, assumption: &Assumption) {
        let mut attrs =
            vec![("kind", assumption.kind.name().to_owned()), ("subject", assumption.subject.clone())];
        attrs.extend(self.loc(assumption.loc));
        self.leaf(1, "assumption", &attrs);
    }

    fn loc(&self, loc: Option<LocId>) -> Vec<Attr> {
        let Some(loc) = loc.map(|loc| &self.module.locs[loc]) else { return Vec::new() };
        vec![
            ("file", self.module.files[loc.file].path.clone()),
            ("line", loc.line.to_string()),
            ("column", loc.column.to_string()),
            ("in", loc.function.clone()),
        ]
    }

    fn open(&mut self, depth: usize, name: &str, attrs: &[Attr]) {
        self.tag(depth, name, attrs, ">");
    }

    fn leaf(&mut self, depth: usize, name: &str, attrs: &[Attr]) {
        self.tag(depth, name, attrs, "/>");
    }

    fn tag(&mut self, depth: usize, name: &str, attrs: &[Attr], end: &str) {
        self.out.push_str(&"  ".repeat(depth));
        self.out.push('<');
        self.out.push_str(name);
        for (key, value) in attrs {
            self.out.push_str(&format!(" {key}=\"{}\"", escaped(value)));
        }
        self.out.push_str(end);
        self.out.push('\n');
    }

    fn close(&mut self, depth: usize, name: &str) {
        self.out.push_str(&format!("{}</{name}>\n", "  ".repeat(depth)));
    }

    fn comment(&mut self, text: &str) {
        // Two hyphens would end the comment.
        self.out.push_str(&format!("  <!-- {} -->\n", text.replace("--", "- -")));
    }
}

/// White space other than the blank would be read back as a blank.
fn escaped(value: &str) -> String {
    let text = quick_xml::escape::escape(value);
    text.replace('\n', "&#10;").replace('\r', "&#13;").replace('\t', "&#9;")
}

/// The word for an origin.
pub(super) fn kind_of(origin: &Origin) -> &'static str {
    match origin {
        Origin::Table { .. } => "table",
        Origin::Stored { .. } => "stored",
        Origin::Registered { .. } => "registered",
        Origin::Module => "module",
        Origin::Exported => "exported",
        Origin::Escaped { .. } => "escaped",
        Origin::User => "user",
    }
}
