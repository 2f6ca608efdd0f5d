//! Elements of stages that stay in memory, in loops that do not run in every iteration or are left early.

// The loop that reads the ring runs from the fifth iteration on.
//@ value | reject
mod ring_under_a_loop_that_runs_late {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u32; 10]) -> u32 {
        let v = Block::external(v, [10]);
        #[store_at(root)]
        #[compute_at('row)]
        let s = stage::<u32>(|[i]| v[[i]] ^ 5);
        let mut r: u32 = 0;
        'row: for y in 1..9 {
            for _ in 5..=y {
                r = r.wrapping_mul(3).wrapping_add(s[[y]]).wrapping_add(s[[y - 1]]);
            }
        }
        r
    }

    pub fn run() -> u32 {
        kernel(&[1, 9, 4, 7, 3, 8, 2, 6, 5, 0])
    }

    pub fn want() -> u32 {
        let v = [1_u32, 9, 4, 7, 3, 8, 2, 6, 5, 0];
        let s = |i: usize| v[i] ^ 5;
        let mut r: u32 = 0;
        for y in 1..9 {
            for _ in 5..=y {
                r = r.wrapping_mul(3).wrapping_add(s(y)).wrapping_add(s(y - 1));
            }
        }
        r
    }
}

// It runs in some iterations, and not in those between.
//@ value | reject
mod ring_under_a_loop_that_runs_at_times {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(20)] v: &[u32], #[shape(20)] counts: &[usize]) -> u32 {
        #[store_at(root)]
        #[compute_at('row)]
        let s = stage::<u32>(|[i]| v[[i]] ^ 5);
        let mut r: u32 = 0;
        'row: for y in 2..19 {
            let n = counts[[y]];
            for x in y..n {
                r = r.wrapping_mul(3).wrapping_add(s[[y]]).wrapping_add(s[[y - 2]]).wrapping_add(x as u32);
            }
        }
        r
    }

    fn inputs() -> ([u32; 20], [usize; 20]) {
        (
            std::array::from_fn(|i| (i * i * 7) as u32),
            [0, 0, 9, 9, 2, 2, 9, 2, 9, 10, 11, 0, 0, 0, 16, 17, 3, 30, 19, 0],
        )
    }

    pub fn run() -> u32 {
        let (v, counts) = inputs();
        kernel(&v, &counts)
    }

    pub fn want() -> u32 {
        let (v, counts) = inputs();
        let s = |i: usize| v[i] ^ 5;
        let mut r: u32 = 0;
        for y in 2..19 {
            for x in y..counts[y] {
                r = r.wrapping_mul(3).wrapping_add(s(y)).wrapping_add(s(y - 2)).wrapping_add(x as u32);
            }
        }
        r
    }
}

// A stage in a ring reads another one in a ring.
//@ value | reject
mod rings_that_read_rings_late {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u32; 20], m: usize) -> u32 {
        let v = Block::external(v, [20]).boundary(Clamp);
        #[store_at(root)]
        #[compute_at('row)]
        let s = stage::<u32>(|[i]| v[[i]] ^ 5);
        #[store_at(root)]
        #[compute_at('row)]
        let t = stage::<u32>(|[i]| s[[i - 1]].wrapping_mul(3) ^ s[[i + 1]]);
        let mut r: u32 = 0;
        'row: for y in 1..19 {
            for _ in m..y {
                r = r.wrapping_mul(3).wrapping_add(t[[y / 2]]).wrapping_add(t[[y / 2 - 1]]);
            }
        }
        r
    }

    pub fn run() -> u32 {
        let v = std::array::from_fn(|i| (i * i * 7) as u32);
        (0..20).fold(0, |sum: u32, m| sum.wrapping_mul(7).wrapping_add(kernel(&v, m)))
    }

    pub fn want() -> u32 {
        let v: [u32; 20] = std::array::from_fn(|i| (i * i * 7) as u32);
        let s = |i: i32| v[i.clamp(0, 19) as usize] ^ 5;
        let t = |i: i32| s(i - 1).wrapping_mul(3) ^ s(i + 1);
        (0..20).fold(0, |sum: u32, m| {
            let mut r: u32 = 0;
            for y in 1..19 {
                for _ in m..y {
                    r = r.wrapping_mul(3).wrapping_add(t(y / 2)).wrapping_add(t(y / 2 - 1));
                }
            }
            sum.wrapping_mul(7).wrapping_add(r)
        })
    }
}

