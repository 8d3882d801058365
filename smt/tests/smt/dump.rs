//! The printed text, run through other solvers' programs.

use std::io::Write;
use std::process::{Command, Stdio};

use lockpair_smt::{Answer, Limits, Query, Session, Sort, Status, Terms, to_smtlib};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::recipe::bools;

const TERMS: usize = 300;

/// Many queries in one run of each program; the answers agree, one by one.
#[test]
fn other_solvers_agree() {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let (mut script, mut expected) = (String::new(), Vec::new());
    while expected.len() < TERMS {
        let mut terms = Terms::new();
        let recipes = proptest::collection::vec(bools(), 4).new_tree(&mut runner).expect("recipes").current();
        let assertions: Vec<_> = recipes.iter().map(|recipe| recipe.build(&mut terms)).collect();
        if assertions.contains(&terms.fals()) {
            continue;
        }
        let mut session = Session::new(&Limits::default());
        for &t in &assertions {
            session.assert(&terms, t);
        }
        let status = match session.check(&terms, &[]) {
            Answer::Sat(_) => Status::Sat,
            Answer::Unsat => Status::Unsat,
            Answer::Unknown(why) => panic!("{why}"),
        };
        expected.push(if status == Status::Sat { "sat" } else { "unsat" });
        let query = Query {
            name: "random".into(),
            comments: vec!["two\nlines".into()],
            assertions,
            status: Some(status),
        };
        script.push_str(&to_smtlib(&terms, &query));
        script.push_str("(reset)\n");
    }
    assert!(expected.iter().filter(|&&answer| answer == "unsat").count() > TERMS / 20);
    for (program, arguments) in [("z3", &["-in"][..]), ("cvc5", &["--lang=smt2", "--incremental"])] {
        match run(program, arguments, &script) {
            Some(output) => assert_eq!(output.split_whitespace().collect::<Vec<_>>(), expected, "{program}"),
            None => eprintln!("{program} is not installed: not compared"),
        }
    }
}

fn run(program: &str, arguments: &[&str], input: &str) -> Option<String> {
    let mut child =
        Command::new(program).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
    let mut stdin = child.stdin.take().expect("piped");
    let input = input.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("output");
    _ = writer.join();
    Some(String::from_utf8(output.stdout).expect("text"))
}

#[test]
fn text_is_readable() {
    let mut terms = Terms::new();
    let x = terms.shared_var("a|b", Sort::Int, Some((-3, 9)));
    let f = terms.func("f", 1, Sort::Int, None);
    let fx = terms.app(f, &[x]);
    let sum = terms.add2(fx, x);
    let zero = terms.int(0);
    let (low, odd) = (terms.le(sum, zero), terms.modulo(sum, 2));
    let odd = terms.eq(odd, zero);
    let query = Query { name: "T / U".into(), comments: vec![], assertions: vec![low, odd], status: None };
    let text = to_smtlib(&terms, &query);
    let expected = "\
; T / U
(set-logic QF_UFLIA)
(declare-fun |a_b| () Int)
(declare-fun |f| (Int) Int)
(assert (<= (- 3) |a_b| 9))
(define-fun ?4 () Int (+ |a_b| (|f| |a_b|)))
(assert (<= ?4 0))
(assert (= (mod ?4 2) 0))
(check-sat)
";
    assert_eq!(text, expected);
}

/// Nesting is bounded by definitions: other parsers may recurse.
#[test]
fn deep_terms_print() {
    let mut terms = Terms::new();
    let mut root = terms.fresh("a", Sort::Bool, None);
    for _ in 0..2_000 {
        let [b, c] = ["b", "c"].map(|name| terms.fresh(name, Sort::Bool, None));
        root = terms.or2(root, b);
        root = terms.and2(root, c);
    }
    let text = to_smtlib(&terms, &Query { assertions: vec![root], ..Query::default() });
    assert!(text.lines().all(|line| line.len() < 1000));
    if let Some(output) = run("z3", &["-in", "-T:20"], &text) {
        assert_eq!(output.trim(), "sat");
    }
}
