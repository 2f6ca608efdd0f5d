//! Differences of two blocks: the sum of absolute differences (SAD), of squared ones (SSD), and of the magnitudes of
//! their Hadamard transform (SATD, halved).

use shim::prelude::*;

use crate::kernels::transform::{block_of, blocks, differences, hadamard_4x4};

/// A place in a plane of samples.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The samples, row by row.
    pub plane: &'a [u8],
    /// Rows and columns of the plane.
    pub size: [usize; 2],
    /// Row and column of the place.
    pub at: [usize; 2],
}

/// The SAD of two blocks of constant extents, a template.
#[shim::kernel]
pub(crate) fn sad_of(a: impl Tensor<u8, 2>, b: impl Tensor<u8, 2>) -> u32 {
    let (a, b) = (a.cast::<i32>(), b.cast::<i32>());
    let mut sum: i32 = 0;
    // A row at a time, each row would be added up by itself.
    #[reorder(x, y)]
    #[unroll(y)]
    for [y, x] in a.indices() {
        sum += (a[[y, x]] - b[[y, x]]).abs();
    }
    sum as u32
}

/// The SSD of two blocks, a template.
#[shim::kernel]
pub(crate) fn ssd_of(a: impl Tensor<u8, 2>, b: impl Tensor<u8, 2>) -> u32 {
    let (a, b) = (a.cast::<i16>(), b.cast::<i16>());
    let square = |d: i16| i32::from(d) * i32::from(d);
    a.indices().map(|[y, x]| square(a[[y, x]] - b[[y, x]])).sum::<i32>() as u32
}

/// Half the sum of the magnitudes of the Hadamard transform of each of `COUNT` [`blocks`] of differences of at most 255:
/// `sum(abs(H D H)) / 2`, a template. It is at most 8160.
#[shim::kernel]
pub(crate) fn hadamard_of<const COUNT: usize>(d: impl Tensor<i16, 2>, own: impl Tensor<u32, 1>) {
    for l in 0..COUNT {
        let block = block_of(d, l);
        let c = Block::stack::<i16>([4, 4]);
        #[unroll]
        for [i, j] in c.indices() {
            c[[i, j]] = block[[i, j]];
        }
        hadamard_4x4::<i16>(c);
        #[unroll]
        let sum = c.indices().map(|[i, j]| c[[i, j]].unsigned_abs()).sum::<u16>();
        own[[l]] = u32::from(sum >> 1);
    }
}

/// The SATD of two blocks of constant extents, multiples of 4: a template.
#[shim::kernel]
pub(crate) fn satd_of(a: impl Tensor<u8, 2>, b: impl Tensor<u8, 2>) -> u32 {
    let count = a.extent(0) * a.extent(1) / 16;
    let d = blocks(a);
    let own = Block::stack::<u32>([count]);
    differences(a, b, d);
    hadamard_of::<count>(d, own);
    own.indices().map(|[l]| own[[l]]).sum::<u32>()
}

macro_rules! metric {
    ($($name:ident, $what:literal = $h:literal by $w:literal: ($($template:tt)*);)*) => {$(
        #[doc = concat!("The ", $what, " of two blocks of ", stringify!($h), " rows of ", stringify!($w), ".")]
        ///
        /// # Panics
        ///
        /// When a block does not lie in its plane.
        #[shim::kernel(simd)]
        pub fn $name(cur: Place<'_>, other: Place<'_>) -> u32 {
            let [r, c] = cur.at;
            let cur = Block::external(cur.plane, [cur.size[0], cur.size[1]])[[r..r + $h, c..c + $w]];
            let [r, c] = other.at;
            let other = Block::external(other.plane, [other.size[0], other.size[1]])[[r..r + $h, c..c + $w]];
            $($template)*(cur, other)
        }
    )*};
}

metric! {
    sad_16x16, "SAD" = 16 by 16: (sad_of);
    sad_8x4, "SAD" = 4 by 8: (sad_of);
    sad_4x8, "SAD" = 8 by 4: (sad_of);
    sad_4x4, "SAD" = 4 by 4: (sad_of);
    ssd_16x16, "SSD" = 16 by 16: (ssd_of);
    ssd_8x8, "SSD" = 8 by 8: (ssd_of);
    satd_16x16, "SATD" = 16 by 16: (satd_of);
    satd_8x8, "SATD" = 8 by 8: (satd_of);
}

macro_rules! sads {
    ($($name:ident = $h:literal by $w:literal;)*) => {$(
        #[doc = concat!("The SAD of a block of ", stringify!($h), " rows of ", stringify!($w), " and those at up to four places.")]
        ///
        /// The first `count` places count, the SAD at others is 0.
        ///
        /// # Panics
        ///
        /// When a block does not lie in its plane.
        #[shim::kernel(simd)]
        pub fn $name(
            cur: Place<'_>,
            plane: &[u8],
            size: [usize; 2],
            at: &[[usize; 2]; 4],
            count: usize,
        ) -> [u32; 4] {
            let [r, c] = cur.at;
            let cur = Block::external(cur.plane, [cur.size[0], cur.size[1]])[[r..r + $h, c..c + $w]];
            let plane = Block::external(plane, [size[0], size[1]]);
            let mut sads = [0; 4];
            for i in 0..count.min(4) {
                let [r, c] = at[i];
                sads[i] = sad_of(cur, plane[[r..r + $h, c..c + $w]]);
            }
            sads
        }
    )*};
}

sads! {
    sads_16x16 = 16 by 16;
    sads_16x8 = 8 by 16;
    sads_8x16 = 16 by 8;
    sads_8x8 = 8 by 8;
}

