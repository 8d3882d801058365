//! What is in a text for the preprocessor: macros, and where they are named with arguments.

use super::super::exports::{is_word, words};
use super::patterns::{Part, Pattern};

/// A `#define`.
pub(super) struct Define<'t> {
    pub(super) name: &'t str,
    /// The words of its body but for the parameters.
    pub(super) words: Vec<&'t str>,
    pub(super) patterns: Vec<Pattern>,
}

/// A text without comments, strings and characters, which macros are not given names in.
pub(super) fn code(text: &str) -> String {
    let mut code = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['/', '"', '\'']) {
        code.push_str(&rest[..at]);
        let from = &rest[at..];
        let end = match from.as_bytes() {
            [b'/', b'*', ..] => from.find("*/").map_or(from.len(), |end| end + 2),
            [b'/', b'/', ..] => from.find('\n').unwrap_or(from.len()),
            [b'"', ..] => quoted(from, '"'),
            [b'\'', ..] => Some(quoted(from, '\'')).filter(|&end| end <= CHARACTER).unwrap_or(1),
            _ => 1,
        };
        code.push(' ');
        rest = &from[end..];
    }
    code + rest
}

/// The longest character constant (`'\\x7f'`).
const CHARACTER: usize = 6;

/// The end of what begins with a quote, in the same line at the latest.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => return at,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// What is in parentheses behind macros, with these.
pub(super) fn calls(text: &str, is_macro: impl Fn(&str) -> bool) -> impl Iterator<Item = &str> {
    let mut end = 0;
    words(text).filter_map(move |(at, word)| {
        let rest = &text[at + word.len()..];
        if at < end || !rest.trim_start().starts_with('(') || !is_macro(word) {
            return None;
        }
        end = at + word.len() + arguments(rest);
        Some(&text[at..end])
    })
}

/// The end of the parentheses that come first, one behind another.
fn arguments(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if depth == 0 && !c.is_whitespace() => return at,
            _ => {}
        }
    }
    text.len()
}

/// The C file that a line includes, without its directory.
pub(super) fn include(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?;
    let end = rest.rfind(".c")? + 2;
    let begin = rest[..end].rfind(['/', '"', '<'])? + 1;
    Some(&rest[begin..end])
}

/// The macros of a file.
pub(super) fn defines(text: &str) -> Vec<Define<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let rest = line.trim_start().strip_prefix('#').map(str::trim_start);
        if let Some(rest) = rest.and_then(|rest| rest.strip_prefix("define")) {
            let begin = at + line.len() - rest.len();
            found.extend(define(logical_line(&text[begin..])));
        }
        at += line.len();
    }
    found
}

/// Up to the end of a line that is neither continued nor within a comment.
fn logical_line(text: &str) -> &str {
    let ends = text.match_indices('\n').map(|(end, _)| end);
    let is_end = |&end: &usize| {
        let line = text[..end].trim_end_matches('\r');
        !line.ends_with('\\') && line.rfind("/*") <= line.rfind("*/")
    };
    let end = ends.clone().find(is_end);
    &text[..end.unwrap_or(text.len())]
}

/// The macro of which the name comes first; nothing if its body has no words.
fn define(text: &str) -> Option<Define<'_>> {
    let text = text.trim_start_matches([' ', '\t', '\\', '\n']);
    let end = text.find(|c: char| !is_word(c)).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let (parameters, body) = match rest.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
        Some((parameters, body)) => (words(parameters).map(|(_, word)| word).collect(), body),
        None => (Vec::new(), rest),
    };
    let is_given = |word: &&str| !parameters.contains(word) && !word.starts_with("0x");
    let words: Vec<&str> = words(body).map(|(_, word)| word).filter(is_given).collect();
    let patterns = if body.contains('#') { patterns(body, &parameters) } else { Vec::new() };
    (!name.is_empty() && (!words.is_empty() || !patterns.is_empty())).then_some(Define {
        name,
        words,
        patterns,
    })
}

/// What a macro's body puts together.
fn patterns(body: &str, parameters: &[&str]) -> Vec<Pattern> {
    let mut found = Vec::new();
    let mut pattern: Pattern = Vec::new();
    let mut pasted = false;
    for token in tokens(&plain(body)) {
        match token {
            Token::Paste => pasted = !pattern.is_empty(),
            Token::Word(word) => {
                if !pasted {
                    found.push(std::mem::take(&mut pattern));
                }
                let is_argument = parameters.contains(&word) || word.starts_with("__VA_");
                pattern.push(if is_argument { Part::Argument } else { Part::Given(word.to_owned()) });
                pasted = false;
            }
            Token::Other => {
                found.push(std::mem::take(&mut pattern));
                pasted = false;
            }
        }
    }
    found.push(pattern);
    found.retain(|pattern| pattern.len() > 1);
    found
}

/// A macro's body in one line, without comments.
fn plain(body: &str) -> String {
    let mut plain = String::new();
    let mut rest = body;
    while let Some((before, comment)) = rest.split_once("/*") {
        plain.push_str(before);
        plain.push(' ');
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    plain.push_str(rest);
    plain.replace("\\\r\n", " ").replace("\\\n", " ")
}

enum Token<'t> {
    Word(&'t str),
    /// `##`, or the seam of a string and of an argument that is made one (`"call foo_" #x`).
    Paste,
    Other,
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    // Whether the word to come is made a string.
    let mut string = false;
    while let Some(first) = rest.chars().next() {
        let word = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
        let seam = rest.strip_prefix('"').map(str::trim_start).and_then(|rest| rest.strip_prefix('#'));
        let (token, after) = if word > 0 {
            (Token::Word(&rest[..word]), &rest[word..])
        } else if let Some(after) = rest.strip_prefix("##") {
            (Token::Paste, after)
        } else if let Some(after) = seam.filter(|after| !after.starts_with('#')) {
            (Token::Paste, after)
        } else if let Some(after) = rest.strip_prefix('"').filter(|_| string) {
            (Token::Paste, after)
        } else {
            (Token::Other, &rest[first.len_utf8()..])
        };
        string = seam.is_some() || first == '#' && !rest.starts_with("##") || word > 0 && string;
        found.push(token);
        rest = after.trim_start();
    }
    found
}
