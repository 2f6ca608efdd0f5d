//! Loops over the indices of a tensor in another order than row-major.
//!
//! The loops run over tiles, antidiagonals and the like, and the user's variables are sums of their variables. Which
//! orders keep the result is decided in [`dependence`](super::dependence).

use shim_core::{Curve, Integer, LocationError, Order};
use syn::{Expr, ExprForLoop, Ident, Stmt};

use crate::diagnostics::counted;
use crate::ir::{ContextId, ContextKind, Hole, ValueType, View};
use crate::surface::HelperAttribute;
use crate::symbolic::Sym;

use super::dependence::Reordered;
use super::layout;
use super::nest::{Level, positive_part};
use super::{Binder, Binding};

/// The order in which a loop visits its points.
pub(super) enum LoopOrder {
    /// That of a layout.
    Of(Order),
    /// Fronts of equal `slope * y + x`, each from its first row to its last.
    Wavefront {
        /// The coefficient of the first variable.
        slope: i64,
    },
}

impl LoopOrder {
    /// Whether a dependence over this distance is kept.
    pub(super) fn preserves(&self, distance: &[i64]) -> bool {
        match (self, distance) {
            (LoopOrder::Of(order), _) => order.preserves(distance),
            (_, [0, 0]) => true,
            (LoopOrder::Wavefront { slope }, &[y, x]) => {
                // In one front the order is not that of the source.
                let steps = slope.checked_mul(y).and_then(|steps| steps.checked_add(x));
                let later = if (y, x) > (0, 0) { 1 } else { -1 };
                steps.is_some_and(|steps| steps.signum() == later)
            }
            _ => false,
        }
    }
}

/// The indices `start..start + extent` of an axis, and what their variable is called.
#[derive(Clone)]
struct Span {
    start: Sym,
    extent: Sym,
    hint: String,
}

/// What writes the body, given the values of the variables.
type Body<'b> = Box<dyn FnOnce(&mut Binder<'_>, Vec<Sym>) + 'b>;

