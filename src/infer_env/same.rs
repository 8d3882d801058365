//! What the parameters of a function have to do with each other: `open(tty, port)` is called with the port that
//! `tty->driver_data` is.
//!
//! Equal paths of one function are one pointer here as everywhere in inferred rows (assumption `stable-paths`).

use super::digest::{Event, FunctionDigest};
use super::path::{Base, Path};
use super::rewritten::{may_write, pointers};
use super::touch::Touch;
use std::collections::BTreeSet;

/// A parameter that is a pointer to which a way leads from a parameter.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Same {
    /// The parameter.
    pub param: u32,
    /// The way, which begins at a parameter.
    pub path: Path,
}

/// What the arguments of a call have to do with each other, in a function of whose parameters that much is known.
pub fn of_call(caller: &FunctionDigest, mine: &BTreeSet<Same>, args: &[Option<Path>]) -> BTreeSet<Same> {
    let args = args.iter().map(|arg| arg.as_ref().filter(|path| !may_change(caller, path)));
    let ways: Vec<Vec<Path>> = args.map(|arg| ways(mine, arg)).collect();
    let mut all = BTreeSet::new();
    for (param, to) in ways.iter().enumerate() {
        for (from, starts) in ways.iter().enumerate() {
            let paths =
                to.iter().flat_map(|to| starts.iter().map(move |start| to.seen_from(from as u32, start)));
            // Of two pointers into one object, each is at a distance from the other: that is said once.
            let says = |path: &Path| from < param || !path.derefs.is_empty();
            let param = param as u32;
            all.extend(paths.flatten().filter(says).map(|path| Same { param, path }));
        }
    }
    all
}

/// Whether a pointer on the way may be another one by now: the function writes there, or has it from a function that may
/// have taken it away.
fn may_change(func: &FunctionDigest, path: &Path) -> bool {
    let taken_away = |from: &Path| {
        !from.derefs.is_empty() && from.base == path.base && path.derefs.starts_with(&from.derefs)
    };
    let writes = |event: &Event| match event {
        Event::Touch(Touch::Access(access), _) if access.write => {
            pointers(path).any(|at| may_write(access, &at))
        }
        _ => false,
    };
    func.returned_from.iter().any(taken_away)
        || func.blocks.iter().flat_map(|block| &block.events).any(writes)
}

/// The ways to an argument: its own, and those that are as good.
fn ways(mine: &BTreeSet<Same>, arg: Option<&Path>) -> Vec<Path> {
    let Some(arg) = arg else { return Vec::new() };
    let others = mine.iter().filter(|same| arg.base == Base::Param(same.param));
    std::iter::once(arg.clone()).chain(others.filter_map(|same| arg.rebased(&same.path))).collect()
}
