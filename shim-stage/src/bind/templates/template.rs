//! Templates: kernels with `impl Tensor` parameters, staged into their caller with the caller's locations.

use std::borrow::Cow;
use std::rc::Rc;

use quote::ToTokens;
use syn::{Expr, ExprCall, ExprPath, FnArg, GenericParam, Ident, ItemFn, Path, ReturnType};

use crate::diagnostics::{Diagnostics, counted};
use crate::ir::{Hole, RegionKind, TemplateCall};
use crate::link::{Callees, Output, Template};
use crate::parse::specialize::{self, Specialized};
use crate::static_eval::{self, Value};
use crate::surface::{self, pattern, tensor_type};

use crate::bind::kinds::template::PassedTemplate;
use crate::bind::names::home::HomeModule;
use crate::bind::names::outside::Outside;
use crate::bind::names::restore::Restored;
use crate::bind::names::scope::{Home, SourceFacts};
use crate::bind::templates::argument::mentions;
use crate::bind::templates::generics::Generics;
use crate::bind::{Binder, Binding, IntTy, unreachable_value};

/// How deep templates may call one another.
const MAX_DEPTH: usize = 64;

/// How many template calls are staged into one kernel.
const MAX_STAGED: usize = 16384;

/// The same for a template at its definition: what takes longer is left to its calls.
const MAX_STAGED_IN_DEFINITION: usize = 64;

/// What names are bound to.
pub(in crate::bind) type Bindings = Vec<(Ident, Binding)>;

/// A call of a template before its arguments are evaluated.
pub(in crate::bind) struct Prepared<'a> {
    function: &'a ItemFn,
    pub(in crate::bind) name: String,
    open: Generics,
    pub(in crate::bind) source: Rc<SourceFacts>,
    pub(in crate::bind) restored: Restored,
    pub(in crate::bind) home: Option<HomeModule>,
    generics: Bindings,
    generic_names: Vec<Ident>,
}

impl<'a> Binder<'a> {
    /// The staged body of a template's call; `None` when `call` calls no template.
    pub(in crate::bind) fn template_call(&mut self, call: &ExprCall) -> Option<Expr> {
        let (template, path, home) = match self.callee(&call.func)? {
            PassedTemplate::Known(template, path, home) => (template, path, home),
            PassedTemplate::Open => return Some(unreachable_value()),
        };
        if let Output::Tuple(_) = Output::of(&template.function.sig.output) {
            self.diagnostics.error(
                call,
                format!("`{}` returns tensors, and they are used as a value", template.function.sig.ident),
                "bind them one by one: `let (a, b) = ..`",
            );
            return Some(unreachable_value());
        }
        if !self.count_staged(call, template) {
            return Some(unreachable_value());
        }
        Some(self.stage_template(call, (&path, home), template))
    }

    /// Counts a call that is staged; says whether there are few enough.
    pub(in crate::bind) fn count_staged(&mut self, call: &ExprCall, template: &Template) -> bool {
        if self.diagnostics.depth() >= MAX_DEPTH {
            self.diagnostics.error_in_call(
                call,
                format!("`{}` is staged {MAX_DEPTH} levels deep", template.function.sig.ident),
                "the recursion of a template ends at expansion: decide it by static arguments that shrink",
            );
            // A template that calls itself twice would double the work with each of the levels.
            self.templates.staged = self.max_staged() + 1;
            return false;
        }
        self.templates.staged += 1;
        if self.templates.staged > self.max_staged() {
            if self.templates.staged == self.max_staged() + 1 {
                self.diagnostics.error_in_call(
                    call,
                    format!("more than {MAX_STAGED} template calls are staged into this kernel"),
                    "each is written out: call templates in loops that stay loops, or split the kernel",
                );
            }
            return false;
        }
        true
    }

    fn max_staged(&self) -> usize {
        if self.diagnostics.is_of_definition() { MAX_STAGED_IN_DEFINITION } else { MAX_STAGED }
    }

