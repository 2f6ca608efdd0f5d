//! Tensors that a condition of the run time chooses.

use shim::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pixels {
    Rgb,
    Bgr,
    Gray,
    Padded { channels: usize },
    Unknown,
}

/// The weighted sum of three planes.
#[shim::kernel]
fn weighted(r: impl Tensor<u8, 2>, g: impl Tensor<u8, 2>, b: impl Tensor<u8, 2>) -> u32 {
    let mut sum = 0;
    for [y, x] in r.indices() {
        sum += 2 * u32::from(r[[y, x]]) + 5 * u32::from(g[[y, x]]) + u32::from(b[[y, x]]);
    }
    sum
}

/// The sum over an image of any of the layouts, by one formula.
#[shim::kernel]
fn luma(pixels: Pixels, samples: &[u8], h: usize, w: usize) -> Option<u32> {
    let (r, g, b) = match pixels {
        Pixels::Gray => (
            Block::external(samples, [h, w]),
            Block::external(samples, [h, w]),
            Block::external(samples, [h, w]),
        ),
        Pixels::Padded { channels } if channels >= 3 => {
            let _ = channels;
            return None;
        }
        Pixels::Unknown | Pixels::Padded { .. } => return None,
        Pixels::Rgb => (
            Block::external(samples, [h, w, 3]).slice(2, 0),
            Block::external(samples, [h, w, 3]).slice(2, 1),
            Block::external(samples, [h, w, 3]).slice(2, 2),
        ),
        Pixels::Bgr => (
            Block::external(samples, [h, w, 3]).slice(2, 2),
            Block::external(samples, [h, w, 3]).slice(2, 1),
            Block::external(samples, [h, w, 3]).slice(2, 0),
        ),
    };
    Some(weighted(r, g, b))
}

fn plain_luma(pixels: Pixels, samples: &[u8], h: usize, w: usize) -> Option<u32> {
    let channels = match pixels {
        Pixels::Gray => 1,
        Pixels::Rgb | Pixels::Bgr => 3,
        Pixels::Padded { .. } | Pixels::Unknown => return None,
    };
    let mut sum = 0;
    for at in 0..h * w {
        let pixel = &samples[at * channels..];
        let (r, g, b) = match pixels {
            Pixels::Gray => (pixel[0], pixel[0], pixel[0]),
            Pixels::Rgb => (pixel[0], pixel[1], pixel[2]),
            _ => (pixel[2], pixel[1], pixel[0]),
        };
        sum += 2 * u32::from(r) + 5 * u32::from(g) + u32::from(b);
    }
    Some(sum)
}

#[test]
fn one_formula_serves_all_layouts() {
    let samples: Vec<u8> = (0..3 * 5 * 7).map(|k| (k * 37 % 251) as u8).collect();
    for pixels in [Pixels::Rgb, Pixels::Bgr, Pixels::Gray, Pixels::Padded { channels: 4 }, Pixels::Unknown] {
        for (h, w) in [(0, 0), (1, 1), (5, 7), (3, 2)] {
            assert_eq!(
                luma(pixels, &samples, h, w),
                plain_luma(pixels, &samples, h, w),
                "{pixels:?} {h}x{w}"
            );
        }
    }
}

/// Transposes or copies, row by row; the loop is left and continued from inside a choice.
#[shim::kernel]
fn rows_until(
    #[shape(8, 8)] from: &[i32],
    turned: &[bool],
    #[shape(8, 8)] to: &mut [i32],
    stop: i32,
) -> usize {
    let mut rows = 0;
    for y in 0..8 {
        let row = if turned[y] { from.slice(1, y) } else { from.slice(0, y) };
        if row[[0]] < 0 {
            continue;
        }
        for x in 0..8 {
            if row[[x]] == stop {
                break;
            }
            to[[y, x]] = row[[x]];
        }
        if row[[7]] == stop {
            break;
        }
        rows += 1;
    }
    rows
}

#[test]
fn a_choice_in_a_loop_keeps_its_jumps() {
    for seed in 0..50 {
        let from: Vec<i32> = (0..64).map(|k| (k * 29 + seed * 13) % 23 - 3).collect();
        let turned: Vec<bool> = (0..8).map(|k| (k * 5 + seed) % 3 == 0).collect();
        let (mut found, mut wanted) = ([0; 64], [0; 64]);
        let rows = rows_until(&from, &turned, &mut found, 4);
        let mut count = 0;
        for y in 0..8 {
            let at = |x: usize| if turned[y] { from[x * 8 + y] } else { from[y * 8 + x] };
            if at(0) < 0 {
                continue;
            }
            for x in 0..8 {
                if at(x) == 4 {
                    break;
                }
                wanted[y * 8 + x] = at(x);
            }
            if at(7) == 4 {
                break;
            }
            count += 1;
        }
        assert_eq!((rows, found), (count, wanted), "{seed}");
    }
}

