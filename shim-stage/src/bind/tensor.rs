//! Tensor expressions: blocks, the views made of them, and the questions they answer. No code is emitted for a
//! view; a block's memory and the values captured by a location become statements before the one being bound.

use std::rc::Rc;

use proc_macro2::TokenStream;
use quote::ToTokens;
use shim_core::{Part, Space, TensorSpace};
use syn::{Expr, ExprIndex, ExprMethodCall};

use crate::diagnostics::counted;
use crate::ir::{AccessKind, Boundary, Hole, Memory, ValueType, View};
use crate::parse::surface::{self, Entry};
use crate::symbolic::Sym;

use super::loops::Level;
use super::{Binder, Binding};

impl Binder<'_> {
    /// Whether `expr` makes or names a tensor.
    pub(super) fn is_tensor(&self, expr: &Expr) -> bool {
        match surface::bare(expr) {
            Expr::Path(path) => path.path.get_ident().is_some_and(|name| self.is_tensor_name(name)),
            Expr::MethodCall(call) => {
                surface::VIEW_METHODS.iter().any(|name| call.method == name) && self.is_tensor(&call.receiver)
            }
            Expr::Index(index) => {
                self.is_tensor(&index.expr)
                    && match surface::index_list(index) {
                        Some(entries) => entries.iter().any(|entry| matches!(entry, Entry::Range(_))),
                        None => self.is_tensor(&index.index),
                    }
            }
            Expr::Call(call) => surface::block_constructor(&call.func).is_some(),
            Expr::Reference(reference) => self.is_tensor(&reference.expr),
            _ => false,
        }
    }

    /// The tensor that `expr` is, or `None` when something about it was reported. `hint` names what is new.
    pub(super) fn tensor(&mut self, expr: &Expr, hint: &str) -> Option<Rc<View>> {
        match surface::bare(expr) {
            Expr::Path(path) => {
                let name = path.path.get_ident()?;
                match self.scopes.get(&name.to_string()) {
                    Some(Binding::Tensor(view)) => Some(view.clone()),
                    _ => None,
                }
            }
            Expr::Reference(reference) => {
                self.diagnostics.error(
                    expr,
                    "a reference to a tensor",
                    "remove the `&`: a tensor is `Copy`, is passed by value, and is written all the same",
                );
                self.tensor(&reference.expr, hint)
            }
            Expr::Index(index) => {
                let base = self.tensor(&index.expr, hint)?;
                match surface::index_list(index) {
                    Some(entries) => self.partition(&base, &entries, index, hint),
                    None => {
                        let other = self.tensor(&index.index, hint)?;
                        self.colocate(&base, &other, index)
                    }
                }
            }
            Expr::Call(_) => self.block_expression(expr, hint),
            Expr::MethodCall(call) => {
                let name = call.method.to_string();
                if is_placement(&name) {
                    return self.block_expression(expr, hint);
                }
                if name == "copied" {
                    return self.copied(call, hint);
                }
                let base = self.tensor(&call.receiver, hint)?;
                self.view(&base, call, &name, hint)
            }
            _ => None,
        }
    }

    fn view(&mut self, base: &Rc<View>, call: &ExprMethodCall, name: &str, hint: &str) -> Option<Rc<View>> {
        if self.is_broken(base) {
            return Some(base.clone());
        }
        let space = &base.space;
        let made = match name {
            "permute" => {
                let axes = self.axes(call, base)?;
                space.permute(&axes)
            }
            "refine" | "coarsen" => {
                let factors = self.factors(call, base)?;
                if name == "refine" { space.refine(&factors) } else { space.coarsen(&factors) }
            }
            "slice" => {
                let [axis, index] = self.arguments::<2>(call)?;
                let axis = self.axis(axis, base)?;
                let index = self.captured(index, &format!("{hint}_at"), false);
                space.slice(axis, index)
            }
            "footprint" => {
                let [of] = self.arguments::<1>(call)?;
                let of = self.tensor_argument(of, hint)?;
                if self.is_broken(&of) {
                    return Some(of);
                }
                space.footprint(&of.space)
            }
            "coverage" => {
                let [point, with] = self.arguments::<2>(call)?;
                let point = self.point(point, space.extents.len(), hint)?;
                let with = self.tensor_argument(with, hint)?;
                if self.is_broken(&with) {
                    return Some(with);
                }
                space.coverage(&point, &with.space.space)
            }
            "cast" => return self.cast(base, call),
            "boundary" => return self.boundary(base, call),
            "to_block" | "to_stack" => {
                self.arguments::<0>(call)?;
                return self.copy(base, call, hint, name == "to_stack", false);
            }
            _ => return None,
        };
        let space = self.located(made, own_tokens(call))?;
        Some(Rc::new(View { name: base.name.clone(), space, ..(**base).clone() }))
    }

    fn partition(
        &mut self,
        base: &Rc<View>,
        entries: &[Entry<'_>],
        index: &ExprIndex,
        hint: &str,
    ) -> Option<Rc<View>> {
        if self.is_broken(base) {
            return Some(base.clone());
        }
        let rank = base.space.extents.len();
        if entries.len() > rank {
            let axes = counted(rank, "axis", "axes");
            self.diagnostics.error(
                &index.index,
                format!("{} entries for `{}`, which has {axes}", entries.len(), base.name),
                "give at most one entry per axis",
            );
            return None;
        }
        let mut parts = vec![Part::Index(Sym::constant(0)); rank - entries.len()];
        for (entry, axis) in entries.iter().zip(rank - entries.len()..) {
            parts.push(match entry {
                Entry::Index(expr) if self.reject_entry(expr) => return None,
                Entry::Index(expr) => Part::Index(self.captured(expr, &format!("{hint}_at"), false)),
                Entry::Range(range)
                    if range.start.is_none() && range.end.is_none() && range.step.is_none() =>
                {
                    Part::Full
                }
                Entry::Range(range) => {
                    let start = match range.start {
                        Some(start) => self.captured(start, &format!("{hint}_from"), false),
                        None => Sym::constant(0),
                    };
                    let mut end = match range.end {
                        Some(end) => self.captured(end, &format!("{hint}_to"), false),
                        None => base.space.extents[axis].clone(),
                    };
                    if range.inclusive {
                        end = self.located(end.add(&Sym::constant(1)), index)?;
                    }
                    let step = match range.step {
                        Some(step) => {
                            let value = self.static_integer(step, "the step of a partition")?;
                            if value < 1 {
                                self.diagnostics.error(
                                    step,
                                    "a step below one",
                                    "steps count forward, from one",
                                );
                                return None;
                            }
                            value
                        }
                        None => 1,
                    };
                    Part::Range { start, end, step }
                }
            });
        }
        let made = base.space.partition(&parts);
        let space = self.located(made, index)?;
        Some(Rc::new(View { space, ..(**base).clone() }))
    }

    /// `t[u]`: u's index space over t's memory.
    fn colocate(&mut self, base: &Rc<View>, other: &Rc<View>, index: &ExprIndex) -> Option<Rc<View>> {
        for view in [base, other] {
            if self.is_broken(view) {
                return Some(view.clone());
            }
        }
        let made = base.space.colocate(&other.space);
        if let Err(shim_core::LocationError::RankRises { from, to }) = &made {
            self.diagnostics.error(
                index,
                format!(
                    "`{}` has {} and cannot index `{}`, which has {from}",
                    other.name,
                    counted(*to, "axis", "axes"),
                    base.name
                ),
                format!(
                    "the rank may fall from a tensor to its views, never rise: drop an axis of `{}`, as in \
                     `t[u.slice(0, 0)]`, or index it the other way round",
                    other.name
                ),
            );
            return None;
        }
        let space = self.located(made, index)?;
        Some(Rc::new(View { space, ..(**base).clone() }))
    }

    fn cast(&mut self, base: &Rc<View>, call: &ExprMethodCall) -> Option<Rc<View>> {
        self.arguments::<0>(call)?;
        let ty = match call.turbofish.as_ref().map(|fish| (fish.args.first(), fish.args.len(), fish)) {
            Some((Some(syn::GenericArgument::Type(ty)), 1, _)) => ty.clone(),
            Some((.., fish)) => {
                self.diagnostics.error(fish, "a cast is to one type", "write `t.cast::<i32>()`");
                return None;
            }
            None => {
                self.diagnostics.error(
                    own_tokens(call),
                    "a cast without its type",
                    "write `t.cast::<i32>()`",
                );
                return None;
            }
        };
        let mut view = (**base).clone();
        view.casts.push(ty);
        Some(Rc::new(view))
    }

    fn boundary(&mut self, base: &Rc<View>, call: &ExprMethodCall) -> Option<Rc<View>> {
        let [rule] = self.arguments::<1>(call)?;
        let name = match surface::bare(rule) {
            Expr::Path(path) => path.path.segments.last().map(|segment| segment.ident.to_string()),
            Expr::Call(fill) if fill.args.len() == 1 => match &*fill.func {
                Expr::Path(path) if path.path.segments.last().is_some_and(|s| s.ident == "Fill") => {
                    self.mention_item(path);
                    let value = self.expression(&fill.args[0]);
                    let local = self.names.fresh(&format!("{}_fill", base.name));
                    self.push(syn::parse_quote!(let #local = #value;));
                    let rule = Boundary::Fill(local, base.casts.len());
                    return Some(Rc::new(View { boundary: Some(rule), ..(**base).clone() }));
                }
                _ => None,
            },
            _ => None,
        };
        let chosen = match name.as_deref() {
            Some("Clamp") => Boundary::Clamp,
            Some("Mirror") => Boundary::Mirror,
            Some("Wrap") => Boundary::Wrap,
            _ => {
                self.diagnostics.error(
                    rule,
                    if name.as_deref() == Some("Fill") {
                        "`Fill` without its value"
                    } else {
                        "no boundary rule"
                    },
                    "the rules are `Clamp`, `Mirror`, `Wrap` and `Fill(value)`",
                );
                return None;
            }
        };
        if let Expr::Path(path) = surface::bare(rule) {
            self.mention_item(path);
        }
        Some(Rc::new(View { boundary: Some(chosen), ..(**base).clone() }))
    }

    /// `view.to_block().copied()`: the contents as well.
    fn copied(&mut self, call: &ExprMethodCall, hint: &str) -> Option<Rc<View>> {
        self.arguments::<0>(call)?;
        if let Expr::MethodCall(inner) = surface::bare(&call.receiver)
            && (inner.method == "to_block" || inner.method == "to_stack")
        {
            self.arguments::<0>(inner)?;
            let base = self.tensor(&inner.receiver, hint)?;
            return self.copy(&base, inner, hint, inner.method == "to_stack", true);
        }
        self.diagnostics.error(
            &call.method,
            "`copied` stands behind `to_block` or `to_stack` alone",
            "write `t.to_block().copied()` for memory of its own with the same contents",
        );
        None
    }

    fn copy(
        &mut self,
        base: &Rc<View>,
        call: &ExprMethodCall,
        hint: &str,
        stack: bool,
        copied: bool,
    ) -> Option<Rc<View>> {
        if self.is_broken(base) {
            return Some(base.clone());
        }
        let extents = base.space.extents.clone();
        if stack && let Some(axis) = extents.iter().position(|extent| extent.as_constant().is_none()) {
            self.diagnostics.error(
                &call.method,
                format!(
                    "`to_stack` needs static extents, and axis {axis} of this view of `{}` has none",
                    base.name
                ),
                "give it a width that folds, as in `t[[r..r + 4, c..c + 4]]`, or use `to_block()`",
            );
            return None;
        }
        let place = base.space.space.translate(&vec![Sym::constant(0); extents.len()]);
        let place = self.located(place, call)?;
        let extents: Vec<Sym> = extents
            .into_iter()
            .map(
                |extent| {
                    if extent.cost() > 2 { self.define(&format!("{hint}_extent"), extent) } else { extent }
                },
            )
            .collect();
        let memory = Memory::Like { view: base.clone(), stack };
        let space = TensorSpace { space: place, extents };
        let made = self.store(hint, memory, space, Some(base.clone()), call)?;
        if copied {
            self.copy_contents(base, &made, call);
        }
        Some(made)
    }

    /// The nest that fills a copy with the elements of the view it was made of.
    fn copy_contents(&mut self, from: &Rc<View>, to: &Rc<View>, call: &ExprMethodCall) {
        let levels: Vec<Level> =
            to.space.extents.iter().map(|extent| Level { name: None, extent: extent.clone() }).collect();
        let tokens = call.to_token_stream();
        let nest = self.nest_over(levels, None, |binder, index| {
            let read =
                binder.record(from.clone(), index.clone(), AccessKind::Read, Vec::new(), tokens.clone());
            let access = binder.record(to.clone(), index, AccessKind::Write, Vec::new(), tokens.clone());
            let value = Box::new(binder.program.hole(Hole::Access(read)));
            let assignment = binder.program.hole(Hole::Assign { access, op: None, value });
            binder.push(syn::Stmt::Expr(assignment, Some(syn::token::Semi::default())));
        });
        self.push(syn::Stmt::Expr(nest, None));
    }

    /// The value of `t.extent(d)`, `t.origin(d)` or `t.origin_in(u, d)`.
    pub(super) fn query_value(&mut self, call: &ExprMethodCall) -> Option<Sym> {
        if !self.is_tensor(&call.receiver) {
            return None;
        }
        let base = self.tensor(&call.receiver, "view")?;
        if self.is_broken(&base) {
            return Some(Sym::constant(0));
        }
        match call.method.to_string().as_str() {
            "extent" => {
                let [axis] = self.arguments::<1>(call)?;
                let axis = self.axis(axis, &base)?;
                Some(base.space.extents[axis].clone())
            }
            "origin" => {
                let [axis] = self.arguments::<1>(call)?;
                let axis = self.axis(axis, &base)?;
                let root = self.universe.clone();
                let zero = vec![Sym::constant(0); base.space.extents.len()];
                let at = Space::map(&base.space.space, &root, &zero);
                let at = self.located(at, call)?;
                let stands = Space::density(&base.space.space, &root);
                let stands = self.located(stands, call)?;
                stands
                    .iter()
                    .position(|entry| entry.is_some_and(|(from, ..)| from == axis))
                    .map(|root_axis| at[root_axis].clone())
            }
            "origin_in" => {
                let [other, axis] = self.arguments::<2>(call)?;
                let other = self.tensor_argument(other, "view")?;
                if self.is_broken(&other) {
                    return Some(Sym::constant(0));
                }
                let axis = self.axis(axis, &other)?;
                let zero = vec![Sym::constant(0); base.space.extents.len()];
                let at = Space::map(&base.space.space, &other.space.space, &zero);
                let at = self.located(at, call)?;
                Some(at[axis].clone())
            }
            _ => None,
        }
    }

    /// A query as a value in Rust.
    pub(super) fn query(&mut self, call: &ExprMethodCall) -> Expr {
        if call.method == "contains" {
            let Some([point]) = self.arguments::<1>(call) else { return super::access::unreachable_value() };
            let Some(list) = surface::list(point) else {
                self.diagnostics.error(point, "no index list", "write `t.contains([y, x])`");
                return super::access::unreachable_value();
            };
            let tokens = call.to_token_stream();
            return match self.access_list(&call.receiver, &list, point, AccessKind::Test, tokens) {
                Some(id) => self.program.hole(Hole::Contains(id)),
                None => super::access::unreachable_value(),
            };
        }
        let ty = if call.method == "extent" { ValueType::Usize } else { ValueType::Isize };
        match self.query_value(call) {
            Some(sym) => self.program.hole(Hole::Value(sym, ty)),
            None => super::access::unreachable_value(),
        }
    }

    /// Exactly `N` arguments.
    pub(super) fn arguments<'e, const N: usize>(
        &mut self,
        call: &'e ExprMethodCall,
    ) -> Option<[&'e Expr; N]> {
        let given: Vec<&Expr> = call.args.iter().collect();
        let count = given.len();
        if let Ok(arguments) = given.try_into() {
            return Some(arguments);
        }
        let wanted = counted(N, "argument", "arguments");
        let message = format!("`{}` takes {wanted}, {count} given", call.method);
        self.diagnostics.error(own_tokens(call), message, usage(&call.method.to_string()));
        None
    }

    fn tensor_argument(&mut self, expr: &Expr, hint: &str) -> Option<Rc<View>> {
        if self.is_tensor(expr) {
            return self.tensor(expr, hint);
        }
        self.diagnostics.error(
            expr,
            "a tensor is needed here, and this is none",
            "give a block of this kernel or a view of one",
        );
        None
    }

    /// A static axis number of `base`.
    fn axis(&mut self, expr: &Expr, base: &View) -> Option<usize> {
        let axis = self.static_integer(expr, "the number of an axis")?;
        let rank = base.space.extents.len();
        match usize::try_from(axis) {
            Ok(axis) if axis < rank => Some(axis),
            _ => {
                self.diagnostics.error(
                    expr,
                    format!("`{}` has no axis {axis}", base.name),
                    format!("it has {}, counted from 0", counted(rank, "axis", "axes")),
                );
                None
            }
        }
    }

    /// The argument of `permute`: each axis of `base` once.
    fn axes(&mut self, call: &ExprMethodCall, base: &View) -> Option<Vec<usize>> {
        let given = self.integers(call, "an axis of a permutation")?;
        let rank = base.space.extents.len();
        let mut axes = Vec::new();
        for (value, entry) in &given {
            match usize::try_from(*value) {
                Ok(axis) if axis < rank && !axes.contains(&axis) => axes.push(axis),
                Ok(axis) if axis < rank => {
                    self.diagnostics.error(
                        entry,
                        format!("a permutation names axis {axis} twice"),
                        "name each axis of the tensor once: entry i is the axis that becomes axis i of the view",
                    );
                    return None;
                }
                _ => {
                    self.diagnostics.error(
                        entry,
                        format!("`{}` has no axis {value}", base.name),
                        format!("it has {}, counted from 0", counted(rank, "axis", "axes")),
                    );
                    return None;
                }
            }
        }
        self.one_per_axis(call, given.len(), base)?;
        Some(axes)
    }

    /// The argument of `refine` or `coarsen`: a factor for each axis of `base`.
    fn factors(&mut self, call: &ExprMethodCall, base: &View) -> Option<Vec<i64>> {
        let given = self.integers(call, &format!("a factor of `{}`", call.method))?;
        for (value, entry) in &given {
            if *value < 1 {
                self.diagnostics.error(
                    entry,
                    "a factor below one",
                    "factors count from one, which changes nothing",
                );
                return None;
            }
        }
        self.one_per_axis(call, given.len(), base)?;
        Some(given.into_iter().map(|(value, _)| value).collect())
    }

    fn one_per_axis(&mut self, call: &ExprMethodCall, given: usize, base: &View) -> Option<()> {
        let rank = base.space.extents.len();
        if given == rank {
            return Some(());
        }
        let (entries, axes) = (counted(given, "entry", "entries"), counted(rank, "axis", "axes"));
        let message = format!("{entries} for `{}`, which has {axes}", base.name);
        self.diagnostics.error(&call.args, message, usage(&call.method.to_string()));
        None
    }

    /// The static integers of the one argument of `call`, a list.
    pub(super) fn integers<'e>(
        &mut self,
        call: &'e ExprMethodCall,
        what: &str,
    ) -> Option<Vec<(i64, &'e Expr)>> {
        let [argument] = self.arguments::<1>(call)?;
        let Some(list) = surface::list(argument) else {
            let message = format!("`{}` takes a list that is written out", call.method);
            self.diagnostics.error(argument, message, usage(&call.method.to_string()));
            return None;
        };
        let mut values = Vec::new();
        for entry in list {
            values.push((self.static_integer(entry, what)?, entry));
        }
        Some(values)
    }

    /// A point of a tensor of the given rank, padded with zeros on the left.
    fn point(&mut self, expr: &Expr, rank: usize, hint: &str) -> Option<Vec<Sym>> {
        let Some(list) = surface::list(expr) else {
            self.diagnostics.error(expr, "no index list", "a point is written `[y, x]`");
            return None;
        };
        if list.len() > rank {
            let axes = counted(rank, "axis", "axes");
            let message = format!("{} indices for a tensor of {axes}", list.len());
            self.diagnostics.error(
                expr,
                message,
                "give at most one per axis; missing ones are zeros on the left",
            );
            return None;
        }
        let mut point = vec![Sym::constant(0); rank - list.len()];
        for entry in list {
            point.push(self.captured(entry, &format!("{hint}_at"), false));
        }
        Some(point)
    }
}