    fn stage_template(
        &mut self,
        call: &ExprCall,
        path: (&ExprPath, Option<Path>),
        template: &'a Template,
    ) -> Expr {
        let Some(mut prepared) = self.prepared(call, path, template) else {
            return unreachable_value();
        };
        let body = self.body(RegionKind::Plain, Vec::new(), |binder| {
            let Some((function, bindings)) = binder.bound_arguments(&mut prepared, call) else { return };
            let Prepared { name, source, restored, home, generic_names, open, .. } = &prepared;
            binder.among(restored, |binder| {
                if source.outside.method.is_some() {
                    binder.confirm_bounds(open, &source.outside);
                }
                let mut typed = false;
                let (inner, leave) = binder.inside(template, (source, home), bindings, call, |binder| {
                    binder.in_template(name, |binder| {
                        binder.body(RegionKind::Plain, Vec::new(), |binder| {
                            let specialized = specialized(template);
                            let specialized: Vec<_> = specialized.iter().collect();
                            binder.specialized(&specialized, &mut |binder| {
                                binder.statements(&function.block.stmts);
                            });
                            typed = specialized.is_empty()
                                && binder.ends_in(&function.block, &function.sig.output);
                        })
                    })
                });
                let hole = binder.program.hole(Hole::Body(inner));
                // What a body that cannot be left early ends in is its value, and needs no type where it certainly has
                // it.
                let typed = typed && leave.is_none();
                let value: Expr = match leave {
                    Some(leave) => syn::parse_quote!(#leave: { #hole }),
                    None => hole,
                };
                match &function.sig.output {
                    ReturnType::Type(_, ty) if !typed && !mentions(ty, generic_names) => {
                        let result = binder.names.fresh("result");
                        binder.push(syn::parse_quote!(let #result: #ty = #value;));
                        binder.push(syn::Stmt::Expr(syn::parse_quote!(#result), None));
                    }
                    ReturnType::Type(..) => binder.push(syn::Stmt::Expr(value, None)),
                    ReturnType::Default => {
                        binder.push(syn::Stmt::Expr(value, Some(syn::token::Semi::default())));
                    }
                }
            });
        });
        self.program.hole(Hole::Body(body))
    }

    /// Lets rustc confirm that types have the traits whose methods a template calls.
    fn confirm_bounds(&mut self, open: &Generics, outside: &Outside) {
        for (name, bounds) in &outside.bounded {
            if let Some(ty) = open.known(name) {
                self.push(syn::parse_quote! {
                    const _: () = {
                        const fn has_bounds<T: ?Sized + #(#bounds)+*>() {}
                        has_bounds::<#ty>();
                    };
                });
            }
        }
    }

    /// What a call of a template says before its arguments are evaluated; none behind an error.
    pub(in crate::bind) fn prepared(
        &mut self,
        call: &ExprCall,
        (path, home): (&ExprPath, Option<Path>),
        template: &'a Template,
    ) -> Option<Prepared<'a>> {
        let function = &template.function;
        let name = function.sig.ident.to_string();
        let inputs: Vec<&syn::PatType> = inputs(function).collect();
        if inputs.len() != call.args.len() {
            let wanted = counted(inputs.len(), "argument", "arguments");
            let message = format!("the template `{name}` takes {wanted}, {} given", call.args.len());
            let names: Vec<String> =
                inputs.iter().map(|input| input.pat.to_token_stream().to_string()).collect();
            let help = format!("it is `{name}({})`, at {}", names.join(", "), template.location);
            self.diagnostics.error(call, message, help);
            return None;
        }
        self.reject_value_for_type(path, function);
        let open = Generics::of(path, function);
        let source = self.source_of(template);
        let home = home.map(|path| HomeModule::new(path, &source.outside));
        let restored = match &home {
            Some(home) => self.restored_from(&source.outside, home, &name, call)?,
            None => self.restored(&source.outside, Home::BesideKernel, &name, call)?,
        };
        let generics = self.template_generics(path, template, &open, &restored)?;
        let generic_names: Vec<Ident> = function
            .sig
            .generics
            .params
            .iter()
            .map(|param| match param {
                GenericParam::Const(param) => param.ident.clone(),
                GenericParam::Type(param) => param.ident.clone(),
                GenericParam::Lifetime(param) => param.lifetime.ident.clone(),
            })
            .collect();
        Some(Prepared { function, name, open, source, restored, home, generics, generic_names })
    }

    /// The function with its types known, and what its parameters are bound to. Arguments are evaluated in the caller's
    /// scope, in order.
    pub(in crate::bind) fn bound_arguments(
        &mut self,
        prepared: &mut Prepared<'a>,
        call: &ExprCall,
    ) -> Option<(Cow<'a, ItemFn>, Bindings)> {
        let Prepared { function, name, open, source, restored, generics, generic_names, .. } = prepared;
        let mut bindings = Vec::new();
        for (input, argument) in inputs(function).zip(&call.args) {
            let known = open.parameter(input);
            if let Some(binding) = self.template_argument(&known, argument, name, generic_names, restored) {
                self.learn(open, &known, &binding.1, &mut bindings, argument);
                bindings.push(binding);
            }
        }
        self.name_in_template(open, function, source, restored, call);
        let (function, missing) = open.function(function);
        if let Some(missing) = missing {
            self.report_open_type(call, &missing, name);
            return None;
        }
        let bindings: Bindings = std::mem::take(generics).into_iter().chain(bindings).collect();
        self.check_computed_ranks(&function, name, &bindings, call)?;
        Some((function, bindings))
    }

    /// Reports a tensor whose rank is not what the declaration of its parameter computes from the others.
    fn check_computed_ranks(
        &mut self,
        function: &ItemFn,
        template: &str,
        bindings: &[(Ident, Binding)],
        call: &ExprCall,
    ) -> Option<()> {
        let mut agree = true;
        self.scopes.enter();
        for (name, binding) in bindings {
            if let Binding::Static(value) = binding {
                self.scopes.bind(name, Binding::Static(value.clone()));
            }
        }
        for (input, argument) in inputs(function).zip(&call.args) {
            let view = |own: &syn::Ident| bindings.iter().find(|(name, _)| name == own).map(|(_, own)| own);
            let bound = pattern::simple(&input.pat).and_then(|(name, ..)| view(name));
            let (Some(Binding::Tensor(view)), Some(wanted)) = (bound, self.computed_rank(&input.ty)) else {
                continue;
            };
            let found = view.space.extents.len();
            if found != wanted && !self.is_broken(view) {
                agree = false;
                let axes = counted(found, "axis", "axes");
                self.diagnostics.error(
                    argument,
                    format!("`{}` has {axes}, `{template}` takes a tensor of {wanted} here", view.name),
                    "the ranks of other tensors of the call decide it",
                );
            }
        }
        self.scopes.leave();
        agree.then_some(())
    }

    /// The rank in a type of tensors that is computed from others.
    pub(in crate::bind) fn computed_rank(&self, ty: &syn::Type) -> Option<usize> {
        match static_eval::eval(&tensor_type::computed_rank(ty)?, &self.scopes) {
            Ok(Some(Value::Int(rank))) => usize::try_from(rank.value).ok(),
            _ => None,
        }
    }

    /// Binds what `stage` binds among the names of a template, whose parameters are `bindings`.
    pub(in crate::bind) fn inside<T>(
        &mut self,
        template: &'a Template,
        (source, home): (&Rc<SourceFacts>, &Option<HomeModule>),
        bindings: Bindings,
        call: &ExprCall,
        stage: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let callees = std::mem::replace::<&'a Callees>(&mut self.templates.callees, &template.callees);
        let in_template = std::mem::replace(&mut self.templates.in_template, true);
        let outer = std::mem::replace(&mut self.templates.home, home.clone());
        let bounded = !source.outside.bounded.is_empty();
        let bounded = std::mem::replace(&mut self.templates.bounded, bounded);
        let source = self.scopes.enter_source(source.clone());
        let floor = self.scopes.hide();
        self.scopes.enter();
        self.diagnostics.enter(TemplateCall {
            template: template.function.sig.ident.to_string(),
            location: template.location.clone(),
            site: call.to_token_stream(),
        });
        for (name, binding) in bindings {
            let binding = self.exposed(&name, binding);
            self.scopes.bind(&name, binding);
        }
        let result = stage(self);
        self.diagnostics.leave();
        self.scopes.leave();
        self.scopes.reveal(floor);
        self.scopes.enter_source(source);
        self.templates.in_template = in_template;
        self.templates.home = outer;
        self.templates.bounded = bounded;
        self.templates.callees = callees;
        result
    }

    /// What is known of a template's tokens.
    fn source_of(&mut self, template: &Template) -> Rc<SourceFacts> {
        let known = self.templates.sources.entry(template.key.clone());
        known
            .or_insert_with(|| {
                let mut source = SourceFacts::of(&template.function);
                source.outside = Outside::of(&template.function, &source, &template.callees);
                Rc::new(source)
            })
            .clone()
    }

    /// The binding of a template's parameter, under its own identifier if it keeps that.
    fn exposed(&mut self, name: &Ident, binding: Binding) -> Binding {
        let Binding::Local(mut local) = binding else { return binding };
        if self.scopes.is_exposed(name) {
            let (value, mutability) = (&local.name, local.mutable.then(|| quote::quote!(mut)));
            self.push(syn::parse_quote!(let #mutability #name = #value;));
            local.name = name.clone();
            local.exposed = true;
            local.number = None;
            local.symbol = None;
            local.defined = self.position();
        }
        Binding::Local(local)
    }

    /// Whether the value of a body is certain to be of the type that its function returns.
    fn ends_in(&self, body: &syn::Block, output: &ReturnType) -> bool {
        let (Some(syn::Stmt::Expr(value, None)), ReturnType::Type(_, ty)) = (body.stmts.last(), output)
        else {
            return false;
        };
        match surface::strip_parens(value) {
            Expr::Cast(cast) => cast.ty == *ty,
            value => IntTy::of_type(ty).is_some_and(|ty| self.number(value) == Some(ty)),
        }
    }
}

/// The typed parameters of a template, which has no `self`.
fn inputs(function: &ItemFn) -> impl Iterator<Item = &syn::PatType> {
    function.sig.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(typed) => Some(typed),
        FnArg::Receiver(_) => None,
    })
}

/// The specialized parameters of a template, whose errors were reported at the definition.
fn specialized(template: &Template) -> Vec<Specialized> {
    let taken = |input: &syn::PatType| specialize::take(&mut input.clone(), &mut Diagnostics::default());
    inputs(&template.function).filter_map(taken).collect()
}
