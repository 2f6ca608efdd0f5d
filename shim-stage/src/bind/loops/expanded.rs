//! Sums in a local of a loop body: scalar expansion.
//!
//! ```text
//! for x in 0..w {                          for first in (0..w).step_by(512) {
//!     let mut sum = 0.0;                       for x in first.. { sums[[x - first]] = 0.0; }
//!     for i in 0..n {                          for i in 0..n {
//!         sum += a[[i, x]] * b[[i]];               for x in first.. { sums[[x - first]] += a[[i, x]] * b[[i]]; }
//!     }                                        }
//!     out[[x]] = sum;                          for x in first.. { let sum = sums[[x - first]]; out[[x]] = sum; }
//! }                                        }
//! ```
//!
//! A sum of floats has an order, so that LLVM makes no vectors of the loop over `i`. The loop over `x`, whose iterations
//! have a sum each, may move inside it: each sum has the same terms in the same order. That pays where consecutive `x`
//! are consecutive elements.
//!
//! D. Padua and M. Wolfe, Advanced compiler optimizations for supercomputers (CACM 1986).

use std::rc::Rc;

use proc_macro2::Ident;
use quote::ToTokens;
use syn::{BinOp, Block, Expr, ExprForLoop, Lit, Local, Pat, Stmt, UnOp, parse_quote};

use crate::hygiene;
use crate::ir::{BufferId, Hole, RegionKind, View};
use crate::static_eval::{self, IntType, Value, methods};
use crate::surface::{self, RangeEntry, pattern};

use crate::bind::types::Primitive;
use crate::bind::{Binder, Binding, IntTy, unreachable_value};

/// How many sums are in memory at a time.
const SUMS: usize = 512;

/// The most iterations of a loop that stays inside the one over the sums.
const SHORT: i128 = 64;

/// A sum in a local.
struct Sum {
    name: Ident,
    init: Expr,
    ty: syn::Type,
    /// The block that holds those of several iterations.
    block: Ident,
}

/// A loop with sums.
struct SumLoop<'l> {
    variable: &'l Ident,
    sums: Vec<Sum>,
    /// The loops that add to the sums.
    nest: &'l ExprForLoop,
    /// The statements after them.
    rest: &'l [Stmt],
}