/// The methods that place a block before it is used.
pub(super) fn is_placement(name: &str) -> bool {
    matches!(name, "at" | "refined" | "coarsened" | "permuted" | "on_axes")
}

/// A method call without its receiver: the tokens that an error about it is shown on.
pub(super) fn own_tokens(call: &ExprMethodCall) -> TokenStream {
    let mut tokens = call.method.to_token_stream();
    call.turbofish.to_tokens(&mut tokens);
    call.paren_token.surround(&mut tokens, |inner| call.args.to_tokens(inner));
    tokens
}

/// How a tensor method is written.
fn usage(method: &str) -> &'static str {
    match method {
        "permute" => "write `t.permute([1, 0])`, an axis of `t` for each axis of the view",
        "refine" => "write `t.refine([2, 2])`, a factor per axis",
        "coarsen" => "write `t.coarsen([2, 2])`, a factor per axis",
        "slice" => "write `t.slice(axis, index)`",
        "footprint" => "write `t.footprint(u)`",
        "coverage" => "write `t.coverage([y, x], u)`",
        "cast" => "write `t.cast::<i32>()`",
        "boundary" => "write `t.boundary(Clamp)`",
        "to_block" => "write `t.to_block()`",
        "to_stack" => "write `t.to_stack()`",
        "copied" => "write `t.to_block().copied()`",
        "extent" => "write `t.extent(axis)`",
        "origin" => "write `t.origin(axis)`",
        "origin_in" => "write `t.origin_in(u, axis)`",
        "contains" => "write `t.contains([y, x])`",
        "at" => "write `.at([y, x])`, where the block stands in the root space",
        "refined" => "write `.refined([2, 2])`, a factor per axis",
        "coarsened" => "write `.coarsened([2, 2])`, a factor per axis",
        "permuted" => "write `.permuted([1, 0])`, a root axis for each axis of the block",
        "on_axes" => "write `.on_axes([0, 1])`, a root axis for each axis of the block",
        _ => "see the documentation of `shim::kernel`",
    }
}
