//! A stage in memory computes elements that nobody reads, and must not panic for these.

// The product of the indices overflows for an element in a corner that is not read.
//@ value | reject
mod product_of_indices {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(n: usize) -> i64 {
        #[compute_at(root)]
        let s = stage::<i64>(|[y, x]| (y as i16 * x as i16) as i64);
        let mut sum = 0;
        for i in 0..n {
            sum += s[[i + 300, 1]] + s[[1, i + 300]] * 0;
        }
        sum
    }

    pub fn run() -> i64 {
        kernel(2)
    }

    pub fn want() -> i64 {
        601
    }
}

//@ value | reject
mod large_multiple_of_an_index {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(n: i32) -> i64 {
        #[compute_at(root)]
        let s = stage::<i64>(|[y]| i64::from(y * 1_000_000));
        let mut sum = 0;
        for i in 0..n {
            if i < 3 {
                sum += s[[i]];
            }
        }
        sum
    }

    pub fn run() -> i64 {
        kernel(5000)
    }

    pub fn want() -> i64 {
        3_000_000
    }
}

//@ value | reject
mod place_in_an_array {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(q: &[(i32, i32); 4], n: usize) -> i32 {
        #[compute_at(root)]
        let s = stage::<i32>(|[i]| q[i as usize].0);
        let mut sum = 0;
        for i in 0..n {
            if i < 4 {
                sum += s[[i]];
            }
        }
        sum
    }

    pub fn run() -> i32 {
        kernel(&[(1, 0), (2, 0), (3, 0), (4, 0)], 9)
    }

    pub fn want() -> i32 {
        10
    }
}

//@ value | reject
mod place_that_is_assigned {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[i32; 16], n: usize) -> i32 {
        let v = Block::external(v, [16]);
        #[compute_at(root)]
        let s = stage::<i32>(|[i]| {
            let mut q = [(0, 0); 4];
            q[i as usize].0 = v[[i]];
            q[0].0 | q[1].0 | q[2].0 | q[3].0
        });
        let mut sum = 0;
        for i in 0..n {
            if i < 4 {
                sum += s[[i]];
            }
        }
        sum
    }

    pub fn run() -> i32 {
        kernel(&[1; 16], 9)
    }

    pub fn want() -> i32 {
        4
    }
}

//@ value | reject
mod macro_as_a_statement {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[i32; 16], n: usize) -> i32 {
        let v = Block::external(v, [16]);
        #[compute_at(root)]
        let s = stage::<i32>(|[i]| {
            assert!(i < 4, "beyond");
            v[[i]]
        });
        let mut sum = 0;
        for i in 0..n {
            if i < 4 {
                sum += s[[i]];
            }
        }
        sum
    }

    pub fn run() -> i32 {
        kernel(&[1; 16], 9)
    }

    pub fn want() -> i32 {
        4
    }
}

//@ value | reject
mod macro_in_a_branch {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[i32; 16], n: usize) -> i32 {
        let v = Block::external(v, [16]);
        #[compute_at(root)]
        let s = stage::<i32>(|[i]| {
            if v[[i]] > 4 {
                unreachable!();
            }
            v[[i]]
        });
        let mut sum = 0;
        for i in 0..n {
            if v[[i]] < 4 {
                sum += s[[i]];
            }
        }
        sum
    }

    pub fn run() -> i32 {
        let mut v = [1; 16];
        v[3] = 9;
        kernel(&v, 9)
    }

    pub fn want() -> i32 {
        8
    }
}

//@ value | reject
mod predicate_that_panics {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[i32; 16], n: usize) -> i32 {
        let v = Block::external(v, [16]);
        let near = v.within(|[i]| 100 / (i - 7) < 1000).boundary(Fill(0));
        #[compute_at(root)]
        let s = stage::<i32>(|[i]| near[[i]]);
        let mut sum = 0;
        for i in 0..n {
            if i < 4 {
                sum += s[[i]];
            }
        }
        sum
    }

    pub fn run() -> i32 {
        kernel(&[1; 16], 9)
    }

    pub fn want() -> i32 {
        4
    }
}

