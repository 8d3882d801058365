//! The text forms of address expressions and amounts, both ways: what an attribute holds.
//!
//! ```text
//! address := base step*
//! base    := 'arg' N | 'global:' name | 'table' | 'ret' | 'fresh' | 'cpu' | 'own:arg' N
//! step    := (':' struct)? ('.' | '->') member | '->*'
//! amount  := term ('+' term)*
//! term    := N | '0x' N | 'arg' N | 'arg' N '*' 'arg' N | 'pointee(arg' N ')' | 'bitmap(arg' N ')'
//!           | 'sizeof(' struct ')' | 'any' | 'object'
//! ```

use std::fmt;
use std::str::FromStr;

use crate::schema::{AddrExpr, Amount, Base, POINTER, Step};

/// Why a text is no address or amount: one sentence.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct TextError(pub String);

const BASES: &str = "an address starts with arg0, arg1, ..., own:arg0, global:name, table, ret or cpu";

/// Whether the text is a C identifier.
pub(crate) fn is_ident(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Splits the longest identifier off the front.
fn split_ident(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    text.split_at(end)
}

/// `argN`: the index.
pub(crate) fn parse_arg(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("arg")?;
    if digits.is_empty() || digits.len() > 3 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok()
}

/// A decimal or hexadecimal number.
pub(crate) fn parse_number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(hex) if hex.bytes().all(|b| b.is_ascii_hexdigit()) => u64::from_str_radix(hex, 16).ok(),
        Some(_) => None,
        None if text.bytes().all(|b| b.is_ascii_digit()) => text.parse().ok(),
        None => None,
    }
}

fn parse_base(text: &str) -> Result<(Base, &str), TextError> {
    let (word, rest) = split_ident(text);
    match word {
        "table" => Ok((Base::Table, rest)),
        "ret" => Ok((Base::Ret, rest)),
        "fresh" => Ok((Base::Fresh, rest)),
        "function" => Ok((Base::Function, rest)),
        "cpu" => Ok((Base::Cpu, rest)),
        "own" => {
            let (arg, rest) = split_ident(rest.strip_prefix(':').unwrap_or(""));
            let wrong = || TextError(format!("`{text}` is no CPU's own copy: write own:arg0"));
            Ok((Base::Own(parse_arg(arg).ok_or_else(wrong)?), rest))
        }
        "global" => {
            let (name, rest) = split_ident(rest.strip_prefix(':').unwrap_or(""));
            if !is_ident(name) {
                return Err(TextError(format!("`{text}` names no global: write global:name")));
            }
            Ok((Base::Global(name.to_owned()), rest))
        }
        _ => match parse_arg(word) {
            Some(index) => Ok((Base::Param(index), rest)),
            None => Err(TextError(format!("`{text}` is no address: {BASES}"))),
        },
    }
}

fn parse_step(text: &str) -> Result<(Step, &str), TextError> {
    if let Some(rest) = text.strip_prefix("->*") {
        return Ok((Step { field: POINTER.to_owned(), deref: true, strukt: None }, rest));
    }
    let (strukt, rest) = match text.strip_prefix(':') {
        Some(rest) => {
            let (name, rest) = split_ident(rest);
            if !is_ident(name) {
                return Err(TextError(format!("`{text}` names no struct: write :struct.member")));
            }
            (Some(name.to_owned()), rest)
        }
        None => (None, text),
    };
    let (deref, rest) = if let Some(rest) = rest.strip_prefix("->") {
        (true, rest)
    } else if let Some(rest) = rest.strip_prefix('.') {
        (false, rest)
    } else {
        return Err(TextError(format!("`{text}` is no member access: write .member or ->member")));
    };
    let (field, rest) = split_ident(rest);
    if !is_ident(field) {
        return Err(TextError(format!("`{text}` names no member: write .member or ->member")));
    }
    Ok((Step { field: field.to_owned(), deref, strukt }, rest))
}

impl FromStr for AddrExpr {
    type Err = TextError;

    fn from_str(text: &str) -> Result<AddrExpr, TextError> {
        let (base, mut rest) = parse_base(text)?;
        let mut steps = Vec::new();
        while !rest.is_empty() {
            let (step, after) = parse_step(rest)?;
            steps.push(step);
            rest = after;
        }
        Ok(AddrExpr { base, steps })
    }
}

