//! The front end on small C inputs (`tests/frontend`), on drivers where the kernel's source is
//! installed, and on damaged bitcode.

use super::*;
use lockpair_ir::{
    AssumptionKind, BinOp, Callee, CmpOp, Function, Mark, Op, Operand, Ordering, RmwOp, Terminator, Ty,
    TypeDef, TypeId,
};
use std::sync::LazyLock;

fn input(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/frontend").join(name)
}

fn load_ok(names: &[&str]) -> Loaded {
    let inputs: Vec<PathBuf> = names.iter().map(|name| input(name)).collect();
    let loaded = load(&inputs, &Options::default(), &is_modelled)
        .unwrap_or_else(|error| panic!("{error}\n{:?}", error.details()));
    check(&loaded);
    loaded
}

fn load_plain(inputs: &[PathBuf]) -> Result<Loaded, FrontendError> {
    load(inputs, &Options::default(), &is_modelled)
}

/// What must hold of everything that is loaded.
fn check(loaded: &Loaded) {
    if let Err(errors) = lockpair_ir::verify(&loaded.module) {
        let text: Vec<String> = errors.iter().map(ToString::to_string).collect();
        panic!("{}: {}", loaded.module.name, text.join("\n"));
    }
}

fn is_modelled(name: &str) -> bool {
    name == "modelled_helper"
}

static CONSTRUCTS: LazyLock<Loaded> = LazyLock::new(|| load_ok(&["constructs.c"]));

fn func(name: &str) -> &'static Function {
    func_in(&CONSTRUCTS.module, name)
}

fn func_in<'a>(module: &'a Module, name: &str) -> &'a Function {
    &module.funcs[module.func_named(name).unwrap_or_else(|| panic!("no function {name}"))]
}

fn ops(function: &Function) -> Vec<&Op> {
    let insts = function.blocks.values().flat_map(|block| &block.insts);
    insts.map(|&inst| &function.insts[inst].op).collect()
}

fn terminators(function: &Function) -> Vec<&Terminator> {
    function.blocks.values().map(|block| &block.term).collect()
}

/// The paths that the address computations of a function go, as `struct.path`.
fn paths(function: &Function) -> Vec<String> {
    let module = &CONSTRUCTS.module;
    let within = |op: &&Op| match op {
        Op::PtrAdd { within: Some(ty), offset, .. } => {
            let name = &module.as_struct(*ty).unwrap().name;
            Some(format!("{name}.{}", module.path_at(*ty, *offset as u64)))
        }
        _ => None,
    };
    ops(function).iter().filter_map(within).collect()
}

fn strukt(name: &str) -> (TypeId, &'static lockpair_ir::StructDef) {
    let module = &CONSTRUCTS.module;
    let id = module.struct_named(name).unwrap_or_else(|| panic!("no struct {name}"));
    (id, module.as_struct(id).unwrap())
}

macro_rules! has {
    ($function:expr, $pattern:pat $(if $guard:expr)?) => {
        assert!(
            ops($function).iter().any(|op| matches!(op, $pattern $(if $guard)?)),
            "{} lacks {}: {:#?}", $function.name, stringify!($pattern), ops($function)
        )
    };
}

#[test]
fn nothing_is_unsupported() {
    let items: Vec<_> = CONSTRUCTS.ledger.iter().filter(|a| a.kind == AssumptionKind::Unsupported).collect();
    assert!(items.is_empty(), "{items:?}");
}

#[test]
fn parameters_have_names_and_declared_types() {
    let function = func("field_path");
    let names: Vec<&str> = function.params.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["o", "i"]);
    let module = &CONSTRUCTS.module;
    let TypeDef::Ptr(to) = module.types[function.params[0].decl.unwrap()] else { panic!() };
    assert_eq!(to, strukt("outer").0);
    assert_eq!((function.params[0].ty, function.params[1].ty), (Ty::Ptr, Ty::Int(64)));
}