// The inner loop is left before it has computed all columns of a row that the next one keeps.
//@ value | reject
mod ring_over_a_loop_that_is_left {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(8, 8)] v: &[u32], #[shape(8)] ends: &[usize]) -> u32 {
        #[store_at(root)]
        #[compute_at('column)]
        let s = stage::<u32>(|[y, x]| v[[y, x]] ^ 5);
        let mut r: u32 = 0;
        for y in 1..8 {
            'column: for x in 1..8 {
                if x > ends[[y]] {
                    break;
                }
                r = r
                    .wrapping_mul(3)
                    .wrapping_add(s[[y, x]])
                    .wrapping_add(s[[y - 1, x]])
                    .wrapping_add(s[[y, x - 1]]);
            }
        }
        r
    }

    fn inputs() -> (Vec<u32>, [usize; 8]) {
        ((0..64).map(|i| i * i * 7).collect(), [0, 2, 7, 0, 5, 1, 3, 6])
    }

    pub fn run() -> u32 {
        let (v, ends) = inputs();
        kernel(&v, &ends)
    }

    pub fn want() -> u32 {
        let (v, ends) = inputs();
        let s = |y: usize, x: usize| v[8 * y + x] ^ 5;
        let mut r: u32 = 0;
        for y in 1..8 {
            for x in 1..8 {
                if x > ends[y] {
                    break;
                }
                r = r
                    .wrapping_mul(3)
                    .wrapping_add(s(y, x))
                    .wrapping_add(s(y - 1, x))
                    .wrapping_add(s(y, x - 1));
            }
        }
        r
    }
}

// An iteration of the loop that moves the ring is skipped.
//@ value | reject
mod ring_over_iterations_that_are_skipped {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(8, 8)] v: &[u32], #[shape(8)] ends: &[usize]) -> u32 {
        #[store_at(root)]
        #[compute_at('column)]
        let s = stage::<u32>(|[y, x]| v[[y, x]] ^ 5);
        let mut r: u32 = 0;
        for y in 1..8 {
            if ends[[y]] == 0 {
                continue;
            }
            'column: for x in 1..8 {
                r = r.wrapping_mul(3).wrapping_add(s[[y, x]]).wrapping_add(s[[y - 1, x]]);
            }
        }
        r
    }

    fn inputs() -> (Vec<u32>, [usize; 8]) {
        ((0..64).map(|i| i * i * 7).collect(), [0, 2, 7, 0, 5, 0, 3, 6])
    }

    pub fn run() -> u32 {
        let (v, ends) = inputs();
        kernel(&v, &ends)
    }

    pub fn want() -> u32 {
        let (v, ends) = inputs();
        let s = |y: usize, x: usize| v[8 * y + x] ^ 5;
        let mut r: u32 = 0;
        for y in 1..8 {
            if ends[y] == 0 {
                continue;
            }
            for x in 1..8 {
                r = r.wrapping_mul(3).wrapping_add(s(y, x)).wrapping_add(s(y - 1, x));
            }
        }
        r
    }
}

// The inner loop is as long as the outer one says.
//@ value | reject
mod ring_over_a_triangle {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(8, 8)] v: &[u32], down: i32) -> u32 {
        #[store_at(root)]
        #[compute_at('column)]
        let s = stage::<u32>(|[y, x]| v[[y, x]] ^ 5);
        let mut r: u32 = 0;
        for y in 1..8 {
            'column: for x in 7 - y..8 {
                r = r.wrapping_mul(3).wrapping_add(s[[y, x]]).wrapping_add(s[[y - 1, x]]);
            }
        }
        r.wrapping_add(down as u32)
    }

    pub fn run() -> u32 {
        kernel(&(0..64).map(|i| i * i * 7).collect::<Vec<_>>(), 0)
    }

    pub fn want() -> u32 {
        let v = (0..64).map(|i| i * i * 7).collect::<Vec<u32>>();
        let s = |y: usize, x: usize| v[8 * y + x] ^ 5;
        let mut r: u32 = 0;
        for y in 1..8 {
            for x in 7 - y..8 {
                r = r.wrapping_mul(3).wrapping_add(s(y, x)).wrapping_add(s(y - 1, x));
            }
        }
        r
    }
}