/// The SADs of a block of 8x8 and those at 16 places in a row, from the one at `at` on.
///
/// # Panics
///
/// When a block does not lie in its plane.
#[shim::kernel(simd)]
pub fn sads_8x8_row(cur: Place<'_>, plane: &[u8], size: [usize; 2], at: [usize; 2]) -> [u16; 16] {
    let [r, c] = cur.at;
    let cur = Block::external(cur.plane, [cur.size[0], cur.size[1]])[[r..r + 8, c..c + 8]].cast::<i16>();
    let [r, c] = at;
    let window = Block::external(plane, [size[0], size[1]])[[r..r + 8, c..c + 23]].cast::<i16>();
    let mut sads = [0; 16];
    let own = Block::external(&mut sads, [16]);
    for i in 0..16 {
        let mut sum = 0_u16;
        #[unroll]
        for y in 0..8 {
            #[unroll]
            for x in 0..8 {
                sum += (cur[[y, x]] - window[[y, x + i]]).unsigned_abs();
            }
        }
        own[[i]] = sum;
    }
    sads
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::testing::{Random, sad, satd, ssd};

    /// A kernel, the rows and columns of its blocks, and what it computes.
    type Case = (fn(Place<'_>, Place<'_>) -> u32, [usize; 2], fn(Place<'_>, Place<'_>, [usize; 2]) -> u32);

    const CASES: &[Case] = &[
        (sad_16x16, [16, 16], sad),
        (sad_8x4, [4, 8], sad),
        (sad_4x8, [8, 4], sad),
        (sad_4x4, [4, 4], sad),
        (ssd_16x16, [16, 16], ssd),
        (ssd_8x8, [8, 8], ssd),
        (satd_16x16, [16, 16], satd),
        (satd_8x8, [8, 8], satd),
    ];

    #[test]
    fn agree_with_their_definitions() {
        let mut random = Random::new(1);
        for round in 0..200 {
            let size = [random.within(16, 40) as usize, random.within(16, 40) as usize];
            let mut plane = |extreme: u8| -> Vec<u8> {
                (0..size[0] * size[1])
                    .map(|_| match round % 4 {
                        0 => extreme,
                        1 if random.bits() & 1 == 0 => extreme,
                        1 => 255 - extreme,
                        _ => random.byte(),
                    })
                    .collect()
            };
            let (cur, other) = (plane(0), plane(255));
            for &(kernel, [h, w], definition) in CASES {
                let mut place = || {
                    let [r, c] =
                        [size[0] - h, size[1] - w].map(|most| random.within(0, most as i32) as usize);
                    [r, c]
                };
                let (at, there) = (place(), place());
                let (cur, other) =
                    (Place { plane: &cur, size, at }, Place { plane: &other, size, at: there });
                assert_eq!(kernel(cur, other), definition(cur, other, [h, w]), "{h} by {w}");
            }
        }
    }

    #[test]
    fn several_at_once_are_as_each_alone() {
        /// The kernel, and the rows and columns.
        type Case = (fn(Place<'_>, &[u8], [usize; 2], &[[usize; 2]; 4], usize) -> [u32; 4], [usize; 2]);
        let mut random = Random::new(2);
        let size = [32, 40];
        let mut plane = || -> Vec<u8> { (0..size[0] * size[1]).map(|_| random.byte()).collect() };
        let (plane, other) = (plane(), plane());
        let cases: [Case; 4] =
            [(sads_16x16, [16, 16]), (sads_16x8, [8, 16]), (sads_8x16, [16, 8]), (sads_8x8, [8, 8])];
        for (several, [h, w]) in cases {
            for round in 0..50 {
                let mut place =
                    || [size[0] - h, size[1] - w].map(|most| random.within(0, most as i32) as usize);
                let cur = Place { plane: &plane, size, at: place() };
                let at = [(); 4].map(|()| place());
                let count = round % 5;
                let expected = std::array::from_fn(|i| {
                    if i < count { sad(cur, Place { plane: &other, size, at: at[i] }, [h, w]) } else { 0 }
                });
                assert_eq!(several(cur, &other, size, &at, count), expected);
            }
        }
    }

    #[test]
    fn places_in_a_row_are_as_each_alone() {
        let mut random = Random::new(5);
        let size = [20, 40];
        for round in 0..50 {
            let mut plane =
                || -> Vec<u8> { (0..800).map(|_| if round == 0 { 0 } else { random.byte() }).collect() };
            let (plane, mut other) = (plane(), plane());
            if round == 0 {
                other.fill(255);
            }
            let mut place = |most: [i32; 2]| most.map(|most| random.within(0, most) as usize);
            let (cur, [r, c]) = (Place { plane: &plane, size, at: place([12, 32]) }, place([12, 17]));
            let expected = std::array::from_fn(|i| {
                let at = [r, c + i];
                sad(cur, Place { plane: &other, size, at }, [8, 8]) as u16
            });
            assert_eq!(sads_8x8_row(cur, &other, size, [r, c]), expected);
        }
        let (plane, cur) = ([0; 800], Place { plane: &[0; 64], size: [8, 8], at: [0, 0] });
        let beyond = std::panic::catch_unwind(|| sads_8x8_row(cur, &plane, size, [0, 18]));
        assert!(beyond.is_err(), "the last block does not lie in the plane");
    }

    #[test]
    fn a_block_outside_panics() {
        let plane = [0; 400];
        let place = |at| Place { plane: &plane, size: [20, 20], at };
        for at in [[5, 0], [0, 5], [usize::MAX, 0]] {
            assert!(std::panic::catch_unwind(|| sad_16x16(place([0, 0]), place(at))).is_err());
        }
    }
}
