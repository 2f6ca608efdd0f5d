//! Convolutions with small masks: the filters and line detectors of sections 5.2.3 and 5.2.4 of the thesis on the
//! Mathematics of Arrays. Results are clamped to bytes.

use shim::prelude::*;

/// Masks of 3x3.
pub type Mask = [[i16; 3]; 3];

/// A sum over a neighborhood, divided.
macro_rules! masks {
    ($($(#[doc = $doc:literal])* $name:ident $constant:ident / $scale:literal: [[i16; $side:literal]; $same:literal] = $mask:expr;)*) => {$(
        #[doc = concat!("The mask of [`", stringify!($name), "`].")]
        pub const $constant: [[i16; $side]; $side] = $mask;

        $(#[doc = $doc])*
        #[shim::kernel(simd)]
        pub fn $name(#[shape(h, w)] src: &[u8], [h, w]: [usize; 2], #[shape(h, w)] dst: &mut [u8]) {
            const M: [[i16; $side]; $side] = $mask;
            let src = src.boundary(Clamp).cast::<i16>();
            for [y, x] in dst.indices() {
                let mut sum: i16 = 0;
                #[unroll]
                for i in 0..$side {
                    #[unroll]
                    for j in 0..$side {
                        sum += M[i][j] * src[[y + i - $side / 2, x + j - $side / 2]];
                    }
                }
                dst[[y, x]] = (sum / $scale).clamp(0, 255) as u8;
            }
        }
    )*};
}

masks! {
    /// The mean of a neighborhood.
    low_pass LOW_PASS / 9: [[i16; 3]; 3] = [[1, 1, 1], [1, 1, 1], [1, 1, 1]];
    /// The difference to a neighborhood: points.
    high_pass HIGH_PASS / 1: [[i16; 3]; 3] = [[-1, -1, -1], [-1, 8, -1], [-1, -1, -1]];
    /// Horizontal lines.
    horizontal HORIZONTAL / 1: [[i16; 3]; 3] = [[-1, -1, -1], [2, 2, 2], [-1, -1, -1]];
    /// Vertical lines.
    vertical VERTICAL / 1: [[i16; 3]; 3] = [[-1, 2, -1], [-1, 2, -1], [-1, 2, -1]];
    /// Lines that rise to the right.
    rising RISING / 1: [[i16; 3]; 3] = [[-1, -1, 2], [-1, 2, -1], [2, -1, -1]];
    /// Lines that fall to the right.
    falling FALLING / 1: [[i16; 3]; 3] = [[2, -1, -1], [-1, 2, -1], [-1, -1, 2]];
    /// The custom mask: long lines that rise to the right.
    custom CUSTOM / 1: [[i16; 7]; 7] = [
        [-1, -1, -1, -1, -1, -1, 2],
        [-1, -1, -1, -1, -1, 2, -1],
        [-1, -1, -1, -1, 2, -1, -1],
        [-1, -1, -1, 2, -1, -1, -1],
        [-1, -1, 2, -1, -1, -1, -1],
        [-1, 2, -1, -1, -1, -1, -1],
        [2, -1, -1, -1, -1, -1, -1],
    ];
}

/// Two sums over a neighborhood: the smaller one, as the thesis prints it, or the sum of their magnitudes.
macro_rules! pairs {
    ($($(#[doc = $doc:literal])* [$smaller:ident $magnitudes:ident] $constant:ident = $masks:expr;)*) => {$(
        #[doc = concat!("The masks of [`", stringify!($smaller), "`].")]
        pub const $constant: [Mask; 2] = $masks;

        pairs!(@ $smaller $masks, |[a, b]| a.min(b), $(#[doc = $doc])* #[doc = " The smaller of the two sums."]
        );
        pairs!(@ $magnitudes $masks, |[a, b]| a.abs() + b.abs(), $(#[doc = $doc])* #[doc = " The sum of the magnitudes."]
        );
    )*};
    (@ $name:ident $masks:expr, |[$a:ident, $b:ident]| $value:expr, $(#[doc = $doc:literal])*) => {
        $(#[doc = $doc])*
        #[shim::kernel(simd)]
        pub fn $name(#[shape(h, w)] src: &[u8], [h, w]: [usize; 2], #[shape(h, w)] dst: &mut [u8]) {
            const M: [[[i16; 3]; 3]; 2] = $masks;
            let src = src.boundary(Clamp).cast::<i16>();
            for [y, x] in dst.indices() {
                let mut $a: i16 = 0;
                let mut $b: i16 = 0;
                #[unroll]
                for i in 0..3 {
                    #[unroll]
                    for j in 0..3 {
                        $a += M[0][i][j] * src[[y + i - 1, x + j - 1]];
                        $b += M[1][i][j] * src[[y + i - 1, x + j - 1]];
                    }
                }
                dst[[y, x]] = ($value).clamp(0, 255) as u8;
            }
        }
    };
}

pairs! {
    /// Prewitt's edges.
    [prewitt prewitt_edges] PREWITT =
        [[[-1, -1, -1], [0, 0, 0], [1, 1, 1]], [[-1, 0, 1], [-1, 0, 1], [-1, 0, 1]]];
    /// Sobel's edges.
    [sobel sobel_edges] SOBEL =
        [[[-1, -2, -1], [0, 0, 0], [1, 2, 1]], [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]]];
}

/// The sum of a neighborhood under a mask, as it is written without a library.
pub fn plain<const N: usize>(
    mask: &[[i16; N]; N],
    src: &[u8],
    [h, w]: [usize; 2],
    [y, x]: [usize; 2],
) -> i16 {
    let near = |at: usize, by: usize, extent: usize| (at + by).saturating_sub(N / 2).min(extent - 1);
    let terms = (0..N).flat_map(|i| (0..N).map(move |j| (i, j)));
    terms.map(|(i, j)| mask[i][j] * i16::from(src[near(y, i, h) * w + near(x, j, w)])).sum()
}
