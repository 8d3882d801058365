//! The model for executions that must be real: rows say at most what functions do, which proves that nothing else happens, but
//! shows nothing. Some rows are exact besides, and only these are left here.

use crate::model::Model;
use crate::schema::{Amount, Effect, Exactness, FunctionRow};

impl Model {
    /// The same where only exact rows say anything: all other functions of theirs are as unknown as those without a row.
    /// Reads of which the extent is not known are left out, so fewer races are found.
    pub fn exactly(&self) -> Model {
        let functions = self.functions.iter().map(|(name, row)| (name.clone(), exactly(row))).collect();
        Model { functions, asms: Vec::new(), ..self.clone() }
    }
}

fn exactly(row: &FunctionRow) -> FunctionRow {
    let mut row = row.clone();
    row.effects.retain(|effect| !is_vague_read(effect));
    match row.exact {
        Exactness::AtMost => {
            row.effects = vec![Effect::Unknown(Vec::new())];
            row.noreturn = false;
        }
        // First, so that what asks whether the call succeeds knows that it does.
        Exactness::Zero => row.effects.insert(0, Effect::ReturnConst(0)),
        Exactness::Effects | Exactness::AnyResult => {}
    }
    for effect in &mut row.effects {
        // Who is said to get the lock waits until he has it.
        if let Effect::Acquire { success, ignorable: true, .. } = effect {
            *success = None;
        }
    }
    row
}

fn is_vague_read(effect: &Effect) -> bool {
    match effect {
        Effect::Access { write: false, len, .. } => matches!(len, Amount::Any | Amount::Object),
        Effect::Rest { write, .. } => !write,
        _ => false,
    }
}

/// What of a row is no more than a bound, so that it cannot be exact.
pub(crate) fn vague(effects: &[Effect]) -> Option<&'static str> {
    effects.iter().find_map(|effect| match effect {
        Effect::Access { write: true, len: Amount::Any | Amount::Object, .. } => Some("where it writes"),
        Effect::Rest { write: true, .. } | Effect::Transfer(_) => Some("where it writes"),
        Effect::Move { .. } => Some("where it moves to"),
        Effect::Call { .. } => Some("how often it calls"),
        Effect::Unknown(_) | Effect::Unsupported => Some("what it does"),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(rows: &str) -> Model {
        Model::parse(&format!("<model>{rows}</model>"), "m.xml").unwrap()
    }

    #[test]
    fn only_exact_rows_say_anything() {
        let rows = "<function name='f_*' exact='yes'/><function name='f_1' noreturn='yes'/>";
        let exact = model(rows).exactly();
        assert!(exact.function("f_2").unwrap().effects.is_empty());
        let vague = exact.function("f_1").unwrap();
        assert_eq!((vague.effects.as_slice(), vague.noreturn), (&[Effect::Unknown(Vec::new())][..], false));
    }

    #[test]
    fn who_gets_the_lock_waits_and_what_is_read_somewhere_is_left_out() {
        let rows = "<function name='f' exact='zero'><read addr='arg1' len='any'/>\
                    <acquire class='mutex' lock='arg0' success='zero-unless-ignored'/></function>";
        let exact = model(rows).exactly();
        let effects = &exact.function("f").unwrap().effects;
        assert!(matches!(
            effects.as_slice(),
            [Effect::ReturnConst(0), Effect::Acquire { success: None, .. }]
        ));
    }

    #[test]
    fn a_bound_is_not_exact() {
        let text = "<model><function name='f' exact='yes'><write addr='arg0' len='any'/></function></model>";
        let error = Model::parse(text, "m.xml").unwrap_err().to_string();
        assert!(error.contains("an exact row must say where it writes"), "{error}");
    }
}
