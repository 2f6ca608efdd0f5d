//! Each program with its data.

use super::super::cases::{By, Case, bytes, case, floats, noise};
use super::{matrices, pictures, plain, signals};

/// Calls the function of a name in the module of kernels, or in that of plain Rust.
macro_rules! by {
    ($by:ident, $module:ident::$name:ident($($argument:expr),* $(,)?)) => {
        match $by {
            By::Kernel => $module::$name($($argument),*),
            By::Plain => plain::$name($($argument),*),
        }
    };
}

/// Programs on pictures of `h` rows and `w` columns.
pub(crate) fn pictures(size @ [h, w]: [usize; 2]) -> Vec<Case> {
    let count = h * w;
    let [light, gray] = [floats(1, count), floats(2, count)];
    let [edges, level, speckled] = [3, 4, 5].map(|seed| bytes(seed, count));
    let chroma = bytes(6, h.div_ceil(2) * w.div_ceil(2));
    let raw: Vec<u16> = noise(7, count, 4096).map(|value| value as u16).collect();
    let cells: Vec<u32> = noise(8, count, 1 << 32).map(|value| value as u32).collect();
    let samples: Vec<i32> = noise(9, count, 256).map(|value| value as i32).collect();
    let (over, under) = (bytes(10, 4 * count), bytes(11, 4 * count));
    vec![
        case("Harris", vec![0.0; count], false, move |by, out| {
            by!(by, pictures::harris(&light, size, out));
        }),
        case("Canny", vec![0; count], false, move |by, out| {
            by!(by, pictures::canny(&edges, size, 40, 90, out));
        }),
        case("pyramid", vec![0; count + h / 2 * (w / 2)], true, {
            let mut half = vec![0; h / 2 * (w / 2)];
            move |by, out| {
                let (rest, copy) = out.split_at_mut(count);
                by!(by, pictures::pyramid(&level, size, &mut half, rest));
                copy.iter_mut().zip(&half).for_each(|(to, from)| *to = i16::from(*from));
            }
        }),
        case("upsampling", vec![0; count], false, move |by, out| {
            by!(by, pictures::upsample(&chroma, size, out));
        }),
        case("demosaicing", vec![0; 3 * count], false, move |by, out| {
            by!(by, pictures::demosaic(&raw, size, out));
        }),
        case("median", vec![0; count], false, move |by, out| {
            by!(by, pictures::median(&speckled, size, out));
        }),
        case("guided filter", vec![0.0; count], false, move |by, out| {
            by!(by, pictures::guided(&gray, size, 0.01, out));
        }),
        case("life", vec![0; count], false, move |by, out| {
            by!(by, pictures::life(&cells, size, out));
        }),
        case("Haar", vec![0; count], false, move |by, out| {
            by!(by, pictures::haar(&samples, size, out));
        }),
        case("blend", under, true, move |by, out| {
            by!(by, pictures::blend(&over, out, count));
        }),
    ]
}

/// Programs on planes of `h` rows and `w` columns, of so many channels in and out.
pub(crate) fn channels([h, w]: [usize; 2], [ci, co]: [usize; 2]) -> Vec<Case> {
    let count = h * w;
    let [batch, planes, src] = [1, 2, 3].map(|seed| floats(seed, 2 * ci * count));
    let weights = floats(4, co * ci * 9);
    vec![
        case("NCHW to NHWC", vec![0.0; 2 * ci * count], false, move |by, out| {
            by!(by, pictures::interleave(&batch, [2, ci, h, w], out));
        }),
        case("windows as columns", vec![0.0; ci * 9 * count], false, move |by, out| {
            by!(by, pictures::windows(&planes[..ci * count], [ci, h, w], out));
        }),
        case("convolution", vec![0.0; co * count], false, move |by, out| {
            by!(by, pictures::convolve(&src[..ci * count], &weights, [co, ci, h, w], out));
        }),
    ]
}

/// Where segments of the lengths begin, and the last ends.
fn starts(lengths: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut at = 0;
    let ends = lengths.map(|length| {
        at += length;
        at
    });
    std::iter::once(0).chain(ends).collect()
}