#[test]
fn field_paths_stay_whole_and_say_their_struct() {
    let paths = paths(func("field_path"));
    assert_eq!(paths[0], "outer.items[].first", "{paths:?}");
    has!(func("field_path"), Op::PtrAdd { within: None, scaled, .. } if scaled.len() == 1 && scaled[0].1 == 16);
    assert_eq!(paths[1..], ["inner.as_long", "anon2.high"], "{paths:?}");
    assert_eq!(self::paths(func("array_element")), ["inner.first"]);
    has!(func("array_element"), Op::PtrAdd { within: None, scaled, .. } if scaled.len() == 1);
}

#[test]
fn the_first_member_keeps_its_path() {
    assert_eq!(paths(func("first_field")), ["inner.first"]);
}

#[test]
fn structs_are_as_declared() {
    let (_, outer) = strukt("outer");
    assert!(outer.module_private);
    let field = |name: &str| outer.fields.iter().find(|f| f.name == name).unwrap();
    assert_eq!((field("flag_b").bits, field("flag_b").offset), (Some(7), 0));
    assert_eq!(field("wide").bits, Some(40));
    assert_eq!(field("ready").bits, None);
    let module = &CONSTRUCTS.module;
    assert_eq!(module.size_of(field("items").ty), 64);
    let TypeDef::Array { elem, count: 16 } = module.types[field("name").ty] else { panic!() };
    assert_eq!(module.types[elem], TypeDef::Int { bits: 8, is_char: true });
    assert_eq!(module.as_struct(field("count").ty).unwrap().name, "counter_t");
    let TypeDef::Ptr(opaque) = module.types[field("opaque").ty] else { panic!() };
    assert_eq!((module.as_struct(opaque).unwrap().name.as_str(), module.size_of(opaque)), ("opaque_type", 0));
    let TypeDef::Ptr(callback) = module.types[field("callback").ty] else { panic!() };
    assert!(matches!(&module.types[callback], TypeDef::Func { params, .. } if params.len() == 2));
    let (inner, def) = strukt("inner");
    assert_eq!(module.field_named(inner, "high").unwrap().0, 10);
    let anonymous = module.as_struct(def.fields[1].ty).unwrap();
    assert!(anonymous.is_union && anonymous.name.starts_with("anon"));
}

#[test]
fn accesses_are_marked() {
    has!(func("volatile_access"), Op::Store { mark: Mark::Volatile, .. });
    has!(func("volatile_access"), Op::Load { mark: Mark::Volatile, .. });
    has!(func("atomic_access"), Op::Store { mark: Mark::Atomic(Ordering::Release), .. });
    has!(func("atomic_access"), Op::Load { mark: Mark::Atomic(Ordering::Acquire), .. });
    has!(func("read_modify_write"), Op::Rmw { op: RmwOp::Add, order: Ordering::Relaxed, .. });
    has!(func("read_modify_write"), Op::Access { write: true, mark: Mark::Atomic(Ordering::SeqCst), .. });
    has!(func("bit_field"), Op::Load { mark: Mark::Plain, .. });
}

#[test]
fn compare_exchange_tells_success_by_the_old_value() {
    has!(func("compare_exchange"), Op::CmpXchg { order: Ordering::AcqRel, .. });
    has!(func("compare_exchange"), Op::Cmp(CmpOp::Eq, Operand::Value(_), Operand::Value(_)));
}

#[test]
fn overflow_is_a_comparison_or_arbitrary() {
    has!(func("overflow"), Op::Bin(BinOp::Add, ..));
    has!(func("overflow"), Op::Cmp(CmpOp::Ult, ..));
    has!(func("overflow"), Op::Bin(BinOp::Mul, ..));
    has!(func("overflow"), Op::Havoc);
}

#[test]
fn switches_keep_their_cases() {
    let terms = terminators(func("switching"));
    let cases = terms.iter().find_map(|term| match term {
        Terminator::Switch { cases, .. } => Some(cases.iter().map(|(value, _)| *value).collect::<Vec<_>>()),
        _ => None,
    });
    assert_eq!(cases.unwrap(), [1, 2, 3, 0xffff_ffff]);
}

