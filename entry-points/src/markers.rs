//! Globals that are no data of the driver but tell the linker something: which symbols other modules may
//! use, which functions run at start-up, what the compiler must keep.

use lockpair_ir::{FuncId, Global, GlobalId, Module, Operand};

/// What a marker says of the functions in its initial value.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Marker {
    /// Other modules may call it.
    Export,
    /// It runs when the module is loaded, or at boot.
    Init,
    /// It runs when the module is unloaded.
    Exit,
    /// Someone whom the compiler does not see uses it: an export or an init call; the function tells.
    Addressable,
    /// The compiler must keep what it names.
    Used,
}

/// What kind of marker the global is, if it is one.
pub(crate) fn marker(global: &Global) -> Option<Marker> {
    let name = global.name.as_str();
    let starts = |prefixes: &[&str]| prefixes.iter().any(|p| name.starts_with(p));
    if starts(&["llvm.used", "llvm.compiler.used"]) {
        Some(Marker::Used)
    } else if starts(EXPORT_PREFIXES) {
        Some(Marker::Export)
    } else if name.starts_with("__initcall") {
        Some(Marker::Init)
    } else if name.starts_with("__exitcall") {
        Some(Marker::Exit)
    } else {
        name.split_once("__addressable_").map(|(_, symbol)| addressable(symbol))
    }
}

const EXPORT_PREFIXES: &[&str] =
    &["__ksymtab_", "__kstrtab_", "__kstrtabns_", "__export_symbol_", "__ksym_marker_"];

/// `symbol` has a number at its end that makes the marker's name unique.
fn addressable(symbol: &str) -> Marker {
    if symbol.starts_with("init_module") {
        Marker::Init
    } else if symbol.starts_with("cleanup_module") {
        Marker::Exit
    } else {
        Marker::Addressable
    }
}

/// The defined functions whose addresses are in the initial value.
pub(crate) fn functions_in(module: &Module, global: &Global) -> Vec<FuncId> {
    let func = |value: Operand| match value {
        Operand::Func(f) if module.funcs[f].is_defined() => Some(f),
        _ => None,
    };
    global.init.iter().filter_map(|cell| func(cell.value)).collect()
}

/// The variables whose addresses are in the initial value.
pub(crate) fn variables_in(global: &Global) -> impl Iterator<Item = GlobalId> {
    global.init.iter().filter_map(|cell| match cell.value {
        Operand::Global(g, _) => Some(g),
        _ => None,
    })
}

/// What the markers of a module say.
#[derive(Clone, Default, Debug)]
pub(crate) struct Marked {
    /// Functions that run at start-up.
    pub init: Vec<FuncId>,
    /// Functions that run at the end.
    pub exit: Vec<FuncId>,
    /// Functions that other modules may call.
    pub exported: Vec<FuncId>,
    /// Functions that someone uses in an unknown way.
    pub unknown: Vec<FuncId>,
}

impl Marked {
    /// All functions that code outside calls, for whatever reason.
    pub fn all(&self) -> impl Iterator<Item = FuncId> {
        [&self.init, &self.exit, &self.exported, &self.unknown].into_iter().flatten().copied()
    }
}

/// Reads the aliases, the markers and the names that the caller knows to be exported.
pub(crate) fn read(module: &Module, aliases: &[(String, FuncId)], exported: &[String]) -> Marked {
    let mut out = Marked::default();
    for (name, role) in [("init_module", Marker::Init), ("cleanup_module", Marker::Exit)] {
        let aliased = aliases.iter().filter(|(alias, _)| alias == name).map(|(_, f)| *f);
        aliased.chain(module.func_named(name)).for_each(|f| out.add(module, f, role));
    }
    let has_init = !out.init.is_empty();
    for name in exported {
        let aliased = aliases.iter().find(|(alias, _)| alias == name).map(|(_, f)| *f);
        aliased
            .or_else(|| module.func_named(name))
            .into_iter()
            .for_each(|f| out.add(module, f, Marker::Export));
    }
    for global in module.globals.values() {
        let Some(role) = marker(global) else { continue };
        for f in functions_in(module, global) {
            out.add(module, f, resolved(module, f, role, has_init));
        }
        if role == Marker::Export {
            let named = EXPORT_PREFIXES.iter().find_map(|p| module.func_named(global.name.strip_prefix(p)?));
            named.into_iter().for_each(|f| out.add(module, f, Marker::Export));
        }
    }
    out.unknown.retain(|f| !out.init.contains(f) && !out.exit.contains(f) && !out.exported.contains(f));
    out
}

/// `__ADDRESSABLE` and `__used` mark exports, which have external linkage; the former also init calls of
/// built-in code, which are static and look like `int f(void)`.
fn resolved(module: &Module, f: FuncId, role: Marker, has_init: bool) -> Marker {
    let func = &module.funcs[f];
    match role {
        Marker::Addressable | Marker::Used if func.exported => Marker::Export,
        Marker::Addressable if !has_init && func.params.is_empty() && func.ret.is_some() => Marker::Init,
        _ => role,
    }
}

impl Marked {
    fn add(&mut self, module: &Module, f: FuncId, role: Marker) {
        let list = match role {
            Marker::Init => &mut self.init,
            Marker::Exit => &mut self.exit,
            Marker::Export => &mut self.exported,
            Marker::Addressable | Marker::Used => &mut self.unknown,
        };
        if module.funcs[f].is_defined() && !list.contains(&f) {
            list.push(f);
        }
    }
}
