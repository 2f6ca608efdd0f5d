//! The surface language by shape alone: which tokens are a method of tensors, a block's constructor, a macro of std, an
//! index list or a range.
//!
//! Nothing here knows what a name is bound to. [`link`](crate::link), which finds the templates that a function calls, and
//! [`bind`](crate::bind), which stages it, share one answer to what is a tensor: [`TensorExpr`].
//!
//! Adding a method or a constructor begins with a row of [`method`] or [`constructor`]; the compiler then lists what is
//! missing.

pub mod attribute;
pub mod condition;
pub mod constructor;
pub mod foreign;
mod form;
pub mod method;
mod order;
pub mod pattern;
pub(crate) mod scoped;
pub mod stage;
pub mod std_macro;
mod table;
pub mod tensor;
pub mod tensor_type;

pub use attribute::{HelperAttribute, KernelOption, is_helper, placement};
pub use constructor::Constructor;
pub use form::{
    Entry, RangeEntry, branches, contains_let, ident, index_list, is_assigning, list, range, strip_parens,
};
pub use method::{Consumer, LayoutWord, MethodKind, PointMethod, TensorMethod};
pub use order::{order_lists, order_rank};
pub use stage::{StageCall, StageLevel};
pub use tensor::{TensorExpr, TensorForm, TensorNames, is_place};
