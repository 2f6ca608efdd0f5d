//! Blocks of a few expressions at many places.

use crate::common::noise;
use shim::prelude::*;

/// Means of one, two and three samples of a line, in several directions.
#[shim::kernel]
fn means(#[shape(24)] line: &[u8], offset: u16) -> [u8; 48] {
    let p = line.cast::<u16>();
    let mut found = [0; 48];
    let out = Block::stack::<u8>([3, 2, 8]);
    let wide = out.cast::<u16>();
    #[tabulate]
    for [kind, b, k] in wide.indices() {
        wide[[kind, b, k]] = match kind {
            0 if k % 2 == 0 => p[[8 * b + k]] + offset,
            0 => offset,
            1 => (p[[8 * b + k]] + p[[8 * b + k + 1]] + 1) >> 1,
            _ if k < 4 => (p[[8 * b + k]] + 2 * p[[8 * b + k + 1]] + p[[8 * b + k + 2]] + 2) >> 2,
            // The same sum from the other end.
            _ => (p[[8 * b + 10 - k]] + 2 * p[[8 * b + 9 - k]] + p[[8 * b + 8 - k]] + 2) >> 2,
        };
    }
    let all = Block::external(&mut found, [48]);
    let list = out.reshape([48]);
    for [i] in all.indices() {
        all[[i]] = list[[i]];
    }
    found
}

#[test]
fn elements_are_those_of_the_formulas() {
    let line: Vec<u8> = noise(24, 200);
    let p = |at: usize| u16::from(line[at]);
    let found = means(&line, 7);
    for (i, found) in found.into_iter().enumerate() {
        let (kind, b, k) = (i / 16, i / 8 % 2, i % 8);
        let wanted = match kind {
            0 if k % 2 == 0 => p(8 * b + k) + 7,
            0 => 7,
            1 => (p(8 * b + k) + p(8 * b + k + 1) + 1) >> 1,
            _ if k < 4 => (p(8 * b + k) + 2 * p(8 * b + k + 1) + p(8 * b + k + 2) + 2) >> 2,
            _ => (p(8 * b + 10 - k) + 2 * p(8 * b + 9 - k) + p(8 * b + 8 - k) + 2) >> 2,
        };
        assert_eq!(u16::from(found), wanted, "{kind} {b} {k}");
    }
}

mod layouts {
    use shim::prelude::*;

    /// The first row and the first column of a block in a line, from the foot of the column to the end of the row.
    #[shim::layout]
    pub(crate) fn corner() -> Order {
        by(|[y, x]| {
            if x == 0 {
                4 - y
            } else if y == 0 {
                4 + x
            } else {
                9 + 4 * (y - 1) + (x - 1)
            }
        })
    }
}

/// Edges that go on down and to the right, from samples above and to the left: a block of the prediction is one
/// expression.
#[shim::kernel]
fn diagonal(#[shape(h, w)] picture: &[u8], h: usize, w: usize, y: usize, x: usize) -> [[u8; 4]; 4] {
    #[staged]
    use layouts::corner;
    let from = picture[[y..y + 4, x..x + 4]];
    let samples = Block::stack::<u8>([5, 5]).stored(corner());
    let p = samples[[1.., 1..]];
    p[[-1, -1]] = from[[-1, -1]];
    for k in 0..4 {
        p[[-1, k]] = from[[-1, k]];
        p[[k, -1]] = from[[k, -1]];
    }
    let p = p.cast::<u16>();
    let pred = Block::stack::<u8>([4, 4]);
    let wide = pred.cast::<u16>();
    #[tabulate]
    for [y, x] in wide.indices() {
        wide[[y, x]] = if x > y {
            (p[[-1, x - y - 2]] + 2 * p[[-1, x - y - 1]] + p[[-1, x - y]] + 2) >> 2
        } else if x < y {
            (p[[y - x - 2, -1]] + 2 * p[[y - x - 1, -1]] + p[[y - x, -1]] + 2) >> 2
        } else {
            (p[[-1, 0]] + 2 * p[[-1, -1]] + p[[0, -1]] + 2) >> 2
        };
    }
    let mut found: [[u8; 4]; 4] = [[0; 4]; 4];
    let out = Block::external(&mut found, [4, 4]);
    let [y, x] = iters();
    out[[y, x]] = pred[[y, x]];
    found
}

