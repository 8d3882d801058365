//! What calls do with the addresses that they get.

use lockpair_env::schema::{AddrExpr, Amount, Base, CallArg, Effect, FunctionRow, Step};
use lockpair_ir::{Asm, Callee, FuncId, Operand};

use super::{Flow, Registered, Site, Target, Token, Tokens};
use crate::place::{self, Member, Place};

/// The bytes of a pointer.
const POINTER: u64 = 8;

impl Flow<'_> {
    pub(super) fn call(&mut self, site: Site, callee: &Callee, args: &[Operand]) -> Tokens {
        match callee {
            Callee::Func(f) => self.call_function(site, *f, args),
            Callee::Indirect(pointer, _) => self.call_pointer(site, *pointer, args),
            Callee::Asm(asm) => self.call_asm(site, asm, args),
        }
    }

    pub(super) fn call_function(&mut self, site: Site, f: FuncId, args: &[Operand]) -> Tokens {
        let func = &self.module.funcs[f];
        if let Some(row) = self.row(f) {
            self.call_modelled(site, &func.name, row, args)
        } else if func.is_defined() {
            self.call_defined(site, f, args)
        } else if func.name.starts_with("llvm.") {
            // The compiler's own: keeps nothing, may return an argument.
            let mut out = self.union(site.func, args);
            out.insert(Token::Unknown);
            out
        } else {
            self.escape_args(site, args)
        }
    }

    pub(super) fn call_defined(&mut self, site: Site, f: FuncId, args: &[Operand]) -> Tokens {
        let params = &self.module.funcs[f].params;
        for (index, arg) in args.iter().enumerate() {
            let tokens = self.tokens(site.func, *arg);
            match params.get(index) {
                Some(param) => self.add_to_value(f, param.value, &tokens),
                None => self.escape_all(&tokens, site.loc),
            }
        }
        for param in params.iter().skip(args.len()) {
            self.add_to_value(f, param.value, &Tokens::from([Token::Unknown]));
        }
        self.returns.get(&f).cloned().unwrap_or_default()
    }

    pub(super) fn call_pointer(&mut self, site: Site, pointer: Operand, args: &[Operand]) -> Tokens {
        let mut out = Tokens::new();
        for token in self.addressed(site.func, pointer) {
            out.extend(match token {
                Token::Func(f) => {
                    self.note_called(f, args.len());
                    self.call_function(site, f, args)
                }
                Token::Global(_) | Token::Stack(..) | Token::Unknown => self.escape_args(site, args),
            });
        }
        out
    }

    /// Assembly keeps the values it gets; operands in memory (`*m`) are read and written, not kept.
    pub(super) fn call_asm(&mut self, site: Site, asm: &Asm, args: &[Operand]) -> Tokens {
        for (index, arg) in args.iter().enumerate() {
            if is_memory_operand(&asm.constraints, index) {
                self.put_anything(site, *arg);
            } else {
                self.escape_operand(site, *arg);
            }
        }
        Tokens::from([Token::Unknown])
    }

    pub(super) fn call_modelled(
        &mut self,
        site: Site,
        name: &str,
        row: &FunctionRow,
        args: &[Operand],
    ) -> Tokens {
        let mut out = Tokens::from([Token::Unknown]);
        let mut callbacks = Vec::new();
        for effect in &row.effects {
            match effect {
                Effect::Register { class, callback: Some(index), .. } => {
                    callbacks.push(*index as usize);
                    self.register(site, class, name, args.get(*index as usize));
                }
                Effect::ReturnArg(index) => {
                    out.extend(args.get(*index as usize).iter().flat_map(|v| self.tokens(site.func, **v)));
                }
                Effect::ReturnAddr(addr) => {
                    if let Base::Param(index) | Base::Own(index) = addr.base {
                        out.extend(args.get(index as usize).iter().flat_map(|v| self.tokens(site.func, **v)));
                    }
                }
                Effect::Copy { dst, src, .. } => {
                    let ends: Vec<Operand> =
                        [dst, src].iter().filter_map(|end| bare_argument(end, args)).collect();
                    self.note_copy(site, &ends);
                    if let (Some(dst), Some(src)) = (bare_argument(dst, args), bare_argument(src, args)) {
                        self.copy(site, dst, src, None);
                    }
                }
                Effect::Store { addr, arg, .. } => {
                    callbacks.push(*arg as usize);
                    self.store_modelled(site, addr, args.get(*arg as usize), args);
                }
                Effect::Call { function, args: given } => {
                    if let (Base::Param(index), Some(function)) =
                        (&function.base, bare_argument(function, args))
                    {
                        callbacks.push(*index as usize);
                        self.call_within(site, function, given, args);
                    }
                }
                // No pointer, and so no function, is written in fewer bytes.
                Effect::Access { len: Amount::Const(..POINTER), .. } => {}
                Effect::Access { addr, write: true, .. } | Effect::Atomic { addr, .. } => {
                    self.overwrite(site, addr, args);
                }
                _ => {}
            }
        }
        self.escape_from_modelled(site, row, args, &callbacks);
        out
    }

    /// A modelled function calls one that it gets before it comes back, with what its row says.
    fn call_within(&mut self, site: Site, function: Operand, given: &[CallArg], args: &[Operand]) {
        let given: Vec<Tokens> = given.iter().map(|arg| self.given(site, arg, args)).collect();
        for token in self.addressed(site.func, function) {
            match token {
                Token::Func(f) if self.module.funcs[f].is_defined() && self.row(f).is_none() => {
                    let params = &self.module.funcs[f].params;
                    self.note_called(f, params.len());
                    for (index, param) in params.iter().enumerate() {
                        let unknown = Tokens::from([Token::Unknown]);
                        self.add_to_value(f, param.value, given.get(index).unwrap_or(&unknown));
                    }
                    let returned = self.returns.get(&f).cloned().unwrap_or_default();
                    self.escape_all(&returned, site.loc);
                }
                Token::Func(_) | Token::Global(_) | Token::Stack(..) | Token::Unknown => {
                    self.escape(token, site.loc);
                    given.iter().for_each(|tokens| self.escape_all(tokens, site.loc));
                }
            }
        }
    }

    /// What a function gets that a modelled one calls. A pointer that is stored in an object is no longer followed.
    fn given(&mut self, site: Site, arg: &CallArg, args: &[Operand]) -> Tokens {
        let Some(address) = arg.address() else { return Tokens::from([Token::Unknown]) };
        let Some(base) = argument(address, args) else { return Tokens::from([Token::Unknown]) };
        if address.steps.iter().any(|step| step.deref) {
            self.escape_operand(site, base);
            return Tokens::from([Token::Unknown]);
        }
        self.tokens(site.func, base)
    }

    /// A modelled function puts an argument in a member (`timer_setup`): as if code stored it there.
    pub(super) fn store_modelled(
        &mut self,
        site: Site,
        addr: &AddrExpr,
        value: Option<&Operand>,
        args: &[Operand],
    ) {
        let tokens = value.map(|v| self.tokens(site.func, *v)).unwrap_or_default();
        let member = self.named_member(addr);
        match (argument(addr, args), addr.steps.as_slice()) {
            (Some(object), [] | [Step { deref: false, .. }]) => {
                let targets = self.member_of(site, object, member);
                self.put(site, object, &targets, &tokens);
            }
            _ => {
                let spot = self.spots.intern(member.into_iter().collect());
                self.put_in(site, &Tokens::from([Token::Unknown]), &[Target { spot, global: None }], &tokens)
            }
        }
    }

    /// Where the member is of the struct that the operand points to: in a variable, as part of what that is declared to be.
    fn member_of(&mut self, site: Site, object: Operand, member: Option<Member>) -> Vec<Target> {
        let global = object.global();
        let places = member.as_ref().filter(|_| global.is_some()).and_then(|member| {
            let fields = &self.module.as_struct(member.ty)?.fields;
            let offset = fields.iter().find(|field| field.name == member.path)?.offset;
            let places = place::places_beyond(self.module, site.func, object, i64::try_from(offset).ok()?);
            let is_it = |m: &Member| (&m.strukt, &m.path) == (&member.strukt, &member.path);
            places.iter().all(|place| place.members.iter().any(is_it)).then_some(places)
        });
        let named = || vec![Place { members: member.into_iter().collect(), global }];
        self.interned(places.unwrap_or_else(named))
    }

    /// The member that an address ends in, if the row names its struct and the module has that.
    pub(super) fn named_member(&self, addr: &AddrExpr) -> Option<Member> {
        let step = addr.steps.last()?;
        let ty = self.module.struct_named(step.strukt.as_deref()?)?;
        let def = self.module.as_struct(ty)?;
        Some(Member {
            strukt: def.name.clone(),
            is_union: def.is_union,
            module_private: def.module_private,
            path: step.field.clone(),
            ty,
            start: 0,
        })
    }

    /// A modelled function puts something in the object that the argument points to.
    pub(super) fn overwrite(&mut self, site: Site, addr: &AddrExpr, args: &[Operand]) {
        if let Some(arg) = argument(addr, args) {
            self.put_anything(site, arg);
        }
    }

    /// What a modelled function keeps: a function that is not its callback, an object if the row may.
    pub(super) fn escape_from_modelled(
        &mut self,
        site: Site,
        row: &FunctionRow,
        args: &[Operand],
        callbacks: &[usize],
    ) {
        for (index, arg) in args.iter().enumerate() {
            let keeps = keeps_object(row, args, index);
            for token in self.tokens(site.func, *arg) {
                let leaves = match token {
                    Token::Func(_) => !row.uncalled && !callbacks.contains(&index),
                    Token::Global(_) | Token::Stack(..) => keeps,
                    Token::Unknown => false,
                };
                if leaves {
                    self.escape(token, site.loc);
                }
            }
        }
    }

    pub(super) fn register(&mut self, site: Site, class: &str, by: &str, callback: Option<&Operand>) {
        let tokens = callback.map(|v| self.tokens(site.func, *v)).unwrap_or_default();
        for token in tokens {
            let Token::Func(func) = token else { continue };
            let fact = Registered { func, class: class.to_owned(), by: by.to_owned(), loc: site.loc };
            if !self.registered.contains(&fact) {
                self.registered.push(fact);
            }
        }
    }

    pub(super) fn register_effect(&mut self, site: Site, class: &str, callback: Option<Operand>) -> Tokens {
        self.register(site, class, class, callback.as_ref());
        Tokens::new()
    }
}

