//! Versions: a body is staged once for each value of a specialized parameter.

use quote::ToTokens;
use syn::Stmt;

use crate::ir::{Hole, RegionKind};
use crate::parse::specialize::Specialized;
use crate::static_eval::{self, Value};

use crate::bind::{Binder, Binding};

/// How often the statements behind choices are staged in one kernel.
const MAX_VERSIONS: usize = 256;

impl Binder<'_> {
    /// Lets `stage` write a version for each value of these parameters. One whose value is known needs no other.
    pub(in crate::bind) fn specialized(
        &mut self,
        parameters: &[&Specialized],
        stage: &mut dyn FnMut(&mut Self),
    ) {
        let Some((first, others)) = parameters.split_first() else { return stage(self) };
        let Specialized { name, values, general } = first;
        let local = match self.scopes.get(name) {
            Some(Binding::Local(local)) => local.name.to_token_stream(),
            Some(Binding::Index { value, .. }) => value.to_token_stream(),
            Some(Binding::Static(value)) if !general && !values.contains(value) => {
                let message =
                    format!("`{name}` is {}, and is specialized for {}", shown(value), listed(values));
                return self.diagnostics.error(name, message, "name this value too, or `_` for all others");
            }
            _ => return self.specialized(others, stage),
        };
        let mut version = |binder: &mut Self, value: Option<&Value>| {
            let body = binder.body(RegionKind::Branch, Vec::new(), |binder| {
                if !binder.count_version(name) {
                    return;
                }
                if let Some(value) = value {
                    binder.scopes.bind(name, Binding::Static(value.clone()));
                }
                binder.specialized(others, stage);
            });
            binder.program.hole(Hole::Body(body))
        };
        let mut arms: Vec<syn::Arm> = Vec::new();
        for value in values {
            let (pattern, body) = (static_eval::literal(value, name.span()), version(self, Some(value)));
            arms.push(syn::parse_quote!(#pattern => #body,));
        }
        if *general {
            let body = version(self, None);
            arms.push(syn::parse_quote!(_ => #body,));
        } else if !matches!(values[..], [Value::Bool(_), Value::Bool(_)]) {
            let (rt, kernel, name, values) =
                (&self.runtime, &self.program.name, name.to_string(), listed(values));
            arms.push(syn::parse_quote!(_ => #rt.no_version(#kernel, #name, #local, #values),));
        }
        self.push(Stmt::Expr(syn::parse_quote!(match #local { #(#arms)* }), None));
    }

    /// Counts a version of what follows a choice; says whether there are few enough.
    pub(in crate::bind) fn count_version(&mut self, tokens: impl ToTokens) -> bool {
        self.templates.versions += 1;
        if self.templates.versions == MAX_VERSIONS + 1 {
            self.diagnostics.error(
                tokens,
                format!("more than {MAX_VERSIONS} versions are staged into this kernel"),
                "the statements behind a choice of tensors are written once for each of its arms, and the body once for \
                 each value of a specialized parameter: split the kernel",
            );
        }
        self.templates.versions <= MAX_VERSIONS
    }
}

/// Values as a message shows them: `1, 2 or 4`.
pub(in crate::bind) fn listed(values: &[Value]) -> String {
    let shown: Vec<String> = values.iter().map(shown).collect();
    match shown.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

/// A value without its type.
pub(in crate::bind) fn shown(value: &Value) -> String {
    match value {
        Value::Int(int) => int.value.to_string(),
        value => static_eval::literal(value, proc_macro2::Span::call_site()).to_token_stream().to_string(),
    }
}
