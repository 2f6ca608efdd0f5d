//! What names stand for where they are used, also those that a macro or an item hides.

mod foreign;
pub(super) mod local;
pub(super) mod outside;
pub(super) mod restore;
pub(super) mod scan;
pub(super) mod scope;
pub(super) mod source;
