//! The LLVM module, after its passes, to the IR: tables first, then bodies.

use super::constants;
use super::debug::{self, Sources};
use super::function::Body;
use super::intrinsics::{self, Intrinsic};
use super::layout::{Layouts, value_type};
use super::llvm::{Linkage, LlvmModule, Meta, Opcode, Type, TypeKind, Value, ValueKind};
use super::passes::{self, Locals};
use super::types::Signature;
use lockpair_ir::link::{Alias, Unit};
use lockpair_ir::{
    AssumptionKind, FuncId, Function, Global, GlobalId, Ledger, LocId, Module, Operand, Param, PrimaryMap,
    Ty, TypeDef, TypeId, ValueDef, ValueId,
};
use std::collections::HashMap;
use std::path::PathBuf;

/// Position of the type among the operands of a `DISubprogram`.
const SUBPROGRAM_TYPE: usize = 4;
/// Position of the retained types among the operands of a `DICompileUnit`.
const RETAINED_TYPES: usize = 5;
/// Position of the type among the operands of a variable.
const VARIABLE_TYPE: usize = 3;

/// The tables that conversion works with.
pub struct Context<'m> {
    /// The module that is converted.
    pub llvm: &'m LlvmModule<'m>,
    /// Files and places.
    pub sources: Sources<'m>,
    /// Declared types.
    pub layouts: Layouts<'m>,
    /// What could not be represented.
    pub ledger: Ledger,
    /// The functions so far; bodies are filled in later.
    pub functions: PrimaryMap<FuncId, Function>,
    /// The ids of functions.
    pub function_ids: HashMap<Value<'m>, FuncId>,
    /// The ids of globals.
    pub global_ids: HashMap<Value<'m>, GlobalId>,
    /// What is known of LLVM's own functions.
    pub intrinsics: HashMap<Value<'m>, Intrinsic>,
    /// The names of parameters, by the function's symbol and the position.
    pub parameter_names: HashMap<(String, usize), String>,
    /// What the variables are declared as that parameters are put in, and whether that is done whatever happens; in the
    /// same way.
    pub parameter_types: HashMap<(String, usize), Vec<(Meta<'m>, bool)>>,
    /// Under which kind of metadata an alloca has its declared type.
    pub type_kind: u32,
}

/// Converts a module. `dirs` are directories of the driver's files, beside those that the module names;
/// `locals` is what the source says of local variables.
pub fn convert<'m>(llvm: &'m LlvmModule<'m>, dirs: &[PathBuf], locals: Locals<'m>) -> Unit {
    let mut cx = Context {
        llvm,
        sources: Sources::new(llvm, dirs),
        layouts: Layouts::new(llvm),
        ledger: Ledger::default(),
        functions: PrimaryMap::new(),
        function_ids: HashMap::new(),
        global_ids: HashMap::new(),
        intrinsics: HashMap::new(),
        parameter_names: locals.parameter_names,
        parameter_types: locals.parameter_types,
        type_kind: llvm.meta_kind(passes::TYPE_KIND),
    };
    declare_types(&mut cx, locals.types);
    declare_functions(&mut cx);
    let mut globals = declare_globals(&mut cx);
    let aliases = collect_aliases(&mut cx);
    convert_initializers(&mut cx, &mut globals);
    convert_bodies(&mut cx);
    let sections = collect_sections(&cx);
    let module = Module {
        name: String::new(),
        files: cx.sources.files,
        locs: cx.sources.locs,
        types: cx.layouts.types.into_table(),
        globals,
        funcs: cx.functions,
    };
    Unit { module, ledger: cx.ledger, aliases, sections }
}

impl<'m> Context<'m> {
    /// Records that something was replaced by an arbitrary value.
    pub fn unsupported(&mut self, what: impl Into<String>, loc: Option<LocId>) {
        self.ledger.record(AssumptionKind::Unsupported, what, loc);
    }

    /// The function that a value is, aliases resolved.
    pub fn function_id(&self, value: Value<'m>) -> Option<FuncId> {
        self.function_ids.get(&resolve_alias(value)).copied()
    }

