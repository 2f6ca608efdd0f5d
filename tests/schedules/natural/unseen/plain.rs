//! The programs in good plain Rust.

pub(crate) fn erode(src: &[u8], [h, w]: [usize; 2], out: &mut [u8]) {
    if w == 0 {
        return;
    }
    for (y, out) in out.chunks_exact_mut(w).enumerate() {
        let row = |y: usize| &src[y * w..][..w];
        let (above, own, below) = (row(y.max(1) - 1), row(y), row((y + 1).min(h - 1)));
        let least = |x: usize| above[x].min(own[x]).min(below[x]);
        out[0] = least(0).min(least(1.min(w - 1)));
        out[w - 1] = least(w - 1).min(least(w.max(2) - 2));
        let windows = above.windows(3).zip(own.windows(3)).zip(below.windows(3));
        for (((a, b), c), out) in windows.zip(&mut out[1.min(w - 1)..]) {
            let least = |x: usize| a[x].min(b[x]).min(c[x]);
            *out = least(0).min(least(1)).min(least(2));
        }
    }
}

pub(crate) fn unpack(packed: &[u8], rgb: &mut [u8], _: usize) {
    for (own, rgb) in packed.as_chunks::<4>().0.iter().zip(rgb.as_chunks_mut::<6>().0) {
        let [blue, red] = [i32::from(own[1]) - 128, i32::from(own[3]) - 128];
        let added = [(359 * red) >> 8, -((88 * blue + 183 * red) >> 8), (454 * blue) >> 8];
        for (luma, rgb) in [own[0], own[2]].into_iter().zip(rgb.as_chunks_mut::<3>().0) {
            *rgb = added.map(|added| (i32::from(luma) + added).clamp(0, 255) as u8);
        }
    }
}

pub(crate) fn transposed_product(a: &[f32], x: &[f32], y: &mut [f32], [_, w]: [usize; 2]) {
    y.fill(0.0);
    if w > 0 {
        for (row, x) in a.chunks_exact(w).zip(x) {
            for (sum, a) in y.iter_mut().zip(row) {
                *sum += a * x;
            }
        }
    }
}

pub(crate) fn edits(a: &[u8], b: &[u8], [_, w]: [usize; 2], d: &mut [u32]) {
    d[..=w].iter_mut().zip(0..).for_each(|(own, j)| *own = j);
    for (i, a) in a.iter().enumerate() {
        let (above, own) = d[i * (w + 1)..].split_at_mut(w + 1);
        let mut left = i as u32 + 1;
        own[0] = left;
        for ((above, b), own) in above.windows(2).zip(b).zip(&mut own[1..]) {
            left = (above[0] + u32::from(a != b)).min(above[1] + 1).min(left + 1);
            *own = left;
        }
    }
}

pub(crate) fn curve(src: &[u8], levels: &[u8], _: usize, out: &mut [u8]) {
    let levels: &[u8; 256] = levels.try_into().expect("256 levels");
    for (out, src) in out.iter_mut().zip(src) {
        *out = levels[usize::from(*src)];
    }
}

pub(crate) fn threshold(src: &[u8], [h, w]: [usize; 2], r: usize, sums: &mut [u32], out: &mut [u8]) {
    sums[..=w].fill(0);
    for y in 0..h {
        let (above, own) = sums[y * (w + 1)..].split_at_mut(w + 1);
        let mut row = 0;
        own[0] = 0;
        for ((src, above), own) in src[y * w..][..w].iter().zip(&above[1..]).zip(&mut own[1..]) {
            row += u32::from(*src);
            *own = above + row;
        }
    }
    for y in 0..h {
        let (top, bottom) = (y.saturating_sub(r), (y + r + 1).min(h));
        let (first, last) = (&sums[top * (w + 1)..][..=w], &sums[bottom * (w + 1)..][..=w]);
        let rows = src[y * w..][..w].iter().zip(&mut out[y * w..][..w]);
        for (x, (src, out)) in rows.enumerate() {
            let (left, right) = (x.saturating_sub(r), (x + r + 1).min(w));
            let count = ((bottom - top) * (right - left)) as u32;
            let sum = last[right] + first[left] - first[right] - last[left];
            *out = if u32::from(*src) * count < sum { 255 } else { 0 };
        }
    }
}

pub(crate) fn sweep(u: &mut [f32], f: &[f32], [h, w]: [usize; 2]) {
    for y in 1..h - 1 {
        let (above, rest) = u[(y - 1) * w..].split_at_mut(w);
        let (own, below) = rest.split_at_mut(w);
        let mut left = own[0];
        for x in 1..w - 1 {
            left = 0.25 * (above[x] + below[x] + left + own[x + 1] - f[y * w + x]);
            own[x] = left;
        }
    }
}

pub(crate) fn decimate(signal: &[f32], filter: &[f32], [n, ..]: [usize; 3], out: &mut [f32]) {
    for (i, out) in out.iter_mut().enumerate() {
        let own = &signal[(3 * i).min(n)..];
        *out = own.iter().zip(filter).map(|(signal, filter)| filter * signal).fold(0.0, |sum, own| sum + own);
    }
}

pub(crate) fn normalize(src: &[f32], [_, w]: [usize; 2], out: &mut [f32]) {
    if w == 0 {
        return;
    }
    for (src, out) in src.chunks_exact(w).zip(out.chunks_exact_mut(w)) {
        let most = src.iter().fold(f32::MIN, |most, own| most.max(*own));
        let mut sum = 0.0;
        for (src, out) in src.iter().zip(out.iter_mut()) {
            let d = (src - most).max(-8.0) / 8.0 + 1.0;
            *out = d * d * d * d;
            sum += *out;
        }
        for out in out {
            *out /= sum;
        }
    }
}

pub(crate) fn turn(src: &[u32], [h, w]: [usize; 2], out: &mut [u32]) {
    for y in (0..w).step_by(16) {
        for x in (0..h).step_by(16) {
            for y in y..(y + 16).min(w) {
                for x in x..(x + 16).min(h) {
                    out[y * h + x] = src[(h - 1 - x) * w + y];
                }
            }
        }
    }
}
