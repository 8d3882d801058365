//! What the stages and reports look like for a few inputs, times and paths aside.

use crate::verify::{config, root};
use lockpair::config::Silent;
use lockpair::pipeline;
use lockpair::report::{self, Format, Options};
use lockpair_entry_points::{entry_point_table, pair_table};
use serde_json::Value;

/// The inputs: both lock idioms, the paper's first figure, and a driver with an interrupt.
const INPUTS: &[&str] = &["locks/mutex.c", "session/fig1-nvram.c", "publication/irq-before-init.c"];

#[test]
fn entry_points_and_pairs() {
    each_input(|name, config| {
        let (module, eps) = pipeline::entry_points(config).expect("entry points");
        let (_, pairs) = pipeline::pairs(config).expect("pairs");
        let text = format!("{}\n{}", entry_point_table(&eps, &module), pair_table(&pairs, &eps));
        insta::assert_snapshot!(format!("entry-points-{name}"), text);
    });
}

#[test]
fn text_reports() {
    each_input(|name, config| {
        let analysis = pipeline::check(config, &Silent).expect("an analysis");
        let text = report::render(&analysis, Format::Text, &options(config));
        insta::assert_snapshot!(format!("text-{name}"), without_times(&text));
    });
}

#[test]
fn json_reports() {
    each_input(|name, config| {
        let analysis = pipeline::check(config, &Silent).expect("an analysis");
        let text = report::render(&analysis, Format::Json, &options(config));
        let mut json: Value = serde_json::from_str(&text).expect("the report is JSON");
        normalise(&mut json);
        let pretty = serde_json::to_string_pretty(&json).expect("a value has a text");
        insta::assert_snapshot!(format!("json-{name}"), pretty);
    });
}

fn each_input(check: impl Fn(&str, &lockpair::config::Config)) {
    for input in INPUTS {
        let file = root().join("tests/annotated").join(input);
        let name = file.file_stem().expect("a file name").to_string_lossy().into_owned();
        check(&name, &config(&file, &[]));
    }
}

fn options(config: &lockpair::config::Config) -> Options {
    Options { inputs: config.inputs.clone(), base: Some(root()), ..Options::default() }
}

/// Lines that name a duration say nothing that lasts.
fn without_times(text: &str) -> String {
    let words = |line: &str| line.split(' ').map(duration_or_word).collect::<Vec<_>>().join(" ");
    text.lines().map(|line| words(line) + "\n").collect()
}

fn duration_or_word(word: &str) -> &str {
    let digits = word.trim_end_matches([',', '.', ')', ';']).strip_suffix('s').unwrap_or("");
    let digits = digits.trim_end_matches(['m', 'µ']);
    if !digits.is_empty() && digits.parse::<f64>().is_ok() { "[time]" } else { word }
}

/// Numbers of seconds become 0, and paths begin at the top of the repository.
fn normalise(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                if name.contains("seconds") { zero(member) } else { normalise(member) }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(normalise),
        Value::String(text) => *text = text.replace(&format!("{}/", root().display()), ""),
        _ => {}
    }
}

fn zero(value: &mut Value) {
    match value {
        Value::Object(members) => members.values_mut().for_each(zero),
        Value::Number(_) => *value = Value::from(0),
        other => normalise(other),
    }
}
