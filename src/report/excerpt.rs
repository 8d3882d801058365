//! The line of source that an access stands on, with the access underlined.

use super::places::Place;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use std::collections::HashMap;
use std::fs;
use std::ops::Range;

/// Source files, each read once.
#[derive(Default)]
pub struct Sources {
    files: HashMap<String, Option<String>>,
}

impl Sources {
    /// The line of the place without its end, or nothing if the file is not there or is too short.
    fn line(&mut self, place: &Place) -> Option<&str> {
        let text = self.files.entry(place.file.clone()).or_insert_with(|| read(&place.file)).as_deref()?;
        text.lines().nth(usize::try_from(place.line).ok()?.checked_sub(1)?)
    }
}

/// Reads a file; bytes that are not UTF-8 are replaced, since old drivers have Latin-1 comments.
fn read(path: &str) -> Option<String> {
    fs::read(path).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// The excerpt for a place, shown under the name `shown_as`. Says so if the source is not there.
pub fn excerpt(sources: &mut Sources, place: &Place, shown_as: &Place, color: bool) -> String {
    let Some(line) = sources.line(place) else {
        return format!("  --> {shown_as}\n   = note: the source is not there to be shown");
    };
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let annotation = AnnotationKind::Primary.span(span(line, place.column));
    let snippet = Snippet::source(line)
        .path(&*shown_as.file)
        .line_start(usize::try_from(place.line).unwrap_or(1))
        .annotation(annotation);
    renderer.render(&[Group::with_level(Level::ERROR).element(snippet)])
}

/// What to underline: the name that begins at the column, else the operator there; the whole line
/// without its indentation if the column is unknown.
fn span(line: &str, column: u32) -> Range<usize> {
    let indent = line.len() - line.trim_start().len();
    let start = match usize::try_from(column) {
        Ok(column) if column > 0 && line.is_char_boundary(column - 1) && column <= line.len() => column - 1,
        _ => return indent..line.trim_end().len().max(indent),
    };
    let rest = &line[start..];
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let is_operator = |c: char| "+-*/%&|^=<>!~".contains(c);
    let length = |of: &dyn Fn(char) -> bool| rest.find(|c| !of(c)).unwrap_or(rest.len());
    let first = rest.chars().next().map_or(1, char::len_utf8);
    start..start + length(&is_name).max(length(&is_operator)).max(first)
}

#[cfg(test)]
mod tests {
    use super::span;

    #[test]
    fn underlines_the_name_or_the_operator_at_the_column() {
        let line = "\ttp->cur_tx += 1;";
        assert_eq!(&line[span(line, 6)], "cur_tx");
        assert_eq!(&line[span(line, 13)], "+=");
        assert_eq!(&line[span(line, 17)], ";");
    }

    #[test]
    fn underlines_the_line_if_the_column_is_unknown_or_out_of_range() {
        let line = "\treturn x;  ";
        assert_eq!(&line[span(line, 0)], "return x;");
        assert_eq!(&line[span(line, 99)], "return x;");
        assert_eq!(span("", 1), 0..0);
    }

    #[test]
    fn a_column_inside_a_character_is_unknown() {
        let line = " é = 1;";
        assert_eq!(&line[span(line, 3)], "é = 1;");
    }
}
