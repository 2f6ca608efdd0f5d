//! Memory: what a block can stand on, when it is measured, and what happens when it is too small.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::common::{SHAPES, noise, panics_with};
use shim::prelude::*;

// --- external -------------------------------------------------------------------------------------------------

#[shim::kernel]
fn over_a_slice(t: &[i32], n: usize) -> i32 {
    let t = Block::external(t, [n]);
    t.indices().map(|[i]| (i + 1) * t[[i]]).sum::<i32>()
}

#[shim::kernel]
fn over_an_array(t: &[i32; 6]) -> i32 {
    let t = Block::external(t, [2, 3]);
    t.indices().map(|[y, x]| (3 * y + x + 1) * t[[y, x]]).sum::<i32>()
}

#[shim::kernel]
fn over_an_array_by_value(t: [i32; 6]) -> i32 {
    let t = Block::external(t, [6]);
    t.indices().map(|[i]| (i + 1) * t[[i]]).sum::<i32>()
}

#[shim::kernel]
fn over_a_vec(t: Vec<i32>) -> i32 {
    let t = Block::external(t, [t.len()]);
    t.indices().map(|[i]| (i + 1) * t[[i]]).sum::<i32>()
}

#[shim::kernel]
fn over_a_borrowed_vec(t: &Vec<i32>) -> i32 {
    let t = Block::external(t, [t.len()]);
    t.indices().map(|[i]| (i + 1) * t[[i]]).sum::<i32>()
}

#[shim::kernel]
fn over_a_box(t: &Box<[i32]>) -> i32 {
    let t = Block::external(t, [t.len()]);
    t.indices().map(|[i]| (i + 1) * t[[i]]).sum::<i32>()
}

#[shim::kernel]
fn over_references(t: &Vec<i32>) -> i32 {
    let a = Block::external(&t, [t.len()]);
    let b = Block::external(&t[..], [t.len()]);
    let c = Block::external(t.as_slice(), [t.len()]);
    let d = Block::external(&t[1..], [t.len() - 1]);
    let mut sum = 0;
    for [i] in a.indices() {
        assert_eq!((a[[i]], a[[i]]), (b[[i]], c[[i]]));
        if i > 0 {
            assert_eq!(a[[i]], d[[i - 1]]);
        }
        sum += (i + 1) * a[[i]];
    }
    sum
}

#[test]
fn blocks_that_are_read() {
    let t = vec![3, 1, 4, 1, 5, 9];
    let want: i32 = t.iter().zip(1..).map(|(v, i)| v * i).sum();
    let array: [i32; 6] = t.clone().try_into().expect("six");
    assert_eq!(over_a_slice(&t, 6), want);
    assert_eq!(over_an_array(&array), want);
    assert_eq!(over_an_array_by_value(array), want);
    assert_eq!(over_a_vec(t.clone()), want);
    assert_eq!(over_a_borrowed_vec(&t), want);
    assert_eq!(over_a_box(&t.clone().into_boxed_slice()), want);
    assert_eq!(over_references(&t), want);
}

#[derive(Default)]
struct Frame {
    samples: Vec<u8>,
    table: [u8; 4],
    nested: Inner,
    width: usize,
}

#[derive(Default)]
struct Inner {
    rows: Vec<Vec<u8>>,
    boxed: Box<[u8]>,
}

#[shim::kernel]
fn over_fields(frame: &mut Frame, by: u8) -> usize {
    let samples = Block::external(&mut frame.samples, [frame.samples.len() / frame.width, frame.width]);
    let table = Block::external(frame.table, [2, 2]);
    let boxed = Block::external(&mut frame.nested.boxed, [3]);
    for [y, x] in samples.indices() {
        samples[[y, x]] += by;
    }
    table[[1, 1]] = by;
    boxed[[2]] = samples[[0, 1]];
    samples.extent(0)
}

impl Frame {
    #[shim::kernel]
    fn brighten(&mut self, by: u8) -> u32 {
        let samples = Block::external(self.samples, [self.samples.len()]);
        let table = Block::external(&self.table, [4]);
        let mut sum = 0;
        for [i] in samples.indices() {
            samples[[i]] = samples[[i]].saturating_add(by);
            sum += u32::from(samples[[i]]);
        }
        sum + u32::from(table[[3]])
    }

