//! Why a nest keeps the order of its source.

use proc_macro2::TokenStream;
use shim_core::LocationError;

use crate::symbolic::SymError;

/// What is wrong with the words of a nest, and what to write instead.
pub(super) struct Rejected {
    pub(super) message: String,
    pub(super) help: String,
    /// What it is about, if it is not the attribute.
    pub(super) tokens: Option<TokenStream>,
}

pub(super) fn rejected(message: impl Into<String>, help: impl Into<String>) -> Rejected {
    Rejected { message: message.into(), help: help.into(), tokens: None }
}

impl From<LocationError> for Rejected {
    fn from(error: LocationError) -> Self {
        let help = match error {
            LocationError::Axis { .. } => "name each axis of the tensor once, counted from 0",
            _ => "the constants of an order must fit in 64 bits",
        };
        rejected(error.to_string(), help)
    }
}

impl From<SymError> for Rejected {
    fn from(error: SymError) -> Self {
        LocationError::from(error).into()
    }
}
