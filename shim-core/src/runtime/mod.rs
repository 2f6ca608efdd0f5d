//! Tensors with memory, as `UniTeX` defines them (chapter 5 of the thesis).

mod access;
pub mod algebra;
mod block;
mod boundary;
mod indices;
mod located;
mod operations;
mod origin;
mod over;
mod parts;
mod place;
mod view;
mod view_mut;

pub use access::AccessError;
pub use block::{Block, BlockError};
pub use boundary::{Boundary, BoundaryRules};
pub use indices::Indices;
pub use located::Located;
pub use operations::TensorOps;
pub use origin::{DeclaredAxis, OriginError, declared_origin};
pub use parts::{Parts, PartsError, PartsMut};
pub use place::Place;
pub use view::View;
pub use view_mut::ViewMut;
