//! What the pairs of a module may cost.

use crate::config::Config;
use crate::vcgen::PairLimits;
use std::time::{Duration, Instant};

/// The time that all pairs of a module have together.
pub struct Budget {
    /// When the first began.
    pub start: Instant,
    /// The limit of all.
    pub total: Duration,
    /// The limits of each.
    pub pair: PairLimits,
}

impl Budget {
    /// What the next pair may cost; none if there is no time left. A verdict is worth more than one more
    /// race: when half of the time is gone, a pair that races is left with the first race.
    pub fn next(&self) -> Option<PairLimits> {
        let left = self.total.checked_sub(self.start.elapsed()).filter(|left| !left.is_zero())?;
        let mut limits = self.pair.clone();
        limits.pair = limits.pair.min(left);
        limits.query.hard = limits.query.hard.min(left);
        limits.query.soft = limits.query.soft.min(left.mul_f64(0.8));
        if left < self.total / 2 {
            limits.races = 1;
        }
        Some(limits)
    }
}

/// What the pairs of a module may cost by the options.
pub fn limits(config: &Config) -> PairLimits {
    let query = lockpair_smt::Limits {
        soft: config.query_timeout.mul_f64(0.8),
        hard: config.query_timeout,
        memory_mb: config.memory_mb,
        rlimit: None,
    };
    PairLimits { query, pair: config.pair_timeout, races: config.max_races }
}
