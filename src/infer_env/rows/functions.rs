//! Rows for functions that drivers call and do not define.

use super::callbacks;
use crate::infer_env::Symbol;
use crate::infer_env::accesses::{Gives, Step, Summaries, Summary, What};
use crate::infer_env::digest::{FunctionDigest, GlobalDigest, Lock, parameter};
use crate::infer_env::locks::{Dropped, Facts, When};
use crate::infer_env::path::{Base, Offset, Path};
use crate::infer_env::program::{Func, Program};
use crate::infer_env::touch::{Access, Callback, Len, Registration, Why};
use crate::infer_env::types::Type;
use lockpair_env::Model;
use lockpair_env::schema::{self, Amount, Effect, Failure};
use lockpair_ir::{LockMode, Mark, SecondaryMap, Success};
use std::collections::{BTreeMap, BTreeSet};

/// A row of more effects costs more than it tells.
const MOST: usize = 40;

/// A row for each exported function that is followed to its end and, unless all are wanted, that nobody has written a row for.
pub fn functions(
    program: &Program,
    facts: &SecondaryMap<Func, Facts>,
    summaries: &Summaries,
    all: bool,
    model: &mut Model,
) {
    let by_hand = Model::linux_by_hand();
    for (name, row) in attempts(program, facts, summaries) {
        match row {
            Ok(row) if all || !by_hand.is_modelled(&name) => {
                model.functions.insert(name.to_string(), row);
            }
            Ok(_) => {}
            Err(why) => tracing::debug!("no row for {name}: {why}"),
        }
    }
}

/// The rows of all exported functions, or why there is none.
pub fn attempts(
    program: &Program,
    facts: &SecondaryMap<Func, Facts>,
    summaries: &Summaries,
) -> Vec<(Symbol, Result<schema::FunctionRow, Why>)> {
    let found = found(program, summaries);
    let mut all = Vec::new();
    for (func, function) in program.funcs.iter() {
        let digest = &function.digest;
        if !digest.exported || program.by_name.get(&digest.name) != Some(&func) {
            continue;
        }
        let writer = Writer { program, digest, found: &found };
        let summary = summaries[func].as_ref().expect("each function has been looked at").as_ref();
        let effects = summary.map_err(Clone::clone).and_then(|summary| writer.effects(summary, &facts[func]));
        let row = effects.map(|effects| schema::FunctionRow {
            name: digest.name.to_string(),
            evidence: Some(evidence(&function.file, digest, &effects)),
            effects,
            noreturn: false,
            exact: schema::Exactness::AtMost,
            uncalled: false,
            address_only: Vec::new(),
        });
        all.push((digest.name.clone(), row));
    }
    all
}

fn evidence(file: &str, digest: &FunctionDigest, effects: &[Effect]) -> schema::Evidence {
    let accesses = effects.iter().filter(|effect| matches!(effect, Effect::Access { .. })).count();
    let locks = effects.iter().filter(|effect| matches!(effect, Effect::Acquire { .. })).count();
    let note = match (accesses, locks) {
        (0, 0) => "touches nothing of its callers".to_owned(),
        (_, 0) => format!("{accesses} accesses"),
        _ => format!("{accesses} accesses, locks taken {locks} times"),
    };
    schema::Evidence { file: file.to_owned(), line: digest.line, note }
}

/// The variables whose address goes anywhere.
fn found(program: &Program, summaries: &Summaries) -> BTreeSet<Symbol> {
    let mut found = BTreeSet::new();
    let mut note = |path: &Path| {
        if let Path { base: Base::Global(name), derefs, .. } = path
            && derefs.is_empty()
        {
            found.insert(name.clone());
        }
    };
    for (func, function) in program.funcs.iter() {
        function.digest.kept.iter().for_each(&mut note);
        for paths in function.digest.origins.derived.values().chain(function.digest.origins.one_of.values()) {
            paths.iter().for_each(&mut note);
        }
        // What a summary does not say.
        let is_followed = |func: Func| matches!(summaries[func], Some(Ok(_)));
        for call in program.calls(func) {
            if !is_followed(func) || !program.callee(call).is_some_and(is_followed) {
                call.args.iter().flatten().for_each(&mut note);
            }
        }
        if !is_followed(func) {
            function.digest.returned().for_each(&mut note);
        }
        if let Some(Ok(summary)) = &summaries[func] {
            for step in &summary.steps {
                if let What::Publish(path) = &step.what {
                    note(path);
                }
            }
            if let Gives::OneOf(paths) = &summary.gives {
                paths.iter().for_each(&mut note);
            }
        }
    }
    found
}

