//! `#[shim::kernel(simd)]`: every version of a kernel does what the kernel without versions does, and what a plain
//! loop does, at each level that the machine has.

#![deny(warnings)]
#![allow(missing_docs, unreachable_pub, reason = "the kernels are this file's alone")]

mod common;

use std::backtrace::Backtrace;

use common::{SHAPES, noise, panics_with};
use shim::__private::limit_level;

/// The same kernels, with versions and without.
macro_rules! kernels {
    ($name:ident, $options:tt) => {
        mod $name {
            use std::ops::{Add, Mul};

            use shim::prelude::*;

            #[shim::kernel $options]
            pub fn version() -> String {
                crate::version()
            }

            #[shim::kernel $options]
            pub fn difference(a: &[u8], b: &[u8], h: usize, w: usize) -> u32 {
                let a = Block::external(a, [h, w]);
                let b = Block::external(b, [h, w]);
                a.indices().map(|[y, x]| u32::from(a[[y, x]].abs_diff(b[[y, x]]))).sum::<u32>()
            }

            #[shim::kernel $options]
            pub fn blur(src: &[u8], h: usize, w: usize, dst: &mut [u8]) {
                let src = Block::external(src, [h, w]).boundary(Mirror).cast::<u32>();
                let dst = Block::external(dst, [h, w]).cast::<u32>();
                for [y, x] in dst.indices() {
                    let across = src[[y, x - 1]] + 2 * src[[y, x]] + src[[y, x + 1]];
                    dst[[y, x]] = (across + src[[y - 1, x]] + src[[y + 1, x]] + 3) / 6;
                }
            }

            #[shim::kernel $options]
            pub fn weighted<T: Copy + Default + Add<Output = T> + Mul<Output = T>>(
                a: &[T],
                weight: T,
                n: usize,
                mut from: T,
            ) -> T {
                let a = Block::external(a, [n]);
                for [i] in a.indices() {
                    from = from + a[[i]] * weight;
                }
                from
            }

            #[shim::kernel $options]
            pub fn transposed<const N: usize>(t: &[[f32; N]], out: &mut [f32]) {
                let t = Block::external(t, [t.len(), N]);
                let out = Block::external(out, [N, t.extent(0)]);
                let [y, x] = iters();
                out[[y, x]] = t[[x, y]];
            }

            #[shim::kernel]
            fn butterfly(v: impl Tensor<i16, 1>, shift: i16) {
                #[unroll]
                for i in 0..2 {
                    let (a, b) = (v[[i]], v[[3 - i]]);
                    v[[i]] = a.wrapping_add(b);
                    v[[3 - i]] = a.wrapping_sub(b) >> shift;
                }
            }

            #[shim::kernel $options]
            pub fn transform(blocks: &mut [i16], count: usize) {
                let blocks = Block::external(blocks, [count, 4, 4]);
                for k in 0..count {
                    let block = blocks.slice(0, k);
                    for y in 0..4 {
                        butterfly(block.slice(0, y), 1);
                    }
                    for x in 0..4 {
                        butterfly(block.slice(1, x), 0);
                    }
                }
            }

            /// # Safety
            /// `src` has `n` readable, `dst` as many writable elements, and they do not overlap.
            #[allow(unsafe_code, reason = "kernels over raw pointers have versions too")]
            #[shim::kernel $options]
            pub unsafe extern "C" fn saturated(src: *const i32, dst: *mut u8, n: usize) {
                let src = Block::external(src, [n]);
                let dst = Block::external(dst, [n]);
                for [i] in dst.indices() {
                    dst[[i]] = src[[i]].clamp(0, 255) as u8;
                }
            }

            #[shim::kernel $options]
            pub fn first_above(t: &[i32], h: usize, w: usize, limit: i32) -> Option<[i32; 2]> {
                let t = Block::external(t, [h, w]);
                if limit < 0 {
                    return None;
                }
                for [y, x] in t.indices() {
                    if t[[y, x]] > limit {
                        return Some([y, x]);
                    }
                }
                None
            }

            #[shim::kernel $options]
            pub fn ratio_of_ends(t: &[i32], n: usize) -> Result<i32, String> {
                let t = Block::external(t, [n]);
                let last = n.checked_sub(1).ok_or("empty")?;
                let quotient = t[[0]].checked_div(t[[last]]).ok_or_else(|| format!("a zero at {last}"))?;
                Ok(quotient)
            }

            #[shim::kernel $options]
            pub fn applied(t: &mut [i32], n: usize, mut f: impl FnMut(i32) -> i32, _: usize) {
                let t = Block::external(t, [n]);
                for [i] in t.indices() {
                    t[[i]] = f(t[[i]]);
                }
            }

            #[shim::kernel $options]
            pub fn beyond(t: &[i32], n: usize, k: usize) -> i32 {
                let t = Block::external(t, [n]);
                t[[k]]
            }

            #[derive(Clone, Debug, PartialEq)]
            pub struct Image<T> {
                pub data: Vec<T>,
                pub height: usize,
                pub width: usize,
            }

            impl<T: Copy + Default + PartialOrd> Image<T> {
                #[shim::kernel $options]
                pub fn largest_of_row(&self, y: usize) -> Option<T> {
                    let data = Block::external(&self.data, [self.height, self.width]);
                    let row = data.slice(0, y);
                    let mut largest = None;
                    for [x] in row.indices() {
                        if largest.is_none_or(|largest| row[[x]] > largest) {
                            largest = Some(row[[x]]);
                        }
                    }
                    largest
                }

                #[shim::kernel $options]
                pub fn flip(&mut self) {
                    let (h, w) = (self.height, self.width);
                    let data = Block::external(&mut self.data, [h, w]);
                    for y in 0..h / 2 {
                        for x in 0..w {
                            let above = data[[y, x]];
                            data[[y, x]] = data[[h - 1 - y, x]];
                            data[[h - 1 - y, x]] = above;
                        }
                    }
                }

                /// The closure of its body has a type of its own.
                #[shim::kernel $options]
                pub fn doubled(row: &[i32], n: usize) -> impl Iterator<Item = i32> {
                    let row = Block::external(row, [n]);
                    let sum = row.indices().map(|[i]| row[[i]]).sum::<i32>();
                    (0..2).map(move |i| sum << i)
                }

                /// No `self`, and yet a part of the `impl`.
                #[shim::kernel $options]
                pub fn tiled(tile: &[T], height: usize, width: usize, side: usize) -> Self {
                    let mut image = Self { data: vec![T::default(); height * width], height, width };
                    let tile = Block::external(tile, [side, side]);
                    let data = Block::external(&mut image.data, [height, width]);
                    for y in 0..height {
                        for x in 0..width {
                            data[[y, x]] = tile[[y % side, x % side]];
                        }
                    }
                    image
                }
            }

            impl<T: Copy + Into<i64>> super::Norm for Image<T> {
                type Value = i64;

                #[shim::kernel $options]
                fn norm(&self, scale: i64) -> Self::Value {
                    let data = Block::external(&self.data, [self.height, self.width]);
                    data.indices().map(|[y, x]| data[[y, x]].into() * scale).sum::<i64>()
                }

                #[shim::kernel $options]
                fn first<'t>(&self, others: &'t mut [Self::Value], n: usize) -> &'t mut Self::Value {
                    let others = Block::external(others, [n]);
                    others[[0]] += 1;
                    &mut others[[0]]
                }
            }
        }
    };
}

