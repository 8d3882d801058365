//! Source places and call chains of an analysis, resolved for people and for machines.

use crate::verdict::{Access, Analysis};
use lockpair_entry_points::EntryPointId;
use lockpair_ir::{LocId, Module};
use std::fmt;

/// A place in the source.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    /// The file, as the compiler knows it.
    pub file: String,
    /// The line, from 1; 0 if unknown.
    pub line: u32,
    /// The column, from 1; 0 if unknown.
    pub column: u32,
}

impl Place {
    /// Resolves a place of the module.
    pub fn of(module: &Module, loc: LocId) -> Place {
        let loc = &module.locs[loc];
        Place { file: module.files[loc.file].path.clone(), line: loc.line, column: loc.column }
    }

    /// Where the driver itself does what stands at a place: out of the header functions that were inlined.
    pub fn in_driver(module: &Module, loc: LocId) -> Place {
        let mut loc = loc;
        while let Some(outer) = module.locs[loc].inlined_at
            && module.files[module.locs[loc].file].path.ends_with(".h")
        {
            loc = outer;
        }
        Place::of(module, loc)
    }

    /// The file without its directory, the line and the column: for lists, where the reader knows the files.
    pub fn short(&self) -> String {
        let name = std::path::Path::new(&self.file).file_name();
        let file = name.map_or_else(|| self.file.clone(), |name| name.to_string_lossy().into_owned());
        Place { file, ..*self }.to_string()
    }

    /// The same place with `base` taken off the front of the file's path.
    pub fn relative_to(mut self, base: Option<&std::path::Path>) -> Place {
        let shorter = base.and_then(|base| std::path::Path::new(&self.file).strip_prefix(base).ok());
        if let Some(shorter) = shorter {
            self.file = shorter.to_string_lossy().into_owned();
        }
        self
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
        }
        if self.line > 0 && self.column > 0 {
            write!(f, ":{}", self.column)?;
        }
        Ok(())
    }
}

/// One function on the way from an entry point to an access.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The function that is entered.
    pub function: String,
    /// Where it is called; none for the entry point.
    pub call: Option<Place>,
    /// Whether the call was inlined (header helpers are).
    pub inlined: bool,
}

/// The functions from the entry point to the one in whose text the access stands, outermost first.
///
/// Frames and inlined-at chains are interleaved: a call can stand in a helper that was inlined into
/// the function of the frame before.
pub fn call_chain(module: &Module, access: &Access) -> Vec<Step> {
    let mut steps = Vec::new();
    for frame in &access.stack {
        steps.extend(inlined_steps(module, frame.call));
        let call = frame.call.map(|loc| Place::of(module, loc));
        steps.push(Step { function: frame.function.clone(), call, inlined: false });
    }
    steps.extend(inlined_steps(module, access.loc));
    steps
}

/// The inlined functions that lead to a place, outermost first.
fn inlined_steps(module: &Module, loc: Option<LocId>) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut next = loc;
    while let Some(here) = next.map(|loc| &module.locs[loc]) {
        if let Some(call) = here.inlined_at {
            let call = Some(Place::of(module, call));
            steps.push(Step { function: here.function.clone(), call, inlined: true });
        }
        next = here.inlined_at;
    }
    steps.reverse();
    steps
}

/// The name of an entry point.
pub fn entry_name(analysis: &Analysis, id: EntryPointId) -> &str {
    &analysis.entry_points.items[id].name
}

/// The names of a pair of entry points.
pub fn pair_names(analysis: &Analysis, pair: (EntryPointId, EntryPointId)) -> [&str; 2] {
    [entry_name(analysis, pair.0), entry_name(analysis, pair.1)]
}

#[cfg(test)]
mod tests {
    use super::{Place, call_chain};
    use crate::verdict::{Access, By, Frame, Purpose};
    use lockpair_ir::{Loc, LocId, Mark, Module, SourceFile};

    fn module() -> Module {
        let mut module = Module::default();
        module.files.push(SourceFile { path: "/src/a.c".to_owned() });
        module
    }

    fn at(module: &mut Module, line: u32, function: &str, inlined_at: Option<LocId>) -> LocId {
        let file = module.files.keys().next().unwrap();
        module.locs.push(Loc { file, line, column: 1, function: function.to_owned(), inlined_at })
    }

    /// `entry` has `helper` inlined, which calls `work`, which has `leaf` inlined in `middle`.
    #[test]
    fn frames_and_inlined_calls_are_interleaved() {
        let mut module = module();
        let in_entry = at(&mut module, 1, "entry", None);
        let call = at(&mut module, 2, "helper", Some(in_entry));
        let in_work = at(&mut module, 3, "work", None);
        let in_middle = at(&mut module, 4, "middle", Some(in_work));
        let access = Access {
            loc: Some(at(&mut module, 5, "leaf", Some(in_middle))),
            stack: vec![
                Frame { function: "entry".to_owned(), call: None },
                Frame { function: "work".to_owned(), call: Some(call) },
            ],
            location: None,
            write: true,
            purpose: Purpose::Use,
            by: By::Instruction,
            mark: Mark::Plain,
            bit_fields: Vec::new(),
            locks: Vec::new(),
        };
        let steps = call_chain(&module, &access).into_iter();
        let steps: Vec<_> = steps.map(|s| (s.function, s.call.map(|c| c.line), s.inlined)).collect();
        let step = |function: &str, line, inlined| (function.to_owned(), line, inlined);
        assert_eq!(
            steps,
            [
                step("entry", None, false),
                step("helper", Some(1), true),
                step("work", Some(2), false),
                step("middle", Some(3), true),
                step("leaf", Some(4), true),
            ]
        );
    }

    #[test]
    fn a_place_in_an_inlined_header_function_is_its_call() {
        let mut module = module();
        let call = at(&mut module, 7, "entry", None);
        let header = module.files.push(SourceFile { path: "/include/spinlock.h".to_owned() });
        let inner = Loc {
            file: header,
            line: 376,
            column: 2,
            function: "spin_lock".to_owned(),
            inlined_at: Some(call),
        };
        let inner = module.locs.push(inner);
        assert_eq!(Place::in_driver(&module, inner).line, 7);
        assert_eq!(Place::in_driver(&module, call).line, 7);
    }

    #[test]
    fn unknown_lines_and_columns_are_not_shown() {
        let place = |line, column| Place { file: "/src/a.c".to_owned(), line, column }.to_string();
        assert_eq!([place(3, 4), place(3, 0), place(0, 4)], ["/src/a.c:3:4", "/src/a.c:3", "/src/a.c"]);
    }

    #[test]
    fn in_lists_a_file_is_its_name() {
        let place = Place { file: "/src/a.c".to_owned(), line: 3, column: 4 };
        assert_eq!(place.short(), "a.c:3:4");
    }

    #[test]
    fn only_paths_below_the_base_get_shorter() {
        let place = || Place { file: "/src/a.c".to_owned(), line: 1, column: 1 };
        assert_eq!(place().relative_to(Some("/src".as_ref())).file, "a.c");
        assert_eq!(place().relative_to(Some("/sr".as_ref())).file, "/src/a.c");
        assert_eq!(place().relative_to(None).file, "/src/a.c");
    }
}
