//! Loops that compute their points in another way than one by one.

// Places between those that are needed are computed only where no operation can overflow, and lie in the memory.
//@ value
mod tabulated_places_at_the_end_of_memory {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(17)] a: &[u8]) -> u32 {
        let out = Block::stack::<u8>([4]);
        let wide = out.cast::<u16>();
        let a = a.cast::<u16>();
        #[tabulate]
        for [i] in wide.indices() {
            wide[[i]] = (a[[5 * i]] + a[[5 * i + 1]]) >> 1;
        }
        out.indices().map(|[i]| u32::from(out[[i]])).sum::<u32>()
    }

    pub fn run() -> u32 {
        kernel(&[255; 17])
    }

    pub fn want() -> u32 {
        4 * 255
    }
}

//@ panic
mod tabulated_reads_of_short_memory {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(a: &[u8]) -> u32 {
        let a = Block::external(a, [64]);
        let out = Block::stack::<u8>([32]);
        #[tabulate]
        for [i] in out.indices() {
            out[[i]] = a[[2 * i]];
        }
        out.indices().map(|[i]| u32::from(out[[i]])).sum::<u32>()
    }

    pub fn run() -> u32 {
        kernel(&[1; 63])
    }
}

//@ value
mod tabulated_names_that_hide_one_another {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(8)] a: &[u32], table: u32, at: u32) -> u32 {
        let out = Block::stack::<u32>([2, 4]);
        let a_line = 5;
        #[tabulate]
        for [i, at_2] in out.indices() {
            out[[i, at_2]] = match i {
                0 => a[[at_2]] + table + a_line,
                z if z > 5 => 0,
                z => a[[z + at_2]] * at + z as u32,
            };
        }
        let mut s = 0_u32;
        for [i, j] in out.indices() {
            s = s.wrapping_mul(31).wrapping_add(out[[i, j]]);
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8], 100, 1000)
    }

    pub fn want() -> u32 {
        let all = [106, 107, 108, 109, 2001, 3001, 4001, 5001];
        all.into_iter().fold(0_u32, |s, v| s.wrapping_mul(31).wrapping_add(v))
    }
}
