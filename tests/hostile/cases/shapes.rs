//! Extents that depend on indices.

// The number is captured where the block is made.
//@ panic
mod number_that_changes {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8; 6]) -> u8 {
        let mut n = 3usize;
        let v = Block::external(v, [n, |i| i + 1]);
        n = 1000;
        v[[n - 1, n - 1]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 6])
    }
}

// So is one that the closure captures.
//@ panic
mod captured_number_that_changes {
    use core::cell::Cell;
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8; 6], n: usize, calls: &Cell<usize>) -> u8 {
        let k: usize = calls.get();
        let v = Block::external(v, [n, |i| i + k]);
        calls.set(1000);
        let k: usize = calls.get();
        v[[1, k]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 6], 2, &Cell::new(1))
    }
}

// The box around the shape is larger than its memory.
//@ panic
mod inside_the_box_alone {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8; 6]) -> u8 {
        let v = Block::external(v, [3, |i| 3 - i]);
        let mut last = 0;
        for i in 0..3 {
            for j in 0..3 {
                last = v[[i, j]];
            }
        }
        last
    }

    pub fn run() -> u8 {
        kernel(&[1; 6])
    }
}

// Two times the size overflows before it is halved.
//@ panic
mod closed_form_that_overflows {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[()], n: usize) -> usize {
        let v = Block::external(v, [n, |i| n - i]);
        let mut count = 0;
        for i in 0..4 {
            for j in 0..4 {
                let () = v[[i, j]];
                count += 1;
            }
        }
        count
    }

    pub fn run() -> usize {
        kernel(&[(); usize::MAX], usize::MAX / 3)
    }
}

// Factors make offsets large where the shape is small.
//@ panic
mod large_factors {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8; 4], n: usize) -> u8 {
        let v = Block::external(v, [n, |i| 4000000000000000000 * i + 1]);
        v[[1, 2]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 4], 3)
    }
}

// A name of the closure is one around it.
//@ panic | reject
mod name_of_the_closure {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8; 6], i: usize) -> u8 {
        let v = Block::external(v, [i, |i| i + 1]);
        v[[i - 1, i]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 6], 3)
    }
}

// The axes of a view would be in another order than those of the extents.
//@ reject
mod view_of_a_shape {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8; 6]) -> u8 {
        let v = Block::external(v, [3, |i| i + 1]);
        let w = v.permute([1, 0]);
        w[[2, 0]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 6])
    }
}

//@ panic
mod memory_of_another_length {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u8 {
        let v = Block::external(v, [n, |i| 2 * i + 1]);
        let mut last = 0;
        for [i, j] in v.indices() {
            last = v[[i, j]];
        }
        last
    }

    pub fn run() -> u8 {
        kernel(&[1; 8], 3)
    }
}
