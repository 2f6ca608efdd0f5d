//! Calls of templates: which template a call means, and what it gives.

use std::rc::Rc;

use syn::{Expr, ExprCall, ExprPath, Ident, Path, ReturnType, Type};

use crate::ir::View;
use crate::link::{Output, Template};
use crate::surface;

use crate::bind::{Binder, Binding};

/// The template that a call means.
pub(in crate::bind) enum PassedTemplate<'a> {
    /// The template, the path with the generic arguments of the call, and that of the module which gives its names.
    Known(&'a Template, ExprPath, Option<Path>),
    /// One that is not known: at the definition of the template that takes it, or behind an error.
    Open,
}

/// An element of what a template returns.
pub(in crate::bind) enum Returned {
    /// A tensor; none behind an error.
    Tensor(Option<Rc<View>>),
    /// A value, in a local of this name.
    Value(Ident),
}

impl<'a> Binder<'a> {
    /// The template that is called by `func`, if it is one.
    pub(in crate::bind) fn callee(&self, func: &Expr) -> Option<PassedTemplate<'a>> {
        let Expr::Path(path) = surface::strip_parens(func) else { return None };
        let library = self.templates.library;
        let bound = path.path.segments.last().filter(|_| path.path.segments.len() == 1);
        match bound.and_then(|last| self.scopes.get(&last.ident)) {
            Some(Binding::Template(None)) => Some(PassedTemplate::Open),
            Some(Binding::Template(Some(passed))) => {
                let mut given = passed.path.clone();
                let own = bound.map(|last| &last.arguments).filter(|arguments| !arguments.is_none());
                if let (Some(last), Some(own)) = (given.path.segments.last_mut(), own) {
                    last.arguments = own.clone();
                }
                Some(PassedTemplate::Known(library.get(&passed.key)?, given, passed.home.clone()))
            }
            _ => {
                let template = library.resolve(self.templates.callees, &path.path)?;
                Some(PassedTemplate::Known(template, path.clone(), self.home_path(template, &path.path)))
            }
        }
    }

    /// What the template that is called returns.
    pub(in crate::bind) fn template_output(&self, call: &ExprCall) -> Option<&'a Type> {
        match self.callee(&call.func)? {
            PassedTemplate::Known(template, ..) => match &template.function.sig.output {
                ReturnType::Type(_, ty) => Some(ty),
                ReturnType::Default => None,
            },
            PassedTemplate::Open => None,
        }
    }

    /// What the template that is called returns, where its kind matters.
    pub(in crate::bind) fn call_output(&self, call: &ExprCall) -> Output {
        match self.callee(&call.func) {
            Some(PassedTemplate::Known(template, ..)) => Output::of(&template.function.sig.output),
            Some(PassedTemplate::Open) | None => Output::Value,
        }
    }

    /// Reports a template that is neither called nor passed on.
    pub(in crate::bind) fn template_as_value(&mut self, expr: &Expr) {
        self.diagnostics.error(
            expr,
            "a template is used as a value",
            "call it with a tensor, or pass it to another template",
        );
    }
}