    #[shim::kernel]
    fn sum(&self) -> u32 {
        let samples = Block::external(self.samples, [self.samples.len() / self.width, self.width]);
        samples.indices().map(|[y, x]| u32::from(samples[[y, x]])).sum::<u32>()
    }
}

#[test]
fn blocks_over_fields() {
    let mut frame = Frame {
        samples: vec![1, 2, 3, 4, 5, 6],
        table: [7; 4],
        nested: Inner { rows: Vec::new(), boxed: vec![0; 3].into() },
        width: 2,
    };
    assert_eq!(over_fields(&mut frame, 10), 3);
    assert_eq!(frame.samples, [11, 12, 13, 14, 15, 16]);
    assert_eq!(frame.table, [7, 7, 7, 10]);
    assert_eq!(*frame.nested.boxed, [0, 0, 12]);
    assert_eq!(frame.brighten(241), 252 + 253 + 254 + 3 * 255 + 10);
    assert_eq!(frame.sum(), 252 + 253 + 254 + 3 * 255);
    assert!(frame.nested.rows.is_empty());
}

#[shim::kernel]
fn writes_through_everything(
    slice: &mut [i32],
    array: &mut [i32; 2],
    vector: &mut Vec<i32>,
    boxed: &mut Box<[i32]>,
    mut owned: Vec<i32>,
    v: i32,
) -> Vec<i32> {
    let a = Block::external(slice, [2]);
    let b = Block::external(array, [2]);
    let c = Block::external(vector, [2]);
    let d = Block::external(boxed, [2]);
    let e = Block::external(owned, [2]);
    for [i] in a.indices() {
        a[[i]] = v + i;
        b[[i]] = v + 10 + i;
        c[[i]] = v + 20 + i;
        d[[i]] = v + 30 + i;
        e[[i]] = v + 40 + i;
    }
    owned
}

#[shim::kernel]
fn local_memory(n: usize) -> Vec<i32> {
    let mut row = vec![0; n];
    let mut table = [1, 2, 3, 4];
    {
        let t = Block::external(row, [n]);
        let [i] = iters();
        t[[i]] = i * i;
    }
    row.push(-1);
    {
        let table = Block::external(&mut table, [2, 2]);
        table[[1, 0]] = 30;
    }
    // The borrow ended with the last use of the tensor, as in Rust.
    row.extend(table);
    row
}

#[test]
fn blocks_that_are_written() {
    let (mut a, mut b, mut c, mut d) = ([0; 3], [0; 2], vec![0; 2], vec![0; 4].into_boxed_slice());
    let e = writes_through_everything(&mut a, &mut b, &mut c, &mut d, vec![9; 3], 5);
    assert_eq!((a, b, c, &*d, e), ([5, 6, 0], [15, 16], vec![25, 26], &[35, 36, 0, 0][..], vec![45, 46, 9]));
    assert_eq!(local_memory(3), [0, 1, 4, -1, 1, 2, 30, 4]);
    assert_eq!(local_memory(0), [-1, 1, 2, 30, 4]);
}

// --- rows -----------------------------------------------------------------------------------------------------

#[shim::kernel]
fn over_slices_of_slices(t: &[&[i32]], h: usize, w: usize) -> i32 {
    let t = Block::external(t, [h, w]);
    t.indices().map(|[y, x]| (10 * y + x) * t[[y, x]]).sum::<i32>()
}

#[shim::kernel]
fn over_vecs_of_vecs(t: &mut Vec<Vec<i32>>, h: usize, w: usize) -> i32 {
    let t = Block::external(t, [h, w]);
    let turned = t.permute([1, 0]);
    for [x, y] in turned.indices() {
        turned[[x, y]] += 1;
    }
    t.indices().map(|[y, x]| (10 * y + x) * t[[y, x]]).sum::<i32>()
}

