//! Small modules and small models, built in code.

use std::collections::HashMap;

use lockpair_entry_points::{EntryPointError, EntryPoints, Environment, Options, find};
use lockpair_env::schema::{
    CallbackRow, Context, Effect, Exactness, ExclusionRow, FunctionRow, ImplicitLock, OpsTable,
};
use lockpair_ir::{
    Block, BlockId, Callee, EntityRef, Field, FileId, FuncId, Function, Global, GlobalId, InitCell, Loc,
    LocId, LockMode, Mark, Module, Op, Operand, Param, PrimaryMap, SourceFile, StructDef, Terminator, Ty,
    TypeDef, TypeId, ValueDef,
};

/// A module in the making.
pub struct Build {
    pub module: Module,
    file: FileId,
}

impl Build {
    pub fn new() -> Build {
        let mut module = Module { name: "drv".to_owned(), ..Module::default() };
        let file = module.files.push(SourceFile { path: "/src/drv.c".to_owned() });
        Build { module, file }
    }

    pub fn loc(&mut self, line: u32) -> LocId {
        let function = format!("at{line}");
        self.module.locs.push(Loc { file: self.file, line, column: 2, function, inlined_at: None })
    }

    pub fn ty(&mut self, def: TypeDef) -> TypeId {
        self.module.types.push(def)
    }

    /// A pointer to something unknown: also good for function pointers.
    pub fn ptr(&mut self) -> TypeId {
        let void = self.ty(TypeDef::Void);
        self.ty(TypeDef::Ptr(void))
    }

    pub fn ptr_to(&mut self, ty: TypeId) -> TypeId {
        self.ty(TypeDef::Ptr(ty))
    }

    pub fn array(&mut self, elem: TypeId, count: u64) -> TypeId {
        self.ty(TypeDef::Array { elem, count })
    }

    /// A struct with the members one after the other.
    pub fn strukt(&mut self, name: &str, private: bool, members: &[(&str, TypeId)]) -> TypeId {
        let mut size = 0;
        let mut fields = Vec::new();
        for (name, ty) in members {
            fields.push(Field {
                name: (*name).to_owned(),
                offset: size,
                bits: None,
                ty: *ty,
                alias: String::new(),
            });
            size += self.module.size_of(*ty);
        }
        let name = name.to_owned();
        self.ty(TypeDef::Struct(StructDef {
            name,
            size,
            is_union: false,
            module_private: private,
            opaque: false,
            fields,
        }))
    }

    /// A struct all of whose members are pointers.
    pub fn ops(&mut self, name: &str, private: bool, members: &[&str]) -> TypeId {
        let ptr = self.ptr();
        let members: Vec<(&str, TypeId)> = members.iter().map(|m| (*m, ptr)).collect();
        self.strukt(name, private, &members)
    }

    /// A constant, internal global.
    pub fn global(&mut self, name: &str, ty: Option<TypeId>, init: &[(u64, Operand)]) -> GlobalId {
        let cell = |(offset, value): &(u64, Operand)| InitCell { offset: *offset, size: 8, value: *value };
        self.module.globals.push(Global {
            name: name.to_owned(),
            size: ty.map_or(64, |ty| self.module.size_of(ty)),
            ty,
            constant: true,
            thread_local: false,
            defined: true,
            exported: false,
            init: init.iter().map(cell).collect(),
            loc: None,
        })
    }

    /// A defined, internal function with pointer parameters and one block.
    pub fn func(&mut self, name: &str, params: usize) -> FuncId {
        let loc = self.loc(u32::try_from(100 + self.module.funcs.len()).unwrap());
        let mut func = Function { exported: false, loc: Some(loc), ..Function::declaration(name) };
        for _ in 0..params {
            let value = func.values.push(ValueDef { ty: Ty::Ptr, inst: None });
            func.params.push(Param { value, ty: Ty::Ptr, decl: None, constant: false, name: String::new() });
        }
        func.blocks.push(Block { insts: Vec::new(), term: Terminator::Ret(None), term_loc: None });
        self.module.funcs.push(func)
    }

    pub fn declare(&mut self, name: &str) -> FuncId {
        self.module.funcs.push(Function::declaration(name))
    }

    pub fn param(&self, f: FuncId, index: usize) -> Operand {
        Operand::Value(self.module.funcs[f].params[index].value)
    }