/// What a trait asks for.
pub trait Norm {
    type Value;

    fn norm(&self, scale: i64) -> Self::Value;

    fn first<'t>(&self, others: &'t mut [Self::Value], n: usize) -> &'t mut Self::Value;
}

kernels!(plain, ());
kernels!(simd, (simd(v2, v3, v4)));

/// Kernels without a version for each level.
mod unlisted {
    use shim::prelude::*;

    #[shim::kernel(simd)]
    pub fn usual() -> String {
        crate::version()
    }

    #[shim::kernel(simd(v2,))]
    pub fn one() -> String {
        crate::version()
    }

    #[shim::kernel(simd(v2, v4))]
    pub fn two() -> String {
        crate::version()
    }
}

/// Signatures of every form: the body is a closure.
mod signatures {
    use shim::prelude::*;

    #[shim::kernel(simd)]
    pub fn last(a: &[u8], n: usize) -> &u8 {
        let a = Block::external(a, [n]);
        &a[[n - 1]]
    }

    #[shim::kernel(simd)]
    pub fn never(n: usize) -> ! {
        panic!("never {n}")
    }

    #[shim::kernel(simd)]
    pub fn first_by(a: &[i32], n: usize, f: &mut dyn FnMut(i32) -> i32) -> i32 {
        let a = Block::external(a, [n]);
        f(a[[0]])
    }

