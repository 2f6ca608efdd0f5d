//! The kernels by hand: one range assertion, then unchecked access, in the order of loops that LLVM likes.
#![allow(unsafe_code, reason = "unchecked access is what the staged kernels are measured against")]
#![allow(clippy::inline_always, reason = "the versions are inlined as their author would")]
#![allow(clippy::needless_range_loop, reason = "lanes run through many arrays at once")]

use shim_h264::kernels::inter::Part;
use shim_h264::kernels::residual::Residual;

/// A place in a plane of samples.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    /// The samples, row by row.
    pub(crate) plane: &'a [u8],
    /// Rows and columns of the plane.
    pub(crate) size: [usize; 2],
    /// Row and column of the place.
    pub(crate) at: [usize; 2],
}

/// Compiles a function for each of the instruction sets that a kernel with `simd` has, and chooses when it runs.
macro_rules! versions {
    ($(#[$doc:meta])* fn $name:ident($($p:ident: $t:ty),* $(,)?) $(-> $r:ty)? = $body:path) => {
        $(#[$doc])*
        pub(crate) fn $name($($p: $t),*) $(-> $r)? {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512cd")]
                #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,fma")]
                fn v4($($p: $t),*) $(-> $r)? {
                    $body($($p),*)
                }
                #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,fma")]
                fn v3($($p: $t),*) $(-> $r)? {
                    $body($($p),*)
                }
                match $crate::hand::level() {
                    // SAFETY: the processor has the features.
                    2 => return unsafe { v4($($p),*) },
                    // SAFETY: as above.
                    1 => return unsafe { v3($($p),*) },
                    _ => {}
                }
            }
            $body($($p),*)
        }
    };
}
pub(crate) use versions;

/// The instruction sets of the processor: 2 for x86-64-v4, 1 for x86-64-v3.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn level() -> u8 {
    use std::sync::atomic::{AtomicU8, Ordering};
    static LEVEL: AtomicU8 = AtomicU8::new(u8::MAX);
    #[cold]
    fn detect() -> u8 {
        let has = std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("bmi2");
        let wide = std::arch::is_x86_feature_detected!("avx512bw")
            && std::arch::is_x86_feature_detected!("avx512vl")
            && std::arch::is_x86_feature_detected!("avx512dq")
            && std::arch::is_x86_feature_detected!("avx512cd");
        let level = u8::from(has) + u8::from(has && wide);
        LEVEL.store(level, Ordering::Relaxed);
        level
    }
    match LEVEL.load(Ordering::Relaxed) {
        u8::MAX => detect(),
        level => level,
    }
}

/// Where a block of h by w begins, once it is known to lie in its plane.
#[inline(always)]
fn base(place: Place<'_>, h: usize, w: usize) -> usize {
    let [rows, columns] = place.size;
    assert!(
        rows.checked_mul(columns).is_some_and(|count| count <= place.plane.len())
            && rows.checked_sub(h).is_some_and(|last| place.at[0] <= last)
            && columns.checked_sub(w).is_some_and(|last| place.at[1] <= last)
    );
    place.at[0] * columns + place.at[1]
}

/// The differences of two blocks of 16x16: sample x of row y is `[y % 4][16 * (y / 4) + x]`.
#[inline(always)]
fn differences(a: impl Fn(usize, usize) -> u8, b: impl Fn(usize, usize) -> u8) -> [[i16; 64]; 4] {
    let mut d = [[0; 64]; 4];
    for x in 0..16 {
        for y in 0..16 {
            d[y % 4][16 * (y / 4) + x] = i16::from(a(y, x)) - i16::from(b(y, x));
        }
    }
    d
}

versions! {
    /// The SAD of two blocks.
    fn sad_16x16(a: Place<'_>, b: Place<'_>) -> u32 = sad_16x16_of
}

