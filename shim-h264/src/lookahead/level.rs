//! Luma at a lower resolution.

use alloc::vec;
use alloc::vec::Vec;

use shim::prelude::*;

/// The luma of a picture at a lower density.
#[shim::located(view as LevelView)]
#[derive(Clone, Debug)]
pub(crate) struct Level {
    /// Rows.
    pub(crate) h: usize,
    /// Columns.
    pub(crate) w: usize,
    /// The samples.
    #[shape(h, w)]
    pub(crate) samples: Vec<u8>,
}

impl Level {
    /// Black samples in so many rows and columns.
    pub(crate) fn new([h, w]: [usize; 2]) -> Self {
        Self { h, w, samples: vec![0; h * w] }
    }
}

/// Averages of 2x2 samples of a plane.
///
/// # Panics
///
/// When the plane does not have the memory.
#[shim::kernel(simd, checks = "hoisted")]
pub(crate) fn halve(#[shape(2 * to.h, 2 * to.w)] from: &[u8], #[located] to: &mut Level) {
    let (from, half) = (from.cast::<u16>(), to.samples.cast::<u16>());
    let [y, x] = iters();
    half[[y, x]] = (from[[2 * y, 2 * x]]
        + from[[2 * y, 2 * x + 1]]
        + from[[2 * y + 1, 2 * x]]
        + from[[2 * y + 1, 2 * x + 1]]
        + 2)
        >> 2;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::testing::Random;

    #[test]
    fn a_sample_is_the_mean_of_four() {
        let mut random = Random::new(3);
        for [h, w] in [[1, 1], [8, 8], [3, 70]] {
            let from: Vec<u8> = (0..4 * h * w).map(|_| random.byte()).collect();
            let mut to = Level::new([h, w]);
            halve(&from, &mut to);
            for (i, &sample) in to.samples.iter().enumerate() {
                let (y, x) = (i / w, i % w);
                let row =
                    |y: usize| u32::from(from[2 * w * y + 2 * x]) + u32::from(from[2 * w * y + 2 * x + 1]);
                assert_eq!(u32::from(sample), (row(2 * y) + row(2 * y + 1) + 2) / 4);
            }
        }
    }
}
