//! Names of schedules that the kernel or its module has for something else.

//@ value
mod schedule_by_the_name_of_a_function {
    use shim::prelude::*;

    fn half(x: i32) -> i32 {
        x / 2
    }

    #[shim::kernel(schedules(half, drop, super_fast))]
    fn kernel(v: &[i32; 4], out: &mut [i32; 4]) {
        let v = Block::external(v, [4]);
        let out = Block::external(out, [4]);
        let owned = vec![half(3)];
        #[schedule(half, compute_at(root))]
        #[schedule(drop, compute_at(root))]
        let s = stage::<i32>(|[i]| v[[i]] / 2);
        for i in 0..4 {
            out[[i]] = s[[i]] + half(v[[i]]) + owned[0];
        }
        drop(owned);
    }

    pub fn run() -> i32 {
        let mut sum = 0;
        for own in [kernel as fn(&[i32; 4], &mut [i32; 4]), kernel::half, kernel::drop, kernel::super_fast] {
            let mut out = [0; 4];
            own(&[2, 4, 6, 8], &mut out);
            sum = sum * 100 + out.iter().sum::<i32>();
        }
        sum
    }

    pub fn want() -> i32 {
        24_242_424
    }
}

//@ value
mod schedule_and_a_module_in_the_body {
    use shim::prelude::*;

    pub const K: i32 = 100;

    pub mod inner {
        use shim::prelude::*;

        pub const K: i32 = 3;

        #[shim::kernel(schedules(fast))]
        pub(super) fn kernel(v: &[i32; 4]) -> i32 {
            mod own {
                pub const K: i32 = 7;
                pub mod deep {
                    pub const A: i32 = super::K;
                    pub const B: i32 = self::C;
                    pub const C: i32 = 1000;
                }
            }
            let v = Block::external(v, [4]);
            #[schedule(fast, compute_at(root))]
            let s = stage::<i32>(|[i]| v[[i]] ^ own::K);
            s[[0]] + self::K + super::K + own::deep::A + own::deep::B
        }
    }

    pub fn run() -> i32 {
        inner::kernel(&[1; 4]) * 10_000 + inner::kernel::fast(&[1; 4])
    }

    pub fn want() -> i32 {
        1116 * 10_001
    }
}

//@ value
mod versions_of_a_function_with_a_type_of_its_own {
    use shim::prelude::*;

    #[shim::kernel(simd)]
    fn kernel(v: &[i32; 4]) -> impl Iterator<Item = i32> {
        let v = Block::external(v, [4]);
        let first = v[[0]];
        (0..4).map(move |i| i + first)
    }

    pub fn run() -> i32 {
        kernel(&[1; 4]).sum()
    }

    pub fn want() -> i32 {
        10
    }
}

//@ reject
mod kernel_that_calls_itself_without_end {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[i32; 4]) -> i32 {
        let t = Block::external(v, [4]);
        let s = stage::<i32>(|[i]| t[[i]] + kernel(v));
        s[[0]]
    }

    pub fn run() -> i32 {
        kernel(&[1; 4])
    }
}

//@ value
mod kernel_that_calls_itself_at_times {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[i32; 4], n: i32) -> i32 {
        if n == 0 {
            return 1;
        }
        let t = Block::external(v, [4]);
        let s = stage::<i32>(|[i]| t[[i]] * kernel(v, n - 1));
        s[[1]]
    }

    pub fn run() -> i32 {
        kernel(&[3, 2, 1, 0], 5)
    }

    pub fn want() -> i32 {
        32
    }
}

//@ value
mod kernel_that_returns_in_an_argument {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[i32; 4], n: i32) -> i32 {
        let t = Block::external(v, [4]);
        1 + t[[0]] + kernel(v, if n == 0 { return 7 } else { n - 1 })
    }

    pub fn run() -> i32 {
        kernel(&[3, 2, 1, 0], 5)
    }

    pub fn want() -> i32 {
        4 * 5 + 7
    }
}

//@ value
mod stage_in_a_loop_of_copies {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(h, w)] src: &[u8], h: usize, w: usize, #[shape(h, w)] dst: &mut [u8]) {
        let src = src.boundary(Clamp);
        #[compute_at('row)]
        let s = stage::<u8>(|[y, x]| src[[y, x - 1]] ^ src[[y, x + 1]]);
        #[unroll(2)]
        'row: for y in 0..h {
            for x in 0..w {
                dst[[y, x]] = s[[y, x]] ^ s[[y + 1, x]];
            }
        }
    }

    #[shim::kernel]
    fn lanes(#[shape(h, w)] src: &[u8], h: usize, w: usize, #[shape(h, w)] dst: &mut [u8]) {
        let src = src.boundary(Mirror);
        #[compute_at('row)]
        let s = stage::<u8>(|[y, x]| src[[y, x - 1]] ^ src[[y + 1, x + 1]]);
        #[lanes(4)]
        'row: for y in 0..h {
            for x in 0..w {
                dst[[y, x]] = s[[y, x]] ^ s[[y + 1, x]];
            }
        }
    }

    pub fn run() -> u32 {
        let src: Vec<u8> = (0..35_u8).map(|i| i.wrapping_mul(i)).collect();
        let (mut a, mut b) = ([0; 35], [0; 35]);
        kernel(&src, 7, 5, &mut a);
        lanes(&src, 5, 7, &mut b);
        a.iter().chain(&b).fold(0, |sum: u32, own| sum.wrapping_mul(31).wrapping_add(u32::from(*own)))
    }

    pub fn want() -> u32 {
        let src: Vec<u8> = (0..35_u8).map(|i| i.wrapping_mul(i)).collect();
        let at = |w: i32, y: i32, x: i32| src[(y * w + x) as usize];
        let clamp = |y: i32, x: i32| at(5, y.clamp(0, 6), x.clamp(0, 4));
        let fold = |i: i32, n: i32| {
            if i < 0 {
                -i - 1
            } else if i >= n {
                2 * n - 1 - i
            } else {
                i
            }
        };
        let mirror = |y: i32, x: i32| at(7, fold(y, 5), fold(x, 7));
        let mut all = Vec::new();
        for y in 0..7 {
            for x in 0..5 {
                let s = |y: i32, x: i32| clamp(y, x - 1) ^ clamp(y, x + 1);
                all.push(s(y, x) ^ s(y + 1, x));
            }
        }
        for y in 0..5 {
            for x in 0..7 {
                let s = |y: i32, x: i32| mirror(y, x - 1) ^ mirror(y + 1, x + 1);
                all.push(s(y, x) ^ s(y + 1, x));
            }
        }
        all.iter().fold(0, |sum: u32, own| sum.wrapping_mul(31).wrapping_add(u32::from(*own)))
    }
}