#[test]
fn a_border_is_a_line() {
    let picture: Vec<u8> = noise(64, 251);
    let found = diagonal(&picture, 8, 8, 2, 3);
    let at = |y: isize, x: isize| u16::from(picture[((2 + y) * 8 + 3 + x) as usize]);
    for (y, row) in (0..).zip(found) {
        for (x, found) in (0..).zip(row) {
            // Along the border, from the foot of the column.
            let line = |k: isize| match k {
                0 => at(-1, -1),
                ..0 => at(-k - 1, -1),
                _ => at(-1, k - 1),
            };
            let d = x - y;
            let wanted = (line(d - 1) + 2 * line(d) + line(d + 1) + 2) >> 2;
            assert_eq!(u16::from(found), wanted, "{y} {x}");
        }
    }
}

/// A mean of neighbors, a template.
#[shim::kernel]
fn mean(p: impl Tensor<u16, 1>, at: isize, wide: bool) -> u16 {
    let first = at - 1;
    let last = at + 1;
    if wide { (p[[first]] + 2 * p[[at]] + p[[last]] + 2) >> 2 } else { (p[[at]] + p[[last]] + 1) >> 1 }
}

/// Expressions of templates are grouped like those that are written in the loop.
#[shim::kernel]
fn by_templates(#[shape(2, 12)] lines: &[u8]) -> [u8; 32] {
    let p = lines.cast::<u16>();
    let out = Block::stack::<u8>([2, 2, 8]);
    let wide = out.cast::<u16>();
    #[tabulate]
    for [b, kind, k] in wide.indices() {
        wide[[b, kind, k]] = if k == 0 { p[[b, 0]] } else { mean(p.slice(0, b), k, kind == 1) };
    }
    let mut found = [0; 32];
    let all = Block::external(&mut found, [2, 2, 8]);
    for at in all.indices() {
        all[at] = out[at];
    }
    found
}

#[test]
fn templates_are_tabulated() {
    let lines: Vec<u8> = noise(24, 251);
    for (i, found) in by_templates(&lines).into_iter().enumerate() {
        let (b, kind, k) = (i / 16, i / 8 % 2, i % 8);
        let p = |at: usize| u16::from(lines[12 * b + at]);
        let wanted = match (k, kind) {
            (0, _) => p(0),
            (_, 0) => (p(k) + p(k + 1) + 1) >> 1,
            _ => (p(k - 1) + 2 * p(k) + p(k + 1) + 2) >> 2,
        };
        assert_eq!(u16::from(found), wanted, "{b} {kind} {k}");
    }
}

/// Expressions that may overflow are computed at the places that are selected alone.
#[shim::kernel]
fn gaps(#[shape(12)] a: &[u8]) -> [u8; 4] {
    let out = Block::stack::<u8>([4]);
    #[tabulate]
    for [i] in out.indices() {
        out[[i]] = 100 - a[[3 * i]];
    }
    let mut found = [0; 4];
    let all = Block::external(&mut found, [4]);
    for [i] in all.indices() {
        all[[i]] = out[[i]];
    }
    found
}

#[test]
fn nothing_else_is_evaluated() {
    let a = [1, 200, 200, 2, 255, 255, 3, 101, 200, 100, 200, 200];
    assert_eq!(gaps(&a), [99, 98, 97, 0]);
    let mut wrong = a;
    wrong[6] = 101;
    assert!(std::panic::catch_unwind(|| gaps(&wrong)).is_err(), "debug builds check");
}
