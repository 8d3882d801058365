//! Finding entry points: the rules, in the order in which a role is given.

use std::collections::{BTreeSet, HashSet};

use lockpair_env::schema::{AddrExpr, Base, CallbackRow, Context, Same, Step};
use lockpair_ir::{AssumptionKind, FuncId, Global, GlobalId, Ledger, LocId, Module, Operand};

use crate::environment::Environment;
use crate::exclusions::is_withdrawn;
use crate::flow::{Flow, Token};
use crate::holders;
use crate::markers::{self, Marked, marker};
use crate::model::{EntryPoint, EntryPointError, EntryPoints, Escaped, Note, Options, Origin};
use crate::modules::{self, Modules};
use crate::place::{self, Member};
use crate::registered::only_registered;
use crate::shared::Exports;
use crate::spot::rows_at;

/// Finds the entry points of a module to which the environment model has not been applied: calls still name
/// functions. `aliases` are the symbols that are other names of functions (`init_module`).
pub fn find(
    module: &Module,
    aliases: &[(String, FuncId)],
    env: &dyn Environment,
    options: &Options,
) -> Result<EntryPoints, EntryPointError> {
    let marked = markers::read(module, aliases, &options.exported);
    let flow = Flow::new(module, env, &marked);
    let (out, seen, within_calls, own, not_called) = Default::default();
    let modules = options.modules.as_ref();
    let mut finder = Finder { module, env, modules, out, seen, within_calls, own, not_called };
    finder.module_functions(&marked);
    finder.program();
    finder.tables();
    finder.stores(&flow);
    finder.registrations(&flow);
    finder.exports(&marked, aliases);
    finder.escapes(&flow, &marked, options.escaped);
    // Of what has nothing else the error is the better answer.
    if options.partial && !finder.out.items.is_empty() {
        finder.other_files(&marked);
    }
    finder.trusts(&flow);
    finder.share_tables(&flow);
    finder.withdraw_exclusions();
    finder.finish()
}

struct Finder<'a> {
    module: &'a Module,
    env: &'a dyn Environment,
    modules: Option<&'a Modules>,
    out: EntryPoints,
    seen: HashSet<String>,
    /// Functions that run only in what a call of the module's does.
    within_calls: HashSet<FuncId>,
    /// Those among them that only the module calls.
    own: HashSet<FuncId>,
    /// Functions that left the module, and are assumed not to be called.
    not_called: HashSet<FuncId>,
}

/// A function in a role, before the row is applied to it.
struct Found<'a> {
    func: FuncId,
    role: String,
    row: Option<&'a CallbackRow>,
    table: Option<GlobalId>,
    /// Whether `owner` of the table keeps the module loaded; none if the table has no such field.
    owned: Option<bool>,
    origin: Origin,
}

/// The table whose rows say how a module's own functions run that no struct holds.
const MODULE: &str = "module";

impl<'a> Finder<'a> {
    /// Rule: what runs when the module is loaded and unloaded.
    fn module_functions(&mut self, marked: &Marked) {
        let table = self.env.table(MODULE);
        for (field, funcs) in [("init", &marked.init), ("exit", &marked.exit)] {
            let row = table.and_then(|t| t.field(field));
            for &func in funcs {
                let role = format!("module.{field}");
                self.add(Found { func, role, row, table: None, owned: None, origin: Origin::Module });
            }
        }
    }

    /// Rule: where a program begins.
    fn program(&mut self) {
        let Some(table) = self.env.table("program") else { return };
        for row in &table.fields {
            let function = row.name.rsplit('.').next().and_then(|name| self.module.func_named(name));
            if let Some(func) = function.filter(|&f| self.module.funcs[f].exported) {
                let (role, origin) = (row.name.clone(), Origin::Module);
                self.add(Found { func, role, row: Some(row), table: None, owned: None, origin });
                self.around_main(row);
            }
        }
    }

