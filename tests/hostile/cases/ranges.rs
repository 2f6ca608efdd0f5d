//! Loops over ranges whose ends do not fit `isize`, or wrap, in every position of an access.

//@ panic
mod backwards_from_the_greatest {
    #[shim::kernel]
    fn kernel(#[shape(4)] v: &mut [u32], n: usize) {
        for i in (0..n).rev() {
            v[[i]] = 0xdead;
            return;
        }
    }

    pub fn run() -> u32 {
        let mut a = [7; 8];
        kernel(&mut a[4..], usize::MAX);
        a[2]
    }
}

//@ value
mod an_early_exit_before_the_end {
    #[shim::kernel]
    fn kernel(#[shape(4)] v: &[u32], n: usize) -> u32 {
        let mut s = 0;
        for i in 0..n {
            if i == 4 {
                break;
            }
            s += v[[i]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4], usize::MAX)
    }

    pub fn want() -> u32 {
        10
    }
}

//@ panic
mod a_start_beyond_isize {
    #[shim::kernel]
    fn kernel(#[shape(4)] v: &[u32], a: usize, b: usize) -> u32 {
        let mut s = 0;
        for i in a..b {
            if s < 100 {
                s += v[[i]];
            }
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4], usize::MAX - 3, usize::MAX)
    }
}

//@ value | panic
mod an_empty_range_beyond_isize {
    #[shim::kernel]
    fn kernel(#[shape(4)] v: &[u32], a: usize, b: usize) -> u32 {
        let mut s = 3;
        for i in a..b {
            s += v[[i]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4], usize::MAX, usize::MAX) + kernel(&[1, 2, 3, 4], usize::MAX, 0)
    }

    pub fn want() -> u32 {
        6
    }
}

//@ panic
mod a_huge_step {
    #[shim::kernel]
    fn kernel(#[shape(4)] v: &[u32], n: usize) -> u32 {
        let mut s = 0;
        for i in (0..n).step_by(0x4000_0000_0000_0001) {
            if i > 0 {
                s += v[[i]];
            }
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4], usize::MAX)
    }
}

//@ panic
mod a_negative_number_as_usize {
    #[shim::kernel]
    fn kernel(#[shape(4)] v: &[u32], n: i32) -> u32 {
        for i in (0..n as usize).rev() {
            return v[[i]];
        }
        0
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4], -1)
    }
}

//@ panic
mod an_empty_slice_less_one {
    #[shim::kernel]
    fn kernel(w: &[u32], #[shape(4)] v: &[u32]) -> u32 {
        let end = w.len().wrapping_sub(1);
        for i in (0..end).rev() {
            return v[[i]];
        }
        0
    }

    pub fn run() -> u32 {
        kernel(&[], &[1, 2, 3, 4])
    }
}

//@ panic
mod wide_integers_are_not_truncated {
    #[shim::kernel]
    fn kernel(#[shape(4)] v: &[u32], a: u128, b: u128) -> u32 {
        for i in a..b {
            return v[[i]];
        }
        0
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4], (1 << 64) + 3, (1 << 64) + 4)
    }
}

//@ panic
mod wide_signed_integers_are_not_truncated {
    #[shim::kernel]
    fn kernel(#[shape(4)] v: &[u32], a: i128) -> u32 {
        for i in a..a + 2 {
            if i != 0 {
                return v[[i + 1]];
            }
        }
        0
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4], -(1 << 64))
    }
}

//@ panic | value
mod an_element_that_does_not_exist_is_not_found {
    #[shim::kernel]
    fn kernel(#[shape(4)] v: &[u32], a: usize, b: usize) -> u32 {
        let mut s = 0;
        for i in a..b {
            s += v.get([i + 2]).map_or(100, |x| x + 1);
            break;
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4], usize::MAX - 1, usize::MAX)
    }

    pub fn want() -> u32 {
        100
    }
}

