//! Words before a statement order the loops of its chains.

use crate::common::noise;

#[shim::kernel]
fn sums(#[shape(h, w)] t: &[u8], [h, w]: [usize; 2]) -> (u64, usize, u32) {
    let mut seen = 0u32;
    #[parallel]
    let sum = (0..=h - 1)
        .map(|y| {
            seen |= u32::from(t[[y, 0]]);
            (0..w).map(|x| t[[y, x]] as u64).sum::<u64>()
        })
        .sum::<u64>();
    #[tile([4, 8])]
    let bright = t.indices().filter(|&[y, x]| t[[y, x]] > 127).count();
    (sum, bright, seen)
}

#[shim::kernel]
fn doubled(#[shape(n)] from: &[i32], #[shape(n)] to: &mut [i32], n: usize) -> i32 {
    #[lanes(8)]
    (0..n).for_each(|i| to[[i]] = from[[i]].wrapping_mul(2));
    // An outer variable by the name of the loop's: the second closure means this one.
    let i = 3;
    let product;
    #[unroll(4)]
    product = (0..n).map(|i| from[[i]] & 3).map(|value| value + i).product::<i32>();
    product
}

/// The sum of a row goes to an element.
#[shim::kernel]
fn rows(#[shape(h, w)] t: &[i32], #[shape(h)] to: &mut [i32], [h, w]: [usize; 2]) {
    for y in 0..h {
        #[lanes(4)]
        to[[y]] += (0..w).map(|x| t[[y, x]]).sum::<i32>() - (0..w).map(|x| t[[y, x]] >> 1).sum::<i32>();
    }
}

#[test]
fn chains_have_the_order_of_their_statement() {
    for (h, w) in [(1, 0), (1, 1), (3, 9), (17, 33)] {
        let t: Vec<u8> = noise(h * w, 256);
        if w > 0 {
            let expected = (
                t.iter().map(|value| u64::from(*value)).sum(),
                t.iter().filter(|value| **value > 127).count(),
                (0..h).fold(0, |seen, y| seen | u32::from(t[y * w])),
            );
            assert_eq!(sums(&t, [h, w]), expected, "{h} x {w}");
        }
        let numbers: Vec<i32> = t.iter().map(|value| i32::from(*value)).collect();
        let mut to = vec![1; h];
        rows(&numbers, &mut to, [h, w]);
        let row = |y: usize| numbers[y * w..][..w].iter().map(|value| value - (value >> 1)).sum::<i32>();
        assert_eq!(to, (0..h).map(|y| 1 + row(y)).collect::<Vec<_>>(), "{h} x {w}");
    }
}

#[test]
fn a_chain_for_its_effect_runs_in_lanes() {
    for n in [0, 1, 7, 8, 12] {
        let from: Vec<i32> = (0..n as i32).map(|i| i * i - 3).collect();
        let mut to = vec![0; n];
        let expected = from.iter().map(|value| (value & 3) + 3).product::<i32>();
        assert_eq!(doubled(&from, &mut to, n), expected);
        assert_eq!(to, from.iter().map(|value| value * 2).collect::<Vec<_>>());
    }
}
