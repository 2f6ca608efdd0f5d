//! Arrays with a location, staged at compile time into flat loops.
//!
//! A codec, an image or an array program is full of small blocks that stand at some place in a larger whole. Here the
//! place belongs to the array: a view knows where it is, a formula may reach for its neighbors, and a chroma plane is
//! found from a luma block without a division. The attribute [`#[shim::kernel]`](macro@kernel) works all that out when
//! it expands, and leaves loops over slices.
//!
//! **A negative index is the neighbor outside the view, never "from the end".** `p[[-1, 0]]` is the element above
//! the view's first one.
//!
//! ```
//! use shim::prelude::*;
//!
//! /// Each sample predicted from the three known ones around it (the Paeth predictor of PNG).
//! #[shim::kernel]
//! fn paeth(frame: &[u8], h: usize, w: usize, y: usize, x: usize) -> u8 {
//!     let frame = Block::external(frame, [h, w]);
//!     let p = frame[[y.., x..]].boundary(Fill(0)).cast::<i32>();
//!     let (left, above, corner) = (p[[0, -1]], p[[-1, 0]], p[[-1, -1]]);
//!     let near = left + above - corner;
//!     let (l, a, c) = ((near - left).abs(), (near - above).abs(), (near - corner).abs());
//!     (if l <= a && l <= c { left } else if a <= c { above } else { corner }) as u8
//! }
//!
//! let frame = [10, 20, 30, 40];
//! assert_eq!(paeth(&frame, 2, 2, 1, 1), 30);
//! assert_eq!(paeth(&frame, 2, 2, 0, 0), 0);
//! ```
//!
//! The language has its own chapter: [`language`]. The `examples/` of the repository are programs to run and read.
//!
//! # Two ways to compute the same
//!
//! Kernels are staged. Beside them stands a runtime library with the same operations: [`Block`] owns elements,
//! [`View`] and [`ViewMut`] look at them, [`TensorOps`] holds the operations, and [`Space`] and [`TensorSpace`] the
//! algebra of locations below both. It computes each access from the chain of spaces. That makes it slow, and the
//! oracle that the compiler is tested against. Its tensors can be given to kernels.
//!
//! # Features
//!
//! * `std` (default): kernels with [`simd`](language::output) choose between instruction sets when the program runs.
//!   Without it the crate is `no_std` with `alloc`, and the choice is made by the build's target features.
//! * `parallel`: `#[parallel]` loops run on threads.
//! * `ndarray`, `image`: [arrays and pictures](language::tensors#arrays-and-pictures-of-other-crates) of these crates are tensors, where
//!   they are parameters of kernels.
//! * `compiler` (default): kernels are staged. Without it they are found among the expansions that their crate has
//!   stored.
#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

#[cfg(feature = "compiler")]
pub mod algebra;
mod published;

pub use published::{Published, Publisher};
pub use shim_core::{
    AccessError, Block, BlockError, Boundary, BoundaryRules, Integer, Interval, Link, Located, LocationError,
    Order, Part, Place, Space, TensorOps, TensorSpace, View, ViewMut, orders, points,
};
/// ```
/// use shim::prelude::*;
///
/// #[shim::kernel]
/// pub fn transpose(a: &[f32], h: usize, w: usize, out: &mut [f32]) {
///     let a = Block::external(a, [h, w]);
///     let out = Block::external(out, [w, h]);
///     let [x, y] = iters();
///     out[[x, y]] = a[[y, x]];
/// }
///
/// let mut out = [0.0; 6];
/// transpose(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 2, 3, &mut out);
/// assert_eq!(out, [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
/// ```
///
/// The language is described in [`language`], the options of the attribute
/// [there as well](language::output#options-of-the-attribute).
pub use shim_macros::kernel;
/// ```
/// use shim::prelude::*;
///
/// type Vector = [i16; 2];
///
/// /// A picture of `h` x `w` macroblocks, in samples of luma.
/// #[shim::located]
/// struct Picture {
///     h: usize,
///     w: usize,
///     #[shape(16 * h, 16 * w)]
///     luma: Vec<u8>,
///     #[shape(4 * h, 4 * w)]
///     #[coarsened(4, 4)]
///     mv: Vec<Vector>,
/// }
///
/// /// The vectors at the left of a block and above it.
/// #[shim::kernel]
/// fn neighbors(#[located] picture: &Picture, block: Place<2>) -> [Vector; 2] {
///     let mv = picture.mv[block].boundary(Fill([0, 0]));
///     [mv[[0, -1]], mv[[-1, 0]]]
/// }
///
/// let mut picture = Picture { h: 1, w: 1, luma: vec![0; 256], mv: vec![[0, 0]; 16] };
/// picture.mv[4] = [3, -1];
/// assert_eq!(neighbors(&picture, Place::new([4, 4], [4, 4])), [[3, -1], [0, 0]]);
/// ```
///
/// [The page on tensors](language::tensors#located-structs) has the rules.
pub use shim_macros::located;

/// ```
/// mod scan {
///     /// The frequencies of a block of 2x2 in the order in which they are coded.
///     #[shim::constant]
///     pub const SCAN: [[usize; 2]; 4] = [[0, 0], [0, 1], [1, 0], [1, 1]];
/// }
///
/// /// The sum over the scan, where each index is known when the kernel is expanded.
/// #[shim::kernel]
/// fn weighted(#[shape(2, 2)] block: &[i32]) -> i32 {
///     #[staged]
///     use crate::scan::SCAN;
///     let mut sum = 0;
///     #[unroll]
///     for k in 0..4 {
///         sum += (k as i32 + 1) * block[[SCAN[k][0], SCAN[k][1]]];
///     }
///     sum
/// }
///
/// # fn main() {
/// assert_eq!(weighted(&[1, 10, 100, 1000]), 4321);
/// # }
/// ```
///
/// [The page on names](language::binding#staged-constants) has the rules.
pub use shim_macros::constant;

/// ```
/// mod layouts {
///     use shim::prelude::*;
///
///     /// Blocks of four rows, the rows of each next to one another.
///     #[shim::layout]
///     pub fn blocks(h: usize, w: usize) -> Order {
///         row_major.then([h / 4, 4, w], axes([1, 0, 2]))
///     }
/// }
///
/// use shim::prelude::*;
///
/// /// The samples of a picture of 8x2, block by block.
/// #[shim::kernel]
/// fn to_blocks(#[shape(8, 2)] picture: &[u8], out: &mut [u8]) {
///     #[staged]
///     use crate::layouts::blocks;
///     let out = Block::external(out, [8, 2]).stored(blocks(8, 2));
///     let [y, x] = iters();
///     out[[y, x]] = picture[[y, x]];
/// }
///
/// # fn main() -> Result<(), shim::LocationError> {
/// let mut out = [0; 16];
/// to_blocks(&core::array::from_fn::<u8, 16, _>(|i| i as u8), &mut out);
/// assert_eq!(out[..6], [0, 1, 8, 9, 2, 3]);
/// // The same order outside of kernels.
/// assert_eq!(layouts::blocks(8, 2).layout(&[8_i64, 2])?.offset(&[4, 0])?, 2);
/// # Ok(())
/// # }
/// ```
///
/// [The page on layouts](language::layouts#named-layouts) has the rules.
pub use shim_macros::layout;

#[doc(hidden)]
#[path = "private/mod.rs"]
pub mod __private;
pub mod language;
pub mod prelude;
mod simd;

pub use simd::{ParseSimdLevelError, SimdLevel, limit_simd};

/// The kernel on the first page compiles as well.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct ReadmeExamples;