//@ panic | value
mod clamping_a_large_index {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(4)] v: &[u32], a: usize, b: usize) -> u32 {
        let v = v.boundary(Clamp);
        let mut s = 0;
        for i in a..b {
            s += v[[i]];
            break;
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4], usize::MAX - 1, usize::MAX)
    }

    pub fn want() -> u32 {
        4
    }
}

//@ reject
mod characters_are_no_indices {
    #[shim::kernel]
    fn kernel(#[shape(200)] v: &[u32]) -> u32 {
        let mut s = 0;
        for c in 'a'..'z' {
            if s < 3 {
                s += v[[c]];
            }
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 200])
    }
}

//@ panic
mod behind_a_closure {
    #[shim::kernel]
    fn kernel(#[shape(4)] v: &[u32], n: usize) -> u32 {
        for i in (0..n).rev() {
            let at = |k: u32| k + v[[i]];
            return at(1);
        }
        0
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4], usize::MAX)
    }
}

//@ panic
mod in_a_template {
    use shim::prelude::*;

    #[shim::kernel]
    fn last(t: impl Tensor<u32, 1>, n: usize) -> u32 {
        let mut s = 0;
        for i in (0..n).rev() {
            s = t[[i]];
            if s > 0 {
                break;
            }
        }
        s
    }

    #[shim::kernel]
    fn kernel(#[shape(4)] v: &[u32], n: usize) -> u32 {
        last(v, n)
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4], usize::MAX)
    }
}

//@ panic
mod through_a_slice_of_a_view {
    #[shim::kernel]
    fn kernel(#[shape(4, 4)] v: &mut [u32], n: usize) {
        for y in (0..n).rev() {
            let row = v.slice(0, y);
            row[[1]] = 5;
            return;
        }
    }

    pub fn run() -> u32 {
        let mut a = [0; 32];
        kernel(&mut a[16..], usize::MAX);
        a[13]
    }
}

//@ panic
mod through_refine {
    #[shim::kernel]
    fn kernel(#[shape(8)] v: &mut [u32], n: usize) {
        let v = v.refine([2]);
        for i in (0..n).rev() {
            v[[i]] = 5;
            return;
        }
    }

    pub fn run() -> u32 {
        let mut a = [0; 16];
        kernel(&mut a[8..], usize::MAX);
        a[7]
    }
}

//@ panic
mod through_a_let {
    #[shim::kernel]
    fn kernel(#[shape(4)] v: &[u32], n: usize) -> u32 {
        for i in (3..n).rev() {
            let j = i - 2;
            if j > 1 {
                return v[[j]];
            }
        }
        0
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4], usize::MAX)
    }
}

//@ panic
mod a_remainder_of_a_large_index {
    #[shim::kernel]
    fn kernel(#[shape(3)] v: &mut [u32], n: u64) {
        for i in (0..n).rev() {
            v[[i % 3]] = 5;
            return;
        }
    }

    pub fn run() -> u32 {
        let mut a = [0; 6];
        kernel(&mut a[3..], u64::MAX);
        a[2]
    }
}

//@ panic
mod inclusive_to_the_greatest {
    #[shim::kernel]
    fn kernel(#[shape(4)] v: &[u32], n: u64) -> u32 {
        for i in (0..=n).rev() {
            return v[[i]];
        }
        0
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4], u64::MAX)
    }
}

//@ panic
mod the_end_is_converted_under_a_guard_alone {
    #[shim::kernel]
    fn kernel(#[shape(4, 4)] v: &mut [u32], n: usize, m: usize) {
        for y in (0..n).rev() {
            for x in 0..m {
                v[[y, x]] = 1;
            }
            v[[y, 0]] = 5;
            return;
        }
    }

    pub fn run() -> u32 {
        let mut a = [0; 32];
        kernel(&mut a[16..], usize::MAX, 0);
        a[12]
    }
}

//@ panic
mod an_inner_range_ends_at_a_large_outer_variable {
    #[shim::kernel]
    fn kernel(#[shape(4)] v: &mut [u32], a: usize, b: usize) {
        for y in a..b {
            for x in (0..y).rev() {
                v[[x]] = 5;
                return;
            }
        }
    }