    /// What the first thread runs before main; and at the end, whoever ends the program, beside others.
    fn around_main(&mut self, main: &'a CallbackRow) {
        for (list, role, row) in
            [("llvm.global_ctors", "constructor", Some(main)), ("llvm.global_dtors", "destructor", None)]
        {
            let globals = self.module.globals.values().filter(|g| g.name == list);
            for cell in globals.flat_map(|g| &g.init) {
                let Operand::Func(func) = cell.value else { continue };
                let (role, origin) = (role.to_owned(), Origin::Module);
                self.add(Found { func, role, row, table: None, owned: None, origin });
            }
        }
    }

    /// Rule: functions in the initial values of globals whose declared type has a row for the field.
    fn tables(&mut self) {
        let module = self.module;
        for (id, global) in module.globals.iter() {
            let Some(ty) = global.ty.filter(|_| marker(global).is_none()) else { continue };
            for cell in &global.init {
                self.table_of_others(global, cell.value);
                let Operand::Func(func) = cell.value else { continue };
                for (member, row) in rows_at(self.env, &place::members_at(module, ty, cell.offset)) {
                    if row.holder.as_ref().is_some_and(|holder| holders::none_calls(module, id, holder)) {
                        self.note(Note::NeverCalled { func, role: row.name.clone() });
                        self.out.ledger.record(AssumptionKind::Environment, row.name.clone(), None);
                        continue;
                    }
                    let origin = Origin::Table { global: id, field: row.name.clone() };
                    let owned = self.is_owned(id, &member);
                    let role = row.name.clone();
                    self.add(Found { func, role, row: Some(row), table: Some(id), owned, origin });
                }
            }
        }
    }

    /// What the module leaves to functions of code outside (`param_ops_int`): they are no entry points, and nobody looks at what
    /// they do.
    fn table_of_others(&mut self, holder: &Global, value: Operand) {
        let Operand::Global(table, _) = value else { return };
        let table = &self.module.globals[table];
        let strukt = table.ty.and_then(|ty| self.module.as_struct(self.module.element(ty)));
        // The rows of `module` are of what a module's own file runs, not of who is in the struct of that name.
        let strukt = strukt.filter(|def| def.name != MODULE);
        let is_table = strukt.and_then(|def| self.env.table(&def.name)).is_some();
        if is_table && !table.defined {
            let subject = format!("{} for {}", table.name, holder.name);
            self.out.ledger.record(AssumptionKind::OutsideCallback, subject, holder.loc);
        }
    }

    /// Rule: functions that code stores in such fields.
    fn stores(&mut self, flow: &Flow<'a>) {
        for stored in &flow.stored {
            let has_owner = self.owner(&stored.member).is_some();
            self.add(Found {
                func: stored.func,
                role: stored.row.name.clone(),
                row: Some(stored.row),
                table: stored.table,
                owned: has_owner.then_some(false),
                origin: Origin::Stored { loc: stored.loc },
            });
        }
    }

    /// Rule: functions that are passed to registration calls.
    fn registrations(&mut self, flow: &Flow<'a>) {
        for registered in &flow.registered {
            self.add(Found {
                func: registered.func,
                role: registered.class.clone(),
                row: self.env.callback(&registered.class),
                table: None,
                owned: None,
                origin: Origin::Registered { loc: registered.loc, by: registered.by.clone() },
            });
        }
    }

    /// Rule: functions that other modules can call, unless there is none that does.
    fn exports(&mut self, marked: &Marked, aliases: &[(String, FuncId)]) {
        let exports = Exports::new(self.module, aliases, self.env);
        let mut users = Some(BTreeSet::new());
        for &func in &marked.exported {
            let function = &self.module.funcs[func];
            if exports.is_unshared(func) {
                self.out.ledger.record(AssumptionKind::UnsharedExport, &function.name, function.loc);
                continue;
            }
            users = users.zip(exports.other_users(func)).map(|(all, more)| &all | &more);
            self.add(Found::bare(func, "exported", Origin::Exported));
        }
        if let Some(users) = users.filter(|users| !users.is_empty()) {
            self.note(Note::UsedBy { files: users.into_iter().map(str::to_owned).collect() });
        }
    }