impl Binder<'_> {
    /// Reports an order of a loop that is not over indices.
    pub(super) fn reject_schedule(&mut self, attribute: Option<&syn::Attribute>) {
        if let Some(attribute) = attribute {
            self.diagnostics.error(
                attribute,
                "an order of a loop that is not over the indices of a tensor",
                "write it before `for [y, x] in t.indices()`",
            );
        }
    }

    /// Whether orders of loops apply: `SHIM_SCHEDULE=none` builds every loop in the order of its source.
    pub(super) fn schedules(&mut self) -> bool {
        self.push(syn::parse_quote!(let _ = ::core::option_env!("SHIM_SCHEDULE");));
        std::env::var_os("SHIM_SCHEDULE").is_none_or(|value| value != "none")
    }

    /// The order that the attributes of a loop ask for, with the attribute; `None` if it is none or is reported.
    pub(super) fn loop_order(
        &mut self,
        attribute: &syn::Attribute,
        names: &[Option<Ident>],
    ) -> Option<LoopOrder> {
        let rank = names.len();
        let kind = HelperAttribute::named(attribute)?;
        let wrong = |binder: &mut Self| {
            let message = format!("`#[{}]` is not used like this", kind.name());
            binder.diagnostics.error(attribute, message, format!("write `{}`", kind.usage()));
            None
        };
        let Ok(arguments) =
            attribute.parse_args_with(syn::punctuated::Punctuated::<Expr, syn::Token![,]>::parse_terminated)
        else {
            return wrong(self);
        };
        let arguments: Vec<Expr> = arguments.into_iter().collect();
        match (kind, &arguments[..]) {
            (HelperAttribute::Order, [order]) => Some(LoopOrder::Of(self.order(order, rank)?)),
            (HelperAttribute::Tile, [list]) => Some(LoopOrder::Of(self.tile_order(list, rank)?)),
            (HelperAttribute::Reorder, variables) => {
                let axis = |variable: &Expr| {
                    let name = crate::surface::ident(variable)?;
                    names
                        .iter()
                        .position(|own| own.as_ref().is_some_and(|own| crate::hygiene::same(own, name)))
                };
                let axes: Option<Vec<usize>> = variables.iter().map(axis).collect();
                match axes {
                    Some(axes) if axes.len() == rank => Some(LoopOrder::Of(Order::Axes(axes))),
                    _ => {
                        self.diagnostics.error(
                            attribute,
                            format!("`#[reorder]` of a loop with {}", counted(rank, "variable", "variables")),
                            "name each variable of the loop once, the outermost one first",
                        );
                        None
                    }
                }
            }
            (HelperAttribute::Wavefront, [sum]) => match (slopes(sum, names), rank) {
                (Some([slope, 1]), 2) => Some(LoopOrder::Wavefront { slope }),
                _ => {
                    self.diagnostics.error(
                        attribute,
                        "this is not a wavefront of the loop",
                        "write `#[wavefront(2 * y + x)]` before `for [y, x] in t.indices()`; the last variable has no factor",
                    );
                    None
                }
            },
            _ => wrong(self),
        }
    }

    /// The points of a box of static extents, by their numbers in row-major order, in the order of an unrolled loop.
    pub(super) fn sequence(
        &mut self,
        attribute: &syn::Attribute,
        names: &[Option<Ident>],
        extents: &[i64],
    ) -> Option<Vec<usize>> {
        let points: Vec<Vec<i64>> = extents.iter().fold(vec![Vec::new()], |prefixes, extent| {
            let longer =
                |prefix: &Vec<i64>| (0..*extent).map(|at| [&prefix[..], &[at]].concat()).collect::<Vec<_>>();
            prefixes.iter().flat_map(longer).collect()
        });
        let keys = match self.loop_order(attribute, names)? {
            LoopOrder::Of(order) => {
                let layout = self.located(order.layout(extents), attribute)?;
                let keys = points.iter().map(|point| layout.offset(point)).collect::<Result<Vec<_>, _>>();
                self.located(keys, attribute)?
            }
            LoopOrder::Wavefront { slope } => {
                points.iter().map(|point| slope * point[0] + point[1]).collect()
            }
        };
        let mut sequence: Vec<usize> = (0..points.len()).collect();
        sequence.sort_by_key(|at| keys[*at]);
        Some(sequence)
    }

    /// `for [y, x] in t.indices()` in another order.
    pub(super) fn ordered_indices(
        &mut self,
        looping: &ExprForLoop,
        view: &View,
        names: &[Option<Ident>],
        attribute: &syn::Attribute,
    ) -> Expr {
        let Some(order) = self.loop_order(attribute, names) else {
            self.judged(looping, names.to_vec());
            return super::access::unreachable_value();
        };
        if let LoopOrder::Of(order) = &order
            && let Some(name) = layout::parts(order).into_iter().find_map(unrolled_only)
        {
            self.diagnostics.error(
                attribute,
                format!("`{name}` is an order of unrolled loops"),
                "write `#[unroll]` as well; other loops run in tiles, permuted axes, antidiagonals, and backwards",
            );
            self.judged(looping, names.to_vec());
            return super::access::unreachable_value();
        }
        let extents = view.space.extents.clone();
        // The variables are `i32`.
        for extent in &extents {
            if extent.range().hi.is_none_or(|hi| hi > i64::from(i32::MAX)) {
                let (rt, kernel) = (self.runtime.clone(), self.program.name.clone());
                let extent = self.program.hole(Hole::Value(extent.clone(), ValueType::Isize));
                self.push(syn::parse_quote!(#rt.countable(#kernel, #extent);));
            }
        }
        let mut spans = Vec::new();
        for (extent, name) in extents.iter().zip(names) {
            let hint = name.as_ref().map_or_else(|| "step".to_owned(), crate::hygiene::text);
            spans.push(Span { start: Sym::constant(0), extent: extent.clone(), hint });
        }
        let first_loop = self.program.loops.next_id();
        let mut inner: Option<(ContextId, Vec<Sym>, bool)> = None;
        let (nest, jumps) = self.in_staged_loop(looping.label.as_ref(), |binder| {
            let body: Body<'_> = Box::new(|binder, values| {
                for (value, extent) in values.iter().zip(&extents) {
                    binder.assume(value.clone());
                    for bound in [Some(extent.clone()), positive_part(extent)].into_iter().flatten() {
                        if let Ok(room) = bound.sub(value).and_then(|room| room.sub(&Sym::constant(1))) {
                            binder.assume(room);
                        }
                    }
                }
                for (name, value) in names.iter().zip(&values) {
                    let Some(name) = name else { continue };
                    let given = binder.program.hole(Hole::Value(value.clone(), ValueType::I32));
                    let (sym, value) = (value.clone(), given);
                    binder.scopes.bind(name, Binding::Index { sym, value, exact: true, reference: false });
                }
                let (clock, breaks) = (binder.clock, binder.breaks);
                binder.statements(&looping.body.stmts);
                let leaves = binder.clock != clock || binder.breaks != breaks;
                inner = Some((binder.context, values, leaves));
            });
            binder.visit(&order, spans, false, body)
        });
        let nest = match nest {
            Ok(nest) => nest,
            Err(error) => {
                self.located(Err::<(), _>(error), attribute);
                return super::access::unreachable_value();
            }
        };
        if let Some((body, values, leaves)) = inner {
            if let Some(next) = jumps.next
                && let ContextKind::Nest(nest) = self.program.contexts[body].kind
            {
                self.program.nests[nest].next = Some(next);
            }
            let reordered =
                Reordered { order: &order, attribute, body, values, extents: &extents, first_loop, leaves };
            self.keep_dependences(&reordered, looping);
        }
        match &jumps.leave {
            Some(leave) => syn::parse_quote!(#leave: { #nest }),
            None => nest,
        }
    }

    /// Loops over the points of a box in an order, backwards if it says so.
    fn visit(
        &mut self,
        order: &LoopOrder,
        spans: Vec<Span>,
        backwards: bool,
        body: Body<'_>,
    ) -> Result<Expr, LocationError> {
        let rank = spans.len();
        match order {
            LoopOrder::Wavefront { slope } => Ok(self.fronts(*slope, spans, backwards, body)?),
            LoopOrder::Of(order) => match order {
                Order::RowMajor => Ok(self.loops(&(0..rank).collect::<Vec<_>>(), spans, backwards, body)),
                Order::ColumnMajor => {
                    Ok(self.loops(&(0..rank).rev().collect::<Vec<_>>(), spans, backwards, body))
                }
                Order::Axes(axes) => {
                    // Whether they are a permutation.
                    let extents: Vec<Sym> = spans.iter().map(|span| span.extent.clone()).collect();
                    order.layout(&extents)?;
                    Ok(self.loops(axes, spans, backwards, body))
                }
                Order::Tile { extents, outer, inner } => {
                    let mut tiles = Vec::new();
                    for (span, &extent) in spans.iter().zip(extents) {
                        if extent < 1 {
                            return Err(LocationError::Factor { factor: extent });
                        }
                        let count = span.extent.ceil_div(extent)?;
                        let hint = format!("{}_tile", span.hint);
                        tiles.push(Span { start: Sym::constant(0), extent: count, hint });
                    }
                    let mut failed = Ok(());
                    let failure = &mut failed;
                    let in_tile: Body<'_> = Box::new(move |binder, at| {
                        let elements = elements(spans, extents, &at);
                        let nest = elements.and_then(|elements| {
                            binder.visit(&LoopOrder::Of((**inner).clone()), elements, backwards, body)
                        });
                        match nest {
                            Ok(nest) => binder.push(Stmt::Expr(nest, None)),
                            Err(error) => *failure = Err(error),
                        }
                    });
                    let nest = self.visit(&LoopOrder::Of((**outer).clone()), tiles, backwards, in_tile)?;
                    failed.map(|()| nest)
                }
                Order::Reversed(order) => {
                    self.visit(&LoopOrder::Of((**order).clone()), spans, !backwards, body)
                }
                Order::Curve(Curve::Antidiagonal) if rank == 2 => Ok(self.fronts(1, spans, backwards, body)?),
                Order::Curve(_) | Order::Morton | Order::Then { .. } => Err(LocationError::Dynamic),
            },
        }
    }

    /// A nest with a loop for each axis, the outermost first.
    fn loops(&mut self, axes: &[usize], spans: Vec<Span>, backwards: bool, body: Body<'_>) -> Expr {
        let level = |axis: &usize| {
            let Span { hint, extent, .. } = &spans[*axis];
            Level { hint: hint.clone(), ..Level::new(None, extent.clone()) }
        };
        let levels = axes.iter().map(level).collect();
        self.nest_over(levels, None, |binder, variables| {
            let mut values = vec![Sym::constant(0); spans.len()];
            for (axis, variable) in axes.iter().zip(variables) {
                let Span { start, extent, .. } = &spans[*axis];
                values[*axis] = along(start, extent, &variable, backwards).unwrap_or(variable);
            }
            body(binder, values);
        })
    }

    /// The points of a rectangle in fronts of equal `slope * y + x`.
    fn fronts(
        &mut self,
        slope: i64,
        spans: Vec<Span>,
        backwards: bool,
        body: Body<'_>,
    ) -> Result<Expr, LocationError> {
        let one = Sym::constant(1);
        let [rows, columns] = [0, 1].map(|axis: usize| spans[axis].clone());
        let last = [rows.extent.sub(&one)?, columns.extent.sub(&one)?];
        // An empty rectangle may have fronts, which are empty.
        let count = clipped(&last[0].scale(slope)?.add(&columns.extent)?)?;
        let fronts = Level { hint: "front".to_owned(), ..Level::new(None, count.clone()) };
        let mut failed = Ok(());
        let failure = &mut failed;
        let nest = self.nest_over(vec![fronts], None, |binder, variables| {
            let nest = along(&Sym::constant(0), &count, &variables[0], backwards).and_then(|front| {
                // `0 <= front - slope * y <= last[1]`
                let first = clipped(&front.sub(&last[1])?.ceil_div(slope)?)?;
                let end = Integer::min(&front.floor_div(slope)?, &last[0])?;
                let length = end.sub(&first)?.add(&one)?;
                let row = Level { hint: "row".to_owned(), ..Level::new(None, clipped(&length)?) };
                Ok(binder.nest_over(vec![row], None, |binder, variables| {
                    let point = along(&first, &length, &variables[0], backwards)
                        .and_then(|y| Ok((front.sub(&y.scale(slope)?)?, y)));
                    match point.and_then(|(x, y)| Ok(vec![rows.start.add(&y)?, columns.start.add(&x)?])) {
                        Ok(point) => body(binder, point),
                        Err(error) => *failure = Err(error),
                    }
                }))
            });
            if let Ok(nest) = nest {
                binder.push(Stmt::Expr(nest, None));
            }
        });
        failed.map(|()| nest)
    }
}

