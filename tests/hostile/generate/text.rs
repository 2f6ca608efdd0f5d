//! The text that all programs have.

/// What every program has: constants of several modules, macros, a located table, templates of one name, and the twin's
/// tensors, each a map from indices to points of the root and a block there.
pub(super) const PRELUDE: &str = r#"use shim::prelude::*;

const N: usize = 6;
const M: usize = 3;
#[shim::constant]
const Q: usize = 4;
mod a {
    pub const N: usize = 7;
    pub const M: usize = 2;
    #[shim::constant]
    pub const Q: usize = 3;
}
mod b {
    pub const N: usize = 11;
    pub const M: usize = 4;
    #[shim::constant]
    pub const Q: usize = 5;
}
#[shim::located]
pub struct L {
    pub h: usize,
    #[shape(2 * h + 10)]
    pub base: Vec<u32>,
    #[shape(h + 5)]
    #[coarsened(2)]
    pub half: Vec<u32>,
    pub number: usize,
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
#[shim::kernel]
fn far<const D: usize>(v: impl Tensor<u32, 1>, n: usize) -> u32 { v[[n + D]] }
fn far_p<const D: usize>(v: p::T<'_>, n: usize) -> u32 { v.at(n as i64 + D as i64) }
mod p {
    use std::cell::Cell;

    pub type M<'a> = &'a [Cell<u32>];

    /// The memory of a block, and where it stands.
    #[derive(Clone, Copy)]
    struct Memory<'a> {
        cells: M<'a>,
        extent: i64,
        stride: i64,
        base: i64,
        density: i64,
        parent: Option<&'a T<'a>>,
    }

    impl<'a> Memory<'a> {
        fn cell(self, root: i64) -> Option<&'a Cell<u32>> {
            let index = (root - self.base).div_euclid(self.density);
            (0..self.extent).contains(&index).then(|| &self.cells[(index * self.stride) as usize])
        }
    }