    /// The type of a value; arbitrary but harmless for what has none.
    pub fn value_type(&self, ty: Type<'m>) -> Ty {
        value_type(self.llvm, ty).unwrap_or(Ty::Opaque(0))
    }

    /// The declared type of a variable, which also says what its LLVM type is.
    pub fn declared_variable(&mut self, ty: Type<'m>, node: Meta<'m>) -> TypeId {
        let declared = self.layouts.types.declared(&mut self.sources, Some(node));
        self.layouts.pair(ty, declared);
        declared
    }

    /// The function that stands for an intrinsic that has no meaning of its own here.
    pub fn declare_intrinsic(&mut self, function: Value<'m>) -> FuncId {
        if let Some(&id) = self.function_ids.get(&function) {
            return id;
        }
        let id = declare_function(self, function);
        self.function_ids.insert(function, id);
        id
    }
}

/// What an alias stands for in the end; other values as they are.
pub fn resolve_alias(value: Value<'_>) -> Value<'_> {
    let mut value = value;
    while matches!(value.kind(), ValueKind::LLVMGlobalAliasValueKind) {
        match value.aliasee() {
            Some(target) => value = target,
            None => break,
        }
    }
    value
}

/// Takes in every declared type that something can refer to, then LLVM's struct types.
fn declare_types<'m>(cx: &mut Context<'m>, locals: Vec<Meta<'m>>) {
    let retained = cx.llvm.compile_units().into_iter().flat_map(|unit| {
        let list = unit.operands().get(RETAINED_TYPES).and_then(|op| op.meta());
        list.map(Meta::operands).unwrap_or_default()
    });
    let retained: Vec<Meta<'m>> = retained.filter_map(|op| op.meta()).filter(|m| is_type(*m)).collect();
    cx.layouts.declare(&mut cx.sources, retained);
    cx.layouts.declare(&mut cx.sources, locals);
    let functions = cx.llvm.functions().into_iter().filter_map(|f| signature_node(cx.llvm, f));
    cx.layouts.declare(&mut cx.sources, functions);
    let globals = cx.llvm.globals().into_iter().filter_map(|g| variable_type(cx.llvm.global_variable(g)?));
    cx.layouts.declare(&mut cx.sources, globals);
    let used = used_structs(cx.llvm);
    cx.layouts.match_all(&used);
}

fn is_type(node: Meta<'_>) -> bool {
    use super::llvm::MetaKind::*;
    matches!(
        node.kind(),
        LLVMDIBasicTypeMetadataKind | LLVMDIDerivedTypeMetadataKind | LLVMDICompositeTypeMetadataKind
    )
}

fn signature_node<'m>(llvm: &'m LlvmModule<'m>, function: Value<'m>) -> Option<Meta<'m>> {
    llvm.subprogram(function)?.operands().get(SUBPROGRAM_TYPE)?.meta()
}

fn variable_type(variable: Meta<'_>) -> Option<Meta<'_>> {
    variable.operands().get(VARIABLE_TYPE)?.meta()
}

/// The struct types that instructions and globals mention.
fn used_structs<'m>(llvm: &'m LlvmModule<'m>) -> Vec<Type<'m>> {
    let mut used = Vec::new();
    let mut seen = std::collections::HashSet::new();
    let mut mention = |ty: Type<'m>| {
        if seen.insert(ty) {
            used.push(ty);
        }
    };
    for global in llvm.globals() {
        mention(global.value_type());
    }
    for inst in llvm.functions().into_iter().flat_map(Value::blocks).flat_map(|b| b.instructions()) {
        match inst.opcode() {
            Opcode::LLVMGetElementPtr => mention(inst.gep_source_type()),
            Opcode::LLVMAlloca => mention(inst.allocated_type()),
            _ => {}
        }
    }
    used.retain(|ty| matches!(ty.kind(), TypeKind::LLVMStructTypeKind));
    used
}

fn declare_functions(cx: &mut Context<'_>) {
    for function in cx.llvm.functions() {
        if function.is_intrinsic() || function.name().starts_with("llvm.") {
            let known = intrinsics::classify(&function.name());
            cx.intrinsics.insert(function, known);
        } else {
            let id = declare_function(cx, function);
            cx.function_ids.insert(function, id);
        }
    }
}