#[test]
fn assembly_keeps_text_and_may_jump() {
    has!(func("asm_goto"), Op::Call { callee: Callee::Asm(asm), .. } if asm.template.contains("btl"));
    let jumps = |term: &&Terminator| matches!(term, Terminator::Switch { cases, .. } if cases.len() == 1);
    assert!(terminators(func("asm_goto")).iter().any(jumps));
    has!(func("asm_outputs"), Op::Call { callee: Callee::Asm(_), args } if !args.is_empty());
    has!(func("asm_outputs"), Op::Extract { index: 1, .. });
    assert!(terminators(func("computed_goto")).iter().any(jumps));
}

#[test]
fn calls_and_memory_intrinsics() {
    has!(func("indirect_call"), Op::Call { callee: Callee::Indirect(Operand::Value(_), None), args } if args.len() == 2);
    has!(func("copies"), Op::MemCopy { len: Operand::Int { .. }, .. });
    has!(func("copies"), Op::MemSet { .. });
    has!(func("variadic"), Op::Access { write: true, .. });
    assert!(func("variadic").variadic);
    has!(func("floating"), Op::Havoc);
    has!(func("wide"), Op::Bin(BinOp::Add, _, Operand::Int { bits: 128, value }) if *value == 1 << 100);
}

#[test]
fn structs_by_value_map_to_parameters() {
    let function = func("by_value");
    assert_eq!(function.params.len(), 3);
    assert_eq!(function.params[0].decl, None);
    let TypeDef::Ptr(to) = CONSTRUCTS.module.types[function.params[2].decl.unwrap()] else { panic!() };
    assert_eq!(to, strukt("big").0);
}

#[test]
fn pointers_and_integers() {
    let function = func("pointer_arithmetic");
    has!(function, Op::PtrAdd { within: None, offset, .. } if *offset < 0);
    has!(function, Op::Cast(lockpair_ir::CastOp::IntToPtr, _));
    has!(function, Op::Cast(lockpair_ir::CastOp::PtrToInt, _));
}

#[test]
fn locals_have_their_declared_type() {
    let inner = strukt("inner").0;
    has!(func("escaping_local"), Op::Alloca { ty: Some(ty), size: 16, .. } if *ty == inner);
}

#[test]
fn helpers_from_headers_are_inlined_and_modelled_ones_are_not() {
    let module = &CONSTRUCTS.module;
    assert!(module.func_named("header_helper").is_none());
    assert!(!func("modelled_helper").is_defined());
    let user = func("helper_user");
    let load = user.insts.values().find(|inst| matches!(inst.op, Op::Load { .. })).unwrap();
    let loc = &module.locs[load.loc.unwrap()];
    assert_eq!(loc.function, "header_helper");
    assert!(module.files[loc.file].path.ends_with("tests/frontend/helpers.h"));
    let outer = &module.locs[loc.inlined_at.unwrap()];
    assert_eq!((outer.function.as_str(), outer.inlined_at), ("helper_user", None));
    assert!(outer.line > 0 && outer.column > 0);
}

#[test]
fn recursive_helpers_do_not_hang() {
    assert!(func("recursion_user").is_defined());
}

#[test]
fn globals_have_initial_values() {
    let module = &CONSTRUCTS.module;
    let shared = module.global_named("shared").unwrap();
    let global = &module.globals[shared];
    assert!(global.defined && !global.exported && !global.constant);
    assert_eq!(global.ty, Some(strukt("outer").0));
    let next = strukt("outer").1.fields.iter().find(|f| f.name == "next").unwrap().offset;
    let cell = |offset: u64| global.init.iter().find(|c| c.offset == offset).map(|c| c.value);
    assert_eq!(cell(next), Some(Operand::Global(shared, 0)));
    assert_eq!(cell(0), None);
    let middle = &module.globals[module.global_named("into_the_middle").unwrap()];
    assert!(matches!(middle.init[0].value, Operand::Global(id, offset) if id == shared && offset > 32));
    let text = &module.globals[module.global_named("long_text").unwrap()];
    assert!(text.constant && matches!(text.init[0].value, Operand::Undef(_)));
}

