//! Loops: over an index space, over a range, or as the user wrote them.

use syn::{Expr, ExprForLoop, Ident, Pat, Stmt};

use crate::diagnostics::counted;
use crate::ir::{Hole, Loop, LoopKind, Nest, RegionKind, SymbolSource, View};
use crate::static_eval::{self, Int, IntType, Value};
use crate::surface::{self, HelperAttribute, RangeEntry, TensorMethod, is_helper, pattern};
use crate::symbolic::{Range, SymInt};

use crate::bind::loops::scan::ScanCall;
use crate::bind::loops::unroll::{take_schedule, take_unroll};
use crate::bind::tensors::nest::LoopHeader;
use crate::bind::types::Primitive;
use crate::bind::{Binder, Binding, IntTy, Local as LocalBinding, unreachable_value};

impl Binder<'_> {
    /// `for`, `while` and `loop`.
    pub(in crate::bind) fn loop_expression(&mut self, expr: &Expr) -> Expr {
        match expr {
            // The header is evaluated before the loop's statement, and what stands in front of the loop there before
            // that.
            Expr::ForLoop(for_loop) if !self.walk.is_statement_quiet() => {
                let body = self.body(RegionKind::Plain, Vec::new(), |binder| {
                    let nest = binder.for_loop(for_loop);
                    binder.push(Stmt::Expr(nest, None));
                });
                self.program.hole(Hole::Body(body))
            }
            Expr::ForLoop(for_loop) => self.for_loop(for_loop),
            Expr::While(while_loop) => {
                let mut result = while_loop.clone();
                let unroll = take_unroll(&mut result.attrs);
                self.reject_unroll(unroll.as_ref());
                let schedule = take_schedule(&mut result.attrs);
                self.reject_schedule(&schedule);
                self.scopes.enter();
                self.walk.effects.opaque();
                result.cond = Box::new(self.repeated(|binder| binder.expression(&while_loop.cond)));
                self.walk.effects.opaque();
                result.body = self.in_rust_loop(while_loop.label.as_ref(), |binder| {
                    binder.block(&while_loop.body, RegionKind::Unknown, Vec::new())
                });
                self.scopes.leave();
                self.walk.effects.opaque();
                Expr::While(result)
            }
            Expr::Loop(endless) => {
                let mut result = endless.clone();
                let unroll = take_unroll(&mut result.attrs);
                self.reject_unroll(unroll.as_ref());
                let schedule = take_schedule(&mut result.attrs);
                self.reject_schedule(&schedule);
                self.walk.effects.opaque();
                result.body = self.in_rust_loop(endless.label.as_ref(), |binder| {
                    binder.block(&endless.body, RegionKind::Unknown, Vec::new())
                });
                self.walk.effects.opaque();
                Expr::Loop(result)
            }
            other => other.clone(),
        }
    }

    fn for_loop(&mut self, source: &ExprForLoop) -> Expr {
        let mut for_loop = source.clone();
        // syn keeps an inner attribute `#![unroll]` of the body among the loop's own.
        let unroll = take_unroll(&mut for_loop.attrs);
        if let Some(at) = for_loop.attrs.iter().position(|attribute| HelperAttribute::Tabulate.is(attribute))
        {
            let attribute = for_loop.attrs.remove(at);
            return self.tabulated_loop(&for_loop, attribute);
        }
        let schedule = take_schedule(&mut for_loop.attrs);
        let reorders = self.reorders(&schedule);
        let beginning = self.beginning();
        let nest = self.with_pure(&schedule, |binder| {
            binder.confirming(reorders, |binder| binder.counted_loop(&for_loop, unroll, &schedule))
        });
        self.record_effects(&nest, &schedule, beginning);
        nest
    }

    /// A loop that is tabulated, or unrolled where orders of loops do not apply.
    fn tabulated_loop(&mut self, for_loop: &ExprForLoop, attribute: syn::Attribute) -> Expr {
        if let Some(other) = for_loop.attrs.iter().find(|attribute| is_helper(attribute.path())) {
            let help = "a tabulated loop has no order: remove one of the two";
            self.diagnostics.error(other, "a tabulated loop takes no other attribute", help);
        }
        if self.schedules() {
            self.tabulated(for_loop)
        } else {
            self.counted_loop(for_loop, Some(attribute), &[])
        }
    }

    fn counted_loop(
        &mut self,
        for_loop: &ExprForLoop,
        unroll: Option<syn::Attribute>,
        schedule: &[syn::Attribute],
    ) -> Expr {
        if let Some(tensor) = indices_of(&for_loop.expr).filter(|tensor| self.is_tensor(tensor)) {
            return self.for_indices(for_loop, &tensor.clone(), unroll.as_ref(), schedule);
        }
        if let Expr::MethodCall(call) = surface::strip_parens(&for_loop.expr)
            && self.tensor_method(call) == Some(TensorMethod::Tiles)
        {
            return self.for_tiles(for_loop, call, unroll.as_ref(), schedule);
        }
        if let Some(scan) = ScanCall::of(&for_loop.expr)
            && self.tensor_method(scan.call) == Some(TensorMethod::Scan)
        {
            return self.for_scan(for_loop, scan, unroll.as_ref(), schedule);
        }
        if self.is_tensor(&for_loop.expr) {
            self.diagnostics.error(
                &for_loop.expr,
                "a tensor is not an iterator",
                "run over its indices, as in `for [y, x] in t.indices()`",
            );
            self.validate(for_loop, Vec::new());
            return unreachable_value();
        }
        if let Some(range) = surface::range(&for_loop.expr) {
            if let Some(attribute) = unroll {
                self.reject_schedule(schedule);
                self.check_adaptors(&for_loop.expr);
                return self.unrolled_range(for_loop, range, &attribute);
            }
        } else {
            self.reject_unroll(unroll.as_ref());
        }
        let nest = self.for_each(for_loop, &mut |binder| binder.statements(&for_loop.body.stmts));
        if matches!(nest, Expr::ForLoop(_)) {
            self.reject_schedule(schedule);
            return nest;
        }
        self.ordered(nest, schedule, 1, Some(&for_loop.body))
    }

    /// A loop over anything but indices, with the body that `fill` writes in the place of its own.
    pub(in crate::bind) fn for_each(
        &mut self,
        for_loop: &ExprForLoop,
        fill: &mut dyn FnMut(&mut Self),
    ) -> Expr {
        if let Some(range) = surface::range(&for_loop.expr)
            && let Some(result) = self.for_range(for_loop, range, fill)
        {
            return result;
        }
        let mut result = for_loop.clone();
        result.expr = Box::new(self.expression(&for_loop.expr));
        self.walk.effects.opaque();
        let mut pattern = (*for_loop.pat).clone();
        let body = self.in_rust_loop(for_loop.label.as_ref(), |binder| {
            binder.body(RegionKind::Unknown, Vec::new(), |binder| {
                pattern = binder.pattern(&for_loop.pat);
                fill(binder);
            })
        });
        *result.pat = pattern;
        result.body = self.block_of(body);
        self.walk.effects.opaque();
        Expr::ForLoop(result)
    }

    /// `for [y, x] in t.indices()`.
    pub(in crate::bind) fn for_indices(
        &mut self,
        for_loop: &ExprForLoop,
        tensor: &Expr,
        unroll: Option<&syn::Attribute>,
        schedule: &[syn::Attribute],
    ) -> Expr {
        let Some(view) = self.tensor(tensor, "view") else {
            return unreachable_value();
        };
        self.over_indices(for_loop, &view, "t.indices()", |binder, names| {
            binder.for_each_index(for_loop, &view, names, unroll, schedule)
        })
    }

    /// What `bind` makes of a loop over the indices of `view`, given the names of its variables; `source` is what the
    /// loop runs over, for an error.
    pub(in crate::bind) fn over_indices(
        &mut self,
        for_loop: &ExprForLoop,
        view: &View,
        source: &str,
        bind: impl FnOnce(&mut Self, Vec<Option<Ident>>) -> Expr,
    ) -> Expr {
        let rank = view.space.extents.len();
        let broken = self.is_broken(view);
        if let Some((point, None, false)) = pattern::simple(&for_loop.pat)
            && !broken
        {
            let names = self.point_variables(point, rank).into_iter().map(Some).collect();
            let result = bind(self, names);
            self.scopes.leave();
            return result;
        }
        let names = pattern::array(&for_loop.pat);
        let Some(names) = names.clone().filter(|names| names.len() == rank && !broken) else {
            if !broken {
                let example = ["[]", "[i]", "[y, x]", "[z, y, x]"].get(rank).unwrap_or(&"[i, j, ..]");
                self.diagnostics.error(
                    &for_loop.pat,
                    format!(
                        "`{}` has rank {rank}, so its indices are {}",
                        view.name,
                        counted(rank, "number", "numbers")
                    ),
                    format!(
                        "write a list of plain names, one per axis, as in `for {example} in {source}`, or one name for all"
                    ),
                );
            }
            // The body may have errors of its own.
            self.validate(for_loop, names.unwrap_or_default());
            return unreachable_value();
        };
        bind(self, names)
    }

    fn for_each_index(
        &mut self,
        for_loop: &ExprForLoop,
        view: &View,
        names: Vec<Option<Ident>>,
        unroll: Option<&syn::Attribute>,
        schedule: &[syn::Attribute],
    ) -> Expr {
        let rank = names.len();
        if let Some(attribute) = unroll {
            let schedule = if schedule.is_empty() || !self.schedules() { &[] } else { schedule };
            return self.unrolled_indices(for_loop, view, &names, attribute, schedule);
        }
        let levels = LoopHeader::all_of(view, names);
        let body = |binder: &mut Self| binder.statements(&for_loop.body.stmts);
        let nest = if rank == 1 {
            self.in_rust_loop(for_loop.label.as_ref(), |binder| {
                binder.nest(levels, for_loop.label.clone(), body)
            })
        } else {
            let (nest, jumps) =
                self.in_staged_loop(for_loop.label.as_ref(), |binder| binder.nest(levels, None, body));
            let nest = self.ordered(nest, schedule, rank, Some(&for_loop.body));
            return self.labeled(nest, &jumps);
        };
        self.ordered(nest, schedule, rank, Some(&for_loop.body))
    }

    /// Binds the body of a loop that is reported already, for what else is wrong there.
    pub(in crate::bind) fn validate(&mut self, for_loop: &ExprForLoop, names: Vec<Option<Ident>>) {
        self.in_rust_loop(for_loop.label.as_ref(), |binder| {
            binder.body(RegionKind::Unknown, Vec::new(), |binder| {
                if names.is_empty() {
                    binder.pattern(&for_loop.pat);
                }
                for name in names.into_iter().flatten() {
                    binder.scopes.bind(&name, Binding::Broken);
                }
                binder.statements(&for_loop.body.stmts);
            })
        });
    }

    /// `for r in a..b` that stays a loop; `None` when nothing can be said about it.
    fn for_range(
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
    fn range_iterator(
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
    fn note_decrements(
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
    fn check_adaptors(&mut self, range: &Expr) {
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
    fn past(&mut self, start: &Expr, end: &Expr) -> Option<Expr> {
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
    fn bound(&mut self, expr: &Expr, which: &str, name: Option<&Ident>) -> (SymInt, Expr) {
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

    fn extent_query(&self, expr: &Expr) -> bool {
        matches!(surface::strip_parens(expr), Expr::MethodCall(call) if self.tensor_method(call) == Some(TensorMethod::Extent))
    }
}

/// Whether a block is written in an expression, such as that of an `if`.
fn has_block(expr: &Expr) -> bool {
    struct Blocks(bool);
    impl<'ast> syn::visit::Visit<'ast> for Blocks {
        fn visit_block(&mut self, _: &'ast syn::Block) {
            self.0 = true;
        }
        fn visit_expr_match(&mut self, _: &'ast syn::ExprMatch) {
            self.0 = true;
        }
    }
    let mut blocks = Blocks(false);
    syn::visit::Visit::visit_expr(&mut blocks, expr);
    blocks.0
}

/// `t` of `t.indices()`.
pub(in crate::bind) fn indices_of(expr: &Expr) -> Option<&Expr> {
    match surface::strip_parens(expr) {
        Expr::MethodCall(call)
            if call.method == TensorMethod::Indices.name()
                && call.args.is_empty()
                && call.turbofish.is_none() =>
        {
            Some(&call.receiver)
        }
        _ => None,
    }
}