/// Adds a function without its body.
fn declare_function<'m>(cx: &mut Context<'m>, value: Value<'m>) -> FuncId {
    let ty = value.value_type();
    let mut function = Function::declaration(&debug::symbol_name(value));
    function.variadic = ty.is_variadic();
    function.exported = is_exported(value);
    function.weak = is_weak(value);
    function.ret = value_type(cx.llvm, ty.return_type());
    function.loc = cx.llvm.subprogram(value).map(|node| cx.sources.subprogram_place(node));
    let signature =
        signature_node(cx.llvm, value).and_then(|node| cx.layouts.types.signature(&mut cx.sources, node));
    if function.ret.is_some() {
        function.ret_decl = signature.as_ref().map(|s| s.ret);
    }
    let declared = signature.as_ref().and_then(|s| declared_parameters(cx, value, s)).unwrap_or_default();
    // Where a parameter is not passed as it is declared, numbers are others.
    let constant =
        signature.filter(|s| s.params.len() == declared.len()).map(|s| s.constant).unwrap_or_default();
    let symbol = value.name().into_owned();
    for (index, parameter) in value.parameters().into_iter().enumerate() {
        let ty = cx.value_type(parameter.ty());
        let id: ValueId = function.values.push(ValueDef { ty, inst: None });
        let decl = declared.get(index).copied().flatten();
        let name = cx.parameter_names.get(&(symbol.clone(), index)).cloned();
        let name = name.unwrap_or_else(|| parameter.name().into_owned());
        let constant = constant.get(index).copied().unwrap_or(false);
        function.params.push(Param { value: id, ty, decl, constant, name });
    }
    cx.functions.push(function)
}

fn is_weak(value: Value<'_>) -> bool {
    matches!(value.linkage(), Linkage::LLVMWeakAnyLinkage | Linkage::LLVMWeakODRLinkage)
}

/// A definition for inlining is not: the one that counts is elsewhere, maybe in another file.
fn is_exported(value: Value<'_>) -> bool {
    !matches!(
        value.linkage(),
        Linkage::LLVMInternalLinkage | Linkage::LLVMPrivateLinkage | Linkage::LLVMAvailableExternallyLinkage
    )
}

/// Which declared type each parameter has. The calling convention passes a struct as a pointer (in
/// memory), in one register, in two, or not at all; nothing is said when the count does not come out.
fn declared_parameters<'m>(
    cx: &mut Context<'m>,
    function: Value<'m>,
    signature: &Signature,
) -> Option<Vec<Option<TypeId>>> {
    let count = function.parameters().len();
    let mut declared = Vec::with_capacity(count);
    if function.parameter_has(0, "sret") {
        declared.push(Some(cx.layouts.types.pointer(signature.ret)));
    }
    for &ty in &signature.params {
        let size = match cx.layouts.types.def(ty) {
            TypeDef::Struct(def) => Some(def.size),
            _ => None,
        };
        match size {
            None => declared.push(Some(ty)),
            Some(0) => {}
            Some(_) if function.parameter_has(declared.len() as u32, "byval") => {
                declared.push(Some(cx.layouts.types.pointer(ty)));
            }
            Some(size) => declared.extend(std::iter::repeat_n(None, size.div_ceil(8) as usize)),
        }
    }
    (declared.len() == count).then_some(declared)
}

/// The compiler's lists: what runs before and after main, and what code outside finds though nobody names it.
const LISTS: &[&str] = &["llvm.global_ctors", "llvm.global_dtors", "llvm.used", "llvm.compiler.used"];

