//! The kernel's entry: what its parameters are bound to.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Expr, ExprPath, Path, Stmt};

use crate::diagnostics::counted;
use crate::hygiene;
use crate::ir::{Hole, RegionKind, StatementKind, Surface};
use crate::parse::signature::{Parameter, ParameterKind, PlacementAttribute};
use crate::surface;
use crate::symbolic::SymInt;

use crate::bind::names::source::Items;
use crate::bind::{Binder, Binding, IntTy, Local};

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

    /// The extents that a shape fixes, evaluated before the tensor is taken apart: they replace what the tensor
    /// says, once that was found to be the same.
    pub(in crate::bind) fn fixed_extents(
        &mut self,
        rank: usize,
        shape: Option<&[Expr]>,
    ) -> Vec<Option<SymInt>> {
        let Some(shape) = shape else { return vec![None; rank] };
        if shape.len() != rank {
            let (extents, axes) = (counted(shape.len(), "extent", "extents"), counted(rank, "axis", "axes"));
            let entries: TokenStream = shape.iter().map(ToTokens::to_token_stream).collect();
            self.diagnostics.error(
                entries,
                format!("`#[shape]` names {extents} of a tensor of {axes}"),
                "name one extent per axis",
            );
            return vec![None; rank];
        }
        shape.iter().map(|entry| self.is_bound(entry).then(|| self.snapshot(entry, "extent", true))).collect()
    }

    /// Writes that extents are found as the shape has them.
    pub(in crate::bind) fn expect(&mut self, tensor: &syn::Ident, expected: Vec<(SymInt, SymInt)>) {
        for (found, wanted) in expected {
            self.write(StatementKind::Expect { tensor: tensor.to_string(), found, wanted });
        }
    }

    /// Whether an entry of a shape has a value already.
    fn is_bound(&self, entry: &Expr) -> bool {
        match surface::ident(entry) {
            Some(name) => {
                self.scopes.get(name).is_some() || crate::hygiene::text(name).starts_with(char::is_uppercase)
            }
            None => true,
        }
    }

    /// The new names of a shape: locals of type `usize`.
    pub(in crate::bind) fn name_extents(&mut self, shape: Option<&[Expr]>, tensor: &syn::Ident) {
        let Some(shape) = shape else { return };
        for (axis, entry) in shape.iter().enumerate() {
            let Some(name) = surface::ident(entry).cloned() else { continue };
            if self.is_bound(entry) {
                continue;
            }
            let Some(Binding::Tensor(view)) = self.scopes.get(tensor).cloned() else { continue };
            let Some(extent) = view.space.extents.get(axis).cloned() else { continue };
            let value = self.program.hole(Hole::Value(extent.clone(), crate::ir::ValueType::Usize));
            let emitted = self.local_name(&name);
            self.push(syn::parse_quote!(let #emitted = #value;));
            let local = Local {
                exposed: self.scopes.is_exposed(&name),
                ty: Some(std::rc::Rc::new(syn::parse_quote!(usize))),
                symbol: extent.as_symbol().cloned(),
                value: Some(extent),
                number: Some(IntTy::Known(crate::static_eval::IntType::Usize)),
                ..Local::new(emitted, self.position())
            };
            self.scopes.bind(&name, Binding::Local(local));
        }
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

    /// Notes that `Block` was used under this path, so that its import is no unused one.
    pub(in crate::bind) fn mention(&mut self, path: &ExprPath) {
        // `Block` itself, without `::external`; inside a template the path is the template's.
        if self.templates.in_template {
            return;
        }
        let mut block = path.path.clone();
        block.segments.pop();
        // What is left ends in the separator, which no path does.
        block.segments.pop_punct();
        let mention = Path { leading_colon: block.leading_colon, segments: block.segments };
        self.mention_path(mention, Surface::Block);
    }

    /// Notes that `iters` or a boundary rule was used.
    pub(in crate::bind) fn mention_item(&mut self, path: &ExprPath, surface: Surface) {
        if !self.templates.in_template {
            self.mention_path(path.path.clone(), surface);
        }
    }

    fn mention_path(&mut self, mut path: Path, surface: Surface) {
        for segment in &mut path.segments {
            segment.arguments = syn::PathArguments::None;
        }
        let text = crate::link::text(&path);
        if !self.program.mentions.iter().any(|(known, _)| crate::link::text(known) == text) {
            self.program.mentions.push((path, surface));
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

/// Replaces the extents that a tensor brings along by those that its shape fixes; these pairs have to be equal.
pub(in crate::bind) fn expected(
    shape: Option<&[Expr]>,
    mut fixed: Vec<Option<SymInt>>,
    extents: &mut [SymInt],
) -> Vec<(SymInt, SymInt)> {
    let shape = shape.unwrap_or_default();
    // A new name that stands twice, as in `#[shape(n, n)]`, is one extent.
    for (axis, entry) in shape.iter().enumerate().take(extents.len()) {
        let first = shape[..axis].iter().position(|earlier| earlier == entry);
        if let (None, Some(first)) = (&fixed[axis], first) {
            fixed[axis] = Some(extents[first].clone());
        }
    }
    let wanted = extents.iter_mut().zip(fixed);
    let wanted = wanted.filter_map(|(extent, wanted)| Some((extent, wanted?)));
    wanted.map(|(extent, wanted)| (std::mem::replace(extent, wanted.clone()), wanted)).collect()
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
