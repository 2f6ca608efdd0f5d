//! Closures that locals are, where they are called.

use std::rc::Rc;

use quote::ToTokens as _;
use syn::{Expr, Ident};

use crate::surface;

use crate::bind::names::local::Inlined;
use crate::bind::types::Known;
use crate::bind::walk::InClosure;
use crate::bind::{Binder, Binding};

use super::known::Reading;

/// The most closures that call one another where a type is asked for.
const NESTED_CALLS: usize = 4;

/// The most calls of a kernel that are replaced: closures that call one another twice would double the code each time.
const MOST_CALLS: usize = 1024;

impl Binder<'_> {
    /// The body of a closure that a local is, and how a call of it is read.
    pub(super) fn called<'b>(
        &'b self,
        call: &syn::ExprCall,
        reading: &Reading,
    ) -> Option<(&'b Expr, Reading)> {
        let name = surface::ident(&call.func).filter(|_| !reading.is_inside(&call.func))?;
        let Binding::Local(local) = self.scopes.get(name)? else { return None };
        let closure = local.closure.as_ref()?;
        if reading.calls >= NESTED_CALLS || !means_the_same(self, closure, call) {
            return None;
        }
        let parameters = std::iter::zip(&closure.parameters, &call.args).map(|((name, ty), argument)| {
            let any = self.read_type(ty, reading).map(Known::of);
            let given = self.known_in(argument, reading);
            let known = any
                .map(|any| given.and_then(|own| Known { values: own.values, ..any }.or(own)).unwrap_or(any));
            (name.clone(), known)
        });
        Some((&closure.body, reading.of_call(parameters)))
    }

    /// Whether a call of a closure is replaced by its body.
    pub(in crate::bind) fn is_inlined(&self, closure: &Inlined, call: &syn::ExprCall) -> bool {
        self.walk.closure == InClosure::None
            && self.templates.inlined_calls < MOST_CALLS
            && means_the_same(self, closure, call)
    }

    /// The meaning of a name here, as text.
    pub(in crate::bind) fn meaning(&self, name: &Ident) -> String {
        let meaning = match self.scopes.get(name) {
            None => "outside".to_owned(),
            Some(Binding::Local(local)) => format!("local {}", local.name),
            Some(Binding::Index { sym, value, .. }) => format!("index {sym} {}", value.to_token_stream()),
            Some(Binding::Tensor(view)) => format!("tensor {:p}", Rc::as_ptr(view)),
            Some(Binding::Static(value) | Binding::Table(value, _)) => format!("static {value:?}"),
            Some(Binding::Point(names)) => format!("point {names:?}"),
            Some(Binding::Template(passed)) => {
                format!("template {:?}", passed.as_ref().map(|passed| &passed.key))
            }
            Some(Binding::Stage(id)) => format!("stage {id}"),
            Some(Binding::Iterator) => "iterator".to_owned(),
            Some(Binding::Broken) => "broken".to_owned(),
        };
        format!("{meaning}, {}", self.scopes.is_item(name))
    }
}

/// Whether every name in a closure means here what it means where the closure was made.
fn means_the_same(binder: &Binder<'_>, closure: &Inlined, call: &syn::ExprCall) -> bool {
    call.args.len() == closure.parameters.len()
        && closure.names.iter().all(|(name, meant)| binder.meaning(name) == *meant)
}
