//! Templates: what a call gives them, and what they give back.

pub(super) mod argument;
mod foreign;
pub(super) mod generics;
pub(super) mod passed;
pub(super) mod returned;
pub(super) mod specialized;
pub(super) mod substitute;
pub(super) mod template;
