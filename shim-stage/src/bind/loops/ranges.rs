//! Loops over ranges: their bounds, and what is known of their variables.

use crate::bind::types::Primitive;
use crate::bind::{Binder, Binding, IntTy, Local as LocalBinding};
use crate::ir::{Hole, Loop, LoopKind, Nest, RegionKind, SymbolSource};
use crate::static_eval::{self, Int, IntType, Value};
use crate::surface::{self, RangeEntry, TensorMethod, pattern};
use crate::symbolic::{Range, SymInt};
use syn::{Expr, ExprForLoop, Ident, Pat};

impl Binder<'_> {
    /// `for r in a..b` that stays a loop; `None` when nothing can be said about it.
    pub(in crate::bind) fn for_range(
        &mut self,
        for_loop: &ExprForLoop,
        range: RangeEntry<'_>,
        fill: &mut dyn FnMut(&mut Self),
    ) -> Option<Expr> {
        let name = match &*for_loop.pat {
            Pat::Wild(_) => None,
            pattern => match pattern::simple(pattern)? {
                // What may mean something else in the body is the user's own.
                (name, _, false) if !self.scopes.is_exposed(name) => Some(name.clone()),
                _ => return None,
            },
        };
        let (start, end) = (range.start?, range.end?);
        let step = match range.step {
            Some(step) => match static_eval::eval(step, &self.scopes) {
                Ok(Some(Value::Int(int))) if int.value > 0 => i64::try_from(int.value).ok()?,
                _ => return None,
            },
            None => 1,
        };
        // A half-open range reads better, and its end has a name.
        let past = if range.inclusive { self.past(start, end) } else { None };
        let (end, inclusive) = past.as_ref().map_or((end, range.inclusive), |past| (past, false));
        let number = self.number(start).zip(self.number(end)).and_then(|(start, end)| start.with(end));
        self.note_decrements(for_loop, name.as_ref(), start, number);
        let (first, start) = self.bound(start, "start", name.as_ref());
        let (end_sym, end) = self.bound(end, "end", name.as_ref());
        let last = if inclusive { Ok(end_sym) } else { end_sym.sub(&SymInt::constant(1)) };
        let runs = last.clone().and_then(|last| last.sub(&first)).ok()?;
        let last = last.and_then(|last| {
            if step == 1 {
                return Ok(last);
            }
            last.sub(&first)?.floor_div(step)?.scale(step)?.add(&first)
        });
        let last = last.ok()?;
        let iterator = self.range_iterator([&start, &end], inclusive, &range, step);
        let id = self.program.loops.next_id();
        let here = self.position();
        let user = name.as_ref().map_or_else(|| "_".to_owned(), ToString::to_string);
        let local = match &name {
            Some(name) => self.names.variable(name),
            None => Ident::new("_", proc_macro2::Span::mixed_site()),
        };
        let bounds = Range { lo: first.range().lo, hi: last.range().hi };
        let symbol = self.symbol(&user, bounds, SymbolSource::Loop(id), here);
        let value = SymInt::symbol(&symbol);
        let facts = [value.sub(&first), last.sub(&value)].into_iter().flatten().collect();
        let nest = self.program.nests.push(Nest::new(vec![id], for_loop.label.clone()));
        let kind = LoopKind::Range {
            iterator: Box::new(iterator),
            step: if range.reversed { -step } else { step },
            number: number.and_then(IntTy::name),
            fits: false,
        };
        self.program.loops.push(Loop::new(local.clone(), symbol.clone(), [first, last, runs], kind, nest));
        let body = self.in_rust_loop(for_loop.label.as_ref(), |binder| {
            binder.body(RegionKind::Nest(nest), facts, |binder| {
                if let Some(name) = name {
                    let local = LocalBinding {
                        symbol: Some(symbol),
                        number,
                        // No type but std's own counts.
                        primitive: Some(Primitive::OpenInt),
                        ..LocalBinding::new(local, binder.position())
                    };
                    binder.scopes.bind(&name, Binding::Local(local));
                }
                fill(binder);
            })
        });
        self.program.nests[nest].body = body;
        Some(self.program.hole(Hole::Nest(nest)))
    }

    /// A range with the methods that follow it.
    pub(in crate::bind) fn range_iterator(
        &mut self,
        ends: [&Expr; 2],
        inclusive: bool,
        range: &RangeEntry<'_>,
        step: i64,
    ) -> Expr {
        let rt = self.runtime.clone();
        let [start, end] = ends;
        let mut written: Expr =
            if inclusive { syn::parse_quote!((#start..=#end)) } else { syn::parse_quote!((#start..#end)) };
        let written_range = surface::strip_parens(&written).clone();
        let by = proc_macro2::Literal::i64_unsuffixed(step);
        // LLVM does not vectorize a loop over std's inclusive range.
        let mut iterator: Expr = match (inclusive, step != 1) {
            (true, true) => syn::parse_quote!(#rt.inclusive_by(#written_range, #by)),
            (true, false) => syn::parse_quote!(#rt.inclusive(#written_range)),
            (false, true) => syn::parse_quote!(#rt.step_by(#written_range, #by)),
            (false, false) => written_range,
        };
        // rustc confirms that the methods are std's, whose results have types of their own.
        if range.step.is_some() {
            written = syn::parse_quote!(#written.step_by(#by));
            self.confirm(syn::parse_quote!(#rt.steps(|| #written);));
        }
        if range.reversed {
            self.confirm(syn::parse_quote!(#rt.reverses(|| #written.rev());));
            iterator = syn::parse_quote!(#rt.rev(#iterator));
        }
        iterator
    }

    /// Notes each `let` that takes more from the loop variable than its first value, where its type has no negative
    /// numbers.
    pub(in crate::bind) fn note_decrements(
        &mut self,
        for_loop: &ExprForLoop,
        name: Option<&Ident>,
        start: &Expr,
        number: Option<IntTy>,
    ) {
        let (Some(name), Some(IntTy::Known(ty))) = (name, number) else { return };
        let Ok(Some(Value::Int(least))) = static_eval::eval(start, &self.scopes) else { return };
        if ty.is_signed() {
            return;
        }
        for (span, difference) in
            crate::bind::arithmetic::underflow::decrements(&for_loop.body.stmts, name, least.value)
        {
            let note = format!(
                "`{name}` is a `{}` that begins at {}, so that `{difference}` overflows. In the brackets of an access it is an index; \
                 elsewhere, write `{name} as isize` first",
                ty.name(),
                least.value
            );
            self.program.notes.push((span, note));
        }
    }

    /// Lets rustc find that `rev` and `step_by` of a range that is unrolled are the user's own.
    pub(in crate::bind) fn check_adaptors(&mut self, range: &Expr) {
        let Expr::MethodCall(call) = surface::strip_parens(range) else { return };
        self.check_adaptors(&call.receiver);
        let rt = self.runtime.clone();
        let value = self.expression(range);
        self.confirm(if call.method == "rev" {
            syn::parse_quote!(#rt.reverses(|| #value);)
        } else {
            syn::parse_quote!(#rt.steps(|| #value);)
        });
    }

    /// One past the end of an inclusive range, where the type of the range certainly holds it.
    pub(in crate::bind) fn past(&mut self, start: &Expr, end: &Expr) -> Option<Expr> {
        let Ok(Some(Value::Int(last))) = static_eval::eval(end, &self.scopes) else {
            let number = self.number(start)?.with(self.number(end)?)?;
            let past = self.exact(end)?.add(&SymInt::constant(1)).ok()?;
            return self.fits(number, &past).then(|| syn::parse_quote!(#end + 1));
        };
        let value = last.value.checked_add(1)?;
        let fits = match self.number(start)?.with(self.number(end)?)? {
            IntTy::Infer => !IntType::ALL.iter().any(|ty| ty.max() == last.value),
            known @ IntTy::Known(_) => {
                let value = i64::try_from(value).ok()?;
                known.holds(Range { lo: Some(value), hi: Some(value) })
            }
        };
        let past = Value::Int(Int { value, ty: last.ty });
        fits.then(|| static_eval::literal(&past, syn::spanned::Spanned::span(end)))
    }

    /// A bound of a range: its value in the algebra, and an expression for it that has no effect.
    pub(in crate::bind) fn bound(
        &mut self,
        expr: &Expr,
        which: &str,
        name: Option<&Ident>,
    ) -> (SymInt, Expr) {
        let known = self.index_expr(expr, None);
        // A loop may mention its bounds twice, which no block bears.
        if let Some(value) = self.exact(expr) {
            return (value, self.expression(expr));
        }
        let fixed = matches!(static_eval::eval(expr, &self.scopes), Ok(Some(_))) && !has_block(expr);
        let plain = surface::ident(expr).is_some()
            || matches!(surface::strip_parens(expr), Expr::Lit(_))
            || fixed
            || (known.only && known.varies)
            || self.is_quotient(expr)
            || self.extent_query(expr);
        // The loop runs as often as Rust says: what might overflow there is not the algebra's.
        if plain
            && known.exact
            && let Ok(sym) = known.value
        {
            return (sym, self.expression(expr));
        }
        // Evaluated once, in the user's type, where Rust would.
        let number = self.number(expr);
        let value = self.expression(expr);
        let hint = name.map_or_else(|| which.to_owned(), |name| format!("{name}_{which}"));
        let local = self.names.fresh(&hint);
        self.push(syn::parse_quote!(let #local = #value;));
        let defined = self.position();
        let range = number.map_or(Range { lo: None, hi: None }, IntTy::range);
        let source = SymbolSource::Stable(local.clone(), number.and_then(IntTy::name));
        let symbol = self.symbol(&local.to_string(), range, source, defined);
        (SymInt::symbol(&symbol), syn::parse_quote!(#local))
    }

    pub(in crate::bind) fn extent_query(&self, expr: &Expr) -> bool {
        matches!(surface::strip_parens(expr), Expr::MethodCall(call) if self.tensor_method(call) == Some(TensorMethod::Extent))
    }
}

/// Whether a block is written in an expression, such as that of an `if`.
pub(in crate::bind) fn has_block(expr: &Expr) -> bool {
    struct Blocks(bool);
    impl<'ast> crate::syntax::visit::Visit<'ast> for Blocks {
        fn visit_block(&mut self, _: &'ast syn::Block) {
            self.0 = true;
        }
        fn visit_expr_match(&mut self, _: &'ast syn::ExprMatch) {
            self.0 = true;
        }
    }
    let mut blocks = Blocks(false);
    crate::syntax::visit::Visit::visit_expr(&mut blocks, expr);
    blocks.0
}