#[test]
fn aliases_and_sections_are_reported() {
    let start = CONSTRUCTS.module.func_named("module_start").unwrap();
    assert_eq!(CONSTRUCTS.aliases, [("init_module".to_owned(), start)]);
    let has = |symbol: &str, section: &str| CONSTRUCTS.sections.contains(&(symbol.into(), section.into()));
    assert!(has("in_section", ".init.text") && has("escaping_local", ".initcall6.init"));
}

#[test]
fn linked_files_share_types_and_keep_different_ones_apart() {
    let loaded = load_ok(&["linked_a.c", "linked_b.c"]);
    let module = &loaded.module;
    let declared = |function: &str, index: usize| {
        let TypeDef::Ptr(to) = module.types[func_in(module, function).params[index].decl.unwrap()] else {
            panic!()
        };
        module.as_struct(to).unwrap()
    };
    assert_eq!(declared("caller", 0).size, 16);
    assert_eq!(declared("caller", 0), declared("other_file", 0));
    assert_eq!((declared("caller", 1).size, declared("other_tag", 0).size), (4, 16));
    assert_ne!(declared("caller", 1).name, declared("other_tag", 0).name);
    let counters = module.globals.values().filter(|g| g.name.starts_with("counter")).count();
    assert_eq!(counters, 2);
}

fn bitcode() -> Vec<u8> {
    compile(&input("constructs.c"), &Options::default()).unwrap()
}

/// A file of its own for each test, since tests run side by side.
fn scratch(name: &str, bytes: &[u8]) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("lockpair-frontend-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let path = dir.join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn bitcode_and_source_give_the_same() {
    let path = scratch("constructs.bc", &bitcode());
    let from_bitcode = load_plain(&[path]).unwrap();
    assert_eq!(from_bitcode.module, CONSTRUCTS.module);
}

#[test]
fn textual_ir_is_read() {
    let text = b"%struct.s = type { i32, ptr }\ndefine i32 @f(ptr %p) {\n  %a = getelementptr %struct.s, ptr %p, i32 0, i32 0\n  %v = load i32, ptr %a\n  ret i32 %v\n}\n";
    let loaded = load_plain(&[scratch("small.ll", text)]).unwrap();
    check(&loaded);
    let function = func_in(&loaded.module, "f");
    assert_eq!(function.params[0].name, "p");
    assert!(loaded.module.struct_named("s").is_some());
    has!(function, Op::Load { .. });
}

fn error_of(path: PathBuf, options: &Options) -> FrontendError {
    match load(std::slice::from_ref(&path), options, &is_modelled) {
        Ok(_) => panic!("{} was loaded", path.display()),
        Err(error) => {
            assert!(!error.to_string().contains('\n'), "{error}");
            error
        }
    }
}

#[test]
fn errors_say_what_to_do() {
    let plain = Options::default();
    assert!(matches!(error_of(input("absent.c"), &plain), FrontendError::Missing(_)));
    assert!(matches!(error_of(input("helpers.h"), &plain), FrontendError::Header(_)));
    let broken = error_of(input("broken.c"), &plain);
    assert!(broken.to_string().contains("1:27: error"), "{broken}");
    assert!(broken.details().is_some());
    let absent = Options { clang: Some("/nowhere/clang".into()), ..Options::default() };
    assert!(matches!(error_of(input("broken.c"), &absent), FrontendError::ClangNotFound { .. }));
    let text = error_of(scratch("bad.ll", b"define i32 @f( {"), &plain);
    assert!(matches!(text, FrontendError::BadBitcode { .. }), "{text}");
    let elf = error_of(scratch("elf.bc", b"\x7fELF..............."), &plain);
    assert!(matches!(elf, FrontendError::BadBitcode { .. }), "{elf}");
    assert!(matches!(load_plain(&[]), Err(FrontendError::NoInput)));
}

