//! Programs on sequences, as their authors would write them first.

use shim::prelude::*;

/// A Fourier transform of radix 2 in place, of `1 << bits` numbers in reversed order of their bits.
#[shim::kernel]
pub(crate) fn transform(
    #[shape(1 << bits)] re: &mut [f32],
    #[shape(1 << bits)] im: &mut [f32],
    bits: u32,
    #[shape(1 << bits)] cos: &[f32],
    #[shape(1 << bits)] sin: &[f32],
) {
    let n = 1usize << bits;
    for i in 0..n {
        let j = if bits == 0 { 0 } else { (i as u32).reverse_bits() as usize >> (32 - bits) };
        if i < j {
            (re[[i]], re[[j]]) = (re[[j]], re[[i]]);
            im.swap(i, j);
        }
    }
    let mut half = 1;
    while half < n {
        let step = n / (2 * half);
        for block in 0..step {
            for k in 0..half {
                let (i, j) = (2 * half * block + k, 2 * half * block + k + half);
                let (c, s) = (cos[[k * step]], sin[[k * step]]);
                let (a, b) = (re[[j]] * c - im[[j]] * s, re[[j]] * s + im[[j]] * c);
                (re[[j]], im[[j]]) = (re[[i]] - a, im[[i]] - b);
                (re[[i]], im[[i]]) = (re[[i]] + a, im[[i]] + b);
            }
        }
        half *= 2;
    }
}

/// The sums of all before and of each element.
#[shim::kernel]
pub(crate) fn prefix_sums(#[shape(n)] values: &[u32], #[shape(n)] out: &mut [u32], n: usize) {
    let mut sum = 0;
    for i in 0..n {
        sum += values[[i]];
        out[[i]] = sum;
    }
}

/// The scores of Smith and Waterman, in fronts.
#[shim::kernel]
pub(crate) fn align(
    #[shape(h)] a: &[u8],
    #[shape(w)] b: &[u8],
    [h, w]: [usize; 2],
    #[shape(h + 1, w + 1)] best: &mut [i32],
) -> i32 {
    best.fill(0);
    #[wavefront(y + x)]
    for y in 1..=h {
        for x in 1..=w {
            let matched = if a[[y - 1]] == b[[x - 1]] { 2 } else { -1 };
            best[[y, x]] =
                (best[[y - 1, x - 1]] + matched).max(best[[y - 1, x]] - 1).max(best[[y, x - 1]] - 1).max(0);
        }
    }
    best.indices().map(|[y, x]| best[[y, x]]).max().unwrap_or(0)
}

pub(crate) const ROUNDS: [u32; 64] = [
    0x428a_2f98,
    0x7137_4491,
    0xb5c0_fbcf,
    0xe9b5_dba5,
    0x3956_c25b,
    0x59f1_11f1,
    0x923f_82a4,
    0xab1c_5ed5,
    0xd807_aa98,
    0x1283_5b01,
    0x2431_85be,
    0x550c_7dc3,
    0x72be_5d74,
    0x80de_b1fe,
    0x9bdc_06a7,
    0xc19b_f174,
    0xe49b_69c1,
    0xefbe_4786,
    0x0fc1_9dc6,
    0x240c_a1cc,
    0x2de9_2c6f,
    0x4a74_84aa,
    0x5cb0_a9dc,
    0x76f9_88da,
    0x983e_5152,
    0xa831_c66d,
    0xb003_27c8,
    0xbf59_7fc7,
    0xc6e0_0bf3,
    0xd5a7_9147,
    0x06ca_6351,
    0x1429_2967,
    0x27b7_0a85,
    0x2e1b_2138,
    0x4d2c_6dfc,
    0x5338_0d13,
    0x650a_7354,
    0x766a_0abb,
    0x81c2_c92e,
    0x9272_2c85,
    0xa2bf_e8a1,
    0xa81a_664b,
    0xc24b_8b70,
    0xc76c_51a3,
    0xd192_e819,
    0xd699_0624,
    0xf40e_3585,
    0x106a_a070,
    0x19a4_c116,
    0x1e37_6c08,
    0x2748_774c,
    0x34b0_bcb5,
    0x391c_0cb3,
    0x4ed8_aa4a,
    0x5b9c_ca4f,
    0x682e_6ff3,
    0x748f_82ee,
    0x78a5_636f,
    0x84c8_7814,
    0x8cc7_0208,
    0x90be_fffa,
    0xa450_6ceb,
    0xbef9_a3f7,
    0xc671_78f2,
];

/// SHA-256 of one padded block of 64 bytes.
#[shim::kernel]
pub(crate) fn digest(message: &[u8; 64], state: &mut [u32; 8]) {
    let bytes = Block::external(message, [16, 4]);
    let state = Block::external(state, [8]);
    let words = Block::stack::<u32>([64]);
    for i in 0..16 {
        words[[i]] = u32::from_be_bytes([bytes[[i, 0]], bytes[[i, 1]], bytes[[i, 2]], bytes[[i, 3]]]);
    }
    for i in 16..64 {
        let (before, last) = (words[[i - 15]], words[[i - 2]]);
        let first = before.rotate_right(7) ^ before.rotate_right(18) ^ before >> 3;
        let second = last.rotate_right(17) ^ last.rotate_right(19) ^ last >> 10;
        words[[i]] = words[[i - 16]].wrapping_add(first).wrapping_add(words[[i - 7]]).wrapping_add(second);
    }
    let (mut a, mut b, mut c, mut d) = (state[[0]], state[[1]], state[[2]], state[[3]]);
    let (mut e, mut f, mut g, mut h) = (state[[4]], state[[5]], state[[6]], state[[7]]);
    for i in 0..64 {
        let one = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let choice = e & f ^ !e & g;
        let own = h.wrapping_add(one).wrapping_add(choice).wrapping_add(ROUNDS[i]).wrapping_add(words[[i]]);
        let two = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let majority = a & b ^ a & c ^ b & c;
        (h, g, f, e) = (g, f, e, d.wrapping_add(own));
        (d, c, b, a) = (c, b, a, own.wrapping_add(two.wrapping_add(majority)));
    }
    let [i] = iters();
    let own = [a, b, c, d, e, f, g, h];
    state[[i]] = state[[i]].wrapping_add(own[i]);
}

/// Eight channels mixed, each through a biquadratic filter.
#[shim::kernel]
pub(crate) fn mix(
    #[shape(n, 8)] samples: &[f32],
    #[shape(8, 5)] filters: &[f32],
    #[shape(8, 2)] memory: &mut [f32],
    gains: &[f32; 8],
    #[shape(n)] out: &mut [f32],
    n: usize,
) {
    for t in 0..n {
        let mut sum = 0.0;
        for c in 0..8 {
            let x = samples[[t, c]];
            let y = filters[[c, 0]] * x + memory[[c, 0]];
            memory[[c, 0]] = filters[[c, 1]] * x - filters[[c, 3]] * y + memory[[c, 1]];
            memory[[c, 1]] = filters[[c, 2]] * x - filters[[c, 4]] * y;
            sum += gains[c] * y;
        }
        out[[t]] = sum;
    }
}
