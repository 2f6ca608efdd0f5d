//! Names in a stage mean what they mean where it is defined, whatever a block between there and a read declares.

//@ value
mod constant_of_the_reader_s_block {
    use shim::prelude::*;

    const K: i32 = 3;

    #[shim::kernel]
    fn kernel(v: &[i32; 4]) -> i32 {
        let v = Block::external(v, [4]);
        let s = stage(|[i]| v[[i]] * K);
        let mut sum = 0;
        {
            const K: i32 = 50;
            sum += s[[1]] + K;
        }
        sum
    }

    pub fn run() -> i32 {
        kernel(&[1, 2, 3, 4])
    }

    pub fn want() -> i32 {
        56
    }
}

//@ value
mod constant_of_the_kernel_s_block {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[i32; 4]) -> i32 {
        const K: i32 = 3;
        let v = Block::external(v, [4]);
        let s = stage(|[i]| v[[i]] * K);
        let mut sum = 0;
        for i in 0..4 {
            const K: i32 = 50;
            {
                static K: i32 = 70;
                sum += s[[i]] + K;
            }
            sum += K;
        }
        sum
    }

    pub fn run() -> i32 {
        kernel(&[1, 2, 3, 4])
    }

    pub fn want() -> i32 {
        30 + 480
    }
}

//@ value
mod items_of_every_kind {
    use shim::prelude::*;

    fn double(x: i32) -> i32 {
        2 * x
    }

    static ONE: i32 = 1;

    type Wide = i64;

    #[derive(Clone, Copy)]
    struct Pair {
        a: i32,
    }

    #[shim::kernel]
    fn kernel(v: &[i32; 4]) -> i64 {
        let v = Block::external(v, [4]);
        let s = stage(|[i]| {
            let pair = Pair { a: double(v[[i]]) + ONE };
            pair.a as Wide
        });
        let mut sum = 0;
        for i in 0..4 {
            fn double(x: i32) -> i32 {
                x + 1000
            }
            static ONE: i32 = 7;
            type Wide = i8;
            struct Pair {
                b: u8,
            }
            let other = Pair { b: 1 };
            sum += s[[i]] + i64::from(double(ONE) as Wide) + i64::from(other.b);
        }
        sum
    }

    pub fn run() -> i64 {
        kernel(&[100, 2, 3, 400])
    }

    pub fn want() -> i64 {
        1010 + 4 + 4 * (i64::from(1007_i32 as i8) + 1)
    }
}

//@ value | reject
mod an_import_of_the_reader_s_block {
    use shim::prelude::*;

    fn pick(x: i32) -> i32 {
        x
    }

    mod other {
        pub fn pick(x: i32) -> i32 {
            x + 1000
        }
    }

    mod more {
        pub fn pick(x: i32) -> i32 {
            x + 5000
        }
    }

    #[shim::kernel]
    fn kernel(v: &[i32; 4]) -> i32 {
        let v = Block::external(v, [4]);
        let s = stage(|[i]| pick(v[[i]]));
        let mut sum = 0;
        {
            use other::pick;
            sum += s[[0]] + pick(0);
        }
        {
            use more::*;
            sum += s[[1]];
        }
        sum
    }

    pub fn run() -> i32 {
        kernel(&[1, 2, 3, 4])
    }

    pub fn want() -> i32 {
        1003
    }
}

//@ value | reject
mod a_macro_of_the_reader_s_block {
    use shim::prelude::*;

    macro_rules! by {
        ($x:expr) => {
            $x + 1
        };
    }

    #[shim::kernel]
    fn kernel(v: &[i32; 4]) -> i32 {
        let v = Block::external(v, [4]);
        let s = stage(|[i]| by!(v[[i]]));
        let mut sum = 0;
        {
            macro_rules! by {
                ($x:expr) => {
                    $x + 1000
                };
            }
            sum += s[[0]] + by!(0);
        }
        sum
    }

    pub fn run() -> i32 {
        kernel(&[1, 2, 3, 4])
    }

