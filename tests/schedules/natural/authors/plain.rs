//! The same in plain Rust, as one writes it for speed without intrinsics: padded copies in the place of tests at the
//! edges, rows as slices, invariant rows and columns copied.

/// A picture with `r` samples around it, which `at` finds from their positions.
fn padded<T: Copy>(src: &[T], [h, w]: [usize; 2], r: usize, at: impl Fn(isize, isize) -> T) -> Vec<T> {
    let mut out = Vec::with_capacity((h + 2 * r) * (w + 2 * r));
    for y in -(r as isize)..(h + r) as isize {
        let left = -(r as isize)..0;
        let right = w as isize..(w + r) as isize;
        out.extend(left.map(|x| at(y, x)));
        match usize::try_from(y) {
            Ok(y) if y < h => out.extend_from_slice(&src[y * w..][..w]),
            _ => out.extend((0..w as isize).map(|x| at(y, x))),
        }
        out.extend(right.map(|x| at(y, x)));
    }
    out
}

/// A picture with `r` copies of its edge around it.
fn clamped<T: Copy>(src: &[T], [h, w]: [usize; 2], r: usize) -> Vec<T> {
    padded(src, [h, w], r, |y, x| {
        let [y, x] = [(y, h), (x, w)].map(|(at, extent)| at.clamp(0, extent as isize - 1) as usize);
        src[y * w + x]
    })
}

/// A picture with `r` mirrored samples around it.
fn mirrored<T: Copy>(src: &[T], [h, w]: [usize; 2], r: usize) -> Vec<T> {
    padded(src, [h, w], r, |y, x| {
        let [y, x] = [(y, h), (x, w)].map(|(at, extent)| {
            let folded = at.rem_euclid(2 * extent as isize);
            folded.min(2 * extent as isize - 1 - folded) as usize
        });
        src[y * w + x]
    })
}

/// Rows `y` to `y + N` of a plane whose rows have `stride` elements.
fn rows<T, const N: usize>(plane: &[T], stride: usize, y: usize) -> [&[T]; N] {
    std::array::from_fn(|k| &plane[(y + k) * stride..][..stride])
}

pub(crate) fn harris(src: &[f32], [h, w]: [usize; 2], out: &mut [f32]) {
    if h * w == 0 {
        return;
    }
    let (wide, stride) = (w + 4, w + 2);
    let src = clamped(src, [h, w], 2);
    let [mut gx, mut gy] = [vec![0.0; (h + 2) * stride], vec![0.0; (h + 2) * stride]];
    for y in 0..h + 2 {
        let [above, own, below] = rows(&src, wide, y);
        let (gx, gy) = (&mut gx[y * stride..][..stride], &mut gy[y * stride..][..stride]);
        for x in 0..stride {
            gx[x] = own[x + 2] - own[x];
            gy[x] = below[x + 1] - above[x + 1];
        }
    }
    for y in 0..h {
        let (gx, gy): ([_; 3], [_; 3]) = (rows(&gx, stride, y), rows(&gy, stride, y));
        for (x, out) in out[y * w..][..w].iter_mut().enumerate() {
            let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
            for (gx, gy) in gx.iter().zip(&gy) {
                for dx in 0..3 {
                    let (a, b) = (gx[x + dx], gy[x + dx]);
                    xx += a * a;
                    yy += b * b;
                    xy += a * b;
                }
            }
            *out = xx * yy - xy * xy - 0.04 * (xx + yy) * (xx + yy);
        }
    }
}

