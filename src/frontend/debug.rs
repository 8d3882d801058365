//! Files and places: LLVM's debug locations to the tables of the IR.

use super::llvm::{LlvmModule, Meta, MetaKind, Value};
use lockpair_ir::{FileId, Loc, LocId, PrimaryMap, SourceFile};
use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

/// Position of the name among the operands of a `DISubprogram`.
const SUBPROGRAM_NAME: usize = 2;
/// Position of the enclosing scope among the operands of a `DILexicalBlock`.
const BLOCK_SCOPE: usize = 1;

/// The name of a function in the source, which linking never changes. (The input may have been linked.)
pub fn source_name(module: &LlvmModule<'_>, function: Value<'_>) -> String {
    let name = module.subprogram(function).map(subprogram_name).unwrap_or_default();
    if name.is_empty() { symbol_name(function) } else { name }
}

/// The symbol's name, without the mark that keeps the assembler from decorating it.
pub fn symbol_name(value: Value<'_>) -> String {
    value.name().trim_start_matches('\u{1}').to_owned()
}

fn subprogram_name(subprogram: Meta<'_>) -> String {
    let operands = subprogram.operands();
    let name = operands.get(SUBPROGRAM_NAME).and_then(|op| op.meta());
    name.map(|name| name.string().into_owned()).unwrap_or_default()
}

/// Who knows the members of what a file declares.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Known {
    /// Any code.
    Everywhere,
    /// The files of the driver, and of others next to it.
    InDriver,
    /// No other file.
    InFile,
}

/// The tables of files and places, while they grow.
pub struct Sources<'m> {
    /// The files.
    pub files: PrimaryMap<FileId, SourceFile>,
    /// The places.
    pub locs: PrimaryMap<LocId, Loc>,
    by_node: HashMap<Meta<'m>, FileId>,
    by_path: HashMap<String, FileId>,
    places: HashMap<Meta<'m>, LocId>,
    scopes: HashMap<Meta<'m>, (FileId, String)>,
    /// The directories of the files that were compiled.
    own_dirs: Vec<PathBuf>,
}

impl<'m> Sources<'m> {
    /// Empty tables; which directories are the driver's own, the module's compile units say, too.
    pub fn new(module: &'m LlvmModule<'_>, dirs: &[PathBuf]) -> Sources<'m> {
        let units = module.compile_units().into_iter().filter_map(Meta::scope_file);
        let mut own_dirs: Vec<PathBuf> = units
            .filter_map(|file| Path::new(&path_of(file)).parent().map(Path::to_owned))
            .chain(dirs.iter().cloned())
            .filter(|dir| dir.components().count() > 1)
            .collect();
        own_dirs.sort();
        own_dirs.dedup();
        Sources {
            files: PrimaryMap::new(),
            locs: PrimaryMap::new(),
            by_node: HashMap::new(),
            by_path: HashMap::new(),
            places: HashMap::new(),
            scopes: HashMap::new(),
            own_dirs,
        }
    }

    /// The file of a node.
    pub fn file(&mut self, node: Option<Meta<'m>>) -> FileId {
        let Some(node) = node else { return self.file_at(String::new()) };
        if let Some(&id) = self.by_node.get(&node) {
            return id;
        }
        let id = self.file_at(path_of(node));
        self.by_node.insert(node, id);
        id
    }

    fn file_at(&mut self, path: String) -> FileId {
        if let Some(&id) = self.by_path.get(&path) {
            return id;
        }
        let id = self.files.push(SourceFile { path: path.clone() });
        self.by_path.insert(path, id);
        id
    }

    /// Who knows what the file declares. A header in the directory tree of one of the compiled files that is not in an
    /// `include` directory is the driver's own.
    pub fn known(&self, file: FileId) -> Known {
        let path = Path::new(&self.files[file].path);
        if path.extension().is_some_and(|extension| extension == "c") {
            return Known::InFile;
        }
        let own = self.own_dirs.iter().filter_map(|dir| path.strip_prefix(dir).ok()).any(|below| {
            !below.as_os_str().is_empty() && below.components().all(|c| c.as_os_str() != "include")
        });
        if own { Known::InDriver } else { Known::Everywhere }
    }

    /// The place of a debug location.
    pub fn place(&mut self, node: Option<Meta<'m>>) -> Option<LocId> {
        let node = node?;
        if let Some(&id) = self.places.get(&node) {
            return Some(id);
        }
        let (line, column) = node.loc_position();
        let (file, function) = self.scope(node.loc_scope()?);
        let inlined_at = self.place(node.loc_inlined_at());
        let id = self.locs.push(Loc { file, line, column, function, inlined_at });
        self.places.insert(node, id);
        Some(id)
    }

    /// Where a function is defined.
    pub fn subprogram_place(&mut self, subprogram: Meta<'m>) -> LocId {
        let (file, function) = self.scope(subprogram);
        let line = subprogram.subprogram_line();
        self.locs.push(Loc { file, line, column: 0, function, inlined_at: None })
    }

    /// Where a variable is declared.
    pub fn variable_place(&mut self, variable: Meta<'m>) -> LocId {
        let (file, line) = variable.variable_place();
        let file = self.file(file);
        self.locs.push(Loc { file, line, column: 0, function: String::new(), inlined_at: None })
    }

    /// The file of a scope and the function that it is in.
    fn scope(&mut self, scope: Meta<'m>) -> (FileId, String) {
        if let Some(found) = self.scopes.get(&scope) {
            return found.clone();
        }
        let file = self.file(scope.scope_file());
        let mut outer = Some(scope);
        while let Some(node) = outer.filter(|node| is_block(*node)) {
            outer = node.operands().get(BLOCK_SCOPE).and_then(|op| op.meta());
        }
        let is_subprogram = |n: &Meta<'_>| matches!(n.kind(), MetaKind::LLVMDISubprogramMetadataKind);
        let function = outer.filter(is_subprogram).map(subprogram_name).unwrap_or_default();
        self.scopes.insert(scope, (file, function.clone()));
        (file, function)
    }
}

fn is_block(node: Meta<'_>) -> bool {
    matches!(
        node.kind(),
        MetaKind::LLVMDILexicalBlockMetadataKind | MetaKind::LLVMDILexicalBlockFileMetadataKind
    )
}

/// The path of a file, absolute where the directory is known, without `.` and `..`.
fn path_of(file: Meta<'_>) -> String {
    let (directory, name) = file.file_name();
    without_dots(&Path::new(&*directory).join(&*name)).display().to_string()
}

/// A path without `.` and `..`.
pub fn without_dots(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if clean.file_name().is_some() => {
                clean.pop();
            }
            other => clean.push(other),
        }
    }
    clean
}