/// Choices inside of choices, static ones beside dynamic ones, and items behind them.
#[shim::kernel]
fn nested<const K: usize>(#[shape(4, 4)] t: &[i32], a: bool, b: Option<usize>) -> i32 {
    let first = double(1);
    let v = if a {
        match b {
            Some(row) if row < 4 => t.slice(0, row),
            Some(_) => return -1,
            None => t.slice(1, 0),
        }
    } else if let Some(column) = b {
        t.slice(1, column % 4)
    } else {
        t.slice(0, 3)
    };
    const SCALE: i32 = 3;
    fn double(x: i32) -> i32 {
        SCALE * x
    }
    let w = if K == 0 { v } else { v[[1..]] };
    let sum: i32 = w.indices().map(|[x]| w[[x]]).sum();
    first + double(sum)
}

#[test]
fn choices_nest() {
    let t: Vec<i32> = (0..16).map(|k| k * k).collect();
    for a in [false, true] {
        for b in [None, Some(0), Some(2), Some(3), Some(6)] {
            let line: Vec<i32> = match (a, b) {
                (true, Some(row)) if row < 4 => (0..4).map(|x| t[4 * row + x]).collect(),
                (true, Some(_)) => {
                    assert_eq!(nested::<0>(&t, a, b), -1);
                    continue;
                }
                (true, None) => (0..4).map(|y| t[4 * y]).collect(),
                (false, Some(column)) => (0..4).map(|y| t[4 * y + column % 4]).collect(),
                (false, None) => (0..4).map(|x| t[12 + x]).collect(),
            };
            assert_eq!(nested::<0>(&t, a, b), 3 + 3 * line.iter().sum::<i32>());
        }
    }
}

/// The tail of a block that is an expression.
#[shim::kernel]
fn inside_a_block(#[shape(6)] t: &[u32], backwards: bool, n: usize) -> u32 {
    let before = n as u32;
    let sum = {
        let part = if backwards { t[[3..]] } else { t[[..3]] };
        let more = part[[0]];
        more + part[[2]]
    };
    sum + before
}

#[test]
fn a_block_ends_in_its_choice() {
    let t = [1, 2, 4, 8, 16, 32];
    assert_eq!(inside_a_block(&t, false, 7), 1 + 4 + 7);
    assert_eq!(inside_a_block(&t, true, 7), 8 + 32 + 7);
}

/// A chosen tensor is written, and a copy of it walks up.
#[shim::kernel]
fn blurred(#[shape(h, w)] even: &mut [u8], #[shape(h, w)] odd: &mut [u8], h: usize, w: usize, which: u8) {
    let plane = match which % 3 {
        0 => even,
        1 => odd,
        _ => panic!("no plane {which}"),
    };
    let before = plane.to_block().copied();
    let before = before.boundary(Clamp);
    for [y, x] in plane.indices() {
        let sum = u32::from(before[[y, x - 1]]) + u32::from(before[[y, x]]) + u32::from(before[[y, x + 1]]);
        plane[[y, x]] = (sum / 3) as u8;
    }
}

#[test]
fn a_chosen_tensor_is_written() {
    let (h, w) = (3, 5);
    let start: Vec<u8> = (0..h * w).map(|k| (k * 91 % 256) as u8).collect();
    for which in 0..2 {
        let (mut even, mut odd) = (start.clone(), start.clone());
        blurred(&mut even, &mut odd, h, w, which);
        let (changed, kept) = if which == 0 { (even, odd) } else { (odd, even) };
        assert_eq!(kept, start);
        for y in 0..h {
            for x in 0..w {
                let at = |x: isize| u32::from(start[y * w + x.clamp(0, w as isize - 1) as usize]);
                let x_at = x as isize;
                assert_eq!(u32::from(changed[y * w + x]), (at(x_at - 1) + at(x_at) + at(x_at + 1)) / 3);
            }
        }
    }
}

#[test]
#[should_panic(expected = "no plane 2")]
fn an_arm_may_panic() {
    blurred(&mut [0], &mut [0], 1, 1, 2);
}
