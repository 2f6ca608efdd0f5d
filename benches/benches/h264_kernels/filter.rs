//! The deblocking filter of luma by hand.
#![allow(unsafe_code, reason = "unchecked access is what the staged kernels are measured against")]
#![allow(clippy::inline_always, reason = "the versions are inlined as their author would")]
#![allow(clippy::needless_range_loop, reason = "lanes run through many arrays at once")]

use crate::hand::versions;

/// `alpha'`, `beta'` and `t'C0` (Tables 8-16 and 8-17) from an index of 16 on.
#[rustfmt::skip]
const THRESHOLDS: [[i16; 5]; 36] = [
    [4, 2, 0, 0, 0], [4, 2, 0, 0, 1], [5, 2, 0, 0, 1], [6, 3, 0, 0, 1], [7, 3, 0, 0, 1], [8, 3, 0, 1, 1],
    [9, 3, 0, 1, 1], [10, 4, 1, 1, 1], [12, 4, 1, 1, 1], [13, 4, 1, 1, 1], [15, 6, 1, 1, 1],
    [17, 6, 1, 1, 2], [20, 7, 1, 1, 2], [22, 7, 1, 1, 2], [25, 8, 1, 1, 2], [28, 8, 1, 2, 3],
    [32, 9, 1, 2, 3], [36, 9, 2, 2, 3], [40, 10, 2, 2, 4], [45, 10, 2, 3, 4], [50, 11, 2, 3, 4],
    [56, 11, 3, 3, 5], [63, 12, 3, 4, 6], [71, 12, 3, 4, 6], [80, 13, 4, 5, 7], [90, 13, 4, 5, 8],
    [101, 14, 4, 6, 9], [113, 14, 5, 7, 10], [127, 15, 6, 8, 11], [144, 15, 6, 8, 13],
    [162, 16, 7, 10, 14], [182, 16, 8, 11, 16], [203, 17, 9, 12, 18], [226, 17, 10, 13, 20],
    [255, 18, 11, 15, 23], [255, 18, 13, 17, 25],
];

/// Sample i across the edges of lane l of a macroblock: `[4 + i][l]`.
type Tile = [[u8; 16]; 20];

versions! {
    /// Filters a picture whose macroblocks are of one slice without offsets.
    fn deblock_luma(plane: &mut [u8], mbs: [usize; 2], qp: &[u8], left: &[u8], upper: &[u8]) = deblock_luma_of
}

#[inline(always)]
fn deblock_luma_of(plane: &mut [u8], [h, w]: [usize; 2], qp: &[u8], left: &[u8], upper: &[u8]) {
    let stride = 16 * w;
    assert!(plane.len() >= 16 * h * stride);
    for y in 0..h {
        for x in 0..w {
            let own = qp[y * w + x];
            let block = 16 * y * w + 4 * x;
            let bs = |of: &[u8]| -> [[u8; 4]; 4] {
                std::array::from_fn(|i| std::array::from_fn(|j| of[block + 4 * w * i + j]))
            };
            let here = 16 * y * stride + 16 * x;
            let mut tile: Tile = [[0; 16]; 20];
            let of_left = bs(left);
            if of_left != [[0; 4]; 4] {
                let transposed = std::array::from_fn(|e| std::array::from_fn(|i| of_left[i][e]));
                if x > 0 {
                    columns::<5>(plane, here - 4, stride, &mut tile, 0);
                    edges(&mut tile, transposed, Some((qp[y * w + x - 1] + own + 1) >> 1), own);
                    to_columns::<5>(&tile, 0, plane, here - 4, stride);
                } else {
                    columns::<4>(plane, here, stride, &mut tile, 4);
                    edges(&mut tile, transposed, None, own);
                    to_columns::<4>(&tile, 4, plane, here, stride);
                }
            }
            let of_upper = bs(upper);
            if of_upper != [[0; 4]; 4] {
                let first = if y > 0 { 0 } else { 4 };
                let above = here - (4 - first) * stride;
                for (i, row) in tile[first..].iter_mut().enumerate() {
                    row.copy_from_slice(&plane[above + i * stride..][..16]);
                }
                let before = (y > 0).then(|| (qp[(y - 1) * w + x] + own + 1) >> 1);
                edges(&mut tile, of_upper, before, own);
                for (i, row) in tile[first..].iter().enumerate() {
                    plane[above + i * stride..][..16].copy_from_slice(row);
                }
            }
        }
    }
}

/// Columns of samples as rows of a tile from `first` on.
#[inline(always)]
fn columns<const GROUPS: usize>(plane: &[u8], here: usize, stride: usize, tile: &mut Tile, first: usize) {
    let mut words = [[0_u32; 16]; GROUPS];
    for y in 0..16 {
        for (g, words) in words.iter_mut().enumerate() {
            // SAFETY: the macroblock lies in the plane, and so does what is before it.
            let at = |i: usize| unsafe { *plane.get_unchecked(here + y * stride + 4 * g + i) };
            words[y] = u32::from_le_bytes([at(0), at(1), at(2), at(3)]);
        }
    }
    for l in 0..16 {
        for x in 0..4 * GROUPS {
            tile[first + x][l] = (words[x / 4][l] >> (8 * (x % 4))) as u8;
        }
    }
}

