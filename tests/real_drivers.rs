//! Drivers of Linux 6.1, from Debian's linux-source: what holds of them whatever their verdicts are.

use lockpair::config::{Config, Silent};
use lockpair::frontend::Kernel;
use lockpair::pipeline;
use lockpair::report::reported_verdict;
use lockpair::verdict::{Analysis, Verdict};
use lockpair_ir::AssumptionKind;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Below `drivers/`; small enough to be inlined but for large circles of calls.
const DRIVERS: &[&str] = &[
    "char/nvram.c",
    "char/sonypi.c",
    "char/hpet.c",
    "char/ppdev.c",
    "char/tlclk.c",
    "rtc/rtc-ds1286.c",
    "rtc/rtc-cmos.c",
    "usb/serial/ssu100.c",
    "block/brd.c",
    "nfc/nfcsim.c",
    "net/ethernet/realtek/8139too.c",
];

/// Call trees of more instructions are summarized here; they are inlined up to 60,000 otherwise.
const SMALL: usize = 200;

/// Summaries and inlining are two ways to encode one thread: a summary proves nothing else, and of fifty proofs it
/// loses one at most. (What is in an object that a procedure makes and gives back is not known to its caller, nor that it is
/// still private where a registration in another procedure has failed.)
#[test]
fn summaries_prove_what_inlining_proves() {
    let mut summarized = 0;
    for driver in DRIVERS {
        let (inlined, with_summaries) = (check(driver, None), check(driver, Some(SMALL)));
        let (all, kept) = (proved(&inlined), proved(&with_summaries));
        assert!(kept.is_subset(&all), "{driver}: {:?}", kept.difference(&all));
        assert!(50 * (all.len() - kept.len()) <= all.len(), "{driver}: {:?}", all.difference(&kept));
        summarized += usize::from(summaries(&with_summaries) > summaries(&inlined));
    }
    assert!(
        2 * summarized > DRIVERS.len(),
        "only {summarized} drivers have call trees of {SMALL} instructions"
    );
}

fn check(driver: &str, inline_limit: Option<usize>) -> Analysis {
    let file = source().join("drivers").join(driver);
    let config = Config { kernel: Kernel::Auto, inline_limit, ..Config::new(vec![file]) };
    pipeline::check(&config, &Silent).unwrap_or_else(|e| panic!("{driver}: {e:#}"))
}

/// Where `.ci/deps.sh` puts the sources, or who has installed the package.
fn source() -> PathBuf {
    let unpacked = Path::new(env!("CARGO_MANIFEST_DIR")).join(".deps/linux-source-6.1");
    let candidates = [unpacked, PathBuf::from("/usr/src/linux-source-6.1")];
    let found = candidates.into_iter().find(|dir| dir.join("drivers/char/nvram.c").exists());
    found.expect("the source of Linux 6.1; `make deps` installs it")
}

/// The pairs that are free of races, by the names of their entry points.
fn proved(analysis: &Analysis) -> BTreeSet<(String, String)> {
    let name = |id| analysis.entry_points.items[id].name.clone();
    let proved = analysis.pairs.iter().filter(|p| matches!(reported_verdict(p), Verdict::RaceFree));
    proved.map(|p| (name(p.pair.0), name(p.pair.1))).collect()
}

/// How many procedures are summarized.
fn summaries(analysis: &Analysis) -> usize {
    analysis.assumptions.iter().filter(|a| a.kind == AssumptionKind::Summary).count()
}
