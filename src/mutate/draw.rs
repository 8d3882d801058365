//! Drawing mutants: the same seed draws the same ones everywhere.

/// Keeps so many of the items, in their order. Each gets a number from splitmix64 (Steele, Lea and Flood, OOPSLA 2014)
/// with the seed, one after the other; those with the smallest stay.
pub fn sample<T>(items: Vec<T>, count: usize, seed: u64) -> Vec<T> {
    let mut drawn = in_random_order(items.into_iter().enumerate().collect(), seed);
    drawn.truncate(count);
    drawn.sort_by_key(|&(position, _)| position);
    drawn.into_iter().map(|(_, item)| item).collect()
}

/// The items in the order of these numbers.
pub fn in_random_order<T>(items: Vec<T>, seed: u64) -> Vec<T> {
    let mut state = seed;
    let mut numbered: Vec<(u64, usize, T)> =
        items.into_iter().enumerate().map(|(i, item)| (next(&mut state), i, item)).collect();
    numbered.sort_by_key(|&(number, position, _)| (number, position));
    numbered.into_iter().map(|(.., item)| item).collect()
}

fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of the reference implementation for seed 1234567.
    #[test]
    fn the_generator_is_the_published_one() {
        let mut state = 1_234_567;
        let drawn = [next(&mut state), next(&mut state), next(&mut state)];
        assert_eq!(drawn, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn a_sample_keeps_the_order() {
        let drawn = sample((0..100).collect(), 10, 1);
        assert_eq!(drawn.len(), 10);
        assert!(drawn.is_sorted());
        assert_eq!(drawn, sample((0..100).collect(), 10, 1));
        assert_ne!(drawn, sample((0..100).collect(), 10, 2));
        assert_eq!(sample((0..3).collect(), 10, 1), [0, 1, 2]);
    }
}