    /// Rule: functions that other files of the module can call, where these are missing.
    fn other_files(&mut self, marked: &Marked) {
        let known: HashSet<FuncId> = marked.all().collect();
        let funcs = self.module.funcs.iter().filter(|(_, func)| func.is_defined() && func.exported);
        for (func, _) in funcs.filter(|(f, _)| !known.contains(f)) {
            self.add(Found::bare(func, "extern", Origin::Exported));
        }
    }

    /// Rule: whatever else leaves the module.
    fn escapes(&mut self, flow: &Flow, marked: &Marked, escaped: Escaped) {
        let at = |(func, loc): (FuncId, Option<LocId>)| (func, loc, None);
        let kept = marked.unknown.iter().map(|&f| (f, self.module.funcs[f].loc)).map(at);
        let leaving = flow.escaped.iter().filter_map(|(token, escape)| match token {
            Token::Func(f) => Some((*f, escape.loc, flow.member_within(*escape))),
            Token::Global(_) | Token::Stack(..) | Token::Unknown => None,
        });
        let nobody = flow.kept_for_nobody().into_iter().map(at);
        let all: Vec<(FuncId, Option<LocId>, Option<String>)> = leaving.chain(nobody).chain(kept).collect();
        for (func, loc, within) in all {
            match escaped {
                _ if self.within_calls.contains(&func) => {}
                Escaped::EntryPoint => {
                    self.add(Found::bare(func, "escaped", Origin::Escaped { loc, within }));
                }
                Escaped::Assume => self.assume_not_called(func, loc),
            }
        }
    }

    fn assume_not_called(&mut self, func: FuncId, loc: Option<LocId>) {
        let target = &self.module.funcs[func];
        self.not_called.insert(func);
        if target.is_defined() {
            self.out.ledger.record(AssumptionKind::EscapedFunction, target.name.clone(), loc);
        }
    }

    fn trusts(&mut self, flow: &Flow) {
        for (member, loc) in flow.trusted_with_functions() {
            self.out.ledger.record(AssumptionKind::PrivateStruct, member, loc);
        }
    }

    /// A function of a table that code may have changed, or of which it may have made another, is called through others, too: who
    /// shares by table shares with all then, and what it gets may be another table's.
    fn share_tables(&mut self, flow: &Flow) {
        if !self.out.items.values().any(is_of_one_table) {
            return;
        }
        let fixed = only_registered(self.module, self.env);
        for ep in self.out.items.values_mut() {
            let is_copied = ep.role.split('.').next().is_some_and(|strukt| flow.copied.contains(strukt));
            let is_fixed = ep.table.is_some_and(|table| fixed.contains(&table)) && !is_copied;
            ep.locks.iter_mut().for_each(|lock| lock.by_table &= is_fixed);
            ep.of_table.retain(|_| is_fixed);
        }
    }

    /// Locks that stand for exclusions which the module does without are no locks.
    fn withdraw_exclusions(&mut self) {
        let classes: HashSet<String> =
            self.out.items.values().flat_map(|ep| &ep.locks).map(|lock| lock.class.clone()).collect();
        let is_withdrawn =
            |class: &String| self.env.exclusion(class).is_some_and(|row| is_withdrawn(self.module, row));
        let withdrawn: HashSet<String> = classes.into_iter().filter(is_withdrawn).collect();
        for ep in self.out.items.values_mut() {
            ep.locks.retain(|lock| !withdrawn.contains(&lock.class));
        }
    }

    fn finish(mut self) -> Result<EntryPoints, EntryPointError> {
        let within = self.within_calls.difference(&self.own).copied();
        let called = self.out.items.values().map(|ep| ep.func).chain(within);
        self.out.outside = Some(called.chain(self.not_called).collect());
        if self.out.items.is_empty() {
            return Err(EntryPointError::NoneFound { module: self.module.name.clone() });
        }
        Ok(self.out)
    }

    /// Where the struct that the member is in says which module stays loaded.
    fn owner(&self, member: &Member) -> Option<u64> {
        let name = self.env.table(&member.strukt)?.owner();
        Some(self.module.field_named(member.ty, name)?.0)
    }

