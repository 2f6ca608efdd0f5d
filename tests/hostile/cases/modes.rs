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

// A guarded statement runs only where its condition holds, although lanes read and write its elements in any case.
//@ value
mod lanes_compute_under_their_conditions {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(n)] a: &[u8], n: usize, table: &[u8; 4], #[shape(n)] out: &mut [u8]) {
        let table = Block::external(table, [4]);
        #[lanes(4)]
        for [i] in out.indices() {
            let v = a[[i]];
            if v != 0 {
                out[[i]] = 100 / v;
            } else if i > 4 {
                out[[i]] -= 1;
            }
            if v < 4 {
                out[[i]] += table[[v as usize]];
            }
        }
    }

    pub fn run() -> u32 {
        let mut out = [0, 0, 0, 0, 0, 1, 2, 3, 4];
        kernel(&[0, 1, 200, 3, 0, 50, 0, 0, 0], 9, &[1, 2, 3, 4], &mut out);
        out.iter().fold(0, |sum, byte| 3 * sum + u32::from(*byte))
    }

    pub fn want() -> u32 {
        [1, 102, 0, 37, 1, 2, 2, 3, 4].iter().fold(0, |sum, byte| 3 * sum + byte)
    }
}

//@ panic
mod lanes_with_an_index_outside {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(n)] a: &[usize], n: usize, #[shape(n)] out: &mut [u8]) {
        #[lanes(8)]
        for [i] in out.indices() {
            out[[i]] = a[[a[[i]]]] as u8;
        }
    }

    pub fn run() -> u32 {
        let mut out = [0; 16];
        kernel(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 16, 12, 13, 14, 15], 16, &mut out);
        out.len() as u32
    }
}

//@ value
mod lanes_and_tasks_beside_names_of_the_same_text {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(n)] a: &[u32], n: usize, #[shape(n)] t: &mut [u32], t_held: u32, t_shared: u32) -> u32 {
        let (t_lanes, t_held_2, i_lane, i_group) = (1, 2, 3, 4);
        #[lanes(2)]
        for [i] in t.indices() {
            if a[[i]] > 1 {
                t[[i]] = t_held + t_lanes + t_held_2 + i_lane + i_group;
            }
        }
        let (mut all, mut place): (u32, u32) = (0, 7);
        let (all_total, t_mem) = (5, 6);
        #[parallel]
        for [i] in t.indices() {
            t[[i]] += t_shared + all_total + t_mem;
            all += t[[i]];
            place |= a[[i]];
        }
        all * 10 + place
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 0], 5, &mut [1; 5], 10, 20)
    }

    pub fn want() -> u32 {
        (2 + 3 * 20 + 5 * 31) * 10 + 7
    }
}

// Elements of one memory under other extents.
//@ value
mod lanes_of_reshaped_memory {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(t: &mut [u32; 16]) -> u32 {
        let t = Block::external(t, [16]);
        let u = t.reshape([4, 4]);
        #[lanes(4)]
        for i in 0..4 {
            u[[i, 0]] = u[[i, 1]] + 1;
            if u[[i, 0]] > 3 {
                u[[i, 2]] = u[[i, 0]] + u[[i, 3]];
            }
        }
        t.indices().map(|[i]| t[[i]] * i as u32).sum::<u32>()
    }

    pub fn run() -> u32 {
        let mut t: [u32; 16] = core::array::from_fn(|i| i as u32);
        kernel(&mut t)
    }

    pub fn want() -> u32 {
        let mut t: [u32; 16] = core::array::from_fn(|i| i as u32);
        for i in 0..4 {
            t[4 * i] = t[4 * i + 1] + 1;
            if t[4 * i] > 3 {
                t[4 * i + 2] = t[4 * i] + t[4 * i + 3];
            }
        }
        (0..16).map(|i| t[i] * i as u32).sum()
    }
}

//@ other panic
mod a_task_that_panics {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(n)] a: &[usize], n: usize, #[shape(n)] out: &mut [u32]) -> u32 {
        let mut sum: u32 = 0;
        #[parallel]
        for [i] in out.indices() {
            out[[i]] = 12 / a[[i]] as u32;
            sum += out[[i]];
        }
        sum
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 0, 4], 5, &mut [0; 5])
    }
}
