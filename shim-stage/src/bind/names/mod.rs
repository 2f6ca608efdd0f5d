//! What names stand for where they are used, also those that a macro or an item hides.

pub(super) mod constants;
pub(super) mod hidden;
pub(super) mod home;
pub(super) mod local;
pub(super) mod outside;
pub(super) mod purity;
pub(super) mod restore;
pub(super) mod scan;
pub(super) mod scope;
pub(super) mod source;
