//! What a run of measurements was made with: the machine and the versions of the programs.

use procfs::{CpuInfo, Current, Meminfo};
use std::path::Path;
use std::process::Command;

/// Lines for people: processor, memory, system, versions.
pub fn describe(clang: Option<&Path>, kernel: Option<&Path>) -> Vec<(String, String)> {
    let mut lines = vec![
        ("machine", machine()),
        ("system", first_line(Command::new("uname").args(["-s", "-r", "-m"]))),
        ("lockpair", Some(env!("CARGO_PKG_VERSION").to_owned())),
    ];
    lines.push(("clang", clang.and_then(|clang| first_line(Command::new(clang).arg("--version")))));
    lines.push(("kernel headers", kernel.map(|dir| dir.display().to_string())));
    let known = |(name, value): (&str, Option<String>)| value.map(|value| (name.to_owned(), value));
    lines.into_iter().filter_map(known).collect()
}

fn machine() -> Option<String> {
    let cpus = CpuInfo::current().ok()?;
    let memory = Meminfo::current().ok()?.mem_total >> 30;
    let model = cpus.model_name(0).unwrap_or("unknown processor");
    Some(format!("{} cores of {model}, {memory} GB", cpus.num_cores()))
}

fn first_line(command: &mut Command) -> Option<String> {
    let output = command.output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().next().map(|line| line.trim().to_owned())
}
