//! Emulation prevention (7.3.1, 7.4.1): no three bytes of a NAL unit look like the beginning of a start code.

use shim::prelude::*;

/// Bytes before the payload that [`escape`] wants in its memory: those of the header, of which the last is not 0.
pub const BEFORE: usize = 2;

/// Copies bytes behind `at`, a template: `emulation_prevention_three_byte` goes before each that is at most 3 and stands
/// behind two zeros. Returns where they end.
#[shim::kernel]
fn escape_bytes(rbsp: impl Tensor<u8, 1>, nal: impl Tensor<u8, 1>, at: usize) -> usize {
    let mut end = at;
    for [i] in rbsp.indices() {
        let n = end;
        let emulated = nal[[n - 1]] | nal[[n - 2]] == 0 && rbsp[[i]] <= 3;
        nal[[n]] = 3;
        end += usize::from(emulated);
        let n = end;
        nal[[n]] = rbsp[[i]];
        end += 1;
    }
    end
}

/// Copies the first `length` bytes of `rbsp` to `nal` behind its first `at`, with `emulation_prevention_three_byte` where
/// it has to be, and returns where they end.
///
/// # Panics
///
/// When `rbsp` is shorter, `nal` shorter than `at` and twice the length, or `at` less than [`BEFORE`].
#[shim::kernel(simd)]
pub fn escape(rbsp: &[u8], length: usize, nal: &mut [u8], at: usize) -> usize {
    assert!(at >= BEFORE, "there is no header before the payload");
    let rbsp = Block::external(rbsp, [length]);
    let nal = Block::external(nal, [at + 2 * length]);
    // Hardly any part has two zeros, so each is tested as a whole. The bytes before the first are those of the header, which
    // does not end with 0.
    let parts = length / 32;
    let mut end = at;
    for part in 0..parts {
        let part = rbsp[[32 * part..32 * part + 32]];
        let n = end;
        // Of bytes behind zeros the two before are seen even if they stand in the part before; a first part is tested more
        // strictly than it has to be.
        let one = part.boundary(Fill(0));
        let emulated =
            one.indices().map(|[i]| u8::from(one[[i - 2]] | one[[i - 1]] == 0 && one[[i]] <= 3)).sum::<u8>();
        if emulated == 0 {
            for [i] in part.indices() {
                nal[[n + i]] = part[[i]];
            }
            end += 32;
        } else {
            end = escape_bytes(part, nal, n);
        }
    }
    escape_bytes(rbsp[[32 * parts..]], nal, end)
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