pub(crate) fn canny(src: &[u8], [h, w]: [usize; 2], low: i16, high: i16, out: &mut [u8]) {
    if h * w == 0 {
        return;
    }
    // Each plane reaches as far as the next one reads: 3, 2 and 1 samples around the picture.
    let src = clamped(src, [h, w], 3);
    let [first, second, third] = [w + 6, w + 4, w + 2];
    let mut smooth = vec![0; (h + 4) * second];
    for y in 0..h + 4 {
        let [above, own, below] = rows(&src, first, y);
        for (x, to) in smooth[y * second..][..second].iter_mut().enumerate() {
            let across = |row: &[u8]| i16::from(row[x]) + 2 * i16::from(row[x + 1]) + i16::from(row[x + 2]);
            *to = (across(above) + 2 * across(own) + across(below) + 8) / 16;
        }
    }
    let [mut gx, mut gy, mut size] = [(); 3].map(|()| vec![0i16; (h + 2) * third]);
    for y in 0..h + 2 {
        let [above, own, below]: [&[i16]; 3] = rows(&smooth, second, y);
        let [gx, gy, size] = [&mut gx, &mut gy, &mut size].map(|plane| &mut plane[y * third..][..third]);
        for x in 0..third {
            let column = |x: usize| above[x] + 2 * own[x] + below[x];
            let row = |row: &[i16]| row[x] + 2 * row[x + 1] + row[x + 2];
            gx[x] = column(x + 2) - column(x);
            gy[x] = row(below) - row(above);
            size[x] = gx[x].abs() + gy[x].abs();
        }
    }
    for y in 0..h {
        let [above, own, below]: [&[i16]; 3] = rows(&size, third, y);
        let [gx, gy] = [&gx, &gy].map(|plane| &plane[(y + 1) * third + 1..][..w]);
        for (x, out) in out[y * w..][..w].iter_mut().enumerate() {
            let (dx, dy, center) = (gx[x], gy[x], own[x + 1]);
            let (before, behind) = if dy.abs() * 5 < dx.abs() * 2 {
                (own[x], own[x + 2])
            } else if dx.abs() * 5 < dy.abs() * 2 {
                (above[x + 1], below[x + 1])
            } else if (dx < 0) == (dy < 0) {
                (above[x], below[x + 2])
            } else {
                (above[x + 2], below[x])
            };
            let is_edge = center >= before && center > behind;
            *out = if !is_edge || center < low { 0 } else { 1 + u8::from(center >= high) };
        }
    }
}

pub(crate) fn pyramid(src: &[u8], [h, w]: [usize; 2], half: &mut [u8], rest: &mut [i16]) {
    let (hh, hw) = (h / 2, w / 2);
    if hh * hw == 0 {
        return;
    }
    let near = mirrored(src, [h, w], 2);
    let stride = w + 4;
    let weights = [1, 4, 6, 4, 1];
    for y in 0..hh {
        let taps: [_; 5] = rows(&near, stride, 2 * y);
        for (x, half) in half[y * hw..][..hw].iter_mut().enumerate() {
            let mut sum: u32 = 128;
            for (row, above) in taps.iter().zip(weights) {
                for (value, weight) in row[2 * x..2 * x + 5].iter().zip(weights) {
                    sum += above * weight * u32::from(*value);
                }
            }
            *half = (sum / 256) as u8;
        }
    }
    let small = clamped(half, [hh, hw], 1);
    let mut wide = vec![0u16; (hh + 2) * w];
    for y in 0..hh + 2 {
        let row = &small[y * (hw + 2)..][..hw + 2];
        let to = &mut wide[y * w..][..w];
        for (x, pair) in to.chunks_exact_mut(2).enumerate() {
            let [before, own, behind] = [row[x], row[x + 1], row[x + 2]].map(u16::from);
            pair[0] = (before + 6 * own + behind) / 8;
            pair[1] = (own + behind) / 2;
        }
        if w % 2 == 1 {
            let at = |x: usize| u16::from(row[x.min(hw + 1)]);
            to[w - 1] = (at(hw) + 6 * at(hw + 1) + at(hw + 2)) / 8;
        }
    }
    for y in 0..h {
        // The clamped rows above, at and below `y / 2`.
        let [above, own, below] = [y / 2, y / 2 + 1, y / 2 + 2].map(|row| &wide[row.min(hh + 1) * w..][..w]);
        let (src, rest) = (&src[y * w..][..w], &mut rest[y * w..][..w]);
        for x in 0..w {
            let expanded =
                if y % 2 == 0 { (above[x] + 6 * own[x] + below[x]) / 8 } else { (own[x] + below[x]) / 2 };
            rest[x] = i16::from(src[x]) - expanded as i16;
        }
    }
}

pub(crate) fn upsample(small: &[u8], [h, w]: [usize; 2], out: &mut [u8]) {
    let [hh, hw] = [h.div_ceil(2), w.div_ceil(2)];
    if h * w == 0 {
        return;
    }
    let padded = clamped(small, [hh, hw], 1);
    let stride = hw + 2;
    for y in 0..h {
        let near = &padded[(y / 2 + 1) * stride..][..stride];
        let far = &padded[(y / 2 + 2 * (y % 2)) * stride..][..stride];
        let column = |x: usize| 3 * u16::from(near[x]) + u16::from(far[x]);
        let out = &mut out[y * w..][..w];
        let mut pairs = out.chunks_exact_mut(2);
        for (x, pair) in pairs.by_ref().enumerate() {
            pair[0] = ((3 * column(x + 1) + column(x) + 8) / 16) as u8;
            pair[1] = ((3 * column(x + 1) + column(x + 2) + 8) / 16) as u8;
        }
        if let [last] = pairs.into_remainder() {
            *last = ((3 * column(hw) + column(hw - 1) + 8) / 16) as u8;
        }
    }
}

