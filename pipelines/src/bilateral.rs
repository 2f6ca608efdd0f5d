//! A bilateral filter on a grid (Chen, Paris and Durand): samples are gathered by place and value, the grid is blurred,
//! and each sample is what the grid has at its place and value.

use shim::prelude::*;

/// Samples of the image along each side of a cell.
pub const SIDE: usize = 8;

/// Values of a sample, 0 to 1, that share a cell.
const STEP: f32 = 0.1;

/// Cells along the axis of values: those of 0 to 1, and two on each side.
const DEPTH: usize = 16;

/// The filter, of samples from 0 to 1.
#[shim::kernel(simd)]
pub fn bilateral(#[shape(h, w)] src: &[f32], [h, w]: [usize; 2], #[shape(h, w)] dst: &mut [f32]) {
    let (rows, columns) = (h / 8 + 2, w / 8 + 2);
    let around = src.boundary(Clamp);
    // A cell's column: the sums of samples and their number, by value.
    let gathered = stage::<[[f32; 2]; 16]>([rows, columns], |[y, x]| {
        let mut from = [[0.0_f32; 2]; 16];
        for j in 0..8 {
            for i in 0..8 {
                let value: f32 = around[[8 * y + j - 4, 8 * x + i - 4]];
                let z = (value * (1.0 / STEP) + 2.5) as usize & 15;
                from[z][0] += value;
                from[z][1] += 1.0;
            }
        }
        let mut sums: [[f32; 2]; 16] = [[0.0; 2]; 16];
        for z in 2..14 {
            for c in 0..2 {
                sums[z][c] = from[z - 2][c]
                    + 4.0 * (from[z - 1][c] + from[z + 1][c])
                    + 6.0 * from[z][c]
                    + from[z + 2][c];
            }
        }
        sums
    });
    let gathered = gathered.boundary(Clamp);
    // Rows of the grid are computed when a row of the image reads them first.
    #[store_at(root)]
    #[compute_at('row)]
    let across = stage::<[[f32; 2]; 16]>(|[y, x]| {
        let mut sums: [[f32; 2]; 16] = [[0.0; 2]; 16];
        for z in 0..16 {
            for c in 0..2 {
                sums[z][c] = gathered[[y, x - 2]][z][c]
                    + 4.0 * (gathered[[y, x - 1]][z][c] + gathered[[y, x + 1]][z][c])
                    + 6.0 * gathered[[y, x]][z][c]
                    + gathered[[y, x + 2]][z][c];
            }
        }
        sums
    });
    #[store_at(root)]
    #[compute_at('row)]
    let grid = stage::<[[f32; 2]; 16]>(|[y, x]| {
        let mut sums: [[f32; 2]; 16] = [[0.0; 2]; 16];
        for z in 0..16 {
            for c in 0..2 {
                sums[z][c] = across[[y - 2, x]][z][c]
                    + 4.0 * (across[[y - 1, x]][z][c] + across[[y + 1, x]][z][c])
                    + 6.0 * across[[y, x]][z][c]
                    + across[[y + 2, x]][z][c];
            }
        }
        sums
    });
    // The grid at the height of a row.
    #[compute_at('row)]
    let line = stage::<[f32; 32]>(|[y, u]| {
        let fy: f32 = (y % 8) as f32 / 8.0;
        let mut sums: [f32; 32] = [0.0; 32];
        for z in 0..16 {
            for c in 0..2 {
                let top: f32 = grid[[y / 8, u]][z][c];
                sums[2 * z + c] = top + fy * (grid[[y / 8 + 1, u]][z][c] - top);
            }
        }
        sums
    });
    #[tile([1, _], 'row)]
    for [y, x] in dst.indices() {
        let fx: f32 = (x % 8) as f32 / 8.0;
        let depth: f32 = src[[y, x]] * (1.0 / STEP) + 2.0;
        let z = (depth as usize).min(14);
        let fz: f32 = depth - z as f32;
        // The sums of the two values around, side by side.
        let mut sums = [0.0_f32; 4];
        for k in 0..4 {
            let near: f32 = line[[y, x / 8]][2 * z + k];
            sums[k] = near + fx * (line[[y, x / 8 + 1]][2 * z + k] - near);
        }
        let sum: f32 = sums[0] + fz * (sums[2] - sums[0]);
        let count: f32 = sums[1] + fz * (sums[3] - sums[1]);
        dst[[y, x]] = sum / count;
    }
}

