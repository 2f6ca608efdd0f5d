//! Statements that are staged elsewhere than where they stand: behind a choice of tensors, in a version of a specialized
//! parameter, and those of a template that returns a tensor.

//@ reject
mod pattern_of_a_branch_hides_a_parameter {
    use shim::prelude::*;

    #[shim::kernel]
    pub fn kernel(v: &[u8], n: usize, which: Option<usize>) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let t = match which {
            Some(n) => v[[n..]],
            None => v,
        };
        t[[0]] + n as u32
    }
}

//@ reject
mod pattern_of_a_branch_hides_a_name_in_a_string {
    use shim::prelude::*;

    #[shim::kernel]
    pub fn kernel(v: &[u8], n: usize, which: Option<usize>) -> String {
        let v = Block::external(v, [8]).cast::<u32>();
        let t = if let Some(n) = which { v[[n..]] } else { v };
        let first = t[[0]];
        format!("{first} {n}")
    }
}

//@ value
mod items_behind_a_choice {
    use shim::prelude::*;

    const N: usize = 1;

    #[shim::kernel]
    fn kernel(v: &[u8], late: bool) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let before = v[[N]];
        let t = if late { v[[N..]] } else { v };
        const N: usize = 3;
        t[[N]] * 100 + before
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8], true) * 1000 + kernel(&[1, 2, 3, 4, 5, 6, 7, 8], false)
    }

    pub fn want() -> u32 {
        704_404
    }
}

//@ reject
mod macro_behind_a_choice_hides_the_tensor {
    use shim::prelude::*;

    macro_rules! define {
        ($name:ident) => {
            let $name = [9u32; 1000];
        };
    }

    #[shim::kernel]
    pub fn kernel(v: &[u8], late: bool) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let t = if late { v[[1..]] } else { v };
        define!(t);
        t[[100]]
    }
}

//@ reject
mod macro_behind_a_choice_defines_an_index {
    use shim::prelude::*;

    macro_rules! define {
        ($name:ident, $value:expr) => {
            let $name = $value;
        };
    }

    #[shim::kernel]
    pub fn kernel(v: &[u8], late: bool) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let k = 0usize;
        let t = if late { v[[1..]] } else { v };
        define!(k, k + 5usize);
        t[[k]]
    }
}

//@ reject
mod macro_behind_a_choice_imports_a_constant {
    use shim::prelude::*;

    const N: usize = 1;
    mod other {
        pub const N: usize = 3;
    }
    macro_rules! import {
        () => {
            use other::N;
        };
    }

    #[shim::kernel]
    pub fn kernel(v: &[u8], late: bool) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let before = v[[N]];
        let t = if late { v[[N..]] } else { v };
        import!();
        t[[N]] * 100 + before
    }
}

//@ value
mod macros_around_a_choice {
    use shim::prelude::*;

    const N: usize = 1;
    mod other {
        pub const N: usize = 3;
    }
    macro_rules! import {
        () => {
            use other::N;
        };
    }
    macro_rules! define {
        ($name:ident, $value:expr) => {
            let $name = $value;
        };
    }

    #[shim::kernel]
    fn kernel(v: &[u8], late: bool) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let before = v[[N]];
        import!();
        define!(k, N + 1);
        let t = if late { v[[N..]] } else { v };
        let mut inner = 0;
        {
            define!(k, k + 1);
            inner += t[[k - 2]];
        }
        t[[k - 2]] * 100 + before * 10 + inner
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8], true) * 1000 + kernel(&[1, 2, 3, 4, 5, 6, 7, 8], false)
    }

    pub fn want() -> u32 {
        647_344
    }
}

//@ value
mod choices_count_their_effects_once {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], calls: &mut u32) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let mut next = || {
            *calls += 1;
            *calls as usize
        };
        let t = match next() {
            1 if next() == 2 => v[[next()..]],
            _ => v,
        };
        t[[0]] * 10 + next() as u32
    }

    pub fn run() -> u32 {
        let mut calls = 0;
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8], &mut calls) * 10 + calls
    }

    pub fn want() -> u32 {
        444
    }
}

//@ value
mod macro_redefines_a_specialized_parameter {
    use shim::prelude::*;

    macro_rules! define {
        ($name:ident, $value:expr) => {
            let $name = $value;
        };
    }