    /// Appends an instruction to the function's block.
    pub fn op(&mut self, f: FuncId, op: Op, result: Option<Ty>, loc: Option<LocId>) -> Operand {
        let func = &mut self.module.funcs[f];
        let (inst, value) = func.add_inst(op, result, loc);
        func.blocks[BlockId::new(0)].insts.push(inst);
        value.map_or(Operand::Null, Operand::Value)
    }

    pub fn call(&mut self, f: FuncId, callee: FuncId, args: &[Operand]) -> Operand {
        let op = Op::Call { callee: Callee::Func(callee), args: args.to_vec() };
        self.op(f, op, Some(Ty::Ptr), None)
    }

    pub fn call_pointer(&mut self, f: FuncId, pointer: Operand, args: &[Operand]) -> Operand {
        let op = Op::Call { callee: Callee::Indirect(pointer, None), args: args.to_vec() };
        self.op(f, op, Some(Ty::Ptr), None)
    }

    pub fn field(&mut self, f: FuncId, base: Operand, offset: i64, within: TypeId) -> Operand {
        let op = Op::PtrAdd { base, offset, scaled: vec![], within: Some(within) };
        self.op(f, op, Some(Ty::Ptr), None)
    }

    pub fn element(&mut self, f: FuncId, base: Operand, index: Operand, scale: i64) -> Operand {
        let op = Op::PtrAdd { base, offset: 0, scaled: vec![(index, scale)], within: None };
        self.op(f, op, Some(Ty::Ptr), None)
    }

    pub fn load(&mut self, f: FuncId, addr: Operand) -> Operand {
        self.op(f, Op::Load { addr, mark: Mark::Plain }, Some(Ty::Ptr), None)
    }

    pub fn store(&mut self, f: FuncId, addr: Operand, value: Operand) {
        let loc = self.loc(50);
        self.op(f, Op::Store { addr, value, mark: Mark::Plain }, None, Some(loc));
    }

    pub fn alloca(&mut self, f: FuncId, size: u64, ty: Option<TypeId>) -> Operand {
        self.op(f, Op::Alloca { size, count: Operand::int(64, 1), ty }, Some(Ty::Ptr), None)
    }

    pub fn find(&self, env: &Env) -> EntryPoints {
        self.try_find(env).unwrap()
    }

    /// `name role` of each entry point found.
    pub fn roles(&self, env: &Env) -> Vec<String> {
        roles(self.try_find(env))
    }

    /// As the pipeline does it.
    fn try_find(&self, env: &Env) -> Result<EntryPoints, EntryPointError> {
        let mut module = self.module.clone();
        lockpair_entry_points::share_structs(&mut module, &[], env, false);
        find(&module, &[], env, &Options::default())
    }

    pub fn roles_with(&self, env: &Env, options: &Options) -> Vec<String> {
        roles(find(&self.module, &[], env, options))
    }
}

fn roles(found: Result<EntryPoints, EntryPointError>) -> Vec<String> {
    let eps = found.map(|eps| eps.items).unwrap_or_else(|_| PrimaryMap::new());
    eps.values().map(|ep| format!("{} {}", ep.name, ep.role)).collect()
}

/// An environment model.
#[derive(Default)]
pub struct Env {
    tables: HashMap<String, OpsTable>,
    callbacks: HashMap<String, CallbackRow>,
    functions: HashMap<String, FunctionRow>,
    unshared: HashMap<String, String>,
}

impl Environment for Env {
    fn table(&self, strukt: &str) -> Option<&OpsTable> {
        self.tables.get(strukt)
    }
    fn callback(&self, class: &str) -> Option<&CallbackRow> {
        self.callbacks.get(class)
    }
    fn row_of(&self, module: &Module, func: FuncId) -> Option<&FunctionRow> {
        self.functions.get(&module.funcs[func].name)
    }
    fn is_called_by_rows(&self, strukt: &str, field: &str) -> bool {
        self.functions.values().any(|row| row.calls(strukt, field))
    }
    fn other_users(&self, function: &str, files: &[&str]) -> Option<Vec<&str>> {
        let users = self.unshared.get(function)?;
        Some(Some(users.as_str()).into_iter().filter(|file| !files.contains(file)).collect())
    }

    fn is_state(&self, _class: &str) -> bool {
        false
    }

