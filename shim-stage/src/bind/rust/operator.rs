//! Operators: comparisons of indices, lazy conditions, compound and destructuring assignments.

use quote::ToTokens;
use syn::{BinOp, Expr, ExprBinary, UnOp};

use crate::ir::AccessKind;
use crate::parse::signature::is_number;
use crate::static_eval::{self, Value};
use crate::surface;
use crate::surface::contains_let;

use crate::bind::arithmetic::compare;
use crate::bind::{Binder, Binding, IntTy, unreachable_value};

impl Binder<'_> {
    /// Whether a place of a tuple is an element of a tensor.
    pub(in crate::bind) fn has_element_among(&self, places: &syn::ExprTuple) -> bool {
        places.elems.iter().any(|place| match surface::strip_parens(place) {
            Expr::Tuple(inner) => self.has_element_among(inner),
            Expr::Index(index) => self.is_access(index),
            _ => false,
        })
    }

    /// `(a, b) = value` where a place is an element: the value first, then the places from left to right, as in Rust.
    pub(in crate::bind) fn assigned_one_by_one(&mut self, places: &syn::ExprTuple, value: &Expr) -> Expr {
        let mut names: Vec<syn::Pat> = Vec::new();
        let mut assignments: Vec<syn::Stmt> = Vec::new();
        for place in &places.elems {
            if matches!(place, Expr::Infer(_)) {
                names.push(syn::parse_quote!(_));
                continue;
            }
            let name = self.names.fresh("value");
            names.push(syn::parse_quote!(#name));
            assignments.push(syn::parse_quote!(#place = #name;));
        }
        self.expression(&syn::parse_quote!({ let (#(#names,)*) = #value; #(#assignments)* }))
    }

    pub(in crate::bind) fn binary(&mut self, binary: &ExprBinary) -> Expr {
        if compare::is_comparison(&binary.op)
            && let Some(test) = self.comparison(&binary.left, binary.op, &binary.right)
        {
            return test;
        }
        let mut result = binary.clone();
        match binary.op {
            BinOp::And(_) | BinOp::Or(_) => {
                if let Some(decided) = self.short_circuit(binary) {
                    return decided;
                }
                let truth = matches!(binary.op, BinOp::And(_));
                result.left = Box::new(self.expression(&binary.left));
                if contains_let(&binary.right) || contains_let(&binary.left) {
                    // What a `let` binds must stay in scope for what follows in the chain.
                    self.walk.effects.opaque();
                    result.right = Box::new(self.expression(&binary.right));
                } else {
                    let facts = self.facts_of(&binary.left, truth);
                    result.right = Box::new(self.arm(&binary.right, facts));
                }
                return Expr::Binary(result);
            }
            op if surface::is_assigning(&op) => {
                if self.is_tensor(&binary.left) {
                    return self.tensor_assigned(&binary.left);
                }
                if self.is_elementwise(&binary.left) {
                    return self.elementwise_value(&binary.left, Some(op), &binary.right);
                }
                if let Expr::Index(index) = surface::strip_parens(&binary.left)
                    && self.is_access(index)
                {
                    return self.assign(index, Some(op), &binary.right);
                }
                result.right = Box::new(self.right_of(binary));
                result.left = Box::new(self.place(&binary.left, AccessKind::PlaceMut));
                self.walk.effects.acts();
                self.assigns(&binary.left, Some(&op), &binary.right, binary);
                return self.assigned_place(Some(&op), &binary.left, Expr::Binary(result));
            }
            _ => {}
        }
        if let (BinOp::Mul(_), Expr::Unary(unary)) = (&binary.op, &*binary.right)
            && matches!(unary.op, UnOp::Deref(_))
            && self.is_certainly_number(&unary.expr)
        {
            let exponent = match surface::strip_parens(&unary.expr) {
                short @ (Expr::Lit(_) | Expr::Path(_)) => short.to_token_stream().to_string(),
                _ => "n".to_owned(),
            };
            let help = format!(
                "Rust reads `a * (*{exponent})`: write `a.pow({exponent})`, whose exponent is a `u32`"
            );
            self.diagnostics.error(binary, "Rust has no operator `**`", help);
            return unreachable_value();
        }
        if self.has_elements(&binary.left) || self.has_elements(&binary.right) {
            return self.tensor_in_arithmetic(&Expr::Binary(binary.clone()));
        }
        if let Some(factor) = self.unmultiplied(binary) {
            return factor;
        }
        if self.walk.tracks() {
            return self.confirmed_binary(binary);
        }
        result.left = Box::new(self.expression(&binary.left));
        result.right = Box::new(self.expression(&binary.right));
        Expr::Binary(result)
    }

    /// `&&` and `||` with a static side: that side is gone, or decides.
    fn short_circuit(&mut self, binary: &ExprBinary) -> Option<Expr> {
        let and = matches!(binary.op, BinOp::And(_));
        if let Ok(Some(Value::Bool(left))) = static_eval::eval(&binary.left, &self.scopes) {
            // `true && x` and `false || x` are x; the others are decided.
            return Some(if left == and { self.expression(&binary.right) } else { syn::parse_quote!(#left) });
        }
        // The names of the right side may be those that a `let` of the left side binds.
        if contains_let(&binary.left) {
            return None;
        }
        // `x && true` and `x || false` are x, unless the operator is what makes it a `bool`; in the others x still
        // runs.
        match static_eval::eval(&binary.right, &self.scopes) {
            Ok(Some(Value::Bool(right))) if right == and && is_certainly_bool(&binary.left) => {
                Some(self.expression(&binary.left))
            }
            _ => None,
        }
    }

    /// `x` of `x * 1` and `1 * x`, where the product is certain to have the type of `x`.
    fn unmultiplied(&mut self, binary: &ExprBinary) -> Option<Expr> {
        let BinOp::Mul(_) = binary.op else { return None };
        let one = |expr: &Expr| match static_eval::eval(expr, &self.scopes) {
            Ok(Some(Value::Int(int))) if int.value == 1 => Some(int.ty),
            _ => None,
        };
        let (ty, factor) = match (one(&binary.left), one(&binary.right)) {
            (_, Some(ty)) => (ty, &binary.left),
            (Some(ty), None) => (ty, &binary.right),
            (None, None) => return None,
        };
        match self.number(factor)? {
            IntTy::Known(of) if ty.is_none_or(|ty| ty == of) => {
                Some(self.expression(surface::strip_parens(factor)))
            }
            _ => None,
        }
    }

    /// Whether nothing but a number can stand here.
    fn is_certainly_number(&self, expr: &Expr) -> bool {
        match surface::strip_parens(expr) {
            Expr::Lit(_) => true,
            Expr::Index(index) => self.is_access(index),
            Expr::Path(path) => path.path.get_ident().is_some_and(|name| match self.scopes.get(name) {
                Some(Binding::Static(_) | Binding::Index { reference: false, .. } | Binding::Iterator) => {
                    true
                }
                Some(Binding::Local(local)) => local.ty.as_deref().is_some_and(is_number),
                _ => false,
            }),
            _ => false,
        }
    }
}

/// Whether an operand of `&&` and `||` is a `bool` also where neither stands behind it.
fn is_certainly_bool(expr: &Expr) -> bool {
    match surface::strip_parens(expr) {
        Expr::Path(_) | Expr::Field(_) | Expr::Index(_) | Expr::Let(_) => true,
        Expr::Binary(binary) => {
            compare::is_comparison(&binary.op) || matches!(binary.op, BinOp::And(_) | BinOp::Or(_))
        }
        Expr::Unary(unary) => matches!(unary.op, UnOp::Not(_)) && is_certainly_bool(&unary.expr),
        Expr::Macro(mac) => mac.mac.path.is_ident("matches"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use proc_macro2::TokenStream;
    use quote::quote;

    /// The expansion of a body over `t: &[u8]`, `u` with elements that are not known, and `flip`.
    fn expansion(body: &TokenStream) -> String {
        let kernel = quote! {
            fn kernel<T>(t: &[u8; 4], u: &[T; 4], flip: bool, x: &i32) {
                let t = Block::external(t, [4]);
                let wide = t.cast::<u16>();
                let u = Block::external(u, [4]);
                const ONE: u16 = 1;
                const ONES: [u16; 2] = [1, 2];
                #body
            }
        };
        let expansion = crate::kernel(TokenStream::new(), kernel).to_string();
        assert!(!expansion.contains("compile_error"), "{expansion}");
        expansion.split_once("ONES").map_or_else(String::new, |(_, body)| body.replace(' ', ""))
    }

    #[test]
    fn a_factor_of_one_is_dropped_where_the_type_is_known_without_it() {
        for body in [
            quote!(let s = ONES[0] * wide[[1]];),
            quote!(let s = (wide[[1]] + wide[[2]]) * ONE;),
            quote!(let s = t[[1]] * 1;),
            quote!(let s = 1 * 7u8 * t[[0]];),
        ] {
            let expansion = expansion(&body);
            let dropped = ["1u16*", "*1u16", "*1;", "1*"].iter().all(|factor| !expansion.contains(factor));
            assert!(dropped, "{expansion}");
        }
    }

    #[test]
    fn a_factor_of_one_stays_where_it_may_decide_the_type() {
        for (body, factor) in [
            (quote!(let s = u[[1]] * ONE;), "*1u16"),
            // A reference times a number is a number.
            (quote!(let s = x * 1;), "*1"),
            (
                quote!(for i in 0..2 {
                    let s = i * ONE;
                }),
                "*1u16",
            ),
            // Rustc says what is wrong here.
            (quote!(let s = t[[1]] * ONE;), "*1u16"),
        ] {
            let expansion = expansion(&body);
            assert!(expansion.contains(factor), "{expansion}");
        }
    }

    #[test]
    fn a_static_side_of_a_condition_is_gone() {
        for body in [
            quote!(if flip && ONE == 1 {
                f()
            }),
            quote!(if ONE == 2 || flip {
                f()
            }),
            quote!(if flip || ONE == 2 {
                f()
            }),
        ] {
            let expansion = expansion(&body);
            assert!(expansion.contains("ifflip{"), "{expansion}");
        }
        // What it is compared with is what makes it a `bool`.
        let inferred = expansion(&quote!(let s = "true".parse().unwrap() && ONE == 1;));
        assert!(inferred.contains("&&true"), "{inferred}");
        // What stands before it runs.
        let decided = expansion(&quote!(let s = f() && ONE == 2;));
        assert!(decided.contains("f()&&false"), "{decided}");
    }
}
