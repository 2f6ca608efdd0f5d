//! Boundary rules that call functions of the user's.

// The first answer is inside, the second is not.
//@ panic
mod rule_that_changes_its_mind {
    use core::cell::Cell;
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8; 4], calls: &Cell<isize>) -> u32 {
        let v = Block::external(v, [4]).cast::<u32>();
        let ruled = v.boundary(By(|_: isize, _| {
            calls.set(calls.get() + 1);
            if calls.get() == 1 { 3 } else { 1_000_000 }
        }));
        ruled[[9]] + ruled[[9]]
    }

    pub fn run() -> u32 {
        kernel(&[1; 4], &Cell::new(0))
    }
}

// Each axis asks on its own.
//@ panic
mod rule_of_one_axis_alone {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8; 4], y: isize, x: isize) -> u32 {
        let v = Block::external(v, [2, 2]).boundary([By(|i, n| i + n), Clamp]).cast::<u32>();
        v[[y, x]]
    }

    pub fn run() -> u32 {
        kernel(&[1; 4], isize::MAX - 2, 7)
    }
}

//@ panic | reject
mod another_function_of_the_name {
    use shim::{Block, Boundary};

    #[allow(non_snake_case)]
    fn By(_: fn(isize, isize) -> isize) -> Boundary<()> {
        Boundary::Clamp
    }

    #[shim::kernel]
    fn kernel(v: &[u8; 4]) -> u32 {
        let v = Block::external(v, [4]).boundary(By(|_, _| 1)).cast::<u32>();
        v[[9]]
    }

    pub fn run() -> u32 {
        kernel(&[1; 4])
    }
}
