//! What the kernel brings: implicit locks and handles of an entry point, as addresses.

use super::exec::Executor;
use super::pointers::member_name;
use super::state::State;
use super::thread::*;
use super::values::{self, Val};
use crate::analysis::layout::Shape;
use crate::fault::{Fault, seeded};
use lockpair_entry_points::EntryPoint;
use lockpair_env::schema::{AddrExpr, Base, Step};
use lockpair_ir::*;
use lockpair_smt::{Term, TermId, VarId};

/// Where something is that a row names.
struct Place {
    addr: Addr,
    /// For people.
    name: String,
    /// The objects of the pointers on the way.
    through: Vec<TermId>,
}

impl Executor<'_, '_> {
    /// Puts the locks that the kernel holds, and notes the handles that must be registered.
    pub(super) fn environment(
        &mut self,
        state: &mut State,
        entry: &EntryPoint,
        func: &Function,
        args: &[Val],
    ) {
        for (n, lock) in entry.locks.iter().enumerate() {
            // A lock whose address cannot be told is not held: that is only less precise.
            let Some(Place { addr, name, .. }) = self.address(&lock.addr, entry, func, args) else {
                continue;
            };
            let key = (entry.func, InstId::new(n), u32::MAX);
            let mode = if seeded(Fault::SessionExclusive) { LockMode::Exclusive } else { lock.mode };
            let id = self.lock(Lock {
                class: lock.class.clone(),
                mode,
                table: entry.table.filter(|_| lock.by_table),
                addr,
                region: None,
                shape: Shape::Wild,
                name: implicit_name(&lock.class, &lock.addr.base, &name),
                taken: Vec::new(),
                implicit: true,
                keeps_off: None,
                state: self.cx.kinds.states.contains_key(&lock.class),
                owns: None,
                key,
            });
            let shared = if lock.by_table { ", shared by the functions of one table" } else { "" };
            let subject = format!("{} holds {} on entry{shared}", entry.role, lock.class);
            self.thread.ledger.record(AssumptionKind::Environment, subject, None);
            let tru = self.thread.terms.tru();
            state.held.set_taken(id, tru, &self.thread.terms);
        }
        self.masked_on_entry(state, entry);
        self.same_pointers(entry, func, args);
        for handle in &entry.handles {
            if let Some(Place { addr, .. }) = self.address(&handle.addr, entry, func, args) {
                let subject = format!("{}: {}", entry.role, handle.class);
                let kind = match handle.bound {
                    true => AssumptionKind::BoundCallbacks,
                    false => AssumptionKind::RegisteredOnce,
                };
                self.thread.ledger.record(kind, subject, None);
                let made = matches!(handle.addr.base, Base::Fresh);
                let params = args.iter().filter(|_| made).map(|v| v.pointer().map(|p| p.addr)).collect();
                let class = handle.class.clone();
                let through = handle.through.and_then(|n| self.number_var(*args.get(n as usize)?, func, n));
                let known = Handle { class, addr, func: entry.func, made, through, params };
                if handle.bound { self.thread.bound.push(known) } else { self.thread.handles.push(known) }
            }
        }
    }

    /// Notes the pointers that are one. Where one of them cannot be told, nothing is known.
    fn same_pointers(&mut self, entry: &EntryPoint, func: &Function, args: &[Val]) {
        for same in &entry.same {
            let one = self.address(&same.addr, entry, func, args);
            let other = self.address(&same.other, entry, func, args);
            let (Some(one), Some(other)) = (one, other) else { continue };
            let subject = format!("{}: {} is {}", entry.role, same.addr, same.other);
            self.thread.ledger.record(AssumptionKind::Environment, subject, None);
            // Where the kernel has found the function, it was not null.
            let found = same.addr.base == Base::Function;
            let through = if found { Vec::new() } else { [one.through, other.through].concat() };
            self.thread.same.push(SamePointers { pointers: [one.addr, other.addr], through });
        }
    }