#[inline(always)]
fn sad_16x16_of(a: Place<'_>, b: Place<'_>) -> u32 {
    let (p, q) = (base(a, 16, 16), base(b, 16, 16));
    let mut sad = 0;
    for y in 0..16 {
        for x in 0..16 {
            // SAFETY: `base` found both blocks in their planes.
            let (a, b) = unsafe {
                (*a.plane.get_unchecked(p + y * a.size[1] + x), *b.plane.get_unchecked(q + y * b.size[1] + x))
            };
            sad += u32::from(a.abs_diff(b));
        }
    }
    sad
}

versions! {
    /// The SATD of two blocks.
    fn satd_16x16(a: Place<'_>, b: Place<'_>) -> u32 = satd_16x16_of
}

#[inline(always)]
fn satd_16x16_of(a: Place<'_>, b: Place<'_>) -> u32 {
    let (p, q) = (base(a, 16, 16), base(b, 16, 16));
    let d = differences(
        // SAFETY: `base` found both blocks in their planes.
        |y, x| unsafe { *a.plane.get_unchecked(p + y * a.size[1] + x) },
        // SAFETY: as above.
        |y, x| unsafe { *b.plane.get_unchecked(q + y * b.size[1] + x) },
    );
    let mut magnitude = [[0_u16; 32]; 8];
    for l in 0..32 {
        for i in 0..2 {
            let s: [i16; 4] = std::array::from_fn(|y| {
                let (even, odd) = (d[y][2 * l], d[y][2 * l + 1]);
                if i == 0 { even + odd } else { even - odd }
            });
            let [a, b, c, d] = [s[0] + s[2], s[0] - s[2], s[1] + s[3], s[1] - s[3]];
            for (k, v) in [a + c, a - c, b + d, b - d].into_iter().enumerate() {
                magnitude[4 * i + k][l] = v.unsigned_abs();
            }
        }
    }
    let mut sum = 0;
    for l in 0..16 {
        let own: u16 = magnitude.iter().map(|row| row[2 * l].max(row[2 * l + 1])).sum();
        sum += u32::from(own);
    }
    sum
}

/// Multiplier and addend of quantization.
pub(crate) struct Factors {
    mf: [u16; 16],
    f: u32,
    qbits: u32,
}

impl Factors {
    pub(crate) fn new(qp: u8, divisor: u32) -> Self {
        const MF: [[u16; 3]; 6] = [
            [13_107, 5243, 8066],
            [11_916, 4660, 7490],
            [10_082, 4194, 6554],
            [9362, 3647, 5825],
            [8192, 3355, 5243],
            [7282, 2893, 4559],
        ];
        let qbits = 15 + u32::from(qp / 6);
        let mf = MF[usize::from(qp % 6)];
        Self {
            mf: std::array::from_fn(|i| match (i / 4 % 2, i % 2) {
                (0, 0) => mf[0],
                (1, 1) => mf[1],
                _ => mf[2],
            }),
            f: (1 << qbits) / divisor,
            qbits,
        }
    }
}

/// The forward transform of four values of a block, from `first` on, each `step` from the one before.
#[inline(always)]
fn forward(x: &mut [i16; 16], first: usize, step: usize) {
    let [i0, i1, i2, i3] = [first, first + step, first + 2 * step, first + 3 * step];
    let [a, b, c, d] = [x[i0] + x[i3], x[i1] + x[i2], x[i1] - x[i2], x[i0] - x[i3]];
    x[i0] = a + b;
    x[i1] = 2 * d + c;
    x[i2] = a - b;
    x[i3] = d - 2 * c;
}

