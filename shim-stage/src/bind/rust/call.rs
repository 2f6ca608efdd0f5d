//! Calls of methods, functions and closures, and what a closure does.

use syn::{Expr, ExprMethodCall};

use crate::hygiene;
use crate::ir::CallEffect;
use crate::ir::{AccessKind, Hole, RegionKind};
use crate::surface::{self, MethodKind, TensorMethod};
use crate::symbolic::SymInt;

use crate::bind::names::purity;
use crate::bind::names::scope::Home;
use crate::bind::{Binder, Binding, unreachable_value};

/// The help for a method that other array libraries have.
fn method_for(name: &str) -> Option<&'static str> {
    Some(match name {
        "transpose" | "t" | "swap_axes" | "reversed_axes" => {
            "`permute([1, 0])` exchanges the axes of a tensor of rank 2"
        }
        "len" | "shape" | "dim" | "size" => "`extent(axis)` is the number of indices on an axis",
        "iter" | "iter_mut" | "into_iter" => "`for [y, x] in t.indices()` runs over a tensor of rank 2",
        "clone" | "to_owned" | "to_vec" => {
            "`to_block().copied()` copies a tensor to the heap, and `to_stack().copied()` to the stack"
        }
        "chunks" | "chunks_exact" | "chunks_mut" | "chunks_exact_mut" | "rows" | "windows" => {
            "a row is a view: `for y in 0..h { let row = t[[y, ..]]; .. }`; `for [y, x] in t.tiles([8, 8])` runs over blocks"
        }
        "copy_from_slice" | "clone_from_slice" | "assign" => {
            "elements are assigned by index: `let [y, x] = iters(); t[[y, x]] = u[[y, x]];` for a tensor of rank 2"
        }
        "sort" | "sort_unstable" | "reverse" | "rotate_left" | "rotate_right" => {
            "call it on the memory before it is a tensor: on the slice, outside of the kernel or before `Block::external`"
        }
        _ => return None,
    })
}

