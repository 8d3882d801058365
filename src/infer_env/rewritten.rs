//! Pointers that a function has written before it follows them. A path means what is there when the function is called,
//! so a path through such a pointer leads elsewhere.

use super::accesses::{Step, What};
use super::path::{Offset, Path};
use super::touch::{Access, Len};

/// The size of a pointer.
const POINTER: i64 = 8;

/// Whether a step follows a pointer that an earlier step may have written, or that one of the writes in loops may
/// have written in an earlier iteration.
pub fn follows_written(steps: &[Step], in_loops: &[Access]) -> bool {
    let mut written: Vec<&Access> = in_loops.iter().collect();
    for step in steps {
        if paths(step).flat_map(pointers).any(|at| written.iter().any(|access| may_write(access, &at))) {
            return true;
        }
        match &step.what {
            What::Access(access) if access.write => written.push(access),
            _ => {}
        }
    }
    false
}

/// What it touches, and the locks that it has then, or has given back.
fn paths(step: &Step) -> impl Iterator<Item = &Path> {
    let state = &step.state;
    let locks = state.held.iter().chain(&state.again).filter_map(|lock| lock.path.as_ref());
    let dropped = state.dropped.iter().filter_map(|lock| lock.path.as_ref());
    std::iter::once(step.what.path()).chain(locks).chain(dropped)
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
    let end = if matches!(at.offset, Offset::At(_)) { pointer.saturating_add(POINTER) } else { i64::MAX };
    first < end && pointer < after
}
