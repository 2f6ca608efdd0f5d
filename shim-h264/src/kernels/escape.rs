//! Emulation prevention (7.3.1, 7.4.1): no three bytes of a NAL unit look like the beginning of a start code.

use shim::prelude::*;

/// Bytes before the payload that [`escape`] wants in its memory: those of the header, of which the last is not 0.
pub const BEFORE: usize = 2;

/// Appends bytes, with `emulation_prevention_three_byte` before each that is at most 3 and follows two zeros; a
/// template.
#[shim::kernel]
fn escape_bytes(rbsp: impl Tensor<u8, 1>, nal: impl Tensor<u8, 1>) {
    for [i] in rbsp.indices() {
        let n = nal.len();
        nal.push_if(nal[[n - 1]] | nal[[n - 2]] == 0 && rbsp[[i]] <= 3, 3);
        nal.push(rbsp[[i]]);
    }
}

/// Copies the first `length` bytes of `rbsp` to `nal` behind its first `at`, with `emulation_prevention_three_byte`
/// where it has to be, and returns where they end.
///
/// # Panics
///
/// When `rbsp` is shorter, `nal` shorter than `at` and twice the length, or `at` less than [`BEFORE`].
#[shim::kernel(simd)]
pub fn escape(rbsp: &[u8], length: usize, nal: &mut [u8], at: usize) -> usize {
    assert!(at >= BEFORE, "there is no header before the payload");
    let rbsp = Block::external(rbsp, [length]);
    let nal = Block::external(nal, [at + 2 * length]).list_from(at);
    // Hardly any part has two zeros, so each is tested as a whole. The bytes before the first are those of the header,
    // which does not end with 0.
    let parts = length / 32;
    for part in 0..parts {
        let part = rbsp[[32 * part..32 * part + 32]];
        // Of bytes behind zeros the two before are seen even if they stand in the part before; a first part is tested
        // more strictly than it has to be.
        let one = part.boundary(Fill(0));
        let emulated =
            one.indices().map(|[i]| u8::from(one[[i - 2]] | one[[i - 1]] == 0 && one[[i]] <= 3)).sum::<u8>();
        if emulated == 0 {
            nal.extend((0..32).map(|i| part[[i]]));
        } else {
            escape_bytes(part, nal);
        }
    }
    escape_bytes(rbsp[[32 * parts..]], nal);
    nal.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As 7.3.1 has it, one byte after the other.
    fn plain(rbsp: &[u8]) -> Vec<u8> {
        let (mut nal, mut zeros) = (Vec::new(), 0);
        for &byte in rbsp {
            if zeros == 2 && byte <= 3 {
                nal.push(3);
                zeros = 0;
            }
            zeros = if byte == 0 { zeros + 1 } else { 0 };
            nal.push(byte);
        }
        nal
    }

    proptest::proptest! {
        #[test]
        fn three_bytes_never_look_like_a_start_code(rbsp in proptest::collection::vec(0_u8..6, 0..200), kind in 0..3) {
            let rbsp: Vec<u8> = rbsp
                .iter()
                .map(|&b| match kind {
                    0 => b,
                    1 => b.saturating_sub(4),
                    _ => if b == 0 { 0 } else { 99 },
                })
                .collect();
            let mut nal = vec![0xaa; 3 + 2 * rbsp.len()];
            let end = escape(&rbsp, rbsp.len(), &mut nal, 3);
            assert_eq!(nal[3..end], plain(&rbsp));
        }
    }

    #[test]
    fn zeros_are_seen_across_parts() {
        for zeros in 0..40 {
            for from in 0..70 {
                let mut rbsp = vec![7; 120];
                rbsp[from..from + zeros].fill(0);
                let mut nal = vec![1; 2 + 2 * rbsp.len()];
                let end = escape(&rbsp, rbsp.len(), &mut nal, 2);
                assert_eq!(nal[2..end], plain(&rbsp));
            }
        }
    }
}
