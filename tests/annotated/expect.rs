//! What the lines of an annotated input say. Every `//` comment in an input is one of these; prose
//! stands in `/* */`.
//!
//! On the line it speaks of:
//! - `// RACE!`: one of the two accesses of a reported race (soundness);
//! - `// NORACE`: no access of a reported race (precision);
//! - `// RACE: reason`: reported today although there is no race, a known imprecision;
//! - `// MISSED: reason`: a real race that is not reported today, a known unsoundness;
//! - `// UNREACHABLE`: an access in the list of those that no execution reaches.
//!
//! On a line of its own, about the file: `// with: FILE` (another file of the driver, of the same
//! directory, with expectations of its own), `// with-module: FILE` (another module that is verified with it, of one file, likewise),
//! `// model: FILE.xml` (more rows, likewise), `// entry-points: N`, `// pairs: N`, `// verdict: V`,
//! `// flags: ...` for clang, `// assume: kind` or `// assume: kind: subject` (in the ledger),
//! `// inline-limit: N` (larger call trees are summarized), `// error: text` (checking it fails so).

use std::collections::BTreeMap;

/// What a line says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line {
    Race,
    NoRace,
    Imprecise,
    Missed,
    Unreachable,
}

/// What a file says.
#[derive(Default, Debug)]
pub struct Expectations {
    pub lines: BTreeMap<u32, Line>,
    pub entry_points: Option<usize>,
    pub pairs: Option<usize>,
    pub verdict: Option<String>,
    pub flags: Vec<String>,
    pub with: Vec<String>,
    pub with_modules: Vec<String>,
    pub models: Vec<String>,
    /// Kinds of assumptions, some with their subject.
    pub assume: Vec<(String, Option<String>)>,
    pub inline_limit: Option<usize>,
    pub error: Option<String>,
}

type Problem = (u32, String);

impl Expectations {
    /// Reads the comments of a file; the problem is that of the first bad one.
    pub fn parse(text: &str) -> Result<Expectations, Problem> {
        let mut out = Expectations::default();
        for (number, line) in (1..).zip(text.lines()) {
            let Some((code, comment)) = split(line) else { continue };
            let result = match code.trim().is_empty() {
                true => out.directive(comment),
                false => annotation(comment).map(|said| out.lines.extend([(number, said)])),
            };
            result.map_err(|why| (number, why))?;
        }
        if out.is_empty() { Err((0, "no expectation in this file".to_owned())) } else { Ok(out) }
    }

    fn is_empty(&self) -> bool {
        let counts = self.entry_points.is_none() && self.pairs.is_none();
        self.lines.is_empty() && counts && self.verdict.is_none() && self.error.is_none()
    }

    fn directive(&mut self, comment: &str) -> Result<(), String> {
        let (key, value) = comment.split_once(':').ok_or_else(|| format!("unknown directive `{comment}`"))?;
        let value = value.trim();
        match key {
            "entry-points" => self.entry_points = Some(number(value)?),
            "pairs" => self.pairs = Some(number(value)?),
            "verdict" => self.verdict = Some(verdict(value)?),
            "flags" => self.flags.extend(value.split_whitespace().map(str::to_owned)),
            "inline-limit" => self.inline_limit = Some(number(value)?),
            "with" => self.with.push(value.to_owned()),
            "with-module" => self.with_modules.push(value.to_owned()),
            "model" => self.models.push(value.to_owned()),
            "assume" => self.assume.push(assumption(value)),
            "error" => self.error = Some(value.to_owned()),
            _ => return Err(format!("unknown directive `{key}`")),
        }
        Ok(())
    }
}

/// Code and comment of a line with a `//` comment.
fn split(line: &str) -> Option<(&str, &str)> {
    line.split_once("//").map(|(code, comment)| (code, comment.trim()))
}

fn annotation(comment: &str) -> Result<Line, String> {
    let reason = |said: Line, text: &str| match text.trim() {
        "" => Err(format!("`{comment}` needs a reason")),
        _ => Ok(said),
    };
    match comment.split_once(':') {
        Some(("RACE", why)) => reason(Line::Imprecise, why),
        Some(("MISSED", why)) => reason(Line::Missed, why),
        _ => match comment {
            "RACE!" => Ok(Line::Race),
            "NORACE" => Ok(Line::NoRace),
            "UNREACHABLE" => Ok(Line::Unreachable),
            "RACE" | "MISSED" => Err(format!("`{comment}` needs a reason: `// {comment}: why`")),
            _ => Err(format!("unknown annotation `{comment}`")),
        },
    }
}

fn assumption(text: &str) -> (String, Option<String>) {
    match text.split_once(':') {
        Some((kind, subject)) => (kind.to_owned(), Some(subject.trim().to_owned())),
        None => (text.to_owned(), None),
    }
}

fn number(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| format!("`{text}` is not a number"))
}

fn verdict(text: &str) -> Result<String, String> {
    match text {
        "race-free" | "potential" | "unknown" => Ok(text.to_owned()),
        _ => Err(format!("unknown verdict `{text}`")),
    }
}

#[test]
fn annotations_are_a_closed_vocabulary() {
    let problem = |text: &str| Expectations::parse(text).expect_err(text).1;
    assert_eq!(problem("x; // RACES!"), "unknown annotation `RACES!`");
    assert_eq!(problem("x; // RACE"), "`RACE` needs a reason: `// RACE: why`");
    assert_eq!(problem("x; // MISSED:"), "`MISSED:` needs a reason");
    assert_eq!(problem("// verdit: race-free"), "unknown directive `verdit`");
    assert_eq!(problem("// verdict: good"), "unknown verdict `good`");
    assert_eq!(problem("// pairs: many"), "`many` is not a number");
    assert_eq!(problem("// a remark"), "unknown directive `a remark`");
    assert_eq!(problem("int x;"), "no expectation in this file");
    assert_eq!(problem("// flags: -DX"), "no expectation in this file");
}

#[test]
fn annotations_stand_on_their_lines() {
    let text = "// pairs: 3\na; // RACE!\nb; // NORACE\nc; // RACE: because\nd;\n";
    let read = Expectations::parse(text).expect("all known");
    assert_eq!(read.pairs, Some(3));
    let lines: Vec<(u32, Line)> = read.lines.into_iter().collect();
    assert_eq!(lines, [(2, Line::Race), (3, Line::NoRace), (4, Line::Imprecise)]);
}
