//! Templates as arguments of templates.

use std::rc::Rc;

use quote::ToTokens;
use syn::{Expr, ExprPath, GenericArgument, PathArguments, Type};

use crate::parse::signature::is_number;
use crate::static_eval;
use crate::surface;

use crate::bind::names::local::Passed;
use crate::bind::{Binder, Binding};

impl Binder<'_> {
    /// The template that an argument names; `template` takes it.
    pub(in crate::bind) fn passed(&mut self, argument: &Expr, template: &str) -> Binding {
        let Expr::Path(path) = surface::strip_parens(argument) else {
            return self.reject_passed(argument, template);
        };
        if let Some(name) = path.path.get_ident() {
            match self.scopes.get(name) {
                Some(Binding::Template(passed)) => return Binding::Template(passed.clone()),
                Some(_) => return self.reject_passed(argument, template),
                None => {}
            }
        }
        let Some(known) = self.templates.library.resolve(self.templates.callees, &path.path) else {
            return self.reject_passed(argument, template);
        };
        let mut path = path.clone();
        if let Some(last) = path.path.segments.last_mut()
            && let PathArguments::AngleBracketed(arguments) = &mut last.arguments
        {
            for argument in &mut arguments.args {
                self.settle_generic(argument);
            }
        }
        let home = self.home_path(known, &path.path);
        Binding::Template(Some(Rc::new(Passed { key: known.key.clone(), path, home })))
    }

    fn reject_passed(&mut self, argument: &Expr, template: &str) -> Binding {
        self.diagnostics.error(
            argument,
            format!("`{template}` takes a template here"),
            "give the name of a `#[shim::kernel]` function with a parameter of type `impl Tensor<T, N>`",
        );
        Binding::Template(None)
    }

    /// A generic argument of a template that is passed: it is evaluated here and used where the template is called.
    fn settle_generic(&mut self, argument: &mut GenericArgument) {
        let value = match &*argument {
            GenericArgument::Const(value) => value.clone(),
            // A name alone parses as a type.
            GenericArgument::Type(ty) if is_number(ty) => {
                *argument = syn::parse_quote!(::core::primitive::#ty);
                return;
            }
            GenericArgument::Type(Type::Infer(_)) => return,
            GenericArgument::Type(Type::Path(path)) if path.path.leading_colon.is_some() => return,
            GenericArgument::Type(Type::Path(path)) => {
                Expr::Path(ExprPath { attrs: Vec::new(), qself: None, path: path.path.clone() })
            }
            other => Expr::Verbatim(other.to_token_stream()),
        };
        match self.static_value(&value) {
            Some(known) => {
                let value = static_eval::literal(&known, proc_macro2::Span::call_site());
                *argument = syn::parse_quote!({ #value });
            }
            None => self.diagnostics.error(
                &*argument,
                "a generic argument of a template that is passed on is not static",
                "give a number that is static here, a primitive type, or a type by a path that begins with `::`",
            ),
        }
    }
}