#[shim::kernel]
fn over_arrays_of_arrays(t: &mut [[i32; 3]; 2], y: usize, x: usize) -> i32 {
    let t = Block::external(t, [2, 3]);
    let before = t[[y, x]];
    t[[y, x]] = 50;
    before + t[[y, x - 1]]
}

#[shim::kernel]
fn over_mutable_rows(t: &mut [&mut [i32]], h: usize, w: usize, v: i32) {
    let t = Block::external(t, [h, w]);
    let [y, x] = iters();
    t[[y, x]] = 10 * y + x + v;
}

#[test]
fn blocks_over_rows() {
    for &(h, w) in SHAPES {
        // Rows may be longer than the block's.
        let rows: Vec<Vec<i32>> = (0..h).map(|y| noise(w + y % 3, 100)).collect();
        let slices: Vec<&[i32]> = rows.iter().map(Vec::as_slice).collect();
        let weigh = |rows: &[Vec<i32>]| -> i32 {
            (0..h)
                .flat_map(|y| (0..w).map(move |x| (y, x)))
                .map(|(y, x)| (10 * y + x) as i32 * rows[y][x])
                .sum()
        };
        assert_eq!(over_slices_of_slices(&slices, h, w), weigh(&rows));
        let mut bumped = rows.clone();
        let sum = over_vecs_of_vecs(&mut bumped, h, w);
        for y in 0..h {
            for x in 0..rows[y].len() {
                assert_eq!(bumped[y][x], rows[y][x] + i32::from(x < w));
            }
        }
        assert_eq!(sum, weigh(&bumped));
        let mut slices: Vec<&mut [i32]> = bumped.iter_mut().map(Vec::as_mut_slice).collect();
        over_mutable_rows(&mut slices, h, w, 3);
        assert!((0..h).all(|y| (0..w).all(|x| bumped[y][x] == (10 * y + x) as i32 + 3)));
    }
    let mut t = [[1, 2, 3], [4, 5, 6]];
    assert_eq!(over_arrays_of_arrays(&mut t, 1, 2), 6 + 5);
    assert_eq!(t, [[1, 2, 3], [4, 5, 50]]);
    panics_with(|| over_arrays_of_arrays(&mut t, 1, 0), &["over_arrays_of_arrays", "-1", "[2, 3]"]);
    let short: [&[i32]; 3] = [&[1, 2], &[3], &[5, 6]];
    panics_with(
        || over_slices_of_slices(&short, 3, 2),
        &["over_slices_of_slices", "row 1", "length 1", "[3, 2]"],
    );
    panics_with(|| over_slices_of_slices(&short, 4, 1), &["over_slices_of_slices", "length 3", "[4, 1]"]);
    assert_eq!(over_slices_of_slices(&short, 3, 1), 30 + 100);
}

// --- pointers -------------------------------------------------------------------------------------------------

/// # Safety
/// Both pointers are to `n` elements.
#[shim::kernel]
#[allow(unsafe_code, unsafe_op_in_unsafe_fn)]
unsafe fn over_pointers(from: *const i32, to: *mut i32, n: usize) {
    let from = Block::external(from, [n]);
    let to = Block::external(to, [n]);
    let [i] = iters();
    to[[i]] = from[[i]] * 2;
}

/// # Safety
/// The pointers are to six elements.
#[shim::kernel]
#[allow(unsafe_code, unsafe_op_in_unsafe_fn)]
unsafe extern "C" fn over_casted_pointers(from: *const u8, to: *mut u8) -> i32 {
    let from = Block::external(from as *const i8, [2, 3]);
    let to = Block::external(to, [3, 2]);
    to[[0, 1]] = 9;
    i32::from(from[[1, 2]])
}

#[test]
#[allow(unsafe_code)]
fn blocks_over_pointers() {
    let from = [1, 2, 3, 4];
    let mut to = [0; 4];
    // SAFETY: both arrays have the four elements.
    unsafe { over_pointers(from.as_ptr(), to.as_mut_ptr(), 4) };
    assert_eq!(to, [2, 4, 6, 8]);
    let (bytes, mut out) = ([0u8, 0, 0, 0, 0, 255], [0u8; 6]);
    // SAFETY: both arrays have the six elements.
    assert_eq!(unsafe { over_casted_pointers(bytes.as_ptr(), out.as_mut_ptr()) }, -1);
    assert_eq!(out, [0, 9, 0, 0, 0, 0]);
}

