//! Generic parameters of templates: types and ranks, given in the turbofish or taken from the tensors of the call.
//!
//! rustc knows the type of every element, and a macro knows those that the kernel spells: of a parameter, of
//! `heap::<T>` and `stack::<T>`, of a cast. The body of a template is bound with that type in the place of its
//! parameter, as a C++ template is, so that it may do with elements whatever their type allows.

use std::borrow::Cow;

use quote::ToTokens;
use syn::{
    Expr, ExprCall, ExprPath, FnArg, GenericArgument, GenericParam, Ident, ItemFn, PatType, PathArguments,
    Type,
};

use crate::diagnostics::counted;
use crate::hygiene::{self, Name};
use crate::link::Template;
use crate::parse::signature::is_number;
use crate::static_eval::{self, Int, IntType, Value};
use crate::surface::tensor_type::{block_value, declared_element, rank_name};
use crate::syntax::visit::Visit;
use crate::syntax::visit_mut::VisitMut;

use crate::bind::names::restore::Restored;
use crate::bind::names::scope::SourceFacts;
use crate::bind::names::source::Items;
use crate::bind::templates::substitute::{BlockItems, NameSearch, Substitute};
use crate::bind::{Binder, Binding, IntTy, unreachable_value};

/// The generic parameters of one call.
pub(in crate::bind) struct Generics {
    /// The type parameters, and what they stand for as far as it is known.
    types: Vec<(Ident, Option<Type>)>,
    /// The const parameters that are ranks of tensors and were not given.
    ranks: Vec<Ident>,
}

impl Generics {
    /// Those of a call, with the types that its turbofish gives.
    pub(in crate::bind) fn of(path: &ExprPath, function: &ItemFn) -> Self {
        let mut given = turbofish(path).into_iter();
        let (mut types, mut ranks) = (Vec::new(), Vec::new());
        for param in &function.sig.generics.params {
            match param {
                GenericParam::Lifetime(_) => {}
                GenericParam::Type(param) => {
                    let ty = given.next().and_then(|argument| match argument {
                        GenericArgument::Type(Type::Infer(_)) => None,
                        GenericArgument::Type(ty) => Some(ty.clone()),
                        _ => None,
                    });
                    types.push((param.ident.clone(), ty));
                }
                GenericParam::Const(param) => match given.next() {
                    Some(GenericArgument::Type(Type::Infer(_))) | None if is_rank(&param.ident, function) => {
                        ranks.push(param.ident.clone());
                    }
                    _ => {}
                },
            }
        }
        Generics { types, ranks }
    }

    /// The type that a type parameter stands for, if it is known.
    pub(in crate::bind) fn known(&self, name: &Ident) -> Option<&Type> {
        self.types.iter().find(|(own, _)| own == name)?.1.as_ref()
    }

    /// Whether the const parameter `name` is the rank of a tensor, to be taken from it.
    fn finds(&self, name: &Ident) -> bool {
        self.ranks.contains(name)
    }

    /// A parameter with what is known of its type.
    pub(in crate::bind) fn parameter<'p>(&self, input: &'p PatType) -> Cow<'p, PatType> {
        if self.types.is_empty() {
            return Cow::Borrowed(input);
        }
        let mut input = input.clone();
        Substitute(&self.types).visit_type_mut(&mut input.ty);
        Cow::Owned(input)
    }

    /// The function with the types in the place of their parameters, and the name of one that it mentions and that is
    /// not known.
    pub(in crate::bind) fn function<'f>(&self, function: &'f ItemFn) -> (Cow<'f, ItemFn>, Option<Ident>) {
        if self.types.is_empty() {
            return (Cow::Borrowed(function), None);
        }
        let mut function = function.clone();
        let mut substitute = Substitute(&self.types);
        substitute.visit_block_mut(&mut function.block);
        substitute.visit_return_type_mut(&mut function.sig.output);
        let missing = self.types.iter().find(|(name, ty)| {
            let mut find = NameSearch(name, false);
            find.visit_block(&function.block);
            ty.is_none() && find.1
        });
        let missing = missing.map(|(name, _)| name.clone());
        (Cow::Owned(function), missing)
    }
}

