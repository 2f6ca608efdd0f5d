//! Templates that return tensors.
//!
//! A tensor is staged where it is used, and the memory of one that a template allocates has to be in scope there. So
//! the statements of such a template are written among those of its caller's block, with names of their own.

use std::rc::Rc;

use syn::{Expr, ExprCall, Item, Stmt};

use crate::diagnostics::counted;
use crate::ir::View;
use crate::link::Output;
use crate::static_eval;
use crate::surface;
use crate::surface::tensor_type::{declared_element, declared_rank};

use crate::bind::kinds::template::PassedTemplate;
use crate::bind::kinds::template::Returned;
use crate::bind::names::restore::Restored;
use crate::bind::names::scope::Home;
use crate::bind::names::source::Items;
use crate::bind::{Binder, Binding};

impl Binder<'_> {
    /// The tensors and values that a template returns.
    pub(in crate::bind) fn returned(&mut self, call: &ExprCall, hint: &str) -> Option<Vec<Returned>> {
        let PassedTemplate::Known(template, path, home) = self.callee(&call.func)? else { return None };
        if !self.count_staged(call, template) {
            return None;
        }
        let mut prepared = self.prepared(call, (&path, home), template)?;
        // Its statements are among those of its caller, and so would be imports of its names.
        prepared.restored =
            self.restored(&prepared.source.outside, Home::BesideKernel, &prepared.name, call)?;
        if !prepared.restored.is_empty() {
            let message = format!(
                "`{}` returns a tensor, and a name that it takes from outside may be hidden here",
                prepared.name
            );
            let help = "write its paths from `crate::`, or move the item of this block out of the kernel";
            self.diagnostics.error(call, message, help);
            return None;
        }
        let depth = self.scopes.depth();
        self.scopes.enter_block(self.walk.region, Items::default());
        let bound = self.bound_arguments(&mut prepared, call);
        let returned = bound.and_then(|(function, bindings)| {
            let body = &function.block.stmts;
            self.inside(template, (&prepared.source, &prepared.home), bindings, call, |binder| {
                let (tail, statements) = body.split_last()?;
                let Stmt::Expr(tail, None) = tail else { return None };
                binder.flat(statements);
                let returned = binder.tail(tail, &function.sig.output, hint);
                Some(returned)
            })
        });
        self.scopes.leave_emitted_to(depth);
        returned
    }

    /// The statements of a template among those of its caller.
    fn flat(&mut self, statements: &[Stmt]) {
        let items = Items::of(statements, self.scopes.source());
        self.scopes.enter_block(self.walk.region, items);
        self.constants(statements);
        for statement in statements {
            let Stmt::Item(Item::Const(item)) = statement else { continue };
            match self.scopes.get(&item.ident) {
                // A table stands in emitted code too, under a name of its own.
                Some(Binding::Table(value, _)) => {
                    let (value, name) =
                        (value.clone(), self.names.fresh(&item.ident.to_string().to_lowercase()));
                    let table = static_eval::literal(&value, item.ident.span());
                    self.push(syn::parse_quote!(let #name = #table;));
                    self.scopes.bind(&item.ident, Binding::Table(value, name));
                }
                Some(Binding::Static(_) | Binding::Broken) => {}
                _ => self.diagnostics.error_in_call(
                    item,
                    "a constant that the macro cannot evaluate, in a template that returns a tensor",
                    "define it beside the template",
                ),
            }
        }
        let rest: Vec<Stmt> =
            statements.iter().filter(|statement| !matches!(statement, Stmt::Item(_))).cloned().collect();
        self.remaining(&rest);
    }

    /// What the last expression of a template gives, as its signature declares it.
    fn tail(&mut self, tail: &Expr, output: &syn::ReturnType, hint: &str) -> Vec<Returned> {
        let types: Vec<&syn::Type> = match output {
            syn::ReturnType::Type(_, ty) => match &**ty {
                syn::Type::Tuple(tuple) => tuple.elems.iter().collect(),
                ty => vec![ty],
            },
            syn::ReturnType::Default => Vec::new(),
        };
        let (tail, opened) = self.static_choice(tail);
        let values: Vec<&Expr> = match surface::strip_parens(tail) {
            Expr::Tuple(tuple) if types.len() > 1 => tuple.elems.iter().collect(),
            value => vec![value],
        };
        let mut returned = Vec::new();
        if values.len() == types.len() {
            for (value, ty) in values.into_iter().zip(types) {
                returned.push(self.returned_one(value, ty, hint));
            }
        } else {
            let wanted = counted(types.len(), "tensor or value", "tensors and values");
            self.diagnostics.error(
                tail,
                format!("this template returns {wanted}"),
                "end its body in a tuple expression with one entry for each",
            );
        }
        (0..opened).for_each(|_| self.scopes.leave());
        returned
    }

    fn returned_one(&mut self, value: &Expr, ty: &syn::Type, hint: &str) -> Returned {
        if !surface::tensor_type::is_tensor_impl(ty) {
            let value = self.expression(value);
            let local = self.names.fresh("returned");
            self.push(syn::parse_quote!(let #local: #ty = #value;));
            return Returned::Value(local);
        }
        if !self.is_tensor(value) {
            let (message, help) = if surface::branches(value).into_iter().any(|branch| self.is_tensor(branch))
            {
                (
                    "a template returns a tensor that is chosen at run time",
                    "choose it in the caller, by a `let` over calls of two templates",
                )
            } else {
                ("expected a tensor: this template returns one", "end its body in a tensor")
            };
            self.diagnostics.error_in_call(value, message, help);
            return Returned::Tensor(None);
        }
        let Some(view) = self.tensor(value, hint) else { return Returned::Tensor(None) };
        if self.is_broken(&view) {
            return Returned::Tensor(Some(view));
        }
        let rank = view.space.extents.len();
        if let Some(declared) = declared_rank(ty).or_else(|| self.computed_rank(ty))
            && declared != rank
        {
            let (found, wanted) = (counted(rank, "axis", "axes"), counted(declared, "axis", "axes"));
            self.diagnostics.error(
                value,
                format!("this tensor has {found}, the template returns one of {wanted}"),
                "declare the rank that it has",
            );
            return Returned::Tensor(None);
        }
        if let Some(element) = declared_element(ty) {
            self.check_element(&view, element, value, "the template returns", &Restored::default());
        }
        Returned::Tensor(Some(view))
    }

    /// A `let` of what a template returns as a tuple; says whether `value` is such a call.
    pub(in crate::bind) fn returned_tuple(&mut self, names: &syn::PatTuple, value: &Expr) -> bool {
        let Expr::Call(call) = surface::strip_parens(value) else { return false };
        if !matches!(self.call_output(call), Output::Tuple(_)) {
            return false;
        }
        let returned = self.returned(call, "returned").unwrap_or_default();
        if returned.len() != names.elems.len() && !returned.is_empty() {
            let found = counted(returned.len(), "element", "elements");
            self.diagnostics.error(
                names,
                format!(
                    "this binds {}, the template returns {found}",
                    counted(names.elems.len(), "name", "names")
                ),
                "write one name for each",
            );
            return true;
        }
        let mut returned = returned.into_iter();
        for name in &names.elems {
            match (crate::surface::pattern::simple(name), returned.next()) {
                (Some((name, None, false)), Some(Returned::Tensor(Some(view)))) => {
                    let view = Rc::new(View { name: name.to_string(), ..(*view).clone() });
                    self.bind_tensor(name, view);
                }
                (_, Some(Returned::Value(value))) => {
                    let emitted = self.pattern(name);
                    self.push(syn::parse_quote!(let #emitted = #value;));
                }
                (Some((name, ..)), None | Some(Returned::Tensor(None))) => self.bind_broken(name),
                (None, Some(Returned::Tensor(_))) if matches!(name, syn::Pat::Wild(_)) => {}
                (_, None) => {}
                (_, Some(Returned::Tensor(_))) => self.diagnostics.error(
                    name,
                    "expected a plain name for a tensor",
                    "write `let (name, ..) = ..`, without `mut` and without a type",
                ),
            }
        }
        true
    }
}
