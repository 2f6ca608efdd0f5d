//! First stage: what the user typed, recognized but not yet understood.
//!
//! The attribute's options and the signature's parameters by kind. Nothing here knows what a name is bound to.

pub mod attributes;
pub mod conditions;
pub mod options;
pub mod schedules;
pub mod signature;
pub mod specialize;
pub mod template;