    /// Whether the owner in the struct of the initial value that the member is in is not null.
    fn is_owned(&self, global: GlobalId, member: &Member) -> Option<bool> {
        let at = member.start + self.owner(member)?;
        let cell = self.module.globals[global].init.iter().find(|cell| cell.offset == at);
        Some(cell.is_some_and(|cell| match cell.value {
            Operand::Global(..) => true,
            Operand::Int { value, .. } => value != 0,
            Operand::Func(_) | Operand::Null | Operand::Undef(_) | Operand::Value(_) => false,
        }))
    }

    /// Adds an entry point, unless there is one that is called in the same way.
    fn add(&mut self, found: Found<'a>) {
        let func = &self.module.funcs[found.func];
        if !func.is_defined() {
            let subject = format!("{} as {}", func.name, found.role);
            self.out.ledger.record(AssumptionKind::OutsideCallback, subject, None);
            return;
        }
        if let Some(row) = found.row.filter(|row| !row.entry && self.is_within_calls(row)) {
            self.within_calls.insert(found.func);
            self.own.extend(row.own.then_some(found.func));
            self.out.ledger.record(AssumptionKind::Environment, row.name.clone(), None);
            return;
        }
        let mut ep = found.entry_point(self.module);
        self.drop_what_has_no_address(&mut ep);
        if found.owned == Some(false) {
            self.drop_module_reference(&mut ep);
        }
        if let Some(modules) = self.modules {
            modules.place(&mut ep, found.owned);
        }
        if !self.seen.insert(call_key(&ep)) {
            return;
        }
        ep.name = unique_name(&self.out, &ep.name);
        record_row(&mut self.out.ledger, &ep, found.row);
        self.out.items.push(ep);
    }

    /// Whether the module calls a function whose row calls what lies in the member, if there are such functions: where it leaves that
    /// to another module, the functions in the member are entry points like others.
    fn is_within_calls(&self, row: &CallbackRow) -> bool {
        let Some((strukt, field)) = row.name.split_once('.') else { return true };
        let calls = |func| self.env.row_of(self.module, func).is_some_and(|row| row.calls(strukt, field));
        !self.env.is_called_by_rows(strukt, field) || self.module.funcs.keys().any(calls)
    }

    fn drop_module_reference(&mut self, ep: &mut EntryPoint) {
        let before = ep.locks.len();
        ep.locks.retain(|lock| lock.class != modules::REFERENCE);
        if ep.locks.len() < before {
            self.note(Note::OwnerUnset { table: ep.table, role: ep.role.clone() });
        }
    }

    /// Without the parameter or the table, nobody can tell which lock or handle the row means.
    fn drop_what_has_no_address(&mut self, ep: &mut EntryPoint) {
        let count = self.module.funcs[ep.func].params.len();
        let missing = |param: u32| param as usize >= count;
        let beyond = |addr: &AddrExpr| match addr.base {
            Base::Param(param) if missing(param) => Some(param),
            Base::Param(_) | Base::Global(_) | Base::Table | Base::Ret | Base::Fresh | Base::Function => None,
            Base::Cpu | Base::Own(_) => None,
        };
        let of_locks = ep.locks.iter().filter_map(|lock| beyond(&lock.addr));
        let of_handles = ep.handles.iter().filter_map(|handle| beyond(&handle.addr));
        let of_same = |same: &Same| [beyond(&same.addr), beyond(&same.other)].into_iter().flatten();
        // Rows of several fields list the parameters of all of them as owned: that is nothing to note.
        let params: Vec<u32> = of_locks.chain(of_handles).chain(ep.same.iter().flat_map(of_same)).collect();
        let has_table = ep.table.is_some();
        let known = |addr: &AddrExpr| beyond(addr).is_none() && (has_table || addr.base != Base::Table);
        ep.locks.retain(|lock| known(&lock.addr));
        ep.handles.retain(|handle| known(&handle.addr));
        ep.same.retain(|same| known(&same.addr) && known(&same.other));
        ep.call_owned.retain(|param| !missing(*param));
        ep.data.retain(|param| !missing(*param));
        ep.of_table.retain(|param| has_table && !missing(*param));
        for param in params {
            self.note(Note::MissingParameter { func: ep.func, role: ep.role.clone(), param });
        }
    }

