//! Parameters that are static in a version of the kernel for each of their values.

use shim::prelude::*;

/// The mean over cells of `v` by `h` samples, with a division that is static for the usual ones.
#[shim::kernel]
fn subsampled(
    #[specialize(1 | 2 | 4 | _)] v: usize,
    #[specialize(1..=2 | _)] h: usize,
    #[shape(v * rows, h * cols)] from: &[u8],
    rows: usize,
    cols: usize,
    #[shape(rows, cols)] to: &mut [u8],
) {
    for [y, x] in to.indices() {
        let mut sum = 0;
        for j in 0..v {
            for i in 0..h {
                sum += usize::from(from[[v * y as usize + j, h * x as usize + i]]);
            }
        }
        to[[y, x]] = ((sum + v * h / 2) / (v * h)) as u8;
    }
}

#[test]
fn each_value_has_the_same_result() {
    for v in 1..7 {
        for h in 1..4 {
            let (rows, cols) = (3, 5);
            let from: Vec<u8> = (0..v * rows * h * cols).map(|k| (k * 83 % 256) as u8).collect();
            let mut to = vec![0; rows * cols];
            subsampled(v, h, &from, rows, cols, &mut to);
            for y in 0..rows {
                for x in 0..cols {
                    let mut sum = 0;
                    for j in 0..v {
                        for i in 0..h {
                            sum += usize::from(from[(v * y + j) * h * cols + h * x + i]);
                        }
                    }
                    assert_eq!(usize::from(to[y * cols + x]), (sum + v * h / 2) / (v * h), "{v}x{h}");
                }
            }
        }
    }
}

/// What only a static number can be: a factor, the extent of a stack block, the bound of an unrolled loop.
#[shim::kernel]
fn static_in_each(#[specialize(2 | 4)] n: usize, #[shape(8)] t: &[i32]) -> Option<[i32; 4]> {
    let coarse = t.coarsen([n]);
    let kept = Block::stack::<i32>([n]);
    #[unroll]
    for k in 0..n {
        kept[[k]] = if k < 8 / n { coarse[[k]] } else { return None };
    }
    let mut all = [0; 4];
    #[unroll]
    for k in 0..n {
        all[k] = kept[[k]];
    }
    Some(all)
}

#[test]
fn a_specialized_number_is_static() {
    let t: Vec<i32> = (10..18).collect();
    assert_eq!(static_in_each(2, &t), Some([10, 12, 0, 0]));
    assert_eq!(static_in_each(4, &t), None);
}

#[test]
#[should_panic(expected = "`static_in_each` is specialized for `n` of 2 or 4, and it is 3")]
fn other_values_panic() {
    static_in_each(3, &[0; 8]);
}

#[shim::kernel]
fn flags(#[specialize(true | false)] up: bool, #[specialize(-1 | 0 | 1)] step: i8, v: &mut [i32], n: usize) {
    let v = Block::external(v, [n]);
    for [i] in v.indices() {
        v[[i]] += if up { i32::from(step) } else { -i32::from(step) };
    }
}

#[test]
fn conditions_are_decided_in_each_version() {
    for up in [false, true] {
        for step in -1..=1 {
            let mut v = [5; 9];
            flags(up, step, &mut v, 9);
            let step = i32::from(step);
            assert_eq!(v, [5 + if up { step } else { -step }; 9]);
        }
    }
}

/// A template is written for the values that its calls do not know.
#[shim::kernel]
fn widened(t: impl Tensor<u16, 1>, #[specialize(1 | 2 | 4 | _)] width: i32) -> i32 {
    let mut sum = 0;
    for k in 0..width {
        if k > 100 {
            return -1;
        }
        sum += i32::from(t[[k]]);
    }
    sum
}

#[shim::kernel]
fn calls(v: &[u16], n: usize, dynamic: i32) -> (i32, i32, i32, i32) {
    let v = Block::external(v, [n]);
    let mut sums = 0;
    for k in 0..3 {
        sums += widened(v, k + 1);
    }
    (widened(v, dynamic), widened(v, 2), widened(v, 5), sums)
}

#[test]
fn templates_are_specialized_at_their_calls() {
    let v: Vec<u16> = (0..200).map(|k| k * k % 91).collect();
    let sum = |n: usize| v[..n].iter().map(|&x| i32::from(x)).sum::<i32>();
    for dynamic in [0, 1, 2, 3, 4, 9, 150] {
        let wanted = if dynamic > 101 { -1 } else { sum(dynamic) };
        let found = calls(&v, v.len(), dynamic as i32);
        assert_eq!(found, (wanted, sum(2), sum(5), sum(1) + sum(2) + sum(3)));
    }
}

struct Planes {
    samples: Vec<u8>,
}

impl Planes {
    /// A method, under `simd`, with a value whose type is generic elsewhere.
    #[shim::kernel(simd)]
    fn shifted(&mut self, #[specialize(0 | 1 | 2 | 3)] by: u32, n: usize) -> u32 {
        let t = Block::external(&mut self.samples, [n]);
        let mut lost = 0;
        for [i] in t.indices() {
            lost += u32::from(t[[i]] & ((1 << by) - 1));
            t[[i]] >>= by;
        }
        lost
    }
}

#[test]
fn methods_are_specialized() {
    for by in 0..4 {
        let mut planes = Planes { samples: (0..=255).collect() };
        let lost = planes.shifted(by, 256);
        let wanted: Vec<u8> = (0..=255u8).map(|x| x >> by).collect();
        assert_eq!(planes.samples, wanted);
        assert_eq!(lost, (0..=255u32).map(|x| x & ((1 << by) - 1)).sum::<u32>());
    }
}
