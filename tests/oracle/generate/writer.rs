//! What all families of programs are made with: numbers from a seed, and lines of text.

use std::fmt::Write as _;

/// A small generator of numbers (splitmix64): the same everywhere and for ever.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        Rng(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ 0x9e37_79b9_7f4a_7c15)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n.max(1)
    }

    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }
}

/// A program, or a part of one, while it is written.
pub struct Writer {
    pub rng: Rng,
    pub out: String,
    pub depth: u32,
    pub names: u32,
}

impl Writer {
    pub fn new(rng: Rng) -> Writer {
        Writer { rng, out: String::new(), depth: 0, names: 0 }
    }

    pub fn line(&mut self, text: &str) {
        let indent = "\t".repeat(self.depth as usize);
        let _ = writeln!(self.out, "{indent}{text}");
    }

    pub fn open_brace(&mut self, text: &str) {
        self.line(text);
        self.depth += 1;
    }

    pub fn close_brace(&mut self, text: &str) {
        self.depth -= 1;
        self.line(text);
    }

    pub fn name(&mut self, base: &str) -> String {
        self.names += 1;
        format!("{base}{}", self.names)
    }
}