/// The name of an order that no loops describe.
fn unrolled_only(order: &Order) -> Option<&'static str> {
    match order {
        Order::Morton => Some("morton"),
        Order::Curve(Curve::Zigzag) => Some("zigzag"),
        Order::Curve(Curve::Hilbert) => Some("hilbert"),
        Order::Then { .. } => Some("then"),
        _ => None,
    }
}

/// The elements of the tile at a point, clipped to the box.
fn elements(spans: Vec<Span>, extents: &[i64], at: &[Sym]) -> Result<Vec<Span>, LocationError> {
    let mut elements = Vec::new();
    for ((span, &extent), at) in spans.into_iter().zip(extents).zip(at) {
        let before = at.scale(extent)?;
        let tile = Sym::constant(extent);
        let whole = span.extent.modulo(extent)?.is_zero();
        let inside = if whole { tile } else { Integer::min(&span.extent.sub(&before)?, &tile)? };
        let hint = format!("{}_in", span.hint);
        elements.push(Span { start: span.start.add(&before)?, extent: inside, hint });
    }
    Ok(elements)
}

/// `max(0, sym)`.
fn clipped(sym: &Sym) -> Result<Sym, LocationError> {
    sym.at_least_zero()
}

/// The value of a loop's variable from the number of its iteration.
fn along(start: &Sym, extent: &Sym, iteration: &Sym, backwards: bool) -> Result<Sym, LocationError> {
    if backwards {
        return Ok(start.add(extent)?.sub(&Sym::constant(1))?.sub(iteration)?);
    }
    Ok(start.add(iteration)?)
}

