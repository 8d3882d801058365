//! Sets of makers: places where a thread makes an object, and members for which code outside does.

/// The bits of a set of makers.
const BITS: usize = 256;
/// The bits that are left to the makers of the module, whatever code outside makes.
const ROOM: usize = BITS / 2;
/// The maker of what has a name, and of what was made and is in no followed member.
pub(super) const NOBODY: usize = 0;

/// A set of makers. Where there are more of them than bits, several share one, and are not told apart.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Makers([u64; BITS / 64]);

impl Makers {
    /// All of them: that of something of which nothing is known.
    pub(super) const ALL: Makers = Makers([u64::MAX; BITS / 64]);

    pub(super) fn of(bit: usize) -> Makers {
        let mut makers = Makers::default();
        makers.0[bit / 64] |= 1 << (bit % 64);
        makers
    }

    pub(super) fn all_of(bits: impl IntoIterator<Item = usize>) -> Makers {
        bits.into_iter().fold(Makers::default(), |all, bit| all.with(Makers::of(bit)))
    }

    pub(super) fn is_empty(self) -> bool {
        self == Makers::default()
    }

    pub(super) fn meets(self, other: Makers) -> bool {
        self.0.iter().zip(other.0).any(|(a, b)| a & b != 0)
    }

    pub(super) fn with(self, other: Makers) -> Makers {
        Makers(std::array::from_fn(|n| self.0[n] | other.0[n]))
    }

    pub(super) fn without(self, other: Makers) -> Makers {
        Makers(std::array::from_fn(|n| self.0[n] & !other.0[n]))
    }

    pub(super) fn is_within(self, other: Makers) -> bool {
        self.without(other).is_empty()
    }

    pub(super) fn bits(self) -> impl Iterator<Item = usize> {
        (0..BITS).filter(move |bit| self.0[bit / 64] & (1 << (bit % 64)) != 0)
    }
}

/// The bit of a maker, by its number. Numbers begin after that of nobody.
pub(super) fn bit(number: usize) -> usize {
    1 + (number - 1) % (BITS - 1)
}

/// Whether makers with numbers below this one leave enough bits to the module.
pub(super) fn leaves_room(number: usize) -> bool {
    number <= BITS - ROOM
}

/// The bits for what the module makes, from that number on: if there is room, nothing else has one of these.
pub(super) fn own_bits(first: usize) -> impl Iterator<Item = usize> + Clone {
    let first = if leaves_room(first) { first } else { NOBODY + 1 };
    first..BITS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_makers_than_bits_share_some_but_none_that_of_nobody() {
        assert_eq!(bit(1), bit(1 + (BITS - 1)));
        assert!((1..3 * BITS).all(|number| (NOBODY + 1..BITS).contains(&bit(number))));
    }

    #[test]
    fn what_the_module_makes_has_bits_of_its_own_if_there_is_room() {
        assert!(own_bits(9).all(|bit| bit >= 9));
        assert!(own_bits(BITS).all(|bit| bit != NOBODY) && own_bits(BITS).count() >= ROOM);
    }

    #[test]
    fn all_makers_meet_each() {
        let one = Makers::of(70);
        assert!(Makers::ALL.meets(one) && one.is_within(Makers::ALL) && !Makers::ALL.is_within(one));
        assert!(!Makers::ALL.without(one).meets(one));
        assert_eq!(Makers::all_of([1, 70]).bits().collect::<Vec<_>>(), [1, 70]);
    }
}