//@ value | reject
mod rule_of_an_empty_tensor {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(m)] v: &[i32], m: usize, n: usize) -> i32 {
        let v = v.boundary(Clamp);
        #[compute_at(root)]
        let s = stage::<i32>(|[i]| v[[i]]);
        let mut sum = 0;
        for i in 0..n {
            if m > 0 {
                sum += s[[i]];
            }
        }
        sum + 1
    }

    pub fn run() -> i32 {
        kernel(&[], 0, 9) + kernel(&[5], 1, 2)
    }

    pub fn want() -> i32 {
        1 + 11
    }
}

//@ value | reject
mod rule_of_a_tensor_that_is_empty_where_nothing_is_read {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(m)] v: &[i32], m: usize, n: usize, flag: bool) -> i32 {
        let v = v.boundary(Mirror);
        #[compute_at(root)]
        let s = stage::<i32>(|[i]| v[[i - 1]] ^ v[[i + 1]]);
        let mut sum = 0;
        for i in 0..n {
            if flag {
                sum += s[[i]];
            }
        }
        sum + 1
    }

    pub fn run() -> i32 {
        kernel(&[], 0, 9, false)
    }

    pub fn want() -> i32 {
        1
    }
}

//@ value | reject
mod rule_of_the_user_s {
    use shim::prelude::*;

    fn rule(at: isize, extent: isize) -> isize {
        assert!(at < 20);
        at % extent
    }

    #[shim::kernel]
    fn kernel(v: &[i32; 4], n: usize) -> i32 {
        let v = Block::external(v, [4]).boundary(By(rule));
        #[compute_at(root)]
        let s = stage::<i32>(|[i]| v[[i]]);
        let mut sum = 0;
        for i in 0..n {
            if i < 4 {
                sum += s[[i]];
            }
        }
        sum + 1
    }

    pub fn run() -> i32 {
        kernel(&[1; 4], 30)
    }

    pub fn want() -> i32 {
        5
    }
}

//@ value | reject
mod message_of_an_assertion {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8; 16], n: usize) -> u8 {
        let v = Block::external(v, [16]);
        #[compute_at(root)]
        let s = stage::<u8>(|[i]| 200 / v[[i]]);
        let mut sum = 0;
        for i in 0..n {
            assert!(i < 100, "element {}", s[[i]]);
            sum += v[[i]];
        }
        sum
    }

    pub fn run() -> u8 {
        let mut v = [1; 16];
        v[3] = 0;
        kernel(&v, 9)
    }

    pub fn want() -> u8 {
        8
    }
}

//@ value | reject
mod value_of_a_debug_assertion {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8; 16], n: usize) -> u8 {
        let v = Block::external(v, [16]);
        #[compute_at(root)]
        let s = stage::<u8>(|[i]| 100 + v[[i]]);
        let mut sum = 0_u8;
        for i in 0..n {
            debug_assert!(s[[i]] < 120);
            sum = sum.wrapping_add(v[[i]]);
        }
        sum
    }

    pub fn run() -> u8 {
        kernel(&[1; 16], 9)
    }

    pub fn want() -> u8 {
        9
    }
}

//@ value | reject
mod compound_assignment {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8; 16], n: usize) -> u8 {
        let v = Block::external(v, [16]);
        #[compute_at(root)]
        let s = stage::<u8>(|[i]| {
            let b = Block::stack::<u8>([1]);
            b[[0]] = 200;
            b[[0]] += v[[i]];
            b[[0]]
        });
        let mut sum = 0_u8;
        for i in 0..n {
            if v[[i]] < 10 {
                sum = sum.wrapping_add(s[[i]]);
            }
        }
        sum
    }

    pub fn run() -> u8 {
        let mut v = [1; 16];
        v[3] = 100;
        kernel(&v, 4)
    }

    pub fn want() -> u8 {
        201_u8.wrapping_mul(3)
    }
}

// The first row has 2 * 0 - 0 - 1 elements.
//@ value
mod shape_without_rows {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(n: usize) -> u32 {
        let t = Block::heap::<u32>([n, |i| 2 * n - 2 * i - 1]);
        let mut count = 0;
        for [y, x] in t.indices() {
            t[[y, x]] = 1;
            count += t[[y, x]];
        }
        count
    }

    pub fn run() -> u32 {
        kernel(0) + kernel(1) * 10 + kernel(3) * 100
    }

    pub fn want() -> u32 {
        10 + 900
    }
}
