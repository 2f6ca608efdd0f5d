//! Loops under `#[fuse(lag = n)]` of which one is empty, reversed, or far from the other.

//@ value
mod lag_beside_empty_loop {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(n)] o: &mut [u8], #[shape(n)] p: &mut [u8], n: usize, h: usize) {
        #[fuse(lag = 1)]
        for i in h..n {
            o[[i]] = 3;
        }
        for j in n..h {
            p[[j]] = 5;
        }
    }

    pub fn run() -> u32 {
        let (mut o, mut p) = ([0; 9], [0; 9]);
        kernel(&mut o[..8], &mut p[..8], 8, 8);
        kernel(&mut o[..8], &mut p[..8], 8, 5);
        o.iter().zip(&p).fold(0, |sum, (a, b)| sum * 3 + u32::from(*a) + u32::from(*b))
    }

    pub fn want() -> u32 {
        [0, 0, 0, 0, 0, 3, 3, 3, 0].iter().fold(0, |sum, a| sum * 3 + a)
    }
}

// The second loop runs beyond the memory, as in the source.
//@ panic
mod lag_over_a_loop_that_is_outside {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(n)] o: &mut [u8], #[shape(n)] p: &mut [u8], n: usize, h: usize) {
        #[fuse(lag = 1)]
        for i in h..n {
            o[[i]] = 3;
        }
        for j in n..h {
            p[[j]] = 5;
        }
    }

    pub fn run() -> u32 {
        let (mut o, mut p) = ([0; 16], [0; 16]);
        kernel(&mut o[..8], &mut p[..8], 8, 9);
        u32::from(p[8])
    }
}

//@ value
mod lag_over_reversed_ranges {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(t: &mut [u32; 12], a: usize, b: usize, d: usize) {
        let t = Block::external(t, [12]);
        #[fuse(lag = 2)]
        for i in a..b {
            t[[i]] += 1;
        }
        for j in a..d {
            t[[j]] *= 3;
        }
    }

    pub fn run() -> u32 {
        let mut t = [2; 12];
        for (a, b, d) in [(0, 12, 9), (9, 2, 12), (3, 3, 4), (5, 9, 1), (7, 12, 12), (0, 0, 0), (11, 0, 0)] {
            kernel(&mut t, a, b, d);
        }
        t.iter().fold(0_u32, |sum, own| sum.wrapping_mul(31).wrapping_add(*own))
    }

    pub fn want() -> u32 {
        let mut t = [2_u32; 12];
        for (a, b, d) in [(0, 12, 9), (9, 2, 12), (3, 3, 4), (5, 9, 1), (7, 12, 12), (0, 0, 0), (11, 0, 0)] {
            for i in a..b {
                t[i] += 1;
            }
            for j in a..d {
                t[j] *= 3;
            }
        }
        t.iter().fold(0_u32, |sum, own| sum.wrapping_mul(31).wrapping_add(*own))
    }
}

// The loop would run through the gap between the ranges.
//@ reject
mod lag_over_ranges_far_apart {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(a: u64, b: u64) -> u64 {
        let t = Block::stack::<u64>([1]);
        #[fuse(lag = 1)]
        for i in a..a + 2 {
            t[[0]] += i;
        }
        for j in b..b + 2 {
            t[[0]] += j;
        }
        t[[0]]
    }

    pub fn run() -> u64 {
        kernel(0, 1_000_000_000_000)
    }
}

//@ reject
mod lag_over_constant_ranges_far_apart {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel() -> u64 {
        let t = Block::stack::<u64>([1]);
        #[fuse(lag = 1)]
        for i in 0..2_u64 {
            t[[0]] += i;
        }
        for j in 1_000_000_000_000..1_000_000_000_002_u64 {
            t[[0]] += j;
        }
        t[[0]]
    }

    pub fn run() -> u64 {
        kernel()
    }
}