/// Programs on matrices of `n` rows.
pub(crate) fn matrices(n: usize) -> Vec<Case> {
    let mut lower = floats(1, n * (n + 1) / 2);
    (0..n).for_each(|i| lower[i * (i + 3) / 2] = 3.0 + i as f32);
    let band: [usize; 3] = [n, n / 16 + 1, n / 8 + 2];
    let elements = (0..n).map(|i| (i + band[2] + 1).min(n) - i.saturating_sub(band[1])).sum();
    let diagonals = floats(2, elements).into_iter().map(|value| value + 1.0).collect();
    let rows = starts(noise(3, 8 * n, 12).map(|length| length as usize));
    let (values, vector) = (floats(4, rows[8 * n]), floats(5, n + 1));
    let columns: Vec<u32> = noise(6, rows[8 * n], n as u64 + 1).map(|column| column as u32).collect();
    let parts = starts(noise(7, n, 200).map(|length| length as usize));
    let numbers: Vec<u32> = noise(8, parts[n], 1000).map(|value| value as u32).collect();
    let sizes: [usize; 8] = std::array::from_fn(|g| n * (g + 3) / 32);
    let (order, sides) = (sizes.iter().sum::<usize>(), 24);
    let blocks = floats(9, sizes.iter().map(|size| size * size).sum());
    let from = floats(10, order * sides);
    let (a, b) = (floats(11, n * n), floats(12, n * n));
    let mut positive = floats(13, n * n);
    (0..n).for_each(|i| positive[i * n + i] = 100.0 * n as f32);
    let [count, centers, axes] = [16 * n, n / 8 + 1, 16];
    let (points, middles) = (floats(14, count * axes), floats(15, centers * axes));
    vec![
        case("triangular solve", floats(16, n * 16), true, move |by, x| {
            by!(by, matrices::solve(&lower, x, [n, 16]));
        }),
        case("LU of a band", diagonals, true, move |by, a| {
            by!(by, matrices::band_factors(a, band));
        }),
        case("sparse product", vec![0.0; 8 * n], false, move |by, y| match by {
            By::Kernel => matrices::sparse(&values, &columns, &rows, &vector, y, 8 * n),
            By::Plain => plain::sparse(&values, &columns, &rows, &vector, y),
        }),
        case("segments", vec![0; 2 * n], false, move |by, out| {
            let (most, sums) = out.split_at_mut(n);
            match by {
                By::Kernel => matrices::segments(&numbers, &parts, most, sums, n),
                By::Plain => plain::segments(&numbers, &parts, most, sums),
            }
        }),
        case("blocks by columns", vec![0.0; order * sides], true, move |by, y| {
            by!(by, matrices::block_diagonal(&blocks, &from, &sizes, [order, sides], y));
        }),
        case("tiled product", vec![0.0; n * n], true, move |by, c| {
            by!(by, matrices::product(&a, &b, c, [n; 3]));
        }),
        case("Cholesky by columns", positive, true, move |by, a| {
            by!(by, matrices::factorize(a, n));
        }),
        case("nearest center", vec![0; count], false, move |by, out| {
            by!(by, matrices::nearest(&points, &middles, [count, centers, axes], out));
        }),
    ]
}

/// Programs on sequences of `n` elements.
pub(crate) fn sequences(n: usize) -> Vec<Case> {
    let bits = usize::BITS - n.leading_zeros();
    let count = 1 << bits;
    let angles: Vec<f32> = (0..count).map(|k| -std::f32::consts::TAU * k as f32 / count as f32).collect();
    let cos: Vec<f32> = angles.iter().map(|angle| angle.cos()).collect();
    let sin: Vec<f32> = angles.iter().map(|angle| angle.sin()).collect();
    let values: Vec<u32> = noise(1, n, 1000).map(|value| value as u32).collect();
    let [one, two]: [Vec<u8>; 2] = [2, 3].map(|seed| noise(seed, n, 4).map(|value| value as u8).collect());
    let [h, w] = [n / 2, n];
    let message: [u8; 64] = bytes(4, 64).try_into().expect("64 bytes");
    let state: Vec<u32> = noise(5, 8, 1 << 32).map(|value| value as u32).collect();
    let samples = floats(6, 8 * n);
    let filters: Vec<f32> = floats(7, 40).into_iter().map(|value| value / 100.0).collect();
    let gains = [1.0, 0.5, 0.25, 2.0, -1.0, 0.0, 3.0, 1.5];
    vec![
        case("Fourier transform", floats(8, 2 * count), true, move |by, out| {
            let (re, im) = out.split_at_mut(count);
            by!(by, signals::transform(re, im, bits, &cos, &sin));
        }),
        case("prefix sums", vec![0; n], false, move |by, out| match by {
            By::Kernel => signals::prefix_sums(&values, out, n),
            By::Plain => plain::prefix_sums(&values, out),
        }),
        case("Smith-Waterman", vec![0; (h + 1) * (w + 1) + 1], false, move |by, out| {
            let (best, scores) = out.split_first_mut().expect("the best score");
            *best = match by {
                By::Kernel => signals::align(&one[..h], &two, [h, w], scores),
                By::Plain => plain::align(&one[..h], &two, scores),
            };
        }),
        case("SHA-256", state, true, move |by, out| {
            let state = out.try_into().expect("eight words");
            match by {
                By::Kernel => signals::digest(&message, state),
                By::Plain => plain::digest(&message, state, &signals::ROUNDS),
            }
        }),
        case("mix of filters", vec![0.0; n + 16], true, move |by, out| {
            let (out, memory) = out.split_at_mut(n);
            match by {
                By::Kernel => signals::mix(&samples, &filters, memory, &gains, out, n),
                By::Plain => plain::mix(&samples, &filters, memory, &gains, out),
            }
        }),
    ]
}
