//! The zigzag sequence (T.81 A.3.6 and Figure A.6).

use crate::tables::ZIGZAG;

/// Lays the coefficients of a block, row by row (v, then u), out in the order of growing frequency:
/// `zz[k]` is the k-th of the zigzag sequence, `zz[0]` DC.
pub fn zigzag(quantised: &[i16; 64], zz: &mut [i16; 64]) {
    for (zz, place) in zz.iter_mut().zip(ZIGZAG) {
        *zz = quantised[usize::from(place)];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn follows_the_antidiagonals() {
        let block = std::array::from_fn(|i| (10 * (i / 8) + i % 8) as i16);
        let mut zz = [0; 64];
        zigzag(&block, &mut zz);
        assert_eq!(zz[..15], [0, 1, 10, 20, 11, 2, 3, 12, 21, 30, 40, 31, 22, 13, 4]);
        assert_eq!(zz[60..], [57, 67, 76, 77]);
    }
}
