//! Pointers that a function has written before it follows them. A path means what is there when the function is called,
//! so a path through such a pointer leads elsewhere.

use super::accesses::{Step, What};
use super::digest::Lock;
use super::path::{Offset, Path};
use super::touch::{Access, Len, POINTER};

/// The steps, where one that follows a pointer which an earlier step may have written, or which one of the writes in loops may
/// have written in an earlier iteration, is to some object of its type; none if such a one has no type, or ends an object or
/// registers a handle. Of locks behind such pointers it is not known which they are.
pub fn resolved(steps: &[Step], in_loops: &[Access]) -> Option<Vec<Step>> {
    let mut written: Vec<Access> = in_loops.to_vec();
    // In a later iteration, a write goes on from where an earlier one has led.
    let moved: Vec<Access> = in_loops
        .iter()
        .filter(|access| pointers(&access.at).any(|at| in_loops.iter().any(|write| may_write(write, &at))))
        .map(Access::of_type)
        .collect::<Option<_>>()?;
    written.extend(moved);
    let mut all: Vec<Step> = Vec::new();
    for step in steps {
        let step = resolve(step, &written)?;
        match &step.what {
            What::Access(access) if access.write => written.push(access.clone()),
            _ => {}
        }
        if !all.contains(&step) {
            all.push(step);
        }
    }
    Some(all)
}

fn resolve(step: &Step, written: &[Access]) -> Option<Step> {
    let is_written =
        |path: &Path| pointers(path).any(|at| written.iter().any(|access| may_write(access, &at)));
    let what = match &step.what {
        what if !is_written(what.path()) => what.clone(),
        What::Access(access) => What::Access(access.of_type()?),
        // Whoever finds what it begins with finds all that this leads to, then and before.
        What::Publish(path) => What::Publish(Path::of(path.base.clone())),
        What::Free(_) | What::Register(_) => return None,
    };
    let is_known = |lock: &Lock| !lock.path.as_ref().is_some_and(is_written);
    if step.state.dropped.iter().filter_map(|lock| lock.path.as_ref()).any(is_written) {
        return None;
    }
    let mut state = step.state.clone();
    state.held.retain(is_known);
    state.again.retain(is_known);
    Some(Step { what, state })
}

/// The places of the pointers that a path goes through.
pub(super) fn pointers(path: &Path) -> impl Iterator<Item = Path> + '_ {
    (0..path.derefs.len()).map(|n| Path {
        base: path.base.clone(),
        derefs: path.derefs[..n].to_vec(),
        offset: path.derefs[n],
    })
}

pub(super) fn may_write(access: &Access, at: &Path) -> bool {
    if access.changes_some_pointer() {
        return true;
    }
    let to = &access.at;
    if to.base != at.base || to.derefs != at.derefs {
        return false;
    }
    let (Some(first), Some(pointer)) = (to.offset.least(), at.offset.least()) else { return true };
    let after = match (to.offset, &access.len) {
        (_, Len::Object) => return true,
        (Offset::At(_), Len::Bytes(len)) => {
            i64::try_from(*len).map_or(i64::MAX, |len| first.saturating_add(len))
        }
        _ => i64::MAX,
    };
    let end =
        if matches!(at.offset, Offset::At(_)) { pointer.saturating_add(POINTER as i64) } else { i64::MAX };
    first < end && pointer < after
}
