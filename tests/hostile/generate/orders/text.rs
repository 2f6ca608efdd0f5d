//! The text that all programs have.

/// Types and functions with effects, macros, items that have the names of locals, and the twin's tensors.
pub(in crate::generate) const PRELUDE: &str = r#"use shim::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

type M = &'static [std::cell::Cell<i32>];

/// Effects in their sequence.
static LOG: AtomicU64 = AtomicU64::new(0);
fn tick(v: i32) -> i32 {
    LOG.store(LOG.load(Ordering::SeqCst).wrapping_mul(31).wrapping_add(v as u64), Ordering::SeqCst);
    v
}
fn calm(v: i32) -> i32 { v % 100 ^ 5 }

#[derive(Clone, Copy)]
pub struct S { a: i32, b: Option<i32> }
#[derive(Clone, Copy)]
pub enum W { A { x: i32 }, B(i32, i32), C }
struct Poison;

struct U(i32);
impl Clone for U { fn clone(&self) -> U { U(tick(self.0)) } }
impl Copy for U {}
impl std::ops::Add for U { type Output = U; fn add(self, o: U) -> U { U(tick(self.0 % 500 + o.0 % 500)) } }
impl std::ops::Neg for U { type Output = U; fn neg(self) -> U { U(tick(self.0 % 1000)) } }
impl std::ops::Not for U { type Output = U; fn not(self) -> U { U(tick(self.0)) } }
impl std::ops::AddAssign<i32> for U { fn add_assign(&mut self, o: i32) { self.0 = tick(o) } }
impl PartialEq for U { fn eq(&self, o: &U) -> bool { tick(self.0) == o.0 } }
impl PartialOrd for U {
    fn partial_cmp(&self, o: &U) -> Option<std::cmp::Ordering> { tick(self.0).partial_cmp(&o.0) }
}
impl U {
    fn abs(self) -> i32 { tick(self.0) }
    fn min(self, o: i32) -> i32 { tick(self.0 % 500 + o % 500) }
}
impl From<U> for i32 { fn from(u: U) -> i32 { tick(u.0) } }
struct V(i32);
impl Drop for V { fn drop(&mut self) { tick(self.0); } }
struct D([i32; 2]);
impl std::ops::Deref for D { type Target = i32; fn deref(&self) -> &i32 { tick(self.0[0]); &self.0[0] } }
impl std::ops::Index<usize> for D { type Output = i32; fn index(&self, i: usize) -> &i32 { tick(self.0[i]); &self.0[i] } }
impl D { fn get(&self) -> i32 { tick(self.0[1]) } }
trait N { fn wrapping_add(self, o: i32) -> i32; }
impl N for i32 { fn wrapping_add(self, o: i32) -> i32 { tick(self % 500 + o % 500) } }

macro_rules! set { ($n:ident, $e:expr) => { $n = $e }; }
macro_rules! loud { ($e:expr) => { tick($e) }; }
macro_rules! bring { () => { const x: Poison = Poison; const y_tile: u8 = 3; static o_mem: Poison = Poison; fn o_base() {} }; }
mod far {
    pub const x: isize = 1 << 40;
    pub const y: usize = 1 << 40;
    pub const x_2: super::Poison = super::Poison;
    pub static o_mem: [u8; 1] = [9];
    pub fn o_base() {}
    pub const y_tile: isize = -1;
    pub const a_mem: u8 = 1;
}
mod p {
    use std::cell::{Cell, RefCell};

    pub fn ix<I: TryInto<i64>>(index: I) -> i64 { index.try_into().ok().expect("an index") }
    pub fn below(value: i32, bound: i32) -> Option<i32> { (value < bound).then_some(value) }

    #[derive(Clone, Copy)]
    pub struct Grid {
        cells: &'static [Cell<i32>],
        extents: [i64; 2],
        strides: [i64; 2],
        narrow: bool,
        fill: Option<i32>,
    }
    impl Grid {
        pub fn external(cells: &'static [Cell<i32>], extents: [usize; 2], strides: [usize; 2]) -> Grid {
            Grid { cells, extents: extents.map(ix), strides: strides.map(ix), narrow: false, fill: None }
        }
        pub fn heap(extents: [usize; 2]) -> Grid {
            Grid::external(memory(extents[0] * extents[1], |_| 0), extents, [extents[1], 1])
        }
        /// Of bytes that are seen as numbers.
        pub fn cast<I>(self) -> Grid { Grid { narrow: true, ..self } }
        pub fn filled(self, value: i32) -> Grid { Grid { fill: Some(value), ..self } }
        pub fn extent(&self, axis: usize) -> usize { self.extents[axis] as usize }
        fn cell(&self, [y, x]: [i64; 2]) -> Option<&'static Cell<i32>> {
            let inside = (0..self.extents[0]).contains(&y) && (0..self.extents[1]).contains(&x);
            inside.then(|| &self.cells[(y * self.strides[0] + x * self.strides[1]) as usize])
        }
        pub fn get(&self, at: [i64; 2]) -> Option<i32> { self.cell(at).map(Cell::get).or(self.fill) }
        pub fn at(&self, at: [i64; 2]) -> i32 { self.get(at).expect("an element") }
        pub fn set(&self, at: [i64; 2], value: i32) {
            let value = if self.narrow { i32::from(value as u8) } else { value };
            self.cell(at).expect("an element").set(value);
        }
        pub fn bump(&self, at: [i64; 2], by: i32) { self.set(at, self.at(at) + by) }
    }
    pub fn memory(len: usize, value: impl Fn(usize) -> i32) -> &'static [Cell<i32>] {
        Box::leak((0..len).map(|i| Cell::new(value(i))).collect())
    }

    pub struct List { capacity: usize, values: RefCell<Vec<i32>> }
    impl List {
        pub fn new(capacity: usize) -> List { List { capacity, values: RefCell::new(Vec::new()) } }
        pub fn push(&self, value: i32) {
            assert!(self.len() < self.capacity);
            self.values.borrow_mut().push(value);
        }
        pub fn push_if(&self, keep: bool, value: i32) {
            assert!(self.len() < self.capacity);
            if keep { self.push(value) }
        }
        pub fn extend(&self, values: impl Iterator<Item = i32>) {
            let values: Vec<i32> = values.collect();
            assert!(self.len() + values.len() <= self.capacity);
            values.into_iter().for_each(|value| self.push(value));
        }
        pub fn truncate(&self, len: usize) { self.values.borrow_mut().truncate(len) }
        pub fn len(&self) -> usize { self.values.borrow().len() }
        pub fn at(&self, i: usize) -> i32 { self.values.borrow()[i] }
    }
}
fn mix(all: i64, value: i32) -> i64 { all.wrapping_mul(31).wrapping_add(i64::from(value)) }
"#;