    pub fn want() -> i32 {
        1002
    }
}

// Both traits have the method; the one that is imported where the stage is read is not that of the stage.
//@ value | reject
mod a_trait_of_the_reader_s_block {
    use shim::prelude::*;

    mod traits {
        pub trait One {
            fn more(&self) -> i32;
        }
        pub trait Other {
            fn more(self) -> i32;
        }
        impl One for i32 {
            fn more(&self) -> i32 {
                self + 1
            }
        }
        impl Other for i32 {
            fn more(self) -> i32 {
                self + 1000
            }
        }
    }

    use traits::One as _;

    #[shim::kernel]
    fn kernel(v: &[i32; 4]) -> i32 {
        let v = Block::external(v, [4]);
        let s = stage::<i32>(|[i]| v[[i]].more());
        let mut sum = 0;
        {
            use traits::Other as _;
            sum += s[[0]];
        }
        sum
    }

    pub fn run() -> i32 {
        kernel(&[1, 2, 3, 4])
    }

    pub fn want() -> i32 {
        2
    }
}

//@ value | reject
mod a_constant_of_a_pattern {
    use shim::prelude::*;

    const LIMIT: i32 = 2;

    #[shim::kernel]
    fn kernel(v: &[i32; 4]) -> i32 {
        let v = Block::external(v, [4]);
        #[compute_at('row)]
        let s = stage::<i32>(|[i]| match v[[i]] {
            LIMIT => 7,
            other => other,
        });
        let mut sum = 0;
        'row: for i in 0..4 {
            const LIMIT: i32 = 3;
            sum = sum * 10 + s[[i]];
            if sum == LIMIT {
                sum = 0;
            }
        }
        sum
    }

    pub fn run() -> i32 {
        kernel(&[1, 2, 3, 4])
    }

    pub fn want() -> i32 {
        1734
    }
}

// The loop's block declares what the stage that is computed in it means otherwise.
//@ value
mod items_beside_the_computation {
    use shim::prelude::*;

    const K: i32 = 3;

    #[shim::kernel]
    fn kernel(v: &[i32; 8]) -> i32 {
        let v = Block::external(v, [8]);
        #[compute_at('row)]
        let s = stage::<i32>(|[i]| v[[i]] ^ K);
        let mut sum = 0;
        'row: for i in 1..8 {
            sum += s[[i]] + s[[i - 1]] + K;
            const K: i32 = 50;
        }
        sum
    }

    pub fn run() -> i32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> i32 {
        (1..8).map(|i| ((i + 1) ^ 3) + (i ^ 3)).sum::<i32>() + 350
    }
}

// The stage goes to a template, whose block has an item of the name.
//@ value
mod items_of_a_template_that_reads {
    use shim::prelude::*;

    const K: i32 = 3;

    mod inner {
        use shim::prelude::*;

        #[shim::kernel]
        pub fn sum_of(t: impl Tensor<i32, 1>) -> i32 {
            const K: i32 = 50;
            t[[0]] + t[[1]] + K
        }
    }

    use inner::sum_of;

    #[shim::kernel]
    fn kernel(v: &[i32; 4]) -> i32 {
        let v = Block::external(v, [4]);
        let s = stage(|[i]| v[[i]] * K);
        sum_of(s)
    }

    pub fn run() -> i32 {
        kernel(&[1, 2, 3, 4])
    }

    pub fn want() -> i32 {
        59
    }
}

// A block of an unrolled loop has the item that the stage of that block means.
//@ value
mod items_of_the_block_that_defines {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[i32; 4]) -> i32 {
        let v = Block::external(v, [4]);
        let mut sum = 0;
        #[unroll]
        for k in 0..2 {
            const K: i32 = 3;
            let s = stage(|[i]| v[[i]] * K + k);
            {
                const K: i32 = 50;
                sum += s[[1]] + K;
            }
        }
        sum
    }

    pub fn run() -> i32 {
        kernel(&[1, 2, 3, 4])
    }

    pub fn want() -> i32 {
        56 + 57
    }
}
