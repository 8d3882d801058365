//! What the parameters of a function have to do with each other: `open(tty, port)` is called with the port that
//! `tty->driver_data` is.
//!
//! Equal paths of one function are one pointer here as everywhere in inferred rows (assumption `stable-paths`).

use super::path::{Base, Path};
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
pub fn of_call(mine: &BTreeSet<Same>, args: &[Option<Path>]) -> BTreeSet<Same> {
    let ways: Vec<Vec<Path>> = args.iter().map(|arg| ways(mine, arg.as_ref())).collect();
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

/// The ways to an argument: its own, and those that are as good.
fn ways(mine: &BTreeSet<Same>, arg: Option<&Path>) -> Vec<Path> {
    let Some(arg) = arg else { return Vec::new() };
    let others = mine.iter().filter(|same| arg.base == Base::Param(same.param));
    std::iter::once(arg.clone()).chain(others.filter_map(|same| arg.rebased(&same.path))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infer_env::path::Offset;

    fn param(param: u32) -> Path {
        Path::of(Base::Param(param))
    }

    fn behind(path: Path, at: i64) -> Path {
        path.plus(Offset::At(at)).deref().unwrap()
    }

    #[test]
    fn what_is_read_from_an_argument_is_that_in_the_callee_too() {
        let args = [Some(param(3)), Some(behind(param(3), 8))];
        let found = of_call(&BTreeSet::new(), &args);
        assert_eq!(found, BTreeSet::from([Same { param: 1, path: behind(param(0), 8) }]));
    }

    #[test]
    fn what_callers_know_goes_on() {
        // The port in `arg0` is what `arg1` leads to, and lies at 16 in what is passed.
        let mine = BTreeSet::from([Same { param: 0, path: behind(param(1), 8).plus(Offset::At(16)) }]);
        let args = [Some(param(1)), Some(param(0).plus(Offset::At(-16)))];
        let found = of_call(&mine, &args);
        assert_eq!(found, BTreeSet::from([Same { param: 1, path: behind(param(0), 8) }]));
    }

    #[test]
    fn a_distance_is_told_once_and_another_object_says_nothing() {
        let args = [Some(param(0)), Some(param(0).plus(Offset::At(8))), Some(param(1)), None];
        let found = of_call(&BTreeSet::new(), &args);
        assert_eq!(found, BTreeSet::from([Same { param: 1, path: param(0).plus(Offset::At(8)) }]));
    }
}
