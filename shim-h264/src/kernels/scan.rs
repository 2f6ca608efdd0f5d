//! The zigzag sequence of the coefficients of a 4x4 block (8.5.6, Figure 8-8).

/// The place among the rows of each coefficient of the sequence.
#[shim::constant]
pub(crate) const PLACE: [usize; 16] = [0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15];

/// Where in the sequence the coefficient of each place stands.
#[shim::constant]
pub(crate) const INDEX: [usize; 16] = [0, 1, 5, 6, 2, 4, 7, 12, 3, 8, 11, 13, 9, 10, 14, 15];

/// The class of a place among the three of (8-315).
#[shim::constant]
pub(crate) const CLASS: [usize; 16] = [0, 2, 0, 2, 2, 1, 2, 1, 0, 2, 0, 2, 2, 1, 2, 1];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_goes_along_diagonals() {
        let diagonal = |k: usize| PLACE[k] / 4 + PLACE[k] % 4;
        for k in 0..16 {
            assert_eq!(INDEX[PLACE[k]], k);
            if k < 15 {
                assert!(diagonal(k) <= diagonal(k + 1) && diagonal(k + 1) <= diagonal(k) + 1);
            }
            let (y, x) = (PLACE[k] / 4, PLACE[k] % 4);
            let class = if (y | x) & 1 == 0 { 0 } else { 2 - (y & x & 1) };
            assert_eq!(CLASS[PLACE[k]], class);
        }
    }
}