    fn address(
        &mut self,
        expr: &AddrExpr,
        entry: &EntryPoint,
        func: &Function,
        args: &[Val],
    ) -> Option<Place> {
        let module = self.cx.module;
        match &expr.base {
            Base::Global(name) => {
                // Globals of the kernel that the module does not mention are named by a number of their own.
                let p = match module.global_named(name) {
                    Some(g) => self.global_pointer(g, 0),
                    None => self.kernel_object(name),
                };
                Some(Place { addr: p.addr, name: name.clone(), through: Vec::new() })
            }
            Base::Table => {
                let table = entry.table?;
                let p = self.global_pointer(table, 0);
                let name = module.globals[table].name.clone();
                Some(Place { addr: p.addr, name, through: Vec::new() })
            }
            Base::Function => {
                let p = self.function_pointer(entry.func);
                let name = module.funcs[entry.func].name.clone();
                Some(Place { addr: p.addr, name, through: Vec::new() })
            }
            Base::Ret | Base::Cpu | Base::Own(_) => None,
            Base::Fresh => {
                let p = values::fresh_pointer(self.terms(), "handle");
                let off = self.terms().int(0);
                let addr = Addr { off, ..p.addr };
                Some(Place { addr, name: "handle".to_owned(), through: Vec::new() })
            }
            Base::Param(n) => {
                let param = func.params.get(*n as usize)?;
                let p = match *args.get(*n as usize)? {
                    Val::Ptr(p) => p,
                    // A number names what the kernel knows by it.
                    Val::Int(t, _) if expr.steps.is_empty() => values::pointer_of(self.terms(), t),
                    Val::Int(..) | Val::Bool(_) | Val::Opaque => return None,
                };
                let pointee = param.decl.and_then(|ty| module.pointee(ty));
                let own = entry.call_owned.contains(n);
                self.steps(&expr.steps, p, pointee, &param.name, (entry.func, own))
            }
        }
    }

    /// A parameter that is a number, with its bits.
    fn number_var(&self, arg: Val, func: &Function, n: u32) -> Option<(VarId, u16)> {
        match (arg, func.params.get(n as usize)?.ty) {
            (Val::Int(t, _), Ty::Int(bits)) => match self.thread.terms.get(t) {
                Term::Var(v) => Some((v, bits)),
                _ => None,
            },
            _ => None,
        }
    }

    /// An object of the kernel that the module has no symbol for.
    fn kernel_object(&mut self, name: &str) -> Pointer {
        let obj = self.terms().shared_var(&format!("kernel.{name}"), lockpair_smt::Sort::Int, None);
        let off = self.terms().int(0);
        Pointer { addr: Addr { obj, off }, path: None, span: None }
    }

    fn steps(
        &mut self,
        steps: &[Step],
        start: Pointer,
        pointee: Option<TypeId>,
        name: &str,
        (func, own): (FuncId, bool),
    ) -> Option<Place> {
        let module = self.cx.module;
        let (mut p, mut ty, mut text) = (start, pointee, format!("*{name}"));
        let mut through = Vec::new();
        // The struct around the members that lie in each other, and how far into it that is.
        let mut around: Option<(TypeId, u64)> = None;
        for step in steps {
            let named = step.strukt.as_deref().and_then(|tag| module.struct_named(tag));
            let strukt = named.or(ty)?;
            let (offset, field) = module.field_named(strukt, &step.field)?;
            let (outer, at) = around.filter(|_| ty == Some(strukt)).unwrap_or((strukt, 0));
            around = Some((outer, at + offset));
            let by = self.terms().int(i128::from(offset));
            p = Pointer { addr: values::advance(self.terms(), p.addr, by), path: None, span: None };
            text = format!("{}.{}", module.as_struct(strukt)?.name, member_name(module, strukt, offset));
            ty = Some(field);
            if step.deref {
                through.push(p.addr.obj);
                let lo = at + offset;
                let shape = Shape::In { strukt: outer, lo, hi: lo + 8 };
                let region = self.cx.points_to.external();
                let inst = (func, InstId::new(0));
                let loaded = self.shared_load(p.addr, region, shape, Ty::Ptr, inst, own);
                ty = module.pointee(field);
                let Val::Ptr(loaded) = self.at_start(loaded, ty, Some((shape, p.addr))) else { return None };
                p = loaded;
                around = None;
            }
        }
        Some(Place { addr: p.addr, name: text, through })
    }
}

/// How people call a lock that the kernel holds: `session(file)`, `rtnl`, and of one of several modules `module-ref(foo)`.
fn implicit_name(class: &str, base: &Base, address: &str) -> String {
    match base {
        Base::Global(name) => match name.split_once('.') {
            Some((_, which)) => format!("{class}({which})"),
            None => class.to_owned(),
        },
        Base::Param(_)
        | Base::Table
        | Base::Ret
        | Base::Fresh
        | Base::Function
        | Base::Cpu
        | Base::Own(_) => {
            format!("{class}({})", address.trim_start_matches('*'))
        }
    }
}
