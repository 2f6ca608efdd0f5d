//! Alignment of two words (Needleman and Wunsch): one formula under three schedules, in two layouts.

use shim::prelude::*;

/// `best[[i, j]]` becomes the best score of an alignment of the first i letters of `a` and the first j of `b`: 3 for
/// two equal letters, -1 for two others, and -2 for one that has none opposite.
macro_rules! scores {
    ($($(#[doc = $doc:literal])* $name:ident: $(#[$order:meta])* in $layout:expr;)*) => { $(
        $(#[doc = $doc])*
        #[shim::kernel]
        pub fn $name(a: &[u8], b: &[u8], best: &mut [i32]) {
            let (h, w) = (a.len(), b.len());
            let a = Block::external(a, [h]);
            let b = Block::external(b, [w]);
            let best = Block::external(best, [h + 1, w + 1]).stored($layout);
            for i in 0..=h {
                best[[i, 0]] = -2 * i as i32;
            }
            for j in 0..=w {
                best[[0, j]] = -2 * j as i32;
            }
            let inner = best[[1.., 1..]];
            $(#[$order])*
            for [i, j] in inner.indices() {
                let both = inner[[i - 1, j - 1]] + if a[[i]] == b[[j]] { 3 } else { -1 };
                inner[[i, j]] = both.max(inner[[i - 1, j]] - 2).max(inner[[i, j - 1]] - 2);
            }
        }
    )* };
}

scores! {
    /// Row by row: each score waits for the one before it.
    in_rows: in row_major;
    /// By antidiagonals, whose scores do not wait for one another and are adjacent in memory: LLVM makes vectors of
    /// them.
    in_fronts: #[wavefront(i + j)] in antidiagonal;
    /// By antidiagonals of tiles, those of one at the same time on threads, if the feature `parallel` is on.
    in_tasks: #[wavefront(i + j)] #[parallel] #[tile([16, 16])] in row_major;
}

/// The scores that are stored by antidiagonals, row by row.
#[shim::kernel]
fn by_rows(#[shape(h, w)] rows: &mut [i32], fronts: &[i32], [h, w]: [usize; 2]) {
    let fronts = Block::external(fronts, [h, w]).stored(antidiagonal);
    let [i, j] = iters();
    rows[[i, j]] = fronts[[i, j]];
}

/// The letters opposite one another, from the last scores back to the first.
fn opposite(a: &[u8], b: &[u8], best: &[i32]) -> [String; 2] {
    let at = |i: usize, j: usize| best[i * (b.len() + 1) + j];
    let (mut i, mut j) = (a.len(), b.len());
    let mut lines = [Vec::new(), Vec::new()];
    while i > 0 || j > 0 {
        let both = i > 0 && j > 0 && {
            let score = if a[i - 1] == b[j - 1] { 3 } else { -1 };
            at(i, j) == at(i - 1, j - 1) + score
        };
        let (down, right) = if both {
            (1, 1)
        } else if i > 0 && at(i, j) == at(i - 1, j) - 2 {
            (1, 0)
        } else {
            (0, 1)
        };
        lines[0].push(if down == 1 { a[i - 1] } else { b'-' });
        lines[1].push(if right == 1 { b[j - 1] } else { b'-' });
        (i, j) = (i - down, j - right);
    }
    lines.map(|line| line.iter().rev().map(|letter| char::from(*letter)).collect())
}

fn main() {
    let (a, b) = (b"the pixels of a macroblock", b"a block of the pixel rows");
    let mut best = vec![0; (a.len() + 1) * (b.len() + 1)];
    in_rows(a, b, &mut best);
    for line in opposite(a, b, &best) {
        println!("{line}");
    }
    println!("score {}", best[best.len() - 1]);
    let mut in_others = vec![0; best.len()];
    in_tasks(a, b, &mut in_others);
    assert_eq!(in_others, best);
    let mut fronts = vec![0; best.len()];
    in_fronts(a, b, &mut fronts);
    by_rows(&mut in_others, &fronts, [a.len() + 1, b.len() + 1]);
    assert_eq!(in_others, best);
}