pub(crate) fn demosaic(raw: &[u16], [h, w]: [usize; 2], out: &mut [u16]) {
    if h * w == 0 {
        return;
    }
    let raw = clamped(raw, [h, w], 1);
    for y in 0..h {
        let [above, own, below]: [&[u16]; 3] = rows(&raw, w + 2, y);
        for (x, out) in out[3 * y * w..][..3 * w].chunks_exact_mut(3).enumerate() {
            let [above, own, below] = [above, own, below].map(|row| {
                let row = &row[x..x + 3];
                [row[0], row[1], row[2]].map(u32::from)
            });
            let sides = own[0] + own[2];
            let ends = above[1] + below[1];
            let cross = (sides + ends) / 4;
            let corners = (above[0] + above[2] + below[0] + below[2]) / 4;
            let color = match (y % 2, x % 2) {
                (0, 0) => [own[1], cross, corners],
                (0, _) => [sides / 2, own[1], ends / 2],
                (_, 0) => [ends / 2, own[1], sides / 2],
                _ => [corners, cross, own[1]],
            };
            out.copy_from_slice(&color.map(|value| value as u16));
        }
    }
}

pub(crate) fn median(src: &[u8], [h, w]: [usize; 2], out: &mut [u8]) {
    if h * w == 0 {
        return;
    }
    let src = clamped(src, [h, w], 1);
    let stride = w + 2;
    let [mut least, mut middle, mut most] = [(); 3].map(|()| vec![0; stride]);
    for y in 0..h {
        let [above, own, below]: [&[u8]; 3] = rows(&src, stride, y);
        for x in 0..stride {
            let (a, b, c) = (above[x], own[x], below[x]);
            least[x] = a.min(b).min(c);
            most[x] = a.max(b).max(c);
            middle[x] = a.min(b).max(a.max(b).min(c));
        }
        for (x, out) in out[y * w..][..w].iter_mut().enumerate() {
            let a = least[x].max(least[x + 1]).max(least[x + 2]);
            let (p, q, r) = (middle[x], middle[x + 1], middle[x + 2]);
            let b = p.min(q).max(p.max(q).min(r));
            let c = most[x].min(most[x + 1]).min(most[x + 2]);
            *out = a.min(b).max(a.max(b).min(c));
        }
    }
}

pub(crate) fn guided(src: &[f32], [h, w]: [usize; 2], smooth: f32, out: &mut [f32]) {
    if h * w == 0 {
        return;
    }
    let padded = clamped(src, [h, w], 8);
    let [first, second] = [w + 16, w + 8];
    // Sums of lines, 8 rows more on each side; slopes and offsets of windows, 4 more.
    let [mut sums, mut squares] = [(); 2].map(|()| vec![0.0; (h + 16) * second]);
    for y in 0..h + 16 {
        let row = &padded[y * first..][..first];
        let [sums, squares] = [&mut sums, &mut squares].map(|plane| &mut plane[y * second..][..second]);
        for x in 0..second {
            let (mut sum, mut square) = (0.0, 0.0);
            for value in &row[x..x + 9] {
                sum += value;
                square += value * value;
            }
            (sums[x], squares[x]) = (sum, square);
        }
    }
    let [mut slopes, mut offsets] = [(); 2].map(|()| vec![0.0; second]);
    let [mut slope_sums, mut offset_sums] = [(); 2].map(|()| vec![0.0; (h + 8) * w]);
    for y in 0..h + 8 {
        let (sums, squares): ([_; 9], [_; 9]) = (rows(&sums, second, y), rows(&squares, second, y));
        for x in 0..second {
            let (mut sum, mut square) = (0.0, 0.0);
            for k in 0..9 {
                sum += sums[k][x];
                square += squares[k][x];
            }
            let mean: f32 = sum / 81.0;
            let variance = square / 81.0 - mean * mean;
            let slope = variance / (variance + smooth);
            (slopes[x], offsets[x]) = (slope, mean - slope * mean);
        }
        let [slope_sums, offset_sums] =
            [&mut slope_sums, &mut offset_sums].map(|plane| &mut plane[y * w..][..w]);
        for x in 0..w {
            slope_sums[x] = slopes[x..x + 9].iter().sum();
            offset_sums[x] = offsets[x..x + 9].iter().sum();
        }
    }
    for y in 0..h {
        let (slopes, offsets): ([_; 9], [_; 9]) = (rows(&slope_sums, w, y), rows(&offset_sums, w, y));
        let (src, out) = (&src[y * w..][..w], &mut out[y * w..][..w]);
        for x in 0..w {
            let slope = slopes.iter().map(|row: &&[f32]| row[x]).sum::<f32>();
            let offset = offsets.iter().map(|row: &&[f32]| row[x]).sum::<f32>();
            out[x] = (slope * src[x] + offset) / 81.0;
        }
    }
}