impl Binder<'_> {
    /// Takes from the tensor that a parameter is bound to what its declaration leaves open.
    pub(in crate::bind) fn learn(
        &mut self,
        generics: &mut Generics,
        input: &PatType,
        bound: &Binding,
        bindings: &mut Vec<(Ident, Binding)>,
        argument: &Expr,
    ) {
        let Binding::Tensor(view) = bound else { return };
        if self.is_broken(view) {
            return;
        }
        if let Some(rank) = rank_name(&input.ty)
            && let Some(at) = generics.ranks.iter().position(|name| name == rank)
        {
            let name = generics.ranks.remove(at);
            let rank = Int { value: view.space.extents.len() as i128, ty: Some(IntType::Usize) };
            bindings.push((name, Binding::Static(Value::Int(rank))));
        }
        let Some(Type::Path(element)) = declared_element(&input.ty) else { return };
        let Some(name) = element.path.get_ident() else { return };
        let open =
            generics.types.iter_mut().find(|(param, ty)| ty.is_none() && Name::of(param) == Name::of(name));
        let Some((_, ty)) = open else { return };
        if let Some(element) = self.element_of(view).cloned() {
            let hidden = self.is_hidden(&element);
            *ty = Some(if hidden { self.unhidden(&element.ty, argument) } else { element.ty });
        }
    }

    /// Names the types of type parameters so that they mean in the template what they mean to its caller.
    pub(in crate::bind) fn name_in_template(
        &mut self,
        generics: &mut Generics,
        function: &ItemFn,
        source: &SourceFacts,
        restored: &Restored,
        call: &ExprCall,
    ) {
        if generics.types.is_empty() {
            return;
        }
        let mut declared = BlockItems { source, items: Items::default() };
        declared.visit_block(&function.block);
        let items = declared.items;
        for (_, ty) in &mut generics.types {
            let Some(ty) = ty else { continue };
            let names: Vec<Ident> = hygiene::identifiers(ty.to_token_stream()).collect();
            let own = names.iter().any(|name| items.names.contains(&hygiene::text(name)));
            if own || items.more || restored.brings_back(&names) {
                *ty = self.unhidden(ty, call);
            }
        }
    }

    /// The values of a template's const generics, from the call's turbofish.
    ///
    /// Long: one case for each kind of argument.
    pub(in crate::bind) fn template_generics(
        &mut self,
        path: &ExprPath,
        template: &Template,
        open: &Generics,
        restored: &Restored,
    ) -> Option<Vec<(Ident, Binding)>> {
        let given = const_arguments(path, &template.function).into_iter();
        let mut given = given.filter_map(|argument| match argument {
            GenericArgument::Const(value) => Some((value.clone(), argument.to_token_stream())),
            // A name alone parses as a type, and is one only if it is a primitive's.
            GenericArgument::Type(ty) => {
                let name = syn::parse2(ty.to_token_stream()).ok().filter(|_| !is_number(ty));
                Some((name.unwrap_or_else(unreachable_value), argument.to_token_stream()))
            }
            _ => None,
        });
        let mut bindings = Vec::new();
        for param in &template.function.sig.generics.params {
            let GenericParam::Const(param) = param else { continue };
            if open.finds(&param.ident) {
                // `_` stands for it, if anything does.
                given.next();
                continue;
            }
            let default =
                || param.default.clone().map(|(_, value)| (value.clone(), value.into_token_stream()));
            let Some((value, written)) = given.next().or_else(default) else {
                self.diagnostics.error(
                    path,
                    format!(
                        "the const generic `{}` of `{}` is not given",
                        param.ident, template.function.sig.ident
                    ),
                    format!("write it out, as in `{}::<8>(..)`", template.function.sig.ident),
                );
                return None;
            };
            let value = block_value(&value);
            if matches!(value, Expr::Verbatim(_)) {
                self.diagnostics.error(
                    written,
                    format!("the const generic `{}` is a number, and this is a type", param.ident),
                    format!("give a value of type `{}`", param.ty.to_token_stream()),
                );
                return None;
            }
            if let Some(known) = self.static_value(value) {
                match static_eval::convert(&known, &param.ty) {
                    Some(known) => bindings.push((param.ident.clone(), Binding::Static(known))),
                    None => {
                        self.diagnostics.error(
                            written,
                            format!("this does not fit the const generic `{}`", param.ident),
                            format!("its type is `{}`", param.ty.to_token_stream()),
                        );
                        return None;
                    }
                }
                continue;
            }
            // A const generic of the caller, or a constant outside of the kernel: known to rustc alone.
            let local = self.names.fresh(&param.ident.to_string().to_lowercase());
            let ty = &param.ty;
            let (value, annotation) = (self.expression(value), restored.ty(ty));
            self.push(syn::parse_quote!(let #local: #annotation = #value;));
            let local = crate::bind::Local {
                ty: Some(std::rc::Rc::new(ty.clone())),
                number: IntTy::of_type(ty),
                ..crate::bind::Local::new(local, self.position())
            };
            bindings.push((param.ident.clone(), Binding::Local(local)));
        }
        if let Some((_, written)) = given.next() {
            let count = parameters(&template.function).count();
            let wanted = counted(count, "generic parameter", "generic parameters");
            let message = format!("`{}` has {wanted}, found one more", template.function.sig.ident);
            self.diagnostics.error(
                written,
                message,
                format!("remove it; the template is at {}", template.location),
            );
            return None;
        }
        Some(bindings)
    }

    /// Reports a value in the place of a type.
    pub(in crate::bind) fn reject_value_for_type(&mut self, path: &ExprPath, function: &ItemFn) {
        for (param, argument) in parameters(function).zip(turbofish(path)) {
            if let (GenericParam::Type(param), GenericArgument::Const(value)) = (param, argument) {
                self.diagnostics.error(
                    value,
                    format!("the generic `{}` is a type, and this is a value", param.ident),
                    "name a type, or write `_` for that of the tensor's elements",
                );
            }
        }
    }

    /// Reports a type parameter that nothing says the type of.
    pub(in crate::bind) fn report_open_type(&mut self, call: &ExprCall, name: &Ident, template: &str) {
        self.diagnostics.error_in_call(
            call,
            format!("the kernel does not show which type `{name}` of `{template}` is"),
            format!("write it out, as in `{template}::<u8>(..)`, or declare the type of the memory"),
        );
    }
}

/// The generic parameters of a function, without lifetimes.
fn parameters(function: &ItemFn) -> impl Iterator<Item = &GenericParam> {
    let params = function.sig.generics.params.iter();
    params.filter(|param| !matches!(param, GenericParam::Lifetime(_)))
}

/// The generic arguments of a call, without lifetimes.
fn turbofish(path: &ExprPath) -> Vec<&GenericArgument> {
    match path.path.segments.last().map(|segment| &segment.arguments) {
        Some(PathArguments::AngleBracketed(arguments)) => arguments
            .args
            .iter()
            .filter(|argument| !matches!(argument, GenericArgument::Lifetime(_)))
            .collect(),
        _ => Vec::new(),
    }
}

/// The arguments of a call's turbofish for the const parameters of `function`, in their order.
fn const_arguments<'p>(path: &'p ExprPath, function: &ItemFn) -> Vec<&'p GenericArgument> {
    let given = turbofish(path);
    let beyond = given.len().saturating_sub(parameters(function).count());
    let surplus = given[given.len() - beyond..].to_vec();
    let consts = parameters(function).zip(given).filter(|(param, _)| matches!(param, GenericParam::Const(_)));
    consts.map(|(_, argument)| argument).chain(surplus).collect()
}

/// Whether a const parameter is the rank of one of the tensors.
fn is_rank(name: &Ident, function: &ItemFn) -> bool {
    function.sig.inputs.iter().any(|input| match input {
        FnArg::Typed(typed) => rank_name(&typed.ty).is_some_and(|rank| rank == name),
        FnArg::Receiver(_) => false,
    })
}
