//! Lists of names with alternatives: `a{,b,c}d e` stands for `ad abd acd e`.

/// No list may stand for more names than this.
const MAX_NAMES: usize = 4096;

/// All names that the text stands for; braces do not nest.
pub(super) fn expand(text: &str) -> Result<Vec<String>, String> {
    let mut out = Vec::new();
    for word in text.split_whitespace() {
        let mut names = vec![String::new()];
        let mut rest = word;
        while let Some((before, after)) = rest.split_once('{') {
            let Some((list, tail)) = after.split_once('}') else {
                return Err(format!("`{word}` has a brace that is not closed: write {{a,b}}"));
            };
            if before.contains('}') || list.contains('{') {
                return Err(format!("`{word}` has braces that do not pair or nest: write {{a,b}}"));
            }
            let choices: Vec<&str> = list.split(',').collect();
            if (out.len() + names.len()).saturating_mul(choices.len()) > MAX_NAMES {
                return Err(format!("`{word}` stands for more than {MAX_NAMES} names: write several rows"));
            }
            names =
                names.iter().flat_map(|n| choices.iter().map(move |c| format!("{n}{before}{c}"))).collect();
            rest = tail;
        }
        if rest.contains('}') {
            return Err(format!("`{word}` has a brace that was not opened: write {{a,b}}"));
        }
        out.extend(names.into_iter().map(|n| n + rest));
        if out.len() > MAX_NAMES {
            return Err(format!("more than {MAX_NAMES} names: write several rows"));
        }
    }
    if out.is_empty() {
        return Err("no name: at least one must be given".to_owned());
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::expand;

    #[test]
    fn alternatives_multiply() {
        assert_eq!(expand("a{,b}c{d,e} f").unwrap(), ["acd", "ace", "abcd", "abce", "f"]);
    }

    #[test]
    fn bad_braces_are_refused() {
        for text in ["", "  ", "a{b", "a}b", "a{b{c}d}", "a}{b}"] {
            assert!(expand(text).is_err(), "{text}");
        }
        assert!(expand(&"{a,b,c,d,e,f,g,h}".repeat(20)).is_err());
    }
}