/// The way back.
#[inline(always)]
fn to_columns<const GROUPS: usize>(tile: &Tile, first: usize, plane: &mut [u8], here: usize, stride: usize) {
    let mut words = [[0_u32; 16]; GROUPS];
    for l in 0..16 {
        for (g, words) in words.iter_mut().enumerate() {
            let at = |i: usize| tile[first + 4 * g + i][l];
            words[l] = u32::from_le_bytes([at(0), at(1), at(2), at(3)]);
        }
    }
    for y in 0..16 {
        for (g, words) in words.iter().enumerate() {
            for (i, byte) in words[y].to_le_bytes().into_iter().enumerate() {
                // SAFETY: as above.
                unsafe { *plane.get_unchecked_mut(here + y * stride + 4 * g + i) = byte };
            }
        }
    }
}

/// Filters the edge of a macroblock, if there is a QP for it, and the three within.
#[inline(always)]
fn edges(tile: &mut Tile, bs: [[u8; 4]; 4], before: Option<u8>, own: u8) {
    for (e, bs) in bs.into_iter().enumerate() {
        let qp = if e == 0 { before } else { Some(own) };
        if let Some(qp) = qp
            && bs != [0; 4]
            && qp >= 16
        {
            let [alpha, beta, one, two, three] = THRESHOLDS[usize::from(qp) - 16];
            let t: &mut [[u8; 16]; 8] = (&mut tile[4 * e..4 * e + 8]).try_into().expect("eight rows");
            if bs[0] == 4 {
                strong(t, alpha, beta);
            } else {
                let table = [-1, one, two, three, 0];
                let mut tc0 = [0; 16];
                for (lanes, &bs) in tc0.chunks_exact_mut(4).zip(&bs) {
                    lanes.fill(table[usize::from(bs)]);
                }
                normal(t, &tc0, alpha, beta);
            }
        }
    }
}

#[inline(always)]
fn normal(t: &mut [[u8; 16]; 8], tc0: &[i16; 16], alpha: i16, beta: i16) {
    for l in 0..16 {
        let [p2, p1, p0] = [i16::from(t[1][l]), i16::from(t[2][l]), i16::from(t[3][l])];
        let [q0, q1, q2] = [i16::from(t[4][l]), i16::from(t[5][l]), i16::from(t[6][l])];
        let tc0 = tc0[l];
        let filter =
            (tc0 >= 0) & ((p0 - q0).abs() < alpha) & ((p1 - p0).abs() < beta) & ((q1 - q0).abs() < beta);
        let (ap, aq) = ((p2 - p0).abs() < beta, (q2 - q0).abs() < beta);
        let tc = tc0 + i16::from(ap) + i16::from(aq);
        let delta = ((((q0 - p0) << 2) + (p1 - q1) + 4) >> 3).max(-tc).min(tc);
        let middle = (p0 + q0 + 1) >> 1;
        let p = ((p2 + middle - (p1 << 1)) >> 1).max(-tc0).min(tc0);
        let q = ((q2 + middle - (q1 << 1)) >> 1).max(-tc0).min(tc0);
        t[2][l] = (if filter & ap { p1 + p } else { p1 }) as u8;
        t[3][l] = (if filter { (p0 + delta).clamp(0, 255) } else { p0 }) as u8;
        t[4][l] = (if filter { (q0 - delta).clamp(0, 255) } else { q0 }) as u8;
        t[5][l] = (if filter & aq { q1 + q } else { q1 }) as u8;
    }
}

#[inline(always)]
fn strong(t: &mut [[u8; 16]; 8], alpha: i16, beta: i16) {
    for l in 0..16 {
        let [p3, p2] = [i16::from(t[0][l]), i16::from(t[1][l])];
        let [p1, p0] = [i16::from(t[2][l]), i16::from(t[3][l])];
        let [q0, q1] = [i16::from(t[4][l]), i16::from(t[5][l])];
        let [q2, q3] = [i16::from(t[6][l]), i16::from(t[7][l])];
        let filter = ((p0 - q0).abs() < alpha) & ((p1 - p0).abs() < beta) & ((q1 - q0).abs() < beta);
        let near = filter & ((p0 - q0).abs() < (alpha >> 2) + 2);
        let p = near & ((p2 - p0).abs() < beta);
        let q = near & ((q2 - q0).abs() < beta);
        let p_weak = if filter { (2 * p1 + p0 + q1 + 2) >> 2 } else { p0 };
        let q_weak = if filter { (2 * q1 + q0 + p1 + 2) >> 2 } else { q0 };
        t[1][l] = (if p { (2 * p3 + 3 * p2 + p1 + p0 + q0 + 4) >> 3 } else { p2 }) as u8;
        t[2][l] = (if p { (p2 + p1 + p0 + q0 + 2) >> 2 } else { p1 }) as u8;
        t[3][l] = (if p { (p2 + 2 * p1 + 2 * p0 + 2 * q0 + q1 + 4) >> 3 } else { p_weak }) as u8;
        t[4][l] = (if q { (p1 + 2 * p0 + 2 * q0 + 2 * q1 + q2 + 4) >> 3 } else { q_weak }) as u8;
        t[5][l] = (if q { (p0 + q0 + q1 + q2 + 2) >> 2 } else { q1 }) as u8;
        t[6][l] = (if q { (2 * q3 + 3 * q2 + q1 + q0 + p0 + 4) >> 3 } else { q2 }) as u8;
    }
}
