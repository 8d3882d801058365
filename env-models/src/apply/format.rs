//! What a format of the kernel's makes of the pointers that come with it: texts (`%s`), bytes (`%*ph`, `%pM`), or what the
//! pointer leads to (`%pR`); most are only printed (Documentation/core-api/printk-formats.rst).

use std::iter::Peekable;
use std::str::Chars;

use lockpair_ir::{AssumptionKind, Callee, Global, Mark, Op, Operand, Ty, TypeId, constants};

use super::emit::is_null;
use super::site::{Site, Unresolved};
use super::uses::stored_pointee;
use crate::schema::Amount;

/// So many steps are looked back for where a text comes from.
const MOST: usize = 8;

/// What is read through an argument.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Reads {
    Nothing,
    /// A text, as far as it goes.
    Text,
    /// So many bytes.
    Bytes(u64),
    /// As many bytes as the argument before it says.
    Counted,
    /// What it leads to, however far.
    Any,
}

impl Site<'_> {
    /// Reads what a format makes of the arguments from `from` on. If it is no constant text, all pointers are taken for texts.
    pub(super) fn formatted(&mut self, text: u32, from: u32) -> Result<(), Unresolved> {
        let format = self.constant_text(self.arg(text)?);
        let rest: Vec<Operand> = self.call.args.iter().skip(from as usize).copied().collect();
        let reads = format.map_or_else(|| vec![Reads::Text; rest.len()], |format| conversions(&format));
        for (n, (&addr, reads)) in rest.iter().zip(reads).enumerate() {
            if self.func.operand_ty(addr) != Ty::Ptr || is_null(addr) || self.is_constant(addr) {
                continue;
            }
            let len = match reads {
                Reads::Nothing => continue,
                Reads::Text => {
                    self.read_text(addr)?;
                    continue;
                }
                Reads::Bytes(bytes) => Operand::int(64, u128::from(bytes)),
                Reads::Counted => match n.checked_sub(1) {
                    Some(before) => self.int(rest[before], 64, true),
                    None => continue,
                },
                Reads::Any => self.amount(&Amount::Any, 64)?,
            };
            self.emit(Op::Access { addr, len, write: false, mark: Mark::Plain });
        }
        Ok(())
    }

    fn read_text(&mut self, text: Operand) -> Result<(), Unresolved> {
        if self.is_kept_text(text) {
            return Ok(());
        }
        let (addr, len) = match self.rest_of_member(text) {
            Some((addr, rest)) => (addr, Operand::int(64, u128::from(rest))),
            None => (text, self.amount(&Amount::Any, 64)?),
        };
        self.emit(Op::Access { addr, len, write: false, mark: Mark::Plain });
        Ok(())
    }

    /// Whether code outside keeps the text, which is taken not to change meanwhile.
    pub(super) fn is_kept_text(&mut self, text: Operand) -> bool {
        let Some(whose) = self.kept_outside(text, MOST) else { return false };
        if !whose.is_empty() {
            let subject =
                format!("texts of the kernel's that are printed or copied do not change meanwhile: {whose}");
            self.ledger.record(AssumptionKind::Environment, subject, None);
        }
        true
    }

    /// Where the pointer comes from, if that is a member of a struct of the kernel's (`kobject.name`), or a function outside.
    fn kept_outside(&self, text: Operand, steps: usize) -> Option<String> {
        let Operand::Value(v) = text else { return None };
        let less = steps.checked_sub(1)?;
        match &self.func.insts[self.func.values[v].inst?].op {
            Op::Load { addr, .. } if self.is_constant_table(*addr) => Some(String::new()),
            Op::Load { addr: place, .. } => {
                let strukt = self.module.as_struct(self.struct_at(*place)?)?;
                (!strukt.module_private).then(|| strukt.name.clone())
            }
            Op::Havoc | Op::Data => Some("given by functions".to_owned()),
            Op::Call { callee: Callee::Func(f), .. } => {
                let function = &self.module.funcs[*f];
                (!function.is_defined()).then(|| function.name.clone())
            }
            Op::Phi(edges) => self.all_kept_outside(edges.iter().map(|(_, edge)| *edge), less),
            Op::Select { then, els, .. } => self.all_kept_outside([*then, *els].into_iter(), less),
            _ => None,
        }
    }

    /// The struct that has the place. Who looks at its first member has made no step to that.
    fn struct_at(&self, place: Operand) -> Option<TypeId> {
        let Operand::Value(v) = place else { return None };
        if let Some(Op::PtrAdd { within, .. }) = self.func.values[v].inst.map(|i| &self.func.insts[i].op) {
            return *within;
        }
        let param = self.func.params.iter().find(|param| param.value == v);
        let declared = param.and_then(|param| self.module.pointee(param.decl?));
        declared.or_else(|| stored_pointee(self.module, self.func, place))
    }

    /// Whether the address lies in a constant that leads to constants only.
    fn is_constant_table(&self, addr: Operand) -> bool {
        let table = constants::root(&self.module.globals, self.func, addr);
        table.is_some_and(|table| self.module.is_all_constant(table))
    }

    /// Where they come from, if all of them do so but constants.
    fn all_kept_outside(&self, mut texts: impl Iterator<Item = Operand>, steps: usize) -> Option<String> {
        let kept = |text: Operand| match self.is_constant(text) || is_null(text) {
            true => Some(String::new()),
            false => self.kept_outside(text, steps),
        };
        texts.try_fold(String::new(), |first, text| {
            kept(text).map(|whose| if first.is_empty() { whose } else { first })
        })
    }

    /// The text at the address, if it is a constant.
    fn constant_text(&self, addr: Operand) -> Option<String> {
        let Operand::Global(global, offset) = addr else { return None };
        text_in(&self.module.globals[global], u64::try_from(offset).ok()?)
    }
}