    #[shim::kernel]
    fn kernel(v: &[u8], #[specialize(1 | 2 | _)] n: usize) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let before = v[[n]];
        define!(n, n + 3usize);
        before * 10 + v[[n]]
    }

    pub fn run() -> u32 {
        let v = [1, 2, 3, 4, 5, 6, 7, 8];
        kernel(&v, 1) * 10000 + kernel(&v, 2) * 100 + kernel(&v, 3)
    }

    pub fn want() -> u32 {
        253_647
    }
}

//@ reject
mod type_of_a_specialized_parameter_is_another {
    use shim::prelude::*;

    #[allow(non_camel_case_types)]
    type usize = u8;

    #[shim::kernel]
    pub fn kernel(v: &[u8], #[specialize(1 | 2)] n: usize) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        v[[n]]
    }
}

//@ value
mod constant_of_the_name_of_a_value {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], #[specialize(1 | 2 | _)] n: usize) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let n = {
            const N: usize = 4;
            n + N
        };
        v[[n]]
    }

    pub fn run() -> u32 {
        let v = [1, 2, 3, 4, 5, 6, 7, 8];
        kernel(&v, 1) * 100 + kernel(&v, 2) * 10 + kernel(&v, 0)
    }

    pub fn want() -> u32 {
        675
    }
}

//@ value
mod names_of_a_returning_template {
    use shim::prelude::*;

    #[shim::kernel]
    fn tail(v: impl Tensor<u32, 1>, by: usize) -> impl Tensor<u32, 1> {
        const N: usize = 2;
        let k = by + N;
        let w = v[[k..]];
        let k = 1;
        w[[k..]]
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        const N: usize = 1;
        let k = 3usize;
        let v = Block::external(v, [8]).cast::<u32>();
        let mine = v[[k..]];
        let first = tail(v, 0);
        let second = tail(v, 1);
        let by = 7usize;
        first[[0]] * 10000 + second[[0]] * 1000 + mine[[0]] * 100 + v[[N]] * 10 + v[[by]] + k as u32
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u32 {
        45_431
    }
}

//@ value | reject
mod names_of_a_returning_template_beside_a_macro {
    use shim::prelude::*;

    macro_rules! define {
        ($name:ident, $value:expr) => {
            let $name = $value;
        };
    }

    #[shim::kernel]
    fn tail(v: impl Tensor<u32, 1>, by: usize) -> impl Tensor<u32, 1> {
        let k = by;
        v[[k..]]
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let k = 2usize;
        let first = tail(v, 5);
        define!(k, k + 1usize);
        let second = tail(v, k);
        define!(by, 6usize);
        first[[0]] * 100 + second[[0]] * 10 + v[[by]] + k as u32
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u32 {
        650
    }
}

//@ reject
mod item_of_the_caller_hides_a_name_of_a_returning_template {
    use shim::prelude::*;

    const N: usize = 1;

    #[shim::kernel]
    fn tail(v: impl Tensor<u32, 1>) -> impl Tensor<u32, 1> {
        v[[N..]]
    }

    #[shim::kernel]
    pub fn kernel(v: &[u8]) -> u32 {
        const N: usize = 5;
        let v = Block::external(v, [8]).cast::<u32>();
        tail(v)[[N]]
    }
}

//@ value
mod memory_of_a_returning_template_in_a_loop {
    use shim::prelude::*;

    #[shim::kernel]
    fn counted(v: impl Tensor<u32, 1>) -> impl Tensor<u32, 1> {
        let own = Block::stack::<u32>([4]);
        for [i] in own.indices() {
            own[[i]] += v[[i]];
        }
        own
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let mut sum = 0;
        for k in 0..3 {
            let own = counted(v[[k..]]);
            sum = sum * 10 + own[[0]] + counted(v[[k + 1..]])[[3]];
        }
        sum
    }

    pub fn run() -> u32 {
        kernel(&[0, 1, 2, 1, 2, 1, 0, 1])
    }

    pub fn want() -> u32 {
        222
    }
}

//@ panic
mod no_version_takes_the_value {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], #[specialize(1 | 2)] n: usize) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        v[[n]]
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8], 9)
    }
}

//@ panic
mod version_reaches_outside {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(n, n)] v: &[u8], #[specialize(2 | _)] n: usize, at: usize) -> u32 {
        u32::from(v[[at, 0]])
    }

    pub fn run() -> u32 {
        kernel(&[1; 9], 3, 3)
    }
}