    fn exclusion(&self, _class: &str) -> Option<&ExclusionRow> {
        None
    }
}

impl Env {
    /// Adds a row `struct.field` with locks `class[ shared]@address`.
    pub fn row(mut self, name: &str, locks: &[&str]) -> Env {
        let strukt = name.split('.').next().unwrap().to_owned();
        let table = self.tables.entry(strukt.clone());
        table.or_insert(OpsTable::new(&strukt)).fields.push(callback_row(name, locks));
        self
    }

    /// The functions in this ops struct run only within calls.
    pub fn within_calls(mut self, strukt: &str) -> Env {
        self.tables.get_mut(strukt).unwrap().fields.iter_mut().for_each(|row| row.entry = false);
        self
    }

    /// Says that only this file mentions a function.
    pub fn unshared(mut self, function: &str, file: &str) -> Env {
        self.unshared.insert(function.to_owned(), file.to_owned());
        self
    }

    pub fn callback(mut self, class: &str, locks: &[&str]) -> Env {
        self.callbacks.insert(class.to_owned(), callback_row(class, locks));
        self
    }

    pub fn function(mut self, name: &str, effects: Vec<Effect>) -> Env {
        let row = FunctionRow {
            name: name.to_owned(),
            effects,
            noreturn: false,
            exact: Exactness::AtMost,
            uncalled: false,
            address_only: vec![],
            evidence: None,
        };
        self.functions.insert(name.to_owned(), row);
        self
    }

    /// A function that only compares the functions that it gets.
    pub fn compares(mut self, name: &str) -> Env {
        self = self.function(name, vec![]);
        self.functions.get_mut(name).unwrap().uncalled = true;
        self
    }

    /// A function that registers its `callback`-th argument for the handle arg0.
    pub fn registers(self, name: &str, class: &str, callback: u32) -> Env {
        let handle = "arg0".parse().unwrap();
        let effect = Effect::Register {
            class: class.to_owned(),
            handle,
            into: None,
            callback: Some(callback),
            argument: None,
            through: None,
            stays: false,
            until: None,
            if_zero: None,
        };
        self.function(name, vec![effect])
    }

    pub fn releases(self, name: &str, class: &str) -> Env {
        let lock = format!("global:{class}").parse().unwrap();
        self.function(
            name,
            vec![Effect::Release { class: class.to_owned(), mode: LockMode::Exclusive, lock }],
        )
    }
}

pub fn lock(text: &str) -> ImplicitLock {
    let (class, addr) = text.split_once('@').unwrap();
    let mode = if class.ends_with(" shared") { LockMode::Shared } else { LockMode::Exclusive };
    ImplicitLock {
        class: class.trim_end_matches(" shared").to_owned(),
        mode,
        addr: addr.parse().unwrap(),
        by_table: false,
    }
}

fn callback_row(name: &str, locks: &[&str]) -> CallbackRow {
    CallbackRow {
        name: name.to_owned(),
        context: Context::Process,
        runs_as: None,
        begins: None,
        table_in: None,
        locks: locks.iter().map(|text| lock(text)).collect(),
        handles: vec![],
        same: vec![],
        call_owned: vec![],
        data: vec![],
        of_table: vec![],
        once: false,
        entry: true,
        own: false,
        binds: false,
        unbinds: false,
        from: None,
        held: None,
        itself: None,
        holder: None,
        assumed: false,
        evidence: None,
    }
}

/// The model that most tests use.
pub fn env() -> Env {
    Env::default()
        .row("module.init", &["module-load@global:load"])
        .row("module.exit", &["module-load@global:load", "module-ref@global:ref"])
        .row("file_operations.read", &["session shared@arg0", "module-ref shared@global:ref"])
        .row("file_operations.open", &["session@arg1", "module-ref shared@global:ref"])
        .row("file_operations.poll", &["session shared@arg0", "module-ref shared@global:ref"])
        .row("net_device_ops.ndo_open", &["rtnl@global:rtnl"])
        .row("net_device_ops.ndo_stop", &["rtnl@global:rtnl"])
        .row("net_device_ops.ndo_get_stats", &["rtnl shared@global:rtnl"])
        .row("work_struct.func", &["work@arg0"])
        .callback("irq", &["irq@arg0"])
        .registers("request_irq", "irq", 1)
        .releases("rtnl_unlock", "rtnl")
}
