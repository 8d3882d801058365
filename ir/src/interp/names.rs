//! What people call objects and places.

use super::engine::Engine;
use super::memory::Origin;
use super::scenario::HEADROOM;
use super::state::State;
use crate::module::Module;
use crate::types::TypeId;

impl Engine<'_> {
    /// The name of an object, for reports.
    pub(super) fn object_name(&self, state: &State, number: u32) -> String {
        if let Some((global, cpu)) = state.memory.copied(number) {
            return format!("{} of CPU {cpu}", self.object_name(state, global));
        }
        let Some(object) = state.memory.get(number) else { return "nothing".to_owned() };
        match object.origin {
            Origin::Global(id) => self.module.globals[id].name.clone(),
            Origin::Func(id) => self.module.funcs[id].name.clone(),
            Origin::Env(index) => self.scenario.objects[index].name.clone(),
            Origin::Stack(func, _) if self.is_lazy() => {
                format!("a variable of {}", self.module.funcs[func].name)
            }
            Origin::Heap(func, _) if self.is_lazy() => {
                format!("what {} has made", self.module.funcs[func].name)
            }
            Origin::Stack(func, inst) => format!("stack:{}:{inst}", self.module.funcs[func].name),
            Origin::Heap(func, inst) => format!("heap:{}:{inst}", self.module.funcs[func].name),
            Origin::Found(holder, at) => self.found_name(state, holder, at),
            Origin::Given => "what code outside has given".to_owned(),
        }
    }

    /// `holder->member`, as far as types are declared.
    fn found_name(&self, state: &State, holder: u32, at: u64) -> String {
        match self.place_name(state, holder, at) {
            name if name.ends_with(']') => format!("*({name})"),
            name => format!("*{name}"),
        }
    }

    /// A byte of an object, for reports: `holder.member` as far as types are declared.
    pub(super) fn place_name(&self, state: &State, number: u32, at: u64) -> String {
        self.member_name(state, number, at, Module::path_at)
    }

    /// The same of a lock that begins there.
    fn lock_in(&self, state: &State, number: u32, at: u64) -> String {
        match state.memory.get(number).map(|object| object.origin) {
            Some(Origin::Global(_)) if at == 0 => self.object_name(state, number),
            _ => self.member_name(state, number, at, Module::path_to),
        }
    }

    fn member_name(
        &self,
        state: &State,
        number: u32,
        at: u64,
        path: impl Fn(&Module, TypeId, u64) -> String,
    ) -> String {
        let name = self.object_name(state, number);
        let at = at as i64 - self.headroom(state, number) as i64;
        let ty = self.declared(state, number);
        let path = ty.zip(u64::try_from(at).ok()).map(|(ty, at)| path(self.module, ty, at));
        let (base, arrow) = name.strip_prefix('*').map_or((&*name, "."), |pointer| (pointer, "->"));
        match path.filter(|path| !path.is_empty()) {
            Some(path) if path.starts_with('[') => format!("{base}{path}"),
            Some(path) => format!("{base}{arrow}{path}"),
            None if at == 0 => name,
            None => format!("{base}{arrow}[{at}]"),
        }
    }

    /// How far behind the beginning of an object the pointers to it lead.
    fn headroom(&self, state: &State, number: u32) -> u64 {
        match state.memory.get(number).map(|object| object.origin) {
            Some(Origin::Env(_)) if self.is_lazy() => HEADROOM,
            Some(Origin::Found(..) | Origin::Given) => HEADROOM,
            _ => 0,
        }
    }

    /// The declared type of what a pointer to an object points to.
    fn declared(&self, state: &State, number: u32) -> Option<TypeId> {
        match state.memory.get(number)?.origin {
            Origin::Global(id) => self.module.globals[id].ty,
            Origin::Env(index) => self.scenario.objects[index].ty,
            Origin::Found(holder, at) => {
                let at = at.checked_sub(self.headroom(state, holder))?;
                self.module.pointee(self.module.type_at(self.declared(state, holder)?, at)?)
            }
            Origin::Func(_) | Origin::Stack(..) | Origin::Heap(..) | Origin::Given => None,
        }
    }

    /// A lock or a handle, for reports.
    pub(super) fn address_name(&self, state: &State, address: u64) -> String {
        match state.memory.split(address) {
            (0, _) => format!("{address}"),
            (number, offset) if self.is_lazy() => self.lock_in(state, number, offset),
            (number, offset) => format!("{}+{offset}", self.object_name(state, number)),
        }
    }

    /// A byte, for reports: as an address, but where types may be known what is accessed there.
    pub(super) fn byte_name(&self, state: &State, number: u32, offset: u64) -> String {
        match self.is_lazy() {
            true => self.place_name(state, number, offset),
            false => format!("{}+{offset}", self.object_name(state, number)),
        }
    }
}