impl fmt::Display for AddrExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.base {
            Base::Param(index) => write!(f, "arg{index}")?,
            Base::Global(name) => write!(f, "global:{name}")?,
            Base::Table => write!(f, "table")?,
            Base::Ret => write!(f, "ret")?,
            Base::Fresh => write!(f, "fresh")?,
            Base::Function => write!(f, "function")?,
            Base::Cpu => write!(f, "cpu")?,
            Base::Own(index) => write!(f, "own:arg{index}")?,
        }
        for step in &self.steps {
            if let Some(strukt) = &step.strukt {
                write!(f, ":{strukt}")?;
            }
            write!(f, "{}{}", if step.deref { "->" } else { "." }, step.field)?;
        }
        Ok(())
    }
}

fn parse_term(text: &str) -> Result<Amount, TextError> {
    let wrong = || {
        TextError(format!(
            "`{text}` is no amount: allowed are a number, argN, argN*argM, pointee(argN), bitmap(argN), \
             sizeof(struct), pointer, any, member, object, and sums"
        ))
    };
    let inside = |name: &str| text.strip_prefix(name)?.strip_prefix('(')?.strip_suffix(')');
    if text == "any" {
        Ok(Amount::Any)
    } else if text == "pointer" {
        Ok(Amount::Pointer)
    } else if text == "member" {
        Ok(Amount::Member)
    } else if text == "object" {
        Ok(Amount::Object)
    } else if let Some(arg) = inside("pointee") {
        parse_arg(arg).map(Amount::Pointee).ok_or_else(wrong)
    } else if let Some(arg) = inside("bitmap") {
        parse_arg(arg).map(Amount::Bitmap).ok_or_else(wrong)
    } else if let Some(tag) = inside("sizeof") {
        if is_ident(tag) { Ok(Amount::SizeOf(tag.to_owned())) } else { Err(wrong()) }
    } else if let Some((a, b)) = text.split_once('*') {
        Ok(Amount::Product(parse_arg(a).ok_or_else(wrong)?, parse_arg(b).ok_or_else(wrong)?))
    } else if let Some(index) = parse_arg(text) {
        Ok(Amount::Arg(index))
    } else {
        parse_number(text).filter(|_| !text.is_empty()).map(Amount::Const).ok_or_else(wrong)
    }
}

impl FromStr for Amount {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Amount, TextError> {
        let mut terms = text.split('+').map(parse_term).collect::<Result<Vec<_>, _>>()?;
        match terms.len() {
            1 => Ok(terms.remove(0)),
            _ => Ok(Amount::Sum(terms)),
        }
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Amount::Const(n) => write!(f, "{n}"),
            Amount::Arg(index) => write!(f, "arg{index}"),
            Amount::Product(a, b) => write!(f, "arg{a}*arg{b}"),
            Amount::Pointee(index) => write!(f, "pointee(arg{index})"),
            Amount::Bitmap(index) => write!(f, "bitmap(arg{index})"),
            Amount::SizeOf(tag) => write!(f, "sizeof({tag})"),
            Amount::Sum(terms) => {
                for (i, term) in terms.iter().enumerate() {
                    write!(f, "{}{term}", if i == 0 { "" } else { "+" })?;
                }
                Ok(())
            }
            Amount::Pointer => write!(f, "pointer"),
            Amount::Any => write!(f, "any"),
            Amount::Member => write!(f, "member"),
            Amount::Object => write!(f, "object"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_print_as_they_are_read() {
        for text in [
            "arg0",
            "arg12.dev",
            "arg0->priv",
            "global:rtnl",
            "table",
            "ret:net_device.dev",
            "arg0:watchdog_device->wd_data:watchdog_core_data.lock",
        ] {
            assert_eq!(text.parse::<AddrExpr>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn bad_addresses_are_refused() {
        for text in
            ["", "arg", "argx", "arg0.", "arg0->", "arg0:pci_dev", "global", "global:", "foo", "arg0 .x", "é"]
        {
            assert!(text.parse::<AddrExpr>().is_err(), "{text}");
        }
    }

    #[test]
    fn amounts_print_as_they_are_read() {
        for text in [
            "8",
            "arg1",
            "arg0*arg1",
            "pointee(arg0)",
            "bitmap(arg1)",
            "sizeof(net_device)+32+arg0",
            "any",
            "member",
            "object",
        ] {
            assert_eq!(text.parse::<Amount>().unwrap().to_string(), text);
        }
        assert_eq!("0x10".parse::<Amount>().unwrap(), Amount::Const(16));
        for text in ["", "+", "1+", "arg0*2", "sizeof()", "pointee(x)", "-1", "99999999999999999999"] {
            assert!(text.parse::<Amount>().is_err(), "{text}");
        }
    }
}