/// The kernel and its twin around what is generated.
pub(super) const PROGRAM: &str = r"#[shim::kernel]
fn kernel(a: &[i32], words: &mut [i32], bytes: &mut [u8], list: &mut [i32], q: Option<i32>, g: S, e: W, t: (i32, [i32; 3]), n: usize, m: usize) -> i64 {
<KERNEL>    let mut all = i64::from(last) ^ i64::from(opt.unwrap_or(1));
    all = mix(all, sum);
    for [y, x] in o.indices() { all = mix(all, o[[y, x]]); }
    for [y, x] in b.indices() { all = mix(all, b[[y, x]]); }
    for i in 0..list.len() { all = mix(all, list[[i]]); }
    all
}
fn plain(a: M, words: M, bytes: M, q: Option<i32>, g: S, e: W, t: (i32, [i32; 3]), n: usize, m: usize) -> i64 {
<PLAIN>    let mut all = i64::from(last) ^ i64::from(opt.unwrap_or(1));
    all = mix(all, sum);
    for y in 0..o.extent(0) { for x in 0..o.extent(1) { all = mix(all, o.at([p::ix(y), p::ix(x)])); } }
    for y in 0..b.extent(0) { for x in 0..b.extent(1) { all = mix(all, b.at([p::ix(y), p::ix(x)])); } }
    for i in 0..list.len() { all = mix(all, list.at(i)); }
    all
}
";

/// Several inputs: extents of zero, one and more, and values that are found or missing.
pub(in crate::generate) const RUN: &str = r#"type Outcome = Result<(i64, Vec<i32>, u64), String>;
const INPUTS: [([usize; 2], Option<i32>, i32); 6] =
    [([4, 6], Some(3), 2), ([3, 3], None, 7), ([1, 7], Some(-5), 0), ([0, 4], None, 1), ([9, 8], Some(1 << 20), 9), ([5, 2], Some(12), 30)];
fn own(k: i32) -> (S, W, (i32, [i32; 3])) {
    let e = match k % 3 { 0 => W::A { x: k }, 1 => W::B(k, 4), _ => W::C };
    (S { a: k, b: (k > 1).then_some(k + 1) }, e, (k & 3, [k, 2, 5]))
}
fn outcome(f: impl FnOnce() -> (i64, Vec<i32>)) -> Outcome {
    LOG.store(0, Ordering::SeqCst);
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(f)).map_err(|payload| {
        let text = payload.downcast_ref::<String>().cloned();
        let text = text.or_else(|| payload.downcast_ref::<&str>().map(ToString::to_string)).unwrap_or_default();
        // Only what no twin can panic with is told.
        if text.contains("internal error") { text } else { "panics".to_owned() }
    });
    result.map(|(all, memory)| (all, memory, LOG.load(Ordering::SeqCst)))
}
fn sample(i: usize) -> i32 { (i * i + 3 * i) as i32 % 97 }
pub fn run() -> Vec<Outcome> {
    let a: Vec<i32> = (0..200).map(sample).collect();
    INPUTS.map(|([n, m], q, k)| outcome(|| {
        let (mut words, mut bytes, mut list) = (vec![1; 400], vec![1; 400], vec![0; 2000]);
        let (g, e, t) = own(k);
        let all = kernel(&a, &mut words, &mut bytes, &mut list, q, g, e, t, n, m);
        words.extend(bytes.into_iter().map(i32::from));
        (all, words)
    })).to_vec()
}
pub fn want() -> Vec<Outcome> {
    let a = p::memory(200, sample);
    INPUTS.map(|([n, m], q, k)| outcome(|| {
        let [words, bytes] = [p::memory(400, |_| 1), p::memory(400, |_| 1)];
        let (g, e, t) = own(k);
        let all = plain(a, words, bytes, q, g, e, t, n, m);
        (all, words.iter().chain(bytes).map(|cell| cell.get()).collect())
    })).to_vec()
}
"#;