    #[shim::kernel(simd)]
    pub fn sums<const N: usize>(a: [i32; N], mut b: [i32; N]) -> [i32; N] {
        let a = Block::external(&a, [N]);
        let t = Block::external(&mut b, [N]);
        for [i] in t.indices() {
            t[[i]] += a[[i]];
        }
        b
    }

    #[shim::kernel(simd)]
    pub fn sum_and_first(a: &[i32], n: usize) -> i32 {
        #[shim::kernel(simd)]
        fn sum(a: &[i32], n: usize) -> i32 {
            let a = Block::external(a, [n]);
            a.indices().map(|[i]| a[[i]]).sum::<i32>()
        }
        let t = Block::external(a, [n]);
        sum(a, n) + t[[0]]
    }

    pub struct List(pub Vec<i32>);

    impl List {
        #[shim::kernel(simd)]
        pub fn raised(mut self, by: i32) -> Self {
            let n = self.0.len();
            let v = Block::external(&mut self.0, [n]);
            for [i] in v.indices() {
                v[[i]] += by;
            }
            self
        }

        #[shim::kernel(simd)]
        pub fn at(&mut self, i: usize) -> &mut i32 {
            let n = self.0.len();
            let v = Block::external(&mut self.0, [n]);
            &mut v[[i]]
        }

        #[shim::kernel(simd)]
        pub fn boxed(self: Box<Self>, i: usize) -> i32 {
            let v = Block::external(&self.0, [self.0.len()]);
            v[[i]]
        }
    }
}

#[test]
fn signatures_of_every_form() {
    use signatures::{List, first_by, last, never, sum_and_first, sums};
    at_every_level(|| {
        assert_eq!(*last(&[1, 2, 3], 3), 3);
        assert_eq!(first_by(&[4], 1, &mut |x| x * 2), 8);
        assert_eq!(sums([1, 2], [3, 4]), [4, 6]);
        assert_eq!(sum_and_first(&[1, 2], 2), 4);
        let mut list = List(vec![1, 2]).raised(3);
        *list.at(1) += 7;
        assert_eq!(Box::new(list).boxed(1), 12);
        panics_with(|| never(3), &["never 3"]);
    });
}

/// The version that calls it, by the functions on the stack.
fn version() -> String {
    let stack = Backtrace::force_capture().to_string();
    let name = |line: &str| line.split(['<', '(']).next()?.rsplit([':', ' ']).next().map(str::to_owned);
    let mut versions = stack.lines().filter_map(name);
    let version = versions.find(|name| ["baseline", "v2", "v3", "v4"].contains(&name.as_str()));
    version.unwrap_or_else(|| "none".to_owned())
}

/// Runs `test` with every level that the machine has, the best one last.
fn at_every_level(test: impl Fn()) {
    // The tests of this file run at once and the choice is the process's: one test at a time.
    static TURN: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    for most in [1, 2, 3, 4] {
        let level = limit_level(most);
        let version = if level == 1 { "baseline" } else { &format!("v{level}") };
        if cfg!(target_arch = "x86_64") {
            assert_eq!(simd::version(), *version, "at level {level}");
            // Where a level has no version, that of the next lower one runs.
            let versions = [unlisted::usual(), unlisted::one(), unlisted::two()];
            let wanted = match level {
                1 => ["baseline"; 3],
                2 => ["baseline", "v2", "v2"],
                3 => ["v3", "v2", "v2"],
                _ => ["v4", "v2", "v4"],
            };
            assert_eq!(versions, wanted, "at level {level}");
        }
        test();
        if level < most {
            println!("skipped: this machine has no level {most}");
            break;
        }
    }
}

#[test]
fn without_the_option_there_are_no_versions() {
    assert_eq!(plain::version(), "none");
}

#[test]
fn reductions() {
    at_every_level(|| {
        for &(h, w) in &[SHAPES, &[(16, 16), (33, 65)]].concat() {
            let (a, b): (Vec<u8>, Vec<u8>) = (noise(h * w, 251), noise::<u8>(h * w + 3, 241)[3..].to_vec());
            let want = a.iter().zip(&b).map(|(a, b)| u32::from(a.abs_diff(*b))).sum();
            assert_eq!(simd::difference(&a, &b, h, w), want, "{h}x{w}");
            assert_eq!(plain::difference(&a, &b, h, w), want, "{h}x{w}");
        }
    });
}

