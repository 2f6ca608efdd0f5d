//! The text that all programs have.

/// What every program has: constants of several modules, macros, templates of one name, and the twin's tensors.
pub(super) const PRELUDE: &str = r#"use shim::prelude::*;

const N: usize = 6;
const M: usize = 3;
mod a {
    pub const N: usize = 7;
    pub const M: usize = 2;
}
mod b {
    pub const N: usize = 11;
    pub const M: usize = 4;
}
fn f(q: usize) -> usize { q + 2 }
type S = A;
struct A;
impl A {
    const N: usize = 5;
}
struct B;
impl B {
    const N: usize = 19;
}
macro_rules! set { ($n:ident, $e:expr) => { let $n = $e; }; }
macro_rules! pat { ($n:ident) => { ($n, _) }; }
macro_rules! id { ($n:ident) => { $n }; }
macro_rules! bind { ($n:ident) => { Some($n) }; }
macro_rules! bump { ($n:ident) => { $n += 4 }; }
macro_rules! get { ($e:expr) => { $e + 1 }; }
macro_rules! def_n { () => { const N: usize = 21; }; }
macro_rules! use_n { () => { use b::N; }; }
mod a_t {
    use shim::prelude::*;
    #[shim::kernel]
    pub fn pick(v: impl Tensor<u32, 1>, n: usize) -> u32 { v[[n + 1]] }
}
mod b_t {
    use shim::prelude::*;
    #[shim::kernel]
    pub fn pick(v: impl Tensor<u32, 1>, n: usize) -> u32 { const N: usize = 2; v[[N]] + v[[2 * n]] }
}
mod a_p {
    pub fn pick_p(v: super::p::T<'_>, n: usize) -> u32 { v.at(n as i64 + 1) }
}
mod b_p {
    pub fn pick_p(v: super::p::T<'_>, n: usize) -> u32 { v.at(2) + v.at(2 * n as i64) }
}
use a_p::pick_p;
use a_t::pick;
mod p {
    use std::cell::Cell;

    pub type M<'a> = &'a [Cell<u32>];

    #[derive(Clone, Copy)]
    pub struct T<'a> {
        memory: &'a [Cell<u32>],
        extent: i64,
        stride: i64,
        origin: i64,
        step: i64,
        pub len: i64,
    }

    pub fn ix<I: TryInto<i64>>(index: I) -> i64 {
        index.try_into().ok().expect("an index")
    }

    pub fn mixed(values: [u32; 4]) -> u32 {
        values.into_iter().fold(7, |sum, value| sum.wrapping_mul(31).wrapping_add(value))
    }

    pub fn below(value: usize, bound: usize) -> Option<usize> {
        (value < bound).then_some(value)
    }

    impl<'a> T<'a> {
        pub fn external(memory: M<'a>, extent: i64, stride: i64) -> T<'a> {
            assert!(extent == 0 || (extent - 1) * stride < memory.len() as i64);
            T { memory, extent, stride, origin: 0, step: 1, len: extent }
        }

        pub fn part(self, start: i64, len: i64) -> T<'a> {
            T { origin: self.origin + start * self.step, len, ..self }
        }

        pub fn rest(self, start: i64) -> T<'a> {
            self.part(start, (self.len - start).max(0))
        }

        pub fn coarsen(self, factor: usize) -> T<'a> {
            let factor = factor as i64;
            T { step: self.step * factor, len: (self.len + factor - 1) / factor, ..self }
        }

        pub fn contains(self, index: i64) -> bool {
            (0..self.extent).contains(&(self.origin + index * self.step))
        }

        fn cell(self, index: i64) -> &'a Cell<u32> {
            assert!(self.contains(index));
            &self.memory[((self.origin + index * self.step) * self.stride) as usize]
        }

        pub fn at(self, index: i64) -> u32 {
            self.cell(index).get()
        }

        pub fn set(self, index: i64, value: u32) {
            self.cell(index).set(value);
        }

        pub fn len(self) -> i32 {
            self.len as i32
        }

        pub fn sum(self) -> u32 {
            self.sum_over(self.len)
        }

        /// The sum of as many elements.
        pub fn sum_over(self, len: i64) -> u32 {
            (0..len).map(|index| self.at(index)).sum()
        }
    }
}
"#;

/// Several inputs, some of which leave the memory.
pub(super) const RUN: &str = r#"
const INPUTS: [[usize; 3]; 6] = [[8, 4, 2], [3, 2, 1], [16, 5, 9], [1, 1, 1], [12, 30, 7], [0, 0, 0]];
fn outcome(f: impl FnOnce() -> (u32, Vec<u32>)) -> Result<(u32, Vec<u32>), String> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(f)).map_err(|payload| {
        let text = payload.downcast_ref::<String>().cloned();
        let text = text.or_else(|| payload.downcast_ref::<&str>().map(ToString::to_string)).unwrap_or_default();
        // Only what no twin can panic with is told.
        if text.contains("internal error") { text } else { "panics".to_owned() }
    })
}
pub fn run() -> Vec<Result<(u32, Vec<u32>), String>> {
    let data: Vec<u32> = (0..64).map(|i| i * i + 1).collect();
    INPUTS.map(|[n, m, k]| outcome(|| {
        let mut out = vec![0; 50];
        (kernel(&data, &mut out, n, m, k), out)
    })).to_vec()
}
pub fn want() -> Vec<Result<(u32, Vec<u32>), String>> {
    use std::cell::Cell;
    let data: Vec<Cell<u32>> = (0..64).map(|i| Cell::new(i * i + 1)).collect();
    INPUTS.map(|[n, m, k]| outcome(|| {
        let out: Vec<Cell<u32>> = vec![0; 50].into_iter().map(Cell::new).collect();
        let s = plain(&data, &out, n, m, k);
        (s, out.iter().map(Cell::get).collect())
    })).to_vec()
}
"#;