struct Writer<'p> {
    program: &'p Program,
    digest: &'p FunctionDigest,
    found: &'p BTreeSet<Symbol>,
}

impl Writer<'_> {
    fn effects(&self, summary: &Summary, facts: &Facts) -> Result<Vec<Effect>, Why> {
        let mut row = Row::default();
        for step in &self.simplified(&summary.steps)? {
            self.locks(&mut row, &step.state.held, &step.state.dropped)?;
            self.step(&mut row, &step.what)?;
        }
        let always = facts.effect.takes.iter().filter(|(_, when)| *when == When::Always);
        self.locks(&mut row, &always.map(|(lock, _)| lock.clone()).collect(), &facts.effect.drops)?;
        for handle in &facts.effect.ends {
            let (class, path) = (handle.class.to_string(), &handle.path);
            let named = self.address(path).map(|handle| Effect::Unregister {
                class,
                handle,
                sync: true,
                through: None,
            });
            row.effects.extend(named);
        }
        self.result(&mut row, summary, facts)?;
        if row.effects.len() > MOST { Err(Why::TooMuch) } else { Ok(row.effects) }
    }

    /// The steps that a driver can notice, without those of which others say as much.
    fn simplified(&self, steps: &[Step]) -> Result<Vec<Step>, Why> {
        let mut kept: Vec<Step> = Vec::new();
        for step in steps {
            if self.is_private(&step.what) {
                continue;
            }
            let mut step = step.clone();
            if let What::Access(access) = &mut step.what {
                self.round(access)?;
            }
            let more = |other: &Step| other.state == step.state && says_as_much(&other.what, &step.what);
            if !kept.iter().any(more) {
                kept.retain(|old| old.state != step.state || !says_as_much(&step.what, &old.what));
                kept.push(step);
            }
        }
        Ok(kept)
    }

    /// Whether it is memory that only the kernel can name and nobody finds.
    fn is_private(&self, what: &What) -> bool {
        let path = what.path();
        let Base::Global(name) = &path.base else { return false };
        if !path.derefs.is_empty() {
            return false;
        }
        match what {
            What::Publish(_) | What::Free(_) | What::Register(_) => true,
            What::Access(access) => {
                let Some(global) = self.program.globals.get(name) else { return false };
                global.constant && !access.write || self.is_hidden(name, global)
            }
        }
    }

    /// Names of other files may be used there, too, but pointers to plain variables are not handed out.
    fn is_hidden(&self, name: &Symbol, global: &GlobalDigest) -> bool {
        let found = global.kept || self.found.contains(name);
        let plain = matches!(global.ty, Type::Other | Type::Pointer(_));
        global.defined && !global.exported && (plain || !global.external && !found)
    }

    /// What has no name is everything from the named place on.
    fn round(&self, access: &mut Access) -> Result<(), Why> {
        let unnamed = Why::Unnamed(describe(&access.at));
        let backward = matches!(access.at.offset, Offset::From(least) if least < 0);
        if access.at.offset == Offset::Any || backward && !self.is_struct(&access.at.base) {
            access.at.offset = Offset::At(0);
            access.len = Len::Object;
            return self.address(&access.at).map(|_| ()).ok_or(unnamed);
        }
        let Some(least) = access.at.offset.least().filter(|at| *at >= 0) else { return Err(unnamed) };
        let exact = Path { offset: Offset::At(least), ..access.at.clone() };
        if self.address(&exact).is_none() {
            access.at.offset = Offset::At(0);
            access.len = Len::Any;
        } else {
            if access.at.offset != exact.offset {
                access.len = Len::Any;
            }
            access.at = exact;
        }
        self.address(&access.at).map(|_| ()).ok_or(unnamed)
    }

    fn step(&self, row: &mut Row, what: &What) -> Result<(), Why> {
        match what {
            What::Publish(path) => row.effects.push(Effect::Publish {
                ptr: self.pointer(path)?,
                if_zero: false,
                unwatched: false,
            }),
            What::Free(path) => {
                let named = self.address(path).filter(|_| path.offset == Offset::At(0));
                let ptr = named.ok_or_else(|| Why::Unnamed(describe(path)))?;
                row.effects.push(Effect::Free { ptr, until: None, if_set: None });
            }
            What::Register(registration) => self.register(row, registration)?,
            What::Access(access) => {
                let addr = self.address(&access.at).ok_or_else(|| Why::Unnamed(describe(&access.at)))?;
                let len = match access.len {
                    Len::Bytes(n) => Amount::Const(n),
                    Len::Param(i) => Amount::Arg(i),
                    Len::Any => Amount::Any,
                    Len::Object => Amount::Object,
                };
                row.effects.push(Effect::Access {
                    addr,
                    len,
                    write: access.write,
                    mark: access.mark,
                    with: None,
                });
            }
        }
        Ok(())
    }

    /// Results do not tell whether it was registered.
    fn register(&self, row: &mut Row, registration: &Registration) -> Result<(), Why> {
        let Registration { class, handle, callback, argument, through, stays } = registration;
        let handle = self.address(handle).ok_or_else(|| Why::Unnamed(describe(handle)))?;
        let argument = argument.as_ref().and_then(|(n, path)| Some((*n, parameter(path)?)));
        row.effects.push(Effect::Register {
            class: class.to_string(),
            handle,
            into: None,
            callback: match callback {
                Callback::Any => None,
                Callback::Param(param) => Some(*param),
            },
            argument,
            through: through.map(schema::Through::Arg),
            stays: *stays,
            until: None,
            if_zero: Some(false),
        });
        Ok(())
    }

    /// A pointer into the object, or to one through which it can be found.
    fn pointer(&self, path: &Path) -> Result<schema::AddrExpr, Why> {
        let mut path = Path { offset: Offset::At(0), ..path.clone() };
        loop {
            if let Some(addr) = self.address(&path) {
                return Ok(addr);
            }
            if path.derefs.pop().is_none() {
                return Err(Why::Unnamed(describe(&path)));
            }
        }
    }

    /// Goes from the locks that the row has taken to those at the next step.
    fn locks(&self, row: &mut Row, held: &BTreeSet<Lock>, dropped: &BTreeSet<Dropped>) -> Result<(), Why> {
        let held: BTreeMap<String, schema::ImplicitLock> =
            held.iter().filter_map(|lock| self.lock(lock)).map(|lock| (key(&lock), lock)).collect();
        let given_back: Vec<String> =
            row.held.keys().filter(|key| !held.contains_key(*key)).cloned().collect();
        for key in given_back {
            let lock = row.held.remove(&key).expect("the key is one of it");
            row.effects.push(release(lock));
        }
        for dropped in dropped {
            let lock = self.dropped(dropped)?;
            if row.dropped.insert(key(&lock)) {
                row.effects.push(release(lock));
            }
        }
        for (key, lock) in held {
            if !row.held.contains_key(&key) {
                row.effects.push(acquire(lock.clone(), None));
                row.held.insert(key, lock);
            }
        }
        Ok(())
    }

    fn lock(&self, lock: &Lock) -> Option<schema::ImplicitLock> {
        callbacks::implicit(&self.program.types, lock, &self.digest.types)
    }

    /// A lock of the caller. What only the place of its object tells is none that the caller knows by this name.
    fn dropped(&self, dropped: &Dropped) -> Result<schema::ImplicitLock, Why> {
        let Dropped { path, class, member } = dropped.clone();
        let global = path.as_ref().is_some_and(|path| matches!(path.base, Base::Global(_)));
        let lock = Lock { path, class, mode: LockMode::Exclusive, member };
        let known = self.lock(&lock).filter(|known| global || known.class == *lock.class);
        known.ok_or_else(|| Why::Lock(self.digest.name.clone()))
    }

    fn result(&self, row: &mut Row, summary: &Summary, facts: &Facts) -> Result<(), Why> {
        let on_result = facts.effect.takes.iter().filter(|(_, when)| *when != When::Always);
        let mut tells = false;
        for (lock, when) in on_result {
            let success = if *when == When::Zero { Success::Zero } else { Success::NonZero };
            if let Some(lock) = self.lock(lock).filter(|_| !tells) {
                row.effects.push(acquire(lock, Some(success)));
                tells = true;
            }
        }
        match &summary.gives {
            Gives::Any => {}
            Gives::Fresh if tells || summary.or_null && summary.or_number => {}
            Gives::Fresh => {
                let failure = match (summary.or_null, summary.or_number) {
                    (_, true) => schema::Failure::ErrPtr,
                    _ => schema::Failure::Null,
                };
                let size = Amount::Any;
                row.effects.push(Effect::Alloc { size, zeroed: false, failure, resizes: None });
            }
            Gives::OneOf(paths) => {
                let only = if let (1, false) = (paths.len(), tells || summary.or_number) {
                    paths.first()
                } else {
                    None
                };
                match only.and_then(|path| self.returned(path, summary)) {
                    Some(effect) => row.effects.push(effect),
                    None => {
                        for path in paths.iter().filter(|path| !matches!(path.base, Base::Global(_))) {
                            row.effects.push(Effect::Publish {
                                ptr: self.pointer(path)?,
                                if_zero: false,
                                unwatched: false,
                            });
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn returned(&self, path: &Path, summary: &Summary) -> Option<Effect> {
        let Base::Param(param) = path.base else { return None };
        let writes = |step: &Step| matches!(&step.what, What::Access(access) if access.write);
        if !path.derefs.is_empty() && (summary.or_null || summary.steps.iter().any(writes)) {
            return None;
        }
        match (path.offset, path.derefs.is_empty(), summary.or_null) {
            (Offset::At(0), true, false) => Some(Effect::ReturnArg(param)),
            (Offset::At(_), _, false) if self.address(path).is_some() => {
                self.address(path).map(Effect::ReturnAddr)
            }
            (_, true, or_null) => {
                let failure = if or_null { Failure::Null } else { Failure::Never };
                Some(Effect::ReturnInto { addr: self.address(&Path::of(path.base.clone()))?, failure })
            }
            _ => None,
        }
    }

    /// Whether a pointer is one to a struct, which may be a member of another.
    fn is_struct(&self, base: &Base) -> bool {
        let Base::Param(i) = base else { return true };
        match self.digest.types.get(*i as usize) {
            Some(Type::Pointer(to)) => matches!(**to, Type::Struct(_)),
            _ => false,
        }
    }

    /// The address as rows name it.
    fn address(&self, path: &Path) -> Option<schema::AddrExpr> {
        let (base, ty) = match &path.base {
            Base::Param(i) => {
                let Some(Type::Pointer(to)) = self.digest.types.get(*i as usize) else {
                    return whole(path, schema::Base::Param(*i));
                };
                (schema::Base::Param(*i), &**to)
            }
            Base::Global(name) => {
                let base = schema::Base::Global(name.rsplit(':').next().unwrap_or(name).to_owned());
                let Some(global) = self.program.globals.get(name) else { return whole(path, base) };
                (base, &global.ty)
            }
            _ => return None,
        };
        match ty {
            Type::Struct(tag) => {
                let steps = callbacks::steps(&self.program.types, tag, path)?;
                Some(schema::AddrExpr { base, steps })
            }
            _ => whole(path, base),
        }
    }
}

/// The address of what has no members.
fn whole(path: &Path, base: schema::Base) -> Option<schema::AddrExpr> {
    let is_base = path.derefs.is_empty() && path.offset == Offset::At(0);
    is_base.then_some(schema::AddrExpr { base, steps: Vec::new() })
}

/// A row under construction.
#[derive(Default)]
struct Row {
    effects: Vec<Effect>,
    /// What it has taken and not given back.
    held: BTreeMap<String, schema::ImplicitLock>,
    /// What it has given back of its caller's.
    dropped: BTreeSet<String>,
}

fn key(lock: &schema::ImplicitLock) -> String {
    format!("{} {} {:?}", lock.class, lock.addr, lock.mode)
}

fn acquire(lock: schema::ImplicitLock, success: Option<Success>) -> Effect {
    Effect::Acquire { class: lock.class, mode: lock.mode, lock: lock.addr, success, ignorable: false }
}

fn release(lock: schema::ImplicitLock) -> Effect {
    Effect::Release { class: lock.class, mode: lock.mode, lock: lock.addr }
}

/// Whether who knows of the one knows of the other.
fn says_as_much(one: &What, other: &What) -> bool {
    match (one, other) {
        (What::Access(a), What::Access(b)) => {
            let covers = a.at == b.at && (a.len == b.len || a.len == Len::Any || a.len == Len::Object);
            let conflicts = a.write || !b.write;
            let races = a.mark == b.mark || a.mark == Mark::Plain;
            covers && conflicts && races
        }
        _ => one == other,
    }
}

fn describe(path: &Path) -> Symbol {
    format!("{:?} {:?} {:?}", path.base, path.derefs, path.offset).into()
}