#[test]
fn stencils_with_boundaries() {
    at_every_level(|| {
        for &(h, w) in &[SHAPES, &[(40, 70), (3, 129)]].concat() {
            let src: Vec<u8> = noise(h * w, 256);
            let at = |y: isize, x: isize| {
                // The edge is repeated.
                let fold = |i: isize, n: usize| if i < 0 { 0 } else { (i as usize).min(n - 1) };
                u32::from(src[fold(y, h) * w + fold(x, w)])
            };
            let want: Vec<u8> = (0..h * w)
                .map(|i| {
                    let (y, x) = ((i / w) as isize, (i % w) as isize);
                    let across = at(y, x - 1) + 2 * at(y, x) + at(y, x + 1);
                    ((across + at(y - 1, x) + at(y + 1, x) + 3) / 6) as u8
                })
                .collect();
            let (mut one, mut other) = (vec![0; h * w], vec![0; h * w]);
            simd::blur(&src, h, w, &mut one);
            plain::blur(&src, h, w, &mut other);
            assert_eq!(one, want, "{h}x{w}");
            assert_eq!(other, want, "{h}x{w}");
        }
    });
}

#[test]
fn generic_functions() {
    at_every_level(|| {
        for n in [0, 1, 2, 15, 16, 17, 200] {
            let small: Vec<i16> = noise(n, 1000);
            let a: Vec<i64> = small.iter().copied().map(i64::from).collect();
            let want = a.iter().fold(7, |sum, a| sum + a * 3);
            assert_eq!(simd::weighted(&a, 3, n, 7), want);
            assert_eq!(plain::weighted(&a, 3, n, 7), want);
            // Floats are added in the order written, whatever the level.
            let a: Vec<f32> = small.iter().map(|a| f32::from(*a) / 7.0).collect();
            let want = a.iter().fold(0.5, |sum: f32, a| sum + a * 1.1);
            assert_eq!(simd::weighted(&a, 1.1, n, 0.5).to_bits(), want.to_bits());
            assert_eq!(plain::weighted(&a, 1.1, n, 0.5).to_bits(), want.to_bits());
        }
    });
}

#[test]
fn const_generic_functions() {
    fn check<const N: usize>() {
        for rows in [0, 1, 5, 16] {
            let row = |y: u16| std::array::from_fn(|x| f32::from(y * 100) + f32::from(x as u16));
            let t: Vec<[f32; N]> = (0..rows).map(row).collect();
            let rows = t.len();
            let mut want = vec![0.0; N * rows];
            for (y, row) in t.iter().enumerate() {
                for (x, v) in row.iter().enumerate() {
                    want[x * rows + y] = *v;
                }
            }
            let (mut one, mut other) = (vec![-1.0; N * rows], vec![-1.0; N * rows]);
            simd::transposed(&t, &mut one);
            plain::transposed::<N>(&t, &mut other);
            assert_eq!(one, want);
            assert_eq!(other, want);
        }
    }
    at_every_level(|| {
        check::<0>();
        check::<1>();
        check::<4>();
        check::<33>();
    });
}

#[test]
fn templates() {
    fn butterfly(v: [i16; 4], shift: i16) -> [i16; 4] {
        let [a, b, c, d] = v;
        let (p, q) = (a.wrapping_add(d), b.wrapping_add(c));
        [p, q, b.wrapping_sub(c) >> shift, a.wrapping_sub(d) >> shift]
    }
    at_every_level(|| {
        for count in [0, 1, 2, 9] {
            let start: Vec<i16> = noise(count * 16, 30_000);
            let mut want = start.clone();
            for block in want.chunks_exact_mut(16) {
                for y in 0..4 {
                    let row = butterfly(std::array::from_fn(|x| block[4 * y + x]), 1);
                    block[4 * y..4 * y + 4].copy_from_slice(&row);
                }
                for x in 0..4 {
                    let column = butterfly(std::array::from_fn(|y| block[4 * y + x]), 0);
                    for (y, v) in column.into_iter().enumerate() {
                        block[4 * y + x] = v;
                    }
                }
            }
            let (mut one, mut other) = (start.clone(), start);
            simd::transform(&mut one, count);
            plain::transform(&mut other, count);
            assert_eq!(one, want);
            assert_eq!(other, want);
        }
    });
}