    pub fn run() -> u32 {
        let mut a = [0; 8];
        kernel(&mut a[4..], usize::MAX - 2, usize::MAX);
        a[1]
    }
}

//@ panic
mod a_field_of_a_located_struct {
    #[shim::located]
    struct Table {
        n: usize,
        #[shape(n)]
        cells: Vec<u32>,
    }

    #[shim::kernel]
    fn kernel(#[located] table: &mut Table, from: usize) {
        for i in (0..from).rev() {
            table.cells[[i]] = 5;
            return;
        }
    }

    pub fn run() -> u32 {
        let mut table = Table { n: 4, cells: vec![0; 4] };
        kernel(&mut table, usize::MAX);
        table.cells[3]
    }
}

//@ value | panic
mod a_split_loop_over_an_empty_range {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(n)] v: &[u32], n: usize, a: usize, b: usize) -> u32 {
        let v = v.boundary(Clamp);
        let mut s = 0;
        for i in a..b {
            s += v[[i - 1]] + v[[i + 1]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4], 4, usize::MAX, 2) + kernel(&[1, 2, 3, 4], 4, 1, 3)
    }

    pub fn want() -> u32 {
        1 + 3 + 2 + 4
    }
}

//@ panic
mod an_inclusive_end_at_the_greatest {
    #[shim::kernel]
    fn kernel(#[shape(4)] v: &mut [u32], n: usize) {
        for i in (0..=n).rev() {
            v[[i]] = 0xdead;
            return;
        }
    }

    pub fn run() -> u32 {
        let mut a = [7; 8];
        kernel(&mut a[4..], usize::MAX);
        a[2]
    }
}

//@ value
mod inclusive_loops_at_both_ends_of_a_type {
    #[shim::kernel]
    fn kernel(#[shape(256)] v: &mut [u32], first: i8, last: i8) -> u32 {
        for i in first..=last {
            v[[i as isize + 128]] += 1;
        }
        for i in (first..=last).rev().step_by(3) {
            v[[i as isize + 128]] += 1;
        }
        let mut s = 0;
        for i in 0..=255u8 {
            s += v[[i]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&mut [0; 256], i8::MIN, i8::MAX) + kernel(&mut [0; 256], 5, 4)
    }

    pub fn want() -> u32 {
        256 + 86
    }
}

// The bound wraps: the compiler may not take it for a sum.
//@ panic
mod a_bound_that_wraps {
    #[shim::kernel]
    fn kernel(#[shape(8)] v: &[u32], n: usize) -> u32 {
        let mut s = 0;
        for i in 0..n.wrapping_sub(3) {
            s += v[[i]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 2)
    }
}

// `i + 3` is past `n`, and so past what is known of its type.
//@ value
mod a_triangle_in_a_small_type {
    #[shim::kernel]
    fn kernel(#[shape(300)] v: &[u32], n: u8) -> u32 {
        let mut s = 0;
        for i in 0..n {
            for j in i..i + 3 {
                s += v[[j]];
            }
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 300], 253)
    }

    pub fn want() -> u32 {
        3 * 253
    }
}

//@ value
mod words_over_triangles_of_any_size {
    #[shim::kernel]
    fn kernel(#[shape(n, n)] v: &mut [u32], n: usize) {
        #[tile([3, 5], peel)]
        #[reorder(j, i)]
        for i in 0..n {
            for j in i..=n - 1 {
                v[[i, j]] += 1;
            }
        }
        #[lanes(4)]
        for i in 0..n {
            for j in 0..i {
                v[[i, j]] += 1;
            }
        }
    }

    pub fn run() -> u32 {
        let mut s = 0;
        for n in 0..12 {
            let mut v = vec![0; n * n];
            kernel(&mut v, n);
            s += u32::from(v.iter().all(|count| *count == 1));
        }
        s
    }

    pub fn want() -> u32 {
        12
    }
}
