//! Time and memory limits: a check returns in time, and the process survives.

use std::time::{Duration, Instant};

use lockpair_smt::{Answer, Limits, Session, Sort, TermId, Terms, UnknownReason};

/// `pigeons` pigeons do not fit into one hole fewer.
fn pigeonhole(terms: &mut Terms, pigeons: usize) -> Vec<TermId> {
    let holes = pigeons - 1;
    let mut sits = Vec::new();
    for _ in 0..pigeons {
        sits.push((0..holes).map(|_| terms.fresh("sits", Sort::Bool, None)).collect::<Vec<_>>());
    }
    let mut all: Vec<TermId> = sits.iter().map(|row| terms.or(row)).collect();
    for (a, row) in sits.iter().enumerate() {
        for other in &sits[..a] {
            for (&here, &there) in row.iter().zip(other) {
                let both = terms.and2(here, there);
                all.push(terms.not(both));
            }
        }
    }
    all
}

fn ask(limits: &Limits, pigeons: usize) -> Answer {
    let mut terms = Terms::new();
    let all = pigeonhole(&mut terms, pigeons);
    let mut session = Session::new(limits);
    for t in all {
        session.assert(&terms, t);
    }
    session.check(&terms, &[])
}

#[test]
fn hard_queries_return_in_time() {
    let limits =
        Limits { soft: Duration::from_millis(100), hard: Duration::from_millis(600), ..Limits::default() };
    let start = Instant::now();
    let answer = ask(&limits, 40);
    assert!(start.elapsed() < Duration::from_millis(700), "{:?}", start.elapsed());
    assert!(matches!(answer, Answer::Unknown(UnknownReason::Timeout)), "{answer:?}");
    let again = ask(&limits, 4);
    assert!(again.is_unsat(), "{again:?}");
}

#[test]
fn resources_are_limited() {
    let limits = Limits { rlimit: Some(2000), ..Limits::default() };
    let answer = ask(&limits, 30);
    assert!(matches!(answer, Answer::Unknown(UnknownReason::Resources)), "{answer:?}");
}

/// Sessions of a thread share its solvers: what one may use says nothing about the next.
#[test]
fn resource_limits_end_with_their_session() {
    let stopped = ask(&Limits { rlimit: Some(2000), ..Limits::default() }, 30);
    assert!(matches!(stopped, Answer::Unknown(UnknownReason::Resources)), "{stopped:?}");
    let answer = ask(&Limits::default(), 6);
    assert!(answer.is_unsat(), "{answer:?}");
}

/// The memory limit belongs to the process, so this runs in one of its own.
#[test]
fn memory_is_limited() {
    if std::env::var_os("LOCKPAIR_TEST_MEMORY").is_none() {
        let this = std::env::current_exe().expect("a test program");
        let child = std::process::Command::new(this)
            .args(["--exact", "limits::memory_is_limited"])
            .env("LOCKPAIR_TEST_MEMORY", "1")
            .status()
            .expect("the test program runs");
        assert!(child.success());
        return;
    }
    let limits = Limits {
        soft: Duration::from_secs(20),
        hard: Duration::from_secs(30),
        memory_mb: 40,
        ..Limits::default()
    };
    let answer = ask(&limits, 60);
    assert!(matches!(answer, Answer::Unknown(UnknownReason::Memory)), "{answer:?}");
    let again = ask(&limits, 4);
    assert!(again.is_unsat(), "{again:?}");
}
