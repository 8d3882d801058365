//! What happens to the LLVM module before it is converted: models win over bodies, helpers from headers
//! are inlined, locals go to registers.
//!
//! Only passes that keep every access to memory that others may reach: inlining and `sroa` (which
//! removes accesses to locals whose address stays put). Anything that merges or deletes loads would
//! remove access sites, and is not used.

use super::debug;
use super::error::FrontendError;
use super::llvm::{LlvmModule, Meta, MetaKind, Opcode, Value, ValueKind};
use std::collections::HashMap;

/// The kind of metadata under which an alloca carries the declared type of its variable, and a value that of
/// the variable that it is stored to first.
pub const TYPE_KIND: &str = "lockpair.type";

/// Values of which nothing but the variable says what they point to.
const VALUES_WITHOUT_TYPE: &[Opcode] =
    &[Opcode::LLVMIntToPtr, Opcode::LLVMLoad, Opcode::LLVMCall, Opcode::LLVMGetElementPtr];

/// Position of the name among the operands of a `DILocalVariable`.
const VARIABLE_NAME: usize = 1;
/// Position of the type among the operands of a `DILocalVariable`.
const VARIABLE_TYPE: usize = 3;

/// Locals go to registers before inlining, so that what is copied is small and arguments that are constant
/// decide branches in the copies; and again after it, for locals whose address only helpers took.
const TO_REGISTERS: &str = "function(sroa)";
const INLINING: &str = "always-inline,globaldce,function(sroa)";

/// The attributes that keep a function from being inlined, or make it be.
const INLINING_ATTRIBUTES: &[&str] = &["noinline", "optnone", "alwaysinline", "inlinehint"];

/// Removes the bodies of the functions that have a model, so that the model is what counts.
pub fn strip_modelled(module: &LlvmModule<'_>, keep: &dyn Fn(&str) -> bool) {
    // Debug records of deleted blocks would stay behind in the context, by the address of the block, and
    // turn up in another block that gets the address; calls are deleted with their block.
    module.debug_records_as_calls(true);
    for function in module.functions() {
        if !function.is_declaration()
            && in_header(module, function)
            && keep(&debug::source_name(module, function))
        {
            function.delete_body();
        }
    }
    module.debug_records_as_calls(false);
}

/// What the source says of local variables: more than the instructions that are left of them.
#[derive(Default)]
pub struct Locals<'m> {
    /// The declared types.
    pub types: Vec<Meta<'m>>,
    /// The names of parameters, by the function's symbol and the position.
    pub parameter_names: HashMap<(String, usize), String>,
    /// What the variables are declared as that parameters are put in, and whether that is done at the beginning of the
    /// function, whatever happens; in the same way.
    pub parameter_types: HashMap<(String, usize), Vec<(Meta<'m>, bool)>>,
}

/// Runs everything on a module.
pub fn run<'m>(module: &'m LlvmModule<'_>) -> Result<Locals<'m>, FrontendError> {
    module.debug_records_as_calls(true);
    let mut locals = collect_locals(module);
    module.run_passes(TO_REGISTERS).map_err(FrontendError::Passes)?;
    module.debug_records_as_calls(true);
    // What a helper gives is known after inlining: until then its variable is kept.
    declare_values(module, &|value| is_helper_call(module, value), &mut locals);
    module.debug_records_as_calls(false);
    for function in module.functions() {
        mark(module, function);
    }
    module.run_passes(INLINING).map_err(FrontendError::Passes)?;
    module.debug_records_as_calls(true);
    declare_values(module, &|_| false, &mut locals);
    module.debug_records_as_calls(false);
    Ok(locals)
}

/// Helpers from headers are inlined, everything else never.
fn mark(module: &LlvmModule<'_>, function: Value<'_>) {
    if function.is_declaration() {
        return;
    }
    for attribute in INLINING_ATTRIBUTES {
        function.remove_attribute(attribute);
    }
    function.add_attribute(module, if in_header(module, function) { "alwaysinline" } else { "noinline" });
}

/// Whether the source of the function stands in a header.
fn in_header(module: &LlvmModule<'_>, function: Value<'_>) -> bool {
    let file = module.subprogram(function).and_then(Meta::scope_file);
    file.is_some_and(|file| file.file_name().1.ends_with(".h"))
}

/// Moves what `llvm.dbg.*` calls say of stack slots to where it survives.
fn collect_locals<'m>(module: &'m LlvmModule<'_>) -> Locals<'m> {
    let kind = module.meta_kind(TYPE_KIND);
    let mut locals = Locals::default();
    for function in module.functions() {
        let insts = function.blocks().into_iter().flat_map(|block| block.instructions());
        let calls: Vec<Value<'_>> = insts.filter(|inst| is_debug_call(*inst)).collect();
        if calls.is_empty() {
            continue;
        }
        let homes = homes_of_parameters(function);
        let symbol = function.name();
        for call in calls {
            if let Some(local) = collect_local(module, kind, call, &homes) {
                locals.types.push(local.ty);
                if let Some(position) = local.parameter {
                    locals
                        .parameter_names
                        .entry((symbol.clone().into_owned(), position))
                        .or_insert(local.name);
                }
            }
        }
    }
    locals
}