/// The text that begins there in the initial value, if that is constant and known up to its end.
fn text_in(global: &Global, from: u64) -> Option<String> {
    let mut text = String::new();
    let known = global.constant && global.defined;
    for at in (from..global.size).take_while(|_| known) {
        let cell = global.init.iter().find(|cell| cell.offset <= at && at < cell.offset + cell.size);
        match cell.map(|cell| (cell.size, cell.value)) {
            None => return Some(text),
            Some((1, Operand::Null | Operand::Int { value: 0, .. })) => return Some(text),
            Some((1, Operand::Int { value, .. })) => text.push(char::from(u8::try_from(value).ok()?)),
            Some(_) => return None,
        }
    }
    None
}

/// What is read through each argument of a format.
fn conversions(format: &str) -> Vec<Reads> {
    let mut reads = Vec::new();
    let mut rest = format.chars().peekable();
    while let Some(c) = rest.next() {
        if c == '%' {
            conversion(&mut rest, &mut reads);
        }
    }
    reads
}

/// One conversion, behind its `%`.
fn conversion(rest: &mut Peekable<Chars<'_>>, reads: &mut Vec<Reads>) {
    while rest.next_if(|c| " +-#0".contains(*c)).is_some() {}
    let width = number(rest, reads);
    if rest.next_if_eq(&'.').is_some() {
        number(rest, reads);
    }
    while rest.next_if(|c| "hlLqjzt".contains(*c)).is_some() {}
    match rest.next() {
        Some('%') | None => {}
        Some('s') => reads.push(Reads::Text),
        Some('p') => {
            let mut kind = || rest.next_if(char::is_ascii_alphanumeric);
            reads.push(match kind() {
                Some('h') => width,
                Some('M' | 'm') => Reads::Bytes(6),
                Some('I' | 'i') if matches!(kind(), Some('4')) => Reads::Bytes(4),
                Some('I' | 'i' | 'U') => Reads::Bytes(16),
                Some('a') => Reads::Bytes(8),
                Some(
                    'R' | 'r' | 'b' | 'd' | 'D' | 'g' | 'E' | 'V' | 'C' | 'N' | 't' | 'O' | 'f' | 'G' | '4',
                ) => Reads::Any,
                _ => Reads::Nothing,
            });
        }
        Some(_) => reads.push(Reads::Nothing),
    }
}

/// A width or precision: how many bytes that is for `%ph`. An asterisk takes an argument.
fn number(rest: &mut Peekable<Chars<'_>>, reads: &mut Vec<Reads>) -> Reads {
    if rest.next_if_eq(&'*').is_some() {
        reads.push(Reads::Nothing);
        return Reads::Counted;
    }
    let digits = std::iter::from_fn(|| rest.next_if(char::is_ascii_digit));
    let number =
        digits.fold(0u64, |n, c| n.saturating_mul(10).saturating_add(u64::from(c.to_digit(10).unwrap_or(0))));
    Reads::Bytes(number.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Reads::{Any, Bytes, Counted, Nothing, Text};

    #[test]
    fn conversions_say_what_is_read() {
        assert_eq!(conversions("\u{1}4plain 100%%"), []);
        assert_eq!(conversions("%s: %d %-10.5s %lu"), [Text, Nothing, Text, Nothing]);
        assert_eq!(conversions("%.*s %*ph %6ph"), [Nothing, Text, Nothing, Counted, Bytes(6)]);
        assert_eq!(
            conversions("%pM %pI4 %pI6c %pUl %pad"),
            [Bytes(6), Bytes(4), Bytes(16), Bytes(16), Bytes(8)]
        );
        assert_eq!(conversions("%p %px %pK %ps %pe %pR"), [Nothing, Nothing, Nothing, Nothing, Nothing, Any]);
        assert_eq!(conversions("%llx %zu %"), [Nothing, Nothing]);
    }
}
