//! Text to module: the parser's tools, and everything outside of function bodies.

use super::lex::{Placed, Token, lex};
use crate::entity::{EntityRef, PrimaryMap};
use crate::inst::Operand;
use crate::module::{FileId, Global, InitCell, Loc, LocId, Module, SourceFile};
use crate::types::{Field, StructDef, Ty, TypeDef, TypeId};

/// Why a text is no module, and where. Lines and columns count from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct ParseError {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl ParseError {
    pub(super) fn new(line: usize, column: usize, message: impl Into<String>) -> ParseError {
        ParseError { line, column, message: message.into() }
    }
}

/// Reads the text form of a module.
pub fn parse_module(text: &str) -> Result<Module, ParseError> {
    let mut parser = Parser { tokens: lex(text)?, at: 0 };
    let mut module = Module::default();
    parser.keyword("module")?;
    module.name = parser.string()?;
    parser.newline()?;
    while *parser.peek() != Token::End {
        parser.item(&mut module)?;
        parser.newline()?;
    }
    Ok(module)
}

pub(super) type Parsed<T> = Result<T, ParseError>;

/// A position in the tokens.
pub(super) struct Parser {
    tokens: Vec<Placed>,
    at: usize,
}

/// Tools.
impl Parser {
    fn placed(&self) -> &Placed {
        // The last token is `End`, and nothing moves beyond it.
        &self.tokens[self.at]
    }

    pub(super) fn peek(&self) -> &Token {
        &self.placed().token
    }

    pub(super) fn advance(&mut self) -> Token {
        let token = self.peek().clone();
        if token != Token::End {
            self.at += 1;
        }
        token
    }

    /// An error at the next token.
    pub(super) fn error<T>(&self, message: impl Into<String>) -> Parsed<T> {
        let placed = self.placed();
        Err(ParseError::new(placed.line, placed.column, message))
    }

    pub(super) fn expected<T>(&self, what: &str) -> Parsed<T> {
        self.error(format!("expected {what}, found {}", self.peek().describe()))
    }