/// The argument that the address starts at.
fn argument(addr: &AddrExpr, args: &[Operand]) -> Option<Operand> {
    match addr.base {
        Base::Param(index) => args.get(index as usize).copied(),
        Base::Global(_) | Base::Table | Base::Ret | Base::Fresh | Base::Function | Base::Cpu => None,
        Base::Own(of) => args.get(of as usize).copied(),
    }
}

/// The argument, if the address is just that.
fn bare_argument(addr: &AddrExpr, args: &[Operand]) -> Option<Operand> {
    argument(addr, args).filter(|_| addr.steps.is_empty())
}

/// Whether the function may keep the address of an object that it gets as this argument. A row without
/// effects says nothing of it.
fn keeps_object(row: &FunctionRow, args: &[Operand], index: usize) -> bool {
    let starts_at = |addr: &AddrExpr| match addr.base {
        Base::Param(n) | Base::Own(n) => n as usize == index,
        Base::Global(_) | Base::Table | Base::Ret | Base::Fresh | Base::Function | Base::Cpu => false,
    };
    let keeps = |effect: &Effect| match effect {
        Effect::Copy { dst, src, .. } => {
            // Copies between bare arguments are followed.
            starts_at(src) && (bare_argument(dst, args).is_none() || bare_argument(src, args).is_none())
        }
        // Only what is not the address may be put there.
        Effect::Atomic { addr, .. } => !starts_at(addr),
        Effect::Store { arg, .. } => *arg as usize == index,
        Effect::Acquire { .. }
        | Effect::Release { .. }
        | Effect::Alloc { .. }
        | Effect::Free { .. }
        | Effect::Access { .. }
        | Effect::Rest { .. }
        | Effect::Formatted { .. }
        | Effect::Transfer(_)
        | Effect::Fill { .. }
        | Effect::Unregister { .. }
        | Effect::ReturnArg(_)
        | Effect::ReturnAddr(_)
        | Effect::ReturnConst(_)
        | Effect::ReturnData
        | Effect::ReturnError(_) => false,
        // Followed into what is called, if that is an argument.
        Effect::Call { function, .. } => bare_argument(function, args).is_none(),
        // Publishing, registering.
        _ => true,
    };
    row.effects.is_empty() || row.effects.iter().any(keeps)
}

/// Whether the `index`-th argument of an assembly fragment is the address of an operand in memory.
fn is_memory_operand(constraints: &str, index: usize) -> bool {
    let takes_argument = |c: &&str| !c.starts_with('~') && (!c.starts_with('=') || c.contains('*'));
    constraints.split(',').filter(takes_argument).nth(index).is_some_and(|c| c.contains('*'))
}
