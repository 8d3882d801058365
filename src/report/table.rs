//! The numbers of Table I of the WHOOP paper, a row per module.

use super::problems::{distinct_races, racy_locations};
use super::tally;
use crate::verdict::Analysis;

const COLUMNS: usize = 10;

const HEADER: [&str; COLUMNS] = [
    "module",
    "LoC",
    "#pairs",
    "#MRs",
    "#racy pairs",
    "#racy MRs",
    "#races",
    "#unknown",
    "#omitted",
    "time (s)",
];

/// So wide that tables of single modules can be read below each other.
const LEAST_WIDTHS: [usize; COLUMNS] = [16, 6, 6, 5, 11, 9, 6, 8, 8, 8];

/// The table. A racy MR is a location (`struct foo.bar`) that races; a race is a pair of source places.
pub fn render<'a>(analyses: impl IntoIterator<Item = &'a Analysis>) -> String {
    let mut rows = vec![HEADER.map(str::to_owned)];
    rows.extend(analyses.into_iter().map(row));
    let width =
        |column: usize| rows.iter().map(|r| r[column].chars().count()).fold(LEAST_WIDTHS[column], usize::max);
    let widths: [usize; COLUMNS] = std::array::from_fn(width);
    rows.iter().map(|row| line(row, &widths)).collect()
}

fn row(analysis: &Analysis) -> [String; COLUMNS] {
    let tally = tally(analysis);
    let numbers = [
        analysis.source_lines,
        analysis.pairs.len(),
        analysis.regions,
        tally.racy(),
        racy_locations(analysis),
        distinct_races(analysis),
        tally.unknown,
        analysis.omitted.len(),
    ];
    let mut cells = vec![analysis.module.name.clone()];
    cells.extend(numbers.iter().map(ToString::to_string));
    cells.push(format!("{:.2}", analysis.times.total.as_secs_f64()));
    cells.try_into().expect("a cell per column")
}

/// The module's name to the left, numbers to the right.
fn line(row: &[String; COLUMNS], widths: &[usize; COLUMNS]) -> String {
    let mut line = format!("{:<width$}", row[0], width = widths[0]);
    for (cell, width) in row.iter().zip(widths).skip(1) {
        line.push_str(&format!("  {cell:>width$}"));
    }
    line.push('\n');
    line
}

#[cfg(test)]
mod tests {
    use super::super::testdata::{analysis_of, demo};

    #[test]
    fn a_row_per_module() {
        let mut quiet = analysis_of(vec![]);
        quiet.module.name = "a_longer_name".to_owned();
        insta::assert_snapshot!(super::render([&demo(), &quiet]));
    }
}