/// The factors of two variables in `2 * y + x`.
fn slopes(sum: &Expr, names: &[Option<Ident>]) -> Option<[i64; 2]> {
    let mut slopes = [0; 2];
    let mut terms = vec![sum];
    while let Some(term) = terms.pop() {
        let (name, factor) = match crate::surface::bare(term) {
            Expr::Binary(sum) if matches!(sum.op, syn::BinOp::Add(_)) => {
                terms.extend([&*sum.left, &*sum.right]);
                continue;
            }
            Expr::Binary(product) if matches!(product.op, syn::BinOp::Mul(_)) => {
                let literal = |expr: &Expr| match crate::surface::bare(expr) {
                    Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(value), .. }) => value.base10_parse().ok(),
                    _ => None,
                };
                match (literal(&product.left), literal(&product.right)) {
                    (Some(factor), None) => (crate::surface::ident(&product.right)?, factor),
                    (None, Some(factor)) => (crate::surface::ident(&product.left)?, factor),
                    _ => return None,
                }
            }
            name => (crate::surface::ident(name)?, 1),
        };
        let own = |own: &Option<Ident>| own.as_ref().is_some_and(|own| crate::hygiene::same(own, name));
        let slope = slopes.get_mut(names.iter().position(own)?)?;
        if *slope != 0 || factor < 1 {
            return None;
        }
        *slope = factor;
    }
    Some(slopes)
}
