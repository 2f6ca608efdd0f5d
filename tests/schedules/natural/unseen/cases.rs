//! Each program with its data.

use super::super::cases::{By, Case, bytes, case, floats, noise};
use super::{kernels, plain};

/// Calls the function of a name in the module that is asked for.
macro_rules! by {
    ($by:ident, $name:ident($($argument:expr),* $(,)?)) => {
        match $by {
            By::Kernel => kernels::$name($($argument),*),
            By::Plain => plain::$name($($argument),*),
        }
    };
}

/// All of them, on pictures of `h` rows and `w` columns, each at least two.
pub(crate) fn cases(size @ [h, w]: [usize; 2]) -> Vec<Case> {
    let count = h * w;
    let [image, packed, source, gray] = [1, 2, 3, 4].map(|seed| bytes(seed, count));
    let [matrix, force, logits] = [5, 6, 7].map(|seed| floats(seed, count));
    let vector = floats(8, h);
    let pixels: Vec<u32> = noise(9, count, 1 << 32).map(|value| value as u32).collect();
    let levels = bytes(10, 256);
    let [one, two]: [Vec<u8>; 2] =
        [(11, h), (12, w)].map(|(seed, count)| noise(seed, count, 4).map(|own| own as u8).collect());
    let (signal, filter) = (floats(13, count), floats(14, 24));
    let (pairs, third) = (count / 4, count / 3);
    vec![
        case("erosion", vec![0; count], false, move |by, out| by!(by, erode(&image, size, out))),
        case("packed 4:2:2", vec![0; 6 * pairs], false, move |by, out| {
            by!(by, unpack(&packed[..4 * pairs], out, pairs));
        }),
        case("transposed product", vec![0.0; w], false, move |by, out| {
            by!(by, transposed_product(&matrix, &vector, out, size));
        }),
        case("edit distance", vec![0; (h + 1) * (w + 1)], false, move |by, out| {
            by!(by, edits(&one, &two, size, out));
        }),
        case("curve", vec![0; count], false, move |by, out| by!(by, curve(&source, &levels, count, out))),
        case("threshold", vec![0; count], false, {
            let mut sums = vec![0; (h + 1) * (w + 1)];
            move |by, out| by!(by, threshold(&gray, size, 7, &mut sums, out))
        }),
        case("Gauss-Seidel", floats(15, count), true, move |by, out| by!(by, sweep(out, &force, size))),
        case("decimation", vec![0.0; third], false, move |by, out| {
            by!(by, decimate(&signal, &filter, [count, 24, third], out));
        }),
        case("softmax", vec![0.0; count], false, move |by, out| by!(by, normalize(&logits, size, out))),
        case("quarter turn", vec![0; count], false, move |by, out| by!(by, turn(&pixels, size, out))),
    ]
}
