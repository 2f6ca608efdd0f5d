//! What a kernel of the suite gives: data, three versions, and what they wrote.

/// A kernel with its data. The versions share their data, the memory that they write included, so that none has a
/// better place in the cache or a better alignment than the others.
pub trait Case: Sized {
    /// What the table calls it.
    const NAME: &'static str;

    /// What a version returns or writes.
    type Output: PartialEq + std::fmt::Debug;

    /// Data of the size that is measured.
    fn measured(random: &mut Random) -> Self;

    /// Data of any size that the kernel takes, for the test.
    fn small(random: &mut Random) -> Self {
        Self::measured(random)
    }

    /// Runs the `#[shim::kernel]`.
    fn staged(&mut self);

    /// Runs the hand-written version.
    fn hand(&mut self);

    /// Runs the version on the runtime library.
    fn library(&mut self);

    /// Takes what the last version wrote, and leaves zeros.
    fn take(&mut self) -> Self::Output;
}

/// Asserts that the three versions agree on random data of many sizes.
///
/// # Panics
/// When they do not.
pub fn assert_agreement<C: Case>() {
    let mut random = Random::new(1);
    for round in 0..40 {
        let mut case = if round == 0 { C::measured(&mut random) } else { C::small(&mut random) };
        case.staged();
        let staged = case.take();
        case.hand();
        assert!(case.take() == staged, "{}: staged and hand-written differ in round {round}", C::NAME);
        case.library();
        assert!(case.take() == staged, "{}: staged and library differ in round {round}", C::NAME);
    }
}

/// Reproducible numbers (Knuth's MMIX generator, of which the upper half is used).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A sequence; another seed, another sequence.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 32 bits.
    pub fn bits(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 32) as u32
    }

    /// A number from `least` to `greatest`, both included.
    pub fn within(&mut self, least: usize, greatest: usize) -> usize {
        least + self.bits() as usize % (greatest - least + 1)
    }

    /// Samples, full range.
    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.bits() as u8).collect()
    }
}
