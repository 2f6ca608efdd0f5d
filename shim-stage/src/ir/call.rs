//! The way to tokens that a template brought.

use proc_macro2::TokenStream;

/// One template call on the way to the tokens being staged.
#[derive(Debug, Clone)]
pub struct TemplateCall {
    /// The template's name.
    pub template: String,
    /// `file:line:column` of the template's definition.
    pub location: String,
    /// The tokens of the call in the kernel, where rustc can show an error: the tokens of a template from
    /// another crate have no source to show.
    pub site: TokenStream,
}