    /// A predicate and the view it was applied to.
    #[derive(Clone, Copy)]
    struct Within<'a> {
        origin: i64,
        step: i64,
        asks: &'a dyn Fn(isize) -> bool,
        outer: Option<&'a Within<'a>>,
    }

    impl Within<'_> {
        fn allows(&self, root: i64) -> bool {
            self.outer.is_none_or(|outer| outer.allows(root))
                && (self.asks)((root - self.origin).div_euclid(self.step) as isize)
        }
    }

    /// Where indices lie in the root: that of index 0, and the distance of two.
    #[derive(Clone, Copy)]
    pub struct Span {
        origin: i64,
        step: i64,
        len: i64,
    }

    #[derive(Clone, Copy, PartialEq)]
    pub struct P {
        origin: i64,
        pub len: i64,
    }

    #[derive(Clone, Copy)]
    pub struct T<'a> {
        memory: Memory<'a>,
        origin: i64,
        step: i64,
        pub len: i64,
        within: Option<&'a Within<'a>>,
        fill: Option<u32>,
    }

    #[derive(Clone, Copy)]
    pub struct L<'a> {
        pub h: usize,
        pub base: T<'a>,
        pub half: T<'a>,
        pub number: usize,
    }

    fn kept<'a, X: 'a>(value: X) -> &'a X {
        Box::leak(Box::new(value))
    }

    fn cells<'a>(values: Vec<u32>) -> M<'a> {
        Box::leak(values.into_iter().map(Cell::new).collect())
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

    impl From<P> for Span {
        fn from(place: P) -> Span {
            Span { origin: place.origin, step: 1, len: place.len }
        }
    }

    impl From<T<'_>> for Span {
        fn from(tensor: T<'_>) -> Span {
            Span { origin: tensor.origin, step: tensor.step, len: tensor.len }
        }
    }

    impl P {
        pub fn new(origin: [isize; 1], len: [usize; 1]) -> P {
            P { origin: origin[0] as i64, len: ix(len[0]) }
        }

        pub fn origin(self, _: usize) -> isize {
            self.origin as isize
        }

        pub fn extent(self, _: usize) -> usize {
            self.len as usize
        }

        pub fn shifted(self, by: i64) -> P {
            P { origin: self.origin + by, ..self }
        }

        pub fn part(self, start: i64, len: i64) -> P {
            P { origin: self.origin + start, len }
        }

        pub fn contains(self, index: i64) -> bool {
            (0..self.len).contains(&index)
        }

        pub fn len(self) -> i32 {
            self.len as i32
        }
    }

    impl<'a> T<'a> {
        pub fn external(cells: M<'a>, extent: i64, stride: i64) -> T<'a> {
            T::at_place(cells, extent, stride, 0, 1).checked()
        }

        /// A row of a block of `count` rows, of which the first has `longer` elements and each one more than the one before
        /// it, with a look at the first element.
        pub fn row(cells: M<'a>, count: i64, longer: i64, row: i64, s: &mut u32) -> T<'a> {
            let start = |row: i64| i128::from(row) * (i128::from(row) - 1) / 2 + i128::from(longer * row);
            assert!(count >= 0 && start(count) <= cells.len() as i128);
            if count > 0 && longer > 0 {
                *s ^= cells[0].get();
            }
            let len = (row + longer).max(0);
            if !(0..count).contains(&row) {
                return T { len, ..T::external(&cells[..0], 0, 1) };
            }
            T::external(&cells[start(row) as usize..], len, 1)
        }

        /// A block that may not fit its memory.
        pub fn at_place(cells: M<'a>, extent: i64, stride: i64, base: i64, density: i64) -> T<'a> {
            let memory = Memory { cells, extent, stride, base, density, parent: None };
            T { memory, origin: base, step: density, len: extent, within: None, fill: None }
        }

        pub fn checked(self) -> T<'a> {
            let Memory { cells, extent, stride, .. } = self.memory;
            assert!(extent == 0 || (extent - 1) * stride < cells.len() as i64);
            self
        }

        pub fn heap(extent: i64) -> T<'a> {
            T::external(cells(vec![0; extent as usize]), extent, 1)
        }

        pub fn placed(self, base: i64) -> T<'a> {
            T { memory: Memory { base, ..self.memory }, origin: base, ..self }
        }

        pub fn to_block(self) -> T<'a> {
            assert!(self.within.is_none());
            let memory = Memory {
                cells: cells(vec![0; self.len as usize]),
                extent: self.len,
                stride: 1,
                base: self.origin,
                density: self.step,
                parent: Some(kept(self)),
            };
            T { memory, fill: None, ..self }
        }

        pub fn copied(self) -> T<'a> {
            let from = self.memory.parent.expect("a copy");
            for index in 0..self.len {
                self.set(index, from.at(index));
            }
            self
        }

        pub fn part(self, start: i64, len: i64) -> T<'a> {
            T { origin: self.origin + start * self.step, len, ..self }
        }

        pub fn rest(self, start: i64) -> T<'a> {
            self.part(start, (self.len - start).max(0))
        }

        pub fn shifted(self, by: i64) -> T<'a> {
            self.part(by, self.len)
        }

        pub fn coarsen(self, factor: usize) -> T<'a> {
            let factor = factor as i64;
            T { step: self.step * factor, len: (self.len + factor - 1) / factor, ..self }
        }

        pub fn over(self, by: impl Into<Span>) -> T<'a> {
            let Span { origin, step, len } = by.into();
            T { origin, step, len, ..self }
        }

        pub fn footprint(self, of: impl Into<Span>) -> T<'a> {
            let of = of.into();
            let start = (of.origin - self.origin).div_euclid(self.step);
            self.part(start, (of.len * of.step + self.step - 1) / self.step)
        }

        pub fn within(self, asks: impl Fn(isize) -> bool + 'a) -> T<'a> {
            let asks: &'a dyn Fn(isize) -> bool = Box::leak(Box::new(asks));
            let within = Within { origin: self.origin, step: self.step, asks, outer: self.within };
            T { within: Some(kept(within)), ..self }
        }

        pub fn filled(self, value: u32) -> T<'a> {
            T { fill: Some(value), ..self }
        }

        pub fn place(self) -> P {
            P { origin: self.origin, len: self.len * self.step }
        }

        pub fn origin(self, _: usize) -> isize {
            self.origin as isize
        }

        pub fn extent(self, _: usize) -> usize {
            self.len as usize
        }

        fn found(self, root: i64) -> Option<&'a Cell<u32>> {
            let own = self.memory.cell(root);
            let own = own.filter(|_| self.within.is_none_or(|within| within.allows(root)));
            own.or_else(|| self.memory.parent.and_then(|parent| parent.found(root)))
        }

        /// Where an index is in the root space. One that does not fit is as far outside as the last that does.
        fn root(self, index: i64) -> i64 {
            index.saturating_mul(self.step).saturating_add(self.origin)
        }

        pub fn contains(self, index: i64) -> bool {
            self.found(self.root(index)).is_some()
        }

        pub fn get(self, index: i64) -> Option<u32> {
            self.found(self.root(index)).map(Cell::get).or(self.fill)
        }

        pub fn at(self, index: i64) -> u32 {
            self.get(index).expect("an element")
        }

        pub fn bump(self, index: i64, by: u32) {
            let cell = self.memory.cell(self.origin + index * self.step).expect("an element");
            cell.set(cell.get() + by);
        }

        pub fn set(self, index: i64, value: u32) {
            self.memory.cell(self.origin + index * self.step).expect("an element").set(value);
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
        // The twin's indices saturate where those of kernels may overflow, which is a panic.
        if text.contains("index arithmetic overflows") { std::panic::resume_unwind(payload) }
        // Only what no twin can panic with is told.
        if text.contains("internal error") { text } else { "panics".to_owned() }
    })
}
/// The lengths of the located table, one of which is too short for the kernels that take it.
fn lengths(n: usize, m: usize) -> [usize; 2] {
    [2 * m + 10, if n == 16 { m + 4 } else { m + 5 }]
}
fn numbers(len: usize) -> Vec<u32> {
    (0..len as u32).map(|i| i * i + 1).collect()
}
fn box_of(n: usize, m: usize, k: usize) -> ([isize; 1], [usize; 1]) {
    ([k as isize - 1], [if n == 1 { m } else { 4 }])
}
pub fn run() -> Vec<Result<(u32, Vec<u32>), String>> {
    let (data, d) = (numbers(64), numbers(40));
    INPUTS.map(|[n, m, k]| outcome(|| {
        let mut out = vec![0; 50];
        let [base, half] = lengths(n, m).map(numbers);
        let mut l = L { h: m, base, half, number: k };
        let (origin, extents) = box_of(n, m, k);
        let s = kernel(&data, &mut out, &d, Place::new(origin, extents), &mut l, n, m, k);
        out.extend(l.base);
        (s, out)
    })).to_vec()
}
pub fn want() -> Vec<Result<(u32, Vec<u32>), String>> {
    use std::cell::Cell;
    let cells = |values: Vec<u32>| -> Vec<Cell<u32>> { values.into_iter().map(Cell::new).collect() };
    let (data, d) = (cells(numbers(64)), cells(numbers(40)));
    INPUTS.map(|[n, m, k]| outcome(|| {
        let out = cells(vec![0; 50]);
        let [base, half] = lengths(n, m).map(|len| cells(numbers(len)));
        let h = m as i64;
        let l = p::L {
            h: m,
            base: p::T::at_place(&base, 2 * h + 10, 1, 0, 1),
            half: p::T::at_place(&half, h + 5, 1, 0, 2),
            number: k,
        };
        let (origin, extents) = box_of(n, m, k);
        let s = plain(&data, &out, &d, p::P::new(origin, extents), l, n, m, k);
        (s, out.iter().chain(&base).map(Cell::get).collect())
    })).to_vec()
}
"#;
