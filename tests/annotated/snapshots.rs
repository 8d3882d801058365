//! What the stages and reports look like for a few inputs, times and paths aside.

use crate::verify::{config, root};
use lockpair::config::{Config, Silent};
use lockpair::pipeline;
use lockpair::report::{self, Format, Options};
use lockpair::verdict::{Analysis, Times};
use lockpair_entry_points::{entry_point_table, pair_table};
use serde_json::Value;
use std::time::Duration;

/// A proof, the paper's first figure, a driver with an interrupt, a program with an execution, and a driver that calls a function
/// without a row.
const INPUTS: &[&str] = &[
    "locks/mutex.c",
    "session/fig1-nvram.c",
    "publication/irq-before-init.c",
    "posix/init-late-wrong.c",
    "idioms/owner-flag-asked-wrong.c",
    "idioms/bit-fields-wrong.c",
];

#[test]
fn entry_points_and_pairs() {
    each_input(|name, config| {
        let (module, eps) = pipeline::entry_points(config).expect("entry points");
        let (_, pairs) = pipeline::pairs(config).expect("pairs");
        let text = format!("{}\n{}", entry_point_table(&eps, &module), pair_table(&pairs, &eps));
        insta::assert_snapshot!(format!("entry-points-{name}"), relative(&text));
    });
}

#[test]
fn text_reports() {
    each_input(|name, config| {
        let text = report::render(&timeless(config), Format::Text, &options(config));
        insta::assert_snapshot!(format!("text-{name}"), text);
    });
}

#[test]
fn json_reports() {
    each_input(|name, config| {
        let text = report::render(&timeless(config), Format::Json, &options(config));
        let json: Value = serde_json::from_str(&text).expect("the report is JSON");
        let pretty = serde_json::to_string_pretty(&json).expect("a value has a text");
        insta::assert_snapshot!(format!("json-{name}"), relative(&pretty));
    });
}

fn each_input(check: impl Fn(&str, &Config)) {
    for input in INPUTS {
        let file = root().join("tests/annotated").join(input);
        let name = file.file_stem().expect("a file name").to_string_lossy().into_owned();
        check(&name, &config(&file, &[]));
    }
}

fn options(config: &Config) -> Options {
    Options { inputs: config.inputs.clone(), base: Some(root()), ..Options::default() }
}

/// The analysis, as if it had taken no time.
fn timeless(config: &Config) -> Analysis {
    let mut analysis = pipeline::check(config, &Silent).expect("an analysis");
    analysis.times = Times::default();
    analysis.pairs.iter_mut().for_each(|pair| pair.time = Duration::ZERO);
    analysis
}

/// Paths begin at the top of the repository.
fn relative(text: &str) -> String {
    text.replace(&format!("{}/", root().display()), "")
}
