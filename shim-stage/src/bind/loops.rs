//! Loops: over an index space, over a range, unrolled, or as the user wrote them; and elementwise assignments.

use std::rc::Rc;

use syn::{BinOp, Expr, ExprForLoop, ExprIndex, Ident, Local, Pat};

use crate::diagnostics::counted;
use crate::fixed::{self, Int, Value};
use crate::ir::{Body, ContextKind, Hole, Loop, LoopKind, Source, View};
use crate::parse::surface::{self, Entry, RangeEntry};
use crate::symbolic::{Atom, Range, Sym};

use super::{Binder, Binding, Local as LocalBinding, pattern};

/// How many copies an unrolled loop may make, together with those around it.
const MAX_COPIES: i128 = 4096;

/// A loop of a nest before its body is bound.
pub(super) struct Level {
    /// The user's name, unless it is `_`.
    pub(super) name: Option<Ident>,
    /// How often it runs.
    pub(super) extent: Sym,
}

impl Binder<'_> {
    /// `for`, `while` and `loop`.
    pub(super) fn looping(&mut self, expr: &Expr) -> Expr {
        match expr {
            Expr::ForLoop(looping) => self.for_loop(looping),
            Expr::While(looping) => {
                let mut result = looping.clone();
                let unroll = take_unroll(&mut result.attrs);
                self.reject_unroll(unroll.as_ref());
                self.scopes.enter();
                self.opaque();
                result.cond = Box::new(self.expression(&looping.cond));
                self.opaque();
                result.body = self.in_rust_loop(looping.label.as_ref(), |binder| {
                    binder.block(&looping.body, ContextKind::Unknown, Vec::new())
                });
                self.scopes.leave();
                self.opaque();
                Expr::While(result)
            }
            Expr::Loop(looping) => {
                let mut result = looping.clone();
                let unroll = take_unroll(&mut result.attrs);
                self.reject_unroll(unroll.as_ref());
                self.opaque();
                result.body = self.in_rust_loop(looping.label.as_ref(), |binder| {
                    binder.block(&looping.body, ContextKind::Unknown, Vec::new())
                });
                self.opaque();
                Expr::Loop(result)
            }
            other => other.clone(),
        }
    }

    fn reject_unroll(&mut self, attribute: Option<&syn::Attribute>) {
        if let Some(attribute) = attribute {
            self.diagnostics.error(
                attribute,
                "`#[unroll]` on a loop whose bounds are not static",
                "unroll a `for` over a range of static integers or over the indices of a tensor with static extents",
            );
        }
    }

    fn for_loop(&mut self, source: &ExprForLoop) -> Expr {
        let mut looping = source.clone();
        // syn keeps an inner attribute `#![unroll]` of the body among the loop's own.
        let unroll = take_unroll(&mut looping.attrs);
        if let Some(tensor) = indices_of(&looping.expr).filter(|tensor| self.is_tensor(tensor)) {
            return self.for_indices(&looping, &tensor.clone(), unroll.as_ref());
        }
        if self.is_tensor(&looping.expr) {
            self.diagnostics.error(
                &looping.expr,
                "a tensor is no iterator",
                "run over its indices, as in `for [y, x] in t.indices()`",
            );
            self.judged(&looping, Vec::new());
            return super::access::unreachable_value();
        }
        if let Some(range) = surface::range(&looping.expr) {
            if let Some(attribute) = unroll {
                return self.unrolled_range(&looping, range, &attribute);
            }
            if let Some(result) = self.for_range(&looping, range) {
                return result;
            }
        } else {
            self.reject_unroll(unroll.as_ref());
        }
        let mut result = looping.clone();
        result.expr = Box::new(self.expression(&looping.expr));
        self.opaque();
        let mut pattern = (*looping.pat).clone();
        let body = self.in_rust_loop(looping.label.as_ref(), |binder| {
            binder.body(ContextKind::Unknown, Vec::new(), |binder| {
                pattern = binder.pattern(&looping.pat);
                binder.statements(&looping.body.stmts);
            })
        });
        *result.pat = pattern;
        result.body = self.block_of(body);
        self.opaque();
        Expr::ForLoop(result)
    }

    /// `for [y, x] in t.indices()`.
    fn for_indices(&mut self, looping: &ExprForLoop, tensor: &Expr, unroll: Option<&syn::Attribute>) -> Expr {
        let Some(view) = self.tensor(tensor, "view") else { return super::access::unreachable_value() };
        let rank = view.space.extents.len();
        let names = pattern::array(&looping.pat);
        let broken = self.is_broken(&view);
        let Some(names) = names.clone().filter(|names| names.len() == rank && !broken) else {
            if !broken {
                let example = ["[i]", "[y, x]", "[z, y, x]"].get(rank - 1).unwrap_or(&"[i, j, ..]");
                self.diagnostics.error(
                    &looping.pat,
                    format!("an index of `{}` is {}", view.name, counted(rank, "number", "numbers")),
                    format!(
                        "write a list of plain names, one per axis, as in `for {example} in t.indices()`"
                    ),
                );
            }
            // The body may have errors of its own.
            self.judged(looping, names.unwrap_or_default());
            return super::access::unreachable_value();
        };
        if let Some(attribute) = unroll {
            return self.unrolled_indices(looping, &view, &names, attribute);
        }
        let levels: Vec<Level> = names
            .into_iter()
            .zip(&view.space.extents)
            .map(|(name, extent)| Level { name, extent: extent.clone() })
            .collect();
        let body = |binder: &mut Self| binder.statements(&looping.body.stmts);
        if rank == 1 {
            return self.in_rust_loop(looping.label.as_ref(), |binder| {
                binder.nest(levels, looping.label.clone(), body)
            });
        }
        let (nest, jumps) =
            self.in_staged_loop(looping.label.as_ref(), |binder| binder.nest(levels, None, body));
        self.labelled(nest, &jumps)
    }

    /// Binds the body of a loop that is reported already, for what else is wrong there.
    fn judged(&mut self, looping: &ExprForLoop, names: Vec<Option<Ident>>) {
        self.in_rust_loop(looping.label.as_ref(), |binder| {
            binder.body(ContextKind::Unknown, Vec::new(), |binder| {
                if names.is_empty() {
                    binder.pattern(&looping.pat);
                }
                for name in names.into_iter().flatten() {
                    binder.scopes.bind(&name, Binding::Broken);
                }
                binder.statements(&looping.body.stmts);
            })
        });
    }

    /// Puts the labels that jumps name around a nest and its body.
    fn labelled(&mut self, nest: Expr, jumps: &super::exits::Jumps) -> Expr {
        if let Some(next) = &jumps.next
            && let Some(id) = crate::ir::Program::hole_of(&nest)
            && let Hole::Nest { body, .. } = &self.program.holes[id]
        {
            let inner = body.clone();
            let context = inner.context;
            let block = self.block_of(inner);
            let step: Expr = syn::parse_quote!(#next: #block);
            let statement = syn::Stmt::Expr(step, Some(syn::token::Semi::default()));
            if let Hole::Nest { body, .. } = &mut self.program.holes[id] {
                *body = Body { context, statements: vec![statement] };
            }
        }
        match &jumps.leave {
            Some(leave) => syn::parse_quote!(#leave: { #nest }),
            None => nest,
        }
    }

    /// A perfect nest over `levels` with the body that `fill` writes.
    pub(super) fn nest(
        &mut self,
        levels: Vec<Level>,
        label: Option<syn::Label>,
        fill: impl FnOnce(&mut Self),
    ) -> Expr {
        self.nest_over(levels, label, |binder, _| fill(binder))
    }

    /// The same, where the body needs the variables whether they have names or not.
    pub(super) fn nest_over(
        &mut self,
        levels: Vec<Level>,
        label: Option<syn::Label>,
        fill: impl FnOnce(&mut Self, Vec<Sym>),
    ) -> Expr {
        let (before, breaks) = (self.clock, self.breaks);
        let mut loops = Vec::new();
        let mut facts = Vec::new();
        let mut bindings = Vec::new();
        let mut variables = Vec::new();
        let here = self.position();
        for level in levels {
            let user = level.name.as_ref().map_or_else(|| "_i".to_owned(), ToString::to_string);
            let local = match &level.name {
                Some(name) => self.local_name(name),
                None => self.names.fresh("step"),
            };
            let hi = level.extent.range().hi.map_or(i64::from(i32::MAX) - 1, |hi| hi - 1);
            let range = Range { lo: Some(0), hi: Some(hi.min(i64::from(i32::MAX) - 1)) };
            let id = self.program.loops.len();
            let symbol = self.symbol(&user, range, Source::Loop(id), here);
            let value = Sym::symbol(&symbol);
            variables.push(value.clone());
            let last = level.extent.sub(&Sym::constant(1)).unwrap_or_else(|_| Sym::constant(0));
            if let Some(bound) = positive_part(&level.extent)
                && let Ok(room) = bound.sub(&value).and_then(|room| room.sub(&Sym::constant(1)))
            {
                facts.push(room);
            }
            if let Ok(room) = last.sub(&value) {
                facts.push(room);
            }
            self.program.loops.push(Loop {
                name: local.clone(),
                symbol,
                first: Sym::constant(0),
                runs: last.clone(),
                last,
                kind: LoopKind::Index { extent: level.extent },
                context: 0,
                opaque: false,
                broken: false,
            });
            loops.push(id);
            if let Some(name) = level.name {
                let value_expr: Expr = syn::parse_quote!((#local as i32));
                bindings.push((name, Binding::Index { sym: value, value: value_expr, reference: false }));
            }
        }
        let Some(innermost) = loops.last().copied() else {
            // No axis to run over: the body runs once.
            let body = self.body(ContextKind::Plain, Vec::new(), |binder| fill(binder, variables));
            return self.program.hole(Hole::Body(body));
        };
        let body = self.body(ContextKind::Loop(innermost), facts, |binder| {
            for (name, binding) in bindings {
                binder.scopes.bind(&name, binding);
            }
            fill(binder, variables);
        });
        let opaque = self.clock != before;
        let broken = self.breaks != breaks;
        for id in &loops {
            self.program.loops[*id].broken = broken;
            self.program.loops[*id].opaque = opaque;
            self.program.loops[*id].context = body.context;
        }
        self.program.nests.insert(body.context, loops.clone());
        self.program.hole(Hole::Nest { loops, label, body })
    }

    /// `for r in a..b` that stays a loop; `None` when nothing can be said about it.
    fn for_range(&mut self, looping: &ExprForLoop, range: RangeEntry<'_>) -> Option<Expr> {
        let name = match &*looping.pat {
            Pat::Wild(_) => None,
            pattern => match pattern::simple(pattern)? {
                (name, _, false) => Some(name.clone()),
                _ => return None,
            },
        };
        let (start, end) = (range.start?, range.end?);
        let step = match range.step {
            Some(step) => match fixed::eval(step, &self.scopes) {
                Ok(Some(Value::Int(int))) if int.value > 0 => i64::try_from(int.value).ok()?,
                _ => return None,
            },
            None => 1,
        };
        let (first, start) = self.bound(start, "start", name.as_ref());
        let (end_sym, end) = self.bound(end, "end", name.as_ref());
        let last = if range.inclusive { Ok(end_sym) } else { end_sym.sub(&Sym::constant(1)) };
        let runs = last.clone().and_then(|last| last.sub(&first)).ok()?;
        let last = last.and_then(|last| {
            if step == 1 {
                return Ok(last);
            }
            last.sub(&first)?.floor_div(step)?.scale(step)?.add(&first)
        });
        let last = last.ok()?;
        let dots: syn::RangeLimits =
            if range.inclusive { syn::parse_quote!(..=) } else { syn::parse_quote!(..) };
        let mut iterator: Expr = syn::parse_quote!(#start #dots #end);
        let plain = !range.inclusive && !range.reversed && step == 1;
        if range.step.is_some() {
            let step = proc_macro2::Literal::i64_unsuffixed(step);
            iterator = syn::parse_quote!((#iterator).step_by(#step));
        }
        if range.reversed {
            iterator = syn::parse_quote!((#iterator).rev());
        }
        let (before, breaks) = (self.clock, self.breaks);
        let id = self.program.loops.len();
        let here = self.position();
        let user = name.as_ref().map_or_else(|| "_".to_owned(), ToString::to_string);
        let local = match &name {
            Some(name) => self.local_name(name),
            None => Ident::new("_", proc_macro2::Span::call_site()),
        };
        let bounds = Range { lo: first.range().lo, hi: last.range().hi };
        let symbol = self.symbol(&user, bounds, Source::Loop(id), here);
        let value = Sym::symbol(&symbol);
        let facts = [value.sub(&first), last.sub(&value)].into_iter().flatten().collect();
        self.program.loops.push(Loop {
            name: local.clone(),
            symbol: symbol.clone(),
            first,
            last,
            runs,
            kind: LoopKind::Range { iterator: Box::new(iterator), plain },
            context: 0,
            opaque: false,
            broken: false,
        });
        let body = self.in_rust_loop(looping.label.as_ref(), |binder| {
            binder.body(ContextKind::Loop(id), facts, |binder| {
                if let Some(name) = name {
                    let defined = binder.position();
                    let local = LocalBinding {
                        name: local,
                        mutable: false,
                        ty: None,
                        defined,
                        symbol: Some(symbol),
                        transparent: false,
                    };
                    binder.scopes.bind(&name, Binding::Local(local));
                }
                binder.statements(&looping.body.stmts);
            })
        });
        self.program.loops[id].context = body.context;
        self.program.loops[id].opaque = self.clock != before;
        self.program.loops[id].broken = self.breaks != breaks;
        self.program.nests.insert(body.context, vec![id]);
        Some(self.program.hole(Hole::Nest { loops: vec![id], label: looping.label.clone(), body }))
    }

    /// A bound of a range: its value in the algebra, and an expression for it that has no effect.
    fn bound(&mut self, expr: &Expr, which: &str, name: Option<&Ident>) -> (Sym, Expr) {
        let plain = surface::ident(expr).is_some()
            || matches!(surface::bare(expr), Expr::Lit(_))
            || matches!(fixed::eval(expr, &self.scopes), Ok(Some(_)))
            || self.only_index(expr)
            || self.extent_query(expr);
        if plain && let Some(sym) = self.pure_index(expr) {
            return (sym, self.expression(expr));
        }
        // Evaluated once, in the user's type, where Rust would.
        let value = self.expression(expr);
        let hint = name.map_or_else(|| which.to_owned(), |name| format!("{name}_{which}"));
        let local = self.names.fresh(&hint);
        self.push(syn::parse_quote!(let #local = #value;));
        let defined = self.position();
        let source = Source::Stable(syn::parse_quote!(#local), None);
        let symbol = self.symbol(&local.to_string(), Range { lo: None, hi: None }, source, defined);
        (Sym::symbol(&symbol), syn::parse_quote!(#local))
    }

    fn extent_query(&self, expr: &Expr) -> bool {
        matches!(surface::bare(expr), Expr::MethodCall(call) if call.method == "extent" && self.is_tensor(&call.receiver))
    }

    fn unrolled_range(
        &mut self,
        looping: &ExprForLoop,
        range: RangeEntry<'_>,
        attribute: &syn::Attribute,
    ) -> Expr {
        let Some(mut values) = self.static_values(range, attribute) else {
            self.judged(
                looping,
                pattern::simple(&looping.pat).map(|(name, ..)| Some(name.clone())).into_iter().collect(),
            );
            return super::access::unreachable_value();
        };
        if range.reversed {
            values.reverse();
        }
        let name = match &*looping.pat {
            Pat::Wild(_) => None,
            pattern => match pattern::simple(pattern) {
                Some((name, _, false)) => Some(name.clone()),
                _ => {
                    self.diagnostics.error(
                        &looping.pat,
                        "the variable of an unrolled loop is a plain name",
                        "write `for k in ..`; copy it into a `let mut` to change it",
                    );
                    return super::access::unreachable_value();
                }
            },
        };
        let rows = values.into_iter().map(|value| vec![value]).collect();
        self.copies(looping, &[name], rows)
    }

    /// The values that the variable of an unrolled loop takes; reports what keeps them from being static.
    fn static_values(&mut self, range: RangeEntry<'_>, attribute: &syn::Attribute) -> Option<Vec<Int>> {
        let (Some(start), Some(end)) = (range.start, range.end) else {
            self.reject_unroll(Some(attribute));
            return None;
        };
        let bound = "a bound of an unrolled loop";
        // Each is looked at, so that all that is wrong is said at once.
        let (start, end) = (self.static_typed(start, bound), self.static_typed(end, bound));
        let step = match range.step {
            Some(step) => self.static_integer(step, "the step of an unrolled loop").and_then(|value| {
                if value < 1 {
                    self.diagnostics.error(
                        step,
                        "a step below one",
                        "steps count forward; to run down, add `.rev()`",
                    );
                }
                (value >= 1).then_some(i128::from(value))
            }),
            None => Some(1),
        };
        let (start, end, step) = (start?, end?, step?);
        let ty = start.ty.or(end.ty);
        let stop = if range.inclusive { end.value.saturating_add(1) } else { end.value };
        let count = stop.saturating_sub(start.value).max(0).saturating_add(step - 1) / step;
        let count = count.saturating_mul(self.copies);
        if count > MAX_COPIES {
            self.reject_copies(attribute, count);
            return None;
        }
        let mut values = Vec::new();
        let mut value = start.value;
        while value < stop {
            values.push(Int { value, ty });
            value = value.saturating_add(step);
        }
        Some(values)
    }

    fn static_typed(&mut self, expr: &Expr, what: &str) -> Option<Int> {
        match fixed::eval(expr, &self.scopes) {
            Ok(Some(Value::Int(int))) => return Some(int),
            Ok(_) => self.report_dynamic(expr, what),
            Err(error) => self.diagnostics.push(error),
        }
        None
    }

    fn reject_copies(&mut self, attribute: &syn::Attribute, count: i128) {
        self.diagnostics.error(
            attribute,
            format!("`#[unroll]` would write {count} copies of the body"),
            format!("at most {MAX_COPIES} are written: unroll an inner loop alone, or remove `#[unroll]`"),
        );
    }

    fn unrolled_indices(
        &mut self,
        looping: &ExprForLoop,
        view: &Rc<View>,
        names: &[Option<Ident>],
        attribute: &syn::Attribute,
    ) -> Expr {
        let extents: Option<Vec<i64>> =
            view.space.extents.iter().map(crate::symbolic::Sym::as_constant).collect();
        let Some(extents) = extents else {
            self.diagnostics.error(
                attribute,
                format!("`#[unroll]` over `{}`, whose extents are not static", view.name),
                "give the view a size that folds, as in `t[[r..r + 4, c..c + 4]]`, or remove `#[unroll]`",
            );
            return super::access::unreachable_value();
        };
        let count: i64 = extents.iter().fold(1i64, |count, extent| count.saturating_mul(*extent));
        let count = i128::from(count).saturating_mul(self.copies);
        if count > MAX_COPIES {
            self.reject_copies(attribute, count);
            return super::access::unreachable_value();
        }
        let mut rows: Vec<Vec<Int>> = if count == 0 { Vec::new() } else { vec![Vec::new()] };
        for extent in extents {
            let mut next = Vec::new();
            for row in &rows {
                for value in 0..extent {
                    let mut row = row.clone();
                    row.push(Int { value: i128::from(value), ty: None });
                    next.push(row);
                }
            }
            rows = next;
        }
        self.copies(looping, names, rows)
    }

    /// The body once for each row of values.
    fn copies(&mut self, looping: &ExprForLoop, names: &[Option<Ident>], rows: Vec<Vec<Int>>) -> Expr {
        let (bodies, jumps) = self.in_staged_loop(looping.label.as_ref(), |binder| {
            binder.body(ContextKind::Plain, Vec::new(), |binder| {
                let around = binder.copies;
                binder.copies *= rows.len().max(1) as i128;
                for row in rows {
                    let body = binder.body(ContextKind::Plain, Vec::new(), |binder| {
                        for (name, value) in names.iter().zip(row) {
                            if let Some(name) = name {
                                binder.scopes.bind(name, Binding::Static(Value::Int(value)));
                            }
                        }
                        binder.statements(&looping.body.stmts);
                    });
                    let block = binder.block_of(body);
                    // Each copy is a statement of its own, so that positions keep telling them apart.
                    binder
                        .push(syn::Stmt::Expr(syn::parse_quote!(#block), Some(syn::token::Semi::default())));
                }
                binder.copies = around;
            })
        });
        let mut bodies = bodies;
        if let Some(next) = &jumps.next {
            for statement in &mut bodies.statements {
                if let syn::Stmt::Expr(Expr::Block(block), _) = statement {
                    block.label =
                        Some(syn::Label { name: next.clone(), colon_token: syn::token::Colon::default() });
                }
            }
        }
        let hole = self.program.hole(Hole::Copies(bodies));
        match &jumps.leave {
            Some(leave) => syn::parse_quote!(#leave: { #hole }),
            None => hole,
        }
    }

    /// `let [y, x] = iters();`
    pub(super) fn iterators(&mut self, local: &Local) {
        if let Some(init) = &local.init
            && let Expr::Call(call) = surface::bare(&init.expr)
            && let Expr::Path(path) = &*call.func
        {
            self.mention_item(path);
        }
        let names = match pattern::array(&local.pat) {
            Some(names) => names,
            None => match pattern::simple(&local.pat) {
                Some((name, None, false)) => vec![Some(name.clone())],
                _ => {
                    self.diagnostics.error(
                        &local.pat,
                        "iterators are bound to plain names",
                        "write `let [y, x] = iters();`",
                    );
                    return;
                }
            },
        };
        for name in names.into_iter().flatten() {
            self.scopes.bind(&name, Binding::Iterator);
        }
    }

    fn iterator_of(&self, expr: &Expr) -> Option<Ident> {
        let name = surface::ident(expr)?;
        matches!(self.scopes.get(&name.to_string()), Some(Binding::Iterator)).then(|| name.clone())
    }

    /// The iterators that `expr` mentions anywhere.
    fn iterators_in(&self, expr: &Expr) -> Vec<Ident> {
        struct Find<'s, 'a>(&'s Binder<'a>, Vec<Ident>);
        impl<'ast> syn::visit::Visit<'ast> for Find<'_, '_> {
            fn visit_expr(&mut self, expr: &'ast Expr) {
                self.1.extend(self.0.iterator_of(expr).filter(|_| matches!(expr, Expr::Path(_))));
                syn::visit::visit_expr(self, expr);
            }
        }
        let mut find = Find(self, Vec::new());
        syn::visit::Visit::visit_expr(&mut find, expr);
        find.1
    }

    /// Whether an assignment to `left` is one to all elements that its iterators run over.
    pub(super) fn is_elementwise(&self, left: &Expr) -> bool {
        let left = surface::bare(left);
        matches!(left, Expr::Index(index) if self.is_access(index)) && !self.iterators_in(left).is_empty()
    }

    /// An elementwise assignment where an expression stands, as in the arm of a `match`.
    pub(super) fn elementwise_value(&mut self, left: &Expr, op: Option<BinOp>, right: &Expr) -> Expr {
        let body = self.body(ContextKind::Plain, Vec::new(), |binder| {
            binder.elementwise(left, op, right);
        });
        self.program.hole(Hole::Body(body))
    }

    /// An assignment whose left side is indexed by iterators: writes its nest and says so.
    pub(super) fn elementwise(&mut self, left: &Expr, op: Option<BinOp>, right: &Expr) -> bool {
        let Expr::Index(index) = surface::bare(left) else { return false };
        if !self.is_elementwise(left) || op.is_some_and(|op| !super::expression::is_assigning(&op)) {
            return false;
        }
        let Some(view) = self.tensor(&index.expr, "view") else { return true };
        let Some(levels) = self.elementwise_levels(index, &view) else { return true };
        for used in self.iterators_in(right) {
            if !levels.iter().any(|level| level.name.as_ref() == Some(&used)) {
                self.diagnostics.error(
                    &used,
                    format!("the iterator `{used}` is not on the left"),
                    "every iterator on the right stands alone in the index list on the left; to sum over one, \
                     write a reduction",
                );
                return true;
            }
        }
        let nest = self.nest(levels, None, |binder| {
            let assignment = binder.assign(index, op, right);
            binder.push(syn::Stmt::Expr(assignment, Some(syn::token::Semi::default())));
        });
        self.push(syn::Stmt::Expr(nest, None));
        true
    }

    fn elementwise_levels(&mut self, index: &ExprIndex, view: &Rc<View>) -> Option<Vec<Level>> {
        let rank = view.space.extents.len();
        let entries = surface::index_list(index)?;
        let padding = rank.checked_sub(entries.len());
        let mut levels: Vec<Level> = Vec::new();
        for (position, entry) in entries.iter().enumerate() {
            let Entry::Index(expr) = entry else { continue };
            match self.iterator_of(expr) {
                Some(name) => {
                    if levels.iter().any(|level| level.name.as_ref() == Some(&name)) {
                        self.diagnostics.error(
                            expr,
                            format!("the iterator `{name}` stands twice on the left"),
                            "each iterator runs over one axis of the left side; use another one",
                        );
                        return None;
                    }
                    // An index list that is too long is reported by the access itself.
                    let axis = padding.map_or(position, |padding| padding + position);
                    let extent = view.space.extents.get(axis).cloned().unwrap_or_else(|| Sym::constant(1));
                    levels.push(Level { name: Some(name), extent });
                }
                None if !self.iterators_in(expr).is_empty() => {
                    self.diagnostics.error(
                        expr,
                        "an iterator on the left does not stand alone",
                        "write the plain iterator on the left and the arithmetic on the right, or assign to a view \
                         such as `t[[1.., ..]]`",
                    );
                    return None;
                }
                None => {}
            }
        }
        Some(levels)
    }
}

/// `e` of an extent `max(0, e)`: where a loop over it runs at all, the extent is `e`.
fn positive_part(extent: &Sym) -> Option<Sym> {
    match extent.as_atom()? {
        Atom::Max(a, b) if a.is_zero() => Some(b.clone()),
        Atom::Max(a, b) if b.is_zero() => Some(a.clone()),
        _ => None,
    }
}

/// `t` of `t.indices()`.
pub(super) fn indices_of(expr: &Expr) -> Option<&Expr> {
    match surface::bare(expr) {
        Expr::MethodCall(call) if call.method == "indices" && call.args.is_empty() => Some(&call.receiver),
        _ => None,
    }
}

fn take_unroll(attributes: &mut Vec<syn::Attribute>) -> Option<syn::Attribute> {
    let at = attributes.iter().position(|attribute| attribute.path().is_ident("unroll"))?;
    Some(attributes.remove(at))
}