#[test]
fn symbols_that_are_defined_twice_do_not_link() {
    let copy = scratch("copy.c", b"int only_once(void) { return 1; }");
    let again = scratch("again.c", b"int only_once(void) { return 2; }");
    let error = load_plain(&[copy, again]).unwrap_err();
    assert!(
        matches!(&error, FrontendError::Link { message, .. } if message.contains("only_once")),
        "{error}"
    );
}

/// A small generator of numbers; tests must do the same each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

#[test]
fn damaged_bitcode_never_takes_the_process_down() {
    let good = bitcode();
    let mut numbers = Numbers(7);
    let mut refused = 0;
    for round in 0..200 {
        let mut bytes = good.clone();
        if round % 4 == 0 {
            bytes.truncate(numbers.below(good.len()));
        } else {
            for _ in 0..=numbers.below(8) {
                let at = numbers.below(bytes.len());
                bytes[at] ^= 1 << numbers.below(8);
            }
        }
        let path = scratch("damaged.bc", &bytes);
        match load_plain(&[path]) {
            Ok(loaded) => check(&loaded),
            Err(error) => {
                assert!(matches!(error, FrontendError::BadBitcode { .. }), "{error}");
                refused += 1;
            }
        }
    }
    assert!(refused > 50, "only {refused} of 200 were refused");
}

/// Drivers of the installed kernel source; nothing is tested where there is none.
fn load_drivers(files: &[&str]) -> Option<Loaded> {
    let root = Path::new("/usr/src/linux-source-6.1/drivers");
    if detect_kernel().is_err() || !root.is_dir() {
        return None;
    }
    let inputs: Vec<PathBuf> = files.iter().map(|file| root.join(file)).collect();
    let keep = |name: &str| name == "spin_lock" || name == "mutex_lock";
    let loaded = load(&inputs, &Options { kernel: Kernel::Auto, ..Options::default() }, &keep);
    let loaded = loaded.unwrap_or_else(|error| panic!("{error}"));
    check(&loaded);
    let items: Vec<_> = loaded.ledger.iter().collect();
    assert!(items.is_empty(), "{items:?}");
    Some(loaded)
}

#[test]
fn nvram() {
    let Some(loaded) = load_drivers(&["char/nvram.c"]) else { return };
    let module = &loaded.module;
    let aliases: Vec<&str> = loaded.aliases.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(aliases, ["init_module", "cleanup_module"]);
    let fops = module.struct_named("file_operations").unwrap();
    let (open, _) = module.field_named(fops, "open").unwrap();
    let table = &module.globals[module.global_named("nvram_misc_fops").unwrap()];
    assert_eq!(table.ty, Some(fops));
    let cell = table.init.iter().find(|cell| cell.offset == open).unwrap();
    assert_eq!(cell.value, Operand::Func(module.func_named("nvram_misc_open").unwrap()));
    assert!(!module.as_struct(fops).unwrap().module_private);
    let open = func_in(module, "nvram_misc_open");
    let lock = module.func_named("spin_lock").unwrap();
    has!(open, Op::Call { callee: Callee::Func(f), .. } if *f == lock);
}

#[test]
fn network_drivers() {
    let Some(rtl8139) = load_drivers(&["net/ethernet/realtek/8139too.c"]) else { return };
    let private = rtl8139.module.struct_named("rtl8139_private").unwrap();
    assert!(rtl8139.module.as_struct(private).unwrap().module_private);
    let r8169 = ["r8169_main.c", "r8169_phy_config.c", "r8169_firmware.c"];
    let r8169: Vec<String> = r8169.iter().map(|file| format!("net/ethernet/realtek/{file}")).collect();
    let r8169: Vec<&str> = r8169.iter().map(String::as_str).collect();
    let loaded = load_drivers(&r8169).unwrap();
    assert!(func_in(&loaded.module, "r8169_apply_firmware").is_defined());
    assert!(func_in(&loaded.module, "rtl_fw_write_firmware").is_defined());
}
