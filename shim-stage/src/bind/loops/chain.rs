//! The adaptors of a reduction, `map` and `filter`, and what their closures take.

use proc_macro2::Ident;
use syn::{Expr, ExprClosure, Pat};

use crate::diagnostics::counted;
use crate::ir::{Hole, RegionKind};
use crate::surface::{self, pattern};

use crate::bind::{Binder, Binding};

impl Binder<'_> {
    /// The adaptors in order, then `rest`.
    pub(in crate::bind) fn chain(
        &mut self,
        adaptors: &[Adaptor<'_>],
        item: Item,
        rest: &mut dyn FnMut(&mut Self, Item),
    ) {
        let Some((adaptor, others)) = adaptors.split_first() else { return rest(self, item) };
        match adaptor {
            Adaptor::Map(closure) => {
                let value = self.apply(closure, &item, false);
                let local = self.names.fresh("item");
                self.push(syn::parse_quote!(let #local = #value;));
                self.chain(others, Item::Value(local), rest);
            }
            Adaptor::Filter(closure) => {
                let test = self.apply(closure, &item, true);
                let body = self.body(RegionKind::Branch, Vec::new(), |binder| {
                    binder.chain(others, item.clone(), rest);
                });
                let block = self.block_of(body);
                self.push(syn::Stmt::Expr(syn::parse_quote!(if #test #block), None));
            }
        }
    }

    /// The closure's body with its parameter bound to the item.
    pub(in crate::bind) fn apply(&mut self, closure: &ExprClosure, item: &Item, by_reference: bool) -> Expr {
        let input = closure.inputs.last().cloned();
        let body = self.body(RegionKind::Plain, Vec::new(), |binder| {
            if let Some(input) = &input {
                binder.bind_item(input, item, by_reference);
            }
            binder.closure_body(closure);
        });
        self.program.hole(Hole::Body(body))
    }

    /// The body of a closure that is staged: what `return` and `?` leave is the closure.
    pub(in crate::bind) fn closure_body(&mut self, closure: &ExprClosure) {
        let (value, leave) = self.in_template("item", |binder| {
            binder.body(RegionKind::Plain, Vec::new(), |binder| {
                let value = binder.expression(&closure.body);
                binder.push(syn::Stmt::Expr(value, None));
            })
        });
        let hole = self.program.hole(Hole::Body(value));
        let value: Expr = match leave {
            Some(leave) => syn::parse_quote!(#leave: { #hole }),
            None => hole,
        };
        match &closure.output {
            syn::ReturnType::Type(_, ty) => {
                let result = self.names.fresh("result");
                self.push(syn::parse_quote!(let #result: #ty = #value;));
                self.push(syn::Stmt::Expr(syn::parse_quote!(#result), None));
            }
            syn::ReturnType::Default => self.push(syn::Stmt::Expr(value, None)),
        }
    }

    pub(in crate::bind) fn bind_item(&mut self, input: &Pat, item: &Item, by_reference: bool) {
        match item {
            Item::Indices(values) => {
                if let Some(names) = pattern::array(dereferenced(input)).filter(|n| n.len() == values.len()) {
                    let known: Vec<Option<Binding>> =
                        values.iter().map(|value| self.binding_of(value)).collect();
                    let referenced = by_reference && !matches!(input, Pat::Reference(_));
                    for (name, binding) in names.into_iter().zip(known) {
                        if let (Some(name), Some(binding)) = (name, binding) {
                            self.scopes.bind(&name, if referenced { by_ref(binding) } else { binding });
                        }
                    }
                    return;
                }
                if let Some(names) = pattern::array(dereferenced(input)) {
                    let rank = counted(values.len(), "number", "numbers");
                    let help = "name one per axis, as in `|[y, x]|`";
                    self.diagnostics.error(input, format!("an index of this tensor is {rank}"), help);
                    for name in names.into_iter().flatten() {
                        self.scopes.bind(&name, Binding::Broken);
                    }
                    return;
                }
                let variables: Option<Vec<Ident>> =
                    values.iter().map(|value| surface::ident(value).cloned()).collect();
                if let (Some((point, None, false)), Some(variables)) =
                    (pattern::simple(dereferenced(input)), variables)
                    && by_reference == matches!(input, Pat::Reference(_))
                {
                    return self.scopes.bind(point, Binding::Point(variables));
                }
                let values: Vec<Expr> = values.iter().map(|value| self.expression(value)).collect();
                let pattern = self.pattern(input);
                if by_reference {
                    self.push(syn::parse_quote!(let #pattern = &[#(#values),*];));
                } else {
                    self.push(syn::parse_quote!(let #pattern = [#(#values),*];));
                }
            }
            Item::IntTy(variable) => {
                if let Some((name, _, false)) = pattern::simple(dereferenced(input))
                    && by_reference == matches!(input, Pat::Reference(_))
                    && !self.scopes.is_exposed(name)
                    && let Some(binding) = self.scopes.get(variable).cloned()
                {
                    return self.scopes.bind(name, binding);
                }
                let value = self.expression(&syn::parse_quote!(#variable));
                let pattern = self.pattern(input);
                if by_reference {
                    self.push(syn::parse_quote!(let #pattern = &#value;));
                } else {
                    self.push(syn::parse_quote!(let #pattern = #value;));
                }
            }
            Item::Value(local) => {
                let pattern = self.pattern(input);
                if by_reference {
                    self.push(syn::parse_quote!(let #pattern = &#local;));
                } else {
                    self.push(syn::parse_quote!(let #pattern = #local;));
                }
            }
        }
    }

    pub(in crate::bind) fn binding_of(&self, name: &Expr) -> Option<Binding> {
        self.scopes.get(surface::ident(name)?).cloned()
    }
}

/// What an adaptor does with an item.
pub(in crate::bind) enum Adaptor<'e> {
    Map(&'e ExprClosure),
    Filter(&'e ExprClosure),
}

/// An item on its way through the chain.
#[derive(Clone)]
pub(in crate::bind) enum Item {
    /// The indices themselves.
    Indices(Vec<Expr>),
    /// The variable of a range.
    IntTy(Ident),
    /// A value, held by a local.
    Value(Ident),
}

impl<'e> Adaptor<'e> {
    pub(in crate::bind) fn closure(&self) -> &'e ExprClosure {
        match self {
            Self::Map(closure) | Self::Filter(closure) => closure,
        }
    }
}

/// A loop variable as a closure sees it that gets a reference to the item.
pub(in crate::bind) fn by_ref(binding: Binding) -> Binding {
    match binding {
        Binding::Index { sym, value, exact, reference: false } => {
            Binding::Index { sym, value: syn::parse_quote!((&#value)), exact, reference: true }
        }
        other => other,
    }
}

/// `[y, x]` of `&[y, x]`.
pub(in crate::bind) fn dereferenced(pattern: &Pat) -> &Pat {
    match pattern {
        Pat::Reference(reference) => dereferenced(&reference.pat),
        Pat::Paren(inner) => dereferenced(&inner.pat),
        other => other,
    }
}

/// The closure that `expr` is.
pub(in crate::bind) fn closure_of(expr: &Expr) -> Option<&ExprClosure> {
    match surface::strip_parens(expr) {
        Expr::Closure(closure) => Some(closure),
        _ => None,
    }
}
