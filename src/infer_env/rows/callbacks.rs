//! Rows for callbacks.

use crate::infer_env::contexts::{Context, Contexts, Site};
use crate::infer_env::digest::Lock;
use crate::infer_env::path::{Base, Member, Offset, Path};
use crate::infer_env::program::Program;
use crate::infer_env::scan::Unseen;
use crate::infer_env::types::{Type, Types};
use lockpair_env::Model;
use lockpair_env::schema;
use std::collections::{BTreeMap, BTreeSet};

/// So many calls are named in a row's evidence.
const NAMED: usize = 4;

/// A row for each member that is called through and of whose calls something is known.
pub fn callbacks(program: &Program, open: &Contexts, closed: &Contexts, unseen: &Unseen) -> Model {
    let mut model = Model::default();
    // What is in a variable of the kernel's own, or in a struct of one of its C files, no driver can give it. A row for
    // such a struct would speak of any driver's that happens to have that tag.
    let is_given = |member: &Member| !member.is_variable() && !program.types.is_in_files(&member.strukt);
    for (member, context) in closed.members.iter().filter(|(member, _)| is_given(member)) {
        let params = program.types.params(&member.strukt, &member.field);
        let sure = open.members.get(member);
        let row = row(program, member, context, sure, params.unwrap_or(&[]), &closed.sites[member], unseen);
        if row.locks.is_empty() && row.call_owned.is_empty() && row.same.is_empty() {
            continue;
        }
        let tag = member.strukt.to_string();
        let table = model.tables.entry(tag.clone());
        table.or_insert_with(|| schema::OpsTable::new(&tag)).fields.push(row);
    }
    model
}

fn row(
    program: &Program,
    member: &Member,
    context: &Context,
    sure: Option<&Context>,
    params: &[Type],
    sites: &BTreeSet<Site>,
    unseen: &Unseen,
) -> schema::CallbackRow {
    let locks = locks(&program.types, context, params);
    let sure_locks = sure.map(|sure| self::locks(&program.types, sure, params)).unwrap_or_default();
    let pointers = |owned: &BTreeSet<u32>| -> Vec<u32> {
        let is_pointer = |i: &&u32| matches!(params.get(**i as usize), Some(Type::Pointer(_)));
        owned.iter().filter(is_pointer).copied().collect()
    };
    let call_owned = pointers(&context.owned);
    let owned_for_sure = sure.map(|sure| pointers(&sure.owned)).unwrap_or_default();
    let same = same(&program.types, context, params);
    let same_for_sure = sure.map(|sure| self::same(&program.types, sure, params)).unwrap_or_default();
    let is_sure = |mine: &Written| sure_locks.iter().any(|sure| sure.lock == mine.lock);
    let assumed = !locks.iter().all(is_sure)
        || same.iter().any(|same| !same_for_sure.contains(same))
        || call_owned.iter().any(|param| !owned_for_sure.contains(param));
    schema::CallbackRow {
        name: member.to_string(),
        context: context.level,
        runs_as: None,
        begins: None,
        table_in: None,
        locks: locks.into_iter().map(|written| written.lock).collect(),
        handles: Vec::new(),
        same,
        call_owned,
        data: Vec::new(),
        of_table: Vec::new(),
        itself: None,
        holder: None,
        from: None,
        held: None,
        once: false,
        entry: true,
        own: false,
        binds: false,
        unbinds: false,
        assumed,
        evidence: Some(evidence(member, sites, unseen)),
    }
}

fn evidence(member: &Member, sites: &BTreeSet<Site>, unseen: &Unseen) -> schema::Evidence {
    let first = sites.first().expect("a member with a context is called");
    let named: Vec<&str> = sites.iter().map(|site| &*site.function).take(NAMED).collect();
    let more = if sites.len() > NAMED { " ..." } else { "" };
    let others = if unseen.fields.contains(&member.field) { "; other files may call it, too" } else { "" };
    let calls = if sites.len() == 1 { "call" } else { "calls" };
    schema::Evidence {
        file: first.file.to_string(),
        line: first.line,
        note: format!("{} {calls}: {}{more}{others}", sites.len(), named.join(" ")),
    }
}

/// A lock as a row names it, and how simple that is.
struct Written {
    rank: (u32, usize),
    lock: schema::ImplicitLock,
}

/// The locks. One may be known by several ways: the simplest is taken.
fn locks(types: &Types, context: &Context, params: &[Type]) -> Vec<Written> {
    let mut best: BTreeMap<(String, Option<Member>), Written> = BTreeMap::new();
    for lock in &context.locks {
        let Some(written) = write(types, lock, params) else { continue };
        let key = (lock.class.to_string(), lock.member.clone());
        if best.get(&key).is_none_or(|old| written.rank < old.rank) {
            best.insert(key, written);
        }
    }
    best.into_values().collect()
}