pub(crate) fn life(cells: &[u32], [h, w]: [usize; 2], out: &mut [u32]) {
    let padded = padded(cells, [h, w], 1, |_, _| 0);
    for y in 0..h {
        let around: [_; 3] = rows(&padded, w + 2, y);
        for (x, out) in out[y * w..][..w].iter_mut().enumerate() {
            let (mut ones, mut twos, mut fours) = (0, 0, 0);
            for (dy, row) in around.iter().enumerate() {
                let (before, own, behind): (u32, u32, u32) = (row[x], row[x + 1], row[x + 2]);
                let left = own << 1 | before >> 31;
                let right = own >> 1 | behind << 31;
                for cell in [left, if dy == 1 { 0 } else { own }, right] {
                    let carry = ones & cell;
                    ones ^= cell;
                    fours |= twos & carry;
                    twos ^= carry;
                }
            }
            *out = twos & !fours & (ones | around[1][x + 1]);
        }
    }
}

pub(crate) fn haar(src: &[i32], [h, w]: [usize; 2], out: &mut [i32]) {
    let (upper, lower) = out.split_at_mut(h / 2 * w);
    for y in 0..h / 2 {
        let (above, below) = (&src[2 * y * w..][..w], &src[(2 * y + 1) * w..][..w]);
        let (means, across) = upper[y * w..][..w / 2 * 2].split_at_mut(w / 2);
        let (down, both) = lower[y * w..][..w / 2 * 2].split_at_mut(w / 2);
        for x in 0..w / 2 {
            let (a, b) = (above[2 * x], above[2 * x + 1]);
            let (c, d) = (below[2 * x], below[2 * x + 1]);
            means[x] = (a + b + c + d) / 2;
            across[x] = (a - b + c - d) / 2;
            down[x] = (a + b - c - d) / 2;
            both[x] = (a - b - c + d) / 2;
        }
    }
}

pub(crate) fn blend(over: &[u8], under: &mut [u8], n: usize) {
    for (over, under) in over.chunks_exact(4).zip(under.chunks_exact_mut(4)).take(n) {
        let alpha = u32::from(over[3]);
        let mixed = [over[2], over[1], over[0], 255];
        for (own, other) in mixed.into_iter().zip(under) {
            *other = ((u32::from(own) * alpha + u32::from(*other) * (255 - alpha) + 127) / 255) as u8;
        }
    }
}

pub(crate) fn interleave(src: &[f32], [n, c, h, w]: [usize; 4], out: &mut [f32]) {
    // Tiles of 16 pixels by 16 channels.
    const TILE: usize = 16;
    let size = h * w;
    for i in 0..n {
        let (src, out) = (&src[i * c * size..][..c * size], &mut out[i * c * size..][..c * size]);
        for first in (0..size).step_by(TILE) {
            for channel in (0..c).step_by(TILE) {
                for at in first..size.min(first + TILE) {
                    for k in channel..c.min(channel + TILE) {
                        out[at * c + k] = src[k * size + at];
                    }
                }
            }
        }
    }
}

pub(crate) fn windows(src: &[f32], [c, h, w]: [usize; 3], out: &mut [f32]) {
    if h * w == 0 {
        return;
    }
    let mut to = out.chunks_exact_mut(w);
    for k in 0..c {
        let plane = padded(&src[k * h * w..][..h * w], [h, w], 1, |_, _| 0.0);
        for dy in 0..3 {
            for dx in 0..3 {
                for y in 0..h {
                    let from = &plane[(y + dy) * (w + 2) + dx..][..w];
                    to.next().expect("a row of the matrix").copy_from_slice(from);
                }
            }
        }
    }
}

