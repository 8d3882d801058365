//! What a report says would remove a race was verified: the inputs say on the line of an access which lock is to be taken
//! there (`FIX name`), or that no lock of the other side was shown to help (`MISSING`).

use lockpair::config::{Config, Silent};
use lockpair::frontend::Kernel;
use lockpair::verdict::{Access, Analysis, Fix};
use std::collections::BTreeSet;
use std::path::Path;

type Lines = BTreeSet<(u32, String)>;

fn analyze(file: &Path) -> Analysis {
    let headers = Path::new(env!("CARGO_MANIFEST_DIR")).join("env-models/include");
    let config = Config {
        kernel: Kernel::None,
        clang_flags: vec![format!("-I{}", headers.display()), "-DMODULE".to_owned()],
        ..Config::new(vec![file.to_owned()])
    };
    lockpair::pipeline::check(&config, &Silent).unwrap()
}

fn found(analysis: &Analysis) -> Lines {
    let line = |access: &Access| analysis.module.locs[access.loc.expect("a place")].line;
    let takes_none = |access: &Access| access.locks.iter().all(|lock| lock.taken.is_none());
    let mut out = Lines::new();
    for race in analysis.pairs.iter().flat_map(|pair| &pair.races) {
        match &race.fix {
            Some(Fix::Take { lock, around }) => {
                out.insert((line(&race.accesses[*around]), format!("FIX {}", lock.name)));
            }
            Some(Fix::Missing(_)) => {
                let without = race.accesses.iter().filter(|access| takes_none(access));
                out.extend(without.map(|access| (line(access), "MISSING".to_owned())));
            }
            None => {}
        }
    }
    out
}

fn expected(text: &str) -> Lines {
    let comments = text.lines().zip(1..).filter_map(|(line, n)| Some((n, line.split_once("// ")?.1)));
    comments.map(|(n, said)| (n, said.to_owned())).collect()
}

#[test]
fn a_fix_is_what_removes_the_race() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixes");
    for entry in std::fs::read_dir(directory).expect("the inputs") {
        let file = entry.expect("a readable directory").path();
        let text = std::fs::read_to_string(&file).expect("a readable input");
        assert_eq!(found(&analyze(&file)), expected(&text), "{}", file.display());
    }
}