/// The parameters that are pointers to which ways lead from others. Of several ways to one, the shortest is taken.
fn same(types: &Types, context: &Context, params: &[Type]) -> Vec<schema::Same> {
    let mut best: BTreeMap<u32, (usize, schema::Same)> = BTreeMap::new();
    for same in &context.same {
        let Base::Param(from) = same.path.base else { continue };
        if !matches!(params.get(same.param as usize), Some(Type::Pointer(_))) {
            continue;
        }
        let plain = |param| schema::AddrExpr { base: schema::Base::Param(param), steps: Vec::new() };
        let Some(Type::Pointer(to)) = params.get(from as usize) else { continue };
        let Type::Struct(tag) = &**to else { continue };
        let Some(steps) = steps(types, tag, &same.path).filter(|steps| reads_pointers(types, tag, steps))
        else {
            continue;
        };
        let (length, other) = (steps.len(), schema::AddrExpr { steps, ..plain(from) });
        let written = schema::Same { addr: plain(same.param), other };
        if best.get(&same.param).is_none_or(|(known, _)| length < *known) {
            best.insert(same.param, (length, written));
        }
    }
    best.into_values().map(|(_, same)| same).collect()
}

/// Whether all that is read on a way is declared to be a pointer: the first member of a list's head changes.
fn reads_pointers(types: &Types, tag: &str, steps: &[schema::Step]) -> bool {
    let mut tag = Some(tag.to_owned());
    steps.iter().all(|step| {
        let ty = step.strukt.clone().or(tag.take()).and_then(|tag| types.named(&tag, &step.field));
        let to = match ty {
            Some(Type::Pointer(to)) if step.deref => &**to,
            Some(ty) if !step.deref => ty,
            _ => return false,
        };
        if let Type::Struct(next) = to {
            tag = Some(next.to_string());
        }
        true
    })
}

/// A lock as rows name it, over what is declared.
pub fn implicit(types: &Types, lock: &Lock, params: &[Type]) -> Option<schema::ImplicitLock> {
    write(types, lock, params).map(|written| written.lock)
}

/// A lock as rows name it; none if they cannot.
fn write(types: &Types, lock: &Lock, params: &[Type]) -> Option<Written> {
    let path = lock.path.as_ref()?;
    let written = |rank, class: &str, addr| {
        let lock = schema::ImplicitLock { class: class.to_owned(), mode: lock.mode, addr, by_table: false };
        Some(Written { rank, lock })
    };
    let plain = |base| schema::AddrExpr { base, steps: Vec::new() };
    match &path.base {
        Base::Global(global) => {
            if !path.derefs.is_empty() {
                return None;
            }
            // Two files may have static locks of one name.
            let (class, global) = match global.rsplit_once(':') {
                Some((_, short)) => (&**global, short),
                None => (&*lock.class, &**global),
            };
            let class = match (&lock.member, path.offset) {
                (_, Offset::At(0)) => class.to_owned(),
                (Some(member), _) => member.to_string(),
                (None, _) => return None,
            };
            written((0, 0), &class, plain(schema::Base::Global(global.to_owned())))
        }
        Base::Param(param) => {
            let base = schema::Base::Param(*param);
            if let Some(Type::Pointer(to)) = params.get(*param as usize)
                && let Type::Struct(tag) = &**to
                && let Some(steps) = steps(types, tag, path)
            {
                let rank = (1 + *param, steps.len());
                return written(rank, &lock.class, schema::AddrExpr { base, steps });
            }
            // Around the argument: the lock is one for each argument.
            if !path.derefs.is_empty() {
                return None;
            }
            let Offset::At(at) = path.offset else { return None };
            written((100 + *param, 0), &format!("{}@{at}", name(lock)), plain(base))
        }
        Base::Stack(_) | Base::Fresh(_) | Base::Value(_) => None,
    }
}

/// What a lock is called that has no address over the parameters.
fn name(lock: &Lock) -> String {
    lock.member.as_ref().map_or_else(|| lock.class.to_string(), Member::to_string)
}

/// The members of a path. What the last pointer leads to may be of any type, if the path ends at its start.
pub fn steps(types: &Types, tag: &str, path: &Path) -> Option<Vec<schema::Step>> {
    let mut steps = Vec::new();
    let mut tag = Some(tag.to_owned());
    for deref in &path.derefs {
        let Offset::At(at) = deref else { return None };
        let (names, ty) = types.member(tag.as_ref()?, u64::try_from(*at).ok()?)?;
        push(&mut steps, tag.as_ref()?, &names, true);
        tag = match ty {
            Type::Pointer(to) => match &**to {
                Type::Struct(next) => Some(next.to_string()),
                _ => None,
            },
            _ => None,
        };
    }
    let Offset::At(at) = path.offset else { return None };
    if at != 0 {
        let (names, _) = types.member(tag.as_ref()?, u64::try_from(at).ok()?)?;
        push(&mut steps, tag.as_ref()?, &names, false);
    }
    Some(steps)
}

fn push(steps: &mut Vec<schema::Step>, tag: &str, names: &[crate::infer_env::Symbol], deref: bool) {
    for (i, name) in names.iter().enumerate() {
        steps.push(schema::Step {
            field: name.to_string(),
            deref: deref && i + 1 == names.len(),
            strukt: (i == 0).then(|| tag.to_owned()),
        });
    }
}
