//! The model for executions that must be real: rows say at most what functions do, which proves that nothing else happens, but
//! shows nothing. Some rows are exact besides, and only these are left here.

use crate::model::Model;
use crate::schema::{Amount, Effect, Exactness, FunctionRow};

impl Model {
    /// The same where only exact rows say anything: all other functions of theirs are as unknown as those without a row.
    pub(crate) fn with_exact_rows(&self) -> Model {
        let functions = self.functions.iter().map(|(name, row)| (name.clone(), exact_row(row))).collect();
        Model { functions, asms: Vec::new(), ..self.clone() }
    }
}

fn exact_row(row: &FunctionRow) -> FunctionRow {
    let mut row = row.clone();
    if row.exact == Exactness::AtMost {
        row.effects = vec![Effect::Unknown(Vec::new())];
        row.noreturn = false;
        return row;
    }
    // Reads of which the extent is not known are left out, so fewer races are found; and what is read of a lock that was given
    // back, for its next holder may end it at once.
    let mut given_back = Vec::new();
    row.effects.retain(|effect| match effect {
        Effect::Access { write: false, len: Amount::Any | Amount::Object, .. } => false,
        Effect::Access { write: false, addr, .. } => !given_back.contains(addr),
        // Who gives back a lock however it is held says so twice.
        Effect::Release { lock, .. } if given_back.contains(lock) => false,
        Effect::Release { lock, .. } => {
            given_back.push(lock.clone());
            true
        }
        _ => true,
    });
    for effect in &mut row.effects {
        // Who is said to get the lock waits until he has it.
        if let Effect::Acquire { success, ignorable: true, .. } = effect {
            *success = None;
        }
    }
    if row.exact == Exactness::Zero {
        // First, so that what asks whether the call succeeds knows that it does.
        row.effects.insert(0, Effect::ReturnConst(0));
    }
    row
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
        let exact = model(rows).with_exact_rows();
        assert!(exact.function("f_2").unwrap().effects.is_empty());
        let vague = exact.function("f_1").unwrap();
        assert_eq!((vague.effects.as_slice(), vague.noreturn), (&[Effect::Unknown(Vec::new())][..], false));
    }

    #[test]
    fn who_gets_the_lock_waits_and_what_is_read_somewhere_is_left_out() {
        let rows = "<function name='f' exact='zero'><read addr='arg1' len='any'/>\
                    <acquire class='mutex' lock='arg0' success='zero-unless-ignored'/></function>";
        let exact = model(rows).with_exact_rows();
        let effects = &exact.function("f").unwrap().effects;
        assert!(matches!(
            effects.as_slice(),
            [Effect::ReturnConst(0), Effect::Acquire { success: None, .. }]
        ));
    }

    #[test]
    fn what_is_given_back_is_touched_no_more() {
        let rows = "<function name='f' exact='yes'><release class='l' lock='arg0' mode='shared'/>\
                    <release class='l' lock='arg0'/><read addr='arg0' len='1'/><read addr='arg1' len='1'/></function>";
        let exact = model(rows).with_exact_rows();
        let effects = &exact.function("f").unwrap().effects;
        assert!(matches!(effects.as_slice(), [Effect::Release { .. }, Effect::Access { .. }]), "{effects:?}");
    }

    #[test]
    fn a_bound_is_not_exact() {
        let text = "<model><function name='f' exact='yes'><write addr='arg0' len='any'/></function></model>";
        let error = Model::parse(text, "m.xml").unwrap_err().to_string();
        assert!(error.contains("an exact row must say where it writes"), "{error}");
    }
}
