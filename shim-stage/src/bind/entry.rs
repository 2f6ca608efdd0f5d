//! The kernel's entry: what its parameters are bound to.

use std::collections::HashSet;
use std::rc::Rc;

use quote::ToTokens;
use syn::{Expr, Stmt};

use crate::hygiene;
use crate::ir::{Hole, RegionId, RegionKind, SymbolSource};
use crate::parse::signature::{Parameter, ParameterKind, PlacementAttribute};
use crate::symbolic::Range;

use crate::bind::names::outside;
use crate::bind::names::scope::SourceFacts;
use crate::bind::names::source::Items;
use crate::bind::{Binder, Binding, ENTRY, MAX_RANK};

impl Binder<'_> {
    /// Names the parameters, in the scope of the function's body.
    pub(in crate::bind) fn parameters(&mut self, receiver: Option<&syn::Receiver>, parameters: &[Parameter]) {
        if let Some(receiver) = receiver {
            let changes = receiver.mutability.is_some()
                || matches!(&receiver.kind, syn::ReceiverKind::Reference(_, _, Some(_)))
                || matches!(&receiver.kind, syn::ReceiverKind::Typed(..));
            let name = syn::Ident::new("self", proc_macro2::Span::call_site());
            self.bind_local(&name, &name, changes, None);
            // It is the one name that cannot be another's.
            if let Some(Binding::Local(receiver)) = self.scopes.get_mut(&name) {
                receiver.exposed = true;
            }
        }
        for parameter in parameters {
            // A tensor among them is bound once more, below.
            let pattern = match &parameter.name {
                Some(name) => {
                    let emitted = self.local_name(name);
                    self.bind_local(name, &emitted, parameter.mutable, Some(parameter.ty.clone()));
                    let mut pattern = parameter.pattern.clone();
                    rename(&mut pattern, &emitted);
                    pattern
                }
                None => self.pattern(&parameter.pattern),
            };
            // Its type is the parameter's.
            let pattern = match pattern {
                syn::Pat::Type(typed) => *typed.pat,
                pattern => pattern,
            };
            self.program.parameters.push(pattern);
        }
    }

    /// Binds the tensors among the parameters, whose shapes may name any of these.
    pub(in crate::bind) fn tensor_parameters(&mut self, parameters: &[Parameter]) {
        for parameter in parameters {
            let Some(name) = &parameter.name else { continue };
            match &parameter.kind {
                ParameterKind::Runtime { .. } => self.runtime_parameter(name, parameter),
                ParameterKind::Place { rank } => {
                    self.place_local(name, *rank, parameter.shape.as_deref());
                    self.name_extents(parameter.shape.as_deref(), name);
                }
                ParameterKind::Shaped => self.shaped_parameter(name, parameter),
                ParameterKind::TemplateArgument => self.scopes.bind(name, Binding::Template(None)),
                ParameterKind::Template | ParameterKind::Plain => {}
            }
        }
    }

    /// The statements of the function. Where an item of theirs hides a name that the tensors among the parameters are
    /// made with, or may do so, they get a block of their own: shapes are evaluated outside the body.
    pub(in crate::bind) fn statements_behind(&mut self, parameters: &[Parameter], statements: &[Stmt]) {
        let items = Items::of(statements, self.scopes.source());
        let tensors = parameters.iter().filter(|parameter| {
            matches!(
                parameter.kind,
                ParameterKind::Runtime { .. } | ParameterKind::Place { .. } | ParameterKind::Shaped
            )
        });
        let names: Vec<_> = tensors.flat_map(names).collect();
        let hidden = names.iter().any(|name| items.names.contains(&hygiene::text(name)));
        if names.is_empty() || !(items.more || hidden) {
            return self.statements(statements);
        }
        let body = self.body(RegionKind::Plain, Vec::new(), |binder| binder.statements(statements));
        let hole = self.program.hole(Hole::Body(body));
        self.push(Stmt::Expr(hole, None));
    }

    /// `#[shape(h, w)] #[coarsened(2, 2)] cb: &[u8]`, which is `Block::external(cb, [h, w]).coarsened([2, 2])`.
    fn shaped_parameter(&mut self, name: &syn::Ident, parameter: &Parameter) {
        let Some(shape) = &parameter.shape else { return };
        for entry in shape {
            if !self.is_bound(entry) {
                self.diagnostics.error(
                    entry,
                    "this extent of a slice is not known",
                    "name another parameter or a constant: a slice knows only its length",
                );
                return self.bind_broken(name);
            }
        }
        let mut made: Expr = syn::parse_quote!(Block::external(#name, [#(#shape),*]));
        for placement in &parameter.placements {
            let call = placement.call();
            made = syn::parse_quote_spanned!(placement.method.span()=> #made #call);
        }
        let mentions = self.program.mentions.len();
        let view = self.tensor(&made, &name.to_string());
        self.program.mentions.truncate(mentions);
        match view {
            Some(view) => self.bind_tensor(name, view),
            None => self.bind_broken(name),
        }
    }

    /// Binds the function, parameters first.
    pub(crate) fn function(
        &mut self,
        function: &syn::ItemFn,
        receiver: Option<&syn::Receiver>,
        parameters: &[Parameter],
    ) -> RegionId {
        self.templates.bounded = !outside::bounded(&function.sig.generics).is_empty();
        self.scopes.enter_source(Rc::new(SourceFacts::of(function)));
        let mut generics = HashSet::new();
        outside::generics(&function.sig.generics, &mut generics);
        self.scopes.set_generics(generics);
        let body = self.body(RegionKind::Plain, Vec::new(), |binder| {
            binder.parameters(receiver, parameters);
            let specialized: Vec<_> =
                parameters.iter().filter_map(|parameter| parameter.specialized.as_ref()).collect();
            binder.specialized(&specialized, &mut |binder| {
                binder.tensor_parameters(parameters);
                binder.statements_behind(parameters, &function.block.stmts);
            });
        });
        self.check_root_axes();
        self.program.tested_at = (0..MAX_RANK)
            .map(|axis| {
                let inside = Range { lo: Some(0), hi: None };
                self.symbol(&format!("at{axis}"), inside, SymbolSource::Coordinate(axis), ENTRY)
            })
            .collect();
        self.program.told_apart = self.scopes.told_apart();
        self.program.primitives = self.scopes.primitives();
        self.program.methods = self.scopes.methods();
        for (name, item) in std::mem::take(&mut self.scopes.hidden_primitives) {
            self.program.hidden_primitives.insert(name.clone());
            if self.program.primitives.contains(&name.as_str()) {
                self.diagnostics.error(
                    item,
                    format!("an item of the kernel hides the primitive type `{name}`"),
                    "give it another name",
                );
            }
        }
        body
    }

    /// Reports blocks on axes that the root space lacks: its rank is that of the block with the most axes.
    pub(in crate::bind) fn check_root_axes(&mut self) {
        // A block that could not be made might have been the one with that axis.
        if !self.tensors.broken.is_empty() {
            return;
        }
        let blocks = self.program.buffers.iter();
        let rank = blocks.map(|block| block.space.extents.len()).max().unwrap_or(0);
        for (axis, tokens, calls) in std::mem::take(&mut self.tensors.root_axes) {
            if axis >= rank {
                self.diagnostics.within(&calls, |diagnostics| {
                    diagnostics.error_in_call(
                        tokens,
                        format!("axis {axis} is out of range for a root space of rank {rank}"),
                        "axes are counted from 0, and the root space has as many as the block with the most",
                    );
                });
            }
        }
    }
}

/// The names that a tensor among the parameters is made with: its own, and those of its shape and placements.
fn names(parameter: &Parameter) -> Vec<syn::Ident> {
    let shape = parameter.shape.iter().flatten();
    let placements = parameter.placements.iter().flat_map(PlacementAttribute::lists);
    let named = shape.chain(placements).flat_map(|entry| hygiene::identifiers(entry.to_token_stream()));
    named.chain(parameter.name.clone()).collect()
}

/// Gives the one name that a pattern binds another.
fn rename(pattern: &mut syn::Pat, emitted: &syn::Ident) {
    match pattern {
        syn::Pat::Ident(name) => name.ident = emitted.clone(),
        syn::Pat::Type(typed) => rename(&mut typed.pat, emitted),
        syn::Pat::Paren(inner) => rename(&mut inner.pat, emitted),
        _ => {}
    }
}
