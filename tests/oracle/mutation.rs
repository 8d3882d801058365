//! One fault after the other in the verifier; the oracle must notice each.

use crate::annotated;
use crate::generate::Family;
use crate::run::{Plan, Program, number_from_environment};
use lockpair::fault::{Fault, seed};
use std::sync::Mutex;

/// The fault is a property of the process: whoever runs the verifier must hold this.
pub static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Rows that are wrong, each by the name of the mistake; the interpreter has rows of its own for these functions.
const WRONG_ROWS: &[(&str, &str)] = &[
    (
        "NosyncWaits",
        r#"<function name="disable_irq_nosync">
        <acquire class="irq-off" mode="shared" lock="arg0"/> <acquire class="irq-thread-off" mode="shared" lock="arg0"/>
    </function>"#,
    ),
    (
        "HardirqWaitsForThreads",
        r#"<function name="disable_hardirq">
        <acquire class="irq-off" mode="shared" lock="arg0"/> <acquire class="irq-thread-off" mode="shared" lock="arg0"/>
    </function>"#,
    ),
    ("EnableEndsNothing", r#"<function name="enable_irq"/>"#),
    (
        "StopWaits",
        r#"<function name="netif_stop_queue"><acquire class="xmit-off" mode="shared" lock="arg0"/></function>"#,
    ),
    ("WakeEndsNothing", r#"<function name="netif_{wake,start}_queue"/>"#),
    ("QueuesAreCounted", r#"<state class="xmit-off" counted="yes"/>"#),
    ("LinesAreNotCounted", r#"<state class="irq-off"/>"#),
];

/// Who finds a fault first among the generated programs, the hand-written ones, and the annotated ones, which are asked
/// last.
struct Found {
    fault: String,
    generated: Option<String>,
    directed: Option<String>,
    annotated: Option<String>,
}

#[test]
fn mutation() {
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(|e| e.into_inner());
    let mut plan = Plan::new();
    let only = std::env::var("ORACLE_FAULT").ok();
    let wanted = |f: &str| only.as_ref().is_none_or(|names| names.split(',').any(|name| f == name));
    let budget = number_from_environment("ORACLE_MUTATION_PROGRAMS").unwrap_or(200);
    let mut programs = plan.generated(Family::Mixed, 0..budget);
    programs.extend(plan.generated(Family::Deep, 0..budget));
    programs.extend(plan.circled(plan.generated(Family::Deep, 0..budget)));
    for &family in Family::OF_ONE_RULE {
        programs.extend(plan.generated(family, 0..budget / 2));
    }
    let programs = sound_ones(&plan, programs);
    let mut directed = plan.directed();
    directed.extend(plan.summarized(plan.directed()));
    directed.extend(plan.circled(plan.directed()));
    let directed = sound_ones(&plan, directed);
    let annotated = annotated::files().into_iter().map(Program::Annotated).collect();
    let annotated = sound_ones(&plan, annotated);
    let search = |plan: &Plan, fault: String| {
        let (generated, directed) = (first(plan, &programs), first(plan, &directed));
        let unknown = generated.is_none() && directed.is_none();
        let annotated = unknown.then(|| first(plan, &annotated)).flatten();
        let found = Found { fault, generated, directed, annotated };
        println!("{}", row(&found));
        found
    };
    let mut found = Vec::new();
    for &fault in Fault::ALL.iter().filter(|f| wanted(&f.name())) {
        seed(Some(fault));
        found.push(search(&plan, fault.name()));
        seed(None);
    }
    for (name, rows) in WRONG_ROWS.iter().filter(|(name, _)| wanted(name)) {
        plan.believe(&format!("<model>{rows}</model>"));
        found.push(search(&plan, (*name).to_owned()));
    }
    let missed: Vec<String> = found
        .iter()
        .filter(|f| f.generated.is_none() && f.directed.is_none() && f.annotated.is_none())
        .map(|f| f.fault.clone())
        .collect();
    println!("{} of {} faults found", found.len() - missed.len(), found.len());
    assert!(missed.is_empty(), "not found: {missed:?}");
}

/// The programs that the verifier gets right without a fault: only they can show one.
fn sound_ones(plan: &Plan, programs: Vec<Program>) -> Vec<Program> {
    let failing = plan.failing(&programs);
    programs.into_iter().filter(|p| !failing.contains(p)).collect()
}

fn first(plan: &Plan, programs: &[Program]) -> Option<String> {
    plan.first_failure(programs).map(|(program, failure)| format!("{program} ({:?})", failure.miss))
}

fn row(found: &Found) -> String {
    let show = |f: &Option<String>| f.clone().unwrap_or_else(|| "-".to_owned());
    let columns = [&found.generated, &found.directed, &found.annotated].map(show);
    format!("{:<26} {:<44} {:<44} {}", found.fault, columns[0], columns[1], columns[2])
}