fn declare_globals(cx: &mut Context<'_>) -> PrimaryMap<GlobalId, Global> {
    let mut globals = PrimaryMap::new();
    for value in cx.llvm.globals() {
        let of_compiler = value.name().starts_with("llvm.");
        if of_compiler && !LISTS.contains(&&*value.name()) {
            continue;
        }
        let variable = cx.llvm.global_variable(value);
        let declared = variable.and_then(variable_type);
        let ty = match declared {
            Some(node) => Some(cx.declared_variable(value.value_type(), node)),
            None => cx.layouts.known_type_of(value.value_type()),
        };
        let id = globals.push(Global {
            name: debug::symbol_name(value),
            size: cx.llvm.size_of(value.value_type()),
            ty,
            // Of one that is weak, other files may have a definition with other values.
            constant: value.is_constant_global() && !is_weak(value),
            thread_local: value.is_thread_local(),
            defined: !value.is_declaration(),
            exported: is_exported(value) && !of_compiler,
            init: Vec::new(),
            loc: variable.map(|node| cx.sources.variable_place(node)),
        });
        cx.global_ids.insert(value, id);
    }
    globals
}

/// Other names of functions, and of variables and places in them.
fn collect_aliases(cx: &mut Context<'_>) -> Vec<Alias> {
    let mut aliases = Vec::new();
    for alias in cx.llvm.aliases() {
        let target = constants::symbol(cx, alias, 0);
        if let Operand::Undef(_) = target {
            cx.unsupported(format!("alias {}", alias.name()), None);
            continue;
        }
        if let Operand::Global(id, 0) = target {
            cx.global_ids.insert(alias, id);
        }
        aliases.push(Alias { name: debug::symbol_name(alias), target, exported: is_exported(alias) });
    }
    aliases
}

fn convert_initializers(cx: &mut Context<'_>, globals: &mut PrimaryMap<GlobalId, Global>) {
    for value in cx.llvm.globals() {
        let Some(&id) = cx.global_ids.get(&value) else { continue };
        if let Some(initializer) = value.initializer() {
            globals[id].init = constants::init_cells(cx, initializer);
        }
    }
}

fn convert_bodies(cx: &mut Context<'_>) {
    for value in cx.llvm.functions() {
        if value.is_declaration() {
            continue;
        }
        let Some(&id) = cx.function_ids.get(&value) else { continue };
        let function = std::mem::replace(&mut cx.functions[id], Function::declaration(""));
        let body = Body::convert(cx, value, function);
        cx.functions[id] = body;
    }
}

/// The sections of functions and variables, and the functions that assembly at file scope puts in one:
/// that is how initcalls are registered when the code is built into the kernel.
fn collect_sections(cx: &Context<'_>) -> Vec<(String, String)> {
    let mut sections = Vec::new();
    for value in cx.llvm.functions().into_iter().chain(cx.llvm.globals()) {
        let section = value.section();
        if !section.is_empty() && !section.starts_with("llvm.") {
            sections.push((debug::symbol_name(value), section.into_owned()));
        }
    }
    sections.extend(sections_in_asm(&cx.llvm.file_scope_asm()));
    sections
}

/// Symbols that `.long symbol - .` puts in a section.
fn sections_in_asm(asm: &str) -> Vec<(String, String)> {
    let mut current = String::new();
    let mut found = Vec::new();
    for line in asm.lines().map(str::trim) {
        if let Some(rest) = line.strip_prefix(".section") {
            let name = rest.split(',').next().unwrap_or_default();
            current = name.trim().trim_matches('"').to_owned();
        } else if let Some(rest) = line.strip_prefix(".long")
            && let Some((symbol, ".")) = split_relative(rest)
        {
            found.push((symbol.to_owned(), current.clone()));
        }
    }
    found
}

/// `(f, ".")` for `f - .`
fn split_relative(text: &str) -> Option<(&str, &str)> {
    let (symbol, base) = text.split_once('-')?;
    let symbol = symbol.trim();
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    (!symbol.is_empty() && symbol.chars().all(is_name)).then_some((symbol, base.trim()))
}

#[cfg(test)]
mod tests {
    use super::sections_in_asm;

    #[test]
    fn initcalls_are_found_in_assembly() {
        let asm = "\t.section\t\".initcall6.init\", \"a\"\t\t\n__initcall__kmod_x__1_2_x_init6:\t\n\t.long\tx_init - .\t\n.previous";
        assert_eq!(sections_in_asm(asm), [("x_init".to_owned(), ".initcall6.init".to_owned())]);
    }
}