    /// Takes the token if it comes next.
    pub(super) fn eat(&mut self, token: &Token) -> bool {
        let found = self.peek() == token;
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn eat_punct(&mut self, c: char) -> bool {
        self.eat(&Token::Punct(c))
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Token::Word(w) if w == word);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn punct(&mut self, c: char) -> Parsed<()> {
        if self.eat_punct(c) { Ok(()) } else { self.expected(&format!("`{c}`")) }
    }

    pub(super) fn keyword(&mut self, word: &str) -> Parsed<()> {
        if self.eat_word(word) { Ok(()) } else { self.expected(&format!("`{word}`")) }
    }

    pub(super) fn newline(&mut self) -> Parsed<()> {
        if self.eat(&Token::Newline) { Ok(()) } else { self.expected("the end of the line") }
    }

    pub(super) fn word(&mut self) -> Parsed<String> {
        match self.peek().clone() {
            Token::Word(word) => {
                self.advance();
                Ok(word)
            }
            _ => self.expected("a word"),
        }
    }

    pub(super) fn string(&mut self) -> Parsed<String> {
        match self.peek().clone() {
            Token::Str(value) => {
                self.advance();
                Ok(value)
            }
            _ => self.expected("a string"),
        }
    }

    /// A number that fits the type.
    pub(super) fn int<T: TryFrom<u128>>(&mut self) -> Parsed<T> {
        match *self.peek() {
            Token::Int(value) => match T::try_from(value) {
                Ok(value) => {
                    self.advance();
                    Ok(value)
                }
                Err(_) => self.error("the number is too large"),
            },
            _ => self.expected("a number"),
        }
    }

    /// A number with or without a sign.
    pub(super) fn signed(&mut self) -> Parsed<i64> {
        let negative = self.eat_punct('-');
        let Token::Int(value) = *self.peek() else { return self.expected("a number") };
        let value = i128::try_from(value).ok().map(|v| if negative { -v } else { v });
        match value.and_then(|v| i64::try_from(v).ok()) {
            Some(value) => {
                self.advance();
                Ok(value)
            }
            None => self.error("the number is too large"),
        }
    }

    /// The id that comes next, if one with this prefix does.
    pub(super) fn peek_id<K: EntityRef>(&self, prefix: &str) -> Option<K> {
        match self.peek() {
            Token::Word(word) => number_after(word, prefix).map(|n| K::new(n as usize)),
            _ => None,
        }
    }

    pub(super) fn eat_id<K: EntityRef>(&mut self, prefix: &str) -> Option<K> {
        let id = self.peek_id(prefix)?;
        self.advance();
        Some(id)
    }

    pub(super) fn id<K: EntityRef>(&mut self, prefix: &str) -> Parsed<K> {
        match self.eat_id(prefix) {
            Some(id) => Ok(id),
            None => self.expected(&format!("an id like `{prefix}0`")),
        }
    }

    /// An id that must be the next one of its table.
    pub(super) fn new_id<K: EntityRef, V>(&mut self, prefix: &str, table: &PrimaryMap<K, V>) -> Parsed<()> {
        match self.peek_id::<K>(prefix) {
            Some(id) if id.index() == table.len() => {
                self.advance();
                Ok(())
            }
            _ => self.expected(&format!("`{prefix}{}`", table.len())),
        }
    }

    /// `@loc3`, or nothing.
    pub(super) fn at_loc(&mut self) -> Parsed<Option<LocId>> {
        if self.eat_punct('@') { self.id("loc").map(Some) } else { Ok(None) }
    }

    /// Items between parentheses, with commas.
    pub(super) fn list<T>(&mut self, mut item: impl FnMut(&mut Parser) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        self.punct('(')?;
        if self.eat_punct(')') {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if !self.eat_punct(',') {
                break;
            }
        }
        self.punct(')')?;
        Ok(items)
    }

    /// Lines between braces, the first on the line after the opening brace.
    fn lines<T>(&mut self, mut line: impl FnMut(&mut Parser) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut lines = Vec::new();
        self.newline()?;
        while !self.eat_punct('}') {
            lines.push(line(self)?);
            self.newline()?;
        }
        Ok(lines)
    }

    pub(super) fn ty(&mut self) -> Parsed<Ty> {
        let ty = match self.peek() {
            Token::Word(word) => ty_of(word),
            _ => None,
        };
        match ty {
            Some(ty) => {
                self.advance();
                Ok(ty)
            }
            None => self.expected("a type (`i1` to `i128`, `ptr`, `opaque8`)"),
        }
    }

    pub(super) fn operand(&mut self) -> Parsed<Operand> {
        if let Token::Int(value) = *self.peek() {
            self.advance();
            self.punct(':')?;
            return self.int_operand(value);
        }
        if self.eat_word("null") {
            return Ok(Operand::Null);
        }
        if self.eat_word("undef") {
            self.punct(':')?;
            return self.ty().map(Operand::Undef);
        }
        if let Some(value) = self.eat_id("v") {
            return Ok(Operand::Value(value));
        }
        if let Some(func) = self.eat_id("f") {
            return Ok(Operand::Func(func));
        }
        match self.eat_id("g") {
            Some(global) => Ok(Operand::Global(global, self.displacement()?)),
            None => self.expected("an operand"),
        }
    }

    fn int_operand(&mut self, value: u128) -> Parsed<Operand> {
        let Token::Word(word) = self.peek() else { return self.expected("an integer type") };
        match ty_of(word) {
            Some(Ty::Int(bits)) if bits == 128 || value >> bits == 0 => {
                self.advance();
                Ok(Operand::Int { bits, value })
            }
            Some(Ty::Int(_)) => self.error("the number does not fit the type"),
            _ => self.expected("an integer type"),
        }
    }

    /// `+8`, `-8` or nothing.
    fn displacement(&mut self) -> Parsed<i64> {
        match self.peek() {
            Token::Punct('+') => {
                self.advance();
                self.signed()
            }
            Token::Punct('-') => self.signed(),
            _ => Ok(0),
        }
    }
}

/// Items of a module.
impl Parser {
    fn item(&mut self, module: &mut Module) -> Parsed<()> {
        if self.peek_id::<FileId>("file").is_some() {
            self.new_id("file", &module.files)?;
            self.punct('=')?;
            let path = self.string()?;
            module.files.push(SourceFile { path });
        } else if self.peek_id::<LocId>("loc").is_some() {
            self.new_id("loc", &module.locs)?;
            self.punct('=')?;
            let loc = self.loc()?;
            module.locs.push(loc);
        } else if self.peek_id::<TypeId>("ty").is_some() {
            self.new_id("ty", &module.types)?;
            self.punct('=')?;
            let def = self.type_def()?;
            module.types.push(def);
        } else if self.peek_id::<crate::module::GlobalId>("g").is_some() {
            self.new_id("g", &module.globals)?;
            self.punct('=')?;
            let global = self.global()?;
            module.globals.push(global);
        } else if self.eat_word("func") {
            self.new_id("f", &module.funcs)?;
            let func = self.func()?;
            module.funcs.push(func);
        } else {
            return self.expected("a file, loc, ty, g or func");
        }
        Ok(())
    }