impl Binder<'_> {
    /// A loop without words whose sums are in memory, so that the loops in its body can be around it.
    pub(in crate::bind) fn expanded(&mut self, for_loop: &ExprForLoop) -> Option<Expr> {
        if self.walk.tracks()
            || self.walk.follows_fused
            || for_loop.label.is_some()
            || !for_loop.attrs.is_empty()
        {
            return None;
        }
        let range = surface::range(&for_loop.expr)?;
        let RangeEntry { start: Some(start), end: Some(end), inclusive: false, step: None, reversed: false } =
            range
        else {
            return None;
        };
        if !(self.is_fixed(end) && (self.is_fixed(start) || matches!(start, Expr::Lit(_)))) {
            return None;
        }
        let found = self.sum_loop(for_loop)?;
        if !self.schedules() {
            return None;
        }
        let (variable, sums) = (found.variable, &found.sums);
        let first = self.names.fresh("first");
        let past: Expr = parse_quote!((#first + #SUMS).min(#end));
        let over = |body: &[Stmt]| -> Stmt { parse_quote!(for #variable in #first..#past { #(#body)* }) };
        let inits: Vec<Stmt> = sums
            .iter()
            .map(|Sum { init, block, .. }| parse_quote!(#block[[#variable - #first]] = #init;))
            .collect();
        let loads = || {
            sums.iter().map(|Sum { name, block, .. }| -> Stmt {
                parse_quote!(let mut #name = #block[[#variable - #first]];)
            })
        };
        let row = |body: &[Stmt]| {
            let stores = sums.iter().map(|Sum { name, block, .. }| -> Stmt {
                parse_quote!(#block[[#variable - #first]] = #name;)
            });
            over(&loads().chain(body.iter().cloned()).chain(stores).collect::<Vec<_>>())
        };
        let search = SumSearch::new(self, variable, sums);
        let added = self.moved_in(found.nest, &row, &|statement| search.moves(statement))?;
        let rest: Vec<Stmt> = loads().chain(found.rest.iter().cloned()).collect();
        let (init, rest) = (over(&inits), over(&rest));
        let strips: ExprForLoop = parse_quote! {
            for #first in (#start..#end).step_by(#SUMS) { #init #added #rest }
        };
        let body = self.body(RegionKind::Plain, Vec::new(), |binder| {
            for Sum { ty, block, .. } in sums {
                let made: Expr = parse_quote!(Block::stack::<#ty>([#SUMS]));
                let Some(view) = binder.unmentioned(&made, &block.to_string()) else {
                    return binder.push(Stmt::Expr(unreachable_value(), None));
                };
                binder.program.stage_blocks.push(view.buffer);
                binder.bind_tensor(block, view);
            }
            binder.remaining(&[Stmt::Expr(Expr::ForLoop(strips), None)]);
        });
        Some(self.program.hole(Hole::Body(body)))
    }

    /// The tensor that an expression of the compiler makes, whose names rustc need not see.
    pub(in crate::bind) fn unmentioned(&mut self, made: &Expr, hint: &str) -> Option<Rc<View>> {
        let mentions = self.program.mentions.len();
        let view = self.tensor(made, hint);
        self.program.mentions.truncate(mentions);
        view
    }

    /// Whether a bound is a `usize` that may be evaluated again.
    fn is_fixed(&self, bound: &Expr) -> bool {
        let is_local = surface::ident(bound).is_some_and(
            |name| matches!(self.scopes.get(name), Some(Binding::Local(local)) if local.is_unchanging()),
        );
        is_local && self.number(bound) == Some(IntTy::Known(IntType::Usize))
    }

    /// Recognizes a loop with sums.
    fn sum_loop<'l>(&mut self, for_loop: &'l ExprForLoop) -> Option<SumLoop<'l>> {
        let (variable, None, false) = pattern::simple(&for_loop.pat)? else { return None };
        if self.scopes.is_exposed(variable) {
            return None;
        }
        let statements = &for_loop.body.stmts;
        let mut declared = Vec::new();
        let mut at = 0;
        while let Some(Stmt::Local(local)) = statements.get(at) {
            declared.extend(accumulators(local)?.into_iter().map(|(name, init)| (name, init, local, at)));
            at += 1;
        }
        let (Some(Stmt::Expr(Expr::ForLoop(nest), _)), rest) =
            (statements.get(at), statements.get(at + 1..)?)
        else {
            return None;
        };
        if declared.is_empty() || rest.is_empty() {
            return None;
        }
        let mut sums = Vec::new();
        for (name, init, local, at) in declared {
            let value = &local.init.as_ref()?.expr;
            let known = self.all_known_in(for_loop, &local.pat, value, &statements[at + 1..]);
            let (_, known) = known.into_iter().find(|(own, _)| hygiene::same(own, &name))?;
            let ty = match known.primitive {
                Primitive::Int(ty) => ty.name(),
                Primitive::Float(ty) => ty?,
                _ => return None,
            };
            self.scopes.relies_on_primitive(ty);
            let ty = Ident::new(ty, proc_macro2::Span::mixed_site());
            let block = self.names.fresh(&format!("{name}s"));
            sums.push(Sum { name, init, ty: parse_quote!(#ty), block });
        }
        let mut adding = SumSearch::new(self, variable, &sums);
        adding.for_loop(nest)?;
        let mut ending = SumSearch { adds: false, ..SumSearch::new(self, variable, &sums) };
        ending.statements(rest)?;
        let program = &self.program;
        let is_changed = |read: &BufferId| ending.written.iter().any(|own| program.share_memory(*read, *own));
        let may_move = adding.is_along && !adding.touched.iter().any(is_changed);
        may_move.then_some(SumLoop { variable, sums, nest, rest })
    }

    /// A nest with the loop over the sums inside all loops whose lengths are not constant, if what is between these is
    /// the same for all sums.
    fn moved_in(
        &self,
        nest: &ExprForLoop,
        row: &dyn Fn(&[Stmt]) -> Stmt,
        moves: &dyn Fn(&Stmt) -> bool,
    ) -> Option<ExprForLoop> {
        let mut result = nest.clone();
        let statements = &nest.body.stmts;
        result.body.stmts = match statements.split_last() {
            Some((Stmt::Expr(Expr::ForLoop(inner), _), lets)) if self.has_long(inner) => {
                if !lets.iter().all(|statement| matches!(statement, Stmt::Local(_)) && !moves(statement)) {
                    return None;
                }
                let inner = self.moved_in(inner, row, moves)?;
                lets.iter().cloned().chain([Stmt::Expr(Expr::ForLoop(inner), None)]).collect()
            }
            _ if self.is_short(nest) => return None,
            _ => vec![row(statements)],
        };
        Some(result)
    }

    /// Whether the length of a loop, or of one inside, is not constant.
    fn has_long(&self, nest: &ExprForLoop) -> bool {
        let inner = nest.body.stmts.iter().filter_map(|statement| match statement {
            Stmt::Expr(Expr::ForLoop(inner), _) => Some(inner),
            _ => None,
        });
        !self.is_short(nest) || inner.into_iter().any(|inner| self.has_long(inner))
    }

    fn is_short(&self, nest: &ExprForLoop) -> bool {
        let number = |bound: Option<&Expr>| match static_eval::eval(bound?, &self.scopes) {
            Ok(Some(Value::Int(int))) => Some(int.value),
            _ => None,
        };
        let Some(range) = surface::range(&nest.expr) else { return false };
        number(range.start).zip(number(range.end)).is_some_and(|(start, end)| end - start <= SHORT)
    }
}

/// The `mut` names that a `let` sets to literals; `None` if it does anything else.
fn accumulators(local: &Local) -> Option<Vec<(Ident, Expr)>> {
    let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
    let is_literal = |expr: &Expr| match surface::strip_parens(expr) {
        Expr::Lit(own) => matches!(own.lit, Lit::Int(_) | Lit::Float(_)),
        Expr::Unary(unary) => matches!((&unary.op, &*unary.expr), (UnOp::Neg(_), Expr::Lit(_))),
        _ => false,
    };
    let one = |pat: &Pat, init: &Expr| {
        let (name, _, mutable) = pattern::simple(pat)?;
        (mutable && is_literal(init)).then(|| (name.clone(), init.clone()))
    };
    match (&local.pat, surface::strip_parens(&init.expr)) {
        (Pat::Tuple(names), Expr::Tuple(values)) if names.elems.len() == values.elems.len() => {
            names.elems.iter().zip(&values.elems).map(|(name, value)| one(name, value)).collect()
        }
        (pat, value) => Some(vec![one(pat, value)?]),
    }
}

/// Looks through what reads and writes tensors, adds to sums, and does nothing else. `None` is anything else.
struct SumSearch<'s, 'a> {
    binder: &'s Binder<'a>,
    variable: &'s Ident,
    sums: &'s [Sum],
    /// Whether it adds to the sums, and writes no tensor.
    adds: bool,
    /// Whether a read is along the loop over the sums.
    is_along: bool,
    /// The blocks that are read or written.
    touched: Vec<BufferId>,
    written: Vec<BufferId>,
}

impl<'s, 'a> SumSearch<'s, 'a> {
    fn new(binder: &'s Binder<'a>, variable: &'s Ident, sums: &'s [Sum]) -> Self {
        Self { binder, variable, sums, adds: true, is_along: false, touched: Vec::new(), written: Vec::new() }
    }

    fn is_sum(&self, name: &Ident) -> bool {
        self.sums.iter().any(|sum| hygiene::same(&sum.name, name))
    }

    /// Whether tokens depend on the iteration of the loop over the sums.
    fn moves(&self, tokens: &impl ToTokens) -> bool {
        let own = |name: &Ident| hygiene::same(name, self.variable) || self.is_sum(name);
        hygiene::free_identifiers(tokens.to_token_stream()).iter().any(own)
    }

    fn mentions(&self, tokens: &impl ToTokens) -> bool {
        hygiene::mentions(tokens.to_token_stream(), &hygiene::text(self.variable))
    }

    /// A name that hides nothing which the search looks for.
    fn declares(&self, name: &Ident) -> Option<()> {
        let is_tensor = matches!(self.binder.scopes.get(name), Some(Binding::Tensor(_)));
        (!is_tensor && !hygiene::same(name, self.variable) && !self.is_sum(name)).then_some(())
    }

    fn statements(&mut self, statements: &[Stmt]) -> Option<()> {
        for statement in statements {
            match statement {
                Stmt::Local(local) => {
                    let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
                    let one = |pat: &Pat| self.declares(pattern::simple(pat)?.0);
                    match &local.pat {
                        Pat::Tuple(names) => names.elems.iter().try_for_each(one)?,
                        pat => one(pat)?,
                    }
                    self.value(&init.expr)?;
                }
                Stmt::Expr(Expr::ForLoop(for_loop), _) => self.for_loop(for_loop)?,
                Stmt::Expr(Expr::If(condition), _) => {
                    self.value(&condition.cond)?;
                    self.statements(&condition.then_branch.stmts)?;
                    match condition.else_branch.as_ref().map(|(_, otherwise)| &**otherwise) {
                        None => {}
                        Some(Expr::Block(block)) => self.statements(&block.block.stmts)?,
                        Some(other) => self.statements(&[Stmt::Expr(other.clone(), None)])?,
                    }
                }
                Stmt::Expr(Expr::Assign(assign), Some(_)) => {
                    self.place(&assign.left)?;
                    self.value(&assign.right)?;
                }
                Stmt::Expr(Expr::Binary(binary), Some(_)) if surface::is_assigning(&binary.op) => {
                    self.place(&binary.left)?;
                    self.value(&binary.right)?;
                }
                _ => return None,
            }
        }
        Some(())
    }

    /// A loop whose range has nothing to do with the loop around it.
    fn for_loop(&mut self, for_loop: &ExprForLoop) -> Option<()> {
        let (name, None, false) = pattern::simple(&for_loop.pat)? else { return None };
        let range = surface::range(&for_loop.expr)?;
        let is_plain = for_loop.attrs.is_empty() && for_loop.label.is_none() && range.step.is_none();
        if !is_plain || self.moves(&for_loop.expr) {
            return None;
        }
        self.declares(name)?;
        self.value(range.start?)?;
        self.value(range.end?)?;
        self.statements(&for_loop.body.stmts)
    }

    /// A place that is assigned.
    fn place(&mut self, place: &Expr) -> Option<()> {
        match surface::strip_parens(place) {
            Expr::Index(_) if !self.adds => {
                let buffer = self.value(place).and_then(|()| self.touched.last().copied())?;
                self.written.push(buffer);
                Some(())
            }
            place => (self.adds && surface::ident(place).is_some_and(|name| self.is_sum(name))).then_some(()),
        }
    }

    /// A value that is computed without effects.
    fn value(&mut self, expr: &Expr) -> Option<()> {
        match surface::strip_parens(expr) {
            Expr::Lit(_) => Some(()),
            Expr::Path(path) => match path.path.get_ident() {
                Some(name) => match self.binder.scopes.get(name) {
                    Some(Binding::Local(local)) => (!local.exposed).then_some(()),
                    Some(Binding::Index { .. } | Binding::Static(_)) | None => Some(()),
                    Some(_) => None,
                },
                None => Some(()),
            },
            Expr::Binary(binary) if !surface::is_assigning(&binary.op) => {
                self.value(&binary.left)?;
                self.value(&binary.right)
            }
            Expr::Unary(unary) if !matches!(unary.op, UnOp::Deref(_)) => self.value(&unary.expr),
            Expr::Cast(cast) => self.value(&cast.expr),
            Expr::Tuple(tuple) => tuple.elems.iter().try_for_each(|own| self.value(own)),
            Expr::Call(call) => {
                let Expr::Path(path) = &*call.func else { return None };
                let segments = &path.path.segments;
                let is_conversion = segments.len() == 2 && segments[1].ident == "from";
                if !is_conversion {
                    return None;
                }
                call.args.iter().try_for_each(|own| self.value(own))
            }
            Expr::MethodCall(call) if methods::is_pure(&call.method.to_string()) => {
                self.value(&call.receiver)?;
                call.args.iter().try_for_each(|own| self.value(own))
            }
            Expr::If(condition) => {
                self.value(&condition.cond)?;
                self.block_value(&condition.then_branch)?;
                self.value(&condition.else_branch.as_ref()?.1)
            }
            Expr::Block(block) if block.label.is_none() => self.block_value(&block.block),
            Expr::Index(index) => {
                let name = surface::ident(&index.expr)?;
                let Some(Binding::Tensor(view)) = self.binder.scopes.get(name) else { return None };
                let buffer = view.buffer;
                let Expr::Array(entries) = &*index.index else { return None };
                entries.elems.iter().try_for_each(|entry| self.value(entry))?;
                let last = entries.elems.len().checked_sub(1)?;
                for (axis, entry) in entries.elems.iter().enumerate() {
                    if !self.mentions(entry) {
                        continue;
                    }
                    if self.adds && (axis != last || !self.grows(entry)) {
                        return None;
                    }
                    self.is_along = true;
                }
                self.touched.push(buffer);
                Some(())
            }
            _ => None,
        }
    }

    fn block_value(&mut self, block: &Block) -> Option<()> {
        match block.stmts.split_last() {
            Some((Stmt::Expr(value, None), lets)) => {
                self.statements(lets)?;
                self.value(value)
            }
            _ => None,
        }
    }

    /// Whether an index grows by one with the variable.
    fn grows(&self, entry: &Expr) -> bool {
        match surface::strip_parens(entry) {
            Expr::Path(_) => self.mentions(entry),
            Expr::Cast(cast) => self.grows(&cast.expr),
            Expr::Binary(binary) => match binary.op {
                BinOp::Add(_) => {
                    self.grows(&binary.left) && !self.mentions(&binary.right)
                        || self.grows(&binary.right) && !self.mentions(&binary.left)
                }
                BinOp::Sub(_) => self.grows(&binary.left) && !self.mentions(&binary.right),
                _ => false,
            },
            _ => false,
        }
    }
}
