//! XML -> entry points, checked against the module.

use lockpair_env::schema::{AddrExpr, Base, Context, ImplicitLock, LifeHandle, RunsAs, Same};
use lockpair_ir::{AssumptionKind, FuncId, GlobalId, LocId, LockMode, Module};

use super::dom::{Attr, Element, Source};
use crate::model::{EntryPoint, EntryPointError, EntryPoints, Origin};

type Result<T> = std::result::Result<T, EntryPointError>;

/// Reads entry points of the module from XML; `file_name` is for messages.
pub fn from_xml(text: &str, file_name: &str, module: &Module) -> Result<EntryPoints> {
    let source = Source { text, file: file_name };
    let root = source.parse()?;
    let mut reader = XmlReader { source, module, out: EntryPoints::default() };
    reader.root(&root)?;
    if reader.out.items.is_empty() {
        return Err(EntryPointError::NoneFound { module: module.name.clone() });
    }
    Ok(reader.out)
}

struct XmlReader<'a> {
    source: Source<'a>,
    module: &'a Module,
    out: EntryPoints,
}

const LOC_ATTRS: [&str; 4] = ["file", "line", "column", "in"];

impl XmlReader<'_> {
    fn root(&mut self, root: &Element) -> Result<()> {
        if root.name != "entry-points" {
            return self.source.error(root.at, format!("`{}`: expected `entry-points`", root.name));
        }
        self.only_attrs(root, &["module"])?;
        for child in &root.children {
            match child.name.as_str() {
                "entry-point" => {
                    let ep = self.entry_point(child)?;
                    self.out.items.push(ep);
                }
                "assumption" => self.assumption(child)?,
                _ => return self.unexpected(child, "entry-point or assumption"),
            }
        }
        Ok(())
    }

    fn assumption(&mut self, element: &Element) -> Result<()> {
        self.only_attrs(element, &["kind", "subject", "file", "line", "column", "in"])?;
        self.no_children(element)?;
        let name = self.required(element, "kind")?;
        let Some(kind) = AssumptionKind::ALL.iter().find(|k| k.name() == name.value) else {
            return self.source.error(name.at, format!("`{}` is no kind of assumption", name.value));
        };
        let subject = self.required(element, "subject")?.value.clone();
        let loc = self.loc(element)?;
        self.out.ledger.record(*kind, subject, loc);
        Ok(())
    }

    fn entry_point(&self, element: &Element) -> Result<EntryPoint> {
        self.only_attrs(
            element,
            &[
                "name",
                "function",
                "role",
                "context",
                "runs-as",
                "table",
                "call-owned",
                "data",
                "of-table",
                "once",
                "binds",
                "unbinds",
            ],
        )?;
        let function = self.required(element, "function")?;
        let func = self.function(function)?;
        let mut ep = EntryPoint {
            name: self.name(element, function)?,
            func,
            role: element.attr("role").map_or_else(|| "user".to_owned(), |a| a.value.clone()),
            context: element.attr("context").map_or(Ok(Context::Process), |a| self.context(a))?,
            runs_as: element.attr("runs-as").map(|a| self.runs_as(a)).transpose()?,
            locks: Vec::new(),
            handles: Vec::new(),
            same: Vec::new(),
            once: element.attr("once").map_or(Ok(false), |a| self.flag(a))?,
            binds: element.attr("binds").map_or(Ok(false), |a| self.flag(a))?,
            unbinds: element.attr("unbinds").map_or(Ok(false), |a| self.flag(a))?,
            call_owned: element.attr("call-owned").map_or(Ok(Vec::new()), |a| self.params(a, func))?,
            data: element.attr("data").map_or(Ok(Vec::new()), |a| self.params(a, func))?,
            of_table: element.attr("of-table").map_or(Ok(Vec::new()), |a| self.params(a, func))?,
            table: element.attr("table").map(|a| self.global(a)).transpose()?,
            origin: Origin::User,
        };
        for child in &element.children {
            self.part(child, &mut ep)?;
        }
        Ok(ep)
    }

    fn part(&self, element: &Element, ep: &mut EntryPoint) -> Result<()> {
        self.no_children(element)?;
        match element.name.as_str() {
            "lock" => ep.locks.push(self.lock(element, ep)?),
            "life" => ep.handles.push(self.handle(element, ep)?),
            "same" => ep.same.push(self.same(element, ep)?),
            "origin" => ep.origin = self.origin(element)?,
            _ => return self.unexpected(element, "lock, life, same or origin"),
        }
        Ok(())
    }

    fn lock(&self, element: &Element, ep: &EntryPoint) -> Result<ImplicitLock> {
        self.only_attrs(element, &["class", "mode", "addr", "by"])?;
        let mode = match element.attr("mode") {
            None => LockMode::Exclusive,
            Some(attr) => match attr.value.as_str() {
                "exclusive" => LockMode::Exclusive,
                "shared" => LockMode::Shared,
                other => {
                    return self.source.error(attr.at, format!("`{other}`: expected exclusive or shared"));
                }
            },
        };
        let by_table = match element.attr("by") {
            None => false,
            Some(attr) if attr.value == "table" => true,
            Some(attr) => return self.source.error(attr.at, format!("`{}`: expected table", attr.value)),
        };
        let class = self.class(element)?;
        Ok(ImplicitLock { class, mode, addr: self.address(element, ep, "addr")?, by_table })
    }

    fn handle(&self, element: &Element, ep: &EntryPoint) -> Result<LifeHandle> {
        self.only_attrs(element, &["class", "addr", "through", "bound"])?;
        let bound = element.attr("bound").map_or(Ok(false), |a| self.flag(a))?;
        let through = element.attr("through").map(|a| self.params(a, ep.func)).transpose()?;
        let through = through.and_then(|params| params.first().copied());
        Ok(LifeHandle {
            class: self.class(element)?,
            addr: self.address(element, ep, "addr")?,
            through,
            bound,
        })
    }

    fn flag(&self, attr: &Attr) -> Result<bool> {
        match attr.value.as_str() {
            "yes" => Ok(true),
            "no" => Ok(false),
            other => self.source.error(attr.at, format!("`{other}`: expected yes or no")),
        }
    }

    /// Parameters, separated by white space.
    fn params(&self, attr: &Attr, func: FuncId) -> Result<Vec<u32>> {
        let param = |text: &str| {
            let Some(param) = text.strip_prefix("arg").and_then(|digits| digits.parse().ok()) else {
                return self.source.error(attr.at, format!("`{text}` is no parameter: write arg0, arg1 ..."));
            };
            self.check_param(attr, param, func).map(|()| param)
        };
        attr.value.split_whitespace().map(param).collect()
    }

    fn origin(&self, element: &Element) -> Result<Origin> {
        let kind = self.required(element, "kind")?;
        let allowed: &[&str] = match kind.value.as_str() {
            "table" => &["kind", "global", "field"],
            "registered" => &["kind", "by", "file", "line", "column", "in"],
            "stored" => &["kind", "file", "line", "column", "in"],
            "escaped" => &["kind", "within", "file", "line", "column", "in"],
            _ => &["kind"],
        };
        self.only_attrs(element, allowed)?;
        Ok(match kind.value.as_str() {
            "table" => Origin::Table {
                global: self.global(self.required(element, "global")?)?,
                field: self.required(element, "field")?.value.clone(),
            },
            "stored" => Origin::Stored { loc: self.loc(element)? },
            "registered" => Origin::Registered {
                loc: self.loc(element)?,
                by: self.required(element, "by")?.value.clone(),
            },
            "escaped" => Origin::Escaped {
                loc: self.loc(element)?,
                within: element.attr("within").map(|attr| attr.value.clone()),
            },
            "module" => Origin::Module,
            "exported" => Origin::Exported,
            "user" => Origin::User,
            other => {
                const KNOWN: &str = "table, stored, registered, module, exported, escaped or user";
                return self.source.error(kind.at, format!("`{other}`: expected {KNOWN}"));
            }
        })
    }

    // ---- attributes

    fn name(&self, element: &Element, function: &Attr) -> Result<String> {
        let attr = element.attr("name").unwrap_or(function);
        if attr.value.is_empty() {
            return self.source.error(attr.at, "an entry point needs a name");
        }
        if self.out.named(&attr.value).is_some() {
            let message = format!("there are two entry points `{}`: give one another name", attr.value);
            return self.source.error(attr.at, message);
        }
        Ok(attr.value.clone())
    }

    fn function(&self, attr: &Attr) -> Result<FuncId> {
        match self.module.func_named(&attr.value) {
            Some(f) if self.module.funcs[f].is_defined() => Ok(f),
            Some(_) => self.source.error(attr.at, format!("the module does not define `{}`", attr.value)),
            None => self.source.error(attr.at, format!("the module has no function `{}`", attr.value)),
        }
    }

    fn global(&self, attr: &Attr) -> Result<GlobalId> {
        match self.module.global_named(&attr.value) {
            Some(g) => Ok(g),
            None => self.source.error(attr.at, format!("the module has no global `{}`", attr.value)),
        }
    }

    fn context(&self, attr: &Attr) -> Result<Context> {
        match attr.value.as_str() {
            "process" => Ok(Context::Process),
            "softirq" => Ok(Context::SoftIrq),
            "hardirq" => Ok(Context::HardIrq),
            other => self.source.error(attr.at, format!("`{other}`: expected process, softirq or hardirq")),
        }
    }

    fn runs_as(&self, attr: &Attr) -> Result<RunsAs> {
        match attr.value.as_str() {
            "process" => Ok(RunsAs::Process),
            "softirq" => Ok(RunsAs::SoftIrq),
            "irq" => Ok(RunsAs::Irq),
            "hardirq" => Ok(RunsAs::HardIrq),
            other => {
                self.source.error(attr.at, format!("`{other}`: expected process, softirq, irq or hardirq"))
            }
        }
    }

    fn class(&self, element: &Element) -> Result<String> {
        let attr = self.required(element, "class")?;
        if attr.value.is_empty() {
            return self.source.error(attr.at, "an empty class");
        }
        Ok(attr.value.clone())
    }

    fn same(&self, element: &Element, ep: &EntryPoint) -> Result<Same> {
        self.only_attrs(element, &["addr", "as"])?;
        let addr = self.address(element, ep, "addr")?;
        Ok(Same { addr, other: self.address(element, ep, "as")? })
    }

    fn address(&self, element: &Element, ep: &EntryPoint, name: &str) -> Result<AddrExpr> {
        let attr = self.required(element, name)?;
        let addr: AddrExpr = match attr.value.parse() {
            Ok(addr) => addr,
            Err(e) => return self.source.error(attr.at, format!("{e}")),
        };
        match &addr.base {
            Base::Param(param) => self.check_param(attr, *param, ep.func)?,
            Base::Table if ep.table.is_none() => {
                return self.source.error(attr.at, "`table` needs the attribute table of the entry point");
            }
            Base::Ret | Base::Cpu | Base::Own(_) => {
                return self.source.error(attr.at, "`ret`, `cpu` and `own` have no meaning on entry");
            }
            Base::Table | Base::Global(_) | Base::Fresh | Base::Function => {}
        }
        Ok(addr)
    }

    fn check_param(&self, attr: &Attr, param: u32, func: FuncId) -> Result<()> {
        let func = &self.module.funcs[func];
        if (param as usize) < func.params.len() {
            return Ok(());
        }
        let message = format!(
            "`{}` has {} parameters, counted from 0: there is no arg{param}",
            func.name,
            func.params.len()
        );
        self.source.error(attr.at, message)
    }

    fn number(&self, attr: &Attr) -> Result<u32> {
        match attr.value.parse() {
            Ok(number) => Ok(number),
            Err(_) => self.source.error(attr.at, format!("`{}` is no number", attr.value)),
        }
    }

    /// A place in the source; none if the module has no such place any more.
    fn loc(&self, element: &Element) -> Result<Option<LocId>> {
        if LOC_ATTRS.iter().all(|name| element.attr(name).is_none()) {
            return Ok(None);
        }
        let file = self.required(element, "file")?;
        let line = self.number(self.required(element, "line")?)?;
        let column = element.attr("column").map_or(Ok(0), |a| self.number(a))?;
        let function = element.attr("in").map(|a| a.value.as_str());
        let module = self.module;
        let found = module.locs.iter().find(|(_, loc)| {
            module.files[loc.file].path == file.value
                && (loc.line, loc.column) == (line, column)
                && function.is_none_or(|f| f == loc.function)
        });
        Ok(found.map(|(id, _)| id))
    }

    fn required<'e>(&self, element: &'e Element, name: &str) -> Result<&'e Attr> {
        match element.attr(name) {
            Some(attr) => Ok(attr),
            None => self.source.error(element.at, format!("`{}` needs the attribute {name}", element.name)),
        }
    }

    fn only_attrs(&self, element: &Element, allowed: &[&str]) -> Result<()> {
        match element.attrs.iter().find(|a| !allowed.contains(&a.name.as_str())) {
            Some(attr) => {
                let message = format!(
                    "`{}` has no attribute {}: allowed are {}",
                    element.name,
                    attr.name,
                    allowed.join(", ")
                );
                self.source.error(attr.at, message)
            }
            None => Ok(()),
        }
    }

    fn no_children(&self, element: &Element) -> Result<()> {
        match element.children.first() {
            Some(child) => self.source.error(child.at, format!("`{}` holds no elements", element.name)),
            None => Ok(()),
        }
    }

    fn unexpected<T>(&self, element: &Element, expected: &str) -> Result<T> {
        self.source.error(element.at, format!("`{}`: expected {expected}", element.name))
    }
}
