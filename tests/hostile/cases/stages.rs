//! Stages in memory whose regions are hard to know.

// The reads are inside of the stage's block, what the stage reads is not.
//@ panic
mod region_outside_of_its_source {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8; 4], n: usize) -> u32 {
        let v = Block::external(v, [4]);
        #[compute_at(root)]
        let s = stage::<u32>(|[i]| u32::from(v[[i]]));
        let mut sum = 0;
        for i in 0..n {
            sum += s[[i]];
        }
        sum
    }

    pub fn run() -> u32 {
        kernel(&[1; 4], 9)
    }
}

//@ panic
mod region_that_overflows {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8; 4], a: isize, b: isize) -> u32 {
        let v = Block::external(v, [4]).boundary(Clamp).cast::<u32>();
        #[compute_at(root)]
        let s = stage::<u32>(|[i]| v[[i]]);
        let mut sum: u32 = 0;
        for i in a..b {
            sum = sum.wrapping_add(s[[i - 1]]);
        }
        sum
    }

    pub fn run() -> u32 {
        kernel(&[1; 4], isize::MIN, isize::MAX)
    }
}

// A loop that does not run needs no element.
//@ value
mod region_without_elements {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8; 4], n: usize, m: usize) -> u32 {
        let v = Block::external(v, [4]);
        #[compute_at(root)]
        let s = stage::<u32>(|[i]| u32::from(v[[i + 100]]));
        let mut sum = 0;
        for _ in 0..m {
            for i in 0..n {
                sum += s[[i]];
            }
        }
        sum
    }

    pub fn run() -> u32 {
        kernel(&[1; 4], 0, 3) + kernel(&[1; 4], 3, 0)
    }

    pub fn want() -> u32 {
        0
    }
}

// What the stage reads changes between two iterations, and in one.
//@ value | reject
mod source_that_is_written_in_between {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &mut [u32; 6]) -> u32 {
        let t = Block::external(v, [6]);
        #[compute_at('row)]
        let s = stage::<u32>(|[i]| t[[i]] + 1);
        let mut sum = 0;
        'row: for i in 0..5 {
            sum = sum * 3 + s[[i]];
            t[[i + 1]] = sum;
        }
        sum
    }

    pub fn run() -> u32 {
        kernel(&mut [1, 2, 3, 4, 5, 6])
    }

    pub fn want() -> u32 {
        let mut v = [1, 2, 3, 4, 5, 6];
        let mut sum = 0;
        for i in 0..5 {
            sum = sum * 3 + v[i] + 1;
            v[i + 1] = sum;
        }
        sum
    }
}

//@ reject
mod ring_over_what_is_written {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &mut [u32; 6]) -> u32 {
        let t = Block::external(v, [6]);
        #[store_at(root)]
        #[compute_at('row)]
        let s = stage::<u32>(|[i]| t[[i]] + 1);
        let mut sum = 0;
        'row: for i in 1..6 {
            sum += s[[i]] + s[[i - 1]];
            t[[i]] = 0;
        }
        sum
    }

    pub fn run() -> u32 {
        kernel(&mut [1; 6])
    }
}

// A local of another meaning under the name that the stage reads.
//@ value
mod name_that_means_something_else_at_the_read {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u32; 4]) -> u32 {
        let t = Block::external(v, [4]);
        let k = 10;
        #[compute_at('row)]
        let s = stage::<u32>(|[i]| t[[i]] + k);
        let u = stage::<u32>(|[i]| t[[i]] * k);
        let mut sum = 0;
        'row: for i in 0..4 {
            let k = 1;
            let t = 1000;
            sum += s[[i]] * k + u[[i]] + t;
        }
        sum
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4])
    }

    pub fn want() -> u32 {
        [1, 2, 3, 4].iter().map(|v| v + 10 + v * 10 + 1000).sum()
    }
}

// The indices of the iterations do not rise, or leave some out.
//@ value | reject
mod ring_with_gaps {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u32; 64]) -> u32 {
        let t = Block::external(v, [64]);
        #[store_at(root)]
        #[compute_at('row)]
        let s = stage::<u32>(|[i]| t[[i]]);
        let mut sum: u32 = 0;
        'row: for i in 0..7 {
            sum = sum * 3 + s[[9 * i]] + s[[9 * i + 4]];
        }
        sum
    }

    pub fn run() -> u32 {
        kernel(&core::array::from_fn(|i| i as u32))
    }

    pub fn want() -> u32 {
        (0..7).fold(0, |sum: u32, i| sum * 3 + 9 * i + 9 * i + 4)
    }
}

// The stage that is read by way of another one changes.
//@ reject
mod ring_over_what_another_stage_reads {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &mut [u32; 6]) -> u32 {
        let t = Block::external(v, [6]);
        #[compute_at('row)]
        let s = stage::<u32>(|[i]| t[[i]] + 1);
        #[store_at(root)]
        #[compute_at('row)]
        let r = stage::<u32>(|[i]| s[[i]] * 2);
        let mut sum = 0;
        'row: for i in 1..6 {
            sum += r[[i]] + r[[i - 1]];
            t[[i]] = 0;
        }
        sum
    }

    pub fn run() -> u32 {
        kernel(&mut [1; 6])
    }
}

// Elements that a condition keeps from being read are not computed: what they read is outside.
//@ value | reject
mod region_of_a_conditional_read {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8; 4], n: usize) -> u32 {
        let v = Block::external(v, [4]);
        #[compute_at(root)]
        let s = stage::<u32>(|[i]| u32::from(v[[i]]));
        let mut sum = 0;
        for i in 0..n {
            if i < 4 {
                sum += s[[i]];
            }
        }
        sum
    }

    pub fn run() -> u32 {
        kernel(&[1; 4], 9)
    }

    pub fn want() -> u32 {
        4
    }
}

// The nest of a stage is copied for tiles that are cut off, and the copy is put in lanes, which copy its body again.
//@ value
mod stage_in_lanes_of_a_peeled_tile {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(n, m)] a: &[i32], [n, m]: [usize; 2], #[shape(n, m)] o: &mut [i32]) {
        let a = a.boundary(Mirror);
        #[compute_at('tile)]
        #[lanes(4)]
        let s = stage::<i32>(|[y, x]| a[[y - 2, 2 * x + 2]]);
        #[tile([1, 8], 'tile, peel)]
        for [y, x] in o.indices() {
            o[[y, x]] = s[[y, x]] ^ s[[y, x - 1]];
        }
    }

    pub fn run() -> Vec<i32> {
        let a: Vec<i32> = (0..3 * 19).map(|i| i * 37 % 101).collect();
        let mut o = vec![0; a.len()];
        kernel(&a, [3, 19], &mut o);
        o
    }

    pub fn want() -> Vec<i32> {
        let mirror = |at: i32, extent: i32| {
            let folded = at.rem_euclid(2 * extent);
            folded.min(2 * extent - 1 - folded)
        };
        let a = |y: i32, x: i32| (mirror(y, 3) * 19 + mirror(x, 19)) * 37 % 101;
        let s = |y: i32, x: i32| a(y - 2, 2 * x + 2);
        (0..3 * 19).map(|at| (at / 19, at % 19)).map(|(y, x)| s(y, x) ^ s(y, x - 1)).collect()
    }
}
