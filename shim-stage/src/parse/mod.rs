//! First stage: what the user typed, recognised but not yet understood.
//!
//! The attribute's options, the signature's parameters by kind, and the forms of the surface syntax. Nothing
//! here knows what a name is bound to.

pub mod attributes;
pub mod options;
pub mod signature;
pub mod surface;
pub mod template;
