//! The 16 drivers of the paper (Deligiannis, Donaldson, Rakamarić, ASE 2015, tables I and II) as they are in
//! Linux 6.1: what the paper says of them, and what `lockpair batch` has found out.
//!
//! cargo bench --bench whoop -- RESULTS prints the table; RESULTS is the directory of the records.

use serde_json::Value;
use std::path::{Path, PathBuf};

/// A row of the paper.
struct Driver {
    name: &'static str,
    lines: u32,
    pairs: u32,
    racy_pairs: &'static str,
    racy_regions: &'static str,
    seconds: f64,
    now: Now,
}

/// What became of a driver until Linux 6.1.
enum Now {
    /// A module that may be among the records.
    Module(&'static str),
    /// Gone.
    Gone(&'static str),
    /// Not compiled for amd64.
    Other(&'static str),
}

use Now::{Gone, Module, Other};

#[rustfmt::skip]
const DRIVERS: &[Driver] = &[
    driver("generic_nvram", 283, 14, "7", "2", 2.3, Gone("merged into nvram")),
    driver("pc8736x_gpio", 354, 27, "13", "6", 4.1, Module("drivers/char/pc8736x_gpio")),
    driver("machzwd", 457, 10, "6", "3", 2.8, Module("drivers/watchdog/machzwd")),
    driver("ssu100", 568, 7, "-", "-", 2.9, Module("drivers/usb/serial/ssu100")),
    driver("intel_scu_wd", 632, 10, "5", "1", 2.4, Gone("removed")),
    driver("ds1286", 635, 15, "5", "3", 4.1, Module("drivers/rtc/rtc-ds1286")),
    driver("dtlk", 750, 21, "10", "6", 5.4, Module("drivers/char/dtlk")),
    driver("fs3270", 883, 15, "9", "1", 3.2, Other("s390")),
    driver("gdrom", 890, 94, "21", "2", 9.5, Other("sh")),
    driver("swim", 996, 28, "15", "7", 5.8, Other("m68k")),
    driver("intel_nfcsim", 1272, 10, "10", "2", 3.6, Module("drivers/nfc/nfcsim")),
    driver("ps3vram", 1499, 4, "1", "1", 4.5, Other("powerpc")),
    driver("sonypi", 1729, 30, "19", "4", 10.6, Module("drivers/char/sonypi")),
    driver("sx8", 1751, 2, "2", "1", 2.8, Gone("removed")),
    driver("8139too", 2694, 46, "40", "4", 18.9, Module("drivers/net/ethernet/realtek/8139too")),
    driver("r8169", 7205, 192, "88", "1", 144.5, Module("drivers/net/ethernet/realtek/r8169")),
];

const fn driver(
    name: &'static str,
    lines: u32,
    pairs: u32,
    racy_pairs: &'static str,
    racy_regions: &'static str,
    seconds: f64,
    now: Now,
) -> Driver {
    Driver { name, lines, pairs, racy_pairs, racy_regions, seconds, now }
}

/// The paper's columns, then ours.
const HEADER: &str = "\
| driver | lines | pairs | racy pairs | racy regions | s | in Linux 6.1 | lines | pairs (omitted) | racy pairs \
| racy locations | unknown | s without clang |
| --- | --: | --: | --: | --: | --: | --- | --: | --: | --: | --: | --: | --: |";

fn main() {
    // `cargo bench` adds --bench.
    let Some(results) = std::env::args().skip(1).find(|argument| !argument.starts_with('-')) else {
        println!("whoop: name the directory of the records of `lockpair batch`");
        return;
    };
    println!("{HEADER}");
    for driver in DRIVERS {
        println!("{}", row(driver, Path::new(&results)));
    }
}

fn row(driver: &Driver, results: &Path) -> String {
    let Driver { name, lines, pairs, racy_pairs, racy_regions, seconds, now } = driver;
    let ours = match now {
        Gone(how) => format!("gone: {how} | | | | | |"),
        Other(architecture) => format!("other architecture: {architecture} | | | | | |"),
        Module(module) => verified(&results.join(format!("{module}.json"))),
    };
    format!("| {name} | {lines} | {pairs} | {racy_pairs} | {racy_regions} | {seconds} | {ours} |")
}

/// What the record says.
fn verified(record: &PathBuf) -> String {
    let text = std::fs::read_to_string(record).unwrap_or_default();
    let record: Value = serde_json::from_str(&text).unwrap_or_default();
    let statistics = &record["report"]["statistics"];
    if statistics.is_null() {
        let outcome = record["outcome"].as_str().unwrap_or("not run");
        return format!("{outcome} | | | | | |");
    }
    let number = |value: &Value| value.as_u64().unwrap_or_default();
    let pairs = &statistics["pairs"];
    let seconds = |name: &str| statistics["seconds"][name].as_f64().unwrap_or_default();
    format!(
        "verified | {} | {} ({}) | {} | {} | {} | {:.1}",
        number(&statistics["lines"]),
        number(&pairs["checked"]),
        number(&pairs["omitted"]),
        number(&pairs["potential"]) + number(&pairs["race"]),
        number(&statistics["racy_locations"]),
        number(&pairs["unknown"]),
        seconds("total") - seconds("clang"),
    )
}