pub(crate) fn convolve(src: &[f32], weights: &[f32], [co, ci, h, w]: [usize; 4], out: &mut [f32]) {
    if h * w == 0 {
        return;
    }
    let planes: Vec<Vec<f32>> =
        (0..ci).map(|i| padded(&src[i * h * w..][..h * w], [h, w], 1, |_, _| 0.0)).collect();
    for o in 0..co {
        for y in 0..h {
            let out = &mut out[(o * h + y) * w..][..w];
            out.fill(0.0);
            for (i, plane) in planes.iter().enumerate() {
                let weights = &weights[(o * ci + i) * 9..][..9];
                let around: [_; 3] = rows(plane, w + 2, y);
                for (x, out) in out.iter_mut().enumerate() {
                    for (row, weights) in around.iter().zip(weights.chunks_exact(3)) {
                        for (value, weight) in row[x..x + 3].iter().zip(weights) {
                            *out += value * weight;
                        }
                    }
                }
            }
        }
    }
}

pub(crate) fn solve(l: &[f32], x: &mut [f32], [n, m]: [usize; 2]) {
    for i in 0..n {
        let row = &l[i * (i + 1) / 2..][..=i];
        let (solved, own) = x.split_at_mut(i * m);
        let own = &mut own[..m];
        for (j, factor) in row[..i].iter().enumerate() {
            for (own, other) in own.iter_mut().zip(&solved[j * m..][..m]) {
                *own -= factor * other;
            }
        }
        for own in own {
            *own /= row[i];
        }
    }
}

pub(crate) fn band_factors(a: &mut [f32], [n, p, q]: [usize; 3]) {
    // Where each row begins, less the column that it begins with.
    let mut first = 0;
    let places: Vec<usize> = (0..n)
        .map(|i: usize| {
            let column = i.saturating_sub(p);
            let place = first;
            first += (i + q + 1).min(n) - column;
            place
        })
        .collect();
    for k in 0..n {
        let end = (k + q + 1).min(n);
        let from = k.saturating_sub(p);
        for i in k + 1..(k + p + 1).min(n) {
            let column = i.saturating_sub(p);
            let (above, own) = a.split_at_mut(places[i]);
            let above = &above[places[k] + k - from..];
            let factor = own[k - column] / above[0];
            own[k - column] = factor;
            for (own, above) in own[k + 1 - column..end - column].iter_mut().zip(&above[1..]) {
                *own -= factor * above;
            }
        }
    }
}

pub(crate) fn sparse(values: &[f32], columns: &[u32], starts: &[usize], x: &[f32], y: &mut [f32]) {
    for (row, y) in starts.windows(2).zip(y) {
        let row = row[0]..row[1];
        let mut sum = 0.0;
        for (value, column) in values[row.clone()].iter().zip(&columns[row]) {
            sum += value * x[*column as usize];
        }
        *y = sum;
    }
}

pub(crate) fn segments(values: &[u32], starts: &[usize], most: &mut [u32], sums: &mut [u32]) {
    for (segment, (most, sum)) in starts.windows(2).zip(most.iter_mut().zip(sums)) {
        let segment = &values[segment[0]..segment[1]];
        *most = segment.iter().copied().max().unwrap_or(0);
        *sum = segment.iter().sum();
    }
}

pub(crate) fn block_diagonal(a: &[f32], x: &[f32], sizes: &[usize; 8], [_, m]: [usize; 2], y: &mut [f32]) {
    let (mut first, mut place) = (0, 0);
    for size in *sizes {
        let x = &x[first * m..][..size * m];
        for i in 0..size {
            let row = &a[place + i * size..][..size];
            let y = &mut y[(first + i) * m..][..m];
            for (factor, x) in row.iter().zip(x.chunks_exact(m.max(1))) {
                for (y, x) in y.iter_mut().zip(x) {
                    *y += factor * x;
                }
            }
        }
        (first, place) = (first + size, place + size * size);
    }
}

pub(crate) fn product(a: &[f32], b: &[f32], c: &mut [f32], [h, n, w]: [usize; 3]) {
    for i in 0..h {
        let row = &mut c[i * w..][..w];
        for (k, factor) in a[i * n..][..n].iter().enumerate() {
            for (to, from) in row.iter_mut().zip(&b[k * w..][..w]) {
                *to += factor * from;
            }
        }
    }
}

pub(crate) fn factorize(a: &mut [f32], n: usize) {
    let mut column = vec![0.0; n];
    for k in 0..n {
        let root = a[k * n + k].sqrt();
        a[k * n + k] = root;
        for i in k + 1..n {
            a[i * n + k] /= root;
            column[i] = a[i * n + k];
        }
        for i in k + 1..n {
            let factor = column[i];
            for (own, other) in a[i * n + k + 1..=i * n + i].iter_mut().zip(&column[k + 1..=i]) {
                *own -= factor * other;
            }
        }
    }
}