// --- memory of the kernel's own ---------------------------------------------------------------------------------

#[shim::kernel]
fn own_memory(h: usize, w: usize) -> (i64, i64) {
    let a = Block::heap::<i64>([h, w]);
    let b = Block::stack::<i16>([3, 5]);
    let c = Block::heap([h]);
    let zeros = a.indices().map(|[y, x]| a[[y, x]]).sum::<i64>()
        + b.indices().map(|[y, x]| i64::from(b[[y, x]])).sum::<i64>();
    for [y, x] in a.indices() {
        a[[y, x]] = i64::from(10 * y + x);
    }
    for [y] in c.indices() {
        c[[y]] = 1u8;
    }
    b[[2, 4]] = -7;
    let ones = c.indices().map(|[y]| i64::from(c[[y]])).sum::<i64>();
    (zeros, a.indices().map(|[y, x]| a[[y, x]]).sum::<i64>() + i64::from(b[[2, 4]]) + ones)
}

#[shim::kernel]
fn copies_of_casts(t: &[u8; 16]) -> (i32, u8, f32) {
    let t = Block::external(t, [4, 4]);
    // A copy of a cast view holds elements of the cast's type.
    let wide = t[[0..2, 0..2]].cast::<i32>().to_stack();
    let narrow = t[[0..2, 0..2]].to_block();
    let float = t.cast::<f32>().to_block().copied();
    wide[[1, 1]] = 100_000;
    narrow[[0, 0]] = 200;
    float[[0, 0]] += 0.5;
    (wide[[1, 1]] + wide[[2, 2]], narrow[[0, 0]], float[[0, 0]] + float[[3, 3]])
}

#[shim::kernel]
fn zeroed_copies(t: &[i32], n: usize) -> (i32, i32) {
    let t = Block::external(t, [n]);
    let zero = t.to_block();
    let full = t.to_block().copied();
    (zero.indices().map(|[i]| zero[[i]]).sum::<i32>(), full.indices().map(|[i]| full[[i]]).sum::<i32>())
}

