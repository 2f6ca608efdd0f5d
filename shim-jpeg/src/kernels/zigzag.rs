//! The zigzag sequence (T.81 A.3.6 and Figure A.6).

use shim::prelude::*;

/// Lays blocks, `[8, 8, n]`, out in the order of growing frequency: `zz[[k, l]]` is the k-th of the zigzag sequence of
/// block l, `zz[[0, l]]` DC. A template, for coefficients and for the tables that quantize them.
#[shim::kernel]
pub(crate) fn zigzag_sequence<T>(blocks: impl Tensor<T, 3>, zz: impl Tensor<T, 2>) {
    #[unroll]
    for (k, [v, u]) in blocks.slice(2, 0).scan(zigzag).enumerate() {
        for l in 0..zz.extent(1) {
            zz[[k, l]] = blocks[[v, u, l]];
        }
    }
}

/// The elements of a quantization table in the order in which a DQT segment carries them (B.2.4.1).
#[shim::kernel]
pub fn zigzag_table(#[shape(8, 8, 1)] table: &[u16; 64], #[shape(64, 1)] zz: &mut [u16; 64]) {
    zigzag_sequence(table, zz);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walks_every_place_once_and_steps_to_a_neighbor() {
        let mut zz = [0; 64];
        zigzag_table(&std::array::from_fn(|i| i as u16), &mut zz);
        let mut seen = [false; 64];
        for place in zz {
            assert!(!std::mem::replace(&mut seen[usize::from(place)], true));
        }
        // Within an antidiagonal both coordinates change by one; from one to the next, one of them does.
        for pair in zz.windows(2) {
            let [(v0, u0), (v1, u1)] = [pair[0], pair[1]].map(|p| ((p / 8) as i16, (p % 8) as i16));
            let (dv, du) = (v1 - v0, u1 - u0);
            assert!((dv + du == 0 && dv.abs() == 1) || (dv + du == 1 && dv.abs() + du.abs() == 1));
        }
    }

    #[test]
    fn follows_the_antidiagonals() {
        let mut zz = [0; 64];
        zigzag_table(&std::array::from_fn(|i| (10 * (i / 8) + i % 8) as u16), &mut zz);
        assert_eq!(zz[..15], [0, 1, 10, 20, 11, 2, 3, 12, 21, 30, 40, 31, 22, 13, 4]);
        assert_eq!(zz[60..], [57, 67, 76, 77]);
    }
}