/// The filter as it is written without a library, one pass after the other.
///
/// # Panics
/// When the memory is not that of an image of this size.
pub fn plain(src: &[f32], [h, w]: [usize; 2], dst: &mut [f32]) {
    let (rows, columns) = (h / SIDE + 2, w / SIDE + 2);
    let clamped = |at: isize, extent: usize| at.clamp(0, extent as isize - 1) as usize;
    let index = |y: usize, x: usize, z: usize| (y * columns + x) * DEPTH + z;
    let mut grid = vec![[0.0_f32; 2]; rows * columns * DEPTH];
    for y in 0..rows {
        for x in 0..columns {
            for j in 0..SIDE {
                for i in 0..SIDE {
                    let v = clamped((SIDE * y + j) as isize - 4, h);
                    let u = clamped((SIDE * x + i) as isize - 4, w);
                    let value = src[v * w + u];
                    let cell = &mut grid[index(y, x, (value * (1.0 / STEP) + 2.5) as usize)];
                    cell[0] += value;
                    cell[1] += 1.0;
                }
            }
        }
    }
    let pass = |from: &[[f32; 2]], neighbor: &dyn Fn([usize; 3], isize) -> Option<usize>| {
        let mut to = vec![[0.0_f32; 2]; from.len()];
        for y in 0..rows {
            for x in 0..columns {
                for z in 0..DEPTH {
                    let Some(last) = neighbor([y, x, z], 2) else { continue };
                    let Some(first) = neighbor([y, x, z], -2) else { continue };
                    let [before, behind] = [-1, 1].map(|by| neighbor([y, x, z], by).expect("inside"));
                    let own = index(y, x, z);
                    for c in 0..2 {
                        to[own][c] = from[first][c]
                            + 4.0 * (from[before][c] + from[behind][c])
                            + 6.0 * from[own][c]
                            + from[last][c];
                    }
                }
            }
        }
        to
    };
    let grid = pass(&grid, &|[y, x, z], by| {
        let at = z as isize + by;
        ((0..DEPTH as isize).contains(&at) && (2..14).contains(&z)).then(|| index(y, x, at as usize))
    });
    let grid = pass(&grid, &|[y, x, z], by| Some(index(y, clamped(x as isize + by, columns), z)));
    let grid = pass(&grid, &|[y, x, z], by| Some(index(clamped(y as isize + by, rows), x, z)));
    for y in 0..h {
        for x in 0..w {
            let (v, u) = (y / SIDE, x / SIDE);
            let (fy, fx) = ((y % SIDE) as f32 / 8.0, (x % SIDE) as f32 / 8.0);
            let depth = src[y * w + x] * (1.0 / STEP) + 2.0;
            let z = depth as usize;
            let fz = depth - z as f32;
            let mut sums = [0.0_f32; 2];
            for (c, sum) in sums.iter_mut().enumerate() {
                let at = |y: usize, x: usize| {
                    let (near, far) = (grid[index(y, x, z)][c], grid[index(y, x, (z + 1) & 15)][c]);
                    near + fz * (far - near)
                };
                let (a, b, d, e) = (at(v, u), at(v, u + 1), at(v + 1, u), at(v + 1, u + 1));
                let (top, bottom) = (a + fx * (b - a), d + fx * (e - d));
                *sum = top + fy * (bottom - top);
            }
            dst[y * w + x] = sums[0] / sums[1];
        }
    }
}
