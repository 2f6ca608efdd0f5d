//! `let`: numbers, tensors, choices between tensors and static values.

use std::rc::Rc;

use proc_macro2::TokenStream;
use quote::ToTokens as _;
use syn::{Expr, Local, Pat, Stmt};

use crate::hygiene;
use crate::ir::CallEffect;
use crate::static_eval::{self, Value};
use crate::surface::{self, StageCall, pattern, tensor_type::place_rank};
use crate::symbolic::{SymInt, Symbol};

use crate::bind::arithmetic::index::IndexExpr;
use crate::bind::kinds::template::PassedTemplate;
use crate::bind::names::local::Owned;
use crate::bind::{Binder, Binding, IntTy, Scopes};

/// The known value of a `let`.
pub(in crate::bind) enum LetValue {
    /// It is that of a local.
    Of(Symbol),
    /// It is this one.
    Exactly(SymInt),
    /// It is this one, unless the arithmetic overflows.
    Unless(SymInt),
}

impl Binder<'_> {
    pub(in crate::bind) fn local(&mut self, local: &Local) {
        let Some(init) = &local.init else {
            let mut result = local.clone();
            result.pat = self.pattern(&local.pat);
            // Assigned later: unknown until then.
            if let Some((name, ..)) = pattern::simple(&local.pat)
                && let Some(Binding::Local(bound)) = self.scopes.get_mut(name)
            {
                bound.mutable = true;
            }
            return self.push(Stmt::Local(result));
        };
        if let Some(call) = self.stage_call(&init.expr) {
            return self.stage_local(local, call);
        }
        if is_iters(&init.expr, &self.scopes) {
            return self.iterators(local);
        }
        if let Some((name, ty, mutable)) = pattern::simple(&local.pat) {
            if self.known_local(local, init, (name, ty, mutable)) {
                return;
            }
        } else if let Pat::Tuple(names) = &local.pat
            && let Some(each) = self.index_tuple(local, names, &init.expr)
        {
            return each.iter().for_each(|local| self.local(local));
        } else if let Pat::Tuple(names) = &local.pat
            && self.tuple_local(local, names, &init.expr)
        {
            return;
        } else if matches!(local.pat, Pat::Wild(_)) && self.is_tensor(&init.expr) {
            // Looked at and forgotten; what is wrong with it is reported all the same.
            self.tensor(&init.expr, "unused");
            return;
        } else if self.is_tensor(&init.expr) {
            self.diagnostics.error(
                &local.pat,
                "expected a plain name for a tensor",
                "write `let name = ..`; its extents are `name.extent(axis)`",
            );
            return;
        }
        self.value_local(local, init);
    }

    /// The call of `stage` that an expression is, unless a local has that name.
    pub(in crate::bind) fn stage_call<'e>(&self, expr: &'e Expr) -> Option<StageCall<'e>> {
        let call = StageCall::of(expr)?;
        let name = call.path.path.get_ident();
        name.is_none_or(|name| self.scopes.get(name).is_none()).then_some(call)
    }

    /// A `let` of one name whose value is a tensor, static or index arithmetic; says whether it is one.
    fn known_local(
        &mut self,
        local: &Local,
        init: &syn::LocalInit,
        (name, ty, mutable): (&syn::Ident, Option<&syn::Type>, bool),
    ) -> bool {
        let (chosen, opened) = self.static_choice(&init.expr);
        let made = self.is_tensor(chosen).then(|| self.tensor_local(local, name, mutable, chosen));
        (0..opened).for_each(|_| self.scopes.leave());
        match made {
            Some(Some(view)) => {
                self.bind_tensor(name, view);
                return true;
            }
            // An error was reported: a name that is known keeps it from causing others.
            Some(None) => {
                self.bind_broken(name);
                return true;
            }
            None => {}
        }
        // At a definition, a call of a template parameter may return a tensor or a value.
        if let Expr::Call(call) = surface::strip_parens(&init.expr)
            && matches!(self.callee(&call.func), Some(PassedTemplate::Open))
        {
            let _ = self.expression(&init.expr);
            self.scopes.bind(name, Binding::Broken);
            return true;
        }
        if self.gives_tensor(chosen) {
            self.diagnostics.error_in_call(
                chosen,
                format!("which tensor `{name}` is must be known when the kernel is expanded"),
                "decide it by a condition that is static",
            );
            self.bind_broken(name);
            return true;
        }
        if !mutable && init.diverge.is_none() {
            if ty.is_none() && self.point_local(name, &init.expr) {
                return true;
            }
            match self.static_local(&init.expr, ty) {
                Ok(Some(value)) => {
                    self.bind_static(local, name, value);
                    return true;
                }
                Ok(None) => {}
                Err(error) => {
                    self.diagnostics.push(error);
                    self.scopes.bind(name, Binding::Broken);
                    return true;
                }
            }
            if ty.is_none()
                && let known = self.index_expr(&init.expr, None)
                && known.only
                && known.varies
            {
                self.index_local(local, name, known);
                return true;
            }
        }
        false
    }

    /// A `let` of values that pass through.
    fn value_local(&mut self, local: &Local, init: &syn::LocalInit) {
        let numbers = self.numbers(&local.pat, &init.expr);
        let known = self.all_known(&local.pat, &init.expr, &[]);
        let mut result = local.clone();
        let mut panics = None;
        if let Some(init) = &mut result.init {
            (*init.expr, panics) = self.with_own_totality(&init.expr);
            if let Some((_, otherwise)) = &mut init.diverge {
                **otherwise = self.arm(otherwise, Vec::new());
                self.walk.effects.opaque();
            }
        }
        let calls = match local.init.as_ref().map(|init| surface::strip_parens(&init.expr)) {
            Some(Expr::Closure(_)) => self.walk.closure_calls,
            _ => CallEffect::Unknown,
        };
        let owned = match (pattern::simple(&local.pat), &local.init) {
            (Some((_, ty, _)), Some(init)) => Owned::of(ty, &init.expr),
            _ => Owned::Nothing,
        };
        let array = match (pattern::simple(&local.pat), &local.init) {
            (Some((name, None, _)), Some(init)) => {
                self.type_of_array(&init.expr).map(|ty| (name.clone(), ty))
            }
            _ => None,
        };
        // The new names are in scope only after the statement.
        let refutable = local.init.as_ref().is_some_and(|init| init.diverge.is_some());
        result.pat = if refutable { self.refutable_pattern(&local.pat) } else { self.pattern(&local.pat) };
        self.push(Stmt::Local(result));
        let here = self.position();
        for name in hygiene::bound_names(&local.pat) {
            if let Some(Binding::Local(bound)) = self.scopes.get_mut(&name) {
                bound.defined = here;
                bound.owned = owned;
                bound.calls = if bound.mutable { calls.min(CallEffect::Transparent) } else { calls };
                let known = known.iter().find(|(own, _)| hygiene::same(own, &name)).map(|(_, own)| *own);
                bound.primitive = known.map(|known| known.primitive);
                bound.values = known.and_then(|known| known.values).filter(|_| !bound.mutable);
            }
        }
        if let Some((name, ty)) = array
            && let Some(Binding::Local(bound)) = self.scopes.get_mut(&name)
        {
            bound.ty = Some(Rc::new(ty));
        }
        if let (Some((name, None, false)), Some(init)) = (pattern::simple(&local.pat), &local.init)
            && calls.is_transparent()
        {
            self.note_closure(name, &init.expr, panics.is_none());
        }
        let is_asked_at_calls = pattern::simple(&local.pat).is_some_and(
            |(name, ..)| matches!(self.scopes.get(name), Some(Binding::Local(own)) if own.closure.is_some()),
        );
        if let Some(panics) = panics.filter(|_| !is_asked_at_calls) {
            self.may_panic(panics);
        }
        for (name, number, value) in numbers {
            match value {
                Some(LetValue::Of(symbol)) => self.rename(&name, number, symbol),
                Some(LetValue::Exactly(value)) => {
                    self.define_local(&name, number, None);
                    if let Some(Binding::Local(local)) = self.scopes.get_mut(&name)
                        && local.is_unchanging()
                    {
                        local.value = Some(value);
                    }
                }
                Some(LetValue::Unless(value)) => self.define_local(&name, number, Some(value)),
                None => self.define_local(&name, number, None),
            }
        }
        // A place that may be assigned is a value like any other.
        if let Some((name, Some(ty), false)) = pattern::simple(&local.pat)
            && let Some(rank) = place_rank(ty)
        {
            self.place_local(name, rank, None);
        }
    }

    /// The value of a `let`; of a closure that may be written where it is called, whether it may panic is asked there.
    fn with_own_totality(&mut self, init: &Expr) -> (Expr, Option<TokenStream>) {
        if !matches!(surface::strip_parens(init), Expr::Closure(_)) {
            return (self.expression(init), None);
        }
        let around = self.walk.totality.take();
        let bound = self.totality(false, |binder| binder.expression(init));
        self.walk.totality = around;
        bound
    }

    /// Notes that a new local has the value of another one.
    fn rename(&mut self, name: &syn::Ident, number: Option<IntTy>, symbol: Symbol) {
        if let Some(Binding::Local(local)) = self.scopes.get_mut(name)
            && local.is_unchanging()
        {
            local.number = local.number.or(number);
            local.symbol.get_or_insert(symbol);
        }
    }

    /// What is known of the numbers that a `let` binds, one by one; a tuple's are bound together.
    pub(in crate::bind) fn numbers(
        &mut self,
        pattern: &Pat,
        init: &Expr,
    ) -> Vec<(syn::Ident, Option<IntTy>, Option<LetValue>)> {
        match (pattern, surface::strip_parens(init)) {
            (Pat::Tuple(names), Expr::Tuple(values)) if names.elems.len() == values.elems.len() => {
                let both = names.elems.iter().zip(&values.elems);
                both.flat_map(|(name, value)| self.numbers(name, value)).collect()
            }
            _ => match pattern::simple(pattern) {
                Some((name, _, false)) => {
                    let number = self.number(init);
                    let value = match self.known_symbol(init) {
                        Some(symbol) => Some(LetValue::Of(symbol)),
                        None => match self.exact(init).filter(|value| value.as_constant().is_none()) {
                            Some(value) => Some(LetValue::Exactly(value)),
                            None => self.let_def(init).map(LetValue::Unless),
                        },
                    };
                    vec![(name.clone(), number, value)]
                }
                _ => Vec::new(),
            },
        }
    }

    /// The tensor of a `let`.
    pub(in crate::bind) fn tensor_local(
        &mut self,
        local: &Local,
        name: &syn::Ident,
        mutable: bool,
        init: &Expr,
    ) -> Option<std::rc::Rc<crate::ir::View>> {
        if mutable {
            self.diagnostics.error(
                &local.pat,
                "a tensor cannot be `mut`",
                "remove `mut`: elements are written through any tensor over writable memory, and a view never moves",
            );
        }
        if let Pat::Type(typed) = &local.pat
            && !(place_rank(&typed.ty).is_some() && self.is_place_expr(init))
        {
            self.diagnostics.error(
                &typed.ty,
                "a tensor takes no type",
                "remove the annotation; for its elements use `.cast::<T>()`",
            );
        }
        if let Some(init) = &local.init
            && let Some((_, otherwise)) = &init.diverge
        {
            self.diagnostics.error(
                otherwise,
                "a `let` of a tensor cannot fail",
                "remove the `else` and its block",
            );
        }
        let view = self.tensor(init, &name.to_string())?;
        Some(std::rc::Rc::new(crate::ir::View { name: name.to_string(), ..(*view).clone() }))
    }

    pub(in crate::bind) fn static_local(
        &self,
        init: &Expr,
        ty: Option<&syn::Type>,
    ) -> syn::Result<Option<Value>> {
        match ty {
            Some(ty) => static_eval::eval_as(init, ty, &self.scopes),
            None => static_eval::eval(init, &self.scopes),
        }
    }

    pub(in crate::bind) fn bind_static(&mut self, local: &Local, name: &syn::Ident, value: Value) {
        match value {
            Value::Int(_) | Value::Bool(_) => {
                self.scopes.static_lets.push((name.clone(), false));
                self.scopes.bind(name, Binding::Static(value));
            }
            // A table is indexed at run time too: it stays.
            table => {
                let mut result = local.clone();
                if let Some(init) = &mut result.init {
                    *init.expr = self.expression(&init.expr);
                }
                result.pat = self.pattern(&local.pat);
                let emitted = match self.scopes.get(name) {
                    Some(Binding::Local(bound)) => bound.name.clone(),
                    _ => name.clone(),
                };
                self.push(Stmt::Local(result));
                self.scopes.bind(name, Binding::Table(table, emitted));
            }
        }
    }

    /// `let z = 2 * x - y` over loop variables: a value in Rust, and known to the algebra.
    pub(in crate::bind) fn index_local(&mut self, local: &Local, name: &syn::Ident, init: IndexExpr) {
        let IndexExpr { value: Ok(sym), exact, .. } = init else { return };
        let mut result = local.clone();
        if let Some(init) = &mut result.init {
            *init.expr = self.expression(&init.expr);
        }
        let emitted = self.local_name(name);
        let value: Expr = syn::parse_quote!(#emitted);
        if let Pat::Ident(pattern) = &mut result.pat {
            pattern.ident = emitted;
        }
        self.push(Stmt::Local(result));
        self.scopes.bind(name, Binding::Index { sym, value, exact, reference: false });
    }

    /// `let (z, w) = (2 * x - y, x)` over loop variables, as one `let` after the other: none of the values mentions one
    /// of the names.
    fn index_tuple(&mut self, local: &Local, names: &syn::PatTuple, init: &Expr) -> Option<Vec<Local>> {
        let Expr::Tuple(values) = surface::strip_parens(init) else { return None };
        let plain = |name: &Pat| matches!(pattern::simple(name), Some((_, None, false)));
        let diverges = local.init.as_ref().is_some_and(|init| init.diverge.is_some());
        if diverges || names.elems.len() != values.elems.len() || !names.elems.iter().all(plain) {
            return None;
        }
        let text = values.to_token_stream();
        let names_own = |name: &Pat| {
            pattern::simple(name)
                .is_some_and(|(name, ..)| hygiene::mentions(text.clone(), &hygiene::text(name)))
        };
        let all_are_indices = values.elems.iter().all(|value| {
            let known = self.index_expr(value, None);
            known.only && known.varies || self.is_point(value)
        });
        if !all_are_indices || names.elems.iter().any(names_own) {
            return None;
        }
        let each = names.elems.iter().zip(&values.elems).map(|(name, value)| Local {
            pat: name.clone(),
            init: local.init.clone().map(|init| syn::LocalInit { expr: Box::new(value.clone()), ..init }),
            ..local.clone()
        });
        Some(each.collect())
    }

    /// `let (a, b) = (t, u)` over tensors; says whether it is that.
    pub(in crate::bind) fn tuple_local(&mut self, local: &Local, names: &syn::PatTuple, init: &Expr) -> bool {
        if self.returned_tuple(names, init) {
            return true;
        }
        let (chosen, opened) = self.static_choice(init);
        let tensors = match surface::strip_parens(chosen) {
            Expr::Tuple(values)
                if values.elems.len() == names.elems.len()
                    && values.elems.iter().any(|value| self.is_tensor(value)) =>
            {
                Some(self.tuple_tensors(local, names, values))
            }
            chosen if self.gives_tensors(chosen) => {
                self.diagnostics.error_in_call(
                    chosen,
                    "which tensors these are must be known when the kernel is expanded",
                    "decide it by a condition that is static",
                );
                let simple = names.elems.iter().filter_map(pattern::simple);
                Some(simple.map(|(name, ..)| (name.clone(), None)).collect())
            }
            _ => None,
        };
        (0..opened).for_each(|_| self.scopes.leave());
        let Some(tensors) = tensors else { return false };
        for (name, view) in tensors {
            match view {
                Some(view) => self.bind_tensor(&name, view),
                None => self.bind_broken(&name),
            }
        }
        true
    }

    /// The tensors of a tuple; all values are evaluated before a name is bound.
    pub(in crate::bind) fn tuple_tensors(
        &mut self,
        local: &Local,
        names: &syn::PatTuple,
        values: &syn::ExprTuple,
    ) -> Vec<(syn::Ident, Option<std::rc::Rc<crate::ir::View>>)> {
        let mut tensors = Vec::new();
        for (name, value) in names.elems.iter().zip(&values.elems) {
            match (pattern::simple(name), self.is_tensor(value)) {
                (Some((name, None, false)), true) => {
                    let view = self.tensor(value, &name.to_string());
                    tensors.push((name.clone(), view));
                }
                _ => {
                    self.diagnostics.error(
                        &local.pat,
                        "a tuple binds tensors and other values together",
                        "bind the tensors with a `let` of their own",
                    );
                    return Vec::new();
                }
            }
        }
        tensors
    }
}

/// `iters()`.
pub(in crate::bind) fn is_iters(expr: &Expr, scopes: &Scopes) -> bool {
    let Expr::Call(call) = surface::strip_parens(expr) else { return false };
    let Expr::Path(path) = &*call.func else { return false };
    let local = path.path.get_ident().is_some_and(|name| scopes.get(name).is_some());
    !local
        && call.args.is_empty()
        && path.path.segments.last().is_some_and(|segment| segment.ident == "iters")
}