#[test]
#[allow(unsafe_code, reason = "kernels over raw pointers have versions too")]
fn unsafe_functions() {
    at_every_level(|| {
        for n in [0, 1, 7, 64, 100] {
            let src: Vec<i32> = noise::<i32>(n, 700).iter().map(|v| v - 200).collect();
            let want: Vec<u8> = src.iter().map(|v| (*v).clamp(0, 255) as u8).collect();
            let (mut one, mut other) = (vec![7; n], vec![7; n]);
            // SAFETY: all of them have n elements.
            unsafe {
                simd::saturated(src.as_ptr(), one.as_mut_ptr(), n);
                plain::saturated(src.as_ptr(), other.as_mut_ptr(), n);
            }
            assert_eq!(one, want);
            assert_eq!(other, want);
        }
    });
}

#[test]
fn early_ends() {
    at_every_level(|| {
        for &(h, w) in SHAPES {
            let t: Vec<i32> = noise(h * w, 100);
            for limit in [-1, 0, 50, 98, 99] {
                let found = t.iter().position(|v| limit >= 0 && *v > limit);
                let want = found.map(|i| [(i / w) as i32, (i % w) as i32]);
                assert_eq!(simd::first_above(&t, h, w, limit), want);
                assert_eq!(plain::first_above(&t, h, w, limit), want);
            }
        }
        for (t, want) in [
            (&[][..], Err("empty".to_owned())),
            (&[8, 3, 2], Ok(4)),
            (&[8, 0], Err("a zero at 1".to_owned())),
            (&[5], Ok(1)),
        ] {
            assert_eq!(simd::ratio_of_ends(t, t.len()), want);
            assert_eq!(plain::ratio_of_ends(t, t.len()), want);
        }
    });
}

#[test]
fn functions_as_arguments() {
    at_every_level(|| {
        let (mut calls, mut t) = (0, vec![1, 2, 3]);
        let step = |v| {
            calls += 1;
            v * 10 + calls
        };
        simd::applied(&mut t, 3, step, 0);
        assert_eq!((t, calls), (vec![11, 22, 33], 3));
        let mut t = vec![1, 2, 3];
        plain::applied(&mut t, 3, |v| v + 1, 0);
        assert_eq!(t, [2, 3, 4]);
    });
}

#[test]
fn the_panic_of_every_version_is_the_same() {
    at_every_level(|| {
        assert_eq!(simd::beyond(&[1, 2, 3], 3, 2), 3);
        panics_with(|| simd::beyond(&[1, 2, 3], 3, 3), &["beyond", "`t`", "[3]"]);
        panics_with(|| plain::beyond(&[1, 2, 3], 3, 3), &["beyond", "`t`", "[3]"]);
        panics_with(|| simd::beyond(&[1, 2, 3], 4, 0), &["beyond"]);
    });
}

#[test]
fn methods() {
    at_every_level(|| {
        for &(height, width) in SHAPES {
            let data: Vec<u16> = noise(height * width, 5000);
            let mut one = simd::Image { data: data.clone(), height, width };
            let mut other = plain::Image { data: data.clone(), height, width };
            for y in 0..height {
                let want = data[y * width..][..width].iter().max().copied();
                assert_eq!(one.largest_of_row(y), want);
                assert_eq!(other.largest_of_row(y), want);
            }
            one.flip();
            other.flip();
            let rows = (0..height).rev();
            let want: Vec<u16> = rows.flat_map(|y| data[y * width..][..width].to_vec()).collect();
            assert_eq!(one.data, want);
            assert_eq!(other.data, want);

            let tile = [1_u16, 2, 3, 4];
            let want: Vec<u16> =
                (0..height * width).map(|i| tile[i / width % 2 * 2 + i % width % 2]).collect();
            assert_eq!(simd::Image::tiled(&tile, height, width, 2).data, want);
            assert_eq!(plain::Image::tiled(&tile, height, width, 2).data, want);
        }
    });
}

#[test]
fn methods_of_traits() {
    at_every_level(|| {
        let data: Vec<u32> = noise(15, 5000);
        let want = 3 * data.iter().map(|value| i64::from(*value)).sum::<i64>();
        assert_eq!(simd::Image { data: data.clone(), height: 3, width: 5 }.norm(3), want);
        let image = plain::Image { data, height: 3, width: 5 };
        assert_eq!(image.norm(3), want);
        let mut others = [7, 8];
        assert_eq!(*image.first(&mut others, 2), 8);
    });
}

#[test]
fn types_without_a_name() {
    at_every_level(|| {
        assert_eq!(simd::Image::<u8>::doubled(&[1, 2], 2).collect::<Vec<_>>(), [3, 6]);
        assert_eq!(plain::Image::<u8>::doubled(&[1, 2], 2).collect::<Vec<_>>(), [3, 6]);
    });
}
