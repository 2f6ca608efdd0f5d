//! Conditions: what holds under one is known of the names it is about, as they are where it is tested.

//@ panic
mod if_let_chain_over_the_extent {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize, k: usize, o: Option<usize>) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        if k < n
            && let Some(k) = o
        {
            v[[k]]
        } else {
            0
        }
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8, 3, Some(100_000))
    }
}

//@ panic
mod if_let_chain_hides_the_bound {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize, k: usize, o: Option<usize>) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        if let Some(n) = o
            && k < n
        {
            v[[k]]
        } else {
            0
        }
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8, 100_000, Some(200_000))
    }
}

//@ panic
mod while_let_chain {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], k: usize, stack: &mut Vec<usize>) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let mut s = 0;
        while k < 8
            && let Some(k) = stack.pop()
        {
            s += v[[k]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 3, &mut vec![100_000])
    }
}

//@ panic
mod chain_in_a_loop_over_its_variable {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], o: &[Option<usize>]) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let mut s = 0;
        for i in 0..100 {
            if i < 8
                && let Some(i) = o[0]
            {
                s += v[[i]];
            }
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], &[Some(100_000)])
    }
}

//@ panic
mod chain_with_a_block {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], mut k: usize) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        if k < 8
            && {
                k += 100_000;
                true
            }
            && v[[k]] > 0
        {
            v[[k]]
        } else {
            0
        }
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 3)
    }
}

//@ panic
mod block_in_a_condition_hides_a_name {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], k: usize) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        if {
            let k = 3;
            k < 8
        } {
            v[[k]]
        } else {
            0
        }
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 100_000)
    }
}

//@ panic
mod constant_in_a_condition {
    use shim::prelude::*;

    const N: usize = 100_000;

    #[shim::kernel]
    fn kernel(v: &[u8], k: usize) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        if k < {
            const N: usize = 8;
            N
        } {
            v[[k]]
        } else if k < N {
            v[[k]]
        } else {
            0
        }
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 9)
    }
}

//@ panic
mod assigned_after_the_condition {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], mut k: usize) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        if k < 8 {
            k += 100_000;
            v[[k]]
        } else {
            0
        }
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 3)
    }
}

//@ panic
mod condition_on_a_narrower_value {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], k: usize) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        if (k as u8) < 8 { v[[k]] } else { 0 }
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 256 * 400)
    }
}

//@ panic
mod condition_on_a_signed_value {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], k: u32) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        if (k as i32) < 8 { v[[k]] } else { 0 }
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], u32::MAX)
    }
}

//@ panic
mod condition_on_a_float {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], k: usize, x: f32) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        if (k as f32) < x && x <= 8.0 { v[[k]] } else { v[[7]] }
    }

    pub fn run() -> u32 {
        // 2^24 + 1 rounds down.
        kernel(&[1; 8], 16_777_217, 8.0) + kernel(&[1; 8], 8, f32::NAN) + kernel(&[1; 7], 0, 1.0)
    }
}

//@ panic
mod condition_that_wraps {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], k: usize) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        if k.wrapping_add(1) < 8 { v[[k]] } else { 0 }
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], usize::MAX)
    }
}

//@ panic
mod condition_or_condition {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], k: usize, j: usize) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        if k < 8 || j < 8 { v[[k]] } else { 0 }
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 100_000, 3)
    }
}

//@ panic
mod negated_condition {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], k: usize) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        if !(k < 8) { v[[k]] } else { 0 }
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 100_000)
    }
}

// What `contains` says of one tensor says nothing of another, nor of another index.
//@ panic
mod contains_of_another_tensor {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], k: usize) -> u32 {
        let t = Block::external(v, [8]).cast::<u32>();
        let u = Block::external(v, [4]).cast::<u32>();
        if t.contains([k]) { u[[k]] } else { 0 }
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 6)
    }
}

//@ panic
mod contains_before_the_name_is_hidden {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], k: usize, o: Option<usize>) -> u32 {
        let t = Block::external(v, [8]).cast::<u32>();
        if t.contains([k])
            && let Some(k) = o
        {
            t[[k]]
        } else {
            0
        }
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 3, Some(100_000))
    }
}

//@ panic
mod contains_before_the_tensor_is_hidden {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], k: usize) -> u32 {
        let t = Block::external(v, [8]).cast::<u32>();
        if t.contains([k]) {
            let t = Block::external(v, [4]).cast::<u32>();
            t[[k]]
        } else {
            0
        }
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 6)
    }
}

// The condition is tested with the macro's name, the access has the caller's.
//@ panic | reject
mod condition_in_a_macro {
    use shim::prelude::*;

    macro_rules! small {
        ($k:ident) => {
            $k < 8 && {
                let k = 3;
                k < 8
            }
        };
    }

    #[shim::kernel]
    fn kernel(v: &[u8], k: usize, j: usize) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        if small!(j) { v[[k]] } else { 0 }
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 100_000, 3)
    }
}

// An operator of the user's on a field, a call's result, a constant.
//@ panic | reject
mod comparison_with_a_constant_of_the_user_s_type {
    use shim::prelude::*;
    use std::cmp::Ordering;

    struct Odd;
    impl PartialEq<Odd> for usize {
        fn eq(&self, _: &Odd) -> bool {
            true
        }
    }
    impl PartialOrd<Odd> for usize {
        fn partial_cmp(&self, _: &Odd) -> Option<Ordering> {
            Some(Ordering::Less)
        }
    }
    impl PartialEq<usize> for Odd {
        fn eq(&self, _: &usize) -> bool {
            true
        }
    }
    impl PartialOrd<usize> for Odd {
        fn partial_cmp(&self, _: &usize) -> Option<Ordering> {
            Some(Ordering::Less)
        }
    }
    const LIMIT: Odd = Odd;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize, k: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        if k < LIMIT && LIMIT < n { v[[k]] } else { 0 }
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8, 100_000)
    }
}

// Two types of the user's that compare as no numbers do.
//@ panic | reject
mod comparison_through_references {
    use shim::prelude::*;
    use std::cmp::Ordering;

    #[derive(Clone, Copy)]
    struct Odd<'a>(&'a usize);
    impl PartialEq<usize> for Odd<'_> {
        fn eq(&self, _: &usize) -> bool {
            true
        }
    }
    impl PartialOrd<usize> for Odd<'_> {
        fn partial_cmp(&self, _: &usize) -> Option<Ordering> {
            Some(Ordering::Less)
        }
        fn ge(&self, _: &usize) -> bool {
            true
        }
    }

    #[shim::kernel]
    fn kernel(v: &[u8], n: Odd<'_>, k: usize) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        if n >= k && n <= 7 { v[[k]] } else { 0 }
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], Odd(&3), 100_000)
    }
}
