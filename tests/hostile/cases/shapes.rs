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

// The list of extents is captured where the block is made.
//@ panic
mod list_that_changes {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8; 6]) -> u8 {
        let mut rows = [1usize, 2, 3];
        let v = Block::external(v, [3, |g| rows[g]]);
        rows[2] = 1000;
        let mut last = 0;
        for j in 0..rows[2] {
            last = v[[2, j]];
        }
        last
    }

    pub fn run() -> u8 {
        kernel(&[1; 6])
    }
}

// Two blocks of one list, which changes in between.
//@ panic
mod list_that_changes_between_blocks {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8; 6], w: &[u8; 6]) -> u8 {
        let mut rows = [1usize, 2, 3];
        let v = Block::external(v, [3, |g| rows[g]]);
        rows[0] = 100;
        let w = Block::external(w, [3, |g| rows[g]]);
        v[[0, 0]] + w[[0, 99]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 6], &[1; 6])
    }
}

// A list of the same name is another one.
//@ panic
mod list_of_the_same_name {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8; 6], w: &[u8; 3], rows: [usize; 3]) -> u8 {
        let v = Block::external(v, [3, |g| rows[g]]);
        let rows: [usize; 3] = [1, 1, 5];
        let w = Block::external(w, [3, |g| rows[g]]);
        v[[2, 2]] + w[[2, 4]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 6], &[1; 3], [1, 2, 3])
    }
}

// An index of no group, which the table does not have.
//@ panic
mod group_that_is_none {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8; 6], rows: [usize; 3], g: isize) -> u8 {
        let v = Block::external(v, [3, |g| rows[g]]);
        v[[g, 0]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 6], [1, 2, 3], 7)
    }
}

// A negative group, likewise.
//@ panic
mod group_before_the_first {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8; 6], rows: [usize; 3], g: isize) -> u8 {
        let v = Block::external(v, [3, |g| rows[g]]);
        v[[g, 0]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 6], [1, 2, 3], -1)
    }
}

// The sizes of groups whose sum overflows.
//@ panic
mod groups_that_overflow {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8; 6], rows: [usize; 2], columns: [usize; 2]) -> u8 {
        let v = Block::external(v, [2, |g| rows[g], |g| columns[g]]);
        v[[1, 0, 0]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 6], [1 << 40, 1 << 40], [1 << 40, 1 << 40])
    }
}

// An extent that is negative in one group and would make room for another.
//@ panic
mod negative_group {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8; 6], rows: [isize; 3]) -> u8 {
        let v = Block::external(v, [3, |g| rows[g]]);
        v[[1, 9]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 6], [1, 10, -6])
    }
}

// Starts that fall: a row would begin before the memory.
//@ panic
mod starts_that_fall {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8; 6], starts: &[isize]) -> u8 {
        let v = Block::external(v, [2, |i| starts[i]..starts[i + 1]]);
        v[[1, 0]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 6], &[0, -5, 6])
    }
}

// Starts that end behind the memory.
//@ panic
mod starts_that_end_late {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8; 6], starts: &[u16]) -> u8 {
        let v = Block::external(v, [2, |i| starts[i]..starts[i + 1]]);
        v[[1, 5]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 6], &[0, 2, 9])
    }
}

// Fewer starts than rows.
//@ panic
mod starts_of_fewer_rows {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8; 6], starts: &[u16], n: usize) -> u8 {
        let v = Block::external(v, [n, |i| starts[i]..starts[i + 1]]);
        v[[2, 0]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 6], &[0, 2, 6], 3)
    }
}

// Starts that do not fit.
//@ panic
mod starts_that_do_not_fit {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8; 6], starts: &[u64], n: usize) -> u8 {
        let v = Block::external(v, [n, |i| starts[i]..starts[i + 1]]);
        v[[1, 0]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 6], &[0, u64::MAX - 3, u64::MAX], 2)
    }
}

// The starts change while the block is used.
//@ reject
mod starts_that_change {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8; 6], starts: &mut [usize]) -> u8 {
        let v = Block::external(v, [2, |i| starts[i]..starts[i + 1]]);
        starts[1] = 1000;
        v[[0, 900]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 6], &mut [0, 2, 6])
    }
}

// Starts whose entries have another value each time.
//@ reject
mod starts_that_are_asked_twice {
    use core::cell::Cell;
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8; 6], starts: &[Cell<usize>]) -> u8 {
        let v = Block::external(v, [2, |i| starts[i]..starts[i + 1]]);
        starts[1].set(1000);
        v[[0, 900]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 6], &[Cell::new(0), Cell::new(2), Cell::new(6)])
    }
}

