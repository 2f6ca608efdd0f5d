//! Blocks over memory with gaps, or in another order than their axes.

use crate::common::panics_with;
use shim::prelude::*;
use shim::{Located, TensorOps};

/// Interleaved pixels in rows of `stride` bytes, as windows and cameras give them: to gray, and brighter in place.
#[shim::kernel]
fn brighten(image: &mut [u8], h: usize, w: usize, stride: usize, gray: &mut [u32]) {
    let image = Block::external(image, [h, w, 3]).strided([stride, 3, 1]);
    let gray = Block::external(gray, [h, w]);
    let [y, x] = iters();
    gray[[y, x]] = u32::from(image[[y, x, 0]]) + u32::from(image[[y, x, 1]]) + u32::from(image[[y, x, 2]]);
    for [y, x, c] in image.indices() {
        image[[y, x, c]] += 1;
    }
}

/// What `brighten` reaches at least.
fn length(h: usize, w: usize, stride: usize) -> usize {
    if h == 0 || w == 0 { 0 } else { (h - 1) * stride + 3 * w }
}

#[test]
fn rows_with_gaps() {
    for h in 0..4 {
        for w in 0..4 {
            for gap in 0..3 {
                let stride = 3 * w + gap;
                let before: Vec<u8> = (0..length(h, w, stride)).map(|v| (v * 7 % 200) as u8).collect();
                let (mut image, mut gray) = (before.clone(), vec![0; h * w]);
                // The last row needs no gap behind it.
                brighten(&mut image, h, w, stride, &mut gray);
                for (at, (new, old)) in image.iter().zip(&before).enumerate() {
                    assert_eq!(*new, old + u8::from(at % stride < 3 * w), "{h} by {w}, {stride}, at {at}");
                }
                for y in 0..h {
                    for x in 0..w {
                        let pixel = &before[y * stride + 3 * x..][..3];
                        assert_eq!(gray[y * w + x], pixel.iter().map(|&v| u32::from(v)).sum::<u32>());
                    }
                }
                let count = image.len();
                if count > 0 {
                    let short = || brighten(&mut image[..count - 1], h, w, stride, &mut gray);
                    panics_with(short, &["brighten", "`image`", &format!("strides [{stride}, 3, 1]")]);
                }
            }
        }
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let mut gray = [0; 4];
    panics_with(|| brighten(&mut [0; 20], 2, 2, usize::MAX, &mut gray), &["isize"]);
    // Without a column nothing is reached, however far the rows are apart.
    brighten(&mut [], 3, 0, usize::MAX / 2, &mut []);
    panics_with(|| brighten(&mut [0; 20], 3, 1, usize::MAX / 2, &mut gray), &["brighten", "`image`"]);
}

/// Columns stored one after the other, and planes: any order of the axes.
#[shim::kernel]
fn by_columns(m: &[i32], h: usize, w: usize, lead: usize) -> Vec<i32> {
    let m = Block::external(m, [h, w]).strided([1, lead]);
    let part = m[[.., ..]].permute([1, 0]);
    let mut found = Vec::new();
    for [x, y] in part.indices() {
        found.push(part[[x, y]] - m.boundary(Clamp)[[y, x + 1]]);
    }
    found
}

#[shim::kernel]
fn diagonal(m: &mut [i32], n: usize, step: isize) -> i32 {
    let d = Block::external(m, [n]).strided([step]).at([2]);
    for [i] in d.indices() {
        d[[i]] += 100;
    }
    d.indices().map(|[i]| d[[i]]).sum::<i32>()
}

#[shim::kernel]
#[allow(unsafe_code, reason = "the caller answers for the pointer")]
unsafe fn through_a_pointer(first: *mut u16, h: usize, w: usize, stride: usize) -> u16 {
    let t = Block::external(first, [h, w]).strided([stride, 1]);
    let [y, x] = iters();
    t[[y, x]] += 1;
    t.indices().map(|[y, x]| t[[y, x]]).sum::<u16>()
}

#[test]
fn other_orders() {
    // Column-major, the columns four apart, three of them used.
    let m: Vec<i32> = (0..11).map(|v| v * v).collect();
    let at = |y: usize, x: usize| m[4 * x + y];
    let expected: Vec<i32> = (0..3)
        .flat_map(|x| (0..3).map(move |y| (y, x)))
        .map(|(y, x)| at(y, x) - at(y, (x + 1).min(2)))
        .collect();
    assert_eq!(by_columns(&m, 3, 3, 4), expected);
    panics_with(|| by_columns(&m[..10], 3, 3, 4), &["by_columns", "[1, 4]", "10"]);

    let mut m = [1; 9];
    assert_eq!(diagonal(&mut m, 3, 4), 303);
    assert_eq!(m, [101, 1, 1, 1, 101, 1, 1, 1, 101]);
    assert_eq!(diagonal(&mut m, 0, 4), 0);
    panics_with(|| diagonal(&mut m, 3, -4), &["diagonal", "-4"]);
    panics_with(|| diagonal(&mut m, 4, 4), &["diagonal", "9"]);
    assert_eq!(diagonal(&mut [5], 3, 0), 3 * 305, "one element seen three times");
}

#[test]
#[allow(unsafe_code, reason = "a kernel over a raw pointer")]
fn pointers() {
    let mut memory: Vec<u16> = (0..11).collect();
    let sum = unsafe { through_a_pointer(memory.as_mut_ptr(), 3, 3, 4) };
    assert_eq!(memory, [1, 2, 3, 3, 5, 6, 7, 7, 9, 10, 11]);
    assert_eq!(sum, 1 + 2 + 3 + 5 + 6 + 7 + 9 + 10 + 11);
}

/// Sums of each sample and its left neighbor, by a view inside the plane, which may reach its edge.
#[shim::kernel]
fn pairs(plane: &[u8], h: usize, w: usize, strides: [usize; 2], sums: &mut [u32]) {
    let plane = Block::external(plane, [h, w]).strided([strides[0], strides[1]]).cast::<u32>();
    let inner = plane[[1..h, 1..w]].boundary(Mirror);
    let sums = Block::external(sums, [h, w]);
    for [y, x] in sums.indices() {
        sums[[y, x]] = inner[[y - 1, x - 1]] + inner[[y - 1, x - 2]];
    }
}

/// The elements of a tensor of the runtime library, in row-major order.
#[shim::kernel]
fn flattened(#[shape(h, w)] t: View<'_, u8, 2>, out: &mut [u8]) {
    let out = Block::external(out, [h, w]);
    let [y, x] = iters();
    out[[y, x]] = t[[y, x]];
}

#[test]
fn the_library_agrees() {
    for (h, w, strides) in [(3, 4, [4, 1]), (3, 4, [7, 1]), (3, 4, [9, 2]), (3, 4, [1, 3]), (2, 5, [2, 5])] {
        let memory: Vec<u8> = (0..40).map(|v| v * 5).collect();
        let block = Block::with_strides([h, w], strides, memory.clone()).unwrap();
        let folded = block.boundary(Mirror);
        let mut sums = vec![0; h * w];
        pairs(&memory, h, w, strides, &mut sums);
        for [y, x] in block.indices() {
            let expected = u32::from(folded[[y, x]]) + u32::from(folded[[y, x - 1]]);
            assert_eq!(sums[y as usize * w + x as usize], expected, "{h} by {w}, {strides:?}, {y}, {x}");
        }
        let part = block.partition::<2>(&[(1..h as isize).into(), (1..w as isize).into()]).unwrap();
        let mut out = vec![0; (h - 1) * (w - 1)];
        flattened(part.clone(), &mut out);
        let expected = part.indices().map(|index| part[index]);
        assert!(out.into_iter().eq(expected), "{h} by {w}, {strides:?}");
    }
}

/// The sum of what is above and to the left of each element.
#[shim::kernel]
fn neighbors(t: impl Tensor<i32, 2>) -> i32 {
    let t = t.boundary(Fill(0));
    t.indices().map(|[y, x]| t[[y - 1, x]] + t[[y, x - 1]]).sum()
}

#[shim::kernel]
fn strided_to_a_template(m: &mut [i32], h: usize, w: usize, stride: usize) -> (i32, i32) {
    let t = Block::external(m, [h, w]).strided([stride, 2]);
    let whole = neighbors(t);
    t[[0, 1]] += 100;
    (whole, neighbors(t[[.., 1..]]))
}

#[test]
fn a_strided_block_is_passed_to_a_template() {
    for (h, w, stride) in [(0, 0, 3), (1, 1, 2), (2, 3, 7), (3, 2, 4)] {
        let mut m: Vec<i32> = (0..40).map(|v| v * v % 37).collect();
        let sum = |m: &[i32], from: usize| -> i32 {
            let at = |y: usize, x: usize| m[y * stride + 2 * x];
            let above = (1..h).flat_map(|y| (from..w).map(move |x| (y - 1, x)));
            let left = (0..h).flat_map(|y| (1..w).map(move |x| (y, x - 1)));
            above.map(|(y, x)| at(y, x)).sum::<i32>()
                + left.filter(|(_, x)| x + 1 >= from).map(|(y, x)| at(y, x)).sum::<i32>()
        };
        if w < 2 {
            continue;
        }
        let (plain, mut after) = (sum(&m, 0), m.clone());
        after[2] += 100;
        assert_eq!(strided_to_a_template(&mut m, h, w, stride), (plain, sum(&after, 1)), "{h}x{w}");
        assert_eq!(m, after);
    }
}
