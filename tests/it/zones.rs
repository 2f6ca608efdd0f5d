//! Tables of another density than what they are read for: statistics of zones, and grids that are refined in places.

use crate::common::noise;
use shim::prelude::*;

/// The number of samples in each zone, their sum, and the greatest; a template. Zones have an element for a cell of
/// samples, and the samples beyond the last whole cell lie in the cell that covers them.
#[shim::kernel]
fn statistics(
    samples: impl Tensor<u16, 2>,
    zones: impl Tensor<u8, 2>,
    counts: impl Tensor<u32, 1>,
    sums: impl Tensor<u64, 1>,
    greatest: impl Tensor<u16, 1>,
) {
    let zones = zones[samples];
    for [y, x] in samples.indices() {
        let zone = usize::from(zones[[y, x]]);
        let sample = samples[[y, x]];
        counts[[zone]] += 1;
        sums[[zone]] += u64::from(sample);
        greatest[[zone]] = greatest[[zone]].max(sample);
    }
}

macro_rules! statistics_in_cells {
    ($name:ident, $high:literal, $wide:literal) => {
        #[shim::kernel]
        fn $name(
            #[shape(h, w)] samples: &[u16],
            h: usize,
            w: usize,
            #[shape(h.div_ceil($high), w.div_ceil($wide))]
            #[coarsened($high, $wide)]
            zones: &[u8],
            #[shape(7)] counts: &mut [u32],
            #[shape(7)] sums: &mut [u64],
            #[shape(7)] greatest: &mut [u16],
        ) {
            statistics(samples, zones, counts, sums, greatest);
        }
    };
}

statistics_in_cells!(in_cells_of_4x4, 4, 4);
statistics_in_cells!(in_cells_of_1x3, 1, 3);

fn check_statistics(
    h: usize,
    w: usize,
    [high, wide]: [usize; 2],
    of: impl Fn(&[u16], &[u8], &mut [u32], &mut [u64], &mut [u16]),
) {
    let samples = noise::<u16>(h * w, 1000);
    let zones: Vec<u8> =
        noise::<u8>(h.div_ceil(high) * w.div_ceil(wide), 100).iter().map(|z| z % 7).collect();
    let (mut counts, mut sums, mut greatest) = ([0; 7], [0; 7], [0; 7]);
    of(&samples, &zones, &mut counts, &mut sums, &mut greatest);
    let mut wanted = ([0; 7], [0; 7], [0; 7]);
    for y in 0..h {
        for x in 0..w {
            let zone = usize::from(zones[y / high * w.div_ceil(wide) + x / wide]);
            let sample = samples[y * w + x];
            wanted.0[zone] += 1;
            wanted.1[zone] += u64::from(sample);
            wanted.2[zone] = sample.max(wanted.2[zone]);
        }
    }
    assert_eq!((counts, sums, greatest), wanted, "{h}x{w} in cells of {high}x{wide}");
}

#[test]
fn zones_have_their_own_density() {
    for (h, w) in [(1, 1), (8, 12), (9, 13), (3, 50), (16, 1)] {
        check_statistics(h, w, [4, 4], |samples, zones, counts, sums, greatest| {
            in_cells_of_4x4(samples, h, w, zones, counts, sums, greatest);
        });
        check_statistics(h, w, [1, 3], |samples, zones, counts, sums, greatest| {
            in_cells_of_1x3(samples, h, w, zones, counts, sums, greatest);
        });
    }
}

/// The five-point Laplacian; a template. Around a patch it reads what lies there in the grid that the patch is a copy
/// of.
#[shim::kernel]
fn laplacian(u: impl Tensor<i64, 2>, to: impl Tensor<i64, 2>) {
    let [y, x] = iters();
    to[[y, x]] = u[[y - 1, x]] + u[[y + 1, x]] + u[[y, x - 1]] + u[[y, x + 1]] - 4 * u[[y, x]];
}

/// The Laplacian of a refined patch: its ghost cells are those of the coarse grid, and beyond that 0.
#[shim::kernel]
fn refined(
    #[shape(h, w)]
    #[coarsened(2, 2)]
    coarse: &[i64],
    h: usize,
    w: usize,
    #[shape(high, wide)] patch: Place<2>,
    #[shape(high, wide)] fine: &[i64],
    #[shape(high, wide)] to: &mut [i64],
    high: usize,
    wide: usize,
) {
    let own = coarse[patch].to_block();
    for [y, x] in own.indices() {
        own[[y, x]] = fine[[y, x]];
    }
    laplacian(own.boundary(Fill(0)), to);
}

#[test]
fn ghost_cells_are_those_of_the_coarse_grid() {
    let (h, w) = (5, 6);
    let coarse = noise::<i64>(h * w, 1000);
    for (at, [high, wide]) in
        [([2, 4], [4, 6]), ([0, 0], [10, 12]), ([3, 5], [1, 1]), ([0, 9], [7, 3]), ([1, 1], [8, 9])]
    {
        let fine = noise::<i64>(high * wide, 500);
        let mut to = vec![0; high * wide];
        refined(&coarse, h, w, Place::new(at, [high, wide]), &fine, &mut to, high, wide);
        let u = |y: isize, x: isize| {
            if (0..high as isize).contains(&y) && (0..wide as isize).contains(&x) {
                return fine[y as usize * wide + x as usize];
            }
            let (y, x) = ((at[0] + y).div_euclid(2), (at[1] + x).div_euclid(2));
            let inside = (0..h as isize).contains(&y) && (0..w as isize).contains(&x);
            if inside { coarse[y as usize * w + x as usize] } else { 0 }
        };
        for y in 0..high as isize {
            for x in 0..wide as isize {
                let wanted = u(y - 1, x) + u(y + 1, x) + u(y, x - 1) + u(y, x + 1) - 4 * u(y, x);
                assert_eq!(
                    to[y as usize * wide + x as usize],
                    wanted,
                    "row {y}, column {x} of {high}x{wide} at {at:?}"
                );
            }
        }
    }
}