    fn note(&mut self, note: Note) {
        if !self.out.notes.contains(&note) {
            self.out.notes.push(note);
        }
    }
}

impl Found<'_> {
    /// A function of which nothing is known but that it is called.
    fn bare(func: FuncId, role: &str, origin: Origin) -> Self {
        Found { func, role: role.to_owned(), row: None, table: None, owned: None, origin }
    }

    fn entry_point(&self, module: &Module) -> EntryPoint {
        EntryPoint {
            name: module.funcs[self.func].name.clone(),
            func: self.func,
            role: self.role.clone(),
            // The context that excludes the least.
            context: self.row.map_or(Context::Process, |row| row.context),
            runs_as: self.row.and_then(|row| row.runs_as),
            locks: self.row.map_or_else(Vec::new, |row| row.locks.clone()),
            handles: self.row.map_or_else(Vec::new, |row| row.handles.clone()),
            same: self.row.map_or_else(Vec::new, same),
            call_owned: self.row.map_or_else(Vec::new, |row| row.call_owned.clone()),
            data: self.row.map_or_else(Vec::new, |row| row.data.clone()),
            of_table: self.row.map_or_else(Vec::new, |row| row.of_table.clone()),
            once: self.row.is_some_and(|row| row.once),
            binds: self.row.is_some_and(|row| row.binds),
            unbinds: self.row.is_some_and(|row| row.unbinds),
            table: self.table,
            origin: self.origin.clone(),
        }
    }
}

/// The pointers that are one. A struct that holds the function in which it is called holds that one (`self`).
fn same(row: &CallbackRow) -> Vec<Same> {
    let own = row.itself.zip(row.name.split_once('.')).map(|(param, (strukt, field))| {
        let step = Step { field: field.to_owned(), deref: true, strukt: Some(strukt.to_owned()) };
        let other = AddrExpr { base: Base::Param(param), steps: vec![step] };
        Same { addr: AddrExpr { base: Base::Function, steps: Vec::new() }, other }
    });
    row.same.iter().cloned().chain(own).collect()
}

/// Two entry points with one key are called in the same way. The table counts only where an address uses it, or where it says
/// which driver is bound.
fn call_key(ep: &EntryPoint) -> String {
    let of_locks = ep.locks.iter().map(|lock| &lock.addr);
    let uses_table = of_locks.chain(ep.handles.iter().map(|h| &h.addr)).any(|a| a.base == Base::Table)
        || is_of_one_table(ep);
    let table = ep.table.filter(|_| uses_table || ep.binds || ep.unbinds);
    format!(
        "{:?}",
        (
            ep.func,
            ep.context,
            ep.runs_as,
            (&ep.locks, &ep.handles, &ep.same),
            (&ep.call_owned, &ep.data),
            (ep.once, ep.binds, ep.unbinds),
            table
        )
    )
}

/// Whether anything that is said of it holds only if no function of another table gets what it gets.
fn is_of_one_table(ep: &EntryPoint) -> bool {
    !ep.of_table.is_empty() || ep.locks.iter().any(|lock| lock.by_table)
}

/// `f`, or `f#2` ... if that is taken.
fn unique_name(eps: &EntryPoints, function: &str) -> String {
    let numbered = (2..).map(|n: u32| format!("{function}#{n}"));
    let mut names = std::iter::once(function.to_owned()).chain(numbered);
    names.find(|name| eps.named(name).is_none()).unwrap_or_default()
}

/// What an entry point rests on because of its row.
fn record_row(ledger: &mut Ledger, ep: &EntryPoint, row: Option<&CallbackRow>) {
    let trusted = row.filter(|_| !(ep.locks.is_empty() && ep.handles.is_empty() && ep.data.is_empty()));
    if let Some(row) = trusted {
        ledger.record(AssumptionKind::Environment, row.name.clone(), None);
    }
    if let Some(row) = row.filter(|row| row.assumed) {
        ledger.record(AssumptionKind::AssumedRow, row.name.clone(), None);
    }
    for param in &ep.call_owned {
        ledger.record(AssumptionKind::CallOwned, format!("{}: arg{param}", ep.name), None);
    }
}
