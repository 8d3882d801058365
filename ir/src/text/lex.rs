//! Text to tokens.

use super::parse::ParseError;

/// A token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// A word: letters, digits, `_` and `.`, not beginning with a digit.
    Word(String),
    /// A number.
    Int(u128),
    /// A string.
    Str(String),
    /// Any other character.
    Punct(char),
    /// The end of a line; several in a row count once, none stands at the beginning.
    Newline,
    /// The end of the text; always the last.
    End,
}

impl Token {
    /// The token for error messages.
    pub(super) fn describe(&self) -> String {
        match self {
            Token::Word(word) => format!("`{word}`"),
            Token::Int(value) => format!("`{value}`"),
            Token::Str(_) => "a string".to_owned(),
            Token::Punct(c) => format!("`{c}`"),
            Token::Newline => "the end of the line".to_owned(),
            Token::End => "the end of the text".to_owned(),
        }
    }
}

/// A token with the place of its first character, from 1.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub(super) token: Token,
    pub(super) line: usize,
    pub(super) column: usize,
}

/// All tokens of a text.
pub(super) fn lex(text: &str) -> Result<Vec<Placed>, ParseError> {
    let mut lexer = Lexer { rest: text.chars().peekable(), line: 1, column: 1, tokens: Vec::new() };
    while lexer.token()? {}
    Ok(lexer.tokens)
}

struct Lexer<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
    line: usize,
    column: usize,
    tokens: Vec<Placed>,
}

impl Lexer<'_> {
    /// Takes the next token; false at the end.
    fn token(&mut self) -> Result<bool, ParseError> {
        let (line, column) = (self.line, self.column);
        let Some(c) = self.next() else {
            self.newline(line, column);
            self.tokens.push(Placed { token: Token::End, line, column });
            return Ok(false);
        };
        let token = match c {
            '\n' => {
                self.newline(line, column);
                return Ok(true);
            }
            ' ' | '\t' | '\r' => return Ok(true),
            ';' => {
                self.while_next(|c| c != '\n');
                return Ok(true);
            }
            '"' => Token::Str(self.string(line, column)?),
            c if c.is_ascii_digit() => {
                let digits = format!("{c}{}", self.while_next(|c| c.is_ascii_digit()));
                let too_large = |_| ParseError::new(line, column, "the number is too large");
                Token::Int(digits.parse().map_err(too_large)?)
            }
            c if is_word(c) => Token::Word(format!("{c}{}", self.while_next(is_word))),
            c => Token::Punct(c),
        };
        self.tokens.push(Placed { token, line, column });
        Ok(true)
    }

    fn next(&mut self) -> Option<char> {
        let c = self.rest.next()?;
        if c == '\n' {
            (self.line, self.column) = (self.line + 1, 1);
        } else {
            self.column += 1;
        }
        Some(c)
    }

    fn while_next(&mut self, wanted: impl Fn(char) -> bool) -> String {
        let mut taken = String::new();
        while let Some(&c) = self.rest.peek()
            && wanted(c)
        {
            taken.push(c);
            self.next();
        }
        taken
    }

    fn newline(&mut self, line: usize, column: usize) {
        if self.tokens.last().is_some_and(|t| t.token != Token::Newline) {
            self.tokens.push(Placed { token: Token::Newline, line, column });
        }
    }

    /// The rest of a string that began at the place.
    fn string(&mut self, line: usize, column: usize) -> Result<String, ParseError> {
        let mut value = String::new();
        loop {
            match self.next() {
                None | Some('\n') => return Err(ParseError::new(line, column, "the string does not end")),
                Some('"') => return Ok(value),
                Some('\\') => value.push(self.escape()?),
                Some(c) => value.push(c),
            }
        }
    }

    fn escape(&mut self) -> Result<char, ParseError> {
        let bad = ParseError::new(self.line, self.column, "expected `\\\"`, `\\\\` or `\\u{hex}`");
        match self.next() {
            Some(c @ ('"' | '\\')) => Ok(c),
            Some('u') if self.next() == Some('{') => {
                let digits = self.while_next(|c| c.is_ascii_hexdigit());
                let code = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
                if self.next() == Some('}') { code.ok_or(bad) } else { Err(bad) }
            }
            _ => Err(bad),
        }
    }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '.'
}
