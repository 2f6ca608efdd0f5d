//! Sums of bytes and of their absolute differences, which a function of the runtime adds up, in any spelling.

use std::ops::AddAssign;

use crate::common::{noise, panics_with};
use shim::prelude::*;

fn sad(a: &[u8], b: &[u8]) -> u32 {
    a.iter().zip(b).map(|(a, b)| u32::from(a.abs_diff(*b))).sum()
}

macro_rules! of_pairs {
    ($($(#[$attribute:meta])* $name:ident($a:ident, $b:ident) -> $ty:ty { $($body:tt)* })*) => {
        $(
            #[shim::kernel(simd)]
            fn $name(#[shape(16, 16)] $a: &[u8], #[shape(16, 16)] $b: &[u8]) -> $ty { $($body)* }
        )*

        #[test]
        fn spellings_of_a_sad_agree() {
            for modulo in [1, 2, 7, 100, 255, 256] {
                let (a, b): (Vec<u8>, Vec<u8>) = (noise(256, modulo), noise(256, 256 / modulo));
                $( assert_eq!(i128::from($name(&a, &b)), i128::from(sad(&a, &b)), stringify!($name)); )*
            }
        }
    };
}

of_pairs! {
    by_chain(a, b) -> u32 {
        a.indices().map(|[y, x]| u32::from(a[[y, x]].abs_diff(b[[y, x]]))).sum::<u32>()
    }
    by_chain_of_pairs(a, b) -> u64 {
        a.indices()
            .map(|p| a[p] as i16 - b[p] as i16)
            .map(|d| d.unsigned_abs() as u64)
            .sum()
    }
    by_ranges(a, b) -> u32 {
        (0..16).map(|y| (0..16).map(|x| a[[y, x]].abs_diff(b[[y, x]]) as u32).sum::<u32>()).sum::<u32>()
    }
    by_loops(a, b) -> u32 {
        let mut sum = 0;
        for y in 0..16 {
            for x in 0..16 {
                let (one, other) = (i32::from(a[[y, x]]), i32::from(b[[y, x]]));
                sum += (one - other).unsigned_abs();
            }
        }
        sum
    }
    by_casts(a, b) -> i32 {
        let (a, b) = (a.cast::<i32>(), b.cast::<i32>());
        let mut sum: i32 = 0;
        for [y, x] in a.indices() {
            let d: i32 = a[[y, x]] - b[[y, x]];
            sum += d.abs();
        }
        sum
    }
    by_columns(a, b) -> i64 {
        let mut sum = 0i64;
        for x in 0..16 {
            for y in (0..16).rev() {
                sum += i64::from(b[[y, x]].abs_diff(a[[y, x]]));
            }
        }
        sum
    }
    by_columns_in_order(a, b) -> i64 {
        let mut sum = 0i64;
        for x in 0..16 {
            for y in 0..16 {
                sum += i64::from(b[[y, x]].abs_diff(a[[y, x]]));
            }
        }
        sum
    }
    in_parts(a, b) -> u32 {
        let mut sums = [0; 4];
        for part in 0..4 {
            let mut sum = 0;
            for y in 4 * part..4 * part + 4 {
                for x in 4..16 {
                    sum += a[[y, x]].abs_diff(b[[y, x]]) as u32;
                }
            }
            sums[part] = sum;
        }
        let rest = (0..16).map(|y| (0..4).map(|x| a[[y, x]].abs_diff(b[[y, x]]) as u32).sum::<u32>());
        sums.iter().sum::<u32>() + rest.sum::<u32>()
    }
    of_a_tile(a, b) -> u32 {
        let tile = Block::stack::<u8>([16, 16]);
        for [y, x] in a.indices() {
            tile[[y, x]] = 255 - a[[15 - y, x]];
        }
        let mut sum = 0;
        for [y, x] in b.indices() {
            sum += (tile[[15 - y, x]] as i16 - (255 - b[[y, x]]) as i16).unsigned_abs() as u32;
        }
        let flat = b.rev(0).to_stack();
        for [y, x] in b.indices() {
            sum += tile[[y, x]].abs_diff(tile[[y, x]]) as u32 + 0 * u32::from(flat[[y, x]]);
        }
        sum
    }
}

/// `+=` takes the largest.
#[derive(Default)]
struct Most(u32);

impl AddAssign<u32> for Most {
    fn add_assign(&mut self, other: u32) {
        self.0 = self.0.max(other);
    }
}

#[shim::kernel]
fn most(#[shape(8, 8)] a: &[u8], #[shape(8, 8)] b: &[u8]) -> (u32, u32) {
    let mut sum = Most::default();
    for [y, x] in a.indices() {
        sum += u32::from(a[[y, x]].abs_diff(b[[y, x]]));
    }
    let most = sum.0;
    let mut sum = 0;
    for [y, x] in a.indices() {
        sum += u32::from(a[[y, x]].abs_diff(b[[y, x]]));
    }
    (most, sum)
}

#[test]
fn operators_of_other_types_are_theirs() {
    let (a, b): (Vec<u8>, Vec<u8>) = (noise(64, 256), noise(64, 100));
    let most_of = a.iter().zip(&b).map(|(a, b)| u32::from(a.abs_diff(*b))).max();
    assert_eq!(most(&a, &b), (most_of.expect("elements"), sad(&a, &b)));
}

#[shim::kernel]
fn narrow(#[shape(2, 4)] a: &[u8], start: u8) -> (u8, u16) {
    let mut narrow = start;
    let mut wide = 0;
    for [y, x] in a.indices() {
        narrow += a[[y, x]];
    }
    for [y, x] in a.indices() {
        wide += u16::from(a[[y, x]]);
    }
    (narrow, wide)
}

#[shim::kernel]
fn near_the_end(#[shape(2, 4)] a: &[u8], start: i32) -> i32 {
    let mut sum: i32 = start;
    for [y, x] in a.indices() {
        sum += i32::from(a[[y, x]]);
    }
    sum
}

#[test]
fn sums_overflow_where_their_addends_do() {
    let ones = [1; 8];
    assert_eq!(narrow(&ones, 247), (255, 8));
    assert_eq!(near_the_end(&ones, i32::MAX - 8), i32::MAX);
    assert_eq!(near_the_end(&[255; 8], -2040), 0);
    if cfg!(debug_assertions) {
        panics_with(|| narrow(&ones, 248), &["overflow"]);
        panics_with(|| near_the_end(&ones, i32::MAX - 7), &["overflow"]);
    } else {
        assert_eq!(narrow(&ones, 248).0, 0);
        assert_eq!(near_the_end(&ones, i32::MAX - 7), i32::MIN);
    }
}

#[shim::kernel]
fn of_boxes(
    #[shape(3, h, w)] planes: &[u8],
    [h, w]: [usize; 2],
    #[shape(3, h)] sums: &mut [u32],
    at: [usize; 2],
    #[shape(h)] totals: &mut [u32],
) -> u32 {
    let own = planes.slice(0, 1);
    for [y] in totals.indices() {
        let mut sum = 0;
        for x in 0..12 {
            sum += u32::from(own[[y, x]]);
        }
        totals[[y]] = sum;
    }
    for k in 0..3 {
        #[parallel]
        for y in 0..h {
            sums[[k, y]] = (0..8).map(|x| u32::from(planes[[k, y, x]])).sum::<u32>();
        }
    }
    let part = planes[[0..3, at[0]..at[0] + 4, at[1]..at[1] + 8]];
    let mut sum = 0;
    for [k, y, x] in part.indices() {
        sum += part[[k, y, x]].abs_diff(part[[2 - k, y, x]]) as u32;
    }
    for [k, y, x] in part.indices() {
        sum += u32::from(part[[k, y, x]]);
    }
    sum
}

#[test]
fn rows_and_planes_lie_apart() {
    let [h, w] = [7, 13];
    let planes: Vec<u8> = noise(3 * h * w, 256);
    let (mut sums, mut totals) = (vec![0; 3 * h], vec![0; h]);
    let at = |k: usize, y: usize, x: usize| planes[(k * h + y) * w + x];
    let sum = of_boxes(&planes, [h, w], &mut sums, [2, 5], &mut totals);
    let mut wanted = 0;
    for k in 0..3 {
        for y in 0..h {
            let row = |count: usize| (0..count).map(|x| u32::from(at(k, y, x))).sum::<u32>();
            assert_eq!(sums[k * h + y], row(8), "{k}, {y}");
            assert!(k != 1 || totals[y] == row(12));
        }
        for (y, x) in (2..6).flat_map(|y| (5..13).map(move |x| (y, x))) {
            wanted += u32::from(at(k, y, x).abs_diff(at(2 - k, y, x))) + u32::from(at(k, y, x));
        }
    }
    assert_eq!(sum, wanted);
    panics_with(|| of_boxes(&planes, [h, w], &mut vec![0; 3 * h], [4, 5], &mut vec![0; h]), &[]);
}

#[shim::kernel]
fn by_template(#[shape(3, 4, 20)] a: &[u8], #[shape(3, 4, 20)] b: &[u8]) -> [u32; 3] {
    #[staged]
    use shim::algebra::sad;
    [sad(a, b), sad(a.psi([1]), b.psi([2])), sad(a.psi([0, 3]), b.psi([2, 1]))]
}

#[test]
fn a_template_sums_over_any_rank() {
    let (a, b): (Vec<u8>, Vec<u8>) = (noise(240, 256), noise(240, 199));
    let wanted = [sad(&a, &b), sad(&a[80..160], &b[160..]), sad(&a[60..80], &b[180..200])];
    assert_eq!(by_template(&a, &b), wanted);
}

mod aliases {
    use super::noise;
    use shim::prelude::*;

    #[shim::kernel]
    fn hidden(#[shape(4, 4)] a: &[u8]) -> f64 {
        let sum = {
            #[allow(non_camel_case_types)]
            type u32 = f64;
            let mut sum: u32 = 0.5;
            for [y, x] in a.indices() {
                sum += a[[y, x]] as u32;
            }
            sum
        };
        sum
    }

    #[test]
    fn names_of_types_mean_what_they_say() {
        let a: Vec<u8> = noise(16, 256);
        let wanted = a.iter().map(|byte| f64::from(*byte)).sum::<f64>() + 0.5;
        assert_eq!(hidden(&a).to_bits(), wanted.to_bits());
    }
}
