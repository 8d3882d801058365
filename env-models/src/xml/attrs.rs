//! The attributes of one element, by kind of value.

use lockpair_ir::LockMode;

use crate::dom::{Attr, Element, ModelError, Source};
use crate::schema::{AddrExpr, Amount, Base, POINTER};
use crate::text::{is_ident, parse_arg};

/// An element with what is needed to complain about it.
pub(super) struct Attrs<'a> {
    pub source: &'a Source<'a>,
    pub element: &'a Element,
}

impl<'a> Attrs<'a> {
    pub(super) fn new(source: &'a Source<'a>, element: &'a Element) -> Self {
        Attrs { source, element }
    }

    /// An error about the element.
    pub(super) fn wrong(&self, message: impl Into<String>) -> ModelError {
        self.source.error(self.element.place, message)
    }

    /// An error about an attribute.
    pub(super) fn wrong_at(&self, name: &str, message: impl Into<String>) -> ModelError {
        self.source.error(self.find(name).map_or(self.element.place, |a| a.place), message)
    }

    fn find(&self, name: &str) -> Option<&'a Attr> {
        self.element.attrs.iter().find(|a| a.name == name)
    }

    /// Refuses attributes that are not in the list.
    pub(super) fn only(&self, allowed: &[&str]) -> Result<(), ModelError> {
        match self.element.attrs.iter().find(|a| !allowed.contains(&a.name.as_str())) {
            None => Ok(()),
            Some(a) => {
                let list = if allowed.is_empty() { "none".to_owned() } else { allowed.join(", ") };
                let message =
                    format!("unknown attribute `{}` of <{}>: allowed: {list}", a.name, self.element.name);
                Err(self.source.error(a.place, message))
            }
        }
    }

    /// Refuses child elements.
    pub(super) fn no_children(&self) -> Result<(), ModelError> {
        match self.element.children.first() {
            None => Ok(()),
            Some(child) => Err(self.source.error(
                child.place,
                format!("<{}> inside <{}>: nothing is allowed there", child.name, self.element.name),
            )),
        }
    }

    pub(super) fn optional(&self, name: &str) -> Option<&'a str> {
        self.find(name).map(|a| a.value.as_str())
    }

    pub(super) fn required(&self, name: &str) -> Result<&'a str, ModelError> {
        self.optional(name)
            .ok_or_else(|| self.wrong(format!("<{}> without `{name}`: it is required", self.element.name)))
    }

    /// A value from a closed list.
    pub(super) fn one_of<T: Copy>(
        &self,
        name: &str,
        values: &[(&str, T)],
        default: Option<T>,
    ) -> Result<T, ModelError> {
        let text = match (self.optional(name), default) {
            (None, Some(value)) => return Ok(value),
            (None, None) | (Some(_), _) => self.required(name)?,
        };
        values.iter().find(|(word, _)| *word == text).map(|(_, value)| *value).ok_or_else(|| {
            let list: Vec<&str> = values.iter().map(|(word, _)| *word).collect();
            self.wrong_at(name, format!("`{text}` is no value of `{name}`: allowed are {}", list.join(", ")))
        })
    }

    pub(super) fn flag(&self, name: &str, default: bool) -> Result<bool, ModelError> {
        self.one_of(name, &[("yes", true), ("no", false)], Some(default))
    }

    pub(super) fn mode(&self) -> Result<LockMode, ModelError> {
        let modes = [("exclusive", LockMode::Exclusive), ("shared", LockMode::Shared)];
        self.one_of("mode", &modes, Some(LockMode::Exclusive))
    }

    /// The name of a class: letters, digits, `-` and `_`.
    pub(super) fn class(&self) -> Result<String, ModelError> {
        let text = self.required("class")?;
        // Inferred rows name a lock by its member, or by the file of a static one.
        let is_allowed = |c: char| c.is_ascii_alphanumeric() || "-_.:/@".contains(c);
        if !text.is_empty() && text.chars().all(is_allowed) {
            return Ok(text.to_owned());
        }
        Err(self.wrong_at("class", format!("`{text}` is no class: allowed are letters, digits and -_.:/@")))
    }

    fn address(&self, name: &str) -> Result<AddrExpr, ModelError> {
        self.required(name)?.parse().map_err(|e| self.wrong_at(name, format!("{e}")))
    }

    /// An address in an entry point's row.
    pub(super) fn entry_address(&self, name: &str) -> Result<AddrExpr, ModelError> {
        let address = self.address(name)?;
        if address.steps.iter().any(|step| step.field == POINTER) {
            return Err(self
                .wrong_at(name, "`->*` in an entry point's row: only function rows follow plain pointers"));
        }
        if super::is_entry_base(&address.base) {
            return Ok(address);
        }
        let message = "`ret` in an entry point's row: allowed are argN, global:name, table and fresh";
        Err(self.wrong_at(name, message))
    }

    /// An address in a function's row.
    pub(super) fn call_address(&self, name: &str, has_result: bool) -> Result<AddrExpr, ModelError> {
        self.parse_call_address(name, self.required(name)?, has_result)
    }

    /// An address in a function's row, if there is one.
    pub(super) fn optional_call_address(
        &self,
        name: &str,
        has_result: bool,
    ) -> Result<Option<AddrExpr>, ModelError> {
        self.optional(name).map(|text| self.parse_call_address(name, text, has_result)).transpose()
    }

    /// A list of addresses in a function's row, separated by white space.
    pub(super) fn call_addresses(&self, name: &str, has_result: bool) -> Result<Vec<AddrExpr>, ModelError> {
        let words = self.required(name)?.split_whitespace();
        words.map(|word| self.parse_call_address(name, word, has_result)).collect()
    }

    /// An address in a function's row, given as text.
    pub(super) fn parse_call_address(
        &self,
        name: &str,
        text: &str,
        has_result: bool,
    ) -> Result<AddrExpr, ModelError> {
        let address: AddrExpr = text.parse().map_err(|e| self.wrong_at(name, format!("{e}")))?;
        match address.base {
            Base::Table => {
                Err(self.wrong_at(name, "`table` in a function's row: allowed are argN, global:name and ret"))
            }
            Base::Ret if !has_result => {
                Err(self.wrong_at(name, "`ret` before an effect that gives the result: put that one first"))
            }
            Base::Function => Err(self.wrong_at(
                name,
                "`function` in a function's row: only a callback is called through a pointer",
            )),
            Base::Fresh => {
                Err(self.wrong_at(name, "`fresh` is no place: only a registration has a fresh handle"))
            }
            Base::Ret | Base::Param(_) | Base::Global(_) | Base::Cpu | Base::Own(_) => Ok(address),
        }
    }

    pub(super) fn amount(&self, name: &str, default: Amount) -> Result<Amount, ModelError> {
        match self.optional(name) {
            None => Ok(default),
            Some(text) => text.parse().map_err(|e| self.wrong_at(name, format!("{e}"))),
        }
    }

    pub(super) fn required_amount(&self, name: &str) -> Result<Amount, ModelError> {
        self.required(name)?;
        self.amount(name, Amount::Any)
    }

    fn parse_arg(&self, name: &str, text: &str) -> Result<u32, ModelError> {
        parse_arg(text).ok_or_else(|| {
            self.wrong_at(name, format!("`{text}` is no argument: allowed are arg0, arg1, ..."))
        })
    }

    pub(super) fn arg(&self, name: &str) -> Result<u32, ModelError> {
        self.parse_arg(name, self.required(name)?)
    }

    /// A member: `struct.member`.
    pub(super) fn optional_member(&self, name: &str) -> Result<Option<(String, String)>, ModelError> {
        let member = |text: &str| match text.split_once('.') {
            Some((strukt, field)) if is_ident(strukt) && is_ident(field) => {
                Ok((strukt.to_owned(), field.to_owned()))
            }
            _ => Err(self.wrong_at(name, format!("`{text}` is no member: write struct.member"))),
        };
        self.optional(name).map(member).transpose()
    }

    pub(super) fn optional_arg(&self, name: &str) -> Result<Option<u32>, ModelError> {
        self.optional(name).map(|text| self.parse_arg(name, text)).transpose()
    }

    /// A list of arguments, separated by white space.
    pub(super) fn args(&self, name: &str) -> Result<Vec<u32>, ModelError> {
        self.optional(name).unwrap_or("").split_whitespace().map(|text| self.parse_arg(name, text)).collect()
    }
}
