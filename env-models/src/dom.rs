//! XML text -> a small tree of elements that know their line and column. Knows nothing of rows.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// What is wrong with a model file, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{file}:{line}:{column}: {message}")]
pub struct ModelError {
    /// The file, as the caller named it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// One sentence: what is wrong and what is allowed.
    pub message: String,
}

/// A line and a column, both from 1.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    pub line: u32,
    pub column: u32,
}

/// An attribute; its value is unescaped.
pub(crate) struct Attr {
    pub name: String,
    pub value: String,
    pub place: Place,
}

/// An element.
pub(crate) struct Element {
    pub name: String,
    pub attrs: Vec<Attr>,
    pub children: Vec<Element>,
    pub place: Place,
}

/// The schema nests three deep; more than this is refused, so that no recursion over the tree overflows.
const MAX_DEPTH: usize = 16;

/// A text with its name, for messages.
pub(crate) struct Source<'a> {
    text: &'a str,
    file: &'a str,
    line_starts: Vec<usize>,
}

impl<'a> Source<'a> {
    pub(crate) fn new(text: &'a str, file: &'a str) -> Self {
        let starts = text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i + 1);
        Source { text, file, line_starts: std::iter::once(0).chain(starts).collect() }
    }

    /// The place of the byte at the offset; beyond the end is the end.
    fn place(&self, offset: usize) -> Place {
        let offset = offset.min(self.text.len());
        let line = self.line_starts.partition_point(|start| *start <= offset);
        let start = self.line_starts[line - 1];
        let before = &self.text.as_bytes()[start..offset];
        let column = before.iter().filter(|b| (**b & 0xc0) != 0x80).count() + 1;
        let clamp = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Place { line: clamp(line), column: clamp(column) }
    }

    pub(crate) fn error(&self, place: Place, message: impl Into<String>) -> ModelError {
        ModelError {
            file: self.file.to_owned(),
            line: place.line,
            column: place.column,
            message: message.into(),
        }
    }

    fn error_at(&self, offset: u64, message: impl Into<String>) -> ModelError {
        self.error(self.place(usize::try_from(offset).unwrap_or(usize::MAX)), message)
    }

    /// Where a slice of the text lies in it, or `fallback` if it is not one.
    fn place_of_slice(&self, slice: &[u8], fallback: Place) -> Place {
        let (base, at) = (self.text.as_ptr() as usize, slice.as_ptr() as usize);
        if at >= base && at <= base + self.text.len() { self.place(at - base) } else { fallback }
    }

    /// Reads the whole text: exactly one root element.
    pub(crate) fn parse(&self) -> Result<Element, ModelError> {
        let mut reader = Reader::from_str(self.text);
        let mut open: Vec<Element> = Vec::new();
        let mut root = None;
        loop {
            let start = reader.buffer_position();
            let event = reader.read_event().map_err(|e| {
                self.error_at(
                    reader.error_position(),
                    format!("malformed XML: {e}; every element must be closed"),
                )
            })?;
            match event {
                Event::Start(tag) => {
                    let element = self.element(&tag, self.start_of_tag(start))?;
                    self.check_position(&element, open.len(), root.is_some())?;
                    open.push(element);
                }
                Event::Empty(tag) => {
                    let element = self.element(&tag, self.start_of_tag(start))?;
                    self.check_position(&element, open.len(), root.is_some())?;
                    close(element, &mut open, &mut root);
                }
                Event::End(_) => {
                    if let Some(done) = open.pop() {
                        close(done, &mut open, &mut root);
                    }
                }
                Event::Eof => break,
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
                Event::Text(text) if text.iter().all(u8::is_ascii_whitespace) => {}
                Event::Text(_) | Event::CData(_) | Event::GeneralRef(_) => {
                    return Err(
                        self.error_at(start, "text between elements: only elements and comments are allowed")
                    );
                }
                Event::DocType(_) => {
                    return Err(
                        self.error_at(start, "a document type: only elements and comments are allowed")
                    );
                }
            }
        }
        if let Some(unclosed) = open.last() {
            return Err(self.error(unclosed.place, format!("<{}> is not closed", unclosed.name)));
        }
        root.ok_or_else(|| self.error_at(0, "no element at all: a model file holds one <model>"))
    }

    fn check_position(&self, element: &Element, depth: usize, after_root: bool) -> Result<(), ModelError> {
        if after_root {
            return Err(self.error(element.place, "a second root element: only one <model> is allowed"));
        }
        if depth >= MAX_DEPTH {
            return Err(self.error(element.place, "elements nest too deeply: a row and its parts is all"));
        }
        Ok(())
    }

    /// The reader's position before a tag may precede white space that it skips.
    fn start_of_tag(&self, start: u64) -> Place {
        let start = usize::try_from(start).unwrap_or(usize::MAX).min(self.text.len());
        let skip = self.text.as_bytes()[start..].iter().position(|b| *b == b'<').unwrap_or(0);
        self.place(start + skip)
    }

    fn element(&self, tag: &BytesStart<'_>, place: Place) -> Result<Element, ModelError> {
        let name = self.utf8(tag.name().into_inner(), place)?;
        let mut attrs = Vec::new();
        for attr in tag.attributes() {
            let attr = attr.map_err(|e| {
                self.error(
                    place,
                    format!("malformed attribute of <{name}>: {e}; write name=\"value\", each name once"),
                )
            })?;
            let key = attr.key.into_inner();
            let at = self.place_of_slice(key, place);
            let value = attr.unescape_value().map_err(|e| {
                self.error(
                    at,
                    format!("malformed value: {e}; allowed escapes are &lt; &gt; &amp; &quot; &apos;"),
                )
            })?;
            attrs.push(Attr { name: self.utf8(key, at)?, value: value.into_owned(), place: at });
        }
        Ok(Element { name, attrs, children: Vec::new(), place })
    }

    fn utf8(&self, bytes: &[u8], place: Place) -> Result<String, ModelError> {
        std::str::from_utf8(bytes)
            .map(str::to_owned)
            .map_err(|_| self.error(place, "a name that is not UTF-8"))
    }
}

/// Gives a complete element to its parent, or makes it the root.
fn close(done: Element, open: &mut [Element], root: &mut Option<Element>) {
    match open.last_mut() {
        Some(parent) => parent.children.push(done),
        None => *root = Some(done),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        match Source::new(text, "m.xml").parse() {
            Ok(_) => "ok".to_owned(),
            Err(e) => e.to_string(),
        }
    }

    #[test]
    fn malformed_text_is_told_with_its_place() {
        assert!(message("<model>\n  <a>\n</model>").starts_with("m.xml:3:"));
        assert!(message("<model>\n  <a b=1/>\n</model>").starts_with("m.xml:2:3: malformed attribute"));
        assert!(
            message("<model>\n  <a b='1' b='2'/>\n</model>").starts_with("m.xml:2:3: malformed attribute")
        );
        assert!(message("<model>\n  é <a/></model>").contains("text between elements"));
        assert!(message("<model><a>").contains("m.xml:1:8: <a> is not closed"));
        assert!(message("<a/><b/>").contains("m.xml:1:5: a second root"));
        assert!(message("").contains("m.xml:1:1: no element"));
        assert!(message("<!DOCTYPE x><a/>").contains("document type"));
        assert!(message(&"<a>".repeat(100_000)).contains("nest too deeply"));
        assert_eq!(message("<?xml version=\"1.0\"?><!-- x --><a b='&lt;'/>"), "ok");
    }
}
