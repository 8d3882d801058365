//! The soundness oracle: small programs go through the verifier, and through an interpreter that tries all
//! interleavings of what the kernel may run at the same time. The verifier must not call a pair of entry
//! points free of races, or leave it out, if the interpreter reaches a race in it.
//!
//! The programs are generated from seeds, and written by hand (`oracle/directed`). How many are generated:
//! `ORACLE_PROGRAMS`, or `LOCKPAIR_ORACLE_PERCENT` of 10,000; by default 1,000. `ORACLE_SEED` is the first
//! seed. `ORACLE_FILE=x.c` checks that file alone. What fails is written to `ORACLE_OUT`, by default
//! `oracle-failures` in the directory for temporary files.
//!
//! With the feature `seeded-faults`, the test `mutation` switches off one rule of the verifier after the
//! other, and each time the oracle has to notice.

#[cfg(feature = "seeded-faults")]
#[path = "oracle/annotated.rs"]
mod annotated;
#[path = "oracle/check.rs"]
mod check;
#[path = "oracle/generate/mod.rs"]
mod generate;
#[cfg(feature = "seeded-faults")]
#[path = "oracle/mutation.rs"]
mod mutation;
#[path = "oracle/run.rs"]
mod run;
#[path = "oracle/scenario/mod.rs"]
mod scenario;
#[cfg(feature = "seeded-faults")]
#[path = "annotated/verify.rs"]
mod verify;

use generate::Family;
use run::{Plan, number_from_environment};

/// The hand-written programs: one for each rule that is easy to get wrong.
#[test]
fn oracle_directed() {
    let _one = one_at_a_time();
    let plan = Plan::new();
    let summary = plan.run(&plan.directed());
    println!("hand-written: {summary}");
    assert!(summary.failures.is_empty(), "{}", summary.failures.join("\n"));
}

/// The generated programs.
#[test]
fn oracle_generated() {
    let _one = one_at_a_time();
    let plan = Plan::new();
    let percent = number_from_environment("LOCKPAIR_ORACLE_PERCENT").unwrap_or(10);
    let count = number_from_environment("ORACLE_PROGRAMS").unwrap_or(percent * 100);
    let first = number_from_environment("ORACLE_SEED").unwrap_or(0);
    let summary = plan.run(&plan.generated(Family::Mixed, first..first + count));
    println!("generated: {summary}");
    assert!(summary.failures.is_empty(), "{}", summary.failures.join("\n"));
    assert!(count < 100 || summary.racy_share() >= 0.3, "too few programs with a race: {summary}");
}

/// Programs about locks of elements.
#[test]
fn oracle_elements() {
    family(Family::Elements);
}

/// Programs about locks that are not always taken.
#[test]
fn oracle_conditional() {
    family(Family::Conditional);
}

/// Programs about callbacks.
#[test]
fn oracle_lifecycle() {
    family(Family::Lifecycle);
}

/// Programs about per-CPU data.
#[test]
fn oracle_percpu() {
    family(Family::PerCpu);
}

/// Programs about lines that are off and queues that are stopped.
#[test]
fn oracle_states() {
    family(Family::States);
}

/// Programs about drivers of devices, and attributes.
#[test]
fn oracle_binding() {
    family(Family::Binding);
}

/// Programs about words that say whose turn it is.
#[test]
fn oracle_turns() {
    family(Family::Turns);
}

#[test]
fn oracle_references() {
    family(Family::References);
}

/// The programs of a family, as they are and, half of them, with all calls summarized.
fn family(family: Family) {
    let _one = one_at_a_time();
    let plan = Plan::new();
    let percent = number_from_environment("LOCKPAIR_ORACLE_PERCENT").unwrap_or(10);
    let count = number_from_environment("ORACLE_PROGRAMS").unwrap_or(percent * 3);
    let first = number_from_environment("ORACLE_SEED").unwrap_or(0);
    let mut programs = plan.generated(family, first..first + count);
    programs.extend(plan.summarized(plan.generated(family, first..first + count / 2)));
    let summary = plan.run(&programs);
    println!("{}: {summary}", family.name());
    assert!(summary.failures.is_empty(), "{}", summary.failures.join("\n"));
    assert!(count < 50 || summary.racy_share() >= 0.15, "too few programs with a race: {summary}");
    assert!(count < 50 || summary.proved_share() >= 0.5, "too few pairs are proved: {summary}");
}

/// With a summary in the place of each call, and of each circle of calls: the hand-written programs, generated ones,
/// and those with deep call trees and recursion.
#[test]
fn oracle_summarized() {
    let _one = one_at_a_time();
    let plan = Plan::new();
    let percent = number_from_environment("LOCKPAIR_ORACLE_PERCENT").unwrap_or(10);
    let count = number_from_environment("ORACLE_PROGRAMS").unwrap_or(percent * 50);
    let first = number_from_environment("ORACLE_SEED").unwrap_or(0);
    let mut programs = plan.summarized(plan.directed());
    programs.extend(plan.summarized(plan.generated(Family::Mixed, first..first + count / 2)));
    programs.extend(plan.generated(Family::Deep, first..first + count));
    programs.extend(plan.circled(plan.directed()));
    programs.extend(plan.circled(plan.generated(Family::Deep, first..first + count / 2)));
    let summary = plan.run(&programs);
    println!("summarized: {summary}");
    assert!(summary.failures.is_empty(), "{}", summary.failures.join("\n"));
}

/// One file, to look at a failure.
#[test]
fn oracle_file() {
    let Some(file) = std::env::var_os("ORACLE_FILE") else { return };
    let _one = one_at_a_time();
    let plan = Plan::new();
    let file = run::Program::File(file.into());
    let programs = [vec![file.clone()], plan.summarized(vec![file.clone()]), plan.circled(vec![file])];
    let summary = plan.run(&programs.concat());
    println!("{summary}");
    assert!(summary.failures.is_empty(), "{}", summary.failures.join("\n"));
}

/// Faults are a property of the process: nobody else verifies while one is seeded.
fn one_at_a_time() -> impl Sized {
    #[cfg(feature = "seeded-faults")]
    return mutation::ONE_AT_A_TIME.lock().unwrap_or_else(|e| e.into_inner());
}
