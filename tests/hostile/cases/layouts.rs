//! Orders of memory and tensors of other extents, whose offsets are not sums of multiples of the indices.

//@ panic
mod reshape_to_more_elements {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(n)] v: &mut [u32], n: usize, rows: usize, columns: usize) -> u32 {
        let t = v.reshape([rows, columns]);
        let mut s = 0;
        for [y, x] in t.indices() {
            t[[y, x]] += 1;
            s += t[[y, x]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&mut [1; 12], 12, 4, 4)
    }
}

// The product of the extents is 12 modulo 2^64.
//@ panic
mod reshape_to_extents_whose_product_wraps {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(n)] v: &mut [u32], n: usize, rows: usize, columns: usize) -> u32 {
        let t = v.reshape([rows, columns, 4]);
        t[[1 << 40, 1, 1]]
    }

    pub fn run() -> u32 {
        kernel(&mut [1; 12], 12, (1 << 62) + 3, 1)
    }
}

//@ panic
mod reshape_to_negative_extents {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(n)] v: &mut [u32], n: usize, rows: isize) -> u32 {
        let t = v.reshape([rows, rows]);
        t[[0, 0]]
    }

    pub fn run() -> u32 {
        kernel(&mut [1; 16], 16, -4)
    }
}

//@ panic
mod reshaped_extent_that_changes_later {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(n)] v: &mut [u32], n: usize) -> u32 {
        let mut rows = 3;
        let t = v.reshape([rows, 4]);
        rows += 5;
        t[[rows - 1, 0]]
    }

    pub fn run() -> u32 {
        kernel(&mut [1; 12], 12)
    }
}

//@ value
mod writes_through_both_extents {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(3, 4)] v: &mut [u32]) -> u32 {
        let list = v.reshape([12]);
        let mut s = 0_u32;
        for [i] in list.indices() {
            list[[i]] = 7 * i as u32;
            v[[2, 3]] += 1;
            s = s.wrapping_mul(31).wrapping_add(list[[11]]);
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&mut [0; 12])
    }

    pub fn want() -> u32 {
        let (mut v, mut s) = ([0_u32; 12], 0_u32);
        for i in 0..12 {
            v[i] = 7 * i as u32;
            v[11] += 1;
            s = s.wrapping_mul(31).wrapping_add(v[11]);
        }
        s
    }
}

//@ panic
mod curve_in_short_memory {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u32], h: usize, w: usize) -> u32 {
        let t = Block::external(v, [h, w]).stored(tile([8, 8]).inner(hilbert));
        t[[h as isize - 1, w as isize - 1]]
    }

    pub fn run() -> u32 {
        kernel(&[1; 63], 5, 5)
    }
}

//@ panic
mod table_of_a_tile_that_wraps {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u32], h: usize) -> u32 {
        let t = Block::external(v, [h, 4]).stored(tile([2, 2]).inner(by(|[y, x]| 3 - 2 * y - x)));
        t[[1 << 40, 1]]
    }

    pub fn run() -> u32 {
        kernel(&[1; 16], (1 << 62) + 2)
    }
}

//@ panic
mod layout_by_name_in_short_memory {
    use shim::prelude::*;

    #[shim::layout]
    fn squares(n: usize) -> Order {
        tile([n, n]).inner(by(move |[y, x]| (n * y + x + 1) % (n * n)))
    }

    #[shim::kernel]
    fn kernel(v: &[u32], h: usize, w: usize) -> u32 {
        #[staged]
        use self::squares;
        let t = Block::external(v, [h, w]).stored(squares(4));
        let mut s = 0;
        for [y, x] in t.indices() {
            s += t[[y, x]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 31], 5, 4)
    }
}

//@ value
mod rolled_orders_of_their_points {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &mut [u32], n: usize) -> u32 {
        let t = Block::external(v, [8 * n, 8]).stored(tile([8, 8]).inner(hilbert));
        #[order(tile([8, 8]).outer(row_major.reversed()).inner(by(|[y, x]| 63 - 8 * x - y)))]
        for [y, x] in t.indices() {
            t[[y, x]] = (8 * y + x) as u32;
        }
        let mut s = 0u32;
        for [y, x] in t.indices() {
            s = s.wrapping_mul(31).wrapping_add(t[[y, x]]);
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&mut [0; 128], 2)
    }

    pub fn want() -> u32 {
        (0..128).fold(0_u32, |s, v| s.wrapping_mul(31).wrapping_add(v))
    }
}