// A tree of too many levels.
//@ panic
mod levels_that_overflow {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8; 6], n: usize) -> u8 {
        let v = Block::external(v, [n, |l| 1 << l]);
        v[[n - 1, 0]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 6], 64) | kernel(&[1; 6], 70)
    }
}

// A row that the shape does not have.
//@ panic
mod row_behind_the_last {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8; 6], i: usize) -> u8 {
        let v = Block::external(v, [3, |i| i + 1]);
        let row = v[[i, ..]];
        let mut last = 0;
        for [j] in row.indices() {
            last = row[[j]];
        }
        last
    }

    pub fn run() -> u8 {
        kernel(&[1; 6], 3)
    }
}

// A row before the first of an upper triangle, which would be longer than all others.
//@ panic
mod row_before_the_first {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8; 6], i: isize) -> u8 {
        let v = Block::external(v, [3, |i| 3 - i]);
        let row = v[[i, ..]];
        row[[3]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 6], -1)
    }
}

// A range of rows that goes on behind the last.
//@ panic
mod rows_behind_the_last {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &mut [u8; 6], to: usize) -> u8 {
        let v = Block::external(v, [3, |i| i + 1]);
        let rows = v[[1..to, ..]];
        let [i, j] = iters();
        rows[[i, j]] = 1;
        v[[0, 0]]
    }

    pub fn run() -> u8 {
        kernel(&mut [0; 6], 5)
    }
}

// A triangle of a dense block that is smaller.
//@ panic
mod triangle_of_a_smaller_block {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8; 6], n: usize) -> u8 {
        let v = Block::external(v, [2, 3]);
        let lower = v.shaped([n, |i| i + 1]);
        let mut last = 0;
        for [i, j] in lower.indices() {
            last = lower[[i, j]];
        }
        last
    }

    pub fn run() -> u8 {
        kernel(&[1; 6], 3)
    }
}

// An element in the box, and not in the shape.
//@ panic
mod element_of_the_box {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8; 6]) -> u8 {
        let v = Block::external(v, [3, |i| 3 - i]).dense();
        let mut last = 0;
        for [i, j] in v.indices() {
            last = v[[i, j]];
        }
        last
    }

    pub fn run() -> u8 {
        kernel(&[1; 6])
    }
}

// Outside of all pieces.
//@ panic
mod outside_of_all_pieces {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(a: &[u8; 2], b: &[u8; 3]) -> u8 {
        let a = Block::external(a, [2]);
        let b = Block::external(b, [3]).at([2]);
        let whole = a.or(b);
        let mut last = 0;
        for i in 0..6 {
            last = whole[[i]];
        }
        last
    }

    pub fn run() -> u8 {
        kernel(&[1; 2], &[1; 3])
    }
}

// `contains` says that some piece has the element, not that the first one does.
//@ panic
mod contained_in_another_piece {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(a: &[u8; 2], b: &[u8; 3], i: usize) -> u8 {
        let a = Block::external(a, [2]);
        let b = Block::external(b, [3]).at([2]);
        let whole = a.or(b);
        if whole.contains([i]) { a[[i]] } else { 0 }
    }

    pub fn run() -> u8 {
        kernel(&[1; 2], &[1; 3], 4)
    }
}

// A write reaches the first piece alone.
//@ panic
mod write_to_another_piece {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(a: &mut [u8; 2], b: &mut [u8; 3], i: usize) -> u8 {
        let a = Block::external(a, [2]);
        let b = Block::external(b, [3]).at([2]);
        let whole = a.or(b);
        whole[[i]] = 1;
        whole[[0]]
    }

    pub fn run() -> u8 {
        kernel(&mut [0; 2], &mut [0; 3], 3)
    }
}

// A list that fields of a located struct say, and that is shorter than the groups: Rust's own check of its index.
//@ other panic
mod list_of_fewer_groups {
    use shim::prelude::*;

    #[shim::located]
    pub struct Groups {
        rows: Vec<usize>,
        #[shape(3, |g| rows[g])]
        values: Vec<u8>,
    }

    #[shim::kernel]
    fn kernel(#[located] groups: &Groups) -> u8 {
        groups.values[[2, 0]]
    }

    pub fn run() -> u8 {
        kernel(&Groups { rows: vec![1, 2], values: vec![1; 6] })
    }
}
