//! Reductions: iterator chains over indices that become loops.
//!
//! `t.indices()` or a range, then `map` and `filter`, then one of std's consumers. What comes out computes what the
//! chain computes on std's iterators, in the same order; floats are not reassociated. A chain over a range whose
//! closures use no tensor is left to rustc.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens as _;
use syn::{Expr, ExprClosure, ExprMethodCall, GenericArgument, Type};

use crate::hygiene;
use crate::ir::{Hole, RegionKind};
use crate::parse::signature::is_number;
use crate::surface::{self, Consumer, TensorMethod, pattern};
use crate::symbolic::SymInt;

use crate::bind::loops::chain::{Adaptor, Item, closure_of, dereferenced};
use crate::bind::loops::counted::indices_of;
use crate::bind::loops::partial_sums::PartialSums;
use crate::bind::names::purity;
use crate::bind::tensors::nest::LoopHeader;
use crate::bind::{Binder, Binding, unreachable_value};

impl Binder<'_> {
    /// A chain over `t.indices()`, staged; `None` when `call` is not one.
    pub(in crate::bind) fn reduction(&mut self, call: &ExprMethodCall) -> Option<Expr> {
        let Some(consumer) = Consumer::of(&call.method) else { return self.real_iterator(call) };
        // rustc reports what std's method does not take.
        let taken = consumer.arguments();
        if call.args.len() != taken || (call.turbofish.is_some() && !consumer.is_typed()) {
            return None;
        }
        // A function that an expression gives is evaluated once, before the first item.
        let given =
            |argument: &Expr| matches!(surface::strip_parens(argument), Expr::Closure(_) | Expr::Path(_));
        if taken > 0 && !call.args.last().is_some_and(given) {
            return self.real_iterator(call);
        }
        // A closure of other parameters is rustc's to reject.
        let parameters = taken.max(1);
        if call.args.last().and_then(closure_of).is_some_and(|closure| closure.inputs.len() != parameters) {
            return None;
        }
        let mut adaptors = Vec::new();
        let mut source = surface::strip_parens(&call.receiver);
        let tensor = loop {
            if let Some(tensor) = indices_of(source)
                && self.is_tensor(tensor)
            {
                break tensor;
            }
            if let Some(range) = surface::range(source) {
                adaptors.reverse();
                if range.start.is_none() || range.end.is_none() {
                    return None;
                }
                return self.reduction_of_range(source, call, consumer, &adaptors);
            }
            let Expr::MethodCall(inner) = source else { return None };
            let closure = match inner.args.first().map(surface::strip_parens) {
                Some(Expr::Closure(closure))
                    if inner.args.len() == 1 && closure.inputs.len() == 1 && inner.turbofish.is_none() =>
                {
                    closure
                }
                _ => return None,
            };
            if inner.method == "map" {
                adaptors.push(Adaptor::Map(closure));
            } else if inner.method == "filter" {
                adaptors.push(Adaptor::Filter(closure));
            } else {
                return None;
            }
            source = surface::strip_parens(&inner.receiver);
        };
        adaptors.reverse();
        let reduced = self.in_order(&[tensor], |binder| {
            let reduced = binder.reduction_of(tensor, call, consumer, &adaptors);
            reduced.unwrap_or_else(unreachable_value)
        });
        Some(reduced)
    }

    /// The reduction of a chain over a range whose closures use tensors.
    fn reduction_of_range(
        &mut self,
        range: &Expr,
        call: &ExprMethodCall,
        consumer: Consumer,
        adaptors: &[Adaptor<'_>],
    ) -> Option<Expr> {
        let closures = adaptors.iter().map(Adaptor::closure).chain(call.args.iter().filter_map(closure_of));
        // std has neither masks nor sums in an order, and a chain with words is staged.
        let own = matches!(consumer, Consumer::Mask | Consumer::SumIn) || self.has_chain_words();
        if !own && !closures.clone().any(|closure| self.uses_tensor(&closure.body)) {
            return None;
        }
        // `Sum` and `Product` of other types are theirs.
        let other =
            |argument: &GenericArgument| !matches!(argument, GenericArgument::Type(ty) if is_number(ty));
        if !matches!(consumer, Consumer::Mask | Consumer::SumIn)
            && call.turbofish.as_ref().is_some_and(|types| types.args.iter().any(other))
        {
            return None;
        }
        if consumer == Consumer::Mask && !self.numbers_bits(call, adaptors, 1) {
            return Some(unreachable_value());
        }
        let first = closures.clone().next().and_then(|closure| closure.inputs.last()).map(dereferenced);
        let given = match first.and_then(pattern::simple) {
            Some((name, _, false)) if !self.scopes.is_exposed(name) => Some(name),
            _ => None,
        };
        let name = self.chain_variable(given, call, adaptors);
        let for_loop: syn::ExprForLoop = syn::parse_quote!(for #name in #range {});
        let item = Item::IntTy(name.clone());
        Some(self.in_order(&[range], |binder| {
            // rustc confirms that the methods are std's, whose results have types of their own.
            let (rt, written) = (binder.runtime.clone(), binder.expression(range));
            match adaptors.first() {
                Some(Adaptor::Map(_)) => {
                    binder.confirm(syn::parse_quote!(#rt.maps(|| (#written).map(|_| ()));));
                }
                Some(Adaptor::Filter(_)) => {
                    binder.confirm(syn::parse_quote!(#rt.filters(|| (#written).filter(|_| true));));
                }
                None => {}
            }
            if consumer == Consumer::SumIn
                && let Some(sums) = surface::range(range)
                    .filter(|_| !binder.has_chain_words())
                    .and_then(|entry| binder.partial_sums_of_range(&entry, call, adaptors))
            {
                return sums;
            }
            binder.staged_reduction(call, consumer, adaptors, (&item, 1), |binder, fill| {
                match (surface::range(range), binder.unrolls_chain()) {
                    (Some(entry), Some(attribute)) => binder.unrolled_chain(entry, &name, &attribute, fill),
                    _ => binder.for_each(&for_loop, fill),
                }
            })
        }))
    }

    /// The name of a loop variable of a chain: that of the first closure, unless the rest of the chain means something
    /// else by it.
    pub(in crate::bind) fn chain_variable(
        &mut self,
        given: Option<&Ident>,
        call: &ExprMethodCall,
        adaptors: &[Adaptor<'_>],
    ) -> Ident {
        let Some(name) = given else { return self.names.fresh("i") };
        let text = hygiene::text(name);
        let mentioned = |tokens: TokenStream| hygiene::mentions(tokens, &text);
        let means_another = |closure: &ExprClosure| {
            mentioned(closure.body.to_token_stream()) && !mentioned(closure.inputs.to_token_stream())
        };
        let taken = adaptors.iter().map(Adaptor::closure).any(means_another)
            || call.args.iter().any(|argument| match closure_of(argument) {
                Some(closure) => means_another(closure),
                None => mentioned(argument.to_token_stream()),
            });
        if taken { self.names.fresh(&name.to_string()) } else { name.clone() }
    }

    /// Whether `expr` mentions a tensor or a stage.
    fn uses_tensor(&self, expr: &Expr) -> bool {
        struct Uses<'b, 'p>(&'b Binder<'p>, bool);
        impl<'ast> crate::syntax::visit::Visit<'ast> for Uses<'_, '_> {
            fn visit_path(&mut self, path: &'ast syn::Path) {
                let meant = path.get_ident().and_then(|name| self.0.scopes.get(name));
                self.1 |= matches!(meant, Some(Binding::Tensor(_) | Binding::Stage(_)));
            }
        }
        let mut uses = Uses(self, false);
        crate::syntax::visit::Visit::visit_expr(&mut uses, expr);
        uses.1
    }

    /// The reduction of a chain over the indices of `tensor`.
    fn reduction_of(
        &mut self,
        tensor: &Expr,
        call: &ExprMethodCall,
        consumer: Consumer,
        adaptors: &[Adaptor<'_>],
    ) -> Option<Expr> {
        let view = self.tensor(tensor, "view")?;
        let broken = self.is_broken(&view);
        // The names of the axes are those of the first closure, so that emitted loops read like the source.
        let first = adaptors.first().map(Adaptor::closure);
        let first = first.or_else(|| call.args.last().and_then(closure_of));
        let names = first
            .and_then(|closure| closure.inputs.last())
            .and_then(|input| pattern::array(dereferenced(input)))
            .filter(|names| broken || names.len() == view.space.extents.len());
        // What stands for a view that could not be made has as many axes as are named.
        let rank = names.as_ref().map_or(view.space.extents.len(), Vec::len);
        let names: Vec<Ident> = (0..rank)
            .map(|axis| {
                let given = names.as_ref().and_then(|names| names[axis].as_ref());
                self.chain_variable(given, call, adaptors)
            })
            .collect();
        if consumer == Consumer::Mask && !broken && !self.numbers_bits(call, adaptors, rank) {
            return None;
        }
        let levels = LoopHeader::all_of(&view, names.iter().cloned().map(Some));
        let item = Item::Indices(names.iter().map(|name| syn::parse_quote!(#name)).collect());
        Some(self.staged_reduction(call, consumer, adaptors, (&item, rank), |binder, fill| {
            match binder.unrolls_chain().filter(|_| !broken) {
                Some(attribute) => binder.unrolled_chain_of_indices(&view, &names, &attribute, fill),
                None => binder.nest(levels, None, fill),
            }
        }))
    }

    /// Whether the items that come to a `mask` are the numbers of its bits; reports it otherwise.
    fn numbers_bits(&mut self, call: &ExprMethodCall, adaptors: &[Adaptor<'_>], rank: usize) -> bool {
        if rank == 1 && !adaptors.iter().any(|adaptor| matches!(adaptor, Adaptor::Map(_))) {
            return true;
        }
        self.diagnostics.error(
            &call.method,
            "the items of this `mask` are not the numbers of its bits",
            "write the condition of bit `k` in its closure, as in `(0..16).mask::<u16>(|k| t[[k]] != 0)`",
        );
        false
    }

    /// The type in `.sum::<i32>()`.
    fn turbofish_type(&mut self, call: &ExprMethodCall) -> Option<Type> {
        match call.turbofish.as_ref()?.args.first()? {
            GenericArgument::Type(ty) => Some(ty.clone()),
            other => {
                let message = format!("`{}` takes a type here", call.method);
                self.diagnostics.error(other, message, "write the type of the result, as in `.sum::<i32>()`");
                None
            }
        }
    }

    fn staged_reduction(
        &mut self,
        call: &ExprMethodCall,
        consumer: Consumer,
        adaptors: &[Adaptor<'_>],
        (item, rank): (&Item, usize),
        for_loop: impl FnOnce(&mut Self, &mut dyn FnMut(&mut Self)) -> Expr,
    ) -> Expr {
        self.note_consumer(call);
        let body = self.body(RegionKind::Plain, Vec::new(), |binder| {
            let rt = binder.runtime.clone();
            let ty = binder.turbofish_type(call);
            let accumulator = binder.names.fresh(consumer.name());
            let mut sums: Option<PartialSums> = None;
            let init: syn::Stmt = match consumer {
                Consumer::Sum | Consumer::Product => {
                    let identity = quote::format_ident!("{}_identity", consumer.name());
                    let ty = ty.map_or_else(|| quote::quote!(_), |ty| quote::quote!(#ty));
                    syn::parse_quote!(let mut #accumulator: #ty = #rt.#identity();)
                }
                Consumer::Min | Consumer::Max | Consumer::MinByKey | Consumer::MaxByKey => {
                    syn::parse_quote!(let mut #accumulator = #rt.none();)
                }
                Consumer::Mask => {
                    let ty = ty.map_or_else(|| quote::quote!(_), |ty| quote::quote!(#ty));
                    syn::parse_quote!(let mut #accumulator: #ty = #rt.empty_mask();)
                }
                Consumer::Any => syn::parse_quote!(let mut #accumulator = false;),
                Consumer::All => syn::parse_quote!(let mut #accumulator = true;),
                Consumer::Count => syn::parse_quote!(let mut #accumulator = 0usize;),
                Consumer::Fold => {
                    let value = match call.args.first() {
                        Some(value) => binder.expression(value),
                        None => unreachable_value(),
                    };
                    syn::parse_quote!(let mut #accumulator = #value;)
                }
                Consumer::ForEach => syn::parse_quote!(let #accumulator = ();),
                Consumer::SumIn => {
                    sums = binder.partial_sums(call, adaptors);
                    let Some(PartialSums { number, .. }) = &sums else {
                        return binder.push(syn::Stmt::Expr(unreachable_value(), None));
                    };
                    syn::parse_quote!(let mut #number = 0usize;)
                }
            };
            binder.push(init);
            let label = matches!(consumer, Consumer::Any | Consumer::All).then(|| {
                let name = binder.names.fresh("search");
                syn::Lifetime::new(&format!("'{name}"), proc_macro2::Span::call_site())
            });
            let nest = binder.chain_in_order((call, consumer), (&accumulator, rank), |binder| {
                for_loop(binder, &mut |binder| {
                    binder.chain(adaptors, item.clone(), &mut |binder, item| match &sums {
                        Some(sums) => binder.add_next(sums, &item),
                        None => binder.consume(call, consumer, &accumulator, &item, label.as_ref()),
                    });
                })
            });
            let nest: Expr = match &label {
                Some(label) => syn::parse_quote!(#label: { #nest }),
                None => nest,
            };
            binder.push(syn::Stmt::Expr(nest, Some(syn::token::Semi::default())));
            let result: Expr = if let Some(sums) = &sums {
                sums.tree()
            } else if matches!(consumer, Consumer::MinByKey | Consumer::MaxByKey) {
                syn::parse_quote!(#rt.item(#accumulator))
            } else {
                syn::parse_quote!(#accumulator)
            };
            binder.push(syn::Stmt::Expr(result, None));
        });
        self.program.hole(Hole::Body(body))
    }

    /// The value of an item that has gone through a chain.
    pub(in crate::bind) fn value_of(&mut self, item: &Item) -> Expr {
        match item {
            Item::Indices(values) => {
                let values: Vec<Expr> = values.iter().map(|value| self.expression(value)).collect();
                syn::parse_quote!([#(#values),*])
            }
            Item::IntTy(variable) => self.expression(&syn::parse_quote!(#variable)),
            Item::Value(local) => syn::parse_quote!(#local),
        }
    }

    fn consume(
        &mut self,
        call: &ExprMethodCall,
        consumer: Consumer,
        accumulator: &Ident,
        item: &Item,
        label: Option<&syn::Lifetime>,
    ) {
        let value = self.value_of(item);
        let closure = call.args.last().and_then(closure_of).cloned();
        let given = call.args.last().cloned();
        // A function instead of a closure is called with the item.
        let applied = |binder: &mut Self, by_reference: bool| -> Expr {
            match (&closure, &given) {
                (Some(closure), _) => binder.apply(closure, item, by_reference),
                (None, Some(function)) => {
                    binder.walk.effects.opaque();
                    let function = binder.expression(function);
                    if by_reference {
                        syn::parse_quote!((#function)(&#value))
                    } else {
                        syn::parse_quote!((#function)(#value))
                    }
                }
                (None, None) => unreachable_value(),
            }
        };
        let statement: syn::Stmt = match consumer {
            Consumer::Sum | Consumer::Product => {
                let step = match consumer {
                    Consumer::Sum => {
                        // `sum_identity` takes numbers alone; a sum of integers is one.
                        self.program.sums.insert(hygiene::text(accumulator), true);
                        syn::parse_quote!(#accumulator += #value)
                    }
                    _ => syn::parse_quote!(#accumulator *= #value),
                };
                let step = self.accumulated(call, step);
                syn::parse_quote!(#step;)
            }
            Consumer::Count => syn::parse_quote!(#accumulator += 1;),
            Consumer::Min | Consumer::Max => {
                let pick = quote::format_ident!("{}", consumer.name());
                let rt = self.runtime.clone();
                syn::parse_quote!(#accumulator = #rt.#pick(#accumulator, #value);)
            }
            Consumer::MinByKey | Consumer::MaxByKey => {
                let key = applied(self, true);
                let pick = quote::format_ident!("{}", consumer.name());
                let rt = self.runtime.clone();
                syn::parse_quote!(#accumulator = #rt.#pick(#accumulator, #key, #value);)
            }
            Consumer::Any | Consumer::All => {
                let test = applied(self, false);
                self.walk.effects.opaque();
                if consumer == Consumer::Any {
                    syn::parse_quote!(if #test { #accumulator = true; break #label; })
                } else {
                    syn::parse_quote!(if !#test { #accumulator = false; break #label; })
                }
            }
            Consumer::Mask => {
                let test = applied(self, false);
                let number: &Expr = match &value {
                    Expr::Array(index) => &index.elems[0],
                    number => number,
                };
                let rt = self.runtime.clone();
                syn::parse_quote!(#accumulator = #rt.with_bit(#accumulator, #test, #number);)
            }
            Consumer::Fold => {
                let folded = match (&closure, &given) {
                    (None, Some(function)) => self.folded_by(function, accumulator, &value),
                    _ => self.folded_item(closure.as_ref(), accumulator, item),
                };
                syn::parse_quote!(#accumulator = #folded;)
            }
            Consumer::SumIn => unreachable!("partial sums have an array"),
            Consumer::ForEach => {
                let done = applied(self, false);
                syn::parse_quote!(#done;)
            }
        };
        self.push(statement);
    }

    /// What a function that is named makes of the accumulator and an item.
    fn folded_by(&mut self, function: &Expr, accumulator: &Ident, value: &Expr) -> Expr {
        let function = self.expression(function);
        let call: syn::ExprCall = syn::parse_quote!(#function(#accumulator, #value));
        if !purity::function(&call) {
            self.walk.effects.opaque();
        }
        Expr::Call(call)
    }

    fn folded_item(&mut self, closure: Option<&ExprClosure>, accumulator: &Ident, item: &Item) -> Expr {
        let Some(closure) = closure.filter(|closure| closure.inputs.len() == 2) else {
            return unreachable_value();
        };
        let (state, input) = (closure.inputs[0].clone(), closure.inputs[1].clone());
        let body = self.body(RegionKind::Plain, Vec::new(), |binder| {
            let state = binder.pattern(&state);
            binder.push(syn::parse_quote!(let #state = #accumulator;));
            binder.bind_item(&input, item, false);
            binder.closure_body(closure);
        });
        self.program.hole(Hole::Body(body))
    }

    /// `t.indices()` under any other method: an iterator of std's kind.
    fn real_iterator(&mut self, call: &ExprMethodCall) -> Option<Expr> {
        if self.tensor_method(call) != Some(TensorMethod::Indices) {
            return None;
        }
        if call.turbofish.is_some() || !call.args.is_empty() {
            self.arguments::<0>(call);
            return Some(unreachable_value());
        }
        let view = self.tensor(&call.receiver, "view")?;
        let extents: Vec<SymInt> = view.space.extents.clone();
        let extents: Vec<Expr> = extents
            .into_iter()
            .map(|extent| self.program.hole(Hole::Value(extent, crate::ir::ValueType::Usize)))
            .collect();
        let rt = self.runtime.clone();
        Some(syn::parse_quote!(#rt.indices([#(#extents),*])))
    }
}