#[test]
fn memory_of_the_kernels_own() {
    for &(h, w) in SHAPES {
        let want: i64 = (0..h).flat_map(|y| (0..w).map(move |x| (10 * y + x) as i64)).sum();
        assert_eq!(own_memory(h, w), (0, want - 7 + h as i64));
    }
    let t: [u8; 16] = std::array::from_fn(|i| i as u8 + 1);
    assert_eq!(copies_of_casts(&t), (100_011, 200, 17.5));
    for n in 0..5 {
        let t = vec![3; n];
        assert_eq!(zeroed_copies(&t, n), (0, 3 * n as i32));
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Weird(u8);

impl Default for Weird {
    fn default() -> Self {
        Weird(42)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Nothing;

#[shim::kernel]
fn filled_with_the_default(n: usize) -> (Weird, Weird, Weird) {
    let heap = Block::heap::<Weird>([n]);
    let stack = Block::stack::<Weird>([3]);
    let copy = heap[[0..1]].to_stack();
    let last = heap[[n - 1]];
    heap[[0]] = Weird(1);
    stack[[0]] = Weird(2);
    (last, stack[[1]], copy[[0]])
}

#[shim::kernel]
fn nothing_at_all(t: &mut [Nothing], n: usize) -> usize {
    let t = Block::external(t, [n, n]);
    let own = t.to_block();
    for [y, x] in t.indices() {
        own[[y, x]] = t[[x, y]];
        t[[y, x]] = own[[y, x]];
    }
    t.indices().filter(|&[y, x]| t[[y, x]] == Nothing).count()
}

#[shim::kernel]
fn huge_and_empty(t: &[Nothing]) -> Nothing {
    let t = Block::external(t, [1usize << 31, 1usize << 31]);
    t[[(1usize << 31) - 1, 5]]
}

#[test]
fn elements_of_every_kind() {
    assert_eq!(filled_with_the_default(2), (Weird(42), Weird(42), Weird(42)));
    assert_eq!(nothing_at_all(&mut [Nothing; 9], 3), 9);
    panics_with(|| nothing_at_all(&mut [Nothing; 8], 3), &["nothing_at_all", "[3, 3]", "length 8"]);
    let nothings = &[Nothing; 1 << 62];
    assert_eq!(huge_and_empty(nothings), Nothing);
}

// --- sizes ----------------------------------------------------------------------------------------------------

#[shim::kernel]
fn measured_before_borrowed(t: &mut Vec<i32>) -> usize {
    // The extents are evaluated before the place, so that it can be measured in them.
    let t = Block::external(
        {
            t.push(7);
            &mut *t
        },
        [{
            t.push(8);
            t.len()
        }],
    );
    t[[0]] = 1;
    t.extent(0)
}

#[shim::kernel]
fn sized(t: &mut [u8], a: usize, b: usize, c: usize) -> usize {
    let t = Block::external(t, [a, b, c]);
    for [i, j, k] in t.indices() {
        t[[i, j, k]] = 1;
    }
    t.extent(0) * t.extent(1) * t.extent(2)
}

#[shim::kernel]
fn signed_extent(t: &[u8], n: i64) -> usize {
    let t = Block::external(t, [n]);
    t.extent(0)
}

#[shim::kernel]
fn heap_of(a: usize, b: usize) -> usize {
    let t = Block::heap::<u8>([a, b]);
    t.extent(0)
}

#[test]
fn sizes_are_checked() {
    let mut t = vec![5];
    assert_eq!(measured_before_borrowed(&mut t), 2);
    assert_eq!(t, [1, 8, 7]);
    for a in 0..4 {
        for b in 0..4 {
            for c in 0..4 {
                for len in 0..30 {
                    let mut memory = vec![0; len];
                    if a * b * c <= len {
                        assert_eq!(sized(&mut memory, a, b, c), a * b * c);
                        assert_eq!(memory.iter().map(|&v| usize::from(v)).sum::<usize>(), a * b * c);
                    } else {
                        let extents = format!("[{a}, {b}, {c}]");
                        panics_with(|| sized(&mut memory, a, b, c), &["sized", "`t`", &extents]);
                        assert!(memory.iter().all(|&v| v == 0));
                    }
                }
            }
        }
    }
    // The product is checked: one that wraps to a small number does not fit.
    panics_with(|| sized(&mut [0; 8], 1 << 32, 1 << 32, 1), &["sized", "does not fit"]);
    panics_with(|| sized(&mut [0; 8], usize::MAX, 1, 1), &["isize"]);
    panics_with(|| sized(&mut [0; 8], 1 << 62, 4, 1), &["sized", "does not fit"]);
    assert_eq!(signed_extent(&[1, 2], 2), 2);
    panics_with(|| signed_extent(&[1, 2], -1), &["-1"]);
    panics_with(|| signed_extent(&[1, 2], 3), &["signed_extent", "[3]", "length 2"]);
    panics_with(|| heap_of(1 << 40, 1 << 40), &["heap_of"]);
    assert_eq!(heap_of(0, 1 << 40), 0);
}

// --- drop -----------------------------------------------------------------------------------------------------

static ALIVE: AtomicUsize = AtomicUsize::new(0);

struct Guard;

impl Guard {
    fn new() -> Self {
        ALIVE.fetch_add(1, Ordering::SeqCst);
        Guard
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        ALIVE.fetch_sub(1, Ordering::SeqCst);
    }
}

#[shim::kernel]
fn user_code_panics(n: usize, at: i32) -> i32 {
    let _guard = Guard::new();
    let t = Block::heap::<i32>([n]);
    for [i] in t.indices() {
        assert!(i != at, "stopped at {i}");
        t[[i]] = i;
    }
    t[[0]]
}

#[test]
fn panics_unwind() {
    assert_eq!(user_code_panics(5, 9), 0);
    panics_with(|| user_code_panics(5, 3), &["stopped at 3"]);
    assert_eq!(ALIVE.load(Ordering::SeqCst), 0);
}
