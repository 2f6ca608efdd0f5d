//! Pipelines fused by hand, as a programmer with time writes them: rows in slices whose lengths LLVM sees, and a ring of
//! the rows that the next one reads.
#![allow(unsafe_code, reason = "functions for an instruction set are called where the processor has it")]

/// The features of the kernels' first version.
macro_rules! fused {
    ($(#[$doc:meta])* fn $name:ident($($parameter:ident: $ty:ty),*) $body:block) => {
        $(#[$doc])*
        pub(crate) fn $name($($parameter: $ty),*) {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512cd,avx2,bmi1,bmi2,lzcnt,popcnt,fma")]
                fn v4($($parameter: $ty),*) $body
                #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,fma")]
                fn v3($($parameter: $ty),*) $body
                if is_x86_feature_detected!("avx512vl") && is_x86_feature_detected!("avx512bw") {
                    // SAFETY: processors with these two have the others.
                    return unsafe { v4($($parameter),*) };
                }
                if is_x86_feature_detected!("avx2") {
                    // SAFETY: processors with AVX2 have the others.
                    return unsafe { v3($($parameter),*) };
                }
            }
            $body
        }
    };
}

fused! {
    /// The blur in chunks of 512 columns, of three rows in a ring of four.
    fn blur(src: &[u16], h: usize, w: usize, dst: &mut [u16]) {
        const CHUNK: usize = 512;
        let mut ring = [[0_u16; CHUNK]; 4];
        for left in (0..w).step_by(CHUNK) {
            let count = CHUNK.min(w - left);
            let across = |y: usize, row: &mut [u16; CHUNK]| {
                let src = &src[y * w..][..w];
                let own = &mut row[..count];
                let least = usize::from(left == 0);
                let most = if left + count == w { count - 1 } else { count };
                if least < most {
                    let inner = &src[left + least - 1..][..most - least + 2];
                    for (own, near) in own[least..most].iter_mut().zip(inner.windows(3)) {
                        *own = (near[0] + near[1] + near[2]) / 3;
                    }
                }
                for x in [0, count - 1] {
                    let at = left + x;
                    own[x] = (src[at.saturating_sub(1)] + src[at] + src[(at + 1).min(w - 1)]) / 3;
                }
            };
            across(0, &mut ring[0]);
            for y in 0..h {
                let next = (y + 1).min(h - 1);
                if next > y {
                    across(next, &mut ring[next % 4]);
                }
                let (a, b, c) = (
                    &ring[y.saturating_sub(1) % 4][..count],
                    &ring[y % 4][..count],
                    &ring[next % 4][..count],
                );
                let rows = a.iter().zip(b).zip(c);
                for (dst, ((a, b), c)) in dst[y * w + left..][..count].iter_mut().zip(rows) {
                    *dst = (a + b + c) / 3;
                }
            }
        }
    }
}

fused! {
    /// The filter in chunks of 1024 columns, of nine rows in a ring of sixteen.
    fn gauss(src: &[u8], size: [usize; 2], dst: &mut [u8]) {
        const CHUNK: usize = 1024;
        const T: [u16; 5] = [70, 56, 28, 8, 1];
        let [h, w] = size;
        let mut ring = vec![[0_u16; CHUNK]; 16];
        for left in (0..w).step_by(CHUNK) {
            let count = CHUNK.min(w - left);
            let across = |y: usize, row: &mut [u16; CHUNK]| {
                let src = &src[y * w..][..w];
                let own = &mut row[..count];
                let clamped = |at: usize, by: isize| u16::from(src[at.saturating_add_signed(by).min(w - 1)]);
                let least = 4_usize.saturating_sub(left).min(count);
                let most = count.min((w - left).saturating_sub(4)).max(least);
                if least < most {
                    let inner = &src[left + least - 4..][..most - least + 8];
                    for (own, near) in own[least..most].iter_mut().zip(inner.windows(9)) {
                        let at = |i: usize| u16::from(near[i]);
                        *own = T[0] * at(4)
                            + T[1] * (at(3) + at(5))
                            + T[2] * (at(2) + at(6))
                            + T[3] * (at(1) + at(7))
                            + T[4] * (at(0) + at(8));
                    }
                }
                for x in (0..least).chain(most..count) {
                    own[x] = (-4..=4_isize).map(|i| T[i.unsigned_abs()] * clamped(left + x, i)).sum();
                }
            };
            for (y, row) in ring.iter_mut().enumerate().take(4.min(h)) {
                across(y, row);
            }
            for y in 0..h {
                if y + 4 < h {
                    across(y + 4, &mut ring[(y + 4) % 16]);
                }
                let rows: [&[u16]; 9] =
                    std::array::from_fn(|i| &ring[(y + i).saturating_sub(4).min(h - 1) % 16][..count]);
                for (x, dst) in dst[y * w + left..][..count].iter_mut().enumerate() {
                    let at = |i: usize| u32::from(rows[i][x]);
                    let sum = u32::from(T[0]) * at(4)
                        + u32::from(T[1]) * (at(3) + at(5))
                        + u32::from(T[2]) * (at(2) + at(6))
                        + u32::from(T[3]) * (at(1) + at(7))
                        + u32::from(T[4]) * (at(0) + at(8));
                    *dst = ((sum + 32768) >> 16) as u8;
                }
            }
        }
    }
}

fused! {
    /// The mask row by row, with one row of the vertical filter.
    fn unsharp(src: &[f32], size: [usize; 2], amount: f32, dst: &mut [f32]) {
        const W: [f32; 4] = [0.265_962, 0.212_965, 0.109_340, 0.035_994];
        let [h, w] = size;
        let mut down = vec![0.0_f32; w + 6];
        for y in 0..h {
            let rows: [&[f32]; 7] =
                std::array::from_fn(|j| &src[(y + j).saturating_sub(3).min(h - 1) * w..][..w]);
            for (x, down) in down[3..][..w].iter_mut().enumerate() {
                *down = W[0] * rows[3][x]
                    + W[1] * (rows[2][x] + rows[4][x])
                    + W[2] * (rows[1][x] + rows[5][x])
                    + W[3] * (rows[0][x] + rows[6][x]);
            }
            let (first, last) = (down[3], down[w + 2]);
            down[..3].fill(first);
            down[w + 3..].fill(last);
            let own = rows[3].iter().zip(down.windows(7));
            for (dst, (src, near)) in dst[y * w..][..w].iter_mut().zip(own) {
                let smooth = W[0] * near[3]
                    + W[1] * (near[2] + near[4])
                    + W[2] * (near[1] + near[5])
                    + W[3] * (near[0] + near[6]);
                *dst = src + amount * (src - smooth);
            }
        }
    }
}
