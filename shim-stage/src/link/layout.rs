//! Layouts: orders of elements that kernels of other modules and crates use by name.
//!
//! A kernel whose body has `#[staged] use crate::layouts::blocks;` expands first to a call of the macro that carries
//! the layout, and then to a kernel with the order that it returns in the place of its calls:
//!
//! ```text
//! Block::stack::<i16>([8, 16]).stored((row_major.then([(8) / 4, 4, (16)], axes([1, 0, 2]))))
//! ```

use proc_macro2::Ident;
use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned as _;
use syn::token::Paren;
use syn::{Attribute, Expr, ExprParen, ItemFn, Meta, Result, braced, bracketed};

use crate::diagnostics::{Diagnostics, counted};
use crate::hygiene;
use crate::surface::{HelperAttribute, TensorMethod, placement, strip_parens};
use crate::syntax::visit_mut::{self, VisitMut};

use super::tokens;

/// A layout as it arrives in a kernel.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) parameters: Vec<Ident>,
    pub(super) order: Expr,
}

impl Parse for Layout {
    fn parse(input: ParseStream) -> Result<Self> {
        let (names, order);
        bracketed!(names in input);
        braced!(order in input);
        let mut parameters = Vec::new();
        while !names.is_empty() {
            parameters.push(names.parse()?);
        }
        Ok(Self { parameters, order: order.parse()? })
    }
}

/// Puts values in the place of names.
pub(super) struct LayoutArguments<'a>(pub(super) &'a [(Ident, Expr)]);

impl VisitMut for LayoutArguments<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Path(path) = expr
            && let Some(name) = path.path.get_ident()
            && let Some((_, value)) = self.0.iter().find(|(own, _)| hygiene::same(own, name))
        {
            let value = value.clone();
            *expr = in_parentheses(value);
            return;
        }
        visit_mut::visit_expr_mut(self, expr);
    }
}

fn in_parentheses(expr: Expr) -> Expr {
    let paren_token = Paren(expr.span());
    Expr::Paren(ExprParen { attrs: Vec::new(), paren_token, expr: Box::new(expr) })
}

/// The most tokens of the orders that are written for the calls of layouts in one item: a layout that calls another
/// twice doubles it.
const MAX_WRITTEN: usize = 1 << 14;

/// Puts the orders of layouts in the place of their calls.
pub(super) struct LayoutCalls<'a> {
    layouts: &'a [(Ident, Layout)],
    diagnostics: &'a mut Diagnostics,
    /// The number of tokens that were written for calls.
    written: usize,
}

impl<'a> LayoutCalls<'a> {
    pub(super) fn new(layouts: &'a [(Ident, Layout)], diagnostics: &'a mut Diagnostics) -> Self {
        Self { layouts, diagnostics, written: 0 }
    }

    fn of(&self, expr: &Expr) -> Option<&'a Layout> {
        let Expr::Path(path) = strip_parens(expr) else { return None };
        let name = path.path.get_ident()?;
        self.layouts.iter().find(|(own, _)| hygiene::same(own, name)).map(|(_, layout)| layout)
    }

    /// An order without calls of layouts.
    pub(super) fn order(&mut self, order: &mut Expr) {
        match order {
            Expr::Paren(inner) => self.order(&mut inner.expr),
            Expr::Group(inner) => self.order(&mut inner.expr),
            Expr::MethodCall(call) => {
                self.order(&mut call.receiver);
                call.args.iter_mut().for_each(|argument| self.order(argument));
            }
            Expr::Call(call) => {
                let Some(Layout { parameters, order: written }) = self.of(&call.func) else { return };
                if parameters.len() != call.args.len() {
                    let (takes, given) =
                        (counted(parameters.len(), "argument", "arguments"), call.args.len());
                    let message = format!("`{}` takes {takes}, not {given}", call.func.to_token_stream());
                    self.diagnostics.error(&call, message, "give one number for each of its parameters");
                    return;
                }
                let values: Vec<_> = parameters.iter().cloned().zip(call.args.iter().cloned()).collect();
                self.written += tokens::count(written.to_token_stream());
                if self.written > MAX_WRITTEN {
                    let message = format!("the order of `{}` is too large", call.func.to_token_stream());
                    let help = "layouts that use another one twice grow like a power of two: use it once, with `then` or `tile`";
                    self.diagnostics.error(&call, message, help);
                    return;
                }
                // Errors show the call.
                let here = tokens::located_at(written.to_token_stream(), call.func.span());
                let mut written = syn::parse2(here).unwrap_or_else(|_| written.clone());
                LayoutArguments(&values).visit_expr_mut(&mut written);
                *order = in_parentheses(written);
            }
            Expr::Path(_) if self.of(order).is_some() => {
                let message = format!("`{}` is a layout that is not called", order.to_token_stream());
                self.diagnostics.error(order, message, "write its arguments behind it, or `()`");
            }
            _ => {}
        }
    }
}

impl VisitMut for LayoutCalls<'_> {
    fn visit_expr_method_call_mut(&mut self, call: &mut syn::ExprMethodCall) {
        if call.method == TensorMethod::Stored.name() {
            call.args.iter_mut().for_each(|argument| self.order(argument));
        }
        visit_mut::visit_expr_method_call_mut(self, call);
    }

    fn visit_attribute_mut(&mut self, attribute: &mut Attribute) {
        let takes_order =
            HelperAttribute::Order.is(attribute) || placement(attribute.path()) == Some(TensorMethod::Stored);
        if let Meta::List(list) = &mut attribute.meta
            && takes_order
            && let Ok(mut order) = syn::parse2::<Expr>(list.tokens.clone())
        {
            self.order(&mut order);
            list.tokens = order.into_token_stream();
        }
    }
}

/// Puts the orders of layouts that a kernel imports in the place of their calls.
pub(super) fn apply(function: &mut ItemFn, layouts: &[(Ident, Layout)]) -> Result<()> {
    let mut diagnostics = Diagnostics::default();
    for (at, (name, _)) in layouts.iter().enumerate() {
        if layouts[..at].iter().any(|(other, _)| hygiene::same(other, name)) {
            diagnostics.error(
                name,
                format!("`{name}` is imported twice in this function"),
                "import it where the body begins, or give one of the imports another name with `as`",
            );
        }
    }
    LayoutCalls::new(layouts, &mut diagnostics).visit_item_fn_mut(function);
    diagnostics.finish().map_or(Ok(()), Err)
}