/// What a local variable is declared as, so is its value: the types of first members get lost, since adding
/// nothing to an address is nothing. Erases what `llvm.dbg.*` calls are left, but of values that are `later` to be
/// looked at: passes are faster without.
fn declare_values<'m>(
    module: &'m LlvmModule<'_>,
    later: &dyn Fn(Value<'_>) -> bool,
    locals: &mut Locals<'m>,
) {
    let kind = module.meta_kind(TYPE_KIND);
    for function in module.functions() {
        let blocks = function.blocks().into_iter().enumerate();
        let insts =
            blocks.flat_map(|(n, block)| block.instructions().into_iter().map(move |inst| (n == 0, inst)));
        let calls: Vec<(bool, Value<'_>)> = insts.filter(|(_, inst)| is_debug_call(*inst)).collect();
        let parameters = function.parameters();
        for (at_first, call) in calls {
            let value = module.value_in_meta_operand(call, 0);
            if value.is_some_and(later) {
                continue;
            }
            if let Some(value) = value
                && let Some(variable) = module.meta_operand(call, 1)
                && let Some(ty) = variable.operands().get(VARIABLE_TYPE).and_then(|ty| ty.meta())
            {
                if VALUES_WITHOUT_TYPE.iter().any(|&opcode| is_instruction(value, opcode)) {
                    if module.attached(value, kind).is_none() {
                        module.attach(value, kind, ty);
                    }
                } else if let Some(position) = parameters.iter().position(|parameter| *parameter == value) {
                    let key = (function.name().into_owned(), position);
                    locals.parameter_types.entry(key).or_default().push((ty, at_first));
                }
            }
            call.erase();
        }
    }
}

/// Whether the value is the result of a helper from a header, which is going to be inlined.
fn is_helper_call(module: &LlvmModule<'_>, value: Value<'_>) -> bool {
    is_instruction(value, Opcode::LLVMCall)
        && value.callee().is_some_and(|callee| {
            matches!(callee.kind(), ValueKind::LLVMFunctionValueKind)
                && !callee.is_declaration()
                && in_header(module, callee)
        })
}

fn is_instruction(value: Value<'_>, opcode: Opcode) -> bool {
    matches!(value.kind(), ValueKind::LLVMInstructionValueKind) && value.opcode() == opcode
}

fn is_debug_call(inst: Value<'_>) -> bool {
    matches!(inst.opcode(), Opcode::LLVMCall)
        && inst.callee().is_some_and(|callee| {
            matches!(callee.kind(), ValueKind::LLVMFunctionValueKind)
                && callee.is_intrinsic()
                && callee.name().starts_with("llvm.dbg.")
        })
}

/// The parameters, with the stack slots to which the entry block stores them.
fn homes_of_parameters<'m>(function: Value<'m>) -> HashMap<Value<'m>, usize> {
    let mut homes: HashMap<Value<'m>, usize> =
        function.parameters().into_iter().enumerate().map(|(position, value)| (value, position)).collect();
    let entry = function.blocks().first().map(|block| block.instructions()).unwrap_or_default();
    for store in entry.into_iter().filter(|inst| matches!(inst.opcode(), Opcode::LLVMStore)) {
        if let (Some(value), Some(slot)) = (store.operand(0), store.operand(1))
            && let Some(&position) = homes.get(&value)
        {
            homes.insert(slot, position);
        }
    }
    homes
}

/// One local variable.
struct Local<'m> {
    ty: Meta<'m>,
    name: String,
    /// The position of the parameter that it is, if it is one.
    parameter: Option<usize>,
}

/// Reads one call of `llvm.dbg.declare` or `llvm.dbg.value`; an alloca gets its declared type.
fn collect_local<'m>(
    module: &'m LlvmModule<'_>,
    kind: u32,
    call: Value<'_>,
    homes: &HashMap<Value<'_>, usize>,
) -> Option<Local<'m>> {
    let variable = module.meta_operand(call, 1)?;
    if !matches!(variable.kind(), MetaKind::LLVMDILocalVariableMetadataKind) {
        return None;
    }
    let operands = variable.operands();
    let ty = operands.get(VARIABLE_TYPE)?.meta()?;
    let name = operands.get(VARIABLE_NAME)?.meta().map(|name| name.string().into_owned()).unwrap_or_default();
    let home = module.value_in_meta_operand(call, 0);
    if let Some(home) = home
        && is_instruction(home, Opcode::LLVMAlloca)
    {
        module.attach(home, kind, ty);
    }
    let parameter = home.and_then(|home| homes.get(&home).copied());
    Some(Local { ty, name, parameter })
}
