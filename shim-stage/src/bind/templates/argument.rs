//! What a template is given: tensors, templates, static values and numbers.

use std::rc::Rc;

use quote::ToTokens;
use syn::{Expr, Ident, Type};

use crate::diagnostics::counted;
use crate::ir::{Addressing, ElementType, View};
use crate::parse::signature::is_number;
use crate::static_eval::{self, Value};
use crate::surface::pattern;
use crate::surface::tensor_type::{
    declared_element, declared_rank, is_template_impl, is_tensor_impl, place_rank,
};
use crate::syntax::visit::Visit;

use crate::bind::arithmetic::index::IndexExpr;
use crate::bind::names::restore::Restored;
use crate::bind::{Binder, Binding, IntTy};

impl Binder<'_> {
    /// What a template's parameter is bound to.
    ///
    /// Long: one case for each kind of parameter.
    pub(in crate::bind) fn template_argument(
        &mut self,
        input: &syn::PatType,
        argument: &Expr,
        template: &str,
        generics: &[Ident],
        restored: &Restored,
    ) -> Option<(Ident, Binding)> {
        let simple = pattern::simple(&input.pat);
        if is_template_impl(&input.ty) {
            let (name, ..) = simple?;
            return Some((name.clone(), self.passed(argument, template)));
        }
        if is_tensor_impl(&input.ty) {
            let (name, ..) = simple?;
            if let Some(stage) = self.stage_named(argument) {
                return Some((name.clone(), Binding::Stage(stage)));
            }
            let view = self.tensor_parameter(input, name, argument, template, restored);
            return Some((
                name.clone(),
                Binding::Tensor(view.unwrap_or_else(|| self.broken_view("argument"))),
            ));
        }
        if let Some(rank) = place_rank(&input.ty) {
            let simple = simple?;
            let place = self.place_argument(simple, argument, rank, template);
            return Some((simple.0.clone(), Binding::Tensor(place)));
        }
        if self.has_elements(argument) {
            self.diagnostics.error(
                argument,
                format!("`{template}` takes no tensor here"),
                "declare the parameter as `impl Tensor<T, N>`, or read an element",
            );
            return None;
        }
        if let Some((name, _, false)) = simple {
            match static_eval::eval_as(argument, &input.ty, &self.scopes) {
                Ok(Some(value @ (Value::Int(_) | Value::Bool(_)))) => {
                    return Some((name.clone(), Binding::Static(value)));
                }
                Ok(_) => {}
                Err(error) => {
                    self.diagnostics.push(error);
                    return Some((name.clone(), Binding::Broken));
                }
            }
            if is_i32(&input.ty)
                && let IndexExpr { value: Ok(sym), varies: true, only: true, exact } =
                    self.index_expr(argument, None)
            {
                let value = self.expression(argument);
                return Some((name.clone(), Binding::Index { sym, value, exact, reference: false }));
            }
        }
        let ty = &input.ty;
        let exact = match IntTy::of_type(ty) {
            Some(_) => self.exact(argument),
            None => None,
        };
        let (value, symbol) = (self.expression(argument), self.known_symbol(argument));
        let annotation = (!mentions(ty, generics) && !matches!(**ty, Type::ImplTrait(_))).then_some(ty);
        match simple {
            Some((name, _, mutable)) => {
                let local = self.names.fresh(&name.to_string());
                let mutability = mutable.then(|| quote::quote!(mut));
                match annotation.map(|ty| restored.ty(ty)) {
                    Some(ty) => self.push(syn::parse_quote!(let #mutability #local: #ty = #value;)),
                    None => self.push(syn::parse_quote!(let #mutability #local = #value;)),
                }
                let local = crate::bind::Local {
                    mutable,
                    // What the caller gives a generic parameter has no name here.
                    ty: annotation.map(|_| Rc::new((**ty).clone())),
                    symbol: symbol.filter(|_| !mutable),
                    value: exact,
                    number: IntTy::of_type(ty),
                    ..crate::bind::Local::new(local, self.position())
                };
                Some((name.clone(), Binding::Local(local)))
            }
            None => {
                self.diagnostics.error(
                    &input.pat,
                    "expected plain names for the parameters of a template",
                    "take the argument apart in the template's body",
                );
                None
            }
        }
    }

    /// A tensor for a parameter that takes one; `None` if what is wrong with it is reported.
    fn tensor_parameter(
        &mut self,
        input: &syn::PatType,
        name: &Ident,
        argument: &Expr,
        template: &str,
        restored: &Restored,
    ) -> Option<Rc<View>> {
        if self.mentions_broken(argument) {
            return Some(self.broken_view(&name.to_string()));
        }
        if !self.is_tensor(argument) {
            self.diagnostics.error(
                argument,
                format!("`{template}` takes a tensor here"),
                "give a tensor of the kernel: a block or a view of one",
            );
            return None;
        }
        let view = self.tensor(argument, &name.to_string())?;
        if self.is_broken(&view) {
            return Some(view);
        }
        if let Some(rank) = declared_rank(&input.ty)
            && rank != view.space.extents.len()
        {
            let given = view.space.extents.len();
            let axes = counted(given, "axis", "axes");
            self.diagnostics.error(
                argument,
                format!("`{}` has {axes}, `{template}` takes a tensor of {rank}", view.name),
                if given > rank {
                    "drop an axis, as in `t.slice(0, k)` or `t[[k, ..]]`"
                } else {
                    "the rank of a tensor never rises: make the block with more axes"
                },
            );
            return None;
        }
        if let Some(element) = declared_element(&input.ty) {
            let demand = format!("`{template}` takes");
            self.check_element(&view, element, argument, &demand, restored);
        }
        Some(view)
    }

    /// Reports a tensor whose elements are not of the type that a template demands, or lets rustc find it where the
    /// kernel does not show the type.
    pub(in crate::bind) fn check_element(
        &mut self,
        view: &crate::ir::View,
        wanted: &Type,
        argument: &Expr,
        demand: &str,
        restored: &Restored,
    ) {
        // A type of the template's module has no name here.
        if !is_number(wanted) {
            return;
        }
        let name = wanted.to_token_stream().to_string();
        let buffer = &self.program.buffers[view.buffer];
        let known = match view.casts.last() {
            Some(cast) => is_number(&cast.ty).then(|| cast.ty.to_token_stream().to_string()),
            None => buffer.number().map(|number| number.name().to_owned()),
        };
        if let Some(known) = known {
            if known != name {
                self.diagnostics.error(
                    argument,
                    format!("the elements of `{}` are `{known}`, {demand} a tensor of `{name}`", view.name),
                    format!("convert them: `.cast::<{name}>()`"),
                );
            }
            return;
        }
        let element = ElementType { ty: wanted.clone(), region: self.walk.region };
        let rt = &self.runtime;
        let wanted = restored.ty(wanted);
        let statement: syn::Stmt = match (view.casts.last(), &buffer.addressing) {
            (Some(cast), _) => {
                let ty = &cast.ty;
                syn::parse_quote!(#rt.elements::<#wanted>(&[] as &[#ty; 0]);)
            }
            (None, Addressing::Rows) => {
                let rows = buffer.slice(false);
                syn::parse_quote!(#rt.row_elements::<#wanted, _>(#rows);)
            }
            (None, Addressing::Flat(_)) => {
                let elements = buffer.slice(false);
                syn::parse_quote!(#rt.elements::<#wanted>(#elements);)
            }
        };
        let memory = view.casts.is_empty();
        self.push(statement);
        if memory {
            // From here on it is known.
            self.program.buffers[view.buffer].element = Some(element);
        }
    }
}

pub(in crate::bind) fn is_i32(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.is_ident("i32"))
}

/// Whether `ty` names one of the template's generics.
pub(in crate::bind) fn mentions(ty: &Type, names: &[Ident]) -> bool {
    struct GenericSearch<'a>(&'a [Ident], bool);
    impl<'ast> Visit<'ast> for GenericSearch<'_> {
        fn visit_ident(&mut self, ident: &'ast Ident) {
            self.1 |= self.0.contains(ident);
        }
    }
    let mut find = GenericSearch(names, false);
    find.visit_type(ty);
    find.1
}
