//! The part of a template's signature that decides which other calls are calls of templates.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, FnArg, ReturnType, Signature, Type, Visibility};

use crate::surface::tensor_type::{is_template_impl, is_tensor_impl};

/// What a template takes and gives, beside values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interface {
    /// The numbers of the parameters that are templates.
    pub templates: Vec<usize>,
    /// What it returns.
    pub output: Output,
}

/// The kind of what a template returns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Output {
    /// A value, or nothing.
    #[default]
    Value,
    /// A tensor.
    Tensor,
    /// A tuple with a tensor where it says so.
    Tuple(Vec<bool>),
}

/// The interfaces of templates by the paths of their calls.
pub(super) type Interfaces = BTreeMap<String, Interface>;

impl Interface {
    /// That of a signature.
    pub fn of(signature: &Signature) -> Self {
        let is_template = |input: &FnArg| matches!(input, FnArg::Typed(typed) if is_template_impl(&typed.ty));
        let inputs = signature.inputs.iter().enumerate();
        let templates = inputs.filter(|(_, input)| is_template(input)).map(|(at, _)| at).collect();
        Interface { templates, output: Output::of(&signature.output) }
    }

    /// That of a function in tokens, whose body is not looked at.
    pub(super) fn read(function: &TokenStream) -> Option<Self> {
        let signature = |input: ParseStream| {
            Attribute::parse_outer(input)?;
            input.parse::<Visibility>()?;
            let signature: Signature = input.parse()?;
            input.parse::<TokenStream>()?;
            Ok(signature)
        };
        signature.parse2(function.clone()).ok().map(|signature| Self::of(&signature))
    }
}

impl Output {
    /// That of a signature.
    pub fn of(output: &ReturnType) -> Self {
        match output {
            ReturnType::Type(_, ty) => match &**ty {
                Type::Tuple(tuple) if tuple.elems.iter().any(is_tensor_impl) => {
                    Output::Tuple(tuple.elems.iter().map(is_tensor_impl).collect())
                }
                ty if is_tensor_impl(ty) => Output::Tensor,
                _ => Output::Value,
            },
            ReturnType::Default => Output::Value,
        }
    }
}
