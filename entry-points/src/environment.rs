//! What this crate asks the environment model.

use lockpair_env::Model;
use lockpair_env::schema::{CallbackRow, ExclusionRow, FunctionRow, OpsTable};
use lockpair_ir::{FuncId, Module};

/// The rows of the environment model that finding and pairing need.
pub trait Environment {
    /// How the kernel calls the functions in an ops struct with this tag.
    fn table(&self, strukt: &str) -> Option<&OpsTable>;
    /// How the kernel calls the callbacks of a registration of this class.
    fn callback(&self, class: &str) -> Option<&CallbackRow>;
    /// What calls of a function of the module do, if a row says so rather than the function's body.
    fn row_of(&self, module: &Module, func: FuncId) -> Option<&FunctionRow>;
    /// Whether the row of any function says that it calls what lies in this member.
    fn is_called_by_rows(&self, strukt: &str, field: &str) -> bool;
    /// The files of the kernel that mention an exported function besides these; none if it is not known who does.
    fn other_users(&self, function: &str, files: &[&str]) -> Option<Vec<&str>>;
    /// Whether the class is a state of the kernel: who has such a lock does not exclude those who have the same.
    fn is_state(&self, class: &str) -> bool;
    /// What the exclusion rests on that locks on entry of this class stand for, if that is not certain.
    fn exclusion(&self, class: &str) -> Option<&ExclusionRow>;
}

impl Environment for Model {
    fn table(&self, strukt: &str) -> Option<&OpsTable> {
        Model::table(self, strukt)
    }

    fn callback(&self, class: &str) -> Option<&CallbackRow> {
        Model::callback(self, class)
    }

    /// The same choice as when the model is applied: else a body would be looked at here and replaced there.
    fn row_of(&self, module: &Module, func: FuncId) -> Option<&FunctionRow> {
        lockpair_env::apply::row_of(module, self, func)
    }

    fn is_called_by_rows(&self, strukt: &str, field: &str) -> bool {
        self.functions.values().any(|row| row.calls(strukt, field))
    }

    fn other_users(&self, function: &str, files: &[&str]) -> Option<Vec<&str>> {
        Model::other_users(self, function, files)
    }

    fn is_state(&self, class: &str) -> bool {
        self.states.contains_key(class)
    }

    fn exclusion(&self, class: &str) -> Option<&ExclusionRow> {
        self.exclusions.get(class)
    }
}
