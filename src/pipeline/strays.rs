//! Locks that are given back where the thread is not seen to hold them, as when a function leaves by a label that is for those
//! who have the lock. Such a lock may be another thread's, which has it no more then: that is assumed not to happen.

use crate::hygiene::Asker;
use crate::instrument::Thread;
use crate::vcgen::Renaming;
use lockpair_ir::{AssumptionKind, Ledger};
use lockpair_smt::Limits;
use rayon::prelude::*;
use std::time::{Duration, Instant};

/// The time for all threads: what is left after it is assumed without being asked.
const TOTAL: Duration = Duration::from_secs(2);

/// Records what is assumed of the locks that threads give back.
pub fn record(threads: &[Thread], renamings: &[Renaming], limits: &Limits, ledger: &mut Ledger) {
    let start = Instant::now();
    let of_thread = |(thread, renaming): (&Thread, &Renaming)| {
        let mut asker = Asker::new(thread, renaming, limits);
        let mut strays = Vec::new();
        for stray in &thread.strays {
            let is_known = strays.contains(&(stray.class.clone(), stray.loc));
            if !is_known && (start.elapsed() > TOTAL || !asker.never(stray.when)) {
                strays.push((stray.class.clone(), stray.loc));
            }
        }
        strays
    };
    let threads = threads.par_iter().zip(renamings).filter(|(thread, _)| !thread.strays.is_empty());
    let found: Vec<_> = threads.map(of_thread).collect();
    for (class, loc) in found.into_iter().flatten() {
        ledger.record(AssumptionKind::OwnLocks, class, loc);
    }
}