    fn loc(&mut self) -> Parsed<Loc> {
        let file = self.id("file")?;
        self.punct(':')?;
        let line = self.int()?;
        self.punct(':')?;
        let column = self.int()?;
        self.keyword("in")?;
        let function = self.string()?;
        let inlined_at = if self.eat_word("at") { Some(self.id("loc")?) } else { None };
        Ok(Loc { file, line, column, function, inlined_at })
    }

    fn type_def(&mut self) -> Parsed<TypeDef> {
        let kind = self.word()?;
        match kind.as_str() {
            "void" => Ok(TypeDef::Void),
            "int" => Ok(TypeDef::Int { bits: self.int()?, is_char: false }),
            "char" => Ok(TypeDef::Int { bits: self.int()?, is_char: true }),
            "float" => Ok(TypeDef::Float(self.int()?)),
            "ptr" => Ok(TypeDef::Ptr(self.id("ty")?)),
            "struct" => self.struct_def(false).map(TypeDef::Struct),
            "union" => self.struct_def(true).map(TypeDef::Struct),
            "array" => {
                let elem = self.id("ty")?;
                self.keyword("x")?;
                Ok(TypeDef::Array { elem, count: self.int()? })
            }
            "func" => {
                let params = self.list(|p| p.id("ty"))?;
                let variadic = self.eat_word("variadic");
                self.arrow()?;
                Ok(TypeDef::Func { params, ret: self.id("ty")?, variadic })
            }
            _ => self.error(format!("no kind of type is called `{kind}`")),
        }
    }

    pub(super) fn arrow(&mut self) -> Parsed<()> {
        self.punct('-')?;
        self.punct('>')
    }

    fn struct_def(&mut self, is_union: bool) -> Parsed<StructDef> {
        let name = self.string()?;
        self.keyword("size")?;
        let size = self.int()?;
        let module_private = self.eat_word("private");
        let opaque = self.eat_word("opaque");
        self.punct('{')?;
        let fields = self.lines(Parser::field)?;
        Ok(StructDef { name, size, is_union, module_private, opaque, fields })
    }

    fn field(&mut self) -> Parsed<Field> {
        let offset = self.int()?;
        self.punct(':')?;
        let ty = self.id("ty")?;
        let bits = if self.eat_word("bits") { Some(self.int()?) } else { None };
        let alias = if self.eat_word("as") { self.string()? } else { String::new() };
        Ok(Field { name: self.string()?, offset, bits, ty, alias })
    }

    fn global(&mut self) -> Parsed<Global> {
        self.keyword("global")?;
        let name = self.string()?;
        self.keyword("size")?;
        let size = self.int()?;
        let ty = self.eat_id("ty");
        let constant = self.eat_word("constant");
        let thread_local = self.eat_word("threadlocal");
        let defined = !self.eat_word("extern");
        let exported = self.eat_word("exported");
        let loc = self.at_loc()?;
        let init = if self.eat_punct('{') { self.lines(Parser::init_cell)? } else { Vec::new() };
        Ok(Global { name, size, ty, constant, thread_local, defined, exported, init, loc })
    }

    fn init_cell(&mut self) -> Parsed<InitCell> {
        let offset = self.int()?;
        self.punct(':')?;
        let size = self.int()?;
        self.punct('=')?;
        Ok(InitCell { offset, size, value: self.operand()? })
    }
}

fn ty_of(word: &str) -> Option<Ty> {
    if word == "ptr" {
        return Some(Ty::Ptr);
    }
    if let Some(bytes) = number_after(word, "opaque") {
        return Some(Ty::Opaque(bytes));
    }
    let bits = u16::try_from(number_after(word, "i")?).ok()?;
    (1..=128).contains(&bits).then_some(Ty::Int(bits))
}

/// The number in `prefix12`, written without leading zeros.
fn number_after(word: &str, prefix: &str) -> Option<u32> {
    let digits = word.strip_prefix(prefix)?;
    let plain = digits.bytes().all(|b| b.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'));
    if plain { digits.parse().ok() } else { None }
}
