//! Located structs: a struct that says once where its fields are, and the kernels that take it.
//!
//! `#[shim::located]` leaves the struct as it is, without the attributes of its fields, and exports these beside it as
//! a macro of the struct's name, as [templates](super) are. A kernel with a parameter `#[located] picture: &Picture`
//! expands first to a call of that macro, and then, with the declaration at hand, to a kernel in which each field that
//! it mentions has a name:
//!
//! ```text
//! let picture_h: usize = picture.h;
//! let picture_mv = Block::external(picture.mv, [4 * picture_h, 4 * picture_w]).coarsened([4, 4]);
//! .. the body, with picture_mv in the place of picture.mv ..
//! ```
//!
//! So a field is a block like any other, and its length is checked where the kernel begins. Its place is borrowed
//! mutably only if the kernel writes it.
//!
//! A struct that is cut into rows has a second struct of them beside it: see [`rows`].

mod declaration;
mod declare;
mod kernel;
mod mentioned;
mod names;
mod parameter;
mod rebinding;
mod rows;

pub(super) use declaration::Declaration;
pub use declare::declare;
pub(super) use declare::{with_nested, without_declaration};
pub(super) use kernel::name;
pub(super) use parameter::{Taken, taken};
