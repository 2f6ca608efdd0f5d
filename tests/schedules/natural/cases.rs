//! Each program with its data, for the kernel and for plain Rust.

use super::{kernels, plain};

/// Who runs a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum By {
    Kernel,
    Plain,
}

/// Runs a program, and gives the bits of what it has written where they are asked for.
pub(crate) type Run = Box<dyn FnMut(By, bool) -> Vec<u64>>;

/// A program with its data.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) run: Run,
}

/// Numbers below `most`.
pub(crate) fn noise(seed: u64, count: usize, most: u64) -> impl Iterator<Item = u64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    (0..count).map(move |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 20) % most
    })
}

pub(crate) fn bytes(seed: u64, count: usize) -> Vec<u8> {
    noise(seed, count, 256).map(|value| value as u8).collect()
}

pub(crate) fn floats(seed: u64, count: usize) -> Vec<f32> {
    noise(seed, count, 1000).map(|value| f32::from(value as u16) / 100.0).collect()
}

/// An element of an array, whose bits are compared.
pub(crate) trait Element: Copy + 'static {
    fn bits(self) -> u64;
}

impl Element for f32 {
    fn bits(self) -> u64 {
        u64::from(self.to_bits())
    }
}

macro_rules! integers {
    ($($integer:ty)*) => {$(
        impl Element for $integer {
            fn bits(self) -> u64 {
                u64::from_le_bytes(i64::from(self).to_le_bytes())
            }
        }
    )*};
}
integers!(u8 u16 i16 u32 i32);

/// A case: one expression for both, in which `f` is the function; `out` is what it writes, reset to `start` before each
/// run unless all of it is written.
pub(crate) fn case<T: Element>(
    name: &'static str,
    start: Vec<T>,
    reset: bool,
    mut run: impl FnMut(By, &mut [T]) + 'static,
) -> Case {
    let mut out = start.clone();
    let run = move |by: By, asks: bool| {
        if reset {
            out.clone_from_slice(&start);
        }
        run(by, &mut out);
        if asks { out.iter().copied().map(T::bits).collect() } else { Vec::new() }
    };
    Case { name, run: Box::new(run) }
}

/// Calls the function of a name in the module that is asked for.
macro_rules! by {
    ($by:ident, $name:ident($($argument:expr),* $(,)?)) => {
        match $by {
            By::Kernel => kernels::$name($($argument),*),
            By::Plain => plain::$name($($argument),*),
        }
    };
}

/// All programs, on data of a size of their own for each `scale`.
pub(crate) fn cases(scale: usize) -> Vec<Case> {
    let [n, w, h] = [8 * scale + 3, 40 * scale + 5, 30 * scale + 2];
    let size = h * w;
    let [a, b, lower, shifted] = [floats(1, n * n), floats(2, n * n), floats(3, n * n), floats(4, n * n)];
    let [small, other]: [Vec<i8>; 2] =
        [5, 6].map(|seed| bytes(seed, n * n).into_iter().map(u8::cast_signed).collect());
    let mut positive = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..n {
            let sum: f32 = (0..n).map(|k| shifted[i * n + k] * shifted[j * n + k]).sum();
            positive[i * n + j] = sum + if i == j { 1000.0 } else { 0.0 };
        }
    }
    let image = bytes(7, size);
    let [plane, second, third] = [image.clone(), image.clone(), image.clone()];
    let [fourth, fifth, sixth] = [image.clone(), image.clone(), image.clone()];
    let light: Vec<f32> = image.iter().map(|value| f32::from(*value) / 255.0).collect();
    let lights = light.clone();
    let (even, wide) = (h / 2 * 2, w / 2 * 2);
    let [blue, red] = [8, 9].map(|seed| bytes(seed, even / 2 * (wide / 2)));
    let (rows, columns) = (h * 3 / 2, w * 4 / 3);
    let steps = |to: usize, from: usize| -> Vec<u32> {
        (0..to).map(|i| (i * (from - 1) * 256 / to.max(1)) as u32).collect()
    };
    let (ys, xs) = (steps(rows, h), steps(columns, w));
    let [one, two]: [Vec<u8>; 2] =
        [10, 11].map(|seed| noise(seed, 10 * n, 4).map(|value| value as u8).collect());
    let cube = [n / 2 + 3, n / 2 + 4, n + 5];
    let space = floats(12, cube.iter().product());
    let depth = space.clone();
    let set: Vec<bool> = noise(13, size, 100).map(|value| value < 55).collect();
    let [block, window] = [bytes(14, 64), bytes(15, (2 * scale + 9) * (2 * scale + 11))];
    let around = [2 * scale + 9, 2 * scale + 11];
    let planes = even * wide;
    vec![
        case("product", vec![0.0; n * n], true, move |by, c| by!(by, product(&a, &b, c, [n; 3]))),
        case("integer product", vec![0; n * n], true, move |by, c| {
            by!(by, integer_product(&small, &other, c, [n; 3]));
        }),
        case("triangular product", vec![0.0; n * n], true, move |by, c| {
            by!(by, triangular_product(&lower, &shifted, c, [n; 2]));
        }),
        case("Cholesky", positive, true, move |by, a| by!(by, factorize(a, n))),
        case("blur", vec![0; size], false, move |by, to| by!(by, blur(&image, to, [h, w]))),
        case("separable blur", vec![0.0; 2 * size], false, move |by, out| {
            let (rows, to) = out.split_at_mut(size);
            by!(by, separable_blur(&light, rows, to, [h, w]));
        }),
        case("Sobel", vec![0; size], false, move |by, to| by!(by, sobel(&plane, to, [h, w]))),
        case("bilateral", vec![0.0; size], false, move |by, to| {
            by!(by, bilateral(&lights, to, [h, w]));
        }),
        case("equalization", vec![0; size], false, move |by, to| by!(by, equalize(&second, to, size))),
        case("integral image", vec![0; size], false, move |by, to| {
            by!(by, integral(&third, to, [h, w]));
        }),
        case("resize", vec![0; rows * columns], false, move |by, to| {
            by!(by, resize(&fourth, to, [h, w], &ys, &xs, [rows, columns]));
        }),
        case("YUV to RGB", vec![0; 3 * planes], false, move |by, to| {
            let (r, rest) = to.split_at_mut(planes);
            let (g, b) = rest.split_at_mut(planes);
            by!(by, to_rgb(&fifth[..planes], &blue, &red, r, g, b, [even, wide]));
        }),
        case("Needleman-Wunsch", vec![0; (10 * n + 1) * (10 * n + 1)], false, move |by, scores| {
            by!(by, align(&one, &two, scores, [10 * n; 2]));
        }),
        case(
            "Floyd-Warshall",
            noise(16, n * n, 100).map(|value| value as u32).collect(),
            true,
            move |by, d| by!(by, shortest(d, n)),
        ),
        case("diffusion", depth, false, move |by, to| by!(by, diffuse(&space, to, cube))),
        case("dilation", vec![0; size], false, move |by, to| by!(by, dilate(&sixth, to, [h, w]))),
        case("labels", vec![0; size], false, move |by, labels| {
            by!(by, label(&set, labels, [h, w]));
        }),
        case("block matching", vec![0; 3], false, move |by, found| {
            let (sad, [dy, dx]) = by!(by, search(&block, &window, around));
            found.copy_from_slice(&[sad, dy as u32, dx as u32]);
        }),
    ]
}