impl Binder<'_> {
    /// Methods that slices have, of a tensor: `t.fill(value)`, and `t.swap(i, j)` of one axis.
    fn method_of_slices(&mut self, call: &ExprMethodCall) -> Option<Expr> {
        let tensor = &call.receiver;
        let arguments: Vec<&Expr> = call.args.iter().collect();
        match (call.method.to_string().as_str(), &arguments[..]) {
            ("fill", [value]) if self.is_tensor(tensor) && self.is_tensor(value) => {
                self.diagnostics.error(
                    value,
                    "`fill` takes a value, and this is a tensor",
                    "assign the elements: `let [y, x] = iters(); t[[y, x]] = u[[y, x]];` for a tensor of rank 2",
                );
                Some(unreachable_value())
            }
            ("swap", [Expr::Array(_), _] | [_, Expr::Array(_)]) if self.is_tensor(tensor) => {
                self.diagnostics.error(
                    call,
                    "`swap` takes two numbers, the indices of a tensor of one axis",
                    "write `(t[[y, x]], t[[v, u]]) = (t[[v, u]], t[[y, x]]);`",
                );
                Some(unreachable_value())
            }
            ("fill", [value]) if self.is_tensor(tensor) => {
                let [own, at] = ["value", "at"].map(|hint| self.names.fresh(hint));
                Some(self.expression(&syn::parse_quote!({
                    let #own = #value;
                    for #at in #tensor.indices() {
                        #tensor[#at] = #own;
                    }
                })))
            }
            ("swap", [i, j]) if self.is_tensor(tensor) => {
                let [first, second] = ["first", "second"].map(|hint| self.names.fresh(hint));
                Some(self.expression(&syn::parse_quote!({
                    let #first = #i;
                    let #second = #j;
                    (#tensor[[#first]], #tensor[[#second]]) = (#tensor[[#second]], #tensor[[#first]]);
                })))
            }
            _ => None,
        }
    }

    pub(in crate::bind) fn method(&mut self, call: &ExprMethodCall) -> Expr {
        if let Some(method) = self.tensor_method(call)
            && method.kind() == MethodKind::Query
        {
            return self.query(call, method);
        }
        if let Some(method) = self.tensor_method(call)
            && method.kind() == MethodKind::List
        {
            return self.in_order(&[&call.receiver], |binder| {
                binder.list_method(call, method).unwrap_or_else(unreachable_value)
            });
        }
        if let Some(value) = self.reduction(call) {
            return value;
        }
        if self.call_may_panic(call) {
            return self.or_wrapping(&Expr::MethodCall(call.clone()), |binder| binder.plain_method(call));
        }
        self.plain_method(call)
    }

    /// A method that ends no chain.
    fn plain_method(&mut self, call: &ExprMethodCall) -> Expr {
        if hygiene::is_reserved(&call.method) {
            return self.method_of_located(call);
        }
        if self.has_elements(&call.receiver) {
            if let Some(value) = self.method_of_slices(call) {
                return value;
            }
            if let Some(method @ (TensorMethod::Tiles | TensorMethod::Scan)) = TensorMethod::of(&call.method)
            {
                let message = format!("`{}` is used outside the head of a `for`", method.name());
                self.diagnostics.error(&call.method, message, method.usage());
                return unreachable_value();
            }
            let message = format!("a tensor has no method `{}`", call.method);
            let help = match method_for(&call.method.to_string()) {
                Some(help) => help.to_owned(),
                None => format!(
                    "a view is made by {}; a tensor is asked by {}; `indices()` and `tiles(..)` run over it; a list has {}",
                    TensorMethod::listed(&[MethodKind::View, MethodKind::Copy]),
                    TensorMethod::listed(&[MethodKind::Query]),
                    TensorMethod::listed(&[MethodKind::List])
                ),
            };
            self.diagnostics.error(&call.method, message, help);
            return unreachable_value();
        }
        self.method_of_template(call);
        let known = purity::method(&call.method) || self.is_pure(&call.method);
        if known {
            self.method_of(call);
        }
        let mut result = call.clone();
        let receiver = if known { AccessKind::Read } else { self.receiver(&call.receiver) };
        let found = if runs_for_some(call) { self.facts_of_found(&call.receiver) } else { Vec::new() };
        result.receiver = Box::new(self.place(&call.receiver, receiver));
        for arg in &mut result.args {
            *arg = match arg {
                Expr::Closure(closure) if !found.is_empty() && closure.inputs.len() == 1 => {
                    self.closure(closure, |_| found.clone())
                }
                _ => self.expression(arg),
            };
        }
        if !known {
            self.walk.effects.opaque();
        }
        Expr::MethodCall(result)
    }

    /// A method that the declaration of a located struct made: one that gives the fields of rows, under the key of
    /// their declaration, or the one by which rustc tells a struct from others. That is never called: `Deref` may have
    /// effects.
    fn method_of_located(&mut self, call: &ExprMethodCall) -> Expr {
        let mut result = call.clone();
        *result.receiver = self.place(&call.receiver, AccessKind::Read);
        let Some(key) = result.turbofish.take().and_then(|keys| keys.args.into_iter().next()) else {
            return syn::parse_quote!((|| #result));
        };
        let rt = &self.runtime;
        if result.method.to_string().ends_with("_mut") {
            syn::parse_quote!(#rt.fields::<_, #key>(#result))
        } else {
            syn::parse_quote!(#rt.shared_fields::<_, #key>(#result))
        }
    }

    pub(in crate::bind) fn call(&mut self, call: &syn::ExprCall) -> Expr {
        if let Some(staged) = self.template_call(call) {
            return staged;
        }
        for arg in &call.args {
            if self.has_elements(arg) {
                self.diagnostics.error(
                    arg,
                    "tensor passed to a plain function",
                    "tensors live in kernels alone: make the function a kernel with an `impl Tensor<T, N>` \
                     parameter, or pass the memory",
                );
                return unreachable_value();
            }
        }
        if let Some(Binding::Local(local)) = surface::ident(&call.func).and_then(|name| self.scopes.get(name))
            && let Some(closure) = local.closure.clone()
            && let Some(body) = self.inlined(&closure, call)
        {
            return self.expression(&body);
        }
        let mut result = call.clone();
        let (transparent, computes) = match surface::ident(&call.func).map(|name| self.scopes.get(name)) {
            Some(Some(Binding::Local(local))) => (local.calls.is_transparent(), local.calls.computes()),
            _ => (purity::function(call), self.converts(call)),
        };
        let pure = self.is_pure_call(&call.func);
        let constructor = if pure { None } else { self.confirmed_constructor(call) };
        if !pure && !computes && constructor.is_none() {
            self.act(call);
        }
        let transparent = transparent || pure;
        let is_local = surface::ident(&call.func).is_some_and(|name| self.scopes.get(name).is_some());
        if is_local || !matches!(&*call.func, Expr::Path(_)) {
            result.func = Box::new(self.expression(&call.func));
        } else if let Expr::Path(path) = &*call.func
            && let Some(at_home) = self.at_home(path)
        {
            result.func = Box::new(at_home);
        }
        let converts = self.converts(call);
        for arg in &mut result.args {
            *arg = if converts { self.operand_of("from", arg) } else { self.expression(arg) };
        }
        if self.never_ends(call) {
            self.diagnostics.error(
                call,
                format!("`{}` calls itself without end", self.program.function),
                "each call makes another one: call it under a condition that ends",
            );
        }
        if !transparent {
            self.walk.effects.opaque();
        } else if !purity::function(call) {
            // A closure that only computes may still assign what it captures.
            self.walk.effects.acts();
        }
        match constructor {
            Some(confirmed) => syn::parse_quote!({ #confirmed #result }),
            None => Expr::Call(result),
        }
    }

    /// Whether a call is one of the kernel itself that certainly runs whenever the kernel does.
    fn never_ends(&self, call: &syn::ExprCall) -> bool {
        let Some(name) = surface::ident(&call.func) else { return false };
        let text = hygiene::text(name);
        let is_own = text == self.program.function
            && self.scopes.get(name).is_none()
            && self.scopes.hidden(Home::BesideKernel, &text, false).is_none();
        let mut around = self.program.ancestors(self.walk.region);
        is_own
            && !self.templates.in_template
            && self.walk.effects.epoch().opaque == 0
            && around.all(|region| self.program.regions[region].kind == RegionKind::Plain)
    }

    /// A closure. What `facts` gives, with its parameters in scope, holds wherever it is called.
    pub(in crate::bind) fn closure(
        &mut self,
        closure: &syn::ExprClosure,
        facts: impl FnOnce(&mut Self) -> Vec<SymInt>,
    ) -> Expr {
        let mut result = closure.clone();
        let mark = self.walk.effects.mark();
        let outer = self.walk.enter_closure();
        let mut inputs = result.inputs.clone();
        let body = self.in_closure(|binder| {
            binder.body(RegionKind::Closure, Vec::new(), |binder| {
                for input in &mut inputs {
                    *input = binder.pattern(input);
                }
                for fact in facts(binder) {
                    binder.assume(fact);
                }
                let value = binder.expression(&closure.body);
                binder.push(syn::Stmt::Expr(value, None));
            })
        });
        result.inputs = inputs;
        result.body = Box::new(self.program.hole(Hole::Body(body)));
        // Making a closure runs nothing; what its body does is counted where it is called.
        self.walk.closure_calls = if !self.walk.effects.is_transparent_since(mark) {
            CallEffect::Unknown
        } else if self.walk.effects.is_quiet_since(mark) && self.walk.effects.unknown_since(mark).is_none() {
            CallEffect::Compute
        } else {
            CallEffect::Transparent
        };
        self.walk.effects.make_closure(mark, self.walk.confirms.is_some());
        self.walk.closure = outer;
        Expr::Closure(result)
    }
}

/// Whether a method of `Option` calls a closure over one value for `Some` alone. These are its own methods, which go
/// before those of traits.
fn runs_for_some(call: &ExprMethodCall) -> bool {
    const METHODS: [&str; 8] =
        ["and_then", "filter", "inspect", "is_none_or", "is_some_and", "map", "map_or", "map_or_else"];
    METHODS.iter().any(|method| call.method == method)
}