pub(crate) fn nearest(points: &[f32], centers: &[f32], [n, k, d]: [usize; 3], out: &mut [u32]) {
    for i in 0..n {
        let point = &points[i * d..][..d];
        let (mut best, mut found) = (f32::MAX, 0);
        for c in 0..k {
            let center = &centers[c * d..][..d];
            let mut distance = 0.0;
            for (point, center) in point.iter().zip(center) {
                distance += (point - center) * (point - center);
            }
            if distance < best {
                (best, found) = (distance, c as u32);
            }
        }
        out[i] = found;
    }
}

pub(crate) fn transform(re: &mut [f32], im: &mut [f32], bits: u32, cos: &[f32], sin: &[f32]) {
    let n = 1usize << bits;
    for i in 0..n {
        let j = if bits == 0 { 0 } else { i.reverse_bits() >> (usize::BITS - bits) };
        if i < j {
            re.swap(i, j);
            im.swap(i, j);
        }
    }
    let mut half = 1;
    while half < n {
        let step = n / (2 * half);
        for (re, im) in re.chunks_exact_mut(2 * half).zip(im.chunks_exact_mut(2 * half)) {
            let ((re, other_re), (im, other_im)) = (re.split_at_mut(half), im.split_at_mut(half));
            for k in 0..half {
                let (c, s) = (cos[k * step], sin[k * step]);
                let (a, b) = (other_re[k] * c - other_im[k] * s, other_re[k] * s + other_im[k] * c);
                (other_re[k], other_im[k]) = (re[k] - a, im[k] - b);
                (re[k], im[k]) = (re[k] + a, im[k] + b);
            }
        }
        half *= 2;
    }
}

pub(crate) fn prefix_sums(values: &[u32], out: &mut [u32]) {
    let mut sum = 0;
    for (value, out) in values.iter().zip(out) {
        sum += value;
        *out = sum;
    }
}

pub(crate) fn align(a: &[u8], b: &[u8], best: &mut [i32]) -> i32 {
    let w = b.len() + 1;
    best.fill(0);
    let mut most = 0;
    for y in 1..=a.len() {
        let (above, own) = best[(y - 1) * w..][..2 * w].split_at_mut(w);
        let mut left = 0;
        for x in 1..w {
            let matched = if a[y - 1] == b[x - 1] { 2 } else { -1 };
            left = (above[x - 1] + matched).max(above[x] - 1).max(left - 1).max(0);
            own[x] = left;
            most = most.max(left);
        }
    }
    most
}

pub(crate) fn digest(message: &[u8; 64], state: &mut [u32; 8], rounds: &[u32; 64]) {
    let mut words = [0u32; 64];
    for (word, bytes) in words.iter_mut().zip(message.chunks_exact(4)) {
        *word = u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    }
    for i in 16..64 {
        let (before, last) = (words[i - 15], words[i - 2]);
        let first = before.rotate_right(7) ^ before.rotate_right(18) ^ before >> 3;
        let second = last.rotate_right(17) ^ last.rotate_right(19) ^ last >> 10;
        words[i] = words[i - 16].wrapping_add(first).wrapping_add(words[i - 7]).wrapping_add(second);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for (round, word) in rounds.iter().zip(words) {
        let one = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let choice = e & f ^ !e & g;
        let own = h.wrapping_add(one).wrapping_add(choice).wrapping_add(*round).wrapping_add(word);
        let two = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let majority = a & b ^ a & c ^ b & c;
        (h, g, f, e) = (g, f, e, d.wrapping_add(own));
        (d, c, b, a) = (c, b, a, own.wrapping_add(two.wrapping_add(majority)));
    }
    for (state, own) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *state = state.wrapping_add(own);
    }
}

pub(crate) fn mix(samples: &[f32], filters: &[f32], memory: &mut [f32], gains: &[f32; 8], out: &mut [f32]) {
    for (samples, out) in samples.chunks_exact(8).zip(out) {
        let mut sum = 0.0;
        for c in 0..8 {
            let (x, own) = (samples[c], &filters[5 * c..][..5]);
            let y = own[0] * x + memory[2 * c];
            memory[2 * c] = own[1] * x - own[3] * y + memory[2 * c + 1];
            memory[2 * c + 1] = own[2] * x - own[4] * y;
            sum += gains[c] * y;
        }
        *out = sum;
    }
}