versions! {
    /// The levels of a macroblock.
    fn code_luma(cur: Place<'_>, pred: &[u8; 256], factors: &Factors, residual: &mut Residual) = code_luma_of
}

#[inline(always)]
fn code_luma_of(cur: Place<'_>, pred: &[u8; 256], factors: &Factors, residual: &mut Residual) {
    const PLACE: [usize; 16] = [0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15];
    let p = base(cur, 16, 16);
    let d = differences(
        // SAFETY: `base` found the block in its plane.
        |y, x| unsafe { *cur.plane.get_unchecked(p + y * cur.size[1] + x) },
        |y, x| pred[16 * y + x],
    );
    let mut coefficients = [[0_i16; 16]; 16];
    for l in 0..16 {
        let mut x = [0; 16];
        for i in 0..4 {
            for j in 0..4 {
                x[4 * i + j] = d[i][4 * l + j];
            }
        }
        for i in 0..4 {
            forward(&mut x, 4 * i, 1);
        }
        for j in 0..4 {
            forward(&mut x, j, 4);
        }
        for k in 0..16 {
            coefficients[k][l] = x[k];
        }
    }
    let (f, qbits) = (factors.f, factors.qbits & 31);
    // A list of levels at a time: with the lists inside, the loop over them is too long to be unrolled.
    let mut bits = [0_u16; 16];
    let (lists, _) = residual.luma.as_chunks_mut::<16>();
    for (k, levels) in lists.iter_mut().enumerate() {
        let (mf, c) = (u32::from(factors.mf[PLACE[k]]), &coefficients[PLACE[k]]);
        for l in 0..16 {
            let magnitude = ((u32::from(c[l].unsigned_abs()) * mf + f) >> qbits) as i16;
            let level = if c[l] < 0 { -magnitude } else { magnitude };
            levels[l] = level;
            bits[l] |= if level != 0 { 1 << k } else { 0 };
        }
    }
    residual.luma_nonzero = bits;
}

/// Samples around a picture.
const MARGIN: usize = 32;

versions! {
    /// The luma planes of a picture.
    fn interpolate(plane: &[u8], size: [usize; 2], planes: &mut [Vec<u8>; 4]) = interpolate_of
}

#[inline(always)]
fn interpolate_of(plane: &[u8], [h, w]: [usize; 2], planes: &mut [Vec<u8>; 4]) {
    const ROWS: usize = 32;
    const COLUMNS: usize = 64;
    let (rows, columns) = (h + 2 * MARGIN, w + 2 * MARGIN);
    let [g, b, vertical, j] = planes;
    for (y, out) in g.chunks_exact_mut(columns).enumerate() {
        let row = &plane[(y.clamp(MARGIN, MARGIN + h - 1) - MARGIN) * w..][..w];
        out[..MARGIN].fill(row[0]);
        out[MARGIN..MARGIN + w].copy_from_slice(row);
        out[MARGIN + w..].fill(row[w - 1]);
    }
    assert!([&b, &vertical, &j].iter().all(|plane| plane.len() >= rows * columns));
    for strip in 0..(rows - 5).div_ceil(ROWS) {
        let r = (ROWS * strip + 2).min(rows - 3 - ROWS);
        for tile in 0..(columns - 5).div_ceil(COLUMNS) {
            let c = (COLUMNS * tile + 2).min(columns - 3 - COLUMNS);
            // SAFETY: the tile lies two rows and columns from the first and three from the last of its plane.
            let sample = |y: usize, x: usize| {
                i16::from(unsafe { *g.get_unchecked((r + y - 2) * columns + c + x - 2) })
            };
            let mut b1 = [[0_i16; 64]; 37];
            for y in 0..37 {
                for x in 0..64 {
                    b1[y][x] = (sample(y, x) + sample(y, x + 5)) - 5 * (sample(y, x + 1) + sample(y, x + 4))
                        + 20 * (sample(y, x + 2) + sample(y, x + 3));
                }
            }
            for y in 0..32 {
                let here = (r + y) * columns + c;
                for x in 0..64 {
                    let value = ((b1[y + 2][x] + 16) >> 5).clamp(0, 255) as u8;
                    // SAFETY: as above.
                    unsafe { *b.get_unchecked_mut(here + x) = value };
                }
                for x in 0..64 {
                    let down = |i: usize| sample(y + i, x + 2);
                    let h1 = (down(0) + down(5)) - 5 * (down(1) + down(4)) + 20 * (down(2) + down(3));
                    let value = ((h1 + 16) >> 5).clamp(0, 255) as u8;
                    // SAFETY: as above.
                    unsafe { *vertical.get_unchecked_mut(here + x) = value };
                }
                for x in 0..64 {
                    let outer = b1[y][x] + b1[y + 5][x];
                    let middle = b1[y + 1][x] + b1[y + 4][x];
                    let inner = b1[y + 2][x] + b1[y + 3][x];
                    let sixteenth = (((outer - middle) >> 2).saturating_add(inner - middle) >> 2) + inner;
                    let value = ((sixteenth + 32) >> 6).clamp(0, 255) as u8;
                    // SAFETY: as above.
                    unsafe { *j.get_unchecked_mut(here + x) = value };
                }
            }
        }
    }
}

versions! {
    /// The prediction of a macroblock.
    fn predict_luma(planes: &[Vec<u8>; 4], size: [usize; 2], at: [usize; 2], mv: [i16; 2], part: Part, pred: &mut [u8; 256]) =
        predict_luma_of
}

#[inline(always)]
fn predict_luma_of(
    planes: &[Vec<u8>; 4],
    [h, w]: [usize; 2],
    at: [usize; 2],
    mv: [i16; 2],
    part: Part,
    pred: &mut [u8; 256],
) {
    // Plane, row and column of the two samples, by yFrac and xFrac.
    const G: [usize; 3] = [0, 0, 0];
    const B: [usize; 3] = [1, 0, 0];
    const V: [usize; 3] = [2, 0, 0];
    const J: [usize; 3] = [3, 0, 0];
    const M: [usize; 3] = [2, 0, 1];
    const S: [usize; 3] = [1, 1, 0];
    const QUARTERS: [[[[usize; 3]; 2]; 4]; 4] = [
        [[G, G], [G, B], [B, B], [B, [0, 0, 1]]],
        [[G, V], [B, V], [B, J], [B, M]],
        [[V, V], [V, J], [J, J], [J, M]],
        [[V, [0, 1, 0]], [V, S], [J, S], [M, S]],
    ];
    let ([ph, pw], [py, px]) = (part.size, part.at);
    assert!(py + ph <= 16 && px + pw <= 16);
    let begin = |at: usize, moved: i16, block: usize, extent: usize| {
        let from = (at as isize + isize::from(moved >> 2)).clamp(-(block as isize + 3), extent as isize + 2);
        (from + MARGIN as isize) as usize
    };
    let (r, c) = (begin(at[0] + py, mv[1], ph, h), begin(at[1] + px, mv[0], pw, w));
    let (rows, columns) = (h + 2 * MARGIN, w + 2 * MARGIN);
    assert!(r + ph < rows && c + pw < columns);
    let [a, b] = QUARTERS[(mv[1] & 3) as usize][(mv[0] & 3) as usize].map(|[k, dy, dx]| {
        assert!(planes[k].len() >= rows * columns);
        &planes[k][(r + dy) * columns + c + dx..]
    });
    let here = 16 * py + px;
    match pw {
        16 => average::<16>([a, b], columns, ph, pred, here),
        8 => average::<8>([a, b], columns, ph, pred, here),
        _ => average::<4>([a, b], columns, ph, pred, here),
    }
}

/// The average of two blocks of W columns, which these planes begin with.
#[inline(always)]
fn average<const W: usize>(
    [a, b]: [&[u8]; 2],
    columns: usize,
    rows: usize,
    pred: &mut [u8; 256],
    here: usize,
) {
    for y in 0..rows {
        for x in 0..W {
            // SAFETY: the blocks lie in their planes, and the part in the macroblock.
            unsafe {
                let a = *a.get_unchecked(y * columns + x);
                let b = *b.get_unchecked(y * columns + x);
                *pred.get_unchecked_mut(here + 16 * y + x) = ((u16::from(a) + u16::from(b) + 1) >> 1) as u8;
            }
        }
    }
}
