//! Elements that are appended to lists, one by one or by a loop over a range.

use std::rc::Rc;

use quote::ToTokens;
use syn::{Expr, ExprClosure, ExprMethodCall, Stmt};

use crate::ir::{AccessKind, Hole, ListId, RegionKind, View};
use crate::static_eval::Value;
use crate::surface::{self, TensorMethod, pattern};

use crate::bind::Binder;
use crate::bind::loops::chain::{Adaptor, Item, closure_of, dereferenced};

impl Binder<'_> {
    /// A call of a method of lists; none if it is wrong.
    pub(in crate::bind) fn list_method(
        &mut self,
        call: &ExprMethodCall,
        method: TensorMethod,
    ) -> Option<Expr> {
        let view = self.tensor(&call.receiver, "list")?;
        let (view, list) = self.known_list(view, call)?;
        let end = self.program.lists[list].end.clone();
        if method.changes_length() {
            self.walk.effects.acts();
            let name = call.receiver.to_token_stream().to_string();
            self.changes_list(name, end.clone(), call.to_token_stream());
            self.program.lists[list].changes += 1;
        }
        match method {
            TensorMethod::Len => {
                self.arguments::<0>(call)?;
                let mut end = end;
                end.set_span(end.span().located_at(call.method.span()));
                Some(syn::parse_quote!(#end))
            }
            TensorMethod::Truncate => {
                let [count] = self.arguments::<1>(call)?;
                let count = self.expression(count);
                let rt = self.runtime.clone();
                Some(syn::parse_quote!(#end = #rt.shorter(#end, #count)))
            }
            TensorMethod::Push => {
                let [value] = self.arguments::<1>(call)?;
                Some(self.pushed(&view, list, None, value, call))
            }
            TensorMethod::PushIf => {
                let [condition, value] = self.arguments::<2>(call)?;
                Some(self.pushed(&view, list, Some(condition), value, call))
            }
            _ => {
                let [values] = self.arguments::<1>(call)?;
                self.extended(&view, list, values, call)
            }
        }
    }

    /// The view of a list and its number; reports a tensor that is not a list.
    pub(in crate::bind) fn known_list(
        &mut self,
        view: Rc<View>,
        call: &ExprMethodCall,
    ) -> Option<(Rc<View>, ListId)> {
        if self.is_broken(&view) {
            return None;
        }
        if let Some(list) = view.list {
            return Some((view, list));
        }
        // The callers of a template give it a list, which its definition does not know of.
        if self.diagnostics.is_of_definition() && view.space.extents.len() == 1 {
            let view = self.new_list(&view, None);
            let list = view.list?;
            return Some((view, list));
        }
        let help = if call.method == TensorMethod::Len.name() {
            "`extent(axis)` is the number of indices on an axis; a list is made by `Block::external(memory, [capacity]).list()`"
        } else {
            "make a list of a block: `Block::external(memory, [capacity]).list()`"
        };
        self.diagnostics.error_in_call(
            &call.method,
            format!("`{}` of `{}`, which is not a list", call.method, view.name),
            help,
        );
        None
    }

    /// `list.push(value)`, or `list.push_if(condition, value)`.
    pub(in crate::bind) fn pushed(
        &mut self,
        view: &Rc<View>,
        list: ListId,
        condition: Option<&Expr>,
        value: &Expr,
        call: &ExprMethodCall,
    ) -> Expr {
        let body = self.body(RegionKind::Plain, Vec::new(), |binder| {
            let condition = condition.map(|condition| {
                let (local, condition) = (binder.names.fresh("keep"), binder.expression(condition));
                binder.push(syn::parse_quote!(let #local: bool = #condition;));
                local
            });
            let value = binder.expression(value);
            let end = binder.program.lists[list].end.clone();
            binder.bind_local(&end, &end, true, Some(syn::parse_quote!(usize)));
            binder.append(view, list, &syn::parse_quote!(#end), value, call);
            binder.push(match condition {
                Some(keep) => syn::parse_quote!(#end += #keep as ::core::primitive::usize;),
                None => syn::parse_quote!(#end += 1;),
            });
        });
        self.program.hole(Hole::Body(body))
    }

    /// `list.extend((a..b).map(|i| value))`: a loop. Each value is stored before the next one is evaluated; the end
    /// changes after the last.
    pub(in crate::bind) fn extended(
        &mut self,
        view: &Rc<View>,
        list: ListId,
        values: &Expr,
        call: &ExprMethodCall,
    ) -> Option<Expr> {
        let Some((first_number, stop, inclusive, closure)) = self.mapped_range(values) else {
            self.diagnostics.error_in_call(
                values,
                "`extend` takes a value for each number of a range",
                TensorMethod::Extend.usage(),
            );
            return None;
        };
        let (end, changes) = (self.program.lists[list].end.clone(), self.program.lists[list].changes);
        let body = self.body(RegionKind::Plain, Vec::new(), |binder| {
            let first = binder.names.fresh("first");
            binder.push(syn::parse_quote!(let #first = #end;));
            binder.bind_local(&first, &first, false, Some(syn::parse_quote!(usize)));
            let given = closure.inputs.last().map(dereferenced).and_then(pattern::simple);
            let given = given.map(|(name, _, _)| name).filter(|name| !binder.scopes.is_exposed(name));
            let name = binder.chain_variable(given, call, &[Adaptor::Map(closure)]);
            let (start, mut stop) = (proc_macro2::Literal::i128_unsuffixed(first_number), stop);
            if !binder.is_stable(&stop) {
                let local = binder.names.fresh("stop");
                binder.statements(&[syn::parse_quote!(let #local = #stop;)]);
                stop = syn::parse_quote!(#local);
            }
            let numbers: Expr =
                if inclusive { syn::parse_quote!(#start..=#stop) } else { syn::parse_quote!(#start..#stop) };
            let mut append = |binder: &mut Self| {
                let value = binder.apply(closure, &Item::IntTy(name.clone()), false);
                binder.append(view, list, &syn::parse_quote!(#first + (#name - #start)), value, call);
            };
            let numbers: syn::ExprForLoop = syn::parse_quote!(for #name in #numbers {});
            let nest = match (surface::range(&numbers.expr), binder.unrolls_chain()) {
                (Some(entry), Some(attribute)) => {
                    binder.unrolled_chain(entry, &name, &attribute, &mut append)
                }
                _ => binder.for_each(&numbers, &mut append),
            };
            binder.push(Stmt::Expr(nest, Some(syn::token::Semi::default())));
            let count: Expr = match binder.static_value(&stop) {
                Some(Value::Int(stop)) => {
                    let past = stop.value.saturating_add(i128::from(inclusive));
                    let count = past.saturating_sub(first_number).max(0);
                    let count = proc_macro2::Literal::i128_unsuffixed(count);
                    syn::parse_quote!(#count)
                }
                _ => {
                    let numbers = binder.expression(&numbers.expr);
                    syn::parse_quote!((#numbers).count())
                }
            };
            binder.push(syn::parse_quote!(#end = #first + #count;));
        });
        if self.program.lists[list].changes > changes {
            self.diagnostics.error_in_call(
                closure,
                format!("`{}` changes while it is extended", view.name),
                "append to it before or after, or `push` each value in a loop",
            );
        }
        Some(self.program.hole(Hole::Body(body)))
    }

    /// The start of `(a..b).map(closure)`, which is static, and its end, whether the end is one of the numbers, and the
    /// closure.
    pub(in crate::bind) fn mapped_range<'e>(
        &mut self,
        values: &'e Expr,
    ) -> Option<(i128, Expr, bool, &'e ExprClosure)> {
        let Expr::MethodCall(map) = surface::strip_parens(values) else { return None };
        let closure = map.args.first().and_then(closure_of)?;
        if map.method != "map" || map.args.len() != 1 || closure.inputs.len() != 1 {
            return None;
        }
        let range = surface::range(&map.receiver).filter(|range| range.step.is_none() && !range.reversed)?;
        let Value::Int(start) = self.static_value(range.start?)? else { return None };
        Some((start.value, range.end?.clone(), range.inclusive, closure))
    }

    /// The statement that writes a value to the element at an index, which it evaluates after the value.
    pub(in crate::bind) fn append(
        &mut self,
        view: &Rc<View>,
        list: ListId,
        index: &Expr,
        value: Expr,
        call: &ExprMethodCall,
    ) {
        let tokens = call.to_token_stream();
        let Some(access) = self.access_list(view.clone(), &[index], index, AccessKind::Write, tokens) else {
            return;
        };
        self.program.lists[list].pushes.push(access);
        let assignment = self.program.hole(Hole::Assign { access, op: None, value: Box::new(value) });
        self.push(Stmt::Expr(assignment, Some(syn::token::Semi::default())));
    }
}
