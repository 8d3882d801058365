//! XML text -> a small tree of elements that know where they stand. Knows nothing of entry points.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::model::EntryPointError;

/// An attribute; its value is unescaped.
pub(super) struct Attr {
    pub name: String,
    pub value: String,
    /// The offset in the text.
    pub at: usize,
}

/// An element.
pub(super) struct Element {
    pub name: String,
    pub attrs: Vec<Attr>,
    pub children: Vec<Element>,
    /// The offset in the text.
    pub at: usize,
}

impl Element {
    /// The attribute of that name.
    pub fn attr(&self, name: &str) -> Option<&Attr> {
        self.attrs.iter().find(|a| a.name == name)
    }
}

/// A text with its name, for messages.
pub(super) struct Source<'a> {
    pub text: &'a str,
    pub file: &'a str,
}

/// The format nests three deep; more is refused, so that dropping the tree cannot overflow the stack.
const MAX_DEPTH: usize = 8;

type Result<T> = std::result::Result<T, EntryPointError>;

impl Source<'_> {
    /// An error at an offset in the text.
    pub fn error<T>(&self, at: usize, message: impl Into<String>) -> Result<T> {
        let at = at.min(self.text.len());
        let before = &self.text.as_bytes()[..at];
        let line = before.iter().filter(|b| **b == b'\n').count() + 1;
        let start = before.iter().rposition(|b| *b == b'\n').map_or(0, |newline| newline + 1);
        // Bytes that continue a character do not count.
        let column = before[start..].iter().filter(|b| (**b & 0xc0) != 0x80).count() + 1;
        let clamp = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Err(EntryPointError::Xml {
            file: self.file.to_owned(),
            line: clamp(line),
            column: clamp(column),
            message: message.into(),
        })
    }

    /// Reads the whole text: one root element.
    pub fn parse(&self) -> Result<Element> {
        let mut reader = Reader::from_str(self.text);
        let mut tree = Tree { open: Vec::new(), root: None };
        loop {
            let at = offset(reader.buffer_position());
            let event = match reader.read_event() {
                Ok(event) => event,
                Err(e) => {
                    return self.error(offset(reader.error_position()), format!("not well-formed: {e}"));
                }
            };
            if let Event::Eof = event {
                return self.finish(tree);
            }
            self.take(event, at, &mut tree)?;
        }
    }

    fn take(&self, event: Event, at: usize, tree: &mut Tree) -> Result<()> {
        match event {
            Event::Start(start) => {
                let element = self.element(&start, at)?;
                if tree.open.len() >= MAX_DEPTH {
                    return self.error(at, format!("`{}` is nested too deeply", element.name));
                }
                tree.open.push(element);
                Ok(())
            }
            Event::Empty(start) => {
                let element = self.element(&start, at)?;
                self.close(element, tree)
            }
            Event::End(_) => match tree.open.pop() {
                Some(element) => self.close(element, tree),
                None => self.error(at, "this end tag has no start tag"),
            },
            Event::Text(text) if text.iter().all(u8::is_ascii_whitespace) => Ok(()),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::Eof => Ok(()),
            Event::Text(_) | Event::CData(_) | Event::GeneralRef(_) => {
                self.error(at, "text between elements; everything is in attributes here")
            }
            Event::DocType(_) => self.error(at, "a document type is not allowed here"),
        }
    }

    fn close(&self, element: Element, tree: &mut Tree) -> Result<()> {
        match (tree.open.last_mut(), &tree.root) {
            (Some(parent), _) => parent.children.push(element),
            (None, None) => tree.root = Some(element),
            (None, Some(_)) => return self.error(element.at, "a second root element"),
        }
        Ok(())
    }

    fn finish(&self, tree: Tree) -> Result<Element> {
        match (tree.open.last(), tree.root) {
            (Some(open), _) => self.error(open.at, format!("`{}` is not closed", open.name)),
            (None, Some(root)) => Ok(root),
            (None, None) => self.error(0, "no element: expected `entry-points`"),
        }
    }

    fn element(&self, start: &BytesStart, at: usize) -> Result<Element> {
        let mut attrs = Vec::new();
        for attr in start.attributes() {
            let attr = match attr {
                Ok(attr) => attr,
                Err(e) => return self.error(at, format!("malformed attribute: {e}")),
            };
            let at = self.offset_of(attr.key.as_ref(), at);
            let Ok(value) = attr.decode_and_unescape_value(start.decoder()) else {
                return self.error(at, "the value has an unknown or malformed entity");
            };
            attrs.push(Attr { name: text(attr.key.as_ref()), value: value.into_owned(), at });
        }
        Ok(Element { name: text(start.name().as_ref()), attrs, children: Vec::new(), at })
    }

    /// Where a slice of the text lies in it, or `fallback` if it is none.
    fn offset_of(&self, slice: &[u8], fallback: usize) -> usize {
        let at = (slice.as_ptr() as usize).checked_sub(self.text.as_ptr() as usize);
        at.filter(|at| *at <= self.text.len()).unwrap_or(fallback)
    }
}

struct Tree {
    open: Vec<Element>,
    root: Option<Element>,
}

fn offset(position: u64) -> usize {
    usize::try_from(position).unwrap_or(usize::MAX)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
